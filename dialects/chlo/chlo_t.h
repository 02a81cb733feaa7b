/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The inside of the chlo dialect: hooks that its table names. */
#ifndef ECHO_DIALECTS_CHLO_CHLO_T_H
#define ECHO_DIALECTS_CHLO_CHLO_T_H

#include "ir/text/asm.h"

EchoInferFn echo_chlo_infer_broadcast_binary;
EchoInferFn echo_chlo_infer_broadcast_compare;
EchoInferFn echo_chlo_infer_broadcast_complex;
EchoInferFn echo_chlo_infer_broadcast_select;
EchoInferFn echo_chlo_infer_constant_like;
EchoInferFn echo_chlo_infer_top_k;

EchoVerifyFn echo_chlo_verify_ragged_dot;
EchoVerifyFn echo_chlo_verify_scan;

/* Reference evaluation (evaluate.c) and gradients by known derivatives (differentiate.c): those
 * that functions.def lists … */
#define CHLO_FUNCTION(op_name, ...)                                                                \
  EchoEvaluateFn echo_chlo_evaluate_##op_name;                                                     \
  EchoDifferentiateFn echo_chlo_differentiate_##op_name;
#define CHLO_PLAIN(op_name, ...) EchoEvaluateFn echo_chlo_evaluate_##op_name;
#define CHLO_PREDICATE(op_name, ...) EchoEvaluateFn echo_chlo_evaluate_##op_name;
#define CHLO_BINARY(op_name, ...) EchoEvaluateFn echo_chlo_evaluate_##op_name;
#include "dialects/chlo/functions.def"
/* … and the others. */
EchoDifferentiateFn echo_chlo_differentiate_polygamma;
EchoEvaluateFn echo_chlo_evaluate_next_after;
EchoEvaluateFn echo_chlo_evaluate_mulhi;
EchoEvaluateFn echo_chlo_evaluate_constant_like;
EchoEvaluateFn echo_chlo_evaluate_ragged_dot;
EchoEvaluateFn echo_chlo_evaluate_scan;
EchoEvaluateFn echo_chlo_evaluate_top_k;

EchoParseFn echo_chlo_parse_scan;
EchoPrintFn echo_chlo_print_scan;
EchoNameValuesFn echo_chlo_name_scan;
EchoParseFn echo_chlo_parse_top_k;
EchoPrintFn echo_chlo_print_top_k;

#endif
