/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Constraints on values and attributes that stablehlo and chlo rows name. The names stand in error
 * messages: "operand #0 must be tensor of floats". Quantized element types (kept as text) count as
 * numbers, floats and signed numbers. */
#include "dialects/stablehlo/infer/infer_t.h"

/* ---- element types ---- */

static bool is_pred(const EchoType *element)
{
  return echo_type_is_integer(element, 1) && element->as.integer.signedness == ECHO_SIGNLESS;
}

static bool is_int(const EchoType *element)
{
  if (element->kind != ECHO_TYPE_INTEGER || element->as.integer.signedness == ECHO_SIGNED)
    return false;
  uint32_t width = element->as.integer.width;
  return width == 2 || width == 4 || width == 8 || width == 16 || width == 32 || width == 64;
}

static bool is_signless_int(const EchoType *element)
{
  return is_int(element) && element->as.integer.signedness == ECHO_SIGNLESS;
}

static bool is_float(const EchoType *element)
{
  return element->kind == ECHO_TYPE_FLOAT && element->as.float_kind != ECHO_TF32 &&
         element->as.float_kind != ECHO_F80 && element->as.float_kind != ECHO_F128;
}

static bool is_f32_or_f64(const EchoType *element)
{
  return element->kind == ECHO_TYPE_FLOAT &&
         (element->as.float_kind == ECHO_F32 || element->as.float_kind == ECHO_F64);
}

static bool is_complex(const EchoType *element)
{
  return element->kind == ECHO_TYPE_COMPLEX && is_f32_or_f64(element->as.shaped.element);
}

static bool is_plain(const EchoType *element)
{
  return is_pred(element) || is_int(element) || is_float(element) || is_complex(element);
}

/* Of the type's shape, with zero points that can be stored: one scale for the whole of it, or one
 * for each slice. */
static bool has_quantized(const EchoType *type, bool takes_slices)
{
  EchoQuantized q;
  if (!echo_quantized_read(type->as.shaped.element, &q))
    return false;
  uint32_t bits = q.storage_bits;
  bool ok = (bits == 2 || bits == 4 || bits == 8 || bits == 16 || bits == 32) &&
            (q.axis < 0 || takes_slices);
  for (size_t i = 0; ok && i < q.n_scales; ++i)
    ok = q.zero_points[i] >= q.min && q.zero_points[i] <= q.max;
  if (ok && q.axis >= 0 && echo_type_is_tensor(type))
    ok = q.axis < (int64_t)echo_type_rank(type) &&
         echo_hlo_dims_agree(echo_type_dim(type, (size_t)q.axis), (int64_t)q.n_scales);
  echo_quantized_destroy(&q);
  return ok;
}

static bool is_quantized(const EchoType *type)
{
  return has_quantized(type, false);
}

static bool is_any_quantized(const EchoType *type)
{
  return has_quantized(type, true);
}

/* ---- tensors ---- */

#define TENSOR_OF(name, condition)                                                                 \
  static bool name(const EchoType *type)                                                           \
  {                                                                                                \
    const EchoType *element = echo_type_is_tensor(type) ? type->as.shaped.element : NULL;          \
    return element != NULL && (condition);                                                         \
  }
TENSOR_OF(number_tensor, is_plain(element) || is_quantized(type))
TENSOR_OF(any_number_tensor, is_plain(element) || is_any_quantized(type))
TENSOR_OF(unquantized_tensor, is_plain(element))
TENSOR_OF(quantized_tensor, is_any_quantized(type))
TENSOR_OF(any_float_tensor, is_float(element) || is_any_quantized(type))
TENSOR_OF(float_tensor, is_float(element) || is_quantized(type))
TENSOR_OF(plain_float_tensor, is_float(element))
TENSOR_OF(float_or_complex_tensor, is_float(element) || is_complex(element) || is_quantized(type))
TENSOR_OF(complex_tensor, is_complex(element))
TENSOR_OF(f32_or_f64_tensor, is_f32_or_f64(element))
TENSOR_OF(int_tensor, is_int(element))
TENSOR_OF(int_or_index_tensor, is_int(element) || element->kind == ECHO_TYPE_INDEX)
TENSOR_OF(int_or_float_tensor, is_int(element) || is_float(element))
TENSOR_OF(pred_tensor, is_pred(element))
TENSOR_OF(pred_or_int_tensor, is_pred(element) || is_int(element))
TENSOR_OF(pred_int_or_float_tensor, is_pred(element) || is_int(element) || is_float(element))
TENSOR_OF(arithmetic_tensor, (is_plain(element) || is_quantized(type)) && !is_pred(element))
TENSOR_OF(signed_tensor, is_signless_int(element) || is_float(element) || is_complex(element) ||
                             is_quantized(type))
