/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Affine expressions: simplified into MLIR's forms, and never into something of another value. */
#include "ir/attributes/attribute.h"
#include "ir/diagnostics.h"
#include "tests/unit/suite.h"

static EchoContext *ctx;

static void set_up(void)
{
  ctx = echo_context_create();
}

static void tear_down(void)
{
  echo_context_destroy(ctx);
}

typedef const EchoAffineExpr *Expr;

static Expr dim(uint32_t i)
{
  return echo_affine_dim(ctx, i);
}
static Expr sym(uint32_t i)
{
  return echo_affine_symbol(ctx, i);
}
static Expr num(int64_t value)
{
  return echo_affine_constant(ctx, value);
}
static Expr add(Expr a, Expr b)
{
  return echo_affine_binary(ctx, ECHO_AFFINE_ADD, a, b);
}
static Expr mul(Expr a, Expr b)
{
  return echo_affine_binary(ctx, ECHO_AFFINE_MUL, a, b);
}
static Expr mod(Expr a, Expr b)
{
  return echo_affine_binary(ctx, ECHO_AFFINE_MOD, a, b);
}
static Expr floor_div(Expr a, Expr b)
{
  return echo_affine_binary(ctx, ECHO_AFFINE_FLOOR_DIV, a, b);
}
static Expr ceil_div(Expr a, Expr b)
{
  return echo_affine_binary(ctx, ECHO_AFFINE_CEIL_DIV, a, b);
}

/* Fully parenthesised. */
static void show(Expr expr, EchoBuffer *out)
{
  static const char *OPERATORS[] = {[ECHO_AFFINE_ADD] = "+",
                                    [ECHO_AFFINE_MUL] = "*",
                                    [ECHO_AFFINE_MOD] = "mod",
                                    [ECHO_AFFINE_FLOOR_DIV] = "floordiv",
                                    [ECHO_AFFINE_CEIL_DIV] = "ceildiv"};
  switch (expr->kind) {
  case ECHO_AFFINE_CONSTANT:
    echo_buffer_append_i64(out, expr->value);
    break;
  case ECHO_AFFINE_DIM:
    echo_buffer_printf(out, "d%d", (int)expr->value);
    break;
  case ECHO_AFFINE_SYMBOL:
    echo_buffer_printf(out, "s%d", (int)expr->value);
    break;
  default:
    echo_buffer_append_c(out, "(");
    show(expr->lhs, out);
    echo_buffer_printf(out, " %s ", OPERATORS[expr->kind]);
    show(expr->rhs, out);
    echo_buffer_append_c(out, ")");
  }
}

static void check(Expr expr, const char *expected)
{
  EchoBuffer text = {0};
  show(expr, &text);
  ck_assert_str_eq(echo_buffer_c_str(&text), expected);
  echo_buffer_destroy(&text);
}

START_TEST(equal_expressions_are_one)
{
  ck_assert_ptr_eq(add(dim(0), sym(1)), add(dim(0), sym(1)));
  ck_assert_ptr_ne(add(dim(0), sym(1)), add(dim(0), sym(0)));
  ck_assert_ptr_ne(dim(0), sym(0));
  ck_assert_ptr_eq(num(3), add(num(1), num(2)));
  ck_assert(echo_affine_is_symbolic(add(sym(0), num(3))));
  ck_assert(!echo_affine_is_symbolic(add(sym(0), dim(0))));
}
END_TEST

START_TEST(sums)
{
  check(add(num(4), dim(0)), "(d0 + 4)");
  check(add(sym(0), dim(0)), "(d0 + s0)");
  check(add(dim(1), dim(0)), "(d1 + d0)");
  check(add(dim(0), num(0)), "d0");
  check(add(add(dim(0), num(2)), num(3)), "(d0 + 5)");
  check(add(add(dim(0), num(2)), num(-2)), "d0");
  check(add(add(dim(0), num(2)), dim(1)), "((d0 + d1) + 2)");
  check(add(dim(0), dim(0)), "(d0 * 2)");
  check(add(mul(dim(0), num(3)), mul(dim(0), num(-3))), "0");
  check(add(mul(dim(0), num(3)), dim(0)), "(d0 * 4)");
  check(add(num(INT64_MAX), num(1)), "(9223372036854775807 + 1)");
}
END_TEST

