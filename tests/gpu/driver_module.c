/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Modules, functions, launches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/gpu/driver.h"

/* With 32 registers a thread, as many fit as a multiprocessor has room for. */
enum { STATIC_SHARED_BYTES = 48 * 1024, NEWEST_PTX = 84, USUAL_REGISTERS = 32 };

static void *option(unsigned n, const CUjit_option *options, void **values, CUjit_option wanted)
{
  for (unsigned i = 0; i < n; i++)
    if (options[i] == wanted)
      return values[i];
  return NULL;
}

/* What ptxas refuses and a mere reader does not see. */
static CUresult check_module(const PtxModule *ptx, char *log, size_t log_bytes)
{
  if (ptx->target > gpu.sm) {
    snprintf(log, log_bytes, "ptx for sm_%u does not run on sm_%u", ptx->target, gpu.sm);
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  if (ptx->version > NEWEST_PTX) {
    snprintf(log, log_bytes, "ptx version %u.%u is newer than the driver's %d.%d",
             ptx->version / 10, ptx->version % 10, NEWEST_PTX / 10, NEWEST_PTX % 10);
    return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  }
  for (size_t i = 0; i < ptx->n_kernels; i++) {
    const PtxKernel *kernel = &ptx->kernels[i];
    if (kernel->shared_bytes > STATIC_SHARED_BYTES) {
      snprintf(log, log_bytes,
               "error: entry function '%s' uses too much shared data (0x%x bytes, 0x%x max)",
               kernel->name, kernel->shared_bytes, STATIC_SHARED_BYTES);
      return CUDA_ERROR_INVALID_PTX;
    }
  }
  return CUDA_SUCCESS;
}

/* With ECHO_GPU_PTXAS=PROGRAM, what it says of registers and spills: lines "Compiling entry
 * function 'NAME'", "… bytes spill stores", "Used N registers". */
static void read_assembler(PtxModule *ptx, FILE *output)
{
  char line[512], name[256] = "";
  PtxKernel *kernel = NULL;
  while (fgets(line, sizeof line, output) != NULL) {
    const char *compiling = strstr(line, "entry function '"), *used = strstr(line, "Used ");
    const char *spills = strstr(line, " bytes spill stores");
    if (compiling != NULL && sscanf(compiling, "entry function '%255[^']'", name) == 1) {
      kernel = NULL;
      for (size_t i = 0; i < ptx->n_kernels; i++)
        if (strcmp(ptx->kernels[i].name, name) == 0)
          kernel = &ptx->kernels[i];
    }
    if (kernel != NULL && used != NULL)
      kernel->n_registers = (uint32_t)strtoul(used + 5, NULL, 10);
    while (spills != NULL && spills > line && spills[-1] >= '0' && spills[-1] <= '9')
      spills--;
    if (kernel != NULL && spills != NULL)
      kernel->spill_bytes = (uint32_t)strtoul(spills, NULL, 10);
  }
}

static void ask_assembler(PtxModule *ptx)
{
  const char *program = getenv("ECHO_GPU_PTXAS");
  char path[] = "/tmp/emulated_gpu_XXXXXX", command[512];
  int file = program != NULL ? mkstemp(path) : -1;
  if (file < 0)
    return;
  size_t size = strlen(ptx->text);
  bool is_written = write(file, ptx->text, size) == (ssize_t)size;
  close(file);
  snprintf(command, sizeof command, "%s -v -arch=sm_%u %s -o /dev/null 2>&1", program, gpu.sm,
           path);
  FILE *output = is_written ? popen(command, "r") : NULL;
  if (output != NULL) {
    read_assembler(ptx, output);
    pclose(output);
  }
  unlink(path);
}

/* Variables of the module take memory of the device at the addresses that they were given. */
static void place_globals(CUmodule module)
{
  const PtxModule *ptx = module->ptx;
  module->globals = calloc(ptx->n_globals + 1, sizeof(Allocation *));
  for (size_t i = 0; i < ptx->n_globals; i++) {
    const PtxVariable *variable = &ptx->globals[i];
    if (variable->space != SPACE_GLOBAL && variable->space != SPACE_CONST)
      continue;
    Allocation *allocation = memory_allocate_or_null(&gpu.memory, variable->bytes);
    allocation->address = variable->address;
    memset(allocation->data, 0, variable->bytes);
    if (variable->init != NULL)
      memcpy(allocation->data, variable->init, variable->bytes);
    Stamp now = ++gpu.stamp;
    Access access = {now, now, now, now, 0, now - 1, 0, false};
    uint64_t ignored = 0;
    shadow_write(&allocation->shadow, 0, variable->bytes, &access, NULL, NULL, &ignored);
    module->globals[i] = allocation;
  }
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned n, CUjit_option *options,
                            void **values)
{
  CUresult result = gpu_check();
  char nowhere[256] = "", *log = option(n, options, values, CU_JIT_ERROR_LOG_BUFFER);
  size_t log_bytes =
      (size_t)(uintptr_t)option(n, options, values, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
  if (result != CUDA_SUCCESS)
    return result;
  if (log == NULL || log_bytes == 0) {
    log = nowhere;
    log_bytes = sizeof nowhere;
  }
  log[0] = '\0';
  PtxModule *ptx = ptx_parse_or_null(image, log, log_bytes);
  if (ptx == NULL)
    return CUDA_ERROR_INVALID_PTX;
  result = check_module(ptx, log, log_bytes);
  if (result != CUDA_SUCCESS) {
    ptx_destroy(ptx);
    return result;
  }
  ask_assembler(ptx);
  CUmodule loaded = calloc(1, sizeof *loaded);
  loaded->ptx = ptx;
  loaded->functions = calloc(ptx->n_kernels + 1, sizeof *loaded->functions);
  for (size_t i = 0; i < ptx->n_kernels; i++) {
    const PtxKernel *kernel = &ptx->kernels[i];
    loaded->functions[i] =
        (struct CUfunc_st){.kernel = kernel,
                           .module = ptx,
                           .max_dynamic_shared = STATIC_SHARED_BYTES - kernel->shared_bytes};
    loaded->functions[i].counters = (Counters){.registers = kernel->n_registers,
                                               .spill_bytes = kernel->spill_bytes,
                                               .shared_bytes = kernel->shared_bytes,
                                               .local_bytes = kernel->local_bytes};
  }
  place_globals(loaded);
  *module = loaded;
  return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module)
{
  CUresult result = gpu_flush();
  for (size_t i = 0; i < module->ptx->n_globals; i++)
    if (module->globals[i] != NULL)
      memory_free(&gpu.memory, module->globals[i]->address);
  free(module->globals);
  ptx_destroy(module->ptx);
  free(module->functions);
  free(module);
  return result;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
  for (size_t i = 0; i < module->ptx->n_kernels; i++) {
    if (strcmp(module->ptx->kernels[i].name, name) != 0)
      continue;
    *function = &module->functions[i];
    return gpu_check();
  }
  return CUDA_ERROR_NOT_FOUND;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
  const PtxKernel *kernel = function->kernel;
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = kernel->max_threads != 0 ? (int)kernel->max_threads : 1024;
    break;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value = (int)kernel->shared_bytes;
    break;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    *value = (int)kernel->local_bytes;
    break;
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    *value = (int)kernel->n_registers;
    break;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = (int)function->max_dynamic_shared;
    break;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
  return gpu_check();
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
  CUresult result = gpu_check();
  if (result != CUDA_SUCCESS)
    return result;
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 ||
      function->kernel->shared_bytes + (unsigned)value > gpu_model()->max_shared)
    return CUDA_ERROR_INVALID_VALUE;
  function->max_dynamic_shared = (uint32_t)value;
  return CUDA_SUCCESS;
}

unsigned gpu_blocks_per_multiprocessor(CUfunction function, unsigned threads, size_t dynamic)
{
  const GpuModel *model = gpu_model();
  const PtxKernel *kernel = function->kernel;
  unsigned warps = (threads + LANES - 1) / LANES;
  unsigned known = kernel->n_registers != 0 ? kernel->n_registers : USUAL_REGISTERS;
  unsigned registers = (known + 7) / 8 * 8, blocks = 32;
  unsigned by_threads = model->threads_per_multiprocessor / (warps * LANES);
  unsigned by_registers = 65536 / (registers * warps * LANES);
  size_t shared = kernel->shared_bytes + dynamic + 1024; /* what the system keeps of each block */
  size_t by_shared = (model->max_shared + 1024) / shared;
  blocks = by_threads < blocks ? by_threads : blocks;
  blocks = by_registers < blocks ? by_registers : blocks;
  return by_shared < blocks ? (unsigned)by_shared : blocks;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n_blocks, CUfunction function,
                                                     int block_size, size_t dynamic_shared)
{
  if (block_size <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  *n_blocks = (int)gpu_blocks_per_multiprocessor(function, (unsigned)block_size, dynamic_shared);
  return gpu_check();
}

CUresult gpu_launch_work(CUfunction function, const uint32_t grid[3], const uint32_t block[3],
                         uint32_t shared_bytes, void **parameters, Work *work)
{
  const PtxKernel *kernel = function->kernel;
  uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
  uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
  if (threads == 0 || blocks == 0 || grid[0] > INT32_MAX || grid[1] > 65535 || grid[2] > 65535)
    return CUDA_ERROR_INVALID_VALUE;
  if (threads > 1024 || (kernel->max_threads != 0 && threads > kernel->max_threads) ||
      shared_bytes > function->max_dynamic_shared)
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  *work = (Work){.kind = WORK_LAUNCH,
                 .function = function,
                 .grid = {grid[0], grid[1], grid[2]},
                 .block = {block[0], block[1], block[2]},
                 .dynamic_shared = shared_bytes,
                 .params = calloc(kernel->param_bytes + 16, 1)};
  for (size_t i = 0; i < kernel->n_params; i++)
    memcpy(work->params + kernel->params[i].offset, parameters[i], kernel->params[i].bytes);
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void **parameters, void **extra)
{
  const uint32_t grid[] = {grid_x, grid_y, grid_z}, block[] = {block_x, block_y, block_z};
  Work work;
  CUresult result = extra != NULL ? CUDA_ERROR_INVALID_VALUE : gpu_check();
  if (result == CUDA_SUCCESS)
    result = gpu_launch_work(function, grid, block, shared_bytes, parameters, &work);
  if (result != CUDA_SUCCESS)
    return result;
  work.stream = stream;
  return gpu_submit(&work);
}

void echoCudaScaleTime(CUfunction function, double factor)
{
  function->time_factor = factor;
}

CUresult echoCudaCounters(CUfunction function, EchoCudaCounters *counters)
{
  *counters = function->counters;
  return gpu_check();
}
