/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The pretty forms of chlo.top_k and chlo.scan; the others have StableHLO's table of forms. */
#include "dialects/chlo/chlo_t.h"
#include "dialects/stablehlo/text/text_t.h"

/* [, is_stable = false], or MHLO's [, largest = true] */
static bool parse_flag_of_top_k(EchoAsmParser *parser)
{
  const bool is_former = echo_asm_try_keyword(parser, "largest");
  const EchoAttr *flag;
  if ((!is_former && !echo_asm_parse_keyword(parser, "is_stable")) ||
      !echo_asm_parse_token(parser, "=") ||
      !echo_asm_parse_attr(parser, echo_type_i1(echo_asm_context(parser)), &flag))
    return false;
  echo_asm_add_attr(parser, is_former ? "largest" : "is_stable", flag);
  return true;
}

/* (%operand, k = 8[, is_stable = false]) {…} : type -> (type, type) */
bool echo_chlo_parse_top_k(EchoAsmParser *parser)
{
  EchoContext *ctx = echo_asm_context(parser);
  EchoAsmOperand operand;
  const EchoType *type, *values, *indices;
  int64_t k;
  if (!echo_asm_parse_token(parser, "(") || !echo_asm_parse_operand(parser, &operand) ||
      !echo_asm_parse_token(parser, ",") || !echo_asm_parse_keyword(parser, "k") ||
      !echo_asm_parse_token(parser, "=") || !echo_asm_parse_i64(parser, &k))
    return false;
  echo_asm_add_attr(parser, "k", echo_attr_i64(ctx, k));
  if (echo_asm_try_token(parser, ",") && !parse_flag_of_top_k(parser))
    return false;
  if (!echo_asm_parse_token(parser, ")") || !echo_asm_try_attr_dict(parser) ||
      !echo_asm_parse_token(parser, ":") || !echo_asm_parse_type(parser, &type) ||
      !echo_asm_parse_token(parser, "->") || !echo_asm_parse_token(parser, "(") ||
      !echo_asm_parse_type(parser, &values) || !echo_asm_parse_token(parser, ",") ||
      !echo_asm_parse_type(parser, &indices) || !echo_asm_parse_token(parser, ")"))
    return false;
  echo_asm_add_result_type(parser, values);
  echo_asm_add_result_type(parser, indices);
  return echo_asm_resolve_operand(parser, &operand, type);
}

void echo_chlo_print_top_k(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"k", "is_stable", NULL};
  const EchoAttr *stable = echo_op_attr_or_null(op, "is_stable");
  echo_asm_print(printer, "(");
  echo_asm_print_operands(printer, op, 0, 1);
  echo_asm_print(printer, ", k = %lld", (long long)echo_op_attr_i64(op, "k", 0));
  if (stable != NULL && echo_op_attr_i64(op, "is_stable", 1) == 0)
    echo_asm_print(printer, ", is_stable = false");
  echo_asm_print(printer, ")");
  echo_hlo_print_attr_dict(printer, op, elided);
  echo_asm_print(printer, " : ");
  echo_asm_print_type(printer, echo_op_operand_type(op, 0));
  echo_asm_print(printer, " -> (");
  echo_asm_print_type(printer, echo_op_result_type(op, 0));
  echo_asm_print(printer, ", ");
  echo_asm_print_type(printer, echo_op_result_type(op, 1));
  echo_asm_print(printer, ")");
}

static bool parse_parenthesised(EchoAsmParser *parser, EchoAsmOperand **operands, size_t *n)
{
  return echo_asm_parse_token(parser, "(") && echo_asm_parse_operand_list(parser, operands, n) &&
         echo_asm_parse_token(parser, ")");
}

/* (%inputs) inits (%inits) dimension=0 attributes {…} {…} : (types) -> types */
bool echo_chlo_parse_scan(EchoAsmParser *parser)
{
  EchoContext *ctx = echo_asm_context(parser);
  EchoAsmOperand *inputs, *inits;
  const EchoType **types, **results;
  size_t n_inputs, n_inits, n_types, n_results;
  int64_t dimension;
  if (!parse_parenthesised(parser, &inputs, &n_inputs) ||
      !echo_asm_parse_keyword(parser, "inits") || !parse_parenthesised(parser, &inits, &n_inits) ||
      !echo_asm_parse_keyword(parser, "dimension") || !echo_asm_parse_token(parser, "=") ||
      !echo_asm_parse_i64(parser, &dimension) || !echo_asm_try_attr_dict_with_keyword(parser) ||
      !echo_asm_parse_region(parser, NULL, NULL, NULL, 0) || !echo_asm_parse_token(parser, ":"))
    return false;
  EchoLoc loc = echo_asm_loc(parser);
  if (!echo_asm_parse_function_type(parser, &types, &n_types, &results, &n_results))
    return false;
  if (n_types != n_inputs + n_inits)
    return echo_asm_error(parser, loc, "operand types must match the number of inputs and inits");
  if (n_results < n_inits)
    return echo_asm_error(parser, loc, "not enough result types to cover the required carries");
  for (size_t i = 0; i < n_inputs; ++i)
    if (!echo_asm_resolve_operand(parser, &inputs[i], types[i]))
      return false;
  for (size_t i = 0; i < n_inits; ++i)
    if (!echo_asm_resolve_operand(parser, &inits[i], types[n_inputs + i]))
      return false;
  for (size_t i = 0; i < n_results; ++i)
    echo_asm_add_result_type(parser, results[i]);
  int32_t operand_sizes[] = {(int32_t)n_inputs, (int32_t)n_inits};
  int32_t result_sizes[] = {(int32_t)(n_results - n_inits), (int32_t)n_inits};
  echo_asm_add_attr(parser, "dimension", echo_attr_i64(ctx, dimension));
  echo_asm_add_attr(parser, "operandSegmentSizes", echo_attr_i32_array(ctx, operand_sizes, 2));
  echo_asm_add_attr(parser, "resultSegmentSizes", echo_attr_i32_array(ctx, result_sizes, 2));
  return true;
}

void echo_chlo_print_scan(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"dimension", "operandSegmentSizes", "resultSegmentSizes",
                                       NULL};
  size_t begin, count;
  echo_op_operand_group(op, 1, &begin, &count);
  echo_asm_print(printer, "(");
  echo_asm_print_operands(printer, op, 0, begin);
  echo_asm_print(printer, ") inits (");
  echo_asm_print_operands(printer, op, begin, count);
  echo_asm_print(printer, ") dimension=%lld ", (long long)echo_op_attr_i64(op, "dimension", 0));
  echo_asm_print_attr_dict_with_keyword(printer, op, elided);
  echo_asm_print(printer, " ");
  echo_asm_print_region(printer, &op->regions[0], true, true);
  echo_asm_print(printer, " : ");
  echo_asm_print_functional_type(printer, op);
}

/* The region's arguments: inputs, then carries. */
void echo_chlo_name_scan(const EchoOp *op, EchoNameValueFn *name, void *user)
{
  const EchoBlock *block = op->regions[0].first;
  size_t n_inputs, count;
  echo_op_operand_group(op, 1, &n_inputs, &count);
  for (size_t i = 0; block != NULL && i < block->n_args; ++i)
    name(user, echo_block_arg(block, i), i < n_inputs ? "input" : "carry");
}
