/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Making ops at an insertion point. */
#include "ir/builder.h"

#include "ir/op_t.h"

EchoBuilder echo_builder_at_end(EchoContext *ctx, EchoBlock *block)
{
  return (EchoBuilder){.ctx = ctx, .block = block};
}

EchoBuilder echo_builder_before(EchoOp *op)
{
  if (op == NULL)
    return (EchoBuilder){0}; /* builds nothing */
  return (EchoBuilder){
      .ctx = echo_op_context(op), .block = op->block, .before = op, .loc = op->loc};
}

EchoBuilder echo_builder_after(EchoOp *op)
{
  if (op == NULL)
    return (EchoBuilder){0};
  return (EchoBuilder){
      .ctx = echo_op_context(op), .block = op->block, .before = op->next, .loc = op->loc};
}

EchoOp *echo_builder_insert(EchoBuilder *builder, EchoOp *op)
{
  if (builder == NULL)
    return NULL; /* nobody to tell */
  if (op == NULL) {
    echo_misuse(builder->ctx, builder->loc, "an op is inserted: 'op' is NULL");
    return NULL;
  }
  if (builder->before != NULL ? !echo_op_insert_before(op, builder->before)
                              : builder->block != NULL && !echo_block_append(builder->block, op))
    return NULL;
  if (builder->inserted != NULL)
    builder->inserted(builder->inserted_user, op);
  return op;
}

bool echo_builder_check(const EchoBuilder *builder, const char *op, const char *name,
                        const void *argument)
{
  if (builder == NULL || builder->ctx == NULL)
    return false; /* nobody to tell */
  return ECHO_LIKELY(argument != NULL) ||
         echo_misuse(builder->ctx, builder->loc, "'%s' is built: '%s' is NULL", op, name);
}

static bool check_owner(const EchoBuilder *builder, const char *op, const char *name,
                        bool is_of_context)
{
  return ECHO_LIKELY(is_of_context) ||
         echo_misuse(builder->ctx, builder->loc, "'%s' is built: '%s' is of another context", op,
                     name);
}

bool echo_builder_check_type(const EchoBuilder *builder, const char *op, const char *name,
                             const EchoType *type)
{
  return echo_builder_check(builder, op, name, type) &&
         check_owner(builder, op, name, type->owner == builder->ctx->tag);
}

bool echo_builder_check_attr(const EchoBuilder *builder, const char *op, const char *name,
                             const EchoAttr *attr)
{
  return echo_builder_check(builder, op, name, attr) &&
         check_owner(builder, op, name, attr->owner == builder->ctx->tag);
}

bool echo_builder_check_value(const EchoBuilder *builder, const char *op, const char *name,
                              const EchoValue *value)
{
  return echo_builder_check(builder, op, name, value) &&
         check_owner(builder, op, name, echo_value_context(value) == builder->ctx);
}

bool echo_builder_check_values(const EchoBuilder *builder, const char *op, const char *name,
                               EchoValue *const *values, size_t n)
{
  if (builder == NULL || builder->ctx == NULL)
    return false;
  if (n > UINT32_MAX / 4)
    return echo_misuse(builder->ctx, builder->loc, "'%s' is built: '%s' has %zu values, too many",
                       op, name, n);
  if (values == NULL && n != 0)
    return echo_misuse(builder->ctx, builder->loc,
                       "'%s' is built: '%s' is NULL, of which there are %zu", op, name, n);
  for (size_t i = 0; i < n; ++i)
    if (ECHO_UNLIKELY(values[i] == NULL || echo_value_context(values[i]) != builder->ctx))
      return echo_misuse(builder->ctx, builder->loc, "'%s' is built: '%s[%zu]' is %s", op, name, i,
                         values[i] == NULL ? "NULL" : "of another context");
  return true;
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
  if (n_attrs != 0) {
    state->properties = dictionary_of(builder->ctx, spec, attrs, n_attrs, true, NULL);
    state->attrs = dictionary_of(builder->ctx, spec, attrs, n_attrs, false, builder->attrs);
  }
  if (spec != NULL)
    state->properties = echo_op_spec_complete(builder->ctx, spec, state->properties);
}

/* ---- what is asked for ---- */

/* How many values a row's list takes: from *least to *most. */
static void count_range(const EchoValueSpec *specs, size_t n, size_t *least, size_t *most)
{
  *least = *most = 0;
  for (size_t i = 0; i < n; ++i) {
    *least += !specs[i].optional && !specs[i].variadic;
    *most = specs[i].variadic || *most == SIZE_MAX ? SIZE_MAX : *most + 1;
  }
}

static bool check_count(const EchoOpState *state, const EchoValueSpec *specs, size_t n_specs,
                        size_t n, const char *what)
{
  size_t least, most;
  count_range(specs, n_specs, &least, &most);
  if (n >= least && n <= most)
    return true;
  return echo_misuse(state->ctx, state->loc, "'%s' is built: 'n_%s' is %zu, it has %s%zu",
                     state->info->name, what, n,
                     least == most ? ""
                     : n < least   ? "at least "
                                   : "at most ",
                     n < least ? least : most);
}

