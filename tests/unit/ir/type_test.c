/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Types are uniqued by structure, and answer for shapes, sizes and elements. */
#include "ir/attributes/type.h"

#include <signal.h>

#include "ir/attributes/attribute.h"
#include "ir/diagnostics.h"
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

static const EchoType *tensor(int64_t a, int64_t b, const EchoType *element)
{
  int64_t dims[2] = {a, b};
  return echo_type_tensor(ctx, dims, 2, element, NULL);
}

/* Every sort of type, each different from the others. */
enum { N_SAMPLES = 36 };
static void make_samples(EchoContext *in, const EchoType **samples)
{
  const EchoType *f32 = echo_type_f32(in), *i32 = echo_type_i32(in), *pair[2] = {f32, i32};
  int64_t dims[2] = {2, ECHO_DYNAMIC}, other_dims[2] = {2, 3}, strides[2] = {1, 2};
  const EchoAttr *layout = echo_attr_strided_layout(in, 0, strides, 2);
  const EchoAttr *space = echo_attr_i64(in, 3);
  size_t n = 0;
  samples[n++] = echo_type_none(in);
  samples[n++] = echo_type_index(in);
  samples[n++] = echo_type_i1(in);
  samples[n++] = i32;
  samples[n++] = echo_type_i64(in);
  samples[n++] = echo_type_integer(in, 32, ECHO_SIGNED);
  samples[n++] = echo_type_integer(in, 32, ECHO_UNSIGNED);
  samples[n++] = echo_type_integer(in, 7, ECHO_SIGNLESS);
  samples[n++] = f32;
  samples[n++] = echo_type_f64(in);
  samples[n++] = echo_type_float(in, ECHO_F8E4M3FN);
  samples[n++] = echo_type_complex(in, f32);
  samples[n++] = echo_type_tuple(in, NULL, 0);
  samples[n++] = echo_type_tuple(in, pair, 1);
  samples[n++] = echo_type_tuple(in, pair, 2);
  samples[n++] = echo_type_function(in, NULL, 0, NULL, 0);
  samples[n++] = echo_type_function(in, pair, 1, NULL, 0);
  samples[n++] = echo_type_function(in, NULL, 0, pair, 1);
  samples[n++] = echo_type_function(in, pair, 1, pair + 1, 1);
  samples[n++] = echo_type_function(in, pair, 2, NULL, 0);
  samples[n++] = echo_type_tensor(in, NULL, 0, f32, NULL);
  samples[n++] = echo_type_tensor(in, dims, 1, f32, NULL);
  samples[n++] = echo_type_tensor(in, dims, 2, f32, NULL);
  samples[n++] = echo_type_tensor(in, other_dims, 2, f32, NULL);
  samples[n++] = echo_type_tensor(in, other_dims, 2, i32, NULL);
  samples[n++] = echo_type_tensor(in, other_dims, 2, i32, space);
  samples[n++] = echo_type_unranked_tensor(in, f32);
  samples[n++] = echo_type_memref(in, other_dims, 2, f32, NULL, NULL);
  samples[n++] = echo_type_memref(in, other_dims, 2, f32, layout, NULL);
  samples[n++] = echo_type_memref(in, other_dims, 2, f32, NULL, space);
  samples[n++] = echo_type_unranked_memref(in, f32, NULL);
  samples[n++] = echo_type_unranked_memref(in, f32, space);
  samples[n++] = echo_type_vector(in, other_dims, 2, f32, 0);
  samples[n++] = echo_type_vector(in, other_dims, 2, f32, 2);
  samples[n++] = echo_type_opaque(in, ECHO_STR("gpu"), ECHO_STR("async.token"));
  samples[n++] = echo_type_opaque(in, ECHO_STR("gpu"), ECHO_STR("other"));
  ck_assert_uint_eq(n, N_SAMPLES);
}

