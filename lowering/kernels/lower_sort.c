/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* sort: each row by itself, by merging runs of doubling length (merge_runs.c) between the result
 * and stack memory, or, of a widened sort (widen_sorts.c), the second results; stable. Where only
 * the first k places of a row are read, first_places.c finds those. */
#include "dialects/stablehlo/opcode.h"
#include "lowering/kernels/lower_sort_t.h"

/* The second results are the first ones once all is merged. */
static void copy_to_second(const EchoSort *s)
{
  EchoValue *position = echo_kernel_begin_range(s->emitter, s->length, false);
  for (size_t i = 0; i < s->n; ++i)
    echo_sort_write(s, true, i, position, echo_sort_read(s, false, i, position));
  echo_kernel_end_for(s->emitter);
}

static bool reserve_spare(EchoSort *s, bool is_widened)
{
  int64_t bytes = echo_sort_row_bytes(s->op, s->n) / s->length * s->capacity;
  if (is_widened)
    return true;
  if (bytes > ECHO_SORT_STACK_BYTES) {
    echo_op_error(s->op, "sorts rows of %lld bytes; at most %d have a lowering", (long long)bytes,
                  ECHO_SORT_STACK_BYTES);
    s->emitter->failed = true;
    return false;
  }
  for (size_t i = 0; i < s->n; ++i)
    s->spare[i] = echo_kernel_alloca(
        s->emitter, echo_kernel_output(s->emitter, i)->type->as.shaped.element, &s->capacity, 1);
  return true;
}

static void sort_row(EchoSort *s, bool is_widened)
{
  size_t n_passes = echo_sort_passes(s->capacity);
  bool in_spare = n_passes % 2 != 0; /* the last pass ends in the result */
  s->count = echo_index_constant(&s->emitter->base, s->length);
  echo_sort_copy_in(s, in_spare, s->length);
  echo_sort_merge(s, n_passes);
  if (is_widened)
    copy_to_second(s);
}

bool echo_lower_sort(EchoKernelEmitter *emitter)
{
  const EchoOp *end = echo_op_body(emitter->kernel, 0)->last;
  const EchoOp *op = end->n_operands != 0 ? echo_value_def_or_null(echo_op_operand(end, 0)) : NULL;
  if (op == NULL || echo_hlo_opcode(op) != ECHO_HLO_SORT || op->n_results != end->n_operands)
    return false;
  for (uint32_t i = 0; i < end->n_operands; ++i)
    if (echo_op_operand(end, i) != echo_op_result(op, i))
      return false;
  const EchoType *type = echo_op_operand_type(op, 0);
  int64_t n_elements = echo_type_static_n_elements(type),
          dim = echo_op_attr_i64(op, "dimension", -1);
  if (n_elements == 0)
    return true;
  if (type->as.shaped.rank == 0)
    return false;
  bool is_widened = echo_sort_is_widened(op);
  EchoSort s = {
      .emitter = emitter, .op = op, .n = is_widened ? op->n_operands / 2 : op->n_operands};
  s.spare = echo_sort_values(emitter, s.n);
  s.dim = (size_t)(dim < 0 ? dim + (int64_t)type->as.shaped.rank : dim);
  s.length = echo_type_dim(type, s.dim);
  int64_t row_dims[ECHO_MAX_RANK];
  memcpy(row_dims, type->as.shaped.dims, type->as.shaped.rank * sizeof *row_dims);
  row_dims[s.dim] = 1;
  int64_t first = is_widened ? s.length : echo_sort_first(op);
  if (emitter->is_gpu) {
    EchoSortRows rows = {emitter,  op,  s.n,   s.dim,     n_elements / s.length,
                         s.length, {0}, first, is_widened};
    memcpy(rows.row_dims, row_dims, sizeof row_dims);
    if (echo_emit_gpu_sort(&rows))
      return true;
  }
  bool is_partial = first < s.length;
  s.capacity = is_partial ? echo_sort_capacity(first) : s.length;
  EchoValue *task = echo_kernel_begin_tasks(emitter, n_elements / s.length, emitter->work_ns);
  emitter->base.builder = echo_kernel_builder(emitter);
  echo_index_delinearize(&emitter->base, task, row_dims, type->as.shaped.rank, s.row);
  if (reserve_spare(&s, is_widened)) {
    if (is_partial && first <= ECHO_SORT_HELD && !emitter->is_gpu)
      echo_sort_hold_first(&s, first);
    else if (is_partial)
      echo_sort_select_first(&s, first);
    else
      sort_row(&s, is_widened);
  }
  echo_kernel_end_tasks(emitter);
  return true;
}
