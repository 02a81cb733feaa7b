// What a program draws is that of its seed and its step: the same with Echo and without, on any number of threads, from the text of a later stage, from a bundle, and on the interpreter; another in each step and with another seed. Steps that draw are not told to be the same.
// RUN: echo-run %s --no-cache --steps=3 --seed=7 --trace=%t.a.npz 2>&1 | FileCheck %s
// CHECK-NOT: warning
// CHECK:     res1 =
// RUN: echo-run %s --no-cache --steps=3 --seed=7 --trace=%t.b.npz --echo=budget=min --threads=1 --quiet && cmp %t.a.npz %t.b.npz
// RUN: echo-opt %s --to=planned -o %t.mlir && echo-run %t.mlir --no-cache --steps=3 --seed=7 --trace=%t.c.npz --quiet && cmp %t.a.npz %t.c.npz
// RUN: echo-run %s --device=interpreter --steps=3 --seed=7 --trace=%t.d.npz --quiet && cmp %t.a.npz %t.d.npz
// RUN: echo-run %s --no-cache --steps=3 --seed=8 --trace=%t.e.npz --quiet && not cmp -s %t.a.npz %t.e.npz
// RUN: echo-translate --emit=bundle %s -o %t.bundle && echo-run-bundle %t.bundle --steps=3 --seed=7 --trace=%t.f.npz --quiet && cmp %t.a.npz %t.f.npz
// RUN: python3 -c "import zipfile, struct; f = [zipfile.ZipFile('%t.a.npz').read(n)[-12:] for n in ('res0.npy', 'res1.npy')]; v = struct.unpack('3f', f[0]) + struct.unpack('3f', f[1]); assert len(set(v)) == 6, v"
// RUN: echo-run %s --plan-only --target=sm_90 --quiet
func.func @main() -> (tensor<f32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %scalar = stablehlo.constant dense<> : tensor<0xi64>
  %a = stablehlo.rng %zero, %one, %scalar, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
  %b = stablehlo.rng %zero, %one, %scalar, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
  return %a, %b : tensor<f32>, tensor<f32>
}
