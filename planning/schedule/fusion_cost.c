/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What fusion saves and what it costs: arithmetic that is repeated against traffic, bytes that are
 * held back against bytes that are never written. */
#include "dialects/stablehlo/opcode.h"
#include "planning/cost/runtime.h"
#include "planning/schedule/fusion_t.h"

#define MAX_MEMBERS 256 /* bench/results/ablation.md */

EchoFusionOptions echo_fusion_options(const EchoDeviceModel *device, const EchoTargetInfo *target,
                                      EchoLibraryUse libraries)
{
  double bytes = device->memory_bytes_per_s;
  return (EchoFusionOptions){
      .enabled = true,
      .max_members = MAX_MEMBERS,
      .fuses_contractions = target->is_gpu && !libraries.contractions,
      .fuses_convolutions = target->is_gpu && !libraries.convolutions,
      .launch_bytes = device->launch_ns * 1e-9 * bytes,
      .flop_bytes = bytes / device->simple_flops_per_s[ECHO_RATE_F32],
      .transcendental_bytes = bytes / device->transcendentals_per_s[ECHO_RATE_F32],
      .row_tile_bytes = (double)(target->shared_bytes - ECHO_BESIDE_ROWS_BYTES),
      .product_flop_bytes = bytes / device->contraction_flops_per_s[ECHO_RATE_F32],
      .tensor_flop_bytes = bytes / device->contraction_flops_per_s[ECHO_RATE_BF16],
      .cached_bytes = bytes / device->cache_bytes_per_s,
      .bf16_flops =
          device->simple_flops_per_s[ECHO_RATE_F32] / device->simple_flops_per_s[ECHO_RATE_BF16]};
}

bool echo_fusion_options_load(const EchoPassRun *pass, EchoDeviceModel *device,
                              EchoFusionOptions *options)
{
  EchoLibraryUse libraries;
  EchoLoc loc = pass->op->loc;
  const EchoTargetInfo *target =
      echo_target_load_or_null(pass->ctx, loc, echo_pass_option(pass, "target"));
  if (target == NULL || !echo_pass_option_bool(pass, "cublaslt", &libraries.contractions) ||
      !echo_pass_option_bool(pass, "cudnn", &libraries.convolutions) ||
      !echo_device_model_load(pass->ctx, loc, echo_pass_option(pass, "device"), device))
    return false;
  *options = echo_fusion_options(device, target, libraries);
  return true;
}

/* Arithmetic of one element, in bytes of traffic. */
static double element_bytes(const EchoFuser *fuser, uint32_t node)
{
  const EchoGraphNode *entry = &fuser->graph->nodes.data[node];
  const EchoCost *cost = &entry->cost;
  double elements = (double)fuser->graph->values.data[entry->first_result].n_elements;
  double bytes = cost->flops * fuser->options->flop_bytes +
                 cost->transcendentals * fuser->options->transcendental_bytes;
  return elements > 0 ? bytes / elements : 0;
}

static bool is_elementwise(const EchoGraph *graph, uint32_t node)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  return entry->kind == ECHO_NODE_MAP && entry->is_elementwise;
}

/* Computing an element costs no more than reading it. */
static bool is_simple(const EchoFuser *fuser, uint32_t node)
{
  return is_elementwise(fuser->graph, node) &&
         element_bytes(fuser, node) <=
             (double)echo_type_element_bytes(echo_fuser_type(fuser, node));
}

/* A value that kernels can make themselves needs no more than what it is made of. */
static void find_sources(EchoFuser *fuser, const EchoGraphNode *entry)
{
  const EchoGraph *graph = fuser->graph;
  const uint32_t *operands = graph->operands.data + entry->first_operand;
  uint32_t v = entry->first_result;
  uint64_t bytes = graph->values.data[v].bytes, kept = 0, read = 0;
  for (uint32_t i = 0; i < entry->n_operands; ++i) {
    kept += fuser->source_bytes.data[operands[i]];
    read += fuser->read_bytes.data[operands[i]];
  }
  fuser->source_bytes.data[v] = kept < bytes ? kept : bytes;
  fuser->read_bytes.data[v] = read < bytes ? read : bytes;
}

/* Arguments are there anyway: they are read, but nothing is kept for them. */
static bool is_argument(const EchoGraph *graph, uint32_t value)
{
  return graph->values.data[value].def == ECHO_NONE && !graph->values.data[value].is_captured;
}

/* Barriers and reshapes are views: a value stands as long as one of them is read. */
static void find_values(EchoFuser *fuser, uint32_t node)
{
  const EchoGraph *graph = fuser->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  bool is_view = entry->kind == ECHO_NODE_BARRIER || entry->kind == ECHO_NODE_RESHAPE;
  for (uint32_t r = 0; r < entry->n_results; ++r) {
    uint32_t v = entry->first_result + r;
    uint32_t whole =
        is_view ? fuser->whole.data[graph->operands.data[entry->first_operand + r]] : v;
    fuser->whole.data[v] = whole;
    fuser->source_bytes.data[v] =
        is_view && is_argument(graph, whole) ? 0 : graph->values.data[v].bytes;
    fuser->read_bytes.data[v] = graph->values.data[v].bytes;
  }
  if (entry->is_free || is_simple(fuser, node))
    find_sources(fuser, entry);
}

