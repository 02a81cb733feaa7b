/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fourier transforms of complex numbers that are pairs of real tensors. */
#include <math.h>
#include <stdio.h>

#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/attributes/attributes.h"
#include "lowering/model/complex_math_t.h"

#define PRODUCTS_PER_FLOP 10
#define TASK_FLOPS (1 << 16) /* a task is worth that many: some tens of microseconds */
#define MAX_TASKS 16
#define MAX_ROWS                                                                                   \
  8 /* in one call: a vector of doubles, or two; a routine takes eight or one at once, */
#define MAX_BATCH 8192 /* of numbers, both copies of which stay in the second cache */

/* What a routine takes and gives: rows of n real numbers, or of n / 2 + 1 complex ones. */
typedef struct Form {
  const char *name;
  bool takes_real, gives_real;
  bool is_inverse;
} Form;

static const Form FORWARD = {"fft", false, false, false}, BACKWARD = {"fft", false, false, true};
static const Form FROM_REAL = {"rfft", true, false, false}, TO_REAL = {"irfft", false, true, true};

static const EchoType *with_rows_of(EchoBuilder *b, const EchoType *type, int64_t n)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t rank = echo_type_rank(type);
  for (size_t d = 0; d < rank; d++)
    dims[d] = d + 1 == rank ? n : echo_type_dim(type, d);
  return echo_type_tensor(b->ctx, dims, rank, echo_type_element(type), NULL);
}

/* Rows of a call: of short ones as many as a vector takes, side by side. */
static int64_t n_rows(int64_t n, int64_t count)
{
  int64_t rows = n <= MAX_BATCH / MAX_ROWS ? MAX_ROWS : 1;
  return rows < count ? rows : count;
}

/* `count` calls, dealt out to tasks by what they take. */
static int64_t n_tasks(int64_t count, double flops)
{
  int64_t worth =
      flops < (double)TASK_FLOPS * MAX_TASKS ? (int64_t)(flops / TASK_FLOPS) : MAX_TASKS;
  worth = worth < 1 ? 1 : worth;
  return count < worth ? count : worth;
}

/* What such transforms take, as flops of a matrix product: those of the length that is transformed,
 * there and back where that is not n (Bluestein); one takes as long as ten of the product (7
 * GFLOP/s beside 70, bench/results/predict.md): passes over memory, in f64. An odd number of real
 * numbers is transformed as complex ones. */
static double n_products(int64_t n, int64_t count, bool is_complex)
{
  double m = (double)echo_kernel_fft_length(n), transforms = is_complex || n % 2 != 0 ? 1 : 0.5;
  if (echo_kernel_fft_length(n) != n)
    transforms = 2;
  return PRODUCTS_PER_FLOP * transforms * 5 * (double)count * m * log2(m + 1);
}

