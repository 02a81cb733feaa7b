/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arrays whose dimensions lie in another order than by rows: buffers, programs that take and give
 * them, and what the extension says. */
#include <stdio.h>

#include "pjrt/layouts_abi.h"
#include "tests/unit/pjrt/calls_t.h"

static const PJRT_Layouts_Extension *layouts;
static int64_t COLUMNS[] = {0, 1}, ROWS[] = {1, 0}, DIMS[] = {2, 3};
static const float X[] = {1, 2, 3, 4, 5, 6}, X_BY_COLUMNS[] = {1, 4, 2, 5, 3, 6};

static void setup(void)
{
  if (api == NULL)
    load_api();
  const PJRT_Extension_Base *extension = api->extension_start;
  while (extension != NULL && extension->type != PJRT_EXTENSION_LAYOUTS)
    extension = extension->next;
  layouts = (const void *)extension;
  ck_assert_ptr_nonnull(layouts);
  start_client(NULL, 0);
}

static PJRT_Buffer_MemoryLayout layout_of(const int64_t *minor_to_major)
{
  PJRT_Buffer_MemoryLayout layout = {.struct_size = sizeof layout,
                                     .type = PJRT_Buffer_MemoryLayout_Type_Tiled};
  layout.tiled.struct_size = sizeof layout.tiled;
  layout.tiled.minor_to_major = minor_to_major;
  layout.tiled.minor_to_major_size = 2;
  return layout;
}

/* X, by rows in the host's memory. */
static PJRT_Error *put(const int64_t *minor_to_major_or_null, PJRT_Buffer **buffer)
{
  PJRT_Buffer_MemoryLayout layout = layout_of(minor_to_major_or_null);
  PJRT_Client_BufferFromHostBuffer_Args args =
      ARGS(PJRT_Client_BufferFromHostBuffer, .client = client, .data = X,
           .type = PJRT_Buffer_Type_F32, .dims = DIMS, .num_dims = 2,
           .device_layout = minor_to_major_or_null != NULL ? &layout : NULL);
  PJRT_Error *error = api->PJRT_Client_BufferFromHostBuffer(&args);
  if (error == NULL)
    await(args.done_with_host_buffer);
  *buffer = args.buffer;
  return error;
}

/* What the host gets in this layout; NULL: as it lies. */
static void check(PJRT_Buffer *buffer, const int64_t *minor_to_major_or_null, const float *wanted)
{
  float data[6];
  PJRT_Buffer_MemoryLayout layout = layout_of(minor_to_major_or_null);
  PJRT_Buffer_ToHostBuffer_Args args =
      ARGS(PJRT_Buffer_ToHostBuffer, .src = buffer, .dst = data, .dst_size = sizeof data,
           .host_layout = minor_to_major_or_null != NULL ? &layout : NULL);
  must(api->PJRT_Buffer_ToHostBuffer(&args));
  await(args.event);
  for (int i = 0; i < 6; i++)
    ck_assert_float_eq(data[i], wanted[i]);
}

static void check_text(PJRT_Layouts_MemoryLayout *layout, const char *wanted)
{
  PJRT_Layouts_MemoryLayout_Serialize_Args args =
      ARGS(PJRT_Layouts_MemoryLayout_Serialize, .layout = layout);
  must(layouts->PJRT_Layouts_MemoryLayout_Serialize(&args));
  ck_assert_uint_eq(args.serialized_bytes_size, strlen(wanted));
  ck_assert_mem_eq(args.serialized_bytes, wanted, strlen(wanted));
  args.serialized_layout_deleter(args.serialized_layout);
}

