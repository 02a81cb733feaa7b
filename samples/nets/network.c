/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/nets/network.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "dialects/nn/build.h"
#include "dialects/stablehlo/build.h"

const EchoType *net_tensor(const Network *net, const int64_t *dims, size_t rank)
{
  return echo_hlo_tensor(net->f.ctx, dims, rank, echo_type_f32(net->f.ctx));
}

void net_layer(Network *net, const char *format, ...)
{
  char name[40];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(name, sizeof name, format, arguments);
  va_end(arguments);
  sample_function_enter_layer(&net->f, name, -1);
}

/* ---- what training carries ---- */

static EchoValue *carry(Network *net, const char *name, const EchoType *type, const char *role,
                        double range, double center)
{
  int64_t index = (int64_t)sample_parameter_add(&net->model->carried, name, type, range, center);
  NetCarried carried = {.is_trained = echo_str_is(echo_str(role), "parameter")};
  carried.value = sample_function_argument(&net->f, type, role, name, net->is_test ? -1 : index);
  echo_vector_push(&net->carried, carried);
  return carried.value;
}

/* "layer.name" */
static void name_in_layer(const Network *net, const char *name, char full[48])
{
  EchoStr layer = echo_loc_attr(net->f.ctx, net->b->loc)->as.location.name;
  snprintf(full, 48, "%.*s.%s", ECHO_STR_ARG(layer), name);
}

EchoValue *net_parameter(Network *net, const char *name, const int64_t *dims, size_t rank,
                         double range, double center)
{
  char full[48];
  name_in_layer(net, name, full);
  return carry(net, full, net_tensor(net, dims, rank), "parameter", range, center);
}

static EchoValue *statistic(Network *net, const char *name, const EchoType *type, double center)
{
  char full[48];
  name_in_layer(net, name, full);
  return carry(net, full, type, "optimizer", 0, center);
}

/* Of the optimizer, zero at first: "parameter.name". */
static EchoValue *moment(Network *net, size_t parameter, const char *name)
{
  char full[48];
  const SampleParameter *of = &net->model->carried.data[parameter];
  snprintf(full, sizeof full, "%.*s.%s", 36, of->name, name);
  return carry(net, full, of->type, "optimizer", 0, 0);
}

static void set_next(Network *net, const EchoValue *value, EchoValue *next)
{
  for (size_t i = net->carried.size; i-- > 0;) /* the youngest are asked for */
    if (net->carried.data[i].value == value) {
      net->carried.data[i].next = next;
      return;
    }
}

/* ---- layers ---- */

/* Uniform with the variance that keeps that of a rectified input: He et al. 2015. */
static double he_range(int64_t inputs)
{
  return sqrt(6 / (double)inputs);
}

static EchoValue *add_bias(Network *net, EchoValue *x)
{
  int64_t last = (int64_t)echo_type_rank(x->type) - 1, channels = net_dim(x, (size_t)last);
  EchoValue *bias = net_parameter(net, "bias", &channels, 1, 0, 0);
  return echo_hlo_add(net->b, x, echo_hlo_broadcast_in_dim(net->b, bias, x->type, &last, 1));
}

static EchoValue *convolve(Network *net, EchoValue *x, int64_t channels,
                           const EchoWindowDim windows[2])
{
  static const int64_t image[] = {1, 2}, kernel[] = {0, 1};
  static const EchoConvDims dims = {.input_batch = 0,
                                    .input_feature = 3,
                                    .input_spatial = {image, 2},
                                    .kernel_input_feature = 2,
                                    .kernel_output_feature = 3,
                                    .kernel_spatial = {kernel, 2},
                                    .output_batch = 0,
                                    .output_feature = 3,
                                    .output_spatial = {image, 2}};
  const int64_t inputs = net_dim(x, 3),
                shape[] = {windows[0].size, windows[1].size, inputs, channels};
  EchoValue *weight = net_parameter(net, "weight", shape, 4,
                                    he_range(windows[0].size * windows[1].size * inputs), 0);
  return echo_hlo_convolution(net->b, x, weight, &dims, windows, 1, 1, NULL);
}

