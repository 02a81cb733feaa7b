/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Law 2: an op gives the same bits whatever kernel it is in. */
#include <stdio.h>

#include "dialects/dialects.h"
#include "ir/attributes/type.h"
#include "ir/diagnostics.h"
#include "tests/unit/exec/harness.h"
#include "tests/unit/suite.h"

static const ExecOptions VALUES = {.low = -8, .high = 8, .special = false};

static EchoContext *begin(void)
{
  EchoContext *ctx = echo_context_create();
  echo_register_dialects(ctx);
  return ctx;
}

static EchoTensor *input(EchoContext *ctx, const char *type, uint64_t seed)
{
  EchoTensor *tensor = echo_tensor_create(echo_type_from_text(ctx, type), true);
  exec_fill(tensor, &VALUES, seed);
  return tensor;
}

/* Elements [at, at + n) of `a` against those of `b` from `b_at`. */
static void same(const EchoTensor *a, int64_t at, const EchoTensor *b, int64_t b_at, int64_t n)
{
  size_t bytes = echo_type_element_bytes(a->type->as.shaped.element);
  ck_assert_uint_eq(bytes, echo_type_element_bytes(b->type->as.shaped.element));
  for (int64_t i = 0; i < n; ++i)
    ck_assert_msg(memcmp((const char *)a->data + (size_t)(at + i) * bytes,
                         (const char *)b->data + (size_t)(b_at + i) * bytes, bytes) == 0,
                  "element %lld: %a and %a", (long long)i, echo_tensor_get_f64(a, at + i),
                  echo_tensor_get_f64(b, b_at + i));
}

static EchoTensor *run1(EchoContext *ctx, const char *text, const EchoTensor *in)
{
  EchoTensor *result = NULL;
  exec_run(ctx, text, &in, true, &result);
  return result;
}

/* One sum as rows, as columns of the transpose, in front of kept dimensions, and in a kernel with
 * more in it. */
START_TEST(sums_in_every_kind)
{
  static const char *const TYPES[] = {"f32", "f64", "f16", "bf16"};
  for (size_t t = 0; t < 4; ++t) {
    EchoContext *ctx = begin();
    char in_type[64], text[5][2048];
    const char *type = TYPES[t];
    snprintf(in_type, sizeof in_type, "tensor<24x203x%s>", type);
    EchoTensor *in = input(ctx, in_type, 7);
#define HEAD                                                                                       \
  "\"kernel.func\"() <{sym_name = \"k\", kind = \"%s\", function_type = (tensor<24x203x%s>) -> "   \
  "tensor<24x%s>}> ({\n^bb0(%%a: tensor<24x203x%s>):\n%%z = stablehlo.constant dense<0.0> : "      \
  "tensor<%s>\n"
#define TAIL "\"kernel.return\"(%%s) : (tensor<24x%s>) -> ()\n}) : () -> ()\n"
    snprintf(text[0], sizeof text[0],
             HEAD "%%s = stablehlo.reduce(%%a init: %%z) applies stablehlo.add across dimensions = "
                  "[1] : (tensor<24x203x%s>, tensor<%s>) -> tensor<24x%s>\n" TAIL,
             "row_reduce", type, type, type, type, type, type, type, type);
    snprintf(text[1], sizeof text[1],
             HEAD
             "%%t = stablehlo.transpose %%a, dims = [1, 0] : (tensor<24x203x%s>) -> "
             "tensor<203x24x%s>\n%%s = stablehlo.reduce(%%t init: %%z) applies stablehlo.add "
             "across dimensions = [0] : (tensor<203x24x%s>, tensor<%s>) -> tensor<24x%s>\n" TAIL,
             "column_reduce", type, type, type, type, type, type, type, type, type, type);
    snprintf(text[2], sizeof text[2],
             HEAD
             "%%r = stablehlo.reshape %%a : (tensor<24x203x%s>) -> tensor<24x29x7x%s>\n%%s = "
             "stablehlo.reduce(%%r init: %%z) applies stablehlo.add across dimensions = [1, 2] : "
             "(tensor<24x29x7x%s>, tensor<%s>) -> tensor<24x%s>\n" TAIL,
             "reduce", type, type, type, type, type, type, type, type, type, type);
    snprintf(
        text[3], sizeof text[3],
        HEAD
        "%%n = stablehlo.negate %%a : tensor<24x203x%s>\n%%m = stablehlo.negate %%n : "
        "tensor<24x203x%s>\n%%s = stablehlo.reduce(%%m init: %%z) applies stablehlo.add across "
        "dimensions = [1] : (tensor<24x203x%s>, tensor<%s>) -> tensor<24x%s>\n" TAIL,
        "map", type, type, type, type, type, type, type, type, type, type);
    EchoTensor *first = run1(ctx, text[0], in);
    for (int i = 1; i < 4; ++i) {
      EchoTensor *other = run1(ctx, text[i], in);
      same(first, 0, other, 0, 24);
      echo_tensor_destroy(other);
    }
    echo_tensor_destroy(first);
    echo_tensor_destroy(in);
    echo_context_destroy(ctx);
  }
}
END_TEST

