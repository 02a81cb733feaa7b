/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Devices of one process as the processes of a program: call targets for what --lower-collectives
 * makes, carried out between threads of which each is one rank. No byte is copied more often than
 * the collective asks for, sums go from the first member of a group to the last, and so the bits
 * do not depend on who comes first. */
#ifndef ECHO_JIT_RUNTIME_LOCAL_RANKS_H
#define ECHO_JIT_RUNTIME_LOCAL_RANKS_H

#include "dialects/kernel/call_target.h"
#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoLocalRanks EchoLocalRanks;

/* For `n` threads, at least one. */
EchoLocalRanks *echo_local_ranks_create(int n);
/* No thread is in it any more. NULL allowed. */
void echo_local_ranks_destroy(EchoLocalRanks *ranks);

/* The targets "echo.mpi.…" in a context, as echo_mpi_register_targets has them for processes: a
 * context has one or the other. False, with the reason appended to *error, where one is there. */
bool echo_local_ranks_register_targets(EchoContext *ctx, EchoBuffer *error);

/* Calls of these targets in a module are told where they stand, and which each is: two that stand
 * in different places never meet. Before executables are made of it. */
void echo_local_ranks_prepare(EchoOp *module);

/* From now on, until it leaves, the calling thread is rank `rank`; NULL: of none. Every rank joins
 * once after a reset. Where nobody is left who could join a call that others wait in, or members of
 * a group come to different calls, all waits end with an error that says where each rank is. */
void echo_local_ranks_join(EchoLocalRanks *ranks, int rank);
void echo_local_ranks_leave(void);
/* A rank has failed: every wait of the others ends with an error, now and later, until
 * echo_local_ranks_reset. Any thread. */
void echo_local_ranks_fail(EchoLocalRanks *ranks);
/* As new; no thread is in it. */
void echo_local_ranks_reset(EchoLocalRanks *ranks);

#ifdef __cplusplus
}
#endif

#endif
