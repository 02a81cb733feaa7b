/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* .npy and .npz: what NumPy writes is read, what we write reads back, what is broken is refused. */
#include "jit/data/npz.h"

#include <stdio.h>

#include "jit/data/npy.h"
#include "tests/unit/jit/tensor_files.h"
#include "tests/unit/suite.h"

static EchoContext *ctx;
static EchoBuffer bytes, error;

static void set_up(void)
{
  ctx = echo_context_create();
}

static void tear_down(void)
{
  echo_context_destroy(ctx);
  echo_buffer_destroy(&bytes);
  echo_buffer_destroy(&error);
}

static const char *const TYPES[] = {"tensor<2x3xi1>",   "tensor<2x3xi8>",      "tensor<2x3xi16>",
                                    "tensor<2x3xi32>",  "tensor<2x3xi64>",     "tensor<2x3xui8>",
                                    "tensor<2x3xui16>", "tensor<2x3xui32>",    "tensor<2x3xui64>",
                                    "tensor<2x3xf16>",  "tensor<2x3xbf16>",    "tensor<2x3xf32>",
                                    "tensor<2x3xf64>",  "tensor<f32>",         "tensor<0x4xf32>",
                                    "tensor<7xi32>",    "tensor<1x1x1x1x2xi8>"};
enum { N_TYPES = sizeof TYPES / sizeof TYPES[0] };

START_TEST(every_type_reads_back)
{
  EchoTensor *tensor = counted_tensor(ctx, TYPES[_i]);
  echo_npy_append(tensor, &bytes);
  EchoTensor *again = echo_npy_parse_or_null(ctx, echo_buffer_str(&bytes), &error);
  ck_assert_msg(again != NULL, "%s", echo_buffer_c_str(&error));
  ck_assert(same_tensor(tensor, again));
  echo_tensor_destroy(tensor);
  echo_tensor_destroy(again);
}
END_TEST

START_TEST(header_is_numpys)
{
  EchoTensor *tensor = counted_tensor(ctx, "tensor<3x4xf32>");
  echo_npy_append_header(tensor, &bytes);
  static const char expected[] =
      "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }";
  ck_assert_uint_eq(bytes.size, 128);
  ck_assert_mem_eq(bytes.data, expected, sizeof expected - 1);
  ck_assert_int_eq(bytes.data[127], '\n');
  echo_tensor_destroy(tensor);
}
END_TEST

static EchoTensor *parse(int version, const char *header, const void *data, size_t size)
{
  echo_buffer_clear(&bytes);
  npy_bytes(&bytes, version, header, data, size);
  return echo_npy_parse_or_null(ctx, echo_buffer_str(&bytes), &error);
}

START_TEST(all_versions_are_read)
{
  static const int32_t data[] = {1, -2, 3};
  EchoTensor *tensor =
      parse(_i, "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }", data, sizeof data);
  ck_assert_msg(tensor != NULL, "%s", echo_buffer_c_str(&error));
  ck_assert_int_eq(echo_tensor_get_i64(tensor, 1), -2);
  echo_tensor_destroy(tensor);
}
END_TEST

START_TEST(fortran_order_becomes_row_major)
{
  static const int16_t data[] = {0, 10, 1, 11, 2, 12}; /* columns of [[0, 1, 2], [10, 11, 12]] */
  EchoTensor *tensor =
      parse(1, "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3)}", data, sizeof data);
  ck_assert_msg(tensor != NULL, "%s", echo_buffer_c_str(&error));
  static const int64_t expected[] = {0, 1, 2, 10, 11, 12};
  for (int64_t i = 0; i < 6; i++)
    ck_assert_int_eq(echo_tensor_get_i64(tensor, i), expected[i]);
  echo_tensor_destroy(tensor);
}
END_TEST

START_TEST(complex_numbers_are_pairs)
{
  /* columns of [[0 + 1i, 4 + 5i], [2 + 3i, 6 + 7i]] */
  static const float data[] = {0, 1, 2, 3, 4, 5, 6, 7};
  static const double expected[] = {0, 1, 4, 5, 2, 3, 6, 7};
  EchoTensor *tensor =
      parse(1, "{'descr': '<c8', 'fortran_order': True, 'shape': (2, 2)}", data, sizeof data);
  ck_assert_msg(tensor != NULL, "%s", echo_buffer_c_str(&error));
  ck_assert_uint_eq(echo_type_rank(tensor->type), 3);
  ck_assert_int_eq(echo_type_dim(tensor->type, 2), 2);
  for (int64_t i = 0; i < 8; i++)
    ck_assert(echo_tensor_get_f64(tensor, i) == expected[i]);
  echo_tensor_destroy(tensor);
}
END_TEST

