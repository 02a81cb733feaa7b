/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Training on files or on the built-in task, with checkpoints and validation. */
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "samples/common/ranks.h"
#include "samples/common/session.h"
#include "samples/nmt/checkpoint.h"
#include "samples/nmt/commands.h"
#include "samples/nmt/run.h"
#include "samples/nmt/score.h"

typedef struct Point {
  int64_t step;
  double train_loss, valid_loss;
} Point;

typedef struct Training {
  NmtRun run;
  NmtProgram step, loss;
  NmtState state;
  ECHO_VECTOR(Point) curve;
  double recent_loss; /* exponential mean */
  double begin_s;
  int64_t first_step;
  bool failed;
} Training;

static bool report(EchoBuffer *error)
{
  fprintf(stderr, "nmt: error: %s\n", echo_buffer_c_str(error));
  echo_buffer_destroy(error);
  return false;
}

static bool save(const Training *training)
{
  EchoBuffer error = {0};
  const NmtOptions *options = training->run.options;
  return options->save == NULL || /* each has its part of it */
         nmt_checkpoint_save(options->save, training->step.ctx, &training->step.model,
                             &training->state, &error) ||
         report(&error);
}

static bool resume(Training *training)
{
  EchoBuffer error = {0};
  const NmtOptions *options = training->run.options;
  if (options->resume == NULL || (options->save != NULL && access(options->resume, F_OK) != 0 &&
                                  strcmp(options->save, options->resume) == 0))
    return true; /* a first run that will write what it is told to resume from */
  return nmt_checkpoint_load(options->resume, training->step.ctx, &training->step.model,
                             &training->state, &error) ||
         report(&error);
}

static void validate(Training *training, int64_t step)
{
  Point point = {step, training->recent_loss, 0};
  if (training->loss.ctx != NULL)
    point.valid_loss = nmt_validate(&training->loss, &training->state, &training->run.task.valid);
  echo_vector_push(&training->curve, point);
  sample_progress_clear();
  printf("step %6lld  training loss %.4f  validation loss %.4f  %.0f s\n", (long long)step,
         point.train_loss, point.valid_loss, sample_now_s() - training->begin_s);
  fflush(stdout);
}

static bool after_step(void *user, int64_t step, float loss)
{
  Training *training = user;
  const NmtOptions *options = training->run.options;
  bool is_first = step == training->first_step;
  training->recent_loss =
      is_first ? (double)loss : 0.95 * training->recent_loss + 0.05 * (double)loss;
  double mean_s = (sample_now_s() - training->begin_s) / (double)(step - training->first_step + 1);
  nmt_progress("training", step, options->steps, loss, mean_s);
  if (options->valid_every > 0 && step % options->valid_every == 0 && step < options->steps)
    validate(training, step);
  if (options->save_every > 0 && step % options->save_every == 0 && step < options->steps)
    training->failed = !save(training);
  return !training->failed;
}

static void write_losses(EchoJsonWriter *json, const NmtTraining *steps)
{
  echo_json_key(json, "losses");
  echo_json_begin_array(json);
  for (size_t i = 0; i < steps->losses.size; i++)
    echo_json_f64(json, (double)steps->losses.data[i]);
  echo_json_end_array(json);
}

static bool write_json(const Training *training, const NmtTraining *steps, double exact,
                       double bleu)
{
  const NmtOptions *options = training->run.options;
  if (options->json == NULL)
    return true;
  EchoBuffer text = {0}, error = {0};
  EchoJsonWriter json = echo_json_writer(&text);
  EchoExecutableMemory memory = echo_executable_memory(training->step.executable);
  echo_json_begin_object(&json);
  echo_json_field_u64(&json, "peak_bytes", memory.peak_bytes);
  echo_json_field_u64(&json, "measured_bytes", steps->measured_peak_bytes);
  echo_json_field_u64(&json, "process_peak_bytes", steps->process_peak_bytes);
  echo_json_field_f64(&json, "compile_s", training->step.compile_s);
  echo_json_field_f64(&json, "step_s", steps->step_s);
  echo_json_field_f64(&json, "exact_match", exact);
  echo_json_field_f64(&json, "bleu", bleu);
  echo_json_key(&json, "curve");
  echo_json_begin_array(&json);
  for (size_t i = 0; i < training->curve.size; i++) {
    const Point *point = &training->curve.data[i];
    echo_json_begin_object(&json);
    echo_json_field_i64(&json, "step", point->step);
    echo_json_field_f64(&json, "training_loss", point->train_loss);
    echo_json_field_f64(&json, "validation_loss", point->valid_loss);
    echo_json_end_object(&json);
  }
  echo_json_end_array(&json);
  write_losses(&json, steps);
  echo_json_end_object(&json);
  echo_buffer_append_char(&text, '\n');
  bool ok = echo_file_write(options->json, text.data, text.size, &error);
  echo_buffer_destroy(&text);
  return ok || report(&error);
}

