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

static void expect_misuse(const TestIr *ir, const void *answer, const char *message)
{
  ck_assert_ptr_null(answer);
  size_t n = echo_context_n_diagnostics(ir->ctx);
  ck_assert_uint_ne(n, 0);
  ck_assert_str_eq(echo_context_diagnostic(ir->ctx, n - 1)->message, message);
  ck_assert_ptr_null(ir->body->first); /* nothing was inserted */
}

START_TEST(lists_and_counts_are_checked)
{
  TestIr ir = test_ir_create();
  EchoValue *x = echo_block_add_arg(ir.ctx, ir.body, ir.i32, echo_loc_unknown());
  EchoValue *two[] = {x, NULL}, *three[] = {x, x, x};
  const EchoType *no_type = NULL, *types[] = {ir.i32, ir.i32};
  const EchoAttrArg unnamed = {NULL, echo_attr_i32(ir.ctx, 1)};
  EchoBuilder b = echo_builder_at_end(ir.ctx, ir.body);
  ck_assert_ptr_null(echo_build_op(NULL, "test.use", NULL, 0, NULL, 0, NULL, 0));
  expect_misuse(&ir, echo_build_op(&b, NULL, NULL, 0, NULL, 0, NULL, 0),
                "'?' is built: 'name' is NULL");
  expect_misuse(&ir, echo_build_op(&b, "test.nothing", NULL, 0, NULL, 0, NULL, 0),
                "'test.nothing' is built, but it has no row");
  expect_misuse(&ir, echo_build_op(&b, "test.use", NULL, 2, NULL, 0, NULL, 0),
                "'test.use' is created: 'operands' is NULL, 'n_operands' is 2");
  expect_misuse(&ir, echo_build_op(&b, "test.use", two, 2, NULL, 0, NULL, 0),
                "'test.use' is created: 'operands[1]', its 'in', is NULL");
  expect_misuse(&ir, echo_build_op(&b, "test.add", three, 3, types, 1, NULL, 0),
                "'test.add' is built: 'n_operands' is 3, it has 2");
  expect_misuse(&ir, echo_build_op(&b, "test.add", three, 2, NULL, 1, NULL, 0),
                "'test.add' is created: 'result_types' is NULL, 'n_results' is 1");
  expect_misuse(&ir, echo_build_op(&b, "test.add", three, 2, &no_type, 1, NULL, 0),
                "'test.add' is created: 'result_types[0]' is NULL");
  expect_misuse(&ir, echo_build_op(&b, "test.add", three, 2, types, 2, NULL, 0),
                "'test.add' is built: 'n_results' is 2, it has 1");
  expect_misuse(&ir, echo_build_op_with_regions(&b, "test.add", three, 2, types, 1, NULL, 0, 1),
                "'test.add' is built: 'n_regions' is 1, it has 0");
  expect_misuse(&ir, echo_build_op(&b, "test.use", NULL, 0, NULL, 0, NULL, 1),
                "'test.use' is built: 'attrs' is NULL, 'n_attrs' is 1");
  expect_misuse(&ir, echo_build_op(&b, "test.use", NULL, 0, NULL, 0, &unnamed, 1),
                "'test.use' is built: 'attrs[0].name' is NULL");
  expect_misuse(&ir, echo_build_op(&b, "test.use", NULL, (size_t)UINT32_MAX + 1, NULL, 0, NULL, 0),
                "'test.use' is built: more than an op can have");
  expect_misuse(&ir, echo_build_binary(&b, "test.add", NULL, x, NULL),
                "'test.add' is created: 'operands[0]', its 'lhs', is NULL");
  test_ir_destroy(&ir);
}
END_TEST

