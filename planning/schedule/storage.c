/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Storage of a block, in four steps: aliases through views, last reads, fixed destinations of
 * results, then buffers in order of the groups, in place where they may be. */
#include "planning/schedule/storage.h"

#include "base/map.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/diagnostics.h"

typedef struct Placer {
  const EchoGraph *graph;
  const EchoFusion *fusion;
  const EchoBlockInterface *interface;
  const EchoStorageOptions *options;
  EchoStorage *storage;
  uint32_t *root; /* by value: the value whose bytes it shares */
  uint32_t *step; /* by value: the group that writes it; ECHO_NONE for inputs and inner values */
  uint32_t *last_read;     /* by root; its own step when nobody reads it */
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

/* ---- in place ---- */

static uint32_t count_operand(const EchoGraph *graph, uint32_t node, uint32_t value)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i)
    count += echo_graph_operands(graph, node)[i] == value;
  return count;
}

/* A loop's carried value may start in the buffer of its initial value. */
static bool loop_is_in_place(const EchoGraph *graph, uint32_t node, uint32_t input, uint32_t output)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  uint32_t index = output - entry->first_result;
  return echo_op_has_trait(entry->op, ECHO_LOOP) && index < entry->op->n_operands &&
         echo_graph_operands(graph, node)[index] == input && count_operand(graph, node, input) == 1;
}

static bool may_be_in_place(const Placer *placer, uint32_t g, uint32_t input, uint32_t output)
{
  const EchoFusionGroup *group = &placer->fusion->groups.data[g];
  if (group->kind == ECHO_GROUP_CONTROL)
    return loop_is_in_place(placer->graph, group->root, input, output);
  if (placer->options != NULL && placer->options->in_place != NULL)
    return placer->options->in_place(placer->options->user, g, input, output);
  return echo_group_is_in_place(placer->graph, placer->fusion, g, input, output);
}

/* The input of group g that shares `root`'s bytes, when it is the only one. */
static uint32_t only_alias_read(const Placer *placer, uint32_t g, uint32_t root)
{
  const EchoFusionGroup *group = &placer->fusion->groups.data[g];
  uint32_t found = ECHO_NONE;
  for (uint32_t i = 0; i < group->n_inputs; ++i) {
    uint32_t input = placer->fusion->inputs.data[group->first_input + i];
    if (placer->root[input] != root)
      continue;
    if (found != ECHO_NONE)
      return ECHO_NONE;
    found = input;
  }
  return found;
}

/* ---- results ---- */

static uint32_t add_buffer(Placer *placer, EchoBufferKind kind, uint32_t number, uint64_t bytes,
                           uint32_t step)
{
  EchoBufferRange range = {kind, number, bytes, step, step, false};
  echo_vector_push(&placer->storage->buffers, range);
  return (uint32_t)placer->storage->buffers.size - 1;
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
  uint32_t reading = only_alias_read(placer, step, input);
  return reading != ECHO_NONE && may_be_in_place(placer, step, reading, value);
}

static void place_result(Placer *placer, uint32_t index, uint32_t value, bool *is_taken)
{
  uint32_t target = placer->interface->result_targets[index];
  uint32_t root = placer->root[value];
  uint32_t *buffer = &placer->storage->buffer_of_value[root];
  bool is_computed = placer->step[root] != ECHO_NONE &&
                     placer->fusion->groups.data[placer->step[root]].kind != ECHO_GROUP_BLOB;
  if (target == ECHO_TO_ARENA)
    return;
  if (target == ECHO_TO_OUTPUT) {
    uint32_t output =
        add_buffer(placer, ECHO_BUFFER_OUTPUT, index, placer->graph->values.data[value].bytes, 0);
    placer->output_buffer[index] = output;
    if (is_computed && *buffer == ECHO_NONE)
      *buffer = output;
    return;
  }
  if (is_computed && *buffer == ECHO_NONE && !is_taken[target] &&
      may_take_input(placer, root, target)) {
    *buffer = placer->input_buffer[target];
    is_taken[target] = true;
  }
}

static uint32_t target_buffer(const Placer *placer, uint32_t index)
{
  uint32_t target = placer->interface->result_targets[index];
  return target == ECHO_TO_OUTPUT ? placer->output_buffer[index] : placer->input_buffer[target];
}

/* What is not where it must be is copied by the end; sources that a copy overwrites go through the
 * arena first. */
