/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* safetensors: what is written reads back, and a header that does not fit its data is refused. */
#include "jit/data/safetensors.h"

#include "tests/unit/jit/tensor_files.h"
#include "tests/unit/suite.h"

static EchoContext *ctx;
static EchoBuffer bytes, error;
static EchoTensorSet set;

static void set_up(void)
{
  ctx = echo_context_create();
}

static void tear_down(void)
{
  echo_tensor_set_destroy(&set);
  echo_context_destroy(ctx);
  echo_buffer_destroy(&bytes);
  echo_buffer_destroy(&error);
}

START_TEST(tensors_and_metadata_read_back)
{
  static const char *const TYPES[] = {"i1",   "i8",   "i16", "i32",  "i64", "ui8", "ui16",
                                      "ui32", "ui64", "f16", "bf16", "f32", "f64"};
  EchoTensorSet again = {0};
  EchoMetadataList metadata = {0}, read = {0};
  for (size_t i = 0; i < sizeof TYPES / sizeof TYPES[0]; i++) {
    EchoBuffer text = {0};
    echo_buffer_printf(&text, "tensor<3x%zux%s>", i, TYPES[i]);
    ck_assert(echo_tensor_set_add(&set, echo_str(TYPES[i]), counted_tensor(ctx, text.data)));
    echo_buffer_destroy(&text);
  }
  echo_metadata_add(&metadata, ECHO_STR("step"), ECHO_STR("12 \"steps\"\n"));
  const char *path = temporary_path("a.safetensors");
  ck_assert(echo_safetensors_write(path, &set, &metadata, &error));
  ck_assert_msg(echo_safetensors_read(ctx, path, &again, &read, &error), "%s",
                echo_buffer_c_str(&error));
  ck_assert_uint_eq(again.list.size, set.list.size);
  for (size_t i = 0; i < set.list.size; i++) {
    EchoTensor *other = echo_tensor_set_get_or_null(&again, set.list.data[i].name);
    ck_assert_ptr_nonnull(other);
    ck_assert(same_tensor(set.list.data[i].tensor, other));
  }
  ck_assert(echo_str_is(echo_metadata_get(&read, "step"), "12 \"steps\"\n"));
  ck_assert_ptr_null(echo_metadata_get(&read, "none").data);
  echo_tensor_set_destroy(&again);
  echo_metadata_destroy(&metadata);
  echo_metadata_destroy(&read);
}
END_TEST

static bool parse(const char *header, size_t n_data)
{
  size_t length = strlen(header);
  for (unsigned i = 0; i < 8; i++)
    echo_buffer_append_char(&bytes, (char)(length >> (8 * i) & 0xff));
  echo_buffer_append_c(&bytes, header);
  for (size_t i = 0; i < n_data; i++)
    echo_buffer_append_char(&bytes, (char)i);
  return echo_safetensors_parse(ctx, echo_buffer_str(&bytes), &set, NULL, &error);
}

START_TEST(a_file_by_hand_is_read)
{
  ck_assert_msg(parse("{\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[4,6]},"
                      "\"a\":{\"dtype\":\"I32\",\"shape\":[],\"data_offsets\":[0,4]},"
                      "\"e\":{\"dtype\":\"F32\",\"shape\":[0,3],\"data_offsets\":[4,4]}}   ",
                      6),
                "%s", echo_buffer_c_str(&error));
  ck_assert_uint_eq(set.list.size, 3);
  ck_assert_int_eq(echo_tensor_get_i64(echo_tensor_set_get_or_null(&set, ECHO_STR("a")), 0),
                   0x03020100);
  ck_assert_int_eq(echo_tensor_get_i64(echo_tensor_set_get_or_null(&set, ECHO_STR("b")), 1), 5);
}
END_TEST

static const struct {
  const char *header;
  size_t n_data;
  const char *message;
} BAD[] = {
    {"[]", 0, "no JSON object"},
    {"{\"a\":", 0, "no JSON object"},
    {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}", 1, "outside the file"},
    {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}", 3, "belong to no tensor"},
    {"{\"a\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,2]}}", 2, "does not fit"},
    {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[2,0]}}", 2, "no data_offsets"},
    {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0]}}", 2, "no data_offsets"},
    {"{\"a\":{\"dtype\":\"Q7\",\"shape\":[2],\"data_offsets\":[0,2]}}", 2, "dtype"},
    {"{\"a\":{\"dtype\":\"U8\",\"shape\":[-2],\"data_offsets\":[0,2]}}", 2, "no size"},
    {"{\"a\":{\"dtype\":\"U8\",\"shape\":2,\"data_offsets\":[0,2]}}", 2, "no shape"},
    {"{\"a\":{\"dtype\":\"F64\",\"shape\":[4611686018427387904,4],\"data_offsets\":[0,2]}}", 2,
     "does not fit"},
    {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},"
     "\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[1,3]}}",
     3, "overlaps"},
    {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},"
     "\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[3,5]}}",
     5, "hole"},
    {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
     "\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}",
     2, "duplicate"},
    {"{\"__metadata__\":{\"x\":1}}", 0, "no string"},
};
enum { N_BAD = sizeof BAD / sizeof BAD[0] };

START_TEST(bad_headers_are_refused)
{
  ck_assert(!parse(BAD[_i].header, BAD[_i].n_data));
  ck_assert_msg(strstr(echo_buffer_c_str(&error), BAD[_i].message) != NULL, "got: %s",
                echo_buffer_c_str(&error));
}
END_TEST

START_TEST(every_cut_is_refused)
{
  ck_assert(parse("{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}", 2));
  for (size_t size = 0; size < bytes.size; size++) {
    EchoTensorSet other = {0};
    ck_assert(!echo_safetensors_parse(ctx, (EchoStr){bytes.data, size}, &other, NULL, &error));
    echo_tensor_set_destroy(&other);
  }
}
END_TEST

START_TEST(other_files_are_named_as_such)
{
  echo_buffer_append_c(&bytes, "module {}\n");
  const char *path = temporary_path("x.mlir");
  write_bytes(path, &bytes);
  ck_assert(!echo_tensor_set_read(ctx, path, ECHO_STR("x"), &set, &error));
  ck_assert_ptr_nonnull(strstr(error.data, "no .npy, .npz or .safetensors file"));
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("safetensors");
  TCase *all = tcase_create("all");
  tcase_add_checked_fixture(all, set_up, tear_down);
  tcase_add_test(all, tensors_and_metadata_read_back);
  tcase_add_test(all, a_file_by_hand_is_read);
  tcase_add_loop_test(all, bad_headers_are_refused, 0, N_BAD);
  tcase_add_test(all, every_cut_is_refused);
  tcase_add_test(all, other_files_are_named_as_such);
  suite_add_tcase(suite, all);
  return echo_test_run(suite);
}
