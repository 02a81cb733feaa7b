/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The default runs what is fast first and stops at the lower bound: skylines, best-fit orders,
 * improvement of the best order, exact searches at the bound and then between the bound and the
 * best plan. With a capacity the same methods stop at the first plan that fits, or at the proof
 * that none does. */
#include "planning/offsets/offsets.h"

#include "planning/offsets/problem_t.h"

/* Work of the default policy, in steps of about a nanosecond, so that it ends in seconds wherever
 * the clock is. */
#define MAX_FIT_WORK UINT64_C(12000000000)
#define MAX_IMPROVE_WORK UINT64_C(2000000000)
#define MAX_DISSECT_WORK UINT64_C(2000000000)
#define DEFAULT_MAX_NODES UINT64_C(2000000)
#define MANY_ITEMS 20000
/* A part of the nodes goes to the search before improvement is tried. */
#define QUICK_SEARCH 20
/* What the ascending search at the bound may take, in descents of one node an item: the networks of
 * bench/planners that it brings there need 1 to 5. */
#define DESCENTS 6
/* The search walks all sections of a component at every node. */
#define MAX_SEARCH_ITEMS 6000
#define MAX_SEARCH_STEPS UINT64_C(4000000000)
#define SECTION_WORK 8 /* nanoseconds that a node takes for each of them */

static const char *const policy_names[ECHO_OFFSETS_POLICIES] = {
    [ECHO_OFFSETS_DEFAULT] = "default",
    [ECHO_OFFSETS_SKYLINE] = "skyline",
    [ECHO_OFFSETS_EXACT] = "exact",
};

const char *echo_offset_policy_name(EchoOffsetPolicy policy)
{
  ECHO_CHECK((unsigned)policy < ECHO_OFFSETS_POLICIES, "no policy %d", (int)policy);
  return policy_names[policy];
}

bool echo_offset_policy_parse(EchoStr name, EchoOffsetPolicy *policy)
{
  for (int p = 0; p < ECHO_OFFSETS_POLICIES; p++)
    if (echo_str_is(name, policy_names[p])) {
      *policy = (EchoOffsetPolicy)p;
      return true;
    }
  return false;
}

/* One assignment: the best plan so far and room for the next. */
typedef struct Assignment {
  uint64_t thrift; /* divides the work of the bounded searches */
  EchoOffsetProblem problem;
  EchoOffsetSearchLimits limits;
  EchoArena arena;
  EchoOffsetFitter *fitter; /* NULL until needed */
  EchoOffsetPlan best, trial;
  uint32_t *order, *best_order; /* best_order: of the best fit, for improvement */
  uint64_t best_order_height, fit_work;
  bool has_contradiction; /* fixed items overlap */
  uint64_t capacity;      /* 0: the least height is asked for */
  uint64_t wanted;        /* the capacity, rounded down to the grain */
  bool is_quick;
  uint64_t improve_work;
} Assignment;

/* Whether the best plan fits the capacity, or none can. */
static bool is_decided(const Assignment *assignment)
{
  const EchoOffsetProblem *problem = &assignment->problem;
  if (assignment->best.height == UINT64_MAX)
    return false;
  bool fits = true;
  for (uint32_t i = 0; i < problem->n_items && fits; i++)
    fits = assignment->best.bases[i] + problem->items[i].top <= assignment->capacity;
  return fits || problem->bound_bytes > assignment->capacity;
}

static bool is_done(Assignment *assignment)
{
  EchoOffsetSearchLimits *limits = &assignment->limits;
  if (assignment->has_contradiction)
    return true;
  if (!limits->was_stopped && limits->should_stop != NULL && assignment->best.height != UINT64_MAX)
    limits->was_stopped = limits->should_stop(limits->stop_user);
  return limits->was_stopped || assignment->best.height <= limits->enough ||
         (assignment->capacity == 0 ? assignment->best.height <= assignment->problem.rounded_bound
                                    : is_decided(assignment));
}

static void take_trial(Assignment *assignment)
{
  EchoOffsetPlan plan = assignment->best;
  assignment->best = assignment->trial;
  assignment->trial = plan;
}

