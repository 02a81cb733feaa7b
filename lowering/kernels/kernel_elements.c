/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elements of tensors: of what is bound to memory, and of ops, each computed in the outermost scope
 * that knows its indices. */
#include "lowering/kernels/kernel_scopes_t.h"

/* ---- buffers ---- */

/* `index` less a constant that is added to it. */
static EchoValue *without_constant(EchoValue *index, int64_t *constant)
{
  const EchoOp *def = echo_value_def_or_null(index);
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
      /* (high + b) * dim + low + c is the joined one + b * dim + c; where there is one index the
       * whole of low + c is 0. Threads of a GPU take neighbours, of c. */
      int64_t above = 0, constant = 0;
      EchoValue *upper = without_constant(group_indices[n_groups - 1], &above);
      EchoIndexDigit high = echo_index_digit(upper);
      bool is_lower = emitter->is_gpu && dims[i] != 1;
      EchoValue *index = is_lower ? without_constant(indices[i], &constant) : indices[i];
      EchoIndexDigit low = echo_index_digit(index);
      bool joins = dims[i] == 1 || (low.modulus == dims[i] && high.source == low.source &&
                                    high.divisor == low.divisor * dims[i]);
      if (joins) {
        EchoValue *pair[] = {upper, index};
        int64_t pair_dims[] = {2, dims[i]}; /* the first is not read */
        EchoValue *joined = echo_index_linearize(&emitter->base, pair_dims, 2, pair);
        group_indices[n_groups - 1] =
            echo_index_add_constant(&emitter->base, joined, above * dims[i] + constant);
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
  uint64_t hash = echo_memo_hash(info, operands, 1, (int64_t)shape);
  EchoValue *view = echo_memo_look_up_or_null(emitter, hash, info, operands, 1, (int64_t)shape);
  if (view != NULL)
    return view;
  EchoBuilder builder = emitter->scopes[depth]->builder;
  view = echo_memref_collapse(&builder, memref, group_sizes, n_groups);
  echo_memo_add(emitter, depth, hash, info, operands, 1, (int64_t)shape, view);
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
  echo_scope_define(emitter, memref);
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
      echo_op_error(op, "%.*s", ECHO_STR_ARG(echo_stablehlo_unknown_call(op)));
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
      echo_memo_add(emitter, emitter->n_scopes - 1, echo_memo_hash(other, indices, rank, 0), other,
                    indices, rank, 0, results[i]);
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
    uint64_t hash = echo_memo_hash(value, indices, rank, 0);
    if (echo_memo_look_up_or_null(emitter, hash, value, indices, rank, 0) == NULL)
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
      echo_kernel_find_element(&emitter->base, top, indices);
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

EchoValue *echo_kernel_find_element(EchoElementEmitter *base, EchoValue *tensor,
                                    EchoValue *const *indices)
{
  EchoKernelEmitter *emitter = (EchoKernelEmitter *)base;
  const EchoBinding *binding = echo_map_get_ptr(&emitter->bindings, tensor);
  if (emitter->failed)
    return NULL;
  if (binding != NULL && binding->kind == ECHO_BIND_SCALAR)
    return binding->value;
  size_t rank = tensor->type->as.shaped.rank;
  uint64_t hash = echo_memo_hash(tensor, indices, rank, 0);
  EchoValue *value = echo_memo_look_up_or_null(emitter, hash, tensor, indices, rank, 0);
  if (value != NULL)
    return value;
  size_t least = emitter->n_scopes > 1 ? 1 : 0;
  size_t depth = echo_scope_of_operands(emitter, indices, rank, least);
  EchoExcursion excursion = echo_scope_go_to(emitter, depth);
  const EchoOp *def = echo_value_def_or_null(tensor);
  if (binding == NULL && def != NULL)
    prepare_chain(emitter, def, tensor, indices);
  if (emitter->failed || !check_nesting(emitter, tensor)) {
    echo_scope_come_back(emitter, excursion);
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
  echo_scope_come_back(emitter, excursion);
  if (value == NULL)
    emitter->failed = true;
  else
    echo_memo_add(emitter, depth, hash, tensor, indices, rank, 0, value);
  return value;
}

EchoValue *echo_kernel_element(EchoKernelEmitter *emitter, EchoValue *tensor,
                               EchoValue *const *indices)
{
  emitter->base.builder = echo_kernel_builder(emitter);
  return echo_kernel_find_element(&emitter->base, tensor, indices);
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
    results[i] = echo_kernel_find_element(&emitter->base, echo_op_operand(end, i), NULL);
  for (size_t i = 0; i < n_arguments; ++i)
    echo_kernel_unbind(emitter, echo_block_arg(block, i));
  echo_kernel_end_fence(emitter);
  emitter->base.builder = builder;
  /* results belong to the scope around the fence */
  for (size_t i = 0; i < n_results; ++i)
    if (results[i] != NULL && echo_kernel_depth(emitter, results[i]) >= emitter->n_scopes)
      echo_scope_define(emitter, results[i]);
  return !emitter->failed;
}
