/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Gradients of control flow. A branch's gradient is a branch that runs the forward code again and
 * then its backward code; a counted loop saves what it carries at each iteration in stacks, and the
 * backward loop reads them from the last to the first. */
#include "base/vector.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/hooks_t.h"
#include "dialects/stablehlo/loop.h"

typedef ECHO_VECTOR(EchoValue *) ValueList;

static bool is_defined_inside(const EchoValue *value, const EchoOp *op)
{
  const EchoOp *parent = value->is_block_arg ? echo_block_parent(echo_value_block(value))
                                             : echo_value_def_or_null(value);
  return parent != NULL && echo_op_is_ancestor(op, parent);
}

/* Values from outside `op` that its regions read and whose gradient is wanted, each once, in order
 * of first use. */
static void collect_captured(EchoGradient *g, EchoOp *op, ValueList *captured)
{
  EchoMap seen = {0};
  for (EchoOp *inner = echo_op_walk_next(op, op); inner != NULL;
       inner = echo_op_walk_next(op, inner))
    for (uint32_t i = 0; i < inner->n_operands; i++) {
      EchoValue *value = echo_op_operand(inner, i);
      if (!is_defined_inside(value, op) && echo_gradient_needs(g, value) &&
          echo_map_insert(&seen, echo_key(value), 1))
        echo_vector_push(captured, value);
    }
  echo_map_destroy(&seen);
}

/* Copies the ops of `from` but its terminator to the end of `to`; the terminator's operands, as
 * copied, go to *outputs. */
static void copy_body(EchoBlock *from, EchoBlock *to, EchoMap *values, ValueList *outputs)
{
  for (EchoOp *op = from->first; op != from->last; op = op->next)
    echo_block_append(to, echo_op_clone(op, values));
  for (uint32_t i = 0; i < from->last->n_operands; i++) {
    EchoValue *value = echo_op_operand(from->last, i);
    EchoValue *copy = echo_map_get_ptr(values, value);
    echo_vector_push(outputs, copy != NULL ? copy : value);
  }
}

/* Fills in zeros for gradients that did not arise. */
static void complete(EchoBuilder *b, EchoValue *const *values, EchoValue **gradients, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (gradients[i] == NULL)
      gradients[i] = echo_hlo_constant_like(b, values[i], 0);
}

/* One branch of the backward case: forward again, then backward, then the gradients of `captured`.
 */
static bool build_branch(EchoGradient *g, EchoRegion *forward, EchoBuilder *branch,
                         EchoValue *const *seeds, const ValueList *captured)
{
  EchoMap values = {0};
  ValueList outputs = {0};
  copy_body(forward->first, branch->block, &values, &outputs);
  EchoValue **gradients = echo_alloc_zero(captured->size + 1, sizeof *gradients);
  bool ok = echo_gradient_of_block(g, branch->block, outputs.data, seeds, outputs.size,
                                   captured->data, captured->size, gradients);
  complete(branch, captured->data, gradients, captured->size);
  echo_hlo_return(branch, gradients, captured->size);
  echo_free(gradients);
  echo_vector_destroy(&outputs);
  echo_map_destroy(&values);
  return ok;
}

static bool differentiate_branches(EchoGradient *g, EchoOp *op)
{
  ValueList captured = {0};
  collect_captured(g, op, &captured);
  EchoValue **seeds = echo_alloc_zero(op->n_results + 1u, sizeof *seeds);
  for (uint32_t i = 0; i < op->n_results; i++)
    seeds[i] = echo_gradient_of_or_null(g, echo_op_result(op, i));
  const EchoType **types = echo_alloc_array(captured.size + 1, sizeof *types);
  for (size_t i = 0; i < captured.size; i++)
    types[i] = captured.data[i]->type;
  EchoBuilder *branches = echo_alloc_array(op->n_regions, sizeof *branches);
  bool ok = true;
  if (captured.size != 0) {
    EchoValue *selector = echo_op_operand(op, 0);
    EchoOp *backward =
        echo_hlo_opcode(op) == ECHO_HLO_IF
            ? echo_hlo_if(g->builder, selector, types, captured.size, branches)
            : echo_hlo_case(g->builder, selector, types, captured.size, branches, op->n_regions);
    for (uint32_t i = 0; i < op->n_regions && ok; i++) {
      branches[i].attrs = g->builder->attrs;
      branches[i].loc = g->builder->loc;
      ok = build_branch(g, &op->regions[i], &branches[i], seeds, &captured);
    }
    for (size_t i = 0; i < captured.size && ok; i++)
      echo_gradient_add(g, captured.data[i], echo_op_result(backward, i));
  }
  echo_free(branches);
  echo_free(types);
  echo_free(seeds);
  echo_vector_destroy(&captured);
  return ok;
}

