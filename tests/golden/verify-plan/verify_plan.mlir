// RUN: echo-opt --split-input-file --verify-diagnostics --verify-plan %s

// Two live buffers overlap: the second is written over the first before it is read.
func.func @main(%x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}) {
  %arena = "plan.arena"() <{size_bytes = 128 : i64, alignment = 64 : i64}> : () -> memref<128xi8>
  // expected-note@+1 {{the buffer it means to read}}
  %a = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<128xi8>) -> memref<16xf32>
  %b = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<128xi8>) -> memref<32xf32>
  %c = "plan.constant"() <{value = dense<0.0> : tensor<32xf32>}> : () -> memref<32xf32>
  "plan.copy"(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  "plan.copy"(%c, %b) : (memref<32xf32>, memref<32xf32>) -> ()
  // expected-error@+1 {{'plan.copy' op reads bytes 0 to 64 of the arena, which hold something else}}
  "plan.copy"(%a, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

// expected-error@+1 {{'func.func' op never writes its result, argument #1}}
func.func @main(%x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}) {
  return
}

// -----

func.func @main(%x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}) {
  // expected-error@+1 {{'plan.copy' op reads a result before it is written}}
  "plan.copy"(%out, %x) : (memref<16xf32>, memref<16xf32>) -> ()
  "plan.copy"(%x, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

func.func @main(%x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}) {
  %c = "plan.constant"() <{value = dense<0.0> : tensor<16xf32>}> : () -> memref<16xf32>
  // expected-error@+1 {{'plan.copy' op writes a constant}}
  "plan.copy"(%x, %c) : (memref<16xf32>, memref<16xf32>) -> ()
  "plan.copy"(%x, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

// A launch may write over an operand only where it is that operand's very buffer.
func.func @main(%x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}) {
  %arena = "plan.arena"() <{size_bytes = 128 : i64, alignment = 64 : i64}> : () -> memref<128xi8>
  %a = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<128xi8>) -> memref<16xf32>
  %b = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<128xi8>) -> memref<16xf32>
  "plan.copy"(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  // expected-error@+1 {{'kernel.launch' op writes over operand #0, which is another buffer}}
  "kernel.launch"(%a, %b) <{callee = @k, n_inputs = 1 : i64}> : (memref<16xf32>, memref<16xf32>) -> ()
  "plan.copy"(%b, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

func.func @main(%x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}) {
  // expected-error@+1 {{'kernel.launch' op writes two results to one buffer}}
  "kernel.launch"(%x, %out, %out) <{callee = @k, n_inputs = 1 : i64}> : (memref<16xf32>, memref<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

// expected-error@+1 {{'func.func' op holds no plan: the module is at stage 'model', plans are made on the way to 'planned'}}
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  return %x : tensor<16xf32>
}

// -----

func.func @main(%x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}) {
  %arena = "plan.arena"() <{size_bytes = 0 : i64, alignment = 64 : i64}> : () -> memref<0xi8>
  // expected-error@+1 {{'plan.buffer' op has no offset yet: --plan-memory gives it one}}
  %a = "plan.buffer"(%arena) : (memref<0xi8>) -> memref<16xf32>
  "plan.copy"(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  "plan.copy"(%a, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

// In the place of a result, before it is written: fine.
func.func @main(%x: memref<16xf32>, %out: memref<64xf32> {plan.result = 0 : i32}, %y: memref<64xf32>) {
  %a = "plan.buffer"(%out) <{offset = 64 : i64}> : (memref<64xf32>) -> memref<16xf32>
  "plan.copy"(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  "plan.copy"(%a, %x) : (memref<16xf32>, memref<16xf32>) -> ()
  "plan.copy"(%y, %out) : (memref<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// The result is written first.
func.func @main(%x: memref<16xf32>, %out: memref<64xf32> {plan.result = 0 : i32}, %y: memref<64xf32>) {
  // expected-note@+1 {{the buffer it means to read}}
  %a = "plan.buffer"(%out) <{offset = 64 : i64}> : (memref<64xf32>) -> memref<16xf32>
  "plan.copy"(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  "plan.copy"(%y, %out) : (memref<64xf32>, memref<64xf32>) -> ()
  // expected-error@+1 {{'plan.copy' op reads bytes 64 to 128 of a result's place, which hold something else}}
  "plan.copy"(%a, %x) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

// What is written over the result stays there.
// expected-error@+1 {{'func.func' op leaves something else in the place of its result, argument #1}}
func.func @main(%x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}, %y: memref<16xf32>) {
  %a = "plan.buffer"(%out) <{offset = 0 : i64}> : (memref<16xf32>) -> memref<16xf32>
  "plan.copy"(%y, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  "plan.copy"(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}
