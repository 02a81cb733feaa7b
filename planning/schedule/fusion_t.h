/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Private to planning/fusion*.c: groups while they are built, and what deciding on them asks for.
 */
#ifndef ECHO_PLANNING_SCHEDULE_FUSION_T_H
#define ECHO_PLANNING_SCHEDULE_FUSION_T_H

#include "planning/schedule/fusion.h"

/* At which index of the group's loop a member is computed. */
typedef enum EchoIndexSpace {
  ECHO_SPACE_FULL, /* the index of the loop: of the roots of a map, of the operands of a reduction
                    */
  ECHO_SPACE_ROW,  /* the index of the reduction's result */
  ECHO_SPACE_OTHER /* derived indices */
} EchoIndexSpace;

typedef struct EchoMembership {
  uint32_t node, group;
  uint32_t next_of_node, next_of_group; /* memberships, ECHO_NONE ends */
  double evaluations;
  uint32_t first_index, n_indices; /* at which it is asked for: as many copies in the code */
  int64_t row_elements;            /* ECHO_SPACE_ROW: elements of a row value */
  EchoIndexSpace space;
  bool is_output;
  bool is_factor; /* in the kernel of a product that reads it, or what is made of it */
} EchoMembership;

typedef struct EchoBuildingGroup {
  EchoGroupKind kind;
  EchoKernelKind kernel; /* of ECHO_GROUP_KERNEL */
  uint32_t root, n_outputs;
  uint32_t n_members;        /* beside constants */
  uint32_t first_member;     /* membership; newest first, so nodes ascend */
  const EchoType *full_type; /* shape of ECHO_SPACE_FULL */
  int64_t row_elements;      /* of the result of its reductions; 0 without one */
  bool has_chain;            /* two products: echo_fuser_find_chain */
  double chip_share;         /* that its product keeps busy; of other kernels all of it */
} EchoBuildingGroup;

typedef struct EchoGroupReader {
  uint32_t group, membership; /* membership ECHO_NONE: the user is no member of a kernel */
} EchoGroupReader;

/* A product that multiplies what others make, whose kernel makes all of that again, so that nobody
 * need write it. */
typedef struct EchoRemake {
  uint32_t second, operand;     /* node; what of it is made of the first products */
  bool has_columns;             /* it multiplies columns of their results, not rows */
  uint32_t first_link, n_links; /* links of the fuser */
  uint32_t deadline; /* node: no one reads what the kernel writes of them before; ECHO_NONE: nor
                        later */
  uint32_t group;    /* ECHO_NONE: not known yet */
  uint32_t family;   /* the first of those that make the same again */
  bool is_valid;
} EchoRemake;

typedef struct EchoRemakeLink {
  uint32_t node, remake;
  uint32_t next_of_node; /* ECHO_NONE ends */
} EchoRemakeLink;

typedef ECHO_VECTOR(uint32_t) EchoNumbers;
typedef ECHO_VECTOR(uint64_t) EchoBytes;

