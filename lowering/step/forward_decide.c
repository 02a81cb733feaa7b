/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether forwarding movement is ever dearer. Readers, what they would read and what dies between
 * them form groups; a group is kept when, in the order of the block, it never has more bytes alive
 * than without it, and no more ops. What a rejected group keeps is reading from values that are
 * there anyway. */
#include <stdlib.h>

#include "dialects/stablehlo/opcode.h"
#include "lowering/step/forward_movement_t.h"

enum { MAX_READERS = 16 }; /* in a row that one kernel may be made of */

typedef struct Event {
  uint32_t group, position;
  int64_t bytes;
} Event;

/* One way that the block may look. Arrays are by number of the value. */
typedef struct Version {
  uint32_t *root;    /* the value whose bytes it shares */
  uint32_t *last;    /* by root: position of its last reader */
  bool *gives_place; /* by root: to what its last reader computes */
  bool *is_inside;   /* by root: it is computed in its reader and takes no memory */
} Version;

typedef struct Decision {
  EchoMovement *movement;
  Version before, after;
  uint32_t *n_uses; /* with everything forwarded */
  ECHO_VECTOR(Event) events;
  int64_t *n_more_ops; /* by group */
  bool *is_rejected;   /* by group */
} Decision;

static bool is_free_op(const EchoOp *op)
{
  return echo_hlo_opcode(op) == ECHO_HLO_RESHAPE || echo_op_has_trait(op, ECHO_CONSTANT);
}

static bool takes_place_of_source(const EchoMovedOp *op)
{
  return op->is_forwarded && !op->adds_zero && echo_view_n_ops(&op->through, op->source->type) == 0;
}

static uint32_t result_value(const EchoMovement *movement, const EchoMovedOp *op)
{
  return echo_movement_value(movement, echo_op_result(op->op, 0));
}

/* ---- how long values live ---- */

static void find_roots(Decision *decision)
{
  EchoMovement *movement = decision->movement;
  for (uint32_t v = 0; v < movement->values.size; ++v) {
    const EchoMovedValue *value = &movement->values.data[v];
    decision->before.root[v] = decision->after.root[v] = value->root;
    if (value->op == ECHO_NOWHERE)
      continue;
    const EchoMovedOp *op = &movement->ops.data[value->op];
    bool is_alias = takes_place_of_source(op);
    const EchoValue *source = is_alias ? op->source
                              : echo_hlo_opcode(op->op) == ECHO_HLO_RESHAPE && !op->is_forwarded
                                  ? echo_op_operand(op->op, 0)
                                  : NULL;
    uint32_t number = source != NULL ? echo_movement_value(movement, source) : ECHO_NOWHERE;
    decision->after.root[v] = number != ECHO_NOWHERE ? decision->after.root[number] : v;
  }
}

/* Calls `visit` with the number of each value that `op` and what is inside it reads. */
static void for_each_read(Decision *decision, const EchoMovedOp *op, bool is_after,
                          void (*visit)(Decision *decision, uint32_t value, uint32_t position),
                          uint32_t position)
{
  const EchoMovement *movement = decision->movement;
  if (is_after && op->is_forwarded) {
    uint32_t number = echo_movement_value(movement, op->source);
    if (number != ECHO_NOWHERE)
      visit(decision, number, position);
    return;
  }
  if (is_after && op->is_laid) {
    const EchoPadSum *sum = &movement->sums.data[op->sum];
    for (uint32_t i = 0; i < sum->n; ++i) {
      uint32_t number = echo_movement_value(movement, movement->parts.data[sum->laid[i]].value);
      if (number != ECHO_NOWHERE)
        visit(decision, number, position);
    }
    return;
  }
  for (EchoOp *inner = op->op; inner != NULL; inner = echo_op_walk_next(op->op, inner))
    for (uint32_t i = 0; i < inner->n_operands; ++i) {
      uint32_t number = echo_movement_value(movement, echo_op_operand(inner, i));
      if (number != ECHO_NOWHERE)
        visit(decision, number, position);
    }
}

static void note_before(Decision *decision, uint32_t value, uint32_t position)
{
  uint32_t *last = &decision->before.last[decision->before.root[value]];
  *last = *last < position ? position : *last;
}

static void count_use(Decision *decision, uint32_t value, uint32_t position)
{
  (void)position;
  ++decision->n_uses[value];
}

