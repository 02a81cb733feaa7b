/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A value that goes from one op to the next in the order of the text, through loops and branches:
 * the token of effects, the state of a random number generator. Private to lowering/. */
#ifndef ECHO_LOWERING_CALLS_THREAD_T_H
#define ECHO_LOWERING_CALLS_THREAD_T_H

#include "ir/op.h"

typedef struct EchoThread {
  bool (*takes)(const EchoOp *op); /* whether the value goes through the op */
  /* Puts in the op's place what takes *value, which then is what the next op takes. False after a
   * diagnostic. */
  bool (*take)(EchoOp *op, EchoValue **value);
  const char *what; /* that an op does which takes it ("has an effect") */
} EchoThread;

/* The first op in `root`, or `root` itself, that takes it; NULL: none does. O(ops). */
EchoOp *echo_thread_first_or_null(const EchoThread *thread, EchoOp *root);

/* Leads *value through all ops of `block` and of the loops and branches in it; *value then is what
 * leaves the last of them. A loop whose condition takes it computes that before it begins and at
 * the end of each iteration. False after a diagnostic, at an op in a region of anything else. */
bool echo_thread_block(const EchoThread *thread, EchoBlock *block, EchoValue **value);

#endif
