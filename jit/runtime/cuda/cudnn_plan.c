/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A convolution in cuDNN's words: tensors, operation, graph of it alone; engines that may do it;
 * an engine's plan; addresses for it. */
#include "base/memory.h"
#include "jit/runtime/cuda/cudnn_t.h"
#include "jit/runtime/cuda/library_call_t.h"

/* For f32 the first dozens may be of tensor cores. */
enum { MAX_RESULTS = 96, MAX_NOTES = 32 };

static bool is_fine(EchoCudnnPlan *p, cudnnStatus_t status, const char *call)
{
  if (status != CUDNN_STATUS_SUCCESS && p->status == CUDNN_STATUS_SUCCESS) {
    p->status = status;
    p->call = call;
  }
  return p->status == CUDNN_STATUS_SUCCESS;
}

static cudnnBackendDescriptor_t create(EchoCudnnPlan *p, cudnnBackendDescriptorType_t type)
{
  cudnnBackendDescriptor_t made = NULL;
  if (p->status == CUDNN_STATUS_SUCCESS &&
      is_fine(p, p->dnn->descriptor_create(type, &made), "cudnnBackendCreateDescriptor"))
    echo_vector_push(&p->made, made);
  return made;
}

static void set(EchoCudnnPlan *p, cudnnBackendDescriptor_t descriptor,
                cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, size_t n,
                const void *elements)
{
  if (p->status == CUDNN_STATUS_SUCCESS)
    (void)is_fine(p, p->dnn->attribute_set(descriptor, name, type, (int64_t)n, elements),
                  "cudnnBackendSetAttribute");
}

static void set_int(EchoCudnnPlan *p, cudnnBackendDescriptor_t descriptor,
                    cudnnBackendAttributeName_t name, int64_t value)
{
  set(p, descriptor, name, CUDNN_TYPE_INT64, 1, &value);
}

static void set_descriptor(EchoCudnnPlan *p, cudnnBackendDescriptor_t descriptor,
                           cudnnBackendAttributeName_t name, cudnnBackendDescriptor_t value)
{
  set(p, descriptor, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &value);
}

static void finalize(EchoCudnnPlan *p, cudnnBackendDescriptor_t descriptor)
{
  if (p->status == CUDNN_STATUS_SUCCESS)
    (void)is_fine(p, p->dnn->descriptor_finalize(descriptor), "cudnnBackendFinalize");
}

/* How many there are, of which at most n are written; 0 after a failure. */
static size_t get(EchoCudnnPlan *p, cudnnBackendDescriptor_t descriptor,
                  cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, size_t n,
                  void *elements)
{
  int64_t count = 0;
  if (p->status != CUDNN_STATUS_SUCCESS ||
      !is_fine(p, p->dnn->attribute_get(descriptor, name, type, (int64_t)n, &count, elements),
               "cudnnBackendGetAttribute"))
    return 0;
  return (size_t)count;
}

/* ---- the graph ---- */

