/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops in forms that importers write: which are counted, and that the interpreter runs as many
 * iterations; that what an index is followed to be is what the interpreter computes. */
#include "dialects/interfaces/evaluate.h"
#include "planning/loops/slices.h"
#include "tests/unit/plan/step.h"
#include "tests/unit/suite.h"

typedef struct Form {
  const char *type;
  int start;
  const char *condition; /* of %i and %n, as a comparison's direction and operands */
  int limit;
  const char *change; /* of the counter, as an op and its operands */
  int64_t n_trips;    /* -1: not counted */
} Form;

static const Form FORMS[] = {
    {"i32", 0, "LT, %i, %n", 7, "add %i, %one", 7},
    {"i32", 0, "GT, %n, %i", 7, "add %i, %one", 7},
    {"i32", 0, "NE, %i, %n", 7, "add %one, %i", 7},
    {"i32", 0, "NE, %n, %i", 7, "add %i, %one", 7},
    {"i32", 1, "GE, %n, %i", 7, "add %i, %two", 4},
    {"i32", 6, "GE, %i, %n", 0, "subtract %i, %one", 7},
    {"i64", 6, "LT, %n, %i", -3, "subtract %i, %two", 5},
    {"ui32", 7, "GT, %i, %n", 0, "subtract %i, %one", 7},
    {"ui8", 7, "NE, %i, %n", 0, "subtract %i, %one", 7},
    {"ui32", 7, "GE, %i, %n", 0, "subtract %i, %one", -1}, /* never ends */
    {"i8", 0, "LE, %i, %n", 127, "add %i, %one", -1},      /* never ends */
    {"i8", 0, "LT, %i, %n", 120, "add %i, %one", 120},
    {"i32", 0, "NE, %i, %n", 7, "add %i, %two", -1},
    {"i32", 0, "LT, %i, %n", 7, "subtract %one, %i", -1},
    {"i32", 9, "LT, %i, %n", 7, "add %i, %one", 0},
};

static void make_form(EchoBuffer *text, const Form *form)
{
  const char *type = form->type;
  echo_buffer_printf(
      text,
      "func.func @main() -> tensor<i32> {\n"
      "  %%zero = stablehlo.constant dense<0> : tensor<i32>\n"
      "  %%start = stablehlo.constant dense<%d> : tensor<%s>\n"
      "  %%r:2 = stablehlo.while(%%k = %%zero, %%i = %%start) : tensor<i32>, tensor<%s>\n"
      "  cond {\n"
      "    %%n = stablehlo.constant dense<%d> : tensor<%s>\n"
      "    %%p = stablehlo.compare %s : (tensor<%s>, tensor<%s>) -> tensor<i1>\n"
      "    stablehlo.return %%p : tensor<i1>\n"
      "  } do {\n"
      "    %%unit = stablehlo.constant dense<1> : tensor<i32>\n"
      "    %%one = stablehlo.constant dense<1> : tensor<%s>\n"
      "    %%two = stablehlo.constant dense<2> : tensor<%s>\n"
      "    %%l = stablehlo.add %%k, %%unit : tensor<i32>\n"
      "    %%j = stablehlo.%s : tensor<%s>\n"
      "    stablehlo.return %%l, %%j : tensor<i32>, tensor<%s>\n"
      "  }\n"
      "  return %%r#0 : tensor<i32>\n}\n",
      form->start, type, type, form->limit, type, form->condition, type, type, type, type,
      form->change, type, type);
}

static EchoOp *loop_of(const TestStep *step)
{
  EchoOp *op = echo_op_body(step->main, 0)->first;
  while (op->n_regions == 0)
    op = op->next;
  return op;
}

START_TEST(forms_of_counters)
{
  const Form *form = &FORMS[_i];
  TestStep step;
  EchoBuffer text = {0};
  EchoCountedLoop counted;
  make_form(&text, form);
  test_step_parse(&step, echo_buffer_c_str(&text));
  ck_assert_int_eq(echo_hlo_counted_loop(loop_of(&step), &counted), form->n_trips >= 0);
  if (form->n_trips >= 0) {
    EchoTensor *result;
    ck_assert_int_eq(counted.n_trips, form->n_trips);
    ck_assert(echo_interpret(step.ctx, step.module, step.main, NULL, 0, &result, 1));
    ck_assert_int_eq((int64_t)echo_tensor_get_f64(result, 0), form->n_trips);
    echo_tensor_destroy(result);
  }
  echo_buffer_destroy(&text);
  test_step_destroy(&step);
}
END_TEST

