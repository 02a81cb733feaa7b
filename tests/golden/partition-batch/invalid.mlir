// What mixes the batch, and what is no batch: refused, with what to do.
// RUN: echo-opt %s --split-input-file --verify-diagnostics --partition-batch="processes=4 batch=arg0"

module {
  func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    // expected-error@+1 {{meets the whole batch, or another dimension that is split, with the batch of operand #1, and is not partitioned by itself: write what each device does with jax.shard_map}}
    %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}

// -----

module {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error@+1 {{mixes the batch of operand #0}}
    %0 = stablehlo.reverse %x, dims = [0] : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

module {
  func.func @main(%x: tensor<8x3xf32>) -> tensor<4x6xf32> {
    // expected-error@+1 {{tears the batch of operand #0}}
    %0 = stablehlo.reshape %x : (tensor<8x3xf32>) -> tensor<2x12xf32>
    %1 = stablehlo.reshape %0 : (tensor<2x12xf32>) -> tensor<4x6xf32>
    return %1 : tensor<4x6xf32>
  }
}

// -----

module {
  func.func @main(%x: tensor<8xf32>) -> tensor<f32> {
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    // expected-error@+1 {{adds what is not zero to a sum over the batch of operand #0}}
    %0 = stablehlo.reduce(%x init: %one) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// -----

module {
  func.func @main(%x: tensor<8xf32>) -> tensor<f32> {
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    // expected-error@+1 {{reduces the batch in a way that is none of add, maximum, minimum, and, or, of operand #0}}
    %0 = stablehlo.reduce(%x init: %one) applies stablehlo.multiply across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// -----

module {
  func.func @main(%ids: tensor<8x1xi32>, %table: tensor<5xf32>, %rows: tensor<8xf32>) -> tensor<5xf32> {
    // expected-error@+1 {{scatters the batch, and not by adding to zeros, of operand #1}}
    %0 = "stablehlo.scatter"(%table, %ids, %rows) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %b : tensor<f32>
    }) : (tensor<5xf32>, tensor<8x1xi32>, tensor<8xf32>) -> tensor<5xf32>
    return %0 : tensor<5xf32>
  }
}

// -----

module {
  // expected-error@+1 {{is split along dimension 0 of argument #0, 'tensor<6xf32>', which 4 processes do not divide: take another batch size, or as many processes as divide it}}
  func.func @main(%x: tensor<6xf32>) -> tensor<6xf32> {
    return %x : tensor<6xf32>
  }
}

// -----

module {
  // expected-error@+1 {{is split along dimension 0 of argument #0, which 'tensor<f32>' has not}}
  func.func @main(%x: tensor<f32>) -> tensor<f32> {
    return %x : tensor<f32>
  }
}

// -----

module {
  // expected-error@+1 {{has 0 arguments, and 'arg0' is none of them}}
  func.func @main() {
    return
  }
}

// -----

module {
  func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %n = stablehlo.constant dense<3> : tensor<i32>
    // expected-error@+1 {{carries value #1 split along dimension 0 into an iteration and along 1 out of it}}
    %r:2 = stablehlo.while(%i = %zero, %h = %x) : tensor<i32>, tensor<4x4xf32>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %t = stablehlo.transpose %h, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %j = stablehlo.add %i, %n : tensor<i32>
      stablehlo.return %j, %t : tensor<i32>, tensor<4x4xf32>
    }
    return %r#1 : tensor<4x4xf32>
  }
}

// -----

module {
  func.func @main(%x: tensor<4x4xf32>, %p: tensor<i1>) -> tensor<4x4xf32> {
    %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    // expected-error@+1 {{has branches that split result #0 in different ways}}
    %r = "stablehlo.if"(%p) ({
      stablehlo.return %x : tensor<4x4xf32>
    }, {
      stablehlo.return %t : tensor<4x4xf32>
    }) : (tensor<i1>) -> tensor<4x4xf32>
    return %r : tensor<4x4xf32>
  }
}

// -----

module {
  func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<ui32>) {
    // expected-error@+1 {{stands in a program that is to be partitioned: it is so already}}
    %r = stablehlo.partition_id : tensor<ui32>
    return %x, %r : tensor<4xf32>, tensor<ui32>
  }
}

// -----

// expected-error@+1 {{is for 1 times 3 processes: its batch cannot be divided among others}}
module attributes {mhlo.num_partitions = 3 : i32} {
  func.func @main(%x: tensor<12xf32>) -> tensor<12xf32> {
    return %x : tensor<12xf32>
  }
}

// -----

// expected-error@+1 {{says what each process does, and is not partitioned again}}
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%p: tensor<1xf32>) {
      sdy.return %p : tensor<1xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
