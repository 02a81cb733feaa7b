/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From a recording to a decision that holds with offsets and all. */
#include "base/panic.h"
#include "dialects/plan/plan.h"
#include "planning/offsets/offsets.h"
#include "planning/schedule/storage.h"
#include "planning/swap/record.h"

/* The limit is lowered by what packing loses, at most so often. */
#define MAX_TRIES 8
/* Looked at first, whatever is asked for: what it chooses packs well, and often costs nothing. */
#define QUICK ECHO_SWAP_SWDOA

static void add_places(EchoSwapDecision *decision, const EchoSwapRecording *recording,
                       const EchoSwapPlan *plan)
{
  const EchoSwapTrace *trace = &recording->trace;
  bool *is_chosen = echo_alloc_zero((size_t)trace->n_gaps + 1, sizeof *is_chosen);
  for (size_t k = 0; k < plan->swaps.size; ++k)
    is_chosen[plan->swaps.data[k].gap] = true;
  echo_vector_clear(&decision->places);
  echo_vector_clear(&decision->blocks);
  for (uint32_t g = 0; g < trace->n_gaps; ++g) { /* in order of from_event */
    const EchoSwapGap *gap = &trace->gaps[g];
    if (!is_chosen[g])
      continue;
    echo_vector_push(&decision->places,
                     (EchoSwapPlace){.last_step = recording->steps.data[gap->from_event],
                                     .next_step = recording->steps.data[gap->to_event],
                                     .size_bytes = gap->size_bytes});
    echo_vector_push(&decision->blocks, gap->block);
  }
  echo_free(is_chosen);
}

typedef ECHO_VECTOR(EchoOffsetBlock) OffsetBlocks;

static void add_block(OffsetBlocks *blocks, int64_t lower, int64_t upper, uint64_t size_bytes)
{
  echo_vector_push(blocks, (EchoOffsetBlock){.lower = lower,
                                             .upper = upper,
                                             .size_bytes = size_bytes,
                                             .alignment = ECHO_PLAN_ALIGNMENT,
                                             .fixed_offset = ECHO_OFFSET_FREE});
}

/* The lifetimes that the places leave: a block that goes out is a new one when it is back. */
static void make_blocks(const EchoSwapProgram *program, const EchoSwapDecision *decision,
                        OffsetBlocks *blocks)
{
  size_t n = program->sizes.size;
  int64_t *begin = echo_alloc_array(n + 1, sizeof *begin);
  int64_t *end = echo_alloc_array(n + 1, sizeof *end);
  for (size_t b = 0; b < n; ++b)
    begin[b] = end[b] = 0;
  for (size_t i = program->accesses.size; i-- > 0;)
    begin[program->accesses.data[i].block] = program->accesses.data[i].step;
  for (size_t i = 0; i < program->accesses.size; ++i)
    end[program->accesses.data[i].block] = (int64_t)program->accesses.data[i].step + 1;
  for (size_t i = 0; i < decision->places.size; ++i) {
    const EchoSwapPlace *place = &decision->places.data[i];
    uint32_t b = decision->blocks.data[i];
    add_block(blocks, begin[b], place->wait_step, place->size_bytes);
    begin[b] = place->in_step;
  }
  for (size_t b = 0; b < n; ++b)
    add_block(blocks, begin[b], end[b], program->sizes.data[b]);
  for (size_t s = 0; s < program->inner_bytes.size; ++s)
    if (program->inner_bytes.data[s] > 0)
      add_block(blocks, (int64_t)s, (int64_t)s + 1, (uint64_t)program->inner_bytes.data[s]);
  echo_free(begin);
  echo_free(end);
}

static uint64_t packed_bytes(const EchoSwapProgram *program, const EchoSwapDecision *decision)
{
  OffsetBlocks blocks = {0};
  make_blocks(program, decision, &blocks);
  uint64_t *offsets = echo_alloc_array(blocks.size + 1, sizeof *offsets);
  EchoOffsetOptions options = {.policy = ECHO_OFFSETS_DEFAULT, .thrift = ECHO_OFFSETS_THRIFT};
  EchoOffsetResult result = {0};
  EchoBuffer error = {0};
  bool is_fine =
      echo_offsets_assign_canonical(blocks.data, blocks.size, &options, offsets, &result, &error);
  ECHO_CHECK(is_fine, "a program's blocks contradict themselves: %s", echo_buffer_c_str(&error));
  echo_free(offsets);
  echo_vector_destroy(&blocks);
  return result.height_bytes;
}

