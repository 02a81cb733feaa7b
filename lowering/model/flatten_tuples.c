/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --flatten-tuples: what is handed over as tuples (arguments and results of functions, calls and
 * custom calls) is handed over as the tensors in them, in order. */
#include "base/vector.h"
#include "ir/builder.h"
#include "lowering/lowering.h"

typedef ECHO_VECTOR(const EchoType *) TypeList;
typedef ECHO_VECTOR(EchoValue *) ValueList;
typedef ECHO_VECTOR(const EchoAttr *) AttrList;

static bool is_tuple(const EchoType *type)
{
  return type->kind == ECHO_TYPE_TUPLE;
}

static bool is_pack(const EchoOp *op_or_null)
{
  return op_or_null != NULL && echo_op_is(op_or_null, "stablehlo.tuple");
}

/* ---- leaves ---- */

static void append_leaf_types(const EchoType *type, TypeList *leaves)
{
  if (!is_tuple(type)) {
    echo_vector_push(leaves, type);
    return;
  }
  for (size_t i = 0; i < type->as.tuple.n_elements; ++i)
    append_leaf_types(type->as.tuple.elements[i], leaves);
}

static size_t count_leaves(const EchoType *const *types, size_t n)
{
  TypeList leaves = {0};
  for (size_t i = 0; i < n; ++i)
    append_leaf_types(types[i], &leaves);
  size_t count = leaves.size;
  echo_vector_destroy(&leaves);
  return count;
}

static EchoValue *build_element(EchoBuilder *builder, EchoValue *tuple, size_t index)
{
  const EchoAttrArg attr = {"index", echo_attr_i32(builder->ctx, (int32_t)index)};
  const EchoType *type = tuple->type->as.tuple.elements[index];
  return echo_built_result(
      echo_build_op(builder, "stablehlo.get_tuple_element", &tuple, 1, &type, 1, &attr, 1));
}

static void append_leaves(EchoBuilder *builder, EchoValue *value, ValueList *leaves)
{
  if (!is_tuple(value->type)) {
    echo_vector_push(leaves, value);
    return;
  }
  EchoOp *def = echo_value_def_or_null(value);
  for (size_t i = 0; i < value->type->as.tuple.n_elements; ++i)
    append_leaves(
        builder, is_pack(def) ? echo_op_operand(def, i) : build_element(builder, value, i), leaves);
}

/* A value of the type from the leaves at *next, which moves on. */
static EchoValue *pack(EchoBuilder *builder, const EchoType *type, EchoValue *const **next)
{
  if (!is_tuple(type))
    return *(*next)++;
  ValueList parts = {0};
  for (size_t i = 0; i < type->as.tuple.n_elements; ++i)
    echo_vector_push(&parts, pack(builder, type->as.tuple.elements[i], next));
  EchoOp *made =
      echo_build_op(builder, "stablehlo.tuple", parts.data, parts.size, &type, 1, NULL, 0);
  echo_vector_destroy(&parts);
  return echo_built_result(made);
}

/* ---- what hands values over ---- */

static bool has_tuple_arg(const EchoBlock *block)
{
  for (uint32_t i = 0; i < block->n_args; ++i)
    if (is_tuple(echo_block_arg(block, i)->type))
      return true;
  return false;
}

/* The block takes leaves, and packs what it took before from them. */
static void flatten_args(EchoContext *ctx, EchoBlock *block)
{
  if (!has_tuple_arg(block) || block->first == NULL)
    return;
  uint32_t n_old = block->n_args;
  TypeList types = {0};
  ValueList leaves = {0};
  for (uint32_t i = 0; i < n_old; ++i) {
    EchoValue *old = echo_block_arg(block, i);
    echo_vector_clear(&types);
    append_leaf_types(old->type, &types);
    for (size_t k = 0; k < types.size; ++k)
      echo_vector_push(&leaves, echo_block_add_arg(ctx, block, types.data[k], echo_value_loc(old)));
  }
  EchoBuilder builder = echo_builder_before(block->first);
  EchoValue *const *next = leaves.data;
  for (uint32_t i = 0; i < n_old; ++i) {
    EchoValue *old = echo_block_arg(block, i);
    builder.loc = echo_value_loc(old);
    echo_value_replace_all_uses(old, pack(&builder, old->type, &next));
  }
  for (uint32_t i = 0; i < n_old; ++i)
    echo_block_erase_arg(block, 0);
  echo_vector_destroy(&types);
  echo_vector_destroy(&leaves);
}

