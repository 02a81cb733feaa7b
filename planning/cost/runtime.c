/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Times from costs: arithmetic against traffic, kernel by kernel. */
#include "planning/cost/runtime.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/search.h"
#include "dialects/func/build.h"
#include "dialects/kernel/host_call.h"
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/loop.h"
#include "dialects/stablehlo/opcode.h"
#include "dialects/stablehlo/precision.h"
#include "planning/cost/device_model_t.h"
#include "planning/cost/looked_up_t.h"

#define MAX_NS (UINT64_C(1) << 56) /* of one op: sums of many stay in range */

static EchoRateType rate_type(const EchoType *type)
{
  switch (echo_type_element_kind(type)) {
  case ECHO_ELEMENT_F64:
    return ECHO_RATE_F64;
  case ECHO_ELEMENT_F32:
    return ECHO_RATE_F32;
  case ECHO_ELEMENT_F16:
    return ECHO_RATE_F16;
  case ECHO_ELEMENT_BF16:
    return ECHO_RATE_BF16;
  default:
    return ECHO_RATE_INT;
  }
}

/* ---- what the shape of an op does to the rates ---- */

/* Of the machines that have `cores`: bench/results/predict.md holds these against bench/predict's
 * single ops. A column's sums are read and written again at each row: 1.75 operations for one. A
 * row ends in a tree of its lanes, each level of which waits for the one before; the trees of two
 * rows go at the same time. */
#define REDUCED_FLOPS 1.75
#define TREE_LEVELS 4 /* of 16 lanes */
#define ROWS_AT_A_TIME 2.0

/* A maximum of floats keeps NaN and tells the zeros apart: six instructions, which go beside those
 * of other elements and count as two operations (dialects/stablehlo/cost.c). What combines the next
 * element waits for five of them, as long as for 3.5 additions an operation, or where several
 * vectors of a row take turns for 1.75. */
#define EXTREMUM_WAITS 3.5

/* Generated products multiply vectors: fewer results side by side than lanes take what a full
 * vector takes, and a tile's beginning and end as long as so many more products of each result.
 * Where each lane of a convolution has a factor of its own, a product loads two vectors, and each
 * element of the input is copied as a part of one: zeros and all, so many operations. */
#define TILE_PRODUCTS 11
#define COPY_FLOPS 12

static double n_elements(const EchoGraph *graph, uint32_t value)
{
  int64_t n;
  return echo_type_n_elements(echo_graph_type(graph, value), &n) ? (double)n : 0;
}

/* What a vector takes beside the part of it that is used. */
static double idle_lanes(double n_side_by_side)
{
  return n_side_by_side > 0 && n_side_by_side < ECHO_VECTOR_LANES
             ? ECHO_VECTOR_LANES / n_side_by_side
             : 1;
}

static void fill_lanes(double n_side_by_side, EchoWork *work)
{
  work->loop_flops *= idle_lanes(n_side_by_side);
}

/* Of batch x m x k by batch x k x n: the sizes from those of the tensors and the operations,
 * 2 batch m n k. A library copies its operands into the order that it multiplies in, and adds to
 * the result: each is read and written once more, in the cache. Generated loops do the same, but
 * read where it lies what meets few rows, and what they multiply takes its tiles; few terms of many
 * results go to the result as they are. */
static void contraction_work(const EchoGraph *graph, uint32_t node, EchoWork *work)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  bool is_float = work->type == ECHO_RATE_F32 || work->type == ECHO_RATE_F64;
  double out = n_elements(graph, entry->first_result);
  double lhs = n_elements(graph, echo_graph_operands(graph, node)[0]);
  double rhs = n_elements(graph, echo_graph_operands(graph, node)[1]);
  double k = out > 0 ? entry->cost.flops / 2 / out : 0;
  double batch = k > 0 ? lhs * rhs / (out * k * k) : 0;
  if (batch <= 0)
    return;
  double m = lhs / batch / k, n = rhs / batch / k, few = m < n ? m : n, copied = lhs + rhs;
  bool has_few = is_float && few <= (double)ECHO_FEW_ROWS;
  if (has_few)
    copied = lhs < rhs ? lhs : rhs;
  double element_bytes = (double)graph->values.data[entry->first_result].bytes / out;
  bool in_loops = work->type == ECHO_RATE_F32 && k >= (double)ECHO_LEAST_TERMS &&
                  k <= (double)ECHO_FEW_TERMS && out >= (double)ECHO_MANY_RESULTS;
  bool is_library = is_float && !has_few && m * n * k >= (double)ECHO_LIBRARY_PRODUCT && !in_loops;
  in_loops = in_loops && !has_few;
  work->copied_bytes = 2 * (in_loops ? copied : copied + out) * element_bytes;
  if (is_library)
    return;
  work->loop_flops = work->contraction_flops;
  work->contraction_flops = 0;
  fill_lanes(entry->cost.n_side_by_side, work);
  if (!in_loops) /* which leave sums where they belong */
    work->loop_flops += 2 * TILE_PRODUCTS * out;
}

