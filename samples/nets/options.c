/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/nets/options.h"

#include <stdio.h>
#include <string.h>

/* Sizes bounded so that no product of a layer reaches 2^62 bytes. */
enum { MAX_BATCH = 1 << 12, MAX_SIDE = 1 << 12, MAX_CHANNELS = 1 << 12, MAX_CLASSES = 1 << 24 };

/* Given on the command line; -1 = as the model was published. */
typedef struct Given {
  NetConfig config;
  bool normalizes;
} Given;

static size_t list_options(NetOptions *o, Given *given, SampleOption *rows)
{
  NetConfig *c = &given->config;
  const SampleOption table[] = {
      {"model", "NAME", net_model_names(), SAMPLE_TEXT, &o->model, 0, 0},
      {"batch", "N", "images or texts a step (default: 8)", SAMPLE_NUMBER, &o->config.batch, 1,
       MAX_BATCH},
      {"image", "N", "side of the images; 32 is CIFAR's", SAMPLE_NUMBER, &c->image, 1, MAX_SIDE},
      {"classes", "N", "classes, or words of the vocabulary", SAMPLE_NUMBER, &c->classes, 2,
       MAX_CLASSES},
      {"width", "N", "channels of the first block", SAMPLE_NUMBER, &c->width, 1, MAX_CHANNELS},
      {"batch-norm", NULL, "vgg, unet: normalise after each convolution", SAMPLE_FLAG,
       &given->normalizes, 0, 0},
      {"layers", "N", "transformer: layers", SAMPLE_NUMBER, &c->layers, 1, 1024},
      {"hidden", "N", "transformer: hidden size", SAMPLE_NUMBER, &c->hidden, 1, 1 << 14},
      {"heads", "N", "transformer: heads", SAMPLE_NUMBER, &c->heads, 1, 256},
      {"length", "N", "transformer: tokens a text", SAMPLE_NUMBER, &c->length, 1, 1 << 16},
      {"dropout", "P", "dropout probability", SAMPLE_REAL, &c->dropout, 0, 0},
      {"optimizer", "NAME", "sgd (with momentum) or adam", SAMPLE_TEXT, &o->optimizer, 0, 0},
      {"learning-rate", "X", "(default: 0.01 for sgd, 0.001 for adam)", SAMPLE_REAL,
       &o->learning_rate, 0, 0},
      {"steps", "N", "training steps on patterns with noise (default: 10)", SAMPLE_NUMBER,
       &o->steps, 0, INT32_MAX - 1},
      {"echo", "OPTIONS",
       "recompute what is cheaper to recompute than to keep: budget=BYTES|min, policy=chain, ...",
       SAMPLE_OPTIONAL_TEXT, &o->echo, 0, 0},
      {"plan-only", NULL, "plan the memory of a step, with and without Echo, and run nothing",
       SAMPLE_FLAG, &o->plan_only, 0, 0},
      {"emit", "STAGE",
       "write the IR of a stage: model, tensor, step, echoed, scheduled, kernels, planned, loops",
       SAMPLE_TEXT, &o->emit, 0, 0},
      {"debug-info", NULL, "with --emit: write the layers' names as locations", SAMPLE_FLAG,
       &o->has_locations, 0, 0},
      {"o", "FILE", "output of --emit (default: standard output)", SAMPLE_TEXT, &o->output, 0, 0},
      {"save", "FILE", "write everything that training carries (safetensors) at the end",
       SAMPLE_TEXT, &o->save, 0, 0},
      {"json", "FILE", "write the figures", SAMPLE_TEXT, &o->json, 0, 0},
      {"seed", "N", "of weights, data and dropout", SAMPLE_NUMBER, &o->seed, 0, INT64_MAX},
      {"threads", "N", "threads (0 = all processors)", SAMPLE_NUMBER, &o->threads, 0, 1024},
      {"cache-dir", "DIR", "keep compiled kernels there", SAMPLE_TEXT, &o->cache_dir, 0, 0},
      {"device-model", "NAME|FILE",
       "device that times are predicted for (default: this host's; a GPU with --plan-only)",
       SAMPLE_TEXT, &o->device_model, 0, 0},
  };
  size_t n = sizeof table / sizeof table[0];
  memcpy(rows, table, sizeof table);
  return n;
}

static void take(int64_t given, int64_t *size)
{
  if (given >= 0)
    *size = given;
}

static bool complain(const NetOptions *o, const char *format, const char *what)
{
  fprintf(stderr, "%s: error: ", o->program);
  fprintf(stderr, format, what);
  fputc('\n', stderr);
  return false;
}

static bool take_given(NetOptions *o, const Given *given)
{
  const NetConfig *c = &given->config;
  int64_t batch = o->config.batch;
  if (!net_config_from_name(echo_str(o->model), &o->config)) {
    fprintf(stderr, "%s: error: no model '%s'; there are %s\n", o->program, o->model,
            net_model_names());
    return false;
  }
  o->config.batch = batch;
  take(c->image, &o->config.image);
  take(c->classes, &o->config.classes);
  take(c->width, &o->config.width);
  take(c->layers, &o->config.layers);
  take(c->hidden, &o->config.hidden);
  take(c->heads, &o->config.heads);
  take(c->length, &o->config.length);
  if (c->dropout != -1)
    o->config.dropout = c->dropout;
  o->config.normalizes = given->normalizes;
  if (o->optimizer != NULL) {
    o->config.uses_adam = echo_str_is(echo_str(o->optimizer), "adam");
    if (!o->config.uses_adam && !echo_str_is(echo_str(o->optimizer), "sgd"))
      return complain(o, "no optimizer '%s'; there are sgd and adam", o->optimizer);
  }
  if (o->learning_rate < 0)
    o->learning_rate = o->config.uses_adam ? 0.001 : 0.01;
  EchoBuffer error = {0};
  bool fits = net_config_check(&o->config, &error) || complain(o, "%s", echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
  return fits;
}

SampleOptionsOutcome net_options_parse(int argc, char **argv, const char *program,
                                       const char *model, NetOptions *options)
{
  SampleOption rows[SAMPLE_MAX_OPTIONS];
  *options = (NetOptions){.program = program,
                          .model = model,
                          .config = {.batch = 8},
                          .steps = 10,
                          .seed = 1,
                          .learning_rate = -1};
  Given given = {.config = {.image = -1,
                            .classes = -1,
                            .width = -1,
                            .layers = -1,
                            .hidden = -1,
                            .heads = -1,
                            .length = -1,
                            .dropout = -1}};
  size_t n = list_options(options, &given, rows);
  SampleOptionsOutcome outcome = sample_options_parse(
      program, "training steps of the networks of the papers on memory", rows, n, argc, argv);
  if (outcome == SAMPLE_OPTIONS_OK && !take_given(options, &given))
    return SAMPLE_OPTIONS_ERROR;
  return outcome;
}
