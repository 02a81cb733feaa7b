/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What an op's pretty parser and printer are written with. A print hook is called after "%r = " and
 * the op's name were printed, and writes what follows, without trailing location or newline. A
 * parse hook is called after the op's name was consumed; it gathers operands, attributes, regions
 * and types, and ends with one of the resolve/finish calls. Each function returns false after it
 * reported an error at the token. */
#ifndef ECHO_IR_TEXT_ASM_H
#define ECHO_IR_TEXT_ASM_H

#include "ir/table/op_info.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An operand as written, before its type is known. */
typedef struct EchoAsmOperand {
  EchoStr name;    /* without '%' */
  uint32_t number; /* the "#2" of %r#2, else 0 */
  EchoLoc loc;
} EchoAsmOperand;

/* ---- parsing ---- */
EchoContext *echo_asm_context(EchoAsmParser *parser);
EchoLoc echo_asm_loc(EchoAsmParser *parser);    /* of the next token */
EchoLoc echo_asm_op_loc(EchoAsmParser *parser); /* of the op's name */
bool echo_asm_error(EchoAsmParser *parser, EchoLoc loc, const char *format, ...) ECHO_PRINTF(3, 4);

bool echo_asm_parse_token(EchoAsmParser *parser,
                          const char *token); /* punctuation: "(", "->", "::" … */
bool echo_asm_try_token(EchoAsmParser *parser, const char *token); /* true when consumed */
bool echo_asm_at_token(EchoAsmParser *parser,
                       const char *token); /* looks, consumes nothing; "@" = any symbol; not "::" */
bool echo_asm_parse_keyword(EchoAsmParser *parser, const char *keyword);
bool echo_asm_try_keyword(EchoAsmParser *parser, const char *keyword);
bool echo_asm_parse_any_keyword(EchoAsmParser *parser, EchoStr *keyword); /* bare identifier */
bool echo_asm_parse_i64(EchoAsmParser *parser, int64_t *value);           /* optional '-' */
bool echo_asm_try_i64(EchoAsmParser *parser,
                      int64_t *value); /* false, silent, when not an integer */
bool echo_asm_parse_string(EchoAsmParser *parser, EchoStr *value); /* unescaped, in the context */
bool echo_asm_parse_symbol(EchoAsmParser *parser, EchoStr *name);  /* @name, unquoted */
bool echo_asm_parse_type(EchoAsmParser *parser, const EchoType **type);
bool echo_asm_parse_attr(EchoAsmParser *parser, const EchoType *type_or_null,
                         const EchoAttr **attr); /* with a type: a bare number takes it */
/* The source text of "<…>", "[…]", "{…}" or "(…)" with its brackets, whatever is in it; brackets
 * and strings balance. */
bool echo_asm_parse_balanced(EchoAsmParser *parser, char open, EchoStr *text);
bool echo_asm_try_attr_dict(EchoAsmParser *parser); /* optional {…}: added to the op's attributes */
bool echo_asm_try_attr_dict_with_keyword(EchoAsmParser *parser); /* optional "attributes {…}" */
bool echo_asm_parse_operand(EchoAsmParser *parser, EchoAsmOperand *operand);
bool echo_asm_try_operand(EchoAsmParser *parser,
                          EchoAsmOperand *operand); /* false, silent, when no '%' */
/* "%a, %b" until something else; appended to the scratch list, returned as an array valid during
 * the hook. */
bool echo_asm_parse_operand_list(EchoAsmParser *parser, EchoAsmOperand **operands, size_t *n);
bool echo_asm_parse_type_list(EchoAsmParser *parser, const EchoType ***types, size_t *n);
/* "(types) -> types": either side valid during the hook. */
bool echo_asm_parse_function_type(EchoAsmParser *parser, const EchoType ***inputs, size_t *n_inputs,
                                  const EchoType ***results, size_t *n_results);
/* ": type, type" | ": (types) -> types" | ": type": see StableHLO's short and full signatures. */
bool echo_asm_parse_successor(EchoAsmParser *parser, EchoBlock **block);
/* A region for the op under construction, in order. `args` name and type the entry arguments (may
 * be NULL when the region's text declares them itself or has none). */
