/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects come from the disk cache when code and target are the same, and from there only when they
 * are whole; threads do not show in them; kernels that differ in dimensions alone share one. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "codegen/codegen.h"
#include "codegen/link.h"
#include "dialects/dialects.h"
#include "ir/diagnostics.h"
#include "ir/pass/pass.h"
#include "ir/text/text.h"
#include "lowering/lowering.h"
#include "tests/unit/suite.h"

static void append_map(EchoBuffer *text, int number, const char *shape, const char *op)
{
  echo_buffer_printf(
      text,
      "\"kernel.func\"() <{sym_name = \"k%d\", kind = \"map\", function_type = (tensor<%sxf32>) -> "
      "tensor<%sxf32>}> ({\n^bb0(%%a: tensor<%sxf32>):\n%%0 = stablehlo.%s %%a : tensor<%sxf32>\n"
      "\"kernel.return\"(%%0) : (tensor<%sxf32>) -> ()\n}) : () -> ()\n",
      number, shape, shape, shape, op, shape, shape);
}

/* A kernel each of `shapes`, up to NULL. */
static EchoOp *lowered(EchoContext *ctx, const char *op, const char *const *shapes)
{
  EchoBuffer text = {0};
  for (int i = 0; shapes[i] != NULL; ++i)
    append_map(&text, i, shapes[i], op);
  echo_register_dialects(ctx);
  char *copy = echo_arena_copy_string(echo_context_arena(ctx), text.data, text.size);
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("k"), (EchoStr){copy, text.size});
  ck_assert_ptr_nonnull(module);
  EchoPassRegistry *registry = echo_pass_registry_create();
  echo_pass_registry_add(registry, &ECHO_PASS_LOWER_KERNELS);
  EchoPassManagerOptions options = {0};
  EchoPassManager *manager = echo_pass_manager_create(ctx, registry, &options);
  ck_assert(echo_pass_manager_add_pipeline(manager, ECHO_STR("lower-kernels")));
  ck_assert(echo_pass_manager_run(manager, module));
  echo_pass_manager_destroy(manager);
  echo_pass_registry_destroy(registry);
  echo_buffer_destroy(&text);
  return module;
}

static const char *const FOUR[] = {"100", "101", "102", "103", NULL};

/* Compiles all four; how many came from the cache. *bytes gets their objects, one after the other.
 */
static size_t compile(const char *op, const EchoCodegenOptions *options, EchoBuffer *bytes)
{
  EchoContext *ctx = echo_context_create();
  EchoCompiledModule compiled;
  ck_assert(echo_codegen_compile(ctx, lowered(ctx, op, FOUR), options, &compiled));
  ck_assert_uint_eq(compiled.n_kernels, 4);
  size_t n_hits = compiled.n_cache_hits;
  for (size_t i = 0; i < compiled.n_kernels; ++i) {
    ck_assert_uint_eq(compiled.kernels[i].n_phases, 1);
    ck_assert(compiled.kernels[i].phases[0].n_tasks > 0 &&
              compiled.kernels[i].phases[0].grain >= 1);
    if (bytes != NULL)
      echo_buffer_append_str(bytes, compiled.kernels[i].object);
  }
  echo_compiled_module_destroy(&compiled);
  echo_context_destroy(ctx);
  return n_hits;
}

static char cache[64];

static void make_cache(void)
{
  snprintf(cache, sizeof cache, "%s/echo-cache-test-XXXXXX", P_tmpdir);
  ck_assert_ptr_nonnull(mkdtemp(cache));
}

static void remove_cache(void)
{
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", cache);
  ck_assert_int_eq(system(command), 0);
}

START_TEST(objects_are_cached_by_content)
{
  EchoCodegenOptions options = {.cache_dir = cache};
  EchoBuffer first = {0}, second = {0};
  ck_assert_uint_eq(compile("negate", &options, &first), 0);
  ck_assert_uint_eq(compile("negate", &options, &second), 4);
  ck_assert_uint_eq(first.size, second.size);
  ck_assert_mem_eq(first.data, second.data, first.size);
  ck_assert_uint_eq(compile("abs", &options, NULL), 0); /* another text */
  options.cpu = "x86-64-v3";                            /* another target */
  ck_assert_uint_eq(compile("negate", &options, NULL), 0);
  echo_buffer_destroy(&first);
  echo_buffer_destroy(&second);
}
END_TEST

START_TEST(what_is_the_same_to_llvm_is_compiled_once)
{
  static const char *const SHAPES[] = {"100", "101", "10x10", "101x1", "5x20", NULL};
  static const size_t FIRST[] = {0, 1, 0, 1, 0};
  EchoCodegenOptions options = {.cache_dir = cache, .pool = echo_thread_pool_create(3)};
  for (int round = 0; round < 2; ++round) {
    EchoContext *ctx = echo_context_create();
    EchoCompiledModule compiled;
    ck_assert(echo_codegen_compile(ctx, lowered(ctx, "negate", SHAPES), &options, &compiled));
    ck_assert_uint_eq(compiled.n_kernels, 5);
    ck_assert_uint_eq(compiled.n_cache_hits, round == 0 ? 0 : 5);
    for (size_t i = 0; i < compiled.n_kernels; ++i) {
      const EchoCompiledKernel *kernel = &compiled.kernels[i], *first = &compiled.kernels[FIRST[i]];
      ck_assert_uint_eq(kernel->first, FIRST[i]);
      ck_assert(echo_str_equal(kernel->object, first->object));
      ck_assert(echo_str_equal(kernel->phases[0].symbol, first->phases[0].symbol));
    }
    ck_assert(!echo_str_equal(compiled.kernels[0].phases[0].symbol,
                              compiled.kernels[1].phases[0].symbol));
    EchoLinkedCode code;
    ck_assert(echo_codegen_link(ctx, &compiled, &code));
    ck_assert_uint_eq(code.phases.size, 5);
    for (size_t i = 0; i < 5; ++i)
      ck_assert_uint_eq(code.phases.data[i], code.phases.data[FIRST[i]]);
    ck_assert_uint_ne(code.phases.data[0], code.phases.data[1]);
    echo_linked_code_destroy(&code);
    echo_compiled_module_destroy(&compiled);
    echo_context_destroy(ctx);
  }
  echo_thread_pool_destroy(options.pool);
}
END_TEST

