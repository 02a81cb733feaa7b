/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --swap: moves buffers to host memory between two uses that lie far apart, and back in time, and
 * arguments that results take the place of from one run to the next, so that the step fits a limit.
 * planning/swap/program.h decides; this file writes plan.swap_out, plan.swap_in and plan.wait into
 * the program. Runs between --bufferize and --plan-memory. */
#include "dialects/func/build.h"
#include "ir/builder.h"
#include "ir/diagnostics.h"
#include "lowering/lowering.h"
#include "lowering/plan/swap_program_t.h"
#include "planning/cost/runtime.h"
#include "planning/offsets/offsets.h"

/* ---- rewriting ---- */

/* Where each value lies in host memory: from the copy out to the end of the copy in. State has its
 * argument there. */
static uint64_t assign_host(const EchoSwapProgram *program, const EchoSwapDecision *decision,
                            uint64_t *offsets)
{
  size_t n = decision->places.size;
  EchoOffsetBlock *blocks = echo_alloc_array(n + 1, sizeof *blocks);
  for (size_t i = 0; i < n; ++i) {
    const EchoSwapPlace *place = &decision->places.data[i];
    bool is_state = program->blocks.data[place->block].is_state;
    blocks[i] = (EchoOffsetBlock){.lower = is_state ? 0 : place->last_step,
                                  .upper = place->next_step,
                                  .size_bytes = is_state ? 0 : place->size_bytes,
                                  .alignment = 1, /* sizes are multiples of the arena's */
                                  .fixed_offset = ECHO_OFFSET_FREE};
  }
  EchoOffsetOptions options = ECHO_OFFSETS_OF_COMPILER;
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
  EchoValue *arena;
  EchoOp *end;             /* of main's block */
  EchoOp **behind;         /* by step: behind which op the next copy out of it begins */
  EchoValue **now;         /* by block: the buffer that holds it at this point */
  EchoValue **outs, **ins; /* by place: the events; NULL = there is no such copy */
  EchoValue **homes;       /* by place: the buffer that it comes back to */
  const uint64_t *host_offsets;
} Rewriter;

static const EchoSwapPlace *place_at(const Rewriter *rewriter, size_t place)
{
  return &rewriter->decision->places.data[place];
}

static const EchoStepBuffer *buffer_at(const Rewriter *rewriter, size_t place)
{
  uint32_t block = place_at(rewriter, place)->block;
  return &rewriter->program->buffers.data[rewriter->program->swap.blocks.data[block].number];
}

static bool is_state_at(const Rewriter *rewriter, size_t place)
{
  return rewriter->program->swap.blocks.data[place_at(rewriter, place)->block].is_state;
}

static EchoOp *step_at(const Rewriter *rewriter, uint32_t step)
{
  return step < rewriter->program->steps.size ? rewriter->program->steps.data[step] : rewriter->end;
}

static EchoValue *build_copy(Rewriter *rewriter, EchoBuilder *builder, const char *name, size_t i,
                             EchoValue *buffer)
{
  const EchoType *event = echo_type_opaque(builder->ctx, ECHO_STR("plan"), ECHO_STR("event"));
  EchoAttrArg attr = {"host_offset",
                      echo_attr_i64(builder->ctx, (int64_t)rewriter->host_offsets[i])};
  EchoValue *operands[] = {buffer, buffer_at(rewriter, i)->value};
  bool is_state = is_state_at(rewriter, i);
  return echo_op_result(
      echo_build_op(builder, name, operands, 1u + is_state, &event, 1, &attr, !is_state), 0);
}

/* Uses from the place's next step on read and write the new buffer, views of it where they used
 * views. */
static void move_uses(Rewriter *rewriter, size_t place)
{
  const EchoStepProgram *program = rewriter->program;
  const EchoStepBuffer *buffer = buffer_at(rewriter, place);
  EchoValue *home = rewriter->homes[place];
  EchoMap views = {0}; /* type -> view of the new buffer */
  EchoBuilder builder = echo_builder_after(echo_value_def_or_null(home));
  for (size_t i = 0; i < buffer->n_uses; ++i) {
    const EchoBufferUse *use = &program->uses.data[buffer->first_use + i];
    if (use->step < place_at(rewriter, place)->next_step)
      continue;
    const EchoType *type = echo_op_operand_type(use->use.op, use->use.operand);
    EchoValue *value = type == home->type ? home : echo_map_get_ptr(&views, type);
    if (value == NULL) {
      value = echo_build_unary(&builder, "plan.view", home, type);
      echo_map_set_ptr(&views, type, value);
    }
    EchoOp *before = echo_value_def_or_null(echo_op_operand(use->use.op, use->use.operand));
    echo_op_set_operand(use->use.op, use->use.operand, value);
    if (before != NULL && echo_plan_opcode(before) == ECHO_PLAN_VIEW &&
        echo_op_result(before, 0)->first_use == NULL)
      echo_op_erase(before);
  }
  echo_map_destroy(&views);
}

