/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which buffers to move to host memory and back, so that an iteration fits a limit: the planners of
 * AutoSwap (arXiv 1903.06631) and a better one. The invariant: a plan's planned_peak_bytes, which a
 * simulation with both copy streams finds, is at most the limit; what that costs is waiting, never
 * memory. Not an executor: nothing is copied.
 *
 * Time is nominal, nanoseconds from the start of the iteration, and iterations follow one another;
 * what a gap crosses at the end it crosses at the beginning of the next. */
#ifndef ECHO_PLANNING_SWAP_SWAP_H
#define ECHO_PLANNING_SWAP_SWAP_H

#include "base/arena.h"
#include "base/string.h"
#include "base/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum EchoSwapAction {
  ECHO_SWAP_ALLOC,
  ECHO_SWAP_FREE,
  ECHO_SWAP_READ,
  ECHO_SWAP_WRITE,
} EchoSwapAction;

/* One row of a recording, in order of time. Blocks are numbered from 0. */
typedef struct EchoSwapEvent {
  int64_t time_ns;
  uint32_t block;
  EchoSwapAction action;
} EchoSwapEvent;

/* A copy takes ns_per_byte * bytes + latency_ns. */
typedef struct EchoSwapTransfer {
  double out_ns_per_byte, out_latency_ns;
  double in_ns_per_byte, in_latency_ns;
} EchoSwapTransfer;

/* The paper's measurement: out 0.0756 s + 47200, in 0.0823 s + 9700. */
EchoSwapTransfer echo_swap_transfer_default(void);

/* Between two consecutive accesses of a block. */
typedef struct EchoSwapGap {
  uint32_t block;
  uint32_t from_event,
      to_event; /* to_event counts on into the next iteration: it may be >= n_events */
  int64_t from_ns, to_ns;
  int64_t out_ns, in_ns; /* how long the copies take */
  uint64_t size_bytes;
} EchoSwapGap;

/* One iteration. */
typedef struct EchoSwapTrace {
  EchoArena arena;
  EchoSwapEvent *events; /* times from 0 */
  uint32_t n_events;
  int64_t duration_ns;
  uint64_t *sizes;      /* by block */
  int64_t *load;        /* live bytes after each event */
  uint64_t start_bytes; /* live before the first */
  uint64_t peak_bytes;
  EchoSwapGap *gaps; /* of blocks of at least min_bytes */
  uint32_t n_gaps;
} EchoSwapTrace;

/* From a recording of `iterations` like iterations: the middle one is taken, and the next one says
 * when what lives on is needed again. With one iteration a block that was live before and lives on
 * is needed again at its first access. A block whose first event is no alloc was live before; one
 * without a free lives on. The events must be sorted by time and consistent (no use after free, no
 * alloc while live): checked, *bad_event is the index of the first that is not, and the reason is
 * appended to *error. n_events and iterations >= 1. O(n log n). */
bool echo_swap_trace_create(EchoSwapTrace *trace, const EchoSwapEvent *events, size_t n_events,
                            const uint64_t *sizes, uint32_t n_blocks, uint32_t iterations,
                            uint64_t min_bytes, const EchoSwapTransfer *transfer, size_t *bad_event,
                            EchoBuffer *error);
void echo_swap_trace_destroy(EchoSwapTrace *trace);

typedef enum EchoSwapPolicy {
  ECHO_SWAP_BEST,  /* never worse than any below at any limit, and never worse at a larger limit */
  ECHO_SWAP_DOA,   /* duration of absence: gap - out - in */
  ECHO_SWAP_AOA,   /* DOA * size; DOA / size when negative */
  ECHO_SWAP_WDOA,  /* what the load exceeds the limit by, summed over the absence */
  ECHO_SWAP_SWDOA, /* the same, the load lowered by each choice */
  ECHO_SWAP_MIX,   /* a weighted sum of the four, weights searched on a grid */
  ECHO_SWAP_POLICIES,
} EchoSwapPolicy;

const char *echo_swap_policy_name(EchoSwapPolicy policy);
bool echo_swap_policy_parse(EchoStr name, EchoSwapPolicy *policy);

/* One chosen gap and when its copies begin. */
typedef struct EchoSwap {
  uint32_t gap;
  int64_t out_start_ns, in_start_ns; /* nominal; may lie beyond the end: in the next iteration */
} EchoSwap;

typedef struct EchoSwapPlan {
  ECHO_VECTOR(EchoSwap) swaps; /* by out_start_ns */
  uint64_t limit_bytes;        /* that it was made for; at most the one asked for */
  uint64_t planned_peak_bytes;
  int64_t overhead_ns; /* of an iteration in the steady state */
} EchoSwapPlan;

/* The lowest limit that swapping all gaps can meet. O(n log n). */
uint64_t echo_swap_least_limit(const EchoSwapTrace *trace);

/* False when the limit is below echo_swap_least_limit. The caller destroys plan->swaps. Cost: DOA
 * to SWDOA O(n log n + g^2) for g gaps; the mix and the best one that times about 40 and 3000. */
bool echo_swap_plan(const EchoSwapTrace *trace, uint64_t limit_bytes, EchoSwapPolicy policy,
                    EchoSwapPlan *plan);
/* The same for exactly this limit: a larger one may cost more time. */
bool echo_swap_plan_at(const EchoSwapTrace *trace, uint64_t limit_bytes, EchoSwapPolicy policy,
                       EchoSwapPlan *plan);

/* How long the copies take. */
int64_t echo_swap_out_ns(const EchoSwapTransfer *transfer, uint64_t n_bytes);
int64_t echo_swap_in_ns(const EchoSwapTransfer *transfer, uint64_t n_bytes);

/* When to copy, outs forwards in time and ins backwards, and what it costs. False when the choice
 * does not fit. */
bool echo_swap_schedule(const EchoSwapTrace *trace, const bool *is_chosen, uint64_t limit_bytes,
                        EchoSwapPlan *plan);

#ifdef __cplusplus
}
#endif

#endif
