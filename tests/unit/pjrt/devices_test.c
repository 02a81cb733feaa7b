/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A client of several devices: buffers on each, programs for many of them. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/pjrt/calls_t.h"

enum { N = 4, WIDTH = 3 };

static PJRT_Device *devices[N];

static void setup(void)
{
  if (api == NULL)
    load_api();
  const PJRT_NamedValue four = {.struct_size = sizeof four,
                                .name = "devices",
                                .name_size = strlen("devices"),
                                .type = PJRT_NamedValue_kString,
                                .string_value = "4",
                                .value_size = 1};
  start_client(&four, 1);
  PJRT_Client_AddressableDevices_Args args = ARGS(PJRT_Client_AddressableDevices, .client = client);
  must(api->PJRT_Client_AddressableDevices(&args));
  ck_assert_uint_eq(args.num_addressable_devices, N);
  memcpy(devices, args.addressable_devices, sizeof devices);
}

/* ---- buffers ---- */

static PJRT_Buffer *put(int device, const float *data, int64_t n)
{
  PJRT_Client_BufferFromHostBuffer_Args args =
      ARGS(PJRT_Client_BufferFromHostBuffer, .client = client, .data = data,
           .type = PJRT_Buffer_Type_F32, .dims = &n, .num_dims = 1, .device = devices[device]);
  must(api->PJRT_Client_BufferFromHostBuffer(&args));
  await(args.done_with_host_buffer);
  return args.buffer;
}

/* The error of the copy, or of what makes the buffer. */
static PJRT_Error *get(PJRT_Buffer *buffer, float *data, size_t n)
{
  PJRT_Buffer_ToHostBuffer_Args args =
      ARGS(PJRT_Buffer_ToHostBuffer, .src = buffer, .dst = data, .dst_size = n * sizeof *data);
  must(api->PJRT_Buffer_ToHostBuffer(&args));
  PJRT_Event_Await_Args wait = ARGS(PJRT_Event_Await, .event = args.event);
  PJRT_Error *error = api->PJRT_Event_Await(&wait);
  PJRT_Event_Destroy_Args done = ARGS(PJRT_Event_Destroy, .event = args.event);
  must(api->PJRT_Event_Destroy(&done));
  return error;
}

static PJRT_Device *device_of(PJRT_Buffer *buffer)
{
  PJRT_Buffer_Device_Args args = ARGS(PJRT_Buffer_Device, .buffer = buffer);
  must(api->PJRT_Buffer_Device(&args));
  return args.device;
}

static int64_t bytes_in_use(int device)
{
  PJRT_Device_MemoryStats_Args args = ARGS(PJRT_Device_MemoryStats, .device = devices[device]);
  must(api->PJRT_Device_MemoryStats(&args));
  return args.bytes_in_use;
}

/* ---- programs ---- */

/* A CompileOptionsProto of so many partitions, on the devices named. */
static size_t options_for(char *out, size_t n, const int *ids)
{
  char assignment[64], *at = assignment, build[96], *b = build;
  *at++ = 0x08, *at++ = 1, *at++ = 0x10, *at++ = (char)n;
  for (size_t i = 0; i < n; i++)
    *at++ = 0x1a, *at++ = 3, *at++ = 0x0a, *at++ = 1, *at++ = (char)ids[i];
  *b++ = 0x20, *b++ = 1, *b++ = 0x28, *b++ = (char)n, *b++ = 0x4a, *b++ = (char)(at - assignment);
  memcpy(b, assignment, (size_t)(at - assignment));
  b += at - assignment;
  out[0] = 0x1a;
  out[1] = (char)(b - build);
  memcpy(out + 2, build, (size_t)(b - build));
  return 2 + (size_t)(b - build);
}

static PJRT_Error *compile(const char *text, size_t n, const int *ids,
                           PJRT_LoadedExecutable **executable)
{
  char options[128];
  return compile_with(text, options, options_for(options, n, ids), executable);
}

