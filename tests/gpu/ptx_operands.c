/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Types, places in the register file, and operands as they are written. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/parse.h"

/* ---- types ---- */

static const struct {
  const char *name;
  unsigned bytes;
} TYPES[N_TYPES] = {
    [T_NONE] = {"", 0},       [T_PRED] = {"pred", 4}, [T_B8] = {"b8", 1},
    [T_U8] = {"u8", 1},       [T_S8] = {"s8", 1},     [T_B16] = {"b16", 2},
    [T_U16] = {"u16", 2},     [T_S16] = {"s16", 2},   [T_F16] = {"f16", 2},
    [T_BF16] = {"bf16", 2},   [T_B32] = {"b32", 4},   [T_U32] = {"u32", 4},
    [T_S32] = {"s32", 4},     [T_F32] = {"f32", 4},   [T_TF32] = {"tf32", 4},
    [T_F16X2] = {"f16x2", 4}, [T_B64] = {"b64", 8},   [T_BF16X2] = {"bf16x2", 4},
    [T_U64] = {"u64", 8},     [T_S64] = {"s64", 8},   [T_F64] = {"f64", 8},
    [T_B128] = {"b128", 16},
};

unsigned type_bytes(Type type)
{
  return TYPES[type].bytes;
}

bool type_is_signed(Type type)
{
  return type == T_S8 || type == T_S16 || type == T_S32 || type == T_S64;
}

bool type_is_float(Type type)
{
  return type == T_F16 || type == T_BF16 || type == T_F32 || type == T_TF32 || type == T_F64;
}

Type type_named(const char *name, size_t size)
{
  for (int i = 1; i < N_TYPES; i++)
    if (strlen(TYPES[i].name) == size && memcmp(TYPES[i].name, name, size) == 0)
      return (Type)i;
  return T_NONE;
}

bool parse_type(Parser *parser, Type *type)
{
  *type = parse_at(parser, "") || parser->token.text[0] != '.'
              ? T_NONE
              : type_named(parser->token.text + 1, parser->token.size - 1);
  if (*type == T_NONE)
    return parse_fail(parser, parser->token.line, "expected a type, not '%.*s'",
                      (int)parser->token.size, parser->token.text);
  parse_next(parser);
  return true;
}

/* ---- places in the register file ---- */

uint32_t lanes_bytes(uint32_t value_bytes)
{
  return value_bytes * LANES;
}

uint32_t parse_place(PtxKernel *kernel, uint32_t bytes)
{
  uint32_t place = (kernel->register_bytes + 63) / 64 * 64;
  kernel->register_bytes = place + bytes;
  return place;
}

uint32_t parse_constant(Parser *parser, uint64_t value, uint32_t bytes)
{
  PtxKernel *kernel = parser->kernel;
  uint64_t hash = (value * UINT64_C(0x9e3779b97f4a7c15) + bytes) >> 54;
  uint32_t *bucket = &parser->constant_map[hash % 1024];
  for (uint32_t i = *bucket; i != 0; i = parser->constant_next[i - 1])
    if (kernel->constants[i - 1].value == value && kernel->constants[i - 1].bytes == bytes)
      return kernel->constants[i - 1].place;
  size_t capacity = parser->constant_capacity;
  kernel->constants = parse_grow(kernel->constants, kernel->n_constants, &parser->constant_capacity,
                                 sizeof *kernel->constants);
  if (capacity != parser->constant_capacity)
    parser->constant_next =
        realloc(parser->constant_next, parser->constant_capacity * sizeof(uint32_t));
  uint32_t place = parse_place(kernel, lanes_bytes(bytes));
  parser->constant_next[kernel->n_constants] = *bucket;
  kernel->constants[kernel->n_constants++] = (PtxConstant){value, place, bytes};
  *bucket = (uint32_t)kernel->n_constants;
  return place;
}

static const char *const SPECIALS[N_SPECIALS] = {
    "%tid.x",       "%tid.y",       "%tid.z",       "%ntid.x",      "%ntid.y",
    "%ntid.z",      "%ctaid.x",     "%ctaid.y",     "%ctaid.z",     "%nctaid.x",
    "%nctaid.y",    "%nctaid.z",    "%laneid",      "%warpid",      "%lanemask_lt",
    "%lanemask_le", "%lanemask_eq", "%lanemask_ge", "%lanemask_gt", "%clock"};

/* A register of the innermost braces that have it; false when there is none. */
static bool find_register(Parser *parser, const Token *token, Operand *operand)
{
  for (int i = 0; i < N_SPECIALS; i++) {
    if (!token_is(token, SPECIALS[i]))
      continue;
    uint32_t *place = &parser->kernel->specials[i];
    if (*place == 0)
      *place = parse_place(parser->kernel, lanes_bytes(4));
    *operand = (Operand){.kind = OPERAND_REGISTER, .type = T_B32, .place = *place};
    return true;
  }
  size_t stem = token->size;
  while (stem > 0 && isdigit((unsigned char)token->text[stem - 1]))
    stem--;
  uint32_t number = (uint32_t)strtoul(token->text + stem, NULL, 10);
  for (size_t i = parser->n_ranges; i-- > 0;) {
    const RegisterRange *range = &parser->ranges[i];
    size_t size = range->n != 0 ? stem : token->size;
    if (strlen(range->prefix) != size || memcmp(range->prefix, token->text, size) != 0 ||
        (range->n != 0 && (stem == token->size || number >= range->n)))
      continue;
    *operand = (Operand){.kind = OPERAND_REGISTER,
                         .type = range->type,
                         .place = range->place + (range->n != 0 ? number * range->stride : 0)};
    return true;
  }
  return false;
}

