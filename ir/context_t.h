/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The context's inside, for ir/ alone: uniquing tables, the op table, source buffers, IR memory and
 * diagnostics. Whoever is outside ir/ uses ir/context.h. */
#ifndef ECHO_IR_CONTEXT_T_H
#define ECHO_IR_CONTEXT_T_H

#include "base/file.h"
#include "base/map.h"
#include "base/vector.h"
#include "ir/context.h"
#include "ir/diagnostics.h"
#include "ir/pass/rewrite.h"
#include "ir/table/dialect.h"

/* ---- uniquing: open addressing, hashes stored, nothing ever erased ---- */

typedef struct EchoUniquerSlot {
  uint64_t hash;
  const void *object; /* NULL = empty */
} EchoUniquerSlot;

typedef struct EchoUniquer {
  EchoUniquerSlot *slots;
  size_t n_slots, size; /* n_slots is 0 or a power of two */
} EchoUniquer;

/* Compares a stored object with the key that is looked up. */
typedef bool EchoUniquerEqualFn(const void *object, const void *key);

void echo_uniquer_grow(EchoUniquer *uniquer);
void echo_uniquer_destroy(EchoUniquer *uniquer);

/* The slot of `key`: with its object when it is known, else the empty slot where echo_uniquer_fill
 * puts it. Valid until the next call on this table. Inline, so that `equal` is a direct call. */
static inline EchoUniquerSlot *echo_uniquer_slot(EchoUniquer *uniquer, uint64_t hash,
                                                 EchoUniquerEqualFn *equal, const void *key)
{
  if (ECHO_UNLIKELY(uniquer->size * 4 >= uniquer->n_slots * 3))
    echo_uniquer_grow(uniquer);
  size_t mask = uniquer->n_slots - 1;
  for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
    EchoUniquerSlot *slot = &uniquer->slots[i];
    if (slot->object == NULL || (slot->hash == hash && equal(slot->object, key)))
      return slot;
  }
}
static inline void echo_uniquer_fill(EchoUniquer *uniquer, EchoUniquerSlot *slot, uint64_t hash,
                                     const void *object)
{
  slot->hash = hash;
  slot->object = object;
  uniquer->size++;
}

/* ---- memory of ops, blocks and operand lists ---- */

/* Size classes of 8 bytes up to 1 KiB, then powers of two; freed pieces are used again by their
 * class. Pieces lie in slabs that are aligned to their size and start with the context, so any
 * object's context is found from its address. */
#define ECHO_IR_SLAB_BYTES ((size_t)1 << 18)
#define ECHO_IR_N_SMALL_CLASSES 128
#define ECHO_IR_N_CLASSES (ECHO_IR_N_SMALL_CLASSES + 8)

typedef struct EchoIrSlab EchoIrSlab;

typedef struct EchoIrMemory {
  void *free_lists[ECHO_IR_N_CLASSES]; /* linked through the first word */
  char *cursor, *end;                  /* rest of the newest slab */
  char *chunk_cursor, *chunk_end;      /* slabs not used yet of the newest chunk */
  EchoIrSlab *slabs;                   /* all, newest first; doubly linked */
  uint64_t slab_bytes, live_bytes;     /* for measurements */
} EchoIrMemory;

/* Uninitialised, 8-byte aligned. Above a slab's size an allocation gets a slab of its own. */
void *echo_ir_alloc(EchoContext *ctx, size_t size_bytes);
/* size_bytes is what it was allocated with; NULL is allowed. */
void echo_ir_free(EchoContext *ctx, void *piece, size_t size_bytes);
/* The context of a piece, found from the address that echo_ir_alloc returned. O(1). */
EchoContext *echo_ir_context(const void *piece);

void echo_ir_memory_destroy(EchoContext *ctx);

/* ---- source buffers ---- */

enum { ECHO_LOC_BUFFER_SHIFT = 48 }; /* of the buffer's number in a location's bits */

typedef struct EchoSourceBuffer {
  EchoStr file_name, text;
  uint32_t first_line;
  uint64_t *line_starts; /* offsets; built when a line is first asked for, else NULL */
  size_t n_lines;
} EchoSourceBuffer;

/* ---- resource sections: "{-# section: { group: { key: text } } #-}" ---- */

typedef struct EchoResource {
  EchoStr section, group, key; /* "dialect_resources", "builtin", key */
  EchoStr text;                /* the value as written, a blob with its quotes */
  const EchoOp *module;        /* whose file brought it */
} EchoResource;

/* ---- rows by name, beside the op table ---- */

typedef struct EchoNamedRow {
  const char *kind, *name; /* "echo policy", "greedy" */
  const void *row;
} EchoNamedRow;

