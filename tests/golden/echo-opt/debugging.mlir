// What helps who works on the compiler: silent unless it is asked for.
// RUN: echo-opt %s --cse -o /dev/null 2>&1 | count 0
// RUN: env ECHO_DEBUG=parser:3,pass echo-opt %s --cse --dce -o /dev/null 2>&1 | FileCheck %s
// RUN: env ECHO_DEBUG=pass:0 echo-opt %s --cse -o /dev/null 2>&1 | count 0
// RUN: not --crash echo-opt %s --break-on-op=1 -o /dev/null 2>&1 | FileCheck %s --check-prefix=BREAK

// CHECK: [pass] cse on builtin.module @: fine, nothing changed, {{[0-9.]+}} ms
// CHECK-NEXT: [pass] dce on builtin.module @: fine, nothing changed, {{[0-9.]+}} ms
// BREAK: op 1 is created: 'func.func'
func.func @f() {
  return
}
