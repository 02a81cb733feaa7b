/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Element types as a client of the PJRT plug-in sees them, and what their arithmetic does. */
#include <math.h>

#include "tests/unit/pjrt/runs_t.h"

static void setup(void)
{
  if (api == NULL)
    load_api();
  start_client(NULL, 0);
}

/* What is compiled works on pairs of real numbers; a client sees what it asked for. */
START_TEST(complex_numbers_are_seen_as_such)
{
  PJRT_LoadedExecutable *loaded = compile("module @negated {\n"
                                          "  func.func @main(%x: tensor<2xcomplex<f32>>) -> "
                                          "tensor<2xcomplex<f32>> {\n"
                                          "    %0 = stablehlo.negate %x : "
                                          "tensor<2xcomplex<f32>>\n"
                                          "    return %0 : tensor<2xcomplex<f32>>\n"
                                          "  }\n"
                                          "}\n");
  PJRT_Client_BufferFromHostBuffer_Args in =
      ARGS(PJRT_Client_BufferFromHostBuffer, .client = client, .data = (const float[]){1, -2, 3, 4},
           .type = PJRT_Buffer_Type_C64, .dims = (const int64_t[]){2}, .num_dims = 1);
  must(api->PJRT_Client_BufferFromHostBuffer(&in));
  await(in.done_with_host_buffer);
  PJRT_Buffer *result;
  must(run(loaded, &in.buffer, 1, &result));
  PJRT_Buffer_ElementType_Args type = ARGS(PJRT_Buffer_ElementType, .buffer = result);
  must(api->PJRT_Buffer_ElementType(&type));
  ck_assert_int_eq(type.type, PJRT_Buffer_Type_C64);
  PJRT_Buffer_Dimensions_Args dims = ARGS(PJRT_Buffer_Dimensions, .buffer = result);
  must(api->PJRT_Buffer_Dimensions(&dims));
  ck_assert_uint_eq(dims.num_dims, 1);
  check4(result, -1, 2, -3, -4);
  drop(result);
  drop(in.buffer);
  unload(loaded);
}
END_TEST

/* 2^-126 and its half, which is a denormal, added to 0: with and without the option. */
START_TEST(denormals_are_flushed_or_kept)
{
  /* CompileOptionsProto { env_option_overrides { key: "echo_denormals" value { "keep" } } } */
  static const char KEEP[] = "\x3a\x18\x0a\x0e"
                             "echo_denormals\x12\x06\x0a\x04"
                             "keep";
  static const char UNKNOWN[] = "\x3a\x18\x0a\x0e"
                                "echo_denormals\x12\x06\x0a\x04"
                                "none";
  char text[256];
  PJRT_LoadedExecutable *loaded;
  PJRT_Buffer *x = put4(0x1p-126f, 0x1p-127f, -0x1p-127f, 1), *zero = put4(0, 0, 0, 0), *result;
  for (int keeps = 0; keeps < 2; keeps++) {
    must(compile_with(ADD, KEEP, keeps != 0 ? sizeof KEEP - 1 : 0, &loaded));
    must(run(loaded, (PJRT_Buffer *[]){x, zero}, 2, &result));
    float half = keeps != 0 ? 0x1p-127f : 0;
    check4(result, 0x1p-126f, half, -half, 1);
    drop(result);
    unload(loaded);
  }
  drop(x);
  drop(zero);
  ck_assert_int_eq(code_of(compile_with(ADD, UNKNOWN, sizeof UNKNOWN - 1, &loaded), text),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_msg(strstr(text, "denormals=none") != NULL, "%s", text);
}
END_TEST

/* What is infinite times a false boolean is zero, as XLA has it. */
START_TEST(products_with_booleans_select)
{
  static const char MASKED[] =
      "func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %0 = stablehlo.compare LT, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>\n"
      "  %1 = stablehlo.convert %0 : (tensor<4xi1>) -> tensor<4xf32>\n"
      "  %2 = stablehlo.multiply %1, %y : tensor<4xf32>\n"
      "  return %2 : tensor<4xf32>\n}\n";
  PJRT_LoadedExecutable *loaded;
  PJRT_Buffer *x = put4(1, INFINITY, 3, 0), *y = put4(2, INFINITY, 2, -INFINITY), *result;
  must(compile_with(MASKED, NULL, 0, &loaded));
  must(run(loaded, (PJRT_Buffer *[]){x, y}, 2, &result));
  check4(result, 2, 0, 0, 0);
  drop(result);
  unload(loaded);
  drop(x);
  drop(y);
}
END_TEST

/* An element of 4 bits is a byte, whose other bits the host may have left as they were. */
START_TEST(bits_above_an_element_are_cleared)
{
  static const unsigned char GIVEN[] = {0x9f, 0x30, 0xff}, WANTED[] = {0x0f, 0x00, 0x0f};
  unsigned char data[3];
  int64_t dim = 3;
  PJRT_Client_BufferFromHostBuffer_Args put =
      ARGS(PJRT_Client_BufferFromHostBuffer, .client = client, .data = GIVEN,
           .type = PJRT_Buffer_Type_S4, .dims = &dim, .num_dims = 1);
  must(api->PJRT_Client_BufferFromHostBuffer(&put));
  await(put.done_with_host_buffer);
  PJRT_Buffer_ToHostBuffer_Args get =
      ARGS(PJRT_Buffer_ToHostBuffer, .src = put.buffer, .dst = data, .dst_size = sizeof data);
  must(api->PJRT_Buffer_ToHostBuffer(&get));
  await(get.event);
  ck_assert_mem_eq(data, WANTED, sizeof data);
  drop(put.buffer);
}
END_TEST

/* A client makes a token of an array without elements; a program's own it knows for a token. */
START_TEST(tokens_are_seen_as_such)
{
  static const char AFTER[] = "func.func @main(%t: !stablehlo.token) -> !stablehlo.token {\n"
                              "  %0 = stablehlo.after_all %t : !stablehlo.token\n"
                              "  return %0 : !stablehlo.token\n}\n";
  static const int64_t NONE = 0;
  PJRT_LoadedExecutable *executable;
  PJRT_Buffer *tokens[3], *result;
  must(compile_with(AFTER, NULL, 0, &executable));
  PJRT_Client_BufferFromHostBuffer_Args put =
      ARGS(PJRT_Client_BufferFromHostBuffer, .client = client, .data = &NONE,
           .type = PJRT_Buffer_Type_PRED, .dims = &NONE, .num_dims = 1);
  must(api->PJRT_Client_BufferFromHostBuffer(&put));
  await(put.done_with_host_buffer);
  tokens[0] = put.buffer;
  for (int i = 0; i < 2; i++) {
    must(run(executable, &tokens[i], 1, &result));
    PJRT_Buffer_ElementType_Args type = ARGS(PJRT_Buffer_ElementType, .buffer = result);
    must(api->PJRT_Buffer_ElementType(&type));
    ck_assert_int_eq(type.type, PJRT_Buffer_Type_TOKEN);
    tokens[i + 1] = result;
  }
  for (int i = 0; i < 3; i++)
    drop(tokens[i]);
  unload(executable);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("pjrt/elements");
  TCase *tests = tcase_create("elements");
  tcase_add_checked_fixture(tests, setup, stop_client);
  tcase_add_test(tests, complex_numbers_are_seen_as_such);
  tcase_add_test(tests, denormals_are_flushed_or_kept);
  tcase_add_test(tests, products_with_booleans_select);
  tcase_add_test(tests, bits_above_an_element_are_cleared);
  tcase_add_test(tests, tokens_are_seen_as_such);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
