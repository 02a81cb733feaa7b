/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What changes the IR refuses what cannot be, says which argument it was, and has done nothing. */
#include <stdint.h>

#include "tests/unit/ir/test_dialect.h"
#include "tests/unit/suite.h"

static TestIr ir, other;
static EchoValue *x, *stranger; /* i32 of each context */
static EchoOp *use;             /* uses x, in the body */
static EchoOp *loose;           /* in no block */

static void set_up(void)
{
  ir = test_ir_create();
  other = test_ir_create();
  x = echo_block_add_arg(ir.ctx, ir.body, ir.i32, echo_loc_unknown());
  stranger = test_const(&other, other.body, 7);
  use = test_use(&ir, ir.body, &x, 1);
  loose = test_use(&ir, ir.body, &x, 1);
  ck_assert(echo_op_unlink(loose));
}

/* Each test leaves the body as it was. */
static void tear_down(void)
{
  ck_assert_ptr_eq(ir.body->first, use);
  ck_assert_ptr_eq(ir.body->last, use);
  ck_assert_uint_eq(ir.body->n_args, 1);
  ck_assert_uint_eq(use->n_operands, 1);
  ck_assert_ptr_eq(echo_op_operand(use, 0), x);
  ck_assert_ptr_eq(x->type, ir.i32);
  ck_assert_ptr_null(loose->block);
  ck_assert(echo_op_erase(loose));
  test_ir_destroy(&ir);
  test_ir_destroy(&other);
}

static void refused(bool answer, const char *message)
{
  ck_assert(!answer);
  size_t n = echo_context_n_diagnostics(ir.ctx);
  ck_assert_uint_ne(n, 0);
  ck_assert_str_eq(echo_context_diagnostic(ir.ctx, n - 1)->message, message);
}

START_TEST(operands)
{
  EchoValue *values[] = {x, NULL}, *strangers[] = {stranger};
  refused(echo_op_set_operand(use, 1, x), "'test.use' has 1 operands, 'index' is 1");
  refused(echo_op_set_operand(use, 0, NULL), "'test.use' is given an operand: 'value' is NULL");
  refused(echo_op_set_operand(use, 0, stranger),
          "'test.use' is given an operand: 'value' is of another context");
  refused(echo_op_append_operand(use, NULL), "'test.use' is given an operand: 'value' is NULL");
  refused(echo_op_append_operand(use, stranger),
          "'test.use' is given an operand: 'value' is of another context");
  refused(echo_op_set_operands(use, values, 2),
          "'test.use' is given operands: 'values[1]' is NULL");
  refused(echo_op_set_operands(use, strangers, 1),
          "'test.use' is given operands: 'values[0]' is of another context");
  refused(echo_op_set_operands(use, NULL, 2),
          "'test.use' is given operands: 'values' is NULL, 'n' is 2");
  refused(echo_op_set_operands(use, values, UINT32_MAX),
          "'test.use' is given operands: 'n' is 4294967295, more than an op can have");
  refused(echo_op_erase_operand(use, 7), "'test.use' has 1 operands, 'index' is 7");
  ck_assert(!echo_op_set_operand(NULL, 0, x) && !echo_op_append_operand(NULL, x) &&
            !echo_op_set_operands(NULL, &x, 1) && !echo_op_erase_operand(NULL, 0));
}
END_TEST

START_TEST(successors)
{
  EchoBlock *blocks[] = {ir.body};
  test_branch(&ir, ir.body, blocks, 1);
  EchoOp *branch = ir.body->last;
  refused(echo_op_set_successor(branch, 1, ir.body), "'test.br' has 1 successors, 'index' is 1");
  refused(echo_op_set_successor(branch, 0, NULL),
          "'test.br' is given a successor: 'block' is NULL");
  refused(echo_op_set_successor(branch, 0, other.body),
          "'test.br' is given a successor: 'block' is of another context");
  ck_assert(!echo_op_set_successor(NULL, 0, ir.body));
  ck_assert(echo_op_erase(branch));
}
END_TEST

