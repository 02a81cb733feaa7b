/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --bufferize: values become buffers. main is rebuilt in destination-passing style, block by block:
 * planning/schedule/storage.h says which buffer each value lives in, and this file writes it down.
 */
#include "base/map.h"
#include "dialects/echo/stages.h"
#include "dialects/kernel/kernel.h"
#include "dialects/plan/plan.h"
#include "ir/builder.h"
#include "ir/diagnostics.h"
#include "ir/symbol.h"
#include "lowering/lowering.h"
#include "planning/schedule/storage.h"

static const EchoType *const NO_TYPES[1] = {NULL};

/* A block to rebuild: `from` on tensors, `to` on buffers. */
typedef struct BlockJob {
  EchoBlock *from, *to;
  EchoBlockInterface interface;
  EchoValue *const *outputs;     /* by result: where ECHO_TO_OUTPUT results go */
  const EchoValue *const *taken; /* by result: the value from outside whose storage it takes over,
                                    NULL: none; NULL when no result does */
  const char *end;               /* name of the terminator */
} BlockJob;

typedef struct Bufferizer {
  EchoContext *ctx;
  EchoArena *scratch;
  EchoSymbolTable symbols;
  EchoMap memrefs;  /* tensor value -> memref value */
  EchoMap in_place; /* kernel.func -> one byte for each (output, input) */
  EchoValue *arena;
  ECHO_VECTOR(BlockJob) jobs;
  uint64_t n_in_place, n_copies, n_buffers, n_lent;
} Bufferizer;

/* One block while it is rebuilt. */
typedef struct BlockWork {
  Bufferizer *bufferizer;
  const BlockJob *job;
  const EchoGraph *graph;
  const EchoFusion *fusion;
  const EchoStorage *storage;
  EchoValue **bases; /* by buffer: the memref it was made as; NULL before */
  EchoBuilder builder;
} BlockWork;

static const EchoType *memref_of(EchoContext *ctx, const EchoType *tensor)
{
  return echo_type_memref(ctx, tensor->as.shaped.dims, echo_type_rank(tensor),
                          tensor->as.shaped.element, NULL, NULL);
}

/* ---- what kernels allow ---- */

static const uint8_t *kernel_in_place(Bufferizer *bufferizer, const EchoOp *kernel)
{
  const uint8_t *known = echo_map_get_ptr(&bufferizer->in_place, kernel);
  if (known != NULL)
    return known;
  EchoGraph graph;
  EchoFusion fusion;
  echo_graph_create(&graph, echo_op_body(kernel, 0));
  echo_fusion_create_whole(&fusion, &graph, echo_kernel_kind(kernel));
  const EchoFusionGroup *group = &fusion.groups.data[0];
  uint8_t *answers = ECHO_ARENA_ARRAY(bufferizer->scratch, uint8_t,
                                      (size_t)group->n_inputs * group->n_outputs + 1);
  for (uint32_t o = 0; o < group->n_outputs; ++o)
    for (uint32_t i = 0; i < group->n_inputs; ++i)
      answers[o * group->n_inputs + i] =
          echo_group_is_in_place(&graph, &fusion, 0, i, fusion.outputs.data[o]);
  echo_fusion_destroy(&fusion);
  echo_graph_destroy(&graph);
  echo_map_set_ptr(&bufferizer->in_place, kernel, answers);
  return answers;
}

static EchoOp *callee_of(const Bufferizer *bufferizer, const EchoOp *call)
{
  return echo_symbol_table_get_or_null(&bufferizer->symbols,
                                       echo_op_attr_or_null(call, "callee")->as.symbol.root);
}

/* What is no call is a barrier or a view, which writes nothing. */
static bool call_is_in_place(void *user, const EchoOp *op, uint32_t operand, uint32_t result)
{
  Bufferizer *bufferizer = user;
  if (!echo_op_is(op, "kernel.call"))
    return echo_op_node_kind(op) == ECHO_NODE_RESHAPE;
  const uint8_t *answers = kernel_in_place(bufferizer, callee_of(bufferizer, op));
  return answers[result * op->n_operands + operand] != 0;
}

/* ---- buffers ---- */

