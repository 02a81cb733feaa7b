/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/image_t.h"

#include "codegen/loader.h"
#include "dialects/echo/stages.h"
#include "dialects/gpu/gpu.h"
#include "ir/symbol.h"
#include "jit/compile.h"

bool echo_image_check_module(EchoContext *ctx, const EchoOp *module, const char *what)
{
  if (module == NULL)
    return echo_error(ctx, echo_loc_unknown(), "%s is created, but 'module' is NULL", what);
  if (echo_op_context(module) != ctx)
    return echo_error(ctx, echo_loc_unknown(), "%s is created, but 'module' is of another context",
                      what);
  if (!echo_op_is(module, "builtin.module"))
    return echo_op_error(module, "is given as 'module', but it is none");
  EchoStage stage = echo_module_stage(module);
  return stage == ECHO_STAGE_LOOPS ||
         echo_op_error(module, "is at stage '%s', %s is made of 'loops'", echo_stage_name(stage),
                       what);
}

static EchoImageKernel *add_kernel(EchoImage *image, EchoStr name, EchoImagePhase *phases, size_t n)
{
  echo_vector_push(&image->kernels,
                   (EchoImageKernel){.name = name, .phases = phases, .n_phases = n});
  return &echo_vector_last(&image->kernels);
}

/* ---- a GPU ---- */

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

static const EchoProduct *product_or_null(EchoImage *image, const EchoOp *func)
{
  EchoProduct product;
  return echo_kernel_product(func, &product)
             ? echo_arena_copy(&image->memory, &product, sizeof product)
             : NULL;
}

static const EchoConvolution *convolution_or_null(EchoImage *image, const EchoOp *func)
{
  EchoConvolution convolution;
  return echo_kernel_convolution(func, &convolution)
             ? echo_arena_copy(&image->memory, &convolution, sizeof convolution)
             : NULL;
}

static void list_entries(const EchoOp *gpu_module, EchoImage *image)
{
  ECHO_VECTOR(EchoImagePhase) phases = {0};
  const EchoOp *op = echo_op_body(gpu_module, 0)->first;
  while (op != NULL) {
    if (!echo_op_is(op, "gpu.func")) {
      op = op->next;
      continue;
    }
    EchoStr name = kernel_name(echo_symbol_name(op));
    const EchoOp *first = op;
    echo_vector_clear(&phases);
    for (; op != NULL && echo_op_is(op, "gpu.func") &&
           echo_str_equal(kernel_name(echo_symbol_name(op)), name);
         op = op->next)
      echo_vector_push(
          &phases, (EchoImagePhase){.entry = echo_symbol_name(op),
                                    .grid = (unsigned)first_of(op, "known_grid_size"),
                                    .block = (unsigned)first_of(op, "known_block_size"),
                                    .shared_bytes = (unsigned)echo_gpu_dynamic_shared_bytes(op)});
    EchoImageKernel *kernel = add_kernel(
        image, name,
        echo_arena_copy(&image->memory, phases.data, phases.size * sizeof(EchoImagePhase)),
        phases.size);
    kernel->product = product_or_null(image, first);
    kernel->convolution = convolution_or_null(image, first);
  }
  echo_vector_destroy(&phases);
}

bool echo_image_for_gpu(EchoContext *ctx, EchoOp *module, const char *target, EchoImage *image)
{
  const EchoOp *gpu_module = NULL;
  bool has_launch = false;
  *image = (EchoImage){.module = module};
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op)) {
    has_launch |= echo_op_is(op, "kernel.launch");
    if (echo_op_is(op, "gpu.module"))
      gpu_module = op;
  }
  if (gpu_module == NULL)
    return !has_launch || echo_op_error(module, "was lowered for the CPU, and the device is a GPU");
  list_entries(gpu_module, image);
  return echo_codegen_ptx(ctx, module, target, &image->ptx);
}

/* ---- the host ---- */

static void release_loader(void *loader)
{
  echo_loader_destroy(loader);
}

static bool load_kernel(EchoContext *ctx, const EchoCompiledModule *module, size_t kernel,
                        EchoImage *image)
{
  const EchoCompiledKernel *compiled = &module->kernels[kernel];
  if (compiled->first == kernel && !echo_loader_add_object(image->code, ctx, compiled->object))
    return false;
  EchoImagePhase *phases = ECHO_ARENA_ARRAY(&image->memory, EchoImagePhase, compiled->n_phases);
  for (size_t i = 0; i < compiled->n_phases; i++) {
    void *address;
    if (!echo_loader_lookup(image->code, ctx, compiled->phases[i].symbol, &address))
      return false;
    phases[i] = (EchoImagePhase){.n_tasks = compiled->phases[i].n_tasks,
                                 .grain = compiled->phases[i].grain};
    /* ISO C has no cast from an object pointer to a function pointer; POSIX promises that the bytes
     * agree. */
    memcpy(&phases[i].fn, &address, sizeof address);
  }
  add_kernel(image, echo_symbol_name(compiled->func), phases, compiled->n_phases);
  return true;
}

bool echo_image_for_host(EchoContext *ctx, EchoOp *module, const EchoCodegenOptions *options,
                         EchoImage *image)
{
  EchoCompiledModule compiled;
  *image = (EchoImage){.module = module, .code = echo_loader_create_or_null(ctx)};
  image->release = release_loader;
  if (image->code == NULL || !echo_codegen_compile(ctx, module, options, &compiled))
    return false;
  bool ok = true;
  for (size_t i = 0; i < compiled.n_kernels && ok; i++)
    ok = load_kernel(ctx, &compiled, i, image);
  image->n_cache_hits = compiled.n_cache_hits;
  echo_compiled_module_destroy(&compiled);
  return ok;
}

/* ---- to what runs ---- */

EchoExecutable *echo_executable_create_or_null(EchoContext *ctx, EchoDevice *device, EchoOp *module,
                                               const EchoExecutableOptions *options)
{
  EchoImage image = {0};
  if (ctx == NULL)
    return NULL; /* nobody to tell */
  bool ok = device != NULL ||
            echo_error(ctx, echo_loc_unknown(), "an executable is created, but 'device' is NULL");
  ok = ok && echo_image_check_module(ctx, module, "an executable");
  if (!ok) {
    echo_context_flush_diagnostics(ctx);
    return NULL;
  }
  const char *target = echo_device_target(device);
  const EchoCodegenOptions codegen = {.cpu = options != NULL ? options->cpu : NULL,
                                      .cache_dir = options != NULL ? options->cache_dir : NULL,
                                      .pool = echo_device_pool(device)};
  ok = echo_str_is(echo_str(target), "cpu") ? echo_image_for_host(ctx, module, &codegen, &image)
                                            : echo_image_for_gpu(ctx, module, target, &image);
  image.cache_dir = codegen.cache_dir;
  EchoExecutable *executable = ok ? echo_executable_load_or_null(ctx, device, &image) : NULL;
  echo_image_destroy(&image);
  return executable;
}
