/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Blocks to graphs: numbering, uses, and the one table that says how each op may be carried out. */
#include "planning/schedule/graph.h"

#include "base/map.h"
#include "dialects/plan/plan.h"
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "dialects/stablehlo/window_scan.h"
#include "planning/schedule/fusion_t.h"

/* ---- what an op is ---- */

/* Ops that are neither element maps nor views; the rest is read off hooks and traits. */
typedef struct OpcodeKind {
  EchoHloOpcode opcode;
  EchoNodeKind node;
  EchoKernelKind kernel; /* that it is by itself */
} OpcodeKind;

static const OpcodeKind OPCODE_KINDS[] = {
    {ECHO_HLO_RESHAPE, ECHO_NODE_RESHAPE, ECHO_KERNEL_MAP},
    {ECHO_HLO_REDUCE, ECHO_NODE_REDUCE, ECHO_KERNEL_REDUCE},
    {ECHO_HLO_DOT, ECHO_NODE_SINGLE, ECHO_KERNEL_CONTRACTION},
    {ECHO_HLO_DOT_GENERAL, ECHO_NODE_SINGLE, ECHO_KERNEL_CONTRACTION},
    {ECHO_HLO_CONVOLUTION, ECHO_NODE_SINGLE, ECHO_KERNEL_CONVOLUTION},
    {ECHO_HLO_SCATTER, ECHO_NODE_SINGLE, ECHO_KERNEL_SCATTER},
    {ECHO_HLO_SELECT_AND_SCATTER, ECHO_NODE_SINGLE, ECHO_KERNEL_SCATTER},
    {ECHO_HLO_SORT, ECHO_NODE_SINGLE, ECHO_KERNEL_SORT},
    {ECHO_HLO_REDUCE_WINDOW, ECHO_NODE_SINGLE, ECHO_KERNEL_WINDOW},
    {ECHO_HLO_RNG_BIT_GENERATOR, ECHO_NODE_SINGLE, ECHO_KERNEL_RNG},
    {ECHO_HLO_WHILE, ECHO_NODE_CONTROL, ECHO_KERNEL_OTHER},
    {ECHO_HLO_CASE, ECHO_NODE_CONTROL, ECHO_KERNEL_OTHER},
    {ECHO_HLO_IF, ECHO_NODE_CONTROL, ECHO_KERNEL_OTHER},
};

static const OpcodeKind *find_kind_or_null(const EchoOp *op)
{
  EchoHloOpcode opcode = echo_hlo_opcode(op);
  if (opcode == ECHO_N_HLO_OPCODES)
    return NULL;
  for (size_t i = 0; i < sizeof OPCODE_KINDS / sizeof OPCODE_KINDS[0]; ++i)
    if (OPCODE_KINDS[i].opcode == opcode)
      return &OPCODE_KINDS[i];
  return NULL;
}

#define MAX_INLINE_ELEMENTS 16

static EchoNodeKind constant_kind(const EchoOp *op)
{
  const EchoAttr *value = echo_op_attr_or_null(op, "value");
  if (value == NULL || value->kind != ECHO_ATTR_DENSE_ELEMENTS)
    return ECHO_NODE_BLOB;
  if (value->as.elements.is_splat)
    return ECHO_NODE_CONSTANT;
  return echo_type_static_n_elements(value->type) <= MAX_INLINE_ELEMENTS ? ECHO_NODE_CONSTANT
                                                                         : ECHO_NODE_BLOB;
}

EchoNodeKind echo_op_node_kind(const EchoOp *op)
{
  if (echo_op_has_trait(op, ECHO_TERMINATOR))
    return ECHO_NODE_RETURN;
  if (echo_op_has_trait(op, ECHO_CONSTANT))
    return constant_kind(op);
  if (echo_op_has_trait(op, ECHO_BARRIER))
    return ECHO_NODE_BARRIER;
  const OpcodeKind *kind = find_kind_or_null(op);
  if (kind != NULL)
    return kind->node;
  bool can_emit = op->info->emit_element != NULL ||
                  (op->info->traits & (ECHO_ELEMENTWISE | ECHO_MOVEMENT)) != 0;
  return can_emit && op->n_results == 1 && op->n_regions == 0 ? ECHO_NODE_MAP : ECHO_NODE_SINGLE;
}

