/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where an instruction's operands lie, and what its mnemonic says of types and spaces. */
#include "tests/gpu/decode.h"

unsigned decode_operand_bytes(Type type)
{
  return type_bytes(type);
}

/* A place with lanes of `type`; predicates are words of 32 bits. */
bool decode_place_of(Parser *parser, const Line *line, const Operand *operand, Type type,
                     uint32_t *place)
{
  switch (operand->kind) {
  case OPERAND_REGISTER:
    if ((operand->type == T_PRED) != (type == T_PRED) ||
        decode_operand_bytes(operand->type) != decode_operand_bytes(type))
      return parse_fail(parser, line->number, "an operand of '%s' has the wrong width",
                        line->mnemonic);
    *place = operand->place;
    return true;
  case OPERAND_INTEGER:
  case OPERAND_F32:
  case OPERAND_F64:
  case OPERAND_SYMBOL: {
    uint64_t value = operand->value;
    unsigned bytes = decode_operand_bytes(type);
    if (type == T_PRED && operand->kind != OPERAND_INTEGER)
      return parse_fail(parser, line->number, "'%s' takes a predicate", line->mnemonic);
    if (type == T_PRED)
      value = value != 0 ? UINT32_MAX : 0; /* the first word of a constant's lanes is all of it */
    if (bytes < 8)
      value &= (UINT64_C(1) << bytes * 8) - 1;
    *place = parse_constant(parser, value, bytes);
    return true;
  }
  case OPERAND_MEMORY:
  case OPERAND_LIST:
  case OPERAND_LABEL:
  case OPERAND_SINK:
    break;
  }
  return parse_fail(parser, line->number, "'%s' does not take such an operand", line->mnemonic);
}

/* The same, of a register of any width; *type is that of the register. */
bool decode_place_of_any(Parser *parser, const Line *line, const Operand *operand, Type fallback,
                         uint32_t *place, Type *type)
{
  *type = operand->kind == OPERAND_REGISTER ? operand->type : fallback;
  return decode_place_of(parser, line, operand, *type, place);
}

bool decode_address_of(Parser *parser, const Line *line, const Operand *operand, Insn *insn)
{
  if (operand->kind != OPERAND_MEMORY)
    return parse_fail(parser, line->number, "'%s' takes an address", line->mnemonic);
  insn->address = operand->place;
  insn->is_wide_address = decode_operand_bytes(operand->type) == 8;
  insn->offset = operand->offset;
  return true;
}

bool decode_count_operands(Parser *parser, const Line *line, size_t from, size_t to)
{
  return (line->n_top >= from && line->n_top <= to) ||
         parse_fail(parser, line->number, "'%s' has %zu operands", line->mnemonic, line->n_top);
}

Type decode_last_type(const Line *line)
{
  return line->n_types != 0 ? line->types[line->n_types - 1] : T_NONE;
}

Space decode_space_of(const Line *line)
{
  return line_has(line, "global")                                    ? SPACE_GLOBAL
         : line_has(line, "shared") || line_has(line, "shared::cta") ? SPACE_SHARED
         : line_has(line, "local")                                   ? SPACE_LOCAL
         : line_has(line, "param") || line_has(line, "param::entry") ? SPACE_PARAM
         : line_has(line, "const")                                   ? SPACE_CONST
                                                                     : SPACE_GENERIC;
}

/* Parts of `names`, a list that ends with NULL; its number, or -1. */
int decode_which_part(const Line *line, const char *const *names)
{
  for (int i = 0; names[i] != NULL; i++)
    if (line_has(line, names[i]))
      return i;
  return -1;
}
