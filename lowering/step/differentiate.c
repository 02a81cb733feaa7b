/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --differentiate: reverse-mode differentiation. nn.gradient is replaced by backward code that the
 * rules of the op table write; every op is given its phase. A step that arrives with its gradients
 * in it is only classified (classify_step.c). */
#include "base/vector.h"
#include "dialects/interfaces/gradient.h"
#include "dialects/stablehlo/build.h"
#include "ir/diagnostics.h"
#include "lowering/lowering.h"
#include "lowering/step/differentiate_t.h"

/* A part of a value's gradient: element i of `value` belongs to element start + i * stride. */
typedef struct Slice {
  EchoValue *value;
  int64_t start[ECHO_MAX_RANK], stride[ECHO_MAX_RANK];
} Slice;

/* What has arrived at one value so far. */
typedef struct Accumulator {
  EchoValue *sum; /* NULL = nothing whole yet */
  ECHO_VECTOR(Slice) slices;
} Accumulator;

/* One block's differentiation. */
typedef struct State {
  EchoGradient interface;
  EchoBuilder builder;
  EchoMap needs; /* value -> index + 1 into accumulators */
  ECHO_VECTOR(Accumulator) accumulators;
} State;

static Accumulator *accumulator_or_null(State *state, const EchoValue *value)
{
  uint64_t index = echo_map_get_or(&state->needs, echo_key(value), 0);
  return index != 0 ? &state->accumulators.data[index - 1] : NULL;
}

static bool needs(EchoGradient *gradient, EchoValue *value)
{
  return echo_map_has(&((State *)gradient->state)->needs, echo_key(value));
}

static void add(EchoGradient *gradient, EchoValue *value, EchoValue *contribution)
{
  State *state = gradient->state;
  Accumulator *accumulator = accumulator_or_null(state, value);
  if (accumulator == NULL)
    return;
  ECHO_CHECK(contribution->type == value->type, "a gradient of type %s for a value of type %s",
             echo_type_text(state->builder.ctx, contribution->type),
             echo_type_text(state->builder.ctx, value->type));
  accumulator->sum = accumulator->sum == NULL
                         ? contribution
                         : echo_hlo_add(&state->builder, accumulator->sum, contribution);
}

static void add_slice(EchoGradient *gradient, EchoValue *value, EchoValue *contribution,
                      const int64_t *start, const int64_t *stride)
{
  Accumulator *accumulator = accumulator_or_null(gradient->state, value);
  if (accumulator == NULL)
    return;
  Slice slice = {.value = contribution};
  uint32_t rank = echo_type_rank(value->type);
  memcpy(slice.start, start, rank * sizeof(int64_t));
  memcpy(slice.stride, stride, rank * sizeof(int64_t));
  echo_vector_push(&accumulator->slices, slice);
}

/* ---- joining slices ---- */

static EchoValue *pad_slice(EchoBuilder *b, const EchoType *whole, const Slice *slice)
{
  int64_t high[ECHO_MAX_RANK], interior[ECHO_MAX_RANK];
  for (uint32_t d = 0; d < echo_type_rank(whole); d++) {
    int64_t size = echo_type_dim(slice->value->type, d);
    interior[d] = slice->stride[d] - 1;
    int64_t spread = size == 0 ? 0 : (size - 1) * slice->stride[d] + 1;
    high[d] = echo_type_dim(whole, d) - slice->start[d] - spread;
  }
  EchoValue *zero = echo_hlo_scalar_f64(b, echo_type_element(whole), 0);
  return echo_hlo_pad(b, slice->value, zero, slice->start, high, interior);
}

/* The one dimension in which `slice` is a contiguous part of `whole`; -1 when there are several, or
 * strides. */
static int64_t partial_dim(const EchoType *whole, const Slice *slice)
{
  int64_t found = -1;
  for (uint32_t d = 0; d < echo_type_rank(whole); d++) {
    if (slice->stride[d] != 1 && echo_type_dim(slice->value->type, d) > 1)
      return -1;
    if (echo_type_dim(slice->value->type, d) == echo_type_dim(whole, d))
      continue;
    if (found >= 0)
      return -1;
    found = d;
  }
  return found;
}

