/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Scopes, memory of what was computed, and the function. */
#include "lowering/kernels/kernel_scopes_t.h"
#include "planning/cost/runtime.h"

static EchoKernelEmitter *of(EchoElementEmitter *base)
{
  return (EchoKernelEmitter *)base;
}

/* ---- memory of a scope ---- */

uint64_t echo_memo_hash(const void *head, EchoValue *const *operands, size_t n, int64_t extra)
{
  uint64_t hash = echo_hash_combine(echo_key(head), (uint64_t)extra);
  for (size_t i = 0; i < n; ++i)
    hash = echo_hash_combine(hash, echo_key(operands[i]));
  return hash;
}

static EchoValue *memo_find_or_null(const EchoScope *scope, uint64_t hash, const void *head,
                                    EchoValue *const *operands, size_t n, int64_t extra)
{
  size_t next = (size_t)echo_map_get_or(&scope->heads, hash, 0);
  while (next != 0) {
    const EchoMemoEntry *entry = &scope->entries.data[next - 1];
    if (entry->head == head && entry->extra == extra && entry->n_operands == n &&
        (n == 0 || memcmp(entry->operands, operands, n * sizeof *operands) == 0))
      return entry->value;
    next = entry->next;
  }
  return NULL;
}

void echo_memo_add(EchoKernelEmitter *emitter, size_t depth, uint64_t hash, const void *head,
                   EchoValue *const *operands, size_t n, int64_t extra, EchoValue *value)
{
  EchoScope *scope = emitter->scopes[depth];
  EchoMemoEntry entry = {.head = head,
                         .operands =
                             echo_arena_copy(emitter->arena, operands, n * sizeof *operands),
                         .n_operands = n,
                         .extra = extra,
                         .value = value,
                         .next = (size_t)echo_map_get_or(&scope->heads, hash, 0)};
  echo_vector_push(&scope->entries, entry);
  echo_map_set(&scope->heads, hash, scope->entries.size);
  echo_map_set(&emitter->depths, echo_key(value), depth);
}

EchoValue *echo_memo_look_up_or_null(const EchoKernelEmitter *emitter, uint64_t hash,
                                     const void *head, EchoValue *const *operands, size_t n,
                                     int64_t extra)
{
  for (size_t depth = emitter->n_scopes; depth-- > 0;) {
    EchoValue *value = memo_find_or_null(emitter->scopes[depth], hash, head, operands, n, extra);
    if (value != NULL)
      return value;
  }
  return NULL;
}

size_t echo_kernel_depth(const EchoKernelEmitter *emitter, const EchoValue *value)
{
  return (size_t)echo_map_get_or(&emitter->depths, echo_key(value), emitter->n_scopes - 1);
}

size_t echo_scope_of_operands(const EchoKernelEmitter *emitter, EchoValue *const *operands,
                              size_t n, size_t least)
{
  size_t depth = least;
  for (size_t i = 0; i < n; ++i) {
    size_t operand = echo_kernel_depth(emitter, operands[i]);
    depth = operand > depth ? operand : depth;
  }
  for (size_t i = emitter->n_scopes; i-- > depth + 1;)
    if (emitter->scopes[i]->is_fence)
      return i;
  return depth < emitter->n_scopes ? depth : emitter->n_scopes - 1;
}

/* ---- scopes ---- */

static EchoScope *push(EchoKernelEmitter *emitter, EchoBuilder builder)
{
  ECHO_CHECK(emitter->n_scopes < ECHO_MAX_SCOPES, "loops nested too deeply");
  EchoScope *scope = ECHO_ARENA_NEW(emitter->arena, EchoScope);
  *scope = (EchoScope){.builder = builder};
  emitter->scopes[emitter->n_scopes++] = scope;
  return scope;
}

static void pop(EchoKernelEmitter *emitter)
{
  EchoScope *scope = emitter->scopes[--emitter->n_scopes];
  echo_map_destroy(&scope->heads);
  echo_vector_destroy(&scope->entries);
}

void echo_scope_define(EchoKernelEmitter *emitter, const EchoValue *value)
{
  echo_map_set(&emitter->depths, echo_key(value), emitter->n_scopes - 1);
}

/* Opens a scope for the body of `loop`, which was just built at the end of the innermost scope:
 * until it is closed, what belongs to the enclosing scope goes before the loop. */
static EchoScope *enter(EchoKernelEmitter *emitter, EchoOp *loop, EchoBuilder body)
{
  EchoScope *outer = emitter->scopes[emitter->n_scopes - 1];
  EchoOp *resume = outer->builder.before;
  outer->builder.before = loop;
  EchoScope *scope = push(emitter, body);
  scope->loop = loop;
  scope->resume = resume;
  return scope;
}

