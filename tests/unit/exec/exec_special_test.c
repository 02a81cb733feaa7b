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

/* Every way in which a convolution may be written. */
static const struct {
  const char *type, *x, *k, *y, *dims, *window;
  int feature_groups, batch_groups;
} CONVOLUTIONS[] = {
    /* two blocks of features, uneven tasks */
    {"f32", "2x13x11x70", "3x3x70x40", "2x13x11x40", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
     "stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse "
     "= [false, false]",
     1, 1},
    /* NCHW, three vectors of features */
    {"f32", "2x5x13x11", "48x5x3x3", "2x48x13x11", "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]",
     "stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse "
     "= [false, false]",
     1, 1},
    /* a gradient of weights: a window of more than 512 taps */
    {"f32", "3x28x28x10", "3x26x26x20", "3x3x10x20", "[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]",
     "stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse "
     "= [false, false]",
     1, 1},
    /* a strided one's: taps two apart */
    {"f32", "4x17x17x5", "4x8x8x6", "5x5x5x6", "[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]",
     "stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse "
     "= [false, false]",
     1, 1},
    /* a gradient of data: residues of unequal size */
    {"f32", "2x5x6x9", "3x3x7x9", "2x10x12x7", "[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]",
     "stride = [1, 1], pad = [[1, 2], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse "
     "= [true, true]",
     1, 1},
    /* residues that meet no tap */
    {"f32", "2x5x6x9", "1x2x7x9", "2x15x16x7", "[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]",
     "stride = [1, 1], pad = [[0, 2], [3, -2]], lhs_dilate = [3, 3], rhs_dilate = [1, 1], "
     "reverse = [false, true]",
     1, 1},
    /* patches: all residues are columns of one product */
    {"f32", "2x5x6x9", "4x4x3x9", "2x20x24x3", "[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]",
     "stride = [1, 1], pad = [[3, 3], [3, 3]], lhs_dilate = [4, 4], rhs_dilate = [1, 1], reverse "
     "= [true, true]",
     1, 1},
    /* along one dimension, of two taps; along the other they begin at different places */
    {"f32", "2x4x5x6", "10x4x4x6", "2x10x10x18", "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]",
     "stride = [1, 1], pad = [[2, 2], [5, 2]], lhs_dilate = [2, 3], rhs_dilate = [1, 1], reverse "
     "= [false, false]",
     1, 1},
    /* of groups, padding taken away */
    {"f32", "3x7x8", "2x4x6", "3x12x6", "[b, 0, f]x[0, i, o]->[b, 0, f]",
     "stride = [1], pad = [[-1, 1]], lhs_dilate = [2], rhs_dilate = [1], reverse = [false]", 2, 1},
    /* features first, of another type */
    {"f64", "3x7x8", "3x8x5", "5x21x3", "[b, 0, f]x[0, i, o]->[f, 0, b]",
     "stride = [1], pad = [[2, 2]], lhs_dilate = [3], rhs_dilate = [1], reverse = [false]", 1, 1},
    /* fewer places than residues */
    {"f32", "2x2x9x3", "4x3x3x4", "2x2x9x4", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
     "stride = [1, 1], pad = [[1, 0], [1, 1]], lhs_dilate = [3, 1], rhs_dilate = [1, 1], reverse "
     "= [false, false]",
     1, 1},
    /* dilated input and stride */
    {"f32", "2x7x6x3", "3x2x3x4", "2x10x5x4", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
     "stride = [2, 3], pad = [[1, 2], [2, 2]], lhs_dilate = [3, 2], rhs_dilate = [1, 2], reverse "
     "= [false, true]",
     1, 1},
    /* stride and dilation with a common divisor; padding taken away */
    {"f32", "2x19x16x3", "3x2x3x4", "2x3x6x4", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
     "stride = [4, 2], pad = [[-1, -2], [3, -3]], lhs_dilate = [1, 1], rhs_dilate = [2, 4], "
     "reverse = [false, false]",
     1, 1},
    /* one place: the batch are rows */
    {"f32", "30x4x4x6", "4x4x6x17", "30x1x1x17", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
     "stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse "
     "= [false, false]",
     1, 1},
    /* one tap, strided */
    {"f32", "3x9x8x6", "1x1x6x5", "3x5x3x5", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
     "stride = [2, 3], pad = [[0, 0], [1, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse "
     "= [false, false]",
     1, 1},
    /* groups of one feature */
    {"f32", "2x9x8x12", "3x3x1x24", "2x9x8x24", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
     "stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse "
     "= [false, false]",
     12, 1},
    /* their gradient */
    {"f32", "2x9x8x12", "2x9x8x12", "3x3x1x12", "[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]",
     "stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse "
     "= [false, false]",
     1, 12},
    /* large patches apart from each other */
    {"f32", "1x160x96x3", "16x16x3x8", "1x10x6x8", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
     "stride = [16, 16], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], "
     "reverse = [false, false]",
     1, 1},
    /* three dimensions in another order */
    {"f32", "4x3x5x2x6", "5x2x3x3x2", "5x5x2x6x2",
     "[1, f, 0, b, 2]x[o, 2, i, 1, 0]->[f, 2, 1, 0, b]",
     "stride = [1, 2, 1], pad = [[1, 1], [1, 0], [0, 1]], lhs_dilate = [1, 1, 1], rhs_dilate = "
     "[1, 1, 2], reverse = [false, false, true]",
     1, 1},
    /* no spatial dimension */
    {"f32", "5x7", "7x9", "5x9", "[b, f]x[i, o]->[b, f]",
     "stride = [], pad = [], lhs_dilate = [], rhs_dilate = [], reverse = []", 1, 1},
    /* of another type */
    {"f64", "2x7x6x5", "3x2x5x6", "2x13x4x6", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
     "stride = [1, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 1], reverse "
     "= [false, true]",
     1, 1},
    /* of another type */
    {"f16", "2x7x6x5", "3x2x5x6", "2x13x4x6", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
     "stride = [1, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 1], reverse "
     "= [false, true]",
     1, 1},
    /* of another type */
    {"bf16", "2x7x6x5", "3x2x5x6", "2x13x4x6", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
     "stride = [1, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 1], reverse "
     "= [false, true]",
     1, 1},
    /* of another type */
    {"i8", "2x7x6x5", "3x2x5x6", "2x13x4x6", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
     "stride = [1, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 1], reverse "
     "= [false, true]",
     1, 1},
    /* of another type */
    {"ui32", "2x7x6x5", "3x2x5x6", "2x13x4x6", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
     "stride = [1, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 1], reverse "
     "= [false, true]",
     1, 1},
    /* of another type */
    {"i64", "2x7x6x5", "3x2x5x6", "2x13x4x6", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
     "stride = [1, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 1], reverse "
     "= [false, true]",
     1, 1},
};

