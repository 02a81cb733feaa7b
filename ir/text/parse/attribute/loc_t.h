/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Locations, also those whose alias comes later. */
#ifndef ECHO_IR_TEXT_PARSE_ATTRIBUTE_LOC_T_H
#define ECHO_IR_TEXT_PARSE_ATTRIBUTE_LOC_T_H

#include "ir/text/parse/parser_t.h"

/* A location behind "loc(" up to ")". */
const EchoAttr *echo_parser_location(EchoAsmParser *p);
/* An optional trailing "loc(…)" into *target (untouched when there is none); an alias that is not
 * defined yet is filled in later: `stays` promises that target will still be there. */
bool echo_parser_trailing_loc(EchoAsmParser *p, EchoLoc *target, bool stays);
/* `block` holds all that was parsed. */
bool echo_parser_resolve_deferred_locs(EchoAsmParser *p, const EchoBlock *block);

#endif
