/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/nmt/run.h"
#include "samples/common/session.h"

#include <stdlib.h>

bool nmt_run_create(NmtRun *run, const NmtOptions *options)
{
  *run = (NmtRun){.options = options, .config = options->config};
  sample_progress_set_quiet(options->quiet);
  sample_progress_show("reading the pairs");
  bool has_task = nmt_task_create(&run->task, options, &run->config);
  sample_progress_clear();
  if (!has_task)
    return false;
  run->passes = sample_passes_create();
  run->device = sample_device_create_or_null("nmt", options->device, options->threads);
  if (run->device != NULL)
    return true;
  nmt_run_destroy(run);
  return false;
}

void nmt_run_destroy(NmtRun *run)
{
  nmt_task_destroy(&run->task);
  echo_pass_registry_destroy(run->passes);
  echo_device_destroy(run->device);
}

static EchoExecutableOptions executable_options(const NmtRun *run)
{
  return (EchoExecutableOptions){.cache_dir = run->options->cache_dir};
}

bool nmt_run_compile_step(const NmtRun *run, const char *echo, NmtProgram *program)
{
  const EchoCompileOptions compile = {.echo = echo, .device = run->options->device_model};
  const EchoExecutableOptions executable = executable_options(run);
  const NmtDivision division = run->options->shard_state ? NMT_DIVIDED_STATE : NMT_DIVIDED;
  return nmt_program_create(program, run->device, run->passes, nmt_build_training_step, division,
                            &run->config, &compile, &executable);
}

void nmt_training_destroy(NmtTraining *training)
{
  echo_vector_destroy(&training->losses);
}

/* Starts a new measurement of the process's largest resident set, where the kernel allows it. */
static void reset_process_peak(void)
{
  FILE *file = fopen("/proc/self/clear_refs", "w");
  if (file == NULL)
    return;
  fputs("5", file);
  fclose(file);
}

static uint64_t process_peak_bytes(void)
{
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  unsigned long long kib = 0;
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "VmHWM: %llu kB", &kib) == 1)
      break;
  if (file != NULL)
    fclose(file);
  return (uint64_t)kib * 1024;
}

static int compare_doubles(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void nmt_run_train(const NmtRun *run, NmtProgram *program, NmtState *state, int64_t last_step,
                   NmtAfterStepFn *after, void *user, NmtTraining *training)
{
  NmtTrainer trainer;
  ECHO_VECTOR(double) times = {0};
  echo_device_reset_peak(run->device);
  reset_process_peak();
  nmt_trainer_create(&trainer, program, state, &run->task.train, run->options->seed,
                     run->options->learning_rate, run->options->warmup);
  *training = (NmtTraining){0};
  for (int64_t step = nmt_state_step(state); step <= last_step; step++) {
    double begin_s = sample_now_s();
    float loss = nmt_trainer_step(&trainer);
    echo_vector_push(&times, sample_now_s() - begin_s);
    training->steps_s += echo_vector_last(&times);
    echo_vector_push(&training->losses, loss);
    if (after != NULL && !after(user, step, loss))
      break;
  }
  training->measured_peak_bytes = echo_device_peak_bytes(run->device);
  training->process_peak_bytes = process_peak_bytes();
  nmt_trainer_destroy(&trainer);
  echo_executable_release(program->executable);
  if (times.size != 0) {
    qsort(times.data, times.size, sizeof(double), compare_doubles);
    training->step_s = times.data[times.size / 2];
    training->tokens_per_s =
        (double)(run->config.batch * (run->config.source_length + run->config.target_length)) /
        training->step_s;
  }
  echo_vector_destroy(&times);
}

bool nmt_run_translate(const NmtRun *run, NmtState *state, EchoBuffer *translations)
{
  NmtProgram decoder;
  const EchoExecutableOptions executable = executable_options(run);
  NmtConfig config = run->config;
  config.dropout = 0;
  if (!nmt_program_create(&decoder, run->device, run->passes, nmt_build_decoder, NMT_WHOLE, &config,
                          NULL, &executable))
    return false;
  sample_progress_show("translating %zu sentences", run->task.valid.pairs.size);
  nmt_translate(&decoder, state, &run->task.valid, run->task.valid.pairs.size, run->task.target,
                translations);
  sample_progress_clear();
  nmt_program_destroy(&decoder);
  return true;
}

void nmt_progress(const char *label, int64_t step, int64_t last_step, float loss, double step_s)
{
  sample_progress_show("%s: step %lld/%lld  loss %.4f  %.1f ms a step", label, (long long)step,
                       (long long)last_step, (double)loss, step_s * 1e3);
}
