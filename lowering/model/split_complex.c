/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --split-complex: complex tensors become two real ones, so that nothing behind it knows complex
 * numbers. What a function is handed and hands over keeps its bytes: tensor<4xcomplex<f32>> is
 * tensor<4x2xf32>. An op that treats the elements of its operands alike, whatever they are (slices,
 * sums, branches, loops), is done for the real and for the imaginary parts, in one op where it has
 * regions; the others have formulas. */
#include <math.h>

#include "base/vector.h"
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/attributes/tensor.h"
#include "ir/diagnostics.h"
#include "lowering/calls/custom_calls_t.h"
#include "lowering/lowering.h"
#include "lowering/model/complex_math_t.h"

typedef ECHO_VECTOR(EchoValue *) ValueList;
typedef ECHO_VECTOR(const EchoType *) TypeList;

typedef struct Splitter {
  EchoContext *ctx;
  EchoMap re, im; /* complex value -> its parts */
  bool ok;
  uint64_t n;
} Splitter;

/* ---- types and parts ---- */

static bool is_complex(const EchoType *type)
{
  return echo_type_is_tensor(type) && type->as.shaped.element->kind == ECHO_TYPE_COMPLEX;
}

static const EchoType *part_type(EchoContext *ctx, const EchoType *type)
{
  return echo_type_tensor(ctx, type->as.shaped.dims, echo_type_rank(type),
                          type->as.shaped.element->as.shaped.element, NULL);
}

/* The same bytes as real numbers: parts are neighbours. */
static const EchoType *pair_type(EchoContext *ctx, const EchoType *type)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t rank = echo_type_rank(type);
  for (size_t i = 0; i < rank; i++)
    dims[i] = echo_type_dim(type, i);
  dims[rank] = 2;
  return echo_type_tensor(ctx, dims, rank + 1, type->as.shaped.element->as.shaped.element, NULL);
}

static EchoComplex parts(const Splitter *splitter, EchoValue *value)
{
  EchoComplex z = {echo_map_get_ptr(&splitter->re, value), echo_map_get_ptr(&splitter->im, value)};
  ECHO_CHECK(z.re != NULL && z.im != NULL, "a complex value is read before it is split");
  return z;
}

static void set_parts(Splitter *splitter, EchoValue *value, EchoComplex z)
{
  echo_map_set_ptr(&splitter->re, value, z.re);
  echo_map_set_ptr(&splitter->im, value, z.im);
}

static EchoValue *part_of_pair(EchoBuilder *b, EchoValue *pair, int64_t part)
{
  size_t rank = echo_type_rank(pair->type) - 1;
  EchoValue *slice = echo_hlo_slice_dim(b, pair, (int64_t)rank, part, part + 1);
  return echo_hlo_reshape(b, slice, pair->type->as.shaped.dims, rank);
}

static EchoValue *pair_of(EchoBuilder *b, EchoComplex z)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t rank = echo_type_rank(z.re->type);
  for (size_t i = 0; i < rank; i++)
    dims[i] = echo_type_dim(z.re->type, i);
  dims[rank] = 1;
  EchoValue *both[] = {echo_hlo_reshape(b, z.re, dims, rank + 1),
                       echo_hlo_reshape(b, z.im, dims, rank + 1)};
  return echo_hlo_concatenate(b, both, 2, (int64_t)rank);
}

/* ---- ops with formulas ---- */

static EchoComplex converted(EchoBuilder *b, EchoComplex z, const EchoType *element)
{
  return (EchoComplex){echo_hlo_convert(b, z.re, element), echo_hlo_convert(b, z.im, element)};
}