/* Stable insertion into ascending starts is quadratic only for orders that no unrolled loop gives
 * (they come ascending or descending, which is found from either end); so merge sort. */
static void sort_slices(Slice *slices, Slice *scratch, size_t n, int64_t dim)
{
  if (n < 2)
    return;
  size_t half = n / 2, i = 0, k = half;
  sort_slices(slices, scratch, half, dim);
  sort_slices(slices + half, scratch, n - half, dim);
  for (size_t at = 0; at < n; at++) {
    bool left = k == n || (i < half && slices[i].start[dim] <= slices[k].start[dim]);
    scratch[at] = left ? slices[i++] : slices[k++];
  }
  memcpy(slices, scratch, n * sizeof *slices);
}

static EchoValue *zeros(EchoBuilder *b, const EchoType *whole, int64_t dim, int64_t size)
{
  int64_t dims[ECHO_MAX_RANK];
  memcpy(dims, whole->as.shaped.dims, echo_type_rank(whole) * sizeof(int64_t));
  dims[dim] = size;
  const EchoType *type =
      echo_hlo_tensor(b->ctx, dims, echo_type_rank(whole), echo_type_element(whole));
  return echo_hlo_constant_f64(b, type, 0);
}

/* Parts along one dimension that do not overlap, or are equal, as one concatenation with zeros in
 * the gaps. NULL when they are not of that kind. */
static EchoValue *concatenate_slices(EchoBuilder *b, const EchoType *whole, Slice *slices, size_t n)
{
  int64_t dim = n > 1 ? partial_dim(whole, &slices[0]) : -1;
  for (size_t i = 0; i < n && dim >= 0; i++)
    if (partial_dim(whole, &slices[i]) != dim)
      dim = -1;
  if (dim < 0)
    return NULL;
  Slice *scratch = echo_alloc_array(n, sizeof *scratch);
  sort_slices(slices, scratch, n, dim);
  echo_free(scratch);
  int64_t end = 0;
  for (size_t i = 0; i < n; i++) { /* starts ascend: equal ranges, or past the one before */
    int64_t size = echo_type_dim(slices[i].value->type, (size_t)dim);
    bool same = i > 0 && slices[i].start[dim] == slices[i - 1].start[dim] &&
                slices[i].start[dim] + size == end;
    if (!same && slices[i].start[dim] < end)
      return NULL;
    end = slices[i].start[dim] + size;
  }
  ECHO_VECTOR(EchoValue *) parts = {0};
  end = 0;
  for (size_t i = 0; i < n; i++) {
    const Slice *slice = &slices[i];
    if (i > 0 && slice->start[dim] == slices[i - 1].start[dim]) {
      echo_vector_last(&parts) = echo_hlo_add(b, echo_vector_last(&parts), slice->value);
      continue;
    }
    if (slice->start[dim] > end)
      echo_vector_push(&parts, zeros(b, whole, dim, slice->start[dim] - end));
    echo_vector_push(&parts, slice->value);
    end = slice->start[dim] + echo_type_dim(slice->value->type, (size_t)dim);
  }
  int64_t size = echo_type_dim(whole, (size_t)dim);
  if (end < size)
    echo_vector_push(&parts, zeros(b, whole, dim, size - end));
  EchoValue *joined =
      parts.size == 1 ? parts.data[0] : echo_hlo_concatenate(b, parts.data, parts.size, dim);
  echo_vector_destroy(&parts);
  return joined;
}

