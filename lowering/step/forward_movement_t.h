/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What --forward-movement knows of a block: where each movement op's elements come from (resolve),
 * and whether reading them there is ever dearer (decide). Looks only; forward_movement.c rewrites.
 */
#ifndef ECHO_LOWERING_STEP_FORWARD_MOVEMENT_T_H
#define ECHO_LOWERING_STEP_FORWARD_MOVEMENT_T_H

#include "base/map.h"
#include "planning/movement/boxes.h"
#include "planning/movement/view.h"

#define ECHO_NOWHERE UINT32_MAX

/* One of what a stack or a sum of pads is made of. */
typedef struct EchoStackPart {
  EchoValue *value;
  const int64_t *offset; /* of its first element in the whole */
  uint32_t previous;     /* in the same sum; or ECHO_NOWHERE */
  bool adds_zero;        /* what stands there is the value + 0.0: a float among pads with 0.0 */
} EchoStackPart;

/* A sum of pads with 0 whose operands do not overlap, or one of its pads. */
typedef struct EchoPadSum {
  uint32_t state;       /* by number of part */
  uint32_t zero;        /* the part where nothing was added */
  uint32_t last, n;     /* its other parts: a list */
  const uint32_t *laid; /* parts in their order along `dim`, where they cover all else; or NULL */
  uint32_t dim;
} EchoPadSum;

typedef struct EchoMovedOp {
  EchoOp *op;
  EchoView view;        /* of operand 0, where is_view */
  EchoView through;     /* of `source`, where is_forwarded */
  EchoValue *source;    /* an operand of an op further up */
  const int64_t *parts; /* where each operand of a concatenation begins */
  uint32_t stack;       /* state of an update slice's result, by number of part; or ECHO_NOWHERE */
  uint32_t sum;         /* number of the sum of pads that it is; or ECHO_NOWHERE */
  bool is_view, is_forwarded, is_dead;
  bool adds_zero; /* `through` + 0.0 takes the place of what is forwarded */
  bool is_laid;   /* a sum that becomes a concatenation */
} EchoMovedOp;

/* A value of the block, or one from outside that the block reads. */
typedef struct EchoMovedValue {
  const EchoValue *value;
  uint32_t op;             /* that computes it; ECHO_NOWHERE for what is there from the start */
  uint32_t root;           /* the value whose bytes it shares */
  uint32_t last_firm_read; /* position of the last reader that is no movement, by root */
  uint32_t group;          /* of what changes together: a parent in a union-find forest */
  bool is_free;            /* it takes no memory, or is there all the time */
} EchoMovedValue;

typedef struct EchoMovement {
  EchoArena *arena;
  EchoBlock *block;
  ECHO_VECTOR(EchoMovedOp) ops; /* by position */
  ECHO_VECTOR(EchoMovedValue) values;
  EchoMap value_numbers; /* EchoValue * -> number */
  EchoBoxes boxes;
  ECHO_VECTOR(EchoStackPart) parts;
  ECHO_VECTOR(EchoPadSum) sums;
} EchoMovement;

/* Reads the block and finds, for each movement op, what it could read instead of its operand.
 * `is_kept[i]`: argument i of the block is there all the time; `is_placed[i]`: so is where the i-th
 * operand of its terminator goes. O(n log n). */
void echo_movement_create(EchoMovement *movement, EchoArena *arena, EchoBlock *block,
                          const bool *is_kept, const bool *is_placed);
void echo_movement_destroy(EchoMovement *movement);
uint32_t echo_movement_value(const EchoMovement *movement, const EchoValue *value);
/* The op of the block that computes it; NULL for what comes from elsewhere. */
EchoMovedOp *echo_movement_def_or_null(const EchoMovement *movement, const EchoValue *value);
uint32_t echo_movement_group(EchoMovement *movement, uint32_t value);
void echo_movement_join(EchoMovement *movement, uint32_t a, uint32_t b);

/* Sums (forward_sums.c): whether `op`, an addition, is a sum of pads with 0 that do not overlap;
 * then notes which. Amortised O(log n) for each pad. */
void echo_movement_find_sum(EchoMovement *movement, EchoOp *op, EchoMovedOp *entry);
/* Which sums may become concatenations: those that others than sums read. */
void echo_movement_lay_sums(EchoMovement *movement);

/* Takes back what would make the step dearer anywhere, in the order of the block: more bytes alive,
 * or more ops. Sets is_dead. O(n log n). */
void echo_movement_decide(EchoMovement *movement);

#endif
