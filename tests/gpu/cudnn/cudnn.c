/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A cuDNN for the emulated GPU: the calls of the backend interface that Echo makes, as NVIDIA's
 * documentation has them, for a graph of one convolution, its gradient of data or of filters, by a
 * kernel of its own that the driver beside it executes. It sums from the end, so that its bits are
 * not those of Echo's kernels. ECHO_GPU_CUDNN says what it is:
 *   fast        a tenth of the time that its kernel takes by the device's model
 *   slow        a hundred times as much
 *   none        it cannot be used
 *   old         of version 8
 *   plan        no plan of it can be finalized
 *   workspace   all that it does takes 1 GiB
 *   execution   no plan of it can be executed */
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/cudnn/engines.h"

#define EXPORTED __attribute__((visibility("default")))
#define DECLARE(type, name, symbol, parameters) EXPORTED type symbol parameters;
ECHO_CUDNN_CALLS(DECLARE)
#undef DECLARE

enum { VERSION = 99900, OLD_VERSION = 8907, NEEDED_ALIGNMENT = 16, KNOB = 2 };

struct cudnnContext {
  CUstream stream;
};

cudnnStatus_t cudnnCreate(cudnnHandle_t *handle)
{
  if (library_is("none"))
    return CUDNN_STATUS_NOT_INITIALIZED;
  *handle = calloc(1, sizeof **handle);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroy(cudnnHandle_t handle)
{
  free(handle);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, CUstream stream)
{
  handle->stream = stream;
  return CUDNN_STATUS_SUCCESS;
}

size_t cudnnGetVersion(void)
{
  return library_is("old") ? OLD_VERSION : VERSION;
}

const char *cudnnGetErrorString(cudnnStatus_t status)
{
  switch (status) {
  case CUDNN_STATUS_SUCCESS:
    return "CUDNN_STATUS_SUCCESS";
  case CUDNN_STATUS_NOT_INITIALIZED:
    return "CUDNN_STATUS_NOT_INITIALIZED";
  case CUDNN_STATUS_BAD_PARAM_NULL_POINTER:
    return "CUDNN_STATUS_BAD_PARAM_NULL_POINTER";
  case CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER:
    return "CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER";
  case CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED:
    return "CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED";
  case CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH:
    return "CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH";
  case CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE:
    return "CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE";
  case CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE:
    return "CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE";
  case CUDNN_STATUS_INTERNAL_ERROR_COMPILATION_FAILED:
    return "CUDNN_STATUS_INTERNAL_ERROR_COMPILATION_FAILED";
  default:
    return status / 1000 == 2   ? "CUDNN_STATUS_BAD_PARAM"
           : status / 1000 == 3 ? "CUDNN_STATUS_NOT_SUPPORTED"
                                : "CUDNN_STATUS_EXECUTION_FAILED";
  }
}

/* ---- descriptors ---- */

cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type,
                                           cudnnBackendDescriptor_t *descriptor)
{
  Descriptor *made = calloc(1, sizeof *made);
  made->type = type;
  made->knob = NO_KNOB;
  *descriptor = made;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t descriptor)
{
  kernel_unload(&((Descriptor *)descriptor)->kernel);
  free(descriptor);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t descriptor,
                                       cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, int64_t n_elements,
                                       const void *elements)
{
  return descriptor_set(descriptor, name, type, n_elements, elements);
}

static cudnnStatus_t finalize_engine(Descriptor *engine)
{
  engine->engine = get_int(engine, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, 0);
  engine->operation = get_descriptor(get_descriptor(engine, CUDNN_ATTR_ENGINE_OPERATION_GRAPH),
                                     CUDNN_ATTR_OPERATIONGRAPH_OPS);
  return engine_is_known(engine->engine) ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
}

static cudnnStatus_t finalize_config(Descriptor *config)
{
  const Descriptor *engine = get_descriptor(config, CUDNN_ATTR_ENGINECFG_ENGINE);
  const Attribute *knobs = find_or_null(config, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES);
  config->engine = engine->engine;
  config->operation = engine->operation;
  if (knobs == NULL)
    return CUDNN_STATUS_SUCCESS;
  const Descriptor *knob = get_descriptor(config, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES);
  config->knob = get_int(knob, CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, 0);
  int type = get_enum(knob, CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE);
  return knobs->n == 1 && engine_has_knob(config->engine, type, config->knob)
             ? CUDNN_STATUS_SUCCESS
             : CUDNN_STATUS_NOT_SUPPORTED;
}

static cudnnStatus_t finalize_plan(Descriptor *plan)
{
  const Descriptor *config = get_descriptor(plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
  plan->engine = config->engine;
  plan->operation = config->operation;
  return engine_load(plan);
}

cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t descriptor)
{
  Descriptor *of = descriptor;
  cudnnStatus_t status = of->is_finalized ? CUDNN_STATUS_BAD_PARAM : descriptor_check(of);
  if (status != CUDNN_STATUS_SUCCESS)
    return status;
  if (of->type == CUDNN_BACKEND_ENGINE_DESCRIPTOR)
    status = finalize_engine(of);
  else if (of->type == CUDNN_BACKEND_ENGINECFG_DESCRIPTOR)
    status = finalize_config(of);
  else if (of->type == CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR)
    status = finalize_plan(of);
  of->is_finalized = status == CUDNN_STATUS_SUCCESS;
  return status;
}

