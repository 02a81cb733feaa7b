/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The cut that all pairs share, loops (echo_pass/stacks_t.h) and branches
 * (echo_pass/branch_pair_t.h): which values of the writer's body are kept for the reader, and which
 * ops run again there. The invariant: the choice is a minimum of time and bytes at one price. Not
 * what keeping a value means. */
#ifndef ECHO_ECHO_PASS_STACK_CUT_T_H
#define ECHO_ECHO_PASS_STACK_CUT_T_H

#include "echo_pass/stacks_t.h"

/* A value of the writer's body, as far as the reader goes. */
typedef struct EchoCutValue {
  double keep_bytes, keep_ns; /* of keeping it */
  bool is_there;              /* the reader has it anyway */
  bool is_read;               /* by the reader, from what may go */
} EchoCutValue;

typedef struct EchoCutQuestion {
  const EchoCutValue *values; /* by number in the choice's graph */
  const EchoDeviceModel *device;
  double price; /* nanoseconds a byte */
} EchoCutQuestion;

/* The graph of a body with nothing decided, and the facts of its values, all zero, to be filled in.
 * They live in `scratch`; destroy the choice. */
EchoCutValue *echo_stack_choice_begin(EchoStackChoice *choice, const EchoBlock *body,
                                      EchoArena *scratch);
/* Decides. O(min cut of the body). */
void echo_stack_choice_cut(EchoStackChoice *choice, const EchoCutQuestion *question,
                           EchoArena *scratch);
/* Of writing a value of the body and of reading it again. */
double echo_pass_on_ns(const EchoGraph *graph, uint32_t value, const EchoDeviceModel *device);

#endif
