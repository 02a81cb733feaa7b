/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Custom calls that JAX makes where it compiles for a GPU or a TPU, as what runs anywhere: its
 * random generator (cu_threefry2x32), pivots as permutations, factorizations by cuSOLVER, cuSPARSE
 * and hipSOLVER, and those that XLA knows by name (Qr, LuDecomposition, Eigh). Factorizations
 * become the calls of LAPACK that JAX makes on a CPU. */
#include <stdio.h>
#include <string.h>

#include "lowering/calls/custom_calls_t.h"
#include "lowering/model/chlo_to_stablehlo_t.h"
#include "lowering/model/lapack_calls_t.h"

/* ---- random numbers ---- */

static EchoValue *rotated(EchoBuilder *b, EchoValue *x, int64_t n)
{
  EchoValue *left = echo_hlo_constant_i64(b, x->type, n);
  EchoValue *right = echo_hlo_constant_i64(b, x->type, 32 - n);
  return echo_hlo_or(b, echo_hlo_shift_left(b, x, left), echo_hlo_shift_right_logical(b, x, right));
}

/* Salmon et al. 2011, Threefry-2x32 with 20 rounds: five groups of four, the key added behind each.
 */
static void threefry(EchoBuilder *b, EchoValue *const key[2], EchoValue *x[2])
{
  static const int ROTATIONS[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  EchoValue *parity = echo_hlo_constant_i64(b, key[0]->type, 0x1BD11BDA);
  EchoValue *keys[] = {key[0], key[1], echo_hlo_xor(b, echo_hlo_xor(b, key[0], key[1]), parity)};
  for (int i = 0; i < 2; i++)
    x[i] = echo_hlo_add(b, x[i], keys[i]);
  for (int group = 0; group < 5; group++) {
    for (int round = 0; round < 4; round++) {
      x[0] = echo_hlo_add(b, x[0], x[1]);
      x[1] = echo_hlo_xor(b, rotated(b, x[1], ROTATIONS[group % 2][round]), x[0]);
    }
    EchoValue *count = echo_hlo_constant_i64(b, x[1]->type, group + 1);
    x[0] = echo_hlo_add(b, x[0], keys[(group + 1) % 3]);
    x[1] = echo_hlo_add(b, echo_hlo_add(b, x[1], keys[(group + 2) % 3]), count);
  }
}

/* (key, key, counter, counter [, what says the shape]) to two words, all of one type. */
static bool lower_threefry(EchoBuilder *b, const EchoOp *op, EchoValue **results)
{
  if (op->n_operands < 4 || op->n_results != 2)
    return false;
  const EchoType *type = echo_op_operand_type(op, 0);
  EchoValue *values[4];
  bool fits = echo_type_is_tensor(type) && echo_type_has_static_shape(type) &&
              echo_type_element_kind(type) == ECHO_ELEMENT_UI32;
  for (uint32_t i = 0; i < 4; i++) {
    values[i] = echo_op_operand(op, i);
    fits &= values[i]->type == type;
  }
  if (!fits || echo_op_result_type(op, 0) != type || echo_op_result_type(op, 1) != type)
    return false;
  threefry(b, values, values + 2);
  results[0] = values[2];
  results[1] = values[3];
  return true;
}

/* ---- pivots ---- */

/* The one of `rows` that is there, in every place of its matrix. */
static EchoValue *at_place(EchoBuilder *b, EchoValue *rows, EchoValue *is_there)
{
  const int64_t last = (int64_t)echo_type_rank(rows->type) - 1;
  EchoValue *zero = echo_hlo_constant_i64(b, rows->type, 0);
  EchoValue *row = echo_hlo_reduce_sum(b, echo_hlo_select(b, is_there, rows, zero), &last, 1);
  return echo_hlo_broadcast_reduced(b, row, rows->type, &last, 1);
}

/* rows with those in place i and in place pivots[..., i] exchanged, where there is such a place */
static EchoValue *exchanged(EchoBuilder *b, EchoValue *rows, EchoValue *places, EchoValue *pivots,
                            EchoValue *i)
{
  EchoValue *starts[ECHO_MAX_RANK];
  int64_t sizes[ECHO_MAX_RANK];
  const size_t rank = echo_type_rank(pivots->type);
  const int64_t last = (int64_t)rank - 1;
  for (size_t d = 0; d < rank; d++) {
    starts[d] = d + 1 == rank ? i : echo_hlo_constant_i64(b, i->type, 0);
    sizes[d] = d + 1 == rank ? 1 : echo_type_dim(pivots->type, d);
  }
  EchoValue *pivot = echo_hlo_dynamic_slice(b, pivots, starts, sizes);
  pivot = echo_hlo_broadcast_reduced(b, echo_hlo_reshape(b, pivot, sizes, rank - 1), rows->type,
                                     &last, 1);
  EchoValue *end = echo_hlo_constant_i64(b, rows->type, echo_type_dim(rows->type, (size_t)last));
  EchoValue *is_row = echo_hlo_and(
      b, echo_hlo_compare(b, ECHO_COMPARE_GE, pivot, echo_hlo_constant_i64(b, rows->type, 0)),
      echo_hlo_compare(b, ECHO_COMPARE_LT, pivot, end));
  EchoValue *is_i = echo_hlo_and(
      b, is_row,
      echo_hlo_compare(b, ECHO_COMPARE_EQ, places, echo_hlo_broadcast_scalar(b, i, rows->type)));
  EchoValue *is_pivot = echo_hlo_compare(b, ECHO_COMPARE_EQ, places, pivot);
  EchoValue *others = echo_hlo_select(b, is_pivot, at_place(b, rows, is_i), rows);
  return echo_hlo_select(b, is_i, at_place(b, rows, is_pivot), others);
}

/* What exchanging rows 0, 1, … with those of the pivots, one after the other, makes of rows in
 * order: type[..., n] of pivots[..., k], counted from 0. */
static EchoValue *permutation(EchoBuilder *b, EchoValue *pivots, const EchoType *type)
{
  const int64_t last = (int64_t)echo_type_rank(type) - 1;
  EchoValue *places = echo_hlo_iota(b, type, last);
  EchoValue *first = echo_hlo_scalar_i64(b, echo_type_element(type), 0);
  EchoValue *end =
      echo_hlo_scalar_i64(b, echo_type_element(type), echo_type_dim(pivots->type, (size_t)last));
  EchoValue *inits[] = {first, places};
  EchoBuilder cond, body;
  EchoOp *loop = echo_hlo_while(b, inits, 2, &cond, &body);
  EchoValue *goes_on = echo_hlo_compare(&cond, ECHO_COMPARE_LT, echo_block_arg(cond.block, 0), end);
  echo_hlo_return(&cond, &goes_on, 1);
  EchoValue *i = echo_block_arg(body.block, 0), *rows = echo_block_arg(body.block, 1);
  EchoValue *next[] = {echo_hlo_add(&body, i, echo_hlo_constant_like(&body, i, 1)),
                       exchanged(&body, rows, places, pivots, i)};
  echo_hlo_return(&body, next, 2);
  return echo_op_result(loop, 1);
}

/* Whether pivots of one type have a permutation of the other: integers, as many batches. */
static bool is_permutation(const EchoType *pivots, const EchoType *type)
{
  size_t rank = echo_type_rank(type);
  bool ok = rank != 0 && rank == echo_type_rank(pivots) &&
            echo_type_is_integer(echo_type_element(type), 32) &&
            echo_type_element(type) == echo_type_element(pivots);
  for (size_t d = 0; ok && d + 1 < rank; d++)
    ok = echo_type_dim(pivots, d) == echo_type_dim(type, d);
  return ok;
}

static bool lower_pivots(EchoBuilder *b, const EchoOp *op, EchoValue **results)
{
  if (op->n_operands != 1 || op->n_results != 1 ||
      !is_permutation(echo_op_operand_type(op, 0), echo_op_result_type(op, 0)))
    return false;
  results[0] = permutation(b, echo_op_operand(op, 0), echo_op_result_type(op, 0));
  return true;
}

/* ---- factorizations ---- */

/* A key is that of a boolean in the call's dictionary. */
static bool read_flag(const EchoOp *op, EchoStr key, int64_t *number, const EchoType **type)
{
  const EchoAttr *config = echo_call_dictionary_or_null(op);
  char name[32];
  snprintf(name, sizeof name, "%.*s", (int)key.size, key.data);
  const EchoAttr *entry = config != NULL ? echo_dictionary_get_or_null(config, name) : NULL;
  if (entry == NULL || entry->kind != ECHO_ATTR_INTEGER)
    return false;
  *number = entry->as.integer.value != 0;
  *type = entry->type;
  return true;
}

/* Of Eigh: "1,…", where the lower triangle is given. */
static bool read_first(const EchoOp *op, EchoStr key, int64_t *number, const EchoType **type)
{
  EchoStr config = echo_op_attr_string(op, "backend_config");
  (void)key;
  *type = echo_type_integer(echo_op_context(op), 8, ECHO_UNSIGNED);
  *number = config.size != 0 && config.data[0] == '1';
  return config.size > 1 && (config.data[0] == '0' || *number == 1) && config.data[1] == ',';
}

typedef struct DeviceRoutine {
  const char *name; /* behind "cusolver_" or the like, before "_ffi"; or XLA's */
  uint32_t n_operands, n_results;
  size_t rank;         /* of the first operand, behind the batch */
  const char *routine; /* of complex numbers; NULL: the same */
  EchoLapackForm form;
  EchoLapackReadFn *read;
} DeviceRoutine;

#define EIGENVECTORS "compute_left=left:NV compute_right=right:NV"
#define VECTORS "mode=full_matrices+compute_uv:NNSA"

static const DeviceRoutine SOLVERS[] = {
    {"potrf", 1, 2, 2, NULL, {"potrf", "01", "uplo=lower:UL", false}, read_flag},
    {"getrf", 1, 3, 2, NULL, {"getrf", "012", "", false}, read_flag},
    {"geqrf", 1, 2, 2, NULL, {"geqrf", "01", "", false}, read_flag},
    {"orgqr", 2, 1, 2, "ungqr", {"orgqr", "0", "", false}, read_flag},
    {"ormqr", 3, 1, 2, "unmqr", {"ormqr", "0", "left=left transpose=transpose", false}, read_flag},
    {"syevd", 1, 3, 2, "heevd", {"syevd", "012", "mode=:V uplo=lower:UL", false}, read_flag},
    {"sytrd", 1, 5, 2, "hetrd", {"sytrd", "01234", "uplo=lower:UL", false}, read_flag},
    {"gesvd", 1, 5, 2, NULL, {"gesdd", "01234", VECTORS, false}, read_flag},
    {"gesdd", 1, 5, 2, NULL, {"gesdd", "01234", VECTORS, false}, read_flag},
    {"gesvdj", 1, 5, 2, NULL, {"gesdd", "012D4", VECTORS, false}, read_flag},
    {"gesvdp", 1, 5, 2, NULL, {"gesdd", "012D4", VECTORS, false}, read_flag},
    {"eig_real", 1, 5, 2, NULL, {"geev", "01234", EIGENVECTORS, false}, read_flag},
    {"eig_comp", 1, 4, 2, NULL, {"geev", "0123", EIGENVECTORS, false}, read_flag},
    {"gtsv2", 4, 1, 1, NULL, {"gtsv", "abc0i", "", false}, read_flag},
};

static const DeviceRoutine OF_XLA[] = {
    {"Qr", 1, 2, 2, NULL, {"geqrf", "01", "", false}, read_first},
    {"ProductOfElementaryHouseholderReflectors",
     2,
     1,
     2,
     "ungqr",
     {"orgqr", "0", "", false},
     read_first},
    {"LuDecomposition", 1, 3, 2, NULL, {"getrf", "01i", "", false}, read_first},
    {"Eigh", 1, 2, 2, "heevd", {"syevd", "01i", "mode=:V uplo=lower:UL", false}, read_first},
};

static bool ends_with(EchoStr text, const char *end)
{
  size_t n = strlen(end);
  return text.size >= n && memcmp(text.data + text.size - n, end, n) == 0;
}

/* What stands behind one of these prefixes, without "_ffi"; empty where none does. */
static EchoStr name_behind(EchoStr text, const char *const *prefixes, size_t n)
{
  if (ends_with(text, "_ffi"))
    text.size -= strlen("_ffi");
  for (size_t i = 0; i < n; i++) {
    size_t size = strlen(prefixes[i]);
    if (text.size > size && memcmp(text.data, prefixes[i], size) == 0)
      return (EchoStr){text.data + size, text.size - size};
  }
  return (EchoStr){0};
}

static const DeviceRoutine *row_or_null(const DeviceRoutine *rows, size_t n, EchoStr name)
{
  for (size_t i = 0; i < n; i++)
    if (echo_str_is(name, rows[i].name))
      return &rows[i];
  return NULL;
}

static const DeviceRoutine *routine_or_null(EchoStr target)
{
  static const char *const LIBRARIES[] = {"cusolver_", "hipsolver_", "cusparse_", "cuhybrid_",
                                          "hiphybrid_"};
  EchoStr name = name_behind(target, LIBRARIES, sizeof LIBRARIES / sizeof *LIBRARIES);
  return name.size != 0 ? row_or_null(SOLVERS, sizeof SOLVERS / sizeof *SOLVERS, name)
                        : row_or_null(OF_XLA, sizeof OF_XLA / sizeof *OF_XLA, target);
}

static bool is_flag(const EchoOp *op, const char *key, bool value)
{
  const EchoType *type;
  int64_t number;
  return read_flag(op, echo_str(key), &number, &type) && (number != 0) == value;
}

/* Of singular values: a wide matrix is handed over transposed, by rows, with U and V in each
 * other's place; where no vectors are wanted numbers may stand in theirs. */
static void read_vectors(const EchoOp *op, EchoLapackForm *form)
{
  form->is_transposed = is_flag(op, "transposed", true);
  if (form->is_transposed)
    form->results = "01324";
  if (is_flag(op, "compute_uv", false) && echo_type_rank(echo_op_result_type(op, 2)) == 0 &&
      echo_type_rank(echo_op_result_type(op, 3)) == 0)
    form->results = "01uv4";
}

static bool lower_routine(EchoBuilder *b, const EchoOp *op, EchoStr target, EchoValue **results)
{
  const DeviceRoutine *routine = routine_or_null(target);
  EchoValue *operands[4], *made[ECHO_LAPACK_MAX_RESULTS];
  if (routine == NULL || op->n_operands != routine->n_operands ||
      op->n_results != routine->n_results)
    return false;
  const bool has_permutation = routine->read == read_first && routine->n_results == 3;
  if (has_permutation && !is_permutation(echo_op_result_type(op, 1), echo_op_result_type(op, 2)))
    return false;
  for (uint32_t i = 0; i < op->n_operands; i++)
    operands[i] = echo_op_operand(op, i);
  EchoLapackForm form = routine->form;
  char letter = echo_lapack_letter(operands[0]->type);
  if (routine->routine != NULL && (letter == 'c' || letter == 'z'))
    form.routine = routine->routine;
  if (echo_str_is(echo_str(form.attributes), VECTORS))
    read_vectors(op, &form);
  if (!echo_lapack_call(b, op, &form, operands, op->n_operands, routine->rank, routine->read, made))
    return false;
  echo_lapack_results(b, op, &form, made, results);
  if (!has_permutation)
    return true;
  /* LuDecomposition counts from 0, and gives the permutation as well. */
  results[1] = echo_hlo_subtract(b, results[1], echo_hlo_constant_like(b, results[1], 1));
  results[2] = permutation(b, results[1], echo_op_result_type(op, 2));
  return true;
}

/* ---- updates of matrices ---- */

/* Batches in front, one dimension of each matrix contracted. */
static EchoValue *product_with_itself(EchoBuilder *b, EchoValue *a, bool is_transposed)
{
  int64_t batching[ECHO_MAX_RANK], contracted;
  const size_t n = echo_type_rank(a->type) - 2;
  for (size_t d = 0; d < n; d++)
    batching[d] = (int64_t)d;
  contracted = (int64_t)(is_transposed ? n : n + 1);
  const EchoDotDims dims = {.lhs_batching = {batching, n},
                            .rhs_batching = {batching, n},
                            .lhs_contracting = {&contracted, 1},
                            .rhs_contracting = {&contracted, 1}};
  return echo_hlo_dot_general(b, a, a, &dims, NULL);
}

/* (a, c, alpha, beta) to alpha a aT + beta c, or alpha aT a + beta c: whole, where cuSOLVER writes
 * one triangle, which is all that JAX reads. */
static bool lower_syrk(EchoBuilder *b, const EchoOp *op, EchoValue **results)
{
  int64_t is_transposed;
  const EchoType *flag;
  if (op->n_operands != 4 || op->n_results != 1 ||
      !read_flag(op, ECHO_STR("transpose"), &is_transposed, &flag))
    return false;
  EchoValue *a = echo_op_operand(op, 0), *c = echo_op_operand(op, 1);
  const EchoType *type = op->results[0].type;
  const size_t rank = echo_type_rank(type);
  bool fits = rank >= 2 && c->type == type && echo_type_rank(a->type) == rank &&
              echo_type_element(a->type) == echo_type_element(type);
  for (size_t d = 0; fits && d < rank; d++)
    fits = echo_type_dim(type, d) ==
           echo_type_dim(a->type, d + 2 < rank ? d : rank - (is_transposed ? 1 : 2));
  for (uint32_t i = 2; i < 4; i++)
    fits &= echo_op_operand_type(op, i) == echo_hlo_scalar_type(b->ctx, echo_type_element(type));
  if (!fits)
    return false;
  EchoValue *product = product_with_itself(b, a, is_transposed != 0);
  EchoValue *alpha = echo_hlo_broadcast_scalar(b, echo_op_operand(op, 2), type);
  EchoValue *beta = echo_hlo_broadcast_scalar(b, echo_op_operand(op, 3), type);
  results[0] = echo_hlo_add(b, echo_hlo_multiply(b, alpha, product), echo_hlo_multiply(b, beta, c));
  return true;
}

/* cos and sin of the rotation that makes (x, y) to (., 0), where y is not 0. */
static void rotation(EchoBuilder *b, EchoValue *x, EchoValue *y, EchoValue *turn[2])
{
  EchoValue *zero = echo_hlo_constant_like(b, y, 0), *one = echo_hlo_constant_like(b, y, 1);
  EchoValue *is_there = echo_hlo_compare(b, ECHO_COMPARE_NE, y, zero);
  EchoValue *size = echo_hlo_maximum(b, echo_hlo_abs(b, x), echo_hlo_abs(b, y));
  size = echo_hlo_select(b, is_there, size, one);
  x = echo_hlo_divide(b, x, size);
  y = echo_hlo_divide(b, y, size);
  EchoValue *norm =
      echo_hlo_sqrt(b, echo_hlo_add(b, echo_hlo_multiply(b, x, x), echo_hlo_multiply(b, y, y)));
  turn[0] = echo_hlo_select(b, is_there, echo_hlo_divide(b, x, norm), one);
  turn[1] = echo_hlo_select(b, is_there, echo_hlo_negate(b, echo_hlo_divide(b, y, norm)), zero);
}

/* cos first - sin second, or cos first + sin second */
static EchoValue *turned(EchoBuilder *b, EchoValue *const turn[2], EchoValue *first,
                         EchoValue *second, bool is_sum)
{
  EchoValue *cos = echo_hlo_broadcast_scalar(b, turn[0], first->type);
  EchoValue *sin = echo_hlo_broadcast_scalar(b, turn[1], first->type);
  first = echo_hlo_multiply(b, cos, first);
  second = echo_hlo_multiply(b, sin, second);
  return is_sum ? echo_hlo_add(b, first, second) : echo_hlo_subtract(b, first, second);
}

/* (R, w) to the upper R' of R'T R' = RT R + w wT and what is left of w: row by row, w is turned out
 * of the place that is on the diagonal (Golub and Van Loan, Matrix Computations, 6.5.4). */
static bool lower_cholesky_update(EchoBuilder *b, const EchoOp *op, EchoValue **results)
{
  if (op->n_operands != 2 || op->n_results != 2)
    return false;
  EchoValue *r = echo_op_operand(op, 0), *w = echo_op_operand(op, 1);
  const int64_t n = echo_type_rank(w->type) == 1 ? echo_type_dim(w->type, 0) : 0;
  const int64_t sizes[] = {n, n}, row_sizes[] = {1, n}, one = 1;
  const EchoType *element = echo_type_element(w->type);
  if (n == 0 || !echo_element_is_float(echo_type_element_kind(w->type)) ||
      r->type != echo_hlo_tensor(b->ctx, sizes, 2, element) || op->results[0].type != r->type ||
      op->results[1].type != w->type)
    return false;
  const EchoType *count = echo_type_integer(b->ctx, 32, ECHO_SIGNLESS);
  EchoValue *zero = echo_hlo_scalar_i64(b, count, 0), *end = echo_hlo_scalar_i64(b, count, n);
  EchoValue *inits[] = {zero, r, w};
  EchoBuilder cond, body;
  EchoOp *loop = echo_hlo_while(b, inits, 3, &cond, &body);
  EchoValue *goes_on = echo_hlo_compare(&cond, ECHO_COMPARE_LT, echo_block_arg(cond.block, 0), end);
  echo_hlo_return(&cond, &goes_on, 1);
  EchoValue *k = echo_block_arg(body.block, 0), *starts[] = {k, zero}, *turn[2];
  r = echo_block_arg(body.block, 1);
  w = echo_block_arg(body.block, 2);
  EchoValue *row =
      echo_hlo_reshape(&body, echo_hlo_dynamic_slice(&body, r, starts, row_sizes), &n, 1);
  rotation(&body, echo_hlo_reshape(&body, echo_hlo_dynamic_slice(&body, row, &k, &one), NULL, 0),
           echo_hlo_reshape(&body, echo_hlo_dynamic_slice(&body, w, &k, &one), NULL, 0), turn);
  EchoValue *made = echo_hlo_reshape(&body, turned(&body, turn, row, w, false), row_sizes, 2);
  EchoValue *next[] = {echo_hlo_add(&body, k, echo_hlo_constant_like(&body, k, 1)),
                       echo_hlo_dynamic_update_slice(&body, r, made, starts),
                       turned(&body, turn, w, row, true)};
  echo_hlo_return(&body, next, 3);
  results[0] = echo_op_result(loop, 1);
  results[1] = echo_op_result(loop, 2);
  return true;
}

/* ---- memory ---- */

/* What lax.empty is there: of numbers that nobody knows, zeros. */
static bool lower_empty(EchoBuilder *b, const EchoOp *op, EchoValue **results)
{
  if (op->n_operands != 0 || op->n_results != 1)
    return false;
  results[0] = echo_chlo_zeros(b, op->results[0].type);
  return true;
}

/* ---- the pattern ---- */

static bool lower_call(EchoBuilder *b, const EchoOp *op, EchoValue **results)
{
  static const char *const KERNELS[] = {"cu_", "hip_"};
  EchoStr target = echo_op_attr_string(op, "call_target_name");
  EchoStr kernel = name_behind(target, KERNELS, sizeof KERNELS / sizeof *KERNELS);
  if (echo_str_is(kernel, "threefry2x32"))
    return lower_threefry(b, op, results);
  if (echo_str_is(kernel, "lu_pivots_to_permutation"))
    return lower_pivots(b, op, results);
  if (echo_str_is(kernel, "cholesky_update"))
    return lower_cholesky_update(b, op, results);
  if (echo_str_is(target, "cusolver_syrk_ffi") || echo_str_is(target, "hipsolver_syrk_ffi"))
    return lower_syrk(b, op, results);
  if (echo_str_is(target, "AllocateBuffer"))
    return lower_empty(b, op, results);
  return lower_routine(b, op, target, results);
}

static bool lower_device_call(EchoRewriter *rewriter, EchoOp *op)
{
  return echo_replace_call(rewriter, op, lower_call);
}

const EchoPattern ECHO_DEVICE_CALLS_PATTERNS[] = {
    {"stablehlo.custom_call", 0, lower_device_call, "what runs anywhere"},
};
const size_t ECHO_N_DEVICE_CALLS_PATTERNS =
    sizeof ECHO_DEVICE_CALLS_PATTERNS / sizeof ECHO_DEVICE_CALLS_PATTERNS[0];
