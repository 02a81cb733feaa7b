/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/thread_pool.h"

#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/float_mode.h"
#include "base/memory.h"
#include "tests/unit/suite.h"

typedef struct Job {
  _Atomic unsigned char *n_runs; /* per task */
  int64_t n_tasks, grain;
  unsigned n_threads;
  _Atomic int64_t n_pieces;
  _Atomic bool wrong;
} Job;

static void count_runs(void *user, int64_t begin, int64_t end, unsigned thread)
{
  Job *job = user;
  if (begin < 0 || begin >= end || end > job->n_tasks || thread >= job->n_threads)
    atomic_store(&job->wrong, true);
  atomic_fetch_add(&job->n_pieces, 1);
  for (int64_t i = begin; i < end; ++i)
    atomic_fetch_add(&job->n_runs[i], 1);
}

static void assert_each_task_runs_once(EchoThreadPool *pool, int64_t n_tasks, int64_t grain)
{
  Job job = {.n_tasks = n_tasks, .grain = grain, .n_threads = echo_thread_pool_size(pool)};
  job.n_runs = echo_alloc_zero((size_t)n_tasks, 1);
  echo_thread_pool_run(pool, n_tasks, grain, count_runs, &job);
  for (int64_t i = 0; i < n_tasks; ++i)
    ck_assert_uint_eq(job.n_runs[i], 1);
  ck_assert(!job.wrong);
  int64_t whole = n_tasks == 0 ? 0 : (n_tasks - 1) / grain + 1;
  ck_assert_int_eq(job.n_pieces, job.n_threads == 1 && whole > 1 ? 1 : whole);
  echo_free(job.n_runs);
}

START_TEST(each_task_runs_once)
{
  static const int64_t TASKS[] = {0, 1, 2, 3, 7, 64, 1000, 4097};
  static const int64_t GRAINS[] = {1, 2, 3, 64, 5000};
  for (unsigned n_threads = 1; n_threads <= 9; n_threads += 2) {
    EchoThreadPool *pool = echo_thread_pool_create(n_threads);
    ck_assert_uint_eq(echo_thread_pool_size(pool), n_threads);
    for (size_t t = 0; t < 8; ++t)
      for (size_t g = 0; g < 5; ++g)
        assert_each_task_runs_once(pool, TASKS[t], GRAINS[g]);
    echo_thread_pool_destroy(pool);
  }
}
END_TEST

static void add_up(void *user, int64_t begin, int64_t end, unsigned thread)
{
  (void)thread;
  for (int64_t i = begin; i < end; ++i)
    atomic_fetch_add_explicit((_Atomic int64_t *)user, i, memory_order_relaxed);
}

/* Many short jobs, back to back: late workers of one meet the beginning of the next. */
START_TEST(short_jobs_back_to_back)
{
  EchoThreadPool *pool = echo_thread_pool_create(4);
  for (int64_t job = 0; job < 20000; ++job) {
    _Atomic int64_t sum = 0;
    int64_t n_tasks = 2 + job % 13;
    echo_thread_pool_run(pool, n_tasks, 1, add_up, &sum);
    ck_assert_int_eq(sum, n_tasks * (n_tasks - 1) / 2);
  }
  echo_thread_pool_destroy(pool);
}
END_TEST

/* Pauses long enough for every worker to fall asleep, and tasks long enough for the caller to. */
static void sleep_a_little(void *user, int64_t begin, int64_t end, unsigned thread)
{
  if (begin == 0)
    usleep(2000);
  add_up(user, begin, end, thread);
}

START_TEST(sleepers_wake_up)
{
  EchoThreadPool *pool = echo_thread_pool_create(3);
  for (int job = 0; job < 100; ++job) {
    _Atomic int64_t sum = 0;
    usleep(job % 2 != 0 ? 3000 : 0);
    echo_thread_pool_run(pool, 10, 1, sleep_a_little, &sum);
    ck_assert_int_eq(sum, 45);
  }
  echo_thread_pool_destroy(pool);
}
END_TEST

/* What a task writes without atomics is visible to the caller afterwards (ThreadSanitizer watches).
 */
static void square(void *user, int64_t begin, int64_t end, unsigned thread)
{
  (void)thread;
  int64_t *numbers = user;
  for (int64_t i = begin; i < end; ++i)
    numbers[i] = numbers[i] * numbers[i];
}

START_TEST(plain_writes_are_visible)
{
  EchoThreadPool *pool = echo_thread_pool_create(4);
  static int64_t numbers[10000];
  for (int round = 0; round < 200; ++round) {
    for (int64_t i = 0; i < 10000; ++i)
      numbers[i] = i;
    echo_thread_pool_run(pool, 10000, 37, square, numbers);
    for (int64_t i = 0; i < 10000; ++i)
      ck_assert_int_eq(numbers[i], i * i);
  }
  echo_thread_pool_destroy(pool);
}
END_TEST