TENSOR_OF(signed_real_tensor, is_signless_int(element) || is_float(element) || is_quantized(type))
TENSOR_OF(scalar, echo_type_rank(type) == 0 && (is_plain(element) || is_quantized(type)))
TENSOR_OF(int_scalar, echo_type_rank(type) == 0 && is_int(element))
TENSOR_OF(i32_tensor,
          echo_type_is_integer(element, 32) && element->as.integer.signedness == ECHO_SIGNLESS)
TENSOR_OF(ui32_tensor,
          echo_type_is_integer(element, 32) && element->as.integer.signedness == ECHO_UNSIGNED)

/* Dynamic in one dimension, which has a bound. */
static bool has_one_bound(const EchoType *type)
{
  const EchoHloPayload *payload =
      echo_hlo_payload_or_null(type->as.shaped.encoding, ECHO_HLO_ATTR_BOUNDS);
  size_t n_dynamic = 0, n_bounds = 0;
  for (size_t i = 0; payload != NULL && i < echo_type_rank(type); ++i) {
    n_dynamic += echo_type_dim(type, i) == ECHO_DYNAMIC;
    n_bounds += payload->as.bounds.dims[i] != ECHO_DYNAMIC;
  }
  return n_dynamic == 1 && n_bounds == 1;
}

TENSOR_OF(static_tensor,
          (is_plain(element) || is_any_quantized(type)) && echo_type_has_static_shape(type))
TENSOR_OF(bounded_tensor, (is_plain(element) || is_any_quantized(type)) &&
                              (echo_type_has_static_shape(type) || has_one_bound(type)))
TENSOR_OF(dimension_tensor,
          echo_type_rank(type) == 1 && (is_int(element) || element->kind == ECHO_TYPE_INDEX))
TENSOR_OF(static_dimension_tensor, echo_type_rank(type) == 1 &&
                                       echo_type_dim(type, 0) != ECHO_DYNAMIC &&
                                       (is_int(element) || element->kind == ECHO_TYPE_INDEX))
TENSOR_OF(float_vector, echo_type_rank(type) == 1 && (is_float(element) || is_quantized(type)))

/* chlo takes unranked tensors too. */
static bool any_rank_tensor(const EchoType *type)
{
  return any_number_tensor(type) || (type->kind == ECHO_TYPE_UNRANKED_TENSOR &&
                                     (is_plain(type->as.shaped.element) || is_any_quantized(type)));
}
static bool any_rank_float_tensor(const EchoType *type)
{
  return any_rank_tensor(type) && is_float(type->as.shaped.element);
}
static bool any_rank_float_or_complex_tensor(const EchoType *type)
{
  return any_rank_tensor(type) &&
         (is_float(type->as.shaped.element) || is_complex(type->as.shaped.element));
}
static bool any_rank_complex_tensor(const EchoType *type)
{
  return any_rank_tensor(type) && is_complex(type->as.shaped.element);
}
static bool any_rank_pred_tensor(const EchoType *type)
{
  return any_rank_tensor(type) && is_pred(type->as.shaped.element);
}
static bool any_rank_pred_or_int_tensor(const EchoType *type)
{
  return any_rank_tensor(type) &&
         (is_pred(type->as.shaped.element) || is_int(type->as.shaped.element));
}

/* ---- other values ---- */

static bool opaque_named(const EchoType *type, const char *prefix)
{
  return type->kind == ECHO_TYPE_OPAQUE && echo_str_is(type->as.opaque.dialect, "stablehlo") &&
         echo_str_starts_with(type->as.opaque.text, prefix);
}
static bool token(const EchoType *type)
{
  return opaque_named(type, "token");
}
static bool future(const EchoType *type)
{
  return opaque_named(type, "future");
}
static bool buffer(const EchoType *type)
{
  return type->kind == ECHO_TYPE_MEMREF || type->kind == ECHO_TYPE_UNRANKED_MEMREF;
}
static bool tuple(const EchoType *type)
{
  return type->kind == ECHO_TYPE_TUPLE;
}
static bool tensor_or_token(const EchoType *type)
{
  return number_tensor(type) || token(type);
}
static bool carried(const EchoType *type)
{
  return any_number_tensor(type) || token(type) || buffer(type);
}
static bool value(const EchoType *type)
{
  return carried(type) || tuple(type) || future(type) || any_rank_tensor(type);
}

