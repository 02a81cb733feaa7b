// Elementwise ops: values at the edges of each type.

func.func @binary_i8() -> (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) {
  %a = stablehlo.constant dense<[-128, -128, -128, -128, -128, -128, -128, -128, 127, 127, 127, 127, 127, 127, 127, 127, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, -1, -1, -1, -1, -1, -1, -1, -1, -5, -5, -5, -5, -5, -5, -5, -5]> : tensor<64xi8>
  %b = stablehlo.constant dense<[-128, 127, 0, 1, -1, 3, 7, 8, -128, 127, 0, 1, -1, 3, 7, 8, -128, 127, 0, 1, -1, 3, 7, 8, -128, 127, 0, 1, -1, 3, 7, 8, -128, 127, 0, 1, -1, 3, 7, 8, -128, 127, 0, 1, -1, 3, 7, 8, -128, 127, 0, 1, -1, 3, 7, 8, -128, 127, 0, 1, -1, 3, 7, 8]> : tensor<64xi8>
  %add = stablehlo.add %a, %b : tensor<64xi8>
  %want_0 = stablehlo.constant dense<[0, -1, -128, -127, 127, -125, -121, -120, -1, -2, 127, -128, 126, -126, -122, -121, -128, 127, 0, 1, -1, 3, 7, 8, -127, -128, 1, 2, 0, 4, 8, 9, -125, -126, 3, 4, 2, 6, 10, 11, -121, -122, 7, 8, 6, 10, 14, 15, 127, 126, -1, 0, -2, 2, 6, 7, 123, 122, -5, -4, -6, -2, 2, 3]> : tensor<64xi8>
  %subtract = stablehlo.subtract %a, %b : tensor<64xi8>
  %want_1 = stablehlo.constant dense<[0, 1, -128, 127, -127, 125, 121, 120, -1, 0, 127, 126, -128, 124, 120, 119, -128, -127, 0, -1, 1, -3, -7, -8, -127, -126, 1, 0, 2, -2, -6, -7, -125, -124, 3, 2, 4, 0, -4, -5, -121, -120, 7, 6, 8, 4, 0, -1, 127, -128, -1, -2, 0, -4, -8, -9, 123, 124, -5, -6, -4, -8, -12, -13]> : tensor<64xi8>
  %multiply = stablehlo.multiply %a, %b : tensor<64xi8>
  %want_2 = stablehlo.constant dense<[0, -128, 0, -128, -128, -128, -128, 0, -128, 1, 0, 127, -127, 125, 121, -8, 0, 0, 0, 0, 0, 0, 0, 0, -128, 127, 0, 1, -1, 3, 7, 8, -128, 125, 0, 3, -3, 9, 21, 24, -128, 121, 0, 7, -7, 21, 49, 56, -128, -127, 0, -1, 1, -3, -7, -8, -128, -123, 0, -5, 5, -15, -35, -40]> : tensor<64xi8>
  %divide = stablehlo.divide %a, %b : tensor<64xi8>
  %want_3 = stablehlo.constant dense<[1, -1, -1, -128, -128, -42, -18, -16, 0, 1, -1, 127, -127, 42, 18, 15, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, -1, 1, -1, 0, 0, 0, 0, 0, -1, 3, -3, 1, 0, 0, 0, 0, -1, 7, -7, 2, 1, 0, 0, 0, -1, -1, 1, 0, 0, 0, 0, 0, -1, -5, 5, -1, 0, 0]> : tensor<64xi8>
  %remainder = stablehlo.remainder %a, %b : tensor<64xi8>
  %want_4 = stablehlo.constant dense<[0, -1, -128, 0, 0, -2, -2, 0, 127, 0, 127, 0, 0, 1, 1, 7, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 3, 3, 3, 0, 0, 0, 3, 3, 7, 7, 7, 0, 0, 1, 0, 7, -1, -1, -1, 0, 0, -1, -1, -1, -5, -5, -5, 0, 0, -2, -5, -5]> : tensor<64xi8>
  %maximum = stablehlo.maximum %a, %b : tensor<64xi8>
  %want_5 = stablehlo.constant dense<[-128, 127, 0, 1, -1, 3, 7, 8, 127, 127, 127, 127, 127, 127, 127, 127, 0, 127, 0, 1, 0, 3, 7, 8, 1, 127, 1, 1, 1, 3, 7, 8, 3, 127, 3, 3, 3, 3, 7, 8, 7, 127, 7, 7, 7, 7, 7, 8, -1, 127, 0, 1, -1, 3, 7, 8, -5, 127, 0, 1, -1, 3, 7, 8]> : tensor<64xi8>
  %minimum = stablehlo.minimum %a, %b : tensor<64xi8>
  %want_6 = stablehlo.constant dense<[-128, -128, -128, -128, -128, -128, -128, -128, -128, 127, 0, 1, -1, 3, 7, 8, -128, 0, 0, 0, -1, 0, 0, 0, -128, 1, 0, 1, -1, 1, 1, 1, -128, 3, 0, 1, -1, 3, 3, 3, -128, 7, 0, 1, -1, 3, 7, 7, -128, -1, -1, -1, -1, -1, -1, -1, -128, -5, -5, -5, -5, -5, -5, -5]> : tensor<64xi8>
  %and = stablehlo.and %a, %b : tensor<64xi8>
  %want_7 = stablehlo.constant dense<[-128, 0, 0, 0, -128, 0, 0, 0, 0, 127, 0, 1, 127, 3, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 0, 3, 0, 1, 3, 3, 3, 0, 0, 7, 0, 1, 7, 3, 7, 0, -128, 127, 0, 1, -1, 3, 7, 8, -128, 123, 0, 1, -5, 3, 3, 8]> : tensor<64xi8>
  %or = stablehlo.or %a, %b : tensor<64xi8>
  %want_8 = stablehlo.constant dense<[-128, -1, -128, -127, -1, -125, -121, -120, -1, 127, 127, 127, -1, 127, 127, 127, -128, 127, 0, 1, -1, 3, 7, 8, -127, 127, 1, 1, -1, 3, 7, 9, -125, 127, 3, 3, -1, 3, 7, 11, -121, 127, 7, 7, -1, 7, 7, 15, -1, -1, -1, -1, -1, -1, -1, -1, -5, -1, -5, -5, -1, -5, -1, -5]> : tensor<64xi8>
  %xor = stablehlo.xor %a, %b : tensor<64xi8>
  %want_9 = stablehlo.constant dense<[0, -1, -128, -127, 127, -125, -121, -120, -1, 0, 127, 126, -128, 124, 120, 119, -128, 127, 0, 1, -1, 3, 7, 8, -127, 126, 1, 0, -2, 2, 6, 9, -125, 124, 3, 2, -4, 0, 4, 11, -121, 120, 7, 6, -8, 4, 0, 15, 127, -128, -1, -2, 0, -4, -8, -9, 123, -124, -5, -6, 4, -8, -4, -13]> : tensor<64xi8>
  %shift_left = stablehlo.shift_left %a, %b : tensor<64xi8>
  %want_10 = stablehlo.constant dense<[0, 0, -128, 0, 0, 0, 0, 0, 0, 0, 127, -2, 0, -8, -128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 8, -128, 0, 0, 0, 3, 6, 0, 24, -128, 0, 0, 0, 7, 14, 0, 56, -128, 0, 0, 0, -1, -2, 0, -8, -128, 0, 0, 0, -5, -10, 0, -40, -128, 0]> : tensor<64xi8>
  %shift_right_logical = stablehlo.shift_right_logical %a, %b : tensor<64xi8>
  %want_11 = stablehlo.constant dense<[0, 0, -128, 64, 0, 16, 1, 0, 0, 0, 127, 63, 0, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 7, 3, 0, 0, 0, 0, 0, 0, -1, 127, 0, 31, 1, 0, 0, 0, -5, 125, 0, 31, 1, 0]> : tensor<64xi8>
  %shift_right_arithmetic = stablehlo.shift_right_arithmetic %a, %b : tensor<64xi8>
  %want_12 = stablehlo.constant dense<[-1, -1, -128, -64, -1, -16, -1, -1, 0, 0, 127, 63, 0, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 7, 3, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -5, -3, -1, -1, -1, -1]> : tensor<64xi8>
  return %add, %want_0, %subtract, %want_1, %multiply, %want_2, %divide, %want_3, %remainder, %want_4, %maximum, %want_5, %minimum, %want_6, %and, %want_7, %or, %want_8, %xor, %want_9, %shift_left, %want_10, %shift_right_logical, %want_11, %shift_right_arithmetic, %want_12 : tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>
}

func.func @unary_i8() -> (tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>) {
  %a = stablehlo.constant dense<[-128, 127, 0, 1, 3, 7, -1, -5]> : tensor<8xi8>
  %not = stablehlo.not %a : tensor<8xi8>
  %want_0 = stablehlo.constant dense<[127, -128, -1, -2, -4, -8, 0, 4]> : tensor<8xi8>
  %popcnt = stablehlo.popcnt %a : tensor<8xi8>
  %want_1 = stablehlo.constant dense<[1, 7, 0, 1, 2, 3, 8, 7]> : tensor<8xi8>
  %count_leading_zeros = stablehlo.count_leading_zeros %a : tensor<8xi8>
  %want_2 = stablehlo.constant dense<[0, 1, 8, 7, 6, 5, 0, 0]> : tensor<8xi8>
  %abs = stablehlo.abs %a : tensor<8xi8>
  %want_3 = stablehlo.constant dense<[-128, 127, 0, 1, 3, 7, 1, 5]> : tensor<8xi8>
  %sign = stablehlo.sign %a : tensor<8xi8>
  %want_4 = stablehlo.constant dense<[-1, 1, 0, 1, 1, 1, -1, -1]> : tensor<8xi8>
  %negate = stablehlo.negate %a : tensor<8xi8>
  %want_5 = stablehlo.constant dense<[-128, -127, 0, -1, -3, -7, 1, 5]> : tensor<8xi8>
  return %not, %want_0, %popcnt, %want_1, %count_leading_zeros, %want_2, %abs, %want_3, %sign, %want_4, %negate, %want_5 : tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>
}

func.func @compare_i8() -> (tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>) {
  %a = stablehlo.constant dense<[-128, -128, -128, -128, -128, -128, -128, -128, 127, 127, 127, 127, 127, 127, 127, 127, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, -1, -1, -1, -1, -1, -1, -1, -1, -5, -5, -5, -5, -5, -5, -5, -5]> : tensor<64xi8>
  %b = stablehlo.constant dense<[-128, 127, 0, 1, -1, 3, 7, 8, -128, 127, 0, 1, -1, 3, 7, 8, -128, 127, 0, 1, -1, 3, 7, 8, -128, 127, 0, 1, -1, 3, 7, 8, -128, 127, 0, 1, -1, 3, 7, 8, -128, 127, 0, 1, -1, 3, 7, 8, -128, 127, 0, 1, -1, 3, 7, 8, -128, 127, 0, 1, -1, 3, 7, 8]> : tensor<64xi8>
  %EQ = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi1>
  %want_0 = stablehlo.constant dense<[true, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, true, false, false, false, false, false, true, false, false, false, false, false, false, false, false, false, false, false]> : tensor<64xi1>
  %NE = stablehlo.compare NE, %a, %b, SIGNED : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi1>
  %want_1 = stablehlo.constant dense<[false, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, false, true, true, true, true, true, false, true, true, true, true, true, true, true, true, true, true, true]> : tensor<64xi1>
  %LT = stablehlo.compare LT, %a, %b, SIGNED : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi1>
  %want_2 = stablehlo.constant dense<[false, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false, true, false, true, false, true, true, true, false, true, false, false, false, true, true, true, false, true, false, false, false, false, true, true, false, true, false, false, false, false, false, true, false, true, true, true, false, true, true, true, false, true, true, true, true, true, true, true]> : tensor<64xi1>
  %LE = stablehlo.compare LE, %a, %b, SIGNED : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi1>
  %want_3 = stablehlo.constant dense<[true, true, true, true, true, true, true, true, false, true, false, false, false, false, false, false, false, true, true, true, false, true, true, true, false, true, false, true, false, true, true, true, false, true, false, false, false, true, true, true, false, true, false, false, false, false, true, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true]> : tensor<64xi1>
  %GT = stablehlo.compare GT, %a, %b, SIGNED : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi1>
  %want_4 = stablehlo.constant dense<[false, false, false, false, false, false, false, false, true, false, true, true, true, true, true, true, true, false, false, false, true, false, false, false, true, false, true, false, true, false, false, false, true, false, true, true, true, false, false, false, true, false, true, true, true, true, false, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false]> : tensor<64xi1>
  %GE = stablehlo.compare GE, %a, %b, SIGNED : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi1>
  %want_5 = stablehlo.constant dense<[true, false, false, false, false, false, false, false, true, true, true, true, true, true, true, true, true, false, true, false, true, false, false, false, true, false, true, true, true, false, false, false, true, false, true, true, true, true, false, false, true, false, true, true, true, true, true, false, true, false, false, false, true, false, false, false, true, false, false, false, false, false, false, false]> : tensor<64xi1>
  return %EQ, %want_0, %NE, %want_1, %LT, %want_2, %LE, %want_3, %GT, %want_4, %GE, %want_5 : tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>
}

func.func @power_i8() -> (tensor<36xi8>, tensor<36xi8>) {
  %a = stablehlo.constant dense<[2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, -1, -1, -1, -1, -1, -1, -2, -2, -2, -2, -2, -2, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]> : tensor<36xi8>
  %b = stablehlo.constant dense<[0, 1, 2, 5, -1, -2, 0, 1, 2, 5, -1, -2, 0, 1, 2, 5, -1, -2, 0, 1, 2, 5, -1, -2, 0, 1, 2, 5, -1, -2, 0, 1, 2, 5, -1, -2]> : tensor<36xi8>
  %p = stablehlo.power %a, %b : tensor<36xi8>
  %want_0 = stablehlo.constant dense<[1, 2, 4, 32, 0, 0, 1, 3, 9, -13, 0, 0, 1, -1, 1, -1, -1, 1, 1, -2, 4, -32, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]> : tensor<36xi8>
  return %p, %want_0 : tensor<36xi8>, tensor<36xi8>
}

func.func @binary_ui8() -> (tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>) {
  %a = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, 251, 251, 251, 251, 251, 251, 251, 251, 130, 130, 130, 130, 130, 130, 130, 130]> : tensor<64xui8>
  %b = stablehlo.constant dense<[0, 255, 0, 1, 5, 3, 7, 8, 0, 255, 0, 1, 5, 3, 7, 8, 0, 255, 0, 1, 5, 3, 7, 8, 0, 255, 0, 1, 5, 3, 7, 8, 0, 255, 0, 1, 5, 3, 7, 8, 0, 255, 0, 1, 5, 3, 7, 8, 0, 255, 0, 1, 5, 3, 7, 8, 0, 255, 0, 1, 5, 3, 7, 8]> : tensor<64xui8>
  %add = stablehlo.add %a, %b : tensor<64xui8>
  %want_0 = stablehlo.constant dense<[0, 255, 0, 1, 5, 3, 7, 8, 255, 254, 255, 0, 4, 2, 6, 7, 0, 255, 0, 1, 5, 3, 7, 8, 1, 0, 1, 2, 6, 4, 8, 9, 3, 2, 3, 4, 8, 6, 10, 11, 7, 6, 7, 8, 12, 10, 14, 15, 251, 250, 251, 252, 0, 254, 2, 3, 130, 129, 130, 131, 135, 133, 137, 138]> : tensor<64xui8>
  %subtract = stablehlo.subtract %a, %b : tensor<64xui8>
  %want_1 = stablehlo.constant dense<[0, 1, 0, 255, 251, 253, 249, 248, 255, 0, 255, 254, 250, 252, 248, 247, 0, 1, 0, 255, 251, 253, 249, 248, 1, 2, 1, 0, 252, 254, 250, 249, 3, 4, 3, 2, 254, 0, 252, 251, 7, 8, 7, 6, 2, 4, 0, 255, 251, 252, 251, 250, 246, 248, 244, 243, 130, 131, 130, 129, 125, 127, 123, 122]> : tensor<64xui8>
  %multiply = stablehlo.multiply %a, %b : tensor<64xui8>
  %want_2 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 255, 251, 253, 249, 248, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 1, 5, 3, 7, 8, 0, 253, 0, 3, 15, 9, 21, 24, 0, 249, 0, 7, 35, 21, 49, 56, 0, 5, 0, 251, 231, 241, 221, 216, 0, 126, 0, 130, 138, 134, 142, 16]> : tensor<64xui8>
  %divide = stablehlo.divide %a, %b : tensor<64xui8>
  %want_3 = stablehlo.constant dense<[255, 0, 255, 0, 0, 0, 0, 0, 255, 1, 255, 255, 51, 85, 36, 31, 255, 0, 255, 0, 0, 0, 0, 0, 255, 0, 255, 1, 0, 0, 0, 0, 255, 0, 255, 3, 0, 1, 0, 0, 255, 0, 255, 7, 1, 2, 1, 0, 255, 0, 255, 251, 50, 83, 35, 31, 255, 0, 255, 130, 26, 43, 18, 16]> : tensor<64xui8>
  %remainder = stablehlo.remainder %a, %b : tensor<64xui8>
  %want_4 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 255, 0, 0, 0, 3, 7, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 3, 3, 3, 0, 3, 0, 3, 3, 7, 7, 7, 0, 2, 1, 0, 7, 251, 251, 251, 0, 1, 2, 6, 3, 130, 130, 130, 0, 0, 1, 4, 2]> : tensor<64xui8>
  %maximum = stablehlo.maximum %a, %b : tensor<64xui8>
  %want_5 = stablehlo.constant dense<[0, 255, 0, 1, 5, 3, 7, 8, 255, 255, 255, 255, 255, 255, 255, 255, 0, 255, 0, 1, 5, 3, 7, 8, 1, 255, 1, 1, 5, 3, 7, 8, 3, 255, 3, 3, 5, 3, 7, 8, 7, 255, 7, 7, 7, 7, 7, 8, 251, 255, 251, 251, 251, 251, 251, 251, 130, 255, 130, 130, 130, 130, 130, 130]> : tensor<64xui8>
  %minimum = stablehlo.minimum %a, %b : tensor<64xui8>
  %want_6 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 1, 5, 3, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 0, 3, 0, 1, 3, 3, 3, 3, 0, 7, 0, 1, 5, 3, 7, 7, 0, 251, 0, 1, 5, 3, 7, 8, 0, 130, 0, 1, 5, 3, 7, 8]> : tensor<64xui8>
  %and = stablehlo.and %a, %b : tensor<64xui8>
  %want_7 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 1, 5, 3, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 0, 3, 0, 1, 1, 3, 3, 0, 0, 7, 0, 1, 5, 3, 7, 0, 0, 251, 0, 1, 1, 3, 3, 8, 0, 130, 0, 0, 0, 2, 2, 0]> : tensor<64xui8>
  %or = stablehlo.or %a, %b : tensor<64xui8>
  %want_8 = stablehlo.constant dense<[0, 255, 0, 1, 5, 3, 7, 8, 255, 255, 255, 255, 255, 255, 255, 255, 0, 255, 0, 1, 5, 3, 7, 8, 1, 255, 1, 1, 5, 3, 7, 9, 3, 255, 3, 3, 7, 3, 7, 11, 7, 255, 7, 7, 7, 7, 7, 15, 251, 255, 251, 251, 255, 251, 255, 251, 130, 255, 130, 131, 135, 131, 135, 138]> : tensor<64xui8>
  %xor = stablehlo.xor %a, %b : tensor<64xui8>
  %want_9 = stablehlo.constant dense<[0, 255, 0, 1, 5, 3, 7, 8, 255, 0, 255, 254, 250, 252, 248, 247, 0, 255, 0, 1, 5, 3, 7, 8, 1, 254, 1, 0, 4, 2, 6, 9, 3, 252, 3, 2, 6, 0, 4, 11, 7, 248, 7, 6, 2, 4, 0, 15, 251, 4, 251, 250, 254, 248, 252, 243, 130, 125, 130, 131, 135, 129, 133, 138]> : tensor<64xui8>
  %shift_left = stablehlo.shift_left %a, %b : tensor<64xui8>
  %want_10 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 255, 254, 224, 248, 128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 2, 32, 8, 128, 0, 3, 0, 3, 6, 96, 24, 128, 0, 7, 0, 7, 14, 224, 56, 128, 0, 251, 0, 251, 246, 96, 216, 128, 0, 130, 0, 130, 4, 64, 16, 0, 0]> : tensor<64xui8>
  %shift_right_logical = stablehlo.shift_right_logical %a, %b : tensor<64xui8>
  %want_11 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 255, 127, 7, 31, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 3, 0, 3, 1, 0, 0, 0, 0, 7, 0, 7, 3, 0, 0, 0, 0, 251, 0, 251, 125, 7, 31, 1, 0, 130, 0, 130, 65, 4, 16, 1, 0]> : tensor<64xui8>
  %shift_right_arithmetic = stablehlo.shift_right_arithmetic %a, %b : tensor<64xui8>
  %want_12 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 3, 0, 3, 1, 0, 0, 0, 0, 7, 0, 7, 3, 0, 0, 0, 0, 251, 255, 251, 253, 255, 255, 255, 255, 130, 255, 130, 193, 252, 240, 255, 255]> : tensor<64xui8>
  return %add, %want_0, %subtract, %want_1, %multiply, %want_2, %divide, %want_3, %remainder, %want_4, %maximum, %want_5, %minimum, %want_6, %and, %want_7, %or, %want_8, %xor, %want_9, %shift_left, %want_10, %shift_right_logical, %want_11, %shift_right_arithmetic, %want_12 : tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>, tensor<64xui8>
}

func.func @unary_ui8() -> (tensor<8xui8>, tensor<8xui8>, tensor<8xui8>, tensor<8xui8>, tensor<8xui8>, tensor<8xui8>, tensor<8xui8>, tensor<8xui8>) {
  %a = stablehlo.constant dense<[0, 255, 0, 1, 3, 7, 251, 130]> : tensor<8xui8>
  %not = stablehlo.not %a : tensor<8xui8>
  %want_0 = stablehlo.constant dense<[255, 0, 255, 254, 252, 248, 4, 125]> : tensor<8xui8>
  %popcnt = stablehlo.popcnt %a : tensor<8xui8>
  %want_1 = stablehlo.constant dense<[0, 8, 0, 1, 2, 3, 7, 2]> : tensor<8xui8>
  %count_leading_zeros = stablehlo.count_leading_zeros %a : tensor<8xui8>
  %want_2 = stablehlo.constant dense<[8, 0, 8, 7, 6, 5, 0, 0]> : tensor<8xui8>
  %negate = stablehlo.negate %a : tensor<8xui8>
  %want_3 = stablehlo.constant dense<[0, 1, 0, 255, 253, 249, 5, 126]> : tensor<8xui8>
  return %not, %want_0, %popcnt, %want_1, %count_leading_zeros, %want_2, %negate, %want_3 : tensor<8xui8>, tensor<8xui8>, tensor<8xui8>, tensor<8xui8>, tensor<8xui8>, tensor<8xui8>, tensor<8xui8>, tensor<8xui8>
}

func.func @compare_ui8() -> (tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>) {
  %a = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, 251, 251, 251, 251, 251, 251, 251, 251, 130, 130, 130, 130, 130, 130, 130, 130]> : tensor<64xui8>
  %b = stablehlo.constant dense<[0, 255, 0, 1, 5, 3, 7, 8, 0, 255, 0, 1, 5, 3, 7, 8, 0, 255, 0, 1, 5, 3, 7, 8, 0, 255, 0, 1, 5, 3, 7, 8, 0, 255, 0, 1, 5, 3, 7, 8, 0, 255, 0, 1, 5, 3, 7, 8, 0, 255, 0, 1, 5, 3, 7, 8, 0, 255, 0, 1, 5, 3, 7, 8]> : tensor<64xui8>
  %EQ = stablehlo.compare EQ, %a, %b, UNSIGNED : (tensor<64xui8>, tensor<64xui8>) -> tensor<64xi1>
  %want_0 = stablehlo.constant dense<[true, false, true, false, false, false, false, false, false, true, false, false, false, false, false, false, true, false, true, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false]> : tensor<64xi1>
  %NE = stablehlo.compare NE, %a, %b, UNSIGNED : (tensor<64xui8>, tensor<64xui8>) -> tensor<64xi1>
  %want_1 = stablehlo.constant dense<[false, true, false, true, true, true, true, true, true, false, true, true, true, true, true, true, false, true, false, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]> : tensor<64xi1>
  %LT = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<64xui8>, tensor<64xui8>) -> tensor<64xi1>
  %want_2 = stablehlo.constant dense<[false, true, false, true, true, true, true, true, false, false, false, false, false, false, false, false, false, true, false, true, true, true, true, true, false, true, false, false, true, true, true, true, false, true, false, false, true, false, true, true, false, true, false, false, false, false, false, true, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false]> : tensor<64xi1>
  %LE = stablehlo.compare LE, %a, %b, UNSIGNED : (tensor<64xui8>, tensor<64xui8>) -> tensor<64xi1>
  %want_3 = stablehlo.constant dense<[true, true, true, true, true, true, true, true, false, true, false, false, false, false, false, false, true, true, true, true, true, true, true, true, false, true, false, true, true, true, true, true, false, true, false, false, true, true, true, true, false, true, false, false, false, false, true, true, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false]> : tensor<64xi1>
  %GT = stablehlo.compare GT, %a, %b, UNSIGNED : (tensor<64xui8>, tensor<64xui8>) -> tensor<64xi1>
  %want_4 = stablehlo.constant dense<[false, false, false, false, false, false, false, false, true, false, true, true, true, true, true, true, false, false, false, false, false, false, false, false, true, false, true, false, false, false, false, false, true, false, true, true, false, false, false, false, true, false, true, true, true, true, false, false, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true]> : tensor<64xi1>
  %GE = stablehlo.compare GE, %a, %b, UNSIGNED : (tensor<64xui8>, tensor<64xui8>) -> tensor<64xi1>
  %want_5 = stablehlo.constant dense<[true, false, true, false, false, false, false, false, true, true, true, true, true, true, true, true, true, false, true, false, false, false, false, false, true, false, true, true, false, false, false, false, true, false, true, true, false, true, false, false, true, false, true, true, true, true, true, false, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true]> : tensor<64xi1>
  return %EQ, %want_0, %NE, %want_1, %LT, %want_2, %LE, %want_3, %GT, %want_4, %GE, %want_5 : tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>
}

