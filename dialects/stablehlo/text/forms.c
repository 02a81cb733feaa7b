/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pretty forms of their own: compare, composite, constant, convolution, custom_call, dot,
 * dot_general, get_tuple_element, optimization_barrier, reduce_precision, slice. */
#include "dialects/stablehlo/text/text_t.h"

#include "base/vector.h"

static EchoBuffer *out(EchoAsmPrinter *printer)
{
  return echo_asm_out(printer);
}

/* ---- compare ---- */

bool echo_hlo_parse_compare(EchoAsmParser *parser)
{
  const EchoAttr *direction, *type;
  EchoAsmOperand operands[2];
  if (!echo_hlo_parse_word(parser, "stablehlo", ECHO_HLO_ATTR_COMPARISON_DIRECTION, &direction) ||
      !echo_asm_parse_token(parser, ",") || !echo_asm_parse_operand(parser, &operands[0]) ||
      !echo_asm_parse_token(parser, ",") || !echo_asm_parse_operand(parser, &operands[1]))
    return false;
  echo_asm_add_attr(parser, "comparison_direction", direction);
  if (echo_asm_try_token(parser, ",")) {
    if (!echo_hlo_parse_word(parser, "stablehlo", ECHO_HLO_ATTR_COMPARISON_TYPE, &type))
      return false;
    echo_asm_add_attr(parser, "compare_type", type);
  }
  return echo_asm_try_attr_dict(parser) &&
         echo_hlo_parse_signature(parser, ECHO_HLO_TYPES_FUNCTIONAL, operands, 2);
}

void echo_hlo_print_compare(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"comparison_direction", "compare_type", NULL};
  const EchoHloPayload *type = echo_hlo_payload_or_null(echo_op_attr_or_null(op, "compare_type"),
                                                        ECHO_HLO_ATTR_COMPARISON_TYPE);
  echo_asm_print(printer, " %s, ",
                 echo_stablehlo_compare_direction_word(echo_stablehlo_compare_direction(op)));
  echo_asm_print_operands(printer, op, 0, 2);
  if (type != NULL)
    echo_asm_print(printer, ", %s",
                   echo_stablehlo_compare_type_word((EchoCompareType)type->as.word));
  echo_hlo_print_attr_dict(printer, op, elided);
  echo_hlo_print_signature(printer, op, ECHO_HLO_TYPES_FUNCTIONAL);
}

/* ---- composite ---- */

bool echo_hlo_parse_composite(EchoAsmParser *parser)
{
  EchoStr name;
  EchoAsmOperand *operands;
  size_t n_operands;
  if (!echo_asm_parse_string(parser, &name) ||
      !echo_asm_parse_operand_list(parser, &operands, &n_operands))
    return false;
  echo_asm_add_attr(parser, "name", echo_attr_string(echo_asm_context(parser), name));
  if (echo_asm_try_token(parser, "(")) {
    do
      if (!echo_asm_parse_region(parser, NULL, NULL, NULL, 0))
        return false;
    while (echo_asm_try_token(parser, ","));
    if (!echo_asm_parse_token(parser, ")"))
      return false;
  }
  return echo_asm_try_attr_dict(parser) &&
         echo_hlo_parse_signature(parser, ECHO_HLO_TYPES_FUNCTIONAL, operands, n_operands);
}

void echo_hlo_print_composite(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"name", NULL};
  echo_buffer_append_char(out(printer), ' ');
  echo_asm_print_attr(printer, echo_op_attr_or_null(op, "name"));
  echo_buffer_append_char(out(printer), ' ');
  echo_asm_print_operands(printer, op, 0, op->n_operands);
  for (size_t i = 0; i < op->n_regions; ++i) {
    echo_buffer_append_c(out(printer), i == 0 ? " (" : ", ");
    echo_asm_print_region(printer, &op->regions[i], true, true);
  }
  if (op->n_regions != 0)
    echo_buffer_append_char(out(printer), ')');
  echo_hlo_print_attr_dict(printer, op, elided);
  echo_hlo_print_signature(printer, op, ECHO_HLO_TYPES_FUNCTIONAL);
}

/* ---- constant ---- */

