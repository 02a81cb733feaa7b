/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Custom calls that the compiler knows by name, unless somebody has registered the name. */
#include "dialects/kernel/call_target.h"
#include "tests/unit/plan/step.h"
#include "tests/unit/suite.h"

static bool call_nothing(const EchoTargetCall *call)
{
  (void)call;
  return true;
}

/* Whether main calls `wanted` once chlo-to-stablehlo has run. */
static bool still_calls(const char *text, const EchoCallTarget *target, const char *wanted)
{
  TestStep step;
  bool found = false;
  test_step_parse(&step, text);
  if (target != NULL)
    ck_assert(echo_context_register_call_target(step.ctx, target, NULL));
  ck_assert(test_step_run(&step, "chlo-to-stablehlo"));
  for (const EchoOp *op = echo_op_body(step.main, 0)->first; op != NULL; op = op->next)
    found |= echo_op_is(op, "stablehlo.custom_call") &&
             echo_str_is(echo_op_attr_string(op, "call_target_name"), wanted);
  test_step_destroy(&step);
  return found;
}

START_TEST(a_registered_name_is_nobody_elses)
{
  static const struct {
    const char *name, *today, *text;
  } CASES[] = {{"Qr", "lapack_sgeqrf_ffi",
                "func.func @main(%a: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>) {\n"
                "  %0:2 = stablehlo.custom_call @Qr(%a) : (tensor<3x2xf32>) -> (tensor<3x2xf32>, "
                "tensor<2xf32>)\n"
                "  return %0#0, %0#1 : tensor<3x2xf32>, tensor<2xf32>\n}\n"},
               {"lapack_sgeqrf", "lapack_sgeqrf_ffi",
                "func.func @main(%a: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>) {\n"
                "  %n = stablehlo.constant dense<2> : tensor<i32>\n"
                "  %0:4 = stablehlo.custom_call @lapack_sgeqrf(%n, %n, %n, %n, %a) : (tensor<i32>, "
                "tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x2xf32>) -> (tensor<3x2xf32>, "
                "tensor<2xf32>, tensor<i32>, tensor<64xf32>)\n"
                "  return %0#0, %0#1 : tensor<3x2xf32>, tensor<2xf32>\n}\n"}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
    const EchoCallTarget target = {.name = CASES[i].name, .run = call_nothing};
    ck_assert(still_calls(CASES[i].text, NULL, CASES[i].today));
    ck_assert(!still_calls(CASES[i].text, NULL, CASES[i].name));
    ck_assert(still_calls(CASES[i].text, &target, CASES[i].name));
    ck_assert(!still_calls(CASES[i].text, &target, CASES[i].today));
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("known_calls");
  TCase *tests = tcase_create("known_calls");
  tcase_add_test(tests, a_registered_name_is_nobody_elses);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
