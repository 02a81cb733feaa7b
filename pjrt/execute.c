/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runs: checked and queued when they are asked for, carried out in order. */
#include "base/map.h"
#include "pjrt/plugin_t.h"

typedef struct Run {
  EchoPjrtProgram *program;
  EchoPjrtStorage **args, **results;
  bool *is_donated; /* by argument */
  EchoPjrtState *done;
} Run;

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
  EchoDeviceBuffer *copy =
      echo_device_buffer_create_or_null(NULL, storage->core->device, storage->n_bytes);
  if (storage->n_bytes != 0)
    memcpy(echo_device_buffer_address(copy), echo_device_buffer_address(storage->buffer),
           storage->n_bytes);
  return copy;
}

/* One executable keeps its arena: the memory of two is never held at once. */
static void keep_one_arena(EchoPjrtCore *core, EchoExecutable *executable)
{
  pthread_mutex_lock(&core->arena_lock);
  if (core->with_arena != executable)
    echo_executable_release(core->with_arena);
  core->with_arena = executable;
  pthread_mutex_unlock(&core->arena_lock);
}

static bool execute(Run *run)
{
  EchoPjrtProgram *program = run->program;
  EchoExecutable *executable = program->executable;
  EchoDeviceBuffer **args = echo_alloc_array(program->n_args + 1, sizeof(void *));
  EchoDeviceBuffer **results = echo_alloc_array(program->n_results + 1, sizeof(void *));
  for (size_t i = 0; i < program->n_args; i++)
    args[i] = echo_executable_overwrites_arg(executable, i) && !run->is_donated[i]
                  ? copy_of(run->args[i])
                  : run->args[i]->buffer;
  keep_one_arena(program->core, executable);
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

static void run_program(void *user)
{
  Run *run = user;
  EchoStr message = {0};
  EchoBuffer text = {0};
  PJRT_Error_Code code = failed_arg(run, &message);
  if (code == PJRT_Error_Code_OK) {
    pthread_mutex_lock(&run->program->core->run_lock);
    size_t n = echo_context_n_diagnostics(run->program->ctx);
    bool fine = execute(run);
    pthread_mutex_unlock(&run->program->core->run_lock);
    if (!fine) {
      for (; n < echo_context_n_diagnostics(run->program->ctx); n++)
        echo_diagnostic_format(run->program->ctx, echo_context_diagnostic(run->program->ctx, n),
                               &text);
      code = PJRT_Error_Code_INTERNAL;
      message = echo_buffer_str(&text);
    }
  }
  for (size_t i = 0; i < run->program->n_results; i++)
    echo_pjrt_state_set(run->results[i]->ready, code, message);
  echo_pjrt_state_set(run->done, code, message);
  echo_buffer_destroy(&text);
  destroy_run(run);
}

/* ---- when it is asked for ---- */

static PJRT_Error *check_arg(const EchoPjrtProgram *program, const PJRT_Buffer *buffer, size_t i)
{
  ECHO_PJRT_CHECK(echo_pjrt_is_live(buffer, ECHO_PJRT_BUFFER), "argument %zu is no live buffer", i);
  ECHO_PJRT_CHECK(buffer->storage != NULL, "argument %zu was deleted or donated", i);
  ECHO_PJRT_CHECK(buffer->core == program->core, "argument %zu is of another client", i);
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
static PJRT_Error *check_args(const EchoPjrtProgram *program, PJRT_Buffer *const *buffers,
                              const PJRT_ExecuteOptions *options, bool *is_donated)
{
  EchoMap first = {0}; /* buffer -> argument + 1 */
  PJRT_Error *error = NULL;
  for (size_t i = 0; i < program->n_args && error == NULL; i++) {
    error = check_arg(program, buffers[i], i);
    if (error != NULL)
      break;
    is_donated[i] = echo_executable_overwrites_arg(program->executable, i) && !is_kept(options, i);
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

static Run *create_run(EchoPjrtProgram *program, PJRT_Buffer *const *buffers, bool *is_donated)
{
  Run *run = echo_alloc(sizeof *run);
  *run = (Run){.program = echo_pjrt_program_retain(program),
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
        echo_pjrt_storage_create(program->core, echo_type_static_bytes(program->results[i]));
  return run;
}

PJRT_Error *Echo_PJRT_LoadedExecutable_Execute(PJRT_LoadedExecutable_Execute_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, device_complete_events);
  ECHO_PJRT_CHECK_LIVE(args->executable, ECHO_PJRT_LOADED);
  ECHO_PJRT_CHECK(!args->executable->is_deleted, "the executable was deleted");
  EchoPjrtProgram *program = args->executable->program;
  ECHO_PJRT_CHECK(args->num_devices == 1, "%zu devices: there is one", args->num_devices);
  ECHO_PJRT_CHECK(args->num_args == program->n_args, "%zu arguments, the program has %zu",
                  args->num_args, program->n_args);
  ECHO_PJRT_CHECK(program->n_args == 0 ||
                      (args->argument_lists != NULL && args->argument_lists[0] != NULL),
                  "'argument_lists' is NULL");
  ECHO_PJRT_CHECK(program->n_results == 0 ||
                      (args->output_lists != NULL && args->output_lists[0] != NULL),
                  "'output_lists' is NULL");
  PJRT_Buffer *const *buffers = program->n_args != 0 ? args->argument_lists[0] : NULL;
  bool *is_donated = echo_alloc_zero(program->n_args + 1, sizeof *is_donated);
  PJRT_Error *error = check_args(program, buffers, args->options, is_donated);
  if (error != NULL) {
    echo_free(is_donated);
    return error;
  }
  Run *run = create_run(program, buffers, is_donated);
  const int64_t *dims = program->all_result_dims;
  for (size_t i = 0; i < program->n_results; i++) {
    args->output_lists[0][i] =
        echo_pjrt_buffer_create(echo_pjrt_storage_retain(run->results[i]), program->result_types[i],
                                dims, program->n_result_dims[i]);
    dims += program->n_result_dims[i];
  }
  if (args->device_complete_events != NULL)
    args->device_complete_events[0] = echo_pjrt_event_create(run->done);
  if (!echo_pjrt_queue_push(program->core, run_program, run))
    run_program(run); /* the client is gone: nobody else runs it */
  return NULL;
}

/* ---- execute contexts: nothing is kept in one ---- */

struct PJRT_ExecuteContext {
  char unused;
};

PJRT_Error *Echo_PJRT_ExecuteContext_Create(PJRT_ExecuteContext_Create_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, context);
  args->context = echo_alloc_zero(1, sizeof *args->context);
  echo_pjrt_add(args->context, ECHO_PJRT_CONTEXT);
  return NULL;
}

PJRT_Error *Echo_PJRT_ExecuteContext_Destroy(PJRT_ExecuteContext_Destroy_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, context);
  if (args->context == NULL)
    return NULL;
  ECHO_PJRT_CHECK(echo_pjrt_remove(args->context, ECHO_PJRT_CONTEXT),
                  "'context' is not a live object");
  echo_free(args->context);
  return NULL;
}
