/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Scopes, memory of what was computed, and elements. */
#include "lowering/kernels/kernel_emitter_t.h"
#include "planning/cost/runtime.h"

static EchoKernelEmitter *of(EchoElementEmitter *base)
{
  return (EchoKernelEmitter *)base;
}

/* ---- memory of a scope ---- */

static uint64_t memo_hash(const void *head, EchoValue *const *operands, size_t n, int64_t extra)
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

static void memo_add(EchoKernelEmitter *emitter, size_t depth, uint64_t hash, const void *head,
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

/* Inner scopes see what outer ones hold. */
static EchoValue *memo_look_up_or_null(const EchoKernelEmitter *emitter, uint64_t hash,
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

/* The outermost scope that may hold a value computed from `operands`: at least `least`, and inside
 * the innermost fence. */
static size_t depth_of(const EchoKernelEmitter *emitter, EchoValue *const *operands, size_t n,
                       size_t least)
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

static void define(EchoKernelEmitter *emitter, const EchoValue *value)
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
  define(emitter, task);
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
  define(emitter, index);
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
  define(emitter, index);
  for (size_t i = 0; i < n_carried; ++i) {
    carried[i] = echo_block_arg(body.block, i + 1);
    define(emitter, carried[i]);
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
    define(emitter, results[i]);
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

/* Runs with the builder of scope `depth`; scopes further in are out of sight meanwhile. */
typedef struct Excursion {
  EchoScope **hidden;
  size_t n_hidden;
  EchoBuilder *builder;
} Excursion;

static Excursion go_to(EchoKernelEmitter *emitter, size_t depth)
{
  Excursion excursion = {NULL, emitter->n_scopes - depth - 1, emitter->base.builder};
  if (excursion.n_hidden != 0)
    excursion.hidden = echo_arena_copy(emitter->arena, emitter->scopes + depth + 1,
                                       excursion.n_hidden * sizeof *excursion.hidden);
  emitter->n_scopes = depth + 1;
  emitter->base.builder = &emitter->scopes[depth]->builder;
  return excursion;
}

static void come_back(EchoKernelEmitter *emitter, Excursion excursion)
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
  uint64_t hash = echo_hash_combine(memo_hash(info, operands, n, predicate), echo_key(type));
  EchoValue *value = memo_look_up_or_null(emitter, hash, info, operands, n, predicate);
  if (value != NULL && value->type == type)
    return value;
  size_t depth = depth_of(emitter, operands, n, 1);
  if (emitter->n_scopes == 1)
    depth = 0;
  Excursion excursion = go_to(emitter, depth);
  EchoBuilder *builder = base->builder;
  if (predicate >= 0)
    value = echo_arith_cmpi(builder, (EchoCmpiPredicate)predicate, operands[0], operands[1]);
  else if (n == 3)
    value = echo_arith_select(builder, operands[0], operands[1], operands[2]);
  else if (n == 2)
    value = echo_arith_binary(builder, name, operands[0], operands[1]);
  else
    value = echo_arith_unary(builder, name, operands[0], type);
  come_back(emitter, excursion);
  memo_add(emitter, depth, hash, info, operands, n, predicate, value);
  return value;
}

/* Constants stand at the top of the function. */
static EchoValue *constant(EchoElementEmitter *base, const EchoAttr *attr)
{
  EchoKernelEmitter *emitter = of(base);
  EchoScope *top = emitter->scopes[0];
  uint64_t hash = memo_hash(attr, NULL, 0, 0);
  EchoValue *value = memo_find_or_null(top, hash, attr, NULL, 0, 0);
  if (value != NULL)
    return value;
  EchoBuilder builder = top->builder;
  builder.before = emitter->entry->first;
  EchoAttrArg args[] = {{"value", attr}};
  const EchoType *type = attr->type;
  value = echo_op_result(echo_build_op(&builder, "arith.constant", NULL, 0, &type, 1, args, 1), 0);
  memo_add(emitter, 0, hash, attr, NULL, 0, 0, value);
  return value;
}

/* ---- buffers ---- */

/* On a GPU `index` less a constant that is added to it; threads take neighbours. */
static EchoValue *without_constant(const EchoKernelEmitter *emitter, EchoValue *index,
                                   int64_t *constant)
{
  const EchoOp *def = emitter->is_gpu ? echo_value_def_or_null(index) : NULL;
  *constant = 0;
  if (def == NULL || !echo_op_is(def, "arith.addi") ||
      !echo_arith_constant_i64(echo_op_operand(def, 1), constant))
    return index;
  return echo_op_operand(def, 0);
}

/* Joins neighbouring dimensions whose indices are digits of one number. Fills the groups' sizes and
 * indices; returns how many groups. */
static size_t join_dims(EchoKernelEmitter *emitter, const EchoType *type, EchoValue *const *indices,
                        size_t *group_sizes, EchoValue **group_indices)
{
  size_t n_groups = 0, rank = type->as.shaped.rank;
  const int64_t *dims = type->as.shaped.dims;
  for (size_t i = 0; i < rank; ++i) {
    if (n_groups > 0) {
      EchoIndexDigit high = echo_index_digit(group_indices[n_groups - 1]);
      int64_t constant = 0; /* of a neighbour: high * dim + low + c is the joined one + c; where
                               there is one index the whole of low + c is 0 */
      EchoValue *index =
          dims[i] == 1 ? indices[i] : without_constant(emitter, indices[i], &constant);
      EchoIndexDigit low = echo_index_digit(index);
      bool joins = dims[i] == 1 || (low.modulus == dims[i] && high.source == low.source &&
                                    high.divisor == low.divisor * dims[i]);
      if (joins) {
        EchoValue *pair[] = {group_indices[n_groups - 1], index};
        int64_t pair_dims[] = {2, dims[i]}; /* the first is not read */
        EchoValue *joined = echo_index_linearize(&emitter->base, pair_dims, 2, pair);
        group_indices[n_groups - 1] = echo_index_add_constant(&emitter->base, joined, constant);
        group_sizes[n_groups - 1]++;
        continue;
      }
      bool is_leading_one = n_groups == 1 && group_sizes[0] == i;
      for (size_t k = 0; is_leading_one && k < i; ++k)
        is_leading_one = dims[k] == 1;
      if (is_leading_one) {
        group_indices[0] = indices[i];
        group_sizes[0]++;
        continue;
      }
    }
    group_sizes[n_groups] = 1;
    group_indices[n_groups++] = indices[i];
  }
  return n_groups;
}

/* The view of `memref` in these groups, made once at the top of the function where its memref is
 * one of the function's arguments, else where it is asked for. */
static EchoValue *view_of(EchoKernelEmitter *emitter, EchoValue *memref, const size_t *group_sizes,
                          size_t n_groups)
{
  if (n_groups == memref->type->as.shaped.rank)
    return memref;
  uint64_t shape = 0;
  for (size_t i = 0; i < n_groups; ++i)
    shape = echo_hash_combine(shape, group_sizes[i]);
  size_t depth = memref->is_block_arg ? 0 : echo_kernel_depth(emitter, memref);
  EchoValue *operands[] = {memref};
  const EchoOpInfo *info = echo_context_op_info(emitter->ctx, "memref.collapse_shape");
  uint64_t hash = memo_hash(info, operands, 1, (int64_t)shape);
  EchoValue *view = memo_look_up_or_null(emitter, hash, info, operands, 1, (int64_t)shape);
  if (view != NULL)
    return view;
  EchoBuilder builder = emitter->scopes[depth]->builder;
  view = echo_memref_collapse(&builder, memref, group_sizes, n_groups);
  memo_add(emitter, depth, hash, info, operands, 1, (int64_t)shape, view);
  return view;
}

EchoValue *echo_kernel_load(EchoKernelEmitter *emitter, EchoValue *memref,
                            EchoValue *const *indices)
{
  size_t group_sizes[ECHO_MAX_RANK];
  EchoValue *group_indices[ECHO_MAX_RANK];
  size_t n = join_dims(emitter, memref->type, indices, group_sizes, group_indices);
  EchoValue *view = view_of(emitter, memref, group_sizes, n);
  return echo_memref_load(echo_kernel_builder(emitter), view, group_indices, n);
}

void echo_kernel_store(EchoKernelEmitter *emitter, EchoValue *value, EchoValue *memref,
                       EchoValue *const *indices)
{
  size_t group_sizes[ECHO_MAX_RANK];
  EchoValue *group_indices[ECHO_MAX_RANK];
  size_t n = join_dims(emitter, memref->type, indices, group_sizes, group_indices);
  EchoValue *view = view_of(emitter, memref, group_sizes, n);
  echo_memref_store(echo_kernel_builder(emitter), value, view, group_indices, n);
}

EchoValue *echo_kernel_alloca(EchoKernelEmitter *emitter, const EchoType *element,
                              const int64_t *dims, size_t rank)
{
  const EchoType *type = echo_type_memref(emitter->ctx, dims, rank, element, NULL, NULL);
  EchoValue *memref = echo_memref_alloca(echo_kernel_builder(emitter), type);
  define(emitter, memref);
  return memref;
}

/* ---- elements ---- */

void echo_kernel_bind(EchoKernelEmitter *emitter, const EchoValue *tensor, EchoBindingKind kind,
                      EchoValue *value, EchoValue *offset)
{
  EchoBinding *binding = ECHO_ARENA_NEW(emitter->arena, EchoBinding);
  *binding = (EchoBinding){.kind = kind, .value = value, .offset = offset};
  echo_map_set_ptr(&emitter->bindings, tensor, binding);
}

void echo_kernel_bind_rows(EchoKernelEmitter *emitter, const EchoValue *tensor, EchoValue *memory,
                           EchoValue *first_row, size_t n_row_dims, int64_t pitch)
{
  EchoBinding *binding = ECHO_ARENA_NEW(emitter->arena, EchoBinding);
  *binding = (EchoBinding){.kind = ECHO_BIND_ROWS,
                           .value = memory,
                           .offset = first_row,
                           .n_row_dims = n_row_dims,
                           .pitch = pitch};
  echo_map_set_ptr(&emitter->bindings, tensor, binding);
}

void echo_kernel_bind_columns(EchoKernelEmitter *emitter, const EchoValue *tensor,
                              EchoValue *memory, EchoValue *first_column, const int64_t dims[3],
                              int64_t pitch)
{
  EchoBinding *binding = ECHO_ARENA_NEW(emitter->arena, EchoBinding);
  *binding = (EchoBinding){.kind = ECHO_BIND_COLUMNS,
                           .value = memory,
                           .offset = first_column,
                           .pitch = pitch,
                           .dims = {dims[0], dims[1], dims[2]}};
  echo_map_set_ptr(&emitter->bindings, tensor, binding);
}

void echo_kernel_unbind(EchoKernelEmitter *emitter, const EchoValue *tensor)
{
  echo_map_erase(&emitter->bindings, echo_key(tensor));
}

static EchoValue *element_of_rows(EchoKernelEmitter *emitter, const EchoBinding *binding,
                                  const EchoType *type, EchoValue *const *indices)
{
  EchoElementEmitter *base = &emitter->base;
  size_t n = binding->n_row_dims;
  EchoValue *line, *place, *digits[3];
  if (binding->kind == ECHO_BIND_COLUMNS) {
    echo_index_reshape(base, type->as.shaped.dims, type->as.shaped.rank, indices, binding->dims, 3,
                       digits);
    line = digits[2];
    place = digits[1];
  } else {
    line = echo_index_linearize(base, type->as.shaped.dims, n, indices);
    place =
        echo_index_linearize(base, type->as.shaped.dims + n, type->as.shaped.rank - n, indices + n);
  }
  line = echo_index_mul_constant(base, echo_index_sub(base, line, binding->offset), binding->pitch);
  EchoValue *at = echo_index_add(base, line, place);
  EchoValue *value = echo_memref_load(echo_kernel_builder(emitter), binding->value, &at, 1);
  EchoElementKind held = echo_type_element_kind(binding->value->type);
  EchoElementKind kind = echo_type_element_kind(type);
  return echo_element_is_float(kind)
             ? echo_scalar_convert(echo_kernel_builder(emitter), held, kind, value)
             : value;
}

static EchoValue *bound_element(EchoKernelEmitter *emitter, const EchoBinding *binding,
                                const EchoType *type, EchoValue *const *indices)
{
  if (binding->kind == ECHO_BIND_ROWS || binding->kind == ECHO_BIND_COLUMNS)
    return element_of_rows(emitter, binding, type, indices);
  if (binding->kind == ECHO_BIND_LOCAL) {
    EchoValue *linear =
        echo_index_linearize(&emitter->base, type->as.shaped.dims, type->as.shaped.rank, indices);
    EchoValue *index = echo_index_sub(&emitter->base, linear, binding->offset);
    return echo_memref_load(echo_kernel_builder(emitter), binding->value, &index, 1);
  }
  return echo_kernel_load(emitter, binding->value, indices);
}

/* The operand of a concatenation that holds the whole piece that the current loop runs over; false
 * when none does. */
static bool pick_piece(const EchoKernelEmitter *emitter, const EchoOp *op,
                       EchoValue *const *indices, size_t *operand, int64_t *offset)
{
  size_t dim = (size_t)echo_op_attr_i64(op, "dimension", 0);
  if (emitter->piece_index == NULL || indices[dim] != emitter->piece_index)
    return false;
  int64_t low = 0;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    int64_t high = low + echo_type_dim(echo_op_operand_type(op, i), dim);
    if (low <= emitter->piece_low && emitter->piece_high <= high) {
      *operand = i;
      *offset = low;
      return true;
    }
    low = high;
  }
  return false;
}

static EchoValue *piece_of_concatenation(EchoKernelEmitter *emitter, const EchoOp *op,
                                         EchoValue *const *indices, size_t operand, int64_t offset)
{
  size_t dim = (size_t)echo_op_attr_i64(op, "dimension", 0);
  EchoValue *operand_indices[ECHO_MAX_RANK];
  for (uint32_t i = 0; i < echo_op_result_type(op, 0)->as.shaped.rank; ++i)
    operand_indices[i] = indices[i];
  operand_indices[dim] = echo_index_add_constant(&emitter->base, indices[dim], -offset);
  return emitter->base.element(&emitter->base, echo_op_operand(op, operand), operand_indices);
}

static EchoValue *compute(EchoKernelEmitter *emitter, const EchoOp *op, size_t result,
                          EchoValue *const *indices)
{
  size_t operand = 0;
  int64_t offset = 0;
  if (echo_hlo_opcode(op) == ECHO_HLO_CONCATENATE &&
      pick_piece(emitter, op, indices, &operand, &offset))
    return piece_of_concatenation(emitter, op, indices, operand, offset);
  if (op->info->emit_element != NULL)
    return op->info->emit_element(&emitter->base, op, result, indices);
  const EchoElementLowering *lowering = emitter->element_lowering_or_null(op);
  if (lowering == NULL) {
    if (echo_hlo_opcode(op) == ECHO_HLO_CUSTOM_CALL)
      echo_op_error(op, "calls '%.*s', which is not known",
                    ECHO_STR_ARG(echo_op_attr_string(op, "call_target_name")));
    else
      echo_op_error(op, "has no lowering to loops");
    return NULL;
  }
  if (lowering->element != NULL)
    return lowering->element(emitter, op, result, indices);
  EchoValue **results = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, op->n_results);
  if (!lowering->loops(emitter, op, indices, results))
    return NULL;
  /* all results are there now: the others need not be computed again */
  size_t rank = echo_op_result_type(op, 0)->as.shaped.rank;
  for (size_t i = 0; i < op->n_results; ++i)
    if (i != result && results[i] != NULL) {
      const EchoValue *other = echo_op_result(op, i);
      memo_add(emitter, emitter->n_scopes - 1, memo_hash(other, indices, rank, 0), other, indices,
               rank, 0, results[i]);
    }
  return results[result];
}

