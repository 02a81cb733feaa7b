/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the infer and verify hooks share: errors, attributes of a state, comparing types, windows,
 * reducers. */
#include "dialects/stablehlo/infer/shape_t.h"

#include <stdarg.h>

#include "base/vector.h"
#include "ir/table/dialect.h"

bool echo_hlo_error(const EchoOpState *state, const char *format, ...)
{
  EchoBuffer text = {0};
  va_list arguments;
  va_start(arguments, format);
  echo_buffer_vprintf(&text, format, arguments);
  va_end(arguments);
  echo_error(state->ctx, state->loc, "'%s' op %s", state->info->name, echo_buffer_c_str(&text));
  echo_buffer_destroy(&text);
  return false;
}

EchoOpState echo_hlo_state_of(const EchoOp *op, EchoValue ***operands)
{
  *operands = op->n_operands != 0 ? echo_alloc_array(op->n_operands, sizeof **operands) : NULL;
  for (size_t i = 0; i < op->n_operands; ++i)
    (*operands)[i] = echo_op_operand(op, i);
  return (EchoOpState){.ctx = echo_op_context(op),
                       .info = op->info,
                       .loc = op->loc,
                       .operands = *operands,
                       .properties = op->properties,
                       .attrs = op->attrs,
                       .n_operands = op->n_operands,
                       .n_results = op->n_results,
                       .n_regions = op->n_regions};
}

const EchoAttr *echo_hlo_state_attr_or_null(const EchoOpState *state, const char *name)
{
  const EchoAttr *attr = NULL;
  if (state->properties != NULL)
    attr = echo_dictionary_get_or_null(state->properties, name);
  if (attr == NULL && state->attrs != NULL)
    attr = echo_dictionary_get_or_null(state->attrs, name);
  return attr;
}

/* array<i64: …> or dense<…> : tensor<nxi64>. */
static bool is_i64_list(const EchoAttr *attr)
{
  if (attr->kind == ECHO_ATTR_DENSE_ARRAY)
    return echo_type_is_integer(attr->as.dense_array.element, 64);
  return attr->kind == ECHO_ATTR_DENSE_ELEMENTS && attr->type->kind == ECHO_TYPE_TENSOR &&
         echo_type_rank(attr->type) == 1 && echo_type_is_integer(attr->type->as.shaped.element, 64);
}

EchoDimList echo_hlo_state_dims(const EchoOpState *state, const char *name)
{
  const EchoAttr *attr = echo_hlo_state_attr_or_null(state, name);
  return attr != NULL && is_i64_list(attr) ? echo_hlo_dim_list(state->ctx, attr)
                                           : (EchoDimList){NULL, 0};
}

int64_t echo_hlo_state_i64(const EchoOpState *state, const char *name, int64_t otherwise)
{
  const EchoAttr *attr = echo_hlo_state_attr_or_null(state, name);
  return attr != NULL && attr->kind == ECHO_ATTR_INTEGER ? attr->as.integer.value : otherwise;
}

const EchoHloPayload *echo_hlo_state_payload_or_null(const EchoOpState *state, const char *name,
                                                     EchoHloAttrKind kind)
{
  const EchoHloPayload *payload =
      echo_hlo_payload_or_null(echo_hlo_state_attr_or_null(state, name), kind);
  if (payload == NULL)
    echo_hlo_error(state, "requires attribute '%s'", name);
  return payload;
}

const EchoType *echo_hlo_state_tensor_or_null(const EchoOpState *state, size_t operand)
{
  if (operand >= state->n_operands) {
    echo_hlo_error(state, "expects more than %u operands", state->n_operands);
    return NULL;
  }
  const EchoType *type = echo_hlo_state_type(state, operand);
  if (echo_type_is_tensor(type))
    return type;
  echo_hlo_error(state, "operand #%zu must be a ranked tensor, but got '%s'", operand,
                 echo_type_text(state->ctx, type));
  return NULL;
}

/* ---- types ---- */

