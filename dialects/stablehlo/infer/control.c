/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Types of control flow, tuples, tokens and calls. */
#include "dialects/stablehlo/infer/infer_t.h"
#include "ir/symbol.h"

static const char *text(const EchoOpState *state, const EchoType *type)
{
  return echo_type_text(state->ctx, type);
}

bool echo_hlo_infer_after_all(const EchoOpState *state, const EchoRegion *regions,
                              const EchoType **types, size_t *n_types)
{
  (void)regions;
  return echo_hlo_infer_one(types, n_types,
                            echo_type_opaque(state->ctx, ECHO_STR("stablehlo"), ECHO_STR("token")));
}

/* Every branch has no arguments and returns the same types, which are the results'. */
bool echo_hlo_infer_branches(const EchoOpState *state, const EchoRegion *regions,
                             const EchoType **types, size_t *n_types)
{
  const EchoOp *first = NULL;
  const EchoType *selector = echo_hlo_state_type(state, 0);
  if (echo_type_is_tensor(selector) && echo_type_rank(selector) != 0)
    return echo_hlo_error(state, "expects a scalar to choose a branch, but got '%s'",
                          text(state, selector));
  if (state->n_regions == 0)
    return echo_hlo_error(state, "expects at least one branch");
  for (size_t i = 0; i < state->n_regions; ++i) {
    const EchoOp *end = echo_hlo_terminator_or_null(&regions[i]);
    if (end == NULL)
      return echo_hlo_error(state, "branch %zu is empty", i);
    if (regions[i].first->n_args != 0)
      return echo_hlo_error(state, "branch %zu must have 0 arguments, but found %u", i,
                            regions[i].first->n_args);
    first = first != NULL ? first : end;
    if (end->n_operands != first->n_operands)
      return echo_hlo_error(state, "branch 0 returns %u values, branch %zu returns %u",
                            first->n_operands, i, end->n_operands);
    for (size_t k = 0; k < end->n_operands; ++k)
      if (!echo_hlo_types_agree(echo_op_operand_type(first, k), echo_op_operand_type(end, k)))
        return echo_hlo_error(state, "branches 0 and %zu return different types: '%s', '%s'", i,
                              text(state, echo_op_operand_type(first, k)),
                              text(state, echo_op_operand_type(end, k)));
  }
  if (first->n_operands > *n_types)
    return echo_hlo_error(state, "branches return %u values", first->n_operands);
  for (size_t k = 0; k < first->n_operands; ++k)
    types[k] = echo_op_operand_type(first, k);
  *n_types = first->n_operands;
  return true;
}

/* Arguments of a loop's region are those of the operands. */
static bool check_loop_args(const EchoOpState *state, const EchoRegion *region, const char *name)
{
  if (echo_region_is_empty(region) || region->first->n_args != state->n_operands)
    return echo_hlo_error(state, "expects %u arguments in the %s region", state->n_operands, name);
  for (size_t i = 0; i < state->n_operands; ++i) {
    const EchoType *argument = echo_block_arg(region->first, i)->type;
    if (!echo_hlo_types_agree(argument, echo_hlo_state_type(state, i)))
      return echo_hlo_error(state, "argument %zu of the %s region has type '%s', operand has '%s'",
                            i, name, text(state, argument),
                            text(state, echo_hlo_state_type(state, i)));
  }
  return true;
}