static EchoValue *gradient_of(EchoGradient *gradient, EchoValue *value)
{
  State *state = gradient->state;
  Accumulator *accumulator = accumulator_or_null(state, value);
  if (accumulator == NULL)
    return NULL;
  size_t n_slices = accumulator->slices.size;
  if (n_slices != 0) {
    EchoValue *joined =
        concatenate_slices(&state->builder, value->type, accumulator->slices.data, n_slices);
    accumulator->slices.size = 0;
    if (joined != NULL)
      add(gradient, value, joined);
    for (size_t i = 0; joined == NULL && i < n_slices; i++)
      add(gradient, value, pad_slice(&state->builder, value->type, &accumulator->slices.data[i]));
  }
  return accumulator->sum;
}

/* ---- one block ---- */

/* Complex values too: no rule differentiates them, but each says so instead of losing what would
 * flow through. */
static bool may_have_gradient(const EchoType *type)
{
  return echo_element_is_float(echo_type_element_kind(type)) ||
         echo_type_element(type)->kind == ECHO_TYPE_COMPLEX;
}

static void mark_needed(State *state, const EchoValue *value)
{
  if (echo_type_is_tensor(value->type) && may_have_gradient(value->type) &&
      echo_map_insert(&state->needs, echo_key(value), state->accumulators.size + 1))
    echo_vector_push(&state->accumulators, (Accumulator){0});
}

/* Whether `op`, or anything inside it, reads a value whose gradient is wanted. */
static bool reads_needed(const State *state, EchoOp *op)
{
  for (EchoOp *inner = op; inner != NULL; inner = echo_op_walk_next(op, inner))
    for (uint32_t i = 0; i < inner->n_operands; i++)
      if (echo_map_has(&state->needs, echo_key(echo_op_operand(inner, i))))
        return true;
  return false;
}

static bool has_gradient(State *state, EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_results; i++) {
    const Accumulator *accumulator = accumulator_or_null(state, echo_op_result(op, i));
    if (accumulator != NULL && (accumulator->sum != NULL || accumulator->slices.size != 0))
      return true;
  }
  return false;
}

/* Takes nn.stop_gradient out once all gradients are there. */
static void remove_stops(EchoOp *function)
{
  for (EchoOp *op = echo_op_body(function, 0)->first, *next; op != NULL; op = next) {
    next = echo_op_walk_next(function, op);
    if (!echo_op_is(op, "nn.stop_gradient"))
      continue;
    echo_value_replace_all_uses(echo_op_result(op, 0), echo_op_operand(op, 0));
    echo_op_erase(op);
  }
}

static bool differentiate_op(State *state, EchoOp *op)
{
  if (echo_op_is(op, "nn.stop_gradient"))
    return true;
  if (op->info->differentiate == NULL)
    return echo_op_error(op, "has no gradient rule");
  state->builder.loc = op->loc;
  return op->info->differentiate(&state->interface, op);
}

static bool of_block(EchoGradient *gradient, EchoBlock *block, EchoValue *const *outputs,
                     EchoValue *const *seeds, size_t n_outputs, EchoValue *const *sources,
                     size_t n_sources, EchoValue **gradients);

static void state_create(State *state, EchoBuilder builder)
{
  *state = (State){.builder = builder};
  state->interface = (EchoGradient){.builder = &state->builder,
                                    .state = state,
                                    .gradient = gradient_of,
                                    .needs = needs,
                                    .add = add,
                                    .add_slice = add_slice,
                                    .of_block = of_block};
}

static void state_destroy(State *state)
{
  for (size_t i = 0; i < state->accumulators.size; i++)
    echo_vector_destroy(&state->accumulators.data[i].slices);
  echo_vector_destroy(&state->accumulators);
  echo_map_destroy(&state->needs);
}

