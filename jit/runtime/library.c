/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/library_t.h"

#include "jit/runtime/collective_calls_t.h"

#include <dlfcn.h>
#include <ffi.h>
#include <stdlib.h>

#include "dialects/kernel/call_target.h"
#include "ir/diagnostics.h"
#include "jit/runtime/fft_t.h"
#include "jit/runtime/libraries.h"

/* Libraries by the name that stands in the IR: where they may lie, a function that makes them use
 * one thread a call (OpenBLAS changes bits with its thread count; our pool splits the work
 * instead), and two that say which version it is and for which processor it has chosen its kernels:
 * the bits of its results depend on both. A library older than the processor does not know it, and
 * takes it for `unknown`: with the variable it is told which of its own it can be. */
typedef struct Library {
  const char *name;
  const char *files[4];
  const char *set_threads;
  const char *config, *processor; /* char *f(void) */
  const char *unknown, *variable;
  const char *avx512, *avx2; /* what the variable says of processors that have these */
} Library;

static const Library libraries[] = {
    {.name = "blas",
     .files = {"libopenblas.so.0", "libopenblas.so", NULL},
     .set_threads = "openblas_set_num_threads",
     .config = "openblas_get_config",
     .processor = "openblas_get_corename",
     .unknown = "Prescott",
     .variable = "OPENBLAS_CORETYPE",
     .avx512 = "SkylakeX",
     .avx2 = "Haswell"},
};

struct EchoLibraryKernel {
  EchoLibraryCall call;
  const EchoOp *op;
  int64_t n_tasks, n_items;
  bool is_trap;                 /* nothing to call: it must not be reached */
  const EchoCallTarget *target; /* instead of a function; NULL: none */
  void (*function)(void);
  ffi_cif cif;
  ffi_type *types[ECHO_LIBRARY_MAX_ARGS];
};

/* ISO C has no cast from an object pointer to a function pointer; POSIX promises that the bytes
 * agree. */
static bool find_function(void *handle, const char *symbol, void (**function)(void))
{
  void *address = dlsym(handle, symbol);
  memcpy(function, &address, sizeof address);
  return address != NULL;
}

/* What a function without arguments says; "" where the library lacks it. */
static const char *ask(void *handle, const char *symbol)
{
  void (*function)(void);
  const char *answer =
      find_function(handle, symbol, &function) ? ((char *(*)(void))function)() : NULL;
  return answer != NULL ? answer : "";
}

static void *open_files(const Library *library, int how)
{
  void *handle = NULL;
  for (const char *const *file = library->files; *file != NULL && handle == NULL; file++)
    handle = dlopen(*file, how | RTLD_LOCAL);
  return handle;
}

/* The library's name for what this processor can do; NULL where it has neither. */
static const char *capable_or_null(const Library *library)
{
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return library->avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return library->avx2;
#endif
  (void)library;
  return NULL;
}

/* Loads the library again where it has taken the processor for an unknown one that can do more
 * (OpenBLAS 0.3.21 on processors of 2023 and later: eleven times slower products). It stays as it
 * is where somebody else holds it, or where the user has said which to take. */
static void *reconsidered(const Library *library, void *handle)
{
  const char *capable = capable_or_null(library);
  if (capable == NULL || strcmp(ask(handle, library->processor), library->unknown) != 0 ||
      getenv(library->variable) != NULL)
    return handle;
  dlclose(handle);
  void *held = open_files(library, RTLD_NOW | RTLD_NOLOAD);
  if (held != NULL)
    return held;
  setenv(library->variable, capable, 0);
  handle = open_files(library, RTLD_NOW);
  unsetenv(library->variable);
  return handle;
}

/* dlopen counts references and gives the same handle again, so nothing is cached here. */
static void *open_library(EchoStr name)
{
  for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
    if (!echo_str_is(name, libraries[i].name))
      continue;
    void *handle = open_files(&libraries[i], RTLD_NOW);
    handle = handle != NULL ? reconsidered(&libraries[i], handle) : NULL;
    void (*function)(void);
    if (handle == NULL || !find_function(handle, libraries[i].set_threads, &function))
      return NULL;
    ((void (*)(int))function)(1);
    return handle;
  }
  return NULL;
}

