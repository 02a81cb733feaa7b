/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What decoding an instruction asks of its line: ptx_places.c. Functions that return bool are false
 * after an error, which is told. */
#ifndef ECHO_TESTS_GPU_DECODE_H
#define ECHO_TESTS_GPU_DECODE_H

#include "tests/gpu/parse.h"

unsigned decode_operand_bytes(Type type);
/* A place with lanes of `type`; predicates are words of 32 bits. */
bool decode_place_of(Parser *parser, const Line *line, const Operand *operand, Type type,
                     uint32_t *place);
/* The same, of a register of any width; *type is that of the register. */
bool decode_place_of_any(Parser *parser, const Line *line, const Operand *operand, Type fallback,
                         uint32_t *place, Type *type);
bool decode_address_of(Parser *parser, const Line *line, const Operand *operand, Insn *insn);
bool decode_count_operands(Parser *parser, const Line *line, size_t from, size_t to);
Type decode_last_type(const Line *line);
Space decode_space_of(const Line *line);
/* Which of `names`, a list that ends with NULL, the mnemonic has; -1: none. */
int decode_which_part(const Line *line, const char *const *names);

#endif
