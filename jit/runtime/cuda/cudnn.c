/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/cuda/cudnn_t.h"

#include <dlfcn.h>

#include "jit/runtime/cuda/cuda_t.h"

static const char FILE_NAME[] = "libcudnn.so.9";

/* ISO C has no cast from an object pointer to a function pointer; POSIX promises that the bytes
 * agree. */
static bool find(void *handle, const char *symbol, void *function)
{
  void *address = dlsym(handle, symbol);
  memcpy(function, &address, sizeof address);
  return address != NULL;
}

void echo_cudnn_describe(const EchoCudnn *dnn, EchoBuffer *out)
{
  size_t minor_and_patch = dnn->version < CUDNN_OLDEST ? 1000 : 10000; /* 8907 was 8.9.7 */
  echo_buffer_printf(out, "cuDNN %zu.%zu.%zu", dnn->version / minor_and_patch,
                     dnn->version % minor_and_patch / 100, dnn->version % 100);
}

#define ECHO_CUDNN_FIND(type, name, symbol, parameters)                                            \
  if (missing == NULL && !find(dnn->library, #symbol, &dnn->name))                                 \
    missing = #symbol;

static bool find_calls(EchoCudnn *dnn)
{
  const char *missing = NULL;
  dnn->library = dlopen(FILE_NAME, RTLD_NOW | RTLD_LOCAL);
  if (dnn->library == NULL) {
    echo_buffer_printf(&dnn->none, "there is no cuDNN (%s) on this machine", FILE_NAME);
    return false;
  }
  ECHO_CUDNN_CALLS(ECHO_CUDNN_FIND)
  if (missing != NULL)
    echo_buffer_printf(&dnn->none, "cuDNN is too old: it has no %s", missing);
  return missing == NULL;
}

static void open_library(EchoCudnn *dnn, CUstream stream)
{
  if (!find_calls(dnn))
    return;
  dnn->version = dnn->get_version();
  if (dnn->version < CUDNN_OLDEST) {
    echo_cudnn_describe(dnn, &dnn->none);
    echo_buffer_append_c(&dnn->none, " is too old: 9.0 is the first that is used");
    return;
  }
  const char *call = "cudnnCreate";
  cudnnStatus_t status = dnn->create(&dnn->handle);
  if (status == CUDNN_STATUS_SUCCESS) {
    call = "cudnnSetStream";
    status = dnn->set_stream(dnn->handle, stream);
  }
  if (status != CUDNN_STATUS_SUCCESS)
    echo_buffer_printf(&dnn->none, "cuDNN cannot be used: %s: %s", call, dnn->status_name(status));
}

EchoCudnn *echo_cudnn_of(EchoCuda *cuda)
{
  if (cuda->cudnn == NULL) {
    cuda->cudnn = echo_alloc_zero(1, sizeof *cuda->cudnn);
    cuda->cudnn->choices.what = "convolution";
    open_library(cuda->cudnn, cuda->compute);
  }
  return cuda->cudnn;
}

/* The library stays loaded: it has threads and memory of its own. */
void echo_cudnn_destroy(EchoCudnn *dnn)
{
  if (dnn == NULL)
    return;
  if (dnn->handle != NULL)
    (void)dnn->destroy(dnn->handle);
  echo_buffer_destroy(&dnn->none);
  echo_library_choices_destroy(&dnn->choices);
  echo_free(dnn);
}
