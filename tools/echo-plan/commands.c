/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the subcommands share. */
#include "tools/echo-plan/commands.h"

#include <stdio.h>
#include <time.h>

#include "base/file.h"

int plan_parse(const EchoCommandLine *line, int argc, char **argv, const char **path)
{
  EchoStringList files = {0};
  EchoParseOutcome outcome = echo_report_command_line(line, argc, argv, &files);
  int status = outcome == ECHO_PARSE_EXIT ? 0 : outcome == ECHO_PARSE_ERROR ? 1 : -1;
  if (status == -1 && files.size != 1) {
    fprintf(stderr, "%s: error: expected one file, got %zu (see %s --help)\n", line->tool,
            files.size, line->tool);
    status = 1;
  }
  if (status == -1)
    *path = files.data[0];
  echo_vector_destroy(&files);
  return status;
}

bool plan_write(const char *path, const EchoBuffer *text)
{
  EchoBuffer error = {0};
  bool fine = echo_file_write(path, echo_buffer_c_str(text), text->size, &error);
  if (!fine)
    fprintf(stderr, "echo-plan: error: %s\n", echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
  return fine;
}

int plan_print(const EchoBuffer *text)
{
  fwrite(echo_buffer_c_str(text), 1, text->size, stdout);
  if (fflush(stdout) == 0 && !ferror(stdout))
    return 0;
  fprintf(stderr, "echo-plan: error: cannot write to standard output\n");
  return 1;
}

double plan_now_ms(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}