bool echo_hlo_differentiate_case(EchoGradient *g, EchoOp *op)
{
  return differentiate_branches(g, op);
}

bool echo_hlo_differentiate_if(EchoGradient *g, EchoOp *op)
{
  return differentiate_branches(g, op);
}

/* ---- counted loops ---- */

/* [n, dims of type] */
static const EchoType *stack_type(EchoContext *ctx, const EchoType *type, int64_t n)
{
  int64_t dims[ECHO_MAX_RANK];
  uint32_t rank = echo_type_rank(type);
  dims[0] = n;
  for (uint32_t d = 0; d < rank; d++)
    dims[1 + d] = echo_type_dim(type, d);
  return echo_hlo_tensor(ctx, dims, rank + 1, echo_type_element(type));
}

/* Index operands [i, 0, 0, …] of a stack of rank `rank`. */
static void stack_starts(EchoBuilder *b, EchoValue *index, uint32_t rank, EchoValue **starts)
{
  EchoValue *zero = echo_hlo_constant_i64(b, index->type, 0);
  starts[0] = index;
  for (uint32_t i = 1; i < rank; i++)
    starts[i] = zero;
}

static void push(EchoBuilder *b, EchoValue **stack, EchoValue *index, EchoValue *value)
{
  EchoValue *starts[ECHO_MAX_RANK + 1];
  int64_t dims[ECHO_MAX_RANK];
  uint32_t rank = echo_type_rank(value->type);
  dims[0] = 1;
  for (uint32_t d = 0; d < rank; d++)
    dims[1 + d] = echo_type_dim(value->type, d);
  EchoValue *row = echo_hlo_reshape(b, value, dims, rank + 1);
  stack_starts(b, index, rank + 1, starts);
  *stack = echo_hlo_dynamic_update_slice(b, *stack, row, starts);
}

static EchoValue *pop(EchoBuilder *b, EchoValue *stack, EchoValue *index, const EchoType *type)
{
  EchoValue *starts[ECHO_MAX_RANK + 1];
  int64_t sizes[ECHO_MAX_RANK];
  uint32_t rank = echo_type_rank(type);
  sizes[0] = 1;
  for (uint32_t d = 0; d < rank; d++)
    sizes[1 + d] = echo_type_dim(type, d);
  stack_starts(b, index, rank + 1, starts);
  return echo_hlo_reshape(b, echo_hlo_dynamic_slice(b, stack, starts, sizes), type->as.shaped.dims,
                          rank);
}

/* Replaces a loop by one that also carries a stack for each value that it carries, and a counter
 * where its own does not count 0, 1, 2 … On return stacks[i] are its results for carried value i.
 * The old op is left without uses. */
