/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A lowered function's phases as GPU kernels: a task is a block, the iterations of a parallel loop
 * are dealt out to the block's threads, everything else is computed by every thread alike. Stack
 * memory of a task becomes shared memory. Barriers stand around whatever writes memory, so that
 * each step sees the one before whole. A phase without parallel loops runs on one thread a block,
 * with its stack memory as it is. */
#include "dialects/kernel/convolution.h"
#include "dialects/kernel/product.h"
#include "lowering/kernels/lower_kernel_t.h"
#include "planning/cost/runtime.h"

enum { MAX_THREADS = 256, WARP = 32 };

static const EchoType *const NO_TYPES[1] = {NULL};

typedef struct GpuMap {
  EchoContext *ctx;
  EchoOp *gpu_func;
  EchoValue *thread, *n_threads; /* index values; NULL with one thread */
  int64_t block_size;
  bool is_one_step; /* nothing is read that the block wrote: no barriers */
} GpuMap;

/* ---- launch shape ---- */

static int64_t trip_count(const EchoOp *loop)
{
  int64_t low = 0, high = 0;
  bool is_constant = echo_arith_constant_i64(echo_op_operand(loop, 0), &low) &&
                     echo_arith_constant_i64(echo_op_operand(loop, 1), &high);
  return is_constant ? high - low : MAX_THREADS;
}

/* As many threads as the longest parallel loop has iterations, in whole warps; 1 when there is
 * none. */
static int64_t choose_block_size(EchoOp *phase)
{
  int64_t most = 0;
  for (EchoOp *op = phase, *next; op != NULL; op = next) {
    next = echo_op_walk_next(phase, op);
    if (!echo_op_is(op, "scf.for") || !echo_op_has_attr(op, "kernel.parallel"))
      continue;
    most = trip_count(op) > most ? trip_count(op) : most;
    while (next != NULL && echo_op_is_ancestor(op, next)) /* of one thread */
      next = echo_op_walk_next(phase, next);
  }
  if (most == 0)
    return 1;
  most = (most + WARP - 1) / WARP * WARP;
  return most < MAX_THREADS ? most : MAX_THREADS;
}

/* ---- rewriting of a body ---- */

static EchoValue *position(EchoBuilder *builder, const char *name)
{
  const EchoType *type = echo_type_index(builder->ctx);
  EchoAttrArg args[] = {
      {"dimension", echo_attr_opaque(builder->ctx, ECHO_STR("gpu"), ECHO_STR("dim x"), false)}};
  return echo_op_result(echo_build_op(builder, name, NULL, 0, &type, 1, args, 1), 0);
}

static void barrier(EchoBuilder *builder)
{
  echo_build_op(builder, "gpu.barrier", NULL, 0, NO_TYPES, 0, NULL, 0);
}

static bool writes_memory(EchoOp *root)
{
  for (EchoOp *op = root; op != NULL; op = echo_op_walk_next(root, op))
    if (echo_op_is(op, "memref.store") || echo_op_is(op, "vector.store"))
      return true;
  return false;
}

/* A loop of at most one round a thread is its body, where some threads have none behind a guard. */
static void unwrap(const GpuMap *map, EchoOp *loop, int64_t trips)
{
  EchoBuilder before = echo_builder_before(loop), body;
  EchoBlock *block = loop->regions[0].first;
  EchoOp *end = block->last, *place = loop;
  if (trips < map->block_size) {
    EchoValue *is_inside =
        echo_arith_cmpi(&before, ECHO_CMPI_SLT, echo_op_operand(loop, 0), echo_op_operand(loop, 1));
    EchoOp *guard = echo_scf_if(&before, is_inside, NULL, 0, &body, NULL);
    echo_scf_yield(&body, NULL, 0);
    place = echo_op_body(guard, 0)->last;
  }
  echo_value_replace_all_uses(echo_block_arg(block, 0), echo_op_operand(loop, 0));
  for (EchoOp *op = block->first, *next; op != end; op = next) {
    next = op->next;
    echo_op_move_before(op, place);
  }
  echo_op_erase(loop);
}

/* for i = low + thread to high step threads */
static void deal_out(const GpuMap *map, EchoOp *loop)
{
  int64_t low_bound = 0, high_bound = 0;
  bool is_known = loop->n_results == 0 &&
                  echo_arith_constant_i64(echo_op_operand(loop, 0), &low_bound) &&
                  echo_arith_constant_i64(echo_op_operand(loop, 1), &high_bound);
  EchoBuilder before = echo_builder_before(loop), after = echo_builder_after(loop);
  EchoValue *low = echo_arith_binary(&before, "arith.addi", echo_op_operand(loop, 0), map->thread);
  echo_op_set_operand(loop, 0, low);
  echo_op_set_operand(loop, 2, map->n_threads);
  if (!map->is_one_step && writes_memory(loop)) {
    before.before = loop;
    barrier(&before);
    barrier(&after);
  }
  if (is_known && high_bound - low_bound <= map->block_size)
    unwrap(map, loop, high_bound - low_bound);
}

