/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a kernel's comment says of what ptxas reports: occupancy as NVIDIA's calculator has it. */
#include "tools/echo-translate/ptxas.h"

#include "tests/unit/suite.h"

static const char PTX[] = "// kernel a_0 (contraction): grid 8, block 256\n"
                          ".visible .entry a_0() {}\n"
                          "// kernel b_0 (contraction): grid 8, block 128, dynamic shared memory "
                          "81920\n"
                          ".visible .entry b_0() {}\n";

static const char REPORT[] =
    "ptxas info    : Compiling entry function 'a_0' for 'sm_80'\n"
    "    0 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads\n"
    "ptxas info    : Used 64 registers, used 1 barriers, 16384 bytes smem\n"
    "ptxas info    : Compiling entry function 'b_0' for 'sm_80'\n"
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 40 registers, used 1 barriers\n";

static void expect(const char *target, const char *first, const char *second)
{
  EchoBuffer out = {0};
  echo_ptxas_annotate(echo_str(PTX), echo_str(REPORT), target, &out);
  const char *text = echo_buffer_c_str(&out);
  ck_assert_msg(strstr(text, first) != NULL && strstr(text, second) != NULL, "%s: %s", target,
                text);
  echo_buffer_destroy(&out);
}

START_TEST(shared_memory_of_the_launch_counts)
{
  /* 64 registers: four blocks of eight warps. 80 KiB of a launch: two blocks of four warps, one. */
  expect("sm_80",
         "64 registers, 16384 bytes of shared memory, 12 bytes spilled, 50 % of a multiprocessor",
         "40 registers, 81920 bytes of shared memory, 0 bytes spilled, 12 % of a multiprocessor");
  expect("sm_90", "12 bytes spilled, 50 %", "0 bytes spilled, 12 %");
  expect("sm_86", "12 bytes spilled, 66 %", "0 bytes spilled, 8 %");
  expect("sm_75", "12 bytes spilled, 100 %", "0 bytes spilled, 0 %");
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("ptxas");
  TCase *tcase = tcase_create("ptxas");
  tcase_add_test(tcase, shared_memory_of_the_launch_counts);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
