/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/library_t.h"

#include <dlfcn.h>
#include <ffi.h>
#include <stdlib.h>

#include "ir/diagnostics.h"

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
  int64_t n_tasks;
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

EchoLibraryKernel *echo_library_kernel_create_or_null(const EchoOp *library)
{
  EchoLibraryKernel *kernel = echo_alloc_zero(1, sizeof *kernel);
  EchoLibraryCall *call = &kernel->call;
  echo_kernel_library_call(library, call);
  kernel->n_tasks = echo_kernel_library_n_tasks(call);
  void *handle = open_library(call->library);
  EchoBuffer symbol = {0};
  echo_buffer_append_str(&symbol, call->symbol);
  bool found =
      handle != NULL && find_function(handle, echo_buffer_c_str(&symbol), &kernel->function);
  echo_buffer_destroy(&symbol);
  if (!found) {
    echo_op_error(library, "needs '%.*s' of library '%.*s', which is not on this machine",
                  ECHO_STR_ARG(call->symbol), ECHO_STR_ARG(call->library));
    echo_free(kernel);
    return NULL;
  }
  for (size_t i = 0; i < call->n_args; i++)
    kernel->types[i] = ffi_type_of(call->args[i].type);
  ffi_status status = ffi_prep_cif(&kernel->cif, FFI_DEFAULT_ABI, (unsigned)call->n_args,
                                   ffi_type_of(call->result), kernel->types);
  ECHO_CHECK_OP(status == FFI_OK, library, "libffi refuses the signature (%d)", (int)status);
  return kernel;
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

static void set_integer(LibraryValue *value, EchoLibraryType type, int64_t number)
{
  if (type == ECHO_LIBRARY_I32)
    value->i32 = (int32_t)number;
  else
    value->i64 = number;
}

static void set_argument(const EchoLibraryArg *arg, void *const *buffers, const int64_t *task,
                         size_t n_grid, LibraryValue *value)
{
  switch (arg->kind) {
  case ECHO_LIBRARY_CONSTANT:
    if (arg->type == ECHO_LIBRARY_F32)
      value->f32 = (float)arg->floating;
    else if (arg->type == ECHO_LIBRARY_F64)
      value->f64 = arg->floating;
    else
      set_integer(value, arg->type, arg->integer);
    return;
  case ECHO_LIBRARY_BUFFER: {
    int64_t offset = 0;
    for (size_t i = 0; i < n_grid; i++)
      offset += task[i] * arg->strides[i];
    value->ptr = (char *)buffers[arg->buffer] + offset;
    return;
  }
  case ECHO_LIBRARY_TILE: {
    int64_t left = arg->total - task[arg->axis] * arg->integer;
    set_integer(value, arg->type, left < arg->integer ? left : arg->integer);
    return;
  }
  }
}

void echo_library_kernel_run(const EchoLibraryKernel *kernel, void *const *buffers, int64_t begin,
                             int64_t end)
{
  const EchoLibraryCall *call = &kernel->call;
  LibraryValue values[ECHO_LIBRARY_MAX_ARGS], result;
  void *pointers[ECHO_LIBRARY_MAX_ARGS];
  for (size_t i = 0; i < call->n_args; i++)
    pointers[i] = &values[i];
  for (int64_t t = begin; t < end; t++) {
    int64_t task[ECHO_LIBRARY_MAX_GRID], rest = t;
    for (size_t i = call->n_grid; i-- > 0;) {
      task[i] = rest % call->grid[i];
      rest /= call->grid[i];
    }
    for (size_t i = 0; i < call->n_args; i++)
      set_argument(&call->args[i], buffers, task, call->n_grid, &values[i]);
    ffi_cif cif = kernel->cif; /* ffi_call takes it without const */
    ffi_call(&cif, kernel->function, &result, pointers);
  }
}
