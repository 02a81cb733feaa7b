/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Types and attributes from text that code holds: a mistake in it is a bug. */
#include "ir/text/text.h"

const EchoType *echo_type_from_text(EchoContext *ctx, const char *text)
{
  const EchoType *type = echo_parse_type_or_null(ctx, echo_str(text));
  ECHO_CHECK(type != NULL, "'%s' is no type", text != NULL ? text : "NULL");
  return type;
}

const EchoAttr *echo_attr_from_text(EchoContext *ctx, const char *text)
{
  const EchoAttr *attr = echo_parse_attr_or_null(ctx, echo_str(text));
  ECHO_CHECK(attr != NULL, "'%s' is no attribute", text != NULL ? text : "NULL");
  return attr;
}
