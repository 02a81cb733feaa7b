/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is merged, what is not, and a random check: after CSE no op repeats one that dominates it,
 * and every use computes what it did. */
#include "tests/unit/ir/passes_test.h"

static EchoBlock *function_body(TestIr *ir, const char *name)
{
  EchoOp *func = test_with_regions(ir, ir->body, "test.func", 0, 1);
  echo_op_set_attr(func, "sym_name", echo_attr_string(ir->ctx, echo_str(name)));
  return echo_op_body(func, 0);
}

START_TEST(merges)
{
  TestIr ir = test_ir_create();
  EchoBlock *body = function_body(&ir, "f");
  EchoValue *x = echo_block_add_arg(ir.ctx, body, ir.i32, echo_loc_unknown());
  EchoValue *y = echo_block_add_arg(ir.ctx, body, ir.i32, echo_loc_unknown());
  EchoValue *uses[] = {
      test_binary(&ir, body, "test.add", x, y),
      test_binary(&ir, body, "test.add", y, x),
      test_binary(&ir, body, "test.sub", x, y),
      test_binary(&ir, body, "test.sub", y, x),
      test_binary(&ir, body, "test.sub", x, y),
      test_const(&ir, body, 1),
      test_const(&ir, body, 1),
      test_const(&ir, body, 2),
  };
  EchoOp *use = test_use(&ir, body, uses, 8);
  test_return(&ir, body, NULL, 0);
  test_run_pass(&ir, "cse");
  static const int SAME_AS[] = {0, 0, 2, 3, 2, 5, 5, 7};
  for (int i = 0; i < 8; ++i)
    ck_assert_ptr_eq(echo_op_operand(use, (size_t)i), uses[SAME_AS[i]]);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(leaves_alone)
{
  TestIr ir = test_ir_create();
  EchoBlock *body = function_body(&ir, "f");
  EchoValue *x = echo_block_add_arg(ir.ctx, body, ir.i32, echo_loc_unknown());
  EchoBuilder builder = echo_builder_at_end(ir.ctx, body);
  for (int i = 0; i < 2; ++i) {
    test_unary(&ir, body, "test.barrier", x);
    echo_build_op(&builder, "test.read", NULL, 0, &ir.i32, 1, NULL, 0);
    test_use(&ir, body, &x, 1);
    EchoValue *noted = test_unary(&ir, body, "test.neg", x);
    echo_op_set_attr(echo_value_def_or_null(noted), "phase", echo_attr_i64(ir.ctx, i));
  }
  test_return(&ir, body, NULL, 0);
  test_run_pass(&ir, "cse");
  ck_assert_uint_eq(test_n_ops(&ir, "test.barrier"), 2);
  ck_assert_uint_eq(test_n_ops(&ir, "test.read"), 2);
  ck_assert_uint_eq(test_n_ops(&ir, "test.use"), 2);
  ck_assert_uint_eq(test_n_ops(&ir, "test.neg"), 2);
  test_run_pass(&ir, "cse{ignore=phase}");
  ck_assert_uint_eq(test_n_ops(&ir, "test.neg"), 1);
  test_ir_destroy(&ir);
}
END_TEST

/* A recomputed op starts from a barrier's result, so it never meets the original. */
START_TEST(respects_barriers)
{
  TestIr ir = test_ir_create();
  EchoBlock *body = function_body(&ir, "f");
  EchoValue *x = echo_block_add_arg(ir.ctx, body, ir.i32, echo_loc_unknown());
  EchoValue *first = test_unary(&ir, body, "test.neg", x);
  EchoValue *again = test_unary(&ir, body, "test.neg", test_unary(&ir, body, "test.barrier", x));
  EchoOp *use = test_use(&ir, body, (EchoValue *[]){first, again}, 2);
  test_return(&ir, body, NULL, 0);
  test_run_pass(&ir, "cse");
  ck_assert_ptr_eq(echo_op_operand(use, 0), first);
  ck_assert_ptr_eq(echo_op_operand(use, 1), again);
  test_ir_destroy(&ir);
}
END_TEST

static EchoOp *reduce_like(TestIr *ir, EchoBlock *block, const char *combiner, EchoValue *captured)
{
  EchoOp *op = test_with_regions(ir, block, "test.region", 1, 1);
  EchoBlock *body = echo_op_body(op, 0);
  EchoValue *a = echo_block_add_arg(ir->ctx, body, ir->i32, echo_loc_unknown());
  EchoValue *b = echo_block_add_arg(ir->ctx, body, ir->i32, echo_loc_unknown());
  EchoValue *result = test_binary(ir, body, combiner, a, b);
  if (captured != NULL)
    result = test_binary(ir, body, "test.add", result, captured);
  test_return(ir, body, &result, 1);
  return op;
}

START_TEST(regions)
{
  TestIr ir = test_ir_create();
  EchoBlock *body = function_body(&ir, "f");
  EchoValue *x = echo_block_add_arg(ir.ctx, body, ir.i32, echo_loc_unknown());
  EchoValue *y = echo_block_add_arg(ir.ctx, body, ir.i32, echo_loc_unknown());
  EchoOp *ops[] = {
      reduce_like(&ir, body, "test.add", NULL), reduce_like(&ir, body, "test.add", NULL),
      reduce_like(&ir, body, "test.sub", NULL), reduce_like(&ir, body, "test.add", x),
      reduce_like(&ir, body, "test.add", y),    reduce_like(&ir, body, "test.add", x)};
  EchoValue *uses[6];
  for (int i = 0; i < 6; ++i)
    uses[i] = echo_op_result(ops[i], 0);
  EchoOp *use = test_use(&ir, body, uses, 6);
  test_return(&ir, body, NULL, 0);
  test_run_pass(&ir, "cse");
  static const int SAME_AS[] = {0, 0, 2, 3, 4, 3};
  for (int i = 0; i < 6; ++i)
    ck_assert_ptr_eq(echo_op_operand(use, (size_t)i), uses[SAME_AS[i]]);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(recursive_effects)
{
  TestIr ir = test_ir_create();
  EchoBlock *body = function_body(&ir, "f");
  for (int i = 0; i < 4; ++i) {
    EchoOp *loop = test_with_regions(&ir, body, "test.loop", 1, 1);
    if (i % 2 == 0)
      test_use(&ir, echo_op_body(loop, 0), NULL, 0);
    test_return(&ir, echo_op_body(loop, 0), NULL, 0);
  }
  test_return(&ir, body, NULL, 0);
  test_run_pass(&ir, "cse");
  ck_assert_uint_eq(test_n_ops(&ir, "test.loop"), 3);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(scopes)
{
  TestIr ir = test_ir_create();
  EchoBlock *entry = function_body(&ir, "f");
  EchoValue *x = echo_block_add_arg(ir.ctx, entry, ir.i32, echo_loc_unknown());
  EchoBlock *left = echo_block_create(ir.ctx), *right = echo_block_create(ir.ctx);
  EchoBlock *join = echo_block_create(ir.ctx);
  echo_region_append(entry->region, left);
  echo_region_append(entry->region, right);
  echo_region_append(entry->region, join);
  EchoValue *high = test_unary(&ir, entry, "test.neg", x);
  test_branch(&ir, entry, (EchoBlock *[]){left, right}, 2);
  EchoValue *values[] = {test_unary(&ir, left, "test.neg", x), test_unary(&ir, left, "test.abs", x),
                         test_unary(&ir, right, "test.abs", x),
                         test_unary(&ir, join, "test.abs", x)};
  EchoOp *uses[] = {test_use(&ir, left, values, 2), test_use(&ir, right, &values[2], 1),
                    test_use(&ir, join, &values[3], 1)};
  test_branch(&ir, left, &join, 1);
  test_branch(&ir, right, &join, 1);
  test_return(&ir, join, NULL, 0);
  EchoBlock *other = function_body(&ir, "g"); /* isolated: nothing from f is seen */
  EchoValue *one = test_const(&ir, other, 1);
  test_use(&ir, other, &one, 1);
  test_return(&ir, other, NULL, 0);
  test_run_pass(&ir, "cse");
  ck_assert_ptr_eq(echo_op_operand(uses[0], 0), high);
  ck_assert_ptr_eq(echo_op_operand(uses[0], 1), values[1]);
  ck_assert_ptr_eq(echo_op_operand(uses[1], 0), values[2]);
  ck_assert_ptr_eq(echo_op_operand(uses[2], 0), values[3]);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(isolated_functions_share_nothing)
{
  TestIr ir = test_ir_create();
  EchoValue *outside = test_const(&ir, ir.body, 1);
  test_use(&ir, ir.body, &outside, 1);
  EchoBlock *body = function_body(&ir, "f");
  EchoValue *inside = test_const(&ir, body, 1);
  EchoOp *use = test_use(&ir, body, &inside, 1);
  EchoOp *region = test_with_regions(&ir, body, "test.region", 0, 1);
  EchoValue *nested = test_const(&ir, echo_op_body(region, 0), 1);
  test_return(&ir, echo_op_body(region, 0), &nested, 1);
  test_return(&ir, body, NULL, 0);
  test_run_pass(&ir, "cse");
  ck_assert_ptr_eq(echo_op_operand(use, 0), inside);
  ck_assert_ptr_eq(echo_op_operand(echo_op_body(region, 0)->last, 0), inside);
  test_ir_destroy(&ir);
}
END_TEST

/* Value of an op tree by number, so that equal numbers mean equal computations. */
static int64_t evaluate(const EchoValue *value, const int64_t *of_id)
{
  return value->is_block_arg ? (int64_t)value->index + 1 : of_id[value->id];
}

START_TEST(random_straight_line)
{
  enum { N = 2000 };
  TestIr ir = test_ir_create();
  EchoBlock *body = function_body(&ir, "f");
  EchoValue *values[N + 3];
  uint64_t seed = (uint64_t)_i * 31 + 3;
  for (int i = 0; i < 3; ++i)
    values[i] = echo_block_add_arg(ir.ctx, body, ir.i32, echo_loc_unknown());
  for (int i = 0; i < N; ++i) {
    size_t n = 3 + (size_t)(i < 40 ? i : 40);
    EchoValue *a = values[(size_t)i + 3 - n + test_random(&seed) % n];
    EchoValue *b = values[(size_t)i + 3 - n + test_random(&seed) % n];
    values[i + 3] = test_binary(&ir, body, test_random(&seed) % 2 ? "test.add" : "test.sub", a, b);
  }
  EchoOp *use = test_use(&ir, body, values, N + 3);
  test_return(&ir, body, NULL, 0);
  static int64_t of_id[4 * N], wanted[N + 3];
  for (int round = 0; round < 2; ++round) {
    for (const EchoOp *op = body->first; op != use; op = op->next) {
      uint64_t a = (uint64_t)evaluate(echo_op_operand(op, 0), of_id);
      uint64_t b = (uint64_t)evaluate(echo_op_operand(op, 1), of_id);
      of_id[op->results[0].id] = (int64_t)(echo_op_is(op, "test.add") ? a + b : a - b);
    }
    for (size_t i = 0; i < use->n_operands; ++i) {
      int64_t value = evaluate(echo_op_operand(use, i), of_id);
      if (round == 1)
        ck_assert_int_eq(value, wanted[i]);
      wanted[i] = value;
    }
    test_run_pass(&ir, "cse");
  }
  for (const EchoOp *op = body->first; op != use; op = op->next)
    for (const EchoOp *later = op->next; later != use; later = later->next) {
      bool same = op->info == later->info && echo_op_operand(op, 0) == echo_op_operand(later, 0) &&
                  echo_op_operand(op, 1) == echo_op_operand(later, 1);
      if (same)
        ck_abort_msg("an op is left that repeats another");
    }
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(deep_nesting)
{
  TestIr ir = test_ir_create();
  EchoBlock *at = function_body(&ir, "f");
  for (int i = 0; i < 10000; ++i) {
    EchoOp *op = test_with_regions(&ir, at, "test.region", 1, 1);
    test_return(&ir, at, (EchoValue *[]){&op->results[0]}, 1);
    at = echo_op_body(op, 0);
  }
  test_return(&ir, at, NULL, 0);
  test_run_pass(&ir, "cse,canonicalize,dce");
  test_ir_destroy(&ir);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("cse");
  TCase *tcase = tcase_create("cse");
  tcase_set_timeout(tcase, 60);
  tcase_add_test(tcase, merges);
  tcase_add_test(tcase, leaves_alone);
  tcase_add_test(tcase, respects_barriers);
  tcase_add_test(tcase, regions);
  tcase_add_test(tcase, recursive_effects);
  tcase_add_test(tcase, scopes);
  tcase_add_test(tcase, isolated_functions_share_nothing);
  tcase_add_loop_test(tcase, random_straight_line, 0, 6);
  tcase_add_test(tcase, deep_nesting);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
