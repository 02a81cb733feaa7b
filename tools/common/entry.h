/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which function of a module is run, and what its arguments are as arrays of numbers. */
#ifndef ECHO_TOOLS_COMMON_ENTRY_H
#define ECHO_TOOLS_COMMON_ENTRY_H

#include "ir/pass/pass.h"

/* Makes the function called `name` the module's `main`: others become private, and a main that it
 * is not takes another name; modules inside that have no name, other programs, go. NULL: the only
 * public function with a body where none is called main; without one, nothing changes. False after
 * a diagnostic: there is no such function. */
bool entry_choose(EchoOp *module, const char *name_or_null);

/* Whether the op is a function that others outside of the module may call, and has a body. */
bool entry_is_public(const EchoOp *op);

/* Adds the passes that make arrays of numbers of all that main takes and gives: those inside tuples
 * are counted one after the other, complex ones have their parts in a last dimension of two, tokens
 * no elements. What main does not reach is not looked at. False after diagnostics. */
bool entry_flatten(EchoPassManager *manager, const EchoOp *module);

#endif
