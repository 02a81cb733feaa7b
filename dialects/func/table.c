/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The func rows: functions, calls, returns. Of MLIR's func dialect, what StableHLO text and lowered
 * kernels use. */
#include "dialects/dialects.h"
#include "dialects/func/func_t.h"
#include "dialects/interfaces/evaluate.h"
#include "ir/symbol.h"

/* ---- func.func ---- */

const EchoType *echo_func_type(const EchoOp *func)
{
  const EchoAttr *attr = echo_op_attr_or_null(func, "function_type");
  ECHO_CHECK_OP(attr != NULL && attr->kind == ECHO_ATTR_TYPE &&
                    attr->as.type_value->kind == ECHO_TYPE_FUNCTION,
                func, "function_type is missing");
  return attr->as.type_value;
}

static bool check_entry_attrs(const EchoOp *op, const char *name, size_t n)
{
  const EchoAttr *attrs = echo_op_attr_or_null(op, name);
  if (attrs == NULL)
    return true;
  if (attrs->as.array.size != n)
    return echo_op_error(op, "expects '%s' to have %zu entries, but got %zu", name, n,
                         attrs->as.array.size);
  for (size_t i = 0; i < n; ++i) {
    const EchoAttr *own = attrs->as.array.elements[i];
    if (own->kind != ECHO_ATTR_DICTIONARY)
      return echo_op_error(op, "expects entry %zu of '%s' to be a dictionary", i, name);
    const EchoNamedAttr *wrong = echo_dictionary_without_dialect_or_null(own);
    if (wrong != NULL)
      return echo_op_error(op, "%s may only have dialect attributes, found: '%.*s'",
                           name[0] == 'a' ? "arguments" : "results", ECHO_STR_ARG(wrong->name));
  }
  return true;
}

/* What `op` ends the function with has its results' types. */
static bool check_returned(const EchoOp *function, const EchoType *type, const EchoOp *op)
{
  if (op->n_operands != type->as.function.n_results)
    return echo_op_error(op, "has %u operands, but enclosing function (@%.*s) returns %u",
                         op->n_operands, ECHO_STR_ARG(echo_symbol_name(function)),
                         type->as.function.n_results);
  for (size_t i = 0; i < op->n_operands; ++i)
    if (echo_op_operand_type(op, i) != type->as.function.results[i])
      return echo_op_error_unnamed(
          op,
          "type of return operand %zu ('%s') doesn't match function result type "
          "('%s') in function @%.*s",
          i, echo_type_text(echo_op_context(op), echo_op_operand_type(op, i)),
          echo_type_text(echo_op_context(op), type->as.function.results[i]),
          ECHO_STR_ARG(echo_symbol_name(function)));
  return true;
}

static bool verify_function(const EchoOp *op)
{
  const EchoAttr *attr = echo_op_attr_or_null(op, "function_type");
  if (attr->as.type_value->kind != ECHO_TYPE_FUNCTION)
    return echo_op_error(op, "requires a function type, but got '%s'",
                         echo_type_text(echo_op_context(op), attr->as.type_value));
  const EchoType *type = attr->as.type_value;
  if (!check_entry_attrs(op, "arg_attrs", type->as.function.n_inputs) ||
      !check_entry_attrs(op, "res_attrs", type->as.function.n_results))
    return false;
  const EchoBlock *entry = op->regions[0].first;
  if (entry == NULL)
    return true;
  if (entry->n_args != type->as.function.n_inputs)
    return echo_op_error(op, "entry block must have %u arguments to match function signature",
                         type->as.function.n_inputs);
  for (size_t i = 0; i < entry->n_args; ++i)
    if (echo_block_arg(entry, i)->type != type->as.function.inputs[i])
      return echo_op_error(op,
                           "type of entry block argument #%zu('%s') must match the type of the "
                           "corresponding argument in function signature('%s')",
                           i, echo_type_text(echo_op_context(op), echo_block_arg(entry, i)->type),
                           echo_type_text(echo_op_context(op), type->as.function.inputs[i]));
  /* func.return checks itself; some end one by stablehlo.return. What that hands to a function
   * that returns nothing is nobody's: StableHLO takes it, and so is it here. */
  const EchoOp *end = entry->last;
  return end == NULL || !echo_op_is(end, "stablehlo.return") || type->as.function.n_results == 0 ||
         check_returned(op, type, end);
}

/* ---- func.return ---- */

static bool verify_return(const EchoOp *op)
{
  const EchoOp *function = echo_op_parent(op);
  if (function == NULL || !echo_op_is(function, "func.func"))
    return echo_op_error(op, "expects parent op 'func.func'");
  const EchoAttr *attr = echo_op_attr_or_null(function, "function_type");
  if (attr == NULL || attr->kind != ECHO_ATTR_TYPE ||
      attr->as.type_value->kind != ECHO_TYPE_FUNCTION)
    return true; /* reported at the function */
  return check_returned(function, attr->as.type_value, op);
}

static bool parse_return(EchoAsmParser *parser)
{
  return echo_asm_try_attr_dict(parser) && echo_asm_parse_typed_operands(parser);
}

static void print_return(EchoAsmPrinter *printer, const EchoOp *op)
{
  echo_asm_print_attr_dict(printer, op, NULL);
  echo_asm_print_typed_operands(printer, op);
}

