/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where a branch (case, if) may keep a result: in the storage of a value that it reads and that
 * dies there. The invariant: the answer depends on the op and what it encloses alone, not on what
 * stands around it. Not whether the value dies: planning/schedule/storage.h asks that. */
#ifndef ECHO_PLANNING_SCHEDULE_BRANCH_H
#define ECHO_PLANNING_SCHEDULE_BRANCH_H

#include "planning/schedule/fusion.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum EchoTakeOver {
  ECHO_TAKES_NOTHING,
  ECHO_TAKES_OVERWRITTEN, /* regions have read the value by the time they write the result */
  ECHO_TAKES_HANDED_ON    /* a branch hands the value on as it is */
} EchoTakeOver;

/* What a region holds where a result is written over an operand that is read until some step. */
typedef struct EchoTakenProfile {
  uint32_t read_until;
  const uint64_t *live; /* by step */
} EchoTakenProfile;

/* The room of a result is free until it is written, and something else may stand there by then; not
 * where the result is written over an operand that is still to be read. So a region holds more or
 * less by what its results are written over. */
typedef struct EchoBranchRegion {
  uint32_t n_steps;
  const uint64_t *live;          /* by step: where no result is written over what is read */
  const uint32_t *read_until;    /* by operand: the step from which on it is not read any more */
  const EchoTakenProfile *taken; /* of each result: [first_taken[i], first_taken[i + 1]); where none
                                    fits it makes no difference */
  const uint32_t *first_taken;
} EchoBranchRegion;

/* What is known of a branch once the kernels of its regions are found. */
typedef struct EchoBranchTakes {
  const uint8_t *ways; /* the EchoTakeOver of each result and operand: result * n_operands + operand
                        */
  uint32_t n_regions;
  const EchoBranchRegion *regions;
} EchoBranchTakes;

/* A block whose kernels are calls, one by one as they stand. */
typedef struct EchoCalls {
  /* Whether the op may write its result over its operand; both by number. */
  bool (*in_place)(void *user, const EchoOp *op, uint32_t operand, uint32_t result);
  void *user;
} EchoCalls;

/* Whether result element i is made of element i of the operand, and no other. */
bool echo_op_is_in_place(const EchoOp *op, uint32_t operand, uint32_t result);

/* How result `index` of the branch `op` may take the storage of `value`, which its regions read.
 * `calls` is NULL where kernels and their order are still to be found: then it is enough that the
 * value is read for nothing but that result. O(uses of the value + length of what is made of it).
 */
EchoTakeOver echo_branch_takes(const EchoOp *op, uint32_t index, const EchoValue *value,
                               const EchoCalls *calls);
/* The same for every result and operand of the branch `node`, once the kernels of its regions are
 * found: `regions[r]` is the graph of region r in the order in which it runs, `fusions[r]` its
 * fusion. Fills takes[result * n_operands + operand]. O(results * (operands + sum over the regions
 * of inputs * groups' inputs)). */
void echo_branch_find_takes(const EchoGraph *graph, uint32_t node, const EchoGraph *regions,
                            const EchoFusion *fusions, uint8_t *takes);
/* Fills handed_on[result]: the value from outside that most branches hand on as that result, the
 * first of them; NULL: none does, or a result before it has it. O(branches * results). */
void echo_branch_find_handed_on(const EchoOp *op, const EchoValue **handed_on);

#ifdef __cplusplus
}
#endif

#endif
