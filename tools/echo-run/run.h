/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* echo-run's own structures: what the command line asks for, what compiling and running found out,
 * and who tells it. */
#ifndef ECHO_TOOLS_ECHO_RUN_RUN_H
#define ECHO_TOOLS_ECHO_RUN_RUN_H

#include "jit/compile.h"
#include "tools/common/crash.h"
#include "tools/common/plugins.h"
#include "tools/echo-run/compare.h"
#include "tools/echo-run/kernels.h"
#include "tools/echo-run/machine.h"

typedef struct Settings {
  const char *tool; /* as it names itself in messages */
  const char *file, *outputs, *expect, *device, *echo, *trace, *report, *json, *cache_dir, *model,
      *target, *calibrate, *entry, *batch, *shard_state, *loss;
  EchoStringList inputs, feeds;
  EchoPlugins plugins;
  EchoCompileOptions compile; /* what the command line says of passes between stages */
  int64_t n_steps;            /* 0 = as many as the feed files hold, else 1 */
  int64_t seed, n_threads;
  int64_t limit_s; /* of a collective */
  Tolerance tolerance;
  bool plan_only, no_cache, quiet, kernels, check;
  bool own_outputs; /* each of many processes writes its results */
  int argc;         /* as it was started: many processes compare it */
  char **argv;
} Settings;

/* Scalar float results of each step, for progress and reports. */
typedef struct Losses {
  ECHO_VECTOR(size_t) results;
  ECHO_VECTOR(double) values; /* step by step, one for each of results */
} Losses;

typedef struct EchoFacts {
  bool is_on;
  uint64_t n_regions, n_recomputed, bytes_saved, off_peak_bytes;
  double predicted_overhead;
  double gap; /* of the predicted time to what no plan with as low a peak is below */
} EchoFacts;

typedef struct Outcome {
  bool is_planned, has_run;
  uint64_t n_ops, n_kernels, n_launches, n_cache_hits;
  EchoExecutableMemory planned;
  uint64_t bound_bytes; /* of the arena: largest sum of live bytes */
  uint64_t measured_peak_bytes, measured_host_bytes, process_peak_bytes;
  uint64_t state_bytes_elsewhere, state_bytes_undivided; /* with state in parts */
  double compile_s, first_step_s, step_s;                /* step_s: median */
  double least_step_s, most_step_s; /* of all but the first, where there are more */
  int64_t n_steps;
  unsigned n_threads;
  EchoFacts echo;
  Losses losses;
  KernelList kernels;    /* empty without --kernels */
  EchoTensorSet results; /* res0, … of the last step */
  EchoBuffer comparison; /* text; empty without --expect */
  bool is_same;
} Outcome;

/* Everything that lives from start to end of one run. */
typedef struct Run {
  const Settings *settings;
  EchoContext *ctx;
  EchoPassRegistry *passes;
  EchoOp *module;
  EchoArena arena;
  Signature signature;
  int64_t loss;                               /* which result; -1: the only one that can be */
  const EchoAttr **arg_parts, **result_parts; /* see ECHO_PARTS; entries NULL: none said */
  Inputs inputs;
  EchoDevice *device;
  EchoExecutable *executable;
  Machine *machine;
  EchoReplay replay; /* of the module, should a pass crash */
  EchoBuffer report; /* HTML; empty when none was asked for */
  Outcome outcome;
} Run;

/* ---- compile.c ---- */

/* Takes the module as far as the settings need, and fills in the outcome's plan and echo facts, the
 * executable, and the report. False after diagnostics. */
bool run_compile(Run *run);

/* ---- steps.c ---- */

/* Runs the steps and reads the results of the last. False after diagnostics. */
bool run_steps(Run *run);

/* ---- whole.c ---- */

/* Steps, from files to files: `compile` makes the executable, or leaves the module to the
 * interpreter. False after what there is to say, or when a comparison fails. */
bool run_module(Run *run, bool (*compile)(Run *run));
void run_destroy(Run *run);

/* ---- check_file.c ---- */

/* All functions of a self-checking file. False where one does not hold or cannot be run, after what
 * there is to say about it; then *error is empty unless a file was not read or written. */
bool run_checks(const Settings *settings, EchoBuffer *error);

/* ---- tell.c ---- */

/* What code is made for: the device's target, or the one that is only planned for; NULL: the CPU's
 * own. */
const char *run_target_or_null(const Run *run);
bool run_is_for_gpu(const Run *run);
/* The summary for people. */
void tell_summary(const Run *run, EchoBuffer *out);
/* The JSON for machines. */
void tell_json(const Run *run, EchoBuffer *out);

#endif