START_TEST(sums_that_are_remainders)
{
  check(add(dim(0), mul(floor_div(dim(0), num(8)), num(-8))), "(d0 mod 8)");
  check(add(dim(0), mul(mul(floor_div(dim(0), sym(0)), sym(0)), num(-1))), "(d0 mod s0)");
  check(add(dim(0), mul(floor_div(dim(0), num(-8)), num(8))), "(d0 mod -8)");
  check(add(dim(1), mul(floor_div(dim(0), num(8)), num(-8))), "(d1 + ((d0 floordiv 8) * -8))");
  check(add(dim(0), mul(floor_div(dim(0), num(8)), num(-4))), "(d0 + ((d0 floordiv 8) * -4))");
}
END_TEST

START_TEST(products)
{
  check(mul(num(4), dim(0)), "(d0 * 4)");
  check(mul(sym(0), dim(0)), "(d0 * s0)");
  check(mul(dim(0), num(1)), "d0");
  check(mul(dim(0), num(0)), "0");
  check(mul(mul(dim(0), num(2)), num(3)), "(d0 * 6)");
  check(mul(mul(dim(0), num(2)), sym(0)), "((d0 * s0) * 2)");
  check(mul(num(6), num(7)), "42");
  check(mul(sym(0), num(2)), "(s0 * 2)");
}
END_TEST

START_TEST(quotients)
{
  check(floor_div(num(-7), num(2)), "-4");
  check(ceil_div(num(-7), num(2)), "-3");
  check(ceil_div(num(7), num(2)), "4");
  check(floor_div(dim(0), num(1)), "d0");
  check(floor_div(mul(dim(0), num(128)), num(64)), "(d0 * 2)");
  check(ceil_div(mul(dim(0), num(128)), num(64)), "(d0 * 2)");
  check(floor_div(mul(dim(0), num(64)), num(128)), "((d0 * 64) floordiv 128)");
  check(floor_div(add(mul(dim(0), num(8)), dim(1)), num(4)), "((d0 * 2) + (d1 floordiv 4))");
  check(ceil_div(add(mul(dim(0), num(8)), dim(1)), num(4)), "(((d0 * 8) + d1) ceildiv 4)");
  check(floor_div(dim(0), num(0)), "(d0 floordiv 0)");
  check(floor_div(num(7), num(0)), "(7 floordiv 0)");
  check(ceil_div(dim(0), sym(0)), "(d0 ceildiv s0)");
  check(floor_div(dim(0), num(-1)), "(d0 floordiv -1)");
  check(floor_div(mul(dim(0), num(128)), num(-64)), "(d0 * -2)");
  check(ceil_div(num(7), num(-2)), "-3");
  check(floor_div(num(7), num(-2)), "-4");
  check(floor_div(num(INT64_MIN), num(-1)), "(-9223372036854775808 floordiv -1)");
  check(floor_div(mul(dim(0), num(INT64_MIN)), num(-1)),
        "((d0 * -9223372036854775808) floordiv -1)");
}
END_TEST

START_TEST(remainders)
{
  check(mod(num(-7), num(4)), "1");
  check(mod(dim(0), num(1)), "0");
  check(mod(mul(dim(0), num(128)), num(64)), "0");
  check(mod(add(mul(dim(0), num(8)), dim(1)), num(4)), "(d1 mod 4)");
  check(mod(add(dim(1), mul(dim(0), num(8))), num(4)), "(d1 mod 4)");
  check(mod(mod(dim(0), num(12)), num(4)), "(d0 mod 4)");
  check(mod(mod(dim(0), num(12)), num(5)), "((d0 mod 12) mod 5)");
  check(mod(dim(0), num(-4)), "(d0 mod -4)");
  check(mod(floor_div(mul(mul(dim(0), sym(0)), num(64)), num(128)), num(2)),
        "((((d0 * s0) * 64) floordiv 128) mod 2)");
}
END_TEST

static void expect_misuse(const void *answer, const char *message)
{
  ck_assert_ptr_null(answer);
  size_t n = echo_context_n_diagnostics(ctx);
  ck_assert_uint_ne(n, 0);
  ck_assert_str_eq(echo_context_diagnostic(ctx, n - 1)->message, message);
}

