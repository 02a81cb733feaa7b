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
  %0 = "stablehlo.all_to_all"(%a) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>, split_count = 3 : i64, split_dimension = 1 : i64}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
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

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{'stablehlo.all_reduce' op replica groups cannot be empty with use_global_device_ids}}
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<0> : tensor<0x2xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{'stablehlo.all_reduce' op channel_id must be positive with use_global_device_ids, but got 0}}
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<8x2xf32>) {
  // expected-error@+1 {{'stablehlo.all_gather' op replica_groups has invalid process -1}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 2], [1, -1]]> : tensor<2x2xi64>}> : (tensor<8x2xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{'stablehlo.all_to_all' op group size of replica_groups must be 4}}
  %0 = "stablehlo.all_to_all"(%a) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<4x8xf32>) -> tensor<16x2xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'stablehlo.collective_broadcast' op requires at least one operand of data}}
  "stablehlo.collective_broadcast"() <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : () -> ()
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{'stablehlo.collective_broadcast' op requires at least one operand of data and one of roots}}
  "stablehlo.collective_broadcast"(%a) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %r: tensor<2xi32>) {
  // expected-error@+1 {{'stablehlo.collective_broadcast' op the last operand must have one i32 for each of the others, but got 'tensor<2xi32>'}}
  %0 = "stablehlo.collective_broadcast"(%a, %r) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>, tensor<2xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x0xf32>) {
  // expected-error@+1 {{'stablehlo.reduce_scatter' op size of dimension 1, which is scattered, cannot be zero}}
  %0 = "stablehlo.reduce_scatter"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x0xf32>) -> tensor<4x0xf32>
  return
}

// -----

func.func @f(%t: !stablehlo.token) {
  // expected-error@+1 {{'stablehlo.infeed' op expects at least one result}}
  "stablehlo.infeed"(%t) <{layout = []}> : (!stablehlo.token) -> ()
  return
}

// -----

func.func @f(%t: !stablehlo.token) {
  // expected-error@+1 {{'stablehlo.infeed' op all results but the last must be tensors, but got '!stablehlo.token'}}
  %0:2 = "stablehlo.infeed"(%t) <{layout = [[0]]}> : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}

// -----

func.func @f(%t: !stablehlo.token) {
  // expected-error@+1 {{'stablehlo.infeed' op the last result must be a token, but got 'tensor<i32>'}}
  %0:1 = "stablehlo.infeed"(%t) <{layout = []}> : (!stablehlo.token) -> (tensor<i32>)
  return
}

// -----

func.func @f(%t: !stablehlo.token) {
  // expected-error@+1 {{'stablehlo.infeed' op layout has 1 entries for 2 tensors}}
  %0:3 = "stablehlo.infeed"(%t) <{layout = [[0]]}> : (!stablehlo.token) -> (tensor<3xi32>, tensor<i1>, !stablehlo.token)
  return
}

// -----

func.func @f(%t: !stablehlo.token) {
  // expected-error@+1 {{'stablehlo.infeed' op entry 0 of layout must be a list}}
  %0:2 = "stablehlo.infeed"(%t) <{layout = [0]}> : (!stablehlo.token) -> (tensor<3xi32>, !stablehlo.token)
  return
}

// -----

func.func @f(%t: !stablehlo.token) {
  // expected-error@+1 {{'stablehlo.infeed' op entry 0 of layout must be a list of integers}}
  %0:2 = "stablehlo.infeed"(%t) <{layout = [[[]]]}> : (!stablehlo.token) -> (tensor<3xi32>, !stablehlo.token)
  return
}

// -----

func.func @f(%a: tensor<2xi64>, %t: !stablehlo.token) {
  // expected-error@+1 {{'stablehlo.send' op expects a channel of type 1, but got 2}}
  %0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>}> : (tensor<2xi64>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @f(%t: !stablehlo.token) {
  // expected-error@+1 {{'stablehlo.recv' op expects a channel of type 3, but got 1}}
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error@+1 {{'stablehlo.async_start' op expects a region of one op and a return}}
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<4x4xf32>):
    %1 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    stablehlo.return %1 : tensor<4x4xf32>
  }) : (tensor<4x4xf32>) -> !stablehlo.future<tensor<4x4xf32>>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error@+1 {{'stablehlo.async_start' op expects a region with a collective or a slice}}
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<4x4xf32>):
    %1 = stablehlo.add %x, %x : tensor<4x4xf32>
    stablehlo.return %1 : tensor<4x4xf32>
  }) : (tensor<4x4xf32>) -> !stablehlo.future<tensor<4x4xf32>>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error@+1 {{'stablehlo.async_start' op has 1 operands, but its region 2 arguments}}
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>):
    %1 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    stablehlo.return %1 : tensor<4x4xf32>
  }) : (tensor<4x4xf32>) -> !stablehlo.future<tensor<4x4xf32>>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error@+1 {{'stablehlo.async_start' op operand 0 and the region's argument have different types}}
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<4x4xi32>):
    %1 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x4xi32>) -> tensor<4x4xi32>
    stablehlo.return %1 : tensor<4x4xi32>
  }) : (tensor<4x4xf32>) -> !stablehlo.future<tensor<4x4xf32>>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error@+1 {{'stablehlo.async_start' op its result '!stablehlo.future<tensor<4x5xf32>>' is no future of what the region returns}}
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<4x4xf32>):
    %1 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    stablehlo.return %1 : tensor<4x4xf32>
  }) : (tensor<4x4xf32>) -> !stablehlo.future<tensor<4x5xf32>>
  return
}

// -----

func.func @f(%a: !stablehlo.future<tensor<4x4xf32>>) {
  // expected-error@+1 {{'stablehlo.async_done' op result 'tensor<4x4xi32>' is not what '!stablehlo.future<tensor<4x4xf32>>' will be}}
  %0 = "stablehlo.async_done"(%a) : (!stablehlo.future<tensor<4x4xf32>>) -> tensor<4x4xi32>
  return
}

// -----

func.func @f(%x: tensor<16x8xf32>) -> tensor<16x16xf32> {
  // expected-error@+1 {{replica_groups: mesh symbol 'missing' not found}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @missing, axes = [#stablehlo.axis_ref<name = "x">]>}> : (tensor<16x8xf32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
