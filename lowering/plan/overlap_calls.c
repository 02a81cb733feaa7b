/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --overlap-calls: calls that may run beside the program (EchoCallTarget.may_overlap, which the
 * targets of collectives are) begin where they stand and are waited for as late as their results
 * and memory allow: planning/overlap/overlap.h decides, block by block; this file reads blocks and
 * writes launches that give an event, and plan.wait. Runs before --plan-memory, on a copy that is
 * taken where its arena is no larger. */
#include "base/map.h"
#include "dialects/kernel/call_target.h"
#include "dialects/kernel/kernel.h"
#include "dialects/plan/plan.h"
#include "ir/builder.h"
#include "ir/context.h"
#include "ir/symbol.h"
#include "lowering/lowering.h"
#include "lowering/plan/arena_plan_t.h"
#include "planning/overlap/overlap.h"

/* How finely what may be live is tried: a power of two, of which as many plans are made as its
 * logarithm, and one. */
enum { N_SHARES = 64 };

typedef struct Overlapper {
  EchoContext *ctx;
  EchoMap calls;       /* kernel.func of such a call -> 1 */
  EchoMap block_of;    /* a buffer of the arena -> the block that it lives in */
  EchoMap inner_bytes; /* an op with regions -> the most that they hold at once */
  EchoSymbolTable symbols;
  uint64_t alignment;
  unsigned share; /* of N_SHARES of each block's peak: the limit */
  size_t n_begun;
} Overlapper;

/* ---- calls ---- */

/* Its effect, of a target that may overlap, takes the token first and gives it first. */
static bool may_overlap(EchoContext *ctx, const EchoOp *kernel)
{
  const EchoBlock *body = echo_op_body(kernel, 0);
  const EchoOp *effect = body->first;
  EchoLibraryCall call;
  if (effect == NULL || effect->next != body->last || !echo_kernel_is_invoke(effect))
    return false;
  echo_kernel_library_call(effect, &call);
  if (!call.has_token || !echo_str_is(call.library, ECHO_LIBRARY_TARGET) || body->n_args == 0 ||
      echo_op_operand(effect, 0) != echo_block_arg(body, 0) ||
      echo_op_operand(body->last, 0) != echo_op_result(effect, 0))
    return false;
  const EchoCallTarget *target = echo_context_row_or_null(ctx, ECHO_CALL_TARGET, call.symbol);
  return target != NULL && target->may_overlap;
}

static void find_calls(Overlapper *overlapper, EchoOp *module)
{
  for (EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next)
    if (echo_op_is(op, "kernel.func") && may_overlap(overlapper->ctx, op))
      echo_map_set(&overlapper->calls, echo_key(op), 1);
}

static bool is_call(const Overlapper *overlapper, const EchoOp *op)
{
  if (echo_plan_opcode(op) != ECHO_PLAN_LAUNCH || op->n_results != 0)
    return false;
  const EchoOp *kernel = echo_symbol_table_get_or_null(
      &overlapper->symbols, echo_op_attr_or_null(op, "callee")->as.symbol.root);
  return kernel != NULL && echo_map_has(&overlapper->calls, echo_key(kernel));
}

/* ---- a block as the planner sees it ---- */

typedef struct ReadStep {
  EchoOp *op;
  size_t index; /* among the block's ops */
} ReadStep;

typedef struct Reader {
  const Overlapper *overlapper;
  const EchoBlock *block;
  EchoMap number_of; /* of what lies in one place -> its resource */
  EchoOverlapProgram program;
  ECHO_VECTOR(EchoOp *) ops; /* all but the end */
  ECHO_VECTOR(ReadStep) steps;
} Reader;

/* What is lent a result's place shares it. */
static uint32_t resource_of(Reader *reader, const EchoValue *memref)
{
  const EchoValue *root = echo_plan_root(memref), *lender = echo_plan_lender_or_null(root);
  const EchoValue *place = lender != NULL ? lender : root;
  uint64_t number = reader->program.resource_bytes.size;
  if (!echo_map_insert(&reader->number_of, echo_key(place), number))
    return (uint32_t)echo_map_get_or(&reader->number_of, echo_key(place), 0);
  bool is_own = echo_map_get_ptr(&reader->overlapper->block_of, place) == reader->block;
  echo_vector_push(
      &reader->program.resource_bytes,
      is_own ? echo_align_up(echo_type_static_bytes(place->type), reader->overlapper->alignment)
             : 0);
  return (uint32_t)number;
}

static void read_accesses(Reader *reader, const EchoOp *op, bool of_call)
{
  int64_t first_output = echo_op_attr_i64(op, "n_inputs", 0);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    EchoPlanAccess access = echo_plan_access(op, i);
    if (access == ECHO_PLAN_NO_ACCESS)
      continue;
    const EchoOverlapAccess made = {.resource = resource_of(reader, echo_op_operand(op, i)),
                                    .writes = access == ECHO_PLAN_WRITE,
                                    .is_token = of_call && (i == 0 || i == first_output)};
    echo_vector_push(&reader->program.accesses, made);
  }
}

