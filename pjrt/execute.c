/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runs: checked and queued when they are asked for, carried out in order. A program for many
 * devices runs on a thread for each. */
#include "base/map.h"
#include "pjrt/plugin_t.h"

/* Of one rank. */
typedef struct Run {
  EchoPjrtProgram *program;
  size_t rank;
  EchoPjrtStorage **args, **results;
  bool *is_donated; /* by argument */
  EchoPjrtState *done;
  PJRT_Error_Code code; /* how it went */
} Run;

/* Ranks of a program that run together: one, or all of them. */
typedef struct EchoPjrtRuns {
  EchoPjrtProgram *program;
  Run **runs; /* NULLs among them until each was asked for */
  size_t n, n_started, n_ready;
  uint64_t number;             /* among the client's runs of programs that draw random numbers */
  EchoPjrtUserData *user_data; /* NULL: there is none */
  struct EchoPjrtRuns *next;   /* started behind this one, and not asked for by all */
} Runs;

static void destroy_run(Run *run)
{
  EchoPjrtProgram *program = run->program;
  for (size_t i = 0; i < program->n_args; i++)
    echo_pjrt_storage_release(run->args[i]);
  for (size_t i = 0; i < program->n_results; i++)
    echo_pjrt_storage_release(run->results[i]);
  echo_pjrt_state_release(run->done);
  echo_free(run->args);
  echo_free(run->results);
  echo_free(run->is_donated);
  echo_free(run);
  echo_pjrt_program_release(program);
}

/* ---- on the queue ---- */

/* An argument that is overwritten and not given away is copied first. */
static EchoDeviceBuffer *copy_of(EchoPjrtStorage *storage)
{
  EchoDeviceBuffer *copy = echo_pjrt_memory_allocate(storage->memory, storage->n_bytes);
  if (storage->n_bytes != 0)
    memcpy(echo_device_buffer_address(copy), echo_device_buffer_address(storage->buffer),
           storage->n_bytes);
  return copy;
}

/* One executable keeps its arena: the memory of two is never held at once. */
static void keep_one_arena(PJRT_Device *device, EchoExecutable *executable)
{
  pthread_mutex_lock(&device->core->arena_lock);
  if (device->with_arena != executable)
    echo_executable_release(device->with_arena);
  device->with_arena = executable;
  pthread_mutex_unlock(&device->core->arena_lock);
}

static bool execute(Run *run)
{
  EchoPjrtProgram *program = run->program;
  EchoExecutable *executable = program->executables[run->rank];
  EchoDeviceBuffer **args = echo_alloc_array(program->n_args + 1, sizeof(void *));
  EchoDeviceBuffer **results = echo_alloc_array(program->n_results + 1, sizeof(void *));
  for (size_t i = 0; i < program->n_args; i++)
    args[i] = echo_executable_overwrites_arg(executable, i) && !run->is_donated[i]
                  ? copy_of(run->args[i])
                  : run->args[i]->buffer;
  keep_one_arena(program->devices[run->rank], executable);
  bool fine =
      echo_executable_execute(executable, args, program->n_args, results, program->n_results);
  for (size_t r = 0; fine && r < program->n_results; r++) {
    run->results[r]->buffer = results[r];
    int64_t alias = echo_executable_result_alias(executable, r);
    if (alias < 0)
      continue;
    if (args[alias] == run->args[alias]->buffer)
      run->args[alias]->buffer = NULL;
    args[alias] = NULL; /* the result's now */
  }
  for (size_t i = 0; i < program->n_args; i++)
    if (args[i] != NULL && args[i] != run->args[i]->buffer)
      echo_device_buffer_destroy(args[i]);
  echo_free(args);
  echo_free(results);
  return fine;
}

