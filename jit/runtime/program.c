/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/program_t.h"

#include <time.h>

#include "base/float_mode.h"
#include "dialects/plan/plan.h"
#include "ir/diagnostics.h"
#include "jit/runtime/device_t.h"

typedef struct Builder {
  EchoProgram *program;
  const EchoStringMap *kernels;
  EchoMap slots;  /* EchoValue * -> slot number */
  EchoMap events; /* EchoValue * -> event number * 2 + whether it goes out */
} Builder;

static uint32_t slot_of(const Builder *builder, const EchoValue *value)
{
  uint64_t slot = 0;
  bool found = echo_map_get(&builder->slots, echo_key(value), &slot);
  ECHO_CHECK(found, "a buffer without a place");
  return (uint32_t)slot;
}

static void add_slot(Builder *builder, const EchoValue *value, EchoSlotKind kind, uint64_t where)
{
  echo_map_set(&builder->slots, echo_key(value), builder->program->slots.size);
  echo_vector_push(&builder->program->slots, (EchoSlot){kind, where, 0});
}

static void add_constant(Builder *builder, const EchoOp *op)
{
  EchoProgram *program = builder->program;
  add_slot(builder, echo_op_result(op, 0), ECHO_SLOT_CONSTANT, program->constant_bytes);
  echo_vector_push(&program->constants, (EchoProgramConstant){op, program->constant_bytes});
  program->constant_bytes +=
      echo_align_up(echo_type_static_bytes(echo_op_result_type(op, 0)), ECHO_PLAN_ALIGNMENT);
}

static const uint32_t *operand_slots(Builder *builder, const EchoOp *op)
{
  uint32_t *slots = ECHO_ARENA_ARRAY(&builder->program->arena, uint32_t, op->n_operands + 1u);
  for (uint32_t i = 0; i < op->n_operands; i++)
    slots[i] = slot_of(builder, echo_op_operand(op, i));
  return slots;
}

static bool build_block(Builder *builder, const EchoBlock *block, EchoProgramBlock *out);

static bool build_regions(Builder *builder, const EchoOp *op, EchoInstruction *instruction)
{
  EchoProgramBlock *blocks =
      ECHO_ARENA_ARRAY(&builder->program->arena, EchoProgramBlock, op->n_regions);
  for (uint32_t i = 0; i < op->n_regions; i++)
    if (!build_block(builder, op->regions[i].first, &blocks[i]))
      return false;
  instruction->blocks = blocks;
  instruction->n_blocks = op->n_regions;
  return true;
}

static bool build_launch(Builder *builder, const EchoOp *op, EchoInstruction *instruction)
{
  EchoStr name = echo_op_attr_or_null(op, "callee")->as.symbol.root;
  uint64_t kernel;
  if (!echo_string_map_get(builder->kernels, name, &kernel))
    return echo_op_error(op, "launches '%.*s', which has no code", ECHO_STR_ARG(name));
  instruction->kind = ECHO_RUN_LAUNCH;
  instruction->kernel = (const EchoKernelCode *)(uintptr_t)kernel;
  instruction->slots = operand_slots(builder, op);
  instruction->n_slots = op->n_operands;
  if (op->n_operands > builder->program->max_launch_slots)
    builder->program->max_launch_slots = op->n_operands;
  instruction->is_of_call = echo_plan_only_begins(op);
  if (instruction->is_of_call || instruction->kernel->library != NULL)
    instruction->event = (uint32_t)builder->program->n_events++;
  if (instruction->is_of_call)
    echo_map_set(&builder->events, echo_key(echo_op_result(op, 0)),
                 (uint64_t)instruction->event * 2);
  return true;
}

static bool build_while(Builder *builder, const EchoOp *op, EchoInstruction *instruction)
{
  instruction->kind = ECHO_RUN_WHILE;
  if (!build_regions(builder, op, instruction))
    return false;
  instruction->slots = operand_slots(builder, op->regions[0].first->last);
  instruction->is_counted = echo_op_has_attr(op, "n_trips");
  instruction->n_trips = (uint64_t)echo_op_attr_i64(op, "n_trips", 0);
  return true;
}

