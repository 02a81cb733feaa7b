/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* chlo's broadcasts, what stands for a function (composites, maps, custom calls), and what only
 * annotates. */
#include "dialects/echo/parts.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/diagnostics.h"
#include "ir/text/text.h"
#include "lowering/model/chlo_to_stablehlo_t.h"

/* ---- broadcasts ---- */

/* `operand` in the result's shape: its dimensions where `places` says (NULL: at the end), those of
 * size 1 stretched. */
static EchoValue *spread(EchoBuilder *b, EchoValue *operand, const EchoType *result,
                         const int64_t *places)
{
  const EchoType *type = echo_type_with_element(b->ctx, result, echo_type_element(operand->type));
  if (operand->type == type)
    return operand;
  uint32_t rank = echo_type_rank(operand->type), result_rank = echo_type_rank(result);
  int64_t at_end[ECHO_MAX_RANK];
  for (uint32_t d = 0; d < rank; d++)
    at_end[d] = (int64_t)(result_rank - rank + d);
  return echo_hlo_broadcast_in_dim(b, operand, type, places != NULL ? places : at_end, rank);
}

static bool is_static(const EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (!echo_type_has_static_shape(echo_op_operand_type(op, i)))
      return false;
  return true;
}

/* The op that a broadcast stands for: stablehlo's, or chlo's own. */
static bool name_of(EchoContext *ctx, const EchoOp *op, EchoBuffer *name)
{
  static const char prefix[] = "chlo.broadcast_";
  static const char *const dialects[] = {"stablehlo", "chlo"};
  if (!echo_str_starts_with(echo_op_name(op), prefix))
    return false;
  for (size_t i = 0; i < 2; i++) {
    echo_buffer_clear(name);
    echo_buffer_printf(name, "%s.%s", dialects[i], op->info->name + sizeof prefix - 1);
    if (echo_context_op_info_or_null(ctx, echo_buffer_str(name)) != NULL)
      return true;
  }
  return false;
}

static bool lower_broadcast(EchoRewriter *rewriter, EchoOp *op)
{
  EchoBuilder *b = &rewriter->builder;
  EchoBuffer name = {0};
  bool known = name_of(b->ctx, op, &name) && is_static(op);
  if (known) {
    const EchoAttr *list = echo_op_attr_or_null(op, "broadcast_dimensions");
    EchoDimList places =
        list != NULL ? echo_stablehlo_dims(op, "broadcast_dimensions") : (EchoDimList){NULL, 0};
    const EchoType *type = echo_op_result_type(op, 0);
    EchoValue *operands[3];
    for (uint32_t i = 0; i < op->n_operands; i++) { /* the list is for the operand of lower rank */
      bool is_placed = list != NULL && echo_type_rank(echo_op_operand_type(op, i)) == places.size;
      operands[i] = spread(b, echo_op_operand(op, i), type, is_placed ? places.dims : NULL);
    }
    const EchoAttrArg attrs[] = {
        {"comparison_direction", echo_op_attr_or_null(op, "comparison_direction")},
        {"compare_type", echo_op_attr_or_null(op, "compare_type")}};
    EchoOp *made =
        echo_build_op(b, echo_buffer_c_str(&name), operands, op->n_operands, &type, 1, attrs, 2);
    EchoValue *y = echo_op_result(made, 0);
    echo_rewriter_replace(rewriter, op, &y);
  }
  echo_buffer_destroy(&name);
  return known;
}

/* ---- constants ---- */

/* One of another dialect, or whose numbers are sparse or stand elsewhere in the file. */
static bool lower_constant(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoAttr *value = echo_op_attr_or_null(op, "value");
  if (!echo_type_is_tensor(echo_op_result_type(op, 0)) ||
      (echo_hlo_opcode(op) == ECHO_HLO_CONSTANT && value->kind == ECHO_ATTR_DENSE_ELEMENTS))
    return false;
  const EchoAttr *elements = echo_dense_elements_or_null(rewriter->builder.ctx, value);
  if (elements == NULL)
    return false;
  EchoValue *y = echo_hlo_constant(&rewriter->builder, elements);
  echo_rewriter_replace(rewriter, op, &y);
  return true;
}

static bool lower_constant_like(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoAttr *value = echo_op_attr_or_null(op, "value");
  const EchoType *type = echo_op_result_type(op, 0);
  if (!echo_type_has_static_shape(type) ||
      (value->kind != ECHO_ATTR_FLOAT && value->kind != ECHO_ATTR_INTEGER))
    return false;
  EchoBuilder *b = &rewriter->builder;
  EchoValue *y = value->kind == ECHO_ATTR_FLOAT
                     ? echo_hlo_constant_f64(b, type, value->as.floating.value)
                     : echo_hlo_constant_i64(b, type, value->as.integer.value);
  echo_rewriter_replace(rewriter, op, &y);
  return true;
}

/* ---- functions by name ---- */

