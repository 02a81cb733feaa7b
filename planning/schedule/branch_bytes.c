/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the regions of a branch hold, whichever of its results are written over what it reads: each
 * is placed once, with room of its own for every result. What stands in such a room before the
 * result does has to stand elsewhere as long as the operand is read that the result is written
 * over.
 */
#include "planning/schedule/storage.h"

#include "base/map.h"
#include "dialects/plan/plan.h"

/* One region, placed. */
typedef struct Placed {
  const EchoGraph *graph;
  const EchoFusion *fusion;
  const EchoBlockInterface *interface;
  EchoStorage storage;
  uint32_t *read_until; /* by buffer, as EchoBranchRegion has it by operand */
} Placed;

/* The result in whose room the value is; ECHO_NONE: it is in no result's. */
static uint32_t room_of(const Placed *placed, uint32_t value)
{
  uint32_t buffer = placed->storage.buffer_of_value[value];
  const EchoBufferRange *range = buffer != ECHO_NONE ? &placed->storage.buffers.data[buffer] : NULL;
  return range != NULL && range->kind == ECHO_BUFFER_OUTPUT ? range->number : ECHO_NONE;
}

/* ---- what is read how long ---- */

/* Whether all that the group writes into rooms of results may be written over what it reads of that
 * input's buffer. */
static bool is_written_over(const Placed *placed, uint32_t g, uint32_t input)
{
  const EchoFusionGroup *group = &placed->fusion->groups.data[g];
  if (group->kind != ECHO_GROUP_KERNEL)
    return false;
  for (uint32_t i = 0; i < group->n_outputs; ++i) {
    uint32_t value = placed->fusion->outputs.data[group->first_output + i];
    if (room_of(placed, value) != ECHO_NONE &&
        !echo_group_is_in_place(placed->graph, placed->fusion, g, input, value))
      return false;
  }
  return true;
}

static void find_reads(Placed *placed)
{
  const EchoFusion *fusion = placed->fusion;
  placed->read_until = echo_alloc_zero(placed->storage.buffers.size + 1, sizeof(uint32_t));
  for (uint32_t g = 0; g < fusion->groups.size; ++g) {
    const EchoFusionGroup *group = &fusion->groups.data[g];
    for (uint32_t i = 0; i < group->n_inputs; ++i) {
      uint32_t input = fusion->inputs.data[group->first_input + i];
      uint32_t buffer = placed->storage.buffer_of_value[input];
      uint32_t until = g + !is_written_over(placed, g, input);
      if (buffer != ECHO_NONE && placed->read_until[buffer] < until)
        placed->read_until[buffer] = until;
    }
  }
}

/* ---- with a result written over an operand ---- */

/* Places of one region more than with every result in a room of its own: beyond them what would not
 * fit in a room is counted in full, which is no less. */
#define MAX_PLACED 256

typedef struct Taker {
  const Placed *placed;
  const EchoGraph *graph;
  const EchoGraphNode *branch;
  const uint8_t *ways;
  const uint32_t *read_until; /* by operand */
  uint32_t *input_of;         /* by operand: of the region; ECHO_NONE */
  uint32_t *written;          /* steps that write into the room of result i, the result last: */
  uint32_t *first_written;    /* [first_written[i], first_written[i + 1]) */
  ECHO_VECTOR(EchoTakenProfile) taken;
  uint32_t n_placed;
  EchoArena *arena;
} Taker;

/* Counts what is written into each result's room, and where `next` is given, lists it from there.
 */
static void visit_written(const Placed *placed, uint32_t *next, uint32_t *written)
{
  const EchoFusion *fusion = placed->fusion;
  for (uint32_t g = 0; g < fusion->groups.size; ++g) {
    const EchoFusionGroup *group = &fusion->groups.data[g];
    for (uint32_t i = 0; i < group->n_outputs && group->kind != ECHO_GROUP_VIEW; ++i) {
      uint32_t room = room_of(placed, fusion->outputs.data[group->first_output + i]);
      if (room == ECHO_NONE)
        continue;
      if (written != NULL)
        written[next[room]] = g;
      ++next[room];
    }
  }
}

