/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ir/attributes/tensor.h"

#include "ir/attributes/element.h"
#include "ir/attributes/float_format.h"

enum { TENSOR_ALIGNMENT = 64 };

static EchoTensor *create_for(const EchoType *type, uint64_t *size_bytes)
{
  ECHO_CHECK(type != NULL && echo_type_is_tensor(type), "a tensor of type kind %d",
             type != NULL ? (int)type->kind : -1);
  ECHO_CHECK(echo_type_element_bytes(type) != 0, "a tensor of elements without a size");
  EchoTensor *tensor = echo_alloc(sizeof *tensor);
  *tensor = (EchoTensor){.type = type,
                         .kind = echo_type_element_kind(type),
                         .n_elements = echo_type_static_n_elements(type)};
  *size_bytes = echo_type_static_bytes(type);
  tensor->data = echo_alloc_aligned((size_t)*size_bytes, TENSOR_ALIGNMENT);
  return tensor;
}

EchoTensor *echo_tensor_create(const EchoType *type, bool zero)
{
  uint64_t size_bytes;
  EchoTensor *tensor = create_for(type, &size_bytes);
  if (zero && size_bytes != 0)
    memset(tensor->data, 0, (size_t)size_bytes);
  return tensor;
}

/* Fills `data` by doubling what is there already, so that any element size goes at memory speed. */
static void fill_with_element(char *data, size_t size_bytes, const void *element,
                              size_t element_bytes)
{
  if (size_bytes == 0)
    return;
  memcpy(data, element, element_bytes);
  for (size_t done = element_bytes; done < size_bytes;) {
    size_t piece = done < size_bytes - done ? done : size_bytes - done;
    memcpy(data + done, data, piece);
    done += piece;
  }
}

EchoTensor *echo_tensor_from_elements(const EchoAttr *elements)
{
  if (elements == NULL)
    return NULL;
  ECHO_CHECK(elements->kind == ECHO_ATTR_DENSE_ELEMENTS, "attribute kind %d has no elements",
             (int)elements->kind);
  uint64_t size_bytes;
  EchoTensor *tensor = create_for(elements->type, &size_bytes);
  fill_with_element(tensor->data, (size_t)size_bytes, elements->as.elements.data,
                    elements->as.elements.size_bytes);
  return tensor;
}

const EchoAttr *echo_tensor_to_elements(EchoContext *ctx, const EchoTensor *tensor)
{
  if (tensor == NULL)
    return NULL;
  return echo_attr_elements(ctx, tensor->type, tensor->data,
                            (size_t)echo_type_static_bytes(tensor->type), false);
}

EchoTensor *echo_tensor_clone(const EchoTensor *tensor)
{
  if (tensor == NULL)
    return NULL;
  uint64_t size_bytes;
  EchoTensor *clone = create_for(tensor->type, &size_bytes);
  if (size_bytes != 0)
    memcpy(clone->data, tensor->data, (size_t)size_bytes);
  return clone;
}

void echo_tensor_destroy(EchoTensor *tensor)
{
  if (tensor == NULL)
    return;
  echo_free(tensor->data);
  echo_free(tensor);
}

/* ---- elements ---- */

static void check_index(const EchoTensor *tensor, int64_t index)
{
  int64_t n_elements = tensor != NULL ? tensor->n_elements : 0;
  ECHO_CHECK(index >= 0 && index < n_elements, "element %lld of a tensor of %lld", (long long)index,
             (long long)n_elements);
}

static void *element_at(const EchoTensor *tensor, int64_t index)
{
  return (char *)tensor->data + (size_t)index * echo_type_element_bytes(tensor->type);
}

