/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nn.ctc_loss and its gradient against the sum over every alignment: each of the V^T sequences of
 * classes, collapsed as CTC does (equal neighbours to one, then blanks away), whose label sequence
 * is the row's. */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "tests/unit/nn/run.h"
#include "tests/unit/suite.h"

enum { T = 5, B = 6, V = 3, L = 3 };

#define ARGS "tensor<5x6x3xf64>, tensor<6x3xi32>, tensor<6xi32>, tensor<6xi32>"

/* One loss a row, and the gradient of their sum. */
static void start(Run *run, const char *attributes)
{
  char text[1024];
  snprintf(text, sizeof text,
           "func.func @f(%%x: tensor<5x6x3xf64>, %%l: tensor<6x3xi32>, %%t: tensor<6xi32>,"
           " %%n: tensor<6xi32>) -> (tensor<6xf64>, tensor<5x6x3xf64>) {\n"
           "  %%0 = \"nn.ctc_loss\"(%%x, %%l, %%t, %%n) %s : (" ARGS ") -> tensor<6xf64>\n"
           "  %%zero = stablehlo.constant dense<0.0> : tensor<f64>\n"
           "  %%1 = stablehlo.reduce(%%0 init: %%zero) applies stablehlo.add across dimensions ="
           " [0] : (tensor<6xf64>, tensor<f64>) -> tensor<f64>\n"
           "  %%2 = \"nn.gradient\"(%%1, %%x) : (tensor<f64>, tensor<5x6x3xf64>) ->"
           " tensor<5x6x3xf64>\n"
           "  return %%0, %%2 : tensor<6xf64>, tensor<5x6x3xf64>\n}\n",
           attributes);
  run_start(run, text);
}

static int32_t *ints(const Run *run, size_t arg)
{
  return run->args[arg]->data;
}

/* Whether the path of `n` classes spells the labels. */
static bool spells(const int *path, int n, int blank, const int32_t *labels, int n_labels)
{
  int at = 0;
  for (int t = 0; t < n; t++)
    if (path[t] != blank && (t == 0 || path[t] != path[t - 1])) {
      if (at == n_labels || labels[at] != path[t])
        return false;
      at++;
    }
  return at == n_labels;
}

/* Probability of the row's labels, and of that the part whose paths take class v in frame t. */
static double sum_paths(const Run *run, int row, int blank, double part[T][V])
{
  const double *x = run_arg(run, 0);
  int n = ints(run, 2)[row], n_paths = 1;
  n = n > T ? T : n;
  double total = 0;
  memset(part, 0, sizeof(double[T][V]));
  for (int t = 0; t < n; t++)
    n_paths *= V;
  for (int code = 0; code < n_paths; code++) {
    int path[T], rest = code;
    double p = 1;
    for (int t = 0; t < n; t++, rest /= V) {
      path[t] = rest % V;
      p *= exp(x[(t * B + row) * V + path[t]]);
    }
    if (ints(run, 3)[row] > L || !spells(path, n, blank, ints(run, 1) + row * L, ints(run, 3)[row]))
      continue;
    total += p;
    for (int t = 0; t < n; t++)
      part[t][path[t]] += p;
  }
  return total;
}

/* d(-log P) / dx(t, v) = -(part of P through v at t) / P; 0 in a row without any path. */
static void check(Run *run, int blank, double otherwise)
{
  run_evaluate(run);
  for (int row = 0; row < B; row++) {
    double part[T][V], total = sum_paths(run, row, blank, part);
    if (total == 0)
      ck_assert_double_eq(run_result(run, 0, (size_t)row), otherwise);
    else
      run_expect(run_result(run, 0, (size_t)row), -log(total), "loss", (size_t)row);
    for (int t = 0; t < T; t++)
      for (int v = 0; v < V; v++) {
        size_t i = (size_t)((t * B + row) * V + v);
        run_expect(run_result(run, 1, i), total == 0 ? 0 : -part[t][v] / total, "gradient", i);
      }
  }
}

/* Of blank 0: plain labels, a label twice, fewer frames, none to say, and two rows that cannot be:
 * a label twice in as few frames as labels, and labels that are no class. */
static void fill(Run *run, int blank)
{
  static const int32_t labels[B][L] = {{1, 2, 1}, {1, 1, 2}, {2, 1, -1},
                                       {2, 2, 2}, {1, 1, 1}, {1, 9, 2}};
  static const int32_t frames[B] = {5, 5, 3, 4, 3, 5}, counts[B] = {3, 3, 2, 0, 3, 3};
  memcpy(ints(run, 1), labels, sizeof labels);
  memcpy(ints(run, 2), frames, sizeof frames);
  memcpy(ints(run, 3), counts, sizeof counts);
  for (int i = 0; i < B * L; i++)
    if (blank == 2)
      ints(run, 1)[i] = 2 - ints(run, 1)[i];
}