static EchoValue *build_1(BlockWork *work, const char *name, EchoValue *operand,
                          const EchoType *type)
{
  return echo_op_result(echo_build_op(&work->builder, name, &operand, 1, &type, 1, NULL, 0), 0);
}

static EchoValue *make_lent(BlockWork *work, const EchoBufferRange *range, const EchoType *type)
{
  EchoValue *result = work->job->outputs[range->number];
  EchoAttrArg place = {"offset",
                       echo_attr_i64(work->bufferizer->ctx, (int64_t)range->offset_bytes)};
  ++work->bufferizer->n_lent;
  return echo_op_result(
      echo_build_op(&work->builder, "plan.buffer", &result, 1, &type, 1, &place, 1), 0);
}

static EchoValue *make_base(BlockWork *work, uint32_t buffer, const EchoType *type)
{
  const EchoBufferRange *range = &work->storage->buffers.data[buffer];
  switch (range->kind) {
  case ECHO_BUFFER_ARENA:
    ++work->bufferizer->n_buffers;
    return build_1(work, "plan.buffer", work->bufferizer->arena, type);
  case ECHO_BUFFER_LENT:
    return make_lent(work, range, type);
  case ECHO_BUFFER_OUTPUT:
    return work->job->outputs[range->number];
  case ECHO_BUFFER_INPUT:
    return echo_map_get_ptr(&work->bufferizer->memrefs,
                            work->graph->values.data[range->number].value);
  case ECHO_BUFFER_CONSTANT:
    break;
  }
  ECHO_UNREACHABLE("a constant's buffer is made with it");
}

/* The buffer under this type; made on first use. */
static EchoValue *buffer_as(BlockWork *work, uint32_t buffer, const EchoType *type)
{
  EchoValue **base = &work->bases[buffer];
  if (*base == NULL)
    *base = make_base(work, buffer, type);
  return (*base)->type == type ? *base : build_1(work, "plan.view", *base, type);
}

static EchoValue *memref_or_null(const BlockWork *work, uint32_t value)
{
  return echo_map_get_ptr(&work->bufferizer->memrefs, work->graph->values.data[value].value);
}

static void set_memref(BlockWork *work, uint32_t value, EchoValue *memref)
{
  echo_map_set_ptr(&work->bufferizer->memrefs, work->graph->values.data[value].value, memref);
}

/* The buffer that the value is written to. */
static EchoValue *define(BlockWork *work, uint32_t value)
{
  const EchoType *type = memref_of(work->bufferizer->ctx, echo_graph_type(work->graph, value));
  EchoValue *memref = buffer_as(work, work->storage->buffer_of_value[value], type);
  set_memref(work, value, memref);
  return memref;
}

static void emit_copy(BlockWork *work, EchoValue *from, EchoValue *to)
{
  if (from->type != to->type)
    to = build_1(work, "plan.view", to, from->type);
  EchoValue *operands[] = {from, to};
  echo_build_op(&work->builder, "plan.copy", operands, 2, NO_TYPES, 0, NULL, 0);
  ++work->bufferizer->n_copies;
}

/* ---- ops ---- */

static void emit_call(BlockWork *work, uint32_t node)
{
  const EchoGraphNode *entry = &work->graph->nodes.data[node];
  EchoArena *scratch = work->bufferizer->scratch;
  EchoValue **inputs = ECHO_ARENA_ARRAY(scratch, EchoValue *, entry->n_operands + 1u);
  EchoValue **outputs = ECHO_ARENA_ARRAY(scratch, EchoValue *, entry->n_results + 1u);
  for (uint32_t i = 0; i < entry->n_operands; ++i)
    inputs[i] = memref_or_null(work, echo_graph_operands(work->graph, node)[i]);
  for (uint32_t i = 0; i < entry->n_results; ++i) {
    outputs[i] = define(work, entry->first_result + i);
    for (uint32_t k = 0; k < entry->n_operands; ++k)
      work->bufferizer->n_in_place += outputs[i] == inputs[k];
  }
  work->builder.attrs = entry->op->attrs;
  echo_kernel_launch(&work->builder, echo_op_attr_or_null(entry->op, "callee")->as.symbol.root,
                     inputs, entry->n_operands, outputs, entry->n_results);
  work->builder.attrs = NULL;
}

