// Transposes go through shared memory by tiles that are as narrow as a dimension is short, and as much longer the other way; of slices, too. What they
// read and write is whole sectors, read once, and no lanes meet in a bank.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/out.npz
// RUN: echo-run %s --device=cpu --quiet --expect=%t/out.npz --rtol=0 --atol=0
// RUN: echo-run %s --device=cuda --quiet --expect=%t/out.npz --rtol=0 --atol=0 --kernels --json=%t/kernels.json
// RUN: python3 -c "import json; k = [x for x in json.load(open('%t/kernels.json'))['kernels'] if x['launches']]; assert len(k) == 7; assert all(x['bytes'] <= 1.15 * x['floor_bytes'] and x['sector_use'] >= 0.9 and not x['bank_conflicts'] for x in k if x['floor_bytes'] > 10000), k"

func.func @main(%channels: tensor<4x16x16x8xf32>, %wide: tensor<3x128x40xf32>, %tall: tensor<2x16x1000xf32>, %double: tensor<2x64x16xf64>,
    %whole: tensor<96x64xf32>, %odd: tensor<3x36x9xf32>, %few: tensor<5x7xf32>)
    -> (tensor<4x8x16x16xf32>, tensor<3x16x128xf32>, tensor<2x1000x16xf32>, tensor<2x16x64xf64>, tensor<64x96xf32>, tensor<3x9x36xf32>, tensor<7x5xf32>) {
  %0 = stablehlo.transpose %channels, dims = [0, 3, 1, 2] : (tensor<4x16x16x8xf32>) -> tensor<4x8x16x16xf32>
  %part = stablehlo.slice %wide [0:3, 0:128, 8:24] : (tensor<3x128x40xf32>) -> tensor<3x128x16xf32>
  %1 = stablehlo.transpose %part, dims = [0, 2, 1] : (tensor<3x128x16xf32>) -> tensor<3x16x128xf32>
  %2 = stablehlo.transpose %tall, dims = [0, 2, 1] : (tensor<2x16x1000xf32>) -> tensor<2x1000x16xf32>
  %3 = stablehlo.transpose %double, dims = [0, 2, 1] : (tensor<2x64x16xf64>) -> tensor<2x16x64xf64>
  %4 = stablehlo.transpose %whole, dims = [1, 0] : (tensor<96x64xf32>) -> tensor<64x96xf32>
  %5 = stablehlo.transpose %odd, dims = [0, 2, 1] : (tensor<3x36x9xf32>) -> tensor<3x9x36xf32>
  %6 = stablehlo.transpose %few, dims = [1, 0] : (tensor<5x7xf32>) -> tensor<7x5xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4x8x16x16xf32>, tensor<3x16x128xf32>, tensor<2x1000x16xf32>, tensor<2x16x64xf64>, tensor<64x96xf32>, tensor<3x9x36xf32>, tensor<7x5xf32>
}