/* ---- the context ---- */

struct EchoContext {
  EchoArena arena;
  bool allow_unregistered;
  unsigned n_threads; /* for passes; 0 = as many as there are processors */
  uint16_t tag; /* of its types and attributes; of 65,536 contexts in a row no two share one */
  uint32_t n_running_passes; /* one inside the other */

  EchoUniquer strings; /* of InternedString */
  EchoUniquer types, attrs, affine_exprs;
  /* Made once, so that the commonest need no lookup. */
  const EchoType *none, *index, *i1, *i32, *i64, *floats[ECHO_N_FLOAT_KINDS];
  const EchoAttr *unit, *false_attr, *true_attr, *unknown_location, *empty_dictionary;

  ECHO_VECTOR(const EchoDialect *) dialects; /* in order of registration */
  EchoStringMap dialect_index;               /* name -> index + 1 */
  EchoStringMap op_index;                    /* name -> const EchoOpInfo *, registered or not */
  EchoMap op_specs;                          /* const EchoOpInfo * -> const EchoOpSpec * */

  ECHO_VECTOR(EchoNamedRow) named_rows; /* few: in order of registration */

  ECHO_VECTOR(EchoSourceBuffer) buffers;
  ECHO_VECTOR(EchoFile) files;         /* read for buffers: closed with the context */
  ECHO_VECTOR(EchoResource) resources; /* in the order of reading */
  ECHO_VECTOR(void *) owned_blocks;    /* large dense data: freed with the context */

  EchoIrMemory ir;
  uint32_t next_value_id, next_op_id, next_block_id; /* handed out by ir/op.c */
  uint32_t break_on_op;                              /* UINT32_MAX = none */

  ECHO_VECTOR(EchoDiagnostic *) diagnostics; /* without notes, which hang off them */
  EchoDiagnostic *last_note;                 /* of the last diagnostic; NULL = none yet */
  size_t n_flushed;                          /* diagnostics that the handler has seen */
  uint64_t n_errors;
  bool shows_ops;       /* see echo_context_show_ops */
  uint32_t n_ops_shown; /* so far */
  EchoDiagnosticHandler *diagnostic_handler;
  void *diagnostic_user;

  ECHO_VECTOR(EchoPattern) canonicalizations; /* what dialects add to canonicalize */
  struct EchoSymbolTables *symbol_tables;     /* set while the IR stands still; else NULL */
};

/* ---- what the files of ir/ do for each other ---- */

void echo_context_create_types(EchoContext *ctx); /* fills none … floats */
void echo_context_create_attributes(
    EchoContext *ctx); /* fills unit … empty_dictionary; after the types */
/* Parses a row's texts; NULL with the first mistake appended to *error. The dialect is already
 * registered. */
const EchoOpSpec *echo_op_spec_parse_or_null(EchoContext *ctx, const EchoDialect *dialect,
                                             const EchoOpInfo *info, EchoBuffer *error);

/* Whether a location may stand in what the context holds: of an attribute its owner tells, of a
 * position in a buffer only that there is a buffer of that number. O(1). */
static inline bool echo_loc_fits(const EchoContext *ctx, EchoLoc loc)
{
  if ((loc.bits & 1) != 0)
    return (size_t)(loc.bits >> ECHO_LOC_BUFFER_SHIFT) < ctx->buffers.size;
  return loc.bits == 0 || ((const EchoAttr *)(uintptr_t)loc.bits)->owner == ctx->tag;
}

/* Whether `type` or `attr`, which may be NULL, may stand in what the context makes; a misuse that
 * names the argument otherwise. */
bool echo_type_check_owner(EchoContext *ctx, const char *what, const char *name,
                           const EchoType *type);
bool echo_attr_check_owner(EchoContext *ctx, const char *what, const char *name,
                           const EchoAttr *attr);

/* What the encoding's dialect says of a tensor with it, for who reads one; false with a reason. */
bool echo_type_check_encoding(const EchoContext *ctx, const EchoAttr *encoding, const int64_t *dims,
                              size_t rank, EchoBuffer *error);

/* Whether a value of two types of compatible shapes, tensors or not, is nothing that the encoding
 * of one of them rules out. */
bool echo_type_encodings_agree(const EchoContext *ctx, const EchoType *a, const EchoType *b);

/* Takes `data` (from echo_alloc_aligned or echo_alloc) over without copying it: the context frees
 * it, at once when an equal attribute exists. Same rules as echo_attr_elements otherwise. For
 * parsers of large constants. */
const EchoAttr *echo_attr_elements_adopt(EchoContext *ctx, const EchoType *type, void *data,
                                         size_t size_bytes, bool is_splat);

#endif
