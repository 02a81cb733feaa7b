/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Copies of one computation that stand one after the other in a block: which value is which, one
 * copy later. The invariant: a pair holds only if both are made by the same ops of operands that
 * are pairs in their turn, down to leaves that the caller knows; so what is known of one copy is
 * known of all, and no order of the text has a say. Not which copies there are: the caller offers
 * pairs.
 */
#ifndef ECHO_PLANNING_LOOPS_SHIFT_T_H
#define ECHO_PLANNING_LOOPS_SHIFT_T_H

#include "base/vector.h"
#include "ir/pass/equivalence.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the caller says of `from`, one copy later `to`. */
typedef enum EchoShiftLeaf {
  ECHO_SHIFT_LOOK_INSIDE, /* no leaf: their ops and operands tell */
  ECHO_SHIFT_HOLDS,
  ECHO_SHIFT_HOLDS_HERE, /* and is not found: elsewhere `from` may go with another one */
  ECHO_SHIFT_FAILS
} EchoShiftLeaf;
typedef EchoShiftLeaf EchoShiftLeafFn(void *user, EchoValue *from, EchoValue *to);

typedef struct EchoShift {
  EchoMap next, prior; /* value -> the same one copy later, and earlier (the first found) */
  ECHO_VECTOR(EchoValue *) trail; /* keys of `next`, in the order they were found */
  EchoEquivalence equivalence;
  EchoShiftLeafFn *leaf;
  void *user;
  uint64_t n_left; /* pairs that may still be looked at */
} EchoShift;

/* `n_pairs`: how many may be looked at in all. */
void echo_shift_create(EchoShift *shift, uint64_t n_pairs, EchoShiftLeafFn *leaf, void *user);
void echo_shift_destroy(EchoShift *shift);

/* Whether `to` is `from` one copy later, with all pairs found before; those that it takes are found
 * then, else nothing is. O(ops that both are made of). */
bool echo_shift_match(EchoShift *shift, EchoValue *from, EchoValue *to);
/* Forgets all that was found behind the first `size` of the trail. */
void echo_shift_undo(EchoShift *shift, size_t size);

static inline EchoValue *echo_shift_next_or_null(const EchoShift *shift, const EchoValue *value)
{
  return (EchoValue *)echo_map_get_ptr(&shift->next, value);
}
static inline EchoValue *echo_shift_prior_or_null(const EchoShift *shift, const EchoValue *value)
{
  return (EchoValue *)echo_map_get_ptr(&shift->prior, value);
}

#ifdef __cplusplus
}
#endif

#endif