void echo_library_describe(EchoStr name, EchoBuffer *out)
{
  void *handle = open_library(name);
  for (size_t i = 0; handle != NULL && i < sizeof libraries / sizeof libraries[0]; i++) {
    if (!echo_str_is(name, libraries[i].name))
      continue;
    const char *config = ask(handle, libraries[i].config);
    const char *processor = ask(handle, libraries[i].processor);
    size_t name_size = strcspn(config, " "), version = name_size + (config[name_size] == ' ');
    echo_buffer_append(out, config, version + strcspn(config + version, " "));
    echo_buffer_printf(out, "%s%s", processor[0] != '\0' ? ", " : "", processor);
  }
}

static ffi_type *ffi_type_of(EchoLibraryType type)
{
  switch (type) {
  case ECHO_LIBRARY_VOID:
    return &ffi_type_void;
  case ECHO_LIBRARY_I32:
    return &ffi_type_sint32;
  case ECHO_LIBRARY_I64:
    return &ffi_type_sint64;
  case ECHO_LIBRARY_F32:
    return &ffi_type_float;
  case ECHO_LIBRARY_F64:
    return &ffi_type_double;
  case ECHO_LIBRARY_PTR:
    return &ffi_type_pointer;
  }
  ECHO_UNREACHABLE("library type %d", (int)type);
}

/* Routines of our own, library "echo". */
static const struct {
  const char *name;
  void (*function)(void);
} routines[] = {
    {"echo_fft_f32", (void (*)(void))echo_fft_f32},
    {"echo_fft_f64", (void (*)(void))echo_fft_f64},
    {"echo_rfft_f32", (void (*)(void))echo_rfft_f32},
    {"echo_rfft_f64", (void (*)(void))echo_rfft_f64},
    {"echo_irfft_f32", (void (*)(void))echo_irfft_f32},
    {"echo_irfft_f64", (void (*)(void))echo_irfft_f64},
};

static bool find_routine(EchoStr name, void (**function)(void))
{
  for (size_t i = 0; i < sizeof routines / sizeof routines[0]; i++)
    if (echo_str_is(name, routines[i].name)) {
      *function = routines[i].function;
      return true;
    }
  return false;
}

static bool find_symbol(const EchoLibraryCall *call, void (**function)(void))
{
  if (echo_str_is(call->library, "echo"))
    return find_routine(call->symbol, function);
  void *handle = open_library(call->library);
  EchoBuffer symbol = {0};
  echo_buffer_append_str(&symbol, call->symbol);
  bool found = handle != NULL && find_function(handle, echo_buffer_c_str(&symbol), function);
  echo_buffer_destroy(&symbol);
  return found;
}

/* The function of the call, and how it is called. */
static bool prepare(EchoLibraryKernel *kernel)
{
  const EchoLibraryCall *call = &kernel->call;
  if (echo_str_is(call->library, ECHO_LIBRARY_TARGET)) {
    kernel->target =
        echo_context_row_or_null(echo_op_context(kernel->op), ECHO_CALL_TARGET, call->symbol);
    return kernel->target != NULL ||
           echo_op_error(kernel->op, "calls '%.*s', which is not known here",
                         ECHO_STR_ARG(call->symbol));
  }
  bool found = find_symbol(call, &kernel->function);
  if (!found)
    return echo_op_error(kernel->op, "needs '%.*s' of library '%.*s', which is not on this machine",
                         ECHO_STR_ARG(call->symbol), ECHO_STR_ARG(call->library));
  for (size_t i = 0; i < call->n_args; i++)
    kernel->types[i] = ffi_type_of(call->args[i].type);
  ffi_status status = ffi_prep_cif(&kernel->cif, FFI_DEFAULT_ABI, (unsigned)call->n_args,
                                   ffi_type_of(call->result), kernel->types);
  return status == FFI_OK ||
         echo_op_error(kernel->op, "calls '%.*s', for which libffi is not on this machine",
                       ECHO_STR_ARG(call->symbol));
}

EchoLibraryKernel *echo_library_kernel_create_or_null(const EchoOp *library)
{
  EchoLibraryKernel *kernel = echo_alloc_zero(1, sizeof *kernel);
  kernel->op = library;
  echo_kernel_library_call(library, &kernel->call);
  kernel->n_items = echo_kernel_library_n_items(&kernel->call);
  kernel->n_tasks = echo_kernel_library_n_tasks(&kernel->call);
  kernel->is_trap = echo_str_is(kernel->call.library, ECHO_LIBRARY_TRAP);
  if (kernel->is_trap || prepare(kernel))
    return kernel;
  echo_free(kernel);
  return NULL;
}

bool echo_library_kernel_may_fail(const EchoLibraryKernel *kernel)
{
  return kernel->is_trap || kernel->target != NULL;
}