#define I "tensor<i32>"
#define P "tensor<i1>"

/* Of a counter %i: what is returned, and whether it can be followed for every %i. */
static const struct {
  const char *text;
  bool is_followed;
} INDICES[] = {
    {"  %m = stablehlo.constant dense<-2> : " I "\n  %a = stablehlo.multiply %m, %i : " I "\n"
     "  %n = stablehlo.constant dense<19> : " I "\n  %r = stablehlo.add %n, %a : " I "\n",
     true},
    {"  %m = stablehlo.constant dense<3> : " I "\n  %r = stablehlo.divide %i, %m : " I "\n", true},
    {"  %m = stablehlo.constant dense<3> : " I "\n  %r = stablehlo.remainder %i, %m : " I "\n",
     true},
    {"  %n = stablehlo.negate %i : " I "\n  %m = stablehlo.constant dense<3> : " I "\n"
     "  %q = stablehlo.divide %n, %m : " I "\n  %e = stablehlo.remainder %n, %m : " I "\n"
     "  %z = stablehlo.constant dense<0> : " I "\n  %s = stablehlo.sign %n : " I "\n"
     "  %t = stablehlo.sign %m : " I "\n"
     "  %u = stablehlo.compare NE, %s, %t : (" I ", " I ") -> " P "\n"
     "  %v = stablehlo.compare NE, %e, %z : (" I ", " I ") -> " P "\n"
     "  %w = stablehlo.and %u, %v : " P "\n  %b = stablehlo.constant dense<1> : " I "\n"
     "  %d = stablehlo.subtract %q, %b : " I "\n"
     "  %r = stablehlo.select %w, %d, %q : " P ", " I "\n",
     true},
    {"  %l = stablehlo.constant dense<2> : " I "\n  %h = stablehlo.constant dense<5> : " I "\n"
     "  %a = stablehlo.clamp %l, %i, %h : " I "\n  %b = stablehlo.maximum %i, %a : " I "\n"
     "  %r = stablehlo.minimum %b, %h : " I "\n",
     true},
    {"  %z = stablehlo.constant dense<0> : " I "\n  %r = stablehlo.divide %i, %z : " I "\n", false},
    {"  %m = stablehlo.constant dense<2000000000> : " I "\n  %a = stablehlo.add %i, %m : " I "\n"
     "  %r = stablehlo.add %a, %m : " I "\n", /* wraps around */
     false},
    {"  %a = stablehlo.convert %i : (" I ") -> tensor<f32>\n"
     "  %r = stablehlo.convert %a : (tensor<f32>) -> " I "\n",
     false},
};

START_TEST(indices_are_what_is_computed)
{
  TestStep step;
  EchoBuffer text = {0};
  echo_buffer_printf(&text, "func.func @main(%%i: " I ") -> " I " {\n%s  return %%r : " I "\n}\n",
                     INDICES[_i].text);
  test_step_parse(&step, echo_buffer_c_str(&text));
  const EchoBlock *body = echo_op_body(step.main, 0);
  const EchoValue *counter = echo_block_arg(body, 0), *value = echo_op_operand(body->last, 0);
  for (int64_t i = 0; i < 12; ++i) {
    int64_t index;
    ck_assert_int_eq(echo_loop_index_at(value, counter, i, &index), INDICES[_i].is_followed);
    if (!INDICES[_i].is_followed)
      continue;
    EchoTensor *argument = echo_tensor_create(counter->type, true), *result;
    echo_tensor_set_f64(argument, 0, (double)i);
    ck_assert(echo_interpret(step.ctx, step.module, step.main, (const EchoTensor *const *)&argument,
                             1, &result, 1));
    ck_assert_int_eq((int64_t)echo_tensor_get_f64(result, 0), index);
    echo_tensor_destroy(argument);
    echo_tensor_destroy(result);
  }
  echo_buffer_destroy(&text);
  test_step_destroy(&step);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("counted_loops");
  TCase *tcase = tcase_create("counted_loops");
  tcase_add_loop_test(tcase, forms_of_counters, 0, sizeof FORMS / sizeof FORMS[0]);
  tcase_add_loop_test(tcase, indices_are_what_is_computed, 0, sizeof INDICES / sizeof INDICES[0]);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
