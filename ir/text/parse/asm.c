/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pretty forms: what a row's parse hook calls, and running the hook. The op under construction is
 * the frame on top. */
#include "ir/text/parse/asm_t.h"

#include "ir/text/parse/attribute/attr_t.h"
#include "ir/text/parse/attribute/loc_t.h"
#include "ir/text/parse/attribute/symbol_t.h"
#include "ir/text/parse/attribute/type_t.h"
#include "ir/text/parse/names_t.h"
#include "ir/text/parse/op_t.h"
#include "ir/text/parse/recursion_t.h"
#include "ir/text/parse/tokens_t.h"

static EchoOpFrame *top(EchoAsmParser *p)
{
  return &echo_vector_last(&p->ops);
}

EchoContext *echo_asm_context(EchoAsmParser *parser)
{
  return parser->ctx;
}

EchoLoc echo_asm_loc(EchoAsmParser *parser)
{
  return echo_parser_loc(parser, parser->lexer.token.start);
}

EchoLoc echo_asm_op_loc(EchoAsmParser *parser)
{
  return echo_parser_loc(parser, top(parser)->start);
}

bool echo_asm_error(EchoAsmParser *parser, EchoLoc loc, const char *format, ...)
{
  if (parser->lexer.token.kind == ECHO_TOKEN_ERROR)
    return false;
  EchoBuffer message = {0};
  va_list arguments;
  va_start(arguments, format);
  echo_buffer_vprintf(&message, format, arguments);
  va_end(arguments);
  echo_error(parser->ctx, loc, "%s", echo_buffer_c_str(&message));
  echo_buffer_destroy(&message);
  return false;
}

/* ---- tokens ---- */

static int token_kind(const char *token)
{
  if (strcmp(token, "->") == 0)
    return ECHO_TOKEN_ARROW;
  if (strcmp(token, "...") == 0)
    return ECHO_TOKEN_ELLIPSIS;
  if (token[0] == '@') /* stands for any symbol */
    return ECHO_TOKEN_AT_ID;
  return token[0];
}

bool echo_asm_try_token(EchoAsmParser *parser, const char *token)
{
  if (strcmp(token, "::") == 0) {
    if (!echo_parser_at(parser, ':') || *parser->lexer.cursor != ':')
      return false;
    echo_parser_consume(parser);
    echo_parser_consume(parser);
    return true;
  }
  return echo_parser_try(parser, token_kind(token));
}

bool echo_asm_at_token(EchoAsmParser *parser, const char *token)
{
  return echo_parser_at(parser, token_kind(token));
}

bool echo_asm_parse_token(EchoAsmParser *parser, const char *token)
{
  return echo_asm_try_token(parser, token) ||
         echo_parser_wrong_token(parser, "expected '%s'", token);
}

bool echo_asm_try_keyword(EchoAsmParser *parser, const char *keyword)
{
  return echo_parser_try_keyword(parser, keyword);
}

bool echo_asm_parse_keyword(EchoAsmParser *parser, const char *keyword)
{
  return echo_parser_try_keyword(parser, keyword) ||
         echo_parser_wrong_token(parser, "expected '%s'", keyword);
}

bool echo_asm_parse_any_keyword(EchoAsmParser *parser, EchoStr *keyword)
{
  if (!echo_parser_at(parser, ECHO_TOKEN_BARE_ID))
    return echo_parser_wrong_token(parser, "expected valid keyword");
  *keyword = echo_parser_text(parser);
  echo_parser_consume(parser);
  return true;
}

bool echo_asm_parse_i64(EchoAsmParser *parser, int64_t *value)
{
  return echo_parser_i64(parser, value);
}

bool echo_asm_try_i64(EchoAsmParser *parser, int64_t *value)
{
  bool is_negative =
      echo_parser_at(parser, '-') && echo_char_is(*parser->lexer.cursor, ECHO_CHAR_DIGIT);
  if (!is_negative && !echo_parser_at(parser, ECHO_TOKEN_INTEGER))
    return false;
  return echo_parser_i64(parser, value);
}

bool echo_asm_parse_string(EchoAsmParser *parser, EchoStr *value)
{
  if (!echo_parser_at(parser, ECHO_TOKEN_STRING))
    return echo_parser_wrong_token(parser, "expected string");
  *value = echo_string_unescape(echo_context_arena(parser->ctx), echo_parser_text(parser));
  *value = echo_context_intern(parser->ctx, *value);
  echo_parser_consume(parser);
  return true;
}

