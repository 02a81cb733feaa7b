/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --lower-kernels: each kernel.func becomes loops (func.func) or a library call (kernel.library).
 */
#include "dialects/echo/stages.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/kernels/contraction_t.h"
#include "lowering/kernels/lower_kernel_t.h"
#include "lowering/lowering.h"
#include "lowering/math/expand_math_t.h"
#include "planning/cost/target.h"

/* ---- dead code ---- */

static bool is_dead(const EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (!echo_value_is_unused(echo_op_result(op, i)))
      return false;
  bool is_pure = (op->info->traits & (ECHO_PURE | ECHO_READS_MEMORY | ECHO_ALLOCATES)) != 0;
  return is_pure && (op->info->traits & ECHO_TERMINATOR) == 0 && op->n_regions == 0;
}

void echo_erase_dead_ops(EchoOp *root)
{
  /* last first, inside before outside: what an erased op used comes later in this order */
  for (uint16_t r = 0; r < root->n_regions; ++r)
    for (EchoBlock *block = root->regions[r].last; block != NULL; block = block->prev)
      for (EchoOp *op = block->last, *prev; op != NULL; op = prev) {
        prev = op->prev;
        if (op->n_regions != 0)
          echo_erase_dead_ops(op); /* loops nest a few deep: emission bounds them */
        else if (is_dead(op))
          echo_op_erase(op);
      }
}

/* ---- tasks ---- */

double echo_kernel_estimate_ns(const EchoOp *kernel)
{
  double total_ns = 0.0;
  for (const EchoOp *op = echo_op_body(kernel, 0)->first; op != NULL; op = op->next) {
    EchoCost cost = {0};
    echo_op_cost(op, &cost);
    total_ns += 0.1 * cost.flops + 1.0 * cost.transcendentals;
  }
  const EchoType *type = echo_op_attr_or_null(kernel, "function_type")->as.type_value;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < type->as.function.n_inputs; ++i)
    bytes += echo_type_static_bytes(type->as.function.inputs[i]);
  for (uint32_t i = 0; i < type->as.function.n_results; ++i)
    bytes += echo_type_static_bytes(type->as.function.results[i]);
  return total_ns + 0.1 * (double)bytes;
}

int64_t echo_pieces_per_task(const EchoKernelEmitter *emitter, int64_t n, double total_ns)
{
  if (emitter->is_gpu) /* a block of 256 threads with a few elements each */
    return n < 1024 ? n : 1024;
  /* a task of some 20 us hides what handing it out costs; more than 256 tasks feed no more threads
   */
  int64_t n_tasks = total_ns < 20e3 * 256 ? (int64_t)(total_ns / 20e3) : 256;
  n_tasks = n_tasks < 1 ? 1 : n_tasks;
  n_tasks = n_tasks > n ? n : n_tasks;
  return n_tasks < 1 ? 1 : (n + n_tasks - 1) / n_tasks;
}

/* ---- ops with loops of their own ---- */

typedef bool LoopsFn(EchoKernelEmitter *emitter, const EchoOp *op, EchoValue *const *indices,
                     EchoValue **results);

static LoopsFn *loops_of_or_null(const EchoOp *op)
{
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_REDUCE:
    return echo_emit_reduce;
  case ECHO_HLO_REDUCE_WINDOW:
    return echo_emit_reduce_window;
  default:
    return NULL;
  }
}

bool echo_kernel_has_loops(const EchoOp *op)
{
  return loops_of_or_null(op) != NULL;
}

bool echo_kernel_emit_loops(EchoKernelEmitter *emitter, const EchoOp *op, EchoValue *const *indices,
                            EchoValue **results)
{
  return loops_of_or_null(op)(emitter, op, indices, results);
}

bool echo_kernel_emit_element(EchoKernelEmitter *emitter, const EchoOp *op, size_t result,
                              EchoValue *const *indices, EchoValue **value)
{
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_RNG_BIT_GENERATOR:
    *value = echo_emit_rng_element(emitter, op, result, indices);
    return true;
  case ECHO_HLO_MAP:
    *value = echo_emit_map_element(emitter, op, indices);
    return true;
  default:
    return false;
  }
}

/* ---- one kernel ---- */

/* A kind that its kernel is not quite of falls back to the general form. */
static void lower_into(EchoKernelEmitter *emitter, EchoKernelKind kind)
{
  bool is_done = false;
  switch (kind) {
  case ECHO_KERNEL_CONTRACTION:
    is_done = echo_lower_dot(emitter);
    break;
  case ECHO_KERNEL_CONVOLUTION:
    is_done = echo_lower_convolution(emitter);
    break;
  case ECHO_KERNEL_SCATTER:
    is_done = echo_lower_scatter(emitter);
    break;
  case ECHO_KERNEL_SORT:
    is_done = echo_lower_sort(emitter);
    break;
  case ECHO_KERNEL_COLUMN_REDUCE:
  case ECHO_KERNEL_REDUCE:
    is_done = echo_lower_column_reduce(emitter);
    break;
  default:
    break;
  }
  if (!is_done && !emitter->failed)
    echo_lower_map(emitter);
}

