/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* scatter and select_and_scatter. The results start as copies, in one phase; the updates come in a
 * second, in index order for each destination: what is split over tasks are dimensions in which no
 * two updates can meet. */
#include "dialects/stablehlo/opcode.h"
#include "lowering/kernels/lower_scatter_t.h"

/* Elements of a vector that a task takes whole, where it can. */
enum { VECTOR = 16 };

/* for every element of result i: out = element of `source` (NULL: the scalar `init`). An operand
 * that already lies in the result's buffer is left there. */
static void emit_copy(EchoKernelEmitter *emitter, size_t result, EchoValue *source, EchoValue *init)
{
  EchoElementEmitter *base = &emitter->base;
  EchoValue *out = echo_kernel_output(emitter, result);
  int64_t n = echo_type_static_n_elements(out->type);
  int64_t bytes = n * (int64_t)echo_type_element_bytes(out->type->as.shaped.element);
  const EchoWork work = {.bytes = 2 * (double)bytes};
  double copy_ns = (double)echo_device_model_time_ns(emitter->device, &work);
  int64_t part = echo_task_part(emitter, n, echo_pieces_per_task(emitter, n, copy_ns), ECHO_LINES);
  EchoValue *task = echo_kernel_begin_tasks(emitter, echo_n_tasks(n, part), copy_ns);
  bool may_alias = source != NULL && source->is_block_arg;
  if (may_alias) {
    EchoBuilder *builder = echo_kernel_builder(emitter);
    EchoValue *from = echo_memref_address(builder, echo_block_arg(emitter->entry, source->index));
    EchoValue *to = echo_memref_address(builder, out);
    echo_kernel_begin_if(emitter, echo_arith_cmpi(builder, ECHO_CMPI_NE, from, to));
  }
  EchoValue *low, *high;
  echo_task_range(emitter, task, part, n, &low, &high);
  EchoValue *linear = echo_kernel_begin_for(emitter, low, high, 1, true);
  EchoValue *indices[ECHO_MAX_RANK];
  base->builder = echo_kernel_builder(emitter);
  echo_index_delinearize(base, linear, out->type->as.shaped.dims, out->type->as.shaped.rank,
                         indices);
  EchoValue *value =
      echo_kernel_element(emitter, source != NULL ? source : init, source != NULL ? indices : NULL);
  if (value != NULL)
    echo_kernel_store(emitter, value, out, indices);
  echo_kernel_end_for(emitter);
  if (may_alias)
    echo_kernel_end_if(emitter);
  echo_kernel_end_tasks(emitter);
}

/* ---- scatter ---- */

static void describe_windows(EchoScatter *s)
{
  const EchoType *operand = echo_op_operand_type(s->op, 0);
  const EchoType *updates = echo_op_operand_type(s->op, s->n_inputs + 1);
  size_t next = 0;
  for (uint32_t d = 0; d < operand->as.shaped.rank; ++d) {
    if (echo_dim_list_has(s->dims->inserted_window_dims, (int64_t)d) ||
        echo_dim_list_has(s->dims->input_batching_dims, (int64_t)d))
      continue;
    size_t at = (size_t)s->dims->update_window_dims.dims[next++];
    EchoScatterWindowDim window = {at, d, echo_type_dim(updates, at)};
    if (echo_dim_list_has(s->dims->scatter_dims_to_operand_dims, (int64_t)d))
      s->shared[s->n_shared++] = window;
    else
      s->apart[s->n_apart++] = window;
  }
  for (uint32_t d = 0; d < updates->as.shaped.rank; ++d)
    if (!echo_dim_list_has(s->dims->update_window_dims, (int64_t)d)) {
      s->scatter_at[s->n_scatter] = d;
      s->scatter_dims[s->n_scatter++] = echo_type_dim(updates, d);
    }
}

