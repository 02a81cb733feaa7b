/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The memories of a device: arrays in the host's, programs that take them from there and leave them
 * there, and how either is counted. */
#include <stdlib.h>

#include "tests/unit/pjrt/calls_t.h"

static PJRT_Device *device;
static PJRT_Memory *own, *pinned;

static void setup(void)
{
  if (api == NULL)
    load_api();
  start_client(NULL, 0);
  PJRT_Client_AddressableDevices_Args devices =
      ARGS(PJRT_Client_AddressableDevices, .client = client);
  must(api->PJRT_Client_AddressableDevices(&devices));
  device = devices.addressable_devices[0];
  PJRT_Device_AddressableMemories_Args memories =
      ARGS(PJRT_Device_AddressableMemories, .device = device);
  must(api->PJRT_Device_AddressableMemories(&memories));
  ck_assert_uint_eq(memories.num_memories, 3);
  own = memories.memories[0];
  pinned = memories.memories[1];
}

/* Four numbers. */
static PJRT_Buffer *put(float first, PJRT_Memory *memory)
{
  float data[] = {first, first + 1, first + 2, first + 3};
  int64_t dim = 4;
  PJRT_Client_BufferFromHostBuffer_Args args =
      ARGS(PJRT_Client_BufferFromHostBuffer, .client = client, .data = data,
           .type = PJRT_Buffer_Type_F32, .dims = &dim, .num_dims = 1, .memory = memory);
  must(api->PJRT_Client_BufferFromHostBuffer(&args));
  await(args.done_with_host_buffer);
  return args.buffer;
}

/* Four numbers from `first` on, in `memory`. */
static void check(PJRT_Buffer *buffer, float first, PJRT_Memory *memory)
{
  float data[4];
  PJRT_Buffer_ToHostBuffer_Args args =
      ARGS(PJRT_Buffer_ToHostBuffer, .src = buffer, .dst = data, .dst_size = sizeof data);
  must(api->PJRT_Buffer_ToHostBuffer(&args));
  await(args.event);
  for (int i = 0; i < 4; i++)
    ck_assert_float_eq(data[i], first + (float)i);
  PJRT_Buffer_Memory_Args where = ARGS(PJRT_Buffer_Memory, .buffer = buffer);
  must(api->PJRT_Buffer_Memory(&where));
  ck_assert_ptr_eq(where.memory, memory);
}

static int64_t bytes_in_use(void)
{
  PJRT_Device_MemoryStats_Args stats = ARGS(PJRT_Device_MemoryStats, .device = device);
  must(api->PJRT_Device_MemoryStats(&stats));
  return stats.bytes_in_use;
}

static PJRT_Error *run(PJRT_LoadedExecutable *executable, PJRT_Buffer *const *args,
                       PJRT_Buffer **results)
{
  PJRT_LoadedExecutable_Execute_Args call =
      ARGS(PJRT_LoadedExecutable_Execute, .executable = executable, .argument_lists = &args,
           .num_devices = 1, .num_args = 2, .output_lists = &results);
  return api->PJRT_LoadedExecutable_Execute(&call);
}

/* A step whose second argument, and its new value, are in the host's memory. */
static const char STEP[] =
    "func.func public @main(%p: tensor<4xf32>, %m: tensor<4xf32> {mhlo.memory_kind = "
    "\"pinned_host\"}) -> (tensor<4xf32> {mhlo.memory_kind = \"device\"}, tensor<4xf32> "
    "{mhlo.memory_kind = \"pinned_host\"}) {\n"
    "  %0 = stablehlo.subtract %p, %m : tensor<4xf32>\n"
    "  %1 = stablehlo.add %p, %m : tensor<4xf32>\n"
    "  return %0, %1 : tensor<4xf32>, tensor<4xf32>\n"
    "}\n";
