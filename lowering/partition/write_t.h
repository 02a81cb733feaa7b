/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What split_write.c and cut_value.c share: values that were made of others while main is
 * rewritten. Private to lowering/partition/. */
#ifndef ECHO_LOWERING_PARTITION_WRITE_T_H
#define ECHO_LOWERING_PARTITION_WRITE_T_H

#include "lowering/partition/split_t.h"

typedef struct EchoMadeValue {
  EchoSplit as;
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

/* What `value` was made into before; NULL: nothing. */
EchoValue *echo_made_or_null(const EchoSplitWriter *writer, const EchoValue *value, EchoSplit as);
/* Notes it, and returns it. */
EchoValue *echo_make(EchoSplitWriter *writer, const EchoValue *value, EchoSplit as,
                     EchoValue *made);
/* Builds right behind what defines `value`, in its phase. */
EchoBuilder echo_builder_behind(EchoSplitWriter *writer, EchoValue *value);
/* The process's number, tensor<i64>, at the begin of main. */
EchoValue *echo_process_number(EchoSplitWriter *writer);
/* The type of one process's part. */
const EchoType *echo_split_type(const EchoSplitWriter *writer, const EchoType *type,
                                EchoSplit split);
/* This process's part of a value that is whole: made of parts of what makes it, where that goes
 * element by element, so that a mask or a count is never whole; else a slice. */
EchoValue *echo_cut_value(EchoSplitWriter *writer, EchoValue *value, EchoSplit as);

#endif
