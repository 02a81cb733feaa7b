/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/common/options.h"

#include <stdio.h>

EchoParseOutcome sample_options_parse(const char *program, const char *summary,
                                      const EchoOption *options, int argc, char **argv)
{
  const EchoCommandLine line = {
      .tool = program, .synopsis = "[options]", .summary = summary, .options = options};
  EchoBuffer text = {0};
  EchoParseOutcome outcome = echo_command_line_parse(&line, argc, argv, NULL, &text);
  fputs(echo_buffer_c_str(&text), outcome == ECHO_PARSE_EXIT ? stdout : stderr);
  echo_buffer_destroy(&text);
  return outcome;
}
