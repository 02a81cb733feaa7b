/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* With loops or branches, the function as it was written and copies of it, with its stacks and what
 * branches hand on decided by each of six prices, and that in segments on up to three levels; the
 * same once more where stacks of loops in loops can be made of others (planning/loops/whole.h).
 * Each is searched from each starting order (starting_order.h), and what the lowest points of those
 * without loops come to once more (again_t.h): which is the best shows when all is decided. */
#include "echo_pass/variants_t.h"

#include "dialects/echo/stages.h"
#include "echo_pass/again_t.h"
#include "echo_pass/rewrite_t.h"
#include "echo_pass/stacks_t.h"
#include "planning/loops/reuse.h"
#include "planning/loops/share.h"
#include "planning/loops/whole.h"

#define AGAIN_PART 2   /* of the work of one search: the part that each further round gets */
#define OUTDONE_PART 4 /* and a form where another takes no more (bench/results/ablation.md) */

const char *const ECHO_OFFER_ATTRS[ECHO_N_FORMS] = {NULL, ECHO_ROLLED_ATTR, ECHO_UNROLLED_ATTR,
                                                    ECHO_MERGED_ATTR};

/* ---- what there is to search ---- */

static bool has_control(EchoOp *function)
{
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op))
    if (op != function && echo_op_node_kind(op) == ECHO_NODE_CONTROL)
      return true;
  return false;
}

/* One more variant, with stacks decided by `price`, in segments on `n_levels`; none where it would
 * have no more than `n_changes` changes, which it returns then. */
