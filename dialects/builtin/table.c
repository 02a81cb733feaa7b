/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The builtin rows: the module, and the cast that conversions leave between types that do not fit
 * yet. */
#include "dialects/dialects.h"
#include "ir/text/asm.h"

/* ---- builtin.module: [@name] [attributes {…}] {…} ---- */

static bool parse_module(EchoAsmParser *parser)
{
  if (echo_asm_at_token(parser, "@")) {
    EchoStr name;
    if (!echo_asm_parse_symbol(parser, &name))
      return false;
    echo_asm_add_attr(parser, "sym_name", echo_attr_string(echo_asm_context(parser), name));
  }
  return echo_asm_try_attr_dict_with_keyword(parser) &&
         echo_asm_parse_region(parser, NULL, NULL, NULL, 0);
}

static void print_module(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"sym_name", NULL};
  const EchoAttr *name = echo_op_attr_or_null(op, "sym_name");
  if (name != NULL && name->kind == ECHO_ATTR_STRING) {
    echo_asm_print(printer, " ");
    echo_asm_print_symbol(printer, name->as.string);
  }
  echo_asm_print_attr_dict_with_keyword(printer, op, elided);
  echo_asm_print(printer, " ");
  echo_asm_print_region(printer, &op->regions[0], false, false);
}

static bool verify_module(const EchoOp *op)
{
  const EchoNamedAttr *wrong = echo_dictionary_without_dialect_or_null(op->attrs);
  return wrong == NULL ||
         echo_op_error(op, "can only contain attributes with dialect-prefixed names, found: '%.*s'",
                       ECHO_STR_ARG(wrong->name));
}

/* ---- builtin.unrealized_conversion_cast: [%a, … : types] to types ---- */

static bool parse_cast(EchoAsmParser *parser)
{
  const EchoType **types;
  size_t n_types;
  if (!echo_asm_parse_typed_operands(parser) || !echo_asm_parse_keyword(parser, "to") ||
      !echo_asm_parse_type_list(parser, &types, &n_types))
    return false;
  for (size_t i = 0; i < n_types; ++i)
    echo_asm_add_result_type(parser, types[i]);
  return echo_asm_try_attr_dict(parser);
}

static void print_cast(EchoAsmPrinter *printer, const EchoOp *op)
{
  echo_asm_print_typed_operands(printer, op);
  for (size_t i = 0; i < op->n_results; ++i) {
    echo_asm_print(printer, "%s", i == 0 ? " to " : ", ");
    echo_asm_print_type(printer, echo_op_result_type(op, i));
  }
  echo_asm_print_attr_dict(printer, op, NULL);
}

static bool verify_cast(const EchoOp *op)
{
  return op->n_results != 0 || echo_op_error(op, "expected at least one result for cast operation");
}

static const EchoOpInfo OPS[] = {
    {.name = "builtin.module",
     .attrs = "sym_name: string?, sym_visibility: string?",
     .n_regions = 1,
     .traits = ECHO_DEFAULT_DIALECT | ECHO_ISOLATED | ECHO_SYMBOL_TABLE | ECHO_SINGLE_BLOCK |
               ECHO_NO_TERMINATOR | ECHO_GRAPH_REGION,
     .verify = verify_module,
     .parse = parse_module,
     .print = print_module,
     .summary = "Unit of compilation: functions and other symbols"},
    {.name = "builtin.unrealized_conversion_cast",
     .operands = "inputs: any*",
     .results = "outputs: any*",
     .traits = ECHO_PURE,
     .verify = verify_cast,
     .parse = parse_cast,
     .print = print_cast,
     .summary = "Values of one type seen as another, until a conversion is whole"},
};

const EchoDialect ECHO_BUILTIN_DIALECT = {
    .name = "builtin",
    .in_mlir = true,
    .summary = "modules",
    .ops = OPS,
    .n_ops = sizeof OPS / sizeof *OPS,
};
