/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* dot_general through generated blocks, compared with the interpreter; through BLAS it is jit's to
 * run. */
#include <stdio.h>

#include "tests/unit/exec/harness.h"
#include "tests/unit/suite.h"

/* Values are small integers: every order of summation gives the same bits. */
static const ExecOptions WHOLE = {
    .low = 0.0, .high = 1.0, .no_blas = true, .ulps = 64, .scale = 1.0};
static const ExecOptions INTS = {.int_low = -7, .int_high = 7, .no_blas = true};

static void check_matmul(const char *type, int m, int n, int k, const ExecOptions *options)
{
  char arguments[256], types[256], result[256], body[1024];
  snprintf(arguments, sizeof arguments, "%%a: tensor<%dx%dx%s>, %%b: tensor<%dx%dx%s>", m, k, type,
           k, n, type);
  snprintf(types, sizeof types, "tensor<%dx%dx%s>, tensor<%dx%dx%s>", m, k, type, k, n, type);
  snprintf(result, sizeof result, "tensor<%dx%dx%s>", m, n, type);
  snprintf(body, sizeof body,
           "%%0 = stablehlo.dot_general %%a, %%b, contracting_dims = [1] x [0] : (%s) -> %s\n"
           "\"kernel.return\"(%%0) : (%s) -> ()",
           types, result, result);
  exec_check_body("contraction", arguments, types, result, body, options);
}

START_TEST(multiplies_matrices_of_many_shapes)
{
  static const int SHAPES[][3] = {{1, 1, 1},     {1, 16, 8},    {6, 16, 4},     {7, 17, 5},
                                  {24, 64, 128}, {25, 65, 129}, {50, 100, 300}, {3, 1, 1000},
                                  {1, 200, 64},  {100, 3, 2}};
  for (size_t i = 0; i < sizeof SHAPES / sizeof SHAPES[0]; ++i) {
    check_matmul("f32", SHAPES[i][0], SHAPES[i][1], SHAPES[i][2], &WHOLE);
    check_matmul("f64", SHAPES[i][0], SHAPES[i][1], SHAPES[i][2], &WHOLE);
  }
}
END_TEST

START_TEST(multiplies_matrices_of_every_type)
{
  static const char *const INT_TYPES[] = {"i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64"};
  for (size_t i = 0; i < sizeof INT_TYPES / sizeof INT_TYPES[0]; ++i)
    check_matmul(INT_TYPES[i], 10, 20, 30, &INTS);
  ExecOptions halves = {.low = 0.0, .high = 1.0, .no_blas = true, .ulps = 1.0, .scale = 1.0};
  check_matmul("f16", 10, 20, 30, &halves);
  check_matmul("bf16", 10, 20, 30, &halves);
  check_matmul("f16", 65, 33, 64, &halves);
  check_matmul("bf16", 33, 70, 101, &halves);
}
END_TEST

