/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --refine-shapes: from the static shapes of a function's arguments to those of all its values.
 * Types are refined op by op, what computes sizes is folded, and ops whose shapes are operands
 * become static ones (static_shapes.c). A function that is called has other shapes in each call, so
 * calls give way to bodies. Functions without anything dynamic, and those with an argument that is,
 * stay as they are. */
#include "base/map.h"
#include "base/vector.h"
#include "dialects/stablehlo/opcode.h"
#include "dialects/stablehlo/refine.h"
#include "ir/diagnostics.h"
#include "ir/symbol.h"
#include "lowering/lowering.h"
#include "lowering/model/chlo_to_stablehlo_t.h"

static bool is_dynamic(const EchoType *type)
{
  return type->kind == ECHO_TYPE_UNRANKED_TENSOR ||
         (echo_type_is_tensor(type) && !echo_type_has_static_shape(type));
}

/* ---- types ---- */

/* Whether `value` got another type; who reads it is looked at again. */
static bool set_type(EchoRewriter *rewriter, EchoValue *value, const EchoType *type)
{
  if (value->type == type)
    return false;
  echo_value_set_type(value, type);
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next)
    echo_rewriter_changed(rewriter, use->owner);
  return true;
}

/* A loop's regions take what it takes. */
static bool refine_arguments(EchoRewriter *rewriter, EchoOp *loop)
{
  bool changed = false;
  for (uint32_t r = 0; r < loop->n_regions; r++) {
    EchoBlock *block = echo_op_body(loop, r);
    for (uint32_t i = 0; i < block->n_args && i < loop->n_operands; i++) {
      EchoValue *arg = echo_block_arg(block, i);
      changed |= set_type(rewriter, arg,
                          echo_stablehlo_refine_type(rewriter->builder.ctx, arg->type,
                                                     echo_op_operand_type(loop, i)));
    }
  }
  return changed;
}

static bool refine_results(EchoRewriter *rewriter, EchoOp *op)
{
  bool *ok = rewriter->user, changed = false;
  const EchoType **types = echo_alloc_array(op->n_results + 1u, sizeof *types);
  *ok = echo_stablehlo_refine_results(op, types);
  for (uint32_t i = 0; *ok && i < op->n_results; i++)
    changed |= set_type(rewriter, echo_op_result(op, i), types[i]);
  echo_free(types);
  if (changed)
    echo_rewriter_changed(rewriter, op);
  return changed;
}

static bool has_dynamic_result(const EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_results; i++)
    if (is_dynamic(echo_op_result_type(op, i)))
      return true;
  return false;
}

/* Of any op; the end of a region tells what its parent gives. */
static bool refine_types(EchoRewriter *rewriter, EchoOp *op)
{
  const bool *ok = rewriter->user;
  EchoOp *parent = echo_op_has_trait(op, ECHO_RETURN_LIKE) ? echo_op_parent(op) : NULL;
  if (!*ok)
    return false;
  if (parent != NULL && echo_hlo_opcode(parent) != ECHO_N_HLO_OPCODES)
    return has_dynamic_result(parent) && refine_results(rewriter, parent);
  bool changed = echo_hlo_opcode(op) == ECHO_HLO_WHILE && refine_arguments(rewriter, op);
  return (*ok && has_dynamic_result(op) && refine_results(rewriter, op)) || changed;
}

/* ---- calls ---- */

/* Of a composite the function that says what it is. */
static EchoOp *callee_or_null(const EchoOp *op)
{
  const char *name = echo_hlo_opcode(op) == ECHO_HLO_COMPOSITE ? "decomposition"
                     : echo_op_has_trait(op, ECHO_CALL)        ? "callee"
                                                               : NULL;
  const EchoAttr *callee = name != NULL ? echo_op_attr_or_null(op, name) : NULL;
  EchoOp *function = callee != NULL ? echo_symbol_lookup_or_null(op, callee) : NULL;
  bool has_body = function != NULL && echo_op_is(function, "func.func") &&
                  function->regions[0].first != NULL &&
                  function->regions[0].first == function->regions[0].last;
  return has_body ? function : NULL;
}

/* Whether what `function` calls, at any depth, calls it. */
static bool is_recursive(EchoOp *function)
{
  EchoMap seen = {0};
  ECHO_VECTOR(EchoOp *) worklist = {0};
  bool found = false;
  echo_vector_push(&worklist, function);
  while (worklist.size != 0 && !found) {
    EchoOp *root = echo_vector_pop(&worklist);
    for (EchoOp *op = root; op != NULL && !found; op = echo_op_walk_next(root, op)) {
      EchoOp *callee = callee_or_null(op);
      found = callee == function;
      if (callee == NULL || echo_map_has(&seen, echo_key(callee)))
        continue;
      echo_map_set(&seen, echo_key(callee), 1);
      echo_vector_push(&worklist, callee);
    }
  }
  echo_map_destroy(&seen);
  echo_vector_destroy(&worklist);
  return found;
}