/* One argument and one result a device. */
static PJRT_Error *run(PJRT_LoadedExecutable *executable, size_t n, PJRT_Buffer *const *args,
                       PJRT_Buffer **results, PJRT_Event **events)
{
  PJRT_Buffer *const *in[N];
  PJRT_Buffer **out[N];
  PJRT_ExecuteOptions options = {.struct_size = sizeof options};
  for (size_t i = 0; i < n; i++) {
    in[i] = &args[i];
    out[i] = &results[i];
  }
  PJRT_LoadedExecutable_Execute_Args call =
      ARGS(PJRT_LoadedExecutable_Execute, .executable = executable, .options = &options,
           .argument_lists = in, .num_devices = n, .num_args = 1, .output_lists = out,
           .device_complete_events = events);
  return api->PJRT_LoadedExecutable_Execute(&call);
}

/* Each device's own, and the sum of all. */
static const char SUMS[] =
    "module @sums attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {\n"
    "  sdy.mesh @mesh = <[\"x\"=4]>\n"
    "  func.func public @main(%a: tensor<12xf32>) -> tensor<12xf32> {\n"
    "    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{\"x\"}]>]\n"
    "        out_shardings=[<@mesh, [{\"x\"}]>] manual_axes={\"x\"} (%b: tensor<3xf32>) {\n"
    "      %s = \"stablehlo.all_reduce\"(%b) <{channel_handle =\n"
    "          #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups =\n"
    "          dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({\n"
    "      ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
    "        %z = stablehlo.add %x, %y : tensor<f32>\n"
    "        stablehlo.return %z : tensor<f32>\n"
    "      }) : (tensor<3xf32>) -> tensor<3xf32>\n"
    "      %t = stablehlo.add %s, %b : tensor<3xf32>\n"
    "      sdy.return %t : tensor<3xf32>\n"
    "    } : (tensor<12xf32>) -> tensor<12xf32>\n"
    "    return %0 : tensor<12xf32>\n"
    "  }\n"
    "}\n";
/* The batch is divided: each adds up its part, and the sum of all goes to each. */
static const char TOTAL[] =
    "module @total attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {\n"
    "  sdy.mesh @mesh = <[\"x\"=4]>\n"
    "  func.func public @main(%a: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, "
    "[{\"x\"}]>})\n"
    "      -> tensor<f32> {\n"
    "    %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "    %b = stablehlo.multiply %a, %a : tensor<12xf32>\n"
    "    %s = stablehlo.reduce(%b init: %z) applies stablehlo.add across dimensions = [0]\n"
    "        : (tensor<12xf32>, tensor<f32>) -> tensor<f32>\n"
    "    return %s : tensor<f32>\n"
    "  }\n"
    "}\n";
/* Of an array that is cut: the whole is doubled, and a part of its rows goes out. */
static const char DOUBLED[] =
    "module @doubled attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {\n"
    "  sdy.mesh @mesh = <[\"x\"=4]>\n"
    "  func.func public @main(%a: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, "
    "[{\"x\"}]>})\n"
    "      -> (tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) {\n"
    "    %r = stablehlo.reverse %a, dims = [0] : tensor<12xf32>\n"
    "    %b = stablehlo.add %r, %r : tensor<12xf32>\n"
    "    return %b : tensor<12xf32>\n"
    "  }\n"
    "}\n";

