// Ops that combine elements through a region.
//
// RUN: echo-opt %s | FileCheck %s --strict-whitespace
// RUN: echo-opt %s | echo-opt | FileCheck %s --strict-whitespace
// RUN: echo-opt %s --mlir-print-op-generic | echo-opt | FileCheck %s --strict-whitespace

// CHECK:  func.func @reduce_applies(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>) {
// CHECK-NEXT:    %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
// CHECK-NEXT:    %1 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [0, 1] {note = 1 : i64} : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @reduce_applies(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>) {
  %0 = "stablehlo.reduce"(%arg0, %arg1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
    %3 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%3) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = "stablehlo.reduce"(%arg0, %arg1) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %2 = "stablehlo.maximum"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%2) : (tensor<f32>) -> ()
  }) {note = 1 : i64} : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  "func.return"() : () -> ()
}

// CHECK:  func.func @reduce_reducer(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xi32>, %arg2: tensor<f32>, %arg3: tensor<i32>) {
// CHECK-NEXT:    %0:2 = stablehlo.reduce(%arg0 init: %arg2), (%arg1 init: %arg3) across dimensions = [0] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
// CHECK-NEXT:     reducer(%arg4: tensor<f32>, %arg6: tensor<f32>) (%arg5: tensor<i32>, %arg7: tensor<i32>)  {
// CHECK-NEXT:      %2 = stablehlo.compare GE, %arg4, %arg6 : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK-NEXT:      %3 = stablehlo.select %2, %arg4, %arg6 : tensor<i1>, tensor<f32>
// CHECK-NEXT:      %4 = stablehlo.select %2, %arg5, %arg7 : tensor<i1>, tensor<i32>
// CHECK-NEXT:      stablehlo.return %3, %4 : tensor<f32>, tensor<i32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %1 = stablehlo.reduce(%arg0 init: %arg2) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
// CHECK-NEXT:     reducer(%arg4: tensor<f32>, %arg5: tensor<f32>)  {
// CHECK-NEXT:      %2 = stablehlo.divide %arg4, %arg5 : tensor<f32>
// CHECK-NEXT:      stablehlo.return %2 : tensor<f32>
// CHECK-NEXT:    }
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @reduce_reducer(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xi32>, %arg2: tensor<f32>, %arg3: tensor<i32>) {
  %0:2 = "stablehlo.reduce"(%arg0, %arg1, %arg2, %arg3) <{dimensions = array<i64: 0>}> ({
  ^bb0(%arg6: tensor<f32>, %arg7: tensor<i32>, %arg8: tensor<f32>, %arg9: tensor<i32>):
    %3 = "stablehlo.compare"(%arg6, %arg8) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = "stablehlo.select"(%3, %arg6, %arg8) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %5 = "stablehlo.select"(%3, %arg7, %arg9) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%4, %5) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  %1 = "stablehlo.reduce"(%arg0, %arg2) <{dimensions = array<i64: 1>}> ({
  ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
    %2 = "stablehlo.divide"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%2) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  "func.return"() : () -> ()
}

// CHECK:  func.func @reduce_promotes(%arg0: tensor<2x3xf16>, %arg1: tensor<f16>) -> tensor<2xf32> {
// CHECK-NEXT:    %0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [1] : (tensor<2x3xf16>, tensor<f16>) -> tensor<2xf32>
// CHECK-NEXT:     reducer(%arg2: tensor<f32>, %arg3: tensor<f32>)  {
// CHECK-NEXT:      %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
// CHECK-NEXT:      stablehlo.return %1 : tensor<f32>
// CHECK-NEXT:    }
// CHECK-NEXT:    return %0 : tensor<2xf32>
// CHECK-NEXT:  }
func.func @reduce_promotes(%arg0: tensor<2x3xf16>, %arg1: tensor<f16>) -> tensor<2xf32> {
  %0 = "stablehlo.reduce"(%arg0, %arg1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf16>, tensor<f16>) -> tensor<2xf32>
  "func.return"(%0) : (tensor<2xf32>) -> ()
}

// CHECK:  func.func @windows(%arg0: tensor<2x9xf32>, %arg1: tensor<f32>, %arg2: tensor<2x4xf32>) {
// CHECK-NEXT:    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 1, 2>, padding = dense<{{\[\[}}0, 0], [1, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 3>, window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}> ({
// CHECK-NEXT:    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
// CHECK-NEXT:      %2 = stablehlo.add %arg3, %arg4 : tensor<f32>
// CHECK-NEXT:      stablehlo.return %2 : tensor<f32>
// CHECK-NEXT:    }) : (tensor<2x9xf32>, tensor<f32>) -> tensor<2x7xf32>
// CHECK-NEXT:    %1 = "stablehlo.select_and_scatter"(%arg0, %arg2, %arg1) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
// CHECK-NEXT:    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
// CHECK-NEXT:      %2 = stablehlo.compare GE, %arg3, %arg4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK-NEXT:      stablehlo.return %2 : tensor<i1>
// CHECK-NEXT:    }, {
// CHECK-NEXT:    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
// CHECK-NEXT:      %2 = stablehlo.add %arg3, %arg4 : tensor<f32>
// CHECK-NEXT:      stablehlo.return %2 : tensor<f32>
// CHECK-NEXT:    }) : (tensor<2x9xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<2x9xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @windows(%arg0: tensor<2x9xf32>, %arg1: tensor<f32>, %arg2: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 1, 2>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 3>, window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
    %4 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%4) : (tensor<f32>) -> ()
  }) : (tensor<2x9xf32>, tensor<f32>) -> tensor<2x7xf32>
  %1 = "stablehlo.select_and_scatter"(%arg0, %arg2, %arg1) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
    %3 = "stablehlo.compare"(%arg5, %arg6) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%3) : (tensor<i1>) -> ()
  }, {
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %2 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%2) : (tensor<f32>) -> ()
  }) : (tensor<2x9xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<2x9xf32>
  "func.return"() : () -> ()
}

// CHECK:  func.func @sort_map(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xi32>) {
// CHECK-NEXT:    %0:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 1 : i64, is_stable = true}> ({
// CHECK-NEXT:    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<i32>, %arg5: tensor<i32>):
// CHECK-NEXT:      %2 = stablehlo.compare LT, %arg2, %arg3, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK-NEXT:      stablehlo.return %2 : tensor<i1>
// CHECK-NEXT:    }) : (tensor<2x3xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
// CHECK-NEXT:    %1 = "stablehlo.map"(%arg0, %arg0) <{dimensions = array<i64: 0, 1>}> ({
// CHECK-NEXT:    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
// CHECK-NEXT:      %2 = stablehlo.multiply %arg2, %arg3 : tensor<f32>
// CHECK-NEXT:      stablehlo.return %2 : tensor<f32>
// CHECK-NEXT:    }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @sort_map(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xi32>) {
  %0:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>, %arg6: tensor<i32>, %arg7: tensor<i32>):
    %3 = "stablehlo.compare"(%arg4, %arg5) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%3) : (tensor<i1>) -> ()
  }) : (tensor<2x3xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  %1 = "stablehlo.map"(%arg0, %arg0) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %2 = "stablehlo.multiply"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%2) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  "func.return"() : () -> ()
}
