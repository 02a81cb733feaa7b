/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/gpu/machine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what goes wrong ---- */

void machine_stop(Warp *warp, const Insn *insn, Fault fault, unsigned lane, const char *format, ...)
{
  Block *block = warp->block;
  Launch *launch = block->launch;
  if (launch->stopped)
    return;
  launch->stopped = true;
  launch->finding->fault = fault;
  char what[512], line[192];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  ptx_line(launch->module, insn->line, line, sizeof line);
  snprintf(launch->finding->text, sizeof launch->finding->text,
           "kernel '%s' %s: block %u, thread %u, line %u of its PTX: %s", launch->kernel->name,
           what, block->id[0] + launch->grid[0] * (block->id[1] + launch->grid[1] * block->id[2]),
           warp->first_thread + lane, insn->line, line);
}

/* ---- a warp ---- */

static void set_special(Warp *warp, Special special, unsigned lane, uint32_t value)
{
  uint32_t place = warp->block->launch->kernel->specials[special];
  if (place != 0)
    LANES_OF(warp, place, uint32_t)[lane] = value;
}

static void fill_constants(Warp *warp)
{
  const PtxKernel *kernel = warp->block->launch->kernel;
  for (size_t i = 0; i < kernel->n_constants; i++) {
    const PtxConstant *constant = &kernel->constants[i];
    uint8_t *lanes = LANES_OF(warp, constant->place, uint8_t);
    for (unsigned l = 0; l < LANES; l++)
      memcpy(lanes + l * constant->bytes, &constant->value, constant->bytes);
  }
}

/* What is the same in every block. */
static void fill_specials(Warp *warp)
{
  const Launch *launch = warp->block->launch;
  for (unsigned l = 0; l < LANES; l++) {
    uint32_t thread = warp->first_thread + l;
    set_special(warp, SPECIAL_TID_X, l, thread % launch->block[0]);
    set_special(warp, SPECIAL_TID_Y, l, thread / launch->block[0] % launch->block[1]);
    set_special(warp, SPECIAL_TID_Z, l, thread / launch->block[0] / launch->block[1]);
    for (unsigned d = 0; d < 3; d++) {
      set_special(warp, SPECIAL_NTID_X + d, l, launch->block[d]);
      set_special(warp, SPECIAL_NCTAID_X + d, l, launch->grid[d]);
    }
    set_special(warp, SPECIAL_LANEID, l, l);
    set_special(warp, SPECIAL_WARPID, l, warp->first_thread / LANES);
    set_special(warp, SPECIAL_LANEMASK_EQ, l, 1u << l);
    set_special(warp, SPECIAL_LANEMASK_LT, l, (1u << l) - 1);
    set_special(warp, SPECIAL_LANEMASK_LE, l, (1u << l) | ((1u << l) - 1));
    set_special(warp, SPECIAL_LANEMASK_GE, l, ~((1u << l) - 1));
    set_special(warp, SPECIAL_LANEMASK_GT, l, ~((1u << l) | ((1u << l) - 1)));
  }
}

static void start_warp(Warp *warp, uint32_t n_threads)
{
  uint32_t left = n_threads - warp->first_thread;
  warp->live = left >= LANES ? UINT32_MAX : (1u << left) - 1;
  warp->sides[0] = (Side){0, -1, warp->live};
  warp->depth = 1;
  warp->barrier = -1;
  warp->ended = false;
  warp->now = warp->block->access.now;
  for (unsigned l = 0; l < LANES; l++)
    for (unsigned d = 0; d < 3; d++)
      set_special(warp, SPECIAL_CTAID_X + d, l, warp->block->id[d]);
}

/* Splits the lanes of the side that runs. */
static void branch(Warp *warp, Side *side, const Insn *insn, int32_t pc, uint32_t taken)
{
  uint32_t rest = side->mask & warp->live & ~taken;
  int32_t meets = insn->meets;
  if (side->meets == meets)
    warp->depth--; /* who meets there anyway need not come back here first */
  else
    side->pc = meets;
  if (warp->depth + 2 > MAX_DEPTH) {
    machine_stop(warp, insn, FAULT_TRAP, 0, "branches too deep");
    return;
  }
  if (pc + 1 != meets)
    warp->sides[warp->depth++] = (Side){pc + 1, meets, rest};
  if (insn->target != meets)
    warp->sides[warp->depth++] = (Side){insn->target, meets, taken};
}

static void reach_barrier(Warp *warp, const Insn *insn, uint32_t mask)
{
  if (mask != warp->live) {
    unsigned missing = (unsigned)__builtin_ctz(warp->live & ~mask);
    machine_stop(warp, insn, FAULT_BARRIER, missing, "has a barrier that not all threads reach");
    return;
  }
  warp->barrier = insn->mode;
  warp->waits_at = insn->line;
}

/* One instruction that changes where lanes go. False when the warp does not go on. */
static bool change_flow(Warp *warp, Side *side, const Insn *insn, uint32_t mask, uint32_t active)
{
  int32_t pc = side->pc;
  switch ((Flow)insn->flow) {
  case FLOW_BRANCH:
    if (mask == active)
      side->pc = insn->target;
    else if (mask == 0)
      side->pc++;
    else
      branch(warp, side, insn, pc, mask);
    return true;
  case FLOW_EXIT:
    side->pc++;
    warp->live &= ~mask;
    return true;
  case FLOW_BARRIER:
    side->pc++;
    reach_barrier(warp, insn, mask);
    return false;
  case FLOW_TRAP:
    side->pc++;
    if (mask != 0)
      machine_stop(warp, insn, FAULT_TRAP, (unsigned)__builtin_ctz(mask), "traps");
    return true;
  case FLOW_NEXT:
    break;
  }
  return true;
}

