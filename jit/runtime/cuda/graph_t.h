/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Instructions of the host program as one CUDA graph, instantiated once and launched as often as
 * they are run. What computes is a chain; a copy to or from the host begins behind what came before
 * it in the chain and is waited for where the program says so. A loop of a known number of trips is
 * its body, repeated, where that is not too long; other control flow is nodes of graphs that run by
 * what the device computes (condition_t.h). The addresses of a run are parameters of the nodes: a
 * run whose buffers lie elsewhere sets those of the nodes that use them. Private to jit/. */
#ifndef ECHO_JIT_RUNTIME_CUDA_GRAPH_T_H
#define ECHO_JIT_RUNTIME_CUDA_GRAPH_T_H

#include "jit/runtime/cuda/code_t.h"
#include "jit/runtime/cuda/condition_t.h"

/* Where things lie in a run, and in which run, counted from 1, they came to lie there: by slot, and
 * in the last place of changed_at the host's memory. */
typedef struct EchoCudaRun {
  EchoContext *ctx;
  EchoCuda *cuda;
  uint64_t number;
  void *const *addresses;
  char *host;
  const uint64_t *changed_at;
  size_t n_slots;
  uint64_t last_change; /* the largest of them */
} EchoCudaRun;

typedef struct EchoCudaNode {
  CUgraphNode node;
  const EchoInstruction *instruction; /* of a loop: the node is its body, once */
  size_t phase;                       /* of a launch; of one that sets a condition: what it wants */
  bool sets_condition;                /* by the instruction's selector */
  CUgraphConditionalHandle handle;    /* which it sets */
} EchoCudaNode;

typedef struct EchoCudaGraph {
  CUgraph graph;
  CUgraphExec exec; /* NULL where there is nothing to do */
  ECHO_VECTOR(EchoCudaNode) nodes;
  uint64_t updated_at; /* the run whose addresses it has */
} EchoCudaGraph;

/* How many of the first instructions one graph can hold: all up to a call of a target or the wait
 * for one, or control flow with such a call in it; without conditional nodes also up to control
 * flow that depends on what the device computes and to a loop that is too long to be repeated. */
size_t echo_cuda_graph_reach(EchoCuda *cuda, const EchoInstruction *instructions, size_t n);
/* Whether a graph of them has conditional nodes. */
bool echo_cuda_graph_has_conditions(const EchoInstruction *instructions, size_t n);

/* Of n instructions within that reach, with the addresses of `run`. False after diagnostics;
 * destroyed by the caller either way. */
bool echo_cuda_graph_create(EchoCudaGraph *graph, const EchoCudaRun *run,
                            const EchoInstruction *instructions, size_t n);
/* Launches it on the compute stream, after setting the addresses that have changed. */
bool echo_cuda_graph_launch(EchoCudaGraph *graph, const EchoCudaRun *run);
void echo_cuda_graph_destroy(EchoCudaGraph *graph, const EchoCuda *cuda);
/* The entry of the first kernel in it, or of the last one. */
const char *echo_cuda_graph_kernel_or_null(const EchoCudaGraph *graph, bool is_first);

#endif