START_TEST(values)
{
  refused(echo_value_set_type(x, NULL), "a value is given a type: 'type' is NULL");
  refused(echo_value_set_type(x, other.i32),
          "a value is given a type: 'type' is of another context");
  refused(echo_value_replace_all_uses(x, NULL), "a value is replaced: 'to' is NULL");
  refused(echo_value_replace_all_uses(x, x), "a value is replaced: 'to' is the value itself");
  refused(echo_value_replace_all_uses(x, stranger),
          "a value is replaced: 'to' is of another context");
  ck_assert(!echo_value_set_type(NULL, ir.i32) && !echo_value_replace_all_uses(NULL, x));
}
END_TEST

START_TEST(attributes)
{
  refused(echo_op_set_attr(use, NULL, NULL), "'test.use' is given an attribute: 'name' is NULL");
  refused(echo_op_set_attr(use, "a", echo_attr_unit(other.ctx)),
          "'test.use' is given 'a': 'value' is of another context");
  ck_assert(!echo_op_set_attr(NULL, "a", NULL));
}
END_TEST

START_TEST(places)
{
  refused(echo_op_insert_before(NULL, use), "an op is placed: 'op' is NULL");
  refused(echo_block_append(ir.body, NULL), "an op is placed: 'op' is NULL");
  refused(echo_op_insert_before(loose, NULL), "'test.use' is placed: 'before' is NULL");
  refused(echo_op_insert_after(loose, NULL), "'test.use' is placed: 'after' is NULL");
  refused(echo_block_append(NULL, loose), "'test.use' is placed: 'block' is NULL");
  refused(echo_block_prepend(NULL, loose), "'test.use' is placed: 'block' is NULL");
  refused(echo_op_insert_before(loose, loose), "'test.use' is placed: 'before' is in no block");
  refused(echo_op_insert_after(loose, loose), "'test.use' is placed: 'after' is in no block");
  refused(echo_op_move_before(use, loose), "'test.use' is placed: 'before' is in no block");
  refused(echo_op_insert_before(use, use), "'test.use' is placed: 'op' is in a block already");
  refused(echo_block_prepend(ir.body, use), "'test.use' is placed: 'op' is in a block already");
  refused(echo_block_append(other.body, loose),
          "'test.use' is placed: 'op' and its place are of two contexts");
  refused(echo_op_move_before(use, echo_value_def_or_null(stranger)),
          "'test.use' is placed: 'op' and its place are of two contexts");
  refused(echo_op_unlink(loose), "'test.use' is unlinked: 'op' is in no block");
  refused(echo_op_move_before(loose, use), "'test.use' is unlinked: 'op' is in no block");
  ck_assert(!echo_op_insert_before(NULL, NULL) && !echo_op_unlink(NULL));
}
END_TEST

START_TEST(no_op_inside_itself)
{
  EchoOp *outer = test_with_regions(&ir, ir.body, "test.region", 0, 1);
  EchoBlock *inside = outer->regions[0].first;
  EchoOp *leaf = test_use(&ir, inside, &x, 1);
  refused(echo_op_move_before(outer, leaf), "'test.region' is placed: its place lies inside 'op'");
  ck_assert(echo_op_unlink(outer));
  refused(echo_block_append(inside, outer), "'test.region' is placed: its place lies inside 'op'");
  ck_assert(echo_op_erase(outer));
}
END_TEST

START_TEST(used_results_stay)
{
  EchoValue *value = test_const(&ir, ir.body, 1);
  EchoOp *def = echo_value_def_or_null(value), *user = test_use(&ir, ir.body, &value, 1);
  refused(echo_op_erase(def), "'test.const' is erased: its result 0 is used");
  ck_assert_ptr_eq(def->block, ir.body);
  ck_assert(echo_op_erase(user) && echo_op_erase(def));
  ck_assert(!echo_op_erase(NULL));
}
END_TEST

START_TEST(block_arguments)
{
  EchoLoc loc = echo_loc_unknown();
  refused(echo_block_add_arg(ir.ctx, NULL, ir.i32, loc) != NULL,
          "a block argument is added: 'block' is NULL");
  refused(echo_block_add_arg(ir.ctx, ir.body, NULL, loc) != NULL,
          "a block argument is added: 'type' is NULL");
  refused(echo_block_add_arg(ir.ctx, ir.body, other.i32, loc) != NULL,
          "a block argument is added: 'type' is of another context");
  refused(echo_block_add_arg(ir.ctx, other.body, ir.i32, loc) != NULL,
          "a block argument is added: 'block' is of another context");
  refused(echo_block_erase_arg(ir.body, 1), "a block argument is erased: 'index' is 1 of 1");
  refused(echo_block_erase_arg(ir.body, 0),
          "a block argument is erased: 'index' is 0, which is used");
  ck_assert_ptr_null(echo_block_add_arg(NULL, ir.body, ir.i32, loc));
  ck_assert(!echo_block_erase_arg(NULL, 0));
}
END_TEST

