/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Instructions of the emulated GPU that our kernels of today do not use, or not in all forms,
 * against plain C; and what it counts. */
#include <math.h>

#include "tests/unit/gpu/device.h"
#include "tests/unit/suite.h"

#define ADDRESS(register, base)                                                                    \
  "mul.wide.u32 " register ", %i, 4;\nadd.s64 " register ", " register ", " base ";\n"

static void run(TestGpu *gpu, const char *body, unsigned grid, unsigned block, const void *a,
                size_t a_bytes, const void *b, size_t b_bytes, void *c, size_t c_bytes)
{
  test_gpu_open(gpu, body);
  CUdeviceptr to_a = test_gpu_buffer(gpu, a, a_bytes), to_b = test_gpu_buffer(gpu, b, b_bytes);
  CUdeviceptr to_c = test_gpu_buffer(gpu, NULL, c_bytes);
  CUresult result = test_gpu_run(gpu, grid, block, to_a, to_b, to_c);
  ck_assert_msg(result == CUDA_SUCCESS, "%s", gpu->driver.finding());
  test_gpu_read(gpu, to_c, c, c_bytes);
}

static EchoCudaCounters counters_of(TestGpu *gpu)
{
  EchoCudaCounters counters;
  ck_assert_int_eq(gpu->driver.counters(gpu->function, &counters), CUDA_SUCCESS);
  return counters;
}

/* A butterfly: every lane ends up with the sum of all. */
START_TEST(shuffles_sum_a_warp)
{
  TestGpu gpu;
  float in[64], out[64], sums[2] = {0};
  for (int i = 0; i < 64; i++) {
    in[i] = (float)(i * i);
    sums[i / 32] += in[i];
  }
#define STEP(distance)                                                                             \
  "mov.b32 %r1, %f1;\nshfl.sync.bfly.b32 %r2, %r1, " distance ", 31, -1;\nmov.b32 %f2, %r2;\n"     \
  "add.rn.f32 %f1, %f1, %f2;\n"
  run(&gpu,
      ADDRESS("%rd3", "%rd0") ADDRESS("%rd4", "%rd2") "ld.global.nc.f32 %f1, [%rd3];\n" STEP("16")
          STEP("8") STEP("4") STEP("2") STEP("1") "st.global.f32 [%rd4], %f1;\n",
      1, 64, in, sizeof in, in, sizeof in, out, sizeof out);
  for (int i = 0; i < 64; i++)
    ck_assert_float_eq(out[i], sums[i / 32]);
  test_gpu_close(&gpu);
}
END_TEST

START_TEST(shuffles_up_down_and_by_index_keep_their_segments)
{
  TestGpu gpu;
  int in[32], out[32 * 4];
  for (int i = 0; i < 32; i++)
    in[i] = 100 + i;
  run(&gpu,
      ADDRESS("%rd3", "%rd0") "ld.global.u32 %r1, [%rd3];\n"
                              "shfl.sync.up.b32 %r2|%p1, %r1, 3, 0, -1;\n"
                              "shfl.sync.down.b32 %r3, %r1, 2, 31, -1;\n"
                              "shfl.sync.idx.b32 %r4, %r1, 5, 6175, -1;\n" /* segments of 8 */
                              "selp.b32 %r5, 1, 0, %p1;\n"
                              "mul.wide.u32 %rd4, %t, 16;\nadd.s64 %rd4, %rd4, %rd2;\n"
                              "st.global.v4.u32 [%rd4], {%r2, %r3, %r4, %r5};\n",
      1, 32, in, sizeof in, in, sizeof in, out, sizeof out);
  for (int i = 0; i < 32; i++) {
    ck_assert_int_eq(out[4 * i], i >= 3 ? 100 + i - 3 : 100 + i);
    ck_assert_int_eq(out[4 * i + 1], i + 2 < 32 ? 100 + i + 2 : 100 + i);
    ck_assert_int_eq(out[4 * i + 2], 100 + i / 8 * 8 + 5);
    ck_assert_int_eq(out[4 * i + 3], i >= 3);
  }
  test_gpu_close(&gpu);
}
END_TEST