/* A donated argument of either memory takes a result of the other. */
static const char EXCHANGE[] =
    "func.func public @main(%p: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %m: tensor<4xf32> "
    "{mhlo.memory_kind = \"pinned_host\", tf.aliasing_output = 1 : i32}) -> (tensor<4xf32> "
    "{mhlo.memory_kind = \"pinned_host\"}, tensor<4xf32>) {\n"
    "  %0 = stablehlo.negate %p : tensor<4xf32>\n"
    "  %1 = stablehlo.negate %0 : tensor<4xf32>\n"
    "  %2 = stablehlo.subtract %m, %p : tensor<4xf32>\n"
    "  %3 = stablehlo.add %2, %p : tensor<4xf32>\n"
    "  return %1, %3 : tensor<4xf32>, tensor<4xf32>\n"
    "}\n";

START_TEST(memories_have_kinds)
{
  static const char *const KINDS[] = {"device", "pinned_host", "unpinned_host"};
  PJRT_Device_AddressableMemories_Args memories =
      ARGS(PJRT_Device_AddressableMemories, .device = device);
  must(api->PJRT_Device_AddressableMemories(&memories));
  for (int i = 0; i < 3; i++) {
    PJRT_Memory_Kind_Args kind = ARGS(PJRT_Memory_Kind, .memory = memories.memories[i]);
    must(api->PJRT_Memory_Kind(&kind));
    ck_assert_uint_eq(kind.kind_size, strlen(KINDS[i]));
    ck_assert_str_eq(kind.kind, KINDS[i]);
    PJRT_Memory_Kind_Id_Args kind_id = ARGS(PJRT_Memory_Kind_Id, .memory = memories.memories[i]);
    must(api->PJRT_Memory_Kind_Id(&kind_id));
    ck_assert_int_eq(kind_id.kind_id, i);
  }
  PJRT_Device_DefaultMemory_Args first = ARGS(PJRT_Device_DefaultMemory, .device = device);
  must(api->PJRT_Device_DefaultMemory(&first));
  ck_assert_ptr_eq(first.memory, own);
  PJRT_Client_AddressableMemories_Args all =
      ARGS(PJRT_Client_AddressableMemories, .client = client);
  must(api->PJRT_Client_AddressableMemories(&all));
  ck_assert_uint_eq(all.num_addressable_memories, 3);
}
END_TEST

/* What is in the host's memory is not the device's. */
START_TEST(arrays_go_between_memories)
{
  int64_t before = bytes_in_use();
  PJRT_Buffer *there = put(1, pinned);
  check(there, 1, pinned);
  ck_assert_int_eq(bytes_in_use(), before);
  PJRT_Buffer_CopyToMemory_Args copy =
      ARGS(PJRT_Buffer_CopyToMemory, .buffer = there, .dst_memory = own);
  must(api->PJRT_Buffer_CopyToMemory(&copy));
  check(copy.dst_buffer, 1, own);
  ck_assert_int_eq(bytes_in_use(), before + 16);
  drop(copy.dst_buffer);
  drop(there);
}
END_TEST