START_TEST(what_does_not_fit_is_refused)
{
  Expr missing[] = {dim(0), NULL};
  const int64_t strides[ECHO_MAX_RANK + 1] = {1};
  expect_misuse(mul(dim(0), dim(1)),
                "an affine expression is made: 'lhs' and 'rhs' of a product have dimensions");
  expect_misuse(echo_affine_binary(ctx, ECHO_AFFINE_ADD, NULL, dim(0)),
                "an affine expression is made: 'lhs' is NULL");
  expect_misuse(echo_affine_binary(ctx, ECHO_AFFINE_ADD, dim(0), NULL),
                "an affine expression is made: 'rhs' is NULL");
  expect_misuse(echo_affine_binary(ctx, ECHO_AFFINE_DIM, dim(0), dim(0)),
                "an affine expression is made: 'kind' is 1, not binary");
  expect_misuse(echo_attr_affine_map(ctx, 1, 0, NULL, 2),
                "an affine attribute is made: 'results' is NULL, of which there are 2");
  expect_misuse(echo_attr_affine_map(ctx, 1, 0, missing, 2),
                "an affine attribute is made: 'results[1]' is NULL");
  expect_misuse(echo_attr_affine_map(ctx, 1, 0, missing, (size_t)UINT32_MAX + 1),
                "an affine attribute is made of 4294967296 'results', above 4294967295");
  expect_misuse(echo_attr_integer_set(ctx, 1, 0, missing, 0, 65),
                "an affine attribute is made of 65 'constraints', above 64");
  expect_misuse(echo_attr_integer_set(ctx, 1, 0, missing, 0, 2),
                "an affine attribute is made: 'constraints[1]' is NULL");
  expect_misuse(echo_attr_strided_layout(ctx, 0, NULL, 2),
                "a strided layout is made: 'strides' is NULL, 'n_strides' is 2");
  expect_misuse(
      echo_attr_strided_layout(ctx, 0, strides, ECHO_MAX_RANK + 1),
      "a strided layout is made: 'n_strides' is above the largest rank, 'n_strides' is 65");
}
END_TEST

/* ---- values are kept ---- */

static uint64_t random_state;

static uint64_t next_random(void)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  return random_state ^= random_state << 17;
}

static int64_t floor_of(int64_t a, int64_t b)
{
  int64_t rest = ((a % b) + b) % b; /* of b's sign */
  return (a - rest) / b;
}

static int64_t apply(EchoAffineKind kind, int64_t a, int64_t b)
{
  switch (kind) {
  case ECHO_AFFINE_ADD:
    return a + b;
  case ECHO_AFFINE_MUL:
    return a * b;
  case ECHO_AFFINE_MOD:
    return ((a % b) + b) % b;
  case ECHO_AFFINE_FLOOR_DIV:
    return floor_of(a, b);
  default:
    return -floor_of(-a, b);
  }
}

static int64_t evaluate(Expr expr, const int64_t *dims, const int64_t *symbols)
{
  switch (expr->kind) {
  case ECHO_AFFINE_CONSTANT:
    return expr->value;
  case ECHO_AFFINE_DIM:
    return dims[expr->value];
  case ECHO_AFFINE_SYMBOL:
    return symbols[expr->value];
  default:
    return apply(expr->kind, evaluate(expr->lhs, dims, symbols),
                 evaluate(expr->rhs, dims, symbols));
  }
}

enum { N_POINTS = 6 };

/* A random expression, and the values that it must have at N_POINTS points. */
typedef struct Sample {
  Expr expr;
  int64_t values[N_POINTS];
} Sample;

static int64_t dims_at[N_POINTS][2], symbols_at[N_POINTS][2];

static Sample leaf(bool symbolic)
{
  Sample sample;
  uint64_t choice = next_random() % (symbolic ? 2 : 3);
  uint32_t position = next_random() % 2;
  int64_t value = (int64_t)(next_random() % 17) - 8;
  sample.expr = choice == 0 ? num(value) : choice == 1 ? sym(position) : dim(position);
  for (int p = 0; p < N_POINTS; ++p)
    sample.values[p] = choice == 0   ? value
                       : choice == 1 ? symbols_at[p][position]
                                     : dims_at[p][position];
  return sample;
}

static Sample random_sample(int depth)
{
  if (depth == 0 || next_random() % 8 == 0)
    return leaf(false);
  EchoAffineKind kind = (EchoAffineKind)(ECHO_AFFINE_ADD + next_random() % 5);
  Sample lhs = random_sample(depth - 1), rhs;
  if (kind == ECHO_AFFINE_ADD) {
    rhs = random_sample(depth - 1);
  } else if (kind == ECHO_AFFINE_MUL) {
    rhs = leaf(true);
  } else {
    /* remainders by what is not positive have no meaning */
    int64_t divisor = (int64_t)(next_random() % 8) + 1;
    if (kind != ECHO_AFFINE_MOD && next_random() % 4 == 0)
      divisor = -divisor;
    rhs.expr = num(divisor);
    for (int p = 0; p < N_POINTS; ++p)
      rhs.values[p] = divisor;
  }
  Sample result;
  bool swapped = kind == ECHO_AFFINE_MUL && next_random() % 2 == 0;
  result.expr = swapped ? echo_affine_binary(ctx, kind, rhs.expr, lhs.expr)
                        : echo_affine_binary(ctx, kind, lhs.expr, rhs.expr);
  for (int p = 0; p < N_POINTS; ++p)
    result.values[p] = apply(kind, lhs.values[p], rhs.values[p]);
  return result;
}

