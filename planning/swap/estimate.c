/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "planning/swap/estimate.h"

#include "planning/cost/runtime.h"

#define NO_BLOCK UINT32_MAX

typedef struct Reader {
  EchoSwapProgram *program;
  const EchoGraph *graph;
  const EchoEstimate *estimate;
  const EchoDeviceModel *device;
  uint32_t *block_of_buffer; /* NO_BLOCK: it stands where nothing moves it */
  int64_t now_ns;
} Reader;

uint64_t echo_swap_state_bytes(const EchoGraph *graph, const EchoBlockInterface *interface)
{
  const EchoGraphNode *end = &graph->nodes.data[graph->nodes.size - 1];
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < end->n_operands; ++i) { /* each target once */
    uint32_t input = interface->result_targets[i];
    if (input < graph->n_arguments && echo_swap_may_be_state(graph->values.data[input].bytes))
      bytes += graph->values.data[input].bytes;
  }
  return bytes;
}

/* By argument: whether a result takes its place, and it may wait in the host. */
static bool *find_state(const EchoGraph *graph, const EchoBlockInterface *interface)
{
  const EchoGraphNode *end = &graph->nodes.data[graph->nodes.size - 1];
  bool *is_state = echo_alloc_zero(graph->n_inputs + 1u, sizeof *is_state);
  for (uint32_t i = 0; i < end->n_operands; ++i) {
    uint32_t input = interface->result_targets[i];
    if (input < graph->n_arguments)
      is_state[input] = echo_swap_may_be_state(graph->values.data[input].bytes);
  }
  return is_state;
}

static void make_blocks(Reader *reader, const EchoBlockInterface *interface)
{
  const EchoStorage *storage = &reader->estimate->storage;
  bool *is_state = find_state(reader->graph, interface);
  for (uint32_t b = 0; b < storage->buffers.size; ++b) {
    const EchoBufferRange *buffer = &storage->buffers.data[b];
    bool waits = buffer->kind == ECHO_BUFFER_INPUT && is_state[buffer->number];
    reader->block_of_buffer[b] = NO_BLOCK;
    if (!waits && buffer->kind != ECHO_BUFFER_ARENA)
      continue;
    reader->block_of_buffer[b] = (uint32_t)reader->program->blocks.size;
    echo_vector_push(
        &reader->program->blocks,
        ((EchoSwapBlock){echo_align_up(buffer->bytes, ECHO_PLAN_ALIGNMENT), waits, b}));
  }
  echo_free(is_state);
}

static void add_access(Reader *reader, uint32_t buffer, bool writes)
{
  uint32_t step = (uint32_t)reader->program->inner_bytes.size;
  if (buffer != ECHO_NONE && reader->block_of_buffer[buffer] != NO_BLOCK)
    echo_vector_push(&reader->program->accesses,
                     ((EchoSwapAccess){step, reader->block_of_buffer[buffer], writes}));
}

static void end_step(Reader *reader, uint64_t inner_bytes, uint64_t ns)
{
  echo_vector_push(&reader->program->start_ns, reader->now_ns);
  echo_vector_push(&reader->program->inner_bytes, (int64_t)inner_bytes);
  reader->now_ns += (int64_t)ns;
}

static void add_copy(Reader *reader, uint32_t from, uint32_t to, uint64_t bytes)
{
  const EchoWork work = {.bytes = 2.0 * (double)bytes, .n_launches = 1};
  add_access(reader, from, false);
  add_access(reader, to, true);
  end_step(reader, 0, echo_device_model_time_ns(reader->device, &work));
}

/* What a loop carries begins where its initial value stands, or as a copy of it. */
static void enter_loop(Reader *reader, uint32_t root)
{
  const EchoGraphNode *node = &reader->graph->nodes.data[root];
  const uint32_t *operands = echo_graph_operands(reader->graph, root);
  const uint32_t *buffers = reader->estimate->storage.buffer_of_value;
  for (uint32_t i = 0; i < node->op->n_operands; ++i) {
    uint32_t from = buffers[operands[i]], to = buffers[node->first_result + i];
    if (!echo_loop_is_invariant(node->op, i) && from != to)
      add_copy(reader, from, to, reader->graph->values.data[operands[i]].bytes);
  }
}

static void add_control(Reader *reader, uint32_t g)
{
  const EchoFusionGroup *group = &reader->estimate->fusion.groups.data[g];
  const EchoGraphNode *node = &reader->graph->nodes.data[group->root];
  const uint32_t *operands = echo_graph_operands(reader->graph, group->root);
  const uint32_t *buffers = reader->estimate->storage.buffer_of_value;
  bool is_loop = echo_op_has_trait(node->op, ECHO_LOOP);
  if (is_loop)
    enter_loop(reader, group->root);
  for (uint32_t i = 0; i < node->n_operands; ++i)
    if (!is_loop || i >= node->op->n_operands || echo_loop_is_invariant(node->op, i))
      add_access(reader, buffers[operands[i]], false);
  for (uint32_t i = 0; i < node->n_results; ++i)
    add_access(reader, buffers[node->first_result + i],
               !is_loop || !echo_loop_is_invariant(node->op, i));
  end_step(reader,
           echo_storage_inner_bytes(&reader->estimate->storage, reader->graph,
                                    &reader->estimate->fusion, g),
           echo_group_ns(reader->graph, &reader->estimate->fusion, g, reader->device));
}

static void add_kernel(Reader *reader, uint32_t g)
{
  const EchoFusion *fusion = &reader->estimate->fusion;
  const EchoFusionGroup *group = &fusion->groups.data[g];
  const uint32_t *buffers = reader->estimate->storage.buffer_of_value;
  for (uint32_t i = 0; i < group->n_inputs; ++i)
    add_access(reader, buffers[fusion->inputs.data[group->first_input + i]], false);
  for (uint32_t i = 0; i < group->n_outputs; ++i)
    add_access(reader, buffers[fusion->outputs.data[group->first_output + i]], true);
  end_step(reader, 0, echo_group_ns(reader->graph, fusion, g, reader->device));
}

void echo_swap_program_create(EchoSwapProgram *program, const EchoGraph *graph,
                              const EchoBlockInterface *interface, const EchoEstimate *estimate,
                              const EchoDeviceModel *device)
{
  const EchoFusion *fusion = &estimate->fusion;
  const EchoStorage *storage = &estimate->storage;
  Reader reader = {.program = program,
                   .graph = graph,
                   .estimate = estimate,
                   .device = device,
                   .block_of_buffer =
                       echo_alloc_array(storage->buffers.size + 1, sizeof(uint32_t))};
  *program = (EchoSwapProgram){0};
  make_blocks(&reader, interface);
  for (uint32_t g = 0; g < fusion->groups.size; ++g) {
    EchoGroupKind kind = fusion->groups.data[g].kind;
    if (kind == ECHO_GROUP_CONTROL)
      add_control(&reader, g);
    else if (kind == ECHO_GROUP_KERNEL)
      add_kernel(&reader, g);
  }
  for (size_t i = 0; i < storage->copies.size; ++i)
    add_copy(&reader, storage->copies.data[i].from_buffer, storage->copies.data[i].to_buffer,
             storage->buffers.data[storage->copies.data[i].from_buffer].bytes);
  echo_vector_push(&program->start_ns, reader.now_ns);
  echo_swap_program_sort(program);
  echo_free(reader.block_of_buffer);
}