START_TEST(big_endian_is_swapped)
{
  static const unsigned char data[] = {0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0};
  EchoTensor *tensor =
      parse(1, "{\"shape\": (2L,), 'descr': '>f4', 'fortran_order': False}", data, sizeof data);
  ck_assert_msg(tensor != NULL, "%s", echo_buffer_c_str(&error));
  ck_assert(echo_tensor_get_f64(tensor, 0) == 1.0);
  ck_assert(echo_tensor_get_f64(tensor, 1) == -2.0);
  echo_tensor_destroy(tensor);
}
END_TEST

static const struct {
  const char *header;
  size_t size;
  const char *message;
} BAD[] = {
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", 11, "12 bytes of data and has 11"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", 13, "12 bytes of data and has 13"},
    {"{'descr': '<c4', 'fortran_order': False, 'shape': ()}", 4, "'<c4' are not supported"},
    {"{'descr': '<c8', 'fortran_order': False, 'shape': ()}", 4, "8 bytes of data and has 4"},
    {"{'descr': '|O', 'fortran_order': False, 'shape': ()}", 8, "'|O' are not supported"},
    {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}", 4, "header is none"},
    {"{'descr': '<f4', 'shape': (3,)}", 12, "header is none"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}", 12, "header is none"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,)", 12, "header is none"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", 0, "too large"},
    {"", 0, "header is none"},
};
enum { N_BAD = sizeof BAD / sizeof BAD[0] };

START_TEST(bad_arrays_are_refused)
{
  static const char zeros[16];
  ck_assert_ptr_null(parse(1, BAD[_i].header, zeros, BAD[_i].size));
  ck_assert_msg(strstr(echo_buffer_c_str(&error), BAD[_i].message) != NULL, "got: %s",
                echo_buffer_c_str(&error));
}
END_TEST

START_TEST(every_cut_is_refused)
{
  EchoTensor *tensor = counted_tensor(ctx, "tensor<3xf32>");
  echo_npy_append(tensor, &bytes);
  for (size_t size = 0; size < bytes.size; size++)
    ck_assert_ptr_null(echo_npy_parse_or_null(ctx, (EchoStr){bytes.data, size}, &error));
  echo_tensor_destroy(tensor);
}
END_TEST

/* ---- archives ---- */

static void fill(EchoTensorSet *set)
{
  ck_assert(echo_tensor_set_add(set, ECHO_STR("arg0"), counted_tensor(ctx, "tensor<64x33xf32>")));
  ck_assert(echo_tensor_set_add(set, ECHO_STR("arg1"), counted_tensor(ctx, "tensor<i32>")));
  ck_assert(echo_tensor_set_add(set, ECHO_STR("arg2"), counted_tensor(ctx, "tensor<5xbf16>")));
}

START_TEST(archives_read_back)
{
  EchoTensorSet set = {0}, again = {0};
  fill(&set);
  const char *path = temporary_path("a.npz");
  ck_assert(echo_npz_write(path, &set, (EchoNpzCompression)_i, &error));
  ck_assert_msg(echo_tensor_set_read(ctx, path, ECHO_STR("x"), &again, &error), "%s",
                echo_buffer_c_str(&error));
  ck_assert_uint_eq(again.list.size, set.list.size);
  for (size_t i = 0; i < set.list.size; i++) {
    ck_assert(echo_str_equal(set.list.data[i].name, again.list.data[i].name));
    ck_assert(same_tensor(set.list.data[i].tensor, again.list.data[i].tensor));
  }
  echo_tensor_set_destroy(&set);
  echo_tensor_set_destroy(&again);
}
END_TEST

/* No change of one byte may crash, and where it is read, it is read as what it was. */
START_TEST(damaged_archives_do_no_harm)
{
  EchoTensorSet set = {0};
  ck_assert(echo_tensor_set_add(&set, ECHO_STR("a"), counted_tensor(ctx, "tensor<3x3xf32>")));
  ck_assert(echo_tensor_set_add(&set, ECHO_STR("b"), counted_tensor(ctx, "tensor<2xi8>")));
  const char *path = temporary_path("d.npz");
  ck_assert(echo_npz_write(path, &set, (EchoNpzCompression)_i, &error));
  read_bytes(path, &bytes);
  for (size_t at = 0; at < bytes.size; at++) {
    char old = bytes.data[at];
    for (int flip = 1; flip < 256; flip = flip * 2 + 1) {
      bytes.data[at] = (char)(old ^ flip);
      EchoTensorSet again = {0};
      if (echo_npz_parse(ctx, echo_buffer_str(&bytes), &again, &error) && again.list.size == 2)
        ck_assert(same_tensor(set.list.data[0].tensor, again.list.data[0].tensor));
      echo_tensor_set_destroy(&again);
    }
    bytes.data[at] = old;
  }
  for (size_t size = 0; size < bytes.size; size++) {
    EchoTensorSet again = {0};
    ck_assert(!echo_npz_parse(ctx, (EchoStr){bytes.data, size}, &again, &error));
    echo_tensor_set_destroy(&again);
  }
  echo_tensor_set_destroy(&set);
}
END_TEST

