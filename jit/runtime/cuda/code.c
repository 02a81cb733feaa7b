/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From a gpu.module to functions of the driver: one PTX text, loaded once. */
#include "jit/runtime/cuda/code_t.h"

#include "ir/symbol.h"

enum { LOG_BYTES = 8192 };

static int64_t first_of(const EchoOp *func, const char *attribute)
{
  const EchoAttr *attr = echo_op_attr_or_null(func, attribute);
  return attr != NULL ? echo_attr_ints_get(attr, 0) : 0;
}

/* "map_0" of "map_0__1": the phases of a kernel stand one after the other. */
static EchoStr kernel_name(EchoStr entry)
{
  for (size_t i = entry.size; i-- > 2;)
    if (entry.data[i - 1] == '_' && entry.data[i - 2] == '_')
      return (EchoStr){entry.data, i - 2};
  return entry;
}

static bool load_entry(EchoCudaCode *code, EchoContext *ctx, const EchoOp *func,
                       EchoCudaPhase *phase)
{
  EchoStr name = echo_symbol_name(func);
  *phase = (EchoCudaPhase){.name = echo_arena_copy_string(&code->arena, name.data, name.size),
                           .grid = (unsigned)first_of(func, "known_grid_size"),
                           .block = (unsigned)first_of(func, "known_block_size")};
  return echo_cuda_check(
      ctx, code->cuda, code->cuda->driver.function_get(&phase->function, code->module, phase->name),
      "cuModuleGetFunction", phase->name);
}

static bool load_entries(EchoCudaCode *code, EchoContext *ctx, const EchoOp *gpu_module)
{
  ECHO_VECTOR(EchoCudaPhase) phases = {0};
  bool ok = true;
  const EchoOp *op = echo_op_body(gpu_module, 0)->first;
  while (op != NULL && ok) {
    if (!echo_op_is(op, "gpu.func")) {
      op = op->next;
      continue;
    }
    EchoStr name = kernel_name(echo_symbol_name(op));
    echo_vector_clear(&phases);
    for (; op != NULL && ok && echo_op_is(op, "gpu.func") &&
           echo_str_equal(kernel_name(echo_symbol_name(op)), name);
         op = op->next) {
      EchoCudaPhase phase;
      ok = load_entry(code, ctx, op, &phase);
      echo_vector_push(&phases, phase);
    }
    EchoCudaKernel kernel = {.name = name, .n_phases = phases.size};
    kernel.phases = echo_arena_copy(&code->arena, phases.data, phases.size * sizeof(EchoCudaPhase));
    echo_vector_push(&code->kernels, kernel);
  }
  echo_vector_destroy(&phases);
  return ok;
}

static bool load_text(EchoCudaCode *code, const EchoOp *gpu_module, const char *ptx)
{
  char log[LOG_BYTES] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)(uintptr_t)sizeof log};
  CUresult result = code->cuda->driver.module_load(&code->module, ptx, 2, options, values);
  if (result == CUDA_SUCCESS)
    return true;
  EchoBuffer text = {0};
  echo_cuda_describe(&code->cuda->driver, result, "cuModuleLoadDataEx", &text);
  echo_op_error(gpu_module, "the driver rejects the PTX of the kernels: %s%s%s",
                echo_buffer_c_str(&text), log[0] != '\0' ? ": " : "", log);
  echo_buffer_destroy(&text);
  return false;
}

bool echo_cuda_code_load(EchoCudaCode *code, EchoContext *ctx, EchoCuda *cuda, EchoOp *module)
{
  const EchoOp *gpu_module = NULL;
  bool has_launch = false;
  *code = (EchoCudaCode){.cuda = cuda};
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op)) {
    has_launch |= echo_op_is(op, "kernel.launch");
    if (echo_op_is(op, "gpu.module"))
      gpu_module = op;
  }
  if (gpu_module == NULL)
    return !has_launch || echo_op_error(module, "was lowered for the CPU, and the device is a GPU");
  EchoBuffer ptx = {0};
  bool ok = echo_codegen_ptx(ctx, module, cuda->target, &ptx) &&
            load_text(code, gpu_module, echo_buffer_c_str(&ptx)) &&
            load_entries(code, ctx, gpu_module);
  echo_buffer_destroy(&ptx);
  return ok;
}

void echo_cuda_code_destroy(EchoCudaCode *code)
{
  echo_cuda_step_destroy(code);
  if (code->module != NULL)
    (void)code->cuda->driver.module_unload(code->module);
  echo_vector_destroy(&code->kernels);
  echo_arena_destroy(&code->arena);
}

static void add_counters(EchoCudaCounters *sum, const EchoCudaCounters *more)
{
  if (sum->n_launches < more->n_launches)
    sum->n_launches = more->n_launches;
  sum->n_blocks += more->n_blocks;
  sum->n_warps += more->n_warps;
  sum->n_threads += more->n_threads;
  sum->warp_instructions += more->warp_instructions;
  sum->thread_instructions += more->thread_instructions;
  sum->requests += more->requests;
  sum->sectors += more->sectors;
  sum->used_bytes += more->used_bytes;
  sum->moved_bytes += more->moved_bytes;
  sum->floor_bytes += more->floor_bytes;
  sum->shared_requests += more->shared_requests;
  sum->bank_conflicts += more->bank_conflicts;
  sum->tensor_flops += more->tensor_flops;
  sum->roofline_ns += more->roofline_ns;
  if (sum->registers < more->registers)
    sum->registers = more->registers;
  if (sum->spill_bytes < more->spill_bytes)
    sum->spill_bytes = more->spill_bytes;
  if (sum->shared_bytes < more->shared_bytes)
    sum->shared_bytes = more->shared_bytes;
  if (sum->local_bytes < more->local_bytes)
    sum->local_bytes = more->local_bytes;
}

bool echo_cuda_code_counters(const EchoCudaCode *code, size_t kernel, EchoCudaCounters *counters)
{
  *counters = (EchoCudaCounters){0};
  if (code->cuda->driver.counters == NULL || kernel >= code->kernels.size)
    return false;
  const EchoCudaKernel *of = &code->kernels.data[kernel];
  for (size_t i = 0; i < of->n_phases; i++) {
    EchoCudaCounters phase = {0};
    if (code->cuda->driver.counters(of->phases[i].function, &phase) != CUDA_SUCCESS)
      return false;
    add_counters(counters, &phase);
  }
  return true;
}