START_TEST(simplification_keeps_values)
{
  random_state = 4711;
  for (int p = 0; p < N_POINTS; ++p)
    for (int i = 0; i < 2; ++i) {
      dims_at[p][i] = (int64_t)(next_random() % 41) - 20;
      symbols_at[p][i] = (int64_t)(next_random() % 41) - 20;
    }
  for (int round = 0; round < 50000; ++round) {
    Sample sample = random_sample(5);
    for (int p = 0; p < N_POINTS; ++p)
      if (evaluate(sample.expr, dims_at[p], symbols_at[p]) != sample.values[p]) {
        EchoBuffer text = {0};
        show(sample.expr, &text);
        ck_abort_msg("%s is not %lld", text.data, (long long)sample.values[p]);
      }
  }
}
END_TEST

START_TEST(long_sums_need_no_stack)
{
  Expr sum = dim(0);
  for (uint32_t i = 1; i < 100000; ++i)
    sum = add(sum, dim(i));
  ck_assert_ptr_eq(floor_div(sum, num(4))->lhs, sum);
  ck_assert_ptr_eq(mod(sum, num(4))->lhs, sum);
}
END_TEST

START_TEST(maps_and_sets)
{
  Expr results[2] = {dim(0), add(dim(1), sym(0))};
  const EchoAttr *map = echo_attr_affine_map(ctx, 2, 1, results, 2);
  ck_assert_ptr_eq(map, echo_attr_affine_map(ctx, 2, 1, results, 2));
  ck_assert_ptr_ne(map, echo_attr_affine_map(ctx, 3, 1, results, 2));
  ck_assert_ptr_ne(map, echo_attr_affine_map(ctx, 2, 2, results, 2));
  ck_assert_ptr_ne(map, echo_attr_affine_map(ctx, 2, 1, results, 1));
  ck_assert_uint_eq(map->as.affine.n_results, 2);
  results[0] = dim(1);
  ck_assert_ptr_eq(map->as.affine.results[0], dim(0));

  const EchoAttr *set = echo_attr_integer_set(ctx, 2, 1, results, 1, 2);
  ck_assert_ptr_eq(set, echo_attr_integer_set(ctx, 2, 1, results, 1, 2));
  ck_assert_ptr_ne(set, echo_attr_integer_set(ctx, 2, 1, results, 2, 2));
  ck_assert_ptr_ne(echo_attr_integer_set(ctx, 2, 1, results, 0, 2),
                   echo_attr_affine_map(ctx, 2, 1, results, 2));
  ck_assert_int_eq((int)set->kind, ECHO_ATTR_INTEGER_SET);
}
END_TEST

START_TEST(strided_layouts)
{
  int64_t strides[2] = {7, ECHO_DYNAMIC};
  const EchoAttr *layout = echo_attr_strided_layout(ctx, ECHO_DYNAMIC, strides, 2);
  ck_assert_ptr_eq(layout, echo_attr_strided_layout(ctx, ECHO_DYNAMIC, strides, 2));
  ck_assert_ptr_ne(layout, echo_attr_strided_layout(ctx, 0, strides, 2));
  ck_assert_ptr_ne(layout, echo_attr_strided_layout(ctx, ECHO_DYNAMIC, strides, 1));
  ck_assert_int_eq(layout->as.strided.strides[0], 7);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("affine");
  TCase *cases = tcase_create("affine");
  tcase_add_checked_fixture(cases, set_up, tear_down);
  tcase_add_test(cases, equal_expressions_are_one);
  tcase_add_test(cases, sums);
  tcase_add_test(cases, sums_that_are_remainders);
  tcase_add_test(cases, products);
  tcase_add_test(cases, quotients);
  tcase_add_test(cases, remainders);
  tcase_add_test(cases, what_does_not_fit_is_refused);
  tcase_add_test(cases, simplification_keeps_values);
  tcase_add_test(cases, long_sums_need_no_stack);
  tcase_add_test(cases, maps_and_sets);
  tcase_add_test(cases, strided_layouts);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