bool echo_scatter_starts(EchoScatter *s, EchoValue *const *scatter, EchoValue **starts)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *tensor = echo_op_operand(s->op, s->n_inputs), *indices[ECHO_MAX_RANK];
  uint32_t rank = tensor->type->as.shaped.rank;
  size_t vector_dim = (size_t)s->dims->index_vector_dim;
  for (size_t i = 0, next = 0; i < rank; ++i)
    if (i != vector_dim)
      indices[i] = scatter[next++];
  EchoElementKind kind = echo_type_element_kind(tensor->type);
  const char *cast = echo_element_is_unsigned(kind) ? "arith.index_castui" : "arith.index_cast";
  for (size_t k = 0; k < s->dims->scatter_dims_to_operand_dims.size; ++k) {
    if (vector_dim < rank)
      indices[vector_dim] = echo_index_constant(base, (int64_t)k);
    EchoValue *scalar = echo_kernel_element(emitter, tensor, indices);
    if (scalar == NULL)
      return false;
    starts[s->dims->scatter_dims_to_operand_dims.dims[k]] =
        base->pure_op(base, cast, -1, &scalar, 1, echo_type_index(emitter->ctx));
  }
  for (size_t k = 0; k < s->dims->input_batching_dims.size; ++k) {
    size_t from = (size_t)s->dims->scatter_indices_batching_dims.dims[k];
    starts[s->dims->input_batching_dims.dims[k]] = indices[from];
  }
  return true;
}

void echo_scatter_update(EchoScatter *s)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoValue **arguments = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, 2 * s->n_inputs);
  EchoValue **results = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, s->n_inputs);
  for (size_t i = 0; i < s->n_inputs; ++i) {
    arguments[i] = echo_kernel_load(emitter, echo_kernel_output(emitter, i), s->result_indices);
    arguments[s->n_inputs + i] = echo_kernel_element(
        emitter, echo_op_operand(s->op, s->n_inputs + 1 + i), s->update_indices);
  }
  emitter->base.builder = echo_kernel_builder(emitter);
  if (emitter->failed || !echo_kernel_inline_region(emitter, &s->op->regions[0], arguments,
                                                    2 * s->n_inputs, results, s->n_inputs))
    return;
  for (size_t i = 0; i < s->n_inputs; ++i)
    echo_kernel_store(emitter, results[i], echo_kernel_output(emitter, i), s->result_indices);
}

/* Loops over the shared window dimensions, a check of the bounds, then the part of the others that
 * the task has. */
static void emit_window(EchoScatter *s, EchoValue *const *starts, EchoValue *low, EchoValue *high)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoElementEmitter *base = &emitter->base;
  const EchoType *operand = echo_op_operand_type(s->op, 0);
  for (size_t i = 0; i < s->n_shared; ++i)
    s->update_indices[s->shared[i].update] =
        echo_kernel_begin_range(emitter, s->shared[i].size, false);
  base->builder = echo_kernel_builder(emitter);
  EchoValue *inside = NULL, *zero = echo_index_constant(base, 0);
  for (uint32_t d = 0; d < operand->as.shaped.rank; ++d) {
    EchoValue *position = starts[d];
    for (size_t i = 0; i < s->n_shared; ++i)
      if (s->shared[i].operand == d)
        position = echo_index_add(base, position, s->update_indices[s->shared[i].update]);
    s->result_indices[d] = position;
    if (position == zero)
      continue;
    EchoValue *check = echo_index_compare(base, ECHO_CMPI_ULT, position,
                                          echo_index_constant(base, echo_type_dim(operand, d)));
    EchoValue *operands[] = {inside, check};
    inside =
        inside == NULL ? check : base->pure_op(base, "arith.andi", -1, operands, 2, check->type);
  }
  if (inside != NULL)
    echo_kernel_begin_if(emitter, inside);
  int64_t apart_dims[ECHO_MAX_RANK];
  EchoValue *digits[ECHO_MAX_RANK];
  for (size_t i = 0; i < s->n_apart; ++i)
    apart_dims[i] = s->apart[i].size;
  EchoValue *linear = echo_kernel_begin_for(emitter, low, high, 1, true);
  base->builder = echo_kernel_builder(emitter);
  echo_index_delinearize(base, linear, apart_dims, s->n_apart, digits);
  for (size_t i = 0; i < s->n_apart; ++i) {
    s->update_indices[s->apart[i].update] = digits[i];
    s->result_indices[s->apart[i].operand] = digits[i];
  }
  echo_scatter_update(s);
  echo_kernel_end_for(emitter);
  if (inside != NULL)
    echo_kernel_end_if(emitter);
  for (size_t i = 0; i < s->n_shared; ++i)
    echo_kernel_end_for(emitter);
}