EchoValue *net_convolution_2d(Network *net, EchoValue *x, int64_t channels,
                              const NetWindow windows[2])
{
  EchoWindowDim dims[2];
  for (size_t i = 0; i < 2; i++)
    dims[i] = (EchoWindowDim){.size = windows[i].size,
                              .stride = windows[i].stride,
                              .base_dilation = 1,
                              .window_dilation = 1,
                              .padding_low = windows[i].padding,
                              .padding_high = windows[i].padding};
  return convolve(net, x, channels, dims);
}

EchoValue *net_convolution(Network *net, EchoValue *x, int64_t channels, NetWindow window,
                           bool has_bias)
{
  EchoValue *y = net_convolution_2d(net, x, channels, (NetWindow[]){window, window});
  return has_bias ? add_bias(net, y) : y;
}

EchoValue *net_upsample(Network *net, EchoValue *x, int64_t channels)
{
  const EchoWindowDim dim = {.size = 2,
                             .stride = 1,
                             .base_dilation = 2,
                             .window_dilation = 1,
                             .padding_low = 1,
                             .padding_high = 1};
  return add_bias(net, convolve(net, x, channels, (EchoWindowDim[]){dim, dim}));
}

EchoValue *net_batch_norm(Network *net, EchoValue *x)
{
  const int64_t feature = (int64_t)echo_type_rank(x->type) - 1;
  const int64_t channels = net_dim(x, (size_t)feature);
  EchoValue *scale = net_parameter(net, "scale", &channels, 1, 0, 1);
  EchoValue *bias = net_parameter(net, "shift", &channels, 1, 0, 0);
  EchoValue *mean = statistic(net, "mean", scale->type, 0);
  EchoValue *variance = statistic(net, "variance", scale->type, 1);
  EchoValue *results[3];
  echo_nn_batch_norm(net->b, x, scale, bias, mean, variance, feature, 1e-5, 0.9, results);
  set_next(net, mean, results[1]);
  set_next(net, variance, results[2]);
  return results[0];
}

EchoValue *net_layer_norm(Network *net, EchoValue *x)
{
  const int64_t hidden = net_dim(x, echo_type_rank(x->type) - 1);
  EchoValue *scale = net_parameter(net, "scale", &hidden, 1, 0, 1);
  return echo_nn_layer_norm(net->b, x, scale, net_parameter(net, "shift", &hidden, 1, 0, 0), 1e-5);
}

EchoValue *net_relu(Network *net, EchoValue *x)
{
  return echo_hlo_maximum(net->b, x, echo_hlo_constant_like(net->b, x, 0));
}

EchoValue *net_clipped_relu(Network *net, EchoValue *x)
{
  return echo_hlo_minimum(net->b, net_relu(net, x), echo_hlo_constant_like(net->b, x, 20));
}

static EchoValue *scaled(Network *net, EchoValue *x, double factor)
{
  return echo_hlo_multiply(net->b, x, echo_hlo_constant_like(net->b, x, factor));
}

/* x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) */
EchoValue *net_gelu(Network *net, EchoValue *x)
{
  EchoBuilder *b = net->b;
  EchoValue *cube = echo_hlo_multiply(b, echo_hlo_multiply(b, x, x), x);
  EchoValue *inner =
      scaled(net, echo_hlo_add(b, x, scaled(net, cube, 0.044715)), 0.7978845608028654);
  EchoValue *gate = echo_hlo_add(b, echo_hlo_tanh(b, inner), echo_hlo_constant_like(b, x, 1));
  return scaled(net, echo_hlo_multiply(b, x, gate), 0.5);
}

static void pool_windows(NetWindow window, EchoWindowDim windows[4])
{
  for (size_t i = 0; i < 4; i++)
    windows[i] = (EchoWindowDim){.size = 1, .stride = 1, .base_dilation = 1, .window_dilation = 1};
  for (size_t i = 1; i < 3; i++) {
    windows[i].size = window.size;
    windows[i].stride = window.stride;
    windows[i].padding_low = windows[i].padding_high = window.padding;
  }
}

EchoValue *net_max_pool(Network *net, EchoValue *x, NetWindow window)
{
  EchoWindowDim windows[4];
  pool_windows(window, windows);
  EchoValue *lowest = echo_hlo_scalar_f64(net->b, echo_type_element(x->type), -INFINITY);
  return echo_hlo_reduce_window(net->b, x, lowest, windows, "stablehlo.maximum");
}

