/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* On a GPU, convolution as a blocked product: rows are the places of the result, columns its
 * features, and what is summed over are the places and features of the window. Padding, strides,
 * dilations and groups are index arithmetic. */
#include "dialects/stablehlo/opcode.h"
#include "lowering/kernels/contraction_t.h"
#include "lowering/kernels/direct_convolution_t.h"

typedef struct Convolution {
  EchoContraction base; /* first */
  const EchoConvDims *dims;
  EchoWindowDim windows[ECHO_MAX_RANK];
  size_t n_spatial;
  int64_t feature_groups, batch_groups;
  int64_t m_dims[ECHO_MAX_RANK + 1]; /* the result's spatial dimensions, before or behind batch */
  size_t batch_digit;                /* which of them is batch: the last one, where it runs */
  int64_t k_dims[ECHO_MAX_RANK +
                 1]; /* the window's spatial dimensions, then input features of a group */
} Convolution;

static EchoValue *both(EchoKernelEmitter *emitter, EchoValue *a, EchoValue *b)
{
  EchoValue *operands[] = {a, b};
  if (a == NULL || b == NULL)
    return a != NULL ? a : b;
  return emitter->base.pure_op(&emitter->base, "arith.andi", -1, operands, 2, a->type);
}

/* The input's index for place `out` of the result and `tap` of the window in one dimension; clears
 * *inside where it falls on padding or between dilated elements, and returns a valid index all the
 * same. */
static EchoValue *input_index(EchoKernelEmitter *emitter, const EchoWindowDim *window, int64_t size,
                              EchoValue *out, EchoValue *tap, EchoValue **inside)
{
  EchoElementEmitter *base = &emitter->base;
  EchoValue *position = echo_index_add(base, echo_index_mul_constant(base, out, window->stride),
                                       echo_index_mul_constant(base, tap, window->window_dilation));
  position = echo_index_add_constant(base, position, -window->padding_low);
  EchoValue *zero = echo_index_constant(base, 0);
  int64_t last = (size - 1) * window->base_dilation;
  bool can_leave = window->padding_low > 0 || window->padding_high > 0;
  if (can_leave) {
    *inside = both(emitter, *inside, echo_index_compare(base, ECHO_CMPI_SGE, position, zero));
    *inside =
        both(emitter, *inside,
             echo_index_compare(base, ECHO_CMPI_SLE, position, echo_index_constant(base, last)));
    position =
        echo_index_min(base, echo_index_max(base, position, zero), echo_index_constant(base, last));
  }
  if (window->base_dilation == 1)
    return position;
  EchoValue *rest = echo_index_rem_constant(base, position, window->base_dilation);
  *inside = both(emitter, *inside, echo_index_compare(base, ECHO_CMPI_EQ, rest, zero));
  return echo_index_div_constant(base, position, window->base_dilation);
}

/* Digits of m: the place in the batch, and in the result. */
static void place_of(EchoKernelEmitter *emitter, const Convolution *c, EchoValue *m,
                     EchoValue **batch, EchoValue **spatial)
{
  EchoValue *digits[ECHO_MAX_RANK + 1];
  emitter->base.builder = echo_kernel_builder(emitter);
  echo_index_delinearize(&emitter->base, m, c->m_dims, c->n_spatial + 1, digits);
  *batch = digits[c->batch_digit];
  for (size_t i = 0; i < c->n_spatial; ++i)
    spatial[i] = digits[c->batch_digit == 0 ? i + 1 : i];
}

