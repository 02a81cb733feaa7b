/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Builders of arith and math ops. Their rows' defaults are written out by the builder. */
#include "dialects/arith/arith.h"

static bool check_name(const EchoBuilder *builder, const char *name)
{
  return echo_builder_check(builder, "?", "name", name);
}

static EchoValue *build(EchoBuilder *builder, const char *name, EchoValue *const *operands,
                        size_t n, const EchoType *type, EchoAttrArg extra)
{
  size_t n_attrs = extra.name != NULL;
  return echo_built_result(echo_build_op(builder, name, operands, n, &type, 1, &extra, n_attrs));
}

static EchoValue *constant(EchoBuilder *builder, const EchoType *type, const EchoAttr *value)
{
  EchoAttrArg args[] = {{"value", value}};
  return value != NULL ? echo_built_result(
                             echo_build_op(builder, "arith.constant", NULL, 0, &type, 1, args, 1))
                       : NULL;
}

static bool check_type(const EchoBuilder *builder, const EchoType *type)
{
  return echo_builder_check_type(builder, "arith.constant", "type", type);
}

EchoValue *echo_arith_int(EchoBuilder *builder, const EchoType *type, int64_t value)
{
  if (!check_type(builder, type))
    return NULL;
  return constant(builder, type, echo_attr_integer(builder->ctx, type, value));
}

EchoValue *echo_arith_index(EchoBuilder *builder, int64_t value)
{
  if (builder == NULL || builder->ctx == NULL)
    return NULL;
  return echo_arith_int(builder, echo_type_index(builder->ctx), value);
}

EchoValue *echo_arith_float(EchoBuilder *builder, const EchoType *type, double value)
{
  if (!check_type(builder, type))
    return NULL;
  return constant(builder, type, echo_attr_float(builder->ctx, type, value));
}

EchoValue *echo_arith_float_bits(EchoBuilder *builder, const EchoType *type, uint64_t bits)
{
  if (!check_type(builder, type))
    return NULL;
  return constant(builder, type, echo_attr_float_bits(builder->ctx, type, bits));
}

EchoValue *echo_arith_binary(EchoBuilder *builder, const char *name, EchoValue *lhs, EchoValue *rhs)
{
  if (!check_name(builder, name) || !echo_builder_check_value(builder, name, "lhs", lhs) ||
      !echo_builder_check_value(builder, name, "rhs", rhs))
    return NULL;
  EchoValue *operands[] = {lhs, rhs};
  return build(builder, name, operands, 2, lhs->type, (EchoAttrArg){NULL, NULL});
}

EchoValue *echo_arith_unary(EchoBuilder *builder, const char *name, EchoValue *operand,
                            const EchoType *type)
{
  if (!check_name(builder, name) || !echo_builder_check_value(builder, name, "operand", operand) ||
      (type != NULL && !echo_builder_check_type(builder, name, "type", type)))
    return NULL;
  return build(builder, name, &operand, 1, type != NULL ? type : operand->type,
               (EchoAttrArg){NULL, NULL});
}

static const EchoType *i1_like(EchoContext *ctx, const EchoType *type)
{
  const EchoType *i1 = echo_type_i1(ctx);
  return type->kind == ECHO_TYPE_VECTOR ? echo_type_with_element(ctx, type, i1) : i1;
}

static EchoValue *compare(EchoBuilder *builder, const char *name, int64_t predicate, EchoValue *lhs,
                          EchoValue *rhs, int64_t n_predicates)
{
  if (!echo_builder_check_value(builder, name, "lhs", lhs) ||
      !echo_builder_check_value(builder, name, "rhs", rhs))
    return NULL;
  if (predicate < 0 || predicate >= n_predicates) {
    echo_misuse(builder->ctx, builder->loc, "'%s' is built: 'predicate' is %lld, none", name,
                (long long)predicate);
    return NULL;
  }
  EchoValue *operands[] = {lhs, rhs};
  return build(builder, name, operands, 2, i1_like(builder->ctx, lhs->type),
               (EchoAttrArg){"predicate", echo_attr_i64(builder->ctx, predicate)});
}

