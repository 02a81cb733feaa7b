/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls give way to the bodies of the functions they name. Functions are taken callees first, so a
 * body is complete when it is copied and each op is copied into a caller once; calls in a circle
 * stay. Only functions of one block are inlined. */
#include "ir/op_t.h"
#include "ir/pass/passes.h"
#include "ir/symbol.h"

enum { UNSEEN = 0, OPEN = 1, DONE = 2 };

typedef struct Frame {
  EchoOp *function, *at; /* at: where the search for calls goes on */
} Frame;

typedef struct Inliner {
  EchoContext *ctx;
  EchoSymbolTable table;
  EchoMap states; /* function -> OPEN or DONE */
  ECHO_VECTOR(Frame) frames;
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
static EchoBlock *body_or_null(const EchoOp *call, const EchoOp *function)
{
  if (function->n_regions != 1 || function->regions[0].first == NULL ||
      function->regions[0].first != function->regions[0].last)
    return NULL;
  if (echo_op_has_attr(function, "no_inline") || echo_op_has_attr(call, "no_inline"))
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

static void inline_call(Inliner *inliner, EchoOp *call, const EchoBlock *body)
{
  EchoMap values = {0}, locations = {0};
  for (uint32_t i = 0; i < body->n_args; ++i)
    echo_map_set_ptr(&values, echo_block_arg(body, i), echo_op_operand(call, i));
  for (const EchoOp *op = body->first; op != body->last; op = op->next) {
    EchoOp *copy = echo_op_clone(op, &values);
    for (EchoOp *inner = copy; inner != NULL; inner = echo_op_walk_next(copy, inner))
      inner->loc = called_at(inliner, &locations, inner->loc, call->loc);
    echo_op_insert_before(copy, call);
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
}

static void open_function(Inliner *inliner, EchoOp *function)
{
  echo_map_set(&inliner->states, echo_key(function), OPEN);
  echo_vector_push(&inliner->frames, (Frame){function, function});
}

/* Goes on with the innermost open function: up to a call of a function not seen yet, which is
 * opened first, or to its end. */
static void step(Inliner *inliner)
{
  Frame *frame = &echo_vector_last(&inliner->frames);
  const EchoOp *function = frame->function;
  EchoOp *op = frame->at;
  while (op != NULL) {
    EchoOp *callee = callee_or_null(inliner, op);
    uint64_t state =
        callee != NULL ? echo_map_get_or(&inliner->states, echo_key(callee), UNSEEN) : OPEN;
    if (state == UNSEEN) {
      frame->at = op;
      open_function(inliner, callee);
      return;
    }
    const EchoBlock *body = state == DONE ? body_or_null(op, callee) : NULL;
    EchoOp *next = echo_op_walk_next(function, op);
    if (body != NULL)
      inline_call(inliner, op, body);
    op = next;
  }
  echo_map_set(&inliner->states, echo_key(function), DONE);
  inliner->frames.size--;
}

static void inline_in_table(EchoPassRun *run, EchoOp *table, uint64_t *n_inlined)
{
  Inliner inliner = {.ctx = run->ctx};
  echo_symbol_table_create(&inliner.table, table);
  for (EchoOp *op = table->regions[0].first != NULL ? table->regions[0].first->first : NULL;
       op != NULL; op = op->next) {
    if (is_function(op) && !echo_map_has(&inliner.states, echo_key(op)))
      open_function(&inliner, op);
    while (inliner.frames.size != 0)
      step(&inliner);
  }
  *n_inlined += inliner.n_inlined;
  echo_symbol_table_destroy(&inliner.table);
  echo_map_destroy(&inliner.states);
  echo_vector_destroy(&inliner.frames);
}

static bool run_inline(EchoPassRun *run)
{
  uint64_t n_inlined = 0;
  for (EchoOp *op = run->op; op != NULL; op = echo_op_walk_next(run->op, op))
    if ((op->info->traits & ECHO_SYMBOL_TABLE) != 0 && op->n_regions == 1)
      inline_in_table(run, op, &n_inlined);
  echo_pass_count(run, "num-inlined", n_inlined);
  run->keeps_all = n_inlined == 0;
  return true;
}

static const EchoPassStatistic STATISTICS[] = {
    {"num-inlined", "Calls replaced by the body they name"}, {NULL, NULL}};

const EchoPass ECHO_PASS_INLINE = {.name = "inline",
                                   .title = "Inliner",
                                   .summary = "replace calls by the bodies of their functions",
                                   .statistics = STATISTICS,
                                   .run = run_inline};
