/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Scatters on a GPU, in parallel over destinations and in index order for each: the same bits as
 * one after the other.
 *
 * A block takes one update and some of the elements beside each other that it has. If an earlier
 * update goes to the same place it is done. Else it applies its own and all later ones to that
 * place: warps look through the indices, 32 at a time, and leave a mask of those that match. So
 * each destination has one block, and nobody sorts: n updates are n * n comparisons, 256 a step,
 * which stays below the time of one after the other up to MAX_UPDATES. */
#include "dialects/gpu/gpu.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/kernels/lower_scatter_t.h"

enum { THREADS = 256, WARPS = THREADS / ECHO_GPU_WARP, MAX_UPDATES = 32768 };

static EchoElementEmitter *base_of(const EchoScatter *s)
{
  EchoElementEmitter *base = &s->emitter->base;
  base->builder = echo_kernel_builder(s->emitter);
  return base;
}

/* Sets what is known of update `position`: its indices, and where it goes. Returns the number of
 * that place among all, -1 outside; NULL after an error. */
static EchoValue *place_update(EchoScatter *s, EchoValue *position)
{
  EchoElementEmitter *base = base_of(s);
  const EchoType *operand = echo_op_operand_type(s->op, 0);
  EchoValue *scatter[ECHO_MAX_RANK], *starts[ECHO_MAX_RANK], *inside = NULL;
  echo_index_delinearize(base, position, s->scatter_dims, s->n_scatter, scatter);
  for (size_t i = 0; i < s->n_scatter; ++i)
    s->update_indices[s->scatter_at[i]] = scatter[i];
  EchoValue *zero = echo_index_constant(base, 0);
  for (uint32_t d = 0; d < operand->as.shaped.rank; ++d)
    starts[d] = zero;
  if (!echo_scatter_starts(s, scatter, starts))
    return NULL;
  for (uint32_t d = 0; d < operand->as.shaped.rank; ++d) {
    s->result_indices[d] = starts[d];
    if (starts[d] == zero)
      continue;
    EchoValue *check = echo_index_compare(base, ECHO_CMPI_ULT, starts[d],
                                          echo_index_constant(base, echo_type_dim(operand, d)));
    EchoValue *both[] = {inside, check};
    inside = inside == NULL ? check : base->pure_op(base, "arith.andi", -1, both, 2, check->type);
  }
  EchoValue *place =
      echo_index_linearize(base, operand->as.shaped.dims, operand->as.shaped.rank, starts);
  return inside == NULL ? place
                        : echo_index_select(base, inside, place, echo_index_constant(base, -1));
}

/* `bits` of all lanes of the warp, in its first lane, to masks[warp]. */
static void store_of_warp(EchoScatter *s, EchoValue *thread, EchoValue *bits, EchoValue *masks)
{
  EchoKernelEmitter *emitter = s->emitter;
  for (int64_t half = ECHO_GPU_WARP / 2; half > 0; half /= 2)
    bits = echo_arith_binary(echo_kernel_builder(emitter), "arith.ori", bits,
                             echo_gpu_shuffle_down(echo_kernel_builder(emitter), bits, half));
  EchoElementEmitter *base = base_of(s);
  EchoValue *warp = echo_index_div_constant(base, thread, ECHO_GPU_WARP);
  EchoValue *lane = echo_index_rem_constant(base, thread, ECHO_GPU_WARP);
  echo_kernel_begin_if(emitter,
                       echo_index_compare(base, ECHO_CMPI_EQ, lane, echo_index_constant(base, 0)));
  echo_memref_store(echo_kernel_builder(emitter), bits, masks, &warp, 1);
  echo_kernel_end_if(emitter);
}

static EchoValue *load_mask(EchoScatter *s, EchoValue *masks, int64_t warp)
{
  EchoValue *at = echo_index_constant(&s->emitter->base, warp);
  return echo_memref_load(echo_kernel_builder(s->emitter), masks, &at, 1);
}

