/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A clone is the same op for op, reads its own values where the original reads its own, and shares
 * nothing else. */
#include "ir/pass/equivalence.h"
#include "tests/unit/ir/test_dialect.h"
#include "tests/unit/suite.h"

START_TEST(flat)
{
  TestIr ir = test_ir_create();
  EchoValue *a = test_const(&ir, ir.body, 1), *b = test_const(&ir, ir.body, 2);
  EchoOp *op = echo_value_def_or_null(test_binary(&ir, ir.body, "test.add", a, b));
  echo_op_set_attr(op, "note", echo_attr_unit(ir.ctx));
  EchoOp *same = echo_op_clone(op, NULL);
  ck_assert_ptr_null(same->block);
  ck_assert_ptr_eq(echo_op_operand(same, 0), a);
  ck_assert_ptr_eq(same->attrs, op->attrs);
  EchoMap values = {0};
  echo_map_set_ptr(&values, a, b);
  EchoOp *mapped = echo_op_clone(op, &values);
  ck_assert_ptr_eq(echo_op_operand(mapped, 0), b);
  ck_assert_ptr_eq(echo_op_operand(mapped, 1), b);
  ck_assert_ptr_eq(echo_map_get_ptr(&values, &op->results[0]), &mapped->results[0]);
  echo_map_destroy(&values);
  echo_op_erase(same);
  echo_op_erase(mapped);
  test_ir_destroy(&ir);
}
END_TEST

/* A function of blocks that branch back and forth, with a graph region that refers forward, and a
 * value from outside. */
static EchoOp *make_tangle(TestIr *ir, EchoValue *outside)
{
  EchoOp *top = test_with_regions(ir, ir->body, "test.region", 1, 1);
  EchoBlock *first = top->regions[0].first, *second = echo_block_create(ir->ctx);
  EchoBlock *third = echo_block_create(ir->ctx);
  echo_region_append(&top->regions[0], second);
  echo_region_append(&top->regions[0], third);
  EchoValue *arg = echo_block_add_arg(ir->ctx, first, ir->i32, echo_loc_unknown());
  EchoValue *sum = test_binary(ir, third, "test.add", arg, outside); /* third dominates nothing */
  EchoOp *graph = test_with_regions(ir, first, "test.graph", 1, 1);
  EchoBlock *body = echo_op_body(graph, 0);
  EchoOp *early = test_use(ir, body, &arg, 1);
  EchoValue *late = test_binary(ir, body, "test.sub", arg, outside);
  echo_op_append_operand(early, late);
  test_branch(ir, first, (EchoBlock *[]){second, third}, 2);
  test_use(ir, second, &sum, 1); /* defined in a block that comes later in the text */
  test_branch(ir, second, (EchoBlock *[]){third}, 1);
  test_branch(ir, third, (EchoBlock *[]){second}, 1);
  return top;
}

static void check_inside(const EchoOp *original, const EchoOp *copy, const EchoValue *outside)
{
  for (EchoOp *op = (EchoOp *)copy; op != NULL; op = echo_op_walk_next(copy, op)) {
    for (uint32_t i = 0; i < op->n_operands; ++i) {
      const EchoValue *value = echo_op_operand(op, i);
      if (value == outside)
        continue;
      const EchoBlock *block = echo_value_block(value);
      ck_assert(echo_op_is_ancestor(copy, echo_block_parent(block)));
      ck_assert(!echo_op_is_ancestor(original, echo_block_parent(block)));
    }
    for (uint16_t i = 0; i < op->n_successors; ++i)
      ck_assert_ptr_eq(echo_op_successors(op)[i]->region, op->block->region);
  }
}

START_TEST(deep)
{
  TestIr ir = test_ir_create();
  EchoValue *outside = test_const(&ir, ir.body, 3);
  EchoOp *top = make_tangle(&ir, outside);
  size_t n_uses = echo_value_n_uses(outside);
  EchoOp *copy = echo_op_clone(top, NULL);
  check_inside(top, copy, outside);
  ck_assert_uint_eq(echo_value_n_uses(outside), 2 * n_uses);
  EchoEquivalence equivalence = {0};
  ck_assert(echo_ops_are_equivalent(&equivalence, top, copy));
  echo_op_set_attr(copy->regions[0].last->last, "other", echo_attr_unit(ir.ctx));
  ck_assert(!echo_ops_are_equivalent(&equivalence, top, copy));
  echo_equivalence_destroy(&equivalence);
  echo_op_erase(copy);
  ck_assert_uint_eq(echo_value_n_uses(outside), n_uses);
  EchoMap values = {0};
  EchoOp *shell = echo_op_clone_without_regions(top, &values);
  ck_assert_uint_eq(shell->n_regions, 1);
  ck_assert(echo_region_is_empty(&shell->regions[0]));
  ck_assert_ptr_eq(echo_map_get_ptr(&values, &top->results[0]), &shell->results[0]);
  echo_map_destroy(&values);
  echo_op_erase(shell);
  test_ir_destroy(&ir);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("clone");
  TCase *tcase = tcase_create("clone");
  tcase_add_test(tcase, flat);
  tcase_add_test(tcase, deep);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
