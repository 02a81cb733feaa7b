/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* VHLO's ops become StableHLO's and func's. What an attribute turns into is read off the row of the
 * op: VHLO has no lists of numbers but tensors, no symbols but strings, no units but bools; it
 * writes out every default. */
#include "dialects/stablehlo/vhlo/vhlo_t.h"

/* ---- names ---- */

/* "add" of "vhlo.add_v1"; empty when it is no name of VHLO's. */
static EchoStr base_name(const EchoOp *op)
{
  EchoStr name = echo_op_name(op);
  if (!echo_str_starts_with(name, "vhlo."))
    return (EchoStr){0};
  name.data += strlen("vhlo.");
  name.size -= strlen("vhlo.");
  size_t end = name.size;
  while (end > 0 && name.data[end - 1] >= '0' && name.data[end - 1] <= '9')
    end--;
  if (end == name.size || end < 3 || memcmp(name.data + end - 2, "_v", 2) != 0)
    return (EchoStr){0};
  name.size = end - 2;
  return name;
}

static const EchoOpInfo *row_or_null(const EchoOp *op, EchoStr base)
{
  EchoContext *ctx = echo_op_context(op);
  const EchoOp *parent = echo_op_parent(op);
  bool in_function = parent != NULL && (echo_op_has_trait(parent, ECHO_FUNCTION) ||
                                        echo_str_is(base_name(parent), "func"));
  bool is_func = echo_str_is(base, "func") || echo_str_is(base, "call") ||
                 (echo_str_is(base, "return") && in_function);
  EchoBuffer name = {0};
  echo_buffer_append_c(&name, is_func ? "func." : "stablehlo.");
  echo_buffer_append_str(&name, base);
  const EchoOpInfo *info = echo_context_op_info_or_null(ctx, echo_buffer_str(&name));
  echo_buffer_destroy(&name);
  return info;
}

/* ---- attributes ---- */

/* Defaults that StableHLO leaves out: of the op (NULL = of all) the attribute is left out when it
 * is this text. "0" and "1" stand for all elements of a list of numbers, "[]" for an empty one. A
 * shorter precision_config is no default: what is left out is written as one for both operands. */
typedef struct Default {
  const char *op, *attr, *value;
} Default;

static const Default DEFAULTS[] = {
    {NULL, "use_global_device_ids", "false"},
    {NULL, "has_dynamic_root", "false"},
    {NULL, "sym_visibility", "\"\""},
    {NULL, "arg_attrs", "[]"},
    {NULL, "res_attrs", "[]"},
    {"cholesky", "lower", "false"},
    {"compare", "compare_type", "#stablehlo<comparison_type NOTYPE>"},
    {"composite", "version", "0 : i64"},
    {"composite", "composite_attributes", "{}"},
    {NULL, "window_strides", "1"},
    {NULL, "lhs_dilation", "1"},
    {NULL, "rhs_dilation", "1"},
    {NULL, "base_dilations", "1"},
    {NULL, "window_dilations", "1"},
    {"convolution", "padding", "0"},
    {"reduce_window", "padding", "0"},
    {"select_and_scatter", "padding", "0"},
    {NULL, "window_reversal", "0"},
    {NULL, "precision_config", "[#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]"},
    {"custom_call", "has_side_effect", "false"},
    {"custom_call", "backend_config", "\"\""},
    {"custom_call", "backend_config", "{}"},
    {"custom_call", "api_version", "1 : i32"},
    {"custom_call", "called_computations", "[]"},
    {"custom_call", "output_operand_aliases", "[]"},
    {"custom_call", "result_tilings", "[]"},
    {NULL, "known_expanding_dimensions", "[]"},
    {NULL, "known_nonexpanding_dimensions", "[]"},
    {NULL, "indices_are_sorted", "false"},
    {NULL, "unique_indices", "false"},
    {NULL, "infeed_config", "\"\""},
    {"infeed", "layout", "[]"},
    {NULL, "outfeed_config", "\"\""},
    {NULL, "is_host_transfer", "false"},
    {"send", "source_target_pairs", "[]"},
    {"recv", "source_target_pairs", "[]"},
    {"sort", "dimension", "-1 : i64"},
    {"sort", "is_stable", "false"},
    {NULL, "result_accuracy", "accuracy"},
};

static bool is_default_accuracy(const EchoAttr *value)
{
  const EchoHloPayload *payload = echo_hlo_payload_or_null(value, ECHO_HLO_ATTR_RESULT_ACCURACY);
  return payload != NULL && payload->as.accuracy.mode == ECHO_ACCURACY_DEFAULT &&
         payload->as.accuracy.atol == 0 && payload->as.accuracy.rtol == 0 &&
         payload->as.accuracy.ulps == 0;
}

