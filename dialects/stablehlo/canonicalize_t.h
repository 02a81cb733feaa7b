/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Patterns of canonicalize that stand in files of their own. Private to dialects/stablehlo/. */
#ifndef ECHO_DIALECTS_STABLEHLO_CANONICALIZE_T_H
#define ECHO_DIALECTS_STABLEHLO_CANONICALIZE_T_H

#include "ir/pass/rewrite.h"

/* Whether an iota of this element type counts to n - 1 without wrapping. */
bool echo_hlo_counts_to(const EchoType *element, int64_t n);

/* Of a gather or scatter: each column of the indices that only counts rows becomes a batching
 * dimension. The same elements are read and written, in the same order. */
EchoPatternFn echo_hlo_batch_counted_indices;
/* A dynamic slice, or a gather of one window, whose place is constant: a slice. */
EchoPatternFn echo_hlo_slice_constant_place, echo_hlo_gather_constant_place;

/* A gather of known rows, each so many times, in steps: a slice, broadcast. A scatter that adds two
 * rows each to zeros: a reduction. */
EchoPatternFn echo_hlo_gather_repeated_rows, echo_hlo_scatter_repeated_rows;

/* A constant that a loop carries round unchanged is read where it is. */
EchoPatternFn echo_hlo_read_carried_constants;

/* Numbers of elements that need fewer bits than they have: what is shifted out of them is zero, and
 * their lower words are computed as such. */
EchoPatternFn echo_hlo_shift_out_count, echo_hlo_count_in_narrow_type;

/* Transposes in front of contractions and behind one become numbers of the contractions; so that
 * they stand there, reshape(transpose x) is transpose(reshape x) where dimensions that become one
 * stand side by side in x, and batching dimensions that were made one on both sides stay several.
 */
EchoPatternFn echo_hlo_contract_untransposed, echo_hlo_swap_operands, echo_hlo_transpose_reshaped,
    echo_hlo_split_batch;

/* An elementwise op on reshapes of one shape is a reshape of it in that shape. */
EchoPatternFn echo_hlo_sink_reshape;
/* A reduction of a reshape that only merges or splits reduced dimensions among themselves reduces
 * what was reshaped: in the dimensions that something was broadcast along, perhaps. */
EchoPatternFn echo_hlo_reduce_unreshaped;

/* Transposes in front of convolutions and behind one, and pads of zeros in front, become numbers of
 * the convolutions. */
EchoPatternFn echo_hlo_convolve_untransposed, echo_hlo_convolve_unpadded,
    echo_hlo_convolve_transposed;

#endif
