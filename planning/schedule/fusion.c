/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fusion by cost, from the last node to the first: a node joins the groups of its consumers where
 * that saves more traffic than it repeats arithmetic; what does not join starts a group of its own.
 *
 *   collect   who reads the node: memberships of its users, sorted by group
 *   judge     may it join this group, at which indices is it needed there, how often is it computed
 *   place     join all, join some and be written by one of them, or stand alone
 *   finish    groups in order, with members, inputs and outputs; updates of the same state as one
 */
#include "planning/schedule/fusion_t.h"

#include "dialects/stablehlo/opcode.h"

#define MAX_OUTPUTS 16
/* Of one node in a kernel. What is read at two indices, each of which is read at two, doubles with
 * every step (the levels of a parallel scan): each copy more costs time, each kernel more memory
 * (bench/results/ablation.md). */
#define MAX_COPIES 8

/* Indices that values are asked for at: that of the kernel's loop, that of a row, and one more for
 * each op that reads at another than its own. */
enum { FULL_INDEX, ROW_INDEX, N_FIXED_INDICES };

/* How a node would join a group. */
typedef struct Join {
  bool can, becomes_reduction, becomes_product;
  bool is_factor;  /* in the kernel of a product that reads it, or what is made of it */
  bool is_brought; /* is_factor: by the product itself, or as a reshape of it */
  EchoIndexSpace space;
  double evaluations;
  int64_t row_elements;
  uint32_t n_indices;           /* MAX_COPIES + 1: more */
  uint32_t indices[MAX_COPIES]; /* the last member: what stands before is zero at first */
} Join;

/* ---- judging ---- */

static EchoIndexSpace space_through_broadcast(const EchoOp *op, int64_t elements,
                                              const EchoMembership *user,
                                              const EchoBuildingGroup *group, int64_t *row_elements)
{
  if (user->space == ECHO_SPACE_ROW && elements != user->row_elements)
    return ECHO_SPACE_OTHER;
  if (user->space == ECHO_SPACE_OTHER ||
      (group->row_elements != 0 && elements != group->row_elements) || !echo_broadcasts_rows(op))
    return ECHO_SPACE_OTHER;
  *row_elements = elements;
  return ECHO_SPACE_ROW;
}

static void ask_at(Join *join, uint32_t index)
{
  for (uint32_t i = 0; i < join->n_indices && i < MAX_COPIES; ++i)
    if (join->indices[i] == index)
      return;
  if (join->n_indices < MAX_COPIES)
    join->indices[join->n_indices] = index;
  if (join->n_indices <= MAX_COPIES)
    ++join->n_indices;
}

static void ask_at_one(Join *join, uint32_t index)
{
  join->n_indices = 0;
  ask_at(join, index);
}

/* Whether element i of one, row-major, is asked for where element i of the other is: a GPU's loops
 * count elements, a processor's go through dimensions, of which those of size 1 are none. */
static bool has_places_of(const EchoFuser *fuser, const EchoType *a, const EchoType *b)
{
  return fuser->options->fuses_contractions
             ? echo_type_static_n_elements(a) == echo_type_static_n_elements(b)
             : echo_type_same_but_ones(a, b);
}

/* Of a view: rows stay rows. */
static bool keeps_space(const EchoFuser *fuser, const EchoMembership *user, const EchoType *operand,
                        const EchoType *result)
{
  return user->space == ECHO_SPACE_ROW ||
         (user->space == ECHO_SPACE_FULL && has_places_of(fuser, operand, result));
}

/* Adds what one user asks of operand `position`; `shared` are the evaluations at the indices of
 * users, where the value is computed once. */
