/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Dead code: everything that no effect, symbol or terminator needs, circles of unused ops included,
 * and what loops carry round and branches make for nobody. What is live is marked from there along
 * operands and outward to enclosing ops; the rest is swept. */
#include "ir/pass/dce_t.h"
#include "ir/pass/passes.h"
#include "ir/pass/simplify.h"

typedef struct Marker {
  uint32_t first_id;
  EchoBitset live; /* by id of op, less first_id */
  EchoNeeded needed;
  ECHO_VECTOR(EchoOp *) worklist;
  ECHO_VECTOR(const EchoValue *) handed; /* results that are needed */
} Marker;

static void create_marker(Marker *marker, EchoOp *root)
{
  uint32_t last_id = root->id;
  *marker = (Marker){.first_id = root->id};
  for (EchoOp *op = root; op != NULL; op = echo_op_walk_next(root, op)) {
    marker->first_id = op->id < marker->first_id ? op->id : marker->first_id;
    last_id = op->id > last_id ? op->id : last_id;
  }
  echo_bitset_create(&marker->live, (size_t)last_id - marker->first_id + 1);
  echo_needed_create(&marker->needed, root);
}

static void destroy_marker(Marker *marker)
{
  echo_bitset_destroy(&marker->live);
  echo_needed_destroy(&marker->needed);
  echo_vector_destroy(&marker->worklist);
  echo_vector_destroy(&marker->handed);
}

static bool is_live(const Marker *marker, const EchoOp *op)
{
  return echo_bitset_has(&marker->live, op->id - marker->first_id);
}

static void mark(Marker *marker, EchoOp *op)
{
  if (is_live(marker, op))
    return;
  echo_bitset_set(&marker->live, op->id - marker->first_id);
  echo_vector_push(&marker->worklist, op);
}

/* Needed for what it does, whoever uses its results. A terminator is needed when the op around it
 * is. */
static bool is_needed_itself(const EchoOp *op)
{
  uint64_t traits = op->info->traits;
  if ((traits & (ECHO_SIDE_EFFECTS | ECHO_UNREGISTERED | ECHO_SYMBOL)) != 0)
    return true;
  return (traits & (ECHO_PURE | ECHO_RECURSIVE_EFFECTS | ECHO_CONSTANT | ECHO_TERMINATOR |
                    ECHO_READS_MEMORY | ECHO_ALLOCATES)) == 0;
}

static void need_result(Marker *marker, const EchoOp *op, size_t result)
{
  size_t bit = echo_needed_bit(&marker->needed, op, result);
  if (echo_bitset_has(&marker->needed.bits, bit))
    return;
  echo_bitset_set(&marker->needed.bits, bit);
  echo_vector_push(&marker->handed, echo_op_result(op, result));
}

static bool hands_on(const Marker *marker, const EchoOp *op)
{
  return echo_map_has(&marker->needed.first, echo_key(op));
}

/* Of one that hands something on, in constant time: a branch is asked once for each region. */
static bool hands_round(const EchoOp *op)
{
  return (op->info->traits & ECHO_LOOP) != 0;
}

/* Who makes the value, and where a region handed it on, the result that it is for. */
static void need_value(Marker *marker, const EchoValue *value)
{
  EchoOp *def = echo_value_def_or_null(value);
  const EchoOp *handing = def != NULL ? def : echo_block_parent(echo_value_block(value));
  if (def != NULL)
    mark(marker, def);
  if (handing != NULL && hands_on(marker, handing))
    need_result(marker, handing, value->index);
}

/* What the regions of an op hand on to a result, and what a loop starts it from. */
static void need_handed(Marker *marker, const EchoValue *result)
{
  const EchoOp *op = echo_value_def_or_null(result);
  bool is_loop = hands_round(op);
  for (size_t r = is_loop ? 1 : 0; r < op->n_regions; ++r)
    need_value(marker, echo_op_operand(op->regions[r].first->last, result->index));
  if (is_loop)
    need_value(marker, echo_op_operand(op, result->index));
}

