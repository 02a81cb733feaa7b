/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* echo-plan: the planners on their own, over CSV files. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/version.h"
#include "tools/echo-plan/commands.h"

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *summary;
} commands[] = {
    {"pool", plan_pool, "places in one arena for blocks with known lifetimes"},
    {"chain", plan_chain, "which layers of a chain to keep, the rest being recomputed"},
    {"swap", plan_swap, "what to move to host memory and back, and when"},
    {"device", plan_device, "checks a device model and prints it in full"},
};

#define N_COMMANDS (sizeof commands / sizeof *commands)

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

static void print_usage(FILE *stream)
{
  fprintf(stream, "echo-plan: the planners on their own\n\n"
                  "usage: echo-plan COMMAND [options] FILE (- reads standard input)\n\n");
  for (size_t c = 0; c < N_COMMANDS; c++)
    fprintf(stream, "  %-8s %s\n", commands[c].name, commands[c].summary);
  fprintf(stream, "\nSee echo-plan COMMAND --help.\n");
}

int main(int argc, char **argv)
{
  if (argc < 2) {
    print_usage(stderr);
    return 1;
  }
  for (size_t c = 0; c < N_COMMANDS; c++)
    if (strcmp(argv[1], commands[c].name) == 0)
      return commands[c].run(argc - 1, argv + 1);
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    print_usage(stdout);
    return 0;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("echo-plan %s\n", echo_version_text());
    return 0;
  }
  fprintf(stderr, "echo-plan: error: unknown command '%s' (see echo-plan --help)\n", argv[1]);
  return 1;
}
