/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The driver is found when a GPU is asked for, and stays: it cannot be unloaded safely. */
#include <dlfcn.h>

#include "jit/runtime/cuda/cuda_t.h"

static const char LIBRARY[] = "libcuda.so.1";
/* PTX 7.8, which we emit, came with CUDA 11.8. */
enum { OLDEST_DRIVER = 11080 };
/* Conditional nodes came with CUDA 12.3. */
enum { OLDEST_WITH_LATER_CALLS = 12030 };

/* ISO C has no cast from an object pointer to a function pointer; POSIX promises that the bytes
 * agree. */
static bool find(void *handle, const char *symbol, void *function)
{
  void *address = dlsym(handle, symbol);
  memcpy(function, &address, sizeof address);
  return address != NULL;
}

#define ECHO_CUDA_FIND(name, symbol, parameters)                                                   \
  if (missing == NULL && !find(handle, #symbol, &driver->name))                                    \
    missing = #symbol;

#define ECHO_CUDA_FIND_LATER(name, symbol, parameters) all &= find(handle, #symbol, &driver->name);

static void find_later_calls(EchoCudaDriver *driver, void *handle)
{
  int version = 0;
  bool all = driver->driver_version(&version) == CUDA_SUCCESS && version >= OLDEST_WITH_LATER_CALLS;
  ECHO_CUDA_LATER_CALLS(ECHO_CUDA_FIND_LATER)
  if (!all) {
    driver->conditional_create = NULL;
    driver->graph_add_node = NULL;
  }
}

static bool check_version(const EchoCudaDriver *driver, EchoBuffer *error)
{
  int version = 0;
  CUresult result = driver->driver_version(&version);
  if (result != CUDA_SUCCESS) {
    echo_cuda_describe(driver, result, "cuDriverGetVersion", error);
    return false;
  }
  if (version < OLDEST_DRIVER)
    echo_buffer_printf(
        error, "the CUDA driver is too old: it is of CUDA %d.%d, and our PTX needs %d.%d",
        version / 1000, version % 1000 / 10, OLDEST_DRIVER / 1000, OLDEST_DRIVER % 1000 / 10);
  return version >= OLDEST_DRIVER;
}

bool echo_cuda_driver_load(EchoCudaDriver *driver, EchoBuffer *error)
{
  const char *missing = NULL;
  void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  *driver = (EchoCudaDriver){0};
  if (handle == NULL) {
    echo_buffer_printf(error, "there is no CUDA driver (%s) on this machine: %s", LIBRARY,
                       dlerror());
    return false;
  }
  ECHO_CUDA_CALLS(ECHO_CUDA_FIND)
  if (missing != NULL) {
    echo_buffer_printf(error, "the CUDA driver is too old: it has no %s", missing);
    return false;
  }
  find_later_calls(driver, handle);
  find(handle, "echoCudaCounters", &driver->counters);
  find(handle, "echoCudaFinding", &driver->finding);
  return check_version(driver, error);
}

void echo_cuda_describe(const EchoCudaDriver *driver, CUresult result, const char *call,
                        EchoBuffer *out)
{
  const char *name = NULL, *text = NULL;
  driver->error_name(result, &name);
  driver->error_string(result, &text);
  echo_buffer_printf(out, "%s: %s (%s)", call, name != NULL ? name : "an unknown error",
                     text != NULL ? text : "of no known meaning");
  const char *finding = driver->finding != NULL ? driver->finding() : "";
  if (finding[0] != '\0')
    echo_buffer_printf(out, "; %s", finding);
}

bool echo_cuda_check(EchoContext *ctx, const EchoCuda *cuda, CUresult result, const char *call,
                     const char *kernel)
{
  if (result == CUDA_SUCCESS || ctx == NULL)
    return result == CUDA_SUCCESS;
  EchoBuffer text = {0};
  echo_cuda_describe(&cuda->driver, result, call, &text);
  if (kernel != NULL)
    echo_error(ctx, echo_loc_unknown(), "kernel '%s': %s", kernel, echo_buffer_c_str(&text));
  else
    echo_error(ctx, echo_loc_unknown(), "%s", echo_buffer_c_str(&text));
  echo_buffer_destroy(&text);
  return false;
}
