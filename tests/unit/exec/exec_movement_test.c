/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ops that move elements, and chains of them whose indices fold together. */
#include "tests/unit/exec/harness.h"
#include "tests/unit/suite.h"

static const ExecOptions EXACT = {.special = true};
static const ExecOptions INDICES = {.int_low = -3, .int_high = 9};

/* One operand %a, one result. */
static void check(const char *in, const char *out, const char *op)
{
  EchoBuffer argument = {0}, body = {0};
  echo_buffer_printf(&argument, "%%a: %s", in);
  echo_buffer_printf(&body, "%s\n\"kernel.return\"(%%0) : (%s) -> ()", op, out);
  exec_check_body("map", echo_buffer_c_str(&argument), in, out, echo_buffer_c_str(&body), &EXACT);
  echo_buffer_destroy(&argument);
  echo_buffer_destroy(&body);
}

START_TEST(movements)
{
  check(
      "tensor<3x1xf32>", "tensor<2x3x5xf32>",
      "%0 = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<3x1xf32>) -> tensor<2x3x5xf32>");
  check("tensor<6x4xf32>", "tensor<3x8xf32>",
        "%0 = stablehlo.reshape %a : (tensor<6x4xf32>) -> tensor<3x8xf32>");
  check("tensor<6x4xi8>", "tensor<2x3x1x4xi8>",
        "%0 = stablehlo.reshape %a : (tensor<6x4xi8>) -> tensor<2x3x1x4xi8>");
  check("tensor<5x6x7xf64>", "tensor<7x5x6xf64>",
        "%0 = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<5x6x7xf64>) -> tensor<7x5x6xf64>");
  check("tensor<65x70xf32>", "tensor<70x65xf32>",
        "%0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<65x70xf32>) -> tensor<70x65xf32>");
  check("tensor<5x6xi1>", "tensor<5x6xi1>",
        "%0 = stablehlo.reverse %a, dims = [0, 1] : tensor<5x6xi1>");
  check("tensor<9x20xf32>", "tensor<3x6xf32>",
        "%0 = stablehlo.slice %a [1:9:3, 2:20:3] : (tensor<9x20xf32>) -> tensor<3x6xf32>");
}
END_TEST

START_TEST(pads)
{
  exec_check_body("map", "%a: tensor<3x5xf32>, %p: tensor<f32>", "tensor<3x5xf32>, tensor<f32>",
                  "tensor<8x13xf32>",
                  "%0 = stablehlo.pad %a, %p, low = [1, 2], high = [2, 2], interior = [1, 1] : "
                  "(tensor<3x5xf32>, tensor<f32>) -> tensor<8x13xf32>\n"
                  "\"kernel.return\"(%0) : (tensor<8x13xf32>) -> ()",
                  &EXACT);
  exec_check_body("map", "%a: tensor<6x5xf32>, %p: tensor<f32>", "tensor<6x5xf32>, tensor<f32>",
                  "tensor<5x6xf32>",
                  "%0 = stablehlo.pad %a, %p, low = [-2, 2], high = [1, -1], interior = [0, 0] : "
                  "(tensor<6x5xf32>, tensor<f32>) -> tensor<5x6xf32>\n"
                  "\"kernel.return\"(%0) : (tensor<5x6xf32>) -> ()",
                  &EXACT);
}
END_TEST

START_TEST(concatenates)
{
  exec_check_body(
      "map", "%a: tensor<3x5xf32>, %b: tensor<3x1xf32>, %c: tensor<3x9xf32>",
      "tensor<3x5xf32>, tensor<3x1xf32>, tensor<3x9xf32>", "tensor<3x15xf32>",
      "%0 = stablehlo.concatenate %a, %b, %c, dim = 1 : (tensor<3x5xf32>, tensor<3x1xf32>, "
      "tensor<3x9xf32>) -> tensor<3x15xf32>\n"
      "\"kernel.return\"(%0) : (tensor<3x15xf32>) -> ()",
      &EXACT);
}
END_TEST

START_TEST(iotas_and_constants)
{
  exec_check_body("map", "", "", "tensor<4x5xf32>, tensor<4x5xui8>, tensor<2x3xi64>, tensor<7xf64>",
                  "%0 = stablehlo.iota dim = 1 : tensor<4x5xf32>\n"
                  "%1 = stablehlo.iota dim = 0 : tensor<4x5xui8>\n"
                  "%2 = stablehlo.constant dense<[[1, -2, 3], [4, 5, 6]]> : tensor<2x3xi64>\n"
                  "%3 = stablehlo.constant dense<2.5> : tensor<7xf64>\n"
                  "\"kernel.return\"(%0, %1, %2, %3) : (tensor<4x5xf32>, tensor<4x5xui8>, "
                  "tensor<2x3xi64>, tensor<7xf64>) -> ()",
                  &EXACT);
}
END_TEST

