/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/nmt/trainer.h"

#include "samples/common/random.h"
#include "samples/common/ranks.h"
#include "samples/common/session.h"

/* Words come time first. */
static bool divide(NmtProgram *program, EchoDevice *device, const EchoPassRegistry *passes,
                   NmtDivision division, const EchoCompileOptions *options)
{
  int first = (int)(3 * program->model.parameters.size); /* the step */
  EchoBuffer batch = {0};
  echo_buffer_printf(&batch, "arg%d:1,arg%d,arg%d:1,arg%d:1,arg%d:1", first + NMT_ARG_SOURCE,
                     first + NMT_ARG_SOURCE_MASK, first + NMT_ARG_TARGET_IN,
                     first + NMT_ARG_TARGET_OUT, first + NMT_ARG_TARGET_WEIGHT);
  bool ok =
      sample_ranks_partition(program->ctx, passes, device, program->model.module,
                             echo_buffer_c_str(&batch), division == NMT_DIVIDED_STATE, options);
  echo_buffer_destroy(&batch);
  return ok;
}

bool nmt_program_create(NmtProgram *program, EchoDevice *device, const EchoPassRegistry *passes,
                        NmtBuildFn *build, NmtDivision division, const NmtConfig *config,
                        const EchoCompileOptions *options, const EchoExecutableOptions *executable)
{
  double begin_s = sample_now_s();
  *program = (NmtProgram){.ctx = sample_context_create()};
  build(program->ctx, config, &program->model);
  if (division == NMT_WHOLE || divide(program, device, passes, division, options))
    program->executable = sample_compile_or_null(program->ctx, passes, device,
                                                 program->model.module, options, executable);
  program->compile_s = sample_now_s() - begin_s;
  if (program->executable == NULL)
    nmt_program_destroy(program);
  return program->ctx != NULL;
}

void nmt_program_destroy(NmtProgram *program)
{
  if (program->ctx == NULL)
    return;
  echo_executable_destroy(program->executable);
  nmt_model_destroy(&program->model);
  echo_context_destroy(program->ctx);
  *program = (NmtProgram){0};
}

/* ---- state ---- */

void nmt_state_create(NmtState *state, EchoDevice *device, const NmtModel *model, uint64_t seed)
{
  size_t n = model->parameters.size;
  *state = (NmtState){.device = device, .n_parameters = n, .n_buffers = 3 * n + 1};
  state->buffers = echo_alloc_array(state->n_buffers, sizeof *state->buffers);
  for (size_t i = 0; i < 3 * n; i++) {
    const SampleParameter *parameter = &model->parameters.data[i % n];
    size_t count = (size_t)echo_type_static_n_elements(parameter->type);
    float *values = echo_alloc_zero(count, sizeof *values);
    for (size_t k = 0; k < count && i < n; k++)
      values[k] = parameter->range * (2 * sample_uniform(seed + i, k) - 1);
    state->buffers[i] = sample_buffer_create(device, count * sizeof *values);
    sample_buffer_write(state->buffers[i], values);
    echo_free(values);
  }
  const int32_t first = 1;
  state->buffers[3 * n] = sample_buffer_create(device, sizeof first);
  sample_buffer_write(state->buffers[3 * n], &first);
}

void nmt_state_destroy(NmtState *state)
{
  for (size_t i = 0; i < state->n_buffers; i++)
    echo_device_buffer_destroy(state->buffers[i]);
  echo_free(state->buffers);
  *state = (NmtState){0};
}

void nmt_state_shrink(NmtState *state, const NmtProgram *program)
{
  for (size_t i = 0; i < 3 * state->n_parameters; i++)
    sample_ranks_shrink(state->device, program->ctx, program->model.module, i,
                        program->model.parameters.data[i % state->n_parameters].type,
                        &state->buffers[i]);
}

int32_t nmt_state_step(const NmtState *state)
{
  int32_t step;
  sample_buffer_read(state->buffers[state->n_buffers - 1], &step);
  return step;
}