/* Whether the op needs all its operands: a loop needs those that are carried for somebody, and so
 * does what ends a region. */
static bool needs_operands(const Marker *marker, const EchoOp *op)
{
  const EchoOp *parent = echo_op_parent(op);
  if (hands_on(marker, op) && hands_round(op))
    return false;
  if (parent == NULL || op->next != NULL || !hands_on(marker, parent))
    return true;
  return hands_round(parent) && op->block == parent->regions[0].first;
}

static void mark_what_it_needs(Marker *marker, const EchoOp *root, EchoOp *op)
{
  for (uint16_t i = 0; i < op->n_regions; ++i)
    for (EchoBlock *block = op->regions[i].first; block != NULL; block = block->next) {
      EchoOp *terminator = echo_block_terminator_or_null(block);
      if (terminator != NULL)
        mark(marker, terminator);
    }
  if (op == root)
    return;
  mark(marker, echo_op_parent(op));
  bool needs_all = needs_operands(marker, op);
  for (uint32_t i = 0; i < op->n_operands && needs_all; ++i)
    need_value(marker, echo_op_operand(op, i));
}

static void mark_all(Marker *marker, EchoOp *root)
{
  mark(marker, root);
  for (EchoOp *op = root; op != NULL; op = echo_op_walk_next(root, op))
    if (is_needed_itself(op))
      mark(marker, op);
  while (marker->worklist.size != 0 || marker->handed.size != 0) {
    if (marker->handed.size != 0)
      need_handed(marker, echo_vector_pop(&marker->handed));
    else
      mark_what_it_needs(marker, root, echo_vector_pop(&marker->worklist));
  }
}

typedef struct Sweep {
  const Marker *marker;
  ECHO_VECTOR(EchoOp *) dead; /* outermost */
} Sweep;

static EchoWalkResult collect_dead(void *user, EchoOp *op)
{
  Sweep *sweep = user;
  if (is_live(sweep->marker, op))
    return ECHO_WALK_CONTINUE;
  echo_vector_push(&sweep->dead, op);
  return ECHO_WALK_SKIP;
}

static size_t sweep_dead(const Marker *marker, EchoOp *root)
{
  Sweep sweep = {.marker = marker};
  echo_op_walk_pre(root, collect_dead, &sweep);
  for (size_t i = 0; i < sweep.dead.size; ++i)
    for (EchoOp *op = sweep.dead.data[i]; op != NULL;
         op = echo_op_walk_next(sweep.dead.data[i], op))
      echo_op_drop_operands(op);
  for (size_t i = sweep.dead.size; i-- > 0;)
    echo_op_erase(sweep.dead.data[i]);
  size_t n_dead = sweep.dead.size;
  echo_vector_destroy(&sweep.dead);
  return n_dead;
}

EchoDead echo_erase_dead(EchoOp *root)
{
  Marker marker;
  create_marker(&marker, root);
  mark_all(&marker, root);
  echo_drop_handed(root, &marker.needed);
  EchoDead dead = {.n_erased = sweep_dead(&marker, root)};
  dead.n_dropped = echo_drop_results(root, &marker.needed);
  destroy_marker(&marker);
  return dead;
}

static bool run_dce(EchoPassRun *run)
{
  EchoDead dead = echo_erase_dead(run->op);
  echo_pass_count(run, "num-erased", dead.n_erased);
  echo_pass_count(run, "num-dropped", dead.n_dropped);
  run->keeps_all = dead.n_erased == 0 && dead.n_dropped == 0;
  return true;
}

static const EchoPassStatistic STATISTICS[] = {
    {"num-erased", "Ops erased, not counting those inside"},
    {"num-dropped", "Values that loops carried and branches made for nobody"},
    {NULL, NULL}};

const EchoPass ECHO_PASS_DCE = {.name = "dce",
                                .title = "DCE",
                                .summary = "erase ops that nothing needs",
                                .statistics = STATISTICS,
                                .run = run_dce};