static void drop_use(Decision *decision, uint32_t value, uint32_t position)
{
  (void)position;
  --decision->n_uses[value];
}

static void note_after(Decision *decision, uint32_t value, uint32_t position)
{
  uint32_t *last = &decision->after.last[decision->after.root[value]];
  *last = *last < position ? position : *last;
}

static bool is_unused(const Decision *decision, const EchoMovedOp *op)
{
  for (uint32_t i = 0; i < op->op->n_results; ++i)
    if (decision->n_uses[echo_movement_value(decision->movement, echo_op_result(op->op, i))] != 0)
      return false;
  return true;
}

/* The only reader of the value or of a reshape of it, where that computes element by element or
 * moves; ECHO_NOWHERE for others. */
static uint32_t only_reader(const EchoMovement *movement, const EchoValue *value)
{
  while (echo_value_has_one_use(value)) {
    const EchoOp *reader = value->first_use->owner;
    uint32_t number = reader->n_results == 1
                          ? echo_movement_value(movement, echo_op_result(reader, 0))
                          : ECHO_NOWHERE;
    if (number == ECHO_NOWHERE || reader->block != movement->block ||
        (reader->info->traits & (ECHO_ELEMENTWISE | ECHO_MOVEMENT)) == 0)
      return ECHO_NOWHERE;
    if (echo_hlo_opcode(reader) != ECHO_HLO_RESHAPE)
      return movement->values.data[number].op;
    value = echo_op_result(reader, 0);
  }
  return ECHO_NOWHERE;
}

/* Position of the op that a concatenation is computed in: its only reader, or that one's and so on
 * where the last takes no memory of its own; its own position where it is read as a whole. */
static uint32_t place_of_laid(Decision *decision, uint32_t position)
{
  EchoMovement *movement = decision->movement;
  uint32_t first = only_reader(movement, echo_op_result(movement->ops.data[position].op, 0));
  if (first == ECHO_NOWHERE)
    return position;
  uint32_t root = decision->after.root[result_value(movement, &movement->ops.data[position])],
           last = first;
  decision->after.is_inside[root] = true;
  uint32_t at = first;
  for (int step = 0; step < MAX_READERS && at != ECHO_NOWHERE; ++step) {
    uint32_t value = result_value(movement, &movement->ops.data[at]);
    bool is_free = movement->values.data[decision->after.root[value]].is_free;
    last = is_free ? at : last;
    at = is_free ? ECHO_NOWHERE : only_reader(movement, movement->values.data[value].value);
  }
  for (at = first; at != last;) {
    uint32_t value = result_value(movement, &movement->ops.data[at]);
    echo_movement_join(movement, value, root);
    decision->after.is_inside[decision->after.root[value]] = true;
    at = only_reader(movement, movement->values.data[value].value);
  }
  return last;
}

/* Where op `i` reads: a pad is computed in the sum that is its only reader. */
static uint32_t place_of_read(const EchoMovement *movement, Version *version, uint32_t i)
{
  const EchoMovedOp *op = &movement->ops.data[i];
  if (echo_hlo_opcode(op->op) != ECHO_HLO_PAD)
    return i;
  uint32_t reader = only_reader(movement, echo_op_result(op->op, 0));
  if (reader == ECHO_NOWHERE || movement->ops.data[reader].sum == ECHO_NOWHERE)
    return i;
  version->is_inside[version->root[result_value(movement, op)]] = true;
  return reader;
}

/* Notes that what op `i` computes may be written over the value, where that dies there. */
static bool give_place(const EchoMovement *movement, Version *version, const EchoValue *value,
                       uint32_t i)
{
  uint32_t number = echo_movement_value(movement, value);
  uint32_t root = number != ECHO_NOWHERE ? version->root[number] : ECHO_NOWHERE;
  uint32_t result = result_value(movement, &movement->ops.data[i]);
  uint64_t bytes = 0, own = 1;
  if (root == ECHO_NOWHERE || movement->values.data[version->root[result]].is_free ||
      version->last[root] != i || movement->values.data[root].is_free ||
      !echo_type_bytes(movement->values.data[root].value->type, &bytes) ||
      !echo_type_bytes(echo_op_result_type(movement->ops.data[i].op, 0), &own) || bytes != own)
    return false;
  version->gives_place[root] = true;
  return true;
}