static bool finish(Training *training, const NmtTraining *steps)
{
  const NmtTask *task = &training->run.task;
  EchoBuffer translations = {0};
  double exact = 0, bleu = 0;
  validate(training, nmt_state_step(&training->state) - 1);
  if (training->loss.ctx != NULL) {
    if (!nmt_run_translate(&training->run, &training->state, &translations))
      return false;
    exact = nmt_exact_match(echo_buffer_str(&translations), echo_buffer_str(&task->valid_target));
    bleu = nmt_bleu(echo_buffer_str(&translations), echo_buffer_str(&task->valid_target));
    printf("validation: %zu pairs, exact %.2f %%, BLEU %.2f\n", task->valid.pairs.size, 100 * exact,
           bleu);
  }
  EchoExecutableMemory memory = echo_executable_memory(training->step.executable);
  printf("peak: planned %llu bytes, measured %llu%s; process %llu\n",
         (unsigned long long)memory.peak_bytes, (unsigned long long)steps->measured_peak_bytes,
         training->loss.ctx != NULL ? " with validation" : "",
         (unsigned long long)steps->process_peak_bytes);
  printf("step: %.1f ms, %.0f tokens a second; compiled in %.2f s\n", steps->step_s * 1e3,
         steps->tokens_per_s, training->step.compile_s);
  fputs(sample_ranks_describe(training->run.device, steps->steps_s, (int64_t)steps->losses.size,
                              &translations),
        stdout);
  echo_buffer_destroy(&translations);
  return !sample_ranks_is_first() || write_json(training, steps, exact, bleu);
}

static bool compile_loss(Training *training)
{
  if (training->run.task.valid.pairs.size == 0 || training->run.options->no_validation ||
      !sample_ranks_is_first())
    return true;
  NmtConfig config = training->run.config;
  const EchoExecutableOptions executable = {.cache_dir = training->run.options->cache_dir};
  config.dropout = 0;
  return nmt_program_create(&training->loss, training->run.device, training->run.passes,
                            nmt_build_loss, NMT_WHOLE, &config, NULL, &executable);
}

static bool train(Training *training)
{
  const NmtOptions *options = training->run.options;
  if (!nmt_run_compile_step(&training->run, options->echo, &training->step) ||
      !compile_loss(training))
    return false;
  nmt_state_create(&training->state, training->run.device, &training->step.model, options->seed);
  if (!resume(training))
    return false;
  nmt_state_shrink(&training->state, &training->step);
  const NmtCorpus *corpus = &training->run.task.train;
  printf("%zu training pairs (%zu too long), %lld and %lld tokens in the vocabularies\n",
         corpus->pairs.size, corpus->n_skipped, (long long)training->run.config.source_vocab,
         (long long)training->run.config.target_vocab);
  training->begin_s = sample_now_s();
  training->first_step = nmt_state_step(&training->state);
  NmtTraining steps;
  nmt_run_train(&training->run, &training->step, &training->state, options->steps, after_step,
                training, &steps);
  sample_progress_clear();
  bool ok = !training->failed && save(training) && finish(training, &steps);
  nmt_training_destroy(&steps);
  return ok;
}

int nmt_train(const NmtOptions *options)
{
  Training training = {0};
  if (!nmt_run_create(&training.run, options))
    return EXIT_FAILURE;
  bool ok = train(&training);
  if (training.state.buffers != NULL)
    nmt_state_destroy(&training.state);
  nmt_program_destroy(&training.step);
  nmt_program_destroy(&training.loss);
  echo_vector_destroy(&training.curve);
  nmt_run_destroy(&training.run);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
