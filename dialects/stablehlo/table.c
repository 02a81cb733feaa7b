/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The op table: what rows/ops.def lists. */
#include "dialects/dialects.h"
#include "dialects/stablehlo/attributes/attributes_t.h"
#include "dialects/stablehlo/hooks_t.h"
#include "dialects/stablehlo/infer/infer_t.h"
#include "dialects/stablehlo/text/text_t.h"

#define INFER(name) .infer = echo_hlo_infer_##name
#define VERIFY(name) .verify = echo_hlo_verify_##name
#define TEXT(form) .parse = echo_hlo_parse_##form, .print = echo_hlo_print_##form
#define EVALUATE(name) .evaluate = echo_hlo_evaluate_##name
#define GRADIENT(name) .differentiate = echo_hlo_differentiate_##name
#define NO_GRADIENT .differentiate = echo_hlo_differentiate_zero
#define EMIT(name) .emit_element = echo_hlo_emit_##name
#define COST(name) .cost = echo_hlo_cost_##name
#define FOLD(name) .fold = echo_hlo_fold_##name

#define HLO_OP(OPCODE, op_name, in, out, attributes, regions, trait_bits, ...)                     \
  [ECHO_HLO_##OPCODE] = {.name = "stablehlo." op_name,                                             \
                         .operands = in,                                                           \
                         .results = out,                                                           \
                         .attrs = attributes,                                                      \
                         .n_regions = regions,                                                     \
                         .traits = trait_bits,                                                     \
                         .summary = __VA_ARGS__},

/* ---- elementwise ---- */

#define MAP (ECHO_PURE | ECHO_ELEMENTWISE)
#define EXACT_MAP (MAP | ECHO_EXACT)
#define MAP_HOOKS(name) EVALUATE(name), EMIT(name), COST(flops)
#define FLOPS COST(flops)
#define DIVISIONS COST(division)
#define ROOTS COST(root)
#define INVERSE_ROOTS COST(inverse_root)
#define EXTREMA COST(extremum)
#define TRANSCENDENTALS COST(transcendentals)
#define ANGLES COST(angle)
#define REMAINDERS COST(remainder)
#define POWERS COST(power)

#define UNARY_SAME(type)                                                                           \
  .operands = "operand: " type, .results = "result: " type, INFER(same_type), TEXT(unary)
#define UNARY_TO_REAL(type, part)                                                                  \
  .operands = "operand: " type, .results = "result: " part, INFER(real), TEXT(unary)
#define UNARY_TO_PREDICATE(type)                                                                   \
  .operands = "x: " type, .results = "y: " PREDICATES, INFER(pred), TEXT(functional)
#define BINARY_SAME(type)                                                                          \
  .operands = "lhs: " type ", rhs: " type, .results = "result: " type, INFER(same_type),           \
  VERIFY(quantized), TEXT(binary)

#define UNARY(OPCODE, op_name, types, attributes, trait_bits, cost_hook, text, gradient)           \
  [ECHO_HLO_##OPCODE] = {.name = "stablehlo." #op_name,                                            \
                         .attrs = attributes,                                                      \
                         .traits = trait_bits,                                                     \
                         .summary = text,                                                          \
                         UNARY_##types,                                                            \
                         EVALUATE(unary),                                                          \
                         EMIT(unary),                                                              \
                         FOLD(constants),                                                          \
                         cost_hook,                                                                \
                         gradient},
#define BINARY(OPCODE, op_name, types, trait_bits, cost_hook, text, gradient)                      \
  [ECHO_HLO_##OPCODE] = {.name = "stablehlo." #op_name,                                            \
                         .traits = trait_bits,                                                     \
                         .summary = text,                                                          \
                         BINARY_##types,                                                           \
                         EVALUATE(binary),                                                         \
                         EMIT(binary),                                                             \
                         FOLD(binary),                                                             \
                         cost_hook,                                                                \
                         gradient},

/* What a row says of scalars is rows/elementwise.c's to read. */
#define HLO_UNARY(OPCODE, op_name, types, attributes, trait_bits, cost_hook, text, evaluate_float, \
                  emit_float, evaluate_int, emit_int, gradient)                                    \
  UNARY(OPCODE, op_name, types, attributes, trait_bits, cost_hook, text, GRADIENT(unary))
