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

/* ---- calls that stand for themselves ---- */

/* `value` of every process along a new leading dimension, in their order. */
EchoValue *echo_gather_all(EchoBuilder *b, const EchoProcesses *processes, EchoValue *value);
/* The number of the process that runs it: tensor<ui32>. */
EchoValue *echo_call_rank(EchoBuilder *b);

/* ---- manual computations ---- */

/* What cuts operand or result #i of a manual computation, as ECHO_PARTS has it; NULL after an
 * error. */
const EchoAttr *echo_manual_parts_or_null(const EchoOp *module, const EchoOp *manual,
                                          bool of_results, uint32_t i);
/* Makes main what each process runs where every process has all values whole; ECHO_PARTS at
 * arguments and results that come and go in parts. False after an error. */
bool echo_gather_for_each(EchoOp *module, EchoOp *main, const EchoProcesses *processes);

#endif