/* The part of a window's places that meet elements of the input and no zeros between them, of a
 * transposed convolution and of the gradient of a strided one: results are made by what they leave
 * when divided by the dilation, each with places of its own (lowering/kernels/convolution_tiles.c,
 * which goes through all places where it cannot do so). */
static double places_used(const EchoOp *op)
{
  EchoWindowDim windows[ECHO_MAX_RANK];
  size_t n = echo_hlo_opcode(op) == ECHO_HLO_CONVOLUTION ? echo_stablehlo_windows(op, windows) : 0;
  double part = 1;
  for (size_t i = 0; i < n; ++i) {
    const EchoWindowDim *w = &windows[i];
    if (w->base_dilation > 1 && w->stride == 1 && w->window_dilation == 1 && w->size > 0)
      part *= (double)((w->size + w->base_dilation - 1) / w->base_dilation) / (double)w->size;
  }
  return part;
}

/* Columns of its products: features, and residues that are beside them. */
static double n_columns(const EchoOp *op, double n_features)
{
  EchoWindowDim windows[ECHO_MAX_RANK];
  const EchoType *result = echo_op_result_type(op, 0);
  size_t n = echo_hlo_opcode(op) == ECHO_HLO_CONVOLUTION ? echo_stablehlo_windows(op, windows) : 0;
  for (size_t i = n; i-- > 0;) {
    int64_t n_out =
        echo_type_dim(result, (size_t)echo_stablehlo_conv_dims(op)->output_spatial.dims[i]);
    double columns = n_features * (double)windows[i].base_dilation;
    if (echo_stablehlo_residues_meet(&windows[i], n_out) &&
        columns <= (double)ECHO_CONVOLUTION_COLUMNS)
      n_features = columns;
  }
  return n_features;
}

static void convolution_work(const EchoGraph *graph, uint32_t node, EchoWork *work)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  double n = entry->cost.n_side_by_side, results = n_elements(graph, entry->first_result);
  work->loop_flops = work->contraction_flops * places_used(entry->op);
  work->contraction_flops = 0;
  if (n <= 0)
    return;
  if (entry->cost.has_own_factors) {
    work->loop_flops *= 2;
    work->simple_flops += COPY_FLOPS * n_elements(graph, echo_graph_operands(graph, node)[0]);
  } else {
    work->loop_flops += 2 * TILE_PRODUCTS * results;
    n = n_columns(entry->op, n);
  }
  fill_lanes(n, work);
}

static bool is_extremum(const EchoOp *op, const EchoWork *work)
{
  EchoHloOpcode opcode =
      op->n_regions > 0 ? echo_hlo_combiner(&op->regions[0]) : ECHO_N_HLO_OPCODES;
  return (opcode == ECHO_HLO_MAXIMUM || opcode == ECHO_HLO_MINIMUM) && work->type != ECHO_RATE_INT;
}

/* Additions that take as long as what the next combination waits for: for each operation of the
 * body of a reduction or a window. On a GPU a maximum is one instruction. */
static double waits(const EchoOp *op, const EchoWork *work, const EchoDeviceModel *device)
{
  return device->cores > 0 && is_extremum(op, work) ? EXTREMUM_WAITS : 1;
}

