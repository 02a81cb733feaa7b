/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/memory.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/panic.h"

static EchoOutOfMemoryHook *out_of_memory_hook;
static void *out_of_memory_user;
/* Allocations left until one is made to fail; 0 = never. Atomic, since workers allocate too. */
static _Atomic uint64_t allocations_until_failure;

void echo_memory_set_hook(EchoOutOfMemoryHook *hook, void *user)
{
  out_of_memory_hook = hook;
  out_of_memory_user = user;
}

void echo_memory_fail_at(uint64_t n)
{
  atomic_store_explicit(&allocations_until_failure, n, memory_order_relaxed);
}

ECHO_NORETURN static void out_of_memory(size_t size_bytes)
{
  if (out_of_memory_hook != NULL) {
    out_of_memory_hook(out_of_memory_user, size_bytes);
    abort(); /* the hook must not return */
  }
  fprintf(stderr, "out of memory: could not allocate %zu bytes\n", size_bytes);
  exit(1);
}

static bool must_fail_now(void)
{
  uint64_t left = atomic_load_explicit(&allocations_until_failure, memory_order_relaxed);
  while (ECHO_UNLIKELY(left != 0))
    if (atomic_compare_exchange_weak(&allocations_until_failure, &left, left - 1))
      return left == 1;
  return false;
}

static size_t array_bytes(size_t count, size_t element_bytes)
{
  size_t size_bytes;
  if (__builtin_mul_overflow(count, element_bytes, &size_bytes))
    out_of_memory(SIZE_MAX);
  return size_bytes;
}

/* malloc(0) may return NULL, which callers would take for failure: ask for a byte. */
static size_t at_least_one(size_t size_bytes)
{
  return size_bytes != 0 ? size_bytes : 1;
}

void *echo_alloc(size_t size_bytes)
{
  void *pointer = must_fail_now() ? NULL : malloc(at_least_one(size_bytes));
  if (ECHO_UNLIKELY(pointer == NULL))
    out_of_memory(size_bytes);
  return pointer;
}

/* Large aligned memory is filled from its start: fewer and larger pages cost a fraction of the page
 * faults. A hint, no more. */
static void advise_huge(void *pointer, size_t size_bytes)
{
#ifdef MADV_HUGEPAGE
  enum { LARGE_BYTES = 4 << 20, PAGE_BYTES = 4096 };
  if (size_bytes < LARGE_BYTES)
    return;
  uintptr_t start = ((uintptr_t)pointer + PAGE_BYTES - 1) & ~(uintptr_t)(PAGE_BYTES - 1);
  uintptr_t end = ((uintptr_t)pointer + size_bytes) & ~(uintptr_t)(PAGE_BYTES - 1);
  madvise((void *)start, end - start, MADV_HUGEPAGE);
#else
  (void)pointer, (void)size_bytes;
#endif
}

void *echo_alloc_zero(size_t count, size_t element_bytes)
{
  size_t size_bytes = array_bytes(count, element_bytes);
  void *pointer = must_fail_now() ? NULL : calloc(1, at_least_one(size_bytes));
  if (ECHO_UNLIKELY(pointer == NULL))
    out_of_memory(size_bytes);
  return pointer;
}

void *echo_alloc_array(size_t count, size_t element_bytes)
{
  return echo_alloc(array_bytes(count, element_bytes));
}

void *echo_realloc_array(void *pointer, size_t count, size_t element_bytes)
{
  size_t size_bytes = array_bytes(count, element_bytes);
  void *moved = must_fail_now() ? NULL : realloc(pointer, at_least_one(size_bytes));
  if (ECHO_UNLIKELY(moved == NULL))
    out_of_memory(size_bytes);
  return moved;
}

void *echo_alloc_aligned(size_t size_bytes, size_t alignment)
{
  if (alignment < sizeof(void *))
    alignment = sizeof(void *);
  void *pointer = NULL;
  if (must_fail_now() || posix_memalign(&pointer, alignment, at_least_one(size_bytes)) != 0)
    out_of_memory(size_bytes);
  advise_huge(pointer, size_bytes);
  return pointer;
}

void echo_free(void *pointer)
{
  free(pointer);
}
