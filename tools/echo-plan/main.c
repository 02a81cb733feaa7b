/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* echo-plan: the planners on their own, over CSV files. */
#include <stdio.h>
#include <string.h>

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

static void print_usage(FILE *stream)
{
  fprintf(stream, "echo-plan: the planners on their own\n\n"
                  "usage: echo-plan COMMAND [options] FILE (- reads standard input)\n\n");
  for (size_t c = 0; c < N_COMMANDS; c++)
    fprintf(stream, "  %-8s %s\n", commands[c].name, commands[c].summary);
  fprintf(stream,
          "\nSee echo-plan COMMAND --help. Plugins bring device models, so `device` takes them; "
          "the other "
          "commands\nread numbers alone, and nothing that a plugin brings plays a part in them.\n");
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
