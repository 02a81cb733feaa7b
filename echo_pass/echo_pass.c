/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --echo: candidates, search, rewriting. Options say what is asked for; the module's attributes say
 * what came of it. */
#include "echo_pass/echo_pass.h"

#include "dialects/echo/stages.h"
#include "echo_pass/bodies_t.h"
#include "echo_pass/bound_t.h"
#include "echo_pass/explain_t.h"
#include "echo_pass/rewrite_t.h"
#include "echo_pass/stacks_t.h"
#include "ir/diagnostics.h"
#include "ir/symbol.h"
#include "planning/loops/reuse.h"
#include "planning/loops/share.h"
#include "planning/loops/whole.h"
#include "planning/swap/estimate.h"

/* ---- options ---- */

bool echo_parse_overhead(EchoStr text, double *fraction)
{
  EchoStr number = text.size != 0 ? text : ECHO_STR("2%");
  if (number.data[number.size - 1] == '%')
    --number.size;
  if (!echo_str_to_f64(number, fraction) || !(*fraction >= 0))
    return false;
  *fraction /= 100;
  return true;
}

static bool parse_overhead(const EchoPassRun *run, double *fraction)
{
  EchoStr text = echo_pass_option(run, "overhead");
  return echo_parse_overhead(text, fraction) ||
         echo_error(run->ctx, run->op->loc, "overhead is a percentage such as 3%%, not '%.*s'",
                    ECHO_STR_ARG(text));
}

static bool refuse_policy(const EchoPassRun *run, EchoStr policy)
{
  EchoBuffer names = {0};
  echo_policy_list_names(run->ctx, &names);
  echo_error(run->ctx, run->op->loc, "policy is %s, not '%.*s'", echo_buffer_c_str(&names),
             ECHO_STR_ARG(policy));
  echo_buffer_destroy(&names);
  return false;
}

static bool parse_options(const EchoPassRun *run, EchoSearchOptions *options)
{
  *options = (EchoSearchOptions){.goal = ECHO_GOAL_OVERHEAD};
  const EchoTargetInfo *target =
      echo_target_load_or_null(run->ctx, run->op->loc, echo_pass_option(run, "target"));
  bool uses_library;
  if (target == NULL || !echo_pass_option_bool(run, "cublaslt", &uses_library) ||
      !parse_overhead(run, &options->overhead) ||
      !echo_device_model_load(run->ctx, run->op->loc, echo_pass_option(run, "device"),
                              &options->device))
    return false;
  options->fusion = echo_fusion_options(&options->device, target, uses_library);
  if (!echo_order_load(run->ctx, run->op->loc, echo_pass_option(run, "order"),
                       &options->fusion.order))
    return false;
  EchoStr budget = echo_pass_option(run, "budget");
  EchoStr policy = echo_pass_option(run, "policy");
  if (echo_str_is(budget, "min"))
    options->goal = ECHO_GOAL_LEAST;
  else if (budget.size != 0 && !echo_str_to_bytes(budget, &options->budget_bytes))
    return echo_error(run->ctx, run->op->loc, "budget is a number of bytes or min, not '%.*s'",
                      ECHO_STR_ARG(budget));
  else if (budget.size != 0)
    options->goal = ECHO_GOAL_BUDGET;
  options->policy = echo_policy_or_null(run->ctx, policy);
  if (options->policy == NULL)
    return refuse_policy(run, policy);
  if (!echo_pass_option_bool(run, "swap", &options->allow_swap))
    return false;
  if (budget.size != 0 && echo_pass_option(run, "overhead").size != 0)
    return echo_error(run->ctx, run->op->loc,
                      "budget=%.*s and overhead=%.*s are two goals: give one", ECHO_STR_ARG(budget),
                      ECHO_STR_ARG(echo_pass_option(run, "overhead")));
  if (options->allow_swap && options->goal == ECHO_GOAL_OVERHEAD)
    return echo_error(run->ctx, run->op->loc, "swap=on wants a budget: budget=BYTES or budget=min");
  if (options->policy->asks_for_least && options->goal == ECHO_GOAL_OVERHEAD &&
      echo_pass_option(run, "overhead").size == 0)
    options->goal = ECHO_GOAL_LEAST;
  return true;
}

/* ---- what is said of it ---- */

/* Bytes of the arena and predicted time. */
typedef struct Taken {
  uint64_t bytes, ns;
} Taken;