/* Rows of whole lanes are walked row by row, others by position: the order is the same. */
START_TEST(sums_over_rows_and_positions)
{
  EchoContext *ctx = begin();
  EchoTensor *in = input(ctx, "tensor<7x64xf32>", 5);
#define SUM(shape, dims)                                                                           \
  "\"kernel.func\"() <{sym_name = \"k\", kind = \"reduce\", function_type = (tensor<7x64xf32>) "   \
  "-> "                                                                                            \
  "tensor<f32>}> ({\n^bb0(%a: tensor<7x64xf32>):\n%z = stablehlo.constant dense<0.0> : "           \
  "tensor<f32>\n%r = stablehlo.reshape %a : (tensor<7x64xf32>) -> tensor<" shape "xf32>\n%s = "    \
  "stablehlo.reduce(%r init: %z) applies stablehlo.add across dimensions = [" dims                 \
  "] : (tensor<" shape                                                                             \
  "xf32>, tensor<f32>) -> tensor<f32>\n\"kernel.return\"(%s) : (tensor<f32>) "                     \
  "-> ()\n}) : () -> ()\n"
  EchoTensor *rows = run1(ctx, SUM("7x64", "0, 1"), in);
  EchoTensor *flat = run1(ctx, SUM("448", "0"), in);
  EchoTensor *odd = run1(ctx, SUM("64x7", "0, 1"), in);
  same(rows, 0, flat, 0, 1);
  same(rows, 0, odd, 0, 1);
  echo_tensor_destroy(rows);
  echo_tensor_destroy(flat);
  echo_tensor_destroy(odd);
  echo_tensor_destroy(in);
  echo_context_destroy(ctx);
}
END_TEST

/* The sum of 252 elements as `shape`, times ones that stand in a row of `length` for all rows. */
static EchoTensor *sum_of_rows(EchoContext *ctx, const EchoTensor *in, const char *shape,
                               const char *dims, int length)
{
  char text[2048];
  snprintf(
      text, sizeof text,
      "\"kernel.func\"() <{sym_name = \"k\", kind = \"reduce\", function_type = "
      "(tensor<252xf32>) -> tensor<f32>}> ({\n^bb0(%%a: tensor<252xf32>):\n%%z = "
      "stablehlo.constant dense<0.0> : tensor<f32>\n%%o = stablehlo.constant dense<1.0> : "
      "tensor<%dxf32>\n%%r = stablehlo.reshape %%a : (tensor<252xf32>) -> tensor<%sxf32>\n%%b "
      "= stablehlo.broadcast_in_dim %%o, dims = [%c] : (tensor<%dxf32>) -> tensor<%sxf32>\n%%m "
      "= stablehlo.multiply %%r, %%b : tensor<%sxf32>\n%%s = stablehlo.reduce(%%m init: %%z) "
      "applies stablehlo.add across dimensions = [%s] : (tensor<%sxf32>, tensor<f32>) -> "
      "tensor<f32>\n\"kernel.return\"(%%s) : (tensor<f32>) -> ()\n}) : () -> ()\n",
      length, shape, dims[strlen(dims) - 1], length, shape, shape, dims, shape);
  return run1(ctx, text, in);
}

/* Rows that are fewer elements than lanes, a part of them, more of them and no number of them, in
 * the order of what lies side by side. */
START_TEST(sums_over_rows_of_broadcasts)
{
  static const struct {
    const char *shape, *dims;
    int length;
  } CASES[] = {{"126x2", "0, 1", 2},     {"63x4", "0, 1", 4},  {"36x7", "0, 1", 7},
               {"14x18", "0, 1", 18},    {"7x36", "0, 1", 36}, {"9x7x4", "0, 1, 2", 4},
               {"3x4x21", "0, 1, 2", 21}};
  EchoContext *ctx = begin();
  EchoTensor *in = input(ctx, "tensor<252xf32>", 11);
  EchoTensor *flat = sum_of_rows(ctx, in, "252", "0", 252);
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
    EchoTensor *rows = sum_of_rows(ctx, in, CASES[i].shape, CASES[i].dims, CASES[i].length);
    same(flat, 0, rows, 0, 1);
    echo_tensor_destroy(rows);
  }
  echo_tensor_destroy(flat);
  echo_tensor_destroy(in);
  echo_context_destroy(ctx);
}
END_TEST