EchoValue *net_average_pool(Network *net, EchoValue *x, NetWindow window)
{
  EchoWindowDim windows[4];
  pool_windows(window, windows);
  EchoValue *zero = echo_hlo_scalar_f64(net->b, echo_type_element(x->type), 0);
  EchoValue *sum = echo_hlo_reduce_window(net->b, x, zero, windows, "stablehlo.add");
  return window.size == 1 ? sum : scaled(net, sum, 1 / (double)(window.size * window.size));
}

EchoValue *net_linear(Network *net, EchoValue *x, const char *name, int64_t outputs)
{
  const int64_t shape[] = {net_dim(x, echo_type_rank(x->type) - 1), outputs};
  char weight[24], bias[24];
  snprintf(weight, sizeof weight, "%sweight", name);
  snprintf(bias, sizeof bias, "%sbias", name);
  double range = sqrt(3 / (double)shape[0]);
  EchoValue *w = net_parameter(net, weight, shape, 2, range, 0);
  return echo_nn_linear(net->b, x, w, net_parameter(net, bias, &outputs, 1, 0, 0));
}

/* "direction.weight_input" and so on. */
static EchoValue *gru(Network *net, EchoValue *x, const char *direction, int64_t hidden,
                      bool is_reverse)
{
  static const char *const names[] = {"weight_input", "weight_hidden", "bias_input", "bias_hidden"};
  const int64_t inputs = net_dim(x, 2), shapes[][2] = {{inputs, 3 * hidden}, {hidden, 3 * hidden}},
                biases = 3 * hidden, state[] = {net_dim(x, 1), hidden};
  EchoValue *weights[4], *results[2];
  for (size_t i = 0; i < 4; i++) {
    char name[40];
    snprintf(name, sizeof name, "%s.%s", direction, names[i]);
    weights[i] = net_parameter(net, name, i < 2 ? shapes[i] : &biases, i < 2 ? 2 : 1,
                               1 / sqrt((double)hidden), 0);
  }
  EchoValue *zero = echo_hlo_constant_f64(net->b, net_tensor(net, state, 2), 0);
  const EchoGru options = {.is_reverse = is_reverse, .is_loop = !net->config->is_unrolled};
  echo_nn_gru_with(net->b, x, zero, weights[0], weights[1], weights[2], weights[3], &options,
                   results);
  return results[0];
}

EchoValue *net_bidirectional_gru(Network *net, EchoValue *x, int64_t hidden)
{
  EchoValue *forward = gru(net, x, "forward", hidden, false);
  return echo_hlo_add(net->b, forward, gru(net, x, "backward", hidden, true));
}

EchoValue *net_dropout(Network *net, EchoValue *x)
{
  if (net->config->dropout <= 0)
    return x;
  /* Each use of a step draws from counters of its own: step * 2^40 + use * 2^32. */
  EchoBuilder *b = net->b;
  const EchoType *scalar = net->key->type;
  EchoValue *step = echo_hlo_convert(b, net->counter, echo_type_element(scalar));
  EchoValue *base = echo_hlo_multiply(b, step, echo_hlo_constant_i64(b, scalar, INT64_C(1) << 40));
  EchoValue *use = echo_hlo_constant_i64(b, scalar, net->n_dropouts++ << 32);
  return echo_nn_dropout(b, x, net->key, echo_hlo_add(b, base, use), net->config->dropout);
}

/* ---- the step ---- */

typedef struct Inputs {
  EchoValue *data, *labels, *rate;
} Inputs;

