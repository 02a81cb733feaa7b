/* Fusion by cost, from the last node to the first: a node joins the groups of its consumers where
 * that saves more traffic than it repeats arithmetic; what does not join starts a group of its own.
 *
 *   collect   who reads the node: memberships of its users, sorted by group
 *   judge     may it join this group, at which indices is it needed there, how often is it computed
 *   settle    join all, join some and be written by one of them, or stand alone
 *   finish    groups in order, with members, inputs and outputs */
#include "planning/fusion.h"

#include "base/map.h"
#include "dialects/stablehlo/attributes.h"
#include "dialects/stablehlo/opcode.h"

#include <stdlib.h>

#define MAX_MEMBERS 128
#define MAX_OUTPUTS 16
/* At which index of the group's loop a member is computed. */
typedef enum Space {
  SPACE_FULL, /* the index of the loop: of the roots of a map, of the operands of a reduction */
  SPACE_ROW,  /* the index of the reduction's result */
  SPACE_OTHER /* derived indices */
} Space;

typedef struct Membership {
  uint32_t node, group;
  uint32_t next_of_node, next_of_group; /* memberships, ECHO_NONE ends */
  double evaluations;
  int64_t row_elements; /* SPACE_ROW: elements of a row value */
  Space space;
  bool is_output;
} Membership;

typedef struct Building {
  EchoGroupKind kind;
  uint32_t root, n_members, n_outputs;
  uint32_t first_member;     /* membership; newest first, so nodes ascend */
  const EchoType *full_type; /* shape of SPACE_FULL */
  int64_t row_elements;      /* of the result of its reductions; 0 without one */
} Building;

typedef struct Reader {
  uint32_t group, membership; /* membership ECHO_NONE: the user is no member of a kernel */
} Reader;

typedef struct Fuser {
  const EchoGraph *graph;
  const EchoFusionOptions *options;
  ECHO_VECTOR(Building) groups;
  ECHO_VECTOR(Membership) memberships;
  ECHO_VECTOR(Reader) readers; /* of the present node, sorted by group */
  uint32_t *first_of_node;     /* by node: its newest membership */
  uint32_t *n_single_before;   /* by node: kernels of their own among the nodes before it */
  uint64_t *source_bytes;      /* by value: what must be kept for a kernel to make it */
  uint64_t *read_bytes;        /* by value: what a kernel must read to make it */
} Fuser;

/* How a node would join a group. */
typedef struct Join {
  bool can, becomes_reduction;
  Space space;
  double evaluations;
  int64_t row_elements;
} Join;

/* ---- shapes ---- */

static const EchoType *node_type(const Fuser *fuser, uint32_t node)
{
  return echo_graph_type(fuser->graph, fuser->graph->nodes.data[node].first_result);
}

static double n_elements(const EchoType *type)
{
  return (double)echo_type_static_n_elements(type);
}

static bool same_dims(const EchoType *a, const EchoType *b)
{
  if (echo_type_rank(a) != echo_type_rank(b))
    return false;
  for (size_t i = 0; i < echo_type_rank(a); ++i)
    if (echo_type_dim(a, i) != echo_type_dim(b, i))
      return false;
  return true;
}

typedef enum ReduceShape { REDUCE_ROWS, REDUCE_COLUMNS, REDUCE_OTHER } ReduceShape;

/* Trailing dimensions, leading dimensions, or neither. Dimensions of size 1 count for either. */
static ReduceShape reduce_shape(const EchoOp *op)
{
  EchoDimList dims = echo_stablehlo_dims(op, "dimensions");
  const EchoType *operand = echo_op_operand_type(op, 0);
  bool is_trailing = true, is_leading = true, seen_kept = false, seen_reduced = false;
  for (size_t i = 0; i < echo_type_rank(operand); ++i) {
    bool is_reduced = echo_dim_list_has(dims, (int64_t)i);
    if (echo_type_dim(operand, i) == 1)
      continue;
    if (is_reduced && seen_kept)
      is_leading = false;
    if (!is_reduced && seen_reduced)
      is_trailing = false;
    seen_reduced |= is_reduced;
    seen_kept |= !is_reduced;
  }
  return is_trailing ? REDUCE_ROWS : is_leading ? REDUCE_COLUMNS : REDUCE_OTHER;
}

static EchoGroupKind reduce_group_kind(const EchoOp *op)
{
  static const EchoGroupKind KINDS[] = {ECHO_GROUP_ROW_REDUCE, ECHO_GROUP_COLUMN_REDUCE,
                                        ECHO_GROUP_REDUCE};
  return KINDS[reduce_shape(op)];
}

/* Result dimensions are the operand's, in order, at the front of the result or spread over it by
 * size-1 dimensions only: the operand's linear index is that of the leading part of the result's.
 */
