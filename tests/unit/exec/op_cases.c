/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/unit/exec/op_cases.h"

const char *const OP_TYPES[N_OP_TYPES] = {"f64", "f32", "f16", "bf16", "i1",   "i8",  "i16",
                                          "i32", "i64", "ui8", "ui16", "ui32", "ui64"};

/* ---- texts ---- */

#define M "tensor<3x37x$T>"
#define UNARY_TEXT(op) "(%a: " M ") -> " M " {\n%0 = " op " %a : " M "\nreturn %0 : " M "\n}"
#define CHLO_UNARY_TEXT(op)                                                                        \
  "(%a: " M ") -> " M " {\n%0 = " op " %a : " M " -> " M "\nreturn %0 : " M "\n}"
#define BINARY_TEXT(op)                                                                            \
  "(%a: " M ", %b: " M ") -> " M " {\n%0 = " op " %a, %b : " M "\nreturn %0 : " M "\n}"
#define CHLO_BINARY_TEXT(op)                                                                       \
  "(%a: " M ", %b: " M ") -> " M " {\n%0 = " op " %a, %b : " M ", " M " -> " M "\nreturn %0 : " M  \
  "\n}"
/* Operand of another rank, whose one dimension is the result's last. */
#define CHLO_BROADCAST_TEXT(op, result)                                                            \
  "(%a: " M ", %b: tensor<37x$T>) -> " result " {\n%0 = " op " %a, %b : (" M                       \
  ", tensor<37x$T>) -> " result "\nreturn %0 : " result "\n}"
/* Bodies of two arguments. */
#define BODY(op)                                                                                   \
  "({\n^bb0(%x: tensor<$T>, %y: tensor<$T>):\n%r = stablehlo." op                                  \
  " %x, %y : tensor<$T>\nstablehlo.return %r : tensor<$T>\n})"
#define ONE(in, out, op) "(%a: " in ") -> " out " {\n" op "\nreturn %0 : " out "\n}"

/* ---- cases ---- */

#define EXACT1(name, accepted)                                                                     \
  {                                                                                                \
    .op = "stablehlo." name, .types = accepted, .text = UNARY_TEXT("stablehlo." name),             \
    .values = OP_SPECIAL                                                                           \
  }
#define EXACT2(name, accepted)                                                                     \
  {                                                                                                \
    .op = "stablehlo." name, .types = accepted, .text = BINARY_TEXT("stablehlo." name),            \
    .values = OP_SPECIAL                                                                           \
  }
/* Bounds: that of the expansion (lowering/math/expand_math_t.h) and one unit for the interpreter.
 */
#define FUNCTION(name, f64, f32, from, to)                                                         \
  {                                                                                                \
    .op = "stablehlo." name, .types = OP_FLOATS, .text = UNARY_TEXT("stablehlo." name),            \
    .f64_ulps = (f64) + 1, .f32_ulps = (f32) + 1, .half_ulps = 1, .low = from, .high = to,         \
    .values = OP_SPECIAL                                                                           \
  }
#define CHLO(name, f64, f32, half, from, to)                                                       \
  {                                                                                                \
    .op = "chlo." name, .types = OP_FLOATS, .text = CHLO_UNARY_TEXT("chlo." name),                 \
    .f64_ulps = (f64) + 1, .f32_ulps = (f32) + 1, .half_ulps = half, .low = from, .high = to,      \
    .values = OP_SPECIAL                                                                           \
  }
/* The second operand has one dimension, which is the first's last. The row takes more types than
 * the op that it stands for. */
#define CHLO_BROADCAST(name, taken, computed, f64, f32, half, ...)                                 \
  {                                                                                                \
    .op = "chlo.broadcast_" name, .types = taken, .refused = (taken) & ~(unsigned)(computed),      \
    .text = CHLO_BROADCAST_TEXT("chlo.broadcast_" name, M), .by_lowering = true, .f64_ulps = f64,  \
    .f32_ulps = f32, .half_ulps = half, __VA_ARGS__                                                \
  }
#define SPECIAL .values = OP_SPECIAL
#define AMOUNTS .int_low = 0, .int_high = 70

