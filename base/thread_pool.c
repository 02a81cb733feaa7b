/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/float_mode.h"
#include "base/memory.h"
#include "base/panic.h"

/* A job is cut into pieces that threads claim one by one. `claims` holds the job's number in the
 * high half and the count of unclaimed pieces in the low half, so that a thread that comes late,
 * with a number that is over, cannot claim a piece of the next job. The job's other fields change
 * only while no piece is claimed or running: a claim makes them safe to read until that piece is
 * reported done.
 *
 * A sleeper announces itself before it looks once more, and a publisher publishes before it looks
 * for sleepers (all sequentially consistent), so one of the two sees the other. */

enum { SPIN_ROUNDS = 500 };

typedef struct Worker {
  EchoThreadPool *pool;
  unsigned thread;
  pthread_t handle;
} Worker;

struct EchoThreadPool {
  unsigned n_threads; /* the caller's included */

  _Atomic uint64_t claims;
  _Atomic uint32_t n_done;
  EchoTaskFn *fn;
  void *user;
  EchoFloatMode float_mode; /* of whoever runs the job */
  int64_t n_tasks, grain;
  uint32_t n_pieces, job;

  pthread_mutex_t mutex;
  pthread_cond_t work_came, work_done;
  _Atomic unsigned n_sleepers;
  _Atomic bool caller_sleeps, stop, busy;
  Worker workers[]; /* n_threads - 1 */
};

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static bool has_unclaimed(EchoThreadPool *pool)
{
  return (uint32_t)atomic_load(&pool->claims) != 0;
}

/* Claims and runs one piece; false when none was left. */
static bool run_piece(EchoThreadPool *pool, unsigned thread)
{
  uint64_t claims = atomic_load(&pool->claims);
  do
    if ((uint32_t)claims == 0)
      return false;
  while (!atomic_compare_exchange_weak(&pool->claims, &claims, claims - 1));

  uint32_t n_pieces = pool->n_pieces;
  int64_t begin = (int64_t)(n_pieces - (uint32_t)claims) * pool->grain;
  int64_t left = pool->n_tasks - begin;
  echo_float_mode_restore(pool->float_mode);
  pool->fn(pool->user, begin, begin + (left < pool->grain ? left : pool->grain), thread);

  if (atomic_fetch_add(&pool->n_done, 1) + 1 == n_pieces && atomic_load(&pool->caller_sleeps)) {
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_signal(&pool->work_done);
    pthread_mutex_unlock(&pool->mutex);
  }
  return true;
}

static void wait_for_work(EchoThreadPool *pool)
{
  for (int i = 0; i < SPIN_ROUNDS; ++i, relax())
    if (has_unclaimed(pool) || atomic_load(&pool->stop))
      return;
  pthread_mutex_lock(&pool->mutex);
  atomic_fetch_add(&pool->n_sleepers, 1);
  while (!has_unclaimed(pool) && !atomic_load(&pool->stop))
    pthread_cond_wait(&pool->work_came, &pool->mutex);
  atomic_fetch_sub(&pool->n_sleepers, 1);
  pthread_mutex_unlock(&pool->mutex);
}

static void *worker_main(void *argument)
{
  Worker *worker = argument;
  while (!atomic_load(&worker->pool->stop))
    if (!run_piece(worker->pool, worker->thread))
      wait_for_work(worker->pool);
  return NULL;
}

unsigned echo_n_processors(void)
{
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
    return (unsigned)CPU_COUNT(&set);
  return 1;
}

/* Workers take no signals: those are for the program's own threads. */
static void start_workers(EchoThreadPool *pool)
{
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  unsigned wanted = pool->n_threads;
  pool->n_threads = 1;
  while (pool->n_threads < wanted) {
    Worker *worker = &pool->workers[pool->n_threads - 1];
    *worker = (Worker){.pool = pool, .thread = pool->n_threads};
    if (pthread_create(&worker->handle, NULL, worker_main, worker) != 0)
      break; /* the system gives no more threads: fewer do the same work */
    pool->n_threads++;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

EchoThreadPool *echo_thread_pool_create(unsigned n_threads)
{
  if (n_threads == 0)
    n_threads = echo_n_processors();
  size_t worker_bytes = (n_threads - 1) * sizeof(Worker);
  EchoThreadPool *pool = echo_alloc_zero(1, sizeof *pool + worker_bytes);
  pool->n_threads = n_threads;
  pthread_mutex_init(&pool->mutex, NULL);
  pthread_cond_init(&pool->work_came, NULL);
  pthread_cond_init(&pool->work_done, NULL);
  start_workers(pool);
  return pool;
}

void echo_thread_pool_destroy(EchoThreadPool *pool)
{
  if (pool == NULL)
    return;
  pthread_mutex_lock(&pool->mutex);
  atomic_store(&pool->stop, true);
  pthread_cond_broadcast(&pool->work_came);
  pthread_mutex_unlock(&pool->mutex);
  for (unsigned i = 0; i + 1 < pool->n_threads; ++i)
    pthread_join(pool->workers[i].handle, NULL);
  pthread_cond_destroy(&pool->work_came);
  pthread_cond_destroy(&pool->work_done);
  pthread_mutex_destroy(&pool->mutex);
  echo_free(pool);
}

unsigned echo_thread_pool_size(const EchoThreadPool *pool)
{
  return pool->n_threads;
}

static void publish(EchoThreadPool *pool, uint32_t n_pieces)
{
  atomic_store(&pool->n_done, 0);
  atomic_store(&pool->claims, ((uint64_t)++pool->job << 32) | n_pieces);
  if (atomic_load(&pool->n_sleepers) == 0)
    return;
  pthread_mutex_lock(&pool->mutex);
  pthread_cond_broadcast(&pool->work_came);
  pthread_mutex_unlock(&pool->mutex);
}

static void wait_for_done(EchoThreadPool *pool, uint32_t n_pieces)
{
  for (int i = 0; i < SPIN_ROUNDS; ++i, relax())
    if (atomic_load(&pool->n_done) == n_pieces)
      return;
  pthread_mutex_lock(&pool->mutex);
  atomic_store(&pool->caller_sleeps, true);
  while (atomic_load(&pool->n_done) != n_pieces)
    pthread_cond_wait(&pool->work_done, &pool->mutex);
  atomic_store(&pool->caller_sleeps, false);
  pthread_mutex_unlock(&pool->mutex);
}

void echo_thread_pool_run(EchoThreadPool *pool, int64_t n_tasks, int64_t grain, EchoTaskFn *fn,
                          void *user)
{
  ECHO_CHECK(n_tasks >= 0 && grain >= 1, "pool run of %lld tasks by %lld", (long long)n_tasks,
             (long long)grain);
  if (n_tasks == 0)
    return;
  if (pool->n_threads == 1 || n_tasks <= grain) {
    fn(user, 0, n_tasks, 0);
    return;
  }
  ECHO_CHECK(!atomic_exchange(&pool->busy, true), "a pool runs one job at a time");
  int64_t least_grain = n_tasks / UINT32_MAX + 1; /* so that the pieces can be counted */
  pool->grain = grain > least_grain ? grain : least_grain;
  pool->n_tasks = n_tasks;
  pool->fn = fn;
  pool->user = user;
  pool->float_mode = echo_float_mode();
  pool->n_pieces = (uint32_t)((n_tasks - 1) / pool->grain + 1);
  uint32_t n_pieces = pool->n_pieces;
  publish(pool, n_pieces);
  while (run_piece(pool, 0))
    ;
  wait_for_done(pool, n_pieces);
  atomic_store(&pool->busy, false);
}
