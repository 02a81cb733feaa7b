/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Painted boxes as a persistent tree: painting copies the nodes on the way and shares all others.
 */
#include "planning/movement/boxes.h"

#include "ir/attributes/type.h"

_Static_assert(sizeof((EchoBox *)0)->low / sizeof(int64_t) == ECHO_MAX_RANK, "a box of any rank");

static uint32_t add_node(EchoBoxes *boxes, EchoBoxNode node)
{
  echo_vector_push(&boxes->nodes, node);
  return (uint32_t)boxes->nodes.size - 1;
}

uint32_t echo_boxes_fill(EchoBoxes *boxes, uint32_t source)
{
  return add_node(boxes, (EchoBoxNode){.source = source});
}

/* Where a node stands: its part of the space, narrowed and widened again on the way down and up. */
typedef struct Walk {
  EchoBoxes *boxes;
  EchoBox space;
  const EchoBox *box;
  uint32_t rank, source;
} Walk;

static bool is_apart(const Walk *walk)
{
  for (uint32_t d = 0; d < walk->rank; ++d)
    if (walk->box->high[d] <= walk->space.low[d] || walk->space.high[d] <= walk->box->low[d])
      return true;
  return false;
}

/* The first dimension that the box does not cover; rank when it covers the space. */
static uint32_t first_open(const Walk *walk)
{
  uint32_t d = 0;
  while (d < walk->rank && walk->box->low[d] <= walk->space.low[d] &&
         walk->space.high[d] <= walk->box->high[d])
    ++d;
  return d;
}

static int64_t middle(const Walk *walk, uint32_t dim)
{
  return walk->space.low[dim] + (walk->space.high[dim] - walk->space.low[dim]) / 2;
}

static uint32_t paint(Walk *walk, uint32_t state)
{
  EchoBoxNode node = walk->boxes->nodes.data[state];
  if (node.source == walk->source || is_apart(walk))
    return state;
  uint32_t open = first_open(walk);
  if (open == walk->rank)
    return echo_boxes_fill(walk->boxes, walk->source);
  if (node.source != ECHO_BOXES_MIXED)
    node = (EchoBoxNode){ECHO_BOXES_MIXED, open, state, state};
  int64_t at = middle(walk, node.dim), low = walk->space.low[node.dim],
          high = walk->space.high[node.dim];
  walk->space.high[node.dim] = at;
  node.low = paint(walk, node.low);
  walk->space.high[node.dim] = high;
  walk->space.low[node.dim] = at;
  node.high = paint(walk, node.high);
  walk->space.low[node.dim] = low;
  return add_node(walk->boxes, node);
}

static Walk start_walk(const int64_t *sizes, uint32_t rank, const EchoBox *box)
{
  Walk walk = {.box = box, .rank = rank};
  for (uint32_t d = 0; d < rank; ++d)
    walk.space.high[d] = sizes[d];
  return walk;
}

uint32_t echo_boxes_paint(EchoBoxes *boxes, uint32_t state, const int64_t *sizes, uint32_t rank,
                          const EchoBox *box, uint32_t source)
{
  Walk walk = start_walk(sizes, rank, box);
  walk.boxes = boxes;
  walk.source = source;
  return paint(&walk, state);
}

/* Whether all that the box meets has one source; walk->source is the one that was met, if any. */
static bool has_one(const EchoBoxes *boxes, Walk *walk, uint32_t state)
{
  if (is_apart(walk))
    return true;
  EchoBoxNode node = boxes->nodes.data[state];
  if (node.source != ECHO_BOXES_MIXED) {
    bool is_same = walk->source == ECHO_BOXES_MIXED || walk->source == node.source;
    walk->source = node.source;
    return is_same;
  }
  int64_t at = middle(walk, node.dim), low = walk->space.low[node.dim],
          high = walk->space.high[node.dim];
  walk->space.high[node.dim] = at;
  bool ok = has_one(boxes, walk, node.low);
  walk->space.high[node.dim] = high;
  walk->space.low[node.dim] = at;
  ok = ok && has_one(boxes, walk, node.high);
  walk->space.low[node.dim] = low;
  return ok;
}

uint32_t echo_boxes_source(const EchoBoxes *boxes, uint32_t state, const int64_t *sizes,
                           uint32_t rank, const EchoBox *box)
{
  Walk walk = start_walk(sizes, rank, box);
  walk.source = ECHO_BOXES_MIXED;
  return has_one(boxes, &walk, state) ? walk.source : ECHO_BOXES_MIXED;
}
