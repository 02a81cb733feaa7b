/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Storage of a block, in five steps: aliases through views, last reads, fixed destinations of
 * results, buffers in order of the groups, in place where they may be, and what results lend. */
#include "planning/schedule/storage.h"

#include "base/map.h"
#include "dialects/func/build.h"
#include "dialects/plan/plan.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/diagnostics.h"

typedef struct Placer {
  const EchoGraph *graph;
  const EchoFusion *fusion;
  const EchoBlockInterface *interface;
  const EchoCalls *calls;
  EchoStorage *storage;
  uint32_t *root; /* by value: the value whose bytes it shares */
  uint32_t *step; /* by value: the group that writes it; ECHO_NONE for inputs and inner values */
  uint32_t *last_read; /* by root; its own step when nobody reads it */
  bool
      *is_alone; /* by place in the fusion's inputs: no other input of its group shares its bytes */
  uint32_t *input_buffer;  /* by input */
  uint32_t *output_buffer; /* by result */
} Placer;

/* ---- aliases and lifetimes ---- */

static void find_roots(Placer *placer)
{
  const EchoGraph *graph = placer->graph;
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    placer->root[v] = v;
    placer->step[v] = ECHO_NONE;
    placer->last_read[v] = 0;
  }
  for (uint32_t g = 0; g < placer->fusion->groups.size; ++g) {
    const EchoFusionGroup *group = &placer->fusion->groups.data[g];
    for (uint32_t i = 0; i < group->n_outputs; ++i)
      placer->step[placer->fusion->outputs.data[group->first_output + i]] = g;
    const EchoGraphNode *node = &graph->nodes.data[group->root];
    bool is_loop = group->kind == ECHO_GROUP_CONTROL && echo_op_has_trait(node->op, ECHO_LOOP);
    if (group->kind != ECHO_GROUP_VIEW && !is_loop)
      continue;
    for (uint32_t i = 0; i < node->n_results; ++i)
      if (!is_loop || echo_loop_is_invariant(node->op, i))
        placer->root[node->first_result + i] =
            placer->root[echo_graph_operands(graph, group->root)[i]];
  }
}

static void find_last_reads(Placer *placer)
{
  for (uint32_t v = 0; v < placer->graph->values.size; ++v)
    if (placer->step[v] != ECHO_NONE && placer->last_read[placer->root[v]] < placer->step[v])
      placer->last_read[placer->root[v]] = placer->step[v];
  for (uint32_t g = 0; g < placer->fusion->groups.size; ++g) {
    const EchoFusionGroup *group = &placer->fusion->groups.data[g];
    for (uint32_t i = 0; i < group->n_inputs; ++i) {
      uint32_t root = placer->root[placer->fusion->inputs.data[group->first_input + i]];
      if (placer->last_read[root] < g)
        placer->last_read[root] = g;
    }
  }
}

/* Once for all groups: to ask each input about the others of its group costs their square. */
static void find_lone_inputs(Placer *placer)
{
  const EchoFusion *fusion = placer->fusion;
  size_t n_values = placer->graph->values.size;
  uint32_t *reader = echo_alloc_array(n_values + 1, sizeof(uint32_t)); /* by root: last group */
  uint32_t *read_at = echo_alloc_array(n_values + 1, sizeof(uint32_t));
  for (size_t v = 0; v < n_values; ++v)
    reader[v] = ECHO_NONE;
  for (uint32_t g = 0; g < fusion->groups.size; ++g) {
    const EchoFusionGroup *group = &fusion->groups.data[g];
    for (uint32_t at = group->first_input; at < group->first_input + group->n_inputs; ++at) {
      uint32_t root = placer->root[fusion->inputs.data[at]];
      placer->is_alone[at] = reader[root] != g;
      if (reader[root] == g)
        placer->is_alone[read_at[root]] = false;
      reader[root] = g;
      read_at[root] = at;
    }
  }
  echo_free(reader);
  echo_free(read_at);
}

/* ---- in place ---- */

static uint32_t count_operand(const EchoGraph *graph, uint32_t node, uint32_t value)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i)
    count += echo_graph_operands(graph, node)[i] == value;
  return count;
}