START_TEST(equal_types_are_one)
{
  const EchoType *first[N_SAMPLES], *second[N_SAMPLES];
  make_samples(ctx, first);
  make_samples(ctx, second);
  for (size_t i = 0; i < N_SAMPLES; ++i)
    for (size_t j = 0; j < N_SAMPLES; ++j)
      ck_assert_msg((first[i] == second[j]) == (i == j), "types %zu and %zu", i, j);
}
END_TEST

START_TEST(hashes_are_the_same_in_every_context)
{
  EchoContext *other = echo_context_create();
  for (int i = 0; i < 100; ++i) /* other addresses */
    echo_type_integer(other, 1000u + (uint32_t)i, ECHO_SIGNLESS);
  const EchoType *first[N_SAMPLES], *second[N_SAMPLES];
  make_samples(ctx, first);
  make_samples(other, second);
  for (size_t i = 0; i < N_SAMPLES; ++i)
    ck_assert_uint_eq(first[i]->hash, second[i]->hash);
  echo_context_destroy(other);
}
END_TEST

START_TEST(arrays_are_copied)
{
  int64_t dims[2] = {2, 3};
  const EchoType *type = echo_type_tensor(ctx, dims, 2, echo_type_f32(ctx), NULL);
  dims[0] = 9;
  ck_assert_int_eq(echo_type_dim(type, 0), 2);
  const EchoType *inputs[1] = {type};
  const EchoType *function = echo_type_function(ctx, inputs, 1, inputs, 1);
  inputs[0] = NULL;
  ck_assert_ptr_eq(function->as.function.inputs[0], type);
  ck_assert_ptr_eq(function->as.function.results[0], type);
}
END_TEST

START_TEST(a_hundred_thousand_types)
{
  for (int round = 0; round < 2; ++round)
    for (int64_t i = 0; i < 100000; ++i) {
      const EchoType *type = tensor(i, i ^ 5, echo_type_f32(ctx));
      if (echo_type_dim(type, 0) != i || type != tensor(i, i ^ 5, echo_type_f32(ctx)))
        ck_abort_msg("type %lld", (long long)i);
    }
}
END_TEST

START_TEST(shapes)
{
  const EchoType *f32 = echo_type_f32(ctx);
  int64_t n = -1;
  ck_assert(echo_type_n_elements(f32, &n));
  ck_assert_int_eq(n, 1);
  ck_assert(echo_type_n_elements(tensor(6, 7, f32), &n));
  ck_assert_int_eq(n, 42);
  ck_assert(echo_type_n_elements(echo_type_tensor(ctx, NULL, 0, f32, NULL), &n));
  ck_assert_int_eq(n, 1);
  ck_assert(!echo_type_n_elements(tensor(6, ECHO_DYNAMIC, f32), &n));
  ck_assert(!echo_type_n_elements(echo_type_unranked_tensor(ctx, f32), &n));
  ck_assert(echo_type_has_static_shape(tensor(6, 7, f32)));
  ck_assert(!echo_type_has_static_shape(tensor(ECHO_DYNAMIC, 7, f32)));
  ck_assert(!echo_type_has_static_shape(echo_type_unranked_tensor(ctx, f32)));
  int64_t dims[1] = {4};
  ck_assert(!echo_type_n_elements(echo_type_vector(ctx, dims, 1, f32, 1), &n));
  ck_assert_int_eq(echo_type_static_n_elements(tensor(3, 3, f32)), 9);
}
END_TEST