static bool broadcasts_rows(const EchoOp *op)
{
  EchoDimList dims = echo_stablehlo_dims(op, "broadcast_dimensions");
  const EchoType *operand = echo_op_operand_type(op, 0), *result = echo_op_result_type(op, 0);
  size_t next = 0; /* result dimensions below are matched */
  for (size_t i = 0; i < dims.size; ++i) {
    int64_t size = echo_type_dim(operand, i);
    if (size == 1)
      continue;
    size_t target = (size_t)dims.dims[i];
    if (target < next || echo_type_dim(result, target) != size)
      return false;
    for (; next < target; ++next)
      if (echo_type_dim(result, next) != 1)
        return false;
    next = target + 1;
  }
  return true;
}

/* ---- judging ---- */

static Space space_through_broadcast(const EchoOp *op, const Membership *user,
                                     const Building *group, int64_t *row_elements)
{
  if (echo_hlo_opcode(op) != ECHO_HLO_BROADCAST_IN_DIM || !broadcasts_rows(op))
    return SPACE_OTHER;
  int64_t elements = echo_type_static_n_elements(echo_op_operand_type(op, 0));
  if (user->space == SPACE_ROW && elements != user->row_elements)
    return SPACE_OTHER;
  if (user->space == SPACE_OTHER || (group->row_elements != 0 && elements != group->row_elements))
    return SPACE_OTHER;
  *row_elements = elements;
  return SPACE_ROW;
}

/* Adds what one user asks of operand `position`. */
static void judge_use(const Fuser *fuser, const Membership *user, uint32_t position, bool is_first,
                      double *shared, Join *join)
{
  const EchoGraphNode *node = &fuser->graph->nodes.data[user->node];
  const Building *group = &fuser->groups.data[user->group];
  const EchoOp *op = node->op;
  const EchoType *operand = echo_op_operand_type(op, position),
                 *result = echo_op_result_type(op, 0);
  Space space = SPACE_OTHER;
  int64_t row_elements = 0;
  double evaluations = user->evaluations;
  bool is_shared = false;
  if (node->kind == ECHO_NODE_REDUCE) {
    if (position < op->n_results) {
      space = SPACE_FULL;
      evaluations *= n_elements(operand) / (n_elements(result) > 0 ? n_elements(result) : 1);
    }
  } else if (echo_op_has_trait(op, ECHO_ELEMENTWISE) && same_dims(operand, result)) {
    space = user->space;
    row_elements = user->row_elements;
    is_shared = true;
  } else if (node->kind == ECHO_NODE_RESHAPE) {
    space = user->space == SPACE_ROW ? SPACE_ROW : SPACE_OTHER;
    row_elements = user->row_elements;
    is_shared = true;
  } else {
    space = space_through_broadcast(op, user, group, &row_elements);
    if (n_elements(operand) < n_elements(result) &&
        echo_hlo_opcode(op) != ECHO_HLO_BROADCAST_IN_DIM)
      evaluations *=
          n_elements(operand) / n_elements(result); /* a part of a concatenation or pad */
  }
  if (is_first) {
    join->space = space;
    join->row_elements = row_elements;
  } else if (join->space != space || join->row_elements != row_elements) {
    join->space = SPACE_OTHER;
  }
  if (is_shared)
    *shared = *shared > evaluations ? *shared : evaluations;
  else
    join->evaluations += evaluations;
}

/* A reduction stands before maps of its own rows (softmax, layer norm) or of its own results. */
static bool reduce_can_join(const Fuser *fuser, uint32_t node, const Building *group, Join *join)
{
  const EchoOp *op = fuser->graph->nodes.data[node].op;
  const EchoType *operand = echo_op_operand_type(op, 0);
  ReduceShape shape = reduce_shape(op);
  int64_t rows = echo_type_static_n_elements(echo_op_result_type(op, 0));
  if (op->n_results != 1 || shape == REDUCE_OTHER || rows == 0)
    return false;
  if (group->kind == ECHO_GROUP_MAP && join->space == SPACE_FULL) {
    join->becomes_reduction = true; /* only maps of its results behind it */
    return true;
  }
  if (shape != REDUCE_ROWS || join->space != SPACE_ROW || join->row_elements != rows ||
      !same_dims(operand, group->full_type))
    return false;
  if (group->kind == ECHO_GROUP_MAP) {
    join->becomes_reduction = true;
    return true;
  }
  return group->kind == ECHO_GROUP_ROW_REDUCE && group->row_elements == rows;
}

static bool is_kernel_kind(EchoGroupKind kind)
{
  return kind <= ECHO_GROUP_REDUCE;
}