/* The error of an argument whose maker failed. */
static PJRT_Error_Code failed_arg(const Run *run, EchoStr *message)
{
  for (size_t i = 0; i < run->program->n_args; i++) {
    PJRT_Error_Code code = echo_pjrt_state_wait(run->args[i]->ready, message);
    if (code != PJRT_Error_Code_OK)
      return code;
  }
  return PJRT_Error_Code_OK;
}

static void *run_rank(void *user)
{
  Run *run = user;
  EchoLocalRanks *ranks = run->program->ranks;
  echo_local_ranks_join(ranks, (int)run->rank);
  if (!execute(run)) {
    run->code = PJRT_Error_Code_INTERNAL;
    if (ranks != NULL)
      echo_local_ranks_fail(ranks);
  }
  echo_local_ranks_leave();
  return NULL;
}

/* Every rank on a thread of its own, the last on this one. */
static void run_all(Runs *runs)
{
  pthread_t *threads = echo_alloc_array(runs->n, sizeof *threads);
  for (size_t i = 0; i + 1 < runs->n; i++)
    ECHO_CHECK(pthread_create(&threads[i], NULL, run_rank, runs->runs[i]) == 0,
               "no thread for a device");
  run_rank(runs->runs[runs->n - 1]);
  for (size_t i = 0; i + 1 < runs->n; i++)
    pthread_join(threads[i], NULL);
  echo_free(threads);
}

/* An argument that failed fails all ranks. */
static PJRT_Error_Code failed_args(const Runs *runs, EchoStr *message)
{
  PJRT_Error_Code code = PJRT_Error_Code_OK;
  for (size_t i = 0; i < runs->n && code == PJRT_Error_Code_OK; i++)
    code = failed_arg(runs->runs[i], message);
  return code;
}

static void finish(Runs *runs, PJRT_Error_Code code, EchoStr message)
{
  for (size_t i = 0; i < runs->n; i++) {
    Run *run = runs->runs[i];
    for (size_t k = 0; run != NULL && k < run->program->n_results; k++)
      echo_pjrt_state_set(run->results[k]->ready, code, message);
    if (run != NULL)
      echo_pjrt_state_set(run->done, code, message);
  }
  for (size_t i = 0; i < runs->n; i++)
    if (runs->runs[i] != NULL)
      destroy_run(runs->runs[i]);
  echo_pjrt_program_release(runs->program);
  echo_pjrt_user_data_release(runs->user_data);
  echo_free(runs->runs);
  echo_free(runs);
}

/* Whether every argument of every rank is there, or failed. */
static bool is_program_ready(const void *user)
{
  const Runs *runs = user;
  for (size_t i = 0; i < runs->n; i++)
    for (size_t k = 0; k < runs->program->n_args; k++)
      if (!echo_pjrt_state_is_set(runs->runs[i]->args[k]->ready))
        return false;
  return true;
}

/* Under the core's lock: nobody joins it any more. */
static void close_runs(Runs *runs)
{
  Runs **at = &runs->program->core->started;
  while (*at != NULL && *at != runs)
    at = &(*at)->next;
  if (*at != NULL)
    *at = runs->next;
}

/* The client ended before all devices were asked for it, or the devices wait for each other. */
static void give_up(Runs *runs)
{
  EchoPjrtCore *core = runs->program->core;
  EchoBuffer text = {0};
  pthread_mutex_lock(&core->lock);
  close_runs(runs);
  bool is_stopped = core->is_stopped;
  pthread_mutex_unlock(&core->lock);
  if (is_stopped)
    echo_buffer_append_c(&text, "the client ended before it ran a program on all of its devices");
  else
    echo_buffer_printf(&text,
                       "'%s' does not run: its devices run it together, and others of them wait in "
                       "another program for those that were asked for this one",
                       echo_buffer_c_str(&runs->program->name));
  finish(runs, is_stopped ? PJRT_Error_Code_CANCELLED : PJRT_Error_Code_FAILED_PRECONDITION,
         echo_buffer_str(&text));
  echo_buffer_destroy(&text);
}

