/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A sample on many processes, under mpirun: who they are, that they run the same, what each of them
 * runs, and its part of a batch. With one process all of it does nothing. */
#ifndef ECHO_SAMPLES_COMMON_RANKS_H
#define ECHO_SAMPLES_COMMON_RANKS_H

#include "jit/runtime/device.h"
#include "jit/runtime/mpi.h"
#include "samples/common/session.h"

/* Joins the others where a launcher started this process; only rank 0 writes to standard output
 * from here on. False after a message: no MPI, several processes without --data-parallel (which is
 * `is_parallel`), other options on one of them. `limit_s`: echo_mpi_set_limit. */
bool sample_ranks_start(const char *program, bool is_parallel, int64_t limit_s, int argc,
                        char **argv);
/* Leaves; after a failure ends every process. */
void sample_ranks_end(bool ok);
bool sample_ranks_is_first(void);

/* Makes of a training step for the whole batch what each process runs with its part on `device`;
 * `batch` names arguments and dimensions of it, "arg3:1,arg4". Results are whole, but for what
 * takes an argument's place that is in parts: where that is asked for, or a budget of `compile`
 * asks for it. False after diagnostics. */
bool sample_ranks_partition(EchoContext *ctx, const EchoPassRegistry *passes, EchoDevice *device,
                            EchoOp *module, const char *batch, bool shards_state,
                            const EchoCompileOptions *compile);
/* A buffer that holds all of argument `arg` of a module that was lowered comes to hold what this
 * process has of it. */
void sample_ranks_shrink(EchoDevice *device, EchoContext *ctx, const EchoOp *module, size_t arg,
                         const EchoType *whole, EchoDeviceBuffer **buffer);
/* The other way: on rank 0 `out` becomes all of it. All processes call it alike. False with the
 * reason in *error. */
bool sample_ranks_read(EchoContext *ctx, const EchoOp *module, size_t arg, const EchoType *whole,
                       const EchoDeviceBuffer *buffer, void *out, EchoBuffer *error);
/* Writes this process's part of an array whose batch is behind `outer` of its elements: what lies
 * before it, multiplied. */
void sample_ranks_write(EchoDeviceBuffer *part, const void *whole, int64_t outer);

/* A line on what went between processes in `n_steps` steps on `device` that took `steps_s`; "" for
 * one process. Lives as long as `text`. */
const char *sample_ranks_describe(const EchoDevice *device, double steps_s, int64_t n_steps,
                                  EchoBuffer *text);

#endif