bool echo_hlo_infer_while(const EchoOpState *state, const EchoRegion *regions,
                          const EchoType **types, size_t *n_types)
{
  for (size_t i = 0; i < state->n_operands; ++i)
    types[i] = echo_hlo_state_type(state, i);
  *n_types = state->n_operands;
  if (echo_region_is_empty(&regions[0]) && echo_region_is_empty(&regions[1]))
    return true; /* about to be filled */
  if (!check_loop_args(state, &regions[0], "cond") || !check_loop_args(state, &regions[1], "body"))
    return false;
  const EchoOp *cond = echo_hlo_terminator_or_null(&regions[0]);
  const EchoOp *body = echo_hlo_terminator_or_null(&regions[1]);
  if (cond == NULL || cond->n_operands != 1 ||
      !echo_type_is_tensor(echo_op_operand_type(cond, 0)) ||
      echo_type_rank(echo_op_operand_type(cond, 0)) != 0 ||
      !echo_type_is_integer(echo_op_operand_type(cond, 0)->as.shaped.element, 1))
    return echo_hlo_error(state, "expects the cond region to return one tensor<i1>");
  if (body == NULL || body->n_operands != state->n_operands)
    return echo_hlo_error(state, "expects the body region to return %u values", state->n_operands);
  for (size_t i = 0; i < state->n_operands; ++i)
    if (!echo_hlo_types_agree(echo_op_operand_type(body, i), types[i]))
      return echo_hlo_error(
          state, "value %zu that the body region returns has type '%s', operand has '%s'", i,
          text(state, echo_op_operand_type(body, i)), text(state, types[i]));
  return true;
}

bool echo_hlo_infer_pairwise(const EchoOpState *state, const EchoRegion *regions,
                             const EchoType **types, size_t *n_types)
{
  (void)regions;
  for (size_t i = 0; i < state->n_operands; ++i)
    types[i] = echo_hlo_state_type(state, i);
  *n_types = state->n_operands;
  return true;
}

bool echo_hlo_infer_tuple(const EchoOpState *state, const EchoRegion *regions,
                          const EchoType **types, size_t *n_types)
{
  (void)regions;
  const EchoType **elements = NULL;
  if (state->n_operands != 0)
    elements = echo_alloc_array(state->n_operands, sizeof *elements);
  for (size_t i = 0; i < state->n_operands; ++i)
    elements[i] = echo_hlo_state_type(state, i);
  const EchoType *type = echo_type_tuple(state->ctx, elements, state->n_operands);
  echo_free(elements);
  return echo_hlo_infer_one(types, n_types, type);
}

bool echo_hlo_infer_get_tuple_element(const EchoOpState *state, const EchoRegion *regions,
                                      const EchoType **types, size_t *n_types)
{
  (void)regions;
  const EchoType *tuple = echo_hlo_state_type(state, 0);
  int64_t index = echo_hlo_state_i64(state, "index", 0);
  if (tuple->kind != ECHO_TYPE_TUPLE)
    return echo_hlo_error(state, "operand #0 must be tuple, but got '%s'", text(state, tuple));
  if (index < 0 || index >= (int64_t)tuple->as.tuple.n_elements)
    return echo_hlo_error(state, "index %lld is out of range of '%s'", (long long)index,
                          text(state, tuple));
  return echo_hlo_infer_one(types, n_types, tuple->as.tuple.elements[index]);
}

/* ---- calls ---- */

typedef const EchoType *ValueTypeFn(const EchoOp *op, size_t i);

static const EchoType *operand_type(const EchoOp *op, size_t i)
{
  return echo_op_operand_type(op, i);
}

/* Of the one tuple's elements, where that is the result. */
static const EchoType *output_type(const EchoOp *op, size_t i)
{
  const EchoType *first = echo_op_result_type(op, 0);
  return op->n_results == 1 && first->kind == ECHO_TYPE_TUPLE ? first->as.tuple.elements[i]
                                                              : echo_op_result_type(op, i);
}

static bool is_permutation(const EchoAttr *layout, size_t rank)
{
  uint64_t seen = 0;
  for (size_t i = 0; i < rank; ++i) {
    int64_t dim = echo_elements_i64(layout, i);
    if (dim < 0 || dim >= (int64_t)rank || (seen >> dim & 1) != 0)
      return false;
    seen |= UINT64_C(1) << dim;
  }
  return true;
}

