/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Brings ops into the form that other passes expect: folds, dead ops, the patterns that dialects
 * contribute, and blocks that no branch reaches. */
#include "ir/op_t.h"
#include "ir/pass/passes.h"
#include "ir/pass/rewrite.h"
#include "ir/pass/simplify.h"
#include "ir/verify/dominance.h"

static void erase_blocks(EchoBlock *const *blocks, size_t n)
{
  for (size_t i = 0; i < n; ++i)
    for (EchoOp *top = blocks[i]->first; top != NULL; top = top->next)
      for (EchoOp *op = top; op != NULL; op = echo_op_walk_next(top, op))
        echo_op_drop_operands(op);
  for (size_t i = 0; i < n; ++i)
    echo_block_erase(blocks[i]);
}

/* Erases the region's unreachable blocks; they may use each other's values. Returns how many. */
static size_t erase_unreachable(EchoDominance *dominance, EchoRegion *region)
{
  ECHO_VECTOR(EchoBlock *) unreachable = {0};
  for (EchoBlock *block = region->first; block != NULL; block = block->next)
    if (!echo_dominance_is_reachable(dominance, block))
      echo_vector_push(&unreachable, block);
  size_t n_erased = unreachable.size;
  erase_blocks(unreachable.data, n_erased);
  echo_vector_destroy(&unreachable);
  return n_erased;
}

static uint64_t erase_all_unreachable(EchoOp *root)
{
  EchoDominance *dominance = echo_dominance_create(root);
  uint64_t n_erased = 0;
  for (EchoOp *op = root; op != NULL; op = echo_op_walk_next(root, op))
    for (uint16_t i = 0; i < op->n_regions; ++i)
      if (op->regions[i].first != op->regions[i].last)
        n_erased += erase_unreachable(dominance, &op->regions[i]);
  echo_dominance_destroy(dominance);
  return n_erased;
}

uint64_t echo_canonicalize(EchoOp *root, uint64_t max_rewrites)
{
  const EchoContext *ctx = echo_op_context(root);
  EchoRewriteOptions options = {
      .patterns = ctx->canonicalizations.data,
      .n_patterns = ctx->canonicalizations.size,
      .fold = true,
      .max_rewrites = max_rewrites,
  };
  uint64_t n_rewrites;
  echo_rewrite_greedily(root, &options, &n_rewrites);
  return n_rewrites;
}

static bool run_canonicalize(EchoPassRun *run)
{
  int64_t max_rewrites;
  if (!echo_pass_option_i64(run, "max-num-rewrites", &max_rewrites))
    return false;
  uint64_t n_erased = erase_all_unreachable(run->op);
  uint64_t n_rewrites = echo_canonicalize(run->op, max_rewrites > 0 ? (uint64_t)max_rewrites : 0);
  echo_pass_count(run, "num-rewrites", n_rewrites);
  run->keeps_all = n_rewrites == 0 && n_erased == 0;
  return true;
}

static const EchoPassOption OPTIONS[] = {
    {"max-num-rewrites", "stop after as many rewrites; -1 = when nothing is left to do", "-1"},
    {NULL, NULL, NULL}};
static const EchoPassStatistic STATISTICS[] = {
    {"num-rewrites", "Ops folded, erased as dead or rewritten by a pattern"}, {NULL, NULL}};

const EchoPass ECHO_PASS_CANONICALIZE = {.name = "canonicalize",
                                         .title = "Canonicalizer",
                                         .summary = "fold, simplify and erase what is dead",
                                         .options = OPTIONS,
                                         .statistics = STATISTICS,
                                         .run = run_canonicalize};
