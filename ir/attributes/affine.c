/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Affine expressions, uniqued and simplified as MLIR's getAffineBinaryOpExpr does
 * (mlir/lib/IR/AffineExpr.cpp), and the attributes made of them. */
#include "ir/attributes/attribute_t.h"

/* What an expression is stored with, so that no question about it walks it. */
typedef struct Node {
  EchoAffineExpr expr; /* first member */
  uint64_t hash;
  int64_t divisor; /* the largest integer known to divide every value; 0 for the constant 0 */
  uint64_t n_dims, n_symbols; /* one more than the highest position of each */
  uint32_t depth;
  uint16_t owner;   /* as a type's */
  bool is_symbolic; /* of symbols and constants only */
} Node;

/* Expressions deeper than this are kept as they are: simplifying them would recurse as deep. */
enum { MAX_SIMPLIFIED_DEPTH = 1000 };

static const Node *node(const EchoAffineExpr *expr)
{
  return (const Node *)expr;
}

static bool is_symbolic(const EchoAffineExpr *expr)
{
  return node(expr)->is_symbolic;
}

static bool is_constant(const EchoAffineExpr *expr)
{
  return expr->kind == ECHO_AFFINE_CONSTANT;
}

static bool is_constant_value(const EchoAffineExpr *expr, int64_t value)
{
  return is_constant(expr) && expr->value == value;
}

/* `expr` is lhs `kind` constant. */
static bool has_constant_rhs(const EchoAffineExpr *expr, EchoAffineKind kind)
{
  return expr->kind == kind && is_constant(expr->rhs);
}

/* ---- uniquing ---- */

static bool same_expr(const void *object, const void *key)
{
  const EchoAffineExpr *a = object, *b = key;
  return a->kind == b->kind && a->value == b->value && a->lhs == b->lhs && a->rhs == b->rhs;
}

static int64_t magnitude(int64_t value)
{
  return value == INT64_MIN ? INT64_MAX : value < 0 ? -value : value; /* MIN: any divisor will do */
}