/* "() <{value = …}> {…} : () -> type": a constant whose value has another type than its result. */
static bool parse_generic_constant(EchoAsmParser *parser)
{
  const EchoAttr *properties;
  if (!echo_asm_parse_token(parser, ")"))
    return false;
  if (echo_asm_try_token(parser, "<")) {
    if (!echo_asm_parse_attr(parser, NULL, &properties) || !echo_asm_parse_token(parser, ">"))
      return false;
    if (properties->kind != ECHO_ATTR_DICTIONARY)
      return echo_asm_error(parser, echo_asm_op_loc(parser), "expected a dictionary of properties");
    for (size_t i = 0; i < properties->as.dictionary.size; ++i)
      echo_asm_add_attr(parser, properties->as.dictionary.entries[i].name.data,
                        properties->as.dictionary.entries[i].value);
  }
  return echo_asm_try_attr_dict(parser) &&
         echo_hlo_parse_signature(parser, ECHO_HLO_TYPES_FUNCTIONAL, NULL, 0);
}

bool echo_hlo_parse_constant(EchoAsmParser *parser)
{
  const EchoAttr *value;
  if (echo_asm_try_token(parser, "("))
    return parse_generic_constant(parser);
  if (!echo_asm_try_attr_dict(parser))
    return false;
  EchoLoc loc = echo_asm_loc(parser);
  if (!echo_asm_parse_attr(parser, NULL, &value))
    return false;
  if (value->type == NULL || !echo_type_is_shaped(value->type))
    return echo_asm_error(parser, loc, "expected elements of a constant");
  echo_asm_add_attr(parser, "value", value);
  echo_asm_add_result_type(parser, value->type);
  return true;
}

void echo_hlo_print_constant(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"value", NULL};
  const EchoAttr *value = echo_op_attr_or_null(op, "value");
  if (value != NULL && value->type == echo_op_result_type(op, 0)) {
    echo_asm_print_attr_dict(printer, op, elided);
    echo_buffer_append_char(out(printer), ' ');
    echo_asm_print_attr(printer, value);
    return;
  }
  echo_buffer_append_c(out(printer), "()");
  if (op->properties != NULL) {
    echo_buffer_append_c(out(printer), " <");
    echo_asm_print_attr(printer, op->properties);
    echo_buffer_append_char(out(printer), '>');
  }
  if (op->attrs != NULL && op->attrs->as.dictionary.size != 0) {
    echo_buffer_append_char(out(printer), ' ');
    echo_asm_print_attr(printer, op->attrs);
  }
  echo_hlo_print_signature(printer, op, ECHO_HLO_TYPES_FUNCTIONAL);
}

/* ---- dot, dot_general ---- */

static bool parse_precision_list(EchoAsmParser *parser)
{
  ECHO_VECTOR(const EchoAttr *) words = {0};
  bool ok = echo_asm_parse_token(parser, "=") && echo_asm_parse_token(parser, "[");
  if (ok && !echo_asm_try_token(parser, "]")) {
    do {
      const EchoAttr *word = NULL;
      ok = echo_hlo_parse_word(parser, "stablehlo", ECHO_HLO_ATTR_PRECISION, &word);
      echo_vector_push(&words, word);
    } while (ok && echo_asm_try_token(parser, ","));
    ok = ok && echo_asm_parse_token(parser, "]");
  }
  if (ok)
    echo_asm_add_attr(parser, "precision_config",
                      echo_attr_array(echo_asm_context(parser), words.data, words.size));
  echo_vector_destroy(&words);
  return ok;
}

