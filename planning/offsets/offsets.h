/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Offset assignment ("dynamic storage allocation"): a place in one arena for every buffer, from
 * lifetimes known in advance. The invariant of every plan: two blocks that live at the same time
 * share no byte, unless they belong to the same alias group; echo_offsets_verify checks that
 * without any of this code. Not an allocator: nothing is allocated, and lifetimes never change.
 *
 * Times are plain integers (positions in a schedule); a block lives in [lower, upper). Plans are
 * deterministic: a search ends by counted work, never by the clock, unless the caller's
 * `should_stop` says otherwise. */
#ifndef ECHO_PLANNING_OFFSETS_OFFSETS_H
#define ECHO_PLANNING_OFFSETS_OFFSETS_H

#include "base/string.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A block whose place the plan may choose. */
#define ECHO_OFFSET_FREE UINT64_MAX

/* Blocks of one alias group (a number above 0) share storage: each lies at the group's base plus
 * its alias_offset_bytes, and they may overlap one another in time (in-place results: offset 0;
 * slices of a concatenation: where the slice starts). What a group holds at a time is the hull of
 * its live members. */
typedef struct EchoOffsetBlock {
  int64_t lower, upper;  /* with a period and lower >= upper, the block wraps around the border */
  uint64_t size_bytes;   /* 0 is allowed and takes no room */
  uint64_t alignment;    /* of the offset: a power of two; 0 means 1 */
  uint64_t fixed_offset; /* or ECHO_OFFSET_FREE */
  uint32_t alias_group;  /* 0 = none */
  uint64_t alias_offset_bytes; /* only with a group */
} EchoOffsetBlock;

typedef enum EchoOffsetPolicy {
  ECHO_OFFSETS_DEFAULT, /* fast orders, and as far as needed improvement and exact search */
  ECHO_OFFSETS_SKYLINE, /* the fast orders alone */
  ECHO_OFFSETS_EXACT,   /* branch and bound from the best fast order, without improvement */
  ECHO_OFFSETS_POLICIES /* how many there are */
} EchoOffsetPolicy;

/* "default", "skyline" and "exact", as the command line has them. */
const char *echo_offset_policy_name(EchoOffsetPolicy policy);
/* False when no policy has that name. */
bool echo_offset_policy_parse(EchoStr name, EchoOffsetPolicy *policy);

typedef struct EchoOffsetOptions {
  EchoOffsetPolicy policy;
  int64_t period; /* 0: no wrap-around; else times lie in [0, period] and one iteration follows
                     another */
  uint64_t capacity_bytes; /* of default and exact; 0: the least height; else any plan of at most
                              this, or the proof that there is none (bound_bytes is larger), or
                              neither (height_bytes is larger) when the nodes are spent */
  uint64_t enough_bytes;   /* of default: a plan of at most this ends it; 0: the least height */
  bool is_quick; /* of default: ends before its long searches. Neither this nor enough_bytes leads
                    to a lower plan than without: all that is done before is the same */
  uint64_t max_nodes; /* of the exact searches; 0 = the default */
  uint64_t thrift;    /* the bounded searches spend 1/thrift of what they may; 0 or 1 = all of it */
  bool (*should_stop)(void *user); /* polled by the long searches; NULL = never stop early */
  void *stop_user;
} EchoOffsetOptions;

/* For the compiler, which plans an arena many times: hundredths of a second where the fast orders
 * miss the bound, and a height that echo-plan with all its time improves by a fraction of a
 * percent. All that plan the arena of a step do it with these: what one of them takes for the
 * height is what another comes to. */
#define ECHO_OFFSETS_OF_COMPILER                                                                   \
  (EchoOffsetOptions)                                                                              \
  {                                                                                                \
    .policy = ECHO_OFFSETS_DEFAULT, .is_quick = true, .thrift = 200                                \
  }

typedef struct EchoOffsetResult {
  uint64_t height_bytes; /* largest offset + size */
  uint64_t load_bytes;   /* largest sum of live bytes, each alias group once */
  uint64_t
      bound_bytes;  /* no plan is lower: the load, raised by alignment, fixed offsets and proofs */
  bool is_optimal;  /* height == bound */
  bool was_stopped; /* should_stop ended a search */
  uint64_t n_nodes; /* visited by the exact search */
  uint64_t work;    /* of improvement and exact search, in steps of about a nanosecond */
} EchoOffsetResult;

/* Writes offsets[0 .. n_blocks). Blocks that live in no time or have no bytes get their fixed
 * offset or 0.
 *   returns  false, and appends the reason to *error, when the blocks contradict themselves:
 *            lifetimes that end before they begin, an alignment that is no power of two, sizes
 *            whose sum reaches 2^62, fixed blocks that overlap or are not aligned, a group with
 *            two bases
 *   cost     O(n log n) for the skyline; as echo_offsets_fit for what is no rectangle; then bounded
 *            work, more only where the bound is not reached
 *   source   Burke et al. 2004 (best fit on a skyline); Moffitt 2023 (MiniMalloc: canonical order,
 *            dominance, bounds per section) */
bool echo_offsets_assign(const EchoOffsetBlock *blocks, size_t n_blocks,
                         const EchoOffsetOptions *options, uint64_t *offsets,
                         EchoOffsetResult *result, EchoBuffer *error);

/* The same for lifetimes without a period, such that two sets of blocks that conflict alike get
 * offsets alike, whatever their times are numbers of: what Echo thinks of and what --plan-memory
 * reads off the program. */
bool echo_offsets_assign_canonical(const EchoOffsetBlock *blocks, size_t n_blocks,
                                   const EchoOffsetOptions *options, uint64_t *offsets,
                                   EchoOffsetResult *result, EchoBuffer *error);

/* Blocks one by one in the order given, a group with its first block and fixed blocks before all,
 * each into a hole among those placed before it: the lowest that it fits in, or the smallest. Same
 * errors. O(n log n + k log k), k pairs that overlap in time, or O(n^2) with a small constant where
 * k is larger. */
typedef enum EchoOffsetFit { ECHO_FIT_FIRST, ECHO_FIT_BEST } EchoOffsetFit;
bool echo_offsets_fit(const EchoOffsetBlock *blocks, size_t n_blocks, int64_t period,
                      const uint32_t *order, EchoOffsetFit fit, uint64_t *offsets,
                      EchoOffsetResult *result, EchoBuffer *error);

/* The largest sum of live bytes alone. Same errors. O(n log n). */
bool echo_offsets_load(const EchoOffsetBlock *blocks, size_t n_blocks, int64_t period,
                       uint64_t *load_bytes, EchoBuffer *error);

/* Checks a plan by a sweep over time that knows nothing of how it was made: overlaps, alignment,
 * fixed offsets, one base a group. False, with the first offending pair in *error. Sets
 * *height_bytes when the plan holds. O(n log n). */
bool echo_offsets_verify(const EchoOffsetBlock *blocks, size_t n_blocks, int64_t period,
                         const uint64_t *offsets, uint64_t *height_bytes, EchoBuffer *error);

#ifdef __cplusplus
}
#endif

#endif
