/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elementwise kernels, compiled against interpreted. */
#include <stdio.h>

#include "tests/unit/exec/harness.h"
#include "tests/unit/suite.h"

static const ExecOptions EXACT = {.special = true};

START_TEST(adds_with_broadcast)
{
  exec_check_body("map", "%a: tensor<4x8xf32>, %b: tensor<8xf32>", "tensor<4x8xf32>, tensor<8xf32>",
                  "tensor<4x8xf32>",
                  "%0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<8xf32>) -> "
                  "tensor<4x8xf32>\n"
                  "%1 = stablehlo.add %a, %0 : tensor<4x8xf32>\n"
                  "\"kernel.return\"(%1) : (tensor<4x8xf32>) -> ()",
                  &EXACT);
}
END_TEST

/* Rows of two to seven elements are gone through row by row, what there is one of for each row,
 * too; so are two dimensions that have no more places together. */
START_TEST(short_rows)
{
  exec_check_body(
      "map", "%a: tensor<37x3xf32>, %b: tensor<37xf32>, %c: tensor<37x1xf32>",
      "tensor<37x3xf32>, tensor<37xf32>, tensor<37x1xf32>",
      "tensor<37x4xf32>, tensor<37xf32>, tensor<37x4xi1>",
      "%n = stablehlo.negate %b : tensor<37xf32>\n"
      "%nb = stablehlo.broadcast_in_dim %n, dims = [0] : (tensor<37xf32>) -> tensor<37x4xf32>\n"
      "%ac = stablehlo.concatenate %a, %c, dim = 1 : (tensor<37x3xf32>, tensor<37x1xf32>) -> "
      "tensor<37x4xf32>\n"
      "%s = stablehlo.add %ac, %nb : tensor<37x4xf32>\n"
      "%l = stablehlo.compare LT, %ac, %nb : (tensor<37x4xf32>, tensor<37x4xf32>) -> "
      "tensor<37x4xi1>\n"
      "\"kernel.return\"(%s, %n, %l) : (tensor<37x4xf32>, tensor<37xf32>, tensor<37x4xi1>) -> ()",
      &EXACT);
  exec_check_body("map", "%a: tensor<2x2x40x5xf64>, %b: tensor<2x2xf64>",
                  "tensor<2x2x40x5xf64>, tensor<2x2xf64>",
                  "tensor<5x40x2x2xf64>, tensor<5x40x2xf64>",
                  "%t = stablehlo.transpose %a, dims = [3, 2, 0, 1] : (tensor<2x2x40x5xf64>) -> "
                  "tensor<5x40x2x2xf64>\n"
                  "%bb = stablehlo.broadcast_in_dim %b, dims = [2, 3] : (tensor<2x2xf64>) -> "
                  "tensor<5x40x2x2xf64>\n"
                  "%m = stablehlo.multiply %t, %bb : tensor<5x40x2x2xf64>\n"
                  "%p = stablehlo.slice %m [0:5, 0:40, 0:2, 1:2] : (tensor<5x40x2x2xf64>) -> "
                  "tensor<5x40x2x1xf64>\n"
                  "%q = stablehlo.reshape %p : (tensor<5x40x2x1xf64>) -> tensor<5x40x2xf64>\n"
                  "\"kernel.return\"(%m, %q) : (tensor<5x40x2x2xf64>, tensor<5x40x2xf64>) -> ()",
                  &EXACT);
  exec_check_body("map", "%a: tensor<7x37xf32>, %b: tensor<37xf32>",
                  "tensor<7x37xf32>, tensor<37xf32>", "tensor<37x7xf32>, tensor<37xf32>",
                  "%t = stablehlo.transpose %a, dims = [1, 0] : (tensor<7x37xf32>) -> "
                  "tensor<37x7xf32>\n"
                  "%n = stablehlo.negate %b : tensor<37xf32>\n"
                  "%nb = stablehlo.broadcast_in_dim %n, dims = [0] : (tensor<37xf32>) -> "
                  "tensor<37x7xf32>\n"
                  "%m = stablehlo.multiply %t, %nb : tensor<37x7xf32>\n"
                  "\"kernel.return\"(%m, %n) : (tensor<37x7xf32>, tensor<37xf32>) -> ()",
                  &EXACT);
}
END_TEST

/* Rows of some vectors and a rest, with what there is one of for each row and for each column. */
START_TEST(rows_with_a_rest)
{
  static const int SIZES[] = {9, 10, 12, 15, 17, 20, 30, 47, 48, 50};
  for (size_t i = 0; i < sizeof SIZES / sizeof SIZES[0]; ++i) {
    char arguments[128], type[32], body[1024];
    int n = SIZES[i];
    snprintf(type, sizeof type, "tensor<5x%dxf32>", n);
    snprintf(arguments, sizeof arguments, "%%a: %s, %%b: tensor<5xf32>, %%c: tensor<%dxf32>", type,
             n);
    snprintf(body, sizeof body,
             "%%r = stablehlo.broadcast_in_dim %%b, dims = [0] : (tensor<5xf32>) -> %s\n"
             "%%k = stablehlo.broadcast_in_dim %%c, dims = [1] : (tensor<%dxf32>) -> %s\n"
             "%%p = stablehlo.multiply %%a, %%r : %s\n%%s = stablehlo.add %%p, %%k : %s\n"
             "\"kernel.return\"(%%s) : (%s) -> ()",
             type, n, type, type, type, type);
    char types[128];
    snprintf(types, sizeof types, "%s, tensor<5xf32>, tensor<%dxf32>", type, n);
    exec_check_body("map", arguments, types, type, body, &EXACT);
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("exec/map");
  TCase *tests = tcase_create("map");
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, adds_with_broadcast);
  tcase_add_test(tests, short_rows);
  tcase_add_test(tests, rows_with_a_rest);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