/* A loop's carried value may start in the buffer of its initial value, a branch's result take that
 * of what a region reads. */
static EchoTakeOver control_takes(const Placer *placer, uint32_t node, uint32_t input,
                                  uint32_t output)
{
  const EchoGraphNode *entry = &placer->graph->nodes.data[node];
  uint32_t index = output - entry->first_result;
  bool is_loop = echo_op_has_trait(entry->op, ECHO_LOOP);
  if (is_loop &&
      (index >= entry->op->n_operands || echo_graph_operands(placer->graph, node)[index] != input))
    return ECHO_TAKES_NOTHING;
  if (count_operand(placer->graph, node, input) != 1)
    return ECHO_TAKES_NOTHING;
  if (is_loop)
    return ECHO_TAKES_HANDED_ON;
  if (entry->takes == NULL)
    return echo_branch_takes(entry->op, index, placer->graph->values.data[input].value,
                             placer->calls);
  uint32_t position = 0;
  while (echo_graph_operands(placer->graph, node)[position] != input)
    ++position;
  return (EchoTakeOver)entry->takes->ways[index * entry->n_operands + position];
}

static bool call_is_in_place(const Placer *placer, uint32_t node, uint32_t input, uint32_t output)
{
  const EchoGraphNode *entry = &placer->graph->nodes.data[node];
  const uint32_t *operands = echo_graph_operands(placer->graph, node);
  uint32_t position = 0;
  if (entry->kind != ECHO_NODE_SINGLE || count_operand(placer->graph, node, input) != 1)
    return false;
  while (operands[position] != input)
    ++position;
  return placer->calls->in_place(placer->calls->user, entry->op, position,
                                 output - entry->first_result);
}

static EchoTakeOver takes_over(const Placer *placer, uint32_t g, uint32_t input, uint32_t output)
{
  const EchoFusionGroup *group = &placer->fusion->groups.data[g];
  if (group->kind == ECHO_GROUP_CONTROL)
    return control_takes(placer, group->root, input, output);
  bool is_in_place = placer->calls != NULL
                         ? call_is_in_place(placer, group->root, input, output)
                         : echo_group_is_in_place(placer->graph, placer->fusion, g, input, output);
  return is_in_place ? ECHO_TAKES_OVERWRITTEN : ECHO_TAKES_NOTHING;
}

/* ---- results ---- */

static uint32_t add_buffer(Placer *placer, EchoBufferKind kind, uint32_t number, uint64_t bytes,
                           uint32_t step)
{
  EchoBufferRange range = {kind, number, bytes, step, step, false, 0};
  echo_vector_push(&placer->storage->buffers, range);
  return (uint32_t)placer->storage->buffers.size - 1;
}

static bool is_computed(const Placer *placer, uint32_t value)
{
  return placer->step[value] != ECHO_NONE &&
         placer->fusion->groups.data[placer->step[value]].kind != ECHO_GROUP_BLOB;
}

/* Whether `value` of group g may be written over all that the group reads of root's bytes, at least
 * once and under whatever names. A region hands on one of them only. */
static bool may_write_over(const Placer *placer, uint32_t g, uint32_t root, uint32_t value)
{
  const EchoFusionGroup *group = &placer->fusion->groups.data[g];
  uint32_t n = 0;
  for (uint32_t i = 0; i < group->n_inputs; ++i) {
    uint32_t input = placer->fusion->inputs.data[group->first_input + i];
    if (placer->root[input] != root)
      continue;
    if (takes_over(placer, g, input, value) == ECHO_TAKES_NOTHING)
      return false;
    ++n;
  }
  return n == 1 || (n > 1 && group->kind == ECHO_GROUP_KERNEL);
}

/* Whether the value may be written straight into the storage of `input`: all readers of what stands
 * there are done. */
static bool may_take_input(const Placer *placer, uint32_t value, uint32_t input)
{
  uint32_t step = placer->step[value];
  bool is_read = placer->graph->values.data[input].n_uses != 0;
  if (placer->storage->buffer_of_value[input] != placer->input_buffer[input])
    return false;
  if (!is_read || placer->last_read[input] < step)
    return true;
  if (placer->last_read[input] > step)
    return false;
  return may_write_over(placer, step, input, value);
}

