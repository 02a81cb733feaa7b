/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A program whose steps run one after another, and which of its blocks wait in host memory between
 * two of them. Steps are those of its schedule (planning/schedule/storage.h) that read or write a
 * buffer. The invariant: a step needs all the blocks it uses from its start to its end, so nothing
 * is away within a step or between two neighbouring ones; a decision is within its limit, and what
 * it cannot have in time the program waits for. Not a measurement: times are predicted. */
#ifndef ECHO_PLANNING_SWAP_PROGRAM_H
#define ECHO_PLANNING_SWAP_PROGRAM_H

#include "planning/cost/device_model.h"
#include "planning/swap/swap.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ECHO_SWAP_NEVER UINT32_MAX

/* Smaller blocks are not worth a copy. */
#define ECHO_SWAP_MIN_BYTES UINT64_C(4096)

/* A block of state is the caller's: an argument that a result takes the place of. It holds its
 * value before the first step and behind the last, and takes room in every step unless it waits in
 * the host from one run to the next. */
typedef struct EchoSwapBlock {
  uint64_t size_bytes; /* a multiple of the arena's alignment */
  bool is_state;
  uint32_t number; /* the caller's own */
} EchoSwapBlock;

/* Step `step` uses `block`. */
typedef struct EchoSwapAccess {
  uint32_t step, block;
  bool writes;
} EchoSwapAccess;

typedef struct EchoSwapProgram {
  ECHO_VECTOR(int64_t) start_ns; /* of each step, and the end */
  ECHO_VECTOR(EchoSwapBlock) blocks;
  ECHO_VECTOR(EchoSwapAccess) accesses; /* by block, then by step, once sorted */
  ECHO_VECTOR(int64_t) inner_bytes;     /* by step: what lives in no other step */
} EchoSwapProgram;

/* Each access once, and blocks in an order of their accesses alone: two programs that use like
 * blocks alike are decided on alike. Whoever has added accesses calls it before the program is
 * used. O(n log n). */
void echo_swap_program_sort(EchoSwapProgram *program);
void echo_swap_program_destroy(EchoSwapProgram *program);
/* Bytes of the blocks of state. */
uint64_t echo_swap_program_state_bytes(const EchoSwapProgram *program);
/* Bytes that stand in each step when nothing is away. The caller frees it with echo_free. */
int64_t *echo_swap_program_live_bytes(const EchoSwapProgram *program);
EchoSwapTransfer echo_swap_transfer_of(const EchoDeviceModel *device);

/* ---- places of copies ---- */

/* A block is last used in `last_step` and next in `next_step`. The copy out begins behind
 * last_step; before wait_step it is waited for, and the block's place is free from there on; before
 * in_step the copy in begins, into a place of its own, and next_step waits for it. last_step <
 * wait_step <= in_step <= next_step. State that waits in the host from run to run has two of them:
 * in its first, where last_step is NEVER and wait_step 0, it only comes in; in its last, where
 * next_step and in_step are the number of steps, it only goes out, and wait_step may be that, too.
 */
typedef struct EchoSwapPlace {
  uint32_t block;
  uint32_t last_step, next_step;
  bool copies_out; /* false: the host holds the value already, and it is free at once */
  uint64_t size_bytes;
  uint32_t wait_step, in_step;
} EchoSwapPlace;

/* Fills wait_step and in_step of `places`, which stand in order of last_step, NEVER first.
 * live_bytes[0 .. n_steps): when nothing is away. start_ns[0 .. n_steps]: of each step, and the
 * end. Where the places fit the limit at all, what they become does. O(n log n). */
void echo_swap_place(EchoSwapPlace *places, size_t n_places, const int64_t *live_bytes,
                     const int64_t *start_ns, uint32_t n_steps, uint64_t limit_bytes,
                     const EchoSwapTransfer *transfer);

/* What the program then takes longer, with one copy stream each way: copies run in the order in
 * which they are begun, and steps wait for them as the places say. real_ns[0 .. n_steps] is filled
 * with when each step begins, and the end; NULL = nobody asks. O(steps + places). */
int64_t echo_swap_clock(const EchoSwapPlace *places, size_t n_places, const int64_t *start_ns,
                        uint32_t n_steps, const EchoSwapTransfer *transfer, int64_t *real_ns);

/* ---- the decision ---- */

typedef ECHO_VECTOR(EchoSwapPlace) EchoSwapPlaces;

/* How much is looked at: the first greedy choices alone, or exchanges too. */
typedef enum EchoSwapEffort { ECHO_SWAP_QUICK, ECHO_SWAP_THOROUGH } EchoSwapEffort;

/* What is away, so that in no step more than limit_bytes stand; the places of the best choice that
 * was found are appended to `places`, in order of last_step, and what was looked at is added to
 * `work`: steps and places. False when the limit cannot be met.
 * O(gaps * log n) for a quick choice; a bounded number of looks at the whole program else. */
bool echo_swap_choose(const EchoSwapProgram *program, const EchoSwapTransfer *transfer,
                      uint64_t limit_bytes, EchoSwapEffort effort, EchoSwapPlaces *places,
                      int64_t *overhead_ns, uint64_t *work);
/* No limit below this can be met, however it is packed. O(n log n). */
uint64_t echo_swap_least_load(const EchoSwapProgram *program);

/* What to move, where the copies stand, and what that costs. */
typedef struct EchoSwapDecision {
  EchoSwapPlaces places; /* in order of last_step, NEVER first */
  int64_t overhead_ns;
  uint64_t work; /* steps and places that were looked at for it */
} EchoSwapDecision;

/* Decides for a limit on what the arena takes, offsets and all, with the state that stands beside
 * it: where packing loses bytes, the choice is made for a limit that is lower by as much. False
 * when the limit cannot be met. Cost: of a few choices and as many plans of offsets. Destroy with
 * echo_swap_decision_destroy in either case. */
bool echo_swap_decide(EchoSwapDecision *decision, const EchoSwapProgram *program,
                      const EchoDeviceModel *device, uint64_t limit_bytes, EchoSwapEffort effort);
void echo_swap_decision_destroy(EchoSwapDecision *decision);
/* A limit that echo_swap_decide meets, and the lowest that it is known to: what the least load
 * packs to. Cost: of a quick choice and a plan of offsets. */
uint64_t echo_swap_least_limit_packed(const EchoSwapProgram *program,
                                      const EchoDeviceModel *device);

#ifdef __cplusplus
}
#endif

#endif
