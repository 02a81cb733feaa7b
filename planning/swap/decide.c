/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From a program to a decision that holds with offsets and all. */
#include "base/panic.h"
#include "dialects/plan/plan.h"
#include "planning/offsets/offsets.h"
#include "planning/swap/program.h"

/* The limit is lowered by what packing loses, at most so often, and each time by twice as much at
 * least as the time before: to half of what there is in the end. */
#define MAX_TRIES 6

/* Nanoseconds of a step that the clock goes through: what a search for offsets takes is work, too.
 */
#define STEP_NS 10

typedef ECHO_VECTOR(EchoOffsetBlock) OffsetBlocks;

static void add_block(OffsetBlocks *blocks, int64_t lower, int64_t upper, uint64_t size_bytes)
{
  if (lower < upper)
    echo_vector_push(blocks, (EchoOffsetBlock){.lower = lower,
                                               .upper = upper,
                                               .size_bytes = size_bytes,
                                               .alignment = ECHO_PLAN_ALIGNMENT,
                                               .fixed_offset = ECHO_OFFSET_FREE});
}

/* The lifetimes that the places leave in the arena: a block that goes out is a new one when it is
 * back. Returns the bytes of state that stands beside it. */
static uint64_t make_blocks(const EchoSwapProgram *program, const EchoSwapPlaces *places,
                            OffsetBlocks *blocks)
{
  size_t n = program->blocks.size;
  int64_t n_steps = (int64_t)program->inner_bytes.size;
  int64_t *begin = echo_alloc_array(n + 1, sizeof *begin); /* of the block's present lifetime */
  int64_t *end = echo_alloc_zero(n + 1, sizeof *end);
  uint64_t outside_bytes = 0;
  for (size_t b = 0; b < n; ++b)
    begin[b] = INT64_MAX;
  for (size_t i = 0; i < program->accesses.size; ++i) {
    const EchoSwapAccess *access = &program->accesses.data[i];
    if (program->blocks.data[access->block].is_state)
      continue;
    begin[access->block] =
        begin[access->block] < access->step ? begin[access->block] : access->step;
    end[access->block] = (int64_t)access->step + 1;
  }
  for (size_t i = 0; i < places->size; ++i) {
    const EchoSwapPlace *place = &places->data[i];
    if (place->last_step != ECHO_SWAP_NEVER)
      add_block(blocks, begin[place->block], place->wait_step, place->size_bytes);
    begin[place->block] = place->in_step;
  }
  for (size_t b = 0; b < n; ++b) {
    bool stands_beside = program->blocks.data[b].is_state && begin[b] == INT64_MAX;
    outside_bytes += stands_beside ? program->blocks.data[b].size_bytes : 0;
    add_block(blocks, begin[b], end[b], program->blocks.data[b].size_bytes);
  }
  for (int64_t s = 0; s < n_steps; ++s)
    if (program->inner_bytes.data[s] > 0)
      add_block(blocks, s, s + 1, (uint64_t)program->inner_bytes.data[s]);
  echo_free(begin);
  echo_free(end);
  return outside_bytes;
}

static uint64_t pack(const OffsetBlocks *blocks, uint64_t enough_bytes, uint64_t *offsets,
                     uint64_t *work)
{
  EchoOffsetOptions options = ECHO_OFFSETS_OF_COMPILER;
  EchoOffsetResult result = {0};
  EchoBuffer error = {0};
  options.enough_bytes = enough_bytes;
  bool is_fine =
      echo_offsets_assign_canonical(blocks->data, blocks->size, &options, offsets, &result, &error);
  ECHO_CHECK(is_fine, "a program's blocks contradict themselves: %s", echo_buffer_c_str(&error));
  *work += result.work / STEP_NS;
  return result.height_bytes;
}

/* What the arena then takes at most, and the state beside it: --plan-memory goes on where this ends
 * at the limit. */
