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

void *parse_grow(void *list, size_t n, size_t *capacity, size_t element_bytes)
{
  if (n < *capacity)
    return list;
  *capacity = *capacity == 0 ? 64 : *capacity * 2;
  return realloc(list, *capacity * element_bytes);
}

void parse_next(Parser *parser)
{
  parser->token = lex_next(&parser->lexer);
}

bool parse_at(const Parser *parser, const char *text)
{
  return token_is(&parser->token, text);
}

bool parse_take(Parser *parser, const char *text)
{
  if (!parse_at(parser, text))
    return false;
  parse_next(parser);
  return true;
}

bool parse_expect(Parser *parser, const char *text)
{
  if (parse_take(parser, text))
    return true;
  return parse_fail(parser, parser->token.line, "expected '%s', not '%.*s'", text,
                    (int)parser->token.size, parser->token.text);
}

static char *copy_word(Parser *parser)
{
  char *word = malloc(parser->token.size + 1);
  memcpy(word, parser->token.text, parser->token.size);
  word[parser->token.size] = '\0';
  parse_next(parser);
  return word;
}

bool token_is_float(const Token *token, char kind)
{
  return token->kind == TOKEN_NUMBER && token->size > 2 && token->text[0] == '0' &&
         tolower((unsigned char)token->text[1]) == kind;
}

/* An integer, with a sign. */
bool parse_integer(Parser *parser, int64_t *value)
{
  bool is_negative = parse_take(parser, "-");
  if (parser->token.kind != TOKEN_NUMBER)
    return parse_fail(parser, parser->token.line, "expected a number, not '%.*s'",
                      (int)parser->token.size, parser->token.text);
  uint64_t magnitude = strtoull(parser->token.text, NULL, 0);
  parse_next(parser);
  *value = (int64_t)(is_negative ? 0 - magnitude : magnitude);
  return true;
}

/* .reg .b32 %r<8>; or .reg .b64 %SP, %SPL; */
static bool parse_registers(Parser *parser)
{
  Type type;
  if (!parse_type(parser, &type))
    return false;
  do {
    if (parser->n_ranges == MAX_RANGES || parser->token.size >= sizeof parser->ranges[0].prefix)
      return parse_fail(parser, parser->token.line, "too many lines of registers");
    RegisterRange *range = &parser->ranges[parser->n_ranges++];
    *range = (RegisterRange){.type = type};
    memcpy(range->prefix, parser->token.text, parser->token.size);
    parse_next(parser);
    int64_t n = 0;
    if (parse_take(parser, "<") && (!parse_integer(parser, &n) || !parse_expect(parser, ">")))
      return false;
    range->n = (uint32_t)n;
    range->stride = type == T_PRED ? 4 : lanes_bytes(type_bytes(type));
    range->place = parse_place(parser->kernel, range->stride * (n > 0 ? range->n : 1));
  } while (parse_take(parser, ","));
  return parse_expect(parser, ";");
}

/* ---- variables ---- */

/* = {1, 2, 0f3F800000} as bytes. */
static bool parse_initializer(Parser *parser, PtxVariable *variable, Type type)
{
  unsigned bytes = type_bytes(type);
  size_t i = 0;
  variable->init = calloc(variable->bytes + 1, 1);
  bool is_list = parse_take(parser, "{");
  do {
    int64_t value;
    if (token_is_float(&parser->token, 'f') || token_is_float(&parser->token, 'd')) {
      value = (int64_t)strtoull(parser->token.text + 2, NULL, 16);
      parse_next(parser);
    } else if (!parse_integer(parser, &value)) {
      return false;
    }
    if ((i + 1) * bytes > variable->bytes)
      return parse_fail(parser, parser->token.line, "'%s' has too many values", variable->name);
    memcpy(variable->init + i++ * bytes, &value, bytes);
  } while (parse_take(parser, ","));
  return !is_list || parse_expect(parser, "}");
}

