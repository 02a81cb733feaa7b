// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// arith and math on tensors of every sort, casts of memrefs, and constants of every sort of elements.

"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x?xf32>, tensor<4x?xi32>, tensor<*xf64>, tensor<4x?xi1>, memref<?xi32>, vector<[4]xi32>, tensor<4x?xf64>) -> (), sym_name = "values"}> ({
  ^bb0(%arg0: tensor<4x?xf32>, %arg1: tensor<4x?xi32>, %arg2: tensor<*xf64>, %arg3: tensor<4x?xi1>, %arg4: memref<?xi32>, %arg5: vector<[4]xi32>, %arg6: tensor<4x?xf64>):
    %0 = "arith.addf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
    %1 = "arith.negf"(%arg2) <{fastmath = #arith.fastmath<fast>}> : (tensor<*xf64>) -> tensor<*xf64>
    %2 = "arith.muli"(%arg1, %arg1) <{overflowFlags = #arith.overflow<nsw>}> : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
    %3 = "arith.cmpi"(%arg1, %arg1) <{predicate = 2 : i64}> : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi1>
    %4 = "arith.cmpf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>, predicate = 4 : i64}> : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xi1>
    %5 = "arith.select"(%arg3, %arg0, %arg0) : (tensor<4x?xi1>, tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
    %6 = "arith.extf"(%arg0) : (tensor<4x?xf32>) -> tensor<4x?xf64>
    %7 = "arith.truncf"(%arg6) <{roundingmode = 0 : i32}> : (tensor<4x?xf64>) -> tensor<4x?xbf16>
    %8 = "arith.sitofp"(%arg1) : (tensor<4x?xi32>) -> tensor<4x?xf16>
    %9 = "arith.index_cast"(%arg1) : (tensor<4x?xi32>) -> tensor<4x?xindex>
    %10 = "arith.index_cast"(%arg4) : (memref<?xi32>) -> memref<?xindex>
    %11 = "arith.bitcast"(%arg4) : (memref<?xi32>) -> memref<?xf32>
    %12:2 = "arith.mulsi_extended"(%arg1, %arg1) : (tensor<4x?xi32>, tensor<4x?xi32>) -> (tensor<4x?xi32>, tensor<4x?xi32>)
    %13 = "arith.extsi"(%arg5) : (vector<[4]xi32>) -> vector<[4]xi64>
    %14 = "math.exp"(%arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<4x?xf32>) -> tensor<4x?xf32>
    %15 = "math.fma"(%arg2, %arg2, %arg2) <{fastmath = #arith.fastmath<none>}> : (tensor<*xf64>, tensor<*xf64>, tensor<*xf64>) -> tensor<*xf64>
    %16 = "math.ctpop"(%arg1) : (tensor<4x?xi32>) -> tensor<4x?xi32>
    %17 = "arith.constant"() <{value = sparse<[[0, 1], [2, 0]], [1, 5]> : tensor<3x4xi32>}> : () -> tensor<3x4xi32>
    %18 = "arith.constant"() <{value = dense_resource<blob> : tensor<4xf32>}> : () -> tensor<4xf32>
    %19 = "arith.constant"() <{value = dense<[1, 2]> : tensor<2xui8>}> : () -> tensor<2xui8>
    %20 = "arith.constant"() <{value = dense<["a", "b"]> : tensor<2x!text.string>}> : () -> tensor<2x!text.string>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

//      CHECK{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "func.func"() <{function_type = (tensor<4x?xf32>, tensor<4x?xi32>, tensor<*xf64>, tensor<4x?xi1>, memref<?xi32>, vector<[4]xi32>, tensor<4x?xf64>) -> (), sym_name = "values"}> ({
// CHECK-NEXT{LITERAL}:  ^bb0(%arg0: tensor<4x?xf32>, %arg1: tensor<4x?xi32>, %arg2: tensor<*xf64>, %arg3: tensor<4x?xi1>, %arg4: memref<?xi32>, %arg5: vector<[4]xi32>, %arg6: tensor<4x?xf64>):
// CHECK-NEXT{LITERAL}:    %0 = "arith.addf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
// CHECK-NEXT{LITERAL}:    %1 = "arith.negf"(%arg2) <{fastmath = #arith.fastmath<fast>}> : (tensor<*xf64>) -> tensor<*xf64>
// CHECK-NEXT{LITERAL}:    %2 = "arith.muli"(%arg1, %arg1) <{overflowFlags = #arith.overflow<nsw>}> : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
// CHECK-NEXT{LITERAL}:    %3 = "arith.cmpi"(%arg1, %arg1) <{predicate = 2 : i64}> : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi1>
// CHECK-NEXT{LITERAL}:    %4 = "arith.cmpf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>, predicate = 4 : i64}> : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xi1>
// CHECK-NEXT{LITERAL}:    %5 = "arith.select"(%arg3, %arg0, %arg0) : (tensor<4x?xi1>, tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
// CHECK-NEXT{LITERAL}:    %6 = "arith.extf"(%arg0) : (tensor<4x?xf32>) -> tensor<4x?xf64>
// CHECK-NEXT{LITERAL}:    %7 = "arith.truncf"(%arg6) <{roundingmode = 0 : i32}> : (tensor<4x?xf64>) -> tensor<4x?xbf16>
// CHECK-NEXT{LITERAL}:    %8 = "arith.sitofp"(%arg1) : (tensor<4x?xi32>) -> tensor<4x?xf16>
// CHECK-NEXT{LITERAL}:    %9 = "arith.index_cast"(%arg1) : (tensor<4x?xi32>) -> tensor<4x?xindex>
// CHECK-NEXT{LITERAL}:    %10 = "arith.index_cast"(%arg4) : (memref<?xi32>) -> memref<?xindex>
// CHECK-NEXT{LITERAL}:    %11 = "arith.bitcast"(%arg4) : (memref<?xi32>) -> memref<?xf32>
// CHECK-NEXT{LITERAL}:    %12:2 = "arith.mulsi_extended"(%arg1, %arg1) : (tensor<4x?xi32>, tensor<4x?xi32>) -> (tensor<4x?xi32>, tensor<4x?xi32>)
// CHECK-NEXT{LITERAL}:    %13 = "arith.extsi"(%arg5) : (vector<[4]xi32>) -> vector<[4]xi64>
// CHECK-NEXT{LITERAL}:    %14 = "math.exp"(%arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<4x?xf32>) -> tensor<4x?xf32>
// CHECK-NEXT{LITERAL}:    %15 = "math.fma"(%arg2, %arg2, %arg2) <{fastmath = #arith.fastmath<none>}> : (tensor<*xf64>, tensor<*xf64>, tensor<*xf64>) -> tensor<*xf64>
// CHECK-NEXT{LITERAL}:    %16 = "math.ctpop"(%arg1) : (tensor<4x?xi32>) -> tensor<4x?xi32>
// CHECK-NEXT{LITERAL}:    %17 = "arith.constant"() <{value = sparse<[[0, 1], [2, 0]], [1, 5]> : tensor<3x4xi32>}> : () -> tensor<3x4xi32>
// CHECK-NEXT{LITERAL}:    %18 = "arith.constant"() <{value = dense_resource<blob> : tensor<4xf32>}> : () -> tensor<4xf32>
// CHECK-NEXT{LITERAL}:    %19 = "arith.constant"() <{value = dense<[1, 2]> : tensor<2xui8>}> : () -> tensor<2xui8>
// CHECK-NEXT{LITERAL}:    %20 = "arith.constant"() <{value = dense<["a", "b"]> : tensor<2x!text.string>}> : () -> tensor<2x!text.string>
// CHECK-NEXT{LITERAL}:    "func.return"() : () -> ()
// CHECK-NEXT{LITERAL}:  }) : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
