/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A step in the body of a loop is planned as it is alone, its time counts once a trip, and what
 * waits around the loop is weighed against what is held inside. */
#include "ir/diagnostics.h"
#include "tests/unit/plan/step.h"
#include "tests/unit/suite.h"

#include <stdio.h>

#define N_LAYERS 12
#define N_BUDGETS TEST_SIZE(8, 4)
#define N_TRIPS 4
#define H "tensor<512x64xf32>" /* activations: 128 KiB */
#define W "tensor<64x64xf32>"  /* the weight: 16 KiB */

/* ---- steps ---- */

/* h[t] = tanh(h[t-1] w), names with `mark`. */
static void add_forward(EchoBuffer *text, const char *mark, int n_layers)
{
  for (int t = 1; t <= n_layers; ++t)
    echo_buffer_printf(text,
                       "  %%%sz%d = stablehlo.dot_general %%%sh%d, %%%sw, contracting_dims = [1] x "
                       "[0] : (" H ", " W ") -> " H "\n"
                       "  %%%sh%d = stablehlo.tanh %%%sz%d : " H "\n",
                       mark, t, mark, t - 1, mark, mark, t, mark, t);
}

/* d[t] = g[t] (1 - h[t]^2), u = w - h[t-1]' d[t], g[t-1] = d[t] w'; g[n] is given. */
static void add_backward(EchoBuffer *text, const char *mark, int n_layers)
{
  echo_buffer_printf(text, "  %%%sone = stablehlo.constant dense<1.0> : " H "\n", mark);
  for (int t = n_layers; t >= 1; --t) {
    char last[32];
    snprintf(last, sizeof last, t == n_layers ? "%%%sw" : "%%%su%d", mark, t + 1);
    echo_buffer_printf(
        text,
        "  %%%ss%d = stablehlo.multiply %%%sh%d, %%%sh%d : " H "\n"
        "  %%%sr%d = stablehlo.subtract %%%sone, %%%ss%d : " H "\n"
        "  %%%sd%d = stablehlo.multiply %%%sg%d, %%%sr%d : " H "\n"
        "  %%%sv%d = stablehlo.dot_general %%%sh%d, %%%sd%d, contracting_dims = [0] x [0] : (" H
        ", " H ") -> " W "\n"
        "  %%%su%d = stablehlo.subtract %s, %%%sv%d : " W "\n"
        "  %%%sg%d = stablehlo.dot_general %%%sd%d, %%%sw, contracting_dims = [1] x [1] : (" H
        ", " W ") -> " H "\n",
        mark, t, mark, t, mark, t, mark, t, mark, mark, t, mark, t, mark, t, mark, t, mark, t, mark,
        t - 1, mark, t, mark, t, last, mark, t, mark, t - 1, mark, t, mark);
  }
}

static void add_step(EchoBuffer *text, const char *mark, int n_layers)
{
  add_forward(text, mark, n_layers);
  echo_buffer_printf(text, "  %%%sg%d = stablehlo.negate %%%sh%d : " H "\n", mark, n_layers, mark,
                     n_layers);
  add_backward(text, mark, n_layers);
}

/* N_TRIPS such steps on `input`; the weight is carried. The body holds a constant of its own that
 * stands beside the arena. */
