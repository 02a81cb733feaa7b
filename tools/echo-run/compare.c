/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/echo-run/compare.h"

/* Absolute difference of two numbers, NaN and infinities taken as values. */
static double difference_of(double got, double expected)
{
  if ((isnan(got) && isnan(expected)) || got == expected)
    return 0;
  double difference = fabs(got - expected);
  return isnan(difference) ? INFINITY : difference;
}

static double integer_difference(const EchoTensor *got, const EchoTensor *expected, int64_t i)
{
  int64_t a = echo_tensor_get_i64(got, i), b = echo_tensor_get_i64(expected, i);
  if (echo_element_is_unsigned(got->kind))
    return (uint64_t)a > (uint64_t)b ? (double)((uint64_t)a - (uint64_t)b)
                                     : (double)((uint64_t)b - (uint64_t)a);
  return a > b ? (double)((uint64_t)a - (uint64_t)b) : (double)((uint64_t)b - (uint64_t)a);
}

static double value_of(const EchoTensor *tensor, int64_t i)
{
  if (echo_element_is_float(tensor->kind))
    return echo_tensor_get_f64(tensor, i);
  int64_t value = echo_tensor_get_i64(tensor, i);
  return echo_element_is_unsigned(tensor->kind) ? (double)(uint64_t)value : (double)value;
}

const char *tolerance_error_or_null(const Tolerance *tolerance)
{
  bool is_given = tolerance->rtol != NOT_GIVEN || tolerance->atol != NOT_GIVEN;
  if ((tolerance->rtol != NOT_GIVEN && !(tolerance->rtol >= 0)) ||
      (tolerance->atol != NOT_GIVEN && !(tolerance->atol >= 0)) ||
      (tolerance->norm != NOT_GIVEN && !(tolerance->norm >= 0)))
    return "--rtol, --atol and --norm-rtol are not negative";
  return is_given && tolerance->norm != NOT_GIVEN
             ? "--norm-rtol is of a whole result, --rtol and --atol are of each element"
             : NULL;
}

static const Tolerance ELEMENT = {.rtol = 1e-5, .atol = 1e-8};

static double half_of_digits(EchoElementKind kind)
{
  return kind == ECHO_ELEMENT_F64    ? 0x1p-26
         : kind == ECHO_ELEMENT_F16  ? 0x1p-5
         : kind == ECHO_ELEMENT_BF16 ? 0x1.6a09e6p-4 /* 2^-3.5 */
                                     : 0x1.6a09e6p-12;
}

/* Elements that are no numbers must be the same; of the others the norms, scaled by the largest so
 * that no square overflows. */
static Comparison compare_whole(const EchoTensor *got, const EchoTensor *expected, double norm)
{
  Comparison comparison = {.worst = -1, .is_whole = true};
  bool is_float = echo_element_is_float(got->kind);
  double scale = 0, difference = 0, size = 0;
  double rtol = norm != NOT_GIVEN ? norm : is_float ? half_of_digits(got->kind) : 0;
  for (int64_t i = 0; i < got->n_elements; i++) {
    double a = value_of(got, i), b = value_of(expected, i);
    double d = is_float ? difference_of(a, b) : integer_difference(got, expected, i);
    if (comparison.worst < 0 || d > comparison.difference) {
      comparison.worst = i;
      comparison.got = a;
      comparison.expected = b;
      comparison.difference = d;
    }
    comparison.n_different += !isfinite(d);
    double largest = fmax(isfinite(a) ? fabs(a) : 0, isfinite(b) ? fabs(b) : 0);
    scale = fmax(scale, largest);
  }
  for (int64_t i = 0; scale > 0 && i < got->n_elements; i++) {
    double a = value_of(got, i) / scale, b = value_of(expected, i) / scale;
    double d = is_float ? difference_of(a, b) : integer_difference(got, expected, i) / scale;
    difference += isfinite(d) ? d * d : 0;
    size += isfinite(b) ? b * b : 0;
  }
  double floor = is_float ? ELEMENT.atol * sqrt((double)got->n_elements) : 0;
  comparison.norm = difference == 0 ? 0 : sqrt(difference) / sqrt(size);
  comparison.is_same =
      comparison.n_different == 0 && sqrt(difference) * scale <= rtol * sqrt(size) * scale + floor;
  return comparison;
}