EchoKernelKind echo_op_kernel_kind(const EchoOp *op)
{
  const OpcodeKind *kind = find_kind_or_null(op);
  if (kind != NULL)
    return kind->node == ECHO_NODE_REDUCE ? echo_reduce_kernel_kind(op) : kind->kernel;
  if (echo_op_node_kind(op) != ECHO_NODE_SINGLE)
    return ECHO_KERNEL_MAP;
  return echo_kernel_is_invoke(op) ? ECHO_KERNEL_LIBRARY : ECHO_KERNEL_OTHER;
}

EchoPhase echo_op_phase(const EchoOp *op)
{
  EchoStr phase = echo_op_attr_string(op, "echo.phase");
  if (echo_str_is(phase, "forward"))
    return ECHO_FORWARD;
  if (echo_str_is(phase, "backward"))
    return ECHO_BACKWARD;
  if (echo_str_is(phase, "update"))
    return ECHO_UPDATE;
  return ECHO_NO_PHASE;
}

bool echo_loop_is_invariant(const EchoOp *loop, size_t index)
{
  const EchoBlock *body = loop->regions[loop->n_regions - 1u].first;
  return index < body->n_args && index < body->last->n_operands &&
         echo_op_operand(body->last, index) == echo_block_arg(body, index);
}

const EchoValue **echo_op_captures(const EchoOp *op, size_t *n_captures)
{
  ECHO_VECTOR(const EchoValue *) captures = {0};
  EchoMap seen = {0}, owners = {0}; /* owners: op and what is inside it and has regions */
  EchoOp *root = (EchoOp *)op;
  echo_map_set(&owners, echo_key(op), 1);
  for (EchoOp *inner = echo_op_walk_next(root, root); inner != NULL;
       inner = echo_op_walk_next(root, inner)) {
    if (inner->n_regions != 0)
      echo_map_set(&owners, echo_key(inner), 1);
    for (size_t i = 0; i < inner->n_operands; ++i) {
      const EchoValue *value = echo_op_operand(inner, i);
      const EchoBlock *block = echo_value_block(value);
      if (block == inner->block) /* most: no look into a map */
        continue;
      const EchoOp *owner = echo_block_parent(block);
      if (owner != NULL && echo_map_has(&owners, echo_key(owner)))
        continue;
      if (echo_map_insert(&seen, echo_key(value), 1))
        echo_vector_push(&captures, value);
    }
  }
  echo_map_destroy(&seen);
  echo_map_destroy(&owners);
  *n_captures = captures.size;
  return captures.data;
}

uint64_t echo_graph_hash(const EchoGraph *graph)
{
  uint64_t hash = graph->nodes.size;
  for (size_t i = 0; i < graph->nodes.size; ++i) {
    const EchoGraphNode *node = &graph->nodes.data[i];
    hash = echo_hash_combine(hash, (uint64_t)node->origin << 1 | node->is_clone);
    if (node->kind == ECHO_NODE_BARRIER)
      hash = echo_hash_combine(hash, node->n_operands);
    if (node->kind == ECHO_NODE_CONTROL)
      hash = echo_hash_combine(echo_hash_combine(hash, node->inner_bytes), node->inner_ns);
  }
  for (size_t i = 0; i < graph->operands.size; i += 2) { /* two at a time */
    uint64_t next = i + 1 < graph->operands.size ? graph->operands.data[i + 1] : ECHO_NONE;
    hash = echo_hash_combine(hash, (uint64_t)graph->operands.data[i] << 32 | next);
  }
  return hash;
}

uint64_t echo_graph_constant_bytes(const EchoGraph *graph)
{
  uint64_t bytes = 0;
  for (size_t i = 0; i < graph->nodes.size; ++i)
    if (graph->nodes.data[i].kind == ECHO_NODE_BLOB)
      bytes += echo_align_up(graph->values.data[graph->nodes.data[i].first_result].bytes,
                             ECHO_PLAN_ALIGNMENT);
  return bytes;
}

