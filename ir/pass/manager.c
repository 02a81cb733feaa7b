/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runs pipelines: analyses on need, verification after each pass, time, counts, dumps, reproducers.
 */
#include <time.h>

#include "base/debug.h"
#include "base/file.h"
#include "ir/context_t.h"
#include "ir/diagnostics.h"
#include "ir/pass/pass_t.h"
#include "ir/symbol.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"

const EchoAnalysis *const ECHO_KEEPS_ALL[] = {NULL};

static uint64_t now_ns(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

EchoPassManager *echo_pass_manager_create(EchoContext *ctx, const EchoPassRegistry *registry,
                                          const EchoPassManagerOptions *options)
{
  if (ctx == NULL || registry == NULL) {
    echo_misuse(ctx, echo_loc_unknown(), "a pass manager is made: 'registry' is NULL");
    return NULL;
  }
  EchoPassManager *manager = echo_alloc_zero(1, sizeof *manager);
  manager->ctx = ctx;
  manager->registry = registry;
  if (options != NULL)
    manager->options = *options;
  manager->root.anchor = ECHO_STR("builtin.module");
  return manager;
}

void echo_pass_manager_destroy(EchoPassManager *manager)
{
  if (manager == NULL)
    return;
  echo_pipeline_destroy(&manager->root);
  echo_vector_destroy(&manager->analyses);
  echo_map_destroy(&manager->tree_counts);
  echo_arena_destroy(&manager->arena);
  echo_arena_destroy(&manager->scratch);
  echo_free(manager);
}

EchoContext *echo_pass_manager_context(const EchoPassManager *manager)
{
  return manager != NULL ? manager->ctx : NULL;
}

static bool is_given(const EchoPassManager *manager, const char *name, EchoStr text)
{
  return manager != NULL &&
         (text.data != NULL ||
          echo_misuse(manager->ctx, echo_loc_unknown(), "passes are added: '%s' is NULL", name));
}

bool echo_pass_manager_add_pipeline(EchoPassManager *manager, EchoStr pipeline)
{
  if (!is_given(manager, "pipeline", pipeline))
    return false;
  EchoStr prefix = manager->root.anchor;
  /* "builtin.module(…)" around everything names the root itself. */
  if (echo_str_starts_with(pipeline, prefix.data) && pipeline.size > prefix.size + 1 &&
      pipeline.data[prefix.size] == '(' && pipeline.data[pipeline.size - 1] == ')')
    pipeline = (EchoStr){pipeline.data + prefix.size + 1, pipeline.size - prefix.size - 2};
  return echo_pipeline_parse(manager, pipeline, &manager->root);
}

bool echo_pass_manager_add_pass(EchoPassManager *manager, EchoStr pass)
{
  return is_given(manager, "pass", pass) && echo_pipeline_parse(manager, pass, &manager->root);
}

void echo_pass_manager_print_pipeline(const EchoPassManager *manager, EchoBuffer *out)
{
  if (manager == NULL || out == NULL)
    return;
  echo_pipeline_print(&manager->root, out);
}

/* ---- analyses ---- */

static bool is_kept(const EchoAnalysis *analysis, const EchoAnalysis *const *keeps)
{
  for (; keeps != NULL && *keeps != NULL; keeps++)
    if (*keeps == analysis)
      return true;
  return false;
}

static void drop_analyses(EchoPassManager *manager, const EchoAnalysis *const *keeps)
{
  size_t n_kept = 0;
  for (size_t i = 0; i < manager->analyses.size; i++) {
    EchoCachedAnalysis *entry = &manager->analyses.data[i];
    if (is_kept(entry->analysis, keeps))
      manager->analyses.data[n_kept++] = *entry;
    else
      entry->analysis->destroy(entry->data);
  }
  manager->analyses.size = n_kept;
}

void *echo_pass_analysis(EchoPassRun *run, const EchoAnalysis *analysis)
{
  EchoPassManager *manager = run->manager;
  for (size_t i = 0; i < manager->analyses.size; i++) {
    const EchoCachedAnalysis *entry = &manager->analyses.data[i];
    if (entry->analysis == analysis && entry->op == run->op)
      return entry->data;
  }
  ECHO_DEBUG("pass", 2, "%s is computed for %s", analysis->name, run->pass->name);
  EchoCachedAnalysis entry = {analysis, run->op, analysis->compute(run->op)};
  echo_vector_push(&manager->analyses, entry);
  return entry.data;
}

/* ---- options and statistics ---- */

EchoStr echo_pass_option(const EchoPassRun *run, const char *name)
{
  size_t n_options = echo_pass_n_options(run->pass);
  for (size_t i = 0; i < n_options; i++)
    if (strcmp(run->pass->options[i].name, name) == 0)
      return run->option_values[i];
  ECHO_UNREACHABLE("pass '%s' declares no option '%s'", run->pass->name, name);
}

static bool bad_option(const EchoPassRun *run, const char *name, EchoStr text, const char *want)
{
  return echo_error(run->ctx, echo_loc_unknown(), "option '%s' of pass '%s': '%.*s' is not %s",
                    name, run->pass->name, ECHO_STR_ARG(text), want);
}

bool echo_pass_option_i64(const EchoPassRun *run, const char *name, int64_t *value)
{
  EchoStr text = echo_pass_option(run, name);
  return echo_str_to_i64(text, value) || bad_option(run, name, text, "an integer");
}

bool echo_pass_option_f64(const EchoPassRun *run, const char *name, double *value)
{
  EchoStr text = echo_pass_option(run, name);
  return echo_str_to_f64(text, value) || bad_option(run, name, text, "a number");
}

bool echo_pass_option_bool(const EchoPassRun *run, const char *name, bool *value)
{
  EchoStr text = echo_pass_option(run, name);
  *value = echo_str_is(text, "true") || echo_str_is(text, "1") || echo_str_is(text, "on");
  return *value || echo_str_is(text, "false") || echo_str_is(text, "0") ||
         echo_str_is(text, "off") || bad_option(run, name, text, "true or false");
}

void echo_pass_count(EchoPassRun *run, const char *statistic, uint64_t amount)
{
  size_t n_statistics = echo_pass_n_statistics(run->pass);
  for (size_t i = 0; i < n_statistics; i++)
    if (strcmp(run->pass->statistics[i].name, statistic) == 0) {
      run->statistics[i] += amount;
      return;
    }
  ECHO_UNREACHABLE("pass '%s' declares no statistic '%s'", run->pass->name, statistic);
}

/* ---- running ---- */

void echo_reproducer_print_pipeline(EchoStr pipeline, bool verify_each, EchoBuffer *out)
{
  if (out == NULL)
    return;
  echo_buffer_printf(out,
                     "\n{-#\n  external_resources: {\n    mlir_reproducer: {\n"
                     "      pipeline: \"%.*s\",\n      disable_threading: true,\n"
                     "      verify_each: %s\n    }\n  }\n#-}\n",
                     ECHO_STR_ARG(pipeline), verify_each ? "true" : "false");
}

static bool write_reproducer(const EchoPassManager *manager, EchoBuffer *error)
{
  EchoBuffer out = {0}, pipeline = {0};
  echo_buffer_append_str(&out, manager->options.reproducer_source);
  if (out.size > 0 && out.data[out.size - 1] != '\n')
    echo_buffer_append_char(&out, '\n');
  echo_pass_manager_print_pipeline(manager, &pipeline);
  echo_reproducer_print_pipeline(echo_buffer_str(&pipeline), manager->options.verify_each, &out);
  bool ok = echo_file_write(manager->options.reproducer_path, out.data, out.size, error);
  echo_buffer_destroy(&pipeline);
  echo_buffer_destroy(&out);
  return ok;
}

static void report_failure(EchoPassManager *manager, const EchoPass *pass, const EchoOp *op)
{
  EchoBuffer title = {0}, error = {0};
  echo_pass_title(pass, &title);
  bool written = write_reproducer(manager, &error);
  echo_error(manager->ctx, manager->module->loc,
             "Failures have been detected while processing an MLIR pass pipeline");
  echo_note(manager->ctx, manager->module->loc,
            "Pipeline failed while executing [`%s` on '%s' operation%s%.*s]: %s `%s`",
            echo_buffer_c_str(&title), op->info->name, echo_symbol_name(op).size != 0 ? ": @" : "",
            ECHO_STR_ARG(echo_symbol_name(op)),
            written ? "reproducer generated at" : echo_buffer_c_str(&error),
            manager->options.reproducer_path);
  echo_buffer_destroy(&title);
  echo_buffer_destroy(&error);
}

static bool run_pass(EchoPassManager *manager, EchoPipelineItem *item, EchoOp *op)
{
  const EchoPass *pass = item->pass;
  EchoPassRun run = {.ctx = manager->ctx,
                     .op = op,
                     .pass = pass,
                     .scratch = &manager->scratch,
                     .option_values = item->option_values,
                     .statistics = item->statistics,
                     .manager = manager};
  for (size_t i = 0; pass->needs != NULL && pass->needs[i] != NULL; i++)
    echo_pass_analysis(&run, pass->needs[i]);
  echo_pass_dump_before(manager, item, op);
  EchoArenaMark mark = echo_arena_mark(&manager->scratch);
  const EchoPassWatcher *watcher = manager->options.watcher;
  if (watcher != NULL && watcher->pass != NULL)
    watcher->pass(watcher->user, pass);
  uint64_t begin_ns = now_ns();
  manager->ctx->n_running_passes++;
  bool ok = pass->run(&run);
  manager->ctx->n_running_passes--;
  uint64_t elapsed_ns = now_ns() - begin_ns;
  ECHO_DEBUG("pass", 1, "%s on %s @%.*s: %s, %s, %.3f ms", pass->name, op->info->name,
             ECHO_STR_ARG(echo_symbol_name(op)), ok ? "fine" : "failed",
             run.keeps_all ? "nothing changed" : "changed", (double)elapsed_ns * 1e-6);
  item->elapsed_ns += elapsed_ns;
  item->n_runs++;
  echo_arena_reset(&manager->scratch, mark);
  if (pass->keeps != ECHO_KEEPS_ALL && !run.keeps_all)
    drop_analyses(manager, pass->keeps);
  echo_context_flush_diagnostics(manager->ctx);
  if (ok && manager->options.verify_each && !run.keeps_all)
    ok = echo_verify(op);
  if (!ok && manager->options.reproducer_path != NULL)
    report_failure(manager, pass, op);
  echo_pass_dump_after(manager, item, op, !ok);
  return ok;
}

static bool run_pipeline(EchoPassManager *manager, EchoPipeline *pipeline, EchoOp *op);

static bool run_nested(EchoPassManager *manager, EchoPipeline *nested, EchoOp *op)
{
  bool any = echo_str_is(nested->anchor, "any");
  for (unsigned r = 0; r < op->n_regions; r++)
    for (EchoBlock *block = op->regions[r].first; block != NULL; block = block->next)
      for (EchoOp *child = block->first, *next; child != NULL; child = next) {
        next = child->next;
        if ((any || echo_str_equal(echo_op_name(child), nested->anchor)) &&
            !run_pipeline(manager, nested, child))
          return false;
      }
  return true;
}

static bool run_pipeline(EchoPassManager *manager, EchoPipeline *pipeline, EchoOp *op)
{
  for (size_t i = 0; i < pipeline->items.size; i++) {
    EchoPipelineItem *item = &pipeline->items.data[i];
    bool ok =
        item->nested != NULL ? run_nested(manager, item->nested, op) : run_pass(manager, item, op);
    if (!ok)
      return false;
  }
  return true;
}

static void begin_watch(const EchoPassManager *manager)
{
  const EchoPassWatcher *watcher = manager->options.watcher;
  if (watcher == NULL)
    return;
  EchoBuffer pipeline = {0};
  echo_pass_manager_print_pipeline(manager, &pipeline);
  watcher->begin(watcher->user, echo_buffer_str(&pipeline));
  echo_buffer_destroy(&pipeline);
}

static bool check_module(const EchoPassManager *manager, const EchoOp *module)
{
  if (manager == NULL)
    return false; /* nobody to tell */
  if (module != NULL && echo_op_context(module) == manager->ctx)
    return true;
  return echo_misuse(manager->ctx, echo_loc_unknown(), "passes are run: 'module' is %s",
                     module == NULL ? "NULL" : "of another context");
}

bool echo_pass_manager_run(EchoPassManager *manager, EchoOp *module)
{
  if (!check_module(manager, module))
    return false;
  manager->module = module;
  EchoBuffer text = {0};
  bool keeps_text =
      manager->options.reproducer_path != NULL && manager->options.reproducer_source.size == 0;
  if (keeps_text) {
    /* A pass may leave the IR unprintable, so the reproducer's text is taken before any has run. */
    echo_print_op(module, &(EchoPrintOptions){.generic = true}, &text);
    manager->options.reproducer_source = echo_buffer_str(&text);
  }
  begin_watch(manager);
  uint64_t begin_ns = now_ns();
  bool ok = run_pipeline(manager, &manager->root, module);
  manager->elapsed_ns += now_ns() - begin_ns;
  if (manager->options.watcher != NULL)
    manager->options.watcher->end(manager->options.watcher->user);
  drop_analyses(manager, NULL);
  if (manager->options.statistics)
    echo_pass_print_statistics(manager);
  if (keeps_text)
    manager->options.reproducer_source = (EchoStr){0};
  echo_buffer_destroy(&text);
  echo_context_flush_diagnostics(manager->ctx);
  manager->module = NULL;
  return ok;
}

bool echo_pass_run_pipeline(EchoPassRun *run, const char *pipeline, EchoOp *module)
{
  EchoPassManagerOptions options = {.verify_each = run->manager->options.verify_each};
  EchoPassManager *inner = echo_pass_manager_create(run->ctx, run->manager->registry, &options);
  bool is_fine = echo_pass_manager_add_pipeline(inner, echo_str(pipeline)) &&
                 echo_pass_manager_run(inner, module);
  echo_pass_manager_destroy(inner);
  return is_fine;
}
