/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/common/report.h"

#include <stdio.h>
#include <stdlib.h>

#include "ir/text/text.h"
#include "planning/cost/target.h"
#include "tools/common/progress.h"

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
  echo_progress_clear();
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
  (void)user;
  echo_progress_clear();
  fprintf(stderr, "compiler bug: %s:%d: %s\n", file, line, message);
  if (is_reporting)
    abort();
  is_reporting = true;
  echo_crash_write_reproducer();
  if (subject != NULL) {
    EchoBuffer text = {0};
    echo_print_op(subject, &(EchoPrintOptions){.generic = true, .elide_elements_above = 16}, &text);
    fprintf(stderr, "at op: %s\n", echo_buffer_c_str(&text));
  }
  abort();
}

void echo_report_install_handlers(const char *tool, const char *reproducer_path)
{
  echo_crash_install(tool, reproducer_path);
  echo_panic_set_handler(report_panic, NULL);
}

/* ---- runs of passes ---- */

static void begin_run(void *user, EchoStr pipeline)
{
  echo_crash_begin(user, pipeline);
}

static void begin_pass(void *user, const EchoPass *pass)
{
  (void)user;
  echo_progress_show("pass %s", pass->name);
}

static void end_run(void *user)
{
  (void)user;
  echo_crash_end();
  echo_progress_clear();
}

EchoPassWatcher echo_report_watcher(EchoReplay *replay)
{
  return (EchoPassWatcher){begin_run, begin_pass, end_run, replay};
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
