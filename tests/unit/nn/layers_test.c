/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* linear, embedding, layer_norm, batch_norm, dropout and softmax against loops. */
#include <check.h>
#include <math.h>

#include "tests/unit/nn/run.h"
#include "tests/unit/suite.h"

START_TEST(linear)
{
  Run run;
  run_start(&run, "func.func @f(%x: tensor<2x3x4xf64>, %w: tensor<4x5xf64>, %b: tensor<5xf64>)"
                  " -> (tensor<2x3x5xf64>, tensor<2x3x5xf64>) {\n"
                  "  %0 = \"nn.linear\"(%x, %w, %b) : (tensor<2x3x4xf64>, tensor<4x5xf64>,"
                  " tensor<5xf64>) -> tensor<2x3x5xf64>\n"
                  "  %1 = \"nn.linear\"(%x, %w) : (tensor<2x3x4xf64>, tensor<4x5xf64>) ->"
                  " tensor<2x3x5xf64>\n"
                  "  return %0, %1 : tensor<2x3x5xf64>, tensor<2x3x5xf64>\n}\n");
  run_evaluate(&run);
  const double *x = run_arg(&run, 0), *w = run_arg(&run, 1), *b = run_arg(&run, 2);
  for (size_t row = 0; row < 6; row++)
    for (size_t o = 0; o < 5; o++) {
      double sum = 0;
      for (size_t i = 0; i < 4; i++)
        sum += x[row * 4 + i] * w[i * 5 + o];
      run_expect(run_result(&run, 0, row * 5 + o), sum + b[o], "with bias", row * 5 + o);
      run_expect(run_result(&run, 1, row * 5 + o), sum, "without bias", row * 5 + o);
    }
  run_finish(&run);
}
END_TEST

START_TEST(embedding)
{
  Run run;
  run_start(&run, "func.func @f(%t: tensor<6x3xf64>, %ids: tensor<2x4xi32>) -> tensor<2x4x3xf64> {"
                  "\n  %0 = \"nn.embedding\"(%t, %ids) : (tensor<6x3xf64>, tensor<2x4xi32>) ->"
                  " tensor<2x4x3xf64>\n  return %0 : tensor<2x4x3xf64>\n}\n");
  const int32_t ids[] = {5, 0, 3, 3, 1, 4, -2, 9}, rows[] = {5, 0, 3, 3, 1, 4, 0, 5};
  memcpy(run.args[1]->data, ids, sizeof ids);
  run_evaluate(&run);
  for (size_t i = 0; i < 8; i++)
    for (size_t e = 0; e < 3; e++)
      ck_assert_double_eq(run_result(&run, 0, i * 3 + e), run_arg(&run, 0)[rows[i] * 3 + (int)e]);
  run_finish(&run);
}
END_TEST

START_TEST(layer_norm)
{
  Run run;
  run_start(&run, "func.func @f(%x: tensor<2x3x4xf64>, %s: tensor<4xf64>, %b: tensor<4xf64>)"
                  " -> tensor<2x3x4xf64> {\n"
                  "  %0 = \"nn.layer_norm\"(%x, %s, %b) <{epsilon = 1.0e-2 : f64}> :"
                  " (tensor<2x3x4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<2x3x4xf64>\n"
                  "  return %0 : tensor<2x3x4xf64>\n}\n");
  run_evaluate(&run);
  for (size_t row = 0; row < 6; row++) {
    const double *x = run_arg(&run, 0) + row * 4;
    double mean = 0, variance = 0;
    for (size_t i = 0; i < 4; i++)
      mean += x[i] / 4;
    for (size_t i = 0; i < 4; i++)
      variance += (x[i] - mean) * (x[i] - mean) / 4;
    for (size_t i = 0; i < 4; i++)
      run_expect(run_result(&run, 0, row * 4 + i),
                 (x[i] - mean) / sqrt(variance + 1e-2) * run_arg(&run, 1)[i] + run_arg(&run, 2)[i],
                 "layer_norm", row * 4 + i);
  }
  run_finish(&run);
}
END_TEST

START_TEST(batch_norm)
{
  Run run;
  run_start(
      &run,
      "func.func @f(%x: tensor<4x3x2xf64>, %s: tensor<3xf64>, %b: tensor<3xf64>,"
      " %m: tensor<3xf64>, %v: tensor<3xf64>) -> (tensor<4x3x2xf64>, tensor<3xf64>,"
      " tensor<3xf64>) {\n  %0:3 = \"nn.batch_norm\"(%x, %s, %b, %m, %v) <{feature_index = 1 :"
      " i64, epsilon = 1.0e-2 : f64, momentum = 0.9 : f64}> : (tensor<4x3x2xf64>,"
      " tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> (tensor<4x3x2xf64>,"
      " tensor<3xf64>, tensor<3xf64>)\n"
      "  return %0#0, %0#1, %0#2 : tensor<4x3x2xf64>, tensor<3xf64>, tensor<3xf64>\n}\n");
  run_evaluate(&run);
  const double *x = run_arg(&run, 0);
  for (size_t f = 0; f < 3; f++) {
    double mean = 0, variance = 0;
    for (size_t n = 0; n < 4; n++)
      for (size_t i = 0; i < 2; i++)
        mean += x[n * 6 + f * 2 + i] / 8;
    for (size_t n = 0; n < 4; n++)
      for (size_t i = 0; i < 2; i++)
        variance += pow(x[n * 6 + f * 2 + i] - mean, 2) / 8;
    for (size_t n = 0; n < 4; n++)
      for (size_t i = 0; i < 2; i++)
        run_expect(run_result(&run, 0, n * 6 + f * 2 + i),
                   (x[n * 6 + f * 2 + i] - mean) / sqrt(variance + 1e-2) * run_arg(&run, 1)[f] +
                       run_arg(&run, 2)[f],
                   "output", n * 6 + f * 2 + i);
    run_expect(run_result(&run, 1, f), 0.9 * run_arg(&run, 3)[f] + 0.1 * mean, "mean", f);
    run_expect(run_result(&run, 2, f), 0.9 * run_arg(&run, 4)[f] + 0.1 * variance, "variance", f);
  }
  run_finish(&run);
}
END_TEST

