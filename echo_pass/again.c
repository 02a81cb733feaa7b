/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Further rounds. What is computed again is computed once for all that read it later, and may wait
 * there as it waited before: beside the product that a layer's gradient is taken by, what the layer
 * computed again waits for the rest of the gradient. So two points of the curves, the lowest and
 * the lowest at a low price, of functions without loops and of those with, are carried out on
 * copies of the function, and these are searched like functions that were written that way: what
 * was computed again may be computed again once more, from nearer by. And so on with the lowest of
 * those, as long as a round lowers what it begins with. */
#include "echo_pass/again_t.h"

#include "base/map.h"
#include "echo_pass/explain_t.h"
#include "echo_pass/policy_t.h"
#include "echo_pass/rewrite_t.h"

#define LOW_PRICE 0.1 /* of the step's time: what the cheaper of the two may add */
#define SOONER 16     /* what comes of a point is taken to save less than this part of its time */
#define GAIN_PART 64  /* of the peak: a round that lowers it by more is followed by another */
/* Searches that the work of one is enough for, at least: in deeper steps a look costs too much. */
#define LEAST_AFFORDABLE 16

/* ---- on a copy ---- */

/* A copy of a function while plans of its blocks are carried out on it. */
typedef struct Copy {
  EchoMap others; /* op or block of the function -> that of the copy */
  const EchoFusionOptions *fusion;
  size_t n_regions; /* computed again */
} Copy;

static void note_blocks(Copy *copy, const EchoOp *from, const EchoOp *to)
{
  for (size_t r = 0; r < from->n_regions; ++r) {
    EchoBlock *other = to->regions[r].first;
    for (EchoBlock *block = from->regions[r].first; block != NULL; block = block->next) {
      echo_map_set_ptr(&copy->others, block, other);
      other = other->next;
    }
  }
}

/* The ops of both stand in the same order. */
static EchoOp *copy_function(Copy *copy, EchoOp *function)
{
  EchoOp *clone = echo_op_clone(function, NULL), *other = clone;
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op)) {
    echo_map_set_ptr(&copy->others, op, other);
    note_blocks(copy, op, other);
    other = echo_op_walk_next(clone, other);
  }
  echo_op_insert_after(clone, function);
  return clone;
}

static const EchoOp *other_op(const Copy *copy, const EchoOp *op)
{
  return op != NULL ? echo_map_get_ptr(&copy->others, op) : NULL;
}

static const EchoValue *other_value(const Copy *copy, const EchoValue *value)
{
  if (value->is_block_arg)
    return echo_block_arg(echo_map_get_ptr(&copy->others, echo_value_block(value)), value->index);
  return echo_op_result((EchoOp *)other_op(copy, echo_value_def_or_null(value)), value->index);
}

/* What was decided for one block, on that of the copy. */
static void carry_out(void *user, const EchoBody *body)
{
  Copy *copy = user;
  EchoGraph ordered = {0};
  const EchoPoint *point = &body->curve.points.data[body->curve.best];
  echo_point_apply_in_order(point, &body->candidates, &body->interface, copy->fusion, &ordered);
  copy->n_regions += echo_count_regions(&body->candidates, point, &ordered);
  for (size_t i = 0; i < ordered.nodes.size; ++i)
    ordered.nodes.data[i].op = other_op(copy, ordered.nodes.data[i].op);
  for (size_t i = 0; i < ordered.values.size; ++i)
    ordered.values.data[i].value = other_value(copy, ordered.values.data[i].value);
  echo_rewrite_block(echo_map_get_ptr(&copy->others, body->block), &ordered,
                     body->candidates.scratch);
  echo_graph_destroy(&ordered);
}

/* The variant's function with that point of `own`, one of its step's, and what it leaves to the
 * bodies of loops and branches. What is asked of the step is as it was. */