/* What stands beside the arena whatever is decided, bodies left out: arguments, results of their
 * own, large constants. */
static uint64_t outside_bytes(const EchoGraph *graph, const EchoBlockInterface *interface)
{
  uint64_t bytes = echo_graph_constant_bytes(graph);
  for (uint32_t i = 0; i < graph->n_arguments; ++i)
    bytes += graph->values.data[i].bytes;
  const EchoGraphNode *end = &graph->nodes.data[graph->nodes.size - 1];
  for (uint32_t i = 0; i < end->n_operands; ++i)
    if (interface->result_targets[i] == ECHO_TO_OUTPUT)
      bytes += graph->values.data[graph->operands.data[end->first_operand + i]].bytes;
  return bytes;
}

/* `beside`: what stands beside the arena and cannot be moved. Where the function is, not as it is
 * printed: that would be all of it. */
static bool report_misfit(const EchoOp *function, const EchoCurve *curve, uint64_t beside)
{
  return echo_error(echo_op_context(function), function->loc,
                    "'%s' op cannot be brought below the budget: the smallest possible one is %llu "
                    "bytes, of them "
                    "%llu temporary%s, the rest arguments, results and constants",
                    function->info->name, (unsigned long long)(curve->least_bytes + beside),
                    (unsigned long long)curve->least_bytes,
                    curve->state_bytes != 0 ? " with state that may wait in the host" : "");
}

#define MAX_OWNERS 12 /* remarks on what stands at the peak, where all is explained */
#define FEW_OWNERS 3  /* and where it is said why nothing was done */

/* What stands at the peak of a block's best point. Returns the loop or branch whose regions do. */
static const EchoOp *explain_peak_or_null(const EchoBody *body, const EchoFusionOptions *fusion,
                                          size_t max_owners)
{
  EchoGraph ordered = {0};
  EchoEstimate estimate = {0};
  echo_point_apply_in_order(&body->curve.points.data[body->curve.best], &body->candidates,
                            &body->interface, fusion, &ordered);
  echo_estimate_create(&estimate, &ordered, &body->interface, fusion);
  const EchoOp *inside =
      echo_explain_peak_or_null(&ordered, &estimate, max_owners, body->candidates.scratch);
  echo_estimate_destroy(&estimate);
  echo_graph_destroy(&ordered);
  return inside;
}

/* What stands at the peak of the best point, also inside what stands there, and, where `all` is
 * asked for, the decisions. */
static void explain(const EchoOp *function, const EchoBody *own, const EchoBodies *bodies,
                    const EchoFusionOptions *fusion, bool all)
{
  if (all) {
    echo_bodies_explain(bodies);
    echo_explain(&own->candidates, &own->curve);
    echo_explain_sums(function, &own->curve);
  }
  for (const EchoBody *body = own; body != NULL;) {
    const EchoOp *inside = explain_peak_or_null(body, fusion, all ? MAX_OWNERS : FEW_OWNERS);
    body = inside != NULL ? echo_bodies_highest(bodies, inside) : NULL;
  }
}

static void explain_bound(const EchoOp *function, Taken on, Taken bound, bool allow_swap)
{
  echo_remark(echo_op_context(function), function->loc,
              "echo: gap=%.2f%%: no plan of at most %llu bytes%s takes less than %.4g us, this one "
              "%.4g us; none is below %llu bytes%s",
              bound.ns > 0 ? ((double)on.ns / (double)bound.ns - 1) * 100 : 0.0,
              (unsigned long long)on.bytes, allow_swap ? " with swaps" : "",
              (double)bound.ns * 1e-3, (double)on.ns * 1e-3, (unsigned long long)bound.bytes,
              allow_swap ? ", swapped or not" : "");
}

/* Silence would look like success. */
static void say_nothing_was_done(const EchoOp *function, const EchoCurve *curve,
                                 const EchoSearchOptions *options)
{
  EchoContext *ctx = echo_op_context(function);
  unsigned long long bytes = curve->points.data[0].peak_bytes;
  if (options->goal == ECHO_GOAL_OVERHEAD)
    echo_remark(ctx, function->loc,
                "echo: nothing is computed again: for at most %.3g %% more time nothing lowers the "
                "peak of %llu bytes",
                options->overhead * 100, bytes);
  else
    echo_remark(ctx, function->loc,
                "echo: nothing is computed again: nothing lowers the peak of %llu bytes", bytes);
}

/* What the best point takes, copies included: of state that waits in the host the arena has less.
 */
