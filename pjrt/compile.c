/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From a program and its options to an executable. */
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "dialects/func/build.h"
#include "dialects/interfaces/denormals.h"
#include "dialects/sdy/shardings.h"
#include "ir/symbol.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "jit/driver/register.h"
#include "jit/report/memory_report.h"
#include "pjrt/plugin_t.h"

EchoPjrtProgram *echo_pjrt_program_retain(EchoPjrtProgram *program)
{
  atomic_fetch_add(&program->n_references, 1);
  return program;
}

static void free_str(EchoStr str)
{
  echo_free((void *)(uintptr_t)str.data);
}

static EchoStr copy_str(EchoStr str)
{
  char *copy = echo_alloc(str.size + 1);
  if (str.size != 0)
    memcpy(copy, str.data, str.size);
  copy[str.size] = '\0';
  return (EchoStr){copy, str.size};
}

void echo_pjrt_program_release(EchoPjrtProgram *program)
{
  if (program == NULL || atomic_fetch_sub(&program->n_references, 1) != 1)
    return;
  EchoPjrtCore *core = program->core;
  pthread_mutex_lock(&core->arena_lock);
  for (size_t i = 0; i < program->n_ranks; i++)
    if (program->devices[i]->with_arena == program->executables[i])
      program->devices[i]->with_arena = NULL;
  pthread_mutex_unlock(&core->arena_lock);
  for (size_t i = 0; i < program->callbacks.size; i++)
    echo_pjrt_hold_callback(program->callbacks.data[i], false);
  echo_vector_destroy(&program->callbacks);
  for (size_t i = 0; i < program->n_ranks; i++)
    echo_executable_destroy(program->executables[i]);
  echo_free(program->executables);
  echo_free(program->devices);
  echo_local_ranks_destroy(program->ranks);
  echo_buffer_destroy(&program->for_each);
  echo_buffer_destroy(&program->key);
  echo_buffer_destroy(&program->bundle);
  if (program->run_ctx != program->ctx)
    echo_context_destroy(program->run_ctx);
  echo_context_destroy(program->ctx);
  echo_pjrt_ffi_targets_destroy(program);
  free_str(program->code);
  free_str(program->options);
  echo_buffer_destroy(&program->name);
  echo_buffer_destroy(&program->fingerprint);
  echo_free(program->arg_types);
  echo_free(program->result_types);
  echo_free(program->args);
  echo_free(program->results);
  echo_free(program->all_result_dims);
  echo_free(program->n_result_dims);
  echo_vector_destroy(&program->arg_memories);
  echo_vector_destroy(&program->result_memories);
  for (size_t i = 0; program->result_layouts != NULL && i < program->n_results; i++)
    echo_pjrt_layout_destroy(program->result_layouts[i]);
  echo_free(program->result_layouts);
  echo_pjrt_places_destroy(program);
  echo_free(program->memory_kinds);
  echo_free(program->memory_kind_sizes);
  echo_free(program);
  echo_pjrt_core_release(core);
}

/* All that went wrong, as a compiler's user reads it. */
static PJRT_Error *diagnostics_error(EchoContext *ctx, PJRT_Error_Code code)
{
  EchoBuffer text = {0};
  for (size_t i = 0; i < echo_context_n_diagnostics(ctx); i++)
    if (echo_context_diagnostic(ctx, i)->severity == ECHO_ERROR)
      echo_diagnostic_format(ctx, echo_context_diagnostic(ctx, i), &text);
  if (text.size == 0)
    echo_buffer_append_c(&text, "the program could not be compiled");
  PJRT_Error *error = echo_pjrt_error_of(code, echo_buffer_str(&text));
  echo_buffer_destroy(&text);
  return error;
}

/* Operations of the program as it came, for cost analysis, and those that call back or call a
 * handler. */
static bool look_over(EchoPjrtProgram *program, EchoOp *module)
{
  bool fine = true;
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op)) {
    uint64_t index;
    fine &= echo_pjrt_register_ffi_call(program, op);
    if (echo_pjrt_calls_back(op, &index)) {
      echo_vector_push(&program->callbacks, index);
      echo_pjrt_hold_callback(index, true);
    }
    if (op->n_regions != 0 || echo_op_has_trait(op, ECHO_TERMINATOR) || op->n_results == 0)
      continue;
    EchoCost cost;
    echo_op_cost(op, &cost);
    program->flops += cost.flops;
    program->bytes_accessed += cost.bytes_read + cost.bytes_written;
    program->n_ops++;
  }
  return fine;
}

