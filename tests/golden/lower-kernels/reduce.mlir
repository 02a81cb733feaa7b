// RUN: echo-opt --lower-kernels --mlir-print-op-generic %s | FileCheck %s
// RUN: echo-opt --lower-kernels %s | echo-opt --verify-roundtrip --no-output
// RUN: echo-opt --lower-kernels --mlir-print-op-generic %s > %t.1 && mlir-opt-19 --allow-unregistered-dialect --mlir-print-op-generic %t.1 > %t.2 && cmp %t.1 %t.2
// REQUIRES: mlir-opt-19

// Sixteen partial sums that start from -0.0, the rest of the row in a second loop, then the tree, in halves of
// a vector.
// CHECK-LABEL: sym_name = "rows"
// CHECK-DAG:   %[[NEUTRAL:.*]] = "arith.constant"() <{value = -0.000000e+00 : f32}>
// CHECK:       %[[SUMS:.*]] = "memref.alloca"() <{{.*}}> : () -> memref<16xf32>
// CHECK:       "memref.store"(%[[NEUTRAL]], %[[SUMS]]
// CHECK:       {kernel.parallel}
// CHECK:       "arith.addf"
// CHECK:       {kernel.parallel}
// CHECK:       "arith.addf"
// CHECK:       {kernel.parallel}
// CHECK-COUNT-2: "vector.load"(%[[SUMS]]
// CHECK-COUNT-3: "arith.addf"({{.*}}) <{{{.*}}}> : (vector<
// CHECK-COUNT-2: "arith.addf"({{.*}}) <{{{.*}}}> : (f32, f32)
// CHECK:       {kernel.kind = "row_reduce"}
"kernel.func"() <{sym_name = "rows", kind = "row_reduce", function_type = (tensor<4x40xf32>, tensor<f32>) -> tensor<4xf32>}> ({
^bb0(%a: tensor<4x40xf32>, %init: tensor<f32>):
  %0 = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = [1] : (tensor<4x40xf32>, tensor<f32>) -> tensor<4xf32>
  "kernel.return"(%0) : (tensor<4xf32>) -> ()
}) : () -> ()

// Reduced dimensions that lie side by side are a row: a position is taken apart once a row. A row of 49 elements
// begins at lane 49 * number mod 16, goes up to lane 0 one by one, then 16 at once, then through what is left.
// CHECK-LABEL: sym_name = "pictures"
// CHECK-DAG:   %[[SIXTEEN:.*]] = "arith.constant"() <{value = 16 : index}>
// CHECK-DAG:   %[[LENGTH:.*]] = "arith.constant"() <{value = 49 : index}>
// CHECK:       %[[LANE:.*]] = "arith.remui"(%{{.*}}, %[[SIXTEEN]])
// CHECK-NEXT:  %[[UP:.*]] = "arith.subi"(%[[SIXTEEN]], %[[LANE]])
// CHECK-NEXT:  %[[HEAD:.*]] = "arith.remui"(%[[UP]], %[[SIXTEEN]])
// CHECK-NEXT:  %[[BEHIND:.*]] = "arith.subi"(%[[LENGTH]], %[[HEAD]])
// CHECK-NEXT:  %[[LEFT:.*]] = "arith.remui"(%[[BEHIND]], %[[SIXTEEN]])
// CHECK-NEXT:  %[[WHOLE:.*]] = "arith.subi"(%[[LENGTH]], %[[LEFT]])
// CHECK:       "scf.for"(%{{.*}}, %[[HEAD]],
// CHECK-NOT:   "arith.divui"
// CHECK:       "scf.for"(%[[HEAD]], %[[WHOLE]], %[[SIXTEEN]])
// CHECK:       {kernel.parallel}
// CHECK:       "scf.for"(%{{.*}}, %[[LEFT]],
// CHECK:       {kernel.kind = "reduce"}
"kernel.func"() <{sym_name = "pictures", kind = "reduce", function_type = (tensor<32x3x7x7xf32>, tensor<f32>) -> tensor<3xf32>}> ({
^bb0(%a: tensor<32x3x7x7xf32>, %init: tensor<f32>):
  %0 = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<32x3x7x7xf32>, tensor<f32>) -> tensor<3xf32>
  "kernel.return"(%0) : (tensor<3xf32>) -> ()
}) : () -> ()