/* How many operands each place of the row takes, where the segments say it, and there are as many;
 * NULL otherwise. */
static const int32_t *segments_or_null(const EchoOpState *state, const EchoOpSpec *spec,
                                       const EchoAttrArg *attrs, size_t n_attrs)
{
  const EchoAttr *sizes = NULL;
  for (size_t i = 0; i < n_attrs; ++i)
    if (strcmp(attrs[i].name, "operandSegmentSizes") == 0)
      sizes = attrs[i].value;
  if (sizes == NULL || sizes->kind != ECHO_ATTR_DENSE_ARRAY ||
      sizes->as.dense_array.element != state->ctx->i32 ||
      sizes->as.dense_array.size != spec->n_operands)
    return NULL;
  const int32_t *counts = sizes->as.dense_array.data;
  int64_t sum = 0;
  for (size_t i = 0; i < spec->n_operands; ++i) {
    if (counts[i] < 0)
      return NULL;
    sum += counts[i];
  }
  return sum == state->n_operands ? counts : NULL;
}

/* Operands against the row's constraints: infer hooks rely on them. Where several places take any
 * number and no segments say which, it is for the verifier. This and the next are left out in
 * passes, whose ops are verified behind them. */
static bool check_constraints(const EchoOpState *state, const EchoOpSpec *spec,
                              const EchoAttrArg *attrs, size_t n_attrs)
{
  const int32_t *segments = segments_or_null(state, spec, attrs, n_attrs);
  for (uint32_t i = 0; i < state->n_operands; ++i) {
    const EchoValueSpec *operand =
        echo_op_spec_operand_or_null(spec, state->n_operands, segments, i);
    if (operand != NULL && !operand->constraint(state->operands[i]->type))
      return echo_misuse(state->ctx, state->loc,
                         "'%s' is built: 'operands[%u]', its '%.*s', is %s, not %.*s",
                         state->info->name, i, ECHO_STR_ARG(operand->name),
                         echo_type_text(state->ctx, state->operands[i]->type),
                         ECHO_STR_ARG(operand->constraint_name));
  }
  return true;
}

static bool check_attrs(const EchoOpState *state, const EchoAttrArg *attrs, size_t n)
{
  if (attrs == NULL && n != 0)
    return echo_misuse(state->ctx, state->loc, "'%s' is built: 'attrs' is NULL, 'n_attrs' is %zu",
                       state->info->name, n);
  for (size_t i = 0; i < n; ++i)
    if (attrs[i].name == NULL)
      return echo_misuse(state->ctx, state->loc, "'%s' is built: 'attrs[%zu].name' is NULL",
                         state->info->name, i);
  for (size_t i = 0; i < n; ++i)
    if (attrs[i].value != NULL && attrs[i].value->owner != state->ctx->tag)
      return echo_misuse(state->ctx, state->loc,
                         "'%s' is built: 'attrs[%zu].value' is of another context",
                         state->info->name, i);
  return true;
}

/* Each name once. */
static bool check_attr_names(const EchoOpState *state, const EchoAttrArg *attrs, size_t n)
{
  for (size_t i = 1; i < n; ++i)
    for (size_t k = 0; k < i; ++k)
      if (attrs[i].value != NULL && attrs[k].value != NULL &&
          strcmp(attrs[i].name, attrs[k].name) == 0)
        return echo_misuse(state->ctx, state->loc, "'%s' is built: 'attrs' name '%s' twice",
                           state->info->name, attrs[i].name);
  return true;
}

/* Attributes against the row's constraints. One that is asked for may be set later, but an infer
 * hook relies on it. */
static bool check_values(const EchoOpState *state, const EchoOpSpec *spec, const EchoAttrArg *attrs,
                         size_t n_attrs)
{
  bool infers = state->result_types == NULL && spec->n_results != 0;
  for (size_t i = 0; i < spec->n_attrs; ++i) {
    const EchoAttrSpec *wanted = &spec->attrs[i];
    const EchoAttr *value = wanted->initial;
    for (size_t k = 0; k < n_attrs; ++k)
      if (attrs[k].value != NULL && echo_str_is(wanted->name, attrs[k].name))
        value = attrs[k].value;
    if (value == NULL ? infers && !wanted->optional : !wanted->constraint(value))
      return echo_misuse(state->ctx, state->loc,
                         "'%s' is built: its attribute '%.*s' is %s%s, not %.*s", state->info->name,
                         ECHO_STR_ARG(wanted->name), value == NULL ? "left out" : "",
                         value == NULL ? "" : echo_attr_text(state->ctx, value),
                         ECHO_STR_ARG(wanted->constraint_name));
  }
  return true;
}

