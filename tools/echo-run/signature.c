/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/echo-run/signature.h"

#include "dialects/echo/stages.h"
#include "dialects/func/build.h"
#include "ir/diagnostics.h"
#include "ir/symbol.h"

static const char RESULT_NAME[] = "jax.result_info";

static const EchoType *function_type_or_null(const EchoOp *main)
{
  const EchoAttr *type = echo_op_attr_or_null(main, "function_type");
  if (type == NULL || type->kind != ECHO_ATTR_TYPE ||
      type->as.type_value->kind != ECHO_TYPE_FUNCTION)
    return NULL;
  return type->as.type_value;
}

/* A tensor type of the same shape; NULL when no host tensor can hold it. */
static const EchoType *tensor_or_null(EchoContext *ctx, const EchoType *type)
{
  uint64_t bytes;
  if ((!echo_type_is_tensor(type) && !echo_type_is_memref(type)) ||
      echo_type_element_kind(type) == ECHO_ELEMENT_NONE || !echo_type_bytes(type, &bytes))
    return NULL;
  return echo_type_tensor(ctx, type->as.shaped.dims, echo_type_rank(type), type->as.shaped.element,
                          NULL);
}

static bool refuse_type(const EchoOp *main, const char *what, size_t i, const EchoType *type)
{
  const char *text = echo_type_text(echo_op_context(main), type);
  if (echo_type_is_tensor(type) && !echo_type_has_static_shape(type))
    return echo_op_error(main, "%s #%zu has type %s, whose shape is known only when it runs", what,
                         i, text);
  return echo_op_error(main, "%s #%zu has type %s, which no array of numbers holds", what, i, text);
}

static bool set_alias(Signature *signature, size_t arg, const EchoAttr *result)
{
  if (result->kind != ECHO_ATTR_INTEGER || result->as.integer.value < 0 ||
      (uint64_t)result->as.integer.value >= signature->n_results)
    return echo_op_error(signature->main, "tf.aliasing_output of argument #%zu names no result",
                         arg);
  size_t r = (size_t)result->as.integer.value;
  if (signature->result_alias[r] >= 0)
    return echo_op_error(signature->main, "result #%zu is to take the storage of two arguments", r);
  if (signature->result_types[r] != NULL && signature->result_types[r] != signature->arg_types[arg])
    return echo_op_error(signature->main,
                         "result #%zu takes the storage of argument #%zu, which has another type",
                         r, arg);
  signature->result_alias[r] = (int64_t)arg;
  signature->arg_alias[arg] = (int64_t)r;
  return true;
}

static void allocate(Signature *signature, EchoArena *arena, size_t n)
{
  signature->arg_types = ECHO_ARENA_ARRAY(arena, const EchoType *, n + 1);
  signature->result_types = ECHO_ARENA_ARRAY(arena, const EchoType *, n + 1);
  signature->arg_roles = ECHO_ARENA_ARRAY(arena, EchoStr, n + 1);
  signature->result_alias = ECHO_ARENA_ARRAY(arena, int64_t, n + 1);
  signature->arg_alias = ECHO_ARENA_ARRAY(arena, int64_t, n + 1);
  signature->result_places = ECHO_ARENA_ARRAY(arena, int64_t, n + 1);
  signature->result_names = ECHO_ARENA_ARRAY(arena, EchoStr, n + 1);
  for (size_t i = 0; i < n; i++) {
    signature->result_types[i] = NULL;
    signature->arg_roles[i] = signature->result_names[i] = (EchoStr){0};
    signature->result_alias[i] = signature->arg_alias[i] = signature->result_places[i] = -1;
  }
}

static bool read_tensors(Signature *signature, EchoContext *ctx, const EchoType *type)
{
  signature->n_args = type->as.function.n_inputs;
  signature->n_results = type->as.function.n_results;
  for (size_t i = 0; i < signature->n_args; i++)
    if ((signature->arg_types[i] = tensor_or_null(ctx, type->as.function.inputs[i])) == NULL)
      return refuse_type(signature->main, "argument", i, type->as.function.inputs[i]);
  for (size_t i = 0; i < signature->n_results; i++)
    if ((signature->result_types[i] = tensor_or_null(ctx, type->as.function.results[i])) == NULL)
      return refuse_type(signature->main, "result", i, type->as.function.results[i]);
  for (size_t i = 0; i < signature->n_args; i++) {
    const EchoAttr *alias = echo_func_arg_attr_or_null(signature->main, i, "tf.aliasing_output");
    if (alias != NULL && !set_alias(signature, i, alias))
      return false;
  }
  return true;
}

/* Behind bufferization: arguments of the step first, then results with storage of their own. */
static bool read_buffers(Signature *signature, EchoContext *ctx, const EchoType *type)
{
  size_t n = type->as.function.n_inputs;
  const EchoOp *main = signature->main;
  for (size_t i = 0; i < n; i++)
    signature->n_results += echo_func_arg_attr_or_null(main, i, "plan.result") != NULL ||
                            echo_func_arg_attr_or_null(main, i, "tf.aliasing_output") != NULL;
  for (size_t i = 0; i < n; i++) {
    const EchoType *tensor = tensor_or_null(ctx, type->as.function.inputs[i]);
    const EchoAttr *own = echo_func_arg_attr_or_null(main, i, "plan.result");
    const EchoAttr *alias = echo_func_arg_attr_or_null(main, i, "tf.aliasing_output");
    if (tensor == NULL)
      return refuse_type(main, "argument", i, type->as.function.inputs[i]);
    if (own == NULL) {
      signature->arg_types[signature->n_args++] = tensor;
      if (alias != NULL && !set_alias(signature, signature->n_args - 1, alias))
        return false;
      if (alias != NULL) {
        signature->result_types[alias->as.integer.value] = tensor;
        signature->result_places[alias->as.integer.value] = (int64_t)i;
      }
      continue;
    }
    if (own->kind != ECHO_ATTR_INTEGER || own->as.integer.value < 0 ||
        (uint64_t)own->as.integer.value >= signature->n_results ||
        signature->result_types[own->as.integer.value] != NULL)
      return echo_op_error(main, "plan.result of argument #%zu names no result", i);
    signature->result_types[own->as.integer.value] = tensor;
    signature->result_places[own->as.integer.value] = (int64_t)i;
  }
  for (size_t r = 0; r < signature->n_results; r++)
    if (signature->result_types[r] == NULL)
      return echo_op_error(main, "has no place for result #%zu", r);
  return true;
}