/* What an op computes element by element, or updates, may be written over an operand that nobody
 * reads later: it then takes no memory beside it. */
static void find_given_places(const EchoMovement *movement, Version *version, bool is_after)
{
  for (uint32_t i = 0; i < movement->ops.size; ++i) {
    const EchoMovedOp *op = &movement->ops.data[i];
    uint64_t traits = op->op->info->traits;
    if (is_after && (op->is_dead || op->is_forwarded || op->is_laid)) {
      if (op->is_forwarded && op->adds_zero && echo_view_n_ops(&op->through, op->source->type) == 0)
        give_place(movement, version, op->source, i);
      continue;
    }
    if ((traits & (ECHO_ELEMENTWISE | ECHO_UPDATES)) == 0 || op->op->n_results != 1)
      continue;
    uint32_t n = (traits & ECHO_UPDATES) != 0 ? 1 : op->op->n_operands, k = 0;
    while (k < n && !give_place(movement, version, echo_op_operand(op->op, k), i))
      ++k;
  }
}

/* Readers stand behind what they read, so what dies is found from the end. */
static void find_lives(Decision *decision)
{
  EchoMovement *movement = decision->movement;
  uint32_t n = (uint32_t)movement->ops.size;
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t place = place_of_read(movement, &decision->before, i);
    for_each_read(decision, &movement->ops.data[i], false, note_before, place);
    for_each_read(decision, &movement->ops.data[i], true, count_use, i);
  }
  for (uint32_t i = n; i-- > 0;) {
    EchoMovedOp *op = &movement->ops.data[i];
    op->is_dead = echo_op_is_dead_if_unused(op->op) && is_unused(decision, op);
    if (op->is_dead)
      for_each_read(decision, op, true, drop_use, i);
    else if (!takes_place_of_source(op))
      for_each_read(decision, op, true, note_after,
                    op->is_laid ? place_of_laid(decision, i)
                                : place_of_read(movement, &decision->after, i));
  }
}

/* ---- what changes, by group ---- */

static void add_life(Decision *decision, uint32_t value, const Version *version, int64_t bytes)
{
  const EchoMovement *movement = decision->movement;
  uint32_t op = movement->values.data[value].op, first = op == ECHO_NOWHERE ? 0 : op;
  uint32_t last = version->last[value] - version->gives_place[value];
  last = version->last[value] == 0 || last < first ? first : last;
  uint32_t group = echo_movement_group(decision->movement, value);
  echo_vector_push(&decision->events, (Event){group, first, bytes});
  echo_vector_push(&decision->events, (Event){group, last + 1, -bytes});
}

static void add_events(Decision *decision)
{
  const EchoMovement *movement = decision->movement;
  for (uint32_t v = 0; v < movement->values.size; ++v) {
    const EchoMovedValue *value = &movement->values.data[v];
    uint64_t bytes;
    if (value->is_free || !echo_type_bytes(value->value->type, &bytes))
      continue;
    bool was = decision->before.root[v] == v && !decision->before.is_inside[v];
    bool is = decision->after.root[v] == v && !decision->after.is_inside[v] &&
              (value->op == ECHO_NOWHERE || !movement->ops.data[value->op].is_dead);
    if (was && is && decision->before.last[v] == decision->after.last[v] &&
        decision->before.gives_place[v] == decision->after.gives_place[v])
      continue;
    if (was)
      add_life(decision, v, &decision->before, -(int64_t)bytes);
    if (is)
      add_life(decision, v, &decision->after, (int64_t)bytes);
  }
}

static void count_ops(Decision *decision)
{
  EchoMovement *movement = decision->movement;
  for (uint32_t i = 0; i < movement->ops.size; ++i) {
    const EchoMovedOp *op = &movement->ops.data[i];
    if (op->op->n_results == 0 || (!op->is_forwarded && !op->is_laid && !op->is_dead))
      continue;
    int64_t *n = &decision->n_more_ops[echo_movement_group(movement, result_value(movement, op))];
    *n -= !is_free_op(op->op);
    if (op->is_forwarded && !op->is_dead)
      *n += (int64_t)echo_view_n_ops(&op->through, op->source->type) + op->adds_zero;
    else if (op->is_laid && !op->is_dead)
      *n += 1 + movement->parts.data[movement->sums.data[op->sum].last].adds_zero;
  }
}

