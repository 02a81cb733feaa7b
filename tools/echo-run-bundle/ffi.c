/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* libffi for a program that is not linked to it: the two functions and the few types that the
 * runtime uses, the functions looked for when the first library call is prepared. */
#include <dlfcn.h>
#include <ffi.h>
#include <pthread.h>
#include <string.h>

#include "base/memory.h"

ffi_type ffi_type_void = {1, 1, FFI_TYPE_VOID, NULL};
ffi_type ffi_type_sint32 = {4, 4, FFI_TYPE_SINT32, NULL};
ffi_type ffi_type_sint64 = {8, 8, FFI_TYPE_SINT64, NULL};
ffi_type ffi_type_float = {sizeof(float), sizeof(float), FFI_TYPE_FLOAT, NULL};
ffi_type ffi_type_double = {sizeof(double), sizeof(double), FFI_TYPE_DOUBLE, NULL};
ffi_type ffi_type_pointer = {sizeof(void *), sizeof(void *), FFI_TYPE_POINTER, NULL};

typedef ffi_status PrepareFn(ffi_cif *, ffi_abi, unsigned, ffi_type *, ffi_type **);
typedef void CallFn(ffi_cif *, void (*)(void), void *, void **);

static PrepareFn *prepare; /* NULL: libffi is not on this machine */
static CallFn *call;

/* ISO C has no cast from an object pointer to a function pointer; POSIX promises that the bytes
 * agree. */
static void load(void)
{
  static const char *const FILES[] = {"libffi.so.8", "libffi.so.7", "libffi.so"};
  void *handle = NULL;
  for (size_t i = 0; i < sizeof FILES / sizeof FILES[0] && handle == NULL; i++)
    handle = dlopen(FILES[i], RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL)
    return;
  void *prepare_address = dlsym(handle, "ffi_prep_cif"), *call_address = dlsym(handle, "ffi_call");
  if (prepare_address == NULL || call_address == NULL)
    return;
  memcpy(&call, &call_address, sizeof call);
  memcpy(&prepare, &prepare_address, sizeof prepare);
}

ffi_status ffi_prep_cif(ffi_cif *cif, ffi_abi abi, unsigned n_args, ffi_type *result,
                        ffi_type **args)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return prepare != NULL ? prepare(cif, abi, n_args, result, args) : FFI_BAD_ABI;
}

void ffi_call(ffi_cif *cif, void (*function)(void), void *result, void **args)
{
  call(cif, function, result, args);
}
