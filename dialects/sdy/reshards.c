/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/sdy/reshards_t.h"

#include <string.h>

#include "dialects/sdy/manual_t.h"

/* What an op calls its axes, what kind of list they are, and its first bracket. */
typedef struct Axes {
  const char *name, *mnemonic;
  char open;
} Axes;

/* Axes of each dimension; axes; from which dimension to which. */
#define LISTS "list_of_axis_ref_lists", '['
#define LIST "axis_ref_list", '{'
#define MOVES "all_to_all_param_list", '['

static bool parse_axes(EchoAsmParser *parser, const Axes *axes)
{
  EchoStr body;
  if (!echo_asm_parse_balanced(parser, axes->open, &body))
    return false;
  EchoBuffer text = {0};
  echo_buffer_append_c(&text, axes->mnemonic);
  echo_buffer_append_str(&text, body);
  echo_asm_add_attr(
      parser, axes->name,
      echo_attr_opaque(echo_asm_context(parser), ECHO_STR("sdy"), echo_buffer_str(&text), false));
  echo_buffer_destroy(&text);
  return true;
}

/* "{…} : type" */
static bool parse_end(EchoAsmParser *parser, const EchoAsmOperand *operand)
{
  const EchoType *type;
  if (!echo_asm_try_attr_dict(parser) || !echo_asm_parse_token(parser, ":") ||
      !echo_asm_parse_type(parser, &type))
    return false;
  echo_asm_add_result_type(parser, type);
  return echo_asm_resolve_operand(parser, operand, type);
}

static void print_end(EchoAsmPrinter *printer, const EchoOp *op, const char *const *elided)
{
  echo_asm_print_attr_dict(printer, op, elided);
  echo_asm_print(printer, " : ");
  echo_asm_print_type(printer, echo_op_result_type(op, 0));
}

static bool parse_reshard(EchoAsmParser *parser, const Axes *axes_or_null)
{
  EchoAsmOperand operand;
  return (axes_or_null == NULL || parse_axes(parser, axes_or_null)) &&
         echo_asm_parse_operand(parser, &operand) &&
         echo_asm_parse_keyword(parser, "out_sharding") && echo_asm_parse_token(parser, "=") &&
         echo_sdy_parse_stripped(parser, "out_sharding", "sharding") && parse_end(parser, &operand);
}

static void print_reshard(EchoAsmPrinter *printer, const EchoOp *op, const Axes *axes_or_null)
{
  const char *const elided[] = {"out_sharding", axes_or_null != NULL ? axes_or_null->name : NULL,
                                NULL};
  echo_asm_print(printer, " ");
  if (axes_or_null != NULL) {
    EchoStr text = echo_op_attr_or_null(op, axes_or_null->name)->as.opaque.text;
    size_t skipped = strlen(axes_or_null->mnemonic);
    echo_asm_print(printer, "%.*s ", (int)(text.size - skipped), text.data + skipped);
  }
  echo_asm_print_operands(printer, op, 0, 1);
  echo_asm_print(printer, " out_sharding=");
  echo_sdy_print_stripped(printer, op, "out_sharding");
  print_end(printer, op, elided);
}

#define RESHARD(name, ...)                                                                         \
  static const Axes AXES_OF_##name = {__VA_ARGS__};                                                \
  bool echo_sdy_parse_##name(EchoAsmParser *parser)                                                \
  {                                                                                                \
    return parse_reshard(parser, &AXES_OF_##name);                                                 \
  }                                                                                                \
  void echo_sdy_print_##name(EchoAsmPrinter *printer, const EchoOp *op)                            \
  {                                                                                                \
    print_reshard(printer, op, &AXES_OF_##name);                                                   \
  }

RESHARD(all_gather, "gathering_axes", LISTS)
RESHARD(all_reduce, "reduction_axes", LIST)
RESHARD(all_slice, "slicing_axes", LISTS)
RESHARD(all_to_all, "params", MOVES)
RESHARD(reduce_scatter, "reduce_scatter_axes", LISTS)
RESHARD(replicated_to_unreduced, "axes", LIST)
RESHARD(sharded_to_unreduced, "axes", LISTS)

bool echo_sdy_parse_collective_permute(EchoAsmParser *parser)
{
  return parse_reshard(parser, NULL);
}

void echo_sdy_print_collective_permute(EchoAsmPrinter *printer, const EchoOp *op)
{
  print_reshard(printer, op, NULL);
}

/* ---- edges ---- */

bool echo_sdy_parse_edge(EchoAsmParser *parser)
{
  EchoAsmOperand operand;
  if (!echo_asm_parse_operand(parser, &operand))
    return false;
  if (echo_asm_try_keyword(parser, "sharding") &&
      (!echo_asm_parse_token(parser, "=") ||
       !echo_sdy_parse_stripped(parser, "sharding", "sharding")))
    return false;
  return parse_end(parser, &operand);
}

void echo_sdy_print_edge(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"sharding", NULL};
  echo_asm_print(printer, " ");
  echo_asm_print_operands(printer, op, 0, 1);
  if (echo_op_has_attr(op, "sharding")) {
    echo_asm_print(printer, " sharding=");
    echo_sdy_print_stripped(printer, op, "sharding");
  }
  print_end(printer, op, elided);
}

/* ---- calls that were taken in ---- */

bool echo_sdy_parse_named(EchoAsmParser *parser)
{
  EchoStr name;
  EchoAsmOperand *operands = NULL;
  size_t n = 0;
  if (!echo_asm_parse_token(parser, "<") || !echo_asm_parse_string(parser, &name) ||
      !echo_asm_parse_token(parser, ">"))
    return false;
  echo_asm_add_attr(parser, "name", echo_attr_string(echo_asm_context(parser), name));
  EchoLoc loc;
  return echo_sdy_parse_operands(parser, &operands, &n, &loc) &&
         echo_sdy_try_shardings(parser, "in_shardings") &&
         echo_sdy_try_shardings(parser, "out_shardings") &&
         echo_sdy_parse_body(parser, operands, n, loc);
}

void echo_sdy_print_named(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"name", "in_shardings", "out_shardings", NULL};
  echo_asm_print(printer, "<");
  echo_asm_print_attr(printer, echo_op_attr_or_null(op, "name"));
  echo_asm_print(printer, ">(");
  echo_asm_print_operands(printer, op, 0, op->n_operands);
  echo_asm_print(printer, ")");
  for (size_t i = 1; elided[i] != NULL; i++)
    if (echo_op_has_attr(op, elided[i]))
      echo_sdy_print_shardings(printer, op, elided[i]);
  echo_sdy_print_body(printer, op, elided);
}
