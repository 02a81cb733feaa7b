/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/executable.h"

#include <inttypes.h>

#include "base/map.h"
#include "dialects/echo/stages.h"
#include "dialects/func/build.h"
#include "dialects/interfaces/denormals.h"
#include "dialects/plan/plan.h"
#include "ir/symbol.h"
#include "jit/runtime/cuda/code_t.h"
#include "jit/runtime/program_t.h"

struct EchoExecutable {
  EchoContext *ctx;
  EchoDevice *device;
  EchoArena memory;
  EchoImage image;
  EchoCudaCode cuda; /* of a GPU */
  EchoProgram program;
  ECHO_VECTOR(EchoLibraryKernel *) libraries;
  size_t n_args, n_results, n_hidden; /* results that the caller does not see come last */
  bool draws;                         /* behind the arguments stands what it draws from */
  uint64_t seed, next_run;            /* of what it draws */
  const EchoType **arg_types, **result_types;
  int64_t *result_alias; /* result -> argument, or -1 */
  int64_t *result_place; /* result -> argument of the planned main that is its storage */
  bool *is_overwritten;  /* argument -> whether a run may leave something else in it */
  bool *is_in_host;      /* argument -> whether the caller has it in the host's memory */
  bool *result_in_host;  /* result -> whether it is to be there */
  bool overwrites_any, flushes_denormals;
  EchoExecutableMemory bytes;
  EchoDeviceBuffer *arena, *constants, *host, *random_state; /* NULL until the first run */
  ECHO_VECTOR(EchoKernelTime) times;                         /* by number of the kernel */
  bool is_timed;
};

static EchoKernelCode *add_code(EchoExecutable *executable, EchoStringMap *kernels, EchoStr name)
{
  EchoKernelCode *code = ECHO_ARENA_NEW(&executable->memory, EchoKernelCode);
  *code = (EchoKernelCode){.number = executable->times.size};
  echo_vector_push(&executable->times, (EchoKernelTime){.name = name});
  echo_string_map_set(kernels, name, (uint64_t)(uintptr_t)code);
  return code;
}

static bool load_libraries(EchoExecutable *executable, EchoStringMap *kernels)
{
  const EchoOp *module = executable->image.module;
  for (EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next) {
    if (!echo_op_is(op, "kernel.library"))
      continue;
    EchoLibraryKernel *library = echo_library_kernel_create_or_null(op);
    if (library == NULL)
      return false;
    echo_vector_push(&executable->libraries, library);
    add_code(executable, kernels, echo_symbol_name(op))->library = library;
  }
  return true;
}

static bool load_kernels(EchoExecutable *executable, EchoStringMap *kernels)
{
  const EchoImage *image = &executable->image;
  for (size_t i = 0; i < image->kernels.size; i++) {
    EchoKernelCode *code = add_code(executable, kernels, image->kernels.data[i].name);
    code->phases = image->kernels.data[i].phases;
    code->n_phases = image->kernels.data[i].n_phases;
  }
  return load_libraries(executable, kernels);
}

static bool load_gpu_kernels(EchoExecutable *executable, EchoCuda *cuda, EchoStringMap *kernels)
{
  if (!echo_cuda_code_load(&executable->cuda, executable->ctx, cuda, &executable->image))
    return false;
  for (size_t i = 0; i < executable->cuda.kernels.size; i++) {
    const EchoCudaKernel *kernel = &executable->cuda.kernels.data[i];
    add_code(executable, kernels, kernel->name)->cuda = kernel;
  }
  return load_libraries(executable, kernels);
}

/* The tensor type of a memref. */
static const EchoType *tensor_of(EchoContext *ctx, const EchoType *memref)
{
  return echo_type_tensor(ctx, memref->as.shaped.dims, memref->as.shaped.rank,
                          memref->as.shaped.element, NULL);
}

enum { RANDOM_STATE_BYTES = ECHO_RANDOM_STATE_WORDS * sizeof(uint64_t) };

/* Arguments of the planned main are the arguments of the step, then the state of random numbers if
 * it draws any, then the results with storage of their own. */