static void run_program(void *user)
{
  Runs *runs = user;
  EchoPjrtProgram *program = echo_pjrt_program_retain(runs->program);
  EchoStr message = {0};
  EchoBuffer text = {0};
  if (runs->n_started != runs->n || runs->n_ready == SIZE_MAX) {
    give_up(runs);
    echo_pjrt_program_release(program);
    return;
  }
  PJRT_Error_Code code = failed_args(runs, &message);
  if (code == PJRT_Error_Code_OK) {
    pthread_mutex_lock(&program->core->run_lock);
    size_t n = echo_context_n_diagnostics(program->run_ctx);
    if (program->ranks != NULL)
      echo_local_ranks_reset(program->ranks);
    program->user_data = runs->user_data;
    atomic_store(&program->call_code, PJRT_Error_Code_OK);
    for (size_t i = 0; i < program->n_ranks; i++)
      echo_executable_seed(program->executables[i], program->seed, runs->number);
    run_all(runs);
    program->user_data = NULL;
    PJRT_Error_Code call_code = (PJRT_Error_Code)atomic_load(&program->call_code);
    pthread_mutex_unlock(&program->core->run_lock);
    for (size_t i = 0; i < runs->n && code == PJRT_Error_Code_OK; i++)
      code = runs->runs[i]->code;
    if (code == PJRT_Error_Code_INTERNAL && call_code != PJRT_Error_Code_OK)
      code = call_code;
    for (; code != PJRT_Error_Code_OK && n < echo_context_n_diagnostics(program->run_ctx); n++)
      echo_diagnostic_format(program->run_ctx, echo_context_diagnostic(program->run_ctx, n), &text);
    message = echo_buffer_str(&text);
  }
  finish(runs, code, message);
  echo_buffer_destroy(&text);
  echo_pjrt_program_release(program);
}

/* ---- when it is asked for ---- */

/* JAX makes a token of an array without elements, and a program makes one of its own. */
static bool is_token(PJRT_Buffer_Type type, uint64_t n_bytes)
{
  return type == PJRT_Buffer_Type_TOKEN || (type == PJRT_Buffer_Type_PRED && n_bytes == 0);
}

static bool is_of(const PJRT_Buffer *buffer, PJRT_Buffer_Type element, const EchoType *type)
{
  if (buffer->type == PJRT_Buffer_Type_TOKEN || element == PJRT_Buffer_Type_TOKEN)
    return is_token(buffer->type, buffer->n_bytes) &&
           is_token(element, echo_type_static_bytes(type));
  bool is_same = buffer->type == element && buffer->n_dims == echo_type_rank(type);
  for (size_t k = 0; is_same && k < buffer->n_dims; k++)
    is_same = buffer->dims[k] == echo_type_dim(type, k);
  return is_same;
}

static PJRT_Error *check_arg(const EchoPjrtProgram *program, size_t rank, const PJRT_Buffer *buffer,
                             size_t i)
{
  ECHO_PJRT_CHECK(echo_pjrt_is_live(buffer, ECHO_PJRT_BUFFER), "argument %zu is no live buffer", i);
  ECHO_PJRT_CHECK(buffer->storage != NULL, "argument %zu was deleted or donated", i);
  const PJRT_Device *device = buffer->memory->device;
  ECHO_PJRT_CHECK(device->core == program->core, "argument %zu is of another client", i);
  ECHO_PJRT_CHECK(device == program->devices[rank],
                  "argument %zu is on device %d, the program runs on device %d", i, device->id,
                  program->devices[rank]->id);
  int memory = program->arg_memories.data[i];
  ECHO_PJRT_CHECK(echo_pjrt_memory_is_host(buffer->memory->kind) ==
                      echo_pjrt_memory_is_host(memory),
                  "argument %zu is in %s memory, the program wants it in %s", i,
                  echo_pjrt_memory_kind(buffer->memory->kind), echo_pjrt_memory_kind(memory));
  const EchoType *type = program->args[i];
  ECHO_PJRT_CHECK(is_of(buffer, program->arg_types[i], type), "argument %zu is not of type %s", i,
                  echo_type_text(program->ctx, type));
  return NULL;
}