/* Several chains side by side use as many lanes. */
static void chain_work(const EchoGraphNode *entry, const EchoDeviceModel *device, EchoWork *work)
{
  double n = entry->cost.n_side_by_side;
  double lanes = n < 1 ? 1 : n < ECHO_VECTOR_LANES ? n : ECHO_VECTOR_LANES;
  work->chained_flops = work->simple_flops / lanes * waits(entry->op, work, device);
  work->simple_flops = 0;
  work->transcendentals *= idle_lanes(n);
}

static void reduction_work(const EchoGraph *graph, uint32_t node, const EchoDeviceModel *device,
                           EchoWork *work)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  if (device->cores > 0 && echo_hlo_is_short_reduce(entry->op))
    return; /* operations of a map, side by side */
  if (device->cores > 0 && entry->op->n_regions > 0 &&
      echo_hlo_combiner(&entry->op->regions[0]) == ECHO_N_HLO_OPCODES) { /* no tree: in order */
    if (n_elements(graph, entry->first_result) < (double)ECHO_HLO_ORDERED_RESULTS) {
      work->chained_flops += work->simple_flops;
      work->simple_flops = 0;
    }
    return;
  }
  bool is_rows = echo_op_kernel_kind(entry->op) == ECHO_KERNEL_ROW_REDUCE;
  double n = n_elements(graph, echo_graph_operands(graph, node)[0]);
  double body_flops = n > 0 ? work->simple_flops / n : 0;
  if (!is_rows || is_extremum(entry->op, work)) /* sums of a row go beside what loads it */
    work->simple_flops *= REDUCED_FLOPS;
  if (is_rows)
    work->chained_flops += n_elements(graph, entry->first_result) * TREE_LEVELS * body_flops *
                           waits(entry->op, work, device) / ROWS_AT_A_TIME;
}

static void shape_work(const EchoGraph *graph, uint32_t node, const EchoDeviceModel *device,
                       EchoWork *work)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  EchoKernelKind kind = echo_op_kernel_kind(entry->op);
  if (kind == ECHO_KERNEL_CONVOLUTION) {
    convolution_work(graph, node, work);
  } else if (kind == ECHO_KERNEL_CONTRACTION && entry->n_operands >= 2) {
    contraction_work(graph, node, work);
  } else if (entry->kind == ECHO_NODE_REDUCE) {
    reduction_work(graph, node, device, work);
  }
}

static bool multiplies(const EchoGraphNode *entry)
{
  EchoKernelKind kind = echo_op_kernel_kind(entry->op);
  return entry->is_heavy && (kind == ECHO_KERNEL_CONTRACTION || kind == ECHO_KERNEL_CONVOLUTION);
}

/* What a GPU's tensor cores multiply decides their rate: halves may be summed in f32. */
static bool multiplies_halves(const EchoGraphNode *entry)
{
  if (!multiplies(entry))
    return false;
  EchoElementKind lhs = echo_type_element_kind(echo_op_operand_type(entry->op, 0));
  EchoElementKind rhs = echo_type_element_kind(echo_op_operand_type(entry->op, 1));
  return lhs == rhs && (lhs == ECHO_ELEMENT_F16 || lhs == ECHO_ELEMENT_BF16);
}

/* A product of f32 that tensor cores may make. */
static bool may_be_tf32(const EchoGraph *graph, uint32_t node)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  return multiplies(entry) &&
         echo_type_element_kind(echo_op_operand_type(entry->op, 0)) == ECHO_ELEMENT_F32 &&
         echo_stablehlo_allows_tf32(entry->op);
}

EchoWork echo_node_work(const EchoGraph *graph, uint32_t node, const EchoDeviceModel *device)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  EchoWork work = {.type = ECHO_RATE_F32};
  if (entry->op == NULL || entry->n_results == 0 || entry->kind == ECHO_NODE_BARRIER)
    return work;
  *(entry->is_heavy ? &work.contraction_flops : &work.simple_flops) = entry->cost.flops;
  work.transcendentals = entry->cost.transcendentals;
  work.type = rate_type(device->cores == 0 && multiplies_halves(entry)
                            ? echo_op_operand_type(entry->op, 0)
                            : echo_graph_type(graph, entry->first_result));
  work.allows_tf32 = device->tf32_flops_per_s > 0 && may_be_tf32(graph, node);
  if (entry->is_chain)
    chain_work(entry, device, &work);
  if (device->cores > 0)
    shape_work(graph, node, device, &work);
  return work;
}

