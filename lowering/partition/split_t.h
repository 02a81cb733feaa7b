/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How a value is had by many processes, and what an op makes of that. Shapes here are those of one
 * process that had all of it. Private to lowering/partition/.
 *
 * The number of a process is a row of digits, which are what the axes of all meshes have in common:
 * of <2, 4> and <4, 2> they are 2, 2, 2. A digit picks of a dimension's elements: element e is had
 * by those whose digit is e / span % size. So a batch is still known inside of a dimension that it
 * was merged into, and axes that meet in one dimension stand in any order. */
#ifndef ECHO_LOWERING_PARTITION_SPLIT_T_H
#define ECHO_LOWERING_PARTITION_SPLIT_T_H

#include "base/map.h"
#include "base/vector.h"
#include "dialects/echo/parts.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/builder.h"

enum { ECHO_AT_NONE = 0xff, ECHO_AT_SUM = 0xfe }; /* ECHO_MAX_RANK is less */

/* Where one digit picks. */
typedef struct EchoPlace {
  int64_t span;
  uint8_t
      dim; /* ECHO_AT_NONE: nowhere; ECHO_AT_SUM: all that differ in it combined are the whole */
} EchoPlace;

/* A place for each digit, and how what is partial is combined. Those of one EchoSplits are kept
 * once: equal ones are one pointer, and NULL is whole. */
typedef struct EchoSplit {
  EchoHloOpcode combiner; /* ECHO_N_HLO_OPCODES where nothing is partial */
  EchoPlace at[ECHO_MAX_CUT_AXES];
} EchoSplit;

/* What was found out of a function. */
typedef struct EchoSplits {
  EchoArena *arena;
  int64_t n_processes;
  bool has_shard_calls; /* what each process does stands between calls, in no region of its own */
  size_t n_digits;
  struct {
    int64_t stride, size;      /* in processes */
  } digits[ECHO_MAX_CUT_AXES]; /* the slowest first; all of them make n_processes */
  /* hash -> index in `unique` of the first that has it */
  EchoMap kept;
  /* EchoValue * -> EchoSplit *; none: whole */
  EchoMap of_value;
  /* EchoOp * -> index in `wants` of its first operand; none: all whole */
  EchoMap of_op;
  /* EchoValue * -> EchoSplit * as all its readers take it */
  EchoMap demands;
  /* EchoValue *: only sums read it that can be of parts as well */
  EchoMap either;
  /* EchoValue * -> EchoSplit * as its op makes it, before it is cut as in of_value */
  EchoMap computed;
  /* EchoValue *: begins with zeros, and is a sum of whatever is added to it */
  EchoMap sums;
  ECHO_VECTOR(const EchoSplit *) unique;
  ECHO_VECTOR(const EchoSplit *) wants;
  /* Of a program that processes run each on its own values (own_values.c): NULL where it is for all
   * of them, and its values are those of all. */
  const struct EchoOwnValues *own;
} EchoSplits;

/* Digits as bits. Values without an entry differ between processes. */
typedef struct EchoOwnValues {
  EchoMap same;       /* EchoValue * -> digits along which all processes have the same */
  EchoMap sums;       /* all_reduce -> digits over which it reduces, members in their order */
  int64_t n_replicas; /* of the module */
  bool keeps_order;   /* of sums: what is cut is not added up part by part */
} EchoOwnValues;

/* ---- digits ---- */

/* Digits of `n` processes that each of `parts` (n_parts of them, NULLs among them) is made of; one
 * that does not nest with those before it is left out, and has no split. */
void echo_splits_create(EchoSplits *splits, EchoArena *arena, int64_t n,
                        const EchoAttr *const *parts, size_t n_parts);
/* As it was created: what was found of values and ops is gone. */
void echo_splits_forget(EchoSplits *splits);
void echo_splits_destroy(EchoSplits *splits);

/* ---- splits ---- */

/* Nothing is cut. */
EchoSplit echo_split_none(void);
/* A copy to change; of NULL one that cuts nothing. */
EchoSplit echo_split_copy(const EchoSplit *split_or_null);
const EchoSplit *echo_split_keep(EchoSplits *splits, const EchoSplit *split);
/* Whether the digit can be put there: it picks from [span, span * size) of the dimension's `size`
 * elements, which those of `split` leave alone. */
bool echo_split_has_room(const EchoSplits *splits, const EchoSplit *split, size_t digit,
                         EchoPlace place, int64_t size);
/* `own`, and what `given` cuts beside it of a value of `type`. */
const EchoSplit *echo_split_joined(EchoSplits *splits, const EchoSplit *own_or_null,
                                   const EchoSplit *given_or_null, const EchoType *type);
/* Without what is partial. */
const EchoSplit *echo_split_without_sums(EchoSplits *splits, const EchoSplit *split_or_null);
/* What is partial alone. */
bool echo_split_has_sums(const EchoSplits *splits, const EchoSplit *split_or_null);

static inline bool echo_place_equal(EchoPlace a, EchoPlace b)
{
  return a.dim == b.dim && (a.dim >= ECHO_AT_SUM || a.span == b.span);
}
static inline bool echo_place_cuts(EchoPlace place)
{
  return place.dim < ECHO_AT_SUM;
}

/* As `parts` (ECHO_PARTS) say; false where they do not divide the type, or are of no digits. */
bool echo_split_of_parts(EchoSplits *splits, const EchoAttr *parts, const EchoType *whole,
                         const EchoSplit **split);
