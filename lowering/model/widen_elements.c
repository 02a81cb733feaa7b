/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --widen-elements: integers of 2 and 4 bits, floats of 4, 6 and 8 bits and quantized numbers are
 * converted where they are computed with, and stay as narrow as they are where they are only kept
 * and moved: in arguments, results, branches, loops and slices. Bytes of arguments and results do
 * not change: tensor<4xf8E5M2> is tensor<4xui8>. In the bodies of reductions they are computed with
 * as converted, and rounded once behind. */
#include "base/vector.h"
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/attributes/tensor.h"
#include "ir/diagnostics.h"
#include "lowering/lowering.h"
#include "lowering/model/element_codec_t.h"

typedef struct Widener {
  EchoContext *ctx;
  EchoMap elements; /* value -> the element type that it had */
  uint64_t n;
} Widener;

/* ---- types ---- */

static bool is_narrow(const EchoType *type)
{
  return (echo_type_is_tensor(type) || type->kind == ECHO_TYPE_UNRANKED_TENSOR) &&
         echo_element_is_narrow(type->as.shaped.element);
}

static const EchoType *at_rest(EchoContext *ctx, const EchoType *type)
{
  return is_narrow(type)
             ? echo_type_with_element(ctx, type, echo_element_at_rest(ctx, type->as.shaped.element))
             : type;
}

static const EchoType *element_or_null(const Widener *w, EchoValue *value)
{
  return echo_map_get_ptr(&w->elements, value);
}

/* Remembers what it was. */
static void retype(Widener *w, EchoValue *value, bool to_computed)
{
  const EchoType *type = value->type;
  if (!is_narrow(type))
    return;
  const EchoType *element = type->as.shaped.element;
  const EchoType *wide = to_computed ? echo_element_computed_or_null(w->ctx, element)
                                     : echo_element_at_rest(w->ctx, element);
  echo_map_set_ptr(&w->elements, value, (void *)(uintptr_t)element);
  echo_value_set_type(value, echo_type_with_element(w->ctx, type, wide));
}

/* ---- constants ---- */

/* The same bytes. */
static void retype_constant(Widener *w, EchoOp *op)
{
  const EchoAttr *value = echo_op_attr_or_null(op, "value");
  const EchoType *type = at_rest(w->ctx, echo_op_result_type(op, 0));
  bool is_splat = value->as.elements.size_bytes == echo_type_element_bytes(value->type) &&
                  echo_type_static_n_elements(value->type) != 1;
  echo_op_set_attr(op, "value",
                   echo_attr_elements(w->ctx, type, value->as.elements.data,
                                      value->as.elements.size_bytes, is_splat));
  retype(w, echo_op_result(op, 0), false);
}

/* ---- ops ---- */

static EchoValue *computed(Widener *w, EchoBuilder *b, EchoValue *value)
{
  const EchoType *element = element_or_null(w, value);
  return element != NULL ? echo_element_decode(b, value, element) : value;
}

static EchoOp *copy_before(EchoOp *op)
{
  EchoBuilder b = echo_builder_before(op);
  return echo_builder_insert(&b, echo_op_clone(op, NULL));
}

/* Every narrow result of `copy`, which computes them, becomes a value at rest that stands for the
 * old op's. */
static void store_results(Widener *w, EchoOp *op, EchoOp *copy)
{
  EchoBuilder b = echo_builder_after(copy);
  for (uint32_t i = 0; i < op->n_results; ++i) {
    const EchoType *type = echo_op_result_type(op, i);
    EchoValue *value = echo_op_result(copy, i);
    if (is_narrow(type)) {
      const EchoType *element = type->as.shaped.element;
      echo_value_set_type(value, echo_type_with_element(
                                     w->ctx, type, echo_element_computed_or_null(w->ctx, element)));
      value = echo_element_encode(&b, value, element);
      echo_map_set_ptr(&w->elements, value, element);
    }
    echo_value_replace_all_uses(echo_op_result(op, i), value);
  }
}