/* <lhs_precision_type = tf32, …>, the fields in order. */
static bool parse_algorithm(EchoAsmParser *parser)
{
  EchoDotAlgorithm a;
  const EchoAttr *imprecise;
  EchoLoc loc = echo_asm_loc(parser);
  if (!echo_asm_parse_token(parser, "=") || !echo_asm_parse_token(parser, "<") ||
      !echo_asm_parse_keyword(parser, "lhs_precision_type") || !echo_asm_parse_token(parser, "=") ||
      !echo_asm_parse_type(parser, &a.lhs_precision) || !echo_asm_parse_token(parser, ",") ||
      !echo_asm_parse_keyword(parser, "rhs_precision_type") || !echo_asm_parse_token(parser, "=") ||
      !echo_asm_parse_type(parser, &a.rhs_precision) || !echo_asm_parse_token(parser, ",") ||
      !echo_asm_parse_keyword(parser, "accumulation_type") || !echo_asm_parse_token(parser, "=") ||
      !echo_asm_parse_type(parser, &a.accumulation) || !echo_asm_parse_token(parser, ",") ||
      !echo_asm_parse_keyword(parser, "lhs_component_count") ||
      !echo_asm_parse_token(parser, "=") || !echo_asm_parse_i64(parser, &a.lhs_components) ||
      !echo_asm_parse_token(parser, ",") ||
      !echo_asm_parse_keyword(parser, "rhs_component_count") ||
      !echo_asm_parse_token(parser, "=") || !echo_asm_parse_i64(parser, &a.rhs_components) ||
      !echo_asm_parse_token(parser, ",") ||
      !echo_asm_parse_keyword(parser, "num_primitive_operations") ||
      !echo_asm_parse_token(parser, "=") || !echo_asm_parse_i64(parser, &a.primitive_operations) ||
      !echo_asm_parse_token(parser, ",") ||
      !echo_asm_parse_keyword(parser, "allow_imprecise_accumulation") ||
      !echo_asm_parse_token(parser, "=") ||
      !echo_asm_parse_attr(parser, echo_type_i1(echo_asm_context(parser)), &imprecise) ||
      !echo_asm_parse_token(parser, ">"))
    return false;
  a.allow_imprecise_accumulation =
      imprecise->kind == ECHO_ATTR_INTEGER && imprecise->as.integer.value != 0;
  const EchoAttr *algorithm = echo_hlo_input_attr_or_null(
      echo_asm_context(parser), loc,
      &(EchoHloPayload){ECHO_HLO_ATTR_DOT_ALGORITHM, {.dot_algorithm = a}});
  if (algorithm != NULL)
    echo_asm_add_attr(parser, "algorithm", algorithm);
  return algorithm != NULL;
}

/* ", precision = […]" and ", algorithm = <…>", both optional, in this order. */
static bool parse_precision_and_algorithm(EchoAsmParser *parser, bool with_algorithm)
{
  if (!echo_asm_try_token(parser, ","))
    return true;
  if (echo_asm_try_keyword(parser, "precision")) {
    if (!parse_precision_list(parser))
      return false;
    if (!with_algorithm || !echo_asm_try_token(parser, ","))
      return true;
  }
  return with_algorithm ? echo_asm_parse_keyword(parser, "algorithm") && parse_algorithm(parser)
                        : echo_asm_parse_keyword(parser, "precision");
}

static void print_precision_and_algorithm(EchoAsmPrinter *printer, const EchoOp *op)
{
  const EchoAttr *config = echo_op_attr_or_null(op, "precision_config");
  if (config != NULL) {
    echo_buffer_append_c(out(printer), ", precision = [");
    for (size_t i = 0; i < config->as.array.size; ++i)
      echo_asm_print(printer, "%s%s", i == 0 ? "" : ", ",
                     echo_stablehlo_precision_word(echo_stablehlo_precision(op, i)));
    echo_buffer_append_char(out(printer), ']');
  }
  const EchoHloPayload *algorithm =
      echo_hlo_payload_or_null(echo_op_attr_or_null(op, "algorithm"), ECHO_HLO_ATTR_DOT_ALGORITHM);
  if (algorithm != NULL) {
    echo_buffer_append_c(out(printer), ", algorithm = ");
    echo_hlo_struct_print(echo_op_context(op), algorithm, out(printer));
  }
}

static bool parse_two_operands(EchoAsmParser *parser, EchoAsmOperand operands[2])
{
  return echo_asm_parse_operand(parser, &operands[0]) && echo_asm_parse_token(parser, ",") &&
         echo_asm_parse_operand(parser, &operands[1]);
}

bool echo_hlo_parse_dot(EchoAsmParser *parser)
{
  EchoAsmOperand operands[2];
  return parse_two_operands(parser, operands) && parse_precision_and_algorithm(parser, false) &&
         echo_asm_try_attr_dict(parser) &&
         echo_hlo_parse_signature(parser, ECHO_HLO_TYPES_FUNCTIONAL, operands, 2);
}

