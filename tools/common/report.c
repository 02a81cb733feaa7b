/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/common/report.h"

#include <stdio.h>
#include <stdlib.h>

#include "dialects/dialects.h"
#include "echo_pass/echo_pass.h"
#include "ir/text/text.h"
#include "lowering/lowering.h"
#include "planning/cost/target.h"

EchoParseOutcome echo_report_command_line(const EchoCommandLine *line, int argc, char **argv,
                                          EchoStringList *positional)
{
  EchoBuffer text = {0};
  EchoParseOutcome outcome = echo_command_line_parse(line, argc, argv, positional, &text);
  fputs(echo_buffer_c_str(&text), outcome == ECHO_PARSE_EXIT ? stdout : stderr);
  echo_buffer_destroy(&text);
  return outcome;
}

void echo_report_print(void *user, EchoStr text)
{
  (void)user;
  fwrite(text.data, 1, text.size, stderr);
}

void echo_report_diagnostic(void *user, EchoContext *ctx, const EchoDiagnostic *diagnostic)
{
  EchoBuffer text = {0};
  echo_diagnostic_format(ctx, diagnostic, &text);
  echo_report_print(user, echo_buffer_str(&text));
  echo_buffer_destroy(&text);
}

static void report_panic(void *user, const char *file, int line, const char *message,
                         const void *subject)
{
  static bool is_reporting; /* printing a broken op may break again */
  EchoPassManager *const *running = user;
  fprintf(stderr, "compiler bug: %s:%d: %s\n", file, line, message);
  if (is_reporting)
    abort();
  is_reporting = true;
  if (running != NULL && *running != NULL) {
    EchoBuffer error = {0};
    if (!echo_pass_manager_write_reproducer(*running, &error))
      fprintf(stderr, "cannot write the reproducer: %s\n", echo_buffer_c_str(&error));
    echo_buffer_destroy(&error);
  }
  if (subject != NULL) {
    EchoBuffer text = {0};
    echo_print_op(subject, &(EchoPrintOptions){.generic = true, .elide_elements_above = 16}, &text);
    fprintf(stderr, "at op: %s\n", echo_buffer_c_str(&text));
  }
  abort();
}

void echo_report_install_panic_handler(EchoPassManager *const *running)
{
  echo_panic_set_handler(report_panic, (void *)running);
}

EchoContext *echo_report_create_context(void)
{
  EchoContext *ctx = echo_context_create();
  echo_register_dialects(ctx);
  echo_context_set_diagnostic_handler(ctx, echo_report_diagnostic, NULL);
  return ctx;
}

EchoPassRegistry *echo_report_create_registry(void)
{
  EchoPassRegistry *registry = echo_pass_registry_create();
  echo_register_ir_passes(registry);
  echo_register_lowering_passes(registry);
  echo_register_echo_passes(registry);
  return registry;
}

bool echo_report_check_target(const char *tool, const char *target)
{
  if (echo_target_find_or_null(echo_str(target)) != NULL)
    return true;
  EchoBuffer message = {0};
  echo_target_refuse(echo_str(target), &message);
  fprintf(stderr, "%s: error: --target: %s\n", tool, echo_buffer_c_str(&message));
  echo_buffer_destroy(&message);
  return false;
}
