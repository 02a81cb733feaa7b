/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Common subexpressions: a pure op that repeats one whose value is at hand gives way to it. What is
 * at hand follows the dominator tree: a table with scopes, one for each block, that regions inside
 * see too, but not through an isolated op. Barriers stay, and so does what starts from their
 * results, because those are values of their own. */
#include "ir/op_t.h"
#include "ir/pass/equivalence.h"
#include "ir/pass/passes.h"
#include "ir/pass/simplify.h"
#include "ir/verify/dominance_t.h"

/* ---- the table: entries in order of insertion, each in a chain of its bucket, newest first, so
 * that leaving a scope takes entries off the heads of their chains ---- */

typedef struct Entry {
  uint64_t hash;
  EchoOp *op;
  uint32_t next; /* index + 1 of the next older entry in the bucket; 0 = none */
} Entry;

typedef struct Table {
  ECHO_VECTOR(Entry) entries;
  uint32_t *buckets; /* index + 1 of the newest; a power of two of them */
  size_t n_buckets;
} Table;

static void link_entry(Table *table, size_t index)
{
  Entry *entry = &table->entries.data[index];
  uint32_t *bucket = &table->buckets[entry->hash & (table->n_buckets - 1)];
  entry->next = *bucket;
  *bucket = (uint32_t)index + 1;
}

static void insert(Table *table, uint64_t hash, EchoOp *op)
{
  if (table->entries.size == table->n_buckets) {
    table->n_buckets = table->n_buckets == 0 ? 256 : table->n_buckets * 2;
    echo_free(table->buckets);
    table->buckets = echo_alloc_zero(table->n_buckets, sizeof *table->buckets);
    for (size_t i = 0; i < table->entries.size; ++i)
      link_entry(table, i);
  }
  echo_vector_push(&table->entries, (Entry){.hash = hash, .op = op});
  link_entry(table, table->entries.size - 1);
}

static void leave_scope(Table *table, size_t mark)
{
  while (table->entries.size > mark) {
    Entry entry = echo_vector_pop(&table->entries);
    table->buckets[entry.hash & (table->n_buckets - 1)] = entry.next;
  }
}

/* ---- the walk ---- */

typedef struct Scope {
  uint32_t block; /* number in the dominator tree */
  size_t mark;
} Scope;

/* An op whose regions are being walked. */
typedef struct Frame {
  EchoOp *op, *next; /* next: the op to look at inside; NULL = at the end of a block */
  const EchoDomTree *tree;
  size_t n_scopes, mark, visible_from; /* to go back to */
  uint32_t position;                   /* of the current block in the tree's pre-order */
  uint16_t region;
  bool pure_inside;
  uint64_t hash_inside;
} Frame;

typedef struct Cse {
  EchoDominance *dominance;
  EchoEquivalence equivalence;
  Table table;
  size_t visible_from; /* entries before are behind an isolated op */
  ECHO_VECTOR(Frame) frames;
  ECHO_VECTOR(Scope) scopes;
  uint64_t n_erased;
} Cse;

static EchoOp *find_or_null(Cse *cse, uint64_t hash, const EchoOp *op)
{
  const Table *table = &cse->table;
  if (table->n_buckets == 0)
    return NULL;
  uint32_t at = table->buckets[hash & (table->n_buckets - 1)];
  for (; at > cse->visible_from; at = table->entries.data[at - 1].next) {
    const Entry *entry = &table->entries.data[at - 1];
    if (entry->hash == hash && echo_ops_are_equivalent(&cse->equivalence, entry->op, op))
      return entry->op;
  }
  return NULL;
}

/* Pure by its own traits, what is inside left aside. */
static bool is_pure_itself(const EchoOp *op)
{
  const uint64_t effects =
      ECHO_SIDE_EFFECTS | ECHO_UNREGISTERED | ECHO_READS_MEMORY | ECHO_ALLOCATES;
  const uint64_t pure = ECHO_PURE | ECHO_RECURSIVE_EFFECTS | ECHO_CONSTANT | ECHO_TERMINATOR;
  return (op->info->traits & effects) == 0 && (op->info->traits & pure) != 0;
}

static bool may_be_replaced(const EchoOp *op, bool pure)
{
  const uint64_t stays = ECHO_TERMINATOR | ECHO_SYMBOL | ECHO_BARRIER;
  return pure && op->n_results != 0 && op->n_successors == 0 && (op->info->traits & stays) == 0;
}

/* Looks `op` up or enters it, and adds it to what its parent holds. */
static void settle(Cse *cse, EchoOp *op, bool pure_inside, uint64_t hash_inside)
{
  bool pure =
      is_pure_itself(op) && ((op->info->traits & ECHO_RECURSIVE_EFFECTS) == 0 || pure_inside);
  uint64_t own_hash_inside = 0;
  bool parent_may_be_replaced = cse->frames.size > 1;
  if (parent_may_be_replaced)
    own_hash_inside = echo_equivalence_hash_inside(&cse->equivalence, op, hash_inside);
  if (may_be_replaced(op, pure)) {
    uint64_t hash = echo_equivalence_hash(&cse->equivalence, op, hash_inside);
    EchoOp *equal = find_or_null(cse, hash, op);
    if (equal != NULL) {
      for (uint32_t i = 0; i < op->n_results; ++i)
        echo_value_replace_all_uses(&op->results[i], &equal->results[i]);
      echo_op_erase(op);
      cse->n_erased++;
      return;
    }
    insert(&cse->table, hash, op);
  }
  Frame *frame = &echo_vector_last(&cse->frames);
  frame->pure_inside = frame->pure_inside && pure;
  if (parent_may_be_replaced)
    frame->hash_inside = echo_hash_combine(frame->hash_inside, own_hash_inside);
}

