// Control flow whose conditions a GPU computes: loops of a length that the data decide, branches by a flag and by an index, in each other.
// RUN: rm -rf %t && mkdir %t
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t/want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t/want.npz --rtol=1e-6
// RUN: echo-run %s --device=cuda --quiet --steps=2 --feed=res0:arg0 --outputs=%t/twice.npz
// RUN: echo-run %s --device=interpreter --quiet --steps=2 --feed=res0:arg0 --expect=%t/twice.npz --rtol=1e-5
func.func @main(%x: tensor<40xf32>, %k: tensor<i32>) -> (tensor<40xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %m = stablehlo.remainder %k, %seven : tensor<i32>
  %bound = stablehlo.abs %m : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<40xf32>
    cond {
      %c = stablehlo.compare LE, %i, %bound : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %which = stablehlo.remainder %i, %three : tensor<i32>
      %z = "stablehlo.case"(%which) ({
        %a = stablehlo.sine %y : tensor<40xf32>
        stablehlo.return %a : tensor<40xf32>
      }, {
        %a = stablehlo.add %y, %y : tensor<40xf32>
        stablehlo.return %a : tensor<40xf32>
      }, {
        %a = stablehlo.negate %y : tensor<40xf32>
        stablehlo.return %a : tensor<40xf32>
      }) : (tensor<i32>) -> tensor<40xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %z : tensor<i32>, tensor<40xf32>
    }
  return %r#1, %r#0 : tensor<40xf32>, tensor<i32>
}
