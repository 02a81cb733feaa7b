/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A loop that may be rolled up, as its parts see it: what its carried values are to copies, indices
 * as lines over the iterations, rows of blocks. */
#ifndef ECHO_PLANNING_LOOPS_ROLL_T_H
#define ECHO_PLANNING_LOOPS_ROLL_T_H

#include "dialects/stablehlo/loop.h"
#include "ir/builder.h"
#include "planning/loops/shift_t.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pairs of values that are looked at in one loop: some seconds. */
#define ECHO_ROLL_MAX_PAIRS (UINT64_C(1) << 24)

typedef enum EchoRollKind {
  ECHO_ROLL_INVARIANT, /* handed on as it is */
  ECHO_ROLL_INDEX,     /* a line over the iterations: the counter and others */
  ECHO_ROLL_STACK,     /* written in blocks of k rows, one an iteration */
  ECHO_ROLL_STATE      /* anything else: one copy ends with it, the next one begins with it */
} EchoRollKind;

/* start + iteration * slope. */
typedef struct EchoRollLine {
  int64_t start, slope;
  bool is_line;
} EchoRollLine;

/* Which rows of an array with [blocks, rows, …] are meant: row `row` of block `line`. */
typedef struct EchoRollRows {
  EchoValue *array;
  EchoRollLine line;
  int64_t row;
} EchoRollRows;

typedef struct EchoRollCarried {
  EchoRollKind kind;
  EchoRollLine line;  /* of an index: itself; of a stack: its block */
  EchoValue **rows;   /* of a stack: the rows of the block that is written */
  EchoValue *written; /* of a stack: the block */
} EchoRollCarried;

typedef struct EchoRoll {
  EchoOp *loop;
  EchoBlock *body;
  EchoCountedLoop counted;
  int64_t n_copies;
  EchoRollCarried *carried;
  EchoMap lines;     /* value -> place in `known` */
  EchoMap invariant; /* values of the body that are the same in every iteration */
  ECHO_VECTOR(EchoRollLine) known;
  EchoShift shift;
} EchoRoll;

/* An integer scalar that stands directly in the body. */
EchoRollLine echo_roll_line(EchoRoll *roll, const EchoValue *value);
/* Whether a slice of one row of a block that is read of an array of the loop, which is written in
 * blocks by no one but at that place. */
bool echo_roll_reads_row(EchoRoll *roll, const EchoValue *value, EchoRollRows *rows);
/* The block that a carried value is written with, one an iteration, and where; NULL: none. */
EchoValue *echo_roll_written_block(EchoRoll *roll, uint32_t i, EchoRollLine *line);
/* Row `row` of a block, whose dimension `axis` counts rows, made at the end of the body. */
EchoValue *echo_roll_row(EchoRoll *roll, EchoBuilder *builder, EchoValue *block, size_t axis,
                         int64_t row, int depth);
/* Of copy `copy`, in the order in which copies stand. */
static inline int64_t echo_roll_row_of_copy(const EchoRoll *roll, const EchoRollLine *line,
                                            int64_t copy)
{
  return line->slope > 0 ? copy : roll->n_copies - 1 - copy;
}
/* The loop of one copy, in the place of `roll->loop`; returns it. */
EchoOp *echo_roll_write(EchoRoll *roll);

#ifdef __cplusplus
}
#endif

#endif
