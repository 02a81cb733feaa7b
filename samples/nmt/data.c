/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/nmt/data.h"

#include "samples/common/random.h"

void nmt_corpus_add(NmtCorpus *corpus, const NmtVocabulary *source, const NmtVocabulary *target,
                    EchoStr source_line, EchoStr target_line, const NmtConfig *config)
{
  NmtPair pair = {.source_begin = (uint32_t)corpus->ids.size};
  nmt_vocabulary_encode(source, source_line, &corpus->ids);
  pair.target_begin = (uint32_t)corpus->ids.size;
  pair.source_size = pair.target_begin - pair.source_begin;
  nmt_vocabulary_encode(target, target_line, &corpus->ids);
  pair.target_size = (uint32_t)corpus->ids.size - pair.target_begin;
  bool fits = pair.source_size <= config->source_length && pair.source_size > 0 &&
              pair.target_size + 1 <= config->target_length && pair.target_size > 0;
  if (fits) {
    echo_vector_push(&corpus->pairs, pair);
  } else {
    corpus->ids.size = pair.source_begin;
    corpus->n_skipped++;
  }
}

void nmt_corpus_destroy(NmtCorpus *corpus)
{
  echo_vector_destroy(&corpus->ids);
  echo_vector_destroy(&corpus->pairs);
}

void nmt_batch_create(NmtBatch *batch, const NmtConfig *c)
{
  size_t n_source = (size_t)(c->source_length * c->batch);
  size_t n_target = (size_t)(c->target_length * c->batch);
  batch->source = echo_alloc_zero(n_source, sizeof(int32_t));
  batch->source_mask = echo_alloc_zero(n_source, 1);
  batch->target_in = echo_alloc_zero(n_target, sizeof(int32_t));
  batch->target_out = echo_alloc_zero(n_target, sizeof(int32_t));
  batch->target_weight = echo_alloc_zero(n_target, sizeof(float));
}

void nmt_batch_destroy(NmtBatch *batch)
{
  echo_free(batch->source);
  echo_free(batch->source_mask);
  echo_free(batch->target_in);
  echo_free(batch->target_out);
  echo_free(batch->target_weight);
}

void nmt_batch_set(NmtBatch *batch, const NmtConfig *c, const NmtCorpus *corpus, size_t index,
                   int64_t b)
{
  static const NmtPair nothing = {0};
  bool is_real = index < corpus->pairs.size;
  const NmtPair *pair = is_real ? &corpus->pairs.data[index] : &nothing;
  const int32_t *source = corpus->ids.data + pair->source_begin;
  const int32_t *target = corpus->ids.data + pair->target_begin;
  int64_t n_source = pair->source_size, n_target = pair->target_size;
  for (int64_t s = 0; s < c->source_length;
       s++) { /* padded on the left: the last state follows the last word */
    int64_t at = s - (c->source_length - n_source);
    batch->source[s * c->batch + b] = at >= 0 ? source[at] : NMT_PAD;
    batch->source_mask[b * c->source_length + s] = at >= 0;
  }
  for (int64_t t = 0; t < c->target_length; t++) {
    bool is_used = is_real && t <= n_target;
    int64_t at = t * c->batch + b;
    batch->target_in[at] = t == 0 ? NMT_BEGIN : t <= n_target ? target[t - 1] : NMT_PAD;
    batch->target_out[at] = t < n_target ? target[t] : is_used ? NMT_END : NMT_PAD;
    batch->target_weight[at] = is_used ? 1 : 0;
  }
}

/* Element i of a permutation of [0, n): a Feistel network over the next power of four, walked until
 * it lands inside. */
static uint64_t permuted(uint64_t seed, uint64_t i, uint64_t n)
{
  unsigned half = 1;
  while ((UINT64_C(1) << (2 * half)) < n)
    half++;
  uint64_t mask = (UINT64_C(1) << half) - 1;
  do {
    uint64_t left = i >> half, right = i & mask;
    for (uint64_t round = 0; round < 4; round++) {
      uint64_t next = left ^ (sample_hash(seed ^ sample_hash(right + (round << 32))) & mask);
      left = right;
      right = next;
    }
    i = left << half | right;
  } while (i >= n);
  return i;
}

void nmt_batch_fill(NmtBatch *batch, const NmtConfig *c, const NmtCorpus *corpus, uint64_t seed,
                    int64_t step)
{
  uint64_t n = corpus->pairs.size, first = (uint64_t)(step - 1) * (uint64_t)c->batch;
  for (int64_t b = 0; b < c->batch; b++) {
    uint64_t position = first + (uint64_t)b, epoch = position / n;
    nmt_batch_set(batch, c, corpus, permuted(sample_hash(seed + epoch), position % n, n), b);
  }
}