START_TEST(sizes_do_not_overflow)
{
  const EchoType *f32 = echo_type_f32(ctx);
  int64_t big = INT64_C(1) << 32, n = 0;
  uint64_t bytes = 0;
  ck_assert(!echo_type_n_elements(tensor(big, big, f32), &n));
  ck_assert(!echo_type_bytes(tensor(big, big, f32), &bytes));
  ck_assert(echo_type_n_elements(tensor(big, big >> 2, f32), &n));
  ck_assert_int_eq(n, INT64_C(1) << 62);
  ck_assert(!echo_type_bytes(tensor(big, big >> 2, f32), &bytes));
  ck_assert(echo_type_bytes(tensor(big, big >> 4, f32), &bytes));
  ck_assert_uint_eq(bytes, UINT64_C(1) << 62);
  /* empty, whatever the order of the dimensions */
  int64_t dims[4] = {big, big, big, 0};
  ck_assert(echo_type_n_elements(echo_type_tensor(ctx, dims, 4, f32, NULL), &n));
  ck_assert_int_eq(n, 0);
  ck_assert(echo_type_bytes(echo_type_tensor(ctx, dims, 4, f32, NULL), &bytes));
  ck_assert_uint_eq(bytes, 0);
}
END_TEST

START_TEST(element_sizes)
{
  const EchoType *f32 = echo_type_f32(ctx);
  struct {
    const EchoType *type;
    uint32_t bits, bytes;
  } expected[] = {{echo_type_i1(ctx), 1, 1},
                  {echo_type_integer(ctx, 4, ECHO_UNSIGNED), 4, 1},
                  {echo_type_integer(ctx, 24, ECHO_SIGNLESS), 24, 3},
                  {echo_type_integer(ctx, 65, ECHO_SIGNLESS), 65, 9},
                  {echo_type_i64(ctx), 64, 8},
                  {echo_type_index(ctx), 64, 8},
                  {echo_type_float(ctx, ECHO_F6E2M3FN), 6, 1},
                  {echo_type_float(ctx, ECHO_TF32), 19, 3},
                  {echo_type_float(ctx, ECHO_F80), 80, 10},
                  {echo_type_float(ctx, ECHO_F128), 128, 16},
                  {f32, 32, 4},
                  {echo_type_complex(ctx, f32), 64, 8},
                  {tensor(2, 2, echo_type_complex(ctx, f32)), 64, 8},
                  {tensor(2, 2, echo_type_i1(ctx)), 1, 1},
                  {echo_type_none(ctx), 0, 0}};
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; ++i) {
    ck_assert_uint_eq(echo_type_bit_width(expected[i].type), expected[i].bits);
    ck_assert_uint_eq(echo_type_element_bytes(expected[i].type), expected[i].bytes);
  }
  ck_assert_uint_eq(echo_type_static_bytes(tensor(3, 5, echo_type_complex(ctx, f32))), 120);
  ck_assert_uint_eq(echo_type_static_bytes(tensor(3, 5, echo_type_i1(ctx))), 15);
  int64_t dims[1] = {8};
  const EchoType *vector = echo_type_vector(ctx, dims, 1, f32, 0);
  ck_assert_uint_eq(echo_type_static_bytes(vector), 32);
  ck_assert_uint_eq(echo_type_static_bytes(echo_type_memref(ctx, dims, 1, vector, NULL, NULL)),
                    256);
}
END_TEST

START_TEST(elements)
{
  const EchoType *f32 = echo_type_f32(ctx), *complex = echo_type_complex(ctx, f32);
  ck_assert_ptr_eq(echo_type_element(f32), f32);
  ck_assert_ptr_eq(echo_type_element(complex), f32);
  ck_assert_ptr_eq(echo_type_element(tensor(1, 2, complex)), complex);
  ck_assert_ptr_eq(echo_type_element(echo_type_unranked_memref(ctx, f32, NULL)), f32);
  ck_assert(!echo_type_is_shaped(complex));
  ck_assert(echo_type_is_shaped(tensor(1, 2, f32)));
  const EchoType *ints = echo_type_with_element(ctx, tensor(1, 2, f32), echo_type_i32(ctx));
  ck_assert_ptr_eq(ints, tensor(1, 2, echo_type_i32(ctx)));
}
END_TEST

