/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Scatter, windows, sort, random bits, convolution. */
#include <stdio.h>

#include "tests/unit/exec/harness.h"
#include "tests/unit/suite.h"

static const ExecOptions CLOSE = {
    .low = -1, .high = 1, .ulps = 16, .scale = 4, .int_low = -2, .int_high = 9};
static const ExecOptions WHOLE = {.int_low = 0, .int_high = 7};
static const ExecOptions ANY = {.low = -3, .high = 3};

#define ADD_BODY                                                                                   \
  "({\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n %s = stablehlo.add %x, %y : tensor<f32>\n "       \
  "stablehlo.return %s : tensor<f32>\n})"

START_TEST(scatters_rows)
{
  exec_check_body(
      "scatter", "%a: tensor<8x40xf32>, %i: tensor<30x1xi32>, %u: tensor<30x40xf32>",
      "tensor<8x40xf32>, tensor<30x1xi32>, tensor<30x40xf32>", "tensor<8x40xf32>",
      "%0 = \"stablehlo.scatter\"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<"
      "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
      "index_vector_dim = 1>}> " ADD_BODY
      " : (tensor<8x40xf32>, tensor<30x1xi32>, tensor<30x40xf32>) -> tensor<8x40xf32>\n"
      "\"kernel.return\"(%0) : (tensor<8x40xf32>) -> ()",
      &CLOSE);
}
END_TEST

START_TEST(scatters_points_and_windows)
{
  exec_check_body(
      "scatter", "%a: tensor<9xf32>, %i: tensor<30x1xi64>, %u: tensor<30xf32>",
      "tensor<9xf32>, tensor<30x1xi64>, tensor<30xf32>", "tensor<9xf32>",
      "%0 = \"stablehlo.scatter\"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<"
      "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = "
      "1>}> " ADD_BODY " : (tensor<9xf32>, tensor<30x1xi64>, tensor<30xf32>) -> tensor<9xf32>\n"
      "\"kernel.return\"(%0) : (tensor<9xf32>) -> ()",
      &CLOSE);
  exec_check_body(
      "scatter", "%a: tensor<9x6xf32>, %i: tensor<5x2xi32>, %u: tensor<5x3x2xf32>",
      "tensor<9x6xf32>, tensor<5x2xi32>, tensor<5x3x2xf32>", "tensor<9x6xf32>",
      "%0 = \"stablehlo.scatter\"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<"
      "update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = "
      "1>}> " ADD_BODY
      " : (tensor<9x6xf32>, tensor<5x2xi32>, tensor<5x3x2xf32>) -> tensor<9x6xf32>\n"
      "\"kernel.return\"(%0) : (tensor<9x6xf32>) -> ()",
      &CLOSE);
}
END_TEST

START_TEST(windows)
{
  exec_check_body(
      "window", "%a: tensor<2x9x7x3xf32>", "tensor<2x9x7x3xf32>", "tensor<2x5x3x3xf32>",
      "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "%0 = \"stablehlo.reduce_window\"(%a, %z) <{window_dimensions = array<i64: 1, 3, 3, 1>, "
      "window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [1, 1], [0, 0], [0, 0]]> "
      ": "
      "tensor<4x2xi64>}> " ADD_BODY " : (tensor<2x9x7x3xf32>, tensor<f32>) -> tensor<2x5x3x3xf32>\n"
      "\"kernel.return\"(%0) : (tensor<2x5x3x3xf32>) -> ()",
      &CLOSE);
  exec_check_body(
      "window", "%a: tensor<12xi32>, %z: tensor<i32>", "tensor<12xi32>, tensor<i32>",
      "tensor<12xi32>",
      "%0 = \"stablehlo.reduce_window\"(%a, %z) <{window_dimensions = array<i64: 12>, padding = "
      "dense<[[11, 0]]> : tensor<1x2xi64>}> ({\n^bb0(%x: tensor<i32>, %y: tensor<i32>):\n %s = "
      "stablehlo.maximum %x, %y : tensor<i32>\n stablehlo.return %s : tensor<i32>\n}) : "
      "(tensor<12xi32>, tensor<i32>) -> tensor<12xi32>\n"
      "\"kernel.return\"(%0) : (tensor<12xi32>) -> ()",
      &WHOLE);
}
END_TEST