bool echo_asm_parse_symbol(EchoAsmParser *parser, EchoStr *name)
{
  return echo_parser_symbol_name(parser, name);
}

/* ---- types and attributes ---- */

bool echo_asm_parse_type(EchoAsmParser *parser, const EchoType **type)
{
  *type = echo_parser_type(parser);
  return *type != NULL;
}

bool echo_asm_parse_attr(EchoAsmParser *parser, const EchoType *type_or_null, const EchoAttr **attr)
{
  *attr = echo_parser_attr(parser, type_or_null);
  return *attr != NULL;
}

bool echo_asm_parse_balanced(EchoAsmParser *parser, char open, EchoStr *text)
{
  if (!echo_parser_at(parser, open))
    return echo_parser_wrong_token(parser, "expected '%c'", open);
  return echo_parser_balanced_body(parser, text);
}

bool echo_asm_try_attr_dict(EchoAsmParser *parser)
{
  if (!echo_parser_at(parser, '{'))
    return true;
  EchoOpFrame *frame = top(parser);
  frame->dict = parser->lexer.token.start;
  frame->dict_first = parser->named.size;
  bool ok = echo_parser_attr_entries(parser, frame->named);
  frame->dict_end = parser->named.size;
  return ok;
}

bool echo_asm_try_attr_dict_with_keyword(EchoAsmParser *parser)
{
  return !echo_parser_try_keyword(parser, "attributes") ||
         echo_parser_attr_entries(parser, top(parser)->named);
}

/* Moves the types from `mark` on into an array for the hook. */
static const EchoType **take_types(EchoAsmParser *p, size_t mark, size_t *n)
{
  *n = p->types.size - mark;
  const EchoType **types = ECHO_ARENA_ARRAY(&p->scratch, const EchoType *, *n + 1);
  if (*n != 0)
    memcpy(types, p->types.data + mark, *n * sizeof *types);
  p->types.size = mark;
  return types;
}

bool echo_asm_parse_type_list(EchoAsmParser *parser, const EchoType ***types, size_t *n)
{
  size_t mark = parser->types.size;
  do {
    const EchoType *type = echo_parser_type(parser);
    if (type == NULL)
      return false;
    echo_vector_push(&parser->types, type);
  } while (echo_parser_try(parser, ','));
  *types = take_types(parser, mark, n);
  return true;
}

bool echo_asm_parse_function_type(EchoAsmParser *parser, const EchoType ***inputs, size_t *n_inputs,
                                  const EchoType ***results, size_t *n_results)
{
  size_t mark = parser->types.size;
  if (!echo_parser_type_list_parens(parser))
    return false;
  *inputs = take_types(parser, mark, n_inputs);
  if (!echo_parser_expect(parser, ECHO_TOKEN_ARROW, "expected '->' in function type") ||
      !echo_parser_result_types(parser))
    return false;
  *results = take_types(parser, mark, n_results);
  return true;
}

/* ---- operands ---- */

bool echo_asm_parse_operand(EchoAsmParser *parser, EchoAsmOperand *operand)
{
  EchoLoc loc = echo_asm_loc(parser);
  EchoOperandName name;
  if (!echo_parser_operand_name(parser, &name))
    return false;
  *operand = (EchoAsmOperand){{name.key.name, name.key.size}, name.number, loc};
  return true;
}

bool echo_asm_try_operand(EchoAsmParser *parser, EchoAsmOperand *operand)
{
  return echo_parser_at(parser, ECHO_TOKEN_PERCENT_ID) && echo_asm_parse_operand(parser, operand);
}

bool echo_asm_parse_operand_list(EchoAsmParser *parser, EchoAsmOperand **operands, size_t *n)
{
  ECHO_VECTOR(EchoAsmOperand) list = {0};
  bool fine = true;
  if (echo_parser_at(parser, ECHO_TOKEN_PERCENT_ID)) {
    do {
      EchoAsmOperand operand;
      fine = echo_asm_parse_operand(parser, &operand);
      echo_vector_push(&list, operand);
    } while (fine && echo_parser_try(parser, ','));
  }
  *n = list.size;
  *operands = ECHO_ARENA_ARRAY(&parser->scratch, EchoAsmOperand, list.size + 1);
  if (list.size != 0)
    memcpy(*operands, list.data, list.size * sizeof *list.data);
  echo_vector_destroy(&list);
  return fine;
}