static void enter_op(Cse *cse, EchoOp *op)
{
  echo_vector_push(&cse->frames, (Frame){.op = op,
                                         .n_scopes = cse->scopes.size,
                                         .mark = cse->table.entries.size,
                                         .visible_from = cse->visible_from,
                                         .pure_inside = true,
                                         .position = UINT32_MAX});
  if ((op->info->traits & ECHO_ISOLATED) != 0)
    cse->visible_from = cse->table.entries.size;
}

static void leave_op(Cse *cse)
{
  Frame frame = echo_vector_pop(&cse->frames);
  leave_scope(&cse->table, frame.mark);
  cse->scopes.size = frame.n_scopes;
  cse->visible_from = frame.visible_from;
  if (cse->frames.size != 0)
    settle(cse, frame.op, frame.pure_inside, frame.hash_inside);
}

/* Leaves the scopes of blocks that do not dominate block `number`, and opens its own. */
static void enter_block(Cse *cse, Frame *frame, uint32_t number)
{
  const EchoDomTree *tree = frame->tree;
  while (cse->scopes.size > frame->n_scopes &&
         tree->leave[echo_vector_last(&cse->scopes).block] <= tree->enter[number])
    leave_scope(&cse->table, echo_vector_pop(&cse->scopes).mark);
  echo_vector_push(&cse->scopes, (Scope){number, cse->table.entries.size});
  frame->next = tree->blocks[number]->first;
}

/* Moves on to the next block, the next region, or false: there is none. */
static bool advance(Cse *cse, Frame *frame)
{
  for (;; frame->position = UINT32_MAX, frame->region++) {
    if (frame->region == frame->op->n_regions)
      return false;
    EchoRegion *region = &frame->op->regions[frame->region];
    bool is_single = region->first == region->last;
    if (frame->position == UINT32_MAX) { /* a region begins */
      leave_scope(&cse->table, frame->mark);
      cse->scopes.size = frame->n_scopes;
      if (region->first == NULL)
        continue;
      frame->position = 0;
      frame->tree = is_single ? NULL : echo_dominance_tree(cse->dominance, region);
      if (is_single)
        frame->next = region->first->first;
      else
        enter_block(cse, frame, frame->tree->preorder[0]);
      return true;
    }
    if (!is_single && ++frame->position < frame->tree->n_blocks) {
      enter_block(cse, frame, frame->tree->preorder[frame->position]);
      return true;
    }
  }
}

static void run_on(Cse *cse, EchoOp *root)
{
  enter_op(cse, root);
  while (cse->frames.size != 0) {
    Frame *frame = &echo_vector_last(&cse->frames);
    EchoOp *op = frame->next;
    if (op == NULL) {
      if (!advance(cse, frame))
        leave_op(cse);
      continue;
    }
    frame->next = op->next;
    if (op->n_regions != 0)
      enter_op(cse, op);
    else
      settle(cse, op, true, 0);
  }
}

/* ---- the pass ---- */

uint64_t echo_cse(EchoOp *root, const EchoStr *ignored, size_t n_ignored)
{
  Cse cse = {.dominance = echo_dominance_create(root),
             .equivalence = {.ignored_attrs = ignored, .n_ignored_attrs = n_ignored}};
  run_on(&cse, root);
  echo_dominance_destroy(cse.dominance);
  echo_equivalence_destroy(&cse.equivalence);
  echo_vector_destroy(&cse.table.entries);
  echo_vector_destroy(&cse.frames);
  echo_vector_destroy(&cse.scopes);
  echo_free(cse.table.buckets);
  return cse.n_erased;
}

/* The names in the option, in the scratch of the run. */
static const EchoStr *read_ignored(const EchoPassRun *run, size_t *n)
{
  EchoStr text = echo_pass_option(run, "ignore");
  EchoStr *names = ECHO_ARENA_ARRAY(run->scratch, EchoStr, text.size / 2 + 1);
  *n = 0;
  for (size_t begin = 0; begin < text.size;) {
    const char *comma = memchr(text.data + begin, ',', text.size - begin);
    size_t end = comma != NULL ? (size_t)(comma - text.data) : text.size;
    if (end != begin)
      names[(*n)++] = (EchoStr){text.data + begin, end - begin};
    begin = end + 1;
  }
  return names;
}

static bool run_cse(EchoPassRun *run)
{
  size_t n_ignored;
  const EchoStr *ignored = read_ignored(run, &n_ignored);
  uint64_t n_erased = echo_cse(run->op, ignored, n_ignored);
  echo_pass_count(run, "num-cse'd", n_erased);
  run->keeps_all = n_erased == 0;
  return true;
}

static const EchoPassOption OPTIONS[] = {
    {"ignore", "discardable attributes that may differ (comma-separated); the first op's stay", ""},
    {NULL, NULL, NULL}};
static const EchoPassStatistic STATISTICS[] = {{"num-cse'd", "Ops that another one stands for now"},
                                               {NULL, NULL}};

const EchoPass ECHO_PASS_CSE = {.name = "cse",
                                .title = "CSE",
                                .summary = "merge pure ops that compute the same",
                                .options = OPTIONS,
                                .statistics = STATISTICS,
                                .run = run_cse};
