// Collectives that Shardy's passes wrote are carried out.
// RUN: echo-opt --read-shardings --chlo-to-stablehlo --partition --canonicalize --dce %s | FileCheck %s

// CHECK:      func.func @main(%arg0: tensor<4x4xf32> {{.*}}) -> (tensor<8x2xf32>
// CHECK:        %[[A:.*]] = stablehlo.add %arg0, %arg0 : tensor<4x4xf32>
// CHECK-NEXT:   %[[G:.*]] = "stablehlo.all_gather"(%[[A]]) <{all_gather_dim = 0 : i64, {{.*}} : (tensor<4x4xf32>) -> tensor<8x4xf32>
// CHECK:        %[[S:.*]] = stablehlo.dynamic_slice %[[G]], {{.*}} sizes = [8, 2]
// CHECK:        stablehlo.multiply %[[S]], %{{.*}} : tensor<8x2xf32>
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @m = <["x"=2]>
  func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>}) {
    %0 = stablehlo.add %a, %a : tensor<8x4xf32>
    %1 = sdy.all_gather [{"x"}, {}] %0 out_sharding=<@m, [{}, {}]> : tensor<8x4xf32>
    %2 = sdy.data_flow_edge %1 : tensor<8x4xf32>
    %3 = sdy.all_slice [{}, {"x"}] %2 out_sharding=<@m, [{}, {"x"}]> : tensor<8x4xf32>
    %4 = sdy.named_computation<"f">(%3) (%b: tensor<8x4xf32>) {
      %c = sdy.constant dense<2.0> : tensor<8x4xf32>
      %d = stablehlo.multiply %b, %c : tensor<8x4xf32>
      sdy.return %d : tensor<8x4xf32>
    } : (tensor<8x4xf32>) -> tensor<8x4xf32>
    return %4 : tensor<8x4xf32>
  }
}
