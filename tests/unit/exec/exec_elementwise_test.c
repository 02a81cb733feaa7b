/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every elementwise op in every element type that it takes, compiled against interpreted. */
#include <stdio.h>

#include "tests/unit/exec/harness.h"
#include "tests/unit/suite.h"

static const char *const FLOATS[] = {"f32", "f64", "f16", "bf16", NULL};
static const char *const SIGNED[] = {"i8", "i16", "i32", "i64", NULL};
static const char *const INTS[] = {"i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", NULL};
static const char *const BITS[] = {"i1",  "i8",   "i16",  "i32",  "i64",
                                   "ui8", "ui16", "ui32", "ui64", NULL};
static const char *const ALL[] = {"i1",   "i8",   "i16", "i32",  "i64", "ui8", "ui16",
                                  "ui32", "ui64", "f16", "bf16", "f32", "f64", NULL};

static void check_unary(const char *op, const char *type, const ExecOptions *options)
{
  char tensor[64], argument[96], body[512];
  snprintf(tensor, sizeof tensor, "tensor<3x211x%s>", type);
  snprintf(argument, sizeof argument, "%%a: %s", tensor);
  snprintf(body, sizeof body, "%%0 = stablehlo.%s %%a : %s\n\"kernel.return\"(%%0) : (%s) -> ()",
           op, tensor, tensor);
  exec_check_body("map", argument, tensor, tensor, body, options);
}

static void check_binary(const char *op, const char *type, const ExecOptions *options)
{
  char tensor[64], types[160], arguments[192], body[512];
  snprintf(tensor, sizeof tensor, "tensor<633x%s>", type);
  snprintf(types, sizeof types, "%s, %s", tensor, tensor);
  snprintf(arguments, sizeof arguments, "%%a: %s, %%b: %s", tensor, tensor);
  snprintf(body, sizeof body,
           "%%0 = stablehlo.%s %%a, %%b : %s\n\"kernel.return\"(%%0) : (%s) -> ()", op, tensor,
           tensor);
  exec_check_body("map", arguments, types, tensor, body, options);
}

static void unary_of(const char *op, const char *const *types, const ExecOptions *options)
{
  for (; *types != NULL; ++types)
    check_unary(op, *types, options);
}

static void binary_of(const char *op, const char *const *types, const ExecOptions *options)
{
  for (; *types != NULL; ++types)
    check_binary(op, *types, options);
}

static const ExecOptions EXACT = {.special = true};

START_TEST(exact_unary_ops)
{
  static const char *const OPS[] = {
      "abs", "ceil", "floor", "negate", "sign", "sqrt", "round_nearest_afz", "round_nearest_even"};
  for (size_t i = 0; i < sizeof OPS / sizeof OPS[0]; ++i)
    unary_of(OPS[i], FLOATS, &EXACT);
  unary_of("abs", SIGNED, &EXACT);
  unary_of("sign", SIGNED, &EXACT);
  unary_of("negate", INTS, &EXACT);
  unary_of("not", BITS, &EXACT);
  unary_of("popcnt", INTS, &EXACT);
  unary_of("count_leading_zeros", INTS, &EXACT);
}
END_TEST

START_TEST(exact_binary_ops)
{
  static const char *const OPS[] = {"add",     "subtract", "multiply", "divide",
                                    "maximum", "minimum",  "remainder"};
  for (size_t i = 0; i < sizeof OPS / sizeof OPS[0]; ++i) {
    binary_of(OPS[i], FLOATS, &EXACT);
    binary_of(OPS[i], INTS, &EXACT);
  }
  static const char *const LOGIC[] = {"and", "or", "xor"};
  for (size_t i = 0; i < sizeof LOGIC / sizeof LOGIC[0]; ++i)
    binary_of(LOGIC[i], BITS, &EXACT);
  static const char *const PRED[] = {"i1", NULL};
  binary_of("add", PRED, &EXACT);
  binary_of("multiply", PRED, &EXACT);
  binary_of("maximum", PRED, &EXACT);
  binary_of("minimum", PRED, &EXACT);
  ExecOptions amounts = {.int_low = 0, .int_high = 70};
  binary_of("shift_left", INTS, &amounts);
  binary_of("shift_right_logical", INTS, &amounts);
  binary_of("shift_right_arithmetic", INTS, &amounts);
  ExecOptions powers = {.int_low = 0, .int_high = 9};
  binary_of("power", INTS, &powers);
  ExecOptions signed_powers = {.int_low = -3, .int_high = 3};
  binary_of("power", SIGNED, &signed_powers);
}
END_TEST

