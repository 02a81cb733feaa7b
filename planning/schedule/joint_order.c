/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Products that wait for maps, so that fusion finds one kernel where there were two. */
#include "planning/schedule/joint_order_t.h"

#define MAX_MADE 16 /* maps that an operand is made by are looked at, */
#define MAX_WAIT 64 /* and readers of theirs that stand no further behind */

typedef struct Waits {
  const EchoGraph *graph;
  uint32_t *order, *position; /* position[order[i]] == i */
} Waits;

static bool is_map(const Waits *waits, uint32_t node)
{
  return node != ECHO_NONE && waits->graph->nodes.data[node].kind == ECHO_NODE_MAP;
}

/* The furthest place of a map that reads `value`, no further than `end`. */
static uint32_t last_map_reader(const Waits *waits, uint32_t value, uint32_t last, uint32_t end)
{
  const EchoGraph *graph = waits->graph;
  for (uint32_t u = 0; u < graph->values.data[value].n_uses; ++u) {
    uint32_t user = echo_graph_uses(graph, value)[u];
    if (is_map(waits, user) && waits->position[user] > last && waits->position[user] <= end)
      last = waits->position[user];
  }
  return last;
}

/* The furthest place of a map that reads what an operand of the node at `place` is made by, at the
 * size that the operand has: one kernel could make both. */
static uint32_t find_partner(const Waits *waits, uint32_t place)
{
  const EchoGraph *graph = waits->graph;
  uint32_t node = waits->order[place], last = place, made[MAX_MADE];
  for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
    const EchoGraphValue *operand = &graph->values.data[echo_graph_operands(graph, node)[i]];
    size_t n = 0;
    if (is_map(waits, operand->def) && !echo_node_is_free_to_remake(graph, operand->def))
      made[n++] = operand->def;
    for (size_t k = 0; k < n; ++k) {
      const EchoGraphNode *map = &graph->nodes.data[made[k]];
      last = last_map_reader(waits, map->first_result, last, place + MAX_WAIT);
      for (uint32_t o = 0; o < map->n_operands && n < MAX_MADE; ++o) {
        const EchoGraphValue *value = &graph->values.data[echo_graph_operands(graph, made[k])[o]];
        if (is_map(waits, value->def) && value->n_elements == operand->n_elements)
          made[n++] = value->def;
      }
    }
  }
  return last;
}

/* Whether what stands behind `place`, up to `last`, needs what the node there makes. */
static bool is_needed_by(const Waits *waits, uint32_t place, uint32_t last)
{
  const EchoGraph *graph = waits->graph;
  const EchoGraphNode *entry = &graph->nodes.data[waits->order[place]];
  for (uint32_t r = 0; r < entry->n_results; ++r)
    for (uint32_t u = 0; u < graph->values.data[entry->first_result + r].n_uses; ++u)
      if (waits->position[echo_graph_uses(graph, entry->first_result + r)[u]] <= last)
        return true;
  return false;
}

static void move_behind(Waits *waits, uint32_t place, uint32_t last)
{
  uint32_t node = waits->order[place];
  for (uint32_t i = place; i < last; ++i) {
    waits->order[i] = waits->order[i + 1];
    waits->position[waits->order[i]] = i;
  }
  waits->order[last] = node;
  waits->position[node] = last;
}

bool echo_order_joint(const EchoGraph *graph, uint32_t *order)
{
  uint32_t n = (uint32_t)graph->nodes.size;
  Waits waits = {graph, order, echo_alloc_array(n + 1u, sizeof(uint32_t))};
  bool has_moved = false;
  for (uint32_t i = 0; i < n; ++i)
    waits.position[order[i]] = i;
  for (uint32_t i = n; i-- > 0;) {
    if (graph->nodes.data[order[i]].kind != ECHO_NODE_SINGLE)
      continue;
    uint32_t last = find_partner(&waits, i);
    while (last != i && last + 1 < n && is_map(&waits, order[last + 1])) /* the run is over */
      ++last;
    if (last == i || is_needed_by(&waits, i, last))
      continue;
    move_behind(&waits, i, last);
    has_moved = true;
  }
  echo_free(waits.position);
  return has_moved;
}