func.func @power_ui8() -> (tensor<20xui8>, tensor<20xui8>) {
  %a = stablehlo.constant dense<[2, 2, 2, 2, 3, 3, 3, 3, 0, 0, 0, 0, 1, 1, 1, 1, 5, 5, 5, 5]> : tensor<20xui8>
  %b = stablehlo.constant dense<[0, 1, 2, 5, 0, 1, 2, 5, 0, 1, 2, 5, 0, 1, 2, 5, 0, 1, 2, 5]> : tensor<20xui8>
  %p = stablehlo.power %a, %b : tensor<20xui8>
  %want_0 = stablehlo.constant dense<[1, 2, 4, 32, 1, 3, 9, 243, 1, 0, 0, 0, 1, 1, 1, 1, 1, 5, 25, 53]> : tensor<20xui8>
  return %p, %want_0 : tensor<20xui8>, tensor<20xui8>
}

func.func @binary_i16() -> (tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>) {
  %a = stablehlo.constant dense<[-32768, -32768, -32768, -32768, -32768, -32768, -32768, -32768, 32767, 32767, 32767, 32767, 32767, 32767, 32767, 32767, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, -1, -1, -1, -1, -1, -1, -1, -1, -5, -5, -5, -5, -5, -5, -5, -5]> : tensor<64xi16>
  %b = stablehlo.constant dense<[-32768, 32767, 0, 1, -1, 3, 15, 16, -32768, 32767, 0, 1, -1, 3, 15, 16, -32768, 32767, 0, 1, -1, 3, 15, 16, -32768, 32767, 0, 1, -1, 3, 15, 16, -32768, 32767, 0, 1, -1, 3, 15, 16, -32768, 32767, 0, 1, -1, 3, 15, 16, -32768, 32767, 0, 1, -1, 3, 15, 16, -32768, 32767, 0, 1, -1, 3, 15, 16]> : tensor<64xi16>
  %add = stablehlo.add %a, %b : tensor<64xi16>
  %want_0 = stablehlo.constant dense<[0, -1, -32768, -32767, 32767, -32765, -32753, -32752, -1, -2, 32767, -32768, 32766, -32766, -32754, -32753, -32768, 32767, 0, 1, -1, 3, 15, 16, -32767, -32768, 1, 2, 0, 4, 16, 17, -32765, -32766, 3, 4, 2, 6, 18, 19, -32761, -32762, 7, 8, 6, 10, 22, 23, 32767, 32766, -1, 0, -2, 2, 14, 15, 32763, 32762, -5, -4, -6, -2, 10, 11]> : tensor<64xi16>
  %subtract = stablehlo.subtract %a, %b : tensor<64xi16>
  %want_1 = stablehlo.constant dense<[0, 1, -32768, 32767, -32767, 32765, 32753, 32752, -1, 0, 32767, 32766, -32768, 32764, 32752, 32751, -32768, -32767, 0, -1, 1, -3, -15, -16, -32767, -32766, 1, 0, 2, -2, -14, -15, -32765, -32764, 3, 2, 4, 0, -12, -13, -32761, -32760, 7, 6, 8, 4, -8, -9, 32767, -32768, -1, -2, 0, -4, -16, -17, 32763, 32764, -5, -6, -4, -8, -20, -21]> : tensor<64xi16>
  %multiply = stablehlo.multiply %a, %b : tensor<64xi16>
  %want_2 = stablehlo.constant dense<[0, -32768, 0, -32768, -32768, -32768, -32768, 0, -32768, 1, 0, 32767, -32767, 32765, 32753, -16, 0, 0, 0, 0, 0, 0, 0, 0, -32768, 32767, 0, 1, -1, 3, 15, 16, -32768, 32765, 0, 3, -3, 9, 45, 48, -32768, 32761, 0, 7, -7, 21, 105, 112, -32768, -32767, 0, -1, 1, -3, -15, -16, -32768, -32763, 0, -5, 5, -15, -75, -80]> : tensor<64xi16>
  %divide = stablehlo.divide %a, %b : tensor<64xi16>
  %want_3 = stablehlo.constant dense<[1, -1, -1, -32768, -32768, -10922, -2184, -2048, 0, 1, -1, 32767, -32767, 10922, 2184, 2047, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, -1, 1, -1, 0, 0, 0, 0, 0, -1, 3, -3, 1, 0, 0, 0, 0, -1, 7, -7, 2, 0, 0, 0, 0, -1, -1, 1, 0, 0, 0, 0, 0, -1, -5, 5, -1, 0, 0]> : tensor<64xi16>
  %remainder = stablehlo.remainder %a, %b : tensor<64xi16>
  %want_4 = stablehlo.constant dense<[0, -1, -32768, 0, 0, -2, -8, 0, 32767, 0, 32767, 0, 0, 1, 7, 15, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 3, 3, 3, 0, 0, 0, 3, 3, 7, 7, 7, 0, 0, 1, 7, 7, -1, -1, -1, 0, 0, -1, -1, -1, -5, -5, -5, 0, 0, -2, -5, -5]> : tensor<64xi16>
  %maximum = stablehlo.maximum %a, %b : tensor<64xi16>
  %want_5 = stablehlo.constant dense<[-32768, 32767, 0, 1, -1, 3, 15, 16, 32767, 32767, 32767, 32767, 32767, 32767, 32767, 32767, 0, 32767, 0, 1, 0, 3, 15, 16, 1, 32767, 1, 1, 1, 3, 15, 16, 3, 32767, 3, 3, 3, 3, 15, 16, 7, 32767, 7, 7, 7, 7, 15, 16, -1, 32767, 0, 1, -1, 3, 15, 16, -5, 32767, 0, 1, -1, 3, 15, 16]> : tensor<64xi16>
  %minimum = stablehlo.minimum %a, %b : tensor<64xi16>
  %want_6 = stablehlo.constant dense<[-32768, -32768, -32768, -32768, -32768, -32768, -32768, -32768, -32768, 32767, 0, 1, -1, 3, 15, 16, -32768, 0, 0, 0, -1, 0, 0, 0, -32768, 1, 0, 1, -1, 1, 1, 1, -32768, 3, 0, 1, -1, 3, 3, 3, -32768, 7, 0, 1, -1, 3, 7, 7, -32768, -1, -1, -1, -1, -1, -1, -1, -32768, -5, -5, -5, -5, -5, -5, -5]> : tensor<64xi16>
  %and = stablehlo.and %a, %b : tensor<64xi16>
  %want_7 = stablehlo.constant dense<[-32768, 0, 0, 0, -32768, 0, 0, 0, 0, 32767, 0, 1, 32767, 3, 15, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 0, 3, 0, 1, 3, 3, 3, 0, 0, 7, 0, 1, 7, 3, 7, 0, -32768, 32767, 0, 1, -1, 3, 15, 16, -32768, 32763, 0, 1, -5, 3, 11, 16]> : tensor<64xi16>
  %or = stablehlo.or %a, %b : tensor<64xi16>
  %want_8 = stablehlo.constant dense<[-32768, -1, -32768, -32767, -1, -32765, -32753, -32752, -1, 32767, 32767, 32767, -1, 32767, 32767, 32767, -32768, 32767, 0, 1, -1, 3, 15, 16, -32767, 32767, 1, 1, -1, 3, 15, 17, -32765, 32767, 3, 3, -1, 3, 15, 19, -32761, 32767, 7, 7, -1, 7, 15, 23, -1, -1, -1, -1, -1, -1, -1, -1, -5, -1, -5, -5, -1, -5, -1, -5]> : tensor<64xi16>
  %xor = stablehlo.xor %a, %b : tensor<64xi16>
  %want_9 = stablehlo.constant dense<[0, -1, -32768, -32767, 32767, -32765, -32753, -32752, -1, 0, 32767, 32766, -32768, 32764, 32752, 32751, -32768, 32767, 0, 1, -1, 3, 15, 16, -32767, 32766, 1, 0, -2, 2, 14, 17, -32765, 32764, 3, 2, -4, 0, 12, 19, -32761, 32760, 7, 6, -8, 4, 8, 23, 32767, -32768, -1, -2, 0, -4, -16, -17, 32763, -32764, -5, -6, 4, -8, -12, -21]> : tensor<64xi16>
  %shift_left = stablehlo.shift_left %a, %b : tensor<64xi16>
  %want_10 = stablehlo.constant dense<[0, 0, -32768, 0, 0, 0, 0, 0, 0, 0, 32767, -2, 0, -8, -32768, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 8, -32768, 0, 0, 0, 3, 6, 0, 24, -32768, 0, 0, 0, 7, 14, 0, 56, -32768, 0, 0, 0, -1, -2, 0, -8, -32768, 0, 0, 0, -5, -10, 0, -40, -32768, 0]> : tensor<64xi16>
  %shift_right_logical = stablehlo.shift_right_logical %a, %b : tensor<64xi16>
  %want_11 = stablehlo.constant dense<[0, 0, -32768, 16384, 0, 4096, 1, 0, 0, 0, 32767, 16383, 0, 4095, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 7, 3, 0, 0, 0, 0, 0, 0, -1, 32767, 0, 8191, 1, 0, 0, 0, -5, 32765, 0, 8191, 1, 0]> : tensor<64xi16>
  %shift_right_arithmetic = stablehlo.shift_right_arithmetic %a, %b : tensor<64xi16>
  %want_12 = stablehlo.constant dense<[-1, -1, -32768, -16384, -1, -4096, -1, -1, 0, 0, 32767, 16383, 0, 4095, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 7, 3, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -5, -3, -1, -1, -1, -1]> : tensor<64xi16>
  return %add, %want_0, %subtract, %want_1, %multiply, %want_2, %divide, %want_3, %remainder, %want_4, %maximum, %want_5, %minimum, %want_6, %and, %want_7, %or, %want_8, %xor, %want_9, %shift_left, %want_10, %shift_right_logical, %want_11, %shift_right_arithmetic, %want_12 : tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>, tensor<64xi16>
}

func.func @unary_i16() -> (tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>) {
  %a = stablehlo.constant dense<[-32768, 32767, 0, 1, 3, 7, -1, -5]> : tensor<8xi16>
  %not = stablehlo.not %a : tensor<8xi16>
  %want_0 = stablehlo.constant dense<[32767, -32768, -1, -2, -4, -8, 0, 4]> : tensor<8xi16>
  %popcnt = stablehlo.popcnt %a : tensor<8xi16>
  %want_1 = stablehlo.constant dense<[1, 15, 0, 1, 2, 3, 16, 15]> : tensor<8xi16>
  %count_leading_zeros = stablehlo.count_leading_zeros %a : tensor<8xi16>
  %want_2 = stablehlo.constant dense<[0, 1, 16, 15, 14, 13, 0, 0]> : tensor<8xi16>
  %abs = stablehlo.abs %a : tensor<8xi16>
  %want_3 = stablehlo.constant dense<[-32768, 32767, 0, 1, 3, 7, 1, 5]> : tensor<8xi16>
  %sign = stablehlo.sign %a : tensor<8xi16>
  %want_4 = stablehlo.constant dense<[-1, 1, 0, 1, 1, 1, -1, -1]> : tensor<8xi16>
  %negate = stablehlo.negate %a : tensor<8xi16>
  %want_5 = stablehlo.constant dense<[-32768, -32767, 0, -1, -3, -7, 1, 5]> : tensor<8xi16>
  return %not, %want_0, %popcnt, %want_1, %count_leading_zeros, %want_2, %abs, %want_3, %sign, %want_4, %negate, %want_5 : tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>
}

func.func @compare_i16() -> (tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>) {
  %a = stablehlo.constant dense<[-32768, -32768, -32768, -32768, -32768, -32768, -32768, -32768, 32767, 32767, 32767, 32767, 32767, 32767, 32767, 32767, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, -1, -1, -1, -1, -1, -1, -1, -1, -5, -5, -5, -5, -5, -5, -5, -5]> : tensor<64xi16>
  %b = stablehlo.constant dense<[-32768, 32767, 0, 1, -1, 3, 15, 16, -32768, 32767, 0, 1, -1, 3, 15, 16, -32768, 32767, 0, 1, -1, 3, 15, 16, -32768, 32767, 0, 1, -1, 3, 15, 16, -32768, 32767, 0, 1, -1, 3, 15, 16, -32768, 32767, 0, 1, -1, 3, 15, 16, -32768, 32767, 0, 1, -1, 3, 15, 16, -32768, 32767, 0, 1, -1, 3, 15, 16]> : tensor<64xi16>
  %EQ = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<64xi16>, tensor<64xi16>) -> tensor<64xi1>
  %want_0 = stablehlo.constant dense<[true, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, false, false, false]> : tensor<64xi1>
  %NE = stablehlo.compare NE, %a, %b, SIGNED : (tensor<64xi16>, tensor<64xi16>) -> tensor<64xi1>
  %want_1 = stablehlo.constant dense<[false, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, true, true, true]> : tensor<64xi1>
  %LT = stablehlo.compare LT, %a, %b, SIGNED : (tensor<64xi16>, tensor<64xi16>) -> tensor<64xi1>
  %want_2 = stablehlo.constant dense<[false, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false, true, false, true, false, true, true, true, false, true, false, false, false, true, true, true, false, true, false, false, false, false, true, true, false, true, false, false, false, false, true, true, false, true, true, true, false, true, true, true, false, true, true, true, true, true, true, true]> : tensor<64xi1>
  %LE = stablehlo.compare LE, %a, %b, SIGNED : (tensor<64xi16>, tensor<64xi16>) -> tensor<64xi1>
  %want_3 = stablehlo.constant dense<[true, true, true, true, true, true, true, true, false, true, false, false, false, false, false, false, false, true, true, true, false, true, true, true, false, true, false, true, false, true, true, true, false, true, false, false, false, true, true, true, false, true, false, false, false, false, true, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true]> : tensor<64xi1>
  %GT = stablehlo.compare GT, %a, %b, SIGNED : (tensor<64xi16>, tensor<64xi16>) -> tensor<64xi1>
  %want_4 = stablehlo.constant dense<[false, false, false, false, false, false, false, false, true, false, true, true, true, true, true, true, true, false, false, false, true, false, false, false, true, false, true, false, true, false, false, false, true, false, true, true, true, false, false, false, true, false, true, true, true, true, false, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false]> : tensor<64xi1>
  %GE = stablehlo.compare GE, %a, %b, SIGNED : (tensor<64xi16>, tensor<64xi16>) -> tensor<64xi1>
  %want_5 = stablehlo.constant dense<[true, false, false, false, false, false, false, false, true, true, true, true, true, true, true, true, true, false, true, false, true, false, false, false, true, false, true, true, true, false, false, false, true, false, true, true, true, true, false, false, true, false, true, true, true, true, false, false, true, false, false, false, true, false, false, false, true, false, false, false, false, false, false, false]> : tensor<64xi1>
  return %EQ, %want_0, %NE, %want_1, %LT, %want_2, %LE, %want_3, %GT, %want_4, %GE, %want_5 : tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>
}

func.func @power_i16() -> (tensor<36xi16>, tensor<36xi16>) {
  %a = stablehlo.constant dense<[2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, -1, -1, -1, -1, -1, -1, -2, -2, -2, -2, -2, -2, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]> : tensor<36xi16>
  %b = stablehlo.constant dense<[0, 1, 2, 5, -1, -2, 0, 1, 2, 5, -1, -2, 0, 1, 2, 5, -1, -2, 0, 1, 2, 5, -1, -2, 0, 1, 2, 5, -1, -2, 0, 1, 2, 5, -1, -2]> : tensor<36xi16>
  %p = stablehlo.power %a, %b : tensor<36xi16>
  %want_0 = stablehlo.constant dense<[1, 2, 4, 32, 0, 0, 1, 3, 9, 243, 0, 0, 1, -1, 1, -1, -1, 1, 1, -2, 4, -32, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]> : tensor<36xi16>
  return %p, %want_0 : tensor<36xi16>, tensor<36xi16>
}

func.func @binary_ui16() -> (tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>) {
  %a = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, 65531, 65531, 65531, 65531, 65531, 65531, 65531, 65531, 200, 200, 200, 200, 200, 200, 200, 200]> : tensor<64xui16>
  %b = stablehlo.constant dense<[0, 65535, 0, 1, 5, 3, 15, 16, 0, 65535, 0, 1, 5, 3, 15, 16, 0, 65535, 0, 1, 5, 3, 15, 16, 0, 65535, 0, 1, 5, 3, 15, 16, 0, 65535, 0, 1, 5, 3, 15, 16, 0, 65535, 0, 1, 5, 3, 15, 16, 0, 65535, 0, 1, 5, 3, 15, 16, 0, 65535, 0, 1, 5, 3, 15, 16]> : tensor<64xui16>
  %add = stablehlo.add %a, %b : tensor<64xui16>
  %want_0 = stablehlo.constant dense<[0, 65535, 0, 1, 5, 3, 15, 16, 65535, 65534, 65535, 0, 4, 2, 14, 15, 0, 65535, 0, 1, 5, 3, 15, 16, 1, 0, 1, 2, 6, 4, 16, 17, 3, 2, 3, 4, 8, 6, 18, 19, 7, 6, 7, 8, 12, 10, 22, 23, 65531, 65530, 65531, 65532, 0, 65534, 10, 11, 200, 199, 200, 201, 205, 203, 215, 216]> : tensor<64xui16>
  %subtract = stablehlo.subtract %a, %b : tensor<64xui16>
  %want_1 = stablehlo.constant dense<[0, 1, 0, 65535, 65531, 65533, 65521, 65520, 65535, 0, 65535, 65534, 65530, 65532, 65520, 65519, 0, 1, 0, 65535, 65531, 65533, 65521, 65520, 1, 2, 1, 0, 65532, 65534, 65522, 65521, 3, 4, 3, 2, 65534, 0, 65524, 65523, 7, 8, 7, 6, 2, 4, 65528, 65527, 65531, 65532, 65531, 65530, 65526, 65528, 65516, 65515, 200, 201, 200, 199, 195, 197, 185, 184]> : tensor<64xui16>
  %multiply = stablehlo.multiply %a, %b : tensor<64xui16>
  %want_2 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 65535, 65531, 65533, 65521, 65520, 0, 0, 0, 0, 0, 0, 0, 0, 0, 65535, 0, 1, 5, 3, 15, 16, 0, 65533, 0, 3, 15, 9, 45, 48, 0, 65529, 0, 7, 35, 21, 105, 112, 0, 5, 0, 65531, 65511, 65521, 65461, 65456, 0, 65336, 0, 200, 1000, 600, 3000, 3200]> : tensor<64xui16>
  %divide = stablehlo.divide %a, %b : tensor<64xui16>
  %want_3 = stablehlo.constant dense<[65535, 0, 65535, 0, 0, 0, 0, 0, 65535, 1, 65535, 65535, 13107, 21845, 4369, 4095, 65535, 0, 65535, 0, 0, 0, 0, 0, 65535, 0, 65535, 1, 0, 0, 0, 0, 65535, 0, 65535, 3, 0, 1, 0, 0, 65535, 0, 65535, 7, 1, 2, 0, 0, 65535, 0, 65535, 65531, 13106, 21843, 4368, 4095, 65535, 0, 65535, 200, 40, 66, 13, 12]> : tensor<64xui16>
  %remainder = stablehlo.remainder %a, %b : tensor<64xui16>
  %want_4 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 65535, 0, 65535, 0, 0, 0, 0, 15, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 3, 3, 3, 0, 3, 0, 3, 3, 7, 7, 7, 0, 2, 1, 7, 7, 65531, 65531, 65531, 0, 1, 2, 11, 11, 200, 200, 200, 0, 0, 2, 5, 8]> : tensor<64xui16>
  %maximum = stablehlo.maximum %a, %b : tensor<64xui16>
  %want_5 = stablehlo.constant dense<[0, 65535, 0, 1, 5, 3, 15, 16, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 0, 65535, 0, 1, 5, 3, 15, 16, 1, 65535, 1, 1, 5, 3, 15, 16, 3, 65535, 3, 3, 5, 3, 15, 16, 7, 65535, 7, 7, 7, 7, 15, 16, 65531, 65535, 65531, 65531, 65531, 65531, 65531, 65531, 200, 65535, 200, 200, 200, 200, 200, 200]> : tensor<64xui16>
  %minimum = stablehlo.minimum %a, %b : tensor<64xui16>
  %want_6 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 65535, 0, 1, 5, 3, 15, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 0, 3, 0, 1, 3, 3, 3, 3, 0, 7, 0, 1, 5, 3, 7, 7, 0, 65531, 0, 1, 5, 3, 15, 16, 0, 200, 0, 1, 5, 3, 15, 16]> : tensor<64xui16>
  %and = stablehlo.and %a, %b : tensor<64xui16>
  %want_7 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 65535, 0, 1, 5, 3, 15, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 0, 3, 0, 1, 1, 3, 3, 0, 0, 7, 0, 1, 5, 3, 7, 0, 0, 65531, 0, 1, 1, 3, 11, 16, 0, 200, 0, 0, 0, 0, 8, 0]> : tensor<64xui16>
  %or = stablehlo.or %a, %b : tensor<64xui16>
  %want_8 = stablehlo.constant dense<[0, 65535, 0, 1, 5, 3, 15, 16, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 0, 65535, 0, 1, 5, 3, 15, 16, 1, 65535, 1, 1, 5, 3, 15, 17, 3, 65535, 3, 3, 7, 3, 15, 19, 7, 65535, 7, 7, 7, 7, 15, 23, 65531, 65535, 65531, 65531, 65535, 65531, 65535, 65531, 200, 65535, 200, 201, 205, 203, 207, 216]> : tensor<64xui16>
  %xor = stablehlo.xor %a, %b : tensor<64xui16>
  %want_9 = stablehlo.constant dense<[0, 65535, 0, 1, 5, 3, 15, 16, 65535, 0, 65535, 65534, 65530, 65532, 65520, 65519, 0, 65535, 0, 1, 5, 3, 15, 16, 1, 65534, 1, 0, 4, 2, 14, 17, 3, 65532, 3, 2, 6, 0, 12, 19, 7, 65528, 7, 6, 2, 4, 8, 23, 65531, 4, 65531, 65530, 65534, 65528, 65524, 65515, 200, 65335, 200, 201, 205, 203, 199, 216]> : tensor<64xui16>
  %shift_left = stablehlo.shift_left %a, %b : tensor<64xui16>
  %want_10 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 65535, 0, 65535, 65534, 65504, 65528, 32768, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 2, 32, 8, 32768, 0, 3, 0, 3, 6, 96, 24, 32768, 0, 7, 0, 7, 14, 224, 56, 32768, 0, 65531, 0, 65531, 65526, 65376, 65496, 32768, 0, 200, 0, 200, 400, 6400, 1600, 0, 0]> : tensor<64xui16>
  %shift_right_logical = stablehlo.shift_right_logical %a, %b : tensor<64xui16>
  %want_11 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 65535, 0, 65535, 32767, 2047, 8191, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 3, 0, 3, 1, 0, 0, 0, 0, 7, 0, 7, 3, 0, 0, 0, 0, 65531, 0, 65531, 32765, 2047, 8191, 1, 0, 200, 0, 200, 100, 6, 25, 0, 0]> : tensor<64xui16>
  %shift_right_arithmetic = stablehlo.shift_right_arithmetic %a, %b : tensor<64xui16>
  %want_12 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 3, 0, 3, 1, 0, 0, 0, 0, 7, 0, 7, 3, 0, 0, 0, 0, 65531, 65535, 65531, 65533, 65535, 65535, 65535, 65535, 200, 0, 200, 100, 6, 25, 0, 0]> : tensor<64xui16>
  return %add, %want_0, %subtract, %want_1, %multiply, %want_2, %divide, %want_3, %remainder, %want_4, %maximum, %want_5, %minimum, %want_6, %and, %want_7, %or, %want_8, %xor, %want_9, %shift_left, %want_10, %shift_right_logical, %want_11, %shift_right_arithmetic, %want_12 : tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>, tensor<64xui16>
}

func.func @unary_ui16() -> (tensor<8xui16>, tensor<8xui16>, tensor<8xui16>, tensor<8xui16>, tensor<8xui16>, tensor<8xui16>, tensor<8xui16>, tensor<8xui16>) {
  %a = stablehlo.constant dense<[0, 65535, 0, 1, 3, 7, 65531, 200]> : tensor<8xui16>
  %not = stablehlo.not %a : tensor<8xui16>
  %want_0 = stablehlo.constant dense<[65535, 0, 65535, 65534, 65532, 65528, 4, 65335]> : tensor<8xui16>
  %popcnt = stablehlo.popcnt %a : tensor<8xui16>
  %want_1 = stablehlo.constant dense<[0, 16, 0, 1, 2, 3, 15, 3]> : tensor<8xui16>
  %count_leading_zeros = stablehlo.count_leading_zeros %a : tensor<8xui16>
  %want_2 = stablehlo.constant dense<[16, 0, 16, 15, 14, 13, 0, 8]> : tensor<8xui16>
  %negate = stablehlo.negate %a : tensor<8xui16>
  %want_3 = stablehlo.constant dense<[0, 1, 0, 65535, 65533, 65529, 5, 65336]> : tensor<8xui16>
  return %not, %want_0, %popcnt, %want_1, %count_leading_zeros, %want_2, %negate, %want_3 : tensor<8xui16>, tensor<8xui16>, tensor<8xui16>, tensor<8xui16>, tensor<8xui16>, tensor<8xui16>, tensor<8xui16>, tensor<8xui16>
}

