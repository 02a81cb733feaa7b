/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Text to token ids and back: words, or byte pairs (Sennrich, Haddow, Birch, "Neural Machine
 * Translation of Rare Words with Subword Units", 2016). A word's last piece carries the mark of its
 * end, so that decoding puts the spaces back. */
#ifndef ECHO_SAMPLES_NMT_VOCABULARY_H
#define ECHO_SAMPLES_NMT_VOCABULARY_H

#include "base/map.h"
#include "base/vector.h"
#include "samples/common/lines.h"

enum { NMT_PAD, NMT_BEGIN, NMT_END, NMT_UNKNOWN, NMT_N_SPECIAL };

typedef ECHO_VECTOR(int32_t) NmtIds;

typedef struct NmtVocabulary NmtVocabulary;

/* From training lines. n_merges 0 = whole words, the max_size most frequent ones; else byte pairs
 * with at most that many merges. Deterministic: ties break by the bytes. O(bytes + merges * words).
 */
NmtVocabulary *nmt_vocabulary_create(const SampleLineList *lines, size_t n_merges, size_t max_size);
void nmt_vocabulary_destroy(NmtVocabulary *vocabulary);
size_t nmt_vocabulary_size(const NmtVocabulary *vocabulary);
/* Appends the ids of a line, without begin and end. */
void nmt_vocabulary_encode(const NmtVocabulary *vocabulary, EchoStr line, NmtIds *ids);
/* Appends the text of ids up to the end mark. */
void nmt_vocabulary_decode(const NmtVocabulary *vocabulary, const int32_t *ids, size_t n,
                           EchoBuffer *out);

#endif