static Taken on_of(const EchoCurve *curve)
{
  const EchoPoint *point = &curve->points.data[curve->best];
  uint64_t limit = curve->swap_limit_bytes, state = curve->state_bytes;
  return (Taken){limit == UINT64_MAX ? point->peak_bytes
                 : limit > state     ? limit - state
                                     : 0,
                 point->ns + curve->swap_ns};
}

/* All that its arena may hold. */
static uint64_t room_of(const EchoCurve *curve)
{
  uint64_t peak_bytes = curve->points.data[curve->best].peak_bytes;
  return curve->swap_limit_bytes == UINT64_MAX ? peak_bytes : curve->swap_limit_bytes;
}

/* What came of it, on the module, for tools: bytes of the arena and predicted time off and on, and
 * what no plan is below: in bytes, and in time with as few bytes; how many regions are recomputed,
 * and what --swap is to bring the whole step to. */
static void leave_account(EchoOp *module, const EchoCurve *curve, const Taken *off,
                          const Taken *bound, size_t n_regions, uint64_t beside)
{
  EchoContext *ctx = echo_op_context(module);
  Taken on = on_of(curve);
  const struct {
    const char *name;
    int64_t value;
  } facts[] = {{"echo.regions", (int64_t)n_regions}, {"echo.off_bytes", (int64_t)off->bytes},
               {"echo.on_bytes", (int64_t)on.bytes}, {"echo.bound_bytes", (int64_t)bound->bytes},
               {"echo.off_ns", (int64_t)off->ns},    {"echo.on_ns", (int64_t)on.ns},
               {"echo.bound_ns", (int64_t)bound->ns}};
  for (size_t i = 0; i < sizeof facts / sizeof facts[0]; ++i)
    echo_op_set_attr(module, facts[i].name, echo_attr_i64(ctx, facts[i].value));
  if (curve->swap_limit_bytes != UINT64_MAX)
    echo_op_set_attr(module, "echo.swap_limit_bytes",
                     echo_attr_i64(ctx, (int64_t)(curve->swap_limit_bytes + beside)));
}

/* ---- a step ---- */

/* A function with its bodies, ready to be searched. */
typedef struct Step {
  EchoFunctionInterface owner;
  EchoBodies bodies;
  EchoBody own; /* the function's own block */
} Step;

/* False after an error. Destroy with step_destroy in either case; it lives in `scratch`. */
static bool step_create(Step *step, EchoOp *function, const EchoSearchOptions *options,
                        EchoArena *scratch)
{
  *step = (Step){.own = {.block = function->regions[0].first}};
  echo_graph_create(&step->own.written, step->own.block);
  bool is_fine = echo_function_interface_create(&step->owner, function, &step->own.written) &&
                 echo_bodies_create(&step->bodies, function, options, scratch);
  step->own.interface = step->owner.interface;
  if (is_fine)
    echo_body_prepare(&step->bodies, &step->own, options);
  return is_fine;
}

static void step_destroy(Step *step)
{
  echo_body_destroy(&step->own);
  echo_bodies_destroy(&step->bodies);
  echo_function_interface_destroy(&step->owner);
}

static size_t rewrite_step(Step *step, const EchoFusionOptions *fusion)
{
  size_t n_regions = echo_bodies_rewrite(&step->bodies, fusion);
  return n_regions + echo_body_rewrite(&step->own, fusion);
}

/* What stands beside the arena of the whole step. */
static uint64_t step_outside_bytes(const Step *step)
{
  return outside_bytes(&step->own.graph, &step->own.interface) +
         echo_bodies_constant_bytes(&step->bodies);
}

/* The same less what may wait in the host. */
static uint64_t step_beside_bytes(const Step *step)
{
  return step_outside_bytes(step) - step->own.curve.state_bytes;
}

static uint64_t rest_of(uint64_t budget_bytes, uint64_t taken_bytes)
{
  return budget_bytes > taken_bytes ? budget_bytes - taken_bytes : 0;
}

/* The rest of the budget is the arena's. */
static bool search_step(Step *step, const EchoSearchOptions *options)
{
  EchoSearchOptions own = *options;
  uint64_t outside = step_outside_bytes(step);
  uint64_t state =
      own.allow_swap ? echo_swap_state_bytes(&step->own.graph, &step->own.interface) : 0;
  own.swap_budget_bytes = rest_of(own.budget_bytes, outside - state);
  own.budget_bytes = rest_of(own.budget_bytes, outside);
  own.n_ops = step->bodies.n_ops;
  own.written = &step->own.written;
  return echo_search(&step->own.curve, &step->own.candidates, &step->own.interface, &own);
}