static void leave(EchoKernelEmitter *emitter)
{
  EchoOp *resume = emitter->scopes[emitter->n_scopes - 1]->resume;
  pop(emitter);
  emitter->scopes[emitter->n_scopes - 1]->builder.before = resume;
}

EchoValue *echo_kernel_begin_tasks(EchoKernelEmitter *emitter, int64_t n_tasks, double total_ns)
{
  ECHO_CHECK(emitter->n_scopes == 1, "tasks do not nest");
  EchoElementEmitter *base = &emitter->base;
  EchoValue *low = echo_index_constant(base, 0), *high = echo_index_constant(base, n_tasks);
  EchoValue *step = echo_index_constant(base, 1);
  EchoBuilder body;
  EchoOp *loop = echo_scf_parallel(echo_kernel_builder(emitter), low, high, step, &body);
  int64_t grain = emitter->is_gpu ? 1 : echo_grain(emitter->device, n_tasks, total_ns);
  if (grain != 1)
    echo_op_set_attr(loop, "kernel.grain", echo_attr_i64(emitter->ctx, grain));
  enter(emitter, loop, body);
  EchoValue *task = echo_scf_induction(loop);
  echo_scope_define(emitter, task);
  return task;
}

void echo_kernel_end_tasks(EchoKernelEmitter *emitter)
{
  leave(emitter);
}

EchoValue *echo_kernel_begin_for(EchoKernelEmitter *emitter, EchoValue *low, EchoValue *high,
                                 int64_t step, bool is_parallel)
{
  EchoBuilder body;
  EchoValue *step_value = echo_index_constant(&emitter->base, step);
  EchoOp *loop = echo_scf_for(echo_kernel_builder(emitter), low, high, step_value, NULL, 0, &body);
  if (is_parallel)
    echo_scf_mark_parallel(loop);
  enter(emitter, loop, body);
  EchoValue *index = echo_scf_induction(loop);
  echo_scope_define(emitter, index);
  return index;
}

EchoValue *echo_kernel_begin_range(EchoKernelEmitter *emitter, int64_t n, bool is_parallel)
{
  EchoElementEmitter *base = &emitter->base;
  return echo_kernel_begin_for(emitter, echo_index_constant(base, 0), echo_index_constant(base, n),
                               1, is_parallel);
}

EchoValue *echo_kernel_begin_tile(EchoKernelEmitter *emitter, EchoValue *size, int64_t step,
                                  int64_t rows, int64_t vectors)
{
  emitter->base.builder = echo_kernel_builder(emitter);
  EchoValue *index =
      echo_kernel_begin_for(emitter, echo_index_constant(&emitter->base, 0), size, step, false);
  const int64_t tile[] = {rows, vectors};
  echo_op_set_attr(echo_block_parent(echo_value_block(index)), "kernel.tile",
                   echo_attr_i64_array(emitter->ctx, tile, 2));
  return index;
}

EchoValue *echo_kernel_begin_piece(EchoKernelEmitter *emitter, int64_t low, int64_t high,
                                   bool is_parallel)
{
  EchoElementEmitter *base = &emitter->base;
  EchoValue *index = echo_kernel_begin_for(emitter, echo_index_constant(base, low),
                                           echo_index_constant(base, high), 1, is_parallel);
  emitter->piece_index = index;
  emitter->piece_low = low;
  emitter->piece_high = high;
  return index;
}

void echo_kernel_end_piece(EchoKernelEmitter *emitter)
{
  emitter->piece_index = NULL;
  echo_kernel_end_for(emitter);
}

void echo_kernel_end_for(EchoKernelEmitter *emitter)
{
  echo_scf_yield(echo_kernel_builder(emitter), NULL, 0);
  leave(emitter);
}

EchoValue *echo_kernel_begin_carried_to(EchoKernelEmitter *emitter, EchoValue *high,
                                        EchoValue *const *inits, size_t n_carried,
                                        EchoValue **carried)
{
  EchoBuilder body;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *low = echo_index_constant(base, 0), *step = echo_index_constant(base, 1);
  EchoOp *loop =
      echo_scf_for(echo_kernel_builder(emitter), low, high, step, inits, n_carried, &body);
  enter(emitter, loop, body);
  EchoValue *index = echo_scf_induction(loop);
  echo_scope_define(emitter, index);
  for (size_t i = 0; i < n_carried; ++i) {
    carried[i] = echo_block_arg(body.block, i + 1);
    echo_scope_define(emitter, carried[i]);
  }
  return index;
}

