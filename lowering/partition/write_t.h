/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What split_write.c, reshard.c and cut_value.c share: values that were made of others while main
 * is rewritten. Types are those of one process by now. Private to lowering/partition/. */
#ifndef ECHO_LOWERING_PARTITION_WRITE_T_H
#define ECHO_LOWERING_PARTITION_WRITE_T_H

#include "lowering/partition/split_t.h"

typedef struct EchoMadeValue {
  const EchoSplit *as;
  EchoValue *value;
  uint64_t next; /* of the same value; UINT64_MAX: none */
} EchoMadeValue;

typedef struct EchoSplitWriter {
  EchoSplits *splits;
  EchoContext *ctx;
  EchoOp *main;
  EchoMap made_of; /* EchoValue * -> index in `made` */
  ECHO_VECTOR(EchoMadeValue) made;
  EchoValue *process; /* echo_process_number; NULL until it is asked for */
  EchoSplitFacts facts;
} EchoSplitWriter;

/* ---- made once (split_write.c) ---- */

/* What `value` was made into before; NULL: nothing. */
EchoValue *echo_made_or_null(const EchoSplitWriter *writer, const EchoValue *value,
                             const EchoSplit *as);
/* Notes it, and returns it. */
EchoValue *echo_make(EchoSplitWriter *writer, const EchoValue *value, const EchoSplit *as,
                     EchoValue *made);
/* Builds right behind what defines `value`, in its phase. */
EchoBuilder echo_builder_behind(EchoSplitWriter *writer, EchoValue *value);
/* The process's number, tensor<i64>, at the begin of main. */
EchoValue *echo_process_number(EchoSplitWriter *writer);
/* `value` as it is wanted: itself, or what is made of it, once. What is wanted partial and is not
 * are zeros, and stay as they are. */
EchoValue *echo_as_wanted(EchoSplitWriter *writer, EchoValue *value, const EchoSplit *want);

/* ---- digits in a value (runs.c) ---- */

/* Digits that pick one below the other in one dimension, the slowest first. */
typedef struct EchoRun {
  size_t digits[ECHO_MAX_CUT_AXES], n_digits;
  int64_t n_parts;
  uint8_t dim;
  int64_t below; /* elements of the dimension, as a process has it, that one part is apart */
} EchoRun;

/* The next run of digits that are in `chosen` and go where it says, in a value that is had as
 * `rest` says beside them. They leave `chosen`. False: none is left. */
bool echo_next_run(const EchoSplits *splits, EchoSplit *chosen, const EchoSplit *rest,
                   EchoRun *run);
/* Groups of processes that differ in the run's digits alone, each in their order; n_processes of
 * them, in the scratch arena. */
const int64_t *echo_run_groups(const EchoSplits *splits, const EchoRun *run);
/* Which part of the run this process has: an i64. */
EchoValue *echo_run_part(EchoSplitWriter *writer, EchoBuilder *b, const EchoRun *run);

/* ---- parts of parts ---- */

/* What `value`, had as `has`, is as `want`, which cuts it further and leaves the rest alone. */
EchoValue *echo_slice_parts(EchoSplitWriter *writer, EchoValue *value, const EchoSplit *has,
                            const EchoSplit *want);
/* This process's part of a value that has more: made of parts of what makes it, where that goes
 * element by element, so that a mask or a count is never whole; else a slice. `as` is as
 * echo_slice_parts wants it. */
EchoValue *echo_cut_value(EchoSplitWriter *writer, EchoValue *value, const EchoSplit *as);
/* Whether `more` cuts what `less` does, and perhaps more, and nothing is partial. */
bool echo_split_is_within(const EchoSplits *splits, const EchoSplit *less, const EchoSplit *more);

/* The attributes of a slice or a padding of a part, cut as `split`: its result has the type of the
 * whole still. */
void echo_write_aligned(const EchoSplits *splits, EchoOp *op, const EchoSplit *split);
/* An op whose operands (at least one) are as it wants them: where the first is cut in what indices
 * pick of it, they become those of this process's part. Returns what stands in its place. */
EchoOp *echo_write_indexed(EchoSplitWriter *writer, EchoOp *op, const EchoSplit *const *wants);

/* `value`, had as *has, with all digits where `want` has them that can be exchanged; *has is what
 * it is then. */
EchoValue *echo_exchange(EchoSplitWriter *writer, EchoBuilder *builder, EchoValue *value,
                         EchoSplit *has, const EchoSplit *want);
/* Values between processes: what is partial is reduced, to parts where they are wanted, what is cut
 * in another place than wanted is exchanged, or gathered where that cannot be, and what is whole
 * then is sliced. */
EchoValue *echo_reshard(EchoSplitWriter *writer, EchoValue *value, const EchoSplit *want);

#endif