/* What the op reads, and what its regions read of outside. */
static void decode_operands(Widener *w, EchoOp *copy)
{
  EchoBuilder b = echo_builder_before(copy);
  for (EchoOp *op = copy; op != NULL; op = echo_op_walk_next(copy, op))
    for (uint32_t i = 0; i < op->n_operands; ++i) {
      EchoValue *value = echo_op_operand(op, i);
      const EchoOp *owner = echo_block_parent(echo_value_block(value));
      if (owner == NULL || !echo_op_is_ancestor(copy, owner))
        echo_op_set_operand(op, i, computed(w, &b, value));
    }
}

/* Inside of a reduction all is computed; sums and products that leave an integer's range are cut
 * behind it, which is the same, and other ops at once. */
static void compute_inside(Widener *w, EchoRegion *region)
{
  for (EchoBlock *block = region->first; block != NULL; block = block->next) {
    for (uint32_t i = 0; i < block->n_args; ++i)
      retype(w, echo_block_arg(block, i), true);
    for (EchoOp *op = block->first, *next; op != NULL; op = next) {
      next = op->next;
      for (uint32_t r = 0; r < op->n_regions; ++r)
        compute_inside(w, &op->regions[r]);
      for (uint32_t i = 0; i < op->n_results; ++i) {
        EchoValue *result = echo_op_result(op, i);
        if (!is_narrow(result->type))
          continue;
        const EchoType *element = result->type->as.shaped.element;
        bool is_constant = echo_op_has_trait(op, ECHO_CONSTANT);
        if (!is_constant && echo_op_has_trait(op, ECHO_COMMUTATIVE)) {
          retype(w, result, true);
          continue;
        }
        EchoOp *copy = copy_before(op);
        EchoBuilder b = echo_builder_after(copy);
        EchoValue *value = echo_op_result(copy, i);
        if (is_constant)
          retype_constant(w, copy);
        else
          retype(w, value, true);
        value = is_constant ? value : echo_element_encode(&b, value, element);
        echo_value_replace_all_uses(result, echo_element_decode(&b, value, element));
        echo_op_erase(op);
        break;
      }
    }
  }
}

/* An op that computes: on what its narrow operands stand for. */
static void compute(Widener *w, EchoOp *op)
{
  EchoOp *copy = copy_before(op);
  decode_operands(w, copy);
  for (uint32_t r = 0; r < copy->n_regions; ++r)
    compute_inside(w, &copy->regions[r]);
  store_results(w, op, copy);
  echo_op_erase(op);
}

/* ---- conversions ---- */

/* Saturating, as a conversion to an integer is; NaN gives zero. */
static EchoValue *clamped_int(EchoBuilder *b, EchoValue *x, const EchoType *element)
{
  int64_t least, most;
  echo_element_int_range(element, &least, &most);
  const EchoType *wide = echo_element_computed_or_null(b->ctx, element);
  if (echo_type_element(x->type)->kind == ECHO_TYPE_FLOAT)
    x = echo_hlo_clamp(b, echo_hlo_constant_like(b, x, (double)least), x,
                       echo_hlo_constant_like(b, x, (double)most));
  return echo_hlo_convert(b, x, wide);
}

/* What an element of this type is encoded from: floats from f64 where f32 would round first. */
static EchoValue *encodable(EchoBuilder *b, EchoValue *x, const EchoType *element)
{
  const EchoType *from = echo_type_element(x->type);
  if (element->kind == ECHO_TYPE_INTEGER)
    return clamped_int(b, x, element);
  if (element->kind != ECHO_TYPE_FLOAT)
    return echo_hlo_convert(b, x, echo_element_computed_or_null(b->ctx, element));
  bool is_wide = from->kind == ECHO_TYPE_FLOAT ? echo_type_bit_width(from) > 32
                                               : echo_type_bit_width(from) > 16;
  return echo_hlo_convert(b, x, is_wide ? echo_type_f64(b->ctx) : echo_type_f32(b->ctx));
}

static void convert(Widener *w, EchoOp *op)
{
  EchoBuilder b = echo_builder_before(op);
  const EchoType *type = echo_op_result_type(op, 0);
  EchoValue *value = computed(w, &b, echo_op_operand(op, 0));
  if (is_narrow(type)) {
    const EchoType *element = type->as.shaped.element;
    value = echo_element_encode(&b, encodable(&b, value, element), element);
    echo_map_set_ptr(&w->elements, value, element);
  } else {
    value = echo_hlo_convert(&b, value, type->as.shaped.element);
  }
  echo_value_replace_all_uses(echo_op_result(op, 0), value);
  echo_op_erase(op);
}