EchoValue *echo_kernel_begin_carried(EchoKernelEmitter *emitter, int64_t n, EchoValue *const *inits,
                                     size_t n_carried, EchoValue **carried)
{
  return echo_kernel_begin_carried_to(emitter, echo_index_constant(&emitter->base, n), inits,
                                      n_carried, carried);
}

void echo_kernel_end_carried(EchoKernelEmitter *emitter, EchoValue *const *next, size_t n,
                             EchoValue **results)
{
  EchoOp *loop = emitter->scopes[emitter->n_scopes - 1]->loop;
  echo_scf_yield(echo_kernel_builder(emitter), next, n);
  leave(emitter);
  for (size_t i = 0; i < n; ++i) {
    results[i] = echo_op_result(loop, i);
    echo_scope_define(emitter, results[i]);
  }
}

void echo_kernel_begin_if(EchoKernelEmitter *emitter, EchoValue *condition)
{
  EchoBuilder body;
  EchoOp *op = echo_scf_if(echo_kernel_builder(emitter), condition, NULL, 0, &body, NULL);
  enter(emitter, op, body)->is_fence = true;
}

void echo_kernel_end_if(EchoKernelEmitter *emitter)
{
  echo_scf_yield(echo_kernel_builder(emitter), NULL, 0);
  leave(emitter);
}

void echo_kernel_begin_fence(EchoKernelEmitter *emitter)
{
  push(emitter, *echo_kernel_builder(emitter))->is_fence = true;
}

void echo_kernel_end_fence(EchoKernelEmitter *emitter)
{
  pop(emitter); /* the block, and its insertion point, is the enclosing scope's */
}

/* ---- what hooks call ---- */

EchoExcursion echo_scope_go_to(EchoKernelEmitter *emitter, size_t depth)
{
  EchoExcursion excursion = {NULL, emitter->n_scopes - depth - 1, emitter->base.builder};
  if (excursion.n_hidden != 0)
    excursion.hidden = echo_arena_copy(emitter->arena, emitter->scopes + depth + 1,
                                       excursion.n_hidden * sizeof *excursion.hidden);
  emitter->n_scopes = depth + 1;
  emitter->base.builder = &emitter->scopes[depth]->builder;
  return excursion;
}

void echo_scope_come_back(EchoKernelEmitter *emitter, EchoExcursion excursion)
{
  for (size_t i = 0; i < excursion.n_hidden; ++i)
    emitter->scopes[emitter->n_scopes++] = excursion.hidden[i];
  emitter->base.builder = excursion.builder;
}

static EchoValue *pure_op(EchoElementEmitter *base, const char *name, int64_t predicate,
                          EchoValue *const *operands, size_t n, const EchoType *type)
{
  EchoKernelEmitter *emitter = of(base);
  const EchoOpInfo *info = echo_context_op_info(emitter->ctx, name);
  uint64_t hash = echo_hash_combine(echo_memo_hash(info, operands, n, predicate), echo_key(type));
  EchoValue *value = echo_memo_look_up_or_null(emitter, hash, info, operands, n, predicate);
  if (value != NULL && value->type == type)
    return value;
  size_t depth = echo_scope_of_operands(emitter, operands, n, 1);
  if (emitter->n_scopes == 1)
    depth = 0;
  EchoExcursion excursion = echo_scope_go_to(emitter, depth);
  EchoBuilder *builder = base->builder;
  if (predicate >= 0)
    value = echo_arith_cmpi(builder, (EchoCmpiPredicate)predicate, operands[0], operands[1]);
  else if (n == 3)
    value = echo_arith_select(builder, operands[0], operands[1], operands[2]);
  else if (n == 2)
    value = echo_arith_binary(builder, name, operands[0], operands[1]);
  else
    value = echo_arith_unary(builder, name, operands[0], type);
  echo_scope_come_back(emitter, excursion);
  echo_memo_add(emitter, depth, hash, info, operands, n, predicate, value);
  return value;
}

/* Constants stand at the top of the function. */
static EchoValue *constant(EchoElementEmitter *base, const EchoAttr *attr)
{
  EchoKernelEmitter *emitter = of(base);
  EchoScope *top = emitter->scopes[0];
  uint64_t hash = echo_memo_hash(attr, NULL, 0, 0);
  EchoValue *value = memo_find_or_null(top, hash, attr, NULL, 0, 0);
  if (value != NULL)
    return value;
  EchoBuilder builder = top->builder;
  builder.before = emitter->entry->first;
  EchoAttrArg args[] = {{"value", attr}};
  const EchoType *type = attr->type;
  value = echo_op_result(echo_build_op(&builder, "arith.constant", NULL, 0, &type, 1, args, 1), 0);
  echo_memo_add(emitter, 0, hash, attr, NULL, 0, 0, value);
  return value;
}

