func.func @main(%a: tensor<512x256xf32>, %b: tensor<256x512xf32>, %c: tensor<16x64xf32>, %d: tensor<64x200xf32>, %h: tensor<256x128xbf16>, %g: tensor<384x128xbf16>, %p: tensor<1024x1024xbf16>, %q: tensor<1536x1024xbf16>) -> (tensor<512x512xf32>, tensor<16x200xf32>, tensor<256x384xbf16>, tensor<256x512xf32>, tensor<1024x1536xbf16>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<512x256xf32>, tensor<256x512xf32>) -> tensor<512x512xf32>
  %1 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x200xf32>) -> tensor<16x200xf32>
  %2 = stablehlo.dot_general %h, %g, contracting_dims = [1] x [1] : (tensor<256x128xbf16>, tensor<384x128xbf16>) -> tensor<256x384xbf16>
  %3 = stablehlo.dot_general %a, %0, contracting_dims = [0] x [0] : (tensor<512x256xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  %4 = stablehlo.dot_general %p, %q, contracting_dims = [1] x [1] : (tensor<1024x1024xbf16>, tensor<1536x1024xbf16>) -> tensor<1024x1536xbf16>
  return %0, %1, %2, %3, %4 : tensor<512x512xf32>, tensor<16x200xf32>, tensor<256x384xbf16>, tensor<256x512xf32>, tensor<1024x1536xbf16>
}
