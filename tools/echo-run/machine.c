/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/echo-run/machine.h"

#include "dialects/echo/stages.h"
#include "dialects/interfaces/evaluate.h"
#include "jit/data/npy.h"
#include "jit/runtime/libraries.h"

/* One of the two halves is in use, by whether there is an executable. */
struct Machine {
  EchoContext *ctx;
  const Signature *signature;
  EchoOp *module;
  EchoTensor **host_args, **host_results; /* behind the arguments: the state of random numbers */
  uint64_t seed, next_step;
  EchoDevice *device;
  EchoExecutable *executable; /* NULL = the interpreter */
  EchoDeviceBuffer **args, **results;
};

static Machine *create(const Signature *signature)
{
  Machine *machine = echo_alloc_zero(1, sizeof *machine);
  machine->signature = signature;
  return machine;
}

Machine *machine_create_interpreter(EchoContext *ctx, EchoOp *module, const Signature *signature)
{
  Machine *machine = create(signature);
  machine->ctx = ctx;
  machine->module = module;
  machine->host_args = echo_alloc_zero(signature->n_args + 1, sizeof(EchoTensor *));
  machine->host_results = echo_alloc_zero(signature->n_results + 1, sizeof(EchoTensor *));
  for (size_t i = 0; i < signature->n_args + signature->draws; i++)
    machine->host_args[i] = echo_tensor_create(signature->arg_types[i], false);
  return machine;
}

/* NULL after diagnostics. */
static EchoDeviceBuffer *create_buffer_or_null(EchoContext *ctx, EchoDevice *device,
                                               uint64_t size_bytes, bool is_in_host)
{
  return is_in_host ? echo_device_host_buffer_create_or_null(ctx, device, size_bytes)
                    : echo_device_buffer_create_or_null(ctx, device, size_bytes);
}

Machine *machine_create_device_or_null(EchoContext *ctx, EchoDevice *device,
                                       EchoExecutable *executable, const Signature *signature)
{
  Machine *machine = create(signature);
  machine->ctx = ctx;
  machine->device = device;
  machine->executable = executable;
  machine->args = echo_alloc_zero(signature->n_args + 1, sizeof(EchoDeviceBuffer *));
  machine->results = echo_alloc_zero(signature->n_results + 1, sizeof(EchoDeviceBuffer *));
  for (size_t i = 0; i < signature->n_args; i++) {
    machine->args[i] =
        create_buffer_or_null(ctx, device, echo_type_static_bytes(signature->arg_types[i]),
                              echo_executable_arg_is_in_host(executable, i));
    if (machine->args[i] != NULL)
      continue;
    machine_destroy(machine);
    return NULL;
  }
  return machine;
}

void machine_destroy(Machine *machine)
{
  if (machine == NULL)
    return;
  const Signature *signature = machine->signature;
  if (machine->executable != NULL) {
    machine_advance(machine);
    for (size_t i = 0; i < signature->n_args; i++)
      echo_device_buffer_destroy(machine->args[i]);
  } else {
    for (size_t i = 0; i < signature->n_args + signature->draws; i++)
      echo_tensor_destroy(machine->host_args[i]);
    for (size_t i = 0; i < signature->n_results; i++)
      echo_tensor_destroy(machine->host_results[i]);
  }
  echo_free(machine->args);
  echo_free(machine->results);
  echo_free(machine->host_args);
  echo_free(machine->host_results);
  echo_free(machine);
}

bool machine_write_arg(Machine *machine, size_t arg, const void *data)
{
  if (machine->executable != NULL) {
    EchoDeviceBuffer *buffer = machine->args[arg];
    return echo_device_buffer_write(machine->ctx, buffer, data, echo_device_buffer_bytes(buffer));
  }
  EchoTensor *tensor = machine->host_args[arg];
  memcpy(tensor->data, data, (size_t)echo_tensor_bytes(tensor));
  return true;
}

void machine_seed(Machine *machine, uint64_t seed)
{
  machine->seed = seed;
  echo_executable_seed(machine->executable, seed, 0);
}

bool machine_step(Machine *machine)
{
  const Signature *signature = machine->signature;
  if (machine->executable != NULL)
    return echo_executable_execute(machine->executable, machine->args, signature->n_args,
                                   machine->results, signature->n_results);
  echo_register_libraries(machine->ctx);
  const uint64_t words[ECHO_RANDOM_STATE_WORDS] = {machine->seed, 0, machine->next_step++};
  if (signature->draws)
    machine_write_arg(machine, signature->n_args, words);
  return echo_interpret(
      machine->ctx, machine->module, signature->main, (const EchoTensor *const *)machine->host_args,
      signature->n_args + signature->draws, machine->host_results, signature->n_results);
}

EchoTensor *machine_read_result_or_null(const Machine *machine, size_t result)
{
  if (machine->executable == NULL)
    return echo_tensor_clone(machine->host_results[result]);
  EchoTensor *tensor = echo_tensor_create(machine->signature->result_types[result], false);
  if (echo_device_buffer_read(machine->ctx, machine->results[result], tensor->data,
                              (uint64_t)echo_tensor_bytes(tensor)))
    return tensor;
  echo_tensor_destroy(tensor);
  return NULL;
}

bool machine_feed(Machine *machine, size_t result, size_t arg)
{
  if (machine->executable != NULL)
    return echo_device_buffer_copy(machine->ctx, machine->results[result], machine->args[arg]);
  return machine_write_arg(machine, arg, machine->host_results[result]->data);
}

void machine_advance(Machine *machine)
{
  const Signature *signature = machine->signature;
  for (size_t r = 0; r < signature->n_results; r++) {
    int64_t arg = signature->result_alias[r];
    if (machine->executable != NULL) {
      if (arg < 0)
        echo_device_buffer_destroy(machine->results[r]);
      machine->results[r] = NULL;
      continue;
    }
    EchoTensor *result = machine->host_results[r];
    machine->host_results[r] = NULL;
    if (arg >= 0 && result != NULL) {
      echo_tensor_destroy(machine->host_args[arg]);
      machine->host_args[arg] = result;
    } else {
      echo_tensor_destroy(result);
    }
  }
}
