// Scatters on a GPU go in parallel over destinations and in index order for each: their bits are those of one update after the other, which is
// how the CPU does it. 300 updates of 20 rows and of what is outside, more than a block looks through at once; 600 of 600 rows, which blocks share, of more elements than a block has threads; and batches, that come one behind the other or do not.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=cpu --quiet --outputs=%t/cpu.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/cpu.npz --rtol=0 --atol=0 --kernels --json=%t/kernels.json
// RUN: python3 -c "import json; k = [x for x in json.load(open('%t/kernels.json'))['kernels'] if x['kind'] == 'scatter' and x['launches']]; assert max(x['blocks'] for x in k) > 512 and all(x['threads'] >= 256 * x['blocks'] - 2048 for x in k)"

func.func @main(%rows: tensor<20x270xf32>, %updates: tensor<300x270xf32>, %image: tensor<2x3x9x9xf32>, %grads: tensor<2x3x4x4xf32>, %table: tensor<600x300xf32>, %more: tensor<600x300xf32>,
    %batches: tensor<6x40xf32>, %of_batches: tensor<6x300xf32>, %across: tensor<300x6xf32>)
    -> (tensor<20x270xf32>, tensor<2x3x9x9xf32>, tensor<600x300xf32>, tensor<6x40xf32>, tensor<6x40xf32>) {
  %count = stablehlo.iota dim = 0 : tensor<300xi32>
  %seven = stablehlo.constant dense<7> : tensor<300xi32>
  %many = stablehlo.constant dense<23> : tensor<300xi32>
  %two = stablehlo.constant dense<2> : tensor<300xi32>
  %times = stablehlo.multiply %count, %seven : tensor<300xi32>
  %wrapped = stablehlo.remainder %times, %many : tensor<300xi32>
  %at = stablehlo.subtract %wrapped, %two : tensor<300xi32>
  %indices = stablehlo.reshape %at : (tensor<300xi32>) -> tensor<300x1xi32>
  %new = "stablehlo.scatter"(%rows, %indices, %updates) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<20x270xf32>, tensor<300x1xi32>, tensor<300x270xf32>) -> tensor<20x270xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %back = "stablehlo.select_and_scatter"(%image, %grads, %zero) <{window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3x9x9xf32>, tensor<2x3x4x4xf32>, tensor<f32>) -> tensor<2x3x9x9xf32>
  %line = stablehlo.iota dim = 0 : tensor<600x1xi32>
  %sixty_four = stablehlo.constant dense<64> : tensor<600x1xi32>
  %below = stablehlo.constant dense<613> : tensor<600x1xi32>
  %apart = stablehlo.multiply %line, %sixty_four : tensor<600x1xi32>
  %rows_of = stablehlo.remainder %apart, %below : tensor<600x1xi32>
  %lower = stablehlo.constant dense<5> : tensor<600x1xi32>
  %places = stablehlo.subtract %rows_of, %lower : tensor<600x1xi32>
  %dealt = "stablehlo.scatter"(%table, %places, %more) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %half = stablehlo.constant dense<0.5> : tensor<f32>
    %kept = stablehlo.multiply %a, %half : tensor<f32>
    %s = stablehlo.add %kept, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<600x300xf32>, tensor<600x1xi32>, tensor<600x300xf32>) -> tensor<600x300xf32>
  %numbers = stablehlo.iota dim = 0 : tensor<1800xi32>
  %thirteen = stablehlo.constant dense<13> : tensor<1800xi32>
  %forty_three = stablehlo.constant dense<43> : tensor<1800xi32>
  %thirteens = stablehlo.multiply %numbers, %thirteen : tensor<1800xi32>
  %columns = stablehlo.remainder %thirteens, %forty_three : tensor<1800xi32>
  %first = stablehlo.reshape %columns : (tensor<1800xi32>) -> tensor<6x300xi32>
  %last = stablehlo.reshape %columns : (tensor<1800xi32>) -> tensor<300x6xi32>
  %batch_first = "stablehlo.scatter"(%batches, %first, %of_batches) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6x40xf32>, tensor<6x300xi32>, tensor<6x300xf32>) -> tensor<6x40xf32>
  %batch_last = "stablehlo.scatter"(%batches, %last, %across) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6x40xf32>, tensor<300x6xi32>, tensor<300x6xf32>) -> tensor<6x40xf32>
  return %new, %back, %dealt, %batch_first, %batch_last : tensor<20x270xf32>, tensor<2x3x9x9xf32>, tensor<600x300xf32>, tensor<6x40xf32>, tensor<6x40xf32>
}