func.func @compare_ui16() -> (tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>) {
  %a = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, 65531, 65531, 65531, 65531, 65531, 65531, 65531, 65531, 200, 200, 200, 200, 200, 200, 200, 200]> : tensor<64xui16>
  %b = stablehlo.constant dense<[0, 65535, 0, 1, 5, 3, 15, 16, 0, 65535, 0, 1, 5, 3, 15, 16, 0, 65535, 0, 1, 5, 3, 15, 16, 0, 65535, 0, 1, 5, 3, 15, 16, 0, 65535, 0, 1, 5, 3, 15, 16, 0, 65535, 0, 1, 5, 3, 15, 16, 0, 65535, 0, 1, 5, 3, 15, 16, 0, 65535, 0, 1, 5, 3, 15, 16]> : tensor<64xui16>
  %EQ = stablehlo.compare EQ, %a, %b, UNSIGNED : (tensor<64xui16>, tensor<64xui16>) -> tensor<64xi1>
  %want_0 = stablehlo.constant dense<[true, false, true, false, false, false, false, false, false, true, false, false, false, false, false, false, true, false, true, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false]> : tensor<64xi1>
  %NE = stablehlo.compare NE, %a, %b, UNSIGNED : (tensor<64xui16>, tensor<64xui16>) -> tensor<64xi1>
  %want_1 = stablehlo.constant dense<[false, true, false, true, true, true, true, true, true, false, true, true, true, true, true, true, false, true, false, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]> : tensor<64xi1>
  %LT = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<64xui16>, tensor<64xui16>) -> tensor<64xi1>
  %want_2 = stablehlo.constant dense<[false, true, false, true, true, true, true, true, false, false, false, false, false, false, false, false, false, true, false, true, true, true, true, true, false, true, false, false, true, true, true, true, false, true, false, false, true, false, true, true, false, true, false, false, false, false, true, true, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false]> : tensor<64xi1>
  %LE = stablehlo.compare LE, %a, %b, UNSIGNED : (tensor<64xui16>, tensor<64xui16>) -> tensor<64xi1>
  %want_3 = stablehlo.constant dense<[true, true, true, true, true, true, true, true, false, true, false, false, false, false, false, false, true, true, true, true, true, true, true, true, false, true, false, true, true, true, true, true, false, true, false, false, true, true, true, true, false, true, false, false, false, false, true, true, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false]> : tensor<64xi1>
  %GT = stablehlo.compare GT, %a, %b, UNSIGNED : (tensor<64xui16>, tensor<64xui16>) -> tensor<64xi1>
  %want_4 = stablehlo.constant dense<[false, false, false, false, false, false, false, false, true, false, true, true, true, true, true, true, false, false, false, false, false, false, false, false, true, false, true, false, false, false, false, false, true, false, true, true, false, false, false, false, true, false, true, true, true, true, false, false, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true]> : tensor<64xi1>
  %GE = stablehlo.compare GE, %a, %b, UNSIGNED : (tensor<64xui16>, tensor<64xui16>) -> tensor<64xi1>
  %want_5 = stablehlo.constant dense<[true, false, true, false, false, false, false, false, true, true, true, true, true, true, true, true, true, false, true, false, false, false, false, false, true, false, true, true, false, false, false, false, true, false, true, true, false, true, false, false, true, false, true, true, true, true, false, false, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true]> : tensor<64xi1>
  return %EQ, %want_0, %NE, %want_1, %LT, %want_2, %LE, %want_3, %GT, %want_4, %GE, %want_5 : tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>
}

func.func @power_ui16() -> (tensor<20xui16>, tensor<20xui16>) {
  %a = stablehlo.constant dense<[2, 2, 2, 2, 3, 3, 3, 3, 0, 0, 0, 0, 1, 1, 1, 1, 5, 5, 5, 5]> : tensor<20xui16>
  %b = stablehlo.constant dense<[0, 1, 2, 5, 0, 1, 2, 5, 0, 1, 2, 5, 0, 1, 2, 5, 0, 1, 2, 5]> : tensor<20xui16>
  %p = stablehlo.power %a, %b : tensor<20xui16>
  %want_0 = stablehlo.constant dense<[1, 2, 4, 32, 1, 3, 9, 243, 1, 0, 0, 0, 1, 1, 1, 1, 1, 5, 25, 3125]> : tensor<20xui16>
  return %p, %want_0 : tensor<20xui16>, tensor<20xui16>
}

func.func @binary_i32() -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) {
  %a = stablehlo.constant dense<[-2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, -1, -1, -1, -1, -1, -1, -1, -1, -5, -5, -5, -5, -5, -5, -5, -5]> : tensor<64xi32>
  %b = stablehlo.constant dense<[-2147483648, 2147483647, 0, 1, -1, 3, 31, 32, -2147483648, 2147483647, 0, 1, -1, 3, 31, 32, -2147483648, 2147483647, 0, 1, -1, 3, 31, 32, -2147483648, 2147483647, 0, 1, -1, 3, 31, 32, -2147483648, 2147483647, 0, 1, -1, 3, 31, 32, -2147483648, 2147483647, 0, 1, -1, 3, 31, 32, -2147483648, 2147483647, 0, 1, -1, 3, 31, 32, -2147483648, 2147483647, 0, 1, -1, 3, 31, 32]> : tensor<64xi32>
  %add = stablehlo.add %a, %b : tensor<64xi32>
  %want_0 = stablehlo.constant dense<[0, -1, -2147483648, -2147483647, 2147483647, -2147483645, -2147483617, -2147483616, -1, -2, 2147483647, -2147483648, 2147483646, -2147483646, -2147483618, -2147483617, -2147483648, 2147483647, 0, 1, -1, 3, 31, 32, -2147483647, -2147483648, 1, 2, 0, 4, 32, 33, -2147483645, -2147483646, 3, 4, 2, 6, 34, 35, -2147483641, -2147483642, 7, 8, 6, 10, 38, 39, 2147483647, 2147483646, -1, 0, -2, 2, 30, 31, 2147483643, 2147483642, -5, -4, -6, -2, 26, 27]> : tensor<64xi32>
  %subtract = stablehlo.subtract %a, %b : tensor<64xi32>
  %want_1 = stablehlo.constant dense<[0, 1, -2147483648, 2147483647, -2147483647, 2147483645, 2147483617, 2147483616, -1, 0, 2147483647, 2147483646, -2147483648, 2147483644, 2147483616, 2147483615, -2147483648, -2147483647, 0, -1, 1, -3, -31, -32, -2147483647, -2147483646, 1, 0, 2, -2, -30, -31, -2147483645, -2147483644, 3, 2, 4, 0, -28, -29, -2147483641, -2147483640, 7, 6, 8, 4, -24, -25, 2147483647, -2147483648, -1, -2, 0, -4, -32, -33, 2147483643, 2147483644, -5, -6, -4, -8, -36, -37]> : tensor<64xi32>
  %multiply = stablehlo.multiply %a, %b : tensor<64xi32>
  %want_2 = stablehlo.constant dense<[0, -2147483648, 0, -2147483648, -2147483648, -2147483648, -2147483648, 0, -2147483648, 1, 0, 2147483647, -2147483647, 2147483645, 2147483617, -32, 0, 0, 0, 0, 0, 0, 0, 0, -2147483648, 2147483647, 0, 1, -1, 3, 31, 32, -2147483648, 2147483645, 0, 3, -3, 9, 93, 96, -2147483648, 2147483641, 0, 7, -7, 21, 217, 224, -2147483648, -2147483647, 0, -1, 1, -3, -31, -32, -2147483648, -2147483643, 0, -5, 5, -15, -155, -160]> : tensor<64xi32>
  %divide = stablehlo.divide %a, %b : tensor<64xi32>
  %want_3 = stablehlo.constant dense<[1, -1, -1, -2147483648, -2147483648, -715827882, -69273666, -67108864, 0, 1, -1, 2147483647, -2147483647, 715827882, 69273666, 67108863, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, -1, 1, -1, 0, 0, 0, 0, 0, -1, 3, -3, 1, 0, 0, 0, 0, -1, 7, -7, 2, 0, 0, 0, 0, -1, -1, 1, 0, 0, 0, 0, 0, -1, -5, 5, -1, 0, 0]> : tensor<64xi32>
  %remainder = stablehlo.remainder %a, %b : tensor<64xi32>
  %want_4 = stablehlo.constant dense<[0, -1, -2147483648, 0, 0, -2, -2, 0, 2147483647, 0, 2147483647, 0, 0, 1, 1, 31, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 3, 3, 3, 0, 0, 0, 3, 3, 7, 7, 7, 0, 0, 1, 7, 7, -1, -1, -1, 0, 0, -1, -1, -1, -5, -5, -5, 0, 0, -2, -5, -5]> : tensor<64xi32>
  %maximum = stablehlo.maximum %a, %b : tensor<64xi32>
  %want_5 = stablehlo.constant dense<[-2147483648, 2147483647, 0, 1, -1, 3, 31, 32, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 0, 2147483647, 0, 1, 0, 3, 31, 32, 1, 2147483647, 1, 1, 1, 3, 31, 32, 3, 2147483647, 3, 3, 3, 3, 31, 32, 7, 2147483647, 7, 7, 7, 7, 31, 32, -1, 2147483647, 0, 1, -1, 3, 31, 32, -5, 2147483647, 0, 1, -1, 3, 31, 32]> : tensor<64xi32>
  %minimum = stablehlo.minimum %a, %b : tensor<64xi32>
  %want_6 = stablehlo.constant dense<[-2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, 2147483647, 0, 1, -1, 3, 31, 32, -2147483648, 0, 0, 0, -1, 0, 0, 0, -2147483648, 1, 0, 1, -1, 1, 1, 1, -2147483648, 3, 0, 1, -1, 3, 3, 3, -2147483648, 7, 0, 1, -1, 3, 7, 7, -2147483648, -1, -1, -1, -1, -1, -1, -1, -2147483648, -5, -5, -5, -5, -5, -5, -5]> : tensor<64xi32>
  %and = stablehlo.and %a, %b : tensor<64xi32>
  %want_7 = stablehlo.constant dense<[-2147483648, 0, 0, 0, -2147483648, 0, 0, 0, 0, 2147483647, 0, 1, 2147483647, 3, 31, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 0, 3, 0, 1, 3, 3, 3, 0, 0, 7, 0, 1, 7, 3, 7, 0, -2147483648, 2147483647, 0, 1, -1, 3, 31, 32, -2147483648, 2147483643, 0, 1, -5, 3, 27, 32]> : tensor<64xi32>
  %or = stablehlo.or %a, %b : tensor<64xi32>
  %want_8 = stablehlo.constant dense<[-2147483648, -1, -2147483648, -2147483647, -1, -2147483645, -2147483617, -2147483616, -1, 2147483647, 2147483647, 2147483647, -1, 2147483647, 2147483647, 2147483647, -2147483648, 2147483647, 0, 1, -1, 3, 31, 32, -2147483647, 2147483647, 1, 1, -1, 3, 31, 33, -2147483645, 2147483647, 3, 3, -1, 3, 31, 35, -2147483641, 2147483647, 7, 7, -1, 7, 31, 39, -1, -1, -1, -1, -1, -1, -1, -1, -5, -1, -5, -5, -1, -5, -1, -5]> : tensor<64xi32>
  %xor = stablehlo.xor %a, %b : tensor<64xi32>
  %want_9 = stablehlo.constant dense<[0, -1, -2147483648, -2147483647, 2147483647, -2147483645, -2147483617, -2147483616, -1, 0, 2147483647, 2147483646, -2147483648, 2147483644, 2147483616, 2147483615, -2147483648, 2147483647, 0, 1, -1, 3, 31, 32, -2147483647, 2147483646, 1, 0, -2, 2, 30, 33, -2147483645, 2147483644, 3, 2, -4, 0, 28, 35, -2147483641, 2147483640, 7, 6, -8, 4, 24, 39, 2147483647, -2147483648, -1, -2, 0, -4, -32, -33, 2147483643, -2147483644, -5, -6, 4, -8, -28, -37]> : tensor<64xi32>
  %shift_left = stablehlo.shift_left %a, %b : tensor<64xi32>
  %want_10 = stablehlo.constant dense<[0, 0, -2147483648, 0, 0, 0, 0, 0, 0, 0, 2147483647, -2, 0, -8, -2147483648, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 8, -2147483648, 0, 0, 0, 3, 6, 0, 24, -2147483648, 0, 0, 0, 7, 14, 0, 56, -2147483648, 0, 0, 0, -1, -2, 0, -8, -2147483648, 0, 0, 0, -5, -10, 0, -40, -2147483648, 0]> : tensor<64xi32>
  %shift_right_logical = stablehlo.shift_right_logical %a, %b : tensor<64xi32>
  %want_11 = stablehlo.constant dense<[0, 0, -2147483648, 1073741824, 0, 268435456, 1, 0, 0, 0, 2147483647, 1073741823, 0, 268435455, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 7, 3, 0, 0, 0, 0, 0, 0, -1, 2147483647, 0, 536870911, 1, 0, 0, 0, -5, 2147483645, 0, 536870911, 1, 0]> : tensor<64xi32>
  %shift_right_arithmetic = stablehlo.shift_right_arithmetic %a, %b : tensor<64xi32>
  %want_12 = stablehlo.constant dense<[-1, -1, -2147483648, -1073741824, -1, -268435456, -1, -1, 0, 0, 2147483647, 1073741823, 0, 268435455, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 7, 3, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -5, -3, -1, -1, -1, -1]> : tensor<64xi32>
  return %add, %want_0, %subtract, %want_1, %multiply, %want_2, %divide, %want_3, %remainder, %want_4, %maximum, %want_5, %minimum, %want_6, %and, %want_7, %or, %want_8, %xor, %want_9, %shift_left, %want_10, %shift_right_logical, %want_11, %shift_right_arithmetic, %want_12 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
}

func.func @unary_i32() -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) {
  %a = stablehlo.constant dense<[-2147483648, 2147483647, 0, 1, 3, 7, -1, -5]> : tensor<8xi32>
  %not = stablehlo.not %a : tensor<8xi32>
  %want_0 = stablehlo.constant dense<[2147483647, -2147483648, -1, -2, -4, -8, 0, 4]> : tensor<8xi32>
  %popcnt = stablehlo.popcnt %a : tensor<8xi32>
  %want_1 = stablehlo.constant dense<[1, 31, 0, 1, 2, 3, 32, 31]> : tensor<8xi32>
  %count_leading_zeros = stablehlo.count_leading_zeros %a : tensor<8xi32>
  %want_2 = stablehlo.constant dense<[0, 1, 32, 31, 30, 29, 0, 0]> : tensor<8xi32>
  %abs = stablehlo.abs %a : tensor<8xi32>
  %want_3 = stablehlo.constant dense<[-2147483648, 2147483647, 0, 1, 3, 7, 1, 5]> : tensor<8xi32>
  %sign = stablehlo.sign %a : tensor<8xi32>
  %want_4 = stablehlo.constant dense<[-1, 1, 0, 1, 1, 1, -1, -1]> : tensor<8xi32>
  %negate = stablehlo.negate %a : tensor<8xi32>
  %want_5 = stablehlo.constant dense<[-2147483648, -2147483647, 0, -1, -3, -7, 1, 5]> : tensor<8xi32>
  return %not, %want_0, %popcnt, %want_1, %count_leading_zeros, %want_2, %abs, %want_3, %sign, %want_4, %negate, %want_5 : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>
}

func.func @compare_i32() -> (tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>) {
  %a = stablehlo.constant dense<[-2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, -1, -1, -1, -1, -1, -1, -1, -1, -5, -5, -5, -5, -5, -5, -5, -5]> : tensor<64xi32>
  %b = stablehlo.constant dense<[-2147483648, 2147483647, 0, 1, -1, 3, 31, 32, -2147483648, 2147483647, 0, 1, -1, 3, 31, 32, -2147483648, 2147483647, 0, 1, -1, 3, 31, 32, -2147483648, 2147483647, 0, 1, -1, 3, 31, 32, -2147483648, 2147483647, 0, 1, -1, 3, 31, 32, -2147483648, 2147483647, 0, 1, -1, 3, 31, 32, -2147483648, 2147483647, 0, 1, -1, 3, 31, 32, -2147483648, 2147483647, 0, 1, -1, 3, 31, 32]> : tensor<64xi32>
  %EQ = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
  %want_0 = stablehlo.constant dense<[true, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, false, false, false]> : tensor<64xi1>
  %NE = stablehlo.compare NE, %a, %b, SIGNED : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
  %want_1 = stablehlo.constant dense<[false, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, true, true, true]> : tensor<64xi1>
  %LT = stablehlo.compare LT, %a, %b, SIGNED : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
  %want_2 = stablehlo.constant dense<[false, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false, true, false, true, false, true, true, true, false, true, false, false, false, true, true, true, false, true, false, false, false, false, true, true, false, true, false, false, false, false, true, true, false, true, true, true, false, true, true, true, false, true, true, true, true, true, true, true]> : tensor<64xi1>
  %LE = stablehlo.compare LE, %a, %b, SIGNED : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
  %want_3 = stablehlo.constant dense<[true, true, true, true, true, true, true, true, false, true, false, false, false, false, false, false, false, true, true, true, false, true, true, true, false, true, false, true, false, true, true, true, false, true, false, false, false, true, true, true, false, true, false, false, false, false, true, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true]> : tensor<64xi1>
  %GT = stablehlo.compare GT, %a, %b, SIGNED : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
  %want_4 = stablehlo.constant dense<[false, false, false, false, false, false, false, false, true, false, true, true, true, true, true, true, true, false, false, false, true, false, false, false, true, false, true, false, true, false, false, false, true, false, true, true, true, false, false, false, true, false, true, true, true, true, false, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false]> : tensor<64xi1>
  %GE = stablehlo.compare GE, %a, %b, SIGNED : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
  %want_5 = stablehlo.constant dense<[true, false, false, false, false, false, false, false, true, true, true, true, true, true, true, true, true, false, true, false, true, false, false, false, true, false, true, true, true, false, false, false, true, false, true, true, true, true, false, false, true, false, true, true, true, true, false, false, true, false, false, false, true, false, false, false, true, false, false, false, false, false, false, false]> : tensor<64xi1>
  return %EQ, %want_0, %NE, %want_1, %LT, %want_2, %LE, %want_3, %GT, %want_4, %GE, %want_5 : tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>
}

func.func @power_i32() -> (tensor<36xi32>, tensor<36xi32>) {
  %a = stablehlo.constant dense<[2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, -1, -1, -1, -1, -1, -1, -2, -2, -2, -2, -2, -2, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]> : tensor<36xi32>
  %b = stablehlo.constant dense<[0, 1, 2, 5, -1, -2, 0, 1, 2, 5, -1, -2, 0, 1, 2, 5, -1, -2, 0, 1, 2, 5, -1, -2, 0, 1, 2, 5, -1, -2, 0, 1, 2, 5, -1, -2]> : tensor<36xi32>
  %p = stablehlo.power %a, %b : tensor<36xi32>
  %want_0 = stablehlo.constant dense<[1, 2, 4, 32, 0, 0, 1, 3, 9, 243, 0, 0, 1, -1, 1, -1, -1, 1, 1, -2, 4, -32, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]> : tensor<36xi32>
  return %p, %want_0 : tensor<36xi32>, tensor<36xi32>
}

func.func @binary_ui32() -> (tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>) {
  %a = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, 4294967291, 4294967291, 4294967291, 4294967291, 4294967291, 4294967291, 4294967291, 4294967291, 200, 200, 200, 200, 200, 200, 200, 200]> : tensor<64xui32>
  %b = stablehlo.constant dense<[0, 4294967295, 0, 1, 5, 3, 31, 32, 0, 4294967295, 0, 1, 5, 3, 31, 32, 0, 4294967295, 0, 1, 5, 3, 31, 32, 0, 4294967295, 0, 1, 5, 3, 31, 32, 0, 4294967295, 0, 1, 5, 3, 31, 32, 0, 4294967295, 0, 1, 5, 3, 31, 32, 0, 4294967295, 0, 1, 5, 3, 31, 32, 0, 4294967295, 0, 1, 5, 3, 31, 32]> : tensor<64xui32>
  %add = stablehlo.add %a, %b : tensor<64xui32>
  %want_0 = stablehlo.constant dense<[0, 4294967295, 0, 1, 5, 3, 31, 32, 4294967295, 4294967294, 4294967295, 0, 4, 2, 30, 31, 0, 4294967295, 0, 1, 5, 3, 31, 32, 1, 0, 1, 2, 6, 4, 32, 33, 3, 2, 3, 4, 8, 6, 34, 35, 7, 6, 7, 8, 12, 10, 38, 39, 4294967291, 4294967290, 4294967291, 4294967292, 0, 4294967294, 26, 27, 200, 199, 200, 201, 205, 203, 231, 232]> : tensor<64xui32>
  %subtract = stablehlo.subtract %a, %b : tensor<64xui32>
  %want_1 = stablehlo.constant dense<[0, 1, 0, 4294967295, 4294967291, 4294967293, 4294967265, 4294967264, 4294967295, 0, 4294967295, 4294967294, 4294967290, 4294967292, 4294967264, 4294967263, 0, 1, 0, 4294967295, 4294967291, 4294967293, 4294967265, 4294967264, 1, 2, 1, 0, 4294967292, 4294967294, 4294967266, 4294967265, 3, 4, 3, 2, 4294967294, 0, 4294967268, 4294967267, 7, 8, 7, 6, 2, 4, 4294967272, 4294967271, 4294967291, 4294967292, 4294967291, 4294967290, 4294967286, 4294967288, 4294967260, 4294967259, 200, 201, 200, 199, 195, 197, 169, 168]> : tensor<64xui32>
  %multiply = stablehlo.multiply %a, %b : tensor<64xui32>
  %want_2 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 4294967295, 4294967291, 4294967293, 4294967265, 4294967264, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4294967295, 0, 1, 5, 3, 31, 32, 0, 4294967293, 0, 3, 15, 9, 93, 96, 0, 4294967289, 0, 7, 35, 21, 217, 224, 0, 5, 0, 4294967291, 4294967271, 4294967281, 4294967141, 4294967136, 0, 4294967096, 0, 200, 1000, 600, 6200, 6400]> : tensor<64xui32>
  %divide = stablehlo.divide %a, %b : tensor<64xui32>
  %want_3 = stablehlo.constant dense<[4294967295, 0, 4294967295, 0, 0, 0, 0, 0, 4294967295, 1, 4294967295, 4294967295, 858993459, 1431655765, 138547332, 134217727, 4294967295, 0, 4294967295, 0, 0, 0, 0, 0, 4294967295, 0, 4294967295, 1, 0, 0, 0, 0, 4294967295, 0, 4294967295, 3, 0, 1, 0, 0, 4294967295, 0, 4294967295, 7, 1, 2, 0, 0, 4294967295, 0, 4294967295, 4294967291, 858993458, 1431655763, 138547331, 134217727, 4294967295, 0, 4294967295, 200, 40, 66, 6, 6]> : tensor<64xui32>
  %remainder = stablehlo.remainder %a, %b : tensor<64xui32>
  %want_4 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 4294967295, 0, 4294967295, 0, 0, 0, 3, 31, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 3, 3, 3, 0, 3, 0, 3, 3, 7, 7, 7, 0, 2, 1, 7, 7, 4294967291, 4294967291, 4294967291, 0, 1, 2, 30, 27, 200, 200, 200, 0, 0, 2, 14, 8]> : tensor<64xui32>
  %maximum = stablehlo.maximum %a, %b : tensor<64xui32>
  %want_5 = stablehlo.constant dense<[0, 4294967295, 0, 1, 5, 3, 31, 32, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 0, 4294967295, 0, 1, 5, 3, 31, 32, 1, 4294967295, 1, 1, 5, 3, 31, 32, 3, 4294967295, 3, 3, 5, 3, 31, 32, 7, 4294967295, 7, 7, 7, 7, 31, 32, 4294967291, 4294967295, 4294967291, 4294967291, 4294967291, 4294967291, 4294967291, 4294967291, 200, 4294967295, 200, 200, 200, 200, 200, 200]> : tensor<64xui32>
  %minimum = stablehlo.minimum %a, %b : tensor<64xui32>
  %want_6 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 4294967295, 0, 1, 5, 3, 31, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 0, 3, 0, 1, 3, 3, 3, 3, 0, 7, 0, 1, 5, 3, 7, 7, 0, 4294967291, 0, 1, 5, 3, 31, 32, 0, 200, 0, 1, 5, 3, 31, 32]> : tensor<64xui32>
  %and = stablehlo.and %a, %b : tensor<64xui32>
  %want_7 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 4294967295, 0, 1, 5, 3, 31, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 0, 3, 0, 1, 1, 3, 3, 0, 0, 7, 0, 1, 5, 3, 7, 0, 0, 4294967291, 0, 1, 1, 3, 27, 32, 0, 200, 0, 0, 0, 0, 8, 0]> : tensor<64xui32>
  %or = stablehlo.or %a, %b : tensor<64xui32>
  %want_8 = stablehlo.constant dense<[0, 4294967295, 0, 1, 5, 3, 31, 32, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 0, 4294967295, 0, 1, 5, 3, 31, 32, 1, 4294967295, 1, 1, 5, 3, 31, 33, 3, 4294967295, 3, 3, 7, 3, 31, 35, 7, 4294967295, 7, 7, 7, 7, 31, 39, 4294967291, 4294967295, 4294967291, 4294967291, 4294967295, 4294967291, 4294967295, 4294967291, 200, 4294967295, 200, 201, 205, 203, 223, 232]> : tensor<64xui32>
  %xor = stablehlo.xor %a, %b : tensor<64xui32>
  %want_9 = stablehlo.constant dense<[0, 4294967295, 0, 1, 5, 3, 31, 32, 4294967295, 0, 4294967295, 4294967294, 4294967290, 4294967292, 4294967264, 4294967263, 0, 4294967295, 0, 1, 5, 3, 31, 32, 1, 4294967294, 1, 0, 4, 2, 30, 33, 3, 4294967292, 3, 2, 6, 0, 28, 35, 7, 4294967288, 7, 6, 2, 4, 24, 39, 4294967291, 4, 4294967291, 4294967290, 4294967294, 4294967288, 4294967268, 4294967259, 200, 4294967095, 200, 201, 205, 203, 215, 232]> : tensor<64xui32>
  %shift_left = stablehlo.shift_left %a, %b : tensor<64xui32>
  %want_10 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 4294967295, 0, 4294967295, 4294967294, 4294967264, 4294967288, 2147483648, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 2, 32, 8, 2147483648, 0, 3, 0, 3, 6, 96, 24, 2147483648, 0, 7, 0, 7, 14, 224, 56, 2147483648, 0, 4294967291, 0, 4294967291, 4294967286, 4294967136, 4294967256, 2147483648, 0, 200, 0, 200, 400, 6400, 1600, 0, 0]> : tensor<64xui32>
  %shift_right_logical = stablehlo.shift_right_logical %a, %b : tensor<64xui32>
  %want_11 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 4294967295, 0, 4294967295, 2147483647, 134217727, 536870911, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 3, 0, 3, 1, 0, 0, 0, 0, 7, 0, 7, 3, 0, 0, 0, 0, 4294967291, 0, 4294967291, 2147483645, 134217727, 536870911, 1, 0, 200, 0, 200, 100, 6, 25, 0, 0]> : tensor<64xui32>
  %shift_right_arithmetic = stablehlo.shift_right_arithmetic %a, %b : tensor<64xui32>
  %want_12 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 3, 0, 3, 1, 0, 0, 0, 0, 7, 0, 7, 3, 0, 0, 0, 0, 4294967291, 4294967295, 4294967291, 4294967293, 4294967295, 4294967295, 4294967295, 4294967295, 200, 0, 200, 100, 6, 25, 0, 0]> : tensor<64xui32>
  return %add, %want_0, %subtract, %want_1, %multiply, %want_2, %divide, %want_3, %remainder, %want_4, %maximum, %want_5, %minimum, %want_6, %and, %want_7, %or, %want_8, %xor, %want_9, %shift_left, %want_10, %shift_right_logical, %want_11, %shift_right_arithmetic, %want_12 : tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>, tensor<64xui32>
}

