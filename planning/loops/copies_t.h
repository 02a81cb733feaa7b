/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Copies of one computation in a block, as their parts see them: which op is which in each copy,
 * what adds up what they make. */
#ifndef ECHO_PLANNING_LOOPS_COPIES_T_H
#define ECHO_PLANNING_LOOPS_COPIES_T_H

#include "base/map.h"
#include "base/vector.h"
#include "ir/builder.h"
#include "planning/loops/dataflow.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One op in each copy. */
typedef struct EchoCopiesRow {
  EchoOp **ops;                /* one a copy; NULL where there is none */
  EchoOp *any;                 /* the one found first */
  EchoDataflowOrder others;    /* that compute once more what one of `ops` does */
  EchoOp *behind;              /* what follows the last one as that follows the one before it */
  uint32_t joined;             /* union-find: rows that read each other */
  EchoValue *const *arguments; /* where a copy begins: of the block, one a copy, and no ops */
  bool has_level; /* with state between copies: made of the slices that levels are counted by */
  bool is_slice;  /* where a copy begins: `ops` are slices of one array from outside */
  bool is_whole;  /* stands in every copy, and so does all that it reads */
} EchoCopiesRow;

/* init, to which each copy adds what `rows` make, one after the other. */
typedef struct EchoCopiesSum {
  EchoOp *last;      /* the addition that comes to all of it */
  EchoValue *init;   /* NULL: the first addition adds the first two */
  bool adds_right;   /* what is added is the second operand */
  bool is_down;      /* from the last copy to the first */
  uint32_t n_rows;   /* a copy */
  EchoValue **terms; /* n_rows a copy, in the order in which they are added */
} EchoCopiesSum;

/* What each copy reads of its own, in the place of what stands in for it in the first one. */
typedef struct EchoCopiesPick {
  EchoOp *stand_in;
  EchoValue **values; /* one a copy */
} EchoCopiesPick;

/* What each copy reads of the one before it, in the place of what stands in for it in the first. */
typedef struct EchoCopiesState {
  EchoOp *stand_in;
  EchoValue *init;     /* what the first copy reads */
  uint32_t row, index; /* which value of which row is the next one */
  uint32_t next;       /* state + 1 of the same value that begins with another one; 0: none */
} EchoCopiesState;

#define ECHO_COPIES_SEVERAL UINT64_MAX /* place of what is made of several copies */
#define ECHO_COPIES_NO_ROW UINT32_MAX

typedef struct EchoCopies {
  EchoBlock *block;
  int64_t n_copies;
  EchoDataflowOrder order; /* all that is read, operands first, as the block's results name them */
  EchoMap places;          /* value -> its row and copy, or that it is made of several copies */
  ECHO_VECTOR(EchoCopiesRow) rows;
  EchoMap
      made_outside; /* ops of rows that are made of no copy, as others may need them, too -> 1 */
  EchoMap owners;   /* op that is made of no copy -> the one that alone reads it, + 1 */
  ECHO_VECTOR(EchoCopiesSum) sums;
  ECHO_VECTOR(EchoCopiesPick) picks;
  ECHO_VECTOR(EchoCopiesState) states;
  EchoMap state_of; /* row and index -> the first of `states` + 1 */
  uint32_t joined;  /* rows that are to become a loop; ECHO_COPIES_NO_ROW: none */
} EchoCopies;

typedef struct EchoCopiesPlace {
  uint32_t row, copy;
} EchoCopiesPlace;

/* Which value of an op; arguments of one row are the same one. */
static inline uint32_t echo_copies_index(const EchoValue *value)
{
  return value->is_block_arg ? 0 : value->index;
}
/* Whether the value is one of a copy. */
bool echo_copies_place(const EchoCopies *copies, const EchoValue *value, EchoCopiesPlace *place);
/* Whether it is the same for all copies. */
bool echo_copies_is_outside(const EchoCopies *copies, const EchoValue *value);
uint32_t echo_copies_joined(EchoCopies *copies, uint32_t row);
/* Whether each copy may take its own of values of the type, as a row of all of them. */
static inline bool echo_copies_may_pick(const EchoType *type)
{
  return echo_type_is_tensor(type) && echo_type_rank(type) < ECHO_MAX_RANK;
}

/* What the copies of an op read in one place. */
typedef enum EchoCopiesOperand {
  ECHO_COPIES_SAME,  /* from outside */
  ECHO_COPIES_ROW,   /* each what it made, in one row */
  ECHO_COPIES_STATE, /* the first one from outside, the others what the one before made, in one row
                      */
  ECHO_COPIES_PICK,  /* each its own, all from outside */
  ECHO_COPIES_MIXED
} EchoCopiesOperand;
/* `values`: one a copy. `*row` is set for ECHO_COPIES_ROW and ECHO_COPIES_STATE. O(copies). */
EchoCopiesOperand echo_copies_operand(const EchoCopies *copies, EchoValue *const *values,
                                      uint32_t *row);