static void find_written(Taker *taker)
{
  uint32_t n_results = taker->branch->n_results, n = 0;
  uint32_t *next = echo_alloc_zero(n_results + 1u, sizeof *next);
  taker->first_written = echo_alloc_array(n_results + 1u, sizeof *next);
  visit_written(taker->placed, next, NULL);
  for (uint32_t i = 0; i < n_results; ++i) {
    taker->first_written[i] = n;
    n += next[i];
    next[i] = taker->first_written[i];
  }
  taker->first_written[n_results] = n;
  taker->written = echo_alloc_array(n + 1u, sizeof *next);
  visit_written(taker->placed, next, taker->written);
  echo_free(next);
}

static uint64_t *profile_of(const Placed *placed, const EchoStorage *storage, EchoArena *arena)
{
  uint64_t *live = echo_storage_profile(storage, placed->graph, placed->fusion);
  uint64_t *kept = echo_arena_copy(arena, live, placed->fusion->groups.size * sizeof *live);
  echo_free(live);
  return kept;
}

static const uint64_t *place_over(const Taker *taker, uint32_t result, uint32_t input)
{
  const Placed *placed = taker->placed;
  const EchoBlockInterface *own = placed->interface;
  uint32_t n_results = taker->branch->n_results;
  uint32_t *targets = echo_alloc_array(n_results + 1u, sizeof *targets);
  EchoBlockInterface over = {targets, own->is_donated, own->lends_results};
  EchoStorage storage = {0};
  memcpy(targets, own->result_targets, n_results * sizeof *targets);
  targets[result] = input;
  echo_storage_create(&storage, placed->graph, placed->fusion, &over, NULL);
  const uint64_t *live = profile_of(placed, &storage, taker->arena);
  echo_storage_destroy(&storage);
  echo_free(targets);
  return live;
}

/* All that was written into the room while the operand was read stands elsewhere up to where the
 * next one is written. */
static const uint64_t *bound_over(const Taker *taker, uint32_t result, uint32_t until)
{
  const EchoGraph *graph = taker->placed->graph;
  uint32_t end = (uint32_t)graph->nodes.size - 1;
  const uint32_t *first = taker->written + taker->first_written[result], *next = first;
  const uint32_t *last = taker->written + taker->first_written[result + 1] - 1;
  uint64_t bytes = graph->values.data[echo_graph_operands(graph, end)[result]].bytes;
  uint64_t *live = profile_of(taker->placed, &taker->placed->storage, taker->arena);
  while (next < last && *next < until)
    ++next;
  for (uint32_t g = *first; g <= *next; ++g)
    live[g] += echo_align_up(bytes, ECHO_PLAN_ALIGNMENT);
  return live;
}

static bool has_profile(const Taker *taker, uint32_t first, uint32_t until)
{
  for (size_t i = first; i < taker->taken.size; ++i)
    if (taker->taken.data[i].read_until == until)
      return true;
  return false;
}

/* Of the result, for all that it may be written over. */
static void add_profiles(Taker *taker, uint32_t result)
{
  const EchoGraph *graph = taker->graph;
  const EchoGraphNode *branch = taker->branch;
  uint32_t first = (uint32_t)taker->taken.size;
  uint64_t bytes = graph->values.data[branch->first_result + result].bytes;
  const uint32_t *first_written = &taker->first_written[result];
  if (first_written[1] - first_written[0] < 2)
    return;
  for (uint32_t k = 0; k < branch->n_operands; ++k) {
    uint32_t operand = graph->operands.data[branch->first_operand + k];
    uint32_t until = taker->read_until[k];
    if (taker->ways[result * branch->n_operands + k] != ECHO_TAKES_OVERWRITTEN ||
        taker->input_of[k] == ECHO_NONE || graph->values.data[operand].bytes != bytes ||
        taker->written[first_written[0]] >= until || has_profile(taker, first, until))
      continue;
    const uint64_t *live = taker->n_placed++ < MAX_PLACED
                               ? place_over(taker, result, taker->input_of[k])
                               : bound_over(taker, result, until);
    echo_vector_push(&taker->taken, (EchoTakenProfile){until, live});
  }
}

static void find_profiles(Taker *taker, EchoBranchRegion *region)
{
  uint32_t n_results = taker->branch->n_results;
  uint32_t *first = ECHO_ARENA_ARRAY(taker->arena, uint32_t, n_results + 1u);
  for (uint32_t i = 0; i < n_results; ++i) {
    first[i] = (uint32_t)taker->taken.size;
    add_profiles(taker, i);
  }
  first[n_results] = (uint32_t)taker->taken.size;
  region->first_taken = first;
  region->taken = taker->taken.size != 0
                      ? echo_arena_copy(taker->arena, taker->taken.data,
                                        taker->taken.size * sizeof *taker->taken.data)
                      : NULL;
}

