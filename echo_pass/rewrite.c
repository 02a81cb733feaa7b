/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The block is taken apart and put together again in the order of the graph. */
#include "echo_pass/rewrite_t.h"

#include "base/map.h"
#include "ir/builder.h"

typedef struct Writer {
  EchoContext *ctx;
  EchoArena *scratch;
  EchoBlock *block;
  const EchoGraph *graph;
  EchoValue **values; /* by value number */
  const EchoAttr *backward, *unit;
} Writer;

/* The captures that the graph replaces, old value to new, inside the regions of `op`. */
static void set_captures(EchoOp *op, const EchoMap *replaced)
{
  for (EchoOp *inner = echo_op_walk_next(op, op); inner != NULL;
       inner = echo_op_walk_next(op, inner))
    for (uint32_t i = 0; i < inner->n_operands; ++i) {
      EchoValue *value = echo_map_get_ptr(replaced, echo_op_operand(inner, i));
      if (value != NULL)
        echo_op_set_operand(inner, i, value);
    }
}

/* In the graph captured values stand behind the op's own operands; a clone of one, or what a
 * barrier hands on, is known by the value that it stands for. The regions themselves may have been
 * rewritten since. */
static void set_operands(const Writer *writer, EchoOp *op, uint32_t node)
{
  const uint32_t *numbers = echo_graph_operands(writer->graph, node);
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    EchoValue *value = writer->values[numbers[i]];
    if (echo_op_operand(op, i) != value)
      echo_op_set_operand(op, i, value);
  }
  EchoMap replaced = {0};
  for (uint32_t i = op->n_operands; i < writer->graph->nodes.data[node].n_operands; ++i) {
    const EchoValue *captured = writer->graph->values.data[numbers[i]].value;
    if (writer->values[numbers[i]] != captured)
      echo_map_set_ptr(&replaced, captured, writer->values[numbers[i]]);
  }
  if (replaced.n_live != 0)
    set_captures(op, &replaced);
  echo_map_destroy(&replaced);
}

static EchoOp *write_clone(const Writer *writer, uint32_t node)
{
  EchoOp *clone = echo_op_clone(writer->graph->nodes.data[node].op, NULL);
  set_operands(writer, clone, node);
  echo_op_set_attr(clone, "echo.recompute", writer->unit);
  echo_op_set_attr(clone, "echo.phase", writer->backward);
  echo_block_append(writer->block, clone);
  return clone;
}

static EchoOp *write_barrier(const Writer *writer, uint32_t node)
{
  const EchoGraphNode *entry = &writer->graph->nodes.data[node];
  EchoArenaMark mark = echo_arena_mark(writer->scratch);
  EchoValue **operands = ECHO_ARENA_ARRAY(writer->scratch, EchoValue *, entry->n_operands);
  const EchoType **types = ECHO_ARENA_ARRAY(writer->scratch, const EchoType *, entry->n_operands);
  for (uint32_t i = 0; i < entry->n_operands; ++i) {
    operands[i] = writer->values[echo_graph_operands(writer->graph, node)[i]];
    types[i] = operands[i]->type;
  }
  EchoBuilder builder = echo_builder_at_end(writer->ctx, writer->block);
  builder.loc = echo_value_loc(operands[0]);
  EchoNamedAttr phase = {ECHO_STR("echo.phase"), writer->backward};
  builder.attrs = echo_attr_dictionary(writer->ctx, &phase, 1);
  EchoOp *barrier = echo_build_op(&builder, "stablehlo.optimization_barrier", operands,
                                  entry->n_operands, types, entry->n_operands, NULL, 0);
  echo_arena_reset(writer->scratch, mark);
  return barrier;
}

static EchoOp *write_node(const Writer *writer, uint32_t node)
{
  const EchoGraphNode *entry = &writer->graph->nodes.data[node];
  if (entry->is_new)
    return entry->op != NULL ? write_clone(writer, node) : write_barrier(writer, node);
  EchoOp *op = (EchoOp *)entry->op;
  echo_op_unlink(op);
  set_operands(writer, op, node);
  echo_block_append(writer->block, op);
  return op;
}

void echo_rewrite_block(EchoBlock *block, const EchoGraph *graph, EchoArena *scratch)
{
  EchoContext *ctx = echo_op_context(block->first);
  EchoArenaMark mark = echo_arena_mark(scratch);
  Writer writer = {.ctx = ctx, .scratch = scratch, .block = block, .graph = graph};
  writer.values = ECHO_ARENA_ARRAY(scratch, EchoValue *, graph->values.size + 1);
  writer.backward = echo_attr_string(ctx, ECHO_STR("backward"));
  writer.unit = echo_attr_unit(ctx);
  for (uint32_t i = 0; i < graph->n_inputs; ++i)
    writer.values[i] = (EchoValue *)graph->values.data[i].value;
  EchoBlock *old = echo_block_create(ctx);
  echo_block_splice(old, block->first);
  for (uint32_t node = 0; node < graph->nodes.size; ++node) {
    EchoOp *op = write_node(&writer, node);
    for (uint32_t r = 0; r < graph->nodes.data[node].n_results; ++r)
      writer.values[graph->nodes.data[node].first_result + r] = echo_op_result(op, r);
  }
  echo_block_erase(old);
  echo_arena_reset(scratch, mark);
}