static bool split_function(Splitter *splitter, EchoBuilder *b, EchoOp *op,
                           const EchoComplexFunction *function)
{
  EchoComplex z = parts(splitter, echo_op_operand(op, 0)), w = z;
  const EchoType *element = echo_type_element(z.re->type);
  const EchoType *work = function->is_direct ? element : echo_type_f64(b->ctx);
  if (op->n_operands > 1)
    w = converted(b, parts(splitter, echo_op_operand(op, 1)), work);
  z = converted(b, z, work);
  EchoComplex y = function->unary != NULL ? function->unary(b, z) : function->binary(b, z, w);
  set_parts(splitter, echo_op_result(op, 0), converted(b, y, element));
  return true;
}

static bool split_complex_op(Splitter *splitter, EchoBuilder *b, EchoOp *op)
{
  (void)b;
  set_parts(splitter, echo_op_result(op, 0),
            (EchoComplex){echo_op_operand(op, 0), echo_op_operand(op, 1)});
  return true;
}

static bool split_real(Splitter *splitter, EchoBuilder *b, EchoOp *op)
{
  (void)b;
  echo_value_replace_all_uses(echo_op_result(op, 0),
                              is_complex(echo_op_operand_type(op, 0))
                                  ? parts(splitter, echo_op_operand(op, 0)).re
                                  : echo_op_operand(op, 0));
  return true;
}

static bool split_imag(Splitter *splitter, EchoBuilder *b, EchoOp *op)
{
  (void)b;
  echo_value_replace_all_uses(echo_op_result(op, 0), parts(splitter, echo_op_operand(op, 0)).im);
  return true;
}

static bool split_abs(Splitter *splitter, EchoBuilder *b, EchoOp *op)
{
  EchoComplex z = parts(splitter, echo_op_operand(op, 0));
  const EchoType *element = echo_type_element(z.re->type);
  EchoValue *length = echo_complex_length(b, converted(b, z, echo_type_f64(b->ctx)));
  echo_value_replace_all_uses(echo_op_result(op, 0), echo_hlo_convert(b, length, element));
  return true;
}

static bool split_compare(Splitter *splitter, EchoBuilder *b, EchoOp *op)
{
  EchoCompareDirection direction = echo_stablehlo_compare_direction(op);
  if (direction != ECHO_COMPARE_EQ && direction != ECHO_COMPARE_NE)
    return echo_op_error(op, "orders complex numbers");
  EchoComplex z = parts(splitter, echo_op_operand(op, 0));
  EchoComplex w = parts(splitter, echo_op_operand(op, 1));
  EchoValue *re = echo_hlo_compare(b, direction, z.re, w.re);
  EchoValue *im = echo_hlo_compare(b, direction, z.im, w.im);
  echo_value_replace_all_uses(echo_op_result(op, 0), direction == ECHO_COMPARE_EQ
                                                         ? echo_hlo_and(b, re, im)
                                                         : echo_hlo_or(b, re, im));
  return true;
}

/* The larger or smaller one in lexicographic order. */
static bool split_extreme(Splitter *splitter, EchoBuilder *b, EchoOp *op)
{
  EchoCompareDirection direction =
      echo_hlo_opcode(op) == ECHO_HLO_MAXIMUM ? ECHO_COMPARE_GT : ECHO_COMPARE_LT;
  EchoComplex z = parts(splitter, echo_op_operand(op, 0));
  EchoComplex w = parts(splitter, echo_op_operand(op, 1));
  EchoValue *is_first =
      echo_hlo_or(b, echo_hlo_compare(b, direction, z.re, w.re),
                  echo_hlo_and(b, echo_hlo_compare(b, ECHO_COMPARE_EQ, z.re, w.re),
                               echo_hlo_compare(b, direction, z.im, w.im)));
  set_parts(splitter, echo_op_result(op, 0),
            (EchoComplex){echo_hlo_select(b, is_first, z.re, w.re),
                          echo_hlo_select(b, is_first, z.im, w.im)});
  return true;
}

