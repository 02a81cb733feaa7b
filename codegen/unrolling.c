/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which loops LLVM is told to leave as they are. Its pass that unrolls counts a loop's
 * instructions, those of all loops inside it with them, before it asks whether the loop may be
 * unrolled at all, and goes through all passes of one that is too large, for what would be constant
 * in them: the loops of which it is known here what comes out need neither. Places are constant in
 * most, which loads and stores would find by themselves; unrolled for that, up to four times as
 * long, a loop is no faster, and code is made of all of it. It is where sums stand in memory of a
 * task's own, which goes into registers then. And staging (staging.c) would take more instructions
 * unrolled than the sums that it serves. */
#include "codegen/emit_t.h"
#include "codegen/target_t.h"
#include "dialects/arith/arith.h"

/* Of LLVM's loop-unroll<O2>: instructions of all passes, and how many times that where the rest
 * would be constant. */
enum { MOST_SIZE = 150, MOST_GAIN = 4 };

bool echo_emit_runs_once(const EchoOp *loop)
{
  int64_t low = 0, high = 0, step = 0;
  return echo_arith_constant_i64(echo_op_operand(loop, 0), &low) &&
         echo_arith_constant_i64(echo_op_operand(loop, 1), &high) &&
         echo_arith_constant_i64(echo_op_operand(loop, 2), &step) && low < high && step > 0 &&
         low >= high - step;
}

static bool is_loop(const EchoOp *op)
{
  return echo_op_is(op, "scf.while") || (echo_op_is(op, "scf.for") && !echo_emit_runs_once(op));
}

static bool holds_loop(const EchoOp *loop)
{
  for (EchoOp *op = echo_op_walk_next(loop, (EchoOp *)loop); op != NULL;
       op = echo_op_walk_next(loop, op))
    if (is_loop(op))
      return true;
  return false;
}

/* high - low where that is a constant. */
static bool constant_extent(const EchoOp *loop, int64_t *extent)
{
  const EchoValue *low = echo_op_operand(loop, 0), *high = echo_op_operand(loop, 1);
  const EchoOp *sum = echo_value_def_or_null(high);
  int64_t from = 0;
  if (sum != NULL && echo_op_is(sum, "arith.addi") && echo_op_operand(sum, 0) == low)
    return echo_arith_constant_i64(echo_op_operand(sum, 1), extent);
  if (!echo_arith_constant_i64(low, &from) || !echo_arith_constant_i64(high, extent))
    return false;
  *extent -= from;
  return true;
}

/* One task alone is task 0: LLVM finds more constants than stand in the IR. */
static bool is_of_one_task(const EchoOp *op)
{
  const EchoOp *task = echo_block_parent(op->block);
  int64_t n = 0;
  while (task != NULL && !echo_op_is(task, "scf.parallel"))
    task = echo_block_parent(task->block);
  return task == NULL || (echo_arith_constant_i64(echo_op_operand(task, 1), &n) && n == 1);
}

static bool carries_vectors(const EchoOp *loop)
{
  return loop->n_results > 0 && echo_op_result_type(loop, 0)->kind == ECHO_TYPE_VECTOR;
}

/* Its count is too large and stays so: LLVM makes passes fewer by vectors in an innermost loop
 * only, and in none that has vectors. */
static bool has_too_many_passes(const EchoOp *loop, int64_t extent)
{
  int64_t step = 1;
  bool keeps_count = holds_loop(loop) || carries_vectors(loop);
  return keeps_count && echo_arith_constant_i64(echo_op_operand(loop, 2), &step) && step > 0 &&
         extent > ECHO_MOST_PASSES_UNROLLED * step;
}

int64_t echo_emit_passes(const EchoOp *loop)
{
  int64_t extent = 0, step = 0;
  bool is_known = constant_extent(loop, &extent) &&
                  echo_arith_constant_i64(echo_op_operand(loop, 2), &step) && step > 0 &&
                  extent > step;
  return is_known ? (extent + step - 1) / step : 1;
}

/* What no constant makes go away: memory and arithmetic of floats; beside sums of vectors, whatever
 * is computed, as LLVM counts it. */
static bool is_lasting(const EchoOp *op)
{
  if (op->n_results == 0 || echo_op_is(op, "arith.constant"))
    return op->n_results == 0 && !echo_op_is(op, "scf.yield");
  EchoTypeKind kind = echo_op_result_type(op, 0)->kind;
  bool is_float = kind == ECHO_TYPE_VECTOR || kind == ECHO_TYPE_FLOAT;
  return (is_float && !echo_op_is(op, "arith.select")) ||
         carries_vectors(echo_block_parent(op->block));
}

/* Of a load or a store of one element: where, and what. */
static bool is_access(const EchoOp *op, const EchoValue **memory, const EchoType **type)
{
  bool is_store = echo_op_is(op, "memref.store"), is_load = echo_op_is(op, "memref.load");
  if (is_store || is_load) {
    *memory = echo_op_operand(op, is_store ? 1 : 0);
    *type = is_store ? echo_op_operand_type(op, 0) : echo_op_result_type(op, 0);
  }
  return is_store || is_load;
}

