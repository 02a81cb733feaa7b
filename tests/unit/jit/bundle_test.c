/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bundles: what was made is what runs; a byte that is another one, a byte that is missing, and a
 * plan that does not fit its code are refused, each with an error. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "echo/echo.h"
#include "jit/bundle.h"
#include "jit/runtime/bundle/bundle.h"
#include "jit/runtime/bundle/format_t.h"
#include "tests/unit/suite.h"

static const char STEP[] = "func.func @main(%a: tensor<16xf32>) -> tensor<16xf32> {\n"
                           "  %0 = stablehlo.tanh %a : tensor<16xf32>\n"
                           "  return %0 : tensor<16xf32>\n"
                           "}\n";

enum { N = 16, BYTES = N * sizeof(float) };

static int file = -1; /* in memory, that nothing is left of */
static char path[64];

static void open_file(void)
{
  file = memfd_create("bundle", 0);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
}

static void close_file(void)
{
  close(file);
}

static void make(EchoBuffer *out)
{
  EchoContext *ctx = echo_context_create();
  EchoPassRegistry *passes = echo_pass_registry_create();
  echo_register_all(ctx, passes);
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("step.mlir"), ECHO_STR(STEP));
  ck_assert(echo_compile_to_stage(ctx, passes, module, ECHO_STAGE_LOOPS, NULL, NULL));
  ck_assert(echo_bundle_create(ctx, module, &(EchoBundleOptions){.cpu = "x86-64"}, out));
  echo_pass_registry_destroy(passes);
  echo_context_destroy(ctx);
}

static void write_file(const char *data, size_t size)
{
  ck_assert_int_eq(ftruncate(file, 0), 0);
  ck_assert_int_eq(pwrite(file, data, size, 0), (ssize_t)size);
}

/* Opens, loads and runs what the file holds on 16 halves. False after at least one error. */
static bool run(const char *data, size_t size, float *result)
{
  write_file(data, size);
  EchoContext *ctx = echo_context_create();
  echo_bundle_register_dialects(ctx);
  EchoDevice *device = NULL;
  EchoBundle bundle;
  EchoExecutable *executable = NULL;
  if (echo_bundle_open(ctx, path, &bundle)) {
    device = echo_device_create_cpu(1);
    executable = echo_bundle_load_or_null(ctx, device, &bundle);
    echo_bundle_close(&bundle);
  }
  bool ok = executable != NULL;
  if (ok) {
    EchoDeviceBuffer *arg = echo_device_buffer_create_or_null(ctx, device, BYTES), *out = NULL;
    float halves[N];
    for (size_t i = 0; i < N; i++)
      halves[i] = 0.5f;
    ck_assert(echo_device_buffer_write(ctx, arg, halves, BYTES));
    ck_assert(echo_executable_execute(executable, &arg, 1, &out, 1));
    ck_assert(echo_device_buffer_read(ctx, out, result, BYTES));
    echo_device_buffer_destroy(arg);
    echo_device_buffer_destroy(out);
  }
  ck_assert(ok == (echo_context_n_errors(ctx) == 0));
  echo_executable_destroy(executable);
  echo_device_destroy(device);
  echo_context_destroy(ctx);
  return ok;
}

START_TEST(it_runs)
{
  EchoBuffer bytes = {0};
  float result[N];
  make(&bytes);
  ck_assert(run(bytes.data, bytes.size, result));
  for (size_t i = 0; i < N; i++)
    ck_assert_float_eq_tol(result[i], 0.46211716f, 1e-6f);
  echo_buffer_destroy(&bytes);
}
END_TEST

START_TEST(each_byte_flipped)
{
  EchoBuffer bytes = {0};
  float result[N];
  make(&bytes);
  for (size_t i = 0; i < bytes.size; i++) {
    bytes.data[i] = (char)(bytes.data[i] ^ (1 << i % 8));
    if (run(bytes.data, bytes.size, result))
      ck_abort_msg("byte %zu is another one, and nobody says so", i);
    bytes.data[i] = (char)(bytes.data[i] ^ (1 << i % 8));
  }
  echo_buffer_destroy(&bytes);
}
END_TEST

START_TEST(each_cut)
{
  EchoBuffer bytes = {0};
  float result[N];
  make(&bytes);
  for (size_t size = 0; size < bytes.size; size++)
    if (run(bytes.data, size, result))
      ck_abort_msg("only %zu bytes are left, and nobody says so", size);
  echo_buffer_destroy(&bytes);
}
END_TEST

