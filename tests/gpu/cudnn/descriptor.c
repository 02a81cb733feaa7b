/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/gpu/cudnn/descriptor.h"

#include <string.h>

/* ---- what may be set ---- */

typedef struct Rule {
  cudnnBackendDescriptorType_t descriptor;
  cudnnBackendAttributeName_t name;
  cudnnBackendAttributeType_t type;
  int64_t most; /* elements */
} Rule;

#define OPERATION(kind, letters, x, w, y)                                                          \
  {CUDNN_BACKEND_OPERATION_CONVOLUTION_##kind##_DESCRIPTOR,                                        \
   CUDNN_ATTR_OPERATION_CONVOLUTION_##letters##_ALPHA, CUDNN_TYPE_FLOAT, 1},                       \
      {CUDNN_BACKEND_OPERATION_CONVOLUTION_##kind##_DESCRIPTOR,                                    \
       CUDNN_ATTR_OPERATION_CONVOLUTION_##letters##_BETA, CUDNN_TYPE_FLOAT, 1},                    \
      {CUDNN_BACKEND_OPERATION_CONVOLUTION_##kind##_DESCRIPTOR,                                    \
       CUDNN_ATTR_OPERATION_CONVOLUTION_##letters##_CONV_DESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1},  \
      {CUDNN_BACKEND_OPERATION_CONVOLUTION_##kind##_DESCRIPTOR,                                    \
       CUDNN_ATTR_OPERATION_CONVOLUTION_##letters##_##x, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1},        \
      {CUDNN_BACKEND_OPERATION_CONVOLUTION_##kind##_DESCRIPTOR,                                    \
       CUDNN_ATTR_OPERATION_CONVOLUTION_##letters##_##w, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1},        \
  {                                                                                                \
    CUDNN_BACKEND_OPERATION_CONVOLUTION_##kind##_DESCRIPTOR,                                       \
        CUDNN_ATTR_OPERATION_CONVOLUTION_##letters##_##y, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1         \
  }

static const Rule RULES[] = {
    {CUDNN_BACKEND_TENSOR_DESCRIPTOR, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1},
    {CUDNN_BACKEND_TENSOR_DESCRIPTOR, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1},
    {CUDNN_BACKEND_TENSOR_DESCRIPTOR, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, MAX_DIMS},
    {CUDNN_BACKEND_TENSOR_DESCRIPTOR, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, MAX_DIMS},
    {CUDNN_BACKEND_TENSOR_DESCRIPTOR, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1},
    {CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE,
     1},
    {CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, CUDNN_ATTR_CONVOLUTION_CONV_MODE,
     CUDNN_TYPE_CONVOLUTION_MODE, 1},
    {CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64,
     1},
    {CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64,
     MAX_DIMS},
    {CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64,
     MAX_DIMS},
    {CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64,
     MAX_DIMS},
    {CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64,
     MAX_DIMS},
    OPERATION(FORWARD, FORWARD, X, W, Y),
    OPERATION(BACKWARD_DATA, BWD_DATA, DX, W, DY),
    OPERATION(BACKWARD_FILTER, BWD_FILTER, X, DW, DY),
    {CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE,
     1},
    {CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, CUDNN_ATTR_OPERATIONGRAPH_OPS,
     CUDNN_TYPE_BACKEND_DESCRIPTOR, 1},
    {CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH,
     CUDNN_TYPE_BACKEND_DESCRIPTOR, 1},
    {CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1},
    {CUDNN_BACKEND_ENGINE_DESCRIPTOR, CUDNN_ATTR_ENGINE_OPERATION_GRAPH,
     CUDNN_TYPE_BACKEND_DESCRIPTOR, 1},
    {CUDNN_BACKEND_ENGINE_DESCRIPTOR, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1},
    {CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR, CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE,
     1},
    {CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR, CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, 1},
    {CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR,
     1},
    {CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES,
     CUDNN_TYPE_BACKEND_DESCRIPTOR, MAX_ELEMENTS},
    {CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE,
     1},
    {CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG,
     CUDNN_TYPE_BACKEND_DESCRIPTOR, 1},
    {CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64,
     MAX_ELEMENTS},
    {CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS,
     CUDNN_TYPE_VOID_PTR, MAX_ELEMENTS},
    {CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR,
     1},
};
enum { N_RULES = sizeof RULES / sizeof RULES[0] };

size_t element_bytes(cudnnBackendAttributeType_t type)
{
  switch (type) {
  case CUDNN_TYPE_DATA_TYPE:
  case CUDNN_TYPE_FLOAT:
  case CUDNN_TYPE_CONVOLUTION_MODE:
  case CUDNN_TYPE_HEUR_MODE:
  case CUDNN_TYPE_KNOB_TYPE:
  case CUDNN_TYPE_NUMERICAL_NOTE:
    return 4;
  default:
    return 8;
  }
}

static const Rule *rule_or_null(const Descriptor *descriptor, cudnnBackendAttributeName_t name)
{
  for (size_t i = 0; i < N_RULES; i++)
    if (RULES[i].descriptor == descriptor->type && RULES[i].name == name)
      return &RULES[i];
  return NULL;
}

const Attribute *find_or_null(const Descriptor *descriptor, cudnnBackendAttributeName_t name)
{
  for (size_t i = 0; i < descriptor->n_attributes; i++)
    if (descriptor->attributes[i].name == name)
      return &descriptor->attributes[i];
  return NULL;
}

static bool is_type(const Rule *rule, cudnnBackendAttributeType_t type)
{
  return type == rule->type || (type == CUDNN_TYPE_DOUBLE && rule->type == CUDNN_TYPE_FLOAT);
}

cudnnStatus_t descriptor_set(Descriptor *descriptor, cudnnBackendAttributeName_t name,
                             cudnnBackendAttributeType_t type, int64_t n, const void *elements)
{
  const Rule *rule = rule_or_null(descriptor, name);
  if (elements == NULL)
    return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (descriptor->is_finalized || rule == NULL || n < 1 || n > rule->most ||
      descriptor->n_attributes == MAX_ATTRIBUTES || find_or_null(descriptor, name) != NULL)
    return CUDNN_STATUS_BAD_PARAM;
  if (!is_type(rule, type))
    return CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE;
  if (type == CUDNN_TYPE_BACKEND_DESCRIPTOR)
    for (int64_t i = 0; i < n; i++)
      if (((Descriptor *const *)elements)[i] == NULL)
        return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  Attribute *attribute = &descriptor->attributes[descriptor->n_attributes++];
  *attribute = (Attribute){.name = name, .type = type, .n = n};
  memcpy(attribute->bytes, elements, (size_t)n * element_bytes(type));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t descriptor_get(const Descriptor *descriptor, cudnnBackendAttributeName_t name,
                             cudnnBackendAttributeType_t type, int64_t n_wanted, int64_t *n,
                             void *elements)
{
  const Attribute *attribute = find_or_null(descriptor, name);
  *n = 0;
  if (!descriptor->is_finalized)
    return CUDNN_STATUS_NOT_INITIALIZED;
  if (attribute == NULL)
    return rule_or_null(descriptor, name) != NULL ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
  if (attribute->type != type)
    return CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE;
  *n = attribute->n;
  int64_t written = n_wanted < attribute->n ? n_wanted : attribute->n;
  memcpy(elements, attribute->bytes, (size_t)written * element_bytes(type));
  return CUDNN_STATUS_SUCCESS;
}

int64_t get_int(const Descriptor *descriptor, cudnnBackendAttributeName_t name, size_t i)
{
  int64_t value;
  memcpy(&value, find_or_null(descriptor, name)->bytes + i * sizeof value, sizeof value);
  return value;
}

int get_enum(const Descriptor *descriptor, cudnnBackendAttributeName_t name)
{
  int value;
  memcpy(&value, find_or_null(descriptor, name)->bytes, sizeof value);
  return value;
}

Descriptor *get_descriptor(const Descriptor *descriptor, cudnnBackendAttributeName_t name)
{
  Descriptor *value;
  memcpy(&value, find_or_null(descriptor, name)->bytes, sizeof value);
  return value;
}

/* ---- what must be there ---- */

static cudnnStatus_t check_tensor(const Descriptor *tensor)
{
  const Attribute *dims = find_or_null(tensor, CUDNN_ATTR_TENSOR_DIMENSIONS);
  int64_t bytes = type_bytes(get_enum(tensor, CUDNN_ATTR_TENSOR_DATA_TYPE));
  int64_t alignment = get_int(tensor, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, 0);
  if (bytes == 0)
    return CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE;
  if (dims->n != find_or_null(tensor, CUDNN_ATTR_TENSOR_STRIDES)->n || dims->n < 4 ||
      alignment <= 0 || alignment % bytes != 0)
    return CUDNN_STATUS_BAD_PARAM;
  for (size_t i = 0; i < (size_t)dims->n; i++)
    if (get_int(tensor, CUDNN_ATTR_TENSOR_DIMENSIONS, i) < 1 ||
        get_int(tensor, CUDNN_ATTR_TENSOR_STRIDES, i) < 1)
      return CUDNN_STATUS_BAD_PARAM;
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t check_convolution(const Descriptor *convolution)
{
  static const struct {
    cudnnBackendAttributeName_t name;
    int64_t least;
  } LISTS[] = {{CUDNN_ATTR_CONVOLUTION_DILATIONS, 1},
               {CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, 1},
               {CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, 0},
               {CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, 0}};
  int64_t n = get_int(convolution, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, 0);
  int type = get_enum(convolution, CUDNN_ATTR_CONVOLUTION_COMP_TYPE);
  if (n < 2 || n > PLACES || (type != CUDNN_DATA_FLOAT && type != CUDNN_DATA_DOUBLE))
    return CUDNN_STATUS_NOT_SUPPORTED;
  for (size_t i = 0; i < sizeof LISTS / sizeof LISTS[0]; i++) {
    if (find_or_null(convolution, LISTS[i].name)->n != n)
      return CUDNN_STATUS_BAD_PARAM;
    for (size_t k = 0; k < (size_t)n; k++)
      if (get_int(convolution, LISTS[i].name, k) < LISTS[i].least)
        return CUDNN_STATUS_BAD_PARAM;
  }
  return CUDNN_STATUS_SUCCESS;
}

static bool is_operation(cudnnBackendDescriptorType_t type)
{
  return type >= CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR &&
         type <= CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR;
}

/* What it refers to may be finalized after it has been set, not after this. */
static bool has_finalized(const Descriptor *descriptor)
{
  bool is_fine = true;
  for (size_t i = 0; i < descriptor->n_attributes; i++) {
    const Attribute *attribute = &descriptor->attributes[i];
    for (size_t k = 0; attribute->type == CUDNN_TYPE_BACKEND_DESCRIPTOR && k < (size_t)attribute->n;
         k++) {
      const Descriptor *of;
      memcpy(&of, attribute->bytes + k * sizeof of, sizeof of);
      is_fine &= of->is_finalized;
    }
  }
  return is_fine;
}

cudnnStatus_t descriptor_check(const Descriptor *descriptor)
{
  for (size_t i = 0; i < N_RULES; i++)
    if (RULES[i].descriptor == descriptor->type &&
        RULES[i].name != CUDNN_ATTR_ENGINECFG_KNOB_CHOICES &&
        find_or_null(descriptor, RULES[i].name) == NULL)
      return CUDNN_STATUS_BAD_PARAM;
  Shape shape;
  if (!has_finalized(descriptor))
    return CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED;
  if (descriptor->type == CUDNN_BACKEND_TENSOR_DESCRIPTOR)
    return check_tensor(descriptor);
  if (descriptor->type == CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR)
    return check_convolution(descriptor);
  if (is_operation(descriptor->type))
    return read_shape(descriptor, &shape);
  if (descriptor->type == CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR &&
      find_or_null(descriptor, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS)->n !=
          find_or_null(descriptor, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS)->n)
    return CUDNN_STATUS_BAD_PARAM;
  return CUDNN_STATUS_SUCCESS;
}
