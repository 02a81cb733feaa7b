/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the two halves of --lower-collectives share. */
#ifndef ECHO_LOWERING_CALLS_COLLECTIVES_T_H
#define ECHO_LOWERING_CALLS_COLLECTIVES_T_H

#include "ir/builder.h"

/* Processes are numbered replica by replica: replica * n_partitions + partition. */
typedef struct EchoProcesses {
  int64_t n_replicas, n_partitions;
} EchoProcesses;

/* Puts calls in the place of a collective; true, with nothing done, for any other op. False after
 * an error: groups that overlap, miss a process or do not fit the shapes. */
bool echo_lower_collective(EchoOp *op, const EchoProcesses *processes);

#endif
