/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A sample's command line: a table of options, "-x" or "--x", "--x=value" or "--x value", with
 * --help and --version for all. */
#ifndef ECHO_SAMPLES_COMMON_OPTIONS_H
#define ECHO_SAMPLES_COMMON_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum SampleOptionKind {
  SAMPLE_FLAG,          /* bool * */
  SAMPLE_TEXT,          /* const char ** */
  SAMPLE_OPTIONAL_TEXT, /* const char **; "--x" gives "" */
  SAMPLE_NUMBER,        /* int64_t *, within [min, max] */
  SAMPLE_REAL,          /* double * */
  SAMPLE_TWO_FILES      /* const char *[2]; "--x A B" */
} SampleOptionKind;

typedef struct SampleOption {
  const char *name, *value, *summary; /* value: its name in --help, NULL for flags */
  SampleOptionKind kind;
  void *target;
  int64_t min, max; /* SAMPLE_NUMBER */
} SampleOption;

enum { SAMPLE_MAX_OPTIONS = 48 };

typedef enum SampleOptionsOutcome {
  SAMPLE_OPTIONS_OK,
  SAMPLE_OPTIONS_EXIT, /* --help or --version was answered */
  SAMPLE_OPTIONS_ERROR /* a message was printed */
} SampleOptionsOutcome;

/* Fills the targets. `summary` is the first line of --help after the program's name. */
SampleOptionsOutcome sample_options_parse(const char *program, const char *summary,
                                          const SampleOption *options, size_t n, int argc,
                                          char **argv);

#endif
