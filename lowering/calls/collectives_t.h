/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the parts of --lower-collectives share, and who else knows processes and shardings. */
#ifndef ECHO_LOWERING_CALLS_COLLECTIVES_T_H
#define ECHO_LOWERING_CALLS_COLLECTIVES_T_H

#include "ir/builder.h"

/* Processes are numbered replica by replica: replica * n_partitions + partition. */
typedef struct EchoProcesses {
  int64_t n_replicas, n_partitions;
} EchoProcesses;

/* As many as the module says; neither need be positive. */
EchoProcesses echo_processes_of(const EchoOp *module);

/* Sharding `i` of a text of them (`[<@mesh, [{"x"}, {}]>, …]`, or one alone) as ECHO_PARTS has it;
 * NULL where it is not understood: an axis that the mesh lacks or that cuts twice, dimensions that
 * are open, a mesh that is not of the module's processes in their order. */
const EchoAttr *echo_parts_or_null(const EchoOp *module, const EchoAttr *shardings, size_t i);

/* Puts calls in the place of a collective; true, with nothing done, for any other op. False after
 * an error: groups that overlap, miss a process or do not fit the shapes. */
bool echo_lower_collective(EchoOp *op, const EchoProcesses *processes);

#endif
