/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* stablehlo.reduce as loops, in the fixed order that every kernel keeps (docs/stages.md): element i
 * goes to partial i mod L, the partials meet in a tree. */
#include "dialects/stablehlo/opcode.h"
#include "lowering/kernels/lower_kernel_t.h"

int64_t echo_reduction_lanes(EchoElementKind kind)
{
  bool is_wide = kind == ECHO_ELEMENT_F64 || kind == ECHO_ELEMENT_I64 || kind == ECHO_ELEMENT_UI64;
  return is_wide ? 8 : 16;
}

EchoCombiner echo_combiner_of(const EchoOp *reduce)
{
  EchoCombiner none = {.opcode = ECHO_N_HLO_OPCODES};
  EchoHloOpcode opcode = echo_hlo_combiner(&reduce->regions[0]);
  if (opcode == ECHO_N_HLO_OPCODES)
    return none;
  const EchoValue *element = echo_block_arg(reduce->regions[0].first, 0);
  EchoCombiner combiner = {.opcode = opcode, .kind = echo_type_element_kind(element->type)};
  combiner.neutral = echo_scalar_neutral_or_null(echo_op_context(reduce), opcode, combiner.kind);
  return combiner.neutral != NULL ? combiner : none;
}

static EchoValue *combine(EchoKernelEmitter *emitter, const EchoCombiner *combiner, EchoValue *a,
                          EchoValue *b)
{
  return echo_scalar_binary(echo_kernel_builder(emitter), combiner->opcode, combiner->kind, a, b);
}

static EchoValue *load_partial(EchoKernelEmitter *emitter, EchoValue *partials, int64_t index)
{
  EchoValue *position = echo_index_constant(&emitter->base, index);
  return echo_memref_load(echo_kernel_builder(emitter), partials, &position, 1);
}

EchoValue *echo_emit_partial_tree(EchoKernelEmitter *emitter, const EchoCombiner *combiner,
                                  EchoValue *partials, int64_t lanes)
{
  EchoValue *values[16];
  for (int64_t i = 0; i < lanes; ++i)
    values[i] = load_partial(emitter, partials, i);
  for (int64_t half = lanes / 2; half > 0; half /= 2)
    for (int64_t i = 0; i < half; ++i)
      values[i] = combine(emitter, combiner, values[i], values[i + half]);
  return values[0];
}

/* What a reduction runs over, and where. */
typedef struct Reduction {
  const EchoOp *op;
  size_t n_values; /* operands that are reduced; as many init values follow */
  EchoDimList dims;
  int64_t reduced_dims[ECHO_MAX_RANK];
  int64_t n_reduced; /* elements for one result */
  EchoValue *const *indices;
} Reduction;

static Reduction describe(const EchoOp *op, EchoValue *const *indices)
{
  Reduction reduction = {.op = op,
                         .n_values = op->n_operands / 2,
                         .dims = echo_stablehlo_dims(op, "dimensions"),
                         .n_reduced = 1,
                         .indices = indices};
  const EchoType *type = echo_op_operand_type(op, 0);
  size_t n = 0;
  for (uint32_t i = 0; i < type->as.shaped.rank; ++i)
    if (echo_dim_list_has(reduction.dims, (int64_t)i)) {
      reduction.reduced_dims[n++] = echo_type_dim(type, i);
      reduction.n_reduced *= echo_type_dim(type, i);
    }
  return reduction;
}

/* Element of operand `value` at these indices of the reduced dimensions. */
static EchoValue *element_at(EchoKernelEmitter *emitter, const Reduction *reduction, size_t value,
                             EchoValue *const *reduced)
{
  const EchoType *type = echo_op_operand_type(reduction->op, value);
  EchoValue *operand_indices[ECHO_MAX_RANK];
  size_t next_reduced = 0, next_kept = 0;
  for (uint32_t i = 0; i < type->as.shaped.rank; ++i)
    operand_indices[i] = echo_dim_list_has(reduction->dims, (int64_t)i)
                             ? reduced[next_reduced++]
                             : reduction->indices[next_kept++];
  return echo_kernel_element(emitter, echo_op_operand(reduction->op, value), operand_indices);
}

/* Element `position`, row-major over the reduced dimensions. */
static EchoValue *reduced_element(EchoKernelEmitter *emitter, const Reduction *reduction,
                                  size_t value, EchoValue *position)
{
  EchoValue *reduced[ECHO_MAX_RANK];
  emitter->base.builder = echo_kernel_builder(emitter);
  echo_index_delinearize(&emitter->base, position, reduction->reduced_dims, reduction->dims.size,
                         reduced);
  return element_at(emitter, reduction, value, reduced);
}

/* Elements of one row, the last reduced dimension, when rows are whole numbers of lanes: then an
 * element's lane is the same counted within its row, and no position has to be taken apart for each
 * element. */
typedef struct Row {
  EchoValue *indices[ECHO_MAX_RANK]; /* of the reduced dimensions but the last */
  bool is_used;
} Row;

