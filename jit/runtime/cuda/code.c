/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From an image to functions of the driver: one PTX text, loaded once. */
#include "jit/runtime/cuda/code_t.h"

enum { LOG_BYTES = 8192 };

static bool load_entry(EchoCudaCode *code, EchoContext *ctx, const EchoImagePhase *from,
                       EchoCudaPhase *phase)
{
  *phase = (EchoCudaPhase){
      .name = echo_arena_copy_string(&code->arena, from->entry.data, from->entry.size),
      .grid = from->grid,
      .block = from->block};
  return echo_cuda_check(
      ctx, code->cuda, code->cuda->driver.function_get(&phase->function, code->module, phase->name),
      "cuModuleGetFunction", phase->name);
}

static bool load_entries(EchoCudaCode *code, EchoContext *ctx, const EchoImage *image)
{
  bool ok = true;
  for (size_t i = 0; i < image->kernels.size && ok; i++) {
    const EchoImageKernel *from = &image->kernels.data[i];
    EchoCudaKernel kernel = {.name = from->name, .n_phases = from->n_phases};
    kernel.phases = ECHO_ARENA_ARRAY(&code->arena, EchoCudaPhase, from->n_phases);
    for (size_t k = 0; k < from->n_phases && ok; k++)
      ok = load_entry(code, ctx, &from->phases[k], &kernel.phases[k]);
    echo_vector_push(&code->kernels, kernel);
  }
  return ok;
}

static bool load_text(EchoCudaCode *code, const EchoOp *module, const char *ptx)
{
  char log[LOG_BYTES] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)(uintptr_t)sizeof log};
  CUresult result = code->cuda->driver.module_load(&code->module, ptx, 2, options, values);
  if (result == CUDA_SUCCESS)
    return true;
  EchoBuffer text = {0};
  echo_cuda_describe(&code->cuda->driver, result, "cuModuleLoadDataEx", &text);
  echo_op_error(module, "the driver rejects the PTX of the kernels: %s%s%s",
                echo_buffer_c_str(&text), log[0] != '\0' ? ": " : "", log);
  echo_buffer_destroy(&text);
  return false;
}

/* ---- products ---- */

static void say_none(const EchoCudaCode *code, EchoContext *ctx)
{
  echo_warning(ctx, echo_loc_unknown(), "%s: %zu products are made by kernels of ours",
               echo_buffer_c_str(&code->cuda->cublaslt->none), code->n_products);
}

static bool load_products(EchoCudaCode *code, EchoContext *ctx, const EchoImage *image)
{
  bool ok = true;
  for (size_t i = 0; i < image->kernels.size; i++)
    code->n_products += image->kernels.data[i].product != NULL;
  if (code->n_products == 0)
    return true;
  if (echo_cublaslt_of(code->cuda)->none.size != 0) {
    say_none(code, ctx);
    return true;
  }
  for (size_t i = 0; i < code->kernels.size && ok; i++) {
    EchoCudaKernel *kernel = &code->kernels.data[i];
    const EchoProduct *shape = image->kernels.data[i].product;
    ok = shape == NULL || echo_cuda_product_create(ctx, code->cuda, shape, kernel, image->cache_dir,
                                                   &kernel->product);
    if (kernel->product == NULL)
      continue;
    code->n_library++;
    if (code->space_bytes < kernel->product->space_bytes)
      code->space_bytes = kernel->product->space_bytes;
  }
  return ok;
}

/* One space for all: the compute stream makes one product after the other. */
static bool place_products(EchoCudaCode *code, EchoContext *ctx)
{
  if (code->space_bytes == 0)
    return true;
  void *space = ECHO_CUDA_METHODS.allocate(ctx, code->cuda, code->space_bytes);
  code->space = (CUdeviceptr)(uintptr_t)space;
  for (size_t i = 0; i < code->kernels.size; i++)
    if (code->kernels.data[i].product != NULL)
      code->kernels.data[i].product->space = code->space;
  return space != NULL;
}

void echo_cuda_code_library(const EchoCudaCode *code, EchoBuffer *out)
{
  if (code->n_products == 0)
    return;
  const EchoCublasLt *lt = code->cuda->cublaslt;
  if (lt->none.size != 0) {
    echo_buffer_append_str(out, echo_buffer_str(&lt->none));
    return;
  }
  echo_cublaslt_describe(lt, out);
  echo_buffer_printf(out, " for %zu of %zu products", code->n_library, code->n_products);
}

bool echo_cuda_code_load(EchoCudaCode *code, EchoContext *ctx, EchoCuda *cuda, EchoImage *image)
{
  *code = (EchoCudaCode){.cuda = cuda};
  return image->kernels.size == 0 ||
         (load_text(code, image->module, echo_buffer_c_str(&image->ptx)) &&
          load_entries(code, ctx, image) && load_products(code, ctx, image) &&
          place_products(code, ctx));
}

void echo_cuda_code_destroy(EchoCudaCode *code)
{
  echo_cuda_step_destroy(code);
  for (size_t i = 0; i < code->kernels.size; i++)
    echo_cuda_product_destroy(code->cuda, code->kernels.data[i].product);
  if (code->space != 0)
    ECHO_CUDA_METHODS.release(code->cuda, (void *)(uintptr_t)code->space);
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
  if (of->product != NULL) /* the library's launches are its own */
    return false;
  for (size_t i = 0; i < of->n_phases; i++) {
    EchoCudaCounters phase = {0};
    if (code->cuda->driver.counters(of->phases[i].function, &phase) != CUDA_SUCCESS)
      return false;
    add_counters(counters, &phase);
  }
  return true;
}