START_TEST(damaged_objects_are_made_again)
{
  EchoCodegenOptions options = {.cache_dir = cache};
  EchoBuffer first = {0}, second = {0};
  char command[160];
  ck_assert_uint_eq(compile("negate", &options, &first), 0);
  snprintf(command, sizeof command, "for f in '%s'/*.o; do truncate -s -7 \"$f\"; done", cache);
  ck_assert_int_eq(system(command), 0);
  ck_assert_uint_eq(compile("negate", &options, &second), 0);
  ck_assert_mem_eq(first.data, second.data, first.size);
  ck_assert_uint_eq(compile("negate", &options, NULL), 4);
  echo_buffer_destroy(&first);
  echo_buffer_destroy(&second);
}
END_TEST

START_TEST(threads_do_not_show)
{
  EchoCodegenOptions options = {0};
  EchoBuffer alone = {0}, together = {0};
  compile("exponential", &options, &alone);
  options.pool = echo_thread_pool_create(4);
  compile("exponential", &options, &together);
  echo_thread_pool_destroy(options.pool);
  ck_assert_uint_eq(alone.size, together.size);
  ck_assert_mem_eq(alone.data, together.data, alone.size);
  echo_buffer_destroy(&alone);
  echo_buffer_destroy(&together);
}
END_TEST

/* A kernel whose threads do `body`, with element %x of memref %m, does not compile, says why, and
 * nothing comes back. */
static void expect_untranslatable(const char *body, const char *reason)
{
  EchoContext *ctx = echo_context_create();
  echo_register_dialects(ctx);
  EchoBuffer text = {0};
  echo_buffer_printf(&text,
                     "\"func.func\"() <{sym_name = \"k\", function_type = (memref<4xi32>) -> ()}> "
                     "({\n^bb0(%%m: memref<4xi32>):\n"
                     "%%z = \"arith.constant\"() <{value = 0 : index}> : () -> index\n"
                     "%%o = \"arith.constant\"() <{value = 1 : index}> : () -> index\n"
                     "\"scf.parallel\"(%%z, %%o, %%o) <{operandSegmentSizes = array<i32: 1, 1, 1, "
                     "0>}> ({\n^bb0(%%t: index):\n"
                     "%%x = \"memref.load\"(%%m, %%t) : (memref<4xi32>, index) -> i32\n%s\n"
                     "\"scf.reduce\"() : () -> ()\n}) : (index, index, index) -> ()\n"
                     "\"func.return\"() : () -> ()\n}) {kernel.kind = \"map\"} : () -> ()\n",
                     body);
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("k"), echo_buffer_str(&text));
  ck_assert_ptr_nonnull(module);
  EchoCodegenOptions options = {0};
  EchoCompiledModule compiled;
  ck_assert(!echo_codegen_compile(ctx, module, &options, &compiled));
  ck_assert_uint_eq(compiled.n_kernels, 0);
  ck_assert_uint_eq(echo_context_n_errors(ctx), 1);
  const char *message = echo_context_diagnostic(ctx, 0)->message;
  ck_assert_msg(strstr(message, reason) != NULL, "%s", message);
  echo_buffer_destroy(&text);
  echo_context_destroy(ctx);
}

START_TEST(untranslatable_ops_are_errors)
{
  expect_untranslatable("%y = \"math.ipowi\"(%x, %x) : (i32, i32) -> i32",
                        "'math.ipowi' op has no translation to LLVM");
  expect_untranslatable(
      "%y = \"arith.constant\"() <{value = dense<1> : tensor<4xi32>}> : () -> tensor<4xi32>",
      "'arith.constant' op computes a tensor: kernels compute on memrefs");
  expect_untranslatable("%y = \"arith.bitcast\"(%m) : (memref<4xi32>) -> memref<4xf32>",
                        "'arith.bitcast' op is not translated for memrefs");
  expect_untranslatable("%y = \"arith.index_cast\"(%m) : (memref<4xi32>) -> memref<4xindex>",
                        "'arith.index_cast' op is not translated for memrefs");
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("codegen/cache");
  TCase *tests = tcase_create("cache");
  tcase_set_timeout(tests, 120);
  tcase_add_checked_fixture(tests, make_cache, remove_cache);
  tcase_add_test(tests, objects_are_cached_by_content);
  tcase_add_test(tests, damaged_objects_are_made_again);
  tcase_add_test(tests, what_is_the_same_to_llvm_is_compiled_once);
  tcase_add_test(tests, threads_do_not_show);
  tcase_add_test(tests, untranslatable_ops_are_errors);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
