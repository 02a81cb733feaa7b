/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Windows that are scans: every form and layout against the interpreter, and one order of
 * combination whatever the layout. */
#include <stdio.h>

#include "dialects/dialects.h"
#include "ir/attributes/type.h"
#include "ir/diagnostics.h"
#include "tests/unit/exec/harness.h"
#include "tests/unit/suite.h"

enum { TEXT_BYTES = 2048 };

/* An operand [rows, n, columns] whose middle dimension has windows. */
typedef struct WindowCase {
  int64_t rows, n, columns, window, low, high;
  const char *type, *op, *init;
} WindowCase;

static int64_t n_results(const WindowCase *c)
{
  return c->n + c->low + c->high - c->window + 1;
}

static void print_case(const WindowCase *c, char *arguments, char *result, char *body)
{
  snprintf(arguments, TEXT_BYTES, "tensor<%lldx%lldx%lldx%s>", (long long)c->rows, (long long)c->n,
           (long long)c->columns, c->type);
  snprintf(result, TEXT_BYTES, "tensor<%lldx%lldx%lldx%s>", (long long)c->rows,
           (long long)n_results(c), (long long)c->columns, c->type);
  snprintf(body, TEXT_BYTES,
           "%%z = stablehlo.constant dense<%s> : tensor<%s>\n"
           "%%0 = \"stablehlo.reduce_window\"(%%a, %%z) <{window_dimensions = array<i64: 1, %lld, "
           "1>, padding = dense<[[0, 0], [%lld, %lld], [0, 0]]> : tensor<3x2xi64>}> ({\n"
           "^bb0(%%x: tensor<%s>, %%y: tensor<%s>):\n %%s = stablehlo.%s %%x, %%y : tensor<%s>\n "
           "stablehlo.return %%s : tensor<%s>\n}) : (%.200s, tensor<%s>) -> %.200s\n"
           "\"kernel.return\"(%%0) : (%.200s) -> ()",
           c->init, c->type, (long long)c->window, (long long)c->low, (long long)c->high, c->type,
           c->type, c->op, c->type, c->type, arguments, c->type, result, result);
}

static void check_case(const WindowCase *c, const ExecOptions *options)
{
  char type[TEXT_BYTES], arguments[TEXT_BYTES + 8], result[TEXT_BYTES], body[TEXT_BYTES];
  print_case(c, type, result, body);
  snprintf(arguments, sizeof arguments, "%%a: %s", type);
  exec_check_body("window", arguments, type, result, body, options);
}

/* Sums of n whole numbers in [-1, 1] are exact up to 2^8 in bf16: no order may be wrong. */
static const ExecOptions WHOLE = {
    .low = -1, .high = 1, .int_low = -3, .int_high = 3, .whole = true};

START_TEST(prefixes_and_suffixes)
{
  static const int64_t LENGTHS[] = {1, 7, 8, 63, 64, 65, 128, 129, 255};
  static const int64_t SHAPES[][2] = {{1, 1}, {3, 1}, {1, 5}, {2, 33}, {40, 1}};
  for (size_t i = 0; i < sizeof LENGTHS / sizeof LENGTHS[0]; ++i)
    for (size_t k = 0; k < sizeof SHAPES / sizeof SHAPES[0]; ++k) {
      int64_t n = LENGTHS[i];
      WindowCase c = {SHAPES[k][0], n, SHAPES[k][1], n, n - 1, 0, "f32", "add", "0.0"};
      check_case(&c, &WHOLE);
      c.type = "bf16";
      check_case(&c, &WHOLE);
      c = (WindowCase){SHAPES[k][0], n, SHAPES[k][1], n, 0, n - 1, "i32", "add", "0"};
      check_case(&c, &WHOLE);
    }
}
END_TEST