bool echo_asm_parse_region(EchoAsmParser *parser, const EchoAsmOperand *args,
                           const EchoType *const *arg_types, const EchoLoc *arg_locs,
                           size_t n_args);
/* What the hook made up (an op, an argument) has the op's location too, once its trailing "loc(…)"
 * was read. `target` outlives the parser. */
void echo_asm_share_loc(EchoAsmParser *parser, EchoLoc *target);
/* Trailing "loc(…)" of the op or argument; optional. */
bool echo_asm_try_loc(EchoAsmParser *parser, EchoLoc *loc);
/* Makes an empty region for the op, with one block of these argument types; for hooks that fill it
 * by hand. */
EchoBlock *echo_asm_add_region_with_block(EchoAsmParser *parser, const EchoType *const *arg_types,
                                          const EchoLoc *arg_locs, size_t n_args);
/* A region without blocks (of a declaration). */
void echo_asm_add_empty_region(EchoAsmParser *parser);

/* Looks an operand up (or makes a forward reference) with its type and appends it to the op. */
bool echo_asm_resolve_operand(EchoAsmParser *parser, const EchoAsmOperand *operand,
                              const EchoType *type);
/* All of them, one type each; an error at `loc` when there are more or fewer types. */
bool echo_asm_resolve_operands(EchoAsmParser *parser, const EchoAsmOperand *operands,
                               size_t n_operands, EchoLoc loc, const EchoType *const *types,
                               size_t n_types);
/* "%a, %b : types", or nothing: parsed and resolved. */
bool echo_asm_parse_typed_operands(EchoAsmParser *parser);
void echo_asm_add_result_type(EchoAsmParser *parser, const EchoType *type);
void echo_asm_add_successor(EchoAsmParser *parser, EchoBlock *block);
void echo_asm_add_attr(EchoAsmParser *parser, const char *name,
                       const EchoAttr *value); /* property or discardable by the row */
/* Infers result types with the row's hook from what was gathered. */
bool echo_asm_infer_results(EchoAsmParser *parser);

/* ---- printing ---- */
EchoBuffer *echo_asm_out(EchoAsmPrinter *printer);
void echo_asm_print(EchoAsmPrinter *printer, const char *format, ...) ECHO_PRINTF(2, 3);
void echo_asm_print_value(EchoAsmPrinter *printer, const EchoValue *value); /* %3, %arg0, %r#1 */
void echo_asm_print_operands(EchoAsmPrinter *printer, const EchoOp *op, size_t begin,
                             size_t count); /* "%a, %b" */
/* " %a, %b : types" of all operands; nothing when there are none. */
void echo_asm_print_typed_operands(EchoAsmPrinter *printer, const EchoOp *op);
void echo_asm_print_type(EchoAsmPrinter *printer, const EchoType *type);
void echo_asm_print_attr(EchoAsmPrinter *printer, const EchoAttr *attr);
void echo_asm_print_attr_without_type(EchoAsmPrinter *printer, const EchoAttr *attr);
void echo_asm_print_symbol(EchoAsmPrinter *printer, EchoStr name); /* @name, quoted when needed */
/* A newline and the indentation of the op being printed ("cond {" of a loop starts a line). */
void echo_asm_print_newline(EchoAsmPrinter *printer);
/* " {…}" of all attributes but those named (NULL-terminated list, or NULL); nothing when none are
 * left. */
void echo_asm_print_attr_dict(EchoAsmPrinter *printer, const EchoOp *op, const char *const *elided);
void echo_asm_print_attr_dict_with_keyword(EchoAsmPrinter *printer, const EchoOp *op,
                                           const char *const *elided); /* " attributes {…}" */
/* "{ … }", nested and indented. */
void echo_asm_print_region(EchoAsmPrinter *printer, const EchoRegion *region, bool print_entry_args,
                           bool print_terminator);
void echo_asm_print_successor(EchoAsmPrinter *printer, const EchoBlock *block);
/* " loc(…)" of a region's argument, when debug info is on. (Ops get theirs by themselves.) */
void echo_asm_print_loc(EchoAsmPrinter *printer, EchoLoc loc);
/* "(types) -> types" of operands and results. */
void echo_asm_print_functional_type(EchoAsmPrinter *printer, const EchoOp *op);

#ifdef __cplusplus
}
#endif

#endif
