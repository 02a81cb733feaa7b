/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "planning/schedule/branch.h"

#include "base/map.h"

#include <string.h>

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

/* The value from outside that most regions hand on as result `index`, the first of them; NULL: none
 * does. */
static const EchoValue *most_handed_on_or_null(const EchoOp *op, uint32_t index)
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

void echo_branch_find_handed_on(const EchoOp *op, const EchoValue **handed_on)
{
  EchoMap taken = {0};
  for (uint32_t i = 0; i < op->n_results; ++i) {
    const EchoValue *value = most_handed_on_or_null(op, i);
    handed_on[i] = value != NULL && echo_map_insert(&taken, echo_key(value), 1) ? value : NULL;
  }
  echo_map_destroy(&taken);
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

/* Whether the region still reads the input when the group `maker` has written the result. */
static bool is_read_when_made(const EchoGraph *graph, const EchoFusion *fusion, uint32_t maker,
                              uint32_t input, uint32_t target)
{
  for (uint32_t g = maker; g < fusion->groups.size; ++g)
    if (group_reads(fusion, g, input) &&
        !(g == maker && is_made_over(graph, fusion, g, input, target)))
      return true;
  return false;
}

static uint32_t maker_or_none(const EchoFusion *fusion, uint32_t target)
{
  for (uint32_t g = 0; g < fusion->groups.size; ++g)
    for (uint32_t i = 0; i < fusion->groups.data[g].n_outputs; ++i)
      if (fusion->outputs.data[fusion->groups.data[g].first_output + i] == target)
        return g;
  return ECHO_NONE;
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

/* Which operand of the node is which input of a region; ECHO_NONE for those that it is not. */
static void find_operands(const EchoMap *operand_of, const EchoGraph *region, uint32_t *operands)
{
  for (uint32_t k = 0; k < region->n_inputs; ++k)
    operands[k] =
        (uint32_t)echo_map_get_or(operand_of, echo_key(region->values.data[k].value), ECHO_NONE);
}

/* What one region says of result `i`: takes[operand] of what it reads. Of what it does not read it
 * says nothing that those which make the result do not. */
static void add_region(const EchoGraph *region, const EchoFusion *fusion, const uint32_t *operands,
                       uint32_t i, uint8_t *takes)
{
  uint32_t target = echo_graph_operands(region, (uint32_t)region->nodes.size - 1)[i];
  uint32_t maker = maker_or_none(fusion, target);
  for (uint32_t k = 0; k < region->n_inputs; ++k)
    if (operands[k] != ECHO_NONE && maker != ECHO_NONE &&
        is_read_when_made(region, fusion, maker, k, target))
      takes[operands[k]] = ECHO_TAKES_NOTHING;
}

static bool any_makes(const EchoGraph *regions, const EchoFusion *fusions, size_t n, uint32_t i)
{
  for (size_t r = 0; r < n; ++r) {
    uint32_t end = (uint32_t)regions[r].nodes.size - 1;
    if (maker_or_none(&fusions[r], echo_graph_operands(&regions[r], end)[i]) != ECHO_NONE)
      return true;
  }
  return false;
}

/* What is handed on, and operands that are named twice. */
static void finish_takes(const EchoGraph *graph, uint32_t node, const EchoMap *operand_of,
                         uint32_t i, uint8_t *takes)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  uint64_t k;
  for (size_t r = 0; r < entry->op->n_regions; ++r)
    if (echo_map_get(operand_of, echo_key(echo_op_operand(end_of(entry->op, r), i)), &k))
      takes[k] = ECHO_TAKES_HANDED_ON;
  for (uint32_t other = 0; other < entry->n_operands; ++other) {
    const EchoValue *value = graph->values.data[echo_graph_operands(graph, node)[other]].value;
    takes[other] = takes[echo_map_get_or(operand_of, echo_key(value), other)];
  }
}

void echo_branch_find_takes(const EchoGraph *graph, uint32_t node, const EchoGraph *regions,
                            const EchoFusion *fusions, uint8_t *takes)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  size_t n_regions = entry->op->n_regions;
  EchoMap operand_of = {0};
  for (uint32_t k = 0; k < entry->n_operands; ++k)
    echo_map_insert(&operand_of,
                    echo_key(graph->values.data[echo_graph_operands(graph, node)[k]].value), k);
  for (uint32_t i = 0; i < entry->n_results; ++i)
    memset(&takes[i * entry->n_operands],
           any_makes(regions, fusions, n_regions, i) ? ECHO_TAKES_OVERWRITTEN : ECHO_TAKES_NOTHING,
           entry->n_operands);
  for (size_t r = 0; r < n_regions; ++r) {
    uint32_t *operands = echo_alloc_array(regions[r].n_inputs + 1u, sizeof *operands);
    find_operands(&operand_of, &regions[r], operands);
    for (uint32_t i = 0; i < entry->n_results; ++i)
      add_region(&regions[r], &fusions[r], operands, i, &takes[i * entry->n_operands]);
    echo_free(operands);
  }
  for (uint32_t i = 0; i < entry->n_results; ++i)
    finish_takes(graph, node, &operand_of, i, &takes[i * entry->n_operands]);
  echo_map_destroy(&operand_of);
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
