/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The greedy driver: a worklist of ops, each folded, erased when dead, or handed to the patterns of
 * its row, until none is left. A change puts on the list what it may have made rewritable: users of
 * new values, new ops, and the producers of operands that went away. */
#include "ir/pass/rewrite.h"

#include "base/bitset.h"
#include "ir/context_t.h"
#include "ir/op_t.h"

/* What is worked out once for each row that occurs. */
typedef struct RowPlan {
  const EchoDialect *dialect; /* makes its constants; NULL = none */
  const EchoPattern **patterns;
  size_t n_patterns;
} RowPlan;

/* An op may be gone when its entry is taken, so what is known about it is kept by its id, which no
 * other op gets. */
typedef struct Entry {
  EchoOp *op;
  uint32_t id;
} Entry;

/* Ids of the ops that were inside the root at the start, then those of ops made since, as one dense
 * range. */
typedef struct IdRange {
  uint32_t first_old, n_old, first_new;
} IdRange;

typedef struct EchoRewriteDriver {
  EchoContext *ctx;
  EchoOp *root;
  const EchoRewriteOptions *options;
  ECHO_VECTOR(Entry) worklist; /* a stack */
  IdRange ids;
  EchoBitset queued, erased; /* by number of the id */
  EchoMap plans;             /* const EchoOpInfo * -> RowPlan * */
  const EchoOpInfo *last_info;
  const RowPlan *last_plan; /* of last_info */
  EchoArena arena;
  ECHO_VECTOR(EchoOp *) inserted; /* by the rewriter's builder since the pattern began */
  ECHO_VECTOR(EchoFoldResult) fold_results;
  ECHO_VECTOR(const EchoAttr *) constants;
  uint64_t n_rewrites;
} EchoRewriteDriver;

/* ---- the worklist ---- */

static void grow_bits(EchoBitset *set, size_t n_bits)
{
  EchoBitset grown;
  echo_bitset_create(&grown, n_bits);
  if (set->n_bits != 0)
    memcpy(grown.words, set->words, (set->n_bits + 63) / 64 * sizeof *set->words);
  echo_bitset_destroy(set);
  *set = grown;
}

/* SIZE_MAX for ops that stand outside the root: they are not the driver's to rewrite. */
static size_t number_of(EchoRewriteDriver *driver, uint32_t id)
{
  const IdRange *ids = &driver->ids;
  size_t number = SIZE_MAX;
  if (id - ids->first_old < ids->n_old)
    number = id - ids->first_old;
  else if (id >= ids->first_new)
    number = (size_t)ids->n_old + (id - ids->first_new);
  if (number != SIZE_MAX && number >= driver->queued.n_bits) {
    grow_bits(&driver->queued, number * 2 + 64);
    grow_bits(&driver->erased, number * 2 + 64);
  }
  return number;
}

static void enqueue(EchoRewriteDriver *driver, EchoOp *op)
{
  size_t number = number_of(driver, op->id);
  if (number == SIZE_MAX || op == driver->root || echo_bitset_has(&driver->queued, number))
    return;
  echo_bitset_set(&driver->queued, number);
  echo_vector_push(&driver->worklist, (Entry){op, op->id});
}

static void enqueue_users(EchoRewriteDriver *driver, const EchoValue *value)
{
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next)
    enqueue(driver, use->owner);
}

static void enqueue_all_users(EchoRewriteDriver *driver, const EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_results; ++i)
    enqueue_users(driver, &op->results[i]);
}

static EchoOp *pop_or_null(EchoRewriteDriver *driver)
{
  while (driver->worklist.size != 0) {
    Entry entry = echo_vector_pop(&driver->worklist);
    size_t number = number_of(driver, entry.id);
    echo_bitset_clear(&driver->queued, number);
    if (!echo_bitset_has(&driver->erased, number))
      return entry.op;
  }
  return NULL;
}

/* In reverse, so that the first op is taken first and constants come before what folds with them.
 */