/* Bytes of traffic that repeating the node's arithmetic takes, against what joining saves. */
static bool pays(const Fuser *fuser, uint32_t node, double evaluations)
{
  const EchoOp *op = fuser->graph->nodes.data[node].op;
  const EchoType *type = node_type(fuser, node);
  double elements = n_elements(type);
  if (elements == 0 || evaluations <= elements)
    return true;
  EchoCost cost;
  echo_op_cost(op, &cost);
  double each = (cost.flops * fuser->options->flop_bytes +
                 cost.transcendentals * fuser->options->transcendental_bytes) /
                elements;
  if (echo_op_has_trait(op, ECHO_MOVEMENT) || echo_op_has_trait(op, ECHO_CONSTANT))
    each = 0;
  double saved = 2 * (double)echo_type_static_bytes(type) + fuser->options->launch_bytes;
  return (evaluations - elements) * each <= saved;
}

/* Joining puts the node off to where its group runs. That must not hold back more than it saves:
 * what the node reads lives on until then, what it makes comes later. Where no other kernel of
 * weight runs in between, it makes no difference. */
static bool may_wait(const Fuser *fuser, uint32_t node, uint32_t root)
{
  const EchoGraph *graph = fuser->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  if (fuser->n_single_before[root] == fuser->n_single_before[node + 1])
    return true;
  uint64_t kept = 0;
  for (uint32_t i = 0; i < entry->n_operands; ++i) {
    uint32_t value = echo_graph_operands(graph, node)[i];
    const EchoGraphValue *operand = &graph->values.data[value];
    if (echo_graph_uses(graph, value)[operand->n_uses - 1] < root)
      kept += fuser->source_bytes[value];
  }
  return kept <= graph->values.data[entry->first_result].bytes;
}

/* Readers [begin, end) are of one group. */
static Join judge(const Fuser *fuser, uint32_t node, size_t begin, size_t end)
{
  Join join = {0};
  const Reader *readers = fuser->readers.data;
  if (readers[begin].membership == ECHO_NONE)
    return join;
  const Building *group = &fuser->groups.data[readers[begin].group];
  const EchoGraphNode *entry = &fuser->graph->nodes.data[node];
  if (group->kind == ECHO_GROUP_SINGLE && entry->kind == ECHO_NODE_CONSTANT)
    join.can =
        echo_type_rank(node_type(fuser, node)) == 0; /* initial values of windows and scatters */
  if (!is_kernel_kind(group->kind) || group->n_members >= fuser->options->max_members)
    return join;
  double shared = 0;
  bool is_first = true;
  for (size_t i = begin; i < end; ++i) {
    const Membership *user = &fuser->memberships.data[readers[i].membership];
    const EchoGraphNode *reading = &fuser->graph->nodes.data[user->node];
    if (reading->kind == ECHO_NODE_REDUCE && reading->n_results != 1 &&
        entry->kind != ECHO_NODE_CONSTANT)
      return join;
    for (uint32_t k = 0; k < reading->n_operands; ++k)
      if (echo_graph_operands(fuser->graph, user->node)[k] == entry->first_result) {
        judge_use(fuser, user, k, is_first, &shared, &join);
        is_first = false;
      }
  }
  join.evaluations += shared;
  if (entry->kind == ECHO_NODE_CONSTANT) {
    join.can = true;
    return join;
  }
  if (entry->kind == ECHO_NODE_REDUCE && !reduce_can_join(fuser, node, group, &join))
    return join;
  /* A value of the row is computed once a row. */
  bool is_row = join.space == SPACE_ROW && join.row_elements == group->row_elements;
  if (is_row || entry->kind == ECHO_NODE_REDUCE)
    join.evaluations = n_elements(node_type(fuser, node));
  join.can = may_wait(fuser, node, group->root) && pays(fuser, node, join.evaluations);
  return join;
}

/* ---- settling ---- */

static uint32_t add_membership(Fuser *fuser, uint32_t node, uint32_t group, const Join *join)
{
  Building *building = &fuser->groups.data[group];
  Membership membership = {.node = node,
                           .group = group,
                           .next_of_node = fuser->first_of_node[node],
                           .next_of_group = building->first_member,
                           .evaluations = join->evaluations,
                           .space = join->space,
                           .row_elements = join->row_elements};
  echo_vector_push(&fuser->memberships, membership);
  uint32_t number = (uint32_t)fuser->memberships.size - 1;
  fuser->first_of_node[node] = number;
  building->first_member = number;
  ++building->n_members;
  return number;
}

