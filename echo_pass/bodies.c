/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bodies from the inside out: a search for each from each start, then for each control op the
 * levels that its regions come to together. Decisions go the other way: the block around a body
 * says what it may take, and the cheapest point that takes no more is taken. */
#include "echo_pass/bodies_t.h"

#include "echo_pass/explain_t.h"
#include "echo_pass/rewrite_t.h"

#include <stdlib.h>

/* What a start behind the first one gets of the work: bench/results/ablation.md. */
#define START_PART 4

/* ---- one body ---- */

static EchoControl *control_or_null(const EchoBodies *bodies, const EchoOp *op)
{
  uint64_t index = echo_map_get_or(&bodies->control_of_op, echo_key(op), UINT64_MAX);
  return index == UINT64_MAX ? NULL : &bodies->controls.data[index];
}

static const EchoPoint *point_of(const EchoPlannedRegion *region, EchoRegionPoint at)
{
  return &region->bodies[at.body].curve.points.data[at.point];
}

/* The cheapest point that takes no more than `bytes`; the lowest where none does. */
static EchoRegionPoint fit_point(const EchoPlannedRegion *region, uint64_t bytes)
{
  size_t i = 0;
  while (i + 1 < region->frontier.size &&
         point_of(region, region->frontier.data[i])->peak_bytes > bytes)
    ++i;
  return region->frontier.data[i];
}

/* Which point of a region a level stands for: at level 0 nothing is computed again. */
static EchoRegionPoint point_at(const EchoControl *control, const EchoPlannedRegion *region,
                                uint32_t level)
{
  return level == 0 ? (EchoRegionPoint){0, 0} : fit_point(region, control->levels[level].bytes);
}

/* How the results of a branch take over what its regions read, with the kernels of a level. */
static const EchoBranchTakes *find_takes(const EchoBodies *bodies, const EchoControl *control,
                                         uint32_t level, const EchoFusionOptions *options,
                                         const EchoGraph *graph, uint32_t node)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  size_t n = control->n_regions;
  EchoArena *scratch = bodies->scratch;
  uint8_t *ways =
      ECHO_ARENA_ARRAY(scratch, uint8_t, (size_t)entry->n_results * entry->n_operands + 1);
  EchoBranchTakes *takes = ECHO_ARENA_ARRAY(scratch, EchoBranchTakes, 1);
  EchoBlockInterface *interfaces = echo_alloc_zero(n, sizeof *interfaces);
  EchoGraph *ordered = echo_alloc_zero(n, sizeof *ordered);
  EchoFusion *fusions = echo_alloc_zero(n, sizeof *fusions);
  for (size_t r = 0; r < n; ++r) {
    const EchoPlannedRegion *region = &control->regions[r];
    EchoRegionPoint at = point_at(control, region, level);
    const EchoBody *body = &region->bodies[at.body];
    echo_point_apply_in_order(point_of(region, at), &body->candidates, &body->interface, options,
                              &ordered[r]);
    echo_fusion_create(&fusions[r], &ordered[r], options);
    interfaces[r] = body->interface;
  }
  echo_branch_find_takes(graph, node, ordered, fusions, ways);
  *takes = (EchoBranchTakes){.ways = ways};
  echo_branch_find_bytes(graph, node, ordered, fusions, interfaces, takes, scratch);
  for (size_t r = 0; r < n; ++r) {
    echo_fusion_destroy(&fusions[r]);
    echo_graph_destroy(&ordered[r]);
  }
  echo_free(ordered);
  echo_free(fusions);
  echo_free(interfaces);
  return takes;
}

/* What the regions of control nodes hold and take at level 0; how branches take over what they
 * read, at every level. */
static void measure_regions(const EchoBodies *bodies, EchoGraph *graph,
                            const EchoFusionOptions *options)
{
  for (uint32_t i = 0; i < graph->nodes.size; ++i) {
    EchoGraphNode *node = &graph->nodes.data[i];
    EchoControl *control =
        node->kind == ECHO_NODE_CONTROL ? control_or_null(bodies, node->op) : NULL;
    if (control == NULL)
      continue;
    for (uint32_t l = 0; l < control->n_levels && !echo_op_has_trait(node->op, ECHO_LOOP); ++l)
      control->levels[l].takes = find_takes(bodies, control, l, options, graph, i);
    node->inner_bytes = control->levels[0].bytes;
    node->inner_ns = control->levels[0].ns;
    node->takes = control->levels[0].takes;
  }
}

