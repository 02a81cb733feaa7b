// RUN: echo-opt %s --canonicalize | FileCheck %s
// A map of constants that are one number each is a constant of one number, however large: as many ops are left of a step whose
// dimensions are written one behind the other.

// CHECK-LABEL: @maps
// CHECK-DAG: %[[NEGATIVE:.*]] = stablehlo.constant dense<-1.500000e+00> : tensor<512x1024xf32>
// CHECK-DAG: %[[QUOTIENT:.*]] = stablehlo.constant dense<5.000000e-01> : tensor<512x1024xf32>
// CHECK-DAG: %[[CLAMPED:.*]] = stablehlo.constant dense<2> : tensor<512x1024xi32>
// CHECK-DAG: %[[LESS:.*]] = stablehlo.constant dense<true> : tensor<512x1024xi1>
// CHECK: return %[[NEGATIVE]], %[[QUOTIENT]], %[[CLAMPED]], %[[LESS]]
func.func @maps() -> (tensor<512x1024xf32>, tensor<512x1024xf32>, tensor<512x1024xi32>, tensor<512x1024xi1>) {
  %a = stablehlo.constant dense<1.5> : tensor<512x1024xf32>
  %b = stablehlo.constant dense<3.0> : tensor<512x1024xf32>
  %c = stablehlo.constant dense<7> : tensor<512x1024xi32>
  %low = stablehlo.constant dense<0> : tensor<i32>
  %high = stablehlo.constant dense<2> : tensor<i32>
  %negative = stablehlo.negate %a : tensor<512x1024xf32>
  %quotient = stablehlo.divide %a, %b : tensor<512x1024xf32>
  %clamped = stablehlo.clamp %low, %c, %high : (tensor<i32>, tensor<512x1024xi32>, tensor<i32>) -> tensor<512x1024xi32>
  %less = stablehlo.compare LT, %a, %b : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xi1>
  return %negative, %quotient, %clamped, %less : tensor<512x1024xf32>, tensor<512x1024xf32>, tensor<512x1024xi32>, tensor<512x1024xi1>
}

// The bits of a NaN are the target's to choose, and those of exp the kernel's.
// CHECK-LABEL: @others
// CHECK: stablehlo.divide
// CHECK: stablehlo.exponential
func.func @others() -> (tensor<512x1024xf32>, tensor<512x1024xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<512x1024xf32>
  %nan = stablehlo.divide %zero, %zero : tensor<512x1024xf32>
  %power = stablehlo.exponential %nan : tensor<512x1024xf32>
  return %nan, %power : tensor<512x1024xf32>, tensor<512x1024xf32>
}