static void input_types(const Network *net, const EchoType **data, const EchoType **labels)
{
  const NetConfig *c = net->config;
  EchoContext *ctx = net->f.ctx;
  const int64_t images[] = {c->batch, c->image, c->image, 3}, ids[] = {c->batch, c->length};
  const int64_t pairs[] = {c->batch, 2 * c->length};
  const int64_t sounds[] = {c->batch, c->length, c->bins}, said[] = {c->batch, 2 + c->labels};
  const EchoType *i32 = echo_type_i32(ctx);
  switch (c->kind) {
  case NET_TRANSFORMER:
    *data = *labels = echo_hlo_tensor(ctx, ids, 2, i32);
    return;
  case NET_TRANSLATOR:
    *data = echo_hlo_tensor(ctx, pairs, 2, i32);
    *labels = echo_hlo_tensor(ctx, ids, 2, i32);
    return;
  case NET_SPEECH:
    *data = net_tensor(net, sounds, 3);
    *labels = echo_hlo_tensor(ctx, said, 2, i32);
    return;
  case NET_VGG:
  case NET_RESNET:
  case NET_UNET:
    *data = net_tensor(net, images, 4);
    *labels = echo_hlo_tensor(ctx, images, c->kind == NET_UNET ? 3 : 1, i32);
    return;
  }
}

static Inputs add_inputs(Network *net)
{
  EchoContext *ctx = net->f.ctx;
  const EchoType *data = NULL, *labels = NULL;
  input_types(net, &data, &labels);
  const EchoType *ui64 = echo_hlo_scalar_type(ctx, echo_type_integer(ctx, 64, ECHO_UNSIGNED));
  Inputs inputs;
  inputs.data = sample_function_argument(&net->f, data, "input", NULL, -1);
  inputs.labels = sample_function_argument(&net->f, labels, "input", NULL, -1);
  inputs.rate = sample_function_argument(&net->f, net_tensor(net, NULL, 0), "input", NULL, -1);
  net->key = sample_function_argument(&net->f, ui64, "input", NULL, -1);
  return inputs;
}

static void update_sgd(Network *net, size_t i, EchoValue *gradient, EchoValue *rate)
{
  EchoValue *parameter = net->carried.data[i].value, *results[2];
  EchoValue *velocity = moment(net, i, "velocity");
  echo_nn_sgd(net->b, parameter, gradient, rate, velocity, 0.9, 0, results);
  set_next(net, velocity, results[1]);
  net->carried.data[i].next = results[0];
}

static void update_adam(Network *net, size_t i, EchoValue *gradient, EchoValue *rate)
{
  static const EchoAdam adam = {0.9, 0.999, 1e-8, 0};
  EchoValue *parameter = net->carried.data[i].value, *results[3];
  EchoValue *first = moment(net, i, "first");
  EchoValue *second = moment(net, i, "second");
  echo_nn_adam(net->b, parameter, gradient, first, second, net->counter, rate, &adam, results);
  set_next(net, first, results[1]);
  set_next(net, second, results[2]);
  net->carried.data[i].next = results[0];
}

static void update(Network *net, EchoValue *loss, EchoValue *rate)
{
  ECHO_VECTOR(size_t) trained = {0};
  ECHO_VECTOR(EchoValue *) parameters = {0};
  for (size_t i = 0; i < net->carried.size; i++)
    if (net->carried.data[i].is_trained) {
      echo_vector_push(&trained, i);
      echo_vector_push(&parameters, net->carried.data[i].value);
    }
  EchoValue **gradients = echo_alloc_array(trained.size + 1, sizeof *gradients);
  echo_nn_gradient(net->b, loss, parameters.data, parameters.size, gradients);
  net_layer(net, "optimizer");
  for (size_t k = 0; k < trained.size; k++)
    (net->config->uses_adam ? update_adam : update_sgd)(net, trained.data[k], gradients[k], rate);
  echo_free(gradients);
  echo_vector_destroy(&parameters);
  echo_vector_destroy(&trained);
}

/* The mean of CTC's losses over the batch. labels [B, 2 + L] as in NET_ARG_LABELS. */
static EchoValue *ctc_loss(Network *net, EchoValue *log_probs, EchoValue *labels)
{
  EchoBuilder *b = net->b;
  const int64_t batch = net->config->batch, zero = 0;
  EchoValue *counts[2];
  for (int64_t i = 0; i < 2; i++)
    counts[i] = echo_hlo_reshape(b, echo_hlo_slice_dim(b, labels, 1, i, i + 1), &batch, 1);
  const EchoCtc options = {.is_unrolled = net->config->is_unrolled};
  EchoValue *said = echo_hlo_slice_dim(b, labels, 1, 2, 2 + net->config->labels);
  EchoValue *losses = echo_nn_ctc_loss(b, log_probs, said, counts[0], counts[1], &options);
  return scaled(net, echo_hlo_reduce_sum(b, losses, &zero, 1), 1 / (double)batch);
}

