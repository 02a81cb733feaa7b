/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --schedule: block order becomes the order of execution that planning/schedule/order.h finds, for
 * main and, from the inside out, for the blocks of its regions. */
#include "dialects/echo/stages.h"
#include "ir/diagnostics.h"
#include "lowering/lowering.h"
#include "lowering/plan/sink_constants_t.h"
#include "planning/cost/runtime.h"
#include "planning/schedule/order.h"

static void reorder(EchoBlock *block, const EchoGraph *graph, const uint32_t *order)
{
  for (size_t i = 0; i < graph->nodes.size; ++i) {
    EchoOp *op = (EchoOp *)graph->nodes.data[order[i]].op;
    echo_op_unlink(op);
    echo_block_append(block, op);
  }
}

/* What a plugin calls an order: says where it is none. */
static void refuse_order(const EchoOrder *row, const EchoBlock *block, const EchoGraph *graph,
                         const EchoBlockInterface *interface, uint32_t *order)
{
  for (size_t i = 0; i < graph->nodes.size; ++i)
    order[i] = ECHO_NONE;
  row->make(graph, interface, order);
  uint32_t at = echo_order_mistake(graph, order), node = order[at];
  const EchoOp *op =
      node < graph->nodes.size ? graph->nodes.data[node].op : echo_block_parent(block);
  echo_op_error(op, "order '%s' is none: what stands at position %u of %zu cannot run there",
                row->name, at, graph->nodes.size);
}

/* What pays, and what was found of the blocks inside. */
typedef struct Schedule {
  EchoPassRun *pass;
  EchoDeviceModel device;
  EchoFusionOptions fusion;
  EchoMap bytes_of_block, ns_of_block;
} Schedule;

/* How long the regions of control flow take. */
static void set_inner_ns(const Schedule *schedule, EchoGraph *graph)
{
  for (size_t i = 0; i < graph->nodes.size; ++i) {
    EchoGraphNode *node = &graph->nodes.data[i];
    if (node->kind != ECHO_NODE_CONTROL)
      continue;
    EchoArenaMark mark = echo_arena_mark(schedule->pass->scratch);
    uint64_t *ns = ECHO_ARENA_ARRAY(schedule->pass->scratch, uint64_t, node->op->n_regions + 1u);
    for (size_t r = 0; r < node->op->n_regions; ++r)
      ns[r] = echo_map_get_or(&schedule->ns_of_block, echo_key(node->op->regions[r].first), 0);
    node->inner_ns = echo_control_ns(node->op, ns);
    echo_arena_reset(schedule->pass->scratch, mark);
  }
}

static void schedule_block(Schedule *schedule, EchoBlock *block, EchoGraph *graph,
                           const EchoBlockInterface *interface)
{
  EchoPassRun *pass = schedule->pass;
  const EchoOrder *named = schedule->fusion.order;
  echo_graph_set_inner_bytes(graph, &schedule->bytes_of_block);
  set_inner_ns(schedule, graph);
  uint32_t *order = ECHO_ARENA_ARRAY(pass->scratch, uint32_t, graph->nodes.size + 1);
  const EchoOp *owner = echo_block_parent(block);
  bool is_function = echo_op_is(owner, "func.func");
  bool is_branch = !is_function && !echo_op_has_trait(owner, ECHO_LOOP);
  EchoOrderResult result =
      echo_order_best(graph, interface, &schedule->fusion, &schedule->device, is_branch, order);
  if (result.is_wrong)
    refuse_order(named, block, graph, interface, order);
  else if (result.is_named || result.policy != ECHO_ORDER_GIVEN)
    reorder(block, graph, order);
  if (is_function) {
    echo_pass_count(pass, "given-bytes", result.given_bytes);
    echo_pass_count(pass, "best-bytes", result.best_bytes);
  }
  echo_map_set(&schedule->bytes_of_block, echo_key(block), result.best_bytes);
  echo_map_set(&schedule->ns_of_block, echo_key(block), result.best_ns);
}