static bool read_signature(EchoExecutable *executable, const EchoOp *main)
{
  const EchoBlock *body = echo_op_body(main, 0);
  size_t n = body->n_args;
  EchoArena *memory = &executable->memory;
  executable->arg_types = ECHO_ARENA_ARRAY(memory, const EchoType *, n + 1);
  executable->result_types = ECHO_ARENA_ARRAY(memory, const EchoType *, n + 1);
  executable->result_alias = ECHO_ARENA_ARRAY(memory, int64_t, n + 1);
  executable->result_place = ECHO_ARENA_ARRAY(memory, int64_t, n + 1);
  executable->is_overwritten = ECHO_ARENA_ARRAY(memory, bool, n + 1);
  executable->is_in_host = ECHO_ARENA_ARRAY(memory, bool, n + 1);
  executable->result_in_host = ECHO_ARENA_ARRAY(memory, bool, n + 1);
  for (size_t i = 0; i < n; i++)
    executable->result_types[i] = NULL;
  for (size_t i = 0; i < n; i++) {
    const EchoType *type = tensor_of(executable->ctx, echo_block_arg(body, i)->type);
    const EchoAttr *own = echo_func_arg_attr_or_null(main, i, "plan.result");
    const EchoAttr *alias = echo_func_arg_attr_or_null(main, i, "tf.aliasing_output");
    const EchoAttr *result = own != NULL ? own : alias;
    uint64_t bytes = echo_type_static_bytes(type);
    if (own != NULL) {
      executable->bytes.result_bytes += bytes;
    } else if (executable->n_args < i) {
      return echo_op_error(main, "argument %zu stands behind the place of a result", i);
    } else if (echo_func_arg_attr_or_null(main, i, ECHO_RANDOM_STATE) != NULL) {
      executable->draws = true;
      executable->bytes.arg_bytes += bytes;
      if (bytes != RANDOM_STATE_BYTES)
        return echo_op_error(main, "argument %zu is no state of random numbers", i);
    } else {
      bool is_overwritten =
          alias != NULL || echo_func_arg_attr_or_null(main, i, "jax.buffer_donor") != NULL;
      executable->is_overwritten[i] = is_overwritten;
      executable->overwrites_any |= is_overwritten;
      executable->is_in_host[i] = echo_plan_is_in_host(main, i);
      executable->arg_types[executable->n_args++] = type;
      *(executable->is_in_host[i] ? &executable->bytes.host_bytes : &executable->bytes.arg_bytes) +=
          bytes;
    }
    if (result == NULL)
      continue;
    if (result->kind != ECHO_ATTR_INTEGER || result->as.integer.value < 0 ||
        (uint64_t)result->as.integer.value >= n ||
        executable->result_types[result->as.integer.value] != NULL)
      return echo_op_error(main, "argument %zu names an impossible result", i);
    size_t r = (size_t)result->as.integer.value;
    executable->result_types[r] = type;
    executable->result_alias[r] = own != NULL ? -1 : (int64_t)i;
    executable->result_place[r] = (int64_t)i;
    executable->result_in_host[r] = own == NULL && executable->is_in_host[i];
    executable->n_results++;
  }
  for (size_t r = 0; r < executable->n_results; r++)
    if (executable->result_types[r] == NULL)
      return echo_op_error(main, "has no place for result %zu", r);
  int64_t n_hidden = echo_op_attr_i64(main, ECHO_HIDDEN_RESULTS, 0);
  if (n_hidden < 0 || (uint64_t)n_hidden > executable->n_results)
    return echo_op_error(main, "hides %lld of %zu results", (long long)n_hidden,
                         executable->n_results);
  executable->n_hidden = (size_t)n_hidden;
  return true;
}

static EchoOp *find_main(EchoOp *module)
{
  EchoContext *ctx = echo_op_context(module);
  EchoOp *main = echo_symbol_lookup_or_null(module, echo_attr_symbol(ctx, ECHO_STR("main")));
  if (main == NULL || !echo_op_has_trait(main, ECHO_FUNCTION))
    echo_op_error(module, "has no function 'main'");
  return main;
}

