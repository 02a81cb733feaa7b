/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* lstm, gru and both attentions against loops. B, T, I, H: batch, time, inputs, hidden. */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "tests/unit/nn/run.h"
#include "tests/unit/suite.h"

enum { T = 3, B = 2, I = 4, H = 5 };

static double logistic(double x)
{
  return 1 / (1 + exp(-x));
}

/* Row `row` of x [., n] times column `column` of w [n, width]. */
static double product(const double *x, size_t row, const double *w, size_t column, size_t n,
                      size_t width)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += x[row * n + i] * w[i * width + column];
  return sum;
}

START_TEST(lstm)
{
  Run run;
  run_start(&run, "func.func @f(%x: tensor<3x2x4xf64>, %h: tensor<2x5xf64>, %c: tensor<2x5xf64>,"
                  " %wi: tensor<4x20xf64>, %wh: tensor<5x20xf64>, %b: tensor<20xf64>)"
                  " -> (tensor<3x2x5xf64>, tensor<2x5xf64>, tensor<2x5xf64>) {\n"
                  "  %0:3 = \"nn.lstm\"(%x, %h, %c, %wi, %wh, %b) : (tensor<3x2x4xf64>,"
                  " tensor<2x5xf64>, tensor<2x5xf64>, tensor<4x20xf64>, tensor<5x20xf64>,"
                  " tensor<20xf64>) -> (tensor<3x2x5xf64>, tensor<2x5xf64>, tensor<2x5xf64>)\n"
                  "  return %0#0, %0#1, %0#2 : tensor<3x2x5xf64>, tensor<2x5xf64>,"
                  " tensor<2x5xf64>\n}\n");
  run_evaluate(&run);
  double h[B * H], c[B * H], next[B * H];
  memcpy(h, run_arg(&run, 1), sizeof h);
  memcpy(c, run_arg(&run, 2), sizeof c);
  for (size_t t = 0; t < T; t++) {
    const double *x = run_arg(&run, 0) + t * B * I;
    for (size_t b = 0; b < B; b++)
      for (size_t k = 0; k < H; k++) {
        double gates[4]; /* i, f, g, o */
        for (size_t g = 0; g < 4; g++)
          gates[g] = product(x, b, run_arg(&run, 3), g * H + k, I, 4 * H) +
                     product(h, b, run_arg(&run, 4), g * H + k, H, 4 * H) +
                     run_arg(&run, 5)[g * H + k];
        c[b * H + k] = logistic(gates[1]) * c[b * H + k] + logistic(gates[0]) * tanh(gates[2]);
        next[b * H + k] = logistic(gates[3]) * tanh(c[b * H + k]);
      }
    memcpy(h, next, sizeof h);
    for (size_t i = 0; i < B * H; i++)
      run_expect(run_result(&run, 0, t * B * H + i), h[i], "output", t * B * H + i);
  }
  for (size_t i = 0; i < B * H; i++) {
    run_expect(run_result(&run, 1, i), h[i], "h", i);
    run_expect(run_result(&run, 2, i), c[i], "c", i);
  }
  run_finish(&run);
}
END_TEST

static void check_gru(const char *attributes, bool is_reverse)
{
  Run run;
  char text[1024];
  snprintf(text, sizeof text,
           "func.func @f(%%x: tensor<3x2x4xf64>, %%h: tensor<2x5xf64>, %%wi: tensor<4x15xf64>,"
           " %%wh: tensor<5x15xf64>, %%bi: tensor<15xf64>, %%bh: tensor<15xf64>)"
           " -> (tensor<3x2x5xf64>, tensor<2x5xf64>) {\n"
           "  %%0:2 = \"nn.gru\"(%%x, %%h, %%wi, %%wh, %%bi, %%bh) %s : (tensor<3x2x4xf64>,"
           " tensor<2x5xf64>, tensor<4x15xf64>, tensor<5x15xf64>, tensor<15xf64>,"
           " tensor<15xf64>) -> (tensor<3x2x5xf64>, tensor<2x5xf64>)\n"
           "  return %%0#0, %%0#1 : tensor<3x2x5xf64>, tensor<2x5xf64>\n}\n",
           attributes);
  run_start(&run, text);
  run_evaluate(&run);
  double h[B * H], next[B * H];
  memcpy(h, run_arg(&run, 1), sizeof h);
  for (size_t i = 0; i < T; i++) {
    size_t t = is_reverse ? T - 1 - i : i;
    const double *x = run_arg(&run, 0) + t * B * I;
    for (size_t b = 0; b < B; b++)
      for (size_t k = 0; k < H; k++) {
        double from_x[3], from_h[3]; /* r, z, n */
        for (size_t g = 0; g < 3; g++) {
          from_x[g] =
              product(x, b, run_arg(&run, 2), g * H + k, I, 3 * H) + run_arg(&run, 4)[g * H + k];
          from_h[g] =
              product(h, b, run_arg(&run, 3), g * H + k, H, 3 * H) + run_arg(&run, 5)[g * H + k];
        }
        double z = logistic(from_x[1] + from_h[1]);
        double fresh = tanh(from_x[2] + logistic(from_x[0] + from_h[0]) * from_h[2]);
        next[b * H + k] = (1 - z) * fresh + z * h[b * H + k];
      }
    memcpy(h, next, sizeof h);
    for (size_t k = 0; k < B * H; k++)
      run_expect(run_result(&run, 0, t * B * H + k), h[k], "output", t * B * H + k);
  }
  for (size_t i = 0; i < B * H; i++)
    run_expect(run_result(&run, 1, i), h[i], "h", i);
  run_finish(&run);
}