/* ---- func.call ---- */

static bool parse_call(EchoAsmParser *parser)
{
  EchoStr callee;
  EchoAsmOperand *operands;
  const EchoType **inputs, **results;
  size_t n_operands, n_inputs, n_results;
  if (!echo_asm_parse_symbol(parser, &callee) || !echo_asm_parse_token(parser, "(") ||
      !echo_asm_parse_operand_list(parser, &operands, &n_operands) ||
      !echo_asm_parse_token(parser, ")"))
    return false;
  echo_asm_add_attr(parser, "callee", echo_attr_symbol(echo_asm_context(parser), callee));
  if (!echo_asm_try_attr_dict(parser) || !echo_asm_parse_token(parser, ":"))
    return false;
  EchoLoc loc = echo_asm_loc(parser);
  if (!echo_asm_parse_function_type(parser, &inputs, &n_inputs, &results, &n_results))
    return false;
  for (size_t i = 0; i < n_results; ++i)
    echo_asm_add_result_type(parser, results[i]);
  return echo_asm_resolve_operands(parser, operands, n_operands, loc, inputs, n_inputs);
}

static void print_call(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"callee", NULL};
  echo_asm_print(printer, " ");
  echo_asm_print_attr(printer, echo_op_attr_or_null(op, "callee"));
  echo_asm_print(printer, "(");
  echo_asm_print_operands(printer, op, 0, op->n_operands);
  echo_asm_print(printer, ")");
  echo_asm_print_attr_dict(printer, op, elided);
  echo_asm_print(printer, " : ");
  echo_asm_print_functional_type(printer, op);
}

static bool evaluate_call(EchoEvaluator *evaluator, const EchoOp *op,
                          const EchoTensor *const *operands, EchoTensor **results)
{
  return evaluator->call(evaluator, op, echo_op_attr_or_null(op, "callee"), operands,
                         op->n_operands, results, op->n_results);
}

static bool verify_call(const EchoOp *op)
{
  const EchoAttr *callee = echo_op_attr_or_null(op, "callee");
  EchoStr name = callee->as.symbol.root;
  const EchoOp *function = echo_symbol_lookup_or_null(op, callee);
  const EchoAttr *attr = function != NULL && echo_op_has_trait(function, ECHO_FUNCTION)
                             ? echo_op_attr_or_null(function, "function_type")
                             : NULL;
  if (attr == NULL || attr->kind != ECHO_ATTR_TYPE ||
      attr->as.type_value->kind != ECHO_TYPE_FUNCTION)
    return echo_op_error(op, "'%.*s' does not reference a valid function", ECHO_STR_ARG(name));
  const EchoType *type = attr->as.type_value;
  if (op->n_operands != type->as.function.n_inputs)
    return echo_op_error(op, "incorrect number of operands for callee");
  for (size_t i = 0; i < op->n_operands; ++i)
    if (echo_op_operand_type(op, i) != type->as.function.inputs[i])
      return echo_op_error(op,
                           "operand type mismatch: expected operand type '%s', but provided '%s' "
                           "for operand number %zu",
                           echo_type_text(echo_op_context(op), type->as.function.inputs[i]),
                           echo_type_text(echo_op_context(op), echo_op_operand_type(op, i)), i);
  if (op->n_results != type->as.function.n_results)
    return echo_op_error(op, "incorrect number of results for callee");
  for (size_t i = 0; i < op->n_results; ++i)
    if (echo_op_result_type(op, i) != type->as.function.results[i])
      return echo_op_error(op,
                           "result type mismatch: expected result type '%s', but provided '%s' for "
                           "result number %zu",
                           echo_type_text(echo_op_context(op), type->as.function.results[i]),
                           echo_type_text(echo_op_context(op), echo_op_result_type(op, i)), i);
  return true;
}

/* What it costs and does is the callee's, which is not looked at here: calls are inlined before
 * anything is measured. */
static const EchoOpInfo OPS[] = {
    {.name = "func.func",
     .attrs = "sym_name: string, function_type: type, sym_visibility: string?, arg_attrs: array?, "
              "res_attrs: array?, no_inline: unit?",
     .n_regions = 1,
     .traits = ECHO_ISOLATED | ECHO_SYMBOL | ECHO_FUNCTION | ECHO_DEFAULT_DIALECT,
     .verify = verify_function,
     .parse = echo_func_parse_function,
     .print = echo_func_print_function,
     .summary = "Function; without a body, a declaration"},
    {.name = "func.return",
     .operands = "operands: any*",
     .traits = ECHO_PURE | ECHO_TERMINATOR | ECHO_RETURN_LIKE,
     .verify = verify_return,
     .parse = parse_return,
     .print = print_return,
     .summary = "End of a function"},
    {.name = "func.call",
     .operands = "operands: any*",
     .results = "results: any*",
     .attrs = "callee: symbol, arg_attrs: array?, res_attrs: array?, no_inline: unit?",
     .traits = ECHO_CALL,
     .verify = verify_call,
     .evaluate = evaluate_call,
     .parse = parse_call,
     .print = print_call,
     .summary = "Call of a function by name"},
};

const EchoDialect ECHO_FUNC_DIALECT = {
    .name = "func",
    .in_mlir = true,
    .summary = "functions",
    .ops = OPS,
    .n_ops = sizeof OPS / sizeof *OPS,
};