#define HLO_FLOAT_UNARY(OPCODE, op_name, types, attributes, trait_bits, cost_hook, text, evaluate, \
                        emit, gradient)                                                            \
  UNARY(OPCODE, op_name, types, attributes, trait_bits, cost_hook, text, GRADIENT(unary))
#define HLO_INT_UNARY(OPCODE, op_name, types, attributes, trait_bits, cost_hook, text, evaluate,   \
                      emit)                                                                        \
  UNARY(OPCODE, op_name, types, attributes, trait_bits, cost_hook, text, NO_GRADIENT)
#define HLO_PREDICATE HLO_INT_UNARY
#define HLO_BINARY(OPCODE, op_name, types, trait_bits, cost_hook, text, neutral, evaluate_float,   \
                   emit_float, evaluate_int, emit_int, gradient)                                   \
  BINARY(OPCODE, op_name, types, trait_bits, cost_hook, text, GRADIENT(binary))
#define HLO_FLOAT_BINARY(OPCODE, op_name, types, trait_bits, cost_hook, text, evaluate, emit,      \
                         gradient)                                                                 \
  BINARY(OPCODE, op_name, types, trait_bits, cost_hook, text, GRADIENT(binary))
#define HLO_INT_BINARY(OPCODE, op_name, types, trait_bits, cost_hook, text, neutral, evaluate,     \
                       emit)                                                                       \
  BINARY(OPCODE, op_name, types, trait_bits, cost_hook, text, NO_GRADIENT)

#define ACCURACY "result_accuracy: result accuracy?"

#define NUMBERS "tensor of numbers"
#define SLICES "tensor of numbers or quantized slices"
#define SIZES "statically shaped 1-dimensional tensor of integers"
#define ARITHMETIC "tensor of numbers other than predicates"
#define FLOATS "tensor of floats"
#define FLOAT_OR_COMPLEX "tensor of float or complex"
#define INTEGERS "tensor of integers"
#define BITS "tensor of predicates or integers"
#define PREDICATES "tensor of predicates"
#define VALUES "tensor or token or buffer"

/* ---- movement ---- */

#define MOVE (ECHO_PURE | ECHO_MOVEMENT | ECHO_EXACT)
#define MOVE_HOOKS(name) EVALUATE(name), EMIT(name), GRADIENT(name), COST(movement)
#define SLICE_HOOKS(name) EVALUATE(name), EMIT(name), GRADIENT(name), COST(slice)

/* ---- regions ---- */

#define WITH_BODY (ECHO_RECURSIVE_EFFECTS | ECHO_SINGLE_BLOCK)

#define WINDOW                                                                                     \
  "window_strides: i64 list?, base_dilations: i64 list?, window_dilations: i64 list?, "            \
  "padding: i64 elements?"
#define CONVOLUTION                                                                                \
  "lhs_dilation: i64 list?, rhs_dilation: i64 list?, window_reversal: bool list?, "                \
  "dimension_numbers: convolution dimension numbers, feature_group_count: positive i64, "          \
  "batch_group_count: positive i64, precision_config: precision config?"
#define BATCH_NORM "epsilon: f32, feature_index: non-negative i64"
#define GROUPS "replica_groups: replica groups, channel_handle: channel handle?"
#define TRANSFER                                                                                   \
  "channel_handle: channel handle, is_host_transfer: bool?, source_target_pairs: i64 elements?"

const EchoOpInfo ECHO_STABLEHLO_OPS[ECHO_N_HLO_OPCODES] = {
#include "dialects/stablehlo/rows/ops.def"
};

/* ---- names of values in the pretty form ---- */

void echo_hlo_name_constant(const EchoOp *op, EchoNameValueFn *name, void *user)
{
  bool is_int = echo_type_element(echo_op_result_type(op, 0))->kind == ECHO_TYPE_INTEGER;
  name(user, echo_op_result(op, 0), is_int ? "c" : "cst");
}

void echo_hlo_name_while(const EchoOp *op, EchoNameValueFn *name, void *user)
{
  for (size_t r = 0; r < op->n_regions; ++r)
    for (const EchoBlock *block = op->regions[r].first; block != NULL; block = block->next)
      for (size_t i = 0; i < block->n_args; ++i)
        name(user, echo_block_arg(block, i), "iterArg");
}

