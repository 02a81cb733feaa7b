/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Directives, variables, registers, labels and the form of instructions. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/machine.h"
#include "tests/gpu/parse.h"

/* ---- small things ---- */

bool parse_fail(Parser *parser, uint32_t line, const char *format, ...)
{
  if (parser->failed)
    return false;
  parser->failed = true;
  if (parser->log_bytes == 0)
    return false;
  int n = snprintf(parser->log, parser->log_bytes, "ptx, line %u: error: ", line);
  if (n < 0 || (size_t)n >= parser->log_bytes)
    return false;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(parser->log + n, parser->log_bytes - (size_t)n, format, arguments);
  va_end(arguments);
  return false;
}

static void *grow(void *list, size_t n, size_t *capacity, size_t element_bytes)
{
  if (n < *capacity)
    return list;
  *capacity = *capacity == 0 ? 64 : *capacity * 2;
  return realloc(list, *capacity * element_bytes);
}

static void next(Parser *parser)
{
  parser->token = lex_next(&parser->lexer);
}

static bool at(const Parser *parser, const char *text)
{
  return token_is(&parser->token, text);
}

static bool take(Parser *parser, const char *text)
{
  if (!at(parser, text))
    return false;
  next(parser);
  return true;
}

static bool expect(Parser *parser, const char *text)
{
  if (take(parser, text))
    return true;
  return parse_fail(parser, parser->token.line, "expected '%s', not '%.*s'", text,
                    (int)parser->token.size, parser->token.text);
}

static char *copy_word(Parser *parser)
{
  char *word = malloc(parser->token.size + 1);
  memcpy(word, parser->token.text, parser->token.size);
  word[parser->token.size] = '\0';
  next(parser);
  return word;
}

static bool is_float_number(const Token *token, char kind)
{
  return token->kind == TOKEN_NUMBER && token->size > 2 && token->text[0] == '0' &&
         tolower((unsigned char)token->text[1]) == kind;
}

/* An integer, with a sign. */
static bool take_integer(Parser *parser, int64_t *value)
{
  bool is_negative = take(parser, "-");
  if (parser->token.kind != TOKEN_NUMBER)
    return parse_fail(parser, parser->token.line, "expected a number, not '%.*s'",
                      (int)parser->token.size, parser->token.text);
  uint64_t magnitude = strtoull(parser->token.text, NULL, 0);
  next(parser);
  *value = (int64_t)(is_negative ? 0 - magnitude : magnitude);
  return true;
}

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

static Type type_named(const char *name, size_t size)
{
  for (int i = 1; i < N_TYPES; i++)
    if (strlen(TYPES[i].name) == size && memcmp(TYPES[i].name, name, size) == 0)
      return (Type)i;
  return T_NONE;
}

static bool take_type(Parser *parser, Type *type)
{
  *type = at(parser, "") || parser->token.text[0] != '.'
              ? T_NONE
              : type_named(parser->token.text + 1, parser->token.size - 1);
  if (*type == T_NONE)
    return parse_fail(parser, parser->token.line, "expected a type, not '%.*s'",
                      (int)parser->token.size, parser->token.text);
  next(parser);
  return true;
}

/* ---- places in the register file ---- */

static uint32_t lanes_bytes(uint32_t value_bytes)
{
  return value_bytes * LANES;
}

static uint32_t add_place(PtxKernel *kernel, uint32_t bytes)
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
  kernel->constants = grow(kernel->constants, kernel->n_constants, &parser->constant_capacity,
                           sizeof *kernel->constants);
  if (capacity != parser->constant_capacity)
    parser->constant_next =
        realloc(parser->constant_next, parser->constant_capacity * sizeof(uint32_t));
  uint32_t place = add_place(kernel, lanes_bytes(bytes));
  parser->constant_next[kernel->n_constants] = *bucket;
  kernel->constants[kernel->n_constants++] = (PtxConstant){value, place, bytes};
  *bucket = (uint32_t)kernel->n_constants;
  return place;
}

