/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Private to echo_pass/: two branches (case, if) of one block that always go the same way, as a
 * layer that is skipped at random and its gradient do. What the first, the writer, hands to the
 * second, the reader, is what the same region of both sees, so the reader may compute it again from
 * what stands outside of both. The invariant: results stay bit for bit what they were. Which price
 * is paid for a byte is asked by echo_pass/stacks_t.h, of loops and branches alike. */
#ifndef ECHO_ECHO_PASS_BRANCH_PAIR_T_H
#define ECHO_ECHO_PASS_BRANCH_PAIR_T_H

#include "echo_pass/stacks_t.h"

/* Who reads a result of the writer; `others` are all but the reader's regions. */
typedef struct EchoBranchUse {
  bool is_read;    /* the reader's regions */
  bool is_shared;  /* others, so that its values stay what they are */
  bool is_written; /* others that are not asked whether they can do without */
  bool stands;     /* until the reader has run, for such others */
} EchoBranchUse;

typedef struct EchoBranchPair {
  EchoOp *writer, *reader;
  EchoArena *scratch;
  EchoBranchUse *uses; /* by result of the writer */
} EchoBranchPair;

bool echo_op_is_branch(const EchoOp *op);
/* The first branch behind `after` (the writer, or a reader of it) in the writer's block that goes
 * the same way and reads what the writer hands on. O(uses of its results). */
EchoOp *echo_branch_next_reader_or_null(const EchoOp *writer, const EchoOp *after);

/* Whether the writer may run inside of the reader: nobody else reads what it hands on, and what it
 * reads takes no more than that while the reader runs. O(uses). */
bool echo_branch_may_sink(const EchoOp *writer, const EchoOp *reader);
/* Each region of the writer runs in front of the same one of the reader; the writer is gone. */
void echo_branch_sink(EchoOp *writer, EchoOp *reader);
/* What runs again in a branch may be there already. With control flow inside, equal ops are left:
 * regions have their own copies of constants (--isolate-regions). */
void echo_branch_simplify(EchoOp *branch);

/* False where the reader reads nothing that may go. It lives in `scratch`. O(uses). */
bool echo_branch_pair_create(EchoBranchPair *pair, EchoOp *writer, EchoOp *reader,
                             EchoArena *scratch);

/* The value that a region of the writer hands on as result `k`, and whether the reader's region
 * reads that where it does not stand anyway. */
EchoValue *echo_branch_handed_on(const EchoBranchPair *pair, size_t region, size_t k);
bool echo_branch_reads(const EchoBranchPair *pair, size_t region, size_t k);

/* What is cheapest in one region of both, when a byte costs `price` nanoseconds. Lives in
 * pair->scratch; destroy the choice. O(min cut of the region). */
void echo_branch_choice_create(EchoStackChoice *choice, const EchoBranchPair *pair, size_t region,
                               const EchoDeviceModel *device, double price);
/* Decides all regions by one price and carries it out: pair->writer names the branch that took the
 * writer's place. Returns how many values the reader no longer takes from it; with none, nothing
 * was touched. */
size_t echo_branch_pair_decide(EchoBranchPair *pair, const EchoDeviceModel *device, double price);

#endif