/* The report of the largest program so far. */
static bool write_report(EchoPjrtCore *core, EchoPjrtProgram *program, EchoOp *module,
                         const EchoPjrtOptions *options)
{
  EchoMemoryTimeline timeline;
  echo_memory_timeline_create(&timeline, module);
  bool fine = true;
  if (timeline.planned_peak_bytes > core->largest_peak) {
    core->largest_peak = timeline.planned_peak_bytes;
    EchoMemoryReport report = {.title = echo_buffer_c_str(&program->name), .after = &timeline};
    EchoBuffer html = {0}, error = {0};
    echo_memory_report_html(&report, &html);
    fine = echo_file_write(echo_buffer_c_str(&options->report), html.data, html.size, &error) ||
           echo_error(program->ctx, echo_loc_unknown(), "%s", echo_buffer_c_str(&error));
    echo_buffer_destroy(&html);
    echo_buffer_destroy(&error);
  }
  echo_memory_timeline_destroy(&timeline);
  return fine;
}

/* NULL: what partitions it by its shardings. */
static bool run_passes(EchoPjrtProgram *program, EchoOp *module, const char *pipeline_or_null)
{
  EchoPassManager *manager = echo_pass_manager_create(program->ctx, program->core->passes, NULL);
  bool fine =
      (pipeline_or_null != NULL
           ? echo_pass_manager_add_pipeline(manager, echo_str(pipeline_or_null))
           : echo_pipeline_add_partitioning(manager, (int64_t)program->n_ranks, NULL, NULL)) &&
      echo_pass_manager_run(manager, module);
  echo_pass_manager_destroy(manager);
  return fine;
}

/* What lies where, and what a client reads of it. */
static bool describe(EchoPjrtProgram *program, EchoOp *module)
{
  const EchoOp *entry = echo_module_main_or_null(module);
  if (entry != NULL && !echo_pjrt_read_places(program, entry))
    return false;
  const bool is_marked = echo_pjrt_has_placed_args(program);
  if (is_marked)
    echo_pjrt_mark_places(program, module, true);
  if (program->n_ranks > 1)
    echo_pjrt_print_for_each(program, module);
  else if (is_marked)
    echo_print_op(module, NULL, &program->for_each);
  if (is_marked)
    echo_pjrt_mark_places(program, module, false);
  return true;
}

/* The program as each device runs it; a client reads it with its collectives, which are calls then.
 */
