/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the specification asks of ops that hand data to the host or to another program, or start one
 * without waiting for it. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/infer/infer_t.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/diagnostics.h"

static bool is_token(const EchoType *type)
{
  return type->kind == ECHO_TYPE_OPAQUE && echo_str_is(type->as.opaque.dialect, "stablehlo") &&
         echo_str_is(type->as.opaque.text, "token");
}

/* Tensors, then a token. */
static bool check_received(const EchoOp *op)
{
  if (op->n_results == 0)
    return echo_op_error(op, "expects at least one result");
  for (size_t i = 0; i + 1 < op->n_results; ++i)
    if (!echo_type_is_tensor(echo_op_result_type(op, i)))
      return echo_op_error(op, "all results but the last must be tensors, but got '%s'",
                           echo_type_text(echo_op_context(op), echo_op_result_type(op, i)));
  const EchoType *last = echo_op_result_type(op, op->n_results - 1);
  return is_token(last) || echo_op_error(op, "the last result must be a token, but got '%s'",
                                         echo_type_text(echo_op_context(op), last));
}

/* A list of dimensions for each result but the token. */
static bool check_layout(const EchoOp *op, const EchoAttr *layout)
{
  if (layout->as.array.size != op->n_results - 1)
    return echo_op_error(op, "layout has %zu entries for %u tensors", layout->as.array.size,
                         op->n_results - 1);
  for (size_t i = 0; i < layout->as.array.size; ++i) {
    const EchoAttr *entry = layout->as.array.elements[i];
    if (entry->kind != ECHO_ATTR_ARRAY)
      return echo_op_error(op, "entry %zu of layout must be a list", i);
    for (size_t d = 0; d < entry->as.array.size; ++d)
      if (entry->as.array.elements[d]->kind != ECHO_ATTR_INTEGER)
        return echo_op_error(op, "entry %zu of layout must be a list of integers", i);
  }
  return true;
}

bool echo_hlo_verify_infeed(const EchoOp *op)
{
  const EchoAttr *layout = echo_op_attr_or_null(op, "layout");
  return check_received(op) && (layout == NULL || check_layout(op, layout));
}

/* Channel types of the specification. */
enum { DEVICE_TO_DEVICE = 1, DEVICE_TO_HOST = 2, HOST_TO_DEVICE = 3 };

static bool check_channel(const EchoOp *op, int64_t with_host)
{
  const EchoAttr *is_host = echo_op_attr_or_null(op, "is_host_transfer");
  int64_t wanted = is_host != NULL && is_host->as.integer.value != 0 ? with_host : DEVICE_TO_DEVICE;
  const EchoChannelHandle *channel = echo_stablehlo_channel_or_null(op);
  return channel == NULL || channel->type == wanted ||
         echo_op_error(op, "expects a channel of type %lld, but got %lld", (long long)wanted,
                       (long long)channel->type);
}

bool echo_hlo_verify_send(const EchoOp *op)
{
  return check_channel(op, DEVICE_TO_HOST);
}

bool echo_hlo_verify_recv(const EchoOp *op)
{
  return check_channel(op, HOST_TO_DEVICE) && check_received(op);
}

/* ---- async_start, async_done ---- */

/* What a region may do while others go on. */
static bool may_be_started(const EchoOp *op)
{
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_ALL_GATHER:
  case ECHO_HLO_ALL_REDUCE:
  case ECHO_HLO_ALL_TO_ALL:
  case ECHO_HLO_COLLECTIVE_BROADCAST:
  case ECHO_HLO_COLLECTIVE_PERMUTE:
  case ECHO_HLO_COLLECTIVE_REDUCE:
  case ECHO_HLO_REDUCE_SCATTER:
  case ECHO_HLO_SLICE:
  case ECHO_HLO_DYNAMIC_SLICE:
  case ECHO_HLO_DYNAMIC_UPDATE_SLICE:
    return true;
  default:
    return false;
  }
}

static bool check_started(const EchoOp *op)
{
  const EchoBlock *body = op->regions[0].first;
  if (body == NULL || body->first == NULL || body->first->next == NULL ||
      body->first->next != body->last)
    return echo_op_error(op, "expects a region of one op and a return");
  if (!may_be_started(body->first))
    return echo_op_error(op, "expects a region with a collective or a slice");
  if (body->n_args != op->n_operands)
    return echo_op_error(op, "has %u operands, but its region %u arguments", op->n_operands,
                         body->n_args);
  for (size_t i = 0; i < body->n_args; ++i)
    if (echo_block_arg(body, i)->type != echo_op_operand_type(op, i))
      return echo_op_error(op, "operand %zu and the region's argument have different types", i);
  return true;
}

/* "future<T, …>" of these types. */
static bool is_future_of(EchoContext *ctx, const EchoType *future, const EchoType *const *types,
                         size_t n)
{
  EchoBuffer text = {0};
  echo_buffer_append(&text, "future<", 7);
  for (size_t i = 0; i < n; ++i)
    echo_buffer_printf(&text, "%s%s", i == 0 ? "" : ", ", echo_type_text(ctx, types[i]));
  echo_buffer_append(&text, ">", 1);
  bool is = future->kind == ECHO_TYPE_OPAQUE &&
            echo_str_equal(future->as.opaque.text, echo_buffer_str(&text));
  echo_buffer_destroy(&text);
  return is;
}

enum { MAX_STARTED = 64 };

bool echo_hlo_verify_async_start(const EchoOp *op)
{
  const EchoType *types[MAX_STARTED];
  if (!check_started(op))
    return false;
  const EchoOp *end = op->regions[0].first->last;
  if (end->n_operands > MAX_STARTED)
    return echo_op_error(op, "returns more than %d values", MAX_STARTED);
  for (size_t i = 0; i < end->n_operands; ++i)
    types[i] = echo_op_operand_type(end, i);
  return is_future_of(echo_op_context(op), echo_op_result_type(op, 0), types, end->n_operands) ||
         echo_op_error(op, "its result '%s' is no future of what the region returns",
                       echo_type_text(echo_op_context(op), echo_op_result_type(op, 0)));
}

bool echo_hlo_verify_async_done(const EchoOp *op)
{
  const EchoType *type = echo_op_result_type(op, 0), *future = echo_op_operand_type(op, 0);
  return is_future_of(echo_op_context(op), future, &type, 1) ||
         echo_op_error(op, "result '%s' is not what '%s' will be",
                       echo_type_text(echo_op_context(op), type),
                       echo_type_text(echo_op_context(op), future));
}