static bool is_value(EchoContext *ctx, const EchoAttr *value, const char *text)
{
  bool is_list = text[0] == '[', is_number = text[1] == '\0';
  switch (value->kind) {
  case ECHO_ATTR_DENSE_ELEMENTS: /* "0" or "1" everywhere, or no element */
    if (value->as.elements.size_bytes == 0)
      return is_list || is_number;
    return value->as.elements.is_splat && is_number &&
           echo_type_element(value->type)->kind == ECHO_TYPE_INTEGER &&
           echo_elements_i64(value, 0) == text[0] - '0';
  case ECHO_ATTR_ARRAY:
    return is_list && value == echo_attr_from_text(ctx, text);
  case ECHO_ATTR_DICTIONARY:
    return value->as.dictionary.size == 0 && strcmp(text, "{}") == 0;
  default:
    if (strcmp(text, "accuracy") == 0)
      return is_default_accuracy(value);
    return text[0] != '[' && text[0] != '{' && text[1] != '\0' &&
           value == echo_attr_from_text(ctx, text);
  }
}

static bool is_default(EchoContext *ctx, EchoStr op, const EchoNamedAttr *attr)
{
  for (size_t i = 0; i < sizeof DEFAULTS / sizeof *DEFAULTS; i++)
    if ((DEFAULTS[i].op == NULL || echo_str_is(op, DEFAULTS[i].op)) &&
        echo_str_is(attr->name, DEFAULTS[i].attr) && is_value(ctx, attr->value, DEFAULTS[i].value))
      return true;
  return false;
}

static const EchoAttr *list_of_elements(EchoContext *ctx, const EchoAttr *elements)
{
  int64_t n;
  if (!echo_type_n_elements(elements->type, &n) || echo_type_rank(elements->type) != 1)
    return elements;
  bool is_bool = echo_type_is_integer(echo_type_element(elements->type), 1);
  if (!is_bool && !echo_type_is_integer(echo_type_element(elements->type), 64))
    return elements;
  size_t bytes = is_bool ? sizeof(bool) : sizeof(int64_t);
  char *data = echo_alloc(((size_t)n + 1) * bytes);
  for (size_t i = 0; i < (size_t)n; i++) {
    int64_t value = echo_elements_i64(elements, i);
    bool flag = value != 0;
    memcpy(data + i * bytes, is_bool ? (const void *)&flag : (const void *)&value, bytes);
  }
  const EchoAttr *list =
      echo_attr_dense_array(ctx, echo_type_element(elements->type), data, (size_t)n);
  echo_free(data);
  return list;
}

static const EchoAttr *symbols_of_strings(EchoContext *ctx, const EchoAttr *array)
{
  size_t n = array->as.array.size;
  const EchoAttr **symbols = echo_alloc((n + 1) * sizeof *symbols);
  for (size_t i = 0; i < n; i++) {
    const EchoAttr *element = array->as.array.elements[i];
    symbols[i] =
        element->kind == ECHO_ATTR_STRING ? echo_attr_symbol(ctx, element->as.string) : element;
  }
  const EchoAttr *result = echo_attr_array(ctx, symbols, n);
  echo_free(symbols);
  return result;
}

/* `value` as the row wants it; NULL = the attribute is not there. */
static const EchoAttr *as_row_wants(EchoContext *ctx, const EchoAttrSpec *spec,
                                    const EchoAttr *value)
{
  if (value->kind == ECHO_ATTR_ARRAY && echo_str_is(spec->name, "called_computations"))
    return symbols_of_strings(ctx, value);
  const EchoAttr *list =
      value->kind == ECHO_ATTR_DENSE_ELEMENTS ? list_of_elements(ctx, value) : value;
  if (spec->constraint(list)) /* a row that takes both forms means the newer one */
    return list;
  if (spec->constraint(value))
    return value;
  if (value->kind == ECHO_ATTR_STRING)
    return echo_attr_symbol(ctx, value->as.string);
  if (value->kind == ECHO_ATTR_INTEGER && spec->constraint(echo_attr_unit(ctx)))
    return value->as.integer.value != 0 ? echo_attr_unit(ctx) : NULL;
  if (value->kind == ECHO_ATTR_INTEGER) { /* of another width */
    const EchoAttr *narrow = echo_attr_integer(ctx, echo_type_i32(ctx), value->as.integer.value);
    return spec->constraint(narrow) ? narrow : value;
  }
  return value;
}

static const EchoAttrSpec *spec_or_null(const EchoOpSpec *spec, EchoStr name)
{
  for (size_t i = 0; i < spec->n_attrs; i++)
    if (echo_str_equal(spec->attrs[i].name, name))
      return &spec->attrs[i];
  return NULL;
}