uint32_t echo_graph_input_or(const EchoGraph *graph, const EchoValue *value, uint32_t otherwise)
{
  for (uint32_t i = 0; i < graph->n_inputs && value != NULL; ++i)
    if (graph->values.data[i].value == value)
      return i;
  return otherwise;
}

/* ---- what is free to remake ---- */

bool echo_op_is_free_to_remake(const EchoOp *op)
{
  EchoNodeKind kind = echo_op_node_kind(op);
  uint64_t read, made;
  if (kind == ECHO_NODE_CONSTANT || kind == ECHO_NODE_RESHAPE)
    return true;
  if (kind != ECHO_NODE_MAP || op->n_operands > 1)
    return false;
  if (op->n_operands == 0)
    return true;
  EchoHloOpcode opcode = echo_hlo_opcode(op);
  return (opcode == ECHO_HLO_CONVERT || opcode == ECHO_HLO_BROADCAST_IN_DIM) &&
         echo_type_bytes(echo_op_operand_type(op, 0), &read) &&
         echo_type_bytes(echo_op_result_type(op, 0), &made) && read <= made;
}

bool echo_node_is_made_of_constants(const EchoGraph *graph, uint32_t node)
{
  while (echo_node_is_free_to_remake(graph, node)) {
    if (graph->nodes.data[node].n_operands == 0)
      return true;
    node = graph->values.data[echo_graph_operands(graph, node)[0]].def;
    if (node == ECHO_NONE)
      return false;
  }
  return false;
}

/* ---- by hand ---- */

static uint32_t add_value(EchoGraph *graph, const EchoValue *value, uint32_t def, uint32_t index)
{
  EchoGraphValue entry = {.value = value, .def = def, .index = index};
  uint64_t bytes;
  bool is_static = echo_type_bytes(value->type, &bytes);
  entry.bytes = is_static ? bytes : 0;
  entry.n_elements = is_static ? echo_type_static_n_elements(value->type) : 0;
  echo_vector_push(&graph->values, entry);
  return (uint32_t)graph->values.size - 1;
}

uint32_t echo_graph_add_input(EchoGraph *graph, const EchoValue *value, bool is_captured)
{
  ECHO_CHECK(graph->nodes.size == 0, "inputs of a graph come before its nodes");
  uint32_t number = add_value(graph, value, ECHO_NONE, graph->n_inputs++);
  graph->values.data[number].is_captured = is_captured;
  if (!is_captured)
    ++graph->n_arguments;
  return number;
}

static uint64_t hash_op(const EchoGraph *graph, const EchoGraphNode *entry)
{
  uint64_t hash = entry->kind;
  if (entry->op != NULL)
    hash = echo_hash_bytes(entry->op->info->name, strlen(entry->op->info->name), hash);
  for (uint32_t r = 0; r < entry->n_results; ++r) {
    const EchoType *type = echo_graph_type(graph, entry->first_result + r);
    hash = echo_hash_combine(hash, (uint64_t)echo_type_element_kind(type));
    for (size_t i = 0; i < echo_type_rank(type); ++i)
      hash = echo_hash_combine(hash, (uint64_t)echo_type_dim(type, i));
  }
  return hash;
}

static bool is_transposing(const EchoOp *op)
{
  if (echo_hlo_opcode(op) != ECHO_HLO_TRANSPOSE)
    return false;
  EchoDimList permutation = echo_stablehlo_dims(op, "permutation");
  return permutation.size != 0 &&
         permutation.dims[permutation.size - 1] != (int64_t)permutation.size - 1;
}

static bool is_uniform(const EchoGraph *graph, uint32_t node)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  bool is_uniform = entry->is_elementwise && entry->n_results != 0;
  for (uint32_t i = 0; i < entry->n_operands && is_uniform; ++i)
    is_uniform = echo_type_same_dims(echo_graph_type(graph, echo_graph_operands(graph, node)[i]),
                                     echo_graph_type(graph, entry->first_result));
  return is_uniform;
}