static size_t add_variant(EchoVariants *variants, EchoOp *function,
                          const EchoSearchOptions *options, double price, size_t n_levels,
                          size_t n_changes, EchoArena *scratch)
{
  EchoVariant *variant = &variants->data[variants->size];
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
static void add_variants(EchoVariants *variants, EchoOp *function, const EchoSearchOptions *options,
                         size_t max, EchoArena *scratch)
{
  double prices[ECHO_MAX_PRICES];
  size_t n_prices = find_prices(function, options, scratch, prices,
                                max < ECHO_MAX_PRICES ? max : ECHO_MAX_PRICES);
  for (size_t i = 0; i < n_prices; ++i) {
    size_t n_changes = 0;
    for (size_t n_levels = 0; n_levels <= ECHO_MAX_LEVELS; ++n_levels)
      n_changes = add_variant(variants, function, options, prices[i], n_levels, n_changes, scratch);
  }
}

static void add_family(EchoVariants *variants, EchoOp *function, EchoForm form,
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

static void make_variants(EchoVariants *variants, const EchoOffer *offer,
                          const EchoSearchOptions *options, EchoArena *scratch)
{
  EchoOp *function = offer->forms[ECHO_FORM_WRITTEN];
  add_family(variants, function, ECHO_FORM_WRITTEN, options, scratch);
  for (EchoForm form = ECHO_FORM_WRITTEN + 1; form < ECHO_N_FORMS; ++form) {
    EchoOp *other = offer->forms[form];
    if (other == NULL)
      continue;
    echo_op_set_attr(other, ECHO_OFFER_ATTRS[form], NULL);
    echo_op_set_attr(other, "sym_name", echo_op_attr_or_null(function, "sym_name"));
    add_family(variants, other, form, options, scratch);
  }
}

/* What the variant takes with nothing recomputed in its blocks. False after an error. */
static bool measure(const EchoVariant *variant, const EchoSearchOptions *options,
                    EchoArena *scratch, EchoTaken *taken)
{
  EchoArenaMark mark = echo_arena_mark(scratch);
  EchoSearchOptions nothing = *options;
  nothing.goal = ECHO_GOAL_NOTHING;
  EchoStep step;
  bool is_fine = echo_step_create(&step, variant->function, &nothing, scratch) &&
                 echo_step_search(&step, &nothing);
  if (is_fine)
    *taken = (EchoTaken){step.own[0].curve.points.data[0].peak_bytes,
                         step.own[0].curve.points.data[0].ns};
  echo_step_destroy(&step);
  echo_arena_reset(scratch, mark);
  return is_fine;
}

/* Of two that take the same the first. */
static bool is_outdone_by(const EchoTaken *taken, size_t i, size_t k)
{
  bool is_less = taken[k].bytes < taken[i].bytes || taken[k].ns < taken[i].ns || k < i;
  return taken[k].bytes <= taken[i].bytes && taken[k].ns <= taken[i].ns && is_less;
}

/* A variant that takes no less than another in bytes and in time is not searched; but the same in
 * another form has other ways to take less, and is looked at less often. False after an error. */
static bool drop_outdone(EchoVariants *variants, const EchoSearchOptions *options,
                         EchoArena *scratch)
{
  EchoTaken taken[ECHO_MAX_VARIANTS];
  bool is_dropped[ECHO_MAX_VARIANTS] = {false};
  EchoVariant *data = variants->data;
  for (size_t i = 0; i < variants->size; ++i)
    if (!measure(&data[i], options, scratch, &taken[i]))
      return false;
  for (size_t i = 1; i < variants->size; ++i) /* what was written stays */
    for (size_t k = 0; k < variants->size; ++k)
      if (is_outdone_by(taken, i, k))
        *(data[k].form == data[i].form ? &is_dropped[i] : &data[i].is_outdone) = true;
  size_t n = 0;
  for (size_t i = 0; i < variants->size; ++i) {
    if (is_dropped[i])
      echo_op_erase(data[i].function);
    else
      data[n++] = data[i];
  }
  variants->size = n;
  return true;
}

/* What is offered beside the function takes nothing from the work on it: no plan is worse for it.
 */
static size_t count_family(const EchoVariants *variants, EchoForm form)
{
  size_t n = 0;
  for (size_t i = 0; i < variants->size; ++i)
    n += variants->data[i].form == form;
  return n;
}

/* A variant as it comes out of one start: arena and what stands beside it, with what copies add. */
typedef struct Way {
  EchoVariant *variant;
  EchoBody *own;
  EchoTaken taken;
  bool is_allowed;
} Way;

static Way make_way(const EchoVariants *variants, EchoVariant *variant, EchoBody *own,
                    const EchoSearchOptions *options)
{
  const EchoCurve *curve = &own->curve;
  Way way = {.variant = variant, .own = own};
  way.taken = (EchoTaken){curve->least_bytes + echo_step_beside_bytes(&variant->step, own),
                          curve->points.data[curve->best].ns + curve->swap_ns};
  way.is_allowed = options->goal == ECHO_GOAL_OVERHEAD
                       ? way.taken.ns <= echo_search_limit_ns(options, variants->off.ns)
                       : echo_step_fits(&variant->step, own, options);
  return way;
}

/* Nothing that is no better is looked for after it. */
static void take_known(EchoVariants *variants, const Way *way, const EchoSearchOptions *options)
{
  EchoTaken *known = &variants->known;
  bool is_better = options->goal == ECHO_GOAL_BUDGET ? way->taken.ns < known->ns
                                                     : way->taken.bytes < known->bytes;
  if (way->is_allowed && (known->bytes == 0 || is_better))
    *known = way->taken;
}

/* From each start. False after an error. */
static bool search_variant(EchoVariants *variants, EchoVariant *variant, size_t n_alternatives,
                           const EchoSearchOptions *options, EchoArena *scratch)
{
  EchoSearchOptions own = *options;
  own.n_alternatives = n_alternatives * (variant->is_outdone ? OUTDONE_PART : 1);
  own.limit_ns = echo_search_limit_ns(&own, variants->off.ns);
  EchoStep *step = &variant->step;
  if (!echo_step_create(step, variant->function, &own, scratch))
    return false;
  do {
    own.known_bytes = variants->known.bytes;
    own.known_ns = variants->known.ns;
    if (!echo_step_search(step, &own))
      return false;
    const EchoPoint *nothing = &step->own[0].curve.points.data[0];
    if (variant == variants->data)
      variants->off = (EchoTaken){nothing->peak_bytes, nothing->ns};
    own.limit_ns = echo_search_limit_ns(&own, variants->off.ns);
    Way way = make_way(variants, variant, &step->own[step->n_own - 1], options);
    take_known(variants, &way, options);
  } while (echo_step_next(step, &own));
  return true;
}

static bool search(EchoVariants *variants, const EchoSearchOptions *options, EchoArena *scratch)
{
  bool is_fine = variants->size == 1 || drop_outdone(variants, options, scratch);
  for (size_t i = 0; i < variants->size && is_fine; ++i) {
    size_t n_alternatives = count_family(variants, variants->data[i].form);
    is_fine = search_variant(variants, &variants->data[i], n_alternatives, options, scratch);
  }
  return is_fine;
}

/* ---- the best ---- */

/* Of what is within the price the fewest bytes; for a budget, what takes the least time of what
 * fits; for the least, of what comes as low, near enough. Where nothing is, the lowest. */
static const Way *choose(const Way *ways, size_t n, const EchoSearchOptions *options)
{
  bool any = false;
  uint64_t lowest = UINT64_MAX;
  for (size_t i = 0; i < n; ++i)
    any |= ways[i].is_allowed;
  for (size_t i = 0; i < n; ++i)
    if ((ways[i].is_allowed || !any) && ways[i].taken.bytes < lowest)
      lowest = ways[i].taken.bytes;
  uint64_t enough = lowest;
  if (options->goal == ECHO_GOAL_LEAST)
    enough += lowest / ECHO_LOWEST_SLACK;
  else if (options->goal == ECHO_GOAL_BUDGET && any)
    enough = UINT64_MAX;
  const Way *best = NULL;
  for (size_t i = 0; i < n; ++i)
    if ((ways[i].is_allowed || !any) && ways[i].taken.bytes <= enough &&
        (best == NULL || ways[i].taken.ns < best->taken.ns))
      best = &ways[i];
  return best;
}

static Way choose_best(EchoVariants *variants, const EchoSearchOptions *options)
{
  Way ways[ECHO_MAX_VARIANTS * ECHO_N_STARTS];
  size_t n = 0;
  for (size_t i = 0; i < variants->size; ++i) {
    EchoVariant *variant = &variants->data[i];
    for (size_t k = 0; k < variant->step.n_own; ++k)
      ways[n++] = make_way(variants, variant, &variant->step.own[k], options);
  }
  const Way *best = choose(ways, n, options);
  variants->best = best->variant;
  variants->own = best->own;
  return *best;
}

/* What begins with a point takes about its time, or more: nothing comes of it at a lower price, or
 * where less time meets the budget. Each has the same part of the work, whatever is asked for, so
 * that the curve is one. False after an error. */
static bool search_again(EchoVariants *variants, const EchoSearchOptions *options,
                         EchoArena *scratch)
{
  Way best = choose_best(variants, options);
  uint64_t max_ns = UINT64_MAX;
  if (options->goal == ECHO_GOAL_OVERHEAD)
    max_ns = echo_search_limit_ns(options, variants->off.ns);
  else if (options->goal == ECHO_GOAL_BUDGET && best.is_allowed)
    max_ns = best.taken.ns;
  for (size_t round = 0, first = 0, n = 1; round < ECHO_MAX_ROUNDS && n != 0; ++round) {
    n = echo_variants_add_again(variants, first, options, max_ns);
    first = variants->size - n;
    for (size_t i = first; i < variants->size; ++i)
      if (!search_variant(variants, &variants->data[i], AGAIN_PART, options, scratch))
        return false;
  }
  choose_best(variants, options);
  return true;
}

bool echo_variants_create(EchoVariants *variants, const EchoOffer *offer,
                          const EchoSearchOptions *options, EchoArena *scratch)
{
  *variants = (EchoVariants){0};
  variants->data = echo_alloc_zero(ECHO_MAX_VARIANTS, sizeof *variants->data);
  make_variants(variants, offer, options, scratch);
  variants->best = &variants->data[0];
  return search(variants, options, scratch) && search_again(variants, options, scratch);
}

void echo_variants_destroy(EchoVariants *variants)
{
  for (size_t i = 0; i < variants->size; ++i) {
    EchoVariant *variant = &variants->data[i];
    echo_step_destroy(&variant->step);
    if (variant != variants->best)
      echo_op_erase(variant->function);
  }
  echo_free(variants->data);
}
