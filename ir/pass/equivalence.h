/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether two ops compute the same by structure: same rows, attributes, types and operands, and
 * regions that are the same op for op, up to the names of the values defined in them. Locations do
 * not count. Not a proof of semantic equality, and says nothing about effects: the caller decides
 * whether one may stand for the other. */
#ifndef ECHO_IR_PASS_EQUIVALENCE_H
#define ECHO_IR_PASS_EQUIVALENCE_H

#include "ir/table/op_info.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory that comparing reuses; zero-initialised is ready. */
typedef struct EchoEquivalence {
  EchoMap mapped;               /* values and blocks inside one op -> those inside the other */
  const EchoStr *ignored_attrs; /* discardable attributes that may differ; may be NULL */
  size_t n_ignored_attrs;
  EchoMap stripped; /* dictionary -> dictionary without ignored attributes */
} EchoEquivalence;

void echo_equivalence_destroy(EchoEquivalence *equivalence);

/* Equal for equal ops. The operands count by identity; what lies inside counts through `inside`,
 * which is the combination by echo_hash_combine, in order, of echo_equivalence_hash_inside of the
 * ops directly inside (0 for none). O(operands). */
uint64_t echo_equivalence_hash(EchoEquivalence *equivalence, const EchoOp *op, uint64_t inside);
/* The same but without the operands' identity, for ops whose operands may be defined beside them.
 */
uint64_t echo_equivalence_hash_inside(EchoEquivalence *equivalence, const EchoOp *op,
                                      uint64_t inside);
/* Whether they are of the same row, with the same attributes, types and numbers of operands,
 * regions and successors; what the operands are and what lies inside does not count. O(results). */
bool echo_op_rows_are_equal(EchoEquivalence *equivalence, const EchoOp *a, const EchoOp *b);
/* O(size of both). The two operands of commutative ops may be swapped. */
bool echo_ops_are_equivalent(EchoEquivalence *equivalence, const EchoOp *a, const EchoOp *b);
/* The same for two ops whose operands do not count: two functions. */
bool echo_op_bodies_are_equivalent(EchoEquivalence *equivalence, const EchoOp *a, const EchoOp *b);

#ifdef __cplusplus
}
#endif

#endif
