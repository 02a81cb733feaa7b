/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bodies from the inside out: a search for each, then for each control op the levels that its
 * regions come to together. Decisions go the other way: the block around a body says what it may
 * take, and the cheapest point that takes no more is taken. */
#include "echo_pass/bodies_t.h"

#include "echo_pass/explain_t.h"
#include "echo_pass/rewrite_t.h"

#include <stdlib.h>

/* ---- one body ---- */

static EchoControl *control_or_null(const EchoBodies *bodies, const EchoOp *op)
{
  uint64_t index = echo_map_get_or(&bodies->control_of_op, echo_key(op), UINT64_MAX);
  return index == UINT64_MAX ? NULL : &bodies->controls.data[index];
}

/* The cheapest point that takes no more than `bytes`; the lowest where none does. */
static uint32_t fit_point(const EchoBody *body, uint64_t bytes)
{
  size_t i = 0;
  while (i + 1 < body->frontier.points.size &&
         body->curve.points.data[body->frontier.points.data[i]].peak_bytes > bytes)
    ++i;
  return body->frontier.points.data[i];
}

/* Which point of region `r` a level stands for. */
static const EchoPoint *point_at(const EchoControl *control, size_t r, uint32_t level)
{
  const EchoBody *body = &control->bodies[r];
  return &body->curve.points.data[level == 0 ? 0 : fit_point(body, control->levels[level].bytes)];
}

/* How the results of a branch take over what its regions read, with the kernels of a level. */
static const uint8_t *find_takes(const EchoBodies *bodies, const EchoControl *control,
                                 uint32_t level, const EchoFusionOptions *options,
                                 const EchoGraph *graph, uint32_t node)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  size_t n = control->n_regions;
  uint8_t *takes =
      ECHO_ARENA_ARRAY(bodies->scratch, uint8_t, (size_t)entry->n_results * entry->n_operands + 1);
  EchoGraph *ordered = echo_alloc_zero(n, sizeof *ordered);
  EchoFusion *fusions = echo_alloc_zero(n, sizeof *fusions);
  for (size_t r = 0; r < n; ++r) {
    const EchoBody *body = &control->bodies[r];
    echo_point_apply_in_order(point_at(control, r, level), &body->candidates, &body->interface,
                              options, &ordered[r]);
    echo_fusion_create(&fusions[r], &ordered[r], options);
  }
  echo_branch_find_takes(graph, node, ordered, fusions, takes);
  for (size_t r = 0; r < n; ++r) {
    echo_fusion_destroy(&fusions[r]);
    echo_graph_destroy(&ordered[r]);
  }
  echo_free(ordered);
  echo_free(fusions);
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

void echo_body_prepare(const EchoBodies *bodies, EchoBody *body, const EchoSearchOptions *options)
{
  measure_regions(bodies, &body->written, &options->fusion);
  echo_graph_note_ns(&body->written, &options->device);
  EchoArenaMark mark = echo_arena_mark(bodies->scratch);
  uint32_t *order = ECHO_ARENA_ARRAY(bodies->scratch, uint32_t, body->written.nodes.size + 1);
  echo_order_best_by_dataflow(&body->written, &body->interface, &options->fusion, order);
  echo_graph_permute(&body->written, order, &body->graph);
  echo_arena_reset(bodies->scratch, mark);
  echo_candidates_create(&body->candidates, &body->graph, &body->interface, &options->fusion,
                         &options->device, bodies->scratch);
  offer_menus(bodies, &body->candidates);
}

void echo_body_destroy(EchoBody *body)
{
  echo_vector_destroy(&body->frontier.points);
  echo_curve_destroy(&body->curve);
  echo_graph_destroy(&body->graph);
  echo_graph_destroy(&body->written);
}

static bool plan_body(EchoBodies *bodies, EchoBody *body, const EchoOp *op, size_t region,
                      const EchoValue *const *handed_on, const EchoSearchOptions *options)
{
  body->block = echo_op_body(op, region);
  if (!echo_graph_check_static(body->block))
    return false;
  uint32_t *targets =
      ECHO_ARENA_ARRAY(bodies->scratch, uint32_t, body->block->last->n_operands + 1u);
  echo_graph_create(&body->written, body->block);
  body->interface = echo_region_interface(op, region, &body->written, handed_on, targets);
  echo_body_prepare(bodies, body, options);
  EchoSearchOptions own = *options;
  own.n_ops = bodies->n_ops;
  own.written = &body->written;
  return echo_search_frontier(&body->curve, &body->frontier, &body->candidates, &body->interface,
                              &own);
}

/* ---- what the regions of an op come to ---- */

/* With each at its cheapest point that takes no more than `target_bytes`; with `is_off`, with
 * nothing recomputed. */