uint8_t *nmt_state_bytes(const NmtState *state, uint64_t *size)
{
  *size = 0;
  for (size_t i = 0; i < state->n_buffers; i++)
    *size += echo_device_buffer_bytes(state->buffers[i]);
  uint8_t *bytes = echo_alloc((size_t)*size), *at = bytes;
  for (size_t i = 0; i < state->n_buffers; i++) {
    sample_buffer_read(state->buffers[i], at);
    at += echo_device_buffer_bytes(state->buffers[i]);
  }
  return bytes;
}

/* ---- training ---- */

static void create_inputs(EchoDevice *device, const EchoExecutable *executable, size_t first,
                          EchoDeviceBuffer **inputs, size_t n)
{
  for (size_t i = 0; i < n; i++)
    inputs[i] = sample_buffer_create(
        device, echo_type_static_bytes(echo_executable_arg_type(executable, first + i)));
}

static void destroy_inputs(EchoDeviceBuffer **inputs, size_t n)
{
  for (size_t i = 0; i < n; i++)
    echo_device_buffer_destroy(inputs[i]);
}

/* To the five buffers of a batch, in argument order. */
static void write_batch(EchoDeviceBuffer *const *inputs, const NmtBatch *batch)
{
  sample_buffer_write(inputs[0], batch->source);
  sample_buffer_write(inputs[1], batch->source_mask);
  sample_buffer_write(inputs[2], batch->target_in);
  sample_buffer_write(inputs[3], batch->target_out);
  sample_buffer_write(inputs[4], batch->target_weight);
}

/* The same of this process's part. */
static void write_part(EchoDeviceBuffer *const *inputs, const NmtBatch *batch,
                       const NmtConfig *config)
{
  sample_ranks_write(inputs[0], batch->source, config->source_length);
  sample_ranks_write(inputs[1], batch->source_mask, 1);
  sample_ranks_write(inputs[2], batch->target_in, config->target_length);
  sample_ranks_write(inputs[3], batch->target_out, config->target_length);
  sample_ranks_write(inputs[4], batch->target_weight, config->target_length);
}

void nmt_trainer_create(NmtTrainer *trainer, NmtProgram *program, NmtState *state,
                        const NmtCorpus *corpus, uint64_t seed, double learning_rate,
                        int64_t warmup_steps)
{
  *trainer = (NmtTrainer){.program = program,
                          .state = state,
                          .corpus = corpus,
                          .seed = seed,
                          .learning_rate = learning_rate,
                          .warmup_steps = warmup_steps};
  create_inputs(state->device, program->executable, state->n_buffers, trainer->inputs,
                NMT_N_OTHER_ARGS - 1);
  nmt_batch_create(&trainer->batch, &program->model.config);
  sample_buffer_write(trainer->inputs[NMT_ARG_KEY - 1], &seed);
}

void nmt_trainer_destroy(NmtTrainer *trainer)
{
  destroy_inputs(trainer->inputs, NMT_N_OTHER_ARGS - 1);
  nmt_batch_destroy(&trainer->batch);
}

float nmt_trainer_step(NmtTrainer *trainer)
{
  NmtState *state = trainer->state;
  int32_t step = nmt_state_step(state);
  double warmup = (double)trainer->warmup_steps;
  float rate = (float)(trainer->learning_rate * (step < warmup ? step / warmup : 1));
  nmt_batch_fill(&trainer->batch, &trainer->program->model.config, trainer->corpus, trainer->seed,
                 step);
  sample_buffer_write(trainer->inputs[NMT_ARG_RATE - 1], &rate);
  write_part(trainer->inputs + NMT_ARG_SOURCE - 1, &trainer->batch,
             &trainer->program->model.config);
  EchoExecutable *executable = trainer->program->executable;
  size_t n_args = echo_executable_n_args(executable);
  size_t n_results = echo_executable_n_results(executable);
  EchoDeviceBuffer **args = echo_alloc_array(n_args, sizeof *args);
  EchoDeviceBuffer **results = echo_alloc_array(n_results, sizeof *results);
  for (size_t i = 0; i < state->n_buffers; i++)
    sample_buffer_fit(state->device, executable, i, &state->buffers[i]);
  for (size_t i = 0; i < n_args; i++)
    args[i] = i < state->n_buffers ? state->buffers[i] : trainer->inputs[i - state->n_buffers];
  sample_execute(executable, args, results);
  float loss;
  sample_buffer_read(results[n_results - 1], &loss);
  echo_device_buffer_destroy(results[n_results - 1]); /* the others are the state's own buffers */
  echo_free(args);
  echo_free(results);
  return loss;
}

