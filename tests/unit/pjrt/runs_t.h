/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs of one device that are compiled and run, and buffers of floats. */
#ifndef ECHO_TESTS_UNIT_PJRT_RUNS_T_H
#define ECHO_TESTS_UNIT_PJRT_RUNS_T_H

#include "tests/unit/pjrt/calls_t.h"

static const char ADD[] = "module @sums {\n"
                          "  func.func public @main(%a: tensor<4xf32>, %b: tensor<4xf32>)\n"
                          "      -> tensor<4xf32> {\n"
                          "    %c = stablehlo.add %a, %b : tensor<4xf32>\n"
                          "    return %c : tensor<4xf32>\n"
                          "  }\n"
                          "}\n";

static inline PJRT_LoadedExecutable *compile(const char *text)
{
  PJRT_LoadedExecutable *executable;
  must(compile_with(text, NULL, 0, &executable));
  return executable;
}

static inline PJRT_Buffer *put(const float *data, const int64_t *dims, size_t n_dims,
                               const int64_t *strides)
{
  PJRT_Client_BufferFromHostBuffer_Args args =
      ARGS(PJRT_Client_BufferFromHostBuffer, .client = client, .data = data,
           .type = PJRT_Buffer_Type_F32, .dims = dims, .num_dims = n_dims, .byte_strides = strides,
           .num_byte_strides = strides != NULL ? n_dims : 0);
  must(api->PJRT_Client_BufferFromHostBuffer(&args));
  await(args.done_with_host_buffer);
  return args.buffer;
}

static inline PJRT_Buffer *put4(float a, float b, float c, float d)
{
  return put((const float[]){a, b, c, d}, (const int64_t[]){4}, 1, NULL);
}

static inline PJRT_Error *get(PJRT_Buffer *buffer, float *data, size_t n)
{
  PJRT_Buffer_ToHostBuffer_Args args =
      ARGS(PJRT_Buffer_ToHostBuffer, .src = buffer, .dst = data, .dst_size = n * sizeof *data);
  PJRT_Error *error = api->PJRT_Buffer_ToHostBuffer(&args);
  if (error == NULL)
    await(args.event);
  return error;
}

static inline void check4(PJRT_Buffer *buffer, float a, float b, float c, float d)
{
  float data[4];
  must(get(buffer, data, 4));
  ck_assert_float_eq(data[0], a);
  ck_assert_float_eq(data[1], b);
  ck_assert_float_eq(data[2], c);
  ck_assert_float_eq(data[3], d);
}

static inline PJRT_Error *run_keeping(PJRT_LoadedExecutable *executable, PJRT_Buffer *const *args,
                                      size_t n_args, PJRT_Buffer **results, const int64_t *kept,
                                      size_t n_kept)
{
  PJRT_ExecuteOptions options = {.struct_size = sizeof options,
                                 .non_donatable_input_indices = kept,
                                 .num_non_donatable_input_indices = n_kept};
  PJRT_LoadedExecutable_Execute_Args call =
      ARGS(PJRT_LoadedExecutable_Execute, .executable = executable, .options = &options,
           .argument_lists = &args, .num_devices = 1, .num_args = n_args, .output_lists = &results);
  return api->PJRT_LoadedExecutable_Execute(&call);
}

static inline PJRT_Error *run(PJRT_LoadedExecutable *executable, PJRT_Buffer *const *args,
                              size_t n_args, PJRT_Buffer **results)
{
  return run_keeping(executable, args, n_args, results, NULL, 0);
}

#endif
