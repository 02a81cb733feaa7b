/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The printer's inside, shared by the printer_*.c files, numbering.c and aliases.c. One printer
 * writes one op into one buffer, which is emptied into a sink from time to time, if there is one.
 * Generic regions are printed with a stack of frames; pretty forms recurse, and beyond a depth turn
 * generic. What a type or attribute looks like is remembered as a stretch of the output itself,
 * until that is emptied. */
#ifndef ECHO_IR_TEXT_PRINT_PRINTER_T_H
#define ECHO_IR_TEXT_PRINT_PRINTER_T_H

#include "ir/context_t.h"
#include "ir/text/asm.h"
#include "ir/text/text.h"

enum { ECHO_PRINTER_MAX_DEPTH = 400 };

/* ---- numbers and names of values ---- */

/* A value's code: two kinds of number, a name, or "the same group as an earlier result". */
enum {
  ECHO_CODE_UNKNOWN = 0,
  ECHO_CODE_NUMBER = 1 << 28, /* %7 */
  ECHO_CODE_ARG = 2 << 28,    /* %arg7 */
  ECHO_CODE_NAME = 3 << 28,   /* %names[7] */
  ECHO_CODE_MEMBER = 4 << 28, /* of the group that starts at result 7 */
  ECHO_CODE_PAYLOAD = (1 << 28) - 1
};
#define ECHO_CODE_KIND(code) ((code) & ~(uint32_t)ECHO_CODE_PAYLOAD)

typedef struct EchoBlockEdge {
  uint32_t target_id, source_ordinal;
} EchoBlockEdge;

typedef struct EchoNumbering {
  uint32_t *codes;          /* by value id */
  uint32_t *block_ordinals; /* by block id */
  size_t n_codes, n_blocks; /* ids below which there is an entry */
  ECHO_VECTOR(EchoStr) names;
  ECHO_VECTOR(EchoBlockEdge) edges; /* sorted */
  EchoArena arena;
} EchoNumbering;

/* Numbers everything inside `root` (and its own results) as MLIR's AsmPrinter does. O(ops). */
void echo_numbering_create(EchoNumbering *numbering, EchoContext *ctx, const EchoOp *root,
                           bool generic);
void echo_numbering_destroy(EchoNumbering *numbering);

/* ---- aliases ---- */

typedef struct EchoAlias {
  const void *object; /* EchoAttr * or EchoType * */
  const char *name;   /* "map", or NULL: visited, has none */
  uint32_t depth, suffix;
  bool is_type, can_be_deferred;
  uint32_t first_child, n_children; /* into children */
} EchoAlias;

typedef struct EchoAliases {
  const EchoContext *ctx;
  ECHO_VECTOR(EchoAlias) list; /* in order of visit, later of printing */
  ECHO_VECTOR(uint32_t) children;
  EchoMap index; /* object -> position + 1 in `list` */
  bool any;      /* there are some to print */
} EchoAliases;

/* Whether anything in the context could have an alias: cheap, errs on the safe side. */
bool echo_aliases_possible(const EchoContext *ctx, const EchoPrintOptions *options);
void echo_aliases_visit_attr(EchoAliases *aliases, const EchoAttr *attr, bool can_be_deferred);
void echo_aliases_visit_type(EchoAliases *aliases, const EchoType *type);
/* Orders and numbers what was visited. */
void echo_aliases_finish(EchoAliases *aliases);
void echo_aliases_destroy(EchoAliases *aliases);

/* ---- the printer ---- */

typedef struct EchoPrintedText {
  const void *object;
  size_t start, size; /* in `out` */
} EchoPrintedText;

typedef struct EchoPrintFrame {
  const EchoRegion *region;
  const EchoBlock *block;
  const EchoOp *next_op;
  const EchoOp *generic_parent; /* NULL: a hook's region */
  bool print_terminator;
} EchoPrintFrame;

struct EchoAsmPrinter {
  EchoPrintOptions options;
  EchoContext *ctx;
  EchoBuffer *out;
  EchoTextSink *sink; /* NULL = all stays in `out` */
  void *sink_user;
  bool sink_failed;
  uint64_t n_emptied; /* how often `out` was */
  uint32_t indent, depth;
  bool allow_deferred; /* aliases defined behind the op may stand here: in trailing locations alone,
                          because nowhere else does mlir-opt read them */
  bool collecting;     /* aliases are being looked for: nothing is kept of `out` */
  EchoNumbering numbering;
  EchoAliases aliases;
  ECHO_VECTOR(EchoPrintFrame) frames;
  EchoPrintedText *texts; /* open addressing */
  size_t n_texts, n_text_slots;
  EchoMap distinct_ids;                    /* attribute -> number */
  EchoMap known_ops;                       /* row -> whether MLIR knows its dialect */
  ECHO_VECTOR(const EchoAttr *) resources; /* dense_resource attributes printed */
};

