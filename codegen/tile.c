/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A tile of sums in parts that the target's vector registers hold. Lowering cuts a product the same
 * way for every processor, so that its bits are one; a loop that it marks `kernel.tile = [rows,
 * vectors]` ends its passes in that many stores, row by row, of sums that have nothing to do with
 * one another. Where they are more than there are registers, the pass is emitted once for each
 * part of them, each time with only what those stores need. */
#include "base/vector.h"
#include "codegen/emit_t.h"

enum { MOST_STORES = 256 };

typedef struct Tile {
  int64_t rows, vectors;       /* of the whole, or of a part */
  int64_t registers;           /* that one vector takes */
  const EchoOp *const *stores; /* of the whole, row by row */
} Tile;

static int64_t divide_up(int64_t a, int64_t b)
{
  return (a + b - 1) / b;
}

/* Beside the sums: a row's vectors, and a factor in all lanes. */
static bool fits(const EchoEmitter *emitter, int64_t rows, int64_t vectors)
{
  return (rows + 1) * vectors + 1 <= emitter->n_vector_registers;
}

/* The part for which all of them take the fewest half cycles: a step takes two multiply-adds or
 * two loads a cycle, and four cycles from a sum to its next. */
static Tile part_of(const EchoEmitter *emitter, const Tile *whole)
{
  enum { LATENCY = 8 };
  Tile best = {.rows = 1, .vectors = 1, .registers = whole->registers};
  int64_t least = INT64_MAX;
  for (int64_t r = whole->rows; r > 0; --r)
    for (int64_t v = whole->vectors; v > 0; --v) {
      int64_t width = v * whole->registers, step = r * width;
      bool is_even = divide_up(whole->rows, divide_up(whole->rows, r)) == r;
      if (!is_even || !fits(emitter, r, width))
        continue;
      step = step < r + width ? r + width : step;
      step = step < LATENCY ? LATENCY : step;
      int64_t all = divide_up(whole->rows, r) * divide_up(whole->vectors, v) * step;
      if (all >= least)
        continue;
      least = all;
      best.rows = r;
      best.vectors = v;
    }
  return best;
}

/* ---- what the stores of a part need ---- */

typedef struct Need {
  EchoMap *needed; /* ops and values of the pass */
  const EchoBlock *pass;
  ECHO_VECTOR(const EchoValue *) values; /* whose needs are to be looked at */
} Need;

static bool is_in_pass(const Need *need, const EchoValue *value)
{
  const EchoBlock *block = echo_value_block(value);
  while (block != NULL && block != need->pass) {
    const EchoOp *parent = echo_block_parent(block);
    block = parent != NULL ? parent->block : NULL;
  }
  return block != NULL;
}

static void need_value(Need *need, const EchoValue *value)
{
  if (is_in_pass(need, value) && echo_map_insert(need->needed, echo_key(value), 1))
    echo_vector_push(&need->values, value);
}

static void need_operands(Need *need, const EchoOp *op, size_t begin, size_t end)
{
  echo_map_set(need->needed, echo_key(op), 1);
  for (size_t i = begin; i < end; ++i)
    need_value(need, echo_op_operand(op, i));
}

/* Carried value i of a loop: what it starts from, its next, its last, and the loop's range. */
static void need_carried(Need *need, const EchoOp *loop, size_t i)
{
  const EchoBlock *body = echo_op_body(loop, 0);
  need_operands(need, loop, 0, 3);
  need_value(need, echo_op_operand(loop, i + 3));
  need_value(need, echo_op_operand(body->last, i));
  need_value(need, echo_block_arg(body, (uint32_t)i + 1));
  need_value(need, echo_op_result(loop, i));
}

static void find_needs(Need *need)
{
  while (need->values.size > 0) {
    const EchoValue *value = echo_vector_pop(&need->values);
    const EchoOp *def = echo_value_def_or_null(value);
    const EchoOp *loop = def != NULL ? def : echo_block_parent(echo_value_block(value));
    if (def != NULL && def->n_regions == 0)
      need_operands(need, def, 0, def->n_operands);
    else if (def != NULL)
      need_carried(need, loop, value->index);
    else if (value->index > 0)
      need_carried(need, loop, value->index - 1);
  }
}

