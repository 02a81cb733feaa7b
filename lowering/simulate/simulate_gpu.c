/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The simulator's control and memory. Threads of a block go through the code in lockstep under a
 * mask; blocks run one after the other. Lockstep hides races, so memory remembers who touched what
 * since the last barrier. */
#include "lowering/simulate/simulate_gpu.h"

#include "base/map.h"
#include "base/vector.h"
#include "dialects/interfaces/denormals.h"
#include "dialects/interfaces/scalar.h"

/* Who touched an element: thread + 1 in this epoch of this block, and the block + 1 of the launch.
 */
typedef struct Touch {
  uint32_t epoch, reader, writer;        /* reader UINT32_MAX: several */
  uint32_t reading_block, writing_block; /* UINT32_MAX: several */
} Touch;

typedef struct Memory {
  char *data;
  size_t element_bytes;
  uint64_t n_elements;
  bool is_per_thread; /* n_elements for each thread, one after the other */
  Touch *touches;     /* NULL when per thread */
} Memory;

typedef struct Simulator {
  EchoContext *ctx;
  const EchoOp *func;
  EchoArena *arena;                 /* lanes and memories: for the whole run */
  EchoArena stack;                  /* masks: while a loop or branch runs */
  uint32_t n_threads, block, epoch; /* epochs count on over blocks */
  EchoMap lanes;                    /* value -> uint64_t[n_threads] */
  EchoMap memories;                 /* memref value -> Memory * */
  EchoMap rows;                     /* op row -> RunRow * */
} Simulator;

/* Runs an op in the threads of `mask`; false after an error. */
typedef bool RunFn(Simulator *s, const EchoOp *op, const bool *mask);
typedef struct RunRow {
  const char *name;
  RunFn *run;
} RunRow;

static uint64_t *lanes_of(Simulator *s, const EchoValue *value)
{
  uint64_t *lanes = echo_map_get_ptr(&s->lanes, value);
  if (lanes == NULL) {
    lanes = ECHO_ARENA_ARRAY(s->arena, uint64_t, s->n_threads);
    memset(lanes, 0, s->n_threads * sizeof *lanes);
    echo_map_set_ptr(&s->lanes, value, lanes);
  }
  return lanes;
}

static uint64_t *operand(Simulator *s, const EchoOp *op, size_t index)
{
  return lanes_of(s, echo_op_operand(op, index));
}

/* ---- memory ---- */

static Memory *add_memory(Simulator *s, const EchoValue *memref, void *data, bool is_per_thread)
{
  Memory *memory = ECHO_ARENA_NEW(s->arena, Memory);
  *memory = (Memory){.data = data,
                     .element_bytes = echo_type_element_bytes(memref->type->as.shaped.element),
                     .n_elements = (uint64_t)echo_type_static_n_elements(memref->type),
                     .is_per_thread = is_per_thread};
  size_t copies = is_per_thread ? s->n_threads : 1;
  if (data == NULL) {
    size_t bytes = memory->n_elements * memory->element_bytes * copies + 1;
    memory->data = echo_arena_alloc_aligned(s->arena, bytes, 64);
    memset(memory->data, 0xa5, bytes); /* what was never written shows */
  }
  if (!is_per_thread) {
    memory->touches = ECHO_ARENA_ARRAY(s->arena, Touch, memory->n_elements + 1);
    memset(memory->touches, 0, (memory->n_elements + 1) * sizeof(Touch));
  }
  echo_map_set_ptr(&s->memories, memref, memory);
  return memory;
}

