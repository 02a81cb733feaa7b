/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the networks learn: images whose class (or whose places' class) shows through noise, texts
 * whose next word follows from the last one. The invariant: batch i is the same on every machine.
 */
#ifndef ECHO_SAMPLES_NETS_TASK_H
#define ECHO_SAMPLES_NETS_TASK_H

#include "samples/nets/nets.h"

/* Fills NET_ARG_DATA and NET_ARG_LABELS of one step; both have the sizes of the configuration. */
void net_task_fill(const NetConfig *config, uint64_t seed, int64_t step, void *data,
                   int32_t *labels);

#endif