/* Collatz: lanes leave the loop one by one and meet again behind it. */
START_TEST(lanes_that_part_meet_again)
{
  TestGpu gpu;
  int out[32] = {0};
  run(&gpu,
      "add.s32 %r1, %t, 1;\nmov.u32 %r2, 0;\n"
      "$loop:\nsetp.eq.u32 %p1, %r1, 1;\n@%p1 bra $done;\n"
      "and.b32 %r3, %r1, 1;\nsetp.eq.u32 %p2, %r3, 0;\n@%p2 bra $even;\n"
      "mad.lo.u32 %r1, %r1, 3, 1;\nbra.uni $next;\n$even:\nshr.u32 %r1, %r1, 1;\n"
      "$next:\nadd.s32 %r2, %r2, 1;\nbra.uni $loop;\n$done:\n"
      "vote.sync.ballot.b32 %r4, %p1, -1;\n" ADDRESS("%rd4", "%rd2") "st.global.u32 [%rd4], %r2;\n",
      1, 32, out, sizeof out, out, sizeof out, out, sizeof out);
  for (int i = 0; i < 32; i++) {
    int n = i + 1, steps = 0;
    for (; n != 1; steps++)
      n = n % 2 != 0 ? 3 * n + 1 : n / 2;
    ck_assert_int_eq(out[i], steps);
  }
  test_gpu_close(&gpu);
}
END_TEST

/* ---- tensor cores ---- */

static uint16_t bfloat(float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (uint16_t)(bits >> 16);
}

/* A is 16x16, B 16x8 (as 8 rows of 16), both small integers; fragments come by ldmatrix from shared
 * memory, the result leaves by the layout of the accumulators. */
START_TEST(a_product_of_bfloats_on_tensor_cores)
{
  TestGpu gpu;
  uint16_t a[16][16], b[8][16];
  float c[16][8];
  for (int i = 0; i < 16; i++)
    for (int k = 0; k < 16; k++)
      a[i][k] = bfloat((float)((i * 7 + k * 3) % 11 - 5));
  for (int j = 0; j < 8; j++)
    for (int k = 0; k < 16; k++)
      b[j][k] = bfloat((float)((j * 5 + k) % 7 - 3));
  run(&gpu,
      /* 16 bytes a thread of A to s, and of B behind it, by threads 0 to 15 */
      "mul.wide.u32 %rd3, %t, 16;\nadd.s64 %rd4, %rd3, %rd0;\nadd.s64 %rd5, %rd3, %rd1;\n"
      "shl.b32 %r1, %t, 4;\nmov.u32 %r2, s;\nadd.s32 %r3, %r1, %r2;\n"
      "cp.async.cg.shared.global [%r3], [%rd4], 16;\n"
      "setp.gt.u32 %p1, %t, 15;\n@%p1 bra $loaded;\n"
      "cp.async.ca.shared.global [%r3+512], [%rd5], 16;\n$loaded:\n"
      "cp.async.commit_group;\ncp.async.wait_group 0;\nbar.sync 0;\n"
      /* rows 0 to 15 of the left half, then of the right half */
      "and.b32 %r4, %t, 15;\nshr.u32 %r5, %t, 4;\nshl.b32 %r4, %r4, 5;\nshl.b32 %r5, %r5, 4;\n"
      "add.s32 %r6, %r4, %r5;\nadd.s32 %r6, %r6, %r2;\n"
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r6];\n"
      "and.b32 %r7, %t, 7;\nshl.b32 %r7, %r7, 5;\nshr.u32 %r8, %t, 3;\nand.b32 %r8, %r8, 1;\n"
      "shl.b32 %r8, %r8, 4;\nadd.s32 %r7, %r7, %r8;\nadd.s32 %r7, %r7, %r2;\n"
      "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r14, %r15}, [%r7+512];\n"
      "mov.f32 %f1, 0f00000000;\n"
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f2, %f3, %f4, %f5}, {%r10, %r11, "
      "%r12, "
      "%r13}, {%r14, %r15}, {%f1, %f1, %f1, %f1};\n"
      "shr.u32 %r20, %t, 2;\nand.b32 %r21, %t, 3;\nshl.b32 %r20, %r20, 5;\nshl.b32 %r21, %r21, 3;\n"
      "add.s32 %r22, %r20, %r21;\ncvt.u64.u32 %rd6, %r22;\nadd.s64 %rd6, %rd6, %rd2;\n"
      "st.global.v2.f32 [%rd6], {%f2, %f3};\nst.global.v2.f32 [%rd6+256], {%f4, %f5};\n",
      1, 32, a, sizeof a, b, sizeof b, c, sizeof c);
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 8; j++) {
      int want = 0;
      for (int k = 0; k < 16; k++)
        want += ((i * 7 + k * 3) % 11 - 5) * ((j * 5 + k) % 7 - 3);
      ck_assert_msg(c[i][j] == (float)want, "[%d][%d]: %g, not %d", i, j, (double)c[i][j], want);
    }
  ck_assert_uint_eq(counters_of(&gpu).tensor_flops, 2 * 16 * 16 * 8);
  test_gpu_close(&gpu);
}
END_TEST

