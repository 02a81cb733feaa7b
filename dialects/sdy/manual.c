/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The text of sdy.manual_computation:
 *   sdy.manual_computation(%a, %b) in_shardings=[<@mesh, [{"x"}]>, …] out_shardings=[…]
 *       manual_axes={"x"} (%c: type, %d: type) {…} : (types) -> (types) */
#include "dialects/sdy/manual_t.h"

#include "base/vector.h"
#include "ir/diagnostics.h"

/* Behind its name: "=[<…>, <…>]" as #sdy.sharding_per_value<[<…>, <…>]>. */
static bool parse_shardings(EchoAsmParser *parser, const char *name)
{
  EchoBuffer text = {0};
  echo_buffer_append_c(&text, "sharding_per_value<[");
  bool ok = echo_asm_parse_token(parser, "=") && echo_asm_parse_token(parser, "[");
  bool is_first = true;
  while (ok && !echo_asm_try_token(parser, "]")) {
    EchoStr one;
    ok = (is_first || echo_asm_parse_token(parser, ",")) &&
         echo_asm_parse_balanced(parser, '<', &one);
    if (ok)
      echo_buffer_printf(&text, "%s%.*s", is_first ? "" : ", ", ECHO_STR_ARG(one));
    is_first = false;
  }
  echo_buffer_append_c(&text, "]>");
  if (ok)
    echo_asm_add_attr(
        parser, name,
        echo_attr_opaque(echo_asm_context(parser), ECHO_STR("sdy"), echo_buffer_str(&text), true));
  echo_buffer_destroy(&text);
  return ok;
}

bool echo_sdy_try_shardings(EchoAsmParser *parser, const char *name)
{
  return !echo_asm_try_keyword(parser, name) || parse_shardings(parser, name);
}

/* "{"x", "y"}" as #sdy<manual_axes{"x", "y"}>. */
static bool parse_axes(EchoAsmParser *parser)
{
  EchoBuffer text = {0};
  echo_buffer_append_c(&text, "manual_axes{");
  bool ok = echo_asm_parse_keyword(parser, "manual_axes") && echo_asm_parse_token(parser, "=") &&
            echo_asm_parse_token(parser, "{");
  bool is_first = true;
  while (ok && !echo_asm_try_token(parser, "}")) {
    EchoStr axis;
    ok = (is_first || echo_asm_parse_token(parser, ",")) && echo_asm_parse_string(parser, &axis);
    if (ok)
      echo_buffer_printf(&text, "%s\"%.*s\"", is_first ? "" : ", ", ECHO_STR_ARG(axis));
    is_first = false;
  }
  echo_buffer_append_char(&text, '}');
  if (ok)
    echo_asm_add_attr(
        parser, "manual_axes",
        echo_attr_opaque(echo_asm_context(parser), ECHO_STR("sdy"), echo_buffer_str(&text), false));
  echo_buffer_destroy(&text);
  return ok;
}

/* "(%c: type, %d: type) {…}" */
static bool parse_region(EchoAsmParser *parser)
{
  ECHO_VECTOR(EchoAsmOperand) names = {0};
  ECHO_VECTOR(const EchoType *) types = {0};
  ECHO_VECTOR(EchoLoc) locs = {0};
  bool ok = echo_asm_parse_token(parser, "("), is_first = true;
  while (ok && !echo_asm_try_token(parser, ")")) {
    EchoAsmOperand name;
    const EchoType *type;
    ok = (is_first || echo_asm_parse_token(parser, ",")) && echo_asm_parse_operand(parser, &name) &&
         echo_asm_parse_token(parser, ":") && echo_asm_parse_type(parser, &type);
    if (ok) {
      EchoLoc loc = name.loc;
      ok = !echo_asm_try_loc(parser, &loc) || true;
      echo_vector_push(&names, name);
      echo_vector_push(&types, type);
      echo_vector_push(&locs, loc);
    }
    is_first = false;
  }
  ok = ok && echo_asm_parse_region(parser, names.data, types.data, locs.data, names.size);
  echo_vector_destroy(&names);
  echo_vector_destroy(&types);
  echo_vector_destroy(&locs);
  return ok;
}