static int compare_events(const void *a, const void *b)
{
  const Event *x = a, *y = b;
  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  return (x->position > y->position) - (x->position < y->position);
}

static void judge(Decision *decision)
{
  size_t n = decision->events.size;
  Event *events = decision->events.data;
  int64_t alive = 0;
  if (n != 0)
    qsort(events, n, sizeof *events, compare_events);
  for (size_t i = 0; i < n; ++i) {
    alive += events[i].bytes;
    bool is_last = i + 1 == n || compare_events(&events[i], &events[i + 1]) != 0;
    if (is_last && alive > 0)
      decision->is_rejected[events[i].group] = true;
  }
  for (uint32_t v = 0; v < decision->movement->values.size; ++v)
    decision->is_rejected[v] |= decision->n_more_ops[v] > 0;
}

/* Reads what a reader other than movement reads later, or what is there all the time. */
static bool is_safe(const EchoMovement *movement, const EchoMovedOp *op, uint32_t position)
{
  uint32_t number = echo_movement_value(movement, op->source);
  if (echo_view_n_ops(&op->through, op->source->type) + op->adds_zero > !is_free_op(op->op))
    return false;
  if (number == ECHO_NOWHERE)
    return true;
  const EchoMovedValue *root = &movement->values.data[movement->values.data[number].root];
  return root->is_free || root->last_firm_read >= position;
}

/* Drops what is rejected: of a group with sums that would be concatenations, those at first.
 * Returns whether anything was dropped. */
static bool drop_rejected(Decision *decision, bool *has_laid)
{
  EchoMovement *movement = decision->movement;
  bool any = false;
  for (uint32_t i = 0; i < movement->ops.size; ++i)
    if (movement->ops.data[i].is_laid)
      has_laid[echo_movement_group(movement, result_value(movement, &movement->ops.data[i]))] =
          true;
  for (uint32_t i = 0; i < movement->ops.size; ++i) {
    EchoMovedOp *op = &movement->ops.data[i];
    if (!op->is_forwarded && !op->is_laid)
      continue;
    uint32_t group = echo_movement_group(movement, result_value(movement, op));
    if (!decision->is_rejected[group])
      continue;
    bool was_forwarded = op->is_forwarded, was_laid = op->is_laid;
    if (op->is_forwarded && !has_laid[group])
      op->is_forwarded = is_safe(movement, op, i);
    op->is_laid = false;
    any |= was_laid || was_forwarded != op->is_forwarded;
  }
  return any;
}

static bool *new_flags(EchoArena *arena, size_t n)
{
  bool *flags = ECHO_ARENA_ARRAY(arena, bool, n);
  memset(flags, 0, n * sizeof *flags);
  return flags;
}

/* Looks at the block as it would be and drops what is dearer; whether anything was. */
static bool decide_once(EchoMovement *movement)
{
  EchoArena *arena = movement->arena;
  size_t n = movement->values.size + 1;
  uint32_t *numbers = ECHO_ARENA_ARRAY(arena, uint32_t, 5 * n);
  memset(numbers, 0, 5 * n * sizeof *numbers);
  Decision decision = {
      .movement = movement,
      .before = {numbers, numbers + n, new_flags(arena, n), new_flags(arena, n)},
      .after = {numbers + 2 * n, numbers + 3 * n, new_flags(arena, n), new_flags(arena, n)},
      .n_uses = numbers + 4 * n,
      .n_more_ops = ECHO_ARENA_ARRAY(arena, int64_t, n),
      .is_rejected = new_flags(arena, n)};
  memset(decision.n_more_ops, 0, n * sizeof *decision.n_more_ops);
  find_roots(&decision);
  find_lives(&decision);
  find_given_places(movement, &decision.before, false);
  find_given_places(movement, &decision.after, true);
  add_events(&decision);
  count_ops(&decision);
  judge(&decision);
  bool any = drop_rejected(&decision, new_flags(arena, n));
  echo_vector_destroy(&decision.events);
  return any;
}

void echo_movement_decide(EchoMovement *movement)
{
  EchoArenaMark mark = echo_arena_mark(movement->arena);
  /* Concatenations are dropped first, then what still is dearer; the last look finds what dies. */
  for (bool changed = true; changed;) {
    changed = decide_once(movement);
    echo_arena_reset(movement->arena, mark);
  }
}
