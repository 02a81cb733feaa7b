/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Trains a network on the CPU, plans it or writes its IR. */
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "jit/data/safetensors.h"
#include "samples/common/plan.h"
#include "samples/common/progress.h"
#include "samples/common/random.h"
#include "samples/common/ranks.h"
#include "samples/common/session.h"
#include "samples/nets/listen.h"
#include "samples/nets/options.h"
#include "samples/nets/task.h"

/* One compiled step and the buffers that it works on: inputs, then what training carries. */
typedef struct Training {
  const NetOptions *options;
  EchoContext *ctx;
  EchoPassRegistry *passes;
  EchoDevice *device;
  NetModel model;
  NetTask task;
  EchoExecutable *executable;
  EchoDeviceBuffer **args, **results;
  size_t n_args, n_results;
  double compile_s, step_s, steps_s; /* step_s: median; steps_s: all together */
  ECHO_VECTOR(float) losses;
  ECHO_VECTOR(double) error_rates; /* of a network that hears: of each batch, before its update */
  SpeechErrors test;
} Training;

static bool hears(const Training *training)
{
  return training->options->config.kind == NET_SPEECH;
}

static double rate_of(const SpeechErrors *errors)
{
  return (double)errors->n_edits / (double)errors->n_characters;
}

/* Each line of what is wrong as an error of the program's. */
static void print_errors(const char *program, const EchoBuffer *errors)
{
  const char *at = echo_buffer_c_str(errors);
  while (*at != '\0') {
    size_t size = strcspn(at, "\n");
    fprintf(stderr, "%s: error: %.*s\n", program, (int)size, at);
    at += size + (at[size] == '\n');
  }
}

static void write_initial(const SampleParameter *parameter, uint64_t seed, EchoDeviceBuffer *buffer)
{
  size_t n = (size_t)echo_type_static_n_elements(parameter->type);
  if (echo_element_is_float(echo_type_element_kind(parameter->type))) {
    float *values = echo_alloc_array(n + 1, sizeof *values);
    for (size_t k = 0; k < n; k++)
      values[k] = parameter->center + parameter->range * (2 * sample_uniform(seed, k) - 1);
    sample_buffer_write(buffer, values);
    echo_free(values);
  } else {
    const int32_t value = (int32_t)parameter->center;
    sample_buffer_write(buffer, &value);
  }
}

static bool create_task(Training *training, const NetOptions *options)
{
  EchoBuffer errors = {0};
  bool ok = net_task_create(&training->task, &options->config, options->data,
                            (uint64_t)options->seed, &errors);
  print_errors(options->program, &errors);
  echo_buffer_destroy(&errors);
  return ok;
}

static bool training_create(Training *training, const NetOptions *options)
{
  *training = (Training){.options = options, .ctx = sample_context_create()};
  training->passes = sample_passes_create();
  if (!create_task(training, options))
    return false;
  double begin_s = sample_now_s();
  training->device =
      sample_device_create_or_null(options->program, options->device, options->threads);
  if (training->device == NULL)
    return false;
  net_build_training_step(training->ctx, &options->config, &training->model);
  const EchoCompileOptions compile = {.echo = options->echo, .device = options->device_model};
  if (!sample_ranks_partition(training->ctx, training->passes, training->device,
                              training->model.module, "arg0,arg1", options->shard_state, &compile))
    return false;
  const EchoExecutableOptions executable = {.cache_dir = options->cache_dir};
  training->executable = sample_compile_or_null(training->ctx, training->passes, training->device,
                                                training->model.module, &compile, &executable);
  training->compile_s = sample_now_s() - begin_s;
  if (training->executable == NULL)
    return false;
  training->n_args = echo_executable_n_args(training->executable);
  training->n_results = echo_executable_n_results(training->executable);
  training->args = echo_alloc_zero(training->n_args, sizeof *training->args);
  training->results = echo_alloc_zero(training->n_results, sizeof *training->results);
  for (size_t i = 0; i < training->n_args; i++) {
    const SampleParameter *carried =
        i >= NET_N_INPUTS ? &training->model.carried.data[i - NET_N_INPUTS] : NULL;
    const EchoType *type =
        carried != NULL ? carried->type : echo_executable_arg_type(training->executable, i);
    training->args[i] = sample_buffer_create(training->device, echo_type_static_bytes(type));
    if (carried != NULL) {
      write_initial(carried, (uint64_t)options->seed + i, training->args[i]);
      sample_ranks_shrink(training->device, training->ctx, training->model.module, i, type,
                          &training->args[i]);
    }
    sample_buffer_fit(training->device, training->executable, i, &training->args[i]);
  }
  const uint64_t key = (uint64_t)options->seed;
  const float rate = (float)options->learning_rate;
  sample_buffer_write(training->args[NET_ARG_KEY], &key);
  sample_buffer_write(training->args[NET_ARG_RATE], &rate);
  return true;
}

