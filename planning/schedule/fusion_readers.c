/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Who reads a node, by the groups that they are in, and what is asked of each node on the way. */
#include "planning/schedule/fusion_t.h"

#include <stdlib.h>

static inline int compare_readers(const void *a, const void *b)
{
  const EchoGroupReader *x = a, *y = b;
  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  return x->membership < y->membership ? -1 : x->membership > y->membership;
}

#define FEW_READERS 16 /* mostly there are two or three: not worth a call */

/* Mostly they come in order. */
static void sort_readers(EchoGroupReader *readers, size_t n)
{
  size_t n_sorted = 1;
  while (n_sorted < n && compare_readers(&readers[n_sorted - 1], &readers[n_sorted]) < 0)
    ++n_sorted;
  if (n > FEW_READERS && n_sorted < n) {
    qsort(readers, n, sizeof *readers, compare_readers);
    return;
  }
  for (size_t i = n_sorted; i < n; ++i)
    for (size_t k = i; k > 0 && compare_readers(&readers[k], &readers[k - 1]) < 0; --k) {
      EchoGroupReader reader = readers[k];
      readers[k] = readers[k - 1];
      readers[k - 1] = reader;
    }
}

static uint64_t passed_key(uint32_t barrier, uint32_t value)
{
  return (uint64_t)barrier << 32 | value;
}

static void find_passed(EchoFuser *fuser, uint32_t barrier)
{
  const EchoGraph *graph = fuser->graph;
  const EchoGraphNode *entry = &graph->nodes.data[barrier];
  for (uint32_t i = 0; i < entry->n_operands; ++i)
    if (graph->values.data[entry->first_result + i].n_uses != 0)
      echo_map_set(&fuser->passed, passed_key(barrier, echo_graph_operands(graph, barrier)[i]), 1);
}

/* A node that transposes, or maps what nobody else reads of such a node: what is fused with it
 * reads across memory. */
static bool is_turned(const EchoFuser *fuser, const EchoGraphNode *entry)
{
  const EchoGraph *graph = fuser->graph;
  const uint32_t *operands = graph->operands.data + entry->first_operand;
  bool is_turned = entry->is_transposing;
  for (uint32_t i = 0; i < entry->n_operands && entry->is_elementwise && !is_turned; ++i) {
    const EchoGraphValue *operand = &graph->values.data[operands[i]];
    is_turned =
        operand->n_uses == 1 && operand->def != ECHO_NONE && fuser->is_turned.data[operand->def];
  }
  return is_turned;
}

void echo_fuser_find_facts(EchoFuser *fuser)
{
  const EchoGraph *graph = fuser->graph;
  echo_vector_reserve(&fuser->is_turned, graph->nodes.size + 1);
  for (uint32_t node = 0; node < graph->nodes.size; ++node) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    if (entry->kind == ECHO_NODE_BARRIER)
      find_passed(fuser, node);
    fuser->is_turned.data[node] = is_turned(fuser, entry);
  }
}

bool echo_fuser_is_tie(const EchoFuser *fuser, uint32_t user, uint32_t value)
{
  return fuser->graph->nodes.data[user].kind == ECHO_NODE_BARRIER &&
         !echo_map_has(&fuser->passed, passed_key(user, value));
}

void echo_fuser_collect_readers(EchoFuser *fuser, uint32_t node)
{
  const EchoGraph *graph = fuser->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  echo_vector_clear(&fuser->readers);
  for (uint32_t r = 0; r < entry->n_results; ++r) {
    uint32_t value = entry->first_result + r, previous = ECHO_NONE;
    const uint32_t *uses = echo_graph_uses(graph, value);
    for (uint32_t i = graph->values.data[value].n_uses; i-- > 0;) {
      uint32_t user = uses[i];
      if (user == previous || echo_fuser_is_tie(fuser, user, value))
        continue;
      previous = user;
      for (uint32_t m = fuser->first_of_node.data[user]; m != ECHO_NONE;
           m = fuser->memberships.data[m].next_of_node)
        echo_vector_push(&fuser->readers, (EchoGroupReader){fuser->memberships.data[m].group, m});
    }
  }
  sort_readers(fuser->readers.data, fuser->readers.size);
}