/* A condition as all bits of an i32, or none. */
static EchoValue *as_bits(EchoScatter *s, EchoValue *condition, EchoValue *bits)
{
  EchoBuilder *builder = echo_kernel_builder(s->emitter);
  return echo_arith_select(builder, condition, bits, echo_arith_int(builder, bits->type, 0));
}

/* Whether no update before number `own` goes to `place`. */
static EchoValue *is_first(EchoScatter *s, EchoValue *own, EchoValue *place, EchoValue *masks)
{
  EchoKernelEmitter *emitter = s->emitter;
  const EchoType *i32 = echo_type_integer(emitter->ctx, 32, ECHO_SIGNLESS);
  EchoValue *thread = echo_kernel_begin_range(emitter, THREADS, true);
  EchoElementEmitter *base = base_of(s);
  EchoValue *left = echo_index_sub(base, own, thread);
  EchoValue *rounds = echo_index_max(base, echo_index_add_constant(base, left, THREADS - 1),
                                     echo_index_constant(base, 0));
  rounds = echo_index_div_constant(base, rounds, THREADS);
  EchoValue *found = echo_arith_int(echo_kernel_builder(emitter), i32, 0), *carried = NULL;
  EchoValue *all = echo_arith_int(echo_kernel_builder(emitter), i32, -1);
  EchoValue *round = echo_kernel_begin_carried_to(emitter, rounds, &found, 1, &carried);
  base = base_of(s);
  EchoValue *other =
      place_update(s, echo_index_add(base, echo_index_mul_constant(base, round, THREADS), thread));
  EchoValue *next = carried;
  if (other != NULL) {
    EchoValue *same = echo_index_compare(base_of(s), ECHO_CMPI_EQ, other, place);
    next = echo_arith_binary(echo_kernel_builder(emitter), "arith.ori", carried,
                             as_bits(s, same, all));
  }
  echo_kernel_end_carried(emitter, &next, 1, &found);
  store_of_warp(s, thread, found, masks);
  echo_kernel_end_for(emitter);
  EchoValue *any = load_mask(s, masks, 0);
  for (int64_t warp = 1; warp < WARPS; ++warp)
    any = echo_arith_binary(echo_kernel_builder(emitter), "arith.ori", any,
                            load_mask(s, masks, warp));
  EchoBuilder *builder = echo_kernel_builder(emitter);
  return echo_arith_cmpi(builder, ECHO_CMPI_EQ, any, echo_arith_int(builder, i32, 0));
}

/* masks[warp] = which of updates [first, first + THREADS) from `own` on go to `place`. */
static void find_matches(EchoScatter *s, EchoValue *first, EchoValue *own, EchoValue *place,
                         int64_t n_scatter, EchoValue *masks)
{
  EchoKernelEmitter *emitter = s->emitter;
  const EchoType *i32 = echo_type_integer(emitter->ctx, 32, ECHO_SIGNLESS);
  EchoValue *thread = echo_kernel_begin_range(emitter, THREADS, true);
  EchoElementEmitter *base = base_of(s);
  EchoValue *position = echo_index_add(base, first, thread);
  EchoValue *last = echo_index_constant(base, n_scatter - 1);
  EchoValue *is_later = echo_index_compare(base, ECHO_CMPI_SGE, position, own);
  EchoValue *is_there = echo_index_compare(base, ECHO_CMPI_SLE, position, last);
  EchoValue *other = place_update(s, echo_index_min(base, position, last));
  if (other != NULL) {
    EchoBuilder *builder = echo_kernel_builder(emitter);
    EchoValue *same = echo_index_compare(base_of(s), ECHO_CMPI_EQ, other, place);
    same = echo_arith_binary(builder, "arith.andi", same,
                             echo_arith_binary(builder, "arith.andi", is_later, is_there));
    EchoValue *lane = echo_index_rem_constant(base_of(s), thread, ECHO_GPU_WARP);
    EchoValue *shift = echo_arith_unary(builder, "arith.index_cast", lane, i32);
    EchoValue *bit =
        echo_arith_binary(builder, "arith.shli", echo_arith_int(builder, i32, 1), shift);
    store_of_warp(s, thread, as_bits(s, same, bit), masks);
  }
  echo_kernel_end_for(emitter);
}

