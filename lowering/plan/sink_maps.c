/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lowering/plan/sink_maps_t.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/vector.h"
#include "planning/schedule/graph.h"

/* One branch while values are made in it. */
typedef struct Sinker {
  EchoOp *branch;
  EchoMap captured;           /* value that the branch reads from outside */
  ECHO_VECTOR(EchoOp *) maps; /* whose results are made inside, each after those it reads */
  uint64_t n_copies;
} Sinker;

static size_t depth_of(const EchoOp *op)
{
  size_t depth = 0;
  for (const EchoOp *parent = op; parent != NULL; parent = echo_op_parent(parent))
    ++depth;
  return depth;
}

/* What stands further out comes first; both are visible in the branch. */
static int compare_position(const void *a, const void *b)
{
  const EchoOp *x = *(EchoOp *const *)a, *y = *(EchoOp *const *)b;
  size_t depth_x = depth_of(x), depth_y = depth_of(y);
  if (depth_x != depth_y)
    return depth_x < depth_y ? -1 : 1;
  return x == y ? 0 : echo_op_is_before(x, y) ? -1 : 1;
}

/* Whether somebody reads the value behind the branch, where it is kept anyway. */
static bool is_read_later(const Sinker *sinker, const EchoValue *value)
{
  const EchoBlock *block = echo_value_block(value);
  const EchoOp *here = echo_op_ancestor_in_block(sinker->branch, block);
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next)
    if (echo_op_is_before(here, echo_op_ancestor_in_block(use->owner, block)))
      return true;
  return false;
}

static bool can_be_made_inside(const Sinker *sinker, const EchoValue *value)
{
  const EchoOp *map = echo_value_def_or_null(value);
  if (map == NULL || echo_op_node_kind(map) != ECHO_NODE_MAP || map->n_results != 1 ||
      map->n_regions != 0)
    return false;
  for (size_t i = 0; i < map->n_operands; ++i) {
    const EchoOp *def = echo_value_def_or_null(echo_op_operand(map, i));
    bool is_constant = def != NULL && echo_op_node_kind(def) == ECHO_NODE_CONSTANT;
    if (!is_constant && !echo_map_has(&sinker->captured, echo_key(echo_op_operand(map, i))))
      return false;
  }
  return !is_read_later(sinker, value);
}

static void find_maps(Sinker *sinker)
{
  size_t n;
  const EchoValue **captures = echo_op_captures(sinker->branch, &n);
  for (size_t i = 0; i < n; ++i)
    echo_map_set(&sinker->captured, echo_key(captures[i]), 1);
  for (size_t i = 0; i < n; ++i)
    if (can_be_made_inside(sinker, captures[i]))
      echo_vector_push(&sinker->maps, echo_value_def_or_null(captures[i]));
  echo_free(captures);
  if (sinker->maps.size > 1)
    qsort(sinker->maps.data, sinker->maps.size, sizeof(EchoOp *), compare_position);
}

/* Gives the region's readers a copy of their own. Copies for copies are made too: whether a region
 * reads a value shows when those that are made of it are there. */
static void make_inside(Sinker *sinker, EchoRegion *region)
{
  EchoBlock *block = region->first;
  for (size_t i = sinker->maps.size; i-- > 0;) {
    EchoValue *value = echo_op_result(sinker->maps.data[i], 0);
    EchoOp *copy = NULL;
    for (EchoUse *use = value->first_use, *next; use != NULL; use = next) {
      next = use->next;
      if (echo_op_ancestor_in_block(use->owner, block) == NULL)
        continue;
      if (copy == NULL) {
        copy = echo_op_clone(sinker->maps.data[i], NULL);
        echo_block_prepend(block, copy);
        ++sinker->n_copies;
      }
      echo_use_set(use, echo_op_result(copy, 0));
    }
  }
}

uint64_t echo_sink_maps(EchoOp *branch)
{
  Sinker sinker = {.branch = branch};
  find_maps(&sinker);
  for (size_t r = 0; r < branch->n_regions && sinker.maps.size != 0; ++r)
    make_inside(&sinker, &branch->regions[r]);
  for (size_t i = sinker.maps.size; i-- > 0;)
    if (echo_value_is_unused(echo_op_result(sinker.maps.data[i], 0)))
      echo_op_erase(sinker.maps.data[i]);
  echo_map_destroy(&sinker.captured);
  echo_vector_destroy(&sinker.maps);
  return sinker.n_copies;
}
