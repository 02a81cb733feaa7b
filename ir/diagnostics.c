/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Collecting diagnostics and writing them as text. Everything stays in the context's arena; the
 * handler sees a diagnostic when the next one begins or when it is flushed, because notes may
 * follow until then. */
#include "ir/diagnostics.h"

#include <pthread.h>

#include "ir/context_t.h"
#include "ir/op.h"
#include "ir/table/op_info.h"
#include "ir/text/text.h"

static void deliver_until(EchoContext *ctx, size_t end)
{
  while (ctx->n_flushed < end) {
    const EchoDiagnostic *diagnostic = ctx->diagnostics.data[ctx->n_flushed++];
    if (ctx->diagnostic_handler != NULL)
      ctx->diagnostic_handler(ctx->diagnostic_user, ctx, diagnostic);
  }
}

void echo_context_set_diagnostic_handler(EchoContext *ctx, EchoDiagnosticHandler *handler,
                                         void *user)
{
  if (ctx == NULL)
    return;
  deliver_until(ctx, ctx->diagnostics.size);
  ctx->diagnostic_handler = handler;
  ctx->diagnostic_user = user;
}

void echo_context_flush_diagnostics(EchoContext *ctx)
{
  if (ctx == NULL)
    return;
  deliver_until(ctx, ctx->diagnostics.size);
}

uint64_t echo_context_n_errors(const EchoContext *ctx)
{
  if (ctx == NULL)
    return 0;
  return ctx->n_errors;
}

size_t echo_context_n_diagnostics(const EchoContext *ctx)
{
  if (ctx == NULL)
    return 0;
  return ctx->diagnostics.size;
}

const EchoDiagnostic *echo_context_diagnostic(const EchoContext *ctx, size_t index)
{
  size_t n_diagnostics = echo_context_n_diagnostics(ctx);
  ECHO_CHECK(index < n_diagnostics, "diagnostic %zu of %zu", index, n_diagnostics);
  return ctx->diagnostics.data[index];
}

/* ---- emitting ---- */

/* A name of 100 MB tells no more than its beginning. */
enum { MAX_MESSAGE_BYTES = 1 << 16, MAX_LINE_BYTES = 1000 };

static bool continues_character(char byte)
{
  return ((unsigned char)byte & 0xc0) == 0x80;
}

static void shorten(EchoBuffer *text)
{
  if (text->size <= MAX_MESSAGE_BYTES)
    return;
  text->size = MAX_MESSAGE_BYTES;
  while (text->size != 0 && continues_character(text->data[text->size]))
    text->size--;
  echo_buffer_append_c(text, " ...");
}

static EchoDiagnostic *create(EchoContext *ctx, EchoSeverity severity, EchoLoc loc,
                              EchoBuffer *text)
{
  EchoDiagnostic *diagnostic = ECHO_ARENA_NEW(&ctx->arena, EchoDiagnostic);
  shorten(text);
  *diagnostic = (EchoDiagnostic){
      .severity = severity,
      .loc = echo_loc_fits(ctx, loc) ? loc : echo_loc_unknown(),
      .message = echo_arena_copy_string(&ctx->arena, echo_buffer_c_str(text), text->size),
  };
  return diagnostic;
}

static const char *take_text(EchoContext *ctx, EchoBuffer *text)
{
  const char *copy = echo_arena_copy_string(&ctx->arena, echo_buffer_c_str(text), text->size);
  echo_buffer_destroy(text);
  return copy;
}

enum { MAX_OPS_SHOWN = 10, MAX_SHOWN_BYTES = 1 << 14 };

static bool take_piece(void *user, EchoStr piece)
{
  EchoBuffer *text = user;
  size_t room = MAX_SHOWN_BYTES - text->size;
  echo_buffer_append(text, piece.data, piece.size < room ? piece.size : room);
  return text->size < MAX_SHOWN_BYTES;
}

const char *echo_op_text(const EchoOp *op)
{
  if (op == NULL)
    return "NULL";
  EchoContext *ctx = echo_op_context(op);
  EchoBuffer text = {0};
  if (ctx->n_ops_shown >= MAX_OPS_SHOWN) {
    echo_buffer_printf(&text, "\"%s\"", op->info->name);
    return take_text(ctx, &text);
  }
  ctx->n_ops_shown++;
  const EchoPrintOptions options = {
      .generic = true, .local_scope = true, .elide_elements_above = 100};
  bool whole = echo_print_op_to(op, &options, take_piece, &text);
  while (text.size != 0 && text.data[text.size - 1] == '\n')
    text.size--;
  echo_buffer_append_c(&text, whole ? "" : " ...");
  return take_text(ctx, &text);
}