bool echo_asm_resolve_operand(EchoAsmParser *parser, const EchoAsmOperand *operand,
                              const EchoType *type)
{
  EchoNameKey key = echo_name_key(&parser->lexer, operand->name.data, operand->name.size);
  EchoValue *value = echo_parser_resolve(parser, &key, operand->number, type);
  if (value == NULL)
    return false;
  echo_vector_push(&parser->op_values, value);
  return true;
}

bool echo_asm_resolve_operands(EchoAsmParser *parser, const EchoAsmOperand *operands,
                               size_t n_operands, EchoLoc loc, const EchoType *const *types,
                               size_t n_types)
{
  if (n_types != n_operands)
    return echo_asm_error(parser, loc, "%zu operands present, but expected %zu", n_operands,
                          n_types);
  for (size_t i = 0; i < n_operands; i++)
    if (!echo_asm_resolve_operand(parser, &operands[i], types[i]))
      return false;
  return true;
}

bool echo_asm_parse_typed_operands(EchoAsmParser *parser)
{
  EchoAsmOperand *operands;
  const EchoType **types;
  size_t n_operands, n_types;
  if (!echo_asm_parse_operand_list(parser, &operands, &n_operands))
    return false;
  if (n_operands == 0)
    return true;
  EchoLoc loc = echo_asm_loc(parser);
  return echo_asm_parse_token(parser, ":") && echo_asm_parse_type_list(parser, &types, &n_types) &&
         echo_asm_resolve_operands(parser, operands, n_operands, loc, types, n_types);
}

void echo_asm_add_result_type(EchoAsmParser *parser, const EchoType *type)
{
  echo_vector_push(&parser->types, type);
}

bool echo_asm_parse_successor(EchoAsmParser *parser, EchoBlock **block)
{
  if (!echo_parser_at(parser, ECHO_TOKEN_CARET_ID))
    return echo_parser_wrong_token(parser, "expected block name");
  *block = echo_parser_block_reference(parser, parser->lexer.token);
  echo_parser_consume(parser);
  return true;
}

void echo_asm_add_successor(EchoAsmParser *parser, EchoBlock *block)
{
  echo_vector_push(&parser->successors, block);
}

void echo_asm_add_attr(EchoAsmParser *parser, const char *name, const EchoAttr *value)
{
  EchoStr interned = echo_context_intern(parser->ctx, echo_str(name));
  for (size_t i = top(parser)->named; i < parser->named.size; i++) {
    if (parser->named.data[i].name.data == interned.data) {
      parser->named.data[i].value = value;
      return;
    }
  }
  echo_vector_push(&parser->named, (EchoNamedAttr){interned, value});
}

void echo_asm_share_loc(EchoAsmParser *parser, EchoLoc *target)
{
  echo_vector_push(&parser->shared_locs, target);
}

bool echo_asm_try_loc(EchoAsmParser *parser, EchoLoc *loc)
{
  return echo_parser_trailing_loc(parser, loc, false);
}

/* ---- regions ---- */

static bool add_args(EchoAsmParser *p, EchoBlock *block, const EchoAsmOperand *args,
                     const EchoType *const *types, const EchoLoc *locs, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    EchoLoc loc = locs != NULL   ? locs[i]
                  : args != NULL ? args[i].loc
                                 : echo_parser_loc(p, top(p)->start);
    EchoValue *arg = echo_block_add_arg(p->ctx, block, types[i], loc);
    if (args == NULL)
      continue;
    EchoNameKey key = echo_name_key(&p->lexer, args[i].name.data, args[i].name.size);
    uint32_t known = echo_name_find(&p->values, &key, p->isolation_mark);
    if (known != ECHO_NAME_NONE && p->values.entries.data[known].value != NULL) {
      echo_parser_error_at(p, key.name - 1, "region entry argument '%%%.*s' is already in use",
                           (int)key.size, key.name);
      return echo_note(p->ctx, echo_parser_loc(p, p->values.entries.data[known].name - 1),
                       "previously referenced here");
    }
    if (!echo_parser_define(p, &key, arg, 1))
      return false;
  }
  return true;
}

