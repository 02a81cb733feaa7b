/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What lanes of a warp do together: shuffles, votes, barriers of the warp alone, cp.async. */
#include "tests/gpu/access.h"
#include "tests/gpu/lanes.h"

/* Lanes that the instruction names must be there. */
static bool check_members(Warp *warp, const Insn *insn, uint32_t place, uint32_t mask)
{
  uint32_t members = LANES_OF(warp, place, const uint32_t)[__builtin_ctz(mask)];
  if ((members & warp->live & ~mask) == 0 && (mask & ~members) == 0)
    return true;
  machine_stop(warp, insn, FAULT_BARRIER, (unsigned)__builtin_ctz(mask),
               "waits for lanes 0x%x of its warp, but 0x%x are here", members, mask);
  return false;
}

void exec_shuffle(Warp *warp, const Insn *insn, uint32_t mask)
{
  uint32_t *d = LANES_OF(warp, insn->r[0], uint32_t), inside_bits = 0;
  const uint32_t *b = LANES_OF(warp, insn->r[3], uint32_t),
                 *c = LANES_OF(warp, insn->r[4], uint32_t);
  uint32_t a[LANES];
  if (!check_members(warp, insn, insn->r[5], mask))
    return;
  memcpy(a, LANES_OF(warp, insn->r[2], uint32_t), sizeof a);
  EACH_LANE({
    uint32_t shift = b[l] & 31, clamp = c[l] & 31, segment = c[l] >> 8 & 31;
    uint32_t most = (l & segment) | (clamp & ~segment), least = l & segment, from = l;
    bool is_inside = true;
    switch ((ShuffleMode)insn->mode) {
    case SHUFFLE_UP:
      is_inside = (int32_t)l - (int32_t)shift >= (int32_t)most;
      from = l - shift;
      break;
    case SHUFFLE_DOWN:
      from = l + shift;
      is_inside = from <= most;
      break;
    case SHUFFLE_BFLY:
      from = l ^ shift;
      is_inside = from <= most;
      break;
    case SHUFFLE_IDX:
      from = least | (shift & ~segment);
      is_inside = from <= most;
      break;
    }
    from = is_inside ? from & 31 : l;
    if ((mask >> from & 1) == 0) {
      machine_stop(warp, insn, FAULT_UNWRITTEN, l, "shuffles from lane %u, which is not here",
                   from);
      return;
    }
    d[l] = a[from];
    inside_bits |= (uint32_t)is_inside << l;
  });
  if (insn->r[1] != 0) {
    uint32_t *p = LANES_OF(warp, insn->r[1], uint32_t);
    *p = (*p & ~mask) | inside_bits;
  }
}

void exec_vote(Warp *warp, const Insn *insn, uint32_t mask)
{
  if (!check_members(warp, insn, insn->r[2], mask))
    return;
  uint32_t a = *LANES_OF(warp, insn->r[1], uint32_t);
  a = (insn->has_mask ? ~a : a) & mask;
  uint32_t *d = LANES_OF(warp, insn->r[0], uint32_t);
  bool result = false;
  switch ((VoteMode)insn->mode) {
  case VOTE_BALLOT:
    EACH_LANE(d[l] = a);
    return;
  case VOTE_ALL:
    result = a == mask;
    break;
  case VOTE_ANY:
    result = a != 0;
    break;
  case VOTE_UNI:
    result = a == mask || a == 0;
    break;
  }
  *d = (*d & ~mask) | (result ? mask : 0);
}

void exec_active_mask(Warp *warp, const Insn *insn, uint32_t mask)
{
  uint32_t *d = LANES_OF(warp, insn->r[0], uint32_t);
  EACH_LANE(d[l] = mask);
}

/* One thread at a time, so that it is known which value stays. */
void exec_set_conditional(Warp *warp, const Insn *insn, uint32_t mask)
{
  const uint64_t *handle = LANES_OF(warp, insn->r[0], const uint64_t);
  const uint32_t *value = LANES_OF(warp, insn->r[1], const uint32_t);
  unsigned lane = (unsigned)__builtin_ctz(mask);
  if ((mask & (mask - 1)) != 0)
    machine_stop(warp, insn, FAULT_RACE_THREADS, lane,
                 "sets the value of a conditional node beside other threads");
  else if (!condition_set(handle[lane], value[lane]))
    machine_stop(warp, insn, FAULT_BOUNDS, lane, "sets what is no handle of a conditional node");
}

void exec_nothing(Warp *warp, const Insn *insn, uint32_t mask)
{
  (void)warp;
  (void)insn;
  (void)mask;
}

/* From here on the warp's lanes see each other's accesses. */
void exec_sync_warp(Warp *warp, const Insn *insn, uint32_t mask)
{
  if (check_members(warp, insn, insn->r[0], mask))
    warp->now = ++*warp->block->launch->next_stamp;
}

/* ---- cp.async: carried out where it stands; who reads before it waits is found by the state of
 * the bytes ---- */

void exec_copy_async(Warp *warp, const Insn *insn, uint32_t mask)
{
  uint64_t to[LANES], from[LANES];
  const uint32_t *given = LANES_OF(warp, insn->r[4], uint32_t);
  access_addresses(warp, insn->address, insn->is_wide_address, insn->offset, to);
  access_addresses(warp, insn->r[1], insn->r[2] != 0, (int32_t)insn->r[3], from);
  access_count(warp, SPACE_GLOBAL, from, mask, insn->width, false);
  access_count(warp, SPACE_SHARED, to, mask, insn->width, true);
  EACH_LANE({
    uint32_t bytes = insn->r[4] != 0 ? given[l] : insn->width;
    uint8_t value[16] = {0};
    if (bytes > insn->width || (from[l] & (insn->width - 1u)) != 0) {
      machine_stop(warp, insn, FAULT_ALIGNMENT, l, "copies from 0x%llx, which is misaligned",
                   (unsigned long long)from[l]);
      return;
    }
    for (uint32_t i = 0; i < bytes; i += 4) {
      const uint8_t *at =
          access_lane_or_null(warp, insn, SPACE_GLOBAL, from[l] + i, 4, l, ACCESS_READ);
      if (at == NULL)
        return;
      memcpy(value + i, at, 4);
    }
    uint8_t *place =
        access_lane_or_null(warp, insn, SPACE_SHARED, to[l], insn->width, l, ACCESS_WRITE);
    if (place == NULL)
      return;
    memcpy(place, value, insn->width);
  });
}

void exec_async_wait(Warp *warp, const Insn *insn, uint32_t mask)
{
  (void)warp;
  (void)insn;
  (void)mask;
}
