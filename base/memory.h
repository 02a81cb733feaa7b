/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The only door to malloc. Allocation never returns NULL: running out goes through one hook that
 * must not return (it may longjmp), which tests make fire at the n-th call. Sizes of arrays are
 * products that are checked for overflow here, once. */
#ifndef ECHO_BASE_MEMORY_H
#define ECHO_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void EchoOutOfMemoryHook(void *user, size_t size_bytes);

/* Installs the hook; NULL restores the default (message on stderr, exit status 1). */
void echo_memory_set_hook(EchoOutOfMemoryHook *hook, void *user);
/* Makes the n-th allocation from now (1 = the next) fail once; 0 switches failing off. For tests.
 */
void echo_memory_fail_at(uint64_t n);

void *echo_alloc(size_t size_bytes);                        /* uninitialised, 16-byte aligned */
void *echo_alloc_zero(size_t count, size_t element_bytes);  /* zeroed */
void *echo_alloc_array(size_t count, size_t element_bytes); /* uninitialised, product checked */
/* Grows or shrinks `pointer` (NULL allowed) to `count` elements. */
void *echo_realloc_array(void *pointer, size_t count, size_t element_bytes);
void *echo_alloc_aligned(size_t size_bytes, size_t alignment); /* freed by echo_free */
void echo_free(void *pointer);

/* a * b, a + b into *result; false when it does not fit. */
static inline bool echo_mul_u64(uint64_t a, uint64_t b, uint64_t *result)
{
  return !__builtin_mul_overflow(a, b, result);
}
static inline bool echo_add_u64(uint64_t a, uint64_t b, uint64_t *result)
{
  return !__builtin_add_overflow(a, b, result);
}
static inline bool echo_mul_i64(int64_t a, int64_t b, int64_t *result)
{
  return !__builtin_mul_overflow(a, b, result);
}
/* Rounds up to a power of two `alignment`. */
static inline uint64_t echo_align_up(uint64_t value, uint64_t alignment)
{
  return (value + alignment - 1) & ~(alignment - 1);
}

#ifdef __cplusplus
}
#endif

#endif
