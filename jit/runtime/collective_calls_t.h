/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls of the targets "echo.mpi.…" in a module, and what they are told before it runs: where they
 * stand and which number they have, for who meets in the wrong one. Private to jit/. */
#ifndef ECHO_JIT_RUNTIME_COLLECTIVE_CALLS_T_H
#define ECHO_JIT_RUNTIME_COLLECTIVE_CALLS_T_H

#include "ir/op.h"
#include "jit/runtime/library_t.h"

/* In the configuration beside ECHO_CALL_PLACE: a number of the call's own among those of the
 * module, from 0, the same on all processes. */
#define ECHO_CALL_NUMBER "number"

/* A call of ours, as any stage has it. */
typedef struct EchoCollectiveCall {
  EchoStr target;
  const char *config_name; /* of the attribute */
  const EchoAttr *config;
} EchoCollectiveCall;

/* Whether it is one, with a configuration. */
bool echo_collective_call_read(const EchoOp *op, EchoCollectiveCall *call);
void echo_collective_call_tell(EchoOp *op, const EchoCollectiveCall *call, int64_t number);
/* Whether it stands where some may come and others not: in a branch, or in a loop that does not
 * count. */
bool echo_collective_call_may_be_missed(const EchoOp *op);
/* What a call of a target was told: its place (empty: none), and its number (-1: none). */
EchoStr echo_collective_call_place(const EchoAttr *config_or_null);
int64_t echo_collective_call_number(const EchoAttr *config_or_null);
/* Appends "echo.mpi.all_reduce at step.mlir:7:10". */
void echo_collective_call_describe(EchoBuffer *out, EchoStr target, EchoStr place);

#endif
