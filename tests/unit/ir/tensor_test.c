/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Host tensors: elements of every kind go in and out, splats expand, strides are row-major. */
#include "ir/attributes/tensor.h"

#include <math.h>
#include <signal.h>

#include "tests/unit/suite.h"

static EchoContext *ctx;

static void set_up(void)
{
  ctx = echo_context_create();
}

static void tear_down(void)
{
  echo_context_destroy(ctx);
}

static const EchoType *vector_of(int64_t n, const EchoType *element)
{
  return echo_type_tensor(ctx, &n, 1, element, NULL);
}

static const EchoType *integer(uint32_t width, bool is_unsigned)
{
  return echo_type_integer(ctx, width, is_unsigned ? ECHO_UNSIGNED : ECHO_SIGNLESS);
}

START_TEST(integers_go_in_and_out)
{
  static const uint32_t WIDTHS[] = {1, 4, 8, 16, 24, 32, 64, 100};
  uint32_t width = WIDTHS[_i / 2];
  bool is_unsigned = _i % 2 != 0;
  EchoTensor *tensor = echo_tensor_create(vector_of(5, integer(width, is_unsigned)), true);
  ck_assert_uint_eq((uintptr_t)tensor->data % 64, 0);
  static const int64_t VALUES[5] = {0, 1, -1, INT64_MAX, -123456789};
  for (int64_t i = 0; i < 5; ++i)
    ck_assert_int_eq(echo_tensor_get_i64(tensor, i), 0);
  for (int64_t i = 0; i < 5; ++i)
    echo_tensor_set_i64(tensor, i, VALUES[i]);
  for (int64_t i = 0; i < 5; ++i) {
    const EchoAttr *expected = echo_attr_integer(ctx, tensor->type->as.shaped.element, VALUES[i]);
    ck_assert_int_eq(echo_tensor_get_i64(tensor, i), expected->as.integer.value);
  }
  echo_tensor_destroy(tensor);
}
END_TEST

START_TEST(floats_go_in_and_out)
{
  EchoFloatKind kind = (EchoFloatKind)_i;
  EchoTensor *tensor = echo_tensor_create(vector_of(4, echo_type_float(ctx, kind)), false);
  static const double VALUES[4] = {1.0, 2.0, 0.3, 1e30};
  for (int64_t i = 0; i < 4; ++i)
    echo_tensor_set_f64(tensor, i, VALUES[i]);
  for (int64_t i = 0; i < 4; ++i) {
    double expected =
        echo_attr_float(ctx, echo_type_float(ctx, kind), VALUES[i])->as.floating.value;
    double value = echo_tensor_get_f64(tensor, i);
    ck_assert(value == expected || (isnan(value) && isnan(expected)));
  }
  echo_tensor_destroy(tensor);
}
END_TEST

START_TEST(attributes_and_back)
{
  float values[6] = {1, 2, 3, 4, 5, 6};
  int64_t dims[2] = {2, 3};
  const EchoType *type = echo_type_tensor(ctx, dims, 2, echo_type_f32(ctx), NULL);
  const EchoAttr *attr = echo_attr_elements(ctx, type, values, sizeof values, false);
  EchoTensor *tensor = echo_tensor_from_elements(attr);
  ck_assert_int_eq(tensor->n_elements, 6);
  ck_assert_int_eq((int)tensor->kind, ECHO_ELEMENT_F32);
  ck_assert_ptr_eq(echo_tensor_to_elements(ctx, tensor), attr);
  EchoTensor *clone = echo_tensor_clone(tensor);
  echo_tensor_set_f64(clone, 5, 7);
  ck_assert_double_eq(echo_tensor_get_f64(tensor, 5), 6);
  ck_assert_double_eq(echo_tensor_get_f64(clone, 5), 7);
  ck_assert_double_eq(echo_tensor_get_f64(clone, 4), 5);
  echo_tensor_destroy(tensor);
  echo_tensor_destroy(clone);
  echo_tensor_destroy(NULL);
}
END_TEST

START_TEST(splats_expand)
{
  const EchoType *elements[] = {echo_type_i1(ctx), echo_type_float(ctx, ECHO_BF16),
                                integer(24, false), echo_type_f64(ctx),
                                echo_type_float(ctx, ECHO_F80)};
  for (size_t e = 0; e < 5; ++e)
    for (int64_t n = 1; n < 40; ++n) {
      const EchoAttr *splat = echo_attr_splat_i64(ctx, vector_of(n, elements[e]), 1);
      EchoTensor *tensor = echo_tensor_from_elements(splat);
      for (int64_t i = 0; i < n; ++i)
        if (echo_tensor_get_f64(tensor, i) != 1)
          ck_abort_msg("element %lld of %lld", (long long)i, (long long)n);
      ck_assert_ptr_eq(echo_tensor_to_elements(ctx, tensor), splat);
      echo_tensor_destroy(tensor);
    }
}
END_TEST

START_TEST(empty_and_scalar)
{
  EchoTensor *empty = echo_tensor_create(vector_of(0, echo_type_f32(ctx)), true);
  ck_assert_int_eq(empty->n_elements, 0);
  const EchoAttr *attr = echo_tensor_to_elements(ctx, empty);
  echo_tensor_destroy(empty);
  empty = echo_tensor_from_elements(attr);
  ck_assert_int_eq(empty->n_elements, 0);
  echo_tensor_destroy(empty);
  EchoTensor *scalar =
      echo_tensor_create(echo_type_tensor(ctx, NULL, 0, echo_type_f64(ctx), NULL), true);
  ck_assert_int_eq(scalar->n_elements, 1);
  ck_assert_double_eq(echo_tensor_get_f64(scalar, 0), 0);
  echo_tensor_destroy(scalar);
}
END_TEST

START_TEST(an_element_outside_panics)
{
  EchoTensor *tensor = echo_tensor_create(vector_of(2, echo_type_f32(ctx)), true);
  echo_tensor_get_f64(tensor, 2);
}
END_TEST

START_TEST(a_dynamic_tensor_panics)
{
  echo_tensor_create(vector_of(ECHO_DYNAMIC, echo_type_f32(ctx)), true);
}
END_TEST

START_TEST(strides)
{
  int64_t dims[4] = {2, 3, 4, 5}, found[4];
  echo_shape_strides(dims, 4, found);
  ck_assert_int_eq(found[0], 60);
  ck_assert_int_eq(found[1], 20);
  ck_assert_int_eq(found[2], 5);
  ck_assert_int_eq(found[3], 1);
  echo_shape_strides(dims, 0, found);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("tensor");
  TCase *cases = tcase_create("tensor");
  tcase_add_checked_fixture(cases, set_up, tear_down);
  tcase_add_loop_test(cases, integers_go_in_and_out, 0, 16);
  tcase_add_loop_test(cases, floats_go_in_and_out, 0, ECHO_N_FLOAT_KINDS);
  tcase_add_test(cases, attributes_and_back);
  tcase_add_test(cases, splats_expand);
  tcase_add_test(cases, empty_and_scalar);
  tcase_add_test_raise_signal(cases, an_element_outside_panics, SIGABRT);
  tcase_add_test_raise_signal(cases, a_dynamic_tensor_panics, SIGABRT);
  tcase_add_test(cases, strides);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
