/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The dialect "echo": no ops, only the discardable attributes with which passes talk to each other.
 */
#include "dialects/dialects.h"
#include "dialects/echo/stages.h"

static bool is_one_of(EchoStr text, const char *const *words)
{
  for (; *words != NULL; words++)
    if (echo_str_is(text, *words))
      return true;
  return false;
}

static bool verify_word(const EchoOp *op, const EchoNamedAttr *attr, const char *const *words)
{
  if (attr->value->kind == ECHO_ATTR_STRING && is_one_of(attr->value->as.string, words))
    return true;
  return echo_op_error(op, "attribute '%.*s' has an unknown value %s", ECHO_STR_ARG(attr->name),
                       echo_attr_text(echo_op_context(op), attr->value));
}

static bool verify_stage(const EchoOp *op, const EchoNamedAttr *attr)
{
  EchoStage stage;
  if (attr->value->kind != ECHO_ATTR_STRING ||
      !echo_stage_from_name(attr->value->as.string, &stage))
    return echo_op_error(op, "attribute 'echo.stage' names no stage");
  return echo_stage_verify(op, stage);
}

static bool verify_op_attr(const EchoOp *op, const EchoNamedAttr *attr)
{
  static const char *const phases[] = {"forward", "backward", "update", NULL};
  static const char *const roles[] = {"parameter", "optimizer", "input", NULL};
  if (echo_str_is(attr->name, "echo.stage"))
    return verify_stage(op, attr);
  if (echo_str_is(attr->name, "echo.phase"))
    return verify_word(op, attr, phases);
  if (echo_str_is(attr->name, "echo.role"))
    return verify_word(op, attr, roles);
  if (echo_str_is(attr->name, "echo.recompute"))
    return attr->value->kind == ECHO_ATTR_UNIT ||
           echo_op_error(op, "attribute 'echo.recompute' is a unit attribute");
  return true; /* passes may leave notes of their own */
}

const EchoDialect ECHO_ECHO_DIALECT = {
    .name = "echo",
    .summary = "attributes that the passes leave for each other",
    .verify_op_attr = verify_op_attr,
};
