/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Places in the dataflow, without names, addresses or numbers: how far a node is from the inputs
 * and from the end, what running it frees, and how late it can wait. */
#include "planning/schedule/flow_t.h"

static void measure_down(EchoFlow *flow)
{
  const EchoGraph *graph = flow->graph;
  for (uint32_t node = 0; node < graph->nodes.size; ++node) {
    EchoFlowNode *place = &flow->nodes[node];
    place->key = echo_hash_combine(graph->nodes.data[node].key, graph->nodes.data[node].is_clone);
    place->cone = echo_flow_takes_no_room(graph, node) ? 0 : 1;
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
      uint32_t value = echo_graph_operands(graph, node)[i], def = graph->values.data[value].def;
      uint64_t from = def == ECHO_NONE ? value : flow->nodes[def].key;
      place->key = echo_hash_combine(place->key, from + graph->values.data[value].index);
      if (def == ECHO_NONE)
        continue;
      ++place->waiting;
      place->cone += flow->nodes[def].cone;
      if (place->cone > ECHO_FLOW_MAX_CONE)
        place->cone = ECHO_FLOW_MAX_CONE + 1;
      if (place->soonest < flow->nodes[def].soonest + 1)
        place->soonest = flow->nodes[def].soonest + 1;
    }
    place->unread = flow->updates->readers.first[node + 1] - flow->updates->readers.first[node];
    place->waiting += place->unread;
  }
}

uint32_t echo_flow_holder(const EchoGraph *graph, uint32_t value)
{
  uint32_t def = graph->values.data[value].def;
  while (def != ECHO_NONE && echo_flow_takes_no_room(graph, def) &&
         graph->nodes.data[def].n_operands != 0) {
    uint32_t operand =
        graph->nodes.data[def].kind == ECHO_NODE_BARRIER ? graph->values.data[value].index : 0;
    value = echo_graph_operands(graph, def)[operand];
    def = graph->values.data[value].def;
  }
  return value;
}

static void count_readers(EchoFlow *flow, const EchoBlockInterface *interface)
{
  const EchoGraph *graph = flow->graph;
  for (uint32_t v = 0; v < graph->values.size; ++v)
    flow->values[v] = (EchoFlowValue){0};
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    for (uint32_t i = 0;
         i < graph->nodes.data[node].n_operands && !echo_flow_takes_no_room(graph, node); ++i) {
      EchoFlowValue *read =
          &flow->values[echo_flow_holder(graph, echo_graph_operands(graph, node)[i])];
      read->n_readers += read->seen != node + 1;
      read->seen = node + 1;
      read->is_returned |= node == flow->end;
    }
  for (uint32_t v = 0; v < graph->values.size; ++v)
    flow->values[v].seen = 0;
  for (uint32_t i = 0; flow->end != ECHO_NONE && i < graph->nodes.data[flow->end].n_operands; ++i)
    flow->values[echo_graph_operands(graph, flow->end)[i]].is_outside =
        interface->result_targets[i] != ECHO_TO_ARENA;
}

/* Of the bytes of each operand the part that falls to the node, for whichever of its readers runs
 * last is what frees it. */
static uint64_t freed_bytes(EchoFlow *flow, uint32_t node)
{
  const EchoGraph *graph = flow->graph;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
    uint32_t value = echo_flow_holder(graph, echo_graph_operands(graph, node)[i]);
    uint32_t def = graph->values.data[value].def;
    EchoFlowValue *read = &flow->values[value];
    if (def == ECHO_NONE || echo_flow_takes_no_room(graph, def) || read->is_returned ||
        graph->nodes.data[def].kind == ECHO_NODE_BLOB || read->seen == node + 1)
      continue;
    read->seen = node + 1;
    bytes += graph->values.data[value].bytes / read->n_readers;
  }
  return bytes;
}

/* From the end back: what takes more than it frees waits until its first reader cannot. */
static void measure_up(EchoFlow *flow)
{
  const EchoGraph *graph = flow->graph;
  for (uint32_t node = (uint32_t)graph->nodes.size; node-- > 0;) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    EchoFlowNode *place = &flow->nodes[node];
    uint32_t latest = UINT32_MAX;
    uint64_t taken = 0, above = 0, way = 0;
    uint32_t n_users = 0;
    place->below = 1;
    for (uint32_t r = 0; r < entry->n_results; ++r)
      n_users += graph->values.data[entry->first_result + r].n_uses;
    for (uint32_t r = 0; r < entry->n_results; ++r) {
      const EchoGraphValue *value = &graph->values.data[entry->first_result + r];
      bool takes_room = !echo_flow_takes_no_room(graph, node) &&
                        !flow->values[entry->first_result + r].is_outside;
      taken += takes_room ? value->bytes : 0;
      for (uint32_t u = 0; u < value->n_uses; ++u) {
        uint32_t user = echo_graph_uses(graph, entry->first_result + r)[u];
        if (user == flow->end)
          continue;
        above += echo_hash_u64(flow->nodes[user].key + r); /* in no order */
        place->below += flow->nodes[user].below;
        way += flow->nodes[user].way / n_users;
        if (place->height < flow->nodes[user].height + 1)
          place->height = flow->nodes[user].height + 1;
        if (latest > flow->nodes[user].latest - 1)
          latest = flow->nodes[user].latest - 1;
      }
    }
    if (place->below > ECHO_FLOW_MAX_CONE)
      place->below = ECHO_FLOW_MAX_CONE + 1;
    uint64_t freed = echo_flow_takes_no_room(graph, node) ? 0 : freed_bytes(flow, node);
    place->gain = (int64_t)freed - (int64_t)taken;
    place->is_side = entry->is_heavy && place->below <= ECHO_FLOW_MAX_CONE && place->gain > 0;
    bool is_sink = latest == UINT32_MAX;
    place->way = ECHO_FLOW_FRACTION + way;
    place->latest = is_sink ? place->soonest : latest;
    place->key = echo_hash_combine(place->key, above);
  }
}

void echo_flow_measure(EchoFlow *flow, const EchoBlockInterface *interface)
{
  measure_down(flow);
  count_readers(flow, interface);
  measure_up(flow);
}
