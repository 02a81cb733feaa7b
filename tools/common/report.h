/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a tool prints: its command line's help and mistakes, and two error channels: diagnostics
 * about input go to stderr as they come; a broken invariant prints the op, writes the reproducer
 * and aborts. Nothing below tools/ prints. */
#ifndef ECHO_TOOLS_COMMON_REPORT_H
#define ECHO_TOOLS_COMMON_REPORT_H

#include "base/command_line.h"
#include "ir/diagnostics.h"
#include "tools/common/crash.h"

/* echo_command_line_parse; prints what it has to say. */
EchoParseOutcome echo_report_command_line(const EchoCommandLine *line, int argc, char **argv,
                                          EchoStringList *positional);

/* A diagnostic handler that prints to stderr. */
void echo_report_diagnostic(void *user, EchoContext *ctx, const EchoDiagnostic *diagnostic);

/* Installs the panic handler and those of signals: see tools/common/crash.h. */
void echo_report_install_handlers(const char *tool, const char *reproducer_path);

/* For EchoPassManagerOptions: keeps what replays the runs at hand, for crashes, and shows on a
 * terminal which pass is running. Valid as long as `replay`. */
EchoPassWatcher echo_report_watcher(EchoReplay *replay);

/* Writes to stderr; as EchoPassManagerOptions.print. */
void echo_report_print(void *user, EchoStr text);

/* Context with all dialects and the diagnostics printer; registry with all passes. */
EchoContext *echo_report_create_context(void);
EchoPassRegistry *echo_report_create_registry(void);

/* Whether `target` is one; else says which are. */
bool echo_report_check_target(const char *tool, const char *target);

#endif
