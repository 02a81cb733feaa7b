// A kernel with several results writes each over an operand of its own: what the norm, the sums of rows and the scaled rows read is read
// before it is overwritten. The same bits as with results apart, and as the interpreter's up to the order of sums.
// RUN: echo-opt %s --bufferize --plan-memory --verify-plan | FileCheck %s
// RUN: sed 's/tf.aliasing_output/tf.apart/g' %s > %t.apart.mlir
// RUN: echo-run %t.apart.mlir --seed=3 --outputs=%t.npz --quiet
// RUN: echo-run %s --seed=3 --expect=%t.npz --rtol=0 --atol=0 --quiet
// RUN: echo-run %t.apart.mlir --seed=3 --device=interpreter --expect=%t.npz --rtol=1e-5 --atol=1e-5 --quiet

// CHECK:       func.func @main(%[[M:.*]]: memref<64x128xf32> {{.*}}, %[[P:.*]]: memref<64x128xf32> {{.*}}, %[[G:.*]]: memref<64x128xf32>, %[[R:.*]]: memref<64xf32> {{.*}}, %[[N:.*]]: memref<f32> {plan.result = 3 : i32})
// CHECK-NEXT:    "plan.arena"
// CHECK-NEXT:    "kernel.launch"(%[[M]], %[[P]], %[[G]], %[[R]], %[[M]], %[[P]], %[[R]], %[[N]])
// CHECK-NEXT:    return
module attributes {echo.stage = "kernels"} {
  "kernel.func"() <{sym_name = "update", kind = "row_reduce", function_type = (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>, tensor<64xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64xf32>, tensor<f32>)}> ({
  ^bb0(%m: tensor<64x128xf32>, %p: tensor<64x128xf32>, %g: tensor<64x128xf32>, %r: tensor<64xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %v = stablehlo.add %m, %g : tensor<64x128xf32>
    %rows = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x128xf32>, tensor<f32>) -> tensor<64xf32>
    %scale = stablehlo.broadcast_in_dim %rows, dims = [0] : (tensor<64xf32>) -> tensor<64x128xf32>
    %step = stablehlo.multiply %v, %scale : tensor<64x128xf32>
    %q = stablehlo.subtract %p, %step : tensor<64x128xf32>
    %moved = stablehlo.reduce(%v init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x128xf32>, tensor<f32>) -> tensor<64xf32>
    %s = stablehlo.add %r, %moved : tensor<64xf32>
    %square = stablehlo.multiply %q, %q : tensor<64x128xf32>
    %norm = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x128xf32>, tensor<f32>) -> tensor<f32>
    "kernel.return"(%v, %q, %s, %norm) : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64xf32>, tensor<f32>) -> ()
  }) : () -> ()
  func.func @main(%m: tensor<64x128xf32> {tf.aliasing_output = 0 : i32}, %p: tensor<64x128xf32> {tf.aliasing_output = 1 : i32}, %g: tensor<64x128xf32>, %r: tensor<64xf32> {tf.aliasing_output = 2 : i32})
      -> (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64xf32>, tensor<f32>) {
    %0:4 = "kernel.call"(%m, %p, %g, %r) <{callee = @update}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>, tensor<64xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64xf32>, tensor<f32>)
    return %0#0, %0#1, %0#2, %0#3 : tensor<64x128xf32>, tensor<64x128xf32>, tensor<64xf32>, tensor<f32>
  }
}