/* What stands at the highest place of the block when everything is kept. */
static uint64_t highest_bytes(const EchoCandidates *candidates)
{
  uint64_t most = 0;
  for (size_t node = 0; node < candidates->graph->nodes.size; ++node)
    if (most < candidates->live_bytes[node])
      most = candidates->live_bytes[node];
  return most;
}

/* A loop that could give no more than nobody would notice is no reason to search the block twice.
 */
static bool is_worth_a_choice(const EchoControl *control, uint64_t highest)
{
  uint64_t given = control->levels[0].bytes - control->levels[control->n_levels - 1].bytes;
  return control->n_levels > 1 && given > highest / ECHO_LOWEST_SLACK;
}

static void offer_menus(const EchoBodies *bodies, EchoCandidates *candidates)
{
  const EchoGraph *graph = candidates->graph;
  uint64_t highest = highest_bytes(candidates);
  uint32_t n = 0;
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    n += graph->nodes.data[node].kind == ECHO_NODE_CONTROL;
  EchoRegionMenu *menus = ECHO_ARENA_ARRAY(candidates->scratch, EchoRegionMenu, n + 1u);
  for (uint32_t node = 0; node < graph->nodes.size; ++node) {
    if (graph->nodes.data[node].kind != ECHO_NODE_CONTROL)
      continue;
    const EchoControl *control = control_or_null(bodies, graph->nodes.data[node].op);
    if (control == NULL || !is_worth_a_choice(control, highest))
      continue;
    candidates->nodes[node].menu = candidates->n_menus;
    menus[candidates->n_menus++] = (EchoRegionMenu){node, control->n_levels, control->levels};
  }
  candidates->menus = menus;
}

static void prepare_candidates(const EchoBodies *bodies, EchoBody *body,
                               const EchoSearchOptions *options)
{
  echo_candidates_create(&body->candidates, &body->graph, &body->interface, &options->fusion,
                         &options->device, bodies->scratch);
  offer_menus(bodies, &body->candidates);
}

void echo_body_prepare(const EchoBodies *bodies, EchoBody *body, const EchoSearchOptions *options)
{
  measure_regions(bodies, &body->written, &options->fusion);
  echo_graph_note_ns(&body->written, &options->device);
  EchoArenaMark mark = echo_arena_mark(bodies->scratch);
  uint32_t *order = ECHO_ARENA_ARRAY(bodies->scratch, uint32_t, body->written.nodes.size + 1);
  echo_starting_order(&body->written, &body->interface, &options->fusion, &options->device,
                      options->start, order, bodies->scratch);
  echo_graph_permute(&body->written, order, &body->graph);
  echo_arena_reset(bodies->scratch, mark);
  prepare_candidates(bodies, body, options);
}

bool echo_body_prepare_next(const EchoBodies *bodies, const EchoBody *body, EchoBody *next,
                            EchoSearchOptions *options)
{
  if (options->start + 1 == ECHO_N_STARTS || options->goal == ECHO_GOAL_NOTHING ||
      body->candidates.n_components == 0)
    return false;
  EchoArenaMark mark = echo_arena_mark(bodies->scratch);
  uint32_t *order = ECHO_ARENA_ARRAY(bodies->scratch, uint32_t, body->written.nodes.size + 1);
  *next = (EchoBody){.block = body->block, .interface = body->interface};
  bool is_another = false;
  while (!is_another && options->start + 1 < ECHO_N_STARTS) {
    options->start = options->start + 1;
    is_another = echo_starting_order(&body->written, &body->interface, &options->fusion,
                                     &options->device, options->start, order, bodies->scratch);
  }
  if (is_another)
    echo_graph_permute(&body->written, order, &next->graph);
  echo_arena_reset(bodies->scratch, mark);
  if (!is_another)
    return false;
  echo_graph_copy(&body->written, &next->written);
  prepare_candidates(bodies, next, options);
  options->part = START_PART;
  options->folded_before = &body->curve.folded;
  return true;
}

