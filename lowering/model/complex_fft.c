/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fourier transforms of complex numbers that are pairs of real tensors. */
#include <math.h>

#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/attributes/attributes.h"
#include "lowering/model/complex_math_t.h"

/* Along the last dimension, by a routine that is no kernel; a task takes some transforms. */
static EchoComplex transform_last(EchoBuilder *b, EchoComplex z, bool inverse)
{
  const EchoType *type = z.re->type;
  size_t rank = echo_type_rank(type);
  int64_t n = echo_type_dim(type, rank - 1),
          count = n == 0 ? 0 : echo_type_static_n_elements(type) / n;
  if (count == 0)
    return z;
  bool is_f64 = echo_type_bit_width(echo_type_element(type)) == 64;
  int64_t bytes = is_f64 ? 8 : 4, n_tasks = count < 16 ? count : 16;
  int64_t space = echo_kernel_fft_space(n), all = space * n_tasks;
  EchoLibraryCall call = {.library = ECHO_STR("echo"),
                          .symbol = is_f64 ? ECHO_STR("echo_fft_f64") : ECHO_STR("echo_fft_f32"),
                          .n_args = 7,
                          .n_grid = 1,
                          .grid = {count},
                          .n_tasks = n_tasks};
  for (size_t i = 0; i < 4; i++)
    call.args[i] = (EchoLibraryArg){
        .kind = ECHO_LIBRARY_BUFFER, .type = ECHO_LIBRARY_PTR, .buffer = i, .strides = {n * bytes}};
  call.args[4] = (EchoLibraryArg){
      .kind = ECHO_LIBRARY_SPACE, .type = ECHO_LIBRARY_PTR, .buffer = 4, .strides = {space * 8}};
  call.args[5] = (EchoLibraryArg){.type = ECHO_LIBRARY_I64, .integer = n};
  call.args[6] = (EchoLibraryArg){.type = ECHO_LIBRARY_I64, .integer = inverse};
  const EchoType *types[] = {type, type,
                             echo_type_tensor(b->ctx, &all, 1, echo_type_f64(b->ctx), NULL)};
  EchoValue *operands[] = {z.re, z.im};
  EchoOp *invoke = echo_kernel_invoke(b, &call, operands, 2, types, 3,
                                      5 * (double)count * (double)n * log2((double)n + 1));
  return (EchoComplex){echo_op_result(invoke, 0), echo_op_result(invoke, 1)};
}

static EchoComplex transform(EchoBuilder *b, EchoComplex z, size_t dim, bool inverse)
{
  int64_t permutation[ECHO_MAX_RANK];
  size_t last = echo_type_rank(z.re->type) - 1;
  for (size_t i = 0; i <= last; i++)
    permutation[i] = (int64_t)i;
  permutation[dim] = (int64_t)last;
  permutation[last] = (int64_t)dim;
  z = (EchoComplex){echo_hlo_transpose(b, z.re, permutation),
                    echo_hlo_transpose(b, z.im, permutation)};
  z = transform_last(b, z, inverse);
  return (EchoComplex){echo_hlo_transpose(b, z.re, permutation),
                       echo_hlo_transpose(b, z.im, permutation)};
}

/* From the first n / 2 + 1 elements of a row to all n: the others mirror them. */
static EchoValue *mirrored(EchoBuilder *b, EchoValue *half, int64_t n, bool is_imaginary)
{
  int64_t last = (int64_t)echo_type_rank(half->type) - 1;
  if (n < 3)
    return n == 1 ? echo_hlo_slice_dim(b, half, last, 0, 1) : half;
  EchoValue *rest = echo_hlo_slice_dim(b, half, last, 1, (n + 1) / 2);
  rest = echo_hlo_reverse(b, rest, &last, 1);
  EchoValue *both[] = {half, is_imaginary ? echo_hlo_negate(b, rest) : rest};
  return echo_hlo_concatenate(b, both, 2, last);
}

/* Of a transform to real numbers: the imaginary parts of the first element, and of the middle one,
 * are taken for zero. */
static EchoValue *without_ends(EchoBuilder *b, EchoValue *im, int64_t n)
{
  size_t rank = echo_type_rank(im->type);
  const EchoType *type = echo_hlo_tensor(b->ctx, im->type->as.shaped.dims, rank,
                                         echo_type_integer(b->ctx, 32, ECHO_SIGNLESS));
  EchoValue *at = echo_hlo_iota(b, type, (int64_t)rank - 1);
  EchoValue *ends = echo_hlo_compare(b, ECHO_COMPARE_EQ, at, echo_hlo_constant_like(b, at, 0));
  if (n % 2 == 0)
    ends = echo_hlo_or(
        b, ends,
        echo_hlo_compare(b, ECHO_COMPARE_EQ, at, echo_hlo_constant_like(b, at, (double)(n / 2))));
  return echo_hlo_select(b, ends, echo_hlo_constant_like(b, im, 0), im);
}

EchoComplex echo_complex_fft(EchoBuilder *b, const EchoOp *op, EchoComplex z)
{
  EchoFftType kind = echo_stablehlo_fft_type(op);
  EchoDimList lengths = echo_stablehlo_dims(op, "fft_length");
  size_t rank = echo_type_rank(z.re->type), first = rank - lengths.size;
  bool inverse = kind == ECHO_IFFT || kind == ECHO_IRFFT;
  int64_t n = lengths.dims[lengths.size - 1];
  if (kind == ECHO_RFFT) {
    z = transform(b, z, rank - 1, false);
    z = (EchoComplex){echo_hlo_slice_dim(b, z.re, (int64_t)rank - 1, 0, n / 2 + 1),
                      echo_hlo_slice_dim(b, z.im, (int64_t)rank - 1, 0, n / 2 + 1)};
  }
  for (size_t d = first; d + 1 < rank; d++)
    z = transform(b, z, d, inverse);
  if (kind == ECHO_FFT || kind == ECHO_IFFT)
    return transform(b, z, rank - 1, inverse);
  if (kind == ECHO_RFFT)
    return z;
  z = (EchoComplex){mirrored(b, z.re, n, false), mirrored(b, without_ends(b, z.im, n), n, true)};
  return (EchoComplex){transform(b, z, rank - 1, true).re, NULL};
}
