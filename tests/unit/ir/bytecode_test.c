/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Broken bytecode: whatever becomes of a file's bytes, the reader answers with a module or with an
 * error, and reads nothing beyond them. */
#include "ir/bytecode/bytecode.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "dialects/dialects.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "tests/unit/suite.h"

static EchoContext *create_context(void)
{
  EchoContext *ctx = echo_context_create();
  echo_register_dialects(ctx);
  echo_context_allow_unregistered(ctx, true);
  return ctx;
}

static void load(const char *name, EchoFile *file)
{
  char path[512];
  EchoBuffer error = {0};
  snprintf(path, sizeof path, "%s/tests/golden/bytecode/Inputs/%s", ECHO_SOURCE_DIR, name);
  ck_assert_msg(echo_file_read(path, file, &error), "%s", echo_buffer_c_str(&error));
}

/* Reads a copy that ends where its memory does, so that a sanitizer sees a byte too far; what comes
 * out is verified. True when a module came out. */
static bool read_copy(EchoContext *ctx, const char *data, size_t size)
{
  char *copy = malloc(size + 1);
  memcpy(copy, data, size);
  uint64_t n_before = echo_context_n_errors(ctx);
  char *exact = realloc(copy, size);
  EchoOp *module = echo_read_bytecode_or_null(ctx, ECHO_STR("f"), (EchoStr){exact, size});
  ck_assert(module != NULL || echo_context_n_errors(ctx) > n_before);
  if (module != NULL)
    echo_verify(module);
  free(exact);
  return module != NULL;
}

/* Calls change(copy, i) for each i below n, on a copy of the file, and reads what comes of it. */
static size_t read_changed(const char *name, size_t first, int n_ways)
{
  static const unsigned char MASKS[] = {0xff, 1, 2, 0x80};
  EchoFile file;
  load(name, &file);
  char *data = malloc(file.size);
  memcpy(data, file.data, file.size);
  EchoContext *ctx = create_context();
  size_t n_read = 0;
  for (size_t i = first; i < file.size; i++) {
    for (int way = 0; way < n_ways; way++) {
      data[i] = (char)((unsigned char)data[i] ^ MASKS[way]);
      n_read += read_copy(ctx, data, file.size);
      data[i] = file.data[i];
    }
    if (i % 64 == 0) {
      echo_context_destroy(ctx);
      ctx = create_context();
    }
  }
  echo_context_destroy(ctx);
  free(data);
  echo_file_close(&file);
  return n_read;
}

START_TEST(every_byte_may_be_another)
{
  ck_assert_uint_gt(read_changed("step.vhlo.bc", 4, 4), 0);
  read_changed("step.bc", 4, 2);
}
END_TEST

START_TEST(every_byte_may_be_the_last)
{
  EchoFile file;
  load("step.vhlo.bc", &file);
  EchoContext *ctx = create_context();
  ck_assert(read_copy(ctx, file.data, file.size));
  for (size_t size = 4; size < file.size; size++)
    ck_assert(!read_copy(ctx, file.data, size));
  echo_context_destroy(ctx);
  echo_file_close(&file);
}
END_TEST

/* An attribute that is an array of itself. */
START_TEST(what_holds_itself_is_found)
{
  static const unsigned char BYTES[] = {
      'M', 'L',  0xef, 'R',  0x0d, 0,                                  /* version 6, no producer */
      0,   0x15, 0x03, 0x11, 'b',  'u',  'i',  'l',  't', 'i', 'n', 0, /* one string */
      1,   0x0d, 0x03, 0x01, 0x03, 0x01, 0x03, 0x01,                   /* one dialect, one op */
      3,   0x0b, 0x03, 0x01, 0x01, 0x03, 0x0f, /* one attribute: builtin, custom, 3 bytes */
      2,   0x07, 0x01, 0x03, 0x01,             /* code 0, one element, number 0 */
      4,   0x09, 0x05, 0x01, 0x00, 0x01,       /* an op whose location is attribute 0 */
  };
  EchoContext *ctx = create_context();
  ck_assert(!read_copy(ctx, (const char *)BYTES, sizeof BYTES));
  const EchoDiagnostic *last = echo_context_diagnostic(ctx, echo_context_n_diagnostics(ctx) - 1);
  ck_assert_str_eq(last->message, "bytecode: an attribute that holds itself");
  echo_context_destroy(ctx);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("bytecode");
  TCase *tests = tcase_create("broken");
  tcase_add_test(tests, every_byte_may_be_another);
  tcase_add_test(tests, every_byte_may_be_the_last);
  tcase_add_test(tests, what_holds_itself_is_found);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