static double arithmetic_ns(const EchoWork *work, const EchoDeviceModel *device)
{
  double products = echo_contraction_rate(device, work);
  double loops = device->loop_flops_per_s[work->type];
  const double amounts[] = {work->contraction_flops, work->loop_flops, work->simple_flops,
                            work->transcendentals};
  const double rates[] = {products, loops > 0 ? loops : products,
                          device->simple_flops_per_s[work->type],
                          device->transcendentals_per_s[work->type]};
  double seconds =
      work->chained_flops != 0 ? work->chained_flops / echo_chained_rate(device, work) : 0;
  for (int i = 0; i < 4; ++i)
    if (amounts[i] != 0) /* mostly three are, and a division takes its time */
      seconds += amounts[i] / rates[i];
  seconds += work->copied_bytes / device->cache_bytes_per_s;
  return seconds * 1e9;
}

/* Copies of what a call reads to a GPU's host, and of what it writes back; 0 for what is none. */
static double host_call_ns(const EchoGraph *graph, uint32_t node, const EchoDeviceModel *device)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  if (device->cores > 0 || entry->op == NULL || !echo_kernel_is_host_call(entry->op))
    return 0;
  double ns = 0;
  for (uint32_t i = 0; i < entry->n_operands; ++i) {
    uint32_t operand = echo_graph_operands(graph, node)[i];
    ns += (double)echo_device_model_copy_ns(device, graph->values.data[operand].bytes, true);
  }
  for (uint32_t i = 0; i < entry->n_results; ++i) {
    uint64_t bytes = graph->values.data[entry->first_result + i].bytes;
    ns += (double)echo_device_model_copy_ns(device, bytes, false);
  }
  return ns;
}

double echo_node_ns(const EchoGraph *graph, uint32_t node, const EchoDeviceModel *device)
{
  if (graph->nodes.data[node].is_noted)
    return graph->nodes.data[node].noted_ns;
  EchoWork work = echo_node_work(graph, node, device);
  double ns = arithmetic_ns(&work, device) + host_call_ns(graph, node, device);
  const EchoOp *op = graph->nodes.data[node].op;
  if (device->op_ns == NULL || op == NULL)
    return ns;
  double answer = device->op_ns(op, &work, ns);
  return answer >= 0 && answer < (double)MAX_NS ? answer : ns;
}

void echo_graph_note_ns(EchoGraph *graph, const EchoDeviceModel *device)
{
  for (uint32_t node = 0; node < graph->nodes.size; ++node) {
    double ns = echo_node_ns(graph, node, device);
    graph->nodes.data[node].noted_ns = ns;
    graph->nodes.data[node].is_noted = true;
  }
}

/* An argument that the caller keeps: of a function, but for what it donates or gives for a result.
 */
static bool is_the_callers(const EchoGraphValue *value)
{
  const EchoOp *function = echo_block_parent(echo_value_block(value->value));
  return echo_op_is(function, "func.func") &&
         echo_func_arg_attr_or_null(function, value->index, "tf.aliasing_output") == NULL &&
         echo_func_arg_attr_or_null(function, value->index, "jax.buffer_donor") == NULL;
}

/* A slice, or rows, put into an array that nothing reads any more, and that is not the caller's: a
 * stack that a loop carries, mostly, or the zeros of a gradient. They take the array's place
 * (planning/schedule/in_place.c), and what is moved is the slice, or the rows. */
static bool updates_in_place(const EchoGraph *graph, uint32_t node)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  if (!entry->is_update || entry->n_results != 1)
    return false;
  uint32_t value = echo_graph_operands(graph, node)[0];
  const EchoGraphValue *array = &graph->values.data[value];
  const uint32_t *uses = echo_graph_uses(graph, value);
  if (array->is_captured || array->n_uses == 0 || uses[array->n_uses - 1] != node ||
      (array->n_uses > 1 && uses[array->n_uses - 2] == node))
    return false;
  return array->def != ECHO_NONE || !is_the_callers(array);
}

/* Combines rows with those of its operands, which it reads and writes wherever they are. */
static bool scatters(const EchoGraphNode *entry)
{
  return entry->is_update && echo_hlo_opcode(entry->op) == ECHO_HLO_SCATTER;
}

