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

/* All ranks of a program. */
typedef struct Runs {
  Run **runs;
  size_t n;
  EchoPjrtUserData *user_data; /* NULL: there is none */
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
  echo_local_ranks_join(NULL, 0);
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
    for (size_t k = 0; k < run->program->n_results; k++)
      echo_pjrt_state_set(run->results[k]->ready, code, message);
    echo_pjrt_state_set(run->done, code, message);
  }
  for (size_t i = 0; i < runs->n; i++)
    destroy_run(runs->runs[i]);
  echo_pjrt_user_data_release(runs->user_data);
  echo_free(runs->runs);
  echo_free(runs);
}

static void run_program(void *user)
{
  Runs *runs = user;
  EchoPjrtProgram *program = echo_pjrt_program_retain(runs->runs[0]->program);
  EchoStr message = {0};
  EchoBuffer text = {0};
  PJRT_Error_Code code = failed_args(runs, &message);
  if (code == PJRT_Error_Code_OK) {
    pthread_mutex_lock(&program->core->run_lock);
    size_t n = echo_context_n_diagnostics(program->ctx);
    if (program->ranks != NULL)
      echo_local_ranks_reset(program->ranks);
    program->user_data = runs->user_data;
    atomic_store(&program->call_code, PJRT_Error_Code_OK);
    run_all(runs);
    program->user_data = NULL;
    PJRT_Error_Code call_code = (PJRT_Error_Code)atomic_load(&program->call_code);
    pthread_mutex_unlock(&program->core->run_lock);
    for (size_t i = 0; i < runs->n && code == PJRT_Error_Code_OK; i++)
      code = runs->runs[i]->code;
    if (code == PJRT_Error_Code_INTERNAL && call_code != PJRT_Error_Code_OK)
      code = call_code;
    for (; code != PJRT_Error_Code_OK && n < echo_context_n_diagnostics(program->ctx); n++)
      echo_diagnostic_format(program->ctx, echo_context_diagnostic(program->ctx, n), &text);
    message = echo_buffer_str(&text);
  }
  finish(runs, code, message);
  echo_buffer_destroy(&text);
  echo_pjrt_program_release(program);
}

/* ---- when it is asked for ---- */

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
  bool is_same = buffer->type == program->arg_types[i] && buffer->n_dims == echo_type_rank(type);
  for (size_t k = 0; is_same && k < buffer->n_dims; k++)
    is_same = buffer->dims[k] == echo_type_dim(type, k);
  ECHO_PJRT_CHECK(is_same, "argument %zu is not of type %s", i, echo_type_text(program->ctx, type));
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
    run->args[i] = echo_pjrt_storage_retain(buffers[i]->storage);
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

static PJRT_Error *check_lists(const PJRT_LoadedExecutable_Execute_Args *args,
                               const EchoPjrtProgram *program, size_t rank, bool *is_donated)
{
  ECHO_PJRT_CHECK(program->n_args == 0 || args->argument_lists[rank] != NULL,
                  "'argument_lists' is NULL");
  ECHO_PJRT_CHECK(program->n_results == 0 || args->output_lists[rank] != NULL,
                  "'output_lists' is NULL");
  return check_args(program, rank, program->n_args != 0 ? args->argument_lists[rank] : NULL,
                    args->options, is_donated);
}

/* Queues what was checked; takes over what says which arguments are donated, rank by rank. */
static void start(PJRT_LoadedExecutable_Execute_Args *args, EchoPjrtProgram *program,
                  bool *const *is_donated)
{
  Runs *runs = echo_alloc(sizeof *runs);
  *runs = (Runs){.runs = echo_alloc_array(program->n_ranks, sizeof(Run *)),
                 .n = program->n_ranks,
                 .user_data = echo_pjrt_user_data_of_or_null(args->options)};
  for (size_t rank = 0; rank < program->n_ranks; rank++) {
    Run *run = create_run(program, rank, program->n_args != 0 ? args->argument_lists[rank] : NULL,
                          is_donated[rank]);
    const int64_t *dims = program->all_result_dims;
    for (size_t i = 0; i < program->n_results; i++) {
      args->output_lists[rank][i] =
          echo_pjrt_buffer_create(echo_pjrt_storage_retain(run->results[i]),
                                  program->result_types[i], dims, program->n_result_dims[i]);
      dims += program->n_result_dims[i];
    }
    if (args->device_complete_events != NULL)
      args->device_complete_events[rank] = echo_pjrt_event_create(run->done);
    runs->runs[rank] = run;
  }
  if (!echo_pjrt_queue_push(program->core, run_program, runs))
    run_program(runs); /* the client is gone: nobody else runs it */
}

PJRT_Error *Echo_PJRT_LoadedExecutable_Execute(PJRT_LoadedExecutable_Execute_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, device_complete_events);
  ECHO_PJRT_CHECK_LIVE(args->executable, ECHO_PJRT_LOADED);
  ECHO_PJRT_CHECK(!args->executable->is_deleted, "the executable was deleted");
  EchoPjrtProgram *program = args->executable->program;
  ECHO_PJRT_CHECK(args->num_devices == program->n_ranks,
                  "a run on %zu devices of a program for %zu", args->num_devices, program->n_ranks);
  ECHO_PJRT_CHECK(!ECHO_PJRT_HAS(args, execute_device) || args->execute_device == NULL ||
                      (program->n_ranks == 1 && args->execute_device == program->devices[0]),
                  "a run on another device than the one that the program was compiled for");
  ECHO_PJRT_CHECK(args->num_args == program->n_args, "%zu arguments, the program has %zu",
                  args->num_args, program->n_args);
  ECHO_PJRT_CHECK(echo_pjrt_context_or_null(args->options) == NULL ||
                      echo_pjrt_is_live(args->options->context, ECHO_PJRT_CONTEXT),
                  "'context' is not a live object");
  ECHO_PJRT_CHECK(program->n_args == 0 || args->argument_lists != NULL, "'argument_lists' is NULL");
  ECHO_PJRT_CHECK(program->n_results == 0 || args->output_lists != NULL, "'output_lists' is NULL");
  bool **is_donated = echo_alloc_zero(program->n_ranks, sizeof *is_donated);
  PJRT_Error *error = NULL;
  for (size_t rank = 0; rank < program->n_ranks && error == NULL; rank++) {
    is_donated[rank] = echo_alloc_zero(program->n_args + 1, sizeof **is_donated);
    error = check_lists(args, program, rank, is_donated[rank]);
  }
  if (error == NULL)
    start(args, program, is_donated);
  for (size_t rank = 0; rank < program->n_ranks && error != NULL; rank++)
    echo_free(is_donated[rank]);
  echo_free(is_donated);
  return error;
}
