/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reductions of every shape and kind. The interpreter sums one after the other, kernels in partial
 * sums: whole numbers must agree to the bit, others within the rounding of their magnitudes; and
 * kernels of all kinds among themselves. */
#include <stdio.h>

#include "tests/unit/exec/harness.h"
#include "tests/unit/suite.h"

static const ExecOptions CLOSE = {.low = -3.0, .high = 3.0, .ulps = 16.0, .scale = 64.0};
static const ExecOptions EXACT = {.low = -3.0, .high = 3.0};

/* Reduces dims of tensor<shape x type> by op from init. */
static void check_reduce(const char *kind, const char *shape, const char *result, const char *dims,
                         const char *type, const char *op, const ExecOptions *options)
{
  char argument[256], types[256], out[128], body[1024];
  const char *cross = result[0] != '\0' ? "x" : "";
  snprintf(argument, sizeof argument, "%%a: tensor<%sx%s>, %%init: tensor<%s>", shape, type, type);
  snprintf(types, sizeof types, "tensor<%sx%s>, tensor<%s>", shape, type, type);
  snprintf(out, sizeof out, "tensor<%s%s%s>", result, cross, type);
  snprintf(
      body, sizeof body,
      "%%0 = stablehlo.reduce(%%a init: %%init) applies stablehlo.%s across dimensions = [%s] : "
      "(%s) -> %s\n\"kernel.return\"(%%0) : (%s) -> ()",
      op, dims, types, out, out);
  exec_check_body(kind, argument, types, out, body, options);
}

START_TEST(reduces_rows)
{
  static const int SIZES[] = {1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 100, 1000};
  static const char *const TYPES[] = {"f32", "f64", "f16", "bf16", "i32", "i8", "ui64"};
  for (size_t s = 0; s < sizeof SIZES / sizeof SIZES[0]; ++s)
    for (size_t t = 0; t < sizeof TYPES / sizeof TYPES[0]; ++t) {
      char shape[32];
      snprintf(shape, sizeof shape, "5x%d", SIZES[s]);
      check_reduce("row_reduce", shape, "5", "1", TYPES[t], "add", &CLOSE);
      check_reduce("row_reduce", shape, "5", "1", TYPES[t], "maximum", &EXACT);
    }
  check_reduce("row_reduce", "3x2100", "3", "1", "f32", "add", &CLOSE); /* a GPU's whole block */
  check_reduce("row_reduce", "3x40", "3", "1", "i1", "and", &EXACT);
  check_reduce("row_reduce", "3x40", "3", "1", "i1", "or", &EXACT);
  check_reduce("row_reduce", "3x40", "3", "1", "f32", "multiply", &CLOSE);
  check_reduce("row_reduce", "3x40", "3", "1", "f32", "minimum", &EXACT);
  check_reduce("row_reduce", "3x40", "3", "1", "i64", "xor", &EXACT);
}
END_TEST

START_TEST(reduces_columns)
{
  static const int SIZES[] = {1, 7, 16, 17, 33, 200};
  static const int WIDTHS[] = {1, 5, 16, 64, 65, 300};
  for (size_t s = 0; s < sizeof SIZES / sizeof SIZES[0]; ++s)
    for (size_t w = 0; w < sizeof WIDTHS / sizeof WIDTHS[0]; ++w) {
      char shape[32], result[32];
      snprintf(shape, sizeof shape, "%dx%d", SIZES[s], WIDTHS[w]);
      snprintf(result, sizeof result, "%d", WIDTHS[w]);
      check_reduce("column_reduce", shape, result, "0", "f32", "add", &CLOSE);
      check_reduce("column_reduce", shape, result, "0", "f64", "maximum", &EXACT);
    }
  check_reduce("column_reduce", "4x9x5x7", "5x7", "0, 1", "f32", "add", &CLOSE);
  check_reduce("column_reduce", "4x9x5x7", "5x7", "0, 1", "bf16", "add", &CLOSE);
}
END_TEST

/* The inner sums are asked for in a loop whose iterations are threads: each has its own, in the
 * same order. */
