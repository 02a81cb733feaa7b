/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A sample's command line: options only, with --help and --version. */
#ifndef ECHO_SAMPLES_COMMON_OPTIONS_H
#define ECHO_SAMPLES_COMMON_OPTIONS_H

#include "base/command_line.h"

/* The rows that every sample has which compiles a step. `o` points to a structure with the fields
 *   const char *echo, *emit, *output, *json, *cache_dir, *device_model, *device;
 *   bool plan_only, has_locations;  int64_t threads; */
#define SAMPLE_OPTION_ROWS(o)                                                                      \
  SAMPLE_ROW(                                                                                      \
      "echo", ECHO_OPTION_OPTIONAL, &(o)->echo, "OPTIONS",                                         \
      "recompute to save memory: budget=BYTES|min, overhead=P%, swap=on, policy=NAME, explain"),   \
      SAMPLE_ROW("plan-only", ECHO_OPTION_FLAG, &(o)->plan_only, NULL,                             \
                 "plan the memory of a step, with and without Echo, and run nothing"),             \
      SAMPLE_ROW("emit", ECHO_OPTION_STRING, &(o)->emit, "STAGE",                                  \
                 "write the IR of a stage: model, tensor, step, echoed, scheduled, kernels, "      \
                 "planned, loops"),                                                                \
      SAMPLE_ROW("debug-info", ECHO_OPTION_FLAG, &(o)->has_locations, NULL,                        \
                 "with --emit: write the layers' names as locations"),                             \
      SAMPLE_ROW("o", ECHO_OPTION_STRING, &(o)->output, "FILE",                                    \
                 "output of --emit (default: standard output)"),                                   \
      SAMPLE_ROW("json", ECHO_OPTION_STRING, &(o)->json, "FILE",                                   \
                 "write the figures (docs/samples.md)"),                                           \
      SAMPLE_ROW(                                                                                  \
          "device-model", ECHO_OPTION_STRING, &(o)->device_model, "NAME|FILE",                     \
          "device that times are predicted for (default: this host's; a GPU with --plan-only)"),   \
      SAMPLE_ROW("device", ECHO_OPTION_STRING, &(o)->device, "NAME",                               \
                 "what it runs on: cpu, cuda or cuda:N (default: cpu)"),                           \
      SAMPLE_ROW("threads", ECHO_OPTION_RANGE, ECHO_RANGE(&(o)->threads, 0, 1024), "N",            \
                 "threads (0 = all processors)"),                                                  \
      SAMPLE_ROW("cache-dir", ECHO_OPTION_STRING, &(o)->cache_dir, "DIR",                          \
                 "keep compiled kernels there")
/* Of samples that train on many processes; `o` has fields bool data_parallel, shard_state; int64_t
 * limit_s. */
#define SAMPLE_DATA_PARALLEL_ROWS(o)                                                               \
  SAMPLE_ROW("data-parallel", ECHO_OPTION_FLAG, &(o)->data_parallel, NULL,                         \
             "under mpirun: the processes divide the batch"),                                      \
      SAMPLE_ROW("shard-state", ECHO_OPTION_FLAG, &(o)->shard_state, NULL,                         \
                 "with it: each process keeps its part of the optimizer's state"),                 \
      SAMPLE_ROW("collective-limit", ECHO_OPTION_RANGE, ECHO_RANGE(&(o)->limit_s, 1, INT32_MAX),   \
                 "S",                                                                              \
                 "with it: seconds after which a collective that not all join is an error "        \
                 "(default: 600)")
#define SAMPLE_ROW(...)                                                                            \
  {                                                                                                \
    __VA_ARGS__                                                                                    \
  }

/* Fills the targets of `options`; prints help or a mistake. `summary` is the first line of --help
 * after the program's name. */
EchoParseOutcome sample_options_parse(const char *program, const char *summary,
                                      const EchoOption *options, int argc, char **argv);

#endif