/* The ops that a hook emits have its op's location. */
static EchoValue *compute_at(EchoKernelEmitter *emitter, const EchoOp *op, size_t result,
                             EchoValue *const *indices)
{
  EchoBuilder *builder = emitter->base.builder;
  EchoLoc loc = builder->loc;
  builder->loc = op->loc;
  EchoValue *value = compute(emitter, op, result, indices);
  builder->loc = loc;
  return value;
}

static EchoValue *element(EchoElementEmitter *base, EchoValue *tensor, EchoValue *const *indices);

/* An operand of an elementwise op that is elementwise itself and not computed yet at these indices;
 * NULL when there is none. */
static EchoValue *pending_operand_or_null(const EchoKernelEmitter *emitter, const EchoOp *op,
                                          size_t rank, EchoValue *const *indices)
{
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    EchoValue *value = echo_op_operand(op, i);
    const EchoOp *def = echo_value_def_or_null(value);
    if (def == NULL || (def->info->traits & ECHO_ELEMENTWISE) == 0 ||
        value->type->as.shaped.rank != rank || echo_map_has(&emitter->bindings, echo_key(value)))
      continue;
    uint64_t hash = memo_hash(value, indices, rank, 0);
    if (memo_look_up_or_null(emitter, hash, value, indices, rank, 0) == NULL)
      return value;
  }
  return NULL;
}