void echo_hlo_print_dot(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"precision_config", NULL};
  echo_buffer_append_char(out(printer), ' ');
  echo_asm_print_operands(printer, op, 0, 2);
  print_precision_and_algorithm(printer, op);
  echo_hlo_print_attr_dict(printer, op, elided);
  echo_hlo_print_signature(printer, op, ECHO_HLO_TYPES_FUNCTIONAL);
}

/* "= [0] x [1]" */
static bool parse_dim_pair(EchoAsmParser *parser, EchoDimList *lhs, EchoDimList *rhs)
{
  return echo_asm_parse_token(parser, "=") && echo_hlo_parse_int_list(parser, lhs) &&
         echo_asm_parse_keyword(parser, "x") && echo_hlo_parse_int_list(parser, rhs);
}

bool echo_hlo_parse_dot_general(EchoAsmParser *parser)
{
  EchoAsmOperand operands[2];
  EchoDotDims dims = {0};
  if (!parse_two_operands(parser, operands) || !echo_asm_parse_token(parser, ","))
    return false;
  if (echo_asm_try_keyword(parser, "batching_dims") &&
      (!parse_dim_pair(parser, &dims.lhs_batching, &dims.rhs_batching) ||
       !echo_asm_parse_token(parser, ",")))
    return false;
  if (!echo_asm_parse_keyword(parser, "contracting_dims") ||
      !parse_dim_pair(parser, &dims.lhs_contracting, &dims.rhs_contracting))
    return false;
  echo_asm_add_attr(parser, "dot_dimension_numbers",
                    echo_stablehlo_dot_dims_attr(echo_asm_context(parser), &dims));
  return parse_precision_and_algorithm(parser, true) && echo_asm_try_attr_dict(parser) &&
         echo_hlo_parse_signature(parser, ECHO_HLO_TYPES_FUNCTIONAL, operands, 2);
}

void echo_hlo_print_dot_general(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"dot_dimension_numbers", "precision_config", "algorithm",
                                       NULL};
  const EchoDotDims *dims = echo_stablehlo_dot_dims(op);
  echo_buffer_append_char(out(printer), ' ');
  echo_asm_print_operands(printer, op, 0, 2);
  echo_buffer_append_c(out(printer), ", ");
  if (dims->lhs_batching.size != 0 || dims->rhs_batching.size != 0) {
    echo_buffer_append_c(out(printer), "batching_dims = ");
    echo_hlo_print_int_list(printer, dims->lhs_batching);
    echo_buffer_append_c(out(printer), " x ");
    echo_hlo_print_int_list(printer, dims->rhs_batching);
    echo_buffer_append_c(out(printer), ", ");
  }
  echo_buffer_append_c(out(printer), "contracting_dims = ");
  echo_hlo_print_int_list(printer, dims->lhs_contracting);
  echo_buffer_append_c(out(printer), " x ");
  echo_hlo_print_int_list(printer, dims->rhs_contracting);
  print_precision_and_algorithm(printer, op);
  echo_hlo_print_attr_dict(printer, op, elided);
  echo_hlo_print_signature(printer, op, ECHO_HLO_TYPES_FUNCTIONAL);
}

/* ---- custom_call ---- */

bool echo_hlo_parse_custom_call(EchoAsmParser *parser)
{
  EchoStr target;
  EchoAsmOperand *operands;
  size_t n_operands;
  if (!echo_asm_parse_symbol(parser, &target) || !echo_asm_parse_token(parser, "(") ||
      !echo_asm_parse_operand_list(parser, &operands, &n_operands) ||
      !echo_asm_parse_token(parser, ")"))
    return false;
  echo_asm_add_attr(parser, "call_target_name", echo_attr_string(echo_asm_context(parser), target));
  return echo_asm_try_attr_dict(parser) &&
         echo_hlo_parse_signature(parser, ECHO_HLO_TYPES_FUNCTIONAL, operands, n_operands);
}

void echo_hlo_print_custom_call(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"call_target_name", NULL};
  echo_buffer_append_char(out(printer), ' ');
  echo_asm_print_symbol(printer, echo_op_attr_string(op, "call_target_name"));
  echo_buffer_append_char(out(printer), '(');
  echo_asm_print_operands(printer, op, 0, op->n_operands);
  echo_buffer_append_char(out(printer), ')');
  echo_hlo_print_attr_dict(printer, op, elided);
  echo_hlo_print_signature(printer, op, ECHO_HLO_TYPES_FUNCTIONAL);
}

