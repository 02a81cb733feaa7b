/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parser's inside, shared by the parser_*.c files and by nothing else. One parser reads one
 * source buffer. Regions of generic ops are parsed with a stack of frames, not by recursion; types,
 * attributes and pretty forms recurse, and count their depth. A function that returns false or NULL
 * has reported why. */
#ifndef ECHO_IR_TEXT_PARSE_PARSER_T_H
#define ECHO_IR_TEXT_PARSE_PARSER_T_H

#include "ir/context_t.h"
#include "ir/text/asm.h"
#include "ir/text/lexer_t.h"

/* How deep types, attributes, expressions and pretty-form regions may nest: the stack is finite.
 * Regions of ops in generic form nest as deep as memory allows. */
#define ECHO_PARSER_MAX_DEPTH 1000

/* ---- names of values and blocks ---- */

#define ECHO_NAME_NONE UINT32_MAX

/* Names stand in the order of their definition; a region's names are the tail from its mark on, and
 * go with it. */
typedef struct EchoNameEntry {
  const char *name; /* in the source */
  void *value;      /* EchoValue * (the first of `count`) or EchoBlock *; NULL = values used but not
                       defined yet */
  uint64_t word;    /* stands for the name: see names.c */
  uint32_t next;    /* older entry of the same slot */
  uint32_t count;   /* values: how many; undefined ones: head of their list of forward references */
} EchoNameEntry;

typedef struct EchoNameTable {
  ECHO_VECTOR(EchoNameEntry) entries;
  uint32_t *slots; /* newest entry, or ECHO_NAME_NONE */
  size_t n_slots;  /* 0 or a power of two */
} EchoNameTable;

typedef struct EchoNameKey {
  const char *name;
  uint64_t word;
  uint32_t size, hash;
} EchoNameKey;

EchoNameKey echo_name_key(const EchoLexer *lexer, const char *name, size_t size);
/* The newest entry of that name at or above `base`, or ECHO_NAME_NONE. */
uint32_t echo_name_find(const EchoNameTable *table, const EchoNameKey *key, size_t base);
uint32_t echo_name_push(EchoNameTable *table, const EchoNameKey *key, void *value, uint32_t count);
/* Drops all entries from `mark` on. */
void echo_name_pop_to(EchoNameTable *table, size_t mark);
void echo_name_destroy(EchoNameTable *table);

/* A use before the definition: stands in for the value until that is known. */
typedef struct EchoForwardRef {
  EchoBlockArg *placeholder;
  const char *at;
  uint32_t number, next;
} EchoForwardRef;

/* A trailing loc(#alias) whose alias comes later. A hook's location moves on before the end: its
 * place is then marked by a location that points at the alias, which is looked for among the block
 * arguments. */
typedef struct EchoDeferredLoc {
  EchoStr alias;
  const char *at;
  EchoLoc *target; /* NULL = a hook's */
} EchoDeferredLoc;

/* ---- ops under construction ---- */

/* What was learnt of an op name in this buffer: its row, and the texts that last followed it,
 * because they repeat. */
enum { ECHO_N_CACHED = 4, ECHO_N_CACHED_TYPES = 10 };

typedef struct EchoCachedSignature {
  EchoStr text;
  uint32_t n_inputs, n_results;
  const EchoType *types[ECHO_N_CACHED_TYPES]; /* inputs, then results */
} EchoCachedSignature;

typedef struct EchoCachedAttrs {
  EchoStr text;
  const EchoAttr *dictionary;
} EchoCachedAttrs;

/* The newest few, in a ring. */
typedef struct EchoAttrsCache {
  EchoCachedAttrs entries[ECHO_N_CACHED];
  uint32_t next;
} EchoAttrsCache;

typedef struct EchoOpName {
  EchoStr text; /* as written, without quotes */
  const EchoOpInfo *info;
  const EchoOpSpec *spec; /* NULL = unregistered */
  EchoCachedSignature signatures[ECHO_N_CACHED];
  uint32_t next_signature;
  EchoAttrsCache properties, attrs;   /* <{…}>, {…} */
  const EchoAttr *partial, *complete; /* the properties last completed with the row's defaults */
} EchoOpName;

