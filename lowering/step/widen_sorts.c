/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --widen-sorts{shared}: what a sort's kernel needs to know. Of a sort whose results are only
 * sliced, how many places of a row are read from the first on: the others need not be sorted, nor
 * be written. Else a sort merges between its results and as much memory again. Rows of up to
 * ECHO_SORT_STACK_BYTES have that on the stack, on a GPU those that a block's memory holds
 * (`shared`); a sort of larger ones takes its operands twice, and the second results, which nobody
 * reads, are that memory: planned as every other value is. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/first_places.h"
#include "ir/builder.h"
#include "lowering/kernels/lower_kernel_t.h"
#include "lowering/lowering.h"

int64_t echo_sort_row_bytes(const EchoOp *sort, size_t n)
{
  const EchoType *first = echo_op_operand_type(sort, 0);
  uint32_t rank = echo_type_rank(first);
  int64_t dimension = echo_op_attr_i64(sort, "dimension", -1), bytes = 0;
  if (rank == 0)
    return 0;
  int64_t length = echo_type_dim(first, (size_t)(dimension < 0 ? dimension + rank : dimension));
  for (size_t i = 0; i < n; ++i)
    bytes += (int64_t)echo_type_element_bytes(echo_op_operand_type(sort, i));
  return echo_mul_i64(length, bytes, &bytes) ? bytes : INT64_MAX;
}

bool echo_sort_is_widened(const EchoOp *sort)
{
  uint32_t half = sort->n_operands / 2;
  if (sort->n_operands % 2 != 0 || half == 0)
    return false;
  for (uint32_t i = 0; i < half; ++i)
    if (echo_op_operand(sort, i) != echo_op_operand(sort, i + half))
      return false;
  const EchoBlock *body = sort->regions[0].first;
  for (uint32_t i = 2 * half; i < body->n_args; ++i)
    if (!echo_value_is_unused(echo_block_arg(body, i)))
      return false;
  return true;
}

/* ---- the first places ---- */

static size_t sorted_dim(const EchoOp *sort)
{
  uint32_t rank = echo_type_rank(echo_op_operand_type(sort, 0));
  int64_t dimension = echo_op_attr_i64(sort, "dimension", -1);
  return (size_t)(dimension < 0 ? dimension + rank : dimension);
}

/* Up to where a slice reads the sorted dimension; INT64_MAX for another reader. */
static int64_t last_read(const EchoOp *reader, size_t dim)
{
  if (!echo_op_is(reader, "stablehlo.slice"))
    return INT64_MAX;
  return echo_stablehlo_dims(reader, "limit_indices").dims[dim];
}

int64_t echo_sort_first(const EchoOp *sort)
{
  const EchoType *type = echo_op_operand_type(sort, 0);
  return echo_op_attr_i64(sort, ECHO_SORT_FIRST_ATTR, echo_type_dim(type, sorted_dim(sort)));
}

/* True when there are fewer than the row has. */
static bool mark_first(EchoOp *sort)
{
  const EchoType *type = echo_op_operand_type(sort, 0);
  int64_t first = 1;
  if (echo_type_rank(type) == 0 || echo_op_has_attr(sort, ECHO_SORT_FIRST_ATTR))
    return false;
  for (uint32_t i = 0; i < sort->n_results; ++i)
    for (const EchoUse *use = echo_op_result(sort, i)->first_use; use != NULL; use = use->next) {
      int64_t last = last_read(use->owner, sorted_dim(sort));
      first = last > first ? last : first;
    }
  int64_t length = echo_type_dim(type, sorted_dim(sort));
  if (first > length || echo_sort_capacity(first) > length)
    return false;
  echo_op_set_attr(sort, ECHO_SORT_FIRST_ATTR, echo_attr_i64(echo_op_context(sort), first));
  return true;
}

/* ---- space ---- */