/* ---- get_tuple_element ---- */

bool echo_hlo_parse_get_tuple_element(EchoAsmParser *parser)
{
  EchoAsmOperand operand;
  int64_t index;
  if (!echo_asm_parse_operand(parser, &operand) || !echo_asm_parse_token(parser, "[") ||
      !echo_asm_parse_i64(parser, &index) || !echo_asm_parse_token(parser, "]"))
    return false;
  echo_asm_add_attr(parser, "index", echo_attr_i32(echo_asm_context(parser), (int32_t)index));
  return echo_asm_try_attr_dict(parser) &&
         echo_hlo_parse_signature(parser, ECHO_HLO_TYPES_FUNCTIONAL, &operand, 1);
}

void echo_hlo_print_get_tuple_element(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"index", NULL};
  echo_buffer_append_char(out(printer), ' ');
  echo_asm_print_operands(printer, op, 0, 1);
  echo_asm_print(printer, "[%lld]", (long long)echo_op_attr_i64(op, "index", 0));
  echo_hlo_print_attr_dict(printer, op, elided);
  echo_hlo_print_signature(printer, op, ECHO_HLO_TYPES_FUNCTIONAL);
}

/* ---- optimization_barrier: the attributes come first ---- */

bool echo_hlo_parse_optimization_barrier(EchoAsmParser *parser)
{
  EchoAsmOperand *operands;
  size_t n_operands;
  if (!echo_asm_try_attr_dict(parser))
    return false;
  if (echo_asm_try_token(parser, "("))
    return echo_asm_parse_token(parser, ")");
  return echo_asm_parse_operand_list(parser, &operands, &n_operands) &&
         echo_hlo_parse_signature(parser, ECHO_HLO_TYPES_PAIRWISE, operands, n_operands);
}

void echo_hlo_print_optimization_barrier(EchoAsmPrinter *printer, const EchoOp *op)
{
  echo_hlo_print_attr_dict(printer, op, NULL);
  if (op->n_operands == 0) {
    echo_buffer_append_c(out(printer), "()");
    return;
  }
  echo_buffer_append_char(out(printer), ' ');
  echo_asm_print_operands(printer, op, 0, op->n_operands);
  echo_hlo_print_signature(printer, op, ECHO_HLO_TYPES_PAIRWISE);
}

/* ---- reduce_precision ---- */

/* e8m10 */
static bool split_format(EchoStr word, int64_t *exponent, int64_t *mantissa)
{
  const char *m = word.size > 1 ? memchr(word.data, 'm', word.size) : NULL;
  if (m == NULL || word.data[0] != 'e')
    return false;
  EchoStr e_digits = {word.data + 1, (size_t)(m - word.data) - 1};
  EchoStr m_digits = {m + 1, word.size - (size_t)(m - word.data) - 1};
  return echo_str_to_i64(e_digits, exponent) && echo_str_to_i64(m_digits, mantissa) &&
         *exponent >= 0 && *exponent <= INT32_MAX && *mantissa >= 0 && *mantissa <= INT32_MAX;
}

bool echo_hlo_parse_reduce_precision(EchoAsmParser *parser)
{
  EchoAsmOperand operand;
  EchoStr word;
  int64_t exponent, mantissa;
  if (!echo_asm_parse_operand(parser, &operand) || !echo_asm_parse_token(parser, ",") ||
      !echo_asm_parse_keyword(parser, "format") || !echo_asm_parse_token(parser, "="))
    return false;
  EchoLoc loc = echo_asm_loc(parser);
  if (!echo_asm_parse_any_keyword(parser, &word))
    return false;
  if (!split_format(word, &exponent, &mantissa))
    return echo_asm_error(parser, loc, "expected exponent mantissa in format e#m#, saw %.*s",
                          ECHO_STR_ARG(word));
  EchoContext *ctx = echo_asm_context(parser);
  echo_asm_add_attr(parser, "exponent_bits", echo_attr_i32(ctx, (int32_t)exponent));
  echo_asm_add_attr(parser, "mantissa_bits", echo_attr_i32(ctx, (int32_t)mantissa));
  return echo_asm_try_attr_dict(parser) &&
         echo_hlo_parse_signature(parser, ECHO_HLO_TYPES_SAME, &operand, 1);
}