static bool build(EchoExecutable *executable)
{
  EchoOp *main = find_main(executable->image.module);
  if (main == NULL || !read_signature(executable, main))
    return false;
  EchoCuda *cuda = echo_device_cuda_or_null(executable->device);
  EchoStringMap kernels = {0};
  bool ok = (cuda != NULL ? load_gpu_kernels(executable, cuda, &kernels)
                          : load_kernels(executable, &kernels)) &&
            echo_program_create(&executable->program, main, &kernels);
  echo_string_map_destroy(&kernels);
  if (!ok)
    return false;
  if (cuda != NULL)
    echo_program_stage(&executable->program, echo_kernel_staged_bytes(executable->image.module));
  EchoExecutableMemory *bytes = &executable->bytes;
  bytes->arena_bytes = executable->program.arena_bytes;
  bytes->constant_bytes = executable->program.constant_bytes;
  bytes->host_bytes += executable->program.host_bytes;
  bytes->library_bytes = executable->cuda.space_bytes;
  bytes->peak_bytes =
      bytes->arg_bytes + bytes->result_bytes + bytes->arena_bytes + bytes->constant_bytes;
  if (bytes->peak_bytes > ECHO_DEVICE_MAX_BYTES || bytes->host_bytes > ECHO_DEVICE_MAX_BYTES)
    return echo_op_error(main, "is planned to take %" PRIu64 " bytes: no device has as much",
                         bytes->peak_bytes);
  return true;
}

EchoExecutable *echo_executable_load_or_null(EchoContext *ctx, EchoDevice *device, EchoImage *image)
{
  if (ctx == NULL || device == NULL || image == NULL || image->module == NULL) {
    if (ctx == NULL)
      return NULL; /* nobody to tell */
    echo_error(ctx, echo_loc_unknown(), "an executable is loaded: '%s' is NULL",
               device == NULL  ? "device"
               : image == NULL ? "image"
                               : "image->module");
    echo_context_flush_diagnostics(ctx);
    return NULL;
  }
  EchoExecutable *executable = echo_alloc_zero(1, sizeof *executable);
  executable->ctx = ctx;
  executable->device = device;
  executable->image = *image;
  *image = (EchoImage){0};
  executable->flushes_denormals = echo_op_flushes_denormals(executable->image.module);
  if (build(executable))
    return executable;
  echo_executable_destroy(executable);
  return NULL;
}

void echo_executable_destroy(EchoExecutable *executable)
{
  if (executable == NULL)
    return;
  echo_executable_release(executable);
  echo_program_destroy(&executable->program);
  for (size_t i = 0; i < executable->libraries.size; i++)
    echo_library_kernel_destroy(executable->libraries.data[i]);
  echo_vector_destroy(&executable->libraries);
  echo_vector_destroy(&executable->times);
  echo_cuda_code_destroy(&executable->cuda);
  echo_image_destroy(&executable->image);
  echo_arena_destroy(&executable->memory);
  echo_free(executable);
}

void echo_executable_library(const EchoExecutable *executable, EchoBuffer *out)
{
  if (executable == NULL || out == NULL)
    return;
  size_t size = out->size;
  echo_cuda_code_library(&executable->cuda, out);
  for (size_t i = 0; i < executable->libraries.size; i++)
    if (out->size == size) /* our own have nothing to say */
      echo_library_describe(echo_library_kernel_library(executable->libraries.data[i]), out);
}

size_t echo_executable_n_args(const EchoExecutable *executable)
{
  return executable != NULL ? executable->n_args : 0;
}

size_t echo_executable_n_results(const EchoExecutable *executable)
{
  return executable != NULL ? executable->n_results - executable->n_hidden : 0;
}

const EchoType *echo_executable_arg_type(const EchoExecutable *executable, size_t i)
{
  size_t n = echo_executable_n_args(executable);
  ECHO_CHECK(i < n, "argument %zu of %zu", i, n);
  return executable->arg_types[i];
}

const EchoType *echo_executable_result_type(const EchoExecutable *executable, size_t i)
{
  size_t n = echo_executable_n_results(executable);
  ECHO_CHECK(i < n, "result %zu of %zu", i, n);
  return executable->result_types[i];
}

int64_t echo_executable_result_alias(const EchoExecutable *executable, size_t i)
{
  size_t n = echo_executable_n_results(executable);
  ECHO_CHECK(i < n, "result %zu of %zu", i, n);
  return executable->result_alias[i];
}

bool echo_executable_overwrites_arg(const EchoExecutable *executable, size_t i)
{
  size_t n = echo_executable_n_args(executable);
  ECHO_CHECK(i < n, "argument %zu of %zu", i, n);
  return executable->is_overwritten[i];
}

bool echo_executable_arg_is_in_host(const EchoExecutable *executable, size_t i)
{
  size_t n = echo_executable_n_args(executable);
  ECHO_CHECK(i < n, "argument %zu of %zu", i, n);
  return executable->is_in_host[i];
}

