/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls back into the client's language: a custom call of "echo_python_callback" hands its arrays
 * to the one function that the client's package has set (pjrt/python/jax_echo). PJRT's own
 * callbacks (send and recv) are not those that JAX writes for a CPU. */
#include <stdatomic.h>

#include "pjrt/plugin_t.h"

static _Atomic(EchoPjrtCallback *) callback;
static _Atomic(EchoPjrtHoldCallback *) hold_callback;

void Echo_PJRT_SetCallback(EchoPjrtCallback *function, EchoPjrtHoldCallback *hold)
{
  atomic_store(&callback, function);
  atomic_store(&hold_callback, hold);
}

void echo_pjrt_hold_callback(uint64_t index, bool is_held)
{
  EchoPjrtHoldCallback *hold = atomic_load(&hold_callback);
  if (hold != NULL)
    hold(index, is_held);
}

static const EchoAttr *index_or_null(const EchoAttr *config)
{
  const EchoAttr *index = config != NULL && config->kind == ECHO_ATTR_DICTIONARY
                              ? echo_dictionary_get_or_null(config, "index")
                              : NULL;
  return index != NULL && index->kind == ECHO_ATTR_INTEGER ? index : NULL;
}

bool echo_pjrt_calls_back(const EchoOp *op, uint64_t *index)
{
  if (!echo_op_is(op, "stablehlo.custom_call") ||
      !echo_str_is(echo_op_attr_string(op, "call_target_name"), ECHO_PJRT_PYTHON_CALLBACK.name))
    return false;
  const EchoAttr *found = index_or_null(echo_op_attr_or_null(op, "backend_config"));
  if (found == NULL)
    found = index_or_null(echo_op_attr_or_null(op, "mhlo.backend_config"));
  *index = found != NULL ? (uint64_t)found->as.integer.value : 0;
  return found != NULL;
}

static bool run(const EchoTargetCall *call)
{
  EchoPjrtCallback *function = atomic_load(&callback);
  const EchoAttr *index = index_or_null(call->config);
  char error[1024] = "";
  if (function == NULL || index == NULL) {
    echo_buffer_append_c(call->error,
                         function == NULL ? "the client has set no callback" : "it has no 'index'");
    return false;
  }
  if (function((uint64_t)index->as.integer.value, call->operands, call->results, error,
               sizeof error) != 0)
    return true;
  echo_buffer_append_c(call->error, error);
  return false;
}

const EchoCallTarget ECHO_PJRT_PYTHON_CALLBACK = {
    .name = "echo_python_callback",
    .summary = "a Python function of the client's",
    .run = run,
};
