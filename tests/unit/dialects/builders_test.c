/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Builders of loops and scalars: what is missing or does not fit is an error that names it, the
 * answer is NULL, and NULL is passed on as such. */
#include "dialects/arith/arith.h"
#include "dialects/dialects.h"
#include "dialects/kernel/kernel.h"
#include "dialects/memref/memref.h"
#include "dialects/scf/scf.h"
#include "dialects/vector/vector.h"
#include "ir/verify/verifier.h"
#include "tests/unit/suite.h"

static EchoContext *ctx;
static EchoBlock *block;
static EchoBuilder b, inner, none;
static const EchoType *f32, *index_type, *vector;
static EchoValue *x, *i, *flag, *m; /* f32, index, i1, memref<2x3xf32> */
static EchoValue *one[2];           /* i, then NULL */

static EchoValue *arg(const EchoType *type)
{
  return echo_block_add_arg(ctx, block, type, echo_loc_unknown());
}

static void set_up(void)
{
  const int64_t dims[] = {2, 3}, four = 4;
  ctx = echo_context_create();
  echo_register_dialects(ctx);
  block = echo_block_create(ctx);
  b = echo_builder_at_end(ctx, block);
  f32 = echo_type_f32(ctx);
  index_type = echo_type_index(ctx);
  vector = echo_type_vector(ctx, &four, 1, f32, 0);
  x = arg(f32);
  i = one[0] = arg(index_type);
  flag = arg(echo_type_i1(ctx));
  m = arg(echo_type_memref(ctx, dims, 2, f32, NULL, NULL));
}

/* Nothing was built, and nothing left lying about. */
static void tear_down(void)
{
  ck_assert_ptr_null(block->first);
  ck_assert_ptr_null(inner.ctx);
  echo_block_erase(block);
  echo_context_destroy(ctx);
}

static size_t n_seen;

static void said(const char *message)
{
  size_t n = echo_context_n_diagnostics(ctx);
  ck_assert_uint_eq(n, n_seen + 1);
  n_seen = n;
  ck_assert_str_eq(echo_context_diagnostic(ctx, n - 1)->message, message);
}

static void refused(const void *answer, const char *message)
{
  ck_assert_ptr_null(answer);
  said(message);
}

START_TEST(arith)
{
  refused(echo_arith_int(&b, NULL, 1), "'arith.constant' is built: 'type' is NULL");
  refused(echo_arith_float(&b, NULL, 1), "'arith.constant' is built: 'type' is NULL");
  refused(echo_arith_float_bits(&b, NULL, 1), "'arith.constant' is built: 'type' is NULL");
  refused(echo_arith_int(&b, f32, 1),
          "an integer attribute is made: 'type' is f32, no integer or index");
  refused(echo_arith_binary(&b, "arith.addf", NULL, x), "'arith.addf' is built: 'lhs' is NULL");
  refused(echo_arith_binary(&b, "arith.addf", x, NULL), "'arith.addf' is built: 'rhs' is NULL");
  refused(echo_arith_binary(&b, NULL, x, x), "'?' is built: 'name' is NULL");
  refused(echo_arith_binary(&b, "arith.negf", x, x),
          "'arith.negf' is built: 'n_operands' is 2, it has 1");
  refused(echo_arith_unary(&b, "arith.negf", NULL, f32),
          "'arith.negf' is built: 'operand' is NULL");
  refused(echo_arith_unary(&b, NULL, x, NULL), "'?' is built: 'name' is NULL");
  refused(echo_arith_cmpf(&b, ECHO_CMPF_OEQ, x, NULL), "'arith.cmpf' is built: 'rhs' is NULL");
  refused(echo_arith_cmpi(&b, ECHO_CMPI_EQ, NULL, i), "'arith.cmpi' is built: 'lhs' is NULL");
  refused(echo_arith_select(&b, NULL, x, x), "'arith.select' is built: 'condition' is NULL");
  refused(echo_arith_select(&b, flag, NULL, x), "'arith.select' is built: 'on_true' is NULL");
  refused(echo_arith_select(&b, flag, x, NULL), "'arith.select' is built: 'on_false' is NULL");
  refused(echo_math_fma(&b, NULL, x, x), "'math.fma' is built: 'a' is NULL");
  refused(echo_math_fma(&b, x, NULL, x), "'math.fma' is built: 'b' is NULL");
  refused(echo_math_fma(&b, x, x, NULL), "'math.fma' is built: 'c' is NULL");
  ck_assert_ptr_null(echo_arith_index(NULL, 1));
  ck_assert_ptr_null(echo_arith_index(&none, 1));
  ck_assert_ptr_null(echo_arith_binary(NULL, "arith.addf", x, x));
}
END_TEST

