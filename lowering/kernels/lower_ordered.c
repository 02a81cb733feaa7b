/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reductions on the CPU whose body is no single op: of several values at once (argmax), or any
 * other. Their elements are combined in order, each step of which waits for the one before; so
 * lanes are results, a block of them side by side. Where elements of one result are neighbours in
 * memory, a few of each result of the block are made first, in vectors along them. The order is
 * that of echo_emit_reduce: not for kernels that have loops of another kind, or few results. */
#include "dialects/stablehlo/opcode.h"
#include "lowering/kernels/lower_kernel_t.h"

/* A block's results are four vectors of f32, which hide what a step waits for; TILE elements are a
 * line of memory. */
enum { MAX_REDUCES = 4, MAX_VALUES = 8, BLOCK = 64, TILE = 16 };

typedef struct OrderedReduce {
  const EchoOp *op;
  size_t n_values;
  EchoDimList dims;
  EchoValue *held[MAX_VALUES];  /* [BLOCK]: what each result is so far */
  EchoValue *tiles[MAX_VALUES]; /* [BLOCK, TILE]; NULL: elements are made where they are used */
} OrderedReduce;

typedef struct OrderedKernel {
  EchoKernelEmitter *emitter;
  OrderedReduce reduces[MAX_REDUCES];
  size_t n_reduces;
  int64_t n_results, n_reduced;  /* results of each; elements of each of them */
  EchoValue *first, *n_in_block; /* of the block's results, row-major */
} OrderedKernel;

static int64_t n_reduced(const EchoOp *op)
{
  const EchoType *type = echo_op_operand_type(op, 0);
  EchoDimList dims = echo_stablehlo_dims(op, "dimensions");
  int64_t n = 1;
  for (size_t i = 0; i < dims.size; ++i)
    n *= echo_type_dim(type, (size_t)dims.dims[i]);
  return n;
}

static bool add_reduce(OrderedKernel *kernel, const EchoOp *op)
{
  if (echo_hlo_opcode(op) != ECHO_HLO_REDUCE || kernel->n_reduces == MAX_REDUCES ||
      op->n_results > MAX_VALUES || echo_combiner_of(op).opcode != ECHO_N_HLO_OPCODES)
    return false;
  int64_t n = echo_type_static_n_elements(echo_op_result_type(op, 0)), of_each = n_reduced(op);
  if (kernel->n_reduces != 0 && (n != kernel->n_results || of_each != kernel->n_reduced))
    return false;
  kernel->n_results = n;
  kernel->n_reduced = of_each;
  kernel->reduces[kernel->n_reduces++] = (OrderedReduce){
      .op = op, .n_values = op->n_results, .dims = echo_stablehlo_dims(op, "dimensions")};
  return true;
}

/* Whether one reduction's elements are made of another's results, whatever else is. */
static bool depend(const OrderedKernel *kernel)
{
  EchoMap after = {0};
  bool found = false;
  for (const EchoOp *op = echo_op_body(kernel->emitter->kernel, 0)->first; op != NULL && !found;
       op = op->next) {
    bool is_reduce = echo_kernel_has_loops(kernel->emitter, op), is_after = is_reduce;
    for (uint32_t i = 0; i < op->n_operands; ++i) {
      const EchoOp *def = echo_value_def_or_null(echo_op_operand(op, i));
      if (def == NULL || !echo_map_has(&after, echo_key(def)))
        continue;
      is_after = true;
      found |= is_reduce;
    }
    if (is_after)
      echo_map_insert(&after, echo_key(op), 1);
  }
  echo_map_destroy(&after);
  return found;
}

static bool collect(OrderedKernel *kernel)
{
  const EchoBlock *body = echo_op_body(kernel->emitter->kernel, 0);
  for (const EchoOp *op = body->first; op != NULL; op = op->next)
    if (echo_kernel_has_loops(kernel->emitter, op) && !add_reduce(kernel, op))
      return false;
  for (uint32_t i = 0; i < body->last->n_operands; ++i)
    if (echo_type_static_n_elements(echo_op_operand_type(body->last, i)) != kernel->n_results)
      return false;
  return kernel->n_reduces != 0 && kernel->n_results >= ECHO_HLO_ORDERED_RESULTS &&
         kernel->n_reduced > 0 && !depend(kernel);
}

/* Whether elements of one result lie side by side, and not those of neighbouring results. */
static bool has_rows(const OrderedReduce *reduce)
{
  const EchoType *type = echo_op_operand_type(reduce->op, 0);
  for (uint32_t i = type->as.shaped.rank; i-- > 0;)
    if (echo_type_dim(type, i) != 1)
      return echo_dim_list_has(reduce->dims, (int64_t)i);
  return false;
}

static const EchoType *element_type(const OrderedKernel *kernel, const EchoValue *value)
{
  return echo_scalar_type(kernel->emitter->ctx, echo_type_element_kind(value->type));
}