static void judge_use(EchoFuser *fuser, const EchoMembership *user, uint32_t position,
                      bool is_first, double *shared, Join *join)
{
  const EchoGraph *graph = fuser->graph;
  const EchoGraphNode *node = &graph->nodes.data[user->node];
  const EchoBuildingGroup *group = &fuser->groups.data[user->group];
  const EchoOp *op = node->op;
  const EchoGraphValue *operand =
      &graph->values.data[echo_graph_operands(graph, user->node)[position]];
  const EchoGraphValue *result = &graph->values.data[node->first_result];
  double n_operand = (double)operand->n_elements, n_result = (double)result->n_elements;
  EchoIndexSpace space = ECHO_SPACE_OTHER;
  int64_t row_elements = 0;
  double evaluations = user->evaluations;
  bool is_shared = false;
  if (node->kind == ECHO_NODE_REDUCE) {
    if (position < node->n_results) {
      space = ECHO_SPACE_FULL;
      evaluations *= n_operand / (n_result > 0 ? n_result : 1);
    }
  } else if (node->is_uniform || (node->is_elementwise &&
                                  echo_type_same_dims(operand->value->type, result->value->type))) {
    space = user->space;
    row_elements = user->row_elements;
    is_shared = true;
  } else if (node->kind == ECHO_NODE_RESHAPE) {
    space = keeps_space(fuser, user, operand->value->type, result->value->type) ? user->space
                                                                                : ECHO_SPACE_OTHER;
    row_elements = user->row_elements;
    is_shared = true;
  } else {
    if (node->is_broadcast)
      space = space_through_broadcast(op, operand->n_elements, user, group, &row_elements);
    else if (n_operand < n_result)
      evaluations *= n_operand / n_result; /* a part of a concatenation or pad */
  }
  if (is_first) {
    join->space = space;
    join->row_elements = row_elements;
  } else if (join->space != space || join->row_elements != row_elements) {
    join->space = ECHO_SPACE_OTHER;
  }
  if (is_shared)
    *shared = *shared > evaluations ? *shared : evaluations;
  else
    join->evaluations += evaluations;
  for (uint32_t i = 0; i < user->n_indices; ++i)
    ask_at(join, is_shared ? fuser->indices.data[user->first_index + i]
                           : N_FIXED_INDICES + fuser->n_indices++);
}

/* A reduction stands before maps of its own rows (softmax, layer norm) or of its own results. */
static bool reduce_can_join(const EchoFuser *fuser, uint32_t node, const EchoBuildingGroup *group,
                            Join *join)
{
  const EchoKernelRow *row = echo_kernel_row(group->kernel);
  const EchoOp *op = fuser->graph->nodes.data[node].op;
  const EchoType *operand = echo_op_operand_type(op, 0);
  EchoKernelKind kind = echo_reduce_kernel_kind(op);
  int64_t rows = echo_type_static_n_elements(echo_op_result_type(op, 0));
  if (op->n_results != 1 || rows == 0)
    return false;
  if (row->takes_reduction && join->space == ECHO_SPACE_FULL) {
    join->becomes_reduction = true; /* only maps of its results behind it */
    return true;
  }
  if (kind != ECHO_KERNEL_ROW_REDUCE || join->space != ECHO_SPACE_ROW ||
      join->row_elements != rows || !has_places_of(fuser, operand, group->full_type))
    return false;
  if (row->takes_reduction) {
    join->becomes_reduction = true;
    return true;
  }
  return row->takes_rows && group->row_elements == rows;
}

/* Whether all that the group does is to move the result of the product, which nobody else reads,
 * and to map its elements, each by itself (to convert them). Then who multiplies rows of another
 * product may put it down where it is moved to. */
static bool stands_before_moves(const EchoFuser *fuser, uint32_t node, uint32_t group)
{
  const EchoGraph *graph = fuser->graph;
  const EchoBuildingGroup *moving = &fuser->groups.data[group];
  bool moves = moving->n_outputs == 1 && fuser->readers.size == 1 &&
               graph->values.data[graph->nodes.data[node].first_result].n_uses == 1;
  for (uint32_t m = moving->first_member; m != ECHO_NONE && moves;
       m = fuser->memberships.data[m].next_of_group) {
    const EchoGraphNode *member = &graph->nodes.data[fuser->memberships.data[m].node];
    moves = member->kind == ECHO_NODE_RESHAPE ||
            echo_hlo_opcode(member->op) == ECHO_HLO_TRANSPOSE ||
            (member->is_elementwise && member->n_operands == 1);
  }
  return moves && echo_fuser_may_wait(fuser, node, moving->root);
}

/* A product stands before maps of its own elements, place by place: a bias, an activation, the
 * update that a gradient is for; and before reductions of its rows, with what is made of them,
 * where a block can have them whole. What is read across lines of memory has a kernel of its own,
 * which goes tile by tile. */
