#include "lowering/swap_program.h"

#include <stdlib.h>

#include "ir/symbol.h"
#include "lowering/plan_lifetimes.h"
#include "planning/runtime.h"

static bool is_place(const EchoOp *op)
{
  return echo_op_is(op, "plan.arena") || echo_op_is(op, "plan.buffer") ||
         echo_op_is(op, "plan.view") || echo_op_is(op, "plan.constant");
}

/* ---- times ---- */

typedef struct Clock {
  const EchoDeviceModel *device;
  EchoSymbolTable symbols;
  EchoMap ns_of_kernel;
} Clock;

static uint64_t op_ns(Clock *clock, const EchoOp *op)
{
  uint64_t ns = 0;
  if (echo_op_is(op, "plan.copy")) {
    EchoWork work = {.bytes = 2.0 * (double)echo_type_static_bytes(echo_op_operand_type(op, 0)),
                     .n_launches = 1};
    return echo_device_model_time_ns(clock->device, &work);
  }
  if (!echo_op_is(op, "kernel.launch"))
    return 0;
  const EchoOp *kernel = echo_symbol_table_get_or_null(
      &clock->symbols, echo_op_attr_or_null(op, "callee")->as.symbol.root);
  if (kernel == NULL || echo_map_get(&clock->ns_of_kernel, echo_key(kernel), &ns))
    return ns;
  ns = echo_kernel_ns(kernel, clock->device);
  echo_map_set(&clock->ns_of_kernel, echo_key(kernel), ns);
  return ns;
}

/* What runs inside of control flow counts once: how often it runs is not known here. */
static void read_steps(EchoSwapProgram *program, EchoOp *module, EchoOp *function,
                       const EchoDeviceModel *device)
{
  Clock clock = {.device = device};
  int64_t now_ns = 0;
  echo_symbol_table_create(&clock.symbols, module);
  for (EchoOp *step = echo_op_body(function, 0)->first; step->next != NULL; step = step->next) {
    if (is_place(step))
      continue;
    echo_map_set(&program->step_of_op, echo_key(step), program->steps.size);
    echo_vector_push(&program->steps, step);
    echo_vector_push(&program->start_ns, now_ns);
    for (EchoOp *op = step; op != NULL; op = echo_op_walk_next(step, op))
      now_ns += (int64_t)op_ns(&clock, op);
  }
  echo_vector_push(&program->start_ns, now_ns);
  echo_symbol_table_destroy(&clock.symbols);
  echo_map_destroy(&clock.ns_of_kernel);
}

/* ---- buffers ---- */

static int by_step(const void *a, const void *b)
{
  const EchoSwapUse *x = a, *y = b;
  if (x->step != y->step)
    return x->step < y->step ? -1 : 1;
  return x->use.operand < y->use.operand ? -1 : x->use.operand > y->use.operand;
}

static uint32_t use_step(const EchoSwapProgram *program, const EchoSwapBuffer *buffer, size_t i)
{
  return program->uses.data[buffer->first_use + i].step;
}

static uint32_t last_step(const EchoSwapProgram *program, const EchoSwapBuffer *buffer)
{
  return use_step(program, buffer, buffer->n_uses - 1);
}

/* Adds a buffer that several steps use. */
static void read_buffer(EchoSwapProgram *program, const EchoBlock *body,
                        const EchoPlanBuffer *planned, EchoPlanUses *uses)
{
  EchoSwapBuffer buffer = {
      .op = planned->op, .size_bytes = planned->size_bytes, .first_use = program->uses.size};
  echo_vector_clear(uses);
  echo_plan_collect_uses(echo_op_result(planned->op, 0), uses);
  buffer.n_uses = uses->size;
  if (uses->size == 0)
    return;
  for (size_t i = 0; i < uses->size; ++i) {
    EchoOp *step = echo_op_ancestor_in_block(uses->data[i].op, body);
    uint64_t number = echo_map_get_or(&program->step_of_op, echo_key(step), 0);
    echo_vector_push(&program->uses, (EchoSwapUse){(uint32_t)number, uses->data[i]});
  }
  qsort(&program->uses.data[buffer.first_use], buffer.n_uses, sizeof(EchoSwapUse), by_step);
  if (use_step(program, &buffer, 0) != last_step(program, &buffer))
    echo_vector_push(&program->buffers, buffer);
  else
    program->uses.size = buffer.first_use;
}

/* Live bytes of each step, and of them those that it alone holds. */
static void measure_live(EchoSwapProgram *program, const EchoPlanLifetimes *lifetimes)
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
    const EchoSwapBuffer *buffer = &program->buffers.data[b];
    shared[use_step(program, buffer, 0)] += (int64_t)buffer->size_bytes;
    shared[last_step(program, buffer) + 1] -= (int64_t)buffer->size_bytes;
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
    echo_vector_push(&program->inner_bytes, most - shared[s]);
  }
  echo_free(shared);
  echo_free(live);
}