static bool build_case(Builder *builder, const EchoOp *op, EchoInstruction *instruction)
{
  instruction->kind = ECHO_RUN_CASE;
  instruction->slots = operand_slots(builder, op);
  instruction->selects_by_flag =
      echo_type_is_integer(echo_type_element(echo_op_operand_type(op, 0)), 1);
  return build_regions(builder, op, instruction);
}

static void build_swap(Builder *builder, const EchoOp *op, EchoInstruction *instruction)
{
  EchoProgram *program = builder->program;
  uint64_t end;
  *instruction = (EchoInstruction){
      .kind = ECHO_RUN_SWAP,
      .slots = operand_slots(builder, op),
      .n_slots = op->n_operands,
      .n_bytes = echo_type_static_bytes(echo_op_operand_type(op, 0)),
      .is_out = echo_plan_opcode(op) == ECHO_PLAN_SWAP_OUT,
      .event = (uint32_t)program->n_events++,
  };
  echo_plan_host_range(op, &instruction->host_offset, &end);
  instruction->is_of_argument = echo_plan_host_argument_or_null(op) != NULL;
  if (program->host_bytes < end)
    program->host_bytes = end;
  echo_map_set(&builder->events, echo_key(echo_op_result(op, 0)),
               (uint64_t)instruction->event * 2 + instruction->is_out);
}

static void build_wait(Builder *builder, const EchoOp *op, EchoInstruction *instruction)
{
  uint64_t event = echo_map_get_or(&builder->events, echo_key(echo_op_operand(op, 0)), 0);
  *instruction = (EchoInstruction){
      .kind = ECHO_RUN_WAIT,
      .event = (uint32_t)(event / 2),
      .is_out = event % 2 != 0,
      .is_of_call = echo_plan_only_begins(echo_value_def_or_null(echo_op_operand(op, 0)))};
}

static void build_copy(Builder *builder, const EchoOp *op, EchoInstruction *instruction)
{
  instruction->kind = ECHO_RUN_COPY;
  instruction->slots = operand_slots(builder, op);
  instruction->n_slots = op->n_operands;
  instruction->n_bytes = echo_type_static_bytes(echo_op_operand_type(op, 0));
}

static void build_view(Builder *builder, const EchoOp *op)
{
  EchoSlot viewed = builder->program->slots.data[slot_of(builder, echo_op_operand(op, 0))];
  echo_map_set(&builder->slots, echo_key(echo_op_result(op, 0)), builder->program->slots.size);
  echo_vector_push(&builder->program->slots, viewed);
}

/* Of the arena, or of a result's place. */
static void build_buffer(Builder *builder, const EchoOp *op)
{
  const EchoValue *lender = echo_plan_lender_or_null(echo_op_result(op, 0));
  uint64_t offset = (uint64_t)echo_op_attr_i64(op, "offset", 0);
  if (lender == NULL) {
    add_slot(builder, echo_op_result(op, 0), ECHO_SLOT_ARENA, offset);
    return;
  }
  add_slot(builder, echo_op_result(op, 0), ECHO_SLOT_ARG,
           builder->program->slots.data[slot_of(builder, lender)].where);
  echo_vector_last(&builder->program->slots).offset = offset;
}

/* An op that names a place adds a slot, another one fills *instruction. False after an error. */
static bool build_op(Builder *builder, const EchoOp *op, EchoInstruction *instruction)
{
  *instruction = (EchoInstruction){0};
  switch (echo_plan_opcode(op)) {
  case ECHO_PLAN_ARENA:
    builder->program->arena_bytes = (uint64_t)echo_op_attr_i64(op, "size_bytes", 0);
    return true;
  case ECHO_PLAN_BUFFER:
    build_buffer(builder, op);
    return true;
  case ECHO_PLAN_VIEW:
    build_view(builder, op);
    return true;
  case ECHO_PLAN_CONSTANT:
    add_constant(builder, op);
    return true;
  case ECHO_PLAN_LAUNCH:
    return build_launch(builder, op, instruction);
  case ECHO_PLAN_WHILE:
    return build_while(builder, op, instruction);
  case ECHO_PLAN_CASE:
    return build_case(builder, op, instruction);
  case ECHO_PLAN_COPY:
    build_copy(builder, op, instruction);
    return true;
  case ECHO_PLAN_SWAP_OUT:
  case ECHO_PLAN_SWAP_IN:
    build_swap(builder, op, instruction);
    return true;
  case ECHO_PLAN_WAIT:
    build_wait(builder, op, instruction);
    return true;
  case ECHO_PLAN_CONDITION:
  case ECHO_PLAN_YIELD:
  case ECHO_PLAN_NO_OP:
    break;
  }
  return echo_op_error(op, "cannot be run on this device");
}

