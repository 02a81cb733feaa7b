/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The hooks of the arith rows that live beside the table. Not for users of the dialect. */
#ifndef ECHO_DIALECTS_ARITH_HOOKS_T_H
#define ECHO_DIALECTS_ARITH_HOOKS_T_H

#include "ir/table/op_info.h"

/* What the op computes on: the type itself, or the element of a vector or tensor. */
static inline const EchoType *echo_arith_scalar_of(const EchoType *type)
{
  bool is_container = type->kind == ECHO_TYPE_VECTOR || type->kind == ECHO_TYPE_TENSOR ||
                      type->kind == ECHO_TYPE_UNRANKED_TENSOR;
  return is_container ? type->as.shaped.element : type;
}

EchoFoldFn echo_arith_fold_integer; /* addi … xori, shifts, divisions, min, max */
EchoFoldFn echo_arith_fold_cmpi;
EchoFoldFn echo_arith_fold_select;
EchoFoldFn echo_arith_fold_cast; /* extensions, truncation, index casts, bitcast of integers */
EchoFoldFn echo_arith_fold_constant;

EchoVerifyFn echo_arith_verify_constant;
EchoVerifyFn echo_arith_verify_select;
EchoVerifyFn echo_arith_verify_widen;  /* ext*: the result is wider */
EchoVerifyFn echo_arith_verify_narrow; /* trunc* */
EchoVerifyFn echo_arith_verify_cast;   /* between integers, floats, index */
EchoVerifyFn echo_arith_verify_bitcast;
EchoVerifyFn echo_arith_verify_cmp;

#endif
