/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Two products in one kernel: rows of the first one, with all that is made of them on the way to
 * the second, are whole in a block's shared memory, and the second multiplies them there. So
 * attention has its scores nowhere else; what a gradient reads of them is written on the way.
 *
 * What lies between two products is looked for as a whole, when the second one has its group: none
 * of it could join by itself, for it would wait for the first product. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "dialects/stablehlo/precision.h"
#include "planning/schedule/fusion_t.h"

/* Nodes that are looked at for one chain: a softmax has some ten, with masks, casts and views. */
#define MAX_LINKS 48

/* What is made of the first product. */
typedef struct Chain {
  uint32_t first, second, operand; /* products; what of the second one is made of the first */
  uint32_t root;                   /* where their kernel runs */
  int64_t n_elements, n_rows;      /* of the first one's result */
  uint32_t links[MAX_LINKS];       /* nodes, the first product before all */
  uint32_t n_links;
  bool is_read_elsewhere; /* one of them, when the kernel has run */
} Chain;

static uint32_t def_of(const EchoGraph *graph, uint32_t node, uint32_t operand)
{
  return graph->values.data[echo_graph_operands(graph, node)[operand]].def;
}

static bool is_dot(const EchoFuser *fuser, uint32_t node)
{
  return echo_fuser_is_product(fuser, node) &&
         echo_op_kernel_kind(fuser->graph->nodes.data[node].op) == ECHO_KERNEL_CONTRACTION;
}

/* Factors whose tiles a block has room for beside the rows, by the same kind of threads; rows that
 * hold what the second product multiplies in the place of the first one's result. */
bool echo_fuser_multiply_alike(const EchoOp *a, const EchoOp *b)
{
  EchoElementKind rows = echo_type_element_kind(echo_op_result_type(a, 0));
  EchoElementKind kinds[] = {echo_type_element_kind(echo_op_operand_type(a, 0)),
                             echo_type_element_kind(echo_op_operand_type(a, 1)),
                             echo_type_element_kind(echo_op_operand_type(b, 0)),
                             echo_type_element_kind(echo_op_operand_type(b, 1))};
  for (size_t i = 1; i < 4; ++i)
    if (kinds[i] != kinds[0])
      return false;
  if (rows != kinds[0] && rows != ECHO_ELEMENT_F32)
    return false;
  bool is_half = kinds[0] == ECHO_ELEMENT_F16 || kinds[0] == ECHO_ELEMENT_BF16;
  return is_half || (kinds[0] == ECHO_ELEMENT_F32 &&
                     echo_stablehlo_allows_tf32(a) == echo_stablehlo_allows_tf32(b));
}

/* A reduction of rows, a map of them place by place or of one element a row, or what spreads one
 * over its row. */
static bool keeps_rows(const EchoGraph *graph, uint32_t node, const Chain *chain)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  if (entry->n_results != 1)
    return false;
  int64_t n = graph->values.data[entry->first_result].n_elements;
  int64_t n_read = graph->values.data[echo_graph_operands(graph, node)[0]].n_elements;
  if (entry->kind == ECHO_NODE_REDUCE)
    return n == chain->n_rows && n_read == chain->n_elements &&
           echo_reduces_in_any_order(entry->op) && echo_reduces_rows(entry->op);
  if (entry->is_broadcast)
    return n_read == chain->n_rows && (n == n_read || n == chain->n_elements) &&
           echo_broadcasts_rows(entry->op);
  bool is_map =
      entry->kind == ECHO_NODE_RESHAPE || (entry->kind == ECHO_NODE_MAP && entry->is_elementwise);
  return is_map && (n == chain->n_rows || n == chain->n_elements);
}

static bool is_link(const Chain *chain, uint32_t node)
{
  for (uint32_t i = 0; i < chain->n_links; ++i)
    if (chain->links[i] == node)
      return true;
  return false;
}

/* A part of another chain runs where that does. */
static uint32_t runs_at(const EchoFuser *fuser, uint32_t node)
{
  uint32_t group = fuser->chain_of.data[node];
  return group != ECHO_NONE ? fuser->groups.data[group].root : node;
}

/* Fills the links: what is made of the first product before the second one runs. False where that
 * is anything but rows; who reads them later reads what the kernel has written. */
