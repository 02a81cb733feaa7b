/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory that nobody uses is kept for the next of its size, and never more of it than what was in
 * use at once. */
#include "jit/runtime/kept_blocks_t.h"

#include <stdint.h>
#include <string.h>

#include "jit/runtime/device.h"
#include "tests/unit/suite.h"

enum { LEAST = ECHO_KEPT_LEAST_BYTES, N_SIZES = 200 };

static void *block_of(uint64_t size_bytes)
{
  return echo_kept_block_create(size_bytes, 64);
}

START_TEST(test_sizes)
{
  EchoKeptBlocks kept = {0};
  static void *blocks[N_SIZES];
  uint64_t bytes = 0;
  for (uint64_t i = 0; i < N_SIZES; i++) { /* more sizes than buckets */
    uint64_t size = LEAST + 64 * i;
    echo_kept_blocks_keep(&kept, blocks[i] = block_of(size), size);
    bytes += size;
  }
  ck_assert_uint_eq(kept.bytes, bytes);
  ck_assert_ptr_null(echo_kept_blocks_take_or_null(&kept, LEAST + 32));
  for (uint64_t i = N_SIZES; i-- > 0;) {
    uint64_t size = LEAST + 64 * (i * 7 % N_SIZES);
    void *taken = echo_kept_blocks_take_or_null(&kept, size);
    ck_assert_ptr_eq(taken, blocks[i * 7 % N_SIZES]);
    ck_assert_ptr_null(echo_kept_blocks_take_or_null(&kept, size));
    echo_free(taken);
  }
  ck_assert_uint_eq(kept.bytes, 0);
  ck_assert_ptr_null(kept.newest);
  ck_assert_ptr_null(kept.oldest);
}
END_TEST

START_TEST(test_order)
{
  EchoKeptBlocks kept = {0};
  void *blocks[4];
  for (int i = 0; i < 4; i++)
    echo_kept_blocks_keep(&kept, blocks[i] = block_of(LEAST), LEAST);
  echo_kept_blocks_shrink(&kept, 3 * LEAST); /* the oldest goes */
  ck_assert_uint_eq(kept.bytes, 3 * LEAST);
  for (int i = 4; i-- > 1;) { /* the newest comes first */
    void *taken = echo_kept_blocks_take_or_null(&kept, LEAST);
    ck_assert_ptr_eq(taken, blocks[i]);
    echo_free(taken);
  }
  ck_assert_ptr_null(echo_kept_blocks_take_or_null(&kept, LEAST));
  echo_kept_blocks_shrink(&kept, 0);
}
END_TEST

/* What fills huge pages begins at one; kept, most of it is the system's, and can be written again.
 */
START_TEST(test_huge)
{
  enum { HUGE_PAGE = 2 << 20, SIZE = 4 * HUGE_PAGE + 1 };
  EchoKeptBlocks kept = {0};
  char *block = block_of(SIZE);
  ck_assert_uint_eq((uintptr_t)block % HUGE_PAGE, 0);
  for (int round = 0; round < 2; round++) {
    memset(block, round + 1, SIZE);
    echo_kept_blocks_keep(&kept, block, SIZE);
    ck_assert_ptr_eq(echo_kept_blocks_take_or_null(&kept, SIZE), block);
  }
  memset(block, 3, SIZE);
  ck_assert(block[0] == 3 && block[2 * HUGE_PAGE] == 3 && block[SIZE - 1] == 3);
  echo_free(block);
}
END_TEST

/* What a device gives back comes again; what it keeps counts neither as used nor towards a peak. */
START_TEST(test_device)
{
  EchoDevice *device = echo_device_create_cpu(1);
  EchoDeviceBuffer *first = echo_device_buffer_create_or_null(NULL, device, 2 * LEAST);
  void *address = echo_device_buffer_address(first);
  echo_device_buffer_destroy(first);
  ck_assert_uint_eq(echo_device_bytes(device), 0);
  first = echo_device_buffer_create_or_null(NULL, device, 2 * LEAST);
  ck_assert_ptr_eq(echo_device_buffer_address(first), address);
  ck_assert_uint_eq(echo_device_bytes(device), 2 * LEAST);
  ck_assert_uint_eq(echo_device_peak_bytes(device), 2 * LEAST);
  echo_device_buffer_destroy(first);
  EchoDeviceBuffer *larger = echo_device_buffer_create_or_null(NULL, device, 3 * LEAST);
  ck_assert_uint_eq(echo_device_peak_bytes(device), 3 * LEAST);
  echo_device_buffer_destroy(larger);
  echo_device_reset_peak(device);
  ck_assert_uint_eq(echo_device_peak_bytes(device), 0);
  echo_device_destroy(device);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("kept_blocks");
  TCase *tests = tcase_create("blocks");
  tcase_add_test(tests, test_sizes);
  tcase_add_test(tests, test_order);
  tcase_add_test(tests, test_huge);
  tcase_add_test(tests, test_device);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
