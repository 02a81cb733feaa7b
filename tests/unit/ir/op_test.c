/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ops as pieces of memory: creation, erasing, moving, order, attributes, blocks and their
 * arguments. */
#include <stdio.h>

#include "ir/context_t.h"
#include "tests/unit/ir/test_dialect.h"
#include "tests/unit/suite.h"

START_TEST(parts_lie_where_they_should)
{
  TestIr ir = test_ir_create();
  EchoValue *a = test_const(&ir, ir.body, 1), *b = test_const(&ir, ir.body, 2);
  const EchoType *types[] = {ir.i32, echo_type_f32(ir.ctx), ir.i32};
  EchoBlock *successors[] = {ir.body, ir.body};
  EchoOp *op = echo_op_create(&(EchoOpState){.ctx = ir.ctx,
                                             .info = echo_context_op_info(ir.ctx, "test.use"),
                                             .operands = (EchoValue *[]){a, b},
                                             .n_operands = 2,
                                             .result_types = types,
                                             .n_results = 3,
                                             .successors = successors,
                                             .n_successors = 2,
                                             .n_regions = 2});
  ck_assert_ptr_eq(echo_op_context(op), ir.ctx);
  ck_assert_ptr_null(op->block);
  for (uint32_t i = 0; i < 3; ++i) {
    ck_assert_ptr_eq(op->results[i].type, types[i]);
    ck_assert_ptr_eq(echo_value_def_or_null(&op->results[i]), op);
    ck_assert_uint_eq(op->results[i].index, i);
  }
  ck_assert_ptr_eq(echo_op_operand(op, 0), a);
  ck_assert_ptr_eq(echo_op_operand(op, 1), b);
  ck_assert_ptr_eq(echo_op_successors(op)[1], ir.body);
  for (int i = 0; i < 2; ++i) {
    ck_assert_ptr_eq(op->regions[i].parent, op);
    ck_assert(echo_region_is_empty(&op->regions[i]));
  }
  for (int i = 0; i < 10; ++i) /* operands move away; what is left stays whole */
    echo_op_append_operand(op, a);
  ck_assert_ptr_eq(echo_op_successors(op)[0], ir.body);
  ck_assert_ptr_eq(op->regions[1].parent, op);
  echo_op_erase(op);
  ck_assert(echo_value_is_unused(a));
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(memory_is_used_again)
{
  TestIr ir = test_ir_create();
  EchoValue *a = test_const(&ir, ir.body, 1);
  uint64_t slabs = 0;
  for (int i = 0; i < 100000; ++i) {
    EchoOp *op = test_use(&ir, ir.body, (EchoValue *[]){a, a}, 2);
    for (int j = 0; j < i % 7; ++j)
      echo_op_append_operand(op, a);
    echo_op_erase(op);
    if (i == 100)
      slabs = ir.ctx->ir.slab_bytes;
  }
  ck_assert_uint_eq(ir.ctx->ir.slab_bytes, slabs);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(erasing_takes_what_is_inside)
{
  TestIr ir = test_ir_create();
  EchoValue *outside = test_const(&ir, ir.body, 1);
  uint64_t live = ir.ctx->ir.live_bytes;
  EchoOp *top = test_with_regions(&ir, ir.body, "test.region", 1, 2);
  EchoOp *at = top;
  for (int depth = 0; depth < 20000; ++depth) {
    EchoBlock *block = at->regions[1].first;
    EchoValue *value = test_binary(&ir, block, "test.add", outside, outside);
    at = test_with_regions(&ir, block, "test.region", 1, 2);
    echo_op_append_operand(at, value);
    echo_op_append_operand(echo_value_def_or_null(value), &at->results[0]); /* a circle */
  }
  echo_op_erase(top);
  ck_assert(echo_value_is_unused(outside));
  ck_assert_uint_eq(ir.ctx->ir.live_bytes, live);
  test_ir_destroy(&ir);
}
END_TEST

static void check_order(const EchoBlock *block)
{
  for (const EchoOp *op = block->first; op != NULL && op->next != NULL; op = op->next) {
    if (!echo_op_is_before(op, op->next) || echo_op_is_before(op->next, op))
      ck_abort_msg("order does not follow the block");
    if (op->next->prev != op)
      ck_abort_msg("links do not agree");
  }
}

START_TEST(order_follows_random_moves)
{
  TestIr ir = test_ir_create();
  enum { N = 300 };
  EchoOp *ops[N];
  for (int i = 0; i < N; ++i)
    ops[i] = test_use(&ir, ir.body, NULL, 0);
  uint64_t seed = 7;
  for (int i = 0; i < 30000; ++i) {
    EchoOp *op = ops[test_random(&seed) % N], *other = ops[test_random(&seed) % N];
    if (op == other)
      continue;
    echo_op_unlink(op);
    switch (test_random(&seed) % 5) {
    case 0:
      echo_block_append(ir.body, op);
      break;
    case 1:
      echo_block_prepend(ir.body, op);
      break;
    case 2:
      echo_op_insert_after(op, other);
      break;
    default:
      echo_op_insert_before(op, other);
    }
    if (i % 64 == 0)
      check_order(ir.body);
  }
  check_order(ir.body);
  test_ir_destroy(&ir);
}
END_TEST

/* The worst place for order labels: always the same gap, with a question after each insertion. */
START_TEST(order_in_one_gap)
{
  TestIr ir = test_ir_create();
  EchoOp *last = test_use(&ir, ir.body, NULL, 0);
  EchoOp *first = test_use(&ir, NULL, NULL, 0);
  echo_op_insert_before(first, last);
  for (int i = 0; i < 200000; ++i) {
    EchoOp *op = test_use(&ir, NULL, NULL, 0);
    if (_i == 0)
      echo_op_insert_before(op, last);
    else
      echo_op_insert_after(op, first);
    if (!echo_op_is_before(first, op) || !echo_op_is_before(op, last))
      ck_abort_msg("insertion %d is out of order", i);
  }
  check_order(ir.body);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(attributes_go_where_the_row_says)
{
  TestIr ir = test_ir_create();
  EchoOp *op = echo_value_def_or_null(test_const(&ir, ir.body, 5));
  ck_assert_int_eq(echo_op_attr_i64(op, "value", -1), 5);
  ck_assert_ptr_null(op->attrs);
  echo_op_set_attr(op, "note", echo_attr_string(ir.ctx, ECHO_STR("x")));
  echo_op_set_attr(op, "value", echo_attr_i32(ir.ctx, 6));
  ck_assert_uint_eq(op->properties->as.dictionary.size, 1);
  ck_assert_uint_eq(op->attrs->as.dictionary.size, 1);
  ck_assert_int_eq(echo_op_attr_i64(op, "value", -1), 6);
  ck_assert(echo_str_is(echo_op_attr_string(op, "note"), "x"));
  for (int i = 0; i < 40; ++i) {
    char name[16];
    snprintf(name, sizeof name, "a%d", i);
    echo_op_set_attr(op, name, echo_attr_i64(ir.ctx, i));
  }
  ck_assert_uint_eq(op->attrs->as.dictionary.size, 41);
  ck_assert_int_eq(echo_op_attr_i64(op, "a39", -1), 39);
  echo_op_set_attr(op, "note", NULL);
  ck_assert(!echo_op_has_attr(op, "note"));
  for (int i = 0; i < 40; ++i) {
    char name[16];
    snprintf(name, sizeof name, "a%d", i);
    echo_op_set_attr(op, name, NULL);
  }
  ck_assert_ptr_null(op->attrs);
  ck_assert_int_eq(echo_op_attr_i64(op, "absent", -7), -7);
  ck_assert_uint_eq(echo_op_attr_string(op, "value").size, 0);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(block_arguments)
{
  TestIr ir = test_ir_create();
  EchoBlock *block = echo_block_create(ir.ctx);
  EchoValue *args[5];
  for (int i = 0; i < 5; ++i)
    args[i] = echo_block_add_arg(ir.ctx, block, ir.i32, echo_loc_unknown());
  echo_block_erase_arg(block, 1);
  ck_assert_uint_eq(block->n_args, 4);
  ck_assert_ptr_eq(echo_block_arg(block, 1), args[2]);
  ck_assert_uint_eq(args[4]->index, 3);
  ck_assert_ptr_eq(echo_value_block(args[4]), block);
  ck_assert_ptr_null(echo_value_def_or_null(args[4]));
  echo_block_erase(block);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(splicing_and_taking_blocks)
{
  TestIr ir = test_ir_create();
  EchoOp *ops[6];
  for (int i = 0; i < 6; ++i)
    ops[i] = test_use(&ir, ir.body, NULL, 0);
  EchoOp *holder = test_with_regions(&ir, ir.body, "test.region", 0, 2);
  EchoBlock *inner = holder->regions[0].first;
  EchoOp *before = test_use(&ir, inner, NULL, 0);
  echo_op_unlink(holder);
  echo_block_splice(inner, ops[3]);
  ck_assert_ptr_eq(ir.body->last, ops[2]);
  ck_assert_ptr_null(ops[2]->next);
  ck_assert_ptr_eq(before->next, ops[3]);
  ck_assert_ptr_eq(inner->last, ops[5]);
  ck_assert_ptr_eq(ops[4]->block, inner);
  check_order(inner);
  echo_block_splice(ir.body, before);
  ck_assert_ptr_null(inner->first);
  ck_assert_ptr_null(inner->last);
  check_order(ir.body);
  echo_block_append(ir.body, holder);
  EchoBlock *other = holder->regions[1].first;
  echo_region_take_blocks(&holder->regions[0], &holder->regions[1]);
  ck_assert(echo_region_is_empty(&holder->regions[1]));
  ck_assert_ptr_eq(holder->regions[0].last, other);
  ck_assert_ptr_eq(inner->next, other);
  ck_assert_ptr_eq(other->region, &holder->regions[0]);
  echo_block_unlink(inner);
  echo_region_insert_before(&holder->regions[0], inner, other);
  ck_assert_ptr_eq(holder->regions[0].first, inner);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(ancestors)
{
  TestIr ir = test_ir_create();
  EchoOp *outer = test_with_regions(&ir, ir.body, "test.region", 0, 1);
  EchoOp *inner = test_with_regions(&ir, echo_op_body(outer, 0), "test.region", 0, 1);
  EchoOp *leaf = test_use(&ir, echo_op_body(inner, 0), NULL, 0);
  ck_assert_ptr_eq(echo_op_parent(leaf), inner);
  ck_assert_ptr_null(echo_op_parent(ir.module));
  ck_assert_ptr_eq(echo_op_ancestor_in_block(leaf, ir.body), outer);
  ck_assert_ptr_eq(echo_op_ancestor_in_block(leaf, leaf->block), leaf);
  ck_assert_ptr_null(echo_op_ancestor_in_block(outer, leaf->block));
  ck_assert(echo_op_is_ancestor(outer, leaf));
  ck_assert(echo_op_is_ancestor(leaf, leaf));
  ck_assert(!echo_op_is_ancestor(leaf, outer));
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(operand_groups)
{
  TestIr ir = test_ir_create();
  EchoValue *v[5];
  for (int i = 0; i < 5; ++i)
    v[i] = test_const(&ir, ir.body, i);
  EchoBuilder builder = echo_builder_at_end(ir.ctx, ir.body);
  EchoOp *middle = echo_build_op(&builder, "test.middle", v, 5, NULL, 0, NULL, 0);
  size_t begin, count;
  echo_op_operand_group(middle, 0, &begin, &count);
  ck_assert(begin == 0 && count == 1);
  echo_op_operand_group(middle, 1, &begin, &count);
  ck_assert(begin == 1 && count == 3);
  echo_op_operand_group(middle, 2, &begin, &count);
  ck_assert(begin == 4 && count == 1);
  EchoAttrArg segments[] = {
      {"operandSegmentSizes", echo_attr_i32_array(ir.ctx, (int32_t[]){2, 0, 3}, 3)}};
  EchoOp *op = echo_build_op(&builder, "test.segments", v, 5, NULL, 0, segments, 1);
  echo_op_operand_group(op, 0, &begin, &count);
  ck_assert(begin == 0 && count == 2);
  echo_op_operand_group(op, 1, &begin, &count);
  ck_assert(begin == 2 && count == 0);
  echo_op_operand_group(op, 2, &begin, &count);
  ck_assert(begin == 2 && count == 3);
  test_ir_destroy(&ir);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("op");
  TCase *tcase = tcase_create("op");
  tcase_set_timeout(tcase, 60);
  tcase_add_test(tcase, parts_lie_where_they_should);
  tcase_add_test(tcase, memory_is_used_again);
  tcase_add_test(tcase, erasing_takes_what_is_inside);
  tcase_add_test(tcase, order_follows_random_moves);
  tcase_add_loop_test(tcase, order_in_one_gap, 0, 2);
  tcase_add_test(tcase, attributes_go_where_the_row_says);
  tcase_add_test(tcase, block_arguments);
  tcase_add_test(tcase, splicing_and_taking_blocks);
  tcase_add_test(tcase, ancestors);
  tcase_add_test(tcase, operand_groups);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