/* The computed value that dies in group g and that `value` may be written over; ECHO_NONE without
 * one. `target` is the input in whose storage that is, or ECHO_TO_OUTPUT. */
static uint32_t find_source(const Placer *placer, uint32_t g, uint32_t value, uint32_t target)
{
  const EchoGraph *graph = placer->graph;
  const EchoFusionGroup *group = &placer->fusion->groups.data[g];
  uint32_t found = ECHO_NONE;
  EchoTakeOver best = ECHO_TAKES_NOTHING;
  for (uint32_t i = 0; i < group->n_inputs; ++i) {
    uint32_t at = group->first_input + i;
    uint32_t input = placer->fusion->inputs.data[at];
    uint32_t root = placer->root[input];
    if (!is_computed(placer, root) || placer->storage->buffer_of_value[root] != ECHO_NONE ||
        placer->last_read[root] != g ||
        graph->values.data[root].bytes != graph->values.data[value].bytes ||
        !placer->is_alone[at] ||
        (target != ECHO_TO_OUTPUT && !may_take_input(placer, root, target)))
      continue;
    EchoTakeOver way = takes_over(placer, g, input, value);
    if (way <= best)
      continue;
    best = way;
    found = root;
  }
  return found;
}

/* The space of a result is free until it is written: what it is written over stands there already,
 * and so on back. So a loop starts in the buffers of its results, and gradients that wait for their
 * norm do so where the new parameters go. */
static void place_sources(Placer *placer, uint32_t value, uint32_t target)
{
  uint32_t buffer = placer->storage->buffer_of_value[value];
  while (value != ECHO_NONE) {
    placer->storage->buffer_of_value[value] = buffer;
    value = find_source(placer, placer->step[value], value, target);
  }
}

static void place_result(Placer *placer, uint32_t index, uint32_t value, bool *is_taken)
{
  uint32_t target = placer->interface->result_targets[index];
  uint32_t root = placer->root[value];
  uint32_t *buffer = &placer->storage->buffer_of_value[root];
  bool is_free = is_computed(placer, root) && *buffer == ECHO_NONE;
  if (target == ECHO_TO_ARENA)
    return;
  if (target == ECHO_TO_OUTPUT) {
    uint32_t output =
        add_buffer(placer, ECHO_BUFFER_OUTPUT, index, placer->graph->values.data[value].bytes, 0);
    placer->output_buffer[index] = output;
    if (!is_free)
      return;
    *buffer = output;
  } else {
    if (!is_free || is_taken[target] || !may_take_input(placer, root, target))
      return;
    *buffer = placer->input_buffer[target];
    is_taken[target] = true;
  }
  place_sources(placer, root, target);
}

static uint32_t target_buffer(const Placer *placer, uint32_t index)
{
  uint32_t target = placer->interface->result_targets[index];
  return target == ECHO_TO_OUTPUT ? placer->output_buffer[index] : placer->input_buffer[target];
}

/* Results that are not yet where they must be. A buffer is copied to once nobody reads what it held
 * any more; where all that is left waits in circles, one of each circle steps aside into the arena.
 */
typedef struct Moves {
  Placer *placer;
  uint32_t end_step;
  size_t n_known;                     /* buffers before any was added for the moves */
  ECHO_VECTOR(EchoFinalCopy) pending; /* the destinations are distinct */
  uint32_t *n_reads;                  /* by buffer: copies pending from it */
  uint32_t *move_to;                  /* by buffer: pending copy into it; ECHO_NONE = none */
  ECHO_VECTOR(uint32_t) ready;
  ECHO_VECTOR(uint32_t) spare; /* where something stepped aside before */
} Moves;