void echo_hlo_name_results(const EchoOp *op, EchoNameValueFn *name, void *user)
{
  const EchoOpSpec *spec = echo_context_op_spec_or_null(echo_op_context(op), op->info);
  for (size_t i = 0; spec != NULL && i < op->n_results && i < spec->n_results; ++i)
    name(user, echo_op_result(op, i), spec->results[i].name.data);
}

/* ---- the dialect ---- */

static EchoOp *materialize_constant(EchoBuilder *builder, const EchoAttr *value,
                                    const EchoType *type)
{
  if (value->kind != ECHO_ATTR_DENSE_ELEMENTS || value->type != type)
    return NULL;
  return echo_build_op(builder, "stablehlo.constant", NULL, 0, &type, 1,
                       &(EchoAttrArg){"value", value}, 1);
}

static bool check_type(EchoContext *ctx, EchoLoc loc, EchoStr text)
{
  return echo_str_is(text, "token") || echo_str_starts_with(text, "future<") ||
         echo_error(ctx, loc, "unknown stablehlo type: %.*s", ECHO_STR_ARG(text));
}

/* Bounds are one a dimension, of dynamic ones alone. */
static bool check_encoding(const EchoAttr *encoding, const int64_t *dims, size_t rank,
                           EchoBuffer *error)
{
  const EchoHloPayload *payload = echo_hlo_payload_or_null(encoding, ECHO_HLO_ATTR_BOUNDS);
  if (payload == NULL)
    return true;
  const EchoDimList *bounds = &payload->as.bounds;
  if (bounds->size != rank) {
    echo_buffer_printf(error, "%zu bounds, expected as many as the tensor's rank, %zu",
                       (size_t)bounds->size, rank);
    return false;
  }
  for (size_t i = 0; i < rank; i++)
    if (dims[i] != ECHO_DYNAMIC && bounds->dims[i] != ECHO_DYNAMIC) {
      echo_buffer_printf(error, "dimension %zu is static and cannot have a bound", i);
      return false;
    }
  return true;
}

/* No dimension is larger than its bound. */
static bool encoding_takes(const EchoAttr *encoding, const int64_t *dims, size_t rank)
{
  const EchoHloPayload *payload = echo_hlo_payload_or_null(encoding, ECHO_HLO_ATTR_BOUNDS);
  for (size_t i = 0; payload != NULL && i < rank && i < payload->as.bounds.size; i++) {
    int64_t bound = payload->as.bounds.dims[i];
    if (dims[i] != ECHO_DYNAMIC && bound != ECHO_DYNAMIC && dims[i] > bound)
      return false;
  }
  return true;
}

/* A copy in MHLO says where a value lies, which is the planner's matter here. Functions that
 * StableHLO left to CHLO are MHLO's own, and what XLA writes of a module of HLO has them. */
static const char *const FORMER_OPS[][2] = {{"copy", "stablehlo.optimization_barrier"},
                                            {"acos", "chlo.acos"},
                                            {"acosh", "chlo.acosh"},
                                            {"asin", "chlo.asin"},
                                            {"asinh", "chlo.asinh"},
                                            {"atanh", "chlo.atanh"},
                                            {"cosh", "chlo.cosh"},
                                            {"erf", "chlo.erf"},
                                            {"sinh", "chlo.sinh"},
                                            {"topk", "chlo.top_k"},
                                            {NULL, NULL}};

const EchoDialect ECHO_STABLEHLO_DIALECT = {
    .name = "stablehlo",
    .former_name = "mhlo",
    .former_ops = FORMER_OPS,
    .summary = "StableHLO: operations on tensors",
    .ops = ECHO_STABLEHLO_OPS,
    .n_ops = ECHO_N_HLO_OPCODES,
    .type_constraints = ECHO_HLO_TYPE_CONSTRAINTS,
    .attr_constraints = ECHO_HLO_ATTR_CONSTRAINTS,
    .parse_attr = echo_hlo_parse_attr,
    .check_type = check_type,
    .check_encoding = check_encoding,
    .encoding_takes = encoding_takes,
    .canonical_attr = echo_hlo_canonical_attr,
    .materialize_constant = materialize_constant,
};