func.func @unary_ui32() -> (tensor<8xui32>, tensor<8xui32>, tensor<8xui32>, tensor<8xui32>, tensor<8xui32>, tensor<8xui32>, tensor<8xui32>, tensor<8xui32>) {
  %a = stablehlo.constant dense<[0, 4294967295, 0, 1, 3, 7, 4294967291, 200]> : tensor<8xui32>
  %not = stablehlo.not %a : tensor<8xui32>
  %want_0 = stablehlo.constant dense<[4294967295, 0, 4294967295, 4294967294, 4294967292, 4294967288, 4, 4294967095]> : tensor<8xui32>
  %popcnt = stablehlo.popcnt %a : tensor<8xui32>
  %want_1 = stablehlo.constant dense<[0, 32, 0, 1, 2, 3, 31, 3]> : tensor<8xui32>
  %count_leading_zeros = stablehlo.count_leading_zeros %a : tensor<8xui32>
  %want_2 = stablehlo.constant dense<[32, 0, 32, 31, 30, 29, 0, 24]> : tensor<8xui32>
  %negate = stablehlo.negate %a : tensor<8xui32>
  %want_3 = stablehlo.constant dense<[0, 1, 0, 4294967295, 4294967293, 4294967289, 5, 4294967096]> : tensor<8xui32>
  return %not, %want_0, %popcnt, %want_1, %count_leading_zeros, %want_2, %negate, %want_3 : tensor<8xui32>, tensor<8xui32>, tensor<8xui32>, tensor<8xui32>, tensor<8xui32>, tensor<8xui32>, tensor<8xui32>, tensor<8xui32>
}

func.func @compare_ui32() -> (tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>) {
  %a = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, 4294967291, 4294967291, 4294967291, 4294967291, 4294967291, 4294967291, 4294967291, 4294967291, 200, 200, 200, 200, 200, 200, 200, 200]> : tensor<64xui32>
  %b = stablehlo.constant dense<[0, 4294967295, 0, 1, 5, 3, 31, 32, 0, 4294967295, 0, 1, 5, 3, 31, 32, 0, 4294967295, 0, 1, 5, 3, 31, 32, 0, 4294967295, 0, 1, 5, 3, 31, 32, 0, 4294967295, 0, 1, 5, 3, 31, 32, 0, 4294967295, 0, 1, 5, 3, 31, 32, 0, 4294967295, 0, 1, 5, 3, 31, 32, 0, 4294967295, 0, 1, 5, 3, 31, 32]> : tensor<64xui32>
  %EQ = stablehlo.compare EQ, %a, %b, UNSIGNED : (tensor<64xui32>, tensor<64xui32>) -> tensor<64xi1>
  %want_0 = stablehlo.constant dense<[true, false, true, false, false, false, false, false, false, true, false, false, false, false, false, false, true, false, true, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false]> : tensor<64xi1>
  %NE = stablehlo.compare NE, %a, %b, UNSIGNED : (tensor<64xui32>, tensor<64xui32>) -> tensor<64xi1>
  %want_1 = stablehlo.constant dense<[false, true, false, true, true, true, true, true, true, false, true, true, true, true, true, true, false, true, false, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]> : tensor<64xi1>
  %LT = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<64xui32>, tensor<64xui32>) -> tensor<64xi1>
  %want_2 = stablehlo.constant dense<[false, true, false, true, true, true, true, true, false, false, false, false, false, false, false, false, false, true, false, true, true, true, true, true, false, true, false, false, true, true, true, true, false, true, false, false, true, false, true, true, false, true, false, false, false, false, true, true, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false]> : tensor<64xi1>
  %LE = stablehlo.compare LE, %a, %b, UNSIGNED : (tensor<64xui32>, tensor<64xui32>) -> tensor<64xi1>
  %want_3 = stablehlo.constant dense<[true, true, true, true, true, true, true, true, false, true, false, false, false, false, false, false, true, true, true, true, true, true, true, true, false, true, false, true, true, true, true, true, false, true, false, false, true, true, true, true, false, true, false, false, false, false, true, true, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false]> : tensor<64xi1>
  %GT = stablehlo.compare GT, %a, %b, UNSIGNED : (tensor<64xui32>, tensor<64xui32>) -> tensor<64xi1>
  %want_4 = stablehlo.constant dense<[false, false, false, false, false, false, false, false, true, false, true, true, true, true, true, true, false, false, false, false, false, false, false, false, true, false, true, false, false, false, false, false, true, false, true, true, false, false, false, false, true, false, true, true, true, true, false, false, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true]> : tensor<64xi1>
  %GE = stablehlo.compare GE, %a, %b, UNSIGNED : (tensor<64xui32>, tensor<64xui32>) -> tensor<64xi1>
  %want_5 = stablehlo.constant dense<[true, false, true, false, false, false, false, false, true, true, true, true, true, true, true, true, true, false, true, false, false, false, false, false, true, false, true, true, false, false, false, false, true, false, true, true, false, true, false, false, true, false, true, true, true, true, false, false, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true]> : tensor<64xi1>
  return %EQ, %want_0, %NE, %want_1, %LT, %want_2, %LE, %want_3, %GT, %want_4, %GE, %want_5 : tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>
}

func.func @power_ui32() -> (tensor<20xui32>, tensor<20xui32>) {
  %a = stablehlo.constant dense<[2, 2, 2, 2, 3, 3, 3, 3, 0, 0, 0, 0, 1, 1, 1, 1, 5, 5, 5, 5]> : tensor<20xui32>
  %b = stablehlo.constant dense<[0, 1, 2, 5, 0, 1, 2, 5, 0, 1, 2, 5, 0, 1, 2, 5, 0, 1, 2, 5]> : tensor<20xui32>
  %p = stablehlo.power %a, %b : tensor<20xui32>
  %want_0 = stablehlo.constant dense<[1, 2, 4, 32, 1, 3, 9, 243, 1, 0, 0, 0, 1, 1, 1, 1, 1, 5, 25, 3125]> : tensor<20xui32>
  return %p, %want_0 : tensor<20xui32>, tensor<20xui32>
}

func.func @binary_i64() -> (tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>) {
  %a = stablehlo.constant dense<[-9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, -1, -1, -1, -1, -1, -1, -1, -1, -5, -5, -5, -5, -5, -5, -5, -5]> : tensor<64xi64>
  %b = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64, -9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64, -9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64, -9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64, -9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64, -9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64, -9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64, -9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64]> : tensor<64xi64>
  %add = stablehlo.add %a, %b : tensor<64xi64>
  %want_0 = stablehlo.constant dense<[0, -1, -9223372036854775808, -9223372036854775807, 9223372036854775807, -9223372036854775805, -9223372036854775745, -9223372036854775744, -1, -2, 9223372036854775807, -9223372036854775808, 9223372036854775806, -9223372036854775806, -9223372036854775746, -9223372036854775745, -9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64, -9223372036854775807, -9223372036854775808, 1, 2, 0, 4, 64, 65, -9223372036854775805, -9223372036854775806, 3, 4, 2, 6, 66, 67, -9223372036854775801, -9223372036854775802, 7, 8, 6, 10, 70, 71, 9223372036854775807, 9223372036854775806, -1, 0, -2, 2, 62, 63, 9223372036854775803, 9223372036854775802, -5, -4, -6, -2, 58, 59]> : tensor<64xi64>
  %subtract = stablehlo.subtract %a, %b : tensor<64xi64>
  %want_1 = stablehlo.constant dense<[0, 1, -9223372036854775808, 9223372036854775807, -9223372036854775807, 9223372036854775805, 9223372036854775745, 9223372036854775744, -1, 0, 9223372036854775807, 9223372036854775806, -9223372036854775808, 9223372036854775804, 9223372036854775744, 9223372036854775743, -9223372036854775808, -9223372036854775807, 0, -1, 1, -3, -63, -64, -9223372036854775807, -9223372036854775806, 1, 0, 2, -2, -62, -63, -9223372036854775805, -9223372036854775804, 3, 2, 4, 0, -60, -61, -9223372036854775801, -9223372036854775800, 7, 6, 8, 4, -56, -57, 9223372036854775807, -9223372036854775808, -1, -2, 0, -4, -64, -65, 9223372036854775803, 9223372036854775804, -5, -6, -4, -8, -68, -69]> : tensor<64xi64>
  %multiply = stablehlo.multiply %a, %b : tensor<64xi64>
  %want_2 = stablehlo.constant dense<[0, -9223372036854775808, 0, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, 0, -9223372036854775808, 1, 0, 9223372036854775807, -9223372036854775807, 9223372036854775805, 9223372036854775745, -64, 0, 0, 0, 0, 0, 0, 0, 0, -9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64, -9223372036854775808, 9223372036854775805, 0, 3, -3, 9, 189, 192, -9223372036854775808, 9223372036854775801, 0, 7, -7, 21, 441, 448, -9223372036854775808, -9223372036854775807, 0, -1, 1, -3, -63, -64, -9223372036854775808, -9223372036854775803, 0, -5, 5, -15, -315, -320]> : tensor<64xi64>
  %divide = stablehlo.divide %a, %b : tensor<64xi64>
  %want_3 = stablehlo.constant dense<[1, -1, -1, -9223372036854775808, -9223372036854775808, -3074457345618258602, -146402730743726600, -144115188075855872, 0, 1, -1, 9223372036854775807, -9223372036854775807, 3074457345618258602, 146402730743726600, 144115188075855871, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, -1, 1, -1, 0, 0, 0, 0, 0, -1, 3, -3, 1, 0, 0, 0, 0, -1, 7, -7, 2, 0, 0, 0, 0, -1, -1, 1, 0, 0, 0, 0, 0, -1, -5, 5, -1, 0, 0]> : tensor<64xi64>
  %remainder = stablehlo.remainder %a, %b : tensor<64xi64>
  %want_4 = stablehlo.constant dense<[0, -1, -9223372036854775808, 0, 0, -2, -8, 0, 9223372036854775807, 0, 9223372036854775807, 0, 0, 1, 7, 63, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 3, 3, 3, 0, 0, 0, 3, 3, 7, 7, 7, 0, 0, 1, 7, 7, -1, -1, -1, 0, 0, -1, -1, -1, -5, -5, -5, 0, 0, -2, -5, -5]> : tensor<64xi64>
  %maximum = stablehlo.maximum %a, %b : tensor<64xi64>
  %want_5 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 0, 9223372036854775807, 0, 1, 0, 3, 63, 64, 1, 9223372036854775807, 1, 1, 1, 3, 63, 64, 3, 9223372036854775807, 3, 3, 3, 3, 63, 64, 7, 9223372036854775807, 7, 7, 7, 7, 63, 64, -1, 9223372036854775807, 0, 1, -1, 3, 63, 64, -5, 9223372036854775807, 0, 1, -1, 3, 63, 64]> : tensor<64xi64>
  %minimum = stablehlo.minimum %a, %b : tensor<64xi64>
  %want_6 = stablehlo.constant dense<[-9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64, -9223372036854775808, 0, 0, 0, -1, 0, 0, 0, -9223372036854775808, 1, 0, 1, -1, 1, 1, 1, -9223372036854775808, 3, 0, 1, -1, 3, 3, 3, -9223372036854775808, 7, 0, 1, -1, 3, 7, 7, -9223372036854775808, -1, -1, -1, -1, -1, -1, -1, -9223372036854775808, -5, -5, -5, -5, -5, -5, -5]> : tensor<64xi64>
  %and = stablehlo.and %a, %b : tensor<64xi64>
  %want_7 = stablehlo.constant dense<[-9223372036854775808, 0, 0, 0, -9223372036854775808, 0, 0, 0, 0, 9223372036854775807, 0, 1, 9223372036854775807, 3, 63, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 0, 3, 0, 1, 3, 3, 3, 0, 0, 7, 0, 1, 7, 3, 7, 0, -9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64, -9223372036854775808, 9223372036854775803, 0, 1, -5, 3, 59, 64]> : tensor<64xi64>
  %or = stablehlo.or %a, %b : tensor<64xi64>
  %want_8 = stablehlo.constant dense<[-9223372036854775808, -1, -9223372036854775808, -9223372036854775807, -1, -9223372036854775805, -9223372036854775745, -9223372036854775744, -1, 9223372036854775807, 9223372036854775807, 9223372036854775807, -1, 9223372036854775807, 9223372036854775807, 9223372036854775807, -9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64, -9223372036854775807, 9223372036854775807, 1, 1, -1, 3, 63, 65, -9223372036854775805, 9223372036854775807, 3, 3, -1, 3, 63, 67, -9223372036854775801, 9223372036854775807, 7, 7, -1, 7, 63, 71, -1, -1, -1, -1, -1, -1, -1, -1, -5, -1, -5, -5, -1, -5, -1, -5]> : tensor<64xi64>
  %xor = stablehlo.xor %a, %b : tensor<64xi64>
  %want_9 = stablehlo.constant dense<[0, -1, -9223372036854775808, -9223372036854775807, 9223372036854775807, -9223372036854775805, -9223372036854775745, -9223372036854775744, -1, 0, 9223372036854775807, 9223372036854775806, -9223372036854775808, 9223372036854775804, 9223372036854775744, 9223372036854775743, -9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64, -9223372036854775807, 9223372036854775806, 1, 0, -2, 2, 62, 65, -9223372036854775805, 9223372036854775804, 3, 2, -4, 0, 60, 67, -9223372036854775801, 9223372036854775800, 7, 6, -8, 4, 56, 71, 9223372036854775807, -9223372036854775808, -1, -2, 0, -4, -64, -65, 9223372036854775803, -9223372036854775804, -5, -6, 4, -8, -60, -69]> : tensor<64xi64>
  %shift_left = stablehlo.shift_left %a, %b : tensor<64xi64>
  %want_10 = stablehlo.constant dense<[0, 0, -9223372036854775808, 0, 0, 0, 0, 0, 0, 0, 9223372036854775807, -2, 0, -8, -9223372036854775808, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 8, -9223372036854775808, 0, 0, 0, 3, 6, 0, 24, -9223372036854775808, 0, 0, 0, 7, 14, 0, 56, -9223372036854775808, 0, 0, 0, -1, -2, 0, -8, -9223372036854775808, 0, 0, 0, -5, -10, 0, -40, -9223372036854775808, 0]> : tensor<64xi64>
  %shift_right_logical = stablehlo.shift_right_logical %a, %b : tensor<64xi64>
  %want_11 = stablehlo.constant dense<[0, 0, -9223372036854775808, 4611686018427387904, 0, 1152921504606846976, 1, 0, 0, 0, 9223372036854775807, 4611686018427387903, 0, 1152921504606846975, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 7, 3, 0, 0, 0, 0, 0, 0, -1, 9223372036854775807, 0, 2305843009213693951, 1, 0, 0, 0, -5, 9223372036854775805, 0, 2305843009213693951, 1, 0]> : tensor<64xi64>
  %shift_right_arithmetic = stablehlo.shift_right_arithmetic %a, %b : tensor<64xi64>
  %want_12 = stablehlo.constant dense<[-1, -1, -9223372036854775808, -4611686018427387904, -1, -1152921504606846976, -1, -1, 0, 0, 9223372036854775807, 4611686018427387903, 0, 1152921504606846975, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 7, 3, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -5, -3, -1, -1, -1, -1]> : tensor<64xi64>
  return %add, %want_0, %subtract, %want_1, %multiply, %want_2, %divide, %want_3, %remainder, %want_4, %maximum, %want_5, %minimum, %want_6, %and, %want_7, %or, %want_8, %xor, %want_9, %shift_left, %want_10, %shift_right_logical, %want_11, %shift_right_arithmetic, %want_12 : tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>
}

func.func @unary_i64() -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) {
  %a = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 0, 1, 3, 7, -1, -5]> : tensor<8xi64>
  %not = stablehlo.not %a : tensor<8xi64>
  %want_0 = stablehlo.constant dense<[9223372036854775807, -9223372036854775808, -1, -2, -4, -8, 0, 4]> : tensor<8xi64>
  %popcnt = stablehlo.popcnt %a : tensor<8xi64>
  %want_1 = stablehlo.constant dense<[1, 63, 0, 1, 2, 3, 64, 63]> : tensor<8xi64>
  %count_leading_zeros = stablehlo.count_leading_zeros %a : tensor<8xi64>
  %want_2 = stablehlo.constant dense<[0, 1, 64, 63, 62, 61, 0, 0]> : tensor<8xi64>
  %abs = stablehlo.abs %a : tensor<8xi64>
  %want_3 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 0, 1, 3, 7, 1, 5]> : tensor<8xi64>
  %sign = stablehlo.sign %a : tensor<8xi64>
  %want_4 = stablehlo.constant dense<[-1, 1, 0, 1, 1, 1, -1, -1]> : tensor<8xi64>
  %negate = stablehlo.negate %a : tensor<8xi64>
  %want_5 = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, 0, -1, -3, -7, 1, 5]> : tensor<8xi64>
  return %not, %want_0, %popcnt, %want_1, %count_leading_zeros, %want_2, %abs, %want_3, %sign, %want_4, %negate, %want_5 : tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>
}

func.func @compare_i64() -> (tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>) {
  %a = stablehlo.constant dense<[-9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, -1, -1, -1, -1, -1, -1, -1, -1, -5, -5, -5, -5, -5, -5, -5, -5]> : tensor<64xi64>
  %b = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64, -9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64, -9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64, -9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64, -9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64, -9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64, -9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64, -9223372036854775808, 9223372036854775807, 0, 1, -1, 3, 63, 64]> : tensor<64xi64>
  %EQ = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<64xi64>, tensor<64xi64>) -> tensor<64xi1>
  %want_0 = stablehlo.constant dense<[true, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, false, false, false]> : tensor<64xi1>
  %NE = stablehlo.compare NE, %a, %b, SIGNED : (tensor<64xi64>, tensor<64xi64>) -> tensor<64xi1>
  %want_1 = stablehlo.constant dense<[false, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, true, true, true]> : tensor<64xi1>
  %LT = stablehlo.compare LT, %a, %b, SIGNED : (tensor<64xi64>, tensor<64xi64>) -> tensor<64xi1>
  %want_2 = stablehlo.constant dense<[false, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false, true, false, true, false, true, true, true, false, true, false, false, false, true, true, true, false, true, false, false, false, false, true, true, false, true, false, false, false, false, true, true, false, true, true, true, false, true, true, true, false, true, true, true, true, true, true, true]> : tensor<64xi1>
  %LE = stablehlo.compare LE, %a, %b, SIGNED : (tensor<64xi64>, tensor<64xi64>) -> tensor<64xi1>
  %want_3 = stablehlo.constant dense<[true, true, true, true, true, true, true, true, false, true, false, false, false, false, false, false, false, true, true, true, false, true, true, true, false, true, false, true, false, true, true, true, false, true, false, false, false, true, true, true, false, true, false, false, false, false, true, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true]> : tensor<64xi1>
  %GT = stablehlo.compare GT, %a, %b, SIGNED : (tensor<64xi64>, tensor<64xi64>) -> tensor<64xi1>
  %want_4 = stablehlo.constant dense<[false, false, false, false, false, false, false, false, true, false, true, true, true, true, true, true, true, false, false, false, true, false, false, false, true, false, true, false, true, false, false, false, true, false, true, true, true, false, false, false, true, false, true, true, true, true, false, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false]> : tensor<64xi1>
  %GE = stablehlo.compare GE, %a, %b, SIGNED : (tensor<64xi64>, tensor<64xi64>) -> tensor<64xi1>
  %want_5 = stablehlo.constant dense<[true, false, false, false, false, false, false, false, true, true, true, true, true, true, true, true, true, false, true, false, true, false, false, false, true, false, true, true, true, false, false, false, true, false, true, true, true, true, false, false, true, false, true, true, true, true, false, false, true, false, false, false, true, false, false, false, true, false, false, false, false, false, false, false]> : tensor<64xi1>
  return %EQ, %want_0, %NE, %want_1, %LT, %want_2, %LE, %want_3, %GT, %want_4, %GE, %want_5 : tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>
}

func.func @power_i64() -> (tensor<36xi64>, tensor<36xi64>) {
  %a = stablehlo.constant dense<[2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, -1, -1, -1, -1, -1, -1, -2, -2, -2, -2, -2, -2, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]> : tensor<36xi64>
  %b = stablehlo.constant dense<[0, 1, 2, 5, -1, -2, 0, 1, 2, 5, -1, -2, 0, 1, 2, 5, -1, -2, 0, 1, 2, 5, -1, -2, 0, 1, 2, 5, -1, -2, 0, 1, 2, 5, -1, -2]> : tensor<36xi64>
  %p = stablehlo.power %a, %b : tensor<36xi64>
  %want_0 = stablehlo.constant dense<[1, 2, 4, 32, 0, 0, 1, 3, 9, 243, 0, 0, 1, -1, 1, -1, -1, 1, 1, -2, 4, -32, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]> : tensor<36xi64>
  return %p, %want_0 : tensor<36xi64>, tensor<36xi64>
}

func.func @binary_ui64() -> (tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>) {
  %a = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, 18446744073709551611, 18446744073709551611, 18446744073709551611, 18446744073709551611, 18446744073709551611, 18446744073709551611, 18446744073709551611, 18446744073709551611, 200, 200, 200, 200, 200, 200, 200, 200]> : tensor<64xui64>
  %b = stablehlo.constant dense<[0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 0, 18446744073709551615, 0, 1, 5, 3, 63, 64]> : tensor<64xui64>
  %add = stablehlo.add %a, %b : tensor<64xui64>
  %want_0 = stablehlo.constant dense<[0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 18446744073709551615, 18446744073709551614, 18446744073709551615, 0, 4, 2, 62, 63, 0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 1, 0, 1, 2, 6, 4, 64, 65, 3, 2, 3, 4, 8, 6, 66, 67, 7, 6, 7, 8, 12, 10, 70, 71, 18446744073709551611, 18446744073709551610, 18446744073709551611, 18446744073709551612, 0, 18446744073709551614, 58, 59, 200, 199, 200, 201, 205, 203, 263, 264]> : tensor<64xui64>
  %subtract = stablehlo.subtract %a, %b : tensor<64xui64>
  %want_1 = stablehlo.constant dense<[0, 1, 0, 18446744073709551615, 18446744073709551611, 18446744073709551613, 18446744073709551553, 18446744073709551552, 18446744073709551615, 0, 18446744073709551615, 18446744073709551614, 18446744073709551610, 18446744073709551612, 18446744073709551552, 18446744073709551551, 0, 1, 0, 18446744073709551615, 18446744073709551611, 18446744073709551613, 18446744073709551553, 18446744073709551552, 1, 2, 1, 0, 18446744073709551612, 18446744073709551614, 18446744073709551554, 18446744073709551553, 3, 4, 3, 2, 18446744073709551614, 0, 18446744073709551556, 18446744073709551555, 7, 8, 7, 6, 2, 4, 18446744073709551560, 18446744073709551559, 18446744073709551611, 18446744073709551612, 18446744073709551611, 18446744073709551610, 18446744073709551606, 18446744073709551608, 18446744073709551548, 18446744073709551547, 200, 201, 200, 199, 195, 197, 137, 136]> : tensor<64xui64>
  %multiply = stablehlo.multiply %a, %b : tensor<64xui64>
  %want_2 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 18446744073709551615, 18446744073709551611, 18446744073709551613, 18446744073709551553, 18446744073709551552, 0, 0, 0, 0, 0, 0, 0, 0, 0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 0, 18446744073709551613, 0, 3, 15, 9, 189, 192, 0, 18446744073709551609, 0, 7, 35, 21, 441, 448, 0, 5, 0, 18446744073709551611, 18446744073709551591, 18446744073709551601, 18446744073709551301, 18446744073709551296, 0, 18446744073709551416, 0, 200, 1000, 600, 12600, 12800]> : tensor<64xui64>
  %divide = stablehlo.divide %a, %b : tensor<64xui64>
  %want_3 = stablehlo.constant dense<[18446744073709551615, 0, 18446744073709551615, 0, 0, 0, 0, 0, 18446744073709551615, 1, 18446744073709551615, 18446744073709551615, 3689348814741910323, 6148914691236517205, 292805461487453200, 288230376151711743, 18446744073709551615, 0, 18446744073709551615, 0, 0, 0, 0, 0, 18446744073709551615, 0, 18446744073709551615, 1, 0, 0, 0, 0, 18446744073709551615, 0, 18446744073709551615, 3, 0, 1, 0, 0, 18446744073709551615, 0, 18446744073709551615, 7, 1, 2, 0, 0, 18446744073709551615, 0, 18446744073709551615, 18446744073709551611, 3689348814741910322, 6148914691236517203, 292805461487453200, 288230376151711743, 18446744073709551615, 0, 18446744073709551615, 200, 40, 66, 3, 3]> : tensor<64xui64>
  %remainder = stablehlo.remainder %a, %b : tensor<64xui64>
  %want_4 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 18446744073709551615, 0, 18446744073709551615, 0, 0, 0, 15, 63, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 3, 3, 3, 0, 3, 0, 3, 3, 7, 7, 7, 0, 2, 1, 7, 7, 18446744073709551611, 18446744073709551611, 18446744073709551611, 0, 1, 2, 11, 59, 200, 200, 200, 0, 0, 2, 11, 8]> : tensor<64xui64>
  %maximum = stablehlo.maximum %a, %b : tensor<64xui64>
  %want_5 = stablehlo.constant dense<[0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 1, 18446744073709551615, 1, 1, 5, 3, 63, 64, 3, 18446744073709551615, 3, 3, 5, 3, 63, 64, 7, 18446744073709551615, 7, 7, 7, 7, 63, 64, 18446744073709551611, 18446744073709551615, 18446744073709551611, 18446744073709551611, 18446744073709551611, 18446744073709551611, 18446744073709551611, 18446744073709551611, 200, 18446744073709551615, 200, 200, 200, 200, 200, 200]> : tensor<64xui64>
  %minimum = stablehlo.minimum %a, %b : tensor<64xui64>
  %want_6 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 0, 3, 0, 1, 3, 3, 3, 3, 0, 7, 0, 1, 5, 3, 7, 7, 0, 18446744073709551611, 0, 1, 5, 3, 63, 64, 0, 200, 0, 1, 5, 3, 63, 64]> : tensor<64xui64>
  %and = stablehlo.and %a, %b : tensor<64xui64>
  %want_7 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 0, 3, 0, 1, 1, 3, 3, 0, 0, 7, 0, 1, 5, 3, 7, 0, 0, 18446744073709551611, 0, 1, 1, 3, 59, 64, 0, 200, 0, 0, 0, 0, 8, 64]> : tensor<64xui64>
  %or = stablehlo.or %a, %b : tensor<64xui64>
  %want_8 = stablehlo.constant dense<[0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 1, 18446744073709551615, 1, 1, 5, 3, 63, 65, 3, 18446744073709551615, 3, 3, 7, 3, 63, 67, 7, 18446744073709551615, 7, 7, 7, 7, 63, 71, 18446744073709551611, 18446744073709551615, 18446744073709551611, 18446744073709551611, 18446744073709551615, 18446744073709551611, 18446744073709551615, 18446744073709551611, 200, 18446744073709551615, 200, 201, 205, 203, 255, 200]> : tensor<64xui64>
  %xor = stablehlo.xor %a, %b : tensor<64xui64>
  %want_9 = stablehlo.constant dense<[0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 18446744073709551615, 0, 18446744073709551615, 18446744073709551614, 18446744073709551610, 18446744073709551612, 18446744073709551552, 18446744073709551551, 0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 1, 18446744073709551614, 1, 0, 4, 2, 62, 65, 3, 18446744073709551612, 3, 2, 6, 0, 60, 67, 7, 18446744073709551608, 7, 6, 2, 4, 56, 71, 18446744073709551611, 4, 18446744073709551611, 18446744073709551610, 18446744073709551614, 18446744073709551608, 18446744073709551556, 18446744073709551547, 200, 18446744073709551415, 200, 201, 205, 203, 247, 136]> : tensor<64xui64>
  %shift_left = stablehlo.shift_left %a, %b : tensor<64xui64>
  %want_10 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 18446744073709551615, 0, 18446744073709551615, 18446744073709551614, 18446744073709551584, 18446744073709551608, 9223372036854775808, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 2, 32, 8, 9223372036854775808, 0, 3, 0, 3, 6, 96, 24, 9223372036854775808, 0, 7, 0, 7, 14, 224, 56, 9223372036854775808, 0, 18446744073709551611, 0, 18446744073709551611, 18446744073709551606, 18446744073709551456, 18446744073709551576, 9223372036854775808, 0, 200, 0, 200, 400, 6400, 1600, 0, 0]> : tensor<64xui64>
  %shift_right_logical = stablehlo.shift_right_logical %a, %b : tensor<64xui64>
  %want_11 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 18446744073709551615, 0, 18446744073709551615, 9223372036854775807, 576460752303423487, 2305843009213693951, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 3, 0, 3, 1, 0, 0, 0, 0, 7, 0, 7, 3, 0, 0, 0, 0, 18446744073709551611, 0, 18446744073709551611, 9223372036854775805, 576460752303423487, 2305843009213693951, 1, 0, 200, 0, 200, 100, 6, 25, 0, 0]> : tensor<64xui64>
  %shift_right_arithmetic = stablehlo.shift_right_arithmetic %a, %b : tensor<64xui64>
  %want_12 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 3, 0, 3, 1, 0, 0, 0, 0, 7, 0, 7, 3, 0, 0, 0, 0, 18446744073709551611, 18446744073709551615, 18446744073709551611, 18446744073709551613, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 200, 0, 200, 100, 6, 25, 0, 0]> : tensor<64xui64>
  return %add, %want_0, %subtract, %want_1, %multiply, %want_2, %divide, %want_3, %remainder, %want_4, %maximum, %want_5, %minimum, %want_6, %and, %want_7, %or, %want_8, %xor, %want_9, %shift_left, %want_10, %shift_right_logical, %want_11, %shift_right_arithmetic, %want_12 : tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>, tensor<64xui64>
}

