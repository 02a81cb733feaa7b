/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Affine maps and integer sets, and the strided layout. Parentheses nest by recursion, which counts
 * its depth; sums and products are loops whose length is bounded with it, because the trees that
 * they make are walked by recursion. */
#include "ir/text/parse/attribute/affine_t.h"

#include "ir/text/parse/tokens_t.h"

enum { MAX_TERMS = 4096 };

typedef struct AffineParser {
  EchoAsmParser *p;
  ECHO_VECTOR(EchoStr) dims;
  ECHO_VECTOR(EchoStr) symbols;
  size_t n_terms;
} AffineParser;

static const EchoAffineExpr *sum(AffineParser *a);

static const EchoAffineExpr *negated(EchoContext *ctx, const EchoAffineExpr *expr)
{
  return echo_affine_binary(ctx, ECHO_AFFINE_MUL, expr, echo_affine_constant(ctx, -1));
}

/* No dimension inside: what may multiply or divide. */
static bool is_symbolic(const EchoAffineExpr *expr)
{
  if (expr->kind == ECHO_AFFINE_DIM)
    return false;
  return expr->lhs == NULL || (is_symbolic(expr->lhs) && is_symbolic(expr->rhs));
}

static const EchoAffineExpr *identifier(AffineParser *a)
{
  EchoAsmParser *p = a->p;
  EchoStr name = echo_parser_text(p);
  for (size_t i = 0; i < a->dims.size; i++) {
    if (echo_str_equal(a->dims.data[i], name)) {
      echo_parser_consume(p);
      return echo_affine_dim(p->ctx, (uint32_t)i);
    }
  }
  for (size_t i = 0; i < a->symbols.size; i++) {
    if (echo_str_equal(a->symbols.data[i], name)) {
      echo_parser_consume(p);
      return echo_affine_symbol(p->ctx, (uint32_t)i);
    }
  }
  echo_parser_error(p, "use of undeclared identifier");
  return NULL;
}

static const EchoAffineExpr *parenthesised(AffineParser *a)
{
  EchoAsmParser *p = a->p;
  if (!echo_parser_enter(p))
    return NULL;
  echo_parser_consume(p);
  const EchoAffineExpr *expr = NULL;
  if (echo_parser_at(p, ')'))
    echo_parser_error(p, "no expression inside parentheses");
  else
    expr = sum(a);
  if (expr != NULL && !echo_parser_expect(p, ')', "expected ')'"))
    expr = NULL;
  echo_parser_leave(p);
  return expr;
}

static const EchoAffineExpr *operand(AffineParser *a)
{
  EchoAsmParser *p = a->p;
  switch (p->lexer.token.kind) {
  case ECHO_TOKEN_BARE_ID:
    return identifier(a);
  case ECHO_TOKEN_INTEGER: {
    uint64_t value;
    if (!echo_parser_u64(echo_parser_text(p), &value) || value > INT64_MAX) {
      echo_parser_error(p, "constant too large for index");
      return NULL;
    }
    echo_parser_consume(p);
    return echo_affine_constant(p->ctx, (int64_t)value);
  }
  case '(':
    return parenthesised(a);
  case '-': {
    if (!echo_parser_enter(p))
      return NULL;
    echo_parser_consume(p);
    const EchoAffineExpr *value = operand(a);
    echo_parser_leave(p);
    return value == NULL ? NULL : negated(p->ctx, value);
  }
  case '+':
  case '*':
    echo_parser_error(p, "missing left operand of binary operator");
    return NULL;
  default:
    echo_parser_wrong_token(p, a->n_terms != 0 ? "missing right operand of binary operator"
                                               : "expected affine expression");
    return NULL;
  }
}

static bool count_term(AffineParser *a)
{
  return ++a->n_terms <= MAX_TERMS ||
         echo_parser_error(a->p, "affine expression has more than %d terms", MAX_TERMS);
}

/* The operator of a product at the current token, consumed; false when there is none. */
static bool product_operator(EchoAsmParser *p, EchoAffineKind *kind)
{
  if (echo_parser_at(p, '*'))
    *kind = ECHO_AFFINE_MUL;
  else if (echo_parser_at_keyword(p, "floordiv"))
    *kind = ECHO_AFFINE_FLOOR_DIV;
  else if (echo_parser_at_keyword(p, "ceildiv"))
    *kind = ECHO_AFFINE_CEIL_DIV;
  else if (echo_parser_at_keyword(p, "mod"))
    *kind = ECHO_AFFINE_MOD;
  else
    return false;
  return true;
}