/* A call that nobody knows, reached where an element is not positive: on the first device. */
static const char TRAP[] =
    "module @trap attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {\n"
    "  sdy.mesh @mesh = <[\"x\"=4]>\n"
    "  func.func public @main(%a: tensor<12xf32>) -> tensor<12xf32> {\n"
    "    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{\"x\"}]>]\n"
    "        out_shardings=[<@mesh, [{\"x\"}]>] manual_axes={\"x\"} (%b: tensor<3xf32>) {\n"
    "      %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "      %e = stablehlo.slice %b [0:1] : (tensor<3xf32>) -> tensor<1xf32>\n"
    "      %s = stablehlo.reshape %e : (tensor<1xf32>) -> tensor<f32>\n"
    "      %p = stablehlo.compare GT, %s, %z : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
    "      %c = \"stablehlo.if\"(%p) ({\n"
    "        stablehlo.return %b : tensor<3xf32>\n"
    "      }, {\n"
    "        %u = stablehlo.custom_call @nobody.knows(%b) : (tensor<3xf32>) -> tensor<3xf32>\n"
    "        stablehlo.return %u : tensor<3xf32>\n"
    "      }) : (tensor<i1>) -> tensor<3xf32>\n"
    "      %t = \"stablehlo.all_reduce\"(%c) <{channel_handle =\n"
    "          #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups =\n"
    "          dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({\n"
    "      ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
    "        %m = stablehlo.maximum %x, %y : tensor<f32>\n"
    "        stablehlo.return %m : tensor<f32>\n"
    "      }) : (tensor<3xf32>) -> tensor<3xf32>\n"
    "      sdy.return %t : tensor<3xf32>\n"
    "    } : (tensor<12xf32>) -> tensor<12xf32>\n"
    "    return %0 : tensor<12xf32>\n"
    "  }\n"
    "}\n";

/* A sum that those come to whose first element is positive: not the first device. */
static const char MISSED[] =
    "module @missed attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {\n"
    "  sdy.mesh @mesh = <[\"x\"=4]>\n"
    "  func.func public @main(%a: tensor<12xf32>) -> tensor<12xf32> {\n"
    "    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{\"x\"}]>]\n"
    "        out_shardings=[<@mesh, [{\"x\"}]>] manual_axes={\"x\"} (%b: tensor<3xf32>) {\n"
    "      %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "      %e = stablehlo.slice %b [0:1] : (tensor<3xf32>) -> tensor<1xf32>\n"
    "      %s = stablehlo.reshape %e : (tensor<1xf32>) -> tensor<f32>\n"
    "      %p = stablehlo.compare GT, %s, %z : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
    "      %c = \"stablehlo.if\"(%p) ({\n"
    "        %t = \"stablehlo.all_reduce\"(%b) <{channel_handle =\n"
    "            #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups =\n"
    "            dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({\n"
    "        ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
    "          %m = stablehlo.add %x, %y : tensor<f32>\n"
    "          stablehlo.return %m : tensor<f32>\n"
    "        }) : (tensor<3xf32>) -> tensor<3xf32>\n"
    "        stablehlo.return %t : tensor<3xf32>\n"
    "      }, {\n"
    "        ELSE\n"
    "      }) : (tensor<i1>) -> tensor<3xf32>\n"
    "      sdy.return %c : tensor<3xf32>\n"
    "    } : (tensor<12xf32>) -> tensor<12xf32>\n"
    "    return %0 : tensor<12xf32>\n"
    "  }\n"
    "}\n";
/* What the first device does meanwhile: nothing, or another call of the same group. */
static const char NOTHING[] = "stablehlo.return %b : tensor<3xf32>\n";
static const char ANOTHER[] =
    "%t = \"stablehlo.all_reduce\"(%b) <{channel_handle =\n"
    "    #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups =\n"
    "    dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({\n"
    "^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
    "  %m = stablehlo.multiply %x, %y : tensor<f32>\n"
    "  stablehlo.return %m : tensor<f32>\n"
    "}) : (tensor<3xf32>) -> tensor<3xf32>\n"
    "stablehlo.return %t : tensor<3xf32>\n";

/* ---- tests ---- */

