/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A bytecode file while it is read: its tables, and stretches of it. For ir/ alone. */
#ifndef ECHO_IR_BYTECODE_READER_T_H
#define ECHO_IR_BYTECODE_READER_T_H

#include "base/arena.h"
#include "ir/bytecode/dialect.h"
#include "ir/table/op_info.h"

/* The versions in which something changed. */
enum {
  ECHO_BYTECODE_DIALECT_VERSIONS = 1,
  ECHO_BYTECODE_REGION_SECTIONS = 2, /* of isolated regions */
  ECHO_BYTECODE_USE_LIST_ORDERS = 3,
  ECHO_BYTECODE_NO_UNKNOWN_ARG_LOCS = 4,
  ECHO_BYTECODE_PROPERTIES = 5,
  ECHO_BYTECODE_SPARSE_SEGMENTS = 6,
  ECHO_BYTECODE_NEWEST = 6
};

typedef enum EchoBytecodeSection {
  ECHO_SECTION_STRING,
  ECHO_SECTION_DIALECT,
  ECHO_SECTION_ATTR_TYPE,
  ECHO_SECTION_ATTR_TYPE_OFFSET,
  ECHO_SECTION_IR,
  ECHO_SECTION_RESOURCE,
  ECHO_SECTION_RESOURCE_OFFSET,
  ECHO_SECTION_DIALECT_VERSIONS,
  ECHO_SECTION_PROPERTIES,
  ECHO_N_SECTIONS
} EchoBytecodeSection;

typedef struct EchoBytecodeFile EchoBytecodeFile;

struct EchoBytecodeReader {
  EchoBytecodeFile *file;
  const uint8_t *at, *end;
  uint32_t depth; /* of attributes in attributes */
};

typedef struct EchoBytecodeDialectName {
  EchoStr name;
  const EchoBytecodeDialect *row; /* or NULL */
  bool has_ops;
} EchoBytecodeDialectName;

typedef struct EchoBytecodeOpName {
  const EchoOpInfo *info;
  const EchoBytecodeDialectName *dialect;
  const EchoOpSpec *spec; /* NULL = unregistered here */
  bool was_registered;    /* where the file was written */
  bool is_upgraded;       /* of a dialect that upgrades its ops */
} EchoBytecodeOpName;

/* An attribute or a type, read when it is first asked for. */
typedef struct EchoBytecodeEntry {
  const uint8_t *data;
  size_t size;
  const EchoBytecodeDialectName *dialect;
  bool is_custom; /* else text */
  bool is_open;   /* being read */
  const void *object;
} EchoBytecodeEntry;

typedef struct EchoBytecodeSpan {
  const uint8_t *data;
  size_t size;
} EchoBytecodeSpan;

struct EchoBytecodeFile {
  EchoContext *ctx;
  EchoStr name;
  const uint8_t *begin, *end;
  uint64_t version, n_distinct;
  bool is_silent; /* what fails is tried another way: no errors */
  EchoArena memory;
  EchoStr *strings;
  EchoBytecodeDialectName *dialects;
  EchoBytecodeOpName *op_names;
  EchoBytecodeEntry *attrs, *types;
  EchoBytecodeSpan *properties;
  EchoStr *resources; /* keys of the dialects' resources */
  size_t n_strings, n_dialects, n_op_names, n_attrs, n_types, n_properties, n_resources;
};

static inline EchoBytecodeReader echo_bytecode_reader(EchoBytecodeFile *file, EchoBytecodeSpan span)
{
  return (EchoBytecodeReader){file, span.data, span.data + span.size, 0};
}

/* cursor.c */
bool echo_bytecode_read_bytes(EchoBytecodeReader *reader, uint64_t n, EchoBytecodeSpan *span);
/* Skips padding up to an address in the file that `alignment` divides. */
bool echo_bytecode_align(EchoBytecodeReader *reader, uint64_t alignment);
bool echo_bytecode_read_section(EchoBytecodeReader *reader, EchoBytecodeSection *id,
                                EchoBytecodeSpan *span);
/* The text up to a NUL. */
bool echo_bytecode_read_c_string(EchoBytecodeReader *reader, EchoStr *string);
/* An index below `n`; `what` is named in the error. */
bool echo_bytecode_read_index(EchoBytecodeReader *reader, size_t n, const char *what,
                              size_t *index);

/* entries.c: the type of that number. */
bool echo_bytecode_type_at(EchoBytecodeReader *reader, uint64_t index, const EchoType **type);

/* tables.c: letters, digits, "_", "$", "." and "-", at least one: what names of ops may hold. */
bool echo_bytecode_is_name(EchoStr name);
/* Each fills a table of the file from its section. */
bool echo_bytecode_read_strings(EchoBytecodeFile *file, EchoBytecodeSpan section);
bool echo_bytecode_read_dialects(EchoBytecodeFile *file, EchoBytecodeSpan section);
bool echo_bytecode_read_entries(EchoBytecodeFile *file, EchoBytecodeSpan data,
                                EchoBytecodeSpan offsets);
bool echo_bytecode_read_property_table(EchoBytecodeFile *file, EchoBytecodeSpan section);

/* resources.c */
bool echo_bytecode_read_resources(EchoBytecodeFile *file, EchoBytecodeSpan data,
                                  EchoBytecodeSpan offsets);

/* builtin.c */
bool echo_bytecode_builtin_attr(EchoBytecodeReader *reader, const EchoAttr **attr);
bool echo_bytecode_builtin_type(EchoBytecodeReader *reader, const EchoType **type);

/* properties.c: what the dialect (NULL allowed) says of an op without a row. */
const char *echo_bytecode_property_names_or_null(const EchoBytecodeDialect *dialect,
                                                 const EchoOpInfo *info);
/* What an op's dictionary (NULL = none) holds goes to its properties or to its
 * discardable attributes, as its row says; the row's defaults are filled in. */
bool echo_bytecode_op_attrs(EchoBytecodeReader *reader, const EchoBytecodeOpName *name,
                            const EchoAttr *dictionary, const EchoAttr **properties,
                            const EchoAttr **attrs);
bool echo_bytecode_read_properties(EchoBytecodeReader *reader, const EchoBytecodeOpName *name,
                                   const EchoAttr **properties);

/* body.c: all ops of the IR section into `block`. */
bool echo_bytecode_read_body(EchoBytecodeFile *file, EchoBytecodeSpan section, EchoRegion *region,
                             EchoBlock *block);

#endif
