/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Device models: the compiled-in ones, the file format with its mistakes, and times. */
#include "planning/cost/device_model.h"

#include <check.h>
#include <stdlib.h>

START_TEST(what_is_printed_reads_back)
{
  for (size_t m = 0; echo_device_model_name_or_null(m) != NULL; m++) {
    EchoDeviceModel model, again;
    EchoBuffer text = {0}, error = {0};
    ck_assert(echo_device_model_find(echo_str(echo_device_model_name_or_null(m)), &model));
    echo_device_model_print(&model, &text);
    ck_assert(echo_device_model_parse(echo_buffer_str(&text), &again, &error));
    ck_assert_int_eq(memcmp(&model, &again, sizeof model), 0);
    echo_buffer_destroy(&text);
    echo_buffer_destroy(&error);
  }
  EchoDeviceModel none;
  ck_assert(!echo_device_model_find(echo_str("abacus"), &none));
}
END_TEST

static void expect_mistakes(const char *text, const char *want)
{
  EchoDeviceModel model;
  EchoBuffer error = {0};
  ck_assert(!echo_device_model_parse(echo_str(text), &model, &error));
  ck_assert_str_eq(echo_buffer_c_str(&error), want);
  echo_buffer_destroy(&error);
}

START_TEST(mistakes_name_their_lines)
{
  expect_mistakes("", "0: the file ends without a 'name'\n");
  expect_mistakes("name = a\nlaunch_ns = soon\n\nspeed = 3 # no such key\nmemory_bytes_per_s = 0\n",
                  "2: 'soon' is not a number\n"
                  "4: unknown key 'speed'\n"
                  "5: 'memory_bytes_per_s' must be more than zero\n");
  expect_mistakes("name = a\nname = b\nlaunch_ns\nlaunch_ns = 1\nlaunch_ns = 2\nlaunch_ns = -1",
                  "2: 'name' is given twice\n"
                  "3: expected 'key = value'\n"
                  "5: 'launch_ns' is given twice\n"
                  "6: 'launch_ns' is given twice\n"
                  "6: 'launch_ns' must be zero or more\n");
  expect_mistakes("name =", "1: a name has 1 to 63 characters\n");
}
END_TEST

START_TEST(what_is_left_out_is_the_default)
{
  EchoDeviceModel model, standard;
  EchoBuffer error = {0};
  echo_device_model_default(&standard);
  ck_assert(echo_device_model_parse(echo_str("# mine\nname = mine\r\nlaunch_ns = 7e3\n"), &model,
                                    &error));
  ck_assert_str_eq(model.name, "mine");
  ck_assert(model.launch_ns == 7000);
  ck_assert(model.memory_bytes_per_s == standard.memory_bytes_per_s);
  /* … but of what says no more than another key when it is zero */
  ck_assert(standard.transpose_bytes_per_s > 0 && model.transpose_bytes_per_s == 0);
  ck_assert(model.loop_flops_per_s[ECHO_RATE_F32] == 0);
  ck_assert(standard.chained_flops_per_s > 0 && model.chained_flops_per_s == 0);
}
END_TEST

START_TEST(times_are_rounded_integers)
{
  EchoDeviceModel model;
  echo_device_model_default(&model);
  EchoWork work = {.simple_flops = 1000, .n_launches = 1, .type = ECHO_RATE_F32};
  ck_assert_uint_eq(echo_device_model_time_ns(&model, &work), 90); /* on one thread */
  double cached = model.last_cache_bytes; /* at the cache's rate; of twice that all at memory's */
  work = (EchoWork){.bytes = 1e9, .simple_flops = 1000, .type = ECHO_RATE_F32};
  ck_assert_uint_eq(echo_device_model_time_ns(&model, &work), 50000020);
  work.bytes = cached + 1e6; /* what is beyond drives out as much */
  ck_assert_uint_eq(echo_device_model_time_ns(&model, &work), 425544);
  work.simple_flops = 0;
  ck_assert_double_eq_tol(425544, (cached - 1e6) / 100 + 2e6 / 20, 1);
  double cores = model.cores;
  model.cores = 0; /* not of a GPU */
  ck_assert_uint_eq(echo_device_model_time_ns(&model, &work), 385544);
  model.cores = cores;
  model.last_cache_bytes = 1e6; /* of 1.5e6 a third at its rate, the rest at that of the next */
  model.shared_cache_bytes_per_s = 40e9, model.shared_cache_bytes = 4e6;
  work.bytes = 1.5e6;
  ck_assert_uint_eq(echo_device_model_time_ns(&model, &work), 5000 + 25000);
  work.bytes = 5e6; /* none, 3e6 and 2e6 */
  ck_assert_uint_eq(echo_device_model_time_ns(&model, &work), 75000 + 100000);
  model.last_cache_bytes = cached, model.shared_cache_bytes_per_s = 0;
  work = (EchoWork){.bytes = 1e6, .type = ECHO_RATE_F32};
  ck_assert_uint_eq(echo_device_model_time_ns(&model, &work), 10000);
  work.transposes = true;
  ck_assert_uint_eq(echo_device_model_time_ns(&model, &work), 25000);
  work = (EchoWork){.loop_flops = 1e6, .type = ECHO_RATE_F32};
  ck_assert_uint_eq(echo_device_model_time_ns(&model, &work), 10000);
  work = (EchoWork){.chained_flops = 4000, .type = ECHO_RATE_F32};
  ck_assert_uint_eq(echo_device_model_time_ns(&model, &work), 1000);
  model.chained_flops_per_s = 0; /* a lane of 50e9 */
  ck_assert_uint_eq(echo_device_model_time_ns(&model, &work), 1280);
  work = (EchoWork){.loop_flops = 1e6, .type = ECHO_RATE_F32};
  model.transpose_bytes_per_s = model.loop_flops_per_s[ECHO_RATE_F32] = 0; /* as the others */
  ck_assert_uint_eq(echo_device_model_time_ns(&model, &work), 5000);
  work = (EchoWork){.bytes = 1e6, .transposes = true};
  ck_assert_uint_eq(echo_device_model_time_ns(&model, &work), 10000);
  work = (EchoWork){.contraction_flops = 1e300, .type = ECHO_RATE_F64};
  ck_assert_uint_eq(echo_device_model_time_ns(&model, &work), UINT64_C(1) << 62);
  ck_assert_uint_eq(echo_device_model_copy_ns(&model, 8000, true), 3000);
  ck_assert_uint_eq(echo_device_model_copy_ns(&model, 0, false), 2000);
  ck_assert_uint_eq(echo_device_model_link_ns(&model, 0, 0), 0);
  ck_assert_uint_eq(echo_device_model_link_ns(&model, 2, 8000), 1600);
}
END_TEST