/* Of the fusion that was made last. */
struct EchoFuser {
  const EchoGraph *graph;
  const EchoFusionOptions *options;
  ECHO_VECTOR(EchoBuildingGroup) groups;
  ECHO_VECTOR(EchoMembership) memberships;
  ECHO_VECTOR(uint32_t) indices;        /* of memberships */
  uint32_t n_indices;                   /* made so far */
  ECHO_VECTOR(EchoGroupReader) readers; /* of the present node, sorted by group */
  EchoNumbers first_of_node;            /* by node: its newest membership */
  EchoNumbers n_single_before; /* by node: kernels of their own among the nodes before it */
  EchoNumbers whole;           /* by value: what it is a view of, or itself */
  EchoNumbers last_read;       /* by whole value: where the last kernel runs that reads it or a view
                                  of it, of the nodes decided on so far, which are all behind this one */
  EchoBytes source_bytes;      /* by value: what must be kept for a kernel to make it */
  EchoBytes read_bytes;        /* by value: what a kernel must read to make it */
  EchoNumbers chain_of;        /* by node: the group that it is to join as a part of a chain */
  ECHO_VECTOR(EchoRemake) remakes; /* their second products ascend */
  ECHO_VECTOR(EchoRemakeLink) remake_links;
  EchoNumbers remake_of; /* by node, where there are remakes: the one that it is the second of */
  EchoNumbers link_of;   /* by node, where there are remakes: its newest link */
  EchoNumbers rows_of;   /* by node, where there are remakes: the first one that has whole rows and
                            makes this, one value a row, of them */
  ECHO_VECTOR(bool) is_turned; /* by node: echo_fuser_find_facts */
  ECHO_VECTOR(bool) is_apart;  /* by node: echo_fuser_find_apart */
  ECHO_VECTOR(double)
  apart_bytes;    /* by node that is apart: of an evaluation of what it reads, what
                     is apart itself, in bytes of traffic */
  EchoMap passed; /* barriers with those operands whose result somebody reads */
};

static inline const EchoType *echo_fuser_type(const EchoFuser *fuser, uint32_t node)
{
  return echo_graph_type(fuser->graph, fuser->graph->nodes.data[node].first_result);
}
static inline double echo_fuser_elements(const EchoFuser *fuser, uint32_t node)
{
  return (double)fuser->graph->values.data[fuser->graph->nodes.data[node].first_result].n_elements;
}
/* Whether kernels of that kind are products that end in what maps their elements. */
static inline bool echo_fuses_product(const EchoFusionOptions *options, EchoKernelKind kernel)
{
  bool fuses =
      kernel == ECHO_KERNEL_CONVOLUTION ? options->fuses_convolutions : options->fuses_contractions;
  return fuses && echo_kernel_row(kernel)->is_product;
}
/* The row of a kernel that producers may join; NULL for every other group. */
static inline const EchoKernelRow *echo_fused_row_or_null(const EchoFusionOptions *options,
                                                          EchoGroupKind kind, EchoKernelKind kernel)
{
  const EchoKernelRow *row = echo_kernel_row(kernel);
  bool is_fused = row->is_fused || echo_fuses_product(options, kernel);
  return kind == ECHO_GROUP_KERNEL && is_fused ? row : NULL;
}

/* ---- planning/schedule/fusion_shapes.c ---- */

/* What a reduce is by itself: of rows (trailing dimensions), of columns (leading ones), or else.
 * Dimensions of size 1 count for either. */
EchoKernelKind echo_reduce_kernel_kind(const EchoOp *op);
/* Of broadcast_in_dim: result dimensions are the operand's, in order, at the front of the result or
 * spread over it by size-1 dimensions only, so that the operand's linear index is that of the
 * leading part of the result's. */
bool echo_broadcasts_rows(const EchoOp *op);
/* Of reduce: trailing dimensions, so that a result is made of consecutive elements. */
bool echo_reduces_rows(const EchoOp *op);

/* Of reduce: one operand, combined by one op. */
bool echo_reduces_in_any_order(const EchoOp *op);

/* ---- planning/schedule/fusion_cost.c ---- */

/* Fills what the questions below look up. O(nodes + operands). */
void echo_fuser_prepare_cost(EchoFuser *fuser);
/* The node became a member of a group that runs at `root`. O(operands). */
static inline void echo_fuser_note_reads(EchoFuser *fuser, uint32_t node, uint32_t root)
{
  const EchoGraphNode *entry = &fuser->graph->nodes.data[node];
  const uint32_t *operands = fuser->graph->operands.data + entry->first_operand;
  const uint32_t *end = operands + entry->n_operands;
  for (; operands < end; ++operands) {
    uint32_t *last_read = &fuser->last_read.data[fuser->whole.data[*operands]];
    if (*last_read < root)
      *last_read = root;
  }
}
/* Whether computing the node `evaluations` times inside a kernel costs less than its traffic
 * through memory. */
