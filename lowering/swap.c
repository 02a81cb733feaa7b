/* --swap: moves buffers to host memory between two uses that lie far apart, and back in time, so
 * that the step fits a limit. planning/swap.h decides; this file writes plan.swap_out, plan.swap_in
 * and plan.wait into the program. Runs between --bufferize and --plan-memory. */
#include <stdlib.h>

#include "ir/builder.h"
#include "ir/diagnostics.h"
#include "lowering/lowering.h"
#include "lowering/swap_program.h"
#include "planning/offsets.h"
#include "planning/runtime.h"

/* More candidates than this are not looked at: the largest by bytes * time stay. */
#define MAX_GAPS 256
/* Smaller buffers are not worth a copy. */
#define MIN_BYTES UINT64_C(4096)
/* The limit is lowered by what packing loses, at most so often. */
#define MAX_TRIES 8

/* ---- deciding ---- */

static int by_area(const void *a, const void *b)
{
  const EchoSwapGap *x = a, *y = b;
  double area_x = (double)x->size_bytes * (double)(x->to_ns - x->from_ns);
  double area_y = (double)y->size_bytes * (double)(y->to_ns - y->from_ns);
  if (area_x != area_y)
    return area_x > area_y ? -1 : 1;
  return x->from_event < y->from_event ? -1 : x->from_event > y->from_event;
}

static int by_event(const void *a, const void *b)
{
  const EchoSwapGap *x = a, *y = b;
  return x->from_event < y->from_event ? -1 : x->from_event > y->from_event;
}

/* Between two neighbouring steps, or within one, nothing can be away. */
static void keep_gaps(EchoSwapTrace *trace, const EchoSwapRecording *recording)
{
  uint32_t n = 0;
  for (uint32_t g = 0; g < trace->n_gaps; ++g)
    if (recording->steps.data[trace->gaps[g].to_event] >
        recording->steps.data[trace->gaps[g].from_event] + 1)
      trace->gaps[n++] = trace->gaps[g];
  qsort(trace->gaps, n, sizeof(EchoSwapGap), by_area);
  trace->n_gaps = n < MAX_GAPS ? n : MAX_GAPS;
  qsort(trace->gaps, trace->n_gaps, sizeof(EchoSwapGap), by_event);
}

typedef struct Decision {
  ECHO_VECTOR(EchoSwapPlace) places; /* in order of last_step */
  ECHO_VECTOR(uint32_t) buffers;     /* by place */
  uint64_t least_bytes;              /* no limit below this can be met */
  int64_t overhead_ns;
} Decision;

static EchoSwapTransfer transfer_of(const EchoDeviceModel *device)
{
  return (EchoSwapTransfer){1e9 / device->copy_out_bytes_per_s, device->copy_out_latency_ns,
                            1e9 / device->copy_in_bytes_per_s, device->copy_in_latency_ns};
}

static void add_places(Decision *decision, const EchoSwapTrace *trace,
                       const EchoSwapRecording *recording, const EchoSwapPlan *plan)
{
  bool *is_chosen = echo_alloc_zero((size_t)trace->n_gaps + 1, sizeof *is_chosen);
  for (size_t k = 0; k < plan->swaps.size; ++k)
    is_chosen[plan->swaps.data[k].gap] = true;
  echo_vector_clear(&decision->places);
  echo_vector_clear(&decision->buffers);
  for (uint32_t g = 0; g < trace->n_gaps; ++g) { /* in order of from_event */
    const EchoSwapGap *gap = &trace->gaps[g];
    if (!is_chosen[g])
      continue;
    echo_vector_push(&decision->places,
                     (EchoSwapPlace){.last_step = recording->steps.data[gap->from_event],
                                     .next_step = recording->steps.data[gap->to_event],
                                     .size_bytes = gap->size_bytes});
    echo_vector_push(&decision->buffers, gap->block);
  }
  echo_free(is_chosen);
}