static void add_loop(EchoBuffer *text, const char *input, const char *weight)
{
  echo_buffer_printf(text,
                     "  %%zero = stablehlo.constant dense<0> : tensor<i32>\n"
                     "  %%all:2 = stablehlo.while(%%i = %%zero, %%bw = %s) : tensor<i32>, " W "\n"
                     "   cond {\n"
                     "    %%n = stablehlo.constant dense<%d> : tensor<i32>\n"
                     "    %%p = stablehlo.compare LT, %%i, %%n : (tensor<i32>, tensor<i32>) -> "
                     "tensor<i1>\n"
                     "    stablehlo.return %%p : tensor<i1>\n  } do {\n"
                     "  %%row = stablehlo.constant dense<[0.0",
                     weight, N_TRIPS);
  for (int i = 1; i < 64; ++i)
    echo_buffer_printf(text, ", %d.0", i);
  echo_buffer_printf(
      text,
      "]> : tensor<64xf32>\n"
      "  %%rows = stablehlo.broadcast_in_dim %%row, dims = [1] : (tensor<64xf32>) -> " H
      "\n  %%bh0 = stablehlo.add %s, %%rows : " H "\n",
      input);
  add_step(text, "b", N_LAYERS);
  echo_buffer_printf(text, "  %%next = stablehlo.constant dense<1> : tensor<i32>\n"
                           "  %%j = stablehlo.add %%i, %%next : tensor<i32>\n"
                           "  stablehlo.return %%j, %%bu1 : tensor<i32>, " W "\n  }\n");
}

#define HEAD "func.func @main(%%x: " H ", %%w: " W " {tf.aliasing_output = 0 : i32}) -> "

static void write_alone(EchoBuffer *text)
{
  echo_buffer_printf(text, HEAD W " {\n  %%bh0 = stablehlo.negate %%x : " H
                                  "\n  %%bw = stablehlo.negate %%w : " W "\n");
  add_step(text, "b", N_LAYERS);
  echo_buffer_printf(text, "  return %%bu1 : " W "\n}\n");
}

static void write_in_loop(EchoBuffer *text)
{
  echo_buffer_printf(text, HEAD W " {\n");
  add_loop(text, "%x", "%w");
  echo_buffer_printf(text, "  return %%all#1 : " W "\n}\n");
}

/* The layers of another step stand around the loop, and wait while it runs. */
static void write_around(EchoBuffer *text)
{
  echo_buffer_printf(text, HEAD "(" W ", " W ") {\n  %%ah0 = stablehlo.negate %%x : " H
                                "\n  %%aw = stablehlo.negate %%w : " W "\n");
  add_forward(text, "a", N_LAYERS);
  echo_buffer_printf(text, "  %%in = stablehlo.negate %%ah%d : " H "\n", N_LAYERS);
  add_loop(text, "%in", "%w");
  echo_buffer_printf(text,
                     "  %%back = stablehlo.dot_general %%x, %%all#1, contracting_dims = [1] x [0] "
                     ": (" H ", " W ") -> " H "\n"
                     "  %%ag%d = stablehlo.multiply %%back, %%ah%d : " H "\n",
                     N_LAYERS, N_LAYERS);
  add_backward(text, "a", N_LAYERS);
  echo_buffer_printf(text, "  return %%all#1, %%au1 : " W ", " W "\n}\n");
}

/* ---- plans ---- */

typedef void Writer(EchoBuffer *text);

typedef struct Planned {
  bool is_planned;
  int64_t peak_bytes, bytes, ns, off_ns; /* of everything; of the arena */
  int64_t named_bytes;                   /* that a refusal names */
} Planned;

static int64_t number_named(const TestStep *step)
{
  static const char SAYS[] = "the smallest possible one is ";
  for (size_t i = 0; i < echo_context_n_diagnostics(step->ctx); ++i) {
    const char *at = strstr(echo_context_diagnostic(step->ctx, i)->message, SAYS);
    if (at != NULL)
      return atoll(at + strlen(SAYS));
  }
  return -1;
}

static Planned plan(Writer *write, const char *echo)
{
  TestStep step;
  EchoBuffer text = {0}, pipeline = {0};
  write(&text);
  test_step_parse(&step, echo_buffer_c_str(&text));
  echo_buffer_printf(&pipeline, "isolate-regions,echo{%s}", echo);
  Planned planned = {.is_planned = test_step_run(&step, echo_buffer_c_str(&pipeline))};
  planned.ns = test_step_fact(&step, "echo.on_ns");
  planned.off_ns = test_step_fact(&step, "echo.off_ns");
  planned.named_bytes = number_named(&step);
  if (planned.is_planned)
    ck_assert(test_step_run(&step, "schedule,fuse,bufferize,plan-memory,verify-plan"));
  planned.peak_bytes = test_step_fact(&step, "plan.peak_bytes");
  planned.bytes = test_step_fact(&step, "plan.temp_bytes");
  echo_buffer_destroy(&text);
  echo_buffer_destroy(&pipeline);
  test_step_destroy(&step);
  return planned;
}

