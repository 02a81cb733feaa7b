/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What this process waits in: counted, said when the process is ended meanwhile, and ended by
 * itself where that takes too long. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "jit/runtime/collective_calls_t.h"
#include "jit/runtime/mpi_t.h"

enum {
  MAX_UNHEARD_MS = 1000, /* a launcher that has asked a process to end waits about as long */
  LOOK_EACH_S = 1,
  MAX_ABORT_S = 5,
};

static struct {
  char name[64];              /* "rank 1 of 4" */
  const char *volatile doing; /* the call that is under way; NULL: none */
  EchoStr place;
  double begin_s;
  EchoMpiFacts facts;
  void *space; /* facts.own_bytes */
  pthread_mutex_t lock;
  pthread_cond_t end;
  pthread_t thread;
  bool has_thread, has_ended;
  double since_s; /* when a function of the call's last began or came back; 0: no call */
  double limit_s;
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER, .end = PTHREAD_COND_INITIALIZER, .limit_s = 600};

static double now_s(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- what is under way ---- */

void echo_mpi_wait_in(const char *name_or_null, EchoStr at)
{
  watch.doing = NULL; /* never the one with the other's place */
  watch.place = at;
  watch.doing = name_or_null;
}

void echo_mpi_count(uint64_t n_calls, uint64_t bytes, double busy_s)
{
  watch.facts.n_calls += n_calls;
  watch.facts.bytes += bytes;
  watch.facts.busy_s += busy_s;
}

void echo_mpi_begin(const char *name, EchoStr at)
{
  pthread_mutex_lock(&watch.lock);
  echo_mpi_wait_in(name, at);
  watch.begin_s = watch.since_s = now_s();
  pthread_mutex_unlock(&watch.lock);
}

void echo_mpi_went_on(void)
{
  pthread_mutex_lock(&watch.lock);
  if (watch.since_s != 0)
    watch.since_s = now_s();
  pthread_mutex_unlock(&watch.lock);
}

void echo_mpi_end(uint64_t bytes)
{
  pthread_mutex_lock(&watch.lock);
  watch.doing = NULL;
  watch.since_s = 0;
  pthread_mutex_unlock(&watch.lock);
  echo_mpi_count(1, bytes, now_s() - watch.begin_s);
}

void *echo_mpi_space(uint64_t bytes)
{
  if (bytes > watch.facts.own_bytes) {
    echo_free(watch.space);
    watch.space = echo_alloc(bytes);
    watch.facts.own_bytes = bytes;
  }
  return watch.space;
}

EchoMpiFacts echo_mpi_facts(void)
{
  return watch.facts;
}

/* ---- the end of it ---- */

void echo_mpi_wait_until_heard(void)
{
  struct stat kind;
  int unread = 0;
  if (fstat(STDERR_FILENO, &kind) != 0 || !S_ISFIFO(kind.st_mode))
    return;
  for (int i = 0; i < MAX_UNHEARD_MS; i++) {
    const struct timespec pause = {.tv_nsec = 1000 * 1000};
    if (ioctl(STDERR_FILENO, FIONREAD, &unread) != 0 || unread == 0)
      return;
    nanosleep(&pause, NULL);
  }
}

/* The launcher ends the others when one has died. It knows which; what they waited in is said here,
 * by nothing but what a signal's handler may call. */
static void say_where(int signal_number)
{
  const char *doing = watch.doing;
  struct iovec parts[] = {
      {watch.name, strlen(watch.name)},
      {(void *)(uintptr_t) " was ended while it ", 20},
      {(void *)(uintptr_t)(doing != NULL ? "waited in " : "computed"), doing != NULL ? 10 : 8},
      {(void *)(uintptr_t)doing, doing != NULL ? strlen(doing) : 0},
      {(void *)(uintptr_t) " at ", doing != NULL && watch.place.size != 0 ? 4 : 0},
      {(void *)(uintptr_t)watch.place.data, doing != NULL ? watch.place.size : 0},
      {(void *)(uintptr_t) "\n", 1}};
  ssize_t ignored = writev(STDERR_FILENO, parts, sizeof parts / sizeof parts[0]);
  (void)ignored;
  echo_mpi_wait_until_heard();
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

/* ---- a call that not all join ---- */

/* Nothing calls a thread back that waits in MPI: the process ends, and with it the launcher's
 * others. Those that wait for the same say so meanwhile, which one launcher would keep them from.
 */
static void give_up(void)
{
  EchoBuffer text = {0};
  if (watch.place.size != 0)
    echo_buffer_printf(&text, "%.*s: ", ECHO_STR_ARG(watch.place));
  echo_buffer_printf(&text,
                     "error: %s has waited for %g s in %s, and not all of its group have joined "
                     "it\n",
                     watch.name, watch.limit_s, watch.doing);
  EchoStr said = echo_buffer_str(&text);
  ssize_t ignored = write(STDERR_FILENO, said.data, said.size);
  (void)ignored;
  sleep(2 * LOOK_EACH_S);
  signal(SIGALRM, SIG_DFL); /* a library may not end while another thread is in it */
  alarm(MAX_ABORT_S);
  echo_mpi_abort();
}

static void *look_after(void *unused)
{
  (void)unused;
  pthread_mutex_lock(&watch.lock);
  while (!watch.has_ended) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += LOOK_EACH_S;
    pthread_cond_timedwait(&watch.end, &watch.lock, &until);
    if (!watch.has_ended && watch.since_s != 0 && now_s() - watch.since_s > watch.limit_s)
      give_up();
  }
  pthread_mutex_unlock(&watch.lock);
  return NULL;
}

void echo_mpi_set_limit(double seconds)
{
  watch.limit_s = seconds;
}

double echo_mpi_limit_s(void)
{
  return watch.limit_s;
}

/* Signals are the first thread's. */
void echo_mpi_watch_begin(int rank, int size)
{
  sigset_t all, before;
  snprintf(watch.name, sizeof watch.name, "rank %d of %d", rank, size);
  signal(SIGTERM, say_where);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  watch.has_ended = false;
  watch.has_thread = pthread_create(&watch.thread, NULL, look_after, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void echo_mpi_watch_end(void)
{
  pthread_mutex_lock(&watch.lock);
  watch.has_ended = true;
  pthread_cond_signal(&watch.end);
  pthread_mutex_unlock(&watch.lock);
  if (watch.has_thread)
    pthread_join(watch.thread, NULL);
  watch.has_thread = false;
  echo_free(watch.space);
  watch.space = NULL;
}
