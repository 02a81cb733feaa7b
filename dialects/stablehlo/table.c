/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The stablehlo rows: StableHLO's ops with their names, attributes and semantics. Rows stand in the
 * order of their opcodes.
 *
 * Legend of the macros:
 *   OP(OPCODE, "name", operands, results, attrs, n_regions, traits, summary, …)   … = hooks, by
 * designated initialisers TEXT(form)                parse and print by one pretty form; without it
 * an op has the generic form only EVALUATE(name) …           a hook of hooks.h; INFER and VERIFY:
 * of infer_t.h Ops without an infer hook have results that operands do not decide (reshape,
 * convert, …); their verify hook compares. */
#include "dialects/dialects.h"
#include "dialects/stablehlo/hooks.h"
#include "dialects/stablehlo/infer/infer_t.h"
#include "dialects/stablehlo/text/text_t.h"

#define OP(OPCODE, op_name, in, out, attributes, regions, trait_bits, ...)                         \
  [ECHO_HLO_##OPCODE] = {.name = "stablehlo." op_name,                                             \
                         .operands = in,                                                           \
                         .results = out,                                                           \
                         .attrs = attributes,                                                      \
                         .n_regions = regions,                                                     \
                         .traits = trait_bits,                                                     \
                         .fold = echo_hlo_fold,                                                    \
                         .summary = __VA_ARGS__}

#define TEXT(form) .parse = echo_hlo_parse_##form, .print = echo_hlo_print_##form
#define INFER(name) .infer = echo_hlo_infer_##name
#define VERIFY(name) .verify = echo_hlo_verify_##name
#define EVALUATE(name) .evaluate = echo_hlo_evaluate_##name
#define GRADIENT(name) .differentiate = echo_hlo_differentiate_##name
#define NO_GRADIENT .differentiate = echo_hlo_differentiate_zero
#define EMIT(name) .emit_element = echo_hlo_emit_##name
#define COST(name) .cost = echo_hlo_cost_##name

/* ---- elementwise ---- */

#define MAP (ECHO_PURE | ECHO_ELEMENTWISE)
#define EXACT_MAP (MAP | ECHO_EXACT)
#define MAP_HOOKS(name) EVALUATE(name), EMIT(name), COST(elementwise)

#define ACCURACY "result_accuracy: result accuracy?"

/* One operand, result of the same type. */
#define UNARY(OPCODE, op_name, type, attributes, trait_bits, text)                                 \
  OP(OPCODE, op_name, "operand: " type, "result: " type, attributes, 0, trait_bits, text,          \
     INFER(same_type), TEXT(unary), MAP_HOOKS(unary), GRADIENT(unary))
#define BINARY(OPCODE, op_name, type, trait_bits, text)                                            \
  OP(OPCODE, op_name, "lhs: " type ", rhs: " type, "result: " type, NULL, 0, trait_bits, text,     \
     INFER(same_type), TEXT(binary), MAP_HOOKS(binary), GRADIENT(binary))

#define NUMBERS "tensor of numbers"
#define ARITHMETIC "tensor of numbers other than predicates"
#define FLOATS "tensor of floats"
#define FLOAT_OR_COMPLEX "tensor of float or complex"
#define INTEGERS "tensor of integers"
#define BITS "tensor of predicates or integers"
#define PREDICATES "tensor of predicates"
#define VALUES "tensor or token or buffer"

#define TRANSCENDENTAL(OPCODE, op_name, text)                                                      \
  UNARY(OPCODE, op_name, FLOAT_OR_COMPLEX, ACCURACY, MAP, text)

/* ---- movement ---- */