static void enqueue_everything(EchoRewriteDriver *driver)
{
  EchoOp *root = driver->root;
  uint32_t first = root->id, last = root->id;
  for (EchoOp *op = root; op != NULL; op = echo_op_walk_next(root, op)) {
    echo_vector_push(&driver->worklist, (Entry){op, op->id});
    first = op->id < first ? op->id : first;
    last = op->id > last ? op->id : last;
  }
  driver->ids = (IdRange){first, last - first + 1, driver->ctx->next_op_id};
  grow_bits(&driver->queued, (size_t)driver->ids.n_old + 64);
  grow_bits(&driver->erased, (size_t)driver->ids.n_old + 64);
  Entry *entries = driver->worklist.data;
  for (size_t i = 0, j = driver->worklist.size - 1; i < j; ++i, --j) {
    Entry swapped = entries[i];
    entries[i] = entries[j];
    entries[j] = swapped;
  }
  driver->worklist.size--; /* the root, which came first */
  for (size_t i = 0; i < driver->worklist.size; ++i)
    echo_bitset_set(&driver->queued, entries[i].id - first);
}

/* ---- erasing and replacing ---- */

static void erase(EchoRewriteDriver *driver, EchoOp *op)
{
  for (EchoOp *inner = op; inner != NULL; inner = echo_op_walk_next(op, inner)) {
    size_t number = number_of(driver, inner->id);
    if (number != SIZE_MAX)
      echo_bitset_set(&driver->erased, number);
    for (uint32_t i = 0; i < inner->n_operands; ++i) {
      EchoOp *def = echo_value_def_or_null(echo_op_operand(inner, i));
      if (def != NULL)
        enqueue(driver, def);
    }
  }
  for (size_t i = driver->inserted.size; i-- > 0;)
    if (driver->inserted.data[i] == op)
      driver->inserted.data[i] = NULL;
  echo_op_erase(op);
}

static void replace(EchoRewriteDriver *driver, EchoOp *op, EchoValue *const *values)
{
  for (uint32_t i = 0; i < op->n_results; ++i) {
    enqueue_users(driver, &op->results[i]);
    if (values[i] != &op->results[i])
      echo_value_replace_all_uses(&op->results[i], values[i]);
  }
  erase(driver, op);
}

void echo_rewriter_replace(EchoRewriter *rewriter, EchoOp *op, EchoValue *const *values)
{
  if (rewriter->builder.before == op)
    rewriter->builder.before = op->next;
  replace(rewriter->driver, op, values);
}

void echo_rewriter_erase(EchoRewriter *rewriter, EchoOp *op)
{
  if (rewriter->builder.before == op)
    rewriter->builder.before = op->next;
  erase(rewriter->driver, op);
}

void echo_rewriter_changed(EchoRewriter *rewriter, EchoOp *op)
{
  enqueue_all_users(rewriter->driver, op);
  enqueue(rewriter->driver, op);
}

/* ---- folding ---- */

static void note_inserted(void *user, EchoOp *op)
{
  EchoRewriteDriver *driver = user;
  echo_vector_push(&driver->inserted, op);
}

/* New ops stand for the op they replace: its location and its discardable attributes (its phase)
 * are theirs. */
static EchoBuilder builder_for(EchoRewriteDriver *driver, EchoOp *op)
{
  EchoBuilder builder = echo_builder_before(op);
  builder.attrs = op->attrs;
  builder.inserted = note_inserted;
  builder.inserted_user = driver;
  return builder;
}

static void enqueue_inserted(EchoRewriteDriver *driver)
{
  while (driver->inserted.size != 0) {
    EchoOp *op = echo_vector_pop(&driver->inserted); /* NULL: gone already */
    for (EchoOp *inner = op; inner != NULL; inner = echo_op_walk_next(op, inner))
      enqueue(driver, inner);
  }
}

static bool is_dead(const EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (op->results[i].first_use != NULL)
      return false;
  return echo_op_is_dead_if_unused(op);
}

/* Constants go to the right, so that a fold needs to look there only. */
static bool order_operands(EchoOp *op)
{
  if ((op->info->traits & ECHO_COMMUTATIVE) == 0 || op->n_operands != 2)
    return false;
  EchoValue *lhs = echo_op_operand(op, 0), *rhs = echo_op_operand(op, 1);
  if (echo_value_constant_or_null(lhs) == NULL || echo_value_constant_or_null(rhs) != NULL)
    return false;
  echo_op_set_operand(op, 0, rhs);
  echo_op_set_operand(op, 1, lhs);
  return true;
}

