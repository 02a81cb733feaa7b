/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/cuda/graph_t.h"

#include "base/map.h"

/* A loop is repeated in the graph it stands in up to so many nodes; a longer one is a conditional
 * node or, where there are none, a graph of its body, launched once a trip. Instantiating costs the
 * driver about a microsecond and a kilobyte a node, so this many a few milliseconds, once; what is
 * saved on a launch is spread over the nodes of the body either way. */
enum { MAX_REPEATED_NODES = 4096 };
/* About: the library's kernel, one that adds up parts, a copy. */
enum { NODES_OF_LIBRARY_CALL = 3 };

static bool check(const EchoCudaRun *run, CUresult result, const char *call)
{
  return echo_cuda_check(run->ctx, run->cuda, result, call, NULL);
}

static CUdeviceptr address_of(const EchoCudaRun *run, uint32_t slot)
{
  return (CUdeviceptr)(uintptr_t)run->addresses[slot];
}

/* ---- what fits ---- */

static uint64_t count_block(const EchoProgramBlock *block);

/* More than MAX_REPEATED_NODES: none that can be repeated. */
static uint64_t count_nodes(const EchoInstruction *instruction)
{
  uint64_t n = 0;
  switch (instruction->kind) {
  case ECHO_RUN_LAUNCH:
    if (instruction->kernel->library != NULL)
      return MAX_REPEATED_NODES + 1;
    if (instruction->kernel->cuda->call != NULL)
      return NODES_OF_LIBRARY_CALL;
    for (size_t i = 0; i < instruction->kernel->cuda->n_phases; i++)
      n += instruction->kernel->cuda->phases[i].grid != 0;
    return n;
  case ECHO_RUN_COPY:
  case ECHO_RUN_SWAP:
    return 1;
  case ECHO_RUN_WAIT:
    return instruction->is_of_call ? MAX_REPEATED_NODES + 1 : 0;
  case ECHO_RUN_WHILE:
    if (instruction->is_counted &&
        echo_mul_u64(instruction->n_trips, count_block(&instruction->blocks[1]) + 1, &n))
      return n;
    return MAX_REPEATED_NODES + 1;
  case ECHO_RUN_CASE:
    return MAX_REPEATED_NODES + 1;
  }
  ECHO_UNREACHABLE("an instruction of kind %d", (int)instruction->kind);
}

static uint64_t count_block(const EchoProgramBlock *block)
{
  uint64_t n = 0;
  for (size_t i = 0; i < block->size && n <= MAX_REPEATED_NODES; i++)
    n += count_nodes(&block->instructions[i]);
  return n <= MAX_REPEATED_NODES ? n : MAX_REPEATED_NODES + 1;
}

static bool is_repeated(const EchoInstruction *instruction)
{
  return instruction->kind == ECHO_RUN_WHILE && count_nodes(instruction) <= MAX_REPEATED_NODES;
}

/* What the host asks for, of itself or of others, cannot. */
static bool may_stand(EchoCuda *cuda, const EchoInstruction *instruction)
{
  switch (instruction->kind) {
  case ECHO_RUN_LAUNCH:
    return instruction->kernel->library == NULL;
  case ECHO_RUN_WAIT:
    return !instruction->is_of_call;
  case ECHO_RUN_COPY:
  case ECHO_RUN_SWAP:
    return true;
  case ECHO_RUN_WHILE:
  case ECHO_RUN_CASE:
    break;
  }
  if (is_repeated(instruction))
    return true;
  bool may = true;
  for (size_t i = 0; i < instruction->n_blocks && may; i++)
    for (size_t k = 0; k < instruction->blocks[i].size && may; k++)
      may = may_stand(cuda, &instruction->blocks[i].instructions[k]);
  return may && echo_cuda_conditions_are_there(cuda);
}

size_t echo_cuda_graph_reach(EchoCuda *cuda, const EchoInstruction *instructions, size_t n)
{
  size_t i = 0;
  while (i < n && may_stand(cuda, &instructions[i]))
    i++;
  return i;
}

bool echo_cuda_graph_has_conditions(const EchoInstruction *instructions, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (instructions[i].n_blocks != 0 && !is_repeated(&instructions[i]))
      return true;
  return false;
}

/* ---- parameters ---- */

typedef struct Launch {
  CUDA_KERNEL_NODE_PARAMS params;
  CUdeviceptr *values;
} Launch;

