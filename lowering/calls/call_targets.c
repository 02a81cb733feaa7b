/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --call-targets: custom calls of targets that the context knows become calls of them
 * (dialects/kernel/call_target.h). Those with an effect stay in the order of the program: a token,
 * a value of a byte, goes from one to the next, through loops and branches, and leaves main as a
 * result that is hidden from the caller ("echo.hidden_results"), so that nothing about effects has
 * to be known below: a value that is needed is made, once. StableHLO's own tokens, which say less,
 * become arrays of no elements, which is what JAX hands over for one. What only tells a function of
 * Python's something is left out where the context does not know the function. */
#include "base/vector.h"
#include "dialects/echo/stages.h"
#include "dialects/kernel/call_target.h"
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/diagnostics.h"
#include "lowering/calls/custom_calls_t.h"
#include "lowering/calls/thread_t.h"
#include "lowering/lowering.h"
#include "lowering/model/element_codec_t.h"

/* ---- what is there ---- */

static bool is_token(const EchoType *type)
{
  return type->kind == ECHO_TYPE_OPAQUE && echo_str_is(type->as.opaque.dialect, "stablehlo") &&
         echo_str_is(type->as.opaque.text, "token");
}

bool echo_is_call_target(const EchoOp *op)
{
  return echo_hlo_opcode(op) == ECHO_HLO_CUSTOM_CALL &&
         echo_context_row_or_null(echo_op_context(op), ECHO_CALL_TARGET,
                                  echo_op_attr_string(op, "call_target_name")) != NULL;
}

static bool has_token(const EchoOp *op)
{
  bool found = false;
  for (uint32_t i = 0; i < op->n_operands; ++i)
    found |= is_token(echo_op_operand_type(op, i));
  for (uint32_t i = 0; i < op->n_results; ++i)
    found |= is_token(echo_op_result_type(op, i));
  return found;
}

static bool has_effect(const EchoOp *op)
{
  const EchoAttr *effect = echo_op_attr_or_null(op, "has_side_effect");
  return echo_is_call_target(op) &&
         (has_token(op) || (effect != NULL && effect->as.integer.value != 0));
}

/* What only hands tokens on, so that they may be anything. */
static bool hands_on(const EchoOp *op)
{
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_CREATE_TOKEN:
  case ECHO_HLO_AFTER_ALL:
  case ECHO_HLO_WHILE:
  case ECHO_HLO_CASE:
  case ECHO_HLO_IF:
  case ECHO_HLO_OPTIMIZATION_BARRIER:
    return true;
  default:
    return echo_op_has_trait(op, ECHO_TERMINATOR) || echo_is_call_target(op);
  }
}

/* ---- a call ---- */

typedef struct CallParts {
  EchoLibraryCall call;
  size_t n_operands, n_results;
  EchoValue **operands;
  const EchoType **types;
  int64_t (*orders)[ECHO_MAX_RANK]; /* of results */
} CallParts;

/* Room for all that the op hands over, and a token. */
static CallParts *create_parts(const EchoOp *op)
{
  CallParts *parts = echo_alloc_zero(1, sizeof *parts);
  parts->operands = echo_alloc_zero((size_t)op->n_operands + 1, sizeof *parts->operands);
  parts->types = echo_alloc_zero((size_t)op->n_results + 1, sizeof *parts->types);
  parts->orders = echo_alloc_zero((size_t)op->n_results + 1, sizeof *parts->orders);
  return parts;
}

static void destroy_parts(CallParts *parts)
{
  echo_free(parts->operands);
  echo_free(parts->types);
  echo_free(parts->orders);
  echo_free(parts);
}

static bool check_value(const EchoOp *op, const EchoType *type, const char *layouts, size_t i,
                        int64_t *order)
{
  if (!echo_type_is_tensor(type) || !echo_type_has_static_shape(type))
    return echo_op_error(op, "hands over '%s', which is no tensor of a static shape",
                         echo_type_text(echo_op_context(op), type));
  ECHO_CHECK_OP(echo_layout_order(op, layouts, i, echo_type_rank(type), order), op,
                "entry %zu of %s is verified, and no layout", i, layouts);
  return true;
}

