/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Orders of uses. A reader of bytecode puts each use before those that it has, so the last one
 * stands first; where MLIR had them in another order it says so. It has where it lowered ops to an
 * older version: an op that was made anew uses its operands after all others do, and the uses of
 * what it replaces went over to it one by one, first to last. */
#include <stdlib.h>

#include "ir/bytecode/writer_t.h"

typedef struct Use {
  uint64_t id; /* number of the op in pre-order, number of the operand */
  bool is_remade;
  uint32_t place; /* in MLIR's list */
} Use;

static int last_first(const void *a, const void *b)
{
  uint64_t x = ((const Use *)a)->id, y = ((const Use *)b)->id;
  return (x < y) - (x > y);
}

static Use *list_uses(EchoBytecodeWriter *w, const EchoValue *value, size_t n)
{
  Use *uses = ECHO_ARENA_ARRAY(&w->memory, Use, n + 1);
  size_t at = 0;
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next) {
    uint64_t op = echo_map_get_or(&w->op_index, echo_key(use->owner), 0);
    uses[at++] = (Use){op << 32 | echo_use_operand_index(use), w->ops.data[op].is_remade, 0};
  }
  qsort(uses, n, sizeof *uses, last_first);
  return uses;
}

/* Fills in the places, of uses that stand last first; false: they are so in MLIR's list too. */
static bool place(Use *uses, size_t n, bool is_remade)
{
  size_t n_remade = 0, next[2];
  for (size_t i = 0; i < n; i++)
    n_remade += uses[i].is_remade;
  next[true] = is_remade ? n - n_remade : 0;
  next[false] = is_remade ? 0 : n_remade;
  bool differs = false;
  for (size_t i = 0; i < n; i++) {
    Use *use = &uses[is_remade ? n - 1 - i : i];
    use->place = (uint32_t)next[use->is_remade]++;
  }
  for (size_t i = 0; i < n; i++)
    differs |= uses[i].place != i;
  return differs;
}

static void put_order(EchoBuffer *out, const Use *uses, size_t n)
{
  size_t n_moved = 0;
  for (size_t i = 0; i < n; i++)
    n_moved += uses[i].place != i;
  bool are_pairs = n_moved < n / 2;
  echo_bytecode_append_flagged(out, are_pairs ? n_moved * 2 : n, are_pairs);
  for (size_t i = 0; i < n; i++) {
    if (are_pairs && uses[i].place == i)
      continue;
    echo_bytecode_append_varint(out, uses[i].place);
    if (are_pairs)
      echo_bytecode_append_varint(out, i);
  }
}

bool echo_bytecode_put_use_orders(EchoBytecodeWriter *w, EchoBuffer *out, EchoValue *const *values,
                                  size_t n, bool is_remade)
{
  EchoBuffer orders = {0};
  size_t n_orders = 0;
  for (size_t v = 0; v < n; v++) {
    size_t n_uses = echo_value_n_uses(values[v]);
    if (n_uses < 2)
      continue;
    EchoArenaMark mark = echo_arena_mark(&w->memory);
    Use *uses = list_uses(w, values[v], n_uses);
    if (place(uses, n_uses, is_remade)) {
      n_orders++;
      if (n != 1)
        echo_bytecode_append_varint(&orders, v);
      put_order(&orders, uses, n_uses);
    }
    echo_arena_reset(&w->memory, mark);
  }
  if (n_orders != 0 && n != 1)
    echo_bytecode_append_varint(out, n_orders);
  echo_buffer_append(out, orders.data, orders.size);
  echo_buffer_destroy(&orders);
  return n_orders != 0;
}