/* ---- bits ---- */

static uint32_t stored_bits(const EchoType *element)
{
  return element->kind == ECHO_TYPE_OPAQUE ? 0 : echo_type_bit_width(element);
}

/* `value`'s elements, unsigned and of at most 64 bits, moved by `bits` more for each step along the
 * last dimension. */
static EchoValue *shifted(EchoBuilder *b, EchoValue *value, int64_t bits, bool is_left)
{
  EchoValue *steps = echo_hlo_iota(b, value->type, (int64_t)echo_type_rank(value->type) - 1);
  EchoValue *by = echo_hlo_multiply(b, steps, echo_hlo_constant_i64(b, value->type, bits));
  return is_left ? echo_hlo_shift_left(b, value, by) : echo_hlo_shift_right_logical(b, value, by);
}

/* Elements of `bits` bits side by side in the last dimension, the lowest first, as one. */
static EchoValue *packed(EchoBuilder *b, EchoValue *bytes, int64_t bits, const EchoType *type)
{
  const uint32_t width = echo_type_bit_width(type->as.shaped.element);
  const int64_t last = (int64_t)echo_type_rank(bytes->type) - 1;
  EchoValue *wide = echo_hlo_convert(b, bytes, echo_type_integer(b->ctx, width, ECHO_UNSIGNED));
  wide = echo_hlo_reduce_sum(b, shifted(b, wide, bits, true), &last, 1);
  return wide->type == type ? wide : echo_hlo_bitcast_convert(b, wide, type);
}

/* One as many of `bits` bits, which lie in bytes; `type` is the result's. */
static EchoValue *unpacked(EchoBuilder *b, EchoValue *value, int64_t bits, const EchoType *type)
{
  const EchoType *element = value->type->as.shaped.element;
  element = echo_type_integer(b->ctx, echo_type_bit_width(element), ECHO_UNSIGNED);
  const EchoType *each = echo_type_with_element(b->ctx, value->type, element);
  if (each != value->type)
    value = echo_hlo_bitcast_convert(b, value, each);
  int64_t dims[ECHO_MAX_RANK];
  const size_t rank = echo_type_rank(each);
  for (size_t i = 0; i < rank; i++)
    dims[i] = (int64_t)i;
  const EchoType *all = echo_type_with_element(b->ctx, type, element);
  value = shifted(b, echo_hlo_broadcast_in_dim(b, value, all, dims, rank), bits, false);
  value = echo_hlo_and(b, value, echo_hlo_constant_i64(b, all, (INT64_C(1) << bits) - 1));
  return echo_hlo_convert(b, value, echo_type_integer(b->ctx, 8, ECHO_UNSIGNED));
}

/* Whether the smaller of them is of less than a byte. */
static bool is_between_sizes(const EchoType *from, const EchoType *to)
{
  const uint32_t a = stored_bits(from), b = stored_bits(to);
  return a != b && (a < b ? a : b) % 8 != 0;
}

/* Numbers of 2 and 4 bits, and what an integer of 8 to 64 holds the bits of. */
static bool is_packable(const EchoType *element)
{
  const uint32_t bits = stored_bits(element);
  return (element->kind == ECHO_TYPE_INTEGER || element->kind == ECHO_TYPE_FLOAT) &&
         (bits == 2 || bits == 4 || (bits % 8 == 0 && bits != 0 && bits <= 64));
}