/* The comparator with two more arguments for each operand. */
static void copy_comparator(EchoContext *ctx, const EchoOp *from, EchoOp *to)
{
  const EchoBlock *old = from->regions[0].first;
  EchoBlock *body = echo_block_create(ctx);
  EchoMap values = {0};
  echo_region_append(&to->regions[0], body);
  for (uint32_t i = 0; i < 2 * old->n_args; ++i) {
    const EchoValue *like = echo_block_arg(old, i % old->n_args);
    echo_block_add_arg(ctx, body, like->type, from->loc);
  }
  for (uint32_t i = 0; i < old->n_args; ++i)
    echo_map_set_ptr(&values, echo_block_arg(old, i), echo_block_arg(body, i));
  for (const EchoOp *op = old->first; op != NULL; op = op->next)
    echo_block_append(body, echo_op_clone(op, &values));
  echo_map_destroy(&values);
}

static void widen(EchoOp *sort, EchoArena *scratch)
{
  echo_op_set_attr(sort, ECHO_SORT_FIRST_ATTR, NULL); /* with memory of its own all is sorted */
  EchoBuilder builder = echo_builder_before(sort);
  builder.attrs = sort->attrs;
  size_t n = sort->n_operands;
  EchoValue **operands = ECHO_ARENA_ARRAY(scratch, EchoValue *, 2 * n);
  const EchoType **types = ECHO_ARENA_ARRAY(scratch, const EchoType *, 2 * n);
  for (size_t i = 0; i < 2 * n; ++i) {
    operands[i] = echo_op_operand(sort, i % n);
    types[i] = operands[i]->type;
  }
  const EchoAttrArg attrs[] = {{"dimension", echo_op_attr_or_null(sort, "dimension")},
                               {"is_stable", echo_op_attr_or_null(sort, "is_stable")}};
  EchoOp *wide = echo_build_op_with_regions(&builder, "stablehlo.sort", operands, 2 * n, types,
                                            2 * n, attrs, 2, 1);
  copy_comparator(builder.ctx, sort, wide);
  for (size_t i = 0; i < n; ++i)
    echo_value_replace_all_uses(echo_op_result(sort, i), echo_op_result(wide, i));
  echo_op_erase(sort);
}

/* Whether its kernel needs no other memory than its own. */
static bool has_space(const EchoOp *sort, bool is_shared)
{
  const EchoType *type = echo_op_operand_type(sort, 0);
  bool is_partial = echo_op_has_attr(sort, ECHO_SORT_FIRST_ATTR);
  if (!is_shared || echo_type_rank(type) == 0)
    return is_partial || echo_sort_row_bytes(sort, sort->n_operands) <= ECHO_SORT_STACK_BYTES;
  int64_t piece = echo_gpu_sort_piece(sort, sort->n_operands);
  return echo_type_dim(type, sorted_dim(sort)) <= piece ||
         (is_partial && 2 * echo_sort_first(sort) <= piece);
}

static bool run(EchoPassRun *pass)
{
  uint64_t n_widened = 0, n_marked = 0;
  bool is_shared;
  if (!echo_pass_option_bool(pass, "shared", &is_shared))
    return false;
  for (EchoOp *op = pass->op, *next; op != NULL; op = next) {
    next = echo_op_walk_next(pass->op, op);
    if (!echo_op_is(op, "stablehlo.sort") ||
        !echo_type_has_static_shape(echo_op_operand_type(op, 0)) || echo_sort_is_widened(op))
      continue;
    if (mark_first(op))
      ++n_marked;
    if (has_space(op, is_shared))
      continue;
    while (next != NULL && echo_op_is_ancestor(op, next)) /* its body goes with it */
      next = echo_op_walk_next(pass->op, next);
    widen(op, pass->scratch);
    ++n_widened;
  }
  echo_pass_count(pass, "widened", n_widened);
  echo_pass_count(pass, "marked", n_marked);
  pass->keeps_all = n_widened + n_marked == 0;
  return true;
}

static const EchoPassOption options[] = {
    {"shared", "rows are merged in the memory of a GPU's block", "false"}, {NULL, NULL, NULL}};

static const EchoPassStatistic statistics[] = {
    {"widened", "sorts given space to merge in"},
    {"marked", "sorts of which the first places are read alone"},
    {0}};

const EchoPass ECHO_PASS_WIDEN_SORTS = {
    .name = "widen-sorts",
    .summary = "say which sorts are read in their first places alone, and give others of rows too "
               "long for the stack planned memory to merge in",
    .anchor = "builtin.module",
    .options = options,
    .statistics = statistics,
    .run = run,
};