static void emit_view(BlockWork *work, uint32_t node)
{
  const EchoGraphNode *entry = &work->graph->nodes.data[node];
  for (uint32_t i = 0; i < entry->n_results; ++i) {
    EchoValue *memref = memref_or_null(work, echo_graph_operands(work->graph, node)[i]);
    const EchoType *type =
        memref_of(work->bufferizer->ctx, echo_graph_type(work->graph, entry->first_result + i));
    set_memref(work, entry->first_result + i,
               memref->type == type ? memref : build_1(work, "plan.view", memref, type));
  }
}

static void emit_constant(BlockWork *work, uint32_t node)
{
  const EchoGraphNode *entry = &work->graph->nodes.data[node];
  const EchoType *type =
      memref_of(work->bufferizer->ctx, echo_graph_type(work->graph, entry->first_result));
  EchoAttrArg args[] = {{"value", echo_op_attr_or_null(entry->op, "value")}};
  EchoOp *constant = echo_build_op(&work->builder, "plan.constant", NULL, 0, &type, 1, args, 1);
  work->bases[work->storage->buffer_of_value[entry->first_result]] = echo_op_result(constant, 0);
  set_memref(work, entry->first_result, echo_op_result(constant, 0));
}

static void add_job(Bufferizer *bufferizer, EchoOp *to, const EchoOp *from, size_t region,
                    const uint32_t *targets, EchoValue *const *outputs,
                    const EchoValue *const *taken, const char *end)
{
  EchoBlock *block = echo_block_create(bufferizer->ctx);
  echo_region_append(&to->regions[region], block);
  BlockJob job = {echo_op_body(from, region), block, {targets, NULL, false}, outputs, taken, end};
  echo_vector_push(&bufferizer->jobs, job);
}

static uint32_t *make_targets(Bufferizer *bufferizer, size_t n, uint32_t first, uint32_t step)
{
  uint32_t *targets = ECHO_ARENA_ARRAY(bufferizer->scratch, uint32_t, n + 1);
  for (size_t i = 0; i < n; ++i)
    targets[i] = first + (uint32_t)i * step;
  return targets;
}

static void emit_while(BlockWork *work, uint32_t node)
{
  const EchoGraphNode *entry = &work->graph->nodes.data[node];
  Bufferizer *bufferizer = work->bufferizer;
  const EchoOp *op = entry->op;
  EchoValue **carried = ECHO_ARENA_ARRAY(bufferizer->scratch, EchoValue *, op->n_operands + 1u);
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    EchoValue *initial = memref_or_null(work, echo_graph_operands(work->graph, node)[i]);
    if (echo_loop_is_invariant(op, i)) {
      carried[i] = initial;
      set_memref(work, entry->first_result + i, initial);
      continue;
    }
    carried[i] = define(work, entry->first_result + i);
    if (carried[i] != initial)
      emit_copy(work, initial, carried[i]);
  }
  EchoOp *loop = echo_build_op_with_regions(&work->builder, "plan.while", carried, op->n_operands,
                                            NO_TYPES, 0, NULL, 0, 2);
  echo_op_set_attr(loop, "n_trips", echo_op_attr_or_null(op, ECHO_KERNEL_N_TRIPS));
  for (size_t r = 0; r < 2; ++r)
    for (uint32_t i = 0; i < op->n_operands; ++i)
      echo_map_set_ptr(&bufferizer->memrefs, echo_block_arg(echo_op_body(op, r), i), carried[i]);
  add_job(bufferizer, loop, op, 0, make_targets(bufferizer, 1, ECHO_TO_ARENA, 0), NULL, NULL,
          "plan.condition");
  add_job(bufferizer, loop, op, 1, make_targets(bufferizer, op->n_operands, 0, 1), NULL, NULL,
          "plan.yield");
}