/* What the loads and stores inside of a loop say of it. */
typedef struct Accesses {
  int64_t widest; /* bytes of an element */
  bool has_sums;  /* stores to memory of the task's own */
} Accesses;

static Accesses accesses(const EchoOp *loop)
{
  Accesses found = {.widest = 1};
  for (EchoOp *op = echo_op_walk_next(loop, (EchoOp *)loop); op != NULL;
       op = echo_op_walk_next(loop, op)) {
    const EchoValue *memory;
    const EchoType *type;
    if (!is_access(op, &memory, &type))
      continue;
    int64_t bytes = (int64_t)echo_type_element_bytes(type);
    found.widest = bytes > found.widest ? bytes : found.widest;
    found.has_sums |= op->n_results == 0 && echo_emit_allocation_or_null(memory) != NULL;
  }
  return found;
}

/* Passes that are left to unroll: those of a parallel loop that holds none become vectors. */
static int64_t passes_left(const EchoEmitter *emitter, const EchoOp *loop, int64_t widest,
                           bool holds)
{
  int64_t passes = echo_emit_passes(loop);
  int64_t lanes = (int64_t)emitter->vector_register_bytes / widest;
  bool in_vectors = echo_op_has_attr(loop, "kernel.parallel") && !holds && lanes > 1;
  return in_vectors ? 1 + (passes - 1) / lanes : passes;
}

/* Whether it may be unrolled, of which a pass takes `size` instructions; `holds`: a loop among
 * them. LLVM takes several vectors a pass, fewer passes then. Beyond MOST_SIZE it goes through a
 * loop that holds none op by op: in sums of vectors nothing is constant. */
static bool may_unroll(const EchoEmitter *emitter, const EchoOp *loop, int64_t size, bool holds)
{
  int64_t extent = 0;
  if (!echo_op_is(loop, "scf.for"))
    return false;
  if (!constant_extent(loop, &extent))
    return is_of_one_task(loop);
  Accesses inside = accesses(loop);
  int64_t passes = passes_left(emitter, loop, inside.widest, holds);
  bool gains = inside.has_sums && !holds && !carries_vectors(loop);
  int64_t most = gains ? MOST_SIZE * MOST_GAIN : MOST_SIZE;
  bool in_vectors = echo_op_has_attr(loop, "kernel.parallel") && !holds;
  return (in_vectors || passes <= ECHO_MOST_PASSES_UNROLLED) && size <= most / passes;
}

/* Additions that find the place of a load or a store; beside sums of vectors, which are counted
 * for what they are, none. */
static int64_t sums_of_place(const EchoOp *op)
{
  int64_t n = (int64_t)op->n_operands;
  if (carries_vectors(echo_block_parent(op->block)))
    return 0;
  if (echo_op_is(op, "memref.load"))
    return n > 2 ? n - 2 : 0;
  return echo_op_is(op, "memref.store") && n > 3 ? n - 3 : 0;
}

static int64_t size_of(const EchoEmitter *emitter, const EchoOp *op, bool *holds);

static int64_t size_of_pass(const EchoEmitter *emitter, const EchoOp *op, bool *holds)
{
  int64_t size = 0;
  for (uint32_t r = 0; r < op->n_regions; ++r)
    for (const EchoBlock *block = op->regions[r].first; block != NULL; block = block->next)
      for (const EchoOp *each = block->first; each != NULL; each = each->next)
        size += size_of(emitter, each, holds);
  return size;
}

/* About as many instructions as are left of the op where LLVM has unrolled what it can, as it
 * counts them, and rather fewer; *holds: whether there are loops among them. */
static int64_t size_of(const EchoEmitter *emitter, const EchoOp *op, bool *holds)
{
  if (op->n_regions == 0)
    return is_lasting(op) && echo_emit_needs(emitter, op) ? 1 + sums_of_place(op) : 0;
  if (!is_loop(op))
    return size_of_pass(emitter, op, holds);
  bool holds_inside = false;
  int64_t size = size_of_pass(emitter, op, &holds_inside);
  bool stays = !may_unroll(emitter, op, size, holds_inside);
  *holds |= stays;
  return stays ? size : size * passes_left(emitter, op, accesses(op).widest, holds_inside);
}

static EchoUnrolling by_size(const EchoEmitter *emitter, const EchoOp *loop)
{
  bool holds = false;
  int64_t size = size_of_pass(emitter, loop, &holds);
  if (may_unroll(emitter, loop, size, holds))
    return ECHO_MAY_UNROLL;
  bool in_vectors = echo_op_has_attr(loop, "kernel.parallel") && !holds;
  return in_vectors ? ECHO_VECTORS_STAY_ROLLED : ECHO_STAYS_ROLLED;
}

EchoUnrolling echo_emit_unrolling(const EchoEmitter *emitter, const EchoOp *loop)
{
  int64_t extent = 0;
  if (echo_emit_is_long_staging(emitter, loop))
    return ECHO_STAYS_ROLLED;
  if (!constant_extent(loop, &extent))
    return is_of_one_task(loop) ? ECHO_MAY_UNROLL : ECHO_STAYS_ROLLED;
  if (extent <= 0)
    return ECHO_MAY_UNROLL;
  return has_too_many_passes(loop, extent) ? ECHO_STAYS_ROLLED : by_size(emitter, loop);
}
