/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The infer and verify hooks of the stablehlo rows, for table.c. One name an op or family. Each
 * infer hook checks all that the specification asks of operands and attributes before it answers,
 * so that verifying is comparing the answer. */
#ifndef ECHO_DIALECTS_STABLEHLO_INFER_INFER_T_H
#define ECHO_DIALECTS_STABLEHLO_INFER_INFER_T_H

#include "dialects/stablehlo/infer/shape_t.h"
#include "ir/table/dialect.h"

/* elementwise */
EchoInferFn echo_hlo_infer_same_type; /* all operands and the result have one type */
EchoInferFn echo_hlo_infer_pred;      /* is_finite, compare: i1 of the operands' shape */
EchoInferFn echo_hlo_infer_real;      /* abs, real, imag: the real type */
EchoInferFn echo_hlo_infer_complex;
EchoInferFn echo_hlo_infer_select;
EchoInferFn echo_hlo_infer_clamp;
EchoVerifyFn echo_hlo_verify_same_shape; /* convert */
EchoVerifyFn echo_hlo_verify_quantized;  /* quantized types of operands and result: one storage */
EchoVerifyFn echo_hlo_verify_quantize;   /* uniform_quantize and uniform_dequantize */
EchoVerifyFn echo_hlo_verify_bitcast_convert;
/* movement and creation */
EchoInferFn echo_hlo_infer_broadcast;
EchoInferFn echo_hlo_infer_concatenate;
EchoInferFn echo_hlo_infer_constant;
EchoInferFn echo_hlo_infer_dynamic_slice;
EchoInferFn echo_hlo_infer_dynamic_update_slice;
EchoInferFn echo_hlo_infer_gather;
EchoInferFn echo_hlo_infer_get_dimension_size;
EchoInferFn echo_hlo_infer_pad;
EchoInferFn echo_hlo_infer_reverse;
EchoInferFn echo_hlo_infer_scatter;
EchoInferFn echo_hlo_infer_set_dimension_size;
EchoInferFn echo_hlo_infer_slice;
EchoInferFn echo_hlo_infer_transpose;
EchoVerifyFn echo_hlo_verify_broadcast_in_dim;
EchoVerifyFn echo_hlo_verify_dynamic_broadcast_in_dim;
EchoVerifyFn echo_hlo_verify_constant; /* of quantized type */
EchoVerifyFn echo_hlo_verify_dynamic_gather;
EchoVerifyFn echo_hlo_verify_dynamic_iota;
EchoVerifyFn echo_hlo_verify_dynamic_pad;
EchoVerifyFn echo_hlo_verify_dynamic_reshape;
EchoVerifyFn echo_hlo_verify_iota;
EchoVerifyFn echo_hlo_verify_real_dynamic_slice;
EchoVerifyFn echo_hlo_verify_reshape;
EchoVerifyFn echo_hlo_verify_transpose; /* quantization dimensions */
/* contractions, reductions, random numbers, linear algebra */
EchoInferFn echo_hlo_infer_batch_norm_grad;
EchoInferFn echo_hlo_infer_batch_norm_inference;
EchoInferFn echo_hlo_infer_batch_norm_training;
EchoInferFn echo_hlo_infer_cholesky;
EchoInferFn echo_hlo_infer_fft;
EchoInferFn echo_hlo_infer_map;
EchoInferFn echo_hlo_infer_reduce;
EchoInferFn echo_hlo_infer_reduce_window;
EchoInferFn echo_hlo_infer_select_and_scatter;
EchoInferFn echo_hlo_infer_sort;
EchoInferFn echo_hlo_infer_triangular_solve;
/* With lhs's element type. The op's may be another one, so rows do not name these: the verifier
 * compares shapes. */
EchoInferFn echo_hlo_infer_dot;
EchoInferFn echo_hlo_infer_dot_general;
EchoInferFn echo_hlo_infer_convolution;
EchoVerifyFn echo_hlo_verify_contraction; /* dot, dot_general, convolution: shapes as inferred */
EchoVerifyFn echo_hlo_verify_dynamic_conv;
EchoVerifyFn echo_hlo_verify_rng;
EchoVerifyFn echo_hlo_verify_rng_bit_generator;
/* control flow, tuples, tokens, calls */
EchoInferFn echo_hlo_infer_after_all; /* create_token too */
EchoInferFn echo_hlo_infer_branches;  /* case, if */
EchoInferFn echo_hlo_infer_get_tuple_element;
EchoInferFn echo_hlo_infer_pairwise; /* optimization_barrier: result i has operand i's type */
EchoInferFn echo_hlo_infer_tuple;
EchoInferFn echo_hlo_infer_while;
EchoVerifyFn echo_hlo_verify_composite;
EchoVerifyFn echo_hlo_verify_custom_call;
/* between devices */
EchoInferFn echo_hlo_infer_replica_id; /* partition_id too */
EchoInferFn echo_hlo_infer_collective; /* all_reduce, collective_broadcast: operand types */
EchoInferFn echo_hlo_infer_all_to_all;
EchoVerifyFn echo_hlo_verify_all_gather;
EchoVerifyFn echo_hlo_verify_infeed;
EchoVerifyFn echo_hlo_verify_send;
EchoVerifyFn echo_hlo_verify_recv;
EchoVerifyFn echo_hlo_verify_async_start;
EchoVerifyFn echo_hlo_verify_async_done;
EchoVerifyFn echo_hlo_verify_collective_permute;
EchoVerifyFn echo_hlo_verify_reduce_scatter;

/* Each region has one block: what the builder may leave for later, and a finished op may not. */
EchoVerifyFn echo_hlo_verify_regions;

/* Names of values in the pretty form. */
EchoNameValuesFn echo_hlo_name_constant;
EchoNameValuesFn echo_hlo_name_while;
EchoNameValuesFn echo_hlo_name_results; /* by the names in the row */

/* Constraints that rows name; see constraints.c. */
extern const EchoTypeConstraint ECHO_HLO_TYPE_CONSTRAINTS[];
extern const EchoAttrConstraint ECHO_HLO_ATTR_CONSTRAINTS[];

#endif