static bool find_links(const EchoFuser *fuser, Chain *chain)
{
  const EchoGraph *graph = fuser->graph;
  chain->links[0] = chain->first;
  chain->n_links = 1;
  chain->is_read_elsewhere = false;
  for (uint32_t i = 0; i < chain->n_links; ++i) {
    uint32_t value = graph->nodes.data[chain->links[i]].first_result;
    const uint32_t *uses = echo_graph_uses(graph, value);
    for (uint32_t k = 0; k < graph->values.data[value].n_uses; ++k) {
      uint32_t user = uses[k];
      bool is_multiplied =
          user == chain->second && echo_graph_operands(graph, user)[1 - chain->operand] != value;
      if (echo_fuser_is_tie(fuser, user, value) || is_multiplied || is_link(chain, user))
        continue;
      if (runs_at(fuser, user) > chain->root) {
        chain->is_read_elsewhere = true;
        continue;
      }
      if (fuser->chain_of.data[user] != ECHO_NONE || echo_fuser_is_remade(fuser, user) ||
          chain->n_links == MAX_LINKS || user > chain->second || !keeps_rows(graph, user, chain))
        return false;
      chain->links[chain->n_links++] = user;
    }
  }
  return true;
}

/* What the arithmetic between the products takes, in bytes of traffic: done for what reduces the
 * rows, and again for what is multiplied. */
static double bytes_between(const EchoFuser *fuser, const Chain *chain)
{
  double bytes = 0;
  bool has_reduce = false;
  for (uint32_t i = 1; i < chain->n_links; ++i) {
    uint32_t node = chain->links[i];
    has_reduce |= fuser->graph->nodes.data[node].kind == ECHO_NODE_REDUCE;
    bytes += echo_fuser_elements(fuser, node) * echo_fuser_arithmetic_bytes(fuser, node);
  }
  return has_reduce ? 2 * bytes : bytes;
}

/* What the second product reads is the first one's result, or one of the links, row for row. */
static bool fits(const EchoFuser *fuser, Chain *chain)
{
  const EchoGraph *graph = fuser->graph;
  const EchoGraphNode *first = &graph->nodes.data[chain->first];
  const EchoGraphNode *second = &graph->nodes.data[chain->second];
  const EchoGraphValue *made = &graph->values.data[first->first_result];
  return made->n_elements == chain->n_elements && !echo_fuser_is_remade(fuser, chain->first) &&
         !echo_fuser_makes_again(fuser, chain->first) &&
         echo_fuser_multiply_alike(first->op, second->op) &&
         echo_fuser_may_wait(fuser, chain->first, chain->root) && find_links(fuser, chain) &&
         echo_fuser_rows_pay(fuser, &(EchoRowProducts){.first = chain->first,
                                                       .second = chain->second,
                                                       .operand = chain->operand,
                                                       .n_rows = chain->n_rows,
                                                       .between_bytes = bytes_between(fuser, chain),
                                                       .is_written = chain->is_read_elsewhere});
}

/* Looks for the first product behind what the second one reads: the first of them that fits. */
static bool find_first(const EchoFuser *fuser, Chain *chain)
{
  const EchoGraph *graph = fuser->graph;
  uint32_t seen[MAX_LINKS], n_seen = 0;
  uint32_t from = def_of(graph, chain->second, chain->operand);
  if (from != ECHO_NONE)
    seen[n_seen++] = from;
  for (uint32_t i = 0; i < n_seen; ++i) {
    const EchoGraphNode *entry = &graph->nodes.data[seen[i]];
    if (is_dot(fuser, seen[i])) {
      chain->first = seen[i];
      if (fits(fuser, chain))
        return true;
      continue;
    }
    for (uint32_t k = 0; k < entry->n_operands && keeps_rows(graph, seen[i], chain); ++k) {
      uint32_t def = def_of(graph, seen[i], k);
      bool is_new = def != ECHO_NONE && n_seen < MAX_LINKS;
      for (uint32_t j = 0; j < n_seen && is_new; ++j)
        is_new = seen[j] != def;
      if (is_new)
        seen[n_seen++] = def;
    }
  }
  return false;
}

bool echo_fuser_find_chain(EchoFuser *fuser, uint32_t product, uint32_t group)
{
  const EchoGraph *graph = fuser->graph;
  const EchoOp *op = graph->nodes.data[product].op;
  if (!is_dot(fuser, product) || fuser->groups.data[group].row_elements != 0)
    return false;
  for (uint32_t operand = 0; operand < 2; ++operand) {
    uint32_t value = echo_graph_operands(graph, product)[operand];
    Chain chain = {.second = product, .operand = operand, .root = fuser->groups.data[group].root};
    chain.n_elements = graph->values.data[value].n_elements;
    chain.n_rows = echo_fuser_factor_rows(fuser, product, operand);
    if (chain.n_rows < 1 || chain.n_rows == chain.n_elements ||
        value == echo_graph_operands(graph, product)[1 - operand] ||
        !echo_stablehlo_dot_has_rows(op, operand) || !find_first(fuser, &chain))
      continue;
    if (fuser->groups.data[group].n_members + chain.n_links > fuser->options->max_members)
      continue;
    for (uint32_t i = 0; i < chain.n_links; ++i)
      fuser->chain_of.data[chain.links[i]] = group;
    return true;
  }
  return false;
}