START_TEST(loops)
{
  refused(echo_scf_for(&b, NULL, i, i, NULL, 0, &inner), "'scf.for' is built: 'low' is NULL");
  refused(echo_scf_for(&b, i, NULL, i, NULL, 0, &inner), "'scf.for' is built: 'high' is NULL");
  refused(echo_scf_for(&b, i, i, NULL, NULL, 0, &inner), "'scf.for' is built: 'step' is NULL");
  refused(echo_scf_for(&b, i, i, i, NULL, 0, NULL), "'scf.for' is built: 'body' is NULL");
  refused(echo_scf_for(&b, i, i, i, NULL, 2, &inner),
          "'scf.for' is built: 'inits' is NULL, of which there are 2");
  refused(echo_scf_for(&b, i, i, i, one, 2, &inner), "'scf.for' is built: 'inits[1]' is NULL");
  refused(echo_scf_for(&b, i, i, i, one, SIZE_MAX, &inner),
          "'scf.for' is built: 'inits' has 18446744073709551615 values, too many");
  refused(echo_scf_for(&b, x, i, i, NULL, 0, &inner),
          "'scf.for' is built: 'operands[0]', its 'lowerBound', is f32, not "
          "signless-integer-like");
  refused(echo_scf_parallel(&b, i, NULL, i, &inner), "'scf.parallel' is built: 'high' is NULL");
  refused(echo_scf_while(&b, one, 2, &inner, &inner), "'scf.while' is built: 'inits[1]' is NULL");
  refused(echo_scf_while(&b, one, 1, NULL, &inner), "'scf.while' is built: 'before' is NULL");
  refused(echo_scf_while(&b, one, 1, &inner, NULL), "'scf.while' is built: 'after' is NULL");
  echo_scf_mark_parallel(NULL);
  ck_assert_ptr_null(echo_scf_induction(NULL));
  ck_assert_ptr_null(echo_scf_for(NULL, i, i, i, NULL, 0, &inner));
  ck_assert_ptr_null(echo_scf_while(&none, one, 1, &inner, &inner));
}
END_TEST

START_TEST(conditions)
{
  refused(echo_scf_if(&b, NULL, NULL, 0, &inner, NULL), "'scf.if' is built: 'condition' is NULL");
  refused(echo_scf_if(&b, flag, NULL, 0, NULL, NULL), "'scf.if' is built: 'then_body' is NULL");
  refused(echo_scf_if(&b, flag, NULL, 2, &inner, NULL),
          "'scf.if' is built: 'result_types' is NULL");
  refused(echo_scf_if(&b, x, NULL, 0, &inner, NULL),
          "'scf.if' is built: 'operands[0]', its 'condition', is f32, not i1");
  echo_scf_condition(&b, NULL, one, 1);
  said("'scf.condition' is built: 'condition' is NULL");
  echo_scf_condition(&b, flag, one, 2);
  said("'scf.condition' is built: 'values[1]' is NULL");
  echo_scf_yield(&b, one, 2);
  said("'scf.yield' is built: 'values[1]' is NULL");
}
END_TEST