static void keep_trial(Assignment *assignment)
{
  if (assignment->trial.height < assignment->best.height)
    take_trial(assignment);
}

/* The orders kept for improvement are the skyline's where there is one, else the fits'. */
static void keep_order(Assignment *assignment)
{
  if (assignment->trial.height >= assignment->best_order_height)
    return;
  uint32_t *order = assignment->best_order;
  assignment->best_order = assignment->order;
  assignment->order = order;
  assignment->best_order_height = assignment->trial.height;
}

static void run_skylines(Assignment *assignment)
{
  static const EchoOffsetOrder keys[] = {ECHO_ORDER_LIFETIME, ECHO_ORDER_AREA, ECHO_ORDER_SIZE};
  for (size_t k = 0; k < sizeof keys / sizeof *keys && !is_done(assignment); k++) {
    echo_offset_order(&assignment->problem, keys[k], assignment->order);
    echo_offset_skyline(&assignment->problem, assignment->order, &assignment->trial);
    keep_order(assignment);
    keep_trial(assignment);
  }
}

static void run_fit(Assignment *assignment, EchoOffsetOrder key, EchoOffsetFit fit)
{
  if (assignment->fitter == NULL)
    assignment->fitter = echo_offset_fitter_create(&assignment->problem, &assignment->arena);
  echo_offset_order(&assignment->problem, key, assignment->order);
  assignment->fit_work += echo_offset_fit_work(assignment->fitter);
  if (!echo_offset_fit(assignment->fitter, assignment->order, fit, &assignment->trial)) {
    assignment->has_contradiction = true;
    return;
  }
  if (!assignment->problem.is_plain)
    keep_order(assignment);
  keep_trial(assignment);
}

static void run_fits(Assignment *assignment)
{
  static const struct {
    EchoOffsetOrder key;
    EchoOffsetFit fit;
  } fits[] = {
      {ECHO_ORDER_SIZE, ECHO_FIT_BEST},     {ECHO_ORDER_AREA, ECHO_FIT_BEST},
      {ECHO_ORDER_LIFETIME, ECHO_FIT_BEST}, {ECHO_ORDER_SIZE, ECHO_FIT_FIRST},
      {ECHO_ORDER_AREA, ECHO_FIT_FIRST},    {ECHO_ORDER_LIFETIME, ECHO_FIT_FIRST},
  };
  for (size_t k = 0; k < sizeof fits / sizeof *fits && !is_done(assignment); k++) {
    if (assignment->best.height != UINT64_MAX && assignment->fit_work > MAX_FIT_WORK)
      return;
    run_fit(assignment, fits[k].key, fits[k].fit);
  }
}

/* The skyline knows rectangles only. */
static void run_fast_orders(Assignment *assignment)
{
  if (assignment->problem.is_plain)
    run_skylines(assignment);
  else
    run_fits(assignment);
}

static bool is_searchable(const EchoOffsetProblem *problem)
{
  return !problem->has_fixed && problem->n_items <= MAX_SEARCH_ITEMS;
}

/* No plan is as low as the rounded `height`. Where items interlock the search is not exhaustive:
 * then it is only not looked for again. */
static void raise_bound(EchoOffsetProblem *problem, uint64_t height)
{
  problem->rounded_bound = height + problem->grain;
  if (problem->is_flat && problem->bound_bytes <= height)
    problem->bound_bytes = height + 1;
}

/* Is there a plan at the bound? Spends at most `n_nodes`. A proof that there is none raises the
 * bound. */
static void search_bound(Assignment *assignment, uint64_t n_nodes)
{
  EchoOffsetProblem *problem = &assignment->problem;
  EchoOffsetSearchLimits *limits = &assignment->limits;
  uint64_t max_nodes = limits->max_nodes;
  while (!is_done(assignment) && limits->n_nodes < max_nodes) {
    uint64_t height = problem->rounded_bound, left = max_nodes - limits->n_nodes;
    limits->max_nodes = limits->n_nodes + (n_nodes < left ? n_nodes : left);
    EchoSearchAnswer answer = echo_offset_search(problem, height, limits, &assignment->trial);
    limits->max_nodes = max_nodes;
    if (answer == ECHO_SEARCH_FOUND)
      keep_trial(assignment);
    if (answer != ECHO_SEARCH_NONE)
      return;
    raise_bound(problem, height);
  }
}