START_TEST(blocks)
{
  EchoOp *outer = test_with_regions(&ir, ir.body, "test.region", 0, 1);
  EchoBlock *block = echo_block_create(ir.ctx), *foreign = echo_block_create(other.ctx);
  EchoRegion *region = &outer->regions[0];
  refused(echo_region_append(NULL, block), "a block is placed: 'region' is NULL");
  refused(echo_region_insert_before(region, block, NULL), "a block is placed: 'before' is NULL");
  refused(echo_region_insert_before(region, block, ir.body),
          "a block is placed: 'before' is not in 'region'");
  refused(echo_region_append(region, region->first),
          "a block is placed: 'block' is in a region already");
  ck_assert(!echo_region_append(region, foreign));
  ck_assert_str_eq(echo_context_diagnostic(other.ctx, 0)->message,
                   "a block is placed: 'block' is of another context");
  refused(echo_block_unlink(block), "a block is unlinked: 'block' is in no region");
  ck_assert(!echo_region_append(region, NULL) && !echo_block_unlink(NULL));
  echo_block_erase(block);
  echo_block_erase(foreign);
  ck_assert(echo_op_erase(outer));
}
END_TEST

START_TEST(uses)
{
  EchoUse *of_use = &use->operands[0];
  refused(echo_use_set(of_use, NULL), "'test.use' is given an operand: 'value' is NULL");
  refused(echo_use_set(of_use, stranger),
          "'test.use' is given an operand: 'value' is of another context");
  ck_assert(!echo_use_set(NULL, x) && echo_use_set(of_use, x));
}
END_TEST

/* What `state` lacks or has of another context, one at a time. */
START_TEST(new_ops)
{
  const EchoOpInfo *row = echo_context_op_info(ir.ctx, "test.use");
  const EchoOpState good = {.ctx = ir.ctx, .info = row, .operands = &x, .n_operands = 1};
  EchoBlock *strange_block = other.body, *no_block = NULL;
  const EchoAttr *unit = echo_attr_unit(ir.ctx),
                 *strange = echo_attr_dictionary(other.ctx, NULL, 0);
  echo_context_allow_unregistered(other.ctx, true);
  EchoOpState state = good;
  state.info = NULL;
  refused(echo_op_create(&state) != NULL, "an op is created: 'info' is NULL");
  state.info = echo_context_op_info_any(other.ctx, ECHO_STR("who.knows"));
  refused(echo_op_create(&state) != NULL,
          "'who.knows' is created: 'info' is not its context's row");
  state = good;
  state.operands = &stranger;
  refused(echo_op_create(&state) != NULL,
          "'test.use' is created: 'operands[0]', its 'in', is of another context");
  state = good;
  state.successors = &strange_block;
  state.n_successors = 1;
  refused(echo_op_create(&state) != NULL,
          "'test.use' is created: 'successors[0]' is of another context");
  state.successors = &no_block;
  refused(echo_op_create(&state) != NULL, "'test.use' is created: 'successors[0]' is NULL");
  state = good;
  state.properties = strange;
  refused(echo_op_create(&state) != NULL,
          "'test.use' is created: 'properties' is of another context");
  state.properties = unit;
  refused(echo_op_create(&state) != NULL, "'test.use' is created: 'properties' is no dictionary");
  state = good;
  state.attrs = strange;
  refused(echo_op_create(&state) != NULL, "'test.use' is created: 'attrs' is of another context");
  state = good;
  state.loc = echo_loc_from_attr(echo_attr_location_file(other.ctx, ECHO_STR("f"), 1, 2));
  refused(echo_op_create(&state) != NULL, "'test.use' is created: 'loc' is of another context");
  ck_assert_uint_eq(echo_context_diagnostic(ir.ctx, 0)->loc.bits, 0);
  state.loc = echo_loc_in_buffer(7, 3); /* there is none */
  refused(echo_op_create(&state) != NULL, "'test.use' is created: 'loc' is of another context");
  state = good;
  state.ctx = NULL;
  ck_assert(echo_op_create(&state) == NULL && echo_op_create(NULL) == NULL);
  EchoOp *op = echo_op_create(&good);
  ck_assert_ptr_nonnull(op);
  ck_assert(echo_op_erase(op));
}
END_TEST

