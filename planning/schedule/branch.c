/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "planning/schedule/branch.h"

#include "base/map.h"

static const EchoOp *end_of(const EchoOp *op, size_t region)
{
  return echo_op_body(op, region)->last;
}

static bool is_from_outside(const EchoOp *op, const EchoValue *value)
{
  const EchoOp *owner = echo_block_parent(echo_value_block(value));
  return owner == NULL || !echo_op_is_ancestor(op, owner);
}

static uint32_t count_handing_on(const EchoOp *op, uint32_t index, const EchoValue *value)
{
  uint32_t count = 0;
  for (size_t r = 0; r < op->n_regions; ++r)
    count += echo_op_operand(end_of(op, r), index) == value;
  return count;
}

const EchoValue *echo_branch_handed_on_or_null(const EchoOp *op, uint32_t index)
{
  const EchoValue *best = NULL;
  uint64_t most = 0;
  EchoMap counts = {0}; /* of values from outside: most regions hand on their own */
  for (size_t r = 0; r < op->n_regions; ++r) {
    const EchoValue *value = echo_op_operand(end_of(op, r), index);
    if (is_from_outside(op, value))
      echo_map_set(&counts, echo_key(value), echo_map_get_or(&counts, echo_key(value), 0) + 1);
  }
  for (size_t r = 0; r < op->n_regions; ++r) {
    const EchoValue *value = echo_op_operand(end_of(op, r), index);
    uint64_t count = echo_map_get_or(&counts, echo_key(value), 0);
    if (count > most) {
      best = value;
      most = count;
    }
  }
  echo_map_destroy(&counts);
  return best;
}

/* What a region does about a value and a result. */
typedef enum Story {
  STORY_NEITHER, /* it does not read the value, or has the result from elsewhere */
  STORY_MADE_OVER,
  STORY_READ /* when the result is written it still reads the value, as far as that is known */
} Story;

/* The only use inside of `region`, counted over all that it encloses; NULL when there are others.
 */
static const EchoUse *only_use_or_null(const EchoRegion *region, const EchoValue *value, size_t *n)
{
  const EchoUse *found = NULL;
  *n = 0;
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next)
    if (echo_op_ancestor_in_block(use->owner, region->first) != NULL) {
      found = use;
      ++*n;
    }
  return *n == 1 && found->owner->block == region->first ? found : NULL;
}

/* Whatever kernels come of the ops: the value is read once, by an op whose result is read once, and
 * so on to the one that makes the result, each in its place. */
static Story story_of_ops(const EchoRegion *region, const EchoValue *value, const EchoValue *target)
{
  const EchoOp *maker = echo_value_def_or_null(target);
  size_t n_uses;
  const EchoUse *use = only_use_or_null(region, value, &n_uses);
  if (n_uses == 0)
    return maker != NULL && maker->block == region->first ? STORY_MADE_OVER : STORY_NEITHER;
  while (use != NULL) {
    const EchoOp *reader = use->owner;
    uint32_t result = reader == maker ? target->index : 0;
    if ((reader != maker && reader->n_results != 1) ||
        !echo_op_is_in_place(reader, (uint32_t)echo_use_operand_index(use), result))
      return STORY_READ;
    if (reader == maker)
      return STORY_MADE_OVER;
    use = only_use_or_null(region, echo_op_result(reader, 0), &n_uses);
  }
  return STORY_READ;
}

static Story story_of_calls(const EchoRegion *region, const EchoValue *value,
                            const EchoValue *target, const EchoCalls *calls)
{
  EchoOp *maker = echo_value_def_or_null(target);
  if (maker == NULL || maker->block != region->first)
    return STORY_NEITHER;
  size_t n_in_maker = 0;
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next) {
    const EchoOp *reader = echo_op_ancestor_in_block(use->owner, region->first);
    if (reader == NULL || (reader != maker && echo_op_is_before(reader, maker)))
      continue;
    if (use->owner != maker || ++n_in_maker != 1 ||
        !calls->in_place(calls->user, maker, (uint32_t)echo_use_operand_index(use), target->index))
      return STORY_READ;
  }
  return STORY_MADE_OVER;
}