static void check_order(PJRT_Buffer *buffer, const char *wanted)
{
  PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args args =
      ARGS(PJRT_Layouts_PJRT_Buffer_MemoryLayout, .buffer = buffer);
  must(layouts->PJRT_Layouts_PJRT_Buffer_MemoryLayout(&args));
  check_text(args.layout, wanted);
  PJRT_Layouts_MemoryLayout_Destroy_Args destroy =
      ARGS(PJRT_Layouts_MemoryLayout_Destroy, .layout = args.layout);
  must(layouts->PJRT_Layouts_MemoryLayout_Destroy(&destroy));
  ck_assert_int_eq(code_of(layouts->PJRT_Layouts_MemoryLayout_Destroy(&destroy), NULL),
                   PJRT_Error_Code_INVALID_ARGUMENT);
}

START_TEST(a_buffer_lies_as_it_was_asked_for)
{
  PJRT_Buffer *buffer, *copy;
  must(put(COLUMNS, &buffer));
  check_order(buffer, "{0,1}");
  check(buffer, NULL, X_BY_COLUMNS);
  check(buffer, ROWS, X);
  check(buffer, COLUMNS, X_BY_COLUMNS);
  PJRT_Buffer_Memory_Args where = ARGS(PJRT_Buffer_Memory, .buffer = buffer);
  must(api->PJRT_Buffer_Memory(&where));
  PJRT_Buffer_CopyToMemory_Args args =
      ARGS(PJRT_Buffer_CopyToMemory, .buffer = buffer, .dst_memory = where.memory);
  must(api->PJRT_Buffer_CopyToMemory(&args));
  copy = args.dst_buffer;
  check_order(copy, "{0,1}");
  check(copy, ROWS, X);
  drop(buffer);
  drop(copy);
  must(put(NULL, &buffer));
  check_order(buffer, "{1,0}");
  check(buffer, COLUMNS, X_BY_COLUMNS);
  drop(buffer);
}
END_TEST