/* What a target is handed: operands before results, of the types that the program has. */
typedef struct Handed {
  const EchoType **types;
  void **values;
  size_t n_operands, n_results;
} Handed;

static Handed hand_over(const EchoLibraryKernel *kernel, void *const *buffers)
{
  const EchoAttr *indices = kernel->call.buffers;
  const EchoType *declared = kernel->call.declared;
  size_t n = echo_attr_ints_size(indices), n_inputs = echo_kernel_n_inputs(kernel->op);
  Handed handed = {.types = echo_alloc_array(n, sizeof *handed.types),
                   .values = echo_alloc_array(n, sizeof *handed.values)};
  for (size_t i = 0; i < n; i++) {
    size_t b = (size_t)echo_attr_ints_get(indices, i);
    handed.types[i] = declared == NULL
                          ? echo_kernel_buffer_type_or_null(kernel->op, b)
                          : (b >= n_inputs ? declared->as.function.results[handed.n_results]
                                           : declared->as.function.inputs[handed.n_operands]);
    handed.values[i] = buffers[b];
    handed.n_operands += b < n_inputs;
    handed.n_results += b >= n_inputs;
  }
  return handed;
}

/* On `stream` of a GPU; NULL: here. */
static bool call_target(const EchoLibraryKernel *kernel, void *const *buffers, void *stream,
                        EchoBuffer *error)
{
  Handed handed = hand_over(kernel, buffers);
  size_t skip = kernel->call.has_token, n = handed.n_operands;
  const EchoTargetCall call = {.config = kernel->call.config,
                               .n_operands = n - skip,
                               .n_results = handed.n_results - skip,
                               .operand_types = handed.types + skip,
                               .result_types = handed.types + n + skip,
                               .operands = (const void *const *)handed.values + skip,
                               .results = handed.values + n + skip,
                               .error = error,
                               .target = kernel->target,
                               .site = kernel};
  if (stream == NULL && skip != 0) /* nothing reads a token on a GPU */
    *(uint8_t *)handed.values[n] = 0;
  bool fine = stream != NULL ? kernel->target->enqueue(&call, stream) : kernel->target->run(&call);
  echo_free(handed.types);
  echo_free(handed.values);
  return fine;
}

bool echo_library_kernel_is_of_host(const EchoLibraryKernel *kernel)
{
  return kernel->target == NULL || kernel->target->enqueue == NULL;
}

EchoCallBuffer echo_library_kernel_buffer(const EchoLibraryKernel *kernel, size_t i)
{
  return kernel->is_trap ? (EchoCallBuffer){0}
                         : echo_kernel_call_buffer(kernel->op, &kernel->call, i);
}

bool echo_library_kernel_enqueue(const EchoLibraryKernel *kernel, void *const *buffers,
                                 void *stream, EchoBuffer *error)
{
  return call_target(kernel, buffers, stream, error);
}

const char *echo_library_kernel_name(const EchoLibraryKernel *kernel)
{
  return kernel->target != NULL ? kernel->target->name : "a call";
}

EchoStr echo_library_kernel_place(const EchoLibraryKernel *kernel)
{
  return echo_collective_call_place(kernel->call.config);
}

bool echo_library_kernel_try(const EchoLibraryKernel *kernel, void *const *buffers,
                             EchoBuffer *error)
{
  if (!kernel->is_trap)
    return call_target(kernel, buffers, NULL, error);
  echo_buffer_append_str(error, kernel->call.symbol);
  return false;
}

bool echo_library_kernel_say(const EchoLibraryKernel *kernel, const EchoBuffer *error)
{
  if (kernel->is_trap)
    return echo_op_error(kernel->op, "%.*s", ECHO_STR_ARG(echo_buffer_str(error)));
  return echo_op_error(kernel->op, "calls '%s', which failed: %.*s", kernel->target->name,
                       ECHO_STR_ARG(echo_buffer_str(error)));
}

void echo_library_kernel_destroy(EchoLibraryKernel *kernel)
{
  echo_free(kernel);
}

EchoStr echo_library_kernel_library(const EchoLibraryKernel *kernel)
{
  return kernel->call.library;
}

int64_t echo_library_kernel_n_tasks(const EchoLibraryKernel *kernel)
{
  return kernel->n_tasks;
}

typedef union LibraryValue {
  int32_t i32;
  int64_t i64;
  float f32;
  double f64;
  void *ptr;
} LibraryValue;

