/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which function of a module is run. */
#ifndef ECHO_TOOLS_ECHO_RUN_ENTRY_H
#define ECHO_TOOLS_ECHO_RUN_ENTRY_H

#include "ir/op.h"

/* Makes the function called `name` the module's `main`: others become private, and a main that it
 * is not takes another name. NULL: the only public function with a body where none is called main;
 * without one, nothing changes. False after a diagnostic: there is no such function. */
bool entry_choose(EchoOp *module, const char *name_or_null);

/* Whether the op is a function that others outside of the module may call, and has a body. */
bool entry_is_public(const EchoOp *op);

#endif