START_TEST(locations)
{
  EchoLoc strange = echo_loc_from_attr(echo_attr_location_file(other.ctx, ECHO_STR("f"), 1, 2));
  EchoLoc nowhere = echo_loc_in_buffer(7, 3);
  EchoStr file;
  uint32_t line, column;
  refused(echo_block_add_arg(ir.ctx, ir.body, ir.i32, strange) != NULL,
          "a block argument is added: 'loc' is of another context");
  refused(echo_loc_attr(ir.ctx, strange) != NULL,
          "an attribute is made: 'loc' is of another context");
  refused(echo_loc_attr(ir.ctx, nowhere) != NULL,
          "an attribute is made: 'loc' is of another context");
  ck_assert(!echo_loc_resolve(ir.ctx, nowhere, &file, &line, &column));
  ck_assert_uint_eq(echo_loc_source_line(ir.ctx, nowhere).size, 0);
  echo_error(ir.ctx, nowhere, "somewhere");
  EchoBuffer text = {0};
  echo_diagnostic_format(
      ir.ctx, echo_context_diagnostic(ir.ctx, echo_context_n_diagnostics(ir.ctx) - 1), &text);
  ck_assert_str_eq(echo_buffer_c_str(&text), "<unknown>:0: error: somewhere\n");
  echo_buffer_destroy(&text);
}
END_TEST

START_TEST(splices)
{
  EchoOp *outer = test_with_regions(&ir, ir.body, "test.region", 0, 2);
  EchoBlock *inside = outer->regions[0].first;
  EchoOp *leaf = test_use(&ir, inside, NULL, 0);
  refused(echo_block_splice(NULL, use), "ops are spliced: 'block' is NULL");
  refused(echo_block_splice(inside, NULL), "ops are spliced: 'first' is NULL");
  refused(echo_block_splice(inside, loose), "ops are spliced: 'first' is in no block");
  refused(echo_block_splice(ir.body, use), "ops are spliced: 'first' is in 'block' already");
  refused(echo_block_splice(other.body, use), "ops are spliced: 'block' is of another context");
  refused(echo_block_splice(inside, use), "ops are spliced: 'block' lies inside of them");
  refused(echo_block_splice(inside, outer), "ops are spliced: 'block' lies inside of them");
  ck_assert(!echo_block_splice(NULL, NULL) && leaf->block == inside);
  ck_assert(echo_op_erase(outer));
}
END_TEST

START_TEST(taken_blocks)
{
  EchoOp *outer = test_with_regions(&ir, ir.body, "test.region", 0, 1);
  EchoRegion *region = &outer->regions[0];
  EchoOp *inner = test_with_regions(&ir, region->first, "test.region", 0, 1);
  EchoOp *far = test_with_regions(&other, other.body, "test.region", 0, 1);
  EchoRegion empty = {0};
  refused(echo_region_take_blocks(NULL, region), "blocks are taken: 'to' is NULL");
  refused(echo_region_take_blocks(region, NULL), "blocks are taken: 'from' is NULL");
  refused(echo_region_take_blocks(&far->regions[0], region),
          "blocks are taken: 'to' is of another context");
  refused(echo_region_take_blocks(&inner->regions[0], region),
          "blocks are taken: 'to' lies inside of them");
  ck_assert(!echo_region_take_blocks(NULL, NULL) && echo_region_take_blocks(region, region) &&
            echo_region_take_blocks(region, &empty));
  ck_assert(region->first == inner->block && region->first == region->last);
  ck_assert(echo_op_erase(outer));
}
END_TEST

