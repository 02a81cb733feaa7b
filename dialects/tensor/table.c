/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* tensor.cast alone of MLIR's dialect: the same elements by a type that says more or less of their
 * shape. */
#include "dialects/dialects.h"
#include "ir/text/asm.h"

/* %source : type to type */
static bool parse(EchoAsmParser *parser)
{
  EchoAsmOperand source;
  const EchoType *from, *to;
  if (!echo_asm_parse_operand(parser, &source) || !echo_asm_try_attr_dict(parser) ||
      !echo_asm_parse_token(parser, ":") || !echo_asm_parse_type(parser, &from) ||
      !echo_asm_parse_keyword(parser, "to") || !echo_asm_parse_type(parser, &to))
    return false;
  echo_asm_add_result_type(parser, to);
  return echo_asm_resolve_operand(parser, &source, from);
}

static void print(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {NULL};
  echo_asm_print(printer, " ");
  echo_asm_print_operands(printer, op, 0, 1);
  echo_asm_print_attr_dict(printer, op, elided);
  echo_asm_print(printer, " : ");
  echo_asm_print_type(printer, echo_op_operand_type(op, 0));
  echo_asm_print(printer, " to ");
  echo_asm_print_type(printer, echo_op_result_type(op, 0));
}

static bool is_tensor(const EchoType *type)
{
  return echo_type_is_tensor(type) || type->kind == ECHO_TYPE_UNRANKED_TENSOR;
}

static bool verify(const EchoOp *op)
{
  const EchoType *from = echo_op_operand_type(op, 0), *to = echo_op_result_type(op, 0);
  return (is_tensor(from) && is_tensor(to) && echo_type_element(from) == echo_type_element(to) &&
          echo_type_shapes_compatible(from, to)) ||
         echo_op_error(op, "operand type '%s' and result type '%s' are cast incompatible",
                       echo_type_text(echo_op_context(op), from),
                       echo_type_text(echo_op_context(op), to));
}

static const EchoOpInfo OPS[] = {
    {.name = "tensor.cast",
     .operands = "source: any",
     .results = "dest: any",
     .traits = ECHO_PURE,
     .verify = verify,
     .parse = parse,
     .print = print,
     .summary = "The same elements, of a type that says more or less of their shape"},
};

const EchoDialect ECHO_TENSOR_DIALECT = {.name = "tensor",
                                         .in_mlir = true,
                                         .summary = "MLIR's tensor.cast",
                                         .ops = OPS,
                                         .n_ops = sizeof OPS / sizeof *OPS,
                                         .stages = "model"};
