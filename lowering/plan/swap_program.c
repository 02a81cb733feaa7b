/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lowering/plan/swap_program_t.h"

#include <stdlib.h>

#include "dialects/func/build.h"
#include "lowering/plan/plan_lifetimes_t.h"
#include "planning/cost/step_clock.h"
#include "planning/swap/estimate.h"

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

static void read_uses(EchoStepProgram *program, const EchoBlock *body, EchoStepBuffer *buffer,
                      EchoPlanUses *uses)
{
  *buffer = (EchoStepBuffer){.value = buffer->value, .first_use = program->uses.size};
  echo_vector_clear(uses);
  echo_plan_collect_uses(buffer->value, uses);
  buffer->n_uses = uses->size;
  for (size_t i = 0; i < uses->size; ++i) {
    EchoOp *step = echo_op_ancestor_in_block(uses->data[i].op, body);
    uint64_t number = echo_map_get_or(&program->step_of_op, echo_key(step), 0);
    echo_vector_push(&program->uses, (EchoBufferUse){(uint32_t)number, uses->data[i]});
  }
  if (uses->size != 0)
    qsort(&program->uses.data[buffer->first_use], buffer->n_uses, sizeof(EchoBufferUse), by_step);
}

static void add_block(EchoStepProgram *program, const EchoStepBuffer *buffer, uint64_t size_bytes,
                      bool is_state)
{
  uint32_t block = (uint32_t)program->buffers.size;
  for (size_t i = 0; i < buffer->n_uses; ++i) {
    const EchoBufferUse *use = &program->uses.data[buffer->first_use + i];
    bool writes = is_state && echo_plan_access(use->use.op, use->use.operand) == ECHO_PLAN_WRITE;
    echo_vector_push(&program->swap.accesses, ((EchoSwapAccess){use->step, block, writes}));
  }
  echo_vector_push(&program->buffers, *buffer);
  echo_vector_push(&program->swap.blocks, ((EchoSwapBlock){size_bytes, is_state, block}));
}

/* Adds a buffer, unless one control flow alone uses it. */
static void read_buffer(EchoStepProgram *program, const EchoBlock *body,
                        const EchoPlanBuffer *planned, EchoPlanUses *uses)
{
  EchoStepBuffer buffer = {.value = echo_op_result(planned->op, 0)};
  read_uses(program, body, &buffer, uses);
  if (buffer.n_uses == 0)
    return;
  uint32_t first = use_step(program, &buffer, 0);
  if (first == use_step(program, &buffer, buffer.n_uses - 1) &&
      echo_op_has_trait(program->steps.data[first], ECHO_PLAN_CONTROL)) {
    program->uses.size = buffer.first_use;
    return;
  }
  add_block(program, &buffer, planned->size_bytes, false);
}

/* Arguments that results take the place of. */
static void read_state(EchoStepProgram *program, const EchoOp *function, EchoPlanUses *uses)
{
  const EchoBlock *body = echo_op_body(function, 0);
  for (size_t i = 0; i < body->n_args; ++i) {
    EchoStepBuffer buffer = {.value = echo_block_arg(body, i)};
    uint64_t bytes = echo_type_static_bytes(buffer.value->type);
    if (echo_func_arg_attr_or_null(function, i, "tf.aliasing_output") == NULL ||
        !echo_swap_may_be_state(bytes))
      continue;
    read_uses(program, body, &buffer, uses);
    if (buffer.n_uses != 0)
      add_block(program, &buffer, bytes, true);
  }
}

static void add_at(int64_t *live, uint32_t first, uint32_t last, int64_t bytes)
{
  live[first] += bytes;
  live[last + 1] -= bytes;
}

/* What each step holds beside the blocks that live in it. */
static void measure_inner(EchoStepProgram *program, const EchoPlanLifetimes *lifetimes)
{
  size_t n_positions = lifetimes->spans.size, n_steps = program->steps.size;
  int64_t *live = echo_alloc_zero(n_positions + 1, sizeof *live);
  int64_t *shared = echo_alloc_zero(n_steps + 1, sizeof *shared);
  for (size_t i = 0; i < lifetimes->buffers.size; ++i) {
    const EchoPlanBuffer *buffer = &lifetimes->buffers.data[i];
    if (buffer->is_used)
      add_at(live, buffer->live.begin, buffer->live.end, (int64_t)buffer->size_bytes);
  }
  for (size_t b = 0; b < program->buffers.size; ++b) {
    const EchoStepBuffer *buffer = &program->buffers.data[b];
    if (!program->swap.blocks.data[b].is_state)
      add_at(shared, use_step(program, buffer, 0), use_step(program, buffer, buffer->n_uses - 1),
             (int64_t)program->swap.blocks.data[b].size_bytes);
  }
  for (size_t p = 1; p < n_positions; ++p)
    live[p] += live[p - 1];
  for (size_t s = 0; s < n_steps; ++s) {
    EchoPlanSpan span = echo_plan_span(lifetimes, program->steps.data[s]);
    int64_t most = 0;
    for (uint32_t p = span.begin; p <= span.end; ++p)
      most = live[p] > most ? live[p] : most;
    shared[s] += s > 0 ? shared[s - 1] : 0;
    echo_vector_push(&program->swap.inner_bytes, most > shared[s] ? most - shared[s] : 0);
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
  read_state(program, function, &uses);
  measure_inner(program, &lifetimes);
  echo_swap_program_sort(&program->swap);
  echo_plan_lifetimes_destroy(&lifetimes);
  echo_vector_destroy(&uses);
}

void echo_step_program_destroy(EchoStepProgram *program)
{
  echo_vector_destroy(&program->steps);
  echo_vector_destroy(&program->buffers);
  echo_vector_destroy(&program->uses);
  echo_map_destroy(&program->step_of_op);
  echo_swap_program_destroy(&program->swap);
}