void echo_swap_program_create(EchoSwapProgram *program, EchoOp *module, EchoOp *function,
                              const EchoOp *arena, const EchoDeviceModel *device)
{
  EchoPlanLifetimes lifetimes;
  EchoPlanUses uses = {0};
  *program = (EchoSwapProgram){0};
  read_steps(program, module, function, device);
  echo_plan_lifetimes_create(&lifetimes, function, arena);
  for (size_t i = 0; i < lifetimes.buffers.size; ++i)
    read_buffer(program, echo_op_body(function, 0), &lifetimes.buffers.data[i], &uses);
  measure_live(program, &lifetimes);
  echo_plan_lifetimes_destroy(&lifetimes);
  echo_vector_destroy(&uses);
}

void echo_swap_program_destroy(EchoSwapProgram *program)
{
  echo_vector_destroy(&program->steps);
  echo_vector_destroy(&program->start_ns);
  echo_vector_destroy(&program->buffers);
  echo_vector_destroy(&program->uses);
  echo_vector_destroy(&program->live_bytes);
  echo_vector_destroy(&program->inner_bytes);
  echo_map_destroy(&program->step_of_op);
}

/* ---- the recording ---- */

typedef struct StepBlock {
  uint32_t step, block;
  bool is_first, is_last;
} StepBlock;

static int by_step_and_block(const void *a, const void *b)
{
  const StepBlock *x = a, *y = b;
  if (x->step != y->step)
    return x->step < y->step ? -1 : 1;
  return x->block < y->block ? -1 : x->block > y->block;
}

static void record(EchoSwapRecording *recording, uint32_t step, int64_t time_ns, uint32_t block,
                   EchoSwapAction action)
{
  echo_vector_push(&recording->events, (EchoSwapEvent){time_ns, block, action});
  echo_vector_push(&recording->steps, step);
}

static void record_step(const EchoSwapProgram *program, EchoSwapRecording *recording,
                        const StepBlock *accesses, size_t n)
{
  uint32_t step = accesses->step;
  int64_t start_ns = program->start_ns.data[step], end_ns = program->start_ns.data[step + 1];
  for (size_t i = 0; i < n; ++i)
    if (accesses[i].is_first)
      record(recording, step, start_ns, accesses[i].block, ECHO_SWAP_ALLOC);
  for (size_t i = 0; i < n; ++i)
    record(recording, step, start_ns, accesses[i].block, ECHO_SWAP_WRITE);
  for (size_t i = 0; i < n; ++i)
    record(recording, step, end_ns, accesses[i].block, ECHO_SWAP_READ);
  for (size_t i = 0; i < n; ++i)
    if (accesses[i].is_last)
      record(recording, step, end_ns, accesses[i].block, ECHO_SWAP_FREE);
}

void echo_swap_record(const EchoSwapProgram *program, EchoSwapRecording *recording)
{
  ECHO_VECTOR(StepBlock) accesses = {0};
  *recording = (EchoSwapRecording){0};
  for (uint32_t b = 0; b < program->buffers.size; ++b) {
    const EchoSwapBuffer *buffer = &program->buffers.data[b];
    uint32_t first = use_step(program, buffer, 0), last = last_step(program, buffer);
    echo_vector_push(&recording->sizes, buffer->size_bytes);
    for (size_t i = 0; i < buffer->n_uses; ++i) {
      uint32_t step = use_step(program, buffer, i);
      if (i == 0 || step != use_step(program, buffer, i - 1))
        echo_vector_push(&accesses, (StepBlock){step, b, step == first, step == last});
    }
  }
  for (uint32_t s = 0; s < program->steps.size; ++s)
    if (program->inner_bytes.data[s] > 0) {
      echo_vector_push(&accesses, (StepBlock){s, (uint32_t)recording->sizes.size, true, true});
      echo_vector_push(&recording->sizes, (uint64_t)program->inner_bytes.data[s]);
    }
  qsort(accesses.data, accesses.size, sizeof(StepBlock), by_step_and_block);
  for (size_t begin = 0, end; begin < accesses.size; begin = end) {
    for (end = begin; end < accesses.size && accesses.data[end].step == accesses.data[begin].step;)
      ++end;
    record_step(program, recording, &accesses.data[begin], end - begin);
  }
  echo_vector_destroy(&accesses);
}

void echo_swap_recording_destroy(EchoSwapRecording *recording)
{
  echo_vector_destroy(&recording->events);
  echo_vector_destroy(&recording->steps);
  echo_vector_destroy(&recording->sizes);
}
