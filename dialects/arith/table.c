/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The op table of arith: what the forms of rows.h say about operands, results and attributes, with
 * fastmath or overflowFlags where MLIR has them (builders and the parser write their defaults). */
#include "dialects/arith/arith.h"
#include "dialects/arith/hooks_t.h"
#include "dialects/dialects.h"
#include "dialects/interfaces/scalar.h"
#include "ir/text/asm.h"

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

/* [{…}] 1 : i32 */
static bool parse_constant(EchoAsmParser *parser)
{
  const EchoAttr *value;
  if (!echo_asm_try_attr_dict(parser) || !echo_asm_parse_attr(parser, NULL, &value))
    return false;
  if (value->type == NULL)
    return echo_asm_error(parser, echo_asm_op_loc(parser), "expects a value of a type");
  echo_asm_add_attr(parser, "value", value);
  echo_asm_add_result_type(parser, value->type);
  return true;
}

static void print_constant(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"value", NULL};
  echo_asm_print_attr_dict(printer, op, elided);
  echo_asm_print(printer, " ");
  echo_asm_print_attr(printer, echo_op_attr_or_null(op, "value"));
}

#define INTS "lhs: signless-integer-like, rhs: signless-integer-like"
#define FLOATS "lhs: floating-point-like, rhs: floating-point-like"
#define FASTMATH "fastmath: any? = #arith.fastmath<none>"

/* The forms of dialects/arith/rows.h; `more` are a row's own traits. */
#define OP_CONSTANT(more, nothing)                                                                 \
  .results = "result: any", .attrs = "value: any", .traits = ECHO_PURE | ECHO_CONSTANT | (more),   \
  .verify = echo_arith_verify_constant, .fold = echo_arith_fold_constant, .parse = parse_constant, \
  .print = print_constant
#define SAME_TYPE(types, result, more)                                                             \
  .operands = types, .results = result,                                                            \
  .traits = ECHO_PURE | ECHO_EXACT | ECHO_SAME_TYPE | (more), .fold = echo_arith_fold
#define OP_INT(more, ...) SAME_TYPE(INTS, "result: signless-integer-like", more)
#define OP_INT_FLAGS(more, ...)                                                                    \
  OP_INT(more, ), .attrs = "overflowFlags: any? = #arith.overflow<none>"
#define OP_INT_PAIR(more, ...)                                                                     \
  SAME_TYPE(INTS, "low: signless-integer-like, high: signless-integer-like", more)
#define OP_FLOAT(more, ...)                                                                        \
  SAME_TYPE(FLOATS, "result: floating-point-like", more), .attrs = FASTMATH
#define OP_SIGN(more, ...)                                                                         \
  SAME_TYPE("operand: floating-point-like", "result: floating-point-like", more), .attrs = FASTMATH
#define OTHER_TYPES(types, result, more, check)                                                    \
  .operands = types, .results = result, .traits = ECHO_PURE | ECHO_EXACT | (more),                 \
  .verify = check, .fold = echo_arith_fold
#define OP_INT_CARRY(more, ...)                                                                    \
  OTHER_TYPES(INTS, "sum: signless-integer-like, overflow: bool-like", more,                       \
              echo_arith_verify_carry)
#define OP_CMPI(more, nothing)                                                                     \
  OTHER_TYPES(INTS, "result: bool-like", more, echo_arith_verify_cmp), .attrs = "predicate: i64"
#define OP_CMPF(more, nothing)                                                                     \
  OTHER_TYPES(FLOATS, "result: bool-like", more, echo_arith_verify_cmp),                           \
      .attrs = FASTMATH ", predicate: i64"
#define OP_SELECT(more, nothing)                                                                   \
  OTHER_TYPES("condition: bool-like, true_value: any, false_value: any", "result: any", more,      \
              echo_arith_verify_select)
#define OP_INT_CAST(more, check, value)                                                            \
  OTHER_TYPES("in: signless-integer-like", "out: signless-integer-like", more, check)
#define OP_INDEX_CAST(more, check, value)                                                          \
  OTHER_TYPES("in: signless-integer-like-or-memref", "out: signless-integer-like-or-memref", more, \
              check)
#define OP_BITCAST(more, nothing)                                                                  \
  OTHER_TYPES("in: signless-integer-or-float-like-or-memref",                                      \
              "out: signless-integer-or-float-like-or-memref", more, echo_arith_verify_bitcast)
#define OP_INT_TO_FLOAT(more, is_signed)                                                           \
  OTHER_TYPES("in: signless-integer-like", "out: floating-point-like", more, echo_arith_verify_cast)
#define OP_FLOAT_TO_INT(more, is_signed)                                                           \
  OTHER_TYPES("in: floating-point-like", "out: signless-integer-like", more, echo_arith_verify_cast)
#define OP_EXTF(more, nothing)                                                                     \
  OTHER_TYPES("in: floating-point-like", "out: floating-point-like", more,                         \
              echo_arith_verify_widen),                                                            \
      .attrs = "fastmath: any?"
#define OP_TRUNCF(more, nothing)                                                                   \
  OTHER_TYPES("in: floating-point-like", "out: floating-point-like", more,                         \
              echo_arith_verify_narrow),                                                           \
      .attrs = "roundingmode: any?, fastmath: any?"

#define OP(form, opcode, op, more, text, ...)                                                      \
  [ECHO_ARITH_##opcode] = {.name = "arith." #op, .summary = text, OP_##form(more, __VA_ARGS__)},
const EchoOpInfo ECHO_ARITH_OPS[ECHO_N_ARITH_OPS] = {ECHO_ARITH_ROWS(OP)};

EchoOp *echo_arith_materialize_constant(EchoBuilder *builder, const EchoAttr *value,
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
                                        .ops = ECHO_ARITH_OPS,
                                        .n_ops = ECHO_N_ARITH_OPS,
                                        .type_constraints = TYPE_CONSTRAINTS,
                                        .materialize_constant = echo_arith_materialize_constant};
