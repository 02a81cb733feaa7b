/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/report/memory_trace.h"

#include <inttypes.h>

#include "base/map.h"
#include "dialects/echo/stages.h"
#include "dialects/plan/plan.h"
#include "ir/diagnostics.h"
#include "jit/report/memory_timeline.h"
#include "planning/cost/step_clock.h"
#include "planning/schedule/storage.h"

static bool check_main(EchoOp *module, const char *name, const void *argument)
{
  if (module == NULL)
    return false; /* nobody to tell */
  if (argument == NULL)
    return echo_misuse(echo_op_context(module), module->loc, "a plan is printed: '%s' is NULL",
                       name);
  if (echo_module_stage(module) != ECHO_STAGE_PLANNED)
    return echo_op_error(module,
                         "is at stage '%s': lifetimes and traces are read off stage 'planned'",
                         echo_stage_name(echo_module_stage(module)));
  return echo_module_main_or_null(module) != NULL || echo_op_error(module, "has no function @main");
}

bool echo_memory_lifetimes_print(EchoOp *module, EchoBuffer *out)
{
  if (!check_main(module, "out", out))
    return false;
  EchoMemoryTimeline timeline;
  echo_memory_timeline_create(&timeline, module);
  echo_buffer_append_c(out, "id,lower,upper,size,alignment\n");
  for (size_t i = 0; i < timeline.values.size; i++) {
    const EchoMemoryValue *value = &timeline.values.data[i];
    if (value->kind > ECHO_MEMORY_CONSTANTS)
      echo_buffer_printf(out, "%zu:%.*s,%u,%u,%" PRIu64 ",%" PRIu64 "\n", i,
                         ECHO_STR_ARG(value->maker), value->begin, value->end + 1,
                         echo_align_up(value->bytes, ECHO_PLAN_ALIGNMENT), ECHO_PLAN_ALIGNMENT);
  }
  echo_memory_timeline_destroy(&timeline);
  return true;
}

/* ---- the trace ---- */

/* Storage that steps touch. */
typedef struct Block {
  const EchoValue *value;
  uint64_t bytes;
  uint32_t last_step;
  uint32_t touched_by; /* 1 + the step that is being collected */
  bool is_transient;   /* in the arena: allocated and freed within the step */
  bool is_there, is_read, is_written;
} Block;

typedef struct Trace {
  EchoMap block_of; /* value -> block */
  ECHO_VECTOR(Block) blocks;
  ECHO_VECTOR(uint32_t) touched; /* blocks of one step, in order of first mention */
  EchoStepClock clock;
  uint64_t now_ns;
  EchoBuffer *out;
} Trace;

static uint32_t block_of(Trace *trace, const EchoValue *value)
{
  value = echo_plan_root(value);
  if (echo_plan_lender_or_null(value) != NULL) /* no place of its own */
    value = echo_plan_lender_or_null(value);
  uint64_t number = trace->blocks.size;
  if (echo_map_get(&trace->block_of, echo_key(value), &number))
    return (uint32_t)number;
  const EchoOp *def = echo_value_def_or_null(value);
  bool is_transient = def != NULL && echo_plan_opcode(def) == ECHO_PLAN_BUFFER;
  uint64_t bytes = echo_type_static_bytes(value->type);
  if (is_transient) /* as it is planned */
    bytes = echo_align_up(bytes, ECHO_PLAN_ALIGNMENT);
  echo_map_set(&trace->block_of, echo_key(value), number);
  echo_vector_push(&trace->blocks,
                   (Block){.value = value, .bytes = bytes, .is_transient = is_transient});
  return (uint32_t)number;
}

static void touch(Trace *trace, const EchoValue *value, uint32_t step, bool is_write)
{
  uint32_t number = block_of(trace, value);
  Block *block = &trace->blocks.data[number];
  if (block->touched_by != step + 1) {
    block->touched_by = step + 1;
    block->is_read = block->is_written = false;
    echo_vector_push(&trace->touched, number);
  }
  block->is_read |= !is_write;
  block->is_written |= is_write;
}