// Elements that were broadcast along one of two dimensions lie in rows of the other: no position is taken apart. Two
// rows of eight are the sixteen lanes; the group of a channel, channel / 8, is the group that the sum is of.
// CHECK-LABEL: sym_name = "groups"
// CHECK-DAG:   %[[TWO:.*]] = "arith.constant"() <{value = 2 : index}>
// CHECK-DAG:   %[[FORTY:.*]] = "arith.constant"() <{value = 40 : index}>
// CHECK:       %[[SUMS:.*]] = "memref.alloca"() <{{.*}}> : () -> memref<16xf32>
// CHECK:       %[[MEAN:.*]] = "memref.load"(%{{.*}}) : (memref<8xf32>, index) -> f32
// CHECK-NOT:   "arith.divui"
// CHECK-NOT:   "arith.remui"
// CHECK:       "scf.for"(%{{.*}}, %[[FORTY]], %[[TWO]])
// CHECK:       "arith.subf"(%{{.*}}, %[[MEAN]])
// CHECK:       "memref.store"(%{{.*}}, %[[SUMS]]
// CHECK:       {kernel.parallel}
// CHECK:       {kernel.kind = "reduce"}
"kernel.func"() <{sym_name = "groups", kind = "reduce", function_type = (tensor<40x64xf32>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>}> ({
^bb0(%a: tensor<40x64xf32>, %mean: tensor<8xf32>, %init: tensor<f32>):
  %0 = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.reshape %0 : (tensor<8x8xf32>) -> tensor<64xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<64xf32>) -> tensor<40x64xf32>
  %3 = stablehlo.subtract %a, %2 : tensor<40x64xf32>
  %4 = stablehlo.reshape %3 : (tensor<40x64xf32>) -> tensor<40x8x8xf32>
  %5 = stablehlo.reduce(%4 init: %init) applies stablehlo.add across dimensions = [0, 2] : (tensor<40x8x8xf32>, tensor<f32>) -> tensor<8xf32>
  "kernel.return"(%5) : (tensor<8xf32>) -> ()
}) : () -> ()

// A mask of two indices stands in rows, too.
// CHECK-LABEL: sym_name = "trace"
// CHECK-NOT:   "arith.remui"
// CHECK:       "arith.select"
// CHECK-NOT:   "arith.remui"
// CHECK:       {kernel.kind = "row_reduce"}
"kernel.func"() <{sym_name = "trace", kind = "row_reduce", function_type = (tensor<4x32x32xf32>, tensor<f32>) -> tensor<4xf32>}> ({
^bb0(%a: tensor<4x32x32xf32>, %init: tensor<f32>):
  %0 = stablehlo.iota dim = 1 : tensor<4x32x32xi32>
  %1 = stablehlo.iota dim = 2 : tensor<4x32x32xi32>
  %2 = stablehlo.compare EQ, %0, %1, SIGNED : (tensor<4x32x32xi32>, tensor<4x32x32xi32>) -> tensor<4x32x32xi1>
  %zero = stablehlo.constant dense<0.0> : tensor<4x32x32xf32>
  %3 = stablehlo.select %2, %a, %zero : tensor<4x32x32xi1>, tensor<4x32x32xf32>
  %4 = stablehlo.reduce(%3 init: %init) applies stablehlo.add across dimensions = [1, 2] : (tensor<4x32x32xf32>, tensor<f32>) -> tensor<4xf32>
  "kernel.return"(%4) : (tensor<4xf32>) -> ()
}) : () -> ()

// The same partials for a block of columns.
// CHECK-LABEL: sym_name = "columns"
// CHECK:       "memref.alloca"() <{{.*}}> : () -> memref<8x5xf64>
// CHECK:       {kernel.kind = "column_reduce"}
"kernel.func"() <{sym_name = "columns", kind = "column_reduce", function_type = (tensor<40x5xf64>, tensor<f64>) -> tensor<5xf64>}> ({
^bb0(%a: tensor<40x5xf64>, %init: tensor<f64>):
  %0 = stablehlo.reduce(%a init: %init) applies stablehlo.maximum across dimensions = [0] : (tensor<40x5xf64>, tensor<f64>) -> tensor<5xf64>
  "kernel.return"(%0) : (tensor<5xf64>) -> ()
}) : () -> ()

