/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The simulator finds what it is there for: each kernel here is wrong in one way, and its twin is
 * not. */
#include <stdio.h>

#include "dialects/dialects.h"
#include "ir/diagnostics.h"
#include "ir/text/text.h"
#include "lowering/simulate/simulate_gpu.h"
#include "tests/unit/suite.h"

static const EchoOp *find(EchoOp *module, const char *name)
{
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    if (echo_op_is(op, name))
      return op;
  return NULL;
}

/* Runs two blocks of four threads on one buffer of eight floats; the first error's message, or "".
 */
static void run(const char *body, float *memory, char *message, size_t capacity)
{
  EchoContext *ctx = echo_context_create();
  EchoBuffer text = {0};
  echo_register_dialects(ctx);
  echo_buffer_printf(
      &text,
      "\"gpu.module\"() <{sym_name = \"m\"}> ({\n\"gpu.func\"() <{function_type = (memref<8xf32>) "
      "-> (), "
      "known_block_size = array<i32: 4, 1, 1>, known_grid_size = array<i32: 2, 1, 1>}> "
      "({\n^bb0(%%m: memref<8xf32>, %%s: memref<4xf32, 3>):\n"
      "%%c0 = \"arith.constant\"() <{value = 0 : index}> : () -> index\n"
      "%%c1 = \"arith.constant\"() <{value = 1 : index}> : () -> index\n"
      "%%c3 = \"arith.constant\"() <{value = 3 : index}> : () -> index\n"
      "%%c4 = \"arith.constant\"() <{value = 4 : index}> : () -> index\n"
      "%%f = \"arith.constant\"() <{value = 2.0 : f32}> : () -> f32\n"
      "%%b = \"gpu.block_id\"() <{dimension = #gpu<dim x>}> : () -> index\n"
      "%%t = \"gpu.thread_id\"() <{dimension = #gpu<dim x>}> : () -> index\n"
      "%%b4 = \"arith.muli\"(%%b, %%c4) : (index, index) -> index\n"
      "%%i = \"arith.addi\"(%%b4, %%t) : (index, index) -> index\n"
      "%%r = \"arith.subi\"(%%c3, %%t) : (index, index) -> index\n"
      "%s\n\"gpu.return\"() : () -> ()\n}) {gpu.kernel, sym_name = \"k\", workgroup_attributions = "
      "1 : "
      "i64} : () -> ()\n\"gpu.module_end\"() : () -> ()\n}) : () -> ()\n",
      body);
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("k"), echo_buffer_str(&text));
  ck_assert_msg(module != NULL, "bad text:\n%s", text.data);
  void *buffers[] = {memory};
  bool fine = echo_simulate_gpu(ctx, find(module, "gpu.func"), buffers);
  message[0] = '\0';
  if (!fine)
    snprintf(message, capacity, "%s", echo_context_diagnostic(ctx, 0)->message);
  echo_buffer_destroy(&text);
  echo_context_destroy(ctx);
}

#define LOAD(value, memory, index)                                                                 \
  value " = \"memref.load\"(" memory ", " index ") : (memref<8xf32>, index) -> f32\n"
#define LOAD_SHARED(value, index)                                                                  \
  value " = \"memref.load\"(%s, " index ") : (memref<4xf32, 3>, index) -> f32\n"
#define STORE(value, index)                                                                        \
  "\"memref.store\"(" value ", %m, " index ") : (f32, memref<8xf32>, index) -> ()\n"
#define STORE_SHARED(value, index)                                                                 \
  "\"memref.store\"(" value ", %s, " index ") : (f32, memref<4xf32, 3>, index) -> ()\n"
#define BARRIER "\"gpu.barrier\"() : () -> ()\n"

START_TEST(reverses_through_shared_memory)
{
  float memory[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  char message[256];
  run(LOAD("%x", "%m", "%i") STORE_SHARED("%x", "%t") BARRIER LOAD_SHARED("%y", "%r")
          STORE("%y", "%i"),
      memory, message, sizeof message);
  ck_assert_str_eq(message, "");
  static const float WANT[] = {3, 2, 1, 0, 7, 6, 5, 4};
  ck_assert_mem_eq(memory, WANT, sizeof WANT);
}
END_TEST

START_TEST(finds_a_missing_barrier)
{
  float memory[8] = {0};
  char message[256];
  run(LOAD("%x", "%m", "%i") STORE_SHARED("%x", "%t") LOAD_SHARED("%y", "%r"), memory, message,
      sizeof message);
  ck_assert_msg(strstr(message, "races: threads touch element") != NULL, "%s", message);
}
END_TEST

START_TEST(finds_two_writers)
{
  float memory[8] = {0};
  char message[256];
  run(STORE_SHARED("%f", "%c0"), memory, message, sizeof message);
  ck_assert_msg(strstr(message, "races: threads touch element 0") != NULL, "%s", message);
}
END_TEST

START_TEST(finds_blocks_that_meet)
{
  float memory[8] = {0};
  char message[256];
  run(STORE("%f", "%t"), memory, message, sizeof message);
  ck_assert_msg(strstr(message, "races: two blocks touch element 0") != NULL, "%s", message);
}
END_TEST

START_TEST(finds_an_index_out_of_bounds)
{
  float memory[8] = {0};
  char message[256];
  run("%j = \"arith.addi\"(%i, %c1) : (index, index) -> index\n" STORE("%f", "%j"), memory, message,
      sizeof message);
  ck_assert_msg(strstr(message, "is out of bounds: index 8 of dimension 0") != NULL, "%s", message);
}
END_TEST

START_TEST(finds_a_barrier_that_some_threads_miss)
{
  float memory[8] = {0};
  char message[256];
  run("%c = \"arith.cmpi\"(%t, %c1) <{predicate = 2 : i64}> : (index, index) -> i1\n"
      "\"scf.if\"(%c) ({\n" BARRIER "\"scf.yield\"() : () -> ()\n}, {}) : (i1) -> ()\n",
      memory, message, sizeof message);
  ck_assert_msg(strstr(message, "is not reached by all threads") != NULL, "%s", message);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("exec/simulate_gpu");
  TCase *tests = tcase_create("simulator");
  tcase_add_test(tests, reverses_through_shared_memory);
  tcase_add_test(tests, finds_a_missing_barrier);
  tcase_add_test(tests, finds_two_writers);
  tcase_add_test(tests, finds_blocks_that_meet);
  tcase_add_test(tests, finds_an_index_out_of_bounds);
  tcase_add_test(tests, finds_a_barrier_that_some_threads_miss);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