EchoOp *echo_lower_kernel_or_null(EchoArena *arena, const EchoOp *kernel,
                                  const EchoLowerOptions *options)
{
  if (options->uses_blas && !options->is_gpu &&
      echo_kernel_kind(kernel) == ECHO_KERNEL_CONTRACTION) {
    EchoOp *library = echo_lower_dot_to_blas_or_null(kernel);
    if (library != NULL)
      return library;
  }
  EchoKernelEmitter *emitter = ECHO_ARENA_NEW(arena, EchoKernelEmitter);
  echo_kernel_emitter_begin(emitter, arena, kernel, echo_op_attr_string(kernel, "sym_name"));
  emitter->uses_fma = options->uses_fma;
  emitter->is_gpu = options->is_gpu;
  lower_into(emitter, echo_kernel_kind(kernel));
  EchoOp *func = echo_kernel_emitter_finish_or_null(emitter);
  if (func != NULL)
    echo_erase_dead_ops(func);
  return func;
}

/* ---- the pass ---- */

static const EchoPassOption OPTIONS[] = {
    {"target", "cpu, or the GPU's architecture: sm_75 to sm_90", "cpu"},
    {"blas", "contractions that fit go to the BLAS library", "true"},
    {"fma", "generated contractions multiply and add with one rounding", "true"},
    {"expand-math", "elementary functions become arithmetic", "true"},
    {NULL, NULL, NULL}};

static const EchoPassStatistic STATISTICS[] = {
    {"kernels", "kernels lowered"}, {"library-calls", "kernels that call a library"}, {NULL, NULL}};

/* Appended to the module when the first kernel is mapped to a GPU. */
static EchoOp *create_gpu_module(EchoOp *module, EchoStr target)
{
  static const EchoType *const NO_TYPES[1] = {NULL};
  EchoContext *ctx = echo_op_context(module);
  EchoBuilder builder = echo_builder_at_end(ctx, echo_op_body(module, 0));
  builder.loc = module->loc;
  EchoAttrArg args[] = {{"sym_name", echo_attr_string(ctx, ECHO_STR("kernels"))},
                        {"kernel.target", echo_attr_string(ctx, target)}};
  EchoOp *gpu =
      echo_build_op_with_regions(&builder, "gpu.module", NULL, 0, NO_TYPES, 0, args, 2, 1);
  EchoBlock *block = echo_block_create(ctx);
  echo_region_append(&gpu->regions[0], block);
  EchoBuilder inside = {.ctx = ctx, .block = block, .loc = module->loc};
  echo_build_op(&inside, "gpu.module_end", NULL, 0, NO_TYPES, 0, NULL, 0);
  return gpu;
}

typedef struct LowerRun {
  EchoPassRun *run;
  EchoLowerOptions options;
  EchoStr target;
  bool expands;
  EchoOp *gpu_module; /* NULL until the first kernel for a GPU */
} LowerRun;

static bool lower_one(LowerRun *lower, EchoOp *kernel)
{
  EchoPassRun *run = lower->run;
  EchoArenaMark mark = echo_arena_mark(run->scratch);
  EchoOp *lowered = echo_lower_kernel_or_null(run->scratch, kernel, &lower->options);
  echo_arena_reset(run->scratch, mark);
  if (lowered == NULL)
    return false;
  if (lower->expands)
    echo_expand_math(lowered);
  bool is_library = !echo_op_is(lowered, "func.func");
  echo_pass_count(run, is_library ? "library-calls" : "kernels", 1);
  if (lower->options.is_gpu) {
    if (lower->gpu_module == NULL)
      lower->gpu_module = create_gpu_module(run->op, lower->target);
    echo_map_to_gpu(lowered, kernel, lower->gpu_module);
  } else {
    echo_op_insert_before(lowered, kernel);
  }
  echo_op_erase(kernel);
  return true;
}

static bool run_lower_kernels(EchoPassRun *run)
{
  LowerRun lower = {.run = run, .target = echo_pass_option(run, "target")};
  if (!echo_pass_option_bool(run, "expand-math", &lower.expands) ||
      !echo_pass_option_bool(run, "blas", &lower.options.uses_blas) ||
      !echo_pass_option_bool(run, "fma", &lower.options.uses_fma))
    return false;
  const EchoTargetInfo *target = echo_target_load_or_null(run->ctx, run->op->loc, lower.target);
  if (target == NULL)
    return false;
  lower.options.is_gpu = target->is_gpu;
  bool fine = true;
  for (EchoOp *op = echo_op_body(run->op, 0)->first, *next; op != NULL; op = next) {
    next = op->next;
    if (echo_op_is(op, "kernel.func"))
      fine &= lower_one(&lower, op);
  }
  if (fine && echo_module_stage(run->op) == ECHO_STAGE_PLANNED)
    echo_module_set_stage(run->op, ECHO_STAGE_LOOPS);
  return fine;
}

const EchoPass ECHO_PASS_LOWER_KERNELS = {.name = "lower-kernels",
                                          .summary = "Turn kernels into loops and library calls",
                                          .anchor = "builtin.module",
                                          .options = OPTIONS,
                                          .statistics = STATISTICS,
                                          .run = run_lower_kernels};