START_TEST(halves_are_rounded_once)
{
  TestGpu gpu;
  static const float IN[] = {
      1.0f, 65504.0f,      65520.0f, 1e-8f, 5.9604645e-8f, 0.333251953f, -2049.0f,   -2051.0f,
      0.1f, 6.1035156e-5f, 1e9f,     -0.0f, 2.5f,          1.000488f,    1.0014648f, 3.0517578e-5f};
  uint16_t out[16];
  static const uint16_t WANT[] = {0x3c00, 0x7bff, 0x7c00, 0x0000, 0x0001, 0x3555, 0xe800, 0xe802,
                                  0x2e66, 0x0400, 0x7c00, 0x8000, 0x4100, 0x3c00, 0x3c02, 0x0200};
  run(&gpu,
      ADDRESS("%rd3", "%rd0") "ld.global.f32 %f1, [%rd3];\ncvt.rn.f16.f32 %h1, %f1;\n"
                              "mul.wide.u32 %rd4, %t, 2;\nadd.s64 %rd4, %rd4, %rd2;\n"
                              "st.global.b16 [%rd4], %h1;\n",
      1, 16, IN, sizeof IN, IN, sizeof IN, out, sizeof out);
  for (int i = 0; i < 16; i++)
    ck_assert_msg(out[i] == WANT[i], "%g: %04x, not %04x", (double)IN[i], out[i], WANT[i]);
  test_gpu_close(&gpu);
}
END_TEST

START_TEST(floats_become_integers_at_their_ends)
{
  TestGpu gpu;
  static const float IN[] = {1.5f, -1.5f, 3e9f, -3e9f, NAN, 2.5f, 0.0f, 1e20f};
  int out[8];
  static const int WANT[] = {2, -2, INT32_MAX, INT32_MIN, 0, 2, 0, INT32_MAX};
  run(&gpu,
      ADDRESS("%rd3", "%rd0")
          ADDRESS("%rd4", "%rd2") "ld.global.f32 %f1, [%rd3];\ncvt.rni.s32.f32 %r1, %f1;\n"
                                  "st.global.u32 [%rd4], %r1;\n",
      1, 8, IN, sizeof IN, IN, sizeof IN, out, sizeof out);
  ck_assert_mem_eq(out, WANT, sizeof WANT);
  test_gpu_close(&gpu);
}
END_TEST

/* ---- counters ---- */

