/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Errors about the user's input. Every diagnostic has a severity, a location and a text, and may
 * carry notes. The context collects them in order; a handler (a tool's printer,
 * --verify-diagnostics) sees each one once it is complete. Compiler bugs do not come here: see
 * base/panic.h. */
#ifndef ECHO_IR_DIAGNOSTICS_H
#define ECHO_IR_DIAGNOSTICS_H

#include "ir/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum EchoSeverity { ECHO_ERROR, ECHO_WARNING, ECHO_REMARK, ECHO_NOTE } EchoSeverity;

typedef struct EchoDiagnostic {
  EchoSeverity severity;
  EchoLoc loc;
  const char *message;              /* NUL-terminated, owned by the context */
  struct EchoDiagnostic *next_note; /* notes of an error, in order; NULL-terminated */
} EchoDiagnostic;

typedef void EchoDiagnosticHandler(void *user, EchoContext *ctx, const EchoDiagnostic *diagnostic);

/* Installs the handler; returns nothing of the old one. NULL = collect only. */
void echo_context_set_diagnostic_handler(EchoContext *ctx, EchoDiagnosticHandler *handler,
                                         void *user);
/* Hands pending diagnostics (the last one may still be gathering notes) to the handler. Called by
 * the pass manager and the parser when they return; call it after emitting by hand. */
void echo_context_flush_diagnostics(EchoContext *ctx);
/* Whether what is said about an op carries a note "see current operation: …" with the op in generic
 * form, cut when it is long. Of the first few only: each costs a look at the function around. Off
 * by default. */
void echo_context_show_ops(EchoContext *ctx, bool show);
/* Errors so far. */
uint64_t echo_context_n_errors(const EchoContext *ctx);
/* All diagnostics so far, in order (without notes, which hang off them). */
size_t echo_context_n_diagnostics(const EchoContext *ctx);
const EchoDiagnostic *echo_context_diagnostic(const EchoContext *ctx, size_t index);

/* Emits an error at `loc`; returns false, so that callers can `return echo_error(…)`. */
bool echo_error(EchoContext *ctx, EchoLoc loc, const char *format, ...) ECHO_PRINTF(3, 4);
void echo_warning(EchoContext *ctx, EchoLoc loc, const char *format, ...) ECHO_PRINTF(3, 4);
void echo_remark(EchoContext *ctx, EchoLoc loc, const char *format, ...) ECHO_PRINTF(3, 4);
/* Attaches a note to the last diagnostic; returns false. */
bool echo_note(EchoContext *ctx, EchoLoc loc, const char *format, ...) ECHO_PRINTF(3, 4);
/* About an argument of a call into the library that does not fit: an error at `loc`, the answer to
 * who embeds it. While passes run the caller is a pass, and what it gets wrong is a broken
 * invariant: then this panics. Without a context there is nobody to tell. Returns false. */
bool echo_misuse(EchoContext *ctx, EchoLoc loc, const char *format, ...) ECHO_PRINTF(3, 4);
/* Where errors about `op` stand. JAX gives its functions no place: what has none, and a body,
 * stands where the body ends, which is the line that calls what was compiled, else where the first
 * op in it stands that has a place. Unknown for NULL. O(1) for what has a place, else O(ops of the
 * body). */
EchoLoc echo_op_place(const EchoOp *op);
/* "'dialect.op' op " + message, at the op; returns false. */
bool echo_op_error(const EchoOp *op, const char *format, ...) ECHO_PRINTF(2, 3);
/* The same without the op's name in front. */
bool echo_op_error_unnamed(const EchoOp *op, const char *format, ...) ECHO_PRINTF(2, 3);
void echo_op_warning(const EchoOp *op, const char *format, ...) ECHO_PRINTF(2, 3);
void echo_op_remark(const EchoOp *op, const char *format, ...) ECHO_PRINTF(2, 3);

/* Appends "file:line:col: error: text\n", the source line and a caret, then the notes, to `out`. A
 * note at the place of what stands before it does not show the line again. */
void echo_diagnostic_format(EchoContext *ctx, const EchoDiagnostic *diagnostic, EchoBuffer *out);

/* "i32", "tensor<2xf32>" … for messages; the string lives in the context. An op's is its generic
 * form, cut when it is long; after the first few of a context, whose numbers cost a look at the
 * function around, its name alone. */
const char *echo_op_text(const EchoOp *op);
const char *echo_type_text(EchoContext *ctx, const EchoType *type);
const char *echo_attr_text(EchoContext *ctx, const EchoAttr *attr);

#ifdef __cplusplus
}
#endif

#endif
