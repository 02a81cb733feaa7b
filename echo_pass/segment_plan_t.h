/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Private to echo_pass/: how a pair of loops is cut into segments (echo_pass/segments.c does it).
 * The invariant: what is decided here holds for every iteration, for each was looked at. */
#ifndef ECHO_ECHO_PASS_SEGMENT_PLAN_T_H
#define ECHO_ECHO_PASS_SEGMENT_PLAN_T_H

#include "echo_pass/loop_pair_t.h"

/* A value that the writer's body takes slices of, and the carried value of the reader that still
 * has them when the writer's iterations run again. */
typedef struct EchoReplaced {
  EchoValue *value;
  uint32_t carried;
} EchoReplaced;

typedef struct EchoSegmentPlan {
  int64_t n_segments, length, n_tail;
  bool *is_carried;    /* by carried value of the writer: no stack of the pair, and it changes */
  bool *is_state;      /* of the writer: the next iteration depends on it */
  bool *is_carried_on; /* of the reader: no stack of the pair, and it changes */
  ECHO_VECTOR(EchoReplaced) replaced;
} EchoSegmentPlan;

/* How the pair is cut where the states are put into segments in their turn, on up to `n_levels`
 * levels. False where it cannot be, or less would not stand then. Destroy in either case.
 * O(iterations * (stacks + levels + what the reader updates)). */
bool echo_segment_plan_create(EchoSegmentPlan *plan, const EchoLoopPair *pair, size_t n_levels);
void echo_segment_plan_destroy(EchoSegmentPlan *plan);

#endif