/* Dimensions of a tensor, the fastest first; nothing of what has none. */
static bool check_layout(const EchoOp *op, const EchoAttr *layout, const EchoType *type,
                         const char *what, size_t i)
{
  int64_t n;
  if (type->kind == ECHO_TYPE_TUPLE)
    return echo_op_error(op, "tuples have no layout: %s #%zu", what, i);
  if (layout->kind != ECHO_ATTR_DENSE_ELEMENTS || layout->type == NULL ||
      echo_type_rank(layout->type) != 1 || !echo_type_n_elements(layout->type, &n))
    return echo_op_error(op, "layout of %s #%zu must be a list of dimensions", what, i);
  if (!echo_type_is_tensor(type))
    return n == 0 || echo_op_error(op, "only tensors can have a layout: %s #%zu of type '%s'", what,
                                   i, echo_type_text(echo_op_context(op), type));
  return (n == (int64_t)echo_type_rank(type) && is_permutation(layout, (size_t)n)) ||
         echo_op_error(op, "layout of %s #%zu must be a permutation of the dimensions of '%s'",
                       what, i, echo_type_text(echo_op_context(op), type));
}

static bool check_layouts(const EchoOp *op, const EchoAttr *layouts, size_t n, ValueTypeFn *type,
                          const char *what)
{
  if (layouts->kind != ECHO_ATTR_ARRAY || layouts->as.array.size != n)
    return echo_op_error(op, "number of %s layouts must be the number of %ss, %zu", what, what, n);
  for (size_t i = 0; i < n; ++i)
    if (!check_layout(op, layouts->as.array.elements[i], type(op, i), what, i))
      return false;
  return true;
}

/* Results of one tuple type have a layout for each of its elements. */
static size_t n_result_layouts(const EchoOp *op)
{
  bool tuple = op->n_results == 1 && echo_op_result_type(op, 0)->kind == ECHO_TYPE_TUPLE;
  return tuple ? echo_op_result_type(op, 0)->as.tuple.n_elements : op->n_results;
}

/* The type inside nested tuples; NULL when the indices do not fit. */
static const EchoType *tuple_element_or_null(const EchoType *type, EchoDimList indices)
{
  for (size_t i = 0; i < indices.size; ++i) {
    if (type->kind != ECHO_TYPE_TUPLE || indices.dims[i] < 0 ||
        indices.dims[i] >= (int64_t)type->as.tuple.n_elements)
      return NULL;
    type = type->as.tuple.elements[indices.dims[i]];
  }
  return type;
}

static bool check_alias(const EchoOp *op, const EchoOutputOperandAlias *alias)
{
  if (alias->operand_index < 0 || alias->operand_index >= (int64_t)op->n_operands)
    return echo_op_error(op, "output_operand_alias has operand_index %lld of %u operands",
                         (long long)alias->operand_index, op->n_operands);
  if (op->n_results == 0)
    return echo_op_error(op, "output_operand_alias of an op without results");
  EchoDimList indices = alias->output_tuple_indices;
  const EchoType *output = echo_op_result_type(op, 0);
  /* Several results count as one tuple of them. */
  if (op->n_results > 1 && indices.size != 0) {
    if (indices.dims[0] < 0 || indices.dims[0] >= (int64_t)op->n_results)
      return echo_op_error(op, "output_operand_alias has output index %lld of %u results",
                           (long long)indices.dims[0], op->n_results);
    output = echo_op_result_type(op, (size_t)indices.dims[0]);
    indices = (EchoDimList){indices.dims + 1, indices.size - 1};
  }
  output = tuple_element_or_null(output, indices);
  const EchoType *operand = tuple_element_or_null(
      echo_op_operand_type(op, (size_t)alias->operand_index), alias->operand_tuple_indices);
  if (output == NULL || operand == NULL || output != operand)
    return echo_op_error(op,
                         "output_operand_alias joins an output and an operand of different types");
  return true;
}

