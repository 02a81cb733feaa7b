/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A module while it is written as bytecode: what has a number, and the bytes so far. For this
 * folder alone. */
#ifndef ECHO_IR_BYTECODE_WRITER_T_H
#define ECHO_IR_BYTECODE_WRITER_T_H

#include "base/map.h"
#include "base/vector.h"
#include "ir/bytecode/dialect.h"

/* As what an attribute or type is written: the same text may be builtin's here and the form's
 * dialect's there. A mixed dictionary is builtin's and holds what is the form's. */
typedef enum EchoBytecodeAs {
  ECHO_AS_BUILTIN,
  ECHO_AS_OWN,
  ECHO_AS_MIXED,
} EchoBytecodeAs;

/* An attribute, a type or the name of an op. */
typedef struct EchoBytecodeNumbered {
  const void *object; /* name: NULL */
  EchoStr name;       /* of an op, without its dialect */
  EchoBytecodeAs as;
  bool is_registered;
  uint32_t dialect;
  uint64_t n_refs, number;
} EchoBytecodeNumbered;

/* Things of one kind: as they are first met, and in the order of their numbers. */
typedef struct EchoBytecodeTable {
  ECHO_VECTOR(EchoBytecodeNumbered) entries;
  uint32_t *order; /* numbers to entries, once all are met */
} EchoBytecodeTable;

/* A blob that attributes refer to. */
typedef struct EchoBytecodeResource {
  EchoStr key;
  size_t entry; /* among the context's resources, + 1; 0 = it has no data */
  uint64_t number;
} EchoBytecodeResource;

struct EchoBytecodeWriter {
  EchoContext *ctx;
  const EchoBytecodeForm *form;
  EchoArena memory;
  bool is_numbering; /* nothing is written yet */
  bool is_wrong;     /* after an error */
  uint32_t depth;
  EchoBuffer *out;
  ECHO_VECTOR(EchoStr) strings, dialects;
  EchoStringMap string_index, dialect_index, name_index; /* index + 1 */
  EchoMap attr_index, type_index;                        /* index + 1 */
  EchoBytecodeTable attrs, types, names;
  ECHO_VECTOR(EchoBytecodeOp) ops;             /* in pre-order */
  ECHO_VECTOR(uint32_t) op_names;              /* entries, by op */
  EchoMap op_index;                            /* index, by op */
  EchoMap exposed;                             /* ops that use values from around them */
  EchoMap values;                              /* numbers */
  ECHO_VECTOR(EchoStr) properties;             /* blobs */
  EchoStringMap property_index;                /* index + 1 */
  ECHO_VECTOR(EchoBytecodeResource) resources; /* as they are met */
  EchoStringMap resource_index;                /* index + 1 */
  EchoStringMap blob_index;                    /* of the context's, + 1 */
};

/* number.c: numbers everything that the module names. False after errors. */
bool echo_bytecode_number(EchoBytecodeWriter *w, EchoOp *module);
/* The number of one; while numbering, counts it and what is in it. */
uint64_t echo_bytecode_attr_number(EchoBytecodeWriter *w, const EchoAttr *attr, EchoBytecodeAs as);
uint64_t echo_bytecode_type_number(EchoBytecodeWriter *w, const EchoType *type, EchoBytecodeAs as);
uint64_t echo_bytecode_string_number(EchoBytecodeWriter *w, EchoStr string);
const EchoBytecodeOp *echo_bytecode_op(const EchoBytecodeWriter *w, const EchoOp *op);
static inline EchoBytecodeAs echo_bytecode_types_as(const EchoBytecodeOp *op)
{
  return op->is_own ? ECHO_AS_OWN : ECHO_AS_BUILTIN;
}

/* write_builtin.c: false: it has only its text. */
bool echo_bytecode_write_attr(EchoBytecodeWriter *w, const EchoAttr *attr, EchoBytecodeAs as);
bool echo_bytecode_write_type(EchoBytecodeWriter *w, const EchoType *type, EchoBytecodeAs as);

/* use_orders.c: appends the orders of the uses of `n` values that differ from the order in which a
 * reader makes them; false: there are none, and nothing is appended. */
bool echo_bytecode_put_use_orders(EchoBytecodeWriter *w, EchoBuffer *out, EchoValue *const *values,
                                  size_t n, bool is_remade);

/* write_resources.c: the number of a blob. */
uint64_t echo_bytecode_resource_number(EchoBytecodeWriter *w, EchoStr key);
void echo_bytecode_number_resources(EchoBytecodeWriter *w);
/* Both sections, into a file that begins at `begin` of `out`. False after an error. */
bool echo_bytecode_put_resources(EchoBytecodeWriter *w, const EchoOp *module, EchoBuffer *out,
                                 size_t begin);

/* write.c */
void echo_bytecode_append_varint(EchoBuffer *out, uint64_t value);
void echo_bytecode_append_flagged(EchoBuffer *out, uint64_t value, bool flag);

#endif