static bool product_can_join(EchoFuser *fuser, uint32_t node, uint32_t number, Join *join)
{
  const EchoBuildingGroup *group = &fuser->groups.data[number];
  const EchoKernelRow *row = echo_kernel_row(group->kernel);
  double elements = echo_fuser_elements(fuser, node);
  bool is_mapped = row->takes_product && join->n_indices == 1 && join->indices[0] == FULL_INDEX;
  bool is_reduced = row->takes_rows && join->space == ECHO_SPACE_FULL &&
                    echo_fuser_has_whole_rows(fuser, node, group->row_elements);
  const EchoRemake *remake = echo_fuser_remake_or_null(fuser, node);
  if (elements == 0 || elements != (double)echo_type_static_n_elements(group->full_type) ||
      (remake != NULL && (group->root >= remake->deadline || group->row_elements != 0)))
    return false;
  is_reduced &= remake == NULL;
  bool is_moved = !is_mapped && !is_reduced && row->takes_product &&
                  stands_before_moves(fuser, node, number) &&
                  (remake != NULL || echo_fuser_find_chain(fuser, node, number));
  if (!is_mapped && !is_reduced && !is_moved)
    return false;
  for (uint32_t m = group->first_member; m != ECHO_NONE && !is_moved;
       m = fuser->memberships.data[m].next_of_group) {
    const EchoGraphNode *member = &fuser->graph->nodes.data[fuser->memberships.data[m].node];
    if (member->is_transposing || member->is_update ||
        (member->kind == ECHO_NODE_REDUCE && !echo_reduces_in_any_order(member->op)))
      return false;
  }
  join->becomes_product = true;
  join->evaluations = elements; /* whoever asks for it reads it where the block has it */
  ask_at_one(join, FULL_INDEX);
  return true;
}

/* Adds what a product asks of its operand `position`: elements as its tiles bring them. */
static void judge_factor(EchoFuser *fuser, const EchoMembership *user, uint32_t position,
                         Join *join)
{
  join->space = ECHO_SPACE_OTHER;
  join->row_elements = 0;
  const EchoBuildingGroup *group = &fuser->groups.data[user->group];
  bool has_whole_rows = group->row_elements != 0 || group->has_chain;
  join->evaluations += echo_fuser_factor_evaluations(fuser, user->node, position, has_whole_rows);
  ask_at(join, N_FIXED_INDICES + fuser->n_indices++);
}

/* Constants, what counts positions, and what either is broadcast or converted to take no register
 * of their own, however full the kernel is; apart, each is an array that is written to be read. */
static bool takes_no_room(const EchoGraphNode *entry)
{
  return entry->is_free && entry->kind != ECHO_NODE_RESHAPE;
}

/* Readers [begin, end) are of one group. `join` is zero. */
static void judge(EchoFuser *fuser, uint32_t node, size_t begin, size_t end, Join *join)
{
  const EchoGroupReader *readers = fuser->readers.data;
  if (readers[begin].membership == ECHO_NONE)
    return;
  const EchoBuildingGroup *group = &fuser->groups.data[readers[begin].group];
  const EchoGraphNode *entry = &fuser->graph->nodes.data[node];
  const EchoKernelRow *row = echo_fused_row_or_null(fuser->options, group->kind, group->kernel);
  if (row == NULL && group->kind == ECHO_GROUP_KERNEL && entry->kind == ECHO_NODE_CONSTANT)
    join->can = echo_kernel_row(group->kernel)->takes_scalars &&
                echo_type_rank(echo_fuser_type(fuser, node)) == 0;
  if (row == NULL || (group->n_members >= fuser->options->max_members && !takes_no_room(entry)))
    return;
  double shared = 0;
  bool is_first = true;
  for (size_t i = begin; i < end; ++i) {
    const EchoMembership *user = &fuser->memberships.data[readers[i].membership];
    const EchoGraphNode *reading = &fuser->graph->nodes.data[user->node];
    const uint32_t *operands = echo_graph_operands(fuser->graph, user->node);
    bool is_factor = echo_fuser_is_product(fuser, user->node);
    if (is_factor && !echo_fuser_may_be_factor(fuser, node, user->node))
      return;
    join->is_factor |= is_factor || user->is_factor;
    join->is_brought |= is_factor || (user->is_factor && echo_fuser_is_factor_view(fuser, user));
    for (uint32_t k = 0; k < reading->n_operands; ++k)
      if (operands[k] == entry->first_result) {
        if (is_factor)
          judge_factor(fuser, user, k, join);
        else
          judge_use(fuser, user, k, is_first, &shared, join);
        is_first = false;
      }
  }
  join->evaluations += shared;
  if (entry->kind == ECHO_NODE_CONSTANT) {
    join->can = true;
    return;
  }
  if (entry->kind == ECHO_NODE_REDUCE && !reduce_can_join(fuser, node, group, join))
    return;
  if (echo_fuser_is_product(fuser, node) &&
      !product_can_join(fuser, node, readers[begin].group, join))
    return;
  if (row->is_product && entry->is_transposing)
    return;
  /* A value of the row is computed once a row. */
  bool is_row = join->space == ECHO_SPACE_ROW && join->row_elements == group->row_elements;
  if (is_row || entry->kind == ECHO_NODE_REDUCE) {
    join->evaluations = echo_fuser_elements(fuser, node);
    ask_at_one(join, ROW_INDEX);
  }
  bool pays = join->is_factor ? echo_fuser_factor_pays(fuser, node, readers[begin].group,
                                                       join->evaluations, join->is_brought)
                              : echo_fuser_pays(fuser, node, join->evaluations);
  join->can =
      join->n_indices <= MAX_COPIES && echo_fuser_may_wait(fuser, node, group->root) && pays;
}

