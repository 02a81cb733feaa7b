/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Passes and pipelines. A pass is one table entry: name, summary, options, what it needs, what it
 * keeps, and a run function. The manager computes the analyses it needs, drops those it does not
 * keep, verifies, times, counts and dumps. */
#ifndef ECHO_IR_PASS_PASS_H
#define ECHO_IR_PASS_PASS_H

#include "ir/table/op_info.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoPass EchoPass;
typedef struct EchoPassRun EchoPassRun;
typedef struct EchoPassManager EchoPassManager;

/* An analysis is computed for the op a pass runs on and cached until a pass that does not keep it
 * has run. */
typedef struct EchoAnalysis {
  const char *name;
  void *(*compute)(EchoOp *op);
  void (*destroy)(void *analysis);
} EchoAnalysis;

typedef struct EchoPassOption {
  const char *name, *summary;
  const char *default_value; /* text, as after '=' */
} EchoPassOption;

/* Counters a pass reports, by index; ends with NULL name. */
typedef struct EchoPassStatistic {
  const char *name, *summary;
} EchoPassStatistic;

struct EchoPass {
  const char *name; /* as in pipelines: "cse" */
  const char *summary;
  const char *anchor;            /* op it runs on: "builtin.module", "func.func"; NULL = any */
  const EchoPassOption *options; /* ends with NULL name; may be NULL */
  const EchoPassStatistic *statistics; /* likewise */
  const EchoAnalysis *const *needs;    /* NULL-terminated; may be NULL */
  const EchoAnalysis *const
      *keeps; /* NULL-terminated; may be NULL; ECHO_KEEPS_ALL = nothing changed */
  bool (*run)(EchoPassRun *run); /* false after an error */
  const char *title;             /* in dumps and reports: "CSE"; NULL = the name in camel case */
};

/* For `keeps`: the pass changes nothing. */
extern const EchoAnalysis *const ECHO_KEEPS_ALL[];

struct EchoPassRun {
  EchoContext *ctx;
  EchoOp *op; /* what it runs on */
  const EchoPass *pass;
  EchoArena *scratch; /* reset after the run */
  const EchoStr *option_values;
  uint64_t *statistics;
  EchoPassManager *manager;
  bool keeps_all; /* set by run: nothing changed, every analysis stays */
};

/* Options by name, already defaulted. Panics on a name the pass does not declare. i64/bool/f64:
 * reports a bad text as an error. */
EchoStr echo_pass_option(const EchoPassRun *run, const char *name);
bool echo_pass_option_i64(const EchoPassRun *run, const char *name, int64_t *value);
bool echo_pass_option_f64(const EchoPassRun *run, const char *name, double *value);
bool echo_pass_option_bool(const EchoPassRun *run, const char *name, bool *value);
void echo_pass_count(EchoPassRun *run, const char *statistic, uint64_t amount);
/* The analysis of run->op, computed if missing. */
void *echo_pass_analysis(EchoPassRun *run, const EchoAnalysis *analysis);

/* Runs passes of the manager's registry, as in a pipeline's text, on another module; false after an
 * error. */
bool echo_pass_run_pipeline(EchoPassRun *run, const char *pipeline, EchoOp *module);

/* ---- registry: names that pipelines may use; a table in the caller's memory, no globals ---- */
typedef struct EchoPassRegistry EchoPassRegistry;
/* A pipeline alias expands to text ("nn-to-stablehlo,differentiate"). */
EchoPassRegistry *echo_pass_registry_create(void);
void echo_pass_registry_destroy(EchoPassRegistry *registry);
/* A pass that is not right (no name, known already) panics. */
void echo_pass_registry_add(EchoPassRegistry *registry, const EchoPass *pass);
/* The same for someone else's: false with the reason appended to *error. */
bool echo_pass_registry_try_add(EchoPassRegistry *registry, const EchoPass *pass,
                                EchoBuffer *error);
void echo_pass_registry_add_alias(EchoPassRegistry *registry, const char *name, const char *summary,
                                  const char *pipeline);
size_t echo_pass_registry_size(const EchoPassRegistry *registry);
const EchoPass *echo_pass_registry_at(const EchoPassRegistry *registry, size_t index);
bool echo_pass_registry_has_alias(const EchoPassRegistry *registry, EchoStr name);
const EchoPass *echo_pass_registry_get_or_null(const EchoPassRegistry *registry, EchoStr name);

/* ---- manager ---- */

/* Follows runs: what replays them when they crash, and what there is to show while they last. */
typedef struct EchoPassWatcher {
  void (*begin)(void *user, EchoStr pipeline); /* "builtin.module(cse,…)", valid during the call */
  void (*pass)(void *user, const EchoPass *pass); /* before each; may be NULL */
  void (*end)(void *user);                        /* of the run, failed or not */
  void *user;
} EchoPassWatcher;

typedef struct EchoPassManagerOptions {
  bool verify_each; /* after each pass */
  bool print_before_all, print_after_all, print_after_change, print_after_failure,
      print_module_scope;
  const char *const *print_before; /* names, NULL-terminated; may be NULL */
  const char *const *print_after;
  const char *print_tree_dir;  /* one file a pass; NULL = to the printer */
  const char *reproducer_path; /* written when a pass fails; NULL = none */
  EchoStr reproducer_source; /* text the reproducer starts from (borrowed); empty = the module as it
                                is given to run */
  bool statistics;
  /* Receives dumps, times and statistics as text (a tool sends it to stderr). */
  void (*print)(void *user, EchoStr text);
  void *print_user;
  bool print_generic, print_debug_info;
  const EchoPassWatcher *watcher; /* borrowed; NULL = none */
} EchoPassManagerOptions;

/* NULL after a misuse: no context, no registry. options NULL = none. */
EchoPassManager *echo_pass_manager_create(EchoContext *ctx, const EchoPassRegistry *registry,
                                          const EchoPassManagerOptions *options);
void echo_pass_manager_destroy(EchoPassManager *manager);
EchoContext *echo_pass_manager_context(const EchoPassManager *manager);
/* "builtin.module(func.func(cse,canonicalize{max-iterations=3}),dce)"; without the outer anchor it
 * is builtin.module. */
bool echo_pass_manager_add_pipeline(EchoPassManager *manager, EchoStr pipeline);
/* One pass by name, "name" or "name{options}"; nested to its anchor when that differs from
 * builtin.module. */
bool echo_pass_manager_add_pass(EchoPassManager *manager, EchoStr pass);
/* Runs on a module of the manager's context. False after an error; the IR is then in an unspecified
 * but printable state. */
bool echo_pass_manager_run(EchoPassManager *manager, EchoOp *module);
/* Text of the whole pipeline, as --dump-pass-pipeline prints it. */
void echo_pass_manager_print_pipeline(const EchoPassManager *manager, EchoBuffer *out);
/* Sends the times of what ran, with what the tool itself took, to the printer. */
void echo_pass_manager_print_timing(EchoPassManager *manager, uint64_t parse_ns,
                                    uint64_t output_ns);
/* What follows a module's text in a file that --run-reproducer replays. `pipeline` as
 * echo_pass_manager_print_pipeline prints it. */
void echo_reproducer_print_pipeline(EchoStr pipeline, bool verify_each, EchoBuffer *out);

/* canonicalize, cse, dce, symbol-dce, inline, print-op-stats, … */
void echo_register_ir_passes(EchoPassRegistry *registry);

#ifdef __cplusplus
}
#endif

#endif
