/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The loop that reads a region's ops: result names, the generic form, blocks. Regions of generic
 * ops push a frame and go on in the same loop, so that nesting costs memory and no stack. */
#include "ir/text/parse/recursion_t.h"

#include "ir/text/dialect_symbol_t.h"
#include "ir/text/parse/asm_t.h"
#include "ir/text/parse/attribute/attr_t.h"
#include "ir/text/parse/attribute/loc_t.h"
#include "ir/text/parse/attribute/type_t.h"
#include "ir/text/parse/names_t.h"
#include "ir/text/parse/op_t.h"
#include "ir/text/parse/tokens_t.h"

/* ---- pieces of the generic form ---- */

/* "(%a, %b#1)" onto p->operands. */
static bool operand_list(EchoAsmParser *p)
{
  if (!echo_parser_expect(p, '(', "expected '(' to start operand list"))
    return false;
  if (echo_parser_at(p, ECHO_TOKEN_PERCENT_ID)) {
    do {
      EchoOperandName operand;
      if (!echo_parser_operand_name(p, &operand))
        return false;
      echo_vector_push(&p->operands, operand);
    } while (echo_parser_try(p, ','));
  }
  return echo_parser_expect(p, ')', "expected ')' to end operand list");
}

static bool successor_list(EchoAsmParser *p)
{
  if (!echo_parser_try(p, '['))
    return true;
  do {
    if (!echo_parser_at(p, ECHO_TOKEN_CARET_ID))
      return echo_parser_wrong_token(p, "expected block name");
    echo_vector_push(&p->successors, echo_parser_block_reference(p, p->lexer.token));
    echo_parser_consume(p);
  } while (echo_parser_try(p, ','));
  return echo_parser_expect(p, ']', "expected ',' or ']'");
}

/* Whether the source goes on with a text that was parsed before, and what ends it ends here too. */
static bool follows(const EchoAsmParser *p, const char *at, EchoStr text)
{
  return text.size != 0 && (size_t)(p->lexer.end - at) >= text.size &&
         memcmp(at, text.data, text.size) == 0;
}

/* A dictionary through the ring of its op name. `start` is where its text begins. */
static bool cached_dict(EchoAsmParser *p, EchoAttrsCache *cache, bool in_angles,
                        const EchoAttr **dictionary)
{
  const char *start = p->lexer.token.start;
  for (size_t i = 0; i < ECHO_N_CACHED; i++) {
    const EchoCachedAttrs *entry = &cache->entries[i];
    if (follows(p, start, entry->text)) {
      *dictionary = entry->dictionary;
      echo_lexer_restart(&p->lexer, start + entry->text.size);
      return true;
    }
  }
  if (in_angles)
    echo_parser_consume(p);
  *dictionary = echo_parser_attr_dict(p);
  if (*dictionary == NULL ||
      (in_angles && !echo_parser_expect(p, '>', "expected '>' to close properties")))
    return false;
  EchoStr text = {start, (size_t)(p->lexer.previous_end - start)};
  cache->entries[cache->next++ % ECHO_N_CACHED] = (EchoCachedAttrs){text, *dictionary};
  return true;
}

static bool properties(EchoAsmParser *p)
{
  if (!echo_parser_at(p, '<'))
    return true;
  const EchoAttr *dictionary;
  if (!cached_dict(p, &echo_vector_last(&p->ops).name->properties, true, &dictionary))
    return false;
  echo_vector_last(&p->ops).properties = dictionary;
  return true;
}

static bool attr_dict(EchoAsmParser *p)
{
  if (!echo_parser_at(p, '{'))
    return true;
  const EchoAttr *dictionary;
  if (!cached_dict(p, &echo_vector_last(&p->ops).name->attrs, false, &dictionary))
    return false;
  echo_vector_last(&p->ops).attrs = dictionary;
  return true;
}

/* "(types) -> types" onto p->types; *n_inputs of them are inputs. */
static bool parse_signature(EchoAsmParser *p, size_t mark, size_t *n_inputs)
{
  if (!echo_parser_at(p, '(')) {
    const char *at = p->lexer.token.start;
    const EchoType *type = echo_parser_type(p);
    if (type != NULL)
      echo_parser_error_at(p, at, "expected function type");
    return false;
  }
  if (!echo_parser_type_list_parens(p))
    return false;
  *n_inputs = p->types.size - mark;
  return echo_parser_expect(p, ECHO_TOKEN_ARROW, "expected '->' in function type") &&
         echo_parser_result_types(p);
}