const EchoTypeConstraint ECHO_HLO_TYPE_CONSTRAINTS[] = {
    {"tensor of numbers", number_tensor},
    {"tensor of numbers or quantized slices", any_number_tensor},
    {"tensor of unquantized numbers", unquantized_tensor},
    {"tensor of quantized numbers", quantized_tensor},
    {"tensor of floats", float_tensor},
    {"tensor of floats or quantized slices", any_float_tensor},
    {"tensor of unquantized floats", plain_float_tensor},
    {"tensor of float or complex", float_or_complex_tensor},
    {"tensor of complex", complex_tensor},
    {"tensor of f32 or f64", f32_or_f64_tensor},
    {"tensor of integers", int_tensor},
    {"tensor of integers or index", int_or_index_tensor},
    {"tensor of integers or floats", int_or_float_tensor},
    {"tensor of predicates", pred_tensor},
    {"tensor of predicates or integers", pred_or_int_tensor},
    {"tensor of real numbers", pred_int_or_float_tensor},
    {"tensor of numbers other than predicates", arithmetic_tensor},
    {"tensor of signed numbers", signed_tensor},
    {"tensor of signed real numbers", signed_real_tensor},
    {"scalar tensor", scalar},
    {"scalar tensor of integers", int_scalar},
    {"tensor of i32", i32_tensor},
    {"tensor of ui32", ui32_tensor},
    {"statically shaped tensor", static_tensor},
    {"statically shaped or single bounded dimension tensor", bounded_tensor},
    {"1-dimensional tensor of integers", dimension_tensor},
    {"statically shaped 1-dimensional tensor of integers", static_dimension_tensor},
    {"1-dimensional tensor of floats", float_vector},
    {"tensor of any rank", any_rank_tensor},
    {"tensor of any rank of floats", any_rank_float_tensor},
    {"tensor of any rank of float or complex", any_rank_float_or_complex_tensor},
    {"tensor of any rank of complex", any_rank_complex_tensor},
    {"tensor of any rank of predicates", any_rank_pred_tensor},
    {"tensor of any rank of predicates or integers", any_rank_pred_or_int_tensor},
    {"token", token},
    {"future", future},
    {"tuple", tuple},
    {"tensor or token", tensor_or_token},
    {"tensor or token or buffer", carried},
    {"tensor or token or tuple or buffer", value},
    {NULL, NULL}};

/* ---- attributes ---- */