static bool group_reads(const EchoFusion *fusion, uint32_t g, uint32_t input)
{
  const EchoFusionGroup *group = &fusion->groups.data[g];
  for (uint32_t i = 0; i < group->n_inputs; ++i)
    if (fusion->inputs.data[group->first_input + i] == input)
      return true;
  return false;
}

static bool is_made_over(const EchoGraph *graph, const EchoFusion *fusion, uint32_t g,
                         uint32_t input, uint32_t target)
{
  EchoGroupKind kind = fusion->groups.data[g].kind;
  return kind == ECHO_GROUP_VIEW ||
         (kind == ECHO_GROUP_KERNEL && echo_group_is_in_place(graph, fusion, g, input, target));
}

/* What story_of_calls says of the calls that come of the groups; `input` is ECHO_NONE for what the
 * region does not read, an index. */
static Story story_of_groups(const EchoGraph *graph, const EchoFusion *fusion, uint32_t input,
                             uint32_t target)
{
  uint32_t maker = ECHO_NONE;
  for (uint32_t g = 0; g < fusion->groups.size && maker == ECHO_NONE; ++g)
    for (uint32_t i = 0; i < fusion->groups.data[g].n_outputs; ++i)
      if (fusion->outputs.data[fusion->groups.data[g].first_output + i] == target)
        maker = g;
  if (maker == ECHO_NONE)
    return STORY_NEITHER;
  for (uint32_t g = maker; g < fusion->groups.size; ++g)
    if (group_reads(fusion, g, input) &&
        !(g == maker && is_made_over(graph, fusion, g, input, target)))
      return STORY_READ;
  return STORY_MADE_OVER;
}

/* What the stories of the regions come to. */
typedef struct Outcome {
  bool is_read, is_made;
} Outcome;

static void add_story(Outcome *outcome, Story story)
{
  outcome->is_read |= story == STORY_READ;
  outcome->is_made |= story == STORY_MADE_OVER;
}

static EchoTakeOver take_over(Outcome outcome)
{
  return outcome.is_made && !outcome.is_read ? ECHO_TAKES_OVERWRITTEN : ECHO_TAKES_NOTHING;
}

void echo_branch_find_takes(const EchoGraph *graph, uint32_t node, const EchoGraph *regions,
                            const EchoFusion *fusions, uint8_t *takes)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  for (uint32_t i = 0; i < entry->n_results; ++i)
    for (uint32_t k = 0; k < entry->n_operands; ++k) {
      const EchoValue *value = graph->values.data[echo_graph_operands(graph, node)[k]].value;
      Outcome outcome = {false, false};
      for (size_t r = 0; r < entry->op->n_regions; ++r) {
        const EchoGraph *region = &regions[r];
        uint32_t input = echo_graph_input_or(region, value, ECHO_NONE);
        uint32_t end = (uint32_t)region->nodes.size - 1;
        add_story(&outcome,
                  story_of_groups(region, &fusions[r], input, echo_graph_operands(region, end)[i]));
      }
      bool is_handed_on = count_handing_on(entry->op, i, value) != 0;
      takes[i * entry->n_operands + k] =
          (uint8_t)(is_handed_on ? ECHO_TAKES_HANDED_ON : take_over(outcome));
    }
}

EchoTakeOver echo_branch_takes(const EchoOp *op, uint32_t index, const EchoValue *value,
                               const EchoCalls *calls)
{
  if (count_handing_on(op, index, value) != 0)
    return ECHO_TAKES_HANDED_ON;
  Outcome outcome = {false, false};
  for (size_t r = 0; r < op->n_regions && !outcome.is_read; ++r) {
    const EchoRegion *region = &op->regions[r];
    const EchoValue *target = echo_op_operand(end_of(op, r), index);
    add_story(&outcome, calls != NULL ? story_of_calls(region, value, target, calls)
                                      : story_of_ops(region, value, target));
  }
  return take_over(outcome);
}