/* Bytes live in each step without swaps. */
static int64_t *live_bytes(const EchoSwapProgram *program)
{
  OffsetBlocks blocks = {0};
  EchoSwapDecision none = {0};
  size_t n = program->inner_bytes.size;
  int64_t *live = echo_alloc_zero(n + 1, sizeof *live);
  make_blocks(program, &none, &blocks);
  for (size_t i = 0; i < blocks.size; ++i) {
    live[blocks.data[i].lower] += (int64_t)blocks.data[i].size_bytes;
    live[blocks.data[i].upper] -= (int64_t)blocks.data[i].size_bytes;
  }
  for (size_t s = 1; s <= n; ++s)
    live[s] += live[s - 1];
  echo_vector_destroy(&blocks);
  return live;
}

/* Plans for a limit of `aim`; what the arena then takes. */
static uint64_t plan_for(EchoSwapDecision *decision, const EchoSwapProgram *program,
                         const EchoSwapRecording *recording, const int64_t *live, uint64_t aim,
                         EchoSwapPolicy policy)
{
  EchoSwapPlan plan;
  bool is_met = echo_swap_plan(&recording->trace, aim, policy, &plan);
  ECHO_CHECK(is_met, "a limit that can be met is not");
  add_places(decision, recording, &plan);
  decision->overhead_ns = plan.overhead_ns;
  echo_swap_place(decision->places.data, decision->places.size, live, program->start_ns.data,
                  (uint32_t)program->inner_bytes.size, aim, &recording->transfer);
  echo_vector_destroy(&plan.swaps);
  return packed_bytes(program, decision);
}

/* Plans for the limit, and for lower ones while packing takes more than it. */
static bool decide_by(EchoSwapDecision *decision, const EchoSwapProgram *program,
                      const EchoSwapRecording *recording, const int64_t *live, uint64_t limit_bytes,
                      uint64_t least, EchoSwapPolicy policy)
{
  for (uint64_t i = 0, aim = limit_bytes; i < MAX_TRIES && aim >= least; ++i) {
    uint64_t packed = plan_for(decision, program, recording, live, aim, policy);
    if (packed <= limit_bytes)
      return true;
    uint64_t loss = packed - limit_bytes, step = (aim - least) / MAX_TRIES;
    loss = loss > step ? loss : step;
    if (loss == 0 || loss > aim)
      return false;
    aim -= loss;
  }
  return false;
}

bool echo_swap_decide(EchoSwapDecision *decision, const EchoSwapProgram *program,
                      const EchoSwapRecording *recording, uint64_t limit_bytes,
                      EchoSwapPolicy policy)
{
  *decision = (EchoSwapDecision){0};
  int64_t *live = live_bytes(program);
  uint64_t least = echo_swap_least_limit(&recording->trace);
  bool is_met = limit_bytes >= least &&
                decide_by(decision, program, recording, live, limit_bytes, least, QUICK);
  bool can_be_better = limit_bytes >= least && !(is_met && decision->overhead_ns == 0);
  if (policy != QUICK && can_be_better) {
    EchoSwapDecision other = {0};
    bool other_is_met = decide_by(&other, program, recording, live, limit_bytes, least, policy);
    if (other_is_met && (!is_met || other.overhead_ns < decision->overhead_ns)) {
      EchoSwapDecision swapped = *decision;
      *decision = other;
      other = swapped;
      is_met = true;
    }
    echo_swap_decision_destroy(&other);
  }
  if (!is_met) { /* the lowest of all; what it packs to is the smallest limit */
    decision->least_bytes = plan_for(decision, program, recording, live, least, QUICK);
    is_met = decision->least_bytes <= limit_bytes;
  }
  echo_free(live);
  return is_met;
}

void echo_swap_decision_destroy(EchoSwapDecision *decision)
{
  echo_vector_destroy(&decision->places);
  echo_vector_destroy(&decision->blocks);
}
