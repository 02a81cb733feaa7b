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
  int64_t m_dims[ECHO_MAX_RANK + 1]; /* batch, then the result's spatial dimensions */
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

static EchoValue *read_input(EchoKernelEmitter *emitter, const EchoContraction *contraction,
                             EchoValue *group, EchoValue *m, EchoValue *k)
{
  const Convolution *c = (const Convolution *)contraction;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *place[ECHO_MAX_RANK + 1], *tap[ECHO_MAX_RANK + 1], *indices[ECHO_MAX_RANK];
  EchoValue *tensor = echo_op_operand(contraction->op, 0), *inside = NULL;
  base->builder = echo_kernel_builder(emitter);
  echo_index_delinearize(base, m, c->m_dims, c->n_spatial + 1, place);
  echo_index_delinearize(base, k, c->k_dims, c->n_spatial + 1, tap);
  for (size_t i = 0; i < c->n_spatial; ++i) {
    size_t dim = (size_t)c->dims->input_spatial.dims[i];
    indices[dim] = input_index(emitter, &c->windows[i], echo_type_dim(tensor->type, dim),
                               place[i + 1], tap[i], &inside);
  }
  EchoValue *batch = place[0], *feature = tap[c->n_spatial];
  if (c->batch_groups > 1)
    batch = echo_index_add(base, echo_index_mul_constant(base, group, c->m_dims[0]), batch);
  if (c->feature_groups > 1)
    feature = echo_index_add(base, echo_index_mul_constant(base, group, c->k_dims[c->n_spatial]),
                             feature);
  indices[c->dims->input_batch] = batch;
  indices[c->dims->input_feature] = feature;
  EchoValue *value = echo_kernel_element(emitter, tensor, indices);
  if (value == NULL)
    return NULL;
  EchoBuilder *builder = echo_kernel_builder(emitter);
  value = echo_scalar_convert(builder, echo_type_element_kind(tensor->type), contraction->sum_kind,
                              value);
  if (inside == NULL)
    return value;
  bool is_float = echo_element_is_float(contraction->sum_kind);
  const EchoAttr *zero = is_float ? echo_attr_float(emitter->ctx, value->type, 0.0)
                                  : echo_attr_integer(emitter->ctx, value->type, 0);
  return echo_arith_select(builder, inside, value, base->constant(base, zero));
}

static EchoValue *read_window(EchoKernelEmitter *emitter, const EchoContraction *contraction,
                              EchoValue *group, EchoValue *k, EchoValue *n)
{
  const Convolution *c = (const Convolution *)contraction;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *tap[ECHO_MAX_RANK + 1], *indices[ECHO_MAX_RANK];
  EchoValue *tensor = echo_op_operand(contraction->op, 1);
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
  EchoValue *value = echo_kernel_element(emitter, tensor, indices);
  if (value == NULL)
    return NULL;
  return echo_scalar_convert(echo_kernel_builder(emitter), echo_type_element_kind(tensor->type),
                             contraction->sum_kind, value);
}

static void store_place(EchoKernelEmitter *emitter, const EchoContraction *contraction,
                        EchoValue *group, EchoValue *m, EchoValue *n, EchoValue *sum)
{
  const Convolution *c = (const Convolution *)contraction;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *place[ECHO_MAX_RANK + 1], *indices[ECHO_MAX_RANK];
  base->builder = echo_kernel_builder(emitter);
  echo_index_delinearize(base, m, c->m_dims, c->n_spatial + 1, place);
  indices[c->dims->output_batch] = place[0];
  indices[c->dims->output_feature] =
      echo_index_add(base, echo_index_mul_constant(base, group, contraction->n), n);
  for (size_t i = 0; i < c->n_spatial; ++i)
    indices[c->dims->output_spatial.dims[i]] = place[i + 1];
  EchoElementKind kind = echo_type_element_kind(echo_op_result_type(contraction->op, 0));
  EchoValue *value =
      echo_scalar_convert(echo_kernel_builder(emitter), contraction->sum_kind, kind, sum);
  echo_kernel_store(emitter, value, echo_kernel_output(emitter, 0), indices);
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
  const EchoBlock *body = echo_op_body(emitter->kernel, 0);
  const EchoOp *op = body->first;
  if (echo_hlo_opcode(op) != ECHO_HLO_CONVOLUTION || op->next != body->last ||
      echo_op_operand(body->last, 0) != echo_op_result(op, 0))
    return false;
  const EchoType *kernel_type = echo_op_operand_type(op, 1), *out = echo_op_result_type(op, 0);
  EchoElementKind kind = echo_type_element_kind(out);
  if (kind == ECHO_ELEMENT_NONE || echo_type_static_n_elements(out) == 0 ||
      echo_type_static_n_elements(kernel_type) == 0 ||
      echo_type_static_n_elements(echo_op_operand_type(op, 0)) == 0)
    return false;
  if (!emitter->is_gpu) {
    echo_emit_direct_convolution(emitter, op);
    return true;
  }
  Convolution c = {.dims = echo_stablehlo_conv_dims(op),
                   .feature_groups = echo_stablehlo_feature_group_count(op),
                   .batch_groups = echo_stablehlo_batch_group_count(op)};
  c.n_spatial = echo_stablehlo_windows(op, c.windows);
  c.m_dims[0] = echo_type_dim(out, (size_t)c.dims->output_batch);
  for (size_t i = 0; i < c.n_spatial; ++i) {
    c.m_dims[i + 1] = echo_type_dim(out, (size_t)c.dims->output_spatial.dims[i]);
    c.k_dims[i] = c.windows[i].size;
  }
  c.k_dims[c.n_spatial] = echo_type_dim(kernel_type, (size_t)c.dims->kernel_input_feature);
  int64_t n_groups = c.feature_groups * c.batch_groups;
  size_t input_rank = echo_op_operand_type(op, 0)->as.shaped.rank;
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
                        .store = store_place};
  echo_emit_contraction(emitter, &c.base);
  return true;
}