/* What is inside of control flow is read with it. */
static void read_step(Reader *reader, EchoOp *step)
{
  EchoOverlapStep made = {.first_access = reader->program.accesses.size,
                          .inner_bytes =
                              echo_map_get_or(&reader->overlapper->inner_bytes, echo_key(step), 0),
                          .is_call = is_call(reader->overlapper, step),
                          .is_barrier = echo_op_has_trait(step, ECHO_PLAN_SWAP) ||
                                        echo_plan_opcode(step) == ECHO_PLAN_WAIT};
  for (EchoOp *op = step; op != NULL; op = echo_op_walk_next(step, op))
    read_accesses(reader, op, made.is_call);
  made.n_accesses = reader->program.accesses.size - made.first_access;
  echo_vector_push(&reader->program.steps, made);
  echo_vector_push(&reader->steps, ((ReadStep){step, reader->ops.size}));
}

/* The block's end, which may read a flag, comes last. */
static void read_block(Reader *reader)
{
  for (EchoOp *op = reader->block->first; op != reader->block->last; op = op->next) {
    if (!echo_op_has_trait(op, ECHO_PLAN_PLACE))
      read_step(reader, op);
    echo_vector_push(&reader->ops, op);
  }
}

/* ---- rewriting ---- */

static EchoValue *begin(Overlapper *overlapper, EchoOp *launch)
{
  ECHO_VECTOR(EchoValue *) operands = {0};
  for (uint32_t i = 0; i < launch->n_operands; i++)
    echo_vector_push(&operands, echo_op_operand(launch, i));
  const EchoType *event = echo_type_opaque(overlapper->ctx, ECHO_STR("plan"), ECHO_STR("event"));
  EchoOp *made = echo_op_create(&(EchoOpState){.ctx = overlapper->ctx,
                                               .info = launch->info,
                                               .loc = launch->loc,
                                               .operands = operands.data,
                                               .n_operands = launch->n_operands,
                                               .result_types = &event,
                                               .n_results = 1,
                                               .properties = launch->properties,
                                               .attrs = launch->attrs});
  echo_op_insert_before(made, launch);
  echo_op_erase(launch);
  echo_vector_destroy(&operands);
  overlapper->n_begun++;
  return echo_op_result(made, 0);
}

/* Everything goes to the block's end: steps in the order of the actions, and before each the places
 * that stood before it. */
static void rewrite(Overlapper *overlapper, EchoOp *end, const Reader *reader,
                    const EchoOverlapActions *actions)
{
  EchoValue **events = echo_alloc_zero(reader->steps.size + 1, sizeof *events);
  size_t n_passed = 0;
  for (size_t i = 0; i < actions->size; i++) {
    const EchoOverlapAction *action = &actions->data[i];
    const ReadStep *step = &reader->steps.data[action->step];
    if (action->kind == ECHO_OVERLAP_WAIT) {
      EchoBuilder builder = echo_builder_before(end);
      builder.loc = echo_value_def_or_null(events[action->step])->loc;
      echo_build_op(&builder, "plan.wait", &events[action->step], 1, NULL, 0, NULL, 0);
      continue;
    }
    for (; n_passed <= step->index; n_passed++)
      if (echo_op_has_trait(reader->ops.data[n_passed], ECHO_PLAN_PLACE))
        echo_op_move_before(reader->ops.data[n_passed], end);
    echo_op_move_before(step->op, end);
    if (action->kind == ECHO_OVERLAP_BEGIN)
      events[action->step] = begin(overlapper, step->op);
  }
  for (; n_passed < reader->ops.size; n_passed++)
    if (echo_op_has_trait(reader->ops.data[n_passed], ECHO_PLAN_PLACE))
      echo_op_move_before(reader->ops.data[n_passed], end);
  echo_free(events);
}

static void overlap_block(Overlapper *overlapper, EchoBlock *block);

static void overlap_regions(Overlapper *overlapper, EchoBlock *block)
{
  for (EchoOp *op = block->first; op != NULL; op = op->next)
    for (uint32_t r = 0; r < op->n_regions; r++)
      overlap_block(overlapper, echo_op_body(op, r));
}

static void overlap_block(Overlapper *overlapper, EchoBlock *block)
{
  Reader reader = {.overlapper = overlapper, .block = block};
  EchoOverlapActions actions = {0};
  overlap_regions(overlapper, block);
  read_block(&reader);
  uint64_t peak = echo_overlap_peak(&reader.program);
  EchoOp *parent = echo_block_parent(block);
  if (peak > echo_map_get_or(&overlapper->inner_bytes, echo_key(parent), 0))
    echo_map_set(&overlapper->inner_bytes, echo_key(parent), peak);
  echo_overlap_decide(&reader.program, peak - peak / N_SHARES * (N_SHARES - overlapper->share),
                      &actions);
  if (actions.size != reader.steps.size) /* a call that is waited for apart is two */
    rewrite(overlapper, block->last, &reader, &actions);
  echo_vector_destroy(&actions);
  echo_overlap_program_destroy(&reader.program);
  echo_vector_destroy(&reader.ops);
  echo_vector_destroy(&reader.steps);
  echo_map_destroy(&reader.number_of);
}