/* ---- settling ---- */

static uint32_t add_membership(EchoFuser *fuser, uint32_t node, uint32_t group, const Join *join)
{
  EchoBuildingGroup *building = &fuser->groups.data[group];
  uint32_t number = (uint32_t)fuser->memberships.size;
  uint32_t first_index = (uint32_t)fuser->indices.size;
  uint32_t n_indices = join->n_indices < MAX_COPIES ? join->n_indices : MAX_COPIES;
  echo_vector_reserve(&fuser->memberships, number + 1u);
  echo_vector_reserve(&fuser->indices, first_index + (size_t)n_indices);
  fuser->memberships.size = number + 1u;
  fuser->memberships.data[number] =
      (EchoMembership){.node = node,
                       .group = group,
                       .next_of_node = fuser->first_of_node.data[node],
                       .next_of_group = building->first_member,
                       .evaluations = join->evaluations,
                       .first_index = first_index,
                       .n_indices = n_indices,
                       .space = join->space,
                       .row_elements = join->row_elements,
                       .is_factor = join->is_factor};
  for (uint32_t i = 0; i < n_indices; ++i)
    fuser->indices.data[first_index + i] = join->indices[i];
  fuser->indices.size = first_index + (size_t)n_indices;
  fuser->first_of_node.data[node] = number;
  building->first_member = number;
  building->n_members += takes_no_room(&fuser->graph->nodes.data[node]) ? 0 : 1;
  if (echo_fuser_is_product(fuser, node))
    building->chip_share = echo_fuser_chip_share(fuser, node);
  echo_fuser_note_reads(fuser, node, building->root);
  return number;
}

/* What was the loop's index becomes the row's: the group now loops over the reduction's operand. */
static void become_reduction(EchoFuser *fuser, EchoBuildingGroup *group, const EchoOp *reduce,
                             Join *join)
{
  group->kernel = echo_reduce_kernel_kind(reduce);
  group->row_elements = echo_type_static_n_elements(echo_op_result_type(reduce, 0));
  if (join->space != ECHO_SPACE_FULL)
    return;
  group->full_type = echo_op_operand_type(reduce, 0);
  join->space = ECHO_SPACE_ROW;
  join->row_elements = group->row_elements;
  for (uint32_t i = group->first_member; i != ECHO_NONE;
       i = fuser->memberships.data[i].next_of_group) {
    EchoMembership *member = &fuser->memberships.data[i];
    if (member->space == ECHO_SPACE_FULL) {
      member->space = ECHO_SPACE_ROW;
      member->row_elements = group->row_elements;
    } else {
      member->space = ECHO_SPACE_OTHER;
    }
    for (uint32_t k = 0; k < member->n_indices; ++k) {
      uint32_t *index = &fuser->indices.data[member->first_index + k];
      *index = *index == FULL_INDEX ? ROW_INDEX : *index;
    }
  }
}

static EchoKernelKind own_kernel(const EchoGraphNode *entry)
{
  return entry->kind == ECHO_NODE_REDUCE   ? echo_reduce_kernel_kind(entry->op)
         : entry->kind == ECHO_NODE_SINGLE ? echo_op_kernel_kind(entry->op)
                                           : ECHO_KERNEL_MAP;
}