/* What was the loop's index becomes the row's: the group now loops over the reduction's operand. */
static void become_reduction(Fuser *fuser, Building *group, const EchoOp *reduce, Join *join)
{
  group->kind = reduce_group_kind(reduce);
  group->row_elements = echo_type_static_n_elements(echo_op_result_type(reduce, 0));
  if (join->space != SPACE_FULL)
    return;
  group->full_type = echo_op_operand_type(reduce, 0);
  join->space = SPACE_ROW;
  join->row_elements = group->row_elements;
  for (uint32_t i = group->first_member; i != ECHO_NONE;
       i = fuser->memberships.data[i].next_of_group) {
    Membership *member = &fuser->memberships.data[i];
    if (member->space == SPACE_FULL) {
      member->space = SPACE_ROW;
      member->row_elements = group->row_elements;
    } else {
      member->space = SPACE_OTHER;
    }
  }
}

static void join_group(Fuser *fuser, uint32_t node, uint32_t group, Join *join, bool is_output)
{
  if (join->becomes_reduction)
    become_reduction(fuser, &fuser->groups.data[group], fuser->graph->nodes.data[node].op, join);
  uint32_t membership = add_membership(fuser, node, group, join);
  fuser->memberships.data[membership].is_output = is_output;
  fuser->groups.data[group].n_outputs += is_output;
}

static EchoGroupKind own_kind(const Fuser *fuser, uint32_t node)
{
  const EchoGraphNode *entry = &fuser->graph->nodes.data[node];
  switch (entry->kind) {
  case ECHO_NODE_CONSTANT:
  case ECHO_NODE_MAP:
    return ECHO_GROUP_MAP;
  case ECHO_NODE_RESHAPE:
  case ECHO_NODE_BARRIER:
    return ECHO_GROUP_VIEW;
  case ECHO_NODE_REDUCE:
    return reduce_group_kind(entry->op);
  case ECHO_NODE_BLOB:
    return ECHO_GROUP_BLOB;
  case ECHO_NODE_SINGLE:
    return ECHO_GROUP_SINGLE;
  case ECHO_NODE_CONTROL:
    return ECHO_GROUP_CONTROL;
  case ECHO_NODE_RETURN:
    return ECHO_GROUP_RETURN;
  case ECHO_N_NODE_KINDS:
    break;
  }
  ECHO_UNREACHABLE("a node without a kind");
}

static void start_group(Fuser *fuser, uint32_t node)
{
  const EchoGraphNode *entry = &fuser->graph->nodes.data[node];
  Building group = {
      .kind = own_kind(fuser, node), .root = node, .first_member = ECHO_NONE, .n_outputs = 1};
  Join join = {.can = true, .space = SPACE_FULL};
  if (group.kind <= ECHO_GROUP_REDUCE) {
    group.full_type = node_type(fuser, node);
    join.evaluations = n_elements(group.full_type);
  }
  if (entry->kind == ECHO_NODE_REDUCE) {
    group.row_elements = echo_type_static_n_elements(group.full_type);
    group.full_type = echo_op_operand_type(entry->op, 0);
    join.space = SPACE_ROW;
    join.row_elements = group.row_elements;
  }
  echo_vector_push(&fuser->groups, group);
  uint32_t membership = add_membership(fuser, node, (uint32_t)fuser->groups.size - 1, &join);
  fuser->memberships.data[membership].is_output = true;
}

/* Whether a kernel of this kind may write the value of such a member beside its roots. */
static bool can_write(const Building *group, const EchoType *type, const Join *join)
{
  if (group->n_outputs >= MAX_OUTPUTS)
    return false;
  bool is_full = join->space == SPACE_FULL && same_dims(type, group->full_type);
  bool is_row = join->space == SPACE_ROW && group->row_elements == join->row_elements &&
                group->row_elements != 0;
  switch (group->kind) {
  case ECHO_GROUP_MAP:
    return is_full && !join->becomes_reduction;
  case ECHO_GROUP_ROW_REDUCE:
    return is_full || is_row;
  case ECHO_GROUP_COLUMN_REDUCE:
    return is_row;
  default:
    return false;
  }
}

/* Made by every kernel that reads it, whatever else: constants, and what only spreads or renames
 * what is there. */
static bool is_spread(const EchoGraph *graph, uint32_t node)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  if (entry->kind == ECHO_NODE_CONSTANT || entry->kind == ECHO_NODE_RESHAPE)
    return true;
  if (entry->kind != ECHO_NODE_MAP || entry->n_operands > 1)
    return false;
  if (entry->n_operands == 0)
    return true;
  EchoHloOpcode opcode = echo_hlo_opcode(entry->op);
  uint64_t read = graph->values.data[echo_graph_operands(graph, node)[0]].bytes;
  return read <= graph->values.data[entry->first_result].bytes &&
         (opcode == ECHO_HLO_CONVERT || opcode == ECHO_HLO_BROADCAST_IN_DIM);
}