static bool split_convert(Splitter *splitter, EchoBuilder *b, EchoOp *op)
{
  EchoValue *x = echo_op_operand(op, 0), *result = echo_op_result(op, 0);
  if (!is_complex(result->type)) {
    echo_value_replace_all_uses(
        result, echo_hlo_convert(b, parts(splitter, x).re, echo_type_element(result->type)));
    return true;
  }
  const EchoType *element = echo_type_element(part_type(b->ctx, result->type));
  if (is_complex(x->type)) {
    set_parts(splitter, result, converted(b, parts(splitter, x), element));
    return true;
  }
  EchoValue *re = echo_hlo_convert(b, x, element);
  set_parts(splitter, result, (EchoComplex){re, echo_hlo_constant_like(b, re, 0)});
  return true;
}

static bool split_constant(Splitter *splitter, EchoBuilder *b, EchoOp *op)
{
  const EchoAttr *value = echo_op_attr_or_null(op, "value");
  if (value->kind != ECHO_ATTR_DENSE_ELEMENTS)
    return echo_op_error(op, "holds complex numbers that are not written down here");
  EchoTensor *whole = echo_tensor_from_elements(value);
  const EchoType *type = part_type(b->ctx, value->type);
  size_t bytes = echo_type_element_bytes(type);
  EchoValue *made[2];
  for (size_t part = 0; part < 2; part++) {
    EchoTensor *tensor = echo_tensor_create(type, false);
    for (int64_t i = 0; i < tensor->n_elements; i++)
      memcpy((char *)tensor->data + (size_t)i * bytes,
             (char *)whole->data + ((size_t)i * 2 + part) * bytes, bytes);
    made[part] = echo_hlo_constant(b, echo_tensor_to_elements(b->ctx, tensor));
    echo_tensor_destroy(tensor);
  }
  echo_tensor_destroy(whole);
  set_parts(splitter, echo_op_result(op, 0), (EchoComplex){made[0], made[1]});
  return true;
}

static bool split_iota(Splitter *splitter, EchoBuilder *b, EchoOp *op)
{
  const EchoType *type = part_type(b->ctx, echo_op_result_type(op, 0));
  EchoValue *re = echo_hlo_iota(b, type, echo_op_attr_i64(op, "iota_dimension", 0));
  set_parts(splitter, echo_op_result(op, 0), (EchoComplex){re, echo_hlo_constant_like(b, re, 0)});
  return true;
}

/* The bytes of a pair: a wide number's real part is one narrow number, its imaginary part another.
 */
static bool split_bitcast(Splitter *splitter, EchoBuilder *b, EchoOp *op)
{
  EchoValue *pair = echo_hlo_bitcast_convert(b, pair_of(b, parts(splitter, echo_op_operand(op, 0))),
                                             pair_type(b->ctx, echo_op_result_type(op, 0)));
  set_parts(splitter, echo_op_result(op, 0),
            (EchoComplex){part_of_pair(b, pair, 0), part_of_pair(b, pair, 1)});
  return true;
}

/* (a + bi)(c + di), part by part: a product of sums of products. */
static bool split_product(Splitter *splitter, EchoBuilder *b, EchoOp *op)
{
  EchoComplex z = parts(splitter, echo_op_operand(op, 0));
  EchoComplex w = parts(splitter, echo_op_operand(op, 1));
  EchoValue *pairs[4][2] = {{z.re, w.re}, {z.im, w.im}, {z.re, w.im}, {z.im, w.re}}, *p[4];
  for (size_t i = 0; i < 4; i++) {
    EchoOp *clone = echo_op_clone_without_regions(op, NULL);
    echo_op_set_operands(clone, pairs[i], 2);
    echo_value_set_type(echo_op_result(clone, 0), part_type(b->ctx, echo_op_result_type(op, 0)));
    echo_op_insert_before(clone, op);
    p[i] = echo_op_result(clone, 0);
  }
  set_parts(splitter, echo_op_result(op, 0),
            (EchoComplex){echo_hlo_subtract(b, p[0], p[1]), echo_hlo_add(b, p[2], p[3])});
  return true;
}