static bool is_kept(const PJRT_ExecuteOptions *options, size_t i)
{
  if (options == NULL || !ECHO_PJRT_HAS(options, num_non_donatable_input_indices) ||
      options->non_donatable_input_indices == NULL)
    return false;
  for (size_t k = 0; k < options->num_non_donatable_input_indices; k++)
    if (options->non_donatable_input_indices[k] == (int64_t)i)
      return true;
  return false;
}

/* Checks all arguments and says which are given away. A buffer that is given away stands there
 * once. */
static PJRT_Error *check_args(const EchoPjrtProgram *program, size_t rank,
                              PJRT_Buffer *const *buffers, const PJRT_ExecuteOptions *options,
                              bool *is_donated)
{
  EchoMap first = {0}; /* buffer -> argument + 1 */
  PJRT_Error *error = NULL;
  for (size_t i = 0; i < program->n_args && error == NULL; i++) {
    error = check_arg(program, rank, buffers[i], i);
    if (error != NULL)
      break;
    is_donated[i] =
        echo_executable_overwrites_arg(program->executables[0], i) && !is_kept(options, i);
    uint64_t before = echo_map_get_or(&first, echo_key(buffers[i]), 0);
    if (before != 0 && (is_donated[i] || is_donated[before - 1]))
      error = echo_pjrt_error(PJRT_Error_Code_INVALID_ARGUMENT,
                              "arguments %llu and %zu are one buffer, and it is donated",
                              (unsigned long long)before - 1, i);
    if (before == 0)
      echo_map_set(&first, echo_key(buffers[i]), i + 1);
  }
  echo_map_destroy(&first);
  return error;
}

static void delete_buffer(PJRT_Buffer *buffer)
{
  echo_pjrt_storage_release(buffer->storage);
  buffer->storage = NULL;
}

static const EchoPjrtPlace *place_or_null(const EchoPjrtPlace *places, size_t n, size_t i)
{
  return i < n ? &places[i] : NULL;
}

/* An argument whose dimensions lie in another order than the program's is copied into that: JAX
 * hands over what it was given where nobody has committed the array to its place. */
static EchoPjrtStorage *take_arg(const EchoPjrtProgram *program, const PJRT_Buffer *buffer,
                                 size_t i)
{
  int64_t order[ECHO_MAX_RANK];
  echo_pjrt_order_of(place_or_null(program->arg_places.data, program->arg_places.size, i),
                     buffer->n_dims, order);
  return echo_pjrt_storage_in_order(buffer, order);
}

static Run *create_run(EchoPjrtProgram *program, size_t rank, PJRT_Buffer *const *buffers,
                       bool *is_donated)
{
  Run *run = echo_alloc(sizeof *run);
  *run = (Run){.program = echo_pjrt_program_retain(program),
               .rank = rank,
               .args = echo_alloc_array(program->n_args + 1, sizeof(void *)),
               .results = echo_alloc_array(program->n_results + 1, sizeof(void *)),
               .is_donated = is_donated,
               .done = echo_pjrt_state_create()};
  for (size_t i = 0; i < program->n_args; i++)
    run->args[i] = take_arg(program, buffers[i], i);
  for (size_t i = 0; i < program->n_args; i++) {
    if (!is_donated[i])
      continue;
    delete_buffer(buffers[i]);
    if (atomic_load(&run->args[i]->n_external) != 0) /* somebody looks at it */
      is_donated[i] = false;
  }
  for (size_t i = 0; i < program->n_results; i++)
    run->results[i] =
        echo_pjrt_storage_create(program->devices[rank]->memories[program->result_memories.data[i]],
                                 echo_type_static_bytes(program->results[i]));
  return run;
}