static void collect_moves(Moves *moves)
{
  const Placer *placer = moves->placer;
  const EchoStorage *storage = placer->storage;
  const EchoGraph *graph = placer->graph;
  uint32_t end = placer->fusion->groups.data[moves->end_step].root;
  moves->n_reads = echo_alloc_zero(storage->buffers.size + 1, sizeof(uint32_t));
  moves->move_to = echo_alloc_array(storage->buffers.size + 1, sizeof(uint32_t));
  for (size_t i = 0; i < storage->buffers.size; ++i)
    moves->move_to[i] = ECHO_NONE;
  for (uint32_t i = 0; i < graph->nodes.data[end].n_operands; ++i) {
    if (placer->interface->result_targets[i] == ECHO_TO_ARENA)
      continue;
    uint32_t value = echo_graph_operands(graph, end)[i];
    EchoFinalCopy move = {storage->buffer_of_value[placer->root[value]], target_buffer(placer, i)};
    if (move.from_buffer == move.to_buffer)
      continue;
    moves->move_to[move.to_buffer] = (uint32_t)moves->pending.size;
    ++moves->n_reads[move.from_buffer];
    echo_vector_push(&moves->pending, move);
  }
  for (uint32_t i = 0; i < moves->pending.size; ++i)
    if (moves->n_reads[moves->pending.data[i].to_buffer] == 0)
      echo_vector_push(&moves->ready, i);
}

static void read_once(Moves *moves, uint32_t buffer)
{
  if (buffer < moves->n_known && --moves->n_reads[buffer] == 0 &&
      moves->move_to[buffer] != ECHO_NONE)
    echo_vector_push(&moves->ready, moves->move_to[buffer]);
}

/* Carries out what can be, which lets other copies go. */
static void make_ready_moves(Moves *moves)
{
  for (size_t i = 0; i < moves->ready.size; ++i) {
    EchoFinalCopy move = moves->pending.data[moves->ready.data[i]];
    echo_vector_push(&moves->placer->storage->copies, move);
    moves->move_to[move.to_buffer] = ECHO_NONE;
    read_once(moves, move.from_buffer);
  }
  echo_vector_clear(&moves->ready);
}

static uint32_t spare_buffer(Moves *moves, uint64_t bytes)
{
  EchoStorage *storage = moves->placer->storage;
  for (size_t i = 0; i < moves->spare.size; ++i)
    if (storage->buffers.data[moves->spare.data[i]].bytes == bytes)
      return moves->spare.data[i];
  uint32_t buffer = add_buffer(moves->placer, ECHO_BUFFER_ARENA, ECHO_NONE, bytes, moves->end_step);
  echo_vector_push(&moves->spare, buffer);
  return buffer;
}

static void step_aside(Moves *moves, EchoFinalCopy *move)
{
  EchoStorage *storage = moves->placer->storage;
  uint32_t from = move->from_buffer;
  move->from_buffer = spare_buffer(moves, storage->buffers.data[from].bytes);
  echo_vector_push(&storage->copies, (EchoFinalCopy){from, move->from_buffer});
  read_once(moves, from);
}

static void add_final_copies(Placer *placer, uint32_t end_step)
{
  Moves moves = {.placer = placer, .end_step = end_step, .n_known = placer->storage->buffers.size};
  collect_moves(&moves);
  make_ready_moves(&moves);
  for (size_t i = 0; i < moves.pending.size; ++i) {
    if (moves.move_to[moves.pending.data[i].to_buffer] == ECHO_NONE)
      continue;
    step_aside(&moves, &moves.pending.data[i]);
    make_ready_moves(&moves);
  }
  echo_vector_destroy(&moves.pending);
  echo_vector_destroy(&moves.ready);
  echo_vector_destroy(&moves.spare);
  echo_free(moves.n_reads);
  echo_free(moves.move_to);
}

/* ---- buffers ---- */

/* A buffer that dies in this group and that `output` may take, in `way` or a better one; ECHO_NONE
 * without one. Of those that regions read, one that they begin to read late: what is read early is
 * left to the results that are written early. */
