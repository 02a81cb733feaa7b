/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --verify-diagnostics: comments in the input say which diagnostics are expected where.
 *   // expected-error@+1 {{text}}      kinds: error, warning, note, remark; @+N, @-N, @above,
 * @below, @unknown, @N
 *   // expected-error-re {{a {{[0-9]+}} b}}   with regular expressions in inner braces */
#ifndef ECHO_TOOLS_ECHO_OPT_EXPECTED_H
#define ECHO_TOOLS_ECHO_OPT_EXPECTED_H

#include "ir/diagnostics.h"

typedef struct EchoExpectations EchoExpectations;

/* Reads the expectations of `text`, whose first line has number `first_line`. Reports mistakes
 * through *mistakes. */
EchoExpectations *echo_expectations_create(EchoStr text, uint32_t first_line, EchoBuffer *mistakes);
void echo_expectations_destroy(EchoExpectations *expectations);
/* As a diagnostic handler; `user` is the EchoExpectations. Unexpected diagnostics are formatted
 * into the report. */
void echo_expectations_receive(void *user, EchoContext *ctx, const EchoDiagnostic *diagnostic);
/* True when all was as expected; else what was not is appended to *report. */
bool echo_expectations_check(EchoExpectations *expectations, const char *file, EchoBuffer *report);

#endif