/* By result of the branch: which of the values that its regions read stood in its buffer. */
static const EchoValue **taken_over(const BlockWork *work, uint32_t node)
{
  const EchoGraphNode *entry = &work->graph->nodes.data[node];
  const uint32_t *operands = echo_graph_operands(work->graph, node);
  const EchoValue **taken =
      ECHO_ARENA_ARRAY(work->bufferizer->scratch, const EchoValue *, entry->n_results + 1u);
  EchoMap value_in = {0}; /* buffer -> operand that it holds */
  for (uint32_t k = entry->op->n_operands; k < entry->n_operands; ++k)
    echo_map_set(&value_in, work->storage->buffer_of_value[operands[k]], operands[k]);
  for (uint32_t i = 0; i < entry->n_results; ++i) {
    uint32_t buffer = work->storage->buffer_of_value[entry->first_result + i];
    uint64_t value = echo_map_get_or(&value_in, buffer, ECHO_NONE);
    taken[i] = value == ECHO_NONE ? NULL : work->graph->values.data[value].value;
  }
  echo_map_destroy(&value_in);
  return taken;
}

static void emit_case(BlockWork *work, uint32_t node)
{
  const EchoGraphNode *entry = &work->graph->nodes.data[node];
  Bufferizer *bufferizer = work->bufferizer;
  const EchoOp *op = entry->op;
  EchoValue **outputs = ECHO_ARENA_ARRAY(bufferizer->scratch, EchoValue *, entry->n_results + 1u);
  for (uint32_t i = 0; i < entry->n_results; ++i)
    outputs[i] = define(work, entry->first_result + i);
  const EchoValue **taken = taken_over(work, node);
  EchoValue *index = memref_or_null(work, echo_graph_operands(work->graph, node)[0]);
  EchoOp *branches = echo_build_op_with_regions(&work->builder, "plan.case", &index, 1, NO_TYPES, 0,
                                                NULL, 0, op->n_regions);
  for (size_t r = 0; r < op->n_regions; ++r)
    add_job(bufferizer, branches, op, r,
            make_targets(bufferizer, entry->n_results, ECHO_TO_OUTPUT, 0), outputs, taken,
            "plan.yield");
}

static void emit_end(BlockWork *work, uint32_t node)
{
  for (size_t i = 0; i < work->storage->copies.size; ++i) {
    EchoFinalCopy copy = work->storage->copies.data[i];
    EchoValue *from = work->bases[copy.from_buffer];
    if (from == NULL)
      from = work->bases[copy.from_buffer] = make_base(work, copy.from_buffer, NULL);
    emit_copy(work, from, buffer_as(work, copy.to_buffer, from->type));
  }
  bool has_flag = echo_str_is(echo_str(work->job->end), "plan.condition");
  EchoValue *flag =
      has_flag ? memref_or_null(work, echo_graph_operands(work->graph, node)[0]) : NULL;
  echo_build_op(&work->builder, work->job->end, &flag, has_flag, NO_TYPES, 0, NULL, 0);
}

static void emit_group(BlockWork *work, const EchoFusionGroup *group)
{
  const EchoOp *op = work->graph->nodes.data[group->root].op;
  work->builder.loc = op->loc;
  switch (group->kind) {
  case ECHO_GROUP_VIEW:
    emit_view(work, group->root);
    return;
  case ECHO_GROUP_BLOB:
    emit_constant(work, group->root);
    return;
  case ECHO_GROUP_RETURN:
    emit_end(work, group->root);
    return;
  case ECHO_GROUP_CONTROL:
    if (echo_op_has_trait(op, ECHO_LOOP))
      emit_while(work, group->root);
    else
      emit_case(work, group->root);
    return;
  default:
    emit_call(work, group->root);
    return;
  }
}

/* Only what the kernels stage may hold, with every callee there. */
static bool check_block(const Bufferizer *bufferizer, const EchoBlock *block)
{
  bool is_fine = echo_graph_check_static(block);
  for (const EchoOp *op = block->first; op != NULL; op = op->next) {
    EchoNodeKind kind = echo_op_node_kind(op);
    if (echo_op_is(op, "kernel.call")) {
      if (callee_of(bufferizer, op) == NULL)
        is_fine = echo_op_error(op, "calls a kernel that is not there");
    } else if (kind == ECHO_NODE_MAP || kind == ECHO_NODE_REDUCE || kind == ECHO_NODE_SINGLE) {
      is_fine = echo_op_error(op, "is not in a kernel; fuse comes before bufferize");
    }
  }
  return is_fine;
}

/* With the results of a branch sent to where they take over; a region that does not read what stood
 * there writes it as an output. */