static uint32_t find_dying_buffer(const Placer *placer, uint32_t g, uint32_t output,
                                  EchoTakeOver way)
{
  const EchoFusionGroup *group = &placer->fusion->groups.data[g];
  const EchoStorage *storage = placer->storage;
  bool is_control = group->kind == ECHO_GROUP_CONTROL;
  for (uint32_t i = 0; i < group->n_inputs; ++i) {
    uint32_t at = group->first_input + (is_control ? group->n_inputs - 1 - i : i);
    uint32_t input = placer->fusion->inputs.data[at];
    uint32_t root = placer->root[input];
    uint32_t buffer = storage->buffer_of_value[root];
    if (buffer == ECHO_NONE || placer->last_read[root] != g)
      continue;
    const EchoBufferRange *range = &storage->buffers.data[buffer];
    bool is_donated = range->kind == ECHO_BUFFER_INPUT && placer->interface->is_donated != NULL &&
                      placer->interface->is_donated[range->number];
    if ((range->kind != ECHO_BUFFER_ARENA && !is_donated) || range->last_step > g ||
        range->bytes != placer->graph->values.data[output].bytes)
      continue;
    if (placer->is_alone[at] && takes_over(placer, g, input, output) >= way)
      return buffer;
  }
  return ECHO_NONE;
}

static void extend(EchoBufferRange *range, uint32_t first, uint32_t last)
{
  if (range->first_step > first)
    range->first_step = first;
  if (range->last_step < last)
    range->last_step = last;
}

/* Taken at once, so that no second output of this group takes it too. */
static void take(Placer *placer, uint32_t g, uint32_t value, uint32_t buffer)
{
  EchoBufferRange *range = &placer->storage->buffers.data[buffer];
  uint32_t last = placer->last_read[value];
  placer->storage->buffer_of_value[value] = buffer;
  extend(range, g, last > g ? last : g + 1);
  if (last <= g)
    range->last_step = g + 1;
}

static void place_output(Placer *placer, uint32_t g, uint32_t value)
{
  EchoStorage *storage = placer->storage;
  uint32_t buffer = storage->buffer_of_value[value];
  uint64_t bytes = placer->graph->values.data[value].bytes;
  if (buffer == ECHO_NONE)
    buffer = find_dying_buffer(placer, g, value, ECHO_TAKES_OVERWRITTEN);
  if (buffer == ECHO_NONE)
    buffer = add_buffer(placer, ECHO_BUFFER_ARENA, ECHO_NONE, bytes, g);
  take(placer, g, value, buffer);
}

/* What a region hands on stays where it is, before another result of it takes the place. */
static void place_handed_on(Placer *placer, uint32_t g)
{
  const EchoFusionGroup *group = &placer->fusion->groups.data[g];
  for (uint32_t i = 0; i < group->n_outputs; ++i) {
    uint32_t value = placer->fusion->outputs.data[group->first_output + i];
    if (placer->root[value] != value || placer->storage->buffer_of_value[value] != ECHO_NONE)
      continue;
    uint32_t buffer = find_dying_buffer(placer, g, value, ECHO_TAKES_HANDED_ON);
    if (buffer != ECHO_NONE)
      take(placer, g, value, buffer);
  }
}

static void place_groups(Placer *placer)
{
  EchoStorage *storage = placer->storage;
  for (uint32_t g = 0; g < placer->fusion->groups.size; ++g) {
    const EchoFusionGroup *group = &placer->fusion->groups.data[g];
    if (group->kind == ECHO_GROUP_CONTROL)
      place_handed_on(placer, g);
    for (uint32_t i = 0; i < group->n_outputs; ++i) {
      uint32_t value = placer->fusion->outputs.data[group->first_output + i];
      if (placer->root[value] != value)
        continue;
      if (group->kind == ECHO_GROUP_BLOB)
        storage->buffer_of_value[value] = add_buffer(placer, ECHO_BUFFER_CONSTANT, value,
                                                     placer->graph->values.data[value].bytes, g);
      else
        place_output(placer, g, value);
    }
  }
}

/* Ranges from the values themselves, now that every buffer is known. */
static void measure_ranges(Placer *placer)
{
  EchoStorage *storage = placer->storage;
  const EchoGraph *graph = placer->graph;
  bool *is_first = echo_alloc_zero(storage->buffers.size + 1, sizeof(bool));
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    uint32_t root = placer->root[v];
    if (root != v)
      storage->buffer_of_value[v] = storage->buffer_of_value[root];
    uint32_t buffer = storage->buffer_of_value[v];
    if (root != v || buffer == ECHO_NONE || storage->buffers.data[buffer].kind != ECHO_BUFFER_ARENA)
      continue;
    EchoBufferRange *range = &storage->buffers.data[buffer];
    if (!is_first[buffer])
      range->first_step = range->last_step = placer->step[v];
    is_first[buffer] = true;
    extend(range, placer->step[v], placer->last_read[v]);
  }
  echo_free(is_first);
}