START_TEST(select_and_scatter)
{
  exec_check_body(
      "scatter", "%a: tensor<2x8x8x3xf32>, %s: tensor<2x4x4x3xf32>, %z: tensor<f32>",
      "tensor<2x8x8x3xf32>, tensor<2x4x4x3xf32>, tensor<f32>", "tensor<2x8x8x3xf32>",
      "%0 = \"stablehlo.select_and_scatter\"(%a, %s, %z) <{window_dimensions = array<i64: 1, 3, 3, "
      "1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [0, 1], [0, 1], [0, "
      "0]]> "
      ": tensor<4x2xi64>}> ({\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n %c = stablehlo.compare "
      "GE, "
      "%x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>\n stablehlo.return %c : tensor<i1>\n}, "
      "{\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n %s2 = stablehlo.add %x, %y : tensor<f32>\n "
      "stablehlo.return %s2 : tensor<f32>\n}) : (tensor<2x8x8x3xf32>, tensor<2x4x4x3xf32>, "
      "tensor<f32>) -> tensor<2x8x8x3xf32>\n"
      "\"kernel.return\"(%0) : (tensor<2x8x8x3xf32>) -> ()",
      &CLOSE);
}
END_TEST

START_TEST(sorts)
{
  exec_check_body(
      "sort", "%a: tensor<3x37xf32>", "tensor<3x37xf32>", "tensor<3x37xf32>",
      "%0 = \"stablehlo.sort\"(%a) <{dimension = 1 : i64, is_stable = true}> ({\n^bb0(%x: "
      "tensor<f32>, "
      "%y: tensor<f32>):\n %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> "
      "tensor<i1>\n stablehlo.return %c : tensor<i1>\n}) : (tensor<3x37xf32>) -> tensor<3x37xf32>\n"
      "\"kernel.return\"(%0) : (tensor<3x37xf32>) -> ()",
      &ANY);
  exec_check_body(
      "sort", "%a: tensor<50x2xi32>, %b: tensor<50x2xf64>", "tensor<50x2xi32>, tensor<50x2xf64>",
      "tensor<50x2xi32>, tensor<50x2xf64>",
      "%0:2 = \"stablehlo.sort\"(%a, %b) <{dimension = 0 : i64, is_stable = true}> ({\n^bb0(%x: "
      "tensor<i32>, %y: tensor<i32>, %v: tensor<f64>, %w: tensor<f64>):\n %c = stablehlo.compare "
      "GT, "
      "%x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>\n stablehlo.return %c : tensor<i1>\n}) : "
      "(tensor<50x2xi32>, tensor<50x2xf64>) -> (tensor<50x2xi32>, tensor<50x2xf64>)\n"
      "\"kernel.return\"(%0#0, %0#1) : (tensor<50x2xi32>, tensor<50x2xf64>) -> ()",
      &WHOLE);
}
END_TEST

/* Widened (lowering/step/widen_sorts.c): the second results are where it merges. Rows of odd and of
 * even numbers of passes. */
START_TEST(sorts_in_planned_memory)
{
  static const int LENGTHS[] = {1, 2, 3, 37, 64, 65};
  for (size_t i = 0; i < sizeof LENGTHS / sizeof LENGTHS[0]; ++i) {
    char types[96], arguments[128], results[256], body[2048];
    int n = LENGTHS[i];
    snprintf(types, sizeof types, "tensor<3x%dxf32>, tensor<3x%dxi32>", n, n);
    snprintf(arguments, sizeof arguments, "%%a: tensor<3x%dxf32>, %%b: tensor<3x%dxi32>", n, n);
    snprintf(results, sizeof results, "%s, %s", types, types);
    snprintf(body, sizeof body,
             "%%0:4 = \"stablehlo.sort\"(%%a, %%b, %%a, %%b) <{dimension = 1 : i64, is_stable = "
             "true}> ({\n^bb0(%%x: tensor<f32>, %%y: tensor<f32>, %%v: tensor<i32>, %%w: "
             "tensor<i32>, %%x2: tensor<f32>, %%y2: tensor<f32>, %%v2: tensor<i32>, %%w2: "
             "tensor<i32>):\n %%c = stablehlo.compare LT, %%x, %%y : (tensor<f32>, tensor<f32>) -> "
             "tensor<i1>\n stablehlo.return %%c : tensor<i1>\n}) : (%s) -> (%s)\n"
             "\"kernel.return\"(%%0#0, %%0#1, %%0#2, %%0#3) : (%s) -> ()",
             results, results, results);
    const ExecOptions options = {.whole = true, .low = -5, .high = 5};
    exec_check_body("sort", arguments, types, results, body, &options);
  }
}
END_TEST

