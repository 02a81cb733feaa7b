/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls give way to bodies, callees first; circles, declarations and calls that do not fit stay. */
#include <stdio.h>

#include "tests/unit/ir/passes_test.h"

static EchoOp *function(TestIr *ir, const char *name, size_t n_args)
{
  EchoOp *func = test_with_regions(ir, ir->body, "test.func", 0, 1);
  echo_op_set_attr(func, "sym_name", echo_attr_string(ir->ctx, echo_str(name)));
  for (size_t i = 0; i < n_args; ++i)
    echo_block_add_arg(ir->ctx, echo_op_body(func, 0), ir->i32, echo_loc_unknown());
  return func;
}

static EchoValue *call(TestIr *ir, EchoBlock *block, const char *callee, EchoValue *operand)
{
  EchoBuilder builder = echo_builder_at_end(ir->ctx, block);
  EchoAttrArg args[] = {{"callee", echo_attr_symbol(ir->ctx, echo_str(callee))}};
  return echo_op_result(echo_build_op(&builder, "test.call", &operand, 1, &ir->i32, 1, args, 1), 0);
}

/* f_0(x) = -x; f_i(x) = f_{i-1}(f_{i-1}(x)): 2^i ops once inlined. Functions stand callers first.
 */
START_TEST(doubling)
{
  enum { N = 10 };
  TestIr ir = test_ir_create();
  char names[N + 1][8];
  for (int i = N; i >= 0; --i) {
    snprintf(names[i], sizeof names[i], "f%d", i);
    EchoBlock *body = echo_op_body(function(&ir, names[i], 1), 0);
    EchoValue *x = echo_block_arg(body, 0);
    if (i == 0) {
      x = test_unary(&ir, body, "test.neg", x);
    } else {
      char callee[8];
      snprintf(callee, sizeof callee, "f%d", i - 1);
      x = call(&ir, body, callee, call(&ir, body, callee, x));
    }
    test_return(&ir, body, &x, 1);
  }
  test_run_pass(&ir, "inline");
  ck_assert_uint_eq(test_n_ops(&ir, "test.call"), 0);
  size_t n = 0;
  EchoBlock *body = echo_op_body(ir.body->first, 0);
  EchoValue *at = echo_op_operand(body->last, 0);
  for (; at != echo_block_arg(body, 0); at = echo_op_operand(echo_value_def_or_null(at), 0))
    n++;
  ck_assert_uint_eq(n, 1 << N);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(stays)
{
  TestIr ir = test_ir_create();
  EchoOp *even = function(&ir, "even", 1), *odd = function(&ir, "odd", 1);
  EchoOp *self = function(&ir, "self", 1), *declared = function(&ir, "declared", 1);
  EchoOp *two = function(&ir, "two", 2), *caller = function(&ir, "caller", 1);
  const char *const CALLEES[] = {"declared", "two", "self", "unknown"};
  EchoOp *functions[] = {even, odd, self, two};
  static const char *const CALLED[] = {"odd", "even", "self", NULL};
  for (int i = 0; i < 4; ++i) {
    EchoBlock *body = echo_op_body(functions[i], 0);
    EchoValue *x = echo_block_arg(body, 0);
    if (CALLED[i] != NULL)
      x = call(&ir, body, CALLED[i], x);
    test_return(&ir, body, &x, 1);
  }
  echo_block_erase(declared->regions[0].first);
  EchoBlock *body = echo_op_body(caller, 0);
  EchoValue *x = echo_block_arg(body, 0);
  for (int i = 0; i < 4; ++i)
    x = call(&ir, body, CALLEES[i], x);
  test_return(&ir, body, &x, 1);
  test_run_pass(&ir, "inline");
  /* even calls odd, odd calls even: the one that was seen last takes the other in, and calls
   * itself; the circle stays. */
  size_t n_calls = test_n_ops(&ir, "test.call");
  ck_assert_uint_ge(n_calls, 6);
  const EchoOp *first = body->first;
  ck_assert(echo_op_is(first, "test.call"));
  ck_assert(echo_str_is(echo_op_attr_or_null(first, "callee")->as.symbol.root, "declared"));
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(inside_regions)
{
  TestIr ir = test_ir_create();
  EchoOp *caller = function(&ir, "caller", 1), *callee = function(&ir, "callee", 1);
  EchoBlock *body = echo_op_body(callee, 0);
  EchoOp *region = test_with_regions(&ir, body, "test.region", 1, 1);
  EchoValue *inner = test_unary(&ir, echo_op_body(region, 0), "test.abs", echo_block_arg(body, 0));
  test_return(&ir, echo_op_body(region, 0), &inner, 1);
  test_return(&ir, body, (EchoValue *[]){&region->results[0]}, 1);
  EchoBlock *outer = echo_op_body(caller, 0);
  EchoOp *loop = test_with_regions(&ir, outer, "test.loop", 0, 1);
  EchoValue *result = call(&ir, echo_op_body(loop, 0), "callee", echo_block_arg(outer, 0));
  test_return(&ir, echo_op_body(loop, 0), &result, 1);
  test_return(&ir, outer, (EchoValue *[]){echo_block_arg(outer, 0)}, 1);
  test_run_pass(&ir, "inline");
  ck_assert_uint_eq(test_n_ops(&ir, "test.call"), 0);
  EchoOp *copy = echo_op_body(loop, 0)->first;
  ck_assert(echo_op_is(copy, "test.region"));
  ck_assert_ptr_eq(echo_op_operand(echo_op_body(copy, 0)->first, 0), echo_block_arg(outer, 0));
  ck_assert_ptr_eq(echo_op_operand(echo_op_body(loop, 0)->last, 0), &copy->results[0]);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(locations_name_the_call)
{
  TestIr ir = test_ir_create();
  EchoOp *caller = function(&ir, "caller", 1), *callee = function(&ir, "callee", 1);
  EchoBlock *body = echo_op_body(callee, 0);
  EchoValue *x = test_unary(&ir, body, "test.neg", echo_block_arg(body, 0));
  const EchoAttr *at = echo_attr_location_file(ir.ctx, ECHO_STR("a"), 1, 2);
  const EchoAttr *from = echo_attr_location_file(ir.ctx, ECHO_STR("b"), 3, 4);
  echo_value_def_or_null(x)->loc = echo_loc_from_attr(at);
  test_return(&ir, body, &x, 1);
  EchoBlock *outer = echo_op_body(caller, 0);
  EchoValue *result = call(&ir, outer, "callee", echo_block_arg(outer, 0));
  echo_value_def_or_null(result)->loc = echo_loc_from_attr(from);
  test_return(&ir, outer, &result, 1);
  test_run_pass(&ir, "inline");
  ck_assert_ptr_eq(echo_loc_attr(ir.ctx, outer->first->loc),
                   echo_attr_location_call_site(ir.ctx, at, from));
  test_ir_destroy(&ir);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("inline");
  TCase *tcase = tcase_create("inline");
  tcase_add_test(tcase, doubling);
  tcase_add_test(tcase, stays);
  tcase_add_test(tcase, inside_regions);
  tcase_add_test(tcase, locations_name_the_call);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