/* Bytes that are the host's do not count at the device's peak. */
static void move_to_host(EchoExecutableMemory *memory, uint64_t *from, const EchoType *type)
{
  uint64_t bytes = echo_type_static_bytes(type);
  *from -= bytes;
  memory->peak_bytes -= bytes;
  memory->host_bytes += bytes;
}

bool echo_executable_put_in_host(EchoExecutable *executable, const bool *args, const bool *results)
{
  if (executable == NULL)
    return false;
  EchoLoc nowhere = echo_loc_unknown();
  if (args == NULL || results == NULL)
    return echo_error(executable->ctx, nowhere,
                      "'%s' is NULL, which says what is in the host's memory",
                      args == NULL ? "args" : "results");
  if (echo_device_cuda_or_null(executable->device) != NULL)
    return echo_error(executable->ctx, nowhere,
                      "the code of a GPU does not read arguments in the host's memory");
  EchoExecutableMemory *memory = &executable->bytes;
  for (size_t i = 0; i < executable->n_args; i++)
    if (args[i] && !executable->is_in_host[i]) {
      executable->is_in_host[i] = true;
      move_to_host(memory, &memory->arg_bytes, executable->arg_types[i]);
    }
  for (size_t r = 0; r < echo_executable_n_results(executable); r++) {
    executable->result_in_host[r] = results[r];
    if (results[r] && executable->result_alias[r] < 0)
      move_to_host(memory, &memory->result_bytes, executable->result_types[r]);
  }
  return true;
}

bool echo_executable_draws(const EchoExecutable *executable)
{
  return executable != NULL && executable->draws;
}

void echo_executable_seed(EchoExecutable *executable, uint64_t seed, uint64_t run)
{
  if (executable == NULL)
    return;
  executable->seed = seed;
  executable->next_run = run;
}

EchoExecutableMemory echo_executable_memory(const EchoExecutable *executable)
{
  return executable != NULL ? executable->bytes : (EchoExecutableMemory){0};
}

size_t echo_executable_n_kernels(const EchoExecutable *executable)
{
  return executable != NULL ? executable->times.size : 0;
}

size_t echo_executable_n_cache_hits(const EchoExecutable *executable)
{
  return executable != NULL ? executable->image.n_cache_hits : 0;
}

void echo_executable_time_kernels(EchoExecutable *executable, bool is_timed)
{
  if (executable != NULL)
    executable->is_timed = is_timed;
}

const EchoKernelTime *echo_executable_kernel_times(const EchoExecutable *executable, size_t *n)
{
  if (n != NULL)
    *n = executable != NULL ? executable->times.size : 0;
  return executable != NULL ? executable->times.data : NULL;
}

bool echo_executable_counters(const EchoExecutable *executable, size_t kernel,
                              EchoCudaCounters *counters)
{
  return executable != NULL && counters != NULL && executable->cuda.cuda != NULL &&
         echo_cuda_code_counters(&executable->cuda, kernel, counters);
}

static void fill_constants(const EchoProgram *program, char *base)
{
  for (size_t i = 0; i < program->constants.size; i++) {
    const EchoProgramConstant *constant = &program->constants.data[i];
    EchoTensor *tensor = echo_tensor_from_elements(echo_op_attr_or_null(constant->op, "value"));
    memcpy(base + constant->where, tensor->data, (size_t)echo_type_static_bytes(tensor->type));
    echo_tensor_destroy(tensor);
  }
}

static bool write_constants(const EchoExecutable *executable)
{
  uint64_t bytes = executable->program.constant_bytes;
  char *data = echo_alloc_zero((size_t)bytes + 1, 1);
  fill_constants(&executable->program, data);
  bool ok = echo_device_buffer_write(executable->ctx, executable->constants, data, bytes);
  echo_free(data);
  return ok;
}

/* Takes the arena and the constants from the device and fills in the constants. */
static bool acquire(EchoExecutable *executable)
{
  const EchoProgram *program = &executable->program;
  EchoContext *ctx = executable->ctx;
  EchoDevice *device = executable->device;
  if (executable->arena != NULL)
    return true;
  executable->arena = echo_device_buffer_create_or_null(ctx, device, program->arena_bytes);
  executable->constants = echo_device_buffer_create_or_null(ctx, device, program->constant_bytes);
  executable->host = echo_device_host_buffer_create_or_null(ctx, device, program->host_bytes);
  if (executable->draws)
    executable->random_state = echo_device_buffer_create_or_null(ctx, device, RANDOM_STATE_BYTES);
  if (executable->arena != NULL && executable->constants != NULL && executable->host != NULL &&
      (executable->random_state != NULL) == executable->draws && write_constants(executable))
    return true;
  echo_executable_release(executable);
  return false;
}