/* Lists number `i` are those of `rank`. */
static PJRT_Error *check_lists(const PJRT_LoadedExecutable_Execute_Args *args,
                               const EchoPjrtProgram *program, size_t i, size_t rank,
                               bool *is_donated)
{
  ECHO_PJRT_CHECK(program->n_args == 0 || args->argument_lists[i] != NULL,
                  "'argument_lists' is NULL");
  ECHO_PJRT_CHECK(program->n_results == 0 || args->output_lists[i] != NULL,
                  "'output_lists' is NULL");
  return check_args(program, rank, program->n_args != 0 ? args->argument_lists[i] : NULL,
                    args->options, is_donated);
}

static Runs *create_runs(EchoPjrtProgram *program, size_t n)
{
  Runs *runs = echo_alloc(sizeof *runs);
  *runs = (Runs){.program = echo_pjrt_program_retain(program),
                 .runs = echo_alloc_zero(n, sizeof(Run *)),
                 .n = n};
  if (echo_executable_draws(program->executables[0]))
    runs->number = atomic_fetch_add(&program->core->n_draws, 1);
  return runs;
}

/* Whether they are one program, which a client may have compiled twice: PyTorch/XLA does, on two
 * threads at once. */
static bool is_same_program(const EchoPjrtProgram *a, const EchoPjrtProgram *b)
{
  return a == b ||
         (a->n_ranks == b->n_ranks &&
          memcmp(a->devices, b->devices, a->n_ranks * sizeof(PJRT_Device *)) == 0 &&
          echo_str_equal(echo_buffer_str(&a->fingerprint), echo_buffer_str(&b->fingerprint)) &&
          echo_str_equal(a->code, b->code) && echo_str_equal(a->options, b->options));
}

/* The first that the rank was not asked for yet, of those in which all ranks run together. */
static Runs *started_runs(EchoPjrtProgram *program, size_t rank)
{
  Runs **at = &program->core->started;
  while (*at != NULL && ((*at)->runs[rank] != NULL || !is_same_program((*at)->program, program)))
    at = &(*at)->next;
  if (*at == NULL)
    *at = create_runs(program, program->n_ranks);
  return *at;
}

/* One rank's run of a program whose ranks need each other joins theirs. */
static Runs *join_runs(EchoPjrtProgram *program, Run *run)
{
  pthread_mutex_lock(&program->core->lock);
  Runs *runs = started_runs(program, run->rank);
  runs->runs[run->rank] = run;
  if (++runs->n_started == runs->n)
    close_runs(runs);
  pthread_mutex_unlock(&program->core->lock);
  if (runs->program != program) { /* its code is for all ranks */
    run->program = echo_pjrt_program_retain(runs->program);
    echo_pjrt_program_release(program);
  }
  return runs;
}

static void push(Runs *runs, size_t first_rank, size_t n_ranks)
{
  EchoPjrtProgram *program = runs->program;
  EchoPjrtTask task = {
      .run = run_program, .is_ready = is_program_ready, .user = runs, .n_parts = runs->n / n_ranks};
  task.devices = echo_alloc_array(n_ranks, sizeof *task.devices);
  task.n_ready = task.n_parts == 1 ? NULL : &runs->n_ready;
  task.of = program->devices;
  task.n_of = program->n_ranks;
  for (size_t i = 0; i < n_ranks; i++)
    task.devices[task.n_devices++] = program->devices[first_rank + i]->id;
  if (!echo_pjrt_queue_push(program->core, &task))
    run_program(runs); /* the client is gone: nobody else runs it */
}

