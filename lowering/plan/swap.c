/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --swap: moves buffers to host memory between two uses that lie far apart, and back in time, so
 * that the step fits a limit. planning/swap/record.h decides; this file writes plan.swap_out,
 * plan.swap_in and plan.wait into the program. Runs between --bufferize and --plan-memory. */
#include "ir/builder.h"
#include "ir/diagnostics.h"
#include "lowering/lowering.h"
#include "lowering/plan/swap_program_t.h"
#include "planning/cost/runtime.h"
#include "planning/offsets/offsets.h"

/* ---- rewriting ---- */

/* Where each value lies in host memory: from the copy out to the end of the copy in. */
static uint64_t assign_host(const EchoSwapDecision *decision, uint64_t *offsets)
{
  size_t n = decision->places.size;
  EchoOffsetBlock *blocks = echo_alloc_array(n + 1, sizeof *blocks);
  for (size_t i = 0; i < n; ++i)
    blocks[i] = (EchoOffsetBlock){.lower = decision->places.data[i].last_step,
                                  .upper = decision->places.data[i].next_step,
                                  .size_bytes = decision->places.data[i].size_bytes,
                                  .alignment = 1, /* sizes are multiples of the arena's */
                                  .fixed_offset = ECHO_OFFSET_FREE};
  EchoOffsetOptions options = {.policy = ECHO_OFFSETS_DEFAULT, .thrift = ECHO_OFFSETS_THRIFT};
  EchoOffsetResult result = {0};
  EchoBuffer error = {0};
  bool is_fine = echo_offsets_assign(blocks, n, &options, offsets, &result, &error);
  ECHO_CHECK(is_fine, "host memory contradicts itself: %s", echo_buffer_c_str(&error));
  echo_free(blocks);
  return result.height_bytes;
}

typedef struct Rewriter {
  const EchoStepProgram *program;
  const EchoSwapDecision *decision;
  EchoValue **now;         /* by buffer: the plan.buffer that holds it at this point */
  EchoValue **outs, **ins; /* by place: the events */
  EchoValue **homes;       /* by place: the buffer that it comes back to */
  const uint64_t *host_offsets;
} Rewriter;

static EchoValue *build_copy(EchoBuilder *builder, const char *name, EchoValue *buffer,
                             uint64_t host_offset)
{
  const EchoType *event = echo_type_opaque(builder->ctx, ECHO_STR("plan"), ECHO_STR("event"));
  EchoAttrArg attr = {"host_offset", echo_attr_i64(builder->ctx, (int64_t)host_offset)};
  return echo_op_result(echo_build_op(builder, name, &buffer, 1, &event, 1, &attr, 1), 0);
}

/* Uses from the place's next step on read and write the new buffer, views of it where they used
 * views. */
static void move_uses(Rewriter *rewriter, size_t place)
{
  const EchoStepProgram *program = rewriter->program;
  const EchoStepBuffer *buffer = &program->buffers.data[rewriter->decision->blocks.data[place]];
  EchoValue *home = rewriter->homes[place];
  EchoMap views = {0}; /* type -> view of the new buffer */
  EchoBuilder builder = echo_builder_after(echo_value_def_or_null(home));
  for (size_t i = 0; i < buffer->n_uses; ++i) {
    const EchoBufferUse *use = &program->uses.data[buffer->first_use + i];
    if (use->step < rewriter->decision->places.data[place].next_step)
      continue;
    const EchoType *type = echo_op_operand_type(use->use.op, use->use.operand);
    EchoValue *value = type == home->type ? home : echo_map_get_ptr(&views, type);
    if (value == NULL) {
      value = echo_build_unary(&builder, "plan.view", home, type);
      echo_map_set_ptr(&views, type, value);
    }
    EchoOp *before = echo_value_def_or_null(echo_op_operand(use->use.op, use->use.operand));
    echo_op_set_operand(use->use.op, use->use.operand, value);
    if (echo_plan_opcode(before) == ECHO_PLAN_VIEW && echo_op_result(before, 0)->first_use == NULL)
      echo_op_erase(before);
  }
  echo_map_destroy(&views);
}