START_TEST(devices_have_buffers_of_their_own)
{
  float data[] = {1, 2, 3}, back[3];
  int64_t before[N];
  for (int i = 0; i < N; i++)
    before[i] = bytes_in_use(i);
  PJRT_Buffer *buffer = put(2, data, 3);
  ck_assert_ptr_eq(device_of(buffer), devices[2]);
  for (int i = 0; i < N; i++)
    ck_assert_int_eq(bytes_in_use(i) - before[i], i == 2 ? (int64_t)sizeof data : 0);
  PJRT_Buffer_CopyToDevice_Args copy =
      ARGS(PJRT_Buffer_CopyToDevice, .buffer = buffer, .dst_device = devices[1]);
  must(api->PJRT_Buffer_CopyToDevice(&copy));
  ck_assert_ptr_eq(device_of(copy.dst_buffer), devices[1]);
  must(get(copy.dst_buffer, back, 3));
  ck_assert_float_eq(back[2], 3);
  drop(copy.dst_buffer);
  drop(buffer);
  ck_assert_int_eq(bytes_in_use(1), before[1]);
}
END_TEST

static void put_all(PJRT_Buffer **args, const int *ids)
{
  for (int i = 0; i < N; i++) {
    float data[WIDTH];
    for (int k = 0; k < WIDTH; k++)
      data[k] = (float)(WIDTH * i + k);
    args[i] = put(ids[i], data, WIDTH);
  }
}

START_TEST(many_devices_run_one_program)
{
  static const int IDS[] = {3, 1, 0, 2};
  PJRT_LoadedExecutable *executable;
  PJRT_Buffer *args[N], *results[N];
  PJRT_Event *events[N];
  must(compile(SUMS, N, IDS, &executable));
  put_all(args, IDS);
  for (int again = 0; again < 3; again++) {
    must(run(executable, N, args, results, events));
    for (int i = 0; i < N; i++) {
      float back[WIDTH];
      await(events[i]);
      must(get(results[i], back, WIDTH));
      ck_assert_ptr_eq(device_of(results[i]), devices[IDS[i]]);
      for (int k = 0; k < WIDTH; k++)
        ck_assert_float_eq(back[k], (float)(18 + 4 * k + WIDTH * i + k));
      drop(results[i]);
    }
  }
  for (int i = 0; i < N; i++)
    drop(args[i]);
  unload(executable);
}
END_TEST

START_TEST(what_is_cut_is_gathered_where_no_device_is_named)
{
  static const int IDS[] = {0, 1, 2, 3};
  PJRT_LoadedExecutable *executable;
  PJRT_Buffer *args[N], *results[N];
  must(compile(DOUBLED, N, IDS, &executable));
  put_all(args, IDS);
  must(run(executable, N, args, results, NULL));
  for (int i = 0; i < N; i++) {
    float back[WIDTH];
    must(get(results[i], back, WIDTH));
    for (int k = 0; k < WIDTH; k++)
      ck_assert_float_eq(back[k], (float)(2 * (11 - (WIDTH * i + k))));
    drop(results[i]);
    drop(args[i]);
  }
  unload(executable);
}
END_TEST

/* Whether the program as each device runs it has the text. */
static bool says(PJRT_LoadedExecutable *loaded, const char *text)
{
  PJRT_LoadedExecutable_GetExecutable_Args get_it =
      ARGS(PJRT_LoadedExecutable_GetExecutable, .loaded_executable = loaded);
  must(api->PJRT_LoadedExecutable_GetExecutable(&get_it));
  PJRT_Program program = {.struct_size = sizeof program};
  PJRT_Executable_OptimizedProgram_Args args =
      ARGS(PJRT_Executable_OptimizedProgram, .executable = get_it.executable, .program = &program);
  must(api->PJRT_Executable_OptimizedProgram(&args));
  program.code = calloc(program.code_size + 1, 1);
  ck_assert_ptr_nonnull(program.code);
  must(api->PJRT_Executable_OptimizedProgram(&args));
  bool is_there = strstr(program.code, text) != NULL;
  free(program.code);
  PJRT_Executable_Destroy_Args done =
      ARGS(PJRT_Executable_Destroy, .executable = get_it.executable);
  must(api->PJRT_Executable_Destroy(&done));
  return is_there;
}

