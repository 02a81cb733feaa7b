/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is left of a run that crashes: a file that replays it. All of it is put together while
 * nothing is wrong yet, so that a signal handler, and the panic handler when the heap is what is
 * broken, need no more than open and write. */
#ifndef ECHO_TOOLS_COMMON_CRASH_H
#define ECHO_TOOLS_COMMON_CRASH_H

#include "ir/pass/pass.h"

/* SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT write the reproducer, name it on standard error and
 * then do what they would have done; on a stack of its own, so that an overflow is one of them.
 *   path  of the reproducer; NULL = TOOL-crash-PID.mlir in $TMPDIR, or in /tmp */
void echo_crash_install(const char *tool, const char *path);

/* A module's text (borrowed) and the passes that have run on the module: "cse,dce". */
typedef struct EchoReplay {
  EchoStr source; /* empty = there is nothing that could be replayed */
  EchoBuffer passes;
} EchoReplay;

void echo_replay_destroy(EchoReplay *replay);

/* Around a run on the module of `replay`: `pipeline` as an EchoPassWatcher is given it. */
void echo_crash_begin(EchoReplay *replay, EchoStr pipeline);
void echo_crash_end(void);

/* Writes the reproducer, if a pipeline is running, and names it on standard error. The first call
 * does it, later ones do nothing. */
void echo_crash_write_reproducer(void);

#endif