static Launch launch_of(const EchoCudaRun *run, const EchoInstruction *instruction, size_t i)
{
  const EchoCudaPhase *phase = &instruction->kernel->cuda->phases[i];
  size_t n = instruction->n_slots;
  Launch launch = {.params = {.func = phase->function,
                              .gridDimX = phase->grid,
                              .gridDimY = 1,
                              .gridDimZ = 1,
                              .blockDimX = phase->block,
                              .blockDimY = 1,
                              .blockDimZ = 1,
                              .sharedMemBytes = phase->shared_bytes,
                              .kernelParams = echo_alloc_array(n + 1, sizeof(void *))},
                   .values = echo_alloc_array(n + 1, sizeof(CUdeviceptr))};
  for (size_t k = 0; k < n; k++) {
    launch.values[k] = address_of(run, instruction->slots[k]);
    launch.params.kernelParams[k] = &launch.values[k];
  }
  return launch;
}

static void launch_destroy(Launch *launch)
{
  echo_free(launch->params.kernelParams);
  echo_free(launch->values);
}

static void set_side(const EchoCudaRun *run, uint32_t slot, CUmemorytype *type,
                     CUdeviceptr *address)
{
  *type = CU_MEMORYTYPE_DEVICE;
  *address = address_of(run, slot);
}

static EchoCudaCondition condition_of(const EchoCudaRun *run, const EchoInstruction *instruction,
                                      CUgraphConditionalHandle handle, size_t wanted)
{
  bool is_flag = instruction->kind == ECHO_RUN_WHILE || instruction->selects_by_flag;
  return (EchoCudaCondition){.handle = handle,
                             .selector = address_of(run, instruction->slots[0]),
                             .wanted = (unsigned)wanted,
                             .n = is_flag ? 0 : (unsigned)instruction->n_blocks};
}

static CUDA_MEMCPY3D copy_of(const EchoCudaRun *run, const EchoInstruction *instruction)
{
  CUDA_MEMCPY3D copy = {.WidthInBytes = (size_t)instruction->n_bytes, .Height = 1, .Depth = 1};
  const uint32_t *slots = instruction->slots;
  if (instruction->kind == ECHO_RUN_COPY) {
    set_side(run, slots[0], &copy.srcMemoryType, &copy.srcDevice);
    set_side(run, slots[1], &copy.dstMemoryType, &copy.dstDevice);
    return copy;
  }
  char *host =
      instruction->is_of_argument ? run->addresses[slots[1]] : run->host + instruction->host_offset;
  if (instruction->is_out) {
    set_side(run, slots[0], &copy.srcMemoryType, &copy.srcDevice);
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = host;
  } else {
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = host;
    set_side(run, slots[0], &copy.dstMemoryType, &copy.dstDevice);
  }
  return copy;
}

/* ---- making ---- */

typedef struct Maker {
  const EchoCudaRun *run;
  EchoCudaGraph *made; /* NULL for the body of a loop that is repeated */
  CUgraph graph;
  ECHO_VECTOR(CUgraphNode) front; /* what the next one that computes comes after */
  CUgraphNode copied[2];          /* the last copy in, the last copy out */
  EchoMap events;                 /* event -> its copy's node */
} Maker;

static bool make_block(Maker *maker, const EchoInstruction *instructions, size_t n);

static void maker_destroy(Maker *maker)
{
  echo_vector_destroy(&maker->front);
  echo_map_destroy(&maker->events);
}

/* Each node once. */
static void add_to_front(Maker *maker, CUgraphNode node)
{
  for (size_t i = 0; i < maker->front.size; i++)
    if (maker->front.data[i] == node)
      return;
  echo_vector_push(&maker->front, node);
}

static void note(Maker *maker, CUgraphNode node, const EchoInstruction *instruction, size_t phase)
{
  if (maker->made != NULL)
    echo_vector_push(&maker->made->nodes,
                     (EchoCudaNode){.node = node, .instruction = instruction, .phase = phase});
}

/* The chain goes on behind it. */
static void go_on(Maker *maker, CUgraphNode node, const EchoInstruction *instruction, size_t phase)
{
  echo_vector_clear(&maker->front);
  echo_vector_push(&maker->front, node);
  note(maker, node, instruction, phase);
}

/* In *graph what the library asks for, to be destroyed where it is not NULL. */
static bool capture_call(const EchoCudaRun *run, const EchoInstruction *instruction, CUgraph *graph)
{
  CUdeviceptr *arguments = echo_alloc_array(instruction->n_slots + 1, sizeof *arguments);
  for (size_t i = 0; i < instruction->n_slots; i++)
    arguments[i] = address_of(run, instruction->slots[i]);
  bool ok = echo_cuda_library_capture(run->ctx, run->cuda, instruction->kernel->cuda->call,
                                      arguments, graph);
  echo_free(arguments);
  return ok;
}