/* Checks an access against the others since the last barrier, and of other blocks. */
static bool touch(Simulator *s, const EchoOp *op, Memory *memory, uint64_t index, uint32_t thread,
                  bool is_write, bool is_shared)
{
  Touch *t = &memory->touches[index];
  uint32_t me = thread + 1, block = s->block + 1;
  if (t->epoch != s->epoch)
    *t = (Touch){s->epoch, 0, 0, t->reading_block, t->writing_block};
  bool races =
      (t->writer != 0 && t->writer != me) || (is_write && t->reader != 0 && t->reader != me);
  if (races)
    return echo_op_error(op, "races: threads touch element %llu without a barrier in between",
                         (unsigned long long)index);
  if (!is_shared) {
    bool crosses = (t->writing_block != 0 && t->writing_block != block) ||
                   (is_write && t->reading_block != 0 && t->reading_block != block);
    if (crosses)
      return echo_op_error(op, "races: two blocks touch element %llu", (unsigned long long)index);
  }
  if (is_write) {
    t->writer = me;
    t->writing_block = block;
  } else {
    t->reader = t->reader == 0 || t->reader == me ? me : UINT32_MAX;
    t->reading_block = t->reading_block == 0 || t->reading_block == block ? block : UINT32_MAX;
  }
  return true;
}

static bool locate(Simulator *s, const EchoOp *op, size_t memref, uint32_t thread, uint64_t *index)
{
  const EchoType *type = echo_op_operand_type(op, memref);
  *index = 0;
  for (uint32_t i = 0; i < type->as.shaped.rank; ++i) {
    uint64_t at = operand(s, op, memref + 1 + i)[thread];
    if (at >= (uint64_t)echo_type_dim(type, i))
      return echo_op_error(op, "is out of bounds: index %lld of dimension %u is not below %lld",
                           (long long)at, i, (long long)echo_type_dim(type, i));
    *index = *index * (uint64_t)echo_type_dim(type, i) + at;
  }
  return true;
}

static bool access(Simulator *s, const EchoOp *op, const bool *mask, bool is_write)
{
  size_t memref = is_write ? 1 : 0;
  const EchoValue *view = echo_op_operand(op, memref);
  Memory *memory = echo_map_get_ptr(&s->memories, view);
  bool is_shared = view->type->as.shaped.memory_space != NULL;
  bool is_bool = echo_type_is_integer(view->type->as.shaped.element, 1);
  uint64_t *lanes = is_write ? operand(s, op, 0) : lanes_of(s, echo_op_result(op, 0));
  for (uint32_t t = 0; t < s->n_threads; ++t) {
    uint64_t index = 0, bits = 0;
    if (!mask[t])
      continue;
    if (!locate(s, op, memref, t, &index) ||
        (!memory->is_per_thread && !touch(s, op, memory, index, t, is_write, is_shared)))
      return false;
    char *at = memory->data + (index + (memory->is_per_thread ? t * memory->n_elements : 0)) *
                                  memory->element_bytes;
    if (is_write) {
      memcpy(at, &lanes[t], memory->element_bytes);
    } else {
      memcpy(&bits, at, memory->element_bytes);
      lanes[t] = is_bool ? bits & 1 : bits;
    }
  }
  return true;
}

/* ---- control ---- */

static bool run_block(Simulator *s, const EchoBlock *block, const bool *mask);

static bool any(const Simulator *s, const bool *mask)
{
  for (uint32_t t = 0; t < s->n_threads; ++t)
    if (mask[t])
      return true;
  return false;
}

static void copy_lanes(Simulator *s, const EchoValue *to, const EchoValue *from, const bool *mask)
{
  uint64_t *target = lanes_of(s, to), *source = lanes_of(s, from);
  for (uint32_t t = 0; t < s->n_threads; ++t)
    if (mask[t])
      target[t] = source[t];
}

/* All at once: a value passed on may be another one's source. */
static void pass_values(Simulator *s, EchoValue *const *to, EchoValue *const *from, size_t n,
                        const bool *mask)
{
  EchoArenaMark mark = echo_arena_mark(&s->stack);
  uint64_t *copies = ECHO_ARENA_ARRAY(&s->stack, uint64_t, n * s->n_threads + 1);
  for (size_t i = 0; i < n; ++i)
    memcpy(copies + i * s->n_threads, echo_map_get_ptr(&s->lanes, from[i]),
           s->n_threads * sizeof *copies);
  for (size_t i = 0; i < n; ++i) {
    uint64_t *target = echo_map_get_ptr(&s->lanes, to[i]);
    for (uint32_t t = 0; t < s->n_threads; ++t)
      if (mask[t])
        target[t] = copies[i * s->n_threads + t];
  }
  echo_arena_reset(&s->stack, mark);
}

