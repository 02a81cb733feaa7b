// RUN: echo-opt %s --verify-diagnostics --split-input-file
//
// Each message about collective, once.

func.func @f(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{'stablehlo.all_gather' op replica_groups has process 0 more than once}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{'stablehlo.all_gather' op replica_groups misses process 1}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{'stablehlo.all_gather' op replica_groups has invalid process -2}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, -2]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{'stablehlo.all_gather' op replica_groups must be a table, but got 'tensor<2xi64>'}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{'stablehlo.all_gather' op dimension 2 or ranks do not fit 'tensor<4x8xf32>' and 'tensor<4x16xf32>'}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{'stablehlo.all_gather' op operand and result do not fit in dimension 0: 'tensor<4x8xf32>', 'tensor<5x16xf32>'}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<5x16xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{'stablehlo.all_gather' op has 1 operands and 2 results}}
  %0:2 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{'stablehlo.all_to_all' op split_dimension 1 or concat_dimension 2 is out of range [0, 2)}}
  %0 = "stablehlo.all_to_all"(%a) <{concat_dimension = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{'stablehlo.all_to_all' op split_count 3 does not divide the size 8 of the split dimension}}
  %0 = "stablehlo.all_to_all"(%a) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 3 : i64, split_dimension = 1 : i64}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{'stablehlo.all_to_all' op attribute 'split_count' failed to satisfy constraint: positive i64}}
  %0 = "stablehlo.all_to_all"(%a) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 0 : i64, split_dimension = 1 : i64}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%b: tensor<9223372036854775807x8xf32>) {
  // expected-error@+1 {{'stablehlo.all_to_all' op the size of the concatenated dimension overflows}}
  %0 = "stablehlo.all_to_all"(%b) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<9223372036854775807x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{'stablehlo.collective_permute' op source 0 is negative or named more than once}}
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{'stablehlo.collective_permute' op target 1 is negative or named more than once}}
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 1]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{'stablehlo.collective_permute' op source_target_pairs must be a table of pairs, but got 'tensor<2xi64>'}}
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[0, 1]> : tensor<2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{'stablehlo.collective_permute' op operand and result have different types}}
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x9xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{'stablehlo.reduce_scatter' op operand and result do not fit in dimension 1: 'tensor<4x3xf32>', 'tensor<4x8xf32>'}}
  %0 = "stablehlo.reduce_scatter"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<4x8xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{'stablehlo.reduce_scatter' op result must have the element type that the region returns, but got 'tensor<4x4xf64>'}}
  %0 = "stablehlo.reduce_scatter"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<4x8xf32>) -> tensor<4x4xf64>
  return
}
