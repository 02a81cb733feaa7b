# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""branch_rooms.py N: a case whose N results are each written over a product of the branch's own and over a value from outside that is read there for the last time."""
import sys

n, x = int(sys.argv[1]), "tensor<16x16xf32>"
print(f"func.func @main(%x: {x}, %w: {x}, %which: tensor<i32>) -> {x} {{")
for i in range(n):
    print(f"  %c{i} = stablehlo.constant dense<{i}.0> : {x}\n  %h{i} = stablehlo.multiply %x, %c{i} : {x}")
    print(f"  %p{i} = stablehlo.dot_general %h{i}, %w, contracting_dims = [1] x [0] : ({x}, {x}) -> {x}\n  %a{i} = stablehlo.tanh %p{i} : {x}")
print(f'  %r:{n} = "stablehlo.case"(%which) ({{')
for region, op in enumerate(("add", "subtract")):
    for i in range(n):
        print(f"    %d{i} = stablehlo.dot_general %h{i}, %w, contracting_dims = [{region}] x [{region}] : ({x}, {x}) -> {x}")
    for i in range(n):
        print(f"    %s{i} = stablehlo.{op} %a{i}, %d{i} : {x}")
    print(f"    stablehlo.return {', '.join(f'%s{i}' for i in range(n))} : {', '.join([x] * n)}\n  }}{', {' if region == 0 else ''}")
print(f"  ) : (tensor<i32>) -> ({', '.join([x] * n)})")
total = "%r#0"
for i in range(1, n):
    print(f"  %t{i} = stablehlo.dot_general {total}, %r#{i}, contracting_dims = [1] x [0] : ({x}, {x}) -> {x}")
    total = f"%t{i}"
print(f"  return {total} : {x}\n}}")