static bool lower_scatter(EchoKernelEmitter *emitter, const EchoOp *op)
{
  EchoScatter s = {.emitter = emitter,
                   .op = op,
                   .dims = echo_stablehlo_scatter_dims(op),
                   .n_inputs = (op->n_operands - 1) / 2};
  EchoElementEmitter *base = &emitter->base;
  describe_windows(&s);
  for (size_t i = 0; i < s.n_inputs; ++i)
    emit_copy(emitter, i, echo_op_operand(op, i), NULL);
  const EchoType *updates = echo_op_operand_type(op, s.n_inputs + 1);
  if (echo_type_static_n_elements(updates) == 0)
    return true;
  int64_t n_apart = 1, n_scatter = 1;
  for (size_t i = 0; i < s.n_apart; ++i)
    n_apart *= s.apart[i].size;
  for (size_t i = 0; i < s.n_scatter; ++i)
    n_scatter *= s.scatter_dims[i];
  if (emitter->is_gpu && echo_emit_gpu_scatter(&s, n_scatter, n_apart))
    return true;
  int64_t part = echo_task_part(emitter, n_apart,
                                echo_pieces_per_task(emitter, n_apart, emitter->work_ns), VECTOR);
  EchoValue *task = echo_kernel_begin_tasks(emitter, echo_n_tasks(n_apart, part), emitter->work_ns),
            *low, *high;
  echo_task_range(emitter, task, part, n_apart, &low, &high);
  EchoValue *position = echo_kernel_begin_range(emitter, n_scatter, false);
  EchoValue *scatter[ECHO_MAX_RANK], *starts[ECHO_MAX_RANK];
  base->builder = echo_kernel_builder(emitter);
  echo_index_delinearize(base, position, s.scatter_dims, s.n_scatter, scatter);
  for (size_t i = 0; i < s.n_scatter; ++i)
    s.update_indices[s.scatter_at[i]] = scatter[i];
  for (size_t d = 0; d < echo_op_operand_type(op, 0)->as.shaped.rank; ++d)
    starts[d] = echo_index_constant(base, 0);
  if (echo_scatter_starts(&s, scatter, starts))
    emit_window(&s, starts, low, high);
  echo_kernel_end_for(emitter);
  echo_kernel_end_tasks(emitter);
  return true;
}

/* ---- select_and_scatter ---- */

bool echo_emit_window_choice(EchoKernelEmitter *emitter, const EchoOp *op,
                             const EchoWindowDim *windows, EchoValue *const *place,
                             EchoSelection *selection)
{
  EchoElementEmitter *base = &emitter->base;
  const EchoType *operand = echo_op_operand_type(op, 0);
  size_t rank = operand->as.shaped.rank;
  int64_t sizes[ECHO_MAX_RANK], n_taps = 1;
  for (size_t i = 0; i < rank; ++i) {
    sizes[i] = windows[i].size;
    n_taps *= sizes[i];
  }
  const EchoType *scalar = echo_scalar_type(emitter->ctx, echo_type_element_kind(operand));
  bool is_float = scalar->kind == ECHO_TYPE_FLOAT;
  const EchoAttr *zero = is_float ? echo_attr_float(emitter->ctx, scalar, 0.0)
                                  : echo_attr_integer(emitter->ctx, scalar, 0);
  EchoValue *minus_one = echo_index_constant(base, -1);
  EchoValue *inits[] = {base->constant(base, zero), minus_one}, *carried[2], *results[2];
  EchoValue *tap = echo_kernel_begin_carried(emitter, n_taps, inits, 2, carried);
  EchoValue *taps[ECHO_MAX_RANK], *indices[ECHO_MAX_RANK], *inside = NULL;
  base->builder = echo_kernel_builder(emitter);
  echo_index_delinearize(base, tap, sizes, rank, taps);
  echo_window_indices(emitter, windows, operand, place, taps, indices, &inside);
  EchoValue *element = echo_kernel_element(emitter, echo_op_operand(op, 0), indices);
  EchoValue *arguments[] = {carried[0], element}, *keeps = NULL;
  base->builder = echo_kernel_builder(emitter);
  bool fine = element != NULL &&
              echo_kernel_inline_region(emitter, &op->regions[0], arguments, 2, &keeps, 1);
  if (fine) {
    EchoBuilder *builder = echo_kernel_builder(emitter);
    EchoValue *position = echo_index_linearize(base, operand->as.shaped.dims, rank, indices);
    EchoValue *is_first = echo_arith_cmpi(builder, ECHO_CMPI_EQ, carried[1], minus_one);
    EchoValue *loses =
        echo_arith_binary(builder, "arith.xori", keeps, echo_arith_int(builder, keeps->type, -1));
    EchoValue *takes = echo_arith_binary(builder, "arith.ori", is_first, loses);
    if (inside != NULL)
      takes = echo_arith_binary(builder, "arith.andi", takes, inside);
    EchoValue *next[] = {echo_arith_select(builder, takes, element, carried[0]),
                         echo_arith_select(builder, takes, position, carried[1])};
    echo_kernel_end_carried(emitter, next, 2, results);
  } else {
    echo_kernel_end_carried(emitter, inits, 2, results);
  }
  *selection = (EchoSelection){results[0], results[1]};
  return fine;
}

