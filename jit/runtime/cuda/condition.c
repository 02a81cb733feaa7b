/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/cuda/condition_t.h"

/* cudaGraphSetConditional is the driver's: it resolves the name when it loads the text. */
static const char SETTER[] = ".version 7.8\n"
                             ".target sm_75\n"
                             ".address_size 64\n"
                             ".extern .func cudaGraphSetConditional\n"
                             "(\n"
                             ".param .b64 of_handle,\n"
                             ".param .b32 of_value\n"
                             ")\n"
                             ";\n"
                             ".visible .entry echo_set_condition(\n"
                             ".param .u64 handle,\n"
                             ".param .u64 selector,\n"
                             ".param .u32 wanted,\n"
                             ".param .u32 count\n"
                             ")\n"
                             "{\n"
                             ".reg .pred %p<4>;\n"
                             ".reg .b32 %r<6>;\n"
                             ".reg .b64 %rd<3>;\n"
                             "ld.param.u64 %rd1, [handle];\n"
                             "ld.param.u64 %rd2, [selector];\n"
                             "ld.param.u32 %r1, [wanted];\n"
                             "ld.param.u32 %r2, [count];\n"
                             "setp.ne.s32 %p1, %r2, 0;\n"
                             "@%p1 bra $index;\n"
                             "ld.global.u8 %r3, [%rd2];\n"
                             "setp.eq.s32 %p2, %r3, 0;\n"
                             "selp.b32 %r4, 1, 0, %p2;\n"
                             "bra $chosen;\n"
                             "$index:\n"
                             "ld.global.u32 %r3, [%rd2];\n"
                             "setp.ge.u32 %p2, %r3, %r2;\n"
                             "sub.s32 %r4, %r2, 1;\n"
                             "selp.b32 %r4, %r4, %r3, %p2;\n"
                             "$chosen:\n"
                             "setp.eq.s32 %p3, %r4, %r1;\n"
                             "selp.b32 %r5, 1, 0, %p3;\n"
                             "{\n"
                             ".param .b64 to_handle;\n"
                             "st.param.b64 [to_handle+0], %rd1;\n"
                             ".param .b32 to_value;\n"
                             "st.param.b32 [to_value+0], %r5;\n"
                             "call.uni cudaGraphSetConditional, (to_handle, to_value);\n"
                             "}\n"
                             "ret;\n"
                             "}\n";

bool echo_cuda_conditions_are_there(EchoCuda *cuda)
{
  EchoCudaConditions *conditions = &cuda->conditions;
  const EchoCudaDriver *driver = &cuda->driver;
  if (!conditions->is_asked) {
    conditions->is_asked = true;
    conditions->are_there =
        driver->conditional_create != NULL && driver->graph_add_node != NULL &&
        driver->module_load(&conditions->module, SETTER, 0, NULL, NULL) == CUDA_SUCCESS &&
        driver->function_get(&conditions->set, conditions->module, "echo_set_condition") ==
            CUDA_SUCCESS;
  }
  return conditions->are_there;
}

void echo_cuda_conditions_give_up(EchoCuda *cuda)
{
  cuda->conditions.is_asked = true;
  cuda->conditions.are_there = false;
}

void echo_cuda_conditions_destroy(EchoCuda *cuda)
{
  if (cuda->conditions.module != NULL)
    (void)cuda->driver.module_unload(cuda->conditions.module);
  cuda->conditions = (EchoCudaConditions){0};
}

/* The parameters of its launch, which point into `condition` and `values`. */
static CUDA_KERNEL_NODE_PARAMS params_of(const EchoCuda *cuda, EchoCudaCondition *condition,
                                         void *values[4])
{
  values[0] = &condition->handle;
  values[1] = &condition->selector;
  values[2] = &condition->wanted;
  values[3] = &condition->n;
  return (CUDA_KERNEL_NODE_PARAMS){.func = cuda->conditions.set,
                                   .gridDimX = 1,
                                   .gridDimY = 1,
                                   .gridDimZ = 1,
                                   .blockDimX = 1,
                                   .blockDimY = 1,
                                   .blockDimZ = 1,
                                   .kernelParams = values};
}

CUresult echo_cuda_condition_add(const EchoCuda *cuda, CUgraphNode *node, CUgraph graph,
                                 const CUgraphNode *after, size_t n_after,
                                 const EchoCudaCondition *condition)
{
  void *values[4];
  EchoCudaCondition copy = *condition;
  CUDA_KERNEL_NODE_PARAMS params = params_of(cuda, &copy, values);
  return cuda->driver.graph_add_kernel(node, graph, after, n_after, &params);
}

CUresult echo_cuda_condition_set(const EchoCuda *cuda, CUgraphExec exec, CUgraphNode node,
                                 const EchoCudaCondition *condition)
{
  void *values[4];
  EchoCudaCondition copy = *condition;
  CUDA_KERNEL_NODE_PARAMS params = params_of(cuda, &copy, values);
  return cuda->driver.graph_set_kernel(exec, node, &params);
}

CUresult echo_cuda_conditional_add(const EchoCuda *cuda, CUgraphNode *node, CUgraph graph,
                                   const CUgraphNode *after, size_t n_after,
                                   CUgraphConditionalHandle handle, CUgraphConditionalNodeType type,
                                   CUgraph *body)
{
  CUgraphNodeParams params = {
      .type = CU_GRAPH_NODE_TYPE_CONDITIONAL,
      .of.conditional = {.handle = handle, .type = type, .size = 1, .ctx = cuda->context}};
  CUresult result = cuda->driver.graph_add_node(node, graph, after, n_after, &params);
  *body = result == CUDA_SUCCESS ? params.of.conditional.phGraph_out[0] : NULL;
  return result;
}