bool echo_sdy_parse_operands(EchoAsmParser *parser, EchoAsmOperand **operands, size_t *n,
                             EchoLoc *behind)
{
  bool ok = echo_asm_parse_token(parser, "(");
  if (ok && !echo_asm_try_token(parser, ")"))
    ok = echo_asm_parse_operand_list(parser, operands, n) && echo_asm_parse_token(parser, ")");
  *behind = echo_asm_loc(parser);
  return ok;
}

bool echo_sdy_parse_body(EchoAsmParser *parser, const EchoAsmOperand *operands, size_t n,
                         EchoLoc loc)
{
  const EchoType **inputs, **results;
  size_t n_inputs, n_results;
  if (!parse_region(parser) || !echo_asm_try_attr_dict(parser) ||
      !echo_asm_parse_token(parser, ":") ||
      !echo_asm_parse_function_type(parser, &inputs, &n_inputs, &results, &n_results))
    return false;
  for (size_t i = 0; i < n_results; i++)
    echo_asm_add_result_type(parser, results[i]);
  return echo_asm_resolve_operands(parser, operands, n, loc, inputs, n_inputs);
}

bool echo_sdy_parse_manual(EchoAsmParser *parser)
{
  EchoAsmOperand *operands = NULL;
  size_t n = 0;
  EchoLoc loc;
  return echo_sdy_parse_operands(parser, &operands, &n, &loc) &&
         echo_asm_parse_keyword(parser, "in_shardings") &&
         parse_shardings(parser, "in_shardings") &&
         echo_asm_parse_keyword(parser, "out_shardings") &&
         parse_shardings(parser, "out_shardings") && parse_axes(parser) &&
         echo_sdy_parse_body(parser, operands, n, loc);
}

/* What stands between the outermost brackets `open` and `close` of an attribute's text. */
static EchoStr between(const EchoAttr *attr, char open, char close)
{
  EchoStr text = attr->as.opaque.text;
  size_t begin = 0, end = text.size;
  while (begin < end && text.data[begin] != open)
    begin++;
  while (end > begin && text.data[end - 1] != close)
    end--;
  return (EchoStr){text.data + begin, end - begin};
}

void echo_sdy_print_shardings(EchoAsmPrinter *printer, const EchoOp *op, const char *name)
{
  echo_asm_print(printer, " %s=%.*s", name,
                 ECHO_STR_ARG(between(echo_op_attr_or_null(op, name), '[', ']')));
}

void echo_sdy_print_body(EchoAsmPrinter *printer, const EchoOp *op, const char *const *elided)
{
  const EchoBlock *body = op->regions[0].first;
  echo_asm_print(printer, " (");
  for (uint32_t i = 0; body != NULL && i < body->n_args; i++) {
    echo_asm_print(printer, i == 0 ? "" : ", ");
    echo_asm_print_value(printer, echo_block_arg(body, i));
    echo_asm_print(printer, ": ");
    echo_asm_print_type(printer, echo_block_arg(body, i)->type);
    echo_asm_print_loc(printer, body->args[i]->loc);
  }
  echo_asm_print(printer, ") ");
  echo_asm_print_region(printer, &op->regions[0], false, true);
  echo_asm_print_attr_dict(printer, op, elided);
  echo_asm_print(printer, " : ");
  echo_asm_print_functional_type(printer, op);
}

void echo_sdy_print_manual(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"in_shardings", "out_shardings", "manual_axes", NULL};
  echo_asm_print(printer, "(");
  echo_asm_print_operands(printer, op, 0, op->n_operands);
  echo_asm_print(printer, ")");
  echo_sdy_print_shardings(printer, op, "in_shardings");
  echo_sdy_print_shardings(printer, op, "out_shardings");
  echo_asm_print(printer, " manual_axes=%.*s",
                 ECHO_STR_ARG(between(echo_op_attr_or_null(op, "manual_axes"), '{', '}')));
  echo_sdy_print_body(printer, op, elided);
}

bool echo_sdy_verify_manual(const EchoOp *op)
{
  const EchoBlock *body = op->regions[0].first;
  if (body == NULL || body->n_args != op->n_operands)
    return echo_op_error(op, "has %u operands, and a body of %u arguments", op->n_operands,
                         body != NULL ? body->n_args : 0);
  if (body->last == NULL || !echo_op_is(body->last, "sdy.return"))
    return echo_op_error(op, "has a body that does not end in sdy.return");
  if (body->last->n_operands != op->n_results)
    return echo_op_error(op, "has %u results, and a body that returns %u values", op->n_results,
                         body->last->n_operands);
  return true;
}
