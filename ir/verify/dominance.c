/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Dominator trees (Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm"), region by region
 * on demand. A region of one block, which nearly all are, never gets one. */
#include "ir/verify/dominance.h"

#include "ir/op_t.h"
#include "ir/verify/dominance_t.h"

struct EchoDominance {
  EchoMap trees; /* EchoRegion * -> EchoDomTree * */
};

EchoDominance *echo_dominance_create(EchoOp *root)
{
  (void)root;
  return echo_alloc_zero(1, sizeof(EchoDominance));
}

static void destroy_tree(EchoDomTree *tree)
{
  echo_map_destroy(&tree->numbers);
  echo_free(tree->blocks);
  echo_free(tree->idom);
  echo_free(tree->enter);
  echo_free(tree->leave);
  echo_free(tree->preorder);
  echo_free(tree);
}

void echo_dominance_destroy(EchoDominance *dominance)
{
  if (dominance == NULL)
    return;
  EchoMapEntry entry;
  for (size_t i = 0; echo_map_next(&dominance->trees, &i, &entry);)
    destroy_tree((EchoDomTree *)(uintptr_t)entry.value);
  echo_map_destroy(&dominance->trees);
  echo_free(dominance);
}

/* ---- numbering ---- */

typedef struct Frame {
  EchoBlock *block;
  uint32_t next_successor;
} Frame;

static const EchoOp *branch_or_null(const EchoBlock *block)
{
  return block->last != NULL && block->last->n_successors != 0 ? block->last : NULL;
}

/* Depth first with a stack of its own; fills tree->blocks back to front. */
static void number_blocks(EchoDomTree *tree, EchoRegion *region)
{
  ECHO_VECTOR(Frame) stack = {0};
  ECHO_VECTOR(EchoBlock *) post_order = {0};
  echo_map_set(&tree->numbers, echo_key(region->first), 0);
  echo_vector_push(&stack, (Frame){region->first, 0});
  while (stack.size != 0) {
    Frame *frame = &echo_vector_last(&stack);
    const EchoOp *branch = branch_or_null(frame->block);
    if (branch == NULL || frame->next_successor == branch->n_successors) {
      echo_vector_push(&post_order, frame->block);
      stack.size--;
      continue;
    }
    EchoBlock *successor = echo_op_successors(branch)[frame->next_successor++];
    if (successor->region == region && echo_map_insert(&tree->numbers, echo_key(successor), 0))
      echo_vector_push(&stack, (Frame){successor, 0});
  }
  tree->n_blocks = (uint32_t)post_order.size;
  tree->blocks = echo_alloc_array(tree->n_blocks, sizeof *tree->blocks);
  for (uint32_t i = 0; i < tree->n_blocks; ++i) {
    tree->blocks[i] = post_order.data[tree->n_blocks - 1 - i];
    echo_map_set(&tree->numbers, echo_key(tree->blocks[i]), i);
  }
  echo_vector_destroy(&stack);
  echo_vector_destroy(&post_order);
}

/* Predecessors of all blocks: those of block b are [starts[b], starts[b + 1]). */
typedef struct Predecessors {
  uint32_t *starts, *blocks;
} Predecessors;

static uint32_t successor_number(const EchoDomTree *tree, const EchoOp *branch, uint16_t index)
{
  return (uint32_t)echo_map_get_or(&tree->numbers, echo_key(echo_op_successors(branch)[index]),
                                   UINT32_MAX);
}

static Predecessors collect_predecessors(const EchoDomTree *tree)
{
  uint32_t n = tree->n_blocks;
  Predecessors result = {.starts = echo_alloc_zero((size_t)n + 2, sizeof(uint32_t))};
  for (uint32_t b = 0; b < n; ++b) {
    const EchoOp *branch = branch_or_null(tree->blocks[b]);
    for (uint16_t s = 0; branch != NULL && s < branch->n_successors; ++s) {
      uint32_t to = successor_number(tree, branch, s);
      if (to != UINT32_MAX)
        result.starts[to + 2]++;
    }
  }
  for (uint32_t b = 0; b < n; ++b)
    result.starts[b + 2] += result.starts[b + 1];
  result.blocks = echo_alloc_array((size_t)result.starts[n + 1] + 1, sizeof(uint32_t));
  for (uint32_t b = 0; b < n; ++b) {
    const EchoOp *branch = branch_or_null(tree->blocks[b]);
    for (uint16_t s = 0; branch != NULL && s < branch->n_successors; ++s) {
      uint32_t to = successor_number(tree, branch, s);
      if (to != UINT32_MAX)
        result.blocks[result.starts[to + 1]++] = b;
    }
  }
  return result; /* filling moved starts[b + 1] to where block b's begin ends, so starts[b] is its
                    begin */
}

/* ---- the tree ---- */

static uint32_t intersect(const uint32_t *idom, uint32_t a, uint32_t b)
{
  while (a != b)
    if (a > b)
      a = idom[a];
    else
      b = idom[b];
  return a;
}

static void compute_idoms(EchoDomTree *tree, const Predecessors *predecessors)
{
  uint32_t n = tree->n_blocks;
  tree->idom = echo_alloc_array(n, sizeof *tree->idom);
  for (uint32_t b = 1; b < n; ++b)
    tree->idom[b] = UINT32_MAX;
  tree->idom[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 1; b < n; ++b) {
      uint32_t idom = UINT32_MAX;
      for (uint32_t p = predecessors->starts[b]; p < predecessors->starts[b + 1]; ++p) {
        uint32_t from = predecessors->blocks[p];
        if (tree->idom[from] != UINT32_MAX)
          idom = idom == UINT32_MAX ? from : intersect(tree->idom, from, idom);
      }
      changed = changed || tree->idom[b] != idom;
      tree->idom[b] = idom;
    }
  }
}