static void training_destroy(Training *training)
{
  for (size_t i = 0; i < training->n_args; i++)
    echo_device_buffer_destroy(training->args[i]);
  echo_free(training->args);
  echo_free(training->results);
  echo_vector_destroy(&training->losses);
  echo_vector_destroy(&training->error_rates);
  net_task_destroy(&training->task);
  if (training->executable != NULL)
    echo_executable_destroy(training->executable);
  net_model_destroy(&training->model);
  echo_device_destroy(training->device);
  echo_pass_registry_destroy(training->passes);
  echo_context_destroy(training->ctx);
}

/* What the step heard in its batch. */
static void count_errors(Training *training, EchoDeviceBuffer *result, const int32_t *labels)
{
  SpeechErrors errors = {0};
  int32_t *classes = echo_alloc(echo_device_buffer_bytes(result));
  sample_buffer_read(result, classes);
  speech_count_errors(&training->task.speech, classes, labels, &errors);
  echo_vector_push(&training->error_rates, rate_of(&errors));
  echo_free(classes);
}

static float take_step(Training *training, const int32_t *labels)
{
  float loss;
  sample_execute(training->executable, training->args, training->results);
  /* The last results are the batch's; the others are arguments. */
  EchoDeviceBuffer **own = &training->results[training->n_results - 1];
  sample_buffer_read(own[0], &loss);
  echo_device_buffer_destroy(own[0]);
  if (hears(training)) {
    count_errors(training, own[-1], labels);
    echo_device_buffer_destroy(own[-1]);
  }
  return loss;
}

