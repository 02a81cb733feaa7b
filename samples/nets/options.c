/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/nets/options.h"

#include <stdio.h>
#include <string.h>

/* Sizes bounded so that no product of a layer reaches 2^62 bytes. */
enum { MAX_BATCH = 1 << 12, MAX_SIDE = 1 << 12, MAX_CHANNELS = 1 << 12, MAX_CLASSES = 1 << 24 };

/* Given on the command line; -1 = as the model was published. */
typedef struct Given {
  NetConfig config;
  bool normalizes, is_unrolled;
} Given;

static EchoParseOutcome parse(int argc, char **argv, const NetProgram *program, NetOptions *o,
                              Given *given)
{
  NetConfig *c = &given->config;
  EchoBuffer models = {0};
  echo_buffer_printf(&models, "%s (default: %s)", net_model_names(), program->model);
  const EchoOption options[] = {
      {"model", ECHO_OPTION_STRING, &o->model, "NAME", echo_buffer_c_str(&models)},
      {"batch", ECHO_OPTION_RANGE, ECHO_RANGE(&o->config.batch, 1, MAX_BATCH), "N",
       "images or texts a step (default: 8)"},
      {"image", ECHO_OPTION_RANGE, ECHO_RANGE(&c->image, 1, MAX_SIDE), "N",
       "side of the images; 32 is CIFAR's"},
      {"classes", ECHO_OPTION_RANGE, ECHO_RANGE(&c->classes, 2, MAX_CLASSES), "N",
       "classes, words of the vocabulary, or characters and a blank"},
      {"width", ECHO_OPTION_RANGE, ECHO_RANGE(&c->width, 1, MAX_CHANNELS), "N",
       "channels of the first block"},
      {"batch-norm", ECHO_OPTION_FLAG, &given->normalizes, NULL,
       "vgg, unet: normalise after each convolution"},
      {"layers", ECHO_OPTION_RANGE, ECHO_RANGE(&c->layers, 1, 4096), "N",
       "transformer*, deepspeech2: layers (of a side, of GRUs)"},
      {"hidden", ECHO_OPTION_RANGE, ECHO_RANGE(&c->hidden, 1, 1 << 14), "N",
       "transformer*, deepspeech2: hidden size"},
      {"heads", ECHO_OPTION_RANGE, ECHO_RANGE(&c->heads, 1, 256), "N", "transformer*: heads"},
      {"length", ECHO_OPTION_RANGE, ECHO_RANGE(&c->length, 1, 1 << 16), "N",
       "tokens a text, or frames of a spectrogram"},
      {"bins", ECHO_OPTION_RANGE, ECHO_RANGE(&c->bins, 9, 1 << 12), "N",
       "deepspeech2: frequencies of a frame, whose window is of 2 (N - 1) samples"},
      {"labels", ECHO_OPTION_RANGE, ECHO_RANGE(&c->labels, 1, 1 << 12), "N",
       "deepspeech2: characters of an utterance at most"},
      {"unroll", ECHO_OPTION_FLAG, &given->is_unrolled, NULL,
       "deepspeech2: recurrent layers and CTC step by step, rather than as loops"},
      {"data", ECHO_OPTION_STRING, &o->data, "PATH",
       "learn from a CSV file of images, or a directory of WAV files, LABEL_NAME.wav"},
      {"dropout", ECHO_OPTION_F64, &c->dropout, "P", "dropout probability"},
      {"optimizer", ECHO_OPTION_STRING, &o->optimizer, "NAME", "sgd (with momentum) or adam"},
      {"learning-rate", ECHO_OPTION_F64, &o->learning_rate, "X",
       "(default: 0.01 for sgd, 0.001 for adam)"},
      {"steps", ECHO_OPTION_RANGE, ECHO_RANGE(&o->steps, 0, INT32_MAX - 1), "N",
       "training steps (default: 10)"},
      SAMPLE_OPTION_ROWS(o),
      SAMPLE_DATA_PARALLEL_ROWS(o),
      {"save", ECHO_OPTION_STRING, &o->save, "FILE",
       "write everything that training carries (safetensors) at the end"},
      {"seed", ECHO_OPTION_RANGE, ECHO_RANGE(&o->seed, 0, INT64_MAX), "N",
       "of weights, data and dropout"},
      {0}};
  EchoParseOutcome outcome =
      sample_options_parse(program->name, program->summary, options, argc, argv);
  echo_buffer_destroy(&models);
  return outcome;
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
  take(c->bins, &o->config.bins);
  take(c->labels, &o->config.labels);
  if (c->dropout != -1)
    o->config.dropout = c->dropout;
  o->config.normalizes = given->normalizes;
  o->config.is_unrolled = given->is_unrolled;
  if (o->optimizer != NULL) {
    o->config.uses_adam = echo_str_is(echo_str(o->optimizer), "adam");
    if (!o->config.uses_adam && !echo_str_is(echo_str(o->optimizer), "sgd"))
      return complain(o, "no optimizer '%s'; there are sgd and adam", o->optimizer);
  }
  if (o->learning_rate < 0)
    o->learning_rate = o->config.uses_adam ? 0.001 : 0.01;
  if (o->data_parallel && (o->plan_only || o->emit != NULL))
    return complain(o, "--data-parallel is for training%s", "");
  EchoBuffer error = {0};
  bool fits = net_config_check(&o->config, &error) || complain(o, "%s", echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
  return fits;
}

EchoParseOutcome net_options_parse(int argc, char **argv, const NetProgram *program,
                                   NetOptions *options)
{
  *options = (NetOptions){.program = program->name,
                          .model = program->model,
                          .config = {.batch = 8},
                          .steps = 10,
                          .limit_s = 600,
                          .seed = 1,
                          .learning_rate = -1};
  Given given = {.config = {.image = -1,
                            .classes = -1,
                            .width = -1,
                            .layers = -1,
                            .hidden = -1,
                            .heads = -1,
                            .length = -1,
                            .bins = -1,
                            .labels = -1,
                            .dropout = -1}};
  EchoParseOutcome outcome = parse(argc, argv, program, options, &given);
  if (outcome == ECHO_PARSE_OK && !take_given(options, &given))
    return ECHO_PARSE_ERROR;
  return outcome;
}