static EchoOp *carry_out_on_copy(EchoVariant *variant, EchoBody *own, size_t point,
                                 const EchoFusionOptions *fusion, size_t *n_regions)
{
  Copy copy = {.fusion = fusion};
  size_t best = own->curve.best;
  EchoOp *clone = copy_function(&copy, variant->function);
  own->curve.best = point;
  echo_step_decide(&variant->step, own);
  echo_bodies_for_chosen(&variant->step.bodies, carry_out, &copy);
  carry_out(&copy, own);
  own->curve.best = best;
  *n_regions = copy.n_regions;
  echo_map_destroy(&copy.others);
  return clone;
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

/* Whether anything is computed again, in the block or in the bodies that it holds. */
static bool computes_again(const EchoBody *own, const EchoPoint *point)
{
  bool any = point->choice.n_groups != 0;
  for (uint32_t m = 0; m < own->candidates.n_menus; ++m)
    any |= point->choice.levels[m] != 0;
  return any && point->as_written == NULL;
}

/* Of a curve the lowest point that takes no more than `limit_ns` and computes anything again, where
 * that is lower than the seed. */
static void seek_in(EchoVariant *variant, EchoBody *own, uint64_t limit_ns, Seed *lowest)
{
  const EchoCurve *curve = &own->curve;
  for (size_t p = 0; p < curve->points.size; ++p) {
    const EchoPoint *point = &curve->points.data[p];
    if (point->ns <= limit_ns && computes_again(own, point) &&
        (lowest->variant == NULL || echo_point_is_lower(point, point_of(lowest))))
      *lowest = (Seed){variant, own, p};
  }
}

/* Of all curves, from the variant `first` on, of functions that hold loops or branches, or of those
 * that do not: what one of them gains says nothing of the other. */
static Seed find_seed(const EchoVariants *variants, size_t first, bool holds_bodies,
                      uint64_t limit_ns)
{
  Seed lowest = {NULL, NULL, 0};
  for (size_t i = first; i < variants->size; ++i) {
    EchoVariant *variant = &variants->data[i];
    bool is_meant = (variant->step.bodies.controls.size != 0) == holds_bodies;
    for (size_t k = 0; k < variant->step.n_own && is_meant; ++k)
      seek_in(variant, &variant->step.own[k], limit_ns, &lowest);
  }
  return lowest;
}

static bool is_same(const Seed *a, const Seed *b)
{
  return a->own == b->own && a->point == b->point;
}

/* Whether the last round lowered its peak, if it is of one. */
static bool is_worth_a_round(const Seed *seed)
{
  const EchoVariant *variant = seed->variant;
  if (variant == NULL || variant->from == NULL)
    return variant != NULL;
  uint64_t bytes = variant->from_own->curve.points.data[variant->from_point].peak_bytes;
  return point_of(seed)->peak_bytes < bytes - bytes / GAIN_PART;
}

static void add_again(EchoVariants *variants, const Seed *seed, const EchoFusionOptions *fusion)
{
  EchoVariant *variant = &variants->data[variants->size++];
  *variant = (EchoVariant){.form = seed->variant->form,
                           .is_outdone = seed->variant->is_outdone,
                           .from = seed->variant,
                           .from_own = seed->own,
                           .from_point = seed->point,
                           .n_stacks = seed->variant->n_stacks};
  variant->function =
      carry_out_on_copy(seed->variant, seed->own, seed->point, fusion, &variant->n_regions);
  variant->n_regions += seed->variant->n_regions;
}

size_t echo_variants_add_again(EchoVariants *variants, size_t first,
                               const EchoSearchOptions *options, uint64_t max_ns)
{
  double low_ns = (double)variants->off.ns * (1 + LOW_PRICE);
  size_t n_before = variants->size;
  if (options->policy != ECHO_POLICIES[0] || options->fusion.order != NULL ||
      echo_search_n_affordable(variants->data[0].step.bodies.n_ops) < LEAST_AFFORDABLE)
    return 0;
  Seed seeds[ECHO_MAX_AGAIN];
  size_t step = first == 0 ? 1 : 2; /* at the low price one round is enough (ablation.md) */
  for (size_t i = 0; i < ECHO_MAX_AGAIN; i += step) /* of either kind the lowest, and at that */
    seeds[i] = find_seed(variants, first, i >= 2, i % 2 == 0 ? UINT64_MAX : (uint64_t)low_ns);
  for (size_t i = 0; i < ECHO_MAX_AGAIN; i += step)
    if (is_worth_a_round(&seeds[i]) && (i % 2 == 0 || !is_same(&seeds[i], &seeds[i - 1])) &&
        point_of(&seeds[i])->ns - point_of(&seeds[i])->ns / SOONER <= max_ns)
      add_again(variants, &seeds[i], &options->fusion);
  return variants->size - n_before;
}