bool echo_fuser_pays(const EchoFuser *fuser, uint32_t node, double evaluations);
/* Arithmetic of one element of the node, in bytes of traffic. */
double echo_fuser_element_bytes(const EchoFuser *fuser, uint32_t node);
/* Whether putting the node off to where `root` runs holds back no more bytes than it saves. */
bool echo_fuser_may_wait(const EchoFuser *fuser, uint32_t node, uint32_t root);
/* Whether an elementwise node is better computed by each of `n_readers` groups, `evaluations_more`
 * times more than if it were written once; the last of them runs at node `last_reader`.
 * `saves_launch`: who wrote it would have nothing else to do. */
bool echo_fuser_is_worth_repeating(const EchoFuser *fuser, uint32_t node, size_t n_readers,
                                   double evaluations_more, uint32_t last_reader,
                                   bool saves_launch);

/* ---- planning/schedule/fusion_readers.c ---- */

/* What is looked up of each node: `passed`, `is_turned`. O(nodes + operands). */
void echo_fuser_find_facts(EchoFuser *fuser);
/* An operand of a barrier whose result nobody reads only ties the order: it makes no value. */
bool echo_fuser_is_tie(const EchoFuser *fuser, uint32_t user, uint32_t value);
/* Fills `readers` with the memberships of everybody who reads the node; several results (only of
 * nodes that join nothing) are one. The last readers come first: their groups were started first.
 */
void echo_fuser_collect_readers(EchoFuser *fuser, uint32_t node);

/* ---- planning/schedule/fusion_products.c ---- */

/* Whether the node is a product that has maps in its kernel. */
static inline bool echo_fuser_is_product(const EchoFuser *fuser, uint32_t node)
{
  const EchoGraphNode *entry = &fuser->graph->nodes.data[node];
  return entry->kind == ECHO_NODE_SINGLE && entry->n_results == 1 &&
         echo_fuses_product(fuser->options, echo_op_kernel_kind(entry->op));
}
/* Whether elements of `node` may be made as the product `user` brings them to its tiles. */
bool echo_fuser_may_be_factor(const EchoFuser *fuser, uint32_t node, uint32_t user);
/* How many elements of its operand `position` a product asks for: all of them, once for each tile
 * along the other one's rows or columns; `has_whole_rows`: tiles are as low as can be. */
double echo_fuser_factor_evaluations(const EchoFuser *fuser, uint32_t product, uint32_t position,
                                     bool has_whole_rows);
/* The part of a chip that has tiles of a product to make; the whole where that is not known. */
double echo_fuser_chip_share(const EchoFuser *fuser, uint32_t product);
/* Whether blocks make whole rows of a product where it has `n_rows` of them: a row's elements meet
 * in one block's shared memory, for what reduces them. */
bool echo_fuser_has_whole_rows(const EchoFuser *fuser, uint32_t product, int64_t n_rows);
/* How many rows operand `operand` of a product has, over all batches; 0: it is not known. */
int64_t echo_fuser_factor_rows(const EchoFuser *fuser, uint32_t product, uint32_t operand);
/* Arithmetic of one element, in bytes of traffic, with what rounding of bf16 takes. */
double echo_fuser_arithmetic_bytes(const EchoFuser *fuser, uint32_t node);
/* A product of which operand `operand` is made of another's `n_rows` rows. */
typedef struct EchoRowProducts {
  uint32_t first, second, operand;
  int64_t n_rows;
  double between_bytes; /* arithmetic in between, in bytes of traffic */
  bool is_written;      /* in any case, for others */
} EchoRowProducts;
/* Bytes of shared memory that as many whole rows take of the product's result as the least tile
 * has, or columns. */
