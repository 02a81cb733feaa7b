/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --fuse: what planning/schedule/fusion.h decides for each block becomes kernel.funcs and
 * kernel.calls. The order of the groups is the new block order; equal kernels become one. */
#include "base/map.h"
#include "dialects/echo/stages.h"
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/loop.h"
#include "ir/builder.h"
#include "ir/diagnostics.h"
#include "ir/symbol.h"
#include "lowering/lowering.h"
#include "lowering/plan/sink_constants_t.h"
#include "planning/cost/runtime.h"

typedef struct Outliner {
  EchoContext *ctx;
  EchoArena *scratch;
  EchoFusionOptions options;
  EchoOp *function; /* kernels are inserted before it */
  EchoSymbolTable symbols;
  EchoStringMap kernels; /* body as text of words -> kernel.func */
  uint64_t n_of_kind[ECHO_N_KERNEL_KINDS], n_calls, n_kernels;
  ECHO_VECTOR(EchoBlock *) blocks; /* still to do */
} Outliner;

typedef struct BlockWork {
  Outliner *outliner;
  EchoBlock *block;
  const EchoGraph *graph;
  const EchoFusion *fusion;
  EchoValue **current; /* by value number: what stands for it now */
} BlockWork;

/* ---- equal bodies ---- */

static void put_word(EchoBuffer *key, uint64_t word)
{
  echo_buffer_append(key, &word, sizeof word);
}

/* Discardable attributes that kernels are lowered by: they go into them, and tell them apart. */
static bool is_kept(const EchoNamedAttr *attr)
{
  static const char PREFIX[] = "kernel.";
  return attr->name.size >= sizeof PREFIX - 1 &&
         memcmp(attr->name.data, PREFIX, sizeof PREFIX - 1) == 0;
}

static void put_kept_attrs(EchoBuffer *key, const EchoOp *op)
{
  size_t n = op->attrs != NULL ? op->attrs->as.dictionary.size : 0;
  for (size_t i = 0; i < n; ++i) {
    const EchoNamedAttr *attr = &op->attrs->as.dictionary.entries[i];
    if (!is_kept(attr))
      continue;
    put_word(key, echo_hash_bytes(attr->name.data, attr->name.size, 0));
    put_word(key, echo_key(attr->value));
  }
}

static void put_region_op(EchoBuffer *key, EchoMap *numbers, const EchoOp *op)
{
  put_word(key, echo_key(op->info));
  put_word(key, echo_key(op->properties));
  put_kept_attrs(key, op);
  put_word(key, ((uint64_t)op->n_operands << 32) | op->n_results);
  for (size_t i = 0; i < op->n_operands; ++i)
    put_word(key, echo_map_get_or(numbers, echo_key(echo_op_operand(op, i)), UINT64_MAX));
  for (size_t i = 0; i < op->n_results; ++i) {
    put_word(key, echo_key(echo_op_result_type(op, i)));
    echo_map_set(numbers, echo_key(echo_op_result(op, i)), numbers->n_live);
  }
  for (size_t r = 0; r < op->n_regions; ++r)
    for (const EchoBlock *block = op->regions[r].first; block != NULL; block = block->next) {
      put_word(key, UINT64_MAX - 1);
      for (size_t i = 0; i < block->n_args; ++i) {
        put_word(key, echo_key(echo_block_arg(block, i)->type));
        echo_map_set(numbers, echo_key(echo_block_arg(block, i)), numbers->n_live);
      }
    }
}

/* Everything that the kernel is made of but names, locations and phases. The pointers in it are
 * uniqued, and only compared. */
