/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/driver/processes.h"

#include "dialects/echo/parts.h"
#include "dialects/sdy/shardings.h"
#include "ir/diagnostics.h"
#include "ir/text/text.h"

/* ---- a plan that is tried ---- */

typedef struct Trial {
  bool is_in_parts, fits;
  int64_t peak_bytes, ns, off_ns; /* of the whole step; 0 where it does not fit */
} Trial;

static bool run(EchoPassManager *manager, bool is_added, EchoOp *module)
{
  bool ok = is_added && echo_pass_manager_run(manager, module);
  echo_pass_manager_destroy(manager);
  return ok;
}

static bool lower_collectives(EchoContext *ctx, const EchoPassRegistry *passes, EchoOp *module,
                              const EchoProcessesOptions *options,
                              const EchoCompileOptions *compile, EchoStateForm state)
{
  EchoPassManager *manager = echo_pass_manager_create(ctx, passes, NULL);
  bool ok =
      state < ECHO_STATE_PARTS ||
      echo_pipeline_add_state_shards(manager, options->feeds, state == ECHO_STATE_PARTS_AND_NORMS);
  return run(manager, ok && echo_pipeline_add_collectives(manager, compile), module);
}

/* Nothing that is said is heard: that it does not fit is an answer. Without `plans` only whether
 * any state is in parts. */
static Trial try_state(const EchoPassRegistry *passes, EchoStr text,
                       const EchoProcessesOptions *options, const EchoCompileOptions *compile,
                       EchoStateForm state, bool plans)
{
  Trial trial = {0};
  EchoContext *ctx = options->create_context(options->user);
  echo_context_set_diagnostic_handler(ctx, NULL, NULL);
  echo_context_allow_unregistered(ctx, true);
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("state"), text);
  const bool is_there =
      module != NULL && lower_collectives(ctx, passes, module, options, compile, state);
  trial.is_in_parts = is_there && echo_op_attr_i64(module, ECHO_STATE_ELSEWHERE, 0) != 0;
  if (is_there && plans) {
    EchoPassManager *manager = echo_pass_manager_create(ctx, passes, NULL);
    trial.fits = run(
        manager, echo_pipeline_add_stages(manager, module, ECHO_STAGE_PLANNED, compile), module);
  }
  if (trial.fits) {
    trial.peak_bytes = echo_op_attr_i64(module, "plan.peak_bytes", 0);
    trial.ns = echo_op_attr_i64(module, "echo.on_ns", 0);
    trial.off_ns = echo_op_attr_i64(module, "echo.off_ns", 0);
  }
  echo_context_destroy(ctx);
  return trial;
}

/* ---- what a budget asks for ---- */

typedef enum Goal { GOAL_NONE, GOAL_BYTES, GOAL_LEAST } Goal;

/* Of Echo's options, a text of name=value. */
static Goal goal_of(const EchoCompileOptions *compile)
{
  const char *at = compile != NULL && compile->echo != NULL ? compile->echo : "";
  Goal goal = GOAL_NONE;
  while (*at != '\0') {
    const EchoStr word = {at, strcspn(at, " ,")};
    if (echo_str_starts_with(word, "budget="))
      goal = echo_str_is(word, "budget=min") ? GOAL_LEAST : GOAL_BYTES;
    at += word.size + (at[word.size] != '\0');
  }
  return goal;
}

/* What fits of the two, and takes less. */
static bool is_better(const Trial *parts, const Trial *whole, Goal goal)
{
  if (!whole->fits || !parts->fits)
    return !whole->fits;
  return goal == GOAL_LEAST ? parts->peak_bytes < whole->peak_bytes : parts->ns < whole->ns;
}

static bool wants_parts(const EchoPassRegistry *passes, const EchoOp *module,
                        const EchoProcessesOptions *options, const EchoCompileOptions *compile)
{
  const Goal goal = goal_of(compile);
  if (goal == GOAL_NONE || options->create_context == NULL)
    return false;
  EchoBuffer buffer = {0};
  echo_print_op(module, NULL, &buffer);
  const EchoStr text = {echo_buffer_c_str(&buffer), buffer.size};
  bool wants = try_state(passes, text, options, compile, ECHO_STATE_PARTS, false).is_in_parts;
  if (wants) {
    const Trial whole = try_state(passes, text, options, compile, ECHO_STATE_WHOLE, true);
    wants = !whole.fits || goal == GOAL_LEAST || whole.ns > whole.off_ns;
    if (wants) {
      const Trial parts = try_state(passes, text, options, compile, ECHO_STATE_PARTS, true);
      wants = is_better(&parts, &whole, goal);
    }
  }
  echo_buffer_destroy(&buffer);
  return wants;
}

/* ---- the whole ---- */

static bool check_given(EchoContext *ctx, const EchoPassRegistry *passes, const EchoOp *module,
                        const EchoProcessesOptions *options)
{
  static const char FORM[] = "a module for processes is lowered: '%s' is %s";
  if (passes == NULL)
    return echo_misuse(ctx, echo_loc_unknown(), FORM, "passes", "NULL");
  if (module == NULL || echo_op_context(module) != ctx)
    return echo_misuse(ctx, echo_loc_unknown(), FORM, "module",
                       module == NULL ? "NULL" : "of another context");
  if (options == NULL)
    return echo_misuse(ctx, echo_loc_unknown(), FORM, "options", "NULL");
  return true;
}

bool echo_processes_lower(EchoContext *ctx, const EchoPassRegistry *passes, EchoOp *module,
                          const EchoProcessesOptions *options, const EchoCompileOptions *compile)
{
  if (ctx == NULL || !check_given(ctx, passes, module, options))
    return false;
  if (options->n_processes == 1)
    return true;
  bool ok = true;
  if (options->batch != NULL || echo_sdy_is_sharded(module)) {
    EchoPassManager *manager = echo_pass_manager_create(ctx, passes, NULL);
    ok = run(manager,
             echo_pipeline_add_partitioning(manager, options->n_processes, options->batch, compile),
             module);
  }
  EchoStateForm state = options->state;
  if (ok && state == ECHO_STATE_BY_BUDGET && wants_parts(passes, module, options, compile))
    state = ECHO_STATE_PARTS;
  return ok && lower_collectives(ctx, passes, module, options, compile, state);
}