/* What planners ask of a node again and again, once its results are there. */
static void note_facts(EchoGraph *graph, uint32_t node)
{
  EchoGraphNode *entry = &graph->nodes.data[node];
  entry->key = hash_op(graph, entry);
  if (entry->op == NULL)
    return;
  entry->is_free = echo_op_is_free_to_remake(entry->op);
  entry->has_effect = !echo_op_is_dead_if_unused(entry->op);
  entry->is_broadcast = echo_hlo_opcode(entry->op) == ECHO_HLO_BROADCAST_IN_DIM;
  entry->is_elementwise = echo_op_has_trait(entry->op, ECHO_ELEMENTWISE);
  entry->is_update = echo_op_has_trait(entry->op, ECHO_UPDATES);
  entry->is_heavy = echo_op_has_trait(entry->op, ECHO_HEAVY);
  entry->is_chain = echo_kernel_row(echo_op_kernel_kind(entry->op))->is_chain &&
                    !echo_hlo_is_short_window(entry->op);
  entry->is_transposing = is_transposing(entry->op);
  entry->is_uniform = is_uniform(graph, node);
}

static uint32_t push_node(EchoGraph *graph, const EchoOp *op, EchoNodeKind kind,
                          const uint32_t *operands, size_t n_operands)
{
  EchoGraphNode node = {.op = op,
                        .first_operand = (uint32_t)graph->operands.size,
                        .n_operands = (uint32_t)n_operands,
                        .first_result = (uint32_t)graph->values.size,
                        .kind = kind,
                        .origin = op != NULL ? (uint32_t)graph->nodes.size : ECHO_NONE,
                        .phase = op != NULL ? echo_op_phase(op) : ECHO_BACKWARD};
  if (op != NULL && kind != ECHO_NODE_CONTROL) /* there the hook walks all that is nested */
    echo_op_cost(op, &node.cost);
  for (size_t i = 0; i < n_operands; ++i)
    echo_vector_push(&graph->operands, operands[i]);
  echo_vector_push(&graph->nodes, node);
  return (uint32_t)graph->nodes.size - 1;
}

uint32_t echo_graph_add_node(EchoGraph *graph, const EchoOp *like, EchoNodeKind kind,
                             const uint32_t *operands, size_t n_operands)
{
  uint32_t node = push_node(graph, like, kind, operands, n_operands);
  for (uint32_t i = 0; like != NULL && i < like->n_results; ++i)
    add_value(graph, echo_op_result(like, i), node, i);
  graph->nodes.data[node].n_results = like != NULL ? like->n_results : 0;
  note_facts(graph, node);
  return node;
}

uint32_t echo_graph_add_barrier(EchoGraph *graph, const uint32_t *operands, size_t n_operands)
{
  uint32_t node = push_node(graph, NULL, ECHO_NODE_BARRIER, operands, n_operands);
  for (uint32_t i = 0; i < n_operands; ++i)
    add_value(graph, graph->values.data[echo_graph_operands(graph, node)[i]].value, node, i);
  graph->nodes.data[node].n_results = (uint32_t)n_operands;
  note_facts(graph, node);
  return node;
}

uint32_t echo_graph_add_copy(EchoGraph *graph, const EchoGraph *from, uint32_t node,
                             const uint32_t *operands)
{
  const EchoGraphNode *old = &from->nodes.data[node];
  uint32_t number = (uint32_t)graph->nodes.size;
  echo_vector_reserve(&graph->nodes, graph->nodes.size + 1);
  echo_vector_reserve(&graph->values, graph->values.size + old->n_results);
  echo_vector_reserve(&graph->operands, graph->operands.size + old->n_operands);
  EchoGraphNode *copy = &graph->nodes.data[graph->nodes.size++];
  *copy = *old;
  copy->first_operand = (uint32_t)graph->operands.size;
  copy->first_result = (uint32_t)graph->values.size;
  for (uint32_t i = 0; i < old->n_operands; ++i)
    graph->operands.data[graph->operands.size++] = operands[i];
  for (uint32_t r = 0; r < old->n_results; ++r) {
    EchoGraphValue *value = &graph->values.data[graph->values.size++];
    *value = from->values.data[old->first_result + r];
    value->def = number;
  }
  return number;
}