void echo_hlo_print_reduce_precision(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"exponent_bits", "mantissa_bits", NULL};
  echo_buffer_append_char(out(printer), ' ');
  echo_asm_print_operands(printer, op, 0, 1);
  echo_asm_print(printer, ", format = e%lldm%lld",
                 (long long)echo_op_attr_i64(op, "exponent_bits", 0),
                 (long long)echo_op_attr_i64(op, "mantissa_bits", 0));
  echo_hlo_print_attr_dict(printer, op, elided);
  echo_hlo_print_signature(printer, op, ECHO_HLO_TYPES_SAME);
}

/* ---- slice ---- */

typedef ECHO_VECTOR(int64_t) IntList;

static bool parse_range(EchoAsmParser *parser, IntList *start, IntList *limit, IntList *stride)
{
  int64_t from, to, step = 1;
  if (!echo_asm_parse_i64(parser, &from) || !echo_asm_parse_token(parser, ":") ||
      !echo_asm_parse_i64(parser, &to))
    return false;
  if (echo_asm_try_token(parser, ":") && !echo_asm_parse_i64(parser, &step))
    return false;
  echo_vector_push(start, from);
  echo_vector_push(limit, to);
  echo_vector_push(stride, step);
  return true;
}

static bool parse_ranges(EchoAsmParser *parser)
{
  IntList start = {0}, limit = {0}, stride = {0};
  bool ok = echo_asm_parse_token(parser, "[");
  if (ok && !echo_asm_try_token(parser, "]")) {
    do
      ok = parse_range(parser, &start, &limit, &stride);
    while (ok && echo_asm_try_token(parser, ","));
    ok = ok && echo_asm_parse_token(parser, "]");
  }
  if (ok) {
    EchoContext *ctx = echo_asm_context(parser);
    echo_asm_add_attr(parser, "start_indices", echo_attr_i64_array(ctx, start.data, start.size));
    echo_asm_add_attr(parser, "limit_indices", echo_attr_i64_array(ctx, limit.data, limit.size));
    echo_asm_add_attr(parser, "strides", echo_attr_i64_array(ctx, stride.data, stride.size));
  }
  echo_vector_destroy(&start);
  echo_vector_destroy(&limit);
  echo_vector_destroy(&stride);
  return ok;
}

bool echo_hlo_parse_slice(EchoAsmParser *parser)
{
  EchoAsmOperand operand;
  return echo_asm_parse_operand(parser, &operand) && parse_ranges(parser) &&
         echo_asm_try_attr_dict(parser) &&
         echo_hlo_parse_signature(parser, ECHO_HLO_TYPES_FUNCTIONAL, &operand, 1);
}

void echo_hlo_print_slice(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"start_indices", "limit_indices", "strides", NULL};
  EchoDimList start = echo_stablehlo_dims(op, "start_indices");
  EchoDimList limit = echo_stablehlo_dims(op, "limit_indices");
  EchoDimList stride = echo_stablehlo_dims(op, "strides");
  echo_buffer_append_char(out(printer), ' ');
  echo_asm_print_operands(printer, op, 0, 1);
  echo_buffer_append_c(out(printer), " [");
  for (size_t i = 0; i < start.size && i < limit.size && i < stride.size; ++i) {
    if (i != 0)
      echo_buffer_append_c(out(printer), ", ");
    echo_buffer_append_i64(out(printer), start.dims[i]);
    echo_buffer_append_char(out(printer), ':');
    echo_buffer_append_i64(out(printer), limit.dims[i]);
    if (stride.dims[i] != 1) {
      echo_buffer_append_char(out(printer), ':');
      echo_buffer_append_i64(out(printer), stride.dims[i]);
    }
  }
  echo_buffer_append_char(out(printer), ']');
  echo_hlo_print_attr_dict(printer, op, elided);
  echo_hlo_print_signature(printer, op, ECHO_HLO_TYPES_FUNCTIONAL);
}