static bool split_fft(Splitter *splitter, EchoBuilder *b, EchoOp *op)
{
  EchoValue *x = echo_op_operand(op, 0);
  EchoComplex z =
      is_complex(x->type) ? parts(splitter, x) : (EchoComplex){x, echo_hlo_constant_like(b, x, 0)};
  z = echo_complex_fft(b, op, z);
  if (z.im != NULL)
    set_parts(splitter, echo_op_result(op, 0), z);
  else
    echo_value_replace_all_uses(echo_op_result(op, 0), z.re);
  return true;
}

/* ---- ops that treat all elements alike ---- */

static void expand_operands(const Splitter *splitter, const EchoOp *op, ValueList *values)
{
  for (uint32_t i = 0; i < op->n_operands; i++) {
    EchoValue *value = echo_op_operand(op, i);
    if (is_complex(value->type)) {
      EchoComplex z = parts(splitter, value);
      echo_vector_push(values, z.re);
      echo_vector_push(values, z.im);
    } else {
      echo_vector_push(values, value);
    }
  }
}

/* Two arguments that are compared, in a sort: real parts of both, then imaginary ones. */
static void split_compared(Splitter *splitter, EchoBlock *block, EchoValue *const *old, EchoLoc loc)
{
  const EchoType *type = part_type(splitter->ctx, old[0]->type);
  EchoValue *made[4];
  for (size_t i = 0; i < 4; i++)
    made[i] = echo_block_add_arg(splitter->ctx, block, type, loc);
  set_parts(splitter, old[0], (EchoComplex){made[0], made[2]});
  set_parts(splitter, old[1], (EchoComplex){made[1], made[3]});
}

static void split_block_args(Splitter *splitter, EchoBlock *block, EchoLoc loc)
{
  size_t n = block->n_args;
  EchoValue **old = echo_alloc_array(n + 1, sizeof *old);
  bool compares = echo_hlo_opcode(echo_block_parent(block)) == ECHO_HLO_SORT;
  for (size_t i = 0; i < n; i++)
    old[i] = echo_block_arg(block, i);
  for (size_t i = 0; i < n; i++) {
    if (!is_complex(old[i]->type)) {
      EchoValue *same = echo_block_add_arg(splitter->ctx, block, old[i]->type, loc);
      echo_value_replace_all_uses(old[i], same);
      continue;
    }
    if (compares && i + 1 < n) {
      split_compared(splitter, block, old + i++, loc);
      continue;
    }
    const EchoType *type = part_type(splitter->ctx, old[i]->type);
    EchoComplex z = {echo_block_add_arg(splitter->ctx, block, type, loc),
                     echo_block_add_arg(splitter->ctx, block, type, loc)};
    set_parts(splitter, old[i], z);
  }
  echo_free(old);
}

static bool has_complex_args(const EchoBlock *block)
{
  for (uint32_t i = 0; i < block->n_args; i++)
    if (is_complex(echo_block_arg(block, i)->type))
      return true;
  return false;
}

static void split_block(Splitter *splitter, EchoBlock *block);

