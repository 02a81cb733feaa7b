/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What may stand before a product in its kernel, and what that costs: elements of an operand are
 * made where they are brought to a tile, so that the operand is nowhere in memory, but as often as
 * there are tiles that read it. */
#include "dialects/stablehlo/precision.h"
#include "planning/schedule/fusion_t.h"

/* Of a target's own tiles of products: as large as this where they fill the chip, else halved.
 * lowering/kernels/gpu_contraction.c and gpu_tensor_core.c choose by their cost in instructions; a
 * tile that is half of this repeats twice as much of something that is small. */
#define LARGEST_TILE 64.0
#define LEAST_TILE 16.0
#define MULTIPROCESSORS 128.0
/* Instructions to bring one element through registers, where a copy past them takes a part of one:
 * 0.8 where eight come at once, 2 where one does (bench/results/gpu_kernels.md). */
#define BRINGING_FLOPS 2.0

/* Contractions ask for each element once a tile; a convolution asks once a tap. What is read across
 * memory has a kernel of its own, and an update writes what others read. */
bool echo_fuser_may_be_factor(const EchoFuser *fuser, uint32_t node, uint32_t user)
{
  const EchoGraph *graph = fuser->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  return echo_op_kernel_kind(graph->nodes.data[user].op) == ECHO_KERNEL_CONTRACTION &&
         (entry->kind == ECHO_NODE_MAP || entry->kind == ECHO_NODE_RESHAPE ||
          entry->kind == ECHO_NODE_CONSTANT) &&
         !fuser->is_turned.data[node] && !entry->is_update;
}

static double n_elements(const EchoGraph *graph, uint32_t value)
{
  return (double)graph->values.data[value].n_elements;
}

static double n_tiles(double n, double tile)
{
  double tiles = n / tile;
  return tiles > (double)(int64_t)tiles ? (double)(int64_t)tiles + 1 : tiles;
}

typedef struct Sizes {
  double batch, m, n, k;
} Sizes;

/* 2 batch m n k operations make batch m n results of batch m k and batch k n elements; batch 0: it
 * is not known. */
static Sizes sizes_of(const EchoGraph *graph, uint32_t product)
{
  const EchoGraphNode *entry = &graph->nodes.data[product];
  const uint32_t *operands = echo_graph_operands(graph, product);
  double lhs = n_elements(graph, operands[0]), rhs = n_elements(graph, operands[1]);
  double results = n_elements(graph, entry->first_result);
  double k = results > 0 ? entry->cost.flops / 2 / results : 0;
  double batch = k > 0 ? lhs * rhs / (results * k * k) : 0;
  return batch > 0 ? (Sizes){batch, lhs / batch / k, rhs / batch / k, k} : (Sizes){0, 0, 0, 0};
}

static double tile_of(const Sizes *sizes)
{
  double tile = LARGEST_TILE;
  while (tile > LEAST_TILE &&
         sizes->batch * n_tiles(sizes->m, tile) * n_tiles(sizes->n, tile) < MULTIPROCESSORS)
    tile /= 2;
  return tile;
}

/* Tensor cores make twice as many rows at least. */
static double least_rows(const EchoOp *op)
{
  const EchoType *factor = echo_op_operand_type(op, 0);
  bool is_whole = echo_type_element_bytes(echo_type_element(factor)) >= 4;
  return is_whole && !echo_stablehlo_allows_tf32(op) ? LEAST_TILE : 2 * LEAST_TILE;
}

double echo_fuser_factor_evaluations(const EchoFuser *fuser, uint32_t product, uint32_t position,
                                     bool has_whole_rows)
{
  Sizes sizes = sizes_of(fuser->graph, product);
  if (sizes.batch <= 0)
    return 0;
  double tile = tile_of(&sizes);
  double rows = has_whole_rows ? least_rows(fuser->graph->nodes.data[product].op) : tile;
  return sizes.batch * sizes.k *
         (position == 0 ? sizes.m * n_tiles(sizes.n, tile) : sizes.n * n_tiles(sizes.m, rows));
}

/* The least tile that has rows whole reads the right operand as often as there are such tiles. That
 * must not cost more than the rows would on their way through memory. Nor may a chip that is not
 * full have fewer blocks than tiles of any shape (bench/results/gpu_kernels.md). */
