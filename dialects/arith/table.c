/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The arith rows. Adding one: MLIR's name, operands in MLIR's order, its inherent attributes with
 * fastmath or overflowFlags where MLIR has them (builders and the parser write their defaults). */
#include "dialects/arith/arith.h"
#include "dialects/arith/hooks_t.h"
#include "dialects/dialects.h"

static bool is_signless(const EchoType *type)
{
  return type->kind == ECHO_TYPE_INTEGER && type->as.integer.signedness == ECHO_SIGNLESS;
}

static bool is_int_like(const EchoType *type)
{
  const EchoType *scalar = echo_arith_scalar_of(type);
  return scalar->kind == ECHO_TYPE_INDEX || is_signless(scalar);
}

static bool is_float_like(const EchoType *type)
{
  return echo_arith_scalar_of(type)->kind == ECHO_TYPE_FLOAT;
}

static bool is_bool_like(const EchoType *type)
{
  const EchoType *scalar = echo_arith_scalar_of(type);
  return is_signless(scalar) && scalar->as.integer.width == 1;
}

static bool is_memref(const EchoType *type)
{
  return type->kind == ECHO_TYPE_MEMREF || type->kind == ECHO_TYPE_UNRANKED_MEMREF;
}

static bool is_int_like_or_memref(const EchoType *type)
{
  return is_int_like(is_memref(type) ? type->as.shaped.element : type);
}

static bool is_number_like_or_memref(const EchoType *type)
{
  const EchoType *values = is_memref(type) ? type->as.shaped.element : type;
  return is_int_like(values) || is_float_like(values);
}

static const EchoTypeConstraint TYPE_CONSTRAINTS[] = {
    {"signless-integer-like", is_int_like},
    {"floating-point-like", is_float_like},
    {"bool-like", is_bool_like},
    {"signless-integer-like-or-memref", is_int_like_or_memref},
    {"signless-integer-or-float-like-or-memref", is_number_like_or_memref},
    {NULL, NULL}};

#define LHS_RHS_INT "lhs: signless-integer-like, rhs: signless-integer-like"
#define LHS_RHS_FLOAT "lhs: floating-point-like, rhs: floating-point-like"

/* name, traits, summary: two integers of one type */
#define INT(op, more, text)                                                                        \
  {                                                                                                \
    .name = "arith." op, .operands = LHS_RHS_INT, .results = "result: signless-integer-like",      \
    .traits = ECHO_PURE | ECHO_SAME_TYPE | ECHO_EXACT | (more), .fold = echo_arith_fold_integer,   \
    .summary = text                                                                                \
  }
#define INT_FLAGS(op, more, text)                                                                  \
  {                                                                                                \
    .name = "arith." op, .operands = LHS_RHS_INT, .results = "result: signless-integer-like",      \
    .attrs = "overflowFlags: any? = #arith.overflow<none>",                                        \
    .traits = ECHO_PURE | ECHO_SAME_TYPE | ECHO_EXACT | (more), .fold = echo_arith_fold_integer,   \
    .summary = text                                                                                \
  }
/* A division traps on zero: it must not be moved ahead of what guards it. */
#define INT_DIV(op, text)                                                                          \
  {                                                                                                \
    .name = "arith." op, .operands = LHS_RHS_INT, .results = "result: signless-integer-like",      \
    .traits = ECHO_PURE | ECHO_SAME_TYPE | ECHO_EXACT, .fold = echo_arith_fold_integer,            \
    .summary = text                                                                                \
  }
#define FLOAT(op, more, text)                                                                      \
  {                                                                                                \
    .name = "arith." op, .operands = LHS_RHS_FLOAT, .results = "result: floating-point-like",      \
    .attrs = "fastmath: any? = #arith.fastmath<none>",                                             \
    .traits = ECHO_PURE | ECHO_SAME_TYPE | ECHO_EXACT | (more), .summary = text                    \
  }
#define CAST(op, from, to, check, text)                                                            \
  {                                                                                                \
    .name = "arith." op, .operands = "in: " from, .results = "out: " to,                           \
    .traits = ECHO_PURE | ECHO_EXACT, .verify = check, .fold = echo_arith_fold_cast,               \
    .summary = text                                                                                \
  }

