/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the interpreter cannot do gives a diagnostic, and never a wrong value or a crash. */
#include <check.h>
#include <stdio.h>

#include "base/string.h"
#include "dialects/dialects.h"
#include "dialects/interfaces/evaluate.h"
#include "ir/diagnostics.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "tests/unit/suite.h"

static void keep_message(void *user, EchoContext *ctx, const EchoDiagnostic *diagnostic)
{
  echo_diagnostic_format(ctx, diagnostic, user);
}

/* Interprets the last function of the text, which must fail with this message. */
static void expect_error(const char *text, const char *message)
{
  EchoBuffer messages = {0};
  EchoContext *ctx = echo_context_create();
  echo_register_dialects(ctx);
  echo_context_set_diagnostic_handler(ctx, keep_message, &messages);
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("test"), echo_str(text));
  ck_assert_msg(module != NULL && echo_verify(module), "%s", echo_buffer_c_str(&messages));
  const EchoOp *function = echo_op_body(module, 0)->last;
  EchoTensor *results[8] = {0};
  size_t n = echo_op_body(function, 0)->last->n_operands;
  ck_assert(!echo_interpret(ctx, module, function, NULL, 0, results, n));
  echo_context_flush_diagnostics(ctx);
  ck_assert_msg(strstr(echo_buffer_c_str(&messages), message) != NULL, "'%s' is not in\n%s",
                message, echo_buffer_c_str(&messages));
  echo_buffer_destroy(&messages);
  echo_context_destroy(ctx);
}

START_TEST(element_types)
{
  static const char *const bodies[] = {
      "%0 = stablehlo.iota dim = 0 : tensor<4xf8E5M2>",
      "%0 = stablehlo.iota dim = 0 : tensor<4xcomplex<f32>>",
      "%c = stablehlo.constant dense<1.0> : tensor<4xf8E4M3FN>\n"
      "%0 = stablehlo.add %c, %c : tensor<4xf8E4M3FN>",
      "%c = stablehlo.constant dense<1.0> : tensor<4xf8E4M3FN>\n"
      "%0 = stablehlo.convert %c : (tensor<4xf8E4M3FN>) -> tensor<4xf32>",
      "%c = stablehlo.constant dense<(1.0, 2.0)> : tensor<4xcomplex<f64>>\n"
      "%0 = stablehlo.multiply %c, %c : tensor<4xcomplex<f64>>",
      "%c = stablehlo.constant dense<(1.0, 2.0)> : tensor<4xcomplex<f64>>\n"
      "%0 = stablehlo.real %c : (tensor<4xcomplex<f64>>) -> tensor<4xf64>",
      "%c = stablehlo.constant dense<1.0> : tensor<4xf32>\n"
      "%0 = stablehlo.complex %c, %c : tensor<4xcomplex<f32>>",
      "%c = stablehlo.constant dense<(1.0, 2.0)> : tensor<4x4xcomplex<f32>>\n"
      "%0 = stablehlo.dot_general %c, %c, contracting_dims = [1] x [0] : "
      "(tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>",
      "%c = stablehlo.constant dense<(1.0, 2.0)> : tensor<4xcomplex<f32>>\n"
      "%i = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>\n"
      "%0 = stablehlo.reduce(%c init: %i) applies stablehlo.add across dimensions = [0] : "
      "(tensor<4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>",
      "%c = stablehlo.constant dense<1.0> : tensor<4xf8E5M2>\n"
      "%0 = stablehlo.reduce_precision %c, format = e3m1 : tensor<4xf8E5M2>",
      "%c = stablehlo.constant dense<1> : tensor<4xi4>\n"
      "%0 = stablehlo.add %c, %c : tensor<4xi4>",
  };
  for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
    EchoBuffer text = {0};
    echo_buffer_printf(&text, "func.func @f() {\n%s\nreturn\n}\n", bodies[i]);
    expect_error(echo_buffer_c_str(&text), "cannot be interpreted for values of these types");
    echo_buffer_destroy(&text);
  }
}
END_TEST

START_TEST(ops)
{
  expect_error("func.func @f(){\n"
               "  %c = stablehlo.constant dense<1.0> : tensor<8xf32>\n"
               "  %0 = stablehlo.fft %c, type = RFFT, length = [8] : (tensor<8xf32>) -> "
               "tensor<5xcomplex<f32>>\n"
               "  return\n}\n",
               "'stablehlo.fft' op cannot be interpreted");
  expect_error("func.func @f() -> tensor<f32> {\n"
               "  %0 = stablehlo.custom_call @who() : () -> tensor<f32>\n"
               "  return %0 : tensor<f32>\n}\n",
               "calls 'who', which is not known");
  expect_error("func.func @f() {\n  %0 = stablehlo.create_token : !stablehlo.token\n  return\n}\n",
               "'stablehlo.create_token' op cannot be interpreted");
  expect_error("func.func private @g() -> tensor<f32>\n"
               "func.func @f() -> tensor<f32> {\n  %0 = call @g() : () -> tensor<f32>\n"
               "  return %0 : tensor<f32>\n}\n",
               "has no body to interpret");
  expect_error("func.func @f() {\n"
               "  %s = stablehlo.constant dense<1> : tensor<4xui32>\n"
               "  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<4xui32>) ->"
               " (tensor<4xui32>, tensor<2xui32>)\n  return\n}\n",
               "expects a state of two or three ui64");
  expect_error("func.func @f() {\n"
               "  %s = stablehlo.constant dense<1> : tensor<2xui64>\n"
               "  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) ->"
               " (tensor<2xui64>, tensor<2xf32>)\n  return\n}\n",
               "gives integers only");
}
END_TEST

START_TEST(endless_recursion)
{
  expect_error("func.func @f() -> tensor<f32> {\n  %0 = call @f() : () -> tensor<f32>\n"
               "  return %0 : tensor<f32>\n}\n",
               "is called more than 256 deep");
}
END_TEST

START_TEST(deep_nesting)
{
  enum { DEPTH = 3000 };
  EchoBuffer text = {0};
  echo_buffer_printf(&text, "func.func @f() -> tensor<i1> {\n"
                            "  %%t = stablehlo.constant dense<true> : tensor<i1>\n  %%0 = ");
  for (int i = 0; i < DEPTH; i++)
    echo_buffer_printf(&text, "\"stablehlo.if\"(%%t) ({\n%%v = ");
  echo_buffer_printf(&text, "stablehlo.not %%t : tensor<i1>\n");
  for (int i = 0; i < DEPTH; i++)
    echo_buffer_printf(&text, "stablehlo.return %%v : tensor<i1>\n}, {\n"
                              "stablehlo.return %%t : tensor<i1>\n}) : (tensor<i1>) -> "
                              "tensor<i1>\n");
  echo_buffer_printf(&text, "  return %%0 : tensor<i1>\n}\n");
  expect_error(echo_buffer_c_str(&text), "is nested more than 1000 deep");
  echo_buffer_destroy(&text);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("evaluate_errors");
  TCase *tests = tcase_create("messages");
  tcase_add_test(tests, element_types);
  tcase_add_test(tests, ops);
  tcase_add_test(tests, endless_recursion);
  tcase_add_test(tests, deep_nesting);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