/* Between types of whole bytes and at rest. */
static bool bitcast(Widener *w, EchoOp *op)
{
  EchoValue *operand = echo_op_operand(op, 0);
  const EchoType *from = element_or_null(w, operand), *type = echo_op_result_type(op, 0);
  const EchoType *to = is_narrow(type) ? type->as.shaped.element : NULL;
  const EchoType *given = from != NULL ? from : operand->type->as.shaped.element;
  const EchoType *wanted = type->as.shaped.element;
  EchoBuilder b = echo_builder_before(op);
  EchoValue *value = operand;
  if (is_between_sizes(given, wanted)) {
    const uint32_t less = stored_bits(given), more = stored_bits(wanted);
    if (!is_packable(given) || !is_packable(wanted) || !echo_type_has_static_shape(type))
      return echo_op_error(op, "is not computed between '%s' and elements of another size",
                           echo_type_text(w->ctx, less < more ? given : wanted));
    value = less < more ? packed(&b, operand, less, at_rest(w->ctx, type))
                        : unpacked(&b, operand, more, at_rest(w->ctx, type));
  } else if (at_rest(w->ctx, type) != operand->type)
    value = echo_hlo_bitcast_convert(&b, operand, at_rest(w->ctx, type));
  else /* a value of its own, of another element */
    value = echo_op_result(echo_hlo_optimization_barrier(&b, &operand, 1), 0);
  if (to != NULL)
    echo_map_set_ptr(&w->elements, value, to);
  echo_value_replace_all_uses(echo_op_result(op, 0), value);
  echo_op_erase(op);
  return true;
}

/* Counts of bits, and a shift that fills with zeros: on the bits as they lie. */
static void compute_on_bits(Widener *w, EchoOp *op)
{
  EchoBuilder b = echo_builder_before(op);
  const EchoType *element = echo_op_result_type(op, 0)->as.shaped.element;
  EchoValue *x = echo_op_operand(op, 0);
  EchoValue *y = echo_hlo_opcode(op) == ECHO_HLO_POPCNT ? echo_hlo_popcnt(&b, x)
                 : op->n_operands == 2 ? echo_hlo_shift_right_logical(&b, x, echo_op_operand(op, 1))
                                       : echo_hlo_count_leading_zeros(&b, x);
  if (echo_hlo_opcode(op) == ECHO_HLO_COUNT_LEADING_ZEROS)
    y = echo_hlo_subtract(
        &b, y, echo_hlo_constant_i64(&b, y->type, 8 - (int64_t)element->as.integer.width));
  echo_map_set_ptr(&w->elements, y, element);
  echo_value_replace_all_uses(echo_op_result(op, 0), y);
  echo_op_erase(op);
}

/* ---- which is done how ---- */

static void widen_block(Widener *w, EchoBlock *block, bool *ok);

/* Values are handed on as they are. */
static void keep(Widener *w, EchoOp *op, bool *ok)
{
  for (uint32_t i = 0; i < op->n_results; ++i)
    retype(w, echo_op_result(op, i), false);
  for (uint32_t r = 0; r < op->n_regions; ++r)
    for (EchoBlock *block = op->regions[r].first; block != NULL; block = block->next)
      widen_block(w, block, ok);
}

static bool touches(const Widener *w, const EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (element_or_null(w, echo_op_operand(op, i)) != NULL)
      return true;
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (is_narrow(echo_op_result_type(op, i)))
      return true;
  return false;
}

static bool is_int(const EchoOp *op)
{
  return echo_op_result_type(op, 0)->as.shaped.element->kind == ECHO_TYPE_INTEGER;
}

static bool can_compute(const Widener *w, const EchoOp *op)
{
  bool ok = op->info->evaluate != NULL || echo_op_has_trait(op, ECHO_HEAVY);
  for (uint32_t i = 0; ok && i < op->n_results; ++i) {
    const EchoType *type = echo_op_result_type(op, i);
    ok = !is_narrow(type) || echo_element_computed_or_null(w->ctx, type->as.shaped.element) != NULL;
  }
  return ok ||
         echo_op_error(op, "is not computed for elements of this type: '%s'",
                       echo_type_text(w->ctx, op->n_results != 0 ? echo_op_result_type(op, 0)
                                                                 : echo_op_operand_type(op, 0)));
}

/* Numbers that a codec goes by are made as many as there are elements. */
static bool check_shapes(const EchoOp *op)
{
  const uint32_t n = op->n_operands + op->n_results;
  for (uint32_t i = 0; i < n; ++i) {
    const EchoType *type = i < op->n_operands ? echo_op_operand_type(op, i)
                                              : echo_op_result_type(op, i - op->n_operands);
    if (echo_type_is_tensor(type) && !echo_type_has_static_shape(type))
      return echo_op_error(op, "is not computed for '%s', whose shape is known only when it runs",
                           echo_type_text(echo_op_context(op), type));
  }
  return true;
}

