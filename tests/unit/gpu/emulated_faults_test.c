/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The emulated GPU finds what it is there for: each kernel here is wrong in one way, and its twin
 * is not. */
#include <stdio.h>

#include "tests/unit/gpu/device.h"
#include "tests/unit/suite.h"

enum { N = 128 };

#define ADDRESS(register, base)                                                                    \
  "mul.wide.u32 " register ", %i, 4;\nadd.s64 " register ", " register ", " base ";\n"
#define SHARED "mov.u32 %r20, s;\nshl.b32 %r21, %t, 2;\nadd.s32 %r22, %r20, %r21;\n"
#define BARRIER "bar.sync 0;\n"

/* Runs on N ints 0, 1, …, writes N ints; returns what was found, "" when nothing. */
static const char *run(TestGpu *gpu, const char *body, unsigned grid, unsigned block, int *out,
                       CUresult wanted)
{
  int in[N];
  for (int i = 0; i < N; i++)
    in[i] = i;
  test_gpu_open(gpu, body);
  CUdeviceptr a = test_gpu_buffer(gpu, in, sizeof in), b = test_gpu_buffer(gpu, NULL, sizeof in);
  CUresult result = test_gpu_run(gpu, grid, block, a, b, 0);
  ck_assert_msg(result == wanted, "%d: %s", result, gpu->driver.finding());
  if (result == CUDA_SUCCESS && out != NULL)
    test_gpu_read(gpu, b, out, sizeof in);
  test_gpu_close(gpu);
  return gpu->driver.finding();
}

static void check_finds(const char *body, unsigned grid, unsigned block, CUresult wanted,
                        const char *what)
{
  TestGpu gpu;
  const char *found = run(&gpu, body, grid, block, NULL, wanted);
  ck_assert_msg(strstr(found, what) != NULL, "found '%s', not '%s'", found, what);
  ck_assert_msg(strstr(found, "kernel 'k'") != NULL && strstr(found, "thread ") != NULL, "%s",
                found);
}

/* Each thread hands its value to the one opposite, through shared memory. */
#define REVERSE(barrier)                                                                           \
  ADDRESS("%rd3", "%rd0")                                                                          \
  "ld.global.u32 %r1, [%rd3];\n" SHARED "st.shared.u32 [%r22], %r1;\n" barrier                     \
  "sub.s32 %r2, %n, %t;\nsub.s32 %r2, %r2, 1;\nshl.b32 %r2, %r2, 2;\nadd.s32 %r2, %r2, %r20;\n"    \
  "ld.shared.u32 %r3, [%r2];\n" ADDRESS("%rd4", "%rd1") "st.global.u32 [%rd4], %r3;\n"

START_TEST(values_go_through_shared_memory)
{
  TestGpu gpu;
  int out[N];
  ck_assert_str_eq(run(&gpu, REVERSE(BARRIER), 2, 64, out, CUDA_SUCCESS), "");
  for (int i = 0; i < N; i++)
    ck_assert_int_eq(out[i], i / 64 * 64 + 63 - i % 64);
}
END_TEST

START_TEST(a_missing_barrier_is_found)
{
  /* the first warp reads what the second has not written yet */
  check_finds(REVERSE(""), 2, 64, CUDA_ERROR_LAUNCH_FAILED,
              "reads shared memory at 0xfc that nothing wrote");
}
END_TEST

START_TEST(two_threads_that_write_one_word_are_found)
{
  check_finds(SHARED "st.shared.u32 [%r22], %t;\n" BARRIER "st.shared.u32 [s+4], %t;\n", 1, 32,
              CUDA_ERROR_LAUNCH_FAILED, "races: two threads touch shared memory at 0x4");
}
END_TEST

START_TEST(values_go_round_in_shared_memory)
{
#define ROTATE(barrier)                                                                            \
  SHARED "st.shared.u32 [%r22], %t;\n" BARRIER                                                     \
         "add.s32 %r2, %t, 1;\nand.b32 %r2, %r2, 63;\nshl.b32 %r2, %r2, 2;\n"                      \
         "add.s32 %r2, %r2, %r20;\nld.shared.u32 %r3, [%r2];\n" barrier                            \
         "st.shared.u32 [%r22], %r3;\n" BARRIER                                                    \
         "ld.shared.u32 %r4, [%r22];\n" ADDRESS("%rd4", "%rd1") "st.global.u32 [%rd4], %r4;\n"
  TestGpu gpu;
  int out[N];
  ck_assert_str_eq(run(&gpu, ROTATE(BARRIER), 2, 64, out, CUDA_SUCCESS), "");
  ck_assert_int_eq(out[63], 0);
  ck_assert_int_eq(out[3], 4);
}
END_TEST