/* By traits: f(f(x)) is f(x) or x, and f(x, x) is x. NULL when none holds. */
static EchoValue *fold_by_traits_or_null(const EchoOp *op)
{
  bool idempotent = (op->info->traits & ECHO_IDEMPOTENT) != 0;
  if ((!idempotent && (op->info->traits & ECHO_INVOLUTION) == 0) || op->n_results != 1 ||
      op->n_operands == 0)
    return NULL;
  EchoValue *operand = echo_op_operand(op, 0), *result = NULL;
  const EchoOp *inner = echo_value_def_or_null(operand);
  if (op->n_operands == 2 && idempotent && operand == echo_op_operand(op, 1))
    result = operand;
  else if (op->n_operands == 1 && inner != NULL && inner != op && inner->info == op->info &&
           inner->properties == op->properties)
    result = idempotent ? operand : echo_op_operand(inner, 0);
  bool fits = result != NULL && result->type == op->results[0].type && result != op->results;
  return fits ? result : NULL;
}

static const RowPlan *plan_of(EchoRewriteDriver *driver, const EchoOpInfo *info);

/* A hook may answer with a value of a compatible type, "tensor<4xi32>" for "tensor<?xi32>": that
 * replaces nothing. */
static bool types_fit(const EchoOp *op, const EchoFoldResult *results)
{
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (results[i].value != NULL && results[i].value->type != op->results[i].type)
      return false;
  return true;
}

/* Every result as a value; constants are made before the op. False, with nothing left behind, when
 * one cannot be. */
static bool materialize(EchoRewriteDriver *driver, EchoOp *op, EchoFoldResult *results)
{
  const EchoDialect *dialect = plan_of(driver, op->info)->dialect;
  EchoBuilder builder = builder_for(driver, op);
  for (uint32_t i = 0; i < op->n_results; ++i) {
    if (results[i].value != NULL)
      continue;
    EchoOp *constant = NULL;
    if (results[i].attr != NULL && dialect != NULL && dialect->materialize_constant != NULL)
      constant = dialect->materialize_constant(&builder, results[i].attr, op->results[i].type);
    if (constant == NULL) {
      while (driver->inserted.size != 0)
        echo_op_erase(echo_vector_pop(&driver->inserted));
      return false;
    }
    results[i].value = echo_op_result(constant, 0);
  }
  return true;
}

static bool replace_by_fold(EchoRewriteDriver *driver, EchoOp *op, EchoFoldResult *results)
{
  if (!types_fit(op, results) || !materialize(driver, op, results))
    return false;
  enqueue_inserted(driver);
  EchoValue *on_stack[8];
  EchoValue **values =
      op->n_results <= 8 ? on_stack : echo_alloc_array(op->n_results, sizeof *values);
  for (uint32_t i = 0; i < op->n_results; ++i)
    values[i] = results[i].value;
  replace(driver, op, values);
  if (values != on_stack)
    echo_free(values);
  return true;
}

static bool fold_by_hook(EchoRewriteDriver *driver, EchoOp *op)
{
  echo_vector_clear(&driver->constants);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    echo_vector_push(&driver->constants, echo_value_constant_or_null(echo_op_operand(op, i)));
  echo_vector_clear(&driver->fold_results);
  for (uint32_t i = 0; i < op->n_results; ++i)
    echo_vector_push(&driver->fold_results, (EchoFoldResult){0});
  EchoFoldResult *results = driver->fold_results.data;
  if (!op->info->fold(op, driver->constants.data, results))
    return false;
  bool in_place = true;
  for (uint32_t i = 0; i < op->n_results; ++i)
    in_place = in_place && results[i].value == NULL && results[i].attr == NULL;
  if (!in_place)
    return replace_by_fold(driver, op, results);
  enqueue(driver, op);
  enqueue_all_users(driver, op);
  return true;
}