START_TEST(element_kinds)
{
  struct {
    const EchoType *type;
    EchoElementKind kind;
  } expected[] = {{echo_type_i1(ctx), ECHO_ELEMENT_I1},
                  {echo_type_integer(ctx, 8, ECHO_SIGNED), ECHO_ELEMENT_I8},
                  {echo_type_integer(ctx, 16, ECHO_SIGNLESS), ECHO_ELEMENT_I16},
                  {echo_type_i32(ctx), ECHO_ELEMENT_I32},
                  {echo_type_i64(ctx), ECHO_ELEMENT_I64},
                  {echo_type_index(ctx), ECHO_ELEMENT_I64},
                  {echo_type_integer(ctx, 8, ECHO_UNSIGNED), ECHO_ELEMENT_UI8},
                  {echo_type_integer(ctx, 16, ECHO_UNSIGNED), ECHO_ELEMENT_UI16},
                  {echo_type_integer(ctx, 32, ECHO_UNSIGNED), ECHO_ELEMENT_UI32},
                  {echo_type_integer(ctx, 64, ECHO_UNSIGNED), ECHO_ELEMENT_UI64},
                  {echo_type_float(ctx, ECHO_F16), ECHO_ELEMENT_F16},
                  {echo_type_float(ctx, ECHO_BF16), ECHO_ELEMENT_BF16},
                  {echo_type_f32(ctx), ECHO_ELEMENT_F32},
                  {echo_type_f64(ctx), ECHO_ELEMENT_F64},
                  {echo_type_float(ctx, ECHO_F8E5M2), ECHO_ELEMENT_NONE},
                  {echo_type_integer(ctx, 4, ECHO_SIGNLESS), ECHO_ELEMENT_NONE},
                  {echo_type_complex(ctx, echo_type_f32(ctx)), ECHO_ELEMENT_NONE},
                  {tensor(1, 1, echo_type_f32(ctx)), ECHO_ELEMENT_F32}};
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; ++i)
    ck_assert_int_eq((int)echo_type_element_kind(expected[i].type), (int)expected[i].kind);
  for (int k = ECHO_ELEMENT_NONE + 1; k < ECHO_N_ELEMENT_KINDS; ++k) {
    const EchoType *type = echo_element_type(ctx, (EchoElementKind)k);
    ck_assert_int_eq((int)echo_type_element_kind(type), k);
    ck_assert_uint_eq(echo_type_bit_width(type), echo_element_bits((EchoElementKind)k));
  }
  ck_assert(echo_element_is_float(ECHO_ELEMENT_BF16) && !echo_element_is_float(ECHO_ELEMENT_I1));
  ck_assert(echo_element_is_unsigned(ECHO_ELEMENT_UI8) &&
            !echo_element_is_unsigned(ECHO_ELEMENT_I8));
}
END_TEST

static void expect_misuse(const EchoType *answer, const char *message)
{
  ck_assert_ptr_null(answer);
  size_t n = echo_context_n_diagnostics(ctx);
  ck_assert_uint_ne(n, 0);
  ck_assert_str_eq(echo_context_diagnostic(ctx, n - 1)->message, message);
}