/* ---- using the parameters ---- */

/* Runs a program on the parameters and these inputs; its only result is read into `out`. */
static void run_on_parameters(NmtProgram *program, NmtState *state, EchoDeviceBuffer *const *inputs,
                              size_t n_inputs, void *out)
{
  size_t n_args = state->n_parameters + n_inputs;
  EchoDeviceBuffer **args = echo_alloc_array(n_args, sizeof *args), *result;
  for (size_t i = 0; i < state->n_parameters; i++)
    sample_buffer_fit(state->device, program->executable, i, &state->buffers[i]);
  for (size_t i = 0; i < n_args; i++)
    args[i] = i < state->n_parameters ? state->buffers[i] : inputs[i - state->n_parameters];
  sample_execute(program->executable, args, &result);
  sample_buffer_read(result, out);
  echo_device_buffer_destroy(result);
  echo_free(args);
}

double nmt_validate(NmtProgram *program, NmtState *state, const NmtCorpus *corpus)
{
  const NmtConfig *c = &program->model.config;
  EchoDeviceBuffer *inputs[5];
  NmtBatch batch;
  double sum = 0, count = 0;
  create_inputs(state->device, program->executable, state->n_parameters, inputs, 5);
  nmt_batch_create(&batch, c);
  for (size_t first = 0; first < corpus->pairs.size; first += (size_t)c->batch) {
    float loss;
    double n_tokens = 0;
    for (int64_t b = 0; b < c->batch; b++)
      nmt_batch_set(&batch, c, corpus, first + (size_t)b, b);
    for (int64_t i = 0; i < c->target_length * c->batch; i++)
      n_tokens += (double)batch.target_weight[i];
    write_batch(inputs, &batch);
    run_on_parameters(program, state, inputs, 5, &loss);
    sum += (double)loss * n_tokens;
    count += n_tokens;
  }
  nmt_batch_destroy(&batch);
  destroy_inputs(inputs, 5);
  echo_executable_release(program->executable);
  return count > 0 ? sum / count : 0;
}

void nmt_translate(NmtProgram *program, NmtState *state, const NmtCorpus *corpus, size_t n,
                   const NmtVocabulary *target, EchoBuffer *out)
{
  const NmtConfig *c = &program->model.config;
  size_t n_ids = (size_t)(c->target_length * c->batch);
  int32_t *ids = echo_alloc_array(n_ids, sizeof *ids);
  int32_t *sentence = echo_alloc_array((size_t)c->target_length, sizeof *sentence);
  EchoDeviceBuffer *inputs[2];
  NmtBatch batch;
  create_inputs(state->device, program->executable, state->n_parameters, inputs, 2);
  nmt_batch_create(&batch, c);
  for (size_t first = 0; first < n; first += (size_t)c->batch) {
    for (int64_t b = 0; b < c->batch; b++)
      nmt_batch_set(&batch, c, corpus, first + (size_t)b, b);
    sample_buffer_write(inputs[0], batch.source);
    sample_buffer_write(inputs[1], batch.source_mask);
    run_on_parameters(program, state, inputs, 2, ids);
    for (int64_t b = 0; b < c->batch && first + (size_t)b < n; b++) {
      for (int64_t t = 0; t < c->target_length; t++)
        sentence[t] = ids[t * c->batch + b];
      nmt_vocabulary_decode(target, sentence, (size_t)c->target_length, out);
      echo_buffer_append_char(out, '\n');
    }
  }
  nmt_batch_destroy(&batch);
  destroy_inputs(inputs, 2);
  echo_executable_release(program->executable);
  echo_free(ids);
  echo_free(sentence);
}