/* The other way. Each dimension is to be cut from its outermost on (echo_split_is_plain). */
const EchoAttr *echo_split_parts(const EchoSplits *splits, EchoContext *ctx,
                                 const EchoSplit *split_or_null, const EchoType *whole);
bool echo_split_is_plain(const EchoSplits *splits, const EchoSplit *split_or_null,
                         const EchoType *whole);
/* The type of what one process has. */
const EchoType *echo_split_type(const EchoSplits *splits, EchoContext *ctx, const EchoType *whole,
                                const EchoSplit *split_or_null);
/* How many processes have another part. */
int64_t echo_split_n_parts(const EchoSplits *splits, const EchoSplit *split_or_null);

/* ---- values of each process's own (own_values.c) ---- */

/* All digits where there is nothing of its own. */
uint64_t echo_same_digits(const EchoSplits *splits, const EchoValue *value);
/* Those along which `op` gives the same everywhere: none where it gives nothing. */
uint64_t echo_same_results(const EchoSplits *splits, const EchoOp *op);
/* `split` where processes have the same of `value`: no more can be cut. */
const EchoSplit *echo_split_of_same(EchoSplits *splits, const EchoSplit *split_or_null,
                                    const EchoValue *value);
/* Finds both maps of `own` for main, whose arguments have `args` in common (digits as bits). False
 * after an error. O(ops) but for loops: see echo_splits_follow. */
bool echo_own_values_find(EchoSplits *splits, EchoOwnValues *own, EchoOp *main,
                          const uint64_t *args);
void echo_own_values_destroy(EchoOwnValues *own);
/* What `op`, an all_reduce, is known to reduce over: a split of its operands as summands; NULL: it
 * stays as it is. */
const EchoSplit *echo_summands(EchoSplits *splits, const EchoOp *op);

/* ---- what was found ---- */

const EchoSplit *echo_split_of(const EchoSplits *splits, const EchoValue *value);
void echo_split_set(EchoSplits *splits, const EchoValue *value, const EchoSplit *split_or_null);
/* What `op` was said to want of its operands; NULL: nothing was said. */
const EchoSplit *const *echo_wants_or_null(const EchoSplits *splits, const EchoOp *op);
void echo_wants_set(EchoSplits *splits, const EchoOp *op, const EchoSplit *const *wants);

/* What `op`, which has no block of its own to look into, wants of its operands (n_operands of
 * `want`) and gives, the same of all results: whole ones, where it mixes what is cut. O(digits
 * times the ranks of operands). */
void echo_split_rule(EchoSplits *splits, const EchoOp *op, const EchoSplit **want,
                     const EchoSplit **out);
/* Whether the value is zeros, so that it is a partial sum as it stands. */
bool echo_split_is_zero(const EchoSplits *splits, const EchoValue *value);
/* Where operand `i` of an op that has a rule is cut for a place of its result. False: it has no
 * such dimension, and all of it is wanted. */
bool echo_place_before(const EchoSplits *splits, const EchoOp *op, uint32_t i, size_t digit,
                       EchoPlace place, EchoPlace *before);

/* echo_dim_map, and beside it where those dimensions come out of which indices pick single elements
 * (indexed.c): those that are read are gone, for the result is a sum over them. */
bool echo_split_dim_map(const EchoOp *op, uint32_t i, int *to);
/* Whether it reads single elements of a dimension. */
bool echo_split_reads_indexed(const EchoOp *op);

/* Where a place of an operand of a slice, a padding or a concatenation comes out along the
 * dimension that it moves (aligned.c), and the other way; `size` is the digit's. False: not in
 * whole blocks.
 */
bool echo_aligned_out(const EchoOp *op, int64_t size, EchoPlace place, EchoPlace *out);
bool echo_aligned_before(const EchoOp *op, int64_t size, EchoPlace place, EchoPlace *before);

/* Follows the arguments' splits, which are set, through main's block and all inside. False after
 * errors. O(ops) but for loops: each is gone through once more for each digit of a value it carries
 * that turns out to cut it. */
bool echo_splits_follow(EchoSplits *splits, EchoOp *main);

/* How what is partial over dimensions of operands that are gone is combined; ECHO_N_HLO_OPCODES: it
 * is not, and they are wanted whole. */
EchoHloOpcode echo_split_combiner(const EchoSplits *splits, const EchoOp *op);

/* Asks back from the results, and from what ops were found to want, how values are taken:
 * echo_splits_follow heeds it when it goes through main once more. O(uses). */
void echo_splits_demand(EchoSplits *splits, const EchoOp *main, const EchoSplit *const *results);
/* NULL: not in parts, or nobody asked. */
const EchoSplit *echo_demand_of(const EchoSplits *splits, const EchoValue *value);

typedef struct EchoSplitFacts {
  uint64_t n_reductions, reduced_bytes;  /* of all_reduce and reduce_scatter */
  uint64_t n_gathers, gathered_bytes;    /* of all_gather: what comes of it */
  uint64_t n_exchanges, exchanged_bytes; /* of all_to_all */
} EchoSplitFacts;

/* Rewrites main: types, and what stands between values and their uses. `results` are what main's
 * results become. */
EchoSplitFacts echo_splits_write(EchoSplits *splits, EchoOp *main, const EchoSplit *const *results);

#endif