static bool signature(EchoAsmParser *p, EchoOpName *name, size_t *n_inputs)
{
  const char *start = p->lexer.token.start;
  for (size_t i = 0; i < ECHO_N_CACHED; i++) {
    const EchoCachedSignature *cached = &name->signatures[i];
    if (!follows(p, start, cached->text))
      continue;
    char next = start[cached->text.size];
    if (echo_char_is(next, ECHO_CHAR_SUFFIX) || next == '<')
      continue;
    size_t n = cached->n_inputs + cached->n_results;
    echo_vector_reserve(&p->types, p->types.size + n);
    for (size_t j = 0; j < n; j++)
      p->types.data[p->types.size++] = cached->types[j];
    *n_inputs = cached->n_inputs;
    echo_lexer_restart(&p->lexer, start + cached->text.size);
    return true;
  }
  size_t mark = p->types.size;
  if (!parse_signature(p, mark, n_inputs))
    return false;
  size_t n = p->types.size - mark;
  if (n <= ECHO_N_CACHED_TYPES) {
    EchoCachedSignature *slot = &name->signatures[name->next_signature++ % ECHO_N_CACHED];
    slot->text = (EchoStr){start, (size_t)(p->lexer.previous_end - start)};
    slot->n_inputs = (uint32_t)*n_inputs;
    slot->n_results = (uint32_t)(n - *n_inputs);
    memcpy(slot->types, p->types.data + mark, n * sizeof *slot->types);
  }
  return true;
}

static bool resolve_operands(EchoAsmParser *p, const char *types_at, size_t types, size_t n_types)
{
  const EchoOpFrame *frame = &echo_vector_last(&p->ops);
  size_t first = frame->operands, n = p->operands.size - first;
  if (n != n_types)
    return echo_parser_error_at(p, types_at, "expected %zu operand type%s but had %zu", n,
                                n == 1 ? "" : "s", n_types);
  echo_vector_reserve(&p->op_values, p->op_values.size + n);
  for (size_t i = 0; i < n; i++) {
    const EchoOperandName *operand = &p->operands.data[first + i];
    EchoValue *value =
        echo_parser_resolve(p, &operand->key, operand->number, p->types.data[types + i]);
    if (value == NULL)
      return false;
    p->op_values.data[p->op_values.size++] = value;
  }
  return true;
}

/* From the attributes on. */
static bool finish_generic_op(EchoAsmParser *p)
{
  if (!attr_dict(p))
    return false;
  if (!echo_parser_expect(p, ':', "expected ':' followed by operation type"))
    return false;
  const char *types_at = p->lexer.token.start;
  size_t mark = p->types.size, n_inputs;
  if (!signature(p, echo_vector_last(&p->ops).name, &n_inputs) ||
      !resolve_operands(p, types_at, mark, n_inputs))
    return false;
  return echo_parser_finish_op(p, p->types.data + mark + n_inputs, p->types.size - mark - n_inputs);
}

static bool check_registered(EchoAsmParser *p, const EchoOpName *name, const char *at)
{
  if (ECHO_LIKELY(name->spec != NULL) ||
      echo_keeps_unknown(p->ctx, echo_op_info_dialect(name->info)))
    return true;
  if (echo_parser_refuse_former(p, name->text, at))
    return false;
  return echo_parser_error_at(
      p, at,
      "operation being parsed with an unregistered dialect. If this is intended, please use "
      "-allow-unregistered-dialect with the MLIR tool used");
}

/* Begins at the name; when regions follow, opens the first and leaves the rest to the loop. */
static bool generic_op(EchoAsmParser *p, const char *start, size_t bindings)
{
  EchoToken token = p->lexer.token;
  EchoStr text = {token.start + 1, (size_t)(token.end - token.start - 2)};
  if (text.size == 0)
    return echo_parser_error(p, "empty operation name is invalid");
  if (memchr(text.data, '\0', text.size) != NULL)
    return echo_parser_error(p, "null character not allowed in operation name");
  if (memchr(text.data, '\\', text.size) != NULL)
    text = echo_string_unescape(echo_context_arena(p->ctx), echo_token_text(token));
  EchoOpName *name = echo_parser_op_name(p, text);
  if (!check_registered(p, name, token.start))
    return false;
  echo_parser_push_op(p, name, start, bindings, echo_parser_default_dialect(p));
  echo_parser_consume(p);
  if (!operand_list(p) || !successor_list(p) || !properties(p))
    return false;
  if (!echo_parser_try(p, '('))
    return finish_generic_op(p);
  return echo_parser_open_region(p, true);
}

static bool after_generic_region(EchoAsmParser *p)
{
  if (echo_parser_try(p, ','))
    return echo_parser_open_region(p, true);
  return echo_parser_expect(p, ')', "expected ')' to end region list") && finish_generic_op(p);
}

/* ---- regions and blocks ---- */

static bool close_region(EchoAsmParser *p)
{
  EchoRegionFrame frame = echo_vector_pop(&p->open_regions);
  if (!echo_parser_pop_scope(p, &frame))
    return false;
  echo_parser_consume(p);
  return true;
}

