// RUN: echo-opt --split-input-file --verify-diagnostics %s
// Every message of the nn dialect's table.

func.func @f(%x: tensor<f32>, %w: tensor<4x5xf32>) -> tensor<f32> {
  // expected-error@+1 {{'nn.linear' op expects an input of rank 1 or more and a matrix}}
  %0 = "nn.linear"(%x, %w) : (tensor<f32>, tensor<4x5xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @f(%x: tensor<2x3xf32>, %w: tensor<4x5xf32>) -> tensor<2x5xf32> {
  // expected-error@+1 {{'nn.linear' op expects weight rows = input features}}
  %0 = "nn.linear"(%x, %w) : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// -----

func.func @f(%x: tensor<2x4xf32>, %w: tensor<4x5xf32>, %b: tensor<4xf32>) -> tensor<2x5xf32> {
  // expected-error@+1 {{'nn.linear' op expects bias = weight columns}}
  %0 = "nn.linear"(%x, %w, %b) : (tensor<2x4xf32>, tensor<4x5xf32>, tensor<4xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// -----

func.func @f(%x: tensor<2x4xf32>, %w: tensor<4x5xf64>) -> tensor<2x5xf32> {
  // expected-error@+1 {{'nn.linear' op expects floats of one type}}
  %0 = "nn.linear"(%x, %w) : (tensor<2x4xf32>, tensor<4x5xf64>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// -----

func.func @f(%x: tensor<?x4xf32>, %w: tensor<4x5xf32>) -> tensor<?x5xf32> {
  // expected-error@+1 {{'nn.linear' op expects tensors of static shape}}
  %0 = "nn.linear"(%x, %w) : (tensor<?x4xf32>, tensor<4x5xf32>) -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

// -----

func.func @f(%x: tensor<2x4xf32>, %w: tensor<4x5xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'nn.linear' op inferred type(s) 'tensor<2x5xf32>' are incompatible with return type(s) of operation 'tensor<2x4xf32>'}}
  %0 = "nn.linear"(%x, %w) : (tensor<2x4xf32>, tensor<4x5xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @f(%x: tensor<*xf32>, %w: tensor<4x5xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'nn.linear' op operand #0 must be tensor<float>, but got 'tensor<*xf32>'}}
  %0 = "nn.linear"(%x, %w) : (tensor<*xf32>, tensor<4x5xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @f(%t: tensor<6xf32>, %i: tensor<4xi32>) -> tensor<4xf32> {
  // expected-error@+1 {{'nn.embedding' op expects a table of rank 2}}
  %0 = "nn.embedding"(%t, %i) : (tensor<6xf32>, tensor<4xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<2x2xf32>, %h: tensor<2x3xf32>, %wi: tensor<2x12xf32>, %wh: tensor<3x12xf32>, %b: tensor<12xf32>) {
  // expected-error@+1 {{'nn.lstm' op has an operand of the wrong rank}}
  %0:3 = "nn.lstm"(%x, %h, %h, %wi, %wh, %b) : (tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x12xf32>, tensor<3x12xf32>, tensor<12xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>)
  return
}

// -----

func.func @f(%x: tensor<0x2x2xf32>, %h: tensor<2x3xf32>, %wi: tensor<2x12xf32>, %wh: tensor<3x12xf32>, %b: tensor<12xf32>) {
  // expected-error@+1 {{'nn.lstm' op expects one time step or more}}
  %0:3 = "nn.lstm"(%x, %h, %h, %wi, %wh, %b) : (tensor<0x2x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x12xf32>, tensor<3x12xf32>, tensor<12xf32>) -> (tensor<0x2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>)
  return
}

// -----

func.func @f(%x: tensor<4x2x2xf32>, %h: tensor<3x3xf32>, %wi: tensor<2x12xf32>, %wh: tensor<3x12xf32>, %b: tensor<12xf32>) {
  // expected-error@+1 {{'nn.lstm' op expects a state for each row of the batch}}
  %0:3 = "nn.lstm"(%x, %h, %h, %wi, %wh, %b) : (tensor<4x2x2xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<2x12xf32>, tensor<3x12xf32>, tensor<12xf32>) -> (tensor<4x2x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>)
  return
}

// -----

func.func @f(%x: tensor<4x2x2xf32>, %h: tensor<2x3xf32>, %c: tensor<2x4xf32>, %wi: tensor<2x12xf32>, %wh: tensor<3x12xf32>, %b: tensor<12xf32>) {
  // expected-error@+1 {{'nn.lstm' op expects h and c of one shape}}
  %0:3 = "nn.lstm"(%x, %h, %c, %wi, %wh, %b) : (tensor<4x2x2xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x12xf32>, tensor<3x12xf32>, tensor<12xf32>) -> (tensor<4x2x3xf32>, tensor<2x3xf32>, tensor<2x4xf32>)
  return
}

// -----

func.func @f(%x: tensor<4x2x2xf32>, %h: tensor<2x3xf32>, %wi: tensor<2x9xf32>, %wh: tensor<3x12xf32>, %b: tensor<12xf32>) {
  // expected-error@+1 {{'nn.lstm' op expects weight_input [inputs, 4 hidden]}}
  %0:3 = "nn.lstm"(%x, %h, %h, %wi, %wh, %b) : (tensor<4x2x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x9xf32>, tensor<3x12xf32>, tensor<12xf32>) -> (tensor<4x2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>)
  return
}

// -----

func.func @f(%x: tensor<4x2x2xf32>, %h: tensor<2x3xf32>, %wi: tensor<2x12xf32>, %wh: tensor<4x12xf32>, %b: tensor<12xf32>) {
  // expected-error@+1 {{'nn.lstm' op expects weight_hidden [hidden, 4 hidden]}}
  %0:3 = "nn.lstm"(%x, %h, %h, %wi, %wh, %b) : (tensor<4x2x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x12xf32>, tensor<4x12xf32>, tensor<12xf32>) -> (tensor<4x2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>)
  return
}

// -----

func.func @f(%x: tensor<4x2x2xf32>, %h: tensor<2x3xf32>, %wi: tensor<2x12xf32>, %wh: tensor<3x12xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{'nn.lstm' op expects bias [4 hidden]}}
  %0:3 = "nn.lstm"(%x, %h, %h, %wi, %wh, %b) : (tensor<4x2x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x12xf32>, tensor<3x12xf32>, tensor<3xf32>) -> (tensor<4x2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>)
  return
}

// -----

func.func @f(%x: tensor<4x2x2xf32>, %h: tensor<2x3xf32>, %wi: tensor<2x12xf32>, %wh: tensor<3x9xf32>, %b: tensor<9xf32>) {
  // expected-error@+1 {{'nn.gru' op expects weight_input [inputs, 3 hidden]}}
  %0:2 = "nn.gru"(%x, %h, %wi, %wh, %b, %b) : (tensor<4x2x2xf32>, tensor<2x3xf32>, tensor<2x12xf32>, tensor<3x9xf32>, tensor<9xf32>, tensor<9xf32>) -> (tensor<4x2x3xf32>, tensor<2x3xf32>)
  return
}

// -----

func.func @f(%x: tensor<4x2x2xf32>, %h: tensor<2x3xf32>, %wi: tensor<2x9xf32>, %wh: tensor<3x12xf32>, %b: tensor<9xf32>) {
  // expected-error@+1 {{'nn.gru' op expects weight_hidden [hidden, 3 hidden]}}
  %0:2 = "nn.gru"(%x, %h, %wi, %wh, %b, %b) : (tensor<4x2x2xf32>, tensor<2x3xf32>, tensor<2x9xf32>, tensor<3x12xf32>, tensor<9xf32>, tensor<9xf32>) -> (tensor<4x2x3xf32>, tensor<2x3xf32>)
  return
}

// -----

func.func @f(%x: tensor<4x2x2xf32>, %h: tensor<2x3xf32>, %wi: tensor<2x9xf32>, %wh: tensor<3x9xf32>, %b: tensor<9xf32>, %c: tensor<8xf32>) {
  // expected-error@+1 {{'nn.gru' op expects biases [3 hidden]}}
  %0:2 = "nn.gru"(%x, %h, %wi, %wh, %b, %c) : (tensor<4x2x2xf32>, tensor<2x3xf32>, tensor<2x9xf32>, tensor<3x9xf32>, tensor<9xf32>, tensor<8xf32>) -> (tensor<4x2x3xf32>, tensor<2x3xf32>)
  return
}

// -----

func.func @f(%q: tensor<2x3xf32>, %k: tensor<2x4x5xf32>, %m: tensor<2x4x5xf32>, %v: tensor<3xf32>) {
  // expected-error@+1 {{'nn.attention_mlp' op expects keys [batch, time, query features]}}
  %0:2 = "nn.attention_mlp"(%q, %k, %m, %v) : (tensor<2x3xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<3xf32>) -> (tensor<2x5xf32>, tensor<2x4xf32>)
  return
}

// -----

func.func @f(%q: tensor<2x3xf32>, %k: tensor<2x4x3xf32>, %m: tensor<2x6x5xf32>, %v: tensor<3xf32>) {
  // expected-error@+1 {{'nn.attention_mlp' op expects memory [batch, time, features]}}
  %0:2 = "nn.attention_mlp"(%q, %k, %m, %v) : (tensor<2x3xf32>, tensor<2x4x3xf32>, tensor<2x6x5xf32>, tensor<3xf32>) -> (tensor<2x5xf32>, tensor<2x4xf32>)
  return
}

// -----

func.func @f(%q: tensor<2x3xf32>, %k: tensor<2x4x3xf32>, %m: tensor<2x4x5xf32>, %v: tensor<5xf32>) {
  // expected-error@+1 {{'nn.attention_mlp' op expects score [query features]}}
  %0:2 = "nn.attention_mlp"(%q, %k, %m, %v) : (tensor<2x3xf32>, tensor<2x4x3xf32>, tensor<2x4x5xf32>, tensor<5xf32>) -> (tensor<2x5xf32>, tensor<2x4xf32>)
  return
}

// -----

func.func @f(%q: tensor<2x3xf32>, %k: tensor<2x4x3xf32>, %m: tensor<2x4x5xf32>, %v: tensor<3xf32>, %p: tensor<4xi1>) {
  // expected-error@+1 {{'nn.attention_mlp' op expects mask [batch, time]}}
  %0:2 = "nn.attention_mlp"(%q, %k, %m, %v, %p) : (tensor<2x3xf32>, tensor<2x4x3xf32>, tensor<2x4x5xf32>, tensor<3xf32>, tensor<4xi1>) -> (tensor<2x5xf32>, tensor<2x4xf32>)
  return
}

// -----

func.func @f(%q: tensor<1x2x3x4xf32>, %k: tensor<1x3x5x4xf32>) {
  // expected-error@+1 {{'nn.attention_dot' op expects query and key of the same batch and heads}}
  %0 = "nn.attention_dot"(%q, %k, %k) : (tensor<1x2x3x4xf32>, tensor<1x3x5x4xf32>, tensor<1x3x5x4xf32>) -> tensor<1x2x3x4xf32>
  return
}

// -----

func.func @f(%q: tensor<1x2x3x4xf32>, %k: tensor<1x2x5x6xf32>) {
  // expected-error@+1 {{'nn.attention_dot' op expects query and key of the same head size}}
  %0 = "nn.attention_dot"(%q, %k, %k) : (tensor<1x2x3x4xf32>, tensor<1x2x5x6xf32>, tensor<1x2x5x6xf32>) -> tensor<1x2x3x6xf32>
  return
}

// -----

func.func @f(%q: tensor<1x2x3x4xf32>, %k: tensor<1x2x5x4xf32>) {
  // expected-error@+1 {{'nn.attention_dot' op expects a value for each key}}
  %0 = "nn.attention_dot"(%q, %k, %q) : (tensor<1x2x3x4xf32>, tensor<1x2x5x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return
}

// -----

func.func @f(%q: tensor<1x2x3x4xf32>, %k: tensor<1x2x5x4xf32>, %m: tensor<1x1x5x3xi1>) {
  // expected-error@+1 {{'nn.attention_dot' op expects mask [batch, 1 or heads, queries, keys]}}
  %0 = "nn.attention_dot"(%q, %k, %k, %m) : (tensor<1x2x3x4xf32>, tensor<1x2x5x4xf32>, tensor<1x2x5x4xf32>, tensor<1x1x5x3xi1>) -> tensor<1x2x3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<f32>, %s: tensor<4xf32>) {
  // expected-error@+1 {{'nn.layer_norm' op expects an input of rank 1 or more}}
  %0 = "nn.layer_norm"(%x, %s, %s) <{epsilon = 1.0e-1 : f64}> : (tensor<f32>, tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %s: tensor<4xf32>) {
  // expected-error@+1 {{'nn.layer_norm' op expects scale and bias of the last dimension's size}}
  %0 = "nn.layer_norm"(%x, %s, %s) <{epsilon = 1.0e-1 : f64}> : (tensor<2x3xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error@+1 {{'nn.batch_norm' op expects feature_index below the rank}}
  %0:3 = "nn.batch_norm"(%x, %s, %s, %s, %s) <{feature_index = 2 : i64, epsilon = 1.0e-1 : f64, momentum = 0.9 : f64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error@+1 {{'nn.batch_norm' op expects vectors of the feature dimension's size}}
  %0:3 = "nn.batch_norm"(%x, %s, %s, %s, %s) <{feature_index = 0 : i64, epsilon = 1.0e-1 : f64, momentum = 0.9 : f64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @f(%x: tensor<2xf32>, %k: tensor<ui64>) {
  // expected-error@+1 {{'nn.dropout' op expects 0 <= rate < 1, got 1}}
  %0 = "nn.dropout"(%x, %k, %k) <{rate = 1.0 : f64}> : (tensor<2xf32>, tensor<ui64>, tensor<ui64>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>, %k: tensor<2xui64>) {
  // expected-error@+1 {{'nn.dropout' op expects a scalar key and counter}}
  %0 = "nn.dropout"(%x, %k, %k) <{rate = 0.5 : f64}> : (tensor<2xf32>, tensor<2xui64>, tensor<2xui64>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{'nn.softmax' op expects an input of rank 1 or more}}
  %0 = "nn.softmax"(%x) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %l: tensor<2x3xi32>) {
  // expected-error@+1 {{'nn.softmax_cross_entropy' op expects a label for each row}}
  %0 = "nn.softmax_cross_entropy"(%x, %l) : (tensor<2x3xf32>, tensor<2x3xi32>) -> tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %l: tensor<2xi32>, %m: tensor<2x1xf32>) {
  // expected-error@+1 {{'nn.softmax_cross_entropy' op expects a label and a weight for each row}}
  %0 = "nn.softmax_cross_entropy"(%x, %l, %m) : (tensor<2x3xf32>, tensor<2xi32>, tensor<2x1xf32>) -> tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>, %g: tensor<3xf32>, %r: tensor<f32>) {
  // expected-error@+1 {{'nn.sgd' op expects parameter and gradient of one type}}
  %0 = "nn.sgd"(%x, %g, %r) : (tensor<2xf32>, tensor<3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{'nn.sgd' op expects a scalar learning rate}}
  %0 = "nn.sgd"(%x, %x, %x) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>, %r: tensor<f32>) {
  // expected-error@+1 {{'nn.sgd' op expects a velocity of the parameter's type}}
  %0:2 = "nn.sgd"(%x, %x, %r, %r) : (tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%x: tensor<2xf32>, %t: tensor<i32>, %r: tensor<f32>) {
  // expected-error@+1 {{'nn.adam' op expects gradient and moments of the parameter's type}}
  %0:3 = "nn.adam"(%x, %r, %x, %x, %t, %r) <{beta1 = 0.9 : f64, beta2 = 0.99 : f64, epsilon = 1.0e-8 : f64}> : (tensor<2xf32>, tensor<f32>, tensor<2xf32>, tensor<2xf32>, tensor<i32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%x: tensor<2xf32>, %t: tensor<i32>) {
  // expected-error@+1 {{'nn.adam' op expects a scalar step and learning rate}}
  %0:3 = "nn.adam"(%x, %x, %x, %x, %t, %x) <{beta1 = 0.9 : f64, beta2 = 0.99 : f64, epsilon = 1.0e-8 : f64}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{'nn.gradient' op expects a scalar float loss first}}
  %0 = "nn.gradient"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<f32>, %y: tensor<2xf8E5M2>) {
  // expected-error@+1 {{'nn.gradient' op differentiates by f64, f32, f16 and bf16 only}}
  %0 = "nn.gradient"(%x, %y) : (tensor<f32>, tensor<2xf8E5M2>) -> tensor<2xf8E5M2>
  return
}

// -----

func.func @f(%x: tensor<f32>, %i: tensor<2xi32>) {
  // expected-error@+2 {{'nn.gradient' op operand #1 must be variadic of tensor<float>, but got 'tensor<2xi32>'}}
  // expected-error@+1 {{'nn.gradient' op result #0 must be variadic of tensor<float>, but got 'tensor<2xi32>'}}
  %0 = "nn.gradient"(%x, %i) : (tensor<f32>, tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @f(%x: tensor<0x2x4xf32>, %l: tensor<2x3xi32>, %n: tensor<2xi32>) {
  // expected-error@+1 {{'nn.ctc_loss' op expects log_probs [time, batch, classes] of one time step or more}}
  %0 = "nn.ctc_loss"(%x, %l, %n, %n) : (tensor<0x2x4xf32>, tensor<2x3xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<5x2x4xf32>, %l: tensor<3x3xi32>, %n: tensor<2xi32>) {
  // expected-error@+1 {{'nn.ctc_loss' op expects labels for each row of the batch}}
  %0 = "nn.ctc_loss"(%x, %l, %n, %n) : (tensor<5x2x4xf32>, tensor<3x3xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<5x2x4xf32>, %l: tensor<2x3xi32>, %n: tensor<3xi32>) {
  // expected-error@+1 {{'nn.ctc_loss' op expects a count for each row of the batch}}
  %0 = "nn.ctc_loss"(%x, %l, %n, %n) : (tensor<5x2x4xf32>, tensor<2x3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<5x2x4xf32>, %l: tensor<2x3xi32>, %n: tensor<2xi32>) {
  // expected-error@+1 {{'nn.ctc_loss' op expects a blank that is a class}}
  %0 = "nn.ctc_loss"(%x, %l, %n, %n) <{blank = 4 : i64}> : (tensor<5x2x4xf32>, tensor<2x3xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xf32>
  return
}
