/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Private to planning/offsets*.c: the blocks brought to one form. An item is what gets one offset:
 * a block or an alias group; its segments say which bytes above the base it takes in which sections
 * of compressed time. The invariant: the segments of an item are disjoint in time, in order and not
 * empty; sizes and offsets are multiples of `grain` within the problem and plans stay valid for the
 * blocks as given. */
#ifndef ECHO_PLANNING_OFFSETS_PROBLEM_T_H
#define ECHO_PLANNING_OFFSETS_PROBLEM_T_H

#include "base/arena.h"
#include "base/vector.h"
#include "planning/offsets/offsets.h"

typedef struct EchoOffsetSegment {
  uint32_t begin, end; /* sections [begin, end) */
  uint64_t low, high;  /* bytes [base + low, base + high) */
} EchoOffsetSegment;

typedef struct EchoOffsetItem {
  uint32_t first_segment, n_segments;
  uint32_t begin, end;   /* hull in time */
  uint64_t lifetime;     /* of the hull, in the time of the blocks as given */
  uint64_t size;         /* largest high of a segment */
  uint64_t top;          /* the same before rounding */
  uint64_t alignment;    /* at least the grain */
  uint64_t fixed_offset; /* or ECHO_OFFSET_FREE */
} EchoOffsetItem;

typedef struct EchoOffsetProblem {
  EchoArena arena; /* all below lives here */
  EchoOffsetItem *items;
  EchoOffsetSegment *segments; /* by item */
  uint32_t *item_of_block;     /* UINT32_MAX: takes no room */
  uint32_t n_items, n_segments, n_sections, n_blocks;
  uint64_t grain; /* the least alignment: all offsets are multiples */
  uint64_t max_alignment;
  uint64_t *section_load; /* grain-rounded live bytes by section */
  uint64_t load_bytes;    /* largest sum of live bytes as given */
  uint64_t bound_bytes;   /* of the true height */
  uint64_t rounded_bound; /* of the height in rounded bytes */
  bool is_plain;          /* every item is one rectangle from its base, free to move */
  bool has_fixed;
  bool is_flat; /* every segment begins at its item's base: who lies above whom is an order */
} EchoOffsetProblem;

bool echo_offset_problem_create(EchoOffsetProblem *problem, const EchoOffsetBlock *blocks,
                                size_t n_blocks, int64_t period, EchoBuffer *error);
void echo_offset_problem_destroy(EchoOffsetProblem *problem);

/* A base for every item and the height of the whole, in rounded bytes. */
typedef struct EchoOffsetPlan {
  uint64_t *bases; /* by item */
  uint64_t height;
} EchoOffsetPlan;

/* plan = bases, with the height that they give. */
void echo_offset_plan_set(const EchoOffsetProblem *problem, const uint64_t *bases,
                          EchoOffsetPlan *plan);
/* By item: the last one before it that is the same in all but its number, or UINT32_MAX. */
void echo_offset_find_twins(const EchoOffsetProblem *problem, uint32_t *twins);

/* planning/offsets/fit.c: items one by one, in the order given, into holes among those already
 * placed. */
typedef enum EchoOffsetOrder {
  ECHO_ORDER_SIZE,
  ECHO_ORDER_AREA,
  ECHO_ORDER_LIFETIME,
  ECHO_ORDER_START,
} EchoOffsetOrder;
/* Fills order[0 .. n_items): fixed items first, then by key, ties by size, start and number. */
void echo_offset_order(const EchoOffsetProblem *problem, EchoOffsetOrder key, uint32_t *order);
/* Who overlaps whom in time, precomputed where it is small enough; else found by an interval tree
 * or a scan. */
typedef struct EchoOffsetFitter EchoOffsetFitter;
EchoOffsetFitter *echo_offset_fitter_create(const EchoOffsetProblem *problem, EchoArena *arena);
void echo_offset_fitter_destroy(EchoOffsetFitter *fitter);
/* False when fixed items overlap (then plan->bases is undefined). */
bool echo_offset_fit(EchoOffsetFitter *fitter, const uint32_t *order, EchoOffsetFit fit,
                     EchoOffsetPlan *plan);
/* Steps one more call of echo_offset_fit may take, about. */
uint64_t echo_offset_fit_work(const EchoOffsetFitter *fitter);

/* planning/offsets/skyline.c: for problems that are plain. Of the items that fit in the lowest pit
 * the first in `order` is taken. Returns how many steps (about a nanosecond each) it took. */
uint64_t echo_offset_skyline(const EchoOffsetProblem *problem, const uint32_t *order,
                             EchoOffsetPlan *plan);

typedef struct EchoOffsetSearchLimits {
  uint64_t max_nodes;
  uint64_t n_nodes;   /* counted up */
  uint64_t n_steps;   /* counted up: members of cliques that ascending looked at */
  uint64_t max_steps; /* of it; 0 = as many as its nodes take */
  uint64_t enough;    /* a plan of this height ends everything; 0 = none */
  bool (*should_stop)(void *user);
  void *stop_user;
  bool was_stopped;
} EchoOffsetSearchLimits;

/* planning/offsets/improve.c: betters `best` until it is no higher than `height` or about
 * `max_work` steps are spent, by skylines where `fitter` is NULL, else by fits, or until it is no
 * higher than limits->enough, which does not change what is tried before. `order` is the order to
 * start from; it is changed. Returns the steps spent. */
uint64_t echo_offset_improve(EchoOffsetFitter *fitter, const EchoOffsetProblem *problem,
                             uint32_t *order, uint64_t height, uint64_t max_work,
                             EchoOffsetSearchLimits *limits, EchoOffsetPlan *best);

/* planning/offsets/search.c: is there a plan of at most `height`? */
typedef enum EchoSearchAnswer {
  ECHO_SEARCH_FOUND,
  ECHO_SEARCH_NONE,
  ECHO_SEARCH_GAVE_UP
} EchoSearchAnswer;
/* Problems without fixed items only. */
EchoSearchAnswer echo_offset_search(const EchoOffsetProblem *problem, uint64_t height,
                                    EchoOffsetSearchLimits *limits, EchoOffsetPlan *plan);

/* planning/offsets/ascend.c: is there a plan of at most `capacity` bytes as given, unrounded? Gives
 * up at once where segments do not begin at their items' bases, or where too many items meet. */
EchoSearchAnswer echo_offset_ascend(const EchoOffsetProblem *problem, uint64_t capacity,
                                    EchoOffsetSearchLimits *limits, EchoOffsetPlan *plan);

/* planning/offsets/dissect.c: a plan without any slack, by planar embedding. True when one was
 * found within about max_work steps; false says nothing. At once false for problems that have slack
 * or are not plain. */
bool echo_offset_dissect(const EchoOffsetProblem *problem, uint64_t max_work, EchoOffsetPlan *plan);

#endif
