/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The figure by which AutoSwap (arXiv 1903.06631) compares policies: how far the limit can come
 * down before time is lost. */
#include "tools/echo-plan/commands.h"

/* Limits in a row at which the best plan costs time before its search for a free one ends; each
 * lies one step farther from the last one than that did, for what is free below is free above too.
 */
#define MAX_COSTLY 32

/* Whether the limit costs no time; `*planned_bytes` is then what the plan takes. */
static bool is_free(const EchoSwapTrace *trace, EchoSwapPolicy policy, uint64_t limit,
                    uint64_t *planned_bytes)
{
  EchoSwapPlan plan;
  bool is_met = echo_swap_plan_at(trace, limit, policy, &plan);
  *planned_bytes = plan.planned_peak_bytes;
  echo_vector_destroy(&plan.swaps);
  return is_met && plan.overhead_ns == 0;
}

uint64_t plan_free_limit(const EchoSwapTrace *trace, EchoSwapPolicy policy, uint64_t grain_bytes)
{
  uint64_t least = echo_swap_least_limit(trace), zero = trace->peak_bytes, planned;
  uint64_t limit = zero - zero % grain_bytes;
  unsigned n_costly = 0;
  while (limit >= least && limit > 0) {
    bool fits = is_free(trace, policy, limit, &planned);
    /* What is free at one limit is so wherever it fits, and the best plan at any limit above. */
    if (fits && policy == ECHO_SWAP_BEST && limit < trace->peak_bytes)
      limit = (planned + grain_bytes - 1) / grain_bytes * grain_bytes;
    n_costly = fits ? 0 : n_costly + 1;
    if (fits)
      zero = limit;
    else if (policy != ECHO_SWAP_BEST || n_costly == MAX_COSTLY)
      break;
    uint64_t stride = n_costly > 1 ? n_costly * grain_bytes : grain_bytes;
    if (limit < stride)
      break;
    limit -= stride;
  }
  return zero;
}