/* Fills state's two dictionaries. */
static bool convert_attrs(const EchoOp *op, EchoStr base, EchoOpState *state)
{
  EchoContext *ctx = state->ctx;
  const EchoOpSpec *spec = echo_context_op_spec_or_null(ctx, state->info);
  const EchoAttr *attrs = op->attrs != NULL ? op->attrs : echo_attr_dictionary(ctx, NULL, 0);
  for (size_t i = 0; op->properties != NULL && i < op->properties->as.dictionary.size; i++)
    attrs = echo_dictionary_with(ctx, attrs, op->properties->as.dictionary.entries[i].name,
                                 op->properties->as.dictionary.entries[i].value);
  if (!echo_vhlo_gather_numbers(op, base, &attrs))
    return false;
  bool has_layouts = false; /* of operands or results: both stay, or neither */
  for (size_t i = 0; attrs != NULL && i < attrs->as.dictionary.size; i++) {
    const EchoNamedAttr *attr = &attrs->as.dictionary.entries[i];
    has_layouts |=
        (echo_str_is(attr->name, "operand_layouts") || echo_str_is(attr->name, "result_layouts")) &&
        attr->value->kind == ECHO_ATTR_ARRAY && attr->value->as.array.size != 0;
  }
  for (size_t i = 0; attrs != NULL && i < attrs->as.dictionary.size; i++) {
    const EchoNamedAttr *attr = &attrs->as.dictionary.entries[i];
    bool is_layout =
        echo_str_is(attr->name, "operand_layouts") || echo_str_is(attr->name, "result_layouts");
    /* Version 1 of dynamic_conv had a padding that nothing read. */
    bool is_unread = echo_str_is(base, "dynamic_conv") && echo_str_is(attr->name, "padding");
    if (is_default(ctx, base, attr) || (is_layout && !has_layouts) || is_unread)
      continue;
    const EchoAttrSpec *wanted = spec_or_null(spec, attr->name);
    const EchoAttr *value = wanted != NULL ? as_row_wants(ctx, wanted, attr->value) : attr->value;
    const EchoAttr **to = wanted != NULL ? &state->properties : &state->attrs;
    if (value != NULL)
      *to = echo_dictionary_with(ctx, *to, attr->name, value);
  }
  state->properties = echo_op_spec_complete(ctx, spec, state->properties);
  return true;
}

/* ---- ops ---- */

static bool convert(EchoOp *op)
{
  EchoStr base = base_name(op);
  const EchoOpInfo *info = base.size != 0 ? row_or_null(op, base) : NULL;
  if (info == NULL)
    return echo_op_error(op, "is an op of VHLO that StableHLO does not have");
  EchoOpState state = {.ctx = echo_op_context(op),
                       .info = info,
                       .loc = op->loc,
                       .n_operands = op->n_operands,
                       .n_results = op->n_results,
                       .n_regions = op->n_regions};
  if (op->n_successors != 0)
    return echo_op_error(op, "has successors");
  if (!convert_attrs(op, base, &state))
    return false;
  EchoValue **operands = echo_alloc((op->n_operands + 1) * sizeof *operands);
  const EchoType **types = echo_alloc((op->n_results + 1) * sizeof *types);
  for (uint32_t i = 0; i < op->n_operands; i++)
    operands[i] = echo_op_operand(op, i);
  for (uint32_t i = 0; i < op->n_results; i++)
    types[i] = echo_op_result_type(op, i);
  state.operands = operands;
  state.result_types = types;
  EchoOp *made = echo_op_create(&state);
  echo_free(operands);
  echo_free(types);
  if (made == NULL)
    return false;
  echo_op_insert_before(made, op);
  for (uint16_t i = 0; i < op->n_regions; i++)
    echo_region_take_blocks(&made->regions[i], &op->regions[i]);
  for (uint32_t i = 0; i < op->n_results; i++)
    if (!echo_value_is_unused(echo_op_result(op, i)))
      echo_value_replace_all_uses(echo_op_result(op, i), echo_op_result(made, i));
  return echo_op_erase(op);
}

/* Where other dialects' ops meet VHLO's, casts stand between types that are one here. */
static void fold_cast(EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_results; i++)
    if (op->n_operands != op->n_results ||
        echo_op_operand_type(op, i) != echo_op_result_type(op, i))
      return;
  for (uint32_t i = 0; i < op->n_results; i++)
    if (!echo_value_is_unused(echo_op_result(op, i)))
      echo_value_replace_all_uses(echo_op_result(op, i), echo_op_operand(op, i));
  echo_op_erase(op);
}

static EchoWalkResult visit(void *user, EchoOp *op)
{
  bool *fine = user;
  if (echo_op_is(op, "builtin.unrealized_conversion_cast")) {
    fold_cast(op);
    return ECHO_WALK_CONTINUE;
  }
  if (echo_str_starts_with(echo_op_name(op), "vhlo."))
    *fine = convert(op) && *fine;
  return ECHO_WALK_CONTINUE;
}

bool echo_vhlo_upgrade(EchoOp *module)
{
  bool fine = true;
  echo_op_walk_post(module, visit, &fine);
  return fine;
}
