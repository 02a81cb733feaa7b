/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Each promise broken once, with the message it gives; several broken at once, all reported; and
 * deep or large IR that holds. */
#include "ir/verify/verifier.h"

#include "tests/unit/ir/test_dialect.h"
#include "tests/unit/suite.h"

static void expect(TestIr *ir, const char *message)
{
  ck_assert(!echo_verify(ir->module));
  ck_assert_uint_eq(echo_context_n_errors(ir->ctx), 1);
  if (test_n_messages(ir->ctx, message) != 1)
    ck_abort_msg("expected '%s', got '%s'", message, echo_context_diagnostic(ir->ctx, 0)->message);
}

static EchoOp *raw(TestIr *ir, EchoBlock *block, const char *name, EchoValue *const *operands,
                   uint32_t n_operands, uint32_t n_results, uint16_t n_regions)
{
  const EchoType *types[8];
  for (uint32_t i = 0; i < n_results; ++i)
    types[i] = ir->i32;
  EchoOp *op = echo_op_create(&(EchoOpState){.ctx = ir->ctx,
                                             .info = echo_context_op_info(ir->ctx, name),
                                             .operands = operands,
                                             .n_operands = n_operands,
                                             .result_types = types,
                                             .n_results = n_results,
                                             .n_regions = n_regions});
  echo_block_append(block, op);
  return op;
}

/* ---- rows ---- */