/* A block and a region hold what is used elsewhere only in IR that does not verify. */
START_TEST(what_is_used_stays)
{
  EchoOp *outer = test_with_regions(&ir, ir.body, "test.region", 0, 1);
  EchoBlock *inside = outer->regions[0].first;
  EchoValue *value = test_const(&ir, inside, 1);
  EchoValue *arg = echo_block_add_arg(ir.ctx, inside, ir.i32, echo_loc_unknown());
  EchoOp *user = test_use(&ir, ir.body, &value, 1);
  refused(echo_block_erase(inside),
          "a block is erased: a result 0 of 'block' is used outside of it");
  refused(echo_op_erase(outer), "'test.region' is erased: a value inside of it is used outside");
  ck_assert(echo_op_set_operand(user, 0, arg));
  refused(echo_block_erase(inside),
          "a block is erased: an argument 0 of 'block' is used outside of it");
  refused(echo_op_erase(outer), "'test.region' is erased: a value inside of it is used outside");
  ck_assert(echo_op_erase(user));
  EchoBlock *target = echo_block_create(ir.ctx);
  ck_assert(echo_region_append(&outer->regions[0], target));
  test_branch(&ir, inside, &target, 1);
  refused(echo_block_erase(target), "a block is erased: 'block' is a successor");
  ck_assert(!echo_block_erase(NULL) && echo_op_erase(outer));
}
END_TEST

START_TEST(copies)
{
  EchoMap map = {0};
  echo_map_set_ptr(&map, x, stranger);
  refused(echo_op_clone(use, &map) != NULL,
          "'test.use' is copied: 'values' has one of another context");
  refused(echo_op_clone_without_regions(use, &map) != NULL,
          "'test.use' is copied: 'values' has one of another context");
  ck_assert(echo_op_clone(NULL, NULL) == NULL);
  echo_map_destroy(&map);
}
END_TEST

START_TEST(builders)
{
  EchoBuilder nowhere = echo_builder_before(NULL),
              strange = echo_builder_at_end(ir.ctx, other.body);
  ck_assert_ptr_null(echo_build_op(&nowhere, "test.use", NULL, 0, NULL, 0, NULL, 0));
  nowhere = echo_builder_after(NULL);
  ck_assert_ptr_null(echo_build_op(&nowhere, "test.use", NULL, 0, NULL, 0, NULL, 0));
  refused(echo_build_op(&strange, "test.use", NULL, 0, NULL, 0, NULL, 0) != NULL,
          "'test.use' is placed: 'op' and its place are of two contexts");
  ck_assert_ptr_null(echo_builder_insert(&strange, NULL));
  EchoBuilder b = echo_builder_at_end(ir.ctx, NULL);
  const EchoAttrArg mark = {"mark", echo_attr_unit(ir.ctx)}, twice[] = {mark, mark};
  refused(echo_build_op(&b, "test.use", NULL, 0, NULL, 0, twice, 2) != NULL,
          "'test.use' is built: 'attrs' name 'mark' twice");
  b.attrs = echo_attr_dictionary(other.ctx, NULL, 0);
  refused(echo_build_op(&b, "test.use", NULL, 0, NULL, 0, NULL, 0) != NULL,
          "'test.use' is created: 'attrs' is of another context");
  refused(echo_build_op(&b, "test.use", NULL, 0, NULL, 0, &mark, 1) != NULL,
          "'test.use' is created: 'attrs' is of another context");
  b.attrs = NULL;
  b.loc = echo_loc_from_attr(echo_attr_location_file(other.ctx, ECHO_STR("f"), 1, 2));
  refused(echo_build_op(&b, "test.use", NULL, 0, NULL, 0, NULL, 0) != NULL,
          "'test.use' is created: 'loc' is of another context");
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("doors");
  TCase *cases = tcase_create("doors");
  tcase_add_checked_fixture(cases, set_up, tear_down);
  tcase_add_test(cases, operands);
  tcase_add_test(cases, successors);
  tcase_add_test(cases, values);
  tcase_add_test(cases, attributes);
  tcase_add_test(cases, places);
  tcase_add_test(cases, no_op_inside_itself);
  tcase_add_test(cases, used_results_stay);
  tcase_add_test(cases, block_arguments);
  tcase_add_test(cases, blocks);
  tcase_add_test(cases, uses);
  tcase_add_test(cases, new_ops);
  tcase_add_test(cases, locations);
  tcase_add_test(cases, splices);
  tcase_add_test(cases, taken_blocks);
  tcase_add_test(cases, what_is_used_stays);
  tcase_add_test(cases, copies);
  tcase_add_test(cases, builders);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