void echo_graph_create_like(EchoGraph *graph, const EchoGraph *like)
{
  graph->n_inputs = like->n_inputs;
  graph->n_arguments = like->n_arguments;
  echo_vector_clear(&graph->nodes);
  echo_vector_clear(&graph->values);
  echo_vector_clear(&graph->operands);
  echo_vector_clear(&graph->uses);
  echo_vector_reserve(&graph->nodes, like->nodes.size);
  echo_vector_reserve(&graph->values, like->values.size);
  echo_vector_reserve(&graph->operands, like->operands.size);
  for (uint32_t i = 0; i < like->n_inputs; ++i)
    echo_vector_push(&graph->values, like->values.data[i]);
}

/* The uses of values whose number is known. */
static void list_uses(EchoGraph *graph)
{
  EchoGraphValue *values = graph->values.data;
  uint32_t first = 0;
  for (size_t i = 0; i < graph->values.size; ++i) {
    values[i].first_use = first;
    first += values[i].n_uses;
    values[i].n_uses = 0;
  }
  echo_vector_reserve(&graph->uses, (size_t)first + 1);
  graph->uses.size = first;
  const uint32_t *operands = graph->operands.data;
  uint32_t *uses = graph->uses.data, at = 0;
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    for (uint32_t end = at + graph->nodes.data[node].n_operands; at < end; ++at) {
      EchoGraphValue *value = &values[operands[at]];
      uses[value->first_use + value->n_uses++] = node;
    }
}

void echo_graph_finish(EchoGraph *graph)
{
  for (size_t i = 0; i < graph->values.size; ++i)
    graph->values.data[i].n_uses = 0;
  for (size_t i = 0; i < graph->operands.size; ++i)
    ++graph->values.data[graph->operands.data[i]].n_uses;
  list_uses(graph);
}

void echo_graph_permute(const EchoGraph *graph, const uint32_t *order, EchoGraph *permuted)
{
  echo_graph_create_like(permuted, graph);
  uint32_t *numbers = echo_alloc_array(graph->values.size + 1, sizeof(uint32_t));
  uint32_t *operand = permuted->operands.data, n_values = graph->n_inputs;
  for (uint32_t i = 0; i < graph->n_inputs; ++i)
    numbers[i] = i;
  for (uint32_t i = 0; i < graph->nodes.size; ++i) {
    const EchoGraphNode *old = &graph->nodes.data[order[i]];
    EchoGraphNode *node = &permuted->nodes.data[i];
    *node = *old;
    node->first_operand = (uint32_t)(operand - permuted->operands.data);
    node->first_result = n_values;
    const uint32_t *read = graph->operands.data + old->first_operand, *end = read + old->n_operands;
    while (read < end)
      *operand++ = numbers[*read++];
    for (uint32_t r = 0; r < old->n_results; ++r, ++n_values) {
      permuted->values.data[n_values] = graph->values.data[old->first_result + r];
      permuted->values.data[n_values].def = i;
      numbers[old->first_result + r] = n_values;
    }
  }
  permuted->nodes.size = graph->nodes.size;
  permuted->values.size = n_values;
  permuted->operands.size = (size_t)(operand - permuted->operands.data);
  echo_free(numbers);
  list_uses(permuted); /* as many of each */
}

void echo_graph_copy(const EchoGraph *graph, EchoGraph *copy)
{
  echo_graph_create_like(copy, graph);
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    echo_graph_add_copy(copy, graph, node, echo_graph_operands(graph, node));
  echo_graph_finish(copy);
}

void echo_graph_destroy(EchoGraph *graph)
{
  echo_vector_destroy(&graph->nodes);
  echo_vector_destroy(&graph->values);
  echo_vector_destroy(&graph->operands);
  echo_vector_destroy(&graph->uses);
  graph->n_inputs = graph->n_arguments = 0;
}

/* ---- from the IR ---- */