static bool fits(const Step *step, const EchoSearchOptions *options)
{
  bool has_budget = options->goal == ECHO_GOAL_BUDGET;
  return step->own.curve.fits && (!has_budget || options->budget_bytes >= step_beside_bytes(step));
}

/* What no plan of this step is below. What else than kernels that run again the step takes is taken
 * to be no less than in the fastest plan that was seen. */
static Taken find_bound(const Step *step, const EchoSearchOptions *options)
{
  const EchoBody *own = &step->own;
  const EchoPoint *best = &own->curve.points.data[own->curve.best];
  Taken on = on_of(&own->curve);
  EchoBound bound =
      echo_bound_find(&own->candidates, &own->interface, options, room_of(&own->curve), on.ns);
  uint64_t again_ns = echo_bound_point_again_ns(&own->candidates, best, &own->interface, options);
  uint64_t once_ns = best->ns > again_ns ? best->ns - again_ns : 0;
  for (size_t i = 0; i < own->curve.points.size; ++i)
    if (own->curve.points.data[i].ns < once_ns)
      once_ns = own->curve.points.data[i].ns;
  return (Taken){bound.least_bytes, once_ns + bound.again_ns};
}

static uint64_t limit_ns(const EchoSearchOptions *options, const Taken *off)
{
  double ns = (double)off->ns * (1 + options->overhead);
  return ns < (double)UINT64_MAX ? (uint64_t)ns : UINT64_MAX;
}

/* The step as it was decided; `off` is what it takes as it was written, nothing recomputed. */
static bool carry_out(EchoPassRun *run, EchoOp *function, Step *step,
                      const EchoSearchOptions *options, const Taken *off)
{
  const EchoCurve *curve = &step->own.curve;
  const EchoPoint *point = &curve->points.data[curve->best];
  uint64_t beside = step_beside_bytes(step);
  bool is_fine = fits(step, options) || report_misfit(function, curve, beside);
  echo_bodies_decide(&step->bodies, &step->own.candidates, &point->choice);
  bool explains = false;
  bool does_nothing = curve->best == 0 && curve->swap_limit_bytes == UINT64_MAX &&
                      options->goal != ECHO_GOAL_BUDGET && point->peak_bytes != 0 &&
                      point->peak_bytes >= off->bytes;
  if (is_fine && does_nothing)
    say_nothing_was_done(function, curve, options);
  Taken bound = find_bound(step, options);
  if (echo_pass_option_bool(run, "explain", &explains) && (explains || does_nothing || !is_fine))
    explain(function, &step->own, &step->bodies, &options->fusion, explains && is_fine);
  if (is_fine && explains)
    explain_bound(function, on_of(curve), bound, options->allow_swap);
  if (is_fine) /* with nothing recomputed, too: in the order that was decided on */
    leave_account(run->op, curve, off, &bound, rewrite_step(step, &options->fusion), beside);
  echo_pass_count(run, "off-bytes", off->bytes);
  echo_pass_count(run, "echo-bytes", point->peak_bytes);
  echo_pass_count(run, "off-ns", off->ns);
  echo_pass_count(run, "echo-ns", point->ns);
  return is_fine;
}

/* ---- the function ---- */

/* With loops or branches, the function as it was written and copies of it, with its stacks and what
 * branches hand on decided by each of six prices, and that in segments on up to three levels; the
 * same once more where stacks of loops in loops can be made of others (planning/loops/whole.h):
 * which is the best shows when all is decided. */
#define MAX_PRICES 6
#define MAX_LEVELS 3
#define MAX_FAMILY (1 + 2 * MAX_PRICES * (1 + MAX_LEVELS))
/* Each of them of the function and of what --roll-loops and --unroll-loops offer beside it. */
typedef enum Form { FORM_WRITTEN, FORM_ROLLED, FORM_UNROLLED, N_FORMS } Form;
#define MAX_VARIANTS (N_FORMS * MAX_FAMILY)

static const char *const OFFER_ATTRS[N_FORMS] = {NULL, ECHO_ROLLED_ATTR, ECHO_UNROLLED_ATTR};

typedef struct Variant {
  EchoOp *function;
  Step step;
  size_t n_stacks; /* added, dropped or put into segments; with what branches hand on no more */
  Form form;
} Variant;

