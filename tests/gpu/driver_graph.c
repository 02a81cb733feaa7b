/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Graphs. An instantiated one is a list of operations, graphs in it unfolded, and for each the
 * earlier ones that it comes after. Operations in a row share a stream; what comes after an
 * operation of another stream waits for it. So two that nothing orders are on two streams, and a
 * race between them is found as one of streams is. A conditional node is a step with a list of its
 * own: what stands before it is carried out when the graph is launched, its value is looked at, and
 * its list is asked for, so often as the value says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/driver.h"

struct CUgraphNode_st {
  CUgraph graph;
  size_t number;
  size_t *after; /* numbers of nodes of the graph */
  size_t n_after;
  Work work;     /* unless there is a graph */
  CUgraph child; /* its own copy, or NULL */
  CUgraph body;  /* of a conditional node, which it is filled in by, or NULL */
  CUDA_CONDITIONAL_NODE_PARAMS conditional;
};

struct CUgraph_st {
  CUgraphNode *nodes;
  size_t n, capacity;
  bool is_body;
  unsigned n_instances; /* that were made of it and are there */
};

typedef struct Step {
  Work work;
  uint32_t *after; /* earlier steps */
  uint32_t n_after;
  unsigned lane; /* 0 is the stream that the graph is launched on */
  bool is_awaited;
  struct CUevent_st done;
  CUgraphExec body; /* of a conditional node, or NULL */
  const CUDA_CONDITIONAL_NODE_PARAMS *conditional;
} Step;

struct CUgraphExec_st {
  CUgraph graph; /* as it was given: its nodes name the parts that may be set */
  Step *steps;
  uint32_t n, capacity;
  uint32_t *first_of;         /* by node of the graph, and one more: its first step */
  uint32_t last[MAX_STREAMS]; /* by lane: its last step */
  unsigned n_lanes;
  struct CUevent_st begin, end;
};

/* ---- works ---- */

static void free_work(Work *work)
{
  free(work->params);
  work->params = NULL;
}

static Work copy_of(const Work *work)
{
  Work copy = *work;
  if (work->kind == WORK_LAUNCH) {
    size_t bytes = work->function->kernel->param_bytes + 16;
    copy.params = malloc(bytes);
    memcpy(copy.params, work->params, bytes);
  }
  return copy;
}