static bool inline_call(EchoRewriter *rewriter, EchoOp *op)
{
  bool *ok = rewriter->user;
  EchoOp *function = callee_or_null(op);
  if (!*ok || function == NULL)
    return false;
  if (is_recursive(function)) {
    EchoStr name = echo_symbol_name(function);
    *ok = echo_op_error(op, "calls @%.*s, which calls itself: its shapes cannot be refined",
                        ECHO_STR_ARG(name));
    return false;
  }
  echo_chlo_replace_by_body(rewriter, op, function->regions[0].first);
  return true;
}

/* ---- what a program asks of its shapes ---- */

/* "{0}" is operand 1, a constant. */
static void fill_in(const EchoOp *op, EchoStr format, EchoBuffer *message)
{
  for (size_t i = 0; i < format.size; i++) {
    size_t end = i + 1, number = 0;
    while (end < format.size && end < i + 4 && format.data[end] >= '0' && format.data[end] <= '9')
      number = number * 10 + (size_t)(format.data[end++] - '0');
    bool is_number = format.data[i] == '{' && end > i + 1 && end < format.size &&
                     format.data[end] == '}' && number + 1 < op->n_operands;
    const EchoAttr *value =
        is_number ? echo_value_constant_or_null(echo_op_operand(op, number + 1)) : NULL;
    if (value == NULL || value->kind != ECHO_ATTR_DENSE_ELEMENTS) {
      echo_buffer_append_char(message, format.data[i]);
      continue;
    }
    echo_buffer_printf(message, "%lld", (long long)echo_elements_i64(value, 0));
    i = end;
  }
}

static bool check_assertion(EchoRewriter *rewriter, EchoOp *op)
{
  bool *ok = rewriter->user;
  if (!*ok || op->n_operands == 0 || op->n_results != 0 ||
      !echo_str_is(echo_op_attr_string(op, "call_target_name"), "shape_assertion"))
    return false;
  const EchoAttr *holds = echo_value_constant_or_null(echo_op_operand(op, 0));
  if (holds == NULL || holds->kind != ECHO_ATTR_DENSE_ELEMENTS)
    return false;
  if (echo_elements_i64(holds, 0) == 0) {
    EchoBuffer message = {0};
    fill_in(op, echo_op_attr_string(op, "error_message"), &message);
    *ok = echo_op_error(op, "does not hold: %s", echo_buffer_c_str(&message));
    echo_buffer_destroy(&message);
    return false;
  }
  echo_rewriter_erase(rewriter, op);
  return true;
}

/* ---- sizes ---- */

static bool fold_size(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoType *type = echo_op_operand_type(op, 0);
  int64_t dimension = echo_op_attr_i64(op, "dimension", 0);
  if (!echo_type_is_tensor(type) || type->as.shaped.encoding != NULL ||
      dimension >= (int64_t)echo_type_rank(type))
    return false;
  int64_t size = echo_type_dim(type, (size_t)dimension);
  if (size == ECHO_DYNAMIC || size > INT32_MAX)
    return false;
  int32_t value = (int32_t)size;
  EchoValue *y = echo_hlo_constant(
      &rewriter->builder, echo_attr_elements(rewriter->builder.ctx, echo_op_result_type(op, 0),
                                             &value, sizeof value, false));
  echo_rewriter_replace(rewriter, op, &y);
  return true;
}

/* ---- a function ---- */

static bool takes_shape(const EchoOp *op)
{
  for (size_t i = 0; i < ECHO_N_STATIC_SHAPES_PATTERNS; i++)
    if (echo_op_is(op, ECHO_STATIC_SHAPES_PATTERNS[i].op))
      return true;
  return false;
}

static bool takes_dynamic(const EchoOp *function)
{
  const EchoBlock *body = function->regions[0].first;
  for (uint32_t i = 0; body != NULL && i < body->n_args; i++)
    if (is_dynamic(echo_block_arg(body, i)->type))
      return true;
  return false;
}

/* Calls are followed in modules only that have something dynamic somewhere. */
static bool is_polymorphic(EchoOp *module)
{
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    if (has_dynamic_result(op) || takes_shape(op) ||
        (echo_op_is(op, "func.func") && takes_dynamic(op)))
      return true;
  return false;
}

