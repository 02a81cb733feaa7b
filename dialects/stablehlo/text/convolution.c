/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The pretty form of convolution: dimension numbers as "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"
 * and the window as a list of what differs from the default. */
#include "dialects/stablehlo/text/text_t.h"

#include "base/vector.h"

static EchoBuffer *out(EchoAsmPrinter *printer)
{
  return echo_asm_out(printer);
}

/* ---- dimension numbers ---- */

/* One "[b, 0, f]", appended to `text` for the attribute's own parser. */
static bool parse_conv_side(EchoAsmParser *parser, EchoBuffer *text)
{
  if (!echo_asm_parse_token(parser, "["))
    return false;
  echo_buffer_append_char(text, '[');
  do {
    int64_t dim;
    EchoStr letter;
    if (text->data[text->size - 1] != '[')
      echo_buffer_append_char(text, ',');
    if (echo_asm_try_i64(parser, &dim))
      echo_buffer_append_i64(text, dim);
    else if (echo_asm_parse_any_keyword(parser, &letter))
      echo_buffer_append_str(text, letter);
    else
      return false;
  } while (echo_asm_try_token(parser, ","));
  echo_buffer_append_char(text, ']');
  return echo_asm_parse_token(parser, "]");
}

static bool parse_dim_numbers(EchoAsmParser *parser)
{
  EchoBuffer text = {0};
  EchoConvDims dims = {0};
  EchoLoc loc = echo_asm_loc(parser);
  bool ok = parse_conv_side(parser, &text) && echo_asm_parse_keyword(parser, "x");
  echo_buffer_append_char(&text, 'x');
  ok = ok && parse_conv_side(parser, &text) && echo_asm_parse_token(parser, "->");
  echo_buffer_append_c(&text, "->");
  ok = ok && parse_conv_side(parser, &text) &&
       echo_hlo_conv_parse(echo_asm_context(parser), loc, echo_buffer_str(&text), &dims);
  if (ok)
    echo_asm_add_attr(parser, "dimension_numbers",
                      echo_stablehlo_conv_dims_attr(echo_asm_context(parser), &dims));
  echo_buffer_destroy(&text);
  return ok;
}

/* ---- window ---- */

/* [[1, 1], [0, 2]] */
static bool parse_padding(EchoAsmParser *parser, const char *attr)
{
  ECHO_VECTOR(int64_t) ints = {0};
  bool ok = echo_asm_parse_token(parser, "[");
  if (ok && !echo_asm_try_token(parser, "]")) {
    do {
      EchoDimList pair = {NULL, 0};
      EchoLoc loc = echo_asm_loc(parser);
      ok = echo_hlo_parse_int_list(parser, &pair);
      if (ok && pair.size != 2)
        ok = echo_asm_error(parser, loc, "Expected array with 2 elements, got %zu elements instead",
                            pair.size);
      for (size_t i = 0; ok && i < 2; ++i)
        echo_vector_push(&ints, pair.dims[i]);
    } while (ok && echo_asm_try_token(parser, ","));
    ok = ok && echo_asm_parse_token(parser, "]");
  }
  if (ok) {
    EchoContext *ctx = echo_asm_context(parser);
    const EchoType *type = echo_type_tensor(ctx, (const int64_t[]){(int64_t)(ints.size / 2), 2}, 2,
                                            echo_type_i64(ctx), NULL);
    echo_asm_add_attr(
        parser, attr,
        echo_attr_elements(ctx, type, ints.data, ints.size * sizeof *ints.data, false));
  }
  echo_vector_destroy(&ints);
  return ok;
}

/* [true, false], or 1 and 0. */
static bool parse_reversal(EchoAsmParser *parser, const char *attr)
{
  ECHO_VECTOR(bool) flags = {0};
  bool ok = echo_asm_parse_token(parser, "[");
  if (ok && !echo_asm_try_token(parser, "]")) {
    do {
      int64_t value = 0;
      bool is_true = echo_asm_try_keyword(parser, "true");
      if (!is_true && !echo_asm_try_keyword(parser, "false"))
        ok = echo_asm_parse_i64(parser, &value);
      echo_vector_push(&flags, is_true || value != 0);
    } while (ok && echo_asm_try_token(parser, ","));
    ok = ok && echo_asm_parse_token(parser, "]");
  }
  if (ok)
    echo_asm_add_attr(parser, attr,
                      echo_attr_bool_array(echo_asm_context(parser), flags.data, flags.size));
  echo_vector_destroy(&flags);
  return ok;
}

static bool parse_window_list(EchoAsmParser *parser, const char *attr)
{
  EchoDimList list;
  if (!echo_hlo_parse_int_list(parser, &list))
    return false;
  echo_asm_add_attr(parser, attr,
                    echo_attr_i64_array(echo_asm_context(parser), list.dims, list.size));
  return true;
}

static void print_window_list(EchoAsmPrinter *printer, const EchoOp *op, const char *attr)
{
  echo_hlo_print_int_list(printer, echo_stablehlo_dims(op, attr));
}