static EchoBlockInterface interface_of(Bufferizer *bufferizer, const BlockJob *job,
                                       const EchoGraph *graph)
{
  if (job->taken == NULL)
    return job->interface;
  uint32_t n = job->from->last->n_operands;
  uint32_t *targets = ECHO_ARENA_ARRAY(bufferizer->scratch, uint32_t, n + 1u);
  for (uint32_t i = 0; i < n; ++i)
    targets[i] = echo_graph_input_or(graph, job->taken[i], job->interface.result_targets[i]);
  return (EchoBlockInterface){targets, job->interface.is_donated, false};
}

static bool bufferize_block(Bufferizer *bufferizer, const BlockJob *job)
{
  if (!check_block(bufferizer, job->from))
    return false;
  EchoGraph graph;
  EchoFusion fusion = {0};
  EchoStorage storage = {0};
  echo_graph_create(&graph, job->from);
  EchoBlockInterface interface = interface_of(bufferizer, job, &graph);
  EchoFusionOptions no_fusion = {.enabled = false};
  echo_fusion_create(&fusion, &graph, &no_fusion);
  BlockWork work = {.bufferizer = bufferizer,
                    .job = job,
                    .graph = &graph,
                    .fusion = &fusion,
                    .storage = &storage};
  EchoCalls calls = {call_is_in_place, bufferizer};
  echo_storage_create(&storage, &graph, &fusion, &interface, &calls);
  work.bases = echo_alloc_zero(storage.buffers.size + 1, sizeof(EchoValue *));
  work.builder = echo_builder_at_end(bufferizer->ctx, job->to);
  for (size_t g = 0; g < fusion.groups.size; ++g)
    emit_group(&work, &fusion.groups.data[g]);
  echo_free(work.bases);
  echo_storage_destroy(&storage);
  echo_fusion_destroy(&fusion);
  echo_graph_destroy(&graph);
  return true;
}

/* ---- the function ---- */

static const EchoAttr *old_arg_attrs(EchoContext *ctx, const EchoOp *function, uint32_t argument)
{
  const EchoAttr *all = echo_op_attr_or_null(function, "arg_attrs");
  if (all == NULL || all->kind != ECHO_ATTR_ARRAY || argument >= all->as.array.size)
    return echo_attr_dictionary(ctx, NULL, 0);
  return all->as.array.elements[argument];
}

/* Arguments as before, on buffers, and one more for each result that has no place yet; fills
 * outputs by result. */
static void change_signature(Bufferizer *bufferizer, EchoOp *function, EchoBlock *entry,
                             const EchoBlockInterface *interface, EchoValue **outputs)
{
  EchoContext *ctx = bufferizer->ctx;
  const EchoBlock *old = function->regions[0].first;
  const EchoOp *end = old->last;
  const EchoAttr *results = echo_op_attr_or_null(function, "res_attrs");
  size_t capacity = old->n_args + end->n_operands + 1u;
  const EchoType **types = ECHO_ARENA_ARRAY(bufferizer->scratch, const EchoType *, capacity);
  const EchoAttr **attrs = ECHO_ARENA_ARRAY(bufferizer->scratch, const EchoAttr *, capacity);
  size_t n = 0;
  for (uint32_t i = 0; i < old->n_args; ++i) {
    types[n] = memref_of(ctx, echo_block_arg(old, i)->type);
    attrs[n++] = old_arg_attrs(ctx, function, i);
    EchoValue *argument =
        echo_block_add_arg(ctx, entry, types[i], echo_value_loc(echo_block_arg(old, i)));
    echo_map_set_ptr(&bufferizer->memrefs, echo_block_arg(old, i), argument);
  }
  for (uint32_t i = 0; i < end->n_operands; ++i) {
    if (interface->result_targets[i] != ECHO_TO_OUTPUT)
      continue;
    types[n] = memref_of(ctx, echo_op_operand_type(end, i));
    const EchoAttr *had =
        results != NULL && i < results->as.array.size ? results->as.array.elements[i] : NULL;
    attrs[n] =
        echo_dictionary_with(ctx, had, echo_str("plan.result"), echo_attr_i32(ctx, (int32_t)i));
    outputs[i] = echo_block_add_arg(ctx, entry, types[n++], end->loc);
  }
  echo_op_set_attr(function, "function_type",
                   echo_attr_type(ctx, echo_type_function(ctx, types, n, NULL, 0)));
  echo_op_set_attr(function, "arg_attrs", n != 0 ? echo_attr_array(ctx, attrs, n) : NULL);
  echo_op_set_attr(function, "res_attrs", NULL);
}

