/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A straight-line block as plain numbers: what the planners of order, fusion, storage and recompute
 * work on. The invariant: operands of a node are defined by earlier nodes or are inputs, and
 * numbers follow block order, so that no decision can depend on an address. Not the IR: a graph may
 * hold clones that no op stands for yet. */
#ifndef ECHO_PLANNING_SCHEDULE_GRAPH_H
#define ECHO_PLANNING_SCHEDULE_GRAPH_H

#include "base/vector.h"
#include "dialects/kernel/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ECHO_NONE UINT32_MAX

/* How a node may be carried out. */
typedef enum EchoNodeKind {
  ECHO_NODE_CONSTANT, /* a constant that can live inside kernels: one distinct element, or at most
                         16 */
  ECHO_NODE_BLOB,     /* any other constant: read-only data beside the arena */
  ECHO_NODE_MAP,      /* each result element from operand elements: may join a kernel */
  ECHO_NODE_RESHAPE,  /* a map that is also a view: the same bytes under another shape */
  ECHO_NODE_BARRIER,  /* result i is operand i; nothing is merged across it */
  ECHO_NODE_REDUCE,   /* combines elements along dimensions: may join a kernel with its producers */
  ECHO_NODE_SINGLE,   /* a kernel of its own */
  ECHO_NODE_CONTROL,  /* runs regions */
  ECHO_NODE_RETURN,   /* ends the block: its operands are the block's results */
  ECHO_N_NODE_KINDS
} EchoNodeKind;

/* Of a training step, as echo.phase marks it on an op. A generated kernel's phases are its parallel
 * loops (codegen/codegen.h). */
typedef enum EchoPhase { ECHO_FORWARD, ECHO_BACKWARD, ECHO_UPDATE, ECHO_NO_PHASE } EchoPhase;

typedef struct EchoGraphNode {
  const EchoOp *op; /* what it is, or what it is a clone of; NULL for barriers that echo adds */
  uint32_t first_operand,
      n_operands; /* in graph->operands; captured values follow the op's own operands */
  uint32_t first_result, n_results; /* values, consecutive */
  EchoNodeKind kind;
  EchoPhase phase;
  bool is_free : 1;        /* echo_node_is_free_to_remake */
  bool is_elementwise : 1; /* the op's traits: ECHO_ELEMENTWISE, */
  bool is_update : 1;      /* ECHO_UPDATES, */
  bool is_heavy : 1;       /* ECHO_HEAVY */
  bool is_uniform : 1;     /* elementwise, and all operands have the shape of the result */
  bool is_broadcast : 1;   /* broadcast_in_dim */
  bool has_effect : 1;     /* stands even if nobody reads it */
  bool is_chain : 1;       /* its own kernel has lanes where cost.n_side_by_side says so */
  bool is_transposing : 1; /* its last dimension is not its operand's */
  bool is_clone : 1;       /* a recomputed copy of `op` */
  bool is_new : 1;         /* added by a planner: the IR does not hold it yet */
  bool is_noted : 1;       /* copies of the node are, too */
  uint32_t origin; /* the node's number in the graph that it was first added to: copies have it,
                      too; ECHO_NONE for barriers that echo adds */
  uint64_t key;    /* of the op's name and its results' types: no order, no address */
  uint64_t inner_bytes; /* control: what its regions hold at most beside what stands outside */
  uint64_t inner_ns;    /* control: what its regions take, all trips of a loop together */
  const struct EchoBranchTakes *takes; /* of a branch whose regions' kernels are found
                                          (branch.h); NULL: not known */
  double noted_ns; /* where is_noted: what echo_node_ns found (echo_graph_note_ns) */
  EchoCost cost;   /* of the op; zero for control, whose regions are measured by themselves */
} EchoGraphNode;

typedef struct EchoGraphValue {
  const EchoValue *value; /* for its type and location; a clone's value is the original's */
  uint64_t bytes;
  int64_t n_elements;
  uint32_t def;               /* node, or ECHO_NONE: an input of the block */
  uint32_t index;             /* result number, or number of the block's argument */
  uint32_t first_use, n_uses; /* in graph->uses, once the graph is finished */
  bool is_captured;           /* defined outside the block */
} EchoGraphValue;

typedef struct EchoGraph {
  ECHO_VECTOR(EchoGraphNode) nodes;
  ECHO_VECTOR(EchoGraphValue) values;
  ECHO_VECTOR(uint32_t) operands; /* value numbers */
  ECHO_VECTOR(uint32_t) uses;     /* user nodes by value, ascending, one for each operand */
  uint32_t n_inputs; /* values [0, n_inputs): arguments in order, then captured values */
  uint32_t n_arguments;
} EchoGraph;