/* Arithmetic of one element, in bytes of traffic. */
static double element_bytes(const Fuser *fuser, uint32_t node)
{
  EchoCost cost;
  echo_op_cost(fuser->graph->nodes.data[node].op, &cost);
  double elements = n_elements(node_type(fuser, node));
  double bytes = cost.flops * fuser->options->flop_bytes +
                 cost.transcendentals * fuser->options->transcendental_bytes;
  return elements > 0 ? bytes / elements : 0;
}

static bool is_elementwise(const EchoGraph *graph, uint32_t node)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  return entry->kind == ECHO_NODE_MAP && echo_op_has_trait(entry->op, ECHO_ELEMENTWISE);
}

/* Computing an element costs no more than reading it. */
static bool is_simple(const Fuser *fuser, uint32_t node)
{
  return is_elementwise(fuser->graph, node) &&
         element_bytes(fuser, node) <= (double)echo_type_element_bytes(node_type(fuser, node));
}

/* A value that kernels can make themselves needs no more than what it is made of. Arguments are
 * there anyway: they are read, but nothing is kept for them. */
static void find_sources(Fuser *fuser)
{
  const EchoGraph *graph = fuser->graph;
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    const EchoGraphValue *value = &graph->values.data[v];
    bool is_argument = value->def == ECHO_NONE && !value->is_captured;
    fuser->source_bytes[v] = is_argument ? 0 : value->bytes;
    fuser->read_bytes[v] = value->bytes;
    if (value->def == ECHO_NONE || (!is_spread(graph, value->def) && !is_simple(fuser, value->def)))
      continue;
    uint64_t kept = 0, read = 0;
    for (uint32_t i = 0; i < graph->nodes.data[value->def].n_operands; ++i) {
      uint32_t operand = echo_graph_operands(graph, value->def)[i];
      kept += fuser->source_bytes[operand];
      read += fuser->read_bytes[operand];
    }
    fuser->source_bytes[v] = kept < value->bytes ? kept : value->bytes;
    fuser->read_bytes[v] = read < value->bytes ? read : value->bytes;
  }
}

/* Whether an elementwise node is better computed by each of its readers than written once: it must
 * not keep more alive than it makes, and the traffic saved must be worth the arithmetic. `readers`:
 * groups that would compute it. */
static bool is_worth_repeating(const Fuser *fuser, uint32_t node, size_t n_readers,
                               double evaluations, uint32_t last_reader)
{
  const EchoGraph *graph = fuser->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  if (!is_elementwise(graph, node))
    return false;
  uint64_t made = graph->values.data[entry->first_result].bytes, kept = 0;
  double read = 0;
  for (uint32_t i = 0; i < entry->n_operands; ++i) {
    uint32_t value = echo_graph_operands(graph, node)[i];
    const EchoGraphValue *operand = &graph->values.data[value];
    read += (double)fuser->read_bytes[value];
    if (echo_graph_uses(graph, value)[operand->n_uses - 1] < last_reader)
      kept += fuser->source_bytes[value];
  }
  if (kept > made + made / 16)
    return false;
  double elements = n_elements(node_type(fuser, node)), readers = (double)n_readers;
  double saved = read + (double)made * (1 + readers) - read * readers;
  return (evaluations - elements) * element_bytes(fuser, node) <=
         saved + fuser->options->launch_bytes;
}

static int compare_readers(const void *a, const void *b)
{
  const Reader *x = a, *y = b;
  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  return x->membership < y->membership ? -1 : x->membership > y->membership;
}

/* An operand of a barrier whose result nobody reads only ties the order: it makes no value. */
static bool is_tie(const EchoGraph *graph, uint32_t user, uint32_t value)
{
  const EchoGraphNode *entry = &graph->nodes.data[user];
  if (entry->kind != ECHO_NODE_BARRIER)
    return false;
  for (uint32_t i = 0; i < entry->n_operands; ++i)
    if (echo_graph_operands(graph, user)[i] == value &&
        graph->values.data[entry->first_result + i].n_uses != 0)
      return false;
  return true;
}

/* The memberships of everybody who reads the node; several results (only of nodes that join
 * nothing) are one. */
static void collect_readers(Fuser *fuser, uint32_t node)
{
  const EchoGraph *graph = fuser->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  echo_vector_clear(&fuser->readers);
  for (uint32_t r = 0; r < entry->n_results; ++r) {
    uint32_t value = entry->first_result + r, previous = ECHO_NONE;
    for (uint32_t i = 0; i < graph->values.data[value].n_uses; ++i) {
      uint32_t user = echo_graph_uses(graph, value)[i];
      if (user == previous || is_tie(graph, user, value))
        continue;
      previous = user;
      for (uint32_t m = fuser->first_of_node[user]; m != ECHO_NONE;
           m = fuser->memberships.data[m].next_of_node) {
        Reader reader = {fuser->memberships.data[m].group, m};
        echo_vector_push(&fuser->readers, reader);
      }
    }
  }
  if (fuser->readers.size > 1)
    qsort(fuser->readers.data, fuser->readers.size, sizeof(Reader), compare_readers);
}