bool echo_hlo_shapes_agree(const EchoType *a, const EchoType *b)
{
  if (a == b)
    return true;
  if (a->kind == ECHO_TYPE_UNRANKED_TENSOR || b->kind == ECHO_TYPE_UNRANKED_TENSOR)
    return echo_type_is_shaped(a) && echo_type_is_shaped(b);
  if (!echo_type_is_tensor(a) || !echo_type_is_tensor(b) || echo_type_rank(a) != echo_type_rank(b))
    return false;
  for (size_t i = 0; i < echo_type_rank(a); ++i)
    if (!echo_hlo_dims_agree(echo_type_dim(a, i), echo_type_dim(b, i)))
      return false;
  return true;
}

/* Quantized types are kept as text here, so two of them agree whatever their parameters are. */
static bool scalars_agree(const EchoType *a, const EchoType *b)
{
  return a == b || echo_hlo_is_quantized(a) || echo_hlo_is_quantized(b);
}

bool echo_hlo_elements_agree(const EchoType *a, const EchoType *b)
{
  if (!echo_type_is_shaped(a) || !echo_type_is_shaped(b))
    return a == b;
  return scalars_agree(a->as.shaped.element, b->as.shaped.element);
}

static bool tuples_agree(const EchoType *a, const EchoType *b)
{
  if (a->as.tuple.n_elements != b->as.tuple.n_elements)
    return false;
  for (size_t i = 0; i < a->as.tuple.n_elements; ++i)
    if (!echo_hlo_types_agree(a->as.tuple.elements[i], b->as.tuple.elements[i]))
      return false;
  return true;
}

bool echo_hlo_types_agree(const EchoType *a, const EchoType *b)
{
  if (a == b)
    return true;
  if (a->kind == ECHO_TYPE_TUPLE && b->kind == ECHO_TYPE_TUPLE)
    return tuples_agree(a, b);
  return echo_hlo_shapes_agree(a, b) && echo_hlo_elements_agree(a, b);
}

const EchoType *echo_hlo_real_element(const EchoType *element)
{
  return element->kind == ECHO_TYPE_COMPLEX ? element->as.shaped.element : element;
}

/* ---- lists of dimensions ---- */

bool echo_hlo_check_dims(const EchoOpState *state, EchoDimList dims, int64_t rank, const char *what)
{
  uint64_t seen = 0;
  for (size_t i = 0; i < dims.size; ++i) {
    int64_t dim = dims.dims[i];
    if (dim < 0 || dim >= rank)
      return echo_hlo_error(state, "%s has dimension %lld, out of range [0, %lld)", what,
                            (long long)dim, (long long)rank);
    if ((seen >> dim & 1) != 0)
      return echo_hlo_error(state, "%s has dimension %lld more than once", what, (long long)dim);
    seen |= UINT64_C(1) << dim;
  }
  return true;
}

bool echo_hlo_check_ascending(const EchoOpState *state, EchoDimList dims, const char *what)
{
  for (size_t i = 1; i < dims.size; ++i)
    if (dims.dims[i - 1] > dims.dims[i])
      return echo_hlo_error(state, "%s is not sorted", what);
  return true;
}

bool echo_hlo_check_size(const EchoOpState *state, size_t size, size_t wanted, const char *what)
{
  return size == wanted ||
         echo_hlo_error(state, "%s has %zu entries, expected %zu", what, size, wanted);
}

/* ---- windows ---- */

/* Entry i of an optional list that must have n entries and be positive. */
static bool positive_entries(const EchoOpState *state, const char *name, size_t n,
                             EchoDimList *list)
{
  *list = name != NULL ? echo_hlo_state_dims(state, name) : (EchoDimList){NULL, 0};
  if (name == NULL || echo_hlo_state_attr_or_null(state, name) == NULL)
    return true;
  if (!echo_hlo_check_size(state, list->size, n, name))
    return false;
  for (size_t i = 0; i < n; ++i)
    if (list->dims[i] <= 0)
      return echo_hlo_error(state, "%s must be positive, got %lld", name, (long long)list->dims[i]);
  return true;
}

