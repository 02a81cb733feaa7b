/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The greedy driver: folds, traits, dead ops, patterns, and what it puts on its list. */
#include "ir/pass/rewrite.h"

#include "tests/unit/ir/test_dialect.h"
#include "tests/unit/suite.h"

static uint64_t run(TestIr *ir, const EchoPattern *patterns, size_t n_patterns)
{
  uint64_t n_rewrites;
  EchoRewriteOptions options = {.patterns = patterns, .n_patterns = n_patterns, .fold = true};
  ck_assert(echo_rewrite_greedily(ir->module, &options, &n_rewrites));
  return n_rewrites;
}

static size_t n_ops(const TestIr *ir)
{
  size_t n = 0;
  for (EchoOp *op = ir->module; op != NULL; op = echo_op_walk_next(ir->module, op))
    n++;
  return n - 1;
}

START_TEST(constants_fold_through_a_chain)
{
  TestIr ir = test_ir_create();
  EchoValue *sum = test_const(&ir, ir.body, 1);
  for (int i = 0; i < 1000; ++i)
    sum = test_binary(&ir, ir.body, "test.add", sum, test_const(&ir, ir.body, i));
  EchoOp *use = test_use(&ir, ir.body, &sum, 1);
  run(&ir, NULL, 0);
  ck_assert_uint_eq(n_ops(&ir), 2);
  ck_assert_int_eq(echo_value_constant_or_null(echo_op_operand(use, 0))->as.integer.value,
                   1 + 999 * 1000 / 2);
  ck_assert_uint_eq(run(&ir, NULL, 0), 0);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(constants_go_right_and_zero_goes)
{
  TestIr ir = test_ir_create();
  EchoValue *x = echo_block_add_arg(ir.ctx, ir.body, ir.i32, echo_loc_unknown());
  EchoValue *zero = test_const(&ir, ir.body, 0), *one = test_const(&ir, ir.body, 1);
  EchoValue *gone = test_binary(&ir, ir.body, "test.add", zero, x);
  EchoValue *stays = test_binary(&ir, ir.body, "test.add", one, x);
  EchoValue *ordered = test_binary(&ir, ir.body, "test.sub", one, x);
  EchoOp *use = test_use(&ir, ir.body, (EchoValue *[]){gone, stays, ordered}, 3);
  run(&ir, NULL, 0);
  ck_assert_ptr_eq(echo_op_operand(use, 0), x);
  EchoOp *add = echo_value_def_or_null(echo_op_operand(use, 1));
  ck_assert_ptr_eq(echo_op_operand(add, 0), x);
  ck_assert_ptr_eq(echo_op_operand(add, 1), one);
  ck_assert_ptr_eq(echo_op_operand(echo_value_def_or_null(ordered), 0), one);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(traits)
{
  TestIr ir = test_ir_create();
  EchoValue *x = echo_block_add_arg(ir.ctx, ir.body, ir.i32, echo_loc_unknown());
  EchoValue *even = x, *odd = x, *abs = x, *behind = x;
  for (int i = 0; i < 4; ++i)
    even = test_unary(&ir, ir.body, "test.neg", even);
  for (int i = 0; i < 5; ++i)
    odd = test_unary(&ir, ir.body, "test.neg", odd);
  for (int i = 0; i < 3; ++i)
    abs = test_unary(&ir, ir.body, "test.abs", abs);
  behind = test_unary(&ir, ir.body, "test.neg", behind);
  behind = test_unary(&ir, ir.body, "test.barrier", behind);
  behind = test_unary(&ir, ir.body, "test.neg", behind);
  EchoOp *use = test_use(&ir, ir.body, (EchoValue *[]){even, odd, abs, behind}, 4);
  run(&ir, NULL, 0);
  ck_assert_ptr_eq(echo_op_operand(use, 0), x);
  ck_assert_ptr_eq(echo_op_operand(echo_value_def_or_null(echo_op_operand(use, 1)), 0), x);
  ck_assert_ptr_eq(echo_op_operand(echo_value_def_or_null(echo_op_operand(use, 2)), 0), x);
  ck_assert_ptr_eq(echo_op_operand(use, 3), behind);
  ck_assert_uint_eq(n_ops(&ir), 6);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(several_results)
{
  TestIr ir = test_ir_create();
  EchoValue *eight = test_const(&ir, ir.body, 8);
  EchoBuilder builder = echo_builder_at_end(ir.ctx, ir.body);
  EchoOp *split = echo_build_op(&builder, "test.split", &eight, 1,
                                (const EchoType *[]){ir.i32, ir.i32}, 2, NULL, 0);
  echo_op_set_attr(split, "phase", echo_attr_i64(ir.ctx, 3));
  EchoOp *use = test_use(&ir, ir.body, (EchoValue *[]){&split->results[0], &split->results[1]}, 2);
  run(&ir, NULL, 0);
  ck_assert_ptr_eq(echo_op_operand(use, 1), eight);
  EchoValue *half = echo_op_operand(use, 0);
  ck_assert_int_eq(echo_value_constant_or_null(half)->as.integer.value, 4);
  /* what replaces an op keeps what was said about it */
  ck_assert_int_eq(echo_op_attr_i64(echo_value_def_or_null(half), "phase", 0), 3);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(in_place)
{
  TestIr ir = test_ir_create();
  EchoValue *x = echo_block_add_arg(ir.ctx, ir.body, ir.i32, echo_loc_unknown());
  EchoValue *mark = test_unary(&ir, ir.body, "test.mark", x);
  test_use(&ir, ir.body, &mark, 1);
  ck_assert_uint_eq(run(&ir, NULL, 0), 1);
  ck_assert(echo_op_has_attr(echo_value_def_or_null(mark), "marked"));
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(dead_ops)
{
  TestIr ir = test_ir_create();
  EchoValue *a = test_const(&ir, ir.body, 1), *b = test_unary(&ir, ir.body, "test.neg", a);
  test_unary(&ir, ir.body, "test.abs", b);
  EchoOp *pure = test_with_regions(&ir, ir.body, "test.loop", 1, 1);
  test_unary(&ir, echo_op_body(pure, 0), "test.neg", b);
  test_return(&ir, echo_op_body(pure, 0), NULL, 0);
  EchoOp *acting = test_with_regions(&ir, ir.body, "test.loop", 1, 1);
  test_use(&ir, echo_op_body(acting, 0), NULL, 0);
  test_return(&ir, echo_op_body(acting, 0), NULL, 0);
  EchoBuilder builder = echo_builder_at_end(ir.ctx, ir.body);
  echo_build_op(&builder, "test.read", NULL, 0, &ir.i32, 1, NULL, 0);
  run(&ir, NULL, 0);
  ck_assert_ptr_eq(ir.body->first, acting);
  ck_assert_ptr_eq(ir.body->last, acting);
  ck_assert_uint_eq(n_ops(&ir), 3);
  test_ir_destroy(&ir);
}
END_TEST

/* sub(a, b) -> add(a, neg(b)), and abs(x) -> a region that holds two negs of a constant. */
static bool lower_sub(EchoRewriter *rewriter, EchoOp *op)
{
  EchoValue *neg = echo_build_unary(&rewriter->builder, "test.neg", echo_op_operand(op, 1), NULL);
  EchoValue *sum =
      echo_build_binary(&rewriter->builder, "test.add", echo_op_operand(op, 0), neg, NULL);
  echo_rewriter_replace(rewriter, op, &sum);
  return true;
}

static bool count_pure(EchoRewriter *rewriter, EchoOp *op)
{
  if (echo_op_has_attr(op, "seen"))
    return false;
  echo_op_set_attr(op, "seen", echo_attr_unit(echo_op_context(op)));
  echo_rewriter_changed(rewriter, op);
  return true;
}

static bool erase_reads(EchoRewriter *rewriter, EchoOp *op)
{
  EchoOp *next = op->next;
  if (next == NULL || !echo_op_is(next, "test.use"))
    return false;
  echo_rewriter_erase(rewriter, next); /* an op that is still on the list */
  return true;
}

START_TEST(patterns)
{
  static const EchoPattern PATTERNS[] = {
      {.op = "test.sub", .apply = lower_sub, .summary = "a - b = a + -b"},
      {.traits = ECHO_INVOLUTION, .apply = count_pure, .summary = "marks"},
      {.op = "test.read", .apply = erase_reads, .summary = "erases a use behind"},
  };
  TestIr ir = test_ir_create();
  EchoValue *x = echo_block_add_arg(ir.ctx, ir.body, ir.i32, echo_loc_unknown());
  EchoValue *neg = test_unary(&ir, ir.body, "test.neg", x);
  EchoValue *sub = test_binary(&ir, ir.body, "test.sub", x, neg); /* x + -(-x) = x + x */
  EchoOp *use = test_use(&ir, ir.body, &sub, 1);
  EchoBuilder builder = echo_builder_at_end(ir.ctx, ir.body);
  EchoValue *read =
      echo_op_result(echo_build_op(&builder, "test.read", NULL, 0, &ir.i32, 1, NULL, 0), 0);
  test_use(&ir, ir.body, &read, 1);
  run(&ir, PATTERNS, 3);
  EchoOp *add = echo_value_def_or_null(echo_op_operand(use, 0));
  ck_assert(echo_op_is(add, "test.add"));
  ck_assert_ptr_eq(echo_op_operand(add, 0), x);
  ck_assert_ptr_eq(echo_op_operand(add, 1), x);
  ck_assert_uint_eq(n_ops(&ir), 2);
  test_ir_destroy(&ir);
}
END_TEST

static bool forever(EchoRewriter *rewriter, EchoOp *op)
{
  echo_rewriter_changed(rewriter, op);
  return true;
}

START_TEST(bound)
{
  TestIr ir = test_ir_create();
  test_use(&ir, ir.body, NULL, 0);
  EchoPattern pattern = {.op = "test.use", .apply = forever};
  EchoRewriteOptions options = {.patterns = &pattern, .n_patterns = 1, .max_rewrites = 100};
  uint64_t n_rewrites;
  ck_assert(!echo_rewrite_greedily(ir.module, &options, &n_rewrites));
  ck_assert_uint_eq(n_rewrites, 100);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(stays_inside_the_root)
{
  TestIr ir = test_ir_create();
  EchoValue *outside = test_const(&ir, ir.body, 1);
  EchoOp *region = test_with_regions(&ir, ir.body, "test.region", 0, 1);
  EchoOp *dead =
      echo_value_def_or_null(test_unary(&ir, echo_op_body(region, 0), "test.neg", outside));
  test_return(&ir, echo_op_body(region, 0), NULL, 0);
  EchoRewriteOptions options = {.fold = true};
  echo_rewrite_greedily(region, &options, NULL);
  ck_assert_ptr_ne(echo_op_body(region, 0)->first, dead);
  ck_assert_ptr_eq(ir.body->first, echo_value_def_or_null(outside)); /* dead now, but not ours */
  test_ir_destroy(&ir);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("rewrite");
  TCase *tcase = tcase_create("rewrite");
  tcase_add_test(tcase, constants_fold_through_a_chain);
  tcase_add_test(tcase, constants_go_right_and_zero_goes);
  tcase_add_test(tcase, traits);
  tcase_add_test(tcase, several_results);
  tcase_add_test(tcase, in_place);
  tcase_add_test(tcase, dead_ops);
  tcase_add_test(tcase, patterns);
  tcase_add_test(tcase, bound);
  tcase_add_test(tcase, stays_inside_the_root);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
