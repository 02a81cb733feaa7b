/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A client of the PJRT plug-in, through dlopen and its table alone. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/pjrt/runs_t.h"

/* What jax_echo sets beside the table (pjrt/plugin_t.h). */
typedef int CallbackFn(uint64_t index, const void *const *operands, void *const *results,
                       char *error, size_t error_size);
typedef void HoldFn(uint64_t index, int is_held);
static void (*set_callback)(CallbackFn *function, HoldFn *hold);

/* ---- calls ---- */

static bool is_deleted(PJRT_Buffer *buffer)
{
  PJRT_Buffer_IsDeleted_Args args = ARGS(PJRT_Buffer_IsDeleted, .buffer = buffer);
  must(api->PJRT_Buffer_IsDeleted(&args));
  return args.is_deleted;
}

static void setup(void)
{
  if (api == NULL) {
    void *library = load_api();
    void *symbol = dlsym(library, "Echo_PJRT_SetCallback");
    memcpy(&set_callback, &symbol, sizeof set_callback);
    ck_assert_ptr_nonnull(symbol);
  }
  start_client(NULL, 0);
}

/* ---- programs ---- */

static const char UPDATE[] = "module @update {\n"
                             "  func.func public @main(%w: tensor<4xf32> {tf.aliasing_output = 0 : "
                             "i32}, %g: tensor<4xf32>)\n"
                             "      -> tensor<4xf32> {\n"
                             "    %c = stablehlo.subtract %w, %g : tensor<4xf32>\n"
                             "    return %c : tensor<4xf32>\n"
                             "  }\n"
                             "}\n";

static const char DRAW[] = "module @draw {\n"
                           "  func.func public @main(%low: tensor<f32>, %high: tensor<f32>)\n"
                           "      -> tensor<4xf32> {\n"
                           "    %shape = stablehlo.constant dense<4> : tensor<1xi64>\n"
                           "    %x = stablehlo.rng %low, %high, %shape, distribution = UNIFORM\n"
                           "      : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>\n"
                           "    return %x : tensor<4xf32>\n"
                           "  }\n"
                           "}\n";

/* Windows of two elements from x on are added to y. */
static const char WINDOWS[] =
    "module @windows {\n"
    "  func.func public @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {\n"
    "    %i = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi32>\n"
    "    %j = stablehlo.reshape %i : (tensor<4xi32>) -> tensor<4x1xi32>\n"
    "    %u = stablehlo.constant dense<[[1.0, 2.0], [4.0, 8.0], [16.0, 32.0], [64.0, 128.0]]> : "
    "tensor<4x2xf32>\n"
    "    %z = \"stablehlo.scatter\"(%y, %j, %u) <{scatter_dimension_numbers = "
    "#stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], "
    "index_vector_dim = 1>}> ({\n"
    "    ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
    "      %s = stablehlo.add %a, %b : tensor<f32>\n"
    "      stablehlo.return %s : tensor<f32>\n"
    "    }) : (tensor<4xf32>, tensor<4x1xi32>, tensor<4x2xf32>) -> tensor<4xf32>\n"
    "    return %z : tensor<4xf32>\n"
    "  }\n"
    "}\n";

/* A scatter without what says what it does. */
static const char HALF[] =
    "func.func @main(%x: tensor<4xf32>, %i: tensor<1xi32>, %u: tensor<1xf32>) -> tensor<4xf32> {\n"
    "  %z = \"stablehlo.scatter\"(%x, %i, %u) ({}) : (tensor<4xf32>, tensor<1xi32>, tensor<1xf32>) "
    "-> tensor<4xf32>\n"
    "  return %z : tensor<4xf32>\n"
    "}\n";

/* ---- tests ---- */

START_TEST(the_table_is_whole)
{
  ck_assert_int_eq(api->pjrt_api_version.major_version, PJRT_API_MAJOR);
  ck_assert_int_eq(api->pjrt_api_version.minor_version, PJRT_API_MINOR);
  ck_assert_uint_eq(api->struct_size, sizeof *api);
#define IS_THERE(name) ck_assert_msg(api->name != NULL, #name);
  PJRT_FUNCTIONS(IS_THERE)
#undef IS_THERE
  PJRT_Plugin_Attributes_Args args = {.struct_size = sizeof(PJRT_Plugin_Attributes_Args)};
  must(api->PJRT_Plugin_Attributes(&args));
  bool has_version = false;
  for (size_t i = 0; i < args.num_attributes; i++)
    has_version |= strcmp(args.attributes[i].name, "stablehlo_current_version") == 0 &&
                   args.attributes[i].value_size == 3;
  ck_assert(has_version);
}
END_TEST