static EchoStr body_key(const BlockWork *work, const EchoFusionGroup *group, EchoBuffer *key)
{
  const EchoGraph *graph = work->graph;
  EchoMap locals = {0}; /* value number -> local number */
  echo_buffer_clear(key);
  put_word(key, group->kind);
  for (uint32_t i = 0; i < group->n_inputs; ++i) {
    uint32_t value = work->fusion->inputs.data[group->first_input + i];
    put_word(key, echo_key(echo_graph_type(graph, value)));
    echo_map_set(&locals, value, i);
  }
  for (uint32_t i = 0; i < group->n_members; ++i) {
    uint32_t node = work->fusion->members.data[group->first_member + i];
    const EchoGraphNode *member = &graph->nodes.data[node];
    EchoMap inner = {0};
    for (uint32_t k = member->op->n_operands; k < member->n_operands; ++k) /* captures */
      echo_map_set(&inner, echo_key(work->current[echo_graph_operands(graph, node)[k]]),
                   inner.n_live);
    put_region_op(key, &inner, member->op);
    EchoOp *root = (EchoOp *)member->op;
    for (EchoOp *op = echo_op_walk_next(root, root); op != NULL; op = echo_op_walk_next(root, op))
      put_region_op(key, &inner, op);
    echo_map_destroy(&inner);
    for (uint32_t k = 0; k < member->n_operands; ++k)
      put_word(key, echo_map_get_or(&locals, echo_graph_operands(graph, node)[k], UINT64_MAX));
    for (uint32_t k = 0; k < member->n_results; ++k)
      echo_map_set(&locals, member->first_result + k, locals.n_live);
  }
  for (uint32_t i = 0; i < group->n_outputs; ++i)
    put_word(key, echo_map_get_or(&locals, work->fusion->outputs.data[group->first_output + i],
                                  UINT64_MAX));
  echo_map_destroy(&locals);
  return (EchoStr){key->data, key->size};
}

/* ---- kernels ---- */

static void drop_discardable_attrs(EchoOp *op)
{
  for (size_t i = op->attrs != NULL ? op->attrs->as.dictionary.size : 0; i-- > 0;) {
    const EchoNamedAttr *attr = &op->attrs->as.dictionary.entries[i];
    if (!is_kept(attr))
      echo_op_set_attr(op, attr->name.data, NULL);
  }
}

static const EchoType *kernel_type(const BlockWork *work, const EchoFusionGroup *group)
{
  EchoArena *scratch = work->outliner->scratch;
  const EchoType **inputs = ECHO_ARENA_ARRAY(scratch, const EchoType *, group->n_inputs + 1u);
  const EchoType **results = ECHO_ARENA_ARRAY(scratch, const EchoType *, group->n_outputs + 1u);
  for (uint32_t i = 0; i < group->n_inputs; ++i)
    inputs[i] = echo_graph_type(work->graph, work->fusion->inputs.data[group->first_input + i]);
  for (uint32_t i = 0; i < group->n_outputs; ++i)
    results[i] = echo_graph_type(work->graph, work->fusion->outputs.data[group->first_output + i]);
  return echo_type_function(work->outliner->ctx, inputs, group->n_inputs, results,
                            group->n_outputs);
}

static EchoStr fresh_name(Outliner *outliner, EchoKernelKind kind)
{
  EchoBuffer name = {0};
  do {
    echo_buffer_clear(&name);
    echo_buffer_printf(&name, "%s_%llu", echo_kernel_kind_name(kind),
                       (unsigned long long)outliner->n_of_kind[kind]++);
  } while (echo_symbol_table_get_or_null(&outliner->symbols, echo_buffer_str(&name)) != NULL);
  EchoStr interned = echo_context_intern(outliner->ctx, echo_buffer_str(&name));
  echo_buffer_destroy(&name);
  return interned;
}