START_TEST(reduces_in_rows_of_reductions)
{
  static const char *const SIZES[] = {"4x5x64", "4x5x600", "4x5x3"};
  for (size_t i = 0; i < 3; ++i) {
    char argument[96], type[64], body[1024];
    snprintf(type, sizeof type, "tensor<%sxf32>", SIZES[i]);
    snprintf(argument, sizeof argument, "%%a: %s", type);
    snprintf(body, sizeof body,
             "%%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
             "%%0 = stablehlo.reduce(%%a init: %%z) applies stablehlo.add across dimensions = [1, "
             "2] : (%s, tensor<f32>) -> tensor<4xf32>\n"
             "%%1 = stablehlo.reduce(%%a init: %%z) applies stablehlo.add across dimensions = [2] "
             ": (%s, tensor<f32>) -> tensor<4x5xf32>\n"
             "%%2 = stablehlo.broadcast_in_dim %%0, dims = [0] : (tensor<4xf32>) -> "
             "tensor<4x5xf32>\n"
             "%%3 = stablehlo.add %%1, %%2 : tensor<4x5xf32>\n"
             "\"kernel.return\"(%%3) : (tensor<4x5xf32>) -> ()",
             type, type);
    exec_check_body("row_reduce", argument, type, "tensor<4x5xf32>", body, &CLOSE);
  }
}
END_TEST

START_TEST(reduces_other_dimensions)
{
  check_reduce("reduce", "4x50x6", "4x6", "1", "f32", "add", &CLOSE);
  check_reduce("reduce", "4x5x6x7", "5", "0, 2, 3", "f32", "add", &CLOSE);
  check_reduce("reduce", "4x5x6x7", "5x7", "0, 2", "f64", "add", &CLOSE);
  check_reduce("reduce", "40x50", "", "0, 1", "f32", "add", &CLOSE);
  check_reduce("reduce", "5x64", "", "0, 1", "f32", "add", &CLOSE); /* whole rows of lanes */
  check_reduce("reduce", "3x2x4x64", "2", "0, 2, 3", "f64", "add", &CLOSE);
  check_reduce("row_reduce", "4x5x6x7", "4x5", "2, 3", "f32", "add", &CLOSE);
}
END_TEST

START_TEST(softmax)
{
  ExecOptions options = {.ulps = 8};
  exec_check_body(
      "row_reduce", "%x: tensor<9x50xf32>", "tensor<9x50xf32>", "tensor<9x50xf32>, tensor<9xf32>",
      "%ninf = stablehlo.constant dense<0xFF800000> : tensor<f32>\n"
      "%zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "%m = stablehlo.reduce(%x init: %ninf) applies stablehlo.maximum across dimensions = [1] : "
      "(tensor<9x50xf32>, tensor<f32>) -> tensor<9xf32>\n"
      "%mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<9xf32>) -> tensor<9x50xf32>\n"
      "%d = stablehlo.subtract %x, %mb : tensor<9x50xf32>\n"
      "%e = stablehlo.exponential %d : tensor<9x50xf32>\n"
      "%s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : "
      "(tensor<9x50xf32>, tensor<f32>) -> tensor<9xf32>\n"
      "%sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<9xf32>) -> tensor<9x50xf32>\n"
      "%r = stablehlo.divide %e, %sb : tensor<9x50xf32>\n"
      "\"kernel.return\"(%r, %s) : (tensor<9x50xf32>, tensor<9xf32>) -> ()",
      &options);
}
END_TEST

START_TEST(argmax)
{
  exec_check_body(
      "row_reduce", "%x: tensor<9x50xf32>", "tensor<9x50xf32>", "tensor<9xf32>, tensor<9xi32>",
      "%ninf = stablehlo.constant dense<0xFF800000> : tensor<f32>\n"
      "%zero = stablehlo.constant dense<0> : tensor<i32>\n"
      "%i = stablehlo.iota dim = 1 : tensor<9x50xi32>\n"
      "%m:2 = stablehlo.reduce(%x init: %ninf), (%i init: %zero) across dimensions = [1] : "
      "(tensor<9x50xf32>, tensor<9x50xi32>, tensor<f32>, tensor<i32>) -> (tensor<9xf32>, "
      "tensor<9xi32>)\n"
      " reducer(%a: tensor<f32>, %b: tensor<f32>) (%ai: tensor<i32>, %bi: tensor<i32>) {\n"
      "  %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
      "  %v = stablehlo.select %c, %a, %b : tensor<i1>, tensor<f32>\n"
      "  %w = stablehlo.select %c, %ai, %bi : tensor<i1>, tensor<i32>\n"
      "  stablehlo.return %v, %w : tensor<f32>, tensor<i32>\n"
      " }\n"
      "\"kernel.return\"(%m#0, %m#1) : (tensor<9xf32>, tensor<9xi32>) -> ()",
      &EXACT);
}
END_TEST

