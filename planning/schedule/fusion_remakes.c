/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Products that multiply the same rows, or columns of them, each in a kernel that makes them again:
 * attention and its gradient have scores in four kernels then, and in no memory. A kernel that has
 * rows whole writes what others want of them by the row (a softmax's largest element and sum), and
 * who has columns reads that.
 *
 *   cone    what a product multiplies, back to the first products of it
 *   hold    nobody outside reads anything that is as large, and all else is written in time
 *   price   arithmetic that is done again, against what would go through memory
 *
 * What is found is of whole families: with one reader more the rows are written, and the others do
 * better to read them. Then fusion_chains.c has its turn. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "planning/schedule/fusion_t.h"

#include <stdlib.h>

enum {
  MAX_NODES = 64, /* of one cone: a softmax and its gradient have some thirty */
  MAX_FIRST = 2   /* products that rows are made of: a gradient's has those of weights, too */
};

typedef struct Cone {
  const EchoFuser *fuser;
  uint32_t second, operand;
  bool has_columns, has_reduce;
  int64_t n_elements, n_rows; /* of what is multiplied, and of what has one a row */
  uint32_t nodes[MAX_NODES], n_nodes;
  uint32_t firsts[MAX_FIRST], n_firsts;
} Cone;

typedef enum NodeKind { OTHER, FIRST, WHOLE, ROW } NodeKind;

static uint32_t def_of(const EchoGraph *graph, uint32_t node, uint32_t operand)
{
  return graph->values.data[echo_graph_operands(graph, node)[operand]].def;
}

static uint32_t value_of(const EchoGraph *graph, uint32_t node)
{
  return graph->nodes.data[node].first_result;
}

static bool is_dot(const EchoFuser *fuser, uint32_t node)
{
  return echo_fuser_is_product(fuser, node) &&
         echo_op_kernel_kind(fuser->graph->nodes.data[node].op) == ECHO_KERNEL_CONTRACTION;
}

/* ---- the cone ---- */

/* What of the rows the node makes; OTHER: it is read from memory. */
static NodeKind kind_of(const Cone *cone, uint32_t node)
{
  const EchoGraph *graph = cone->fuser->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  if (entry->n_results != 1 || entry->n_operands == 0)
    return OTHER;
  int64_t n = graph->values.data[entry->first_result].n_elements;
  int64_t n_read = graph->values.data[echo_graph_operands(graph, node)[0]].n_elements;
  NodeKind kind = n == cone->n_elements ? WHOLE : n == cone->n_rows ? ROW : OTHER;
  if (kind == WHOLE && is_dot(cone->fuser, node))
    return FIRST;
  if (entry->kind == ECHO_NODE_REDUCE)
    return kind == ROW && n_read == cone->n_elements && echo_reduces_in_any_order(entry->op) &&
                   echo_reduces_rows(entry->op)
               ? ROW
               : OTHER;
  if (entry->is_broadcast)
    return n_read == cone->n_rows && echo_broadcasts_rows(entry->op) ? kind : OTHER;
  bool is_map =
      entry->kind == ECHO_NODE_RESHAPE || (entry->kind == ECHO_NODE_MAP && entry->is_elementwise);
  return is_map ? kind : OTHER;
}

static bool has_node(const Cone *cone, uint32_t node)
{
  for (uint32_t i = 0; i < cone->n_nodes; ++i)
    if (cone->nodes[i] == node)
      return true;
  return false;
}

static bool add_node(Cone *cone, uint32_t node)
{
  if (has_node(cone, node))
    return true;
  if (cone->n_nodes == MAX_NODES)
    return false;
  cone->nodes[cone->n_nodes++] = node;
  return true;
}

/* Whether the node's value is read, one element a row: another kernel has the rows whole. */
static bool is_read(const Cone *cone, uint32_t node, NodeKind kind)
{
  return kind == ROW && (cone->has_columns || cone->fuser->rows_of.data[node] != ECHO_NONE);
}

/* The first product is of the same matrices, and by the same kind of threads. */
static bool add_first(Cone *cone, uint32_t node)
{
  const EchoFuser *fuser = cone->fuser;
  double sizes[3], others[3];
  if (cone->n_firsts == MAX_FIRST || fuser->remake_of.data[node] != ECHO_NONE ||
      !echo_fuser_result_sizes(fuser, node, sizes) || sizes[0] * sizes[1] != (double)cone->n_rows ||
      !echo_fuser_multiply_alike(fuser->graph->nodes.data[node].op,
                                 fuser->graph->nodes.data[cone->second].op) ||
      !echo_fuser_result_sizes(fuser, cone->second, others) || sizes[0] != others[0])
    return false;
  cone->firsts[cone->n_firsts++] = node;
  return true;
}

/* Fills the nodes that what the second product multiplies is made of. */
static bool find_nodes(Cone *cone)
{
  const EchoGraph *graph = cone->fuser->graph;
  uint32_t from = def_of(graph, cone->second, cone->operand);
  if (from == ECHO_NONE || kind_of(cone, from) == OTHER || !add_node(cone, from))
    return false;
  for (uint32_t i = 0; i < cone->n_nodes; ++i) {
    uint32_t node = cone->nodes[i];
    NodeKind kind = kind_of(cone, node);
    if (kind == FIRST && !add_first(cone, node))
      return false;
    cone->has_reduce |= graph->nodes.data[node].kind == ECHO_NODE_REDUCE;
    for (uint32_t k = 0; k < graph->nodes.data[node].n_operands && kind != FIRST; ++k) {
      uint32_t def = def_of(graph, node, k);
      NodeKind made = def == ECHO_NONE ? OTHER : kind_of(cone, def);
      if (made != OTHER && !is_read(cone, def, made) && !add_node(cone, def))
        return false;
    }
  }
  return cone->n_firsts != 0;
}

static int compare_nodes(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* Keeps the nodes that are made of the first products, or of what other kernels write of their
 * rows. All others are read, or made by whoever reads them, as in any kernel. */
static void keep_made(Cone *cone)
{
  const EchoGraph *graph = cone->fuser->graph;
  Cone all = *cone;
  qsort(all.nodes, all.n_nodes, sizeof *all.nodes, compare_nodes);
  cone->n_nodes = 0;
  for (uint32_t i = 0; i < all.n_nodes; ++i) {
    uint32_t node = all.nodes[i];
    bool is_made = kind_of(cone, node) == FIRST;
    for (uint32_t k = 0; k < graph->nodes.data[node].n_operands && !is_made; ++k) {
      uint32_t def = def_of(graph, node, k);
      is_made = def != ECHO_NONE &&
                (has_node(cone, def) || (is_read(cone, def, kind_of(cone, def)) &&
                                         cone->fuser->rows_of.data[def] != ECHO_NONE));
    }
    if (is_made)
      cone->nodes[cone->n_nodes++] = node;
  }
}

/* What others make of a row's values before the second product runs is made here, too. */
static bool add_row_maps(Cone *cone)
{
  const EchoGraph *graph = cone->fuser->graph;
  for (uint32_t i = 0; i < cone->n_nodes && !cone->has_columns; ++i) {
    if (kind_of(cone, cone->nodes[i]) != ROW)
      continue;
    uint32_t value = value_of(graph, cone->nodes[i]);
    const uint32_t *uses = echo_graph_uses(graph, value);
    for (uint32_t k = 0; k < graph->values.data[value].n_uses; ++k)
      if (uses[k] < cone->second && kind_of(cone, uses[k]) == ROW && !add_node(cone, uses[k]))
        return false;
  }
  return true;
}

static bool has_room(const Cone *cone)
{
  double bytes = 0;
  for (uint32_t i = 0; i < cone->n_firsts; ++i)
    bytes += echo_fuser_row_tile_bytes(cone->fuser, cone->firsts[i], cone->has_columns);
  return bytes <= cone->fuser->options->row_tile_bytes;
}

static bool find_cone(Cone *cone)
{
  const EchoFuser *fuser = cone->fuser;
  const EchoGraph *graph = fuser->graph;
  const uint32_t *operands = echo_graph_operands(graph, cone->second);
  const EchoOp *op = graph->nodes.data[cone->second].op;
  bool has_rows = echo_stablehlo_dot_has_rows(op, cone->operand);
  double sizes[3];
  cone->n_elements = graph->values.data[operands[cone->operand]].n_elements;
  cone->n_rows = echo_fuser_factor_rows(fuser, cone->second, cone->operand);
  cone->has_columns = !has_rows;
  if (operands[0] == operands[1] || cone->n_rows < 1 || cone->n_rows == cone->n_elements ||
      (!has_rows && !echo_stablehlo_dot_has_columns(op, cone->operand)) ||
      !echo_fuser_result_sizes(fuser, cone->second, sizes))
    return false;
  if (cone->has_columns) /* a row has as many elements as there are columns */
    cone->n_rows = (int64_t)(sizes[0] * ((double)cone->n_elements / (double)cone->n_rows));
  if (cone->n_rows == cone->n_elements || !find_nodes(cone))
    return false;
  keep_made(cone);
  return has_room(cone) && has_node(cone, def_of(graph, cone->second, cone->operand)) &&
         add_row_maps(cone) && cone->n_nodes <= fuser->options->max_members;
}

/* ---- who has what ---- */

static void add_remake(EchoFuser *fuser, Cone *cone)
{
  uint32_t number = (uint32_t)fuser->remakes.size;
  EchoRemake remake = {.second = cone->second,
                       .operand = cone->operand,
                       .has_columns = cone->has_columns,
                       .first_link = (uint32_t)fuser->remake_links.size,
                       .n_links = cone->n_nodes,
                       .deadline = ECHO_NONE,
                       .group = ECHO_NONE,
                       .family = number,
                       .is_valid = true};
  for (uint32_t i = 0; i < cone->n_nodes; ++i) {
    uint32_t node = cone->nodes[i];
    EchoRemakeLink link = {node, number, fuser->link_of.data[node]};
    fuser->link_of.data[node] = (uint32_t)fuser->remake_links.size;
    echo_vector_push(&fuser->remake_links, link);
    if (kind_of(cone, node) == ROW && fuser->rows_of.data[node] == ECHO_NONE)
      fuser->rows_of.data[node] = number;
  }
  echo_vector_push(&fuser->remakes, remake);
  fuser->remake_of.data[cone->second] = number;
}

static bool has_link(const EchoFuser *fuser, uint32_t remake, uint32_t node)
{
  for (uint32_t l = fuser->link_of.data[node]; l != ECHO_NONE;
       l = fuser->remake_links.data[l].next_of_node)
    if (fuser->remake_links.data[l].remake == remake)
      return true;
  return false;
}

/* The first remake that holds and has the node before its second product. */
static uint32_t first_with(const EchoFuser *fuser, uint32_t node)
{
  uint32_t first = ECHO_NONE;
  for (uint32_t l = fuser->link_of.data[node]; l != ECHO_NONE;
       l = fuser->remake_links.data[l].next_of_node) {
    uint32_t remake = fuser->remake_links.data[l].remake;
    if (fuser->remakes.data[remake].is_valid && remake < first)
      first = remake;
  }
  return first;
}

bool echo_fuser_is_remade(const EchoFuser *fuser, uint32_t node)
{
  return fuser->remakes.size != 0 && first_with(fuser, node) != ECHO_NONE;
}

/* ---- what holds ---- */

/* One reader of a link's value. Those of a large one have it in their kernels; a small one is
 * written when the kernel runs. */
static bool reader_holds(EchoFuser *fuser, uint32_t number, uint32_t value, uint32_t user)
{
  EchoRemake *remake = &fuser->remakes.data[number];
  const EchoGraph *graph = fuser->graph;
  bool is_row = fuser->rows_of.data[graph->values.data[value].def] != ECHO_NONE;
  if (has_link(fuser, number, user))
    return true;
  if (user == remake->second)
    return !is_row && echo_graph_operands(graph, user)[1 - remake->operand] != value;
  uint32_t other = fuser->remake_of.data[user];
  if (!is_row && other != ECHO_NONE && fuser->remakes.data[other].is_valid &&
      echo_graph_operands(graph, user)[fuser->remakes.data[other].operand] == value)
    return true;
  uint32_t with = first_with(fuser, user);
  if (!is_row)
    return with != ECHO_NONE;
  uint32_t runs = with != ECHO_NONE ? fuser->remakes.data[with].second : user;
  if (runs < remake->deadline)
    remake->deadline = runs;
  return runs > remake->second;
}

/* What the link reads of other remakes' rows is written by one that runs before; nothing else of
 * theirs is written at all. */
static bool is_made_before(const EchoFuser *fuser, uint32_t number, uint32_t node)
{
  const EchoGraph *graph = fuser->graph;
  for (uint32_t k = 0; k < graph->nodes.data[node].n_operands; ++k) {
    uint32_t def = def_of(graph, node, k);
    if (def == ECHO_NONE || has_link(fuser, number, def))
      continue;
    uint32_t maker = fuser->rows_of.data[def];
    if (maker != ECHO_NONE ? maker > number || !fuser->remakes.data[maker].is_valid
                           : first_with(fuser, def) != ECHO_NONE)
      return false;
  }
  return true;
}

static bool holds(EchoFuser *fuser, uint32_t number)
{
  const EchoGraph *graph = fuser->graph;
  const EchoRemake *remake = &fuser->remakes.data[number];
  fuser->remakes.data[number].deadline = ECHO_NONE;
  for (uint32_t i = 0; i < remake->n_links; ++i) {
    uint32_t node = fuser->remake_links.data[remake->first_link + i].node;
    uint32_t value = value_of(graph, node);
    const uint32_t *uses = echo_graph_uses(graph, value);
    if (fuser->remake_of.data[node] != ECHO_NONE || !is_made_before(fuser, number, node))
      return false;
    for (uint32_t k = 0; k < graph->values.data[value].n_uses; ++k)
      if (!echo_fuser_is_tie(fuser, uses[k], value) && !reader_holds(fuser, number, value, uses[k]))
        return false;
  }
  return true;
}

/* What does not hold takes with it what counted on it. */
static void drop_what_does_not_hold(EchoFuser *fuser)
{
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (uint32_t i = 0; i < fuser->remakes.size; ++i) {
      EchoRemake *remake = &fuser->remakes.data[i];
      if (remake->is_valid && !holds(fuser, i)) {
        remake->is_valid = false;
        is_changed = true;
      }
    }
  }
}

/* ---- families ---- */

/* Those that make the same products again are of one family. */
static void join_families(EchoFuser *fuser)
{
  for (uint32_t i = 0; i < fuser->remakes.size; ++i) {
    EchoRemake *remake = &fuser->remakes.data[i];
    for (uint32_t k = 0; k < remake->n_links && remake->is_valid; ++k) {
      uint32_t node = fuser->remake_links.data[remake->first_link + k].node;
      uint32_t with = is_dot(fuser, node) ? first_with(fuser, node) : ECHO_NONE;
      uint32_t family = with != ECHO_NONE ? fuser->remakes.data[with].family : ECHO_NONE;
      if (family < remake->family)
        remake->family = family;
    }
  }
}

typedef struct Price {
  uint32_t n_remakes, n_firsts;
  bool has_reduce, is_large;
  double more, saved; /* in bytes of traffic */
} Price;

/* What a link takes in the kernel of the remake, and would take once. */
static void price_link(const EchoFuser *fuser, uint32_t number, uint32_t node, Price *price)
{
  const EchoGraph *graph = fuser->graph;
  const EchoRemake *remake = &fuser->remakes.data[number];
  bool is_first_time = first_with(fuser, node) == number;
  price->has_reduce |= graph->nodes.data[node].kind == ECHO_NODE_REDUCE;
  if (!is_dot(fuser, node)) {
    if (!is_first_time)
      price->more += echo_fuser_elements(fuser, node) * echo_fuser_arithmetic_bytes(fuser, node);
    return;
  }
  price->more += echo_fuser_product_bytes_of_rows(fuser, node, node, remake->has_columns);
  if (!is_first_time)
    return;
  double made = (double)graph->values.data[value_of(graph, node)].bytes;
  double read = (double)graph->values.data[echo_graph_operands(graph, node)[0]].bytes;
  price->n_firsts += 1;
  price->is_large |= made > read; /* most of what memory holds of this */
  price->more -= echo_fuser_product_bytes(fuser, node);
}

/* Adds what the remake takes. A value for each of the first products would be written, and read by
 * all kernels but the one that writes the first of them. */
static void price_remake(const EchoFuser *fuser, uint32_t number, Price *price)
{
  const EchoRemake *remake = &fuser->remakes.data[number];
  uint32_t first = ECHO_NONE, n_firsts = price->n_firsts;
  for (uint32_t k = 0; k < remake->n_links; ++k) {
    uint32_t node = fuser->remake_links.data[remake->first_link + k].node;
    price_link(fuser, number, node, price);
    first = is_dot(fuser, node) ? node : first;
  }
  price->more +=
      echo_fuser_product_bytes_of_rows(fuser, remake->second, first, remake->has_columns) -
      echo_fuser_product_bytes(fuser, remake->second);
  double bytes = (double)fuser->graph->values.data[value_of(fuser->graph, first)].bytes;
  price->saved += bytes * (price->n_firsts - n_firsts + (price->n_remakes != 0));
  ++price->n_remakes;
}

/* What is as large as scores of many positions leaves memory, whatever it takes. */
static void drop_what_does_not_pay(EchoFuser *fuser)
{
  Price *prices = echo_alloc_zero(fuser->remakes.size, sizeof *prices); /* by family */
  for (uint32_t i = 0; i < fuser->remakes.size; ++i)
    if (fuser->remakes.data[i].is_valid)
      price_remake(fuser, i, &prices[fuser->remakes.data[i].family]);
  for (uint32_t i = 0; i < fuser->remakes.size; ++i) {
    const Price *price = &prices[fuser->remakes.data[i].family];
    bool pays = price->more <= price->saved || (price->has_reduce && price->is_large);
    fuser->remakes.data[i].is_valid &= price->n_remakes > 1 && pays;
  }
  echo_free(prices);
}

void echo_fuser_find_remakes(EchoFuser *fuser)
{
  const EchoGraph *graph = fuser->graph;
  echo_vector_clear(&fuser->remakes);
  echo_vector_clear(&fuser->remake_links);
  if (!fuser->options->fuses_contractions)
    return;
  EchoNumbers *by_node[] = {&fuser->remake_of, &fuser->link_of, &fuser->rows_of};
  for (size_t i = 0; i < 3; ++i) {
    echo_vector_reserve(by_node[i], graph->nodes.size + 1);
    for (size_t node = 0; node < graph->nodes.size; ++node)
      by_node[i]->data[node] = ECHO_NONE;
  }
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    for (uint32_t operand = 0; operand < 2 && is_dot(fuser, node); ++operand) {
      Cone cone = {.fuser = fuser, .second = node, .operand = operand};
      if (fuser->link_of.data[node] == ECHO_NONE && fuser->remake_of.data[node] == ECHO_NONE &&
          find_cone(&cone))
        add_remake(fuser, &cone);
    }
  if (fuser->remakes.size == 0)
    return;
  drop_what_does_not_hold(fuser);
  join_families(fuser);
  drop_what_does_not_pay(fuser);
  drop_what_does_not_hold(fuser);
}