/* Computes what an elementwise op stands on, deepest first and without recursion: chains may be
 * long. */
static void prepare_chain(EchoKernelEmitter *emitter, const EchoOp *op, EchoValue *tensor,
                          EchoValue *const *indices)
{
  size_t rank = tensor->type->as.shaped.rank;
  if ((op->info->traits & ECHO_ELEMENTWISE) == 0 ||
      pending_operand_or_null(emitter, op, rank, indices) == NULL)
    return;
  ECHO_VECTOR(EchoValue *) stack = {0};
  echo_vector_push(&stack, tensor);
  while (stack.size != 0 && !emitter->failed) {
    EchoValue *top = echo_vector_last(&stack);
    EchoValue *pending =
        pending_operand_or_null(emitter, echo_value_def_or_null(top), rank, indices);
    if (pending != NULL) {
      echo_vector_push(&stack, pending);
      continue;
    }
    (void)echo_vector_pop(&stack);
    if (top != tensor)
      element(&emitter->base, top, indices);
  }
  echo_vector_destroy(&stack);
}

enum { MAX_NESTED = 1000 };

static bool check_nesting(EchoKernelEmitter *emitter, const EchoValue *tensor)
{
  const EchoOp *def = echo_value_def_or_null(tensor);
  if (emitter->n_nested < MAX_NESTED || def == NULL)
    return true;
  emitter->failed = true;
  return echo_op_error(def, "stands on more than %d ops in one kernel", MAX_NESTED);
}

