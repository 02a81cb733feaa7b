/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Blobs of resource sections as elements. */
#include "ir/context_t.h"
#include "ir/text/text.h"

/* The newest blob of that key; empty when there is none. */
static EchoStr blob_text(const EchoContext *ctx, EchoStr key)
{
  for (size_t i = ctx->resources.size; i-- > 0;) {
    const EchoResource *entry = &ctx->resources.data[i];
    if (echo_str_equal(entry->key, key) && echo_str_is(entry->section, "dialect_resources") &&
        echo_str_is(entry->group, "builtin"))
      return entry->text;
  }
  return (EchoStr){NULL, 0};
}

const EchoAttr *echo_resource_elements_or_null(EchoContext *ctx, const EchoAttr *resource)
{
  if (ctx == NULL || resource == NULL || resource->kind != ECHO_ATTR_DENSE_RESOURCE)
    return NULL;
  /* "0x", eight digits of alignment, then the data, in quotes */
  enum { HEAD = 3, ALIGNMENT_DIGITS = 8 };
  EchoStr text = blob_text(ctx, resource->as.string);
  if (text.size < HEAD + ALIGNMENT_DIGITS + 1 || text.data[0] != '"')
    return NULL;
  EchoBuffer literal = {0};
  echo_buffer_append_c(&literal, "dense<\"0x");
  echo_buffer_append(&literal, text.data + HEAD + ALIGNMENT_DIGITS,
                     text.size - HEAD - ALIGNMENT_DIGITS);
  echo_buffer_append_c(&literal, "> : ");
  echo_print_type(resource->type, &literal);
  const EchoAttr *elements = echo_parse_attr_or_null(ctx, echo_buffer_str(&literal));
  echo_buffer_destroy(&literal);
  return elements;
}