/* ---- what is only read ---- */

/* Descriptors to be filled are there, not yet finalized, of one type. */
static bool can_fill(cudnnBackendAttributeType_t type, int64_t n, void *elements,
                     cudnnBackendDescriptorType_t expected)
{
  Descriptor *const *descriptors = elements;
  if (type != CUDNN_TYPE_BACKEND_DESCRIPTOR || n < 1 || descriptors == NULL)
    return false;
  for (int64_t i = 0; i < n; i++)
    if (descriptors[i] == NULL || descriptors[i]->is_finalized || descriptors[i]->type != expected)
      return false;
  return true;
}

static cudnnStatus_t get_results(const Descriptor *heuristic, int64_t n_wanted, int64_t *n,
                                 void *elements)
{
  const Descriptor *graph = get_descriptor(heuristic, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH);
  *n = engines_list(get_descriptor(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS),
                    get_enum(heuristic, CUDNN_ATTR_ENGINEHEUR_MODE), elements, n_wanted);
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t get_engine(const Descriptor *config, int64_t *n, void *elements)
{
  Descriptor *engine = ((Descriptor *const *)elements)[0];
  cudnnStatus_t status =
      descriptor_set(engine, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1, &config->engine);
  engine->engine = config->engine;
  engine->operation = config->operation;
  engine->is_finalized = true;
  *n = 1;
  return status;
}

static cudnnStatus_t get_knobs(const Descriptor *config, int64_t *n, void *elements)
{
  static const int TYPE = KNOB;
  Descriptor *knob = ((Descriptor *const *)elements)[0];
  *n = config->knob != NO_KNOB;
  if (*n == 0)
    return CUDNN_STATUS_SUCCESS;
  cudnnStatus_t status =
      descriptor_set(knob, CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, 1, &TYPE);
  if (status == CUDNN_STATUS_SUCCESS)
    status =
        descriptor_set(knob, CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, 1, &config->knob);
  knob->is_finalized = true;
  return status;
}

cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t const descriptor,
                                       cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, int64_t n_wanted,
                                       int64_t *n_elements, void *elements)
{
  const Descriptor *of = descriptor;
  int64_t workspace = engine_is_known(of->engine) ? engine_workspace(of->engine) : 0;
  *n_elements = 0;
  if (!of->is_finalized)
    return CUDNN_STATUS_NOT_INITIALIZED;
  switch (name) {
  case CUDNN_ATTR_ENGINEHEUR_RESULTS:
    return can_fill(type, n_wanted, elements, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR)
               ? get_results(of, n_wanted, n_elements, elements)
               : CUDNN_STATUS_BAD_PARAM;
  case CUDNN_ATTR_ENGINECFG_ENGINE:
    return can_fill(type, n_wanted, elements, CUDNN_BACKEND_ENGINE_DESCRIPTOR)
               ? get_engine(of, n_elements, elements)
               : CUDNN_STATUS_BAD_PARAM;
  case CUDNN_ATTR_ENGINECFG_KNOB_CHOICES:
    return can_fill(type, n_wanted, elements, CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR)
               ? get_knobs(of, n_elements, elements)
               : CUDNN_STATUS_BAD_PARAM;
  case CUDNN_ATTR_ENGINE_NUMERICAL_NOTE:
    if (type != CUDNN_TYPE_NUMERICAL_NOTE)
      return CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE;
    *n_elements = engine_notes(of->engine, elements, n_wanted);
    return CUDNN_STATUS_SUCCESS;
  case CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE:
    if (type != CUDNN_TYPE_INT64)
      return CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE;
    memcpy(elements, &workspace, sizeof workspace);
    *n_elements = 1;
    return CUDNN_STATUS_SUCCESS;
  default:
    return descriptor_get(of, name, type, n_wanted, n_elements, elements);
  }
}

/* ---- execution ---- */

/* The address that the pack has for the tensor; 0: none. */
static uint64_t address_of(const Descriptor *pack, const Descriptor *tensor)
{
  int64_t id = get_int(tensor, CUDNN_ATTR_TENSOR_UNIQUE_ID, 0);
  const Attribute *ids = find_or_null(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
  for (size_t i = 0; i < (size_t)ids->n; i++)
    if (get_int(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, i) == id)
      return (uint64_t)get_int(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, i);
  return 0;
}

cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t plan,
                                  cudnnBackendDescriptor_t variant_pack)
{
  const Descriptor *of = plan, *pack = variant_pack, *tensors[3];
  uint64_t addresses[4];
  if (handle == NULL || of->type != CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR ||
      pack->type != CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR)
    return CUDNN_STATUS_BAD_PARAM;
  if (!of->is_finalized || !pack->is_finalized)
    return CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED;
  operands_of(of->operation, tensors);
  for (size_t i = 0; i < 3; i++)
    addresses[i] = address_of(pack, tensors[i]);
  addresses[3] = (uint64_t)get_int(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, 0);
  for (size_t i = 0; i < 4; i++) {
    if (addresses[i] == 0)
      return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
    if (addresses[i] % NEEDED_ALIGNMENT != 0)
      return CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER;
  }
  return engine_launch(of, addresses, handle->stream);
}
