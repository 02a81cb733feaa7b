/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What every unit test program ends with: the suite is run, a failure becomes the exit status. Each
 * test runs in a process of its own, so one that crashes fails alone. */
#ifndef ECHO_TESTS_UNIT_SUITE_H
#define ECHO_TESTS_UNIT_SUITE_H

#include <check.h>
#include <stdlib.h>

static inline int echo_test_run(Suite *suite)
{
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
