/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is trained on: the built-in numerals, or two text files. */
#ifndef ECHO_SAMPLES_NMT_TASK_H
#define ECHO_SAMPLES_NMT_TASK_H

#include "samples/nmt/data.h"
#include "samples/nmt/options.h"

typedef struct NmtTask {
  NmtVocabulary *source, *target;
  NmtCorpus train, valid;
  EchoBuffer valid_source, valid_target; /* texts of the validation pairs that fit, a line each */
} NmtTask;

/* Sets the vocabulary sizes of *config too. False after a message on stderr. */
bool nmt_task_create(NmtTask *task, const NmtOptions *options, NmtConfig *config);
/* Only the vocabulary sizes, for those who need no data. */
bool nmt_task_sizes(const NmtOptions *options, NmtConfig *config);
void nmt_task_destroy(NmtTask *task);

#endif
