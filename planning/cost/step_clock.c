/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "planning/cost/step_clock.h"

#include "dialects/plan/plan.h"

void echo_step_clock_create(EchoStepClock *clock, EchoOp *module, const EchoDeviceModel *device)
{
  *clock = (EchoStepClock){.device = device};
  echo_symbol_table_create(&clock->symbols, module);
}

void echo_step_clock_destroy(EchoStepClock *clock)
{
  echo_symbol_table_destroy(&clock->symbols);
  echo_map_destroy(&clock->ns_of_kernel);
}

static uint64_t launch_ns(EchoStepClock *clock, const EchoOp *launch)
{
  uint64_t ns = 0;
  const EchoOp *kernel = echo_symbol_table_get_or_null(
      &clock->symbols, echo_op_attr_or_null(launch, "callee")->as.symbol.root);
  if (kernel == NULL || echo_map_get(&clock->ns_of_kernel, echo_key(kernel), &ns))
    return ns;
  ns = echo_kernel_ns(kernel, clock->device);
  echo_map_set(&clock->ns_of_kernel, echo_key(kernel), ns);
  return ns;
}

static uint64_t copy_ns(const EchoStepClock *clock, const EchoOp *copy)
{
  const EchoWork work = {.bytes =
                             2.0 * (double)echo_type_static_bytes(echo_op_operand_type(copy, 0)),
                         .n_launches = 1};
  return echo_device_model_time_ns(clock->device, &work);
}

uint64_t echo_step_clock_ns(EchoStepClock *clock, EchoOp *root)
{
  uint64_t ns = 0;
  for (EchoOp *op = echo_plan_first_or_null(root, ECHO_PLAN_STEP); op != NULL;
       op = echo_plan_next_or_null(root, op, ECHO_PLAN_STEP)) {
    EchoPlanOpcode opcode = echo_plan_opcode(op);
    ns += opcode == ECHO_PLAN_LAUNCH ? launch_ns(clock, op)
          : opcode == ECHO_PLAN_COPY ? copy_ns(clock, op)
                                     : 0;
  }
  return ns;
}