static int compare_doubles(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void train(Training *training)
{
  const NetOptions *options = training->options;
  size_t n_parts = (size_t)echo_mpi_size();
  void *data = echo_alloc_array(n_parts, echo_device_buffer_bytes(training->args[NET_ARG_DATA]));
  int32_t *labels =
      echo_alloc_array(n_parts, echo_device_buffer_bytes(training->args[NET_ARG_LABELS]));
  double *times = echo_alloc_array((size_t)options->steps + 1, sizeof *times);
  for (int64_t step = 0; step < options->steps; step++) {
    net_task_fill(&training->task, step, data, labels);
    sample_ranks_write(training->args[NET_ARG_DATA], data, 1);
    sample_ranks_write(training->args[NET_ARG_LABELS], labels, 1);
    double begin_s = sample_now_s();
    sample_progress_show("%s: step %lld of %lld", options->model, (long long)step + 1,
                         (long long)options->steps);
    echo_vector_push(&training->losses, take_step(training, labels));
    times[step] = sample_now_s() - begin_s;
    training->steps_s += times[step];
  }
  sample_progress_clear();
  qsort(times, (size_t)options->steps, sizeof *times, compare_doubles);
  training->step_s = options->steps > 0 ? times[options->steps / 2] : 0;
  echo_free(times);
  echo_free(labels);
  echo_free(data);
}

static bool save(const Training *training)
{
  EchoTensorSet set = {0};
  EchoBuffer error = {0};
  bool ok = true;
  for (size_t i = NET_N_INPUTS; i < training->n_args && ok; i++) {
    const SampleParameter *carried = &training->model.carried.data[i - NET_N_INPUTS];
    EchoTensor *tensor = echo_tensor_create(carried->type, false);
    ok = sample_ranks_read(training->ctx, training->model.module, i, carried->type,
                           training->args[i], tensor->data, &error);
    bool is_new = echo_tensor_set_add(&set, echo_str(carried->name), tensor);
    ECHO_CHECK(is_new, "two values are named '%s'", carried->name);
  }
  if (sample_ranks_is_first())
    ok = ok && echo_safetensors_write(training->options->save, &set, NULL, &error);
  if (!ok)
    fprintf(stderr, "%s: error: %s\n", training->options->program, echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
  echo_tensor_set_destroy(&set);
  return ok;
}

static bool write_json(const Training *training, const EchoExecutableMemory *memory)
{
  EchoBuffer text = {0};
  EchoJsonWriter json = echo_json_writer(&text);
  echo_json_begin_object(&json);
  echo_json_field_string(&json, "model", echo_str(training->options->model));
  echo_json_field_u64(&json, "peak_bytes", memory->peak_bytes);
  echo_json_field_u64(&json, "arena_bytes", memory->arena_bytes);
  echo_json_field_u64(&json, "measured_bytes", echo_device_peak_bytes(training->device));
  echo_json_field_f64(&json, "compile_s", training->compile_s);
  echo_json_field_f64(&json, "step_s", training->step_s);
  echo_json_key(&json, "losses");
  echo_json_begin_array(&json);
  for (size_t i = 0; i < training->losses.size; i++)
    echo_json_f64(&json, (double)training->losses.data[i]);
  echo_json_end_array(&json);
  if (hears(training)) {
    echo_json_key(&json, "error_rates");
    echo_json_begin_array(&json);
    for (size_t i = 0; i < training->error_rates.size; i++)
      echo_json_f64(&json, training->error_rates.data[i]);
    echo_json_end_array(&json);
    echo_json_field_f64(&json, "test_error_rate", rate_of(&training->test));
  }
  echo_json_end_object(&json);
  echo_buffer_append_char(&text, '\n');
  bool ok = sample_write_file(training->options->program, training->options->json, &text);
  echo_buffer_destroy(&text);
  return ok;
}

/* Characters that are wrong, of a hundred. */
static bool test(Training *training)
{
  bool ok =
      net_listen(training->ctx, training->passes, training->device, training->options->cache_dir,
                 &training->task.speech, training->args, &training->test);
  if (ok && training->error_rates.size != 0)
    printf(
        "character error rate: %.1f %% at first, %.1f %% at last, %.1f %% in %d batches of tests\n",
        100 * training->error_rates.data[0], 100 * echo_vector_last(&training->error_rates),
        100 * rate_of(&training->test), LISTEN_BATCHES);
  return ok;
}

static bool run(const NetOptions *options)
{
  Training training;
  bool ok = training_create(&training, options);
  if (ok) {
    train(&training);
    EchoExecutableMemory memory = echo_executable_memory(training.executable);
    uint64_t measured = echo_device_peak_bytes(training.device);
    printf("%s: compiled in %.2f s, %zu kernels\n", options->model, training.compile_s,
           echo_executable_n_kernels(training.executable));
    if (training.losses.size != 0)
      printf("loss %.4f to %.4f in %zu steps, %.1f ms a step\n", (double)training.losses.data[0],
             (double)echo_vector_last(&training.losses), training.losses.size,
             training.step_s * 1e3);
    printf("peak: planned %llu bytes, measured %llu\n", (unsigned long long)memory.peak_bytes,
           (unsigned long long)measured);
    EchoBuffer text = {0};
    fputs(sample_ranks_describe(training.device, training.steps_s, (int64_t)training.losses.size,
                                &text),
          stdout);
    echo_buffer_destroy(&text);
    if (sample_ranks_is_first())
      ok = !hears(&training) || test(&training);
    ok = ok && (options->save == NULL || save(&training)); /* each has its part */
    if (sample_ranks_is_first())
      ok = ok && (options->json == NULL || write_json(&training, &memory));
  }
  training_destroy(&training);
  return ok;
}

static EchoOp *build(void *user, EchoContext *ctx)
{
  NetModel model;
  net_build_training_step(ctx, user, &model);
  EchoOp *module = model.module;
  net_model_destroy(&model);
  return module;
}

static bool emit(NetOptions *options)
{
  EchoContext *ctx = sample_context_create();
  const EchoCompileOptions compile = {.echo = options->echo, .device = options->device_model};
  bool ok = sample_emit(options->program, ctx, build(&options->config, ctx), options->emit,
                        &compile, options->has_locations, options->output);
  echo_context_destroy(ctx);
  return ok;
}

static bool plan(NetOptions *options)
{
  const SamplePlanOptions plan = {.program = options->program,
                                  .device = options->device_model,
                                  .echo = options->echo,
                                  .json = options->json,
                                  .build = build,
                                  .user = &options->config};
  return sample_plan_only(&plan);
}

int net_main(int argc, char **argv, const NetProgram *program)
{
  NetOptions options;
  switch (net_options_parse(argc, argv, program, &options)) {
  case ECHO_PARSE_EXIT:
    return EXIT_SUCCESS;
  case ECHO_PARSE_ERROR:
    return EXIT_FAILURE;
  case ECHO_PARSE_OK:
    break;
  }
  if (options.plan_only)
    return plan(&options) ? EXIT_SUCCESS : EXIT_FAILURE;
  if (options.emit != NULL)
    return emit(&options) ? EXIT_SUCCESS : EXIT_FAILURE;
  if (!sample_ranks_start(options.program, options.data_parallel, options.limit_s, argc, argv))
    return EXIT_FAILURE;
  bool ok = run(&options);
  sample_ranks_end(ok);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