static void reserve(OrderedKernel *kernel, OrderedReduce *reduce)
{
  const int64_t dims[] = {BLOCK, TILE};
  for (size_t i = 0; i < reduce->n_values; ++i) {
    const EchoValue *value = echo_op_operand(reduce->op, i);
    const EchoOp *def = echo_value_def_or_null(value);
    const EchoType *type = element_type(kernel, value);
    bool is_free = def != NULL && def->n_operands == 0; /* a constant, iota */
    reduce->held[i] = echo_kernel_alloca(kernel->emitter, type, dims, 1);
    reduce->tiles[i] =
        has_rows(reduce) && !is_free ? echo_kernel_alloca(kernel->emitter, type, dims, 2) : NULL;
  }
}

static EchoValue *begin_lanes(OrderedKernel *kernel, bool is_parallel)
{
  EchoElementEmitter *base = &kernel->emitter->base;
  return echo_kernel_begin_for(kernel->emitter, echo_index_constant(base, 0), kernel->n_in_block, 1,
                               is_parallel);
}

/* Of operand `value`, for result `first + lane`: element `position`, row-major. */
static EchoValue *element_or_null(OrderedKernel *kernel, const OrderedReduce *reduce, size_t value,
                                  EchoValue *lane, EchoValue *position)
{
  EchoElementEmitter *base = &kernel->emitter->base;
  EchoValue *tensor = echo_op_operand(reduce->op, value), *kept[ECHO_MAX_RANK];
  EchoValue *reduced[ECHO_MAX_RANK], *indices[ECHO_MAX_RANK];
  int64_t kept_sizes[ECHO_MAX_RANK], sizes[ECHO_MAX_RANK];
  size_t n_kept = 0, n = 0, next_kept = 0, next = 0, rank = echo_type_rank(tensor->type);
  for (size_t i = 0; i < rank; ++i)
    if (echo_dim_list_has(reduce->dims, (int64_t)i))
      sizes[n++] = echo_type_dim(tensor->type, i);
    else
      kept_sizes[n_kept++] = echo_type_dim(tensor->type, i);
  base->builder = echo_kernel_builder(kernel->emitter);
  echo_index_delinearize(base, echo_index_add(base, kernel->first, lane), kept_sizes, n_kept, kept);
  echo_index_delinearize(base, position, sizes, n, reduced);
  for (size_t i = 0; i < rank; ++i)
    indices[i] = echo_dim_list_has(reduce->dims, (int64_t)i) ? reduced[next++] : kept[next_kept++];
  return echo_kernel_element(kernel->emitter, tensor, indices);
}

static void hold_inits(OrderedKernel *kernel, const OrderedReduce *reduce)
{
  EchoKernelEmitter *emitter = kernel->emitter;
  EchoValue *lane = begin_lanes(kernel, true);
  for (size_t i = 0; i < reduce->n_values && !emitter->failed; ++i) {
    EchoValue *init =
        echo_kernel_element(emitter, echo_op_operand(reduce->op, reduce->n_values + i), NULL);
    if (init != NULL)
      echo_memref_store(echo_kernel_builder(emitter), init, reduce->held[i], &lane, 1);
  }
  echo_kernel_end_for(emitter);
}

/* Elements [start, start + n) of each result of the block. */
static void fill_tiles(OrderedKernel *kernel, const OrderedReduce *reduce, EchoValue *start,
                       int64_t n)
{
  EchoKernelEmitter *emitter = kernel->emitter;
  for (size_t i = 0; i < reduce->n_values && !emitter->failed; ++i) {
    if (reduce->tiles[i] == NULL)
      continue;
    EchoValue *at[] = {begin_lanes(kernel, false), echo_kernel_begin_range(emitter, n, true)};
    emitter->base.builder = echo_kernel_builder(emitter);
    EchoValue *position = echo_index_add(&emitter->base, start, at[1]);
    EchoValue *element = element_or_null(kernel, reduce, i, at[0], position);
    if (element != NULL)
      echo_memref_store(echo_kernel_builder(emitter), element, reduce->tiles[i], at, 2);
    echo_kernel_end_for(emitter);
    echo_kernel_end_for(emitter);
  }
}

/* held = body(held, element `start + step`), of each result of the block. */
static void combine_step(OrderedKernel *kernel, const OrderedReduce *reduce, EchoValue *start,
                         EchoValue *step)
{
  EchoKernelEmitter *emitter = kernel->emitter;
  EchoValue *arguments[2 * MAX_VALUES], *next[MAX_VALUES], *lane = begin_lanes(kernel, true);
  size_t n = reduce->n_values;
  emitter->base.builder = echo_kernel_builder(emitter);
  EchoValue *position = echo_index_add(&emitter->base, start, step), *at[] = {lane, step};
  for (size_t i = 0; i < n && !emitter->failed; ++i) {
    EchoBuilder *builder = echo_kernel_builder(emitter);
    arguments[i] = echo_memref_load(builder, reduce->held[i], &lane, 1);
    arguments[n + i] = reduce->tiles[i] != NULL
                           ? echo_memref_load(builder, reduce->tiles[i], at, 2)
                           : element_or_null(kernel, reduce, i, lane, position);
  }
  emitter->base.builder = echo_kernel_builder(emitter);
  if (!emitter->failed &&
      echo_kernel_inline_region(emitter, &reduce->op->regions[0], arguments, 2 * n, next, n))
    for (size_t i = 0; i < n; ++i)
      echo_memref_store(echo_kernel_builder(emitter), next[i], reduce->held[i], &lane, 1);
  echo_kernel_end_for(emitter);
}