/* Differentiates the ops of `block` from its first to `last`, writing at the builder. */
static bool differentiate_ops(EchoBuilder builder, EchoBlock *block, EchoOp *last,
                              EchoValue *const *outputs, EchoValue *const *seeds, size_t n_outputs,
                              EchoValue *const *sources, size_t n_sources, EchoValue **gradients)
{
  State state;
  state_create(&state, builder);
  for (size_t i = 0; i < n_sources; i++)
    mark_needed(&state, sources[i]);
  /* Backward code lands behind `last`, or before the op that `last` precedes, so the range is fixed
   * beforehand. */
  ECHO_VECTOR(EchoOp *) ops = {0};
  for (EchoOp *op = block->first; op != NULL; op = op == last ? NULL : op->next)
    if (reads_needed(&state, op)) {
      for (uint32_t i = 0; i < op->n_results; i++)
        mark_needed(&state, echo_op_result(op, i));
      echo_vector_push(&ops, op);
    }
  for (size_t i = 0; i < n_outputs; i++)
    if (seeds[i] != NULL)
      add(&state.interface, outputs[i], seeds[i]);
  bool ok = true;
  for (size_t i = ops.size; i-- > 0;)
    if (has_gradient(&state, ops.data[i]))
      ok = differentiate_op(&state, ops.data[i]) && ok;
  for (size_t i = 0; i < n_sources; i++)
    gradients[i] = ok ? gradient_of(&state.interface, sources[i]) : NULL;
  echo_vector_destroy(&ops);
  state_destroy(&state);
  return ok;
}

static bool of_block(EchoGradient *gradient, EchoBlock *block, EchoValue *const *outputs,
                     EchoValue *const *seeds, size_t n_outputs, EchoValue *const *sources,
                     size_t n_sources, EchoValue **gradients)
{
  EchoBuilder builder = *gradient->builder;
  builder.block = block;
  builder.before = NULL;
  return differentiate_ops(builder, block, block->last, outputs, seeds, n_outputs, sources,
                           n_sources, gradients);
}

/* ---- nn.gradient ---- */

static void set_phase(EchoOp *op, const char *phase)
{
  EchoContext *ctx = echo_op_context(op);
  const EchoAttr *value = echo_attr_string(ctx, echo_str(phase));
  for (EchoOp *inner = op; inner != NULL; inner = echo_op_walk_next(op, inner))
    echo_op_set_attr(inner, "echo.phase", value);
}

static bool is_backward(const EchoOp *op)
{
  return echo_str_is(echo_op_attr_string(op, "echo.phase"), "backward");
}

static bool expand_gradient(EchoOp *op)
{
  EchoContext *ctx = echo_op_context(op);
  EchoValue *loss = echo_op_operand(op, 0);
  size_t n = op->n_operands - 1;
  EchoBuilder builder = echo_builder_before(op);
  const EchoNamedAttr phase = {ECHO_STR("echo.phase"), echo_attr_string(ctx, ECHO_STR("backward"))};
  builder.attrs = echo_attr_dictionary(ctx, &phase, 1);
  EchoValue **sources = echo_alloc_array(n + 1, sizeof *sources);
  EchoValue **gradients = echo_alloc_zero(n + 1, sizeof *gradients);
  for (size_t i = 0; i < n; i++)
    sources[i] = echo_op_operand(op, i + 1);
  EchoOp *before = op->prev;
  EchoValue *seed = echo_hlo_constant_f64(&builder, loss->type, 1);
  bool ok = differentiate_ops(builder, op->block, before, &loss, &seed, 1, sources, n, gradients);
  for (size_t i = 0; ok && i < n; i++) {
    EchoValue *result = gradients[i];
    if (result == NULL) /* the loss does not depend on it */
      result = echo_hlo_constant_f64(&builder, sources[i]->type, 0);
    echo_value_replace_all_uses(echo_op_result(op, i), result);
  }
  if (ok)
    echo_op_erase(op);
  echo_free(sources);
  echo_free(gradients);
  return ok;
}

/* Whether `op` has readers in its block, beside the terminator, and all of them are updates. */
static bool is_read_by_updates_only(const EchoOp *op)
{
  bool is_read = false;
  for (uint32_t i = 0; i < op->n_results; i++)
    for (const EchoUse *use = echo_op_result(op, i)->first_use; use != NULL; use = use->next) {
      const EchoOp *reader = echo_op_ancestor_in_block(use->owner, op->block);
      if (reader == NULL || echo_op_has_trait(reader, ECHO_TERMINATOR))
        continue;
      if (!echo_str_is(echo_op_attr_string(reader, "echo.phase"), "update"))
        return false;
      is_read = true;
    }
  return is_read;
}