/* Calls `see` with operand `k` of `at`, which is the row's first op or stands inside it, and the
 * same operand of all copies; of what an op's regions read of its own it is not called. False where
 * `see` is. O(copies * operands). */
typedef bool EchoCopiesSeeOperand(void *user, EchoOp *at, size_t k, EchoValue *const *values);
bool echo_copies_for_row(const EchoCopies *copies, const EchoCopiesRow *row,
                         EchoCopiesSeeOperand *see, void *user);

/* Where slices of one array begin, from the first copy to the last one: along one dimension, as far
 * from each other. */
typedef struct EchoCopiesSlice {
  size_t dim;
  int64_t step;
} EchoCopiesSlice;
int64_t echo_copies_stride(const EchoOp *slice, size_t dim);
/* Whether `n` slices of the same strides are such. */
bool echo_copies_slice(EchoOp *const *slices, size_t n, EchoCopiesSlice *slice);

/* Slices of one array, one size and the same strides that begin at the same place but for dimension
 * `dim`. */
typedef struct EchoCopiesSliceGroup {
  EchoDataflowOrder slices; /* in the order in which they lie */
  size_t dim;
  uint32_t next;    /* group with the same hash */
  int64_t n_copies; /* places where they begin; 0: these do not lie as far from each other */
  bool is_chain;    /* no slices, but ops of which each is made of the one before it */
} EchoCopiesSliceGroup;
typedef struct EchoCopiesSliceGroups {
  ECHO_VECTOR(EchoCopiesSliceGroup) all, chains;
  EchoMap by_hash; /* -> last group + 1 */
} EchoCopiesSliceGroups;
/* All of a block, each slice once for each dimension that it could begin elsewhere in. O(n log n)
 * for n slices. */
void echo_copies_find_slices(const EchoBlock *block, EchoCopiesSliceGroups *groups);
/* Chains of ops that read one value (copies_chains.c); `order`: of dataflow. O(ops). */
void echo_copies_find_chains(const EchoDataflowOrder *order, EchoCopiesSliceGroups *groups);
void echo_copies_destroy_slices(EchoCopiesSliceGroups *groups);
/* Whether slices `i` and `k` of a group begin at the same place. */
bool echo_copies_are_one_place(const EchoCopiesSliceGroup *group, size_t i, size_t k);

/* Ops that are made of no copy and are read by one alone; `begins` are ops that copies begin at,
 * with the number of the copy + 1. O(ops). */
void echo_copies_find_owners(EchoCopies *copies, const EchoMap *begins);
bool echo_copies_is_own(const EchoCopies *copies, const EchoValue *value);
/* Whether `from` and `to` are the same operand of two ops. */
bool echo_copies_are_operands(const EchoOp *a, const EchoOp *b, const EchoValue *from,
                              const EchoValue *to);
/* What copies read of their own is in rows, too, where they make it in the same way; else it is one
 * of `picks`. Rows of `joined`. */
void echo_copies_join_own(EchoCopies *copies, uint32_t joined);

/* Arguments of a block, one a copy. */
typedef struct EchoCopiesArguments {
  EchoValue **arguments;
  int64_t n_copies;
} EchoCopiesArguments;
typedef ECHO_VECTOR(EchoCopiesArguments) EchoCopiesGroups;
/* Those of which copies that are added up read one each. O(ops). */
void echo_copies_find_arguments(const EchoBlock *block, const EchoDataflowOrder *order,
                                EchoCopiesGroups *groups);

/* Rows of copies with state between them, whose number and order are known. `driver` is one of the
 * groups or chains, of as many slices or ops, or, from place `begin` on, of which there are as
 * many. False where there are none. O(ops + pairs that are looked at, so many an op at most). */
bool echo_copies_find_states(EchoCopies *copies, const EchoCopiesSliceGroups *groups,
                             const EchoCopiesSliceGroup *driver, int64_t begin);
/* Moves rows that read nothing but what the copy before made to the end of that, where fewer bytes
 * are carried then. O(copies * operands of rows). */
void echo_copies_move_late(EchoCopies *copies);
/* Of such rows, those that read nothing but what copies may; false where none of them is heavy and
 * has a state other than a sum. */
bool echo_copies_check_states(EchoCopies *copies);

/* Which joined rows hold a heavy op: cheap ops over copies are one kernel as they stand. The caller
 * frees it. */
bool *echo_copies_find_heavy(EchoCopies *copies);
/* The sums in `copies`: those of the rows that are to become a loop, or else of the first that are
 * heavy, which then are. O(ops). */
void echo_copies_find_sums(EchoCopies *copies);
/* A loop over the copies that are to become one, in their place. */
void echo_copies_write(EchoCopies *copies);

#ifdef __cplusplus
}
#endif

#endif
