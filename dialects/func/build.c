/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/func/build.h"

#include "dialects/func/func_t.h"

static EchoBlock *add_block(EchoOp *op)
{
  EchoBlock *block = echo_block_create(echo_op_context(op));
  echo_region_append(&op->regions[0], block);
  return block;
}

EchoOp *echo_func_build_module(EchoContext *ctx)
{
  EchoBuilder top = echo_builder_at_end(ctx, NULL);
  EchoOp *module = echo_build_op_with_regions(&top, "builtin.module", NULL, 0, NULL, 0, NULL, 0, 1);
  if (module != NULL)
    add_block(module);
  return module;
}

static bool check_function(EchoOp *module, const char *name, const EchoType *const *inputs,
                           size_t n_inputs, const EchoBuilder *body)
{
  if (!echo_op_is(module, "builtin.module"))
    return echo_op_error(module, "is given as 'module', but it is none");
  if (name == NULL)
    return echo_op_error(module, "is given a function, but 'name' is NULL");
  if (body == NULL)
    return echo_op_error(module, "is given function '%s', but 'body' is NULL", name);
  if (inputs == NULL && n_inputs != 0)
    return echo_op_error(module, "is given function '%s', but 'inputs' is NULL and 'n_inputs' %zu",
                         name, n_inputs);
  for (size_t i = 0; i < n_inputs; i++)
    if (inputs[i] == NULL)
      return echo_op_error(module, "is given function '%s', but 'inputs[%zu]' is NULL", name, i);
  return true;
}

EchoOp *echo_func_build(EchoOp *module, const char *name, const EchoType *const *inputs,
                        size_t n_inputs, EchoBuilder *body)
{
  if (module == NULL || !check_function(module, name, inputs, n_inputs, body))
    return NULL;
  EchoContext *ctx = echo_op_context(module);
  EchoBuilder inside = echo_builder_at_end(ctx, echo_op_body(module, 0));
  const EchoType *type = echo_type_function(ctx, inputs, n_inputs, NULL, 0);
  if (type == NULL)
    return NULL;
  const EchoAttrArg attrs[] = {{"sym_name", echo_attr_string(ctx, echo_str(name))},
                               {"function_type", echo_attr_type(ctx, type)}};
  EchoOp *func = echo_build_op_with_regions(&inside, "func.func", NULL, 0, NULL, 0, attrs, 2, 1);
  if (func == NULL)
    return NULL;
  EchoBlock *block = add_block(func);
  for (size_t i = 0; i < n_inputs; i++)
    echo_block_add_arg(ctx, block, inputs[i], echo_loc_unknown());
  *body = echo_builder_at_end(ctx, block);
  return func;
}

bool echo_func_build_return(EchoBuilder *body, EchoValue *const *values, size_t n)
{
  if (body == NULL || body->ctx == NULL)
    return false; /* nobody to tell */
  if (!echo_builder_check_values(body, "func.return", "values", values, n))
    return false;
  EchoOp *func = body->block != NULL ? echo_block_parent(body->block) : NULL;
  if (func == NULL || !echo_op_is(func, "func.func"))
    return echo_error(body->ctx, body->loc, "a function returns, but 'body' builds in none");
  if (echo_build_op(body, "func.return", values, n, NULL, 0, NULL, 0) == NULL)
    return false;
  const EchoType **types = echo_alloc_array(n + 1, sizeof *types);
  for (size_t i = 0; i < n; i++)
    types[i] = values[i]->type;
  const EchoType *type = echo_func_type(func);
  type =
      echo_type_function(body->ctx, type->as.function.inputs, type->as.function.n_inputs, types, n);
  echo_op_set_attr(func, "function_type", echo_attr_type(body->ctx, type));
  echo_free(types);
  return true;
}

bool echo_func_set_arg_attr(EchoOp *func, size_t arg, const char *name, const EchoAttr *value)
{
  if (func == NULL)
    return false; /* nobody to tell */
  if (!echo_op_is(func, "func.func"))
    return echo_op_error(func, "is given as 'func', but it is no function");
  EchoContext *ctx = echo_op_context(func);
  size_t n = echo_func_type(func)->as.function.n_inputs;
  if (arg >= n)
    return echo_op_error(func, "has %zu arguments, but 'arg' is %zu", n, arg);
  if (name == NULL)
    return echo_op_error(func, "is given an argument's attribute, but 'name' is NULL");
  const EchoAttr *all = echo_op_attr_or_null(func, "arg_attrs");
  const EchoAttr **attrs = echo_alloc_array(n, sizeof *attrs);
  for (size_t i = 0; i < n; i++)
    attrs[i] = all != NULL ? all->as.array.elements[i] : echo_attr_dictionary(ctx, NULL, 0);
  attrs[arg] = echo_dictionary_with(ctx, attrs[arg], echo_str(name), value);
  bool ok =
      attrs[arg] != NULL && echo_op_set_attr(func, "arg_attrs", echo_attr_array(ctx, attrs, n));
  echo_free(attrs);
  return ok;
}

const EchoAttr *echo_func_arg_attr_or_null(const EchoOp *func, size_t arg, const char *name)
{
  const EchoAttr *all =
      func != NULL && name != NULL ? echo_op_attr_or_null(func, "arg_attrs") : NULL;
  if (all == NULL || all->kind != ECHO_ATTR_ARRAY || arg >= all->as.array.size)
    return NULL;
  const EchoAttr *attrs = all->as.array.elements[arg];
  return attrs->kind == ECHO_ATTR_DICTIONARY ? echo_dictionary_get_or_null(attrs, name) : NULL;
}