static bool make_library_call(Maker *maker, const EchoInstruction *instruction)
{
  const EchoCudaDriver *driver = &maker->run->cuda->driver;
  CUgraph graph = NULL;
  CUgraphNode node = NULL;
  bool ok = capture_call(maker->run, instruction, &graph) &&
            check(maker->run,
                  driver->graph_add_child(&node, maker->graph, maker->front.data, maker->front.size,
                                          graph),
                  "cuGraphAddChildGraphNode");
  if (ok)
    go_on(maker, node, instruction, 0);
  if (graph != NULL)
    driver->graph_destroy(graph);
  return ok;
}

static bool make_launch(Maker *maker, const EchoInstruction *instruction)
{
  const EchoCudaRun *run = maker->run;
  const EchoCudaKernel *kernel = instruction->kernel->cuda;
  bool ok = true;
  if (kernel->call != NULL)
    return make_library_call(maker, instruction);
  for (size_t i = 0; i < kernel->n_phases && ok; i++) {
    if (kernel->phases[i].grid == 0)
      continue;
    CUgraphNode node = NULL;
    Launch launch = launch_of(run, instruction, i);
    ok = echo_cuda_check(run->ctx, run->cuda,
                         run->cuda->driver.graph_add_kernel(&node, maker->graph, maker->front.data,
                                                            maker->front.size, &launch.params),
                         "cuGraphAddKernelNode", kernel->phases[i].name);
    launch_destroy(&launch);
    if (ok)
      go_on(maker, node, instruction, i);
  }
  return ok;
}

static bool add_copy(Maker *maker, const EchoInstruction *instruction, CUgraphNode *node)
{
  const EchoCudaRun *run = maker->run;
  CUDA_MEMCPY3D copy = copy_of(run, instruction);
  return check(run,
               run->cuda->driver.graph_add_copy(node, maker->graph, maker->front.data,
                                                maker->front.size, &copy, run->cuda->context),
               "cuGraphAddMemcpyNode");
}

static bool make_copy(Maker *maker, const EchoInstruction *instruction)
{
  CUgraphNode node = NULL;
  if (instruction->n_bytes == 0)
    return true;
  if (!add_copy(maker, instruction, &node))
    return false;
  go_on(maker, node, instruction, 0);
  return true;
}

/* Copies of a direction come one after the other. */
static bool make_swap(Maker *maker, const EchoInstruction *instruction)
{
  CUgraphNode *last = &maker->copied[instruction->is_out], node = NULL;
  size_t n_front = maker->front.size;
  if (instruction->n_bytes == 0)
    return true;
  if (*last != NULL)
    add_to_front(maker, *last);
  bool ok = add_copy(maker, instruction, &node);
  maker->front.size = n_front;
  if (!ok)
    return false;
  *last = node;
  echo_map_set_ptr(&maker->events, (void *)(uintptr_t)instruction->event, node);
  note(maker, node, instruction, 0);
  return true;
}

/* Copies that began outside of this graph are done before it. */
static void make_wait(Maker *maker, const EchoInstruction *instruction)
{
  CUgraphNode copy = echo_map_get_ptr(&maker->events, (void *)(uintptr_t)instruction->event);
  if (copy != NULL)
    add_to_front(maker, copy);
}

/* Of what the block waits for, what began here: it is waited for in front of it. */
static void wait_for_block(Maker *maker, const EchoProgramBlock *block)
{
  for (size_t i = 0; i < block->size; i++) {
    const EchoInstruction *instruction = &block->instructions[i];
    if (instruction->kind == ECHO_RUN_WAIT)
      make_wait(maker, instruction);
    for (size_t k = 0; k < instruction->n_blocks; k++)
      wait_for_block(maker, &instruction->blocks[k]);
  }
}

/* In *body a graph of the block, to be destroyed where it is not NULL. */
static bool make_body(const EchoCudaRun *run, const EchoProgramBlock *block, CUgraph *body)
{
  Maker maker = {.run = run};
  *body = NULL;
  bool ok = check(run, run->cuda->driver.graph_create(&maker.graph, 0), "cuGraphCreate");
  *body = ok ? maker.graph : NULL;
  ok = ok && make_block(&maker, block->instructions, block->size);
  maker_destroy(&maker);
  return ok;
}

