/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --isolate-regions: constants that the region of a sort, reduce or scatter reads from outside move
 * into it; what else it reads becomes an argument of the op's kernel (--fuse). Loops and branches,
 * which stay on the host, get their own copies of small constants and of what repeats something
 * smaller, so that what Echo measures is what is scheduled later, and branches of what they can
 * make for themselves. */
#include "base/map.h"
#include "ir/builder.h"
#include "lowering/lowering.h"
#include "lowering/plan/sink_constants_t.h"
#include "lowering/plan/sink_free_t.h"
#include "lowering/plan/sink_maps_t.h"
#include "planning/schedule/graph.h"

/* The copy of `constant` at the start of `block`. */
static EchoValue *copy_into(EchoBlock *block, const EchoOp *constant)
{
  EchoOp *copy = echo_op_clone(constant, NULL);
  echo_block_prepend(block, copy);
  return echo_op_result(copy, 0);
}

/* The copies go to the region's first block, which dominates the others. */
static void isolate_region(const EchoOp *op, const EchoRegion *region, uint64_t *n_copies)
{
  EchoMap copies = {0};
  for (EchoBlock *block = region->first; block != NULL; block = block->next)
    for (EchoOp *top = block->first; top != NULL; top = top->next)
      for (EchoOp *inner = top; inner != NULL; inner = echo_op_walk_next(top, inner))
        for (size_t i = 0; i < inner->n_operands; ++i) {
          EchoValue *value = echo_op_operand(inner, i);
          const EchoOp *owner = echo_block_parent(echo_value_block(value));
          const EchoOp *def = echo_value_def_or_null(value);
          if (def == NULL || !echo_op_has_trait(def, ECHO_CONSTANT) ||
              (owner != NULL && echo_op_is_ancestor(op, owner)))
            continue;
          EchoValue *copy = echo_map_get_ptr(&copies, value);
          if (copy == NULL) {
            copy = copy_into(region->first, def);
            echo_map_set_ptr(&copies, value, copy);
            ++*n_copies;
          }
          echo_op_set_operand(inner, i, copy);
        }
  echo_map_destroy(&copies);
}

static bool is_function_or_control(const EchoOp *op)
{
  return echo_op_has_trait(op, ECHO_ISOLATED) || echo_op_has_trait(op, ECHO_SYMBOL) ||
         echo_op_node_kind(op) == ECHO_NODE_CONTROL;
}

static bool run(EchoPassRun *pass)
{
  uint64_t n_copies = 0;
  for (EchoOp *op = pass->op; op != NULL; op = echo_op_walk_next(pass->op, op)) {
    if (op == pass->op || op->n_regions == 0 || is_function_or_control(op))
      continue;
    for (size_t r = 0; r < op->n_regions; ++r)
      isolate_region(op, &op->regions[r], &n_copies);
  }
  for (EchoOp *op = pass->op; op != NULL; op = echo_op_walk_next(pass->op, op))
    if (echo_op_node_kind(op) == ECHO_NODE_CONTROL && !echo_op_has_trait(op, ECHO_LOOP))
      n_copies += echo_sink_maps(op);
  for (EchoOp *op = echo_op_body(pass->op, 0)->first; op != NULL; op = op->next)
    n_copies += echo_sink_free(op) + echo_sink_constants(op);
  pass->keeps_all = n_copies == 0;
  echo_pass_count(pass, "copies", n_copies);
  return true;
}

static const EchoPassStatistic STATISTICS[] = {{"copies", "ops copied into regions"}, {NULL, NULL}};

const EchoPass ECHO_PASS_ISOLATE_REGIONS = {
    .name = "isolate-regions",
    .summary =
        "move into regions the constants that they read, and what branches can make for themselves",
    .anchor = "builtin.module",
    .statistics = STATISTICS,
    .run = run,
};