/* The same by the other search, which wins where bytes may be lost. */
static void ascend_to_bound(Assignment *assignment, uint64_t n_nodes)
{
  EchoOffsetProblem *problem = &assignment->problem;
  EchoOffsetSearchLimits *limits = &assignment->limits;
  uint64_t max_nodes = limits->max_nodes, height = problem->rounded_bound;
  uint64_t n_before = limits->n_nodes;
  if (is_done(assignment))
    return;
  limits->max_nodes = n_before + (n_nodes < max_nodes ? n_nodes : max_nodes);
  EchoSearchAnswer answer = echo_offset_ascend(problem, height, limits, &assignment->trial);
  limits->max_nodes = max_nodes + limits->n_nodes - n_before; /* the corners lose nothing by it */
  if (answer == ECHO_SEARCH_FOUND)
    keep_trial(assignment);
  if (answer == ECHO_SEARCH_NONE)
    raise_bound(problem, height);
}

/* Heights between the bound, which was given up, and the best plan, by bisection; each gets half of
 * the nodes that are left. What is proved impossible on the way raises the bound of the height as
 * given. */
static void search_between(Assignment *assignment)
{
  EchoOffsetProblem *problem = &assignment->problem;
  EchoOffsetSearchLimits *limits = &assignment->limits;
  uint64_t max_nodes = limits->max_nodes, low = problem->rounded_bound + problem->grain;
  for (int round = 0; round < 24 && low < assignment->best.height && !is_done(assignment);
       round++) {
    uint64_t height =
        low + (assignment->best.height - 1 - low) / 2 / problem->grain * problem->grain;
    limits->max_nodes = limits->n_nodes + (max_nodes - limits->n_nodes) / 2;
    EchoSearchAnswer answer = echo_offset_search(problem, height, limits, &assignment->trial);
    if (answer == ECHO_SEARCH_FOUND) {
      keep_trial(assignment);
      continue;
    }
    low = height + problem->grain;
    if (answer == ECHO_SEARCH_NONE)
      raise_bound(problem, height);
  }
  limits->max_nodes = max_nodes;
}

/* Perfect packings are dissections of a rectangle, mostly found at once. */
static void run_dissection(Assignment *assignment)
{
  if (!is_done(assignment) &&
      echo_offset_dissect(&assignment->problem, MAX_DISSECT_WORK / assignment->thrift,
                          &assignment->trial))
    keep_trial(assignment);
}

static void limit_search(Assignment *assignment)
{
  uint64_t affordable =
      MAX_SEARCH_STEPS / assignment->thrift / ((uint64_t)assignment->problem.n_sections + 1);
  if (assignment->limits.should_stop == NULL && assignment->limits.max_nodes > affordable)
    assignment->limits.max_nodes = affordable;
  if (assignment->limits.should_stop == NULL || assignment->is_quick)
    assignment->limits.max_steps = MAX_SEARCH_STEPS / assignment->thrift;
}

/* What improvement has to reach; of very many blocks the last percent is not worth the time. */
static void run_improvement(Assignment *assignment)
{
  uint64_t wanted = assignment->problem.rounded_bound;
  wanted = assignment->wanted > wanted ? assignment->wanted : wanted;
  if (assignment->problem.n_items > MANY_ITEMS)
    wanted += wanted / 128;
  if (is_done(assignment))
    return;
  assignment->improve_work += echo_offset_improve(
      assignment->problem.is_plain ? NULL : assignment->fitter, &assignment->problem,
      assignment->best_order, wanted, MAX_IMPROVE_WORK / assignment->thrift, &assignment->limits,
      &assignment->best);
}

static void run_default(Assignment *assignment)
{
  bool is_small = is_searchable(&assignment->problem);
  run_fast_orders(assignment);
  if (is_small) {
    run_dissection(assignment);
    search_bound(assignment, assignment->limits.max_nodes / QUICK_SEARCH);
  }
  run_improvement(assignment);
  if (is_small)
    ascend_to_bound(assignment, DESCENTS * (uint64_t)assignment->problem.n_items);
  if (is_small && !assignment->is_quick) {
    search_bound(assignment, assignment->limits.max_nodes / 2);
    search_between(assignment);
  }
}

