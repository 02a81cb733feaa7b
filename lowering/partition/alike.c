/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Values that are to be cut alike (sdy.sharding_group, JAX's shard_alike): each becomes a
 * constraint that says nothing of its own, beside the others of its group in one block, and all of
 * those are had as one of them is. */
#include "base/map.h"
#include "base/vector.h"
#include "lowering/partition/shardings_t.h"

/* On such a constraint: the number of its group. The op itself stays up to here: it has no result,
 * so nothing drops a value that is there for its group alone. */
#define GROUP "echo.group"

static bool is_group(const EchoOp *op)
{
  return echo_op_is(op, "sdy.sharding_group");
}

/* What reads `value` behind `at` reads `instead`, which stands there. O(uses). */
static void replace_later_uses(EchoValue *value, const EchoOp *at, EchoValue *instead)
{
  ECHO_VECTOR(EchoUse *) later = {0};
  for (EchoUse *use = value->first_use; use != NULL; use = use->next) {
    EchoOp *reader = echo_op_ancestor_in_block(use->owner, at->block);
    if (reader != NULL && !is_group(reader) && echo_op_is_before(at, reader))
      echo_vector_push(&later, use);
  }
  for (size_t i = 0; i < later.size; i++)
    echo_use_set(later.data[i], instead);
  echo_vector_destroy(&later);
}

/* In place of `group`, in front of `at`. */
static void constrain(EchoOp *group, EchoOp *at)
{
  EchoContext *ctx = echo_op_context(group);
  EchoValue *value = echo_op_operand(group, 0);
  const EchoType *type = value->type;
  int64_t dims[ECHO_MAX_RANK];
  EchoBuffer text = {0};
  echo_buffer_append_c(&text, "sharding<@empty_mesh, [");
  for (size_t d = 0; d < echo_type_rank(type); d++) {
    dims[d] = (int64_t)d;
    echo_buffer_append_c(&text, d == 0 ? "{?}" : ", {?}");
  }
  echo_buffer_append_c(&text, "]>");
  const EchoAttrArg attrs[] = {
      {"sharding", echo_attr_opaque(ctx, ECHO_STR("sdy"), echo_buffer_str(&text), true)},
      {ECHO_READ_SHARDING, echo_attr_i64_array(ctx, NULL, 0)},
      {ECHO_OPEN_DIMS, echo_attr_i64_array(ctx, dims, echo_type_rank(type))},
      {GROUP, echo_op_attr_or_null(group, "group_id")}};
  EchoBuilder b = echo_builder_before(at);
  b.loc = group->loc;
  EchoOp *alike = echo_build_op(&b, "sdy.sharding_constraint", &value, 1, &type, 1, attrs,
                                sizeof attrs / sizeof *attrs);
  replace_later_uses(value, alike, echo_op_result(alike, 0));
  echo_buffer_destroy(&text);
}

void echo_groups_to_constraints(EchoOp *module)
{
  ECHO_VECTOR(EchoOp *) groups = {0};
  EchoMap last = {0}; /* group number -> the last op of it so far */
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    if (is_group(op)) {
      echo_vector_push(&groups, op);
      echo_map_set_ptr(&last, echo_op_attr_or_null(op, "group_id"), op);
    }
  for (size_t i = 0; i < groups.size; i++) {
    EchoOp *op = groups.data[i],
           *at = echo_map_get_ptr(&last, echo_op_attr_or_null(op, "group_id"));
    if (echo_type_has_static_shape(echo_op_operand_type(op, 0)))
      constrain(op, at->block == op->block ? at : op);
  }
  for (size_t i = 0; i < groups.size; i++)
    echo_op_erase(groups.data[i]);
  echo_map_destroy(&last);
  echo_vector_destroy(&groups);
}

static bool is_of_group(const EchoOp *op, const EchoOp *of)
{
  return op != NULL && echo_op_attr_or_null(op, GROUP) == echo_op_attr_or_null(of, GROUP) &&
         echo_op_result_type(op, 0) == echo_op_result_type(of, 0);
}

const EchoSplit *echo_alike(EchoSplits *splits, const EchoOp *constraint)
{
  const EchoType *type = echo_op_result_type(constraint, 0);
  const EchoSplit *all = NULL;
  if (!echo_op_has_attr(constraint, GROUP))
    return echo_split_of(splits, echo_op_operand(constraint, 0));
  if (is_of_group(constraint->prev, constraint))
    return echo_split_of(splits, echo_op_result(constraint->prev, 0));
  for (const EchoOp *op = constraint; is_of_group(op, constraint); op = op->next)
    all = echo_split_joined(
        splits, all, echo_split_without_sums(splits, echo_split_of(splits, echo_op_operand(op, 0))),
        type);
  return all;
}