/* One thread stores what all have computed. */
static void guard_store(const GpuMap *map, EchoOp *store)
{
  EchoBuilder before = echo_builder_before(store), after = echo_builder_after(store), body;
  EchoValue *zero = echo_arith_index(&before, 0);
  EchoValue *is_first = echo_arith_cmpi(&before, ECHO_CMPI_EQ, map->thread, zero);
  barrier(&before);
  EchoOp *guard = echo_scf_if(&before, is_first, NULL, 0, &body, NULL);
  barrier(&after);
  echo_scf_yield(&body, NULL, 0);
  echo_op_move_before(store, echo_op_body(guard, 0)->last);
}

/* Views of shared memory are of shared memory. */
static void share_views(EchoContext *ctx, EchoValue *memory)
{
  for (const EchoUse *use = memory->first_use; use != NULL; use = use->next) {
    if (!echo_op_is(use->owner, "memref.expand_shape"))
      continue;
    EchoValue *view = echo_op_result(use->owner, 0);
    echo_value_set_type(view,
                        echo_type_memref(ctx, view->type->as.shaped.dims,
                                         view->type->as.shaped.rank, view->type->as.shaped.element,
                                         NULL, memory->type->as.shaped.memory_space));
  }
}

static void share(const GpuMap *map, EchoOp *alloca)
{
  const EchoType *type = echo_op_result_type(alloca, 0);
  const EchoAttr *space = echo_attr_i64(map->ctx, 3);
  const EchoType *shared = echo_type_memref(map->ctx, type->as.shaped.dims, type->as.shaped.rank,
                                            type->as.shaped.element, NULL, space);
  EchoBlock *entry = echo_op_body(map->gpu_func, 0);
  EchoValue *argument = echo_block_add_arg(map->ctx, entry, shared, alloca->loc);
  echo_value_replace_all_uses(echo_op_result(alloca, 0), argument);
  share_views(map->ctx, argument);
  echo_op_erase(alloca);
}

static bool is_store(const EchoOp *op)
{
  return echo_op_is(op, "memref.store") || echo_op_is(op, "vector.store");
}

static bool is_load(const EchoOp *op)
{
  return echo_op_is(op, "memref.load") || echo_op_is(op, "vector.load");
}

/* One parallel loop that is run once, and nothing outside of it that touches memory, which the loop
 * may write: threads have nothing to wait for. */
static bool is_one_step(const GpuMap *map, EchoOp *const *loops, size_t n_loops, size_t n_others)
{
  const EchoOp *parent = n_loops == 1 ? echo_op_parent(loops[0]) : NULL;
  return n_others == 0 && parent == map->gpu_func;
}

/* Collects first: rewriting changes what a walk would see. */
static void map_body(GpuMap *map)
{
  ECHO_VECTOR(EchoOp *) loops = {0}, stores = {0}, allocas = {0};
  size_t n_loads = 0;
  for (EchoOp *op = map->gpu_func, *next; op != NULL; op = next) {
    next = echo_op_walk_next(map->gpu_func, op);
    if (echo_op_is(op, "scf.for") && echo_op_has_attr(op, "kernel.parallel")) {
      echo_vector_push(&loops, op);
      /* inside, each thread is on its own: step over */
      for (; next != NULL && echo_op_is_ancestor(op, next);
           next = echo_op_walk_next(map->gpu_func, next))
        if (echo_op_is(next, "scf.for"))
          echo_op_set_attr(next, "kernel.parallel", NULL);
    } else if (is_store(op)) {
      echo_vector_push(&stores, op);
    } else if (is_load(op)) {
      ++n_loads;
    } else if (echo_op_is(op, "memref.alloca")) {
      echo_vector_push(&allocas, op);
    }
  }
  map->is_one_step = is_one_step(map, loops.data, loops.size, stores.size + allocas.size + n_loads);
  for (size_t i = 0; i < allocas.size; ++i)
    share(map, allocas.data[i]);
  for (size_t i = 0; i < stores.size; ++i)
    guard_store(map, stores.data[i]);
  for (size_t i = 0; i < loops.size; ++i) {
    echo_op_set_attr(loops.data[i], "kernel.parallel", NULL);
    deal_out(map, loops.data[i]);
  }
  echo_vector_destroy(&loops);
  echo_vector_destroy(&stores);
  echo_vector_destroy(&allocas);
}

/* ---- the function ---- */