static bool read_parts(EchoBuilder *builder, EchoOp *op, EchoValue *token, CallParts *parts)
{
  if (token != NULL) {
    parts->operands[parts->n_operands++] = token;
    parts->types[parts->n_results++] = token->type;
  }
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    EchoValue *value = echo_op_operand(op, i);
    int64_t order[ECHO_MAX_RANK];
    if (is_token(value->type))
      continue;
    if (!check_value(op, value->type, "operand_layouts", i, order))
      return false;
    parts->operands[parts->n_operands++] = echo_hlo_transpose(builder, value, order);
  }
  for (uint32_t i = 0; i < op->n_results; ++i) {
    const EchoType *type = echo_op_result_type(op, i);
    int64_t *order = parts->orders[parts->n_results];
    if (is_token(type))
      continue;
    if (!check_value(op, type, "result_layouts", i, order))
      return false;
    parts->types[parts->n_results++] = echo_layout_type(builder->ctx, type, order);
  }
  return true;
}

/* JAX hands a typed configuration over beside the op's own, which then is empty. */
static const EchoAttr *config_or_null(const EchoOp *op)
{
  const EchoAttr *own = echo_op_attr_or_null(op, "backend_config");
  const EchoAttr *beside = echo_op_attr_or_null(op, "mhlo.backend_config");
  bool is_empty = own == NULL || (own->kind == ECHO_ATTR_STRING && own->as.string.size == 0);
  return is_empty ? beside : own;
}

/* Complex numbers become pairs, narrow elements bytes. */
static bool is_kept_as_another(const EchoType *type)
{
  const EchoType *element = echo_type_element(type);
  return element->kind == ECHO_TYPE_COMPLEX || echo_element_is_narrow(element);
}

/* What the program has, where the call's arrays are of other types, or become so, or of other
 * shapes by their layouts, which some targets do not want to know. */
static const EchoType *declared_or_null(const EchoOp *op, const CallParts *parts, bool has_token)
{
  EchoContext *ctx = echo_op_context(op);
  const EchoCallTarget *target =
      echo_context_row_or_null(ctx, ECHO_CALL_TARGET, echo_op_attr_string(op, "call_target_name"));
  const EchoType **inputs = echo_alloc_array((size_t)op->n_operands + 1, sizeof *inputs);
  const EchoType **results = echo_alloc_array((size_t)op->n_results + 1, sizeof *results);
  size_t n_inputs = has_token, n_results = has_token;
  bool is_other = false;
  if (has_token)
    inputs[0] = results[0] = parts->types[0];
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (!is_token(echo_op_operand_type(op, i)))
      inputs[n_inputs++] = echo_op_operand_type(op, i);
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (!is_token(echo_op_result_type(op, i)))
      results[n_results++] = echo_op_result_type(op, i);
  for (size_t i = 0; i < n_inputs; ++i) {
    const EchoType *held = parts->operands[i]->type;
    inputs[i] = target->sees_logical_shapes ? inputs[i] : held;
    is_other |= inputs[i] != held || is_kept_as_another(held);
  }
  for (size_t i = 0; i < n_results; ++i) {
    results[i] = target->sees_logical_shapes ? results[i] : parts->types[i];
    is_other |= results[i] != parts->types[i] || is_kept_as_another(results[i]);
  }
  const EchoType *declared =
      is_other ? echo_type_function(ctx, inputs, n_inputs, results, n_results) : NULL;
  echo_free(inputs);
  echo_free(results);
  return declared;
}

static const EchoAttr *all_buffers(EchoContext *ctx, size_t n)
{
  int64_t *indices = echo_alloc_array(n, sizeof *indices);
  for (size_t i = 0; i < n; ++i)
    indices[i] = (int64_t)i;
  const EchoAttr *buffers = echo_attr_i64_array(ctx, indices, n);
  echo_free(indices);
  return buffers;
}

