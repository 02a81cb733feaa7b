/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/collective_calls_t.h"

#include "dialects/stablehlo/loop.h"
#include "ir/attributes/attribute.h"
#include "ir/table/op_info.h"

bool echo_collective_call_read(const EchoOp *op, EchoCollectiveCall *call)
{
  const bool is_tensor = echo_op_is(op, "stablehlo.custom_call");
  const char *name = is_tensor ? "call_target_name" : "symbol";
  if (!echo_op_has_attr(op, name))
    return false;
  call->target = echo_op_attr_string(op, name);
  call->config_name = is_tensor ? "backend_config" : "config";
  call->config = echo_op_attr_or_null(op, call->config_name);
  return call->config != NULL && echo_str_starts_with(call->target, "echo.mpi.");
}

void echo_collective_call_tell(EchoOp *op, const EchoCollectiveCall *call, int64_t number)
{
  EchoContext *ctx = echo_op_context(op);
  EchoBuffer place = {0};
  const EchoAttr *config = echo_dictionary_with(ctx, call->config, ECHO_STR(ECHO_CALL_NUMBER),
                                                echo_attr_i64(ctx, number));
  if (echo_loc_describe(ctx, op->loc, &place))
    config = echo_dictionary_with(ctx, config, ECHO_STR(ECHO_CALL_PLACE),
                                  echo_attr_string(ctx, echo_buffer_str(&place)));
  echo_op_set_attr(op, call->config_name, config);
  echo_buffer_destroy(&place);
}

bool echo_collective_call_may_be_missed(const EchoOp *op)
{
  EchoCountedLoop counted;
  for (op = echo_op_parent(op); op != NULL; op = echo_op_parent(op))
    if (!echo_op_is(op, "func.func") && !echo_op_is(op, "builtin.module") &&
        !(echo_op_is(op, "stablehlo.while") && echo_hlo_counted_loop(op, &counted)))
      return true;
  return false;
}

static const EchoAttr *told_or_null(const EchoAttr *config_or_null, const char *name)
{
  return config_or_null != NULL && config_or_null->kind == ECHO_ATTR_DICTIONARY
             ? echo_dictionary_get_or_null(config_or_null, name)
             : NULL;
}

EchoStr echo_collective_call_place(const EchoAttr *config_or_null)
{
  const EchoAttr *place = told_or_null(config_or_null, ECHO_CALL_PLACE);
  return place != NULL ? place->as.string : (EchoStr){0};
}

int64_t echo_collective_call_number(const EchoAttr *config_or_null)
{
  const EchoAttr *number = told_or_null(config_or_null, ECHO_CALL_NUMBER);
  return number != NULL ? number->as.integer.value : -1;
}

void echo_collective_call_describe(EchoBuffer *out, EchoStr target, EchoStr place)
{
  echo_buffer_append_str(out, target);
  if (place.size != 0)
    echo_buffer_printf(out, " at %.*s", ECHO_STR_ARG(place));
}
