/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The interpreter against values derived by hand from the specification: every function of the
 * .mlir files here returns pairs of what an op gives and what it must give, which agree to the bit
 * (any NaN equals any NaN). */
#include <check.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>

#include "dialects/dialects.h"
#include "dialects/interfaces/denormals.h"
#include "dialects/interfaces/evaluate.h"
#include "ir/diagnostics.h"
#include "ir/symbol.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "tests/unit/suite.h"

enum { MAX_RESULTS = 32 };

static void print_diagnostic(void *user, EchoContext *ctx, const EchoDiagnostic *diagnostic)
{
  (void)user;
  EchoBuffer text = {0};
  echo_diagnostic_format(ctx, diagnostic, &text);
  fputs(echo_buffer_c_str(&text), stderr);
  echo_buffer_destroy(&text);
}

static bool same_element(const EchoTensor *got, const EchoTensor *want, int64_t i)
{
  if (!echo_element_is_float(got->kind))
    return echo_tensor_get_i64(got, i) == echo_tensor_get_i64(want, i);
  double a = echo_tensor_get_f64(got, i), b = echo_tensor_get_f64(want, i);
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void expect_same(const char *name, size_t pair, const EchoTensor *got,
                        const EchoTensor *want)
{
  ck_assert_msg(got->type == want->type, "%s, pair %zu: the types differ", name, pair);
  for (int64_t i = 0; i < got->n_elements; i++)
    ck_assert_msg(same_element(got, want, i), "%s, pair %zu, element %lld: %.17g, not %.17g", name,
                  pair, (long long)i, echo_tensor_get_f64(got, i), echo_tensor_get_f64(want, i));
}

static void check_function(EchoContext *ctx, const EchoOp *module, const EchoOp *function,
                           const char *path)
{
  char name[2048];
  EchoTensor *results[MAX_RESULTS] = {0};
  size_t n = echo_op_body(function, 0)->last->n_operands;
  snprintf(name, sizeof name, "%s @%.*s", path, ECHO_STR_ARG(echo_symbol_name(function)));
  ck_assert_msg(n <= MAX_RESULTS && n % 2 == 0, "%s returns no pairs", name);
  ck_assert_msg(echo_interpret(ctx, module, function, NULL, 0, results, n), "%s: not interpreted",
                name);
  for (size_t i = 0; i < n; i += 2)
    expect_same(name, i / 2, results[i], results[i + 1]);
  for (size_t i = 0; i < n; i++)
    echo_tensor_destroy(results[i]);
}

static void check_file(const char *path)
{
  EchoContext *ctx = echo_context_create();
  echo_register_dialects(ctx);
  echo_context_set_diagnostic_handler(ctx, print_diagnostic, NULL);
  EchoOp *module = echo_parse_file_or_null(ctx, path);
  if (module != NULL)
    echo_module_keep_denormals(module, true); /* values of all formats; flushed: tests/golden */
  ck_assert_msg(module != NULL && echo_verify(module), "%s: not a valid module", path);
  size_t n_checked = 0;
  for (const EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next) {
    if (echo_op_attr_or_null(op, "sym_visibility") != NULL)
      continue; /* called by others */
    check_function(ctx, module, op, path);
    n_checked++;
  }
  ck_assert_msg(n_checked > 0, "%s holds no function", path);
  echo_context_destroy(ctx);
}

static int is_module(const struct dirent *entry)
{
  size_t size = strlen(entry->d_name);
  return size > 5 && strcmp(entry->d_name + size - 5, ".mlir") == 0;
}

START_TEST(files)
{
  struct dirent **found;
  int n = scandir(ECHO_SOURCE_DIR "/tests/unit/stablehlo", &found, is_module, alphasort);
  ck_assert_int_gt(n, 0);
  for (int i = 0; i < n; i++) {
    char path[1024];
    snprintf(path, sizeof path, ECHO_SOURCE_DIR "/tests/unit/stablehlo/%s", found[i]->d_name);
    check_file(path);
    free(found[i]);
  }
  free(found);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("evaluate");
  TCase *tests = tcase_create("values");
  tcase_add_test(tests, files);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
