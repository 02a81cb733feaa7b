/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Scatters on a GPU, in parallel over destinations and in index order for each: the same bits as
 * one after the other.
 *
 * Destinations are dealt to groups, by themselves where there are few, else by a hash, for ids that
 * are multiples of something must not meet in one group. A block has a group and some of the
 * elements beside each other that an update has. It looks through all indices, 256 at a time: each
 * warp leaves a mask of those that are the group's, and the block then applies these in order. So
 * each destination has one block, nobody sorts, and n updates are N_BLOCKS * n comparisons at
 * most. Where updates come batch by batch, each to destinations of its own, a block looks through
 * those of its batch. */
#include "dialects/gpu/gpu.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/kernels/lower_scatter_t.h"

/* Looking takes a block longer the more updates there are, applying the more of them it has: with
 * N_BLOCKS, which are a few for each multiprocessor, neither is much more than the other. A thread
 * has up to MAX_ELEMENTS of an update, so that wide ones do not ask for more blocks that look. */
enum {
  THREADS = 256,
  WARPS = THREADS / ECHO_GPU_WARP,
  N_BLOCKS = 512,
  MAX_ELEMENTS = 4,
};

static EchoElementEmitter *base_of(const EchoScatter *s)
{
  EchoElementEmitter *base = &s->emitter->base;
  base->builder = echo_kernel_builder(s->emitter);
  return base;
}

/* How the work is dealt. */
typedef struct Deal {
  int64_t n_batches, n_updates, n_places; /* the latter two of a batch */
  int64_t n_apart;                        /* elements beside each other of an update */
  int64_t n_groups, n_chunks, chunk;      /* a power of two; parts of an update */
} Deal;

/* Of those whose updates stand one behind the other: dimensions of a batch that come first. */
static int64_t n_batches_of(const EchoScatter *s)
{
  const EchoDimList batching = s->dims->scatter_indices_batching_dims;
  int64_t n = 1;
  for (size_t i = 0; i < batching.size; ++i) {
    if (batching.dims[i] >= (int64_t)batching.size)
      return 1;
    n *= s->scatter_dims[i];
  }
  return s->dims->index_vector_dim < (int64_t)batching.size ? 1 : n;
}

static Deal deal_of(const EchoScatter *s, int64_t n_scatter, int64_t n_apart)
{
  const EchoType *operand = echo_op_operand_type(s->op, 0);
  const EchoDimList named = s->dims->scatter_dims_to_operand_dims;
  const EchoDimList batching = s->dims->input_batching_dims;
  Deal deal = {.n_batches = n_batches_of(s), .n_places = 1, .n_apart = n_apart, .n_groups = 1};
  deal.n_updates = n_scatter / deal.n_batches;
  for (size_t k = 0; k < named.size; ++k)
    deal.n_places *= echo_type_dim(operand, (size_t)named.dims[k]);
  for (size_t k = 0; k < batching.size && deal.n_batches == 1; ++k)
    deal.n_places *= echo_type_dim(operand, (size_t)batching.dims[k]);
  const int64_t threads = (n_apart + THREADS - 1) / THREADS;
  int64_t elements = 1;
  while (deal.n_groups * deal.n_batches < N_BLOCKS && deal.n_groups < deal.n_updates &&
         deal.n_groups < deal.n_places)
    deal.n_groups *= 2;
  while (elements < MAX_ELEMENTS && elements < threads &&
         deal.n_groups * deal.n_batches * threads > elements * N_BLOCKS)
    elements *= 2;
  deal.chunk = elements * THREADS;
  deal.n_chunks = (n_apart + deal.chunk - 1) / deal.chunk;
  while (deal.n_groups > 1 && deal.n_groups * deal.n_batches * deal.n_chunks > 2 * N_BLOCKS)
    deal.n_groups /= 2;
  return deal;
}

/* Sets what is known of update `position`: its indices, and where it goes. Returns the number of
 * that place among those of its batch that the indices can name, *inside is whether there is such a
 * place (NULL: always); NULL after an error. */
