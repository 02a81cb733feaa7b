/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The host program on a GPU. Instructions are graphs, one where nothing is called, launched on the
 * compute stream; the host waits at the end, and, where the driver has no conditional nodes or a
 * call stands in control flow, for the value that it depends on. Calls of targets stand between
 * graphs, on a stream of their own (calls.c), or are made by the host, which waits for what they
 * read (host_calls.c). Where kernels are timed they are launched one by one, and waited for:
 * everything is asked of the compute stream in order, and swaps go to the copy streams and are
 * ordered with it by events. */
#include "jit/runtime/cuda/calls_t.h"
#include "jit/runtime/cuda/host_calls_t.h"

/* Instructions that are a graph, or one that is control flow, or a call and the wait for it. */
typedef struct Piece {
  EchoCudaGraph graph;
  const EchoInstruction *control; /* or NULL */
} Piece;

typedef struct EchoCudaBlock {
  ECHO_VECTOR(Piece) pieces; /* made when the block is run first */
  bool is_made;
} EchoCudaBlock;

typedef struct Runner {
  EchoContext *ctx;
  EchoCuda *cuda;
  const EchoCudaDriver *driver;
  void *const *addresses;
  char *host, *staging;  /* `staging`: the part of it that calls of the host work in */
  EchoKernelTime *times; /* or NULL */
  CUdeviceptr *values;   /* of the launch that is made now */
  void **parameters;     /* to them */
  EchoCudaStep *step;
  EchoCudaRun run;
  const char *first, *last; /* kernels launched since the host waited */
} Runner;

static bool check(const Runner *runner, CUresult result, const char *call)
{
  return echo_cuda_check(runner->ctx, runner->cuda, result, call, NULL);
}

static CUdeviceptr address_of(const Runner *runner, uint32_t slot)
{
  return (CUdeviceptr)(uintptr_t)runner->addresses[slot];
}

/* Of a graph the driver does not say which of its kernels failed. */
static void describe_last(const Runner *runner, EchoBuffer *text)
{
  const char *first = runner->first, *last = runner->last;
  if (first != NULL && strcmp(first, last) != 0)
    echo_buffer_printf(text,
                       "; it is one of the kernels from '%s' to '%s', launched as graphs: where "
                       "kernels are timed (--kernels) it is named",
                       first, last);
  else
    echo_buffer_printf(text, "; the last kernel launched is '%s'", last != NULL ? last : "none");
}

/* Waits for the compute stream, and, where `for_calls`, for all calls; what went wrong in a kernel
 * shows here. */
static bool wait_for(Runner *runner, bool for_calls)
{
  CUresult result;
  if (!echo_cuda_calls_wait(&runner->run, runner->step, runner->times, for_calls, &result))
    return false;
  if (result == CUDA_SUCCESS) {
    runner->first = runner->last = NULL;
    return true;
  }
  EchoBuffer text = {0};
  echo_cuda_describe(&runner->cuda->driver, result, "cuStreamSynchronize", &text);
  describe_last(runner, &text);
  echo_error(runner->ctx, echo_loc_unknown(), "%s", echo_buffer_c_str(&text));
  echo_buffer_destroy(&text);
  return false;
}

static bool wait_here(Runner *runner)
{
  return wait_for(runner, false);
}

static bool launch_phases(Runner *runner, const EchoInstruction *instruction)
{
  const EchoCudaKernel *kernel = instruction->kernel->cuda;
  for (size_t i = 0; i < instruction->n_slots; i++)
    runner->values[i] = address_of(runner, instruction->slots[i]);
  if (kernel->call != NULL) {
    runner->first = runner->last = kernel->name.data;
    return echo_cuda_library_launch(runner->ctx, runner->cuda, kernel->call, runner->values);
  }
  for (size_t i = 0; i < kernel->n_phases; i++) {
    const EchoCudaPhase *phase = &kernel->phases[i];
    if (phase->grid == 0)
      continue;
    runner->first = runner->last = phase->name;
    CUresult result = runner->driver->launch(phase->function, phase->grid, 1, 1, phase->block, 1, 1,
                                             phase->shared_bytes, runner->cuda->compute,
                                             runner->parameters, NULL);
    if (!echo_cuda_check(runner->ctx, runner->cuda, result, "cuLaunchKernel", phase->name))
      return false;
  }
  return true;
}