static cudnnBackendDescriptor_t make_tensor(EchoCudnnPlan *p, const EchoCudnnTensor *tensor,
                                            size_t rank)
{
  cudnnBackendDescriptor_t made = create(p, CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  set(p, made, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &tensor->data_type);
  set(p, made, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, rank, tensor->dims);
  set(p, made, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, rank, tensor->strides);
  set_int(p, made, CUDNN_ATTR_TENSOR_UNIQUE_ID, tensor->id);
  set_int(p, made, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, ECHO_LIBRARY_ALIGNMENT);
  finalize(p, made);
  return made;
}

static cudnnBackendDescriptor_t make_convolution(EchoCudnnPlan *p, const EchoCudnnConvolution *c)
{
  const int mode = c->is_convolution ? CUDNN_CONVOLUTION : CUDNN_CROSS_CORRELATION;
  cudnnBackendDescriptor_t made = create(p, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  set_int(p, made, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, (int64_t)c->n_spatial);
  set(p, made, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &c->compute_type);
  set(p, made, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1, &mode);
  const struct {
    cudnnBackendAttributeName_t name;
    const int64_t *values;
  } lists[] = {{CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, c->padding_before},
               {CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, c->padding_after},
               {CUDNN_ATTR_CONVOLUTION_DILATIONS, c->dilations},
               {CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, c->strides}};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
    set(p, made, lists[i].name, CUDNN_TYPE_INT64, c->n_spatial, lists[i].values);
  finalize(p, made);
  return made;
}

/* An operation's attributes, by the part that they name. */
typedef struct OperationNames {
  cudnnBackendDescriptorType_t operation;
  cudnnBackendAttributeName_t alpha, beta, convolution, x, w, y;
} OperationNames;

static const OperationNames OPERATIONS[] = {
    {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
     CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA,
     CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
     CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y},
    {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY},
    {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY},
};

static const OperationNames *names_of(cudnnBackendDescriptorType_t operation)
{
  size_t i = 0;
  while (OPERATIONS[i].operation != operation)
    i++;
  return &OPERATIONS[i];
}

static cudnnBackendDescriptor_t make_operation(EchoCudnnPlan *p, const EchoCudnnConvolution *c)
{
  static const float ONE = 1, ZERO = 0;
  static const double WIDE_ONE = 1, WIDE_ZERO = 0;
  const OperationNames *names = names_of(c->operation);
  bool is_wide = c->compute_type == CUDNN_DATA_DOUBLE;
  cudnnBackendAttributeType_t scale = is_wide ? CUDNN_TYPE_DOUBLE : CUDNN_TYPE_FLOAT;
  cudnnBackendDescriptor_t x = make_tensor(p, &c->x, c->rank);
  cudnnBackendDescriptor_t w = make_tensor(p, &c->w, c->rank);
  cudnnBackendDescriptor_t y = make_tensor(p, &c->y, c->rank);
  cudnnBackendDescriptor_t convolution = make_convolution(p, c);
  cudnnBackendDescriptor_t made = create(p, c->operation);
  set_descriptor(p, made, names->convolution, convolution);
  set_descriptor(p, made, names->x, x);
  set_descriptor(p, made, names->w, w);
  set_descriptor(p, made, names->y, y);
  set(p, made, names->alpha, scale, 1, is_wide ? (const void *)&WIDE_ONE : &ONE);
  set(p, made, names->beta, scale, 1, is_wide ? (const void *)&WIDE_ZERO : &ZERO);
  finalize(p, made);
  return made;
}

static void make_graph(EchoCudnnPlan *p, const EchoCudnn *dnn, const EchoCudnnConvolution *c)
{
  *p = (EchoCudnnPlan){.dnn = dnn};
  cudnnBackendDescriptor_t operation = make_operation(p, c);
  p->graph = create(p, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  set(p, p->graph, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &dnn->handle);
  set_descriptor(p, p->graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, operation);
  finalize(p, p->graph);
}

/* ---- engines ---- */

static bool read_knobs(EchoCudnnPlan *p, cudnnBackendDescriptor_t config, EchoCudnnEngine *engine)
{
  cudnnBackendDescriptor_t choices[ECHO_CUDNN_KNOBS];
  for (size_t i = 0; i < ECHO_CUDNN_KNOBS; i++)
    choices[i] = create(p, CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR);
  engine->n_knobs = get(p, config, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                        ECHO_CUDNN_KNOBS, choices);
  if (engine->n_knobs > ECHO_CUDNN_KNOBS)
    return false;
  for (size_t i = 0; i < engine->n_knobs; i++) {
    int type = 0;
    get(p, choices[i], CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, 1, &type);
    get(p, choices[i], CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, 1,
        &engine->knobs[i][1]);
    engine->knobs[i][0] = type;
  }
  return p->status == CUDNN_STATUS_SUCCESS;
}

/* False where a note is not allowed. */
static bool read_engine(EchoCudnnPlan *p, cudnnBackendDescriptor_t config, unsigned allowed,
                        EchoCudnnEngine *engine)
{
  int notes[MAX_NOTES] = {0};
  cudnnBackendDescriptor_t of = create(p, CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  *engine = (EchoCudnnEngine){0};
  get(p, config, CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &of);
  get(p, of, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1, &engine->index);
  size_t n =
      get(p, of, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE, MAX_NOTES, notes);
  if (p->status != CUDNN_STATUS_SUCCESS || n > MAX_NOTES)
    return false;
  for (size_t i = 0; i < n; i++)
    if (notes[i] < 0 || notes[i] >= 32 || (allowed >> notes[i] & 1) == 0)
      return false;
  return read_knobs(p, config, engine);
}

static bool is_listed(const EchoCudnnEngine *engines, size_t n, const EchoCudnnEngine *engine)
{
  for (size_t i = 0; i < n; i++)
    if (memcmp(&engines[i], engine, sizeof *engine) == 0)
      return true;
  return false;
}

static size_t add_of_mode(EchoCudnnPlan *p, int mode, unsigned allowed, EchoCudnnEngine *engines,
                          size_t n, size_t size)
{
  cudnnBackendDescriptor_t results[MAX_RESULTS];
  cudnnBackendDescriptor_t heuristic = create(p, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  set_descriptor(p, heuristic, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, p->graph);
  set(p, heuristic, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode);
  finalize(p, heuristic);
  for (size_t i = 0; i < MAX_RESULTS; i++)
    results[i] = create(p, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
  size_t n_results = get(p, heuristic, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                         MAX_RESULTS, results);
  for (size_t i = 0; i < n_results && i < MAX_RESULTS && size < n; i++) {
    EchoCudnnEngine engine;
    if (read_engine(p, results[i], allowed, &engine) && !is_listed(engines, size, &engine))
      engines[size++] = engine;
  }
  return size;
}

size_t echo_cudnn_list(EchoCudnnPlan *plan, const EchoCudnn *dnn, const EchoCudnnConvolution *c,
                       unsigned allowed, EchoCudnnEngine *engines, size_t n)
{
  make_graph(plan, dnn, c);
  if (plan->status != CUDNN_STATUS_SUCCESS)
    return 0;
  size_t size = add_of_mode(plan, CUDNN_HEUR_MODE_A, allowed, engines, n, 0);
  plan->status = CUDNN_STATUS_SUCCESS; /* the other mode may know more */
  return add_of_mode(plan, CUDNN_HEUR_MODE_FALLBACK, allowed, engines, n, size);
}

/* ---- a plan ---- */

static cudnnBackendDescriptor_t make_config(EchoCudnnPlan *p, const EchoCudnnEngine *engine)
{
  cudnnBackendDescriptor_t choices[ECHO_CUDNN_KNOBS];
  cudnnBackendDescriptor_t of = create(p, CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  set_descriptor(p, of, CUDNN_ATTR_ENGINE_OPERATION_GRAPH, p->graph);
  set_int(p, of, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, engine->index);
  finalize(p, of);
  for (size_t i = 0; i < engine->n_knobs; i++) {
    const int type = (int)engine->knobs[i][0];
    choices[i] = create(p, CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR);
    set(p, choices[i], CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, 1, &type);
    set_int(p, choices[i], CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, engine->knobs[i][1]);
    finalize(p, choices[i]);
  }
  cudnnBackendDescriptor_t made = create(p, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
  set_descriptor(p, made, CUDNN_ATTR_ENGINECFG_ENGINE, of);
  if (engine->n_knobs != 0)
    set(p, made, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, CUDNN_TYPE_BACKEND_DESCRIPTOR, engine->n_knobs,
        choices);
  finalize(p, made);
  return made;
}

bool echo_cudnn_plan(EchoCudnnPlan *plan, const EchoCudnn *dnn, const EchoCudnnConvolution *c,
                     const EchoCudnnEngine *engine)
{
  int64_t workspace_bytes = 0;
  make_graph(plan, dnn, c);
  cudnnBackendDescriptor_t config = make_config(plan, engine);
  plan->plan = create(plan, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
  set(plan, plan->plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1, &dnn->handle);
  set_descriptor(plan, plan->plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config);
  finalize(plan, plan->plan);
  get(plan, plan->plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1,
      &workspace_bytes);
  plan->workspace_bytes = workspace_bytes > 0 ? (uint64_t)workspace_bytes : 0;
  return plan->status == CUDNN_STATUS_SUCCESS;
}

void echo_cudnn_plan_destroy(EchoCudnnPlan *plan)
{
  for (size_t i = plan->made.size; i-- > 0;)
    (void)plan->dnn->descriptor_destroy(plan->made.data[i]);
  echo_vector_destroy(&plan->made);
  *plan = (EchoCudnnPlan){0};
}

cudnnStatus_t echo_cudnn_execute(const EchoCudnnPlan *plan, void *const *addresses, void *workspace)
{
  static const int64_t IDS[ECHO_CUDNN_TENSORS] = {1, 2, 3};
  EchoCudnnPlan p = {.dnn = plan->dnn};
  cudnnBackendDescriptor_t pack = create(&p, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  set(&p, pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, ECHO_CUDNN_TENSORS, IDS);
  set(&p, pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, ECHO_CUDNN_TENSORS,
      addresses);
  set(&p, pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace);
  finalize(&p, pack);
  cudnnStatus_t status = p.status;
  if (status == CUDNN_STATUS_SUCCESS)
    status = p.dnn->execute(p.dnn->handle, plan->plan, pack);
  echo_cudnn_plan_destroy(&p);
  return status;
}