#define MOVE (ECHO_PURE | ECHO_MOVEMENT | ECHO_EXACT)
#define MOVE_HOOKS(name) EVALUATE(name), EMIT(name), GRADIENT(name), COST(movement)

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
    OP(ABS, "abs", "operand: tensor of signed numbers", "result: tensor of signed real numbers",
       NULL, 0, EXACT_MAP | ECHO_IDEMPOTENT, "Absolute value; of a complex number, its length",
       INFER(real), TEXT(unary), MAP_HOOKS(unary), GRADIENT(unary)),
    TRANSCENDENTAL(CBRT, "cbrt", "Cube root"),
    UNARY(CEIL, "ceil", FLOATS, NULL, EXACT_MAP | ECHO_IDEMPOTENT, "Least integer not below"),
    OP(CONVERT, "convert", "operand: tensor of unquantized numbers",
       "result: tensor of unquantized numbers", NULL, 0, EXACT_MAP,
       "Conversion between element types", VERIFY(same_shape), TEXT(unary), MAP_HOOKS(convert),
       GRADIENT(convert)),
    TRANSCENDENTAL(COSINE, "cosine", "Cosine"),
    UNARY(COUNT_LEADING_ZEROS, "count_leading_zeros", INTEGERS, NULL, EXACT_MAP,
          "Number of zero bits above the highest one"),
    TRANSCENDENTAL(EXPONENTIAL, "exponential", "e to the power of the operand"),
    TRANSCENDENTAL(EXPONENTIAL_MINUS_ONE, "exponential_minus_one", "exp(x) - 1, exact near 0"),
    UNARY(FLOOR, "floor", FLOATS, NULL, EXACT_MAP | ECHO_IDEMPOTENT, "Greatest integer not above"),
    OP(IMAG, "imag", "operand: " FLOAT_OR_COMPLEX, "result: " FLOATS, NULL, 0, EXACT_MAP,
       "Imaginary part", INFER(real), TEXT(unary), MAP_HOOKS(unary), GRADIENT(unary)),
    OP(IS_FINITE, "is_finite", "x: " FLOATS, "y: " PREDICATES, NULL, 0, EXACT_MAP,
       "Neither infinite nor NaN", INFER(pred), TEXT(functional), MAP_HOOKS(unary), NO_GRADIENT),
    TRANSCENDENTAL(LOG, "log", "Natural logarithm"),
    TRANSCENDENTAL(LOG_PLUS_ONE, "log_plus_one", "log(x + 1), exact near 0"),
    TRANSCENDENTAL(LOGISTIC, "logistic", "1 / (1 + exp(-x))"),
    UNARY(NEGATE, "negate", ARITHMETIC, NULL, EXACT_MAP | ECHO_INVOLUTION, "Negation"),
    UNARY(NOT, "not", BITS, NULL, EXACT_MAP | ECHO_INVOLUTION, "Bitwise or logical not"),
    UNARY(POPCNT, "popcnt", INTEGERS, NULL, EXACT_MAP, "Number of one bits"),
    OP(REAL, "real", "operand: " FLOAT_OR_COMPLEX, "result: " FLOATS, NULL, 0, EXACT_MAP,
       "Real part", INFER(real), TEXT(unary), MAP_HOOKS(unary), GRADIENT(unary)),
    UNARY(ROUND_NEAREST_AFZ, "round_nearest_afz", FLOATS, NULL, EXACT_MAP | ECHO_IDEMPOTENT,
          "Nearest integer, ties away from zero"),
    UNARY(ROUND_NEAREST_EVEN, "round_nearest_even", FLOATS, NULL, EXACT_MAP | ECHO_IDEMPOTENT,
          "Nearest integer, ties to even"),
    TRANSCENDENTAL(RSQRT, "rsqrt", "Reciprocal of the square root"),
    UNARY(SIGN, "sign", "tensor of signed numbers", NULL, EXACT_MAP,
          "-1, 0 or 1; of a complex number, its direction"),
    TRANSCENDENTAL(SINE, "sine", "Sine"),
    UNARY(SQRT, "sqrt", FLOAT_OR_COMPLEX, ACCURACY, EXACT_MAP, "Square root, correctly rounded"),
    TRANSCENDENTAL(TAN, "tan", "Tangent"),
    TRANSCENDENTAL(TANH, "tanh", "Hyperbolic tangent"),

    BINARY(ADD, "add", NUMBERS, EXACT_MAP | ECHO_COMMUTATIVE, "Sum; of predicates, or"),
    BINARY(AND, "and", BITS, EXACT_MAP | ECHO_COMMUTATIVE | ECHO_IDEMPOTENT,
           "Bitwise or logical and"),
    BINARY(ATAN2, "atan2", FLOAT_OR_COMPLEX, MAP, "Angle of the point (rhs, lhs)"),
    OP(COMPLEX, "complex", "lhs: tensor of f32 or f64, rhs: tensor of f32 or f64",
       "result: tensor of complex", NULL, 0, EXACT_MAP, "Complex number from its parts",
       INFER(complex), TEXT(complex), MAP_HOOKS(binary), GRADIENT(binary)),
    BINARY(DIVIDE, "divide", ARITHMETIC, EXACT_MAP, "Quotient; of integers, towards zero"),
    BINARY(MAXIMUM, "maximum", NUMBERS, EXACT_MAP | ECHO_COMMUTATIVE | ECHO_IDEMPOTENT,
           "Larger one; NaN if any is"),
    BINARY(MINIMUM, "minimum", NUMBERS, EXACT_MAP | ECHO_COMMUTATIVE | ECHO_IDEMPOTENT,
           "Smaller one; NaN if any is"),
    BINARY(MULTIPLY, "multiply", NUMBERS, EXACT_MAP | ECHO_COMMUTATIVE,
           "Product; of predicates, and"),
    BINARY(OR, "or", BITS, EXACT_MAP | ECHO_COMMUTATIVE | ECHO_IDEMPOTENT, "Bitwise or logical or"),
    BINARY(POWER, "power", ARITHMETIC, MAP, "lhs to the power of rhs"),
    BINARY(REMAINDER, "remainder", ARITHMETIC, EXACT_MAP, "Remainder with the sign of lhs"),
    BINARY(SHIFT_LEFT, "shift_left", INTEGERS, EXACT_MAP, "Shift to the left"),
    BINARY(SHIFT_RIGHT_ARITHMETIC, "shift_right_arithmetic", INTEGERS, EXACT_MAP,
           "Shift to the right that keeps the sign"),
    BINARY(SHIFT_RIGHT_LOGICAL, "shift_right_logical", INTEGERS, EXACT_MAP,
           "Shift to the right that fills with zeros"),
    BINARY(SUBTRACT, "subtract", ARITHMETIC, EXACT_MAP, "Difference"),
    BINARY(XOR, "xor", BITS, EXACT_MAP | ECHO_COMMUTATIVE, "Bitwise or logical exclusive or"),

    OP(BITCAST_CONVERT, "bitcast_convert", "operand: " NUMBERS, "result: " NUMBERS, NULL, 0, MOVE,
       "The same bits as another element type", VERIFY(bitcast_convert), TEXT(functional),
       EVALUATE(bitcast_convert), EMIT(bitcast_convert), NO_GRADIENT, COST(movement)),
    OP(CLAMP, "clamp", "min: " NUMBERS ", operand: " NUMBERS ", max: " NUMBERS, "result: " NUMBERS,
       NULL, 0, EXACT_MAP, "Operand brought between two bounds", INFER(clamp), TEXT(ternary),
       MAP_HOOKS(clamp), GRADIENT(clamp)),
    OP(COMPARE, "compare", "lhs: " NUMBERS ", rhs: " NUMBERS, "result: " PREDICATES,
       "comparison_direction: comparison direction, compare_type: comparison type?", 0, EXACT_MAP,
       "Comparison", INFER(pred), TEXT(compare), MAP_HOOKS(compare), NO_GRADIENT),
    OP(REDUCE_PRECISION, "reduce_precision", "operand: " FLOATS, "output: " FLOATS,
       "exponent_bits: positive i32, mantissa_bits: non-negative i32", 0, EXACT_MAP,
       "Rounding through a smaller float format", INFER(same_type), TEXT(reduce_precision),
       MAP_HOOKS(reduce_precision), GRADIENT(reduce_precision)),
    OP(SELECT, "select", "pred: " PREDICATES ", on_true: " NUMBERS ", on_false: " NUMBERS,
       "result: " NUMBERS, NULL, 0, EXACT_MAP, "One of two values, by a predicate", INFER(select),
       TEXT(select), MAP_HOOKS(select), GRADIENT(select)),
    OP(UNIFORM_DEQUANTIZE, "uniform_dequantize", "operand: tensor of quantized numbers",
       "result: " FLOATS, NULL, 0, MAP, "Quantized to float", VERIFY(same_shape), TEXT(unary)),
    OP(UNIFORM_QUANTIZE, "uniform_quantize", "operand: " FLOATS,
       "result: tensor of quantized numbers", NULL, 0, MAP, "Float or quantized to quantized",
       VERIFY(same_shape), TEXT(unary)),

    OP(BROADCAST, "broadcast", "operand: " NUMBERS, "result: " NUMBERS, "broadcast_sizes: i64 list",
       0, MOVE, "New leading dimensions", INFER(broadcast), TEXT(broadcast), MOVE_HOOKS(broadcast)),
    OP(BROADCAST_IN_DIM, "broadcast_in_dim", "operand: " NUMBERS,
       "result: statically shaped or bounded tensor", "broadcast_dimensions: i64 list", 0, MOVE,
       "Operand repeated along new or stretched dimensions", VERIFY(broadcast_in_dim),
       TEXT(broadcast_in_dim), MOVE_HOOKS(broadcast_in_dim)),
    OP(CONCATENATE, "concatenate", "inputs: " NUMBERS "*", "result: " NUMBERS,
       "dimension: non-negative i64", 0, MOVE, "Operands one behind the other in a dimension",
       INFER(concatenate), TEXT(concatenate), MOVE_HOOKS(concatenate)),
    OP(CONSTANT, "constant", NULL, "output: statically shaped tensor", "value: elements", 0,
       ECHO_PURE | ECHO_CONSTANT | ECHO_EXACT, "Constant", INFER(constant), TEXT(constant),
       EVALUATE(constant), EMIT(constant), NO_GRADIENT, COST(movement),
       .name_values = echo_hlo_name_constant),
    OP(DYNAMIC_BROADCAST_IN_DIM, "dynamic_broadcast_in_dim",
       "operand: " NUMBERS ", output_dimensions: 1-dimensional tensor of integers",
       "result: " NUMBERS,
       "broadcast_dimensions: i64 list, known_expanding_dimensions: i64 list?, "
       "known_nonexpanding_dimensions: i64 list?",
       0, ECHO_PURE | ECHO_MOVEMENT, "broadcast_in_dim to a shape that is an operand",
       VERIFY(dynamic_broadcast_in_dim), TEXT(dynamic_broadcast_in_dim)),
    OP(DYNAMIC_GATHER, "dynamic_gather",
       "operand: " NUMBERS ", start_indices: " INTEGERS
       ", slice_sizes: 1-dimensional tensor of integers",
       "result: " NUMBERS, "dimension_numbers: gather dimension numbers, indices_are_sorted: bool?",
       0, ECHO_PURE | ECHO_MOVEMENT, "gather with slice sizes that are an operand",
       VERIFY(dynamic_gather)),
    OP(DYNAMIC_IOTA, "dynamic_iota", "output_shape: 1-dimensional tensor of integers",
       "result: " NUMBERS, "iota_dimension: non-negative i64", 0, ECHO_PURE,
       "iota of a shape that is an operand", VERIFY(dynamic_iota), TEXT(dynamic_iota)),
    OP(DYNAMIC_PAD, "dynamic_pad",
       "operand: " NUMBERS ", padding_value: scalar tensor, "
       "edge_padding_low: 1-dimensional tensor of integers, "
       "edge_padding_high: 1-dimensional tensor of integers, "
       "interior_padding: 1-dimensional tensor of integers",
       "result: " NUMBERS, NULL, 0, ECHO_PURE | ECHO_MOVEMENT, "pad by amounts that are operands",
       VERIFY(dynamic_pad), TEXT(functional)),
    OP(DYNAMIC_RESHAPE, "dynamic_reshape",
       "operand: " NUMBERS ", output_shape: 1-dimensional tensor of integers", "result: " NUMBERS,
       NULL, 0, ECHO_PURE | ECHO_MOVEMENT, "reshape to a shape that is an operand",
       VERIFY(dynamic_reshape), TEXT(functional)),
    OP(DYNAMIC_SLICE, "dynamic_slice",
       "operand: " NUMBERS ", start_indices: scalar tensor of integers*", "result: " NUMBERS,
       "slice_sizes: i64 list", 0, MOVE, "Slice that starts where operands say",
       INFER(dynamic_slice), TEXT(dynamic_slice), MOVE_HOOKS(dynamic_slice)),
    OP(DYNAMIC_UPDATE_SLICE, "dynamic_update_slice",
       "operand: " NUMBERS ", update: " NUMBERS ", start_indices: scalar tensor of integers*",
       "result: " NUMBERS, NULL, 0, MOVE, "Operand with a slice replaced",
       INFER(dynamic_update_slice), TEXT(functional), MOVE_HOOKS(dynamic_update_slice)),
    OP(GATHER, "gather", "operand: " NUMBERS ", start_indices: " INTEGERS, "result: " NUMBERS,
       "dimension_numbers: gather dimension numbers, slice_sizes: i64 list, "
       "indices_are_sorted: bool?",
       0, MOVE, "Slices at places that an operand lists", INFER(gather), EVALUATE(gather),
       EMIT(gather), GRADIENT(gather), COST(gather)),
    OP(GET_DIMENSION_SIZE, "get_dimension_size", "operand: " NUMBERS, "result: tensor of i32",
       "dimension: non-negative i64", 0, ECHO_PURE | ECHO_EXACT, "Size of a dimension",
       INFER(get_dimension_size), TEXT(get_dimension_size), EVALUATE(get_dimension_size),
       EMIT(get_dimension_size), NO_GRADIENT),
    OP(IOTA, "iota", NULL, "output: statically shaped tensor", "iota_dimension: non-negative i64",
       0, ECHO_PURE | ECHO_EXACT, "Index along a dimension", VERIFY(iota), TEXT(iota),
       EVALUATE(iota), EMIT(iota), NO_GRADIENT, COST(movement)),
    OP(PAD, "pad", "operand: " NUMBERS ", padding_value: scalar tensor", "result: " NUMBERS,
       "edge_padding_low: i64 list, edge_padding_high: i64 list, interior_padding: i64 list", 0,
       MOVE, "Operand with values around and between its elements", INFER(pad), TEXT(pad),
       MOVE_HOOKS(pad)),
    OP(REAL_DYNAMIC_SLICE, "real_dynamic_slice",
       "operand: " NUMBERS ", start_indices: 1-dimensional tensor of integers, "
       "limit_indices: 1-dimensional tensor of integers, "
       "strides: 1-dimensional tensor of integers",
       "result: " NUMBERS, NULL, 0, ECHO_PURE | ECHO_MOVEMENT,
       "slice between bounds that are operands", VERIFY(real_dynamic_slice), TEXT(functional)),
    OP(RESHAPE, "reshape", "operand: " NUMBERS, "result: statically shaped or bounded tensor", NULL,
       0, MOVE, "The same elements in another shape", VERIFY(reshape), TEXT(functional),
       EVALUATE(reshape), EMIT(reshape), GRADIENT(reshape), COST(free)),
    OP(REVERSE, "reverse", "operand: " NUMBERS, "result: " NUMBERS, "dimensions: i64 list", 0, MOVE,
       "Elements in reverse order along dimensions", INFER(reverse), TEXT(reverse),
       MOVE_HOOKS(reverse)),
    OP(SCATTER, "scatter", "inputs_indices_and_updates: " NUMBERS "*", "results: " NUMBERS "*",
       "scatter_dimension_numbers: scatter dimension numbers, indices_are_sorted: bool?, "
       "unique_indices: bool?",
       1, WITH_BODY, "Inputs with slices combined into places that an operand lists",
       INFER(scatter), VERIFY(regions), EVALUATE(scatter), GRADIENT(scatter), COST(scatter)),
    OP(SET_DIMENSION_SIZE, "set_dimension_size", "operand: " NUMBERS ", size: tensor of i32",
       "result: " NUMBERS, "dimension: non-negative i64", 0, ECHO_PURE,
       "Operand with a bounded dimension's size set", INFER(set_dimension_size),
       TEXT(set_dimension_size)),
    OP(SLICE, "slice", "operand: " NUMBERS, "result: " NUMBERS,
       "start_indices: i64 list, limit_indices: i64 list, strides: i64 list", 0, MOVE,
       "Elements between bounds, with a stride", INFER(slice), TEXT(slice), MOVE_HOOKS(slice)),
    OP(TORCH_INDEX_SELECT, "torch_index_select", "operand: " NUMBERS ", index: " NUMBERS,
       "result: " NUMBERS, "dim: i64, batch_dims: i64", 0, ECHO_PURE | ECHO_MOVEMENT,
       "Slices picked along a dimension (PyTorch)"),
    OP(TRANSPOSE, "transpose", "operand: " NUMBERS, "result: " NUMBERS, "permutation: i64 list", 0,
       MOVE, "Dimensions in another order", INFER(transpose), TEXT(transpose),
       MOVE_HOOKS(transpose)),

    OP(BATCH_NORM_GRAD, "batch_norm_grad",
       "operand: " FLOATS ", scale: 1-dimensional tensor of floats, "
       "mean: 1-dimensional tensor of floats, variance: 1-dimensional tensor of floats, "
       "grad_output: " FLOATS,
       "grad_operand: " FLOATS ", grad_scale: 1-dimensional tensor of floats, "
       "grad_offset: 1-dimensional tensor of floats",
       BATCH_NORM, 0, ECHO_PURE, "Gradients of batch normalization", INFER(batch_norm_grad),
       EVALUATE(batch_norm_grad), GRADIENT(batch_norm_grad), COST(batch_norm),
       .name_values = echo_hlo_name_results),
    OP(BATCH_NORM_INFERENCE, "batch_norm_inference",
       "operand: " FLOATS ", scale: 1-dimensional tensor of floats, "
       "offset: 1-dimensional tensor of floats, mean: 1-dimensional tensor of floats, "
       "variance: 1-dimensional tensor of floats",
       "result: " FLOATS, BATCH_NORM, 0, ECHO_PURE, "Batch normalization with given statistics",
       INFER(batch_norm_inference), EVALUATE(batch_norm_inference), GRADIENT(batch_norm_inference),
       COST(batch_norm)),
    OP(BATCH_NORM_TRAINING, "batch_norm_training",
       "operand: " FLOATS ", scale: 1-dimensional tensor of floats, "
       "offset: 1-dimensional tensor of floats",
       "output: " FLOATS ", batch_mean: 1-dimensional tensor of floats, "
       "batch_var: 1-dimensional tensor of floats",
       BATCH_NORM, 0, ECHO_PURE, "Batch normalization with the batch's statistics",
       INFER(batch_norm_training), EVALUATE(batch_norm_training), GRADIENT(batch_norm_training),
       COST(batch_norm), .name_values = echo_hlo_name_results),
    OP(CHOLESKY, "cholesky", "a: " FLOAT_OR_COMPLEX, "result: " FLOAT_OR_COMPLEX, "lower: bool?", 0,
       ECHO_PURE, "Cholesky factor of positive definite matrices", INFER(cholesky), TEXT(cholesky)),
    OP(CONVOLUTION, "convolution", "lhs: " NUMBERS ", rhs: " NUMBERS, "result: " NUMBERS,
       "window_strides: i64 list?, padding: i64 elements?, " CONVOLUTION, 0, ECHO_PURE | ECHO_HEAVY,
       "Convolution", VERIFY(contraction), TEXT(convolution), EVALUATE(convolution),
       GRADIENT(convolution), COST(convolution)),
    OP(DOT, "dot", "lhs: " NUMBERS ", rhs: " NUMBERS, "result: " NUMBERS,
       "precision_config: precision config?", 0, ECHO_PURE | ECHO_HEAVY,
       "Product of vectors and matrices", VERIFY(contraction), TEXT(dot), EVALUATE(dot),
       GRADIENT(dot), COST(dot_general)),
    OP(DOT_GENERAL, "dot_general", "lhs: " NUMBERS ", rhs: " NUMBERS, "result: " NUMBERS,
       "dot_dimension_numbers: dot dimension numbers, precision_config: precision config?, "
       "algorithm: dot algorithm?",
       0, ECHO_PURE | ECHO_HEAVY, "Contraction with batching dimensions", VERIFY(contraction),
       TEXT(dot_general), EVALUATE(dot_general), GRADIENT(dot_general), COST(dot_general)),
    OP(DYNAMIC_CONV, "dynamic_conv", "lhs: " NUMBERS ", rhs: " NUMBERS ", padding: " INTEGERS,
       "result: " NUMBERS, "window_strides: i64 list?, " CONVOLUTION, 0, ECHO_PURE | ECHO_HEAVY,
       "Convolution with a padding that is an operand", VERIFY(dynamic_conv)),
    OP(EINSUM, "einsum", "lhs: " NUMBERS ", rhs: " NUMBERS, "result: " NUMBERS,
       "einsum_config: string", 0, ECHO_PURE, "Contraction by an equation", TEXT(einsum)),
    OP(FFT, "fft", "operand: " FLOAT_OR_COMPLEX, "result: " FLOAT_OR_COMPLEX,
       "fft_type: fft type, fft_length: i64 list", 0, ECHO_PURE, "Fourier transform", INFER(fft),
       TEXT(fft)),
    OP(MAP, "map", "inputs: " NUMBERS "*", "result: " NUMBERS, "dimensions: i64 list", 1, WITH_BODY,
       "A scalar computation on each element", INFER(map), VERIFY(regions), EVALUATE(map),
       GRADIENT(map)),
    OP(REDUCE, "reduce", "inputs_and_init_values: " NUMBERS "*", "results: " NUMBERS "*",
       "dimensions: i64 list", 1, WITH_BODY | ECHO_REDUCTION, "Elements combined along dimensions",
       INFER(reduce), VERIFY(regions), TEXT(reduce), EVALUATE(reduce), GRADIENT(reduce),
       COST(reduce)),
    OP(REDUCE_WINDOW, "reduce_window", "inputs_and_init_values: " NUMBERS "*",
       "results: " NUMBERS "*", "window_dimensions: i64 list, " WINDOW, 1,
       WITH_BODY | ECHO_REDUCTION, "Elements combined in sliding windows", INFER(reduce_window),
       VERIFY(regions), EVALUATE(reduce_window), GRADIENT(reduce_window), COST(reduce_window)),
    OP(RNG, "rng", "a: scalar tensor, b: scalar tensor, shape: 1-dimensional tensor of integers",
       "result: tensor of real numbers", "rng_distribution: rng distribution", 0, ECHO_SIDE_EFFECTS,
       "Random numbers from a state that nobody sees", VERIFY(rng), TEXT(rng)),
    OP(RNG_BIT_GENERATOR, "rng_bit_generator", "initial_state: tensor of integers or floats",
       "output_state: tensor of integers or floats, output: statically shaped tensor",
       "rng_algorithm: rng algorithm", 0, ECHO_PURE, "Random bits and the next state",
       VERIFY(rng_bit_generator), TEXT(rng_bit_generator), EVALUATE(rng_bit_generator), NO_GRADIENT,
       COST(rng_bit_generator), .name_values = echo_hlo_name_results),
    OP(SELECT_AND_SCATTER, "select_and_scatter",
       "operand: " NUMBERS ", source: " NUMBERS ", init_value: " NUMBERS, "result: " NUMBERS,
       "window_dimensions: i64 list?, window_strides: i64 list?, padding: i64 elements?", 2,
       WITH_BODY, "Values scattered to the element that each window selects",
       INFER(select_and_scatter), VERIFY(regions), EVALUATE(select_and_scatter),
       GRADIENT(select_and_scatter), COST(select_and_scatter)),
    OP(SORT, "sort", "inputs: " NUMBERS "*", "results: " NUMBERS "*",
       "dimension: i64?, is_stable: bool?", 1, WITH_BODY, "Inputs sorted along a dimension",
       INFER(sort), VERIFY(regions), EVALUATE(sort), GRADIENT(sort), COST(sort)),
    OP(TRIANGULAR_SOLVE, "triangular_solve", "a: " FLOAT_OR_COMPLEX ", b: " FLOAT_OR_COMPLEX,
       "result: " FLOAT_OR_COMPLEX,
       "left_side: bool, lower: bool, unit_diagonal: bool, transpose_a: transpose", 0, ECHO_PURE,
       "Solution of triangular systems", INFER(triangular_solve)),
    OP(UNARY_EINSUM, "unary_einsum", "operand: " NUMBERS, "result: " NUMBERS,
       "einsum_config: string", 0, ECHO_PURE, "Rearrangement by an equation", TEXT(unary_einsum)),

    OP(AFTER_ALL, "after_all", "inputs: token*", "result: token", NULL, 0, ECHO_PURE,
       "Token that follows all operands", INFER(after_all), TEXT(after_all)),
    OP(CASE, "case", "index: tensor of i32", "results: " VALUES "*", NULL, ECHO_VARIADIC, WITH_BODY,
       "One of several branches, by index", INFER(branches), EVALUATE(case), GRADIENT(case),
       COST(control_flow)),
    OP(COMPOSITE, "composite", "inputs: tensor or token or tuple or buffer*",
       "results: tensor or token or tuple or buffer*",
       "name: string, composite_attributes: dict?, decomposition: symbol, version: i32?",
       ECHO_VARIADIC, ECHO_SIDE_EFFECTS, "Named op made of others", VERIFY(composite),
       TEXT(composite), EVALUATE(composite)),
    OP(CREATE_TOKEN, "create_token", NULL, "output: token", NULL, 0, ECHO_PURE, "New token",
       INFER(after_all), TEXT(results)),
    OP(CUSTOM_CALL, "custom_call", "inputs: tensor or token or tuple or buffer*",
       "results: tensor or token or tuple or buffer*",
       "call_target_name: string, has_side_effect: bool?, backend_config: backend config?, "
       "api_version: api version?, called_computations: symbol list?, operand_layouts: array?, "
       "result_layouts: array?, output_operand_aliases: output operand aliases?, "
       "result_tilings: array?",
       0, ECHO_SIDE_EFFECTS, "Call of a function that is known by name", VERIFY(custom_call),
       TEXT(custom_call), EVALUATE(custom_call)),
    OP(GET_TUPLE_ELEMENT, "get_tuple_element", "operand: tuple",
       "result: tensor or token or tuple or buffer", "index: non-negative i32", 0, ECHO_PURE,
       "Element of a tuple", INFER(get_tuple_element), TEXT(get_tuple_element)),
    OP(IF, "if", "pred: " PREDICATES, "results: " VALUES "*", NULL, 2, WITH_BODY,
       "One of two branches, by predicate", INFER(branches), EVALUATE(if), GRADIENT(if),
       COST(control_flow)),
    OP(OPTIMIZATION_BARRIER, "optimization_barrier", "operand: tensor or token*",
       "result: tensor or token*", NULL, 0, ECHO_PURE | ECHO_BARRIER,
       "Values that nothing may be moved past", INFER(pairwise), TEXT(optimization_barrier),
       EVALUATE(optimization_barrier), EMIT(optimization_barrier), GRADIENT(optimization_barrier),
       COST(free)),
    OP(RETURN, "return", "results: " VALUES "*", NULL, NULL, 0,
       ECHO_PURE | ECHO_TERMINATOR | ECHO_RETURN_LIKE, "End of a region", TEXT(return )),
    OP(TUPLE, "tuple", "val: tensor or token or tuple or buffer*", "result: tuple", NULL, 0,
       ECHO_PURE, "Tuple of values", INFER(tuple), TEXT(tuple), COST(free)),
    OP(WHILE, "while", "operand: " VALUES "*", "results: " VALUES "*", NULL, 2,
       WITH_BODY | ECHO_LOOP, "Loop while a condition holds", INFER(while), VERIFY(regions),
       TEXT(while), EVALUATE(while), GRADIENT(while), COST(control_flow),
       .name_values = echo_hlo_name_while),

    OP(ALL_GATHER, "all_gather", "operands: " NUMBERS "*", "results: " NUMBERS "*",
       "all_gather_dim: non-negative i64, " GROUPS ", use_global_device_ids: unit?", 0,
       ECHO_SIDE_EFFECTS, "Values of all processes, concatenated", VERIFY(all_gather)),
    OP(ALL_REDUCE, "all_reduce", "operands: " NUMBERS "*", "results: " NUMBERS "*",
       GROUPS ", use_global_device_ids: unit?", 1, ECHO_SIDE_EFFECTS | ECHO_SINGLE_BLOCK,
       "Values of all processes, combined", INFER(collective), VERIFY(regions)),
    OP(ALL_TO_ALL, "all_to_all", "operands: " NUMBERS "*", "results: " NUMBERS "*",
       "split_dimension: non-negative i64, concat_dimension: non-negative i64, "
       "split_count: positive i64, " GROUPS,
       0, ECHO_SIDE_EFFECTS, "Pieces exchanged between processes", INFER(all_to_all)),
    OP(ASYNC_DONE, "async_done", "operand: future", "result: " NUMBERS, NULL, 0, ECHO_SIDE_EFFECTS,
       "Waits for what async_start started"),
    OP(ASYNC_START, "async_start", "operands: " NUMBERS "*", "result: future", NULL, 1,
       ECHO_SIDE_EFFECTS | ECHO_SINGLE_BLOCK, "Starts what its region says"),
    OP(COLLECTIVE_BROADCAST, "collective_broadcast", "operands: " NUMBERS "*",
       "results: " NUMBERS "*", GROUPS ", has_dynamic_root: unit?", 0, ECHO_SIDE_EFFECTS,
       "Value of the first process of each group", INFER(collective)),
    OP(COLLECTIVE_PERMUTE, "collective_permute", "operand: " NUMBERS, "result: " NUMBERS,
       "source_target_pairs: i64 elements, channel_handle: channel handle?", 0, ECHO_SIDE_EFFECTS,
       "Values sent from process to process", VERIFY(collective_permute)),
    OP(COLLECTIVE_REDUCE, "collective_reduce", "operands: " NUMBERS "*", "results: " NUMBERS "*",
       GROUPS ", use_global_device_ids: unit?, has_dynamic_root: unit?", 1,
       ECHO_SIDE_EFFECTS | ECHO_SINGLE_BLOCK, "Values of each group combined on one process",
       INFER(collective), VERIFY(regions)),
    OP(CROSS_REPLICA_SUM, "cross-replica-sum", "operand: " NUMBERS, "result: " NUMBERS,
       "replica_groups: i64 elements", 0, ECHO_SIDE_EFFECTS, "Sum over replicas", INFER(same_type)),
    OP(INFEED, "infeed", "token: token", "results: tensor or token or tuple or buffer*",
       "infeed_config: string?, layout: array?", 0, ECHO_SIDE_EFFECTS, "Data from the host"),
    OP(OUTFEED, "outfeed", "inputs_and_token: tensor or token*", "result: token",
       "outfeed_config: string?", 0, ECHO_SIDE_EFFECTS, "Data to the host", INFER(after_all)),
    OP(PARTITION_ID, "partition_id", NULL, "result: tensor of ui32", NULL, 0, ECHO_PURE,
       "Number of this partition", INFER(replica_id), TEXT(results)),
    OP(RECV, "recv", "token: token", "results: tensor or token or tuple or buffer*", TRANSFER, 0,
       ECHO_SIDE_EFFECTS, "Data from a channel"),
    OP(REDUCE_SCATTER, "reduce_scatter", "operand: " NUMBERS, "result: " NUMBERS,
       "scatter_dimension: non-negative i64, " GROUPS ", use_global_device_ids: unit?", 1,
       ECHO_SIDE_EFFECTS | ECHO_SINGLE_BLOCK, "Values of all processes, combined and split",
       VERIFY(reduce_scatter)),
    OP(REPLICA_ID, "replica_id", NULL, "result: tensor of ui32", NULL, 0, ECHO_PURE,
       "Number of this replica", INFER(replica_id), TEXT(results)),
    OP(SEND, "send", "inputs_and_token: tensor or token*", "result: token", TRANSFER, 0,
       ECHO_SIDE_EFFECTS, "Data to a channel", INFER(after_all)),
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

const EchoDialect ECHO_STABLEHLO_DIALECT = {
    .name = "stablehlo",
    .summary = "StableHLO: operations on tensors",
    .ops = ECHO_STABLEHLO_OPS,
    .n_ops = ECHO_N_HLO_OPCODES,
    .type_constraints = ECHO_HLO_TYPE_CONSTRAINTS,
    .attr_constraints = ECHO_HLO_ATTR_CONSTRAINTS,
    .parse_attr = echo_hlo_parse_attr,
    .canonical_attr = echo_hlo_canonical_attr,
    .materialize_constant = materialize_constant,
};