START_TEST(good_ir_holds)
{
  TestIr ir = test_ir_create();
  EchoValue *a = test_const(&ir, ir.body, 1);
  EchoValue *b = test_binary(&ir, ir.body, "test.add", a, a);
  EchoOp *region = test_with_regions(&ir, ir.body, "test.region", 0, 2);
  test_return(&ir, region->regions[0].first, &b, 1);
  test_return(&ir, region->regions[1].first, NULL, 0);
  ck_assert(echo_verify(ir.module));
  ck_assert_uint_eq(echo_context_n_diagnostics(ir.ctx), 0);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(row_counts)
{
  static const struct {
    const char *op;
    uint32_t n_operands, n_results;
    uint16_t n_regions;
    const char *message;
  } CASES[] = {
      {"test.add", 1, 1, 0, "'test.add' op expected 2 operands, but found 1"},
      {"test.neg", 2, 1, 0, "'test.neg' op requires a single operand"},
      {"test.graph", 1, 0, 1, "'test.graph' op requires zero operands"},
      {"test.middle", 1, 0, 0, "'test.middle' op expected 2 or more operands, but found 1"},
      {"test.neg", 1, 2, 0, "'test.neg' op requires one result"},
      {"test.split", 1, 1, 0, "'test.split' op expected 2 results"},
      {"test.isolated", 0, 1, 1, "'test.isolated' op requires zero results"},
      {"test.use", 0, 0, 1, "'test.use' op requires zero regions"},
      {"test.graph", 0, 0, 0, "'test.graph' op requires one region"},
  };
  TestIr ir = test_ir_create();
  EchoValue *a = test_const(&ir, ir.body, 1);
  raw(&ir, ir.body, CASES[_i].op, (EchoValue *[]){a, a}, CASES[_i].n_operands, CASES[_i].n_results,
      CASES[_i].n_regions);
  expect(&ir, CASES[_i].message);
  test_ir_destroy(&ir);
}
END_TEST
enum { N_ROW_COUNTS = 9 };

START_TEST(operand_and_result_types)
{
  TestIr ir = test_ir_create();
  EchoValue *a = test_const(&ir, ir.body, 1);
  echo_value_set_type(a, echo_type_f32(ir.ctx));
  EchoOp *add = raw(&ir, ir.body, "test.add", (EchoValue *[]){a, a}, 2, 1, 0);
  echo_value_set_type(&add->results[0], echo_type_f32(ir.ctx));
  ck_assert(!echo_verify(ir.module));
  ck_assert_uint_eq(test_n_messages(ir.ctx, "'test.add' op operand #0 must be int, but got 'f32'"),
                    1);
  ck_assert_uint_eq(test_n_messages(ir.ctx, "'test.add' op operand #1 must be int, but got 'f32'"),
                    1);
  ck_assert_uint_eq(test_n_messages(ir.ctx, "'test.add' op result #0 must be int, but got 'f32'"),
                    1);
  ck_assert_uint_eq(echo_context_n_errors(ir.ctx), 3);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(same_type)
{
  TestIr ir = test_ir_create();
  EchoValue *a = test_const(&ir, ir.body, 1);
  EchoOp *neg = raw(&ir, ir.body, "test.neg", &a, 1, 1, 0);
  echo_value_set_type(&neg->results[0], echo_type_i64(ir.ctx));
  expect(&ir, "'test.neg' op requires the same type for all operands and results");
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(barrier_types)
{
  TestIr ir = test_ir_create();
  EchoValue *a = test_const(&ir, ir.body, 1);
  raw(&ir, ir.body, "test.barrier", (EchoValue *[]){a, a}, 2, 1, 0);
  expect(&ir, "'test.barrier' op requires as many results as operands");
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(attributes)
{
  TestIr ir = test_ir_create();
  EchoOp *constant = echo_value_def_or_null(test_const(&ir, ir.body, 1));
  echo_op_set_attr(constant, "value", NULL);
  expect(&ir, "'test.const' op requires attribute 'value'");
  test_ir_destroy(&ir);

  ir = test_ir_create();
  constant = echo_value_def_or_null(test_const(&ir, ir.body, 1));
  echo_op_set_attr(constant, "value", echo_attr_unit(ir.ctx));
  expect(&ir, "'test.const' op attribute 'value' failed to satisfy constraint: int");
  test_ir_destroy(&ir);

  ir = test_ir_create();
  constant = echo_value_def_or_null(test_const(&ir, ir.body, 1));
  constant->properties =
      echo_attr_dictionary(ir.ctx,
                           (EchoNamedAttr[]){{ECHO_STR("value"), echo_attr_i32(ir.ctx, 1)},
                                             {ECHO_STR("odd"), echo_attr_unit(ir.ctx)}},
                           2);
  expect(&ir, "'test.const' op has no inherent attribute 'odd'");
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(segments)
{
  static const struct {
    int32_t sizes[3];
    size_t n;
    const char *message;
  } CASES[] = {
      {{1, 1, 1}, 3, NULL},
      {{1, 1},
       2,
       "'test.segments' op 'operandSegmentSizes' attribute for specifying operand segments must "
       "have 3 elements, but got 2"},
      {{1, 1, 2},
       3,
       "'test.segments' op operand count (3) does not match with the total size (4) specified in "
       "attribute 'operandSegmentSizes'"},
      {{1, 2, 0},
       3,
       "'test.segments' op operand group starting at #1 requires 0 or 1 element, but found 2"},
      {{4, -1, 0},
       3,
       "'test.segments' op requires dense i32 array attribute 'operandSegmentSizes'"},
  };
  TestIr ir = test_ir_create();
  EchoValue *a = test_const(&ir, ir.body, 1);
  EchoOp *op = raw(&ir, ir.body, "test.segments", (EchoValue *[]){a, a, a}, 3, 0, 0);
  echo_op_set_attr(op, "operandSegmentSizes",
                   echo_attr_i32_array(ir.ctx, CASES[_i].sizes, CASES[_i].n));
  if (CASES[_i].message == NULL)
    ck_assert(echo_verify(ir.module));
  else
    expect(&ir, CASES[_i].message);
  test_ir_destroy(&ir);
}
END_TEST
enum { N_SEGMENTS = 5 };

START_TEST(inferred_types)
{
  TestIr ir = test_ir_create();
  EchoValue *a = test_const(&ir, ir.body, 1);
  EchoOp *mark = raw(&ir, ir.body, "test.mark", &a, 1, 1, 0);
  echo_value_set_type(&mark->results[0], echo_type_f32(ir.ctx));
  expect(&ir, "'test.mark' op inferred type(s) 'i32' are incompatible with return type(s) of "
              "operation 'f32'");
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(hooks_wait_for_rows)
{
  TestIr ir = test_ir_create();
  for (int64_t value = 0; value < 4; ++value) {
    EchoOp *op = raw(&ir, ir.body, "test.even", NULL, 0, 1, 0);
    echo_op_set_attr(op, "value", echo_attr_i64(ir.ctx, value));
    if (value == 3)
      echo_op_set_attr(op, "value", echo_attr_unit(ir.ctx));
  }
  ck_assert(!echo_verify(ir.module));
  ck_assert_uint_eq(test_n_messages(ir.ctx, "'test.even' op value must be even"), 1);
  ck_assert_uint_eq(echo_context_n_errors(ir.ctx), 2);
  test_ir_destroy(&ir);
}
END_TEST

/* ---- structure ---- */

START_TEST(terminators)
{
  TestIr ir = test_ir_create();
  EchoOp *region = test_with_regions(&ir, ir.body, "test.region", 0, 1);
  expect(&ir, "empty block: expect at least a terminator");
  test_use(&ir, echo_op_body(region, 0), NULL, 0);
  ck_assert(!echo_verify(ir.module));
  ck_assert_uint_eq(
      test_n_messages(ir.ctx, "block with no terminator, has \"test.use\"() : () -> ()"), 1);
  test_return(&ir, echo_op_body(region, 0), NULL, 0);
  ck_assert(echo_verify(ir.module));
  test_use(&ir, echo_op_body(region, 0), NULL, 0);
  ck_assert(!echo_verify(ir.module));
  ck_assert_uint_eq(
      test_n_messages(ir.ctx, "'test.return' op must be the last operation in the parent block"),
      1);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(branches)
{
  TestIr ir = test_ir_create();
  EchoOp *region = test_with_regions(&ir, ir.body, "test.region", 0, 2);
  EchoBlock *entry = region->regions[0].first, *other = region->regions[1].first;
  test_return(&ir, other, NULL, 0);
  test_branch(&ir, entry, (EchoBlock *[]){other}, 1);
  expect(&ir, "'test.br' op reference to block defined in another region");
  echo_op_set_successor(entry->last, 0, entry);
  ck_assert(!echo_verify(ir.module));
  ck_assert_uint_eq(test_n_messages(ir.ctx, "entry block of region may not have predecessors"), 1);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(symbols)
{
  TestIr ir = test_ir_create();
  static const char *const NAMES[] = {"a", "b", "a", ""};
  for (int i = 0; i < 4; ++i) {
    EchoOp *func = test_with_regions(&ir, ir.body, "test.func", 0, 1);
    test_return(&ir, echo_op_body(func, 0), NULL, 0);
    echo_op_set_attr(func, "sym_name", echo_attr_string(ir.ctx, echo_str(NAMES[i])));
    if (i == 1)
      echo_op_set_attr(func, "sym_visibility", echo_attr_string(ir.ctx, ECHO_STR("secret")));
  }
  EchoOp *region = test_with_regions(&ir, ir.body, "test.region", 0, 1);
  EchoOp *lost = test_with_regions(&ir, echo_op_body(region, 0), "test.func", 0, 1);
  echo_op_set_attr(lost, "sym_name", echo_attr_string(ir.ctx, ECHO_STR("lost")));
  test_return(&ir, echo_op_body(lost, 0), NULL, 0);
  test_return(&ir, echo_op_body(region, 0), NULL, 0);
  ck_assert(!echo_verify(ir.module));
  ck_assert_uint_eq(test_n_messages(ir.ctx, "redefinition of symbol named 'a'"), 1);
  ck_assert_uint_eq(test_n_messages(ir.ctx, "see existing symbol definition here"), 1);
  ck_assert_uint_eq(test_n_messages(ir.ctx, "'test.func' op requires string attribute 'sym_name'"),
                    1);
  ck_assert_uint_eq(
      test_n_messages(ir.ctx, "'test.func' op symbol's parent must have the SymbolTable trait"), 1);
  ck_assert_uint_eq(test_n_messages(ir.ctx,
                                    "'test.func' op visibility expected to be one of [\"public\", "
                                    "\"private\", \"nested\"], but got \"secret\""),
                    1);
  ck_assert_uint_eq(echo_context_n_errors(ir.ctx), 4);
  test_ir_destroy(&ir);
}
END_TEST

/* ---- dominance ---- */

/* test.module is a graph region; order counts inside this. */
static EchoBlock *ordered_body(TestIr *ir, const char *op)
{
  return echo_op_body(test_with_regions(ir, ir->body, op, 0, 1), 0);
}

START_TEST(use_before_definition)
{
  TestIr ir = test_ir_create();
  EchoBlock *body = ordered_body(&ir, "test.region");
  EchoOp *use = test_use(&ir, body, NULL, 0);
  echo_op_append_operand(use, test_const(&ir, body, 1));
  test_return(&ir, body, NULL, 0);
  expect(&ir, "operand #0 does not dominate this use");
  ck_assert_uint_eq(test_n_messages(ir.ctx, "operand defined here (op in the same block)"), 1);
  test_ir_destroy(&ir);

  ir = test_ir_create(); /* in a graph region it may */
  use = test_use(&ir, ir.body, NULL, 0);
  echo_op_append_operand(use, test_const(&ir, ir.body, 1));
  ck_assert(echo_verify(ir.module));
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(use_out_of_reach)
{
  TestIr ir = test_ir_create();
  EchoBlock *body = ordered_body(&ir, "test.region");
  EchoOp *inner = test_with_regions(&ir, body, "test.region", 0, 2);
  EchoValue *inside = test_const(&ir, inner->regions[0].first, 1);
  EchoValue *arg = echo_block_add_arg(ir.ctx, inner->regions[0].first, ir.i32, echo_loc_unknown());
  test_return(&ir, inner->regions[0].first, NULL, 0);
  test_return(&ir, inner->regions[1].first, &inside, 1);
  test_use(&ir, body, (EchoValue *[]){inside, arg}, 2);
  test_return(&ir, body, NULL, 0);
  ck_assert(!echo_verify(ir.module));
  ck_assert_uint_eq(echo_context_n_errors(ir.ctx), 3);
  ck_assert_uint_eq(
      test_n_messages(ir.ctx,
                      "operand defined here (op is neither in a parent nor in a child region)"),
      1);
  ck_assert_uint_eq(test_n_messages(ir.ctx, "operand defined here (op in a child region)"), 1);
  ck_assert_uint_eq(
      test_n_messages(ir.ctx, "operand defined as a block argument (block #0 in a child region)"),
      1);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(own_results_inside)
{
  TestIr ir = test_ir_create();
  EchoBlock *body = ordered_body(&ir, "test.region");
  EchoOp *inner = test_with_regions(&ir, body, "test.region", 1, 1);
  test_return(&ir, echo_op_body(inner, 0), (EchoValue *[]){echo_op_result(inner, 0)}, 1);
  test_return(&ir, body, NULL, 0);
  expect(&ir, "operand #0 does not dominate this use");
  ck_assert_uint_eq(test_n_messages(ir.ctx, "operand defined here (op in a parent region)"), 1);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(isolation)
{
  TestIr ir = test_ir_create();
  EchoValue *outside = test_const(&ir, ir.body, 1);
  EchoBlock *body = ordered_body(&ir, "test.isolated");
  EchoOp *inner = test_with_regions(&ir, body, "test.region", 0, 1);
  test_use(&ir, echo_op_body(inner, 0), &outside, 1);
  test_return(&ir, echo_op_body(inner, 0), NULL, 0);
  test_return(&ir, body, NULL, 0);
  expect(&ir, "'test.use' op using value defined outside the region");
  ck_assert_uint_eq(test_n_messages(ir.ctx, "required by region isolation constraints"), 1);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(between_blocks)
{
  TestIr ir = test_ir_create();
  EchoOp *holder = test_with_regions(&ir, ir.body, "test.region", 0, 1);
  EchoBlock *entry = echo_op_body(holder, 0), *left = echo_block_create(ir.ctx);
  EchoBlock *right = echo_block_create(ir.ctx), *unreachable = echo_block_create(ir.ctx);
  echo_region_append(&holder->regions[0], left);
  echo_region_append(&holder->regions[0], right);
  echo_region_append(&holder->regions[0], unreachable);
  EchoValue *good = test_const(&ir, entry, 1);
  test_branch(&ir, entry, (EchoBlock *[]){left, right}, 2);
  EchoValue *bad = test_const(&ir, left, 1);
  EchoValue *arg = echo_block_add_arg(ir.ctx, left, ir.i32, echo_loc_unknown());
  test_return(&ir, left, &good, 1);
  test_use(&ir, right, (EchoValue *[]){good, bad, arg}, 3);
  test_return(&ir, right, NULL, 0);
  test_return(&ir, unreachable, &bad, 1);
  ck_assert(!echo_verify(ir.module));
  ck_assert_uint_eq(echo_context_n_errors(ir.ctx), 2);
  ck_assert_uint_eq(test_n_messages(ir.ctx, "operand #1 does not dominate this use"), 1);
  ck_assert_uint_eq(test_n_messages(ir.ctx, "operand defined here (op in the same region)"), 1);
  ck_assert_uint_eq(test_n_messages(ir.ctx, "operand #2 does not dominate this use"), 1);
  ck_assert_uint_eq(
      test_n_messages(ir.ctx, "operand defined as a block argument (block #1 in the same region)"),
      1);
  test_ir_destroy(&ir);
}
END_TEST

/* A root that is nested itself: its ops see what stands around it, but for an isolated one. */
START_TEST(nested_roots)
{
  TestIr ir = test_ir_create();
  EchoBlock *body = ordered_body(&ir, "test.region");
  EchoValue *value = test_const(&ir, body, 1);
  EchoOp *inner = test_with_regions(&ir, body, "test.region", 0, 1);
  EchoOp *isolated = test_with_regions(&ir, body, "test.isolated", 0, 1);
  test_return(&ir, echo_op_body(inner, 0), &value, 1);
  test_return(&ir, echo_op_body(isolated, 0), &value, 1);
  EchoValue *late = test_const(&ir, body, 1);
  test_return(&ir, body, NULL, 0);
  ck_assert(echo_verify(inner));
  ck_assert(!echo_verify(isolated));
  ck_assert_uint_eq(
      test_n_messages(ir.ctx, "'test.return' op using value defined outside the region"), 1);
  echo_op_append_operand(echo_op_body(inner, 0)->last, late);
  ck_assert(!echo_verify(inner));
  ck_assert_uint_eq(test_n_messages(ir.ctx, "operand #1 does not dominate this use"), 1);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(deep_nesting)
{
  TestIr ir = test_ir_create();
  EchoBlock *block = ir.body;
  EchoValue *top = test_const(&ir, block, 1), *value = top;
  for (int i = 0; i < 10000; ++i) {
    EchoBlock *inner = echo_op_body(test_with_regions(&ir, block, "test.region", 0, 1), 0);
    if (block != ir.body)
      test_return(&ir, block, NULL, 0);
    value = test_binary(&ir, inner, "test.add", value, top);
    block = inner;
  }
  test_return(&ir, block, &value, 1);
  ck_assert(echo_verify(ir.module));
  test_ir_destroy(&ir);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("verifier");
  TCase *rows = tcase_create("rows");
  tcase_add_test(rows, good_ir_holds);
  tcase_add_loop_test(rows, row_counts, 0, N_ROW_COUNTS);
  tcase_add_test(rows, operand_and_result_types);
  tcase_add_test(rows, same_type);
  tcase_add_test(rows, barrier_types);
  tcase_add_test(rows, attributes);
  tcase_add_loop_test(rows, segments, 0, N_SEGMENTS);
  tcase_add_test(rows, inferred_types);
  tcase_add_test(rows, hooks_wait_for_rows);
  suite_add_tcase(suite, rows);
  TCase *structure = tcase_create("structure");
  tcase_add_test(structure, terminators);
  tcase_add_test(structure, branches);
  tcase_add_test(structure, symbols);
  suite_add_tcase(suite, structure);
  TCase *dominance = tcase_create("dominance");
  tcase_set_timeout(dominance, 60);
  tcase_add_test(dominance, use_before_definition);
  tcase_add_test(dominance, use_out_of_reach);
  tcase_add_test(dominance, own_results_inside);
  tcase_add_test(dominance, isolation);
  tcase_add_test(dominance, between_blocks);
  tcase_add_test(dominance, nested_roots);
  tcase_add_test(dominance, deep_nesting);
  suite_add_tcase(suite, dominance);
  return echo_test_run(suite);
}