/* Of the input's element for m and k: always valid ones, *inside as for input_index. */
static void input_indices(EchoKernelEmitter *emitter, const EchoContraction *contraction,
                          EchoValue *group, EchoValue *m, EchoValue *k, EchoValue **indices,
                          EchoValue **inside)
{
  const Convolution *c = (const Convolution *)contraction;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *place[ECHO_MAX_RANK], *tap[ECHO_MAX_RANK + 1], *batch;
  const EchoType *type = echo_op_operand_type(contraction->op, 0);
  place_of(emitter, c, m, &batch, place);
  echo_index_delinearize(base, k, c->k_dims, c->n_spatial + 1, tap);
  for (size_t i = 0; i < c->n_spatial; ++i) {
    size_t dim = (size_t)c->dims->input_spatial.dims[i];
    indices[dim] =
        input_index(emitter, &c->windows[i], echo_type_dim(type, dim), place[i], tap[i], inside);
  }
  EchoValue *feature = tap[c->n_spatial];
  if (c->batch_groups > 1)
    batch = echo_index_add(base, echo_index_mul_constant(base, group, c->m_dims[c->batch_digit]),
                           batch);
  if (c->feature_groups > 1)
    feature = echo_index_add(base, echo_index_mul_constant(base, group, c->k_dims[c->n_spatial]),
                             feature);
  indices[c->dims->input_batch] = batch;
  indices[c->dims->input_feature] = feature;
}

/* The operand's argument, seen through reshapes and through transposes that keep the last
 * dimension; NULL: it is made in the kernel. `*run` becomes the largest part of it of which that
 * many neighbours, from a multiple of it on, are neighbours in the argument. */
static const EchoValue *argument_or_null(const EchoOp *op, size_t operand, int64_t *run)
{
  const EchoValue *value = echo_op_operand(op, operand);
  while (!value->is_block_arg) {
    const EchoOp *def = echo_value_def_or_null(value);
    size_t last = echo_type_rank(value->type) - 1;
    if (echo_hlo_opcode(def) == ECHO_HLO_TRANSPOSE) {
      if (echo_stablehlo_dims(def, "permutation").dims[last] != (int64_t)last)
        return NULL;
    } else if (echo_hlo_opcode(def) != ECHO_HLO_RESHAPE) {
      return NULL;
    }
    value = echo_op_operand(def, 0);
    size_t rank = echo_type_rank(value->type);
    while (rank > 0 && echo_type_dim(value->type, rank - 1) % *run != 0)
      *run /= 2;
  }
  return echo_type_rank(value->type) != 0 ? value : NULL; /* a scalar is no array */
}

/* Position in the argument that `tensor` is, of an element of it. */
static EchoValue *position_in_argument(EchoElementEmitter *base, const EchoValue *tensor,
                                       EchoValue *const *indices)
{
  EchoValue *at[ECHO_MAX_RANK], *next[ECHO_MAX_RANK];
  memcpy(at, indices, echo_type_rank(tensor->type) * sizeof *at);
  while (!tensor->is_block_arg) {
    const EchoOp *def = echo_value_def_or_null(tensor);
    const EchoType *from = tensor->type, *to = echo_op_operand_type(def, 0);
    if (echo_hlo_opcode(def) == ECHO_HLO_RESHAPE) {
      echo_index_reshape(base, from->as.shaped.dims, from->as.shaped.rank, at, to->as.shaped.dims,
                         to->as.shaped.rank, next);
    } else {
      EchoDimList permutation = echo_stablehlo_dims(def, "permutation");
      for (size_t i = 0; i < permutation.size; ++i)
        next[permutation.dims[i]] = at[i];
    }
    memcpy(at, next, echo_type_rank(to) * sizeof *at);
    tensor = echo_op_operand(def, 0);
  }
  return echo_index_linearize(base, tensor->type->as.shaped.dims, tensor->type->as.shaped.rank, at);
}

static EchoValue *place_input(EchoKernelEmitter *emitter, const EchoContraction *c,
                              EchoValue *group, EchoValue *m, EchoValue *k, EchoValue **inside)
{
  EchoValue *indices[ECHO_MAX_RANK];
  input_indices(emitter, c, group, m, k, indices, inside);
  return position_in_argument(&emitter->base, echo_op_operand(c->op, 0), indices);
}