/* Bodies whose results depend on the order, of two values: in vectors of results. */
static void check_in_order(const char *kind, const char *shape, const char *result,
                           const char *dims, const char *kept)
{
  static const char BODY[] =
      " reducer(%a: tensor<f32>, %b: tensor<f32>) (%ai: tensor<i32>, %bi: tensor<i32>) {\n"
      "  %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
      "  %s = stablehlo.select %c, %a, %b : tensor<i1>, tensor<f32>\n"
      "  %v = stablehlo.subtract %s, %b : tensor<f32>\n"
      "  %t = stablehlo.add %ai, %ai : tensor<i32>\n"
      "  %w = stablehlo.subtract %bi, %t : tensor<i32>\n"
      "  stablehlo.return %v, %w : tensor<f32>, tensor<i32>\n"
      " }\n";
  char types[128], results[128], body[4096], reduce[512], *at = body;
  snprintf(types, sizeof types, "tensor<%sxf32>, tensor<%sxi32>, tensor<f32>, tensor<i32>", shape,
           shape);
  snprintf(results, sizeof results, "tensor<%sxf32>, tensor<%sxi32>", result, result);
  snprintf(reduce, sizeof reduce,
           "across dimensions = [%s] : (tensor<%sxf32>, tensor<%sxi32>, tensor<f32>, tensor<i32>) "
           "-> (%s)\n",
           dims, shape, shape, results);
  char *end = body + sizeof body;
  at += snprintf(at, (size_t)(end - at),
                 "%%i = stablehlo.iota dim = 1 : tensor<%sxi32>\n"
                 "%%yb = stablehlo.broadcast_in_dim %%y, dims = [%s] : (tensor<%sxf32>) -> "
                 "tensor<%sxf32>\n"
                 "%%xy = stablehlo.multiply %%x, %%yb : tensor<%sxf32>\n",
                 shape, kept, result, shape, shape);
  at += snprintf(at, (size_t)(end - at),
                 "%%m:2 = stablehlo.reduce(%%xy init: %%f), (%%i init: %%n) ");
  at += snprintf(at, (size_t)(end - at), "%s", reduce);
  at += snprintf(at, (size_t)(end - at), "%s", BODY);
  at +=
      snprintf(at, (size_t)(end - at), "%%k:2 = stablehlo.reduce(%%x init: %%f), (%%z init: %%n) ");
  at += snprintf(at, (size_t)(end - at), "%s", reduce);
  at += snprintf(at, (size_t)(end - at), "%s", BODY);
  snprintf(
      at, (size_t)(end - at),
      "%%v = stablehlo.add %%m#0, %%k#0 : tensor<%sxf32>\n"
      "\"kernel.return\"(%%v, %%m#1, %%k#1) : (tensor<%sxf32>, tensor<%sxi32>, tensor<%sxi32>) "
      "-> ()",
      result, result, result, result);
  char arguments[256], all_types[256], all_results[256];
  snprintf(arguments, sizeof arguments,
           "%%x: tensor<%sxf32>, %%z: tensor<%sxi32>, %%f: tensor<f32>, %%n: tensor<i32>, %%y: "
           "tensor<%sxf32>",
           shape, shape, result);
  snprintf(all_types, sizeof all_types, "%s, tensor<%sxf32>", types, result);
  snprintf(all_results, sizeof all_results, "%s, tensor<%sxi32>", results, result);
  exec_check_body(kind, arguments, all_types, all_results, body, &EXACT);
}

START_TEST(reduces_in_order)
{
  check_in_order("row_reduce", "200x37", "200", "1", "0");
  check_in_order("row_reduce", "64x16", "64", "1", "0");
  check_in_order("row_reduce", "9x50", "9", "1", "0"); /* few results */
  check_in_order("column_reduce", "37x200", "200", "0", "1");
  check_in_order("column_reduce", "5x7x33", "5x33", "1", "0, 2");
  check_in_order("reduce", "6x50x3x7", "6x3", "1, 3", "0, 2");
  check_in_order("reduce", "7x20x5", "20", "0, 2", "1");
}
END_TEST

