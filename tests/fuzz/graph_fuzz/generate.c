/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/fuzz/graph_fuzz/generate.h"

#include "dialects/nn/build.h"
#include "ir/attributes/type.h"

const Scale SMALL_SCALE = {{4, 8, 3, 16, 1, 5, 17, 2}, {4, 3, 8, 1, 16, 5}, 300, 1200, 9, 6};
const Scale MIDDLE_SCALE = {
    {16, 32, 3, 64, 1, 33, 20, 8}, {4, 3, 8, 1, 32, 5}, 2500, 12000, 40, 40};
const Scale LARGE_SCALE = {
    {64, 32, 128, 200, 1, 31, 96, 520}, {4, 2, 64, 1, 32, 3}, 20000, 70000, 140, 300};

/* ---- values ---- */

bool is_float(const EchoValue *value)
{
  return echo_element_is_float(echo_type_element_kind(value->type));
}

bool is_predicate(const EchoValue *value)
{
  return echo_type_element_kind(value->type) == ECHO_ELEMENT_I1;
}

bool is_integer(const EchoValue *value)
{
  return !is_float(value) && !is_predicate(value);
}

bool is_anything(const EchoValue *value)
{
  (void)value;
  return true;
}

int64_t n_elements(const EchoValue *value)
{
  return echo_type_static_n_elements(value->type);
}

const EchoType *element_of(const EchoValue *value)
{
  return echo_type_element(value->type);
}

void add_value(Generator *generator, EchoValue *value)
{
  if (generator->n_values < MAX_VALUES && n_elements(value) <= generator->scale->max_elements)
    generator->values[generator->n_values++] = value;
}

EchoValue *pick_or_null(Generator *generator, ValueTest *test)
{
  size_t skipped = draw(&generator->bytes, 256), n_fit = 0;
  for (size_t i = 0; i < generator->n_values; i++)
    n_fit += test(generator->values[i]);
  if (n_fit == 0)
    return NULL;
  /* Three times in four one of the last four that fit. */
  skipped = skipped % 4 != 0 && n_fit > 4 ? skipped / 4 % 4 : skipped / 4 % n_fit;
  for (size_t i = generator->n_values; i-- != 0;)
    if (test(generator->values[i]) && skipped-- == 0)
      return generator->values[i];
  return NULL;
}

static EchoValue *constant(Generator *generator, const EchoType *type)
{
  EchoBuilder *b = &generator->builder;
  int64_t number = draw_between(&generator->bytes, -8, 8);
  if (echo_type_element_kind(type) == ECHO_ELEMENT_I1)
    return echo_hlo_constant_bool(b, type, number > 0);
  if (echo_element_is_float(echo_type_element_kind(type)))
    return echo_hlo_constant_f64(b, type, (double)number / 4);
  return echo_hlo_constant_i64(b, type, number);
}

EchoValue *pick_of_type(Generator *generator, const EchoType *type)
{
  EchoValue *fitting[8];
  size_t n = 0;
  for (size_t i = generator->n_values; i-- != 0 && n < 8;)
    if (generator->values[i]->type == type)
      fitting[n++] = generator->values[i];
  uint32_t choice = draw(&generator->bytes, 16);
  if (n != 0 && choice < 13)
    return fitting[choice % n];
  for (size_t i = generator->n_values; i-- != 0 && choice != 15;) {
    EchoValue *value = generator->values[i];
    if (value->type != type && echo_type_rank(value->type) == echo_type_rank(type) &&
        echo_type_with_element(generator->ctx, value->type, echo_type_element(type)) == type)
      return echo_hlo_convert(&generator->builder, value, echo_type_element(type));
  }
  return constant(generator, type);
}

EchoValue *input_of_type(Generator *generator, const EchoType *type)
{
  if (generator->builder.block->n_args == MAX_INPUTS || draw(&generator->bytes, 4) == 0)
    return pick_of_type(generator, type);
  EchoValue *input =
      echo_block_add_arg(generator->ctx, generator->builder.block, type, echo_loc_unknown());
  add_value(generator, input);
  return input;
}