START_TEST(what_is_no_order_is_refused)
{
  int64_t twice[] = {1, 1}, outside[] = {2, 0};
  PJRT_Buffer *buffer;
  ck_assert_int_eq(code_of(put(twice, &buffer), NULL), PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_int_eq(code_of(put(outside, &buffer), NULL), PJRT_Error_Code_INVALID_ARGUMENT);
  PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args args =
      ARGS(PJRT_Layouts_PJRT_Client_GetDefaultLayout, .client = client,
           .type = PJRT_Buffer_Type_F32, .dims = DIMS, .num_dims = 2);
  must(layouts->PJRT_Layouts_PJRT_Client_GetDefaultLayout(&args));
  check_text(args.layout, "{1,0}");
  PJRT_Layouts_MemoryLayout_Destroy_Args destroy =
      ARGS(PJRT_Layouts_MemoryLayout_Destroy, .layout = args.layout);
  must(layouts->PJRT_Layouts_MemoryLayout_Destroy(&destroy));
  static const char TILES[] =
      "func.func @main(%x: tensor<2x3xf32> {mhlo.layout_mode = \"{1,0:T(8,128)}\"}) -> "
      "tensor<2x3xf32> {\n  return %x : tensor<2x3xf32>\n}\n";
  char text[256];
  PJRT_LoadedExecutable *executable;
  ck_assert_int_eq(code_of(compile_with(TILES, NULL, 0, &executable), text),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(text, "arrays are dense here, their dimensions in any order"));
}
END_TEST

static PJRT_Buffer *run(PJRT_LoadedExecutable *executable, PJRT_Buffer *arg)
{
  PJRT_Buffer *result, **results = &result, *const args[] = {arg}, *const *lists = args;
  PJRT_LoadedExecutable_Execute_Args call =
      ARGS(PJRT_LoadedExecutable_Execute, .executable = executable, .argument_lists = &lists,
           .num_devices = 1, .num_args = 1, .output_lists = &results);
  must(api->PJRT_LoadedExecutable_Execute(&call));
  return result;
}

static void check_layouts(PJRT_LoadedExecutable *loaded, const char *result, bool is_marked)
{
  PJRT_LoadedExecutable_GetExecutable_Args get =
      ARGS(PJRT_LoadedExecutable_GetExecutable, .loaded_executable = loaded);
  must(api->PJRT_LoadedExecutable_GetExecutable(&get));
  PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args args =
      ARGS(PJRT_Layouts_PJRT_Executable_GetOutputLayouts, .executable = get.executable);
  must(layouts->PJRT_Layouts_PJRT_Executable_GetOutputLayouts(&args));
  ck_assert_uint_eq(args.num_outputs, 1);
  check_text(args.layouts[0], result);
  char text[1024] = "";
  PJRT_Program program = {
      .struct_size = sizeof program, .code = text, .code_size = sizeof text - 1};
  PJRT_Executable_OptimizedProgram_Args optimized =
      ARGS(PJRT_Executable_OptimizedProgram, .executable = get.executable, .program = &program);
  must(api->PJRT_Executable_OptimizedProgram(&optimized));
  ck_assert(is_marked == (strstr(text, "mhlo.xla_entry_computation_parameter_layouts = "
                                       "[dense<[0, 1]> : tensor<2xindex>]") != NULL));
  PJRT_Executable_Destroy_Args destroy =
      ARGS(PJRT_Executable_Destroy, .executable = get.executable);
  must(api->PJRT_Executable_Destroy(&destroy));
}

/* An argument by columns that is donated to a result by columns, a result that says nothing, and
 * one that is free. */
START_TEST(a_program_takes_and_gives_what_lies_otherwise)
{
  static const char STEP[] =
      "func.func @main(%x: tensor<2x3xf32> {mhlo.layout_mode = \"{0,1}\", tf.aliasing_output = 0 : "
      "i32}) -> (tensor<2x3xf32> {mhlo.layout_mode = \"{0,1}\"}) {\n"
      "  %0 = stablehlo.add %x, %x : tensor<2x3xf32>\n  return %0 : tensor<2x3xf32>\n}\n";
  static const char TURN[] =
      "func.func @main(%%x: tensor<2x3xf32> {mhlo.layout_mode = \"default\"}) -> (tensor<3x2xf32> "
      "{mhlo.layout_mode = \"%s\"}) {\n"
      "  %%0 = stablehlo.transpose %%x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>\n"
      "  return %%0 : tensor<3x2xf32>\n}\n";
  static const float DOUBLED[] = {2, 4, 6, 8, 10, 12};
  PJRT_LoadedExecutable *executable;
  PJRT_Buffer *x, *y;
  must(compile_with(STEP, NULL, 0, &executable));
  check_layouts(executable, "{0,1}", true);
  for (int is_by_rows = 0; is_by_rows < 2; is_by_rows++) {
    must(put(is_by_rows ? ROWS : COLUMNS, &x));
    y = run(executable, x);
    check_order(y, "{0,1}");
    check(y, ROWS, DOUBLED);
    PJRT_Buffer_IsDeleted_Args is_deleted = ARGS(PJRT_Buffer_IsDeleted, .buffer = x);
    must(api->PJRT_Buffer_IsDeleted(&is_deleted));
    ck_assert(is_deleted.is_deleted);
    drop(x);
    drop(y);
  }
  unload(executable);
  for (int is_free = 0; is_free < 2; is_free++) {
    char text[512];
    snprintf(text, sizeof text, TURN, is_free ? "auto" : "default");
    must(compile_with(text, NULL, 0, &executable));
    check_layouts(executable, is_free ? "{0,1}" : "{1,0}", false);
    must(put(COLUMNS, &x));
    y = run(executable, x);
    check(y, NULL, is_free ? X : X_BY_COLUMNS);
    drop(x);
    drop(y);
    unload(executable);
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("pjrt/layouts");
  TCase *tests = tcase_create("layouts");
  tcase_add_checked_fixture(tests, setup, stop_client);
  tcase_add_test(tests, a_buffer_lies_as_it_was_asked_for);
  tcase_add_test(tests, what_is_no_order_is_refused);
  tcase_add_test(tests, a_program_takes_and_gives_what_lies_otherwise);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