double echo_tensor_get_f64(const EchoTensor *tensor, int64_t index)
{
  check_index(tensor, index);
  switch (tensor->kind) {
  case ECHO_ELEMENT_F32:
    return echo_element_f32(element_at(tensor, index));
  case ECHO_ELEMENT_F64:
    return ((const double *)tensor->data)[index];
  case ECHO_ELEMENT_F16:
    return echo_float_to_f64(ECHO_F16, ((const uint16_t *)tensor->data)[index]);
  case ECHO_ELEMENT_BF16:
    return echo_float_to_f64(ECHO_BF16, ((const uint16_t *)tensor->data)[index]);
  default:
    return echo_element_load_f64(tensor->type->as.shaped.element, element_at(tensor, index));
  }
}

void echo_tensor_set_f64(EchoTensor *tensor, int64_t index, double value)
{
  check_index(tensor, index);
  switch (tensor->kind) {
  case ECHO_ELEMENT_F64:
    ((double *)tensor->data)[index] = value;
    return;
  case ECHO_ELEMENT_F16:
    ((uint16_t *)tensor->data)[index] = (uint16_t)echo_float_from_f64(ECHO_F16, value);
    return;
  case ECHO_ELEMENT_BF16:
    ((uint16_t *)tensor->data)[index] = (uint16_t)echo_float_from_f64(ECHO_BF16, value);
    return;
  case ECHO_ELEMENT_F32:
    ((uint32_t *)tensor->data)[index] = (uint32_t)echo_float_from_f64(ECHO_F32, value);
    return;
  default:
    echo_element_store_f64(tensor->type->as.shaped.element, element_at(tensor, index), value);
  }
}

int64_t echo_tensor_get_i64(const EchoTensor *tensor, int64_t index)
{
  check_index(tensor, index);
  switch (tensor->kind) {
  case ECHO_ELEMENT_I1:
  case ECHO_ELEMENT_UI8:
    return ((const uint8_t *)tensor->data)[index];
  case ECHO_ELEMENT_I8:
    return ((const int8_t *)tensor->data)[index];
  case ECHO_ELEMENT_I16:
    return ((const int16_t *)tensor->data)[index];
  case ECHO_ELEMENT_UI16:
    return ((const uint16_t *)tensor->data)[index];
  case ECHO_ELEMENT_I32:
    return ((const int32_t *)tensor->data)[index];
  case ECHO_ELEMENT_UI32:
    return ((const uint32_t *)tensor->data)[index];
  case ECHO_ELEMENT_I64:
  case ECHO_ELEMENT_UI64:
    return ((const int64_t *)tensor->data)[index];
  default:
    return echo_element_load_i64(tensor->type->as.shaped.element, element_at(tensor, index));
  }
}

void echo_tensor_set_i64(EchoTensor *tensor, int64_t index, int64_t value)
{
  check_index(tensor, index);
  switch (tensor->kind) {
  case ECHO_ELEMENT_I1:
    ((uint8_t *)tensor->data)[index] = (uint8_t)(value & 1);
    return;
  case ECHO_ELEMENT_I8:
  case ECHO_ELEMENT_UI8:
    ((uint8_t *)tensor->data)[index] = (uint8_t)value;
    return;
  case ECHO_ELEMENT_I16:
  case ECHO_ELEMENT_UI16:
    ((uint16_t *)tensor->data)[index] = (uint16_t)value;
    return;
  case ECHO_ELEMENT_I32:
  case ECHO_ELEMENT_UI32:
    ((uint32_t *)tensor->data)[index] = (uint32_t)value;
    return;
  case ECHO_ELEMENT_I64:
  case ECHO_ELEMENT_UI64:
    ((int64_t *)tensor->data)[index] = value;
    return;
  default:
    echo_element_store_i64(tensor->type->as.shaped.element, element_at(tensor, index), value);
  }
}

void echo_shape_strides(const int64_t *dims, size_t rank, int64_t *strides)
{
  if (strides == NULL || (dims == NULL && rank != 0))
    return;
  int64_t stride = 1;
  for (size_t i = rank; i-- > 0;) {
    strides[i] = stride;
    stride *= dims[i];
  }
}