static bool build_block(Builder *builder, const EchoBlock *block, EchoProgramBlock *out)
{
  ECHO_VECTOR(EchoInstruction) instructions = {0};
  bool ok = true;
  for (const EchoOp *op = block->first; op != block->last && ok; op = op->next) {
    EchoInstruction instruction;
    ok = build_op(builder, op, &instruction);
    if (ok && !echo_op_has_trait(op, ECHO_PLAN_PLACE))
      echo_vector_push(&instructions, instruction);
  }
  out->number = builder->program->n_blocks++;
  out->size = instructions.size;
  out->instructions = echo_arena_copy(&builder->program->arena, instructions.data,
                                      instructions.size * sizeof(EchoInstruction));
  echo_vector_destroy(&instructions);
  return ok;
}

bool echo_program_create(EchoProgram *program, const EchoOp *main, const EchoStringMap *kernels)
{
  *program = (EchoProgram){0};
  Builder builder = {.program = program, .kernels = kernels};
  const EchoBlock *body = echo_op_body(main, 0);
  for (uint32_t i = 0; i < body->n_args; i++)
    add_slot(&builder, echo_block_arg(body, i), ECHO_SLOT_ARG, i);
  bool ok = build_block(&builder, body, &program->main);
  echo_map_destroy(&builder.slots);
  echo_map_destroy(&builder.events);
  if (!ok)
    echo_program_destroy(program);
  return ok;
}

void echo_program_destroy(EchoProgram *program)
{
  echo_vector_destroy(&program->slots);
  echo_vector_destroy(&program->constants);
  echo_arena_destroy(&program->arena);
}

void echo_program_stage(EchoProgram *program, uint64_t n_bytes)
{
  program->host_bytes = echo_kernel_host_bytes(program->host_bytes, n_bytes);
  program->staged_at = program->host_bytes - n_bytes;
}

/* ---- running ---- */

/* A call that runs beside the program. */
typedef struct Call {
  struct Runner *runner;
  const EchoKernelCode *kernel;
  void **buffers;
  uint64_t number; /* in its stream; 0: it is not under way */
  uint64_t run_ns;
  bool has_failed;
} Call;

typedef struct Runner {
  void *const *addresses;
  EchoThreadPool *pool;
  void **buffers;        /* of the launch that runs now */
  EchoKernelTime *times; /* or NULL */
  EchoDevice *device;
  char *host;        /* memory of swapped values */
  uint64_t *copies;  /* by event: the copy's number in its stream */
  Call *calls;       /* by event */
  bool calls_failed; /* the stream of calls alone looks at it */
  bool has_calls;    /* some have begun */
  EchoFloatMode float_mode;
  EchoBuffer call_error;           /* of the one that failed */
  const EchoLibraryKernel *failed; /* after which nothing more runs, and why */
  EchoBuffer error;
} Runner;

typedef struct PhaseTask {
  EchoKernelFn *fn;
  const EchoLibraryKernel *library;
  void *const *buffers;
} PhaseTask;