static bool check_call(const EchoOpState *state, const EchoOpSpec *spec, const EchoAttrArg *attrs,
                       size_t n_attrs)
{
  const EchoOpInfo *info = state->info;
  if ((info->traits & ECHO_UNREGISTERED) != 0 && !state->ctx->allow_unregistered)
    return echo_misuse(state->ctx, state->loc, "'%s' is built, but it has no row", info->name);
  if (!echo_op_state_check(state) || !check_attrs(state, attrs, n_attrs))
    return false;
  if (state->ctx->n_running_passes == 0 && !check_attr_names(state, attrs, n_attrs))
    return false;
  if (spec == NULL)
    return true;
  if (!check_count(state, spec->operands, spec->n_operands, state->n_operands, "operands"))
    return false;
  if (state->result_types != NULL &&
      !check_count(state, spec->results, spec->n_results, state->n_results, "results"))
    return false;
  if (info->n_regions != ECHO_VARIADIC && state->n_regions != info->n_regions)
    return echo_misuse(state->ctx, state->loc, "'%s' is built: 'n_regions' is %u, it has %d",
                       info->name, (unsigned)state->n_regions, info->n_regions);
  return state->ctx->n_running_passes != 0 || (check_constraints(state, spec, attrs, n_attrs) &&
                                               check_values(state, spec, attrs, n_attrs));
}

/* ---- result types ---- */

static bool has_required_results(const EchoOpSpec *spec)
{
  size_t least, most;
  count_range(spec->results, spec->n_results, &least, &most);
  return least != 0;
}

/* Fills in the result types of a call that names none. */
static bool infer_results(EchoOpState *state, const EchoOpSpec *spec, const EchoType **types,
                          size_t n_types)
{
  const EchoOpInfo *info = state->info;
  enum { MAX_REGIONS = 8 };
  if (info->infer != NULL && state->n_regions <= MAX_REGIONS) {
    EchoRegion empty[MAX_REGIONS] = {{0}};
    if (!info->infer(state, empty, types, &n_types))
      return echo_misuse(state->ctx, state->loc,
                         "'%s' is built: its result types cannot be inferred: %s", info->name,
                         state->ctx->diagnostics.size != 0
                             ? echo_vector_last(&state->ctx->diagnostics)->message
                             : "no reason given");
  } else if (info->infer == NULL && (info->traits & ECHO_SAME_TYPE) != 0 &&
             state->n_operands != 0) {
    n_types = spec->n_results;
    for (size_t i = 0; i < n_types; ++i)
      types[i] = state->operands[0]->type;
  } else if (info->infer != NULL || has_required_results(spec)) {
    return echo_misuse(state->ctx, state->loc, "'%s' is built: it needs its 'result_types'",
                       info->name);
  } else {
    n_types = 0;
  }
  state->result_types = types;
  state->n_results = (uint32_t)n_types;
  return true;
}

static EchoOp *create_inferred(EchoOpState *state, const EchoOpSpec *spec)
{
  /* No infer hook gives more results than there are operands, or than a small constant. */
  enum { MAX_ON_STACK = 64 };
  const EchoType *on_stack[MAX_ON_STACK];
  size_t capacity = state->n_operands < MAX_ON_STACK ? MAX_ON_STACK : state->n_operands;
  const EchoType **types =
      capacity == MAX_ON_STACK ? on_stack : echo_alloc_array(capacity, sizeof *types);
  bool ok = infer_results(state, spec, types, capacity) && echo_op_result_types_check(state);
  EchoOp *op = ok ? echo_op_create_unchecked(state) : NULL;
  if (types != on_stack)
    echo_free(types);
  return op;
}

EchoOp *echo_build_op_with_regions(EchoBuilder *builder, const char *name,
                                   EchoValue *const *operands, size_t n_operands,
                                   const EchoType *const *result_types, size_t n_results,
                                   const EchoAttrArg *attrs, size_t n_attrs, size_t n_regions)
{
  if (builder == NULL || builder->ctx == NULL)
    return NULL; /* nobody to tell */
  EchoContext *ctx = builder->ctx;
  if (name == NULL || n_operands > UINT32_MAX || n_results > UINT32_MAX || n_regions > UINT16_MAX) {
    echo_misuse(ctx, builder->loc, "'%s' is built: %s", name != NULL ? name : "?",
                name == NULL ? "'name' is NULL" : "more than an op can have");
    return NULL;
  }
  EchoOpState state = {
      .ctx = ctx,
      .info = echo_context_op_info_any(ctx, echo_str(name)),
      .loc = builder->loc,
      .operands = operands,
      .n_operands = (uint32_t)n_operands,
      .result_types = result_types,
      .n_results = (uint32_t)n_results,
      .n_regions = (uint16_t)n_regions,
      .attrs = builder->attrs,
  };
  const EchoOpSpec *spec = echo_context_op_spec_or_null(ctx, state.info);
  if (!check_call(&state, spec, attrs, n_attrs))
    return NULL;
  set_attrs(builder, spec, &state, attrs, n_attrs);
  bool is_given = result_types != NULL || spec == NULL || spec->n_results == 0;
  EchoOp *op = is_given ? echo_op_create_unchecked(&state) : create_inferred(&state, spec);
  if (op == NULL || echo_builder_insert(builder, op) != NULL)
    return op;
  echo_op_erase(op);
  return NULL;
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
  if (op == NULL)
    return NULL;
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