static EchoRegionLevel make_level(const EchoControl *control, uint64_t target_bytes, bool is_off,
                                  uint64_t *region_ns)
{
  EchoRegionLevel level = {0, 0, NULL};
  for (size_t r = 0; r < control->n_regions; ++r) {
    const EchoBody *body = &control->bodies[r];
    const EchoPoint *point = &body->curve.points.data[is_off ? 0 : fit_point(body, target_bytes)];
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
    n_points += control->bodies[r].frontier.points.size;
  EchoRegionLevel *levels = ECHO_ARENA_ARRAY(scratch, EchoRegionLevel, n_points + 1);
  EchoArenaMark mark = echo_arena_mark(scratch);
  uint64_t *targets = ECHO_ARENA_ARRAY(scratch, uint64_t, n_points + 1);
  uint64_t *region_ns = ECHO_ARENA_ARRAY(scratch, uint64_t, control->n_regions + 1u);
  for (size_t r = 0; r < control->n_regions; ++r) {
    const EchoBody *body = &control->bodies[r];
    for (size_t i = 0; i < body->frontier.points.size; ++i)
      targets[n++] = body->curve.points.data[body->frontier.points.data[i]].peak_bytes;
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
    control.bodies = ECHO_ARENA_ARRAY(scratch, EchoBody, op->n_regions);
    memset(control.bodies, 0, op->n_regions * sizeof *control.bodies);
    echo_map_set(&bodies->control_of_op, echo_key(op), bodies->controls.size);
    echo_vector_push(&bodies->controls, control);
    const EchoValue **handed_on = ECHO_ARENA_ARRAY(scratch, const EchoValue *, op->n_results + 1u);
    if (!echo_op_has_trait(op, ECHO_LOOP))
      echo_branch_find_handed_on(op, handed_on);
    for (size_t r = 0; r < op->n_regions; ++r)
      if (!plan_body(bodies, &control.bodies[r], op, r, handed_on, options))
        return false;
    make_levels(bodies, &echo_vector_last(&bodies->controls));
  }
  return true;
}

void echo_bodies_destroy(EchoBodies *bodies)
{
  for (size_t i = 0; i < bodies->controls.size; ++i) {
    EchoControl *control = &bodies->controls.data[i];
    for (size_t r = 0; r < control->n_regions; ++r)
      echo_body_destroy(&control->bodies[r]);
  }
  echo_vector_destroy(&bodies->controls);
  echo_map_destroy(&bodies->control_of_op);
}

/* ---- decisions ---- */

static void decide_regions(EchoBodies *bodies, const EchoCandidates *candidates,
                           const EchoChoice *choice)
{
  for (uint32_t m = 0; m < candidates->n_menus; ++m) {
    const EchoRegionMenu *menu = &candidates->menus[m];
    const EchoControl *control =
        control_or_null(bodies, candidates->graph->nodes.data[menu->node].op);
    uint32_t level = choice->levels[m];
    for (size_t r = 0; r < control->n_regions && level != 0; ++r)
      control->bodies[r].curve.best = fit_point(&control->bodies[r], menu->levels[level].bytes);
  }
}

void echo_bodies_decide(EchoBodies *bodies, const EchoCandidates *candidates,
                        const EchoChoice *choice)
{
  decide_regions(bodies, candidates, choice);
  for (size_t i = bodies->controls.size; i-- > 0;) { /* from the outside in */
    const EchoControl *control = &bodies->controls.data[i];
    for (size_t r = 0; r < control->n_regions; ++r) {
      const EchoBody *body = &control->bodies[r];
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

size_t echo_bodies_rewrite(EchoBodies *bodies, const EchoFusionOptions *fusion)
{
  size_t n_regions = 0;
  for (size_t i = 0; i < bodies->controls.size; ++i)
    for (size_t r = 0; r < bodies->controls.data[i].n_regions; ++r)
      n_regions += echo_body_rewrite(&bodies->controls.data[i].bodies[r], fusion);
  return n_regions;
}

/* ---- what became of them ---- */

uint64_t echo_bodies_constant_bytes(const EchoBodies *bodies)
{
  uint64_t bytes = 0;
  for (size_t i = 0; i < bodies->controls.size; ++i)
    for (size_t r = 0; r < bodies->controls.data[i].n_regions; ++r)
      bytes += echo_graph_constant_bytes(&bodies->controls.data[i].bodies[r].graph);
  return bytes;
}

void echo_bodies_explain(const EchoBodies *bodies)
{
  for (size_t i = 0; i < bodies->controls.size; ++i)
    for (size_t r = 0; r < bodies->controls.data[i].n_regions; ++r) {
      const EchoBody *body = &bodies->controls.data[i].bodies[r];
      echo_explain(&body->candidates, &body->curve);
    }
}

const EchoBody *echo_bodies_highest(const EchoBodies *bodies, const EchoOp *op)
{
  const EchoControl *control = control_or_null(bodies, op);
  const EchoBody *highest = &control->bodies[0];
  for (size_t r = 1; r < op->n_regions; ++r) {
    const EchoBody *body = &control->bodies[r];
    if (body->curve.points.data[body->curve.best].peak_bytes >
        highest->curve.points.data[highest->curve.best].peak_bytes)
      highest = body;
  }
  return highest;
}
