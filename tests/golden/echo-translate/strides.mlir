// Of rows and of one long array, every second, third or fifth element is loaded with its neighbours and shuffled out, not gathered element by element;
// the results are the interpreter's.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-opt %s --to=loops | FileCheck %s --check-prefix=LOOPS
// RUN: echo-translate %s --emit=llvm --cpu=x86-64-v4 | FileCheck %s
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/out.npz
// RUN: echo-run %s --no-cache --quiet --expect=%t/out.npz --rtol=0 --atol=0

// The product says that it is a position, so that it does not overflow.
// LOOPS-LABEL: func.func @map_0
// LOOPS: "arith.muli"(%{{.*}}, %{{.*}}) <{overflowFlags = #arith.overflow<nsw>}> : (index, index) -> index

// CHECK-NOT: masked.gather
// CHECK:     shufflevector <{{[0-9]+}} x float>
// CHECK-NOT: masked.gather
func.func @main(%x: tensor<100x203xf32>, %y: tensor<50000xf32>) -> (tensor<100x102xf32>, tensor<20x67xf32>, tensor<24999xf32>) {
  %rows = stablehlo.slice %x [0:100, 0:203:2] : (tensor<100x203xf32>) -> tensor<100x102xf32>
  %both = stablehlo.slice %x [0:100:5, 4:203:3] : (tensor<100x203xf32>) -> tensor<20x67xf32>
  %all = stablehlo.slice %y [1:49999:2] : (tensor<50000xf32>) -> tensor<24999xf32>
  return %rows, %both, %all : tensor<100x102xf32>, tensor<20x67xf32>, tensor<24999xf32>
}