static const char *affine_violation_or_null(EchoAffineKind kind, const EchoAffineExpr *lhs,
                                            const EchoAffineExpr *rhs)
{
  switch (kind) {
  case ECHO_AFFINE_MUL:
    return is_symbolic(lhs) || is_symbolic(rhs)
               ? NULL
               : "non-affine expression: at least one of the multiply operands has to be either a "
                 "constant or symbolic";
  case ECHO_AFFINE_FLOOR_DIV:
    return is_symbolic(rhs) ? NULL
                            : "non-affine expression: right operand of floordiv has to be either a "
                              "constant or symbolic";
  case ECHO_AFFINE_CEIL_DIV:
    return is_symbolic(rhs) ? NULL
                            : "non-affine expression: right operand of ceildiv has to be either a "
                              "constant or symbolic";
  default:
    return is_symbolic(rhs) ? NULL
                            : "non-affine expression: right operand of mod has to be either a "
                              "constant or symbolic";
  }
}

static const EchoAffineExpr *product(AffineParser *a)
{
  EchoAsmParser *p = a->p;
  const EchoAffineExpr *lhs = operand(a);
  EchoAffineKind kind;
  while (lhs != NULL && product_operator(p, &kind)) {
    const char *at = p->lexer.token.start;
    if (!count_term(a))
      return NULL;
    echo_parser_consume(p);
    const EchoAffineExpr *rhs = operand(a);
    if (rhs == NULL)
      return NULL;
    const char *violation = affine_violation_or_null(kind, lhs, rhs);
    if (violation != NULL) {
      echo_parser_error_at(p, at, "%s", violation);
      return NULL;
    }
    lhs = echo_affine_binary(p->ctx, kind, lhs, rhs);
  }
  return lhs;
}

static const EchoAffineExpr *sum(AffineParser *a)
{
  EchoAsmParser *p = a->p;
  const EchoAffineExpr *lhs = product(a);
  while (lhs != NULL && (echo_parser_at(p, '+') || echo_parser_at(p, '-'))) {
    bool minus = echo_parser_at(p, '-');
    if (!count_term(a))
      return NULL;
    echo_parser_consume(p);
    const EchoAffineExpr *rhs = product(a);
    if (rhs == NULL)
      return NULL;
    if (minus)
      rhs = negated(p->ctx, rhs);
    lhs = echo_affine_binary(p->ctx, ECHO_AFFINE_ADD, lhs, rhs);
  }
  return lhs;
}

/* ---- identifier lists ---- */

static bool is_declared(const AffineParser *a, EchoStr name)
{
  for (size_t i = 0; i < a->dims.size; i++)
    if (echo_str_equal(a->dims.data[i], name))
      return true;
  for (size_t i = 0; i < a->symbols.size; i++)
    if (echo_str_equal(a->symbols.data[i], name))
      return true;
  return false;
}

/* Behind "(" or "[", through `close`. */
static bool declarations(AffineParser *a, int close, bool are_dims)
{
  EchoAsmParser *p = a->p;
  if (echo_parser_try(p, close))
    return true;
  do {
    EchoStr name = echo_parser_text(p);
    if (!echo_parser_at(p, ECHO_TOKEN_BARE_ID))
      return echo_parser_wrong_token(p, "expected bare identifier");
    if (is_declared(a, name))
      return echo_parser_error(p, "redefinition of identifier '%.*s'", ECHO_STR_ARG(name));
    if (a->dims.size + a->symbols.size >= MAX_TERMS)
      return echo_parser_error(p, "more than %d dimensions and symbols", MAX_TERMS);
    if (are_dims)
      echo_vector_push(&a->dims, name);
    else
      echo_vector_push(&a->symbols, name);
    echo_parser_consume(p);
  } while (echo_parser_try(p, ','));
  return echo_parser_expect(p, close,
                            are_dims ? "expected ')' in dimensional identifier list"
                                     : "expected ']' in symbol list");
}

static bool header(AffineParser *a)
{
  EchoAsmParser *p = a->p;
  return echo_parser_expect(p, '(', "expected '(' in dimensional identifier list") &&
         declarations(a, ')', true) && (!echo_parser_try(p, '[') || declarations(a, ']', false));
}

static void affine_destroy(AffineParser *a)
{
  echo_vector_destroy(&a->dims);
  echo_vector_destroy(&a->symbols);
}

const EchoAttr *echo_parser_affine_map(EchoAsmParser *p)
{
  AffineParser a = {.p = p};
  ECHO_VECTOR(const EchoAffineExpr *) results = {0};
  bool fine = header(&a) && echo_parser_expect(p, ECHO_TOKEN_ARROW, "expected '->' or ':'") &&
              echo_parser_expect(p, '(', "expected '(' in affine map range");
  if (fine && !echo_parser_at(p, ')')) {
    do {
      a.n_terms = 0;
      const EchoAffineExpr *result = sum(&a);
      fine = result != NULL;
      echo_vector_push(&results, result);
    } while (fine && echo_parser_try(p, ','));
  }
  fine = fine && echo_parser_expect(p, ')', "expected ')' in affine map range");
  const EchoAttr *map =
      fine ? echo_attr_affine_map(p->ctx, (uint32_t)a.dims.size, (uint32_t)a.symbols.size,
                                  results.data, results.size)
           : NULL;
  echo_vector_destroy(&results);
  affine_destroy(&a);
  return map;
}