void echo_body_destroy(EchoBody *body)
{
  echo_vector_destroy(&body->frontier.points);
  echo_curve_destroy(&body->curve);
  echo_graph_destroy(&body->graph);
  echo_graph_destroy(&body->written);
}

/* ---- one region ---- */

static int compare_cheaper(const EchoPoint *a, const EchoPoint *b)
{
  if (a->ns != b->ns)
    return a->ns < b->ns ? -1 : 1;
  return a->peak_bytes < b->peak_bytes ? -1 : a->peak_bytes > b->peak_bytes;
}

/* The frontiers of all bodies in order of time, what another one undercuts left out. Each is in
 * that order by itself. */
static void join_frontiers(EchoPlannedRegion *region)
{
  size_t next[ECHO_N_STARTS] = {0};
  for (;;) {
    EchoRegionPoint first = {ECHO_NONE, 0};
    for (uint32_t b = 0; b < region->n_bodies; ++b) {
      const EchoFrontier *frontier = &region->bodies[b].frontier;
      if (next[b] == frontier->points.size)
        continue;
      EchoRegionPoint at = {b, frontier->points.data[next[b]]};
      if (first.body == ECHO_NONE ||
          compare_cheaper(point_of(region, at), point_of(region, first)) < 0)
        first = at;
    }
    if (first.body == ECHO_NONE)
      return;
    ++next[first.body];
    if (region->frontier.size == 0 ||
        point_of(region, first)->peak_bytes <
            point_of(region, echo_vector_last(&region->frontier))->peak_bytes)
      echo_vector_push(&region->frontier, first);
  }
}

static bool search_body(EchoBody *body, const EchoSearchOptions *options)
{
  EchoSearchOptions own = *options;
  own.written = &body->written;
  return echo_search_frontier(&body->curve, &body->frontier, &body->candidates, &body->interface,
                              &own);
}

static bool plan_region(EchoBodies *bodies, EchoPlannedRegion *region, const EchoOp *op,
                        size_t index, const EchoValue *const *handed_on,
                        const EchoSearchOptions *options)
{
  EchoBody *body = &region->bodies[0];
  EchoSearchOptions own = *options;
  own.n_ops = bodies->n_ops;
  own.is_branch = !echo_op_has_trait(op, ECHO_LOOP);
  body->block = echo_op_body(op, index);
  if (!echo_graph_check_static(body->block))
    return false;
  uint32_t *targets =
      ECHO_ARENA_ARRAY(bodies->scratch, uint32_t, body->block->last->n_operands + 1u);
  region->n_bodies = 1;
  echo_graph_create(&body->written, body->block);
  body->interface = echo_region_interface(op, index, &body->written, handed_on, targets);
  echo_body_prepare(bodies, body, &own);
  if (!search_body(body, &own))
    return false;
  while (echo_body_prepare_next(bodies, body, body + 1, &own)) {
    ++region->n_bodies;
    if (!search_body(++body, &own))
      return false;
  }
  join_frontiers(region);
  return true;
}

/* ---- what the regions of an op come to ---- */

/* With each at its cheapest point that takes no more than `target_bytes`; with `is_off`, with
 * nothing recomputed. */
static EchoRegionLevel make_level(const EchoControl *control, uint64_t target_bytes, bool is_off,
                                  uint64_t *region_ns)
{
  EchoRegionLevel level = {0, 0, NULL};
  for (size_t r = 0; r < control->n_regions; ++r) {
    const EchoPlannedRegion *region = &control->regions[r];
    const EchoPoint *point =
        point_of(region, is_off ? (EchoRegionPoint){0, 0} : fit_point(region, target_bytes));
    region_ns[r] = point->ns;
    level.bytes = level.bytes < point->peak_bytes ? point->peak_bytes : level.bytes;
  }
  level.ns = echo_control_ns(control->op, region_ns);
  return level;
}

static int compare_falling(const void *a, const void *b)
{
  const uint64_t *x = a, *y = b;
  return *x > *y ? -1 : *x < *y;
}