static double bytes_read(const EchoGraph *graph, const EchoFusion *fusion,
                         const EchoFusionGroup *group, uint32_t value);

/* Of its operand `value` as a member, as far as it reads it. */
static double bytes_read_by(const EchoGraph *graph, const EchoFusion *fusion,
                            const EchoFusionGroup *group, uint32_t node, uint32_t value)
{
  const EchoGraphNode *member = &graph->nodes.data[node];
  double bytes = 0;
  for (uint32_t k = 0; k < member->n_operands; ++k) {
    if (echo_graph_operands(graph, node)[k] != value || (k == 0 && updates_in_place(graph, node)))
      continue;
    if (member->kind == ECHO_NODE_RESHAPE) { /* which reads nothing itself */
      bytes += bytes_read(graph, fusion, group, member->first_result);
      continue;
    }
    double read = member->cost.bytes_read;
    for (uint32_t j = 0; j < member->n_operands; ++j)
      if (j != k)
        read -= (double)graph->values.data[echo_graph_operands(graph, node)[j]].bytes;
    bytes += read > 0 ? read : 0;
  }
  return bytes;
}

#define MOST_READERS 16 /* looked at; of more it is not worth its time */

/* Bytes of a value that the group reads: parts of it where only slices do, of it or of a view. */
static double bytes_read(const EchoGraph *graph, const EchoFusion *fusion,
                         const EchoFusionGroup *group, uint32_t value)
{
  double whole = (double)graph->values.data[value].bytes, parts = 0;
  for (uint32_t i = 0; i < group->n_outputs; ++i) /* a view that is written, too */
    if (fusion->outputs.data[group->first_output + i] == value)
      return whole;
  const uint32_t *members = fusion->members.data + group->first_member;
  const uint32_t *uses = echo_graph_uses(graph, value);
  const uint32_t n = group->n_members, n_uses = graph->values.data[value].n_uses;
  uint32_t first = n_uses > 0 ? echo_lower_bound(uses, n_uses, members[0]) : 0;
  for (uint32_t i = first; i < n_uses && uses[i] <= members[n - 1] && parts < whole; ++i) {
    if (i - first >= MOST_READERS)
      return whole;
    uint32_t at = echo_lower_bound(members, n, uses[i]);
    if (members[at] == uses[i] && (i == first || uses[i] != uses[i - 1]))
      parts += bytes_read_by(graph, fusion, group, uses[i], value);
  }
  return parts < whole ? parts : whole;
}

static double bytes_written(const EchoGraph *graph, uint32_t value)
{
  uint32_t def = graph->values.data[value].def;
  double whole = (double)graph->values.data[value].bytes;
  if (def == ECHO_NONE)
    return whole;
  const EchoGraphNode *entry = &graph->nodes.data[def];
  const uint32_t *operands = echo_graph_operands(graph, def);
  bool is_in_place = updates_in_place(graph, def);
  if (!scatters(entry))
    return is_in_place ? (double)graph->values.data[operands[1]].bytes : whole;
  uint32_t rows = operands[entry->n_operands - entry->n_results + value - entry->first_result];
  return 2 * (double)graph->values.data[rows].bytes + (is_in_place ? 0 : whole);
}

/* Read by nothing but an update in its place; by others before it, which are other kernels, where
 * the update is one of its own. */
static bool is_only_updated(const EchoGraph *graph, const EchoFusionGroup *group, uint32_t value)
{
  uint32_t n_uses = graph->values.data[value].n_uses;
  uint32_t last = n_uses > 0 ? echo_graph_uses(graph, value)[n_uses - 1] : ECHO_NONE;
  return (n_uses == 1 || (n_uses > 1 && last == group->root && group->n_members == 1)) &&
         echo_graph_operands(graph, last)[0] == value && updates_in_place(graph, last);
}

static double traffic_bytes(const EchoGraph *graph, const EchoFusion *fusion,
                            const EchoFusionGroup *group)
{
  double bytes = 0;
  const EchoKernelRow *row = echo_kernel_row(group->kernel);
  bool looks = row->is_fused || row->is_product;
  for (uint32_t i = 0; i < group->n_inputs; ++i) {
    uint32_t input = fusion->inputs.data[group->first_input + i];
    if (group->has_updates && is_only_updated(graph, group, input))
      continue;
    bytes +=
        looks ? bytes_read(graph, fusion, group, input) : (double)graph->values.data[input].bytes;
  }
  for (uint32_t i = 0; i < group->n_outputs; ++i)
    bytes += bytes_written(graph, fusion->outputs.data[group->first_output + i]);
  return bytes;
}