static CUresult kernel_work(const CUDA_KERNEL_NODE_PARAMS *params, Work *work)
{
  if (params == NULL || params->func == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  uint32_t grid[] = {params->gridDimX, params->gridDimY, params->gridDimZ};
  uint32_t block[] = {params->blockDimX, params->blockDimY, params->blockDimZ};
  CUresult result = gpu_check();
  if (result == CUDA_SUCCESS)
    result = params->extra != NULL
                 ? CUDA_ERROR_INVALID_VALUE
                 : gpu_launch_work(params->func, grid, block, params->sharedMemBytes,
                                   params->kernelParams, work);
  return result;
}

static bool is_device(uint64_t address)
{
  return address >= DEVICE_ADDRESSES && address < 2 * DEVICE_ADDRESSES;
}

/* One-dimensional, and none of its sides in an array. */
static CUresult copy_work(const CUDA_MEMCPY3D *params, Work *work)
{
  bool is_line = params != NULL && params->Height == 1 && params->Depth == 1 &&
                 params->WidthInBytes != 0 && params->srcXInBytes == 0 && params->srcY == 0 &&
                 params->srcZ == 0 && params->dstXInBytes == 0 && params->dstY == 0 &&
                 params->dstZ == 0 && params->reserved0 == NULL && params->reserved1 == NULL;
  if (!is_line)
    return CUDA_ERROR_INVALID_VALUE;
  bool from_host = params->srcMemoryType == CU_MEMORYTYPE_HOST;
  bool to_host = params->dstMemoryType == CU_MEMORYTYPE_HOST;
  if ((!from_host && params->srcMemoryType != CU_MEMORYTYPE_DEVICE) ||
      (!to_host && params->dstMemoryType != CU_MEMORYTYPE_DEVICE))
    return CUDA_ERROR_INVALID_VALUE;
  *work = (Work){.kind = WORK_COPY,
                 .from = from_host ? (uint64_t)(uintptr_t)params->srcHost : params->srcDevice,
                 .to = to_host ? (uint64_t)(uintptr_t)params->dstHost : params->dstDevice,
                 .bytes = params->WidthInBytes};
  if (is_device(work->from) == from_host || is_device(work->to) == to_host)
    return CUDA_ERROR_INVALID_VALUE;
  return gpu_check();
}

/* ---- graphs ---- */

CUresult cuGraphCreate(CUgraph *graph, unsigned flags)
{
  CUresult result = gpu_check();
  if (result != CUDA_SUCCESS || flags != 0)
    return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
  *graph = calloc(1, sizeof **graph);
  return CUDA_SUCCESS;
}

CUresult cuGraphDestroy(CUgraph graph)
{
  for (size_t i = 0; i < graph->n; i++) {
    CUgraphNode node = graph->nodes[i];
    if (node->child != NULL)
      cuGraphDestroy(node->child);
    if (node->body != NULL)
      cuGraphDestroy(node->body);
    free_work(&node->work);
    free(node->after);
    free(node);
  }
  condition_forget(graph);
  free(graph->nodes);
  free(graph);
  return CUDA_SUCCESS;
}

/* In *node a new one behind these, each of which is a node of the graph and stands there once. */
static CUresult add_node(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t n_after)
{
  if (node == NULL || graph == NULL || (after == NULL && n_after != 0))
    return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < n_after; i++) {
    if (after[i] == NULL || after[i]->graph != graph)
      return CUDA_ERROR_INVALID_VALUE;
    for (size_t k = 0; k < i; k++)
      if (after[k] == after[i])
        return CUDA_ERROR_INVALID_VALUE;
  }
  CUgraphNode added = calloc(1, sizeof *added);
  added->graph = graph;
  added->number = graph->n;
  added->after = malloc((n_after + 1) * sizeof *added->after);
  for (size_t i = 0; i < n_after; i++)
    added->after[added->n_after++] = after[i]->number;
  if (graph->n == graph->capacity) {
    graph->capacity = graph->capacity == 0 ? 16 : graph->capacity * 2;
    graph->nodes = realloc(graph->nodes, graph->capacity * sizeof *graph->nodes);
  }
  graph->nodes[graph->n++] = *node = added;
  return CUDA_SUCCESS;
}

static CUresult add_work(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t n_after,
                         Work *work)
{
  CUresult result = add_node(node, graph, after, n_after);
  if (result == CUDA_SUCCESS)
    (*node)->work = *work;
  else
    free_work(work);
  return result;
}

CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                              size_t n_after, const CUDA_KERNEL_NODE_PARAMS *params)
{
  Work work = {0};
  CUresult result = kernel_work(params, &work);
  return result != CUDA_SUCCESS ? result : add_work(node, graph, after, n_after, &work);
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                              size_t n_after, const CUDA_MEMCPY3D *params, CUcontext context)
{
  Work work = {0};
  CUresult result = context != NULL ? copy_work(params, &work) : CUDA_ERROR_INVALID_CONTEXT;
  return result != CUDA_SUCCESS ? result : add_work(node, graph, after, n_after, &work);
}

static CUgraph clone_graph(const struct CUgraph_st *graph)
{
  CUgraph clone = calloc(1, sizeof *clone);
  CUgraphNode *after = malloc((graph->n + 1) * sizeof(CUgraphNode)), node;
  for (size_t i = 0; i < graph->n; i++) {
    const struct CUgraphNode_st *from = graph->nodes[i];
    for (size_t k = 0; k < from->n_after; k++)
      after[k] = clone->nodes[from->after[k]];
    add_node(&node, clone, after, from->n_after);
    if (from->child != NULL)
      node->child = clone_graph(from->child);
    else
      node->work = copy_of(&from->work);
  }
  free(after);
  return clone;
}

static bool has_conditional(const struct CUgraph_st *graph)
{
  for (size_t i = 0; i < graph->n; i++)
    if (graph->nodes[i]->body != NULL)
      return true;
  return false;
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                                  size_t n_after, CUgraph child)
{
  CUresult result = gpu_check();
  if (result != CUDA_SUCCESS || child == NULL || child == graph || has_conditional(child))
    return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
  result = add_node(node, graph, after, n_after);
  if (result == CUDA_SUCCESS)
    (*node)->child = clone_graph(child);
  return result;
}

