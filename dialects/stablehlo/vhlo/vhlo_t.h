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
/* properties.c: of "gather_v2". */
const char *echo_vhlo_property_names_or_null(EchoStr op);
/* upgrade.c: every op of the module becomes StableHLO's. */
bool echo_vhlo_upgrade(EchoOp *module);
/* numbers.c: attributes that VHLO spreads over an op become one (dimension_numbers, …). Takes what
 * it uses out of *attrs, a dictionary, and adds the result. False after an error at the op. */
bool echo_vhlo_gather_numbers(const EchoOp *op, EchoStr name, const EchoAttr **attrs);

#endif