START_TEST(a_step_keeps_its_state_in_the_host)
{
  PJRT_LoadedExecutable *step;
  must(compile_with(STEP, NULL, 0, &step));
  PJRT_LoadedExecutable_GetExecutable_Args get =
      ARGS(PJRT_LoadedExecutable_GetExecutable, .loaded_executable = step);
  must(api->PJRT_LoadedExecutable_GetExecutable(&get));
  PJRT_Executable_GetCompiledMemoryStats_Args stats =
      ARGS(PJRT_Executable_GetCompiledMemoryStats, .executable = get.executable);
  must(api->PJRT_Executable_GetCompiledMemoryStats(&stats));
  ck_assert_int_eq(stats.argument_size_in_bytes, 16);
  ck_assert_int_eq(stats.output_size_in_bytes, 16);
  ck_assert_int_eq(stats.host_argument_size_in_bytes, 16);
  ck_assert_int_eq(stats.host_output_size_in_bytes, 16);
  ck_assert_int_eq(stats.host_temp_size_in_bytes, 0);
  ck_assert_int_eq(stats.peak_memory_in_bytes, 32 + stats.temp_size_in_bytes);
  PJRT_Executable_OutputMemoryKinds_Args kinds =
      ARGS(PJRT_Executable_OutputMemoryKinds, .executable = get.executable);
  must(api->PJRT_Executable_OutputMemoryKinds(&kinds));
  ck_assert_str_eq(kinds.memory_kinds[0], "device");
  ck_assert_str_eq(kinds.memory_kinds[1], "pinned_host");
  PJRT_Executable_Destroy_Args destroy =
      ARGS(PJRT_Executable_Destroy, .executable = get.executable);
  must(api->PJRT_Executable_Destroy(&destroy));

  PJRT_Buffer *args[] = {put(5, own), put(1, pinned)}, *results[2];
  must(run(step, args, results));
  float ignored[4]; /* the run is over once a result is read */
  PJRT_Buffer_ToHostBuffer_Args read =
      ARGS(PJRT_Buffer_ToHostBuffer, .src = results[0], .dst = ignored, .dst_size = 16);
  must(api->PJRT_Buffer_ToHostBuffer(&read));
  await(read.event);
  for (int i = 0; i < 4; i++)
    ck_assert_float_eq(ignored[i], 4);
  PJRT_Buffer_Memory_Args where = ARGS(PJRT_Buffer_Memory, .buffer = results[1]);
  must(api->PJRT_Buffer_Memory(&where));
  ck_assert_ptr_eq(where.memory, pinned);
  PJRT_Device_MemoryStats_Args used = ARGS(PJRT_Device_MemoryStats, .device = device);
  must(api->PJRT_Device_MemoryStats(&used));
  ck_assert_int_eq(used.peak_bytes_in_use, stats.peak_memory_in_bytes);
  ck_assert(used.bytes_limit_is_set);
  ck_assert_int_gt(used.bytes_limit, used.peak_bytes_in_use);

  char why[256];
  PJRT_Buffer *wrong[] = {args[0], args[0]}, *none[2];
  ck_assert_int_eq(code_of(run(step, wrong, none), why), PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_str_eq(why, "argument 1 is in device memory, the program wants it in pinned_host");
  for (int i = 0; i < 2; i++) {
    drop(args[i]);
    drop(results[i]);
  }
  unload(step);
}
END_TEST

START_TEST(storage_may_change_hands)
{
  PJRT_LoadedExecutable *exchange;
  must(compile_with(EXCHANGE, NULL, 0, &exchange));
  int64_t before = bytes_in_use();
  PJRT_Buffer *args[] = {put(5, own), put(1, pinned)}, *results[2];
  must(run(exchange, args, results));
  check(results[0], 5, pinned);
  check(results[1], 1, own);
  drop(args[0]);
  drop(args[1]);
  unload(exchange);
  ck_assert_int_eq(bytes_in_use(), before + 16);
  drop(results[0]);
  ck_assert_int_eq(bytes_in_use(), before + 16);
  drop(results[1]);
  ck_assert_int_eq(bytes_in_use(), before);
}
END_TEST

START_TEST(unknown_memories_are_refused)
{
  PJRT_LoadedExecutable *none;
  char why[256];
  static const char TAPE[] = "func.func @main(%a: tensor<4xf32> {mhlo.memory_kind = \"tape\"}) -> "
                             "tensor<4xf32> {\n  return %a : tensor<4xf32>\n}\n";
  ck_assert_int_eq(code_of(compile_with(TAPE, NULL, 0, &none), why),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_msg(strstr(why, "mhlo.memory_kind is \"tape\"") != NULL, "%s", why);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("pjrt/memories");
  TCase *tests = tcase_create("memories");
  tcase_add_checked_fixture(tests, setup, stop_client);
  tcase_add_test(tests, memories_have_kinds);
  tcase_add_test(tests, arrays_go_between_memories);
  tcase_add_test(tests, a_step_keeps_its_state_in_the_host);
  tcase_add_test(tests, storage_may_change_hands);
  tcase_add_test(tests, unknown_memories_are_refused);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