typedef struct Variants {
  Variant data[MAX_VARIANTS];
  size_t size;
} Variants;

static bool has_control(EchoOp *function)
{
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op))
    if (op != function && echo_op_node_kind(op) == ECHO_NODE_CONTROL)
      return true;
  return false;
}

/* Every block that is planned has static shapes. */
static bool check_static(EchoOp *function)
{
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op))
    for (size_t r = 0; r < op->n_regions; ++r)
      if ((op == function || echo_op_node_kind(op) == ECHO_NODE_CONTROL) &&
          !echo_graph_check_static(echo_op_body(op, r)))
        return false;
  return true;
}

/* One more variant, with stacks decided by `price`, in segments on `n_levels`; none where it would
 * have no more than `n_changes` changes, which it returns then. */
static size_t add_variant(Variants *variants, EchoOp *function, const EchoSearchOptions *options,
                          double price, size_t n_levels, size_t n_changes, EchoArena *scratch)
{
  Variant *variant = &variants->data[variants->size];
  variant->function = echo_op_clone(function, NULL);
  echo_op_insert_after(variant->function, function);
  size_t n_stacks = echo_decide_stacks(variant->function, &options->device, price, scratch);
  variant->n_stacks = n_stacks + echo_segment_loops(variant->function, n_levels, scratch);
  if (variant->n_stacks > n_changes) {
    ++variants->size;
    return variant->n_stacks;
  }
  echo_op_erase(variant->function);
  return n_changes;
}

/* Of a copy: looking for stacks may make them carried values, and what was written stays. */
static size_t find_prices(EchoOp *function, const EchoSearchOptions *options, EchoArena *scratch,
                          double *prices, size_t max)
{
  if (!has_control(function))
    return 0;
  EchoOp *copy = echo_op_clone(function, NULL);
  echo_op_insert_after(copy, function);
  size_t n = echo_stack_prices(copy, &options->device, scratch, prices, max);
  echo_op_erase(copy);
  return n;
}

/* With the stacks of `function` decided by each of its prices, `max` at most. */
static void add_variants(Variants *variants, EchoOp *function, const EchoSearchOptions *options,
                         size_t max, EchoArena *scratch)
{
  double prices[MAX_PRICES];
  size_t n_prices =
      find_prices(function, options, scratch, prices, max < MAX_PRICES ? max : MAX_PRICES);
  for (size_t i = 0; i < n_prices; ++i) {
    size_t n_changes = 0;
    for (size_t n_levels = 0; n_levels <= MAX_LEVELS; ++n_levels)
      n_changes = add_variant(variants, function, options, prices[i], n_levels, n_changes, scratch);
  }
}

static void add_family(Variants *variants, EchoOp *function, Form form,
                       const EchoSearchOptions *options, EchoArena *scratch)
{
  size_t first = variants->size;
  uint64_t n_ops = 0;
  echo_loop_merge_carried(function);
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op))
    ++n_ops;
  size_t n_affordable = echo_search_n_affordable(n_ops);
  variants->data[variants->size++].function = function;
  add_variants(variants, function, options, n_affordable, scratch);
  EchoOp *whole = echo_op_clone(function, NULL);
  echo_op_insert_after(whole, function);
  if (echo_loop_make_whole(whole) != 0)
    add_variants(variants, whole, options, n_affordable, scratch);
  echo_op_erase(whole);
  /* Last: what is written over is no stack between loops any more. */
  for (size_t i = first; i < variants->size; ++i) {
    variants->data[i].form = form;
    echo_loop_share_stacks(variants->data[i].function);
    echo_loop_reuse_arrays(variants->data[i].function);
  }
}

/* A function, and what is offered beside it, whose place it may take; NULL: nothing. */
typedef struct Offer {
  EchoOp *forms[N_FORMS];
} Offer;

static void make_variants(Variants *variants, const Offer *offer, const EchoSearchOptions *options,
                          EchoArena *scratch)
{
  EchoOp *function = offer->forms[FORM_WRITTEN];
  add_family(variants, function, FORM_WRITTEN, options, scratch);
  for (Form form = FORM_WRITTEN + 1; form < N_FORMS; ++form) {
    EchoOp *other = offer->forms[form];
    if (other == NULL)
      continue;
    echo_op_set_attr(other, OFFER_ATTRS[form], NULL);
    echo_op_set_attr(other, "sym_name", echo_op_attr_or_null(function, "sym_name"));
    add_family(variants, other, form, options, scratch);
  }
}

