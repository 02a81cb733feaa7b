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
