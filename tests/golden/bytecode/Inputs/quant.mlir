module attributes {
  q.any = !quant.any<i8<-8:7>:f32>,
  q.bits = !quant.any<u4>,
  q.calibrated = !quant.calibrated<f32<-0.998:1.232100e+00>>,
  q.axis = !quant.uniform<u8:f16:1, {2.000000e+02:-120,9.987200e-01:127,5.000000e-01}>
} {
  func.func private @f(tensor<2x!quant.uniform<i8<-8:7>:f32, 9.987200e-01:127>>) -> !quant.uniform<i32:f32, 2.500000e-01>
}
