/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/copy_stream.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "base/vector.h"

typedef struct Copy {
  void *to;
  const void *from;
  size_t n_bytes;
  EchoStreamCall *call; /* instead, of `to`; NULL: none */
} Copy;

static void carry_out(const Copy *copy)
{
  if (copy->call != NULL)
    copy->call(copy->to);
  else
    memcpy(copy->to, copy->from, copy->n_bytes);
}

struct EchoCopyStream {
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t work_came, copy_done;
  ECHO_VECTOR(Copy) copies; /* those not begun yet, the next one at `n_begun - n_dropped` */
  uint64_t n_dropped, n_begun, n_done;
  bool stop;
  bool has_thread; /* false where the system gave none: copies are made when they are pushed */
};

/* The next copy, or false when the stream ends. Waits while there is none. */
static bool take(EchoCopyStream *stream, Copy *copy)
{
  while (stream->n_begun - stream->n_dropped == stream->copies.size) {
    stream->n_dropped = stream->n_begun; /* all were begun: the queue starts anew */
    echo_vector_clear(&stream->copies);
    if (stream->stop)
      return false;
    pthread_cond_wait(&stream->work_came, &stream->mutex);
  }
  *copy = stream->copies.data[stream->n_begun - stream->n_dropped];
  ++stream->n_begun;
  return true;
}

static void *run(void *user)
{
  EchoCopyStream *stream = user;
  Copy copy;
  pthread_mutex_lock(&stream->mutex);
  while (take(stream, &copy)) {
    pthread_mutex_unlock(&stream->mutex);
    carry_out(&copy);
    pthread_mutex_lock(&stream->mutex);
    ++stream->n_done;
    pthread_cond_broadcast(&stream->copy_done);
  }
  pthread_mutex_unlock(&stream->mutex);
  return NULL;
}

EchoCopyStream *echo_copy_stream_create(void)
{
  EchoCopyStream *stream = echo_alloc_zero(1, sizeof *stream);
  pthread_mutex_init(&stream->mutex, NULL);
  pthread_cond_init(&stream->work_came, NULL);
  pthread_cond_init(&stream->copy_done, NULL);
  sigset_t all, before;
  sigfillset(&all); /* signals go to the threads of the program that loaded us */
  pthread_sigmask(SIG_SETMASK, &all, &before);
  stream->has_thread = pthread_create(&stream->thread, NULL, run, stream) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return stream;
}

void echo_copy_stream_destroy(EchoCopyStream *stream)
{
  if (stream == NULL)
    return;
  pthread_mutex_lock(&stream->mutex);
  stream->stop = true;
  pthread_cond_signal(&stream->work_came);
  pthread_mutex_unlock(&stream->mutex);
  if (stream->has_thread)
    pthread_join(stream->thread, NULL);
  pthread_cond_destroy(&stream->work_came);
  pthread_cond_destroy(&stream->copy_done);
  pthread_mutex_destroy(&stream->mutex);
  echo_vector_destroy(&stream->copies);
  echo_free(stream);
}

static uint64_t push(EchoCopyStream *stream, Copy copy)
{
  if (!stream->has_thread) {
    carry_out(&copy);
    return ++stream->n_done;
  }
  pthread_mutex_lock(&stream->mutex);
  echo_vector_push(&stream->copies, copy);
  uint64_t number = stream->n_dropped + stream->copies.size;
  pthread_cond_signal(&stream->work_came);
  pthread_mutex_unlock(&stream->mutex);
  return number;
}

uint64_t echo_copy_stream_push(EchoCopyStream *stream, void *to, const void *from, size_t n_bytes)
{
  if (stream == NULL || (n_bytes != 0 && (to == NULL || from == NULL)))
    return 0; /* nothing to wait for */
  return push(stream, (Copy){to, from, n_bytes, NULL});
}

uint64_t echo_copy_stream_push_call(EchoCopyStream *stream, EchoStreamCall *call, void *user)
{
  if (stream == NULL || call == NULL)
    return 0;
  return push(stream, (Copy){.to = user, .call = call});
}

void echo_copy_stream_wait(EchoCopyStream *stream, uint64_t number)
{
  if (stream == NULL)
    return;
  pthread_mutex_lock(&stream->mutex);
  uint64_t n_pushed = stream->n_dropped + stream->copies.size;
  if (!stream->has_thread || number > n_pushed)
    number = stream->has_thread ? n_pushed : 0; /* of no copy: all that were pushed */
  while (stream->n_done < number)
    pthread_cond_wait(&stream->copy_done, &stream->mutex);
  pthread_mutex_unlock(&stream->mutex);
}
