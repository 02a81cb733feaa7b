/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The chlo rows: what JAX and others write beside StableHLO; its functions are listed in
 * functions.def. They compute nothing here: --chlo-to-stablehlo replaces them (behind
 * --differentiate those with a derivative of their own). Their attributes are parsed as StableHLO's
 * are. */
#include "dialects/chlo/chlo_t.h"
#include "dialects/dialects.h"
#include "dialects/stablehlo/hooks_t.h"
#include "dialects/stablehlo/infer/infer_t.h"
#include "dialects/stablehlo/text/text_t.h"

ECHO_HLO_DECLARE_FORMAT(chlo_unary);
ECHO_HLO_DECLARE_FORMAT(chlo_binary);

ECHO_HLO_DEFINE_FORMAT(chlo_unary, 1, ECHO_HLO_TYPES_ARROW, {{0}})
ECHO_HLO_DEFINE_FORMAT(chlo_binary, 2, ECHO_HLO_TYPES_ARROW, {{0}})

#define TEXT(form) .parse = echo_hlo_parse_##form, .print = echo_hlo_print_##form

#define ANY "tensor of any rank"
#define FLOATS "tensor of any rank of floats"
#define FLOAT_OR_COMPLEX "tensor of any rank of float or complex"
#define PREDICATES "tensor of any rank of predicates"
#define BITS "tensor of any rank of predicates or integers"

#define MAP (ECHO_PURE | ECHO_ELEMENTWISE)

#define UNARY(op_name, type, text, ...)                                                            \
  {                                                                                                \
    .name = "chlo." op_name, .operands = "operand: " type, .traits = MAP, TEXT(chlo_unary),        \
    .summary = text, __VA_ARGS__                                                                   \
  }
#define BINARY(op_name, first, second, type, text, ...)                                            \
  {                                                                                                \
    .name = "chlo." op_name, .operands = first ": " type ", " second ": " type,                    \
    .results = "result: " type, .traits = MAP, .infer = echo_hlo_infer_same_type,                  \
    TEXT(chlo_binary), .summary = text, __VA_ARGS__                                                \
  }