static uint64_t packed_bytes(const EchoSwapProgram *program, const EchoSwapPlaces *places,
                             uint64_t limit_bytes, uint64_t *work)
{
  OffsetBlocks blocks = {0};
  uint64_t outside_bytes = make_blocks(program, places, &blocks);
  uint64_t *offsets = echo_alloc_array(blocks.size + 1, sizeof *offsets);
  uint64_t enough_bytes = limit_bytes > outside_bytes ? limit_bytes - outside_bytes : 0;
  uint64_t bytes = pack(&blocks, enough_bytes, offsets, work) + outside_bytes;
  echo_free(offsets);
  echo_vector_destroy(&blocks);
  return bytes;
}

/* Decides for a limit of `aim`; what that then takes, where it is above limit_bytes. */
static uint64_t decide_for(EchoSwapDecision *decision, const EchoSwapProgram *program,
                           const EchoSwapTransfer *transfer, uint64_t aim, uint64_t limit_bytes,
                           EchoSwapEffort effort)
{
  echo_vector_clear(&decision->places);
  bool is_met = echo_swap_choose(program, transfer, aim, effort, &decision->places,
                                 &decision->overhead_ns, &decision->work);
  ECHO_CHECK(is_met, "a limit that can be met is not");
  return packed_bytes(program, &decision->places, limit_bytes, &decision->work);
}

/* Decides for the limit, and for lower ones while packing takes more than it. */
static bool decide_by(EchoSwapDecision *decision, const EchoSwapProgram *program,
                      const EchoSwapTransfer *transfer, uint64_t limit_bytes, uint64_t least,
                      EchoSwapEffort effort)
{
  for (uint64_t i = 0, aim = limit_bytes; i < MAX_TRIES && aim >= least; ++i) {
    uint64_t packed = decide_for(decision, program, transfer, aim, limit_bytes, effort);
    if (packed <= limit_bytes)
      return true;
    uint64_t loss = packed - limit_bytes, step = (limit_bytes - least) >> (MAX_TRIES + 1 - i);
    loss = loss > step ? loss : step;
    if (loss > aim)
      return false;
    aim -= loss;
  }
  return false;
}

bool echo_swap_decide(EchoSwapDecision *decision, const EchoSwapProgram *program,
                      const EchoDeviceModel *device, uint64_t limit_bytes, EchoSwapEffort effort)
{
  EchoSwapTransfer transfer = echo_swap_transfer_of(device);
  uint64_t least = echo_swap_least_load(program);
  *decision = (EchoSwapDecision){0};
  bool is_met = decide_by(decision, program, &transfer, limit_bytes, least, ECHO_SWAP_QUICK);
  if (effort != ECHO_SWAP_QUICK && limit_bytes >= least &&
      !(is_met && decision->overhead_ns == 0)) {
    EchoSwapDecision other = {0};
    bool other_is_met = decide_by(&other, program, &transfer, limit_bytes, least, effort);
    if (other_is_met && (!is_met || other.overhead_ns < decision->overhead_ns)) {
      EchoSwapDecision swapped = *decision;
      *decision = other;
      decision->work += swapped.work;
      other = swapped;
      is_met = true;
    }
    echo_swap_decision_destroy(&other);
  }
  if (is_met)
    return true;
  /* the lowest of all, which others of as high a limit may pack worse than */
  return limit_bytes >= least && decide_for(decision, program, &transfer, least, limit_bytes,
                                            ECHO_SWAP_QUICK) <= limit_bytes;
}

uint64_t echo_swap_least_limit_packed(const EchoSwapProgram *program, const EchoDeviceModel *device)
{
  EchoSwapTransfer transfer = echo_swap_transfer_of(device);
  EchoSwapDecision decision = {0};
  uint64_t least = echo_swap_least_load(program);
  uint64_t bytes = decide_for(&decision, program, &transfer, least, least, ECHO_SWAP_QUICK);
  echo_swap_decision_destroy(&decision);
  return bytes;
}

void echo_swap_decision_destroy(EchoSwapDecision *decision)
{
  echo_vector_destroy(&decision->places);
}