/* type.c, attr.c: through aliases and remembered texts. */
void echo_printer_type(EchoAsmPrinter *p, const EchoType *type);
void echo_printer_attr(EchoAsmPrinter *p, const EchoAttr *attr); /* with its type */
typedef enum EchoTypeElision {
  ECHO_ELIDE_NEVER,
  ECHO_ELIDE_DEFAULT, /* i64 and f64 */
  ECHO_ELIDE_ALWAYS
} EchoTypeElision;
void echo_printer_attr_with(EchoAsmPrinter *p, const EchoAttr *attr, EchoTypeElision elision);
/* The thing itself, whatever its alias. */
void echo_printer_type_plain(EchoAsmPrinter *p, const EchoType *type);
void echo_printer_attr_plain(EchoAsmPrinter *p, const EchoAttr *attr, EchoTypeElision elision);
bool echo_printer_alias(EchoAsmPrinter *p, const void *object);
/* Gives `out` to the sink when it has grown long. No position in it holds any more. */
void echo_printer_empty_slow(EchoAsmPrinter *p);
static inline void echo_printer_empty_if_long(EchoAsmPrinter *p)
{
  enum { LONG_BYTES = 1 << 18 };
  if (ECHO_UNLIKELY(p->sink != NULL && p->out->size >= LONG_BYTES))
    echo_printer_empty_slow(p);
}
/* A stretch of `out` that begins here. */
typedef struct EchoPrinterMark {
  size_t start;
  uint64_t n_emptied;
} EchoPrinterMark;
static inline EchoPrinterMark echo_printer_mark(const EchoAsmPrinter *p)
{
  return (EchoPrinterMark){p->out->size, p->n_emptied};
}
/* Appends the text that `object` had when it was printed before; false when it was not. */
bool echo_printer_reuse(EchoAsmPrinter *p, const void *object);
/* What was appended since the mark is the text of `object`. */
void echo_printer_remember(EchoAsmPrinter *p, const void *object, EchoPrinterMark mark);

/* What stands in dense<…>; `allow_hex`: long lists as one string of digits. */
void echo_printer_elements(EchoAsmPrinter *p, const EchoAttr *attr, bool allow_hex);
void echo_printer_dense_array(EchoAsmPrinter *p, const EchoAttr *attr);
/* A dialect's text, with what its parts are. */
void echo_printer_text(EchoAsmPrinter *p, EchoStr text, const EchoTextPart *parts, size_t n_parts);
void echo_printer_affine(EchoAsmPrinter *p,
                         const EchoAttr *attr); /* map or set, without "affine_map<" */
void echo_printer_integer(EchoBuffer *out, const EchoType *type, int64_t value,
                          const uint64_t *words);
void echo_printer_string(EchoBuffer *out, EchoStr str); /* escaped, without quotes */
void echo_printer_symbol(EchoBuffer *out, EchoStr name);
void echo_printer_keyword_or_string(EchoBuffer *out, EchoStr name);
/* loc(…) without its wrapping. */
void echo_printer_location(EchoAsmPrinter *p, const EchoAttr *location, bool allow_alias);
void echo_printer_named_attr(EchoAsmPrinter *p, const EchoNamedAttr *entry);

/* asm.c: the next entry of two dictionaries (NULL = empty) merged by name; NULL at their end. at[i]
 * is the position in each. */
const EchoNamedAttr *echo_printer_next_of_both(const EchoAttr *const dictionaries[2], size_t at[2]);

/* op.c */
void echo_printer_op(EchoAsmPrinter *p, const EchoOp *op); /* indented, with location, no newline */
void echo_printer_value(EchoAsmPrinter *p, const EchoValue *value);
void echo_printer_block_name(EchoAsmPrinter *p, const EchoBlock *block);
void echo_printer_region(EchoAsmPrinter *p, const EchoRegion *region, bool print_entry_args,
                         bool print_terminator);
void echo_printer_functional_type(EchoAsmPrinter *p, const EchoOp *op);
void echo_printer_argument_loc(EchoAsmPrinter *p, EchoLoc loc);
void echo_printer_indent(EchoAsmPrinter *p); /* of the op being printed */
/* Walks an op for aliases in the order in which MLIR meets them. */
void echo_printer_collect(EchoAsmPrinter *p, const EchoOp *op);

#endif
