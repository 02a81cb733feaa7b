/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Locations: loc("file":1:2), loc("name"(child)), loc(callsite(a at b)), loc(fused<m>[a, b]),
 * loc(unknown), loc(#alias). */
#include "ir/text/parse/attribute/loc_t.h"

#include "ir/text/parse/recursion_t.h"
#include "ir/text/parse/tokens_t.h"

static bool position_number(EchoAsmParser *p, const char *missing, uint32_t *value)
{
  uint64_t number;
  if (!echo_parser_at(p, ECHO_TOKEN_INTEGER))
    return echo_parser_wrong_token(p, "%s", missing);
  if (!echo_parser_u64(echo_parser_text(p), &number) || number > UINT32_MAX)
    return echo_parser_error(p, "%s", missing);
  *value = (uint32_t)number;
  echo_parser_consume(p);
  return true;
}

/* " to :column" and " to line:column" behind a position, both optional. */
static bool range_end(EchoAsmParser *p, uint32_t *line, uint32_t *column)
{
  if (!echo_parser_try_keyword(p, "to"))
    return true;
  if (echo_parser_at(p, ECHO_TOKEN_INTEGER) &&
      !position_number(p, "expected integer line number in FileLineColRange", line))
    return false;
  return echo_parser_expect(p, ':', "expected ':' in FileLineColRange") &&
         position_number(p, "expected integer column number in FileLineColRange", column);
}

/* "file":line:column, or "name" with an optional (child). */
static const EchoAttr *file_or_name(EchoAsmParser *p)
{
  EchoStr text = echo_string_unescape(echo_context_arena(p->ctx), echo_parser_text(p));
  echo_parser_consume(p);
  if (echo_parser_try(p, ':')) {
    uint32_t line, column;
    if (!position_number(p, "expected integer line number in FileLineColLoc", &line) ||
        !echo_parser_expect(p, ':', "expected ':' in FileLineColLoc") ||
        !position_number(p, "expected integer column number in FileLineColLoc", &column))
      return NULL;
    uint32_t end_line = line, end_column = column;
    if (!range_end(p, &end_line, &end_column))
      return NULL;
    return echo_attr_location_range(p->ctx, text, line, column, end_line, end_column);
  }
  const EchoAttr *child = echo_attr_location_unknown(p->ctx);
  if (echo_parser_try(p, '(')) {
    child = echo_parser_location(
        p); /* may be a NameLoc itself: MLIR 19 refused it, later ones write it */
    if (child == NULL)
      return NULL;
    if (!echo_parser_expect(p, ')', "expected ')' after child location of NameLoc"))
      return NULL;
  }
  return echo_attr_location_name(p->ctx, text, child);
}

static const EchoAttr *call_site(EchoAsmParser *p)
{
  echo_parser_consume(p);
  if (!echo_parser_expect(p, '(', "expected '(' in callsite location"))
    return NULL;
  const EchoAttr *callee = echo_parser_location(p);
  if (callee == NULL)
    return NULL;
  if (!echo_parser_try_keyword(p, "at")) {
    echo_parser_wrong_token(p, "expected 'at' in callsite location");
    return NULL;
  }
  const EchoAttr *caller = echo_parser_location(p);
  if (caller == NULL || !echo_parser_expect(p, ')', "expected ')' in callsite location"))
    return NULL;
  return echo_attr_location_call_site(p->ctx, callee, caller);
}

static const EchoAttr *fused(EchoAsmParser *p)
{
  echo_parser_consume(p);
  const EchoAttr *metadata = NULL;
  if (echo_parser_try(p, '<')) {
    metadata = echo_parser_attr(p, NULL);
    if (metadata == NULL ||
        !echo_parser_expect(p, '>', "expected '>' after fused location metadata"))
      return NULL;
  }
  if (!echo_parser_expect(p, '[', "expected '[' in fused location"))
    return NULL;
  ECHO_VECTOR(const EchoAttr *) parts = {0};
  bool fine = true;
  if (!echo_parser_at(p, ']')) {
    do {
      const EchoAttr *part = echo_parser_location(p);
      fine = part != NULL;
      echo_vector_push(&parts, part);
    } while (fine && echo_parser_try(p, ','));
  }
  fine = fine && echo_parser_expect(p, ']', "expected ']' in fused location");
  const EchoAttr *attr =
      fine ? echo_attr_location_fused(p->ctx, parts.data, parts.size, metadata) : NULL;
  echo_vector_destroy(&parts);
  return attr;
}

static const EchoAttr *location_alias(EchoAsmParser *p)
{
  const char *at = p->lexer.token.start;
  const EchoAttr *attr = echo_parser_attr(p, NULL);
  if (attr != NULL && attr->kind != ECHO_ATTR_LOCATION) {
    echo_parser_error_at(p, at, "expected location, but found '%s'", echo_attr_text(p->ctx, attr));
    return NULL;
  }
  return attr;
}

static const EchoAttr *dispatch(EchoAsmParser *p)
{
  if (echo_parser_at(p, ECHO_TOKEN_STRING))
    return file_or_name(p);
  if (echo_parser_at(p, ECHO_TOKEN_HASH_ID))
    return location_alias(p);
  if (echo_parser_at_keyword(p, "callsite"))
    return call_site(p);
  if (echo_parser_at_keyword(p, "fused"))
    return fused(p);
  if (echo_parser_try_keyword(p, "unknown"))
    return echo_attr_location_unknown(p->ctx);
  echo_parser_wrong_token(p, "expected location instance");
  return NULL;
}

const EchoAttr *echo_parser_location(EchoAsmParser *p)
{
  if (!echo_parser_enter(p))
    return NULL;
  const EchoAttr *attr = dispatch(p);
  echo_parser_leave(p);
  return attr;
}

/* An alias without a '.' or body, as opposed to a dialect's location attribute. */
static bool is_alias(const EchoToken *token)
{
  return token->kind == ECHO_TOKEN_HASH_ID && *token->end == ')' &&
         memchr(token->start, '.', (size_t)(token->end - token->start)) == NULL;
}

bool echo_parser_trailing_loc(EchoAsmParser *p, EchoLoc *target, bool stays)
{
  if (!echo_parser_try_keyword(p, "loc"))
    return true;
  if (!echo_parser_expect(p, '(', "expected '(' in location"))
    return false;
  EchoToken token = p->lexer.token;
  if (is_alias(&token)) {
    EchoStr alias = {token.start + 1, (size_t)(token.end - token.start - 1)};
    if (echo_string_map_get_or(&p->attr_aliases, alias, 0) == 0) {
      if (!stays)
        *target = echo_parser_loc(p, token.start);
      echo_vector_push(&p->deferred_locs,
                       (EchoDeferredLoc){alias, token.start, stays ? target : NULL});
      echo_parser_consume(p);
      return echo_parser_expect(p, ')', "expected ')' in location");
    }
  }
  const EchoAttr *attr = echo_parser_location(p);
  if (attr == NULL || !echo_parser_expect(p, ')', "expected ')' in location"))
    return false;
  *target = echo_loc_from_attr(attr);
  return true;
}

/* Replaces the marks of hooks' locations on the arguments of the blocks inside `op`. */
static void replace_marks_inside(const EchoOp *op, const EchoMap *marks)
{
  for (uint16_t i = 0; i < op->n_regions; i++)
    for (const EchoBlock *block = op->regions[i].first; block != NULL; block = block->next)
      for (uint32_t j = 0; j < block->n_args; j++) {
        EchoLoc *loc = &block->args[j]->loc;
        loc->bits = echo_map_get_or(marks, loc->bits, loc->bits);
      }
}

bool echo_parser_resolve_deferred_locs(EchoAsmParser *p, const EchoBlock *block)
{
  EchoMap marks = {0};
  bool fine = true;
  for (size_t i = 0; i < p->deferred_locs.size && fine; i++) {
    const EchoDeferredLoc *deferred = &p->deferred_locs.data[i];
    const EchoAttr *attr =
        (const EchoAttr *)(uintptr_t)echo_string_map_get_or(&p->attr_aliases, deferred->alias, 0);
    if (attr == NULL)
      fine = echo_parser_error_at(p, deferred->at, "operation location alias was never defined");
    else if (attr->kind != ECHO_ATTR_LOCATION)
      fine = echo_parser_error_at(p, deferred->at, "expected location, but found '%s'",
                                  echo_attr_text(p->ctx, attr));
    else if (deferred->target != NULL)
      *deferred->target = echo_loc_from_attr(attr);
    else
      echo_map_set(&marks, echo_parser_loc(p, deferred->at).bits, echo_loc_from_attr(attr).bits);
  }
  if (fine && marks.n_live != 0)
    for (EchoOp *top = block->first; top != NULL; top = top->next)
      for (EchoOp *op = top; op != NULL; op = echo_op_walk_next(top, op))
        replace_marks_inside(op, &marks);
  echo_map_destroy(&marks);
  return fine;
}
