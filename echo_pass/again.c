/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A second round. What is computed again is computed once for all that read it later, and may wait
 * there as it waited before: beside the product that a layer's gradient is taken by, what the layer
 * computed again waits for the rest of the gradient. So two points of the curves, the lowest and
 * the lowest at a low price, are carried out on copies of the function, and these are searched like
 * functions that were written that way: what was computed again may be computed again once more,
 * from nearer by. */
#include "echo_pass/again_t.h"

#include "base/map.h"
#include "echo_pass/explain_t.h"
#include "echo_pass/policy_t.h"
#include "echo_pass/rewrite_t.h"

#define LOW_PRICE 0.1 /* of the step's time: what the cheaper of the two may add */
#define SOONER 16     /* what comes of a point is taken to save less than this part of its time */
/* Searches that the work of one is enough for, at least: in deeper steps a look costs too much. */
#define LEAST_AFFORDABLE 16

/* ---- on a copy ---- */

static const EchoOp *other_op(const EchoMap *others, const EchoOp *op)
{
  return op != NULL ? echo_map_get_ptr(others, op) : NULL;
}

static const EchoValue *other_value(const EchoMap *others, EchoBlock *block, const EchoValue *value)
{
  if (value->is_block_arg)
    return echo_block_arg(block, value->index);
  return echo_op_result((EchoOp *)other_op(others, echo_value_def_or_null(value)), value->index);
}

/* The graph of one function's block as one of its copy's, whose ops stand in the same order. */
static void move_to_copy(EchoGraph *graph, const EchoBlock *from, EchoBlock *to)
{
  EchoMap others = {0};
  EchoOp *other = to->first;
  for (EchoOp *op = from->first; op != NULL; op = op->next, other = other->next)
    echo_map_set_ptr(&others, op, other);
  for (size_t i = 0; i < graph->nodes.size; ++i)
    graph->nodes.data[i].op = other_op(&others, graph->nodes.data[i].op);
  for (size_t i = 0; i < graph->values.size; ++i)
    graph->values.data[i].value = other_value(&others, to, graph->values.data[i].value);
  echo_map_destroy(&others);
}

static EchoOp *carry_out_on_copy(EchoOp *function, const EchoBody *own, const EchoPoint *point,
                                 const EchoFusionOptions *fusion, size_t *n_regions)
{
  EchoGraph ordered = {0};
  EchoOp *copy = echo_op_clone(function, NULL);
  EchoBlock *block = copy->regions[0].first;
  echo_op_insert_after(copy, function);
  echo_point_apply_in_order(point, &own->candidates, &own->interface, fusion, &ordered);
  *n_regions = echo_count_regions(&own->candidates, point, &ordered);
  move_to_copy(&ordered, own->block, block);
  echo_rewrite_block(block, &ordered, own->candidates.scratch);
  echo_graph_destroy(&ordered);
  return copy;
}

/* ---- what to begin with ---- */

typedef struct Seed {
  EchoVariant *variant; /* NULL: none */
  EchoBody *own;
  size_t point;
} Seed;

static const EchoPoint *point_of(const Seed *seed)
{
  return &seed->own->curve.points.data[seed->point];
}

/* Of a curve the lowest point that takes no more than `limit_ns` and computes anything again, where
 * that is lower than the seed. */
static void seek_in(EchoVariant *variant, EchoBody *own, uint64_t limit_ns, Seed *lowest)
{
  const EchoCurve *curve = &own->curve;
  for (size_t p = 0; p < curve->points.size; ++p) {
    const EchoPoint *point = &curve->points.data[p];
    if (point->ns <= limit_ns && point->choice.n_groups != 0 && point->as_written == NULL &&
        (lowest->variant == NULL || echo_point_is_lower(point, point_of(lowest))))
      *lowest = (Seed){variant, own, p};
  }
}

/* Of all curves of functions without loops and branches, whose bodies have points of their own. */
static Seed find_seed(const EchoVariants *variants, uint64_t limit_ns)
{
  Seed lowest = {NULL, NULL, 0};
  for (size_t i = 0; i < variants->size; ++i) {
    EchoVariant *variant = &variants->data[i];
    for (size_t k = 0; k < variant->step.n_own && variant->step.bodies.controls.size == 0; ++k)
      seek_in(variant, &variant->step.own[k], limit_ns, &lowest);
  }
  return lowest;
}

static bool is_same(const Seed *a, const Seed *b)
{
  return a->own == b->own && a->point == b->point;
}

static void add_again(EchoVariants *variants, const Seed *seed, const EchoFusionOptions *fusion)
{
  EchoVariant *variant = &variants->data[variants->size++];
  *variant = (EchoVariant){.form = seed->variant->form,
                           .from = seed->variant,
                           .from_own = seed->own,
                           .from_point = seed->point,
                           .n_stacks = seed->variant->n_stacks};
  variant->function = carry_out_on_copy(seed->variant->function, seed->own, point_of(seed), fusion,
                                        &variant->n_regions);
}

size_t echo_variants_add_again(EchoVariants *variants, const EchoSearchOptions *options,
                               uint64_t max_ns)
{
  double low_ns = (double)variants->off.ns * (1 + LOW_PRICE);
  size_t n_before = variants->size;
  if (options->policy != ECHO_POLICIES[0] || options->fusion.order != NULL ||
      echo_search_n_affordable(variants->data[0].step.bodies.n_ops) < LEAST_AFFORDABLE)
    return 0;
  Seed seeds[ECHO_MAX_AGAIN] = {find_seed(variants, UINT64_MAX),
                                find_seed(variants, (uint64_t)low_ns)};
  for (size_t i = 0; i < ECHO_MAX_AGAIN; ++i)
    if (seeds[i].variant != NULL && (i == 0 || !is_same(&seeds[i], &seeds[0])) &&
        point_of(&seeds[i])->ns - point_of(&seeds[i])->ns / SOONER <= max_ns)
      add_again(variants, &seeds[i], &options->fusion);
  return variants->size - n_before;
}