/* Pre-order intervals without a stack: sizes of subtrees from the back (a dominator has a smaller
 * number), then each block's begin from its dominator's. */
static void compute_intervals(EchoDomTree *tree)
{
  uint32_t n = tree->n_blocks;
  tree->enter = echo_alloc_array(n, sizeof *tree->enter);
  tree->leave = echo_alloc_array(n, sizeof *tree->leave);
  tree->preorder = echo_alloc_array(n, sizeof *tree->preorder);
  uint32_t *size = echo_alloc_array(n, sizeof *size), *next = echo_alloc_array(n, sizeof *next);
  for (uint32_t b = 0; b < n; ++b)
    size[b] = 1;
  for (uint32_t b = n - 1; b > 0; --b)
    size[tree->idom[b]] += size[b];
  for (uint32_t b = 0; b < n; ++b) {
    uint32_t enter = b == 0 ? 0 : next[tree->idom[b]];
    if (b != 0)
      next[tree->idom[b]] += size[b];
    next[b] = enter + 1;
    tree->enter[b] = enter;
    tree->leave[b] = enter + size[b];
    tree->preorder[enter] = b;
  }
  echo_free(size);
  echo_free(next);
}

const EchoDomTree *echo_dominance_tree(EchoDominance *dominance, EchoRegion *region)
{
  EchoDomTree *tree = echo_map_get_ptr(&dominance->trees, region);
  if (tree != NULL)
    return tree;
  tree = echo_alloc_zero(1, sizeof *tree);
  echo_map_set_ptr(&dominance->trees, region, tree);
  if (region->first == NULL)
    return tree;
  number_blocks(tree, region);
  Predecessors predecessors = collect_predecessors(tree);
  compute_idoms(tree, &predecessors);
  compute_intervals(tree);
  echo_free(predecessors.starts);
  echo_free(predecessors.blocks);
  return tree;
}

/* ---- questions ---- */

bool echo_dominance_is_reachable(EchoDominance *dominance, EchoBlock *block)
{
  if (dominance == NULL || block == NULL || block->region == NULL)
    return false;
  if (block == block->region->first)
    return true;
  const EchoDomTree *tree = echo_dominance_tree(dominance, block->region);
  return echo_map_has(&tree->numbers, echo_key(block));
}

bool echo_dominance_block(EchoDominance *dominance, EchoBlock *a, EchoBlock *b)
{
  if (dominance == NULL || a == NULL || b == NULL)
    return false;
  ECHO_CHECK(a->region != NULL && a->region == b->region,
             "dominance is asked of blocks in different regions");
  if (a == b || a == a->region->first)
    return true;
  const EchoDomTree *tree = echo_dominance_tree(dominance, a->region);
  uint64_t number_a, number_b;
  if (!echo_map_get(&tree->numbers, echo_key(b), &number_b))
    return true;
  if (!echo_map_get(&tree->numbers, echo_key(a), &number_a))
    return false;
  return tree->enter[number_a] <= tree->enter[number_b] &&
         tree->enter[number_b] < tree->leave[number_a];
}

/* Whether what is defined in a block is visible all over it: in a graph region, and in one of an op
 * without a row, which may be one. A graph region has one block; of several, as MLIR has it, each
 * use needs its definition before it. */
static bool is_graph_block(const EchoBlock *block)
{
  const EchoOp *parent = echo_block_parent(block);
  return parent != NULL && block->prev == NULL && block->next == NULL &&
         (parent->info->traits & (ECHO_GRAPH_REGION | ECHO_UNREGISTERED)) != 0;
}

bool echo_dominance_value_at(EchoDominance *dominance, const EchoValue *value, EchoOp *at)
{
  EchoBlock *block = echo_value_block(value);
  EchoOp *def = echo_value_def_or_null(value);
  if (is_graph_block(block))
    return true;
  if (def != NULL && def == at) /* an op's results are not visible inside it, or to itself */
    return false;
  if (at->block != block)
    return echo_dominance_block(dominance, block, at->block);
  return def == NULL || echo_op_is_before(def, at) ||
         !echo_dominance_is_reachable(dominance, block);
}

bool echo_dominance_value(EchoDominance *dominance, const EchoValue *value, EchoOp *user)
{
  if (dominance == NULL || value == NULL || user == NULL)
    return false;
  const EchoBlock *block = echo_value_block(value);
  EchoOp *at = user;
  while (at != NULL && at->block != NULL && (block == NULL || at->block->region != block->region))
    at = echo_op_parent(at);
  if (at == NULL || at->block == NULL)
    return false;
  return echo_dominance_value_at(dominance, value, at);
}