static bool lower_select_and_scatter(EchoKernelEmitter *emitter, const EchoOp *op)
{
  EchoElementEmitter *base = &emitter->base;
  EchoWindowDim windows[ECHO_MAX_RANK];
  const EchoType *operand = echo_op_operand_type(op, 0), *source = echo_op_operand_type(op, 1);
  size_t rank = echo_stablehlo_windows(op, windows);
  if (emitter->is_gpu)
    return echo_emit_gpu_select_and_scatter(emitter, op);
  emit_copy(emitter, 0, NULL, echo_op_operand(op, 2));
  if (echo_type_static_n_elements(source) == 0)
    return true;
  /* windows of one element without padding never meet: these dimensions make up the tasks */
  int64_t task_dims[ECHO_MAX_RANK], n_tasks = 1;
  size_t n_task_dims = 0;
  bool is_task_dim[ECHO_MAX_RANK];
  for (size_t i = 0; i < rank; ++i) {
    is_task_dim[i] =
        windows[i].size == 1 && windows[i].padding_low == 0 && windows[i].padding_high == 0;
    if (is_task_dim[i]) {
      task_dims[n_task_dims++] = echo_type_dim(source, i);
      n_tasks *= echo_type_dim(source, i);
    }
  }
  EchoValue *task = echo_kernel_begin_tasks(emitter, n_tasks, emitter->work_ns);
  EchoValue *digits[ECHO_MAX_RANK], *place[ECHO_MAX_RANK];
  base->builder = echo_kernel_builder(emitter);
  echo_index_delinearize(base, task, task_dims, n_task_dims, digits);
  size_t next = 0, n_loops = 0;
  for (size_t i = 0; i < rank; ++i) {
    if (is_task_dim[i]) {
      place[i] = digits[next++];
      continue;
    }
    place[i] = echo_kernel_begin_range(emitter, echo_type_dim(source, i), false);
    ++n_loops;
  }
  EchoSelection selection;
  if (echo_emit_window_choice(emitter, op, windows, place, &selection)) {
    EchoBuilder *builder = echo_kernel_builder(emitter);
    echo_kernel_begin_if(emitter, echo_arith_cmpi(builder, ECHO_CMPI_SGE, selection.position,
                                                  echo_index_constant(base, 0)));
    EchoValue *indices[ECHO_MAX_RANK], *out = echo_kernel_output(emitter, 0), *sum = NULL;
    base->builder = echo_kernel_builder(emitter);
    echo_index_delinearize(base, selection.position, operand->as.shaped.dims, rank, indices);
    EchoValue *arguments[] = {echo_kernel_load(emitter, out, indices),
                              echo_kernel_element(emitter, echo_op_operand(op, 1), place)};
    base->builder = echo_kernel_builder(emitter);
    if (!emitter->failed &&
        echo_kernel_inline_region(emitter, &op->regions[1], arguments, 2, &sum, 1))
      echo_kernel_store(emitter, sum, out, indices);
    echo_kernel_end_if(emitter);
  }
  for (size_t i = 0; i < n_loops; ++i)
    echo_kernel_end_for(emitter);
  echo_kernel_end_tasks(emitter);
  return true;
}

/* The only root must be the op's results, in order. */
bool echo_lower_scatter(EchoKernelEmitter *emitter)
{
  const EchoOp *end = echo_op_body(emitter->kernel, 0)->last;
  const EchoOp *op = end->n_operands != 0 ? echo_value_def_or_null(echo_op_operand(end, 0)) : NULL;
  if (op == NULL || op->n_results != end->n_operands)
    return false;
  for (uint32_t i = 0; i < end->n_operands; ++i)
    if (echo_op_operand(end, i) != echo_op_result(op, i))
      return false;
  if (echo_hlo_opcode(op) == ECHO_HLO_SCATTER)
    return lower_scatter(emitter, op);
  if (echo_hlo_opcode(op) == ECHO_HLO_SELECT_AND_SCATTER)
    return lower_select_and_scatter(emitter, op);
  return false;
}
