// RUN: echo-opt --lower-kernels --mlir-print-op-generic %s | FileCheck %s
// RUN: echo-opt --lower-kernels=target=sm_80 --mlir-print-op-generic %s | FileCheck %s --check-prefix=GPU
// RUN: echo-opt --lower-kernels %s | echo-opt --verify-roundtrip --no-output

// A window of few places is written out, in row-major order: the loop over the features, which lie side by side, has no other inside and its iterations are independent;
// three others find the place.
// CHECK-LABEL: sym_name = "pool"
// CHECK:       %[[START:.*]] = "arith.constant"() <{value = 0xFF800000 : f32}>
// CHECK-COUNT-3: "scf.for"
// CHECK-NOT:   arith.divui
// CHECK-NOT:   arith.remui
// CHECK:       "scf.for"
// CHECK-NEXT:  ^bb0(%[[F:.*]]: index):
// CHECK-NEXT:    %[[A:.*]] = "memref.load"(%{{.*}}, %[[F]])
// CHECK-NEXT:    %[[M0:.*]] = "arith.maximumf"(%[[START]], %[[A]])
// CHECK-NEXT:    %[[B:.*]] = "memref.load"(%{{.*}}, %[[F]])
// CHECK-NEXT:    %[[M1:.*]] = "arith.maximumf"(%[[M0]], %[[B]])
// CHECK-NEXT:    %[[C:.*]] = "memref.load"(%{{.*}}, %[[F]])
// CHECK-NEXT:    %[[M2:.*]] = "arith.maximumf"(%[[M1]], %[[C]])
// CHECK-NEXT:    %[[D:.*]] = "memref.load"(%{{.*}}, %[[F]])
// CHECK-NEXT:    %[[M3:.*]] = "arith.maximumf"(%[[M2]], %[[D]])
// CHECK-NEXT:    "memref.store"(%[[M3]]
// CHECK:         {kernel.parallel}
// CHECK:       {kernel.kind = "window"}
// GPU:         "gpu.func"
// GPU:         "scf.for"
// GPU:         arith.maximumf
// GPU-NOT:     arith.maximumf
// GPU:         sym_name = "pool__0"
"kernel.func"() <{sym_name = "pool", kind = "window", function_type = (tensor<2x6x6x32xf32>) -> tensor<2x3x3x32xf32>}> ({
^bb0(%a: tensor<2x6x6x32xf32>):
  %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>} : (tensor<2x6x6x32xf32>, tensor<f32>) -> tensor<2x3x3x32xf32>
  "kernel.return"(%0) : (tensor<2x3x3x32xf32>) -> ()
}) : () -> ()

// One of 36 places is a loop for each of its dimensions, in which results that lie side by side take one element more, in their order.
// CHECK-LABEL: sym_name = "long"
// CHECK:       %[[SUMS:.*]] = "memref.alloca"() {{.*}} -> memref<32xf32>
// CHECK:       "memref.store"(%{{.*}}, %[[SUMS]], %{{.*}})
// CHECK:         {kernel.parallel}
// CHECK-COUNT-2: "scf.for"
// CHECK-NOT:   arith.divui
// CHECK-NOT:   arith.remui
// CHECK:       "scf.for"
// CHECK-NEXT:  ^bb0(%[[LANE:.*]]: index):
// CHECK:         %[[SUM:.*]] = "memref.load"(%[[SUMS]], %[[LANE]])
// CHECK:         %[[NEXT:.*]] = "arith.addf"(%[[SUM]], %{{.*}})
// CHECK-NEXT:    "memref.store"(%[[NEXT]], %[[SUMS]], %[[LANE]])
// CHECK:         {kernel.parallel}
// CHECK-NOT:   arith.addf
// CHECK:       {kernel.kind = "window"}
"kernel.func"() <{sym_name = "long", kind = "window", function_type = (tensor<2x6x6x32xf32>) -> tensor<2x1x1x32xf32>}> ({
^bb0(%a: tensor<2x6x6x32xf32>):
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 6, 6, 1>} : (tensor<2x6x6x32xf32>, tensor<f32>) -> tensor<2x1x1x32xf32>
  "kernel.return"(%0) : (tensor<2x1x1x32xf32>) -> ()
}) : () -> ()