EchoValue *echo_arith_cmpf(EchoBuilder *builder, EchoCmpfPredicate predicate, EchoValue *lhs,
                           EchoValue *rhs)
{
  return compare(builder, "arith.cmpf", (int64_t)predicate, lhs, rhs, ECHO_N_CMPF_PREDICATES);
}

EchoValue *echo_arith_cmpi(EchoBuilder *builder, EchoCmpiPredicate predicate, EchoValue *lhs,
                           EchoValue *rhs)
{
  return compare(builder, "arith.cmpi", (int64_t)predicate, lhs, rhs, ECHO_N_CMPI_PREDICATES);
}

EchoValue *echo_arith_select(EchoBuilder *builder, EchoValue *condition, EchoValue *on_true,
                             EchoValue *on_false)
{
  if (!echo_builder_check_value(builder, "arith.select", "condition", condition) ||
      !echo_builder_check_value(builder, "arith.select", "on_true", on_true) ||
      !echo_builder_check_value(builder, "arith.select", "on_false", on_false))
    return NULL;
  EchoValue *operands[] = {condition, on_true, on_false};
  return build(builder, "arith.select", operands, 3, on_true->type, (EchoAttrArg){NULL, NULL});
}

EchoValue *echo_math_fma(EchoBuilder *builder, EchoValue *a, EchoValue *b, EchoValue *c)
{
  if (!echo_builder_check_value(builder, "math.fma", "a", a) ||
      !echo_builder_check_value(builder, "math.fma", "b", b) ||
      !echo_builder_check_value(builder, "math.fma", "c", c))
    return NULL;
  EchoValue *operands[] = {a, b, c};
  return build(builder, "math.fma", operands, 3, a->type, (EchoAttrArg){NULL, NULL});
}

/* Of -1 / b a parabola, within 1 part of 99 (Chebyshev's), and a step of Newton's, within 1 of
 * 9801; of the quotient what is missing of it: within 1.1e-8 before the last rounding. What is
 * missing is far below the quotient, and a denormal may count as zero: so all is 2^64 times as
 * large, and its sign turned, until the last product. */
EchoValue *echo_arith_quotient(EchoBuilder *builder, EchoValue *a, EchoValue *b)
{
  if (!echo_builder_check_value(builder, "arith.divf", "a", a) ||
      !echo_builder_check_value(builder, "arith.divf", "b", b))
    return NULL;
  const EchoType *element = echo_type_element(b->type);
  if (element->kind != ECHO_TYPE_FLOAT || element->as.float_kind != ECHO_F32)
    return echo_arith_binary(builder, "arith.divf", a, b);
  EchoValue *square = echo_arith_float(builder, b->type, -32.0 / 99);
  EchoValue *slope = echo_arith_float(builder, b->type, 16.0 / 11);
  EchoValue *start = echo_arith_float(builder, b->type, -70.0 / 33);
  EchoValue *one = echo_arith_float(builder, b->type, 1.0);
  EchoValue *y = echo_math_fma(builder, echo_math_fma(builder, square, b, slope), b, start);
  y = echo_math_fma(builder, y, echo_math_fma(builder, b, y, one), y);
  a = echo_arith_binary(builder, "arith.mulf", a, echo_arith_float(builder, b->type, 0x1p64));
  EchoValue *quotient = echo_arith_binary(builder, "arith.mulf", a, y);
  quotient = echo_math_fma(builder, echo_math_fma(builder, b, quotient, a), y, quotient);
  return echo_arith_binary(builder, "arith.mulf", quotient,
                           echo_arith_float(builder, b->type, -0x1p-64));
}

bool echo_arith_constant_i64(const EchoValue *value, int64_t *result)
{
  const EchoAttr *attr = echo_value_constant_or_null(value);
  if (result == NULL || attr == NULL || attr->kind != ECHO_ATTR_INTEGER)
    return false;
  *result = attr->as.integer.value;
  return true;
}