/* The matching ones, in order, to the elements [low, high) of the place. */
static void apply_matches(EchoScatter *s, EchoValue *first, EchoValue *const *place_indices,
                          EchoValue *low, EchoValue *high, EchoValue *masks)
{
  EchoKernelEmitter *emitter = s->emitter;
  const EchoType *i32 = echo_type_integer(emitter->ctx, 32, ECHO_SIGNLESS);
  int64_t apart_dims[ECHO_MAX_RANK];
  EchoValue *digits[ECHO_MAX_RANK], *scatter[ECHO_MAX_RANK];
  for (size_t i = 0; i < s->n_apart; ++i)
    apart_dims[i] = s->apart[i].size;
  EchoValue *linear = echo_kernel_begin_for(emitter, low, high, 1, true);
  echo_index_delinearize(base_of(s), linear, apart_dims, s->n_apart, digits);
  EchoValue *warp = echo_kernel_begin_range(emitter, WARPS, false);
  EchoBuilder *builder = echo_kernel_builder(emitter);
  EchoValue *mask = echo_memref_load(builder, masks, &warp, 1);
  EchoValue *none = echo_arith_int(builder, i32, 0);
  echo_kernel_begin_if(emitter, echo_arith_cmpi(builder, ECHO_CMPI_NE, mask, none));
  EchoValue *lane = echo_kernel_begin_range(emitter, ECHO_GPU_WARP, false);
  builder = echo_kernel_builder(emitter);
  EchoValue *shift = echo_arith_unary(builder, "arith.index_cast", lane, i32);
  EchoValue *bit = echo_arith_binary(builder, "arith.shrui", mask, shift);
  bit = echo_arith_binary(builder, "arith.andi", bit, echo_arith_int(builder, i32, 1));
  echo_kernel_begin_if(emitter, echo_arith_cmpi(builder, ECHO_CMPI_NE, bit, none));
  EchoElementEmitter *base = base_of(s);
  EchoValue *of_warp = echo_index_mul_constant(base, warp, ECHO_GPU_WARP);
  EchoValue *position = echo_index_add(base, echo_index_add(base, first, of_warp), lane);
  echo_index_delinearize(base, position, s->scatter_dims, s->n_scatter, scatter);
  for (size_t i = 0; i < s->n_scatter; ++i)
    s->update_indices[s->scatter_at[i]] = scatter[i];
  memcpy(s->result_indices, place_indices, sizeof s->result_indices);
  for (size_t i = 0; i < s->n_apart; ++i) {
    s->update_indices[s->apart[i].update] = digits[i];
    s->result_indices[s->apart[i].operand] = digits[i];
  }
  echo_scatter_update(s);
  echo_kernel_end_if(emitter);
  echo_kernel_end_for(emitter);
  echo_kernel_end_if(emitter);
  echo_kernel_end_for(emitter);
  echo_kernel_end_for(emitter);
}

