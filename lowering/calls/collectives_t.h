/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the parts of --lower-collectives share, and who else knows processes and shardings. */
#ifndef ECHO_LOWERING_CALLS_COLLECTIVES_T_H
#define ECHO_LOWERING_CALLS_COLLECTIVES_T_H

#include "dialects/echo/parts.h"
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/builder.h"

/* Processes are numbered replica by replica: replica * n_partitions + partition. */
typedef struct EchoProcesses {
  int64_t n_replicas, n_partitions;
} EchoProcesses;

/* As many as the module says; neither need be positive. */
EchoProcesses echo_processes_of(const EchoOp *module);

typedef struct EchoSharding {
  const EchoAttr *parts; /* ECHO_PARTS */
  const EchoAttr *open;  /* numbers of dimensions that more axes may cut; NULL: none */
  const EchoAttr *order; /* ECHO_ORDER; NULL: the processes' own */
} EchoSharding;

/* Sharding `i` of a text of them (`[<@mesh, [{"x"}, {}]>, …]`, or one alone); false where it is not
 * understood: an axis that the mesh lacks or that is used twice, a mesh that is not of the module's
 * processes. Of a manual computation only what its own axes (`manual_axes`) cut counts; NULL: all.
 */
bool echo_sharding_read(const EchoOp *module, const EchoAttr *shardings, size_t i,
                        const EchoAttr *manual_or_null, EchoSharding *sharding);
/* Whether a text of shardings names a mesh that the module does not declare: *mesh. */
bool echo_sharding_misses_mesh(const EchoOp *module, const EchoAttr *sharding, EchoStr *mesh);
/* The one device that a sharding names, of a mesh without axes; -1: it is of other meshes. */
int64_t echo_sharding_device(const EchoOp *module, const EchoAttr *sharding);
/* The axes of a manual computation, as those of one dimension in ECHO_PARTS; NULL where its mesh
 * lacks one. */
const EchoAttr *echo_manual_axes_or_null(const EchoOp *module, const EchoOp *manual);

/* Operands of one call: it carries as many results, and a token both ways. */
#define ECHO_COLLECTIVE_MAX_VALUES ((ECHO_LIBRARY_MAX_ARGS - 2) / 2)

/* What calls of all_reduce name the reduction of an op's region on this type: combined by the
 * engine. NULL: it is gathered and combined by the program. */
const char *echo_reduction_name_or_null(const EchoOp *op, const EchoType *type);

/* Who carries the calls. */
typedef struct EchoEngine {
  bool is_nccl; /* on GPUs; else MPI, or the devices of one process */
  /* What all members together send in an all_gather while a second call would begin. */
  double gather_bytes;
} EchoEngine;

/* Puts calls in the place of a collective; true, with nothing done, for any other op. False after
 * an error: groups that overlap, miss a process or do not fit the shapes. */
bool echo_lower_collective(EchoOp *op, const EchoProcesses *processes, const EchoEngine *engine);

/* Groups of a collective that has replica_groups, as numbers of processes, *size each and all of
 * them *n, in `arena`; -1 fills up groups that are smaller. False after an error. */
bool echo_collective_groups(const EchoOp *op, const EchoProcesses *processes, EchoArena *arena,
                            const int64_t **ranks, size_t *n, int64_t *size);

/* ---- calls that stand for themselves ---- */

/* `value` of every member of a group along a new leading dimension, in their order; `ranks` are the
 * groups, of `size` each. */
EchoValue *echo_gather_groups(EchoBuilder *b, const int64_t *ranks, size_t n, int64_t size,
                              EchoValue *value);
/* An all_reduce among such groups, as an op that is to be lowered. */
EchoValue *echo_reduce_groups(EchoBuilder *b, EchoHloOpcode combiner, const int64_t *ranks,
                              size_t n, int64_t size, EchoValue *value);
/* A reduce_scatter along dimension `dim`, whose parts go to the members in their order. */
EchoValue *echo_reduce_scatter_groups(EchoBuilder *b, EchoHloOpcode combiner, const int64_t *ranks,
                                      size_t n, int64_t size, size_t dim, EchoValue *value);
/* How an op names such groups. */
void echo_group_attrs(EchoContext *ctx, const int64_t *ranks, size_t n, int64_t size,
                      EchoAttrArg attrs[3]);
/* The number of the process that runs it: tensor<ui32>. */
EchoValue *echo_call_rank(EchoBuilder *b);

/* [.., n, ..] as [parts, .., n / parts, ..]. */
EchoValue *echo_split_to_front(EchoBuilder *b, EchoValue *value, size_t dim, int64_t parts);
/* What `size` members have along the leading dimension, combined by the region of `op` from the
 * first to the last, as `type`. */
EchoValue *echo_fold_members(EchoBuilder *b, EchoOp *op, int64_t size, EchoValue *members,
                             const EchoType *type);

/* ---- several that travel together ---- */

/* Collectives of one kind, type and groups, of an operand each, become one of `n` operands (at most
 * ECHO_COLLECTIVE_MAX_VALUES) before the first in their block; `ops` are erased. Their operands are
 * made before that, and nothing between them reads a result. Scatters only where they can be. */
void echo_join_collectives(EchoOp *const *ops, size_t n, const EchoProcesses *processes);
bool echo_can_join_scatters(const EchoProcesses *processes);

/* ---- parts and wholes ---- */

/* The type of a part; NULL where the parts are not equal, or do not fit. */
const EchoType *echo_part_type_or_null(EchoContext *ctx, const EchoAttr *parts,
                                       const EchoType *whole);

#endif