START_TEST(a_program_runs)
{
  PJRT_LoadedExecutable *executable = compile(ADD);
  PJRT_Buffer *args[] = {put4(1, 2, 3, 4), put4(10, 20, 30, 40)}, *result, *twice;
  must(run(executable, args, 2, &result));
  must(run(executable, (PJRT_Buffer *[]){result, result}, 2, &twice)); /* queued behind it */
  check4(twice, 22, 44, 66, 88);
  check4(result, 11, 22, 33, 44);
  drop(args[0]);
  drop(args[1]);
  drop(result);
  drop(twice);
  unload(executable);
}
END_TEST

/* Three runs, of two programs of one text: each draws numbers of its own, and again the same with
 * another client. */
static void draw_three(const PJRT_NamedValue *options, size_t n_options, float (*drawn)[4])
{
  stop_client();
  start_client(options, n_options);
  PJRT_LoadedExecutable *executables[] = {compile(DRAW), compile(DRAW)};
  PJRT_Buffer *args[] = {put(&(float){2}, NULL, 0, NULL), put(&(float){3}, NULL, 0, NULL)}, *result;
  for (size_t i = 0; i < 3; i++) {
    must(run(executables[i / 2], args, 2, &result));
    must(get(result, drawn[i], 4));
    for (size_t k = 0; k < 4; k++)
      ck_assert(drawn[i][k] >= 2 && drawn[i][k] < 3);
    drop(result);
  }
  drop(args[0]);
  drop(args[1]);
  unload(executables[0]);
  unload(executables[1]);
}

START_TEST(each_run_draws_its_own_numbers)
{
  const PJRT_NamedValue seed = {.struct_size = sizeof seed,
                                .name = "seed",
                                .name_size = strlen("seed"),
                                .type = PJRT_NamedValue_kString,
                                .string_value = "5",
                                .value_size = 1};
  float first[3][4], again[3][4], seeded[3][4];
  draw_three(NULL, 0, first);
  draw_three(NULL, 0, again);
  draw_three(&seed, 1, seeded);
  ck_assert(memcmp(first, again, sizeof first) == 0);
  for (size_t i = 0; i < 3; i++)
    for (size_t k = 0; k < 3; k++) {
      ck_assert(memcmp(first[i], seeded[k], sizeof first[i]) != 0);
      ck_assert(i == k || memcmp(first[i], first[k], sizeof first[i]) != 0);
    }
}
END_TEST

/* As XLA has it: a window that sticks out is left out. */
START_TEST(a_scatter_has_whole_windows)
{
  PJRT_LoadedExecutable *executable = compile(WINDOWS);
  PJRT_Buffer *args[] = {put4(-1, 0, 2, 3), put4(0, 0, 0, 0)}, *result;
  must(run(executable, args, 2, &result));
  check4(result, 4, 8, 16, 32);
  drop(args[0]);
  drop(args[1]);
  drop(result);
  unload(executable);
}
END_TEST

