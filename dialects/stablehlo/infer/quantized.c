/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the specification asks of quantized element types, beside each other in one op. Each check
 * holds at once where none of the types is quantized. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/infer/infer_t.h"
#include "ir/diagnostics.h"

enum { MAX_TYPES = 3 };

/* Element types of an op; is[i]: type i is quantized, and read. */
typedef struct Elements {
  const EchoType *types[MAX_TYPES];
  EchoQuantized read[MAX_TYPES];
  bool is[MAX_TYPES];
  size_t n, n_quantized;
} Elements;

static void add_element(Elements *elements, const EchoType *type)
{
  size_t i = elements->n++;
  elements->types[i] = echo_type_is_shaped(type) ? type->as.shaped.element : type;
  elements->is[i] = echo_quantized_read(elements->types[i], &elements->read[i]);
  elements->n_quantized += elements->is[i];
}

static void destroy(Elements *elements)
{
  for (size_t i = 0; i < elements->n; ++i)
    if (elements->is[i])
      echo_quantized_destroy(&elements->read[i]);
}

static bool any_quantized(const EchoOp *op, size_t n_operands)
{
  bool any = echo_hlo_is_quantized(echo_op_result_type(op, 0)->as.shaped.element);
  for (size_t i = 0; !any && i < n_operands; ++i)
    any = echo_hlo_is_quantized(echo_op_operand_type(op, i)->as.shaped.element);
  return any;
}

static bool same_storage(const EchoQuantized *a, const EchoQuantized *b)
{
  return a->storage_bits == b->storage_bits && a->is_unsigned == b->is_unsigned;
}

static bool same_parameters(const EchoQuantized *a, const EchoQuantized *b)
{
  bool same = a->n_scales == b->n_scales;
  for (size_t i = 0; same && i < a->n_scales; ++i)
    same = a->scales[i] == b->scales[i] && a->zero_points[i] == b->zero_points[i];
  return same;
}

static bool is_per_axis(const EchoQuantized *q)
{
  return q->axis >= 0;
}

/* ---- elementwise ---- */

static bool check_all_quantized(const EchoOp *op, const Elements *e)
{
  if (e->n_quantized != e->n)
    return echo_op_error(op, "expects all operands and results to be either quantized or not");
  for (size_t i = 1; i < e->n; ++i)
    if (!same_storage(&e->read[0], &e->read[i]))
      return echo_op_error(op, "mismatched operands and result quantization storage types");
  for (size_t i = 1; i < e->n; ++i)
    if (e->read[0].expressed != e->read[i].expressed)
      return echo_op_error(op, "mismatched operands and result quantization expressed types");
  return true;
}

/* The result, last, is quantized along a dimension where an operand is, and along the same. */
static bool check_granularity(const EchoOp *op, const Elements *e)
{
  const EchoQuantized *result = &e->read[e->n - 1];
  bool any = false;
  for (size_t i = 0; i + 1 < e->n; ++i) {
    any = any || is_per_axis(&e->read[i]);
    if (is_per_axis(&e->read[i]) && !is_per_axis(result))
      return echo_op_error(op, "result is not per_axis quantized but operand %zu is", i);
    if (is_per_axis(&e->read[i]) && e->read[i].axis != result->axis)
      return echo_op_error(op, "quantization dimensions of operand %zu and result are not the same",
                           i);
  }
  return any || !is_per_axis(result) ||
         echo_op_error(op, "result is per_axis quantized but no operand is");
}

bool echo_hlo_verify_quantized(const EchoOp *op)
{
  if (op->n_operands >= MAX_TYPES || !any_quantized(op, op->n_operands))
    return true;
  Elements elements = {.n = 0};
  for (size_t i = 0; i < op->n_operands; ++i)
    add_element(&elements, echo_op_operand_type(op, i));
  add_element(&elements, echo_op_result_type(op, 0));
  bool ok = check_all_quantized(op, &elements) && check_granularity(op, &elements);
  destroy(&elements);
  return ok;
}

/* ---- conversions ---- */

/* What a type expresses, or is. */
static bool expresses(const Elements *e, size_t i, EchoFloatKind kind)
{
  if (e->is[i])
    return e->read[i].expressed == kind;
  return e->types[i]->kind == ECHO_TYPE_FLOAT && e->types[i]->as.float_kind == kind;
}

