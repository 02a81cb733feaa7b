/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Windows of more places than are written out. A task takes a piece of a line of results, which lie
 * side by side, and goes through the window's places; at each, all results of the piece take one
 * element more. What is combined for a result, and in which order, is as if it were made alone. */
#include "lowering/kernels/window_places_t.h"

enum {
  PIECE = 256,   /* results of a task: a page of memory at most for each value */
  MIN_PIECE = 16 /* a line of memory */
};

typedef struct DirectWindow {
  EchoKernelEmitter *emitter;
  EchoWindowPlaces window;
  size_t line; /* the last dimension of the result that is larger than 1 */
  int64_t n_lines, length, piece, n_pieces;
  EchoValue *first, *n_in_piece; /* of the task */
  EchoValue *out[ECHO_MAX_RANK]; /* indices of the result */
  EchoValue **sums;              /* memref<piece> of each value */
} DirectWindow;

static EchoElementEmitter *base_of(const DirectWindow *d)
{
  EchoElementEmitter *base = &d->emitter->base;
  base->builder = echo_kernel_builder(d->emitter);
  return base;
}

static bool find_line(DirectWindow *d)
{
  const EchoType *type = echo_op_result_type(d->window.op, 0);
  for (size_t i = 0; i < d->window.rank; ++i)
    if (echo_type_dim(type, i) > 1)
      d->line = i;
  d->length = d->window.rank > 0 ? echo_type_dim(type, d->line) : 0;
  if (d->length < 2)
    return false;
  d->n_lines = echo_type_static_n_elements(type) / d->length;
  int64_t piece =
      echo_pieces_per_task(d->emitter, d->length, d->emitter->work_ns / (double)d->n_lines);
  piece = (piece + MIN_PIECE - 1) / MIN_PIECE * MIN_PIECE;
  piece = piece < PIECE ? piece : PIECE;
  d->piece = piece < d->length ? piece : d->length;
  d->n_pieces = echo_n_tasks(d->length, d->piece);
  return true;
}

static void begin_task(DirectWindow *d)
{
  EchoKernelEmitter *emitter = d->emitter;
  const EchoType *type = echo_op_result_type(d->window.op, 0);
  int64_t grid[] = {d->n_lines, d->n_pieces};
  EchoValue *task = echo_kernel_begin_tasks(emitter, grid[0] * grid[1], emitter->work_ns), *at[2];
  EchoElementEmitter *base = base_of(d);
  echo_index_delinearize(base, task, grid, 2, at);
  echo_index_delinearize(base, at[0], type->as.shaped.dims, d->line, d->out);
  for (size_t i = d->line + 1; i < d->window.rank; ++i)
    d->out[i] = echo_index_constant(base, 0);
  d->first = echo_index_mul_constant(base, at[1], d->piece);
  d->n_in_piece = echo_index_constant(base, d->piece);
  if (d->length % d->piece != 0)
    d->n_in_piece = echo_index_min(
        base, d->n_in_piece, echo_index_sub(base, echo_index_constant(base, d->length), d->first));
  echo_window_read_inits(emitter, &d->window, d->out);
  d->sums = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, d->window.n);
  for (size_t i = 0; i < d->window.n && !emitter->failed; ++i)
    d->sums[i] = echo_kernel_alloca(emitter, d->window.inits[i]->type, &d->piece, 1);
}

/* The results of the piece. Returns the place in it. */
static EchoValue *begin_results(DirectWindow *d)
{
  EchoValue *zero = echo_index_constant(base_of(d), 0);
  EchoValue *lane = echo_kernel_begin_for(d->emitter, zero, d->n_in_piece, 1, true);
  d->out[d->line] = echo_index_add(base_of(d), d->first, lane);
  return lane;
}

static void fill(DirectWindow *d)
{
  EchoValue *lane = begin_results(d);
  for (size_t i = 0; i < d->window.n; ++i)
    echo_memref_store(echo_kernel_builder(d->emitter), d->window.inits[i], d->sums[i], &lane, 1);
  echo_kernel_end_for(d->emitter);
}

static void read_sums(DirectWindow *d, EchoValue *lane, EchoValue **values)
{
  for (size_t i = 0; i < d->window.n; ++i)
    values[i] = echo_memref_load(echo_kernel_builder(d->emitter), d->sums[i], &lane, 1);
}

static void combine_places(DirectWindow *d)
{
  EchoKernelEmitter *emitter = d->emitter;
  size_t n = d->window.n, rank = d->window.rank;
  EchoValue *taps[ECHO_MAX_RANK];
  for (size_t i = 0; i < rank; ++i)
    taps[i] = d->window.sizes[i] == 1 ? echo_index_constant(base_of(d), 0)
                                      : echo_kernel_begin_range(emitter, d->window.sizes[i], false);
  EchoValue **values = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, 2 * n);
  EchoValue **next = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, n), *lane = begin_results(d);
  read_sums(d, lane, values);
  bool fine = echo_window_combine(emitter, &d->window, taps, values, next);
  for (size_t i = 0; i < n && fine; ++i)
    echo_memref_store(echo_kernel_builder(emitter), next[i], d->sums[i], &lane, 1);
  echo_kernel_end_for(emitter);
  for (size_t i = 0; i < rank; ++i)
    if (d->window.sizes[i] != 1)
      echo_kernel_end_for(emitter);
}

static void store(DirectWindow *d)
{
  EchoKernelEmitter *emitter = d->emitter;
  EchoValue *lane = begin_results(d);
  EchoValue **values = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, d->window.n);
  read_sums(d, lane, values);
  for (size_t i = 0; i < d->window.n; ++i)
    echo_kernel_store(emitter, values[i], echo_kernel_output(emitter, i), d->out);
  echo_kernel_end_for(emitter);
}

bool echo_lower_direct_window(EchoKernelEmitter *emitter, const EchoOp *op)
{
  DirectWindow d = {.emitter = emitter, .window = echo_window_places(op)};
  if (d.window.is_empty || d.window.n_taps == 0 ||
      echo_type_static_n_elements(echo_op_result_type(op, 0)) == 0 || !find_line(&d))
    return false;
  begin_task(&d);
  if (!emitter->failed) {
    fill(&d);
    combine_places(&d);
    store(&d);
  }
  echo_kernel_end_tasks(emitter);
  return true;
}
