/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --expand-math: math ops without a machine instruction become arith. */
#include "lowering/math/expand_math_t.h"

#include "lowering/lowering.h"

/* ---- shorthands ---- */

EchoMath echo_math_of(EchoBuilder *builder, const EchoType *type)
{
  bool is_float = type->kind == ECHO_TYPE_FLOAT;
  bool is_f64 = is_float && type->as.float_kind == ECHO_F64;
  return (EchoMath){.builder = builder,
                    .type = type,
                    .int_type =
                        is_float ? echo_type_integer(builder->ctx, is_f64 ? 64 : 32, ECHO_SIGNLESS)
                                 : type,
                    .is_f64 = is_f64};
}

EchoValue *echo_math_constant(const EchoMath *m, double value)
{
  return echo_arith_float(m->builder, m->type, value);
}

EchoValue *echo_math_int(const EchoMath *m, int64_t value)
{
  return echo_arith_int(m->builder, m->int_type, value);
}

EchoValue *echo_math_add(const EchoMath *m, EchoValue *a, EchoValue *b)
{
  return echo_arith_binary(m->builder, "arith.addf", a, b);
}

EchoValue *echo_math_sub(const EchoMath *m, EchoValue *a, EchoValue *b)
{
  return echo_arith_binary(m->builder, "arith.subf", a, b);
}

EchoValue *echo_math_mul(const EchoMath *m, EchoValue *a, EchoValue *b)
{
  return echo_arith_binary(m->builder, "arith.mulf", a, b);
}

EchoValue *echo_math_fused(const EchoMath *m, EchoValue *a, EchoValue *b, EchoValue *c)
{
  return echo_math_fma(m->builder, a, b, c);
}

EchoValue *echo_math_div(const EchoMath *m, EchoValue *a, EchoValue *b)
{
  return echo_arith_binary(m->builder, "arith.divf", a, b);
}

EchoValue *echo_math_abs(const EchoMath *m, EchoValue *a)
{
  return echo_arith_unary(m->builder, "math.absf", a, NULL);
}

EchoValue *echo_math_neg(const EchoMath *m, EchoValue *a)
{
  return echo_arith_unary(m->builder, "arith.negf", a, NULL);
}

EchoValue *echo_math_copysign(const EchoMath *m, EchoValue *magnitude, EchoValue *sign)
{
  return echo_arith_binary(m->builder, "math.copysign", magnitude, sign);
}

EchoValue *echo_math_round(const EchoMath *m, EchoValue *a)
{
  return echo_arith_unary(m->builder, "math.roundeven", a, NULL);
}

EchoValue *echo_math_if(const EchoMath *m, EchoCmpfPredicate predicate, EchoValue *a, EchoValue *b,
                        EchoValue *on_true, EchoValue *on_false)
{
  EchoValue *condition = echo_arith_cmpf(m->builder, predicate, a, b);
  return echo_arith_select(m->builder, condition, on_true, on_false);
}

EchoValue *echo_math_polynomial(const EchoMath *m, EchoValue *x, const double *coefficients,
                                size_t n)
{
  EchoValue *sum = echo_math_constant(m, coefficients[n - 1]);
  for (size_t i = n - 1; i-- > 0;)
    sum = echo_math_fused(m, sum, x, echo_math_constant(m, coefficients[i]));
  return sum;
}

EchoValue *echo_math_bits(const EchoMath *m, EchoValue *a)
{
  return echo_arith_unary(m->builder, "arith.bitcast", a, m->int_type);
}

EchoValue *echo_math_from_bits(const EchoMath *m, EchoValue *a)
{
  return echo_arith_unary(m->builder, "arith.bitcast", a, m->type);
}

EchoValue *echo_math_widen(const EchoMath *m, EchoValue *a)
{
  return echo_arith_unary(m->builder, "arith.extf", a, echo_type_f64(m->builder->ctx));
}

EchoValue *echo_math_narrow(const EchoMath *m, EchoValue *a)
{
  return echo_arith_unary(m->builder, "arith.truncf", a, echo_type_f32(m->builder->ctx));
}

EchoValue *echo_math_in_f64(const EchoMath *m, EchoValue *x, EchoMathFn *function)
{
  if (m->is_f64)
    return function(m, x);
  EchoMath wide = echo_math_of(m->builder, echo_type_f64(m->builder->ctx));
  return echo_math_narrow(m, function(&wide, echo_math_widen(m, x)));
}