static EchoValue *element(EchoElementEmitter *base, EchoValue *tensor, EchoValue *const *indices)
{
  EchoKernelEmitter *emitter = of(base);
  const EchoBinding *binding = echo_map_get_ptr(&emitter->bindings, tensor);
  if (emitter->failed)
    return NULL;
  if (binding != NULL && binding->kind == ECHO_BIND_SCALAR)
    return binding->value;
  size_t rank = tensor->type->as.shaped.rank;
  uint64_t hash = memo_hash(tensor, indices, rank, 0);
  EchoValue *value = memo_look_up_or_null(emitter, hash, tensor, indices, rank, 0);
  if (value != NULL)
    return value;
  size_t least = emitter->n_scopes > 1 ? 1 : 0;
  size_t depth = depth_of(emitter, indices, rank, least);
  Excursion excursion = go_to(emitter, depth);
  const EchoOp *def = echo_value_def_or_null(tensor);
  if (binding == NULL && def != NULL)
    prepare_chain(emitter, def, tensor, indices);
  if (emitter->failed || !check_nesting(emitter, tensor)) {
    come_back(emitter, excursion);
    return NULL;
  }
  ++emitter->n_nested;
  if (binding != NULL)
    value = bound_element(emitter, binding, tensor->type, indices);
  else if (def != NULL)
    value = compute_at(emitter, def, tensor->index, indices);
  else
    ECHO_UNREACHABLE("element of a block argument that is not bound");
  --emitter->n_nested;
  come_back(emitter, excursion);
  if (value == NULL)
    emitter->failed = true;
  else
    memo_add(emitter, depth, hash, tensor, indices, rank, 0, value);
  return value;
}

