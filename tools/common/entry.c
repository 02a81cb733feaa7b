/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/common/entry.h"

#include "dialects/echo/stages.h"
#include "ir/diagnostics.h"
#include "ir/symbol.h"

static bool has_body(const EchoOp *op)
{
  return echo_op_is(op, "func.func") && !echo_region_is_empty(&op->regions[0]);
}

bool entry_is_public(const EchoOp *op)
{
  return has_body(op) && !echo_str_is(echo_op_attr_string(op, "sym_visibility"), "private");
}

/* The only public function; NULL where there are none or several. */
static EchoOp *only_public_or_null(const EchoOp *module)
{
  EchoOp *found = NULL;
  for (EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next) {
    if (!entry_is_public(op))
      continue;
    if (found != NULL)
      return NULL;
    found = op;
  }
  return found;
}

static void rename_function(EchoOp *module, EchoOp *function, EchoStr name)
{
  EchoContext *ctx = echo_op_context(module);
  EchoStr old = echo_symbol_name(function);
  const EchoAttr *symbol = echo_attr_symbol(ctx, name);
  static const char *const USES[] = {"callee", "decomposition"};
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    for (size_t i = 0; i < sizeof USES / sizeof USES[0]; i++) {
      const EchoAttr *use = echo_op_attr_or_null(op, USES[i]);
      if (use != NULL && use->kind == ECHO_ATTR_SYMBOL_REF &&
          echo_str_equal(use->as.symbol.root, old))
        echo_op_set_attr(op, USES[i], symbol);
    }
  echo_op_set_attr(function, "sym_name", echo_attr_string(ctx, name));
}

/* "main_0", or what is free. */
static EchoStr free_name(EchoOp *module)
{
  EchoContext *ctx = echo_op_context(module);
  EchoBuffer name = {0};
  for (unsigned i = 0;; i++) {
    echo_buffer_clear(&name);
    echo_buffer_printf(&name, "main_%u", i);
    const EchoAttr *symbol = echo_attr_symbol(ctx, echo_buffer_str(&name));
    if (echo_symbol_lookup_or_null(module, symbol) == NULL)
      break;
  }
  EchoStr interned = echo_context_intern(ctx, echo_buffer_str(&name));
  echo_buffer_destroy(&name);
  return interned;
}

/* Programs of their own that stand beside the entry: nothing refers to what has no name. */
static void erase_modules_without_name(EchoOp *module)
{
  for (EchoOp *op = echo_op_body(module, 0)->first, *next; op != NULL; op = next) {
    next = op->next;
    if (echo_op_is(op, "builtin.module") && echo_op_attr_or_null(op, "sym_name") == NULL)
      echo_op_erase(op);
  }
}

bool entry_choose(EchoOp *module, const char *name)
{
  EchoContext *ctx = echo_op_context(module);
  EchoOp *main = echo_module_main_or_null(module), *entry = main;
  if (name != NULL) {
    entry = echo_symbol_lookup_or_null(module, echo_attr_symbol(ctx, echo_str(name)));
    if (entry == NULL || !has_body(entry))
      return echo_op_error(module, "has no function '%s' to run", name);
  } else if (main == NULL) {
    entry = only_public_or_null(module);
  }
  if (entry == NULL)
    return true;
  erase_modules_without_name(module);
  for (EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next)
    if (op != entry && entry_is_public(op))
      echo_op_set_attr(op, "sym_visibility", echo_attr_string(ctx, ECHO_STR("private")));
  if (main != NULL && main != entry)
    rename_function(module, main, free_name(module));
  if (main != entry)
    rename_function(module, entry, ECHO_STR("main"));
  if (!entry_is_public(entry))
    echo_op_set_attr(entry, "sym_visibility", NULL);
  return true;
}

static bool is_token(const EchoType *type)
{
  return type->kind == ECHO_TYPE_OPAQUE && echo_str_is(type->as.opaque.dialect, "stablehlo") &&
         echo_str_is(type->as.opaque.text, "token");
}

static bool has_tokens(const EchoOp *module)
{
  const EchoOp *main = echo_module_main_or_null(module);
  const EchoAttr *attr = main != NULL ? echo_op_attr_or_null(main, "function_type") : NULL;
  bool found = false;
  if (attr == NULL || attr->kind != ECHO_ATTR_TYPE ||
      attr->as.type_value->kind != ECHO_TYPE_FUNCTION)
    return false;
  const EchoType *type = attr->as.type_value;
  for (size_t i = 0; i < type->as.function.n_inputs; i++)
    found |= is_token(type->as.function.inputs[i]);
  for (size_t i = 0; i < type->as.function.n_results; i++)
    found |= is_token(type->as.function.results[i]);
  return found;
}

static bool draws(const EchoOp *module)
{
  EchoOp *root = (EchoOp *)(uintptr_t)module;
  for (EchoOp *op = root; op != NULL; op = echo_op_walk_next(root, op))
    if (echo_op_is(op, "stablehlo.rng"))
      return true;
  return false;
}

bool entry_flatten(EchoPassManager *manager, const EchoOp *module)
{
  bool is_model = echo_module_stage(module) == ECHO_STAGE_MODEL;
  static const char *const WHOLE[] = {"inline", "symbol-dce", "random-state", "call-targets"};
  bool is_whole = is_model && (has_tokens(module) || draws(module)), ok = true;
  for (size_t i = 0; is_whole && i < sizeof WHOLE / sizeof *WHOLE; i++)
    ok = ok && echo_pass_manager_add_pass(manager, echo_str(WHOLE[i]));
  return ok &&
         (!is_model || (echo_pass_manager_add_pass(manager, ECHO_STR("refine-shapes")) &&
                        echo_pass_manager_add_pass(manager, ECHO_STR("symbol-dce")))) &&
         echo_pass_manager_add_pass(manager, ECHO_STR("flatten-tuples")) &&
         (!is_model || echo_pass_manager_add_pass(manager, ECHO_STR("chlo-to-stablehlo"))) &&
         echo_pass_manager_add_pass(manager, ECHO_STR("widen-elements")) &&
         echo_pass_manager_add_pass(manager, ECHO_STR("split-complex"));
}