static void schedule_regions(Schedule *schedule, EchoOp *function)
{
  EchoArena *scratch = schedule->pass->scratch;
  for (EchoOp *op = echo_op_post_order_first(function); op != function;
       op = echo_op_post_order_next(op)) {
    if (op->n_regions == 0 || echo_op_node_kind(op) != ECHO_NODE_CONTROL)
      continue;
    const EchoValue **handed_on = ECHO_ARENA_ARRAY(scratch, const EchoValue *, op->n_results + 1u);
    if (!echo_op_has_trait(op, ECHO_LOOP))
      echo_branch_find_handed_on(op, handed_on);
    for (size_t r = 0; r < op->n_regions; ++r) {
      EchoBlock *block = echo_op_body(op, r);
      uint32_t *targets = ECHO_ARENA_ARRAY(scratch, uint32_t, block->last->n_operands + 1u);
      EchoGraph graph;
      echo_graph_create(&graph, block);
      EchoBlockInterface interface = echo_region_interface(op, r, &graph, handed_on, targets);
      schedule_block(schedule, block, &graph, &interface);
      echo_graph_destroy(&graph);
    }
  }
}

static bool schedule_function(Schedule *schedule, EchoOp *function)
{
  EchoBlock *block = function->regions[0].first;
  if (block == NULL)
    return true;
  if (block->next != NULL)
    return echo_op_error(
        function, "has control flow between blocks; only structured control flow has a schedule");
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op))
    if (op->n_regions != 0 && echo_op_node_kind(op) == ECHO_NODE_CONTROL)
      for (size_t r = 0; r < op->n_regions; ++r)
        if (!echo_graph_check_static(op->regions[r].first))
          return false;
  if (!echo_graph_check_static(block))
    return false;
  echo_sink_constants(function);
  schedule_regions(schedule, function);
  EchoGraph graph;
  EchoFunctionInterface owner;
  echo_graph_create(&graph, block);
  bool is_fine = echo_function_interface_create(&owner, function, &graph);
  if (is_fine)
    schedule_block(schedule, block, &graph, &owner.interface);
  echo_graph_destroy(&graph);
  echo_function_interface_destroy(&owner);
  return is_fine;
}

static bool load_options(Schedule *schedule)
{
  EchoPassRun *pass = schedule->pass;
  if (!echo_fusion_options_load(pass, &schedule->device, &schedule->fusion) ||
      !echo_order_load(pass->ctx, pass->op->loc, echo_pass_option(pass, "order"),
                       &schedule->fusion.order))
    return false;
  if (echo_op_has_attr(pass->op, ECHO_ORDERED_ATTR) && schedule->fusion.order == NULL)
    schedule->fusion.order = echo_order_or_null(pass->ctx, ECHO_STR("given"));
  return true;
}

static bool run(EchoPassRun *pass)
{
  Schedule schedule = {.pass = pass};
  bool is_fine = load_options(&schedule);
  uint64_t n_errors = echo_context_n_errors(pass->ctx);
  for (EchoOp *op = echo_op_body(pass->op, 0)->first; op != NULL && is_fine; op = op->next)
    if (echo_op_is(op, "func.func"))
      is_fine = schedule_function(&schedule, op) && echo_context_n_errors(pass->ctx) == n_errors;
  if (is_fine) {
    echo_op_set_attr(pass->op, ECHO_ORDERED_ATTR, NULL);
    echo_module_set_stage(pass->op, ECHO_STAGE_SCHEDULED);
  }
  echo_map_destroy(&schedule.bytes_of_block);
  echo_map_destroy(&schedule.ns_of_block);
  return is_fine;
}

static const EchoPassOption OPTIONS[] = {
    {"device", "model that fusion pays on: a name or a file", ""},
    ECHO_FUSION_PASS_OPTIONS,
    {"order",
     "given, flow, demand, eager, late, joint, update, or one that a plugin brings; what --echo "
     "decided on, else the best of ours",
     ""},
    {NULL, NULL, NULL}};
static const EchoPassStatistic STATISTICS[] = {
    {"given-bytes", "peak of temporaries in the order given"},
    {"best-bytes", "peak of temporaries in the order chosen"},
    {NULL, NULL}};

const EchoPass ECHO_PASS_SCHEDULE = {
    .name = "schedule",
    .summary = "choose the order of execution for the peak; never worse than the order given",
    .anchor = "builtin.module",
    .options = OPTIONS,
    .statistics = STATISTICS,
    .run = run,
};