static bool run_for_on_stack(Simulator *s, const EchoOp *op, const bool *mask)
{
  const EchoBlock *body = op->regions[0].first;
  uint64_t *index = lanes_of(s, echo_block_arg(body, 0)), *high = operand(s, op, 1);
  uint64_t *step = operand(s, op, 2);
  size_t n = op->n_results;
  bool *active = ECHO_ARENA_ARRAY(&s->stack, bool, s->n_threads);
  EchoValue **arguments = ECHO_ARENA_ARRAY(&s->stack, EchoValue *, n + 1);
  EchoValue **yielded = ECHO_ARENA_ARRAY(&s->stack, EchoValue *, n + 1);
  copy_lanes(s, echo_block_arg(body, 0), echo_op_operand(op, 0), mask);
  for (size_t i = 0; i < n; ++i) {
    arguments[i] = echo_block_arg(body, i + 1);
    yielded[i] = echo_op_operand(body->last, i);
    lanes_of(s, yielded[i]);
    copy_lanes(s, arguments[i], echo_op_operand(op, i + 3), mask);
  }
  for (;;) {
    for (uint32_t t = 0; t < s->n_threads; ++t)
      active[t] = mask[t] && (int64_t)index[t] < (int64_t)high[t];
    if (!any(s, active))
      break;
    if (!run_block(s, body, active))
      return false;
    pass_values(s, arguments, yielded, n, active);
    for (uint32_t t = 0; t < s->n_threads; ++t)
      if (active[t])
        index[t] += step[t];
  }
  for (size_t i = 0; i < n; ++i)
    copy_lanes(s, echo_op_result(op, i), arguments[i], mask);
  return true;
}

static bool run_if_on_stack(Simulator *s, const EchoOp *op, const bool *mask)
{
  uint64_t *condition = operand(s, op, 0);
  bool *active = ECHO_ARENA_ARRAY(&s->stack, bool, s->n_threads);
  for (size_t r = 0; r < 2; ++r) {
    const EchoBlock *block = op->regions[r].first;
    for (uint32_t t = 0; t < s->n_threads; ++t)
      active[t] = mask[t] && (condition[t] != 0) == (r == 0);
    if (block == NULL || !any(s, active))
      continue;
    if (!run_block(s, block, active))
      return false;
    for (uint32_t i = 0; i < op->n_results; ++i)
      copy_lanes(s, echo_op_result(op, i), echo_op_operand(block->last, i), active);
  }
  return true;
}

static bool run_barrier(Simulator *s, const EchoOp *op, const bool *mask)
{
  for (uint32_t t = 0; t < s->n_threads; ++t)
    if (!mask[t])
      return echo_op_error(op, "is not reached by all threads of the block");
  ++s->epoch;
  return true;
}

static uint64_t constant_bits(const EchoAttr *value)
{
  if (value->kind == ECHO_ATTR_FLOAT)
    return value->as.floating.bits;
  uint64_t bits = (uint64_t)value->as.integer.value;
  uint32_t width = value->type->kind == ECHO_TYPE_INDEX ? 64 : echo_type_bit_width(value->type);
  return width >= 64 ? bits : bits & ((UINT64_C(1) << width) - 1);
}

/* The same value in every thread, or the thread's own number. */
static void set_all(Simulator *s, const EchoOp *op, uint64_t value)
{
  uint64_t *lanes = lanes_of(s, echo_op_result(op, 0));
  for (uint32_t t = 0; t < s->n_threads; ++t)
    lanes[t] = value;
}

