/* Which values are live where: for each block the values that are live on entry and on exit, and
 * the op at which each value dies. A use inside an op's regions is a use by that op. Valid until
 * ops, uses or blocks change. Not a memory planner: it knows values, no bytes. */
#ifndef ECHO_IR_LIVENESS_H
#define ECHO_IR_LIVENESS_H

#include "ir/op.h"

typedef struct EchoLiveness EchoLiveness;

/* Looks at all regions inside `root`, at any depth.
 *   cost    O(ops + uses + sizes of all sets)      source  Boissinot et al., "Computing Liveness
 * Sets for SSA-Form Programs": from each use up the predecessors until the definition, value by
 * value, so that no set is searched */
EchoLiveness *echo_liveness_create(EchoOp *root);
void echo_liveness_destroy(EchoLiveness *liveness);

/* Values defined outside `block` that are used in it or live on its exit: in order of definition.
 * Includes values from above the block's region. The arguments of `block` are not among them. */
EchoValue *const *echo_liveness_in(const EchoLiveness *liveness, const EchoBlock *block, size_t *n);
/* Values that are live into some successor (so none in a region's last block), in order of
 * definition. */
EchoValue *const *echo_liveness_out(const EchoLiveness *liveness, const EchoBlock *block,
                                    size_t *n);
/* O(log live values). */
bool echo_liveness_is_live_in(const EchoLiveness *liveness, const EchoValue *value,
                              const EchoBlock *block);
bool echo_liveness_is_live_out(const EchoLiveness *liveness, const EchoValue *value,
                               const EchoBlock *block);
/* The last op of `block` that uses the value, itself or inside its regions; NULL when none does.
 * O(log live values). */
EchoOp *echo_liveness_last_use_or_null(const EchoLiveness *liveness, const EchoValue *value,
                                       const EchoBlock *block);
/* The values that nothing needs after `op`: those whose last use in a block they do not outlive it
 * is, and its unused results; in order of definition. A value never dies inside a region that lies
 * below its own: that region may run again. Values that die on an edge between blocks, and unused
 * block arguments, are in no list. */
EchoValue *const *echo_liveness_dying(const EchoLiveness *liveness, const EchoOp *op, size_t *n);

#endif