/* One group with how the node would join it. */
typedef struct Offer {
  uint32_t group;
  Join join;
} Offer;

typedef struct Offers {
  ECHO_VECTOR(Offer) list;
  bool all_can;
  double evaluations; /* all together */
  uint32_t earliest;  /* the group that runs first of all that read the node */
  uint32_t last_root; /* where the last of them runs */
} Offers;

static void gather_offers(Fuser *fuser, uint32_t node, Offers *offers)
{
  echo_vector_clear(&offers->list);
  offers->all_can = fuser->readers.size != 0;
  offers->earliest = ECHO_NONE;
  offers->last_root = 0;
  offers->evaluations = 0;
  for (size_t begin = 0, end; begin < fuser->readers.size; begin = end) {
    uint32_t group = fuser->readers.data[begin].group;
    for (end = begin; end < fuser->readers.size && fuser->readers.data[end].group == group;)
      ++end;
    Offer offer = {group, judge(fuser, node, begin, end)};
    offers->all_can &= offer.join.can;
    offers->evaluations += offer.join.evaluations;
    if (offers->last_root < fuser->groups.data[group].root)
      offers->last_root = fuser->groups.data[group].root;
    if (offers->earliest == ECHO_NONE ||
        fuser->groups.data[group].root < fuser->groups.data[offers->earliest].root)
      offers->earliest = group;
    echo_vector_push(&offers->list, offer);
  }
}

static void settle(Fuser *fuser, uint32_t node, Offers *offers)
{
  const EchoGraphNode *entry = &fuser->graph->nodes.data[node];
  bool is_pure_fusible = entry->kind == ECHO_NODE_CONSTANT || entry->kind == ECHO_NODE_MAP ||
                         entry->kind == ECHO_NODE_RESHAPE ||
                         (entry->kind == ECHO_NODE_REDUCE && entry->n_results == 1);
  if (!is_pure_fusible) {
    start_group(fuser, node);
    return;
  }
  gather_offers(fuser, node, offers);
  bool is_free = is_spread(fuser->graph, node);
  if (offers->all_can && (offers->list.size == 1 || is_free ||
                          is_worth_repeating(fuser, node, offers->list.size, offers->evaluations,
                                             offers->last_root))) {
    for (size_t i = 0; i < offers->list.size; ++i)
      join_group(fuser, node, offers->list.data[i].group, &offers->list.data[i].join, false);
    return;
  }
  if (is_free) {
    for (size_t i = 0; i < offers->list.size; ++i)
      if (offers->list.data[i].join.can)
        join_group(fuser, node, offers->list.data[i].group, &offers->list.data[i].join, false);
    start_group(fuser, node);
    return;
  }
  for (size_t i = 0; i < offers->list.size; ++i) {
    Offer *offer = &offers->list.data[i];
    if (offer->group == offers->earliest && offer->join.can &&
        can_write(&fuser->groups.data[offer->group], node_type(fuser, node), &offer->join)) {
      join_group(fuser, node, offer->group, &offer->join, true);
      return;
    }
  }
  start_group(fuser, node);
}

/* ---- finishing ---- */

static bool is_transposing(const EchoOp *op)
{
  if (op == NULL || echo_hlo_opcode(op) != ECHO_HLO_TRANSPOSE)
    return false;
  EchoDimList permutation = echo_stablehlo_dims(op, "permutation");
  return permutation.size != 0 &&
         permutation.dims[permutation.size - 1] != (int64_t)permutation.size - 1;
}

