/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A fixed set of worker threads that run counted tasks. The caller's thread works too. Which thread
 * runs a task is unspecified; tasks must not depend on it. One parallel_for at a time per pool. */
#ifndef ECHO_BASE_THREAD_POOL_H
#define ECHO_BASE_THREAD_POOL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoThreadPool EchoThreadPool;

/* Runs tasks [begin, end); `thread` is in [0, n_threads). */
typedef void EchoTaskFn(void *user, int64_t begin, int64_t end, unsigned thread);

/* How many the process may use; at least one. */
unsigned echo_n_processors(void);

/* n_threads counts the caller; 0 = echo_n_processors(). */
EchoThreadPool *echo_thread_pool_create(unsigned n_threads);
void echo_thread_pool_destroy(EchoThreadPool *pool);
unsigned echo_thread_pool_size(const EchoThreadPool *pool);
/* Runs all of [0, n_tasks) in pieces of about `grain` (>= 1) and returns when done; floats are
 * treated in all threads as they are in the caller's (base/float_mode.h). With one piece
 * or one thread it is a plain call. Costs about a microsecond to start; workers spin briefly, then
 * sleep. */
void echo_thread_pool_run(EchoThreadPool *pool, int64_t n_tasks, int64_t grain, EchoTaskFn *fn,
                          void *user);

#ifdef __cplusplus
}
#endif

#endif
