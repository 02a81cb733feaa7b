/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/cuda/cublaslt_t.h"

#include <dlfcn.h>

#include "jit/runtime/cuda/cuda_t.h"

static const char *const FILES[] = {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11"};
enum { N_FILES = sizeof FILES / sizeof FILES[0] };

/* ISO C has no cast from an object pointer to a function pointer; POSIX promises that the bytes
 * agree. */
static bool find(void *handle, const char *symbol, void *function)
{
  void *address = dlsym(handle, symbol);
  memcpy(function, &address, sizeof address);
  return address != NULL;
}

#define ECHO_CUBLASLT_FIND(type, name, symbol, parameters)                                         \
  if (missing == NULL && !find(lt->library, #symbol, &lt->name))                                   \
    missing = #symbol;

static void open_library(EchoCublasLt *lt)
{
  const char *missing = NULL;
  for (size_t i = 0; i < N_FILES && lt->library == NULL; i++)
    lt->library = dlopen(FILES[i], RTLD_NOW | RTLD_LOCAL);
  if (lt->library == NULL) {
    echo_buffer_printf(&lt->none, "there is no cuBLASLt (%s) on this machine", FILES[0]);
    return;
  }
  ECHO_CUBLASLT_CALLS(ECHO_CUBLASLT_FIND)
  if (missing != NULL) {
    echo_buffer_printf(&lt->none, "cuBLASLt is too old: it has no %s", missing);
    return;
  }
  cublasStatus_t status = lt->create(&lt->handle);
  if (status != CUBLAS_STATUS_SUCCESS)
    echo_buffer_printf(&lt->none, "cuBLASLt cannot be used: cublasLtCreate: %s",
                       lt->status_name(status));
  lt->version = lt->get_version();
}

EchoCublasLt *echo_cublaslt_of(EchoCuda *cuda)
{
  if (cuda->cublaslt == NULL) {
    cuda->cublaslt = echo_alloc_zero(1, sizeof *cuda->cublaslt);
    cuda->cublaslt->choices.what = "product";
    open_library(cuda->cublaslt);
  }
  return cuda->cublaslt;
}

/* The library stays loaded: it has threads and memory of its own. */
void echo_cublaslt_destroy(EchoCublasLt *lt)
{
  if (lt == NULL)
    return;
  if (lt->handle != NULL)
    (void)lt->destroy(lt->handle);
  echo_buffer_destroy(&lt->none);
  echo_library_choices_destroy(&lt->choices);
  echo_free(lt);
}

void echo_cublaslt_describe(const EchoCublasLt *lt, EchoBuffer *out)
{
  echo_buffer_printf(out, "cuBLASLt %zu.%zu.%zu", lt->version / 10000, lt->version / 100 % 100,
                     lt->version % 100);
}
