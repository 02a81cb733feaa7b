/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/nets/listen.h"

#include <stdio.h>

typedef struct Test {
  NetModel model;
  EchoExecutable *executable;
  EchoDeviceBuffer **args;
  size_t n_args;
} Test;

/* Copies: where a training step has its state, with swaps, need not be where this one wants it. The
 * batch is written later: that of a step may be a part. */
static void copy_args(Test *test, EchoDevice *device, EchoDeviceBuffer *const *from)
{
  test->n_args = echo_executable_n_args(test->executable);
  test->args = echo_alloc_zero(test->n_args, sizeof *test->args);
  for (size_t i = 0; i < test->n_args; i++) {
    uint64_t size_bytes = echo_type_static_bytes(echo_executable_arg_type(test->executable, i));
    test->args[i] = sample_buffer_create(device, size_bytes);
    if (i == NET_ARG_DATA || i == NET_ARG_LABELS)
      continue;
    void *bytes = echo_alloc((size_t)size_bytes + 1);
    sample_buffer_read(from[i], bytes);
    sample_buffer_write(test->args[i], bytes);
    echo_free(bytes);
  }
}

static void hear_batch(Test *test, const Speech *speech, int64_t batch, void *data, int32_t *labels,
                       int32_t *classes)
{
  EchoDeviceBuffer *results[2];
  speech_fill(speech, true, batch, data, labels);
  sample_buffer_write(test->args[NET_ARG_DATA], data);
  sample_buffer_write(test->args[NET_ARG_LABELS], labels);
  sample_execute(test->executable, test->args, results);
  sample_buffer_read(results[0], classes);
  for (size_t i = 0; i < 2; i++)
    echo_device_buffer_destroy(results[i]);
}

static void print_first(const Speech *speech, const int32_t *classes, const int32_t *labels)
{
  EchoBuffer said = {0}, heard = {0};
  speech_describe(speech, classes, labels, 0, &said, &heard);
  printf("said \"%s\", heard \"%s\"\n", echo_buffer_c_str(&said), echo_buffer_c_str(&heard));
  echo_buffer_destroy(&said);
  echo_buffer_destroy(&heard);
}

bool net_listen(EchoContext *ctx, const EchoPassRegistry *passes, EchoDevice *device,
                const char *cache_dir_or_null, const Speech *speech, EchoDeviceBuffer *const *args,
                SpeechErrors *errors)
{
  Test test = {0};
  *errors = (SpeechErrors){0};
  net_build_test(ctx, speech->config, &test.model);
  const EchoExecutableOptions options = {.cache_dir = cache_dir_or_null};
  test.executable = sample_compile_or_null(ctx, passes, device, test.model.module, NULL, &options);
  bool ok = test.executable != NULL;
  if (ok) {
    copy_args(&test, device, args);
    void *data = echo_alloc(echo_device_buffer_bytes(test.args[NET_ARG_DATA]));
    int32_t *labels = echo_alloc(echo_device_buffer_bytes(test.args[NET_ARG_LABELS]));
    int32_t *classes =
        echo_alloc(echo_type_static_bytes(echo_executable_result_type(test.executable, 0)));
    for (int64_t batch = 0; batch < LISTEN_BATCHES; batch++) {
      hear_batch(&test, speech, batch, data, labels, classes);
      speech_count_errors(speech, classes, labels, errors);
    }
    print_first(speech, classes, labels);
    echo_free(classes);
    echo_free(labels);
    echo_free(data);
    for (size_t i = 0; i < test.n_args; i++)
      echo_device_buffer_destroy(test.args[i]);
    echo_free(test.args);
    echo_executable_destroy(test.executable);
  }
  net_model_destroy(&test.model);
  return ok;
}
