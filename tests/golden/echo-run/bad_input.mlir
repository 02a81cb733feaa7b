// What can be wrong with the input: a clear message, exit status 1, and no file is left.
// RUN: rm -rf %t && mkdir %t
// RUN: not echo-run %t/none.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: {{none.mlir.*No such file}}
// RUN: not echo-run 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: expects one file
// RUN: not echo-run %s --device=tpu 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: error: --device is interpreter, cpu, cuda, cuda:N or cuda:N,M
// RUN: not echo-run %s --steps=-1 2>&1 | FileCheck %s --check-prefix=STEPS
// STEPS: error: '--steps': bad value '-1': a whole number from 1 to
// RUN: not echo-run %s --shard-state=all 2>&1 | FileCheck %s --check-prefix=STATE
// STATE: error: --shard-state takes nothing, norms or off
// RUN: not echo-run %s --frobnicate 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: '--frobnicate': no such option

// RUN: not echo-run %s --inputs=%t/none.npz 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: error: cannot open '{{.*}}none.npz': No such file
// RUN: not echo-run %s --inputs=%s 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: bad_input.mlir': no .npy, .npz or .safetensors file, or cut off

// RUN: python3 %S/Inputs/make_npz.py %t/shape.npz "arg0=<f4:3:1"
// RUN: not echo-run %s --inputs=%t/shape.npz --outputs=%t/out.npz 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: array 'arg0' is tensor<3xf32>, but the argument is tensor<2xf32>
// RUN: python3 %S/Inputs/make_npz.py %t/type.npz "arg0=<f8:2:1"
// RUN: not echo-run %s --inputs=%t/type.npz --outputs=%t/out.npz 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: array 'arg0' is tensor<2xf64>, but the argument is tensor<2xf32>
// RUN: python3 %S/Inputs/make_npz.py %t/count.npz "arg0=<f4:2:1" "arg2=<f4:2:1"
// RUN: not echo-run %s --inputs=%t/count.npz --outputs=%t/out.npz 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: error: array 'arg2' names no argument: main has 2, arg0 to arg1
// RUN: not echo-run %s --inputs=%t/count.npz,%t/count.npz 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: count.npz': 'arg0': is given twice
// RUN: head -c 150 %t/count.npz > %t/cut.npz
// RUN: not echo-run %s --inputs=%t/cut.npz 2>&1 | FileCheck %s --check-prefix=CUT
// CUT: cut.npz': the .npz archive is corrupt or cut off

// RUN: not echo-run %s --feed=res0:arg9 2>&1 | FileCheck %s --check-prefix=FEED
// FEED: error: --feed=res0:arg9: main has 1 results and 2 arguments
// RUN: not echo-run %s --feed=res0:arg1 2>&1 | FileCheck %s --check-prefix=FEEDTYPE
// FEEDTYPE: error: --feed=res0:arg1: the result is tensor<2xf32>, the argument is tensor<3xi32>
// RUN: not echo-run %s --feed=res0:arg0,res0:arg0 2>&1 | FileCheck %s --check-prefix=FEEDTWICE
// FEEDTWICE: error: argument 0 is fed twice
// RUN: python3 %S/Inputs/make_npz.py %t/feed.npz "arg0=<f4:2:1"
// RUN: not echo-run %s --feed=%t/feed.npz 2>&1 | FileCheck %s --check-prefix=FEEDSHAPE
// FEEDSHAPE: and a feed has one dimension more in front: the steps

// RUN: not echo-run %s --no-cache --outputs=%t/none/out.npz 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: error: {{.*}}none/out.npz': No such file
// RUN: not echo-run %s --plan-only --outputs=%t/out.npz 2>&1 | FileCheck %s --check-prefix=PLAN
// PLAN: error: --plan-only runs nothing
// RUN: not ls %t/out.npz