/* bounds: of the expansion and of the interpreter (1) */
START_TEST(transcendental_ops)
{
  static const struct {
    const char *op;
    double f32, f64, low, high;
  } OPS[] = {
      {"exponential", 2, 2, -110, 100},
      {"exponential", 2, 2, -1, 1},
      {"exponential_minus_one", 3, 3, -3, 3},
      {"exponential_minus_one", 3, 3, -100, 90},
      {"log", 2, 2, 0, 1e6},
      {"log", 2, 2, 0.5, 2},
      {"log_plus_one", 2, 2, -1, 2},
      {"log_plus_one", 2, 2, 0, 1e5},
      {"tanh", 3, 4, -12, 12},
      {"tanh", 3, 4, -0.1, 0.1},
      {"logistic", 5, 5, -30, 30},
      {"logistic", 5, 5, -120, 120},
      {"sine", 2, 3, -10, 10},
      {"sine", 2, 3, -1e30, 1e30},
      {"cosine", 2, 3, -10, 10},
      {"cosine", 2, 3, -1e7, 1e7},
      {"tan", 2, 6, -10, 10},
      {"tan", 2, 6, -1e5, 1e5},
      {"cbrt", 2, 3, -1e3, 1e3},
      {"rsqrt", 3, 3, 0, 100},
  };
  for (size_t i = 0; i < sizeof OPS / sizeof OPS[0]; ++i) {
    ExecOptions options = {.special = true, .low = OPS[i].low, .high = OPS[i].high};
    options.ulps = OPS[i].f32;
    check_unary(OPS[i].op, "f32", &options);
    options.ulps = OPS[i].f64;
    check_unary(OPS[i].op, "f64", &options);
    options.ulps = 1.0;
    check_unary(OPS[i].op, "f16", &options);
    check_unary(OPS[i].op, "bf16", &options);
  }
  ExecOptions pow_options = {.special = true, .ulps = 2, .low = -20, .high = 20};
  check_binary("power", "f32", &pow_options);
  check_binary("atan2", "f32", &pow_options);
  pow_options.ulps = 9;
  check_binary("power", "f64", &pow_options);
  pow_options.ulps = 4;
  check_binary("atan2", "f64", &pow_options);
  pow_options.ulps = 1;
  check_binary("power", "bf16", &pow_options);
  check_binary("atan2", "f16", &pow_options);
}
END_TEST

START_TEST(converts_between_all_types)
{
  for (size_t from = 0; ALL[from] != NULL; ++from)
    for (size_t to = 0; ALL[to] != NULL; ++to) {
      char in[64], out[64], argument[96], body[512];
      snprintf(in, sizeof in, "tensor<257x%s>", ALL[from]);
      snprintf(out, sizeof out, "tensor<257x%s>", ALL[to]);
      snprintf(argument, sizeof argument, "%%a: %s", in);
      snprintf(body, sizeof body,
               "%%0 = stablehlo.convert %%a : (%s) -> %s\n\"kernel.return\"(%%0) : (%s) -> ()", in,
               out, out);
      ExecOptions wide = {.special = true, .low = -1e6, .high = 1e6};
      exec_check_body("map", argument, in, out, body, &EXACT);
      exec_check_body("map", argument, in, out, body, &wide);
    }
}
END_TEST

