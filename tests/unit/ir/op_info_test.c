/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What rows say about effects, cost and constants. */
#include "tests/unit/ir/test_dialect.h"
#include "tests/unit/suite.h"

START_TEST(effects)
{
  TestIr ir = test_ir_create();
  EchoValue *x = test_const(&ir, ir.body, 1);
  EchoOp *pure = echo_value_def_or_null(test_unary(&ir, ir.body, "test.neg", x));
  EchoOp *use = test_use(&ir, ir.body, NULL, 0);
  EchoBuilder builder = echo_builder_at_end(ir.ctx, ir.body);
  EchoOp *read = echo_build_op(&builder, "test.read", NULL, 0, &ir.i32, 1, NULL, 0);
  EchoOp *loop = test_with_regions(&ir, ir.body, "test.loop", 0, 1);
  EchoOp *inner = test_with_regions(&ir, echo_op_body(loop, 0), "test.loop", 0, 1);
  test_unary(&ir, echo_op_body(inner, 0), "test.neg", x);
  test_return(&ir, echo_op_body(inner, 0), NULL, 0);
  test_return(&ir, echo_op_body(loop, 0), NULL, 0);
  ck_assert(echo_op_is_pure(pure) && echo_op_is_dead_if_unused(pure));
  ck_assert(!echo_op_is_pure(use) && !echo_op_is_dead_if_unused(use));
  ck_assert(!echo_op_is_pure(read) && echo_op_is_dead_if_unused(read));
  ck_assert(echo_op_is_pure(loop) && echo_op_is_dead_if_unused(loop));
  ck_assert(!echo_op_is_dead_if_unused(echo_op_body(loop, 0)->last)); /* a terminator */
  ck_assert(!echo_op_is_dead_if_unused(ir.module));
  EchoOp *deep_read = echo_op_clone(read, NULL);
  echo_block_prepend(echo_op_body(inner, 0), deep_read);
  ck_assert(!echo_op_is_pure(loop) && echo_op_is_dead_if_unused(loop));
  echo_block_prepend(echo_op_body(inner, 0), echo_op_clone(use, NULL));
  ck_assert(!echo_op_is_pure(loop) && !echo_op_is_dead_if_unused(loop));
  echo_context_allow_unregistered(ir.ctx, true);
  EchoOp *unknown = echo_build_op(&builder, "other.op", NULL, 0, NULL, 0, NULL, 0);
  ck_assert(!echo_op_is_pure(unknown) && !echo_op_is_dead_if_unused(unknown));
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(default_cost)
{
  TestIr ir = test_ir_create();
  const EchoType *type = echo_type_tensor(ir.ctx, (int64_t[]){4, 8}, 2, ir.i32, NULL);
  EchoValue *x = echo_block_add_arg(ir.ctx, ir.body, type, echo_loc_unknown());
  EchoBuilder builder = echo_builder_at_end(ir.ctx, ir.body);
  EchoOp *op = echo_build_op(&builder, "test.region", (EchoValue *[]){x, x}, 2, &type, 1, NULL, 0);
  EchoCost cost;
  echo_op_cost(op, &cost);
  ck_assert_double_eq(cost.flops, 32);
  ck_assert_double_eq(cost.bytes_read, 256);
  ck_assert_double_eq(cost.bytes_written, 128);
  ck_assert_double_eq(cost.transcendentals, 0);
  EchoOp *barrier = echo_build_op(&builder, "test.barrier", &x, 1, &type, 1, NULL, 0);
  echo_op_cost(barrier, &cost);
  ck_assert_double_eq(cost.flops, 0);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(constants)
{
  TestIr ir = test_ir_create();
  EchoValue *c = test_const(&ir, ir.body, 9);
  ck_assert_int_eq(echo_value_constant_or_null(c)->as.integer.value, 9);
  EchoValue *behind = test_unary(&ir, ir.body, "test.barrier", c);
  ck_assert_ptr_null(echo_value_constant_or_null(behind));
  EchoValue *arg = echo_block_add_arg(ir.ctx, ir.body, ir.i32, echo_loc_unknown());
  ck_assert_ptr_null(echo_value_constant_or_null(arg));
  test_ir_destroy(&ir);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("op_info");
  TCase *tcase = tcase_create("op_info");
  tcase_add_test(tcase, effects);
  tcase_add_test(tcase, default_cost);
  tcase_add_test(tcase, constants);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