/* Whole numbers: any order of a sum gives the same bits. */
START_TEST(convolutions_of_every_form)
{
  static const ExecOptions INTS = {
      .low = -2, .high = 2, .whole = true, .int_low = -7, .int_high = 7};
  for (size_t i = 0; i < sizeof CONVOLUTIONS / sizeof CONVOLUTIONS[0]; ++i) {
    char arguments[256], types[256], result[128], body[1024];
    const char *type = CONVOLUTIONS[i].type;
    snprintf(types, sizeof types, "tensor<%sx%s>, tensor<%sx%s>", CONVOLUTIONS[i].x, type,
             CONVOLUTIONS[i].k, type);
    snprintf(arguments, sizeof arguments, "%%a: tensor<%sx%s>, %%k: tensor<%sx%s>",
             CONVOLUTIONS[i].x, type, CONVOLUTIONS[i].k, type);
    snprintf(result, sizeof result, "tensor<%sx%s>", CONVOLUTIONS[i].y, type);
    snprintf(body, sizeof body,
             "%%0 = stablehlo.convolution(%%a, %%k) dim_numbers = %s, window = {%s} "
             "{batch_group_count = %d : i64, feature_group_count = %d : i64} : (%s) -> %s\n"
             "\"kernel.return\"(%%0) : (%s) -> ()",
             CONVOLUTIONS[i].dims, CONVOLUTIONS[i].window, CONVOLUTIONS[i].batch_groups,
             CONVOLUTIONS[i].feature_groups, types, result, result);
    exec_check_body("convolution", arguments, types, result, body, &INTS);
  }
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
  tcase_add_test(tests, convolutions_of_every_form);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