EchoValue *index_scalar(Generator *generator)
{
  return pick_of_type(
      generator, echo_type_tensor(generator->ctx, NULL, 0, echo_type_i32(generator->ctx), NULL));
}

/* ---- the function ---- */

static const EchoType *draw_element(Generator *generator, bool floats_only)
{
  static const char *const TYPES[] = {"f32", "f32", "f32", "f32", "f64", "f16", "bf16",
                                      "f32", "i32", "i64", "i8",  "ui8", "i1",  "ui32"};
  uint32_t n = floats_only ? 8 : sizeof TYPES / sizeof TYPES[0];
  return echo_type_from_text(generator->ctx, TYPES[draw(&generator->bytes, n)]);
}

static const EchoType *draw_type(Generator *generator, bool floats_only)
{
  int64_t dims[3], n = 1;
  size_t rank = draw(&generator->bytes, 8);
  rank = rank < 4 ? 2 : rank < 6 ? 1 : rank == 6 ? 3 : 0;
  for (size_t d = 0; d < rank; d++) {
    dims[d] = generator->scale->sizes[draw(&generator->bytes, 8)];
    if (n * dims[d] > generator->scale->max_argument)
      dims[d] = 2;
    n *= dims[d];
  }
  return echo_type_tensor(generator->ctx, dims, rank, draw_element(generator, floats_only), NULL);
}

static void add_op(Generator *generator)
{
  static void (*const FAMILIES[])(Generator *) = {
      add_elementwise, add_elementwise, add_elementwise, add_elementwise, add_elementwise,
      add_movement,    add_movement,    add_movement,    add_reduction,   add_reduction,
      add_contraction, add_contraction, add_indexing,    add_loop,        add_branches,
      add_dropout,     add_layer,       add_layer,       add_layer};
  FAMILIES[draw(&generator->bytes, sizeof FAMILIES / sizeof FAMILIES[0])](generator);
}

/* The sum of all elements of a few values. */
static EchoValue *make_loss(Generator *generator)
{
  EchoBuilder *b = &generator->builder;
  const EchoType *f32 = echo_type_f32(generator->ctx);
  EchoValue *loss = NULL;
  for (uint32_t i = 1 + draw(&generator->bytes, 6); i-- != 0;) {
    EchoValue *value = pick_or_null(generator, is_float);
    int64_t dims[ECHO_MAX_RANK] = {0, 1, 2, 3, 4, 5, 6, 7};
    value = echo_hlo_convert(b, value, f32);
    value = echo_hlo_reduce_sum(b, value, dims, echo_type_rank(value->type));
    loss = loss == NULL ? value : echo_hlo_add(b, loss, value);
  }
  return loss;
}

static EchoValue *updated(Generator *generator, EchoValue *parameter, EchoValue *gradient)
{
  EchoBuilder *b = &generator->builder;
  return echo_hlo_subtract(
      b, parameter, echo_hlo_multiply(b, gradient, echo_hlo_constant_like(b, gradient, 0.0625)));
}

/* One update a parameter: by the gradient of the loss, or by any value of its type, as in a step
 * that came with its gradients in it. */
static size_t update(Generator *generator, EchoValue *loss, EchoValue **parameters, size_t n,
                     EchoValue **results)
{
  EchoValue *gradients[MAX_PARAMETERS];
  if (draw(&generator->bytes, 4) != 0) {
    echo_nn_gradient(&generator->builder, loss, parameters, n, gradients);
  } else {
    for (size_t i = 0; i < 12; i++)
      add_op(generator);
    for (size_t i = 0; i < n; i++)
      gradients[i] = pick_of_type(generator, parameters[i]->type);
  }
  for (size_t i = 0; i < n; i++)
    results[i] = updated(generator, parameters[i], gradients[i]);
  return n;
}

static size_t choose_results(Generator *generator, EchoValue **results)
{
  size_t n = draw(&generator->bytes, 3);
  for (size_t i = 0; i < n; i++)
    results[i] = pick_or_null(generator, is_anything);
  return n;
}