/* Puts the call in the place of the op. Its token, where it has one, is the next one's. */
static bool lower_call(EchoOp *op, EchoValue **token)
{
  EchoBuilder builder = echo_builder_before(op);
  CallParts *parts = create_parts(op);
  EchoOp *made = NULL;
  if (read_parts(&builder, op, token != NULL ? *token : NULL, parts)) {
    EchoLibraryCall *call = &parts->call;
    call->library = ECHO_STR(ECHO_LIBRARY_TARGET);
    call->symbol = echo_op_attr_string(op, "call_target_name");
    call->n_grid = 1;
    call->grid[0] = 1;
    call->config = config_or_null(op);
    call->has_token = token != NULL;
    call->declared = declared_or_null(op, parts, token != NULL);
    call->buffers = all_buffers(builder.ctx, parts->n_operands + parts->n_results);
    made = echo_kernel_invoke(&builder, call, parts->operands, parts->n_operands, parts->types,
                              parts->n_results, 0);
  }
  uint32_t at = 0;
  if (made != NULL && token != NULL)
    *token = echo_op_result(made, at++);
  for (uint32_t i = 0; made != NULL && i < op->n_results; ++i) {
    EchoValue *old = echo_op_result(op, i);
    EchoValue *value =
        is_token(old->type)
            ? echo_built_result(echo_build_op(&builder, "stablehlo.create_token", NULL, 0,
                                              &old->type, 1, NULL, 0))
            : echo_layout_undo(&builder, echo_op_result(made, at), parts->orders[at]);
    at += !is_token(old->type);
    echo_value_replace_all_uses(old, value);
  }
  destroy_parts(parts);
  if (made != NULL)
    echo_op_erase(op);
  return made != NULL;
}

/* ---- the order of effects ---- */

static bool take_token(EchoOp *op, EchoValue **token)
{
  return lower_call(op, token);
}

static const EchoThread EFFECTS = {
    .takes = has_effect, .take = take_token, .what = "has an effect"};

/* ---- tokens of StableHLO's ---- */

static void retype(EchoValue *value, const EchoType *type)
{
  if (is_token(value->type))
    echo_value_set_type(value, type);
}

/* Those that are made become constants, all others are what hands them on makes of these. */
static void retype_tokens(EchoOp *main, const EchoType *type)
{
  for (EchoOp *op = main, *next; op != NULL; op = next) {
    next = echo_op_walk_next(main, op);
    for (uint32_t r = 0; r < op->n_regions; ++r)
      for (EchoBlock *block = op->regions[r].first; block != NULL; block = block->next)
        for (uint32_t i = 0; i < block->n_args; ++i)
          retype(echo_block_arg(block, i), type);
    for (uint32_t i = 0; i < op->n_results; ++i)
      retype(echo_op_result(op, i), type);
    EchoHloOpcode opcode = echo_hlo_opcode(op);
    if (opcode != ECHO_HLO_CREATE_TOKEN && opcode != ECHO_HLO_AFTER_ALL)
      continue;
    EchoBuilder builder = echo_builder_before(op);
    echo_value_replace_all_uses(echo_op_result(op, 0),
                                echo_hlo_constant_bool(&builder, type, false));
    echo_op_erase(op);
  }
}

void echo_set_type_of_body(EchoOp *main)
{
  ECHO_VECTOR(const EchoType *) types = {0};
  EchoContext *ctx = echo_op_context(main);
  const EchoBlock *body = echo_op_body(main, 0);
  for (uint32_t i = 0; i < body->n_args; ++i)
    echo_vector_push(&types, echo_block_arg(body, i)->type);
  for (uint32_t i = 0; i < body->last->n_operands; ++i)
    echo_vector_push(&types, echo_op_operand_type(body->last, i));
  echo_op_set_attr(
      main, "function_type",
      echo_attr_type(ctx, echo_type_function(ctx, types.data, body->n_args,
                                             types.data + body->n_args, body->last->n_operands)));
  echo_vector_destroy(&types);
}

/* A result more has a dictionary more. */
static void hide_last_result(EchoOp *main)
{
  EchoContext *ctx = echo_op_context(main);
  const EchoAttr *all = echo_op_attr_or_null(main, "res_attrs");
  if (all != NULL) {
    ECHO_VECTOR(const EchoAttr *) own = {0};
    for (size_t i = 0; i < all->as.array.size; ++i)
      echo_vector_push(&own, all->as.array.elements[i]);
    echo_vector_push(&own, echo_attr_dictionary(ctx, NULL, 0));
    echo_op_set_attr(main, "res_attrs", echo_attr_array(ctx, own.data, own.size));
    echo_vector_destroy(&own);
  }
  echo_op_set_attr(main, ECHO_HIDDEN_RESULTS, echo_attr_i64(ctx, 1));
}