bool echo_asm_parse_region(EchoAsmParser *parser, const EchoAsmOperand *args,
                           const EchoType *const *arg_types, const EchoLoc *arg_locs, size_t n_args)
{
  size_t base = parser->open_regions.size;
  if (!echo_parser_open_region(parser, false))
    return false;
  if (n_args != 0) {
    EchoBlock *entry = echo_parser_entry_block(parser);
    if (!add_args(parser, entry, args, arg_types, arg_locs, n_args))
      return false;
    if (echo_parser_at(parser, ECHO_TOKEN_CARET_ID))
      return echo_parser_error(parser, "invalid block name in region with named arguments");
  }
  if (!echo_parser_body(parser, base))
    return false;
  const EchoRegion *region = echo_vector_last(&parser->regions);
  uint64_t needs_block = ECHO_SINGLE_BLOCK | ECHO_NO_TERMINATOR;
  if (region->first == NULL && (top(parser)->name->info->traits & needs_block) == needs_block)
    echo_region_append(echo_vector_last(&parser->regions), echo_block_create(parser->ctx));
  return true;
}

static EchoRegion *add_region(EchoAsmParser *p)
{
  EchoRegion *region = p->free_regions.size != 0 ? echo_vector_pop(&p->free_regions)
                                                 : ECHO_ARENA_NEW(&p->names, EchoRegion);
  *region = (EchoRegion){0};
  echo_vector_push(&p->regions, region);
  return region;
}

void echo_asm_add_empty_region(EchoAsmParser *parser)
{
  add_region(parser);
}

EchoBlock *echo_asm_add_region_with_block(EchoAsmParser *parser, const EchoType *const *arg_types,
                                          const EchoLoc *arg_locs, size_t n_args)
{
  EchoRegion *region = add_region(parser);
  EchoBlock *block = echo_block_create(parser->ctx);
  echo_region_append(region, block);
  add_args(parser, block, NULL, arg_types, arg_locs, n_args);
  return block;
}

/* ---- results ---- */

/* What was gathered, as the two dictionaries of the op. */
static void collect_attrs(EchoAsmParser *p)
{
  EchoOpFrame *frame = top(p);
  const EchoOpSpec *spec = frame->name->spec;
  size_t n = p->named.size - frame->named;
  frame->properties = frame->attrs = NULL;
  EchoNamedAttr *entries = ECHO_ARENA_ARRAY(&p->scratch, EchoNamedAttr, n + 1);
  size_t n_inherent = 0, n_others = 0;
  for (size_t i = frame->named; i < p->named.size; i++) {
    bool inherent = false;
    for (size_t j = 0; j < spec->n_attrs && !inherent; j++)
      inherent = spec->attrs[j].name.data == p->named.data[i].name.data;
    if (inherent)
      entries[n_inherent++] = p->named.data[i];
    else
      entries[n - ++n_others] = p->named.data[i];
  }
  if (n_inherent != 0)
    frame->properties = echo_attr_dictionary(p->ctx, entries, n_inherent);
  if (n_others != 0)
    frame->attrs = echo_attr_dictionary(p->ctx, entries + n_inherent, n_others);
  frame->properties = echo_parser_complete(p, frame->name, frame->properties);
}

/* What the dictionary of a hook says is held against the row where it stands, as MLIR does it. */
static bool check_dict(EchoAsmParser *p)
{
  const EchoOpFrame *frame = top(p);
  const EchoOpSpec *spec = frame->name->spec;
  for (size_t i = frame->dict_first; frame->dict != NULL && i < frame->dict_end; i++) {
    EchoStr name = p->named.data[i].name;
    for (size_t j = 0; j < spec->n_attrs; j++) {
      const EchoAttrSpec *attr = &spec->attrs[j];
      const EchoAttr *value = attr->name.data == name.data && attr->constraint != NULL
                                  ? echo_dictionary_get_or_null(frame->properties, name.data)
                                  : NULL;
      if (value != NULL && !attr->constraint(value))
        return echo_parser_error_at(
            p, frame->dict, "'%s' op attribute '%.*s' failed to satisfy constraint: %.*s",
            frame->name->info->name, ECHO_STR_ARG(name), ECHO_STR_ARG(attr->constraint_name));
    }
  }
  return true;
}