/* Up to a barrier, its end, or a finding. */
static void run_warp(Warp *warp)
{
  Launch *launch = warp->block->launch;
  const Insn *insns = launch->kernel->insns;
  Counters *counters = launch->counters;
  uint64_t n_issued = 0, n_lanes = 0;
  while (!launch->stopped) {
    if (warp->depth == 0) {
      warp->ended = true;
      break;
    }
    Side *side = &warp->sides[warp->depth - 1];
    uint32_t active = side->mask & warp->live;
    if (active == 0 || side->pc == side->meets) {
      warp->depth--;
      continue;
    }
    const Insn *insn = &insns[side->pc];
    uint32_t mask = active;
    if (insn->guard != 0) {
      uint32_t guard = *LANES_OF(warp, insn->guard, uint32_t);
      mask &= insn->is_guard_negated ? ~guard : guard;
    }
    n_issued++;
    n_lanes += (unsigned)__builtin_popcount(mask);
    if (insn->flow != FLOW_NEXT) {
      if (!change_flow(warp, side, insn, mask, active))
        break;
      continue;
    }
    if (mask != 0)
      insn->exec(warp, insn, mask);
    side->pc++;
  }
  counters->warp_instructions += n_issued;
  counters->thread_instructions += n_lanes;
}

/* ---- a block ---- */

static Stamp new_stamp(Launch *launch)
{
  return ++*launch->next_stamp;
}

static void begin_stretch(Block *block)
{
  block->access.now = block->access.stretch = new_stamp(block->launch);
  for (unsigned w = 0; w < block->n_warps; w++)
    block->warps[w].now = block->access.now;
}

/* All wait, or have ended. False when the block does not go on. */
static bool release(Block *block)
{
  Warp *first = NULL, *ended = NULL;
  for (unsigned w = 0; w < block->n_warps; w++) {
    Warp *warp = &block->warps[w];
    if (warp->ended)
      ended = warp;
    else if (first == NULL)
      first = warp;
    else if (warp->barrier != first->barrier) {
      Insn at = {.line = warp->waits_at};
      machine_stop(warp, &at, FAULT_BARRIER, 0, "has warps that wait at different barriers");
    }
  }
  if (first != NULL && ended != NULL) {
    Insn at = {.line = first->waits_at};
    machine_stop(ended, &at, FAULT_BARRIER, 0, "has a barrier that not all threads reach");
  }
  if (first == NULL || block->launch->stopped)
    return false;
  for (unsigned w = 0; w < block->n_warps; w++)
    block->warps[w].barrier = -1;
  begin_stretch(block);
  return true;
}

static void run_block(Block *block)
{
  Launch *launch = block->launch;
  uint32_t n_threads = launch->block[0] * launch->block[1] * launch->block[2];
  begin_stretch(block);
  block->access.block_first = block->access.now;
  for (unsigned w = 0; w < block->n_warps; w++)
    start_warp(&block->warps[w], n_threads);
  if (launch->kernel->local_bytes != 0)
    memset(block->local_written, 0, (size_t)n_threads * launch->kernel->local_bytes);
  launch->l1->block++;
  do {
    for (unsigned w = 0; w < block->n_warps && !launch->stopped; w++)
      if (!block->warps[w].ended && block->warps[w].barrier < 0)
        run_warp(&block->warps[w]);
  } while (!launch->stopped && release(block));
}

/* ---- a launch ---- */

static Block *create_block(Launch *launch)
{
  const PtxKernel *kernel = launch->kernel;
  uint32_t n_threads = launch->block[0] * launch->block[1] * launch->block[2];
  size_t shared_bytes = kernel->shared_bytes + launch->dynamic_shared;
  size_t register_bytes = ((size_t)kernel->register_bytes + 63) / 64 * 64;
  Block *block = calloc(1, sizeof *block);
  block->launch = launch;
  block->n_warps = (n_threads + LANES - 1) / LANES;
  block->shared = calloc(shared_bytes + 16, 1);
  block->local = calloc((size_t)n_threads * kernel->local_bytes + 16, 1);
  block->local_written = calloc((size_t)n_threads * kernel->local_bytes + 16, 1);
  shadow_create(&block->shared_shadow, shared_bytes);
  block->access.launch_first = *launch->next_stamp + 1;
  block->access.ordered = launch->ordered;
  block->access.written_from = 1;
  for (unsigned w = 0; w < block->n_warps; w++) {
    Warp *warp = &block->warps[w];
    warp->block = block;
    warp->first_thread = w * LANES;
    warp->registers = aligned_alloc(64, register_bytes);
    memset(warp->registers, 0, register_bytes);
    fill_constants(warp);
    fill_specials(warp);
  }
  return block;
}

static void destroy_block(Block *block)
{
  for (unsigned w = 0; w < block->n_warps; w++)
    free(block->warps[w].registers);
  shadow_destroy(&block->shared_shadow);
  free(block->shared);
  free(block->local);
  free(block->local_written);
  free(block);
}

void machine_run(Launch *launch)
{
  Block *block = create_block(launch);
  uint64_t n_blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
  launch->counters->n_launches++;
  launch->counters->n_blocks += n_blocks;
  launch->counters->n_warps += n_blocks * block->n_warps;
  launch->counters->n_threads +=
      n_blocks * ((uint64_t)launch->block[0] * launch->block[1] * launch->block[2]);
  for (uint64_t b = 0; b < n_blocks && !launch->stopped; b++) {
    block->id[0] = (uint32_t)(b % launch->grid[0]);
    block->id[1] = (uint32_t)(b / launch->grid[0] % launch->grid[1]);
    block->id[2] = (uint32_t)(b / launch->grid[0] / launch->grid[1]);
    run_block(block);
  }
  destroy_block(block);
}
