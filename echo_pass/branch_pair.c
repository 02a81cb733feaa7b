/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which branches make a pair, what each region of the reader takes from the writer at a price, and
 * pairs that one branch can be made of. */
#include "echo_pass/branch_pair_t.h"

#include "echo_pass/next_reader_t.h"
#include "echo_pass/stack_cut_t.h"

#include <string.h>

/* ---- pairs ---- */

bool echo_op_is_branch(const EchoOp *op)
{
  return op->n_regions != 0 && op->n_operands == 1 && echo_op_node_kind(op) == ECHO_NODE_CONTROL &&
         !echo_op_has_trait(op, ECHO_LOOP);
}

/* What decides which way a branch goes, before any barrier. */
static const EchoValue *decider_of(const EchoOp *branch)
{
  const EchoValue *value = echo_op_operand(branch, 0);
  const EchoOp *op = echo_value_def_or_null(value);
  while (op != NULL && echo_op_node_kind(op) == ECHO_NODE_BARRIER) {
    value = echo_op_operand(op, value->index);
    op = echo_value_def_or_null(value);
  }
  return value;
}

static bool goes_the_same_way(const EchoOp *a, const EchoOp *b)
{
  return a != b && a->info == b->info && a->n_regions == b->n_regions &&
         decider_of(a) == decider_of(b);
}

/* The branch that goes the writer's way and whose regions the use is in; NULL for other uses. */
static EchoOp *reader_or_null(const EchoOp *writer, const EchoUse *use)
{
  EchoOp *op = echo_op_ancestor_in_block(use->owner, writer->block);
  return op != NULL && op != use->owner && echo_op_is_branch(op) && goes_the_same_way(writer, op)
             ? op
             : NULL;
}

EchoOp *echo_branch_next_reader_or_null(const EchoOp *writer, const EchoOp *after)
{
  return echo_next_reader_or_null(writer, after, reader_or_null);
}

/* Whether the use keeps a value until the reader runs, whatever the reader itself reads. */
static bool keeps(const EchoBranchPair *pair, const EchoUse *use)
{
  const EchoOp *op = echo_op_ancestor_in_block(use->owner, pair->reader->block);
  return op == use->owner ? !echo_op_is_before(op, pair->reader)
                          : op != NULL && echo_op_is_before(pair->reader, op);
}

static EchoBranchUse use_of(const EchoBranchPair *pair, size_t k)
{
  EchoBranchUse found = {0};
  for (const EchoUse *use = echo_op_result(pair->writer, k)->first_use; use != NULL;
       use = use->next) {
    const EchoOp *reader = reader_or_null(pair->writer, use);
    bool goes = reader != NULL && !echo_op_is_before(reader, pair->reader);
    found.is_read |= reader == pair->reader;
    found.is_shared |= reader != pair->reader;
    found.is_written |= !goes;
    found.stands |= !goes && keeps(pair, use);
  }
  return found;
}

bool echo_branch_pair_create(EchoBranchPair *pair, EchoOp *writer, EchoOp *reader,
                             EchoArena *scratch)
{
  *pair = (EchoBranchPair){.writer = writer, .reader = reader, .scratch = scratch};
  pair->uses = ECHO_ARENA_ARRAY(scratch, EchoBranchUse, writer->n_results + 1u);
  bool any = false;
  for (size_t k = 0; k < writer->n_results; ++k) {
    pair->uses[k] = use_of(pair, k);
    any |= pair->uses[k].is_read && !pair->uses[k].stands;
  }
  return any;
}

/* ---- what is cheapest ---- */

/* What stands outside until the reader has run: arguments, what the reader or something behind it
 * reads, and what is made of those by one op after another that moves or converts it, which the
 * block around can do again. */
static bool stands(const EchoOp *reader, const EchoValue *value)
{
  for (;;) {
    const EchoOp *op = echo_value_def_or_null(value);
    if (op == NULL || op->block != reader->block || op->n_operands == 0)
      return true;
    for (const EchoUse *use = value->first_use; use != NULL; use = use->next) {
      const EchoOp *user = echo_op_ancestor_in_block(use->owner, reader->block);
      if (user != NULL && !echo_op_is_before(user, reader))
        return true;
    }
    EchoNodeKind kind = echo_op_node_kind(op);
    if (op->n_operands != 1 || (kind != ECHO_NODE_MAP && kind != ECHO_NODE_RESHAPE))
      return false;
    value = echo_op_operand(op, 0);
  }
}