/* It is over when this returns: whoever waits for it by its event waits for nothing. */
static bool run_host_call(Runner *runner, const EchoInstruction *instruction)
{
  const EchoKernelCode *kernel = instruction->kernel;
  EchoCudaHostCall call;
  echo_cuda_host_call_begin(&call, instruction, runner->staging);
  bool ok = echo_cuda_host_call_read(&call, &runner->run) && wait_here(runner) &&
            echo_cuda_host_call_make(&call, &runner->run);
  uint64_t ns = echo_cuda_host_call_end(&call);
  if (ok && runner->times != NULL)
    echo_kernel_time_add(&runner->times[kernel->number], ns, ns);
  return ok;
}

static bool run_call(Runner *runner, const EchoInstruction *instruction)
{
  if (echo_library_kernel_is_of_host(instruction->kernel->library))
    return run_host_call(runner, instruction);
  return echo_cuda_call_begin(&runner->run, runner->step, instruction) &&
         (instruction->is_of_call ||
          echo_cuda_call_join(&runner->run, runner->step, instruction->event));
}

static bool run_launch(Runner *runner, const EchoInstruction *instruction)
{
  if (instruction->kernel->library != NULL)
    return run_call(runner, instruction);
  const EchoCudaDriver *driver = runner->driver;
  CUstream compute = runner->cuda->compute;
  float milliseconds = 0;
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
static bool read_selector(Runner *runner, const EchoInstruction *instruction, size_t bytes)
{
  return (runner->step->selector != NULL ||
          check(runner, runner->driver->host_alloc(&runner->step->selector, 16, 0),
                "cuMemHostAlloc")) &&
         check(runner,
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
  if (instruction->is_counted && runner->times == NULL) {
    for (uint64_t i = 0; i < instruction->n_trips; i++)
      if (!run_block(runner, &instruction->blocks[1]))
        return false;
    return true;
  }
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
  if (instruction->is_of_call)
    return echo_cuda_call_join(&runner->run, runner->step, instruction->event);
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

/* ---- graphs ---- */

static void forget_block(EchoCudaBlock *block, const EchoCuda *cuda)
{
  for (size_t i = 0; i < block->pieces.size; i++)
    echo_cuda_graph_destroy(&block->pieces.data[i].graph, cuda);
  echo_vector_destroy(&block->pieces);
}

/* Where the driver refuses conditional nodes: without them, from now on. */
static bool make_graph(Runner *runner, Piece *piece, const EchoInstruction *first, size_t *n)
{
  EchoCudaRun silent = runner->run;
  silent.ctx = NULL;
  if (!echo_cuda_graph_has_conditions(first, *n))
    return echo_cuda_graph_create(&piece->graph, &runner->run, first, *n);
  if (echo_cuda_graph_create(&piece->graph, &silent, first, *n))
    return true;
  echo_cuda_graph_destroy(&piece->graph, runner->cuda);
  echo_warning(runner->ctx, echo_loc_unknown(),
               "the driver refuses a graph with conditional nodes: the host waits for the values "
               "that control flow depends on");
  echo_cuda_conditions_give_up(runner->cuda);
  *n = echo_cuda_graph_reach(runner->cuda, first, *n);
  return *n == 0 || echo_cuda_graph_create(&piece->graph, &runner->run, first, *n);
}

static bool make_pieces(Runner *runner, const EchoProgramBlock *block, EchoCudaBlock *made)
{
  bool ok = true;
  for (size_t i = 0; i < block->size && ok;) {
    const EchoInstruction *first = &block->instructions[i];
    size_t n = echo_cuda_graph_reach(runner->cuda, first, block->size - i);
    Piece piece = {0};
    if (n != 0)
      ok = make_graph(runner, &piece, first, &n);
    piece.control = n == 0 ? first : NULL;
    echo_vector_push(&made->pieces, piece);
    i += n == 0 ? 1 : n;
  }
  if (!ok)
    forget_block(made, runner->cuda);
  made->is_made = ok;
  return ok;
}

static bool launch_graph(Runner *runner, EchoCudaGraph *graph)
{
  const char *last = echo_cuda_graph_kernel_or_null(graph, false);
  if (runner->first == NULL)
    runner->first = echo_cuda_graph_kernel_or_null(graph, true);
  runner->last = last != NULL ? last : runner->last;
  return echo_cuda_graph_launch(graph, &runner->run);
}

static bool run_graphs(Runner *runner, const EchoProgramBlock *block)
{
  EchoCudaBlock *made = &runner->step->blocks[block->number];
  bool ok = made->is_made || make_pieces(runner, block, made);
  for (size_t i = 0; i < made->pieces.size && ok; i++) {
    Piece *piece = &made->pieces.data[i];
    if (piece->control != NULL) {
      ok = run_instruction(runner, piece->control);
      continue;
    }
    ok = launch_graph(runner, &piece->graph);
  }
  return ok;
}

static bool run_block(Runner *runner, const EchoProgramBlock *block)
{
  if (runner->times == NULL)
    return run_graphs(runner, block);
  for (size_t i = 0; i < block->size; i++)
    if (!run_instruction(runner, &block->instructions[i]))
      return false;
  return true;
}

/* ---- a step ---- */

static void create_step(EchoCudaStep *step, const EchoProgram *program)
{
  size_t n = program->slots.size;
  if (step->done != NULL)
    return;
  step->n_events = program->n_events;
  step->n_blocks = program->n_blocks;
  step->done = echo_alloc_zero(step->n_events + 1, sizeof(CUevent));
  step->calls = echo_alloc_zero(step->n_events + 1, sizeof(EchoCudaCall));
  step->blocks = echo_alloc_zero(step->n_blocks + 1, sizeof(EchoCudaBlock));
  step->addresses = echo_alloc_zero(n + 1, sizeof(void *));
  step->changed_at = echo_alloc_zero(n + 1, sizeof(uint64_t));
}

static bool create_events(const Runner *runner)
{
  const EchoCudaDriver *driver = runner->driver;
  EchoCudaStep *step = runner->step;
  return (step->now != NULL ||
          check(runner, driver->event_create(&step->now, 0), "cuEventCreate")) &&
         (step->before != NULL ||
          check(runner, driver->event_create(&step->before, 0), "cuEventCreate"));
}

/* What lies elsewhere than in the run before. */
static EchoCudaRun begin_run(EchoContext *ctx, EchoCuda *cuda, EchoCudaStep *step, size_t n_slots,
                             void *const *addresses, void *host)
{
  step->n_runs++;
  for (size_t i = 0; i <= n_slots; i++) {
    void *address = i < n_slots ? addresses[i] : host;
    if (step->addresses[i] == address)
      continue;
    step->addresses[i] = address;
    step->changed_at[i] = step->last_change = step->n_runs;
  }
  return (EchoCudaRun){.ctx = ctx,
                       .cuda = cuda,
                       .number = step->n_runs,
                       .addresses = addresses,
                       .host = host,
                       .changed_at = step->changed_at,
                       .n_slots = n_slots,
                       .last_change = step->last_change};
}

void echo_cuda_step_destroy(EchoCudaCode *code)
{
  EchoCudaStep *step = &code->step;
  for (size_t i = 0; i < step->n_blocks; i++)
    forget_block(&step->blocks[i], code->cuda);
  for (size_t i = 0; i < step->n_events; i++)
    if (step->done[i] != NULL)
      code->cuda->driver.event_destroy(step->done[i]);
  echo_cuda_calls_destroy(step, code->cuda);
  if (step->now != NULL)
    code->cuda->driver.event_destroy(step->now);
  if (step->before != NULL)
    code->cuda->driver.event_destroy(step->before);
  if (step->selector != NULL)
    code->cuda->driver.host_free(step->selector);
  echo_free(step->done);
  echo_free(step->blocks);
  echo_free(step->addresses);
  echo_free(step->changed_at);
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
                   .staging = host != NULL ? (char *)host + program->staged_at : NULL,
                   .times = times,
                   .values = echo_alloc_zero(n, sizeof(CUdeviceptr)),
                   .parameters = echo_alloc_array(n, sizeof(void *)),
                   .step = &code->step};
  for (size_t i = 0; i < n; i++)
    runner.parameters[i] = &runner.values[i];
  create_step(&code->step, program);
  runner.run = begin_run(ctx, cuda, &code->step, program->slots.size, addresses, host);
  bool ok = check(&runner, cuda->driver.context_set(cuda->context), "cuCtxSetCurrent") &&
            (times == NULL || create_events(&runner)) && run_block(&runner, &program->main) &&
            wait_for(&runner, true);
  if (!ok)
    echo_cuda_calls_end(&code->step);       /* nobody waits for others now */
  (void)cuda->driver.context_synchronize(); /* copies, and what failed, are over with the step */
  echo_free(runner.values);
  echo_free(runner.parameters);
  return ok;
}
