/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which symbols ops name, in any attribute, however deep in it, also in text that was kept as it
 * is. The invariant: no name is missed; one may be seen that is meant otherwise. Not which op a
 * name stands for. */
#ifndef ECHO_IR_PASS_SYMBOL_USES_T_H
#define ECHO_IR_PASS_SYMBOL_USES_T_H

#include "base/vector.h"
#include "ir/symbol.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoSymbolUses {
  EchoMap seen;                        /* attributes that were searched -> 1: each is, once */
  ECHO_VECTOR(const EchoAttr *) attrs; /* to be searched */
  void (*see)(void *user, EchoStr name);
  void *user;
} EchoSymbolUses;

void echo_symbol_uses_create(EchoSymbolUses *uses, void (*see)(void *user, EchoStr name),
                             void *user);
void echo_symbol_uses_destroy(EchoSymbolUses *uses);
/* Calls `see` with the names in an attribute (NULL: none) that was not searched before; and in
 * those of an op, not of those inside it. O(parts of the attributes). */
void echo_symbol_uses_in(EchoSymbolUses *uses, const EchoAttr *attr);
void echo_symbol_uses_of(EchoSymbolUses *uses, const EchoOp *op);

/* Nobody outside of its table may name it. */
bool echo_symbol_is_private(const EchoOp *op);

#ifdef __cplusplus
}
#endif

#endif
