/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the sides of a branch meet again: its immediate postdominator, by the algorithm of Cooper,
 * Harvey and Kennedy ("A Simple, Fast Dominance Algorithm") on the reversed graph of basic
 * blocks. */
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/machine.h"

typedef struct Node {
  int32_t first, last;   /* instructions */
  int32_t next[2];       /* nodes; -1 = none */
  int32_t postdominator; /* node */
  int32_t number;        /* in postorder of the reversed graph */
} Node;

typedef struct Graph {
  Node *nodes; /* the last one is the end */
  int32_t n;
  int32_t *node_of;               /* instruction -> node */
  int32_t *before, *before_first; /* predecessors, node by node */
  int32_t *order;                 /* reverse postorder from the end */
  int32_t n_order;
} Graph;

static void find_nodes(Graph *graph, const Insn *insns, int32_t n)
{
  uint8_t *leads = calloc((size_t)n + 1, 1);
  leads[0] = 1;
  for (int32_t i = 0; i < n; i++) {
    if (insns[i].flow == FLOW_BRANCH)
      leads[insns[i].target] = 1;
    if (insns[i].flow == FLOW_BRANCH || insns[i].flow == FLOW_EXIT)
      leads[i + 1] = 1;
  }
  for (int32_t i = 0; i < n; i++) {
    if (leads[i])
      graph->nodes[graph->n++] = (Node){i, i, {-1, -1}, -1, -1};
    graph->nodes[graph->n - 1].last = i;
    graph->node_of[i] = graph->n - 1;
  }
  graph->node_of[n] = graph->n;
  graph->nodes[graph->n++] = (Node){n, n, {-1, -1}, -1, -1};
  free(leads);
}

static void find_edges(Graph *graph, const Insn *insns)
{
  int32_t end = graph->n - 1;
  for (int32_t i = 0; i < end; i++) {
    Node *node = &graph->nodes[i];
    const Insn *last = &insns[node->last];
    bool is_certain = last->guard == 0;
    if (last->flow == FLOW_BRANCH) {
      node->next[0] = graph->node_of[last->target];
      node->next[1] = is_certain ? -1 : i + 1;
    } else if (last->flow == FLOW_EXIT) {
      node->next[0] = end;
      node->next[1] = is_certain ? -1 : i + 1;
    } else {
      node->next[0] = i + 1;
    }
    for (int k = 0; k < 2; k++)
      if (node->next[k] >= 0)
        graph->before_first[node->next[k] + 1]++;
  }
  for (int32_t i = 0; i < graph->n; i++)
    graph->before_first[i + 1] += graph->before_first[i];
  int32_t *filled = calloc((size_t)graph->n + 1, sizeof *filled);
  for (int32_t i = 0; i < end; i++)
    for (int k = 0; k < 2; k++) {
      int32_t to = graph->nodes[i].next[k];
      if (to >= 0)
        graph->before[graph->before_first[to] + filled[to]++] = i;
    }
  free(filled);
}

/* Depth first from the end against the edges; without recursion. */
static void number_nodes(Graph *graph)
{
  int32_t *stack = calloc((size_t)graph->n + 1, sizeof *stack), depth = 0, postorder = 0;
  int32_t *at = calloc((size_t)graph->n + 1, sizeof *at);
  uint8_t *seen = calloc((size_t)graph->n + 1, 1);
  stack[depth++] = graph->n - 1;
  seen[graph->n - 1] = 1;
  while (depth != 0) {
    int32_t node = stack[depth - 1], first = graph->before_first[node];
    if (first + at[node] < graph->before_first[node + 1]) {
      int32_t before = graph->before[first + at[node]++];
      if (!seen[before]) {
        seen[before] = 1;
        stack[depth++] = before;
      }
      continue;
    }
    graph->nodes[node].number = postorder++;
    graph->order[graph->n_order++] = node;
    depth--;
  }
  free(stack);
  free(at);
  free(seen);
}

static int32_t common(const Graph *graph, int32_t a, int32_t b)
{
  while (a != b) {
    while (graph->nodes[a].number < graph->nodes[b].number)
      a = graph->nodes[a].postdominator;
    while (graph->nodes[b].number < graph->nodes[a].number)
      b = graph->nodes[b].postdominator;
  }
  return a;
}

static void find_postdominators(Graph *graph)
{
  int32_t end = graph->n - 1;
  graph->nodes[end].postdominator = end;
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (int32_t i = graph->n_order - 1; i >= 0; i--) {
      Node *node = &graph->nodes[graph->order[i]];
      int32_t found = -1;
      if (graph->order[i] == end)
        continue;
      for (int k = 0; k < 2; k++) {
        int32_t next = node->next[k];
        if (next < 0 || graph->nodes[next].postdominator < 0)
          continue;
        found = found < 0 ? next : common(graph, next, found);
      }
      has_changed |= node->postdominator != found;
      node->postdominator = found;
    }
  }
}

bool control_flow_find(Insn *insns, size_t n)
{
  Graph graph = {0};
  graph.nodes = calloc(n + 2, sizeof *graph.nodes);
  graph.node_of = calloc(n + 2, sizeof *graph.node_of);
  graph.before = calloc(2 * n + 4, sizeof *graph.before);
  graph.before_first = calloc(n + 4, sizeof *graph.before_first);
  graph.order = calloc(n + 2, sizeof *graph.order);
  find_nodes(&graph, insns, (int32_t)n);
  find_edges(&graph, insns);
  number_nodes(&graph);
  find_postdominators(&graph);
  for (size_t i = 0; i < n; i++) {
    if (insns[i].flow != FLOW_BRANCH)
      continue;
    int32_t meets = graph.nodes[graph.node_of[i]].postdominator;
    insns[i].meets = meets >= 0 ? graph.nodes[meets].first : (int32_t)n;
  }
  free(graph.nodes);
  free(graph.node_of);
  free(graph.before);
  free(graph.before_first);
  free(graph.order);
  return true;
}
