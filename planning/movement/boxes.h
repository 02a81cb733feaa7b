/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Boxes painted over one another: which of the numbered sources each index of a space belongs to.
 * Every state stays as it is when a box is painted over it, so that each value of a chain of
 * updates has its own. A state is a tree that halves the space where that is needed; its depth is
 * at most the sum of the logarithms of the sizes. */
#ifndef ECHO_PLANNING_MOVEMENT_BOXES_H
#define ECHO_PLANNING_MOVEMENT_BOXES_H

#include "base/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ECHO_BOXES_MIXED UINT32_MAX

typedef struct EchoBoxNode {
  uint32_t source; /* of a leaf; ECHO_BOXES_MIXED for a node with halves */
  uint32_t dim;    /* that is halved */
  uint32_t low, high;
} EchoBoxNode;

/* All states; one that is filled with zeros is ready. Destroy with echo_vector_destroy(&nodes). */
typedef struct EchoBoxes {
  ECHO_VECTOR(EchoBoxNode) nodes;
} EchoBoxes;

typedef struct EchoBox {
  int64_t low[64], high[64]; /* [low, high) a dimension: ECHO_MAX_RANK of them */
} EchoBox;

/* The state in which all is of one source. */
uint32_t echo_boxes_fill(EchoBoxes *boxes, uint32_t source);
/* `state` of a space of `sizes` with `box`, which lies inside, painted. O(log of each size). */
uint32_t echo_boxes_paint(EchoBoxes *boxes, uint32_t state, const int64_t *sizes, uint32_t rank,
                          const EchoBox *box, uint32_t source);
/* The source of all of `box`, which is not empty; ECHO_BOXES_MIXED where there are several. */
uint32_t echo_boxes_source(const EchoBoxes *boxes, uint32_t state, const int64_t *sizes,
                           uint32_t rank, const EchoBox *box);

#ifdef __cplusplus
}
#endif

#endif