func.func @unary_ui64() -> (tensor<8xui64>, tensor<8xui64>, tensor<8xui64>, tensor<8xui64>, tensor<8xui64>, tensor<8xui64>, tensor<8xui64>, tensor<8xui64>) {
  %a = stablehlo.constant dense<[0, 18446744073709551615, 0, 1, 3, 7, 18446744073709551611, 200]> : tensor<8xui64>
  %not = stablehlo.not %a : tensor<8xui64>
  %want_0 = stablehlo.constant dense<[18446744073709551615, 0, 18446744073709551615, 18446744073709551614, 18446744073709551612, 18446744073709551608, 4, 18446744073709551415]> : tensor<8xui64>
  %popcnt = stablehlo.popcnt %a : tensor<8xui64>
  %want_1 = stablehlo.constant dense<[0, 64, 0, 1, 2, 3, 63, 3]> : tensor<8xui64>
  %count_leading_zeros = stablehlo.count_leading_zeros %a : tensor<8xui64>
  %want_2 = stablehlo.constant dense<[64, 0, 64, 63, 62, 61, 0, 56]> : tensor<8xui64>
  %negate = stablehlo.negate %a : tensor<8xui64>
  %want_3 = stablehlo.constant dense<[0, 1, 0, 18446744073709551615, 18446744073709551613, 18446744073709551609, 5, 18446744073709551416]> : tensor<8xui64>
  return %not, %want_0, %popcnt, %want_1, %count_leading_zeros, %want_2, %negate, %want_3 : tensor<8xui64>, tensor<8xui64>, tensor<8xui64>, tensor<8xui64>, tensor<8xui64>, tensor<8xui64>, tensor<8xui64>, tensor<8xui64>
}

func.func @compare_ui64() -> (tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>) {
  %a = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, 18446744073709551611, 18446744073709551611, 18446744073709551611, 18446744073709551611, 18446744073709551611, 18446744073709551611, 18446744073709551611, 18446744073709551611, 200, 200, 200, 200, 200, 200, 200, 200]> : tensor<64xui64>
  %b = stablehlo.constant dense<[0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 0, 18446744073709551615, 0, 1, 5, 3, 63, 64, 0, 18446744073709551615, 0, 1, 5, 3, 63, 64]> : tensor<64xui64>
  %EQ = stablehlo.compare EQ, %a, %b, UNSIGNED : (tensor<64xui64>, tensor<64xui64>) -> tensor<64xi1>
  %want_0 = stablehlo.constant dense<[true, false, true, false, false, false, false, false, false, true, false, false, false, false, false, false, true, false, true, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false]> : tensor<64xi1>
  %NE = stablehlo.compare NE, %a, %b, UNSIGNED : (tensor<64xui64>, tensor<64xui64>) -> tensor<64xi1>
  %want_1 = stablehlo.constant dense<[false, true, false, true, true, true, true, true, true, false, true, true, true, true, true, true, false, true, false, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]> : tensor<64xi1>
  %LT = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<64xui64>, tensor<64xui64>) -> tensor<64xi1>
  %want_2 = stablehlo.constant dense<[false, true, false, true, true, true, true, true, false, false, false, false, false, false, false, false, false, true, false, true, true, true, true, true, false, true, false, false, true, true, true, true, false, true, false, false, true, false, true, true, false, true, false, false, false, false, true, true, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false]> : tensor<64xi1>
  %LE = stablehlo.compare LE, %a, %b, UNSIGNED : (tensor<64xui64>, tensor<64xui64>) -> tensor<64xi1>
  %want_3 = stablehlo.constant dense<[true, true, true, true, true, true, true, true, false, true, false, false, false, false, false, false, true, true, true, true, true, true, true, true, false, true, false, true, true, true, true, true, false, true, false, false, true, true, true, true, false, true, false, false, false, false, true, true, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false]> : tensor<64xi1>
  %GT = stablehlo.compare GT, %a, %b, UNSIGNED : (tensor<64xui64>, tensor<64xui64>) -> tensor<64xi1>
  %want_4 = stablehlo.constant dense<[false, false, false, false, false, false, false, false, true, false, true, true, true, true, true, true, false, false, false, false, false, false, false, false, true, false, true, false, false, false, false, false, true, false, true, true, false, false, false, false, true, false, true, true, true, true, false, false, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true]> : tensor<64xi1>
  %GE = stablehlo.compare GE, %a, %b, UNSIGNED : (tensor<64xui64>, tensor<64xui64>) -> tensor<64xi1>
  %want_5 = stablehlo.constant dense<[true, false, true, false, false, false, false, false, true, true, true, true, true, true, true, true, true, false, true, false, false, false, false, false, true, false, true, true, false, false, false, false, true, false, true, true, false, true, false, false, true, false, true, true, true, true, false, false, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true]> : tensor<64xi1>
  return %EQ, %want_0, %NE, %want_1, %LT, %want_2, %LE, %want_3, %GT, %want_4, %GE, %want_5 : tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>
}

func.func @power_ui64() -> (tensor<20xui64>, tensor<20xui64>) {
  %a = stablehlo.constant dense<[2, 2, 2, 2, 3, 3, 3, 3, 0, 0, 0, 0, 1, 1, 1, 1, 5, 5, 5, 5]> : tensor<20xui64>
  %b = stablehlo.constant dense<[0, 1, 2, 5, 0, 1, 2, 5, 0, 1, 2, 5, 0, 1, 2, 5, 0, 1, 2, 5]> : tensor<20xui64>
  %p = stablehlo.power %a, %b : tensor<20xui64>
  %want_0 = stablehlo.constant dense<[1, 2, 4, 32, 1, 3, 9, 243, 1, 0, 0, 0, 1, 1, 1, 1, 1, 5, 25, 3125]> : tensor<20xui64>
  return %p, %want_0 : tensor<20xui64>, tensor<20xui64>
}

func.func @predicates() -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %a = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %b = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %and = stablehlo.and %a, %b : tensor<4xi1>
  %want_0 = stablehlo.constant dense<[false, false, false, true]> : tensor<4xi1>
  %or = stablehlo.or %a, %b : tensor<4xi1>
  %want_1 = stablehlo.constant dense<[false, true, true, true]> : tensor<4xi1>
  %xor = stablehlo.xor %a, %b : tensor<4xi1>
  %want_2 = stablehlo.constant dense<[false, true, true, false]> : tensor<4xi1>
  %add = stablehlo.add %a, %b : tensor<4xi1>
  %want_3 = stablehlo.constant dense<[false, true, true, true]> : tensor<4xi1>
  %multiply = stablehlo.multiply %a, %b : tensor<4xi1>
  %want_4 = stablehlo.constant dense<[false, false, false, true]> : tensor<4xi1>
  %maximum = stablehlo.maximum %a, %b : tensor<4xi1>
  %want_5 = stablehlo.constant dense<[false, true, true, true]> : tensor<4xi1>
  %minimum = stablehlo.minimum %a, %b : tensor<4xi1>
  %want_6 = stablehlo.constant dense<[false, false, false, true]> : tensor<4xi1>
  %not = stablehlo.not %a : tensor<4xi1>
  %want_7 = stablehlo.constant dense<[true, true, false, false]> : tensor<4xi1>
  return %and, %want_0, %or, %want_1, %xor, %want_2, %add, %want_3, %multiply, %want_4, %maximum, %want_5, %minimum, %want_6, %not, %want_7 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

func.func @special_f16() -> (tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>) {
  %a = stablehlo.constant dense<[0.0, 0.0, -0.0, -0.0, 1.0, 0x7C00, 0x7C00, 0xFC00, 0x7E00, 2.0, 0x7E00, 0x7BFF, 0x0001]> : tensor<13xf16>
  %b = stablehlo.constant dense<[0.0, -0.0, 0.0, -0.0, 0x7C00, 0x7C00, 0xFC00, 3.0, 1.0, 0x7E00, 0x7E00, 0x7BFF, 0x8001]> : tensor<13xf16>
  %add = stablehlo.add %a, %b : tensor<13xf16>
  %want_0 = stablehlo.constant dense<[0.0, 0.0, 0.0, -0.0, 0x7C00, 0x7C00, 0x7E00, 0xFC00, 0x7E00, 0x7E00, 0x7E00, 0x7C00, 0.0]> : tensor<13xf16>
  %subtract = stablehlo.subtract %a, %b : tensor<13xf16>
  %want_1 = stablehlo.constant dense<[0.0, 0.0, -0.0, 0.0, 0xFC00, 0x7E00, 0x7C00, 0xFC00, 0x7E00, 0x7E00, 0x7E00, 0.0, 0x0002]> : tensor<13xf16>
  %multiply = stablehlo.multiply %a, %b : tensor<13xf16>
  %want_2 = stablehlo.constant dense<[0.0, -0.0, -0.0, 0.0, 0x7C00, 0x7C00, 0xFC00, 0xFC00, 0x7E00, 0x7E00, 0x7E00, 0x7C00, -0.0]> : tensor<13xf16>
  %divide = stablehlo.divide %a, %b : tensor<13xf16>
  %want_3 = stablehlo.constant dense<[0x7E00, 0x7E00, 0x7E00, 0x7E00, 0.0, 0x7E00, 0x7E00, 0xFC00, 0x7E00, 0x7E00, 0x7E00, 1.0, -1.0]> : tensor<13xf16>
  %maximum = stablehlo.maximum %a, %b : tensor<13xf16>
  %want_4 = stablehlo.constant dense<[0.0, 0.0, 0.0, -0.0, 0x7C00, 0x7C00, 0x7C00, 3.0, 0x7E00, 0x7E00, 0x7E00, 0x7BFF, 0x0001]> : tensor<13xf16>
  %minimum = stablehlo.minimum %a, %b : tensor<13xf16>
  %want_5 = stablehlo.constant dense<[0.0, -0.0, -0.0, -0.0, 1.0, 0x7C00, 0xFC00, 0xFC00, 0x7E00, 0x7E00, 0x7E00, 0x7BFF, 0x8001]> : tensor<13xf16>
  %remainder = stablehlo.remainder %a, %b : tensor<13xf16>
  %want_6 = stablehlo.constant dense<[0x7E00, 0x7E00, 0x7E00, 0x7E00, 1.0, 0x7E00, 0x7E00, 0x7E00, 0x7E00, 0x7E00, 0x7E00, 0.0, 0.0]> : tensor<13xf16>
  return %add, %want_0, %subtract, %want_1, %multiply, %want_2, %divide, %want_3, %maximum, %want_4, %minimum, %want_5, %remainder, %want_6 : tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>
}

func.func @remainder_f16() -> (tensor<10xf16>, tensor<10xf16>) {
  %a = stablehlo.constant dense<[5.0, -5.0, 5.0, -5.0, 6.0, -6.0, 0.0, -0.0, 7.5, 1.0]> : tensor<10xf16>
  %b = stablehlo.constant dense<[3.0, 3.0, -3.0, -3.0, 3.0, 3.0, 3.0, 3.0, 2.0, 0x7C00]> : tensor<10xf16>
  %remainder = stablehlo.remainder %a, %b : tensor<10xf16>
  %want_0 = stablehlo.constant dense<[2.0, -2.0, 2.0, -2.0, 0.0, -0.0, 0.0, -0.0, 1.5, 1.0]> : tensor<10xf16>
  return %remainder, %want_0 : tensor<10xf16>, tensor<10xf16>
}

func.func @unary_f16() -> (tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xi1>, tensor<16xi1>) {
  %a = stablehlo.constant dense<[0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.25, -0.25, 0.0, -0.0, 0x7C00, 0xFC00, 0x7E00, 0x0001, 0x8001, -3.75]> : tensor<16xf16>
  %abs = stablehlo.abs %a : tensor<16xf16>
  %want_0 = stablehlo.constant dense<[0.5, 1.5, 2.5, 0.5, 1.5, 2.5, 0.25, 0.25, 0.0, 0.0, 0x7C00, 0x7C00, 0x7E00, 0x0001, 0x0001, 3.75]> : tensor<16xf16>
  %negate = stablehlo.negate %a : tensor<16xf16>
  %want_1 = stablehlo.constant dense<[-0.5, -1.5, -2.5, 0.5, 1.5, 2.5, -0.25, 0.25, -0.0, 0.0, 0xFC00, 0x7C00, 0x7E00, 0x8001, 0x0001, 3.75]> : tensor<16xf16>
  %sign = stablehlo.sign %a : tensor<16xf16>
  %want_2 = stablehlo.constant dense<[1.0, 1.0, 1.0, -1.0, -1.0, -1.0, 1.0, -1.0, 0.0, -0.0, 1.0, -1.0, 0x7E00, 1.0, -1.0, -1.0]> : tensor<16xf16>
  %floor = stablehlo.floor %a : tensor<16xf16>
  %want_3 = stablehlo.constant dense<[0.0, 1.0, 2.0, -1.0, -2.0, -3.0, 0.0, -1.0, 0.0, -0.0, 0x7C00, 0xFC00, 0x7E00, 0.0, -1.0, -4.0]> : tensor<16xf16>
  %ceil = stablehlo.ceil %a : tensor<16xf16>
  %want_4 = stablehlo.constant dense<[1.0, 2.0, 3.0, -0.0, -1.0, -2.0, 1.0, -0.0, 0.0, -0.0, 0x7C00, 0xFC00, 0x7E00, 1.0, -0.0, -3.0]> : tensor<16xf16>
  %round_nearest_afz = stablehlo.round_nearest_afz %a : tensor<16xf16>
  %want_5 = stablehlo.constant dense<[1.0, 2.0, 3.0, -1.0, -2.0, -3.0, 0.0, -0.0, 0.0, -0.0, 0x7C00, 0xFC00, 0x7E00, 0.0, -0.0, -4.0]> : tensor<16xf16>
  %round_nearest_even = stablehlo.round_nearest_even %a : tensor<16xf16>
  %want_6 = stablehlo.constant dense<[0.0, 2.0, 2.0, -0.0, -2.0, -2.0, 0.0, -0.0, 0.0, -0.0, 0x7C00, 0xFC00, 0x7E00, 0.0, -0.0, -4.0]> : tensor<16xf16>
  %finite = stablehlo.is_finite %a : (tensor<16xf16>) -> tensor<16xi1>
  %want_7 = stablehlo.constant dense<[true, true, true, true, true, true, true, true, true, true, false, false, false, true, true, true]> : tensor<16xi1>
  return %abs, %want_0, %negate, %want_1, %sign, %want_2, %floor, %want_3, %ceil, %want_4, %round_nearest_afz, %want_5, %round_nearest_even, %want_6, %finite, %want_7 : tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xi1>, tensor<16xi1>
}

func.func @special_f16_unary() -> (tensor<8xf16>, tensor<8xf16>, tensor<8xf16>, tensor<8xf16>) {
  %a = stablehlo.constant dense<[4.0, 0.25, 0.0, -0.0, 0x7C00, -1.0, 0x7E00, 0xFC00]> : tensor<8xf16>
  %sqrt = stablehlo.sqrt %a : tensor<8xf16>
  %want_0 = stablehlo.constant dense<[2.0, 0.5, 0.0, -0.0, 0x7C00, 0x7E00, 0x7E00, 0x7E00]> : tensor<8xf16>
  %rsqrt = stablehlo.rsqrt %a : tensor<8xf16>
  %want_1 = stablehlo.constant dense<[0.5, 2.0, 0x7C00, 0xFC00, 0.0, 0x7E00, 0x7E00, 0x7E00]> : tensor<8xf16>
  return %sqrt, %want_0, %rsqrt, %want_1 : tensor<8xf16>, tensor<8xf16>, tensor<8xf16>, tensor<8xf16>
}

func.func @limits_f16() -> (tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>) {
  %a = stablehlo.constant dense<[0.0, -0.0, 0x7C00, 0xFC00, 0x7E00]> : tensor<5xf16>
  %exponential = stablehlo.exponential %a : tensor<5xf16>
  %want_0 = stablehlo.constant dense<[1.0, 1.0, 0x7C00, 0.0, 0x7E00]> : tensor<5xf16>
  %exponential_minus_one = stablehlo.exponential_minus_one %a : tensor<5xf16>
  %want_1 = stablehlo.constant dense<[0.0, -0.0, 0x7C00, -1.0, 0x7E00]> : tensor<5xf16>
  %log = stablehlo.log %a : tensor<5xf16>
  %want_2 = stablehlo.constant dense<[0xFC00, 0xFC00, 0x7C00, 0x7E00, 0x7E00]> : tensor<5xf16>
  %log_plus_one = stablehlo.log_plus_one %a : tensor<5xf16>
  %want_3 = stablehlo.constant dense<[0.0, -0.0, 0x7C00, 0x7E00, 0x7E00]> : tensor<5xf16>
  %logistic = stablehlo.logistic %a : tensor<5xf16>
  %want_4 = stablehlo.constant dense<[0.5, 0.5, 1.0, 0.0, 0x7E00]> : tensor<5xf16>
  %tanh = stablehlo.tanh %a : tensor<5xf16>
  %want_5 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 0x7E00]> : tensor<5xf16>
  %sine = stablehlo.sine %a : tensor<5xf16>
  %want_6 = stablehlo.constant dense<[0.0, -0.0, 0x7E00, 0x7E00, 0x7E00]> : tensor<5xf16>
  %cosine = stablehlo.cosine %a : tensor<5xf16>
  %want_7 = stablehlo.constant dense<[1.0, 1.0, 0x7E00, 0x7E00, 0x7E00]> : tensor<5xf16>
  %tan = stablehlo.tan %a : tensor<5xf16>
  %want_8 = stablehlo.constant dense<[0.0, -0.0, 0x7E00, 0x7E00, 0x7E00]> : tensor<5xf16>
  %cbrt = stablehlo.cbrt %a : tensor<5xf16>
  %want_9 = stablehlo.constant dense<[0.0, -0.0, 0x7C00, 0xFC00, 0x7E00]> : tensor<5xf16>
  return %exponential, %want_0, %exponential_minus_one, %want_1, %log, %want_2, %log_plus_one, %want_3, %logistic, %want_4, %tanh, %want_5, %sine, %want_6, %cosine, %want_7, %tan, %want_8, %cbrt, %want_9 : tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xf16>
}

func.func @compare_f16() -> (tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>) {
  %a = stablehlo.constant dense<[0.0, -0.0, 1.0, 0x7E00, 0x7E00, 0xFC00, 0x7C00]> : tensor<7xf16>
  %b = stablehlo.constant dense<[-0.0, 0.0, 2.0, 0x7E00, 1.0, 0x7C00, 0x7C00]> : tensor<7xf16>
  %EQ = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<7xf16>, tensor<7xf16>) -> tensor<7xi1>
  %want_0 = stablehlo.constant dense<[true, true, false, false, false, false, true]> : tensor<7xi1>
  %NE = stablehlo.compare NE, %a, %b, FLOAT : (tensor<7xf16>, tensor<7xf16>) -> tensor<7xi1>
  %want_1 = stablehlo.constant dense<[false, false, true, true, true, true, false]> : tensor<7xi1>
  %LT = stablehlo.compare LT, %a, %b, FLOAT : (tensor<7xf16>, tensor<7xf16>) -> tensor<7xi1>
  %want_2 = stablehlo.constant dense<[false, false, true, false, false, true, false]> : tensor<7xi1>
  %LE = stablehlo.compare LE, %a, %b, FLOAT : (tensor<7xf16>, tensor<7xf16>) -> tensor<7xi1>
  %want_3 = stablehlo.constant dense<[true, true, true, false, false, true, true]> : tensor<7xi1>
  %GT = stablehlo.compare GT, %a, %b, FLOAT : (tensor<7xf16>, tensor<7xf16>) -> tensor<7xi1>
  %want_4 = stablehlo.constant dense<[false, false, false, false, false, false, false]> : tensor<7xi1>
  %GE = stablehlo.compare GE, %a, %b, FLOAT : (tensor<7xf16>, tensor<7xf16>) -> tensor<7xi1>
  %want_5 = stablehlo.constant dense<[true, true, false, false, false, false, true]> : tensor<7xi1>
  %total_EQ = stablehlo.compare EQ, %a, %b, TOTALORDER : (tensor<7xf16>, tensor<7xf16>) -> tensor<7xi1>
  %want_6 = stablehlo.constant dense<[false, false, false, true, false, false, true]> : tensor<7xi1>
  %total_LT = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<7xf16>, tensor<7xf16>) -> tensor<7xi1>
  %want_7 = stablehlo.constant dense<[false, true, true, false, false, true, false]> : tensor<7xi1>
  %total_GE = stablehlo.compare GE, %a, %b, TOTALORDER : (tensor<7xf16>, tensor<7xf16>) -> tensor<7xi1>
  %want_8 = stablehlo.constant dense<[true, false, false, true, true, false, true]> : tensor<7xi1>
  return %EQ, %want_0, %NE, %want_1, %LT, %want_2, %LE, %want_3, %GT, %want_4, %GE, %want_5, %total_EQ, %want_6, %total_LT, %want_7, %total_GE, %want_8 : tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>
}