typedef struct EchoBinding { /* "%a:2 =" */
  EchoNameKey key;
  uint32_t count;
} EchoBinding;

typedef struct EchoOperandName {
  EchoNameKey key;
  uint32_t number;
} EchoOperandName;

/* An op between its name and its end. What it has gathered is the tail of the parser's stacks from
 * these marks on. */
typedef struct EchoOpFrame {
  EchoOpName *name;
  const char *start;
  const EchoAttr *properties, *attrs; /* of the generic form */
  size_t bindings, operands, values, types, successors, regions, named;
} EchoOpFrame;

/* A region whose "{" was read. */
typedef struct EchoRegionFrame {
  EchoRegion *region;
  EchoBlock *block; /* the one being filled; NULL = none yet */
  size_t values_mark, blocks_mark, isolation_mark;
  bool isolated;
  bool of_generic_op; /* closing it goes on with that op; else the loop returns to a hook */
} EchoRegionFrame;

enum { ECHO_TYPE_CACHE_SIZE = 1024, ECHO_OP_NAME_CACHE_SIZE = 256 };

typedef struct EchoCachedType {
  EchoStr text;
  const EchoType *type;
} EchoCachedType;

struct EchoAsmParser {
  EchoLexer lexer;
  EchoContext *ctx;
  EchoArena scratch; /* of hooks, and short-lived */
  EchoArena names;   /* as long as the parser */
  uint32_t depth;

  EchoStringMap attr_aliases, type_aliases; /* name -> pointer */
  EchoMap distinct_values;                  /* number of a distinct[…] -> what it refers to */
  EchoNameTable values, blocks;
  size_t isolation_mark; /* values below it are invisible here */
  size_t blocks_mark;    /* blocks below it are invisible here */
  ECHO_VECTOR(EchoForwardRef) forwards;
  uint32_t free_forward;
  ECHO_VECTOR(EchoForwardRef) unresolved; /* of closed isolated regions */
  ECHO_VECTOR(EchoDeferredLoc) deferred_locs;
  ECHO_VECTOR(EchoLoc *) shared_locs; /* take the location of the op that ends next */

  ECHO_VECTOR(EchoBinding) bindings;
  ECHO_VECTOR(EchoOperandName) operands;
  ECHO_VECTOR(EchoValue *) op_values;
  ECHO_VECTOR(const EchoType *) types;
  ECHO_VECTOR(EchoBlock *) successors;
  ECHO_VECTOR(EchoRegion *) regions;
  ECHO_VECTOR(EchoRegion *) free_regions;
  ECHO_VECTOR(EchoNamedAttr) named;
  ECHO_VECTOR(EchoOpFrame) ops;
  ECHO_VECTOR(EchoRegionFrame) open_regions;

  EchoStringMap op_names; /* text -> EchoOpName * */
  EchoOpName *op_name_cache[ECHO_OP_NAME_CACHE_SIZE];
  EchoCachedType type_cache[ECHO_TYPE_CACHE_SIZE];
};

/* ---- tokens and errors ---- */

/* At a position of the source; nothing is said when the token is one that the lexer complained
 * about. All return false. */
bool echo_parser_error_at(EchoAsmParser *p, const char *at, const char *format, ...)
    ECHO_PRINTF(3, 4);
/* At the current token (one back at the end of the file). */
bool echo_parser_error(EchoAsmParser *p, const char *format, ...) ECHO_PRINTF(2, 3);
/* Where something is missing: behind the last token when the current one starts a line. */
bool echo_parser_wrong_token(EchoAsmParser *p, const char *format, ...) ECHO_PRINTF(2, 3);

