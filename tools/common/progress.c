/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/common/progress.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static bool is_shown;

void echo_progress_show(const char *format, ...)
{
  if (!isatty(STDERR_FILENO))
    return;
  va_list arguments;
  va_start(arguments, format);
  fputs("\r\033[K", stderr);
  vfprintf(stderr, format, arguments);
  fputs(" \342\200\246", stderr); /* … */
  va_end(arguments);
  fflush(stderr);
  is_shown = true;
}

void echo_progress_clear(void)
{
  if (is_shown)
    fputs("\r\033[K", stderr);
  is_shown = false;
}