/* What the variant takes with nothing recomputed in its blocks. False after an error. */
static bool measure(const Variant *variant, const EchoSearchOptions *options, EchoArena *scratch,
                    Taken *taken)
{
  EchoArenaMark mark = echo_arena_mark(scratch);
  EchoSearchOptions nothing = *options;
  nothing.goal = ECHO_GOAL_NOTHING;
  Step step;
  bool is_fine =
      step_create(&step, variant->function, &nothing, scratch) && search_step(&step, &nothing);
  if (is_fine)
    *taken = (Taken){step.own.curve.points.data[0].peak_bytes, step.own.curve.points.data[0].ns};
  step_destroy(&step);
  echo_arena_reset(scratch, mark);
  return is_fine;
}

/* A variant that takes no less than another in bytes and in time is not searched; but the same in
 * another form has other ways to take less. False after an error. */
static bool drop_dominated(Variants *variants, const EchoSearchOptions *options, EchoArena *scratch)
{
  Taken taken[MAX_VARIANTS];
  bool is_dominated[MAX_VARIANTS] = {false};
  for (size_t i = 0; i < variants->size; ++i)
    if (!measure(&variants->data[i], options, scratch, &taken[i]))
      return false;
  for (size_t i = 1; i < variants->size; ++i) /* what was written stays */
    for (size_t k = 0; k < variants->size && !is_dominated[i]; ++k)
      is_dominated[i] = variants->data[k].form == variants->data[i].form &&
                        taken[k].bytes <= taken[i].bytes && taken[k].ns <= taken[i].ns &&
                        (taken[k].bytes < taken[i].bytes || taken[k].ns < taken[i].ns || k < i);
  size_t n = 0;
  for (size_t i = 0; i < variants->size; ++i) {
    if (is_dominated[i])
      echo_op_erase(variants->data[i].function);
    else
      variants->data[n++] = variants->data[i];
  }
  variants->size = n;
  return true;
}

/* What is offered beside the function takes nothing from the work on it: no plan is worse for it.
 */
static size_t count_family(const Variants *variants, Form form)
{
  size_t n = 0;
  for (size_t i = 0; i < variants->size; ++i)
    n += variants->data[i].form == form;
  return n;
}

/* False after an error. */
static bool search_variants(Variants *variants, const EchoSearchOptions *options,
                            EchoArena *scratch, Taken *off)
{
  if (variants->size > 1 && !drop_dominated(variants, options, scratch))
    return false;
  EchoSearchOptions own = *options;
  bool is_fine = true;
  for (size_t i = 0; i < variants->size && is_fine; ++i) {
    Variant *variant = &variants->data[i];
    own.limit_ns = limit_ns(options, off);
    own.n_alternatives = count_family(variants, variant->form);
    is_fine = step_create(&variant->step, variant->function, &own, scratch) &&
              search_step(&variant->step, &own);
    if (is_fine && i == 0)
      *off = (Taken){variant->step.own.curve.points.data[0].peak_bytes,
                     variant->step.own.curve.points.data[0].ns};
  }
  return is_fine;
}

/* Arena and what stands beside it; with what copies add. */
static Taken taken_by(const Variant *variant)
{
  const EchoCurve *curve = &variant->step.own.curve;
  return (Taken){curve->least_bytes + step_beside_bytes(&variant->step),
                 curve->points.data[curve->best].ns + curve->swap_ns};
}

/* Of what is within the price the fewest bytes; for a budget, what takes the least time of what
 * fits; for the least, of what comes as low, near enough. What was written is within every price.
 */
static Variant *best_variant(Variants *variants, const EchoSearchOptions *options, const Taken *off)
{
  bool is_allowed[MAX_VARIANTS] = {false}, any = false;
  uint64_t lowest = UINT64_MAX;
  for (size_t i = 0; i < variants->size; ++i) {
    const Variant *variant = &variants->data[i];
    is_allowed[i] = options->goal == ECHO_GOAL_OVERHEAD
                        ? i == 0 || taken_by(variant).ns <= limit_ns(options, off)
                        : fits(&variant->step, options);
    any |= is_allowed[i];
  }
  for (size_t i = 0; i < variants->size; ++i) {
    uint64_t bytes = taken_by(&variants->data[i]).bytes;
    if ((is_allowed[i] || !any) && bytes < lowest)
      lowest = bytes;
  }
  uint64_t enough = lowest;
  if (options->goal == ECHO_GOAL_LEAST)
    enough += lowest / ECHO_LOWEST_SLACK;
  else if (options->goal == ECHO_GOAL_BUDGET && any)
    enough = UINT64_MAX;
  Variant *best = NULL;
  for (size_t i = 0; i < variants->size; ++i) {
    Variant *variant = &variants->data[i];
    if ((is_allowed[i] || !any) && taken_by(variant).bytes <= enough &&
        (best == NULL || taken_by(variant).ns < taken_by(best).ns))
      best = variant;
  }
  return best;
}

