/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/nmt/options.h"

#include <stdio.h>

enum { MAX_DIMENSION = 1 << 24 };

static EchoParseOutcome parse(int argc, char **argv, NmtOptions *o)
{
  const EchoOption options[] = {
      {"demo", ECHO_OPTION_FLAG, &o->demo, NULL,
       "train the built-in task without and with Echo, and show everything"},
      {"demo-dir", ECHO_OPTION_STRING, &o->demo_dir, "DIR",
       "where --demo writes IR, PTX and the report (default: build/demo)"},
      {"train", ECHO_OPTION_PAIR, o->train, "SRC TGT",
       "train on two text files, a sentence a line, plain or gzip"},
      {"valid", ECHO_OPTION_PAIR, o->valid, "SRC TGT", "validate on these"},
      {"steps", ECHO_OPTION_RANGE, ECHO_RANGE(&o->steps, 0, INT32_MAX - 1), "N",
       "training steps (default: 200)"},
      SAMPLE_OPTION_ROWS(o),
      {"dump-feed", ECHO_OPTION_STRING, &o->dump_feed, "PREFIX",
       "write PREFIX.inputs.npz and PREFIX.feed.npz for echo-run"},
      {"layers", ECHO_OPTION_RANGE, ECHO_RANGE(&o->config.layers, 1, 16), "N",
       "LSTM layers of encoder and decoder"},
      {"hidden", ECHO_OPTION_RANGE, ECHO_RANGE(&o->config.hidden, 1, MAX_DIMENSION), "N",
       "hidden size"},
      {"embedding", ECHO_OPTION_RANGE, ECHO_RANGE(&o->config.embedding, 1, MAX_DIMENSION), "N",
       "embedding size (default: --hidden)"},
      {"batch", ECHO_OPTION_RANGE, ECHO_RANGE(&o->config.batch, 1, MAX_DIMENSION), "N",
       "sentences a step"},
      {"length", ECHO_OPTION_RANGE, ECHO_RANGE(&o->config.source_length, 1, 1 << 16), "N",
       "source and target length, in tokens"},
      {"vocab", ECHO_OPTION_RANGE, ECHO_RANGE(&o->vocab, 8, MAX_DIMENSION), "N",
       "words at most a language (words), or the size itself with --plan-only"},
      {"merges", ECHO_OPTION_RANGE, ECHO_RANGE(&o->merges, 0, MAX_DIMENSION), "N",
       "byte-pair merges a language; 0 = whole words"},
      {"dropout", ECHO_OPTION_F64, &o->config.dropout, "P", "dropout probability"},
      {"learning-rate", ECHO_OPTION_F64, &o->learning_rate, "X", "of Adam (default: 0.002)"},
      {"warmup", ECHO_OPTION_RANGE, ECHO_RANGE(&o->warmup, 1, INT32_MAX), "N",
       "steps over which the rate rises"},
      {"seed", ECHO_OPTION_RANGE, ECHO_RANGE((int64_t *)&o->seed, 0, INT64_MAX), "N",
       "of weights, order of the data and dropout"},
      {"valid-every", ECHO_OPTION_RANGE, ECHO_RANGE(&o->valid_every, 0, INT32_MAX), "N",
       "steps between validations (0 = at the end)"},
      {"no-validation", ECHO_OPTION_FLAG, &o->no_validation, NULL, "train only"},
      {"max-pairs", ECHO_OPTION_RANGE, ECHO_RANGE(&o->max_pairs, 0, INT32_MAX), "N",
       "pairs used at most (0 = all)"},
      {"feed-steps", ECHO_OPTION_RANGE, ECHO_RANGE(&o->feed_steps, 1, 1 << 16), "N",
       "batches in --dump-feed"},
      {"save", ECHO_OPTION_STRING, &o->save, "FILE",
       "write a checkpoint (safetensors) at the end and every --save-every steps"},
      {"save-every", ECHO_OPTION_RANGE, ECHO_RANGE(&o->save_every, 0, INT32_MAX), "N",
       "steps between checkpoints (0 = at the end only)"},
      {"resume", ECHO_OPTION_STRING, &o->resume, "FILE", "go on from a checkpoint, if it is there"},
      SAMPLE_DATA_PARALLEL_ROWS(o),
      {"quiet", ECHO_OPTION_FLAG, &o->quiet, NULL, "print no progress"},
      {0}};
  return sample_options_parse("nmt", "translation by an encoder-decoder LSTM with attention",
                              options, argc, argv);
}

static void set_defaults(NmtOptions *o)
{
  *o = (NmtOptions){.steps = 200,
                    .limit_s = 600,
                    .seed = 1,
                    .learning_rate = 0.002,
                    .warmup = 100,
                    .vocab = 10000,
                    .merges = 100,
                    .feed_steps = 3,
                    .demo_dir = "build/demo"};
  o->config = (NmtConfig){.batch = 64, .source_length = 16, .hidden = 128, .layers = 1};
}

EchoParseOutcome nmt_options_parse(int argc, char **argv, NmtOptions *options)
{
  set_defaults(options);
  EchoParseOutcome outcome = parse(argc, argv, options);
  if (outcome != ECHO_PARSE_OK)
    return outcome;
  NmtConfig *config = &options->config;
  if (config->embedding == 0)
    config->embedding = config->hidden;
  config->target_length = config->source_length;
  if (!(config->dropout >= 0 && config->dropout < 1)) {
    fprintf(stderr, "nmt: error: --dropout must lie in [0, 1)\n");
    return ECHO_PARSE_ERROR;
  }
  if (options->data_parallel && (options->demo || options->plan_only || options->emit != NULL ||
                                 options->dump_feed != NULL)) {
    fprintf(stderr, "nmt: error: --data-parallel is for training\n");
    return ECHO_PARSE_ERROR;
  }
  return ECHO_PARSE_OK;
}
