/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elementwise kernels, compiled against interpreted. */
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

int main(void)
{
  Suite *suite = suite_create("exec/map");
  TCase *tests = tcase_create("map");
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, adds_with_broadcast);
  tcase_add_test(tests, short_rows);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