static bool echo_function(EchoPassRun *run, const Offer *offer, const EchoSearchOptions *options)
{
  EchoOp *function = offer->forms[FORM_WRITTEN];
  EchoBlock *block = function->regions[0].first;
  if (block == NULL)
    return true;
  if (block->next != NULL)
    return echo_op_error(
        function, "has control flow between blocks; only structured control flow has a plan");
  if (!check_static(function))
    return false;
  EchoArenaMark mark = echo_arena_mark(run->scratch);
  Variants variants = {0};
  Taken off = {0, 0};
  make_variants(&variants, offer, options, run->scratch);
  bool is_fine = search_variants(&variants, options, run->scratch, &off);
  Variant *best = is_fine ? best_variant(&variants, options, &off) : &variants.data[0];
  if (is_fine)
    is_fine = carry_out(run, best->function, &best->step, options, &off);
  echo_pass_count(run, "stacks", best->n_stacks);
  for (size_t i = 0; i < variants.size; ++i) {
    step_destroy(&variants.data[i].step);
    if (&variants.data[i] != best)
      echo_op_erase(variants.data[i].function);
  }
  echo_arena_reset(run->scratch, mark);
  return is_fine;
}

/* What stands before a training step is refused with the way there. */
static bool check_stage(const EchoPassRun *run)
{
  if (echo_module_stage(run->op) >= ECHO_STAGE_STEP ||
      echo_stage_illegal_op_or_null(run->op, ECHO_STAGE_MODEL) != NULL)
    return true;
  const EchoOp *early = echo_stage_illegal_op_or_null(run->op, ECHO_STAGE_STEP);
  return early == NULL ||
         echo_op_error(early, "stands before the training step that recompute works on: "
                              "--to=echoed --echo=… takes the module there first");
}

typedef ECHO_VECTOR(Offer) Offers;

static Form form_of(const EchoOp *op)
{
  Form form = N_FORMS - 1;
  while (form != FORM_WRITTEN && !echo_op_has_attr(op, OFFER_ATTRS[form]))
    --form;
  return form;
}

/* The function that `op` is offered for; NULL, after an error, where text names none. */
static const EchoOp *offered_for_or_null(const EchoSymbolTable *symbols, const EchoOp *op)
{
  const char *name = OFFER_ATTRS[form_of(op)];
  const EchoAttr *of = echo_op_attr_or_null(op, name);
  const EchoOp *function = of->kind == ECHO_ATTR_SYMBOL_REF
                               ? echo_symbol_table_get_or_null(symbols, of->as.symbol.root)
                               : NULL;
  if (function != NULL && echo_op_is(function, "func.func") && form_of(function) == FORM_WRITTEN &&
      echo_op_attr_or_null(function, "function_type") == echo_op_attr_or_null(op, "function_type"))
    return function;
  echo_op_error(op, "attribute '%s' names no function that this one could be", name);
  return NULL;
}

/* False after an error. */
static bool collect_offers(EchoOp *module, Offers *offers)
{
  EchoSymbolTable symbols;
  EchoMap others[N_FORMS] = {0};
  bool is_fine = true;
  echo_symbol_table_create(&symbols, module);
  for (EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next) {
    Form form = form_of(op);
    if (form == FORM_WRITTEN)
      continue;
    const EchoOp *function = offered_for_or_null(&symbols, op);
    if (function != NULL && echo_map_has(&others[form], echo_key(function)))
      is_fine = echo_op_error(op, "another function is offered for that one already");
    else if (function != NULL)
      echo_map_set_ptr(&others[form], function, op);
    is_fine &= function != NULL;
  }
  for (EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next) {
    if (!echo_op_is(op, "func.func") || form_of(op) != FORM_WRITTEN)
      continue;
    Offer offer = {.forms = {op}};
    for (Form form = FORM_WRITTEN + 1; form < N_FORMS; ++form)
      offer.forms[form] = echo_map_get_ptr(&others[form], op);
    echo_vector_push(offers, offer);
  }
  for (Form form = 0; form < N_FORMS; ++form)
    echo_map_destroy(&others[form]);
  echo_symbol_table_destroy(&symbols);
  return is_fine;
}