static void fill_kernel(const BlockWork *work, const EchoFusionGroup *group, EchoOp *kernel)
{
  const EchoGraph *graph = work->graph;
  EchoContext *ctx = work->outliner->ctx;
  EchoBlock *entry = echo_op_body(kernel, 0);
  EchoBuilder builder = echo_builder_at_end(ctx, entry);
  EchoMap values = {
      0}; /* IR value of the original op -> value in the kernel, for each member anew */
  EchoMap locals = {0}; /* value number -> value in the kernel */
  for (uint32_t i = 0; i < group->n_inputs; ++i)
    echo_map_set_ptr(&locals,
                     (void *)(uintptr_t)(work->fusion->inputs.data[group->first_input + i] + 1u),
                     echo_block_arg(entry, i));
  for (uint32_t i = 0; i < group->n_members; ++i) {
    uint32_t node = work->fusion->members.data[group->first_member + i];
    const EchoGraphNode *member = &graph->nodes.data[node];
    const uint32_t *operands = echo_graph_operands(graph, node);
    echo_map_clear(&values);
    for (uint32_t k = member->op->n_operands; k < member->n_operands; ++k) /* captures */
      echo_map_set_ptr(&values, work->current[operands[k]],
                       echo_map_get_ptr(&locals, (void *)(uintptr_t)(operands[k] + 1u)));
    EchoOp *clone = echo_op_clone(member->op, &values);
    for (uint32_t k = 0; k < clone->n_operands; ++k)
      echo_op_set_operand(
          clone, k, (EchoValue *)echo_map_get_ptr(&locals, (void *)(uintptr_t)(operands[k] + 1u)));
    drop_discardable_attrs(clone);
    echo_block_append(entry, clone);
    for (uint32_t k = 0; k < member->n_results; ++k)
      echo_map_set_ptr(&locals, (void *)(uintptr_t)(member->first_result + k + 1u),
                       echo_op_result(clone, k));
  }
  EchoValue **results =
      ECHO_ARENA_ARRAY(work->outliner->scratch, EchoValue *, group->n_outputs + 1u);
  for (uint32_t i = 0; i < group->n_outputs; ++i)
    results[i] = echo_map_get_ptr(
        &locals, (void *)(uintptr_t)(work->fusion->outputs.data[group->first_output + i] + 1u));
  builder.loc = kernel->loc;
  echo_kernel_return(&builder, results, group->n_outputs);
  echo_map_destroy(&values);
  echo_map_destroy(&locals);
}

static EchoOp *get_kernel(const BlockWork *work, const EchoFusionGroup *group, EchoBuffer *key)
{
  Outliner *outliner = work->outliner;
  EchoStr text = body_key(work, group, key);
  uint64_t known;
  if (echo_string_map_get(&outliner->kernels, text, &known))
    return (EchoOp *)(uintptr_t)known;
  EchoKernelKind kind = group->kernel;
  EchoOp *kernel =
      echo_kernel_func_create(outliner->ctx, work->graph->nodes.data[group->root].op->loc,
                              fresh_name(outliner, kind), kind, kernel_type(work, group));
  fill_kernel(work, group, kernel);
  echo_op_insert_before(kernel, outliner->function);
  text.data = echo_arena_copy(outliner->scratch, text.data, text.size);
  echo_string_map_set(&outliner->kernels, text, echo_key(kernel));
  ++outliner->n_kernels;
  return kernel;
}

/* ---- the block ---- */

static const EchoAttr *call_attrs(EchoContext *ctx, const EchoOp *op)
{
  const EchoAttr *attrs = NULL;
  static const char *const KEPT[] = {"echo.phase", "echo.recompute"};
  for (size_t i = 0; i < sizeof KEPT / sizeof KEPT[0]; ++i) {
    const EchoAttr *value = echo_op_attr_or_null(op, KEPT[i]);
    if (value != NULL)
      attrs = echo_dictionary_with(ctx, attrs, echo_str(KEPT[i]), value);
  }
  return attrs;
}

static void emit_call(const BlockWork *work, const EchoFusionGroup *group, EchoBuffer *key)
{
  Outliner *outliner = work->outliner;
  EchoOp *kernel = get_kernel(work, group, key);
  const EchoType *type = echo_op_attr_or_null(kernel, "function_type")->as.type_value;
  EchoValue **inputs = ECHO_ARENA_ARRAY(outliner->scratch, EchoValue *, group->n_inputs + 1u);
  for (uint32_t i = 0; i < group->n_inputs; ++i)
    inputs[i] = work->current[work->fusion->inputs.data[group->first_input + i]];
  const EchoOp *root = work->graph->nodes.data[group->root].op;
  EchoBuilder builder = echo_builder_at_end(outliner->ctx, work->block);
  builder.loc = root->loc;
  builder.attrs = call_attrs(outliner->ctx, root);
  EchoOp *call = echo_kernel_call(&builder, echo_symbol_name(kernel), inputs, group->n_inputs,
                                  type->as.function.results, group->n_outputs);
  for (uint32_t i = 0; i < group->n_outputs; ++i) {
    uint32_t value = work->fusion->outputs.data[group->first_output + i];
    echo_value_replace_all_uses(work->current[value], echo_op_result(call, i));
    work->current[value] = echo_op_result(call, i);
  }
  ++outliner->n_calls;
}