void echo_executable_release(EchoExecutable *executable)
{
  if (executable == NULL)
    return;
  echo_device_buffer_destroy(executable->arena);
  echo_device_buffer_destroy(executable->constants);
  echo_device_buffer_destroy(executable->host);
  echo_device_buffer_destroy(executable->random_state);
  executable->arena = executable->constants = executable->host = executable->random_state = NULL;
}

/* ---- a run ---- */

/* One buffer for two arguments is fine as long as neither is written. */
static bool check_shared(const EchoExecutable *executable, EchoDeviceBuffer *const *args)
{
  EchoMap first_of = {0};
  bool ok = true;
  for (size_t i = 0; i < executable->n_args && ok; i++) {
    uint64_t first;
    if (echo_map_insert(&first_of, echo_key(args[i]), i))
      continue;
    echo_map_get(&first_of, echo_key(args[i]), &first);
    size_t written = executable->is_overwritten[i] ? i : (size_t)first;
    if (executable->is_overwritten[written])
      ok = echo_error(
          executable->ctx, echo_loc_unknown(),
          "'args[%zu]' and 'args[%zu]' are one buffer, but a run overwrites argument %zu",
          (size_t)first, i, written);
  }
  echo_map_destroy(&first_of);
  return ok;
}

static bool check_arg(const EchoExecutable *executable, EchoDeviceBuffer *const *args, size_t i)
{
  EchoContext *ctx = executable->ctx;
  const EchoType *type = executable->arg_types[i];
  uint64_t bytes = echo_type_static_bytes(type);
  if (args[i] == NULL)
    return echo_error(ctx, echo_loc_unknown(), "'args[%zu]' is NULL", i);
  bool is_in_host = echo_device_has_host_buffer(executable->device, args[i]);
  if (!is_in_host && !echo_device_has_buffer(executable->device, args[i]))
    return echo_error(ctx, echo_loc_unknown(), "'args[%zu]' is a buffer of another device", i);
  if (is_in_host != executable->is_in_host[i])
    return echo_error(ctx, echo_loc_unknown(),
                      "'args[%zu]' is in the %s's memory, but argument %zu is to be in the %s's", i,
                      is_in_host ? "host" : "device", i, is_in_host ? "device" : "host");
  if (echo_device_buffer_bytes(args[i]) != bytes)
    return echo_error(ctx, echo_loc_unknown(),
                      "'args[%zu]' has %" PRIu64 " bytes, but argument %zu, %s, has %" PRIu64, i,
                      echo_device_buffer_bytes(args[i]), i, echo_type_text(ctx, type), bytes);
  return true;
}

static bool check_call(const EchoExecutable *executable, EchoDeviceBuffer *const *args,
                       size_t n_args, EchoDeviceBuffer **results, size_t n_results)
{
  EchoContext *ctx = executable->ctx;
  EchoLoc nowhere = echo_loc_unknown();
  if (n_args != executable->n_args)
    return echo_error(ctx, nowhere, "'n_args' is %zu, but there are %zu arguments", n_args,
                      executable->n_args);
  if (n_results != echo_executable_n_results(executable))
    return echo_error(ctx, nowhere, "'n_results' is %zu, but there are %zu results", n_results,
                      echo_executable_n_results(executable));
  if (args == NULL && n_args != 0)
    return echo_error(ctx, nowhere, "'args' is NULL, but there are %zu arguments", n_args);
  if (results == NULL && n_results != 0)
    return echo_error(ctx, nowhere, "'results' is NULL, but there are %zu results", n_results);
  bool ok = true;
  for (size_t i = 0; i < n_args; i++)
    ok &= check_arg(executable, args, i);
  return ok && (!executable->overwrites_any || check_shared(executable, args));
}

/* The first n, of which those in arguments are their owners'. */
static void destroy_results(const EchoExecutable *executable, EchoDeviceBuffer **results, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    if (executable->result_alias[i] < 0)
      echo_device_buffer_destroy(results[i]);
    results[i] = NULL;
  }
}

