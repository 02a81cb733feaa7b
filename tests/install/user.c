/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A program of someone else's, with nothing but the installed package. */
#include <stdio.h>

#include <echo/base/map.h>
#include <echo/base/string.h>

int main(void)
{
  EchoMap map = {0};
  echo_map_set(&map, 1, 42);
  EchoBuffer text = {0};
  echo_buffer_printf(&text, "%llu", (unsigned long long)echo_map_get_or(&map, 1, 0));
  int status = echo_str_is(echo_buffer_str(&text), "42") ? 0 : 1;
  echo_buffer_destroy(&text);
  echo_map_destroy(&map);
  return status;
}