static const PtxVariable *find_variable(const Parser *parser, const Token *token)
{
  const PtxKernel *kernel = parser->kernel;
  for (size_t i = kernel != NULL ? kernel->n_variables : 0; i-- > 0;)
    if (token_is(token, kernel->variables[i].name))
      return &kernel->variables[i];
  for (size_t i = 0; i < parser->module->n_globals; i++)
    if (token_is(token, parser->module->globals[i].name))
      return &parser->module->globals[i];
  return NULL;
}

/* ---- operands ---- */

static Operand *add_flat(Parser *parser, Line *line)
{
  if (line->n_flat == MAX_FLAT) {
    parse_fail(parser, line->number, "too many operands");
    return NULL;
  }
  Operand *operand = &line->flat[line->n_flat++];
  *operand = (Operand){0};
  return operand;
}

static bool parse_number(Parser *parser, Operand *operand)
{
  if (token_is_float(&parser->token, 'f') || token_is_float(&parser->token, 'd')) {
    operand->kind =
        tolower((unsigned char)parser->token.text[1]) == 'f' ? OPERAND_F32 : OPERAND_F64;
    operand->value = strtoull(parser->token.text + 2, NULL, 16);
    parse_next(parser);
    return true;
  }
  int64_t value;
  operand->kind = OPERAND_INTEGER;
  if (!parse_integer(parser, &value))
    return false;
  operand->value = (uint64_t)value;
  return true;
}

/* A parameter's offset, or a variable's address. */
static bool find_symbol(Parser *parser, Operand *operand)
{
  const Token *token = &parser->token;
  const PtxVariable *variable = find_variable(parser, token);
  operand->kind = OPERAND_SYMBOL;
  if (variable == NULL) {
    operand->kind = OPERAND_LABEL;
    if (token->size >= sizeof operand->name)
      return parse_fail(parser, token->line, "a name is too long");
    memcpy(operand->name, token->text, token->size);
    operand->name[token->size] = '\0';
  } else {
    operand->space = variable->space == SPACE_PARAM ? SPACE_PARAM : variable->space;
    operand->value = variable->address;
  }
  parse_next(parser);
  return true;
}

bool parse_simple(Parser *parser, Operand *operand)
{
  operand->is_negated = parse_take(parser, "!");
  if (parse_take(parser, "_")) {
    operand->kind = OPERAND_SINK;
    return true;
  }
  if (parse_at(parser, "-") || parser->token.kind == TOKEN_NUMBER)
    return parse_number(parser, operand);
  if (parser->token.kind != TOKEN_WORD)
    return parse_fail(parser, parser->token.line, "expected an operand, not '%.*s'",
                      (int)parser->token.size, parser->token.text);
  bool is_negated = operand->is_negated;
  Token token = parser->token;
  if (!find_register(parser, &token, operand))
    return token.text[0] != '%' ? find_symbol(parser, operand)
                                : parse_fail(parser, token.line, "'%.*s' is no register",
                                             (int)token.size, token.text);
  parse_next(parser);
  operand->is_negated = is_negated;
  return true;
}

static bool parse_memory(Parser *parser, Operand *operand)
{
  Operand base = {0};
  if (!parse_simple(parser, &base))
    return false;
  *operand = (Operand){.kind = OPERAND_MEMORY, .space = base.space};
  if (base.kind == OPERAND_REGISTER) {
    operand->place = base.place;
    operand->type = base.type;
  } else if (base.kind == OPERAND_SYMBOL || base.kind == OPERAND_INTEGER) {
    operand->offset = (int64_t)base.value;
  } else {
    return parse_fail(parser, parser->token.line, "'%s' is no variable", base.name);
  }
  int64_t offset;
  if (parse_take(parser, "+") || parse_at(parser, "-")) {
    if (!parse_integer(parser, &offset))
      return false;
    operand->offset += offset;
  }
  return parse_expect(parser, "]");
}

static bool parse_list(Parser *parser, Line *line, const char *end, Operand *operand)
{
  Operand list = {.kind = OPERAND_LIST, .first = (uint8_t)line->n_flat};
  do {
    Operand *member = add_flat(parser, line);
    if (member == NULL || !parse_simple(parser, member))
      return false;
    list.n++;
  } while (parse_take(parser, ","));
  *operand = list;
  return parse_expect(parser, end);
}

bool parse_operand(Parser *parser, Line *line)
{
  if (line->n_top == sizeof line->top)
    return parse_fail(parser, line->number, "too many operands");
  line->top[line->n_top++] = (uint8_t)line->n_flat;
  Operand *operand = add_flat(parser, line);
  if (operand == NULL)
    return false;
  if (parse_take(parser, "["))
    return parse_memory(parser, operand);
  if (parse_take(parser, "{"))
    return parse_list(parser, line, "}", operand);
  if (parse_take(parser, "("))
    return parse_list(parser, line, ")", operand);
  return parse_simple(parser, operand);
}