/* Windows longer than the operand, results that see nothing of it, all of it at the end. */
START_TEST(prefixes_beside_the_operand)
{
  static const WindowCase CASES[] = {{2, 100, 3, 100, 100, -1, "f32", "add", "0.0"},
                                     {2, 100, 3, 100, -1, 100, "f32", "add", "0.0"},
                                     {1, 100, 1, 300, 299, 40, "f64", "add", "0.0"},
                                     {1, 100, 1, 300, 40, 299, "f64", "add", "0.0"},
                                     {1, 100, 1, 250, 260, 30, "f32", "add", "-0.0"},
                                     {3, 100, 1, 250, 30, 260, "f16", "add", "0.0"},
                                     {2, 90, 2, 90, 89, 0, "i8", "multiply", "1"},
                                     {2, 90, 2, 90, 0, 89, "ui16", "xor", "0"}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i)
    check_case(&CASES[i], &WHOLE);
}
END_TEST

START_TEST(sliding_windows)
{
  static const int64_t WINDOWS[] = {8, 9, 16, 31, 64, 99};
  static const int64_t SHAPES[][2] = {{1, 1}, {3, 1}, {2, 33}};
  for (size_t i = 0; i < sizeof WINDOWS / sizeof WINDOWS[0]; ++i)
    for (size_t k = 0; k < sizeof SHAPES / sizeof SHAPES[0]; ++k) {
      int64_t w = WINDOWS[i];
      WindowCase c = {SHAPES[k][0], 107, SHAPES[k][1], w, 0, 0, "f32", "add", "0.0"};
      check_case(&c, &WHOLE);
      c.low = w / 2;
      c.high = (w - 1) / 2;
      check_case(&c, &WHOLE);
      c.init = "3.0"; /* counts once, and once for each place beside the operand */
      check_case(&c, &WHOLE);
      c.low = -2;
      c.high = w + 20;
      check_case(&c, &WHOLE);
    }
}
END_TEST

START_TEST(extremes_with_nans)
{
  static const ExecOptions SPECIAL = {.special = true};
  static const struct {
    const char *op, *init;
  } OPS[] = {{"maximum", "0xFF800000"}, {"minimum", "0x7F800000"}, {"maximum", "1.0"}};
  for (size_t i = 0; i < 3; ++i) {
    WindowCase c = {2, 200, 1, 200, 199, 0, "f32", OPS[i].op, OPS[i].init};
    check_case(&c, &SPECIAL);
    c = (WindowCase){1, 200, 20, 200, 0, 199, "f32", OPS[i].op, OPS[i].init};
    check_case(&c, &SPECIAL);
    c = (WindowCase){2, 200, 3, 11, 5, 5, "f32", OPS[i].op, OPS[i].init};
    check_case(&c, &SPECIAL);
  }
}
END_TEST

/* Windows along two dimensions: strides, dilations of either side, padding, dimensions in either
 * order, on both sides of the number of places that are written out. */