START_TEST(random_bits)
{
  static const char *const CASES[][3] = {{"THREE_FRY", "2", "ui32"}, {"THREE_FRY", "2", "ui64"},
                                         {"THREE_FRY", "2", "ui8"},  {"PHILOX", "2", "ui32"},
                                         {"PHILOX", "3", "ui32"},    {"PHILOX", "3", "ui64"},
                                         {"DEFAULT", "2", "i16"}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
    EchoBuffer body = {0}, in = {0}, out = {0}, argument = {0};
    echo_buffer_printf(&in, "tensor<%sxui64>", CASES[i][1]);
    echo_buffer_printf(&argument, "%%a: %s", in.data);
    echo_buffer_printf(&out, "tensor<%sxui64>, tensor<5x9x%s>", CASES[i][1], CASES[i][2]);
    echo_buffer_printf(&body,
                       "%%0:2 = stablehlo.rng_bit_generator %%a, algorithm = %s : (%s) -> (%s)\n"
                       "\"kernel.return\"(%%0#0, %%0#1) : (%s) -> ()",
                       CASES[i][0], in.data, out.data, out.data);
    exec_check_body("rng", argument.data, in.data, out.data, body.data, &ANY);
    echo_buffer_destroy(&body);
    echo_buffer_destroy(&in);
    echo_buffer_destroy(&out);
    echo_buffer_destroy(&argument);
  }
}
END_TEST

START_TEST(convolutions)
{
  exec_check_body("convolution", "%a: tensor<2x9x8x3xf32>, %k: tensor<3x3x3x20xf32>",
                  "tensor<2x9x8x3xf32>, tensor<3x3x3x20xf32>", "tensor<2x5x4x20xf32>",
                  "%0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, "
                  "0, 1, f], window "
                  "= {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, "
                  "feature_group_count = 1 : i64} : (tensor<2x9x8x3xf32>, tensor<3x3x3x20xf32>) -> "
                  "tensor<2x5x4x20xf32>\n"
                  "\"kernel.return\"(%0) : (tensor<2x5x4x20xf32>) -> ()",
                  &CLOSE);
  exec_check_body(
      "convolution", "%a: tensor<2x6x10xf32>, %k: tensor<4x3x3xf32>",
      "tensor<2x6x10xf32>, tensor<4x3x3xf32>", "tensor<2x4x17xf32>",
      "%0 = stablehlo.convolution(%a, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = "
      "{pad = [[1, 1]], lhs_dilate = [2], rhs_dilate = [2], reverse = [true]} {batch_group_count = "
      "1 "
      ": i64, feature_group_count = 2 : i64} : (tensor<2x6x10xf32>, tensor<4x3x3xf32>) -> "
      "tensor<2x4x17xf32>\n"
      "\"kernel.return\"(%0) : (tensor<2x4x17xf32>) -> ()",
      &CLOSE);
  exec_check_body(
      "convolution", "%a: tensor<4x6x3xf32>, %k: tensor<3x3x8xf32>",
      "tensor<4x6x3xf32>, tensor<3x3x8xf32>", "tensor<2x4x8xf32>",
      "%0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = "
      "{} "
      "{batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x6x3xf32>, "
      "tensor<3x3x8xf32>) -> tensor<2x4x8xf32>\n"
      "\"kernel.return\"(%0) : (tensor<2x4x8xf32>) -> ()",
      &CLOSE);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("exec/special");
  TCase *tests = tcase_create("special");
  tcase_set_timeout(tests, 300);
  tcase_add_test(tests, scatters_rows);
  tcase_add_test(tests, scatters_points_and_windows);
  tcase_add_test(tests, windows);
  tcase_add_test(tests, select_and_scatter);
  tcase_add_test(tests, sorts);
  tcase_add_test(tests, sorts_in_planned_memory);
  tcase_add_test(tests, random_bits);
  tcase_add_test(tests, convolutions);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
