/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/panic.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static EchoPanicHandler *panic_handler;
static void *panic_user;

void echo_panic_set_handler(EchoPanicHandler *handler, void *user)
{
  panic_handler = handler;
  panic_user = user;
}

/* Formats into a fixed array: the heap may be what is broken. */
ECHO_NORETURN void echo_panic(const char *file, int line, const void *subject, const char *format,
                              ...)
{
  char message[2048];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  if (length < 0)
    message[0] = '\0';
  EchoPanicHandler *handler = panic_handler;
  panic_handler = NULL; /* a check that fails inside the handler goes straight to stderr */
  if (handler != NULL)
    handler(panic_user, file, line, message, subject);
  else
    fprintf(stderr, "%s:%d: internal error: %s\n", file, line, message);
  abort();
}