START_TEST(writing_what_others_still_read_is_found)
{
  check_finds(ROTATE(""), 1, 64, CUDA_ERROR_LAUNCH_FAILED,
              "races: two threads touch shared memory");
}
END_TEST

#define GUARDED(comparison)                                                                        \
  "setp." comparison ".u32 %p1, %i, 127;\n@%p1 bra $end;\n" ADDRESS("%rd3", "%rd0")                \
      ADDRESS("%rd4", "%rd1") "ld.global.u32 %r1, [%rd3];\nst.global.u32 [%rd4], %r1;\n$end:\n"

START_TEST(a_guard_holds)
{
  TestGpu gpu;
  int out[N];
  ck_assert_str_eq(run(&gpu, GUARDED("gt"), 1, 160, out, CUDA_SUCCESS), "");
  ck_assert_int_eq(out[N - 1], N - 1);
}
END_TEST

START_TEST(a_guard_that_is_off_by_one_is_found)
{
  check_finds(
      "setp.gt.u32 %p1, %i, 128;\n@%p1 bra $end;\n" ADDRESS("%rd3", "%rd0")
          ADDRESS("%rd4", "%rd1") "ld.global.u32 %r1, [%rd3];\nst.global.u32 [%rd4], %r1;\n$end:\n",
      1, 160, CUDA_ERROR_ILLEGAL_ADDRESS,
      "reads out of bounds: 4 bytes of global memory at offset 512 of an allocation of 512: "
      "block 0, thread 128");
}
END_TEST

START_TEST(two_blocks_that_meet_are_found)
{
  check_finds("mul.wide.u32 %rd3, %t, 4;\nadd.s64 %rd3, %rd3, %rd1;\nst.global.u32 [%rd3], %t;\n",
              2, 64, CUDA_ERROR_LAUNCH_FAILED, "races: two blocks touch global memory");
}
END_TEST

START_TEST(a_block_that_reads_what_another_writes_is_found)
{
  check_finds(ADDRESS("%rd3", "%rd1") "st.global.u32 [%rd3], %t;\n" BARRIER
                                      "ld.global.u32 %r1, [%rd1];\n",
              2, 64, CUDA_ERROR_LAUNCH_FAILED, "races: two blocks touch global memory");
}
END_TEST

START_TEST(atomic_operations_do_not_race)
{
  TestGpu gpu;
  int out[N];
  ck_assert_str_eq(run(&gpu,
                       ADDRESS("%rd3", "%rd0")
                           ADDRESS("%rd4", "%rd1") "mov.u32 %r1, 0;\nst.global.u32 [%rd4], %r1;\n"
                                                   "atom.global.add.u32 %r2, [%rd0], 2;\n"
                                                   "red.global.max.s32 [%rd0+4], %i;\n",
                       2, 64, out, CUDA_SUCCESS),
                   "");
}
END_TEST

START_TEST(a_misaligned_access_is_found)
{
  check_finds(ADDRESS("%rd3", "%rd0") "ld.global.v2.u32 {%r1, %r2}, [%rd3];\n", 1, 32,
              CUDA_ERROR_MISALIGNED_ADDRESS, "reads 8 bytes of global memory");
}
END_TEST

START_TEST(memory_that_nothing_wrote_is_found)
{
  check_finds(ADDRESS("%rd3", "%rd1") "ld.global.u32 %r1, [%rd3];\n", 1, 32,
              CUDA_ERROR_LAUNCH_FAILED, "that nothing wrote");
}
END_TEST

START_TEST(a_barrier_that_some_lanes_miss_is_found)
{
  check_finds("setp.lt.u32 %p1, %t, 5;\n@%p1 bra $skip;\n" BARRIER "$skip:\n", 1, 32,
              CUDA_ERROR_LAUNCH_FAILED,
              "has a barrier that not all threads reach: block 0, thread 0");
}
END_TEST

START_TEST(a_barrier_that_some_warps_miss_is_found)
{
  check_finds("setp.lt.u32 %p1, %t, 32;\n@%p1 bra $skip;\n" BARRIER "$skip:\n", 1, 64,
              CUDA_ERROR_LAUNCH_FAILED, "has a barrier that not all threads reach");
}
END_TEST

