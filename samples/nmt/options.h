/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The command line of the sample. */
#ifndef ECHO_SAMPLES_NMT_OPTIONS_H
#define ECHO_SAMPLES_NMT_OPTIONS_H

#include "samples/common/options.h"
#include "samples/nmt/model.h"

typedef struct NmtOptions {
  NmtConfig config;
  bool demo, plan_only, quiet, no_validation, data_parallel, shard_state;
  bool has_locations;                    /* --debug-info */
  const char *emit, *dump_feed, *output; /* --emit=STAGE, --dump-feed=PREFIX, -o FILE */
  const char *train[2], *valid[2];       /* source, target; NULL = the built-in numerals */
  const char *save, *resume, *json, *cache_dir, *device_model, *device;
  const char *echo; /* NULL = off, "" = the pass's defaults, else its options */
  const char *demo_dir;
  int64_t steps, valid_every, save_every, threads, merges, vocab, max_pairs, feed_steps;
  int64_t limit_s;
  uint64_t seed;
  double learning_rate;
  int64_t warmup;
} NmtOptions;

/* Prints help or a message itself. */
EchoParseOutcome nmt_options_parse(int argc, char **argv, NmtOptions *options);

#endif