/* Of the calls in it, beside what starts them. */
static uint64_t link_ns(const EchoGraph *graph, const EchoFusion *fusion,
                        const EchoFusionGroup *group, const EchoDeviceModel *device)
{
  double calls = 0, bytes = 0;
  for (uint32_t i = 0; i < group->n_members; ++i) {
    const EchoCost *cost = &graph->nodes.data[fusion->members.data[group->first_member + i]].cost;
    calls += cost->link_calls;
    bytes += cost->link_bytes;
  }
  return calls > 0 ? echo_device_model_link_ns(device, calls, bytes) : 0;
}

/* Of arithmetic and traffic, on all of the device's cores. */
static double work_ns(const EchoGraph *graph, const EchoFusion *fusion,
                      const EchoFusionGroup *group, const EchoDeviceModel *device)
{
  double arithmetic_ns = 0, times[ECHO_MOST_LOOKED_AT];
  bool looks_up = echo_find_times(graph, fusion, group, times);
  for (uint32_t i = 0; i < group->n_members; ++i) {
    double ns = echo_node_ns(graph, fusion->members.data[group->first_member + i], device);
    arithmetic_ns += looks_up ? ns * times[i] : ns;
  }
  return echo_device_model_busy_ns(device, arithmetic_ns, traffic_bytes(graph, fusion, group),
                                   group->kernel == ECHO_KERNEL_TRANSPOSE);
}

uint64_t echo_group_ns(const EchoGraph *graph, const EchoFusion *fusion, uint32_t g,
                       const EchoDeviceModel *device)
{
  const EchoFusionGroup *group = &fusion->groups.data[g];
  if (group->kind == ECHO_GROUP_VIEW || group->kind == ECHO_GROUP_BLOB ||
      group->kind == ECHO_GROUP_RETURN)
    return 0;
  if (group->kind == ECHO_GROUP_CONTROL)
    return graph->nodes.data[group->root].inner_ns;
  double ns = echo_device_model_kernel_ns(device, work_ns(graph, fusion, group, device));
  uint64_t rounded_ns = ns < (double)MAX_NS ? (uint64_t)(ns + 0.5) : MAX_NS;
  return rounded_ns + link_ns(graph, fusion, group, device);
}

/* ---- a block with calls beside it ---- */

static const uint64_t NEVER = UINT64_MAX;

typedef struct Clock {
  const EchoGraph *graph;
  const EchoFusion *fusion;
  const EchoDeviceModel *device;
  uint64_t now_ns, link_free_ns;
  uint64_t *there_ns; /* by value: from when on it may be read; NEVER: its maker is put off */
} Clock;

static bool is_beside(const EchoGraph *graph, const EchoFusionGroup *group)
{
  return graph->nodes.data[group->root].cost.is_beside;
}

static uint64_t may_begin_ns(const Clock *clock, const EchoFusionGroup *group)
{
  uint64_t latest = 0;
  for (uint32_t i = 0; i < group->n_inputs; ++i) {
    uint64_t there = clock->there_ns[clock->fusion->inputs.data[group->first_input + i]];
    latest = there > latest ? there : latest;
  }
  return latest;
}

static void set_there(Clock *clock, const EchoFusionGroup *group, uint64_t ns)
{
  for (uint32_t i = 0; i < group->n_outputs; ++i)
    clock->there_ns[clock->fusion->outputs.data[group->first_output + i]] = ns;
}

