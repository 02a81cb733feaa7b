func.func @f(%m: memref<8x8xf32>, %i: index, %x: f32, %n: i32, %v: vector<4x8xf32>, %t: tensor<8x8xf32>) -> vector<8x4xf32> {
  %a = memref.alloc(%i) {alignment = 64 : i64} : memref<?xf32>
  %b = memref.alloc() : memref<4xf32>
  %s = memref.subview %m[0, %i] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: ?>>
  %r = vector.transfer_read %m[%i, %i], %x {in_bounds = [true]} : memref<8x8xf32>, vector<8xf32>
  vector.transfer_write %r, %m[%i, %i] : vector<8xf32>, memref<8x8xf32>
  %p = math.fpowi %x, %n : f32, i32
  %q = math.sinh %x fastmath<nnan> : f32
  %u = vector.reduction <add>, %r : vector<8xf32> into f32
  %k = scf.index_switch %i -> i32
  case 2 {
    scf.yield %n : i32
  }
  default {
    scf.yield %n : i32
  }
  %e = tensor.extract_slice %t[%i, 0] [2, 8] [1, 1] : tensor<8x8xf32> to tensor<2x8xf32>
  scf.forall (%j) in (%i) {
    memref.store %x, %b[%j] : memref<4xf32>
  }
  %g = gpu.subgroup_size : index
  %w = vector.transpose %v, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  return %w : vector<8x4xf32>
}