/* Sums of the columns of 40 rows as `shape`, times ones that stand along dimension `along`. */
static EchoTensor *sums_of_columns(EchoContext *ctx, const EchoTensor *in, const char *shape,
                                   const char *kept, int along, int length)
{
  char text[2048];
  snprintf(text, sizeof text,
           "\"kernel.func\"() <{sym_name = \"k\", kind = \"column_reduce\", function_type = "
           "(tensor<40x240xf32>) -> tensor<240xf32>}> ({\n^bb0(%%a: tensor<40x240xf32>):\n%%z = "
           "stablehlo.constant dense<0.0> : tensor<f32>\n%%o = stablehlo.constant dense<1.0> : "
           "tensor<%dxf32>\n%%r = stablehlo.reshape %%a : (tensor<40x240xf32>) -> "
           "tensor<40x%sxf32>\n%%b = stablehlo.broadcast_in_dim %%o, dims = [%d] : "
           "(tensor<%dxf32>) -> tensor<40x%sxf32>\n%%m = stablehlo.multiply %%r, %%b : "
           "tensor<40x%sxf32>\n%%s = stablehlo.reduce(%%m init: %%z) applies stablehlo.add across "
           "dimensions = [0] : (tensor<40x%sxf32>, tensor<f32>) -> tensor<%sxf32>\n%%t = "
           "stablehlo.reshape %%s : (tensor<%sxf32>) -> tensor<240xf32>\n\"kernel.return\"(%%t) : "
           "(tensor<240xf32>) -> ()\n}) : () -> ()\n",
           length, shape, along, length, shape, shape, shape, kept, kept);
  return run1(ctx, text, in);
}

/* Columns that are gone through in runs of neighbours, where a block is a number of them and where
 * it is not. */
START_TEST(columns_of_broadcasts)
{
  static const struct {
    const char *shape;
    int along, length;
  } CASES[] = {{"15x16", 2, 16},  {"15x16", 1, 15}, {"30x8", 1, 30},  {"24x10", 1, 24},
               {"120x2", 1, 120}, {"3x80", 1, 3},   {"5x3x16", 2, 3}, {"5x3x16", 1, 5}};
  EchoContext *ctx = begin();
  EchoTensor *in = input(ctx, "tensor<40x240xf32>", 13);
  EchoTensor *flat = sums_of_columns(ctx, in, "240", "240", 1, 240);
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
    EchoTensor *runs =
        sums_of_columns(ctx, in, CASES[i].shape, CASES[i].shape, CASES[i].along, CASES[i].length);
    same(flat, 0, runs, 0, 240);
    echo_tensor_destroy(runs);
  }
  echo_tensor_destroy(flat);
  echo_tensor_destroy(in);
  echo_context_destroy(ctx);
}
END_TEST

/* A function of element i alone, in a long vectorised loop, in its scalar rest, and at the end of a
 * chain. */
START_TEST(functions_in_every_place)
{
  static const char *const OPS[] = {"exponential", "tanh", "logistic", "log", "sine", "rsqrt"};
  static const char *const TYPES[] = {"f32", "f64", "bf16"};
  for (size_t o = 0; o < sizeof OPS / sizeof OPS[0]; ++o)
    for (size_t t = 0; t < 3; ++t) {
      EchoContext *ctx = begin();
      char in_type[64], whole[1024], part[1024];
      snprintf(in_type, sizeof in_type, "tensor<1003x%s>", TYPES[t]);
      EchoTensor *in = input(ctx, in_type, 3);
      snprintf(whole, sizeof whole,
               "\"kernel.func\"() <{sym_name = \"k\", kind = \"map\", function_type = (%s) -> %s}> "
               "({\n^bb0(%%a: %s):\n%%0 = stablehlo.%s %%a : %s\n\"kernel.return\"(%%0) : (%s) -> "
               "()\n}) "
               ": () -> ()\n",
               in_type, in_type, in_type, OPS[o], in_type, in_type);
      snprintf(
          part, sizeof part,
          "\"kernel.func\"() <{sym_name = \"k\", kind = \"map\", function_type = (%s) -> "
          "tensor<5x1x%s>}> ({\n^bb0(%%a: %s):\n%%0 = stablehlo.slice %%a [501:506] : (%s) -> "
          "tensor<5x%s>\n%%1 = stablehlo.reshape %%0 : (tensor<5x%s>) -> tensor<5x1x%s>\n%%2 = "
          "stablehlo.%s %%1 : tensor<5x1x%s>\n\"kernel.return\"(%%2) : (tensor<5x1x%s>) -> ()\n}) "
          ": "
          "() -> ()\n",
          in_type, TYPES[t], in_type, in_type, TYPES[t], TYPES[t], TYPES[t], OPS[o], TYPES[t],
          TYPES[t]);
      EchoTensor *all = run1(ctx, whole, in), *some = run1(ctx, part, in);
      same(all, 501, some, 0, 5);
      echo_tensor_destroy(all);
      echo_tensor_destroy(some);
      echo_tensor_destroy(in);
      echo_context_destroy(ctx);
    }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("exec/same_bits");
  TCase *tests = tcase_create("law 2");
  tcase_set_timeout(tests, 300);
  tcase_add_test(tests, sums_in_every_kind);
  tcase_add_test(tests, sums_over_rows_and_positions);
  tcase_add_test(tests, sums_over_rows_of_broadcasts);
  tcase_add_test(tests, columns_of_broadcasts);
  tcase_add_test(tests, functions_in_every_place);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
