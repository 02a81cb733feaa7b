/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --chunk-rows goes by data flow: the ops of a loss head, or of attention and its gradient, in any
 * order that they can run in, give the same chunks. No op of the result is as large as the logits,
 * or the scores. */
#include "base/map.h"
#include "dialects/dialects.h"
#include "ir/pass/pass.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "lowering/lowering.h"
#include "tests/unit/suite.h"

static uint64_t draw(uint64_t *seed, uint64_t below)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (*seed >> 33) % below;
}

/* What `op` reads of its block stands before it. */
static bool may_stand_before(const EchoOp *op, const EchoOp *next)
{
  for (uint32_t i = 0; i < next->n_operands; ++i)
    if (echo_value_def_or_null(echo_op_operand(next, i)) == op)
      return false;
  return true;
}

/* Neighbours that do not need each other change places, many times. */
static void shuffle(EchoBlock *block, uint64_t seed)
{
  for (int round = 0; round < 60; ++round)
    for (EchoOp *op = block->first, *next; op != NULL; op = next) {
      next = op->next;
      if (next != NULL && !echo_op_has_trait(next, ECHO_TERMINATOR) && may_stand_before(op, next) &&
          draw(&seed, 2) == 0)
        echo_op_move_before(next, op);
    }
}

static void run_passes(EchoContext *ctx, EchoOp *module, const char *pipeline)
{
  EchoPassRegistry *registry = echo_pass_registry_create();
  echo_register_ir_passes(registry);
  echo_register_lowering_passes(registry);
  EchoPassManagerOptions options = {.verify_each = true};
  EchoPassManager *manager = echo_pass_manager_create(ctx, registry, &options);
  ck_assert(echo_pass_manager_add_pipeline(manager, echo_str(pipeline)));
  ck_assert(echo_pass_manager_run(manager, module));
  echo_pass_manager_destroy(manager);
  echo_pass_registry_destroy(registry);
}

/* As large as the logits, or the scores. What counts its own place is made where it is read. */
static bool is_wide(const EchoOp *op, uint32_t i, int64_t limit)
{
  int64_t n_elements;
  return echo_type_n_elements(echo_op_result_type(op, i), &n_elements) && n_elements >= limit &&
         !echo_op_is(op, "stablehlo.iota") && !echo_op_is(op, "stablehlo.constant");
}

/* How many ops of each kind there are, as one number: the same chunks give the same. */
static uint64_t count_ops(EchoOp *module)
{
  uint64_t count = 0;
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    count += echo_hash_bytes(op->info->name, strlen(op->info->name), 0);
  return count;
}

static const struct {
  const char *path;
  int64_t n_elements; /* of the logits or scores */
} steps[] = {{ECHO_SOURCE_DIR "/tests/unit/step/head.mlir", INT64_C(2) * 17 * 40000},
             {ECHO_SOURCE_DIR "/tests/golden/chunk-rows/attention.mlir", INT64_C(2) * 512 * 1024}};

static uint64_t chunk_shuffled(size_t step, uint64_t seed)
{
  EchoContext *ctx = echo_context_create();
  echo_register_dialects(ctx);
  EchoOp *module = echo_parse_file_or_null(ctx, steps[step].path);
  ck_assert_ptr_nonnull(module);
  EchoBlock *body = echo_op_body(echo_op_body(module, 0)->first, 0);
  if (seed != 0)
    shuffle(body, seed);
  ck_assert(echo_verify(module));
  run_passes(ctx, module, "chunk-rows,cse,dce");
  for (EchoOp *op = body->first; op != NULL; op = op->next)
    for (uint32_t i = 0; i < op->n_results; ++i)
      ck_assert_msg(!is_wide(op, i, steps[step].n_elements), "seed %llu: %s is wide",
                    (unsigned long long)seed, op->info->name);
  uint64_t count = count_ops(module);
  echo_context_destroy(ctx);
  return count;
}

START_TEST(order_of_a_head_is_nothing)
{
  ck_assert_uint_eq(chunk_shuffled(0, (uint64_t)_i), chunk_shuffled(0, 0));
}
END_TEST

START_TEST(order_of_attention_is_nothing)
{
  ck_assert_uint_eq(chunk_shuffled(1, (uint64_t)_i), chunk_shuffled(1, 0));
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("chunk_rows");
  TCase *tcase = tcase_create("order");
  tcase_set_timeout(tcase, 120);
  tcase_add_loop_test(tcase, order_of_a_head_is_nothing, 1, 40);
  tcase_add_loop_test(tcase, order_of_attention_is_nothing, 1, 40);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