/* With two operands, results and arguments of regions for each complex one. */
static bool split_in_one(Splitter *splitter, EchoBuilder *b, EchoOp *op)
{
  ValueList operands = {0};
  TypeList types = {0};
  expand_operands(splitter, op, &operands);
  for (uint32_t i = 0; i < op->n_results; i++) {
    const EchoType *type = echo_op_result_type(op, i);
    bool two = is_complex(type);
    type = two ? part_type(splitter->ctx, type) : type;
    echo_vector_push(&types, type);
    if (two)
      echo_vector_push(&types, type);
  }
  EchoOpState state = {.ctx = splitter->ctx,
                       .info = op->info,
                       .loc = op->loc,
                       .operands = operands.data,
                       .result_types = types.data,
                       .properties = op->properties,
                       .attrs = op->attrs,
                       .n_operands = (uint32_t)operands.size,
                       .n_results = (uint32_t)types.size,
                       .n_regions = op->n_regions};
  EchoOp *whole = echo_op_create(&state);
  echo_builder_insert(b, whole);
  for (uint32_t r = 0; r < op->n_regions; r++) {
    echo_region_take_blocks(&whole->regions[r], &op->regions[r]);
    EchoBlock *block = whole->regions[r].first;
    size_t n_args = block->n_args;
    bool is_split = has_complex_args(block);
    if (is_split)
      split_block_args(splitter, block, op->loc);
    split_block(splitter, block);
    for (size_t i = n_args; is_split && splitter->ok && i-- > 0;)
      echo_block_erase_arg(block, i);
  }
  for (uint32_t i = 0, k = 0; i < op->n_results; i++, k++) {
    EchoValue *old = echo_op_result(op, i);
    if (is_complex(old->type)) {
      set_parts(splitter, old,
                (EchoComplex){echo_op_result(whole, k), echo_op_result(whole, k + 1)});
      k++;
    } else {
      echo_value_replace_all_uses(old, echo_op_result(whole, k));
    }
  }
  echo_vector_destroy(&operands);
  echo_vector_destroy(&types);
  return splitter->ok;
}

/* What a function or a library takes and gives is pairs. */
static bool split_call(Splitter *splitter, EchoBuilder *b, EchoOp *op)
{
  ValueList operands = {0};
  TypeList types = {0};
  for (uint32_t i = 0; i < op->n_operands; i++) {
    EchoValue *value = echo_op_operand(op, i);
    echo_vector_push(&operands,
                     is_complex(value->type) ? pair_of(b, parts(splitter, value)) : value);
  }
  for (uint32_t i = 0; i < op->n_results; i++) {
    const EchoType *type = echo_op_result_type(op, i);
    echo_vector_push(&types, is_complex(type) ? pair_type(splitter->ctx, type) : type);
  }
  EchoOp *call = echo_op_create(&(EchoOpState){.ctx = splitter->ctx,
                                               .info = op->info,
                                               .loc = op->loc,
                                               .operands = operands.data,
                                               .result_types = types.data,
                                               .properties = op->properties,
                                               .attrs = op->attrs,
                                               .n_operands = (uint32_t)operands.size,
                                               .n_results = (uint32_t)types.size});
  echo_builder_insert(b, call);
  for (uint32_t i = 0; i < op->n_results; i++) {
    EchoValue *old = echo_op_result(op, i), *result = echo_op_result(call, i);
    if (is_complex(old->type))
      set_parts(splitter, old,
                (EchoComplex){part_of_pair(b, result, 0), part_of_pair(b, result, 1)});
    else
      echo_value_replace_all_uses(old, result);
  }
  echo_vector_destroy(&operands);
  echo_vector_destroy(&types);
  return true;
}

/* Types of everything complex inside are those of its parts. */
static void retype(Splitter *splitter, EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_results; i++)
    if (is_complex(echo_op_result_type(op, i)))
      echo_value_set_type(echo_op_result(op, i),
                          part_type(splitter->ctx, echo_op_result_type(op, i)));
  for (uint32_t r = 0; r < op->n_regions; r++)
    for (EchoBlock *block = op->regions[r].first; block != NULL; block = block->next) {
      for (uint32_t i = 0; i < block->n_args; i++)
        if (is_complex(echo_block_arg(block, i)->type))
          echo_value_set_type(echo_block_arg(block, i),
                              part_type(splitter->ctx, echo_block_arg(block, i)->type));
      for (EchoOp *inner = block->first; inner != NULL; inner = inner->next)
        retype(splitter, inner);
    }
}