/* ---- what is told to Python ---- */

/* Whether it hands numbers to a function of Python's that is not here, and takes none back:
 * jax.debug.print and its like. What it gives are tokens, no more of them than it takes. */
static bool is_told(const EchoOp *op)
{
  if (echo_hlo_opcode(op) != ECHO_HLO_CUSTOM_CALL || echo_is_call_target(op) ||
      !echo_stablehlo_is_python_call(echo_op_attr_string(op, "call_target_name")))
    return false;
  uint32_t n_tokens = 0;
  for (uint32_t i = 0; i < op->n_operands; ++i)
    n_tokens += is_token(echo_op_operand_type(op, i));
  bool ok = op->n_results <= n_tokens;
  for (uint32_t i = 0; i < op->n_results; ++i)
    ok = ok && is_token(echo_op_result_type(op, i));
  return ok;
}

/* Its tokens are those that it took. */
static void leave_out(EchoOp *op)
{
  echo_op_warning(op, "is left out: it only tells something to a function of the Python process "
                      "that wrote the program, which is reached by JAX's plug-in alone");
  for (uint32_t i = 0, k = 0; i < op->n_operands && k < op->n_results; ++i)
    if (is_token(echo_op_operand_type(op, i)))
      echo_value_replace_all_uses(echo_op_result(op, k++), echo_op_operand(op, i));
  echo_op_erase(op);
}

static bool leave_out_told(EchoOp *main)
{
  bool any = false;
  for (EchoOp *op = main, *next; op != NULL; op = next) {
    next = echo_op_walk_next(main, op);
    if (!is_told(op))
      continue;
    leave_out(op);
    any = true;
  }
  return any;
}

/* ---- the pass ---- */

static bool lower_effects(EchoOp *main)
{
  EchoContext *ctx = echo_op_context(main);
  EchoBlock *body = echo_op_body(main, 0);
  EchoBuilder builder = echo_builder_before(body->first);
  const EchoType *type = echo_type_tensor(ctx, NULL, 0, echo_type_i1(ctx), NULL);
  if (echo_thread_first_or_null(&EFFECTS, main) != NULL) {
    EchoValue *token = echo_hlo_constant_bool(&builder, type, false);
    if (!echo_thread_block(&EFFECTS, body, &token))
      return false;
    echo_op_append_operand(body->last, token);
    hide_last_result(main);
  }
  static const int64_t EMPTY[] = {0};
  retype_tokens(main, echo_type_tensor(ctx, EMPTY, 1, echo_type_i1(ctx), NULL));
  echo_set_type_of_body(main);
  return true;
}

static bool run(EchoPassRun *pass)
{
  EchoOp *main = echo_module_main_or_null(pass->op);
  const EchoBlock *body = main != NULL ? echo_op_body(main, 0) : NULL;
  bool has_any = false;
  pass->keeps_all = main == NULL || !leave_out_told(main);
  for (uint32_t i = 0; body != NULL && i < body->n_args; ++i)
    has_any |= is_token(echo_block_arg(body, i)->type);
  for (EchoOp *op = main; op != NULL; op = echo_op_walk_next(main, op)) {
    has_any |= echo_is_call_target(op) || has_token(op);
    if (has_token(op) && !hands_on(op))
      return true; /* --lower-custom-calls says what of it nothing carries out */
  }
  if (!has_any)
    return true;
  pass->keeps_all = false;
  for (EchoOp *op = main, *next; op != NULL; op = next) {
    next = echo_op_walk_next(main, op);
    if (echo_is_call_target(op) && !has_effect(op) && !lower_call(op, NULL))
      return false;
  }
  return lower_effects(main);
}

const EchoPass ECHO_PASS_CALL_TARGETS = {
    .name = "call-targets",
    .summary = "custom calls of registered targets become calls of them, effects in order",
    .anchor = "builtin.module",
    .run = run,
};
