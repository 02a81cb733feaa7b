/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What may stand before a product in its kernel, and what that costs: elements of an operand are
 * made where they are brought to a tile, so that the operand is nowhere in memory, but as often as
 * there are tiles that read it. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "dialects/stablehlo/precision.h"
#include "planning/schedule/fusion_t.h"

/* Of a target's own tiles of products: as large as this where they fill the chip, else halved.
 * lowering/kernels/gpu_contraction.c and gpu_tensor_core.c choose by their cost in instructions; a
 * tile that is half of this repeats twice as much of something that is small. */
#define LARGEST_TILE 64.0
#define LEAST_TILE 16.0
#define MULTIPROCESSORS 128.0
/* Of rows that are but reduced: several blocks stand in a multiprocessor, and what they save is one
 * way through memory (bench/results/gpu_kernels.md). */
#define REDUCED_ROWS_BYTES (32.0 * 1024)
/* Instructions to bring one element through registers, where a copy past them takes a part of one:
 * 0.8 where eight come at once, 2 where one does (bench/results/gpu_kernels.md). */
#define BRINGING_FLOPS 2.0

/* What is read across memory has a kernel of its own, and an update writes what others read. */
bool echo_fuser_may_be_factor(const EchoFuser *fuser, uint32_t node, uint32_t user)
{
  const EchoGraph *graph = fuser->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  return echo_fuser_is_product(fuser, user) &&
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

/* Of a convolution, m are the places of the result, k those of the window and its features: an
 * element is asked for once a tap, in each tile anew. */
static Sizes convolution_sizes(const EchoGraph *graph, uint32_t product)
{
  const EchoGraphNode *entry = &graph->nodes.data[product];
  const EchoType *window = echo_op_operand_type(entry->op, 1);
  int64_t output = echo_stablehlo_conv_dims(entry->op)->kernel_output_feature;
  double batch = (double)(echo_stablehlo_feature_group_count(entry->op) *
                          echo_stablehlo_batch_group_count(entry->op));
  double n_all = (double)echo_type_dim(window, (size_t)output);
  if (n_all == 0)
    return (Sizes){0, 0, 0, 0};
  return (Sizes){batch, n_elements(graph, entry->first_result) / n_all, n_all / batch,
                 n_elements(graph, echo_graph_operands(graph, product)[1]) / n_all};
}

/* 2 batch m n k operations make batch m n results of batch m k and batch k n elements; batch 0: it
 * is not known. */
static Sizes sizes_of(const EchoGraph *graph, uint32_t product)
{
  const EchoGraphNode *entry = &graph->nodes.data[product];
  const uint32_t *operands = echo_graph_operands(graph, product);
  if (echo_op_kernel_kind(entry->op) == ECHO_KERNEL_CONVOLUTION)
    return convolution_sizes(graph, product);
  double lhs = n_elements(graph, operands[0]), rhs = n_elements(graph, operands[1]);
  double results = n_elements(graph, entry->first_result);
  double k = results > 0 ? entry->cost.flops / 2 / results : 0;
  double batch = k > 0 ? lhs * rhs / (results * k * k) : 0;
  return batch > 0 ? (Sizes){batch, lhs / batch / k, rhs / batch / k, k} : (Sizes){0, 0, 0, 0};
}

/* Tensor cores make twice as many rows at least. */
static double least_rows(const EchoOp *op)
{
  const EchoType *factor = echo_op_operand_type(op, 0);
  bool is_whole = echo_type_element_bytes(echo_type_element(factor)) >= 4;
  return is_whole && !echo_stablehlo_allows_tf32(op) ? LEAST_TILE : 2 * LEAST_TILE;
}

static double n_blocks(const Sizes *sizes, double tile)
{
  return sizes->batch * n_tiles(sizes->m, tile) * n_tiles(sizes->n, tile);
}

static double tile_of(const Sizes *sizes)
{
  double tile = LARGEST_TILE;
  while (tile > LEAST_TILE && n_blocks(sizes, tile) < MULTIPROCESSORS)
    tile /= 2;
  return tile;
}

double echo_fuser_chip_share(const EchoFuser *fuser, uint32_t product)
{
  Sizes sizes = sizes_of(fuser->graph, product);
  double tile = tile_of(&sizes), least = least_rows(fuser->graph->nodes.data[product].op);
  double share = n_blocks(&sizes, tile > least ? tile : least) / MULTIPROCESSORS;
  return share > 0 && share < 1 ? share : 1;
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

/* Whether a block has room for as many whole rows as the least tile has, in so many bytes. */
static bool has_room_for_rows(const EchoFuser *fuser, uint32_t product, int64_t n_rows,
                              double room_bytes)
{
  const EchoGraph *graph = fuser->graph;
  const EchoGraphNode *entry = &graph->nodes.data[product];
  const EchoGraphValue *made = &graph->values.data[entry->first_result];
  Sizes sizes = sizes_of(graph, product);
  if (echo_op_kernel_kind(entry->op) != ECHO_KERNEL_CONTRACTION || sizes.batch <= 0 ||
      sizes.batch * sizes.m != (double)n_rows || sizes.n < 2)
    return false;
  double element_bytes = (double)made->bytes / (double)made->n_elements;
  return least_rows(entry->op) * sizes.n * element_bytes <= room_bytes;
}

double echo_fuser_row_tile_bytes(const EchoFuser *fuser, uint32_t product, bool has_columns)
{
  const EchoGraphNode *entry = &fuser->graph->nodes.data[product];
  const EchoGraphValue *made = &fuser->graph->values.data[entry->first_result];
  Sizes sizes = sizes_of(fuser->graph, product);
  double element_bytes = (double)made->bytes / (double)made->n_elements;
  return least_rows(entry->op) * (has_columns ? sizes.m : sizes.n) * element_bytes;
}

bool echo_fuser_result_sizes(const EchoFuser *fuser, uint32_t product, double sizes[3])
{
  Sizes all = sizes_of(fuser->graph, product);
  sizes[0] = all.batch;
  sizes[1] = all.m;
  sizes[2] = all.n;
  return all.batch > 0;
}

/* What the least tile that has rows whole reads more of an operand than tiles of any shape would,
 * in bytes of traffic: once more for each tile of rows that it has more. */
static double more_reading(const EchoFuser *fuser, uint32_t product, uint32_t operand, double m)
{
  const EchoGraph *graph = fuser->graph;
  Sizes sizes = sizes_of(graph, product);
  double tiles = n_tiles(m, least_rows(graph->nodes.data[product].op));
  double more = tiles - n_tiles(m, tile_of(&sizes));
  double bytes = (double)graph->values.data[echo_graph_operands(graph, product)[operand]].bytes;
  return more > 0 ? more * bytes * fuser->options->cached_bytes : 0;
}

/* The least tile that has rows whole reads the right operand as often as there are such tiles. That
 * must not cost more than the rows would on their way through memory. Nor may a chip that is not
 * full have fewer blocks than tiles of any shape (bench/results/gpu_kernels.md). */
bool echo_fuser_has_whole_rows(const EchoFuser *fuser, uint32_t product, int64_t n_rows)
{
  const EchoGraph *graph = fuser->graph;
  const EchoGraphNode *entry = &graph->nodes.data[product];
  if (!has_room_for_rows(fuser, product, n_rows, REDUCED_ROWS_BYTES))
    return false;
  Sizes sizes = sizes_of(graph, product);
  double blocks = sizes.batch * n_tiles(sizes.m, least_rows(entry->op));
  double blocks_alone = n_blocks(&sizes, tile_of(&sizes)), enough = MULTIPROCESSORS;
  enough = blocks_alone < enough ? blocks_alone : enough;
  double made = (double)graph->values.data[entry->first_result].bytes;
  return blocks >= enough &&
         more_reading(fuser, product, 1, sizes.m) <= 2 * made + fuser->options->launch_bytes;
}

int64_t echo_fuser_factor_rows(const EchoFuser *fuser, uint32_t product, uint32_t operand)
{
  Sizes sizes = sizes_of(fuser->graph, product);
  return (int64_t)(sizes.batch * (operand == 0 ? sizes.m : sizes.n));
}

/* What the product's arithmetic takes, in bytes of traffic, on a part of the chip. */
static double product_bytes(const EchoFuser *fuser, uint32_t product, double share)
{
  const EchoGraphNode *entry = &fuser->graph->nodes.data[product];
  bool has_tensor_cores = least_rows(entry->op) > LEAST_TILE;
  return entry->cost.flops / share *
         (has_tensor_cores ? fuser->options->tensor_flop_bytes
                           : fuser->options->product_flop_bytes);
}

double echo_fuser_product_bytes(const EchoFuser *fuser, uint32_t product)
{
  return product_bytes(fuser, product, echo_fuser_chip_share(fuser, product));
}

double echo_fuser_product_bytes_of_rows(const EchoFuser *fuser, uint32_t product, uint32_t first,
                                        bool has_columns)
{
  Sizes sizes = sizes_of(fuser->graph, first);
  double least = least_rows(fuser->graph->nodes.data[first].op);
  double blocks = sizes.batch * n_tiles(has_columns ? sizes.n : sizes.m, least);
  return product_bytes(fuser, product, blocks < MULTIPROCESSORS ? blocks / MULTIPROCESSORS : 1);
}

/* The same, beyond what tiles of any shape take. */
static double more_arithmetic(const EchoFuser *fuser, uint32_t product, double share)
{
  double more = product_bytes(fuser, product, share) -
                product_bytes(fuser, product, echo_fuser_chip_share(fuser, product));
  return more > 0 ? more : 0;
}

/* Against two kernels, of which the first one has what reduces its rows, or three, where what
 * stands in between has all of the chip. */
bool echo_fuser_rows_pay(const EchoFuser *fuser, const EchoRowProducts *products)
{
  const EchoGraph *graph = fuser->graph;
  uint32_t first = products->first, second = products->second;
  const EchoGraphNode *entry = &graph->nodes.data[first];
  Sizes of_first = sizes_of(graph, first), sizes = sizes_of(graph, second);
  if (of_first.batch != sizes.batch ||
      !has_room_for_rows(fuser, first, products->n_rows, fuser->options->row_tile_bytes))
    return false;
  double blocks = sizes.batch * n_tiles(of_first.m, least_rows(entry->op));
  double share = blocks < MULTIPROCESSORS ? blocks / MULTIPROCESSORS : 1;
  double more = more_reading(fuser, first, 1, of_first.m) +
                more_reading(fuser, second, 1 - products->operand, of_first.m) +
                more_arithmetic(fuser, first, share) + more_arithmetic(fuser, second, share) +
                products->between_bytes * (1 / share - 1);
  double made = (double)graph->values.data[entry->first_result].bytes;
  return more <= (products->is_written ? 1 : 2) * made + fuser->options->launch_bytes;
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

/* A convolution finds the places of a transpose as it finds its own, from what runs through memory
 * on. */
bool echo_fuser_is_factor_view(const EchoFuser *fuser, const EchoMembership *member)
{
  const EchoGraphNode *entry = &fuser->graph->nodes.data[member->node];
  bool is_convolved = fuser->groups.data[member->group].kernel == ECHO_KERNEL_CONVOLUTION;
  return entry->kind == ECHO_NODE_RESHAPE ||
         (is_convolved && echo_hlo_opcode(entry->op) == ECHO_HLO_TRANSPOSE);
}

/* Simple operations to bring what one evaluation reads: an element that passes through registers
 * where a copy would have gone past them, and what is read beside the first operand. */
static double bringing_flops(const EchoFuser *fuser, uint32_t node, bool is_brought)
{
  const EchoGraph *graph = fuser->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  uint32_t n_read = 0;
  for (uint32_t i = 0; i < entry->n_operands && entry->is_elementwise; ++i) {
    uint32_t value = echo_graph_operands(graph, node)[i], def = graph->values.data[value].def;
    bool is_broadcast = def != ECHO_NONE && graph->nodes.data[def].is_broadcast;
    uint32_t from = is_broadcast ? echo_graph_operands(graph, def)[0] : value;
    n_read += graph->values.data[from].n_elements > 1;
  }
  return BRINGING_FLOPS * (is_brought + (n_read > 1 ? n_read - 1 : 0));
}

double echo_fuser_arithmetic_bytes(const EchoFuser *fuser, uint32_t node)
{
  bool is_bf16 = echo_type_element_kind(echo_fuser_type(fuser, node)) == ECHO_ELEMENT_BF16;
  return echo_fuser_element_bytes(fuser, node) * (is_bf16 ? fuser->options->bf16_flops : 1);
}

/* Bytes of traffic that one evaluation takes. */
static double evaluation_bytes(const EchoFuser *fuser, uint32_t node, bool is_brought)
{
  return echo_fuser_arithmetic_bytes(fuser, node) +
         bringing_flops(fuser, node, is_brought) * fuser->options->flop_bytes;
}

/* Of a convolution: all that stands before it apart is priced as one, and takes the longer where
 * tiles are few, for they have a part of the chip alone. */
static bool pays_at_taps(const EchoFuser *fuser, uint32_t node, uint32_t group, double evaluations,
                         bool is_brought)
{
  double elements = echo_fuser_elements(fuser, node);
  double made_here = elements * echo_fuser_element_bytes(fuser, node); /* in any kernel */
  double again = (evaluations - elements) * more_read(fuser, node) * fuser->options->cached_bytes;
  double cost = evaluations * evaluation_bytes(fuser, node, is_brought) - made_here + again;
  double others = evaluations * fuser->apart_bytes.data[node];
  double saved = 2 * (double)echo_type_static_bytes(echo_fuser_type(fuser, node));
  double share = fuser->groups.data[group].chip_share;
  return cost <= saved * share || (fuser->is_apart.data[node] &&
                                   cost + others <= (saved + fuser->options->launch_bytes) * share);
}

bool echo_fuser_factor_pays(const EchoFuser *fuser, uint32_t node, uint32_t group,
                            double evaluations, bool is_brought)
{
  double elements = echo_fuser_elements(fuser, node);
  const EchoMembership member = {.node = node, .group = group};
  if (elements == 0 || echo_fuser_is_factor_view(fuser, &member))
    return true;
  if (fuser->groups.data[group].kernel == ECHO_KERNEL_CONVOLUTION)
    return pays_at_taps(fuser, node, group, evaluations, is_brought);
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

/* What it takes to make an element of what the node, which is apart, is made of. */
static double bytes_apart(const EchoFuser *fuser, uint32_t node)
{
  const EchoGraph *graph = fuser->graph;
  double bytes = 0;
  for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
    uint32_t def = graph->values.data[echo_graph_operands(graph, node)[i]].def;
    if (def != ECHO_NONE && fuser->is_apart.data[def])
      bytes += fuser->apart_bytes.data[def] + evaluation_bytes(fuser, def, false);
  }
  return bytes;
}

void echo_fuser_find_apart(EchoFuser *fuser)
{
  const EchoGraph *graph = fuser->graph;
  echo_vector_reserve(&fuser->is_apart, graph->nodes.size + 1);
  echo_vector_reserve(&fuser->apart_bytes, graph->nodes.size + 1);
  bool is_asked = fuser->options->fuses_contractions || fuser->options->fuses_convolutions;
  for (uint32_t node = 0; node < graph->nodes.size && is_asked; ++node) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    bool is_apart = entry->kind == ECHO_NODE_MAP || entry->kind == ECHO_NODE_RESHAPE;
    for (uint32_t i = 0; i < entry->n_operands && is_apart; ++i) {
      uint32_t def = graph->values.data[echo_graph_operands(graph, node)[i]].def;
      is_apart = def == ECHO_NONE || def >= node || !is_made_by_others(fuser, def);
    }
    fuser->is_apart.data[node] = is_apart;
    fuser->apart_bytes.data[node] = is_apart ? bytes_apart(fuser, node) : 0;
  }
}