/* .reg .b32 %r<8>; or .reg .b64 %SP, %SPL; */
static bool parse_registers(Parser *parser)
{
  Type type;
  if (!take_type(parser, &type))
    return false;
  do {
    if (parser->n_ranges == MAX_RANGES || parser->token.size >= sizeof parser->ranges[0].prefix)
      return parse_fail(parser, parser->token.line, "too many lines of registers");
    RegisterRange *range = &parser->ranges[parser->n_ranges++];
    *range = (RegisterRange){.type = type};
    memcpy(range->prefix, parser->token.text, parser->token.size);
    next(parser);
    int64_t n = 0;
    if (take(parser, "<") && (!take_integer(parser, &n) || !expect(parser, ">")))
      return false;
    range->n = (uint32_t)n;
    range->stride = type == T_PRED ? 4 : lanes_bytes(type_bytes(type));
    range->place = add_place(parser->kernel, range->stride * (n > 0 ? range->n : 1));
  } while (take(parser, ","));
  return expect(parser, ";");
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
      *place = add_place(parser->kernel, lanes_bytes(4));
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

/* ---- variables ---- */

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

/* = {1, 2, 0f3F800000} as bytes. */
static bool parse_initializer(Parser *parser, PtxVariable *variable, Type type)
{
  unsigned bytes = type_bytes(type);
  size_t i = 0;
  variable->init = calloc(variable->bytes + 1, 1);
  bool is_list = take(parser, "{");
  do {
    int64_t value;
    if (is_float_number(&parser->token, 'f') || is_float_number(&parser->token, 'd')) {
      value = (int64_t)strtoull(parser->token.text + 2, NULL, 16);
      next(parser);
    } else if (!take_integer(parser, &value)) {
      return false;
    }
    if ((i + 1) * bytes > variable->bytes)
      return parse_fail(parser, parser->token.line, "'%s' has too many values", variable->name);
    memcpy(variable->init + i++ * bytes, &value, bytes);
  } while (take(parser, ","));
  return !is_list || expect(parser, "}");
}

/* .align 16 .b8 name[512] = {…}; behind the space. */
static bool parse_variable(Parser *parser, Space space, bool is_extern, PtxVariable *variable)
{
  Type type;
  int64_t alignment = 0, n = 1, more;
  if (take(parser, ".align") && !take_integer(parser, &alignment))
    return false;
  if (!take_type(parser, &type))
    return false;
  *variable = (PtxVariable){.space = space, .is_extern = is_extern};
  variable->name = copy_word(parser);
  while (take(parser, "[")) {
    if (at(parser, "]"))
      n = 0;
    else if (!take_integer(parser, &more))
      return false;
    else
      n *= more;
    if (!expect(parser, "]"))
      return false;
  }
  variable->bytes = (uint32_t)n * type_bytes(type);
  variable->alignment = alignment != 0 ? (uint32_t)alignment : type_bytes(type);
  return !take(parser, "=") || parse_initializer(parser, variable, type);
}

static uint32_t align(uint32_t value, uint32_t alignment)
{
  return (value + alignment - 1) / alignment * alignment;
}

static bool add_kernel_variable(Parser *parser, Space space, bool is_extern)
{
  PtxKernel *kernel = parser->kernel;
  kernel->variables = grow(kernel->variables, kernel->n_variables, &parser->variable_capacity,
                           sizeof *kernel->variables);
  PtxVariable *variable = &kernel->variables[kernel->n_variables];
  if (!parse_variable(parser, space, is_extern, variable))
    return false;
  kernel->n_variables++;
  uint32_t *bytes = space == SPACE_SHARED ? &kernel->shared_bytes : &kernel->local_bytes;
  *bytes = align(*bytes, variable->alignment);
  variable->address = *bytes;
  *bytes += variable->bytes;
  return expect(parser, ";");
}

static bool add_global(Parser *parser, Space space, bool is_extern)
{
  PtxModule *module = parser->module;
  module->globals = realloc(module->globals, (module->n_globals + 1) * sizeof *module->globals);
  if (!parse_variable(parser, space, is_extern, &module->globals[module->n_globals]))
    return false;
  module->n_globals++;
  return expect(parser, ";");
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
  if (is_float_number(&parser->token, 'f') || is_float_number(&parser->token, 'd')) {
    operand->kind =
        tolower((unsigned char)parser->token.text[1]) == 'f' ? OPERAND_F32 : OPERAND_F64;
    operand->value = strtoull(parser->token.text + 2, NULL, 16);
    next(parser);
    return true;
  }
  int64_t value;
  operand->kind = OPERAND_INTEGER;
  if (!take_integer(parser, &value))
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
  next(parser);
  return true;
}

static bool parse_simple(Parser *parser, Operand *operand)
{
  operand->is_negated = take(parser, "!");
  if (take(parser, "_")) {
    operand->kind = OPERAND_SINK;
    return true;
  }
  if (at(parser, "-") || parser->token.kind == TOKEN_NUMBER)
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
  next(parser);
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
  if (take(parser, "+") || at(parser, "-")) {
    if (!take_integer(parser, &offset))
      return false;
    operand->offset += offset;
  }
  return expect(parser, "]");
}

static bool parse_list(Parser *parser, Line *line, Operand *operand)
{
  Operand list = {.kind = OPERAND_LIST, .first = (uint8_t)line->n_flat};
  do {
    Operand *member = add_flat(parser, line);
    if (member == NULL || !parse_simple(parser, member))
      return false;
    list.n++;
  } while (take(parser, ","));
  *operand = list;
  return expect(parser, "}");
}

static bool parse_operand(Parser *parser, Line *line)
{
  if (line->n_top == sizeof line->top)
    return parse_fail(parser, line->number, "too many operands");
  line->top[line->n_top++] = (uint8_t)line->n_flat;
  Operand *operand = add_flat(parser, line);
  if (operand == NULL)
    return false;
  if (take(parser, "["))
    return parse_memory(parser, operand);
  if (take(parser, "{"))
    return parse_list(parser, line, operand);
  return parse_simple(parser, operand);
}

/* ---- instructions ---- */

bool line_has(const Line *line, const char *part)
{
  for (size_t i = 1; i < line->n_parts; i++)
    if (strcmp(line->parts[i], part) == 0)
      return true;
  return false;
}

const Operand *line_operand(const Line *line, size_t i)
{
  return &line->flat[line->top[i]];
}

static bool split_mnemonic(Parser *parser, Line *line)
{
  if (parser->token.kind != TOKEN_WORD || parser->token.size >= sizeof line->mnemonic)
    return parse_fail(parser, parser->token.line, "expected an instruction, not '%.*s'",
                      (int)parser->token.size, parser->token.text);
  memcpy(line->mnemonic, parser->token.text, parser->token.size);
  line->mnemonic[parser->token.size] = '\0';
  for (char *part = strtok(line->mnemonic, "."); part != NULL; part = strtok(NULL, ".")) {
    if (line->n_parts == MAX_PARTS)
      return parse_fail(parser, parser->token.line, "'%s…' has too many parts", line->mnemonic);
    line->parts[line->n_parts++] = part;
    Type type = line->n_parts > 1 ? type_named(part, strlen(part)) : T_NONE;
    if (type != T_NONE && line->n_types < 4)
      line->types[line->n_types++] = type;
  }
  line->number = parser->token.line;
  next(parser);
  return true;
}

static bool parse_instruction(Parser *parser)
{
  Line line;
  line.n_parts = line.n_top = line.n_flat = line.n_types = 0;
  Operand guard = {0};
  bool is_guarded = take(parser, "@");
  if (is_guarded && !parse_simple(parser, &guard))
    return false;
  if (!split_mnemonic(parser, &line))
    return false;
  while (!at(parser, ";")) {
    if (!parse_operand(parser, &line))
      return false;
    if (!take(parser, ",") && !take(parser, "|"))
      break;
  }
  return expect(parser, ";") && decode_line(parser, &line, is_guarded ? &guard : NULL);
}

int32_t parse_label(Parser *parser, const char *name)
{
  for (size_t i = 0; i < parser->n_labels; i++)
    if (strcmp(parser->labels[i].name, name) == 0)
      return (int32_t)i;
  parser->labels =
      grow(parser->labels, parser->n_labels, &parser->label_capacity, sizeof *parser->labels);
  parser->labels[parser->n_labels] = (Label){strdup(name), -1};
  return (int32_t)parser->n_labels++;
}

Insn *parse_add_insn(Parser *parser, uint32_t line)
{
  PtxKernel *kernel = parser->kernel;
  kernel->insns =
      grow(kernel->insns, kernel->n_insns, &parser->insn_capacity, sizeof *kernel->insns);
  Insn *insn = &kernel->insns[kernel->n_insns++];
  *insn = (Insn){.line = line, .meets = -1};
  return insn;
}

static bool parse_label_here(Parser *parser)
{
  char *name = copy_word(parser);
  int32_t label = parse_label(parser, name);
  free(name);
  parser->labels[label].pc = (int32_t)parser->kernel->n_insns;
  return expect(parser, ":");
}

static bool is_label(const Parser *parser)
{
  Lexer ahead = parser->lexer;
  Token after = lex_next(&ahead);
  return parser->token.kind == TOKEN_WORD && token_is(&after, ":");
}

/* ---- a kernel ---- */

static bool skip_to(Parser *parser, const char *text)
{
  while (!at(parser, text) && parser->token.kind != TOKEN_END)
    next(parser);
  return expect(parser, text);
}

static bool parse_body(Parser *parser)
{
  size_t outer[8]; /* registers in sight before each brace */
  size_t depth = 0;
  while (!parser->failed && parser->token.kind != TOKEN_END) {
    if (take(parser, "{")) {
      if (depth == 8)
        return parse_fail(parser, parser->token.line, "braces too deep");
      outer[depth++] = parser->n_ranges;
    } else if (take(parser, "}")) {
      if (depth == 0)
        return true;
      parser->n_ranges = outer[--depth];
    } else if (take(parser, ".reg")) {
      parse_registers(parser);
    } else if (take(parser, ".shared")) {
      add_kernel_variable(parser, SPACE_SHARED, false);
    } else if (take(parser, ".local")) {
      add_kernel_variable(parser, SPACE_LOCAL, false);
    } else if (at(parser, ".loc") || at(parser, ".file")) {
      uint32_t line = parser->token.line;
      while (parser->token.line == line && parser->token.kind != TOKEN_END)
        next(parser);
    } else if (take(parser, ".pragma")) {
      skip_to(parser, ";");
    } else if (is_label(parser)) {
      parse_label_here(parser);
    } else {
      parse_instruction(parser);
    }
  }
  return parse_fail(parser, parser->token.line, "the text ends inside a kernel");
}

static bool parse_params(Parser *parser)
{
  PtxKernel *kernel = parser->kernel;
  if (!take(parser, "(") || take(parser, ")"))
    return true;
  do {
    Type type;
    int64_t alignment = 0, n = 1;
    if (!expect(parser, ".param"))
      return false;
    if (take(parser, ".align") && !take_integer(parser, &alignment))
      return false;
    if (!take_type(parser, &type))
      return false;
    if (take(parser, ".ptr")) { /* .ptr .global .align 16 name */
      while (parser->token.text[0] == '.') {
        bool is_align = at(parser, ".align");
        next(parser);
        if (is_align)
          next(parser);
      }
    }
    PtxVariable variable = {.space = SPACE_PARAM};
    variable.name = copy_word(parser);
    if (take(parser, "[") && (!take_integer(parser, &n) || !expect(parser, "]")))
      return false;
    variable.bytes = (uint32_t)n * type_bytes(type);
    kernel->param_bytes =
        align(kernel->param_bytes, alignment != 0 ? (uint32_t)alignment : type_bytes(type));
    variable.address = kernel->param_bytes;
    kernel->variables = grow(kernel->variables, kernel->n_variables, &parser->variable_capacity,
                             sizeof *kernel->variables);
    kernel->variables[kernel->n_variables++] = variable;
    kernel->params = realloc(kernel->params, (kernel->n_params + 1) * sizeof *kernel->params);
    kernel->params[kernel->n_params++] = (PtxParam){kernel->param_bytes, variable.bytes};
    kernel->param_bytes += variable.bytes;
  } while (take(parser, ","));
  return expect(parser, ")");
}

static bool parse_performance(Parser *parser)
{
  for (;;) {
    bool is_size = at(parser, ".maxntid") || at(parser, ".reqntid");
    if (!is_size && !at(parser, ".minnctapersm") && !at(parser, ".maxnreg"))
      return true;
    next(parser);
    int64_t product = 1, n;
    do {
      if (!take_integer(parser, &n))
        return false;
      product *= n;
    } while (take(parser, ","));
    if (is_size)
      parser->kernel->max_threads = (uint32_t)product;
  }
}

static bool resolve_labels(Parser *parser)
{
  PtxKernel *kernel = parser->kernel;
  for (size_t i = 0; i < parser->n_labels; i++)
    if (parser->labels[i].pc < 0)
      parse_fail(parser, parser->token.line, "there is no label '%s'", parser->labels[i].name);
  for (size_t i = 0; i < kernel->n_insns && !parser->failed; i++)
    if (kernel->insns[i].flow == FLOW_BRANCH)
      kernel->insns[i].target = parser->labels[kernel->insns[i].target].pc;
  return !parser->failed;
}

static bool parse_kernel(Parser *parser)
{
  PtxModule *module = parser->module;
  module->kernels = realloc(module->kernels, (module->n_kernels + 1) * sizeof *module->kernels);
  PtxKernel *kernel = &module->kernels[module->n_kernels++];
  *kernel = (PtxKernel){.register_bytes = 64}; /* place 0 says "none" */
  parser->kernel = kernel;
  parser->n_ranges = parser->n_labels = 0;
  parser->insn_capacity = parser->constant_capacity = parser->variable_capacity = 0;
  memset(parser->constant_map, 0, sizeof parser->constant_map);
  kernel->name = copy_word(parser);
  bool ok = parse_params(parser) && parse_performance(parser) && expect(parser, "{") &&
            parse_body(parser);
  if (ok) { /* falling off the end is a return */
    parse_add_insn(parser, parser->token.line)->flow = FLOW_EXIT;
    ok = resolve_labels(parser);
  }
  if (ok && !control_flow_find(kernel->insns, kernel->n_insns))
    ok = parse_fail(parser, parser->token.line, "the control flow of '%s' is too deep",
                    kernel->name);
  for (size_t i = 0; i < parser->n_labels; i++)
    free(parser->labels[i].name);
  free(parser->constant_next);
  parser->constant_next = NULL;
  parser->kernel = NULL;
  return ok;
}

/* ---- the module ---- */

static bool parse_version(Parser *parser)
{
  const char *text = parser->token.text;
  char *end;
  unsigned major = (unsigned)strtoul(text, &end, 10);
  unsigned minor = *end == '.' ? (unsigned)strtoul(end + 1, NULL, 10) : 0;
  parser->module->version = major * 10 + minor;
  next(parser);
  return true;
}

static bool parse_target(Parser *parser)
{
  if (parser->token.size > 3 && memcmp(parser->token.text, "sm_", 3) == 0)
    parser->module->target = (unsigned)strtoul(parser->token.text + 3, NULL, 10);
  next(parser);
  while (take(parser, ","))
    next(parser);
  return true;
}

static bool parse_top(Parser *parser)
{
  bool is_extern = false;
  while (at(parser, ".visible") || at(parser, ".extern") || at(parser, ".weak")) {
    is_extern |= at(parser, ".extern");
    next(parser);
  }
  if (take(parser, ".version"))
    return parse_version(parser);
  if (take(parser, ".target"))
    return parse_target(parser);
  if (take(parser, ".address_size")) {
    next(parser);
    return true;
  }
  if (take(parser, ".entry"))
    return parse_kernel(parser);
  if (take(parser, ".global"))
    return add_global(parser, SPACE_GLOBAL, is_extern);
  if (take(parser, ".const"))
    return add_global(parser, SPACE_CONST, is_extern);
  if (take(parser, ".shared"))
    return add_global(parser, SPACE_SHARED, is_extern);
  if (take(parser, ".file")) {
    uint32_t line = parser->token.line;
    while (parser->token.line == line && parser->token.kind != TOKEN_END)
      next(parser);
    return true;
  }
  return parse_fail(parser, parser->token.line, "'%.*s' is not understood here",
                    (int)parser->token.size, parser->token.text);
}

PtxModule *ptx_parse_or_null(const char *text, char *log, size_t log_bytes)
{
  Parser *parser = calloc(1, sizeof *parser);
  parser->module = calloc(1, sizeof *parser->module);
  parser->module->text = strdup(text);
  parser->lexer = (Lexer){parser->module->text, 1};
  parser->log = log;
  parser->log_bytes = log_bytes;
  next(parser);
  while (!parser->failed && parser->token.kind != TOKEN_END)
    parse_top(parser);
  if (!parser->failed && (parser->module->version == 0 || parser->module->target == 0))
    parse_fail(parser, 1, "no .version or no .target");
  free(parser->labels);
  PtxModule *module = parser->module;
  if (parser->failed) {
    ptx_destroy(module);
    module = NULL;
  }
  free(parser);
  return module;
}

void ptx_line(const PtxModule *module, uint32_t line, char *out, size_t out_bytes)
{
  const char *at = module->text;
  for (; line > 1 && *at != '\0'; line--) {
    at += strcspn(at, "\n");
    at += *at == '\n';
  }
  at += strspn(at, " \t");
  snprintf(out, out_bytes, "%.*s", (int)strcspn(at, "\n"), at);
}

static void destroy_variables(PtxVariable *variables, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    free(variables[i].name);
    free(variables[i].init);
  }
  free(variables);
}

void ptx_destroy(PtxModule *module)
{
  if (module == NULL)
    return;
  for (size_t i = 0; i < module->n_kernels; i++) {
    PtxKernel *kernel = &module->kernels[i];
    destroy_variables(kernel->variables, kernel->n_variables);
    free(kernel->name);
    free(kernel->insns);
    free(kernel->params);
    free(kernel->constants);
  }
  free(module->kernels);
  destroy_variables(module->globals, module->n_globals);
  free(module->text);
  free(module);
}