static EchoOp *save_carried(EchoBuilder *b, EchoOp *loop, const EchoCountedLoop *counted,
                            EchoValue **stacks)
{
  uint32_t n = loop->n_operands;
  bool has_own = counted->start == 0 && counted->step == 1;
  uint32_t n_counters = has_own ? 0 : 1;
  const EchoType *counter_type = echo_hlo_scalar_type(b->ctx, echo_type_i64(b->ctx));
  ValueList inits = {0};
  for (uint32_t i = 0; i < n; i++)
    echo_vector_push(&inits, echo_op_operand(loop, i));
  if (!has_own)
    echo_vector_push(&inits, echo_hlo_constant_i64(b, counter_type, 0));
  for (uint32_t i = 0; i < n; i++)
    echo_vector_push(
        &inits, echo_hlo_constant_f64(
                    b, stack_type(b->ctx, echo_op_operand_type(loop, i), counted->n_trips), 0));
  EchoBuilder cond, body;
  EchoOp *saving = echo_hlo_while(b, inits.data, inits.size, &cond, &body);
  body.attrs = cond.attrs = b->attrs;
  for (uint32_t r = 0; r < 2; r++) {
    EchoBuilder *inner = r == 0 ? &cond : &body;
    EchoMap values = {0};
    ValueList outputs = {0};
    for (uint32_t i = 0; i < n; i++)
      echo_map_set_ptr(&values, echo_block_arg(loop->regions[r].first, i),
                       echo_block_arg(inner->block, i));
    copy_body(loop->regions[r].first, inner->block, &values, &outputs);
    if (r == 1) {
      EchoValue *counter = echo_block_arg(inner->block, has_own ? counted->counter : n);
      if (!has_own)
        echo_vector_push(
            &outputs, echo_hlo_add(inner, counter, echo_hlo_constant_i64(inner, counter_type, 1)));
      for (uint32_t i = 0; i < n; i++) {
        EchoValue *stack = echo_block_arg(inner->block, n + n_counters + i);
        push(inner, &stack, counter, echo_block_arg(inner->block, i));
        echo_vector_push(&outputs, stack);
      }
    }
    echo_hlo_return(inner, outputs.data, outputs.size);
    echo_vector_destroy(&outputs);
    echo_map_destroy(&values);
  }
  for (uint32_t i = 0; i < n; i++) {
    stacks[i] = echo_op_result(saving, n + n_counters + i);
    echo_value_replace_all_uses(echo_op_result(loop, i), echo_op_result(saving, i));
  }
  echo_vector_destroy(&inits);
  return saving;
}

/* The backward loop carries: a counter from the last iteration down, the gradients of the carried
 * values that want one, and the sums of the gradients of captured values. */
typedef struct BackwardLoop {
  ValueList carried;             /* block arguments of the forward body that want a gradient */
  ECHO_VECTOR(uint32_t) numbers; /* their positions */
  ValueList captured;
} BackwardLoop;

/* What the loop's own counter is in iteration `trip`. */
static EchoValue *count_at(EchoBuilder *b, const EchoCountedLoop *counted, EchoValue *trip,
                           const EchoType *type)
{
  EchoValue *count = echo_hlo_convert(b, trip, echo_type_element(type));
  if (counted->step != 1)
    count = echo_hlo_multiply(b, count, echo_hlo_constant_i64(b, type, counted->step));
  if (counted->start != 0)
    count = echo_hlo_add(b, count, echo_hlo_constant_i64(b, type, counted->start));
  return count;
}

static bool build_backward_body(EchoGradient *g, EchoOp *loop, const EchoCountedLoop *counted,
                                const BackwardLoop *plan, EchoValue *const *stacks,
                                EchoBuilder *body)
{
  EchoBlock *forward = loop->regions[1].first;
  EchoValue *counter = echo_block_arg(body->block, 0);
  EchoMap values = {0};
  ValueList outputs = {0}, sources = {0}, results = {0};
  for (uint32_t i = 0; i < loop->n_operands; i++) {
    const EchoType *type = echo_op_operand_type(loop, i);
    echo_map_set_ptr(&values, echo_block_arg(forward, i),
                     i == counted->counter ? count_at(body, counted, counter, type)
                                           : pop(body, stacks[i], counter, type));
  }
  copy_body(forward, body->block, &values, &outputs);
  EchoValue **seeds = echo_alloc_zero(outputs.size + 1, sizeof *seeds);
  for (size_t i = 0; i < plan->carried.size; i++) {
    seeds[plan->numbers.data[i]] = echo_block_arg(body->block, 1 + i);
    echo_vector_push(&sources, echo_map_get_ptr(&values, plan->carried.data[i]));
  }
  for (size_t i = 0; i < plan->captured.size; i++)
    echo_vector_push(&sources, plan->captured.data[i]);
  EchoValue **gradients = echo_alloc_zero(sources.size + 1, sizeof *gradients);
  bool ok = echo_gradient_of_block(g, body->block, outputs.data, seeds, outputs.size, sources.data,
                                   sources.size, gradients);
  complete(body, sources.data, gradients, sources.size);
  EchoValue *one = echo_hlo_constant_i64(body, counter->type, 1);
  echo_vector_push(&results, echo_hlo_subtract(body, counter, one));
  for (size_t i = 0; i < plan->carried.size; i++)
    echo_vector_push(&results, gradients[i]);
  for (size_t i = 0; i < plan->captured.size; i++) {
    size_t at = plan->carried.size + i;
    echo_vector_push(&results,
                     echo_hlo_add(body, echo_block_arg(body->block, 1 + at), gradients[at]));
  }
  echo_hlo_return(body, results.data, results.size);
  echo_free(gradients);
  echo_free(seeds);
  echo_vector_destroy(&outputs);
  echo_vector_destroy(&sources);
  echo_vector_destroy(&results);
  echo_map_destroy(&values);
  return ok;
}