/* True when the op was changed; it may be gone then. */
static bool simplify(EchoRewriteDriver *driver, EchoOp *op)
{
  if (is_dead(op)) {
    erase(driver, op);
    return true;
  }
  if ((op->info->traits & (ECHO_CONSTANT | ECHO_BARRIER)) != 0)
    return false;
  bool changed = order_operands(op);
  EchoValue *folded = fold_by_traits_or_null(op);
  if (folded != NULL) {
    replace(driver, op, &folded);
    return true;
  }
  if (op->info->fold != NULL && fold_by_hook(driver, op))
    return true;
  if (changed) {
    enqueue(driver, op);
    enqueue_all_users(driver, op);
  }
  return changed;
}

/* ---- patterns ---- */

static bool pattern_fits(const EchoPattern *pattern, const EchoOpInfo *info)
{
  if (pattern->op != NULL && strcmp(pattern->op, info->name) != 0)
    return false;
  return (info->traits & pattern->traits) == pattern->traits;
}

static const RowPlan *plan_of(EchoRewriteDriver *driver, const EchoOpInfo *info)
{
  if (driver->last_info == info)
    return driver->last_plan;
  RowPlan *plan = echo_map_get_ptr(&driver->plans, info);
  driver->last_info = info;
  driver->last_plan = plan;
  if (plan != NULL)
    return plan;
  const EchoRewriteOptions *options = driver->options;
  plan = ECHO_ARENA_NEW(&driver->arena, RowPlan);
  *plan = (RowPlan){.patterns =
                        ECHO_ARENA_ARRAY(&driver->arena, const EchoPattern *, options->n_patterns)};
  for (size_t i = 0; i < options->n_patterns; ++i)
    if (pattern_fits(&options->patterns[i], info))
      plan->patterns[plan->n_patterns++] = &options->patterns[i];
  const char *dot = strchr(info->name, '.');
  if (dot != NULL)
    plan->dialect = echo_context_dialect_or_null(driver->ctx,
                                                 (EchoStr){info->name, (size_t)(dot - info->name)});
  echo_map_set_ptr(&driver->plans, info, plan);
  driver->last_plan = plan;
  return plan;
}

static bool apply_patterns(EchoRewriteDriver *driver, EchoOp *op)
{
  if (driver->options->n_patterns == 0)
    return false;
  const RowPlan *plan = plan_of(driver, op->info);
  for (size_t i = 0; i < plan->n_patterns; ++i) {
    EchoRewriter rewriter = {
        .builder = builder_for(driver, op), .user = driver->options->user, .driver = driver};
    bool changed = plan->patterns[i]->apply(&rewriter, op);
    enqueue_inserted(driver);
    if (changed)
      return true;
  }
  return false;
}

static void destroy(EchoRewriteDriver *driver)
{
  echo_vector_destroy(&driver->worklist);
  echo_vector_destroy(&driver->inserted);
  echo_vector_destroy(&driver->fold_results);
  echo_vector_destroy(&driver->constants);
  echo_bitset_destroy(&driver->queued);
  echo_bitset_destroy(&driver->erased);
  echo_map_destroy(&driver->plans);
  echo_arena_destroy(&driver->arena);
}

bool echo_rewrite_greedily(EchoOp *root, const EchoRewriteOptions *options, uint64_t *n_rewrites)
{
  if (root == NULL || options == NULL)
    return false;
  EchoRewriteDriver driver = {.ctx = echo_op_context(root), .root = root, .options = options};
  uint64_t bound = options->max_rewrites != 0 ? options->max_rewrites : UINT64_MAX;
  bool reached_end = true;
  enqueue_everything(&driver);
  for (EchoOp *op; (op = pop_or_null(&driver)) != NULL;) {
    if (driver.n_rewrites == bound) {
      reached_end = false;
      break;
    }
    if ((options->fold && simplify(&driver, op)) || apply_patterns(&driver, op))
      driver.n_rewrites++;
  }
  if (n_rewrites != NULL)
    *n_rewrites = driver.n_rewrites;
  destroy(&driver);
  return reached_end;
}

void echo_context_add_canonicalization(EchoContext *ctx, const EchoPattern *patterns, size_t n)
{
  if (ctx == NULL || (patterns == NULL && n != 0)) {
    echo_misuse(ctx, echo_loc_unknown(), "canonicalizations are added: 'patterns' is NULL");
    return;
  }
  for (size_t i = 0; i < n; ++i)
    echo_vector_push(&ctx->canonicalizations, patterns[i]);
}