START_TEST(gru)
{
  check_gru("", false);
  check_gru("<{is_loop = true}>", false);
}
END_TEST

START_TEST(gru_reversed)
{
  check_gru("<{is_reverse = true}>", true);
  check_gru("<{is_reverse = true, is_loop = true}>", true);
}
END_TEST

/* softmax over the places where keep is true; equal weights where none is. */
static void masked_softmax(const double *scores, const uint8_t *keep, size_t n, double *weights)
{
  double sum = 0;
  bool any = false;
  for (size_t i = 0; i < n; i++)
    any |= keep == NULL || keep[i];
  for (size_t i = 0; i < n; i++) {
    weights[i] = !any ? 1 : keep == NULL || keep[i] ? exp(scores[i]) : 0;
    sum += weights[i];
  }
  for (size_t i = 0; i < n; i++)
    weights[i] /= sum;
}

#define MLP "tensor<2x3xf64>, tensor<2x4x3xf64>, tensor<2x4x5xf64>, tensor<3xf64>"

static void check_attention_mlp(Run *run, const uint8_t *mask)
{
  enum { TIME = 4, Q = 3, M = 5 };
  run_evaluate(run);
  const double *query = run_arg(run, 0), *keys = run_arg(run, 1), *memory = run_arg(run, 2);
  for (size_t b = 0; b < B; b++) {
    double scores[TIME], weights[TIME];
    for (size_t t = 0; t < TIME; t++) {
      scores[t] = 0;
      for (size_t q = 0; q < Q; q++)
        scores[t] += run_arg(run, 3)[q] * tanh(query[b * Q + q] + keys[(b * TIME + t) * Q + q]);
    }
    masked_softmax(scores, mask == NULL ? NULL : mask + b * TIME, TIME, weights);
    for (size_t t = 0; t < TIME; t++)
      run_expect(run_result(run, 1, b * TIME + t), weights[t], "weights", b * TIME + t);
    for (size_t m = 0; m < M; m++) {
      double sum = 0;
      for (size_t t = 0; t < TIME; t++)
        sum += weights[t] * memory[(b * TIME + t) * M + m];
      run_expect(run_result(run, 0, b * M + m), sum, "context", b * M + m);
    }
  }
}

START_TEST(attention_mlp)
{
  Run run;
  run_start(&run, "func.func @f(%q: tensor<2x3xf64>, %k: tensor<2x4x3xf64>, %m: tensor<2x4x5xf64>,"
                  " %v: tensor<3xf64>) -> (tensor<2x5xf64>, tensor<2x4xf64>) {\n"
                  "  %0:2 = \"nn.attention_mlp\"(%q, %k, %m, %v) : (" MLP ")"
                  " -> (tensor<2x5xf64>, tensor<2x4xf64>)\n"
                  "  return %0#0, %0#1 : tensor<2x5xf64>, tensor<2x4xf64>\n}\n");
  check_attention_mlp(&run, NULL);
  run_finish(&run);
}
END_TEST

START_TEST(attention_mlp_masked)
{
  Run run;
  run_start(&run, "func.func @f(%q: tensor<2x3xf64>, %k: tensor<2x4x3xf64>, %m: tensor<2x4x5xf64>,"
                  " %v: tensor<3xf64>, %mask: tensor<2x4xi1>) -> (tensor<2x5xf64>,"
                  " tensor<2x4xf64>) {\n"
                  "  %0:2 = \"nn.attention_mlp\"(%q, %k, %m, %v, %mask) : (" MLP
                  ", tensor<2x4xi1>) -> (tensor<2x5xf64>, tensor<2x4xf64>)\n"
                  "  return %0#0, %0#1 : tensor<2x5xf64>, tensor<2x4xf64>\n}\n");
  static const uint8_t masks[][8] = {{1, 0, 1, 1, 0, 0, 1, 0}, {0, 0, 0, 0, 1, 1, 1, 1}};
  for (size_t k = 0; k < 2; k++) {
    memcpy(run.args[4]->data, masks[k], sizeof masks[k]);
    check_attention_mlp(&run, masks[k]);
  }
  run_finish(&run);
}
END_TEST

