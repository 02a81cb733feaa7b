/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Builders of nvgpu ops. */
#include "lowering/kernels/warp_ops_t.h"

static const EchoType *const NO_TYPES[1] = {NULL};

static const EchoType *token_type(EchoContext *ctx)
{
  return echo_type_opaque(ctx, ECHO_STR("nvgpu"), ECHO_STR("device.async.token"));
}

static const EchoType *sums_type(EchoContext *ctx)
{
  const int64_t dims[] = {2, 2};
  return echo_type_vector(ctx, dims, 2, echo_scalar_type(ctx, ECHO_ELEMENT_F32), 0);
}

/* n registers of the elements that fill one. */
static const EchoType *fragment_type(EchoContext *ctx, const EchoType *element, int64_t n)
{
  const int64_t dims[] = {n, 4 / (int64_t)echo_type_element_bytes(element)};
  return echo_type_vector(ctx, dims, 2, element, 0);
}

void echo_warp_copy(EchoKernelEmitter *emitter, EchoValue *to, EchoValue *const to_at[3],
                    EchoValue *from, EchoValue *from_at, int64_t n, EchoValue *n_meant_or_null)
{
  EchoContext *ctx = emitter->ctx;
  size_t n_operands = n_meant_or_null != NULL ? 7 : 6;
  EchoValue *operands[] = {to, to_at[0], to_at[1], to_at[2], from, from_at, n_meant_or_null};
  const int32_t segments[] = {1, 3, 1, 1, n_meant_or_null != NULL};
  const EchoType *token = token_type(ctx);
  int64_t bytes = n * (int64_t)echo_type_element_bytes(echo_type_element(from->type));
  EchoAttrArg args[] = {
      {"dstElements", echo_attr_integer(ctx, echo_type_index(ctx), n)},
      {"operandSegmentSizes", echo_attr_i32_array(ctx, segments, 5)},
      {"bypassL1", echo_attr_unit(ctx)} /* whole ones only can */
  };
  echo_build_op(echo_kernel_builder(emitter), "nvgpu.device_async_copy", operands, n_operands,
                &token, 1, args, bytes == ECHO_COPY_BYTES ? 3 : 2);
}

void echo_warp_wait(EchoKernelEmitter *emitter)
{
  EchoContext *ctx = emitter->ctx;
  EchoBuilder *builder = echo_kernel_builder(emitter);
  const EchoType *token = token_type(ctx);
  EchoValue *group = echo_op_result(
      echo_build_op(builder, "nvgpu.device_async_create_group", NULL, 0, &token, 1, NULL, 0), 0);
  EchoAttrArg args[] = {{"numGroups", echo_attr_i32(ctx, 0)}};
  echo_build_op(builder, "nvgpu.device_async_wait", &group, 1, NO_TYPES, 0, args, 1);
}

void echo_warp_barrier(EchoKernelEmitter *emitter)
{
  echo_build_op(echo_kernel_builder(emitter), "gpu.barrier", NULL, 0, NO_TYPES, 0, NULL, 0);
}

EchoValue *echo_warp_load(EchoKernelEmitter *emitter, EchoValue *from, EchoValue *const at[3],
                          bool is_transposed)
{
  EchoContext *ctx = emitter->ctx;
  EchoValue *operands[] = {from, at[0], at[1], at[2]};
  const EchoType *type = fragment_type(ctx, echo_type_element(from->type), 4);
  EchoAttrArg args[] = {{"numTiles", echo_attr_i32(ctx, 4)},
                        {"transpose", echo_attr_bool(ctx, is_transposed)}};
  return echo_op_result(
      echo_build_op(echo_kernel_builder(emitter), "nvgpu.ldmatrix", operands, 4, &type, 1, args, 2),
      0);
}

static const EchoAttr *integers(EchoContext *ctx, const int64_t *values, size_t n)
{
  const EchoAttr *list[3];
  for (size_t i = 0; i < n; ++i)
    list[i] = echo_attr_i64(ctx, values[i]);
  return echo_attr_array(ctx, list, n);
}

static EchoValue *half_of(EchoKernelEmitter *emitter, EchoValue *fragments, int64_t half)
{
  EchoContext *ctx = emitter->ctx;
  const EchoType *type = fragment_type(ctx, echo_type_element(fragments->type), 2);
  const int64_t offset[] = {2 * half}, size[] = {2}, stride[] = {1};
  EchoAttrArg args[] = {{"offsets", integers(ctx, offset, 1)},
                        {"sizes", integers(ctx, size, 1)},
                        {"strides", integers(ctx, stride, 1)}};
  return echo_op_result(echo_build_op(echo_kernel_builder(emitter), "vector.extract_strided_slice",
                                      &fragments, 1, &type, 1, args, 3),
                        0);
}

EchoValue *echo_warp_multiply_add(EchoKernelEmitter *emitter, EchoValue *a, EchoValue *b,
                                  int64_t half, EchoValue *sum)
{
  EchoContext *ctx = emitter->ctx;
  bool is_tf32 = echo_type_element_bytes(echo_type_element(a->type)) == 4;
  const int64_t shape[] = {16, 8, is_tf32 ? 8 : 16};
  EchoValue *operands[] = {a, half_of(emitter, b, half), sum};
  EchoAttrArg args[] = {{"mmaShape", integers(ctx, shape, 3)},
                        {"tf32Enabled", echo_attr_unit(ctx)}};
  return echo_op_result(echo_build_op(echo_kernel_builder(emitter), "nvgpu.mma.sync", operands, 3,
                                      &sum->type, 1, args, is_tf32 ? 2 : 1),
                        0);
}

EchoValue *echo_warp_fragment(EchoKernelEmitter *emitter, EchoValue *const words[4])
{
  EchoContext *ctx = emitter->ctx;
  static const float ZEROS[4] = {0};
  const EchoType *type = fragment_type(ctx, words[0]->type, 4);
  EchoValue *fragment = emitter->base.constant(
      &emitter->base, echo_attr_elements(ctx, type, ZEROS, sizeof ZEROS[0], true));
  for (int64_t i = 0; i < 4; ++i) {
    const int64_t at[] = {i, 0};
    EchoValue *operands[] = {words[i], fragment};
    EchoAttrArg args[] = {{"static_position", echo_attr_i64_array(ctx, at, 2)}};
    fragment = echo_op_result(echo_build_op(echo_kernel_builder(emitter), "vector.insert", operands,
                                            2, &type, 1, args, 1),
                              0);
  }
  return fragment;
}

EchoValue *echo_warp_zero(EchoKernelEmitter *emitter)
{
  const float zero = 0;
  return emitter->base.constant(
      &emitter->base,
      echo_attr_elements(emitter->ctx, sums_type(emitter->ctx), &zero, sizeof zero, true));
}

EchoValue *echo_warp_sum(EchoKernelEmitter *emitter, EchoValue *sums, int64_t row, int64_t column)
{
  const EchoType *type = echo_type_element(sums->type);
  const int64_t at[] = {row, column};
  EchoAttrArg args[] = {{"static_position", echo_attr_i64_array(emitter->ctx, at, 2)}};
  return echo_op_result(
      echo_build_op(echo_kernel_builder(emitter), "vector.extract", &sums, 1, &type, 1, args, 1),
      0);
}