/* Behind a place that takes any number, and by the sizes of segments where there are several. */
START_TEST(types_are_checked_at_every_place)
{
  TestIr ir = test_ir_create();
  EchoValue *i = echo_block_add_arg(ir.ctx, ir.body, ir.i32, echo_loc_unknown());
  EchoValue *f = echo_block_add_arg(ir.ctx, ir.body, echo_type_f32(ir.ctx), echo_loc_unknown());
  EchoBuilder b = echo_builder_at_end(ir.ctx, ir.body);
  const int32_t sizes[] = {2, 1, 1}, none[] = {3, 0, 1}, wrong[] = {9, 0, 1};
  const EchoAttrArg segments = {"operandSegmentSizes", echo_attr_i32_array(ir.ctx, sizes, 3)};
  const EchoAttrArg left_out = {"operandSegmentSizes", echo_attr_i32_array(ir.ctx, none, 3)};
  const EchoAttrArg misfit = {"operandSegmentSizes", echo_attr_i32_array(ir.ctx, wrong, 3)};
  EchoValue *last[] = {f, f, f, f}, *many[] = {i, f, f, f}, *maybe[] = {i, i, i, f};
  expect_misuse(&ir, echo_build_op(&b, "test.between", last, 4, NULL, 0, NULL, 0),
                "'test.between' is built: 'operands[3]', its 'last', is f32, not int");
  expect_misuse(&ir, echo_build_op(&b, "test.between", last, 2, NULL, 0, NULL, 0),
                "'test.between' is built: 'operands[1]', its 'last', is f32, not int");
  expect_misuse(&ir, echo_build_op(&b, "test.groups", many, 4, NULL, 0, &segments, 1),
                "'test.groups' is built: 'operands[1]', its 'many', is f32, not int");
  expect_misuse(&ir, echo_build_op(&b, "test.groups", maybe, 4, NULL, 0, &segments, 1),
                "'test.groups' is built: 'operands[2]', its 'maybe', is i32, not float");
  EchoOp *fits = echo_build_op(&b, "test.groups", maybe, 4, NULL, 0, &left_out, 1);
  ck_assert_ptr_nonnull(fits);
  ck_assert_ptr_nonnull(echo_build_op(&b, "test.groups", maybe, 4, NULL, 0, &misfit, 1));
  last[3] = i;
  ck_assert_ptr_nonnull(echo_build_op(&b, "test.between", last, 4, NULL, 0, NULL, 0));
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(values_of_another_context_are_refused)
{
  TestIr ir = test_ir_create(), other = test_ir_create();
  EchoValue *arg = echo_block_add_arg(other.ctx, other.body, other.i32, echo_loc_unknown());
  EchoValue *result = test_const(&other, other.body, 7);
  EchoBuilder b = echo_builder_at_end(ir.ctx, ir.body);
  expect_misuse(&ir, echo_build_op(&b, "test.use", &arg, 1, NULL, 0, NULL, 0),
                "'test.use' is created: 'operands[0]', its 'in', is of another context");
  expect_misuse(&ir, echo_build_op(&b, "test.use", &result, 1, NULL, 0, NULL, 0),
                "'test.use' is created: 'operands[0]', its 'in', is of another context");
  const EchoAttrArg strange = {"a", echo_attr_unit(other.ctx)};
  expect_misuse(&ir, echo_build_op(&b, "test.const", NULL, 0, &other.i32, 1, NULL, 0),
                "'test.const' is created: 'result_types[0]' is of another context");
  expect_misuse(&ir, echo_build_op(&b, "test.use", NULL, 0, NULL, 0, &strange, 1),
                "'test.use' is built: 'attrs[0].value' is of another context");
  test_ir_destroy(&ir);
  test_ir_destroy(&other);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("builder");
  TCase *tcase = tcase_create("builder");
  tcase_add_test(tcase, insertion_points);
  tcase_add_test(tcase, attributes_are_sorted_out);
  tcase_add_test(tcase, types_are_inferred);
  tcase_add_test(tcase, lists_and_counts_are_checked);
  tcase_add_test(tcase, types_are_checked_at_every_place);
  tcase_add_test(tcase, values_of_another_context_are_refused);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