static bool split(EchoPjrtProgram *program, EchoOp *module)
{
  EchoContext *ctx = program->ctx;
  EchoBuffer error = {0};
  bool fine = echo_local_ranks_register_targets(ctx, &error) ||
              echo_error(ctx, echo_loc_unknown(), "%s", echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
  echo_op_set_attr(module, "mhlo.num_replicas", echo_attr_i32(ctx, (int32_t)program->n_replicas));
  echo_op_set_attr(module, "mhlo.num_partitions",
                   echo_attr_i32(ctx, (int32_t)program->n_partitions));
  fine = fine && run_passes(program, module,
                            echo_sdy_is_sharded(module) ? NULL : "inline{all=true},symbol-dce");
  if (!fine)
    return false;
  program->is_together = program->n_partitions > 1 || echo_sdy_names_processes(module);
  if (!describe(program, module))
    return false;
  return run_passes(program, module, "bucket-collectives,lower-collectives");
}

static void create_context(EchoPjrtProgram *program)
{
  program->run_ctx = program->ctx = echo_context_create();
  echo_context_set_n_threads(program->ctx, (unsigned)program->core->options.n_threads);
  echo_register_all(program->ctx, NULL);
  echo_context_register_call_target(program->ctx, &ECHO_PJRT_PYTHON_CALLBACK, NULL);
}

/* The program; for many devices, as each runs it. */
static EchoOp *read_or_null(EchoPjrtProgram *program)
{
  EchoOp *module = echo_parse_text_or_null(program->ctx, ECHO_STR("program"), program->code);
  /* before it is cut, when windows lie across what devices have */
  return module == NULL || !echo_verify(module) || !run_passes(program, module, "whole-windows") ||
                 !(program->n_ranks == 1 ? describe(program, module) : split(program, module))
             ? NULL
             : module;
}

/* A folder that this process makes for itself; empty where there is none. */
static void make_folder(EchoBuffer *folder)
{
  const char *where = getenv("TMPDIR");
  echo_buffer_printf(folder, "%s/echo-pjrt-XXXXXX",
                     where != NULL && *where != '\0' ? where : "/tmp");
  if (mkdtemp((char *)(uintptr_t)echo_buffer_c_str(folder)) == NULL)
    echo_buffer_clear(folder);
}

static void remove_folder(const EchoBuffer *folder)
{
  EchoBuffer path = {0};
  DIR *open = opendir(echo_buffer_c_str(folder));
  for (const struct dirent *entry; open != NULL && (entry = readdir(open)) != NULL;) {
    echo_buffer_clear(&path);
    echo_buffer_printf(&path, "%s/%s", echo_buffer_c_str(folder), entry->d_name);
    unlink(echo_buffer_c_str(&path)); /* not "." and ".." */
  }
  if (open != NULL)
    closedir(open);
  rmdir(echo_buffer_c_str(folder));
  echo_buffer_destroy(&path);
}

/* One executable a device. Their code is compiled once: all others find it in a folder of its own
 * where the user has named none. */
static bool create_executables(EchoPjrtProgram *program, EchoOp *module,
                               const EchoPjrtOptions *options)
{
  EchoBuffer folder = {0};
  EchoExecutableOptions executable = {
      .cache_dir = options->cache.size != 0 ? echo_buffer_c_str(&options->cache) : NULL};
  if (program->n_ranks > 1 && executable.cache_dir == NULL)
    make_folder(&folder);
  if (folder.size != 0)
    executable.cache_dir = echo_buffer_c_str(&folder);
  bool fine = true;
  for (size_t i = 0; fine && i < program->n_ranks; i++) {
    program->executables[i] =
        echo_executable_create_or_null(program->ctx, program->devices[i]->cpu, module, &executable);
    fine = program->executables[i] != NULL;
  }
  if (folder.size != 0)
    remove_folder(&folder);
  echo_buffer_destroy(&folder);
  return fine;
}

/* A program is its main; a function that JAX leaves public beside it (a comparison that a call
 * names) is nobody's else. */
static void hide_others(EchoOp *module, const EchoOp *entry)
{
  const EchoAttr *is_private = echo_attr_string(echo_op_context(module), ECHO_STR("private"));
  for (EchoOp *op = echo_op_body(module, 0)->first; op != NULL && entry != NULL; op = op->next)
    if (op != entry && echo_op_is(op, "func.func") && op->regions[0].first != NULL)
      echo_op_set_attr(op, "sym_visibility", is_private);
}

/* Code that was compiled before, by this build and with these options, for one device. A report
 * needs the plan, which is not all in it. */
static bool load(EchoPjrtProgram *program, const EchoPjrtOptions *options,
                 const EchoPjrtSaved *saved)
{
  return saved != NULL && saved->bundle.size != 0 && program->n_ranks == 1 &&
         options->report.size == 0 && program->key.size != 0 &&
         echo_str_equal(saved->key, echo_buffer_str(&program->key)) &&
         echo_pjrt_load_saved(program, saved->bundle);
}

/* Fills program->executables. */
static bool build(EchoPjrtProgram *program, const EchoPjrtOptions *options,
                  const EchoPjrtSaved *saved)
{
  EchoPjrtCore *core = program->core;
  EchoOp *module = read_or_null(program);
  EchoContext *ctx = program->ctx;
  if (module == NULL)
    return false;
  if (options->keeps_denormals)
    echo_module_keep_denormals(module, true);
  EchoStr name = echo_op_attr_string(module, "sym_name");
  echo_buffer_append_str(&program->name, name.size != 0 ? name : ECHO_STR("main"));
  EchoOp *entry = echo_module_main_or_null(module);
  const EchoAttr *declared = entry != NULL ? echo_op_attr_or_null(entry, "function_type") : NULL;
  if (declared != NULL && declared->kind == ECHO_ATTR_TYPE &&
      declared->as.type_value->kind == ECHO_TYPE_FUNCTION)
    program->declared = declared->as.type_value;
  if (entry != NULL && !echo_pjrt_read_memories(program, entry))
    return false;
  hide_others(module, entry);
  if (!look_over(program, module) || !run_passes(program, module, "select-masks"))
    return false;
  if (program->declared != NULL)
    echo_pjrt_lay_out(program, entry);
  if (load(program, options, saved))
    return echo_pjrt_place_values(program);
  EchoCompileOptions compile = {.echo = options->is_off ? NULL : echo_buffer_c_str(&options->echo)};
  if (options->report.size != 0 &&
      (!echo_compile_to_stage(ctx, core->passes, module, ECHO_STAGE_PLANNED, &compile, NULL) ||
       !write_report(core, program, module, options)))
    return false;
  compile.target = echo_device_target(program->devices[0]->cpu);
  program->module = module;
  if (!echo_compile_to_stage(ctx, core->passes, module, ECHO_STAGE_LOOPS, &compile, NULL))
    return false;
  echo_local_ranks_prepare(module);
  return create_executables(program, module, options) && echo_pjrt_place_values(program);
}

/* A compile on a stack of its own: clients compile on threads whose stacks are small, and some
 * passes go as deep as a program's chains are long. */
typedef struct Build {
  EchoPjrtProgram *program;
  const EchoPjrtOptions *options;
  const EchoPjrtSaved *saved;
  bool fine;
} Build;

static void *run_build(void *user)
{
  Build *job = user;
  job->fine = build(job->program, job->options, job->saved);
  return NULL;
}

static bool build_on_own_stack(EchoPjrtProgram *program, const EchoPjrtOptions *options,
                               const EchoPjrtSaved *saved)
{
  enum { STACK_BYTES = 256 << 20 }; /* addresses, not memory: only what is touched counts */
  Build job = {.program = program, .options = options, .saved = saved};
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  bool is_started = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
                    pthread_create(&thread, &attributes, run_build, &job) == 0;
  pthread_attr_destroy(&attributes);
  if (!is_started)
    return echo_error(program->ctx, echo_loc_unknown(), "there is no thread to compile on");
  pthread_join(thread, NULL);
  return job.fine;
}

/* Each device at most once, and all of them the client's. */
static PJRT_Error *check_assignment(const EchoPjrtCore *core, const EchoPjrtAssignment *assignment)
{
  uint64_t n = assignment->n_replicas * assignment->n_partitions;
  if (n > core->n_devices)
    return echo_pjrt_error(PJRT_Error_Code_INVALID_ARGUMENT,
                           "a program for %llu devices: there %s %zu (ECHO_CPU_DEVICES=%llu makes "
                           "as many)",
                           (unsigned long long)n, core->n_devices == 1 ? "is" : "are",
                           core->n_devices, (unsigned long long)n);
  for (size_t i = 0; i < assignment->ids.size; i++) {
    ECHO_PJRT_CHECK(assignment->ids.data[i] < core->n_devices, "there is no device of id %llu",
                    (unsigned long long)assignment->ids.data[i]);
    for (size_t k = 0; k < i; k++)
      ECHO_PJRT_CHECK(assignment->ids.data[k] != assignment->ids.data[i],
                      "device %llu is to run a program twice",
                      (unsigned long long)assignment->ids.data[i]);
  }
  return NULL;
}

static EchoPjrtProgram *create_program(EchoPjrtCore *core, const EchoPjrtAssignment *assignment)
{
  EchoPjrtProgram *program = echo_alloc_zero(1, sizeof *program);
  atomic_init(&program->n_references, 1);
  program->core = echo_pjrt_core_retain(core);
  program->n_replicas = assignment->n_replicas;
  program->n_partitions = assignment->n_partitions;
  program->n_ranks = (size_t)(assignment->n_replicas * assignment->n_partitions);
  program->devices = echo_alloc_zero(program->n_ranks, sizeof *program->devices);
  program->executables = echo_alloc_zero(program->n_ranks, sizeof *program->executables);
  for (size_t i = 0; i < program->n_ranks; i++)
    program->devices[i] = core->devices[assignment->ids.size != 0 ? assignment->ids.data[i] : i];
  if (program->n_ranks > 1)
    program->ranks = echo_local_ranks_create((int)program->n_ranks);
  return program;
}

PJRT_Error *echo_pjrt_compile(EchoPjrtCore *core, EchoStr code, EchoStr proto,
                              const EchoPjrtSaved *saved, EchoPjrtProgram **result)
{
  EchoPjrtOptions options;
  EchoPjrtAssignment assignment;
  echo_pjrt_options_copy(&options, &core->options);
  PJRT_Error *error = echo_pjrt_options_read_proto(&options, &assignment, proto);
  if (error == NULL)
    error = check_assignment(core, &assignment);
  EchoPjrtProgram *program = error == NULL ? create_program(core, &assignment) : NULL;
  echo_vector_destroy(&assignment.ids);
  if (error != NULL) {
    echo_pjrt_options_destroy(&options);
    return error;
  }
  program->code = copy_str(code);
  program->options = copy_str(proto);
  program->seed = options.seed;
  uint64_t hash = echo_hash_bytes(code.data, code.size, 1);
  hash = echo_hash_combine(hash, echo_hash_bytes(proto.data, proto.size, 2));
  hash = echo_hash_combine(hash, echo_hash_bytes(options.echo.data, options.echo.size, 3));
  hash = echo_hash_combine(hash, options.keeps_denormals);
  echo_buffer_printf(&program->fingerprint, "echo-%016" PRIx64, hash);
  echo_pjrt_append_key(&options, &program->key);
  create_context(program);
  pthread_mutex_lock(&core->run_lock);
  bool fine = build_on_own_stack(program, &options, saved);
  pthread_mutex_unlock(&core->run_lock);
  echo_pjrt_options_destroy(&options);
  error = fine ? echo_pjrt_read_signature(program)
               : diagnostics_error(program->ctx, PJRT_Error_Code_INVALID_ARGUMENT);
  if (error != NULL) {
    echo_pjrt_program_release(program);
    return error;
  }
  *result = program;
  return NULL;
}

PJRT_LoadedExecutable *echo_pjrt_loaded_create(EchoPjrtProgram *program)
{
  PJRT_LoadedExecutable *loaded = echo_alloc(sizeof *loaded);
  *loaded = (PJRT_LoadedExecutable){.program = program};
  echo_pjrt_add(loaded, ECHO_PJRT_LOADED);
  return loaded;
}

static PJRT_Error *compile_for(PJRT_Client *client, const PJRT_Program *program, EchoStr options,
                               EchoPjrtProgram **result)
{
  ECHO_PJRT_CHECK_LIVE(client, ECHO_PJRT_CLIENT);
  ECHO_PJRT_CHECK(program != NULL && ECHO_PJRT_HAS(program, format_size),
                  "'program' is NULL, or its struct_size is too small");
  ECHO_PJRT_CHECK(program->code != NULL && program->format != NULL,
                  "a program without code or without a format");
  EchoStr format = {program->format, program->format_size};
  if (echo_str_is(format, "hlo"))
    return echo_pjrt_error(PJRT_Error_Code_UNIMPLEMENTED,
                           "programs of format 'hlo', XLA's own: StableHLO is wanted, which "
                           "PyTorch/XLA writes with XLA_STABLEHLO_COMPILE=1");
  if (!echo_str_is(format, "mlir"))
    return echo_pjrt_error(PJRT_Error_Code_UNIMPLEMENTED, "programs of format '%.*s'",
                           ECHO_STR_ARG(format));
  ECHO_PJRT_CHECK(options.data != NULL || options.size == 0, "'compile_options' is NULL");
  return echo_pjrt_compile(client->core, (EchoStr){program->code, program->code_size}, options,
                           NULL, result);
}

PJRT_Error *Echo_PJRT_Client_Compile(PJRT_Client_Compile_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, executable);
  EchoPjrtProgram *program;
  PJRT_Error *error =
      compile_for(args->client, args->program,
                  (EchoStr){args->compile_options, args->compile_options_size}, &program);
  if (error == NULL)
    args->executable = echo_pjrt_loaded_create(program);
  return error;
}

/* For the devices of a topology: those of the client, which compiles. */
PJRT_Error *Echo_PJRT_Compile(PJRT_Compile_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, executable);
  ECHO_PJRT_CHECK_LIVE(args->topology, ECHO_PJRT_TOPOLOGY);
  if (args->client == NULL)
    return echo_pjrt_error(PJRT_Error_Code_UNIMPLEMENTED, "compiling without a client");
  EchoPjrtProgram *program;
  PJRT_Error *error =
      compile_for(args->client, args->program,
                  (EchoStr){args->compile_options, args->compile_options_size}, &program);
  if (error == NULL)
    args->executable = echo_pjrt_executable_create(program);
  return error;
}