static void add_final_copies(Placer *placer, uint32_t end_step)
{
  const EchoGraph *graph = placer->graph;
  uint32_t end = placer->fusion->groups.data[end_step].root;
  ECHO_VECTOR(EchoFinalCopy) last = {0};
  uint32_t n_results = graph->nodes.data[end].n_operands;
  bool *is_overwritten = echo_alloc_zero(placer->storage->buffers.size + 1, sizeof(bool));
  size_t n_known = placer->storage->buffers.size;
  uint32_t *from = echo_alloc_array(n_results + 1, sizeof(uint32_t));
  uint32_t *to = echo_alloc_array(n_results + 1, sizeof(uint32_t));
  for (uint32_t i = 0; i < n_results; ++i) {
    from[i] = to[i] = ECHO_NONE;
    if (placer->interface->result_targets[i] == ECHO_TO_ARENA)
      continue;
    uint32_t value = echo_graph_operands(graph, end)[i];
    from[i] = placer->storage->buffer_of_value[placer->root[value]];
    to[i] = target_buffer(placer, i);
    if (from[i] != to[i])
      is_overwritten[to[i]] = true;
  }
  for (uint32_t i = 0; i < n_results; ++i) {
    if (from[i] == to[i])
      continue;
    uint32_t source = from[i];
    if (source < n_known && is_overwritten[source]) {
      source = add_buffer(placer, ECHO_BUFFER_ARENA, ECHO_NONE,
                          placer->storage->buffers.data[from[i]].bytes, end_step);
      echo_vector_push(&placer->storage->copies, (EchoFinalCopy){from[i], source});
    }
    echo_vector_push(&last, (EchoFinalCopy){source, to[i]});
  }
  for (size_t i = 0; i < last.size; ++i)
    echo_vector_push(&placer->storage->copies, last.data[i]);
  echo_vector_destroy(&last);
  echo_free(is_overwritten);
  echo_free(from);
  echo_free(to);
}

/* ---- buffers ---- */

/* A buffer that dies in this group and that `output` may take; ECHO_NONE without one. */
static uint32_t find_dying_buffer(const Placer *placer, uint32_t g, uint32_t output)
{
  const EchoFusionGroup *group = &placer->fusion->groups.data[g];
  const EchoStorage *storage = placer->storage;
  for (uint32_t i = 0; i < group->n_inputs; ++i) {
    uint32_t input = placer->fusion->inputs.data[group->first_input + i];
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
    if (only_alias_read(placer, g, root) == input && may_be_in_place(placer, g, input, output))
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

static void place_output(Placer *placer, uint32_t g, uint32_t value)
{
  EchoStorage *storage = placer->storage;
  uint32_t *buffer = &storage->buffer_of_value[value];
  uint64_t bytes = placer->graph->values.data[value].bytes;
  if (*buffer == ECHO_NONE)
    *buffer = find_dying_buffer(placer, g, value);
  if (*buffer == ECHO_NONE)
    *buffer = add_buffer(placer, ECHO_BUFFER_ARENA, ECHO_NONE, bytes, g);
  uint32_t last = placer->last_read[value];
  /* Taken at once, so that no second output of this group takes it too. */
  extend(&storage->buffers.data[*buffer], g, last > g ? last : g + 1);
  if (last <= g)
    storage->buffers.data[*buffer].last_step = g + 1;
}

static void place_groups(Placer *placer)
{
  EchoStorage *storage = placer->storage;
  for (uint32_t g = 0; g < placer->fusion->groups.size; ++g) {
    const EchoFusionGroup *group = &placer->fusion->groups.data[g];
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
  for (size_t g = 0; g < n_steps; ++g) {
    uint64_t inner_bytes = graph->nodes.data[fusion->groups.data[g].root].inner_bytes;
    if (fusion->groups.data[g].kind == ECHO_GROUP_CONTROL && inner_bytes > entered[g])
      live[g] += inner_bytes - entered[g];
  }
  echo_free(entered);
  return live;
}

void echo_storage_create(EchoStorage *storage, const EchoGraph *graph, const EchoFusion *fusion,
                         const EchoBlockInterface *interface, const EchoStorageOptions *options)
{
  *storage = (EchoStorage){0};
  size_t n_values = graph->values.size;
  Placer placer = {.graph = graph,
                   .fusion = fusion,
                   .interface = interface,
                   .options = options,
                   .storage = storage};
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
  echo_free(placer.input_buffer);
  echo_free(placer.output_buffer);
}

void echo_storage_destroy(EchoStorage *storage)
{
  echo_free(storage->buffer_of_value);
  echo_vector_destroy(&storage->buffers);
  echo_vector_destroy(&storage->copies);
  *storage = (EchoStorage){0};
}

/* ---- functions ---- */

static const EchoAttr *argument_attr_or_null(const EchoOp *function, uint32_t argument,
                                             const char *name)
{
  const EchoAttr *all = echo_op_attr_or_null(function, "arg_attrs");
  if (all == NULL || all->kind != ECHO_ATTR_ARRAY || argument >= all->as.array.size)
    return NULL;
  const EchoAttr *attrs = all->as.array.elements[argument];
  return attrs->kind == ECHO_ATTR_DICTIONARY ? echo_dictionary_get_or_null(attrs, name) : NULL;
}

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
  owner->interface = (EchoBlockInterface){owner->targets, owner->donated};
  for (uint32_t i = 0; i < end->n_operands; ++i)
    owner->targets[i] = ECHO_TO_OUTPUT;
  bool is_fine = true;
  for (uint32_t i = 0; i < graph->n_arguments; ++i) {
    const EchoAttr *alias = argument_attr_or_null(function, i, "tf.aliasing_output");
    const EchoAttr *donor = argument_attr_or_null(function, i, "jax.buffer_donor");
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
