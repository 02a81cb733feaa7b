/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the compiler says about its own work, for who works on it: silent unless the environment has
 * ECHO_DEBUG=module:level[,module:level…] ("all" stands for every module, a level left out for 1).
 * Goes to standard error; nothing that is computed depends on it. Not for what users need to know:
 * that are diagnostics. */
#ifndef ECHO_BASE_DEBUG_H
#define ECHO_BASE_DEBUG_H

#include <stdbool.h>

#include "base/panic.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether `module` is to speak at `level` (1 = the steps, 2 and up = what happens inside them).
 * O(length of the variable). */
bool echo_debug_enabled(const char *module, int level);
/* One line, "[module] text". */
void echo_debug_print(const char *module, const char *format, ...) ECHO_PRINTF(2, 3);

#define ECHO_DEBUG(module, level, ...)                                                             \
  (echo_debug_enabled((module), (level)) ? echo_debug_print((module), __VA_ARGS__) : (void)0)

#ifdef __cplusplus
}
#endif

#endif