/* A composite is a call of its decomposition, which --inline takes in. */
static bool lower_composite(EchoRewriter *rewriter, EchoOp *op)
{
  EchoValue *values[ECHO_MAX_RANK], **all = values;
  const EchoType *types_here[ECHO_MAX_RANK], **types = types_here;
  if (op->n_operands > ECHO_MAX_RANK)
    all = echo_alloc_array(op->n_operands, sizeof *all);
  if (op->n_results > ECHO_MAX_RANK)
    types = echo_alloc_array(op->n_results, sizeof *types);
  for (uint32_t i = 0; i < op->n_operands; i++)
    all[i] = echo_op_operand(op, i);
  for (uint32_t i = 0; i < op->n_results; i++)
    types[i] = echo_op_result_type(op, i);
  const EchoAttrArg attr = {"callee", echo_op_attr_or_null(op, "decomposition")};
  EchoOp *call = echo_build_op(&rewriter->builder, "func.call", all, op->n_operands, types,
                               op->n_results, &attr, 1);
  EchoValue **results = echo_alloc_array(op->n_results + 1u, sizeof(EchoValue *));
  for (uint32_t i = 0; i < op->n_results; i++)
    results[i] = echo_op_result(call, i);
  if (all != values)
    echo_free(all);
  if (types != types_here)
    echo_free(types);
  echo_rewriter_replace(rewriter, op, results);
  echo_free(results);
  return true;
}

/* Whether the body of a map is ops of scalars that are ops of tensors, too. */
static bool is_elementwise(const EchoBlock *body)
{
  for (const EchoOp *op = body->first; op != body->last; op = op->next) {
    bool fits = echo_op_has_trait(op, ECHO_ELEMENTWISE) || echo_op_has_trait(op, ECHO_CONSTANT);
    if (!fits || op->n_regions != 0 || op->n_results != 1)
      return false;
  }
  return true;
}

/* A value of a map's body in the map's shape: mapped, or a scalar spread. */
static EchoValue *whole(EchoBuilder *b, EchoMap *values, EchoValue *value, const EchoType *shape)
{
  EchoValue *known = echo_map_get_ptr(values, value);
  if (known != NULL)
    return known;
  const EchoType *type = echo_type_with_element(b->ctx, shape, echo_type_element(value->type));
  EchoValue *spread_out = echo_hlo_broadcast_scalar(b, value, type);
  echo_map_set_ptr(values, value, spread_out);
  return spread_out;
}

/* A map's body on whole tensors. */
static bool lower_map(EchoRewriter *rewriter, EchoOp *op)
{
  EchoBuilder *b = &rewriter->builder;
  const EchoType *shape = echo_op_result_type(op, 0);
  const EchoBlock *body = op->regions[0].first;
  if (!is_elementwise(body) || !echo_type_has_static_shape(shape))
    return false;
  EchoMap values = {0};
  for (uint32_t i = 0; i < body->n_args; i++)
    echo_map_set_ptr(&values, echo_block_arg(body, i), echo_op_operand(op, i));
  for (const EchoOp *inner = body->first; inner != body->last; inner = inner->next) {
    EchoValue *result = echo_op_result(inner, 0);
    if (echo_op_has_trait(inner, ECHO_CONSTANT)) {
      EchoOp *constant = echo_builder_insert(b, echo_op_clone(inner, NULL));
      const EchoType *type = echo_type_with_element(b->ctx, shape, echo_type_element(result->type));
      echo_map_set_ptr(&values, result,
                       echo_hlo_broadcast_scalar(b, echo_op_result(constant, 0), type));
      continue;
    }
    for (uint32_t i = 0; i < inner->n_operands; i++)
      whole(b, &values, echo_op_operand(inner, i), shape);
    EchoOp *copy = echo_op_clone(inner, &values);
    echo_value_set_type(echo_op_result(copy, 0),
                        echo_type_with_element(b->ctx, shape, echo_type_element(result->type)));
    echo_builder_insert(b, copy);
  }
  EchoValue *y = whole(b, &values, echo_op_operand(body->last, 0), shape);
  echo_map_destroy(&values);
  echo_rewriter_replace(rewriter, op, &y);
  return true;
}

/* Custom calls that are ops of chlo's under another name: PyTorch/XLA and TensorFlow write
 * @mhlo.erf. */
static bool lower_named_function(EchoRewriter *rewriter, EchoOp *op, EchoStr target)
{
  static const char prefix[] = "mhlo.";
  if (!echo_str_starts_with(target, prefix) || op->n_operands != 1 || op->n_results != 1 ||
      echo_op_operand_type(op, 0) != echo_op_result_type(op, 0) ||
      echo_type_element(echo_op_operand_type(op, 0))->kind != ECHO_TYPE_FLOAT)
    return false;
  EchoBuffer name = {0};
  echo_buffer_printf(&name, "chlo.%.*s", (int)(target.size - (sizeof prefix - 1)),
                     target.data + sizeof prefix - 1);
  EchoContext *ctx = rewriter->builder.ctx;
  const EchoOpInfo *info = echo_context_op_info_or_null(ctx, echo_buffer_str(&name));
  bool known = info != NULL && (info->traits & ECHO_ELEMENTWISE) != 0;
  if (known) {
    EchoValue *y = echo_build_unary(&rewriter->builder, echo_buffer_c_str(&name),
                                    echo_op_operand(op, 0), NULL);
    echo_rewriter_replace(rewriter, op, &y);
  }
  echo_buffer_destroy(&name);
  return known;
}