static bool differentiate_counted(EchoGradient *g, EchoOp *loop, const EchoCountedLoop *counted,
                                  const BackwardLoop *plan)
{
  EchoBuilder *b = g->builder;
  ValueList inits = {0};
  const EchoType *counter_type = echo_hlo_scalar_type(b->ctx, echo_type_i64(b->ctx));
  echo_vector_push(&inits, echo_hlo_constant_i64(b, counter_type, counted->n_trips - 1));
  for (size_t i = 0; i < plan->carried.size; i++) {
    EchoValue *result = echo_op_result(loop, plan->numbers.data[i]);
    EchoValue *gradient = echo_gradient_of_or_null(g, result);
    echo_vector_push(&inits, gradient != NULL ? gradient : echo_hlo_constant_like(b, result, 0));
  }
  for (size_t i = 0; i < plan->captured.size; i++)
    echo_vector_push(&inits, echo_hlo_constant_like(b, plan->captured.data[i], 0));
  EchoValue **stacks = echo_alloc_array(loop->n_operands, sizeof *stacks);
  EchoBuilder forward = echo_builder_before(loop);
  save_carried(&forward, loop, counted, stacks);
  EchoBuilder cond, body;
  EchoOp *backward = echo_hlo_while(b, inits.data, inits.size, &cond, &body);
  cond.attrs = body.attrs = b->attrs;
  cond.loc = body.loc = b->loc;
  EchoValue *zero = echo_hlo_constant_i64(&cond, counter_type, 0);
  EchoValue *goes_on =
      echo_hlo_compare(&cond, ECHO_COMPARE_GE, echo_block_arg(cond.block, 0), zero);
  echo_hlo_return(&cond, &goes_on, 1);
  bool ok = build_backward_body(g, loop, counted, plan, stacks, &body);
  for (size_t i = 0; i < plan->carried.size && ok; i++)
    echo_gradient_add(g, echo_op_operand(loop, plan->numbers.data[i]),
                      echo_op_result(backward, 1 + i));
  for (size_t i = 0; i < plan->captured.size && ok; i++)
    echo_gradient_add(g, plan->captured.data[i],
                      echo_op_result(backward, 1 + plan->carried.size + i));
  echo_free(stacks);
  echo_vector_destroy(&inits);
  return ok;
}

bool echo_hlo_differentiate_while(EchoGradient *g, EchoOp *op)
{
  EchoCountedLoop counted;
  if (!echo_hlo_counted_loop(op, &counted))
    return echo_op_error(op, "has no gradient: its number of iterations is not known");
  BackwardLoop plan = {0};
  for (uint32_t i = 0; i < op->n_results; i++)
    if (echo_gradient_needs(g, echo_op_result(op, i))) {
      echo_vector_push(&plan.carried, echo_block_arg(op->regions[1].first, i));
      echo_vector_push(&plan.numbers, i);
    }
  collect_captured(g, op, &plan.captured);
  bool ok = counted.n_trips == 0 || differentiate_counted(g, op, &counted, &plan);
  for (size_t i = 0; counted.n_trips == 0 && i < plan.carried.size; i++) {
    EchoValue *gradient = echo_gradient_of_or_null(g, echo_op_result(op, plan.numbers.data[i]));
    if (gradient != NULL)
      echo_gradient_add(g, echo_op_operand(op, plan.numbers.data[i]), gradient);
  }
  echo_vector_destroy(&plan.carried);
  echo_vector_destroy(&plan.numbers);
  echo_vector_destroy(&plan.captured);
  return ok;
}

/* stablehlo.map over elementwise code is outlined by importers that write it; its gradient is taken
 * of what they inline. */
bool echo_hlo_differentiate_map(EchoGradient *g, EchoOp *op)
{
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0));
  return gy == NULL ||
         echo_op_error(op, "has no gradient: --chlo-to-stablehlo takes maps apart whose "
                           "bodies are elementwise, and no others are differentiated");
}
