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
      .block = from->block,
      .shared_bytes = from->shared_bytes};
  const EchoCudaDriver *driver = &code->cuda->driver;
  return echo_cuda_check(ctx, code->cuda,
                         driver->function_get(&phase->function, code->module, phase->name),
                         "cuModuleGetFunction", phase->name) &&
         (phase->shared_bytes == 0 ||
          echo_cuda_check(ctx, code->cuda,
                          driver->function_set(phase->function,
                                               CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                               (int)phase->shared_bytes),
                          "cuFuncSetAttribute", phase->name));
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

/* ---- libraries ---- */

static void say_none(const EchoCudaCode *code, EchoContext *ctx)
{
  const EchoCudaShare *products = &code->products, *convolutions = &code->convolutions;
  if (products->n != 0 && code->cuda->cublaslt->none.size != 0)
    echo_warning(ctx, echo_loc_unknown(), "%s: %zu products are made by kernels of ours",
                 echo_buffer_c_str(&code->cuda->cublaslt->none), products->n);
  if (convolutions->n != 0 && code->cuda->cudnn->none.size != 0)
    echo_warning(ctx, echo_loc_unknown(), "%s: %zu convolutions are made by kernels of ours",
                 echo_buffer_c_str(&code->cuda->cudnn->none), convolutions->n);
}

/* Counts what libraries may do, and opens those that are asked for. */
static void open_libraries(EchoCudaCode *code, EchoContext *ctx, const EchoImage *image)
{
  for (size_t i = 0; i < image->kernels.size; i++) {
    code->products.n += image->kernels.data[i].product != NULL;
    code->convolutions.n += image->kernels.data[i].convolution != NULL;
  }
  if (code->products.n != 0)
    code->products.is_there = echo_cublaslt_of(code->cuda)->none.size == 0;
  if (code->convolutions.n != 0)
    code->convolutions.is_there = echo_cudnn_of(code->cuda)->none.size == 0;
  say_none(code, ctx);
}

static bool load_calls(EchoCudaCode *code, EchoContext *ctx, const EchoImage *image)
{
  EchoBuffer none = {0};
  bool ok = true;
  open_libraries(code, ctx, image);
  for (size_t i = 0; i < code->kernels.size && ok; i++) {
    EchoCudaKernel *kernel = &code->kernels.data[i];
    const EchoProduct *product = image->kernels.data[i].product;
    const EchoConvolution *convolution = image->kernels.data[i].convolution;
    EchoCudaShare *share = convolution != NULL ? &code->convolutions : &code->products;
    if (product != NULL && share->is_there)
      ok = echo_cuda_product_create(ctx, code->cuda, product, kernel, image->cache_dir,
                                    &kernel->call);
    else if (convolution != NULL && share->is_there)
      ok = echo_cuda_convolution_create(ctx, code->cuda, convolution, kernel, image->cache_dir,
                                        &kernel->call, &none);
    share->n_library += kernel->call != NULL;
  }
  if (ok && none.size != 0)
    echo_warning(ctx, echo_loc_unknown(),
                 "cuDNN makes %zu of %zu convolutions, kernels of ours the others: %s",
                 code->convolutions.n_library, code->convolutions.n, echo_buffer_c_str(&none));
  echo_buffer_destroy(&none);
  return ok;
}

/* One space for all: the compute stream makes one after the other. */
static bool place_calls(EchoCudaCode *code, EchoContext *ctx)
{
  for (size_t i = 0; i < code->kernels.size; i++) {
    const EchoCudaLibraryCall *call = code->kernels.data[i].call;
    uint64_t bytes = call != NULL ? echo_cuda_library_space(call) : 0;
    code->space_bytes = bytes > code->space_bytes ? bytes : code->space_bytes;
  }
  if (code->space_bytes == 0)
    return true;
  void *space = ECHO_CUDA_METHODS.allocate(ctx, code->cuda, code->space_bytes);
  code->space = (CUdeviceptr)(uintptr_t)space;
  for (size_t i = 0; i < code->kernels.size; i++)
    if (code->kernels.data[i].call != NULL)
      code->kernels.data[i].call->space = code->space;
  return space != NULL;
}

void echo_cuda_code_library(const EchoCudaCode *code, EchoBuffer *out)
{
  const EchoCublasLt *lt = code->cuda != NULL ? code->cuda->cublaslt : NULL;
  const EchoCudnn *dnn = code->cuda != NULL ? code->cuda->cudnn : NULL;
  if (code->products.is_there) {
    echo_cublaslt_describe(lt, out);
    echo_buffer_printf(out, " for %zu of %zu products", code->products.n_library, code->products.n);
  } else if (code->products.n != 0) {
    echo_buffer_append_str(out, echo_buffer_str(&lt->none));
  }
  if (code->products.n != 0 && code->convolutions.n != 0)
    echo_buffer_append_c(out, ", ");
  if (code->convolutions.is_there) {
    echo_cudnn_describe(dnn, out);
    echo_buffer_printf(out, " for %zu of %zu convolutions", code->convolutions.n_library,
                       code->convolutions.n);
  } else if (code->convolutions.n != 0) {
    echo_buffer_append_str(out, echo_buffer_str(&dnn->none));
  }
}

bool echo_cuda_code_load(EchoCudaCode *code, EchoContext *ctx, EchoCuda *cuda, EchoImage *image)
{
  *code = (EchoCudaCode){.cuda = cuda};
  return image->kernels.size == 0 ||
         (load_text(code, image->module, echo_buffer_c_str(&image->ptx)) &&
          load_entries(code, ctx, image) && load_calls(code, ctx, image) && place_calls(code, ctx));
}

void echo_cuda_code_destroy(EchoCudaCode *code)
{
  echo_cuda_step_destroy(code);
  for (size_t i = 0; i < code->kernels.size; i++)
    echo_cuda_library_destroy(code->cuda, code->kernels.data[i].call);
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
  if (of->call != NULL) /* the library's launches are its own */
    return false;
  for (size_t i = 0; i < of->n_phases; i++) {
    EchoCudaCounters phase = {0};
    if (code->cuda->driver.counters(of->phases[i].function, &phase) != CUDA_SUCCESS)
      return false;
    add_counters(counters, &phase);
  }
  return true;
}
