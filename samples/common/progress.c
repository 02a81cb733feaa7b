/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/common/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static bool is_shown, is_silent;

void sample_progress_set_quiet(bool is_quiet)
{
  is_silent = is_quiet;
}

void sample_progress_show(const char *format, ...)
{
  if (is_silent || !isatty(STDERR_FILENO))
    return;
  va_list arguments;
  va_start(arguments, format);
  fputs("\r\033[K", stderr);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fflush(stderr);
  is_shown = true;
}

void sample_progress_clear(void)
{
  if (is_shown)
    fputs("\r\033[K", stderr);
  is_shown = false;
}
