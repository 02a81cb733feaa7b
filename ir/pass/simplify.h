/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What canonicalize, cse and dce do, for code that has rewritten a part of the IR: inside one op,
 * which itself stays. Not a pass: nothing is verified. */
#ifndef ECHO_IR_PASS_SIMPLIFY_H
#define ECHO_IR_PASS_SIMPLIFY_H

#include "ir/table/op_info.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Folds, simplifies and erases what is dead; `max_rewrites` 0 = no bound. Returns how many changes.
 * O(rewrites + ops). */
uint64_t echo_canonicalize(EchoOp *root, uint64_t max_rewrites);
/* Merges pure ops that compute the same; the first stays, with its attributes. The discardable
 * attributes `ignored` may differ. Returns how many ops went. O(ops). */
uint64_t echo_cse(EchoOp *root, const EchoStr *ignored, size_t n_ignored);

/* What came of erasing dead code. */
typedef struct EchoDead {
  size_t n_erased;  /* ops, not counting those inside */
  size_t n_dropped; /* values that loops carried and branches made for nobody */
} EchoDead;

/* Erases what nothing needs; a loop or branch with fewer results is another op. O(ops + uses). */
EchoDead echo_erase_dead(EchoOp *root);

#ifdef __cplusplus
}
#endif

#endif