EchoValue *echo_kernel_element(EchoKernelEmitter *emitter, EchoValue *tensor,
                               EchoValue *const *indices)
{
  emitter->base.builder = echo_kernel_builder(emitter);
  return element(&emitter->base, tensor, indices);
}

bool echo_kernel_inline_region(EchoKernelEmitter *emitter, const EchoRegion *region,
                               EchoValue *const *arguments, size_t n_arguments, EchoValue **results,
                               size_t n_results)
{
  const EchoBlock *block = region->first;
  EchoBuilder *builder = emitter->base.builder;
  echo_kernel_begin_fence(emitter);
  emitter->base.builder = echo_kernel_builder(emitter);
  for (size_t i = 0; i < n_arguments; ++i)
    echo_kernel_bind(emitter, echo_block_arg(block, i), ECHO_BIND_SCALAR, arguments[i], NULL);
  const EchoOp *end = block->last;
  for (size_t i = 0; i < n_results; ++i)
    results[i] = element(&emitter->base, echo_op_operand(end, i), NULL);
  for (size_t i = 0; i < n_arguments; ++i)
    echo_kernel_unbind(emitter, echo_block_arg(block, i));
  echo_kernel_end_fence(emitter);
  emitter->base.builder = builder;
  /* results belong to the scope around the fence */
  for (size_t i = 0; i < n_results; ++i)
    if (results[i] != NULL && echo_kernel_depth(emitter, results[i]) >= emitter->n_scopes)
      define(emitter, results[i]);
  return !emitter->failed;
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
  emitter->base =
      (EchoElementEmitter){.element = element, .pure_op = pure_op, .constant = constant};
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