/* What the arena takes once the places are where they are, offsets and all. */
static uint64_t packed_bytes(const EchoSwapProgram *program, const Decision *decision)
{
  ECHO_VECTOR(EchoOffsetBlock) blocks = {0};
  const EchoOffsetBlock free_block = {.alignment = 1, .fixed_offset = ECHO_OFFSET_FREE};
  int64_t *begin = echo_alloc_array(program->buffers.size + 1, sizeof *begin);
  for (size_t b = 0; b < program->buffers.size; ++b)
    begin[b] = program->uses.data[program->buffers.data[b].first_use].step;
  for (size_t i = 0; i < decision->places.size; ++i) {
    const EchoSwapPlace *place = &decision->places.data[i];
    EchoOffsetBlock block = free_block;
    block.lower = begin[decision->buffers.data[i]];
    block.upper = place->wait_step;
    block.size_bytes = place->size_bytes;
    begin[decision->buffers.data[i]] = place->in_step;
    echo_vector_push(&blocks, block);
  }
  for (size_t b = 0; b < program->buffers.size; ++b) {
    const EchoSwapBuffer *buffer = &program->buffers.data[b];
    EchoOffsetBlock block = free_block;
    block.lower = begin[b];
    block.upper = (int64_t)program->uses.data[buffer->first_use + buffer->n_uses - 1].step + 1;
    block.size_bytes = buffer->size_bytes;
    echo_vector_push(&blocks, block);
  }
  for (size_t s = 0; s < program->steps.size; ++s) {
    EchoOffsetBlock block = free_block;
    block.lower = (int64_t)s;
    block.upper = (int64_t)s + 1;
    block.size_bytes = (uint64_t)program->inner_bytes.data[s];
    echo_vector_push(&blocks, block);
  }
  uint64_t *offsets = echo_alloc_array(blocks.size + 1, sizeof *offsets);
  EchoOffsetOptions options = {.policy = ECHO_OFFSETS_DEFAULT, .thrift = ECHO_OFFSETS_THRIFT};
  EchoOffsetResult result = {0};
  EchoBuffer error = {0};
  bool is_fine = echo_offsets_assign(blocks.data, blocks.size, &options, offsets, &result, &error);
  ECHO_CHECK(is_fine, "a program's buffers contradict themselves: %s", echo_buffer_c_str(&error));
  echo_free(offsets);
  echo_free(begin);
  echo_vector_destroy(&blocks);
  return result.height_bytes;
}

/* Lowers the limit by what packing loses until the arena fits. False when it cannot be met. */
static bool decide(const EchoSwapProgram *program, const EchoSwapTrace *trace,
                   const EchoSwapRecording *recording, uint64_t limit, EchoSwapPolicy policy,
                   const EchoSwapTransfer *transfer, Decision *decision)
{
  uint64_t packed = 0, aim = limit;
  decision->least_bytes = echo_swap_least_limit(trace);
  for (int i = 0; i < MAX_TRIES && aim >= decision->least_bytes; ++i) {
    EchoSwapPlan plan;
    bool is_met = echo_swap_plan(trace, aim, policy, &plan);
    if (is_met) {
      add_places(decision, trace, recording, &plan);
      decision->overhead_ns = plan.overhead_ns;
      echo_swap_place(decision->places.data, decision->places.size, program->live_bytes.data,
                      program->start_ns.data, (uint32_t)program->steps.size, aim, transfer);
      packed = packed_bytes(program, decision);
    }
    echo_vector_destroy(&plan.swaps);
    if (!is_met || packed <= limit)
      return is_met;
    aim -= packed - limit < aim ? packed - limit : aim;
  }
  return false;
}

/* ---- rewriting ---- */

