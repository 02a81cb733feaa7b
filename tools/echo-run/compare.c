/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/echo-run/compare.h"

#include <math.h>

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

Comparison compare_tensors(const EchoTensor *got, const EchoTensor *expected, Tolerance tolerance)
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
  return comparison;
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

static void append_line(EchoBuffer *out, size_t result, const EchoTensor *got,
                        const Comparison *comparison)
{
  echo_buffer_printf(out, "res%zu: ", result);
  if (comparison->worst < 0) {
    echo_buffer_append_c(out, "same (no elements)\n");
    return;
  }
  echo_buffer_append_c(out, comparison->n_different == 0 ? "same" : "DIFFERENT");
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

bool compare_results(EchoTensor *const *results, size_t n_results, const EchoTensorSet *expected,
                     Tolerance tolerance, bool *is_same, EchoBuffer *report, EchoBuffer *error)
{
  *is_same = true;
  if (expected->list.size == 0) {
    echo_buffer_append_c(error, "the file of expected results is empty");
    return false;
  }
  for (size_t i = 0; i < expected->list.size; i++) {
    const EchoNamedTensor *named = &expected->list.data[i];
    uint64_t result;
    bool is_result =
        echo_str_starts_with(named->name, "res") &&
        echo_str_to_u64((EchoStr){named->name.data + 3, named->name.size - 3}, &result) &&
        result < n_results;
    if (!is_result) {
      echo_buffer_printf(error, "expected array '%.*s' names no result: main has %zu, from res0",
                         ECHO_STR_ARG(named->name), n_results);
      return false;
    }
    if (!has_type_of(results[result], named->tensor)) {
      echo_buffer_printf(error, "expected array '%.*s' has another shape or type than the result",
                         ECHO_STR_ARG(named->name));
      return false;
    }
    Comparison comparison = compare_tensors(results[result], named->tensor, tolerance);
    append_line(report, (size_t)result, results[result], &comparison);
    *is_same &= comparison.n_different == 0;
  }
  return true;
}
