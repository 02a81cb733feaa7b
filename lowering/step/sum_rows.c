/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --sum-rows: rows times one row, as a layer with one result computes, are a reduction. A product
 * has a lane for each result, one of them here, and a sum of a row's products is vectors; it is
 * fused with what makes the rows and with what reads the sums. A reduction adds up in another order
 * than a product, so this runs once, on the training step, before anything is made again. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/lowering.h"

/* Products of a row that are worth a reduction: the tree that its sums end in takes as long as some
 * twenty of them one after the other. */
enum { LEAST_ROW = 32 };

/* Whether the operand's dimensions are the batching ones, its own and those that are contracted, in
 * the contraction's order: its rows lie in memory. */
static bool has_rows(const EchoType *type, EchoDimList batching, EchoDimList contracting)
{
  size_t first = echo_type_rank(type) - contracting.size;
  for (size_t i = 0; i < batching.size; ++i)
    if (batching.dims[i] != (int64_t)i)
      return false;
  for (size_t i = 0; i < contracting.size; ++i)
    if (contracting.dims[i] != (int64_t)(first + i))
      return false;
  return true;
}

/* Whether it has one element for each place of the batch and of what is contracted. */
static bool is_one_row(const EchoType *type, EchoDimList batching, EchoDimList contracting)
{
  for (size_t d = 0; d < echo_type_rank(type); ++d)
    if (!echo_dim_list_has(batching, (int64_t)d) && !echo_dim_list_has(contracting, (int64_t)d) &&
        echo_type_dim(type, d) != 1)
      return false;
  return true;
}

static int64_t n_contracted(const EchoType *type, EchoDimList contracting)
{
  int64_t n = 1;
  for (size_t i = 0; i < contracting.size; ++i)
    n *= echo_type_dim(type, (size_t)contracting.dims[i]);
  return n;
}

/* Operand `row` of the contraction along each row of the other one, `wide`. */
static EchoValue *spread_row(EchoBuilder *b, const EchoOp *op, uint32_t row, const EchoType *wide,
                             EchoDimList batching, EchoDimList contracting)
{
  EchoValue *value = echo_op_operand(op, row);
  size_t first = echo_type_rank(wide) - contracting.size, n = 0;
  int64_t sizes[ECHO_MAX_RANK], to[ECHO_MAX_RANK];
  for (size_t d = 0; d < echo_type_rank(value->type); ++d) {
    int64_t place = -1;
    for (size_t i = 0; i < batching.size; ++i)
      place = batching.dims[i] == (int64_t)d ? (int64_t)i : place;
    for (size_t i = 0; i < contracting.size; ++i)
      place = contracting.dims[i] == (int64_t)d ? (int64_t)(first + i) : place;
    if (place < 0)
      continue;
    sizes[n] = echo_type_dim(value->type, d);
    to[n++] = place;
  }
  return echo_hlo_broadcast_in_dim(b, echo_hlo_reshape(b, value, sizes, n), wide, to, n);
}

static bool sum_rows(EchoOp *op)
{
  const EchoDotDims *dims = echo_stablehlo_dot_dims(op);
  const EchoType *result = echo_op_result_type(op, 0);
  const EchoType *types[] = {echo_op_operand_type(op, 0), echo_op_operand_type(op, 1)};
  EchoDimList batching[] = {dims->lhs_batching, dims->rhs_batching};
  EchoDimList contracting[] = {dims->lhs_contracting, dims->rhs_contracting};
  const EchoType *element = echo_type_element(result);
  if (echo_stablehlo_dot_algorithm_or_null(op) != NULL || element->kind != ECHO_TYPE_FLOAT ||
      echo_type_bit_width(element) < 32)
    return false;
  const EchoType *all[] = {types[0], types[1], result};
  for (size_t i = 0; i < 3; ++i)
    if (!echo_type_has_static_shape(all[i]) || all[i]->as.shaped.encoding != NULL ||
        echo_type_element(all[i]) != element)
      return false;
  uint32_t wide = is_one_row(types[1], batching[1], contracting[1]) ? 0 : 1, row = 1 - wide;
  const EchoType *rows = types[wide];
  if (!is_one_row(types[row], batching[row], contracting[row]) ||
      !has_rows(rows, batching[wide], contracting[wide]) ||
      n_contracted(rows, contracting[wide]) < LEAST_ROW)
    return false;
  EchoBuilder builder = echo_builder_before(op), *b = &builder;
  b->attrs = op->attrs;
  EchoValue *factor = spread_row(b, op, row, rows, batching[row], contracting[row]);
  EchoValue *products = echo_hlo_multiply(b, echo_op_operand(op, wide), factor);
  EchoValue *sums =
      echo_hlo_reduce_sum(b, products, contracting[wide].dims, contracting[wide].size);
  EchoValue *value = echo_hlo_reshape(b, sums, result->as.shaped.dims, echo_type_rank(result));
  echo_value_replace_all_uses(echo_op_result(op, 0), value);
  echo_op_erase(op);
  return true;
}

static bool run(EchoPassRun *pass)
{
  uint64_t n = 0;
  for (EchoOp *op = pass->op, *next; op != NULL; op = next) {
    next = echo_op_walk_next(pass->op, op);
    n += echo_hlo_opcode(op) == ECHO_HLO_DOT_GENERAL && sum_rows(op);
  }
  pass->keeps_all = n == 0;
  echo_pass_count(pass, "products", n);
  return true;
}

static const EchoPassStatistic STATISTICS[] = {{"products", "products that are reductions now"},
                                               {NULL, NULL}};

const EchoPass ECHO_PASS_SUM_ROWS = {
    .name = "sum-rows",
    .summary = "make reductions of products with one row",
    .anchor = "builtin.module",
    .statistics = STATISTICS,
    .run = run,
};