static inline const uint32_t *echo_graph_operands(const EchoGraph *graph, uint32_t node)
{
  return graph->operands.data + graph->nodes.data[node].first_operand;
}
static inline const uint32_t *echo_graph_uses(const EchoGraph *graph, uint32_t value)
{
  return graph->uses.data + graph->values.data[value].first_use;
}
static inline const EchoType *echo_graph_type(const EchoGraph *graph, uint32_t value)
{
  return graph->values.data[value].value->type;
}

/* ---- from the IR ---- */

/* The graph of a block with static shapes; ops keep block order. An op is one node, whose operands
 * include what its regions capture. Destroy with echo_graph_destroy. O(ops + operands). */
void echo_graph_create(EchoGraph *graph, const EchoBlock *block);
void echo_graph_destroy(EchoGraph *graph);
/* False, with errors at the ops, when a value of the block is no tensor or has no static number of
 * bytes. */
bool echo_graph_check_static(const EchoBlock *block);

/* The number of the input that `value` is; `otherwise` where it is none, or NULL. O(inputs). */
uint32_t echo_graph_input_or(const EchoGraph *graph, const EchoValue *value, uint32_t otherwise);

/* ---- by hand ---- */

/* Inputs come first, then nodes in order; finish computes the uses. A zero-initialised graph is
 * empty. */
uint32_t echo_graph_add_input(EchoGraph *graph, const EchoValue *value, bool is_captured);
/* Adds a node with results like those of `like` (NULL: none); returns it. Its results are
 * first_result onwards. */
uint32_t echo_graph_add_node(EchoGraph *graph, const EchoOp *like, EchoNodeKind kind,
                             const uint32_t *operands, size_t n_operands);
/* A barrier over values: result i like operand i. */
uint32_t echo_graph_add_barrier(EchoGraph *graph, const uint32_t *operands, size_t n_operands);
/* Adds `node` of `from` with these operands, as many as it has there: same op, results and facts.
 */
uint32_t echo_graph_add_copy(EchoGraph *graph, const EchoGraph *from, uint32_t node,
                             const uint32_t *operands);
/* An empty graph with the inputs of `like` and room for what else it holds. `graph` is
 * zero-initialised, or was one before: its room is used again. */
void echo_graph_create_like(EchoGraph *graph, const EchoGraph *like);
void echo_graph_finish(EchoGraph *graph);
/* Makes `copy`, as create_like does: the same nodes and values under the same numbers. */
void echo_graph_copy(const EchoGraph *graph, EchoGraph *copy);
/* Makes `permuted`, as create_like does: the nodes of a finished graph numbered in this order.
 * Finished, too. */
void echo_graph_permute(const EchoGraph *graph, const uint32_t *order, EchoGraph *permuted);

/* Of all that a copy of the graph from the IR may differ in: nodes, operands and what its control
 * nodes come to. O(nodes + operands). */
uint64_t echo_graph_hash(const EchoGraph *graph);
/* Of the constants that stand beside the arena. O(nodes). */
uint64_t echo_graph_constant_bytes(const EchoGraph *graph);

/* ---- what is free to remake ---- */

/* Whether every kernel that reads the node's result makes it anew for nothing, so that it takes no
 * room and no time of its own: constants that live inside kernels, views, and maps of at most one
 * operand that only repeat or rename what they read (iota, broadcast_in_dim, conversions to a type
 * no narrower). The one meaning of it: fusion, order and recompute ask here. */
bool echo_op_is_free_to_remake(const EchoOp *op); /* O(1) */
static inline bool echo_node_is_free_to_remake(const EchoGraph *graph, uint32_t node)
{
  return graph->nodes.data[node].is_free;
}
/* Free to remake, and from constants alone: nothing has to stay alive for it. */
bool echo_node_is_made_of_constants(const EchoGraph *graph, uint32_t node);

/* ---- what an op is ---- */

EchoNodeKind echo_op_node_kind(const EchoOp *op);
EchoPhase echo_op_phase(const EchoOp *op); /* attribute echo.phase */
/* The kind of kernel that a node makes by itself. */
EchoKernelKind echo_op_kernel_kind(const EchoOp *op);
/* Whether a loop hands its carried value `index` on as it is: then its result is its initial value.
 */
bool echo_loop_is_invariant(const EchoOp *loop, size_t index);
/* Values from outside that the regions of `op` read, each once, in order of first use; the caller
 * frees it with echo_free. */
const EchoValue **echo_op_captures(const EchoOp *op, size_t *n_captures);

#ifdef __cplusplus
}
#endif

#endif
