/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sentence pairs and batches of fixed shape. */
#ifndef ECHO_SAMPLES_NMT_DATA_H
#define ECHO_SAMPLES_NMT_DATA_H

#include "samples/common/lines.h"
#include "samples/nmt/model.h"
#include "samples/nmt/vocabulary.h"

typedef struct NmtPair {
  uint32_t source_begin, source_size, target_begin, target_size; /* in ids */
} NmtPair;

/* Encoded pairs. */
typedef struct NmtCorpus {
  NmtIds ids;
  ECHO_VECTOR(NmtPair) pairs;
  size_t n_skipped; /* longer than the model's lengths */
} NmtCorpus;

/* Adds a pair; one that does not fit the lengths (the target with its end mark) is skipped and
 * counted. */
void nmt_corpus_add(NmtCorpus *corpus, const NmtVocabulary *source, const NmtVocabulary *target,
                    EchoStr source_line, EchoStr target_line, const NmtConfig *config);
void nmt_corpus_destroy(NmtCorpus *corpus);

/* One batch as the training step takes it (see model.h). Owned arrays. */
typedef struct NmtBatch {
  int32_t *source;      /* [S, B] */
  uint8_t *source_mask; /* [B, S] */
  int32_t *target_in;   /* [T, B] */
  int32_t *target_out;  /* [T, B] */
  float *target_weight; /* [T, B] */
} NmtBatch;

void nmt_batch_create(NmtBatch *batch, const NmtConfig *config);
void nmt_batch_destroy(NmtBatch *batch);
/* Fills row b of the batch with a pair; an index past the end gives an empty row of weight 0. */
void nmt_batch_set(NmtBatch *batch, const NmtConfig *config, const NmtCorpus *corpus, size_t pair,
                   int64_t b);
/* Training batch number `step` (from 1): a shuffled pass over the corpus each epoch, by a
 * permutation that depends on seed and epoch alone. */
void nmt_batch_fill(NmtBatch *batch, const NmtConfig *config, const NmtCorpus *corpus,
                    uint64_t seed, int64_t step);

#endif
