/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The host program on a GPU: everything is asked of the compute stream in order; swaps go to the
 * copy streams and are ordered with it by events. The host waits only where control flow depends on
 * a value, for a kernel that is timed, and at the end. */
#include "jit/runtime/cuda/code_t.h"

typedef struct Runner {
  EchoContext *ctx;
  EchoCuda *cuda;
  const EchoCudaDriver *driver;
  void *const *addresses;
  char *host;
  EchoKernelTime *times; /* or NULL */
  CUdeviceptr *values;   /* of the launch that is made now */
  void **parameters;     /* to them */
  EchoCudaStep *step;
  const char *last; /* the kernel launched last */
} Runner;

static bool check(const Runner *runner, CUresult result, const char *call)
{
  return echo_cuda_check(runner->ctx, runner->cuda, result, call, NULL);
}

static CUdeviceptr address_of(const Runner *runner, uint32_t slot)
{
  return (CUdeviceptr)(uintptr_t)runner->addresses[slot];
}

/* Waits for the compute stream; what went wrong in a kernel shows here. */
static bool wait_here(const Runner *runner)
{
  CUresult result = runner->driver->stream_synchronize(runner->cuda->compute);
  if (result == CUDA_SUCCESS)
    return true;
  EchoBuffer text = {0};
  echo_cuda_describe(&runner->cuda->driver, result, "cuStreamSynchronize", &text);
  echo_error(runner->ctx, echo_loc_unknown(), "%s; the last kernel launched is '%s'",
             echo_buffer_c_str(&text), runner->last != NULL ? runner->last : "none");
  echo_buffer_destroy(&text);
  return false;
}

static bool launch_phases(Runner *runner, const EchoInstruction *instruction)
{
  const EchoCudaKernel *kernel = instruction->kernel->cuda;
  for (size_t i = 0; i < instruction->n_slots; i++)
    runner->values[i] = address_of(runner, instruction->slots[i]);
  for (size_t i = 0; i < kernel->n_phases; i++) {
    const EchoCudaPhase *phase = &kernel->phases[i];
    if (phase->grid == 0)
      continue;
    runner->last = phase->name;
    CUresult result = runner->driver->launch(phase->function, phase->grid, 1, 1, phase->block, 1, 1,
                                             0, runner->cuda->compute, runner->parameters, NULL);
    if (!echo_cuda_check(runner->ctx, runner->cuda, result, "cuLaunchKernel", phase->name))
      return false;
  }
  return true;
}

static bool run_launch(Runner *runner, const EchoInstruction *instruction)
{
  const EchoCudaDriver *driver = runner->driver;
  CUstream compute = runner->cuda->compute;
  float milliseconds = 0;
  if (runner->times == NULL)
    return launch_phases(runner, instruction);
  if (!check(runner, driver->event_record(runner->step->before, compute), "cuEventRecord") ||
      !launch_phases(runner, instruction) ||
      !check(runner, driver->event_record(runner->step->now, compute), "cuEventRecord") ||
      !wait_here(runner) ||
      !check(runner, driver->event_elapsed(&milliseconds, runner->step->before, runner->step->now),
             "cuEventElapsedTime"))
    return false;
  uint64_t ns = (uint64_t)((double)milliseconds * 1e6);
  echo_kernel_time_add(&runner->times[instruction->kernel->number], ns, ns);
  return true;
}

/* ---- control flow ---- */

static bool run_block(Runner *runner, const EchoProgramBlock *block);

/* The host needs a value that the device computes. */
static bool read_selector(const Runner *runner, const EchoInstruction *instruction, size_t bytes)
{
  return check(runner,
               runner->driver->copy_out(runner->step->selector,
                                        address_of(runner, instruction->slots[0]), bytes,
                                        runner->cuda->compute),
               "cuMemcpyDtoHAsync") &&
         wait_here(runner);
}

static bool run_case(Runner *runner, const EchoInstruction *instruction)
{
  size_t chosen;
  if (!read_selector(runner, instruction, instruction->selects_by_flag ? 1 : sizeof(int32_t)))
    return false;
  if (instruction->selects_by_flag) {
    chosen = *(const uint8_t *)runner->step->selector != 0 ? 0 : 1;
  } else {
    int32_t index;
    memcpy(&index, runner->step->selector, sizeof index);
    bool is_inside = index >= 0 && (size_t)index < instruction->n_blocks;
    chosen = is_inside ? (size_t)index : instruction->n_blocks - 1;
  }
  return run_block(runner, &instruction->blocks[chosen]);
}

static bool run_while(Runner *runner, const EchoInstruction *instruction)
{
  for (;;) {
    if (!run_block(runner, &instruction->blocks[0]) || !read_selector(runner, instruction, 1))
      return false;
    if (*(const uint8_t *)runner->step->selector == 0)
      return true;
    if (!run_block(runner, &instruction->blocks[1]))
      return false;
  }
}

/* ---- swaps ---- */

