/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From addresses of lanes to bytes, each checked: bounds, alignment, written before it is read,
 * races. */
#ifndef ECHO_TESTS_GPU_ACCESS_H
#define ECHO_TESTS_GPU_ACCESS_H

#include "tests/gpu/machine.h"

/* addresses[l] of the lanes in `mask`: the register at `place` (0 = none) plus `offset`. */
void access_addresses(const Warp *warp, uint32_t place, bool is_wide, int64_t offset,
                      uint64_t addresses[LANES]);

typedef enum AccessMode { ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC } AccessMode;

/* Where `bytes` at the addresses of the lanes in `mask` lie: places[l]. False after a finding. */
bool access_lanes(Warp *warp, const Insn *insn, Space space, const uint64_t addresses[LANES],
                  uint32_t mask, size_t bytes, AccessMode mode, uint8_t *places[LANES]);
/* The same of one lane. */
uint8_t *access_lane_or_null(Warp *warp, const Insn *insn, Space space, uint64_t address,
                             size_t bytes, unsigned lane, AccessMode mode);

/* The space that a generic address lies in, and the address there. */
Space access_space(Space space, uint64_t *address);

/* Counts what one instruction of a warp asks of memory. */
void access_count(Warp *warp, Space space, const uint64_t addresses[LANES], uint32_t mask,
                  unsigned bytes, bool is_store);

#endif