/* Values that the block's ops read from enclosing regions become inputs, in order of first use. */
static void add_inputs(EchoGraph *graph, const EchoBlock *block, EchoMap *numbers)
{
  for (size_t i = 0; i < block->n_args; ++i) {
    const EchoValue *argument = echo_block_arg(block, i);
    echo_map_set(numbers, echo_key(argument), echo_graph_add_input(graph, argument, false));
  }
  EchoMap local = {0};
  for (const EchoOp *op = block->first; op != NULL; op = op->next)
    for (size_t i = 0; i < op->n_results; ++i)
      echo_map_set(&local, echo_key(echo_op_result(op, i)), 1);
  for (const EchoOp *op = block->first; op != NULL; op = op->next) {
    size_t n_captures = 0;
    const EchoValue **captures = op->n_regions != 0 ? echo_op_captures(op, &n_captures) : NULL;
    for (size_t i = 0; i < op->n_operands + n_captures; ++i) {
      const EchoValue *value =
          i < op->n_operands ? echo_op_operand(op, i) : captures[i - op->n_operands];
      if (!echo_map_has(&local, echo_key(value)) && !echo_map_has(numbers, echo_key(value)))
        echo_map_set(numbers, echo_key(value), echo_graph_add_input(graph, value, true));
    }
    echo_free((void *)captures);
  }
  echo_map_destroy(&local);
}

static void add_op(EchoGraph *graph, const EchoOp *op, EchoMap *numbers)
{
  size_t n_captures = 0;
  EchoNodeKind kind = echo_op_node_kind(op);
  const EchoValue **captures = op->n_regions != 0 ? echo_op_captures(op, &n_captures) : NULL;
  ECHO_VECTOR(uint32_t) operands = {0};
  for (size_t i = 0; i < op->n_operands; ++i)
    echo_vector_push(
        &operands, (uint32_t)echo_map_get_or(numbers, echo_key(echo_op_operand(op, i)), ECHO_NONE));
  for (size_t i = 0; i < n_captures; ++i)
    echo_vector_push(&operands,
                     (uint32_t)echo_map_get_or(numbers, echo_key(captures[i]), ECHO_NONE));
  uint32_t node = echo_graph_add_node(graph, op, kind, operands.data, operands.size);
  graph->nodes.data[node].is_clone = echo_op_has_attr(op, "echo.recompute");
  for (uint32_t i = 0; i < op->n_results; ++i)
    echo_map_set(numbers, echo_key(echo_op_result(op, i)),
                 graph->nodes.data[node].first_result + i);
  echo_vector_destroy(&operands);
  echo_free((void *)captures);
}

void echo_graph_create(EchoGraph *graph, const EchoBlock *block)
{
  *graph = (EchoGraph){0};
  EchoMap numbers = {0};
  add_inputs(graph, block, &numbers);
  for (const EchoOp *op = block->first; op != NULL; op = op->next)
    add_op(graph, op, &numbers);
  echo_map_destroy(&numbers);
  echo_graph_finish(graph);
}

static bool check_value(const EchoOp *op, const EchoValue *value)
{
  uint64_t bytes;
  if (!echo_type_is_tensor(value->type))
    return echo_op_error(op, "has a value of type %s: memory is planned for tensors only",
                         echo_type_text(echo_op_context(op), value->type));
  if (echo_type_bytes(value->type, &bytes) && bytes < UINT64_C(1) << 56)
    return true;
  return echo_op_error(op, "has a value of type %s: memory can be planned for static shapes only",
                       echo_type_text(echo_op_context(op), value->type));
}

bool echo_graph_check_static(const EchoBlock *block)
{
  bool is_static = true;
  const EchoOp *parent = echo_block_parent(block);
  for (size_t i = 0; parent != NULL && i < block->n_args; ++i)
    is_static &= check_value(parent, echo_block_arg(block, i));
  for (const EchoOp *op = block->first; op != NULL; op = op->next)
    for (size_t i = 0; i < op->n_results; ++i)
      is_static &= check_value(op, echo_op_result(op, i));
  return is_static;
}