bool echo_hlo_verify_quantize(const EchoOp *op)
{
  Elements e = {.n = 0};
  add_element(&e, echo_op_operand_type(op, 0));
  add_element(&e, echo_op_result_type(op, 0));
  bool ok = echo_hlo_verify_same_shape(op);
  size_t quantized = e.is[1] ? 1 : 0; /* dequantize: the operand */
  if (ok && e.is[quantized] && !expresses(&e, 1 - quantized, e.read[quantized].expressed))
    ok = echo_op_error(op, "operand and result do not express the same type: '%s' and '%s'",
                       echo_type_text(echo_op_context(op), e.types[0]),
                       echo_type_text(echo_op_context(op), e.types[1]));
  destroy(&e);
  return ok;
}

/* Its value is what is stored. */
bool echo_hlo_verify_constant(const EchoOp *op)
{
  EchoQuantized q;
  const EchoType *result = echo_op_result_type(op, 0)->as.shaped.element;
  const EchoAttr *value = echo_op_attr_or_null(op, "value");
  if (!echo_quantized_read(result, &q))
    return true;
  const EchoType *element = value->type->as.shaped.element;
  bool ok = echo_is_quantized(element) ||
            (echo_type_is_integer(element, q.storage_bits) &&
             (element->as.integer.signedness == ECHO_UNSIGNED) == q.is_unsigned);
  echo_quantized_destroy(&q);
  return ok || echo_op_error(op, "value of type '%s' is not what '%s' stores",
                             echo_type_text(echo_op_context(op), value->type),
                             echo_type_text(echo_op_context(op), echo_op_result_type(op, 0)));
}

/* ---- movement ---- */

static bool check_same_parameters(const EchoOp *op, const Elements *e)
{
  const EchoQuantized *from = &e->read[0], *to = &e->read[1];
  if (!is_per_axis(from) && !is_per_axis(to))
    return (same_storage(from, to) && from->min == to->min && from->max == to->max &&
            from->expressed == to->expressed && same_parameters(from, to)) ||
           echo_op_error(op, "expects the same quantization scale and zero point of operand and "
                             "result");
  if (is_per_axis(from) && is_per_axis(to))
    return same_parameters(from, to) ||
           echo_op_error(op, "expects the same quantization scales and zero points of operand and "
                             "result");
  return echo_op_error(op, "operand and result are not both quantized along a dimension");
}

static int64_t product_before(const EchoType *type, int64_t axis)
{
  int64_t product = 1;
  for (size_t i = 0; i < (size_t)axis && i < echo_type_rank(type); ++i)
    if (__builtin_mul_overflow(product, echo_type_dim(type, i), &product))
      return -1;
  return product;
}

static bool check_reshaped_axis(const EchoOp *op, const Elements *e)
{
  const EchoType *from = echo_op_operand_type(op, 0), *to = echo_op_result_type(op, 0);
  int64_t from_axis = e->read[0].axis, to_axis = e->read[1].axis;
  if (!is_per_axis(&e->read[0]) || from_axis >= (int64_t)echo_type_rank(from) ||
      to_axis >= (int64_t)echo_type_rank(to))
    return true;
  if (!echo_hlo_dims_agree(echo_type_dim(from, (size_t)from_axis),
                           echo_type_dim(to, (size_t)to_axis)))
    return echo_op_error(op, "expects the same size of the quantization dimension of operand and "
                             "result");
  return !echo_type_has_static_shape(from) || !echo_type_has_static_shape(to) ||
         product_before(from, from_axis) == product_before(to, to_axis) ||
         echo_op_error(op, "product of dimensions before the quantization dimension differs in "
                           "operand and result");
}

bool echo_hlo_check_quantized_reshape(const EchoOp *op)
{
  if (!any_quantized(op, 1))
    return true;
  Elements e = {.n = 0};
  add_element(&e, echo_op_operand_type(op, 0));
  add_element(&e, echo_op_result_type(op, 0));
  bool ok = e.n_quantized != 2 || (check_same_parameters(op, &e) && check_reshaped_axis(op, &e));
  destroy(&e);
  return ok;
}

bool echo_hlo_verify_transpose(const EchoOp *op)
{
  EchoDimList permutation = echo_stablehlo_dims(op, "permutation");
  if (!any_quantized(op, 1))
    return true;
  Elements e = {.n = 0};
  add_element(&e, echo_op_operand_type(op, 0));
  add_element(&e, echo_op_result_type(op, 0));
  bool ok = e.n_quantized != 2 || check_same_parameters(op, &e);
  int64_t to = e.is[1] ? e.read[1].axis : -1;
  if (ok && e.n_quantized == 2 && to >= 0 && to < (int64_t)permutation.size &&
      permutation.dims[to] != e.read[0].axis)
    ok = echo_op_error(op, "operand quantization_dimension %lld is not permutation[%lld] = %lld",
                       (long long)e.read[0].axis, (long long)to, (long long)permutation.dims[to]);
  destroy(&e);
  return ok;
}