/* mask [B, mask_heads, QUERIES, KEYS], or NULL */
static void check_attention_dot(Run *run, const uint8_t *mask, size_t mask_heads, double scale)
{
  enum { HEADS = 3, QUERIES = 4, KEYS = 5, D = 6, VALUES = 7 };
  run_evaluate(run);
  const double *query = run_arg(run, 0), *key = run_arg(run, 1), *value = run_arg(run, 2);
  for (size_t b = 0; b < B; b++)
    for (size_t n = 0; n < HEADS; n++)
      for (size_t q = 0; q < QUERIES; q++) {
        size_t head = b * HEADS + n;
        double scores[KEYS], weights[KEYS];
        for (size_t k = 0; k < KEYS; k++) {
          scores[k] = 0;
          for (size_t d = 0; d < D; d++)
            scores[k] += query[(head * QUERIES + q) * D + d] * key[(head * KEYS + k) * D + d];
          scores[k] *= scale;
        }
        size_t at = ((b * mask_heads + (mask_heads == 1 ? 0 : n)) * QUERIES + q) * KEYS;
        masked_softmax(scores, mask == NULL ? NULL : mask + at, KEYS, weights);
        for (size_t v = 0; v < VALUES; v++) {
          double sum = 0;
          for (size_t k = 0; k < KEYS; k++)
            sum += weights[k] * value[(head * KEYS + k) * VALUES + v];
          size_t i = (head * QUERIES + q) * VALUES + v;
          run_expect(run_result(run, 0, i), sum, "output", i);
        }
      }
}

#define DOT "tensor<2x3x4x6xf64>, tensor<2x3x5x6xf64>, tensor<2x3x5x7xf64>"
#define DOT_ARGS "%q: tensor<2x3x4x6xf64>, %k: tensor<2x3x5x6xf64>, %v: tensor<2x3x5x7xf64>"

START_TEST(attention_dot)
{
  Run run;
  run_start(&run, "func.func @f(" DOT_ARGS ") -> tensor<2x3x4x7xf64> {\n"
                  "  %0 = \"nn.attention_dot\"(%q, %k, %v) : (" DOT ") -> tensor<2x3x4x7xf64>\n"
                  "  return %0 : tensor<2x3x4x7xf64>\n}\n");
  check_attention_dot(&run, NULL, 1, 1 / sqrt(6));
  run_finish(&run);
  run_start(&run, "func.func @f(" DOT_ARGS ") -> tensor<2x3x4x7xf64> {\n"
                  "  %0 = \"nn.attention_dot\"(%q, %k, %v) <{scale = 0.75 : f64}> : (" DOT
                  ") -> tensor<2x3x4x7xf64>\n  return %0 : tensor<2x3x4x7xf64>\n}\n");
  check_attention_dot(&run, NULL, 1, 0.75);
  run_finish(&run);
}
END_TEST

START_TEST(attention_dot_masked)
{
  Run run;
  uint8_t mask[2 * 3 * 4 * 5];
  for (size_t i = 0; i < sizeof mask; i++) /* every third row of keys is masked as a whole */
    mask[i] = i / 5 % 3 != 0 && i * 7 % 11 < 6;
  run_start(&run, "func.func @f(" DOT_ARGS ", %m: tensor<2x1x4x5xi1>) -> tensor<2x3x4x7xf64> {\n"
                  "  %0 = \"nn.attention_dot\"(%q, %k, %v, %m) : (" DOT ", tensor<2x1x4x5xi1>)"
                  " -> tensor<2x3x4x7xf64>\n  return %0 : tensor<2x3x4x7xf64>\n}\n");
  memcpy(run.args[3]->data, mask, 2 * 4 * 5);
  check_attention_dot(&run, mask, 1, 1 / sqrt(6));
  run_finish(&run);
  run_start(&run, "func.func @f(" DOT_ARGS ", %m: tensor<2x3x4x5xi1>) -> tensor<2x3x4x7xf64> {\n"
                  "  %0 = \"nn.attention_dot\"(%q, %k, %v, %m) : (" DOT ", tensor<2x3x4x5xi1>)"
                  " -> tensor<2x3x4x7xf64>\n  return %0 : tensor<2x3x4x7xf64>\n}\n");
  memcpy(run.args[3]->data, mask, sizeof mask);
  check_attention_dot(&run, mask, 3, 1 / sqrt(6));
  run_finish(&run);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("nn sequences");
  TCase *tests = tcase_create("against loops");
  tcase_add_test(tests, lstm);
  tcase_add_test(tests, gru);
  tcase_add_test(tests, gru_reversed);
  tcase_add_test(tests, attention_mlp);
  tcase_add_test(tests, attention_mlp_masked);
  tcase_add_test(tests, attention_dot);
  tcase_add_test(tests, attention_dot_masked);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