/* Copies out of one step begin in the order of their places. */
static void send_out(Rewriter *rewriter, size_t i)
{
  const EchoSwapPlace *place = place_at(rewriter, i);
  EchoBuilder builder = echo_builder_after(rewriter->behind[place->last_step]);
  rewriter->outs[i] =
      build_copy(rewriter, &builder, "plan.swap_out", i, rewriter->now[place->block]);
  rewriter->behind[place->last_step] = echo_value_def_or_null(rewriter->outs[i]);
}

static void bring_home(Rewriter *rewriter, size_t i)
{
  const EchoSwapPlace *place = place_at(rewriter, i);
  EchoBuilder builder = echo_builder_before(step_at(rewriter, place->in_step));
  rewriter->homes[i] = echo_op_result(echo_build_op(&builder, "plan.buffer", &rewriter->arena, 1,
                                                    &rewriter->now[place->block]->type, 1, NULL, 0),
                                      0);
  rewriter->now[place->block] = rewriter->homes[i];
  move_uses(rewriter, i);
}

/* In order of last_step, so that a buffer that goes out twice moves twice. */
static void move_blocks(Rewriter *rewriter)
{
  size_t n_steps = rewriter->program->steps.size;
  for (size_t i = 0; i < rewriter->decision->places.size; ++i) {
    if (place_at(rewriter, i)->copies_out)
      send_out(rewriter, i);
    if (place_at(rewriter, i)->next_step < n_steps)
      bring_home(rewriter, i);
  }
}

static void build_wait(Rewriter *rewriter, uint32_t step, EchoValue *event)
{
  EchoBuilder builder = echo_builder_before(step_at(rewriter, step));
  if (event != NULL)
    echo_build_op(&builder, "plan.wait", &event, 1, NULL, 0, NULL, 0);
}

/* Before one step: first all copies out are waited for, then copies in begin, then the step waits
 * for its own. */
static void build_copies(Rewriter *rewriter)
{
  size_t n = rewriter->decision->places.size;
  for (size_t i = 0; i < n; ++i)
    build_wait(rewriter, place_at(rewriter, i)->wait_step, rewriter->outs[i]);
  for (size_t i = 0; i < n; ++i) {
    EchoBuilder builder = echo_builder_before(step_at(rewriter, place_at(rewriter, i)->in_step));
    if (rewriter->homes[i] != NULL)
      rewriter->ins[i] = build_copy(rewriter, &builder, "plan.swap_in", i, rewriter->homes[i]);
  }
  for (size_t i = 0; i < n; ++i)
    build_wait(rewriter, place_at(rewriter, i)->next_step, rewriter->ins[i]);
}

static void rewrite(const EchoStepProgram *program, EchoOp *function, const EchoOp *arena,
                    const EchoSwapDecision *decision, const uint64_t *host_offsets)
{
  size_t n = decision->places.size, n_steps = program->steps.size;
  Rewriter rewriter = {.program = program,
                       .decision = decision,
                       .arena = echo_op_result(arena, 0),
                       .end = echo_op_body(function, 0)->last,
                       .behind = echo_alloc_array(n_steps + 1, sizeof(EchoOp *)),
                       .now = echo_alloc_array(program->buffers.size + 1, sizeof(EchoValue *)),
                       .outs = echo_alloc_zero(n + 1, sizeof(EchoValue *)),
                       .ins = echo_alloc_zero(n + 1, sizeof(EchoValue *)),
                       .homes = echo_alloc_zero(n + 1, sizeof(EchoValue *)),
                       .host_offsets = host_offsets};
  for (size_t s = 0; s < n_steps; ++s)
    rewriter.behind[s] = program->steps.data[s];
  for (size_t b = 0; b < program->buffers.size; ++b)
    rewriter.now[b] = program->buffers.data[program->swap.blocks.data[b].number].value;
  move_blocks(&rewriter);
  build_copies(&rewriter);
  echo_free(rewriter.behind);
  echo_free(rewriter.now);
  echo_free(rewriter.outs);
  echo_free(rewriter.ins);
  echo_free(rewriter.homes);
}