/* A call's token, its first result, says only that it has begun: the next one goes behind it. */
static void run_group(Clock *clock, uint32_t g)
{
  const EchoFusionGroup *group = &clock->fusion->groups.data[g];
  uint64_t ns = echo_group_ns(clock->graph, clock->fusion, g, clock->device);
  if (!is_beside(clock->graph, group)) {
    clock->now_ns += ns;
    set_there(clock, group, clock->now_ns);
    return;
  }
  uint64_t start_ns = (uint64_t)echo_device_model_call_ns(clock->device);
  start_ns = start_ns < ns ? start_ns : ns;
  clock->now_ns += start_ns;
  if (clock->link_free_ns < clock->now_ns)
    clock->link_free_ns = clock->now_ns;
  clock->link_free_ns += ns - start_ns;
  set_there(clock, group, clock->link_free_ns);
  clock->there_ns[clock->graph->nodes.data[group->root].first_result] = clock->now_ns;
}

/* As planning/overlap has it where memory allows: what a call under way still owes something to is
 * put off behind what it owes nothing to, and waited for when nothing else is left. */
static uint64_t overlapped_ns(const EchoGraph *graph, const EchoFusion *fusion,
                              const EchoDeviceModel *device)
{
  Clock clock = {.graph = graph, .fusion = fusion, .device = device};
  const EchoFusionGroup *groups = fusion->groups.data;
  uint32_t *put_off = echo_alloc_array(fusion->groups.size + 1, sizeof *put_off);
  size_t first = 0, end = 0;
  clock.there_ns = echo_alloc_zero(graph->values.size + 1, sizeof *clock.there_ns);
  for (uint32_t g = 0; g < fusion->groups.size; ++g) {
    while (first < end && may_begin_ns(&clock, &groups[put_off[first]]) <= clock.now_ns)
      run_group(&clock, put_off[first++]);
    if (may_begin_ns(&clock, &groups[g]) <= clock.now_ns) {
      run_group(&clock, g);
      continue;
    }
    put_off[end++] = g;
    set_there(&clock, &groups[g], NEVER);
  }
  for (; first < end; ++first) {
    uint64_t begin_ns = may_begin_ns(&clock, &groups[put_off[first]]);
    clock.now_ns = begin_ns > clock.now_ns ? begin_ns : clock.now_ns;
    run_group(&clock, put_off[first]);
  }
  echo_free(clock.there_ns);
  echo_free(put_off);
  return clock.now_ns > clock.link_free_ns ? clock.now_ns : clock.link_free_ns;
}

uint64_t echo_fusion_ns(const EchoGraph *graph, const EchoFusion *fusion,
                        const EchoDeviceModel *device)
{
  uint64_t ns = 0;
  bool has_calls = false;
  for (uint32_t g = 0; g < fusion->groups.size; ++g) {
    has_calls = has_calls || is_beside(graph, &fusion->groups.data[g]);
    ns += has_calls ? 0 : echo_group_ns(graph, fusion, g, device);
  }
  return has_calls ? overlapped_ns(graph, fusion, device) : ns;
}

uint64_t echo_control_ns(const EchoOp *op, const uint64_t *region_ns)
{
  EchoCountedLoop counted;
  bool is_loop = echo_op_has_trait(op, ECHO_LOOP);
  uint64_t trips = is_loop && echo_hlo_counted_loop(op, &counted) ? (uint64_t)counted.n_trips : 1;
  uint64_t total = 0;
  for (size_t r = 0; r < op->n_regions; ++r) {
    uint64_t ns = region_ns[r], all;
    if (!is_loop)
      total = total > ns ? total : ns;
    else if (echo_mul_u64(ns, r == 0 ? trips + 1 : trips, &all) && all < MAX_NS)
      total += all; /* the condition runs once more than the body */
    else
      total = MAX_NS;
  }
  return total < MAX_NS ? total : MAX_NS;
}

/* One kernel as a graph of one group. */
typedef struct WholeKernel {
  EchoGraph graph;
  EchoFusion fusion;
} WholeKernel;

static void create_whole(WholeKernel *whole, const EchoOp *kernel)
{
  echo_graph_create(&whole->graph, kernel->regions[0].first);
  echo_fusion_create_whole(&whole->fusion, &whole->graph, echo_kernel_kind(kernel));
}

static void destroy_whole(WholeKernel *whole)
{
  echo_fusion_destroy(&whole->fusion);
  echo_graph_destroy(&whole->graph);
}

uint64_t echo_kernel_ns(const EchoOp *kernel, const EchoDeviceModel *device)
{
  WholeKernel whole;
  create_whole(&whole, kernel);
  uint64_t ns = echo_group_ns(&whole.graph, &whole.fusion, 0, device);
  destroy_whole(&whole);
  return ns;
}