/* What `op` and everything inside it touch. */
static void collect(Trace *trace, EchoOp *step_op, uint32_t step)
{
  const uint64_t traits = ECHO_PLAN_STEP | ECHO_PLAN_CONTROL;
  echo_vector_clear(&trace->touched);
  for (EchoOp *op = echo_plan_first_or_null(step_op, traits); op != NULL;
       op = echo_plan_next_or_null(step_op, op, traits))
    for (uint32_t i = 0; i < op->n_operands; i++) {
      EchoPlanAccess access = echo_plan_access(op, i);
      if (access != ECHO_PLAN_NO_ACCESS)
        touch(trace, echo_op_operand(op, i), step, access == ECHO_PLAN_WRITE);
    }
}

static void print_row(Trace *trace, uint32_t number, const char *event)
{
  const Block *block = &trace->blocks.data[number];
  const EchoOp *def = echo_value_def_or_null(block->value);
  if (def == NULL)
    echo_buffer_printf(trace->out, "arg%u", (unsigned)block->value->index);
  else
    echo_buffer_printf(trace->out, "%s%u", block->is_transient ? "b" : "c", number);
  echo_buffer_printf(trace->out, ",%" PRIu64 ",%" PRIu64 ",%s\n", block->bytes, trace->now_ns,
                     event);
}

/* Blocks without bytes hold nothing that could be moved. */
static bool has_bytes(const Trace *trace, uint32_t number)
{
  return trace->blocks.data[number].bytes != 0;
}

static void print_step(Trace *trace, EchoOp *op, uint32_t step)
{
  size_t n = trace->touched.size;
  const uint32_t *touched = trace->touched.data;
  for (size_t i = 0; i < n; i++) {
    Block *block = &trace->blocks.data[touched[i]];
    if (!has_bytes(trace, touched[i]))
      continue;
    if (block->is_transient && !block->is_there)
      print_row(trace, touched[i], "alloc");
    block->is_there = true;
    if (block->is_read)
      print_row(trace, touched[i], "read");
  }
  trace->now_ns += echo_step_clock_ns(&trace->clock, op);
  for (size_t i = 0; i < n; i++) {
    const Block *block = &trace->blocks.data[touched[i]];
    bool ends = block->is_transient && block->last_step == step;
    if (!has_bytes(trace, touched[i]))
      continue;
    if (block->is_written || !ends)
      print_row(trace, touched[i], block->is_written ? "write" : "read");
  }
  for (size_t i = 0; i < n; i++)
    if (has_bytes(trace, touched[i]) && trace->blocks.data[touched[i]].is_transient &&
        trace->blocks.data[touched[i]].last_step == step)
      print_row(trace, touched[i], "free");
}

static bool is_step(const EchoOp *op)
{
  return (op->info->traits & (ECHO_PLAN_STEP | ECHO_PLAN_CONTROL)) != 0;
}

static void find_last_steps(Trace *trace, const EchoOp *function)
{
  uint32_t step = 0;
  for (EchoOp *op = function->regions[0].first->first; op != NULL; op = op->next)
    if (is_step(op)) {
      collect(trace, op, step);
      for (size_t i = 0; i < trace->touched.size; i++)
        trace->blocks.data[trace->touched.data[i]].last_step = step;
      step++;
    }
  for (size_t i = 0; i < trace->blocks.size; i++)
    trace->blocks.data[i].touched_by = 0;
}

static void print_steps(Trace *trace, const EchoOp *function)
{
  uint32_t step = 0;
  for (EchoOp *op = function->regions[0].first->first; op != NULL; op = op->next)
    if (is_step(op)) {
      collect(trace, op, step);
      print_step(trace, op, step++);
    }
}

bool echo_memory_trace_print(EchoOp *module, const EchoDeviceModel *device, EchoBuffer *out)
{
  if (!check_main(module, "out", out) || !check_main(module, "device", device))
    return false;
  const EchoOp *function = echo_module_main_or_null(module);
  Trace trace = {.out = out};
  echo_step_clock_create(&trace.clock, module, device);
  find_last_steps(&trace, function);
  echo_buffer_append_c(out, "block,size,time_ns,event\n");
  print_steps(&trace, function);
  echo_step_clock_destroy(&trace.clock);
  echo_map_destroy(&trace.block_of);
  echo_vector_destroy(&trace.touched);
  echo_vector_destroy(&trace.blocks);
  return true;
}