static void join_group(EchoFuser *fuser, uint32_t node, uint32_t group, Join *join, bool is_output)
{
  if (join->becomes_reduction)
    become_reduction(fuser, &fuser->groups.data[group], fuser->graph->nodes.data[node].op, join);
  if (join->becomes_product)
    fuser->groups.data[group].kernel = own_kernel(&fuser->graph->nodes.data[node]);
  uint32_t membership = add_membership(fuser, node, group, join);
  fuser->memberships.data[membership].is_output = is_output;
  fuser->groups.data[group].n_outputs += is_output;
}

static EchoGroupKind own_kind(const EchoGraphNode *entry)
{
  switch (entry->kind) {
  case ECHO_NODE_CONSTANT:
  case ECHO_NODE_MAP:
  case ECHO_NODE_REDUCE:
  case ECHO_NODE_SINGLE:
    return ECHO_GROUP_KERNEL;
  case ECHO_NODE_RESHAPE:
  case ECHO_NODE_BARRIER:
    return ECHO_GROUP_VIEW;
  case ECHO_NODE_BLOB:
    return ECHO_GROUP_BLOB;
  case ECHO_NODE_CONTROL:
    return ECHO_GROUP_CONTROL;
  case ECHO_NODE_RETURN:
    return ECHO_GROUP_RETURN;
  case ECHO_N_NODE_KINDS:
    break;
  }
  ECHO_UNREACHABLE("a node without a kind");
}

static void start_group(EchoFuser *fuser, uint32_t node)
{
  const EchoGraphNode *entry = &fuser->graph->nodes.data[node];
  EchoBuildingGroup group = {.kind = own_kind(entry),
                             .kernel = own_kernel(entry),
                             .root = node,
                             .first_member = ECHO_NONE,
                             .n_outputs = 1,
                             .chip_share = 1};
  Join join = {.can = true, .space = ECHO_SPACE_FULL};
  ask_at(&join, entry->kind == ECHO_NODE_REDUCE ? ROW_INDEX : FULL_INDEX);
  if (echo_fused_row_or_null(fuser->options, group.kind, group.kernel) != NULL) {
    group.full_type = echo_fuser_type(fuser, node);
    join.evaluations = echo_fuser_elements(fuser, node);
  }
  if (entry->kind == ECHO_NODE_REDUCE) {
    group.row_elements = echo_type_static_n_elements(group.full_type);
    group.full_type = echo_op_operand_type(entry->op, 0);
    join.space = ECHO_SPACE_ROW;
    join.row_elements = group.row_elements;
  }
  echo_vector_push(&fuser->groups, group);
  uint32_t membership = add_membership(fuser, node, (uint32_t)fuser->groups.size - 1, &join);
  fuser->memberships.data[membership].is_output = true;
}

/* Whether a kernel of this kind may write the value of such a member beside its roots. */
static bool can_write(const EchoFusionOptions *options, const EchoBuildingGroup *group,
                      const EchoType *type, const Join *join)
{
  if (group->n_outputs >= MAX_OUTPUTS)
    return false;
  bool is_full = join->becomes_product || (join->space == ECHO_SPACE_FULL &&
                                           echo_type_same_but_ones(type, group->full_type));
  bool is_row = join->space == ECHO_SPACE_ROW && group->row_elements == join->row_elements &&
                group->row_elements != 0;
  const EchoKernelRow *row = echo_fused_row_or_null(options, group->kind, group->kernel);
  return row != NULL && !join->becomes_reduction &&
         ((row->writes_elements && is_full) || (row->writes_rows && is_row));
}

/* One group with how the node would join it. */
typedef struct Offer {
  uint32_t group;
  Join join;
} Offer;

typedef struct Offers {
  ECHO_VECTOR(Offer) list;
  bool all_can, has_factors;
  double evaluations; /* all together */
  uint32_t earliest;  /* the group that runs first of all that read the node */
  uint32_t last_root; /* where the last of them runs */
} Offers;

static Join *add_offer(Offers *offers, uint32_t group)
{
  echo_vector_reserve(&offers->list, offers->list.size + 1);
  Offer *offer = &offers->list.data[offers->list.size++];
  offer->group = group;
  memset(&offer->join, 0, offsetof(Join, indices));
  return &offer->join;
}