static bool widen_op(Widener *w, EchoOp *op, bool *ok)
{
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_CONSTANT:
    retype_constant(w, op);
    return true;
  case ECHO_HLO_CONVERT:
  case ECHO_HLO_UNIFORM_QUANTIZE:
  case ECHO_HLO_UNIFORM_DEQUANTIZE:
    if (!check_shapes(op))
      return false;
    convert(w, op);
    return true;
  case ECHO_HLO_BITCAST_CONVERT:
    return bitcast(w, op);
  case ECHO_HLO_POPCNT:
  case ECHO_HLO_COUNT_LEADING_ZEROS:
  case ECHO_HLO_SHIFT_RIGHT_LOGICAL:
    if (is_int(op)) {
      if (!check_shapes(op))
        return false;
      compute_on_bits(w, op);
      return true;
    }
    break;
  case ECHO_HLO_CUSTOM_CALL:
  case ECHO_HLO_SELECT:
  case ECHO_HLO_WHILE:
  case ECHO_HLO_IF:
  case ECHO_HLO_CASE:
    keep(w, op, ok);
    return true;
  default:
    break;
  }
  if (echo_op_has_trait(op, ECHO_MOVEMENT) || echo_op_has_trait(op, ECHO_BARRIER) ||
      echo_op_has_trait(op, ECHO_TERMINATOR) || echo_op_is(op, "func.call") ||
      echo_kernel_is_invoke(op)) {
    keep(w, op, ok);
    return true;
  }
  if (!can_compute(w, op) || !check_shapes(op))
    return false;
  compute(w, op);
  return true;
}

static void widen_block(Widener *w, EchoBlock *block, bool *ok)
{
  for (uint32_t i = 0; i < block->n_args; ++i)
    retype(w, echo_block_arg(block, i), false);
  for (EchoOp *op = block->first, *next; op != NULL; op = next) {
    next = op->next;
    if (!touches(w, op)) {
      for (uint32_t r = 0; r < op->n_regions; ++r)
        for (EchoBlock *inner = op->regions[r].first; inner != NULL; inner = inner->next)
          widen_block(w, inner, ok);
      continue;
    }
    *ok &= widen_op(w, op, ok);
    w->n++;
  }
}

/* ---- functions ---- */

static const EchoType *rested_signature(EchoContext *ctx, const EchoType *type)
{
  ECHO_VECTOR(const EchoType *) all = {0};
  size_t n = type->as.function.n_inputs, n_results = type->as.function.n_results;
  for (size_t i = 0; i < n; ++i)
    echo_vector_push(&all, at_rest(ctx, type->as.function.inputs[i]));
  for (size_t i = 0; i < n_results; ++i)
    echo_vector_push(&all, at_rest(ctx, type->as.function.results[i]));
  const EchoType *rested = echo_type_function(ctx, all.data, n, all.data + n, n_results);
  echo_vector_destroy(&all);
  return rested;
}

static bool widen_function(EchoPassRun *pass, EchoOp *function)
{
  Widener w = {.ctx = pass->ctx};
  bool ok = true;
  const EchoType *type = echo_op_attr_or_null(function, "function_type")->as.type_value;
  const EchoType *rested = rested_signature(pass->ctx, type);
  if (rested != type)
    echo_op_set_attr(function, "function_type", echo_attr_type(pass->ctx, rested));
  for (EchoBlock *block = function->regions[0].first; block != NULL; block = block->next)
    widen_block(&w, block, &ok);
  echo_map_destroy(&w.elements);
  echo_pass_count(pass, "widened", w.n);
  pass->keeps_all &= w.n == 0 && rested == type;
  return ok;
}

static bool run(EchoPassRun *pass)
{
  bool ok = true;
  pass->keeps_all = true;
  for (EchoOp *op = echo_op_body(pass->op, 0)->first; op != NULL; op = op->next)
    if (echo_op_is(op, "func.func"))
      ok &= widen_function(pass, op);
  return ok;
}

static const EchoPassStatistic STATISTICS[] = {{"widened", "ops of narrow or quantized elements"},
                                               {NULL, NULL}};

const EchoPass ECHO_PASS_WIDEN_ELEMENTS = {
    .name = "widen-elements",
    .summary = "elements that nothing computes in are converted where they are computed with",
    .anchor = "builtin.module",
    .statistics = STATISTICS,
    .run = run,
};
