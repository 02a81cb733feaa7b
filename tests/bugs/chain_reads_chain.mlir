// Of two products with two others before them the later one had what reads the weights of the earlier one, which took it, too: each waited for the other. What another kernel has runs where that does.
// RUN: echo-run %s --device=interpreter --quiet --outputs=%t.want.npz
// RUN: echo-run %s --device=cuda --quiet --expect=%t.want.npz --rtol=1e-5 --atol=1e-5
  func.func public @main(%arg0: tensor<2x1x17x20xf32>, %arg1: tensor<2x1x17x20xf32>, %arg2: tensor<2x1x17x20xf32>, %arg3: tensor<2x1x17x20xf32>) -> (tensor<2x1x17x20xf32>, tensor<2x1x17x20xf32>) {
    %cst = stablehlo.constant dense<"0xECEE293EBD1C643D456A6D3F23F41C3F2086B5BC51463B3F710B01402DF720BF942B973F05CEB1BFD0600FBFF4F0803F9A352E3F1191FEBE2F26F7BFC4A7F13F7A2B943F8CE43FBDCF093FBF87B4E8BF0E82013F3DE8403FD2CD673FF2957C3E3E768D3D87FAFA3E6A9FECBE5984EEBFBAC574BF784771BD095BD43E686743BF9757BE3EFD0E453D42CD1DC02783BD3D99159BBF0403A03FD7F1B63EC4DC00BFBE1FC7BED963433E745A97BFADA2F5BF1722DEBF4C47BE3FF8C09FBF370D24BFCFEB84BE48CFB9BE3C5528BF18C4B8BEA74C573F0F5A96BF9DB218BF2DA133BF0881843F642B0340CE147BBF35FF9C3E19BB2FBF5F5159BFCB6BF8BD45E2D1BE43B9A03F3EB3CC3F875F5D3E4C98833F450ED63E85C4A73FCAE29A3E86860F3CD4BA763E4E946DBFABF396BEE794C3BEEC9AAC3F1AE4A9BFE8D2623F9AE2853D60BB8BBE100DDEBFE24DD73E9F72B3BE055DEBBDFBD075BE21CC1F3FB829453F17FF903EBE9C92BF7661C93F2EA4BB3FCF8CD7BDD494813F448C87BE1333B83FCDF90E3FAD57853E2D2EA8BFA7BC313E2A0F45C0F0BC263F103DB13E48458DBF62CEBFBF047A3E3F8625A63F9F89F13F857BA8BFF2232FBE8B8289BE3113233F07AFC5BF1A9738BE8F6DDBBEF06F99BD0438023FDA098A3F3227303F85EB9A3F31E0633F78CB22403ABA0B4097AFDABFA386A6BEBD16B33F7B73193FF4D2024085B4ADBFC244D93EC369C83FEBF07D3F246CBFBDA664093F732931BFE336173FCA510C3F5A33FFBF7D7A883FD6B2EFBFCC8BCABBF15133BFB515ACBD3667A7BFCB39DC3E2BA9F43F4A9D9A3F6B5EC4BD4B530B40A7CFA83D948F89BF7652CA3FB6900C3F5AAEE7BE3674663F72695DBEF280FF3F4751E33DD31CCCBF33D5333FE3B9AD3D03C5353FBE4CB93EA025E5BF8FEEB13DC72C42BFC0DA4A3E6CA258BFF8119ABE7AAB1D408F14EDBEAD1D14407DA7CC3F41B7C73F2890B33E3D69EB3E9EB5013F61E4BC3EA108C23E69FF903F21C253BF463B5CBFDFB78E3E0F89F63E2111123EA607403F15A5AE3EE71CB63FC8D1C0BECA16E5BFE5B034BF044716BE6F755FBF0B67AA3E05B7F1BE4AD7A0BF79E63CBF6741873FD88A94BEAC89CABD96CFC0BE089A8FBF8EF7D93ECB00873FEFA9733FFFEE143FBE649BBFD546A63F355CF93FA920BD3FB03789BE59E932BF3D14CFBE2546483E15F093BEDCCB70BE63C2B83E9D13013FB013CCBE75797E3F4E8507C09F812C3FEE5105C016E98ABFC8992FBF9C3280BF88D1423FDB11213F8DDC8FBF07F2CF3E6AB77E3F4F965F3F262E2CBFCE1CB0BE0BF567BFCE95A63F519912BFB7FCDEBF046F8C3DE1300A40F9ACD83E16D40C407DEF07C09BB793BE72BA7D3B580DACBFDA05E23D0018063FB6D54ABFE70BEFBFC402C3BDB86BB83FB4D810BF782F9ABD51B805405695B2BE2BFA043F92F236BEE7027DBE270147BFC35957BEC4F4133E4BA835BFEF0E51BC8A9229BF3F7A35BF4919AA3E8B398ABE9A652D3F1F90163FCDFAA6BEB2F4CD3F3306E23FAC3AC53FFE7A71BD5E3F05C0B784EC3F43EC8DBFC20AACBF8A328FBEE83667BEA770D73F7BADAE3CC5819D3E4CF504BFF1B45BBE5A57443F1AADE03DC05868BE"> : tensor<17x17xf32>
    %0 = stablehlo.dot_general %arg1, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x1x17x20xf32>, tensor<2x1x17x20xf32>) -> tensor<2x1x17x17xf32>
    %cst_0 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x1x17x17xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x1x17x17xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<17x17xf32>
    %4 = stablehlo.compare GT, %cst, %3, FLOAT : (tensor<17x17xf32>, tensor<17x17xf32>) -> tensor<17x17xi1>
    %cst_2 = stablehlo.constant dense<-3.000000e+04> : tensor<f32>
    %5:2 = call @_where(%4, %2, %cst_2) : (tensor<17x17xi1>, tensor<2x1x17x17xf32>, tensor<f32>) -> (tensor<2x1x17x17xf32>, tensor<2x1x17x17xi1>)
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5#0 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<2x1x17x17xf32>, tensor<f32>) -> tensor<2x1x17xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x1x17xf32>
    %8 = stablehlo.maximum %7, %6 : tensor<2x1x17xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x1x17xf32>) -> tensor<2x1x17x1xf32>
    %10 = stablehlo.is_finite %9 : (tensor<2x1x17x1xf32>) -> tensor<2x1x17x1xi1>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x1x17x1xf32>
    %12 = stablehlo.select %10, %9, %11 : tensor<2x1x17x1xi1>, tensor<2x1x17x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x1x17x1xf32>) -> tensor<2x1x17x17xf32>
    %14 = stablehlo.subtract %5#0, %13 : tensor<2x1x17x17xf32>
    %15 = stablehlo.exponential %14 : tensor<2x1x17x17xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<2x1x17x17xf32>, tensor<f32>) -> tensor<2x1x17xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x1x17xf32>) -> tensor<2x1x17x1xf32>
    %18 = stablehlo.abs %17 : tensor<2x1x17x1xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x1x17x1xf32>
    %20 = stablehlo.compare GE, %17, %19, FLOAT : (tensor<2x1x17x1xf32>, tensor<2x1x17x1xf32>) -> tensor<2x1x17x1xi1>
    %21 = stablehlo.log %18 : tensor<2x1x17x1xf32>
    %22 = stablehlo.add %21, %12 : tensor<2x1x17x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<2x1x17x1xf32>) -> tensor<2x1x17x17xf32>
    %24 = stablehlo.subtract %5#0, %23 : tensor<2x1x17x17xf32>
    %25 = stablehlo.exponential %24 : tensor<2x1x17x17xf32>
    %26 = stablehlo.dot_general %25, %arg3, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x1x17x17xf32>, tensor<2x1x17x20xf32>) -> tensor<2x1x17x20xf32>
    %27 = stablehlo.dot_general %arg0, %arg3, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x1x17x20xf32>, tensor<2x1x17x20xf32>) -> tensor<2x1x17x17xf32>
    %28 = stablehlo.multiply %27, %25 : tensor<2x1x17x17xf32>
    %29 = stablehlo.negate %28 : tensor<2x1x17x17xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<2x1x17x17xf32>, tensor<f32>) -> tensor<2x1x17xf32>
    %31 = stablehlo.reshape %30 : (tensor<2x1x17xf32>) -> tensor<2x1x17x1xf32>
    %32 = stablehlo.divide %31, %18 : tensor<2x1x17x1xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x1x17x1xf32>
    %34 = stablehlo.select %20, %33, %32 : tensor<2x1x17x1xi1>, tensor<2x1x17x1xf32>
    %35 = stablehlo.select %20, %32, %33 : tensor<2x1x17x1xi1>, tensor<2x1x17x1xf32>
    %36 = stablehlo.negate %34 : tensor<2x1x17x1xf32>
    %37 = stablehlo.add %35, %36 : tensor<2x1x17x1xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_10) applies stablehlo.add across dimensions = [1, 3] : (tensor<2x1x17x1xf32>, tensor<f32>) -> tensor<2x17xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 2] : (tensor<2x17xf32>) -> tensor<2x1x17xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<2x1x17xf32>) -> tensor<2x1x17x17xf32>
    %41 = stablehlo.multiply %40, %15 : tensor<2x1x17x17xf32>
    %42 = stablehlo.add %28, %41 : tensor<2x1x17x17xf32>
    %43 = call @_where_0(%5#1, %42) : (tensor<2x1x17x17xi1>, tensor<2x1x17x17xf32>) -> tensor<2x1x17x17xf32>
    %cst_11 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x1x17x17xf32>
    %45 = stablehlo.multiply %43, %44 : tensor<2x1x17x17xf32>
    %46 = stablehlo.dot_general %45, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x1x17x17xf32>, tensor<2x1x17x20xf32>) -> tensor<2x1x17x20xf32>
    return %26, %46 : tensor<2x1x17x20xf32>, tensor<2x1x17x20xf32>
  }
  func.func private @_where(%arg0: tensor<17x17xi1>, %arg1: tensor<2x1x17x17xf32>, %arg2: tensor<f32>) -> (tensor<2x1x17x17xf32>, tensor<2x1x17x17xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<17x17xi1>) -> tensor<2x1x17x17xi1>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x1x17x17xf32>
    %2 = stablehlo.select %0, %arg1, %1 : tensor<2x1x17x17xi1>, tensor<2x1x17x17xf32>
    return %2, %0 : tensor<2x1x17x17xf32>, tensor<2x1x17x17xi1>
  }
  func.func private @_where_0(%arg0: tensor<2x1x17x17xi1>, %arg1: tensor<2x1x17x17xf32>) -> tensor<2x1x17x17xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x1x17x17xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x1x17x17xi1>, tensor<2x1x17x17xf32>
    return %1 : tensor<2x1x17x17xf32>
  }
