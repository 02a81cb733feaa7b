/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How a dialect reads and writes the attributes and types that it encodes in bytecode in its own
 * way: the row that it registers, the form in which a module is written, and the calls that their
 * hooks make on the reader or writer that they are handed. */
#ifndef ECHO_IR_BYTECODE_DIALECT_H
#define ECHO_IR_BYTECODE_DIALECT_H

#include "base/arena.h"
#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A stretch of bytes that is being read: an attribute, a type or an op's properties. */
typedef struct EchoBytecodeReader EchoBytecodeReader;

/* How a dialect encodes its attributes and types. Registered with
 * echo_context_register_row(ctx, ECHO_BYTECODE_ROW, name, row). */
#define ECHO_BYTECODE_ROW "bytecode"
typedef struct EchoBytecodeDialect {
  /* Read one from its beginning; they are to leave nothing behind. False after an error. Either may
   * be NULL: the dialect encodes none. */
  bool (*read_attr)(EchoBytecodeReader *reader, const EchoAttr **attr);
  bool (*read_type)(EchoBytecodeReader *reader, const EchoType **type);
  /* The attributes that the properties of an op without a row hold, in their order, with blanks
   * between them; the op's name is without the dialect's. "?" stands behind what may lack, "/3"
   * behind the numbers of operands of three groups. NULL = there are none. May be NULL. */
  const char *(*property_names_or_null)(EchoStr op);
  /* Turns the dialect's ops in a module that was just read into those of another dialect; they need
   * no rows then. Called once all is read, when the file has ops of it. May be NULL. */
  bool (*upgrade)(EchoOp *module);
} EchoBytecodeDialect;

EchoContext *echo_bytecode_context(EchoBytecodeReader *reader);
EchoLoc echo_bytecode_loc(EchoBytecodeReader *reader); /* of the next byte */
/* An error at the next byte; returns false. */
bool echo_bytecode_error(EchoBytecodeReader *reader, const char *format, ...) ECHO_PRINTF(2, 3);
/* Bytes left. */
size_t echo_bytecode_left(const EchoBytecodeReader *reader);

/* All of these return false after an error, at the end of the stretch above all. */
bool echo_bytecode_read_byte(EchoBytecodeReader *reader, uint8_t *value);
bool echo_bytecode_read_varint(EchoBytecodeReader *reader, uint64_t *value);
bool echo_bytecode_read_signed(EchoBytecodeReader *reader, int64_t *value);
/* A varint whose lowest bit is a flag. */
bool echo_bytecode_read_flagged(EchoBytecodeReader *reader, uint64_t *value, bool *flag);
/* The number of elements that follow, each of a byte at least: never more than bytes are left. */
bool echo_bytecode_read_count(EchoBytecodeReader *reader, size_t *n);
/* An integer whose width the reader knows, at most 64 bits. */
bool echo_bytecode_read_int(EchoBytecodeReader *reader, uint32_t width, uint64_t *value);
/* A string of the file's table, interned. */
bool echo_bytecode_read_string(EchoBytecodeReader *reader, EchoStr *string);
/* Bytes with their number in front; they lie in the file. */
bool echo_bytecode_read_blob(EchoBytecodeReader *reader, EchoStr *blob);
bool echo_bytecode_read_attr(EchoBytecodeReader *reader, const EchoAttr **attr);
/* NULL where there is none. */
bool echo_bytecode_read_optional_attr(EchoBytecodeReader *reader, const EchoAttr **attr);
bool echo_bytecode_read_type(EchoBytecodeReader *reader, const EchoType **type);
/* A ranked tensor of what was read; its encoding may be NULL, and must be one for such dimensions.
 */
bool echo_bytecode_tensor(EchoBytecodeReader *reader, const int64_t *dims, size_t rank,
                          const EchoType *element, const EchoAttr *encoding, const EchoType **type);