static void set_number(LibraryValue *value, EchoLibraryType type, const EchoLibraryArg *arg)
{
  if (type == ECHO_LIBRARY_F32)
    value->f32 = (float)arg->floating;
  else if (type == ECHO_LIBRARY_F64)
    value->f64 = arg->floating;
  else if (type == ECHO_LIBRARY_I32)
    value->i32 = (int32_t)arg->integer;
  else
    value->i64 = arg->integer;
}

/* Where an item of a task is. */
typedef struct LibraryItem {
  int64_t task;
  int64_t at[ECHO_LIBRARY_MAX_GRID];
} LibraryItem;

static void *buffer_address(const EchoLibraryArg *arg, void *const *buffers,
                            const LibraryItem *item, size_t n_grid)
{
  int64_t offset = 0;
  for (size_t i = 0; i < n_grid; i++)
    offset += item->at[i] * arg->strides[i];
  char *address = (char *)buffers[arg->buffer] + offset;
  if (arg->is_copied)
    memcpy(address, (char *)buffers[arg->from] + offset, (size_t)arg->strides[0]);
  return address + arg->offset;
}

/* `memory` is what a reference points to. */
static void set_argument(const EchoLibraryArg *arg, void *const *buffers, const LibraryItem *item,
                         size_t n_grid, LibraryValue *value, LibraryValue *memory)
{
  switch (arg->kind) {
  case ECHO_LIBRARY_CONSTANT:
    set_number(value, arg->type, arg);
    return;
  case ECHO_LIBRARY_BUFFER:
    value->ptr = buffer_address(arg, buffers, item, n_grid);
    return;
  case ECHO_LIBRARY_TILE: {
    int64_t left = arg->total - item->at[arg->axis] * arg->integer;
    EchoLibraryArg size = {.integer = left < arg->integer ? left : arg->integer};
    set_number(value, arg->type, &size);
    return;
  }
  case ECHO_LIBRARY_REFERENCE:
    set_number(memory, arg->referenced, arg);
    value->ptr = memory;
    return;
  case ECHO_LIBRARY_SPACE:
    value->ptr = (char *)buffers[arg->buffer] + item->task * arg->strides[0];
    return;
  }
}

static void run_item(const EchoLibraryKernel *kernel, void *const *buffers, LibraryItem *item,
                     int64_t number)
{
  const EchoLibraryCall *call = &kernel->call;
  LibraryValue values[ECHO_LIBRARY_MAX_ARGS], memory[ECHO_LIBRARY_MAX_ARGS], result;
  void *pointers[ECHO_LIBRARY_MAX_ARGS];
  for (size_t i = call->n_grid; i-- > 0;) {
    item->at[i] = number % call->grid[i];
    number /= call->grid[i];
  }
  for (size_t i = 0; i < call->n_args; i++) {
    pointers[i] = &values[i];
    set_argument(&call->args[i], buffers, item, call->n_grid, &values[i], &memory[i]);
  }
  ffi_cif cif = kernel->cif; /* ffi_call takes it without const */
  ffi_call(&cif, kernel->function, &result, pointers);
}

void echo_library_kernel_run(const EchoLibraryKernel *kernel, void *const *buffers, int64_t begin,
                             int64_t end)
{
  for (int64_t t = begin; t < end; t++) {
    LibraryItem item = {.task = t};
    int64_t last = kernel->n_items * (t + 1) / kernel->n_tasks;
    for (int64_t i = kernel->n_items * t / kernel->n_tasks; i < last; i++)
      run_item(kernel, buffers, &item, i);
  }
}

/* ---- for the interpreter ---- */

static bool run_invoke(const EchoOp *invoke, void *const *buffers)
{
  EchoLibraryKernel *kernel = echo_library_kernel_create_or_null(invoke);
  if (kernel == NULL)
    return false;
  bool ok = true;
  if (echo_library_kernel_may_fail(kernel)) {
    EchoBuffer error = {0};
    ok =
        echo_library_kernel_try(kernel, buffers, &error) || echo_library_kernel_say(kernel, &error);
    echo_buffer_destroy(&error);
  } else {
    echo_library_kernel_run(kernel, buffers, 0, kernel->n_tasks);
  }
  echo_library_kernel_destroy(kernel);
  return ok;
}

void echo_register_libraries(EchoContext *ctx)
{
  static const EchoLibraryRunner runner = {run_invoke};
  if (ctx != NULL)
    echo_context_register_row(ctx, ECHO_LIBRARY_RUNNER, "calls", &runner);
}