START_TEST(a_batch_is_divided)
{
  static const int IDS[] = {0, 1, 2, 3};
  PJRT_LoadedExecutable *executable;
  PJRT_Buffer *args[N], *results[N];
  must(compile(TOTAL, N, IDS, &executable));
  ck_assert(says(executable, "stablehlo.all_reduce"));
  ck_assert(!says(executable, "stablehlo.all_gather"));
  ck_assert(says(executable, "mhlo.spmd_parameters_shardings = [\"{devices=[4]0,1,2,3}\"]"));
  ck_assert(says(executable, "mhlo.spmd_output_sharding = \"{replicated}\""));
  put_all(args, IDS);
  must(run(executable, N, args, results, NULL));
  for (int i = 0; i < N; i++) {
    float back;
    must(get(results[i], &back, 1));
    ck_assert_float_eq(back, 506); /* 1 + 4 + 9 … + 121 */
    drop(results[i]);
    drop(args[i]);
  }
  unload(executable);
}
END_TEST

static void check_missed(const char *meanwhile, const char *said)
{
  static const int IDS[] = {0, 1, 2, 3};
  PJRT_LoadedExecutable *executable;
  PJRT_Buffer *args[N], *results[N];
  char program[sizeof MISSED + sizeof ANOTHER], text[256];
  float back[WIDTH];
  const char *at = strstr(MISSED, "ELSE");
  snprintf(program, sizeof program, "%.*s%s%s", (int)(at - MISSED), MISSED, meanwhile, at + 4);
  must(compile(program, N, IDS, &executable));
  for (int again = 0; again < 2; again++) {
    put_all(args, IDS);
    must(run(executable, N, args, results, NULL));
    for (int i = 0; i < N; i++) {
      ck_assert_int_eq(code_of(get(results[i], back, WIDTH), text), PJRT_Error_Code_INTERNAL);
      ck_assert_ptr_nonnull(strstr(text, "not all of its group join it"));
      ck_assert_msg(strstr(text, said) != NULL, "%s", text);
      drop(results[i]);
      drop(args[i]);
    }
  }
  for (int i = 0; i < N; i++) /* and it runs where all come */
    args[i] = put(i, (const float[]){1, 2, (float)i}, WIDTH);
  must(run(executable, N, args, results, NULL));
  for (int i = 0; i < N; i++) {
    must(get(results[i], back, WIDTH));
    ck_assert_float_eq(back[2], 0 + 1 + 2 + 3);
    drop(results[i]);
    drop(args[i]);
  }
  unload(executable);
}

START_TEST(a_call_that_not_all_join_ends_all)
{
  check_missed(NOTHING, "rank 0 has ended");
  check_missed(ANOTHER, "rank 0 has come to echo.mpi.all_reduce at");
}
END_TEST

START_TEST(one_that_fails_ends_all)
{
  static const int IDS[] = {0, 1, 2, 3};
  PJRT_LoadedExecutable *executable;
  PJRT_Buffer *args[N], *results[N];
  float back[WIDTH];
  must(compile(TRAP, N, IDS, &executable));
  for (int again = 0; again < 2; again++) {
    put_all(args, IDS);
    must(run(executable, N, args, results, NULL));
    for (int i = 0; i < N; i++) {
      char text[256];
      ck_assert_int_eq(code_of(get(results[i], back, WIDTH), text), PJRT_Error_Code_INTERNAL);
      ck_assert_ptr_nonnull(strstr(text, "nobody.knows"));
      drop(results[i]);
      drop(args[i]);
    }
  }
  for (int i = 0; i < N; i++) /* and it runs where none fails */
    args[i] = put(i, (float[]){(float)(i + 1), 0, 0}, WIDTH);
  must(run(executable, N, args, results, NULL));
  for (int i = 0; i < N; i++) {
    must(get(results[i], back, WIDTH));
    ck_assert_float_eq(back[0], N);
    drop(results[i]);
    drop(args[i]);
  }
  unload(executable);
}
END_TEST