START_TEST(multiplies_other_layouts)
{
  exec_check_body(
      "contraction", "%a: tensor<5x7x3xf32>, %b: tensor<5x11x7xf32>",
      "tensor<5x7x3xf32>, tensor<5x11x7xf32>", "tensor<5x3x11xf32>",
      "%0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x "
      "[2] : (tensor<5x7x3xf32>, tensor<5x11x7xf32>) -> tensor<5x3x11xf32>\n"
      "\"kernel.return\"(%0) : (tensor<5x3x11xf32>) -> ()",
      &WHOLE);
  exec_check_body(
      "contraction", "%a: tensor<2x9x4x8xf32>, %b: tensor<2x6x4x8xf32>",
      "tensor<2x9x4x8xf32>, tensor<2x6x4x8xf32>", "tensor<2x4x9x6xf32>",
      "%0 = stablehlo.dot_general %a, %b, batching_dims = [0, 2] x [0, 2], contracting_dims = "
      "[3] x [3] : (tensor<2x9x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x9x6xf32>\n"
      "\"kernel.return\"(%0) : (tensor<2x4x9x6xf32>) -> ()",
      &WHOLE);
  exec_check_body(
      "contraction", "%a: tensor<2x8x6x16xf32>, %b: tensor<2x16x4x16xf32>",
      "tensor<2x8x6x16xf32>, tensor<2x16x4x16xf32>", "tensor<2x8x6x4x16xf32>",
      "%0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [3] x [1] "
      ": (tensor<2x8x6x16xf32>, tensor<2x16x4x16xf32>) -> tensor<2x8x6x4x16xf32>\n"
      "\"kernel.return\"(%0) : (tensor<2x8x6x4x16xf32>) -> ()",
      &WHOLE);
  exec_check_body("contraction", "%a: tensor<3x4x5xf32>, %b: tensor<5x6x3xf32>",
                  "tensor<3x4x5xf32>, tensor<5x6x3xf32>", "tensor<4x6xf32>",
                  "%0 = stablehlo.dot_general %a, %b, contracting_dims = [0, 2] x [2, 0] : "
                  "(tensor<3x4x5xf32>, tensor<5x6x3xf32>) -> tensor<4x6xf32>\n"
                  "\"kernel.return\"(%0) : (tensor<4x6xf32>) -> ()",
                  &WHOLE);
}
END_TEST

/* One operand of few rows or columns, in all four layouts, on either side, with a batch or none;
 * and tiles without edges, whose sums go to the result as they are. */
START_TEST(multiplies_few_rows)
{
  static const ExecOptions WHOLES = {.low = -3, .high = 3, .whole = true, .no_blas = true};
  static const int SHAPES[][3] = {{1, 64, 9},    {4, 48, 40},   {7, 40, 600},   {13, 96, 33},
                                  {32, 160, 5},  {31, 21, 70},  {5, 2000, 8},   {20, 17, 30},
                                  {40, 128, 16}, {192, 64, 40}, {72, 100, 128}, {66, 256, 3}};
  for (size_t i = 0; i < sizeof SHAPES / sizeof SHAPES[0]; ++i)
    for (int form = 0; form < 8; ++form) {
      bool swaps = (form & 4) != 0, has_batch = i % 3 == 0;
      const char *type = i % 2 != 0 ? "f64" : "f32", *batch = has_batch ? "3x" : "";
      int m = SHAPES[i][swaps ? 1 : 0], n = SHAPES[i][swaps ? 0 : 1], k = SHAPES[i][2];
      int lhs_k = (form & 1) != 0 ? 0 : 1, rhs_k = (form & 2) != 0 ? 1 : 0;
      char a[64], b[64], arguments[256], types[256], result[64], body[1024];
      snprintf(a, sizeof a, "tensor<%s%dx%dx%s>", batch, lhs_k == 0 ? k : m, lhs_k == 0 ? m : k,
               type);
      snprintf(b, sizeof b, "tensor<%s%dx%dx%s>", batch, rhs_k == 0 ? k : n, rhs_k == 0 ? n : k,
               type);
      snprintf(arguments, sizeof arguments, "%%a: %s, %%b: %s", a, b);
      snprintf(types, sizeof types, "%s, %s", a, b);
      snprintf(result, sizeof result, "tensor<%s%dx%dx%s>", batch, m, n, type);
      snprintf(
          body, sizeof body,
          "%%0 = stablehlo.dot_general %%a, %%b, %scontracting_dims = [%d] x [%d] : (%s) -> %s\n"
          "\"kernel.return\"(%%0) : (%s) -> ()",
          has_batch ? "batching_dims = [0] x [0], " : "", lhs_k + has_batch, rhs_k + has_batch,
          types, result, result);
      exec_check_body("contraction", arguments, types, result, body, &WHOLES);
    }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("exec/contraction");
  TCase *tests = tcase_create("contraction");
  tcase_set_timeout(tests, 300);
  tcase_add_test(tests, multiplies_matrices_of_many_shapes);
  tcase_add_test(tests, multiplies_matrices_of_every_type);
  tcase_add_test(tests, multiplies_other_layouts);
  tcase_add_test(tests, multiplies_few_rows);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