func.func @clamp_f16() -> (tensor<4xf16>, tensor<4xf16>) {
  %low = stablehlo.constant dense<-1.0> : tensor<f16>
  %high = stablehlo.constant dense<2.0> : tensor<f16>
  %x = stablehlo.constant dense<[0xFC00, 0.5, 0x7C00, 0x7E00]> : tensor<4xf16>
  %c = stablehlo.clamp %low, %x, %high : (tensor<f16>, tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  %want_0 = stablehlo.constant dense<[-1.0, 0.5, 2.0, 0x7E00]> : tensor<4xf16>
  return %c, %want_0 : tensor<4xf16>, tensor<4xf16>
}

func.func @reduce_precision_f16() -> (tensor<8xf16>, tensor<8xf16>, tensor<8xf16>, tensor<8xf16>, tensor<f16>, tensor<f16>) {
  %x = stablehlo.constant dense<[1.0625, 1.1875, 1.375, 1.5, -1.125, 0x7C00, 0x7E00, 0xFC00]> : tensor<8xf16>
  %nan = stablehlo.constant dense<0x7E00> : tensor<f16>
  %e5m2 = stablehlo.reduce_precision %x, format = e5m2 : tensor<8xf16>
  %want_0 = stablehlo.constant dense<[1.0, 1.25, 1.5, 1.5, -1.0, 0x7C00, 0x7E00, 0xFC00]> : tensor<8xf16>
  %e3m1 = stablehlo.reduce_precision %x, format = e3m1 : tensor<8xf16>
  %want_1 = stablehlo.constant dense<[1.0, 1.0, 1.5, 1.5, -1.0, 0x7C00, 0x7E00, 0xFC00]> : tensor<8xf16>
  %e2m0 = stablehlo.reduce_precision %nan, format = e2m0 : tensor<f16>
  %want_2 = stablehlo.constant dense<0x7C00> : tensor<f16>
  return %e5m2, %want_0, %e3m1, %want_1, %e2m0, %want_2 : tensor<8xf16>, tensor<8xf16>, tensor<8xf16>, tensor<8xf16>, tensor<f16>, tensor<f16>
}

func.func @convert_f16_i8() -> (tensor<7xi8>, tensor<7xi8>, tensor<3xf16>, tensor<3xf16>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7E00, 0x7C00, 0xFC00, 100.0, -0.5]> : tensor<7xf16>
  %i = stablehlo.constant dense<[0, 100, -7]> : tensor<3xi8>
  %c = stablehlo.convert %x : (tensor<7xf16>) -> tensor<7xi8>
  %want_0 = stablehlo.constant dense<[1, -1, 0, 127, -128, 100, 0]> : tensor<7xi8>
  %back = stablehlo.convert %i : (tensor<3xi8>) -> tensor<3xf16>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, -7.0]> : tensor<3xf16>
  return %c, %want_0, %back, %want_1 : tensor<7xi8>, tensor<7xi8>, tensor<3xf16>, tensor<3xf16>
}

func.func @convert_f16_ui8() -> (tensor<7xui8>, tensor<7xui8>, tensor<3xf16>, tensor<3xf16>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7E00, 0x7C00, 0xFC00, 100.0, -0.5]> : tensor<7xf16>
  %i = stablehlo.constant dense<[0, 100, 7]> : tensor<3xui8>
  %c = stablehlo.convert %x : (tensor<7xf16>) -> tensor<7xui8>
  %want_0 = stablehlo.constant dense<[1, 0, 0, 255, 0, 100, 0]> : tensor<7xui8>
  %back = stablehlo.convert %i : (tensor<3xui8>) -> tensor<3xf16>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, 7.0]> : tensor<3xf16>
  return %c, %want_0, %back, %want_1 : tensor<7xui8>, tensor<7xui8>, tensor<3xf16>, tensor<3xf16>
}

func.func @convert_f16_i16() -> (tensor<7xi16>, tensor<7xi16>, tensor<3xf16>, tensor<3xf16>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7E00, 0x7C00, 0xFC00, 100.0, -0.5]> : tensor<7xf16>
  %i = stablehlo.constant dense<[0, 100, -7]> : tensor<3xi16>
  %c = stablehlo.convert %x : (tensor<7xf16>) -> tensor<7xi16>
  %want_0 = stablehlo.constant dense<[1, -1, 0, 32767, -32768, 100, 0]> : tensor<7xi16>
  %back = stablehlo.convert %i : (tensor<3xi16>) -> tensor<3xf16>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, -7.0]> : tensor<3xf16>
  return %c, %want_0, %back, %want_1 : tensor<7xi16>, tensor<7xi16>, tensor<3xf16>, tensor<3xf16>
}

func.func @convert_f16_ui16() -> (tensor<7xui16>, tensor<7xui16>, tensor<3xf16>, tensor<3xf16>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7E00, 0x7C00, 0xFC00, 100.0, -0.5]> : tensor<7xf16>
  %i = stablehlo.constant dense<[0, 100, 7]> : tensor<3xui16>
  %c = stablehlo.convert %x : (tensor<7xf16>) -> tensor<7xui16>
  %want_0 = stablehlo.constant dense<[1, 0, 0, 65535, 0, 100, 0]> : tensor<7xui16>
  %back = stablehlo.convert %i : (tensor<3xui16>) -> tensor<3xf16>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, 7.0]> : tensor<3xf16>
  return %c, %want_0, %back, %want_1 : tensor<7xui16>, tensor<7xui16>, tensor<3xf16>, tensor<3xf16>
}

func.func @convert_f16_i32() -> (tensor<7xi32>, tensor<7xi32>, tensor<3xf16>, tensor<3xf16>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7E00, 0x7C00, 0xFC00, 100.0, -0.5]> : tensor<7xf16>
  %i = stablehlo.constant dense<[0, 100, -7]> : tensor<3xi32>
  %c = stablehlo.convert %x : (tensor<7xf16>) -> tensor<7xi32>
  %want_0 = stablehlo.constant dense<[1, -1, 0, 2147483647, -2147483648, 100, 0]> : tensor<7xi32>
  %back = stablehlo.convert %i : (tensor<3xi32>) -> tensor<3xf16>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, -7.0]> : tensor<3xf16>
  return %c, %want_0, %back, %want_1 : tensor<7xi32>, tensor<7xi32>, tensor<3xf16>, tensor<3xf16>
}

func.func @convert_f16_ui32() -> (tensor<7xui32>, tensor<7xui32>, tensor<3xf16>, tensor<3xf16>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7E00, 0x7C00, 0xFC00, 100.0, -0.5]> : tensor<7xf16>
  %i = stablehlo.constant dense<[0, 100, 7]> : tensor<3xui32>
  %c = stablehlo.convert %x : (tensor<7xf16>) -> tensor<7xui32>
  %want_0 = stablehlo.constant dense<[1, 0, 0, 4294967295, 0, 100, 0]> : tensor<7xui32>
  %back = stablehlo.convert %i : (tensor<3xui32>) -> tensor<3xf16>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, 7.0]> : tensor<3xf16>
  return %c, %want_0, %back, %want_1 : tensor<7xui32>, tensor<7xui32>, tensor<3xf16>, tensor<3xf16>
}

func.func @convert_f16_i64() -> (tensor<7xi64>, tensor<7xi64>, tensor<3xf16>, tensor<3xf16>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7E00, 0x7C00, 0xFC00, 100.0, -0.5]> : tensor<7xf16>
  %i = stablehlo.constant dense<[0, 100, -7]> : tensor<3xi64>
  %c = stablehlo.convert %x : (tensor<7xf16>) -> tensor<7xi64>
  %want_0 = stablehlo.constant dense<[1, -1, 0, 9223372036854775807, -9223372036854775808, 100, 0]> : tensor<7xi64>
  %back = stablehlo.convert %i : (tensor<3xi64>) -> tensor<3xf16>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, -7.0]> : tensor<3xf16>
  return %c, %want_0, %back, %want_1 : tensor<7xi64>, tensor<7xi64>, tensor<3xf16>, tensor<3xf16>
}

func.func @convert_f16_ui64() -> (tensor<7xui64>, tensor<7xui64>, tensor<3xf16>, tensor<3xf16>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7E00, 0x7C00, 0xFC00, 100.0, -0.5]> : tensor<7xf16>
  %i = stablehlo.constant dense<[0, 100, 7]> : tensor<3xui64>
  %c = stablehlo.convert %x : (tensor<7xf16>) -> tensor<7xui64>
  %want_0 = stablehlo.constant dense<[1, 0, 0, 18446744073709551615, 0, 100, 0]> : tensor<7xui64>
  %back = stablehlo.convert %i : (tensor<3xui64>) -> tensor<3xf16>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, 7.0]> : tensor<3xf16>
  return %c, %want_0, %back, %want_1 : tensor<7xui64>, tensor<7xui64>, tensor<3xf16>, tensor<3xf16>
}

func.func @convert_f16_i1() -> (tensor<5xi1>, tensor<5xi1>, tensor<5xf16>, tensor<5xf16>) {
  %x = stablehlo.constant dense<[0.0, -0.0, 0.5, 0x7E00, 0xFC00]> : tensor<5xf16>
  %c = stablehlo.convert %x : (tensor<5xf16>) -> tensor<5xi1>
  %want_0 = stablehlo.constant dense<[false, false, true, true, true]> : tensor<5xi1>
  %back = stablehlo.convert %c : (tensor<5xi1>) -> tensor<5xf16>
  %want_1 = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.0, 1.0]> : tensor<5xf16>
  return %c, %want_0, %back, %want_1 : tensor<5xi1>, tensor<5xi1>, tensor<5xf16>, tensor<5xf16>
}

func.func @special_bf16() -> (tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>) {
  %a = stablehlo.constant dense<[0.0, 0.0, -0.0, -0.0, 1.0, 0x7F80, 0x7F80, 0xFF80, 0x7FC0, 2.0, 0x7FC0, 0x7F7F, 0x0001]> : tensor<13xbf16>
  %b = stablehlo.constant dense<[0.0, -0.0, 0.0, -0.0, 0x7F80, 0x7F80, 0xFF80, 3.0, 1.0, 0x7FC0, 0x7FC0, 0x7F7F, 0x8001]> : tensor<13xbf16>
  %add = stablehlo.add %a, %b : tensor<13xbf16>
  %want_0 = stablehlo.constant dense<[0.0, 0.0, 0.0, -0.0, 0x7F80, 0x7F80, 0x7FC0, 0xFF80, 0x7FC0, 0x7FC0, 0x7FC0, 0x7F80, 0.0]> : tensor<13xbf16>
  %subtract = stablehlo.subtract %a, %b : tensor<13xbf16>
  %want_1 = stablehlo.constant dense<[0.0, 0.0, -0.0, 0.0, 0xFF80, 0x7FC0, 0x7F80, 0xFF80, 0x7FC0, 0x7FC0, 0x7FC0, 0.0, 0x0002]> : tensor<13xbf16>
  %multiply = stablehlo.multiply %a, %b : tensor<13xbf16>
  %want_2 = stablehlo.constant dense<[0.0, -0.0, -0.0, 0.0, 0x7F80, 0x7F80, 0xFF80, 0xFF80, 0x7FC0, 0x7FC0, 0x7FC0, 0x7F80, -0.0]> : tensor<13xbf16>
  %divide = stablehlo.divide %a, %b : tensor<13xbf16>
  %want_3 = stablehlo.constant dense<[0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0.0, 0x7FC0, 0x7FC0, 0xFF80, 0x7FC0, 0x7FC0, 0x7FC0, 1.0, -1.0]> : tensor<13xbf16>
  %maximum = stablehlo.maximum %a, %b : tensor<13xbf16>
  %want_4 = stablehlo.constant dense<[0.0, 0.0, 0.0, -0.0, 0x7F80, 0x7F80, 0x7F80, 3.0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7F7F, 0x0001]> : tensor<13xbf16>
  %minimum = stablehlo.minimum %a, %b : tensor<13xbf16>
  %want_5 = stablehlo.constant dense<[0.0, -0.0, -0.0, -0.0, 1.0, 0x7F80, 0xFF80, 0xFF80, 0x7FC0, 0x7FC0, 0x7FC0, 0x7F7F, 0x8001]> : tensor<13xbf16>
  %remainder = stablehlo.remainder %a, %b : tensor<13xbf16>
  %want_6 = stablehlo.constant dense<[0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 1.0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0.0, 0.0]> : tensor<13xbf16>
  return %add, %want_0, %subtract, %want_1, %multiply, %want_2, %divide, %want_3, %maximum, %want_4, %minimum, %want_5, %remainder, %want_6 : tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>, tensor<13xbf16>
}

func.func @remainder_bf16() -> (tensor<10xbf16>, tensor<10xbf16>) {
  %a = stablehlo.constant dense<[5.0, -5.0, 5.0, -5.0, 6.0, -6.0, 0.0, -0.0, 7.5, 1.0]> : tensor<10xbf16>
  %b = stablehlo.constant dense<[3.0, 3.0, -3.0, -3.0, 3.0, 3.0, 3.0, 3.0, 2.0, 0x7F80]> : tensor<10xbf16>
  %remainder = stablehlo.remainder %a, %b : tensor<10xbf16>
  %want_0 = stablehlo.constant dense<[2.0, -2.0, 2.0, -2.0, 0.0, -0.0, 0.0, -0.0, 1.5, 1.0]> : tensor<10xbf16>
  return %remainder, %want_0 : tensor<10xbf16>, tensor<10xbf16>
}

func.func @unary_bf16() -> (tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xi1>, tensor<16xi1>) {
  %a = stablehlo.constant dense<[0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.25, -0.25, 0.0, -0.0, 0x7F80, 0xFF80, 0x7FC0, 0x0001, 0x8001, -3.75]> : tensor<16xbf16>
  %abs = stablehlo.abs %a : tensor<16xbf16>
  %want_0 = stablehlo.constant dense<[0.5, 1.5, 2.5, 0.5, 1.5, 2.5, 0.25, 0.25, 0.0, 0.0, 0x7F80, 0x7F80, 0x7FC0, 0x0001, 0x0001, 3.75]> : tensor<16xbf16>
  %negate = stablehlo.negate %a : tensor<16xbf16>
  %want_1 = stablehlo.constant dense<[-0.5, -1.5, -2.5, 0.5, 1.5, 2.5, -0.25, 0.25, -0.0, 0.0, 0xFF80, 0x7F80, 0x7FC0, 0x8001, 0x0001, 3.75]> : tensor<16xbf16>
  %sign = stablehlo.sign %a : tensor<16xbf16>
  %want_2 = stablehlo.constant dense<[1.0, 1.0, 1.0, -1.0, -1.0, -1.0, 1.0, -1.0, 0.0, -0.0, 1.0, -1.0, 0x7FC0, 1.0, -1.0, -1.0]> : tensor<16xbf16>
  %floor = stablehlo.floor %a : tensor<16xbf16>
  %want_3 = stablehlo.constant dense<[0.0, 1.0, 2.0, -1.0, -2.0, -3.0, 0.0, -1.0, 0.0, -0.0, 0x7F80, 0xFF80, 0x7FC0, 0.0, -1.0, -4.0]> : tensor<16xbf16>
  %ceil = stablehlo.ceil %a : tensor<16xbf16>
  %want_4 = stablehlo.constant dense<[1.0, 2.0, 3.0, -0.0, -1.0, -2.0, 1.0, -0.0, 0.0, -0.0, 0x7F80, 0xFF80, 0x7FC0, 1.0, -0.0, -3.0]> : tensor<16xbf16>
  %round_nearest_afz = stablehlo.round_nearest_afz %a : tensor<16xbf16>
  %want_5 = stablehlo.constant dense<[1.0, 2.0, 3.0, -1.0, -2.0, -3.0, 0.0, -0.0, 0.0, -0.0, 0x7F80, 0xFF80, 0x7FC0, 0.0, -0.0, -4.0]> : tensor<16xbf16>
  %round_nearest_even = stablehlo.round_nearest_even %a : tensor<16xbf16>
  %want_6 = stablehlo.constant dense<[0.0, 2.0, 2.0, -0.0, -2.0, -2.0, 0.0, -0.0, 0.0, -0.0, 0x7F80, 0xFF80, 0x7FC0, 0.0, -0.0, -4.0]> : tensor<16xbf16>
  %finite = stablehlo.is_finite %a : (tensor<16xbf16>) -> tensor<16xi1>
  %want_7 = stablehlo.constant dense<[true, true, true, true, true, true, true, true, true, true, false, false, false, true, true, true]> : tensor<16xi1>
  return %abs, %want_0, %negate, %want_1, %sign, %want_2, %floor, %want_3, %ceil, %want_4, %round_nearest_afz, %want_5, %round_nearest_even, %want_6, %finite, %want_7 : tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16xi1>, tensor<16xi1>
}

func.func @special_bf16_unary() -> (tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>) {
  %a = stablehlo.constant dense<[4.0, 0.25, 0.0, -0.0, 0x7F80, -1.0, 0x7FC0, 0xFF80]> : tensor<8xbf16>
  %sqrt = stablehlo.sqrt %a : tensor<8xbf16>
  %want_0 = stablehlo.constant dense<[2.0, 0.5, 0.0, -0.0, 0x7F80, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<8xbf16>
  %rsqrt = stablehlo.rsqrt %a : tensor<8xbf16>
  %want_1 = stablehlo.constant dense<[0.5, 2.0, 0x7F80, 0xFF80, 0.0, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<8xbf16>
  return %sqrt, %want_0, %rsqrt, %want_1 : tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>
}

func.func @limits_bf16() -> (tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>) {
  %a = stablehlo.constant dense<[0.0, -0.0, 0x7F80, 0xFF80, 0x7FC0]> : tensor<5xbf16>
  %exponential = stablehlo.exponential %a : tensor<5xbf16>
  %want_0 = stablehlo.constant dense<[1.0, 1.0, 0x7F80, 0.0, 0x7FC0]> : tensor<5xbf16>
  %exponential_minus_one = stablehlo.exponential_minus_one %a : tensor<5xbf16>
  %want_1 = stablehlo.constant dense<[0.0, -0.0, 0x7F80, -1.0, 0x7FC0]> : tensor<5xbf16>
  %log = stablehlo.log %a : tensor<5xbf16>
  %want_2 = stablehlo.constant dense<[0xFF80, 0xFF80, 0x7F80, 0x7FC0, 0x7FC0]> : tensor<5xbf16>
  %log_plus_one = stablehlo.log_plus_one %a : tensor<5xbf16>
  %want_3 = stablehlo.constant dense<[0.0, -0.0, 0x7F80, 0x7FC0, 0x7FC0]> : tensor<5xbf16>
  %logistic = stablehlo.logistic %a : tensor<5xbf16>
  %want_4 = stablehlo.constant dense<[0.5, 0.5, 1.0, 0.0, 0x7FC0]> : tensor<5xbf16>
  %tanh = stablehlo.tanh %a : tensor<5xbf16>
  %want_5 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 0x7FC0]> : tensor<5xbf16>
  %sine = stablehlo.sine %a : tensor<5xbf16>
  %want_6 = stablehlo.constant dense<[0.0, -0.0, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<5xbf16>
  %cosine = stablehlo.cosine %a : tensor<5xbf16>
  %want_7 = stablehlo.constant dense<[1.0, 1.0, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<5xbf16>
  %tan = stablehlo.tan %a : tensor<5xbf16>
  %want_8 = stablehlo.constant dense<[0.0, -0.0, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<5xbf16>
  %cbrt = stablehlo.cbrt %a : tensor<5xbf16>
  %want_9 = stablehlo.constant dense<[0.0, -0.0, 0x7F80, 0xFF80, 0x7FC0]> : tensor<5xbf16>
  return %exponential, %want_0, %exponential_minus_one, %want_1, %log, %want_2, %log_plus_one, %want_3, %logistic, %want_4, %tanh, %want_5, %sine, %want_6, %cosine, %want_7, %tan, %want_8, %cbrt, %want_9 : tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>
}

func.func @compare_bf16() -> (tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>) {
  %a = stablehlo.constant dense<[0.0, -0.0, 1.0, 0x7FC0, 0x7FC0, 0xFF80, 0x7F80]> : tensor<7xbf16>
  %b = stablehlo.constant dense<[-0.0, 0.0, 2.0, 0x7FC0, 1.0, 0x7F80, 0x7F80]> : tensor<7xbf16>
  %EQ = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<7xbf16>, tensor<7xbf16>) -> tensor<7xi1>
  %want_0 = stablehlo.constant dense<[true, true, false, false, false, false, true]> : tensor<7xi1>
  %NE = stablehlo.compare NE, %a, %b, FLOAT : (tensor<7xbf16>, tensor<7xbf16>) -> tensor<7xi1>
  %want_1 = stablehlo.constant dense<[false, false, true, true, true, true, false]> : tensor<7xi1>
  %LT = stablehlo.compare LT, %a, %b, FLOAT : (tensor<7xbf16>, tensor<7xbf16>) -> tensor<7xi1>
  %want_2 = stablehlo.constant dense<[false, false, true, false, false, true, false]> : tensor<7xi1>
  %LE = stablehlo.compare LE, %a, %b, FLOAT : (tensor<7xbf16>, tensor<7xbf16>) -> tensor<7xi1>
  %want_3 = stablehlo.constant dense<[true, true, true, false, false, true, true]> : tensor<7xi1>
  %GT = stablehlo.compare GT, %a, %b, FLOAT : (tensor<7xbf16>, tensor<7xbf16>) -> tensor<7xi1>
  %want_4 = stablehlo.constant dense<[false, false, false, false, false, false, false]> : tensor<7xi1>
  %GE = stablehlo.compare GE, %a, %b, FLOAT : (tensor<7xbf16>, tensor<7xbf16>) -> tensor<7xi1>
  %want_5 = stablehlo.constant dense<[true, true, false, false, false, false, true]> : tensor<7xi1>
  %total_EQ = stablehlo.compare EQ, %a, %b, TOTALORDER : (tensor<7xbf16>, tensor<7xbf16>) -> tensor<7xi1>
  %want_6 = stablehlo.constant dense<[false, false, false, true, false, false, true]> : tensor<7xi1>
  %total_LT = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<7xbf16>, tensor<7xbf16>) -> tensor<7xi1>
  %want_7 = stablehlo.constant dense<[false, true, true, false, false, true, false]> : tensor<7xi1>
  %total_GE = stablehlo.compare GE, %a, %b, TOTALORDER : (tensor<7xbf16>, tensor<7xbf16>) -> tensor<7xi1>
  %want_8 = stablehlo.constant dense<[true, false, false, true, true, false, true]> : tensor<7xi1>
  return %EQ, %want_0, %NE, %want_1, %LT, %want_2, %LE, %want_3, %GT, %want_4, %GE, %want_5, %total_EQ, %want_6, %total_LT, %want_7, %total_GE, %want_8 : tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>
}

func.func @clamp_bf16() -> (tensor<4xbf16>, tensor<4xbf16>) {
  %low = stablehlo.constant dense<-1.0> : tensor<bf16>
  %high = stablehlo.constant dense<2.0> : tensor<bf16>
  %x = stablehlo.constant dense<[0xFF80, 0.5, 0x7F80, 0x7FC0]> : tensor<4xbf16>
  %c = stablehlo.clamp %low, %x, %high : (tensor<bf16>, tensor<4xbf16>, tensor<bf16>) -> tensor<4xbf16>
  %want_0 = stablehlo.constant dense<[-1.0, 0.5, 2.0, 0x7FC0]> : tensor<4xbf16>
  return %c, %want_0 : tensor<4xbf16>, tensor<4xbf16>
}

func.func @reduce_precision_bf16() -> (tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>, tensor<bf16>, tensor<bf16>) {
  %x = stablehlo.constant dense<[1.0625, 1.1875, 1.375, 1.5, -1.125, 0x7F80, 0x7FC0, 0xFF80]> : tensor<8xbf16>
  %nan = stablehlo.constant dense<0x7FC0> : tensor<bf16>
  %e5m2 = stablehlo.reduce_precision %x, format = e5m2 : tensor<8xbf16>
  %want_0 = stablehlo.constant dense<[1.0, 1.25, 1.5, 1.5, -1.0, 0x7F80, 0x7FC0, 0xFF80]> : tensor<8xbf16>
  %e3m1 = stablehlo.reduce_precision %x, format = e3m1 : tensor<8xbf16>
  %want_1 = stablehlo.constant dense<[1.0, 1.0, 1.5, 1.5, -1.0, 0x7F80, 0x7FC0, 0xFF80]> : tensor<8xbf16>
  %e2m0 = stablehlo.reduce_precision %nan, format = e2m0 : tensor<bf16>
  %want_2 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  return %e5m2, %want_0, %e3m1, %want_1, %e2m0, %want_2 : tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>, tensor<bf16>, tensor<bf16>
}

func.func @convert_bf16_i8() -> (tensor<7xi8>, tensor<7xi8>, tensor<3xbf16>, tensor<3xbf16>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FC0, 0x7F80, 0xFF80, 100.0, -0.5]> : tensor<7xbf16>
  %i = stablehlo.constant dense<[0, 100, -7]> : tensor<3xi8>
  %c = stablehlo.convert %x : (tensor<7xbf16>) -> tensor<7xi8>
  %want_0 = stablehlo.constant dense<[1, -1, 0, 127, -128, 100, 0]> : tensor<7xi8>
  %back = stablehlo.convert %i : (tensor<3xi8>) -> tensor<3xbf16>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, -7.0]> : tensor<3xbf16>
  return %c, %want_0, %back, %want_1 : tensor<7xi8>, tensor<7xi8>, tensor<3xbf16>, tensor<3xbf16>
}

func.func @convert_bf16_ui8() -> (tensor<7xui8>, tensor<7xui8>, tensor<3xbf16>, tensor<3xbf16>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FC0, 0x7F80, 0xFF80, 100.0, -0.5]> : tensor<7xbf16>
  %i = stablehlo.constant dense<[0, 100, 7]> : tensor<3xui8>
  %c = stablehlo.convert %x : (tensor<7xbf16>) -> tensor<7xui8>
  %want_0 = stablehlo.constant dense<[1, 0, 0, 255, 0, 100, 0]> : tensor<7xui8>
  %back = stablehlo.convert %i : (tensor<3xui8>) -> tensor<3xbf16>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, 7.0]> : tensor<3xbf16>
  return %c, %want_0, %back, %want_1 : tensor<7xui8>, tensor<7xui8>, tensor<3xbf16>, tensor<3xbf16>
}

func.func @convert_bf16_i16() -> (tensor<7xi16>, tensor<7xi16>, tensor<3xbf16>, tensor<3xbf16>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FC0, 0x7F80, 0xFF80, 100.0, -0.5]> : tensor<7xbf16>
  %i = stablehlo.constant dense<[0, 100, -7]> : tensor<3xi16>
  %c = stablehlo.convert %x : (tensor<7xbf16>) -> tensor<7xi16>
  %want_0 = stablehlo.constant dense<[1, -1, 0, 32767, -32768, 100, 0]> : tensor<7xi16>
  %back = stablehlo.convert %i : (tensor<3xi16>) -> tensor<3xbf16>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, -7.0]> : tensor<3xbf16>
  return %c, %want_0, %back, %want_1 : tensor<7xi16>, tensor<7xi16>, tensor<3xbf16>, tensor<3xbf16>
}

