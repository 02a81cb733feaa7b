/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A client's queue: one thread that runs what is pushed, on each device in the order in which it
 * was pushed there. What has parts that are pushed one by one waits for all of them, what reads its
 * results waits, too, and what comes behind on the same device. */
#include "pjrt/plugin_t.h"

/* The devices of tasks that wait, as bits. */
typedef struct Devices {
  uint64_t bits[ECHO_PJRT_MAX_DEVICES / 64];
} Devices;

static void add(Devices *devices, const EchoPjrtTask *task)
{
  for (size_t i = 0; i < task->n_devices; i++)
    devices->bits[task->devices[i] / 64] |= UINT64_C(1) << task->devices[i] % 64;
}

static bool has_any(const Devices *devices, const EchoPjrtTask *task)
{
  for (size_t i = 0; i < task->n_devices; i++)
    if ((devices->bits[task->devices[i] / 64] >> task->devices[i] % 64 & 1) != 0)
      return true;
  return false;
}

/* The first task all parts of which stand first on their devices; size: there is none. Where
 * nothing waits that is the first of all. O(tasks) otherwise. */
static size_t find_next(const EchoPjrtCore *core)
{
  Devices waiting = {{0}};
  for (size_t i = core->next_task; i < core->tasks.size; i++)
    if (core->tasks.data[i].n_ready != NULL)
      *core->tasks.data[i].n_ready = 0;
  for (size_t i = core->next_task; i < core->tasks.size; i++) {
    const EchoPjrtTask *task = &core->tasks.data[i];
    if (task->is_given_up)
      return i;
    if (!has_any(&waiting, task) && (task->n_ready == NULL || ++*task->n_ready == task->n_parts) &&
        task->is_ready(task->user))
      return i;
    add(&waiting, task);
  }
  return core->tasks.size;
}

/* ---- devices that wait for each other ---- */

static bool is_on(const EchoPjrtTask *task, int device)
{
  for (size_t i = 0; i < task->n_devices; i++)
    if (task->devices[i] == device)
      return true;
  return false;
}

/* Whether all that stands on the device in front of `user`'s part, or would where that is not
 * pushed yet, comes to an end. */
static bool is_free_for(const EchoPjrtCore *core, const bool *ends, const void *user, int device)
{
  for (size_t i = core->next_task; i < core->tasks.size; i++) {
    const EchoPjrtTask *task = &core->tasks.data[i];
    if (is_on(task, device) && task->user == user)
      return true;
    if (is_on(task, device) && !ends[i])
      return false;
  }
  return true;
}

static bool can_end(const EchoPjrtCore *core, const bool *ends, const EchoPjrtTask *task)
{
  bool is_free = true;
  for (size_t i = 0; is_free && i < (task->n_ready != NULL ? task->n_of : task->n_devices); i++)
    is_free = is_free_for(core, ends, task->user,
                          task->n_ready != NULL ? task->of[i]->id : task->devices[i]);
  return is_free;
}

/* Gives up all tasks of parts that cannot come to an end: their devices stand in others of which as
 * much is true, whatever is pushed later, for that comes behind. The first of them; size: there is
 * none. O(tasks^2 devices), and only while nothing else can run. */
static size_t find_stuck(EchoPjrtCore *core)
{
  size_t n_parts = 0, stuck = core->tasks.size;
  for (size_t i = core->next_task; i < core->tasks.size; i++)
    n_parts += core->tasks.data[i].n_ready != NULL;
  if (n_parts < 2)
    return stuck;
  bool *ends = echo_alloc_zero(core->tasks.size, sizeof *ends);
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (size_t i = core->next_task; i < core->tasks.size; i++)
      if (!ends[i] && can_end(core, ends, &core->tasks.data[i]))
        ends[i] = is_changed = true;
  }
  for (size_t i = core->tasks.size; i-- > core->next_task;)
    if (!ends[i] && core->tasks.data[i].n_ready != NULL) {
      core->tasks.data[i].is_given_up = true;
      stuck = i;
    }
  echo_free(ends);
  return stuck;
}

/* Takes the task and all its parts out. */
static EchoPjrtTask taken(EchoPjrtCore *core, size_t at)
{
  const EchoPjrtTask task = core->tasks.data[at];
  size_t kept = core->next_task;
  if (at == core->next_task && task.n_ready == NULL) {
    echo_free(task.devices);
    core->next_task++;
  } else {
    for (size_t i = core->next_task; i < core->tasks.size; i++)
      if (core->tasks.data[i].user == task.user)
        echo_free(core->tasks.data[i].devices);
      else
        core->tasks.data[kept++] = core->tasks.data[i];
    core->tasks.size = kept;
  }
  if (core->next_task == core->tasks.size) {
    echo_vector_clear(&core->tasks);
    core->next_task = 0;
  }
  return task;
}

static void *run_queue(void *user)
{
  EchoPjrtCore *core = user;
  pthread_mutex_lock(&core->lock);
  for (;;) {
    size_t at;
    while ((at = find_next(core)) == core->tasks.size &&
           (at = find_stuck(core)) == core->tasks.size && !core->is_stopped)
      pthread_cond_wait(&core->changed, &core->lock);
    for (size_t i = core->tasks.size; at == core->tasks.size && i-- > core->next_task;)
      if (core->tasks.data[i].n_ready != NULL) /* nobody pushes what is missing */
        at = i;
    if (at == core->tasks.size)
      break;
    EchoPjrtTask task = taken(core, at);
    if (task.is_given_up)
      *task.n_ready = SIZE_MAX;
    pthread_mutex_unlock(&core->lock);
    task.run(task.user);
    pthread_mutex_lock(&core->lock);
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

bool echo_pjrt_queue_push(EchoPjrtCore *core, const EchoPjrtTask *task)
{
  pthread_mutex_lock(&core->lock);
  bool is_open = !core->is_stopped;
  if (is_open) {
    echo_vector_push(&core->tasks, *task);
    pthread_cond_signal(&core->changed);
  }
  pthread_mutex_unlock(&core->lock);
  if (!is_open)
    echo_free(task->devices);
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