/* "stablehlo.add decoder.0 model.py:12:3" for each op of the kernel: what the PTX is commented
 * with. */
static const EchoAttr *source_ops(EchoContext *ctx, const EchoOp *kernel)
{
  ECHO_VECTOR(const EchoAttr *) lines = {0};
  EchoBuffer line = {0};
  for (const EchoOp *op = echo_op_body(kernel, 0)->first; op != NULL; op = op->next) {
    if ((op->info->traits & ECHO_TERMINATOR) != 0)
      continue;
    echo_buffer_clear(&line);
    echo_buffer_append_str(&line, echo_op_name(op));
    echo_buffer_append_char(&line, ' ');
    if (!echo_loc_describe(ctx, op->loc, &line))
      line.data[--line.size] = '\0';
    echo_vector_push(&lines, echo_attr_string(ctx, echo_buffer_str(&line)));
  }
  const EchoAttr *array = echo_attr_array(ctx, lines.data, lines.size);
  echo_buffer_destroy(&line);
  echo_vector_destroy(&lines);
  return array;
}

/* Whether a value of the kernel has so many elements that a position in it needs more than 32 bits:
 * none of them need be a buffer. */
static bool has_wide_positions(const EchoOp *kernel)
{
  enum { MAX_NARROW = 1 << 30 };
  for (const EchoOp *op = echo_op_body(kernel, 0)->first; op != NULL; op = op->next)
    for (uint32_t i = 0; i < op->n_results; ++i) {
      int64_t n = 0;
      const EchoType *type = echo_op_result_type(op, i);
      if (echo_type_is_shaped(type) && (!echo_type_n_elements(type, &n) || n >= MAX_NARROW))
        return true;
    }
  return false;
}

/* Of the whole kernel: a phase is a part of it. */
static void state_amounts(EchoContext *ctx, EchoOp *gpu_func, const EchoOp *kernel)
{
  double bytes, flops;
  echo_kernel_amounts(kernel, &bytes, &flops);
  echo_op_set_attr(gpu_func, "kernel.bytes", echo_attr_i64(ctx, (int64_t)bytes));
  echo_op_set_attr(gpu_func, "kernel.flops", echo_attr_i64(ctx, (int64_t)flops));
}

static EchoOp *create_gpu_func(EchoContext *ctx, const EchoOp *func, const EchoOp *kernel,
                               size_t phase, int64_t n_tasks, int64_t block_size, EchoOp *module)
{
  EchoBuffer name = {0};
  echo_buffer_printf(&name, "%.*s__%zu", ECHO_STR_ARG(echo_op_attr_string(func, "sym_name")),
                     phase);
  const int32_t block[] = {(int32_t)block_size, 1, 1}, grid[] = {(int32_t)n_tasks, 1, 1};
  EchoAttrArg args[] = {{"function_type", echo_op_attr_or_null(func, "function_type")},
                        {"known_block_size", echo_attr_i32_array(ctx, block, 3)},
                        {"known_grid_size", echo_attr_i32_array(ctx, grid, 3)},
                        {"sym_name", echo_attr_string(ctx, echo_buffer_str(&name))},
                        {"gpu.kernel", echo_attr_unit(ctx)},
                        {"kernel.kind", echo_op_attr_or_null(func, "kernel.kind")},
                        {"kernel.source", source_ops(ctx, kernel)}};
  EchoBuilder builder = echo_builder_before(echo_op_body(module, 0)->last);
  builder.loc = func->loc;
  EchoOp *gpu_func =
      echo_build_op_with_regions(&builder, "gpu.func", NULL, 0, NO_TYPES, 0, args, 7, 1);
  state_amounts(ctx, gpu_func, kernel);
  if (has_wide_positions(kernel))
    echo_op_set_attr(gpu_func, "kernel.wide_index", echo_attr_unit(ctx));
  static const char *const FOR_LIBRARIES[] = {ECHO_KERNEL_PRODUCT, ECHO_KERNEL_CONVOLUTION_ATTR};
  for (size_t i = 0; i < 2 && phase == 0; ++i)
    if (echo_op_has_attr(func, FOR_LIBRARIES[i]))
      echo_op_set_attr(gpu_func, FOR_LIBRARIES[i], echo_op_attr_or_null(func, FOR_LIBRARIES[i]));
  echo_buffer_destroy(&name);
  return gpu_func;
}

static void state_facts(EchoContext *ctx, EchoOp *gpu_func, const EchoLaunchFacts *facts)
{
  int64_t *read_only = echo_alloc_array(facts->n + 1, sizeof *read_only);
  size_t n = 0;
  for (uint32_t i = 0; i < facts->n; ++i)
    if (facts->is_read_only[i])
      read_only[n++] = i;
  echo_op_set_attr(gpu_func, "kernel.alignments",
                   echo_attr_i64_array(ctx, facts->alignments, facts->n));
  echo_op_set_attr(gpu_func, "kernel.read_only", echo_attr_i64_array(ctx, read_only, n));
  echo_free(read_only);
}