#define SAME(type) .results = "result: " type, .infer = echo_hlo_infer_same_type
#define EVALUATE(op_name) .evaluate = echo_chlo_evaluate_##op_name
#define CHLO_FUNCTION(op_name, type, text, evaluate_it, derivative)                                \
  UNARY(#op_name, type, text, SAME(type), EVALUATE(op_name),                                       \
        .differentiate = echo_chlo_differentiate_##op_name),
#define CHLO_PLAIN(op_name, type, text, evaluate_it)                                               \
  UNARY(#op_name, type, text, SAME(type), EVALUATE(op_name)),
#define CHLO_PREDICATE(op_name, text, evaluate_it)                                                 \
  UNARY(#op_name, FLOATS, text, .results = "result: " PREDICATES, .infer = echo_hlo_infer_pred,    \
        EVALUATE(op_name)),
#define CHLO_BINARY(op_name, first, second, text, evaluate_it, gradient)                           \
  BINARY(#op_name, first, second, FLOATS, text, EVALUATE(op_name), .differentiate = gradient),
#define BROADCAST_AS(op_name, type, out, infer_hook, text)                                         \
  {                                                                                                \
    .name = "chlo.broadcast_" op_name, .operands = "lhs: " type ", rhs: " type,                    \
    .results = "result: " out, .attrs = "broadcast_dimensions: i64 list?", .traits = ECHO_PURE,    \
    .infer = infer_hook, TEXT(functional), .summary = text                                         \
  }
#define BROADCAST(op_name, type, text)                                                             \
  BROADCAST_AS(op_name, type, type, echo_chlo_infer_broadcast_binary, text)

static const EchoOpInfo OPS[] = {
    UNARY("_asin_acos_kernel", "tensor of any rank of complex", "Common part of asin and acos",
          SAME("tensor of any rank of complex")),
#include "dialects/chlo/functions.def"
    BINARY("mulhi", "lhs", "rhs", "tensor of integers", "High half of the product",
           EVALUATE(mulhi)),
    BINARY("next_after", "x", "y", FLOATS, "Neighbour of x in the direction of y",
           EVALUATE(next_after)),
    BROADCAST("add", ANY, "Broadcast, then add"),
    BROADCAST("and", BITS, "Broadcast, then and"),
    BROADCAST("atan2", ANY, "Broadcast, then atan2"),
    BROADCAST("divide", ANY, "Broadcast, then divide"),
    BROADCAST("maximum", ANY, "Broadcast, then maximum"),
    BROADCAST("minimum", ANY, "Broadcast, then minimum"),
    BROADCAST("multiply", ANY, "Broadcast, then multiply"),
    BROADCAST("next_after", ANY, "Broadcast, then next_after"),
    BROADCAST("or", BITS, "Broadcast, then or"),
    BROADCAST("polygamma", ANY, "Broadcast, then polygamma"),
    BROADCAST("power", ANY, "Broadcast, then power"),
    BROADCAST("remainder", ANY, "Broadcast, then remainder"),
    BROADCAST("shift_left", ANY, "Broadcast, then shift_left"),
    BROADCAST("shift_right_arithmetic", ANY, "Broadcast, then shift_right_arithmetic"),
    BROADCAST("shift_right_logical", ANY, "Broadcast, then shift_right_logical"),
    BROADCAST("subtract", ANY, "Broadcast, then subtract"),
    BROADCAST("xor", BITS, "Broadcast, then xor"),
    BROADCAST("zeta", FLOATS, "Broadcast, then zeta"),
    BROADCAST_AS("complex", FLOATS, "tensor of any rank of complex",
                 echo_chlo_infer_broadcast_complex, "Broadcast, then complex"),
    {.name = "chlo.broadcast_compare",
     .operands = "lhs: " ANY ", rhs: " ANY,
     .results = "result: " PREDICATES,
     .attrs = "broadcast_dimensions: i64 list?, comparison_direction: comparison direction, "
              "compare_type: comparison type?",
     .traits = ECHO_PURE,
     .infer = echo_chlo_infer_broadcast_compare,
     TEXT(functional),
     .summary = "Broadcast, then compare"},
    {.name = "chlo.broadcast_select",
     .operands = "pred: tensor of predicates, on_true: " ANY ", on_false: " ANY,
     .results = "result: " ANY,
     .traits = ECHO_PURE,
     .infer = echo_chlo_infer_broadcast_select,
     TEXT(functional),
     .summary = "Broadcast, then select"},
    {.name = "chlo.constant",
     .results = "output: statically shaped tensor",
     .attrs = "value: elements",
     .traits = ECHO_PURE | ECHO_CONSTANT | ECHO_EXACT,
     .infer = echo_hlo_infer_constant,
     .evaluate = echo_hlo_evaluate_constant,
     .parse = echo_hlo_parse_constant,
     .print = echo_hlo_print_constant,
     .summary = "Constant"},
    {.name = "chlo.constant_like",
     .operands = "operand: " ANY,
     .results = "result: " ANY,
     .attrs = "value: any",
     .traits = ECHO_PURE,
     .infer = echo_chlo_infer_constant_like,
     .evaluate = echo_chlo_evaluate_constant_like,
     .summary = "The operand's shape filled with one value"},
    {.name = "chlo.ragged_dot",
     .operands = "lhs: " ANY ", rhs: " ANY ", group_sizes: tensor of integers",
     .results = "result: " ANY,
     .attrs = "ragged_dot_dimension_numbers: ragged dot dimension numbers, "
              "precision_config: precision config?",
     .traits = ECHO_PURE | ECHO_HEAVY,
     .verify = echo_chlo_verify_ragged_dot,
     .evaluate = echo_chlo_evaluate_ragged_dot,
     .summary = "Contraction by groups of rows"},
    {.name = "chlo.scan",
     .operands = "inputs: " ANY "*, inits: " ANY "*",
     .results = "outputs: " ANY "*, carries: " ANY "*",
     .attrs = "dimension: non-negative i64, scan_dim_size: non-negative i64?, is_reverse: bool?, "
              "is_associative: bool?, operandSegmentSizes: array<i32>, "
              "resultSegmentSizes: array<i32>",
     .n_regions = 1,
     .traits = ECHO_ISOLATED | ECHO_RECURSIVE_EFFECTS | ECHO_LOOP,
     .verify = echo_chlo_verify_scan,
     .evaluate = echo_chlo_evaluate_scan,
     .parse = echo_chlo_parse_scan,
     .print = echo_chlo_print_scan,
     .name_values = echo_chlo_name_scan,
     .summary = "Elements combined one after the other, each step kept"},
    {.name = "chlo.top_k",
     .operands = "operand: " ANY,
     .results = "values: " ANY ", indices: " ANY,
     .attrs = "k: i64, is_stable: bool?",
     .traits = ECHO_PURE,
     .infer = echo_chlo_infer_top_k,
     .evaluate = echo_chlo_evaluate_top_k,
     .parse = echo_chlo_parse_top_k,
     .print = echo_chlo_print_top_k,
     .name_values = echo_hlo_name_results,
     .summary = "The k largest elements of the last dimension, and where they are"},
};

const EchoDialect ECHO_CHLO_DIALECT = {
    .name = "chlo",
    .summary = "client operations over StableHLO",
    .ops = OPS,
    .n_ops = sizeof OPS / sizeof *OPS,
    .type_constraints = ECHO_HLO_TYPE_CONSTRAINTS,
    .attr_constraints = ECHO_HLO_ATTR_CONSTRAINTS,
    .parse_attr = echo_hlo_parse_attr,
    .canonical_attr = echo_hlo_canonical_attr,
};