/* Inputs: operands that no member makes. `marks` maps nodes of the group to 1. */
static void finish_group(const Fuser *fuser, const Building *building, EchoFusion *fusion)
{
  const EchoGraph *graph = fuser->graph;
  EchoFusionGroup group = {.kind = building->kind,
                           .root = building->root,
                           .first_member = (uint32_t)fusion->members.size,
                           .first_input = (uint32_t)fusion->inputs.size,
                           .first_output = (uint32_t)fusion->outputs.size};
  EchoMap inside = {0};
  for (uint32_t m = building->first_member; m != ECHO_NONE;
       m = fuser->memberships.data[m].next_of_group) {
    const Membership *member = &fuser->memberships.data[m];
    const EchoGraphNode *entry = &graph->nodes.data[member->node];
    if (group.kind == ECHO_GROUP_MAP && is_transposing(entry->op))
      group.kind = ECHO_GROUP_TRANSPOSE;
    echo_vector_push(&fusion->members, member->node);
    for (uint32_t r = 0; r < entry->n_results; ++r) {
      echo_map_set(&inside, entry->first_result + r, 1);
      if (member->is_output)
        echo_vector_push(&fusion->outputs, entry->first_result + r);
    }
  }
  group.n_members = (uint32_t)fusion->members.size - group.first_member;
  group.n_outputs = (uint32_t)fusion->outputs.size - group.first_output;
  for (uint32_t i = 0; i < group.n_members; ++i) {
    uint32_t node = fusion->members.data[group.first_member + i];
    for (uint32_t k = 0; k < graph->nodes.data[node].n_operands; ++k) {
      uint32_t value = echo_graph_operands(graph, node)[k];
      if (!is_tie(graph, node, value) && echo_map_insert(&inside, value, 2))
        echo_vector_push(&fusion->inputs, value);
    }
  }
  group.n_inputs = (uint32_t)fusion->inputs.size - group.first_input;
  echo_map_destroy(&inside);
  echo_vector_push(&fusion->groups, group);
}

/* Groups were started from the last root to the first. Pure groups that nobody reads are left out.
 */
static void finish(const Fuser *fuser, EchoFusion *fusion)
{
  for (size_t i = fuser->groups.size; i-- > 0;)
    finish_group(fuser, &fuser->groups.data[i], fusion);
}

EchoFusionOptions echo_fusion_options(const EchoDeviceModel *device)
{
  double bytes = device->memory_bytes_per_s;
  return (EchoFusionOptions){.enabled = true,
                             .max_members = MAX_MEMBERS,
                             .launch_bytes = device->launch_ns * 1e-9 * bytes,
                             .flop_bytes = bytes / device->simple_flops_per_s[ECHO_RATE_F32],
                             .transcendental_bytes =
                                 bytes / device->transcendentals_per_s[ECHO_RATE_F32]};
}

void echo_fusion_create(EchoFusion *fusion, const EchoGraph *graph,
                        const EchoFusionOptions *options)
{
  *fusion = (EchoFusion){0};
  Fuser fuser = {.graph = graph, .options = options};
  fuser.first_of_node = echo_alloc_array(graph->nodes.size + 1, sizeof(uint32_t));
  for (size_t i = 0; i < graph->nodes.size; ++i)
    fuser.first_of_node[i] = ECHO_NONE;
  fuser.source_bytes = echo_alloc_array(graph->values.size + 1, sizeof(uint64_t));
  fuser.read_bytes = echo_alloc_array(graph->values.size + 1, sizeof(uint64_t));
  find_sources(&fuser);
  fuser.n_single_before = echo_alloc_zero(graph->nodes.size + 2, sizeof(uint32_t));
  for (size_t i = 0; i < graph->nodes.size; ++i) {
    EchoNodeKind kind = graph->nodes.data[i].kind;
    fuser.n_single_before[i + 1] =
        fuser.n_single_before[i] + (kind == ECHO_NODE_SINGLE || kind == ECHO_NODE_CONTROL);
  }
  Offers offers = {0};
  for (uint32_t node = (uint32_t)graph->nodes.size; node-- > 0;) {
    collect_readers(&fuser, node);
    if (options->enabled)
      settle(&fuser, node, &offers);
    else
      start_group(&fuser, node);
  }
  if (!options->enabled)
    for (size_t i = 0; i < fuser.groups.size; ++i)
      if (graph->nodes.data[fuser.groups.data[i].root].kind == ECHO_NODE_CONSTANT)
        fuser.groups.data[i].kind = ECHO_GROUP_BLOB;
  finish(&fuser, fusion);
  echo_vector_destroy(&offers.list);
  echo_vector_destroy(&fuser.groups);
  echo_vector_destroy(&fuser.memberships);
  echo_vector_destroy(&fuser.readers);
  echo_free(fuser.first_of_node);
  echo_free(fuser.source_bytes);
  echo_free(fuser.read_bytes);
  echo_free(fuser.n_single_before);
}

void echo_fusion_destroy(EchoFusion *fusion)
{
  echo_vector_destroy(&fusion->groups);
  echo_vector_destroy(&fusion->members);
  echo_vector_destroy(&fusion->inputs);
  echo_vector_destroy(&fusion->outputs);
}

/* ---- questions ---- */

/* A scatter adds to its only operand, destination by destination. */
static bool scatters_in_place(const EchoGraph *graph, uint32_t node, uint32_t input,
                              uint32_t output)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  const uint32_t *operands = echo_graph_operands(graph, node);
  if (entry->op == NULL || echo_hlo_opcode(entry->op) != ECHO_HLO_SCATTER ||
      entry->n_results != 1 || operands[0] != input || output != entry->first_result)
    return false;
  for (uint32_t i = 1; i < entry->n_operands; ++i)
    if (operands[i] == input)
      return false;
  return true;
}

