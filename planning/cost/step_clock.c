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
  echo_map_destroy(&clock->end_of_event);
}

static uint64_t launch_ns(EchoStepClock *clock, const EchoOp *launch)
{
  uint64_t ns = 0;
  const EchoOp *kernel = echo_symbol_table_get_or_null(
      &clock->symbols, echo_op_attr_or_null(launch, "callee")->as.symbol.root);
  if (kernel == NULL || echo_map_get(&clock->ns_of_kernel, echo_key(kernel), &ns))
    return ns;
  if (echo_kernel_updates(kernel)) /* in its place, or not */
    return echo_launch_ns(kernel, launch, clock->device);
  ns = echo_kernel_ns(kernel, clock->device);
  echo_map_set(&clock->ns_of_kernel, echo_key(kernel), ns);
  return ns;
}

/* Calls run one after another. */
static uint64_t begin_ns(EchoStepClock *clock, const EchoOp *launch)
{
  uint64_t all_ns = launch_ns(clock, launch),
           own_ns = (uint64_t)echo_device_model_call_ns(clock->device);
  own_ns = own_ns < all_ns ? own_ns : all_ns;
  uint64_t begin = clock->now_ns + own_ns;
  begin = begin > clock->link_free_ns ? begin : clock->link_free_ns;
  clock->link_free_ns = begin + all_ns - own_ns;
  echo_map_set(&clock->end_of_event, echo_key(echo_op_result(launch, 0)), clock->link_free_ns);
  return own_ns;
}

static uint64_t wait_ns(const EchoStepClock *clock, const EchoOp *wait)
{
  uint64_t end = echo_map_get_or(&clock->end_of_event, echo_key(echo_op_operand(wait, 0)), 0);
  return end > clock->now_ns ? end - clock->now_ns : 0;
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
    bool gives_event = opcode == ECHO_PLAN_LAUNCH && op->n_results != 0;
    uint64_t own_ns = gives_event                  ? begin_ns(clock, op)
                      : opcode == ECHO_PLAN_LAUNCH ? launch_ns(clock, op)
                      : opcode == ECHO_PLAN_WAIT   ? wait_ns(clock, op)
                      : opcode == ECHO_PLAN_COPY   ? copy_ns(clock, op)
                                                   : 0;
    clock->now_ns += own_ns;
    ns += own_ns;
  }
  return ns;
}
