/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ops that copies begin at where no array is cut for them: copies with state between them that all
 * read one value (several steps on one batch) do one op each with it and with what the copy before
 * them made, so that each of those ops is made of the one before it. Such a chain says which copy
 * comes after which, as the places of slices do. */
#include "planning/loops/copies_t.h"
#include "planning/loops/shift_t.h"

/* Groups that are asked whether they are chains, each in time linear in the block: what copies
 * begin with stands first in the order of dataflow (bench/results/ablation.md). */
#define MAX_ASKED 8

/* Ops of one kind that read one value in one place. */
typedef struct Group {
  EchoDataflowOrder ops; /* in the order of dataflow */
  const EchoValue *value;
  size_t operand;
  uint32_t next; /* group with the same hash */
} Group;

typedef struct Finder {
  EchoShift shift; /* for what it takes to be equal */
  ECHO_VECTOR(Group) groups;
  EchoMap by_hash; /* -> last group + 1 */
} Finder;

static bool is_of_group(Finder *finder, const Group *group, const EchoOp *op, size_t k)
{
  return group->operand == k && group->value == echo_op_operand(op, k) &&
         echo_op_rows_are_equal(&finder->shift.equivalence, group->ops.data[0], op);
}

static void add(Finder *finder, EchoOp *op, size_t k)
{
  const EchoValue *value = echo_op_operand(op, k);
  uint64_t hash = echo_hash_combine(echo_equivalence_hash_inside(&finder->shift.equivalence, op, k),
                                    echo_key(value));
  uint32_t first = (uint32_t)echo_map_get_or(&finder->by_hash, hash, 0), i = first;
  while (i != 0 && !is_of_group(finder, &finder->groups.data[i - 1], op, k))
    i = finder->groups.data[i - 1].next;
  if (i == 0) {
    echo_vector_push(&finder->groups, ((Group){.value = value, .operand = k, .next = first}));
    i = (uint32_t)finder->groups.size;
    echo_map_set(&finder->by_hash, hash, i);
  }
  Group *group = &finder->groups.data[i - 1];
  if (group->ops.size == 0 || echo_vector_last(&group->ops) != op)
    echo_vector_push(&group->ops, op);
}

/* Of what copies read of their own nothing is shared; constants are shared by all. */
static void find_groups(Finder *finder, const EchoDataflowOrder *order)
{
  for (size_t i = 0; i < order->size; ++i) {
    EchoOp *op = order->data[i];
    for (size_t k = 0; k < op->n_operands && op->n_results == 1 && op->n_regions == 0; ++k)
      if (op->n_operands > 1 && echo_value_constant_or_null(echo_op_operand(op, k)) == NULL &&
          echo_type_rank(echo_op_operand_type(op, k)) != 0)
        add(finder, op, k);
  }
}

typedef struct Ask {
  EchoMap lengths; /* op -> ops of the group that it is made of */
  uint64_t most;
} Ask;

static bool see_length(void *user, EchoValue *value)
{
  Ask *ask = user;
  const EchoOp *op = echo_value_def_or_null(value);
  uint64_t length = op != NULL ? echo_map_get_or(&ask->lengths, echo_key(op), 0) : 0;
  ask->most = ask->most > length ? ask->most : length;
  return true;
}

/* Whether each op of the group is made of the one before it. */
static bool is_chain(const EchoDataflowOrder *ops, const EchoDataflowOrder *order)
{
  Ask ask = {0};
  size_t n = 0;
  for (size_t i = 0; i < order->size && n < ops->size; ++i) {
    ask.most = 0;
    echo_dataflow_for_operands(order->data[i], see_length, &ask);
    if (order->data[i] == ops->data[n]) {
      if (ask.most != n)
        break;
      ask.most = ++n;
    }
    if (ask.most != 0)
      echo_map_set(&ask.lengths, echo_key(order->data[i]), ask.most);
  }
  echo_map_destroy(&ask.lengths);
  return n == ops->size;
}

/* The group's ops are the chain's then. */
static void ask_group(Group *group, const EchoDataflowOrder *order, EchoCopiesSliceGroups *groups)
{
  if (!is_chain(&group->ops, order))
    return;
  EchoCopiesSliceGroup chain = {.is_chain = true, .n_copies = (int64_t)group->ops.size};
  for (size_t i = 0; i < group->ops.size; ++i)
    echo_vector_push(&chain.slices, group->ops.data[i]);
  echo_vector_push(&groups->chains, chain);
}

/* What the block is given first: of what it makes itself each copy reads its own in several places,
 * mostly. */
void echo_copies_find_chains(const EchoDataflowOrder *order, EchoCopiesSliceGroups *groups)
{
  Finder finder = {0};
  int n_asked = 0;
  echo_shift_create(&finder.shift, 0, NULL, NULL);
  find_groups(&finder, order);
  for (int is_given = 1; is_given >= 0; --is_given)
    for (size_t i = 0; i < finder.groups.size && n_asked < MAX_ASKED; ++i) {
      Group *group = &finder.groups.data[i];
      if (group->ops.size < 2 || group->value->is_block_arg != (is_given != 0))
        continue;
      ++n_asked;
      ask_group(group, order, groups);
    }
  for (size_t i = 0; i < finder.groups.size; ++i)
    echo_vector_destroy(&finder.groups.data[i].ops);
  echo_shift_destroy(&finder.shift);
  echo_vector_destroy(&finder.groups);
  echo_map_destroy(&finder.by_hash);
}