/* What main hides from its caller comes last. */
static bool hide_results(Signature *signature)
{
  int64_t n = echo_op_attr_i64(signature->main, ECHO_HIDDEN_RESULTS, 0);
  if (n < 0 || (uint64_t)n > signature->n_results)
    return echo_op_error(signature->main, "hides %lld of %zu results", (long long)n,
                         signature->n_results);
  signature->n_results -= (size_t)n;
  return true;
}

/* The state that it draws random numbers from: the last of its arguments. */
static bool hide_state(Signature *signature)
{
  for (size_t i = 0; i < signature->n_args; i++) {
    if (echo_func_arg_attr_or_null(signature->main, i, ECHO_RANDOM_STATE) == NULL)
      continue;
    signature->draws = true;
    if (i + 1 != signature->n_args || echo_type_static_bytes(signature->arg_types[i]) !=
                                          ECHO_RANDOM_STATE_WORDS * sizeof(uint64_t))
      return echo_op_error(signature->main, "argument #%zu is no state of random numbers", i);
    signature->n_args--;
  }
  return true;
}

static bool has_functions(const EchoOp *module)
{
  for (const EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next)
    if (echo_op_is(op, "func.func") && !echo_region_is_empty(&op->regions[0]))
      return true;
  return false;
}

bool signature_read(EchoOp *module, EchoArena *arena, Signature *signature)
{
  *signature = (Signature){0};
  EchoContext *ctx = echo_op_context(module);
  EchoOp *main = echo_symbol_lookup_or_null(module, echo_attr_symbol(ctx, ECHO_STR("main")));
  const EchoType *type = main != NULL ? function_type_or_null(main) : NULL;
  if (type == NULL || !echo_op_is(main, "func.func") || echo_region_is_empty(&main->regions[0]))
    return echo_op_error(module, "has no function 'main' with a body%s",
                         has_functions(module) ? "; --entry names another to run" : "");
  signature->main = main;
  size_t n = type->as.function.n_inputs + type->as.function.n_results;
  allocate(signature, arena, n);
  bool is_planned = echo_module_stage(module) >= ECHO_STAGE_PLANNED;
  if (!(is_planned ? read_buffers : read_tensors)(signature, ctx, type) ||
      !hide_results(signature) || !hide_state(signature))
    return false;
  for (size_t i = 0; i < signature->n_args; i++) {
    const EchoAttr *role = echo_func_arg_attr_or_null(main, i, "echo.role");
    if (role != NULL && role->kind == ECHO_ATTR_STRING)
      signature->arg_roles[i] = role->as.string;
  }
  for (size_t i = 0; i < signature->n_results; i++) {
    const EchoAttr *name = signature_result_attr_or_null(signature, i, RESULT_NAME);
    if (name != NULL && name->kind == ECHO_ATTR_STRING)
      signature->result_names[i] = name->as.string;
  }
  return true;
}

bool signature_find_result(const Signature *signature, EchoStr name, size_t *result)
{
  uint64_t number;
  size_t n_found = 0;
  if (echo_str_starts_with(name, "res") &&
      echo_str_to_u64((EchoStr){name.data + 3, name.size - 3}, &number)) {
    *result = (size_t)number;
    return number < signature->n_results;
  }
  for (size_t i = 0; signature->result_names != NULL && i < signature->n_results; i++)
    if (name.size != 0 && echo_str_equal(signature->result_names[i], name)) {
      *result = i;
      n_found++;
    }
  return n_found == 1;
}

void signature_append_result(const Signature *signature, size_t result, EchoBuffer *out)
{
  echo_buffer_printf(out, "res%zu", result);
  if (signature->result_names != NULL && signature->result_names[result].size != 0)
    echo_buffer_printf(out, " %.*s", ECHO_STR_ARG(signature->result_names[result]));
}

int64_t signature_loss(const EchoOp *main, EchoStr text)
{
  int64_t number;
  if (echo_str_to_i64(text, &number))
    return number;
  const EchoAttr *all = echo_op_attr_or_null(main, "res_attrs");
  for (size_t i = 0; all != NULL && i < all->as.array.size; i++) {
    const EchoAttr *name = echo_dictionary_get_or_null(all->as.array.elements[i], RESULT_NAME);
    if (name != NULL && name->kind == ECHO_ATTR_STRING && echo_str_equal(name->as.string, text))
      return (int64_t)i;
  }
  return -1;
}

const EchoAttr *signature_result_attr_or_null(const Signature *signature, size_t result,
                                              const char *name)
{
  const int64_t place = signature->result_places[result];
  if (place >= 0)
    return echo_func_arg_attr_or_null(signature->main, (size_t)place, name);
  const EchoAttr *all = echo_op_attr_or_null(signature->main, "res_attrs");
  return all != NULL && result < all->as.array.size
             ? echo_dictionary_get_or_null(all->as.array.elements[result], name)
             : NULL;
}