static uint64_t now_ns(clockid_t clock)
{
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void run_tasks(void *user, int64_t begin, int64_t end, unsigned thread)
{
  (void)thread;
  const PhaseTask *task = user;
  if (task->library != NULL)
    echo_library_kernel_run(task->library, task->buffers, begin, end);
  else
    task->fn(task->buffers, begin, end);
}

static void run_launch(Runner *runner, const EchoInstruction *instruction)
{
  const EchoKernelCode *kernel = instruction->kernel;
  for (size_t i = 0; i < instruction->n_slots; i++)
    runner->buffers[i] = runner->addresses[instruction->slots[i]];
  if (kernel->library != NULL && echo_library_kernel_may_fail(kernel->library)) {
    if (!echo_library_kernel_try(kernel->library, runner->buffers, &runner->error))
      runner->failed = kernel->library;
    return;
  }
  PhaseTask task = {.library = kernel->library, .buffers = runner->buffers};
  if (kernel->library != NULL)
    echo_thread_pool_run(runner->pool, echo_library_kernel_n_tasks(kernel->library), 1, run_tasks,
                         &task);
  for (size_t i = 0; i < kernel->n_phases; i++) {
    task.fn = kernel->phases[i].fn;
    echo_thread_pool_run(runner->pool, kernel->phases[i].n_tasks, kernel->phases[i].grain,
                         run_tasks, &task);
  }
}

/* ---- calls that run beside the program ---- */

/* On the stream's thread. Behind one that failed nothing is called any more. */
static void carry_out_call(void *user)
{
  Call *call = user;
  Runner *runner = call->runner;
  if (runner->calls_failed)
    return;
  EchoFloatMode before = echo_float_mode();
  uint64_t begin_ns = now_ns(CLOCK_MONOTONIC);
  echo_float_mode_restore(runner->float_mode);
  call->has_failed =
      !echo_library_kernel_try(call->kernel->library, call->buffers, &runner->call_error);
  echo_float_mode_restore(before);
  call->run_ns = now_ns(CLOCK_MONOTONIC) - begin_ns;
  runner->calls_failed = call->has_failed;
}

static void begin_call(Runner *runner, const EchoInstruction *instruction)
{
  Call *call = &runner->calls[instruction->event];
  if (call->buffers == NULL)
    call->buffers = echo_alloc_array(instruction->n_slots + 1, sizeof(void *));
  for (size_t i = 0; i < instruction->n_slots; i++)
    call->buffers[i] = runner->addresses[instruction->slots[i]];
  call->runner = runner;
  call->kernel = instruction->kernel;
  call->number =
      echo_copy_stream_push_call(echo_device_call_stream(runner->device), carry_out_call, call);
  runner->has_calls = true;
}

static void wait_for_call(Runner *runner, const EchoInstruction *instruction)
{
  Call *call = &runner->calls[instruction->event];
  if (call->number == 0)
    return; /* what does not run beside the program is done where it begins */
  uint64_t begin_ns = now_ns(CLOCK_MONOTONIC);
  echo_copy_stream_wait(echo_device_call_stream(runner->device), call->number);
  uint64_t waited_ns = now_ns(CLOCK_MONOTONIC) - begin_ns;
  call->number = 0;
  echo_device_count_call(runner->device, call->run_ns, waited_ns);
  if (runner->times != NULL)
    echo_kernel_time_add(&runner->times[call->kernel->number], call->run_ns, call->run_ns);
  if (!call->has_failed)
    return;
  runner->failed = call->kernel->library;
  echo_buffer_append_str(&runner->error, echo_buffer_str(&runner->call_error));
}

/* Nothing of a run is left under way. */
static void finish_calls(Runner *runner, size_t n_events)
{
  if (runner->has_calls)
    echo_copy_stream_wait(echo_device_call_stream(runner->device), UINT64_MAX);
  for (size_t i = 0; i < n_events; i++)
    echo_free(runner->calls[i].buffers);
  echo_free(runner->calls);
  echo_buffer_destroy(&runner->call_error);
}

static bool runs_beside(const EchoInstruction *instruction)
{
  const EchoLibraryKernel *library = instruction->kernel->library;
  return instruction->is_of_call && library != NULL && echo_library_kernel_may_fail(library);
}

static void run_timed_launch(Runner *runner, const EchoInstruction *instruction)
{
  if (runs_beside(instruction)) {
    begin_call(runner, instruction);
    return;
  }
  if (runner->times == NULL) {
    run_launch(runner, instruction);
    return;
  }
  uint64_t processor_ns = now_ns(CLOCK_THREAD_CPUTIME_ID), begin_ns = now_ns(CLOCK_MONOTONIC);
  run_launch(runner, instruction);
  uint64_t elapsed_ns = now_ns(CLOCK_MONOTONIC) - begin_ns, own_ns = elapsed_ns;
  if (echo_thread_pool_size(runner->pool) == 1) {
    processor_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) - processor_ns; /* and what asking takes */
    own_ns = processor_ns < elapsed_ns ? processor_ns : elapsed_ns;
  }
  echo_kernel_time_add(&runner->times[instruction->kernel->number], elapsed_ns, own_ns);
}

