/* --plan-memory: an offset in the arena for every plan.buffer, from lifetimes read off the program
 * itself, and the module's account of what the step takes. */
#include "base/map.h"
#include "base/vector.h"
#include "ir/builder.h"
#include "ir/diagnostics.h"
#include "lowering/lowering.h"
#include "planning/offsets.h"

/* Positions of ops in the order of the text: an op with regions spans those inside. */
typedef struct Span {
  uint32_t begin, end; /* both included */
} Span;

typedef struct Timeline {
  EchoMap index; /* op -> number in pre-order */
  ECHO_VECTOR(Span) spans;
} Timeline;

static void timeline_create(Timeline *timeline, EchoOp *function)
{
  *timeline = (Timeline){0};
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op)) {
    uint32_t number = (uint32_t)timeline->spans.size;
    echo_map_set(&timeline->index, echo_key(op), number);
    echo_vector_push(&timeline->spans, (Span){number, number});
    for (EchoOp *parent = echo_op_parent(op); op != function && parent != function;
         parent = echo_op_parent(parent))
      timeline->spans.data[echo_map_get_or(&timeline->index, echo_key(parent), 0)].end = number;
  }
}

static Span span_of(const Timeline *timeline, const EchoOp *op)
{
  return timeline->spans.data[echo_map_get_or(&timeline->index, echo_key(op), 0)];
}

typedef ECHO_VECTOR(EchoOp *) OpList;

/* Everybody who uses the bytes of `buffer`, through views too. */
static void collect_users(EchoValue *buffer, OpList *users)
{
  ECHO_VECTOR(EchoValue *) values = {0};
  echo_vector_push(&values, buffer);
  while (values.size != 0) {
    EchoValue *value = echo_vector_pop(&values);
    for (EchoUse *use = value->first_use; use != NULL; use = use->next) {
      echo_vector_push(users, use->owner);
      if (echo_op_is(use->owner, "plan.view"))
        echo_vector_push(&values, echo_op_result(use->owner, 0));
    }
  }
  echo_vector_destroy(&values);
}

/* The innermost block that holds all users; a loop that some stand inside of and some outside
 * counts whole. */
static Span lifetime(const Timeline *timeline, const OpList *users)
{
  EchoBlock *block = users->data[0]->block;
  for (size_t i = 1; i < users->size; ++i)
    while (echo_op_ancestor_in_block(users->data[i], block) == NULL)
      block = echo_block_parent(block)->block;
  Span span = {UINT32_MAX, 0};
  for (size_t i = 0; i < users->size; ++i) {
    Span use = span_of(timeline, echo_op_ancestor_in_block(users->data[i], block));
    if (span.begin > use.begin)
      span.begin = use.begin;
    if (span.end < use.end)
      span.end = use.end;
  }
  return span;
}

typedef struct ArenaPlan {
  EchoOp *arena;
  OpList buffers;
  ECHO_VECTOR(EchoOffsetBlock) blocks;
  uint64_t *offsets;
  EchoOffsetResult result;
} ArenaPlan;

static void find_buffers(ArenaPlan *plan, EchoOp *function)
{
  uint64_t alignment = (uint64_t)echo_op_attr_i64(plan->arena, "alignment", 1);
  Timeline timeline;
  timeline_create(&timeline, function);
  OpList users = {0};
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op)) {
    if (!echo_op_is(op, "plan.buffer") ||
        echo_value_def_or_null(echo_op_operand(op, 0)) != plan->arena)
      continue;
    echo_vector_clear(&users);
    collect_users(echo_op_result(op, 0), &users);
    EchoOffsetBlock block = {
        .size_bytes = echo_align_up(echo_type_static_bytes(echo_op_result_type(op, 0)), alignment),
        .alignment = alignment,
        .fixed_offset = ECHO_OFFSET_FREE};
    if (users.size != 0) {
      Span span = lifetime(&timeline, &users);
      block.lower = span.begin;
      block.upper = (int64_t)span.end + 1;
    }
    echo_vector_push(&plan->buffers, op);
    echo_vector_push(&plan->blocks, block);
  }
  echo_vector_destroy(&users);
  echo_map_destroy(&timeline.index);
  echo_vector_destroy(&timeline.spans);
}