/* ---- barriers ---- */

static bool touches_memory(const EchoOp *op)
{
  bool is_of_warp = echo_op_is(op, "nvgpu.ldmatrix") || echo_op_is(op, "nvgpu.device_async_copy") ||
                    echo_op_is(op, "nvgpu.device_async_wait");
  return is_store(op) || is_load(op) || is_of_warp || op->n_regions != 0;
}

/* Nothing happened to memory since the barrier before, or since the kernel began. */
static bool is_redundant(const EchoOp *barrier, const EchoOp *gpu_func)
{
  for (const EchoOp *op = barrier->prev; op != NULL; op = op->prev) {
    if (echo_op_is(op, "gpu.barrier"))
      return true;
    if (touches_memory(op))
      return false;
  }
  return echo_op_parent(barrier) == gpu_func;
}

/* Nobody touches memory any more. */
static bool is_at_end(const EchoOp *barrier, const EchoOp *gpu_func)
{
  for (const EchoOp *op = barrier->next; op != NULL; op = op->next)
    if (touches_memory(op))
      return false;
  return echo_op_parent(barrier) == gpu_func;
}

static void drop_barriers(EchoOp *gpu_func)
{
  for (EchoOp *op = gpu_func, *next; op != NULL; op = next) {
    next = echo_op_walk_next(gpu_func, op);
    if (echo_op_is(op, "gpu.barrier") && (is_redundant(op, gpu_func) || is_at_end(op, gpu_func)))
      echo_op_erase(op);
  }
}

static void map_phase(EchoOp *func, const EchoOp *kernel, const EchoLaunchFacts *facts_or_null,
                      EchoOp *phase, size_t number, EchoOp *module)
{
  EchoContext *ctx = echo_op_context(func);
  int64_t n_tasks = 0;
  ECHO_CHECK_OP(echo_arith_constant_i64(echo_op_operand(phase, 1), &n_tasks), phase,
                "a phase without a constant number of tasks");
  GpuMap map = {.ctx = ctx, .block_size = choose_block_size(phase)};
  map.gpu_func = create_gpu_func(ctx, func, kernel, number, n_tasks, map.block_size, module);
  const EchoBlock *body = echo_op_body(func, 0);
  EchoBlock *entry = echo_block_create(ctx);
  echo_region_append(&map.gpu_func->regions[0], entry);
  EchoMap values = {0};
  for (uint32_t i = 0; i < body->n_args; ++i) {
    EchoValue *argument = echo_block_arg(body, i);
    echo_map_set_ptr(&values, argument, echo_block_add_arg(ctx, entry, argument->type, func->loc));
  }
  for (const EchoOp *op = body->first; op != phase; op = op->next)
    if (!echo_op_is(op, "scf.parallel"))
      echo_block_append(entry, echo_op_clone(op, &values));
  EchoBuilder builder = echo_builder_at_end(ctx, entry);
  builder.loc = func->loc;
  const EchoBlock *task = echo_op_body(phase, 0);
  echo_map_set_ptr(&values, echo_block_arg(task, 0), position(&builder, "gpu.block_id"));
  if (map.block_size > 1) {
    map.thread = position(&builder, "gpu.thread_id");
    map.n_threads = echo_arith_index(&builder, map.block_size);
  }
  for (const EchoOp *op = task->first; op != task->last; op = op->next)
    echo_block_append(entry, echo_op_clone(op, &values));
  builder.before = NULL;
  echo_build_op(&builder, "gpu.return", NULL, 0, NO_TYPES, 0, NULL, 0);
  echo_map_destroy(&values);
  if (map.block_size > 1)
    map_body(&map);
  drop_barriers(map.gpu_func);
  if (facts_or_null != NULL)
    state_facts(ctx, map.gpu_func, facts_or_null);
  uint32_t n_shared = entry->n_args - body->n_args;
  if (n_shared != 0)
    echo_op_set_attr(map.gpu_func, "workgroup_attributions", echo_attr_i64(ctx, (int64_t)n_shared));
  echo_erase_dead_ops(map.gpu_func);
}

void echo_map_to_gpu(EchoOp *func, const EchoOp *kernel, const EchoLaunchFacts *facts_or_null,
                     EchoOp *module)
{
  size_t number = 0;
  for (EchoOp *op = echo_op_body(func, 0)->first; op != NULL; op = op->next)
    if (echo_op_is(op, "scf.parallel"))
      map_phase(func, kernel, facts_or_null, op, number++, module);
  echo_op_erase(func);
}
