/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the networks learn: images whose class (or whose places' class) shows through noise, texts
 * whose next word follows from the last one, translations word by word, dial tones; or images and
 * recordings of files. The invariant: batch i is the same in every run, and without files on every
 * machine (sounds but for their last bits). */
#ifndef ECHO_SAMPLES_NETS_TASK_H
#define ECHO_SAMPLES_NETS_TASK_H

#include "samples/nets/images.h"
#include "samples/nets/speech.h"

typedef struct NetTask {
  const NetConfig *config;
  uint64_t seed;
  NetImages images; /* empty: patterns */
  Speech speech;    /* of a network that hears */
} NetTask;

/* data_or_null: a CSV file of images, or a directory of WAV files. False with the reasons, a line
 * each, for a network that reads neither, and for files that are not as they must be. */
bool net_task_create(NetTask *task, const NetConfig *config, const char *data_or_null,
                     uint64_t seed, EchoBuffer *error);
void net_task_destroy(NetTask *task);

/* Fills NET_ARG_DATA and NET_ARG_LABELS of one step; both have the sizes of the configuration. */
void net_task_fill(const NetTask *task, int64_t step, void *data, int32_t *labels);

#endif