START_TEST(wrong_devices_are_refused)
{
  static const int IDS[] = {0, 1, 2, 3}, TWICE[] = {0, 1, 1, 3}, NONE[] = {0, 1, 2, 4};
  PJRT_LoadedExecutable *executable;
  PJRT_Buffer *args[N], *results[N];
  char text[256];
  ck_assert_int_eq(code_of(compile(SUMS, N, TWICE, &executable), text),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_str_eq(text, "device 1 is to run a program twice");
  ck_assert_int_eq(code_of(compile(SUMS, N, NONE, &executable), text),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_str_eq(text, "there is no device of id 4");
  static const int FIVE[] = {0, 1, 2, 3, 0};
  ck_assert_int_eq(code_of(compile(SUMS, 5, FIVE, &executable), text),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_str_eq(text, "a program for 5 devices: there are 4 (ECHO_CPU_DEVICES=5 makes as many)");
  must(compile(SUMS, N, IDS, &executable));
  put_all(args, TWICE);
  ck_assert_int_eq(code_of(run(executable, N, args, results, NULL), text),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_str_eq(text, "argument 0 is on device 1, the program runs on device 2");
  ck_assert_int_eq(code_of(run(executable, 2, args, results, NULL), text),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_str_eq(text, "a run on 2 devices of a program for 4");
  for (int i = 0; i < N; i++)
    drop(args[i]);
  unload(executable);
}
END_TEST

/* ---- replicas that are asked for one by one ---- */

/* So many replicas, on the devices from the first on. */
static PJRT_LoadedExecutable *compile_replicas(const char *text, char n)
{
  const char options[] = {0x1a, 4, 0x20, n, 0x28, 1};
  PJRT_LoadedExecutable *executable;
  must(compile_with(text, options, sizeof options, &executable));
  return executable;
}

/* On one device alone. */
static PJRT_Error *run_on(PJRT_LoadedExecutable *executable, int device, PJRT_Buffer *argument,
                          PJRT_Buffer **result, PJRT_Event **event)
{
  PJRT_Buffer *const *in = &argument;
  PJRT_ExecuteOptions options = {.struct_size = sizeof options};
  PJRT_LoadedExecutable_Execute_Args call =
      ARGS(PJRT_LoadedExecutable_Execute, .executable = executable, .options = &options,
           .argument_lists = &in, .num_devices = 1, .num_args = 1, .output_lists = &result,
           .device_complete_events = event, .execute_device = devices[device]);
  return api->PJRT_LoadedExecutable_Execute(&call);
}

static const char NEGATED[] = "func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {\n"
                              "  %b = stablehlo.negate %a : tensor<3xf32>\n"
                              "  return %b : tensor<3xf32>\n"
                              "}\n";
static const char SUM_OF_TWO[] = "func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {\n"
                                 "  %s = \"stablehlo.all_reduce\"(%a) <{replica_groups =\n"
                                 "      dense<[[0, 1]]> : tensor<1x2xi64>}> ({\n"
                                 "  ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
                                 "    %z = stablehlo.add %x, %y : tensor<f32>\n"
                                 "    stablehlo.return %z : tensor<f32>\n"
                                 "  }) : (tensor<3xf32>) -> tensor<3xf32>\n"
                                 "  return %s : tensor<3xf32>\n"
                                 "}\n";

static void check_all(PJRT_Buffer *buffer, float wanted)
{
  float data[WIDTH];
  must(get(buffer, data, WIDTH));
  for (size_t i = 0; i < WIDTH; i++)
    ck_assert_float_eq(data[i], wanted);
}

static PJRT_Buffer *filled(int device, float value)
{
  const float data[WIDTH] = {value, value, value};
  return put(device, data, WIDTH);
}

START_TEST(a_replica_runs_by_itself)
{
  PJRT_LoadedExecutable *executable = compile_replicas(NEGATED, 4);
  PJRT_Buffer *argument = filled(2, 5), *result;
  char text[256];
  must(run_on(executable, 2, argument, &result, NULL));
  ck_assert_ptr_eq(device_of(result), devices[2]);
  check_all(result, -5);
  drop(result);
  ck_assert_int_eq(code_of(run_on(executable, 1, argument, &result, NULL), text),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(text, "is on device 2, the program runs on device 1"));
  drop(argument);
  unload(executable);
  executable = compile_replicas(NEGATED, 2);
  argument = filled(3, 1);
  ck_assert_int_eq(code_of(run_on(executable, 3, argument, &result, NULL), text),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(text, "a run on another device"));
  drop(argument);
  unload(executable);
}
END_TEST

/* One device is asked for its part of two sums, for what reads the last, and for a copy of that,
 * before the other is asked for anything. */
START_TEST(replicas_that_need_each_other_wait)
{
  PJRT_LoadedExecutable *sum = compile_replicas(SUM_OF_TWO, 2), *one = compile_replicas(NEGATED, 2);
  PJRT_Buffer *args[] = {filled(1, 1), filled(1, 10), filled(0, 2), filled(0, 20)};
  PJRT_Buffer *sums[N], *read, *copy, *other;
  must(run_on(sum, 1, args[0], &sums[0], NULL));
  must(run_on(sum, 1, args[1], &sums[1], NULL));
  must(run_on(one, 1, sums[1], &read, NULL));
  PJRT_Buffer_CopyToDevice_Args to =
      ARGS(PJRT_Buffer_CopyToDevice, .buffer = read, .dst_device = devices[0]);
  must(api->PJRT_Buffer_CopyToDevice(&to));
  copy = to.dst_buffer;
  must(run_on(sum, 0, args[2], &sums[2], NULL));
  must(run_on(one, 0, sums[2], &other, NULL));
  must(run_on(sum, 0, args[3], &sums[3], NULL));
  check_all(sums[0], 3);
  check_all(sums[1], 30);
  check_all(sums[2], 3);
  check_all(sums[3], 30);
  check_all(read, -30);
  check_all(copy, -30);
  check_all(other, -3);
  for (size_t i = 0; i < N; i++) {
    drop(args[i]);
    drop(sums[i]);
  }
  drop(read);
  drop(copy);
  drop(other);
  unload(sum);
  unload(one);
}
END_TEST

/* A client's two threads compile one program at once, and each runs its own. */
START_TEST(a_program_that_was_compiled_twice_is_one)
{
  PJRT_LoadedExecutable *sums[] = {compile_replicas(SUM_OF_TWO, 2),
                                   compile_replicas(SUM_OF_TWO, 2)};
  for (int round = 0; round < 2; round++) {
    PJRT_Buffer *args[] = {filled(0, 1), filled(1, 2)}, *results[2];
    must(run_on(sums[0], 0, args[0], &results[0], NULL));
    must(run_on(sums[1], 1, args[1], &results[1], NULL));
    for (size_t i = 0; i < 2; i++) {
      check_all(results[i], 3);
      drop(args[i]);
      drop(results[i]);
    }
  }
  unload(sums[0]);
  unload(sums[1]);
}
END_TEST

/* Each of two devices waits for the other in a program of its own: an error of both, and of what
 * reads their results; the devices go on. */
START_TEST(devices_that_wait_for_each_other_are_told)
{
  static const char PRODUCT_OF_TWO[] =
      "func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {\n"
      "  %s = \"stablehlo.all_reduce\"(%a) <{replica_groups = dense<[[0, 1]]> : "
      "tensor<1x2xi64>}> ({\n"
      "  ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
      "    %z = stablehlo.multiply %x, %y : tensor<f32>\n"
      "    stablehlo.return %z : tensor<f32>\n"
      "  }) : (tensor<3xf32>) -> tensor<3xf32>\n"
      "  return %s : tensor<3xf32>\n"
      "}\n";
  PJRT_LoadedExecutable *programs[] = {compile_replicas(SUM_OF_TWO, 2),
                                       compile_replicas(PRODUCT_OF_TWO, 2)};
  PJRT_LoadedExecutable *one = compile_replicas(NEGATED, 2);
  PJRT_Buffer *args[] = {filled(0, 2), filled(1, 3)}, *results[2], *read;
  char text[256];
  float data[WIDTH];
  must(run_on(programs[0], 0, args[0], &results[0], NULL));
  must(run_on(one, 0, results[0], &read, NULL));
  must(run_on(programs[1], 1, args[1], &results[1], NULL));
  for (size_t i = 0; i < 2; i++) {
    ck_assert_int_eq(code_of(get(results[i], data, WIDTH), text),
                     PJRT_Error_Code_FAILED_PRECONDITION);
    ck_assert_ptr_nonnull(strstr(text, "wait in another program"));
    drop(results[i]);
  }
  ck_assert_int_eq(code_of(get(read, data, WIDTH), text), PJRT_Error_Code_FAILED_PRECONDITION);
  drop(read);
  for (size_t i = 0; i < 2; i++)
    must(run_on(programs[1], (int)i, args[i], &results[i], NULL));
  for (size_t i = 0; i < 2; i++) {
    check_all(results[i], 6);
    drop(results[i]);
    drop(args[i]);
    unload(programs[i]);
  }
  unload(one);
}
END_TEST

START_TEST(a_client_that_ends_gives_up_what_waits)
{
  PJRT_LoadedExecutable *sum = compile_replicas(SUM_OF_TWO, 2);
  PJRT_Buffer *argument = filled(1, 1), *result;
  PJRT_Event *event;
  char text[256];
  must(run_on(sum, 1, argument, &result, &event));
  drop(argument);
  drop(result);
  unload(sum);
  stop_client();
  PJRT_Event_Await_Args wait = ARGS(PJRT_Event_Await, .event = event);
  ck_assert_int_eq(code_of(api->PJRT_Event_Await(&wait), text), PJRT_Error_Code_CANCELLED);
  ck_assert_ptr_nonnull(strstr(text, "before it ran a program on all of its devices"));
  PJRT_Event_Destroy_Args done = ARGS(PJRT_Event_Destroy, .event = event);
  must(api->PJRT_Event_Destroy(&done));
  setup();
}
END_TEST

START_TEST(as_many_devices_as_there_can_be)
{
  static const char *const WRONG[] = {"0", "1025", "two", ""};
  for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
    char text[256];
    setenv("ECHO_CPU_DEVICES", WRONG[i], 1);
    PJRT_Client_Create_Args args = ARGS(PJRT_Client_Create, .num_options = 0);
    PJRT_Error_Code code = code_of(api->PJRT_Client_Create(&args), text);
    unsetenv("ECHO_CPU_DEVICES");
    if (WRONG[i][0] == '\0') { /* as if it were not set */
      ck_assert_int_eq(code, PJRT_Error_Code_OK);
      destroy_client(args.client);
    } else {
      ck_assert_int_eq(code, PJRT_Error_Code_INVALID_ARGUMENT);
      ck_assert_ptr_nonnull(strstr(text, "is no number from 1 to 1024"));
    }
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("devices");
  TCase *tests = tcase_create("all");
  tcase_set_timeout(tests, 300);
  tcase_add_checked_fixture(tests, setup, stop_client);
  tcase_add_test(tests, devices_have_buffers_of_their_own);
  tcase_add_test(tests, many_devices_run_one_program);
  tcase_add_test(tests, what_is_cut_is_gathered_where_no_device_is_named);
  tcase_add_test(tests, a_batch_is_divided);
  tcase_add_test(tests, a_call_that_not_all_join_ends_all);
  tcase_add_test(tests, one_that_fails_ends_all);
  tcase_add_test(tests, wrong_devices_are_refused);
  tcase_add_test(tests, a_replica_runs_by_itself);
  tcase_add_test(tests, replicas_that_need_each_other_wait);
  tcase_add_test(tests, a_program_that_was_compiled_twice_is_one);
  tcase_add_test(tests, devices_that_wait_for_each_other_are_told);
  tcase_add_test(tests, a_client_that_ends_gives_up_what_waits);
  tcase_add_test(tests, as_many_devices_as_there_can_be);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