/* An operand of one slice gives each slice of the result its scale. */
static bool check_repeated(const EchoOp *op, const EchoQuantized *from, const EchoQuantized *to)
{
  for (size_t i = 0; i < to->n_scales; ++i)
    if (to->scales[i] != from->scales[0] || to->zero_points[i] != from->zero_points[0])
      return echo_op_error(op,
                           "scale and zero point %zu of the result, %e and %lld, are not those "
                           "of the operand",
                           i, to->scales[i], (long long)to->zero_points[i]);
  return true;
}

static bool check_broadcast_axis(const EchoOp *op, const Elements *e, EchoDimList map)
{
  const EchoQuantized *from = &e->read[0], *to = &e->read[1];
  if (!is_per_axis(from) || !is_per_axis(to))
    return check_same_parameters(op, e);
  if ((uint64_t)from->axis >= map.size)
    return true; /* not a valid type of its tensor: the row's constraints say so */
  if (to->axis != map.dims[from->axis])
    return echo_op_error(op,
                         "result quantization_dimension %lld is not broadcast_dimensions[%lld] "
                         "= %lld",
                         (long long)to->axis, (long long)from->axis,
                         (long long)map.dims[from->axis]);
  if (from->n_scales == 1)
    return check_repeated(op, from, to);
  return check_same_parameters(op, e);
}

bool echo_hlo_check_quantized_broadcast(const EchoOp *op, EchoDimList map)
{
  if (!any_quantized(op, 1))
    return true;
  Elements e = {.n = 0};
  add_element(&e, echo_op_operand_type(op, 0));
  add_element(&e, echo_op_result_type(op, 0));
  bool ok = e.n_quantized != 2 || check_broadcast_axis(op, &e, map);
  destroy(&e);
  return ok;
}

/* ---- contractions: types 0 and 1 are operands, 2 the result ---- */

static bool check_hybrid(const EchoOp *op, const Elements *e)
{
  return (expresses(e, 0, e->read[1].expressed) && e->types[0] == e->types[2]) ||
         echo_op_error(op, "mismatched rhs quantization expressed type and lhs and result element "
                           "type");
}

static bool check_contracted(const EchoOp *op, const Elements *e)
{
  const EchoQuantized *lhs = &e->read[0], *rhs = &e->read[1], *result = &e->read[2];
  if (!e->is[1] || e->is[0] != e->is[2])
    return echo_op_error(op, "rhs should be quantized for quantized operations and "
                             "is_quantized(lhs)=is_quantized(result) should hold");
  if (!e->is[0])
    return check_hybrid(op, e);
  if (!same_storage(lhs, rhs))
    return echo_op_error(op, "mismatched lhs and rhs quantization storage types");
  if (lhs->expressed != rhs->expressed || lhs->expressed != result->expressed)
    return echo_op_error(op, "mismatched lhs, rhs and result quantization expressed types");
  return is_per_axis(rhs) || !is_per_axis(result) ||
         echo_op_error(op, "mismatched rhs and result quantization granularity");
}

static bool check_dot(const EchoOp *op, const EchoQuantized *rhs, EchoDimList contracting)
{
  for (size_t i = 0; i < rhs->n_scales; ++i)
    if (rhs->zero_points[i] != 0)
      return echo_op_error(op, "zero points of rhs should be 0");
  for (size_t i = 0; i < contracting.size; ++i)
    if (is_per_axis(rhs) && rhs->axis == contracting.dims[i])
      return echo_op_error(op, "quantization dimension of rhs should not be contracted");
  return true;
}

static bool check_convolution(const EchoOp *op, const Elements *e, const EchoConvDims *dims)
{
  if (e->is[1] && is_per_axis(&e->read[1]) && e->read[1].axis != dims->kernel_output_feature)
    return echo_op_error(op, "quantization dimension of rhs should be kernel_output_feature");
  return !e->is[2] || !is_per_axis(&e->read[2]) || e->read[2].axis == dims->output_feature ||
         echo_op_error(op, "quantization dimension of result should be output_feature");
}

bool echo_hlo_check_quantized_contraction(const EchoOp *op, const EchoConvDims *conv,
                                          EchoDimList contracting)
{
  if (!any_quantized(op, 2))
    return true;
  Elements e = {.n = 0};
  add_element(&e, echo_op_operand_type(op, 0));
  add_element(&e, echo_op_operand_type(op, 1));
  add_element(&e, echo_op_result_type(op, 0));
  bool ok = conv != NULL ? check_convolution(op, &e, conv)
                         : !e.is[1] || check_dot(op, &e.read[1], contracting);
  ok = ok && check_contracted(op, &e);
  destroy(&e);
  return ok;
}
