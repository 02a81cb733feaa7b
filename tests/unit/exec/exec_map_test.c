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

int main(void)
{
  Suite *suite = suite_create("exec/map");
  TCase *tests = tcase_create("map");
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, adds_with_broadcast);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
