/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One line that says what is being done, where standard error is a terminal; nothing elsewhere. It
 * is gone before anything else is printed, if that is preceded by echo_progress_clear. */
#ifndef ECHO_TOOLS_COMMON_PROGRESS_H
#define ECHO_TOOLS_COMMON_PROGRESS_H

#include "base/panic.h"

void echo_progress_show(const char *format, ...) ECHO_PRINTF(1, 2);
void echo_progress_clear(void);

#endif
