/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which loops LLVM is told to leave as they are. Its pass that unrolls counts a loop's
 * instructions, those of all loops inside it with them, before it asks whether the loop may be
 * unrolled at all: the loops of which that is known here need no count, and have the same code. And
 * a staging loop, which fills or copies memory of the task's own and is gone through once a task,
 * would take more instructions unrolled than the sums that it serves. */
#include "codegen/emit_t.h"
#include "codegen/target_t.h"
#include "dialects/arith/arith.h"

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

/* Its count is too large and stays so: LLVM makes passes fewer by vectors in an innermost loop
 * only, and in none that has vectors. */
static bool has_too_many_passes(const EchoOp *loop, int64_t extent)
{
  int64_t step = 1;
  bool keeps_count = holds_loop(loop) || (loop->n_results > 0 &&
                                          echo_op_result_type(loop, 0)->kind == ECHO_TYPE_VECTOR);
  return keeps_count && echo_arith_constant_i64(echo_op_operand(loop, 2), &step) && step > 0 &&
         extent > ECHO_MOST_PASSES_UNROLLED * step;
}

/* Whether LLVM cannot unroll it. */
static bool stays_long(const EchoOp *loop)
{
  int64_t extent = 0;
  return constant_extent(loop, &extent) ? has_too_many_passes(loop, extent) : !is_of_one_task(loop);
}

/* ---- staging ---- */

static bool is_on_stack(const EchoValue *memory)
{
  const EchoOp *def = echo_value_def_or_null(memory);
  while (def != NULL &&
         (echo_op_is(def, "memref.collapse_shape") || echo_op_is(def, "memref.expand_shape")))
    def = echo_value_def_or_null(echo_op_operand(def, 0));
  return def != NULL && echo_op_is(def, "memref.alloca");
}

/* The store of a loop that stores one value, a constant or what it loads, to or from the stack, and
 * does nothing else but find the places. */
static const EchoOp *stages_or_null(const EchoOp *loop)
{
  const EchoOp *store = NULL, *load = NULL;
  for (const EchoOp *op = echo_op_body(loop, 0)->first; op != NULL; op = op->next) {
    bool is_store = echo_op_is(op, "memref.store"), is_load = echo_op_is(op, "memref.load");
    if ((is_store && store != NULL) || (is_load && load != NULL))
      return NULL;
    store = is_store ? op : store;
    load = is_load ? op : load;
    bool finds_place = op->n_results == 1 && op->n_regions == 0 &&
                       echo_op_result_type(op, 0)->kind == ECHO_TYPE_INDEX;
    if (!is_store && !is_load && !finds_place && !echo_op_is(op, "scf.yield"))
      return NULL;
  }
  if (store == NULL)
    return NULL;
  bool copies = load != NULL && echo_op_operand(store, 0) == echo_op_result(load, 0);
  bool is_staging =
      is_on_stack(echo_op_operand(store, 1)) || (copies && is_on_stack(echo_op_operand(load, 0)));
  return (load == NULL || copies) && is_staging ? store : NULL;
}

/* Whether the op's block holds nothing else but what finds places. */
static bool is_alone(const EchoOp *op)
{
  for (const EchoOp *each = op->block->first; each != NULL; each = each->next)
    if (each != op &&
        (each->n_regions != 0 || (each->n_results == 0 && !echo_op_is(each, "scf.yield"))))
      return false;
  return true;
}

static int64_t passes_or_one(const EchoOp *loop)
{
  int64_t extent = 0, step = 0;
  bool is_known = constant_extent(loop, &extent) &&
                  echo_arith_constant_i64(echo_op_operand(loop, 2), &step) && step > 0 &&
                  extent > step;
  return is_known ? (extent + step - 1) / step : 1;
}

/* Passes of the loop and of those around it that hold nothing but it, up to the task's own block; 0
 * where they do not stand there. */
static int64_t passes_in_task(const EchoOp *loop)
{
  const EchoOp *parent = echo_block_parent(loop->block);
  int64_t passes = passes_or_one(loop);
  while (parent != NULL && echo_op_is(parent, "scf.for") && is_alone(loop)) {
    loop = parent;
    parent = echo_block_parent(loop->block);
    int64_t outer = passes_or_one(loop);
    passes = passes > INT32_MAX / outer ? INT32_MAX : passes * outer;
  }
  return parent != NULL && echo_op_is(parent, "scf.parallel") ? passes : 0;
}

/* As one loop it would have more passes, of a vector each, than LLVM unrolls. */
static bool is_long_staging(const EchoEmitter *emitter, const EchoOp *loop)
{
  const EchoOp *store = stages_or_null(loop);
  if (store == NULL || emitter->vector_register_bytes == 0)
    return false;
  int64_t bytes = (int64_t)echo_type_element_bytes(echo_op_operand_type(store, 0));
  return passes_in_task(loop) * bytes > ECHO_MOST_PASSES_UNROLLED * emitter->vector_register_bytes;
}

bool echo_emit_leaves_rolled(const EchoEmitter *emitter, const EchoOp *loop)
{
  return stays_long(loop) || (!holds_loop(loop) && is_long_staging(emitter, loop));
}
