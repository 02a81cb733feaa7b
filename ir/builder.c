/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Making ops at an insertion point. */
#include "ir/builder.h"

#include "ir/context_t.h"

EchoBuilder echo_builder_at_end(EchoContext *ctx, EchoBlock *block)
{
  return (EchoBuilder){.ctx = ctx, .block = block};
}

EchoBuilder echo_builder_before(EchoOp *op)
{
  return (EchoBuilder){
      .ctx = echo_op_context(op), .block = op->block, .before = op, .loc = op->loc};
}

EchoBuilder echo_builder_after(EchoOp *op)
{
  return (EchoBuilder){
      .ctx = echo_op_context(op), .block = op->block, .before = op->next, .loc = op->loc};
}

EchoOp *echo_builder_insert(EchoBuilder *builder, EchoOp *op)
{
  if (builder->before != NULL)
    echo_op_insert_before(op, builder->before);
  else if (builder->block != NULL)
    echo_block_append(builder->block, op);
  if (builder->inserted != NULL)
    builder->inserted(builder->inserted_user, op);
  return op;
}

/* ---- attributes ---- */

enum { N_ON_STACK = 16 };

static bool is_inherent(const EchoOpSpec *spec, EchoStr name)
{
  for (size_t i = 0; spec != NULL && i < spec->n_attrs; ++i)
    if (echo_str_equal(spec->attrs[i].name, name))
      return true;
  return false;
}

/* The dictionary of those arguments whose being inherent is `inherent`, over the entries of
 * `defaults`. */
static const EchoAttr *dictionary_of(EchoContext *ctx, const EchoOpSpec *spec,
                                     const EchoAttrArg *args, size_t n_args, bool inherent,
                                     const EchoAttr *defaults)
{
  size_t n_defaults = defaults != NULL ? defaults->as.dictionary.size : 0, n = 0;
  EchoNamedAttr on_stack[N_ON_STACK];
  EchoNamedAttr *entries = n_args + n_defaults <= N_ON_STACK
                               ? on_stack
                               : echo_alloc_array(n_args + n_defaults, sizeof *entries);
  for (size_t i = 0; i < n_args; ++i) {
    EchoStr name = echo_str(args[i].name);
    if (args[i].value != NULL && is_inherent(spec, name) == inherent)
      entries[n++] = (EchoNamedAttr){name, args[i].value};
  }
  size_t n_given = n;
  for (size_t i = 0; i < n_defaults; ++i) {
    EchoNamedAttr entry = defaults->as.dictionary.entries[i];
    bool given = false;
    for (size_t j = 0; j < n_given; ++j)
      given = given || echo_str_equal(entries[j].name, entry.name);
    if (!given)
      entries[n++] = entry;
  }
  const EchoAttr *dictionary = n != 0 ? echo_attr_dictionary(ctx, entries, n) : NULL;
  if (entries != on_stack)
    echo_free(entries);
  return dictionary;
}

static void set_attrs(EchoBuilder *builder, const EchoOpSpec *spec, EchoOpState *state,
                      const EchoAttrArg *attrs, size_t n_attrs)
{
  if (n_attrs == 0) {
    state->attrs = builder->attrs;
  } else {
    state->properties = dictionary_of(builder->ctx, spec, attrs, n_attrs, true, NULL);
    state->attrs = dictionary_of(builder->ctx, spec, attrs, n_attrs, false, builder->attrs);
  }
  if (spec != NULL)
    state->properties = echo_op_spec_complete(builder->ctx, spec, state->properties);
}

/* ---- result types ---- */

/* Whether a call that names no result types wants them inferred: the row says how, or needs some.
 */
static bool must_infer(const EchoOpInfo *info, const EchoOpSpec *spec)
{
  if (spec == NULL || spec->n_results == 0)
    return false;
  if (info->infer != NULL || (info->traits & ECHO_SAME_TYPE) != 0)
    return true;
  for (size_t i = 0; i < spec->n_results; ++i)
    ECHO_CHECK(spec->results[i].optional || spec->results[i].variadic,
               "a built '%s' needs its result types", info->name);
  return false;
}

