/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/arena.h"

#include <signal.h>
#include <string.h>

#include "base/panic.h"
#include "tests/unit/suite.h"

START_TEST(blocks_are_aligned_and_apart)
{
  EchoArena arena = {0};
  uint64_t sum = 0;
  struct {
    unsigned char *data;
    size_t size;
  } blocks[2000];
  for (size_t i = 0; i < 2000; ++i) {
    size_t alignment = (size_t)1 << (i % 9);
    size_t size = (i * 37) % 700;
    blocks[i].data = echo_arena_alloc_aligned(&arena, size, alignment);
    blocks[i].size = size;
    ck_assert_uint_eq((uintptr_t)blocks[i].data % alignment, 0);
    memset(blocks[i].data, (int)(i % 251), size);
    sum += size;
  }
  for (size_t i = 0; i < 2000; ++i)
    for (size_t k = 0; k < blocks[i].size; ++k)
      ck_assert_uint_eq(blocks[i].data[k], i % 251);
  ck_assert_uint_ge(arena.total_bytes, sum);
  ck_assert_uint_le(arena.total_bytes, 3 * sum);
  echo_arena_destroy(&arena);
  ck_assert_uint_eq(arena.total_bytes, 0);
  ck_assert_ptr_null(arena.chunk);
}
END_TEST

START_TEST(large_and_empty_blocks)
{
  EchoArena arena = {0};
  ck_assert_ptr_nonnull(echo_arena_alloc(&arena, 0));
  char *large = echo_arena_alloc(&arena, 10 << 20);
  memset(large, 7, 10 << 20);
  char *small = echo_arena_alloc(&arena, 16);
  memset(small, 8, 16);
  ck_assert_int_eq(large[(10 << 20) - 1], 7);
  echo_arena_destroy(&arena);
  echo_arena_destroy(&arena); /* an empty arena may be destroyed */
}
END_TEST

START_TEST(reset_returns_to_the_mark)
{
  EchoArena arena = {0};
  EchoArenaMark empty = echo_arena_mark(&arena);
  char *kept = echo_arena_copy_string(&arena, "kept", 4);
  EchoArenaMark mark = echo_arena_mark(&arena);
  uint64_t bytes_before = arena.total_bytes;
  for (int round = 0; round < 10; ++round) {
    char *first = echo_arena_alloc(&arena, 8);
    for (int i = 0; i < 1000; ++i)
      memset(echo_arena_alloc(&arena, 1000), round, 1000);
    echo_arena_reset(&arena, mark);
    ck_assert_uint_eq(arena.total_bytes, bytes_before);
    ck_assert_ptr_eq(echo_arena_alloc(&arena, 8), first); /* the same place again */
    echo_arena_reset(&arena, mark);
  }
  ck_assert_str_eq(kept, "kept");
  echo_arena_reset(&arena, empty);
  ck_assert_uint_eq(arena.total_bytes, 0);
  ck_assert_ptr_nonnull(echo_arena_alloc(&arena, 8)); /* usable from empty */
  echo_arena_destroy(&arena);
}
END_TEST

START_TEST(nested_marks)
{
  EchoArena arena = {0};
  EchoArenaMark marks[50];
  uint64_t bytes[50];
  for (size_t i = 0; i < 50; ++i) {
    marks[i] = echo_arena_mark(&arena);
    bytes[i] = arena.total_bytes;
    echo_arena_alloc(&arena, i * 500);
  }
  for (size_t i = 50; i-- > 0;) {
    echo_arena_reset(&arena, marks[i]);
    ck_assert_uint_eq(arena.total_bytes, bytes[i]);
  }
  echo_arena_destroy(&arena);
}
END_TEST

START_TEST(copies)
{
  EchoArena arena = {0};
  char bytes[] = {1, 0, 2};
  char *copy = echo_arena_copy(&arena, bytes, sizeof bytes);
  ck_assert_mem_eq(copy, bytes, 3);
  ck_assert_str_eq(echo_arena_copy_string(&arena, NULL, 0), "");
  ck_assert_str_eq(echo_arena_copy_string(&arena, "abcdef", 3), "abc");
  ck_assert_ptr_nonnull(echo_arena_copy(&arena, NULL, 0));
  uint64_t *words = ECHO_ARENA_ARRAY(&arena, uint64_t, 100);
  ck_assert_uint_eq((uintptr_t)words % sizeof *words, 0);
  words[99] = 1;
  echo_arena_destroy(&arena);
}
END_TEST

START_TEST(overflowing_array_is_a_broken_invariant)
{
  EchoArena arena = {0};
  ECHO_ARENA_ARRAY(&arena, uint64_t, SIZE_MAX / 4);
}
END_TEST

START_TEST(absurd_size_runs_out_of_memory)
{
  EchoArena arena = {0};
  echo_arena_alloc(&arena, SIZE_MAX - 8);
}
END_TEST

START_TEST(a_million_small_blocks)
{
  EchoArena arena = {0};
  uint64_t sum = 0;
  for (uint64_t i = 0; i < 1000000; ++i)
    *(uint64_t *)echo_arena_alloc(&arena, 24) = sum += i;
  ck_assert_uint_ge(arena.total_bytes, 24000000);
  ck_assert_uint_le(arena.total_bytes, 26000000);
  echo_arena_destroy(&arena);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("arena");
  TCase *cases = tcase_create("arena");
  tcase_add_test(cases, blocks_are_aligned_and_apart);
  tcase_add_test(cases, large_and_empty_blocks);
  tcase_add_test(cases, reset_returns_to_the_mark);
  tcase_add_test(cases, nested_marks);
  tcase_add_test(cases, copies);
  tcase_add_test_raise_signal(cases, overflowing_array_is_a_broken_invariant, SIGABRT);
  tcase_add_exit_test(cases, absurd_size_runs_out_of_memory, 1);
  tcase_add_test(cases, a_million_small_blocks);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
