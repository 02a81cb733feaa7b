/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Stacks whose readers move into the loop that writes them: what is known about one loop while they
 * are looked for, in which form an array is taken slice by slice, and in whose storage it is
 * written.
 * A form is a type with the dimensions of a stack, slices along the first of them; its element type
 * says nothing. An array is seen in any form with as many elements, in the order of its own, so
 * that a gradient in segments, [4, 4, D], meets a weight in layers, [16, D]. The invariant: slice i
 * of an array in a form is elements [i * n, (i + 1) * n) of it. Private to lowering/step. */
#ifndef ECHO_LOWERING_STEP_SINK_UPDATES_T_H
#define ECHO_LOWERING_STEP_SINK_UPDATES_T_H

#include "base/map.h"
#include "base/vector.h"
#include "ir/builder.h"
#include "planning/loops/dataflow.h"
#include "planning/loops/slices.h"

typedef struct EchoSinkStack {
  uint32_t carried;
  EchoOp *update;
  bool stays; /* something else reads the stack */
} EchoSinkStack;

typedef struct EchoSinkForm {
  const EchoType *type;
  EchoMap slices; /* value -> its slice in the body */
} EchoSinkForm;

/* What moves and is read behind the loop, which is a stack now. */
typedef struct EchoSinkTarget {
  EchoOp *op;
  EchoValue *first; /* an array that the stack is written over; NULL: none */
  EchoOp *row;      /* or what writes the result into a row of it, [i, :], which the loop now does,
                       slice by slice at [i, j, :]; NULL: none */
} EchoSinkTarget;

typedef struct EchoSinker {
  EchoOp *loop;
  EchoBlock *body;
  EchoCountedLoop counted;
  int64_t n_slices;
  EchoOp *like; /* an update: all of these stacks are written at its index */
  ECHO_VECTOR(EchoSinkStack) stacks;
  EchoDataflowOrder behind; /* ops behind the loop, in block order */
  EchoMap is_late;          /* values that cannot be computed before the loop */
  EchoMap moved; /* value -> its form: a stack that goes, or one whose slices are computed in the
                    loop, or a view of one */
  EchoMap goes;  /* op -> 1: moves, or is read by such ops alone */
  ECHO_VECTOR(EchoSinkForm) forms;
  ECHO_VECTOR(EchoSinkTarget) targets;
  EchoMap rows; /* array -> 1: is written in rows by the loop */
} EchoSinker;

/* ---- forms ---- */

/* `like`'s elements in the form; a slice of that. */
const EchoType *echo_sink_array_type(EchoContext *ctx, const EchoType *form, const EchoType *like);
const EchoType *echo_sink_slice_type(EchoContext *ctx, const EchoType *form, const EchoType *like);

/* A broadcast whose result is seen in a form: its operand's dimensions there, and which of the
 * form's they are. */
typedef struct EchoSinkBroadcast {
  int64_t dims[ECHO_MAX_RANK], places[ECHO_MAX_RANK];
  size_t rank;
} EchoSinkBroadcast;

/* False where a dimension of the operand is only a part of one of the form's. */
bool echo_sink_broadcast(const EchoOp *op, const EchoType *form, EchoSinkBroadcast *broadcast);

/* ---- storage ---- */

/* The same elements in the same order: a reshape. */
bool echo_sink_is_view(const EchoOp *op);
/* A value that is there before the loop, in the form: one that the loop takes, where it has the
 * same elements, so that both are read and written in one place. */
EchoValue *echo_sink_array(const EchoSinker *sinker, EchoValue *value, const EchoType *form);
/* The array in whose storage `result` ends up slice by slice: an argument, a loop's carry, a slice
 * of such a carry that the result is written over; NULL for none, and where the loop still reads
 * other slices of it than the one that it writes. */
EchoValue *echo_sink_overwritten_or_null(const EchoSinker *sinker, const EchoValue *result);
/* `update` writes a row of a loop's carry that was read before, at indices from before the loop:
 * what writes slices of the form into that row can do it instead. */
bool echo_sink_writes_row(const EchoSinker *sinker, const EchoOp *update, const EchoType *form);
/* The array in the form, and where the loop's slices are in it; in rows of it for `row`, an op that
 * reads or writes one (its starts are operands from `first` on; NULL: `array` itself). */
EchoValue *echo_sink_slot(const EchoSinker *sinker, EchoValue *array, const EchoOp *row,
                          size_t first, const EchoType *form, EchoLoopSlot *slot);
/* The op that reads the row of an array that `value` is, in an array that is written in rows or
 * behind the loop; NULL for none. */
EchoOp *echo_sink_row_or_null(const EchoSinker *sinker, const EchoValue *value,
                              const EchoType *form);
#endif