#define PAYLOAD(name, attr_kind)                                                                   \
  static bool name(const EchoAttr *attr)                                                           \
  {                                                                                                \
    return echo_hlo_payload_or_null(attr, ECHO_HLO_ATTR_##attr_kind) != NULL;                      \
  }
PAYLOAD(dot_dims, DOT)
PAYLOAD(conv_dims, CONV)
PAYLOAD(gather_dims, GATHER)
PAYLOAD(scatter_dims, SCATTER)
PAYLOAD(ragged_dot_dims, RAGGED_DOT)
PAYLOAD(dot_algorithm, DOT_ALGORITHM)
PAYLOAD(channel_handle, CHANNEL_HANDLE)
PAYLOAD(result_accuracy, RESULT_ACCURACY)
PAYLOAD(direction, COMPARISON_DIRECTION)
PAYLOAD(compare_type, COMPARISON_TYPE)
PAYLOAD(precision, PRECISION)
PAYLOAD(rng_algorithm, RNG_ALGORITHM)
PAYLOAD(rng_distribution, RNG_DISTRIBUTION)
PAYLOAD(transpose_kind, TRANSPOSE)
PAYLOAD(fft_type, FFT_TYPE)
PAYLOAD(alias, OUTPUT_OPERAND_ALIAS)

static bool array_of(const EchoAttr *attr, EchoAttrConstraintFn *holds)
{
  if (attr->kind != ECHO_ATTR_ARRAY)
    return false;
  for (size_t i = 0; i < attr->as.array.size; ++i)
    if (!holds(attr->as.array.elements[i]))
      return false;
  return true;
}
static bool precision_config(const EchoAttr *attr)
{
  return array_of(attr, precision);
}
static bool aliases(const EchoAttr *attr)
{
  return array_of(attr, alias);
}
static bool symbol(const EchoAttr *attr)
{
  return attr->kind == ECHO_ATTR_SYMBOL_REF;
}
static bool symbols(const EchoAttr *attr)
{
  return array_of(attr, symbol);
}
static bool is_i64(const EchoAttr *attr)
{
  return attr->kind == ECHO_ATTR_INTEGER && echo_type_is_integer(attr->type, 64);
}
static bool non_negative_i64(const EchoAttr *attr)
{
  return is_i64(attr) && attr->as.integer.value >= 0;
}
static bool positive_i64(const EchoAttr *attr)
{
  return is_i64(attr) && attr->as.integer.value > 0;
}
static bool non_negative_i32(const EchoAttr *attr)
{
  return attr->kind == ECHO_ATTR_INTEGER && echo_type_is_integer(attr->type, 32) &&
         attr->as.integer.value >= 0;
}
static bool positive_i32(const EchoAttr *attr)
{
  return non_negative_i32(attr) && attr->as.integer.value > 0;
}
static bool i64_elements(const EchoAttr *attr)
{
  return attr->kind == ECHO_ATTR_DENSE_ELEMENTS && echo_type_is_tensor(attr->type) &&
         echo_type_is_integer(attr->type->as.shaped.element, 64);
}
/* array<i64: …>, or what older files have: dense<…> : tensor<nxi64>. */
static bool i64_list(const EchoAttr *attr)
{
  return (attr->kind == ECHO_ATTR_DENSE_ARRAY &&
          echo_type_is_integer(attr->as.dense_array.element, 64)) ||
         (i64_elements(attr) && echo_type_rank(attr->type) == 1);
}
static bool bool_list(const EchoAttr *attr)
{
  return (attr->kind == ECHO_ATTR_DENSE_ARRAY &&
          echo_type_is_integer(attr->as.dense_array.element, 1)) ||
         (attr->kind == ECHO_ATTR_DENSE_ELEMENTS && echo_type_is_tensor(attr->type) &&
          echo_type_rank(attr->type) == 1 &&
          echo_type_is_integer(attr->type->as.shaped.element, 1));
}
static bool f32(const EchoAttr *attr)
{
  return attr->kind == ECHO_ATTR_FLOAT && attr->type->as.float_kind == ECHO_F32;
}
static bool replica_groups(const EchoAttr *attr)
{
  return i64_elements(attr) ||
         (attr->kind == ECHO_ATTR_OPAQUE && echo_str_is(attr->as.opaque.dialect, "stablehlo") &&
          echo_str_starts_with(attr->as.opaque.text, "replica_group_mesh_axes"));
}
static bool backend_config(const EchoAttr *attr)
{
  return attr->kind == ECHO_ATTR_STRING || attr->kind == ECHO_ATTR_DICTIONARY;
}
static bool api_version(const EchoAttr *attr)
{
  return non_negative_i32(attr) && attr->as.integer.value <= 4;
}

const EchoAttrConstraint ECHO_HLO_ATTR_CONSTRAINTS[] = {
    {"dot dimension numbers", dot_dims},
    {"convolution dimension numbers", conv_dims},
    {"gather dimension numbers", gather_dims},
    {"scatter dimension numbers", scatter_dims},
    {"ragged dot dimension numbers", ragged_dot_dims},
    {"dot algorithm", dot_algorithm},
    {"channel handle", channel_handle},
    {"result accuracy", result_accuracy},
    {"comparison direction", direction},
    {"comparison type", compare_type},
    {"precision config", precision_config},
    {"rng algorithm", rng_algorithm},
    {"rng distribution", rng_distribution},
    {"transpose", transpose_kind},
    {"fft type", fft_type},
    {"output operand aliases", aliases},
    {"symbol list", symbols},
    {"non-negative i64", non_negative_i64},
    {"positive i64", positive_i64},
    {"non-negative i32", non_negative_i32},
    {"positive i32", positive_i32},
    {"i64 elements", i64_elements},
    {"i64 list", i64_list},
    {"bool list", bool_list},
    {"f32", f32},
    {"replica groups", replica_groups},
    {"backend config", backend_config},
    {"api version", api_version},
    {NULL, NULL}};