START_TEST(what_does_not_fit_is_refused)
{
  static const int64_t dims[ECHO_MAX_RANK + 1];
  const EchoType *f32 = echo_type_f32(ctx), *missing[] = {f32, NULL};
  expect_misuse(tensor(-1, 1, f32), "a type is made: 'dims[0]' is -1");
  expect_misuse(echo_type_tensor(ctx, NULL, 2, f32, NULL),
                "a type is made: 'dims' is NULL, 'rank' is 2");
  expect_misuse(echo_type_memref(ctx, dims, ECHO_MAX_RANK + 1, f32, NULL, NULL),
                "a type is made: 'rank' is 65, above 64");
  expect_misuse(echo_type_vector(ctx, dims, 1, NULL, 0), "a type is made: 'element' is NULL");
  expect_misuse(echo_type_complex(ctx, NULL), "a type is made: 'element' is NULL");
  expect_misuse(echo_type_unranked_tensor(ctx, NULL), "a type is made: 'element' is NULL");
  expect_misuse(echo_type_unranked_memref(ctx, NULL, NULL), "a type is made: 'element' is NULL");
  expect_misuse(echo_type_tuple(ctx, NULL, 2),
                "a type is made: 'elements' is NULL, of which there are 2");
  expect_misuse(echo_type_function(ctx, missing, 1, missing, 2),
                "a type is made: 'results[1]' is NULL");
  expect_misuse(echo_type_function(ctx, missing, (size_t)UINT32_MAX + 1, NULL, 0),
                "a type is made of 4294967296 'inputs'");
  expect_misuse(echo_type_float(ctx, ECHO_N_FLOAT_KINDS),
                "a type is made: 'kind' is 18, no kind of float");
  expect_misuse(echo_type_opaque(ctx, ECHO_STR(""), ECHO_STR("t")),
                "a type is made: 'dialect' is empty");
  expect_misuse(echo_type_integer(ctx, 1u << 24, ECHO_SIGNLESS),
                "a type is made: 'width' is 16777216, too many bits");
  expect_misuse(echo_type_with_element(ctx, f32, f32), "a type is made: 'shaped' is not shaped");
  expect_misuse(echo_type_with_element(ctx, NULL, f32), "a type is made: 'shaped' is NULL");
  expect_misuse(echo_type_with_element(ctx, f32, NULL), "a type is made: 'element' is NULL");
}
END_TEST

START_TEST(another_contexts_are_refused)
{
  EchoContext *other = echo_context_create();
  const int64_t dims[] = {2};
  const EchoType *mine = echo_type_f32(ctx), *f32 = echo_type_f32(other);
  const EchoAttr *unit = echo_attr_unit(other);
  expect_misuse(echo_type_complex(ctx, f32), "a type is made: 'element' is of another context");
  expect_misuse(echo_type_tuple(ctx, &f32, 1),
                "a type is made: 'elements[0]' is of another context");
  expect_misuse(echo_type_tensor(ctx, dims, 1, mine, unit),
                "a type is made: 'encoding' is of another context");
  expect_misuse(echo_type_memref(ctx, dims, 1, mine, unit, NULL),
                "a type is made: 'layout' is of another context");
  expect_misuse(echo_type_memref(ctx, dims, 1, mine, NULL, unit),
                "a type is made: 'memory_space' is of another context");
  expect_misuse(echo_type_unranked_memref(ctx, mine, unit),
                "a type is made: 'memory_space' is of another context");
  const EchoTextPart part = {0, 1, NULL, f32};
  expect_misuse(echo_type_opaque_of_parts(ctx, ECHO_STR("d"), ECHO_STR("t"), &part, 1),
                "a type is made: 'parts[0]' is of another context");
  const EchoType *tensor_of_other = echo_type_tensor(other, dims, 1, f32, NULL);
  expect_misuse(echo_type_with_element(ctx, tensor_of_other, mine),
                "a type is made: 'shaped' is of another context");
  echo_context_destroy(other);
}
END_TEST

START_TEST(dynamic_size_panics)
{
  echo_type_static_bytes(tensor(ECHO_DYNAMIC, 1, echo_type_f32(ctx)));
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("type");
  TCase *cases = tcase_create("type");
  tcase_add_checked_fixture(cases, set_up, tear_down);
  tcase_add_test(cases, equal_types_are_one);
  tcase_add_test(cases, hashes_are_the_same_in_every_context);
  tcase_add_test(cases, arrays_are_copied);
  tcase_add_test(cases, a_hundred_thousand_types);
  tcase_add_test(cases, shapes);
  tcase_add_test(cases, sizes_do_not_overflow);
  tcase_add_test(cases, element_sizes);
  tcase_add_test(cases, elements);
  tcase_add_test(cases, element_kinds);
  tcase_add_test(cases, what_does_not_fit_is_refused);
  tcase_add_test(cases, another_contexts_are_refused);
  tcase_add_test_raise_signal(cases, dynamic_size_panics, SIGABRT);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