static void gather_offers(EchoFuser *fuser, uint32_t node, Offers *offers)
{
  echo_vector_clear(&offers->list);
  offers->all_can = fuser->readers.size != 0;
  offers->has_factors = false;
  offers->earliest = ECHO_NONE;
  offers->last_root = 0;
  offers->evaluations = 0;
  uint32_t first_root = ECHO_NONE;
  for (size_t begin = 0, end; begin < fuser->readers.size; begin = end) {
    uint32_t group = fuser->readers.data[begin].group;
    for (end = begin; end < fuser->readers.size && fuser->readers.data[end].group == group;)
      ++end;
    Join *join = add_offer(offers, group);
    judge(fuser, node, begin, end, join);
    offers->all_can &= join->can;
    offers->has_factors |= join->is_factor;
    offers->evaluations += join->evaluations;
    uint32_t root = fuser->groups.data[group].root;
    if (offers->last_root < root)
      offers->last_root = root;
    if (root < first_root) {
      first_root = root;
      offers->earliest = group;
    }
  }
}

/* A kernel that reduces reads in its own order, and what it writes once more: each element of a
 * transposed value from another line. Beyond a core's first cache, and written in any case, such a
 * value has a kernel of its own, which goes tile by tile. */
static bool reads_across(const EchoFuser *fuser, uint32_t node, const Offer *offer)
{
  enum { FIRST_CACHE = 32 << 10 };
  const EchoGraphNode *entry = &fuser->graph->nodes.data[node];
  return fuser->is_turned.data[node] &&
         fuser->groups.data[offer->group].kernel != ECHO_KERNEL_MAP &&
         fuser->graph->values.data[entry->first_result].bytes > FIRST_CACHE;
}

static bool can_be_written_by(const EchoFuser *fuser, uint32_t node, const Offer *offer)
{
  return offer->join.can && !reads_across(fuser, node, offer) &&
         can_write(fuser->options, &fuser->groups.data[offer->group], echo_fuser_type(fuser, node),
                   &offer->join);
}

/* How often the node is computed when one kernel writes it for the others: once; but a kernel that
 * reduces rows of it computes them anew to write them, unless it writes whole rows anyway. */
static double evaluations_written(const EchoFuser *fuser, uint32_t node, const Offers *offers)
{
  double elements = echo_fuser_elements(fuser, node);
  for (size_t i = 0; i < offers->list.size; ++i) {
    const Offer *offer = &offers->list.data[i];
    const EchoBuildingGroup *group = &fuser->groups.data[offer->group];
    if (offer->group != offers->earliest || !echo_kernel_row(group->kernel)->takes_rows ||
        offer->join.space != ECHO_SPACE_FULL || !can_be_written_by(fuser, node, offer))
      continue;
    for (uint32_t m = group->first_member; m != ECHO_NONE;
         m = fuser->memberships.data[m].next_of_group)
      if (fuser->memberships.data[m].is_output &&
          fuser->memberships.data[m].space == ECHO_SPACE_FULL)
        return elements;
    return 2 * elements;
  }
  return elements;
}

/* A part of a chain is computed once, where its block makes it. */
static Join chain_join(EchoFuser *fuser, uint32_t node)
{
  Join join = {.can = true,
               .is_factor = true,
               .space = ECHO_SPACE_OTHER,
               .evaluations = echo_fuser_elements(fuser, node)};
  ask_at(&join, N_FIXED_INDICES + fuser->n_indices++);
  return join;
}

/* Others that read it make it again, or read what the chain's kernel has written. */
static void place_in_chain(EchoFuser *fuser, uint32_t node, uint32_t group, Offers *offers)
{
  Join join = chain_join(fuser, node);
  double others = 0;
  bool all_can = true, is_read_in_chain = false;
  echo_fuser_collect_readers(fuser, node);
  gather_offers(fuser, node, offers);
  size_t n_others = offers->list.size;
  for (size_t i = 0; i < offers->list.size; ++i) {
    const Offer *offer = &offers->list.data[i];
    bool is_chain = offer->group == group;
    all_can &= offer->join.can || is_chain;
    others += is_chain ? 0 : offer->join.evaluations;
    is_read_in_chain |= is_chain;
    n_others -= is_chain;
  }
  bool is_repeated = n_others != 0 && all_can &&
                     (echo_node_is_free_to_remake(fuser->graph, node) ||
                      echo_fuser_is_worth_repeating(fuser, node, offers->list.size, others,
                                                    offers->last_root, false));
  for (size_t i = 0; i < offers->list.size && is_repeated; ++i) {
    Offer *offer = &offers->list.data[i];
    if (offer->group != group)
      join_group(fuser, node, offer->group, &offer->join, false);
  }
  if (is_read_in_chain || !is_repeated)
    join_group(fuser, node, group, &join, n_others != 0 && !is_repeated);
}