/* What a loop starts from and nobody reads any more is copied before it begins, unless its bodies
 * read it from outside or what it carries stands there. */
static void find_entered(Placer *placer)
{
  EchoStorage *storage = placer->storage;
  for (uint32_t g = 0; g < placer->fusion->groups.size; ++g) {
    const EchoFusionGroup *group = &placer->fusion->groups.data[g];
    const EchoGraphNode *node = &placer->graph->nodes.data[group->root];
    if (group->kind != ECHO_GROUP_CONTROL || !echo_op_has_trait(node->op, ECHO_LOOP))
      continue;
    const uint32_t *operands = echo_graph_operands(placer->graph, group->root);
    EchoMap stays = {0}; /* buffers */
    for (uint32_t i = 0; i < node->n_results; ++i)
      echo_map_set(&stays, storage->buffer_of_value[node->first_result + i], 1);
    for (uint32_t i = 0; i < node->n_operands; ++i)
      if (i >= node->op->n_operands || echo_loop_is_invariant(node->op, i))
        echo_map_set(&stays, storage->buffer_of_value[operands[i]], 1);
    for (uint32_t i = 0; i < node->op->n_operands; ++i) {
      uint32_t buffer = storage->buffer_of_value[operands[i]];
      if (buffer != ECHO_NONE && storage->buffers.data[buffer].last_step == g &&
          !echo_map_has(&stays, buffer))
        storage->buffers.data[buffer].is_only_entered = true;
    }
    echo_map_destroy(&stays);
  }
}

/* ---- inside of regions ---- */

/* Fills over[result]: the operand that the result is written over, which dies there; ECHO_NONE. */
static void find_written_over(const EchoStorage *storage, const EchoGraph *graph,
                              const EchoGraphNode *node, uint32_t *over)
{
  const uint32_t *operands = graph->operands.data + node->first_operand;
  EchoMap operand_of = {0}; /* by buffer */
  for (uint32_t k = 0; k < node->n_operands; ++k)
    echo_map_insert(&operand_of, storage->buffer_of_value[operands[k]], k);
  for (uint32_t i = 0; i < node->n_results; ++i) {
    over[i] = (uint32_t)echo_map_get_or(
        &operand_of, storage->buffer_of_value[node->first_result + i], ECHO_NONE);
    if (over[i] != ECHO_NONE &&
        node->takes->ways[i * node->n_operands + over[i]] != ECHO_TAKES_OVERWRITTEN)
      over[i] = ECHO_NONE;
  }
  echo_map_destroy(&operand_of);
}

/* What the regions of a branch hold beside inner_bytes, for its results are written over what they
 * read. */
static uint64_t more_bytes(const EchoGraphNode *node, const uint32_t *over)
{
  uint64_t most = node->inner_bytes;
  for (uint32_t r = 0; r < node->takes->n_regions; ++r) {
    uint64_t bytes = echo_branch_region_bytes(&node->takes->regions[r], node->n_results, over);
    most = most < bytes ? bytes : most;
  }
  return most - node->inner_bytes;
}

static void find_more_bytes(Placer *placer)
{
  EchoStorage *storage = placer->storage;
  const EchoGraph *graph = placer->graph;
  for (uint32_t g = 0; g < placer->fusion->groups.size; ++g) {
    const EchoFusionGroup *group = &placer->fusion->groups.data[g];
    const EchoGraphNode *node = &graph->nodes.data[group->root];
    if (group->kind != ECHO_GROUP_CONTROL || node->takes == NULL)
      continue;
    uint32_t *over = echo_alloc_array(node->n_results + 1u, sizeof *over);
    find_written_over(storage, graph, node, over);
    uint64_t bytes = more_bytes(node, over);
    if (bytes != 0)
      echo_vector_push(&storage->more, (EchoStepBytes){g, bytes});
    echo_free(over);
  }
}

