/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The chain of a training step as a table. */
#include "echo_pass/chain_links.h"

#include <inttypes.h>

#include "base/map.h"
#include "dialects/echo/stages.h"
#include "ir/diagnostics.h"
#include "planning/schedule/estimate.h"

/* The name that a location carries; empty for none. */
static EchoStr name_of(EchoContext *ctx, EchoLoc loc)
{
  const EchoAttr *attr = echo_loc_attr(ctx, loc);
  while (attr->as.location.kind == ECHO_LOC_FUSED && attr->as.location.n_parts != 0)
    attr = attr->as.location.parts[0];
  return attr->as.location.kind == ECHO_LOC_NAME ? attr->as.location.name : (EchoStr){0};
}

typedef struct Table {
  EchoContext *ctx;
  const EchoCandidates *candidates;
  EchoStringMap names; /* uses of each so far; the keys live in the scratch arena */
  EchoBuffer *out;
} Table;

static const EchoOp *op_of(const Table *table, const EchoChainLink *link)
{
  const EchoGraph *graph = table->candidates->graph;
  return graph->nodes.data[graph->values.data[link->value].def].op;
}

/* A field of its own: layers that share a name are numbered from the second on. */
static void print_name(Table *table, EchoStr name)
{
  EchoBuffer field = {0};
  for (size_t i = 0; i < name.size; i++) {
    unsigned char c = (unsigned char)name.data[i];
    echo_buffer_append_char(&field, c < ' ' || c == ',' || c == '"' ? '_' : name.data[i]);
  }
  uint64_t n_uses = 0;
  EchoStr key = echo_buffer_str(&field);
  if (!echo_string_map_get(&table->names, key, &n_uses))
    key = echo_str(echo_arena_copy_string(table->candidates->scratch, key.data, key.size));
  echo_string_map_set(&table->names, key, ++n_uses);
  if (n_uses > 1)
    echo_buffer_printf(&field, "#%" PRIu64, n_uses);
  echo_buffer_append_str(table->out, echo_buffer_str(&field));
  echo_buffer_destroy(&field);
}

/* Bytes of the arguments that a value is computed from and no result replaces: not weights. */
static uint64_t input_bytes(uint32_t first_value, const EchoCandidates *candidates,
                            const EchoBlockInterface *interface)
{
  const EchoGraph *graph = candidates->graph;
  const EchoGraphNode *end = &graph->nodes.data[graph->nodes.size - 1];
  bool *is_seen = ECHO_ARENA_ARRAY(candidates->scratch, bool, graph->values.size + 1);
  memset(is_seen, 0, graph->values.size + 1);
  ECHO_VECTOR(uint32_t) pending = {0};
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < end->n_operands; i++)
    if (interface->result_targets[i] < graph->n_inputs)
      is_seen[interface->result_targets[i]] = true;
  echo_vector_push(&pending, first_value);
  while (pending.size != 0) {
    uint32_t value = echo_vector_pop(&pending), node = graph->values.data[value].def;
    if (value < graph->n_inputs)
      bytes += graph->values.data[value].bytes;
    for (uint32_t k = 0; node != ECHO_NONE && k < graph->nodes.data[node].n_operands; k++) {
      uint32_t operand = echo_graph_operands(graph, node)[k];
      if (!is_seen[operand])
        echo_vector_push(&pending, operand);
      is_seen[operand] = true;
    }
  }
  echo_vector_destroy(&pending);
  return bytes;
}

/* Whether a link is one layer with the one before it. */
static bool goes_on(const Table *table, const EchoChainLink *before, const EchoChainLink *link)
{
  EchoStr name = name_of(table->ctx, op_of(table, link)->loc);
  EchoStr name_before = name_of(table->ctx, op_of(table, before)->loc);
  return name.size != 0 ? echo_str_equal(name, name_before)
                        : name_before.size == 0 && link->is_of_maps;
}

/* The last value of the first layer. */
static uint32_t first_layer(const Table *table, const EchoChainLinks *chain)
{
  const EchoChainLink *links = chain->links;
  size_t k = 0;
  while (k + 1 < chain->n_links && goes_on(table, &links[k], &links[k + 1]))
    k++;
  return links[k].value;
}

static void print_links(Table *table, const EchoChainLinks *chain)
{
  const EchoGraph *graph = table->candidates->graph;
  const EchoChainLink *links = chain->links;
  size_t end = chain->n_network;
  while (end != 0 && end < chain->n_links && links[end].is_of_maps &&
         goes_on(table, &links[end - 1], &links[end]))
    end++; /* the bias behind the last contraction */
  double ns = 0;
  for (size_t k = 0; k < end; k++) {
    ns += links[k].ns;
    if (k + 1 < end && goes_on(table, &links[k], &links[k + 1]))
      continue;
    const EchoOp *op = op_of(table, &links[k]);
    EchoStr name = name_of(table->ctx, op->loc);
    print_name(table, name.size != 0 ? name : echo_str(op->info->name));
    echo_buffer_printf(table->out, ",%" PRIu64 ",%.0f\n", graph->values.data[links[k].value].bytes,
                       ns);
    ns = 0;
  }
}

static void print_chain(EchoOp *module, const EchoCandidates *candidates,
                        const EchoBlockInterface *interface, EchoBuffer *out)
{
  EchoChainLinks chain;
  Table table = {.ctx = echo_op_context(module), .candidates = candidates, .out = out};
  echo_chain_links_create(&chain, candidates, &(EchoChainOptions){0});
  echo_buffer_append_c(out, "layer,bytes,cost\n");
  print_name(&table, ECHO_STR("input"));
  uint64_t bytes =
      chain.n_links == 0 ? 0 : input_bytes(first_layer(&table, &chain), candidates, interface);
  echo_buffer_printf(out, ",%" PRIu64 ",0\n", bytes);
  print_links(&table, &chain);
  echo_string_map_destroy(&table.names);
}

bool echo_chain_print(EchoOp *module, const EchoDeviceModel *device, EchoBuffer *out)
{
  EchoOp *function = echo_module_main_or_null(module);
  if (function == NULL)
    return echo_op_error(module, "has no function @main: no chain");
  ECHO_CHECK_OP(echo_module_stage(module) == ECHO_STAGE_STEP, module,
                "a chain is read off stage 'step'");
  if (function->regions[0].first->next != NULL)
    return echo_op_error(function, "has control flow between blocks");
  if (!echo_graph_check_static(function->regions[0].first))
    return false;
  EchoGraph graph;
  EchoFunctionInterface owner;
  EchoCandidates candidates;
  EchoArena scratch = {0};
  echo_graph_create(&graph, function->regions[0].first);
  bool ok = echo_function_interface_create(&owner, function, &graph);
  if (ok) {
    EchoFusionOptions fusion = echo_fusion_options(
        device, echo_target_find_or_null(ECHO_STR("cpu")), (EchoLibraryUse){true, true});
    echo_candidates_create(&candidates, &graph, &owner.interface, &fusion, device, &scratch);
    print_chain(module, &candidates, &owner.interface, out);
  }
  echo_arena_destroy(&scratch);
  echo_function_interface_destroy(&owner);
  echo_graph_destroy(&graph);
  return ok;
}