static void combine_tile(OrderedKernel *kernel, const OrderedReduce *reduce, EchoValue *start,
                         int64_t n)
{
  fill_tiles(kernel, reduce, start, n);
  EchoValue *step = echo_kernel_begin_range(kernel->emitter, n, false);
  combine_step(kernel, reduce, start, step);
  echo_kernel_end_for(kernel->emitter);
}

static void combine_all(OrderedKernel *kernel, const OrderedReduce *reduce)
{
  EchoKernelEmitter *emitter = kernel->emitter;
  EchoElementEmitter *base = &emitter->base;
  int64_t n = kernel->n_reduced, n_whole = n / TILE * TILE;
  hold_inits(kernel, reduce);
  if (n_whole != 0) {
    EchoValue *start = echo_kernel_begin_for(emitter, echo_index_constant(base, 0),
                                             echo_index_constant(base, n_whole), TILE, false);
    combine_tile(kernel, reduce, start, TILE);
    echo_kernel_end_for(emitter);
  }
  if (n_whole != n)
    combine_tile(kernel, reduce, echo_index_constant(base, n_whole), n - n_whole);
}

/* All results of a lane, computed before any is stored. */
static void emit_roots(OrderedKernel *kernel)
{
  EchoKernelEmitter *emitter = kernel->emitter;
  const EchoOp *end = echo_op_body(emitter->kernel, 0)->last;
  EchoValue *lane = begin_lanes(kernel, true);
  EchoValue **values = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, end->n_operands);
  EchoValue *indices[ECHO_MAX_RANK];
  for (size_t pass = 0; pass < 2; ++pass)
    for (uint32_t i = 0; i < end->n_operands && !emitter->failed; ++i) {
      const EchoType *type = echo_op_operand_type(end, i);
      emitter->base.builder = echo_kernel_builder(emitter);
      EchoValue *place = echo_index_add(&emitter->base, kernel->first, lane);
      echo_index_delinearize(&emitter->base, place, type->as.shaped.dims, type->as.shaped.rank,
                             indices);
      if (pass == 0)
        values[i] = echo_kernel_element(emitter, echo_op_operand(end, i), indices);
      else
        echo_kernel_store(emitter, values[i], echo_kernel_output(emitter, i), indices);
    }
  echo_kernel_end_for(emitter);
}

static void emit_block(OrderedKernel *kernel)
{
  for (size_t i = 0; i < kernel->n_reduces && !kernel->emitter->failed; ++i) {
    OrderedReduce *reduce = &kernel->reduces[i];
    combine_all(kernel, reduce);
    for (size_t k = 0; k < reduce->n_values; ++k)
      echo_kernel_bind(kernel->emitter, echo_op_result(reduce->op, k), ECHO_BIND_LOCAL,
                       reduce->held[k], kernel->first);
  }
  if (!kernel->emitter->failed)
    emit_roots(kernel);
}

bool echo_lower_ordered_reduce(EchoKernelEmitter *emitter)
{
  OrderedKernel kernel = {.emitter = emitter};
  if (emitter->is_gpu || !collect(&kernel))
    return false;
  EchoElementEmitter *base = &emitter->base;
  int64_t n = kernel.n_results, wanted = echo_pieces_per_task(emitter, n, emitter->work_ns);
  int64_t part = echo_task_part(emitter, n, wanted, BLOCK);
  EchoValue *low = NULL, *high = NULL;
  EchoValue *task = echo_kernel_begin_tasks(emitter, echo_n_tasks(n, part), emitter->work_ns);
  echo_task_range(emitter, task, part, n, &low, &high);
  for (size_t i = 0; i < kernel.n_reduces; ++i)
    reserve(&kernel, &kernel.reduces[i]);
  kernel.first = echo_kernel_begin_for(emitter, low, high, BLOCK, false);
  base->builder = echo_kernel_builder(emitter);
  kernel.n_in_block = echo_index_constant(base, BLOCK);
  if (n % BLOCK != 0 || part % BLOCK != 0)
    kernel.n_in_block =
        echo_index_min(base, kernel.n_in_block, echo_index_sub(base, high, kernel.first));
  emit_block(&kernel);
  echo_kernel_end_for(emitter);
  echo_kernel_end_tasks(emitter);
  return true;
}