/* Bytes that stay for the node's operands when it runs at node `until`, and would not else. */
static uint64_t bytes_held(const EchoFuser *fuser, uint32_t node, uint32_t until)
{
  const EchoGraphNode *entry = &fuser->graph->nodes.data[node];
  const uint32_t *operands = echo_graph_operands(fuser->graph, node);
  uint64_t held = 0;
  for (uint32_t i = 0; i < entry->n_operands; ++i) {
    bool is_counted = fuser->last_read.data[fuser->whole.data[operands[i]]] >= until;
    for (uint32_t k = 0; k < i && !is_counted; ++k)
      is_counted = fuser->whole.data[operands[k]] == fuser->whole.data[operands[i]];
    held += is_counted ? 0 : fuser->source_bytes.data[operands[i]];
  }
  return held;
}

void echo_fuser_prepare_cost(EchoFuser *fuser)
{
  const EchoGraph *graph = fuser->graph;
  size_t n_values = graph->values.size, n_nodes = graph->nodes.size;
  echo_vector_reserve(&fuser->whole, n_values + 1);
  echo_vector_reserve(&fuser->last_read, n_values + 1);
  memset(fuser->last_read.data, 0, (n_values + 1) * sizeof(uint32_t));
  echo_vector_reserve(&fuser->source_bytes, n_values + 1);
  echo_vector_reserve(&fuser->read_bytes, n_values + 1);
  echo_vector_reserve(&fuser->n_single_before, n_nodes + 2);
  for (uint32_t v = 0; v < graph->n_inputs; ++v) {
    fuser->whole.data[v] = v;
    fuser->source_bytes.data[v] = is_argument(graph, v) ? 0 : graph->values.data[v].bytes;
    fuser->read_bytes.data[v] = graph->values.data[v].bytes;
  }
  uint32_t n_single = 0;
  for (uint32_t node = 0; node < n_nodes; ++node) {
    EchoNodeKind kind = graph->nodes.data[node].kind;
    fuser->n_single_before.data[node] = n_single;
    n_single += kind == ECHO_NODE_SINGLE || kind == ECHO_NODE_CONTROL;
    find_values(fuser, node);
  }
  fuser->n_single_before.data[n_nodes] = n_single;
}

/* Whether an elementwise node is better computed by each of its readers than written once: it must
 * not keep more alive than it makes, and the traffic saved must be worth the arithmetic. */
bool echo_fuser_is_worth_repeating(const EchoFuser *fuser, uint32_t node, size_t n_readers,
                                   double evaluations_more, uint32_t last_reader, bool saves_launch)
{
  const EchoGraph *graph = fuser->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  if (!is_elementwise(graph, node))
    return false;
  uint64_t made = graph->values.data[entry->first_result].bytes;
  double read = 0;
  for (uint32_t i = 0; i < entry->n_operands; ++i)
    read += (double)fuser->read_bytes.data[echo_graph_operands(graph, node)[i]];
  if (bytes_held(fuser, node, last_reader) > made + made / 16)
    return false;
  double readers = (double)n_readers;
  double saved = read + (double)made * (1 + readers) - read * readers;
  saved += saves_launch ? fuser->options->launch_bytes : 0;
  return evaluations_more * element_bytes(fuser, node) <= saved;
}

double echo_fuser_element_bytes(const EchoFuser *fuser, uint32_t node)
{
  const EchoOp *op = fuser->graph->nodes.data[node].op;
  if (echo_op_has_trait(op, ECHO_MOVEMENT) || echo_op_has_trait(op, ECHO_CONSTANT))
    return 0;
  return element_bytes(fuser, node);
}

/* Bytes of traffic that repeating the node's arithmetic takes, against what joining saves. */
bool echo_fuser_pays(const EchoFuser *fuser, uint32_t node, double evaluations)
{
  double elements = echo_fuser_elements(fuser, node);
  if (elements == 0 || evaluations <= elements)
    return true;
  double saved = 2 * (double)echo_type_static_bytes(echo_fuser_type(fuser, node)) +
                 fuser->options->launch_bytes;
  return (evaluations - elements) * echo_fuser_element_bytes(fuser, node) <= saved;
}

/* Joining puts the node off to where its group runs. That must not hold back more than it saves:
 * what the node reads lives on until then, what it makes comes later. Where no other kernel of
 * weight runs in between, it makes no difference. */
bool echo_fuser_may_wait(const EchoFuser *fuser, uint32_t node, uint32_t root)
{
  const EchoGraph *graph = fuser->graph;
  if (fuser->n_single_before.data[root] == fuser->n_single_before.data[node + 1])
    return true;
  return bytes_held(fuser, node, root) <=
         graph->values.data[graph->nodes.data[node].first_result].bytes;
}