func.func @convert_bf16_ui16() -> (tensor<7xui16>, tensor<7xui16>, tensor<3xbf16>, tensor<3xbf16>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FC0, 0x7F80, 0xFF80, 100.0, -0.5]> : tensor<7xbf16>
  %i = stablehlo.constant dense<[0, 100, 7]> : tensor<3xui16>
  %c = stablehlo.convert %x : (tensor<7xbf16>) -> tensor<7xui16>
  %want_0 = stablehlo.constant dense<[1, 0, 0, 65535, 0, 100, 0]> : tensor<7xui16>
  %back = stablehlo.convert %i : (tensor<3xui16>) -> tensor<3xbf16>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, 7.0]> : tensor<3xbf16>
  return %c, %want_0, %back, %want_1 : tensor<7xui16>, tensor<7xui16>, tensor<3xbf16>, tensor<3xbf16>
}

func.func @convert_bf16_i32() -> (tensor<7xi32>, tensor<7xi32>, tensor<3xbf16>, tensor<3xbf16>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FC0, 0x7F80, 0xFF80, 100.0, -0.5]> : tensor<7xbf16>
  %i = stablehlo.constant dense<[0, 100, -7]> : tensor<3xi32>
  %c = stablehlo.convert %x : (tensor<7xbf16>) -> tensor<7xi32>
  %want_0 = stablehlo.constant dense<[1, -1, 0, 2147483647, -2147483648, 100, 0]> : tensor<7xi32>
  %back = stablehlo.convert %i : (tensor<3xi32>) -> tensor<3xbf16>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, -7.0]> : tensor<3xbf16>
  return %c, %want_0, %back, %want_1 : tensor<7xi32>, tensor<7xi32>, tensor<3xbf16>, tensor<3xbf16>
}

func.func @convert_bf16_ui32() -> (tensor<7xui32>, tensor<7xui32>, tensor<3xbf16>, tensor<3xbf16>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FC0, 0x7F80, 0xFF80, 100.0, -0.5]> : tensor<7xbf16>
  %i = stablehlo.constant dense<[0, 100, 7]> : tensor<3xui32>
  %c = stablehlo.convert %x : (tensor<7xbf16>) -> tensor<7xui32>
  %want_0 = stablehlo.constant dense<[1, 0, 0, 4294967295, 0, 100, 0]> : tensor<7xui32>
  %back = stablehlo.convert %i : (tensor<3xui32>) -> tensor<3xbf16>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, 7.0]> : tensor<3xbf16>
  return %c, %want_0, %back, %want_1 : tensor<7xui32>, tensor<7xui32>, tensor<3xbf16>, tensor<3xbf16>
}

func.func @convert_bf16_i64() -> (tensor<7xi64>, tensor<7xi64>, tensor<3xbf16>, tensor<3xbf16>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FC0, 0x7F80, 0xFF80, 100.0, -0.5]> : tensor<7xbf16>
  %i = stablehlo.constant dense<[0, 100, -7]> : tensor<3xi64>
  %c = stablehlo.convert %x : (tensor<7xbf16>) -> tensor<7xi64>
  %want_0 = stablehlo.constant dense<[1, -1, 0, 9223372036854775807, -9223372036854775808, 100, 0]> : tensor<7xi64>
  %back = stablehlo.convert %i : (tensor<3xi64>) -> tensor<3xbf16>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, -7.0]> : tensor<3xbf16>
  return %c, %want_0, %back, %want_1 : tensor<7xi64>, tensor<7xi64>, tensor<3xbf16>, tensor<3xbf16>
}

func.func @convert_bf16_ui64() -> (tensor<7xui64>, tensor<7xui64>, tensor<3xbf16>, tensor<3xbf16>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FC0, 0x7F80, 0xFF80, 100.0, -0.5]> : tensor<7xbf16>
  %i = stablehlo.constant dense<[0, 100, 7]> : tensor<3xui64>
  %c = stablehlo.convert %x : (tensor<7xbf16>) -> tensor<7xui64>
  %want_0 = stablehlo.constant dense<[1, 0, 0, 18446744073709551615, 0, 100, 0]> : tensor<7xui64>
  %back = stablehlo.convert %i : (tensor<3xui64>) -> tensor<3xbf16>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, 7.0]> : tensor<3xbf16>
  return %c, %want_0, %back, %want_1 : tensor<7xui64>, tensor<7xui64>, tensor<3xbf16>, tensor<3xbf16>
}

func.func @convert_bf16_i1() -> (tensor<5xi1>, tensor<5xi1>, tensor<5xbf16>, tensor<5xbf16>) {
  %x = stablehlo.constant dense<[0.0, -0.0, 0.5, 0x7FC0, 0xFF80]> : tensor<5xbf16>
  %c = stablehlo.convert %x : (tensor<5xbf16>) -> tensor<5xi1>
  %want_0 = stablehlo.constant dense<[false, false, true, true, true]> : tensor<5xi1>
  %back = stablehlo.convert %c : (tensor<5xi1>) -> tensor<5xbf16>
  %want_1 = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.0, 1.0]> : tensor<5xbf16>
  return %c, %want_0, %back, %want_1 : tensor<5xi1>, tensor<5xi1>, tensor<5xbf16>, tensor<5xbf16>
}

func.func @special_f32() -> (tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>) {
  %a = stablehlo.constant dense<[0.0, 0.0, -0.0, -0.0, 1.0, 0x7F800000, 0x7F800000, 0xFF800000, 0x7FC00000, 2.0, 0x7FC00000, 0x7F7FFFFF, 0x00000001]> : tensor<13xf32>
  %b = stablehlo.constant dense<[0.0, -0.0, 0.0, -0.0, 0x7F800000, 0x7F800000, 0xFF800000, 3.0, 1.0, 0x7FC00000, 0x7FC00000, 0x7F7FFFFF, 0x80000001]> : tensor<13xf32>
  %add = stablehlo.add %a, %b : tensor<13xf32>
  %want_0 = stablehlo.constant dense<[0.0, 0.0, 0.0, -0.0, 0x7F800000, 0x7F800000, 0x7FC00000, 0xFF800000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7F800000, 0.0]> : tensor<13xf32>
  %subtract = stablehlo.subtract %a, %b : tensor<13xf32>
  %want_1 = stablehlo.constant dense<[0.0, 0.0, -0.0, 0.0, 0xFF800000, 0x7FC00000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0.0, 0x00000002]> : tensor<13xf32>
  %multiply = stablehlo.multiply %a, %b : tensor<13xf32>
  %want_2 = stablehlo.constant dense<[0.0, -0.0, -0.0, 0.0, 0x7F800000, 0x7F800000, 0xFF800000, 0xFF800000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7F800000, -0.0]> : tensor<13xf32>
  %divide = stablehlo.divide %a, %b : tensor<13xf32>
  %want_3 = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0.0, 0x7FC00000, 0x7FC00000, 0xFF800000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 1.0, -1.0]> : tensor<13xf32>
  %maximum = stablehlo.maximum %a, %b : tensor<13xf32>
  %want_4 = stablehlo.constant dense<[0.0, 0.0, 0.0, -0.0, 0x7F800000, 0x7F800000, 0x7F800000, 3.0, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7F7FFFFF, 0x00000001]> : tensor<13xf32>
  %minimum = stablehlo.minimum %a, %b : tensor<13xf32>
  %want_5 = stablehlo.constant dense<[0.0, -0.0, -0.0, -0.0, 1.0, 0x7F800000, 0xFF800000, 0xFF800000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7F7FFFFF, 0x80000001]> : tensor<13xf32>
  %remainder = stablehlo.remainder %a, %b : tensor<13xf32>
  %want_6 = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 1.0, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0.0, 0.0]> : tensor<13xf32>
  return %add, %want_0, %subtract, %want_1, %multiply, %want_2, %divide, %want_3, %maximum, %want_4, %minimum, %want_5, %remainder, %want_6 : tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>
}

func.func @remainder_f32() -> (tensor<10xf32>, tensor<10xf32>) {
  %a = stablehlo.constant dense<[5.0, -5.0, 5.0, -5.0, 6.0, -6.0, 0.0, -0.0, 7.5, 1.0]> : tensor<10xf32>
  %b = stablehlo.constant dense<[3.0, 3.0, -3.0, -3.0, 3.0, 3.0, 3.0, 3.0, 2.0, 0x7F800000]> : tensor<10xf32>
  %remainder = stablehlo.remainder %a, %b : tensor<10xf32>
  %want_0 = stablehlo.constant dense<[2.0, -2.0, 2.0, -2.0, 0.0, -0.0, 0.0, -0.0, 1.5, 1.0]> : tensor<10xf32>
  return %remainder, %want_0 : tensor<10xf32>, tensor<10xf32>
}

func.func @unary_f32() -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xi1>, tensor<16xi1>) {
  %a = stablehlo.constant dense<[0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.25, -0.25, 0.0, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 0x00000001, 0x80000001, -3.75]> : tensor<16xf32>
  %abs = stablehlo.abs %a : tensor<16xf32>
  %want_0 = stablehlo.constant dense<[0.5, 1.5, 2.5, 0.5, 1.5, 2.5, 0.25, 0.25, 0.0, 0.0, 0x7F800000, 0x7F800000, 0x7FC00000, 0x00000001, 0x00000001, 3.75]> : tensor<16xf32>
  %negate = stablehlo.negate %a : tensor<16xf32>
  %want_1 = stablehlo.constant dense<[-0.5, -1.5, -2.5, 0.5, 1.5, 2.5, -0.25, 0.25, -0.0, 0.0, 0xFF800000, 0x7F800000, 0x7FC00000, 0x80000001, 0x00000001, 3.75]> : tensor<16xf32>
  %sign = stablehlo.sign %a : tensor<16xf32>
  %want_2 = stablehlo.constant dense<[1.0, 1.0, 1.0, -1.0, -1.0, -1.0, 1.0, -1.0, 0.0, -0.0, 1.0, -1.0, 0x7FC00000, 1.0, -1.0, -1.0]> : tensor<16xf32>
  %floor = stablehlo.floor %a : tensor<16xf32>
  %want_3 = stablehlo.constant dense<[0.0, 1.0, 2.0, -1.0, -2.0, -3.0, 0.0, -1.0, 0.0, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -1.0, -4.0]> : tensor<16xf32>
  %ceil = stablehlo.ceil %a : tensor<16xf32>
  %want_4 = stablehlo.constant dense<[1.0, 2.0, 3.0, -0.0, -1.0, -2.0, 1.0, -0.0, 0.0, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 1.0, -0.0, -3.0]> : tensor<16xf32>
  %round_nearest_afz = stablehlo.round_nearest_afz %a : tensor<16xf32>
  %want_5 = stablehlo.constant dense<[1.0, 2.0, 3.0, -1.0, -2.0, -3.0, 0.0, -0.0, 0.0, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, -4.0]> : tensor<16xf32>
  %round_nearest_even = stablehlo.round_nearest_even %a : tensor<16xf32>
  %want_6 = stablehlo.constant dense<[0.0, 2.0, 2.0, -0.0, -2.0, -2.0, 0.0, -0.0, 0.0, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, -4.0]> : tensor<16xf32>
  %finite = stablehlo.is_finite %a : (tensor<16xf32>) -> tensor<16xi1>
  %want_7 = stablehlo.constant dense<[true, true, true, true, true, true, true, true, true, true, false, false, false, true, true, true]> : tensor<16xi1>
  return %abs, %want_0, %negate, %want_1, %sign, %want_2, %floor, %want_3, %ceil, %want_4, %round_nearest_afz, %want_5, %round_nearest_even, %want_6, %finite, %want_7 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xi1>, tensor<16xi1>
}

func.func @special_f32_unary() -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %a = stablehlo.constant dense<[4.0, 0.25, 0.0, -0.0, 0x7F800000, -1.0, 0x7FC00000, 0xFF800000]> : tensor<8xf32>
  %sqrt = stablehlo.sqrt %a : tensor<8xf32>
  %want_0 = stablehlo.constant dense<[2.0, 0.5, 0.0, -0.0, 0x7F800000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<8xf32>
  %rsqrt = stablehlo.rsqrt %a : tensor<8xf32>
  %want_1 = stablehlo.constant dense<[0.5, 2.0, 0x7F800000, 0xFF800000, 0.0, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<8xf32>
  return %sqrt, %want_0, %rsqrt, %want_1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

func.func @limits_f32() -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
  %a = stablehlo.constant dense<[0.0, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<5xf32>
  %exponential = stablehlo.exponential %a : tensor<5xf32>
  %want_0 = stablehlo.constant dense<[1.0, 1.0, 0x7F800000, 0.0, 0x7FC00000]> : tensor<5xf32>
  %exponential_minus_one = stablehlo.exponential_minus_one %a : tensor<5xf32>
  %want_1 = stablehlo.constant dense<[0.0, -0.0, 0x7F800000, -1.0, 0x7FC00000]> : tensor<5xf32>
  %log = stablehlo.log %a : tensor<5xf32>
  %want_2 = stablehlo.constant dense<[0xFF800000, 0xFF800000, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<5xf32>
  %log_plus_one = stablehlo.log_plus_one %a : tensor<5xf32>
  %want_3 = stablehlo.constant dense<[0.0, -0.0, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<5xf32>
  %logistic = stablehlo.logistic %a : tensor<5xf32>
  %want_4 = stablehlo.constant dense<[0.5, 0.5, 1.0, 0.0, 0x7FC00000]> : tensor<5xf32>
  %tanh = stablehlo.tanh %a : tensor<5xf32>
  %want_5 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 0x7FC00000]> : tensor<5xf32>
  %sine = stablehlo.sine %a : tensor<5xf32>
  %want_6 = stablehlo.constant dense<[0.0, -0.0, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<5xf32>
  %cosine = stablehlo.cosine %a : tensor<5xf32>
  %want_7 = stablehlo.constant dense<[1.0, 1.0, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<5xf32>
  %tan = stablehlo.tan %a : tensor<5xf32>
  %want_8 = stablehlo.constant dense<[0.0, -0.0, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<5xf32>
  %cbrt = stablehlo.cbrt %a : tensor<5xf32>
  %want_9 = stablehlo.constant dense<[0.0, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<5xf32>
  return %exponential, %want_0, %exponential_minus_one, %want_1, %log, %want_2, %log_plus_one, %want_3, %logistic, %want_4, %tanh, %want_5, %sine, %want_6, %cosine, %want_7, %tan, %want_8, %cbrt, %want_9 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}

func.func @compare_f32() -> (tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>) {
  %a = stablehlo.constant dense<[0.0, -0.0, 1.0, 0x7FC00000, 0x7FC00000, 0xFF800000, 0x7F800000]> : tensor<7xf32>
  %b = stablehlo.constant dense<[-0.0, 0.0, 2.0, 0x7FC00000, 1.0, 0x7F800000, 0x7F800000]> : tensor<7xf32>
  %EQ = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  %want_0 = stablehlo.constant dense<[true, true, false, false, false, false, true]> : tensor<7xi1>
  %NE = stablehlo.compare NE, %a, %b, FLOAT : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  %want_1 = stablehlo.constant dense<[false, false, true, true, true, true, false]> : tensor<7xi1>
  %LT = stablehlo.compare LT, %a, %b, FLOAT : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  %want_2 = stablehlo.constant dense<[false, false, true, false, false, true, false]> : tensor<7xi1>
  %LE = stablehlo.compare LE, %a, %b, FLOAT : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  %want_3 = stablehlo.constant dense<[true, true, true, false, false, true, true]> : tensor<7xi1>
  %GT = stablehlo.compare GT, %a, %b, FLOAT : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  %want_4 = stablehlo.constant dense<[false, false, false, false, false, false, false]> : tensor<7xi1>
  %GE = stablehlo.compare GE, %a, %b, FLOAT : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  %want_5 = stablehlo.constant dense<[true, true, false, false, false, false, true]> : tensor<7xi1>
  %total_EQ = stablehlo.compare EQ, %a, %b, TOTALORDER : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  %want_6 = stablehlo.constant dense<[false, false, false, true, false, false, true]> : tensor<7xi1>
  %total_LT = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  %want_7 = stablehlo.constant dense<[false, true, true, false, false, true, false]> : tensor<7xi1>
  %total_GE = stablehlo.compare GE, %a, %b, TOTALORDER : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  %want_8 = stablehlo.constant dense<[true, false, false, true, true, false, true]> : tensor<7xi1>
  return %EQ, %want_0, %NE, %want_1, %LT, %want_2, %LE, %want_3, %GT, %want_4, %GE, %want_5, %total_EQ, %want_6, %total_LT, %want_7, %total_GE, %want_8 : tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>
}

func.func @clamp_f32() -> (tensor<4xf32>, tensor<4xf32>) {
  %low = stablehlo.constant dense<-1.0> : tensor<f32>
  %high = stablehlo.constant dense<2.0> : tensor<f32>
  %x = stablehlo.constant dense<[0xFF800000, 0.5, 0x7F800000, 0x7FC00000]> : tensor<4xf32>
  %c = stablehlo.clamp %low, %x, %high : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %want_0 = stablehlo.constant dense<[-1.0, 0.5, 2.0, 0x7FC00000]> : tensor<4xf32>
  return %c, %want_0 : tensor<4xf32>, tensor<4xf32>
}

func.func @reduce_precision_f32() -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<f32>) {
  %x = stablehlo.constant dense<[1.0625, 1.1875, 1.375, 1.5, -1.125, 0x7F800000, 0x7FC00000, 0xFF800000]> : tensor<8xf32>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %e5m2 = stablehlo.reduce_precision %x, format = e5m2 : tensor<8xf32>
  %want_0 = stablehlo.constant dense<[1.0, 1.25, 1.5, 1.5, -1.0, 0x7F800000, 0x7FC00000, 0xFF800000]> : tensor<8xf32>
  %e3m1 = stablehlo.reduce_precision %x, format = e3m1 : tensor<8xf32>
  %want_1 = stablehlo.constant dense<[1.0, 1.0, 1.5, 1.5, -1.0, 0x7F800000, 0x7FC00000, 0xFF800000]> : tensor<8xf32>
  %e2m0 = stablehlo.reduce_precision %nan, format = e2m0 : tensor<f32>
  %want_2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  return %e5m2, %want_0, %e3m1, %want_1, %e2m0, %want_2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<f32>
}

func.func @convert_f32_i8() -> (tensor<7xi8>, tensor<7xi8>, tensor<3xf32>, tensor<3xf32>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FC00000, 0x7F800000, 0xFF800000, 100.0, -0.5]> : tensor<7xf32>
  %i = stablehlo.constant dense<[0, 100, -7]> : tensor<3xi8>
  %c = stablehlo.convert %x : (tensor<7xf32>) -> tensor<7xi8>
  %want_0 = stablehlo.constant dense<[1, -1, 0, 127, -128, 100, 0]> : tensor<7xi8>
  %back = stablehlo.convert %i : (tensor<3xi8>) -> tensor<3xf32>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, -7.0]> : tensor<3xf32>
  return %c, %want_0, %back, %want_1 : tensor<7xi8>, tensor<7xi8>, tensor<3xf32>, tensor<3xf32>
}

func.func @convert_f32_ui8() -> (tensor<7xui8>, tensor<7xui8>, tensor<3xf32>, tensor<3xf32>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FC00000, 0x7F800000, 0xFF800000, 100.0, -0.5]> : tensor<7xf32>
  %i = stablehlo.constant dense<[0, 100, 7]> : tensor<3xui8>
  %c = stablehlo.convert %x : (tensor<7xf32>) -> tensor<7xui8>
  %want_0 = stablehlo.constant dense<[1, 0, 0, 255, 0, 100, 0]> : tensor<7xui8>
  %back = stablehlo.convert %i : (tensor<3xui8>) -> tensor<3xf32>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, 7.0]> : tensor<3xf32>
  return %c, %want_0, %back, %want_1 : tensor<7xui8>, tensor<7xui8>, tensor<3xf32>, tensor<3xf32>
}

func.func @convert_f32_i16() -> (tensor<7xi16>, tensor<7xi16>, tensor<3xf32>, tensor<3xf32>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FC00000, 0x7F800000, 0xFF800000, 100.0, -0.5]> : tensor<7xf32>
  %i = stablehlo.constant dense<[0, 100, -7]> : tensor<3xi16>
  %c = stablehlo.convert %x : (tensor<7xf32>) -> tensor<7xi16>
  %want_0 = stablehlo.constant dense<[1, -1, 0, 32767, -32768, 100, 0]> : tensor<7xi16>
  %back = stablehlo.convert %i : (tensor<3xi16>) -> tensor<3xf32>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, -7.0]> : tensor<3xf32>
  return %c, %want_0, %back, %want_1 : tensor<7xi16>, tensor<7xi16>, tensor<3xf32>, tensor<3xf32>
}

func.func @convert_f32_ui16() -> (tensor<7xui16>, tensor<7xui16>, tensor<3xf32>, tensor<3xf32>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FC00000, 0x7F800000, 0xFF800000, 100.0, -0.5]> : tensor<7xf32>
  %i = stablehlo.constant dense<[0, 100, 7]> : tensor<3xui16>
  %c = stablehlo.convert %x : (tensor<7xf32>) -> tensor<7xui16>
  %want_0 = stablehlo.constant dense<[1, 0, 0, 65535, 0, 100, 0]> : tensor<7xui16>
  %back = stablehlo.convert %i : (tensor<3xui16>) -> tensor<3xf32>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, 7.0]> : tensor<3xf32>
  return %c, %want_0, %back, %want_1 : tensor<7xui16>, tensor<7xui16>, tensor<3xf32>, tensor<3xf32>
}

func.func @convert_f32_i32() -> (tensor<7xi32>, tensor<7xi32>, tensor<3xf32>, tensor<3xf32>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FC00000, 0x7F800000, 0xFF800000, 100.0, -0.5]> : tensor<7xf32>
  %i = stablehlo.constant dense<[0, 100, -7]> : tensor<3xi32>
  %c = stablehlo.convert %x : (tensor<7xf32>) -> tensor<7xi32>
  %want_0 = stablehlo.constant dense<[1, -1, 0, 2147483647, -2147483648, 100, 0]> : tensor<7xi32>
  %back = stablehlo.convert %i : (tensor<3xi32>) -> tensor<3xf32>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, -7.0]> : tensor<3xf32>
  return %c, %want_0, %back, %want_1 : tensor<7xi32>, tensor<7xi32>, tensor<3xf32>, tensor<3xf32>
}

func.func @convert_f32_ui32() -> (tensor<7xui32>, tensor<7xui32>, tensor<3xf32>, tensor<3xf32>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FC00000, 0x7F800000, 0xFF800000, 100.0, -0.5]> : tensor<7xf32>
  %i = stablehlo.constant dense<[0, 100, 7]> : tensor<3xui32>
  %c = stablehlo.convert %x : (tensor<7xf32>) -> tensor<7xui32>
  %want_0 = stablehlo.constant dense<[1, 0, 0, 4294967295, 0, 100, 0]> : tensor<7xui32>
  %back = stablehlo.convert %i : (tensor<3xui32>) -> tensor<3xf32>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, 7.0]> : tensor<3xf32>
  return %c, %want_0, %back, %want_1 : tensor<7xui32>, tensor<7xui32>, tensor<3xf32>, tensor<3xf32>
}

func.func @convert_f32_i64() -> (tensor<7xi64>, tensor<7xi64>, tensor<3xf32>, tensor<3xf32>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FC00000, 0x7F800000, 0xFF800000, 100.0, -0.5]> : tensor<7xf32>
  %i = stablehlo.constant dense<[0, 100, -7]> : tensor<3xi64>
  %c = stablehlo.convert %x : (tensor<7xf32>) -> tensor<7xi64>
  %want_0 = stablehlo.constant dense<[1, -1, 0, 9223372036854775807, -9223372036854775808, 100, 0]> : tensor<7xi64>
  %back = stablehlo.convert %i : (tensor<3xi64>) -> tensor<3xf32>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, -7.0]> : tensor<3xf32>
  return %c, %want_0, %back, %want_1 : tensor<7xi64>, tensor<7xi64>, tensor<3xf32>, tensor<3xf32>
}

func.func @convert_f32_ui64() -> (tensor<7xui64>, tensor<7xui64>, tensor<3xf32>, tensor<3xf32>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FC00000, 0x7F800000, 0xFF800000, 100.0, -0.5]> : tensor<7xf32>
  %i = stablehlo.constant dense<[0, 100, 7]> : tensor<3xui64>
  %c = stablehlo.convert %x : (tensor<7xf32>) -> tensor<7xui64>
  %want_0 = stablehlo.constant dense<[1, 0, 0, 18446744073709551615, 0, 100, 0]> : tensor<7xui64>
  %back = stablehlo.convert %i : (tensor<3xui64>) -> tensor<3xf32>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, 7.0]> : tensor<3xf32>
  return %c, %want_0, %back, %want_1 : tensor<7xui64>, tensor<7xui64>, tensor<3xf32>, tensor<3xf32>
}

func.func @convert_f32_i1() -> (tensor<5xi1>, tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) {
  %x = stablehlo.constant dense<[0.0, -0.0, 0.5, 0x7FC00000, 0xFF800000]> : tensor<5xf32>
  %c = stablehlo.convert %x : (tensor<5xf32>) -> tensor<5xi1>
  %want_0 = stablehlo.constant dense<[false, false, true, true, true]> : tensor<5xi1>
  %back = stablehlo.convert %c : (tensor<5xi1>) -> tensor<5xf32>
  %want_1 = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.0, 1.0]> : tensor<5xf32>
  return %c, %want_0, %back, %want_1 : tensor<5xi1>, tensor<5xi1>, tensor<5xf32>, tensor<5xf32>
}

func.func @special_f64() -> (tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>) {
  %a = stablehlo.constant dense<[0.0, 0.0, -0.0, -0.0, 1.0, 0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 2.0, 0x7FF8000000000000, 0x7FEFFFFFFFFFFFFF, 0x0000000000000001]> : tensor<13xf64>
  %b = stablehlo.constant dense<[0.0, -0.0, 0.0, -0.0, 0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 3.0, 1.0, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FEFFFFFFFFFFFFF, 0x8000000000000001]> : tensor<13xf64>
  %add = stablehlo.add %a, %b : tensor<13xf64>
  %want_0 = stablehlo.constant dense<[0.0, 0.0, 0.0, -0.0, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 0.0]> : tensor<13xf64>
  %subtract = stablehlo.subtract %a, %b : tensor<13xf64>
  %want_1 = stablehlo.constant dense<[0.0, 0.0, -0.0, 0.0, 0xFFF0000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0.0, 0x0000000000000002]> : tensor<13xf64>
  %multiply = stablehlo.multiply %a, %b : tensor<13xf64>
  %want_2 = stablehlo.constant dense<[0.0, -0.0, -0.0, 0.0, 0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF0000000000000, -0.0]> : tensor<13xf64>
  %divide = stablehlo.divide %a, %b : tensor<13xf64>
  %want_3 = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0.0, 0x7FF8000000000000, 0x7FF8000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 1.0, -1.0]> : tensor<13xf64>
  %maximum = stablehlo.maximum %a, %b : tensor<13xf64>
  %want_4 = stablehlo.constant dense<[0.0, 0.0, 0.0, -0.0, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 3.0, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FEFFFFFFFFFFFFF, 0x0000000000000001]> : tensor<13xf64>
  %minimum = stablehlo.minimum %a, %b : tensor<13xf64>
  %want_5 = stablehlo.constant dense<[0.0, -0.0, -0.0, -0.0, 1.0, 0x7FF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FEFFFFFFFFFFFFF, 0x8000000000000001]> : tensor<13xf64>
  %remainder = stablehlo.remainder %a, %b : tensor<13xf64>
  %want_6 = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 1.0, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0.0, 0.0]> : tensor<13xf64>
  return %add, %want_0, %subtract, %want_1, %multiply, %want_2, %divide, %want_3, %maximum, %want_4, %minimum, %want_5, %remainder, %want_6 : tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>, tensor<13xf64>
}

