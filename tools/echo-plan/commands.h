/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The subcommands of echo-plan. Each takes the arguments after its name, argv[0] included, and
 * returns the exit status. Summaries go to standard output, mistakes to standard error; output
 * files are written last, and only when all went well. */
#ifndef ECHO_TOOLS_ECHO_PLAN_COMMANDS_H
#define ECHO_TOOLS_ECHO_PLAN_COMMANDS_H

#include "planning/offsets/offsets.h"
#include "planning/swap/swap.h"
#include "tools/common/report.h"

int plan_pool(int argc, char **argv);
int plan_chain(int argc, char **argv);
int plan_swap(int argc, char **argv);
int plan_device(int argc, char **argv);

/* Parses a command line that takes one file. Returns -1 to go on, else the exit status. */
int plan_parse(const EchoCommandLine *line, int argc, char **argv, const char **path);
/* Writes a file whole; false after a message. */
bool plan_write(const char *path, const EchoBuffer *text);
/* Prints to standard output; 0, or 1 after a message when that fails. */
int plan_print(const EchoBuffer *text);
double plan_now_ms(void);

/* pool_svg.c: time to the right, bytes upwards. `ids` name the blocks. */
void plan_draw(const EchoOffsetBlock *blocks, const EchoStr *ids, size_t n_blocks,
               const uint64_t *offsets, const EchoOffsetResult *result, EchoBuffer *svg);

/* pool_fits.c: blocks placed one by one, in an order that has a name. NULL behind the last. */
const char *plan_fit_name_or_null(size_t number);
/* Arguments, result and errors as those of echo_offsets_fit. */
bool plan_fit(size_t number, const EchoOffsetBlock *blocks, size_t n_blocks, int64_t period,
              uint64_t *offsets, EchoOffsetResult *result, EchoBuffer *error);

/* swap_limit.c: the smallest limit, by whole `grain_bytes` down from the peak, at which the policy
 * costs no time, and at each above it neither. */
uint64_t plan_free_limit(const EchoSwapTrace *trace, EchoSwapPolicy policy, uint64_t grain_bytes);

#endif