double echo_fuser_row_tile_bytes(const EchoFuser *fuser, uint32_t product, bool has_columns);
/* Batch, rows and columns of a product's result; false: they are not known. */
bool echo_fuser_result_sizes(const EchoFuser *fuser, uint32_t product, double sizes[3]);
/* What the product's arithmetic takes, in bytes of traffic: on as much of the chip as its tiles
 * fill, or with whole rows of `first`, or columns, a block. */
double echo_fuser_product_bytes(const EchoFuser *fuser, uint32_t product);
double echo_fuser_product_bytes_of_rows(const EchoFuser *fuser, uint32_t product, uint32_t first,
                                        bool has_columns);
/* Whether the same kind of threads makes rows of `first` and multiplies them for `second`. */
bool echo_fuser_multiply_alike(const EchoOp *first, const EchoOp *second);
/* Whether blocks that have rows of the first one whole do better to multiply them than to have them
 * go through memory to the second one. */
bool echo_fuser_rows_pay(const EchoFuser *fuser, const EchoRowProducts *products);
/* Where products have maps in their kernels: maps of what is in memory anyway, by which no other
 * kernel comes that could write them: without them there is a launch less. O(nodes + operands). */
void echo_fuser_find_apart(EchoFuser *fuser);
/* echo_fuser_pays of what a product reads, or of what that is made of: what is repeated is read
 * again, too. `is_brought`: the product itself reads the node, whose elements pass through
 * registers then. */
bool echo_fuser_factor_pays(const EchoFuser *fuser, uint32_t node, uint32_t group,
                            double evaluations, bool is_brought);
/* Whether what a product reads through the member, of its kernel, lies in memory as what the member
 * reads: it is copied from there. */
bool echo_fuser_is_factor_view(const EchoFuser *fuser, const EchoMembership *member);

/* ---- planning/schedule/fusion_chains.c ---- */

/* Whether another product, and all that is made of its result, go into the kernel of `product`, the
 * group that it is in: rows stay where they are made, and nobody reads any of them before they are
 * written. Then each of these nodes has the group in `chain_of`. O(nodes of the chain, squared:
 * some ten). */
bool echo_fuser_find_chain(EchoFuser *fuser, uint32_t product, uint32_t group);

/* ---- planning/schedule/fusion_remakes.c ---- */

/* Finds the products whose kernels make again what they multiply, and all that is made on the way:
 * where the large values in between (scores and weights of attention, and their gradients) are then
 * nowhere in memory. O(products * nodes in between, some ten of them). */
void echo_fuser_find_remakes(EchoFuser *fuser);
/* Whether the node is the second product of one, whose kernel is its own. */
static inline bool echo_fuser_makes_again(const EchoFuser *fuser, uint32_t node)
{
  uint32_t number = fuser->remakes.size == 0 ? ECHO_NONE : fuser->remake_of.data[node];
  return number != ECHO_NONE && fuser->remakes.data[number].is_valid;
}
/* NULL: the node is no second product of one. */
static inline EchoRemake *echo_fuser_remake_or_null(EchoFuser *fuser, uint32_t node)
{
  return echo_fuser_makes_again(fuser, node) ? &fuser->remakes.data[fuser->remake_of.data[node]]
                                             : NULL;
}
/* Whether a remake has the node in its kernel, before the second product. */
bool echo_fuser_is_remade(const EchoFuser *fuser, uint32_t node);

/* ---- planning/schedule/fusion_finish.c ---- */

/* Fills the lists of `fusion`, whose room is used again. Groups were started from the last root to
 * the first. O(members + their operands + values). */
void echo_fuser_finish(const EchoFuser *fuser, EchoFusion *fusion);

/* ---- planning/schedule/fusion_siblings.c ---- */

/* Makes one group of the last two where both update the same state, and says whether it did.
 * O(members + inputs of both). */
bool echo_fusion_join_last(const EchoGraph *graph, const EchoFusionOptions *options,
                           EchoFusion *fusion);

#endif
