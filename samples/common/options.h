/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A sample's command line: options only, with --help and --version. */
#ifndef ECHO_SAMPLES_COMMON_OPTIONS_H
#define ECHO_SAMPLES_COMMON_OPTIONS_H

#include "base/command_line.h"

/* Fills the targets of `options`; prints help or a mistake. `summary` is the first line of --help
 * after the program's name. */
EchoParseOutcome sample_options_parse(const char *program, const char *summary,
                                      const EchoOption *options, int argc, char **argv);

#endif