static inline bool echo_parser_at(const EchoAsmParser *p, int kind)
{
  return p->lexer.token.kind == kind;
}
static inline void echo_parser_consume(EchoAsmParser *p)
{
  echo_lexer_advance(&p->lexer);
}
static inline bool echo_parser_try(EchoAsmParser *p, int kind)
{
  if (p->lexer.token.kind != kind)
    return false;
  echo_lexer_advance(&p->lexer);
  return true;
}
static inline bool echo_parser_expect(EchoAsmParser *p, int kind, const char *message)
{
  return echo_parser_try(p, kind) || echo_parser_wrong_token(p, "%s", message);
}
static inline EchoStr echo_parser_text(const EchoAsmParser *p)
{
  return echo_token_text(p->lexer.token);
}
static inline bool echo_parser_at_keyword(const EchoAsmParser *p, const char *keyword)
{
  return p->lexer.token.kind == ECHO_TOKEN_BARE_ID && echo_token_is(p->lexer.token, keyword);
}
static inline bool echo_parser_try_keyword(EchoAsmParser *p, const char *keyword)
{
  if (!echo_parser_at_keyword(p, keyword))
    return false;
  echo_lexer_advance(&p->lexer);
  return true;
}
static inline EchoLoc echo_parser_loc(const EchoAsmParser *p, const char *at)
{
  return echo_lexer_loc(&p->lexer, at);
}
/* Counts a level of nesting; an error when there are too many. Leave with echo_parser_leave when it
 * succeeded. */
bool echo_parser_enter(EchoAsmParser *p);
static inline void echo_parser_leave(EchoAsmParser *p)
{
  p->depth--;
}
/* An unsigned integer token's value, decimal or hexadecimal; false (silent) when it does not fit.
 */
bool echo_parser_u64(EchoStr text, uint64_t *value);
/* "-"? integer; an error otherwise. */
bool echo_parser_i64(EchoAsmParser *p, int64_t *value);

/* ---- type.c ---- */
const EchoType *echo_parser_type(EchoAsmParser *p);
/* Whether the token can start a type. */
bool echo_parser_at_type(EchoAsmParser *p);
/* Any but a function type. */
const EchoType *echo_parser_non_function_type(EchoAsmParser *p);
/* Pushes onto p->types: one type, or a parenthesised list. */
bool echo_parser_type_list_parens(EchoAsmParser *p);
bool echo_parser_result_types(EchoAsmParser *p); /* "(a, b)" or "a" */

/* ---- symbol.c ---- */
/* The body of an opaque symbol from "<" to its matching ">", the current token being "<": *text
 * covers both. */
bool echo_parser_balanced_body(EchoAsmParser *p, EchoStr *text);
/* "!d.t<…>" or "#d.a<…>" behind the prefix: dialect, text and form as mlir writes it. */
bool echo_parser_dialect_symbol(EchoAsmParser *p, EchoStr *dialect, EchoStr *text, bool *is_pretty);

/* ---- parts.c ---- */
typedef ECHO_VECTOR(EchoTextPart) EchoTextParts;
/* The attributes and types that stand in a dialect's text, which lies in the source, in order.
 * False after an error. O(bytes), times how deep they nest. */
bool echo_parser_text_parts(EchoAsmParser *p, EchoStr dialect, EchoStr text, EchoTextParts *parts);

/* ---- attr.c ---- */
const EchoAttr *echo_parser_attr(EchoAsmParser *p, const EchoType *type_or_null);
const EchoAttr *echo_parser_attr_dict(EchoAsmParser *p); /* "{…}" */
/* Pushes the entries of "{…}" onto p->named; errors on names that are there twice (from `mark` on).
 */
bool echo_parser_attr_entries(EchoAsmParser *p, size_t mark);
/* A symbol reference's name token, unquoted. */
bool echo_parser_symbol_name(EchoAsmParser *p, EchoStr *name);

/* ---- elements.c: at the keyword ---- */
const EchoAttr *echo_parser_dense(EchoAsmParser *p, const EchoType *type_or_null);
const EchoAttr *echo_parser_dense_array(EchoAsmParser *p); /* behind it */
const EchoAttr *echo_parser_dense_resource(EchoAsmParser *p, const EchoType *type_or_null);
const EchoAttr *echo_parser_sparse(EchoAsmParser *p, const EchoType *type_or_null);
/* One number token with its sign, as an attribute of `type`. */
const EchoAttr *echo_parser_number(EchoAsmParser *p, const EchoType *type_or_null, bool negative);
/* An integer token's digits as `n_words` words of two's complement; false when it does not fit
 * `width` bits by MLIR's rules. */
