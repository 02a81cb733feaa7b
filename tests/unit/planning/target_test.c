/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <check.h>
#include <stdlib.h>

#include "planning/cost/device_model.h"
#include "planning/cost/target.h"

START_TEST(each_target_that_is_listed_is_one_and_has_a_device_model)
{
  EchoBuffer text = {0};
  echo_target_refuse(ECHO_STR("sm_999"), &text);
  ck_assert(strstr(echo_buffer_c_str(&text), "'sm_999' is no target: cpu, ") != NULL);
  size_t n = 0;
  char *names = strchr(text.data, ':') + 1;
  for (char *name = strtok(names, " ,"); name != NULL; name = strtok(NULL, " ,")) {
    if (strcmp(name, "and") == 0 || strcmp(name, "are") == 0)
      continue;
    const EchoTargetInfo *target = echo_target_find_or_null(echo_str(name));
    EchoDeviceModel model;
    ck_assert_ptr_nonnull(target);
    ck_assert(echo_device_model_find(echo_str(target->device_model), &model));
    ck_assert_int_eq(target->is_gpu, strncmp(target->device_model, "gpu-", 4) == 0);
    n++;
  }
  ck_assert_uint_ge(n, 3);
  echo_buffer_destroy(&text);
}
END_TEST

START_TEST(the_cpu_model_is_the_default_one)
{
  EchoDeviceModel model;
  echo_device_model_default(&model);
  ck_assert_str_eq(echo_target_find_or_null(ECHO_STR("cpu"))->device_model, model.name);
}
END_TEST

START_TEST(no_part_of_a_name_is_a_target)
{
  static const char *const NAMES[] = {"", "sm_", "sm_8", "sm_800", "SM_80", "sm_80 "};
  for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
    ck_assert_ptr_null(echo_target_find_or_null(echo_str(NAMES[i])));
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("target");
  TCase *tests = tcase_create("target");
  tcase_add_test(tests, each_target_that_is_listed_is_one_and_has_a_device_model);
  tcase_add_test(tests, the_cpu_model_is_the_default_one);
  tcase_add_test(tests, no_part_of_a_name_is_a_target);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