bool echo_branch_reads(const EchoBranchPair *pair, size_t region, size_t k)
{
  if (!pair->uses[k].is_read || pair->uses[k].stands)
    return false;
  const EchoBlock *body = echo_op_body(pair->reader, region);
  for (const EchoUse *use = echo_op_result(pair->writer, k)->first_use; use != NULL;
       use = use->next)
    if (echo_op_ancestor_in_block(use->owner, body) != NULL)
      return true;
  return false;
}

EchoValue *echo_branch_handed_on(const EchoBranchPair *pair, size_t region, size_t k)
{
  return echo_op_operand(echo_op_body(pair->writer, region)->last, k);
}

/* What a region hands on, and what it reads of what stands outside: that is never handed on. */
static void find_facts(const EchoBranchPair *pair, const EchoStackChoice *choice, size_t region,
                       const EchoDeviceModel *device, EchoCutValue *values)
{
  const EchoGraph *graph = &choice->graph;
  EchoMap numbers = {0};
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    bool is_outside = v < graph->n_inputs;
    echo_map_insert(&numbers, echo_key(graph->values.data[v].value), v);
    values[v].keep_bytes = (double)graph->values.data[v].bytes;
    values[v].keep_ns = is_outside ? 0 : echo_pass_on_ns(graph, v, device);
    values[v].is_there = is_outside && stands(pair->reader, graph->values.data[v].value);
  }
  for (size_t k = 0; k < pair->writer->n_results; ++k) {
    const EchoValue *value = echo_branch_handed_on(pair, region, k);
    uint32_t v = (uint32_t)echo_map_get_or(&numbers, echo_key(value), 0);
    values[v].is_read |= echo_branch_reads(pair, region, k);
    values[v].is_there |= v >= graph->n_inputs && pair->uses[k].stands;
    if (pair->uses[k].is_written)
      values[v].keep_ns = 0;
  }
  echo_map_destroy(&numbers);
}

void echo_branch_choice_create(EchoStackChoice *choice, const EchoBranchPair *pair, size_t region,
                               const EchoDeviceModel *device, double price)
{
  EchoCutValue *values =
      echo_stack_choice_begin(choice, echo_op_body(pair->writer, region), pair->scratch);
  find_facts(pair, choice, region, device, values);
  EchoCutQuestion question = {values, device, price};
  echo_stack_choice_cut(choice, &question, pair->scratch);
}

/* ---- one branch of two ---- */

bool echo_branch_may_sink(const EchoOp *writer, const EchoOp *reader)
{
  uint64_t handed_bytes = 0, read_bytes = 0;
  if (!echo_op_is_pure(writer))
    return false;
  for (size_t k = 0; k < writer->n_results; ++k) {
    const EchoValue *result = echo_op_result(writer, k);
    for (const EchoUse *use = result->first_use; use != NULL; use = use->next)
      if (reader_or_null(writer, use) != reader)
        return false;
    handed_bytes += echo_type_static_bytes(result->type);
  }
  size_t n_captures;
  const EchoValue **captures = echo_op_captures(writer, &n_captures);
  for (size_t i = 0; i < n_captures; ++i)
    if (!stands(reader, captures[i]))
      read_bytes += echo_type_static_bytes(captures[i]->type);
  echo_free(captures);
  return read_bytes <= handed_bytes;
}

/* What the writer's region hands on as result `k` is read in the reader's as it is. */
static void read_there(const EchoOp *writer, const EchoBlock *body, size_t k, EchoValue *value)
{
  for (EchoUse *use = echo_op_result(writer, k)->first_use, *next; use != NULL; use = next) {
    next = use->next;
    if (echo_op_ancestor_in_block(use->owner, body) != NULL)
      echo_use_set(use, value);
  }
}

void echo_branch_sink(EchoOp *writer, EchoOp *reader)
{
  bool runs_again = echo_op_has_attr(writer, "echo.recompute");
  for (size_t r = 0; r < writer->n_regions; ++r) {
    EchoBlock *from = echo_op_body(writer, r), *to = echo_op_body(reader, r);
    EchoOp *front = to->first;
    for (EchoOp *op = from->first, *next; op != from->last; op = next) {
      next = op->next;
      echo_op_move_before(op, front);
      if (runs_again)
        echo_mark_clone(op);
    }
    for (size_t k = 0; k < writer->n_results; ++k)
      read_there(writer, to, k, echo_op_operand(from->last, k));
  }
  echo_op_erase(writer);
}
