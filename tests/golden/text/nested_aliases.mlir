// RUN: echo-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.1
// RUN: FileCheck %s --input-file=%t.1 --match-full-lines --strict-whitespace
// RUN: echo-opt %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff %t.1 -
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}
// RUN: %if mlir-opt-19 %{ mlir-opt-19 %t.1 --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.1 %}

// Aliases inside the text of MLIR's dialects: what has one is found there, and numbered with the rest; the text of unknown dialects is kept.

#m = affine_map<(d0) -> (d0)>
#n = affine_map<(d0) -> (d0 + 1)>
#mine = #llvm.di_file<"a" in "b">
#cu = #llvm.di_compile_unit<id = distinct[5]<>, sourceLanguage = DW_LANG_C, file = #mine, isOptimized = true, emissionKind = Full>
"text.op"() {a = #dlti.dl_entry<"x", #n>, b = affine_map<() -> (1)>, c = #dlti.dl_entry<"y", affine_map<(d0) -> (d0)>>} : () -> ()
"text.op"() {a = #dlti.dl_entry<"x", [affine_map<(d0) -> (d0 + 2)>, {b = affine_set<() : (0 == 0)>}]>, c = #dlti.dl_entry<"#m", #mine>} : () -> ()
"text.op"() {a = distinct[3]<42 : i32>, b = #dlti.dl_entry<"y", distinct[7]<42 : i32>>, c = distinct[7]<42 : i32>} : () -> ()
"text.op"() {a = #llvm.di_subprogram<id = distinct[2]<>, compileUnit = #cu, scope = #mine, name = "x", file = #mine, line = 3>, b = distinct[2]<>, c = distinct[9]<>} : () -> ()
"text.op"() {a = #dlti.dl_entry<"z", #llvm.di_file<"c" in "d">>, b = #llvm.di_null_type} : () -> ()
"text.op"() {a = tensor<4x4xf32, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed, d1 : compressed) }>>} : () -> ()
"text.op"() {a = #unknown.text<#m, #dlti.dl_entry<"x", affine_map<()->(0)>>>, b = #dlti.dl_entry<"y", #unknown.text<#x, affine_map<()->(0)>>>} : () -> ()

//      CHECK{LITERAL}:#di_file = #llvm.di_file<"a" in "b">
// CHECK-NEXT{LITERAL}:#di_file1 = #llvm.di_file<"c" in "d">
// CHECK-NEXT{LITERAL}:#di_null_type = #llvm.di_null_type
// CHECK-NEXT{LITERAL}:#distinct = distinct[0]<42 : i32>
// CHECK-NEXT{LITERAL}:#distinct1 = distinct[1]<42 : i32>
// CHECK-NEXT{LITERAL}:#map = affine_map<(d0) -> (d0 + 1)>
// CHECK-NEXT{LITERAL}:#map1 = affine_map<() -> (1)>
// CHECK-NEXT{LITERAL}:#map2 = affine_map<(d0) -> (d0)>
// CHECK-NEXT{LITERAL}:#map3 = affine_map<(d0) -> (d0 + 2)>
// CHECK-NEXT{LITERAL}:#set = affine_set<() : (0 == 0)>
// CHECK-NEXT{LITERAL}:#sparse = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed, d1 : compressed) }>
// CHECK-NEXT{LITERAL}:#di_compile_unit = #llvm.di_compile_unit<id = distinct[2]<>, sourceLanguage = DW_LANG_C, file = #di_file, isOptimized = true, emissionKind = Full>
// CHECK-NEXT{LITERAL}:#di_subprogram = #llvm.di_subprogram<id = distinct[3]<>, compileUnit = #di_compile_unit, scope = #di_file, name = "x", file = #di_file, line = 3>
// CHECK-NEXT{LITERAL}:"builtin.module"() ({
// CHECK-NEXT{LITERAL}:  "text.op"() {a = #dlti.dl_entry<"x", #map>, b = #map1, c = #dlti.dl_entry<"y", #map2>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {a = #dlti.dl_entry<"x", [#map3, {b = #set}]>, c = #dlti.dl_entry<"#m", #di_file>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {a = #distinct, b = #dlti.dl_entry<"y", #distinct1>, c = #distinct1} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {a = #di_subprogram, b = distinct[3]<>, c = distinct[4]<>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {a = #dlti.dl_entry<"z", #di_file1>, b = #di_null_type} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {a = tensor<4x4xf32, #sparse>} : () -> ()
// CHECK-NEXT{LITERAL}:  "text.op"() {a = #unknown.text<#m, #dlti.dl_entry<"x", affine_map<()->(0)>>>, b = #dlti.dl_entry<"y", #unknown.text<#x, affine_map<()->(0)>>>} : () -> ()
// CHECK-NEXT{LITERAL}:}) : () -> ()