START_TEST(memrefs)
{
  EchoValue *both[] = {i, i};
  const size_t too_many[] = {3}, too_few[] = {1}, empty[] = {0, 2};
  const int64_t large[] = {INT64_MAX, 2};
  EchoValue *huge = arg(echo_type_memref(ctx, large, 2, f32, NULL, NULL));
  refused(echo_memref_load(&b, NULL, both, 2), "'memref.load' is built: 'memref' is NULL");
  refused(echo_memref_load(&b, x, both, 2), "'memref.load' is built: 'memref' is f32, no memref");
  refused(echo_memref_load(&b, m, NULL, 2),
          "'memref.load' is built: 'indices' is NULL, of which there are 2");
  refused(echo_memref_load(&b, m, one, 2), "'memref.load' is built: 'indices[1]' is NULL");
  refused(echo_memref_load(&b, m, both, 1),
          "'memref.load' is built: 'n' is 1, 'memref' has 2 dimensions");
  echo_memref_store(&b, NULL, m, both, 2);
  said("'memref.store' is built: 'value' is NULL");
  echo_memref_store(&b, x, NULL, both, 2);
  said("'memref.store' is built: 'memref' is NULL");
  refused(echo_memref_alloca(&b, NULL), "'memref.alloca' is built: 'type' is NULL");
  refused(echo_memref_address(&b, NULL),
          "'memref.extract_aligned_pointer_as_index' is built: 'memref' is NULL");
  refused(echo_memref_collapse(&b, NULL, too_few, 1),
          "'memref.collapse_shape' is built: 'memref' is NULL");
  refused(echo_memref_collapse(&b, x, too_few, 1),
          "'memref.collapse_shape' is built: 'memref' is f32, no memref");
  refused(echo_memref_collapse(&b, m, NULL, 1),
          "'memref.collapse_shape' is built: 'group_sizes' is NULL");
  refused(echo_memref_collapse(&b, m, too_many, 1),
          "'memref.collapse_shape' is built: 'group_sizes[0]' is 3, 2 dimensions are left");
  refused(echo_memref_collapse(&b, m, empty, 2),
          "'memref.collapse_shape' is built: 'group_sizes[0]' is 0, 2 dimensions are left");
  refused(echo_memref_collapse(&b, m, too_few, 1),
          "'memref.collapse_shape' is built: 'group_sizes' cover 1 dimensions of 2");
  refused(echo_memref_collapse(&b, huge, (const size_t[]){2}, 1),
          "'memref.collapse_shape' is built: 'memref' is memref<9223372036854775807x2xf32>, whose "
          "group 0 has no size");
  refused(echo_memref_expand(&b, NULL, (const int64_t[]){2}, 1),
          "'memref.expand_shape' is built: 'memref' is NULL");
  refused(echo_memref_expand(&b, m, NULL, 1), "'memref.expand_shape' is built: 'dims' is NULL");
  refused(echo_memref_expand(&b, m, (const int64_t[]){2}, 1),
          "'memref.expand_shape' is built: 'memref' is memref<2x3xf32>, which has not the elements "
          "of 'dims'");
}
END_TEST

START_TEST(vectors)
{
  EchoValue *both[] = {i, i}, *v = arg(vector);
  refused(echo_vector_load(&b, NULL, m, both, 2), "'vector.load' is built: 'vector' is NULL");
  refused(echo_vector_load(&b, vector, NULL, both, 2), "'vector.load' is built: 'memref' is NULL");
  refused(echo_vector_load(&b, vector, m, one, 2), "'vector.load' is built: 'indices[1]' is NULL");
  EchoValue *many[ECHO_MAX_RANK + 1];
  for (int k = 0; k <= ECHO_MAX_RANK; k++)
    many[k] = i;
  refused(echo_vector_load(&b, vector, m, many, ECHO_MAX_RANK + 1),
          "'vector.load' is built: 'n' is 65, above 64");
  echo_vector_store(&b, NULL, m, both, 2);
  said("'vector.store' is built: 'vector' is NULL");
  echo_vector_store(&b, v, NULL, both, 2);
  said("'vector.store' is built: 'memref' is NULL");
  refused(echo_vector_broadcast(&b, NULL, x), "'vector.broadcast' is built: 'vector' is NULL");
  refused(echo_vector_broadcast(&b, vector, NULL), "'vector.broadcast' is built: 'scalar' is NULL");
  refused(echo_vector_slice(&b, NULL, 0, 1),
          "'vector.extract_strided_slice' is built: 'vector' is NULL");
  refused(echo_vector_slice(&b, v, 1, vector->as.shaped.dims[0]),
          "'vector.extract_strided_slice' is built: 'vector' has no such lanes");
  refused(echo_vector_extract(&b, v, -1), "'vector.extract' is built: 'vector' has no such lanes");
  refused(echo_vector_extract(&b, x, 0), "'vector.extract' is built: 'vector' has no such lanes");
}
END_TEST