static EchoValue *place_update(EchoScatter *s, const Deal *deal, EchoValue *position,
                               EchoValue **inside)
{
  EchoElementEmitter *base = base_of(s);
  const EchoType *operand = echo_op_operand_type(s->op, 0);
  EchoValue *scatter[ECHO_MAX_RANK], *starts[ECHO_MAX_RANK], *named[ECHO_MAX_RANK];
  int64_t named_dims[ECHO_MAX_RANK];
  size_t n_named = 0;
  echo_index_delinearize(base, position, s->scatter_dims, s->n_scatter, scatter);
  for (size_t i = 0; i < s->n_scatter; ++i)
    s->update_indices[s->scatter_at[i]] = scatter[i];
  EchoValue *zero = echo_index_constant(base, 0);
  for (uint32_t d = 0; d < operand->as.shaped.rank; ++d)
    starts[d] = zero;
  if (!echo_scatter_starts(s, scatter, starts))
    return NULL;
  *inside = NULL;
  for (uint32_t d = 0; d < operand->as.shaped.rank; ++d) {
    s->result_indices[d] = starts[d];
    bool is_of_batch = deal->n_batches > 1 && echo_dim_list_has(s->dims->input_batching_dims, d);
    if (starts[d] == zero || is_of_batch)
      continue;
    named[n_named] = starts[d];
    named_dims[n_named++] = echo_type_dim(operand, d);
    EchoValue *check = echo_index_compare(base, ECHO_CMPI_ULT, starts[d],
                                          echo_index_constant(base, echo_type_dim(operand, d)));
    EchoValue *both[] = {*inside, check};
    *inside = *inside == NULL ? check : base->pure_op(base, "arith.andi", -1, both, 2, check->type);
  }
  return n_named == 0 ? zero : echo_index_linearize(base, named_dims, n_named, named);
}

/* The group of `place`, an i32 in [0, n_groups): itself where there are no more places than groups,
 * else the upper bits of a product with 2^32 over the golden ratio (Knuth, The Art of Computer
 * Programming 3, section 6.4), which deals numbers in a row evenly. */