/* Half of the nodes to each search: where nothing may be lost the corners decide, else the other.
 */
static void decide(Assignment *assignment, uint64_t n_nodes)
{
  EchoOffsetProblem *problem = &assignment->problem;
  EchoOffsetSearchLimits *limits = &assignment->limits;
  uint64_t max_nodes = limits->max_nodes, end = limits->n_nodes + n_nodes;
  if (is_done(assignment))
    return;
  limits->max_nodes = problem->has_fixed ? end : limits->n_nodes + n_nodes / 2;
  EchoSearchAnswer answer =
      echo_offset_ascend(problem, assignment->capacity, limits, &assignment->trial);
  if (answer == ECHO_SEARCH_GAVE_UP && !problem->has_fixed && !limits->was_stopped) {
    limits->max_nodes = end;
    answer = echo_offset_search(problem, assignment->wanted, limits, &assignment->trial);
    if (answer == ECHO_SEARCH_NONE &&
        (!problem->is_flat || assignment->wanted != assignment->capacity))
      answer = ECHO_SEARCH_GAVE_UP;
  }
  limits->max_nodes = max_nodes;
  if (answer == ECHO_SEARCH_NONE)
    problem->bound_bytes = assignment->capacity + 1;
  if (answer == ECHO_SEARCH_FOUND)
    take_trial(assignment);
}

static void run_decision(Assignment *assignment)
{
  bool is_small = assignment->problem.n_items <= MAX_SEARCH_ITEMS;
  run_fast_orders(assignment);
  if (is_small) {
    run_dissection(assignment);
    decide(assignment, assignment->limits.max_nodes / QUICK_SEARCH);
  }
  run_improvement(assignment);
  if (is_small)
    decide(assignment, assignment->limits.max_nodes - assignment->limits.n_nodes);
}

static void run_policy(Assignment *assignment, EchoOffsetPolicy policy)
{
  if (policy == ECHO_OFFSETS_SKYLINE) {
    run_fast_orders(assignment);
  } else if (assignment->capacity != 0) {
    run_decision(assignment);
  } else if (policy == ECHO_OFFSETS_DEFAULT) {
    run_default(assignment);
  } else {
    run_fast_orders(assignment);
    if (is_searchable(&assignment->problem)) {
      run_dissection(assignment);
      search_bound(assignment, assignment->limits.max_nodes);
      search_between(assignment);
    }
  }
}

/* Offsets of the blocks; the result's heights and bounds in bytes as given. */
static void write_plan(const EchoOffsetProblem *problem, const EchoOffsetPlan *plan,
                       const EchoOffsetBlock *blocks, uint64_t *offsets, EchoOffsetResult *result)
{
  uint64_t height = 0;
  for (uint32_t b = 0; b < problem->n_blocks; b++) {
    uint32_t item = problem->item_of_block[b];
    if (item == UINT32_MAX) {
      offsets[b] = blocks[b].fixed_offset == ECHO_OFFSET_FREE ? 0 : blocks[b].fixed_offset;
      continue;
    }
    offsets[b] = plan->bases[item] + blocks[b].alias_offset_bytes;
    uint64_t top = offsets[b] + blocks[b].size_bytes;
    height = top > height ? top : height;
  }
  *result = (EchoOffsetResult){.height_bytes = height,
                               .load_bytes = problem->load_bytes,
                               .bound_bytes = problem->bound_bytes,
                               .is_optimal = height <= problem->bound_bytes};
}

static bool fixed_blocks_overlap(EchoBuffer *error)
{
  echo_buffer_append_c(error, "two blocks at fixed offsets overlap");
  return false;
}