/* A level for each peak that a region may come to, as far as it lowers them all. */
static void make_levels(EchoBodies *bodies, EchoControl *control)
{
  EchoArena *scratch = bodies->scratch;
  size_t n_points = 0, n = 0;
  for (size_t r = 0; r < control->n_regions; ++r)
    n_points += control->regions[r].frontier.size;
  EchoRegionLevel *levels = ECHO_ARENA_ARRAY(scratch, EchoRegionLevel, n_points + 1);
  EchoArenaMark mark = echo_arena_mark(scratch);
  uint64_t *targets = ECHO_ARENA_ARRAY(scratch, uint64_t, n_points + 1);
  uint64_t *region_ns = ECHO_ARENA_ARRAY(scratch, uint64_t, control->n_regions + 1u);
  for (size_t r = 0; r < control->n_regions; ++r) {
    const EchoPlannedRegion *region = &control->regions[r];
    for (size_t i = 0; i < region->frontier.size; ++i)
      targets[n++] = point_of(region, region->frontier.data[i])->peak_bytes;
  }
  qsort(targets, n, sizeof *targets, compare_falling);
  levels[0] = make_level(control, 0, true, region_ns);
  control->n_levels = 1;
  for (size_t i = 0; i < n; ++i) {
    if (i != 0 && targets[i] == targets[i - 1])
      continue;
    EchoRegionLevel level = make_level(control, targets[i], false, region_ns);
    const EchoRegionLevel *last = &levels[control->n_levels - 1];
    if (level.bytes >= last->bytes)
      continue;
    if (control->n_levels > 1 && level.ns <= last->ns)
      --control->n_levels; /* lower, and no dearer */
    levels[control->n_levels++] = level;
  }
  control->levels = levels;
  echo_arena_reset(scratch, mark);
}

/* ---- all bodies ---- */

static size_t count_ops(const EchoOp *function)
{
  size_t n = 0;
  EchoOp *root = (EchoOp *)function;
  for (EchoOp *op = echo_op_walk_next(root, root); op != NULL; op = echo_op_walk_next(root, op))
    ++n;
  return n;
}

bool echo_bodies_create(EchoBodies *bodies, EchoOp *function, const EchoSearchOptions *options,
                        EchoArena *scratch)
{
  *bodies = (EchoBodies){.scratch = scratch, .n_ops = count_ops(function)};
  for (EchoOp *op = echo_op_post_order_first(function); op != function;
       op = echo_op_post_order_next(op)) {
    if (op->n_regions == 0 || echo_op_node_kind(op) != ECHO_NODE_CONTROL)
      continue;
    EchoControl control = {.op = op, .n_regions = op->n_regions};
    control.regions = ECHO_ARENA_ARRAY(scratch, EchoPlannedRegion, op->n_regions);
    memset(control.regions, 0, op->n_regions * sizeof *control.regions);
    echo_map_set(&bodies->control_of_op, echo_key(op), bodies->controls.size);
    echo_vector_push(&bodies->controls, control);
    const EchoValue **handed_on = ECHO_ARENA_ARRAY(scratch, const EchoValue *, op->n_results + 1u);
    if (!echo_op_has_trait(op, ECHO_LOOP))
      echo_branch_find_handed_on(op, handed_on);
    for (size_t r = 0; r < op->n_regions; ++r)
      if (!plan_region(bodies, &control.regions[r], op, r, handed_on, options))
        return false;
    make_levels(bodies, &echo_vector_last(&bodies->controls));
  }
  return true;
}

static void region_destroy(EchoPlannedRegion *region)
{
  for (uint32_t b = 0; b < region->n_bodies; ++b)
    echo_body_destroy(&region->bodies[b]);
  echo_vector_destroy(&region->frontier);
}

void echo_bodies_destroy(EchoBodies *bodies)
{
  for (size_t i = 0; i < bodies->controls.size; ++i)
    for (size_t r = 0; r < bodies->controls.data[i].n_regions; ++r)
      region_destroy(&bodies->controls.data[i].regions[r]);
  echo_vector_destroy(&bodies->controls);
  echo_map_destroy(&bodies->control_of_op);
}

/* ---- decisions ---- */

static EchoBody *chosen_body(EchoPlannedRegion *region)
{
  return &region->bodies[region->chosen];
}

