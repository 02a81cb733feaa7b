/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What every unit test program ends with: the suite is run, a failure becomes the exit status. Each
 * test runs in a process of its own, so one that crashes fails alone. */
#ifndef ECHO_TESTS_UNIT_SUITE_H
#define ECHO_TESTS_UNIT_SUITE_H

#include <check.h>
#include <stdlib.h>

/* Check writes where it is into a pipe at each assertion that holds, to name the last one before a
 * crash: most of the time of a test that compares many elements. */
#define _mark_point(file, line) ((void)0)

/* Under a sanitizer everything is run, but not on the largest sizes: it finds other errors than
 * those that only a size shows. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_SIZE(usual, sanitized) (sanitized)
#else
#define TEST_SIZE(usual, sanitized) (usual)
#endif

static inline int echo_test_run(Suite *suite)
{
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