static bool make_loop(Maker *maker, const EchoInstruction *instruction)
{
  const EchoCudaDriver *driver = &maker->run->cuda->driver;
  const EchoProgramBlock *block = &instruction->blocks[1];
  CUgraph body;
  if (instruction->n_trips == 0 || count_block(block) == 0)
    return true;
  wait_for_block(maker, block);
  bool ok = make_body(maker->run, block, &body);
  for (uint64_t i = 0; i < instruction->n_trips && ok; i++) {
    CUgraphNode node = NULL;
    ok = check(
        maker->run,
        driver->graph_add_child(&node, maker->graph, maker->front.data, maker->front.size, body),
        "cuGraphAddChildGraphNode");
    if (ok)
      go_on(maker, node, instruction, 0);
  }
  if (body != NULL)
    driver->graph_destroy(body);
  return ok;
}

/* ---- conditional nodes ---- */

static bool make_handle(Maker *maker, CUgraphConditionalHandle *handle)
{
  const EchoCuda *cuda = maker->run->cuda;
  return check(maker->run,
               cuda->driver.conditional_create(handle, maker->graph, cuda->context, 0, 0),
               "cuGraphConditionalHandleCreate");
}

/* The handle is set by what the instruction's selector holds here. */
static bool make_condition(Maker *maker, const EchoInstruction *instruction,
                           CUgraphConditionalHandle handle, size_t wanted)
{
  const EchoCudaRun *run = maker->run;
  CUgraphNode node = NULL;
  EchoCudaCondition condition = condition_of(run, instruction, handle, wanted);
  if (!check(run,
             echo_cuda_condition_add(run->cuda, &node, maker->graph, maker->front.data,
                                     maker->front.size, &condition),
             "cuGraphAddKernelNode"))
    return false;
  go_on(maker, node, instruction, wanted);
  EchoCudaNode *noted = &maker->made->nodes.data[maker->made->nodes.size - 1];
  noted->sets_condition = true;
  noted->handle = handle;
  return true;
}

/* Of the node's own graph, in *inner, to be destroyed in any case. */
static bool begin_conditional(Maker *maker, CUgraphConditionalHandle handle,
                              CUgraphConditionalNodeType type, Maker *inner)
{
  const EchoCudaRun *run = maker->run;
  CUgraphNode node = NULL;
  *inner = (Maker){.run = run, .made = maker->made};
  if (!check(run,
             echo_cuda_conditional_add(run->cuda, &node, maker->graph, maker->front.data,
                                       maker->front.size, handle, type, &inner->graph),
             "cuGraphAddNode"))
    return false;
  echo_vector_clear(&maker->front);
  echo_vector_push(&maker->front, node);
  return true;
}

/* The condition, and a node of the body and the condition again. */
static bool make_while(Maker *maker, const EchoInstruction *instruction)
{
  const EchoProgramBlock *condition = &instruction->blocks[0], *body = &instruction->blocks[1];
  CUgraphConditionalHandle handle;
  Maker inner = {0};
  if (!make_handle(maker, &handle) ||
      !make_block(maker, condition->instructions, condition->size) ||
      !make_condition(maker, instruction, handle, 0))
    return false;
  wait_for_block(maker, condition);
  wait_for_block(maker, body);
  bool ok = begin_conditional(maker, handle, CU_GRAPH_COND_TYPE_WHILE, &inner) &&
            make_block(&inner, body->instructions, body->size) &&
            make_block(&inner, condition->instructions, condition->size) &&
            make_condition(&inner, instruction, handle, 0);
  maker_destroy(&inner);
  return ok;
}

static bool make_branch(Maker *maker, const EchoProgramBlock *block,
                        CUgraphConditionalHandle handle)
{
  Maker inner = {0};
  wait_for_block(maker, block);
  bool ok = begin_conditional(maker, handle, CU_GRAPH_COND_TYPE_IF, &inner) &&
            make_block(&inner, block->instructions, block->size);
  maker_destroy(&inner);
  return ok;
}

/* All conditions are set before the first branch, which may write where the selector was. */
static bool make_case(Maker *maker, const EchoInstruction *instruction)
{
  CUgraphConditionalHandle *handles = echo_alloc_array(instruction->n_blocks + 1, sizeof *handles);
  bool ok = true;
  for (size_t i = 0; i < instruction->n_blocks && ok; i++)
    ok = instruction->blocks[i].size == 0 ||
         (make_handle(maker, &handles[i]) && make_condition(maker, instruction, handles[i], i));
  for (size_t i = 0; i < instruction->n_blocks && ok; i++)
    ok =
        instruction->blocks[i].size == 0 || make_branch(maker, &instruction->blocks[i], handles[i]);
  echo_free(handles);
  return ok;
}