/* 20,000 elements at rate 0.3: the number dropped is binomial with a standard deviation of 65; six
 * of them hold but once in a billion. */
START_TEST(dropout)
{
  Run run;
  run_start(&run, "func.func @f(%x: tensor<200x100xf64>, %key: tensor<ui64>,"
                  " %counter: tensor<ui64>) -> tensor<200x100xf64> {\n"
                  "  %0 = \"nn.dropout\"(%x, %key, %counter) <{rate = 0.3 : f64}> :"
                  " (tensor<200x100xf64>, tensor<ui64>, tensor<ui64>) -> tensor<200x100xf64>\n"
                  "  return %0 : tensor<200x100xf64>\n}\n");
  static bool dropped[4][20000];
  static const uint64_t states[4][2] = {{7, 100}, {7, 100}, {8, 100}, {7, 1000000}};
  for (size_t k = 0; k < 4; k++) {
    memcpy(run.args[1]->data, &states[k][0], 8);
    memcpy(run.args[2]->data, &states[k][1], 8);
    run_evaluate(&run);
    int n_dropped = 0;
    for (size_t i = 0; i < 20000; i++) {
      dropped[k][i] = run_result(&run, 0, i) == 0;
      n_dropped += dropped[k][i];
      if (!dropped[k][i])
        run_expect(run_result(&run, 0, i), run_arg(&run, 0)[i] / 0.7, "kept", i);
    }
    ck_assert_int_gt(n_dropped, 6000 - 390);
    ck_assert_int_lt(n_dropped, 6000 + 390);
  }
  ck_assert_int_eq(memcmp(dropped[0], dropped[1], sizeof dropped[0]), 0);
  for (size_t k = 2; k < 4; k++) { /* another key or counter: agreement as of chance, 0.58 */
    int n_same = 0;
    for (size_t i = 0; i < 20000; i++)
      n_same += dropped[0][i] == dropped[k][i];
    ck_assert_int_gt(n_same, 11600 - 420);
    ck_assert_int_lt(n_same, 11600 + 420);
  }
  run_finish(&run);
}
END_TEST

START_TEST(dropout_of_nothing)
{
  Run run;
  run_start(&run,
            "func.func @f(%x: tensor<50xf64>, %key: tensor<ui64>, %counter: tensor<ui64>)"
            " -> tensor<50xf64> {\n"
            "  %0 = \"nn.dropout\"(%x, %key, %counter) <{rate = 0.0 : f64}> : (tensor<50xf64>,"
            " tensor<ui64>, tensor<ui64>) -> tensor<50xf64>\n"
            "  return %0 : tensor<50xf64>\n}\n");
  run_evaluate(&run);
  for (size_t i = 0; i < 50; i++)
    ck_assert_double_eq(run_result(&run, 0, i), run_arg(&run, 0)[i]);
  run_finish(&run);
}
END_TEST

START_TEST(softmax)
{
  Run run;
  run_start(&run, "func.func @f(%x: tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3x4xf64>) {\n"
                  "  %0 = \"nn.softmax\"(%x) : (tensor<3x4xf64>) -> tensor<3x4xf64>\n"
                  "  %1 = \"nn.log_softmax\"(%x) : (tensor<3x4xf64>) -> tensor<3x4xf64>\n"
                  "  return %0, %1 : tensor<3x4xf64>, tensor<3x4xf64>\n}\n");
  for (size_t i = 4; i < 8; i++)
    run_arg(&run, 0)[i] += 5000; /* exp overflows unless the maximum is taken away */
  run_evaluate(&run);
  for (size_t row = 0; row < 3; row++) {
    const double *x = run_arg(&run, 0) + row * 4, shift = row == 1 ? 5000 : 0;
    double sum = 0;
    for (size_t i = 0; i < 4; i++)
      sum += exp(x[i] - shift);
    for (size_t i = 0; i < 4; i++) {
      run_expect(run_result(&run, 0, row * 4 + i), exp(x[i] - shift) / sum, "softmax", row * 4 + i);
      run_expect(run_result(&run, 1, row * 4 + i), x[i] - shift - log(sum), "log", row * 4 + i);
    }
  }
  run_finish(&run);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("nn layers");
  TCase *tests = tcase_create("against loops");
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, linear);
  tcase_add_test(tests, embedding);
  tcase_add_test(tests, layer_norm);
  tcase_add_test(tests, batch_norm);
  tcase_add_test(tests, dropout);
  tcase_add_test(tests, dropout_of_nothing);
  tcase_add_test(tests, softmax);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
