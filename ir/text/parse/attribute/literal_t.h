/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Numbers: a lone one, and those between the brackets of elements attributes, which are read with
 * one pointer into host data. */
#ifndef ECHO_IR_TEXT_PARSE_ATTRIBUTE_LITERAL_T_H
#define ECHO_IR_TEXT_PARSE_ATTRIBUTE_LITERAL_T_H

#include "ir/text/parse/parser_t.h"

/* Whether short decimal integers may be stored at once. */
typedef enum QuickIntegers { QUICK_NONE, QUICK_SIGNED, QUICK_UNSIGNED } QuickIntegers;

typedef struct Literal {
  EchoAsmParser *p;
  const EchoType *element;
  const EchoType *scalar; /* the element, or a complex element's part */
  uint32_t element_bytes;
  QuickIntegers quick;
  bool is_list, are_strings;
  EchoStr hex; /* the content of a lone string; data NULL = none */
  int64_t dims[ECHO_MAX_RANK];
  size_t rank, n_elements;
  uint8_t *data; /* owned, host layout */
  size_t size_bytes, capacity_bytes;
  ECHO_VECTOR(const EchoAttr *) strings;
} Literal;

/* Nothing, one element, a nested list, or a string. `n_expected` sizes the data beforehand; 0 =
 * unknown. Destroy in any case. */
bool echo_literal_parse(EchoAsmParser *p, Literal *literal, const char *start, const char *end,
                        const EchoType *element, size_t n_expected);
/* "1, 2, 3" */
bool echo_literal_parse_flat(EchoAsmParser *p, Literal *literal, const char *start, const char *end,
                             const EchoType *element);
/* The data, owned by the caller from now on. */
void *echo_literal_take(Literal *literal);
void echo_literal_destroy(Literal *literal);

/* One number token with its sign, as an attribute of `type`. */
const EchoAttr *echo_parser_number(EchoAsmParser *p, const EchoType *type_or_null, bool negative);

#endif