bool echo_asm_infer_results(EchoAsmParser *parser)
{
  collect_attrs(parser);
  const EchoOpFrame *frame = top(parser);
  const EchoOpInfo *info = frame->name->info;
  size_t n_values = parser->op_values.size - frame->values;
  EchoValue *const *values = parser->op_values.data + frame->values;
  if (info->infer == NULL) {
    ECHO_CHECK((info->traits & ECHO_SAME_TYPE) != 0 && n_values != 0, "'%s' infers no result types",
               info->name);
    echo_asm_add_result_type(parser, values[0]->type);
    return true;
  }
  size_t n_regions = parser->regions.size - frame->regions;
  EchoRegion *regions = ECHO_ARENA_ARRAY(&parser->scratch, EchoRegion, n_regions + 1);
  for (size_t i = 0; i < n_regions; i++)
    regions[i] = *parser->regions.data[frame->regions + i];
  EchoOpState state = {.ctx = parser->ctx,
                       .info = info,
                       .loc = echo_parser_loc(parser, frame->start),
                       .operands = values,
                       .properties = frame->properties,
                       .attrs = frame->attrs,
                       .n_operands = (uint32_t)n_values,
                       .n_regions = (uint16_t)n_regions};
  size_t capacity = 16;
  for (;;) {
    const EchoType **types = ECHO_ARENA_ARRAY(&parser->scratch, const EchoType *, capacity);
    size_t n = capacity;
    if (!info->infer(&state, regions, types, &n))
      return false;
    if (n > capacity) {
      capacity = n;
      continue;
    }
    for (size_t i = 0; i < n; i++)
      echo_asm_add_result_type(parser, types[i]);
    return true;
  }
}

/* ---- running a hook ---- */

/* In an op of custom form its own dialect's prefix may be left out, when its row says so; one of
 * generic form leaves that as it is around it. */
static EchoStr dialect_within(const EchoOpInfo *info)
{
  return (info->traits & ECHO_DEFAULT_DIALECT) != 0 ? echo_op_info_dialect(info)
                                                    : ECHO_STR("builtin");
}

static EchoOpName *custom_op_name(EchoAsmParser *p)
{
  EchoStr text = echo_parser_text(p);
  if (memchr(text.data, '.', text.size) != NULL)
    return echo_parser_op_name(p, text);
  EchoStr dialect = echo_parser_default_dialect(p);
  EchoBuffer full = {0};
  echo_buffer_append_str(&full, dialect);
  echo_buffer_append_char(&full, '.');
  echo_buffer_append_str(&full, text);
  EchoStr interned = echo_context_intern(p->ctx, echo_buffer_str(&full));
  echo_buffer_destroy(&full);
  return echo_parser_op_name(p, interned);
}

static bool run_hook(EchoAsmParser *p, const EchoOpInfo *info)
{
  EchoArenaMark mark = echo_arena_mark(&p->scratch);
  bool fine = info->parse(p);
  if (fine) {
    collect_attrs(p);
    size_t first = top(p)->types;
    size_t n = p->types.size - first;
    fine = check_dict(p) && echo_parser_finish_op(p, p->types.data + first, n);
  }
  echo_arena_reset(&p->scratch, mark);
  return fine;
}

bool echo_parser_custom_op(EchoAsmParser *p, size_t bindings)
{
  EchoToken token = p->lexer.token;
  EchoOpName *name = custom_op_name(p);
  EchoStr dialect = echo_op_info_dialect(name->info);
  if (name->spec == NULL && echo_parser_refuse_former(p, name->text, token.start))
    return false;
  if (name->spec == NULL && echo_context_dialect_or_null(p->ctx, dialect) == NULL)
    return echo_parser_error(p, "Dialect `%.*s' not found for custom op '%.*s'",
                             ECHO_STR_ARG(dialect), ECHO_STR_ARG(echo_token_text(token)));
  if (name->spec == NULL)
    return echo_parser_error(p, "custom op '%.*s' is unknown (tried '%s' as well)",
                             ECHO_STR_ARG(echo_token_text(token)), name->info->name);
  if (name->info->parse == NULL)
    return echo_parser_error(p, "op '%s' has no custom assembly form", name->info->name);
  if (!echo_parser_enter(p))
    return false;
  echo_parser_push_op(p, name, token.start, bindings, dialect_within(name->info));
  echo_parser_consume(p);
  bool fine = run_hook(p, name->info);
  echo_parser_leave(p);
  return fine;
}