EchoValue *echo_math_int_op(const EchoMath *m, const char *name, EchoValue *a, EchoValue *b)
{
  return echo_arith_binary(m->builder, name, a, b);
}

EchoValue *echo_expand_rsqrt(const EchoMath *m, EchoValue *x)
{
  EchoValue *root = echo_arith_unary(m->builder, "math.sqrt", x, NULL);
  return echo_math_div(m, echo_math_constant(m, 1.0), root);
}

/* trunc(x), and one more away from zero where at least half was cut off. */
EchoValue *echo_expand_round(const EchoMath *m, EchoValue *x)
{
  EchoValue *whole = echo_arith_unary(m->builder, "math.trunc", x, NULL);
  EchoValue *rest = echo_math_abs(m, echo_math_sub(m, x, whole));
  EchoValue *one = echo_math_copysign(m, echo_math_constant(m, 1.0), x);
  EchoValue *above = echo_math_add(m, whole, one);
  EchoValue *rounded =
      echo_math_if(m, ECHO_CMPF_OGE, rest, echo_math_constant(m, 0.5), above, whole);
  return echo_math_copysign(m, rounded, x);
}

/* ---- the pass ---- */

/* By opcode; both NULL: an instruction. */
static const struct Expansion {
  EchoMathFn *unary;
  EchoValue *(*binary)(const EchoMath *m, EchoValue *x, EchoValue *y);
} EXPANSIONS[ECHO_N_SCALAR_OPCODES] = {
#define EXPANSION_ELEMENTARY1(opcode, name) [opcode] = {.unary = echo_expand_##name},
#define EXPANSION_ELEMENTARY2(opcode, name) [opcode] = {.binary = echo_expand_##name},
#define EXPANSION_POWER EXPANSION_ELEMENTARY2
#define EXPANSION_FLOAT1(opcode, name)
#define EXPANSION_SIGN1(opcode, name)
#define EXPANSION_SIGN2(opcode, name)
#define EXPANSION_FMA(opcode, name)
#define EXPANSION_INT1(opcode, name)
#define EXPANSION(form, opcode, name, ...) EXPANSION_##form(ECHO_MATH_##opcode, name)
    ECHO_MATH_ROWS(EXPANSION)};

static const struct Expansion *expansion_or_null(const EchoOp *op)
{
  EchoScalarOpcode opcode = echo_scalar_opcode(op->info);
  if (opcode == ECHO_N_SCALAR_OPCODES || !ECHO_SCALARS[opcode].is_expanded)
    return NULL;
  const EchoType *type = echo_op_result_type(op, 0);
  bool is_narrow_float = type->kind == ECHO_TYPE_FLOAT && type->as.float_kind != ECHO_F32 &&
                         type->as.float_kind != ECHO_F64;
  return is_narrow_float || echo_type_is_shaped(type) ? NULL : &EXPANSIONS[opcode];
}

uint64_t echo_expand_math(EchoOp *root)
{
  uint64_t n_expanded = 0;
  for (EchoOp *op = root, *next; op != NULL; op = next) {
    next = echo_op_walk_next(root, op);
    const struct Expansion *expansion = expansion_or_null(op);
    if (expansion == NULL)
      continue;
    EchoBuilder builder = echo_builder_before(op);
    EchoMath math = echo_math_of(&builder, echo_op_result_type(op, 0));
    EchoValue *value = expansion->unary != NULL ? expansion->unary(&math, echo_op_operand(op, 0))
                                                : expansion->binary(&math, echo_op_operand(op, 0),
                                                                    echo_op_operand(op, 1));
    echo_value_replace_all_uses(echo_op_result(op, 0), value);
    echo_op_erase(op);
    ++n_expanded;
  }
  return n_expanded;
}

static bool run_expand_math(EchoPassRun *run)
{
  echo_pass_count(run, "expanded", echo_expand_math(run->op));
  return true;
}

static const EchoPassStatistic STATISTICS[] = {{"expanded", "ops written out in arith"},
                                               {NULL, NULL}};

const EchoPass ECHO_PASS_EXPAND_MATH = {
    .name = "expand-math",
    .summary = "write elementary functions of f32 and f64 scalars out in arithmetic",
    .statistics = STATISTICS,
    .run = run_expand_math};
