/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/report/memory_timeline.h"

#include "dialects/echo/stages.h"
#include "dialects/plan/plan.h"

static const struct {
  const char *name, *json_key;
} KINDS[ECHO_N_MEMORY_KINDS] = {
    [ECHO_MEMORY_WEIGHTS] = {"weights", "weights"},
    [ECHO_MEMORY_OPTIMIZER] = {"optimizer state", "optimizer"},
    [ECHO_MEMORY_INPUTS] = {"inputs", "inputs"},
    [ECHO_MEMORY_RESULTS] = {"results", "results"},
    [ECHO_MEMORY_CONSTANTS] = {"constants", "constants"},
    [ECHO_MEMORY_FEATURE_MAPS] = {"feature maps", "feature_maps"},
    [ECHO_MEMORY_RECOMPUTED] = {"recomputed", "recomputed"},
    [ECHO_MEMORY_GRADIENTS] = {"gradients", "gradients"},
    [ECHO_MEMORY_WORKSPACE] = {"workspace", "workspace"},
};

const char *echo_memory_kind_name(EchoMemoryKind kind)
{
  ECHO_CHECK((unsigned)kind < ECHO_N_MEMORY_KINDS, "memory of kind %d", (int)kind);
  return KINDS[kind].name;
}

const char *echo_memory_kind_json_key(EchoMemoryKind kind)
{
  ECHO_CHECK((unsigned)kind < ECHO_N_MEMORY_KINDS, "memory of kind %d", (int)kind);
  return KINDS[kind].json_key;
}

/* ---- steps ---- */

typedef struct Span {
  uint32_t begin, end; /* steps, both included */
} Span;

typedef struct Steps {
  EchoMap spans; /* op that runs -> begin << 32 | end */
} Steps;

static EchoMemoryPhase phase_of(const EchoOp *op)
{
  EchoStr name = echo_op_attr_string(op, "echo.phase");
  return echo_str_is(name, "forward")    ? ECHO_MEMORY_FORWARD
         : echo_str_is(name, "backward") ? ECHO_MEMORY_BACKWARD
         : echo_str_is(name, "update")   ? ECHO_MEMORY_UPDATE
                                         : ECHO_MEMORY_NO_PHASE;
}

/* Numbers what runs; an op with regions spans what is inside. A step without a phase stands in that
 * of the step before it. */
static void number_steps(EchoMemoryTimeline *timeline, EchoOp *main, Steps *steps)
{
  uint8_t phase = ECHO_MEMORY_NO_PHASE;
  const uint64_t traits = ECHO_PLAN_STEP | ECHO_PLAN_CONTROL;
  for (EchoOp *op = echo_plan_first_or_null(main, traits); op != NULL;
       op = echo_plan_next_or_null(main, op, traits)) {
    uint64_t now = timeline->phases.size;
    echo_map_set(&steps->spans, echo_key(op), now << 32 | now);
    if (!echo_op_has_trait(op, ECHO_PLAN_STEP))
      continue;
    EchoMemoryPhase own = phase_of(op);
    if (own != ECHO_MEMORY_NO_PHASE)
      phase = (uint8_t)own;
    echo_vector_push(&timeline->phases, phase);
    for (EchoOp *parent = echo_op_parent(op); parent != main; parent = echo_op_parent(parent)) {
      uint64_t span = echo_map_get_or(&steps->spans, echo_key(parent), 0);
      echo_map_set(&steps->spans, echo_key(parent), (span >> 32) << 32 | now);
    }
  }
}

/* The cut with the fewest forward steps behind it and others before it. */
static uint32_t find_first_backward(const EchoMemoryTimeline *timeline)
{
  size_t n = timeline->phases.size, n_forward = 0;
  for (size_t i = 0; i < n; i++)
    n_forward += timeline->phases.data[i] == ECHO_MEMORY_FORWARD;
  if (n_forward == 0)
    return (uint32_t)n;
  size_t misplaced = n_forward, least = misplaced, best = 0;
  for (size_t i = 0; i < n; i++) {
    misplaced += timeline->phases.data[i] > ECHO_MEMORY_FORWARD;
    misplaced -= timeline->phases.data[i] == ECHO_MEMORY_FORWARD;
    if (misplaced < least) {
      least = misplaced;
      best = i + 1;
    }
  }
  return (uint32_t)best;
}

static bool span_of(const Steps *steps, const EchoOp *op, Span *span)
{
  uint64_t packed;
  if (!echo_map_get(&steps->spans, echo_key(op), &packed))
    return false;
  *span = (Span){(uint32_t)(packed >> 32), (uint32_t)packed};
  return true;
}

/* ---- values ---- */

/* From first to last use in the innermost block that holds all of them; a loop counts whole. False
 * when nothing that runs uses it. *first = the earliest user. */
