/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An op under construction: its name, its parts on the parser's stacks, its regions, its end. */
#ifndef ECHO_IR_TEXT_PARSE_OP_T_H
#define ECHO_IR_TEXT_PARSE_OP_T_H

#include "ir/text/parse/parser_t.h"

/* Opens a region, the current token being "{", for the op frame on top; its entry block is made by
 * who needs one. */
bool echo_parser_open_region(EchoAsmParser *p, bool of_generic_op);
/* An entry block for the region just opened. */
EchoBlock *echo_parser_entry_block(EchoAsmParser *p);
/* The dialect whose prefix may be left out here. */
EchoStr echo_parser_default_dialect(const EchoAsmParser *p);
/* Pushes the frame of an op whose name is at `start`; in its regions the prefix of `dialect` may be
 * left out. */
void echo_parser_push_op(EchoAsmParser *p, EchoOpName *name, const char *start, size_t bindings,
                         EchoStr dialect);
/* Creates the op on top from the values in op_values and these result types, appends it to the open
 * block, binds its results, reads a trailing location and pops the frame. False after an error. */
bool echo_parser_finish_op(EchoAsmParser *p, const EchoType *const *result_types, size_t n_results);
/* `properties` with the defaults of the op's row. */
const EchoAttr *echo_parser_complete(EchoAsmParser *p, EchoOpName *name,
                                     const EchoAttr *properties);
/* "%a#1" */
bool echo_parser_operand_name(EchoAsmParser *p, EchoOperandName *operand);
EchoOpName *echo_parser_op_name(EchoAsmParser *p, EchoStr text);
/* True after an error at `at`: the dialect of an op that nobody knows has another name today, and
 * no such op. */
bool echo_parser_refuse_former(EchoAsmParser *p, EchoStr op, const char *at);

#endif
