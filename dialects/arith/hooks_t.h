/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The hooks of the arith and math rows that live beside the table. Not for users of the dialects.
 */
#ifndef ECHO_DIALECTS_ARITH_HOOKS_T_H
#define ECHO_DIALECTS_ARITH_HOOKS_T_H

#include "ir/builder.h"
#include "ir/table/op_info.h"

/* What the op computes on: the type itself, or the element of a vector or tensor. */
static inline const EchoType *echo_arith_scalar_of(const EchoType *type)
{
  bool is_container = type->kind == ECHO_TYPE_VECTOR || type->kind == ECHO_TYPE_TENSOR ||
                      type->kind == ECHO_TYPE_UNRANKED_TENSOR;
  return is_container ? type->as.shaped.element : type;
}

EchoFoldFn echo_arith_fold; /* by the rows' meaning; of math too */
EchoFoldFn echo_arith_fold_constant;
/* An arith.constant, for both dialects. NULL when `value` is none of `type`. */
EchoOp *echo_arith_materialize_constant(EchoBuilder *builder, const EchoAttr *value,
                                        const EchoType *type);

EchoVerifyFn echo_arith_verify_constant;
EchoVerifyFn echo_arith_verify_select;
EchoVerifyFn echo_arith_verify_widen;  /* ext*: the result is wider */
EchoVerifyFn echo_arith_verify_narrow; /* trunc* */
EchoVerifyFn echo_arith_verify_cast;   /* between integers and floats */
EchoVerifyFn echo_arith_verify_index_cast;
EchoVerifyFn echo_arith_verify_bitcast;
EchoVerifyFn echo_arith_verify_cmp;
EchoVerifyFn echo_arith_verify_carry; /* addui_extended */

#endif