/* Where each value lies in host memory: from the copy out to the end of the copy in. */
static uint64_t assign_host(const Decision *decision, uint64_t *offsets)
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
  EchoContext *ctx;
  const EchoSwapProgram *program;
  const Decision *decision;
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
  const EchoSwapProgram *program = rewriter->program;
  const EchoSwapBuffer *buffer = &program->buffers.data[rewriter->decision->buffers.data[place]];
  EchoValue *home = rewriter->homes[place];
  EchoMap views = {0}; /* type -> view of the new buffer */
  EchoBuilder builder = echo_builder_after(echo_value_def_or_null(home));
  for (size_t i = 0; i < buffer->n_uses; ++i) {
    const EchoSwapUse *use = &program->uses.data[buffer->first_use + i];
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
    if (echo_op_is(before, "plan.view") && echo_op_result(before, 0)->first_use == NULL)
      echo_op_erase(before);
  }
  echo_map_destroy(&views);
}

/* In order of last_step, so that a buffer that goes out twice moves twice. */
static void move_buffer(Rewriter *rewriter, size_t i)
{
  const EchoSwapPlace *place = &rewriter->decision->places.data[i];
  uint32_t b = rewriter->decision->buffers.data[i];
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
static void rewrite(EchoContext *ctx, const EchoSwapProgram *program, const Decision *decision,
                    const uint64_t *host_offsets)
{
  size_t n = decision->places.size;
  Rewriter rewriter = {.ctx = ctx,
                       .program = program,
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

static bool report_misfit(EchoOp *function, uint64_t bytes)
{
  return echo_op_error(
      function,
      "cannot be brought below the limit by swapping: the smallest possible one is %llu "
      "bytes",
      (unsigned long long)bytes);
}

static bool swap_function(EchoPassRun *pass, EchoOp *function, const EchoOp *arena,
                          const Settings *settings)
{
  EchoSwapTransfer transfer = transfer_of(&settings->device);
  uint64_t outside = echo_plan_outside_bytes(function);
  uint64_t limit = settings->limit_bytes > outside ? settings->limit_bytes - outside : 0;
  EchoSwapProgram program;
  EchoSwapRecording recording;
  EchoSwapTrace trace;
  EchoBuffer error = {0};
  Decision decision = {0};
  size_t bad_event;
  bool is_fine = true;
  echo_swap_program_create(&program, pass->op, function, arena, &settings->device);
  echo_swap_record(&program, &recording);
  if (recording.events.size != 0) {
    is_fine = echo_swap_trace_create(&trace, recording.events.data, recording.events.size,
                                     recording.sizes.data, (uint32_t)recording.sizes.size, 1,
                                     MIN_BYTES, &transfer, &bad_event, &error);
    ECHO_CHECK(is_fine, "a program's recording contradicts itself: %s", echo_buffer_c_str(&error));
    keep_gaps(&trace, &recording);
    is_fine = decide(&program, &trace, &recording, limit, settings->policy, &transfer, &decision) ||
              report_misfit(function, decision.least_bytes + outside);
    echo_swap_trace_destroy(&trace);
  }
  if (is_fine) {
    uint64_t *host_offsets = echo_alloc_array(decision.places.size + 1, sizeof *host_offsets);
    uint64_t host_bytes = assign_host(&decision, host_offsets);
    rewrite(pass->ctx, &program, &decision, host_offsets);
    echo_free(host_offsets);
    echo_op_set_attr(pass->op, "plan.host_bytes", echo_attr_i64(pass->ctx, (int64_t)host_bytes));
    echo_op_set_attr(pass->op, "plan.swap_ns", echo_attr_i64(pass->ctx, decision.overhead_ns));
    echo_pass_count(pass, "swaps", decision.places.size);
    echo_pass_count(pass, "host-bytes", host_bytes);
  }
  echo_vector_destroy(&decision.places);
  echo_vector_destroy(&decision.buffers);
  echo_swap_recording_destroy(&recording);
  echo_swap_program_destroy(&program);
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
      is_fine = swap_function(pass, op, arena, &settings);
  }
  return is_fine;
}

static const EchoPassOption OPTIONS[] = {
    {"limit", "bytes that the whole step may take (K, M, G allowed); none = what --echo left", ""},
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