/* After expansion: what reads backward values and is not backward itself is the update, and so is
 * what only updates read, such as an optimizer's arithmetic on its state and step; but no loss is.
 * The rest is forward. */
static void mark_phases(EchoOp *function, EchoValue *const *losses, size_t n_losses)
{
  EchoBlock *body = echo_op_body(function, 0);
  for (EchoOp *op = body->first; op != NULL; op = op->next) {
    if (is_backward(op)) {
      set_phase(op, "backward");
      continue;
    }
    bool is_update = false;
    for (EchoOp *inner = op; inner != NULL && !is_update; inner = echo_op_walk_next(op, inner))
      for (uint32_t i = 0; i < inner->n_operands; i++) {
        const EchoOp *def = echo_value_def_or_null(echo_op_operand(inner, i));
        is_update |= def != NULL && echo_op_has_attr(def, "echo.phase") &&
                     !echo_str_is(echo_op_attr_string(def, "echo.phase"), "forward") &&
                     !echo_op_has_trait(def, ECHO_CONSTANT);
      }
    set_phase(op, is_update ? "update" : "forward");
  }
  EchoMap pinned = {0};
  for (size_t i = 0; i < n_losses; i++)
    if (echo_value_def_or_null(losses[i]) != NULL)
      echo_map_set(&pinned, echo_key(echo_value_def_or_null(losses[i])), 1);
  for (EchoOp *op = body->last; op != NULL; op = op->prev)
    if (echo_str_is(echo_op_attr_string(op, "echo.phase"), "forward") &&
        !echo_map_has(&pinned, echo_key(op)) && is_read_by_updates_only(op))
      set_phase(op, "update");
  echo_map_destroy(&pinned);
}

static bool is_marked(EchoOp *function)
{
  const EchoOp *first = echo_op_body(function, 0)->first;
  return first != NULL && echo_op_has_attr(first, "echo.phase");
}

/* A helper that was not inlined: its results are nobody's loss. */
static bool is_private(const EchoOp *function)
{
  return echo_str_is(echo_op_attr_string(function, "sym_visibility"), "private");
}

static bool run(EchoPassRun *pass)
{
  int64_t loss;
  if (!echo_pass_option_i64(pass, "loss", &loss))
    return false;
  bool ok = true;
  EchoBlock *body = echo_op_body(pass->op, 0);
  for (EchoOp *function = body->first; function != NULL; function = function->next) {
    if (!echo_op_has_trait(function, ECHO_FUNCTION) ||
        echo_region_is_empty(&function->regions[0]) || is_marked(function))
      continue;
    ECHO_VECTOR(EchoValue *) losses = {0};
    for (EchoOp *op = echo_op_body(function, 0)->first, *next; op != NULL && ok; op = next) {
      next = op->next;
      if (!echo_op_is(op, "nn.gradient"))
        continue;
      echo_vector_push(&losses, echo_op_operand(op, 0));
      ok = expand_gradient(op);
    }
    if (ok && losses.size != 0)
      mark_phases(function, losses.data, losses.size);
    else if (ok)
      ok = echo_classify_step(function, is_private(function) ? -1 : loss);
    echo_vector_destroy(&losses);
    if (!ok)
      break;
    remove_stops(function);
  }
  return ok;
}

static const EchoPassOption options[] = {{"loss",
                                          "which result of an imported step is the loss, where "
                                          "reports should not guess",
                                          "-1"},
                                         {0}};

const EchoPass ECHO_PASS_DIFFERENTIATE = {
    .name = "differentiate",
    .summary = "replace nn.gradient by backward code, and mark each op's phase",
    .anchor = "builtin.module",
    .options = options,
    .run = run,
};