START_TEST(dynamic_slices)
{
  exec_check_body("map", "%a: tensor<6x8xf32>, %i: tensor<i32>, %j: tensor<i32>",
                  "tensor<6x8xf32>, tensor<i32>, tensor<i32>", "tensor<2x5xf32>",
                  "%0 = stablehlo.dynamic_slice %a, %i, %j, sizes = [2, 5] : (tensor<6x8xf32>, "
                  "tensor<i32>, tensor<i32>) -> tensor<2x5xf32>\n"
                  "\"kernel.return\"(%0) : (tensor<2x5xf32>) -> ()",
                  &INDICES);
  exec_check_body("map",
                  "%a: tensor<6x8xf32>, %u: tensor<2x8xf32>, %i: tensor<i64>, %j: tensor<i64>",
                  "tensor<6x8xf32>, tensor<2x8xf32>, tensor<i64>, tensor<i64>", "tensor<6x8xf32>",
                  "%0 = stablehlo.dynamic_update_slice %a, %u, %i, %j : (tensor<6x8xf32>, "
                  "tensor<2x8xf32>, tensor<i64>, tensor<i64>) -> tensor<6x8xf32>\n"
                  "\"kernel.return\"(%0) : (tensor<6x8xf32>) -> ()",
                  &INDICES);
}
END_TEST

START_TEST(gathers_rows)
{
  exec_check_body(
      "map", "%a: tensor<9x16xf32>, %i: tensor<4x3xi32>", "tensor<9x16xf32>, tensor<4x3xi32>",
      "tensor<4x3x16xf32>",
      "%0 = \"stablehlo.gather\"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = "
      "[2], "
      "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = "
      "array<i64: 1, 16>}> : (tensor<9x16xf32>, tensor<4x3xi32>) -> tensor<4x3x16xf32>\n"
      "\"kernel.return\"(%0) : (tensor<4x3x16xf32>) -> ()",
      &INDICES);
}
END_TEST

/* Each level reads the one below twice: without memory this would be 2^24 loads. */
START_TEST(chains_stay_linear)
{
  EchoBuffer body = {0};
  echo_buffer_append_c(&body, "%v0 = stablehlo.add %a, %a : tensor<64xf32>\n");
  for (int i = 1; i <= 24; ++i)
    echo_buffer_printf(&body,
                       "%%s%d = stablehlo.slice %%v%d [1:%d] : (tensor<%dxf32>) -> tensor<%dxf32>\n"
                       "%%t%d = stablehlo.slice %%v%d [0:%d] : (tensor<%dxf32>) -> tensor<%dxf32>\n"
                       "%%v%d = stablehlo.add %%s%d, %%t%d : tensor<%dxf32>\n",
                       i, i - 1, 65 - i, 65 - i, 64 - i, i, i - 1, 64 - i, 65 - i, 64 - i, i, i, i,
                       64 - i);
  echo_buffer_append_c(&body, "\"kernel.return\"(%v24) : (tensor<40xf32>) -> ()");
  ExecOptions options = {.low = -1, .high = 1};
  exec_check_body("map", "%a: tensor<64xf32>", "tensor<64xf32>", "tensor<40xf32>",
                  echo_buffer_c_str(&body), &options);
  echo_buffer_destroy(&body);
}
END_TEST

/* Elementwise chains of any length are computed without recursion. */
START_TEST(long_chains)
{
  EchoBuffer body = {0};
  echo_buffer_append_c(&body, "%v0 = stablehlo.negate %a : tensor<16xf32>\n");
  for (int i = 1; i <= 4000; ++i)
    echo_buffer_printf(&body, "%%v%d = stablehlo.%s %%v%d : tensor<16xf32>\n", i,
                       i % 3 == 0 ? "abs" : "negate", i - 1);
  echo_buffer_append_c(&body, "\"kernel.return\"(%v4000) : (tensor<16xf32>) -> ()");
  exec_check_body("map", "%a: tensor<16xf32>", "tensor<16xf32>", "tensor<16xf32>",
                  echo_buffer_c_str(&body), &EXACT);
  echo_buffer_destroy(&body);
}
END_TEST

START_TEST(results_of_several_shapes)
{
  exec_check_body(
      "map", "%a: tensor<6x4xf32>", "tensor<6x4xf32>",
      "tensor<24xf32>, tensor<4x6xf32>, tensor<6x4xf32>",
      "%0 = stablehlo.negate %a : tensor<6x4xf32>\n"
      "%1 = stablehlo.reshape %0 : (tensor<6x4xf32>) -> tensor<24xf32>\n"
      "%2 = stablehlo.transpose %0, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>\n"
      "%3 = stablehlo.reshape %2 : (tensor<4x6xf32>) -> tensor<6x4xf32>\n"
      "\"kernel.return\"(%1, %2, %3) : (tensor<24xf32>, tensor<4x6xf32>, tensor<6x4xf32>) "
      "-> ()",
      &EXACT);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("exec/movement");
  TCase *tests = tcase_create("movement");
  tcase_set_timeout(tests, 300);
  tcase_add_test(tests, movements);
  tcase_add_test(tests, pads);
  tcase_add_test(tests, concatenates);
  tcase_add_test(tests, iotas_and_constants);
  tcase_add_test(tests, dynamic_slices);
  tcase_add_test(tests, gathers_rows);
  tcase_add_test(tests, chains_stay_linear);
  tcase_add_test(tests, long_chains);
  tcase_add_test(tests, results_of_several_shapes);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