/* Annotations for several devices, or of memory spaces, say nothing to one. */
static bool lower_custom_call(EchoRewriter *rewriter, EchoOp *op)
{
  EchoStr target = echo_op_attr_string(op, "call_target_name");
  if (echo_op_has_attr(op, ECHO_READ_SHARDING))
    return false;
  if (!echo_stablehlo_is_annotation(op))
    return lower_named_function(rewriter, op, target);
  EchoValue *operand = echo_op_operand(op, 0);
  echo_rewriter_replace(rewriter, op, &operand);
  return true;
}

/* On one device a mesh is nothing to anybody, and a sharding constraint its operand. What is to run
 * on many was read before (--read-shardings). */
static bool drop_sharding(EchoRewriter *rewriter, EchoOp *op)
{
  if (echo_op_has_attr(op, ECHO_READ_SHARDING))
    return false;
  if (op->n_results == 0) {
    echo_rewriter_erase(rewriter, op);
    return true;
  }
  EchoValue *operand = echo_op_operand(op, 0);
  echo_rewriter_replace(rewriter, op, &operand);
  return true;
}

void echo_chlo_replace_by_body(EchoRewriter *rewriter, EchoOp *op, const EchoBlock *body)
{
  EchoMap values = {0};
  for (uint32_t i = 0; i < body->n_args; i++)
    echo_map_set_ptr(&values, echo_block_arg(body, i), echo_op_operand(op, i));
  for (const EchoOp *inner = body->first; inner != body->last; inner = inner->next)
    echo_builder_insert(&rewriter->builder, echo_op_clone(inner, &values));
  EchoValue **results = echo_alloc_array(op->n_results + 1u, sizeof *results);
  for (uint32_t i = 0; i < op->n_results; i++)
    results[i] = echo_map_get_ptr(&values, echo_op_operand(body->last, i));
  echo_map_destroy(&values);
  echo_rewriter_replace(rewriter, op, results);
  echo_free(results);
}

/* What sees nothing from outside. */
static bool take_in(EchoRewriter *rewriter, EchoOp *op)
{
  echo_chlo_replace_by_body(rewriter, op, op->regions[0].first);
  return true;
}

const EchoPattern ECHO_CHLO_STRUCTURE_PATTERNS[] = {
    {NULL, 0, lower_broadcast, "operands broadcast, then the op"},
    {"arith.constant", 0, lower_constant, "a constant"},
    {"chlo.constant", 0, lower_constant, "a constant"},
    {"chlo.constant_like", 0, lower_constant_like, "a constant"},
    {"stablehlo.constant", 0, lower_constant, "a dense constant"},
    {"stablehlo.map", 0, lower_map, "its body on whole tensors"},
    {"stablehlo.composite", 0, lower_composite, "a call of its decomposition"},
    {"stablehlo.custom_call", 0, lower_custom_call, "its operand, or a function of chlo's"},
    {"sdy.all_gather", 0, drop_sharding, "one device"},
    {"sdy.all_reduce", 0, drop_sharding, "one device"},
    {"sdy.all_slice", 0, drop_sharding, "one device"},
    {"sdy.all_to_all", 0, drop_sharding, "one device"},
    {"sdy.collective_permute", 0, drop_sharding, "one device"},
    {"sdy.constant", 0, lower_constant, "a constant"},
    {"sdy.data_flow_edge", 0, drop_sharding, "its operand"},
    {"sdy.func_data_flow_edge", 0, drop_sharding, "its operand"},
    {"sdy.mesh", 0, drop_sharding, "one device"},
    {"sdy.named_computation", 0, take_in, "the ops of its body"},
    {"sdy.propagation_barrier", 0, drop_sharding, "one device"},
    {"sdy.reduce_scatter", 0, drop_sharding, "one device"},
    {"sdy.replicated_to_unreduced", 0, drop_sharding, "one device"},
    {"sdy.reshard", 0, drop_sharding, "one device"},
    {"sdy.sharded_to_unreduced", 0, drop_sharding, "one device"},
    {"sdy.sharding_constraint", 0, drop_sharding, "one device"},
    {"sdy.sharding_group", 0, drop_sharding, "one device"},
};
const size_t ECHO_N_CHLO_STRUCTURE_PATTERNS =
    sizeof ECHO_CHLO_STRUCTURE_PATTERNS / sizeof ECHO_CHLO_STRUCTURE_PATTERNS[0];
