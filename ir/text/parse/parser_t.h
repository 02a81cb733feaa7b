/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parser's state, for ir/text/parse/ and nothing else. One parser reads one source buffer.
 * Regions of generic ops are parsed with a stack of frames, not by recursion; types, attributes and
 * pretty forms recurse, and count their depth. In every file a function that returns false or NULL
 * has reported why. */
#ifndef ECHO_IR_TEXT_PARSE_PARSER_T_H
#define ECHO_IR_TEXT_PARSE_PARSER_T_H

#include "ir/context_t.h"
#include "ir/text/asm.h"
#include "ir/text/lexer_t.h"

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
  EchoStr dialect;                    /* whose prefix ops in its regions may leave out */
  const EchoAttr *properties, *attrs; /* of the generic form */
  size_t bindings, operands, values, types, successors, regions, named;
  const char *dict;            /* a hook's attribute dictionary; NULL = none was read */
  size_t dict_first, dict_end; /* its entries among the named */
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

#endif