static bool has_rows(const Reduction *reduction, int64_t lanes)
{
  size_t n = reduction->dims.size, n_long = 0;
  for (size_t i = 0; i < n; ++i)
    n_long += reduction->reduced_dims[i] > 1;
  return n_long > 1 && reduction->reduced_dims[n - 1] % lanes == 0 &&
         reduction->reduced_dims[n - 1] >= 4 * lanes;
}

/* for lane in [0, n): partials[lane] = partials[lane] op element[base + lane] */
static void emit_lanes(EchoKernelEmitter *emitter, const Reduction *reduction,
                       const EchoCombiner *combiner, EchoValue *partials, Row *row, EchoValue *base,
                       int64_t n)
{
  EchoValue *lane = echo_kernel_begin_range(emitter, n, true);
  emitter->base.builder = echo_kernel_builder(emitter);
  EchoValue *position = echo_index_add(&emitter->base, base, lane);
  EchoValue *element = NULL;
  if (row->is_used) {
    row->indices[reduction->dims.size - 1] = position;
    element = element_at(emitter, reduction, 0, row->indices);
  } else {
    element = reduced_element(emitter, reduction, 0, position);
  }
  if (element != NULL) {
    EchoBuilder *builder = echo_kernel_builder(emitter);
    EchoValue *partial = echo_memref_load(builder, partials, &lane, 1);
    EchoValue *sum = combine(emitter, combiner, partial, element);
    echo_memref_store(echo_kernel_builder(emitter), sum, partials, &lane, 1);
  }
  echo_kernel_end_for(emitter);
}

static EchoValue *emit_partials(EchoKernelEmitter *emitter, const Reduction *reduction,
                                const EchoCombiner *combiner)
{
  EchoElementEmitter *base = &emitter->base;
  int64_t lanes = echo_reduction_lanes(combiner->kind);
  int64_t n_whole = reduction->n_reduced / lanes * lanes;
  EchoValue *neutral = base->constant(base, combiner->neutral);
  EchoValue *partials = echo_kernel_alloca(emitter, neutral->type, &lanes, 1);
  EchoValue *lane = echo_kernel_begin_range(emitter, lanes, true);
  echo_memref_store(echo_kernel_builder(emitter), neutral, partials, &lane, 1);
  echo_kernel_end_for(emitter);
  Row row = {.is_used = has_rows(reduction, lanes)};
  size_t n_outer = reduction->dims.size - 1;
  int64_t length = n_whole;
  if (row.is_used) {
    length = reduction->reduced_dims[n_outer];
    EchoValue *number = echo_kernel_begin_range(emitter, reduction->n_reduced / length, false);
    base->builder = echo_kernel_builder(emitter);
    echo_index_delinearize(base, number, reduction->reduced_dims, n_outer, row.indices);
  }
  if (length > 0) {
    EchoValue *chunk = echo_kernel_begin_for(emitter, echo_index_constant(base, 0),
                                             echo_index_constant(base, length), lanes, false);
    emit_lanes(emitter, reduction, combiner, partials, &row, chunk, lanes);
    echo_kernel_end_for(emitter);
  }
  if (row.is_used)
    echo_kernel_end_for(emitter);
  else if (n_whole < reduction->n_reduced)
    emit_lanes(emitter, reduction, combiner, partials, &row, echo_index_constant(base, n_whole),
               reduction->n_reduced - n_whole);
  return echo_emit_partial_tree(emitter, combiner, partials, lanes);
}

/* In order, all values at once: result = body(result, element). */
static bool emit_sequence(EchoKernelEmitter *emitter, const Reduction *reduction, EchoValue **inits,
                          EchoValue **results)
{
  size_t n = reduction->n_values;
  EchoValue **arguments = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, 2 * n);
  EchoValue **next = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, n);
  EchoValue *position =
      echo_kernel_begin_carried(emitter, reduction->n_reduced, inits, n, arguments);
  for (size_t i = 0; i < n; ++i)
    arguments[n + i] = reduced_element(emitter, reduction, i, position);
  emitter->base.builder = echo_kernel_builder(emitter);
  bool fine = !emitter->failed && echo_kernel_inline_region(emitter, &reduction->op->regions[0],
                                                            arguments, 2 * n, next, n);
  if (!fine)
    for (size_t i = 0; i < n; ++i)
      next[i] = inits[i];
  echo_kernel_end_carried(emitter, next, n, results);
  return fine;
}

bool echo_emit_reduce(EchoKernelEmitter *emitter, const EchoOp *op, EchoValue *const *indices,
                      EchoValue **results)
{
  Reduction reduction = describe(op, indices);
  EchoCombiner combiner = echo_combiner_of(op);
  EchoValue **inits = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, reduction.n_values);
  for (size_t i = 0; i < reduction.n_values; ++i) {
    inits[i] = echo_kernel_element(emitter, echo_op_operand(op, reduction.n_values + i), NULL);
    results[i] = inits[i];
  }
  if (emitter->failed)
    return false;
  if (reduction.n_reduced == 0)
    return true;
  if (combiner.opcode == ECHO_N_HLO_OPCODES)
    return emit_sequence(emitter, &reduction, inits, results);
  EchoValue *sum = emit_partials(emitter, &reduction, &combiner);
  if (!emitter->failed)
    results[0] = combine(emitter, &combiner, inits[0], sum);
  return !emitter->failed;
}
