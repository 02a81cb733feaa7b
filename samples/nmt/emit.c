/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --emit, --dump-feed, --plan-only: the model as text, its data as files, its plan as figures. */
#include <stdio.h>
#include <stdlib.h>

#include "jit/data/npz.h"
#include "samples/common/plan.h"
#include "samples/common/session.h"
#include "samples/nmt/commands.h"
#include "samples/nmt/task.h"
#include "samples/nmt/trainer.h"

int nmt_emit(const NmtOptions *options)
{
  NmtConfig config = options->config;
  if (!nmt_task_sizes(options, &config))
    return EXIT_FAILURE;
  EchoContext *ctx = sample_context_create();
  NmtModel model;
  nmt_build_training_step(ctx, &config, &model);
  const EchoCompileOptions compile = {.echo = options->echo, .device = options->device_model};
  bool ok = sample_emit("nmt", ctx, model.module, options->emit, &compile, options->has_locations,
                        options->output);
  nmt_model_destroy(&model);
  echo_context_destroy(ctx);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- --plan-only ---- */

static EchoOp *build_planned(void *user, EchoContext *ctx)
{
  NmtModel model;
  nmt_build_training_step(ctx, user, &model);
  EchoOp *module = model.module;
  nmt_model_destroy(&model);
  return module;
}

int nmt_plan_only(const NmtOptions *options)
{
  NmtConfig config = options->config;
  config.source_vocab = config.target_vocab = options->vocab;
  const SamplePlanOptions plan = {.program = "nmt",
                                  .device = options->device_model,
                                  .echo = options->echo,
                                  .json = options->json,
                                  .build = build_planned,
                                  .user = &config};
  return sample_plan_only(&plan) ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- --dump-feed ---- */

static void add_tensor(EchoTensorSet *set, size_t arg, EchoTensor *tensor)
{
  char name[32];
  snprintf(name, sizeof name, "arg%zu", arg);
  bool is_new = echo_tensor_set_add(set, echo_str(name), tensor);
  ECHO_CHECK(is_new, "argument %zu is dumped twice", arg);
}

/* A tensor with a leading dimension: one slice a step. */
static EchoTensor *stacked(EchoContext *ctx, const EchoType *type, int64_t n_steps)
{
  int64_t dims[ECHO_MAX_RANK];
  dims[0] = n_steps;
  for (uint32_t d = 0; d < type->as.shaped.rank; d++)
    dims[1 + d] = type->as.shaped.dims[d];
  return echo_tensor_create(
      echo_type_tensor(ctx, dims, type->as.shaped.rank + 1, type->as.shaped.element, NULL), true);
}

static void set_slice(EchoTensor *stack, int64_t step, int64_t n_steps, const void *data)
{
  size_t bytes = (size_t)(echo_type_static_bytes(stack->type) / (uint64_t)n_steps);
  memcpy((char *)stack->data + (size_t)step * bytes, data, bytes);
}

static bool write_npz(const char *prefix, const char *suffix, const EchoTensorSet *set)
{
  EchoBuffer path = {0}, error = {0};
  echo_buffer_printf(&path, "%s.%s.npz", prefix, suffix);
  bool ok = echo_npz_write(echo_buffer_c_str(&path), set, ECHO_NPZ_STORED, &error);
  if (!ok)
    fprintf(stderr, "nmt: error: %s\n", echo_buffer_c_str(&error));
  echo_buffer_destroy(&path);
  echo_buffer_destroy(&error);
  return ok;
}

int nmt_dump_feed(const NmtOptions *options)
{
  NmtConfig config = options->config;
  NmtTask task;
  if (!nmt_task_create(&task, options, &config))
    return EXIT_FAILURE;
  EchoContext *ctx = sample_context_create();
  NmtModel model;
  nmt_build_training_step(ctx, &config, &model);
  EchoDevice *device = echo_device_create_cpu(1);
  NmtState state;
  nmt_state_create(&state, device, &model, options->seed);
  const EchoBlock *body = echo_op_body(echo_op_body(model.module, 0)->first, 0);
  EchoTensorSet inputs = {0}, feed = {0};
  for (size_t i = 0; i < state.n_buffers; i++) {
    EchoTensor *tensor = echo_tensor_create(echo_block_arg(body, i)->type, false);
    sample_buffer_read(state.buffers[i], tensor->data);
    add_tensor(&inputs, i, tensor);
  }
  size_t first = state.n_buffers - 1; /* of NMT_ARG_STEP */
  EchoTensor *key = echo_tensor_create(echo_block_arg(body, first + NMT_ARG_KEY)->type, false);
  echo_tensor_set_i64(key, 0, (int64_t)options->seed);
  add_tensor(&inputs, first + NMT_ARG_KEY, key);
  int64_t n_steps = options->feed_steps;
  EchoTensor *stacks[NMT_N_OTHER_ARGS];
  for (size_t k = NMT_ARG_RATE; k < NMT_N_OTHER_ARGS; k++)
    add_tensor(&feed, first + k,
               stacks[k] = stacked(ctx, echo_block_arg(body, first + k)->type, n_steps));
  NmtBatch batch;
  nmt_batch_create(&batch, &config);
  for (int64_t step = 0; step < n_steps; step++) {
    double warmup = (double)options->warmup, now = (double)(step + 1);
    float rate = (float)(options->learning_rate * (now < warmup ? now / warmup : 1));
    nmt_batch_fill(&batch, &config, &task.train, options->seed, step + 1);
    const void *data[] = {[NMT_ARG_RATE] = &rate,
                          [NMT_ARG_SOURCE] = batch.source,
                          [NMT_ARG_SOURCE_MASK] = batch.source_mask,
                          [NMT_ARG_TARGET_IN] = batch.target_in,
                          [NMT_ARG_TARGET_OUT] = batch.target_out,
                          [NMT_ARG_TARGET_WEIGHT] = batch.target_weight};
    for (size_t k = NMT_ARG_RATE; k < NMT_N_OTHER_ARGS; k++)
      set_slice(stacks[k], step, n_steps, data[k]);
  }
  bool ok = write_npz(options->dump_feed, "inputs", &inputs) &&
            write_npz(options->dump_feed, "feed", &feed);
  nmt_batch_destroy(&batch);
  echo_tensor_set_destroy(&inputs);
  echo_tensor_set_destroy(&feed);
  nmt_state_destroy(&state);
  echo_device_destroy(device);
  nmt_model_destroy(&model);
  echo_context_destroy(ctx);
  nmt_task_destroy(&task);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