START_TEST(loop_and_unrolled)
{
  static const char *const forms[] = {"", "<{is_loop = true}>", "<{is_loop = false}>"};
  for (size_t i = 0; i < 3; i++) {
    Run run;
    start(&run, forms[i]);
    fill(&run, 0);
    check(&run, 0, INFINITY);
    run_finish(&run);
  }
}
END_TEST

START_TEST(blank_and_zero_infinity)
{
  Run run;
  start(&run, "<{blank = 2 : i64, zero_infinity = true}>");
  fill(&run, 2);
  check(&run, 2, 0);
  run_finish(&run);
}
END_TEST

/* Every labelling of every length in every number of frames, six at a time. */
START_TEST(all_labels)
{
  Run run;
  start(&run, "");
  int row = 0;
  for (int n_frames = 0; n_frames <= T + 1; n_frames++)
    for (int n_labels = 0; n_labels <= L + 1; n_labels++)
      for (int code = 0; code < 1 << L; code++) {
        for (int i = 0; i < L; i++)
          ints(&run, 1)[row * L + i] = 1 + (code >> i) % 2;
        ints(&run, 2)[row] = n_frames;
        ints(&run, 3)[row] = n_labels;
        row = (row + 1) % B;
        if (row == 0)
          check(&run, 0, INFINITY);
      }
  run_finish(&run);
}
END_TEST

/* A class that cannot be: -inf among the logarithms makes no NaN. */
START_TEST(impossible_classes)
{
  Run run;
  start(&run, "");
  fill(&run, 0);
  for (size_t i = 0; i < T * B * V; i += 4)
    run_arg(&run, 0)[i] = -INFINITY;
  check(&run, 0, INFINITY);
  run_finish(&run);
}
END_TEST

/* Far below the smallest number, in logarithms only: ten frames of e^-200 each. */
START_TEST(long_and_unlikely)
{
  Run run;
  run_start(&run, "func.func @f(%x: tensor<10x1x2xf64>, %l: tensor<1x1xi8>, %t: tensor<1xi64>,"
                  " %n: tensor<1xui8>) -> tensor<1xf64> {\n"
                  "  %0 = \"nn.ctc_loss\"(%x, %l, %t, %n) : (tensor<10x1x2xf64>, tensor<1x1xi8>,"
                  " tensor<1xi64>, tensor<1xui8>) -> tensor<1xf64>\n"
                  "  return %0 : tensor<1xf64>\n}\n");
  for (size_t i = 0; i < 20; i++)
    run_arg(&run, 0)[i] = -200;
  *(int8_t *)run.args[1]->data = 1;
  *(int64_t *)run.args[2]->data = 10;
  *(uint8_t *)run.args[3]->data = 1;
  run_evaluate(&run);
  run_expect(run_result(&run, 0, 0), 2000 - log(55), "loss", 0); /* runs of one label: 10 11 / 2 */
  run_finish(&run);
}
END_TEST

START_TEST(no_labels)
{
  Run run;
  run_start(&run, "func.func @f(%x: tensor<2x1x2xf64>, %l: tensor<1x0xi32>, %t: tensor<1xi32>,"
                  " %n: tensor<1xi32>) -> tensor<1xf64> {\n"
                  "  %0 = \"nn.ctc_loss\"(%x, %l, %t, %n) : (tensor<2x1x2xf64>, tensor<1x0xi32>,"
                  " tensor<1xi32>, tensor<1xi32>) -> tensor<1xf64>\n"
                  "  return %0 : tensor<1xf64>\n}\n");
  ints(&run, 2)[0] = 2;
  ints(&run, 3)[0] = 0;
  run_evaluate(&run);
  run_expect(run_result(&run, 0, 0), -run_arg(&run, 0)[0] - run_arg(&run, 0)[2], "loss", 0);
  run_finish(&run);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("nn ctc");
  TCase *tests = tcase_create("against all alignments");
  tcase_add_test(tests, loop_and_unrolled);
  tcase_add_test(tests, blank_and_zero_infinity);
  tcase_add_test(tests, all_labels);
  tcase_add_test(tests, impossible_classes);
  tcase_add_test(tests, long_and_unlikely);
  tcase_add_test(tests, no_labels);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