START_TEST(windows_of_two_dimensions)
{
  static const struct {
    const char *operand, *result, *attributes;
  } CASES[] = {
      {"2x9x7x20", "2x4x3x20", "1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1"},
      {"2x20x9x7", "2x20x4x3", "1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2"},
      {"1x9x7x3", "1x9x7x3",
       "1, 3, 3, 1>, padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64"},
      {"2x5x4x17", "2x10x8x17",
       "1, 2, 2, 1>, base_dilations = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [1, 1], [1, "
       "1], [0, 0]]> : tensor<4x2xi64"},
      {"2x9x9x5", "2x5x5x5", "1, 3, 3, 1>, window_dilations = array<i64: 1, 2, 2, 1"},
      {"1x9x9x5", "1x5x6x5", "1, 5, 4, 1"},
      {"1x9x12x5", "1x6x5x5", "1, 4, 8, 1"},
      {"1x9x12x5", "1x6x4x5", "1, 4, 9, 1"},
      {"2x9x9x300", "2x5x5x300",
       "1, 7, 7, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [3, 3], [3, "
       "3], [0, 0]]> : tensor<4x2xi64"},
      {"2x3x20x18", "2x3x15x18",
       "1, 1, 6, 7>, padding = dense<[[0, 0], [0, 0], [0, 0], [3, 3]]> : tensor<4x2xi64"},
      {"3x9x12x1", "3x4x1x1", "1, 6, 12, 1"}};
  static const char *const BODIES[][2] = {{"add", "0.0"}, {"maximum", "0xFF800000"}};
  static const ExecOptions SPECIAL = {.special = true};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i)
    for (size_t k = 0; k < 2; ++k) {
      char argument[96], type[64], result[64], body[TEXT_BYTES];
      snprintf(type, sizeof type, "tensor<%sxf32>", CASES[i].operand);
      snprintf(argument, sizeof argument, "%%a: %s", type);
      snprintf(result, sizeof result, "tensor<%sxf32>", CASES[i].result);
      snprintf(body, sizeof body,
               "%%z = stablehlo.constant dense<%s> : tensor<f32>\n"
               "%%0 = \"stablehlo.reduce_window\"(%%a, %%z) <{window_dimensions = array<i64: %s>}> "
               "({\n^bb0(%%x: tensor<f32>, %%y: tensor<f32>):\n %%s = stablehlo.%s %%x, %%y : "
               "tensor<f32>\n stablehlo.return %%s : tensor<f32>\n}) : (%s, tensor<f32>) -> %s\n"
               "\"kernel.return\"(%%0) : (%s) -> ()",
               BODIES[k][1], CASES[i].attributes, BODIES[k][0], type, result, result);
      exec_check_body("window", argument, type, result, body, k == 0 ? &WHOLE : &SPECIAL);
    }
}
END_TEST

/* A body of several ops, of two values, which keeps the first of equal ones: its order counts. */
START_TEST(first_of_the_largest)
{
  static const struct {
    const char *shape, *window, *padding;
  } CASES[] = {{"3x150", "1, 150", "[[0, 0], [149, 0]]"},
               {"3x150", "1, 150", "[[0, 0], [0, 149]]"},
               {"3x150", "1, 20", "[[0, 0], [19, 0]]"},
               {"150x3", "150, 1", "[[0, 149], [0, 0]]"},
               {"6x40", "2, 3", "[[1, 0], [0, 2]]"}};
  static const ExecOptions FEW = {.low = -2, .high = 2, .whole = true};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
    char arguments[256], types[256], body[TEXT_BYTES];
    const char *shape = CASES[i].shape;
    snprintf(arguments, sizeof arguments, "%%a: tensor<%sxf32>, %%i: tensor<%sxi32>", shape, shape);
    snprintf(types, sizeof types, "tensor<%sxf32>, tensor<%sxi32>", shape, shape);
    snprintf(body, sizeof body,
             "%%z = stablehlo.constant dense<0xFF800000> : tensor<f32>\n"
             "%%n = stablehlo.constant dense<-1> : tensor<i32>\n"
             "%%0:2 = \"stablehlo.reduce_window\"(%%a, %%i, %%z, %%n) <{window_dimensions = "
             "array<i64: %s>, padding = dense<%s> : tensor<2x2xi64>}> ({\n^bb0(%%x: tensor<f32>, "
             "%%p: tensor<i32>, %%y: tensor<f32>, %%q: tensor<i32>):\n %%c = stablehlo.compare GE, "
             "%%x, %%y : (tensor<f32>, tensor<f32>) -> tensor<i1>\n %%s = stablehlo.select %%c, "
             "%%x, %%y : tensor<i1>, tensor<f32>\n %%t = stablehlo.select %%c, %%p, %%q : "
             "tensor<i1>, tensor<i32>\n stablehlo.return %%s, %%t : tensor<f32>, tensor<i32>\n}) "
             ": (%s, tensor<f32>, tensor<i32>) -> (%s)\n"
             "\"kernel.return\"(%%0#0, %%0#1) : (%s) -> ()",
             CASES[i].window, CASES[i].padding, types, types, types);
    exec_check_body("window", arguments, types, types, body, &FEW);
  }
}
END_TEST