/* Fills input_of and read_until. */
static void find_operands(Taker *taker, uint32_t *until)
{
  const Placed *placed = taker->placed;
  EchoMap input_of = {0}; /* by value */
  for (uint32_t k = 0; k < placed->graph->n_inputs; ++k)
    echo_map_set(&input_of, echo_key(placed->graph->values.data[k].value), k);
  for (uint32_t k = 0; k < taker->branch->n_operands; ++k) {
    uint32_t operand = taker->graph->operands.data[taker->branch->first_operand + k];
    uint32_t input = (uint32_t)echo_map_get_or(
        &input_of, echo_key(taker->graph->values.data[operand].value), ECHO_NONE);
    taker->input_of[k] = input;
    until[k] = input != ECHO_NONE ? placed->read_until[placed->storage.buffer_of_value[input]] : 0;
  }
  echo_map_destroy(&input_of);
}

static void find_region(const Placed *placed, const EchoGraph *graph, const EchoGraphNode *branch,
                        const uint8_t *ways, EchoBranchRegion *region, EchoArena *arena)
{
  uint32_t *until = ECHO_ARENA_ARRAY(arena, uint32_t, branch->n_operands + 1u);
  Taker taker = {.placed = placed,
                 .graph = graph,
                 .branch = branch,
                 .ways = ways,
                 .read_until = until,
                 .input_of = echo_alloc_array(branch->n_operands + 1u, sizeof(uint32_t)),
                 .arena = arena};
  find_operands(&taker, until);
  find_written(&taker);
  *region = (EchoBranchRegion){.n_steps = (uint32_t)placed->fusion->groups.size,
                               .live = profile_of(placed, &placed->storage, arena),
                               .read_until = until};
  find_profiles(&taker, region);
  echo_free(taker.input_of);
  echo_free(taker.written);
  echo_free(taker.first_written);
  echo_vector_destroy(&taker.taken);
}

void echo_branch_find_bytes(const EchoGraph *graph, uint32_t node, const EchoGraph *regions,
                            const EchoFusion *fusions, const EchoBlockInterface *interfaces,
                            EchoBranchTakes *takes, EchoArena *arena)
{
  const EchoGraphNode *branch = &graph->nodes.data[node];
  EchoBranchRegion *found = ECHO_ARENA_ARRAY(arena, EchoBranchRegion, branch->op->n_regions);
  for (uint32_t r = 0; r < branch->op->n_regions; ++r) {
    Placed placed = {.graph = &regions[r], .fusion = &fusions[r], .interface = &interfaces[r]};
    echo_storage_create(&placed.storage, &regions[r], &fusions[r], &interfaces[r], NULL);
    find_reads(&placed);
    find_region(&placed, graph, branch, takes->ways, &found[r], arena);
    echo_storage_destroy(&placed.storage);
    echo_free(placed.read_until);
  }
  takes->n_regions = branch->op->n_regions;
  takes->regions = found;
}

/* ---- what a region holds ---- */

static const uint64_t *profile_or_null(const EchoBranchRegion *region, uint32_t result,
                                       uint32_t operand)
{
  for (uint32_t i = region->first_taken[result];
       operand != ECHO_NONE && i < region->first_taken[result + 1]; ++i)
    if (region->taken[i].read_until == region->read_until[operand])
      return region->taken[i].live;
  return NULL;
}

uint64_t echo_branch_region_bytes(const EchoBranchRegion *region, uint32_t n_results,
                                  const uint32_t *over)
{
  uint32_t n_steps = region->n_steps;
  int64_t *live = echo_alloc_array(n_steps + 1u, sizeof *live), most = 0;
  for (uint32_t g = 0; g < n_steps; ++g)
    live[g] = (int64_t)region->live[g];
  for (uint32_t i = 0; i < n_results; ++i) {
    const uint64_t *other = profile_or_null(region, i, over[i]);
    for (uint32_t g = 0; g < n_steps && other != NULL; ++g)
      live[g] += (int64_t)other[g] - (int64_t)region->live[g];
  }
  for (uint32_t g = 0; g < n_steps; ++g)
    most = most < live[g] ? live[g] : most;
  echo_free(live);
  return (uint64_t)most;
}