START_TEST(tf32_has_a_rate_of_its_own)
{
  EchoDeviceModel gpu;
  ck_assert(echo_device_model_find(ECHO_STR("gpu-a100-40g"), &gpu));
  EchoWork work = {.contraction_flops = 156e9, .type = ECHO_RATE_F32};
  ck_assert_uint_eq(echo_device_model_time_ns(&gpu, &work), 8000000);
  work.allows_tf32 = true;
  ck_assert_uint_eq(echo_device_model_time_ns(&gpu, &work), 1000000);
  work.type = ECHO_RATE_F16; /* of halves it says nothing */
  ck_assert_uint_eq(echo_device_model_time_ns(&gpu, &work), 500000);
  gpu.tf32_flops_per_s = 0; /* as of f32 */
  work.type = ECHO_RATE_F32;
  ck_assert_uint_eq(echo_device_model_time_ns(&gpu, &work), 8000000);
}
END_TEST

START_TEST(goes_with_threads)
{
  EchoDeviceModel model, gpu;
  echo_device_model_default(&model);
  EchoDeviceModel one = echo_device_model_on_threads(&model, 1);
  EchoWork work = {.contraction_flops = 1e9, .type = ECHO_RATE_F32};
  ck_assert_uint_eq(echo_device_model_time_ns(&one, &work),
                    2 * echo_device_model_time_ns(&model, &work));
  work.allows_tf32 = true; /* a processor has none */
  ck_assert_uint_eq(echo_device_model_time_ns(&model, &work), 5000000);
  model.last_cache_bytes = 0;
  one = echo_device_model_on_threads(&model, 1);
  work = (EchoWork){.bytes = 1e9};
  ck_assert_uint_eq(echo_device_model_time_ns(&one, &work),
                    echo_device_model_time_ns(&model, &work));
  EchoDeviceModel same = echo_device_model_on_threads(&model, 0);
  ck_assert_int_eq(memcmp(&same, &model, sizeof model), 0);
  ck_assert(echo_device_model_find(echo_str("gpu-h100-80g"), &gpu));
  same = echo_device_model_on_threads(&gpu, 4);
  ck_assert_int_eq(memcmp(&same, &gpu, sizeof gpu), 0);
}
END_TEST

/* What is short runs on the thread that asks for it, as it does where there is but one; what is
 * long on all of them. */
START_TEST(threads_are_woken_where_that_is_shorter)
{
  EchoDeviceModel model, gpu;
  echo_device_model_default(&model);
  EchoDeviceModel one = echo_device_model_on_threads(&model, 1);
  double launch_ns = model.launch_ns, call_ns = model.call_ns, before = 0;
  ck_assert(echo_device_model_kernel_ns(&model, 0) == call_ns);
  ck_assert(echo_device_model_kernel_ns(&one, 200) == 200 + call_ns);
  ck_assert(echo_device_model_kernel_ns(&model, 100) == 200 + call_ns);
  ck_assert(echo_device_model_kernel_ns(&model, 1e6) == 1e6 + launch_ns);
  for (double ns = 0; ns < 3 * launch_ns; ns += 10) {
    double takes = echo_device_model_kernel_ns(&model, ns);
    bool is_alone = echo_device_model_portions(&model, ns) < 2;
    ck_assert(is_alone == (takes == model.cores * ns + call_ns));
    ck_assert(takes >= before && takes <= ns + 2 * launch_ns);
    before = takes;
  }
  EchoWork work = {.n_launches = 100};
  ck_assert_uint_eq(echo_device_model_time_ns(&model, &work), 5000);
  work = (EchoWork){.bytes = 1e6, .n_launches = 2};
  ck_assert_uint_eq(echo_device_model_time_ns(&model, &work), 10000 + 2 * 2000);
  ck_assert(echo_device_model_find(echo_str("gpu-h100-80g"), &gpu));
  ck_assert(echo_device_model_kernel_ns(&gpu, 100) == 100 + gpu.launch_ns);
  ck_assert(echo_device_model_call_ns(&gpu) == gpu.launch_ns);
  ck_assert(echo_device_model_call_ns(&model) == call_ns);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("device_model");
  TCase *tests = tcase_create("device_model");
  tcase_add_test(tests, what_is_printed_reads_back);
  tcase_add_test(tests, mistakes_name_their_lines);
  tcase_add_test(tests, what_is_left_out_is_the_default);
  tcase_add_test(tests, times_are_rounded_integers);
  tcase_add_test(tests, tf32_has_a_rate_of_its_own);
  tcase_add_test(tests, goes_with_threads);
  tcase_add_test(tests, threads_are_woken_where_that_is_shorter);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
