// Axes of one device cut nothing, however many there are.
// RUN: echo-opt --partition --lower-collectives --canonicalize --dce %s | FileCheck %s

// CHECK:      func.func @main(%[[X:.*]]: tensor<2xf32> {{.*}}) -> (tensor<4xf32> {{.*}})
// CHECK:      stablehlo.custom_call @echo.mpi.all_gather(%{{.*}}) {{.*}}group_size = 2 : i64, ranks = array<i64: 0, 1>
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["a0"=1, "a1"=1, "a2"=1, "a3"=1, "a4"=1, "a5"=1, "a6"=1, "a7"=1, "a8"=1, "a9"=1, "a10"=1, "a11"=1, "a12"=1, "a13"=1, "a14"=1, "a15"=1, "a16"=1, "a17"=1, "a18"=1, "a19"=1, "a20"=1, "a21"=1, "a22"=1, "a23"=1, "a24"=1, "a25"=1, "a26"=1, "a27"=1, "a28"=1, "a29"=1, "a30"=1, "a31"=1, "a32"=1, "a33"=1, "a34"=1, "a35"=1, "a36"=1, "a37"=1, "a38"=1, "a39"=1, "a40"=1, "a41"=1, "a42"=1, "a43"=1, "a44"=1, "a45"=1, "a46"=1, "a47"=1, "a48"=1, "a49"=1, "a50"=1, "a51"=1, "a52"=1, "a53"=1, "a54"=1, "a55"=1, "a56"=1, "a57"=1, "a58"=1, "a59"=1, "a60"=1, "a61"=1, "a62"=1, "a63"=1, "a64"=1, "a65"=1, "x"=2]>
  func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10", "a11", "a12", "a13", "a14", "a15", "a16", "a17", "a18", "a19", "a20", "a21", "a22", "a23", "a24", "a25", "a26", "a27", "a28", "a29", "a30", "a31", "a32", "a33", "a34", "a35", "a36", "a37", "a38", "a39", "a40", "a41", "a42", "a43", "a44", "a45", "a46", "a47", "a48", "a49", "a50", "a51", "a52", "a53", "a54", "a55", "a56", "a57", "a58", "a59", "a60", "a61", "a62", "a63", "a64", "a65", "x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10", "a11", "a12", "a13", "a14", "a15", "a16", "a17", "a18", "a19", "a20", "a21", "a22", "a23", "a24", "a25", "a26", "a27", "a28", "a29", "a30", "a31", "a32", "a33", "a34", "a35", "a36", "a37", "a38", "a39", "a40", "a41", "a42", "a43", "a44", "a45", "a46", "a47", "a48", "a49", "a50", "a51", "a52", "a53", "a54", "a55", "a56", "a57", "a58", "a59", "a60", "a61", "a62", "a63", "a64", "a65"}]>}) {
    %0 = stablehlo.negate %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