static EchoValue *read_input(EchoKernelEmitter *emitter, const EchoContraction *c, EchoValue *group,
                             EchoValue *m, EchoValue *k)
{
  EchoElementEmitter *base = &emitter->base;
  EchoValue *tensor = echo_op_operand(c->op, 0), *indices[ECHO_MAX_RANK], *inside = NULL;
  input_indices(emitter, c, group, m, k, indices, &inside);
  EchoValue *value = echo_kernel_element(emitter, tensor, indices);
  if (value == NULL)
    return NULL;
  EchoBuilder *builder = echo_kernel_builder(emitter);
  value = echo_scalar_convert(builder, echo_type_element_kind(tensor->type), c->factor_kind, value);
  if (inside == NULL)
    return value;
  const EchoAttr *zero = echo_element_is_float(c->factor_kind)
                             ? echo_attr_float(emitter->ctx, value->type, 0.0)
                             : echo_attr_integer(emitter->ctx, value->type, 0);
  return echo_arith_select(builder, inside, value, base->constant(base, zero));
}

static void window_indices(EchoKernelEmitter *emitter, const EchoContraction *contraction,
                           EchoValue *group, EchoValue *n, EchoValue *k, EchoValue **indices)
{
  const Convolution *c = (const Convolution *)contraction;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *tap[ECHO_MAX_RANK + 1];
  base->builder = echo_kernel_builder(emitter);
  echo_index_delinearize(base, k, c->k_dims, c->n_spatial + 1, tap);
  for (size_t i = 0; i < c->n_spatial; ++i) {
    EchoValue *position = tap[i];
    if (c->windows[i].reversed)
      position = echo_index_sub(base, echo_index_constant(base, c->windows[i].size - 1), position);
    indices[c->dims->kernel_spatial.dims[i]] = position;
  }
  indices[c->dims->kernel_input_feature] = tap[c->n_spatial];
  indices[c->dims->kernel_output_feature] =
      echo_index_add(base, echo_index_mul_constant(base, group, contraction->n), n);
}

static EchoValue *place_window(EchoKernelEmitter *emitter, const EchoContraction *c,
                               EchoValue *group, EchoValue *n, EchoValue *k, EchoValue **inside)
{
  EchoValue *indices[ECHO_MAX_RANK];
  *inside = NULL;
  window_indices(emitter, c, group, n, k, indices);
  return position_in_argument(&emitter->base, echo_op_operand(c->op, 1), indices);
}

static EchoValue *read_window(EchoKernelEmitter *emitter, const EchoContraction *c,
                              EchoValue *group, EchoValue *k, EchoValue *n)
{
  EchoValue *tensor = echo_op_operand(c->op, 1), *indices[ECHO_MAX_RANK];
  window_indices(emitter, c, group, n, k, indices);
  EchoValue *value = echo_kernel_element(emitter, tensor, indices);
  if (value == NULL)
    return NULL;
  return echo_scalar_convert(echo_kernel_builder(emitter), echo_type_element_kind(tensor->type),
                             c->factor_kind, value);
}

static void place_result(EchoKernelEmitter *emitter, const EchoContraction *contraction,
                         EchoValue *group, EchoValue *m, EchoValue *n, EchoValue **indices)
{
  const Convolution *c = (const Convolution *)contraction;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *place[ECHO_MAX_RANK], *batch;
  place_of(emitter, c, m, &batch, place);
  indices[c->dims->output_batch] = batch;
  indices[c->dims->output_feature] =
      echo_index_add(base, echo_index_mul_constant(base, group, contraction->n), n);
  for (size_t i = 0; i < c->n_spatial; ++i)
    indices[c->dims->output_spatial.dims[i]] = place[i];
}

static bool is_convolution(const EchoOp *op)
{
  return echo_hlo_opcode(op) == ECHO_HLO_CONVOLUTION;
}

/* Where an operand lies that may be copied past the registers: where what runs through memory is
 * features, or a batch, neighbours there are neighbours in the product. */