static bool lifetime(const Steps *steps, const EchoPlanUses *users, Span *span, EchoOp **first)
{
  if (users->size == 0)
    return false;
  const EchoBlock *block = echo_plan_common_block(users);
  *span = (Span){UINT32_MAX, 0};
  uint32_t earliest = UINT32_MAX;
  bool is_used = false;
  for (size_t i = 0; i < users->size; i++) {
    Span use;
    if (!span_of(steps, echo_op_ancestor_in_block(users->data[i].op, block), &use))
      continue;
    span->begin = use.begin < span->begin ? use.begin : span->begin;
    span->end = use.end > span->end ? use.end : span->end;
    if (span_of(steps, users->data[i].op, &use) && use.begin < earliest) {
      earliest = use.begin;
      *first = users->data[i].op;
    }
    is_used = true;
  }
  return is_used && earliest != UINT32_MAX;
}

static EchoMemoryKind kind_of(const EchoMemoryTimeline *timeline, const EchoOp *first, Span span)
{
  if (echo_op_has_attr(first, "echo.recompute"))
    return ECHO_MEMORY_RECOMPUTED;
  if (span.begin < timeline->first_backward)
    return span.end >= timeline->first_backward ? ECHO_MEMORY_FEATURE_MAPS : ECHO_MEMORY_WORKSPACE;
  return timeline->phases.data[span.begin] == ECHO_MEMORY_UPDATE ? ECHO_MEMORY_WORKSPACE
                                                                 : ECHO_MEMORY_GRADIENTS;
}

static EchoStr maker_of(const EchoOp *first)
{
  const EchoAttr *callee = echo_op_attr_or_null(first, "callee");
  return callee != NULL && callee->kind == ECHO_ATTR_SYMBOL_REF ? callee->as.symbol.root
                                                                : echo_str(first->info->name);
}

static void add_buffer(EchoMemoryTimeline *timeline, const Steps *steps, EchoOp *buffer,
                       EchoPlanUses *users)
{
  EchoMemoryValue value = {.type = echo_op_result_type(buffer, 0),
                           .bytes = echo_type_static_bytes(echo_op_result_type(buffer, 0)),
                           .offset = (uint64_t)echo_op_attr_i64(buffer, "offset", 0)};
  Span span;
  EchoOp *first = NULL;
  echo_vector_clear(users);
  echo_plan_collect_uses(echo_op_result(buffer, 0), users);
  if (!lifetime(steps, users, &span, &first))
    return;
  value.begin = span.begin;
  value.end = span.end;
  value.kind = kind_of(timeline, first, span);
  value.loc = first->loc;
  value.maker = maker_of(first);
  echo_vector_push(&timeline->values, value);
}

static void add_fixed(EchoMemoryTimeline *timeline, EchoMemoryKind kind, const EchoType *type,
                      EchoLoc loc, const char *prefix, size_t number)
{
  EchoBuffer name = {0};
  echo_buffer_printf(&name, kind == ECHO_MEMORY_CONSTANTS ? "%s" : "%s%zu", prefix, number);
  size_t n_steps = timeline->phases.size;
  EchoMemoryValue value = {
      .kind = kind,
      .type = type,
      .bytes = echo_type_static_bytes(type),
      .end = n_steps != 0 ? (uint32_t)(n_steps - 1) : 0,
      .loc = loc,
      .maker = {echo_arena_copy_string(&timeline->arena, name.data, name.size), name.size}};
  echo_buffer_destroy(&name);
  uint64_t *sum = kind == ECHO_MEMORY_CONSTANTS ? &timeline->constant_bytes
                  : kind == ECHO_MEMORY_RESULTS ? &timeline->result_bytes
                                                : &timeline->arg_bytes;
  *sum +=
      kind == ECHO_MEMORY_CONSTANTS ? echo_align_up(value.bytes, ECHO_PLAN_ALIGNMENT) : value.bytes;
  echo_vector_push(&timeline->values, value);
}

static void add_arguments(EchoMemoryTimeline *timeline, const EchoOp *main)
{
  const EchoAttr *all = echo_op_attr_or_null(main, "arg_attrs");
  const EchoBlock *entry = main->regions[0].first;
  size_t n_args = 0, n_results = 0;
  for (size_t i = 0; i < entry->n_args; i++) {
    const EchoAttr *attrs = all != NULL ? all->as.array.elements[i] : NULL;
    const EchoAttr *role = attrs != NULL ? echo_dictionary_get_or_null(attrs, "echo.role") : NULL;
    EchoStr name = role != NULL && role->kind == ECHO_ATTR_STRING ? role->as.string : ECHO_STR("");
    EchoMemoryKind kind = ECHO_MEMORY_INPUTS;
    bool is_result = echo_plan_is_result(main, i);
    bool is_replaced =
        attrs != NULL && echo_dictionary_get_or_null(attrs, "tf.aliasing_output") != NULL;
    if (is_result)
      kind = ECHO_MEMORY_RESULTS;
    else if (echo_str_is(name, "optimizer"))
      kind = ECHO_MEMORY_OPTIMIZER;
    else if (echo_str_is(name, "parameter") || (name.size == 0 && is_replaced))
      kind = ECHO_MEMORY_WEIGHTS;
    if (echo_plan_is_in_host(main, i)) /* what of it is on the device is in the arena */
      ++n_args;
    else
      add_fixed(timeline, kind, entry->args[i]->value.type, entry->args[i]->loc,
                is_result ? "res" : "arg", is_result ? n_results++ : n_args++);
  }
}