/* ---- the pass ---- */

static void find_blocks(Overlapper *overlapper, EchoOp *function)
{
  EchoPlanUses uses = {0};
  for (EchoOp *op = echo_plan_first_or_null(function, ECHO_PLAN_PLACE); op != NULL;
       op = echo_plan_next_or_null(function, op, ECHO_PLAN_PLACE)) {
    if (echo_plan_opcode(op) != ECHO_PLAN_BUFFER)
      continue;
    echo_vector_clear(&uses);
    echo_plan_collect_uses(echo_op_result(op, 0), &uses);
    if (uses.size != 0)
      echo_map_set_ptr(&overlapper->block_of, echo_op_result(op, 0), echo_plan_common_block(&uses));
  }
  echo_vector_destroy(&uses);
}

static void overlap_function(Overlapper *overlapper, EchoOp *function)
{
  overlapper->n_begun = 0;
  find_blocks(overlapper, function);
  overlap_block(overlapper, echo_op_body(function, 0));
  echo_map_destroy(&overlapper->block_of);
  echo_map_destroy(&overlapper->inner_bytes);
}

static bool has_call(const Overlapper *overlapper, EchoOp *function)
{
  for (EchoOp *op = echo_plan_first_or_null(function, ECHO_PLAN_STEP); op != NULL;
       op = echo_plan_next_or_null(function, op, ECHO_PLAN_STEP))
    if (is_call(overlapper, op))
      return true;
  return false;
}

/* A copy of the function, before it, with calls that run beside it while no more than `share` of
 * N_SHARES of its peak is live. */
static EchoOp *try_share(Overlapper *overlapper, EchoOp *function, unsigned share)
{
  EchoOp *copy = echo_op_clone(function, NULL);
  echo_op_insert_before(copy, function);
  overlapper->share = share;
  overlap_function(overlapper, copy);
  return copy;
}

/* Live bytes stay within those of the order given, but what is live otherwise may lie worse, and
 * then less may be live while calls are under way. How much the arena takes does not rise steadily
 * with that: of what is tried, by halves of what is left, the largest share is taken that takes no
 * more. The function that is left. */
static EchoOp *take_what_fits(Overlapper *overlapper, EchoOp *function)
{
  const uint64_t bytes = echo_arena_plan_bytes(function);
  EchoOp *taken = function;
  size_t n_taken = 0;
  for (unsigned low = 0, high = N_SHARES + 1, share = N_SHARES; low + 1 < high;
       share = (low + high) / 2) {
    EchoOp *copy = try_share(overlapper, function, share);
    const size_t n = overlapper->n_begun;
    const bool fits = n == 0 || echo_arena_plan_bytes(copy) <= bytes;
    const bool is_better = fits && n != 0 && n >= n_taken; /* waits later */
    if (is_better && taken != function)
      echo_op_erase(taken);
    if (is_better) {
      taken = copy;
      n_taken = n;
    } else {
      echo_op_erase(copy);
    }
    low = fits ? share : low;
    high = fits ? high : share;
  }
  if (taken != function)
    echo_op_erase(function);
  overlapper->n_begun = n_taken;
  return taken;
}

static bool run(EchoPassRun *pass)
{
  Overlapper overlapper = {.ctx = pass->ctx};
  find_calls(&overlapper, pass->op);
  pass->keeps_all = overlapper.calls.n_live == 0;
  if (pass->keeps_all)
    return true;
  echo_symbol_table_create(&overlapper.symbols, pass->op);
  for (EchoOp *op = echo_op_body(pass->op, 0)->first; op != NULL; op = op->next) {
    const EchoOp *arena = echo_op_is(op, "func.func") ? echo_plan_arena_or_null(op) : NULL;
    if (arena == NULL || !has_call(&overlapper, op))
      continue;
    overlapper.alignment = (uint64_t)echo_op_attr_i64((EchoOp *)(uintptr_t)arena, "alignment", 1);
    op = take_what_fits(&overlapper, op);
    echo_pass_count(pass, "calls", overlapper.n_begun);
  }
  echo_symbol_table_destroy(&overlapper.symbols);
  echo_map_destroy(&overlapper.calls);
  return true;
}

static const EchoPassStatistic STATISTICS[] = {{"calls", "that run beside other steps"},
                                               {NULL, NULL}};

const EchoPass ECHO_PASS_OVERLAP_CALLS = {
    .name = "overlap-calls",
    .summary = "begin calls that may run beside the program, and wait for them late",
    .anchor = "builtin.module",
    .statistics = STATISTICS,
    .run = run,
};