static const EchoWideOperand *find_memory_or_null(EchoKernelEmitter *emitter, const Convolution *c,
                                                  size_t operand, EchoWideOperand *memory)
{
  const EchoOp *op = c->base.op;
  const EchoType *type = echo_op_operand_type(op, operand);
  int64_t last = (int64_t)echo_type_rank(type) - 1, n_features = c->k_dims[c->n_spatial];
  bool input_fits = c->dims->input_feature == last || c->batch_digit != 0;
  bool window_fits =
      c->dims->kernel_input_feature == last || c->dims->kernel_output_feature == last;
  bool runs_along_k = operand == 0 ? !c->base.a_runs_along_m : c->base.b_runs_along_k;
  int64_t run = runs_along_k ? n_features : operand == 0 ? c->m_dims[c->batch_digit] : c->base.n;
  const EchoValue *argument = argument_or_null(op, operand, &run);
  if (argument == NULL || !(operand == 0 ? input_fits : window_fits) ||
      echo_type_element_kind(type) != c->base.factor_kind)
    return NULL;
  *memory = (EchoWideOperand){
      .is_b = operand == 1, .place = operand == 0 ? place_input : place_window, .run = run};
  echo_find_argument(emitter, argument, memory);
  return memory;
}

static int64_t product(const int64_t *dims, size_t n)
{
  int64_t all = 1;
  for (size_t i = 0; i < n; ++i)
    all *= dims[i];
  return all;
}

bool echo_lower_convolution(EchoKernelEmitter *emitter)
{
  const EchoOp *op = echo_product_or_null(emitter->kernel, is_convolution);
  if (op == NULL)
    return false;
  const EchoType *kernel_type = echo_op_operand_type(op, 1), *out = echo_op_result_type(op, 0);
  EchoElementKind kind = echo_type_element_kind(out);
  if (kind == ECHO_ELEMENT_NONE || echo_type_static_n_elements(out) == 0 ||
      echo_type_static_n_elements(kernel_type) == 0 ||
      echo_type_static_n_elements(echo_op_operand_type(op, 0)) == 0)
    return false;
  if (!emitter->is_gpu) {
    bool is_alone = op->next == echo_op_body(emitter->kernel, 0)->last;
    if (is_alone)
      echo_emit_direct_convolution(emitter, op);
    return is_alone;
  }
  Convolution c = {.dims = echo_stablehlo_conv_dims(op),
                   .feature_groups = echo_stablehlo_feature_group_count(op),
                   .batch_groups = echo_stablehlo_batch_group_count(op)};
  c.n_spatial = echo_stablehlo_windows(op, c.windows);
  size_t input_rank = echo_op_operand_type(op, 0)->as.shaped.rank;
  c.batch_digit = (size_t)c.dims->input_batch + 1 == input_rank ? c.n_spatial : 0;
  c.m_dims[c.batch_digit] = echo_type_dim(out, (size_t)c.dims->output_batch);
  for (size_t i = 0; i < c.n_spatial; ++i) {
    c.m_dims[c.batch_digit == 0 ? i + 1 : i] =
        echo_type_dim(out, (size_t)c.dims->output_spatial.dims[i]);
    c.k_dims[i] = c.windows[i].size;
  }
  c.k_dims[c.n_spatial] = echo_type_dim(kernel_type, (size_t)c.dims->kernel_input_feature);
  int64_t n_groups = c.feature_groups * c.batch_groups;
  c.base =
      (EchoContraction){.n_batch = n_groups,
                        .m = product(c.m_dims, c.n_spatial + 1),
                        .n = echo_type_dim(out, (size_t)c.dims->output_feature) / n_groups,
                        .k = product(c.k_dims, c.n_spatial + 1),
                        .sum_kind = echo_sum_kind(kind),
                        .factor_kind = echo_sum_kind(kind),
                        .a_runs_along_m = (size_t)c.dims->input_feature + 1 != input_rank,
                        .b_runs_along_k = (size_t)c.dims->kernel_output_feature + 1 != input_rank,
                        .op = op,
                        .a = read_input,
                        .b = read_window,
                        .place = place_result};
  EchoWideOperand memory[2];
  c.base.uses_tensor_cores = echo_uses_tensor_cores(emitter, op);
  if (c.base.uses_tensor_cores) {
    c.base.factor_kind = echo_type_element_kind(echo_op_operand_type(op, 0));
    c.base.a_memory = find_memory_or_null(emitter, &c, 0, &memory[0]);
    c.base.b_memory = find_memory_or_null(emitter, &c, 1, &memory[1]);
  }
  echo_emit_contraction(emitter, &c.base);
  return true;
}