static bool make_instruction(Maker *maker, const EchoInstruction *instruction)
{
  switch (instruction->kind) {
  case ECHO_RUN_LAUNCH:
    return make_launch(maker, instruction);
  case ECHO_RUN_COPY:
    return make_copy(maker, instruction);
  case ECHO_RUN_SWAP:
    return make_swap(maker, instruction);
  case ECHO_RUN_WAIT:
    make_wait(maker, instruction);
    return true;
  case ECHO_RUN_WHILE:
    return is_repeated(instruction) ? make_loop(maker, instruction)
                                    : make_while(maker, instruction);
  case ECHO_RUN_CASE:
    return make_case(maker, instruction);
  }
  ECHO_UNREACHABLE("an instruction of kind %d in a graph", (int)instruction->kind);
}

static bool make_block(Maker *maker, const EchoInstruction *instructions, size_t n)
{
  bool ok = true;
  for (size_t i = 0; i < n && ok; i++)
    ok = make_instruction(maker, &instructions[i]);
  return ok;
}

bool echo_cuda_graph_create(EchoCudaGraph *graph, const EchoCudaRun *run,
                            const EchoInstruction *instructions, size_t n)
{
  const EchoCudaDriver *driver = &run->cuda->driver;
  *graph = (EchoCudaGraph){.updated_at = run->number};
  if (!check(run, driver->graph_create(&graph->graph, 0), "cuGraphCreate"))
    return false;
  Maker maker = {.run = run, .made = graph, .graph = graph->graph};
  bool ok = make_block(&maker, instructions, n);
  maker_destroy(&maker);
  return ok && (graph->nodes.size == 0 ||
                check(run, driver->graph_instantiate(&graph->exec, graph->graph, 0),
                      "cuGraphInstantiate"));
}

void echo_cuda_graph_destroy(EchoCudaGraph *graph, const EchoCuda *cuda)
{
  if (graph->exec != NULL)
    (void)cuda->driver.graph_exec_destroy(graph->exec);
  if (graph->graph != NULL)
    (void)cuda->driver.graph_destroy(graph->graph);
  echo_vector_destroy(&graph->nodes);
  *graph = (EchoCudaGraph){0};
}

/* ---- other addresses ---- */

/* A loop that is repeated is all of its body. */
static bool uses_changed(const EchoCudaGraph *graph, const EchoCudaRun *run,
                         const EchoInstruction *instruction)
{
  bool is_of_host = instruction->kind == ECHO_RUN_SWAP && !instruction->is_of_argument;
  if (is_of_host && run->changed_at[run->n_slots] > graph->updated_at)
    return true;
  if (instruction->kind == ECHO_RUN_WHILE) {
    const EchoProgramBlock *body = &instruction->blocks[1];
    for (size_t i = 0; i < body->size; i++)
      if (uses_changed(graph, run, &body->instructions[i]))
        return true;
    return false;
  }
  for (size_t i = 0; i < instruction->n_slots; i++)
    if (run->changed_at[instruction->slots[i]] > graph->updated_at)
      return true;
  return false;
}

static bool set_launch(const EchoCudaGraph *graph, const EchoCudaRun *run, const EchoCudaNode *node)
{
  Launch launch = launch_of(run, node->instruction, node->phase);
  CUresult result = run->cuda->driver.graph_set_kernel(graph->exec, node->node, &launch.params);
  launch_destroy(&launch);
  return echo_cuda_check(run->ctx, run->cuda, result, "cuGraphExecKernelNodeSetParams",
                         node->instruction->kernel->cuda->phases[node->phase].name);
}

static bool set_library_call(const EchoCudaGraph *graph, const EchoCudaRun *run,
                             const EchoCudaNode *node)
{
  const EchoCudaDriver *driver = &run->cuda->driver;
  CUgraph made = NULL;
  bool ok = capture_call(run, node->instruction, &made) &&
            check(run, driver->graph_set_child(graph->exec, node->node, made),
                  "cuGraphExecChildGraphNodeSetParams");
  if (made != NULL)
    driver->graph_destroy(made);
  return ok;
}

