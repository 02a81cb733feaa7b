/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The names of values and blocks: a hash table with stack order, how uses find definitions through
 * it, and the scopes that regions are. */
#ifndef ECHO_IR_TEXT_PARSE_NAMES_T_H
#define ECHO_IR_TEXT_PARSE_NAMES_T_H

#include "ir/text/parse/parser_t.h"

/* ---- the table ---- */
EchoNameKey echo_name_key(const EchoLexer *lexer, const char *name, size_t size);
/* The newest entry of that name at or above `base`, or ECHO_NAME_NONE. */
uint32_t echo_name_find(const EchoNameTable *table, const EchoNameKey *key, size_t base);
uint32_t echo_name_push(EchoNameTable *table, const EchoNameKey *key, void *value, uint32_t count);
/* Drops all entries from `mark` on. */
void echo_name_pop_to(EchoNameTable *table, size_t mark);
void echo_name_destroy(EchoNameTable *table);

/* ---- values and blocks ---- */
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

#endif