static bool run_scalar(Simulator *s, const EchoOp *op, const bool *mask)
{
  EchoScalarCase at;
  const EchoScalar *scalar = echo_scalar_or_null(op, &at);
  if (scalar == NULL || scalar->is_expanded || echo_type_is_shaped(echo_op_result_type(op, 0)))
    return echo_op_error(op, "is unknown to the simulator");
  uint64_t *in[ECHO_SCALAR_MAX_OPERANDS], *out[ECHO_SCALAR_MAX_RESULTS];
  for (uint32_t i = 0; i < op->n_operands; ++i)
    in[i] = operand(s, op, i);
  for (uint32_t i = 0; i < op->n_results; ++i)
    out[i] = lanes_of(s, echo_op_result(op, i));
  for (uint32_t t = 0; t < s->n_threads; ++t) {
    uint64_t values[ECHO_SCALAR_MAX_OPERANDS], results[ECHO_SCALAR_MAX_RESULTS];
    if (!mask[t])
      continue;
    for (uint32_t i = 0; i < op->n_operands; ++i)
      values[i] = in[i][t];
    if (scalar->evaluate(&at, values, results) == ECHO_SCALAR_POISON)
      return echo_op_error(op, "traps or gives poison");
    for (uint32_t i = 0; i < op->n_results; ++i)
      out[i][t] = results[i];
  }
  return true;
}

/* ---- dispatch ---- */

static bool run_constant(Simulator *s, const EchoOp *op, const bool *mask)
{
  (void)mask;
  set_all(s, op, constant_bits(echo_op_attr_or_null(op, "value")));
  return true;
}

static bool run_load(Simulator *s, const EchoOp *op, const bool *mask)
{
  return access(s, op, mask, false);
}

static bool run_store(Simulator *s, const EchoOp *op, const bool *mask)
{
  return access(s, op, mask, true);
}

static bool run_view(Simulator *s, const EchoOp *op, const bool *mask)
{
  (void)mask;
  echo_map_set_ptr(&s->memories, echo_op_result(op, 0),
                   echo_map_get_ptr(&s->memories, echo_op_operand(op, 0)));
  return true;
}

static bool run_alloca(Simulator *s, const EchoOp *op, const bool *mask)
{
  (void)mask;
  if (echo_map_get_ptr(&s->memories, echo_op_result(op, 0)) == NULL)
    add_memory(s, echo_op_result(op, 0), NULL, true);
  return true;
}

static bool run_address(Simulator *s, const EchoOp *op, const bool *mask)
{
  (void)mask;
  Memory *memory = echo_map_get_ptr(&s->memories, echo_op_operand(op, 0));
  set_all(s, op, (uint64_t)(uintptr_t)memory->data);
  return true;
}

static bool run_for(Simulator *s, const EchoOp *op, const bool *mask)
{
  EchoArenaMark before = echo_arena_mark(&s->stack);
  bool fine = run_for_on_stack(s, op, mask);
  echo_arena_reset(&s->stack, before);
  return fine;
}

static bool run_if(Simulator *s, const EchoOp *op, const bool *mask)
{
  EchoArenaMark before = echo_arena_mark(&s->stack);
  bool fine = run_if_on_stack(s, op, mask);
  echo_arena_reset(&s->stack, before);
  return fine;
}

static bool run_block_id(Simulator *s, const EchoOp *op, const bool *mask)
{
  (void)mask;
  set_all(s, op, s->block);
  return true;
}

static bool run_thread_id(Simulator *s, const EchoOp *op, const bool *mask)
{
  (void)mask;
  for (uint32_t t = 0; t < s->n_threads; ++t)
    lanes_of(s, echo_op_result(op, 0))[t] = t;
  return true;
}

/* Down by an offset, within warps of 32; the other modes no kernel of ours has. */
static bool run_shuffle(Simulator *s, const EchoOp *op, const bool *mask)
{
  enum { WARP = 32 };
  const uint64_t *value = operand(s, op, 0), *offset = operand(s, op, 1);
  uint64_t *result = lanes_of(s, echo_op_result(op, 0));
  const EchoAttr *mode = echo_op_attr_or_null(op, "mode");
  if (mode->kind != ECHO_ATTR_OPAQUE || !echo_str_is(mode->as.opaque.text, "shuffle_mode down"))
    return echo_op_error(op, "is unknown to the simulator");
  for (uint32_t t = 0; t < s->n_threads; ++t) {
    uint64_t from = t % WARP + offset[t] < WARP ? t + offset[t] : t;
    if (mask[t] != mask[t / WARP * WARP] || (mask[t] && (from >= s->n_threads || !mask[from])))
      return echo_op_error(op, "is not reached by all lanes of a warp");
    if (mask[t])
      result[t] = value[from];
    if (mask[t])
      lanes_of(s, echo_op_result(op, 1))[t] = from != t || offset[t] == 0;
  }
  return true;
}