START_TEST(several_pools_at_once)
{
  EchoThreadPool *pools[8];
  for (unsigned i = 0; i < 8; ++i)
    pools[i] = echo_thread_pool_create(i + 1);
  for (int round = 0; round < 100; ++round)
    for (unsigned i = 0; i < 8; ++i)
      assert_each_task_runs_once(pools[i], 50, 3);
  for (unsigned i = 0; i < 8; ++i)
    echo_thread_pool_destroy(pools[i]);
}
END_TEST

START_TEST(pools_come_and_go)
{
  for (int i = 0; i < 200; ++i) {
    EchoThreadPool *pool = echo_thread_pool_create(4);
    if (i % 2 != 0)
      assert_each_task_runs_once(pool, 20, 1);
    echo_thread_pool_destroy(pool);
  }
  echo_thread_pool_destroy(NULL);
}
END_TEST

START_TEST(default_size_is_what_the_process_may_use)
{
  EchoThreadPool *pool = echo_thread_pool_create(0);
  ck_assert_uint_ge(echo_thread_pool_size(pool), 1);
  assert_each_task_runs_once(pool, 1000, 7);
  echo_thread_pool_destroy(pool);
}
END_TEST

static void count_pieces(void *user, int64_t begin, int64_t end, unsigned thread)
{
  (void)thread;
  atomic_fetch_add((_Atomic int64_t *)user, end - begin);
}

START_TEST(more_tasks_than_pieces_can_be_counted)
{
  EchoThreadPool *pool = echo_thread_pool_create(2);
  _Atomic int64_t sum = 0;
  int64_t n_tasks = INT64_C(1) << 40;
  echo_thread_pool_run(pool, n_tasks, n_tasks / 3, count_pieces, &sum);
  ck_assert_int_eq(sum, n_tasks);
  echo_thread_pool_destroy(pool);
}
END_TEST

static void run_again(void *user, int64_t begin, int64_t end, unsigned thread)
{
  (void)begin, (void)end, (void)thread;
  _Atomic int64_t sum = 0;
  echo_thread_pool_run(user, 10, 1, add_up, &sum);
}

START_TEST(nested_job_is_a_broken_invariant)
{
  EchoThreadPool *pool = echo_thread_pool_create(2);
  echo_thread_pool_run(pool, 10, 1, run_again, pool);
}
END_TEST

START_TEST(no_grain_is_a_broken_invariant)
{
  EchoThreadPool *pool = echo_thread_pool_create(2);
  echo_thread_pool_run(pool, 10, 0, add_up, pool);
}
END_TEST

typedef struct Halves {
  float least; /* a normal number whose half is none */
  float half[64];
} Halves;

static void halve(void *user, int64_t begin, int64_t end, unsigned thread)
{
  Halves *halves = user;
  volatile float least = halves->least;
  (void)thread;
  for (int64_t i = begin; i < end; ++i)
    halves->half[i] = least * 0.5f;
}

/* Workers treat denormals as whoever runs the job, job by job. */
START_TEST(floats_are_the_callers)
{
  EchoThreadPool *pool = echo_thread_pool_create(3);
  for (int round = 0; round < 50; ++round) {
    bool flushes = round % 2 == 0;
    Halves halves = {.least = 0x1p-126f};
    EchoFloatMode before = echo_float_mode_set(flushes);
    echo_thread_pool_run(pool, 64, 1, halve, &halves);
    ck_assert(echo_float_mode_flushes() == flushes);
    echo_float_mode_restore(before);
    for (int i = 0; i < 64; ++i) {
      uint32_t bits;
      memcpy(&bits, &halves.half[i], sizeof bits);
      ck_assert_uint_eq(bits, flushes ? 0 : UINT32_C(1) << 22);
    }
  }
  ck_assert(!echo_float_mode_flushes());
  echo_thread_pool_destroy(pool);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("thread_pool");
  TCase *cases = tcase_create("thread_pool");
  tcase_set_timeout(cases, 120);
  tcase_add_test(cases, each_task_runs_once);
  tcase_add_test(cases, short_jobs_back_to_back);
  tcase_add_test(cases, sleepers_wake_up);
  tcase_add_test(cases, plain_writes_are_visible);
  tcase_add_test(cases, several_pools_at_once);
  tcase_add_test(cases, floats_are_the_callers);
  tcase_add_test(cases, pools_come_and_go);
  tcase_add_test(cases, default_size_is_what_the_process_may_use);
  tcase_add_test(cases, more_tasks_than_pieces_can_be_counted);
  tcase_add_test_raise_signal(cases, nested_job_is_a_broken_invariant, SIGABRT);
  tcase_add_test_raise_signal(cases, no_grain_is_a_broken_invariant, SIGABRT);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
