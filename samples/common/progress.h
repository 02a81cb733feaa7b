/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One line that says what is being done, where standard error is a terminal; nothing elsewhere. It
 * is taken away before anything else is printed. */
#ifndef ECHO_SAMPLES_COMMON_PROGRESS_H
#define ECHO_SAMPLES_COMMON_PROGRESS_H

#include <stdbool.h>

#include "base/panic.h"

void sample_progress_show(const char *format, ...) ECHO_PRINTF(1, 2);
void sample_progress_clear(void);
/* --quiet: nothing from now on. */
void sample_progress_set_quiet(bool is_quiet);

#endif