static void run_block(Runner *runner, const EchoProgramBlock *block);

static void run_case(Runner *runner, const EchoInstruction *instruction)
{
  const void *selector = runner->addresses[instruction->slots[0]];
  size_t chosen;
  if (instruction->selects_by_flag) {
    chosen = *(const uint8_t *)selector != 0 ? 0 : 1;
  } else {
    int32_t index;
    memcpy(&index, selector, sizeof index);
    bool is_inside = index >= 0 && (size_t)index < instruction->n_blocks;
    chosen = is_inside ? (size_t)index : instruction->n_blocks - 1;
  }
  run_block(runner, &instruction->blocks[chosen]);
}

static void run_while(Runner *runner, const EchoInstruction *instruction)
{
  const uint8_t *flag = runner->addresses[instruction->slots[0]];
  for (;;) {
    run_block(runner, &instruction->blocks[0]);
    if (runner->failed != NULL || *flag == 0)
      return;
    run_block(runner, &instruction->blocks[1]);
  }
}

static void run_swap(const Runner *runner, const EchoInstruction *instruction)
{
  char *device = runner->addresses[instruction->slots[0]];
  char *host = instruction->is_of_argument ? runner->addresses[instruction->slots[1]]
                                           : runner->host + instruction->host_offset;
  bool is_out = instruction->is_out;
  EchoCopyStream *stream = echo_device_copy_stream(runner->device, is_out);
  runner->copies[instruction->event] = echo_copy_stream_push(
      stream, is_out ? host : device, is_out ? device : host, (size_t)instruction->n_bytes);
}

static void run_block(Runner *runner, const EchoProgramBlock *block)
{
  for (size_t i = 0; i < block->size && runner->failed == NULL; i++) {
    const EchoInstruction *instruction = &block->instructions[i];
    switch (instruction->kind) {
    case ECHO_RUN_LAUNCH:
      run_timed_launch(runner, instruction);
      break;
    case ECHO_RUN_COPY:
      memmove(runner->addresses[instruction->slots[1]], runner->addresses[instruction->slots[0]],
              (size_t)instruction->n_bytes);
      break;
    case ECHO_RUN_WHILE:
      run_while(runner, instruction);
      break;
    case ECHO_RUN_CASE:
      run_case(runner, instruction);
      break;
    case ECHO_RUN_SWAP:
      run_swap(runner, instruction);
      break;
    case ECHO_RUN_WAIT:
      if (instruction->is_of_call) {
        wait_for_call(runner, instruction);
        break;
      }
      echo_copy_stream_wait(echo_device_copy_stream(runner->device, instruction->is_out),
                            runner->copies[instruction->event]);
      break;
    }
  }
}

bool echo_program_run(const EchoProgram *program, void *const *addresses, void *host,
                      EchoDevice *device, EchoKernelTime *times)
{
  Runner runner = {.addresses = addresses,
                   .pool = echo_device_pool(device),
                   .buffers = echo_alloc_array(program->max_launch_slots + 1, sizeof(void *)),
                   .times = times,
                   .device = device,
                   .host = host,
                   .copies = echo_alloc_zero(program->n_events + 1, sizeof(uint64_t)),
                   .calls = echo_alloc_zero(program->n_events + 1, sizeof(Call)),
                   .float_mode = echo_float_mode()};
  run_block(&runner, &program->main);
  finish_calls(&runner, program->n_events);
  echo_free(runner.buffers);
  echo_free(runner.copies);
  bool ok = runner.failed == NULL || echo_library_kernel_say(runner.failed, &runner.error);
  echo_buffer_destroy(&runner.error);
  return ok;
}