static void infer_results(EchoOpState *state, const EchoOpSpec *spec, const EchoType **types,
                          size_t n_types)
{
  const EchoOpInfo *info = state->info;
  enum { MAX_REGIONS = 8 };
  if (info->infer != NULL) {
    EchoRegion empty[MAX_REGIONS] = {{0}};
    ECHO_CHECK(state->n_regions <= MAX_REGIONS, "a built '%s' of %u regions needs its result types",
               info->name, (unsigned)state->n_regions);
    if (!info->infer(state, empty, types, &n_types))
      ECHO_UNREACHABLE("result types of a built '%s' cannot be inferred: %s", info->name,
                       state->ctx->diagnostics.size != 0
                           ? echo_vector_last(&state->ctx->diagnostics)->message
                           : "no reason given");
  } else {
    ECHO_CHECK(state->n_operands != 0, "a built '%s' needs its result types", info->name);
    n_types = spec->n_results;
    for (size_t i = 0; i < n_types; ++i)
      types[i] = state->operands[0]->type;
  }
  state->result_types = types;
  state->n_results = (uint32_t)n_types;
}

EchoOp *echo_build_op_with_regions(EchoBuilder *builder, const char *name,
                                   EchoValue *const *operands, size_t n_operands,
                                   const EchoType *const *result_types, size_t n_results,
                                   const EchoAttrArg *attrs, size_t n_attrs, size_t n_regions)
{
  EchoOpState state = {
      .ctx = builder->ctx,
      .info = echo_context_op_info_any(builder->ctx, echo_str(name)),
      .loc = builder->loc,
      .operands = operands,
      .n_operands = (uint32_t)n_operands,
      .result_types = result_types,
      .n_results = (uint32_t)n_results,
      .n_regions = (uint16_t)n_regions,
  };
  ECHO_CHECK((state.info->traits & ECHO_UNREGISTERED) == 0 || builder->ctx->allow_unregistered,
             "'%s' is built, but it has no row", name);
  const EchoOpSpec *spec = echo_context_op_spec_or_null(builder->ctx, state.info);
  set_attrs(builder, spec, &state, attrs, n_attrs);
  if (result_types != NULL || n_results != 0 || !must_infer(state.info, spec))
    return echo_builder_insert(builder, echo_op_create(&state));
  /* No infer hook gives more results than there are operands, or than a small constant. */
  enum { MAX_ON_STACK = 64 };
  const EchoType *on_stack[MAX_ON_STACK];
  size_t capacity = n_operands < MAX_ON_STACK ? MAX_ON_STACK : n_operands;
  const EchoType **types =
      capacity == MAX_ON_STACK ? on_stack : echo_alloc_array(capacity, sizeof *types);
  infer_results(&state, spec, types, capacity);
  EchoOp *op = echo_builder_insert(builder, echo_op_create(&state));
  if (types != on_stack)
    echo_free(types);
  return op;
}

EchoOp *echo_build_op(EchoBuilder *builder, const char *name, EchoValue *const *operands,
                      size_t n_operands, const EchoType *const *result_types, size_t n_results,
                      const EchoAttrArg *attrs, size_t n_attrs)
{
  return echo_build_op_with_regions(builder, name, operands, n_operands, result_types, n_results,
                                    attrs, n_attrs, 0);
}

static EchoValue *build_one_result(EchoBuilder *builder, const char *name,
                                   EchoValue *const *operands, size_t n_operands,
                                   const EchoType *type)
{
  EchoOp *op = echo_build_op(builder, name, operands, n_operands, type != NULL ? &type : NULL,
                             type != NULL ? 1 : 0, NULL, 0);
  ECHO_CHECK_OP(op->n_results == 1, op, "one result expected, got %u", op->n_results);
  return echo_op_result(op, 0);
}

EchoValue *echo_build_unary(EchoBuilder *builder, const char *name, EchoValue *operand,
                            const EchoType *type)
{
  return build_one_result(builder, name, &operand, 1, type);
}

EchoValue *echo_build_binary(EchoBuilder *builder, const char *name, EchoValue *lhs, EchoValue *rhs,
                             const EchoType *type)
{
  return build_one_result(builder, name, (EchoValue *[]){lhs, rhs}, 2, type);
}