const OpCase OP_CASES[] = {
    /* elementwise */
    EXACT1("abs", OP_FLOATS | OP_SIGNED),
    FUNCTION("cbrt", 2, 0.51, -1e3, 1e3),
    EXACT1("ceil", OP_FLOATS),
    {.op = "stablehlo.convert",
     .types = OP_NUMBERS,
     .text = "(%a: " M ") -> (tensor<3x37xf64>, tensor<3x37xf32>, tensor<3x37xf16>, "
             "tensor<3x37xbf16>, tensor<3x37xi1>, tensor<3x37xi8>, tensor<3x37xi16>, "
             "tensor<3x37xi32>, tensor<3x37xi64>, tensor<3x37xui8>, tensor<3x37xui16>, "
             "tensor<3x37xui32>, tensor<3x37xui64>) {\n"
             "%0 = stablehlo.convert %a : (" M ") -> tensor<3x37xf64>\n"
             "%1 = stablehlo.convert %a : (" M ") -> tensor<3x37xf32>\n"
             "%2 = stablehlo.convert %a : (" M ") -> tensor<3x37xf16>\n"
             "%3 = stablehlo.convert %a : (" M ") -> tensor<3x37xbf16>\n"
             "%4 = stablehlo.convert %a : (" M ") -> tensor<3x37xi1>\n"
             "%5 = stablehlo.convert %a : (" M ") -> tensor<3x37xi8>\n"
             "%6 = stablehlo.convert %a : (" M ") -> tensor<3x37xi16>\n"
             "%7 = stablehlo.convert %a : (" M ") -> tensor<3x37xi32>\n"
             "%8 = stablehlo.convert %a : (" M ") -> tensor<3x37xi64>\n"
             "%9 = stablehlo.convert %a : (" M ") -> tensor<3x37xui8>\n"
             "%10 = stablehlo.convert %a : (" M ") -> tensor<3x37xui16>\n"
             "%11 = stablehlo.convert %a : (" M ") -> tensor<3x37xui32>\n"
             "%12 = stablehlo.convert %a : (" M ") -> tensor<3x37xui64>\n"
             "return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<3x37xf64>, "
             "tensor<3x37xf32>, tensor<3x37xf16>, tensor<3x37xbf16>, tensor<3x37xi1>, "
             "tensor<3x37xi8>, tensor<3x37xi16>, tensor<3x37xi32>, tensor<3x37xi64>, "
             "tensor<3x37xui8>, tensor<3x37xui16>, tensor<3x37xui32>, tensor<3x37xui64>\n}",
     .low = -300,
     .high = 300,
     .values = OP_SPECIAL},
    FUNCTION("cosine", 3, 0.51, -1e4, 1e4),
    EXACT1("count_leading_zeros", OP_INTEGERS),
    FUNCTION("exponential", 1, 1, -110, 100),
    FUNCTION("exponential_minus_one", 2, 2, -30, 80),
    EXACT1("floor", OP_FLOATS),
    EXACT1("imag", OP_FLOATS),
    {.op = "stablehlo.is_finite",
     .types = OP_FLOATS,
     .text = ONE(M, "tensor<3x37xi1>", "%0 = stablehlo.is_finite %a : (" M ") -> tensor<3x37xi1>"),
     .values = OP_SPECIAL},
    FUNCTION("log", 1, 1, 0, 1e3),
    FUNCTION("log_plus_one", 1, 1, -1, 100),
    FUNCTION("logistic", 3, 3, -80, 30),
    EXACT1("negate", OP_ARITHMETIC),
    EXACT1("not", OP_BITS),
    EXACT1("popcnt", OP_INTEGERS),
    EXACT1("real", OP_FLOATS),
    EXACT1("round_nearest_afz", OP_FLOATS),
    EXACT1("round_nearest_even", OP_FLOATS),
    FUNCTION("rsqrt", 1.5, 1.5, 0, 1e3),
    EXACT1("sign", OP_FLOATS | OP_SIGNED),
    FUNCTION("sine", 3, 0.51, -1e4, 1e4),
    EXACT1("sqrt", OP_FLOATS),
    FUNCTION("tan", 5, 0.51, -1e3, 1e3),
    FUNCTION("tanh", 3, 2, -12, 12),
    EXACT2("add", OP_NUMBERS),
    EXACT2("and", OP_BITS),
    {.op = "stablehlo.atan2",
     .types = OP_FLOATS,
     .text = BINARY_TEXT("stablehlo.atan2"),
     .f64_ulps = 4,
     .f32_ulps = 2,
     .half_ulps = 1,
     .values = OP_SPECIAL},
    EXACT2("divide", OP_ARITHMETIC),
    EXACT2("maximum", OP_NUMBERS),
    EXACT2("minimum", OP_NUMBERS),
    EXACT2("multiply", OP_NUMBERS),
    EXACT2("or", OP_BITS),
    {.op = "stablehlo.power",
     .types = OP_ARITHMETIC,
     .text = BINARY_TEXT("stablehlo.power"),
     .f64_ulps = 6,
     .f32_ulps = 2,
     .half_ulps = 1,
     .low = -20,
     .high = 20,
     .values = OP_SPECIAL},
    EXACT2("remainder", OP_ARITHMETIC),
    {.op = "stablehlo.shift_left",
     .types = OP_INTEGERS,
     .text = BINARY_TEXT("stablehlo.shift_left"),
     .int_low = 0,
     .int_high = 70},
    {.op = "stablehlo.shift_right_arithmetic",
     .types = OP_INTEGERS,
     .text = BINARY_TEXT("stablehlo.shift_right_arithmetic"),
     .int_low = 0,
     .int_high = 70},
    {.op = "stablehlo.shift_right_logical",
     .types = OP_INTEGERS,
     .text = BINARY_TEXT("stablehlo.shift_right_logical"),
     .int_low = 0,
     .int_high = 70},
    EXACT2("subtract", OP_ARITHMETIC),
    EXACT2("xor", OP_BITS),
    {.op = "stablehlo.bitcast_convert", /* to its own type; widths are in exec_elementwise_test */
     .types = OP_NUMBERS,
     .text = ONE(M, M,
                 "%b = stablehlo.bitcast_convert %a : (" M ") -> " M "\n%0 = stablehlo.reverse "
                 "%b, dims = [1] : " M),
     .values = OP_SPECIAL},
    {.op = "stablehlo.clamp",
     .types = OP_NUMBERS,
     .text = "(%a: tensor<$T>, %b: " M ", %c: " M ") -> " M
             " {\n%0 = stablehlo.clamp %a, %b, %a : (tensor<$T>, " M ", tensor<$T>) -> " M
             "\n%1 = stablehlo.clamp %b, %0, %c : " M "\nreturn %1 : " M "\n}",
     .values = OP_SPECIAL},
    {.op = "stablehlo.compare",
     .types = OP_NUMBERS,
     .text = "(%a: " M ", %b: " M ") -> (tensor<3x37xi1>, tensor<3x37xi1>, tensor<3x37xi1>) {\n"
             "%0 = stablehlo.compare LT, %a, %b : (" M ", " M ") -> tensor<3x37xi1>\n"
             "%1 = stablehlo.compare GE, %a, %b : (" M ", " M ") -> tensor<3x37xi1>\n"
             "%2 = stablehlo.compare NE, %a, %b : (" M ", " M ") -> tensor<3x37xi1>\n"
             "return %0, %1, %2 : tensor<3x37xi1>, tensor<3x37xi1>, tensor<3x37xi1>\n}",
     .values = OP_SPECIAL},
    {.op = "stablehlo.reduce_precision",
     .types = OP_FLOATS,
     .text = ONE(M, M, "%0 = stablehlo.reduce_precision %a, format = e5m2 : " M),
     .values = OP_SPECIAL},
    {.op = "stablehlo.select",
     .types = OP_NUMBERS,
     .text = "(%p: tensor<3x37xi1>, %q: tensor<i1>, %a: " M ", %b: " M ") -> " M
             " {\n%0 = stablehlo.select %p, %a, %b : tensor<3x37xi1>, " M
             "\n%1 = stablehlo.select %q, %a, %0 : tensor<i1>, " M "\nreturn %1 : " M "\n}",
     .values = OP_SPECIAL},
    /* movement */
    {.op = "stablehlo.broadcast",
     .types = OP_NUMBERS,
     .text = ONE("tensor<3x5x$T>", "tensor<2x4x3x5x$T>",
                 "%0 = stablehlo.broadcast %a, sizes = [2, 4] : (tensor<3x5x$T>) -> "
                 "tensor<2x4x3x5x$T>")},
    {.op = "stablehlo.broadcast_in_dim",
     .types = OP_NUMBERS,
     .text = ONE("tensor<3x1x$T>", "tensor<3x4x37x$T>",
                 "%0 = stablehlo.broadcast_in_dim %a, dims = [0, 2] : (tensor<3x1x$T>) -> "
                 "tensor<3x4x37x$T>")},
    {.op = "stablehlo.concatenate",
     .types = OP_NUMBERS,
     .text = "(%a: tensor<3x5x$T>, %b: tensor<3x1x$T>, %c: tensor<3x9x$T>) -> tensor<3x15x$T> {\n"
             "%0 = stablehlo.concatenate %a, %b, %c, dim = 1 : (tensor<3x5x$T>, tensor<3x1x$T>, "
             "tensor<3x9x$T>) -> tensor<3x15x$T>\nreturn %0 : tensor<3x15x$T>\n}"},
    {.op = "stablehlo.constant",
     .types = OP_NUMBERS,
     .text = ONE("tensor<24x$T>", "tensor<24x$T>",
                 "%c = stablehlo.constant dense<$Z> : tensor<24x$T>\n%0 = stablehlo.maximum %a, %c "
                 ": tensor<24x$T>")},
    {.op = "stablehlo.dynamic_slice",
     .types = OP_NUMBERS,
     .text = "(%a: " M ", %i: tensor<i32>, %j: tensor<i64>) -> tensor<2x8x$T> {\n"
             "%k = stablehlo.convert %j : (tensor<i64>) -> tensor<i32>\n"
             "%0 = stablehlo.dynamic_slice %a, %i, %k, sizes = [2, 8] : (" M
             ", tensor<i32>, tensor<i32>) -> tensor<2x8x$T>\nreturn %0 : tensor<2x8x$T>\n}",
     .int_low = -2,
     .int_high = 40},
    {.op = "stablehlo.dynamic_update_slice",
     .types = OP_NUMBERS,
     .text = "(%a: " M ", %b: tensor<2x8x$T>, %i: tensor<i32>) -> " M " {\n"
             "%0 = stablehlo.dynamic_update_slice %a, %b, %i, %i : (" M
             ", tensor<2x8x$T>, tensor<i32>, tensor<i32>) -> " M "\nreturn %0 : " M "\n}",
     .int_low = -2,
     .int_high = 40},
    {.op = "stablehlo.gather",
     .types = OP_NUMBERS,
     .text =
         "(%a: tensor<9x6x$T>, %i: tensor<5x1xi32>) -> tensor<5x6x$T> {\n"
         "%0 = \"stablehlo.gather\"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims "
         "= [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, "
         "slice_sizes = array<i64: 1, 6>}> : (tensor<9x6x$T>, tensor<5x1xi32>) -> "
         "tensor<5x6x$T>\nreturn %0 : tensor<5x6x$T>\n}",
     .int_low = -2,
     .int_high = 11},
    {.op = "stablehlo.get_dimension_size",
     .types = OP_NUMBERS,
     .text =
         "(%a: " M ", %b: tensor<i32>) -> tensor<i32> {\n%0 = stablehlo.get_dimension_size %a, "
         "dim = 1 : (" M ") -> tensor<i32>\n%1 = stablehlo.add %0, %b : tensor<i32>\nreturn %1 : "
         "tensor<i32>\n}"},
    {.op = "stablehlo.iota",
     .types = OP_ARITHMETIC,
     .text = ONE("tensor<7x8x$T>", "tensor<7x8x$T>",
                 "%i = stablehlo.iota dim = 1 : tensor<7x8x$T>\n%0 = stablehlo.subtract %a, %i : "
                 "tensor<7x8x$T>")},
    {.op = "stablehlo.pad",
     .types = OP_NUMBERS,
     .text =
         "(%a: tensor<5x7x$T>, %z: tensor<$T>) -> tensor<11x8x$T> {\n%0 = stablehlo.pad %a, %z, "
         "low = [1, -1], high = [1, 2], interior = [1, 0] : (tensor<5x7x$T>, tensor<$T>) -> "
         "tensor<11x8x$T>\nreturn %0 : tensor<11x8x$T>\n}"},
    {.op = "stablehlo.reshape",
     .types = OP_NUMBERS,
     .text = ONE(M, "tensor<37x3x$T>", "%0 = stablehlo.reshape %a : (" M ") -> tensor<37x3x$T>")},
    {.op = "stablehlo.reverse",
     .types = OP_NUMBERS,
     .text = ONE(M, M, "%0 = stablehlo.reverse %a, dims = [0, 1] : " M)},
    {.op = "stablehlo.scatter",
     .types = OP_NUMBERS,
     .text = "(%a: tensor<8x6x$T>, %i: tensor<15x1xi32>, %u: tensor<15x6x$T>) -> tensor<8x6x$T> {\n"
             "%0 = \"stablehlo.scatter\"(%a, %i, %u) <{scatter_dimension_numbers = "
             "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], "
             "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> " BODY(
                 "add") " : (tensor<8x6x$T>, tensor<15x1xi32>, tensor<15x6x$T>) -> tensor<8x6x$T>\n"
                        "return %0 : tensor<8x6x$T>\n}",
     .int_low = -2,
     .int_high = 9},
    {.op = "stablehlo.slice",
     .types = OP_NUMBERS,
     .text = ONE(M, "tensor<2x11x$T>",
                 "%0 = stablehlo.slice %a [1:3, 2:35:3] : (" M ") -> tensor<2x11x$T>")},
    {.op = "stablehlo.transpose",
     .types = OP_NUMBERS,
     .text = ONE("tensor<3x5x7x$T>", "tensor<7x3x5x$T>",
                 "%0 = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<3x5x7x$T>) -> "
                 "tensor<7x3x5x$T>")},
    /* contractions and reductions */
    {.op = "stablehlo.batch_norm_grad",
     .types = OP_FLOATS,
     .text = "(%x: tensor<4x5x3x$T>, %s: tensor<3x$T>, %m: tensor<3x$T>, %v: tensor<3x$T>, %g: "
             "tensor<4x5x3x$T>) -> (tensor<4x5x3x$T>, tensor<3x$T>, tensor<3x$T>) {\n%0:3 = "
             "\"stablehlo.batch_norm_grad\"(%x, %s, %m, %v, %g) <{epsilon = 0.5 : f32, "
             "feature_index = 2 : i64}> : (tensor<4x5x3x$T>, tensor<3x$T>, tensor<3x$T>, "
             "tensor<3x$T>, tensor<4x5x3x$T>) -> (tensor<4x5x3x$T>, tensor<3x$T>, tensor<3x$T>)\n"
             "return %0#0, %0#1, %0#2 : tensor<4x5x3x$T>, tensor<3x$T>, tensor<3x$T>\n}",
     .low = 0,
     .high = 1,
     .scale = 16,
     .f64_ulps = 32,
     .f32_ulps = 32,
     .half_ulps = 32},
    {.op = "stablehlo.batch_norm_inference",
     .types = OP_FLOATS,
     .text = "(%x: tensor<4x5x3x$T>, %s: tensor<3x$T>, %o: tensor<3x$T>, %m: tensor<3x$T>, %v: "
             "tensor<3x$T>) -> tensor<4x5x3x$T> {\n%0 = \"stablehlo.batch_norm_inference\"(%x, %s, "
             "%o, %m, %v) <{epsilon = 0.5 : f32, feature_index = 2 : i64}> : (tensor<4x5x3x$T>, "
             "tensor<3x$T>, tensor<3x$T>, tensor<3x$T>, tensor<3x$T>) -> tensor<4x5x3x$T>\nreturn "
             "%0 : tensor<4x5x3x$T>\n}",
     .low = 0,
     .high = 1,
     .scale = 1,
     .f64_ulps = 8,
     .f32_ulps = 8,
     .half_ulps = 8},
    {.op = "stablehlo.batch_norm_training",
     .types = OP_FLOATS,
     .text = "(%x: tensor<4x3x5x$T>, %s: tensor<3x$T>, %o: tensor<3x$T>) -> (tensor<4x3x5x$T>, "
             "tensor<3x$T>, tensor<3x$T>) {\n%0:3 = \"stablehlo.batch_norm_training\"(%x, %s, %o) "
             "<{epsilon = 0.5 : f32, feature_index = 1 : i64}> : (tensor<4x3x5x$T>, tensor<3x$T>, "
             "tensor<3x$T>) -> (tensor<4x3x5x$T>, tensor<3x$T>, tensor<3x$T>)\nreturn %0#0, %0#1, "
             "%0#2 : tensor<4x3x5x$T>, tensor<3x$T>, tensor<3x$T>\n}",
     .low = 0,
     .high = 1,
     .scale = 1,
     .f64_ulps = 16,
     .f32_ulps = 16,
     .half_ulps = 16},
    {.op = "stablehlo.convolution",
     .types = OP_NUMBERS,
     .text = "(%a: tensor<2x7x6x4x$T>, %k: tensor<3x2x2x6x$T>) -> tensor<2x4x6x6x$T> {\n%0 = "
             "stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
             "window = {stride = [2, 1], pad = [[1, 1], [1, 0]]} {batch_group_count = 1 : i64, "
             "feature_group_count = 2 : i64} : (tensor<2x7x6x4x$T>, tensor<3x2x2x6x$T>) -> "
             "tensor<2x4x6x6x$T>\nreturn %0 : tensor<2x4x6x6x$T>\n}",
     .values = OP_WHOLE},
    {.op = "stablehlo.dot",
     .types = OP_NUMBERS,
     .text = "(%a: tensor<5x9x$T>, %b: tensor<9x7x$T>) -> tensor<5x7x$T> {\n%0 = stablehlo.dot %a, "
             "%b : (tensor<5x9x$T>, tensor<9x7x$T>) -> tensor<5x7x$T>\nreturn %0 : "
             "tensor<5x7x$T>\n}",
     .values = OP_WHOLE},
    {.op = "stablehlo.dot_general",
     .types = OP_NUMBERS,
     .text =
         "(%a: tensor<2x5x9x$T>, %b: tensor<2x7x9x$T>) -> tensor<2x5x7x$T> {\n%0 = "
         "stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [2] "
         ": (tensor<2x5x9x$T>, tensor<2x7x9x$T>) -> tensor<2x5x7x$T>\nreturn %0 : "
         "tensor<2x5x7x$T>\n}",
     .values = OP_WHOLE},
    {.op = "stablehlo.map",
     .types = OP_NUMBERS,
     .text =
         "(%a: " M ", %b: " M ") -> " M " {\n%0 = \"stablehlo.map\"(%a, %b) <{dimensions = "
         "array<i64: 0, 1>}> " BODY("maximum") " : (" M ", " M ") -> " M "\nreturn %0 : " M "\n}"},
    {.op = "stablehlo.reduce",
     .types = OP_NUMBERS,
     .text =
         "(%a: tensor<4x37x$T>, %z: tensor<$T>) -> (tensor<4x$T>, tensor<37x$T>, tensor<$T>) {\n"
         "%0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : "
         "(tensor<4x37x$T>, tensor<$T>) -> tensor<4x$T>\n"
         "%1 = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions = [0] "
         ": (tensor<4x37x$T>, tensor<$T>) -> tensor<37x$T>\n"
         "%2 = stablehlo.reduce(%a init: %z) applies stablehlo.minimum across dimensions = [0, "
         "1] : (tensor<4x37x$T>, tensor<$T>) -> tensor<$T>\n"
         "return %0, %1, %2 : tensor<4x$T>, tensor<37x$T>, tensor<$T>\n}",
     .values = OP_WHOLE},
    {.op = "stablehlo.reduce_window",
     .types = OP_NUMBERS,
     .text = "(%a: tensor<2x9x7x$T>, %z: tensor<$T>) -> tensor<2x5x3x$T> {\n%0 = "
             "\"stablehlo.reduce_window\"(%a, %z) <{window_dimensions = array<i64: 1, 3, 3>, "
             "window_strides = array<i64: 1, 2, 2>, padding = dense<[[0, 0], [1, 1], [0, 0]]> : "
             "tensor<3x2xi64>}> " BODY("add") " : (tensor<2x9x7x$T>, tensor<$T>) -> "
                                              "tensor<2x5x3x$T>\nreturn %0 : tensor<2x5x3x$T>\n}",
     .values = OP_WHOLE},
    /* A prefix in rows of several blocks and a suffix in columns, of partial sums that are exact.
     */
    {.op = "stablehlo.reduce_window",
     .types = OP_NUMBERS,
     .text =
         "(%a: tensor<2x150x$T>, %b: tensor<2x70x19x$T>) -> (tensor<2x150x$T>, "
         "tensor<2x70x19x$T>) {\n%z = stablehlo.constant dense<$Z> : tensor<$T>\n%0 = "
         "\"stablehlo.reduce_window\"(%a, %z) <{window_dimensions = array<i64: 1, 150>, padding "
         "= dense<[[0, 0], [149, 0]]> : tensor<2x2xi64>}> " BODY(
             "add") " : (tensor<2x150x$T>, tensor<$T>) -> tensor<2x150x$T>\n%1 = "
                    "\"stablehlo.reduce_window\"(%b, %z) <{window_dimensions = array<i64: 1, 70, "
                    "1>, "
                    "padding = dense<[[0, 0], [0, 69], [0, 0]]> : tensor<3x2xi64>}> " BODY(
                        "add") " : (tensor<2x70x19x$T>, tensor<$T>) -> tensor<2x70x19x$T>\nreturn "
                               "%0, %1 : "
                               "tensor<2x150x$T>, tensor<2x70x19x$T>\n}",
     .low = -1,
     .high = 1,
     .values = OP_WHOLE},
    /* Long windows that slide: in rows, in columns and with an initial value that counts. */
    {.op = "stablehlo.reduce_window",
     .types = OP_NUMBERS,
     .text = "(%a: tensor<2x45x$T>, %b: tensor<33x3x$T>, %i: tensor<$T>) -> (tensor<2x45x$T>, "
             "tensor<20x3x$T>) {\n%z = stablehlo.constant dense<$Z> : tensor<$T>\n%0 = "
             "\"stablehlo.reduce_window\"(%a, %z) <{window_dimensions = array<i64: 1, 10>, padding "
             "= dense<[[0, 0], [4, 5]]> : tensor<2x2xi64>}> " BODY(
                 "maximum") " : (tensor<2x45x$T>, tensor<$T>) -> tensor<2x45x$T>\n%1 = "
                            "\"stablehlo.reduce_window\"(%b, %i) <{window_dimensions = array<i64: "
                            "17, 1>, "
                            "padding = dense<[[-1, 4], [0, 0]]> : tensor<2x2xi64>}> " BODY(
                                "add") " : (tensor<33x3x$T>, tensor<$T>) -> "
                                       "tensor<20x3x$T>\nreturn %0, %1 : "
                                       "tensor<2x45x$T>, tensor<20x3x$T>\n}",
     .low = -2,
     .high = 2,
     .values = OP_WHOLE},
    {.op = "stablehlo.rng_bit_generator",
     .types = OP_NUMBERS,
     .refused = OP_FLOATS, /* random patterns are no random floats: exporters ask for integers */
     .text = "(%a: tensor<2xui64>) -> (tensor<2xui64>, tensor<5x9x$T>) {\n%0, %1 = "
             "stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<2xui64>) -> "
             "(tensor<2xui64>, tensor<5x9x$T>)\nreturn %0, %1 : tensor<2xui64>, tensor<5x9x$T>\n}"},
    {.op = "stablehlo.select_and_scatter",
     .types = OP_NUMBERS,
     .text = "(%a: tensor<2x8x6x$T>, %s: tensor<2x4x3x$T>, %z: tensor<$T>) -> tensor<2x8x6x$T> {\n"
             "%0 = \"stablehlo.select_and_scatter\"(%a, %s, %z) <{window_dimensions = array<i64: "
             "1, 3, 2>, window_strides = array<i64: 1, 2, 2>, padding = dense<[[0, 0], [0, 1], [0, "
             "0]]> : tensor<3x2xi64>}> ({\n^bb0(%x: tensor<$T>, %y: tensor<$T>):\n%c = "
             "stablehlo.compare GE, %x, %y : (tensor<$T>, tensor<$T>) -> tensor<i1>\n"
             "stablehlo.return %c : tensor<i1>\n}, {\n^bb0(%x: tensor<$T>, %y: tensor<$T>):\n%t = "
             "stablehlo.add %x, %y : tensor<$T>\nstablehlo.return %t : tensor<$T>\n}) : "
             "(tensor<2x8x6x$T>, tensor<2x4x3x$T>, tensor<$T>) -> tensor<2x8x6x$T>\nreturn %0 : "
             "tensor<2x8x6x$T>\n}",
     .values = OP_WHOLE},
    {.op = "stablehlo.sort",
     .types = OP_NUMBERS,
     .text =
         "(%a: tensor<3x37x$T>, %b: tensor<3x37xi32>) -> (tensor<3x37x$T>, tensor<3x37xi32>) {\n"
         "%0:2 = \"stablehlo.sort\"(%a, %b) <{dimension = 1 : i64, is_stable = true}> "
         "({\n^bb0(%x: tensor<$T>, %y: tensor<$T>, %v: tensor<i32>, %w: tensor<i32>):\n%c = "
         "stablehlo.compare LT, %x, %y : (tensor<$T>, tensor<$T>) -> tensor<i1>\n"
         "stablehlo.return %c : tensor<i1>\n}) : (tensor<3x37x$T>, tensor<3x37xi32>) -> "
         "(tensor<3x37x$T>, tensor<3x37xi32>)\nreturn %0#0, %0#1 : tensor<3x37x$T>, "
         "tensor<3x37xi32>\n}"},
    /* control flow and calls */
    {.op = "stablehlo.case",
     .types = OP_NUMBERS,
     .text = "(%i: tensor<i32>, %a: " M ", %b: " M ") -> " M
             " {\n%0 = \"stablehlo.case\"(%i) ({\n%x = stablehlo.maximum %a, %b : " M
             "\nstablehlo.return %x : " M "\n}, {\n%x = stablehlo.minimum %a, %b : " M
             "\nstablehlo.return %x : " M "\n}, {\nstablehlo.return %b : " M
             "\n}) : (tensor<i32>) -> " M "\nreturn %0 : " M "\n}",
     .int_low = 0,
     .int_high = 2},
    {.op = "stablehlo.composite", /* inlined: the module of the test declares @body_$T */
     .types = OP_NUMBERS,
     .text =
         ONE(M, M,
             "%0 = stablehlo.composite \"test.body\" %a {decomposition = @body} : (" M ") -> " M)},
    {.op = "stablehlo.if",
     .types = OP_NUMBERS,
     .text = "(%p: tensor<i1>, %a: " M ", %b: " M ") -> " M
             " {\n%0 = \"stablehlo.if\"(%p) ({\n%x = stablehlo.maximum %a, %b : " M
             "\nstablehlo.return %x : " M "\n}, {\nstablehlo.return %b : " M
             "\n}) : (tensor<i1>) -> " M "\nreturn %0 : " M "\n}"},
    {.op = "stablehlo.optimization_barrier",
     .types = OP_NUMBERS,
     .text = ONE(M, M,
                 "%b = stablehlo.optimization_barrier %a : " M "\n%0 = stablehlo.maximum %a, %b "
                 ": " M)},
    {.op = "stablehlo.while",
     .types = OP_NUMBERS,
     .text =
         "(%n: tensor<i32>, %a: " M ", %b: " M ") -> " M " {\n%z = stablehlo.constant dense<0> : "
         "tensor<i32>\n%k = stablehlo.constant dense<3> : tensor<i32>\n%o = stablehlo.constant "
         "dense<1> : tensor<i32>\n%0:2 = stablehlo.while(%i = %z, %x = %a) : tensor<i32>, " M
         "\ncond {\n%c = stablehlo.compare LT, %i, %k : (tensor<i32>, tensor<i32>) -> "
         "tensor<i1>\nstablehlo.return %c : tensor<i1>\n} do {\n%j = stablehlo.add %i, %o : "
         "tensor<i32>\n%y = stablehlo.add %x, %b : " M "\nstablehlo.return %j, %y : tensor<i32>, " M
         "\n}\nreturn %0#1 : " M "\n}"},
    /* chlo: bounds of --chlo-to-stablehlo on top of the functions that it uses */
    CHLO("acos", 8, 6, 3, -1, 1),
    CHLO("acosh", 8, 8, 3, 1, 100),
    CHLO("asin", 8, 6, 3, -1, 1),
    CHLO("asinh", 8, 8, 3, -50, 50),
    CHLO("atan", 4, 2, 1, -50, 50),
    CHLO("atanh", 8, 8, 3, -1, 1),
    CHLO("cosh", 8, 8, 3, -30, 30),
    CHLO("erf", 4, 1.5, 1, -4, 4),
    CHLO("erf_inv", 8, 4, 1, -1, 1),
    CHLO("erfc", 12, 5, 1, -3, 10),
    CHLO("sinh", 8, 8, 3, -30, 30),
    CHLO("square", -1, -1, 0, -30, 30),
    CHLO("tan", 6, 1, 1, -30, 30),
    /* lgamma and digamma have zeros */
    {.op = "chlo.lgamma",
     .types = OP_FLOATS,
     .text = CHLO_UNARY_TEXT("chlo.lgamma"),
     .f64_ulps = 33,
     .f32_ulps = 1,
     .half_ulps = 1,
     .scale = 1,
     .low = -8,
     .high = 40,
     .values = OP_SPECIAL},
    {.op = "chlo.digamma",
     .types = OP_FLOATS,
     .text = CHLO_UNARY_TEXT("chlo.digamma"),
     .f64_ulps = 9,
     .f32_ulps = 1,
     .half_ulps = 1,
     .scale = 1,
     .low = 0,
     .high = 40},
    CHLO("bessel_i1e", 9, 1, 1, -30, 30),
    CHLO("conj", -1, -1, 0, -30, 30),
    {.op = "chlo.zeta",
     .types = OP_FLOATS,
     .text = CHLO_BINARY_TEXT("chlo.zeta"),
     .f64_ulps = 33,
     .f32_ulps = 1,
     .half_ulps = 1,
     .low = 1,
     .high = 9},
    {.op = "chlo.polygamma",
     .types = OP_FLOATS,
     .text = CHLO_BINARY_TEXT("chlo.polygamma"),
     .f64_ulps = 65,
     .f32_ulps = 1,
     .half_ulps = 1,
     .low = 1,
     .high = 9,
     .values = OP_WHOLE},
    {.op = "chlo.next_after",
     .types = OP_FLOATS,
     .text = CHLO_BINARY_TEXT("chlo.next_after"),
     .values = OP_SPECIAL},
    {.op = "chlo.mulhi", .types = OP_INTEGERS, .text = CHLO_BINARY_TEXT("chlo.mulhi")},
#define IS(name)                                                                                   \
  {                                                                                                \
    .op = "chlo." name, .types = OP_FLOATS,                                                        \
    .text = ONE(M, "tensor<3x37xi1>", "%0 = chlo." name " %a : " M " -> tensor<3x37xi1>"),         \
    .values = OP_SPECIAL                                                                           \
  }
    IS("is_inf"),
    IS("is_neg_inf"),
    IS("is_pos_inf"),
    {.op = "chlo.constant",
     .types = OP_NUMBERS,
     .text = ONE("tensor<24x$T>", "tensor<24x$T>",
                 "%c = chlo.constant dense<$Z> : tensor<24x$T>\n%0 = stablehlo.maximum %a, %c : "
                 "tensor<24x$T>")},
    {.op = "chlo.constant_like",
     .types = OP_FLOATS | OP_INTEGERS,
     .text = ONE("tensor<24x$T>", "tensor<24x$T>",
                 "%c = \"chlo.constant_like\"(%a) <{value = $Z : $T}> : (tensor<24x$T>) -> "
                 "tensor<24x$T>\n%0 = stablehlo.maximum %a, %c : tensor<24x$T>")},
    {.op = "chlo.top_k",
     .types = OP_NUMBERS,
     .text =
         "(%a: " M ") -> (tensor<3x5x$T>, tensor<3x5xi32>) {\n%0, %1 = chlo.top_k(%a, k = 5) : " M
         " -> (tensor<3x5x$T>, tensor<3x5xi32>)\nreturn %0, %1 : tensor<3x5x$T>, "
         "tensor<3x5xi32>\n}",
     .values = OP_SPECIAL},
    CHLO_BROADCAST("add", OP_NUMBERS, OP_NUMBERS, 0, 0, 0, SPECIAL),
    CHLO_BROADCAST("and", OP_BITS, OP_BITS, 0, 0, 0, SPECIAL),
    CHLO_BROADCAST("atan2", OP_NUMBERS, OP_FLOATS, 4, 2, 1, SPECIAL),
    CHLO_BROADCAST("divide", OP_NUMBERS, OP_ARITHMETIC, 0, 0, 0, SPECIAL),
    CHLO_BROADCAST("maximum", OP_NUMBERS, OP_NUMBERS, 0, 0, 0, SPECIAL),
    CHLO_BROADCAST("minimum", OP_NUMBERS, OP_NUMBERS, 0, 0, 0, SPECIAL),
    CHLO_BROADCAST("multiply", OP_NUMBERS, OP_NUMBERS, 0, 0, 0, SPECIAL),
    CHLO_BROADCAST("next_after", OP_NUMBERS, OP_FLOATS, 0, 0, 0, SPECIAL),
    CHLO_BROADCAST("or", OP_BITS, OP_BITS, 0, 0, 0, SPECIAL),
    CHLO_BROADCAST("polygamma", OP_NUMBERS, OP_FLOATS, 65, 1, 1, .low = 1, .high = 9,
                   .values = OP_WHOLE),
    CHLO_BROADCAST("power", OP_NUMBERS, OP_ARITHMETIC, 6, 2, 1, SPECIAL),
    CHLO_BROADCAST("remainder", OP_NUMBERS, OP_ARITHMETIC, 0, 0, 0, SPECIAL),
    CHLO_BROADCAST("shift_left", OP_NUMBERS, OP_INTEGERS, 0, 0, 0, AMOUNTS),
    CHLO_BROADCAST("shift_right_arithmetic", OP_NUMBERS, OP_INTEGERS, 0, 0, 0, AMOUNTS),
    CHLO_BROADCAST("shift_right_logical", OP_NUMBERS, OP_INTEGERS, 0, 0, 0, AMOUNTS),
    CHLO_BROADCAST("subtract", OP_NUMBERS, OP_ARITHMETIC, 0, 0, 0, SPECIAL),
    CHLO_BROADCAST("xor", OP_BITS, OP_BITS, 0, 0, 0, SPECIAL),
    CHLO_BROADCAST("zeta", OP_FLOATS, OP_FLOATS, 33, 1, 1, .low = 1, .high = 9),
    {.op = "chlo.broadcast_compare",
     .types = OP_NUMBERS,
     .text = "(%a: tensor<3x$T>, %b: tensor<3x1x37x$T>) -> tensor<3x3x37xi1> {\n%0 = "
             "\"chlo.broadcast_compare\"(%a, %b) <{broadcast_dimensions = array<i64: 1>, "
             "comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<3x$T>, "
             "tensor<3x1x37x$T>) -> tensor<3x3x37xi1>\nreturn %0 : tensor<3x3x37xi1>\n}",
     .by_lowering = true,
     .values = OP_SPECIAL},
    {.op = "stablehlo.einsum",
     .types = OP_NUMBERS,
     .text = "(%a: tensor<2x3x$T>, %b: tensor<4x3x5x2x$T>) -> tensor<4x2x5x$T> {\n%0 = "
             "\"stablehlo.einsum\"(%a, %b) <{einsum_config = \"ab,cbde->cad\"}> : "
             "(tensor<2x3x$T>, tensor<4x3x5x2x$T>) -> tensor<4x2x5x$T>\nreturn %0 : "
             "tensor<4x2x5x$T>\n}",
     .by_lowering = true,
     .values = OP_WHOLE},
    {.op = "stablehlo.unary_einsum",
     .types = OP_NUMBERS,
     .text = "(%a: tensor<3x2x5x$T>) -> tensor<5x3x$T> {\n%0 = "
             "\"stablehlo.unary_einsum\"(%a) <{einsum_config = \"abc->ca\"}> : "
             "(tensor<3x2x5x$T>) -> tensor<5x3x$T>\nreturn %0 : tensor<5x3x$T>\n}",
     .by_lowering = true,
     .values = OP_WHOLE},
    {.op = "stablehlo.torch_index_select",
     .types = OP_NUMBERS,
     .text = "(%a: tensor<2x5x3x$T>) -> tensor<2x4x3x$T> {\n%i = stablehlo.constant "
             "dense<[[4, 0, 9, 1], [2, 2, -1, 3]]> : tensor<2x4xi32>\n%0 = "
             "\"stablehlo.torch_index_select\"(%a, %i) <{batch_dims = 1 : i64, dim = 1 : i64}> : "
             "(tensor<2x5x3x$T>, tensor<2x4xi32>) -> tensor<2x4x3x$T>\nreturn %0 : "
             "tensor<2x4x3x$T>\n}",
     .by_lowering = true,
     .values = OP_SPECIAL},
    {.op = "chlo.ragged_dot",
     .types = OP_NUMBERS,
     .text = "(%a: tensor<2x11x5x$T>, %b: tensor<3x2x5x7x$T>) -> tensor<2x11x7x$T> {\n%g = "
             "stablehlo.constant dense<[[4, 0, 5], [1, 9, 3]]> : tensor<2x3xi32>\n%0 = "
             "\"chlo.ragged_dot\"(%a, %b, %g) <{ragged_dot_dimension_numbers = "
             "#chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], "
             "lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], "
             "lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5x$T>, "
             "tensor<3x2x5x7x$T>, tensor<2x3xi32>) -> tensor<2x11x7x$T>\nreturn %0 : "
             "tensor<2x11x7x$T>\n}",
     .values = OP_WHOLE},
    {.op = "chlo.scan",
     .types = OP_ARITHMETIC,
     .text = "(%a: " M ", %b: tensor<3x$T>) -> (" M ", tensor<3x$T>) {\n%0:2 = chlo.scan(%a) inits "
             "(%b) dimension=1 attributes {is_reverse = true} {\n^bb0(%x: tensor<3x$T>, %c: "
             "tensor<3x$T>):\n%y = stablehlo.subtract %x, %c : tensor<3x$T>\n%z = "
             "stablehlo.maximum %x, %c : tensor<3x$T>\nstablehlo.return %y, %z : tensor<3x$T>, "
             "tensor<3x$T>\n} : (" M ", tensor<3x$T>) -> (" M ", tensor<3x$T>)\nreturn %0#0, %0#1 "
             ": " M ", tensor<3x$T>\n}"},
    {.op = "chlo.broadcast_select",
     .types = OP_NUMBERS,
     .text = "(%p: tensor<3x1xi1>, %a: " M ", %b: tensor<$T>) -> " M " {\n%0 = "
             "chlo.broadcast_select %p, %a, %b : (tensor<3x1xi1>, " M ", tensor<$T>) -> " M
             "\nreturn %0 : " M "\n}",
     .by_lowering = true,
     .values = OP_SPECIAL},
};
const size_t N_OP_CASES = sizeof OP_CASES / sizeof OP_CASES[0];