/* Lists with their number in front, in the arena of the file. */
bool echo_bytecode_read_attrs(EchoBytecodeReader *reader, const EchoAttr *const **attrs, size_t *n);
bool echo_bytecode_read_types(EchoBytecodeReader *reader, const EchoType *const **types, size_t *n);
bool echo_bytecode_read_signeds(EchoBytecodeReader *reader, const int64_t **values, size_t *n);
/* Dense elements of `type` from raw data as MLIR lays it out: one element for a splat, i1 packed to
 * bits or as bytes. */
bool echo_bytecode_elements(EchoBytecodeReader *reader, const EchoType *type, EchoStr data,
                            const EchoAttr **attr);

/* ---- writing ---- */

/* A module that is being written: first every attribute, type and op name gets its number, in the
 * order in which MLIR gives them, and then it is written. A hook is called for both, and does the
 * same both times. */
typedef struct EchoBytecodeWriter EchoBytecodeWriter;

/* What an op is written as. */
typedef struct EchoBytecodeOp {
  EchoStr dialect, name; /* "vhlo", "add_v1" */
  bool is_registered;    /* where it is read: its properties are laid out, not a dictionary */
  bool is_own;           /* its types, and what its attributes hold, are of the form's dialect */
  bool is_remade;        /* MLIR made it anew after all others: the order of uses follows */
  const EchoAttr *attrs; /* a dictionary; NULL = none */
  /* In the order in which they are laid out; of builtin.module each may be NULL. */
  const EchoAttr *const *properties;
  size_t n_properties;
  bool are_optional;
} EchoBytecodeOp;

/* How a module is written. */
typedef struct EchoBytecodeForm {
  uint32_t version; /* of bytecode, at most 6 */
  const char *producer;
  const char
      *dialect; /* whose attributes and types the hooks below write; NULL = builtin's alone */
  void *user;
  /* Says what `op` is written as; lists live in `memory`. False after an error at the op. */
  bool (*describe)(void *user, const EchoOp *op, EchoArena *memory, EchoBytecodeOp *description);
  /* Whether the attributes of a dialect stand as they are among the form's. NULL = none do. */
  bool (*is_foreign)(EchoStr dialect);
  /* Write one of the form's dialect. False after an error. */
  bool (*write_attr)(EchoBytecodeWriter *writer, const EchoAttr *attr);
  bool (*write_type)(EchoBytecodeWriter *writer, const EchoType *type);
} EchoBytecodeForm;

/* Appends `module` in that form, byte for byte as MLIR's own writer gives what the form describes.
 * False after errors. O(module). */
bool echo_write_bytecode_form(EchoOp *module, const EchoBytecodeForm *form, EchoBuffer *out);

EchoContext *echo_bytecode_writer_context(EchoBytecodeWriter *writer);
void echo_bytecode_put_byte(EchoBytecodeWriter *writer, uint8_t value);
void echo_bytecode_put_varint(EchoBytecodeWriter *writer, uint64_t value);
void echo_bytecode_put_signed(EchoBytecodeWriter *writer, int64_t value);
/* Lists have their number in front. */
void echo_bytecode_put_signeds(EchoBytecodeWriter *writer, const int64_t *values, size_t n);
/* An integer whose width the reader knows, at most 64 bits; higher bits count for nothing. */
void echo_bytecode_put_int(EchoBytecodeWriter *writer, uint32_t width, uint64_t value);
void echo_bytecode_put_string(EchoBytecodeWriter *writer, EchoStr string);
void echo_bytecode_put_attr(EchoBytecodeWriter *writer, const EchoAttr *attr);
void echo_bytecode_put_optional_attr(EchoBytecodeWriter *writer, const EchoAttr *attr);
void echo_bytecode_put_attrs(EchoBytecodeWriter *writer, const EchoAttr *const *attrs, size_t n);
void echo_bytecode_put_type(EchoBytecodeWriter *writer, const EchoType *type);
void echo_bytecode_put_types(EchoBytecodeWriter *writer, const EchoType *const *types, size_t n);
/* The data of dense elements as MLIR lays it out: bools packed to bits, equal elements once. */
void echo_bytecode_put_elements(EchoBytecodeWriter *writer, const EchoAttr *elements);

#ifdef __cplusplus
}
#endif

#endif
