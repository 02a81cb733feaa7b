/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/nmt/options.h"

#include <stdio.h>
#include <string.h>

#include "samples/common/options.h"

enum { MAX_DIMENSION = 1 << 24 };

static size_t list_options(NmtOptions *o, SampleOption *rows)
{
  const SampleOption table[] = {
      {"demo", NULL, "train the built-in task without and with Echo, and show everything",
       SAMPLE_FLAG, &o->demo, 0, 0},
      {"demo-dir", "DIR", "where --demo writes IR, PTX and the report (default: build/demo)",
       SAMPLE_TEXT, &o->demo_dir, 0, 0},
      {"train", "SRC TGT", "train on two text files, a sentence a line, plain or gzip",
       SAMPLE_TWO_FILES, o->train, 0, 0},
      {"valid", "SRC TGT", "validate on these", SAMPLE_TWO_FILES, o->valid, 0, 0},
      {"steps", "N", "training steps (default: 200)", SAMPLE_NUMBER, &o->steps, 0, INT32_MAX - 1},
      {"echo", "OPTIONS",
       "recompute what is cheaper to recompute than to keep: budget=BYTES|min, overhead=P%, "
       "swap=on",
       SAMPLE_OPTIONAL_TEXT, &o->echo, 0, 0},
      {"plan-only", NULL, "plan the memory of a step, with and without Echo, and run nothing",
       SAMPLE_FLAG, &o->plan_only, 0, 0},
      {"emit", "STAGE",
       "write the IR of a stage: model, tensor, step, echoed, scheduled, kernels, planned, loops",
       SAMPLE_TEXT, &o->emit, 0, 0},
      {"dump-feed", "PREFIX", "write PREFIX.inputs.npz and PREFIX.feed.npz for echo-run",
       SAMPLE_TEXT, &o->dump_feed, 0, 0},
      {"o", "FILE", "output of --emit (default: standard output)", SAMPLE_TEXT, &o->output, 0, 0},
      {"layers", "N", "LSTM layers of encoder and decoder", SAMPLE_NUMBER, &o->config.layers, 1,
       16},
      {"hidden", "N", "hidden size", SAMPLE_NUMBER, &o->config.hidden, 1, MAX_DIMENSION},
      {"embedding", "N", "embedding size (default: --hidden)", SAMPLE_NUMBER, &o->config.embedding,
       1, MAX_DIMENSION},
      {"batch", "N", "sentences a step", SAMPLE_NUMBER, &o->config.batch, 1, MAX_DIMENSION},
      {"length", "N", "source and target length, in tokens", SAMPLE_NUMBER,
       &o->config.source_length, 1, 1 << 16},
      {"vocab", "N", "words at most a language (words), or the size itself with --plan-only",
       SAMPLE_NUMBER, &o->vocab, 8, MAX_DIMENSION},
      {"merges", "N", "byte-pair merges a language; 0 = whole words", SAMPLE_NUMBER, &o->merges, 0,
       MAX_DIMENSION},
      {"dropout", "P", "dropout probability", SAMPLE_REAL, &o->config.dropout, 0, 0},
      {"learning-rate", "X", "of Adam (default: 0.002)", SAMPLE_REAL, &o->learning_rate, 0, 0},
      {"warmup", "N", "steps over which the rate rises", SAMPLE_NUMBER, &o->warmup, 1, INT32_MAX},
      {"seed", "N", "of weights, order of the data and dropout", SAMPLE_NUMBER, &o->seed, 0,
       INT64_MAX},
      {"threads", "N", "threads (0 = all processors)", SAMPLE_NUMBER, &o->threads, 0, 1024},
      {"valid-every", "N", "steps between validations (0 = at the end)", SAMPLE_NUMBER,
       &o->valid_every, 0, INT32_MAX},
      {"no-validation", NULL, "train only", SAMPLE_FLAG, &o->no_validation, 0, 0},
      {"max-pairs", "N", "pairs used at most (0 = all)", SAMPLE_NUMBER, &o->max_pairs, 0,
       INT32_MAX},
      {"feed-steps", "N", "batches in --dump-feed", SAMPLE_NUMBER, &o->feed_steps, 1, 1 << 16},
      {"save", "FILE", "write a checkpoint (safetensors) at the end and every --save-every steps",
       SAMPLE_TEXT, &o->save, 0, 0},
      {"save-every", "N", "steps between checkpoints (0 = at the end only)", SAMPLE_NUMBER,
       &o->save_every, 0, INT32_MAX},
      {"resume", "FILE", "go on from a checkpoint, if it is there", SAMPLE_TEXT, &o->resume, 0, 0},
      {"cache-dir", "DIR", "keep compiled kernels there", SAMPLE_TEXT, &o->cache_dir, 0, 0},
      {"device-model", "NAME|FILE",
       "device that times are predicted for (default: this host's; a GPU with --plan-only)",
       SAMPLE_TEXT, &o->device_model, 0, 0},
      {"json", "FILE", "write the figures", SAMPLE_TEXT, &o->json, 0, 0},
      {"quiet", NULL, "print no progress", SAMPLE_FLAG, &o->quiet, 0, 0},
  };
  size_t n = sizeof table / sizeof table[0];
  ECHO_CHECK(n <= SAMPLE_MAX_OPTIONS, "too many options");
  memcpy(rows, table, sizeof table);
  return n;
}

static void set_defaults(NmtOptions *o)
{
  *o = (NmtOptions){.steps = 200,
                    .seed = 1,
                    .learning_rate = 0.002,
                    .warmup = 100,
                    .vocab = 10000,
                    .merges = 100,
                    .feed_steps = 3,
                    .demo_dir = "build/demo"};
  o->config = (NmtConfig){.batch = 64, .source_length = 16, .hidden = 128, .layers = 1};
}

SampleOptionsOutcome nmt_options_parse(int argc, char **argv, NmtOptions *options)
{
  SampleOption rows[SAMPLE_MAX_OPTIONS];
  set_defaults(options);
  size_t n = list_options(options, rows);
  SampleOptionsOutcome outcome = sample_options_parse(
      "nmt", "translation by an encoder-decoder LSTM with attention", rows, n, argc, argv);
  if (outcome != SAMPLE_OPTIONS_OK)
    return outcome;
  NmtConfig *config = &options->config;
  if (config->embedding == 0)
    config->embedding = config->hidden;
  config->target_length = config->source_length;
  if (!(config->dropout >= 0 && config->dropout < 1)) {
    fprintf(stderr, "nmt: error: --dropout must lie in [0, 1)\n");
    return SAMPLE_OPTIONS_ERROR;
  }
  return SAMPLE_OPTIONS_OK;
}