/* Arguments that wait in the host from run to run are the caller's to have there. */
static void mark_state(EchoOp *function, const EchoStepProgram *program,
                       const EchoSwapDecision *decision)
{
  const EchoBlock *body = echo_op_body(function, 0);
  EchoMap waits = {0};
  for (size_t i = 0; i < decision->places.size; ++i) {
    const EchoSwapPlace *place = &decision->places.data[i];
    uint32_t number = program->swap.blocks.data[place->block].number;
    if (place->last_step == ECHO_SWAP_NEVER)
      echo_map_set(&waits, echo_key(program->buffers.data[number].value), 1);
  }
  for (size_t i = 0; i < body->n_args; ++i)
    if (echo_map_has(&waits, echo_key(echo_block_arg(body, i))))
      echo_func_set_arg_attr(function, i, ECHO_PLAN_IN_HOST,
                             echo_attr_unit(echo_op_context(function)));
  echo_map_destroy(&waits);
}

/* ---- the pass ---- */

/* The limit that --echo leaves on the module when it counts on swapping. */
#define LIMIT_ATTR "echo.swap_limit_bytes"

typedef struct Settings {
  uint64_t limit_bytes; /* of the whole step; UINT64_MAX = none */
  EchoDeviceModel device;
} Settings;

static bool read_settings(EchoPassRun *pass, Settings *settings)
{
  EchoStr limit = echo_pass_option(pass, "limit");
  settings->limit_bytes = (uint64_t)echo_op_attr_i64(pass->op, LIMIT_ATTR, -1);
  if (limit.size != 0 && !echo_str_to_bytes(limit, &settings->limit_bytes))
    return echo_error(pass->ctx, pass->op->loc, "limit is a number of bytes, not '%.*s'",
                      ECHO_STR_ARG(limit));
  return echo_device_model_load(pass->ctx, pass->op->loc, echo_pass_option(pass, "device"),
                                &settings->device);
}

static void carry_out(EchoPassRun *pass, EchoOp *function, const EchoOp *arena,
                      const EchoStepProgram *program, const EchoSwapDecision *decision)
{
  uint64_t *host_offsets = echo_alloc_array(decision->places.size + 1, sizeof *host_offsets);
  size_t n_state = 0;
  assign_host(&program->swap, decision, host_offsets);
  rewrite(program, function, arena, decision, host_offsets);
  mark_state(function, program, decision);
  echo_free(host_offsets);
  for (size_t i = 0; i < decision->places.size; ++i)
    n_state += decision->places.data[i].last_step == ECHO_SWAP_NEVER;
  uint64_t host_bytes = echo_plan_host_bytes(function);
  echo_op_set_attr(pass->op, "plan.host_bytes", echo_attr_i64(pass->ctx, (int64_t)host_bytes));
  echo_op_set_attr(pass->op, "plan.swap_ns", echo_attr_i64(pass->ctx, decision->overhead_ns));
  echo_pass_count(pass, "swaps", decision->places.size - n_state);
  echo_pass_count(pass, "state", n_state);
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
  EchoStepProgram program;
  EchoSwapDecision decision;
  echo_step_program_create(&program, pass->op, function, arena, &settings->device);
  uint64_t beside =
      echo_plan_outside_bytes(function) - echo_swap_program_state_bytes(&program.swap);
  uint64_t limit = settings->limit_bytes > beside ? settings->limit_bytes - beside : 0;
  bool is_fine = true;
  if (program.buffers.size != 0) {
    is_fine =
        echo_swap_decide(&decision, &program.swap, &settings->device, limit, ECHO_SWAP_THOROUGH);
    if (is_fine)
      carry_out(pass, function, arena, &program, &decision);
    else
      echo_op_error(function,
                    "cannot be brought below the limit by swapping: the smallest possible one is "
                    "%llu bytes",
                    (unsigned long long)(beside + echo_swap_least_limit_packed(&program.swap,
                                                                               &settings->device)));
    echo_swap_decision_destroy(&decision);
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
    {"device", "model that times and copies are predicted for: a name or a file", ""},
    {NULL, NULL, NULL}};
static const EchoPassStatistic STATISTICS[] = {{"swaps", "values that go out and come back"},
                                               {"state", "arguments that wait in the host"},
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