static void decide_regions(EchoBodies *bodies, const EchoCandidates *candidates,
                           const EchoChoice *choice)
{
  for (uint32_t m = 0; m < candidates->n_menus; ++m) {
    const EchoRegionMenu *menu = &candidates->menus[m];
    const EchoControl *control =
        control_or_null(bodies, candidates->graph->nodes.data[menu->node].op);
    uint32_t level = choice->levels[m];
    for (size_t r = 0; r < control->n_regions; ++r) {
      EchoPlannedRegion *region = &control->regions[r];
      EchoRegionPoint at =
          level != 0 ? fit_point(region, menu->levels[level].bytes) : (EchoRegionPoint){0, 0};
      region->chosen = at.body;
      region->bodies[at.body].curve.best = at.point;
    }
  }
}

void echo_bodies_decide(EchoBodies *bodies, const EchoCandidates *candidates,
                        const EchoChoice *choice)
{
  decide_regions(bodies, candidates, choice);
  for (size_t i = bodies->controls.size; i-- > 0;) { /* from the outside in */
    const EchoControl *control = &bodies->controls.data[i];
    for (size_t r = 0; r < control->n_regions; ++r) {
      const EchoBody *body = chosen_body(&control->regions[r]);
      decide_regions(bodies, &body->candidates, &body->curve.points.data[body->curve.best].choice);
    }
  }
}

size_t echo_body_rewrite(EchoBody *body, const EchoFusionOptions *fusion)
{
  EchoGraph ordered = {0};
  EchoArena *scratch = body->candidates.scratch;
  const EchoPoint *point = &body->curve.points.data[body->curve.best];
  if (fusion->order == NULL)
    echo_point_apply_in_order(point, &body->candidates, &body->interface, fusion, &ordered);
  else /* one that depends on the order given: --schedule asks for it */
    echo_point_apply(point, &body->candidates, &ordered);
  size_t n_regions = echo_count_regions(&body->candidates, point, &ordered);
  echo_rewrite_block(body->block, &ordered, scratch);
  echo_graph_destroy(&ordered);
  return n_regions;
}

void echo_bodies_for_chosen(const EchoBodies *bodies, void (*see)(void *user, const EchoBody *body),
                            void *user)
{
  for (size_t i = 0; i < bodies->controls.size; ++i)
    for (size_t r = 0; r < bodies->controls.data[i].n_regions; ++r)
      see(user, chosen_body(&bodies->controls.data[i].regions[r]));
}

size_t echo_bodies_rewrite(EchoBodies *bodies, const EchoFusionOptions *fusion)
{
  size_t n_regions = 0;
  for (size_t i = 0; i < bodies->controls.size; ++i)
    for (size_t r = 0; r < bodies->controls.data[i].n_regions; ++r)
      n_regions += echo_body_rewrite(chosen_body(&bodies->controls.data[i].regions[r]), fusion);
  return n_regions;
}

/* ---- what became of them ---- */

uint64_t echo_bodies_constant_bytes(const EchoBodies *bodies)
{
  uint64_t bytes = 0;
  for (size_t i = 0; i < bodies->controls.size; ++i)
    for (size_t r = 0; r < bodies->controls.data[i].n_regions; ++r)
      bytes += echo_graph_constant_bytes(&bodies->controls.data[i].regions[r].bodies[0].graph);
  return bytes;
}

void echo_bodies_explain(const EchoBodies *bodies)
{
  for (size_t i = 0; i < bodies->controls.size; ++i)
    for (size_t r = 0; r < bodies->controls.data[i].n_regions; ++r) {
      const EchoBody *body = chosen_body(&bodies->controls.data[i].regions[r]);
      echo_explain(&body->candidates, &body->curve);
    }
}

const EchoBody *echo_bodies_highest(const EchoBodies *bodies, const EchoOp *op)
{
  const EchoControl *control = control_or_null(bodies, op);
  const EchoBody *highest = chosen_body(&control->regions[0]);
  for (size_t r = 1; r < op->n_regions; ++r) {
    const EchoBody *body = chosen_body(&control->regions[r]);
    if (body->curve.points.data[body->curve.best].peak_bytes >
        highest->curve.points.data[highest->curve.best].peak_bytes)
      highest = body;
  }
  return highest;
}