static Planned plan_budget(Writer *write, int64_t bytes)
{
  char echo[64];
  snprintf(echo, sizeof echo, "budget=%lld", (long long)bytes);
  return plan(write, echo);
}

#define SMALL 1024 /* counters and flags */

START_TEST(a_body_comes_to_what_it_comes_to_alone)
{
  Planned off = plan(write_in_loop, "overhead=0%"), least = plan(write_in_loop, "budget=min");
  Planned alone_off = plan(write_alone, "overhead=0%"), alone = plan(write_alone, "budget=min");
  ck_assert_int_lt(least.bytes * 2, off.bytes);
  ck_assert_int_le(off.bytes, alone_off.bytes + SMALL);
  ck_assert_int_le(least.bytes, alone.bytes + SMALL);
}
END_TEST

START_TEST(time_counts_once_a_trip)
{
  Planned least = plan(write_in_loop, "budget=min"), alone = plan(write_alone, "budget=min");
  int64_t added = least.ns - least.off_ns, added_alone = alone.ns - alone.off_ns;
  ck_assert_int_gt(added_alone, 0);
  ck_assert_int_ge(added, N_TRIPS * added_alone * 9 / 10);
  ck_assert_int_le(added, N_TRIPS * added_alone * 11 / 10);
  Planned within = plan(write_in_loop, "overhead=5%");
  ck_assert_int_le(within.ns, within.off_ns + within.off_ns / 20);
  ck_assert_int_lt(within.bytes, plan(write_in_loop, "overhead=0%").bytes);
}
END_TEST

START_TEST(inside_and_around_are_one_curve)
{
  Planned off = plan(write_around, "overhead=0%"), least = plan(write_around, "budget=min");
  ck_assert_int_lt(least.bytes * 2, off.bytes);
  int n_distinct = 0;
  Planned before = off;
  for (int i = 1; i <= N_BUDGETS; ++i) {
    int64_t budget = off.peak_bytes - (off.peak_bytes - least.peak_bytes) * i / N_BUDGETS;
    Planned now = plan_budget(write_around, budget);
    ck_assert(now.is_planned);
    ck_assert_int_le(now.peak_bytes, budget);
    ck_assert_int_le(now.peak_bytes, before.peak_bytes);
    ck_assert(now.ns >= before.ns || before.ns == off.ns);
    n_distinct += now.peak_bytes != before.peak_bytes;
    before = now;
  }
  ck_assert_int_ge(n_distinct, N_BUDGETS / 2);
}
END_TEST

START_TEST(what_is_refused_is_named)
{
  Planned least = plan(write_around, "budget=min");
  Planned refused = plan_budget(write_around, least.peak_bytes / 2);
  ck_assert(!refused.is_planned);
  ck_assert_int_le(refused.named_bytes, least.peak_bytes);
  Planned named = plan_budget(write_around, refused.named_bytes);
  ck_assert(named.is_planned);
  ck_assert_int_le(named.peak_bytes, refused.named_bytes);
  ck_assert(!plan_budget(write_around, refused.named_bytes - 1).is_planned);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("plan/bodies");
  TCase *tcase = tcase_create("bodies");
  tcase_add_test(tcase, a_body_comes_to_what_it_comes_to_alone);
  tcase_add_test(tcase, time_counts_once_a_trip);
  tcase_add_test(tcase, inside_and_around_are_one_curve);
  tcase_add_test(tcase, what_is_refused_is_named);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