static void add_arena(Bufferizer *bufferizer, EchoBlock *entry, EchoLoc loc)
{
  EchoContext *ctx = bufferizer->ctx;
  EchoBuilder builder = echo_builder_at_end(ctx, entry);
  builder.loc = loc;
  int64_t dims[] = {0};
  const EchoType *type =
      echo_type_memref(ctx, dims, 1, echo_type_integer(ctx, 8, ECHO_SIGNLESS), NULL, NULL);
  EchoAttrArg args[] = {{"size_bytes", echo_attr_i64(ctx, 0)},
                        {"alignment", echo_attr_i64(ctx, (int64_t)ECHO_PLAN_ALIGNMENT)}};
  bufferizer->arena =
      echo_op_result(echo_build_op(&builder, "plan.arena", NULL, 0, &type, 1, args, 2), 0);
}

static bool bufferize_function(Bufferizer *bufferizer, EchoOp *function)
{
  EchoBlock *old = function->regions[0].first;
  if (old == NULL)
    return true;
  if (old->next != NULL)
    return echo_op_error(
        function, "has control flow between blocks; only structured control flow has a plan");
  if (!check_block(bufferizer, old))
    return false;
  EchoGraph graph;
  EchoFunctionInterface owner;
  echo_graph_create(&graph, old);
  bool is_fine = echo_function_interface_create(&owner, function, &graph);
  size_t n_results = graph.nodes.data[graph.nodes.size - 1].n_operands;
  echo_graph_destroy(&graph);
  if (is_fine) {
    EchoValue **outputs = ECHO_ARENA_ARRAY(bufferizer->scratch, EchoValue *, n_results + 1);
    EchoBlock *entry = echo_block_create(bufferizer->ctx);
    change_signature(bufferizer, function, entry, &owner.interface, outputs);
    add_arena(bufferizer, entry, function->loc);
    BlockJob job = {old, entry, owner.interface, outputs, NULL, "func.return"};
    echo_vector_push(&bufferizer->jobs, job);
    while (is_fine && bufferizer->jobs.size != 0) {
      job = echo_vector_pop(&bufferizer->jobs);
      is_fine = bufferize_block(bufferizer, &job);
    }
    echo_block_unlink(old);
    echo_block_erase(old);
    echo_region_append(&function->regions[0], entry);
  }
  echo_function_interface_destroy(&owner);
  return is_fine;
}

static bool run(EchoPassRun *pass)
{
  Bufferizer bufferizer = {.ctx = pass->ctx, .scratch = pass->scratch};
  echo_symbol_table_create(&bufferizer.symbols, pass->op);
  bool is_fine = true;
  for (EchoOp *op = echo_op_body(pass->op, 0)->first; op != NULL && is_fine; op = op->next)
    if (echo_op_is(op, "func.func"))
      is_fine = bufferize_function(&bufferizer, op);
  echo_pass_count(pass, "buffers", bufferizer.n_buffers);
  echo_pass_count(pass, "lent", bufferizer.n_lent);
  echo_pass_count(pass, "in-place", bufferizer.n_in_place);
  echo_pass_count(pass, "copies", bufferizer.n_copies);
  echo_symbol_table_destroy(&bufferizer.symbols);
  echo_map_destroy(&bufferizer.memrefs);
  echo_map_destroy(&bufferizer.in_place);
  echo_vector_destroy(&bufferizer.jobs);
  if (is_fine)
    echo_module_set_stage(pass->op, ECHO_STAGE_PLANNED);
  return is_fine;
}

static const EchoPassStatistic STATISTICS[] = {{"buffers", "buffers in the arena"},
                                               {"lent", "buffers where a result is written later"},
                                               {"in-place", "results written over an operand"},
                                               {"copies", "copies that could not be avoided"},
                                               {NULL, NULL}};

const EchoPass ECHO_PASS_BUFFERIZE = {
    .name = "bufferize",
    .summary = "turn values into buffers, in place where kernels allow it",
    .anchor = "builtin.module",
    .statistics = STATISTICS,
    .run = run,
};