/* The operand that an op updates element by element although it is no elementwise op; ECHO_NONE
 * without one. */
static uint32_t updated_operand(const EchoOp *op)
{
  return echo_hlo_opcode(op) == ECHO_HLO_DYNAMIC_UPDATE_SLICE ? 0 : ECHO_NONE;
}

bool echo_group_is_in_place(const EchoGraph *graph, const EchoFusion *fusion, uint32_t group,
                            uint32_t input, uint32_t output)
{
  const EchoFusionGroup *entry = &fusion->groups.data[group];
  const EchoType *type = echo_graph_type(graph, output);
  if (entry->kind == ECHO_GROUP_SINGLE)
    return scatters_in_place(graph, entry->root, input, output);
  if (entry->kind > ECHO_GROUP_REDUCE || !same_dims(type, echo_graph_type(graph, input)) ||
      echo_type_element_bytes(type) != echo_type_element_bytes(echo_graph_type(graph, input)))
    return false;
  /* Maps write all results in one pass; a reduction's results of different shapes have passes of
   * their own. */
  bool is_map = entry->kind == ECHO_GROUP_MAP || entry->kind == ECHO_GROUP_TRANSPOSE;
  uint32_t n_alike = 0;
  for (uint32_t i = 0; i < entry->n_outputs; ++i)
    n_alike +=
        same_dims(type, echo_graph_type(graph, fusion->outputs.data[entry->first_output + i]));
  if (n_alike != (is_map ? entry->n_outputs : 1))
    return false;
  /* A row's reductions are done before its only result is written (softmax over its own operand).
   */
  bool rows_first = entry->kind == ECHO_GROUP_ROW_REDUCE && entry->n_outputs == 1;
  /* Backwards: nodes that are computed at another index than the loop's taint what they read. */
  EchoMap tainted = {0};
  bool holds = true;
  for (uint32_t i = entry->n_members; i-- > 0 && holds;) {
    uint32_t node = fusion->members.data[entry->first_member + i];
    const EchoGraphNode *member = &graph->nodes.data[node];
    bool is_clean = !echo_map_has(&tainted, member->first_result);
    for (uint32_t k = 0; k < member->n_operands; ++k) {
      uint32_t value = echo_graph_operands(graph, node)[k];
      bool is_same =
          echo_op_has_trait(member->op, ECHO_ELEMENTWISE) || k == updated_operand(member->op);
      bool has_dims = same_dims(echo_graph_type(graph, value), type);
      if (has_dims && ((is_clean && is_same) || (rows_first && member->kind == ECHO_NODE_REDUCE)))
        continue;
      holds &= value != input;
      echo_map_set(&tainted, value, 1);
    }
  }
  echo_map_destroy(&tainted);
  return holds;
}

static const char *const KIND_NAMES[] = {"map", "transpose", "row_reduce", "column_reduce",
                                         "reduce"};

const char *echo_group_kind_name(const EchoGraph *graph, const EchoFusionGroup *group)
{
  if (is_kernel_kind(group->kind))
    return KIND_NAMES[group->kind];
  return echo_op_kernel_kind(graph->nodes.data[group->root].op);
}

EchoGroupKind echo_group_kind_parse(EchoStr name)
{
  for (size_t i = 0; i < sizeof KIND_NAMES / sizeof KIND_NAMES[0]; ++i)
    if (echo_str_is(name, KIND_NAMES[i]))
      return (EchoGroupKind)i;
  return ECHO_GROUP_SINGLE;
}

void echo_fusion_create_whole(EchoFusion *fusion, const EchoGraph *graph, EchoGroupKind kind)
{
  *fusion = (EchoFusion){0};
  uint32_t end = (uint32_t)graph->nodes.size - 1;
  EchoFusionGroup group = {.kind = kind, .n_members = end, .n_inputs = graph->n_inputs};
  for (uint32_t node = 0; node < end; ++node) {
    if (graph->nodes.data[node].kind != ECHO_NODE_CONSTANT)
      group.root = node;
    echo_vector_push(&fusion->members, node);
  }
  for (uint32_t i = 0; i < graph->n_inputs; ++i)
    echo_vector_push(&fusion->inputs, i);
  group.n_outputs = graph->nodes.data[end].n_operands;
  for (uint32_t i = 0; i < group.n_outputs; ++i)
    echo_vector_push(&fusion->outputs, echo_graph_operands(graph, end)[i]);
  echo_vector_push(&fusion->groups, group);
}