static Comparison compare_elements(const EchoTensor *got, const EchoTensor *expected,
                                   Tolerance tolerance)
{
  Comparison comparison = {.worst = -1};
  double worst_ratio = -1; /* of difference and what is allowed */
  bool is_float = echo_element_is_float(got->kind);
  for (int64_t i = 0; i < got->n_elements; i++) {
    double a = value_of(got, i), b = value_of(expected, i);
    double difference = is_float ? difference_of(a, b) : integer_difference(got, expected, i);
    double allowed = tolerance.atol + tolerance.rtol * (isfinite(b) ? fabs(b) : 0);
    double ratio = difference == 0 ? 0 : allowed > 0 ? difference / allowed : INFINITY;
    comparison.n_different += difference > allowed;
    if (ratio > worst_ratio || (ratio == worst_ratio && difference > comparison.difference)) {
      worst_ratio = ratio;
      comparison.worst = i;
      comparison.got = a;
      comparison.expected = b;
      comparison.difference = difference;
    }
  }
  comparison.is_same = comparison.n_different == 0;
  return comparison;
}

Comparison compare_tensors(const EchoTensor *got, const EchoTensor *expected, Tolerance tolerance)
{
  if (tolerance.rtol == NOT_GIVEN && tolerance.atol == NOT_GIVEN)
    return compare_whole(got, expected, tolerance.norm);
  if (tolerance.rtol == NOT_GIVEN)
    tolerance.rtol = ELEMENT.rtol;
  if (tolerance.atol == NOT_GIVEN)
    tolerance.atol = ELEMENT.atol;
  return compare_elements(got, expected, tolerance);
}

static void append_index(EchoBuffer *out, const EchoType *type, int64_t index)
{
  int64_t strides[ECHO_MAX_RANK];
  echo_shape_strides(type->as.shaped.dims, echo_type_rank(type), strides);
  echo_buffer_append_char(out, '[');
  for (size_t i = 0; i < echo_type_rank(type); i++) {
    echo_buffer_printf(out, i == 0 ? "%lld" : ", %lld", (long long)(index / strides[i]));
    index %= strides[i];
  }
  echo_buffer_append_char(out, ']');
}

static void append_line(EchoBuffer *out, const EchoTensor *got, const Comparison *comparison)
{
  echo_buffer_append_c(out, ": ");
  if (comparison->worst < 0) {
    echo_buffer_append_c(out, "same (no elements)\n");
    return;
  }
  echo_buffer_append_c(out, comparison->is_same ? "same" : "DIFFERENT");
  if (comparison->is_whole)
    echo_buffer_printf(out, " by %.3g of the norm", comparison->norm);
  if (comparison->n_different != 0)
    echo_buffer_printf(out, " in %lld of %lld elements", (long long)comparison->n_different,
                       (long long)got->n_elements);
  echo_buffer_append_c(out, ", worst at ");
  append_index(out, got->type, comparison->worst);
  double scale = fabs(comparison->expected);
  echo_buffer_printf(out, ": got %.9g, expected %.9g, difference %.3g", comparison->got,
                     comparison->expected, comparison->difference);
  if (scale > 0 && isfinite(scale))
    echo_buffer_printf(out, " (relative %.3g)", comparison->difference / scale);
  echo_buffer_append_char(out, '\n');
}

static bool has_type_of(const EchoTensor *a, const EchoTensor *b)
{
  if (a->kind != b->kind || echo_type_rank(a->type) != echo_type_rank(b->type))
    return false;
  for (size_t i = 0; i < echo_type_rank(a->type); i++)
    if (echo_type_dim(a->type, i) != echo_type_dim(b->type, i))
      return false;
  return true;
}

bool compare_results(EchoTensor *const *results, const Signature *signature,
                     const EchoTensorSet *expected, Tolerance tolerance, bool *is_same,
                     EchoBuffer *report, EchoBuffer *error)
{
  *is_same = true;
  if (expected->list.size == 0) {
    echo_buffer_append_c(error, "the file of expected results is empty");
    return false;
  }
  for (size_t i = 0; i < expected->list.size; i++) {
    const EchoNamedTensor *named = &expected->list.data[i];
    size_t result;
    if (!signature_find_result(signature, named->name, &result)) {
      echo_buffer_printf(error, "expected array '%.*s' names no result: main has %zu, from res0",
                         ECHO_STR_ARG(named->name), signature->n_results);
      return false;
    }
    if (!has_type_of(results[result], named->tensor)) {
      echo_buffer_printf(error, "expected array '%.*s' has another shape or type than the result",
                         ECHO_STR_ARG(named->name));
      return false;
    }
    Comparison comparison = compare_tensors(results[result], named->tensor, tolerance);
    signature_append_result(signature, result, report);
    append_line(report, results[result], &comparison);
    *is_same &= comparison.is_same;
  }
  return true;
}