/* In order of last_step, so that a buffer that goes out twice moves twice. */
static void move_buffer(Rewriter *rewriter, size_t i)
{
  const EchoSwapPlace *place = &rewriter->decision->places.data[i];
  uint32_t b = rewriter->decision->blocks.data[i];
  EchoValue *source = rewriter->now[b];
  EchoOp *arena = echo_value_def_or_null(echo_op_operand(echo_value_def_or_null(source), 0));
  EchoValue *arena_value = echo_op_result(arena, 0);
  EchoBuilder builder = echo_builder_after(rewriter->program->steps.data[place->last_step]);
  rewriter->outs[i] = build_copy(&builder, "plan.swap_out", source, rewriter->host_offsets[i]);
  builder = echo_builder_before(rewriter->program->steps.data[place->in_step]);
  rewriter->homes[i] = echo_op_result(
      echo_build_op(&builder, "plan.buffer", &arena_value, 1, &source->type, 1, NULL, 0), 0);
  rewriter->now[b] = rewriter->homes[i];
  move_uses(rewriter, i);
}

static void build_wait(Rewriter *rewriter, uint32_t step, EchoValue *event)
{
  EchoBuilder builder = echo_builder_before(rewriter->program->steps.data[step]);
  echo_build_op(&builder, "plan.wait", &event, 1, NULL, 0, NULL, 0);
}

/* Before one step: first all copies out are waited for, then copies in begin, then the step waits
 * for its own. */
static void rewrite(const EchoStepProgram *program, const EchoSwapDecision *decision,
                    const uint64_t *host_offsets)
{
  size_t n = decision->places.size;
  Rewriter rewriter = {.program = program,
                       .decision = decision,
                       .now = echo_alloc_array(program->buffers.size + 1, sizeof(EchoValue *)),
                       .outs = echo_alloc_array(n + 1, sizeof(EchoValue *)),
                       .ins = echo_alloc_array(n + 1, sizeof(EchoValue *)),
                       .homes = echo_alloc_array(n + 1, sizeof(EchoValue *)),
                       .host_offsets = host_offsets};
  for (size_t b = 0; b < program->buffers.size; ++b)
    rewriter.now[b] = echo_op_result(program->buffers.data[b].op, 0);
  for (size_t i = 0; i < n; ++i)
    move_buffer(&rewriter, i);
  for (size_t i = 0; i < n; ++i)
    build_wait(&rewriter, decision->places.data[i].wait_step, rewriter.outs[i]);
  for (size_t i = 0; i < n; ++i) {
    EchoBuilder builder =
        echo_builder_before(program->steps.data[decision->places.data[i].in_step]);
    rewriter.ins[i] = build_copy(&builder, "plan.swap_in", rewriter.homes[i], host_offsets[i]);
  }
  for (size_t i = 0; i < n; ++i)
    build_wait(&rewriter, decision->places.data[i].next_step, rewriter.ins[i]);
  echo_free(rewriter.now);
  echo_free(rewriter.outs);
  echo_free(rewriter.ins);
  echo_free(rewriter.homes);
}

/* ---- the pass ---- */

/* The limit that --echo leaves on the module when it counts on swapping. */
#define LIMIT_ATTR "echo.swap_limit_bytes"

typedef struct Settings {
  uint64_t limit_bytes; /* of the whole step; UINT64_MAX = none */
  EchoSwapPolicy policy;
  EchoDeviceModel device;
} Settings;

static bool read_settings(EchoPassRun *pass, Settings *settings)
{
  EchoStr limit = echo_pass_option(pass, "limit"), policy = echo_pass_option(pass, "policy");
  settings->limit_bytes = (uint64_t)echo_op_attr_i64(pass->op, LIMIT_ATTR, -1);
  if (limit.size != 0 && !echo_str_to_bytes(limit, &settings->limit_bytes))
    return echo_error(pass->ctx, pass->op->loc, "limit is a number of bytes, not '%.*s'",
                      ECHO_STR_ARG(limit));
  if (!echo_swap_policy_parse(policy, &settings->policy))
    return echo_error(pass->ctx, pass->op->loc, "'%.*s' is no policy of swapping",
                      ECHO_STR_ARG(policy));
  return echo_device_model_load(pass->ctx, pass->op->loc, echo_pass_option(pass, "device"),
                                &settings->device);
}

