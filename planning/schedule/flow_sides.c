/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sides: what only ends in an update of weights waits until it frees something. Where it could run
 * long before the others that read the same, they keep that all the same. */
#include "planning/schedule/flow_t.h"

/* What operand `i` of the node keeps in the arena; ECHO_NONE for what it does not, or stays. */
static uint32_t kept_or_none(const EchoFlow *flow, uint32_t node, uint32_t i)
{
  const EchoGraph *graph = flow->graph;
  uint32_t value = echo_flow_holder(graph, echo_graph_operands(graph, node)[i]);
  uint32_t def = graph->values.data[value].def;
  bool is_kept = def != ECHO_NONE && !echo_flow_takes_no_room(graph, node) &&
                 !echo_flow_takes_no_room(graph, def) && !flow->values[value].is_returned &&
                 graph->nodes.data[def].kind != ECHO_NODE_BLOB;
  for (uint32_t k = 0; k < i && is_kept; ++k) /* each once */
    is_kept = echo_flow_holder(graph, echo_graph_operands(graph, node)[k]) != value;
  return is_kept ? value : ECHO_NONE;
}

void echo_flow_list_sides(EchoFlow *flow, EchoArena *arena)
{
  const EchoGraph *graph = flow->graph;
  uint32_t n = 0;
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    flow->nodes[node].is_blocked = flow->nodes[node].waiting != 0;
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
      uint32_t value = kept_or_none(flow, node, i);
      if (value == ECHO_NONE)
        continue;
      ++flow->values[value].n_driving;
      flow->values[value].n_blocked += flow->nodes[node].is_blocked;
      flow->values[value].first_side += flow->nodes[node].is_side;
      n += flow->nodes[node].is_side;
    }
  flow->sides = ECHO_ARENA_ARRAY(arena, uint32_t, n + 1u);
  n = 0;
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    uint32_t n_sides = flow->values[v].first_side;
    flow->values[v].first_side = n;
    n += n_sides;
  }
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands && flow->nodes[node].is_side; ++i) {
      uint32_t value = kept_or_none(flow, node, i);
      if (value != ECHO_NONE)
        flow->sides[flow->values[value].first_side + flow->values[value].n_sides++] = node;
    }
}

/* Whether the value is free once the sides that read it have run, and at most one more node, which
 * can: the one that they stand beside, mostly. */
static bool is_ripe(const EchoFlowValue *value)
{
  return value->n_blocked == 0 && value->n_driving <= 1;
}

static void push_ripe_sides(EchoFlow *flow, uint32_t value)
{
  const uint32_t *sides = flow->sides + flow->values[value].first_side;
  for (uint32_t k = 0; k < flow->values[value].n_sides && is_ripe(&flow->values[value]); ++k)
    if (flow->nodes[sides[k]].is_ready && !flow->nodes[sides[k]].is_emitted)
      echo_vector_push(&flow->fresh, sides[k]);
}

void echo_flow_unblock(EchoFlow *flow, uint32_t node)
{
  if (!flow->nodes[node].is_blocked)
    return;
  flow->nodes[node].is_blocked = false;
  for (uint32_t i = 0; i < flow->graph->nodes.data[node].n_operands; ++i) {
    uint32_t value = kept_or_none(flow, node, i);
    if (value != ECHO_NONE && --flow->values[value].n_blocked == 0)
      push_ripe_sides(flow, value);
  }
}

void echo_flow_stop_driving(EchoFlow *flow, uint32_t node)
{
  echo_flow_unblock(flow, node);
  for (uint32_t i = 0; i < flow->graph->nodes.data[node].n_operands; ++i) {
    uint32_t value = kept_or_none(flow, node, i);
    if (value != ECHO_NONE && --flow->values[value].n_driving <= 1)
      push_ripe_sides(flow, value);
  }
}

void echo_flow_make_ready(EchoFlow *flow, uint32_t node)
{
  bool keeps_any = false, is_any_ripe = false;
  if (flow->nodes[node].is_side)
    echo_flow_stop_driving(flow, node);
  for (uint32_t i = 0; i < flow->graph->nodes.data[node].n_operands && flow->nodes[node].is_side;
       ++i) {
    uint32_t value = kept_or_none(flow, node, i);
    keeps_any |= value != ECHO_NONE;
    is_any_ripe |= value != ECHO_NONE && is_ripe(&flow->values[value]);
  }
  flow->nodes[node].is_ready = true;
  if (keeps_any && !is_any_ripe)
    echo_vector_push(&flow->held, node);
  else
    echo_vector_push(&flow->fresh, node);
}
