// What Shardy's own passes leave in a program: collectives that say how a value comes to lie in
// another way, constants of their own, edges along which shardings went, calls that were taken in.
// All come back as they were, by bytecode too; on one device they are their values; on many a
// collective is a constraint.
//
// RUN: echo-opt %s | FileCheck %s --strict-whitespace
// RUN: echo-opt %s --mlir-print-op-generic | echo-opt | FileCheck %s --strict-whitespace
// RUN: echo-opt %s --emit-bytecode -o %t.bc
// RUN: echo-opt %t.bc | FileCheck %s --strict-whitespace
// RUN: echo-opt %s --chlo-to-stablehlo --canonicalize | FileCheck %s --check-prefix=ONE
// RUN: echo-run %s --entry=part --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-run %s --entry=part --expect=%t.npz --no-cache --quiet

// CHECK:         sdy.mesh @m = <["x"=2, "y"=2]>
// CHECK-NEXT:    func.func @main(%arg0: tensor<8x8x8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}, {}, {}]>}) -> tensor<8x8x8x8xf32> {
// CHECK-NEXT:      %0 = sdy.all_gather [{"x"}, {}, {}, {}] %arg0 out_sharding=<@m, [{}, {}, {}, {}]> : tensor<8x8x8x8xf32>
// CHECK-NEXT:      %1 = sdy.all_slice [{}, {"y"}, {}, {}] %0 out_sharding=<@m, [{}, {"y"}, {}, {}]> : tensor<8x8x8x8xf32>
// CHECK-NEXT:      %2 = sdy.all_to_all [{"y"}: 1->2] %1 out_sharding=<@m, [{}, {}, {"y"}, {}]> : tensor<8x8x8x8xf32>
// CHECK-NEXT:      %3 = sdy.collective_permute %2 out_sharding=<@m, [{}, {}, {"x"}, {}]> : tensor<8x8x8x8xf32>
// CHECK-NEXT:      %4 = sdy.all_reduce {"y"} %3 out_sharding=<@m, [{}, {}, {"x"}, {}]> : tensor<8x8x8x8xf32>
// CHECK-NEXT:      %5 = sdy.reduce_scatter [{"y"}, {}, {}, {}] %4 out_sharding=<@m, [{"y"}, {}, {"x"}, {}]> : tensor<8x8x8x8xf32>
// CHECK-NEXT:      %6 = stablehlo.abs %5 : tensor<8x8x8x8xf32>
// CHECK-NEXT:      %7 = sdy.data_flow_edge %6 sharding=<@m, [{"y"}, {}, {"x"}, {}]> : tensor<8x8x8x8xf32>
// CHECK-NEXT:      %8 = sdy.constant dense<1.000000e+00> : tensor<8x8x8x8xf32>
// CHECK-NEXT:      %9 = sdy.constant {foo.a = 1 : i32} dense<1.000000e+00> : tensor<8xf32>
// CHECK-NEXT:      %10 = sdy.named_computation<"foo">(%7) in_shardings=[<@m, [{}, {}, {}, {}]>] (%arg1: tensor<8x8x8x8xf32>) {
// CHECK-NEXT:        %11 = stablehlo.add %arg1, %arg1 : tensor<8x8x8x8xf32>
// CHECK-NEXT:        sdy.return %11 : tensor<8x8x8x8xf32>
// CHECK-NEXT:      } : (tensor<8x8x8x8xf32>) -> tensor<8x8x8x8xf32>
// CHECK-NEXT:      return %10 : tensor<8x8x8x8xf32>
// CHECK-NEXT:    }

// ONE-LABEL: func.func @main(
// ONE-NEXT:    %[[A:.*]] = stablehlo.abs %arg0
// ONE-NEXT:    %[[B:.*]] = stablehlo.add %[[A]], %[[A]]
// ONE-NEXT:    return %[[B]]
sdy.mesh @m = <["x"=2, "y"=2]>
func.func @main(%arg0: tensor<8x8x8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}, {}, {}]>}) -> tensor<8x8x8x8xf32> {
  %0 = sdy.all_gather [{"x"}, {}, {}, {}] %arg0 out_sharding=<@m, [{}, {}, {}, {}]> : tensor<8x8x8x8xf32>
  %1 = sdy.all_slice [{}, {"y"}, {}, {}] %0 out_sharding=<@m, [{}, {"y"}, {}, {}]> : tensor<8x8x8x8xf32>
  %2 = sdy.all_to_all [{"y"}: 1->2] %1 out_sharding=<@m, [{}, {}, {"y"}, {}]> : tensor<8x8x8x8xf32>
  %3 = sdy.collective_permute %2 out_sharding=<@m, [{}, {}, {"x"}, {}]> : tensor<8x8x8x8xf32>
  %4 = sdy.all_reduce {"y"} %3 out_sharding=<@m, [{}, {}, {"x"}, {}]> : tensor<8x8x8x8xf32>
  %5 = sdy.reduce_scatter [{"y"}, {}, {}, {}] %4 out_sharding=<@m, [{"y"}, {}, {"x"}, {}]> : tensor<8x8x8x8xf32>
  %6 = stablehlo.abs %5 : tensor<8x8x8x8xf32>
  %7 = sdy.data_flow_edge %6 sharding=<@m, [{"y"}, {}, {"x"}, {}]> : tensor<8x8x8x8xf32>
  %8 = sdy.constant dense<1.000000e+00> : tensor<8x8x8x8xf32>
  %9 = sdy.constant {foo.a = 1 : i32} dense<1.000000e+00> : tensor<8xf32>
  %10 = sdy.named_computation<"foo">(%7) in_shardings=[<@m, [{}, {}, {}, {}]>] (%arg1: tensor<8x8x8x8xf32>) {
    %11 = stablehlo.add %arg1, %arg1 : tensor<8x8x8x8xf32>
    sdy.return %11 : tensor<8x8x8x8xf32>
  } : (tensor<8x8x8x8xf32>) -> tensor<8x8x8x8xf32>
  return %10 : tensor<8x8x8x8xf32>
}

// ONE-LABEL: func.func @part(
// ONE:         %[[C:.*]] = stablehlo.constant dense<2.000000e+00>
// ONE:         %[[D:.*]] = stablehlo.multiply %arg0, %[[C]]
// ONE-NEXT:    return %[[D]], %arg0
func.func @part(%a: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = sdy.sharded_to_unreduced [{"x"}, {}] %a out_sharding=<@m, [{}, {}], unreduced={"x"}> : tensor<8x4xf32>
  %1 = sdy.replicated_to_unreduced {"y"} %0 out_sharding=<@m, [{}, {}], unreduced={"x", "y"}> : tensor<8x4xf32>
  %2 = sdy.func_data_flow_edge %1 : tensor<8x4xf32>
  %3:2 = sdy.named_computation<"g">(%2) (%b: tensor<8x4xf32>) {
    %c = sdy.constant dense<2.0> : tensor<8x4xf32>
    %d = stablehlo.multiply %b, %c : tensor<8x4xf32>
    sdy.return %d, %b : tensor<8x4xf32>, tensor<8x4xf32>
  } : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return %3#0, %3#1 : tensor<8x4xf32>, tensor<8x4xf32>
}