/* The first of the likeliest classes: x [..., V] -> i32 [...] */
static EchoValue *likeliest(Network *net, EchoValue *x)
{
  EchoBuilder *b = net->b;
  const int64_t last = (int64_t)echo_type_rank(x->type) - 1;
  EchoValue *most = echo_hlo_reduce_max(b, x, &last, 1);
  EchoValue *is_most = echo_hlo_compare(b, ECHO_COMPARE_EQ, x,
                                        echo_hlo_broadcast_reduced(b, most, x->type, &last, 1));
  const EchoType *index = echo_type_with_element(b->ctx, x->type, echo_type_i32(b->ctx));
  EchoValue *end = echo_hlo_constant_i64(b, index, net_dim(x, (size_t)last));
  EchoValue *numbers = echo_hlo_select(b, is_most, echo_hlo_iota(b, index, last), end);
  EchoValue *init = echo_hlo_scalar_i64(b, echo_type_i32(b->ctx), net_dim(x, (size_t)last));
  return echo_hlo_reduce(b, numbers, init, &last, 1, "stablehlo.minimum");
}

typedef ECHO_VECTOR(EchoValue *) Values;

/* Its results are what training carries, if it does, *outputs and the loss. */
static EchoValue *build_network(Network *net, const Inputs *inputs, Values *outputs)
{
  static EchoValue *(*const networks[])(Network *,
                                        EchoValue *) = {[NET_VGG] = net_vgg,
                                                        [NET_RESNET] = net_resnet,
                                                        [NET_UNET] = net_unet,
                                                        [NET_TRANSFORMER] = net_transformer,
                                                        [NET_TRANSLATOR] = net_translator,
                                                        [NET_SPEECH] = net_deepspeech2};
  const NetConfig *config = net->config;
  EchoValue *logits = networks[config->kind](net, inputs->data);
  net_layer(net, "loss");
  if (config->kind != NET_SPEECH)
    return echo_nn_softmax_cross_entropy(net->b, logits, inputs->labels, NULL);
  echo_vector_push(outputs, likeliest(net, logits));
  return ctc_loss(net, logits, inputs->labels);
}

static void build(EchoContext *ctx, const NetConfig *config, bool is_test, NetModel *model)
{
  Network net = {.config = config, .model = model, .is_test = is_test};
  *model = (NetModel){.config = *config};
  sample_function_begin(&net.f, ctx);
  net.b = &net.f.builder;
  model->module = net.f.module;
  Inputs inputs = add_inputs(&net);
  const EchoType *i32 = echo_hlo_scalar_type(ctx, echo_type_i32(ctx));
  net.counter = carry(&net, "step", i32, "optimizer", 0, 1);
  Values outputs = {0}, results = {0};
  EchoValue *loss = build_network(&net, &inputs, &outputs);
  if (!is_test) {
    update(&net, loss, inputs.rate);
    set_next(&net, net.counter,
             echo_hlo_add(net.b, net.counter, echo_hlo_constant_i64(net.b, i32, 1)));
    for (size_t i = 0; i < net.carried.size; i++)
      echo_vector_push(&results, net.carried.data[i].next);
  }
  for (size_t i = 0; i < outputs.size; i++)
    echo_vector_push(&results, outputs.data[i]);
  echo_vector_push(&results, loss);
  sample_function_end(&net.f, results.data, results.size);
  echo_vector_destroy(&outputs);
  echo_vector_destroy(&results);
  echo_vector_destroy(&net.carried);
}

void net_build_training_step(EchoContext *ctx, const NetConfig *config, NetModel *model)
{
  build(ctx, config, false, model);
}

void net_build_test(EchoContext *ctx, const NetConfig *config, NetModel *model)
{
  build(ctx, config, true, model);
}

void net_model_destroy(NetModel *model)
{
  echo_vector_destroy(&model->carried); /* the IR belongs to the context */
}