/* List `i` of what a rank gives, and its event. */
static void hand_out(PJRT_LoadedExecutable_Execute_Args *args, const Run *run, size_t i)
{
  const EchoPjrtProgram *program = run->program;
  const int64_t *dims = program->all_result_dims;
  int64_t order[ECHO_MAX_RANK];
  for (size_t k = 0; k < program->n_results; k++) {
    echo_pjrt_order_of(place_or_null(program->result_places.data, program->result_places.size, k),
                       program->n_result_dims[k], order);
    args->output_lists[i][k] =
        echo_pjrt_buffer_create(echo_pjrt_storage_retain(run->results[k]), program->result_types[k],
                                dims, program->n_result_dims[k], order);
    dims += program->n_result_dims[k];
  }
  if (args->device_complete_events != NULL)
    args->device_complete_events[i] = echo_pjrt_event_create(run->done);
}

/* Queues what was checked, ranks from `first_rank` on; takes over what says which arguments are
 * donated, rank by rank. */
static void start(PJRT_LoadedExecutable_Execute_Args *args, EchoPjrtProgram *program,
                  size_t first_rank, bool *const *is_donated)
{
  const size_t n = args->num_devices;
  Runs *runs = n != program->n_ranks && program->is_together ? NULL : create_runs(program, n);
  for (size_t i = 0; i < n; i++) {
    Run *run = create_run(program, first_rank + i,
                          program->n_args != 0 ? args->argument_lists[i] : NULL, is_donated[i]);
    hand_out(args, run, i);
    if (runs == NULL) {
      runs = join_runs(program, run);
    } else {
      runs->runs[i] = run;
      runs->n_started++;
    }
  }
  if (runs->user_data == NULL)
    runs->user_data = echo_pjrt_user_data_of_or_null(args->options);
  push(runs, first_rank, n);
}

/* The rank that runs on a device; n_ranks: none does. */
static size_t rank_on(const EchoPjrtProgram *program, const PJRT_Device *device)
{
  size_t rank = 0;
  while (rank < program->n_ranks && program->devices[rank] != device)
    rank++;
  return rank;
}

PJRT_Error *Echo_PJRT_LoadedExecutable_Execute(PJRT_LoadedExecutable_Execute_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, device_complete_events);
  ECHO_PJRT_CHECK_LIVE(args->executable, ECHO_PJRT_LOADED);
  ECHO_PJRT_CHECK(!args->executable->is_deleted, "the executable was deleted");
  EchoPjrtProgram *program = args->executable->program;
  const PJRT_Device *device = ECHO_PJRT_HAS(args, execute_device) ? args->execute_device : NULL;
  const size_t n = device != NULL ? 1 : program->n_ranks;
  const size_t first_rank = device != NULL ? rank_on(program, device) : 0;
  ECHO_PJRT_CHECK(args->num_devices == n, "a run on %zu devices of a program for %zu",
                  args->num_devices, n);
  ECHO_PJRT_CHECK(first_rank < program->n_ranks,
                  "a run on another device than the one that the program was compiled for");
  ECHO_PJRT_CHECK(args->num_args == program->n_args, "%zu arguments, the program has %zu",
                  args->num_args, program->n_args);
  ECHO_PJRT_CHECK(echo_pjrt_context_or_null(args->options) == NULL ||
                      echo_pjrt_is_live(args->options->context, ECHO_PJRT_CONTEXT),
                  "'context' is not a live object");
  ECHO_PJRT_CHECK(program->n_args == 0 || args->argument_lists != NULL, "'argument_lists' is NULL");
  ECHO_PJRT_CHECK(program->n_results == 0 || args->output_lists != NULL, "'output_lists' is NULL");
  bool **is_donated = echo_alloc_zero(n, sizeof *is_donated);
  PJRT_Error *error = NULL;
  for (size_t i = 0; i < n && error == NULL; i++) {
    is_donated[i] = echo_alloc_zero(program->n_args + 1, sizeof **is_donated);
    error = check_lists(args, program, i, first_rank + i, is_donated[i]);
  }
  if (error == NULL)
    start(args, program, first_rank, is_donated);
  for (size_t i = 0; i < n && error != NULL; i++)
    echo_free(is_donated[i]);
  echo_free(is_donated);
  return error;
}