static bool has_place(const EchoOp *op)
{
  EchoStr file;
  uint32_t line, column;
  return echo_loc_resolve(echo_op_context(op), op->loc, &file, &line, &column);
}

EchoLoc echo_op_place(const EchoOp *op)
{
  if (op == NULL)
    return echo_loc_unknown();
  if (op->n_regions == 0 || has_place(op))
    return op->loc;
  for (uint16_t r = 0; r < op->n_regions; r++) {
    const EchoBlock *last = op->regions[r].last;
    if (last != NULL && last->last != NULL && has_place(last->last))
      return last->last->loc;
  }
  for (uint16_t r = 0; r < op->n_regions; r++)
    for (const EchoBlock *block = op->regions[r].first; block != NULL; block = block->next)
      for (const EchoOp *in = block->first; in != NULL; in = in->next)
        if (has_place(in))
          return in->loc;
  return op->loc;
}

static void show_op(EchoContext *ctx, const EchoOp *op)
{
  if (!ctx->shows_ops || ctx->n_ops_shown >= MAX_OPS_SHOWN)
    return;
  const char *text = echo_op_text(op);
  echo_note(ctx, echo_op_place(op), "see current operation: %s%s",
            strchr(text, '\n') != NULL ? "\n" : "", text);
}

void echo_context_show_ops(EchoContext *ctx, bool show)
{
  if (ctx == NULL)
    return;
  ctx->shows_ops = show;
}

/* Programs of several devices run in one context, each on a thread, and each may fail. */
static pthread_mutex_t emitting = PTHREAD_MUTEX_INITIALIZER;

/* The formatted text as a new diagnostic, about `op` when that is not NULL. */
static void emit(EchoContext *ctx, EchoSeverity severity, EchoLoc loc, const EchoOp *op,
                 bool is_named, const char *format, va_list arguments)
{
  EchoBuffer text = {0};
  if (is_named)
    echo_buffer_printf(&text, "'%s' op ", op->info->name);
  echo_buffer_vprintf(&text, format, arguments);
  deliver_until(ctx, ctx->diagnostics.size);
  pthread_mutex_lock(&emitting);
  EchoDiagnostic *diagnostic = create(ctx, severity, loc, &text);
  echo_vector_push(&ctx->diagnostics, diagnostic);
  ctx->last_note = NULL;
  if (severity == ECHO_ERROR)
    ctx->n_errors++;
  pthread_mutex_unlock(&emitting);
  echo_buffer_destroy(&text);
  if (op != NULL)
    show_op(ctx, op);
}

#define EMIT(ctx, severity, loc, op, is_named)                                                     \
  do {                                                                                             \
    va_list arguments;                                                                             \
    va_start(arguments, format);                                                                   \
    emit((ctx), (severity), (loc), (op), (is_named), format, arguments);                           \
    va_end(arguments);                                                                             \
  } while (0)

bool echo_error(EchoContext *ctx, EchoLoc loc, const char *format, ...)
{
  EMIT(ctx, ECHO_ERROR, loc, NULL, false);
  return false;
}

bool echo_misuse(EchoContext *ctx, EchoLoc loc, const char *format, ...)
{
  if (ctx == NULL)
    return false; /* nobody to tell */
  EchoBuffer text = {0};
  va_list arguments;
  va_start(arguments, format);
  echo_buffer_vprintf(&text, format, arguments);
  va_end(arguments);
  ECHO_CHECK(ctx->n_running_passes == 0, "%s", echo_buffer_c_str(&text));
  echo_error(ctx, loc, "%s", echo_buffer_c_str(&text));
  echo_context_flush_diagnostics(ctx);
  echo_buffer_destroy(&text);
  return false;
}

void echo_warning(EchoContext *ctx, EchoLoc loc, const char *format, ...)
{
  EMIT(ctx, ECHO_WARNING, loc, NULL, false);
}

void echo_remark(EchoContext *ctx, EchoLoc loc, const char *format, ...)
{
  EMIT(ctx, ECHO_REMARK, loc, NULL, false);
}

bool echo_op_error(const EchoOp *op, const char *format, ...)
{
  EMIT(echo_op_context(op), ECHO_ERROR, echo_op_place(op), op, true);
  return false;
}

bool echo_op_error_unnamed(const EchoOp *op, const char *format, ...)
{
  EMIT(echo_op_context(op), ECHO_ERROR, echo_op_place(op), op, false);
  return false;
}

void echo_op_warning(const EchoOp *op, const char *format, ...)
{
  EMIT(echo_op_context(op), ECHO_WARNING, echo_op_place(op), op, true);
}

void echo_op_remark(const EchoOp *op, const char *format, ...)
{
  EMIT(echo_op_context(op), ECHO_REMARK, echo_op_place(op), op, true);
}

