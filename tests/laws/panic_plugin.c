/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Passes with bugs: one whose invariant is that there is no tanh, one that is killed by a signal.
 */
#include <signal.h>
#include <stdlib.h>

#include "base/panic.h"
#include "ir/pass/pass.h"
#include "jit/driver/plugin.h"

static bool run(EchoPassRun *pass)
{
  for (EchoOp *op = pass->op; op != NULL; op = echo_op_walk_next(pass->op, op))
    ECHO_CHECK_OP(!echo_op_is(op, "stablehlo.tanh"), op, "tanh must not be here");
  return true;
}

static const EchoPass PANIC = {.name = "panic-on-tanh",
                               .summary = "break an invariant",
                               .anchor = "builtin.module",
                               .run = run};

/* Deeper than any stack; the array keeps the compiler from making a loop of it. */
static int sink(volatile int *above, int depth)
{
  volatile int frame[256];
  frame[depth & 255] = above[0] + depth;
  return depth < 0 ? frame[0] : sink(frame, depth + 1) + frame[depth & 255];
}

static bool crash(EchoPassRun *pass)
{
  static int *volatile nowhere;
  volatile int start[1] = {0};
  EchoStr how = echo_pass_option(pass, "how");
  if (echo_str_is(how, "segv"))
    *nowhere = 1;
  else if (echo_str_is(how, "overflow"))
    return sink(start, 0) != 0;
  else if (echo_str_is(how, "abort"))
    abort();
  else
    raise(echo_str_is(how, "bus") ? SIGBUS : echo_str_is(how, "fpe") ? SIGFPE : SIGILL);
  return true;
}

static const EchoPassOption CRASH_OPTIONS[] = {
    {"how", "segv, overflow, abort, bus, fpe or ill", "none"}, {0}};

static const EchoPass CRASH = {.name = "crash",
                               .summary = "die by a signal",
                               .anchor = "builtin.module",
                               .options = CRASH_OPTIONS,
                               .run = crash};

static const EchoPass *const PASSES[] = {&PANIC, &CRASH, NULL};

const EchoPluginInfo *echo_plugin_info(void);
const EchoPluginInfo *echo_plugin_info(void)
{
  static const EchoPluginInfo info = {
      .api_version = ECHO_PLUGIN_API_VERSION, .name = "panic", .version = "1.0", .passes = PASSES};
  return &info;
}
