// Few terms of many results are added up in registers and stored where they belong, with what runs along the rows packed as it runs; of more terms,
// and where tiles would have edges, a library multiplies.
// RUN: echo-opt %s --to=loops -o - | FileCheck %s
// RUN: echo-run %s --device=interpreter --outputs=%t.npz --quiet
// RUN: echo-run %s --no-cache --threads=1 --expect=%t.npz --rtol=1e-5 --atol=1e-5 --quiet
// CHECK:     func.func @contraction_0(%[[A:.*]]: memref<16x264xf32>, %[[B:.*]]: memref<16x512xf32>, %[[C:.*]]: memref<264x512xf32>)
// CHECK-DAG:   "memref.alloca"() {{.*}} -> memref<16x96xf32>
// CHECK-DAG:   "memref.alloca"() {{.*}} -> memref<16x64xf32>
// CHECK-NOT:   "memref.alloca"()
// CHECK:       "vector.store"(%{{.*}}, %[[C]],
// CHECK:     "kernel.library"{{.*}}sym_name = "contraction_1"
// CHECK:     "kernel.library"{{.*}}sym_name = "contraction_2"
func.func @main(%a: tensor<16x264xf32>, %b: tensor<16x512xf32>, %c: tensor<264x100xf32>, %d: tensor<100x512xf32>, %e: tensor<16x509xf32>)
    -> (tensor<264x512xf32>, tensor<264x512xf32>, tensor<264x509xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<16x264xf32>, tensor<16x512xf32>) -> tensor<264x512xf32>
  %1 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<264x100xf32>, tensor<100x512xf32>) -> tensor<264x512xf32>
  %2 = stablehlo.dot_general %a, %e, contracting_dims = [0] x [0] : (tensor<16x264xf32>, tensor<16x509xf32>) -> tensor<264x509xf32>
  return %0, %1, %2 : tensor<264x512xf32>, tensor<264x512xf32>, tensor<264x509xf32>
}
