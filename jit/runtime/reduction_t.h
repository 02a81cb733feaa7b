/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What --lower-collectives calls a reduction, on arrays: how values of the members of a group are
 * combined, between processes as between the devices of one. Whoever calls takes the members in
 * their order, so that the bits are a function of the group alone. Private to jit/. */
#ifndef ECHO_JIT_RUNTIME_REDUCTION_T_H
#define ECHO_JIT_RUNTIME_REDUCTION_T_H

#include "ir/attributes/attribute.h"
#include "ir/attributes/type.h"

/* In the order of their names there. */
typedef enum EchoReduction {
  ECHO_REDUCTION_SUM,
  ECHO_REDUCTION_PRODUCT,
  ECHO_REDUCTION_MIN,
  ECHO_REDUCTION_MAX,
  ECHO_REDUCTION_AND,
  ECHO_REDUCTION_OR,
  ECHO_REDUCTION_XOR
} EchoReduction;

/* What a call's configuration says; a sum where it says nothing. */
EchoReduction echo_reduction_of(const EchoAttr *config);
/* to[i] = to[i] by from[i], for n elements of one of the kinds that calls carry. */
void echo_reduce(EchoReduction by, EchoElementKind kind, void *to, const void *from, size_t n);

#endif