/* A difference is no scan: it is combined window by window. */
START_TEST(differences)
{
  WindowCase c = {2, 40, 1, 12, 0, 0, "i32", "subtract", "0"};
  check_case(&c, &WHOLE);
}
END_TEST

/* ---- one order ---- */

static EchoTensor *run_case(EchoContext *ctx, const WindowCase *c, const EchoTensor *in)
{
  char type[TEXT_BYTES], result[TEXT_BYTES], body[TEXT_BYTES], text[5 * TEXT_BYTES];
  print_case(c, type, result, body);
  snprintf(text, sizeof text,
           "\"kernel.func\"() <{sym_name = \"k\", kind = \"window\", function_type = (%s) -> %s}> "
           "({\n^bb0(%%a: %s):\n%s\n}) : () -> ()\n",
           type, result, type, body);
  EchoTensor *y = NULL;
  exec_run(ctx, text, &in, true, &y);
  return y;
}

static EchoTensor *new_operand(EchoContext *ctx, const WindowCase *c)
{
  const int64_t dims[] = {c->rows, c->n, c->columns};
  return echo_tensor_create(echo_type_tensor(ctx, dims, 3, echo_type_f32(ctx), NULL), false);
}

/* One long row, which is cut into blocks, the same in each of many rows, which are not, and in each
 * of many columns. */
static void check_layouts(const WindowCase *line)
{
  EchoContext *ctx = echo_context_create();
  echo_register_dialects(ctx);
  static const ExecOptions VALUES = {.low = -8, .high = 8};
  WindowCase rows = *line, columns = *line;
  rows.rows = columns.columns = 40;
  EchoTensor *x = new_operand(ctx, line), *in_rows = new_operand(ctx, &rows);
  EchoTensor *in_columns = new_operand(ctx, &columns);
  exec_fill(x, &VALUES, 11);
  for (int64_t i = 0; i < line->n * 40; ++i) {
    echo_tensor_set_f64(in_rows, i, echo_tensor_get_f64(x, i % line->n));
    echo_tensor_set_f64(in_columns, i, echo_tensor_get_f64(x, i / 40));
  }
  EchoTensor *y = run_case(ctx, line, x), *of_rows = run_case(ctx, &rows, in_rows);
  EchoTensor *of_columns = run_case(ctx, &columns, in_columns);
  /* Found first and asserted once: Check writes down every assertion that holds. */
  int64_t n = n_results(line), row_element = 0, column_element = 0;
  while (row_element < n * 40 &&
         echo_tensor_get_f64(of_rows, row_element) == echo_tensor_get_f64(y, row_element % n))
    ++row_element;
  while (column_element < n * 40 && echo_tensor_get_f64(of_columns, column_element) ==
                                        echo_tensor_get_f64(y, column_element / 40))
    ++column_element;
  ck_assert_msg(row_element == n * 40, "row element %lld", (long long)row_element);
  ck_assert_msg(column_element == n * 40, "column element %lld", (long long)column_element);
  EchoTensor *all[] = {x, in_rows, in_columns, y, of_rows, of_columns};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
    echo_tensor_destroy(all[i]);
  echo_context_destroy(ctx);
}

START_TEST(one_order_in_all_layouts)
{
  static const WindowCase CASES[] = {
      {1, 50001, 1, 50001, 50000, 0, "f32", "add", "0.0"},
      {1, 50001, 1, 50001, 0, 50000, "f32", "add", "0.0"},
      {1, 50001, 1, 999, 499, 499, "f32", "add", "0.0"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i)
    check_layouts(&CASES[i]);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("exec/window");
  TCase *tests = tcase_create("window");
  tcase_set_timeout(tests, 300);
  tcase_add_test(tests, prefixes_and_suffixes);
  tcase_add_test(tests, prefixes_beside_the_operand);
  tcase_add_test(tests, sliding_windows);
  tcase_add_test(tests, extremes_with_nans);
  tcase_add_test(tests, windows_of_two_dimensions);
  tcase_add_test(tests, first_of_the_largest);
  tcase_add_test(tests, differences);
  tcase_add_test(tests, one_order_in_all_layouts);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