static const EchoOpInfo OPS[] = {
    {.name = "arith.constant",
     .results = "result: any",
     .attrs = "value: any",
     .traits = ECHO_PURE | ECHO_CONSTANT,
     .verify = echo_arith_verify_constant,
     .fold = echo_arith_fold_constant,
     .summary = "An integer, index, float or vector constant"},

    INT_FLAGS("addi", ECHO_COMMUTATIVE, "Sum, modulo 2^width"),
    INT_FLAGS("subi", 0, "Difference, modulo 2^width"),
    INT_FLAGS("muli", ECHO_COMMUTATIVE, "Product, modulo 2^width"),
    INT_FLAGS("shli", 0, "Left shift; poison when the amount is not below the width"),
    INT("shrui", 0, "Right shift, zeros in"),
    INT("shrsi", 0, "Right shift, sign in"),
    INT("andi", ECHO_COMMUTATIVE | ECHO_IDEMPOTENT, "Bitwise and"),
    INT("ori", ECHO_COMMUTATIVE | ECHO_IDEMPOTENT, "Bitwise or"),
    INT("xori", ECHO_COMMUTATIVE, "Bitwise exclusive or"),
    INT("maxsi", ECHO_COMMUTATIVE, "Signed maximum"),
    INT("maxui", ECHO_COMMUTATIVE, "Unsigned maximum"),
    INT("minsi", ECHO_COMMUTATIVE, "Signed minimum"),
    INT("minui", ECHO_COMMUTATIVE, "Unsigned minimum"),
    INT_DIV("divsi", "Signed quotient towards zero"),
    INT_DIV("divui", "Unsigned quotient"),
    INT_DIV("remsi", "Signed remainder, sign of the dividend"),
    INT_DIV("remui", "Unsigned remainder"),
    INT_DIV("ceildivsi", "Signed quotient towards plus infinity"),
    INT_DIV("ceildivui", "Unsigned quotient, rounded up"),
    INT_DIV("floordivsi", "Signed quotient towards minus infinity"),
    {.name = "arith.mului_extended",
     .operands = LHS_RHS_INT,
     .results = "low: signless-integer-like, high: signless-integer-like",
     .traits = ECHO_PURE | ECHO_SAME_TYPE | ECHO_EXACT,
     .summary = "Both halves of the unsigned product"},
    {.name = "arith.mulsi_extended",
     .operands = LHS_RHS_INT,
     .results = "low: signless-integer-like, high: signless-integer-like",
     .traits = ECHO_PURE | ECHO_SAME_TYPE | ECHO_EXACT,
     .summary = "Both halves of the signed product"},
    {.name = "arith.addui_extended",
     .operands = LHS_RHS_INT,
     .results = "sum: signless-integer-like, overflow: bool-like",
     .traits = ECHO_PURE | ECHO_EXACT,
     .summary = "Unsigned sum and its carry"},

    FLOAT("addf", ECHO_COMMUTATIVE, "Sum, rounded to nearest even"),
    FLOAT("subf", 0, "Difference"),
    FLOAT("mulf", ECHO_COMMUTATIVE, "Product"),
    FLOAT("divf", 0, "Quotient"),
    FLOAT("remf", 0, "Remainder of the quotient towards zero, as C's fmod"),
    FLOAT("maximumf", ECHO_COMMUTATIVE, "Maximum; NaN when either is; +0 above -0"),
    FLOAT("minimumf", ECHO_COMMUTATIVE, "Minimum; NaN when either is; -0 below +0"),
    FLOAT("maxnumf", 0, "Maximum; the number when the other is NaN"),
    FLOAT("minnumf", 0, "Minimum; the number when the other is NaN"),
    {.name = "arith.negf",
     .operands = "operand: floating-point-like",
     .results = "result: floating-point-like",
     .attrs = "fastmath: any? = #arith.fastmath<none>",
     .traits = ECHO_PURE | ECHO_SAME_TYPE | ECHO_EXACT | ECHO_INVOLUTION,
     .summary = "Flips the sign bit"},

    {.name = "arith.cmpi",
     .operands = LHS_RHS_INT,
     .results = "result: bool-like",
     .attrs = "predicate: i64",
     .traits = ECHO_PURE | ECHO_EXACT,
     .verify = echo_arith_verify_cmp,
     .fold = echo_arith_fold_cmpi,
     .summary = "Integer comparison: eq ne slt sle sgt sge ult ule ugt uge"},
    {.name = "arith.cmpf",
     .operands = LHS_RHS_FLOAT,
     .results = "result: bool-like",
     .attrs = "fastmath: any? = #arith.fastmath<none>, predicate: i64",
     .traits = ECHO_PURE | ECHO_EXACT,
     .verify = echo_arith_verify_cmp,
     .summary = "Float comparison: false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno "
                "true"},
    {.name = "arith.select",
     .operands = "condition: bool-like, true_value: any, false_value: any",
     .results = "result: any",
     .traits = ECHO_PURE | ECHO_EXACT,
     .verify = echo_arith_verify_select,
     .fold = echo_arith_fold_select,
     .summary = "One of two values"},

    CAST("extsi", "signless-integer-like", "signless-integer-like", echo_arith_verify_widen,
         "Sign extension"),
    CAST("extui", "signless-integer-like", "signless-integer-like", echo_arith_verify_widen,
         "Zero extension"),
    CAST("trunci", "signless-integer-like", "signless-integer-like", echo_arith_verify_narrow,
         "Low bits"),
    CAST("index_cast", "signless-integer-like-or-memref", "signless-integer-like-or-memref",
         echo_arith_verify_cast, "Between index and integers, sign-extended or truncated"),
    CAST("index_castui", "signless-integer-like-or-memref", "signless-integer-like-or-memref",
         echo_arith_verify_cast, "Between index and integers, zero-extended or truncated"),
    CAST("bitcast", "signless-integer-or-float-like-or-memref",
         "signless-integer-or-float-like-or-memref", echo_arith_verify_bitcast,
         "The same bits as another type of the same width"),
    CAST("sitofp", "signless-integer-like", "floating-point-like", echo_arith_verify_cast,
         "Signed integer to float"),
    CAST("uitofp", "signless-integer-like", "floating-point-like", echo_arith_verify_cast,
         "Unsigned integer to float"),
    CAST("fptosi", "floating-point-like", "signless-integer-like", echo_arith_verify_cast,
         "Float to signed integer, towards zero; poison out of range"),
    CAST("fptoui", "floating-point-like", "signless-integer-like", echo_arith_verify_cast,
         "Float to unsigned integer, towards zero; poison out of range"),
    CAST("extf", "floating-point-like", "floating-point-like", echo_arith_verify_widen,
         "To a wider float, exact"),
    {.name = "arith.truncf",
     .operands = "in: floating-point-like",
     .results = "out: floating-point-like",
     .attrs = "roundingmode: any?",
     .traits = ECHO_PURE | ECHO_EXACT,
     .verify = echo_arith_verify_narrow,
     .summary = "To a narrower float, rounded to nearest even"},
};

static EchoOp *materialize_constant(EchoBuilder *builder, const EchoAttr *value,
                                    const EchoType *type)
{
  bool fits =
      value->type == type && (value->kind == ECHO_ATTR_INTEGER || value->kind == ECHO_ATTR_FLOAT ||
                              value->kind == ECHO_ATTR_DENSE_ELEMENTS);
  if (!fits)
    return NULL;
  EchoAttrArg args[] = {{"value", value}};
  return echo_build_op(builder, "arith.constant", NULL, 0, &type, 1, args, 1);
}

const EchoDialect ECHO_ARITH_DIALECT = {.name = "arith",
                                        .in_mlir = true,
                                        .summary = "Arithmetic of scalars, vectors and tensors, as "
                                                   "MLIR's",
                                        .ops = OPS,
                                        .n_ops = sizeof OPS / sizeof OPS[0],
                                        .type_constraints = TYPE_CONSTRAINTS,
                                        .materialize_constant = materialize_constant};
