# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""many.py N: a call of running_sums with N operands, one array handed over twice, and N results; main gives the last three."""
import sys

n = int(sys.argv[1])
x = "tensor<4xf32>"
print(f"func.func @main() -> ({x}, {x}, {x}) {{")
print(f"  %x = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0]> : {x}\n  %y = stablehlo.constant dense<[1.0, 1.0, 2.0, 2.0]> : {x}")
for i in range(n - 2):
    print(f"  %c{i} = stablehlo.constant dense<{i}.0> : {x}\n  %v{i} = stablehlo.add %x, %c{i} : {x}")
operands = ", ".join(f"%v{i}" for i in range(n - 2))
print(f"  %r:{n} = stablehlo.custom_call @running_sums({operands}, %y, %y) {{has_side_effect = true}} : ({', '.join([x] * n)}) -> ({', '.join([x] * n)})")
print(f"  return %r#{n - 3}, %r#{n - 2}, %r#{n - 1} : {x}, {x}, {x}\n}}")
