/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The command line. */
#ifndef ECHO_SAMPLES_NETS_OPTIONS_H
#define ECHO_SAMPLES_NETS_OPTIONS_H

#include "samples/common/options.h"
#include "samples/nets/nets.h"

typedef struct NetOptions {
  const char *program;
  NetConfig config;
  bool plan_only, has_locations, data_parallel, shard_state;
  const char *data; /* files to learn from; NULL = what the program makes */
  const char *model, *optimizer, *emit, *output, *save, *json, *cache_dir, *device_model, *device;
  const char *echo; /* NULL = off, "" = the pass's defaults, else its options */
  int64_t steps, threads, seed, limit_s;
  double learning_rate;
} NetOptions;

/* Prints help or a message itself. */
EchoParseOutcome net_options_parse(int argc, char **argv, const NetProgram *program,
                                   NetOptions *options);

#endif
