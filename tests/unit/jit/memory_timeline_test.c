/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The memory timeline of a planned step written by hand: lifetimes, kinds, peaks, and the page. */
#include "jit/report/memory_timeline.h"

#include "dialects/dialects.h"
#include "ir/text/text.h"
#include "jit/report/memory_report.h"
#include "tests/unit/suite.h"

/* Steps: 0 forward (a), 1 forward (b in place of nothing, a read), 2 backward (g; a read), 3
 * update. Bytes: w 32, x 64, res 4, constant 8; a 64, b 64, g 32. */
static const char PLANNED[] =
    "module attributes {plan.bound_bytes = 128 : i64} {\n"
    "func.func @main(%w: memref<8xf32> {tf.aliasing_output = 0 : i32}, %x: memref<16xf32>,\n"
    "                %r: memref<f32> {plan.result = 1 : i32}) {\n"
    "  %m = \"plan.arena\"() <{size_bytes = 192 : i64, alignment = 64 : i64}> : () -> "
    "memref<192xi8>\n"
    "  %c = \"plan.constant\"() <{value = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> "
    "memref<2xf32>\n"
    "  %a = \"plan.buffer\"(%m) <{offset = 0 : i64}> : (memref<192xi8>) -> memref<16xf32>\n"
    "  %b = \"plan.buffer\"(%m) <{offset = 64 : i64}> : (memref<192xi8>) -> memref<16xf32>\n"
    "  %g = \"plan.buffer\"(%m) <{offset = 128 : i64}> : (memref<192xi8>) -> memref<8xf32>\n"
    "  \"kernel.launch\"(%x, %a) <{callee = @k0, n_inputs = 1 : i64}> {echo.phase = \"forward\"} : "
    "(memref<16xf32>, memref<16xf32>) -> ()\n"
    "  %v = \"plan.view\"(%a) : (memref<16xf32>) -> memref<4x4xf32>\n"
    "  \"kernel.launch\"(%v, %b, %r) <{callee = @k1, n_inputs = 1 : i64}> {echo.phase = "
    "\"forward\"} : (memref<4x4xf32>, memref<16xf32>, memref<f32>) -> ()\n"
    "  \"kernel.launch\"(%a, %g) <{callee = @k2, n_inputs = 1 : i64}> {echo.phase = \"backward\"} "
    ": "
    "(memref<16xf32>, memref<8xf32>) -> ()\n"
    "  \"kernel.launch\"(%g, %c, %w) <{callee = @k3, n_inputs = 2 : i64}> {echo.phase = "
    "\"update\"} "
    ": (memref<8xf32>, memref<2xf32>, memref<8xf32>) -> ()\n"
    "  return\n}\n}\n";

static EchoContext *ctx;
static EchoMemoryTimeline timeline;

static void set_up(void)
{
  ctx = echo_context_create();
  echo_register_dialects(ctx);
  EchoStr text = {PLANNED, sizeof PLANNED - 1};
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("planned.mlir"), text);
  ck_assert_ptr_nonnull(module);
  echo_memory_timeline_create(&timeline, module);
}

static void tear_down(void)
{
  echo_memory_timeline_destroy(&timeline);
  echo_context_destroy(ctx);
}

static const EchoMemoryValue *find(const char *maker)
{
  for (size_t i = 0; i < timeline.values.size; i++)
    if (echo_str_is(timeline.values.data[i].maker, maker))
      return &timeline.values.data[i];
  ck_abort_msg("no value made by %s", maker);
  return NULL;
}

