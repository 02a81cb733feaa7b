// RUN: echo-opt --split-input-file --verify-diagnostics %s

// expected-error@+1 {{'plan.arena' op has size_bytes 64, but its type has 32 bytes}}
%0 = "plan.arena"() <{size_bytes = 64 : i64, alignment = 64 : i64}> : () -> memref<32xi8>

// -----

// expected-error@+1 {{'plan.arena' op expects an alignment that is a power of two}}
%0 = "plan.arena"() <{size_bytes = 64 : i64, alignment = 3 : i64}> : () -> memref<64xi8>

// -----

// expected-error@+1 {{'plan.arena' op expects a size of zero or more bytes}}
%0 = "plan.arena"() <{size_bytes = -64 : i64, alignment = 64 : i64}> : () -> memref<64xi8>

// -----

%0 = "plan.arena"() <{size_bytes = 64 : i64, alignment = 64 : i64}> : () -> memref<64xi8>
// expected-error@+1 {{'plan.buffer' op reaches past the end of its arena}}
%1 = "plan.buffer"(%0) <{offset = 64 : i64}> : (memref<64xi8>) -> memref<1xf32>

// -----

%0 = "plan.arena"() <{size_bytes = 64 : i64, alignment = 64 : i64}> : () -> memref<64xi8>
// expected-error@+1 {{'plan.buffer' op expects an offset that is a multiple of the arena's alignment 64}}
%1 = "plan.buffer"(%0) <{offset = 4 : i64}> : (memref<64xi8>) -> memref<1xf32>

// -----

%0 = "plan.arena"() <{size_bytes = 64 : i64, alignment = 64 : i64}> : () -> memref<64xi8>
// expected-error@+1 {{'plan.buffer' op expects a memref of static shape and identity layout}}
%1 = "plan.buffer"(%0) : (memref<64xi8>) -> memref<?xf32>

// -----

func.func @f(%x: memref<64xi8>) {
  // expected-error@+1 {{'plan.buffer' op expects the result of 'plan.arena'}}
  %1 = "plan.buffer"(%x) : (memref<64xi8>) -> memref<1xf32>
  return
}

// -----

func.func @f(%x: memref<4xf32>) {
  // expected-error@+1 {{'plan.view' op views 16 bytes as 20}}
  %1 = "plan.view"(%x) : (memref<4xf32>) -> memref<5xf32>
  return
}

// -----

func.func @f(%x: memref<4xf32>, %y: memref<2x2xf32>) {
  // expected-error@+1 {{'plan.copy' op expects source and destination of one type}}
  "plan.copy"(%x, %y) : (memref<4xf32>, memref<2x2xf32>) -> ()
  return
}

// -----

// expected-error@+1 {{'plan.constant' op expects a value of its own shape and element type}}
%0 = "plan.constant"() <{value = dense<0.0> : tensor<4xf32>}> : () -> memref<5xf32>

// -----

func.func @f(%x: memref<i1>) {
  // expected-error@+1 {{'plan.while' op expects a region that ends in 'plan.condition'}}
  "plan.while"() ({
    "plan.yield"() : () -> ()
  }, {
    "plan.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f(%x: memref<f32>) {
  // expected-error@+1 {{'plan.case' op expects memref<i1> or memref<i32>}}
  "plan.case"(%x) ({
    "plan.yield"() : () -> ()
  }) : (memref<f32>) -> ()
  return
}

// -----

func.func @f(%x: memref<i1>) {
  // expected-error@+1 {{'plan.case' op expects two regions for a flag}}
  "plan.case"(%x) ({
    "plan.yield"() : () -> ()
  }) : (memref<i1>) -> ()
  return
}

// -----

func.func @f(%x: memref<4xf32>) {
  // expected-error@+1 {{'plan.swap_out' op expects a host_offset of zero or more bytes}}
  %e = "plan.swap_out"(%x) <{host_offset = -1 : i64}> : (memref<4xf32>) -> !plan.event
  "plan.wait"(%e) : (!plan.event) -> ()
  return
}

// -----

func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error@+1 {{'plan.swap_out' op expects either an argument or a host_offset}}
  %e = "plan.swap_out"(%x, %y) <{host_offset = 0 : i64}> : (memref<4xf32>, memref<4xf32>) -> !plan.event
  "plan.wait"(%e) : (!plan.event) -> ()
  return
}

// -----

func.func @f(%x: memref<4xf32>, %y: memref<8xf32>) {
  // expected-error@+1 {{'plan.swap_out' op expects source and destination of one type}}
  %e = "plan.swap_out"(%x, %y) : (memref<4xf32>, memref<8xf32>) -> !plan.event
  "plan.wait"(%e) : (!plan.event) -> ()
  return
}

// -----

func.func @f(%x: memref<4xf32>) {
  %arena = "plan.arena"() <{size_bytes = 64 : i64, alignment = 64 : i64}> : () -> memref<64xi8>
  %a = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<64xi8>) -> memref<4xf32>
  // expected-error@+1 {{'plan.swap_in' op expects an argument that is in host memory}}
  %e = "plan.swap_in"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> !plan.event
  "plan.wait"(%e) : (!plan.event) -> ()
  return
}

// -----

func.func @f(%x: memref<4xf32>) {
  // expected-error@+1 {{'plan.swap_in' op reaches past the end of any memory}}
  %e = "plan.swap_in"(%x) <{host_offset = 9223372036854775807 : i64}> : (memref<4xf32>) -> !plan.event
  "plan.wait"(%e) : (!plan.event) -> ()
  return
}

// -----

func.func @f(%e: !plan.event) {
  // expected-error@+1 {{'plan.wait' op expects the result of 'plan.swap_out', of 'plan.swap_in' or of 'kernel.launch'}}
  "plan.wait"(%e) : (!plan.event) -> ()
  return
}

// -----

func.func @main(%x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}) {
  // expected-error@+1 {{'plan.buffer' op expects the result of 'plan.arena', or the place of a result}}
  %a = "plan.buffer"(%x) <{offset = 0 : i64}> : (memref<16xf32>) -> memref<16xf32>
  return
}

// -----

func.func @main(%out: memref<64xf32> {plan.result = 0 : i32}) {
  // expected-error@+1 {{'plan.buffer' op expects an offset that is a multiple of 64}}
  %a = "plan.buffer"(%out) <{offset = 4 : i64}> : (memref<64xf32>) -> memref<16xf32>
  return
}

// -----

func.func @main(%out: memref<64xf32> {plan.result = 0 : i32}) {
  // expected-error@+1 {{'plan.buffer' op reaches past the end of the result's place}}
  %a = "plan.buffer"(%out) <{offset = 256 : i64}> : (memref<64xf32>) -> memref<16xf32>
  return
}

// -----

func.func @main(%x: memref<f32>) {
  // expected-error@+1 {{'kernel.launch' op expects a result of type '!plan.event', or none}}
  %0 = "kernel.launch"(%x, %x) <{callee = @k, n_inputs = 1 : i64}> : (memref<f32>, memref<f32>) -> memref<f32>
  return
}

// -----

func.func @main(%x: memref<f32>) {
  // expected-error@+1 {{'kernel.launch' op only begins: expects a token among its inputs and its outputs}}
  %0 = "kernel.launch"(%x) <{callee = @k, n_inputs = 0 : i64}> : (memref<f32>) -> !plan.event
  return
}
