/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A client's queue: one thread that runs what is pushed, in order. */
#include "pjrt/plugin_t.h"

static void *run_queue(void *user)
{
  EchoPjrtCore *core = user;
  pthread_mutex_lock(&core->lock);
  for (;;) {
    while (core->next_task == core->tasks.size && !core->is_stopped)
      pthread_cond_wait(&core->changed, &core->lock);
    if (core->next_task == core->tasks.size)
      break;
    EchoPjrtTask task = core->tasks.data[core->next_task++];
    if (core->next_task == core->tasks.size) {
      echo_vector_clear(&core->tasks);
      core->next_task = 0;
    }
    core->is_busy = true;
    pthread_mutex_unlock(&core->lock);
    task.run(task.user);
    pthread_mutex_lock(&core->lock);
    core->is_busy = false;
  }
  pthread_mutex_unlock(&core->lock);
  return NULL;
}

void echo_pjrt_queue_start(EchoPjrtCore *core)
{
  pthread_mutex_init(&core->lock, NULL);
  pthread_cond_init(&core->changed, NULL);
  ECHO_CHECK(pthread_create(&core->thread, NULL, run_queue, core) == 0, "no thread for a queue");
}

bool echo_pjrt_queue_push(EchoPjrtCore *core, EchoPjrtTaskFn *run, void *user)
{
  pthread_mutex_lock(&core->lock);
  bool is_open = !core->is_stopped;
  if (is_open) {
    echo_vector_push(&core->tasks, (EchoPjrtTask){run, user});
    pthread_cond_signal(&core->changed);
  }
  pthread_mutex_unlock(&core->lock);
  return is_open;
}

void echo_pjrt_queue_stop(EchoPjrtCore *core)
{
  pthread_mutex_lock(&core->lock);
  core->is_stopped = true;
  pthread_cond_broadcast(&core->changed);
  pthread_mutex_unlock(&core->lock);
  pthread_join(core->thread, NULL);
}
