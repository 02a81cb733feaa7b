/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Nodes of a graph whose own graphs run while, or if, a value that the device computes says so: the
 * driver's conditional nodes, of CUDA 12.3 and later. A handle holds that value; a kernel of one
 * thread sets it, which stands in front of the node, and in a loop at the end of its body. A graph
 * with such a node can be no child of another, and can be instantiated once. Private to jit/. */
#ifndef ECHO_JIT_RUNTIME_CUDA_CONDITION_T_H
#define ECHO_JIT_RUNTIME_CUDA_CONDITION_T_H

#include "jit/runtime/cuda/cuda_t.h"

/* Asks the driver, the first time; loads that kernel. */
bool echo_cuda_conditions_are_there(EchoCuda *cuda);
/* From now on they are not: the driver has refused a graph with one. */
void echo_cuda_conditions_give_up(EchoCuda *cuda);
void echo_cuda_conditions_destroy(EchoCuda *cuda);

/* What a handle is set to: 1 where the selector chooses `wanted`, else 0. The selector is a flag of
 * a byte, which chooses 0 when it is set and else 1, where n is 0; else an i32, which chooses the
 * last of n where it is none of them. */
typedef struct EchoCudaCondition {
  CUgraphConditionalHandle handle;
  CUdeviceptr selector;
  unsigned wanted, n;
} EchoCudaCondition;

CUresult echo_cuda_condition_add(const EchoCuda *cuda, CUgraphNode *node, CUgraph graph,
                                 const CUgraphNode *after, size_t n_after,
                                 const EchoCudaCondition *condition);
CUresult echo_cuda_condition_set(const EchoCuda *cuda, CUgraphExec exec, CUgraphNode node,
                                 const EchoCudaCondition *condition);
/* Adds a node that runs a graph, empty now, in *body, which is the driver's. */
CUresult echo_cuda_conditional_add(const EchoCuda *cuda, CUgraphNode *node, CUgraph graph,
                                   const CUgraphNode *after, size_t n_after,
                                   CUgraphConditionalHandle handle, CUgraphConditionalNodeType type,
                                   CUgraph *body);

#endif
