/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the files of this folder do for each other. */
#ifndef ECHO_DIALECTS_STABLEHLO_VHLO_VHLO_T_H
#define ECHO_DIALECTS_STABLEHLO_VHLO_VHLO_T_H

#include "dialects/stablehlo/attributes/attributes_t.h"
#include "dialects/stablehlo/vhlo/vhlo.h"

/* types.c */
bool echo_vhlo_read_type(EchoBytecodeReader *reader, const EchoType **type);
/* attrs.c */
bool echo_vhlo_read_attr(EchoBytecodeReader *reader, const EchoAttr **attr);
/* An enumeration's value by its number, and structs that both dialects encode alike. */
bool echo_vhlo_read_enum(EchoBytecodeReader *reader, EchoHloAttrKind kind, const EchoAttr **attr);
bool echo_vhlo_read_alias(EchoBytecodeReader *reader, const EchoAttr **attr);
bool echo_vhlo_read_bounds(EchoBytecodeReader *reader, const EchoAttr **attr);
bool echo_vhlo_read_accuracy(EchoBytecodeReader *reader, const EchoAttr **attr);
/* mesh.c: meshes, their axes and groups by them, which are kept as text. */
bool echo_vhlo_read_mesh(EchoBytecodeReader *reader, uint64_t code, const EchoAttr **attr);
/* The parts of one, by the code of its kind. */
typedef struct EchoVhloMesh {
  uint64_t code;
  int64_t before, size;           /* of a part of an axis; `size` of an axis, too */
  const EchoAttr *first, *second; /* a name or a mesh, and what else there is; NULL = nothing */
} EchoVhloMesh;
/* False: the attribute is none of them, or its text is none of theirs. */
bool echo_vhlo_mesh(EchoContext *ctx, const EchoAttr *attr, EchoVhloMesh *mesh);
bool echo_vhlo_write_mesh(EchoBytecodeWriter *writer, const EchoAttr *attr);
/* properties.c: of "gather_v2". */
const char *echo_vhlo_property_names_or_null(EchoStr op);
/* versions.c: whether a version of VHLO is that one or a later one. */
bool echo_vhlo_has(EchoVhloVersion version, unsigned major, unsigned minor);
uint32_t echo_vhlo_bytecode_version(EchoVhloVersion version);
/* The version of "add" that a version of VHLO has; 0 = none. *is_remade: StableHLO makes the op of
 * a newer one first. */
unsigned echo_vhlo_op_version(EchoStr op, EchoVhloVersion version, bool *is_remade);
/* types.c: the code of a type that is a code and nothing else; false: it is none. */
bool echo_vhlo_plain_code(const EchoType *type, uint8_t *code);
/* What a future holds, as a tuple; NULL: the type is none. */
const EchoType *echo_vhlo_future_or_null(EchoContext *ctx, const EchoType *type);
/* write.c: the hooks of the form. */
bool echo_vhlo_write_attr(EchoBytecodeWriter *writer, const EchoAttr *attr);
bool echo_vhlo_write_type(EchoBytecodeWriter *writer, const EchoType *type);
/* check.c: whether a version has the type, or the attribute with all that is in it. Errors at the
 * op. */
bool echo_vhlo_check_type(const EchoOp *op, const EchoType *type, EchoVhloVersion version);
bool echo_vhlo_check_attr(const EchoOp *op, const EchoAttr *attr, EchoVhloVersion version);
/* spread.c: the attributes of an op as VHLO has them, defaults written out: *attrs gets the values
 * of `names` (blanks between them) in that order, *rest what is not among them. False after an
 * error at the op. */
bool echo_vhlo_spread(const EchoOp *op, EchoStr base, const char *names, EchoArena *memory,
                      const EchoAttr ***attrs, size_t *n_attrs, const EchoAttr **rest);
/* The version of a custom call's convention, which is no number in VHLO: an integer of this type.
 */
#define ECHO_VHLO_API_VERSION_BITS 32
/* upgrade.c: every op of the module becomes StableHLO's. */
bool echo_vhlo_upgrade(EchoOp *module);
/* numbers.c: attributes that VHLO spreads over an op become one (dimension_numbers, …). Takes what
 * it uses out of *attrs, a dictionary, and adds the result. False after an error at the op. */
bool echo_vhlo_gather_numbers(const EchoOp *op, EchoStr name, const EchoAttr **attrs);

#endif