static bool is_unused(const CUgraphNodeParams *params)
{
  static const CUgraphNodeParams none = {0};
  size_t used = sizeof params->of.conditional;
  return memcmp(params->reserved0, none.reserved0, sizeof none.reserved0) == 0 &&
         params->reserved2 == 0 &&
         memcmp((const char *)&params->of + used, (const char *)&none.of + used,
                sizeof none.of - used) == 0;
}

/* A conditional node; others have calls of their own. */
CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t n_after,
                        CUgraphNodeParams *params)
{
  CUDA_CONDITIONAL_NODE_PARAMS *conditional = &params->of.conditional;
  CUresult result = gpu_check();
  if (result != CUDA_SUCCESS)
    return result;
  if (params->type != CU_GRAPH_NODE_TYPE_CONDITIONAL || !is_unused(params) ||
      conditional->size != 1 || conditional->ctx == NULL || conditional->phGraph_out != NULL ||
      (conditional->type != CU_GRAPH_COND_TYPE_IF &&
       conditional->type != CU_GRAPH_COND_TYPE_WHILE) ||
      !condition_take(conditional->handle, graph))
    return CUDA_ERROR_INVALID_VALUE;
  result = add_node(node, graph, after, n_after);
  if (result != CUDA_SUCCESS)
    return result;
  (*node)->body = calloc(1, sizeof *(*node)->body);
  (*node)->body->is_body = true;
  conditional->phGraph_out = &(*node)->body;
  (*node)->conditional = *conditional;
  return CUDA_SUCCESS;
}

/* ---- capture ---- */

CUresult gpu_graph_append(CUgraph graph, Work *work)
{
  CUgraphNode node, *last = graph->n != 0 ? &graph->nodes[graph->n - 1] : NULL;
  return add_work(&node, graph, last, last != NULL, work);
}

CUresult cuStreamBeginCapture_v2(CUstream stream, int mode)
{
  CUresult result = gpu_check();
  if (result != CUDA_SUCCESS)
    return result;
  if (stream == NULL || stream->captured != NULL || mode != CU_STREAM_CAPTURE_MODE_RELAXED)
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  return cuGraphCreate(&stream->captured, 0);
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
  if (stream == NULL || stream->captured == NULL)
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  *graph = stream->captured;
  stream->captured = NULL;
  return gpu_check();
}

/* ---- unfolding ---- */

typedef struct Ends {
  uint32_t *steps;
  uint32_t n;
} Ends;

static void add_ends(Ends *ends, const Ends *more)
{
  ends->steps = realloc(ends->steps, (ends->n + more->n + 1) * sizeof *ends->steps);
  for (uint32_t i = 0; i < more->n; i++)
    ends->steps[ends->n++] = more->steps[i];
}

static uint32_t add_step(CUgraphExec exec, const Work *work, const Ends *after)
{
  if (exec->n == exec->capacity) {
    exec->capacity = exec->capacity == 0 ? 64 : exec->capacity * 2;
    exec->steps = realloc(exec->steps, exec->capacity * sizeof *exec->steps);
  }
  Step *step = &exec->steps[exec->n];
  *step = (Step){.work = copy_of(work), .n_after = after->n};
  step->after = malloc((after->n + 1u) * sizeof *step->after);
  if (after->n != 0)
    memcpy(step->after, after->steps, after->n * sizeof *step->after);
  return exec->n++;
}

static CUresult instantiate(CUgraphExec *exec, CUgraph graph);

/* Of a conditional node. */
static CUresult add_conditional_step(CUgraphExec exec, const struct CUgraphNode_st *node,
                                     const Ends *after, uint32_t *step)
{
  *step = add_step(exec, &(Work){.kind = WORK_GRAPH}, after);
  exec->steps[*step].conditional = &node->conditional;
  return instantiate(&exec->steps[*step].body, node->body);
}

/* Appends the steps of `graph`, all of them after `before`. In *ends, to be freed, what is behind
 * all of it; first_of may be NULL. */
