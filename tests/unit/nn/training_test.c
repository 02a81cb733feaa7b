/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The loss and the optimizers against loops. */
#include <check.h>
#include <math.h>

#include "tests/unit/nn/run.h"
#include "tests/unit/suite.h"

/* -log softmax(row)[label] */
static double row_loss(const double *x, size_t n, size_t label)
{
  double largest = x[0], sum = 0;
  for (size_t i = 1; i < n; i++)
    largest = fmax(largest, x[i]);
  for (size_t i = 0; i < n; i++)
    sum += exp(x[i] - largest);
  return log(sum) + largest - x[label];
}

START_TEST(cross_entropy)
{
  Run run;
  run_start(&run, "func.func @f(%x: tensor<2x3x5xf64>, %l: tensor<2x3xi32>) -> tensor<f64> {\n"
                  "  %0 = \"nn.softmax_cross_entropy\"(%x, %l) : (tensor<2x3x5xf64>,"
                  " tensor<2x3xi32>) -> tensor<f64>\n  return %0 : tensor<f64>\n}\n");
  run_arg(&run, 0)[3] = 4000; /* exp of it overflows */
  run_evaluate(&run);
  double sum = 0;
  for (size_t row = 0; row < 6; row++)
    sum +=
        row_loss(run_arg(&run, 0) + row * 5, 5, (size_t)((const int32_t *)run.args[1]->data)[row]);
  run_expect(run_result(&run, 0, 0), sum / 6, "loss", 0);
  run_finish(&run);
}
END_TEST

START_TEST(cross_entropy_masked)
{
  Run run;
  run_start(&run, "func.func @f(%x: tensor<2x3x5xf64>, %l: tensor<2x3xi32>, %m: tensor<2x3xf64>)"
                  " -> tensor<f64> {\n"
                  "  %0 = \"nn.softmax_cross_entropy\"(%x, %l, %m) : (tensor<2x3x5xf64>,"
                  " tensor<2x3xi32>, tensor<2x3xf64>) -> tensor<f64>\n"
                  "  return %0 : tensor<f64>\n}\n");
  static const double masks[][6] = {{1, 0, 1, 1, 0, 0}, {0.5, 2, 0, 0.25, 1, 1}, {0}};
  for (size_t k = 0; k < 3; k++) {
    memcpy(run.args[2]->data, masks[k], sizeof masks[k]);
    run_evaluate(&run);
    double sum = 0, weight = 0;
    for (size_t row = 0; row < 6; row++) {
      sum += masks[k][row] * row_loss(run_arg(&run, 0) + row * 5, 5,
                                      (size_t)((const int32_t *)run.args[1]->data)[row]);
      weight += masks[k][row];
    }
    run_expect(run_result(&run, 0, 0), sum / fmax(weight, 1), "loss", k);
  }
  run_finish(&run);
}
END_TEST

/* More classes than the labels' type counts to: label 3 must not also be class 259. */
START_TEST(cross_entropy_of_many_classes)
{
  Run run;
  run_start(&run, "func.func @f(%x: tensor<1x300xf64>, %l: tensor<1xi8>) -> tensor<f64> {\n"
                  "  %0 = \"nn.softmax_cross_entropy\"(%x, %l) : (tensor<1x300xf64>,"
                  " tensor<1xi8>) -> tensor<f64>\n  return %0 : tensor<f64>\n}\n");
  *(int8_t *)run.args[1]->data = 3;
  run_evaluate(&run);
  run_expect(run_result(&run, 0, 0), row_loss(run_arg(&run, 0), 300, 3), "loss", 0);
  run_finish(&run);
}
END_TEST

START_TEST(sgd)
{
  Run run;
  run_start(&run, "func.func @f(%p: tensor<7xf64>, %g: tensor<7xf64>, %r: tensor<f64>,"
                  " %v: tensor<7xf64>) -> (tensor<7xf64>, tensor<7xf64>, tensor<7xf64>,"
                  " tensor<7xf64>) {\n"
                  "  %0 = \"nn.sgd\"(%p, %g, %r) : (tensor<7xf64>, tensor<7xf64>, tensor<f64>) ->"
                  " tensor<7xf64>\n"
                  "  %1 = \"nn.sgd\"(%p, %g, %r) <{weight_decay = 0.125 : f64}> : (tensor<7xf64>,"
                  " tensor<7xf64>, tensor<f64>) -> tensor<7xf64>\n"
                  "  %2:2 = \"nn.sgd\"(%p, %g, %r, %v) <{momentum = 0.75 : f64, weight_decay ="
                  " 0.125 : f64}> : (tensor<7xf64>, tensor<7xf64>, tensor<f64>, tensor<7xf64>) ->"
                  " (tensor<7xf64>, tensor<7xf64>)\n"
                  "  return %0, %1, %2#0, %2#1 : tensor<7xf64>, tensor<7xf64>, tensor<7xf64>,"
                  " tensor<7xf64>\n}\n");
  run_evaluate(&run);
  double rate = *run_arg(&run, 2);
  for (size_t i = 0; i < 7; i++) {
    double p = run_arg(&run, 0)[i], g = run_arg(&run, 1)[i], v = run_arg(&run, 3)[i];
    run_expect(run_result(&run, 0, i), p - rate * g, "plain", i);
    run_expect(run_result(&run, 1, i), p - rate * (g + 0.125 * p), "decay", i);
    v = 0.75 * v + g + 0.125 * p;
    run_expect(run_result(&run, 2, i), p - rate * v, "momentum", i);
    run_expect(run_result(&run, 3, i), v, "velocity", i);
  }
  run_finish(&run);
}
END_TEST

