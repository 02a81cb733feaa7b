/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls give way to the bodies of the functions they name, callers first: a body is copied as it
 * was written, and the calls in the copy give way in their turn, so that what calls nested n deep
 * come to takes n copies, and their locations share what they have in common. Functions are
 * numbered in post-order; a call of one with a higher number is in a circle, and stays. Functions
 * that nothing names any more are left as they are, for --symbol-dce. Only functions of one block
 * are inlined. */
#include "ir/op_t.h"
#include "ir/pass/passes.h"
#include "ir/pass/symbol_uses_t.h"

#define OPEN UINT64_MAX /* number of a function whose callees are being numbered */

typedef struct Frame {
  EchoOp *function, *at; /* at: where the search for calls goes on, or where the copy ends */
} Frame;

typedef ECHO_VECTOR(EchoOp *) Ops;

typedef struct Inliner {
  EchoContext *ctx;
  EchoSymbolTable table;
  EchoMap numbers; /* function -> in post-order, from 1 on */
  Ops numbered;    /* in that order */
  ECHO_VECTOR(Frame) frames;
  EchoMap is_read;   /* functions whose calls were followed */
  EchoMap is_needed; /* functions that stay named */
  Ops left;          /* of those that are read, to be followed */
  EchoSymbolUses uses;
  bool takes_all; /* what says that it is not to be inlined, too */
  uint64_t n_inlined;
} Inliner;

static bool is_function(const EchoOp *op)
{
  return (op->info->traits & ECHO_FUNCTION) != 0;
}

static EchoOp *callee_or_null(const Inliner *inliner, const EchoOp *op)
{
  if ((op->info->traits & ECHO_CALL) == 0)
    return NULL;
  const EchoAttr *callee = echo_op_attr_or_null(op, "callee");
  if (callee == NULL || callee->kind != ECHO_ATTR_SYMBOL_REF || callee->as.symbol.n_nested != 0)
    return NULL;
  EchoOp *function = echo_symbol_table_get_or_null(&inliner->table, callee->as.symbol.root);
  return function != NULL && is_function(function) ? function : NULL;
}

/* The body to copy, when the call and the function fit each other and it is one block that returns;
 * else NULL. */
static const EchoBlock *body_or_null(const Inliner *inliner, const EchoOp *call,
                                     const EchoOp *function)
{
  if (function->n_regions != 1 || function->regions[0].first == NULL ||
      function->regions[0].first != function->regions[0].last)
    return NULL;
  if (!inliner->takes_all &&
      (echo_op_has_attr(function, "no_inline") || echo_op_has_attr(call, "no_inline")))
    return NULL;
  EchoBlock *body = function->regions[0].first;
  if (body->last == NULL || (body->last->info->traits & ECHO_RETURN_LIKE) == 0 ||
      body->n_args != call->n_operands || body->last->n_operands != call->n_results)
    return NULL;
  for (uint32_t i = 0; i < body->n_args; ++i)
    if (echo_block_arg(body, i)->type != echo_op_operand_type(call, i))
      return NULL;
  for (uint32_t i = 0; i < call->n_results; ++i)
    if (echo_op_operand_type(body->last, i) != call->results[i].type)
      return NULL;
  return body;
}

/* "callee location, called at caller location", made once for each location of a body. */
static EchoLoc called_at(Inliner *inliner, EchoMap *locations, EchoLoc loc, EchoLoc caller)
{
  if (loc.bits == 0 || caller.bits == 0)
    return loc.bits == 0 ? caller : loc;
  uint64_t known;
  if (echo_map_get(locations, loc.bits, &known))
    return (EchoLoc){known};
  EchoLoc made = echo_loc_from_attr(echo_attr_location_call_site(
      inliner->ctx, echo_loc_attr(inliner->ctx, loc), echo_loc_attr(inliner->ctx, caller)));
  echo_map_set(locations, loc.bits, made.bits);
  return made;
}