/* The n nodes of one loop. */
static bool set_loop(const EchoCudaGraph *graph, const EchoCudaRun *run, const EchoCudaNode *nodes,
                     size_t n)
{
  const EchoCudaDriver *driver = &run->cuda->driver;
  CUgraph body;
  bool ok = make_body(run, &nodes[0].instruction->blocks[1], &body);
  for (size_t i = 0; i < n && ok; i++)
    ok = check(run, driver->graph_set_child(graph->exec, nodes[i].node, body),
               "cuGraphExecChildGraphNodeSetParams");
  if (body != NULL)
    driver->graph_destroy(body);
  return ok;
}

static bool set_condition(const EchoCudaGraph *graph, const EchoCudaRun *run,
                          const EchoCudaNode *node)
{
  EchoCudaCondition condition = condition_of(run, node->instruction, node->handle, node->phase);
  return check(run, echo_cuda_condition_set(run->cuda, graph->exec, node->node, &condition),
               "cuGraphExecKernelNodeSetParams");
}

static bool set_nodes(const EchoCudaGraph *graph, const EchoCudaRun *run, size_t first, size_t n)
{
  const EchoCudaNode *node = &graph->nodes.data[first];
  if (node->sets_condition)
    return set_condition(graph, run, node);
  if (node->instruction->kind == ECHO_RUN_LAUNCH)
    return node->instruction->kernel->cuda->call != NULL ? set_library_call(graph, run, node)
                                                         : set_launch(graph, run, node);
  if (node->instruction->kind == ECHO_RUN_WHILE)
    return set_loop(graph, run, node, n);
  CUDA_MEMCPY3D copy = copy_of(run, node->instruction);
  return check(run,
               run->cuda->driver.graph_set_copy(graph->exec, node->node, &copy, run->cuda->context),
               "cuGraphExecMemcpyNodeSetParams");
}

static bool node_uses_changed(const EchoCudaGraph *graph, const EchoCudaRun *run,
                              const EchoCudaNode *node)
{
  return node->sets_condition ? run->changed_at[node->instruction->slots[0]] > graph->updated_at
                              : uses_changed(graph, run, node->instruction);
}

static bool update(EchoCudaGraph *graph, const EchoCudaRun *run)
{
  for (size_t i = 0, n; i < graph->nodes.size; i += n) {
    const EchoCudaNode *node = &graph->nodes.data[i];
    bool is_loop = node->instruction->kind == ECHO_RUN_WHILE && !node->sets_condition;
    for (n = 1; is_loop && i + n < graph->nodes.size; n++)
      if (node[n].instruction != node->instruction || node[n].sets_condition)
        break;
    if (node_uses_changed(graph, run, node) && !set_nodes(graph, run, i, n))
      return false;
  }
  graph->updated_at = run->number;
  return true;
}

bool echo_cuda_graph_launch(EchoCudaGraph *graph, const EchoCudaRun *run)
{
  if (graph->exec == NULL)
    return true;
  if (run->last_change > graph->updated_at && !update(graph, run))
    return false;
  return echo_cuda_check(run->ctx, run->cuda,
                         run->cuda->driver.graph_launch(graph->exec, run->cuda->compute),
                         "cuGraphLaunch", echo_cuda_graph_kernel_or_null(graph, true));
}

/* ---- names ---- */

static const char *kernel_of_or_null(const EchoInstruction *instruction, bool is_first)
{
  const char *found = NULL;
  if (instruction->kind == ECHO_RUN_WHILE) {
    const EchoProgramBlock *body = &instruction->blocks[1];
    for (size_t i = 0; i < body->size && found == NULL; i++)
      found = kernel_of_or_null(&body->instructions[is_first ? i : body->size - 1 - i], is_first);
    return found;
  }
  const EchoCudaKernel *kernel =
      instruction->kind == ECHO_RUN_LAUNCH ? instruction->kernel->cuda : NULL;
  for (size_t i = 0; kernel != NULL && i < kernel->n_phases; i++)
    if (kernel->phases[i].grid != 0 && (found == NULL || !is_first))
      found = kernel->phases[i].name;
  return found;
}

const char *echo_cuda_graph_kernel_or_null(const EchoCudaGraph *graph, bool is_first)
{
  const char *found = NULL;
  size_t n = graph->nodes.size;
  for (size_t i = 0; i < n && found == NULL; i++) {
    const EchoCudaNode *node = &graph->nodes.data[is_first ? i : n - 1 - i];
    if (!node->sets_condition)
      found = kernel_of_or_null(node->instruction, is_first);
  }
  return found;
}