START_TEST(kernels)
{
  EchoLoc loc = echo_loc_unknown();
  EchoStr name = ECHO_STR("k"), missing = {NULL, 0};
  const EchoType *type = echo_type_function(ctx, NULL, 0, NULL, 0);
  refused(echo_kernel_func_create(ctx, loc, name, ECHO_KERNEL_MAP, NULL),
          "'kernel.func' is built: 'function_type' is NULL");
  refused(echo_kernel_func_create(ctx, loc, name, ECHO_KERNEL_MAP, f32),
          "'kernel.func' is built: 'function_type' is f32");
  refused(echo_kernel_func_create(ctx, loc, name, ECHO_N_KERNEL_KINDS, type),
          "'kernel.func' is built: 'kind' is no kind");
  refused(echo_kernel_func_create(ctx, loc, missing, ECHO_KERNEL_MAP, type),
          "'kernel.func' is built: 'name' is NULL");
  ck_assert_ptr_null(echo_kernel_func_create(NULL, loc, name, ECHO_KERNEL_MAP, type));
  refused(echo_kernel_return(&b, one, 2), "'kernel.return' is built: 'values[1]' is NULL");
  refused(echo_kernel_call(&b, missing, one, 1, NULL, 0),
          "'kernel.call' is built: 'callee' is NULL");
  refused(echo_kernel_call(&b, name, one, 2, NULL, 0),
          "'kernel.call' is built: 'operands[1]' is NULL");
  refused(echo_kernel_launch(&b, missing, one, 1, one, 1),
          "'kernel.launch' is built: 'callee' is NULL");
  refused(echo_kernel_launch(&b, name, one, 2, one, 1),
          "'kernel.launch' is built: 'inputs[1]' is NULL");
  refused(echo_kernel_launch(&b, name, one, 1, NULL, 1),
          "'kernel.launch' is built: 'outputs' is NULL, of which there are 1");
}
END_TEST

/* cblas_sgemm in little: a tile, a number, a buffer. */
static EchoLibraryCall library_call(void)
{
  EchoLibraryCall call = {
      .library = ECHO_STR("blas"), .symbol = ECHO_STR("f"), .n_args = 3, .n_grid = 1, .grid = {2}};
  call.args[0] = (EchoLibraryArg){
      .kind = ECHO_LIBRARY_TILE, .type = ECHO_LIBRARY_I32, .integer = 8, .total = 16};
  call.args[1] = (EchoLibraryArg){.type = ECHO_LIBRARY_F32, .floating = 1};
  call.args[2] = (EchoLibraryArg){.kind = ECHO_LIBRARY_BUFFER, .type = ECHO_LIBRARY_PTR};
  return call;
}

static const EchoLibraryCall *bad_call;
static void refused_call(const char *message)
{
  EchoLoc loc = echo_loc_unknown();
  const EchoType *type = echo_type_function(ctx, &f32, 1, NULL, 0);
  refused(echo_kernel_library_create(ctx, loc, ECHO_STR("k"), type, bad_call), message);
}