/* Returns the first op of the copy; NULL where the body is empty. */
static EchoOp *inline_call(Inliner *inliner, EchoOp *call, const EchoBlock *body)
{
  EchoMap values = {0}, locations = {0};
  EchoOp *first = NULL;
  for (uint32_t i = 0; i < body->n_args; ++i)
    echo_map_set_ptr(&values, echo_block_arg(body, i), echo_op_operand(call, i));
  for (const EchoOp *op = body->first; op != body->last; op = op->next) {
    EchoOp *copy = echo_op_clone(op, &values);
    for (EchoOp *inner = copy; inner != NULL; inner = echo_op_walk_next(copy, inner))
      inner->loc = called_at(inliner, &locations, inner->loc, call->loc);
    echo_op_insert_before(copy, call);
    first = first != NULL ? first : copy;
  }
  for (uint32_t i = 0; i < call->n_results; ++i) {
    EchoValue *returned = echo_op_operand(body->last, i);
    EchoValue *mapped = echo_map_get_ptr(&values, returned);
    echo_value_replace_all_uses(&call->results[i], mapped != NULL ? mapped : returned);
  }
  echo_map_destroy(&values);
  echo_map_destroy(&locations);
  echo_op_erase(call);
  inliner->n_inlined++;
  return first;
}

/* ---- in which order ---- */

static void open_function(Inliner *inliner, EchoOp *function)
{
  echo_map_set(&inliner->numbers, echo_key(function), OPEN);
  echo_vector_push(&inliner->frames, ((Frame){function, function}));
}

/* Goes on with the innermost open function: up to a call of a function not seen yet, which is
 * opened first, or to its end. */
static void step(Inliner *inliner)
{
  Frame *frame = &echo_vector_last(&inliner->frames);
  EchoOp *function = frame->function;
  for (EchoOp *op = frame->at; op != NULL; op = echo_op_walk_next(function, op)) {
    EchoOp *callee = callee_or_null(inliner, op);
    if (callee == NULL || echo_map_has(&inliner->numbers, echo_key(callee)))
      continue;
    frame->at = op;
    open_function(inliner, callee);
    return;
  }
  echo_vector_push(&inliner->numbered, function);
  echo_map_set(&inliner->numbers, echo_key(function), inliner->numbered.size);
  inliner->frames.size--;
}

static void number_functions(Inliner *inliner)
{
  EchoBlock *block = inliner->table.op->regions[0].first;
  for (EchoOp *op = block != NULL ? block->first : NULL; op != NULL; op = op->next) {
    if (is_function(op) && !echo_map_has(&inliner->numbers, echo_key(op)))
      open_function(inliner, op);
    while (inliner->frames.size != 0)
      step(inliner);
  }
}

/* What takes the place of `op`, which was written in `function`; NULL: it stays. */
static EchoOp *taken_in_or_null(const Inliner *inliner, const EchoOp *op, const EchoOp *function)
{
  EchoOp *callee = callee_or_null(inliner, op);
  bool is_taken = callee != NULL && body_or_null(inliner, op, callee) != NULL &&
                  echo_map_get_or(&inliner->numbers, echo_key(callee), 0) <
                      echo_map_get_or(&inliner->numbers, echo_key(function), 0);
  return is_taken ? callee : NULL;
}

/* ---- which functions stay named ---- */

static void follow_later(Inliner *inliner, EchoOp *op)
{
  if (echo_map_insert(&inliner->is_read, echo_key(op), 1))
    echo_vector_push(&inliner->left, op);
}

static void need(Inliner *inliner, EchoOp *op)
{
  echo_map_set(&inliner->is_needed, echo_key(op), 1);
  follow_later(inliner, op);
}

static void need_name(void *user, EchoStr name)
{
  Inliner *inliner = user;
  EchoOp *symbol = echo_symbol_table_get_or_null(&inliner->table, name);
  if (symbol != NULL)
    need(inliner, symbol);
}