/* "expr == 0", "expr >= expr", "expr <= expr": brought to one side. */
static const EchoAffineExpr *constraint(AffineParser *a, bool *is_equality)
{
  EchoAsmParser *p = a->p;
  a->n_terms = 0;
  const EchoAffineExpr *lhs = sum(a);
  if (lhs == NULL)
    return NULL;
  int first = p->lexer.token.kind;
  bool is_relation = first == '=' || first == '>' || first == '<';
  if (!is_relation || *p->lexer.cursor != '=') {
    echo_parser_wrong_token(p, first == '='
                                   ? "expected '==' here"
                                   : "expected '== affine-expr' or '>= affine-expr' at end "
                                     "of affine constraint");
    return NULL;
  }
  echo_parser_consume(p);
  echo_parser_consume(p);
  const EchoAffineExpr *rhs = sum(a);
  if (rhs == NULL)
    return NULL;
  *is_equality = first == '=';
  const EchoAffineExpr *larger = first == '<' ? rhs : lhs, *smaller = first == '<' ? lhs : rhs;
  return echo_affine_binary(p->ctx, ECHO_AFFINE_ADD, larger, negated(p->ctx, smaller));
}

const EchoAttr *echo_parser_integer_set(EchoAsmParser *p)
{
  enum { MAX_CONSTRAINTS = 64 };
  AffineParser a = {.p = p};
  const EchoAffineExpr *constraints[MAX_CONSTRAINTS];
  size_t n = 0;
  uint64_t equality = 0;
  bool fine = header(&a) && echo_parser_expect(p, ':', "expected '->' or ':'") &&
              echo_parser_expect(p, '(', "expected '(' in integer set constraint list");
  if (fine && !echo_parser_at(p, ')')) {
    do {
      if (n == MAX_CONSTRAINTS) {
        fine = echo_parser_error(p, "integer set has more than %d constraints", MAX_CONSTRAINTS);
        break;
      }
      bool is_equality;
      constraints[n] = constraint(&a, &is_equality);
      fine = constraints[n] != NULL;
      if (fine && is_equality)
        equality |= UINT64_C(1) << n;
      n++;
    } while (fine && echo_parser_try(p, ','));
  }
  fine = fine && echo_parser_expect(p, ')', "expected ')' in integer set constraint list");
  if (fine && n == 0) /* "1 == 0 is false" has its counterpart: no constraint is 0 == 0 */
    constraints[n++] = echo_affine_constant(p->ctx, 0), equality = 1;
  const EchoAttr *set =
      fine ? echo_attr_integer_set(p->ctx, (uint32_t)a.dims.size, (uint32_t)a.symbols.size,
                                   constraints, equality, n)
           : NULL;
  affine_destroy(&a);
  return set;
}

/* ---- strided<[a, ?], offset: b> ---- */

static bool stride_value(EchoAsmParser *p, int64_t *value)
{
  if (echo_parser_try(p, '?')) {
    *value = ECHO_DYNAMIC;
    return true;
  }
  if (!echo_parser_at(p, '-') && !echo_parser_at(p, ECHO_TOKEN_INTEGER))
    return echo_parser_wrong_token(p, "expected a 64-bit signed integer or '?'");
  return echo_parser_i64(p, value);
}

const EchoAttr *echo_parser_strided(EchoAsmParser *p)
{
  int64_t strides[ECHO_MAX_RANK], offset = 0;
  size_t n = 0;
  if (!echo_parser_expect(p, '<', "expected '<' after 'strided'") ||
      !echo_parser_expect(p, '[', "expected '['"))
    return NULL;
  if (!echo_parser_at(p, ']')) {
    do {
      if (n == ECHO_MAX_RANK) {
        echo_parser_error(p, "rank is above the limit of %d", ECHO_MAX_RANK);
        return NULL;
      }
      if (!stride_value(p, &strides[n++]))
        return NULL;
    } while (echo_parser_try(p, ','));
  }
  if (!echo_parser_expect(p, ']', "expected ']'"))
    return NULL;
  if (echo_parser_try(p, ',')) {
    if (!echo_parser_try_keyword(p, "offset")) {
      echo_parser_wrong_token(p, "expected 'offset' after comma");
      return NULL;
    }
    if (!echo_parser_expect(p, ':', "expected ':' after 'offset'") || !stride_value(p, &offset))
      return NULL;
  }
  if (!echo_parser_expect(p, '>', "expected '>'"))
    return NULL;
  return echo_attr_strided_layout(p->ctx, offset, strides, n);
}
