/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lowering/plan/swap_program_t.h"

#include <stdlib.h>

#include "lowering/plan/plan_lifetimes_t.h"
#include "planning/cost/step_clock.h"

/* What runs inside of control flow counts once: how often it runs is not known here. */
static void read_steps(EchoStepProgram *program, EchoOp *module, EchoOp *function,
                       const EchoDeviceModel *device)
{
  EchoStepClock clock;
  int64_t now_ns = 0;
  echo_step_clock_create(&clock, module, device);
  for (EchoOp *step = echo_op_body(function, 0)->first; step->next != NULL; step = step->next) {
    if (echo_op_has_trait(step, ECHO_PLAN_PLACE))
      continue;
    echo_map_set(&program->step_of_op, echo_key(step), program->steps.size);
    echo_vector_push(&program->steps, step);
    echo_vector_push(&program->swap.start_ns, now_ns);
    now_ns += (int64_t)echo_step_clock_ns(&clock, step);
  }
  echo_vector_push(&program->swap.start_ns, now_ns);
  echo_step_clock_destroy(&clock);
}

/* ---- buffers ---- */

static int by_step(const void *a, const void *b)
{
  const EchoBufferUse *x = a, *y = b;
  if (x->step != y->step)
    return x->step < y->step ? -1 : 1;
  return x->use.operand < y->use.operand ? -1 : x->use.operand > y->use.operand;
}

static uint32_t use_step(const EchoStepProgram *program, const EchoStepBuffer *buffer, size_t i)
{
  return program->uses.data[buffer->first_use + i].step;
}

uint32_t echo_step_program_first(const EchoStepProgram *program, size_t block)
{
  return use_step(program, &program->buffers.data[block], 0);
}

uint32_t echo_step_program_last(const EchoStepProgram *program, size_t block)
{
  const EchoStepBuffer *buffer = &program->buffers.data[block];
  return use_step(program, buffer, buffer->n_uses - 1);
}

/* Adds a buffer that several steps use. */
static void read_buffer(EchoStepProgram *program, const EchoBlock *body,
                        const EchoPlanBuffer *planned, EchoPlanUses *uses)
{
  EchoStepBuffer buffer = {.op = planned->op, .first_use = program->uses.size};
  echo_vector_clear(uses);
  echo_plan_collect_uses(echo_op_result(planned->op, 0), uses);
  buffer.n_uses = uses->size;
  if (uses->size == 0)
    return;
  for (size_t i = 0; i < uses->size; ++i) {
    EchoOp *step = echo_op_ancestor_in_block(uses->data[i].op, body);
    uint64_t number = echo_map_get_or(&program->step_of_op, echo_key(step), 0);
    echo_vector_push(&program->uses, (EchoBufferUse){(uint32_t)number, uses->data[i]});
  }
  qsort(&program->uses.data[buffer.first_use], buffer.n_uses, sizeof(EchoBufferUse), by_step);
  if (use_step(program, &buffer, 0) == use_step(program, &buffer, buffer.n_uses - 1)) {
    program->uses.size = buffer.first_use;
    return;
  }
  for (size_t i = 0; i < buffer.n_uses; ++i)
    echo_vector_push(&program->swap.accesses, (EchoSwapAccess){use_step(program, &buffer, i),
                                                               (uint32_t)program->buffers.size});
  echo_vector_push(&program->buffers, buffer);
  echo_vector_push(&program->swap.sizes, planned->size_bytes);
}

/* Live bytes of each step, and of them those that it alone holds. */
static void measure_live(EchoStepProgram *program, const EchoPlanLifetimes *lifetimes)
{
  size_t n_positions = lifetimes->spans.size, n_steps = program->steps.size;
  int64_t *live = echo_alloc_zero(n_positions + 1, sizeof *live);
  int64_t *shared = echo_alloc_zero(n_steps + 1, sizeof *shared);
  for (size_t i = 0; i < lifetimes->buffers.size; ++i) {
    const EchoPlanBuffer *buffer = &lifetimes->buffers.data[i];
    if (buffer->is_used) {
      live[buffer->live.begin] += (int64_t)buffer->size_bytes;
      live[buffer->live.end + 1] -= (int64_t)buffer->size_bytes;
    }
  }
  for (size_t b = 0; b < program->buffers.size; ++b) {
    int64_t size = (int64_t)program->swap.sizes.data[b];
    shared[echo_step_program_first(program, b)] += size;
    shared[echo_step_program_last(program, b) + 1] -= size;
  }
  for (size_t p = 1; p < n_positions; ++p)
    live[p] += live[p - 1];
  for (size_t s = 0; s < n_steps; ++s) {
    EchoPlanSpan span = echo_plan_span(lifetimes, program->steps.data[s]);
    int64_t most = 0;
    for (uint32_t p = span.begin; p <= span.end; ++p)
      most = live[p] > most ? live[p] : most;
    shared[s] += s > 0 ? shared[s - 1] : 0;
    echo_vector_push(&program->live_bytes, most);
    echo_vector_push(&program->swap.inner_bytes, most - shared[s]);
  }
  echo_free(shared);
  echo_free(live);
}

void echo_step_program_create(EchoStepProgram *program, EchoOp *module, EchoOp *function,
                              const EchoOp *arena, const EchoDeviceModel *device)
{
  EchoPlanLifetimes lifetimes;
  EchoPlanUses uses = {0};
  *program = (EchoStepProgram){0};
  read_steps(program, module, function, device);
  echo_plan_lifetimes_create(&lifetimes, function, arena);
  for (size_t i = 0; i < lifetimes.buffers.size; ++i)
    read_buffer(program, echo_op_body(function, 0), &lifetimes.buffers.data[i], &uses);
  measure_live(program, &lifetimes);
  echo_plan_lifetimes_destroy(&lifetimes);
  echo_vector_destroy(&uses);
}

void echo_step_program_destroy(EchoStepProgram *program)
{
  echo_vector_destroy(&program->steps);
  echo_vector_destroy(&program->buffers);
  echo_vector_destroy(&program->uses);
  echo_vector_destroy(&program->live_bytes);
  echo_map_destroy(&program->step_of_op);
  echo_swap_program_destroy(&program->swap);
}