bool echo_hlo_verify_custom_call(const EchoOp *op)
{
  const EchoAttr *operand_layouts = echo_op_attr_or_null(op, "operand_layouts");
  const EchoAttr *result_layouts = echo_op_attr_or_null(op, "result_layouts");
  if ((operand_layouts == NULL) != (result_layouts == NULL))
    return echo_op_error(op, "layouts should be specified for both operands and results or none");
  if (operand_layouts != NULL &&
      (!check_layouts(op, operand_layouts, op->n_operands, operand_type, "operand") ||
       !check_layouts(op, result_layouts, n_result_layouts(op), output_type, "result")))
    return false;
  const EchoAttr *aliases = echo_op_attr_or_null(op, "output_operand_aliases");
  for (size_t i = 0; aliases != NULL && i < aliases->as.array.size; ++i) {
    const EchoHloPayload *payload =
        echo_hlo_payload_or_null(aliases->as.array.elements[i], ECHO_HLO_ATTR_OUTPUT_OPERAND_ALIAS);
    if (payload != NULL && !check_alias(op, &payload->as.alias))
      return false;
  }
  const EchoAttr *config = echo_op_attr_or_null(op, "backend_config");
  int64_t version = echo_op_attr_i64(op, "api_version", 1);
  if (config != NULL && (config->kind == ECHO_ATTR_DICTIONARY) != (version == 4) &&
      !(config->kind == ECHO_ATTR_STRING && config->as.string.size == 0))
    return echo_op_error(op,
                         "backend_config must be a dictionary with API version 4, a string with "
                         "others");
  return true;
}

/* The function that says what the op does takes and gives the same types. */
static bool check_decomposition(const EchoOp *op)
{
  const EchoAttr *symbol = echo_op_attr_or_null(op, "decomposition");
  const EchoOp *function = echo_symbol_lookup_or_null(op, symbol);
  const EchoAttr *type = function != NULL && echo_op_has_trait(function, ECHO_FUNCTION)
                             ? echo_op_attr_or_null(function, "function_type")
                             : NULL;
  if (type == NULL || type->kind != ECHO_ATTR_TYPE ||
      type->as.type_value->kind != ECHO_TYPE_FUNCTION)
    return echo_op_error(op, "'%.*s' does not reference a valid function",
                         ECHO_STR_ARG(symbol->as.symbol.root));
  const EchoType *signature = type->as.type_value;
  bool same = signature->as.function.n_inputs == op->n_operands &&
              signature->as.function.n_results == op->n_results;
  for (size_t i = 0; same && i < op->n_operands; ++i)
    same = echo_hlo_types_agree(signature->as.function.inputs[i], echo_op_operand_type(op, i));
  for (size_t i = 0; same && i < op->n_results; ++i)
    same = echo_hlo_types_agree(signature->as.function.results[i], echo_op_result_type(op, i));
  return same || echo_op_error(op, "operands and results differ from those of its decomposition");
}

bool echo_hlo_verify_regions(const EchoOp *op)
{
  for (size_t i = 0; i < op->n_regions; ++i)
    if (op->regions[i].first == NULL || op->regions[i].first->next != NULL)
      return echo_op_error(op, "region #%zu failed to verify constraint: region with 1 blocks", i);
  return true;
}

/* namespace.name: a letter, then letters, digits, '_' and '$'; in the name dots too. */
static bool is_op_name(EchoStr name)
{
  size_t dot = 0;
  for (size_t i = 0; i < name.size; ++i) {
    char c = name.data[i];
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    bool is_other = (c >= '0' && c <= '9') || c == '$' || c == '-';
    if (c == '.' && dot == 0)
      dot = i;
    else if (!is_letter && (i == 0 || !is_other) && (c != '.' || dot == 0))
      return false;
  }
  return dot != 0 && dot + 1 < name.size;
}

bool echo_hlo_verify_composite(const EchoOp *op)
{
  EchoStr name = echo_op_attr_string(op, "name");
  if (!is_op_name(name))
    return echo_op_error(op, "name '%.*s' is not of the form namespace.name", ECHO_STR_ARG(name));
  return check_decomposition(op);
}