bool echo_emit_gpu_scatter(EchoScatter *s, int64_t n_scatter, int64_t n_apart)
{
  EchoKernelEmitter *emitter = s->emitter;
  const EchoType *i32 = echo_type_integer(emitter->ctx, 32, ECHO_SIGNLESS);
  int64_t n_chunks = (n_apart + THREADS - 1) / THREADS, grid[] = {n_scatter, n_chunks};
  int64_t n_masks = WARPS;
  EchoValue *coordinates[2], *place_indices[ECHO_MAX_RANK];
  if (s->n_shared != 0 || n_scatter > MAX_UPDATES)
    return false;
  EchoValue *task = echo_kernel_begin_tasks(emitter, n_scatter * n_chunks, emitter->work_ns);
  echo_index_delinearize(base_of(s), task, grid, 2, coordinates);
  EchoElementEmitter *base = base_of(s);
  EchoValue *low = echo_index_mul_constant(base, coordinates[1], THREADS);
  EchoValue *high = echo_index_min(base, echo_index_add_constant(base, low, THREADS),
                                   echo_index_constant(base, n_apart));
  EchoValue *place = place_update(s, coordinates[0]);
  if (place == NULL) {
    echo_kernel_end_tasks(emitter);
    return true; /* the error is told */
  }
  memcpy(place_indices, s->result_indices, sizeof place_indices);
  EchoValue *masks = echo_kernel_alloca(emitter, i32, &n_masks, 1);
  EchoValue *takes = is_first(s, coordinates[0], place, masks);
  EchoValue *is_inside =
      echo_index_compare(base_of(s), ECHO_CMPI_SGE, place, echo_index_constant(&emitter->base, 0));
  takes = echo_arith_binary(echo_kernel_builder(emitter), "arith.andi", takes, is_inside);
  echo_kernel_begin_if(emitter, takes);
  base = base_of(s);
  EchoValue *whole = echo_index_div_constant(base, coordinates[0], THREADS);
  EchoValue *first = echo_kernel_begin_for(emitter, echo_index_mul_constant(base, whole, THREADS),
                                           echo_index_constant(base, n_scatter), THREADS, false);
  find_matches(s, first, coordinates[0], place, n_scatter, masks);
  apply_matches(s, first, place_indices, low, high, masks);
  echo_kernel_end_for(emitter);
  echo_kernel_end_if(emitter);
  echo_kernel_end_tasks(emitter);
  return true;
}

/* ---- select_and_scatter ---- */

/* The candidates of one dimension: windows that may reach an element are ceil(size / stride)
 * neighbours. */
static int64_t n_candidates(const EchoWindowDim *window)
{
  return (window->size + window->stride - 1) / window->stride;
}

/* Window `digit` of the candidates of element `at`, held among those there are; *reaches is whether
 * that one is meant. */
static EchoValue *candidate(EchoKernelEmitter *emitter, const EchoWindowDim *window, int64_t n,
                            EchoValue *at, EchoValue *digit, EchoValue **reaches)
{
  EchoElementEmitter *base = &emitter->base;
  EchoValue *padded = echo_index_add_constant(base, at, window->padding_low);
  EchoValue *last = echo_index_div_constant(base, padded, window->stride);
  EchoValue *window_at =
      echo_index_add(base, echo_index_add_constant(base, last, 1 - n_candidates(window)), digit);
  EchoValue *zero = echo_index_constant(base, 0), *end = echo_index_constant(base, n - 1);
  EchoValue *held = echo_index_min(base, echo_index_max(base, window_at, zero), end);
  EchoValue *offset =
      echo_index_sub(base, padded, echo_index_mul_constant(base, window_at, window->stride));
  EchoValue *conditions[] = {
      echo_index_compare(base, ECHO_CMPI_EQ, window_at, held),
      echo_index_compare(base, ECHO_CMPI_SLT, offset, echo_index_constant(base, window->size))};
  EchoValue *both = base->pure_op(base, "arith.andi", -1, conditions, 2, conditions[0]->type);
  EchoValue *all[] = {*reaches, both};
  *reaches = *reaches == NULL ? both : base->pure_op(base, "arith.andi", -1, all, 2, both->type);
  return held;
}