func.func @remainder_f64() -> (tensor<10xf64>, tensor<10xf64>) {
  %a = stablehlo.constant dense<[5.0, -5.0, 5.0, -5.0, 6.0, -6.0, 0.0, -0.0, 7.5, 1.0]> : tensor<10xf64>
  %b = stablehlo.constant dense<[3.0, 3.0, -3.0, -3.0, 3.0, 3.0, 3.0, 3.0, 2.0, 0x7FF0000000000000]> : tensor<10xf64>
  %remainder = stablehlo.remainder %a, %b : tensor<10xf64>
  %want_0 = stablehlo.constant dense<[2.0, -2.0, 2.0, -2.0, 0.0, -0.0, 0.0, -0.0, 1.5, 1.0]> : tensor<10xf64>
  return %remainder, %want_0 : tensor<10xf64>, tensor<10xf64>
}

func.func @unary_f64() -> (tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xi1>, tensor<16xi1>) {
  %a = stablehlo.constant dense<[0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.25, -0.25, 0.0, -0.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x0000000000000001, 0x8000000000000001, -3.75]> : tensor<16xf64>
  %abs = stablehlo.abs %a : tensor<16xf64>
  %want_0 = stablehlo.constant dense<[0.5, 1.5, 2.5, 0.5, 1.5, 2.5, 0.25, 0.25, 0.0, 0.0, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0x0000000000000001, 0x0000000000000001, 3.75]> : tensor<16xf64>
  %negate = stablehlo.negate %a : tensor<16xf64>
  %want_1 = stablehlo.constant dense<[-0.5, -1.5, -2.5, 0.5, 1.5, 2.5, -0.25, 0.25, -0.0, 0.0, 0xFFF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0x8000000000000001, 0x0000000000000001, 3.75]> : tensor<16xf64>
  %sign = stablehlo.sign %a : tensor<16xf64>
  %want_2 = stablehlo.constant dense<[1.0, 1.0, 1.0, -1.0, -1.0, -1.0, 1.0, -1.0, 0.0, -0.0, 1.0, -1.0, 0x7FF8000000000000, 1.0, -1.0, -1.0]> : tensor<16xf64>
  %floor = stablehlo.floor %a : tensor<16xf64>
  %want_3 = stablehlo.constant dense<[0.0, 1.0, 2.0, -1.0, -2.0, -3.0, 0.0, -1.0, 0.0, -0.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -1.0, -4.0]> : tensor<16xf64>
  %ceil = stablehlo.ceil %a : tensor<16xf64>
  %want_4 = stablehlo.constant dense<[1.0, 2.0, 3.0, -0.0, -1.0, -2.0, 1.0, -0.0, 0.0, -0.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 1.0, -0.0, -3.0]> : tensor<16xf64>
  %round_nearest_afz = stablehlo.round_nearest_afz %a : tensor<16xf64>
  %want_5 = stablehlo.constant dense<[1.0, 2.0, 3.0, -1.0, -2.0, -3.0, 0.0, -0.0, 0.0, -0.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, -4.0]> : tensor<16xf64>
  %round_nearest_even = stablehlo.round_nearest_even %a : tensor<16xf64>
  %want_6 = stablehlo.constant dense<[0.0, 2.0, 2.0, -0.0, -2.0, -2.0, 0.0, -0.0, 0.0, -0.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, -4.0]> : tensor<16xf64>
  %finite = stablehlo.is_finite %a : (tensor<16xf64>) -> tensor<16xi1>
  %want_7 = stablehlo.constant dense<[true, true, true, true, true, true, true, true, true, true, false, false, false, true, true, true]> : tensor<16xi1>
  return %abs, %want_0, %negate, %want_1, %sign, %want_2, %floor, %want_3, %ceil, %want_4, %round_nearest_afz, %want_5, %round_nearest_even, %want_6, %finite, %want_7 : tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xi1>, tensor<16xi1>
}

func.func @special_f64_unary() -> (tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>) {
  %a = stablehlo.constant dense<[4.0, 0.25, 0.0, -0.0, 0x7FF0000000000000, -1.0, 0x7FF8000000000000, 0xFFF0000000000000]> : tensor<8xf64>
  %sqrt = stablehlo.sqrt %a : tensor<8xf64>
  %want_0 = stablehlo.constant dense<[2.0, 0.5, 0.0, -0.0, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<8xf64>
  %rsqrt = stablehlo.rsqrt %a : tensor<8xf64>
  %want_1 = stablehlo.constant dense<[0.5, 2.0, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<8xf64>
  return %sqrt, %want_0, %rsqrt, %want_1 : tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>
}

func.func @limits_f64() -> (tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>) {
  %a = stablehlo.constant dense<[0.0, -0.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<5xf64>
  %exponential = stablehlo.exponential %a : tensor<5xf64>
  %want_0 = stablehlo.constant dense<[1.0, 1.0, 0x7FF0000000000000, 0.0, 0x7FF8000000000000]> : tensor<5xf64>
  %exponential_minus_one = stablehlo.exponential_minus_one %a : tensor<5xf64>
  %want_1 = stablehlo.constant dense<[0.0, -0.0, 0x7FF0000000000000, -1.0, 0x7FF8000000000000]> : tensor<5xf64>
  %log = stablehlo.log %a : tensor<5xf64>
  %want_2 = stablehlo.constant dense<[0xFFF0000000000000, 0xFFF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<5xf64>
  %log_plus_one = stablehlo.log_plus_one %a : tensor<5xf64>
  %want_3 = stablehlo.constant dense<[0.0, -0.0, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<5xf64>
  %logistic = stablehlo.logistic %a : tensor<5xf64>
  %want_4 = stablehlo.constant dense<[0.5, 0.5, 1.0, 0.0, 0x7FF8000000000000]> : tensor<5xf64>
  %tanh = stablehlo.tanh %a : tensor<5xf64>
  %want_5 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 0x7FF8000000000000]> : tensor<5xf64>
  %sine = stablehlo.sine %a : tensor<5xf64>
  %want_6 = stablehlo.constant dense<[0.0, -0.0, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<5xf64>
  %cosine = stablehlo.cosine %a : tensor<5xf64>
  %want_7 = stablehlo.constant dense<[1.0, 1.0, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<5xf64>
  %tan = stablehlo.tan %a : tensor<5xf64>
  %want_8 = stablehlo.constant dense<[0.0, -0.0, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<5xf64>
  %cbrt = stablehlo.cbrt %a : tensor<5xf64>
  %want_9 = stablehlo.constant dense<[0.0, -0.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<5xf64>
  return %exponential, %want_0, %exponential_minus_one, %want_1, %log, %want_2, %log_plus_one, %want_3, %logistic, %want_4, %tanh, %want_5, %sine, %want_6, %cosine, %want_7, %tan, %want_8, %cbrt, %want_9 : tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>
}

func.func @compare_f64() -> (tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>) {
  %a = stablehlo.constant dense<[0.0, -0.0, 1.0, 0x7FF8000000000000, 0x7FF8000000000000, 0xFFF0000000000000, 0x7FF0000000000000]> : tensor<7xf64>
  %b = stablehlo.constant dense<[-0.0, 0.0, 2.0, 0x7FF8000000000000, 1.0, 0x7FF0000000000000, 0x7FF0000000000000]> : tensor<7xf64>
  %EQ = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<7xf64>, tensor<7xf64>) -> tensor<7xi1>
  %want_0 = stablehlo.constant dense<[true, true, false, false, false, false, true]> : tensor<7xi1>
  %NE = stablehlo.compare NE, %a, %b, FLOAT : (tensor<7xf64>, tensor<7xf64>) -> tensor<7xi1>
  %want_1 = stablehlo.constant dense<[false, false, true, true, true, true, false]> : tensor<7xi1>
  %LT = stablehlo.compare LT, %a, %b, FLOAT : (tensor<7xf64>, tensor<7xf64>) -> tensor<7xi1>
  %want_2 = stablehlo.constant dense<[false, false, true, false, false, true, false]> : tensor<7xi1>
  %LE = stablehlo.compare LE, %a, %b, FLOAT : (tensor<7xf64>, tensor<7xf64>) -> tensor<7xi1>
  %want_3 = stablehlo.constant dense<[true, true, true, false, false, true, true]> : tensor<7xi1>
  %GT = stablehlo.compare GT, %a, %b, FLOAT : (tensor<7xf64>, tensor<7xf64>) -> tensor<7xi1>
  %want_4 = stablehlo.constant dense<[false, false, false, false, false, false, false]> : tensor<7xi1>
  %GE = stablehlo.compare GE, %a, %b, FLOAT : (tensor<7xf64>, tensor<7xf64>) -> tensor<7xi1>
  %want_5 = stablehlo.constant dense<[true, true, false, false, false, false, true]> : tensor<7xi1>
  %total_EQ = stablehlo.compare EQ, %a, %b, TOTALORDER : (tensor<7xf64>, tensor<7xf64>) -> tensor<7xi1>
  %want_6 = stablehlo.constant dense<[false, false, false, true, false, false, true]> : tensor<7xi1>
  %total_LT = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<7xf64>, tensor<7xf64>) -> tensor<7xi1>
  %want_7 = stablehlo.constant dense<[false, true, true, false, false, true, false]> : tensor<7xi1>
  %total_GE = stablehlo.compare GE, %a, %b, TOTALORDER : (tensor<7xf64>, tensor<7xf64>) -> tensor<7xi1>
  %want_8 = stablehlo.constant dense<[true, false, false, true, true, false, true]> : tensor<7xi1>
  return %EQ, %want_0, %NE, %want_1, %LT, %want_2, %LE, %want_3, %GT, %want_4, %GE, %want_5, %total_EQ, %want_6, %total_LT, %want_7, %total_GE, %want_8 : tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>
}

func.func @clamp_f64() -> (tensor<4xf64>, tensor<4xf64>) {
  %low = stablehlo.constant dense<-1.0> : tensor<f64>
  %high = stablehlo.constant dense<2.0> : tensor<f64>
  %x = stablehlo.constant dense<[0xFFF0000000000000, 0.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<4xf64>
  %c = stablehlo.clamp %low, %x, %high : (tensor<f64>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  %want_0 = stablehlo.constant dense<[-1.0, 0.5, 2.0, 0x7FF8000000000000]> : tensor<4xf64>
  return %c, %want_0 : tensor<4xf64>, tensor<4xf64>
}

func.func @reduce_precision_f64() -> (tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<f64>, tensor<f64>) {
  %x = stablehlo.constant dense<[1.0625, 1.1875, 1.375, 1.5, -1.125, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF0000000000000]> : tensor<8xf64>
  %nan = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %e5m2 = stablehlo.reduce_precision %x, format = e5m2 : tensor<8xf64>
  %want_0 = stablehlo.constant dense<[1.0, 1.25, 1.5, 1.5, -1.0, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF0000000000000]> : tensor<8xf64>
  %e3m1 = stablehlo.reduce_precision %x, format = e3m1 : tensor<8xf64>
  %want_1 = stablehlo.constant dense<[1.0, 1.0, 1.5, 1.5, -1.0, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF0000000000000]> : tensor<8xf64>
  %e2m0 = stablehlo.reduce_precision %nan, format = e2m0 : tensor<f64>
  %want_2 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  return %e5m2, %want_0, %e3m1, %want_1, %e2m0, %want_2 : tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<f64>, tensor<f64>
}

func.func @convert_f64_i8() -> (tensor<7xi8>, tensor<7xi8>, tensor<3xf64>, tensor<3xf64>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 100.0, -0.5]> : tensor<7xf64>
  %i = stablehlo.constant dense<[0, 100, -7]> : tensor<3xi8>
  %c = stablehlo.convert %x : (tensor<7xf64>) -> tensor<7xi8>
  %want_0 = stablehlo.constant dense<[1, -1, 0, 127, -128, 100, 0]> : tensor<7xi8>
  %back = stablehlo.convert %i : (tensor<3xi8>) -> tensor<3xf64>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, -7.0]> : tensor<3xf64>
  return %c, %want_0, %back, %want_1 : tensor<7xi8>, tensor<7xi8>, tensor<3xf64>, tensor<3xf64>
}

func.func @convert_f64_ui8() -> (tensor<7xui8>, tensor<7xui8>, tensor<3xf64>, tensor<3xf64>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 100.0, -0.5]> : tensor<7xf64>
  %i = stablehlo.constant dense<[0, 100, 7]> : tensor<3xui8>
  %c = stablehlo.convert %x : (tensor<7xf64>) -> tensor<7xui8>
  %want_0 = stablehlo.constant dense<[1, 0, 0, 255, 0, 100, 0]> : tensor<7xui8>
  %back = stablehlo.convert %i : (tensor<3xui8>) -> tensor<3xf64>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, 7.0]> : tensor<3xf64>
  return %c, %want_0, %back, %want_1 : tensor<7xui8>, tensor<7xui8>, tensor<3xf64>, tensor<3xf64>
}

func.func @convert_f64_i16() -> (tensor<7xi16>, tensor<7xi16>, tensor<3xf64>, tensor<3xf64>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 100.0, -0.5]> : tensor<7xf64>
  %i = stablehlo.constant dense<[0, 100, -7]> : tensor<3xi16>
  %c = stablehlo.convert %x : (tensor<7xf64>) -> tensor<7xi16>
  %want_0 = stablehlo.constant dense<[1, -1, 0, 32767, -32768, 100, 0]> : tensor<7xi16>
  %back = stablehlo.convert %i : (tensor<3xi16>) -> tensor<3xf64>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, -7.0]> : tensor<3xf64>
  return %c, %want_0, %back, %want_1 : tensor<7xi16>, tensor<7xi16>, tensor<3xf64>, tensor<3xf64>
}

func.func @convert_f64_ui16() -> (tensor<7xui16>, tensor<7xui16>, tensor<3xf64>, tensor<3xf64>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 100.0, -0.5]> : tensor<7xf64>
  %i = stablehlo.constant dense<[0, 100, 7]> : tensor<3xui16>
  %c = stablehlo.convert %x : (tensor<7xf64>) -> tensor<7xui16>
  %want_0 = stablehlo.constant dense<[1, 0, 0, 65535, 0, 100, 0]> : tensor<7xui16>
  %back = stablehlo.convert %i : (tensor<3xui16>) -> tensor<3xf64>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, 7.0]> : tensor<3xf64>
  return %c, %want_0, %back, %want_1 : tensor<7xui16>, tensor<7xui16>, tensor<3xf64>, tensor<3xf64>
}

func.func @convert_f64_i32() -> (tensor<7xi32>, tensor<7xi32>, tensor<3xf64>, tensor<3xf64>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 100.0, -0.5]> : tensor<7xf64>
  %i = stablehlo.constant dense<[0, 100, -7]> : tensor<3xi32>
  %c = stablehlo.convert %x : (tensor<7xf64>) -> tensor<7xi32>
  %want_0 = stablehlo.constant dense<[1, -1, 0, 2147483647, -2147483648, 100, 0]> : tensor<7xi32>
  %back = stablehlo.convert %i : (tensor<3xi32>) -> tensor<3xf64>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, -7.0]> : tensor<3xf64>
  return %c, %want_0, %back, %want_1 : tensor<7xi32>, tensor<7xi32>, tensor<3xf64>, tensor<3xf64>
}

func.func @convert_f64_ui32() -> (tensor<7xui32>, tensor<7xui32>, tensor<3xf64>, tensor<3xf64>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 100.0, -0.5]> : tensor<7xf64>
  %i = stablehlo.constant dense<[0, 100, 7]> : tensor<3xui32>
  %c = stablehlo.convert %x : (tensor<7xf64>) -> tensor<7xui32>
  %want_0 = stablehlo.constant dense<[1, 0, 0, 4294967295, 0, 100, 0]> : tensor<7xui32>
  %back = stablehlo.convert %i : (tensor<3xui32>) -> tensor<3xf64>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, 7.0]> : tensor<3xf64>
  return %c, %want_0, %back, %want_1 : tensor<7xui32>, tensor<7xui32>, tensor<3xf64>, tensor<3xf64>
}

func.func @convert_f64_i64() -> (tensor<7xi64>, tensor<7xi64>, tensor<3xf64>, tensor<3xf64>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 100.0, -0.5]> : tensor<7xf64>
  %i = stablehlo.constant dense<[0, 100, -7]> : tensor<3xi64>
  %c = stablehlo.convert %x : (tensor<7xf64>) -> tensor<7xi64>
  %want_0 = stablehlo.constant dense<[1, -1, 0, 9223372036854775807, -9223372036854775808, 100, 0]> : tensor<7xi64>
  %back = stablehlo.convert %i : (tensor<3xi64>) -> tensor<3xf64>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, -7.0]> : tensor<3xf64>
  return %c, %want_0, %back, %want_1 : tensor<7xi64>, tensor<7xi64>, tensor<3xf64>, tensor<3xf64>
}

func.func @convert_f64_ui64() -> (tensor<7xui64>, tensor<7xui64>, tensor<3xf64>, tensor<3xf64>) {
  %x = stablehlo.constant dense<[1.75, -1.75, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 100.0, -0.5]> : tensor<7xf64>
  %i = stablehlo.constant dense<[0, 100, 7]> : tensor<3xui64>
  %c = stablehlo.convert %x : (tensor<7xf64>) -> tensor<7xui64>
  %want_0 = stablehlo.constant dense<[1, 0, 0, 18446744073709551615, 0, 100, 0]> : tensor<7xui64>
  %back = stablehlo.convert %i : (tensor<3xui64>) -> tensor<3xf64>
  %want_1 = stablehlo.constant dense<[0.0, 100.0, 7.0]> : tensor<3xf64>
  return %c, %want_0, %back, %want_1 : tensor<7xui64>, tensor<7xui64>, tensor<3xf64>, tensor<3xf64>
}

func.func @convert_f64_i1() -> (tensor<5xi1>, tensor<5xi1>, tensor<5xf64>, tensor<5xf64>) {
  %x = stablehlo.constant dense<[0.0, -0.0, 0.5, 0x7FF8000000000000, 0xFFF0000000000000]> : tensor<5xf64>
  %c = stablehlo.convert %x : (tensor<5xf64>) -> tensor<5xi1>
  %want_0 = stablehlo.constant dense<[false, false, true, true, true]> : tensor<5xi1>
  %back = stablehlo.convert %c : (tensor<5xi1>) -> tensor<5xf64>
  %want_1 = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.0, 1.0]> : tensor<5xf64>
  return %c, %want_0, %back, %want_1 : tensor<5xi1>, tensor<5xi1>, tensor<5xf64>, tensor<5xf64>
}

// 2^24 + 1 is a tie of f32 and goes to even; 2^62 + 2^38 + 1 is just above a tie, which a rounding through f64 would lose.
func.func @convert_rounds_once() -> (tensor<3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4xf16>, tensor<4xf16>, tensor<3xbf16>, tensor<3xbf16>) {
  %i = stablehlo.constant dense<[16777217, 4611686293305294849, -4611686293305294849]> : tensor<3xi64>
  %0 = stablehlo.convert %i : (tensor<3xi64>) -> tensor<3xf32>
  %want_0 = stablehlo.constant dense<[16777216.0, 0x5E800001, 0xDE800001]> : tensor<3xf32>
  %u = stablehlo.constant dense<[18446744073709551615, 9223373136366403585]> : tensor<2xui64>
  %1 = stablehlo.convert %u : (tensor<2xui64>) -> tensor<2xf32>
  %want_1 = stablehlo.constant dense<[0x5F800000, 0x5F000001]> : tensor<2xf32>
  %x = stablehlo.constant dense<[2049.0, 2051.0, 65520.0, 65519.0]> : tensor<4xf32>
  %2 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xf16>
  %want_2 = stablehlo.constant dense<[2048.0, 2052.0, 0x7C00, 65504.0]> : tensor<4xf16>
  %y = stablehlo.constant dense<[1.00390625, 1.01171875, 3.4028234e38]> : tensor<3xf32>
  %3 = stablehlo.convert %y : (tensor<3xf32>) -> tensor<3xbf16>
  %want_3 = stablehlo.constant dense<[1.0, 1.015625, 0x7F80]> : tensor<3xbf16>
  return %0, %want_0, %1, %want_1, %2, %want_2, %3, %want_3 : tensor<3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4xf16>, tensor<4xf16>, tensor<3xbf16>, tensor<3xbf16>
}

// Among integers conversion wraps around.
func.func @convert_integers() -> (tensor<4xi8>, tensor<4xi8>, tensor<4xui8>, tensor<4xui8>, tensor<4xi1>, tensor<4xi1>, tensor<2xi32>, tensor<2xi32>, tensor<2xui32>, tensor<2xui32>) {
  %x = stablehlo.constant dense<[300, -129, 127, 0]> : tensor<4xi32>
  %0 = stablehlo.convert %x : (tensor<4xi32>) -> tensor<4xi8>
  %want_0 = stablehlo.constant dense<[44, 127, 127, 0]> : tensor<4xi8>
  %1 = stablehlo.convert %x : (tensor<4xi32>) -> tensor<4xui8>
  %want_1 = stablehlo.constant dense<[44, 127, 127, 0]> : tensor<4xui8>
  %2 = stablehlo.convert %x : (tensor<4xi32>) -> tensor<4xi1>
  %want_2 = stablehlo.constant dense<[true, true, true, false]> : tensor<4xi1>
  %p = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %3 = stablehlo.convert %p : (tensor<2xi1>) -> tensor<2xi32>
  %want_3 = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %s = stablehlo.constant dense<[-1, 5]> : tensor<2xi8>
  %4 = stablehlo.convert %s : (tensor<2xi8>) -> tensor<2xui32>
  %want_4 = stablehlo.constant dense<[4294967295, 5]> : tensor<2xui32>
  return %0, %want_0, %1, %want_1, %2, %want_2, %3, %want_3, %4, %want_4 : tensor<4xi8>, tensor<4xi8>, tensor<4xui8>, tensor<4xui8>, tensor<4xi1>, tensor<4xi1>, tensor<2xi32>, tensor<2xi32>, tensor<2xui32>, tensor<2xui32>
}

// The last dimension counts parts from the low bits up.
func.func @bitcast() -> (tensor<2xi32>, tensor<2xi32>, tensor<1x2xi16>, tensor<1x2xi16>, tensor<1xf32>, tensor<1xf32>) {
  %x = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %0 = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<2xi32>
  %want_0 = stablehlo.constant dense<[1065353216, -1073741824]> : tensor<2xi32>
  %y = stablehlo.constant dense<[65539]> : tensor<1xi32>
  %1 = stablehlo.bitcast_convert %y : (tensor<1xi32>) -> tensor<1x2xi16>
  %want_1 = stablehlo.constant dense<[[3, 1]]> : tensor<1x2xi16>
  %z = stablehlo.constant dense<[[0, 16256]]> : tensor<1x2xi16>
  %2 = stablehlo.bitcast_convert %z : (tensor<1x2xi16>) -> tensor<1xf32>
  %want_2 = stablehlo.constant dense<[1.0]> : tensor<1xf32>
  return %0, %want_0, %1, %want_1, %2, %want_2 : tensor<2xi32>, tensor<2xi32>, tensor<1x2xi16>, tensor<1x2xi16>, tensor<1xf32>, tensor<1xf32>
}

func.func @select() -> (tensor<4xi16>, tensor<4xi16>, tensor<4xi16>, tensor<4xi16>) {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi16>
  %b = stablehlo.constant dense<[-1, -2, -3, -4]> : tensor<4xi16>
  %p = stablehlo.constant dense<[true, false, false, true]> : tensor<4xi1>
  %q = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.select %p, %a, %b : tensor<4xi1>, tensor<4xi16>
  %want_0 = stablehlo.constant dense<[1, -2, -3, 4]> : tensor<4xi16>
  %1 = stablehlo.select %q, %a, %b : tensor<i1>, tensor<4xi16>
  return %0, %want_0, %1, %b : tensor<4xi16>, tensor<4xi16>, tensor<4xi16>, tensor<4xi16>
}

// f64 atan2(y, x) at the axes, and power where the result is exact.
func.func @atan2_and_power() -> (tensor<6xf64>, tensor<6xf64>, tensor<8xf64>, tensor<8xf64>) {
  %y = stablehlo.constant dense<[0.0, -0.0, 0.0, -0.0, 0.0, 0x7FF8000000000000]> : tensor<6xf64>
  %x = stablehlo.constant dense<[1.0, 1.0, 0.0, 0.0, 0x7FF0000000000000, 1.0]> : tensor<6xf64>
  %0 = stablehlo.atan2 %y, %x : tensor<6xf64>
  %want_0 = stablehlo.constant dense<[0.0, -0.0, 0.0, -0.0, 0.0, 0x7FF8000000000000]> : tensor<6xf64>
  %b = stablehlo.constant dense<[2.0, -2.0, -2.0, 0.0, -0.0, 4.0, 2.0, 0x7FF8000000000000]> : tensor<8xf64>
  %e = stablehlo.constant dense<[10.0, 3.0, 0.5, -1.0, -3.0, -0.5, -2.0, 0.0]> : tensor<8xf64>
  %1 = stablehlo.power %b, %e : tensor<8xf64>
  %want_1 = stablehlo.constant dense<[1024.0, -8.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.5, 0.25, 1.0]> : tensor<8xf64>
  return %0, %want_0, %1, %want_1 : tensor<6xf64>, tensor<6xf64>, tensor<8xf64>, tensor<8xf64>
}