/* Barriers keep the operands whose results are read; the others have done their work in the
 * schedule. */
static void emit_barrier(const BlockWork *work, uint32_t node)
{
  const EchoGraphNode *entry = &work->graph->nodes.data[node];
  const EchoOp *op = entry->op;
  EchoArena *scratch = work->outliner->scratch;
  EchoValue **kept = ECHO_ARENA_ARRAY(scratch, EchoValue *, entry->n_operands + 1u);
  const EchoType **types = ECHO_ARENA_ARRAY(scratch, const EchoType *, entry->n_operands + 1u);
  size_t n = 0;
  for (uint32_t i = 0; i < entry->n_operands; ++i)
    if (work->graph->values.data[entry->first_result + i].n_uses != 0) {
      kept[n] = work->current[echo_graph_operands(work->graph, node)[i]];
      types[n] = kept[n]->type;
      ++n;
    }
  if (n == 0)
    return;
  EchoBuilder builder = echo_builder_at_end(work->outliner->ctx, work->block);
  builder.loc = op->loc;
  builder.attrs = op->attrs;
  EchoOp *barrier = echo_build_op(&builder, op->info->name, kept, n, types, n, NULL, 0);
  for (uint32_t i = 0, k = 0; i < entry->n_operands; ++i)
    if (work->graph->values.data[entry->first_result + i].n_uses != 0) {
      echo_value_replace_all_uses(echo_op_result(op, i), echo_op_result(barrier, k));
      work->current[entry->first_result + i] = echo_op_result(barrier, k++);
    }
}

static void emit_group(const BlockWork *work, const EchoFusionGroup *group, EchoBuffer *key)
{
  EchoOp *op = (EchoOp *)work->graph->nodes.data[group->root].op;
  if (group->kind == ECHO_GROUP_KERNEL) {
    emit_call(work, group, key);
    return;
  }
  if (work->graph->nodes.data[group->root].kind == ECHO_NODE_BARRIER) {
    emit_barrier(work, group->root);
    return;
  }
  echo_op_unlink(op);
  echo_block_append(work->block, op);
  for (size_t r = 0; r < op->n_regions; ++r)
    echo_vector_push(&work->outliner->blocks, op->regions[r].first);
}

static void fuse_block(Outliner *outliner, EchoBlock *block)
{
  EchoGraph graph;
  EchoFusion fusion = {0};
  echo_graph_create(&graph, block);
  echo_fusion_create(&fusion, &graph, &outliner->options);
  BlockWork work = {outliner, block, &graph, &fusion, NULL};
  work.current = echo_alloc_array(graph.values.size + 1, sizeof(EchoValue *));
  for (size_t v = 0; v < graph.values.size; ++v)
    work.current[v] = (EchoValue *)graph.values.data[v].value;
  /* The old ops step aside; those that stay come back one by one, the rest only read one another.
   */
  EchoBlock *old = echo_block_create(outliner->ctx);
  echo_block_splice(old, block->first);
  EchoBuffer key = {0};
  for (size_t g = 0; g < fusion.groups.size; ++g)
    emit_group(&work, &fusion.groups.data[g], &key);
  echo_block_erase(old);
  echo_buffer_destroy(&key);
  echo_free(work.current);
  echo_fusion_destroy(&fusion);
  echo_graph_destroy(&graph);
}