START_TEST(a_name_twice_is_refused)
{
  EchoTensorSet set = {0};
  fill(&set);
  const char *path = temporary_path("t.npz");
  ck_assert(echo_npz_write(path, &set, ECHO_NPZ_STORED, &error));
  ck_assert(!echo_tensor_set_read(ctx, path, ECHO_STR("x"), &set, &error));
  ck_assert_ptr_nonnull(strstr(error.data, "'arg0': is given twice"));
  echo_tensor_set_destroy(&set);
}
END_TEST

START_TEST(missing_directory_leaves_nothing)
{
  EchoTensorSet set = {0};
  fill(&set);
  ck_assert(!echo_npz_write("/dev/null/x.npz", &set, ECHO_NPZ_STORED, &error));
  ck_assert_ptr_nonnull(strstr(error.data, "/dev/null/x.npz"));
  echo_tensor_set_destroy(&set);
}
END_TEST

/* Both ways with NumPy itself, where it is there. */
START_TEST(numpy_agrees)
{
  const char *python = getenv("ECHO_TEST_PYTHON") != NULL ? getenv("ECHO_TEST_PYTHON") : "python3";
  EchoBuffer command = {0};
  echo_buffer_printf(&command, "%s -c 'import numpy' 2>/dev/null", python);
  if (system(command.data) != 0) {
    printf("skipped: %s has no numpy\n", python);
    echo_buffer_destroy(&command);
    return;
  }
  EchoTensorSet set = {0}, again = {0};
  fill(&set);
  EchoBuffer path = {0};
  echo_buffer_append_c(&path, temporary_path("ours.npz"));
  ck_assert(echo_npz_write(path.data, &set, ECHO_NPZ_DEFLATED, &error));
  echo_buffer_clear(&command);
  echo_buffer_printf(&command,
                     "%s -c 'import numpy as n; a = n.load(\"%s\"); "
                     "n.savez_compressed(\"%s.numpy.npz\", **{k: a[k] for k in a})'",
                     python, path.data, path.data);
  ck_assert_int_eq(system(command.data), 0);
  echo_buffer_append_c(&path, ".numpy.npz");
  ck_assert_msg(echo_tensor_set_read(ctx, path.data, ECHO_STR("x"), &again, &error), "%s",
                echo_buffer_c_str(&error));
  ck_assert_uint_eq(again.list.size, 3);
  for (size_t i = 0; i < 3; i++)
    ck_assert(same_tensor(set.list.data[i].tensor, again.list.data[i].tensor));
  echo_tensor_set_destroy(&set);
  echo_tensor_set_destroy(&again);
  echo_buffer_destroy(&command);
  echo_buffer_destroy(&path);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("npz");
  TCase *arrays = tcase_create("arrays");
  tcase_add_checked_fixture(arrays, set_up, tear_down);
  tcase_add_loop_test(arrays, every_type_reads_back, 0, N_TYPES);
  tcase_add_test(arrays, header_is_numpys);
  tcase_add_loop_test(arrays, all_versions_are_read, 1, 4);
  tcase_add_test(arrays, fortran_order_becomes_row_major);
  tcase_add_test(arrays, complex_numbers_are_pairs);
  tcase_add_test(arrays, big_endian_is_swapped);
  tcase_add_loop_test(arrays, bad_arrays_are_refused, 0, N_BAD);
  tcase_add_test(arrays, every_cut_is_refused);
  suite_add_tcase(suite, arrays);
  TCase *archives = tcase_create("archives");
  tcase_add_checked_fixture(archives, set_up, tear_down);
  tcase_set_timeout(archives, 60);
  tcase_add_loop_test(archives, archives_read_back, 0, 2);
  tcase_add_loop_test(archives, damaged_archives_do_no_harm, 0, 2);
  tcase_add_test(archives, a_name_twice_is_refused);
  tcase_add_test(archives, missing_directory_leaves_nothing);
  tcase_add_test(archives, numpy_agrees);
  suite_add_tcase(suite, archives);
  return echo_test_run(suite);
}