uint64_t echo_launch_ns(const EchoOp *kernel, const EchoOp *launch, const EchoDeviceModel *device)
{
  WholeKernel whole;
  create_whole(&whole, kernel);
  uint32_t n_inputs = whole.graph.n_arguments;
  for (uint32_t i = 0; i < n_inputs && i < launch->n_operands; ++i) {
    bool is_result = false;
    for (size_t k = n_inputs; k < launch->n_operands && !is_result; ++k)
      is_result = echo_op_operand(launch, k) == echo_op_operand(launch, i);
    whole.graph.values.data[i].is_captured = !is_result; /* somebody else's: it stays as it is */
  }
  uint64_t ns = echo_group_ns(&whole.graph, &whole.fusion, 0, device);
  destroy_whole(&whole);
  return ns;
}

bool echo_kernel_updates(const EchoOp *kernel)
{
  const EchoBlock *body = kernel->regions[0].first;
  for (const EchoOp *op = body->first; op != NULL; op = op->next)
    if (echo_op_has_trait(op, ECHO_UPDATES))
      return true;
  return false;
}

double echo_kernel_busy_ns(const EchoOp *kernel, const EchoDeviceModel *device)
{
  WholeKernel whole;
  create_whole(&whole, kernel);
  double ns = work_ns(&whole.graph, &whole.fusion, &whole.fusion.groups.data[0], device);
  destroy_whole(&whole);
  return ns;
}

void echo_kernel_amounts(const EchoOp *kernel, double *bytes, double *flops)
{
  WholeKernel whole;
  create_whole(&whole, kernel);
  *bytes = traffic_bytes(&whole.graph, &whole.fusion, &whole.fusion.groups.data[0]);
  *flops = 0;
  for (size_t i = 0; i < whole.graph.nodes.size; ++i) {
    const EchoCost *cost = &whole.graph.nodes.data[i].cost;
    *flops += cost->flops + cost->transcendentals;
  }
  destroy_whole(&whole);
}

int64_t echo_grain(const EchoDeviceModel *device, int64_t n, double total_ns)
{
  int64_t n_portions = (int64_t)echo_device_model_portions(device, total_ns);
  n_portions = n_portions > n ? n : n_portions;
  n_portions = n_portions < 1 ? 1 : n_portions;
  int64_t grain = (n + n_portions - 1) / n_portions;
  return grain < 1 ? 1 : grain;
}

static const char MODEL[] = "device model";

bool echo_context_register_device_model(EchoContext *ctx, const EchoDeviceModel *model,
                                        EchoBuffer *error)
{
  EchoDeviceModel shipped;
  if (!echo_device_model_check(model, error))
    return false;
  if (!echo_device_model_find(echo_str(model->name), &shipped) &&
      echo_context_register_row(ctx, MODEL, model->name, model))
    return true;
  echo_buffer_printf(error, "two device models are named '%s'", model->name);
  return false;
}

const EchoDeviceModel *echo_context_device_model_or_null(const EchoContext *ctx, EchoStr name)
{
  return echo_context_row_or_null(ctx, MODEL, name);
}

bool echo_device_model_load(EchoContext *ctx, EchoLoc loc, EchoStr name, EchoDeviceModel *model)
{
  if (name.size == 0) {
    echo_device_model_default(model);
    return true;
  }
  const EchoDeviceModel *registered = echo_context_device_model_or_null(ctx, name);
  if (registered != NULL)
    *model = *registered;
  if (registered != NULL || echo_device_model_find(name, model))
    return true;
  EchoBuffer path = {0}, error = {0};
  EchoFile file;
  echo_buffer_append_str(&path, name);
  bool is_fine = echo_file_read(echo_buffer_c_str(&path), &file, &error);
  if (is_fine) {
    is_fine = echo_device_model_parse((EchoStr){file.data, file.size}, model, &error);
    echo_file_close(&file);
  }
  if (!is_fine)
    echo_error(ctx, loc, "device model '%s': %s", echo_buffer_c_str(&path),
               echo_buffer_c_str(&error));
  echo_buffer_destroy(&path);
  echo_buffer_destroy(&error);
  return is_fine;
}
