/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --lower-kernels: each kernel.func becomes loops (func.func) or a library call (kernel.library).
 */
#include "dialects/echo/stages.h"
#include "ir/symbol.h"
#include "lowering/kernels/contraction_t.h"
#include "lowering/kernels/lower_kernel_t.h"
#include "lowering/lowering.h"
#include "lowering/math/expand_math_t.h"
#include "planning/cost/runtime.h"
#include "planning/cost/target.h"

/* ---- one kernel ---- */

/* Any kind, and what is not quite of its kind: element by element. */
static bool lower_elements(EchoKernelEmitter *emitter)
{
  echo_lower_map(emitter);
  return true;
}

static bool lower_columns(EchoKernelEmitter *emitter)
{
  return echo_lower_column_reduce(emitter) || echo_lower_ordered_reduce(emitter);
}

/* How a kind is lowered. A target adds a column where it has a way of its own; on a GPU the loops
 * are dealt out to blocks and threads as they are (map_to_gpu.c). */
typedef struct KindLowering {
  EchoKernelKind kind;
  EchoOp *(*call_or_null)(const EchoOp *kernel); /* that does it; NULL: there is none */
  /* False, and nothing emitted: lower_elements does. */
  bool (*loops)(EchoKernelEmitter *emitter);
} KindLowering;

static const KindLowering LOWERINGS[] = {
    {ECHO_KERNEL_MAP, NULL, lower_elements},
    {ECHO_KERNEL_ROW_REDUCE, NULL, echo_lower_ordered_reduce},
    {ECHO_KERNEL_COLUMN_REDUCE, NULL, lower_columns},
    {ECHO_KERNEL_REDUCE, NULL, lower_columns},
    {ECHO_KERNEL_TRANSPOSE, NULL, lower_elements},
    {ECHO_KERNEL_CONTRACTION, echo_lower_dot_to_blas_or_null, echo_lower_dot},
    {ECHO_KERNEL_CONVOLUTION, NULL, echo_lower_convolution},
    {ECHO_KERNEL_SCATTER, NULL, echo_lower_scatter},
    {ECHO_KERNEL_SORT, NULL, echo_lower_sort},
    {ECHO_KERNEL_WINDOW, NULL, echo_lower_window},
    {ECHO_KERNEL_RNG, NULL, lower_elements},
    {ECHO_KERNEL_LIBRARY, echo_lower_invoke_or_null, lower_elements},
    {ECHO_KERNEL_OTHER, NULL, lower_elements},
};
_Static_assert(sizeof LOWERINGS / sizeof LOWERINGS[0] == ECHO_N_KERNEL_KINDS,
               "each kind has a lowering, in the order of the kinds");

static const KindLowering *lowering_of(const EchoOp *kernel)
{
  EchoKernelKind kind = echo_kernel_kind(kernel);
  ECHO_CHECK_OP(LOWERINGS[kind].kind == kind, kernel, "the lowerings are out of order");
  return &LOWERINGS[kind];
}

EchoOp *echo_lower_kernel_or_null(EchoArena *arena, const EchoOp *kernel,
                                  const EchoLowerOptions *options,
                                  const EchoLaunchFacts *facts_or_null)
{
  const KindLowering *lowering = lowering_of(kernel);
  bool may_call = lowering->kind == ECHO_KERNEL_LIBRARY || (options->uses_blas && !options->is_gpu);
  EchoOp *library =
      may_call && lowering->call_or_null != NULL ? lowering->call_or_null(kernel) : NULL;
  if (library != NULL)
    return library;
  EchoKernelEmitter *emitter = ECHO_ARENA_NEW(arena, EchoKernelEmitter);
  echo_kernel_emitter_begin(emitter, arena, kernel, echo_op_attr_string(kernel, "sym_name"),
                            options->is_gpu ? echo_element_lowering_or_null
                                            : echo_host_element_lowering_or_null);
  emitter->device = options->device;
  emitter->work_ns = echo_kernel_work_ns(kernel, options->device);
  emitter->uses_fma = options->uses_fma;
  emitter->is_gpu = options->is_gpu;
  emitter->has_tensor_cores = options->has_tensor_cores;
  emitter->shared_bytes = options->shared_bytes;
  emitter->facts_or_null = facts_or_null;
  if (!lowering->loops(emitter) && !emitter->failed)
    lower_elements(emitter);
  EchoOp *func = echo_kernel_emitter_finish_or_null(emitter);
  if (func != NULL)
    echo_erase_dead_ops(func);
  return func;
}

/* ---- the pass ---- */

static const EchoPassOption OPTIONS[] = {
    {"target", "cpu, or the GPU's architecture: sm_75 to sm_90", "cpu"},
    {"device", "model that work is cut into tasks by: a name or a file; else the target's", ""},
    {"blas", "contractions that fit go to the BLAS library", "true"},
    {"cublaslt", "what a GPU's kernel multiplies stands on it, so that cuBLASLt may do it",
     "false"},
    {"cudnn", "what a GPU's kernel convolves stands on it, so that cuDNN may do it", "false"},
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
  EchoMap facts;      /* callee -> EchoLaunchFacts * */
} LowerRun;

