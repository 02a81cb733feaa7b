/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/echo/stages.h"

/* What may remain. A name with a dot is one op, without one a whole dialect. Stages that lower in
 * place add to what the one before them holds. "Inside kernel.func" is not told apart: a kernel's
 * body is the stage it will be lowered from. */
static const struct {
  const char *name;
  const char *legal[16]; /* NULL-terminated */
} stages[ECHO_N_STAGES] = {
    [ECHO_STAGE_MODEL] = {"model", {"builtin", "func", "nn", "chlo", "stablehlo", "sdy"}},
    [ECHO_STAGE_TENSOR] = {"tensor",
                           {"builtin", "func", "stablehlo", "chlo", "nn.gradient",
                            "nn.stop_gradient"}},
    [ECHO_STAGE_STEP] = {"step", {"builtin", "func", "stablehlo"}},
    [ECHO_STAGE_ECHOED] = {"echoed", {"builtin", "func", "stablehlo"}},
    [ECHO_STAGE_SCHEDULED] = {"scheduled", {"builtin", "func", "stablehlo"}},
    [ECHO_STAGE_KERNELS] = {"kernels",
                            {"builtin", "func", "stablehlo", "kernel.func", "kernel.return",
                             "kernel.call"}},
    [ECHO_STAGE_PLANNED] = {"planned",
                            {"builtin", "func", "stablehlo", "kernel.func", "kernel.return",
                             "kernel.launch", "plan"}},
    [ECHO_STAGE_LOOPS] = {"loops",
                          {"builtin", "func", "kernel.library", "kernel.launch", "plan", "scf",
                           "memref", "arith", "math", "vector", "gpu", "nvgpu"}},
};

const char *echo_stage_name(EchoStage stage)
{
  return stages[stage].name;
}

bool echo_stage_from_name(EchoStr name, EchoStage *stage)
{
  for (int i = 0; i < ECHO_N_STAGES; i++)
    if (echo_str_is(name, stages[i].name)) {
      *stage = (EchoStage)i;
      return true;
    }
  return false;
}

EchoStage echo_module_stage(const EchoOp *module)
{
  EchoStage stage = ECHO_STAGE_MODEL;
  echo_stage_from_name(echo_op_attr_string(module, "echo.stage"), &stage);
  return stage;
}

EchoOp *echo_module_main_or_null(const EchoOp *module)
{
  for (EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next)
    if (echo_op_is(op, "func.func") && echo_str_is(echo_op_attr_string(op, "sym_name"), "main") &&
        !echo_region_is_empty(&op->regions[0]))
      return op;
  return NULL;
}

void echo_module_set_stage(EchoOp *module, EchoStage stage)
{
  EchoContext *ctx = echo_op_context(module);
  echo_op_set_attr(module, "echo.stage", echo_attr_string(ctx, echo_str(stages[stage].name)));
}

static bool is_legal(const EchoOp *op, EchoStage stage)
{
  EchoStr name = echo_op_name(op);
  const char *dot = memchr(name.data, '.', name.size);
  EchoStr dialect = {name.data, dot != NULL ? (size_t)(dot - name.data) : name.size};
  for (const char *const *legal = stages[stage].legal; *legal != NULL; legal++)
    if (echo_str_is(name, *legal) || echo_str_is(dialect, *legal))
      return true;
  return false;
}

const EchoOp *echo_stage_illegal_op_or_null(const EchoOp *module, EchoStage stage)
{
  for (EchoOp *op = (EchoOp *)module; op != NULL; op = echo_op_walk_next(module, op))
    if (!is_legal(op, stage))
      return op;
  return NULL;
}

bool echo_stage_verify(const EchoOp *module, EchoStage stage)
{
  bool ok = true;
  for (EchoOp *op = (EchoOp *)module; op != NULL; op = echo_op_walk_next(module, op))
    if (!is_legal(op, stage))
      ok = echo_op_error(op, "is not legal in stage '%s'", stages[stage].name);
  return ok;
}
