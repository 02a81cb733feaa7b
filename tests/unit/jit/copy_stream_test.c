/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Copies are done in order, what was waited for is there, and a stream that ends finishes first. */
#include "jit/runtime/copy_stream.h"

#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/suite.h"

enum { N_BYTES = 1 << 16, N_COPIES = 500 };

START_TEST(test_order)
{
  char *here = malloc(N_BYTES), *there = malloc(N_BYTES);
  EchoCopyStream *stream = echo_copy_stream_create();
  for (int i = 0; i < N_COPIES; i++) { /* to and fro: each needs the one before it */
    memset(here, i & 127, N_BYTES);
    uint64_t out = echo_copy_stream_push(stream, there, here, N_BYTES);
    ck_assert_uint_eq(out, (uint64_t)(2 * i + 1));
    echo_copy_stream_wait(stream, out);
    memset(here, 0xff, N_BYTES);
    uint64_t in = echo_copy_stream_push(stream, here, there, N_BYTES);
    echo_copy_stream_wait(stream, in);
    ck_assert_int_eq(here[0], i & 127);
    ck_assert_int_eq(here[N_BYTES - 1], i & 127);
  }
  echo_copy_stream_destroy(stream);
  free(here);
  free(there);
}
END_TEST

START_TEST(test_queue)
{
  static char chain[N_COPIES + 1][64];
  memset(chain, 0, sizeof chain);
  memset(chain[0], 7, sizeof chain[0]);
  EchoCopyStream *stream = echo_copy_stream_create();
  uint64_t last = 0;
  for (int i = 0; i < N_COPIES; i++)
    last = echo_copy_stream_push(stream, chain[i + 1], chain[i], sizeof chain[0]);
  echo_copy_stream_wait(stream, last);
  ck_assert_mem_eq(chain[N_COPIES], chain[0], sizeof chain[0]);
  echo_copy_stream_wait(stream, 1); /* long done */
  echo_copy_stream_destroy(stream);
}
END_TEST

typedef struct Count {
  int n;
  const char *seen;
  char last;
} Count;

static void count(void *user)
{
  Count *counter = user;
  counter->n++;
  counter->last = *counter->seen;
}

/* Calls and copies of one stream see what was pushed before them. */
START_TEST(test_calls)
{
  static char from[N_COPIES], to;
  Count counter = {.seen = &to};
  EchoCopyStream *stream = echo_copy_stream_create();
  uint64_t last = 0;
  for (int i = 0; i < N_COPIES; i++) {
    from[i] = (char)(i & 127);
    echo_copy_stream_push(stream, &to, &from[i], 1);
    last = echo_copy_stream_push_call(stream, count, &counter);
  }
  ck_assert_uint_eq(last, 2 * N_COPIES);
  echo_copy_stream_wait(stream, last);
  ck_assert_int_eq(counter.n, N_COPIES);
  ck_assert_int_eq(counter.last, (N_COPIES - 1) & 127);
  ck_assert_uint_eq(echo_copy_stream_push_call(stream, NULL, NULL), 0);
  echo_copy_stream_destroy(stream);
}
END_TEST

START_TEST(test_end_finishes)
{
  static char from[N_COPIES], to[N_COPIES];
  memset(from, 3, sizeof from);
  EchoCopyStream *stream = echo_copy_stream_create();
  for (size_t i = 0; i < N_COPIES; i++)
    echo_copy_stream_push(stream, to + i, from + i, 1);
  echo_copy_stream_destroy(stream);
  ck_assert_mem_eq(to, from, sizeof from);
  echo_copy_stream_destroy(NULL);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("copy_stream");
  TCase *tests = tcase_create("copies");
  tcase_add_test(tests, test_order);
  tcase_add_test(tests, test_queue);
  tcase_add_test(tests, test_calls);
  tcase_add_test(tests, test_end_finishes);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
