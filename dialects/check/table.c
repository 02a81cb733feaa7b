/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* check.expect_…: comparisons that end StableHLO's self-checking modules. Nothing computes them;
 * echo-run --check takes them out of a function and makes them on the host. */
#include "dialects/dialects.h"
#include "ir/text/asm.h"

/* ", NAME = value" */
static bool parse_number(EchoAsmParser *parser, const char *name, const EchoType *type)
{
  const EchoAttr *value;
  if (!echo_asm_parse_keyword(parser, name) || !echo_asm_parse_token(parser, "=") ||
      !echo_asm_parse_attr(parser, type, &value))
    return false;
  echo_asm_add_attr(parser, name, value);
  return true;
}

static void print_number(EchoAsmPrinter *printer, const EchoOp *op, const char *name)
{
  const EchoAttr *value = echo_op_attr_or_null(op, name);
  if (value == NULL)
    return;
  echo_asm_print(printer, ", %s = ", name);
  echo_asm_print_attr_without_type(printer, value);
}

/* %actual, dense<…> : type[, tolerance = x] */
static bool parse_const(EchoAsmParser *parser)
{
  EchoAsmOperand actual;
  const EchoAttr *value;
  if (!echo_asm_parse_operand(parser, &actual) || !echo_asm_parse_token(parser, ",") ||
      !echo_asm_parse_attr(parser, NULL, &value))
    return false;
  echo_asm_add_attr(parser, "value", value);
  if (echo_asm_try_token(parser, ",") &&
      !parse_number(parser, "tolerance", echo_type_f64(echo_asm_context(parser))))
    return false;
  if (!echo_asm_try_attr_dict(parser))
    return false;
  if (value->type == NULL)
    return echo_asm_error(parser, echo_asm_op_loc(parser), "expects elements of a tensor");
  return echo_asm_resolve_operand(parser, &actual, value->type);
}

static void print_const(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"value", "tolerance", NULL};
  echo_asm_print(printer, " ");
  echo_asm_print_operands(printer, op, 0, 1);
  echo_asm_print(printer, ", ");
  echo_asm_print_attr(printer, echo_op_attr_or_null(op, "value"));
  print_number(printer, op, "tolerance");
  echo_asm_print_attr_dict(printer, op, elided);
}

/* %actual, %expected[, NAME = number …] : type[, type] */
static bool parse_pair(EchoAsmParser *parser)
{
  EchoContext *ctx = echo_asm_context(parser);
  const EchoType *count = echo_type_integer(ctx, 64, ECHO_UNSIGNED), *type;
  EchoAsmOperand actual, expected;
  if (!echo_asm_parse_operand(parser, &actual) || !echo_asm_parse_token(parser, ",") ||
      !echo_asm_parse_operand(parser, &expected))
    return false;
  while (echo_asm_try_token(parser, ",")) {
    EchoStr name;
    const EchoAttr *value;
    if (!echo_asm_parse_any_keyword(parser, &name) || !echo_asm_parse_token(parser, "=") ||
        !echo_asm_parse_attr(parser, echo_str_is(name, "tolerance") ? echo_type_f64(ctx) : count,
                             &value))
      return false;
    EchoBuffer text = {0};
    echo_buffer_append_str(&text, name);
    echo_asm_add_attr(parser, echo_buffer_c_str(&text), value);
    echo_buffer_destroy(&text);
  }
  if (!echo_asm_try_attr_dict(parser) || !echo_asm_parse_token(parser, ":") ||
      !echo_asm_try_attr_dict(parser) || !echo_asm_parse_type(parser, &type) ||
      !echo_asm_resolve_operand(parser, &actual, type))
    return false;
  if (echo_asm_try_token(parser, ",") && !echo_asm_parse_type(parser, &type))
    return false;
  return echo_asm_resolve_operand(parser, &expected, type);
}

static void print_pair(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"tolerance", "max_ulp_difference", "min_ulp_difference",
                                       NULL};
  echo_asm_print(printer, " ");
  echo_asm_print_operands(printer, op, 0, 2);
  print_number(printer, op, "tolerance");
  print_number(printer, op, "max_ulp_difference");
  print_number(printer, op, "min_ulp_difference");
  echo_asm_print_attr_dict(printer, op, elided);
  echo_asm_print(printer, " : ");
  echo_asm_print_type(printer, echo_op_operand_type(op, 0));
  if (!echo_op_has_attr(op, "max_ulp_difference"))
    return;
  echo_asm_print(printer, ", ");
  echo_asm_print_type(printer, echo_op_operand_type(op, 1));
}

static bool verify(const EchoOp *op)
{
  const EchoAttr *value = echo_op_attr_or_null(op, "value");
  const EchoType *expected = value != NULL ? value->type : echo_op_operand_type(op, 1);
  return echo_op_operand_type(op, 0) == expected ||
         echo_op_error(op, "compares '%s' with '%s'",
                       echo_type_text(echo_op_context(op), echo_op_operand_type(op, 0)),
                       echo_type_text(echo_op_context(op), expected));
}

#define CONST(op, attributes, text)                                                                \
  {                                                                                                \
    .name = "check." op, .operands = "actual: tensor", .attrs = "value: elements" attributes,      \
    .traits = ECHO_SIDE_EFFECTS, .verify = verify, .parse = parse_const, .print = print_const,     \
    .summary = text                                                                                \
  }
#define PAIR(op, attributes, text)                                                                 \
  {                                                                                                \
    .name = "check." op, .operands = "actual: tensor, expected: tensor", .attrs = attributes,      \
    .traits = ECHO_SIDE_EFFECTS, .verify = verify, .parse = parse_pair, .print = print_pair,       \
    .summary = text                                                                                \
  }

static const EchoOpInfo OPS[] = {
    CONST("expect_eq_const", "", "Elements are these"),
    CONST("expect_almost_eq_const", ", tolerance: float?", "Elements are these, but for tolerance"),
    PAIR("expect_eq", NULL, "Elements are equal"),
    PAIR("expect_almost_eq", "tolerance: float?", "Elements are equal, but for tolerance"),
    PAIR("expect_close", "max_ulp_difference: int, min_ulp_difference: int?",
         "Elements are so many units in the last place apart"),
};

const EchoDialect ECHO_CHECK_DIALECT = {.name = "check",
                                        .summary = "what self-checking modules expect",
                                        .ops = OPS,
                                        .n_ops = sizeof OPS / sizeof *OPS};
