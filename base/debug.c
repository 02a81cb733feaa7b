/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/debug.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/string.h"

/* "module:level" or "module" */
static bool entry_enables(EchoStr entry, const char *module, int level)
{
  EchoStr name = entry;
  uint64_t wanted = 1;
  const char *colon = memchr(entry.data, ':', entry.size);
  if (colon != NULL) {
    name.size = (size_t)(colon - entry.data);
    if (!echo_str_to_u64((EchoStr){colon + 1, entry.size - name.size - 1}, &wanted))
      return false;
  }
  return (echo_str_is(name, module) || echo_str_is(name, "all")) && (uint64_t)level <= wanted;
}

bool echo_debug_enabled(const char *module, int level)
{
  const char *rest = getenv("ECHO_DEBUG");
  while (rest != NULL && *rest != '\0') {
    EchoStr entry = {rest, strcspn(rest, ",")};
    if (entry_enables(entry, module, level))
      return true;
    rest += entry.size + (rest[entry.size] == ',');
  }
  return false;
}

void echo_debug_print(const char *module, const char *format, ...)
{
  EchoBuffer line = {0};
  echo_buffer_printf(&line, "[%s] ", module);
  va_list arguments;
  va_start(arguments, format);
  echo_buffer_vprintf(&line, format, arguments);
  va_end(arguments);
  fprintf(stderr, "%s\n", echo_buffer_c_str(&line)); /* whole lines, also from several threads */
  echo_buffer_destroy(&line);
}
