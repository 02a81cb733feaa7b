/* The greedy driver: a worklist of ops, each folded, erased when dead, or handed to the patterns of
 * its row, until none is left. A change puts on the list what it may have made rewritable: users of
 * new values, new ops, and the producers of operands that went away. */
#include "ir/rewrite.h"

#include "ir/context_t.h"
#include "ir/op_t.h"

/* What is worked out once for each row that occurs. */
typedef struct RowPlan {
  const EchoDialect *dialect; /* makes its constants; NULL = none */
  const EchoPattern **patterns;
  size_t n_patterns;
} RowPlan;

typedef struct EchoRewriteDriver {
  EchoContext *ctx;
  EchoOp *root;
  const EchoRewriteOptions *options;
  ECHO_VECTOR(EchoOp *) worklist; /* a stack with holes (NULL) where an op was erased */
  EchoMap places;                 /* EchoOp * -> its index in the worklist */
  EchoMap plans;                  /* const EchoOpInfo * -> RowPlan * */
  EchoArena arena;
  ECHO_VECTOR(EchoOp *) inserted; /* by the rewriter's builder since the pattern began */
  ECHO_VECTOR(EchoFoldResult) fold_results;
  ECHO_VECTOR(const EchoAttr *) constants;
  uint64_t n_rewrites;
} EchoRewriteDriver;

/* ---- the worklist ---- */

static void enqueue(EchoRewriteDriver *driver, EchoOp *op)
{
  if (op != driver->root && echo_map_insert(&driver->places, echo_key(op), driver->worklist.size))
    echo_vector_push(&driver->worklist, op);
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

static void forget(EchoRewriteDriver *driver, const EchoOp *op)
{
  uint64_t place;
  if (!echo_map_get(&driver->places, echo_key(op), &place))
    return;
  driver->worklist.data[place] = NULL;
  echo_map_erase(&driver->places, echo_key(op));
}

static EchoOp *pop_or_null(EchoRewriteDriver *driver)
{
  while (driver->worklist.size != 0) {
    EchoOp *op = echo_vector_pop(&driver->worklist);
    if (op == NULL)
      continue;
    echo_map_erase(&driver->places, echo_key(op));
    return op;
  }
  return NULL;
}

/* In reverse, so that the first op is taken first and constants come before what folds with them.
 */
static void enqueue_everything(EchoRewriteDriver *driver)
{
  ECHO_VECTOR(EchoOp *) all = {0};
  EchoOp *op = echo_op_walk_next(driver->root, driver->root);
  for (; op != NULL; op = echo_op_walk_next(driver->root, op))
    echo_vector_push(&all, op);
  echo_map_reserve(&driver->places, all.size);
  echo_vector_reserve(&driver->worklist, all.size);
  while (all.size != 0)
    enqueue(driver, echo_vector_pop(&all));
  echo_vector_destroy(&all);
}

/* ---- erasing and replacing ---- */

static void erase(EchoRewriteDriver *driver, EchoOp *op)
{
  for (EchoOp *inner = op; inner != NULL; inner = echo_op_walk_next(op, inner)) {
    forget(driver, inner);
    for (uint32_t i = 0; i < inner->n_operands; ++i) {
      EchoOp *def = echo_value_def_or_null(echo_op_operand(inner, i));
      if (def != NULL)
        enqueue(driver, def);
    }
  }
  /* What was defined inside must not be on the list: it goes with the op. */
  if (op->n_regions != 0)
    for (EchoOp *inner = op; inner != NULL; inner = echo_op_walk_next(op, inner))
      forget(driver, inner);
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
    EchoOp *op = echo_vector_pop(&driver->inserted);
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

/* f(f(x)) by traits: the inner result, or x. NULL when neither holds. */
static EchoValue *fold_by_traits_or_null(const EchoOp *op)
{
  if ((op->info->traits & (ECHO_IDEMPOTENT | ECHO_INVOLUTION)) == 0 || op->n_operands != 1 ||
      op->n_results != 1)
    return NULL;
  EchoValue *operand = echo_op_operand(op, 0);
  const EchoOp *inner = echo_value_def_or_null(operand);
  if (inner == NULL || inner == op || inner->info != op->info ||
      inner->properties != op->properties)
    return NULL;
  bool idempotent = (op->info->traits & ECHO_IDEMPOTENT) != 0;
  EchoValue *result = idempotent ? operand : echo_op_operand(inner, 0);
  return result->type == op->results[0].type && result != &op->results[0] ? result : NULL;
}

static const RowPlan *plan_of(EchoRewriteDriver *driver, const EchoOpInfo *info);

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
  if (!materialize(driver, op, results))
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
  RowPlan *plan = echo_map_get_ptr(&driver->plans, info);
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
  return plan;
}

static bool apply_patterns(EchoRewriteDriver *driver, EchoOp *op)
{
  if (driver->options->n_patterns == 0)
    return false;
  const RowPlan *plan = plan_of(driver, op->info);
  for (size_t i = 0; i < plan->n_patterns; ++i) {
    EchoRewriter rewriter = {.builder = builder_for(driver, op), .driver = driver};
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
  echo_map_destroy(&driver->places);
  echo_map_destroy(&driver->plans);
  echo_arena_destroy(&driver->arena);
}

bool echo_rewrite_greedily(EchoOp *root, const EchoRewriteOptions *options, uint64_t *n_rewrites)
{
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
  for (size_t i = 0; i < n; ++i)
    echo_vector_push(&ctx->canonicalizations, patterns[i]);
}