/* Each kernel that is to have the node makes it; what others read of it, one value a row, is
 * written by the one that has rows whole. */
static void place_in_remakes(EchoFuser *fuser, uint32_t node)
{
  bool is_written = false;
  echo_fuser_collect_readers(fuser, node);
  for (size_t i = 0; i < fuser->readers.size; ++i) {
    bool has_it = false;
    for (uint32_t l = fuser->link_of.data[node]; l != ECHO_NONE;
         l = fuser->remake_links.data[l].next_of_node) {
      const EchoRemake *remake = &fuser->remakes.data[fuser->remake_links.data[l].remake];
      has_it |= remake->is_valid && remake->group == fuser->readers.data[i].group;
    }
    is_written |= !has_it;
  }
  for (uint32_t l = fuser->link_of.data[node]; l != ECHO_NONE;
       l = fuser->remake_links.data[l].next_of_node) {
    const EchoRemake *remake = &fuser->remakes.data[fuser->remake_links.data[l].remake];
    Join join = chain_join(fuser, node);
    if (remake->is_valid)
      join_group(fuser, node, remake->group, &join, is_written);
  }
}

static void place_node(EchoFuser *fuser, uint32_t node, Offers *offers)
{
  const EchoGraphNode *entry = &fuser->graph->nodes.data[node];
  if (echo_fuser_is_remade(fuser, node)) {
    place_in_remakes(fuser, node);
    return;
  }
  if (fuser->chain_of.data[node] != ECHO_NONE) {
    place_in_chain(fuser, node, fuser->chain_of.data[node], offers);
    return;
  }
  bool is_pure_fusible = entry->kind == ECHO_NODE_CONSTANT || entry->kind == ECHO_NODE_MAP ||
                         entry->kind == ECHO_NODE_RESHAPE || echo_fuser_is_product(fuser, node) ||
                         (entry->kind == ECHO_NODE_REDUCE && entry->n_results == 1);
  if (!is_pure_fusible) {
    start_group(fuser, node);
    return;
  }
  echo_fuser_collect_readers(fuser, node);
  gather_offers(fuser, node, offers);
  bool is_free = echo_node_is_free_to_remake(fuser->graph, node);
  if (offers->all_can &&
      (offers->list.size == 1 || is_free ||
       echo_fuser_is_worth_repeating(fuser, node, offers->list.size,
                                     offers->evaluations - evaluations_written(fuser, node, offers),
                                     offers->last_root,
                                     !offers->has_factors || fuser->is_apart.data[node]))) {
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
    if (offer->group == offers->earliest && can_be_written_by(fuser, node, offer)) {
      join_group(fuser, node, offer->group, &offer->join, true);
      return;
    }
  }
  start_group(fuser, node);
}

static void look_for_chain(EchoFuser *fuser, uint32_t node)
{
  if (!echo_fuser_is_product(fuser, node) || fuser->chain_of.data[node] != ECHO_NONE ||
      echo_fuser_is_remade(fuser, node))
    return;
  uint32_t group = fuser->memberships.data[fuser->first_of_node.data[node]].group;
  EchoRemake *remake = echo_fuser_remake_or_null(fuser, node);
  if (remake != NULL) {
    remake->group = group;
    fuser->groups.data[group].has_chain = true;
    return;
  }
  fuser->groups.data[group].has_chain = echo_fuser_find_chain(fuser, node, group);
}

/* ---- a fusion ---- */