static bool block_args(EchoAsmParser *p, EchoBlock *block)
{
  if (!echo_parser_try(p, '(') || echo_parser_try(p, ')'))
    return true;
  do {
    EchoOperandName name;
    const char *at = p->lexer.token.start;
    if (!echo_parser_operand_name(p, &name) ||
        !echo_parser_expect(p, ':', "expected ':' and type for SSA operand"))
      return false;
    const EchoType *type = echo_parser_type(p);
    if (type == NULL)
      return false;
    EchoValue *arg = echo_block_add_arg(p->ctx, block, type, echo_parser_loc(p, at));
    if (!echo_parser_define(p, &name.key, arg, 1) ||
        !echo_parser_trailing_loc(p, &echo_value_block_arg(arg)->loc, true))
      return false;
  } while (echo_parser_try(p, ','));
  return echo_parser_expect(p, ')', "expected ')'");
}

static bool block_label(EchoAsmParser *p)
{
  EchoBlock *block = echo_parser_define_block(p, p->lexer.token);
  if (block == NULL)
    return false;
  EchoRegionFrame *frame = &echo_vector_last(&p->open_regions);
  echo_region_append(frame->region, block);
  frame->block = block;
  echo_parser_consume(p);
  return block_args(p, block) && echo_parser_expect(p, ':', "expected ':' after block name");
}

/* ---- ops ---- */

enum {
  MAX_BINDINGS = 1 << 22
}; /* of all ops under construction: a bound on what garbage may cost */

/* "%a:2, %b =" onto p->bindings. */
static bool result_names(EchoAsmParser *p)
{
  do {
    EchoToken token = p->lexer.token;
    if (token.kind != ECHO_TOKEN_PERCENT_ID)
      return echo_parser_wrong_token(p, "expected valid ssa identifier");
    EchoBinding binding = {.count = 1};
    binding.key = echo_name_key(&p->lexer, token.start + 1, (size_t)(token.end - token.start - 1));
    echo_parser_consume(p);
    if (echo_parser_try(p, ':')) {
      uint64_t count;
      if (!echo_parser_at(p, ECHO_TOKEN_INTEGER))
        return echo_parser_wrong_token(p, "expected integer number of results");
      if (!echo_parser_u64(echo_parser_text(p), &count) || count < 1 || count > UINT32_MAX >> 1)
        return echo_parser_error(p, "expected named operation to have at least 1 result");
      binding.count = (uint32_t)count;
      echo_parser_consume(p);
    }
    if (p->bindings.size >= MAX_BINDINGS)
      return echo_parser_error(p, "more than %d result names", MAX_BINDINGS);
    echo_vector_push(&p->bindings, binding);
  } while (echo_parser_try(p, ','));
  return echo_parser_expect(p, '=', "expected '=' after SSA name");
}

static bool operation(EchoAsmParser *p)
{
  size_t bindings = p->bindings.size;
  if (echo_parser_at(p, ECHO_TOKEN_PERCENT_ID) && !result_names(p))
    return false;
  if (echo_vector_last(&p->open_regions).block == NULL)
    echo_parser_entry_block(p);
  const char *start = p->lexer.token.start;
  if (ECHO_LIKELY(echo_parser_at(p, ECHO_TOKEN_STRING)))
    return generic_op(p, start, bindings);
  if (echo_parser_at(p, ECHO_TOKEN_BARE_ID))
    return echo_parser_custom_op(p, bindings);
  return echo_parser_wrong_token(p, "expected operation name in quotes");
}

static bool is_top_level_token(int kind)
{
  return kind == ECHO_TOKEN_EOF || kind == ECHO_TOKEN_HASH_ID || kind == ECHO_TOKEN_EXCLAM_ID ||
         kind == ECHO_TOKEN_METADATA_BEGIN;
}

bool echo_parser_body(EchoAsmParser *p, size_t base)
{
  for (;;) {
    int kind = p->lexer.token.kind;
    bool at_top = p->open_regions.size == 1;
    echo_lexer_forget_before(&p->lexer, p->lexer.token.start);
    if (kind == '}' && !at_top) {
      bool of_generic_op = echo_vector_last(&p->open_regions).of_generic_op;
      if (!close_region(p))
        return false;
      if (p->open_regions.size == base)
        return true;
      ECHO_CHECK(of_generic_op, "a hook's region is closed by another loop than its own");
      if (!after_generic_region(p))
        return false;
    } else if (kind == ECHO_TOKEN_CARET_ID && !at_top) {
      if (!block_label(p))
        return false;
    } else if (at_top && is_top_level_token(kind)) {
      return true;
    } else if (!operation(p)) {
      return false;
    }
  }
}