uint64_t echo_storage_inner_bytes(const EchoStorage *storage, const EchoGraph *graph,
                                  const EchoFusion *fusion, uint32_t step)
{
  const EchoFusionGroup *group = &fusion->groups.data[step];
  uint64_t bytes =
      group->kind == ECHO_GROUP_CONTROL ? graph->nodes.data[group->root].inner_bytes : 0;
  for (size_t i = 0; i < storage->more.size; ++i)
    bytes += storage->more.data[i].step == step ? storage->more.data[i].bytes : 0;
  return bytes;
}

uint64_t *echo_storage_entered_bytes(const EchoStorage *storage, size_t n_steps)
{
  uint64_t *entered = echo_alloc_zero(n_steps + 1, sizeof(uint64_t));
  for (size_t i = 0; i < storage->buffers.size; ++i) {
    const EchoBufferRange *range = &storage->buffers.data[i];
    if (range->kind == ECHO_BUFFER_ARENA && range->is_only_entered)
      entered[range->last_step] += echo_align_up(range->bytes, ECHO_PLAN_ALIGNMENT);
  }
  return entered;
}

uint64_t *echo_storage_profile(const EchoStorage *storage, const EchoGraph *graph,
                               const EchoFusion *fusion)
{
  size_t n_steps = fusion->groups.size;
  uint64_t *live = echo_alloc_zero(n_steps + 2, sizeof(uint64_t));
  for (size_t i = 0; i < storage->buffers.size; ++i) {
    const EchoBufferRange *range = &storage->buffers.data[i];
    uint64_t bytes = echo_align_up(range->bytes, ECHO_PLAN_ALIGNMENT);
    if (range->kind != ECHO_BUFFER_ARENA)
      continue;
    live[range->first_step] += bytes;
    live[range->last_step + 1] -= bytes; /* wraps, and wraps back in the sum */
  }
  for (size_t g = 1; g < n_steps; ++g)
    live[g] += live[g - 1];
  uint64_t *entered = echo_storage_entered_bytes(storage, n_steps);
  for (uint32_t g = 0; g < n_steps; ++g) {
    uint64_t inner_bytes = echo_storage_inner_bytes(storage, graph, fusion, g);
    live[g] += inner_bytes > entered[g] ? inner_bytes - entered[g] : 0;
  }
  echo_free(entered);
  return live;
}

void echo_storage_create(EchoStorage *storage, const EchoGraph *graph, const EchoFusion *fusion,
                         const EchoBlockInterface *interface, const EchoCalls *calls)
{
  size_t n_values = graph->values.size;
  echo_free(storage->buffer_of_value);
  echo_vector_clear(&storage->buffers);
  echo_vector_clear(&storage->copies);
  echo_vector_clear(&storage->more);
  storage->bound_bytes = storage->bound_step = 0;
  Placer placer = {
      .graph = graph, .fusion = fusion, .interface = interface, .calls = calls, .storage = storage};
  placer.root = echo_alloc_array(n_values + 1, sizeof(uint32_t));
  placer.step = echo_alloc_array(n_values + 1, sizeof(uint32_t));
  placer.last_read = echo_alloc_array(n_values + 1, sizeof(uint32_t));
  placer.input_buffer = echo_alloc_array(graph->n_inputs + 1u, sizeof(uint32_t));
  storage->buffer_of_value = echo_alloc_array(n_values + 1, sizeof(uint32_t));
  storage->n_values = n_values;
  for (size_t v = 0; v < n_values; ++v)
    storage->buffer_of_value[v] = ECHO_NONE;
  for (uint32_t i = 0; i < graph->n_inputs; ++i)
    storage->buffer_of_value[i] = placer.input_buffer[i] =
        add_buffer(&placer, ECHO_BUFFER_INPUT, i, graph->values.data[i].bytes, 0);
  find_roots(&placer);
  find_last_reads(&placer);
  placer.is_alone = echo_alloc_array(fusion->inputs.size + 1, sizeof(bool));
  find_lone_inputs(&placer);
  uint32_t end_step = (uint32_t)fusion->groups.size - 1;
  ECHO_CHECK(fusion->groups.size != 0 && fusion->groups.data[end_step].kind == ECHO_GROUP_RETURN,
             "a block to be placed ends in its results");
  uint32_t end = fusion->groups.data[end_step].root;
  placer.output_buffer = echo_alloc_array(graph->nodes.data[end].n_operands + 1u, sizeof(uint32_t));
  bool *is_taken = echo_alloc_zero(graph->n_inputs + 1u, sizeof(bool));
  for (uint32_t i = 0; i < graph->nodes.data[end].n_operands; ++i)
    place_result(&placer, i, echo_graph_operands(graph, end)[i], is_taken);
  place_groups(&placer);
  measure_ranges(&placer);
  find_entered(&placer);
  add_final_copies(&placer, end_step);
  find_more_bytes(&placer);
  if (interface->lends_results)
    echo_storage_lend_results(storage, fusion);
  uint64_t *live = echo_storage_profile(storage, graph, fusion);
  for (uint32_t g = 0; g < fusion->groups.size; ++g)
    if (live[g] > storage->bound_bytes) {
      storage->bound_bytes = live[g];
      storage->bound_step = g;
    }
  echo_free(live);
  echo_free(is_taken);
  echo_free(placer.root);
  echo_free(placer.step);
  echo_free(placer.last_read);
  echo_free(placer.is_alone);
  echo_free(placer.input_buffer);
  echo_free(placer.output_buffer);
}

