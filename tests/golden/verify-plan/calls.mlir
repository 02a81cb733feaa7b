// RUN: echo-opt --split-input-file --verify-diagnostics --verify-plan %s
// RUN: echo-opt --split-input-file %s -o %t.mlir && echo-opt --split-input-file %t.mlir | diff %t.mlir -

// A call begins, another step runs, the next call begins behind the token alone; both are waited for, and what they wrote is read.
func.func @main(%x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}, %last: memref<i1> {plan.result = 1 : i32}) {
  %arena = "plan.arena"() <{size_bytes = 384 : i64, alignment = 64 : i64}> : () -> memref<384xi8>
  %t = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<384xi8>) -> memref<i1>
  %u = "plan.buffer"(%arena) <{offset = 64 : i64}> : (memref<384xi8>) -> memref<i1>
  %a = "plan.buffer"(%arena) <{offset = 128 : i64}> : (memref<384xi8>) -> memref<16xf32>
  %b = "plan.buffer"(%arena) <{offset = 192 : i64}> : (memref<384xi8>) -> memref<16xf32>
  %c = "plan.buffer"(%arena) <{offset = 256 : i64}> : (memref<384xi8>) -> memref<16xf32>
  %d = "plan.buffer"(%arena) <{offset = 320 : i64}> : (memref<384xi8>) -> memref<16xf32>
  "kernel.launch"(%t) <{callee = @none, n_inputs = 0 : i64}> : (memref<i1>) -> ()
  "plan.copy"(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  %e = "kernel.launch"(%t, %a, %u, %b) <{callee = @call, n_inputs = 2 : i64}> : (memref<i1>, memref<16xf32>, memref<i1>, memref<16xf32>) -> !plan.event
  "plan.copy"(%a, %c) : (memref<16xf32>, memref<16xf32>) -> ()
  %f = "kernel.launch"(%u, %c, %last, %d) <{callee = @call, n_inputs = 2 : i64}> : (memref<i1>, memref<16xf32>, memref<i1>, memref<16xf32>) -> !plan.event
  "plan.wait"(%e) : (!plan.event) -> ()
  "plan.copy"(%b, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  "plan.wait"(%f) : (!plan.event) -> ()
  "plan.copy"(%d, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

// Another buffer lies where the call still reads.
func.func @main(%t: memref<i1>, %x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}, %u: memref<i1> {plan.result = 1 : i32}) {
  %arena = "plan.arena"() <{size_bytes = 64 : i64, alignment = 64 : i64}> : () -> memref<64xi8>
  %a = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<64xi8>) -> memref<16xf32>
  %b = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<64xi8>) -> memref<16xf32>
  "plan.copy"(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  // expected-error@+1 {{'kernel.launch' op has operand #1 written before the call is waited for}}
  %e = "kernel.launch"(%t, %a, %u, %out) <{callee = @call, n_inputs = 2 : i64}> : (memref<i1>, memref<16xf32>, memref<i1>, memref<16xf32>) -> !plan.event
  "plan.copy"(%x, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  "plan.wait"(%e) : (!plan.event) -> ()
  return
}

// -----

// The operand itself is written.
func.func @main(%t: memref<i1>, %x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}, %u: memref<i1> {plan.result = 1 : i32}) {
  %arena = "plan.arena"() <{size_bytes = 64 : i64, alignment = 64 : i64}> : () -> memref<64xi8>
  %a = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<64xi8>) -> memref<16xf32>
  "plan.copy"(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  %e = "kernel.launch"(%t, %a, %u, %out) <{callee = @call, n_inputs = 2 : i64}> : (memref<i1>, memref<16xf32>, memref<i1>, memref<16xf32>) -> !plan.event
  // expected-error@+1 {{'plan.copy' op writes what a call that is under way reads}}
  "plan.copy"(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  "plan.wait"(%e) : (!plan.event) -> ()
  return
}

// -----

// The result is read before it is there.
func.func @main(%t: memref<i1>, %x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}, %u: memref<i1> {plan.result = 1 : i32}) {
  %arena = "plan.arena"() <{size_bytes = 64 : i64, alignment = 64 : i64}> : () -> memref<64xi8>
  // expected-note@+1 {{the buffer it means to read}}
  %a = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<64xi8>) -> memref<16xf32>
  %e = "kernel.launch"(%t, %x, %u, %a) <{callee = @call, n_inputs = 2 : i64}> : (memref<i1>, memref<16xf32>, memref<i1>, memref<16xf32>) -> !plan.event
  // expected-error@+1 {{'plan.copy' op reads bytes 0 to 64 of the arena, which hold something else}}
  "plan.copy"(%a, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  "plan.wait"(%e) : (!plan.event) -> ()
  return
}

// -----

// Its place is written, by the buffer's own writer and by another call.
func.func @main(%t: memref<i1>, %x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}, %u: memref<i1> {plan.result = 1 : i32}) {
  // expected-error@+1 {{'kernel.launch' op has operand #3 written before the call is waited for}}
  %e = "kernel.launch"(%t, %x, %u, %out) <{callee = @call, n_inputs = 2 : i64}> : (memref<i1>, memref<16xf32>, memref<i1>, memref<16xf32>) -> !plan.event
  "plan.copy"(%x, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  "plan.wait"(%e) : (!plan.event) -> ()
  return
}

// -----

func.func @main(%t: memref<i1>, %x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}, %u: memref<i1> {plan.result = 1 : i32}) {
  // expected-error@+1 {{'kernel.launch' op has operand #3 written before the call is waited for}}
  %e = "kernel.launch"(%t, %x, %u, %out) <{callee = @call, n_inputs = 2 : i64}> : (memref<i1>, memref<16xf32>, memref<i1>, memref<16xf32>) -> !plan.event
  // expected-error@+1 {{'kernel.launch' op has operand #3 written before the call is waited for}}
  %f = "kernel.launch"(%t, %x, %u, %out) <{callee = @call, n_inputs = 2 : i64}> : (memref<i1>, memref<16xf32>, memref<i1>, memref<16xf32>) -> !plan.event
  "plan.wait"(%e) : (!plan.event) -> ()
  "plan.wait"(%f) : (!plan.event) -> ()
  return
}

// -----

// Nobody waits.
// expected-error@+1 {{'func.func' op leaves something else in the place of its result, argument #2}}
func.func @main(%t: memref<i1>, %x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}, %u: memref<i1> {plan.result = 1 : i32}) {
  // expected-error@+1 {{'kernel.launch' op is never waited for}}
  %e = "kernel.launch"(%t, %x, %u, %out) <{callee = @call, n_inputs = 2 : i64}> : (memref<i1>, memref<16xf32>, memref<i1>, memref<16xf32>) -> !plan.event
  return
}

// -----

// A loop's body begins it anew before it is waited for.
func.func @main(%t: memref<i1>, %x: memref<16xf32>, %flag: memref<i1>, %out: memref<16xf32> {plan.result = 0 : i32}, %u: memref<i1> {plan.result = 1 : i32}) {
  "plan.while"() ({
    "plan.condition"(%flag) : (memref<i1>) -> ()
  }, {
    // expected-error@+2 {{'kernel.launch' op begins again before it has been waited for}}
    // expected-error@+1 {{'kernel.launch' op is never waited for}}
    %e = "kernel.launch"(%t, %x, %u, %out) <{callee = @call, n_inputs = 2 : i64}> : (memref<i1>, memref<16xf32>, memref<i1>, memref<16xf32>) -> !plan.event
    "plan.yield"() : () -> ()
  }) : () -> ()
  "plan.copy"(%x, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}
