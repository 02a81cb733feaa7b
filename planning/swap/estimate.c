/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "planning/swap/estimate.h"

#include "dialects/plan/plan.h"
#include "planning/cost/runtime.h"

static void add_accesses(EchoSwapProgram *program, const EchoStorage *storage,
                         const uint32_t *block_of_buffer, const uint32_t *values, uint32_t n,
                         uint32_t step)
{
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t buffer = storage->buffer_of_value[values[i]];
    if (buffer != ECHO_NONE && storage->buffers.data[buffer].kind == ECHO_BUFFER_ARENA)
      echo_vector_push(&program->accesses, (EchoSwapAccess){step, block_of_buffer[buffer]});
  }
}

/* Views, constants and the return do nothing to a buffer. */
static bool uses_buffers(const EchoFusionGroup *group)
{
  return group->kind != ECHO_GROUP_VIEW && group->kind != ECHO_GROUP_BLOB &&
         group->kind != ECHO_GROUP_RETURN;
}

void echo_swap_program_create(EchoSwapProgram *program, const EchoGraph *graph,
                              const EchoEstimate *estimate, const EchoDeviceModel *device)
{
  const EchoFusion *fusion = &estimate->fusion;
  const EchoStorage *storage = &estimate->storage;
  uint32_t *block_of_buffer = echo_alloc_array(storage->buffers.size + 1, sizeof(uint32_t));
  int64_t now_ns = 0;
  *program = (EchoSwapProgram){0};
  for (size_t b = 0; b < storage->buffers.size; ++b)
    if (storage->buffers.data[b].kind == ECHO_BUFFER_ARENA) {
      block_of_buffer[b] = (uint32_t)program->sizes.size;
      echo_vector_push(&program->sizes,
                       echo_align_up(storage->buffers.data[b].bytes, ECHO_PLAN_ALIGNMENT));
    }
  for (uint32_t g = 0; g < fusion->groups.size; ++g) {
    const EchoFusionGroup *group = &fusion->groups.data[g];
    uint32_t step = (uint32_t)program->inner_bytes.size;
    if (!uses_buffers(group))
      continue;
    add_accesses(program, storage, block_of_buffer, fusion->inputs.data + group->first_input,
                 group->n_inputs, step);
    add_accesses(program, storage, block_of_buffer, fusion->outputs.data + group->first_output,
                 group->n_outputs, step);
    echo_vector_push(&program->start_ns, now_ns);
    echo_vector_push(&program->inner_bytes, (int64_t)graph->nodes.data[group->root].inner_bytes);
    now_ns += (int64_t)echo_group_ns(graph, fusion, g, device);
  }
  echo_vector_push(&program->start_ns, now_ns);
  echo_free(block_of_buffer);
}

bool echo_swap_estimate(const EchoGraph *graph, const EchoEstimate *estimate,
                        const EchoDeviceModel *device, uint64_t limit_bytes, EchoSwapPolicy policy,
                        int64_t *overhead_ns, uint64_t *least_bytes)
{
  EchoSwapProgram program;
  bool is_met = true;
  *overhead_ns = 0;
  *least_bytes = 0;
  echo_swap_program_create(&program, graph, estimate, device);
  if (program.accesses.size != 0) {
    EchoSwapRecording recording;
    EchoSwapDecision decision;
    echo_swap_recording_create(&recording, &program, device);
    is_met = echo_swap_decide(&decision, &program, &recording, limit_bytes, policy);
    *overhead_ns = decision.overhead_ns;
    *least_bytes = decision.least_bytes;
    echo_swap_decision_destroy(&decision);
    echo_swap_recording_destroy(&recording);
  }
  echo_swap_program_destroy(&program);
  return is_met;
}

uint64_t echo_swap_least_load(const EchoGraph *graph, const EchoEstimate *estimate,
                              const EchoDeviceModel *device)
{
  EchoSwapProgram program;
  uint64_t least_bytes = 0;
  echo_swap_program_create(&program, graph, estimate, device);
  if (program.accesses.size != 0) {
    EchoSwapRecording recording;
    echo_swap_recording_create(&recording, &program, device);
    least_bytes = echo_swap_least_limit(&recording.trace);
    echo_swap_recording_destroy(&recording);
  }
  echo_swap_program_destroy(&program);
  return least_bytes;
}