static EchoValue *group_of(EchoScatter *s, EchoValue *place, int64_t n_places, int64_t n_groups)
{
  EchoBuilder *builder = echo_kernel_builder(s->emitter);
  const EchoType *i32 = echo_type_integer(s->emitter->ctx, 32, ECHO_SIGNLESS);
  EchoValue *number = echo_arith_unary(builder, "arith.index_cast", place, i32);
  if (n_places <= n_groups)
    return number;
  if (n_groups == 1)
    return echo_arith_int(builder, i32, 0);
  int64_t bits = 0;
  while (INT64_C(1) << bits < n_groups)
    ++bits;
  EchoValue *product = echo_arith_binary(builder, "arith.muli", number,
                                         echo_arith_int(builder, i32, (int32_t)0x9E3779B1));
  return echo_arith_binary(builder, "arith.shrui", product,
                           echo_arith_int(builder, i32, 32 - bits));
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

/* A condition as all bits of an i32, or none. */
static EchoValue *as_bits(EchoScatter *s, EchoValue *condition, EchoValue *bits)
{
  EchoBuilder *builder = echo_kernel_builder(s->emitter);
  return echo_arith_select(builder, condition, bits, echo_arith_int(builder, bits->type, 0));
}

/* masks[warp] = which of updates [first, first + THREADS), as far as they are before `end`, go to
 * places of `group`. */
static void find_matches(EchoScatter *s, const Deal *deal, EchoValue *first, EchoValue *end,
                         EchoValue *group, EchoValue *masks)
{
  EchoKernelEmitter *emitter = s->emitter;
  const EchoType *i32 = echo_type_integer(emitter->ctx, 32, ECHO_SIGNLESS);
  EchoValue *thread = echo_kernel_begin_range(emitter, THREADS, true), *inside = NULL;
  EchoElementEmitter *base = base_of(s);
  EchoValue *position = echo_index_add(base, first, thread);
  EchoValue *last = echo_index_add_constant(base, end, -1);
  EchoValue *is_there = echo_index_compare(base, ECHO_CMPI_SLE, position, last);
  EchoValue *place = place_update(s, deal, echo_index_min(base, position, last), &inside);
  if (place != NULL) {
    EchoBuilder *builder = echo_kernel_builder(emitter);
    EchoValue *same = echo_arith_cmpi(builder, ECHO_CMPI_EQ,
                                      group_of(s, place, deal->n_places, deal->n_groups), group);
    same = echo_arith_binary(builder, "arith.andi", same, is_there);
    if (inside != NULL)
      same = echo_arith_binary(builder, "arith.andi", same, inside);
    EchoValue *lane = echo_index_rem_constant(base_of(s), thread, ECHO_GPU_WARP);
    EchoValue *shift = echo_arith_unary(builder, "arith.index_cast", lane, i32);
    EchoValue *bit =
        echo_arith_binary(builder, "arith.shli", echo_arith_int(builder, i32, 1), shift);
    store_of_warp(s, thread, as_bits(s, same, bit), masks);
  }
  echo_kernel_end_for(emitter);
}

/* The matching ones, in order, to the elements [low, high) of their places. */
static void apply_matches(EchoScatter *s, const Deal *deal, EchoValue *first, EchoValue *low,
                          EchoValue *high, EchoValue *masks)
{
  EchoKernelEmitter *emitter = s->emitter;
  int64_t apart_dims[ECHO_MAX_RANK];
  EchoValue *digits[ECHO_MAX_RANK], *inside = NULL, *left = NULL, *end = NULL;
  for (size_t i = 0; i < s->n_apart; ++i)
    apart_dims[i] = s->apart[i].size;
  EchoValue *linear = echo_kernel_begin_for(emitter, low, high, 1, true);
  echo_index_delinearize(base_of(s), linear, apart_dims, s->n_apart, digits);
  EchoValue *warp = echo_kernel_begin_range(emitter, WARPS, false);
  EchoBuilder *builder = echo_kernel_builder(emitter);
  EchoValue *mask = echo_memref_load(builder, masks, &warp, 1);
  const EchoType *i32 = mask->type, *index = echo_type_index(emitter->ctx);
  EchoValue *n_set = echo_arith_unary(builder, "math.ctpop", mask, i32);
  echo_kernel_begin_carried_to(emitter, echo_arith_unary(builder, "arith.index_cast", n_set, index),
                               &mask, 1, &left);
  builder = echo_kernel_builder(emitter);
  EchoValue *lane = echo_arith_unary(builder, "arith.index_cast",
                                     echo_arith_unary(builder, "math.cttz", left, i32), index);
  EchoElementEmitter *base = base_of(s);
  EchoValue *of_warp = echo_index_mul_constant(base, warp, ECHO_GPU_WARP);
  EchoValue *position = echo_index_add(base, echo_index_add(base, first, of_warp), lane);
  if (place_update(s, deal, position, &inside) != NULL) {
    for (size_t i = 0; i < s->n_apart; ++i) {
      s->update_indices[s->apart[i].update] = digits[i];
      s->result_indices[s->apart[i].operand] = digits[i];
    }
    echo_scatter_update(s);
  }
  builder = echo_kernel_builder(emitter);
  EchoValue *less =
      echo_arith_binary(builder, "arith.addi", left, echo_arith_int(builder, i32, -1));
  EchoValue *next = echo_arith_binary(builder, "arith.andi", left, less);
  echo_kernel_end_carried(emitter, &next, 1, &end);
  echo_kernel_end_for(emitter);
  echo_kernel_end_for(emitter);
}

bool echo_emit_gpu_scatter(EchoScatter *s, int64_t n_scatter, int64_t n_apart)
{
  EchoKernelEmitter *emitter = s->emitter;
  const EchoType *i32 = echo_type_integer(emitter->ctx, 32, ECHO_SIGNLESS);
  if (s->n_shared != 0)
    return false;
  const Deal deal = deal_of(s, n_scatter, n_apart);
  int64_t grid[] = {deal.n_batches, deal.n_groups, deal.n_chunks}, n_masks = WARPS;
  EchoValue *coordinates[3];
  EchoValue *task = echo_kernel_begin_tasks(emitter, grid[0] * grid[1] * grid[2], emitter->work_ns);
  echo_index_delinearize(base_of(s), task, grid, 3, coordinates);
  EchoElementEmitter *base = base_of(s);
  EchoValue *low = echo_index_mul_constant(base, coordinates[2], deal.chunk);
  EchoValue *high = echo_index_min(base, echo_index_add_constant(base, low, deal.chunk),
                                   echo_index_constant(base, n_apart));
  EchoValue *begin = echo_index_mul_constant(base, coordinates[0], deal.n_updates);
  EchoValue *end = echo_index_add_constant(base, begin, deal.n_updates);
  EchoValue *group =
      echo_arith_unary(echo_kernel_builder(emitter), "arith.index_cast", coordinates[1], i32);
  EchoValue *masks = echo_kernel_alloca(emitter, i32, &n_masks, 1);
  EchoValue *first = echo_kernel_begin_for(emitter, begin, end, THREADS, false);
  find_matches(s, &deal, first, end, group, masks);
  apply_matches(s, &deal, first, low, high, masks);
  echo_kernel_end_for(emitter);
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