static bool window_padding(const EchoOpState *state, EchoWindowDim *windows, size_t n)
{
  const EchoAttr *padding = echo_hlo_state_attr_or_null(state, "padding");
  if (padding == NULL)
    return true;
  const EchoType *type = padding->type;
  if (padding->kind != ECHO_ATTR_DENSE_ELEMENTS || !echo_type_is_tensor(type) ||
      echo_type_rank(type) != 2 || echo_type_dim(type, 1) != 2 ||
      echo_type_dim(type, 0) != (int64_t)n)
    return echo_hlo_error(state, "expects padding of type tensor<%zux2xi64>", n);
  for (size_t i = 0; i < n; ++i) {
    windows[i].padding_low = echo_elements_i64(padding, 2 * i);
    windows[i].padding_high = echo_elements_i64(padding, 2 * i + 1);
  }
  return true;
}

bool echo_hlo_state_windows(const EchoOpState *state, EchoDimList sizes,
                            const EchoHloWindowNames *names, EchoWindowDim *windows)
{
  EchoDimList strides, base, window;
  size_t n = sizes.size;
  if (!positive_entries(state, names->strides, n, &strides) ||
      !positive_entries(state, names->base_dilations, n, &base) ||
      !positive_entries(state, names->window_dilations, n, &window))
    return false;
  const EchoAttr *reversal =
      names->reversal != NULL ? echo_hlo_state_attr_or_null(state, names->reversal) : NULL;
  if (reversal != NULL &&
      !echo_hlo_check_size(state, echo_attr_ints_size(reversal), n, names->reversal))
    return false;
  for (size_t i = 0; i < n; ++i) {
    if (sizes.dims[i] != ECHO_DYNAMIC && sizes.dims[i] <= 0)
      return echo_hlo_error(state, "window dimension %zu must be positive, got %lld", i,
                            (long long)sizes.dims[i]);
    windows[i] =
        (EchoWindowDim){.size = sizes.dims[i],
                        .stride = strides.size != 0 ? strides.dims[i] : 1,
                        .base_dilation = base.size != 0 ? base.dims[i] : 1,
                        .window_dilation = window.size != 0 ? window.dims[i] : 1,
                        .reversed = reversal != NULL && echo_attr_ints_get(reversal, i) != 0};
  }
  return window_padding(state, windows, n);
}

bool echo_hlo_window_dim(const EchoOpState *state, const EchoWindowDim *window, int64_t base,
                         int64_t *dim)
{
  *dim = ECHO_DYNAMIC;
  if (base == ECHO_DYNAMIC || window->size == ECHO_DYNAMIC)
    return true;
  *dim = echo_stablehlo_window_output(window, base);
  return *dim >= 0 || echo_hlo_error(state, "the size of a windowed dimension overflows");
}

bool echo_hlo_state_tensor_pair(const EchoOpState *state, const EchoType **lhs,
                                const EchoType **rhs)
{
  *lhs = echo_hlo_state_tensor_or_null(state, 0);
  *rhs = *lhs != NULL ? echo_hlo_state_tensor_or_null(state, 1) : NULL;
  return *rhs != NULL;
}

bool echo_hlo_infer_one(const EchoType **types, size_t *n_types, const EchoType *type)
{
  types[0] = type;
  *n_types = 1;
  return true;
}

bool echo_hlo_infer_shape(const EchoOpState *state, const EchoType *operand, const int64_t *dims,
                          size_t rank, const EchoType **types, size_t *n_types)
{
  return echo_hlo_infer_one(types, n_types,
                            echo_hlo_make_tensor(state, dims, rank, operand->as.shaped.element));
}

const EchoType *echo_hlo_make_tensor(const EchoOpState *state, const int64_t *dims, size_t rank,
                                     const EchoType *element)
{
  return echo_type_tensor(state->ctx, dims, rank, element, NULL);
}

/* ---- regions ---- */

const EchoOp *echo_hlo_terminator_or_null(const EchoRegion *region)
{
  return region->first != NULL && region->first->next == NULL
             ? echo_block_terminator_or_null(region->first)
             : NULL;
}

