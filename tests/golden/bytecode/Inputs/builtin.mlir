"builtin.module"() <{sym_name = "all"}> ({
  "func.func"() <{function_type = (tensor<4x?xf32>, i1) -> tensor<4x?xf32>, res_attrs = [{other.result = 3 : i32}], sym_name = "declared", sym_visibility = "private"}> ({
  }) : () -> () loc("tests/golden/bytecode/Inputs/builtin.mlir":12:3)
  "func.func"() <{function_type = (i32, index) -> i32, sym_name = "main"}> ({
  ^bb0(%arg0: i32 loc("argument"("here":3:4)), %arg1: index loc("tests/golden/bytecode/Inputs/builtin.mlir":13:56)):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index loc("tests/golden/bytecode/Inputs/builtin.mlir":14:11)
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index loc("tests/golden/bytecode/Inputs/builtin.mlir":15:11)
    %2 = "arith.constant"() <{value = 7 : i32}> : () -> i32 loc("tests/golden/bytecode/Inputs/builtin.mlir":16:10)
    %3 = "scf.for"(%0, %arg1, %1, %arg0) ({
    ^bb0(%arg2: index loc("tests/golden/bytecode/Inputs/builtin.mlir":17:18), %arg3: i32 loc("tests/golden/bytecode/Inputs/builtin.mlir":17:52)):
      %7 = "arith.addi"(%arg3, %2) <{overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32 loc(fused<"why">["a", callsite("b" at "c":1:2)])
      %8 = "arith.muli"(%7, %arg3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32 loc("tests/golden/bytecode/Inputs/builtin.mlir":19:12)
      "scf.yield"(%8) : (i32) -> () loc("tests/golden/bytecode/Inputs/builtin.mlir":20:7)
    }) : (index, index, index, i32) -> i32 loc("tests/golden/bytecode/Inputs/builtin.mlir":17:10)
    %4 = "arith.cmpi"(%3, %2) <{predicate = 2 : i64}> : (i32, i32) -> i1 loc("tests/golden/bytecode/Inputs/builtin.mlir":22:10)
    %5 = "scf.if"(%4) ({
      "scf.yield"(%3) : (i32) -> () loc("tests/golden/bytecode/Inputs/builtin.mlir":24:7)
    }, {
      %6 = "other.op"(%2, %3) ({
        "other.jump"()[^bb1] : () -> () loc("tests/golden/bytecode/Inputs/builtin.mlir":28:9)
      ^bb1:  // pred: ^bb0
        "other.end"() : () -> () loc("tests/golden/bytecode/Inputs/builtin.mlir":30:9)
      }, {
      }) {other.a = 1 : i64} : (i32, i32) -> i32 loc("tests/golden/bytecode/Inputs/builtin.mlir":26:12)
      "scf.yield"(%6) : (i32) -> () loc("tests/golden/bytecode/Inputs/builtin.mlir":32:7)
    }) : (i1) -> i32 loc("tests/golden/bytecode/Inputs/builtin.mlir":23:10)
    "func.return"(%5) : (i32) -> () loc("tests/golden/bytecode/Inputs/builtin.mlir":34:5)
  }) : () -> () loc("tests/golden/bytecode/Inputs/builtin.mlir":13:3)
}) {other.a = array<i32: 1, 2>, other.all = dense<true> : tensor<100xi1>, other.b = true, other.bits = dense<[true, false, true]> : tensor<3xi1>, other.c = dense<(1.000000e+00,2.000000e+00)> : tensor<2xcomplex<f32>>, other.d = dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>, other.f = 2.500000e+00 : f16, other.f128 = 1.000000e+00 : f128, other.f8 = 1.500000e+00 : f8E4M3FN, other.flags = array<i1: true, false>, other.i = 7 : i8, other.layout = strided<[2, 1], offset: 3>, other.list = [1, {a = 2 : i32}], other.map = affine_map<(d0)[s0] -> (d0 + s0)>, other.more = tuple<i1, vector<[4]xf32>, memref<2x?xf32, 3>, memref<*xi8>, () -> none, index>, other.opaque = #other.x<y>, other.resource = dense_resource<blob> : tensor<2xi8>, other.s = "text", other.sparse = sparse<[[0, 1]], 5> : tensor<2x2xi32>, other.splat = dense<1.000000e+00> : tensor<4xf32>, other.strings = dense<["a", "b"]> : tensor<2x!other.string>, other.symbol = @main::@nested, other.type = tensor<*xf32>, other.u, other.wide = 123456789012345678901234567890 : i128} : () -> () loc("tests/golden/bytecode/Inputs/builtin.mlir":1:1)
