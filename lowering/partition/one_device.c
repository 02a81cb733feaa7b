/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls that are said to be one device's (a maximal sharding: JAX's callbacks in a jit for many):
 * it alone makes them, of wholes, in a branch that the others pass by, and all are given what they
 * give. */
#include "base/vector.h"
#include "dialects/stablehlo/build.h"
#include "lowering/calls/collectives_t.h"
#include "lowering/partition/shardings_t.h"

typedef ECHO_VECTOR(EchoOp *) Calls;

static int64_t device_of_text(EchoStr text)
{
  static const char MAXIMAL[] = "{maximal device=";
  EchoStr number = {text.data + sizeof MAXIMAL - 1, 0};
  uint64_t device;
  if (!echo_str_starts_with(text, MAXIMAL))
    return -1;
  while (number.data + number.size < text.data + text.size && number.data[number.size] != '}')
    number.size++;
  return echo_str_to_u64(number, &device) && device <= INT32_MAX ? (int64_t)device : -1;
}

bool echo_read_one_device(const EchoOp *module, EchoOp *op)
{
  const EchoAttr *sdy = echo_op_attr_or_null(op, "sdy.sharding");
  const EchoAttr *mhlo = echo_op_attr_or_null(op, "mhlo.sharding");
  const EchoProcesses processes = echo_processes_of(module);
  if (!echo_op_is(op, "stablehlo.custom_call") || echo_is_constraint(op) ||
      echo_is_shard_call(op) || echo_op_has_attr(op, ECHO_READ_SHARDING))
    return true;
  int64_t device = -1;
  if (sdy != NULL)
    device = echo_sharding_device(module, sdy);
  else if (mhlo != NULL && mhlo->kind == ECHO_ATTR_STRING)
    device = device_of_text(mhlo->as.string);
  if (device < 0)
    return true;
  if (device >= processes.n_replicas * processes.n_partitions)
    return echo_op_error(op, "is for device %lld, and there are %lld", (long long)device,
                         (long long)(processes.n_replicas * processes.n_partitions));
  echo_op_set_attr(op, ECHO_READ_SHARDING, echo_attr_i64(echo_op_context(op), device));
  return true;
}

bool echo_is_for_one(const EchoOp *op)
{
  const EchoAttr *read = echo_op_attr_or_null(op, ECHO_READ_SHARDING);
  return read != NULL && read->kind == ECHO_ATTR_INTEGER;
}

static EchoValue *is_device(EchoBuilder *b, int64_t device)
{
  const EchoType *type = echo_hlo_scalar_type(b->ctx, echo_type_integer(b->ctx, 32, ECHO_UNSIGNED));
  EchoOp *id = echo_build_op(b, "stablehlo.partition_id", NULL, 0, &type, 1, NULL, 0);
  return echo_hlo_compare(b, ECHO_COMPARE_EQ, echo_op_result(id, 0),
                          echo_hlo_constant_i64(b, type, device));
}

/* What the others have until they are told. */
static EchoValue *nothing_of(EchoBuilder *b, const EchoOp *call, const EchoType *type)
{
  if (echo_type_is_tensor(type)) {
    static const uint64_t zero[2];
    return echo_hlo_constant(
        b, echo_attr_elements(b->ctx, type, zero, echo_type_element_bytes(type), true));
  }
  for (uint32_t i = 0; i < call->n_operands; i++)
    if (echo_op_operand_type(call, i) == type)
      return echo_op_operand(call, i);
  return echo_op_result(echo_build_op(b, "stablehlo.create_token", NULL, 0, &type, 1, NULL, 0), 0);
}

static EchoValue *told(EchoBuilder *b, EchoValue *value, int64_t device, int64_t n)
{
  ECHO_VECTOR(int64_t) ranks = {0};
  EchoAttrArg attrs[3];
  if (!echo_type_is_tensor(value->type))
    return value;
  echo_vector_push(&ranks, device); /* the first of a group has what all are given */
  for (int64_t i = 0; i < n; i++)
    if (i != device)
      echo_vector_push(&ranks, i);
  echo_group_attrs(b->ctx, ranks.data, ranks.size, n, attrs);
  EchoOp *op =
      echo_build_op(b, "stablehlo.collective_broadcast", &value, 1, &value->type, 1, attrs, 2);
  echo_vector_destroy(&ranks);
  return echo_op_result(op, 0);
}

static void write_call(EchoOp *call, int64_t n)
{
  const int64_t device = echo_op_attr_or_null(call, ECHO_READ_SHARDING)->as.integer.value;
  EchoBuilder b = echo_builder_before(call), branches[2];
  ECHO_VECTOR(const EchoType *) types = {0};
  ECHO_VECTOR(EchoValue *) given = {0}, none = {0};
  for (uint32_t i = 0; i < call->n_results; i++)
    echo_vector_push(&types, echo_op_result_type(call, i));
  EchoOp *branch = echo_hlo_if(&b, is_device(&b, device), types.data, types.size, branches);
  EchoOp *own = echo_hlo_return(&branches[0], given.data, 0);
  for (uint32_t i = 0; i < call->n_results; i++) {
    echo_value_replace_all_uses(echo_op_result(call, i),
                                told(&b, echo_op_result(branch, i), device, n));
    echo_vector_push(&given, echo_op_result(call, i));
    echo_vector_push(&none, nothing_of(&branches[1], call, types.data[i]));
  }
  echo_op_move_before(call, own);
  echo_op_erase(own);
  echo_hlo_return(&branches[0], given.data, given.size);
  echo_hlo_return(&branches[1], none.data, none.size);
  echo_op_set_attr(call, ECHO_READ_SHARDING, NULL);
  echo_op_set_attr(call, "sdy.sharding", NULL);
  echo_op_set_attr(call, "mhlo.sharding", NULL);
  echo_vector_destroy(&types);
  echo_vector_destroy(&given);
  echo_vector_destroy(&none);
}

void echo_write_one_device(EchoOp *main, int64_t n_processes)
{
  Calls calls = {0};
  for (EchoOp *op = main; op != NULL; op = echo_op_walk_next(main, op))
    if (echo_is_for_one(op))
      echo_vector_push(&calls, op);
  for (size_t i = 0; i < calls.size; i++)
    write_call(calls.data[i], n_processes);
  echo_vector_destroy(&calls);
}