static CUresult unfold(CUgraphExec exec, const struct CUgraph_st *graph, const Ends *before,
                       Ends *ends, uint32_t *first_of)
{
  CUresult result = CUDA_SUCCESS;
  Ends *of = calloc(graph->n + 1, sizeof *of);
  bool *is_inner = calloc(graph->n + 1, sizeof *is_inner);
  for (size_t i = 0; i < graph->n && result == CUDA_SUCCESS; i++) {
    const struct CUgraphNode_st *node = graph->nodes[i];
    Ends after = {0};
    for (size_t k = 0; k < node->n_after; k++) {
      add_ends(&after, &of[node->after[k]]);
      is_inner[node->after[k]] = true;
    }
    if (node->n_after == 0)
      add_ends(&after, before);
    if (first_of != NULL)
      first_of[i] = exec->n;
    if (node->child != NULL) {
      result = unfold(exec, node->child, &after, &of[i], NULL);
    } else {
      uint32_t step;
      if (node->body != NULL)
        result = add_conditional_step(exec, node, &after, &step);
      else
        step = add_step(exec, &node->work, &after);
      add_ends(&of[i], &(Ends){&step, 1});
    }
    free(after.steps);
  }
  *ends = (Ends){0};
  for (size_t i = 0; i < graph->n; i++) {
    if (!is_inner[i])
      add_ends(ends, &of[i]);
    free(of[i].steps);
  }
  if (graph->n == 0)
    add_ends(ends, before);
  free(of);
  free(is_inner);
  return result;
}

/* By lane how many steps there are, counted from the first of all, when the last one that is done
 * before a step is counted. */
typedef struct Reach {
  uint32_t steps[MAX_STREAMS];
} Reach;

/* Where one that it is after was the last; else where the last one is done before it; else new. */
static unsigned choose_lane(const struct CUgraphExec_st *exec, const Step *step, const Reach *reach)
{
  for (uint32_t k = 0; k < step->n_after; k++) {
    unsigned lane = exec->steps[step->after[k]].lane;
    if (exec->last[lane] == step->after[k])
      return lane;
  }
  for (unsigned lane = 0; lane < exec->n_lanes; lane++)
    if (reach->steps[lane] == exec->last[lane] + 1)
      return lane;
  return exec->n_lanes;
}

/* False when there are more side by side than streams. */
static bool choose_lanes(CUgraphExec exec)
{
  Reach *reached = calloc(exec->n + 1u, sizeof *reached);
  bool fits = true;
  for (uint32_t i = 0; i < exec->n && fits; i++) {
    Step *step = &exec->steps[i];
    for (uint32_t k = 0; k < step->n_after; k++)
      for (unsigned lane = 0; lane < exec->n_lanes; lane++)
        if (reached[i].steps[lane] < reached[step->after[k]].steps[lane])
          reached[i].steps[lane] = reached[step->after[k]].steps[lane];
    step->lane = choose_lane(exec, step, &reached[i]);
    fits = step->lane < MAX_STREAMS;
    if (!fits)
      break;
    exec->n_lanes += step->lane == exec->n_lanes;
    exec->last[step->lane] = i;
    reached[i].steps[step->lane] = i + 1;
    for (uint32_t k = 0; k < step->n_after; k++) {
      Step *before = &exec->steps[step->after[k]];
      before->is_awaited |= before->lane != step->lane;
    }
  }
  for (unsigned lane = 1; lane < exec->n_lanes; lane++)
    exec->steps[exec->last[lane]].is_awaited = true;
  free(reached);
  return fits;
}

static void destroy_exec(CUgraphExec exec)
{
  for (uint32_t i = 0; i < exec->n; i++) {
    if (exec->steps[i].body != NULL)
      destroy_exec(exec->steps[i].body);
    free_work(&exec->steps[i].work);
    free(exec->steps[i].after);
  }
  exec->graph->n_instances--;
  free(exec->steps);
  free(exec->first_of);
  free(exec);
}

/* The events in it are named by what is asked for and not carried out. */
CUresult cuGraphExecDestroy(CUgraphExec exec)
{
  CUresult result = gpu_flush();
  destroy_exec(exec);
  return result;
}