/* Along the last dimension, rows of `n`, by a routine that is no kernel. */
static EchoComplex transform_last(EchoBuilder *b, EchoComplex z, int64_t n, const Form *form)
{
  bool is_complex = !form->takes_real && !form->gives_real;
  const EchoType *from = z.re->type;
  const EchoType *to = with_rows_of(b, from, form->takes_real ? n / 2 + 1 : n);
  int64_t row = echo_type_dim(from, echo_type_rank(from) - 1);
  int64_t count = row == 0 ? 0 : echo_type_static_n_elements(from) / row;
  if (count == 0 || n == 0) { /* no transforms, or of no numbers */
    EchoValue *zeros = echo_hlo_constant_f64(b, to, 0);
    return (EchoComplex){zeros, form->gives_real ? NULL : zeros};
  }
  bool is_f64 = echo_type_bit_width(echo_type_element(from)) == 64;
  double flops = (is_complex ? 5 : 2.5) * (double)count * (double)n * log2((double)n + 1);
  int64_t rows = n_rows(n, count), n_items = (count + rows - 1) / rows;
  int64_t tasks = n_tasks(n_items, flops), space = echo_kernel_fft_space(n) * rows;
  int64_t all = space * tasks;
  char symbol[32];
  snprintf(symbol, sizeof symbol, "echo_%s_%s", form->name, is_f64 ? "f64" : "f32");
  EchoLibraryCall call = {.library = ECHO_STR("echo"),
                          .symbol = {symbol, strlen(symbol)},
                          .n_grid = 1,
                          .grid = {n_items},
                          .n_tasks = tasks};
  EchoValue *operands[] = {z.re, z.im};
  const EchoType *types[3];
  size_t n_operands = form->takes_real ? 1 : 2, n_results = form->gives_real ? 1 : 2;
  for (size_t i = 0; i < n_results; i++)
    types[i] = to;
  types[n_results] = echo_type_tensor(b->ctx, &all, 1, echo_type_f64(b->ctx), NULL);
  for (size_t i = 0; i < n_operands + n_results; i++) {
    const EchoType *type = i < n_operands ? from : to;
    int64_t stride = echo_type_dim(type, echo_type_rank(type) - 1) * rows * (is_f64 ? 8 : 4);
    call.args[call.n_args++] = (EchoLibraryArg){
        .kind = ECHO_LIBRARY_BUFFER, .type = ECHO_LIBRARY_PTR, .buffer = i, .strides = {stride}};
  }
  call.args[call.n_args++] = (EchoLibraryArg){.kind = ECHO_LIBRARY_SPACE,
                                              .type = ECHO_LIBRARY_PTR,
                                              .buffer = n_operands + n_results,
                                              .strides = {space * 8}};
  call.args[call.n_args++] = (EchoLibraryArg){.type = ECHO_LIBRARY_I64, .integer = n};
  call.args[call.n_args++] = (EchoLibraryArg){
      .kind = ECHO_LIBRARY_TILE, .type = ECHO_LIBRARY_I64, .integer = rows, .total = count};
  if (is_complex)
    call.args[call.n_args++] =
        (EchoLibraryArg){.type = ECHO_LIBRARY_I64, .integer = form->is_inverse};
  EchoOp *invoke = echo_kernel_invoke(b, &call, operands, n_operands, types, n_results + 1,
                                      n_products(n, count, is_complex));
  return (EchoComplex){echo_op_result(invoke, 0),
                       form->gives_real ? NULL : echo_op_result(invoke, 1)};
}

/* Along dimension `dim`, which becomes the last one for it. */
static EchoComplex transform(EchoBuilder *b, EchoComplex z, size_t dim, const Form *form)
{
  int64_t permutation[ECHO_MAX_RANK];
  size_t last = echo_type_rank(z.re->type) - 1;
  for (size_t i = 0; i <= last; i++)
    permutation[i] = (int64_t)i;
  permutation[dim] = (int64_t)last;
  permutation[last] = (int64_t)dim;
  z = (EchoComplex){echo_hlo_transpose(b, z.re, permutation),
                    echo_hlo_transpose(b, z.im, permutation)};
  z = transform_last(b, z, echo_type_dim(z.re->type, last), form);
  return (EchoComplex){echo_hlo_transpose(b, z.re, permutation),
                       echo_hlo_transpose(b, z.im, permutation)};
}

EchoComplex echo_complex_fft(EchoBuilder *b, const EchoOp *op, EchoComplex z)
{
  EchoFftType kind = echo_stablehlo_fft_type(op);
  EchoDimList lengths = echo_stablehlo_dims(op, "fft_length");
  size_t rank = echo_type_rank(z.re->type), first = rank - lengths.size;
  int64_t n = lengths.dims[lengths.size - 1];
  const Form *form = kind == ECHO_IFFT || kind == ECHO_IRFFT ? &BACKWARD : &FORWARD;
  if (kind == ECHO_RFFT)
    z = transform_last(b, z, n, &FROM_REAL);
  for (size_t d = first; d + 1 < rank; d++)
    z = transform(b, z, d, form);
  if (kind == ECHO_RFFT)
    return z;
  return transform_last(b, z, n, kind == ECHO_IRFFT ? &TO_REAL : form);
}
