/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Blobs of resource sections, and sparse elements, as dense ones. */
#include "ir/attributes/tensor.h"
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

/* Row-major; -1 where one of `rank` indices from `at` on is outside. */
static int64_t place_of(const EchoAttr *indices, size_t at, const EchoType *type)
{
  int64_t place = 0;
  for (size_t i = 0; i < echo_type_rank(type); i++) {
    int64_t index = echo_elements_i64(indices, at + i);
    if (index < 0 || index >= echo_type_dim(type, i))
      return -1;
    place = place * echo_type_dim(type, i) + index;
  }
  return place;
}

static const EchoAttr *scatter_or_null(EchoContext *ctx, const EchoAttr *sparse)
{
  const EchoType *type = sparse->type;
  const EchoAttr *indices = sparse->as.sparse.indices, *values = sparse->as.sparse.values;
  size_t size = echo_type_element_bytes(type), rank = echo_type_rank(type);
  if (values->kind != ECHO_ATTR_DENSE_ELEMENTS || !echo_type_is_tensor(type) ||
      !echo_type_has_static_shape(type) || size == 0)
    return NULL;
  size_t n = (size_t)echo_type_static_n_elements(values->type);
  if ((size_t)echo_type_static_n_elements(indices->type) != n * rank)
    return NULL;
  EchoTensor *tensor = echo_tensor_create(type, true);
  bool ok = true;
  for (size_t i = 0; i < n && ok; i++) {
    int64_t place = place_of(indices, i * rank, type);
    const char *from = values->as.elements.data;
    ok = place >= 0;
    if (ok)
      memcpy((char *)tensor->data + (size_t)place * size,
             values->as.elements.is_splat ? from : from + i * size, size);
  }
  const EchoAttr *dense = ok ? echo_tensor_to_elements(ctx, tensor) : NULL;
  echo_tensor_destroy(tensor);
  return dense;
}

const EchoAttr *echo_dense_elements_or_null(EchoContext *ctx, const EchoAttr *elements)
{
  if (ctx == NULL || elements == NULL)
    return NULL;
  switch (elements->kind) {
  case ECHO_ATTR_DENSE_ELEMENTS:
    return elements;
  case ECHO_ATTR_DENSE_RESOURCE:
    return echo_resource_elements_or_null(ctx, elements);
  case ECHO_ATTR_SPARSE:
    return scatter_or_null(ctx, elements);
  default:
    return NULL;
  }
}