/* The element's sum over the windows that choose it, in their order; NULL after an error. */
static EchoValue *sum_of_element(EchoKernelEmitter *emitter, const EchoOp *op,
                                 const EchoWindowDim *windows, EchoValue *linear)
{
  EchoElementEmitter *base = &emitter->base;
  const EchoType *operand = echo_op_operand_type(op, 0), *source = echo_op_operand_type(op, 1);
  size_t rank = operand->as.shaped.rank;
  int64_t counts[ECHO_MAX_RANK], n = 1;
  EchoValue *at[ECHO_MAX_RANK], *digits[ECHO_MAX_RANK], *place[ECHO_MAX_RANK], *reaches = NULL;
  for (size_t i = 0; i < rank; ++i)
    n *= counts[i] = n_candidates(&windows[i]);
  EchoValue *sum = echo_kernel_element(emitter, echo_op_operand(op, 2), NULL), *carried = NULL;
  if (sum == NULL)
    return NULL;
  base->builder = echo_kernel_builder(emitter);
  echo_index_delinearize(base, linear, operand->as.shaped.dims, rank, at);
  EchoValue *number = echo_kernel_begin_carried(emitter, n, &sum, 1, &carried);
  base->builder = echo_kernel_builder(emitter);
  echo_index_delinearize(base, number, counts, rank, digits);
  for (size_t i = 0; i < rank; ++i)
    place[i] =
        candidate(emitter, &windows[i], echo_type_dim(source, i), at[i], digits[i], &reaches);
  EchoSelection selection;
  EchoValue *next = carried;
  if (echo_emit_window_choice(emitter, op, windows, place, &selection)) {
    EchoValue *added = NULL;
    EchoValue *arguments[] = {carried, echo_kernel_element(emitter, echo_op_operand(op, 1), place)};
    base->builder = echo_kernel_builder(emitter);
    if (!emitter->failed &&
        echo_kernel_inline_region(emitter, &op->regions[1], arguments, 2, &added, 1)) {
      EchoBuilder *builder = echo_kernel_builder(emitter);
      EchoValue *is_chosen = echo_arith_cmpi(builder, ECHO_CMPI_EQ, selection.position, linear);
      if (reaches != NULL)
        is_chosen = echo_arith_binary(builder, "arith.andi", is_chosen, reaches);
      next = echo_arith_select(builder, is_chosen, added, carried);
    }
  }
  echo_kernel_end_carried(emitter, &next, 1, &sum);
  return sum;
}

bool echo_emit_gpu_select_and_scatter(EchoKernelEmitter *emitter, const EchoOp *op)
{
  EchoElementEmitter *base = &emitter->base;
  EchoWindowDim windows[ECHO_MAX_RANK];
  const EchoType *operand = echo_op_operand_type(op, 0);
  size_t rank = echo_stablehlo_windows(op, windows);
  int64_t n = echo_type_static_n_elements(operand);
  EchoValue *task = echo_kernel_begin_tasks(emitter, (n + THREADS - 1) / THREADS, emitter->work_ns);
  EchoValue *thread = echo_kernel_begin_range(emitter, THREADS, true), *indices[ECHO_MAX_RANK];
  base->builder = echo_kernel_builder(emitter);
  EchoValue *linear = echo_index_add(base, echo_index_mul_constant(base, task, THREADS), thread);
  echo_kernel_begin_if(
      emitter, echo_index_compare(base, ECHO_CMPI_SLT, linear, echo_index_constant(base, n)));
  EchoValue *sum = NULL;
  if (echo_type_static_n_elements(echo_op_operand_type(op, 1)) != 0)
    sum = sum_of_element(emitter, op, windows, linear);
  else
    sum = echo_kernel_element(emitter, echo_op_operand(op, 2), NULL);
  base->builder = echo_kernel_builder(emitter);
  echo_index_delinearize(base, linear, operand->as.shaped.dims, rank, indices);
  if (sum != NULL)
    echo_kernel_store(emitter, sum, echo_kernel_output(emitter, 0), indices);
  echo_kernel_end_if(emitter);
  echo_kernel_end_for(emitter);
  echo_kernel_end_tasks(emitter);
  return true;
}