#define DYNAMIC "shapes are static from the training step on"
#define DEVICES "one device"
#define COMPLEX "taken apart by --split-complex: tests/golden/echo-run/complex.mlir"
#define TOKEN "tokens and tuples order side effects, of which a step has none"
#define QUANTIZED "quantized elements are kept as text"

const OpExcuse OP_EXCUSES[] = {
    {"stablehlo.complex", COMPLEX},
    {"stablehlo.uniform_dequantize", QUANTIZED},
    {"stablehlo.uniform_quantize", QUANTIZED},
    {"stablehlo.dynamic_broadcast_in_dim", DYNAMIC},
    {"stablehlo.dynamic_gather", DYNAMIC},
    {"stablehlo.dynamic_iota", DYNAMIC},
    {"stablehlo.dynamic_pad", DYNAMIC},
    {"stablehlo.dynamic_reshape", DYNAMIC},
    {"stablehlo.real_dynamic_slice", DYNAMIC},
    {"stablehlo.set_dimension_size", DYNAMIC},
    {"stablehlo.dynamic_conv", DYNAMIC},
    {"stablehlo.cholesky", "left to LAPACK: tests/golden/echo-run/linear_algebra.mlir"},
    {"stablehlo.triangular_solve", "left to LAPACK: tests/golden/echo-run/linear_algebra.mlir"},
    {"stablehlo.fft", COMPLEX},
    {"stablehlo.rng", "lowered by --random-state: tests/golden/echo-run/random_numbers.mlir"},
    {"stablehlo.after_all", TOKEN},
    {"stablehlo.create_token", TOKEN},
    {"stablehlo.tuple", TOKEN},
    {"stablehlo.get_tuple_element", TOKEN},
    {"stablehlo.return", "a terminator: every region has one"},
    {"chlo._asin_acos_kernel", COMPLEX},
    {"chlo.broadcast_complex", COMPLEX},
    {"stablehlo.custom_call", "anything at all; those that are known are tested by name"},
    {"stablehlo.all_gather", DEVICES},
    {"stablehlo.all_reduce", DEVICES},
    {"stablehlo.all_to_all", DEVICES},
    {"stablehlo.async_done", DEVICES},
    {"stablehlo.async_start", DEVICES},
    {"stablehlo.collective_broadcast", DEVICES},
    {"stablehlo.collective_permute", DEVICES},
    {"stablehlo.collective_reduce", DEVICES},
    {"stablehlo.cross-replica-sum", DEVICES},
    {"stablehlo.infeed", DEVICES},
    {"stablehlo.outfeed", DEVICES},
    {"stablehlo.partition_id", DEVICES},
    {"stablehlo.recv", DEVICES},
    {"stablehlo.reduce_scatter", DEVICES},
    {"stablehlo.replica_id", DEVICES},
    {"stablehlo.send", DEVICES},
};
const size_t N_OP_EXCUSES = sizeof OP_EXCUSES / sizeof OP_EXCUSES[0];
