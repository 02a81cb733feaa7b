/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Attributes of an op: two dictionaries, inherent (properties) and discardable. */
#include "ir/op_t.h"

static const EchoAttr *find_or_null(const EchoAttr *dictionary, EchoStr name)
{
  if (dictionary == NULL)
    return NULL;
  const EchoNamedAttr *entries = dictionary->as.dictionary.entries;
  for (size_t i = 0; i < dictionary->as.dictionary.size; ++i)
    if (echo_str_equal(entries[i].name, name))
      return entries[i].value;
  return NULL;
}

const EchoAttr *echo_op_attr_or_null(const EchoOp *op, const char *name)
{
  if (op == NULL)
    return NULL;
  EchoStr key = echo_str(name);
  const EchoAttr *value = find_or_null(op->properties, key);
  return value != NULL ? value : find_or_null(op->attrs, key);
}

bool echo_op_has_attr(const EchoOp *op, const char *name)
{
  return echo_op_attr_or_null(op, name) != NULL;
}

static bool is_inherent(EchoContext *ctx, const EchoOp *op, EchoStr name)
{
  const EchoOpSpec *spec = echo_context_op_spec_or_null(ctx, op->info);
  if (spec == NULL)
    return find_or_null(op->properties, name) != NULL;
  for (size_t i = 0; i < spec->n_attrs; ++i)
    if (echo_str_equal(spec->attrs[i].name, name))
      return true;
  return false;
}

/* `dictionary` with `name` set to `value`, or without it when `value` is NULL. */
static const EchoAttr *with_entry(EchoContext *ctx, const EchoAttr *dictionary, EchoStr name,
                                  const EchoAttr *value)
{
  size_t n_old = dictionary != NULL ? dictionary->as.dictionary.size : 0, n = 0;
  EchoNamedAttr on_stack[16];
  EchoNamedAttr *entries = n_old < 16 ? on_stack : echo_alloc_array(n_old + 1, sizeof *entries);
  for (size_t i = 0; i < n_old; ++i)
    if (!echo_str_equal(dictionary->as.dictionary.entries[i].name, name))
      entries[n++] = dictionary->as.dictionary.entries[i];
  if (value != NULL)
    entries[n++] = (EchoNamedAttr){name, value};
  const EchoAttr *result = n != 0 ? echo_attr_dictionary(ctx, entries, n) : NULL;
  if (entries != on_stack)
    echo_free(entries);
  return result;
}

bool echo_op_set_attr(EchoOp *op, const char *name, const EchoAttr *value)
{
  if (ECHO_UNLIKELY(op == NULL))
    return false;
  EchoContext *ctx = echo_op_context(op);
  if (ECHO_UNLIKELY(name == NULL))
    return echo_misuse(ctx, op->loc, "'%s' is given an attribute: 'name' is NULL", op->info->name);
  if (ECHO_UNLIKELY(value != NULL && value->owner != ctx->tag))
    return echo_misuse(ctx, op->loc, "'%s' is given '%s': 'value' is of another context",
                       op->info->name, name);
  EchoStr key = echo_str(name);
  const EchoAttr **dictionary = is_inherent(ctx, op, key) ? &op->properties : &op->attrs;
  if (find_or_null(*dictionary, key) != value)
    *dictionary = with_entry(ctx, *dictionary, key, value);
  return true;
}

int64_t echo_op_attr_i64(const EchoOp *op, const char *name, int64_t otherwise)
{
  const EchoAttr *attr = echo_op_attr_or_null(op, name);
  return attr != NULL && attr->kind == ECHO_ATTR_INTEGER ? attr->as.integer.value : otherwise;
}

EchoStr echo_op_attr_string(const EchoOp *op, const char *name)
{
  const EchoAttr *attr = echo_op_attr_or_null(op, name);
  return attr != NULL && attr->kind == ECHO_ATTR_STRING ? attr->as.string : (EchoStr){"", 0};
}
