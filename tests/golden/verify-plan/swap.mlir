// RUN: echo-opt --split-input-file --verify-diagnostics --verify-plan %s

// Out, its place used by another, back elsewhere: fine.
func.func @main(%x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}) {
  %arena = "plan.arena"() <{size_bytes = 64 : i64, alignment = 64 : i64}> : () -> memref<64xi8>
  %a = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<64xi8>) -> memref<16xf32>
  "plan.copy"(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  %e = "plan.swap_out"(%a) <{host_offset = 0 : i64}> : (memref<16xf32>) -> !plan.event
  "plan.wait"(%e) : (!plan.event) -> ()
  %b = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<64xi8>) -> memref<16xf32>
  "plan.copy"(%x, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  %c = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<64xi8>) -> memref<16xf32>
  %f = "plan.swap_in"(%c) <{host_offset = 0 : i64}> : (memref<16xf32>) -> !plan.event
  "plan.wait"(%f) : (!plan.event) -> ()
  "plan.copy"(%c, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

// The place is written before the copy out is over.
func.func @main(%x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}) {
  %arena = "plan.arena"() <{size_bytes = 64 : i64, alignment = 64 : i64}> : () -> memref<64xi8>
  %a = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<64xi8>) -> memref<16xf32>
  %b = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<64xi8>) -> memref<16xf32>
  "plan.copy"(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  // expected-error@+1 {{'plan.swap_out' op has its buffer written before the copy is waited for}}
  %e = "plan.swap_out"(%a) <{host_offset = 0 : i64}> : (memref<16xf32>) -> !plan.event
  "plan.copy"(%x, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  "plan.wait"(%e) : (!plan.event) -> ()
  "plan.copy"(%b, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

// Nobody waits for the copy.
func.func @main(%x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}) {
  %arena = "plan.arena"() <{size_bytes = 64 : i64, alignment = 64 : i64}> : () -> memref<64xi8>
  %a = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<64xi8>) -> memref<16xf32>
  "plan.copy"(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  // expected-error@+1 {{'plan.swap_out' op is never waited for}}
  %e = "plan.swap_out"(%a) <{host_offset = 0 : i64}> : (memref<16xf32>) -> !plan.event
  "plan.copy"(%x, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

// Read before the copy in is over.
func.func @main(%x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}) {
  %arena = "plan.arena"() <{size_bytes = 64 : i64, alignment = 64 : i64}> : () -> memref<64xi8>
  %a = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<64xi8>) -> memref<16xf32>
  // expected-note@+1 {{the buffer it means to read}}
  %b = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<64xi8>) -> memref<16xf32>
  "plan.copy"(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  %e = "plan.swap_out"(%a) <{host_offset = 0 : i64}> : (memref<16xf32>) -> !plan.event
  "plan.wait"(%e) : (!plan.event) -> ()
  %f = "plan.swap_in"(%b) <{host_offset = 0 : i64}> : (memref<16xf32>) -> !plan.event
  // expected-error@+1 {{'plan.copy' op reads bytes 0 to 64 of the arena, which hold something else}}
  "plan.copy"(%b, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  "plan.wait"(%f) : (!plan.event) -> ()
  return
}

// -----

// The copy in overtakes the copy out.
func.func @main(%x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}) {
  %arena = "plan.arena"() <{size_bytes = 128 : i64, alignment = 64 : i64}> : () -> memref<128xi8>
  %a = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<128xi8>) -> memref<16xf32>
  %b = "plan.buffer"(%arena) <{offset = 64 : i64}> : (memref<128xi8>) -> memref<16xf32>
  "plan.copy"(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  %e = "plan.swap_out"(%a) <{host_offset = 0 : i64}> : (memref<16xf32>) -> !plan.event
  // expected-error@+1 {{'plan.swap_in' op copies host memory that holds no whole value}}
  %f = "plan.swap_in"(%b) <{host_offset = 0 : i64}> : (memref<16xf32>) -> !plan.event
  "plan.wait"(%e) : (!plan.event) -> ()
  "plan.wait"(%f) : (!plan.event) -> ()
  "plan.copy"(%x, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

// Two copies to one place in host memory.
func.func @main(%x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}) {
  %arena = "plan.arena"() <{size_bytes = 128 : i64, alignment = 64 : i64}> : () -> memref<128xi8>
  %a = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<128xi8>) -> memref<16xf32>
  %b = "plan.buffer"(%arena) <{offset = 64 : i64}> : (memref<128xi8>) -> memref<16xf32>
  "plan.copy"(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  "plan.copy"(%x, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  // expected-error@+1 {{'plan.swap_out' op has its host memory written by another copy}}
  %e = "plan.swap_out"(%a) <{host_offset = 0 : i64}> : (memref<16xf32>) -> !plan.event
  %f = "plan.swap_out"(%b) <{host_offset = 32 : i64}> : (memref<16xf32>) -> !plan.event
  "plan.wait"(%e) : (!plan.event) -> ()
  "plan.wait"(%f) : (!plan.event) -> ()
  "plan.copy"(%x, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

// Values come back into the arena only.
func.func @main(%x: memref<16xf32>, %out: memref<16xf32> {plan.result = 0 : i32}) {
  "plan.copy"(%x, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  %e = "plan.swap_out"(%x) <{host_offset = 0 : i64}> : (memref<16xf32>) -> !plan.event
  "plan.wait"(%e) : (!plan.event) -> ()
  // expected-error@+1 {{'plan.swap_in' op expects a buffer of the arena}}
  %f = "plan.swap_in"(%out) <{host_offset = 0 : i64}> : (memref<16xf32>) -> !plan.event
  "plan.wait"(%f) : (!plan.event) -> ()
  return
}

// -----

// State waits in host memory: in, updated in place, and back.
func.func @main(%m: memref<16xf32> {plan.in_host, tf.aliasing_output = 0 : i32}) {
  %arena = "plan.arena"() <{size_bytes = 64 : i64, alignment = 64 : i64}> : () -> memref<64xi8>
  %a = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<64xi8>) -> memref<16xf32>
  %e = "plan.swap_in"(%a, %m) : (memref<16xf32>, memref<16xf32>) -> !plan.event
  "plan.wait"(%e) : (!plan.event) -> ()
  "plan.copy"(%a, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  %f = "plan.swap_out"(%a, %m) : (memref<16xf32>, memref<16xf32>) -> !plan.event
  "plan.wait"(%f) : (!plan.event) -> ()
  return
}

// -----

// Only swaps reach it.
func.func @main(%m: memref<16xf32> {plan.in_host}, %out: memref<16xf32> {plan.result = 0 : i32}) {
  // expected-error@+1 {{'plan.copy' op uses an argument that is in host memory}}
  "plan.copy"(%m, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

// The other end is no argument in host memory.
func.func @main(%m: memref<16xf32>) {
  %arena = "plan.arena"() <{size_bytes = 64 : i64, alignment = 64 : i64}> : () -> memref<64xi8>
  %a = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<64xi8>) -> memref<16xf32>
  // expected-error@+1 {{'plan.swap_in' op expects an argument that is in host memory}}
  %e = "plan.swap_in"(%a, %m) : (memref<16xf32>, memref<16xf32>) -> !plan.event
  "plan.wait"(%e) : (!plan.event) -> ()
  return
}

// -----

// What was computed is never copied back.
// expected-error@+1 {{'func.func' op never copies the new value of argument #0 back to host memory}}
func.func @main(%m: memref<16xf32> {plan.in_host, tf.aliasing_output = 0 : i32}) {
  %arena = "plan.arena"() <{size_bytes = 64 : i64, alignment = 64 : i64}> : () -> memref<64xi8>
  %a = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<64xi8>) -> memref<16xf32>
  %e = "plan.swap_in"(%a, %m) : (memref<16xf32>, memref<16xf32>) -> !plan.event
  "plan.wait"(%e) : (!plan.event) -> ()
  "plan.copy"(%a, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

// The old value is fetched again.
// expected-error@+1 {{'func.func' op never copies the new value of argument #0 back to host memory}}
func.func @main(%m: memref<16xf32> {plan.in_host, tf.aliasing_output = 0 : i32}) {
  %arena = "plan.arena"() <{size_bytes = 128 : i64, alignment = 64 : i64}> : () -> memref<128xi8>
  %a = "plan.buffer"(%arena) <{offset = 0 : i64}> : (memref<128xi8>) -> memref<16xf32>
  %b = "plan.buffer"(%arena) <{offset = 64 : i64}> : (memref<128xi8>) -> memref<16xf32>
  %e = "plan.swap_in"(%a, %m) : (memref<16xf32>, memref<16xf32>) -> !plan.event
  "plan.wait"(%e) : (!plan.event) -> ()
  "plan.copy"(%a, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  // expected-error@+1 {{'plan.swap_in' op copies an argument of which a buffer holds a newer value}}
  %f = "plan.swap_in"(%b, %m) : (memref<16xf32>, memref<16xf32>) -> !plan.event
  "plan.wait"(%f) : (!plan.event) -> ()
  return
}