// RUN: not echo-run %s --threads=-1 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: error: '--threads': bad value '-1': a whole number from 0 to 4096
// RUN: not echo-run %s --atol=-1 2>&1 | FileCheck %s --check-prefix=ATOL
// ATOL: error: --rtol, --atol and --norm-rtol are not negative
// RUN: not echo-run %s --device=interpreter --echo 2>&1 | FileCheck %s --check-prefix=NOPLAN
// NOPLAN: error: --report and --echo are about a plan, which the interpreter has not
// RUN: python3 -c "import zipfile; zipfile.ZipFile('%t/empty.npz', 'w').close()"
// RUN: not echo-run %s --no-cache --expect=%t/empty.npz 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: the file of expected results is empty
// RUN: python3 %S/Inputs/make_npz.py %t/none.npz "arg0=<f4:0,2:"
// RUN: not echo-run %s --no-cache --feed=%t/none.npz 2>&1 | FileCheck %s --check-prefix=NOSTEPS
// NOSTEPS: error: the feed holds no steps

// RUN: echo "func.func @main(%%a: tensor<2xf32> {tf.aliasing_output = 3 : i32}) -> tensor<2xf32> { return %%a : tensor<2xf32> }" > %t/alias.mlir
// RUN: not echo-run %t/alias.mlir 2>&1 | FileCheck %s --check-prefix=ALIAS
// ALIAS: error: {{.*}}tf.aliasing_output of argument #0 names no result
// RUN: echo "func.func @main(%%a: tensor<2xf32> {tf.aliasing_output = 0 : i32}, %%b: tensor<2xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2xf32> { return %%a : tensor<2xf32> }" > %t/both.mlir
// RUN: not echo-run %t/both.mlir 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: {{.*}}result #0 is to take the storage of two arguments
// RUN: echo "func.func @main(%%a: tensor<2xf32> {tf.aliasing_output = 0 : i32}) -> tensor<3xf32> { %%0 = stablehlo.constant dense<1.0> : tensor<3xf32> return %%0 : tensor<3xf32> }" > %t/other_type.mlir
// RUN: not echo-run %t/other_type.mlir 2>&1 | FileCheck %s --check-prefix=ALIASTYPE
// ALIASTYPE: error: {{.*}}result #0 takes the storage of argument #0, which has another type
// RUN: echo "func.func @main(%%a: tensor<2xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2xf32> { return %%a : tensor<2xf32> }" > %t/taken.mlir
// RUN: python3 %S/Inputs/make_npz.py %t/steps.npz "arg0=<f4:3,2:1"
// RUN: not echo-run %t/taken.mlir --no-cache --feed=%t/steps.npz 2>&1 | FileCheck %s --check-prefix=TAKEN
// TAKEN: error: argument 0 is fed from a file and takes result 0 of the step before

// RUN: not echo-translate %s --emit=obj --target=sm_80 2>&1 | FileCheck %s --check-prefix=NOOBJECT
// NOOBJECT: error: --target=sm_80 has no assembly or object of its own: ask for --emit=ptx, cubin or sass
// RUN: not echo-translate %s %s 2>&1 | FileCheck %s --check-prefix=ONEFILE
// ONEFILE: error: expects one input file

// RUN: echo "func.func @other() { return } func.func @more() { return }" > %t/other.mlir
// RUN: not echo-run %t/other.mlir 2>&1 | FileCheck %s --check-prefix=MAIN
// MAIN: error: {{.*}}has no function 'main' with a body
// RUN: echo "func.func @main(%%a: tensor<?xf32>) { return }" > %t/dynamic.mlir
// RUN: not echo-run %t/dynamic.mlir 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: argument 0 is tensor<?xf32>, a shape that is not known: --inputs must have an array arg0 of that rank
// RUN: echo "func.func @main(%%a: tensor<4611686018427387904x8xf32>) { return }" > %t/huge.mlir
// RUN: not echo-run %t/huge.mlir 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: error: {{.*}}tensor<4611686018427387904x8xf32>

func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<3xi32>) -> tensor<2xf32> {
  return %arg0 : tensor<2xf32>
}
