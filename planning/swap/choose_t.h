/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Private to planning/swap: a choice of what is away, while it is looked for. The invariant: `load`
 * is that of the choice, and a stay of state is chosen only with the one that wraps. Not a plan:
 * when copies begin is placed anew for each choice that is judged. */
#ifndef ECHO_PLANNING_SWAP_CHOOSE_T_H
#define ECHO_PLANNING_SWAP_CHOOSE_T_H

#include "base/arena.h"
#include "planning/swap/profile_t.h"
#include "planning/swap/program.h"

#define ECHO_NO_STAY UINT32_MAX
/* Steps and places gone through by the clock in one thorough search: some hundredths of a second.
 * Small programs are searched to the end. */
#define ECHO_CHOOSER_MAX_WORK UINT64_C(3000000)
#define ECHO_PLACE_WORK 16 /* of a place, beside that of a step */

/* A time that a block need not be there: between two uses, or, of state, from its last use to its
 * first in the next run. */
typedef struct EchoSwapStay {
  uint32_t block;
  uint32_t last_step, next_step;
  bool wraps;        /* over the end of the run: then next_step is at its beginning */
  bool copies_out;   /* false: the host has the value */
  uint32_t needs;    /* the stay of this state that wraps; ECHO_NO_STAY = of no state */
  uint32_t n_needed; /* of one that wraps: chosen stays that need it */
  uint64_t size_bytes;
  int64_t out_ns, in_ns, away_ns;
} EchoSwapStay;

typedef struct EchoChooser {
  const EchoSwapProgram *program;
  const EchoSwapTransfer *transfer;
  EchoArena arena;
  uint32_t n_steps, n_stays;
  uint64_t limit_bytes;
  EchoSwapStay *stays; /* in order of last_step */
  bool *is_chosen, *best;
  int64_t *live;    /* by step: nothing away */
  EchoProfile load; /* of the choice, what is chosen away for as long as can be */
  int64_t *real_ns;
  EchoSwapPlaces places, best_places;
  int64_t best_ns; /* INT64_MAX: nothing fits yet */
  uint64_t work;
} EchoChooser;

typedef struct EchoRankedStay {
  double score;
  uint32_t stay;
} EchoRankedStay;

/* ---- stays.c ---- */

/* All stays of the program, none of them chosen. Destroy with echo_chooser_destroy. */
void echo_chooser_create(EchoChooser *chooser, const EchoSwapProgram *program,
                         const EchoSwapTransfer *transfer, uint64_t limit_bytes);
void echo_chooser_destroy(EchoChooser *chooser);

/* ---- choice.c ---- */

/* The steps without the block: [begin[0], end[0]) and, around the border, [0, end[1]). */
void echo_stay_parts(const EchoChooser *chooser, const EchoSwapStay *stay, uint32_t begin[2],
                     uint32_t end[2]);
/* What the stay needs is chosen with it, and not given back with it. O(log steps). */
void echo_chooser_put(EchoChooser *chooser, uint32_t g, bool is_chosen);
/* Exactly these; NULL: none. */
void echo_chooser_put_all(EchoChooser *chooser, const bool *is_chosen);
bool echo_chooser_fits(const EchoChooser *chooser);
/* Gives a stay back where the others do without and none of them needs it. O(log steps). */
void echo_chooser_give_back(EchoChooser *chooser, uint32_t g);
/* Keeps the choice where it is the best so far, and is true then. Places are found by the times of
 * the program without copies, and where it waits once more by its times with them. */
bool echo_chooser_judge(EchoChooser *chooser);
/* What the choice takes, by the clock of the lowest limit that it can meet so far. */
int64_t echo_chooser_time_so_far(EchoChooser *chooser);
static inline bool echo_chooser_has_work(const EchoChooser *chooser)
{
  return chooser->best_ns > 0 && chooser->work < ECHO_CHOOSER_MAX_WORK;
}

/* ---- rankings.c ---- */

/* The best score first; of equal ones the earlier stay. For qsort. */
int echo_compare_ranked_stays(const void *a, const void *b);
/* Judges what each ranking chooses, few of them for a quick effort. Returns the work that all of
 * them stand for. */
uint64_t echo_chooser_try_rankings(EchoChooser *chooser, EchoSwapEffort effort);

#endif