START_TEST(compares_and_selects)
{
  static const char *const DIRECTIONS[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  for (size_t t = 0; ALL[t] != NULL; ++t)
    for (size_t d = 0; d < 6; ++d)
      for (int total = 0; total < 2; ++total) {
        bool is_float = strchr(ALL[t], 'f') != NULL;
        if (total && !is_float)
          continue;
        char tensor[64], types[160], arguments[192], body[1024];
        snprintf(tensor, sizeof tensor, "tensor<129x%s>", ALL[t]);
        snprintf(types, sizeof types, "%s, %s", tensor, tensor);
        snprintf(arguments, sizeof arguments, "%%a: %s, %%b: %s", tensor, tensor);
        snprintf(body, sizeof body,
                 "%%0 = stablehlo.compare %s, %%a, %%b%s : (%s) -> tensor<129xi1>\n"
                 "%%1 = stablehlo.select %%0, %%a, %%b : tensor<129xi1>, %s\n"
                 "\"kernel.return\"(%%0, %%1) : (tensor<129xi1>, %s) -> ()",
                 DIRECTIONS[d], total ? ", TOTALORDER" : "", types, tensor, tensor);
        char results[128];
        snprintf(results, sizeof results, "tensor<129xi1>, %s", tensor);
        ExecOptions options = {.special = true, .int_low = -2, .int_high = 2};
        exec_check_body("map", arguments, types, results, body, &options);
      }
}
END_TEST

START_TEST(clamps_and_rounds)
{
  for (size_t t = 1; ALL[t] != NULL; ++t) {
    char tensor[64], types[256], arguments[256], body[512];
    snprintf(tensor, sizeof tensor, "tensor<129x%s>", ALL[t]);
    snprintf(types, sizeof types, "tensor<%s>, %s, tensor<%s>", ALL[t], tensor, ALL[t]);
    snprintf(arguments, sizeof arguments, "%%a: tensor<%s>, %%b: %s, %%c: tensor<%s>", ALL[t],
             tensor, ALL[t]);
    snprintf(
        body, sizeof body,
        "%%0 = stablehlo.clamp %%a, %%b, %%c : (%s) -> %s\n\"kernel.return\"(%%0) : (%s) -> ()",
        types, tensor, tensor);
    exec_check_body("map", arguments, types, tensor, body, &EXACT);
  }
  for (size_t t = 0; FLOATS[t] != NULL; ++t)
    for (int e = 2; e <= 8; e += 3)
      for (int m = 0; m <= 10; m += 5) {
        char tensor[64], argument[96], body[512];
        snprintf(tensor, sizeof tensor, "tensor<1029x%s>", FLOATS[t]);
        snprintf(argument, sizeof argument, "%%a: %s", tensor);
        snprintf(
            body, sizeof body,
            "%%0 = stablehlo.reduce_precision %%a, format = e%dm%d : %s\n\"kernel.return\"(%%0) : "
            "(%s) -> ()",
            e, m, tensor, tensor);
        exec_check_body("map", argument, tensor, tensor, body, &EXACT);
      }
}
END_TEST

START_TEST(bitcasts)
{
  static const char *const CASES[][2] = {
      {"64xf32", "64xi32"},   {"64xui32", "64xf32"},  {"64xf32", "64x4xi8"}, {"64x4xui8", "64xf32"},
      {"64xf64", "64x2xf32"}, {"64x2xi32", "64xf64"}, {"64xbf16", "64xi16"}, {"64x2xf16", "64xf32"},
      {"64x8xi8", "64xi64"},  {"64xi64", "64x4xbf16"}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
    char in[64], out[64], argument[96], body[512];
    snprintf(in, sizeof in, "tensor<%s>", CASES[i][0]);
    snprintf(out, sizeof out, "tensor<%s>", CASES[i][1]);
    snprintf(argument, sizeof argument, "%%a: %s", in);
    snprintf(
        body, sizeof body,
        "%%0 = stablehlo.bitcast_convert %%a : (%s) -> %s\n\"kernel.return\"(%%0) : (%s) -> ()", in,
        out, out);
    exec_check_body("map", argument, in, out, body, &EXACT);
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("exec/elementwise");
  TCase *tests = tcase_create("elementwise");
  tcase_set_timeout(tests, 600);
  tcase_add_test(tests, exact_unary_ops);
  tcase_add_test(tests, exact_binary_ops);
  tcase_add_test(tests, transcendental_ops);
  tcase_add_test(tests, converts_between_all_types);
  tcase_add_test(tests, compares_and_selects);
  tcase_add_test(tests, clamps_and_rounds);
  tcase_add_test(tests, bitcasts);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