/* A graph with conditional nodes once at a time, and with a node for each of its handles. */
static CUresult instantiate(CUgraphExec *exec, CUgraph graph)
{
  Ends none = {0}, ends = {0};
  *exec = NULL;
  if (!condition_all_taken(graph) || (has_conditional(graph) && graph->n_instances != 0))
    return CUDA_ERROR_INVALID_VALUE;
  CUgraphExec made = calloc(1, sizeof *made);
  graph->n_instances++;
  made->graph = graph;
  made->first_of = malloc((graph->n + 1) * sizeof *made->first_of);
  CUresult result = unfold(made, graph, &none, &ends, made->first_of);
  made->first_of[graph->n] = made->n;
  free(ends.steps);
  if (result == CUDA_SUCCESS && !choose_lanes(made))
    result = CUDA_ERROR_OUT_OF_MEMORY;
  if (result == CUDA_SUCCESS)
    *exec = made;
  else
    destroy_exec(made);
  return result;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
  const char *refused = getenv("ECHO_GPU_CONDITIONS");
  CUresult result = gpu_check();
  if (result != CUDA_SUCCESS || graph == NULL || flags != 0 || graph->is_body)
    return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
  if (refused != NULL && strcmp(refused, "refused") == 0 && has_conditional(graph))
    return CUDA_ERROR_NOT_SUPPORTED;
  return instantiate(exec, graph);
}

/* ---- changes ---- */

/* The one that was made of the graph: this, or one of a conditional node in it. */
static CUgraphExec exec_of_or_null(CUgraphExec exec, CUgraph graph)
{
  CUgraphExec found = exec->graph == graph ? exec : NULL;
  for (uint32_t i = 0; i < exec->n && found == NULL; i++)
    if (exec->steps[i].body != NULL)
      found = exec_of_or_null(exec->steps[i].body, graph);
  return found;
}

