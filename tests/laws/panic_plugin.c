/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A pass with a bug: its invariant is that there is no tanh. */
#include "base/panic.h"
#include "ir/pass/pass.h"
#include "ir/pass/plugin.h"

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

static void register_passes(EchoPassRegistry *registry)
{
  echo_pass_registry_add(registry, &PANIC);
}

const EchoPluginInfo *echo_plugin_info(void);
const EchoPluginInfo *echo_plugin_info(void)
{
  static const EchoPluginInfo info = {.api_version = ECHO_PLUGIN_API_VERSION,
                                      .name = "panic",
                                      .version = "1.0",
                                      .register_passes = register_passes};
  return &info;
}