START_TEST(libraries)
{
  EchoLoc loc = echo_loc_unknown();
  EchoStr name = ECHO_STR("k"), missing = {0};
  EchoContext *other = echo_context_create();
  const EchoType *f32_of_other = echo_type_f32(other);
  const EchoType *type = echo_type_function(ctx, &f32, 1, NULL, 0);
  const EchoType *strange = echo_type_function(other, &f32_of_other, 1, NULL, 0);
  EchoLibraryCall call = library_call();
  ck_assert_ptr_null(echo_kernel_library_create(NULL, loc, name, type, &call));
  refused(echo_kernel_library_create(ctx, loc, missing, type, &call),
          "'kernel.library' is built: 'name' is NULL");
  refused(echo_kernel_library_create(ctx, loc, name, NULL, &call),
          "'kernel.library' is built: 'function_type' is NULL");
  refused(echo_kernel_library_create(ctx, loc, name, f32, &call),
          "'kernel.library' is built: 'function_type' is f32");
  refused(echo_kernel_library_create(ctx, loc, name, strange, &call),
          "'kernel.library' is built: 'function_type' is of another context");
  refused(echo_kernel_library_create(ctx, loc, name, type, NULL),
          "'kernel.library' is built: 'call' is NULL");
  bad_call = &call;
  call.library = missing;
  refused_call("'kernel.library' is built: 'call->library' is NULL");
  call = library_call();
  call.symbol = missing;
  refused_call("'kernel.library' is built: 'call->symbol' is NULL");
  call = library_call();
  call.result = (EchoLibraryType)9;
  refused_call("'kernel.library' is built: 'call->result' is 9, no type");
  call = library_call();
  call.n_args = ECHO_LIBRARY_MAX_ARGS + 1;
  refused_call("'kernel.library' is built: 'call->n_args' is 129, too many");
  call = library_call();
  call.n_grid = 9;
  refused_call("'kernel.library' is built: 'call->n_grid' is 9, too many");
  call = library_call();
  call.grid[0] = -1;
  refused_call("'kernel.library' is built: 'call->grid[0]' is -1");
  call = library_call();
  call.args[0].axis = 1;
  refused_call("'kernel.library' is built: 'call->args[0].axis' is 1, not below 'n_grid'");
  call.args[0].kind = (EchoLibraryArgKind)7;
  refused_call("'kernel.library' is built: 'call->args[0].kind' is 7, none");
  call = library_call();
  call.args[0].type = ECHO_LIBRARY_F32;
  refused_call("'kernel.library' is built: 'call->args[0].type' is 3, no integer's");
  call = library_call();
  call.args[1].type = ECHO_LIBRARY_VOID;
  refused_call("'kernel.library' is built: 'call->args[1].type' is 0, no number's");
  call = library_call();
  call.args[2].type = ECHO_LIBRARY_I64;
  refused_call("'kernel.library' is built: 'call->args[2].type' is 2, not a pointer's");
  call = library_call();
  call.args[2].buffer = 1;
  refused_call("'kernel.library' is built: 'call->args[2].buffer' is 1, none");
  call = library_call();
  const int64_t last = 1, negative = -1;
  call.buffers = echo_attr_i64(ctx, 0);
  refused_call("'kernel.library' is built: 'call->buffers' is no array<i64>");
  call.buffers = echo_attr_i64_array(other, &last, 1);
  refused_call("'kernel.library' is built: 'call->buffers' is no array<i64>");
  call.buffers = echo_attr_i64_array(ctx, &last, 1);
  refused_call("'kernel.library' is built: 'call->buffers' has 1, which is none");
  call.buffers = echo_attr_i64_array(ctx, &negative, 1);
  refused_call("'kernel.library' is built: 'call->buffers' has -1, which is none");
  call = library_call();
  const int64_t four = 4;
  const EchoType *buffer = echo_type_tensor(ctx, &four, 1, f32, NULL);
  type = echo_type_function(ctx, &buffer, 1, NULL, 0);
  EchoOp *library = echo_kernel_library_create(ctx, loc, name, type, &call);
  ck_assert(library != NULL && echo_verify(library) && echo_op_erase(library));
  echo_context_destroy(other);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("builders");
  TCase *cases = tcase_create("builders");
  tcase_add_checked_fixture(cases, set_up, tear_down);
  tcase_add_test(cases, arith);
  tcase_add_test(cases, loops);
  tcase_add_test(cases, conditions);
  tcase_add_test(cases, memrefs);
  tcase_add_test(cases, vectors);
  tcase_add_test(cases, kernels);
  tcase_add_test(cases, libraries);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