static bool solve(ArenaPlan *plan, const EchoOffsetOptions *options)
{
  EchoBuffer error = {0};
  plan->offsets = echo_alloc_array(plan->blocks.size + 1, sizeof(uint64_t));
  bool is_fine = echo_offsets_assign(plan->blocks.data, plan->blocks.size, options, plan->offsets,
                                     &plan->result, &error);
  if (!is_fine)
    echo_op_error(plan->arena, "cannot be planned: %s", echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
  return is_fine;
}

static void write_offsets(const ArenaPlan *plan)
{
  EchoContext *ctx = echo_op_context(plan->arena);
  for (size_t i = 0; i < plan->buffers.size; ++i)
    echo_op_set_attr(plan->buffers.data[i], "offset",
                     echo_attr_i64(ctx, (int64_t)plan->offsets[i]));
  int64_t dims[] = {(int64_t)plan->result.height_bytes};
  echo_op_set_attr(plan->arena, "size_bytes", echo_attr_i64(ctx, dims[0]));
  echo_value_set_type(
      echo_op_result(plan->arena, 0),
      echo_type_memref(ctx, dims, 1, echo_type_integer(ctx, 8, ECHO_SIGNLESS), NULL, NULL));
}

/* Arguments, results and constants: what stands beside the arena. */
static uint64_t outside_bytes(EchoOp *function)
{
  uint64_t bytes = 0;
  const EchoBlock *entry = function->regions[0].first;
  for (size_t i = 0; i < entry->n_args; ++i)
    bytes += echo_type_static_bytes(echo_block_arg(entry, i)->type);
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op))
    if (echo_op_is(op, "plan.constant"))
      bytes += echo_type_static_bytes(echo_op_result_type(op, 0));
  return bytes;
}

static void write_account(EchoOp *module, EchoOp *function, const EchoOffsetResult *result)
{
  EchoContext *ctx = echo_op_context(module);
  uint64_t peak = outside_bytes(function) + result->height_bytes;
  echo_op_set_attr(module, "plan.temp_bytes", echo_attr_i64(ctx, (int64_t)result->height_bytes));
  echo_op_set_attr(module, "plan.bound_bytes", echo_attr_i64(ctx, (int64_t)result->load_bytes));
  echo_op_set_attr(module, "plan.peak_bytes", echo_attr_i64(ctx, (int64_t)peak));
}

static EchoOp *find_arena_or_null(EchoOp *function)
{
  if (function->regions[0].first == NULL)
    return NULL;
  for (EchoOp *op = function->regions[0].first->first; op != NULL; op = op->next)
    if (echo_op_is(op, "plan.arena"))
      return op;
  return NULL;
}

static bool run(EchoPassRun *pass)
{
  EchoOffsetOptions options = {.policy = ECHO_OFFSETS_DEFAULT, .thrift = ECHO_OFFSETS_THRIFT};
  EchoStr policy = echo_pass_option(pass, "policy");
  if (!echo_offset_policy_parse(policy, &options.policy))
    return echo_error(pass->ctx, pass->op->loc, "'%.*s' is no policy of offsets",
                      ECHO_STR_ARG(policy));
  bool is_fine = true;
  EchoOp *planned = NULL;
  for (EchoOp *op = echo_op_body(pass->op, 0)->first; op != NULL && is_fine; op = op->next) {
    ArenaPlan plan = {0};
    if (!echo_op_is(op, "func.func") || (plan.arena = find_arena_or_null(op)) == NULL)
      continue;
    if (planned != NULL)
      return echo_op_error(op, "has an arena too; a step has one");
    planned = op;
    find_buffers(&plan, op);
    is_fine = solve(&plan, &options);
    if (is_fine) {
      write_offsets(&plan);
      write_account(pass->op, op, &plan.result);
    }
    echo_pass_count(pass, "arena-bytes", plan.result.height_bytes);
    echo_pass_count(pass, "bound-bytes", plan.result.bound_bytes);
    echo_vector_destroy(&plan.buffers);
    echo_vector_destroy(&plan.blocks);
    echo_free(plan.offsets);
  }
  return is_fine;
}

static const EchoPassOption OPTIONS[] = {
    {"policy", "how offsets are found (see echo-plan)", "default"}, {NULL, NULL, NULL}};
static const EchoPassStatistic STATISTICS[] = {
    {"arena-bytes", "size of the arena"}, {"bound-bytes", "no arena is smaller"}, {NULL, NULL}};

const EchoPass ECHO_PASS_PLAN_MEMORY = {
    .name = "plan-memory",
    .summary = "give every buffer its place in the arena",
    .anchor = "builtin.module",
    .options = OPTIONS,
    .statistics = STATISTICS,
    .run = run,
};