/* As many policies as are searched side by side; and mostly as many orders as a point has left to
 * be looked at in. */
#define MAX_THREADS 4

/* None where one thread is all there may be, or all that the module is worth. While policies run
 * side by side, those that look ahead for the first of them come on top; all but one of either
 * sleep for most of the rest. */
static void create_pools(const EchoPassRun *run, EchoSearchOptions *options)
{
  unsigned allowed = echo_context_n_threads(run->ctx);
  unsigned n_threads = allowed != 0 ? allowed : echo_n_processors();
  uint64_t n_ops = 0;
  for (EchoOp *op = run->op; op != NULL && n_ops < ECHO_SEARCH_LEAST_OPS;
       op = echo_op_walk_next(run->op, op))
    ++n_ops;
  if (n_threads == 1 || n_ops < ECHO_SEARCH_LEAST_OPS)
    return;
  n_threads = n_threads < MAX_THREADS ? n_threads : MAX_THREADS;
  options->pool = echo_thread_pool_create(n_threads);
  options->policy_pool = echo_thread_pool_create(n_threads);
}

static bool run_pass(EchoPassRun *run)
{
  EchoSearchOptions options;
  Offers offers = {0};
  bool is_fine =
      parse_options(run, &options) && check_stage(run) && collect_offers(run->op, &offers);
  if (is_fine)
    create_pools(run, &options);
  for (size_t i = 0; i < offers.size && is_fine; ++i)
    is_fine = echo_function(run, &offers.data[i], &options);
  echo_vector_destroy(&offers);
  echo_thread_pool_destroy(options.pool);
  echo_thread_pool_destroy(options.policy_pool);
  if (is_fine && options.goal == ECHO_GOAL_BUDGET && options.budget_bytes <= INT64_MAX)
    echo_op_set_attr(run->op, ECHO_BUDGET_ATTR,
                     echo_attr_i64(run->ctx, (int64_t)options.budget_bytes));
  if (is_fine) {
    echo_module_set_stage(run->op, ECHO_STAGE_ECHOED);
    if (options.fusion.order == NULL)
      echo_op_set_attr(run->op, ECHO_ORDERED_ATTR, echo_attr_unit(run->ctx));
  }
  return is_fine;
}

static const EchoPassOption OPTIONS[] = {
    {"budget", "bytes that the whole step may take (units such as MiB or GB allowed), or min", ""},
    {"overhead",
     "how much predicted time may be added (2% unless a budget, policy=chain or policy=levels is "
     "given)",
     ""},
    {"policy",
     "mincut; greedy, the rule of the paper's implementation; chain, checkpoints of chains alone; "
     "levels, several levels of them; or one that a plugin brings",
     "mincut"},
    {"swap", "values may go to the host and back, too: on or off", "off"},
    {"device", "model that times are predicted for: a name or a file", ""},
    {"target", "whose kernels there can be: cpu, or a GPU's architecture", "cpu"},
    {"cublaslt", "a GPU's contractions stand alone, so that cuBLASLt may make them", "false"},
    {"order", "the order that --schedule is to take; the best of ours", ""},
    {"explain", "a remark on every candidate", "false"},
    {NULL, NULL, NULL}};

static const EchoPassStatistic STATISTICS[] = {
    {"off-bytes", "peak of temporaries without recompute"},
    {"echo-bytes", "peak of temporaries with it"},
    {"off-ns", "predicted time without recompute"},
    {"echo-ns", "predicted time with it"},
    {"stacks",
     "stacks between loops that were added, dropped or put into segments, and values that "
     "branches no longer hand on"},
    {NULL, NULL}};

const EchoPass ECHO_PASS_ECHO = {
    .name = "echo",
    .summary = "recompute feature maps in the backward part where that lowers the planned peak",
    .anchor = "builtin.module",
    .options = OPTIONS,
    .statistics = STATISTICS,
    .run = run_pass,
};

void echo_register_echo_passes(EchoPassRegistry *registry)
{
  echo_pass_registry_add(registry, &ECHO_PASS_ECHO);
}
