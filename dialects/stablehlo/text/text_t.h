/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The pretty forms of stablehlo and chlo. Most are one line of a small language that one parser and
 * one printer read (EchoHloFormat); the others have functions of their own, in text_*.c. */
#ifndef ECHO_DIALECTS_STABLEHLO_TEXT_TEXT_T_H
#define ECHO_DIALECTS_STABLEHLO_TEXT_TEXT_T_H

#include "dialects/stablehlo/attributes/attributes_t.h"
#include "ir/text/asm.h"

/* What stands behind ':'. */
typedef enum EchoHloSignature {
  ECHO_HLO_TYPES_FUNCTIONAL, /* (operand types) -> result types */
  ECHO_HLO_TYPES_SAME,       /* one type for all operands and the result, else FUNCTIONAL */
  ECHO_HLO_TYPES_RESULTS,    /* result types */
  ECHO_HLO_TYPES_PAIRWISE,   /* operand types, which are the result types */
  ECHO_HLO_TYPES_TUPLE,      /* the result, a tuple of the operand types */
  ECHO_HLO_TYPES_COMPLEX,    /* the result, complex of the operand types, else FUNCTIONAL */
  ECHO_HLO_TYPES_SELECT,     /* predicate, value; else FUNCTIONAL */
  ECHO_HLO_TYPES_ARROW,      /* operand types without parentheses -> result type (chlo) */
  ECHO_HLO_TYPES_OPERANDS    /* operand types, nothing when there are none (return) */
} EchoHloSignature;

typedef enum EchoHloClauseKind {
  ECHO_HLO_CLAUSE_DIMS,   /* keyword = [1, 2] */
  ECHO_HLO_CLAUSE_INT,    /* keyword = 1 (an i64) */
  ECHO_HLO_CLAUSE_STRING, /* keyword = "…" */
  ECHO_HLO_CLAUSE_WORD,   /* keyword = PHILOX, of an enumeration */
  ECHO_HLO_CLAUSE_BOOL    /* keyword = true; left out when false */
} EchoHloClauseKind;

/* "keyword = value", an attribute. */
typedef struct EchoHloClause {
  const char *keyword, *attr;
  EchoHloClauseKind kind;
  EchoHloAttrKind word; /* of WORD */
} EchoHloClause;

/* operands ", " clauses attr-dict ": " signature */
typedef struct EchoHloFormat {
  int n_operands; /* -1 = any number */
  EchoHloSignature signature;
  EchoHloClause clauses[4]; /* ends with a NULL keyword */
} EchoHloFormat;

bool echo_hlo_parse_format(EchoAsmParser *parser, const EchoHloFormat *format);
void echo_hlo_print_format(EchoAsmPrinter *printer, const EchoOp *op, const EchoHloFormat *format);

/* Defines echo_hlo_parse_NAME and echo_hlo_print_NAME from a format. */
#define ECHO_HLO_DEFINE_FORMAT(name, ...)                                                          \
  static const EchoHloFormat FORMAT_##name = {__VA_ARGS__};                                        \
  bool echo_hlo_parse_##name(EchoAsmParser *parser)                                                \
  {                                                                                                \
    return echo_hlo_parse_format(parser, &FORMAT_##name);                                          \
  }                                                                                                \
  void echo_hlo_print_##name(EchoAsmPrinter *printer, const EchoOp *op)                            \
  {                                                                                                \
    echo_hlo_print_format(printer, op, &FORMAT_##name);                                            \
  }
#define ECHO_HLO_DECLARE_FORMAT(name)                                                              \
  EchoParseFn echo_hlo_parse_##name;                                                               \
  EchoPrintFn echo_hlo_print_##name

/* ---- pieces for forms of their own ---- */

/* "[1, -2]" appended to a list in the context. */
bool echo_hlo_parse_int_list(EchoAsmParser *parser, EchoDimList *list);
void echo_hlo_print_int_list(EchoAsmPrinter *printer, EchoDimList list);
/* A bare WORD of an enumeration, as its attribute. */
bool echo_hlo_parse_word(EchoAsmParser *parser, const char *dialect, EchoHloAttrKind kind,
                         const EchoAttr **attr);
/* ": " signature, with operands resolved and result types added. */
bool echo_hlo_parse_signature(EchoAsmParser *parser, EchoHloSignature signature,
                              const EchoAsmOperand *operands, size_t n_operands);
void echo_hlo_print_signature(EchoAsmPrinter *printer, const EchoOp *op,
                              EchoHloSignature signature);
/* " {…}" without the attributes named (NULL-terminated, or NULL) and without optional ones that
 * have their default value. */
void echo_hlo_print_attr_dict(EchoAsmPrinter *printer, const EchoOp *op, const char *const *elided);

/* ---- forms by table ---- */
ECHO_HLO_DECLARE_FORMAT(unary);      /* %a : type */
ECHO_HLO_DECLARE_FORMAT(binary);     /* %a, %b : type */
ECHO_HLO_DECLARE_FORMAT(ternary);    /* %a, %b, %c : type */
ECHO_HLO_DECLARE_FORMAT(functional); /* %a, … : (types) -> type */
ECHO_HLO_DECLARE_FORMAT(select);
ECHO_HLO_DECLARE_FORMAT(complex);
ECHO_HLO_DECLARE_FORMAT(after_all);
ECHO_HLO_DECLARE_FORMAT(broadcast);
ECHO_HLO_DECLARE_FORMAT(broadcast_in_dim);
ECHO_HLO_DECLARE_FORMAT(cholesky);
ECHO_HLO_DECLARE_FORMAT(concatenate);
ECHO_HLO_DECLARE_FORMAT(dynamic_broadcast_in_dim);
ECHO_HLO_DECLARE_FORMAT(dynamic_iota);
ECHO_HLO_DECLARE_FORMAT(dynamic_slice);
ECHO_HLO_DECLARE_FORMAT(einsum);
ECHO_HLO_DECLARE_FORMAT(unary_einsum);
ECHO_HLO_DECLARE_FORMAT(fft);
ECHO_HLO_DECLARE_FORMAT(get_dimension_size);
ECHO_HLO_DECLARE_FORMAT(set_dimension_size);
ECHO_HLO_DECLARE_FORMAT(iota);
ECHO_HLO_DECLARE_FORMAT(pad);
ECHO_HLO_DECLARE_FORMAT(results); /* : types */
ECHO_HLO_DECLARE_FORMAT(return );
ECHO_HLO_DECLARE_FORMAT(reverse);
ECHO_HLO_DECLARE_FORMAT(rng);
ECHO_HLO_DECLARE_FORMAT(rng_bit_generator);
ECHO_HLO_DECLARE_FORMAT(transpose);
ECHO_HLO_DECLARE_FORMAT(tuple);

/* ---- forms of their own ---- */
ECHO_HLO_DECLARE_FORMAT(compare);
ECHO_HLO_DECLARE_FORMAT(composite);
ECHO_HLO_DECLARE_FORMAT(constant);
ECHO_HLO_DECLARE_FORMAT(convolution);
ECHO_HLO_DECLARE_FORMAT(custom_call);
ECHO_HLO_DECLARE_FORMAT(dot);
ECHO_HLO_DECLARE_FORMAT(dot_general);
ECHO_HLO_DECLARE_FORMAT(get_tuple_element);
ECHO_HLO_DECLARE_FORMAT(optimization_barrier);
ECHO_HLO_DECLARE_FORMAT(reduce);
ECHO_HLO_DECLARE_FORMAT(reduce_precision);
ECHO_HLO_DECLARE_FORMAT(slice);
ECHO_HLO_DECLARE_FORMAT(while);

#endif