bool echo_note(EchoContext *ctx, EchoLoc loc, const char *format, ...)
{
  ECHO_CHECK(ctx->diagnostics.size != 0, "a note without a diagnostic to attach it to");
  EchoBuffer text = {0};
  va_list arguments;
  va_start(arguments, format);
  echo_buffer_vprintf(&text, format, arguments);
  va_end(arguments);
  EchoDiagnostic *note = create(ctx, ECHO_NOTE, loc, &text);
  echo_buffer_destroy(&text);
  EchoDiagnostic *before =
      ctx->last_note != NULL ? ctx->last_note : echo_vector_last(&ctx->diagnostics);
  before->next_note = note;
  ctx->last_note = note;
  return false;
}

/* ---- text ---- */

static const char *severity_text(EchoSeverity severity)
{
  switch (severity) {
  case ECHO_ERROR:
    return "error";
  case ECHO_WARNING:
    return "warning";
  case ECHO_REMARK:
    return "remark";
  case ECHO_NOTE:
    return "note";
  }
  ECHO_UNREACHABLE("severity %d", (int)severity);
}

static void append_place(EchoContext *ctx, EchoLoc loc, EchoBuffer *out, uint32_t *column)
{
  EchoStr file;
  uint32_t line;
  if (!echo_loc_resolve(ctx, loc, &file, &line, column)) {
    *column = 0;
    echo_buffer_append_c(out, "<unknown>:0: ");
    return;
  }
  echo_buffer_append_str(out, file);
  echo_buffer_printf(out, ":%u:%u: ", line, *column);
}

/* The part of a long line around its byte `at`, which moves along. */
static EchoStr window(EchoStr source, uint32_t *at)
{
  size_t begin = *at > MAX_LINE_BYTES / 2 ? *at - MAX_LINE_BYTES / 2 : 0;
  while (begin < source.size && continues_character(source.data[begin]))
    begin++;
  size_t end = begin + MAX_LINE_BYTES < source.size ? begin + MAX_LINE_BYTES : source.size;
  while (end < source.size && continues_character(source.data[end]))
    end++;
  *at -= *at < begin ? *at : (uint32_t)begin;
  return (EchoStr){source.data + begin, end - begin};
}

/* The line, and a caret below the column; tabs are copied, so that it stands right however wide
 * they are shown. */
static void append_source_line(EchoStr source, uint32_t column, EchoBuffer *out)
{
  uint32_t at = column - 1;
  EchoStr shown = source.size > MAX_LINE_BYTES ? window(source, &at) : source;
  bool is_cut = shown.data != source.data;
  echo_buffer_append_c(out, is_cut ? "... " : "");
  echo_buffer_append_str(out, shown);
  echo_buffer_append_c(out, shown.data + shown.size != source.data + source.size ? " ...\n" : "\n");
  echo_buffer_append_c(out, is_cut ? "    " : "");
  for (uint32_t i = 0; i < at; ++i) {
    bool is_tab = i < shown.size && shown.data[i] == '\t';
    if (i >= shown.size || !continues_character(shown.data[i]))
      echo_buffer_append_char(out, is_tab ? '\t' : ' ');
  }
  echo_buffer_append_c(out, "^\n");
}

void echo_diagnostic_format(EchoContext *ctx, const EchoDiagnostic *diagnostic, EchoBuffer *out)
{
  if (ctx == NULL || out == NULL)
    return;
  const EchoDiagnostic *before = NULL; /* whose source line stands above already */
  for (const EchoDiagnostic *at = diagnostic; at != NULL; before = at, at = at->next_note) {
    uint32_t column;
    append_place(ctx, at->loc, out, &column);
    echo_buffer_append_c(out, severity_text(at->severity));
    echo_buffer_append_c(out, ": ");
    echo_buffer_append_c(out, at->message);
    echo_buffer_append_char(out, '\n');
    if (before != NULL && echo_loc_equal(before->loc, at->loc))
      continue;
    EchoStr source = echo_loc_source_line(ctx, at->loc);
    if (column != 0 && source.data != NULL && source.size != 0)
      append_source_line(source, column, out);
  }
}

const char *echo_type_text(EchoContext *ctx, const EchoType *type)
{
  if (ctx == NULL || type == NULL)
    return "NULL";
  EchoBuffer text = {0};
  echo_print_type(type, &text);
  return take_text(ctx, &text);
}

const char *echo_attr_text(EchoContext *ctx, const EchoAttr *attr)
{
  if (ctx == NULL || attr == NULL)
    return "NULL";
  EchoBuffer text = {0};
  echo_print_attr(attr, &text);
  return take_text(ctx, &text);
}