void echo_storage_destroy(EchoStorage *storage)
{
  echo_free(storage->buffer_of_value);
  echo_vector_destroy(&storage->buffers);
  echo_vector_destroy(&storage->copies);
  echo_vector_destroy(&storage->more);
  *storage = (EchoStorage){0};
}

/* ---- functions ---- */

static bool take_alias(EchoFunctionInterface *owner, const EchoOp *function, const EchoGraph *graph,
                       uint32_t argument, int64_t result)
{
  const EchoGraphNode *end = &graph->nodes.data[graph->nodes.size - 1];
  if (result < 0 || result >= (int64_t)end->n_operands)
    return echo_op_error(function, "argument #%u aliases result #%lld, but there are %u results",
                         argument, (long long)result, end->n_operands);
  if (owner->targets[result] != ECHO_TO_OUTPUT)
    return echo_op_error(function, "arguments #%u and #%u alias the same result #%lld",
                         owner->targets[result], argument, (long long)result);
  uint32_t value = graph->operands.data[end->first_operand + (size_t)result];
  if (graph->values.data[value].bytes != graph->values.data[argument].bytes)
    return echo_op_error(function, "argument #%u aliases result #%lld of another size", argument,
                         (long long)result);
  owner->targets[result] = argument;
  return true;
}

bool echo_function_interface_create(EchoFunctionInterface *owner, const EchoOp *function,
                                    const EchoGraph *graph)
{
  const EchoGraphNode *end = &graph->nodes.data[graph->nodes.size - 1];
  owner->targets = echo_alloc_array(end->n_operands + 1u, sizeof(uint32_t));
  owner->donated = echo_alloc_zero(graph->n_inputs + 1u, sizeof(bool));
  owner->interface = (EchoBlockInterface){owner->targets, owner->donated, true};
  for (uint32_t i = 0; i < end->n_operands; ++i)
    owner->targets[i] = ECHO_TO_OUTPUT;
  bool is_fine = true;
  for (uint32_t i = 0; i < graph->n_arguments; ++i) {
    const EchoAttr *alias = echo_func_arg_attr_or_null(function, i, "tf.aliasing_output");
    const EchoAttr *donor = echo_func_arg_attr_or_null(function, i, "jax.buffer_donor");
    owner->donated[i] =
        donor != NULL && (donor->kind != ECHO_ATTR_INTEGER || donor->as.integer.value != 0);
    if (alias != NULL && alias->kind == ECHO_ATTR_INTEGER)
      is_fine &= take_alias(owner, function, graph, i, alias->as.integer.value);
  }
  for (uint32_t i = 0; i < end->n_operands; ++i)
    if (owner->targets[i] != ECHO_TO_OUTPUT)
      owner->donated[owner->targets[i]] = false; /* its storage is promised to that result */
  return is_fine;
}

void echo_function_interface_destroy(EchoFunctionInterface *owner)
{
  echo_free(owner->targets);
  echo_free(owner->donated);
}