/* What a library may do in the place of `lowered` stands on it. */
static void describe_for_library(const LowerRun *lower, const EchoOp *kernel,
                                 const EchoLaunchFacts *facts, EchoOp *lowered)
{
  EchoContext *ctx = lower->run->ctx;
  EchoProduct product;
  EchoConvolution convolution;
  if (lower->options.describes_products && echo_lower_dot_to_product(kernel, facts, &product))
    echo_op_set_attr(lowered, ECHO_KERNEL_PRODUCT, echo_kernel_product_attr(ctx, &product));
  if (lower->options.describes_convolutions &&
      echo_describe_convolution(kernel, facts, &convolution))
    echo_op_set_attr(lowered, ECHO_KERNEL_CONVOLUTION_ATTR,
                     echo_kernel_convolution_attr(ctx, &convolution));
}

static bool lower_one(LowerRun *lower, EchoOp *kernel)
{
  EchoPassRun *run = lower->run;
  EchoArenaMark mark = echo_arena_mark(run->scratch);
  const EchoAttr *callee = echo_attr_symbol(run->ctx, echo_op_attr_string(kernel, "sym_name"));
  const EchoLaunchFacts *facts = echo_map_get_ptr(&lower->facts, callee);
  EchoOp *lowered = echo_lower_kernel_or_null(run->scratch, kernel, &lower->options, facts);
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
    if (is_library) { /* no code: the host calls it */
      echo_op_insert_before(lowered, kernel);
      echo_op_erase(kernel);
      return true;
    }
    describe_for_library(lower, kernel, facts, lowered);
    echo_map_to_gpu(lowered, kernel, facts, lower->gpu_module);
  } else {
    echo_op_insert_before(lowered, kernel);
  }
  echo_op_erase(kernel);
  return true;
}

/* Every result of the launch has no elements, and it calls nothing that does more than write them.
 */
static bool does_nothing(const EchoSymbolTable *symbols, const EchoOp *launch)
{
  uint32_t n_inputs = (uint32_t)echo_op_attr_i64(launch, "n_inputs", 0);
  for (uint32_t i = n_inputs; i < launch->n_operands; ++i)
    if (echo_type_static_bytes(echo_op_operand_type(launch, i)) != 0)
      return false;
  const EchoAttr *callee = echo_op_attr_or_null(launch, "callee");
  const EchoOp *kernel = echo_symbol_table_get_or_null(symbols, callee->as.symbol.root);
  return launch->n_results == 0 && kernel != NULL && echo_op_is(kernel, "kernel.func") &&
         echo_kernel_kind(kernel) != ECHO_KERNEL_LIBRARY;
}

/* Such a kernel has no loops, so that a GPU has no code of it. O(launches). */
static void erase_launches_of_nothing(EchoOp *module)
{
  EchoSymbolTable symbols;
  echo_symbol_table_create(&symbols, module);
  for (EchoOp *op = echo_op_post_order_first(module), *next; op != module; op = next) {
    next = echo_op_post_order_next(op);
    if (echo_op_is(op, "kernel.launch") && does_nothing(&symbols, op))
      echo_op_erase(op);
  }
  echo_symbol_table_destroy(&symbols);
}

static bool run_lower_kernels(EchoPassRun *run)
{
  LowerRun lower = {.run = run, .target = echo_pass_option(run, "target")};
  if (!echo_pass_option_bool(run, "expand-math", &lower.expands) ||
      !echo_pass_option_bool(run, "blas", &lower.options.uses_blas) ||
      !echo_pass_option_bool(run, "cublaslt", &lower.options.describes_products) ||
      !echo_pass_option_bool(run, "cudnn", &lower.options.describes_convolutions) ||
      !echo_pass_option_bool(run, "fma", &lower.options.uses_fma))
    return false;
  const EchoTargetInfo *target = echo_target_load_or_null(run->ctx, run->op->loc, lower.target);
  if (target == NULL)
    return false;
  lower.options.is_gpu = target->is_gpu;
  lower.options.has_tensor_cores = target->has_tensor_cores;
  lower.options.shared_bytes = target->shared_bytes;
  EchoStr name = echo_pass_option(run, "device");
  EchoDeviceModel device;
  if (!echo_device_model_load(run->ctx, run->op->loc,
                              name.size != 0 ? name : echo_str(target->device_model), &device))
    return false;
  lower.options.device = &device;
  bool fine = true;
  erase_launches_of_nothing(run->op);
  echo_collect_launch_facts(run->scratch, run->op, &lower.facts);
  for (EchoOp *op = echo_op_body(run->op, 0)->first, *next; op != NULL; op = next) {
    next = op->next;
    if (echo_op_is(op, "kernel.func"))
      fine &= lower_one(&lower, op);
  }
  echo_map_destroy(&lower.facts);
  if (fine && echo_module_stage(run->op) == ECHO_STAGE_PLANNED)
    echo_module_set_stage(run->op, ECHO_STAGE_LOOPS);
  return fine;
}

const EchoPass ECHO_PASS_LOWER_KERNELS = {.name = "lower-kernels",
                                          .summary = "turn kernels into loops and library calls",
                                          .anchor = "builtin.module",
                                          .options = OPTIONS,
                                          .statistics = STATISTICS,
                                          .run = run_lower_kernels};