// Columns of which something is the same for sixteen side by side are gone through in such runs.
// CHECK-LABEL: sym_name = "runs"
// CHECK-DAG:   %[[SIXTEEN:.*]] = "arith.constant"() <{value = 16 : index}>
// CHECK-NOT:   "arith.remui"
// CHECK:       "scf.for"(%{{.*}}, %{{.*}}, %[[SIXTEEN]])
// CHECK:       "scf.for"(%{{.*}}, %[[SIXTEEN]], %{{.*}})
// CHECK:       "arith.mulf"
// CHECK-NOT:   "arith.remui"
// CHECK:       {kernel.kind = "column_reduce"}
"kernel.func"() <{sym_name = "runs", kind = "column_reduce", function_type = (tensor<40x8x16xf32>, tensor<40x8xf32>, tensor<f32>) -> tensor<8x16xf32>}> ({
^bb0(%a: tensor<40x8x16xf32>, %b: tensor<40x8xf32>, %init: tensor<f32>):
  %0 = stablehlo.broadcast_in_dim %b, dims = [0, 1] : (tensor<40x8xf32>) -> tensor<40x8x16xf32>
  %1 = stablehlo.multiply %a, %0 : tensor<40x8x16xf32>
  %2 = stablehlo.reduce(%1 init: %init) applies stablehlo.add across dimensions = [0] : (tensor<40x8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
  "kernel.return"(%2) : (tensor<8x16xf32>) -> ()
}) : () -> ()

// Three elements are written out as the tree has them, the first with the third: results go in vectors.
// CHECK-LABEL: sym_name = "points"
// CHECK-NOT:   "memref.alloca"
// CHECK:       %[[INIT:.*]] = "memref.load"(%{{.*}}) : (memref<f32>) -> f32
// CHECK:       %[[X:.*]] = "memref.load"
// CHECK:       %[[Y:.*]] = "memref.load"
// CHECK:       %[[Z:.*]] = "memref.load"
// CHECK:       %[[XZ:.*]] = "arith.addf"(%[[X]], %[[Z]])
// CHECK:       %[[ALL:.*]] = "arith.addf"(%[[XZ]], %[[Y]])
// CHECK:       "arith.addf"(%[[INIT]], %[[ALL]])
// CHECK:       {kernel.parallel}
// CHECK:       {kernel.kind = "row_reduce"}
"kernel.func"() <{sym_name = "points", kind = "row_reduce", function_type = (tensor<400x3xf32>, tensor<f32>) -> tensor<400xf32>}> ({
^bb0(%a: tensor<400x3xf32>, %init: tensor<f32>):
  %0 = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = [1] : (tensor<400x3xf32>, tensor<f32>) -> tensor<400xf32>
  "kernel.return"(%0) : (tensor<400xf32>) -> ()
}) : () -> ()

// What depends on the column alone is made once, before the rows: the rows' loop reads it.
// CHECK-LABEL: sym_name = "parts"
// CHECK:       %[[PART:.*]] = "memref.alloca"() <{{.*}}> : () -> memref<5xf64>
// CHECK:       "math.absf"
// CHECK:       "memref.store"(%{{.*}}, %[[PART]]
// CHECK-NOT:   "math.absf"
// CHECK:       "memref.load"(%[[PART]]
// CHECK:       "arith.mulf"
// CHECK-NOT:   "math.absf"
// CHECK:       {kernel.kind = "column_reduce"}
"kernel.func"() <{sym_name = "parts", kind = "column_reduce", function_type = (tensor<40x5xf64>, tensor<5xf64>) -> tensor<5xf64>}> ({
^bb0(%a: tensor<40x5xf64>, %b: tensor<5xf64>):
  %init = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = stablehlo.abs %b : tensor<5xf64>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<5xf64>) -> tensor<40x5xf64>
  %2 = stablehlo.multiply %a, %1 : tensor<40x5xf64>
  %3 = stablehlo.reduce(%2 init: %init) applies stablehlo.add across dimensions = [0] : (tensor<40x5xf64>, tensor<f64>) -> tensor<5xf64>
  "kernel.return"(%3) : (tensor<5xf64>) -> ()
}) : () -> ()