static void find_needed(Inliner *inliner)
{
  const EchoBlock *block = inliner->table.op->regions[0].first;
  echo_symbol_uses_in(&inliner->uses, inliner->table.op->attrs);
  for (EchoOp *op = block != NULL ? block->first : NULL; op != NULL; op = op->next)
    if (!echo_symbol_is_private(op))
      need(inliner, op);
  while (inliner->left.size != 0) {
    EchoOp *root = echo_vector_pop(&inliner->left);
    for (EchoOp *op = root; op != NULL; op = echo_op_walk_next(root, op)) {
      EchoOp *callee = taken_in_or_null(inliner, op, root);
      if (callee != NULL)
        follow_later(inliner, callee);
      else
        echo_symbol_uses_of(&inliner->uses, op);
    }
  }
}

/* ---- calls give way ---- */

/* Frames are the copies that stand around the op that is looked at. */
static void inline_into(Inliner *inliner, EchoOp *function)
{
  echo_vector_push(&inliner->frames, ((Frame){function, NULL}));
  for (EchoOp *op = function, *next; op != NULL; op = next) {
    while (echo_vector_last(&inliner->frames).at == op)
      inliner->frames.size--;
    EchoOp *callee = taken_in_or_null(inliner, op, echo_vector_last(&inliner->frames).function);
    next = echo_op_walk_next(function, op);
    if (callee == NULL)
      continue;
    echo_vector_push(&inliner->frames, ((Frame){callee, next}));
    EchoOp *copied = inline_call(inliner, op, body_or_null(inliner, op, callee));
    next = copied != NULL ? copied : next;
  }
  inliner->frames.size = 0;
}

static void inline_in_table(EchoPassRun *run, EchoOp *table, bool takes_all, uint64_t *n_inlined)
{
  Inliner inliner = {.ctx = run->ctx, .takes_all = takes_all};
  echo_symbol_table_create(&inliner.table, table);
  echo_symbol_uses_create(&inliner.uses, need_name, &inliner);
  number_functions(&inliner);
  find_needed(&inliner);
  for (size_t i = inliner.numbered.size; i-- > 0;)
    if (echo_map_has(&inliner.is_needed, echo_key(inliner.numbered.data[i])))
      inline_into(&inliner, inliner.numbered.data[i]);
  *n_inlined += inliner.n_inlined;
  echo_symbol_table_destroy(&inliner.table);
  echo_symbol_uses_destroy(&inliner.uses);
  echo_map_destroy(&inliner.numbers);
  echo_map_destroy(&inliner.is_read);
  echo_map_destroy(&inliner.is_needed);
  echo_vector_destroy(&inliner.numbered);
  echo_vector_destroy(&inliner.frames);
  echo_vector_destroy(&inliner.left);
}

static bool run_inline(EchoPassRun *run)
{
  uint64_t n_inlined = 0;
  bool takes_all;
  if (!echo_pass_option_bool(run, "all", &takes_all))
    return false;
  for (EchoOp *op = run->op; op != NULL; op = echo_op_walk_next(run->op, op))
    if ((op->info->traits & ECHO_SYMBOL_TABLE) != 0 && op->n_regions == 1)
      inline_in_table(run, op, takes_all, &n_inlined);
  echo_pass_count(run, "num-inlined", n_inlined);
  run->keeps_all = n_inlined == 0;
  return true;
}

static const EchoPassOption OPTIONS[] = {
    {"all", "those as well that are marked no_inline", "false"}, {NULL, NULL, NULL}};
static const EchoPassStatistic STATISTICS[] = {
    {"num-inlined", "Calls replaced by the body they name"}, {NULL, NULL}};

const EchoPass ECHO_PASS_INLINE = {.name = "inline",
                                   .title = "Inliner",
                                   .summary = "replace calls by the bodies of their functions",
                                   .options = OPTIONS,
                                   .statistics = STATISTICS,
                                   .run = run_inline};