/* Begins when the compute stream is where it is now. */
static bool run_swap(Runner *runner, const EchoInstruction *instruction)
{
  const EchoCudaDriver *driver = runner->driver;
  CUstream stream = instruction->is_out ? runner->cuda->out : runner->cuda->in;
  CUdeviceptr device = address_of(runner, instruction->slots[0]);
  char *host = instruction->is_of_argument ? runner->addresses[instruction->slots[1]]
                                           : runner->host + instruction->host_offset;
  size_t bytes = (size_t)instruction->n_bytes;
  CUevent *done = &runner->step->done[instruction->event];
  if (*done == NULL &&
      !check(runner, driver->event_create(done, CU_EVENT_DISABLE_TIMING), "cuEventCreate"))
    return false;
  return check(runner, driver->event_record(runner->step->now, runner->cuda->compute),
               "cuEventRecord") &&
         check(runner, driver->stream_wait(stream, runner->step->now, 0), "cuStreamWaitEvent") &&
         check(runner,
               instruction->is_out ? driver->copy_out(host, device, bytes, stream)
                                   : driver->copy_in(device, host, bytes, stream),
               instruction->is_out ? "cuMemcpyDtoHAsync" : "cuMemcpyHtoDAsync") &&
         check(runner, driver->event_record(*done, stream), "cuEventRecord");
}

static bool run_wait(Runner *runner, const EchoInstruction *instruction)
{
  CUevent done = runner->step->done[instruction->event];
  return done == NULL || check(runner, runner->driver->stream_wait(runner->cuda->compute, done, 0),
                               "cuStreamWaitEvent");
}

/* ---- a block ---- */

static bool run_instruction(Runner *runner, const EchoInstruction *instruction)
{
  switch (instruction->kind) {
  case ECHO_RUN_LAUNCH:
    return run_launch(runner, instruction);
  case ECHO_RUN_COPY:
    return instruction->n_bytes == 0 ||
           check(runner,
                 runner->driver->copy(address_of(runner, instruction->slots[1]),
                                      address_of(runner, instruction->slots[0]),
                                      (size_t)instruction->n_bytes, runner->cuda->compute),
                 "cuMemcpyDtoDAsync");
  case ECHO_RUN_WHILE:
    return run_while(runner, instruction);
  case ECHO_RUN_CASE:
    return run_case(runner, instruction);
  case ECHO_RUN_SWAP:
    return run_swap(runner, instruction);
  case ECHO_RUN_WAIT:
    return run_wait(runner, instruction);
  }
  ECHO_UNREACHABLE("an instruction of kind %d", (int)instruction->kind);
}

static bool run_block(Runner *runner, const EchoProgramBlock *block)
{
  for (size_t i = 0; i < block->size; i++)
    if (!run_instruction(runner, &block->instructions[i]))
      return false;
  return true;
}

/* ---- a step ---- */

static bool create_step(Runner *runner, size_t n_events)
{
  const EchoCudaDriver *driver = runner->driver;
  EchoCudaStep *step = runner->step;
  if (step->done == NULL) {
    step->done = echo_alloc_zero(n_events + 1, sizeof(CUevent));
    step->n_events = n_events;
  }
  return (step->selector != NULL ||
          check(runner, driver->host_alloc(&step->selector, 16, 0), "cuMemHostAlloc")) &&
         (step->now != NULL ||
          check(runner, driver->event_create(&step->now, 0), "cuEventCreate")) &&
         (step->before != NULL ||
          check(runner, driver->event_create(&step->before, 0), "cuEventCreate"));
}

void echo_cuda_step_destroy(EchoCudaCode *code)
{
  EchoCudaStep *step = &code->step;
  for (size_t i = 0; i < step->n_events; i++)
    if (step->done[i] != NULL)
      code->cuda->driver.event_destroy(step->done[i]);
  if (step->now != NULL)
    code->cuda->driver.event_destroy(step->now);
  if (step->before != NULL)
    code->cuda->driver.event_destroy(step->before);
  if (step->selector != NULL)
    code->cuda->driver.host_free(step->selector);
  echo_free(step->done);
  *step = (EchoCudaStep){0};
}

bool echo_cuda_program_run(EchoContext *ctx, EchoCudaCode *code, const EchoProgram *program,
                           void *const *addresses, void *host, EchoKernelTime *times)
{
  size_t n = program->max_launch_slots + 1;
  EchoCuda *cuda = code->cuda;
  Runner runner = {.ctx = ctx,
                   .cuda = cuda,
                   .driver = &cuda->driver,
                   .addresses = addresses,
                   .host = host,
                   .times = times,
                   .values = echo_alloc_zero(n, sizeof(CUdeviceptr)),
                   .parameters = echo_alloc_array(n, sizeof(void *)),
                   .step = &code->step};
  for (size_t i = 0; i < n; i++)
    runner.parameters[i] = &runner.values[i];
  bool ok = check(&runner, cuda->driver.context_set(cuda->context), "cuCtxSetCurrent") &&
            create_step(&runner, program->n_events) && run_block(&runner, &program->main) &&
            wait_here(&runner);
  (void)cuda->driver.context_synchronize(); /* copies, and what failed, are over with the step */
  echo_free(runner.values);
  echo_free(runner.parameters);
  return ok;
}