START_TEST(lifetimes_and_kinds)
{
  static const struct {
    const char *maker;
    EchoMemoryKind kind;
    uint64_t bytes;
    uint32_t begin, end;
  } EXPECTED[] = {
      {"arg0", ECHO_MEMORY_WEIGHTS, 32, 0, 3},    {"arg1", ECHO_MEMORY_INPUTS, 64, 0, 3},
      {"res0", ECHO_MEMORY_RESULTS, 4, 0, 3},     {"constant", ECHO_MEMORY_CONSTANTS, 8, 0, 3},
      {"k0", ECHO_MEMORY_FEATURE_MAPS, 64, 0, 2}, {"k1", ECHO_MEMORY_WORKSPACE, 64, 1, 1},
      {"k2", ECHO_MEMORY_GRADIENTS, 32, 2, 3}};
  ck_assert_uint_eq(timeline.values.size, 7);
  ck_assert_uint_eq(echo_memory_timeline_n_steps(&timeline), 4);
  ck_assert_uint_eq(timeline.first_backward, 2);
  for (size_t i = 0; i < 7; i++) {
    const EchoMemoryValue *value = find(EXPECTED[i].maker);
    ck_assert_int_eq(value->kind, EXPECTED[i].kind);
    ck_assert_uint_eq(value->bytes, EXPECTED[i].bytes);
    ck_assert_uint_eq(value->begin, EXPECTED[i].begin);
    ck_assert_uint_eq(value->end, EXPECTED[i].end);
  }
}
END_TEST

START_TEST(sums_and_peaks)
{
  ck_assert_uint_eq(timeline.arg_bytes, 96);
  ck_assert_uint_eq(timeline.result_bytes, 4);
  ck_assert_uint_eq(timeline.constant_bytes, 64); /* 8, up to the alignment */
  ck_assert_uint_eq(timeline.arena_bytes, 192);
  ck_assert_uint_eq(timeline.planned_peak_bytes, 356);
  ck_assert_uint_eq(timeline.live_peak_bytes, 108 + 128);
  ck_assert_uint_eq(timeline.peak_step, 1);
  ck_assert_uint_eq(timeline.peak_by_kind[ECHO_MEMORY_WORKSPACE], 64);
}
END_TEST

/* However many columns there are, the highest shows the peak. */
START_TEST(samples_keep_the_peak)
{
  size_t n_columns = (size_t)_i;
  uint64_t *bytes = echo_alloc_array(n_columns * ECHO_N_MEMORY_KINDS, sizeof *bytes), best = 0;
  echo_memory_timeline_sample(&timeline, n_columns, bytes);
  for (size_t c = 0; c < n_columns; c++) {
    uint64_t sum = 0;
    for (size_t kind = 0; kind < ECHO_N_MEMORY_KINDS; kind++)
      sum += bytes[c * ECHO_N_MEMORY_KINDS + kind];
    ck_assert_uint_ge(sum, 108); /* no column is empty */
    best = sum > best ? sum : best;
  }
  ck_assert_uint_eq(best, timeline.live_peak_bytes);
  echo_free(bytes);
}
END_TEST

START_TEST(page_is_whole)
{
  EchoBuffer page = {0};
  EchoMemoryFact fact = {"measured", "<300 & more>"};
  EchoMemoryReport report = {
      .title = "a<b>", .before = &timeline, .after = &timeline, .facts = &fact, .n_facts = 1};
  echo_memory_report_html(&report, &page);
  ck_assert_ptr_nonnull(strstr(page.data, "Memory of a&lt;b&gt;"));
  ck_assert_ptr_nonnull(strstr(page.data, "&lt;300 &amp; more&gt;"));
  ck_assert_ptr_nonnull(strstr(page.data, "planned.mlir:9:"));
  ck_assert_ptr_nonnull(strstr(page.data, "</html>"));
  ck_assert_ptr_null(strstr(page.data, "http"));
  echo_buffer_destroy(&page);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("memory timeline");
  TCase *all = tcase_create("all");
  tcase_add_checked_fixture(all, set_up, tear_down);
  tcase_add_test(all, lifetimes_and_kinds);
  tcase_add_test(all, sums_and_peaks);
  tcase_add_loop_test(all, samples_keep_the_peak, 1, 12);
  tcase_add_test(all, page_is_whole);
  suite_add_tcase(suite, all);
  return echo_test_run(suite);
}
