/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/bundle/native_t.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"

struct EchoNative {
  char *pages;
  size_t size;
};

#define IMPORT_ADDRESS(name) (void (*)(void))(name),
static void (*const IMPORTS[])(void) = {ECHO_KERNEL_IMPORTS(IMPORT_ADDRESS)};

enum { NUMBERS_A_CELL = 3 };

/* One cell: eight bytes of the code, a function of C or -1, and a place in the code. */
static bool fill_cell(EchoNative *native, int64_t where, int64_t import, int64_t offset_of)
{
  uint64_t size = native->size, address;
  if (where < 0 || (uint64_t)where > size || size - (uint64_t)where < sizeof address)
    return false;
  if (import == -1) {
    if (offset_of < 0 || (uint64_t)offset_of > size)
      return false;
    address = (uint64_t)(uintptr_t)native->pages + (uint64_t)offset_of;
  } else {
    if (import < 0 || import >= ECHO_N_KERNEL_IMPORTS || offset_of != 0)
      return false;
    address = (uint64_t)(uintptr_t)IMPORTS[import];
  }
  memcpy(native->pages + where, &address, sizeof address);
  return true;
}

static bool fill_cells(EchoNative *native, const EchoAttr *cells)
{
  size_t n = echo_attr_ints_size(cells);
  bool ok = n % NUMBERS_A_CELL == 0;
  for (size_t i = 0; i < n && ok; i += NUMBERS_A_CELL)
    ok = fill_cell(native, echo_attr_ints_get(cells, i), echo_attr_ints_get(cells, i + 1),
                   echo_attr_ints_get(cells, i + 2));
  return ok;
}

EchoNative *echo_native_create_or_null(EchoContext *ctx, EchoStr code, const EchoAttr *cells)
{
  EchoNative *native = echo_alloc_zero(1, sizeof *native);
  native->size = code.size;
  if (code.size == 0)
    return native;
  void *pages = mmap(NULL, code.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) {
    echo_error(ctx, echo_loc_unknown(), "there is no memory for %zu bytes of code: %s", code.size,
               strerror(errno));
    echo_free(native);
    return NULL;
  }
  native->pages = memcpy(pages, code.data, code.size);
  bool ok = fill_cells(native, cells) ||
            echo_error(ctx, echo_loc_unknown(), "the code has cells that lie outside of it");
  ok = ok && (mprotect(pages, code.size, PROT_READ | PROT_EXEC) == 0 ||
              echo_error(ctx, echo_loc_unknown(), "the system lets no memory become code: %s",
                         strerror(errno)));
  if (ok)
    return native;
  echo_native_destroy(native);
  return NULL;
}

void echo_native_destroy(void *native)
{
  EchoNative *of = native;
  if (of == NULL)
    return;
  if (of->pages != NULL)
    munmap(of->pages, of->size);
  echo_free(of);
}

EchoKernelFn *echo_native_function_or_null(const EchoNative *native, int64_t where)
{
  EchoKernelFn *function;
  if (where < 0 || (uint64_t)where >= native->size)
    return NULL;
  const char *address = native->pages + where;
  /* ISO C has no cast from an object pointer to a function pointer; POSIX promises that the bytes
   * agree. */
  memcpy(&function, &address, sizeof function);
  return function;
}
