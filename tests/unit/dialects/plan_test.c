/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The traits of the plan rows, and the walk of a planned program. */
#include "dialects/plan/plan.h"

#include "dialects/dialects.h"
#include "dialects/echo/stages.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "tests/unit/suite.h"

static const char PROGRAM[] =
    "func.func @main(%x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}) {\n"
    "  %arena = \"plan.arena\"() <{size_bytes = 192 : i64, alignment = 64 : i64}> : () -> "
    "memref<192xi8>\n"
    "  %a = \"plan.buffer\"(%arena) <{offset = 64 : i64}> : (memref<192xi8>) -> memref<16xf32>\n"
    "  %v = \"plan.view\"(%a) : (memref<16xf32>) -> memref<4x4xf32>\n"
    "  %w = \"plan.view\"(%v) : (memref<4x4xf32>) -> memref<16xf32>\n"
    "  %f = \"plan.buffer\"(%arena) <{offset = 0 : i64}> : (memref<192xi8>) -> memref<i1>\n"
    "  %c = \"plan.constant\"() <{value = dense<true> : tensor<i1>}> : () -> memref<i1>\n"
    "  \"kernel.launch\"(%x, %w) <{callee = @k, n_inputs = 1 : i64}> : (memref<16xf32>, "
    "memref<16xf32>) -> ()\n"
    "  \"plan.while\"(%w) ({\n"
    "    \"plan.copy\"(%c, %f) : (memref<i1>, memref<i1>) -> ()\n"
    "    \"plan.condition\"(%f) : (memref<i1>) -> ()\n"
    "  }, {\n"
    "    \"plan.copy\"(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()\n"
    "    \"plan.yield\"() : () -> ()\n"
    "  }) : (memref<16xf32>) -> ()\n"
    "  %e = \"plan.swap_out\"(%a) <{host_offset = 8 : i64}> : (memref<16xf32>) -> !plan.event\n"
    "  \"plan.wait\"(%e) : (!plan.event) -> ()\n"
    "  \"plan.copy\"(%w, %out) : (memref<16xf32>, memref<16xf32>) -> ()\n"
    "  return\n"
    "}\n";

static EchoOp *parse(EchoContext *ctx)
{
  echo_register_dialects(ctx);
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("plan.mlir"), echo_str(PROGRAM));
  ck_assert_ptr_nonnull(module);
  ck_assert(echo_verify(module));
  return echo_module_main_or_null(module);
}

static EchoOp *nth(EchoOp *root, uint64_t traits, int n)
{
  EchoOp *op = echo_plan_first_or_null(root, traits);
  while (n-- > 0)
    op = echo_plan_next_or_null(root, op, traits);
  return op;
}

START_TEST(every_row_is_a_place_a_step_control_flow_or_a_terminator)
{
  for (int i = 0; i < ECHO_N_PLAN_ROWS; i++) {
    uint64_t traits = ECHO_PLAN_OPS[i].traits;
    int n = ((traits & ECHO_PLAN_PLACE) != 0) + ((traits & ECHO_PLAN_STEP) != 0) +
            ((traits & ECHO_PLAN_CONTROL) != 0);
    bool only_ends = n == 0 && (traits & ECHO_TERMINATOR) != 0;
    ck_assert_msg(n == 1 || only_ends, "%s", ECHO_PLAN_OPS[i].name);
    if ((traits & ECHO_PLAN_SWAP) != 0)
      ck_assert_msg((traits & ECHO_PLAN_STEP) != 0, "%s", ECHO_PLAN_OPS[i].name);
  }
}
END_TEST

START_TEST(the_walk_meets_what_has_the_traits_in_order_of_the_text)
{
  static const EchoPlanOpcode STEPS[] = {ECHO_PLAN_LAUNCH, ECHO_PLAN_COPY,     ECHO_PLAN_CONDITION,
                                         ECHO_PLAN_COPY,   ECHO_PLAN_SWAP_OUT, ECHO_PLAN_WAIT,
                                         ECHO_PLAN_COPY};
  EchoContext *ctx = echo_context_create();
  EchoOp *main = parse(ctx);
  size_t n = 0;
  for (EchoOp *op = echo_plan_first_or_null(main, ECHO_PLAN_STEP); op != NULL;
       op = echo_plan_next_or_null(main, op, ECHO_PLAN_STEP))
    ck_assert_int_eq(echo_plan_opcode(op), STEPS[n++]);
  ck_assert_uint_eq(n, sizeof STEPS / sizeof STEPS[0]);
  EchoOp *loop = nth(main, ECHO_PLAN_CONTROL, 0);
  ck_assert_int_eq(echo_plan_opcode(loop), ECHO_PLAN_WHILE);
  ck_assert_ptr_null(nth(main, ECHO_PLAN_CONTROL, 1));
  ck_assert_ptr_eq(echo_plan_first_or_null(loop, ECHO_PLAN_CONTROL), loop);
  ck_assert_ptr_null(nth(loop, ECHO_PLAN_STEP, 3));
  ck_assert_int_eq(echo_plan_opcode(main), ECHO_PLAN_NO_OP);
  echo_context_destroy(ctx);
}
END_TEST