static void find_peak(EchoMemoryTimeline *timeline)
{
  size_t n = timeline->phases.size != 0 ? timeline->phases.size : 1;
  uint64_t *bytes = echo_alloc_zero(n * ECHO_N_MEMORY_KINDS, sizeof *bytes);
  echo_memory_timeline_sample(timeline, n, bytes);
  for (size_t step = 0; step < n; step++) {
    const uint64_t *at = bytes + step * ECHO_N_MEMORY_KINDS;
    uint64_t sum = 0;
    for (size_t kind = 0; kind < ECHO_N_MEMORY_KINDS; kind++)
      sum += at[kind];
    if (sum <= timeline->live_peak_bytes)
      continue;
    timeline->live_peak_bytes = sum;
    timeline->peak_step = (uint32_t)step;
    memcpy(timeline->peak_by_kind, at, sizeof timeline->peak_by_kind);
  }
  echo_free(bytes);
}

/* What a place adds to the picture. */
static void add_op(EchoMemoryTimeline *timeline, const Steps *steps, EchoOp *op,
                   EchoPlanUses *users)
{
  switch (echo_plan_opcode(op)) {
  case ECHO_PLAN_ARENA:
    timeline->arena_bytes = (uint64_t)echo_op_attr_i64(op, "size_bytes", 0);
    break;
  case ECHO_PLAN_CONSTANT:
    add_fixed(timeline, ECHO_MEMORY_CONSTANTS, echo_op_result_type(op, 0), op->loc, "constant", 0);
    break;
  case ECHO_PLAN_BUFFER:
    if (echo_plan_lender_or_null(echo_op_result(op, 0)) == NULL) /* results count all the time */
      add_buffer(timeline, steps, op, users);
    break;
  default: /* views add nothing */
    break;
  }
}

void echo_memory_timeline_create(EchoMemoryTimeline *timeline, EchoOp *module)
{
  if (timeline == NULL)
    return;
  *timeline = (EchoMemoryTimeline){.ctx = echo_op_context(module)};
  EchoOp *main = echo_module_main_or_null(module);
  if (main == NULL)
    return;
  Steps steps = {0};
  EchoPlanUses users = {0};
  number_steps(timeline, main, &steps);
  timeline->first_backward = find_first_backward(timeline);
  add_arguments(timeline, main);
  for (EchoOp *op = echo_plan_first_or_null(main, ECHO_PLAN_PLACE); op != NULL;
       op = echo_plan_next_or_null(main, op, ECHO_PLAN_PLACE))
    add_op(timeline, &steps, op, &users);
  timeline->host_bytes = echo_plan_host_bytes(main);
  timeline->planned_peak_bytes = timeline->arg_bytes + timeline->result_bytes +
                                 timeline->constant_bytes + timeline->arena_bytes;
  find_peak(timeline);
  echo_vector_destroy(&users);
  echo_map_destroy(&steps.spans);
}

void echo_memory_timeline_destroy(EchoMemoryTimeline *timeline)
{
  if (timeline == NULL)
    return;
  echo_vector_destroy(&timeline->values);
  echo_vector_destroy(&timeline->phases);
  echo_arena_destroy(&timeline->arena);
}

void echo_memory_timeline_sample(const EchoMemoryTimeline *timeline, size_t n_columns,
                                 uint64_t *bytes)
{
  if (timeline == NULL || bytes == NULL || n_columns == 0)
    return;
  size_t n_steps = timeline->phases.size != 0 ? timeline->phases.size : 1;
  /* Changes of live bytes at each step; wrapping arithmetic makes them signed. */
  uint64_t *changes = echo_alloc_zero((n_steps + 1) * ECHO_N_MEMORY_KINDS, sizeof *changes);
  for (size_t i = 0; i < timeline->values.size; i++) {
    const EchoMemoryValue *value = &timeline->values.data[i];
    changes[(size_t)value->begin * ECHO_N_MEMORY_KINDS + value->kind] += value->bytes;
    changes[((size_t)value->end + 1) * ECHO_N_MEMORY_KINDS + value->kind] -= value->bytes;
  }
  uint64_t now[ECHO_N_MEMORY_KINDS] = {0}, *best = echo_alloc_zero(n_columns, sizeof *best);
  memset(bytes, 0, n_columns * ECHO_N_MEMORY_KINDS * sizeof *bytes);
  for (size_t step = 0; step < n_steps; step++) {
    uint64_t sum = 0;
    for (size_t kind = 0; kind < ECHO_N_MEMORY_KINDS; kind++)
      sum += now[kind] += changes[step * ECHO_N_MEMORY_KINDS + kind];
    /* Fewer steps than columns: a step fills several. */
    size_t first = step * n_columns / n_steps, last = ((step + 1) * n_columns - 1) / n_steps;
    for (size_t column = first; column <= last && column < n_columns; column++)
      if (sum >= best[column]) {
        best[column] = sum;
        memcpy(bytes + column * ECHO_N_MEMORY_KINDS, now, sizeof now);
      }
  }
  echo_free(best);
  echo_free(changes);
}