/* The fusion's own, ready for another graph. */
static EchoFuser *start(EchoFusion *fusion, const EchoGraph *graph,
                        const EchoFusionOptions *options)
{
  if (fusion->fuser == NULL)
    fusion->fuser = echo_alloc_zero(1, sizeof *fusion->fuser);
  EchoFuser *fuser = fusion->fuser;
  size_t n = graph->nodes.size;
  fuser->graph = graph;
  fuser->options = options;
  fuser->n_indices = 0;
  echo_vector_clear(&fuser->groups);
  echo_vector_clear(&fuser->memberships);
  echo_vector_clear(&fuser->indices);
  echo_map_clear(&fuser->passed);
  echo_vector_reserve(&fuser->groups, n); /* and mostly no more of the others */
  echo_vector_reserve(&fuser->memberships, n);
  echo_vector_reserve(&fuser->indices, n);
  echo_vector_reserve(&fuser->first_of_node, n + 1);
  echo_vector_reserve(&fuser->chain_of, n + 1);
  for (size_t i = 0; i < n; ++i)
    fuser->first_of_node.data[i] = fuser->chain_of.data[i] = ECHO_NONE;
  echo_fuser_prepare_cost(fuser);
  echo_fuser_find_facts(fuser);
  echo_fuser_find_apart(fuser);
  if (options->enabled)
    echo_fuser_find_remakes(fuser);
  else
    echo_vector_clear(&fuser->remakes);
  return fuser;
}

void echo_fusion_create(EchoFusion *fusion, const EchoGraph *graph,
                        const EchoFusionOptions *options)
{
  EchoFuser *fuser = start(fusion, graph, options);
  Offers offers = {0};
  for (uint32_t node = (uint32_t)graph->nodes.size; node-- > 0;) {
    if (options->enabled) {
      place_node(fuser, node, &offers);
      look_for_chain(fuser, node);
    } else {
      start_group(fuser, node);
    }
  }
  if (!options->enabled)
    for (size_t i = 0; i < fuser->groups.size; ++i)
      if (graph->nodes.data[fuser->groups.data[i].root].kind == ECHO_NODE_CONSTANT)
        fuser->groups.data[i].kind = ECHO_GROUP_BLOB;
  echo_fuser_finish(fuser, fusion);
  echo_vector_destroy(&offers.list);
}

static void fuser_destroy_or_null(EchoFuser *fuser)
{
  if (fuser == NULL)
    return;
  echo_vector_destroy(&fuser->groups);
  echo_vector_destroy(&fuser->memberships);
  echo_vector_destroy(&fuser->indices);
  echo_vector_destroy(&fuser->readers);
  echo_vector_destroy(&fuser->first_of_node);
  echo_vector_destroy(&fuser->chain_of);
  echo_vector_destroy(&fuser->remakes);
  echo_vector_destroy(&fuser->remake_links);
  echo_vector_destroy(&fuser->remake_of);
  echo_vector_destroy(&fuser->link_of);
  echo_vector_destroy(&fuser->rows_of);
  echo_vector_destroy(&fuser->n_single_before);
  echo_vector_destroy(&fuser->whole);
  echo_vector_destroy(&fuser->last_read);
  echo_vector_destroy(&fuser->source_bytes);
  echo_vector_destroy(&fuser->read_bytes);
  echo_vector_destroy(&fuser->is_turned);
  echo_vector_destroy(&fuser->is_apart);
  echo_vector_destroy(&fuser->apart_bytes);
  echo_map_destroy(&fuser->passed);
  echo_free(fuser);
}

void echo_fusion_destroy(EchoFusion *fusion)
{
  echo_vector_destroy(&fusion->groups);
  echo_vector_destroy(&fusion->members);
  echo_vector_destroy(&fusion->inputs);
  echo_vector_destroy(&fusion->outputs);
  fuser_destroy_or_null(fusion->fuser);
  fusion->fuser = NULL;
}

void echo_fusion_create_whole(EchoFusion *fusion, const EchoGraph *graph, EchoKernelKind kind)
{
  *fusion = (EchoFusion){0};
  uint32_t end = (uint32_t)graph->nodes.size - 1;
  EchoFusionGroup group = {
      .kind = ECHO_GROUP_KERNEL, .kernel = kind, .n_members = end, .n_inputs = graph->n_inputs};
  for (uint32_t node = 0; node < end; ++node) {
    if (graph->nodes.data[node].kind != ECHO_NODE_CONSTANT)
      group.root = node;
    group.has_updates |= graph->nodes.data[node].is_update;
    echo_vector_push(&fusion->members, node);
  }
  for (uint32_t i = 0; i < graph->n_inputs; ++i)
    echo_vector_push(&fusion->inputs, i);
  group.n_outputs = graph->nodes.data[end].n_operands;
  for (uint32_t i = 0; i < group.n_outputs; ++i)
    echo_vector_push(&fusion->outputs, echo_graph_operands(graph, end)[i]);
  echo_vector_push(&fusion->groups, group);
}