START_TEST(what_an_executable_says)
{
  PJRT_LoadedExecutable *loaded = compile(UPDATE);
  PJRT_LoadedExecutable_GetExecutable_Args get_executable =
      ARGS(PJRT_LoadedExecutable_GetExecutable, .loaded_executable = loaded);
  must(api->PJRT_LoadedExecutable_GetExecutable(&get_executable));
  PJRT_Executable *executable = get_executable.executable;
  PJRT_Executable_Name_Args name = ARGS(PJRT_Executable_Name, .executable = executable);
  must(api->PJRT_Executable_Name(&name));
  ck_assert_str_eq(name.executable_name, "update");
  PJRT_Executable_GetCompiledMemoryStats_Args stats =
      ARGS(PJRT_Executable_GetCompiledMemoryStats, .executable = executable);
  must(api->PJRT_Executable_GetCompiledMemoryStats(&stats));
  ck_assert_int_eq(stats.argument_size_in_bytes, 32);
  ck_assert_int_eq(stats.output_size_in_bytes, 16);
  ck_assert_int_eq(stats.alias_size_in_bytes, 16);
  ck_assert_int_ge(stats.peak_memory_in_bytes, 32);
  PJRT_Executable_OutputDimensions_Args dims =
      ARGS(PJRT_Executable_OutputDimensions, .executable = executable);
  must(api->PJRT_Executable_OutputDimensions(&dims));
  ck_assert_uint_eq(dims.num_outputs, 1);
  ck_assert_uint_eq(dims.dim_sizes[0], 1);
  ck_assert_int_eq(dims.dims[0], 4);
  PJRT_Executable_Serialize_Args bytes = ARGS(PJRT_Executable_Serialize, .executable = executable);
  must(api->PJRT_Executable_Serialize(&bytes));
  PJRT_Executable_DeserializeAndLoad_Args load =
      ARGS(PJRT_Executable_DeserializeAndLoad, .client = client,
           .serialized_executable = bytes.serialized_bytes,
           .serialized_executable_size = bytes.serialized_bytes_size);
  must(api->PJRT_Executable_DeserializeAndLoad(&load));
  load.serialized_executable_size--;
  ck_assert_int_eq(code_of(api->PJRT_Executable_DeserializeAndLoad(&load), NULL),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  bytes.serialized_executable_deleter(bytes.serialized_executable);
  PJRT_Executable_Destroy_Args destroy = ARGS(PJRT_Executable_Destroy, .executable = executable);
  must(api->PJRT_Executable_Destroy(&destroy));
  unload(loaded);
  PJRT_Buffer *args[] = {put4(1, 2, 3, 4), put4(1, 1, 1, 1)}, *result;
  must(run(load.loaded_executable, args, 2, &result));
  check4(result, 0, 1, 2, 3);
  drop(result);
  drop(args[0]);
  drop(args[1]);
  unload(load.loaded_executable);
}
END_TEST

/* Loads UPDATE from bytes, runs it and expects `first` of 4 - 1 or 4 * 1, with 3 behind it. */
static void load_and_check(const char *bytes, size_t size, float first)
{
  PJRT_Executable_DeserializeAndLoad_Args load =
      ARGS(PJRT_Executable_DeserializeAndLoad, .client = client, .serialized_executable = bytes,
           .serialized_executable_size = size);
  must(api->PJRT_Executable_DeserializeAndLoad(&load));
  PJRT_Buffer *args[] = {put4(4, 4, 4, 4), put4(1, 1, 1, 1)}, *result;
  must(run(load.loaded_executable, args, 2, &result));
  check4(result, first, first, first, first);
  drop(result);
  drop(args[0]);
  drop(args[1]);
  unload(load.loaded_executable);
}

/* With the program changed behind the code's back it shows which of the two runs: the code, unless
 * another build made it or it is damaged. */
START_TEST(saved_code_is_not_compiled_again)
{
  PJRT_LoadedExecutable *loaded = compile(UPDATE);
  PJRT_LoadedExecutable_GetExecutable_Args get_executable =
      ARGS(PJRT_LoadedExecutable_GetExecutable, .loaded_executable = loaded);
  must(api->PJRT_LoadedExecutable_GetExecutable(&get_executable));
  PJRT_Executable_Serialize_Args saved =
      ARGS(PJRT_Executable_Serialize, .executable = get_executable.executable);
  must(api->PJRT_Executable_Serialize(&saved));
  size_t size = saved.serialized_bytes_size;
  char *bytes = malloc(size);
  memcpy(bytes, saved.serialized_bytes, size);
  saved.serialized_executable_deleter(saved.serialized_executable);
  PJRT_Executable_Destroy_Args destroy =
      ARGS(PJRT_Executable_Destroy, .executable = get_executable.executable);
  must(api->PJRT_Executable_Destroy(&destroy));
  unload(loaded);
  load_and_check(bytes, size, 3);
  char *op = memmem(bytes, size, "stablehlo.subtract", 18);
  char *bundle = memmem(bytes, size, "EchoBndl", 8);
  ck_assert_ptr_nonnull(op);
  ck_assert_ptr_nonnull(bundle);
  memcpy(op, "stablehlo.multiply", 18);
  load_and_check(bytes, size, 3);
  bundle[100] ^= 1;
  load_and_check(bytes, size, 4);
  bundle[100] ^= 1;
  char *key = op + (bundle - op) - 2; /* the build and no options stand before the bundle */
  *key ^= 1;
  load_and_check(bytes, size, 4);
  free(bytes);
}
END_TEST

/* Compiled for a topology with a client's help; without one it is refused. What comes out is loaded
 * from its bytes. */
START_TEST(a_topology_is_compiled_for)
{
  PJRT_Client_TopologyDescription_Args topology =
      ARGS(PJRT_Client_TopologyDescription, .client = client);
  must(api->PJRT_Client_TopologyDescription(&topology));
  PJRT_Program program = {.struct_size = sizeof program,
                          .code = (char *)(uintptr_t)UPDATE,
                          .code_size = strlen(UPDATE),
                          .format = "mlir",
                          .format_size = 4};
  PJRT_Compile_Args args = ARGS(PJRT_Compile, .topology = topology.topology, .program = &program);
  ck_assert_int_eq(code_of(api->PJRT_Compile(&args), NULL), PJRT_Error_Code_UNIMPLEMENTED);
  args.client = client;
  must(api->PJRT_Compile(&args));
  PJRT_Executable_Serialize_Args bytes =
      ARGS(PJRT_Executable_Serialize, .executable = args.executable);
  must(api->PJRT_Executable_Serialize(&bytes));
  PJRT_Executable_DeserializeAndLoad_Args load =
      ARGS(PJRT_Executable_DeserializeAndLoad, .client = client,
           .serialized_executable = bytes.serialized_bytes,
           .serialized_executable_size = bytes.serialized_bytes_size);
  must(api->PJRT_Executable_DeserializeAndLoad(&load));
  bytes.serialized_executable_deleter(bytes.serialized_executable);
  PJRT_Executable_Destroy_Args destroy =
      ARGS(PJRT_Executable_Destroy, .executable = args.executable);
  must(api->PJRT_Executable_Destroy(&destroy));
  PJRT_Buffer *buffers[] = {put4(1, 2, 3, 4), put4(1, 1, 1, 1)}, *result;
  must(run(load.loaded_executable, buffers, 2, &result));
  check4(result, 0, 1, 2, 3);
  drop(result);
  drop(buffers[0]);
  drop(buffers[1]);
  unload(load.loaded_executable);
}
END_TEST

START_TEST(donated_buffers_are_gone_and_kept_ones_are_not)
{
  PJRT_LoadedExecutable *executable = compile(UPDATE);
  PJRT_Buffer *w = put4(1, 2, 3, 4), *g = put4(1, 1, 1, 1), *kept, *donated, *none;
  must(run_keeping(executable, (PJRT_Buffer *[]){w, g}, 2, &kept, (const int64_t[]){0}, 1));
  ck_assert(!is_deleted(w));
  check4(kept, 0, 1, 2, 3);
  check4(w, 1, 2, 3, 4);
  ck_assert_int_eq(code_of(run(executable, (PJRT_Buffer *[]){w, w}, 2, &none), NULL),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert(!is_deleted(w));
  must(run(executable, (PJRT_Buffer *[]){w, g}, 2, &donated));
  ck_assert(is_deleted(w));
  ck_assert(!is_deleted(g));
  check4(donated, 0, 1, 2, 3);
  ck_assert_int_eq(code_of(run(executable, (PJRT_Buffer *[]){w, g}, 2, &none), NULL),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_int_eq(code_of(get(w, (float[4]){0}, 4), NULL), PJRT_Error_Code_INVALID_ARGUMENT);
  drop(w);
  drop(g);
  drop(kept);
  drop(donated);
  unload(executable);
}
END_TEST

START_TEST(an_outsider_keeps_what_is_donated)
{
  PJRT_LoadedExecutable *executable = compile(UPDATE);
  PJRT_Buffer *w = put4(1, 2, 3, 4), *g = put4(1, 1, 1, 1), *result;
  PJRT_Buffer_IncreaseExternalReferenceCount_Args more =
      ARGS(PJRT_Buffer_IncreaseExternalReferenceCount, .buffer = w);
  must(api->PJRT_Buffer_IncreaseExternalReferenceCount(&more));
  PJRT_Buffer_UnsafePointer_Args address = ARGS(PJRT_Buffer_UnsafePointer, .buffer = w);
  must(api->PJRT_Buffer_UnsafePointer(&address));
  PJRT_Buffer *copy = w;
  PJRT_Buffer_CopyToDevice_Args copies = ARGS(PJRT_Buffer_CopyToDevice, .buffer = w);
  PJRT_Client_Devices_Args devices = ARGS(PJRT_Client_Devices, .client = client);
  must(api->PJRT_Client_Devices(&devices));
  copies.dst_device = devices.devices[0];
  must(api->PJRT_Buffer_CopyToDevice(&copies));
  copy = copies.dst_buffer;
  must(run(executable, (PJRT_Buffer *[]){w, g}, 2, &result));
  check4(result, 0, 1, 2, 3);
  check4(copy, 1, 2, 3, 4);
  ck_assert(is_deleted(w)); /* but what was in it is still there to be seen */
  PJRT_Buffer *others[] = {put4(5, 6, 7, 8), put4(9, 9, 9, 9)};
  for (int i = 0; i < 4; i++)
    ck_assert_float_eq(((const float *)address.buffer_pointer)[i], (float)(i + 1));
  PJRT_Buffer_DecreaseExternalReferenceCount_Args less =
      ARGS(PJRT_Buffer_DecreaseExternalReferenceCount, .buffer = w);
  must(api->PJRT_Buffer_DecreaseExternalReferenceCount(&less));
  ck_assert_int_eq(code_of(api->PJRT_Buffer_DecreaseExternalReferenceCount(&less), NULL),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  must(api->PJRT_Buffer_IncreaseExternalReferenceCount(
      &(PJRT_Buffer_IncreaseExternalReferenceCount_Args)ARGS(
          PJRT_Buffer_IncreaseExternalReferenceCount, .buffer = g)));
  drop(others[0]);
  drop(others[1]);
  drop(w);
  drop(g); /* with who looks at it */
  drop(copy);
  drop(result);
  unload(executable);
}
END_TEST

START_TEST(hosts_may_have_any_layout)
{
  /* A 2x3 array, transposed and backwards: element (i, k) is data[5 - (2k + i)]. */
  const float data[] = {0, 1, 2, 3, 4, 5};
  const int64_t dims[] = {2, 3}, strides[] = {-4, -8}, column_major[] = {0, 1};
  PJRT_Buffer *buffer = put(data + 5, dims, 2, strides);
  float rows[6], columns[6];
  must(get(buffer, rows, 6));
  ck_assert_int_eq(memcmp(rows, (const float[]){5, 3, 1, 4, 2, 0}, sizeof rows), 0);
  PJRT_Buffer_MemoryLayout layout = {.struct_size = sizeof layout,
                                     .type = PJRT_Buffer_MemoryLayout_Type_Tiled};
  layout.tiled.minor_to_major = column_major;
  layout.tiled.minor_to_major_size = 2;
  PJRT_Buffer_ToHostBuffer_Args args =
      ARGS(PJRT_Buffer_ToHostBuffer, .src = buffer, .host_layout = &layout, .dst = columns,
           .dst_size = sizeof columns);
  must(api->PJRT_Buffer_ToHostBuffer(&args));
  await(args.event);
  ck_assert_int_eq(memcmp(columns, (const float[]){5, 4, 3, 2, 1, 0}, sizeof columns), 0);
  args.dst_size--;
  ck_assert_int_eq(code_of(api->PJRT_Buffer_ToHostBuffer(&args), NULL),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  drop(buffer);
}
END_TEST

START_TEST(bad_programs_say_where)
{
  char text[256];
  PJRT_LoadedExecutable *none;
  ck_assert_int_eq(code_of(compile_with("module {\n  nonsense\n}\n", NULL, 0, &none), text),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_msg(strstr(text, "program:2:3: error:") != NULL, "%s", text);
  ck_assert_int_eq(code_of(compile_with(HALF, NULL, 0, &none), text),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_msg(strstr(text, "program:2:8: error:") != NULL, "%s", text);
  ck_assert_int_eq(code_of(compile_with("ML\xefR\x0d", NULL, 0, &none), text),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_msg(strstr(text, "bytecode") != NULL, "%s", text);
  ck_assert_int_eq(code_of(compile_with(ADD, "\xff\xff", 2, &none), text),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  /* CompileOptionsProto { executable_build_options { num_replicas: 2 } } */
  ck_assert_int_eq(code_of(compile_with(ADD, "\x1a\x02\x20\x02", 4, &none), text),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  /* CompileOptionsProto { env_option_overrides { key: "echo_budget" value { "1B" } } } */
  static const char BUDGET[] = "\x3a\x13\x0a\x0b"
                               "echo_budget\x12\x04\x0a\x02"
                               "1B";
  ck_assert_int_eq(code_of(compile_with(ADD, BUDGET, sizeof BUDGET - 1, &none), text),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_msg(strstr(text, "budget") != NULL, "%s", text);
  /* the same of { key: "nonsense" value { "on" } } */
  static const char NONSENSE[] = "\x3a\x10\x0a\x08"
                                 "nonsense\x12\x04\x0a\x02"
                                 "on";
  ck_assert_int_eq(code_of(compile_with(ADD, NONSENSE, sizeof NONSENSE - 1, &none), text),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_msg(strstr(text, "No such compile option: 'nonsense'") != NULL, "%s", text);
  /* the same of { key: "echo_swap" value { "on" } } */
  static const char SWAP[] = "\x3a\x11\x0a\x09"
                             "echo_swap\x12\x04\x0a\x02"
                             "on";
  ck_assert_int_eq(code_of(compile_with(ADD, SWAP, sizeof SWAP - 1, &none), text),
                   PJRT_Error_Code_UNIMPLEMENTED);
  ck_assert_msg(strstr(text, "swap") != NULL, "%s", text);
  PJRT_Program hlo = {.struct_size = sizeof hlo, .code = text, .format = "hlo", .format_size = 3};
  PJRT_Client_Compile_Args args = ARGS(PJRT_Client_Compile, .client = client, .program = &hlo);
  ck_assert_int_eq(code_of(api->PJRT_Client_Compile(&args), text), PJRT_Error_Code_UNIMPLEMENTED);
  ck_assert_msg(strstr(text, "XLA_STABLEHLO_COMPILE=1") != NULL, "%s", text);
}
END_TEST

START_TEST(wrong_arguments_are_refused)
{
  PJRT_LoadedExecutable *executable = compile(ADD);
  PJRT_Buffer *a = put4(1, 2, 3, 4), *b = put((const float[]){1, 2}, (const int64_t[]){2}, 1, NULL);
  PJRT_Buffer *results[1];
  PJRT_Buffer *const wrong[][2] = {{a, b}, {a, NULL}, {a, (PJRT_Buffer *)(uintptr_t)executable}};
  for (size_t i = 0; i < 3; i++)
    ck_assert_int_eq(code_of(run(executable, wrong[i], 2, results), NULL),
                     PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_int_eq(code_of(run(executable, &a, 1, results), NULL),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  drop(b);
  ck_assert_int_eq(code_of(run(executable, (PJRT_Buffer *[]){a, b}, 2, results), NULL),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  PJRT_Buffer_Destroy_Args again = ARGS(PJRT_Buffer_Destroy, .buffer = b);
  ck_assert_int_eq(code_of(api->PJRT_Buffer_Destroy(&again), NULL),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  unload(executable);
  ck_assert_int_eq(code_of(run(executable, (PJRT_Buffer *[]){a, a}, 2, results), NULL),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  PJRT_Client_BufferFromHostBuffer_Args huge =
      ARGS(PJRT_Client_BufferFromHostBuffer, .client = client, .data = results,
           .type = PJRT_Buffer_Type_F32, .dims = (const int64_t[]){INT64_MAX, 3}, .num_dims = 2);
  ck_assert_int_eq(code_of(api->PJRT_Client_BufferFromHostBuffer(&huge), NULL),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  drop(a);
}
END_TEST

/* Every function but the two that answer nothing: without arguments, with a struct that is too
 * small, and with one whose pointers are all NULL. */
START_TEST(hostile_calls_are_answered)
{
  union {
    size_t struct_size;
    char bytes[512];
  } args;
  PJRT_Error *(*call)(void *);
#define HOSTILE(name)                                                                              \
  if (strcmp(#name, "PJRT_Error_Destroy") != 0 && strcmp(#name, "PJRT_Error_Message") != 0) {      \
    memcpy(&call, &api->name, sizeof call);                                                        \
    ck_assert_msg(code_of(call(NULL), NULL) != PJRT_Error_Code_OK, #name);                         \
    memset(&args, 0, sizeof args);                                                                 \
    args.struct_size = sizeof(size_t);                                                             \
    ck_assert_msg(code_of(call(&args), NULL) != PJRT_Error_Code_OK, #name);                        \
  }
  PJRT_FUNCTIONS(HOSTILE)
#undef HOSTILE
#define EMPTY(name)                                                                                \
  if (strstr(#name, "_Create") == NULL && strcmp(#name, "PJRT_Error_Destroy") != 0 &&              \
      strcmp(#name, "PJRT_Error_Message") != 0) {                                                  \
    memcpy(&call, &api->name, sizeof call);                                                        \
    memset(&args, 0, sizeof args);                                                                 \
    args.struct_size = sizeof args;                                                                \
    code_of(call(&args), NULL);                                                                    \
  }
  PJRT_FUNCTIONS(EMPTY)
#undef EMPTY
  api->PJRT_Error_Destroy(NULL);
  api->PJRT_Error_Message(NULL);
}
END_TEST

/* ---- events ---- */

static void count(PJRT_Error *error, void *user)
{
  int *n = user;
  *n += error == NULL ? 1 : 100;
  code_of(error, NULL);
}

START_TEST(callbacks_run_once_it_is_done)
{
  PJRT_Event_Create_Args create = {.struct_size = sizeof(PJRT_Event_Create_Args)};
  must(api->PJRT_Event_Create(&create));
  int n = 0;
  PJRT_Event_OnReady_Args on_ready =
      ARGS(PJRT_Event_OnReady, .event = create.event, .callback = count, .user_arg = &n);
  must(api->PJRT_Event_OnReady(&on_ready));
  PJRT_Event_IsReady_Args is_ready = ARGS(PJRT_Event_IsReady, .event = create.event);
  must(api->PJRT_Event_IsReady(&is_ready));
  ck_assert(!is_ready.is_ready);
  ck_assert_int_eq(n, 0);
  PJRT_Event_Set_Args set =
      ARGS(PJRT_Event_Set, .event = create.event, .error_code = PJRT_Error_Code_ABORTED,
           .error_message = "why", .error_message_size = 3);
  must(api->PJRT_Event_Set(&set));
  ck_assert_int_eq(n, 100);
  must(api->PJRT_Event_OnReady(&on_ready));
  ck_assert_int_eq(n, 200);
  PJRT_Event_Await_Args wait = ARGS(PJRT_Event_Await, .event = create.event);
  ck_assert_int_eq(code_of(api->PJRT_Event_Await(&wait), NULL), PJRT_Error_Code_ABORTED);
  PJRT_Event_Destroy_Args destroy = ARGS(PJRT_Event_Destroy, .event = create.event);
  must(api->PJRT_Event_Destroy(&destroy));
  ck_assert_int_eq(code_of(api->PJRT_Event_Destroy(&destroy), NULL),
                   PJRT_Error_Code_INVALID_ARGUMENT);
}
END_TEST

/* ---- threads ---- */

static void *work(void *user)
{
  PJRT_LoadedExecutable *executable = compile(ADD);
  PJRT_Buffer *sum = put4(0, 0, 0, 0), *one = put4(1, 2, 3, 4), *next;
  for (int i = 0; i < 50; i++) {
    PJRT_Error *error = run(executable, (PJRT_Buffer *[]){sum, one}, 2, &next);
    if (error != NULL)
      return code_of(error, NULL), NULL;
    drop(sum);
    sum = next;
  }
  check4(sum, 50, 100, 150, 200);
  drop(sum);
  drop(one);
  unload(executable);
  return user;
}

START_TEST(two_threads_share_a_client)
{
  pthread_t threads[2];
  int some = 0, *user = &some;
  for (int i = 0; i < 2; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, work, user), 0);
  for (int i = 0; i < 2; i++) {
    void *result;
    ck_assert_int_eq(pthread_join(threads[i], &result), 0);
    ck_assert_ptr_eq(result, user);
  }
}
END_TEST

/* Clients compile on threads of their own: a chain of ops far deeper than such a stack. */
static void *compile_chain(void *user)
{
  enum { N = 3000 };
  char *text = malloc(N * 64 + 512), *end = text;
  end += sprintf(end, "func.func public @main(%%x0: tensor<4xf32>, %%w: tensor<4xf32>) -> "
                      "tensor<4xf32> {\n");
  for (int i = 0; i < N; i++)
    end += sprintf(end, "%%x%d = stablehlo.%s %%x%d, %%w : tensor<4xf32>\n", i + 1,
                   i % 2 == 0 ? "add" : "multiply", i);
  sprintf(end, "return %%x%d : tensor<4xf32>\n}\n", N);
  unload(compile(text));
  free(text);
  return user;
}

START_TEST(small_stacks_suffice)
{
  int some = 0, *user = &some;
  pthread_attr_t attributes;
  pthread_t thread;
  void *result;
  pthread_attr_init(&attributes);
  ck_assert_int_eq(pthread_attr_setstacksize(&attributes, 32 << 10), 0);
  ck_assert_int_eq(pthread_create(&thread, &attributes, compile_chain, user), 0);
  ck_assert_int_eq(pthread_join(thread, &result), 0);
  ck_assert_ptr_eq(result, user);
  pthread_attr_destroy(&attributes);
}
END_TEST

START_TEST(buffers_outlive_their_client)
{
  PJRT_LoadedExecutable *executable = compile(ADD);
  PJRT_Buffer *a = put4(1, 2, 3, 4), *result;
  must(run(executable, (PJRT_Buffer *[]){a, a}, 2, &result));
  stop_client();
  check4(result, 2, 4, 6, 8);
  drop(a);
  drop(result);
  unload(executable);
  PJRT_Client_Destroy_Args again = ARGS(PJRT_Client_Destroy, .client = client);
  ck_assert_int_eq(code_of(api->PJRT_Client_Destroy(&again), NULL),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  setup();
}
END_TEST

/* Calls 7 (an effect, twice the operand) and 8 (fails), in the order of the program. */
static int n_called, n_held;

static int call_back(uint64_t index, const void *const *operands, void *const *results, char *error,
                     size_t error_size)
{
  n_called++;
  const float *in = operands[0];
  float *out = results[0];
  if (index != 7) {
    snprintf(error, error_size, "callback %d", (int)index);
    return 0;
  }
  for (size_t i = 0; i < 4; i++)
    out[i] = 2 * in[i];
  return 1;
}

static void hold(uint64_t index, int is_held)
{
  ck_assert(index == 7 || index == 8);
  n_held += is_held ? 1 : -1;
}

/* The run that makes the buffer fails, and says so to whoever waits for it. */
static void fails_with(PJRT_Buffer *buffer, const char *why)
{
  char text[256] = "";
  float data[4];
  PJRT_Buffer_ToHostBuffer_Args args =
      ARGS(PJRT_Buffer_ToHostBuffer, .src = buffer, .dst = data, .dst_size = sizeof data);
  must(api->PJRT_Buffer_ToHostBuffer(&args));
  PJRT_Event_Await_Args wait = ARGS(PJRT_Event_Await, .event = args.event);
  ck_assert_int_eq(code_of(api->PJRT_Event_Await(&wait), text), PJRT_Error_Code_INTERNAL);
  ck_assert_msg(strstr(text, why) != NULL, "%s", text);
  PJRT_Event_Destroy_Args destroy = ARGS(PJRT_Event_Destroy, .event = args.event);
  must(api->PJRT_Event_Destroy(&destroy));
}

#define CALL(name, operand, index)                                                                 \
  "    " name " = stablehlo.custom_call @echo_python_callback(" operand ") {api_version = 4 : "    \
  "i32, backend_config = {index = " index " : ui64}, has_side_effect = true} : (tensor<4xf32>) "   \
  "-> tensor<4xf32>\n"

START_TEST(programs_call_back)
{
  static const char TWICE[] =
      "module {\n"
      "  func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n" CALL("%b", "%a", "7")
          CALL("%c", "%b", "7") "    return %c : tensor<4xf32>\n"
                                "  }\n"
                                "}\n";
  static const char FAILS[] =
      "module {\n"
      "  func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n" CALL("%b", "%a", "7")
          CALL("%c", "%a", "8") CALL("%d", "%a", "7") "    return %b : tensor<4xf32>\n"
                                                      "  }\n"
                                                      "}\n";
  PJRT_Buffer *a = put4(1, 2, 3, 4), *result;
  n_called = n_held = 0;
  PJRT_LoadedExecutable *unset = compile(TWICE);
  must(run(unset, &a, 1, &result));
  fails_with(result, "the client has set no callback");
  drop(result);
  unload(unset);
  set_callback(call_back, hold);
  PJRT_LoadedExecutable *twice = compile(TWICE), *fails = compile(FAILS);
  ck_assert_int_eq(n_held, 5);
  must(run(twice, &a, 1, &result));
  unload(twice); /* which runs on */
  check4(result, 4, 8, 12, 16);
  drop(result);
  ck_assert_int_eq(n_called, 2);
  must(run(fails, &a, 1, &result));
  fails_with(result, "which failed: callback 8");
  ck_assert_int_eq(n_called, 4); /* nothing comes behind what failed */
  drop(result);
  drop(a);
  unload(fails);
  ck_assert_int_eq(n_held, 0);
  set_callback(NULL, NULL);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("pjrt/client");
  TCase *tests = tcase_create("client");
  tcase_add_checked_fixture(tests, setup, stop_client);
  tcase_add_test(tests, the_table_is_whole);
  tcase_add_test(tests, a_program_runs);
  tcase_add_test(tests, each_run_draws_its_own_numbers);
  tcase_add_test(tests, a_scatter_has_whole_windows);
  tcase_add_test(tests, what_an_executable_says);
  tcase_add_test(tests, saved_code_is_not_compiled_again);
  tcase_add_test(tests, a_topology_is_compiled_for);
  tcase_add_test(tests, donated_buffers_are_gone_and_kept_ones_are_not);
  tcase_add_test(tests, an_outsider_keeps_what_is_donated);
  tcase_add_test(tests, hosts_may_have_any_layout);
  tcase_add_test(tests, bad_programs_say_where);
  tcase_add_test(tests, wrong_arguments_are_refused);
  tcase_add_test(tests, hostile_calls_are_answered);
  tcase_add_test(tests, callbacks_run_once_it_is_done);
  tcase_add_test(tests, two_threads_share_a_client);
  tcase_add_test(tests, small_stacks_suffice);
  tcase_add_test(tests, buffers_outlive_their_client);
  tcase_add_test(tests, programs_call_back);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