bool echo_offsets_assign(const EchoOffsetBlock *blocks, size_t n_blocks,
                         const EchoOffsetOptions *options, uint64_t *offsets,
                         EchoOffsetResult *result, EchoBuffer *error)
{
  Assignment assignment = {
      .thrift = options->thrift == 0 ? 1 : options->thrift,
      .limits = {.max_nodes = options->max_nodes == 0 ? DEFAULT_MAX_NODES : options->max_nodes,
                 .enough = options->enough_bytes,
                 .should_stop = options->should_stop,
                 .stop_user = options->stop_user},
      .best_order_height = UINT64_MAX,
      .capacity = options->capacity_bytes,
      .is_quick = options->is_quick};
  if (!echo_offset_problem_create(&assignment.problem, blocks, n_blocks, options->period, error))
    return false;
  assignment.wanted = assignment.capacity - assignment.capacity % assignment.problem.grain;
  size_t n = (size_t)assignment.problem.n_items + 1;
  assignment.best = (EchoOffsetPlan){ECHO_ARENA_ARRAY(&assignment.arena, uint64_t, n), UINT64_MAX};
  assignment.trial = (EchoOffsetPlan){ECHO_ARENA_ARRAY(&assignment.arena, uint64_t, n), 0};
  assignment.order = ECHO_ARENA_ARRAY(&assignment.arena, uint32_t, n);
  assignment.best_order = ECHO_ARENA_ARRAY(&assignment.arena, uint32_t, n);
  limit_search(&assignment);
  run_policy(&assignment, options->policy);
  if (assignment.fitter != NULL)
    echo_offset_fitter_destroy(assignment.fitter);
  bool fine = !assignment.has_contradiction;
  if (fine) {
    write_plan(&assignment.problem, &assignment.best, blocks, offsets, result);
    result->was_stopped = assignment.limits.was_stopped;
    result->n_nodes = assignment.limits.n_nodes;
    result->work = assignment.improve_work + assignment.limits.n_steps +
                   SECTION_WORK * assignment.limits.n_nodes * assignment.problem.n_sections;
  }
  echo_arena_destroy(&assignment.arena);
  echo_offset_problem_destroy(&assignment.problem);
  return fine || fixed_blocks_overlap(error);
}

/* Items in the order of their first blocks, the fixed ones before all. */
static void order_items(const EchoOffsetProblem *problem, const uint32_t *order,
                        uint32_t *item_order, bool *is_listed)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < problem->n_items; i++) {
    is_listed[i] = problem->items[i].fixed_offset != ECHO_OFFSET_FREE;
    if (is_listed[i])
      item_order[n++] = i;
  }
  for (uint32_t k = 0; k < problem->n_blocks; k++) {
    uint32_t item = problem->item_of_block[order[k]];
    if (item == UINT32_MAX || is_listed[item])
      continue;
    is_listed[item] = true;
    item_order[n++] = item;
  }
}

bool echo_offsets_fit(const EchoOffsetBlock *blocks, size_t n_blocks, int64_t period,
                      const uint32_t *order, EchoOffsetFit fit, uint64_t *offsets,
                      EchoOffsetResult *result, EchoBuffer *error)
{
  EchoOffsetProblem problem;
  EchoArena arena = {0};
  if (!echo_offset_problem_create(&problem, blocks, n_blocks, period, error))
    return false;
  size_t n = (size_t)problem.n_items + 1;
  EchoOffsetPlan plan = {ECHO_ARENA_ARRAY(&arena, uint64_t, n), 0};
  uint32_t *item_order = ECHO_ARENA_ARRAY(&arena, uint32_t, n);
  order_items(&problem, order, item_order, ECHO_ARENA_ARRAY(&arena, bool, n));
  EchoOffsetFitter *fitter = echo_offset_fitter_create(&problem, &arena);
  bool fine = echo_offset_fit(fitter, item_order, fit, &plan);
  echo_offset_fitter_destroy(fitter);
  if (fine)
    write_plan(&problem, &plan, blocks, offsets, result);
  echo_arena_destroy(&arena);
  echo_offset_problem_destroy(&problem);
  return fine || fixed_blocks_overlap(error);
}

bool echo_offsets_load(const EchoOffsetBlock *blocks, size_t n_blocks, int64_t period,
                       uint64_t *load_bytes, EchoBuffer *error)
{
  EchoOffsetProblem problem;
  if (!echo_offset_problem_create(&problem, blocks, n_blocks, period, error))
    return false;
  *load_bytes = problem.load_bytes;
  echo_offset_problem_destroy(&problem);
  return true;
}