/* .align 16 .b8 name[512] = {…}; behind the space. */
static bool parse_variable(Parser *parser, Space space, bool is_extern, PtxVariable *variable)
{
  Type type;
  int64_t alignment = 0, n = 1, more;
  if (parse_take(parser, ".align") && !parse_integer(parser, &alignment))
    return false;
  if (!parse_type(parser, &type))
    return false;
  *variable = (PtxVariable){.space = space, .is_extern = is_extern};
  variable->name = copy_word(parser);
  while (parse_take(parser, "[")) {
    if (parse_at(parser, "]"))
      n = 0;
    else if (!parse_integer(parser, &more))
      return false;
    else
      n *= more;
    if (!parse_expect(parser, "]"))
      return false;
  }
  variable->bytes = (uint32_t)n * type_bytes(type);
  variable->alignment = alignment != 0 ? (uint32_t)alignment : type_bytes(type);
  return !parse_take(parser, "=") || parse_initializer(parser, variable, type);
}

static uint32_t align(uint32_t value, uint32_t alignment)
{
  return (value + alignment - 1) / alignment * alignment;
}

static bool add_kernel_variable(Parser *parser, Space space, bool is_extern)
{
  PtxKernel *kernel = parser->kernel;
  kernel->variables = parse_grow(kernel->variables, kernel->n_variables, &parser->variable_capacity,
                                 sizeof *kernel->variables);
  PtxVariable *variable = &kernel->variables[kernel->n_variables];
  if (!parse_variable(parser, space, is_extern, variable))
    return false;
  kernel->n_variables++;
  uint32_t *bytes = space == SPACE_SHARED ? &kernel->shared_bytes : &kernel->local_bytes;
  *bytes = align(*bytes, variable->alignment);
  variable->address = *bytes;
  *bytes += variable->bytes;
  return parse_expect(parser, ";");
}

static bool add_global(Parser *parser, Space space, bool is_extern)
{
  PtxModule *module = parser->module;
  module->globals = realloc(module->globals, (module->n_globals + 1) * sizeof *module->globals);
  if (!parse_variable(parser, space, is_extern, &module->globals[module->n_globals]))
    return false;
  module->n_globals++;
  return parse_expect(parser, ";");
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
  parse_next(parser);
  return true;
}

static bool parse_instruction(Parser *parser)
{
  Line line;
  line.n_parts = line.n_top = line.n_flat = line.n_types = 0;
  Operand guard = {0};
  bool is_guarded = parse_take(parser, "@");
  if (is_guarded && !parse_simple(parser, &guard))
    return false;
  if (!split_mnemonic(parser, &line))
    return false;
  while (!parse_at(parser, ";")) {
    if (!parse_operand(parser, &line))
      return false;
    if (!parse_take(parser, ",") && !parse_take(parser, "|"))
      break;
  }
  return parse_expect(parser, ";") && decode_line(parser, &line, is_guarded ? &guard : NULL);
}

int32_t parse_label(Parser *parser, const char *name)
{
  for (size_t i = 0; i < parser->n_labels; i++)
    if (strcmp(parser->labels[i].name, name) == 0)
      return (int32_t)i;
  parser->labels =
      parse_grow(parser->labels, parser->n_labels, &parser->label_capacity, sizeof *parser->labels);
  parser->labels[parser->n_labels] = (Label){strdup(name), -1};
  return (int32_t)parser->n_labels++;
}

Insn *parse_add_insn(Parser *parser, uint32_t line)
{
  PtxKernel *kernel = parser->kernel;
  kernel->insns =
      parse_grow(kernel->insns, kernel->n_insns, &parser->insn_capacity, sizeof *kernel->insns);
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
  return parse_expect(parser, ":");
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
  while (!parse_at(parser, text) && parser->token.kind != TOKEN_END)
    parse_next(parser);
  return parse_expect(parser, text);
}