START_TEST(column_statistics)
{
  exec_check_body(
      "column_reduce", "%x: tensor<37x70xf32>", "tensor<37x70xf32>",
      "tensor<70xf32>, tensor<70xf32>",
      "%zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "%n = stablehlo.constant dense<37.0> : tensor<70xf32>\n"
      "%s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : "
      "(tensor<37x70xf32>, tensor<f32>) -> tensor<70xf32>\n"
      "%mean = stablehlo.divide %s, %n : tensor<70xf32>\n"
      "%mb = stablehlo.broadcast_in_dim %mean, dims = [1] : (tensor<70xf32>) -> tensor<37x70xf32>\n"
      "%d = stablehlo.subtract %x, %mb : tensor<37x70xf32>\n"
      "%dd = stablehlo.multiply %d, %d : tensor<37x70xf32>\n"
      "%v = stablehlo.reduce(%dd init: %zero) applies stablehlo.add across dimensions = [0] : "
      "(tensor<37x70xf32>, tensor<f32>) -> tensor<70xf32>\n"
      "%var = stablehlo.divide %v, %n : tensor<70xf32>\n"
      "\"kernel.return\"(%mean, %var) : (tensor<70xf32>, tensor<70xf32>) -> ()",
      &CLOSE);
}
END_TEST

/* What depends on the column alone is made once for all rows: of each matrix, of all of them, and
 * not where a dimension has moved. */
START_TEST(parts_of_columns)
{
  exec_check_body(
      "column_reduce",
      "%x: tensor<3x20x130xf32>, %u: tensor<129xf32>, %o: tensor<1xf32>, %m: tensor<3x130xf32>, "
      "%t: tensor<130x3xf32>",
      "tensor<3x20x130xf32>, tensor<129xf32>, tensor<1xf32>, tensor<3x130xf32>, tensor<130x3xf32>",
      "tensor<3x130xf32>",
      "%zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "%c = stablehlo.concatenate %u, %o, dim = 0 : (tensor<129xf32>, tensor<1xf32>) -> "
      "tensor<130xf32>\n"
      "%cb = stablehlo.broadcast_in_dim %c, dims = [2] : (tensor<130xf32>) -> "
      "tensor<3x20x130xf32>\n"
      "%e = stablehlo.negate %m : tensor<3x130xf32>\n"
      "%eb = stablehlo.broadcast_in_dim %e, dims = [0, 2] : (tensor<3x130xf32>) -> "
      "tensor<3x20x130xf32>\n"
      "%f = stablehlo.abs %t : tensor<130x3xf32>\n"
      "%fb = stablehlo.broadcast_in_dim %f, dims = [2, 0] : (tensor<130x3xf32>) -> "
      "tensor<3x20x130xf32>\n"
      "%a = stablehlo.multiply %x, %cb : tensor<3x20x130xf32>\n"
      "%b = stablehlo.add %a, %eb : tensor<3x20x130xf32>\n"
      "%d = stablehlo.add %b, %fb : tensor<3x20x130xf32>\n"
      "%s = stablehlo.reduce(%d init: %zero) applies stablehlo.add across dimensions = [1] : "
      "(tensor<3x20x130xf32>, tensor<f32>) -> tensor<3x130xf32>\n"
      "%r = stablehlo.add %s, %e : tensor<3x130xf32>\n"
      "\"kernel.return\"(%r) : (tensor<3x130xf32>) -> ()",
      &CLOSE);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("exec/reduce");
  TCase *tests = tcase_create("reduce");
  tcase_set_timeout(tests, 300);
  tcase_add_test(tests, reduces_rows);
  tcase_add_test(tests, reduces_columns);
  tcase_add_test(tests, reduces_in_rows_of_reductions);
  tcase_add_test(tests, reduces_other_dimensions);
  tcase_add_test(tests, softmax);
  tcase_add_test(tests, argmax);
  tcase_add_test(tests, reduces_in_order);
  tcase_add_test(tests, column_statistics);
  tcase_add_test(tests, parts_of_columns);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