/* The bundle with `from` replaced by `to`, as long, its checksum right again. */
static bool run_with(const char *from, const char *to)
{
  EchoBuffer bytes = {0};
  float result[N];
  make(&bytes);
  ck_assert_uint_eq(strlen(from), strlen(to));
  char *at = memmem(bytes.data, bytes.size, from, strlen(from));
  ck_assert_msg(at != NULL, "the bundle has no '%s'", from);
  memcpy(at, to, strlen(to));
  EchoBundleHeader header;
  memcpy(&header, bytes.data, sizeof header);
  echo_bundle_checksum(bytes.data, bytes.size, header.checksum);
  memcpy(bytes.data, &header, sizeof header);
  bool ok = run(bytes.data, bytes.size, result);
  echo_buffer_destroy(&bytes);
  return ok;
}

START_TEST(plans_that_do_not_fit)
{
  ck_assert(run_with("bundle.target", "bundle.target"));
  ck_assert(!run_with("bundle.target", "bundle.forget"));
  ck_assert(!run_with("bundle.target = \"cpu\"", "bundle.target = \"gpu\""));
  ck_assert(!run_with("bundle.kernels", "bundle.without"));
  static const char *const PHASES[] = {
      "array<i64:-1, 1, 1>", "array<i64:9999,1,1>", "array<i64: 0, 1, 0>",  "array<i64: 0,-1, 1>",
      "array<i64: 0,    1>", "[ 0 , 1 , 1,      ]", "\"abcdefghijklmnopq\""};
  for (size_t i = 0; i < sizeof PHASES / sizeof PHASES[0]; i++)
    ck_assert_msg(!run_with("array<i64: 0, 1, 1>", PHASES[i]), "%s", PHASES[i]);
  ck_assert(!run_with("name = \"map_0\"", "name = \"map_9\""));
  ck_assert(!run_with("name = \"map_0\"", "nome = \"map_0\""));
  ck_assert(!run_with("bundle.cells = array<i64: ", "bundle.cells = array<i64:-"));
  ck_assert(!run_with(", 18, 0>", ", 99, 0>")); /* 18: fmaf */
  ck_assert(!run_with(", 18, 0>", ", 18, 1>"));
  ck_assert(!run_with(", 18, 0>", ", 18   >"));
  ck_assert(!run_with("bundle.processor = []", "bundle.processor = 00"));
  ck_assert(!run_with("sym_name = \"main\"", "sym_name = \"mine\""));
  ck_assert(!run_with("callee = @map_0", "callee = @map_1"));
}
END_TEST

START_TEST(what_is_handed_over)
{
  EchoContext *ctx = echo_context_create();
  EchoDevice *device = echo_device_create_cpu(1);
  EchoBuffer out = {0};
  EchoBundle bundle = {0};
  EchoImage image = {0};
  ck_assert(!echo_bundle_create(NULL, NULL, NULL, &out));
  ck_assert(!echo_bundle_create(ctx, NULL, NULL, &out));
  ck_assert(!echo_bundle_create(ctx, NULL, NULL, NULL));
  ck_assert(!echo_bundle_open(ctx, NULL, &bundle));
  ck_assert(!echo_bundle_open(ctx, path, NULL));
  ck_assert(!echo_bundle_read(ctx, NULL, ECHO_STR("x"), &bundle));
  ck_assert(!echo_bundle_read(ctx, path, (EchoStr){NULL, 1}, &bundle));
  ck_assert(!echo_bundle_read(ctx, path, ECHO_STR("x"), NULL));
  ck_assert(!echo_bundle_read(ctx, path, (EchoStr){0}, &bundle));
  ck_assert_ptr_null(echo_bundle_load_or_null(ctx, NULL, &bundle));
  ck_assert_ptr_null(echo_bundle_load_or_null(ctx, device, NULL));
  ck_assert_ptr_null(echo_bundle_load_or_null(ctx, device, &bundle));
  ck_assert_ptr_null(echo_executable_load_or_null(ctx, device, &image));
  ck_assert_ptr_null(echo_executable_load_or_null(ctx, NULL, &image));
  ck_assert_uint_eq(echo_context_n_errors(ctx), 13);
  echo_bundle_close(NULL);
  echo_image_destroy(NULL);
  echo_device_destroy(device);
  echo_context_destroy(ctx);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("bundle");
  TCase *tcase = tcase_create("bundle");
  tcase_add_checked_fixture(tcase, open_file, close_file);
  tcase_add_test(tcase, it_runs);
  tcase_add_test(tcase, each_byte_flipped);
  tcase_add_test(tcase, each_cut);
  tcase_add_test(tcase, plans_that_do_not_fit);
  tcase_add_test(tcase, what_is_handed_over);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
