/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --echo: candidates, search, rewriting. Options say what is asked for; the module's attributes say
 * what came of it. */
#include "echo_pass/echo_pass.h"

#include "dialects/echo/stages.h"
#include "echo_pass/explain_t.h"
#include "echo_pass/variants_t.h"
#include "ir/diagnostics.h"
#include "ir/symbol.h"

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
  if (!echo_fusion_options_load(run, &options->device, &options->fusion) ||
      !parse_overhead(run, &options->overhead) ||
      !echo_order_load(run->ctx, run->op->loc, echo_pass_option(run, "order"),
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

/* `beside`: what stands beside the arena and cannot be moved. Where the function stands, not as it
 * is printed: that would be all of it. */
static bool report_misfit(const EchoOp *function, const EchoCurve *curve, uint64_t beside)
{
  return echo_error(echo_op_context(function), echo_op_place(function),
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

/* What the rounds before the last one decided, the first one first. */
static void explain_rounds(const EchoVariant *best)
{
  const EchoBody *rounds[ECHO_MAX_ROUNDS];
  size_t n = 0;
  for (const EchoVariant *variant = best; variant->from != NULL; variant = variant->from)
    rounds[n++] = variant->from_own;
  while (n-- > 0)
    echo_explain(&rounds[n]->candidates, &rounds[n]->curve);
}

/* What stands at the peak of the best point, also inside what stands there, and, where `all` is
 * asked for, the decisions. */
static void explain(const EchoVariants *variants, const EchoFusionOptions *fusion, bool all)
{
  const EchoBody *own = variants->own;
  const EchoBodies *bodies = &variants->best->step.bodies;
  if (all) {
    explain_rounds(variants->best);
    echo_bodies_explain(bodies);
    echo_explain(&own->candidates, &own->curve);
    echo_explain_sums(variants->best->function, variants->off.bytes, variants->off.ns, &own->curve);
  }
  for (const EchoBody *body = own; body != NULL;) {
    const EchoOp *inside = explain_peak_or_null(body, fusion, all ? MAX_OWNERS : FEW_OWNERS);
    body = inside != NULL ? echo_bodies_highest(bodies, inside) : NULL;
  }
}

static void explain_bound(const EchoOp *function, EchoTaken on, EchoTaken bound, bool allow_swap)
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

/* What came of it, on the module, for tools: bytes of the arena and predicted time off and on, and
 * what no plan is below: in bytes, and in time with as few bytes; how many regions are recomputed,
 * and what --swap is to bring the whole step to. */
static void leave_account(EchoOp *module, const EchoCurve *curve, const EchoTaken *off,
                          const EchoTaken *bound, size_t n_regions, uint64_t beside)
{
  EchoContext *ctx = echo_op_context(module);
  EchoTaken on = echo_curve_on(curve);
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

/* Of a further round that of what the first one began with: all that is computed again in any of
 * them could be done without. */
static EchoTaken find_bound(const EchoVariants *variants, const EchoSearchOptions *options)
{
  const EchoVariant *variant = variants->best;
  const EchoCurve *taken = &variants->own->curve;
  if (variant->from == NULL)
    return echo_step_bound(&variant->step, variants->own, taken, UINT64_MAX, options);
  EchoBody *from = NULL;
  uint64_t once_ns = echo_body_once_ns(variants->own, options);
  for (; variant->from != NULL; variant = variant->from) {
    from = variant->from_own;
    from->curve.best = variant->from_point;
    uint64_t again_ns =
        from->curve.points.data[variant->from_point].ns - echo_body_once_ns(from, options);
    once_ns = once_ns > again_ns ? once_ns - again_ns : 0;
  }
  return echo_step_bound(&variant->step, from, taken, once_ns, options);
}

/* The best one as it was decided; what the others would take is known. */
static bool carry_out(EchoPassRun *run, const EchoVariants *variants,
                      const EchoSearchOptions *options)
{
  const EchoOp *function = variants->best->function;
  const EchoTaken *off = &variants->off;
  EchoStep *step = &variants->best->step;
  const EchoCurve *curve = &variants->own->curve;
  const EchoPoint *point = &curve->points.data[curve->best];
  uint64_t beside = echo_step_beside_bytes(step, variants->own);
  bool is_fine =
      echo_step_fits(step, variants->own, options) || report_misfit(function, curve, beside);
  echo_step_decide(step, variants->own);
  bool explains = false;
  bool does_nothing = curve->best == 0 && curve->swap_limit_bytes == UINT64_MAX &&
                      options->goal != ECHO_GOAL_BUDGET && point->peak_bytes != 0 &&
                      point->peak_bytes >= off->bytes;
  if (is_fine && does_nothing)
    say_nothing_was_done(function, curve, options);
  EchoTaken bound = find_bound(variants, options);
  if (echo_pass_option_bool(run, "explain", &explains) && (explains || does_nothing || !is_fine))
    explain(variants, &options->fusion, explains && is_fine);
  if (is_fine && explains)
    explain_bound(function, echo_curve_on(curve), bound, options->allow_swap);
  if (is_fine) /* with nothing recomputed, too: in the order that was decided on */
    leave_account(run->op, curve, off, &bound,
                  variants->best->n_regions +
                      echo_step_rewrite(step, variants->own, &options->fusion),
                  beside);
  echo_pass_count(run, "off-bytes", off->bytes);
  echo_pass_count(run, "echo-bytes", point->peak_bytes);
  echo_pass_count(run, "off-ns", off->ns);
  echo_pass_count(run, "echo-ns", point->ns);
  return is_fine;
}

/* ---- the function ---- */

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

static bool echo_function(EchoPassRun *run, const EchoOffer *offer,
                          const EchoSearchOptions *options)
{
  EchoOp *function = offer->forms[ECHO_FORM_WRITTEN];
  EchoBlock *block = function->regions[0].first;
  if (block == NULL)
    return true;
  if (block->next != NULL)
    return echo_op_error(
        function, "has control flow between blocks; only structured control flow has a plan");
  if (!check_static(function))
    return false;
  EchoArenaMark mark = echo_arena_mark(run->scratch);
  EchoVariants variants;
  bool is_fine = echo_variants_create(&variants, offer, options, run->scratch) &&
                 carry_out(run, &variants, options);
  echo_pass_count(run, "stacks", variants.best->n_stacks);
  echo_variants_destroy(&variants);
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

typedef ECHO_VECTOR(EchoOffer) Offers;

static EchoForm form_of(const EchoOp *op)
{
  EchoForm form = ECHO_N_FORMS - 1;
  while (form != ECHO_FORM_WRITTEN && !echo_op_has_attr(op, ECHO_OFFER_ATTRS[form]))
    --form;
  return form;
}

/* The function that `op` is offered for; NULL, after an error, where text names none. */
static const EchoOp *offered_for_or_null(const EchoSymbolTable *symbols, const EchoOp *op)
{
  const char *name = ECHO_OFFER_ATTRS[form_of(op)];
  const EchoAttr *of = echo_op_attr_or_null(op, name);
  const EchoOp *function = of->kind == ECHO_ATTR_SYMBOL_REF
                               ? echo_symbol_table_get_or_null(symbols, of->as.symbol.root)
                               : NULL;
  if (function != NULL && echo_op_is(function, "func.func") &&
      form_of(function) == ECHO_FORM_WRITTEN &&
      echo_op_attr_or_null(function, "function_type") == echo_op_attr_or_null(op, "function_type"))
    return function;
  echo_op_error(op, "attribute '%s' names no function that this one could be", name);
  return NULL;
}

/* False after an error. */
static bool collect_offers(EchoOp *module, Offers *offers)
{
  EchoSymbolTable symbols;
  EchoMap others[ECHO_N_FORMS] = {0};
  bool is_fine = true;
  echo_symbol_table_create(&symbols, module);
  for (EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next) {
    EchoForm form = form_of(op);
    if (form == ECHO_FORM_WRITTEN)
      continue;
    const EchoOp *function = offered_for_or_null(&symbols, op);
    if (function != NULL && echo_map_has(&others[form], echo_key(function)))
      is_fine = echo_op_error(op, "another function is offered for that one already");
    else if (function != NULL)
      echo_map_set_ptr(&others[form], function, op);
    is_fine &= function != NULL;
  }
  for (EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next) {
    if (!echo_op_is(op, "func.func") || form_of(op) != ECHO_FORM_WRITTEN)
      continue;
    EchoOffer offer = {.forms = {op}};
    for (EchoForm form = ECHO_FORM_WRITTEN + 1; form < ECHO_N_FORMS; ++form)
      offer.forms[form] = echo_map_get_ptr(&others[form], op);
    echo_vector_push(offers, offer);
  }
  for (EchoForm form = 0; form < ECHO_N_FORMS; ++form)
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
    ECHO_FUSION_PASS_OPTIONS,
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
