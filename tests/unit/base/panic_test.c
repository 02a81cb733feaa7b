/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/panic.h"

#include <setjmp.h>
#include <signal.h>
#include <string.h>

#include "tests/unit/suite.h"

typedef struct Seen {
  jmp_buf escape;
  const char *file;
  int line;
  char message[4096];
  const void *subject;
} Seen;

static void record(void *user, const char *file, int line, const char *message, const void *subject)
{
  Seen *seen = user;
  seen->file = file;
  seen->line = line;
  strcpy(seen->message, message);
  seen->subject = subject;
  longjmp(seen->escape, 1);
}

START_TEST(handler_receives_place_message_and_subject)
{
  static Seen seen;
  int op = 0;
  echo_panic_set_handler(record, &seen);
  volatile int line = 0; /* it changes between setjmp and longjmp */
  if (setjmp(seen.escape) == 0) {
    line = __LINE__ + 1;
    ECHO_CHECK_OP(op == 1, &op, "expects %d, got %d", 1, op);
    ck_abort_msg("the check let a false condition pass");
  }
  ck_assert_str_eq(seen.file, __FILE__);
  ck_assert_int_eq(seen.line, line);
  ck_assert_str_eq(seen.message, "expects 1, got 0");
  ck_assert_ptr_eq(seen.subject, &op);
}
END_TEST

START_TEST(true_condition_is_silent)
{
  static Seen seen;
  echo_panic_set_handler(record, &seen);
  ECHO_CHECK(1 + 1 == 2, "never");
  ck_assert_ptr_null(seen.file);
}
END_TEST

START_TEST(long_message_is_cut_not_overrun)
{
  static Seen seen;
  static char text[8192];
  memset(text, 'x', sizeof text - 1);
  echo_panic_set_handler(record, &seen);
  if (setjmp(seen.escape) == 0)
    ECHO_UNREACHABLE("%s", text);
  ck_assert_uint_eq(strlen(seen.message), 2047);
  ck_assert_ptr_null(seen.subject);
}
END_TEST

START_TEST(default_handler_aborts)
{
  ECHO_CHECK(0, "this message is expected in the log");
}
END_TEST

static void return_quietly(void *user, const char *file, int line, const char *message,
                           const void *subject)
{
  (void)user, (void)file, (void)line, (void)message, (void)subject;
}

START_TEST(handler_that_returns_aborts)
{
  echo_panic_set_handler(return_quietly, NULL);
  ECHO_CHECK(0, "never seen");
}
END_TEST

static void panic_again(void *user, const char *file, int line, const char *message,
                        const void *subject)
{
  (void)user, (void)file, (void)line, (void)subject;
  ECHO_CHECK(0, "this message about \"%s\" is expected in the log", message);
}

START_TEST(panic_inside_the_handler_does_not_recurse)
{
  echo_panic_set_handler(panic_again, NULL);
  ECHO_CHECK(0, "a broken invariant");
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("panic");
  TCase *cases = tcase_create("panic");
  tcase_add_test(cases, handler_receives_place_message_and_subject);
  tcase_add_test(cases, true_condition_is_silent);
  tcase_add_test(cases, long_message_is_cut_not_overrun);
  tcase_add_test_raise_signal(cases, default_handler_aborts, SIGABRT);
  tcase_add_test_raise_signal(cases, handler_that_returns_aborts, SIGABRT);
  tcase_add_test_raise_signal(cases, panic_inside_the_handler_does_not_recurse, SIGABRT);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
