/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/memory.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vector.h"
#include "tests/unit/suite.h"

static jmp_buf escape;
static size_t asked_bytes;

static void jump_out(void *user, size_t size_bytes)
{
  (void)user;
  asked_bytes = size_bytes;
  longjmp(escape, 1);
}

static void return_quietly(void *user, size_t size_bytes)
{
  (void)user, (void)size_bytes;
}

START_TEST(blocks_are_aligned_and_usable)
{
  for (size_t size = 0; size < 300; ++size) {
    char *block = echo_alloc(size);
    ck_assert_ptr_nonnull(block);
    ck_assert_uint_eq((uintptr_t)block % 16, 0);
    memset(block, 1, size);
    echo_free(block);
  }
  for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
    char *block = echo_alloc_aligned(100, alignment);
    ck_assert_uint_eq((uintptr_t)block % alignment, 0);
    memset(block, 1, 100);
    echo_free(block);
  }
  echo_free(NULL);
}
END_TEST

START_TEST(zeroed_and_empty)
{
  unsigned char *block = echo_alloc_zero(1000, 3);
  for (size_t i = 0; i < 3000; ++i)
    ck_assert_uint_eq(block[i], 0);
  echo_free(block);
  void *nothing = echo_alloc_zero(0, 8);
  ck_assert_ptr_nonnull(nothing);
  echo_free(nothing);
  nothing = echo_realloc_array(NULL, 0, 8);
  ck_assert_ptr_nonnull(nothing);
  nothing = echo_realloc_array(nothing, 0, 8);
  ck_assert_ptr_nonnull(nothing);
  echo_free(nothing);
}
END_TEST

START_TEST(realloc_keeps_content)
{
  int *numbers = NULL;
  for (size_t n = 1; n <= 4096; n *= 2) {
    numbers = echo_realloc_array(numbers, n, sizeof *numbers);
    for (size_t i = n / 2; i < n; ++i)
      numbers[i] = (int)i;
  }
  numbers = echo_realloc_array(numbers, 100, sizeof *numbers);
  for (int i = 0; i < 100; ++i)
    ck_assert_int_eq(numbers[i], i);
  echo_free(numbers);
}
END_TEST

START_TEST(overflowing_products_go_to_the_hook)
{
  echo_memory_set_hook(jump_out, NULL);
  if (setjmp(escape) == 0) {
    echo_alloc_array(SIZE_MAX / 2, 3);
    ck_abort_msg("an overflowing product was allocated");
  }
  ck_assert_uint_eq(asked_bytes, SIZE_MAX);
  if (setjmp(escape) == 0) {
    echo_alloc_zero(SIZE_MAX, 2);
    ck_abort_msg("an overflowing product was allocated");
  }
  if (setjmp(escape) == 0) {
    echo_realloc_array(NULL, (size_t)1 << 63, 2);
    ck_abort_msg("an overflowing product was allocated");
  }
}
END_TEST

START_TEST(nth_allocation_fails_once)
{
  echo_memory_set_hook(jump_out, NULL);
  volatile int n_fine = 0;
  echo_memory_fail_at(3);
  if (setjmp(escape) == 0)
    for (; n_fine < 10; ++n_fine)
      echo_free(echo_alloc(77));
  ck_assert_int_eq(n_fine, 2);
  ck_assert_uint_eq(asked_bytes, 77);
  echo_free(echo_alloc(77)); /* once only */

  echo_memory_fail_at(1);
  echo_memory_fail_at(0);
  echo_free(echo_alloc(1));
}
END_TEST

START_TEST(every_kind_of_allocation_can_fail)
{
  echo_memory_set_hook(jump_out, NULL);
  for (volatile int kind = 0; kind < 5; ++kind) {
    echo_memory_fail_at(1);
    if (setjmp(escape) != 0)
      continue;
    void *block = kind == 0   ? echo_alloc(1)
                  : kind == 1 ? echo_alloc_zero(1, 1)
                  : kind == 2 ? echo_alloc_array(1, 1)
                  : kind == 3 ? echo_realloc_array(NULL, 1, 1)
                              : echo_alloc_aligned(1, 64);
    echo_free(block);
    ck_abort_msg("allocation of kind %d did not fail", kind);
  }
}
END_TEST

/* Fills one of everything in base/ that grows. */
static void grow_all(EchoArena *arena, EchoMap *map, EchoStringMap *names, EchoBuffer *buffer)
{
  for (uint64_t i = 0; i < 200; ++i) {
    echo_map_set(map, i * 7, i);
    if (i % 3 == 0)
      echo_map_erase(map, i * 7);
    char text[32];
    int size = snprintf(text, sizeof text, "name%d", (int)i);
    const char *copy = echo_arena_copy_string(arena, text, (size_t)size);
    echo_string_map_set(names, echo_str(copy), i);
    echo_buffer_printf(buffer, "%s and a tail that makes it long enough to grow", copy);
    echo_arena_alloc(arena, 300);
  }
}

