/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The context owns everything uniqued (types, attributes, strings), the registered dialects, the
 * source buffers that locations point into, the memory of the IR, and the diagnostics. It is
 * single-threaded. Ops live in its IR arena until erased (their memory is reused) or until the
 * context is destroyed. */
#ifndef ECHO_IR_CONTEXT_H
#define ECHO_IR_CONTEXT_H

#include "base/arena.h"
#include "base/file.h"
#include "ir/fwd.h"

#ifdef __cplusplus
extern "C" {
#endif

EchoContext *echo_context_create(void);
void echo_context_destroy(EchoContext *ctx);

/* Whether ops of dialects without a row are accepted (kept verbatim). Off by default. */
void echo_context_allow_unregistered(EchoContext *ctx, bool allow);
bool echo_context_allows_unregistered(const EchoContext *ctx);

/* How many threads a pass may use at most, its own included; 0, as it is at first, = as many as
 * there are processors. No result depends on it. */
void echo_context_set_n_threads(EchoContext *ctx, unsigned n_threads);
unsigned echo_context_n_threads(const EchoContext *ctx);

/* Memory that lives as long as the context. */
EchoArena *echo_context_arena(EchoContext *ctx);
/* The context's one copy of a string; NUL-terminated. O(size). */
EchoStr echo_context_intern(EchoContext *ctx, EchoStr str);

/* Registers a dialect once, before any attribute of it is made; a second registration of the same
 * pointer is a no-op. Its rows are checked: a mistake in them panics. O(rows + attributes). */
void echo_context_register_dialect(EchoContext *ctx, const EchoDialect *dialect);
/* The same for a dialect of someone else's: false with the first mistake appended to *error; the
 * context is then good for nothing but to be destroyed. */
bool echo_context_try_register_dialect(EchoContext *ctx, const EchoDialect *dialect,
                                       EchoBuffer *error);
const EchoDialect *echo_context_dialect_or_null(const EchoContext *ctx, EchoStr name);
/* What text calls `name`, a dialect or an op of one ("dialect.op"), by its dialect's name of today,
 * where it has it by a former one; else `name`. O(dialects). */
EchoStr echo_context_todays_name(EchoContext *ctx, EchoStr name);
/* Registered dialects in order of registration. */
size_t echo_context_n_dialects(const EchoContext *ctx);
const EchoDialect *echo_context_dialect(const EchoContext *ctx, size_t index);

/* The row of a registered op, or NULL. O(1). */
const EchoOpInfo *echo_context_op_info_or_null(const EchoContext *ctx, EchoStr name);
/* The row of a registered op; panics when it is not registered. */
const EchoOpInfo *echo_context_op_info(const EchoContext *ctx, const char *name);
/* The row of `name`, registered or not: an unregistered name gets a row of its own
 * (ECHO_UNREGISTERED) on first sight. */
const EchoOpInfo *echo_context_op_info_any(EchoContext *ctx, EchoStr name);

/* Rows of other kinds, for those above who look something up by name: policies, orders, lowerings.
 * `kind` says what `row` points to; nothing is copied. False when the kind has that name already.
 * O(rows). */
bool echo_context_register_row(EchoContext *ctx, const char *kind, const char *name,
                               const void *row);
const void *echo_context_row_or_null(const EchoContext *ctx, const char *kind, EchoStr name);
/* The index-th of a kind in order of registration; NULL beyond the last. */
const void *echo_context_row_at_or_null(const EchoContext *ctx, const char *kind, size_t index);

/* Source buffers: text that locations point into. `text` is borrowed until the context is
 * destroyed. Returns the buffer's id, ECHO_NO_BUFFER after a misuse (ir/diagnostics.h): at most
 * 2^15 buffers, each below 2^46 bytes. */
#define ECHO_NO_BUFFER UINT32_MAX
uint32_t echo_context_add_buffer(EchoContext *ctx, EchoStr file_name, EchoStr text,
                                 uint32_t first_line);
/* The text of a buffer; empty when there is no such id. */
EchoStr echo_context_buffer_text(const EchoContext *ctx, uint32_t buffer_id);
/* A file that buffers are part of, closed with the context; *file is emptied. While such a buffer
 * is parsed, what was read of a mapping is given back to the system. */
void echo_context_take_file(EchoContext *ctx, EchoFile *file);
EchoLoc echo_loc_in_buffer(uint32_t buffer_id, uint64_t offset);
EchoLoc echo_loc_from_attr(const EchoAttr *location);
static inline EchoLoc echo_loc_unknown(void)
{
  EchoLoc loc = {0};
  return loc;
}
static inline bool echo_loc_equal(EchoLoc a, EchoLoc b)
{
  return a.bits == b.bits;
}
/* The location as an attribute (a FileLineColLoc for a buffer position). */
const EchoAttr *echo_loc_attr(EchoContext *ctx, EchoLoc loc);
/* Best file:line:column for a location; looks through name, call-site and fused locations. False
 * when unknown. */
bool echo_loc_resolve(EchoContext *ctx, EchoLoc loc, EchoStr *file, uint32_t *line,
                      uint32_t *column);
/* The name that a location gives, such as a layer's; looks through call-site and fused locations.
 * Empty when there is none. */
EchoStr echo_loc_name(EchoLoc loc);
/* Appends the name and the place, as far as they are known, on one line: "decoder.0
 * step.mlir:5:12". False when neither is. */
bool echo_loc_describe(EchoContext *ctx, EchoLoc loc, EchoBuffer *out);
/* The source line around a buffer position, without its newline; empty when unknown or not in a
 * buffer. */
EchoStr echo_loc_source_line(EchoContext *ctx, EchoLoc loc);

#ifdef __cplusplus
}
#endif

#endif