/* By the specification nothing else does: loops and branches carry tensors. A custom call of one
 * tuple is an older form of one of several values. */
static bool hands_over(const EchoOp *op)
{
  const uint64_t traits = ECHO_CALL | ECHO_RETURN_LIKE;
  if (echo_op_is(op, "stablehlo.custom_call"))
    return true;
  return op->n_regions == 0 && op->n_successors == 0 && (op->info->traits & traits) != 0;
}

static bool has_tuple(const EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (is_tuple(echo_op_operand_type(op, i)))
      return true;
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (is_tuple(echo_op_result_type(op, i)))
      return true;
  return false;
}

/* The same op on leaves takes the place of `op`, and its results are packed behind it. */
static EchoOp *flatten_op(EchoOp *op)
{
  EchoBuilder builder = echo_builder_before(op);
  ValueList operands = {0}, results = {0};
  TypeList types = {0};
  for (uint32_t i = 0; i < op->n_operands; ++i)
    append_leaves(&builder, echo_op_operand(op, i), &operands);
  for (uint32_t i = 0; i < op->n_results; ++i)
    append_leaf_types(echo_op_result_type(op, i), &types);
  EchoOp *made = echo_op_create(&(EchoOpState){.ctx = builder.ctx,
                                               .info = op->info,
                                               .loc = op->loc,
                                               .operands = operands.data,
                                               .n_operands = (uint32_t)operands.size,
                                               .result_types = types.data,
                                               .n_results = (uint32_t)types.size,
                                               .properties = op->properties,
                                               .attrs = op->attrs});
  echo_op_insert_before(made, op);
  for (uint32_t i = 0; i < made->n_results; ++i)
    echo_vector_push(&results, echo_op_result(made, i));
  EchoValue *const *next = results.data;
  for (uint32_t i = 0; i < op->n_results; ++i)
    echo_value_replace_all_uses(echo_op_result(op, i),
                                pack(&builder, echo_op_result_type(op, i), &next));
  echo_op_erase(op);
  echo_vector_destroy(&operands);
  echo_vector_destroy(&results);
  echo_vector_destroy(&types);
  return made;
}

/* ---- functions ---- */

/* Where result `alias` of a function went to, for a leaf of the argument that shares its memory. An
 * index that fits no result of that type counts leaves already. */
static int64_t flat_alias(const EchoType *function, int64_t alias, const EchoType *input,
                          size_t leaf)
{
  if (alias < 0 || alias >= (int64_t)function->as.function.n_results ||
      function->as.function.results[alias] != input)
    return alias;
  return (int64_t)(count_leaves(function->as.function.results, (size_t)alias) + leaf);
}

/* A dictionary for each leaf of each type: that of the argument or result that it was part of. */
static void flatten_attrs(EchoOp *func, const char *name, const EchoType *function,
                          const EchoType *const *types, size_t n)
{
  EchoContext *ctx = echo_op_context(func);
  const EchoAttr *all = echo_op_attr_or_null(func, name);
  AttrList flat = {0};
  for (size_t i = 0; all != NULL && i < n; ++i)
    for (size_t leaf = 0, n_leaves = count_leaves(&types[i], 1); leaf < n_leaves; ++leaf) {
      const EchoAttr *own = all->as.array.elements[i];
      const EchoAttr *alias = echo_dictionary_get_or_null(own, "tf.aliasing_output");
      if (alias != NULL && alias->kind == ECHO_ATTR_INTEGER)
        own = echo_dictionary_with(
            ctx, own, ECHO_STR("tf.aliasing_output"),
            echo_attr_i32(ctx,
                          (int32_t)flat_alias(function, alias->as.integer.value, types[i], leaf)));
      echo_vector_push(&flat, own);
    }
  if (all != NULL)
    echo_op_set_attr(func, name, echo_attr_array(ctx, flat.data, flat.size));
  echo_vector_destroy(&flat);
}