/* ---- the function ---- */

/* memref of a tensor's shape, its element as a register holds it. */
static const EchoType *buffer_type(EchoContext *ctx, const EchoType *tensor)
{
  EchoElementKind kind = echo_type_element_kind(tensor);
  const EchoType *element =
      kind == ECHO_ELEMENT_NONE ? tensor->as.shaped.element : echo_scalar_type(ctx, kind);
  return echo_type_memref(ctx, tensor->as.shaped.dims, tensor->as.shaped.rank, element, NULL, NULL);
}

void echo_kernel_emitter_begin(EchoKernelEmitter *emitter, EchoArena *arena, const EchoOp *kernel,
                               EchoStr name, EchoFindElementLowering *element_lowering_or_null)
{
  static const EchoType *const NO_TYPES[1] = {NULL};
  EchoContext *ctx = echo_op_context(kernel);
  const EchoType *signature = echo_op_attr_or_null(kernel, "function_type")->as.type_value;
  uint32_t n_inputs = signature->as.function.n_inputs, n_outputs = signature->as.function.n_results;
  *emitter = (EchoKernelEmitter){.element_lowering_or_null = element_lowering_or_null,
                                 .ctx = ctx,
                                 .arena = arena,
                                 .kernel = kernel,
                                 .n_inputs = n_inputs,
                                 .n_outputs = n_outputs};
  emitter->base = (EchoElementEmitter){
      .element = echo_kernel_find_element, .pure_op = pure_op, .constant = constant};
  const EchoType **types = ECHO_ARENA_ARRAY(arena, const EchoType *, n_inputs + n_outputs + 1);
  for (uint32_t i = 0; i < n_inputs; ++i)
    types[i] = buffer_type(ctx, signature->as.function.inputs[i]);
  for (uint32_t i = 0; i < n_outputs; ++i)
    types[n_inputs + i] = buffer_type(ctx, signature->as.function.results[i]);
  const EchoType *type = echo_type_function(ctx, types, n_inputs + n_outputs, NULL, 0);
  EchoBuilder builder = {.ctx = ctx, .loc = kernel->loc};
  EchoAttrArg args[] = {{"sym_name", echo_attr_string(ctx, name)},
                        {"function_type", echo_attr_type(ctx, type)},
                        {"kernel.kind", echo_op_attr_or_null(kernel, "kind")}};
  emitter->func =
      echo_build_op_with_regions(&builder, "func.func", NULL, 0, NO_TYPES, 0, args, 3, 1);
  emitter->entry = echo_block_create(ctx);
  echo_region_append(&emitter->func->regions[0], emitter->entry);
  for (uint32_t i = 0; i < n_inputs + n_outputs; ++i)
    echo_block_add_arg(ctx, emitter->entry, types[i], kernel->loc);
  builder.block = emitter->entry;
  push(emitter, builder);
  emitter->base.builder = &emitter->scopes[0]->builder;
  const EchoBlock *body = echo_op_body(kernel, 0);
  for (uint32_t i = 0; i < n_inputs + n_outputs; ++i) {
    EchoValue *memref = echo_block_arg(emitter->entry, i);
    echo_map_set(&emitter->depths, echo_key(memref), 0);
    if (i < n_inputs)
      echo_kernel_bind(emitter, echo_block_arg(body, i), ECHO_BIND_BUFFER, memref, NULL);
  }
}

EchoValue *echo_kernel_output(const EchoKernelEmitter *emitter, size_t result)
{
  return echo_block_arg(emitter->entry, emitter->n_inputs + result);
}

static void close(EchoKernelEmitter *emitter)
{
  while (emitter->n_scopes > 0)
    pop(emitter);
  echo_map_destroy(&emitter->depths);
  echo_map_destroy(&emitter->bindings);
}

void echo_kernel_emitter_abandon(EchoKernelEmitter *emitter)
{
  close(emitter);
  echo_op_erase(emitter->func);
  emitter->func = NULL;
}

EchoOp *echo_kernel_emitter_finish_or_null(EchoKernelEmitter *emitter)
{
  static const EchoType *const NO_TYPES[1] = {NULL};
  if (emitter->failed) {
    echo_kernel_emitter_abandon(emitter);
    return NULL;
  }
  echo_build_op(&emitter->scopes[0]->builder, "func.return", NULL, 0, NO_TYPES, 0, NULL, 0);
  close(emitter);
  return emitter->func;
}