START_TEST(a_shuffle_without_all_its_lanes_is_found)
{
  check_finds("setp.lt.u32 %p1, %t, 16;\n@%p1 bra $skip;\n"
              "shfl.sync.bfly.b32 %r1, %t, 1, 31, -1;\n$skip:\n",
              1, 32, CUDA_ERROR_LAUNCH_FAILED, "waits for lanes 0xffffffff of its warp");
}
END_TEST

/* ---- streams ---- */

/* A launch on a second stream reads what the first stream's launch writes. */
static CUresult run_streams(bool is_ordered, char *found, size_t capacity)
{
  TestGpu gpu;
  CUstream other;
  CUevent event;
  int in[N] = {0};
  test_gpu_open(&gpu,
                ADDRESS("%rd3", "%rd0")
                    ADDRESS("%rd4", "%rd1") "ld.global.u32 %r1, [%rd3];\nadd.s32 %r1, %r1, 1;\n"
                                            "st.global.u32 [%rd4], %r1;\n");
  CUdeviceptr a = test_gpu_buffer(&gpu, in, sizeof in), b = test_gpu_buffer(&gpu, in, sizeof in);
  CUdeviceptr c = test_gpu_buffer(&gpu, in, sizeof in);
  ck_assert_int_eq(gpu.driver.stream_create(&other, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  ck_assert_int_eq(gpu.driver.event_create(&event, 0), CUDA_SUCCESS);
  ck_assert_int_eq(test_gpu_launch(&gpu, gpu.stream, 2, 64, a, b, 0), CUDA_SUCCESS);
  ck_assert_int_eq(gpu.driver.event_record(event, gpu.stream), CUDA_SUCCESS);
  if (is_ordered)
    ck_assert_int_eq(gpu.driver.stream_wait(other, event, 0), CUDA_SUCCESS);
  ck_assert_int_eq(test_gpu_launch(&gpu, other, 2, 64, b, c, 0), CUDA_SUCCESS);
  CUresult result = gpu.driver.stream_synchronize(other);
  if (result == CUDA_SUCCESS) {
    test_gpu_read(&gpu, c, in, sizeof in);
    ck_assert_int_eq(in[5], 2);
  }
  snprintf(found, capacity, "%s", gpu.driver.finding());
  gpu.driver.event_destroy(event);
  gpu.driver.stream_destroy(other);
  test_gpu_close(&gpu);
  return result;
}

START_TEST(streams_without_order_are_found)
{
  char found[1024];
  ck_assert_int_eq(run_streams(false, found, sizeof found), CUDA_ERROR_LAUNCH_FAILED);
  ck_assert_msg(strstr(found, "by a launch or copy of another stream that nothing orders") != NULL,
                "%s", found);
}
END_TEST

START_TEST(an_event_orders_streams)
{
  char found[1024];
  ck_assert_int_eq(run_streams(true, found, sizeof found), CUDA_SUCCESS);
  ck_assert_str_eq(found, "");
}
END_TEST

/* As many as one likes come and go, in each other's places where the host waited for their work;
 * one whose work nobody waited for leaves no place, so that what races with it is still found. */
START_TEST(streams_come_and_go)
{
  TestGpu gpu;
  int in[N] = {0};
  test_gpu_open(&gpu, ADDRESS("%rd3", "%rd0") "st.global.u32 [%rd3], %t;\n");
  CUdeviceptr a = test_gpu_buffer(&gpu, in, sizeof in);
  for (int i = 0; i < 40; i++) {
    CUstream stream;
    ck_assert_int_eq(gpu.driver.stream_create(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    ck_assert_int_eq(test_gpu_launch(&gpu, stream, 2, 64, a, 0, 0), CUDA_SUCCESS);
    ck_assert_int_eq(gpu.driver.stream_synchronize(stream), CUDA_SUCCESS);
    ck_assert_int_eq(gpu.driver.stream_destroy(stream), CUDA_SUCCESS);
  }
  CUstream first, second;
  ck_assert_int_eq(gpu.driver.stream_create(&first, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  ck_assert_int_eq(test_gpu_launch(&gpu, first, 2, 64, a, 0, 0), CUDA_SUCCESS);
  ck_assert_int_eq(gpu.driver.stream_destroy(first), CUDA_SUCCESS);
  ck_assert_int_eq(gpu.driver.stream_create(&second, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  ck_assert_int_eq(test_gpu_launch(&gpu, second, 2, 64, a, 0, 0), CUDA_SUCCESS);
  ck_assert_int_eq(gpu.driver.stream_synchronize(second), CUDA_ERROR_LAUNCH_FAILED);
  ck_assert_ptr_nonnull(strstr(gpu.driver.finding(), "that nothing orders"));
  test_gpu_close(&gpu);
}
END_TEST

/* Nothing happens before somebody waits: who reads too early reads what was there. */
START_TEST(a_copy_is_done_when_it_is_waited_for)
{
  TestGpu gpu;
  int *host, in[4] = {1, 2, 3, 4};
  test_gpu_open(&gpu, "");
  CUdeviceptr a = test_gpu_buffer(&gpu, in, sizeof in);
  ck_assert_int_eq(gpu.driver.host_alloc((void **)&host, sizeof in, 0), CUDA_SUCCESS);
  host[0] = 9;
  ck_assert_int_eq(gpu.driver.copy_out(host, a, sizeof in, gpu.stream), CUDA_SUCCESS);
  ck_assert_int_eq(host[0], 9);
  ck_assert_int_eq(gpu.driver.stream_synchronize(gpu.stream), CUDA_SUCCESS);
  ck_assert_int_eq(host[0], 1);
  ck_assert_int_eq(gpu.driver.copy_out(host, a + 4, sizeof in, gpu.stream), CUDA_SUCCESS);
  ck_assert_int_eq(gpu.driver.stream_synchronize(gpu.stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  gpu.driver.host_free(host);
  test_gpu_close(&gpu);
}
END_TEST

START_TEST(what_does_not_fit_is_refused)
{
  TestGpu gpu;
  CUdeviceptr address;
  test_gpu_open(&gpu, "");
  ck_assert_int_eq(gpu.driver.memory_alloc(&address, (size_t)1 << 40), CUDA_ERROR_OUT_OF_MEMORY);
  ck_assert_int_eq(test_gpu_launch(&gpu, gpu.stream, 1, 2048, 0, 0, 0),
                   CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  test_gpu_close(&gpu);
}
END_TEST

/* Beyond 48 KiB a kernel says how much of it launches may ask for, of what the device has. */
START_TEST(shared_memory_is_asked_for_twice)
{
  enum { ASKED = 64 << 10, TOO_MUCH = 1 << 20 };
  const CUfunction_attribute most = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
  TestGpu gpu;
  CUdeviceptr none = 0;
  void *parameters[] = {&none, &none, &none};
  test_gpu_open(&gpu, "");
  ck_assert_int_eq(
      gpu.driver.launch(gpu.function, 1, 1, 1, 32, 1, 1, ASKED, gpu.stream, parameters, NULL),
      CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  ck_assert_int_eq(gpu.driver.function_set(gpu.function, most, TOO_MUCH), CUDA_ERROR_INVALID_VALUE);
  ck_assert_int_eq(gpu.driver.function_set(gpu.function, most, ASKED), CUDA_SUCCESS);
  ck_assert_int_eq(
      gpu.driver.launch(gpu.function, 1, 1, 1, 32, 1, 1, ASKED, gpu.stream, parameters, NULL),
      CUDA_SUCCESS);
  ck_assert_int_eq(gpu.driver.stream_synchronize(gpu.stream), CUDA_SUCCESS);
  test_gpu_close(&gpu);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("gpu/emulated_faults");
  TCase *tests = tcase_create("faults");
  tcase_add_test(tests, values_go_through_shared_memory);
  tcase_add_test(tests, a_missing_barrier_is_found);
  tcase_add_test(tests, two_threads_that_write_one_word_are_found);
  tcase_add_test(tests, values_go_round_in_shared_memory);
  tcase_add_test(tests, writing_what_others_still_read_is_found);
  tcase_add_test(tests, a_guard_holds);
  tcase_add_test(tests, a_guard_that_is_off_by_one_is_found);
  tcase_add_test(tests, two_blocks_that_meet_are_found);
  tcase_add_test(tests, a_block_that_reads_what_another_writes_is_found);
  tcase_add_test(tests, atomic_operations_do_not_race);
  tcase_add_test(tests, a_misaligned_access_is_found);
  tcase_add_test(tests, memory_that_nothing_wrote_is_found);
  tcase_add_test(tests, a_barrier_that_some_lanes_miss_is_found);
  tcase_add_test(tests, a_barrier_that_some_warps_miss_is_found);
  tcase_add_test(tests, a_shuffle_without_all_its_lanes_is_found);
  tcase_add_test(tests, streams_without_order_are_found);
  tcase_add_test(tests, an_event_orders_streams);
  tcase_add_test(tests, streams_come_and_go);
  tcase_add_test(tests, a_copy_is_done_when_it_is_waited_for);
  tcase_add_test(tests, what_does_not_fit_is_refused);
  tcase_add_test(tests, shared_memory_is_asked_for_twice);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