static void carry_out(EchoPassRun *pass, const EchoStepProgram *program,
                      const EchoSwapDecision *decision)
{
  uint64_t *host_offsets = echo_alloc_array(decision->places.size + 1, sizeof *host_offsets);
  uint64_t host_bytes = assign_host(decision, host_offsets);
  rewrite(program, decision, host_offsets);
  echo_free(host_offsets);
  echo_op_set_attr(pass->op, "plan.host_bytes", echo_attr_i64(pass->ctx, (int64_t)host_bytes));
  echo_op_set_attr(pass->op, "plan.swap_ns", echo_attr_i64(pass->ctx, decision->overhead_ns));
  echo_pass_count(pass, "swaps", decision->places.size);
  echo_pass_count(pass, "host-bytes", host_bytes);
}

/* A second plan would not know what the first one keeps in host memory. */
static bool check_no_swaps(EchoOp *function)
{
  EchoOp *swap = echo_plan_first_or_null(function, ECHO_PLAN_SWAP);
  return swap == NULL || echo_op_error(swap, "is there already: buffers are swapped once");
}

static bool swap_function(EchoPassRun *pass, EchoOp *function, const EchoOp *arena,
                          const Settings *settings)
{
  uint64_t outside = echo_plan_outside_bytes(function);
  uint64_t limit = settings->limit_bytes > outside ? settings->limit_bytes - outside : 0;
  EchoStepProgram program;
  bool is_fine = true;
  echo_step_program_create(&program, pass->op, function, arena, &settings->device);
  if (program.buffers.size != 0) {
    EchoSwapRecording recording;
    EchoSwapDecision decision;
    echo_swap_recording_create(&recording, &program.swap, &settings->device);
    is_fine = echo_swap_decide(&decision, &program.swap, &recording, limit, settings->policy);
    if (is_fine)
      carry_out(pass, &program, &decision);
    else
      echo_op_error(function,
                    "cannot be brought below the limit by swapping: the smallest possible one is "
                    "%llu bytes",
                    (unsigned long long)(decision.least_bytes + outside));
    echo_swap_decision_destroy(&decision);
    echo_swap_recording_destroy(&recording);
  }
  echo_step_program_destroy(&program);
  return is_fine;
}

static bool run(EchoPassRun *pass)
{
  Settings settings;
  bool is_fine = read_settings(pass, &settings);
  bool has_limit = settings.limit_bytes != UINT64_MAX;
  for (EchoOp *op = echo_op_body(pass->op, 0)->first; op != NULL && is_fine && has_limit;
       op = op->next) {
    const EchoOp *arena = echo_op_is(op, "func.func") ? echo_plan_arena_or_null(op) : NULL;
    if (arena != NULL)
      is_fine = check_no_swaps(op) && swap_function(pass, op, arena, &settings);
  }
  return is_fine;
}

static const EchoPassOption OPTIONS[] = {
    {"limit",
     "bytes that the whole step may take (units such as MiB or GB allowed); none = what --echo "
     "left",
     ""},
    {"policy", "how gaps are chosen (see echo-plan)", "best"},
    {"device", "model that times and copies are predicted for: a name or a file", ""},
    {NULL, NULL, NULL}};
static const EchoPassStatistic STATISTICS[] = {{"swaps", "values that go out and come back"},
                                               {"host-bytes", "what they take of host memory"},
                                               {NULL, NULL}};

const EchoPass ECHO_PASS_SWAP = {
    .name = "swap",
    .summary = "move buffers to host memory and back, so that the step fits a limit",
    .anchor = "builtin.module",
    .options = OPTIONS,
    .statistics = STATISTICS,
    .run = run,
};
