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

/* Reference evaluation: evaluate.c. */
EchoEvaluateFn echo_chlo_evaluate_unary;
EchoEvaluateFn echo_chlo_evaluate_binary;
EchoEvaluateFn echo_chlo_evaluate_predicate;
EchoEvaluateFn echo_chlo_evaluate_next_after;
EchoEvaluateFn echo_chlo_evaluate_mulhi;
EchoEvaluateFn echo_chlo_evaluate_constant_like;
EchoEvaluateFn echo_chlo_evaluate_top_k;

/* Gradients by known derivatives: differentiate.c. */
EchoDifferentiateFn echo_chlo_differentiate_unary;
EchoDifferentiateFn echo_chlo_differentiate_polygamma;

EchoParseFn echo_chlo_parse_scan;
EchoPrintFn echo_chlo_print_scan;
EchoNameValuesFn echo_chlo_name_scan;
EchoParseFn echo_chlo_parse_top_k;
EchoPrintFn echo_chlo_print_top_k;

#endif
