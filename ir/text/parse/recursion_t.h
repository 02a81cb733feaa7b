/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the grammar comes back to itself. Every other call in this folder goes to a file that
 * stands lower (README.md has the order). On the way round the depth is counted
 * (echo_parser_enter). */
#ifndef ECHO_IR_TEXT_PARSE_RECURSION_T_H
#define ECHO_IR_TEXT_PARSE_RECURSION_T_H

#include "ir/text/parse/parser_t.h"

/* attribute/attr.c: any attribute. A type holds them (a tensor's encoding, a memref's layout), so
 * do locations and the text of dialects, while attributes hold types and locations. `type_or_null`
 * is what a bare number takes. */
const EchoAttr *echo_parser_attr(EchoAsmParser *p, const EchoType *type_or_null);

/* body.c: ops into the innermost open region until "}" closes the regions above height `base`, or,
 * at the top level (base 0), until something that is no op. An op in pretty form holds regions,
 * which hold ops. */
bool echo_parser_body(EchoAsmParser *p, size_t base);

#endif