static bool parse_body(Parser *parser)
{
  size_t outer[8]; /* registers in sight before each brace */
  size_t depth = 0;
  while (!parser->failed && parser->token.kind != TOKEN_END) {
    if (parse_take(parser, "{")) {
      if (depth == 8)
        return parse_fail(parser, parser->token.line, "braces too deep");
      outer[depth++] = parser->n_ranges;
    } else if (parse_take(parser, "}")) {
      if (depth == 0)
        return true;
      parser->n_ranges = outer[--depth];
    } else if (parse_take(parser, ".reg") || parse_take(parser, ".param")) {
      parse_registers(parser); /* a .param here is an argument of a call */
    } else if (parse_take(parser, ".shared")) {
      add_kernel_variable(parser, SPACE_SHARED, false);
    } else if (parse_take(parser, ".local")) {
      add_kernel_variable(parser, SPACE_LOCAL, false);
    } else if (parse_at(parser, ".loc") || parse_at(parser, ".file")) {
      uint32_t line = parser->token.line;
      while (parser->token.line == line && parser->token.kind != TOKEN_END)
        parse_next(parser);
    } else if (parse_take(parser, ".pragma")) {
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
  if (!parse_take(parser, "(") || parse_take(parser, ")"))
    return true;
  do {
    Type type;
    int64_t alignment = 0, n = 1;
    if (!parse_expect(parser, ".param"))
      return false;
    if (parse_take(parser, ".align") && !parse_integer(parser, &alignment))
      return false;
    if (!parse_type(parser, &type))
      return false;
    if (parse_take(parser, ".ptr")) { /* .ptr .global .align 16 name */
      while (parser->token.text[0] == '.') {
        bool is_align = parse_at(parser, ".align");
        parse_next(parser);
        if (is_align)
          parse_next(parser);
      }
    }
    PtxVariable variable = {.space = SPACE_PARAM};
    variable.name = copy_word(parser);
    if (parse_take(parser, "[") && (!parse_integer(parser, &n) || !parse_expect(parser, "]")))
      return false;
    variable.bytes = (uint32_t)n * type_bytes(type);
    kernel->param_bytes =
        align(kernel->param_bytes, alignment != 0 ? (uint32_t)alignment : type_bytes(type));
    variable.address = kernel->param_bytes;
    kernel->variables = parse_grow(kernel->variables, kernel->n_variables,
                                   &parser->variable_capacity, sizeof *kernel->variables);
    kernel->variables[kernel->n_variables++] = variable;
    kernel->params = realloc(kernel->params, (kernel->n_params + 1) * sizeof *kernel->params);
    kernel->params[kernel->n_params++] = (PtxParam){kernel->param_bytes, variable.bytes};
    kernel->param_bytes += variable.bytes;
  } while (parse_take(parser, ","));
  return parse_expect(parser, ")");
}

static bool parse_performance(Parser *parser)
{
  for (;;) {
    bool is_size = parse_at(parser, ".maxntid") || parse_at(parser, ".reqntid");
    if (!is_size && !parse_at(parser, ".minnctapersm") && !parse_at(parser, ".maxnreg"))
      return true;
    parse_next(parser);
    int64_t product = 1, n;
    do {
      if (!parse_integer(parser, &n))
        return false;
      product *= n;
    } while (parse_take(parser, ","));
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
  bool ok = parse_params(parser) && parse_performance(parser) && parse_expect(parser, "{") &&
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
  parse_next(parser);
  return true;
}

static bool parse_target(Parser *parser)
{
  if (parser->token.size > 3 && memcmp(parser->token.text, "sm_", 3) == 0)
    parser->module->target = (unsigned)strtoul(parser->token.text + 3, NULL, 10);
  parse_next(parser);
  while (parse_take(parser, ","))
    parse_next(parser);
  return true;
}

static bool parse_top(Parser *parser)
{
  bool is_extern = false;
  while (parse_at(parser, ".visible") || parse_at(parser, ".extern") || parse_at(parser, ".weak")) {
    is_extern |= parse_at(parser, ".extern");
    parse_next(parser);
  }
  if (parse_take(parser, ".version"))
    return parse_version(parser);
  if (parse_take(parser, ".target"))
    return parse_target(parser);
  if (parse_take(parser, ".address_size")) {
    parse_next(parser);
    return true;
  }
  if (parse_take(parser, ".entry"))
    return parse_kernel(parser);
  if (is_extern && parse_take(parser, ".func"))
    return skip_to(parser, ";");
  if (parse_take(parser, ".global"))
    return add_global(parser, SPACE_GLOBAL, is_extern);
  if (parse_take(parser, ".const"))
    return add_global(parser, SPACE_CONST, is_extern);
  if (parse_take(parser, ".shared"))
    return add_global(parser, SPACE_SHARED, is_extern);
  if (parse_take(parser, ".file")) {
    uint32_t line = parser->token.line;
    while (parser->token.line == line && parser->token.kind != TOKEN_END)
      parse_next(parser);
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
  parse_next(parser);
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