static void print_padding(EchoAsmPrinter *printer, const EchoOp *op, const char *attr)
{
  const EchoAttr *padding = echo_op_attr_or_null(op, attr);
  int64_t n = echo_type_dim(padding->type, 0);
  echo_buffer_append_char(out(printer), '[');
  for (int64_t i = 0; i < n; ++i)
    echo_asm_print(printer, "%s[%lld, %lld]", i == 0 ? "" : ", ",
                   (long long)echo_elements_i64(padding, 2 * (size_t)i),
                   (long long)echo_elements_i64(padding, 2 * (size_t)i + 1));
  echo_buffer_append_char(out(printer), ']');
}

static void print_reversal(EchoAsmPrinter *printer, const EchoOp *op, const char *attr)
{
  const EchoAttr *reversal = echo_op_attr_or_null(op, attr);
  echo_buffer_append_char(out(printer), '[');
  for (size_t i = 0; i < echo_attr_ints_size(reversal); ++i)
    echo_asm_print(printer, "%s%s", i == 0 ? "" : ", ",
                   echo_attr_ints_get(reversal, i) != 0 ? "true" : "false");
  echo_buffer_append_char(out(printer), ']');
}

/* In the order in which they are printed. */
static const struct {
  const char *keyword, *attr;
  bool (*parse)(EchoAsmParser *parser, const char *attr);
  void (*print)(EchoAsmPrinter *printer, const EchoOp *op, const char *attr);
} WINDOW_ENTRIES[] = {{"stride", "window_strides", parse_window_list, print_window_list},
                      {"pad", "padding", parse_padding, print_padding},
                      {"lhs_dilate", "lhs_dilation", parse_window_list, print_window_list},
                      {"rhs_dilate", "rhs_dilation", parse_window_list, print_window_list},
                      {"reverse", "window_reversal", parse_reversal, print_reversal}};
enum { N_WINDOW_ENTRIES = sizeof WINDOW_ENTRIES / sizeof *WINDOW_ENTRIES };

/* `seen` has a bit for each keyword that was there: each stands once. */
static bool parse_window_entry(EchoAsmParser *parser, unsigned *seen)
{
  EchoLoc loc = echo_asm_loc(parser);
  EchoStr keyword;
  size_t i = 0;
  if (!echo_asm_parse_any_keyword(parser, &keyword))
    return false;
  while (i < N_WINDOW_ENTRIES && !echo_str_is(keyword, WINDOW_ENTRIES[i].keyword))
    ++i;
  if (i == N_WINDOW_ENTRIES || (*seen >> i & 1) != 0)
    return echo_asm_error(parser, loc, "Unexpected keyword %.*s", ECHO_STR_ARG(keyword));
  *seen |= 1u << i;
  return echo_asm_parse_token(parser, "=") &&
         WINDOW_ENTRIES[i].parse(parser, WINDOW_ENTRIES[i].attr);
}

/* A comma may stand behind the last entry, too. */
static bool parse_window(EchoAsmParser *parser)
{
  unsigned seen = 0;
  if (!echo_asm_parse_token(parser, "{"))
    return false;
  while (!echo_asm_try_token(parser, "}")) {
    if (!parse_window_entry(parser, &seen))
      return false;
    if (!echo_asm_try_token(parser, ","))
      return echo_asm_parse_token(parser, "}");
  }
  return true;
}

bool echo_hlo_parse_convolution(EchoAsmParser *parser)
{
  EchoAsmOperand *operands;
  size_t n_operands;
  return echo_asm_parse_token(parser, "(") &&
         echo_asm_parse_operand_list(parser, &operands, &n_operands) &&
         echo_asm_parse_token(parser, ")") && echo_asm_parse_keyword(parser, "dim_numbers") &&
         echo_asm_parse_token(parser, "=") && parse_dim_numbers(parser) &&
         echo_asm_parse_token(parser, ",") && echo_asm_parse_keyword(parser, "window") &&
         echo_asm_parse_token(parser, "=") && parse_window(parser) &&
         echo_asm_try_attr_dict(parser) &&
         echo_hlo_parse_signature(parser, ECHO_HLO_TYPES_FUNCTIONAL, operands, n_operands);
}

static void print_window(EchoAsmPrinter *printer, const EchoOp *op)
{
  const char *separator = "";
  echo_buffer_append_char(out(printer), '{');
  for (size_t i = 0; i < N_WINDOW_ENTRIES; ++i) {
    if (!echo_op_has_attr(op, WINDOW_ENTRIES[i].attr))
      continue;
    echo_asm_print(printer, "%s%s = ", separator, WINDOW_ENTRIES[i].keyword);
    WINDOW_ENTRIES[i].print(printer, op, WINDOW_ENTRIES[i].attr);
    separator = ", ";
  }
  echo_buffer_append_char(out(printer), '}');
}

void echo_hlo_print_convolution(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {
      "dimension_numbers", "window_strides",  "padding", "lhs_dilation",
      "rhs_dilation",      "window_reversal", NULL};
  echo_buffer_append_char(out(printer), '(');
  echo_asm_print_operands(printer, op, 0, op->n_operands);
  echo_buffer_append_c(out(printer), ") dim_numbers = ");
  echo_hlo_conv_print(echo_stablehlo_conv_dims(op), out(printer));
  echo_buffer_append_c(out(printer), ", window = ");
  print_window(printer, op);
  echo_hlo_print_attr_dict(printer, op, elided);
  echo_hlo_print_signature(printer, op, ECHO_HLO_TYPES_FUNCTIONAL);
}
