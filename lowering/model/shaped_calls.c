/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls that JAX writes for an op that StableHLO has for static shapes alone, or not at all, as
 * ops, where shapes are known: @stablehlo.dynamic_top_k, _reduce_window and _rng_bit_generator;
 * @ApproxTopK, which is exact here, @TopK and @mhlo.topk (PyTorch/XLA's); @LayoutConstraint; and of
 * any other target the operands that say its results' shapes. */
#include "dialects/stablehlo/refine.h"
#include "ir/symbol.h"
#include "lowering/calls/custom_calls_t.h"
#include "lowering/model/chlo_to_stablehlo_t.h"

static bool calls(const EchoOp *op, const char *target)
{
  return echo_str_is(echo_op_attr_string(op, "call_target_name"), target);
}

static bool is_static(const EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (!echo_type_has_static_shape(echo_op_operand_type(op, i)))
      return false;
  for (uint32_t i = 0; i < op->n_results; i++)
    if (!echo_type_has_static_shape(echo_op_result_type(op, i)))
      return false;
  return true;
}

/* Replaces the call by an op whose results have the same types; one of others is taken back. */
static bool replace(EchoRewriter *rewriter, EchoOp *op, EchoOp *made)
{
  bool fits = made != NULL && made->n_results == op->n_results;
  EchoValue *results[2];
  EchoValue **all = op->n_results <= 2 ? results : echo_alloc_array(op->n_results, sizeof *all);
  for (uint32_t i = 0; fits && i < op->n_results; i++) {
    all[i] = echo_op_result(made, i);
    fits = all[i]->type == echo_op_result_type(op, i);
  }
  if (fits)
    echo_rewriter_replace(rewriter, op, all);
  else if (made != NULL)
    echo_rewriter_erase(rewriter, made);
  if (all != results)
    echo_free(all);
  return fits;
}

/* The body of the function that the call names, with these types of arguments, as a region's; false
 * where there is none. */
static bool take_computation(EchoBuilder *b, const EchoOp *call, EchoOp *op)
{
  const EchoAttr *list = echo_op_attr_or_null(call, "called_computations");
  const EchoAttr *name = list != NULL && list->kind == ECHO_ATTR_ARRAY && list->as.array.size == 1
                             ? list->as.array.elements[0]
                             : NULL;
  const EchoOp *function = name != NULL ? echo_symbol_lookup_or_null(call, name) : NULL;
  const EchoBlock *body =
      function != NULL && echo_op_is(function, "func.func") ? function->regions[0].first : NULL;
  if (body == NULL || body != function->regions[0].last || body->last == NULL)
    return false;
  EchoBlock *block = echo_block_create(b->ctx);
  echo_region_append(&op->regions[0], block);
  EchoBuilder inside = *b;
  inside.block = block;
  inside.before = NULL;
  EchoMap values = {0};
  for (uint32_t i = 0; i < body->n_args; i++)
    echo_map_set_ptr(&values, echo_block_arg(body, i),
                     echo_block_add_arg(b->ctx, block, echo_block_arg(body, i)->type, b->loc));
  for (const EchoOp *inner = body->first; inner != body->last; inner = inner->next)
    echo_builder_insert(&inside, echo_op_clone(inner, &values));
  size_t n = body->last->n_operands;
  EchoValue **ends = echo_alloc_array(n + 1, sizeof *ends);
  for (size_t i = 0; i < n; i++)
    ends[i] = echo_map_get_ptr(&values, echo_op_operand(body->last, (uint32_t)i));
  echo_hlo_return(&inside, ends, n);
  echo_free(ends);
  echo_map_destroy(&values);
  return true;
}

/* ---- one target each ---- */

static bool lower_top_k(EchoRewriter *rewriter, EchoOp *op)
{
  EchoBuilder *b = &rewriter->builder;
  const EchoType *types[2] = {0};
  if (op->n_operands != 2 || op->n_results != 2 ||
      echo_value_constant_or_null(echo_op_operand(op, 1)) == NULL)
    return false;
  for (size_t i = 0; i < 2; i++)
    types[i] = echo_op_result_type(op, (uint32_t)i);
  EchoValue *operand = echo_op_operand(op, 0);
  uint32_t rank = echo_type_rank(types[0]);
  const EchoAttrArg k = {"k",
                         echo_attr_i64(b->ctx, rank != 0 ? echo_type_dim(types[0], rank - 1) : 0)};
  return rank != 0 &&
         replace(rewriter, op, echo_build_op(b, "chlo.top_k", &operand, 1, types, 2, &k, 1));
}

static bool lower_random_bits(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoAttr *algorithm = echo_op_attr_or_null(op, "rng_algorithm");
  if (op->n_operands != 2 || op->n_results != 2 || algorithm == NULL ||
      echo_value_constant_or_null(echo_op_operand(op, 1)) == NULL)
    return false;
  const EchoType *types[] = {echo_op_result_type(op, 0), echo_op_result_type(op, 1)};
  EchoValue *state = echo_op_operand(op, 0);
  const EchoAttrArg attr = {"rng_algorithm", algorithm};
  return replace(rewriter, op,
                 echo_build_op(&rewriter->builder, "stablehlo.rng_bit_generator", &state, 1, types,
                               2, &attr, 1));
}

static bool lower_reduce_window(EchoRewriter *rewriter, EchoOp *op)
{
  EchoBuilder *b = &rewriter->builder;
  EchoWindowDim windows[ECHO_MAX_RANK];
  if (!echo_stablehlo_called_windows(op, windows))
    return false;
  size_t rank = echo_type_rank(echo_op_operand_type(op, 0)), n = op->n_results;
  EchoAttrArg attrs[5];
  echo_hlo_window_attrs(b->ctx, windows, rank, attrs);
  EchoValue **values = echo_alloc_array(2 * n, sizeof *values);
  const EchoType **types = echo_alloc_array(n, sizeof *types);
  for (size_t i = 0; i < n; i++)
    types[i] = echo_op_result_type(op, (uint32_t)i);
  for (size_t i = 0; i < 2 * n; i++)
    values[i] = echo_op_operand(op, (uint32_t)i);
  EchoOp *made = echo_build_op_with_regions(b, "stablehlo.reduce_window", values, 2 * n, types, n,
                                            attrs, 5, 1);
  echo_free(values);
  echo_free(types);
  if (take_computation(b, op, made))
    return replace(rewriter, op, made);
  echo_rewriter_erase(rewriter, made);
  return false;
}

/* Whether the first `n` results are the values with fewer elements along dimension `at`. */
static bool are_first(EchoContext *ctx, const EchoOp *op, EchoValue *const *values, uint32_t n,
                      int64_t at)
{
  const EchoType *type = values[0]->type, *result = echo_op_result_type(op, 0);
  bool ok = at >= 0 && at < (int64_t)echo_type_rank(type) &&
            echo_type_rank(type) == echo_type_rank(result);
  for (size_t d = 0; ok && d < echo_type_rank(type); d++)
    ok = echo_type_dim(result, d) == echo_type_dim(type, d) ||
         ((int64_t)d == at && echo_type_dim(result, d) < echo_type_dim(type, d));
  for (uint32_t i = 0; ok && i < n; i++) {
    const EchoType *element = echo_type_element(values[i]->type);
    ok = values[i]->type == echo_type_with_element(ctx, type, element) &&
         echo_op_result_type(op, i) == echo_type_with_element(ctx, result, element);
  }
  return ok;
}

/* The first of `values` along dimension `at`, as many as the results have, in the order that the
 * call's comparison makes. */
static bool take_first(EchoRewriter *rewriter, EchoOp *op, EchoValue **values, int64_t at)
{
  EchoBuilder *b = &rewriter->builder;
  size_t n = op->n_results;
  if (!are_first(b->ctx, op, values, op->n_results, at))
    return false;
  const EchoType **types = echo_alloc_array(n, sizeof *types);
  for (size_t i = 0; i < n; i++)
    types[i] = values[i]->type;
  const EchoAttrArg attrs[] = {{"dimension", echo_attr_i64(b->ctx, at)},
                               {"is_stable", echo_attr_bool(b->ctx, true)}};
  EchoOp *sort = echo_build_op_with_regions(b, "stablehlo.sort", values, n, types, n, attrs, 2, 1);
  bool ok = take_computation(b, op, sort);
  for (size_t i = 0; ok && i < n; i++)
    values[i] = echo_hlo_slice_dim(b, echo_op_result(sort, (uint32_t)i), at, 0,
                                   echo_type_dim(echo_op_result_type(op, 0), (uint32_t)at));
  if (ok)
    echo_rewriter_replace(rewriter, op, values);
  else
    echo_rewriter_erase(rewriter, sort);
  echo_free(types);
  return ok;
}

/* (operands …, initial values …): the first of all. */
static bool lower_approx_top_k(EchoRewriter *rewriter, EchoOp *op)
{
  size_t n = op->n_results;
  const EchoAttr *config = echo_call_dictionary_or_null(op);
  const EchoAttr *dimension =
      config != NULL ? echo_dictionary_get_or_null(config, "reduction_dim") : NULL;
  if (n == 0 || op->n_operands < 2 * n || dimension == NULL || dimension->kind != ECHO_ATTR_INTEGER)
    return false;
  EchoValue **values = echo_alloc_array(n, sizeof *values);
  for (size_t i = 0; i < n; i++)
    values[i] = echo_op_operand(op, (uint32_t)i);
  bool ok = take_first(rewriter, op, values, dimension->as.integer.value);
  echo_free(values);
  return ok;
}

/* XLA's own: of rows, with the places that the first had in them. */
static bool lower_top_k_of_rows(EchoRewriter *rewriter, EchoOp *op)
{
  if (op->n_operands != 1 || op->n_results != 2)
    return false;
  EchoBuilder *b = &rewriter->builder;
  const EchoType *type = echo_op_operand_type(op, 0), *places = echo_op_result_type(op, 1);
  int64_t at = (int64_t)echo_type_rank(type) - 1;
  if (at < 0 || !echo_type_is_integer(echo_type_element(places), 32))
    return false;
  const EchoType *counted = echo_type_with_element(b->ctx, type, echo_type_element(places));
  EchoValue *values[] = {echo_op_operand(op, 0), echo_hlo_iota(b, counted, at)};
  if (take_first(rewriter, op, values, at))
    return true;
  echo_rewriter_erase(rewriter, echo_value_def_or_null(values[1]));
  return false;
}

/* The k largest, or least, of rows, and their places: {k, largest} in mhlo.attributes. */
static bool lower_mhlo_top_k(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoAttr *config = echo_op_attr_or_null(op, "mhlo.attributes");
  const EchoAttr *largest = config != NULL && config->kind == ECHO_ATTR_DICTIONARY
                                ? echo_dictionary_get_or_null(config, "largest")
                                : NULL;
  if (op->n_operands != 1 || op->n_results != 2 ||
      (largest != NULL && largest->kind != ECHO_ATTR_INTEGER))
    return false;
  EchoBuilder *b = &rewriter->builder;
  const EchoType *type = echo_op_operand_type(op, 0),
                 *index = echo_type_element(echo_op_result_type(op, 1));
  const int64_t at = (int64_t)echo_type_rank(type) - 1;
  EchoValue *const like[] = {echo_op_operand(op, 0)};
  if (at < 0 || echo_type_element(type)->kind == ECHO_TYPE_COMPLEX ||
      !echo_type_is_integer(index, 32) ||
      echo_op_result_type(op, 1) !=
          echo_type_with_element(b->ctx, echo_op_result_type(op, 0), index) ||
      !are_first(b->ctx, op, like, 1, at))
    return false;
  const bool is_largest = largest == NULL || largest->as.integer.value != 0;
  const EchoOp *sort =
      echo_chlo_sort_places(b, like[0], index, is_largest ? ECHO_COMPARE_GT : ECHO_COMPARE_LT);
  EchoValue *results[2];
  for (size_t i = 0; i < 2; i++)
    results[i] = echo_hlo_slice_dim(b, echo_op_result(sort, (uint32_t)i), at, 0,
                                    echo_type_dim(echo_op_result_type(op, 0), (uint32_t)at));
  echo_rewriter_replace(rewriter, op, results);
  return true;
}

/* Says how the value is to lie in memory, which changes none of its elements: values lie here as
 * their planner has them. */
static bool lower_layout_constraint(EchoRewriter *rewriter, EchoOp *op)
{
  if (op->n_operands != 1 || op->n_results != 1 ||
      echo_op_operand_type(op, 0) != echo_op_result_type(op, 0))
    return false;
  EchoValue *operand = echo_op_operand(op, 0);
  echo_rewriter_replace(rewriter, op, &operand);
  return true;
}

/* ---- operands that say shapes ---- */

/* How many operands at the end only say the results' shapes; 0 where it is not so. */
static uint32_t n_shapes(const EchoOp *op)
{
  const EchoAttr *indices = echo_op_attr_or_null(op, "indices_of_shape_operands");
  if (indices == NULL || indices->kind != ECHO_ATTR_DENSE_ELEMENTS ||
      echo_type_static_n_elements(indices->type) != op->n_results || op->n_operands < op->n_results)
    return 0;
  uint32_t first = op->n_operands - op->n_results;
  for (uint32_t i = 0; i < op->n_results; i++)
    if (echo_elements_i64(indices, i) != (int64_t)first + i ||
        echo_value_constant_or_null(echo_op_operand(op, first + i)) == NULL)
      return 0;
  return op->n_results;
}

/* The first `n` of an attribute that has an entry for each operand. */
static const EchoAttr *first_of(EchoContext *ctx, const EchoAttr *list, size_t n)
{
  return list != NULL && list->kind == ECHO_ATTR_ARRAY && list->as.array.size > n
             ? echo_attr_array(ctx, list->as.array.elements, n)
             : list;
}

static bool drop_shapes(EchoRewriter *rewriter, EchoOp *op)
{
  EchoContext *ctx = rewriter->builder.ctx;
  uint32_t n = op->n_operands - n_shapes(op);
  if (n == op->n_operands)
    return false;
  EchoOp *made = echo_op_clone(op, NULL);
  echo_op_set_attr(made, "indices_of_shape_operands", NULL);
  echo_op_set_attr(made, "operand_layouts",
                   first_of(ctx, echo_op_attr_or_null(op, "operand_layouts"), n));
  while (made->n_operands > n)
    echo_op_erase_operand(made, made->n_operands - 1u);
  echo_builder_insert(&rewriter->builder, made);
  return replace(rewriter, op, made);
}

static bool lower_call(EchoRewriter *rewriter, EchoOp *op)
{
  static const struct {
    const char *target;
    EchoPatternFn *lower;
  } rows[] = {{"stablehlo.dynamic_top_k", lower_top_k},
              {"stablehlo.dynamic_reduce_window", lower_reduce_window},
              {"stablehlo.dynamic_rng_bit_generator", lower_random_bits},
              {"stablehlo.dynamic_approx_top_k", lower_approx_top_k},
              {"ApproxTopK", lower_approx_top_k},
              {"TopK", lower_top_k_of_rows},
              {"mhlo.topk", lower_mhlo_top_k},
              {"LayoutConstraint", lower_layout_constraint}};
  if (!is_static(op))
    return false;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (calls(op, rows[i].target)) {
      const EchoAttr *of_call =
          rewriter->builder.attrs; /* what the target is told is not the op's */
      rewriter->builder.attrs = NULL;
      bool is_lowered = rows[i].lower(rewriter, op);
      rewriter->builder.attrs = of_call;
      return is_lowered;
    }
  return drop_shapes(rewriter, op);
}

const EchoPattern ECHO_SHAPED_CALLS_PATTERNS[] = {
    {"stablehlo.custom_call", 0, lower_call, "the op of static shapes that it stands for"},
};
const size_t ECHO_N_SHAPED_CALLS_PATTERNS =
    sizeof ECHO_SHAPED_CALLS_PATTERNS / sizeof ECHO_SHAPED_CALLS_PATTERNS[0];