/* Once for each part. */
static bool split_in_two(Splitter *splitter, EchoBuilder *b, EchoOp *op)
{
  EchoValue *made[2] = {NULL};
  for (size_t part = 0; part < 2; part++) {
    EchoOp *clone = echo_op_clone(op, NULL);
    for (uint32_t i = 0; i < clone->n_operands; i++)
      if (is_complex(echo_op_operand_type(op, i))) {
        EchoComplex z = parts(splitter, echo_op_operand(op, i));
        echo_op_set_operand(clone, i, part == 0 ? z.re : z.im);
      }
    retype(splitter, clone);
    echo_builder_insert(b, clone);
    made[part] = echo_op_result(clone, 0);
  }
  set_parts(splitter, echo_op_result(op, 0), (EchoComplex){made[0], made[1]});
  return true;
}

static bool takes_only_args(const EchoOp *op, const EchoBlock *body)
{
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const EchoValue *value = echo_op_operand(op, i);
    if (!value->is_block_arg || echo_value_block(value) != body)
      return false;
  }
  return true;
}

/* Bodies that a part goes through by itself: a sum of the two, or one of them. */
static bool is_linear(const EchoOp *op)
{
  const EchoBlock *body = op->regions[op->n_regions - 1].first;
  const EchoOp *first = body->first;
  if (op->n_results != 1 || op->n_regions != 1 || body->n_args != 2 ||
      !takes_only_args(first, body))
    return false;
  return first == body->last ||
         (first->next == body->last && echo_hlo_opcode(first) == ECHO_HLO_ADD);
}

/* ---- what each op is split by ---- */

typedef struct SplitRow {
  EchoHloOpcode opcode;
  bool (*split)(Splitter *splitter, EchoBuilder *b, EchoOp *op);
} SplitRow;

static const SplitRow ROWS[] = {
    {ECHO_HLO_COMPLEX, split_complex_op},  {ECHO_HLO_REAL, split_real},
    {ECHO_HLO_IMAG, split_imag},           {ECHO_HLO_ABS, split_abs},
    {ECHO_HLO_COMPARE, split_compare},     {ECHO_HLO_CONVERT, split_convert},
    {ECHO_HLO_MAXIMUM, split_extreme},     {ECHO_HLO_MINIMUM, split_extreme},
    {ECHO_HLO_CONSTANT, split_constant},   {ECHO_HLO_IOTA, split_iota},
    {ECHO_HLO_DOT, split_product},         {ECHO_HLO_DOT_GENERAL, split_product},
    {ECHO_HLO_CONVOLUTION, split_product}, {ECHO_HLO_FFT, split_fft},
    {ECHO_HLO_SELECT, split_in_two},       {ECHO_HLO_BITCAST_CONVERT, split_bitcast},
};

static bool split_by_kind(Splitter *splitter, EchoBuilder *b, EchoOp *op)
{
  for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++)
    if (ROWS[i].opcode == echo_hlo_opcode(op))
      return ROWS[i].split(splitter, b, op);
  const EchoComplexFunction *function = echo_complex_function_or_null(op);
  if (function != NULL)
    return split_function(splitter, b, op, function);
  if (echo_op_is(op, "func.call") || echo_kernel_is_invoke(op))
    return split_call(splitter, b, op);
  if (op->n_regions != 0)
    return is_linear(op) ? split_in_two(splitter, b, op) : split_in_one(splitter, b, op);
  if (echo_op_has_trait(op, ECHO_BARRIER))
    return split_in_one(splitter, b, op);
  if (echo_op_has_trait(op, ECHO_MOVEMENT) && op->n_results == 1)
    return split_in_two(splitter, b, op);
  return echo_op_error(op, "is not computed for complex numbers");
}

static bool touches_complex(const EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (is_complex(echo_op_operand_type(op, i)))
      return true;
  for (uint32_t i = 0; i < op->n_results; i++)
    if (is_complex(echo_op_result_type(op, i)))
      return true;
  return false;
}

static void split_terminator(Splitter *splitter, EchoOp *op)
{
  ValueList values = {0};
  expand_operands(splitter, op, &values);
  echo_op_set_operands(op, values.data, values.size);
  echo_vector_destroy(&values);
}

