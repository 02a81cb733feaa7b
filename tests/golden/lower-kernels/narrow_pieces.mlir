// RUN: echo-opt --lower-kernels %s | FileCheck %s
// RUN: echo-opt --lower-kernels %s | echo-opt --verify-roundtrip --no-output

// Elementary functions of three columns side by side: of each piece a loop over rows, which become lanes, in each of its columns; 64 rows at a time.
// CHECK-LABEL: func.func @functions
// CHECK:         "scf.parallel"
// CHECK:           arith.minsi
// CHECK:           "scf.for"
// CHECK:             arith.minsi
// CHECK-NEXT:        "scf.for"
// CHECK-NEXT:        ^bb0(%[[COLUMN:.*]]: index):
// CHECK-NEXT:          "scf.for"
// CHECK-NEXT:          ^bb0(%[[ROW:.*]]: index):
// CHECK-NEXT:            %[[X:.*]] = "memref.load"(%{{.*}}, %[[ROW]], %[[COLUMN]]) : (memref<1024x3xf32>
// CHECK-NEXT:            %[[ROOT:.*]] = "math.sqrt"(%[[X]])
// CHECK-NEXT:            "memref.store"(%[[ROOT]], %{{.*}}, %[[ROW]], %[[COLUMN]]) : (f32, memref<1024x9xf32>
// CHECK-NEXT:            "scf.yield"
// CHECK-NEXT:          }) {kernel.parallel}
// CHECK-NEXT:          "scf.yield"
// CHECK-NEXT:        }) : (index, index, index) -> ()
// CHECK-COUNT-2:       {kernel.parallel}
// CHECK-NOT:           {kernel.parallel}
"kernel.func"() <{sym_name = "functions", kind = "map", function_type = (tensor<1024x3xf32>) -> tensor<1024x9xf32>}> ({
^bb0(%x: tensor<1024x3xf32>):
  %0 = stablehlo.sqrt %x : tensor<1024x3xf32>
  %1 = stablehlo.rsqrt %x : tensor<1024x3xf32>
  %2 = stablehlo.cbrt %x : tensor<1024x3xf32>
  %3 = stablehlo.concatenate %0, %1, %2, dim = 1 : (tensor<1024x3xf32>, tensor<1024x3xf32>, tensor<1024x3xf32>) -> tensor<1024x9xf32>
  "kernel.return"(%3) : (tensor<1024x9xf32>) -> ()
}) : () -> ()

// What is only moved goes row by row. Twenty operands are twenty loops: no element is made of all of them.
// CHECK-LABEL: func.func @moved
// CHECK-COUNT-20: {kernel.parallel}
// CHECK-NOT:      arith.select
"kernel.func"() <{sym_name = "moved", kind = "map", function_type = (tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>) -> tensor<64x60xf32>}> ({
^bb0(%a0: tensor<64x3xf32>, %a1: tensor<64x3xf32>, %a2: tensor<64x3xf32>, %a3: tensor<64x3xf32>, %a4: tensor<64x3xf32>, %a5: tensor<64x3xf32>, %a6: tensor<64x3xf32>, %a7: tensor<64x3xf32>, %a8: tensor<64x3xf32>, %a9: tensor<64x3xf32>, %a10: tensor<64x3xf32>, %a11: tensor<64x3xf32>, %a12: tensor<64x3xf32>, %a13: tensor<64x3xf32>, %a14: tensor<64x3xf32>, %a15: tensor<64x3xf32>, %a16: tensor<64x3xf32>, %a17: tensor<64x3xf32>, %a18: tensor<64x3xf32>, %a19: tensor<64x3xf32>):
  %0 = stablehlo.concatenate %a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9, %a10, %a11, %a12, %a13, %a14, %a15, %a16, %a17, %a18, %a19, dim = 1 : (tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>, tensor<64x3xf32>) -> tensor<64x60xf32>
  "kernel.return"(%0) : (tensor<64x60xf32>) -> ()
}) : () -> ()
