/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* dce and symbol-dce: what is needed stays, all else goes. */
#include "tests/unit/ir/passes_test.h"

static EchoOp *function(TestIr *ir, EchoBlock *block, const char *name, bool is_private)
{
  EchoOp *func = test_with_regions(ir, block, "test.func", 0, 1);
  echo_op_set_attr(func, "sym_name", echo_attr_string(ir->ctx, echo_str(name)));
  if (is_private)
    echo_op_set_attr(func, "sym_visibility", echo_attr_string(ir->ctx, ECHO_STR("private")));
  return func;
}

START_TEST(chains_and_circles)
{
  TestIr ir = test_ir_create();
  EchoBlock *body = echo_op_body(function(&ir, ir.body, "f", false), 0);
  EchoValue *x = test_const(&ir, body, 1), *kept = test_unary(&ir, body, "test.neg", x);
  EchoValue *dead = x;
  for (int i = 0; i < 100; ++i)
    dead = test_binary(&ir, body, "test.add", dead, dead);
  EchoOp *graph = test_with_regions(&ir, body, "test.graph", 1, 1);
  EchoOp *first = echo_value_def_or_null(test_unary(&ir, echo_op_body(graph, 0), "test.neg", x));
  EchoValue *second = test_unary(&ir, echo_op_body(graph, 0), "test.neg", &first->results[0]);
  echo_op_set_operand(first, 0, second); /* each needs the other, nothing needs them */
  test_use(&ir, body, (EchoValue *[]){kept, &graph->results[0]}, 2);
  test_return(&ir, body, NULL, 0);
  test_run_pass(&ir, "dce");
  ck_assert_uint_eq(test_n_ops(&ir, "test.add"), 0);
  ck_assert_uint_eq(test_n_ops(&ir, "test.neg"), 1);
  ck_assert_uint_eq(test_n_ops(&ir, "test.const"), 1);
  ck_assert_ptr_null(echo_op_body(graph, 0)->first);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(effects_inside_keep_what_is_around)
{
  TestIr ir = test_ir_create();
  EchoBlock *body = echo_op_body(function(&ir, ir.body, "f", false), 0);
  EchoValue *needed = test_const(&ir, body, 1);
  for (int i = 0; i < 2; ++i) {
    EchoOp *loop = test_with_regions(&ir, body, "test.loop", 1, 1);
    EchoBlock *inside = echo_op_body(loop, 0);
    EchoValue *neg = test_unary(&ir, inside, "test.neg", needed);
    test_unary(&ir, inside, "test.abs", needed);
    if (i == 0)
      test_use(&ir, inside, &neg, 1);
    test_return(&ir, inside, NULL, 0);
  }
  EchoBuilder builder = echo_builder_at_end(ir.ctx, body);
  echo_build_op(&builder, "test.read", NULL, 0, &ir.i32, 1, NULL, 0);
  test_return(&ir, body, NULL, 0);
  test_run_pass(&ir, "dce");
  ck_assert_uint_eq(test_n_ops(&ir, "test.loop"), 1);
  ck_assert_uint_eq(test_n_ops(&ir, "test.neg"), 1);
  ck_assert_uint_eq(test_n_ops(&ir, "test.abs"), 0);
  ck_assert_uint_eq(test_n_ops(&ir, "test.read"), 0);
  test_ir_destroy(&ir);
}
END_TEST

static void call(TestIr *ir, EchoBlock *block, const EchoAttr *callee)
{
  EchoBuilder builder = echo_builder_at_end(ir->ctx, block);
  EchoAttrArg args[] = {{"callee", callee}};
  echo_build_op(&builder, "test.call", NULL, 0, NULL, 0, args, 1);
}

static const EchoAttr *symbol(TestIr *ir, const char *name)
{
  return echo_attr_symbol(ir->ctx, echo_str(name));
}

START_TEST(symbols)
{
  TestIr ir = test_ir_create();
  EchoOp *main = function(&ir, ir.body, "main", false);
  EchoOp *used = function(&ir, ir.body, "used", true), *deep = function(&ir, ir.body, "deep", true);
  EchoOp *dead = function(&ir, ir.body, "dead", true),
         *dead_2 = function(&ir, ir.body, "dead_2", true);
  EchoOp *text = function(&ir, ir.body, "in text", true);
  call(&ir, echo_op_body(main, 0), symbol(&ir, "used"));
  const EchoAttr *array = echo_attr_array(ir.ctx, (const EchoAttr *[]){symbol(&ir, "deep")}, 1);
  echo_op_set_attr(used, "hint",
                   echo_attr_dictionary(ir.ctx, (EchoNamedAttr[]){{ECHO_STR("a"), array}}, 1));
  echo_op_set_attr(used, "kept",
                   echo_attr_opaque(ir.ctx, ECHO_STR("some"), ECHO_STR("ref<@\"in text\">"), true));
  call(&ir, echo_op_body(dead, 0), symbol(&ir, "dead_2")); /* the dead call each other */
  call(&ir, echo_op_body(dead_2, 0), symbol(&ir, "dead"));
  call(&ir, echo_op_body(dead_2, 0), symbol(&ir, "main"));
  EchoOp *functions[] = {main, used, deep, dead, dead_2, text};
  for (int i = 0; i < 6; ++i)
    test_return(&ir, echo_op_body(functions[i], 0), NULL, 0);
  test_run_pass(&ir, "symbol-dce");
  ck_assert_uint_eq(test_n_ops(&ir, "test.func"), 4);
  ck_assert_ptr_eq(ir.body->first, main);
  ck_assert_ptr_eq(main->next, used);
  ck_assert_ptr_eq(used->next, deep);
  ck_assert_ptr_eq(deep->next, text);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(nested_tables)
{
  TestIr ir = test_ir_create();
  EchoOp *inner = test_with_regions(&ir, ir.body, "test.module", 0, 1);
  echo_op_set_attr(inner, "sym_name", echo_attr_string(ir.ctx, ECHO_STR("inner")));
  EchoOp *main = function(&ir, echo_op_body(inner, 0), "main", false);
  EchoOp *helper = function(&ir, echo_op_body(inner, 0), "helper", true);
  EchoOp *dead = function(&ir, echo_op_body(inner, 0), "dead", true);
  call(&ir, echo_op_body(main, 0), symbol(&ir, "helper"));
  test_return(&ir, echo_op_body(main, 0), NULL, 0);
  test_return(&ir, echo_op_body(helper, 0), NULL, 0);
  test_return(&ir, echo_op_body(dead, 0), NULL, 0);
  test_run_pass(&ir, "symbol-dce");
  ck_assert_uint_eq(test_n_ops(&ir, "test.func"), 2);
  test_ir_destroy(&ir);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("dce");
  TCase *tcase = tcase_create("dce");
  tcase_add_test(tcase, chains_and_circles);
  tcase_add_test(tcase, effects_inside_keep_what_is_around);
  tcase_add_test(tcase, symbols);
  tcase_add_test(tcase, nested_tables);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