static void flatten_signature(EchoOp *func)
{
  EchoContext *ctx = echo_op_context(func);
  const EchoType *type = echo_op_attr_or_null(func, "function_type")->as.type_value;
  const EchoType *const *inputs = type->as.function.inputs, *const *results =
                                                                type->as.function.results;
  size_t n_inputs = type->as.function.n_inputs, n_results = type->as.function.n_results;
  TypeList leaves = {0};
  for (size_t i = 0; i < n_inputs; ++i)
    append_leaf_types(inputs[i], &leaves);
  size_t n_flat = leaves.size;
  for (size_t i = 0; i < n_results; ++i)
    append_leaf_types(results[i], &leaves);
  const EchoType *flat =
      echo_type_function(ctx, leaves.data, n_flat, leaves.data + n_flat, leaves.size - n_flat);
  if (flat != type) {
    echo_op_set_attr(func, "function_type", echo_attr_type(ctx, flat));
    flatten_attrs(func, "arg_attrs", type, inputs, n_inputs);
    flatten_attrs(func, "res_attrs", type, results, n_results);
  }
  echo_vector_destroy(&leaves);
}

/* ---- the pass ---- */

/* Definitions come before uses: what takes a tuple finds it packed. */
static EchoOp *flatten_one(EchoContext *ctx, EchoOp *op)
{
  if (hands_over(op) && has_tuple(op))
    return flatten_op(op);
  if (echo_op_is(op, "func.func")) {
    flatten_signature(op);
    for (EchoBlock *block = op->regions[0].first; block != NULL; block = block->next)
      flatten_args(ctx, block);
  }
  return op;
}

static bool has_any(EchoOp *root)
{
  for (EchoOp *op = root; op != NULL; op = echo_op_walk_next(root, op))
    if (has_tuple(op) || (echo_op_is(op, "func.func") && op->regions[0].first != NULL &&
                          has_tuple_arg(op->regions[0].first)))
      return true;
  return false;
}

static bool take_element(EchoOp *op)
{
  if (!echo_op_is(op, "stablehlo.get_tuple_element"))
    return false;
  const EchoOp *def = echo_value_def_or_null(echo_op_operand(op, 0));
  if (!is_pack(def))
    return false;
  size_t index = (size_t)echo_op_attr_i64(op, "index", 0);
  echo_value_replace_all_uses(echo_op_result(op, 0), echo_op_operand(def, index));
  return true;
}

static void erase_unread(EchoOp *root)
{
  ECHO_VECTOR(EchoOp *) packs = {0};
  for (EchoOp *op = root; op != NULL; op = echo_op_walk_next(root, op))
    if (is_pack(op))
      echo_vector_push(&packs, op);
  while (packs.size != 0) {
    EchoOp *last = echo_vector_pop(&packs);
    if (echo_value_is_unused(echo_op_result(last, 0)))
      echo_op_erase(last);
  }
  echo_vector_destroy(&packs);
}

static bool run(EchoPassRun *pass)
{
  pass->keeps_all = !has_any(pass->op);
  if (pass->keeps_all)
    return true;
  for (EchoOp *op = pass->op, *next; op != NULL; op = next) {
    op = flatten_one(pass->ctx, op);
    next = echo_op_walk_next(pass->op, op);
    if (take_element(op))
      echo_op_erase(op);
  }
  erase_unread(pass->op);
  return true;
}

const EchoPass ECHO_PASS_FLATTEN_TUPLES = {
    .name = "flatten-tuples",
    .summary = "hand over the tensors in tuples: arguments and results of functions and calls",
    .anchor = "builtin.module",
    .run = run,
};