/* After a failure each container is valid, holds what went in before, and leaks nothing. */
START_TEST(containers_survive_a_failure_at_each_allocation)
{
  echo_memory_set_hook(jump_out, NULL);
  bool failed = true;
  volatile uint64_t n_tried = 0;
  for (volatile uint64_t n = 1; failed; ++n) {
    static EchoArena arena;
    static EchoMap map;
    static EchoStringMap names;
    static EchoBuffer buffer;
    failed = true;
    echo_memory_fail_at(n);
    if (setjmp(escape) == 0) {
      grow_all(&arena, &map, &names, &buffer);
      failed = false;
    }
    echo_memory_fail_at(0);
    EchoMapEntry entry;
    size_t n_seen = 0;
    for (size_t i = 0; echo_map_next(&map, &i, &entry); ++n_seen) {
      ck_assert_uint_eq(entry.key, entry.value * 7);
      ck_assert_uint_eq(echo_map_get_or(&map, entry.key, 999), entry.value);
    }
    ck_assert_uint_eq(n_seen, map.n_live);
    for (size_t i = 0; i < names.n_entries; ++i)
      ck_assert_uint_eq(echo_string_map_get_or(&names, names.entries[i].key, 999), i);
    ck_assert_uint_eq(strlen(echo_buffer_c_str(&buffer)), buffer.size);
    grow_all(&arena, &map, &names, &buffer); /* and goes on working */
    ck_assert_uint_eq(map.n_live, 133);
    ck_assert_uint_eq(names.n_entries, 200);
    echo_arena_destroy(&arena);
    echo_map_destroy(&map);
    echo_string_map_destroy(&names);
    echo_buffer_destroy(&buffer);
    n_tried = n;
  }
  ck_assert_uint_gt(n_tried, 20);
}
END_TEST

START_TEST(vector_survives_a_failure)
{
  echo_memory_set_hook(jump_out, NULL);
  static ECHO_VECTOR(int) numbers;
  for (int i = 0; i < 8; ++i)
    echo_vector_push(&numbers, i);
  echo_memory_fail_at(1);
  if (setjmp(escape) == 0) {
    echo_vector_push(&numbers, 8);
    ck_abort_msg("the allocation did not fail");
  }
  ck_assert_uint_eq(numbers.size, 8);
  ck_assert_uint_eq(numbers.capacity, 8);
  echo_vector_push(&numbers, 8);
  for (int i = 0; i < 9; ++i)
    ck_assert_int_eq(numbers.data[i], i);
  echo_vector_destroy(&numbers);
}
END_TEST

START_TEST(default_hook_exits_with_1)
{
  echo_memory_fail_at(1);
  echo_alloc(42);
}
END_TEST

START_TEST(hook_that_returns_aborts)
{
  echo_memory_set_hook(return_quietly, NULL);
  echo_memory_fail_at(1);
  echo_alloc(42);
}
END_TEST

START_TEST(checked_arithmetic)
{
  uint64_t u;
  int64_t i;
  ck_assert(echo_mul_u64(UINT32_MAX, UINT32_MAX, &u));
  ck_assert(u == UINT64_C(0xfffffffe00000001));
  ck_assert(!echo_mul_u64(UINT64_C(1) << 32, UINT64_C(1) << 32, &u));
  ck_assert(!echo_add_u64(UINT64_MAX, 1, &u));
  ck_assert(echo_add_u64(UINT64_MAX - 1, 1, &u) && u == UINT64_MAX);
  ck_assert(echo_mul_i64(INT64_MIN, 1, &i) && i == INT64_MIN);
  ck_assert(!echo_mul_i64(INT64_MIN, -1, &i));
  ck_assert_uint_eq(echo_align_up(0, 64), 0);
  ck_assert_uint_eq(echo_align_up(1, 64), 64);
  ck_assert_uint_eq(echo_align_up(64, 64), 64);
  ck_assert_uint_eq(echo_align_up(65, 1), 65);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("memory");
  TCase *cases = tcase_create("memory");
  tcase_add_test(cases, blocks_are_aligned_and_usable);
  tcase_add_test(cases, zeroed_and_empty);
  tcase_add_test(cases, realloc_keeps_content);
  tcase_add_test(cases, overflowing_products_go_to_the_hook);
  tcase_add_test(cases, nth_allocation_fails_once);
  tcase_add_test(cases, every_kind_of_allocation_can_fail);
  tcase_add_test(cases, containers_survive_a_failure_at_each_allocation);
  tcase_add_test(cases, vector_survives_a_failure);
  tcase_add_exit_test(cases, default_hook_exits_with_1, 1);
  tcase_add_test_raise_signal(cases, hook_that_returns_aborts, SIGABRT);
  tcase_add_test(cases, checked_arithmetic);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
