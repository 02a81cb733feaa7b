/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A recompute policy in one file: "densest" would compute again, first of all, what frees the most
 * bytes for each nanosecond of recompute. It proposes the first eighth of the cheap values in that
 * order, the first two eighths, … and all of them; the search does the rest. */
#include <stdlib.h>

#include <echo/base/memory.h>
#include <echo/jit/driver/plugin.h>

#define N_PROPOSALS 8

typedef struct Ranked {
  double density; /* bytes for a nanosecond */
  uint64_t bytes;
  uint32_t candidate;
} Ranked;

/* Densest first; of equals the earlier, so that the order is the same on every machine. */
static int compare(const void *a, const void *b)
{
  const Ranked *x = a, *y = b;
  if (x->density != y->density)
    return x->density > y->density ? -1 : 1;
  return x->candidate < y->candidate ? -1 : 1;
}

static size_t rank(const EchoPolicyRun *run, Ranked *ranked)
{
  size_t n_ranked = 0;
  for (uint32_t i = 0; i < echo_policy_n_candidates(run); i++) {
    const EchoPolicyCandidate *candidate = echo_policy_candidate(run, i);
    if (candidate->is_cheap) /* which says too that it may run again */
      ranked[n_ranked++] =
          (Ranked){(double)candidate->bytes / (candidate->recompute_ns + 1), candidate->bytes, i};
  }
  qsort(ranked, n_ranked, sizeof *ranked, compare);
  return n_ranked;
}

static bool propose(EchoPolicyRun *run)
{
  uint32_t n = echo_policy_n_candidates(run);
  Ranked *ranked = echo_alloc_array(n + 1u, sizeof *ranked);
  bool *is_recomputed = echo_alloc_zero(n + 1u, sizeof *is_recomputed);
  size_t n_ranked = rank(run, ranked), next = 0;
  uint64_t total_bytes = 0, bytes = 0;
  for (size_t i = 0; i < n_ranked; i++)
    total_bytes += ranked[i].bytes;
  bool ok = true;
  for (uint64_t part = 1; part <= N_PROPOSALS && ok; part++) {
    for (; next < n_ranked && bytes * N_PROPOSALS < total_bytes * part; next++) {
      is_recomputed[ranked[next].candidate] = true;
      bytes += ranked[next].bytes;
    }
    ok = echo_policy_propose(run, is_recomputed, true);
  }
  echo_free(is_recomputed);
  echo_free(ranked);
  return ok;
}

const EchoPluginInfo *echo_plugin_info(void);
const EchoPluginInfo *echo_plugin_info(void)
{
  static const EchoPolicy densest = {
      .name = "densest",
      .summary = "most bytes for a nanosecond first",
      .propose = propose,
  };
  static const EchoPolicy *const policies[] = {&densest, NULL};
  static const EchoPluginInfo info = {
      .api_version = ECHO_PLUGIN_API_VERSION,
      .name = "densest",
      .version = "1.0",
      .policies = policies,
  };
  return &info;
}