/* An argument's buffer, or a new one, for each result. */
static bool create_results(EchoExecutable *executable, EchoDeviceBuffer *const *args,
                           EchoDeviceBuffer **results)
{
  for (size_t r = 0; r < executable->n_results; r++) {
    int64_t alias = executable->result_alias[r];
    uint64_t bytes = echo_type_static_bytes(executable->result_types[r]);
    results[r] =
        alias >= 0 ? args[alias]
        : executable->result_in_host[r]
            ? echo_device_host_buffer_create_or_null(executable->ctx, executable->device, bytes)
            : echo_device_buffer_create_or_null(executable->ctx, executable->device, bytes);
    if (results[r] != NULL)
      continue;
    destroy_results(executable, results, r);
    return false;
  }
  return true;
}

/* The key is the seed; runs share it, and have the upper word of the counter apart. */
static bool write_random_state(EchoExecutable *executable)
{
  const uint64_t words[ECHO_RANDOM_STATE_WORDS] = {executable->seed, 0, executable->next_run};
  return !executable->draws ||
         echo_device_buffer_write(executable->ctx, executable->random_state, words, sizeof words);
}

static bool run_program(EchoExecutable *executable, void *const *addresses)
{
  EchoCuda *cuda = echo_device_cuda_or_null(executable->device);
  EchoKernelTime *times = executable->is_timed ? executable->times.data : NULL;
  void *host = echo_device_buffer_address(executable->host);
  bool ok;
  if (cuda != NULL) {
    ok = echo_cuda_program_run(executable->ctx, &executable->cuda, &executable->program, addresses,
                               host, times);
  } else {
    EchoFloatMode before = echo_float_mode_set(executable->flushes_denormals);
    ok = echo_program_run(&executable->program, addresses, host, executable->device, times);
    echo_float_mode_restore(before);
  }
  for (size_t i = 0; times != NULL && i < executable->times.size; ++i)
    echo_kernel_time_end_run(&times[i]);
  return ok;
}

bool echo_executable_execute(EchoExecutable *executable, EchoDeviceBuffer *const *args,
                             size_t n_args, EchoDeviceBuffer **results, size_t n_results)
{
  if (executable == NULL)
    return false;
  if (!check_call(executable, args, n_args, results, n_results)) {
    echo_context_flush_diagnostics(executable->ctx);
    return false;
  }
  const EchoProgram *program = &executable->program;
  size_t n_all = executable->n_results;
  EchoDeviceBuffer **all = echo_alloc_zero(n_all + 1, sizeof *all);
  if (!acquire(executable) || !write_random_state(executable) ||
      !create_results(executable, args, all)) {
    echo_free(all);
    echo_context_flush_diagnostics(executable->ctx);
    return false;
  }
  executable->next_run++;
  void **places = echo_alloc_array(n_args + 1 + n_all + 1, sizeof *places);
  for (size_t i = 0; i < n_args; i++)
    places[i] = echo_device_buffer_address(args[i]);
  if (executable->draws)
    places[n_args] = echo_device_buffer_address(executable->random_state);
  for (size_t r = 0; r < n_all; r++)
    places[executable->result_place[r]] = echo_device_buffer_address(all[r]);
  void **addresses = echo_alloc_array(program->slots.size + 1, sizeof *addresses);
  char *arena = echo_device_buffer_address(executable->arena);
  char *constants = echo_device_buffer_address(executable->constants);
  for (size_t i = 0; i < program->slots.size; i++) {
    EchoSlot slot = program->slots.data[i];
    char *base = slot.kind == ECHO_SLOT_ARG     ? places[slot.where]
                 : slot.kind == ECHO_SLOT_ARENA ? arena
                                                : constants;
    uint64_t offset = slot.kind == ECHO_SLOT_ARG ? slot.offset : slot.where;
    addresses[i] = base != NULL ? base + offset : NULL; /* without bytes: nowhere */
  }
  bool ok = run_program(executable, addresses);
  echo_free(addresses);
  echo_free(places);
  if (!ok) {
    destroy_results(executable, all, n_all);
    echo_context_flush_diagnostics(executable->ctx);
  }
  for (size_t r = 0; r < n_results; r++) {
    results[r] = all[r];
    if (ok && executable->result_alias[r] >= 0 &&
        executable->is_in_host[executable->result_alias[r]] != executable->result_in_host[r])
      echo_device_buffer_count_in(all[r], executable->result_in_host[r]);
  }
  for (size_t r = n_results; r < n_all; r++)
    echo_device_buffer_destroy(all[r]);
  echo_free(all);
  return ok;
}