START_TEST(adam)
{
  Run run;
  run_start(&run, "func.func @f(%p: tensor<7xf64>, %g: tensor<7xf64>, %m: tensor<7xf64>,"
                  " %v: tensor<7xf64>, %t: tensor<i32>, %r: tensor<f64>) -> (tensor<7xf64>,"
                  " tensor<7xf64>, tensor<7xf64>, tensor<7xf64>) {\n"
                  "  %0:3 = \"nn.adam\"(%p, %g, %m, %v, %t, %r) <{beta1 = 0.9 : f64, beta2 = 0.99 :"
                  " f64, epsilon = 1.0e-3 : f64}> : (tensor<7xf64>, tensor<7xf64>, tensor<7xf64>,"
                  " tensor<7xf64>, tensor<i32>, tensor<f64>) -> (tensor<7xf64>, tensor<7xf64>,"
                  " tensor<7xf64>)\n"
                  "  %1:3 = \"nn.adam\"(%p, %g, %m, %v, %t, %r) <{beta1 = 0.9 : f64, beta2 = 0.99 :"
                  " f64, epsilon = 1.0e-3 : f64, weight_decay = 0.5 : f64}> : (tensor<7xf64>,"
                  " tensor<7xf64>, tensor<7xf64>, tensor<7xf64>, tensor<i32>, tensor<f64>) ->"
                  " (tensor<7xf64>, tensor<7xf64>, tensor<7xf64>)\n"
                  "  return %0#0, %0#1, %0#2, %1#0 : tensor<7xf64>, tensor<7xf64>, tensor<7xf64>,"
                  " tensor<7xf64>\n}\n");
  for (size_t i = 0; i < 7; i++)
    run_arg(&run, 3)[i] = fabs(run_arg(&run, 3)[i]);
  for (int32_t step = 1; step <= 100; step += 33) {
    *(int32_t *)run.args[4]->data = step;
    run_evaluate(&run);
    double rate = *run_arg(&run, 5);
    for (size_t i = 0; i < 7; i++) {
      double p = run_arg(&run, 0)[i], g = run_arg(&run, 1)[i];
      double m = 0.9 * run_arg(&run, 2)[i] + 0.1 * g;
      double v = 0.99 * run_arg(&run, 3)[i] + 0.01 * g * g;
      double direction = m / (1 - pow(0.9, step)) / (sqrt(v / (1 - pow(0.99, step))) + 1e-3);
      run_expect(run_result(&run, 0, i), p - rate * direction, "parameter", i);
      run_expect(run_result(&run, 1, i), m, "first moment", i);
      run_expect(run_result(&run, 2, i), v, "second moment", i);
      run_expect(run_result(&run, 3, i), p - rate * (direction + 0.5 * p), "decayed", i);
    }
  }
  run_finish(&run);
}
END_TEST

/* In bf16 0.999 is 1: the bias correction must not become 0. */
START_TEST(adam_in_bf16)
{
  Run run;
  run_start(&run,
            "func.func @f(%p: tensor<3xbf16>, %g: tensor<3xbf16>, %m: tensor<3xbf16>,"
            " %v: tensor<3xbf16>, %t: tensor<i32>, %r: tensor<f32>) -> tensor<3xbf16> {\n"
            "  %0:3 = \"nn.adam\"(%p, %g, %m, %v, %t, %r) <{beta1 = 0.9 : f64, beta2 = 0.999 :"
            " f64, epsilon = 1.0e-8 : f64}> : (tensor<3xbf16>, tensor<3xbf16>,"
            " tensor<3xbf16>, tensor<3xbf16>, tensor<i32>, tensor<f32>) -> (tensor<3xbf16>,"
            " tensor<3xbf16>, tensor<3xbf16>)\n  return %0#0 : tensor<3xbf16>\n}\n");
  for (int64_t i = 0; i < 3; i++) {
    echo_tensor_set_f64(run.args[0], i, 1);
    echo_tensor_set_f64(run.args[1], i, 0.5);
    echo_tensor_set_f64(run.args[2], i, 0);
    echo_tensor_set_f64(run.args[3], i, 0);
  }
  *(int32_t *)run.args[4]->data = 1;
  *(float *)run.args[5]->data = 0.25f;
  run_evaluate(&run);
  for (int64_t i = 0; i < 3; i++) /* the first step of Adam is the rate itself; 2^-7 is an ULP */
    ck_assert_double_eq_tol(echo_tensor_get_f64(run.results[0], i), 0.75, 0x1p-7);
  run_finish(&run);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("nn training");
  TCase *tests = tcase_create("against loops");
  tcase_add_test(tests, cross_entropy);
  tcase_add_test(tests, cross_entropy_masked);
  tcase_add_test(tests, cross_entropy_of_many_classes);
  tcase_add_test(tests, sgd);
  tcase_add_test(tests, adam);
  tcase_add_test(tests, adam_in_bf16);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
