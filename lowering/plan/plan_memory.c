/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --plan-memory: an offset in the arena for every plan.buffer, from lifetimes read off the program
 * itself, and the module's account of what the step takes. */
#include <inttypes.h>

#include "dialects/echo/stages.h"
#include "dialects/plan/plan.h"
#include "ir/builder.h"
#include "ir/diagnostics.h"
#include "lowering/lowering.h"
#include "lowering/plan/arena_plan_t.h"
#include "lowering/plan/plan_lifetimes_t.h"
#include "planning/offsets/offsets.h"

typedef struct ArenaPlan {
  EchoOp *arena;
  EchoPlanLifetimes lifetimes;
  ECHO_VECTOR(EchoOffsetBlock) blocks; /* by buffer */
  uint64_t *offsets;
  EchoOffsetResult result;
} ArenaPlan;

static void make_blocks(ArenaPlan *plan, EchoOp *function)
{
  uint64_t alignment = (uint64_t)echo_op_attr_i64(plan->arena, "alignment", 1);
  echo_plan_lifetimes_create(&plan->lifetimes, function, plan->arena);
  for (size_t i = 0; i < plan->lifetimes.buffers.size; ++i) {
    const EchoPlanBuffer *buffer = &plan->lifetimes.buffers.data[i];
    EchoOffsetBlock block = {
        .size_bytes = buffer->size_bytes, .alignment = alignment, .fixed_offset = ECHO_OFFSET_FREE};
    if (buffer->is_used) {
      block.lower = buffer->live.begin;
      block.upper = (int64_t)buffer->live.end + 1;
    }
    echo_vector_push(&plan->blocks, block);
  }
}

static bool solve(ArenaPlan *plan, const EchoOffsetOptions *options)
{
  EchoBuffer error = {0};
  plan->offsets = echo_alloc_array(plan->blocks.size + 1, sizeof(uint64_t));
  bool is_fine = echo_offsets_assign_canonical(plan->blocks.data, plan->blocks.size, options,
                                               plan->offsets, &plan->result, &error);
  if (!is_fine)
    echo_op_error(plan->arena, "cannot be planned: %s", echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
  return is_fine;
}

static void arena_plan_destroy(ArenaPlan *plan)
{
  echo_plan_lifetimes_destroy(&plan->lifetimes);
  echo_vector_destroy(&plan->blocks);
  echo_free(plan->offsets);
}

uint64_t echo_arena_plan_bytes(EchoOp *function)
{
  const EchoOffsetOptions options = ECHO_OFFSETS_OF_COMPILER;
  ArenaPlan plan = {.arena = echo_plan_arena_or_null(function)};
  make_blocks(&plan, function);
  bool is_fine = solve(&plan, &options);
  uint64_t bytes = is_fine ? plan.result.height_bytes : UINT64_MAX;
  arena_plan_destroy(&plan);
  return bytes;
}

static void write_offsets(const ArenaPlan *plan)
{
  EchoContext *ctx = echo_op_context(plan->arena);
  for (size_t i = 0; i < plan->blocks.size; ++i)
    echo_op_set_attr(plan->lifetimes.buffers.data[i].op, "offset",
                     echo_attr_i64(ctx, (int64_t)plan->offsets[i]));
  int64_t dims[] = {(int64_t)plan->result.height_bytes};
  echo_op_set_attr(plan->arena, "size_bytes", echo_attr_i64(ctx, dims[0]));
  echo_value_set_type(
      echo_op_result(plan->arena, 0),
      echo_type_memref(ctx, dims, 1, echo_type_integer(ctx, 8, ECHO_SIGNLESS), NULL, NULL));
}

/* False with an error where the plan exceeds the budget that the step was made for. */
static bool write_account(EchoOp *module, EchoOp *function, const EchoOffsetResult *result)
{
  EchoContext *ctx = echo_op_context(module);
  uint64_t peak = echo_plan_outside_bytes(function) + result->height_bytes;
  echo_op_set_attr(module, "plan.temp_bytes", echo_attr_i64(ctx, (int64_t)result->height_bytes));
  echo_op_set_attr(module, "plan.bound_bytes", echo_attr_i64(ctx, (int64_t)result->load_bytes));
  echo_op_set_attr(module, "plan.peak_bytes", echo_attr_i64(ctx, (int64_t)peak));
  int64_t budget = echo_op_attr_i64(module, ECHO_BUDGET_ATTR, INT64_MAX);
  return peak <= (uint64_t)budget ||
         echo_op_error(function, "is planned to take %" PRIu64 " bytes; the budget is %" PRId64,
                       peak, budget);
}

static bool run(EchoPassRun *pass)
{
  EchoOffsetOptions options = ECHO_OFFSETS_OF_COMPILER;
  EchoStr policy = echo_pass_option(pass, "policy");
  if (!echo_offset_policy_parse(policy, &options.policy))
    return echo_error(pass->ctx, pass->op->loc, "'%.*s' is no policy of offsets",
                      ECHO_STR_ARG(policy));
  bool is_fine = true;
  EchoOp *planned = NULL;
  for (EchoOp *op = echo_op_body(pass->op, 0)->first; op != NULL && is_fine; op = op->next) {
    ArenaPlan plan = {0};
    if (!echo_op_is(op, "func.func") || (plan.arena = echo_plan_arena_or_null(op)) == NULL)
      continue;
    if (planned != NULL)
      return echo_op_error(op, "has an arena too; a step has one");
    planned = op;
    make_blocks(&plan, op);
    is_fine = solve(&plan, &options);
    if (is_fine) {
      write_offsets(&plan);
      is_fine = write_account(pass->op, op, &plan.result);
    }
    echo_pass_count(pass, "arena-bytes", plan.result.height_bytes);
    echo_pass_count(pass, "bound-bytes", plan.result.bound_bytes);
    arena_plan_destroy(&plan);
  }
  return is_fine;
}

static const EchoPassOption OPTIONS[] = {
    {"policy", "how offsets are found: default, skyline or exact", "default"}, {NULL, NULL, NULL}};
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
