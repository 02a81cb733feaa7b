/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where built ops land and what they are given. */
#include "ir/builder.h"

#include "tests/unit/ir/test_dialect.h"
#include "tests/unit/suite.h"

START_TEST(insertion_points)
{
  TestIr ir = test_ir_create();
  EchoOp *middle = test_use(&ir, ir.body, NULL, 0);
  EchoBuilder before = echo_builder_before(middle), after = echo_builder_after(middle);
  EchoBuilder end = echo_builder_at_end(ir.ctx, ir.body);
  EchoOp *ops[6];
  for (int i = 0; i < 2; ++i) {
    ops[i] = echo_build_op(&before, "test.use", NULL, 0, NULL, 0, NULL, 0);
    ops[2 + i] = echo_build_op(&end, "test.use", NULL, 0, NULL, 0, NULL, 0);
    ops[4 + i] = echo_build_op(&after, "test.use", NULL, 0, NULL, 0, NULL, 0);
  }
  /* "after" means before what followed when the builder was made: the end */
  EchoOp *want[] = {ops[0], ops[1], middle, ops[2], ops[4], ops[3], ops[5]};
  EchoOp *op = ir.body->first;
  for (int i = 0; i < 7; ++i, op = op->next)
    ck_assert_ptr_eq(op, want[i]);
  EchoBuilder nowhere = echo_builder_at_end(ir.ctx, NULL);
  EchoOp *detached = echo_build_op(&nowhere, "test.use", NULL, 0, NULL, 0, NULL, 0);
  ck_assert_ptr_null(detached->block);
  echo_op_erase(detached);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(attributes_are_sorted_out)
{
  TestIr ir = test_ir_create();
  const EchoAttr *one = echo_attr_i32(ir.ctx, 1), *two = echo_attr_i32(ir.ctx, 2);
  EchoBuilder builder = echo_builder_at_end(ir.ctx, ir.body);
  builder.attrs = echo_attr_dictionary(
      ir.ctx, (EchoNamedAttr[]){{ECHO_STR("phase"), one}, {ECHO_STR("note"), one}}, 2);
  EchoAttrArg args[] = {{"note", two}, {"value", one}, {"absent", NULL}};
  EchoOp *op = echo_build_op(&builder, "test.const", NULL, 0, &ir.i32, 1, args, 3);
  ck_assert_uint_eq(op->properties->as.dictionary.size, 1);
  ck_assert_uint_eq(op->attrs->as.dictionary.size, 2);
  ck_assert_int_eq(echo_op_attr_i64(op, "value", 0), 1);
  ck_assert_int_eq(echo_op_attr_i64(op, "note", 0), 2);
  ck_assert_int_eq(echo_op_attr_i64(op, "phase", 0), 1);
  EchoOp *plain = echo_build_op(&builder, "test.use", NULL, 0, NULL, 0, NULL, 0);
  ck_assert_ptr_eq(plain->attrs, builder.attrs);
  test_ir_destroy(&ir);
}
END_TEST

static void count(void *user, EchoOp *op)
{
  (void)op;
  ++*(int *)user;
}

START_TEST(types_are_inferred)
{
  TestIr ir = test_ir_create();
  EchoValue *x = echo_block_add_arg(ir.ctx, ir.body, echo_type_i64(ir.ctx), echo_loc_unknown());
  EchoBuilder builder = echo_builder_at_end(ir.ctx, ir.body);
  int n_inserted = 0;
  builder.inserted = count;
  builder.inserted_user = &n_inserted;
  ck_assert_ptr_eq(echo_build_unary(&builder, "test.neg", x, NULL)->type, x->type);
  ck_assert_ptr_eq(echo_build_unary(&builder, "test.mark", x, NULL)->type, x->type);
  ck_assert_ptr_eq(echo_build_binary(&builder, "test.add", x, x, NULL)->type, x->type);
  ck_assert_ptr_eq(echo_build_unary(&builder, "test.mark", x, ir.i32)->type, ir.i32);
  ck_assert_uint_eq(echo_build_op(&builder, "test.use", &x, 1, NULL, 0, NULL, 0)->n_results, 0);
  ck_assert_int_eq(n_inserted, 5);
  test_ir_destroy(&ir);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("builder");
  TCase *tcase = tcase_create("builder");
  tcase_add_test(tcase, insertion_points);
  tcase_add_test(tcase, attributes_are_sorted_out);
  tcase_add_test(tcase, types_are_inferred);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