START_TEST(strides_cost_sectors)
{
  TestGpu gpu;
  static int in[1024], out[32];
  run(&gpu,
      "mul.wide.u32 %rd3, %t, 128;\nadd.s64 %rd3, %rd3, %rd0;\nld.global.u32 %r1, "
      "[%rd3];\n" ADDRESS("%rd4", "%rd2") "st.global.u32 [%rd4], %r1;\n",
      1, 32, in, sizeof in, in, sizeof in, out, sizeof out);
  EchoCudaCounters counters = counters_of(&gpu);
  ck_assert_uint_eq(counters.requests, 2);
  ck_assert_uint_eq(counters.sectors, 32 + 4);
  ck_assert_uint_eq(counters.moved_bytes, 36 * 32);
  ck_assert_uint_eq(counters.used_bytes, 2 * 128);
  ck_assert_uint_eq(counters.floor_bytes, 2 * 128);
  ck_assert_uint_eq(counters.n_blocks, 1);
  ck_assert(counters.roofline_ns > 0);
  test_gpu_close(&gpu);
}
END_TEST

START_TEST(strides_cost_banks)
{
  TestGpu gpu;
  int out[1] = {0};
  run(&gpu,
      "mov.u32 %r1, s;\nmul.lo.u32 %r2, %t, 128;\nadd.s32 %r2, %r2, %r1;\n"
      "st.shared.u32 [%r2], %t;\n" /* all in one bank */
      "mul.lo.u32 %r3, %t, 132;\nadd.s32 %r3, %r3, %r1;\n"
      "bar.sync 0;\nst.shared.u32 [%r3], %t;\n" /* a bank each */
      "setp.ne.u32 %p1, %t, 0;\n@%p1 bra $end;\nst.global.u32 [%rd2], %t;\n$end:\n",
      1, 32, out, sizeof out, out, sizeof out, out, sizeof out);
  EchoCudaCounters counters = counters_of(&gpu);
  ck_assert_uint_eq(counters.shared_requests, 2);
  ck_assert_uint_eq(counters.bank_conflicts, 31);
  test_gpu_close(&gpu);
}
END_TEST

START_TEST(text_that_is_no_ptx_is_rejected_with_its_line)
{
  TestGpu gpu;
  char log[256];
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)(uintptr_t)sizeof log};
  CUmodule module;
  test_gpu_open(&gpu, "");
#define HEAD ".version 7.8\n.target sm_80\n.address_size 64\n"
  ck_assert_int_eq(gpu.driver.module_load(&module,
                                          HEAD ".visible .entry f()\n{\n.reg .b32 %r<2>;\n"
                                               "frobnicate.u32 %r0, %r1;\nret;\n}\n",
                                          2, options, values),
                   CUDA_ERROR_INVALID_PTX);
  ck_assert_msg(strstr(log, "line 7: error: no such instruction") != NULL, "%s", log);
  ck_assert_int_eq(gpu.driver.module_load(&module,
                                          HEAD ".visible .entry f()\n{\n"
                                               ".shared .align 4 .b8 big[65536];\nret;\n}\n",
                                          2, options, values),
                   CUDA_ERROR_INVALID_PTX);
  ck_assert_msg(strstr(log, "uses too much shared data") != NULL, "%s", log);
  ck_assert_int_eq(
      gpu.driver.module_load(&module, ".version 7.8\n.target sm_100\n", 2, options, values),
      CUDA_ERROR_NO_BINARY_FOR_GPU);
  ck_assert_int_eq(
      gpu.driver.module_load(&module, ".version 8.7\n.target sm_80\n", 2, options, values),
      CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  test_gpu_close(&gpu);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("gpu/emulated_kernels");
  TCase *tests = tcase_create("kernels");
  tcase_add_test(tests, shuffles_sum_a_warp);
  tcase_add_test(tests, shuffles_up_down_and_by_index_keep_their_segments);
  tcase_add_test(tests, lanes_that_part_meet_again);
  tcase_add_test(tests, a_product_of_bfloats_on_tensor_cores);
  tcase_add_test(tests, halves_are_rounded_once);
  tcase_add_test(tests, floats_become_integers_at_their_ends);
  tcase_add_test(tests, strides_cost_sectors);
  tcase_add_test(tests, strides_cost_banks);
  tcase_add_test(tests, text_that_is_no_ptx_is_rejected_with_its_line);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