bool echo_parser_integer_words(EchoStr text, bool negative, uint32_t width,
                               EchoSignedness signedness, bool is_index, uint64_t *words,
                               size_t n_words);

/* ---- affine.c ---- */
const EchoAttr *echo_parser_affine_map(EchoAsmParser *p); /* behind "affine_map<" and before ">" */
const EchoAttr *echo_parser_integer_set(EchoAsmParser *p);
const EchoAttr *echo_parser_strided(EchoAsmParser *p); /* behind "strided" */

/* ---- loc.c ---- */
/* A location behind "loc(" up to ")". */
const EchoAttr *echo_parser_location(EchoAsmParser *p);
/* An optional trailing "loc(…)" into *target (untouched when there is none); an alias that is not
 * defined yet is filled in later: `stays` promises that target will still be there. */
bool echo_parser_trailing_loc(EchoAsmParser *p, EchoLoc *target, bool stays);
/* `block` holds all that was parsed. */
bool echo_parser_resolve_deferred_locs(EchoAsmParser *p, const EchoBlock *block);

/* ---- names.c ---- */
EchoValue *echo_parser_resolve(EchoAsmParser *p, const EchoNameKey *key, uint32_t number,
                               const EchoType *type);
/* Defines `count` values under the name; resolves what was used before. */
bool echo_parser_define(EchoAsmParser *p, const EchoNameKey *key, EchoValue *values,
                        uint32_t count);
/* The block of that name in the current region, made when it is not there yet. */
EchoBlock *echo_parser_block_reference(EchoAsmParser *p, EchoToken token);
/* Starts the block of a label: an error when it was defined before. */
EchoBlock *echo_parser_define_block(EchoAsmParser *p, EchoToken token);
void echo_parser_push_scope(EchoAsmParser *p, bool isolated, EchoRegionFrame *frame);
bool echo_parser_pop_scope(EchoAsmParser *p, const EchoRegionFrame *frame);
/* Errors on every value that is used and nowhere defined. */
bool echo_parser_check_undefined(EchoAsmParser *p);

/* ---- op.c ---- */
/* Ops into the innermost open region until "}" closes the regions above height `base`, or, at the
 * top level (base 0), until something that is no op. */
bool echo_parser_body(EchoAsmParser *p, size_t base);
/* Opens a region, the current token being "{", for the op frame on top; its entry block is made by
 * who needs one. */
bool echo_parser_open_region(EchoAsmParser *p, bool of_generic_op);
/* An entry block for the region just opened. */
EchoBlock *echo_parser_entry_block(EchoAsmParser *p);
/* Pushes the frame of an op whose name is at `start`. */
void echo_parser_push_op(EchoAsmParser *p, EchoOpName *name, const char *start, size_t bindings);
/* Creates the op on top from the values in op_values and these result types, appends it to the open
 * block, binds its results, reads a trailing location and pops the frame. False after an error. */
bool echo_parser_finish_op(EchoAsmParser *p, const EchoType *const *result_types, size_t n_results);
/* `properties` with the defaults of the op's row. */
const EchoAttr *echo_parser_complete(EchoAsmParser *p, EchoOpName *name,
                                     const EchoAttr *properties);
/* "%a#1" */
bool echo_parser_operand_name(EchoAsmParser *p, EchoOperandName *operand);
EchoOpName *echo_parser_op_name(EchoAsmParser *p, EchoStr text);

/* ---- asm.c ---- */
/* An op in pretty form, at its name: runs its row's hook and finishes the op. */
bool echo_parser_custom_op(EchoAsmParser *p, size_t bindings);

/* ---- resource.c ---- */
bool echo_parser_metadata(EchoAsmParser *p); /* {-# … #-} */

#endif
