/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* set-stage: records on the module which stage it has reached. */
#include "dialects/echo/stages.h"
#include "ir/diagnostics.h"
#include "lowering/lowering.h"

static bool run(EchoPassRun *pass)
{
  EchoStage stage;
  EchoStr name = echo_pass_option(pass, "stage");
  if (!echo_stage_from_name(name, &stage))
    return echo_op_error(pass->op, "'%.*s' is no stage", ECHO_STR_ARG(name));
  if (!echo_stage_verify(pass->op, stage))
    return false;
  echo_module_set_stage(pass->op, stage);
  return true;
}

static const EchoPassOption options[] = {{"stage", "name of the stage", "model"}, {0}};

const EchoPass ECHO_PASS_SET_STAGE = {
    .name = "set-stage",
    .summary = "record the stage that a module has reached, and check that it is legal there",
    .anchor = "builtin.module",
    .options = options,
    .run = run,
};