/* A function hands over pairs. */
static void split_returns(Splitter *splitter, EchoOp *end)
{
  EchoBuilder b = echo_builder_before(end);
  for (uint32_t i = 0; i < end->n_operands; i++)
    if (echo_map_has(&splitter->re, echo_key(echo_op_operand(end, i))))
      echo_op_set_operand(end, i, pair_of(&b, parts(splitter, echo_op_operand(end, i))));
}

/* What LAPACK computes is calls of it before anything is split. */
static bool call_libraries(EchoOp *function)
{
  bool ok = true;
  for (EchoOp *op = function, *next; op != NULL; op = next) {
    next = echo_op_walk_next(function, op);
    EchoHloOpcode opcode = echo_hlo_opcode(op);
    bool is_algebra = opcode == ECHO_HLO_CHOLESKY || opcode == ECHO_HLO_TRIANGULAR_SOLVE;
    char letter = 0;
    const EchoLapackRoutine *routine =
        opcode == ECHO_HLO_CUSTOM_CALL
            ? echo_lapack_routine_or_null(echo_op_attr_string(op, "call_target_name"), &letter)
            : NULL;
    if (!touches_complex(op) || (routine == NULL && !is_algebra))
      continue;
    bool lowered =
        is_algebra ? echo_lapack_lower_algebra(op) : echo_lapack_lower_call(op, routine, letter);
    if (lowered)
      echo_op_erase(op);
    ok &= lowered;
  }
  return ok;
}

static void split_block(Splitter *splitter, EchoBlock *block)
{
  ECHO_VECTOR(EchoOp *) done = {0};
  for (EchoOp *op = block->first, *next; op != NULL && splitter->ok; op = next) {
    next = op->next;
    if (!touches_complex(op)) {
      for (uint32_t r = 0; r < op->n_regions; r++)
        for (EchoBlock *inner = op->regions[r].first; inner != NULL; inner = inner->next)
          split_block(splitter, inner);
      continue;
    }
    if (echo_op_has_trait(op, ECHO_TERMINATOR)) {
      if (echo_op_is(op, "func.return"))
        split_returns(splitter, op);
      else
        split_terminator(splitter, op);
      continue;
    }
    EchoBuilder b = echo_builder_before(op);
    b.attrs = op->attrs != NULL && op->n_regions == 0 ? op->attrs : NULL;
    splitter->ok = split_by_kind(splitter, &b, op);
    splitter->n++;
    echo_vector_push(&done, op);
  }
  for (size_t i = done.size; splitter->ok && i-- > 0;)
    echo_op_erase(done.data[i]);
  echo_vector_destroy(&done);
}

/* ---- functions ---- */

static void split_signature(EchoContext *ctx, EchoOp *function)
{
  const EchoType *type = echo_op_attr_or_null(function, "function_type")->as.type_value;
  TypeList inputs = {0}, results = {0};
  for (uint32_t i = 0; i < type->as.function.n_inputs; i++) {
    const EchoType *one = type->as.function.inputs[i];
    echo_vector_push(&inputs, is_complex(one) ? pair_type(ctx, one) : one);
  }
  for (uint32_t i = 0; i < type->as.function.n_results; i++) {
    const EchoType *one = type->as.function.results[i];
    echo_vector_push(&results, is_complex(one) ? pair_type(ctx, one) : one);
  }
  echo_op_set_attr(function, "function_type",
                   echo_attr_type(ctx, echo_type_function(ctx, inputs.data, inputs.size,
                                                          results.data, results.size)));
  echo_vector_destroy(&inputs);
  echo_vector_destroy(&results);
}

/* Arguments come in pairs, whose parts are read at the top; the old ones, still there, are behind
 * no use but those of what is split. */