static int64_t greatest_common_divisor(int64_t a, int64_t b)
{
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* The one division that overflows. */
static bool division_overflows(int64_t a, int64_t b)
{
  return a == INT64_MIN && b == -1;
}

static bool divides(int64_t divisor, int64_t value)
{
  return !division_overflows(value, divisor) && value % divisor == 0;
}

static int64_t known_divisor(const EchoAffineExpr *expr)
{
  switch (expr->kind) {
  case ECHO_AFFINE_DIM:
  case ECHO_AFFINE_SYMBOL:
    return 1;
  case ECHO_AFFINE_CONSTANT:
    return expr->value == INT64_MIN ? 1 : magnitude(expr->value);
  case ECHO_AFFINE_MUL: {
    int64_t product;
    bool fits = echo_mul_i64(node(expr->lhs)->divisor, node(expr->rhs)->divisor, &product);
    return fits ? product : 1;
  }
  case ECHO_AFFINE_ADD:
  case ECHO_AFFINE_MOD:
    return greatest_common_divisor(node(expr->lhs)->divisor, node(expr->rhs)->divisor);
  case ECHO_AFFINE_FLOOR_DIV:
  case ECHO_AFFINE_CEIL_DIV: {
    int64_t divisor = node(expr->lhs)->divisor;
    if (!is_constant(expr->rhs) || expr->rhs->value == 0 || !divides(expr->rhs->value, divisor))
      return 1;
    return magnitude(divisor / expr->rhs->value);
  }
  }
  return 1;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

static const EchoAffineExpr *unique(EchoContext *ctx, EchoAffineKind kind, int64_t value,
                                    const EchoAffineExpr *lhs, const EchoAffineExpr *rhs)
{
  EchoAffineExpr key = {kind, value, lhs, rhs};
  uint64_t hash = echo_hash_combine((uint64_t)kind + 1, (uint64_t)value);
  if (lhs != NULL)
    hash = echo_hash_combine(echo_hash_combine(hash, node(lhs)->hash), node(rhs)->hash);
  EchoUniquerSlot *slot = echo_uniquer_slot(&ctx->affine_exprs, hash, same_expr, &key);
  if (slot->object != NULL)
    return slot->object;
  Node *added = ECHO_ARENA_NEW(&ctx->arena, Node);
  *added = (Node){.expr = key, .hash = hash, .divisor = known_divisor(&key), .owner = ctx->tag};
  if (lhs != NULL) {
    const Node *left = node(lhs), *right = node(rhs);
    added->depth = 1 + (uint32_t)larger(left->depth, right->depth);
    added->is_symbolic = left->is_symbolic && right->is_symbolic;
    added->n_dims = larger(left->n_dims, right->n_dims);
    added->n_symbols = larger(left->n_symbols, right->n_symbols);
  } else {
    added->is_symbolic = kind != ECHO_AFFINE_DIM;
    added->n_dims = kind == ECHO_AFFINE_DIM ? (uint64_t)value + 1 : 0;
    added->n_symbols = kind == ECHO_AFFINE_SYMBOL ? (uint64_t)value + 1 : 0;
  }
  echo_uniquer_fill(&ctx->affine_exprs, slot, hash, added);
  return &added->expr;
}

const EchoAffineExpr *echo_affine_constant(EchoContext *ctx, int64_t value)
{
  return ctx != NULL ? unique(ctx, ECHO_AFFINE_CONSTANT, value, NULL, NULL) : NULL;
}

const EchoAffineExpr *echo_affine_dim(EchoContext *ctx, uint32_t position)
{
  return ctx != NULL ? unique(ctx, ECHO_AFFINE_DIM, position, NULL, NULL) : NULL;
}

const EchoAffineExpr *echo_affine_symbol(EchoContext *ctx, uint32_t position)
{
  return ctx != NULL ? unique(ctx, ECHO_AFFINE_SYMBOL, position, NULL, NULL) : NULL;
}

/* ---- simplification: NULL = none ---- */

static const EchoAffineExpr *add(EchoContext *ctx, const EchoAffineExpr *lhs,
                                 const EchoAffineExpr *rhs)
{
  return echo_affine_binary(ctx, ECHO_AFFINE_ADD, lhs, rhs);
}

static const EchoAffineExpr *multiply(EchoContext *ctx, const EchoAffineExpr *lhs,
                                      const EchoAffineExpr *rhs)
{
  return echo_affine_binary(ctx, ECHO_AFFINE_MUL, lhs, rhs);
}

/* expr = factor * term, with factor 1 for what is no product with a constant. */
static const EchoAffineExpr *split_factor(const EchoAffineExpr *expr, int64_t *factor)
{
  bool is_product = has_constant_rhs(expr, ECHO_AFFINE_MUL);
  *factor = is_product ? expr->rhs->value : 1;
  return is_product ? expr->lhs : expr;
}

/* "expr - (expr floordiv q) * q" is "expr mod q". */
static const EchoAffineExpr *add_to_mod(EchoContext *ctx, const EchoAffineExpr *lhs,
                                        const EchoAffineExpr *rhs)
{
  if (rhs->kind != ECHO_AFFINE_MUL)
    return NULL;
  const EchoAffineExpr *factor = rhs->lhs;
  /* ((expr floordiv q) * q) * -1, q symbolic */
  if (is_constant_value(rhs->rhs, -1) && factor->kind == ECHO_AFFINE_MUL) {
    const EchoAffineExpr *quotient = factor->lhs;
    bool matches = quotient->kind == ECHO_AFFINE_FLOOR_DIV && quotient->rhs == factor->rhs &&
                   quotient->lhs == lhs;
    return matches ? echo_affine_binary(ctx, ECHO_AFFINE_MOD, lhs, factor->rhs) : NULL;
  }
  /* (expr floordiv c) * -c, c constant */
  if (has_constant_rhs(factor, ECHO_AFFINE_FLOOR_DIV) && factor->lhs == lhs &&
      is_constant(rhs->rhs) && rhs->rhs->value != INT64_MIN &&
      factor->rhs->value == -rhs->rhs->value)
    return echo_affine_binary(ctx, ECHO_AFFINE_MOD, lhs, factor->rhs);
  return NULL;
}

static const EchoAffineExpr *simplify_add(EchoContext *ctx, const EchoAffineExpr *lhs,
                                          const EchoAffineExpr *rhs)
{
  int64_t sum;
  if (is_constant(lhs) && is_constant(rhs))
    return __builtin_add_overflow(lhs->value, rhs->value, &sum) ? NULL
                                                                : echo_affine_constant(ctx, sum);
  /* constants, then symbolic terms, to the right */
  if (is_constant(lhs) || (is_symbolic(lhs) && !is_symbolic(rhs)))
    return add(ctx, rhs, lhs);
  if (is_constant_value(rhs, 0))
    return lhs;
  /* (d0 + 2) + 3 */
  if (is_constant(rhs) && has_constant_rhs(lhs, ECHO_AFFINE_ADD))
    return __builtin_add_overflow(lhs->rhs->value, rhs->value, &sum)
               ? NULL
               : add(ctx, lhs->lhs, echo_affine_constant(ctx, sum));
  /* c1 * e + c2 * e */
  int64_t left_factor, right_factor;
  const EchoAffineExpr *left_term = split_factor(lhs, &left_factor);
  if (left_term == split_factor(rhs, &right_factor))
    return __builtin_add_overflow(left_factor, right_factor, &sum)
               ? NULL
               : multiply(ctx, left_term, echo_affine_constant(ctx, sum));
  /* (d0 + 2) + d1 */
  if (has_constant_rhs(lhs, ECHO_AFFINE_ADD))
    return add(ctx, add(ctx, lhs->lhs, rhs), lhs->rhs);
  return add_to_mod(ctx, lhs, rhs);
}

static const EchoAffineExpr *simplify_mul(EchoContext *ctx, const EchoAffineExpr *lhs,
                                          const EchoAffineExpr *rhs)
{
  int64_t product;
  if (is_constant(lhs) && is_constant(rhs))
    return echo_mul_i64(lhs->value, rhs->value, &product) ? echo_affine_constant(ctx, product)
                                                          : NULL;
  if (!is_symbolic(rhs) || is_constant(lhs))
    return multiply(ctx, rhs, lhs);
  if (is_constant_value(rhs, 1))
    return lhs;
  if (is_constant_value(rhs, 0))
    return rhs;
  if (!has_constant_rhs(lhs, ECHO_AFFINE_MUL))
    return NULL;
  /* (d0 * 2) * 3 */
  if (is_constant(rhs))
    return echo_mul_i64(lhs->rhs->value, rhs->value, &product)
               ? multiply(ctx, lhs->lhs, echo_affine_constant(ctx, product))
               : NULL;
  /* (d0 * 2) * s0 */
  return multiply(ctx, multiply(ctx, lhs->lhs, rhs), lhs->rhs);
}

static int64_t floor_quotient(int64_t a, int64_t b)
{
  int64_t quotient = a / b;
  return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

static int64_t ceil_quotient(int64_t a, int64_t b)
{
  int64_t quotient = a / b;
  return quotient + (a % b != 0 && (a < 0) == (b < 0));
}

/* What floordiv and ceildiv share. Division by zero is kept as it is. */
static const EchoAffineExpr *simplify_quotient(EchoContext *ctx, const EchoAffineExpr *lhs,
                                               const EchoAffineExpr *rhs,
                                               int64_t (*quotient)(int64_t, int64_t))
{
  if (!is_constant(rhs) || rhs->value == 0)
    return NULL;
  int64_t divisor = rhs->value;
  if (is_constant(lhs))
    return division_overflows(lhs->value, divisor)
               ? NULL
               : echo_affine_constant(ctx, quotient(lhs->value, divisor));
  if (divisor == 1)
    return lhs;
  if (has_constant_rhs(lhs, ECHO_AFFINE_MUL) && divides(divisor, lhs->rhs->value))
    return multiply(ctx, lhs->lhs, echo_affine_constant(ctx, lhs->rhs->value / divisor));
  return NULL;
}

static const EchoAffineExpr *simplify_floor_div(EchoContext *ctx, const EchoAffineExpr *lhs,
                                                const EchoAffineExpr *rhs)
{
  const EchoAffineExpr *simple = simplify_quotient(ctx, lhs, rhs, floor_quotient);
  if (simple != NULL)
    return simple;
  if (lhs->kind == ECHO_AFFINE_ADD && is_constant(rhs) && rhs->value != 0 &&
      (node(lhs->lhs)->divisor % rhs->value == 0 || node(lhs->rhs)->divisor % rhs->value == 0))
    return add(ctx, echo_affine_binary(ctx, ECHO_AFFINE_FLOOR_DIV, lhs->lhs, rhs),
               echo_affine_binary(ctx, ECHO_AFFINE_FLOOR_DIV, lhs->rhs, rhs));
  return NULL;
}

static const EchoAffineExpr *simplify_ceil_div(EchoContext *ctx, const EchoAffineExpr *lhs,
                                               const EchoAffineExpr *rhs)
{
  return simplify_quotient(ctx, lhs, rhs, ceil_quotient);
}

static const EchoAffineExpr *simplify_mod(EchoContext *ctx, const EchoAffineExpr *lhs,
                                          const EchoAffineExpr *rhs)
{
  if (!is_constant(rhs) || rhs->value < 1)
    return NULL;
  int64_t modulus = rhs->value;
  if (is_constant(lhs)) {
    int64_t rest = lhs->value % modulus;
    return echo_affine_constant(ctx, rest < 0 ? rest + modulus : rest);
  }
  if (node(lhs)->divisor % modulus == 0)
    return echo_affine_constant(ctx, 0);
  if (lhs->kind == ECHO_AFFINE_ADD) {
    if (node(lhs->lhs)->divisor % modulus == 0)
      return echo_affine_binary(ctx, ECHO_AFFINE_MOD, lhs->rhs, rhs);
    if (node(lhs->rhs)->divisor % modulus == 0)
      return echo_affine_binary(ctx, ECHO_AFFINE_MOD, lhs->lhs, rhs);
  }
  /* (e mod a) mod b, b divides a */
  if (has_constant_rhs(lhs, ECHO_AFFINE_MOD) && lhs->rhs->value >= 1 &&
      lhs->rhs->value % modulus == 0)
    return echo_affine_binary(ctx, ECHO_AFFINE_MOD, lhs->lhs, rhs);
  return NULL;
}

static const EchoAffineExpr *simplify(EchoContext *ctx, EchoAffineKind kind,
                                      const EchoAffineExpr *lhs, const EchoAffineExpr *rhs)
{
  if (node(lhs)->depth > MAX_SIMPLIFIED_DEPTH || node(rhs)->depth > MAX_SIMPLIFIED_DEPTH)
    return NULL;
  switch (kind) {
  case ECHO_AFFINE_ADD:
    return simplify_add(ctx, lhs, rhs);
  case ECHO_AFFINE_MUL:
    return simplify_mul(ctx, lhs, rhs);
  case ECHO_AFFINE_MOD:
    return simplify_mod(ctx, lhs, rhs);
  case ECHO_AFFINE_FLOOR_DIV:
    return simplify_floor_div(ctx, lhs, rhs);
  case ECHO_AFFINE_CEIL_DIV:
    return simplify_ceil_div(ctx, lhs, rhs);
  case ECHO_AFFINE_CONSTANT:
  case ECHO_AFFINE_DIM:
  case ECHO_AFFINE_SYMBOL:
    break;
  }
  ECHO_UNREACHABLE("affine kind %d is not binary", (int)kind);
}

static bool check_binary(EchoContext *ctx, EchoAffineKind kind, const EchoAffineExpr *lhs,
                         const EchoAffineExpr *rhs)
{
  EchoLoc nowhere = echo_loc_unknown();
  if (ECHO_UNLIKELY((unsigned)kind < ECHO_AFFINE_ADD || (unsigned)kind > ECHO_AFFINE_CEIL_DIV))
    return echo_misuse(ctx, nowhere, "an affine expression is made: 'kind' is %d, not binary",
                       (int)kind);
  if (ECHO_UNLIKELY(lhs == NULL || rhs == NULL))
    return echo_misuse(ctx, nowhere, "an affine expression is made: '%s' is NULL",
                       lhs == NULL ? "lhs" : "rhs");
  if (ECHO_UNLIKELY(node(lhs)->owner != ctx->tag || node(rhs)->owner != ctx->tag))
    return echo_misuse(ctx, nowhere, "an affine expression is made: '%s' is of another context",
                       node(lhs)->owner != ctx->tag ? "lhs" : "rhs");
  return ECHO_LIKELY(kind != ECHO_AFFINE_MUL || is_symbolic(lhs) || is_symbolic(rhs)) ||
         echo_misuse(ctx, nowhere,
                     "an affine expression is made: 'lhs' and 'rhs' of a product have dimensions");
}

const EchoAffineExpr *echo_affine_binary(EchoContext *ctx, EchoAffineKind kind,
                                         const EchoAffineExpr *lhs, const EchoAffineExpr *rhs)
{
  if (ctx == NULL || !check_binary(ctx, kind, lhs, rhs))
    return NULL;
  const EchoAffineExpr *simple = simplify(ctx, kind, lhs, rhs);
  return simple != NULL ? simple : unique(ctx, kind, 0, lhs, rhs);
}

bool echo_affine_is_symbolic(const EchoAffineExpr *expr)
{
  return expr != NULL && is_symbolic(expr);
}

/* ---- maps and sets ---- */

/* One that stands in an attribute of so many dimensions and symbols. */
static bool check_expr(EchoContext *ctx, const char *name, size_t i, const EchoAffineExpr *expr,
                       uint32_t n_dims, uint32_t n_symbols)
{
  EchoLoc nowhere = echo_loc_unknown();
  if (ECHO_UNLIKELY(expr == NULL || node(expr)->owner != ctx->tag))
    return echo_misuse(ctx, nowhere, "an affine attribute is made: '%s[%zu]' is %s", name, i,
                       expr == NULL ? "NULL" : "of another context");
  bool has_dims = node(expr)->n_dims <= n_dims;
  return ECHO_LIKELY(has_dims && node(expr)->n_symbols <= n_symbols) ||
         echo_misuse(ctx, nowhere,
                     "an affine attribute is made: '%s[%zu]' has %s above 'n_%s', which is %u",
                     name, i, has_dims ? "a symbol" : "a dimension", has_dims ? "symbols" : "dims",
                     has_dims ? n_symbols : n_dims);
}

/* As many expressions as are stored, and none missing. */
static bool check_exprs(EchoContext *ctx, const char *name, const EchoAffineExpr *const *exprs,
                        size_t n, size_t most)
{
  if (ctx == NULL)
    return false;
  if (n > most)
    return echo_misuse(ctx, echo_loc_unknown(),
                       "an affine attribute is made of %zu '%s', above %zu", n, name, most);
  if (exprs == NULL && n != 0)
    return echo_misuse(ctx, echo_loc_unknown(),
                       "an affine attribute is made: '%s' is NULL, of which there are %zu", name,
                       n);
  return true;
}

static bool same_affine(const void *object, const void *key)
{
  const EchoAttr *a = object, *b = key;
  return a->kind == b->kind && a->as.affine.n_dims == b->as.affine.n_dims &&
         a->as.affine.n_symbols == b->as.affine.n_symbols &&
         a->as.affine.n_results == b->as.affine.n_results &&
         a->as.affine.equality == b->as.affine.equality &&
         (a->as.affine.n_results == 0 ||
          memcmp(a->as.affine.results, b->as.affine.results,
                 a->as.affine.n_results * sizeof *a->as.affine.results) == 0);
}

static const EchoAttr *unique_affine(EchoContext *ctx, const char *name, EchoAttr *key)
{
  for (uint32_t i = 0; i < key->as.affine.n_results; ++i)
    if (!check_expr(ctx, name, i, key->as.affine.results[i], key->as.affine.n_dims,
                    key->as.affine.n_symbols))
      return NULL;
  uint64_t hash = echo_hash_combine(echo_attr_seed(key->kind), key->as.affine.n_dims);
  hash = echo_hash_combine(hash, key->as.affine.n_symbols);
  hash = echo_hash_combine(hash, key->as.affine.equality);
  for (uint32_t i = 0; i < key->as.affine.n_results; ++i)
    hash = echo_hash_combine(hash, node(key->as.affine.results[i])->hash);
  EchoUniquerSlot *slot = echo_attr_slot(ctx, hash, same_affine, key);
  if (slot->object != NULL)
    return slot->object;
  if (key->as.affine.n_results != 0)
    key->as.affine.results =
        echo_arena_copy(&ctx->arena, key->as.affine.results,
                        key->as.affine.n_results * sizeof *key->as.affine.results);
  return echo_attr_add(ctx, slot, hash, key, ECHO_ATTR_BYTES(affine));
}

const EchoAttr *echo_attr_affine_map(EchoContext *ctx, uint32_t n_dims, uint32_t n_symbols,
                                     const EchoAffineExpr *const *results, size_t n_results)
{
  if (!check_exprs(ctx, "results", results, n_results, UINT32_MAX))
    return NULL;
  EchoAttr key = {.kind = ECHO_ATTR_AFFINE_MAP};
  key.as.affine.n_dims = n_dims;
  key.as.affine.n_symbols = n_symbols;
  key.as.affine.n_results = (uint32_t)n_results;
  key.as.affine.results = n_results != 0 ? results : NULL;
  return unique_affine(ctx, "results", &key);
}

const EchoAttr *echo_attr_integer_set(EchoContext *ctx, uint32_t n_dims, uint32_t n_symbols,
                                      const EchoAffineExpr *const *constraints, uint64_t equality,
                                      size_t n_constraints)
{
  enum { MOST = 64 }; /* bits of `equality` */
  if (!check_exprs(ctx, "constraints", constraints, n_constraints, MOST))
    return NULL;
  EchoAttr key = {.kind = ECHO_ATTR_INTEGER_SET};
  key.as.affine.n_dims = n_dims;
  key.as.affine.n_symbols = n_symbols;
  key.as.affine.n_results = (uint32_t)n_constraints;
  key.as.affine.results = n_constraints != 0 ? constraints : NULL;
  key.as.affine.equality = equality;
  return unique_affine(ctx, "constraints", &key);
}

/* ---- strided layouts ---- */

static bool same_strided(const void *object, const void *key)
{
  const EchoAttr *a = object, *b = key;
  return a->kind == ECHO_ATTR_STRIDED_LAYOUT && a->as.strided.offset == b->as.strided.offset &&
         a->as.strided.n_strides == b->as.strided.n_strides &&
         (a->as.strided.n_strides == 0 || memcmp(a->as.strided.strides, b->as.strided.strides,
                                                 a->as.strided.n_strides * sizeof(int64_t)) == 0);
}

const EchoAttr *echo_attr_strided_layout(EchoContext *ctx, int64_t offset, const int64_t *strides,
                                         size_t n_strides)
{
  if (ctx == NULL)
    return NULL;
  if (n_strides > ECHO_MAX_RANK || (strides == NULL && n_strides != 0)) {
    bool is_null = strides == NULL;
    echo_misuse(ctx, echo_loc_unknown(), "a strided layout is made: '%s' is %s, 'n_strides' is %zu",
                is_null ? "strides" : "n_strides", is_null ? "NULL" : "above the largest rank",
                n_strides);
    return NULL;
  }
  EchoAttr key = {.kind = ECHO_ATTR_STRIDED_LAYOUT};
  key.as.strided.offset = offset;
  key.as.strided.strides = strides;
  key.as.strided.n_strides = n_strides;
  uint64_t hash = echo_hash_combine(echo_attr_seed(ECHO_ATTR_STRIDED_LAYOUT), (uint64_t)offset);
  hash = echo_hash_bytes(strides, n_strides * sizeof *strides, hash);
  EchoUniquerSlot *slot = echo_attr_slot(ctx, hash, same_strided, &key);
  if (slot->object != NULL)
    return slot->object;
  key.as.strided.strides = echo_arena_copy(&ctx->arena, strides, n_strides * sizeof *strides);
  return echo_attr_add(ctx, slot, hash, &key, ECHO_ATTR_BYTES(strided));
}