static const EchoAttr *argument_attrs(Generator *generator, bool is_parameter, size_t number)
{
  EchoContext *ctx = generator->ctx;
  EchoNamedAttr attr = {ECHO_STR("tf.aliasing_output"), echo_attr_i32(ctx, (int32_t)number)};
  uint32_t choice = draw(&generator->bytes, 8);
  if (!is_parameter)
    attr = (EchoNamedAttr){ECHO_STR("jax.buffer_donor"), echo_attr_bool(ctx, true)};
  bool has_one = is_parameter ? choice != 7 : choice == 7;
  return echo_attr_dictionary(ctx, &attr, has_one);
}

static void set_signature(Generator *generator, EchoOp *function, const EchoAttr *const *attrs,
                          EchoValue *const *results, size_t n_results)
{
  const EchoBlock *body = generator->builder.block;
  const EchoType *inputs[MAX_INPUTS], *outputs[16];
  for (uint32_t i = 0; i < body->n_args; i++)
    inputs[i] = echo_block_arg(body, i)->type;
  for (size_t i = 0; i < n_results; i++)
    outputs[i] = results[i]->type;
  const EchoType *type =
      echo_type_function(generator->ctx, inputs, body->n_args, outputs, n_results);
  echo_op_set_attr(function, "function_type", echo_attr_type(generator->ctx, type));
  echo_op_set_attr(function, "arg_attrs", echo_attr_array(generator->ctx, attrs, body->n_args));
}

EchoOp *generate_module(Generator *generator)
{
  EchoContext *ctx = generator->ctx;
  Bytes *bytes = &generator->bytes;
  EchoBuilder top = echo_builder_at_end(ctx, NULL);
  EchoOp *module = echo_build_op_with_regions(&top, "builtin.module", NULL, 0, NULL, 0, NULL, 0, 1);
  echo_region_append(&module->regions[0], echo_block_create(ctx));
  EchoBuilder inside = echo_builder_at_end(ctx, echo_op_body(module, 0));
  EchoAttrArg attrs[] = {
      {"sym_name", echo_attr_string(ctx, ECHO_STR("main"))},
      {"function_type", echo_attr_type(ctx, echo_type_function(ctx, NULL, 0, NULL, 0))}};
  EchoOp *function =
      echo_build_op_with_regions(&inside, "func.func", NULL, 0, NULL, 0, attrs, 2, 1);
  EchoBlock *body = echo_block_create(ctx);
  echo_region_append(&function->regions[0], body);
  generator->builder = echo_builder_at_end(ctx, body);

  EchoValue *parameters[MAX_PARAMETERS], *results[16];
  const EchoAttr *argument_attributes[MAX_INPUTS];
  size_t n_parameters = 1 + draw(bytes, MAX_PARAMETERS - 1), n_inputs = 1 + draw(bytes, 3);
  for (size_t i = 0; i < MAX_INPUTS; i++) /* of those that layers add */
    argument_attributes[i] = echo_attr_dictionary(ctx, NULL, 0);
  for (size_t i = 0; i < n_parameters + n_inputs; i++) {
    bool is_parameter = i < n_parameters;
    EchoValue *argument =
        echo_block_add_arg(ctx, body, draw_type(generator, is_parameter), echo_loc_unknown());
    argument_attributes[i] = argument_attrs(generator, is_parameter, i);
    if (is_parameter)
      parameters[i] = argument;
    add_value(generator, argument);
  }
  for (size_t i = 0; i < MAX_OPS && bytes_left(bytes); i++)
    add_op(generator);
  EchoValue *loss = make_loss(generator);
  size_t n = update(generator, loss, parameters, n_parameters, results);
  generator->loss_number = n;
  results[n++] = loss;
  n += choose_results(generator, results + n);
  echo_build_op(&generator->builder, "func.return", results, n, NULL, 0, NULL, 0);
  set_signature(generator, function, argument_attributes, results, n);
  return module;
}