static void split_arguments(Splitter *splitter, EchoBlock *entry)
{
  size_t n = entry->n_args;
  EchoValue **old = echo_alloc_array(n + 1, sizeof *old);
  for (size_t i = 0; i < n; i++)
    old[i] = echo_block_arg(entry, i);
  for (size_t i = 0; i < n; i++) {
    bool two = is_complex(old[i]->type);
    EchoValue *argument = echo_block_add_arg(
        splitter->ctx, entry, two ? pair_type(splitter->ctx, old[i]->type) : old[i]->type,
        echo_value_loc(old[i]));
    if (!two) {
      echo_value_replace_all_uses(old[i], argument);
      continue;
    }
    EchoBuilder b = echo_builder_before(entry->first);
    EchoComplex z = {part_of_pair(&b, argument, 0), part_of_pair(&b, argument, 1)};
    set_parts(splitter, old[i], z);
  }
  echo_free(old);
}

/* Whether anything inside is complex: most functions hold nothing. */
static bool holds_complex(EchoOp *function)
{
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op)) {
    if (touches_complex(op))
      return true;
    for (uint32_t r = 0; r < op->n_regions; r++)
      if (op->regions[r].first != NULL && has_complex_args(op->regions[r].first))
        return true;
  }
  return false;
}

/* Static shapes, with room for one more dimension. */
static bool can_split(const EchoType *type)
{
  return !is_complex(type) ||
         (echo_type_has_static_shape(type) && echo_type_rank(type) < ECHO_MAX_RANK);
}

static bool refuse_shape(const EchoOp *op, const EchoType *type)
{
  return echo_op_error(op, "has complex numbers of type '%s'; they are computed for static shapes",
                       echo_type_text(echo_op_context(op), type));
}

static bool check_shapes(EchoOp *function)
{
  const EchoType *type = echo_op_attr_or_null(function, "function_type")->as.type_value;
  for (uint32_t i = 0; i < type->as.function.n_inputs; i++)
    if (!can_split(type->as.function.inputs[i]))
      return refuse_shape(function, type->as.function.inputs[i]);
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op))
    for (uint32_t i = 0; i < op->n_results; i++)
      if (!can_split(echo_op_result_type(op, i)))
        return refuse_shape(op, echo_op_result_type(op, i));
  return true;
}

static bool split_function_op(EchoPassRun *pass, EchoOp *function)
{
  if (!check_shapes(function))
    return false;
  if (echo_region_is_empty(&function->regions[0])) {
    split_signature(pass->ctx, function); /* as its callers see it */
    return true;
  }
  if (!holds_complex(function))
    return true;
  if (function->regions[0].first->next != NULL)
    return echo_op_error(function, "has control flow between blocks, and complex numbers");
  if (!call_libraries(function))
    return false;
  Splitter splitter = {.ctx = pass->ctx, .ok = true};
  EchoBlock *entry = function->regions[0].first;
  size_t n_args = entry->n_args;
  split_signature(pass->ctx, function);
  split_arguments(&splitter, entry);
  split_block(&splitter, entry);
  for (size_t i = n_args; splitter.ok && i-- > 0;)
    echo_block_erase_arg(entry, i);
  echo_map_destroy(&splitter.im);
  echo_map_destroy(&splitter.re);
  echo_pass_count(pass, "split", splitter.n);
  return splitter.ok;
}

static bool run(EchoPassRun *pass)
{
  bool ok = true;
  for (EchoOp *op = echo_op_body(pass->op, 0)->first; op != NULL; op = op->next)
    if (echo_op_is(op, "func.func"))
      ok &= split_function_op(pass, op);
  return ok;
}

static const EchoPassStatistic STATISTICS[] = {{"split", "ops of complex numbers"}, {NULL, NULL}};

const EchoPass ECHO_PASS_SPLIT_COMPLEX = {
    .name = "split-complex",
    .summary = "complex tensors become two real ones",
    .anchor = "builtin.module",
    .statistics = STATISTICS,
    .run = run,
};