bool echo_fuser_has_whole_rows(const EchoFuser *fuser, uint32_t product, int64_t n_rows)
{
  const EchoGraph *graph = fuser->graph;
  const EchoGraphNode *entry = &graph->nodes.data[product];
  const EchoGraphValue *made = &graph->values.data[entry->first_result];
  Sizes sizes = sizes_of(graph, product);
  if (echo_op_kernel_kind(entry->op) != ECHO_KERNEL_CONTRACTION || sizes.batch <= 0 ||
      sizes.batch * sizes.m != (double)n_rows || sizes.n < 2)
    return false;
  double rows = least_rows(entry->op), blocks = sizes.batch * n_tiles(sizes.m, rows);
  double element_bytes = (double)made->bytes / (double)made->n_elements;
  double tile = tile_of(&sizes), above = sizes.batch * n_tiles(sizes.m, tile);
  double blocks_alone = above * n_tiles(sizes.n, tile), enough = MULTIPROCESSORS;
  enough = blocks_alone < enough ? blocks_alone : enough;
  if (rows * sizes.n * element_bytes > (double)ECHO_ROW_TILE_BYTES || blocks < enough)
    return false;
  double more = blocks - above;
  double right = (double)graph->values.data[echo_graph_operands(graph, product)[1]].bytes;
  double read = more > 0 ? more * right / sizes.batch * fuser->options->cached_bytes : 0;
  return read <= 2 * (double)made->bytes + fuser->options->launch_bytes;
}

/* Bytes that are read to make an element of the node, beyond those to read it. */
static double more_read(const EchoFuser *fuser, uint32_t node)
{
  const EchoGraph *graph = fuser->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  const EchoGraphValue *made = &graph->values.data[entry->first_result];
  double read = entry->is_elementwise ? 0 : entry->cost.bytes_read;
  for (uint32_t i = 0; i < entry->n_operands && entry->is_elementwise; ++i)
    read += (double)fuser->read_bytes.data[echo_graph_operands(graph, node)[i]];
  read -= (double)made->bytes;
  return read > 0 ? read / (double)made->n_elements : 0;
}

bool echo_fuser_factor_pays(const EchoFuser *fuser, uint32_t node, double evaluations,
                            bool is_brought)
{
  double elements = echo_fuser_elements(fuser, node);
  if (elements == 0 || fuser->graph->nodes.data[node].kind == ECHO_NODE_RESHAPE)
    return true;
  const EchoFusionOptions *options = fuser->options;
  double cost = (evaluations - elements) * (echo_fuser_element_bytes(fuser, node) +
                                            more_read(fuser, node) * options->cached_bytes);
  if (is_brought)
    cost += evaluations * BRINGING_FLOPS * options->flop_bytes;
  double saved = 2 * (double)echo_type_static_bytes(echo_fuser_type(fuser, node));
  return cost <= saved + (fuser->is_apart.data[node] ? options->launch_bytes : 0);
}

/* ---- launches ---- */

/* What a kernel of maps could be for: it stands before or behind `node` without one of its own. */
static bool is_made_by_others(const EchoFuser *fuser, uint32_t node)
{
  const EchoGraph *graph = fuser->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  bool is_map = entry->kind == ECHO_NODE_MAP || entry->kind == ECHO_NODE_RESHAPE;
  if (echo_node_is_free_to_remake(graph, node))
    return false;
  if (is_map)
    return graph->values.data[entry->first_result].n_uses != 1 || !fuser->is_apart.data[node];
  return entry->kind == ECHO_NODE_REDUCE || echo_fuser_is_product(fuser, node);
}

void echo_fuser_find_apart(EchoFuser *fuser)
{
  const EchoGraph *graph = fuser->graph;
  echo_vector_reserve(&fuser->is_apart, graph->nodes.size + 1);
  for (uint32_t node = 0; node < graph->nodes.size && fuser->options->fuses_products; ++node) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    bool is_apart = entry->kind == ECHO_NODE_MAP || entry->kind == ECHO_NODE_RESHAPE;
    for (uint32_t i = 0; i < entry->n_operands && is_apart; ++i) {
      uint32_t def = graph->values.data[echo_graph_operands(graph, node)[i]].def;
      is_apart = def == ECHO_NONE || def >= node || !is_made_by_others(fuser, def);
    }
    fuser->is_apart.data[node] = is_apart;
  }
}