START_TEST(each_op_says_what_it_does_to_which_bytes)
{
  EchoContext *ctx = echo_context_create();
  EchoOp *main = parse(ctx), *launch = nth(main, ECHO_PLAN_STEP, 0);
  EchoOp *swap = nth(main, ECHO_PLAN_SWAP, 0), *copy = nth(main, ECHO_PLAN_STEP, 6);
  const EchoOp *buffer = nth(main, ECHO_PLAN_PLACE, 1);
  uint64_t begin, end;
  ck_assert_int_eq(echo_plan_access(launch, 0), ECHO_PLAN_READ);
  ck_assert_int_eq(echo_plan_access(launch, 1), ECHO_PLAN_WRITE);
  ck_assert_int_eq(echo_plan_access(copy, 0), ECHO_PLAN_READ);
  ck_assert_int_eq(echo_plan_access(copy, 1), ECHO_PLAN_WRITE);
  ck_assert_int_eq(echo_plan_access(nth(main, ECHO_PLAN_STEP, 5), 0), ECHO_PLAN_NO_ACCESS);
  ck_assert_int_eq(echo_plan_access(buffer, 0), ECHO_PLAN_NO_ACCESS);
  const EchoValue *root = echo_plan_root(echo_op_operand(launch, 1)); /* through two views */
  ck_assert_ptr_eq(echo_value_def_or_null(root), buffer);
  ck_assert(echo_plan_arena_range(root, &begin, &end));
  ck_assert_uint_eq(begin, 64);
  ck_assert_uint_eq(end, 128);
  ck_assert(!echo_plan_arena_range(echo_op_operand(launch, 0), &begin, &end));
  echo_plan_host_range(swap, &begin, &end);
  ck_assert_uint_eq(begin, 8);
  ck_assert_uint_eq(end, 72);
  ck_assert(!echo_plan_is_result(main, 0));
  ck_assert(echo_plan_is_result(main, 1));
  ck_assert(!echo_plan_is_result(main, 2));
  echo_context_destroy(ctx);
}
END_TEST

START_TEST(uses_on_both_sides_of_a_loop_meet_outside_of_it)
{
  EchoContext *ctx = echo_context_create();
  EchoOp *main = parse(ctx), *loop = nth(main, ECHO_PLAN_CONTROL, 0);
  EchoPlanUses uses = {0};
  echo_plan_collect_uses(echo_op_result(nth(main, ECHO_PLAN_PLACE, 1), 0), &uses);
  ck_assert_uint_eq(uses.size, 6); /* launch, loop, copy in it, swap, the wait for it, copy */
  ck_assert_ptr_eq(echo_plan_common_block(&uses), echo_op_body(main, 0));
  echo_vector_clear(&uses);
  echo_plan_collect_uses(echo_op_result(nth(main, ECHO_PLAN_PLACE, 4), 0), &uses);
  ck_assert_uint_eq(uses.size, 2); /* both in the condition */
  ck_assert_ptr_eq(echo_plan_common_block(&uses), echo_op_body(loop, 0));
  echo_vector_destroy(&uses);
  echo_context_destroy(ctx);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("plan");
  TCase *cases = tcase_create("plan");
  suite_add_tcase(suite, cases);
  tcase_add_test(cases, every_row_is_a_place_a_step_control_flow_or_a_terminator);
  tcase_add_test(cases, the_walk_meets_what_has_the_traits_in_order_of_the_text);
  tcase_add_test(cases, each_op_says_what_it_does_to_which_bytes);
  tcase_add_test(cases, uses_on_both_sides_of_a_loop_meet_outside_of_it);
  return echo_test_run(suite);
}