/* Of quantized types, what they store to what is wider, and expresses the same. */
static bool is_quantized_promotable(const EchoType *from, const EchoType *to)
{
  EchoQuantized narrow, wide;
  if (!echo_quantized_read(from, &narrow))
    return false;
  bool ok = echo_quantized_read(to, &wide);
  if (ok) {
    ok = narrow.expressed == wide.expressed && narrow.storage_bits <= wide.storage_bits;
    echo_quantized_destroy(&wide);
  }
  echo_quantized_destroy(&narrow);
  return ok;
}

/* Floats to wider floats, integers to wider ones of the same sign, complex likewise. */
static bool is_promotable(const EchoType *from, const EchoType *to)
{
  if (from == to)
    return true;
  if (echo_hlo_is_quantized(from) || echo_hlo_is_quantized(to))
    return is_quantized_promotable(from, to);
  if (from->kind != to->kind || echo_type_bit_width(from) > echo_type_bit_width(to))
    return false;
  return from->kind != ECHO_TYPE_INTEGER ||
         from->as.integer.signedness == to->as.integer.signedness;
}

/* Arguments, results and initial values of a reducer are scalars, or tensors of some of the
 * dimensions that stay. */
static bool fits_reducer(const EchoType *type, const EchoType *init, EchoDimList kept)
{
  if (!echo_type_is_tensor(type) || !echo_hlo_shapes_agree(type, init))
    return false;
  size_t d = 0;
  for (size_t k = 0; k < kept.size && d < echo_type_rank(type); ++k)
    d += echo_hlo_dims_agree(echo_type_dim(type, d), kept.dims[k]);
  return d == echo_type_rank(type);
}

static bool check_reducer_group(const EchoOpState *state, size_t i, const EchoType *const types[3],
                                const EchoType *input, const EchoType *init, EchoDimList kept)
{
  const EchoType *result = types[2];
  for (size_t k = 0; k < 3; ++k)
    if (!fits_reducer(types[k], init, kept))
      return echo_hlo_error(
          state, "shape of '%s' in the reduction region does not fit initial value %zu, '%s'",
          echo_type_text(state->ctx, types[k]), i, echo_type_text(state->ctx, init));
  if (!echo_hlo_elements_agree(types[0], result) || !echo_hlo_elements_agree(types[1], result))
    return echo_hlo_error(state,
                          "element types of arguments and result %zu of the reduction region "
                          "differ: '%s', '%s', '%s'",
                          i, echo_type_text(state->ctx, types[0]),
                          echo_type_text(state->ctx, types[1]), echo_type_text(state->ctx, result));
  if (!is_promotable(input->as.shaped.element, result->as.shaped.element) ||
      !is_promotable(init->as.shaped.element, result->as.shaped.element))
    return echo_hlo_error(
        state,
        "input %zu of type '%s' and initial value '%s' cannot be promoted to what "
        "the reduction region returns, '%s'",
        i, echo_type_text(state->ctx, input), echo_type_text(state->ctx, init),
        echo_type_text(state->ctx, result));
  return true;
}

bool echo_hlo_check_reducer(const EchoOpState *state, const EchoRegion *region,
                            const EchoType *const *inputs, const EchoType *const *inits, size_t n,
                            EchoDimList kept, const EchoType **elements)
{
  if (region->first == NULL)
    return echo_hlo_error(state, "expects a reduction region with a block");
  const EchoBlock *block = region->first;
  if (block->n_args != 2 * n)
    return echo_hlo_error(state, "expects %zu arguments in the reduction region, got %u", 2 * n,
                          block->n_args);
  const EchoOp *end = echo_hlo_terminator_or_null(region);
  if (end == NULL || end->n_operands != n)
    return echo_hlo_error(state, "expects %zu results of the reduction region", n);
  for (size_t i = 0; i < n; ++i) {
    const EchoType *types[] = {echo_block_arg(block, i)->type, echo_block_arg(block, n + i)->type,
                               echo_op_operand_type(end, i)};
    if (!check_reducer_group(state, i, types, inputs[i], inits[i], kept))
      return false;
    elements[i] = types[2]->as.shaped.element;
  }
  return true;
}