static bool emit_part(EchoEmitter *emitter, const EchoBlock *pass, const Tile *whole,
                      const Tile *part, int64_t row, int64_t vector)
{
  EchoMap needed = {0};
  Need need = {.needed = &needed, .pass = pass};
  for (int64_t r = row; r < row + part->rows && r < whole->rows; ++r)
    for (int64_t v = vector; v < vector + part->vectors && v < whole->vectors; ++v) {
      const EchoOp *store = whole->stores[r * whole->vectors + v];
      need_operands(&need, store, 0, store->n_operands);
    }
  find_needs(&need);
  emitter->needed = &needed;
  bool fine = echo_emit_block(emitter, pass);
  emitter->needed = NULL;
  echo_map_destroy(&needed);
  echo_vector_destroy(&need.values);
  return fine;
}

/* ---- whether it is a tile ---- */

static bool is_plain(const EchoOp *op)
{
  bool is_loop = echo_op_is(op, "scf.for") && !echo_op_has_attr(op, "kernel.parallel");
  return is_loop || echo_op_is(op, "scf.yield") ||
         (op->n_regions == 0 && (op->info->traits & (ECHO_PURE | ECHO_READS_MEMORY)) != 0);
}

/* The stores of the pass, which has no other effect, to `stores`, of which there are n. */
static bool find_stores(const EchoOp *loop, const EchoOp **stores, int64_t n)
{
  const EchoBlock *pass = echo_op_body(loop, 0);
  int64_t found = 0;
  for (EchoOp *op = echo_op_walk_next(loop, (EchoOp *)loop); op != NULL;
       op = echo_op_walk_next(loop, op)) {
    bool is_store = echo_op_is(op, "vector.store") && op->block == pass;
    if (is_store && found < n)
      stores[found++] = op;
    else if (!is_plain(op))
      return false;
  }
  return found == n;
}

static int64_t registers_of(const EchoEmitter *emitter, const EchoOp *store)
{
  const EchoType *type = echo_op_operand_type(store, 0);
  int64_t bytes =
      type->as.shaped.dims[0] * (int64_t)echo_type_element_bytes(type->as.shaped.element);
  return divide_up(bytes, emitter->vector_register_bytes);
}

/* Whether the loop's passes are tiles that have to be split; fills *whole. */
static bool is_split(const EchoEmitter *emitter, const EchoOp *loop, const EchoOp **stores,
                     Tile *whole)
{
  const EchoAttr *sizes = echo_op_attr_or_null(loop, "kernel.tile");
  if (!echo_attr_is_i64_array(sizes) || echo_attr_ints_size(sizes) != 2 ||
      emitter->n_vector_registers == 0 || emitter->needed != NULL)
    return false;
  int64_t rows = echo_attr_ints_get(sizes, 0), vectors = echo_attr_ints_get(sizes, 1);
  if (rows < 1 || vectors < 1 || rows > MOST_STORES / vectors ||
      !find_stores(loop, stores, rows * vectors))
    return false;
  *whole = (Tile){rows, vectors, registers_of(emitter, stores[0]), stores};
  return !fits(emitter, rows, vectors * whole->registers);
}

bool echo_emit_pass(EchoEmitter *emitter, const EchoOp *loop)
{
  const EchoBlock *pass = echo_op_body(loop, 0);
  const EchoOp *stores[MOST_STORES];
  Tile whole;
  if (!is_split(emitter, loop, stores, &whole))
    return echo_emit_block(emitter, pass);
  Tile part = part_of(emitter, &whole);
  for (int64_t v = 0; v < whole.vectors; v += part.vectors)
    for (int64_t r = 0; r < whole.rows; r += part.rows)
      if (!emit_part(emitter, pass, &whole, &part, r, v))
        return false;
  return true;
}
