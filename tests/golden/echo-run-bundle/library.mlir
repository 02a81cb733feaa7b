// Products are left to the library that is found when the bundle is loaded, as by echo-run; so is what calls it.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-translate %S/../swap/run.mlir --emit=bundle -o %t/step.bundle
// RUN: echo-run %S/../swap/run.mlir --no-cache --quiet --steps=2 --outputs=%t/want.npz
// RUN: echo-run-bundle %t/step.bundle --quiet --steps=2 --expect=%t/want.npz --rtol=0 --atol=0 --json=- | FileCheck %s
// CHECK: "library": "OpenBLAS
// RUN: echo-translate %S/../swap/run.mlir --emit=bundle --echo=budget=min,swap=on -o %t/swapped.bundle
// RUN: echo-run-bundle %t/swapped.bundle --quiet --steps=2 --expect=%t/want.npz --rtol=0 --atol=0
// RUN: echo-translate %S/../echo-run/linear_algebra.mlir --emit=bundle -o %t/algebra.bundle
// RUN: echo-run %S/../echo-run/linear_algebra.mlir --no-cache --quiet --outputs=%t/algebra.npz
// RUN: echo-run-bundle %t/algebra.bundle --quiet --expect=%t/algebra.npz --rtol=0 --atol=0

// Main is what echo-run takes for it, and its arrays are echo-run's: complex numbers are pairs.
// RUN: echo-translate %S/../echo-run/complex_algebra.mlir --emit=bundle -o %t/complex.bundle
// RUN: echo-run %S/../echo-run/complex_algebra.mlir --no-cache --quiet --outputs=%t/complex.npz
// RUN: echo-run-bundle %t/complex.bundle --quiet --expect=%t/complex.npz --rtol=0 --atol=0