/* Something inside is dynamic, or may be in what it calls, and no argument is. */
static bool is_to_be_refined(EchoOp *function)
{
  if (!echo_op_is(function, "func.func") || function->regions[0].first == NULL ||
      function->regions[0].first != function->regions[0].last || takes_dynamic(function) ||
      echo_str_is(echo_op_attr_string(function, "sym_visibility"), "private"))
    return false;
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op))
    if (has_dynamic_result(op) || takes_shape(op) || callee_or_null(op) != NULL)
      return true;
  return false;
}

/* Those that a function calls which stays as it is stay, too: it knows their types. */
static void mark_kept(EchoOp *module, EchoMap *kept)
{
  for (EchoOp *function = echo_op_body(module, 0)->first; function != NULL;
       function = function->next) {
    if (is_to_be_refined(function))
      continue;
    for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op)) {
      EchoOp *callee = callee_or_null(op);
      if (callee != NULL)
        echo_map_set(kept, echo_key(callee), 1);
    }
  }
}

/* Its type is what its body takes and returns. */
static void retype(EchoContext *ctx, EchoOp *function)
{
  const EchoBlock *body = function->regions[0].first;
  const EchoOp *end = body->last;
  const EchoType **types =
      echo_alloc_array((size_t)body->n_args + end->n_operands + 1, sizeof *types);
  for (uint32_t i = 0; i < body->n_args; i++)
    types[i] = echo_block_arg(body, i)->type;
  for (uint32_t i = 0; i < end->n_operands; i++)
    types[body->n_args + i] = echo_op_operand_type(end, i);
  const EchoType *type =
      echo_type_function(ctx, types, body->n_args, types + body->n_args, end->n_operands);
  echo_op_set_attr(function, "function_type", echo_attr_type(ctx, type));
  echo_free(types);
}

static bool refine_function(EchoOp *function, uint64_t *n_rewrites)
{
  bool ok = true;
  EchoContext *ctx = echo_op_context(function);
  const EchoPattern own[] = {
      {"func.call", 0, inline_call, "the function's body"},
      {"stablehlo.composite", 0, inline_call, "the function's body"},
      {"stablehlo.custom_call", 0, check_assertion, "nothing, where it holds"},
      {"stablehlo.get_dimension_size", 0, fold_size, "a constant"},
      {NULL, 0, refine_types, "the types that its operands make"},
  };
  enum { N_OWN = sizeof own / sizeof own[0] };
  size_t n_patterns = N_OWN + ECHO_N_STATIC_SHAPES_PATTERNS + ECHO_N_SHAPED_CALLS_PATTERNS;
  EchoPattern *patterns = echo_alloc_array(n_patterns, sizeof *patterns);
  memcpy(patterns, own, sizeof own);
  memcpy(patterns + N_OWN, ECHO_STATIC_SHAPES_PATTERNS,
         ECHO_N_STATIC_SHAPES_PATTERNS * sizeof *patterns);
  memcpy(patterns + N_OWN + ECHO_N_STATIC_SHAPES_PATTERNS, ECHO_SHAPED_CALLS_PATTERNS,
         ECHO_N_SHAPED_CALLS_PATTERNS * sizeof *patterns);
  const EchoRewriteOptions options = {
      .patterns = patterns, .n_patterns = n_patterns, .user = &ok, .fold = true};
  echo_rewrite_greedily(function, &options, n_rewrites);
  echo_free(patterns);
  retype(ctx, function);
  return ok;
}

static bool run(EchoPassRun *pass)
{
  uint64_t n_refined = 0;
  bool ok = true;
  EchoMap kept = {0};
  pass->keeps_all = !is_polymorphic(pass->op);
  if (pass->keeps_all)
    return true;
  mark_kept(pass->op, &kept);
  for (EchoOp *op = echo_op_body(pass->op, 0)->first; op != NULL && ok; op = op->next) {
    uint64_t n = 0;
    if (echo_map_has(&kept, echo_key(op)) || !is_to_be_refined(op))
      continue;
    ok = refine_function(op, &n);
    n_refined += n;
  }
  echo_map_destroy(&kept);
  echo_pass_count(pass, "refined", n_refined);
  return ok;
}

static const EchoPassStatistic statistics[] = {{"refined", "rewrites until shapes are static"},
                                               {0}};

const EchoPass ECHO_PASS_REFINE_SHAPES = {
    .name = "refine-shapes",
    .summary = "make shapes static that follow from those of the arguments",
    .anchor = "builtin.module",
    .statistics = statistics,
    .run = run,
};