/* The steps of a node of the graph that *exec was made of, or of one in it, which *exec then is. */
static CUresult steps_of(CUgraphExec *exec, CUgraphNode node, uint32_t *first, uint32_t *n)
{
  if (*exec == NULL || node == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *exec = exec_of_or_null(*exec, node->graph);
  if (*exec == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *first = (*exec)->first_of[node->number];
  *n = (*exec)->first_of[node->number + 1] - *first;
  return gpu_check();
}

/* The kind of an operation stays, and on which sides of a copy the device is. */
static CUresult set_step(Step *step, Work *work)
{
  bool fits = step->work.kind == work->kind;
  if (fits && work->kind == WORK_COPY)
    fits = is_device(step->work.from) == is_device(work->from) &&
           is_device(step->work.to) == is_device(work->to);
  if (!fits) {
    free_work(work);
    return CUDA_ERROR_INVALID_VALUE;
  }
  free_work(&step->work);
  step->work = *work;
  return CUDA_SUCCESS;
}

static CUresult set_node(CUgraphExec exec, CUgraphNode node, Work *work)
{
  uint32_t first, n;
  CUresult result = steps_of(&exec, node, &first, &n);
  if (result == CUDA_SUCCESS && node->child != NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    return set_step(&exec->steps[first], work);
  free_work(work);
  return result;
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS *params)
{
  Work work = {0};
  CUresult result = kernel_work(params, &work);
  return result != CUDA_SUCCESS ? result : set_node(exec, node, &work);
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMCPY3D *params, CUcontext context)
{
  Work work = {0};
  CUresult result = context != NULL ? copy_work(params, &work) : CUDA_ERROR_INVALID_CONTEXT;
  return result != CUDA_SUCCESS ? result : set_node(exec, node, &work);
}

static bool is_same_shape(const struct CUgraph_st *a, const struct CUgraph_st *b)
{
  bool is_same = a->n == b->n;
  for (size_t i = 0; i < a->n && is_same; i++) {
    const struct CUgraphNode_st *x = a->nodes[i], *y = b->nodes[i];
    is_same = x->n_after == y->n_after &&
              memcmp(x->after, y->after, x->n_after * sizeof *x->after) == 0 &&
              (x->child == NULL) == (y->child == NULL) &&
              (x->child != NULL ? is_same_shape(x->child, y->child) : x->work.kind == y->work.kind);
  }
  return is_same;
}

/* Steps in the order in which they were unfolded. */
static CUresult set_steps(CUgraphExec exec, const struct CUgraph_st *graph, uint32_t *next)
{
  CUresult result = CUDA_SUCCESS;
  for (size_t i = 0; i < graph->n && result == CUDA_SUCCESS; i++) {
    const struct CUgraphNode_st *node = graph->nodes[i];
    if (node->child != NULL) {
      result = set_steps(exec, node->child, next);
      continue;
    }
    Work work = copy_of(&node->work);
    result = set_step(&exec->steps[(*next)++], &work);
  }
  return result;
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child)
{
  uint32_t first, n;
  CUresult result = steps_of(&exec, node, &first, &n);
  if (result != CUDA_SUCCESS || node->child == NULL || child == NULL)
    return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
  if (!is_same_shape(node->child, child))
    return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  return set_steps(exec, child, &first);
}

/* ---- launching ---- */

/* In streams[lane] the launching stream, and others for as long as the launch is asked for: their
 * work is behind what the launching one has waited for, or they never had any. */
static CUresult borrow_streams(CUgraphExec exec, CUstream stream, CUstream *streams)
{
  CUresult result = CUDA_SUCCESS;
  streams[0] = stream;
  for (unsigned lane = 1; lane < exec->n_lanes && result == CUDA_SUCCESS; lane++) {
    streams[lane] = gpu_unused_stream_or_null(&stream->clock);
    if (streams[lane] == NULL)
      result = CUDA_ERROR_OUT_OF_MEMORY;
    else
      streams[lane]->is_destroyed = false;
  }
  return result;
}

static CUresult submit_graph(CUgraphExec exec, CUstream stream);

/* What stands before it is carried out, so that its value is known. */
static CUresult submit_conditional(const Step *step, CUstream stream)
{
  unsigned value;
  bool is_loop = step->conditional->type == CU_GRAPH_COND_TYPE_WHILE;
  for (;;) {
    CUresult result = gpu_flush();
    if (result != CUDA_SUCCESS)
      return result;
    if (!condition_get(step->conditional->handle, &value)) {
      snprintf(gpu.finding.text, sizeof gpu.finding.text,
               "a conditional node is reached whose value no kernel of the launch has set");
      gpu.finding.fault = FAULT_UNWRITTEN;
      return gpu_fail(CUDA_ERROR_LAUNCH_FAILED);
    }
    if (value != 0)
      result = submit_graph(step->body, stream);
    if (value == 0 || !is_loop || result != CUDA_SUCCESS)
      return result;
  }
}

static void submit_step(CUgraphExec exec, Step *step, CUstream *streams)
{
  CUstream stream = streams[step->lane];
  if (step->n_after == 0 && step->lane != 0)
    cuStreamWaitEvent(stream, &exec->begin, 0);
  for (uint32_t k = 0; k < step->n_after; k++) {
    Step *before = &exec->steps[step->after[k]];
    if (before->lane != step->lane)
      cuStreamWaitEvent(stream, &before->done, 0);
  }
  Work work = copy_of(&step->work);
  work.stream = stream;
  if (step->body != NULL)
    submit_conditional(step, stream);
  else if (gpu_submit(&work) != CUDA_SUCCESS)
    free_work(&work);
  if (step->is_awaited)
    cuEventRecord(&step->done, stream);
}

/* After the launch of it before this one. */
static CUresult submit_graph(CUgraphExec exec, CUstream stream)
{
  CUstream streams[MAX_STREAMS];
  cuStreamWaitEvent(stream, &exec->end, 0);
  cuEventRecord(&exec->begin, stream);
  CUresult result = borrow_streams(exec, stream, streams);
  for (uint32_t i = 0; i < exec->n && result == CUDA_SUCCESS; i++)
    submit_step(exec, &exec->steps[i], streams);
  for (unsigned lane = 1; lane < exec->n_lanes && result == CUDA_SUCCESS; lane++) {
    cuStreamWaitEvent(stream, &exec->steps[exec->last[lane]].done, 0);
    streams[lane]->is_destroyed = true;
  }
  cuEventRecord(&exec->end, stream);
  return result;
}

static void clear_conditions(const struct CUgraphExec_st *exec)
{
  for (uint32_t i = 0; i < exec->n; i++)
    if (exec->steps[i].body != NULL) {
      condition_clear(exec->steps[i].conditional->handle);
      clear_conditions(exec->steps[i].body);
    }
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
  CUresult result = exec != NULL ? gpu_check() : CUDA_ERROR_INVALID_VALUE;
  if (result != CUDA_SUCCESS)
    return result;
  clear_conditions(exec);
  return submit_graph(exec, stream != NULL ? stream : &gpu.streams[0]);
}
