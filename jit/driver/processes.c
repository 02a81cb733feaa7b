/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/driver/processes.h"

#include "dialects/echo/parts.h"
#include "dialects/sdy/shardings.h"
#include "echo_pass/echo_pass.h"
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

/* ---- what is asked for ---- */

typedef enum GoalKind { GOAL_NONE, GOAL_BYTES, GOAL_LEAST, GOAL_PRICE } GoalKind;

typedef struct Goal {
  GoalKind kind;
  double overhead; /* of GOAL_PRICE, a fraction */
} Goal;

/* What follows `name` in Echo's options, a text of name=value; empty where it is not there. */
static EchoStr option_of(const char *options, const char *name)
{
  for (const char *at = options; *at != '\0';) {
    const EchoStr word = {at, strcspn(at, " ,")};
    if (echo_str_starts_with(word, name))
      return (EchoStr){at + strlen(name), word.size - strlen(name)};
    at += word.size + (at[word.size] != '\0');
  }
  return (EchoStr){"", 0};
}

/* What the pass refuses it says itself. */
static Goal goal_of(const EchoCompileOptions *compile)
{
  Goal goal = {GOAL_NONE, 0};
  if (compile == NULL || compile->echo == NULL)
    return goal;
  const EchoStr budget = option_of(compile->echo, "budget=");
  const EchoStr overhead = option_of(compile->echo, "overhead=");
  const bool is_ours = option_of(compile->echo, "policy=").size == 0; /* others have other goals */
  if (budget.size != 0)
    goal.kind = echo_str_is(budget, "min") ? GOAL_LEAST : GOAL_BYTES;
  else if ((overhead.size != 0 || is_ours) && echo_parse_overhead(overhead, &goal.overhead))
    goal.kind = GOAL_PRICE;
  return goal;
}

/* What fits of the two, and takes less. The price is that of the step as it was written: what state
 * in parts takes for itself is in it. */
static bool is_better(const Trial *parts, const Trial *whole, const Goal *goal)
{
  if (!whole->fits || !parts->fits)
    return !whole->fits;
  if (goal->kind == GOAL_BYTES)
    return parts->ns < whole->ns;
  return parts->peak_bytes < whole->peak_bytes &&
         (goal->kind == GOAL_LEAST ||
          (double)parts->ns <= (double)whole->off_ns * (1 + goal->overhead));
}

static bool wants_parts(const EchoPassRegistry *passes, const EchoOp *module,
                        const EchoProcessesOptions *options, const EchoCompileOptions *compile)
{
  const Goal goal = goal_of(compile);
  if (goal.kind == GOAL_NONE || options->create_context == NULL)
    return false;
  EchoBuffer buffer = {0};
  echo_print_op(module, NULL, &buffer);
  const EchoStr text = {echo_buffer_c_str(&buffer), buffer.size};
  bool wants = try_state(passes, text, options, compile, ECHO_STATE_PARTS, false).is_in_parts;
  if (wants) {
    const Trial whole = try_state(passes, text, options, compile, ECHO_STATE_WHOLE, true);
    wants = !whole.fits || goal.kind != GOAL_BYTES || whole.ns > whole.off_ns;
    if (wants) {
      const Trial parts = try_state(passes, text, options, compile, ECHO_STATE_PARTS, true);
      wants = is_better(&parts, &whole, &goal);
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
  if (options->batch != NULL || options->is_whole || echo_sdy_is_sharded(module)) {
    EchoPassManager *manager = echo_pass_manager_create(ctx, passes, NULL);
    ok = run(manager,
             echo_pipeline_add_partitioning(manager, options->n_processes, options->batch, compile),
             module);
  }
  EchoStateForm state = options->state;
  if (ok && state == ECHO_STATE_BY_GOAL && wants_parts(passes, module, options, compile))
    state = ECHO_STATE_PARTS;
  return ok && lower_collectives(ctx, passes, module, options, compile, state);
}