static bool refuse_call(const EchoOp *op)
{
  const EchoAttr *callee = echo_op_attr_or_null(op, "callee");
  const EchoOp *function = callee != NULL ? echo_symbol_lookup_or_null(op, callee) : NULL;
  if (function == NULL || function->n_regions != 1 || function->regions[0].first != NULL)
    return echo_op_error(op, "must be inlined before fusion; what calls itself cannot be");
  EchoStr name = echo_symbol_name(function);
  return echo_op_error(op, "calls '@%.*s', which has no body", ECHO_STR_ARG(name));
}

/* Calls of functions are no kernels. */
static bool check_calls(const EchoBlock *block)
{
  bool is_fine = true;
  for (const EchoOp *op = block->first; op != NULL; op = op->next)
    if (echo_op_has_trait(op, ECHO_CALL))
      is_fine = refuse_call(op);
  return is_fine;
}

/* ---- counted loops ---- */

/* The condition does nothing but compare: nobody misses it where it is not run. */
static bool only_compares(const EchoOp *loop)
{
  for (const EchoOp *op = echo_op_body(loop, 0)->first; op != NULL; op = op->next)
    if (!echo_op_has_trait(op, ECHO_PURE))
      return false;
  return true;
}

/* How often a loop runs can be read from it now; once its parts are kernels it cannot. */
static void count_trips(EchoOp *function)
{
  EchoContext *ctx = echo_op_context(function);
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op)) {
    EchoCountedLoop counted;
    if (!echo_op_has_trait(op, ECHO_LOOP))
      continue;
    bool is_counted = echo_hlo_counted_loop(op, &counted) && only_compares(op);
    echo_op_set_attr(op, ECHO_KERNEL_N_TRIPS,
                     is_counted ? echo_attr_i64(ctx, counted.n_trips) : NULL);
  }
}

static bool fuse_function(Outliner *outliner, EchoOp *function)
{
  if (function->regions[0].first == NULL)
    return true;
  if (function->regions[0].first->next != NULL)
    return echo_op_error(
        function, "has control flow between blocks; only structured control flow can be fused");
  outliner->function = function;
  count_trips(function);
  echo_sink_constants(function);
  echo_vector_push(&outliner->blocks, function->regions[0].first);
  bool is_fine = true;
  while (is_fine && outliner->blocks.size != 0) {
    EchoBlock *block = echo_vector_pop(&outliner->blocks);
    is_fine = check_calls(block) && echo_graph_check_static(block);
    if (is_fine)
      fuse_block(outliner, block);
  }
  return is_fine;
}

static bool run(EchoPassRun *pass)
{
  EchoDeviceModel device;
  Outliner outliner = {.ctx = pass->ctx, .scratch = pass->scratch};
  if (!echo_fusion_options_load(pass, &device, &outliner.options))
    return false;
  echo_symbol_table_create(&outliner.symbols, pass->op);
  bool is_fine = true;
  for (EchoOp *op = echo_op_body(pass->op, 0)->first, *next; op != NULL && is_fine; op = next) {
    next = op->next;
    if (echo_op_is(op, "func.func"))
      is_fine = fuse_function(&outliner, op);
  }
  echo_pass_count(pass, "kernels", outliner.n_kernels);
  echo_pass_count(pass, "calls", outliner.n_calls);
  echo_symbol_table_destroy(&outliner.symbols);
  echo_string_map_destroy(&outliner.kernels);
  echo_vector_destroy(&outliner.blocks);
  if (is_fine)
    echo_module_set_stage(pass->op, ECHO_STAGE_KERNELS);
  return is_fine;
}

static const EchoPassOption OPTIONS[] = {
    {"device", "model that fusion pays on: a name or a file", ""},
    ECHO_FUSION_PASS_OPTIONS,
    {NULL, NULL, NULL}};
static const EchoPassStatistic STATISTICS[] = {
    {"kernels", "distinct kernels"}, {"calls", "kernel calls"}, {NULL, NULL}};

const EchoPass ECHO_PASS_FUSE = {
    .name = "fuse",
    .summary = "outline groups of ops that become one kernel each",
    .anchor = "builtin.module",
    .options = OPTIONS,
    .statistics = STATISTICS,
    .run = run,
};