/* Ops beside arith's and math's, which run by their rows' meaning. */
static const RunRow ROWS[] = {{"arith.constant", run_constant},
                              {"memref.load", run_load},
                              {"memref.store", run_store},
                              {"memref.collapse_shape", run_view},
                              {"memref.expand_shape", run_view},
                              {"memref.alloca", run_alloca},
                              {"memref.extract_aligned_pointer_as_index", run_address},
                              {"scf.for", run_for},
                              {"scf.if", run_if},
                              {"gpu.barrier", run_barrier},
                              {"gpu.shuffle", run_shuffle},
                              {"gpu.block_id", run_block_id},
                              {"gpu.thread_id", run_thread_id}};

static void find_rows(Simulator *s)
{
  for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; ++i) {
    const EchoOpInfo *info = echo_context_op_info_or_null(s->ctx, echo_str(ROWS[i].name));
    if (info != NULL)
      echo_map_set(&s->rows, echo_key(info), (uint64_t)(uintptr_t)&ROWS[i]);
  }
}

static bool run_op(Simulator *s, const EchoOp *op, const bool *mask)
{
  uint64_t row = echo_map_get_or(&s->rows, echo_key(op->info), 0);
  return row != 0 ? ((const RunRow *)(uintptr_t)row)->run(s, op, mask) : run_scalar(s, op, mask);
}

static bool run_block(Simulator *s, const EchoBlock *block, const bool *mask)
{
  for (const EchoOp *op = block->first; op != NULL && op != block->last; op = op->next)
    if (!run_op(s, op, mask))
      return false;
  return true;
}

bool echo_simulate_gpu(EchoContext *ctx, const EchoOp *func, void *const *buffers)
{
  EchoArena arena = {0};
  const EchoAttr *block_size = echo_op_attr_or_null(func, "known_block_size");
  const EchoAttr *grid_size = echo_op_attr_or_null(func, "known_grid_size");
  if (block_size == NULL || grid_size == NULL)
    return echo_op_error(func, "needs known_block_size and known_grid_size to be simulated");
  Simulator s = {.ctx = ctx,
                 .func = func,
                 .arena = &arena,
                 .n_threads = (uint32_t)echo_attr_ints_get(block_size, 0),
                 .epoch = 1};
  const EchoBlock *entry = echo_op_body(func, 0);
  uint32_t n = echo_op_attr_or_null(func, "function_type")->as.type_value->as.function.n_inputs;
  for (uint32_t i = 0; i < entry->n_args; ++i)
    add_memory(&s, echo_block_arg(entry, i), i < n ? buffers[i] : NULL, false);
  bool *mask = ECHO_ARENA_ARRAY(&arena, bool, s.n_threads);
  for (uint32_t t = 0; t < s.n_threads; ++t)
    mask[t] = true;
  find_rows(&s);
  bool fine = true;
  int64_t n_blocks = echo_attr_ints_get(grid_size, 0);
  EchoFloatMode before = echo_float_mode_set(echo_op_flushes_denormals(func));
  for (int64_t b = 0; b < n_blocks && fine; ++b) {
    s.block = (uint32_t)b;
    ++s.epoch;
    fine = run_block(&s, entry, mask);
  }
  echo_float_mode_restore(before);
  echo_map_destroy(&s.lanes);
  echo_map_destroy(&s.memories);
  echo_map_destroy(&s.rows);
  echo_arena_destroy(&arena);
  echo_arena_destroy(&s.stack);
  return fine;
}
