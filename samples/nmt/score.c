/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/nmt/score.h"

#include <math.h>

#include "base/map.h"
#include "base/vector.h"

enum { MAX_NGRAM = 4 };

static bool next_line(EchoStr text, size_t *at, EchoStr *line)
{
  if (*at >= text.size)
    return false;
  const char *begin = text.data + *at;
  const char *stop = memchr(begin, '\n', text.size - *at);
  *line = (EchoStr){begin, stop != NULL ? (size_t)(stop - begin) : text.size - *at};
  *at += line->size + 1;
  return true;
}

double nmt_exact_match(EchoStr candidates, EchoStr references)
{
  size_t a = 0, b = 0, n = 0, n_equal = 0;
  EchoStr x, y;
  while (next_line(candidates, &a, &x) && next_line(references, &b, &y)) {
    n++;
    n_equal += echo_str_equal(x, y);
  }
  return n != 0 ? (double)n_equal / (double)n : 0;
}

typedef ECHO_VECTOR(EchoStr) Words;

static void split_words(EchoStr line, Words *words)
{
  echo_vector_clear(words);
  for (size_t at = 0; at < line.size;) {
    size_t begin = at;
    while (at < line.size && line.data[at] != ' ')
      at++;
    if (at > begin)
      echo_vector_push(words, (EchoStr){line.data + begin, at - begin});
    at++;
  }
}

/* An n-gram as text: neighbouring words are separated by single spaces in one line, so it is a
 * view. */
static EchoStr ngram(const Words *words, size_t first, size_t n)
{
  const char *begin = words->data[first].data;
  const EchoStr *last = &words->data[first + n - 1];
  return (EchoStr){begin, (size_t)(last->data + last->size - begin)};
}

/* Matches of the candidate's n-grams in the reference, each counted at most as often as it stands
 * there. */
static size_t clipped_matches(const Words *candidate, const Words *reference, size_t n)
{
  EchoStringMap counts = {0};
  size_t matches = 0;
  for (size_t i = 0; i + n <= reference->size; i++) {
    EchoStr key = ngram(reference, i, n);
    echo_string_map_set(&counts, key, echo_string_map_get_or(&counts, key, 0) + 1);
  }
  for (size_t i = 0; i + n <= candidate->size; i++) {
    EchoStr key = ngram(candidate, i, n);
    uint64_t left = echo_string_map_get_or(&counts, key, 0);
    if (left == 0)
      continue;
    matches++;
    echo_string_map_set(&counts, key, left - 1);
  }
  echo_string_map_destroy(&counts);
  return matches;
}

double nmt_bleu(EchoStr candidates, EchoStr references)
{
  size_t a = 0, b = 0, matches[MAX_NGRAM] = {0}, totals[MAX_NGRAM] = {0};
  double candidate_size = 0, reference_size = 0;
  Words candidate = {0}, reference = {0};
  EchoStr x, y;
  while (next_line(candidates, &a, &x) && next_line(references, &b, &y)) {
    split_words(x, &candidate);
    split_words(y, &reference);
    candidate_size += (double)candidate.size;
    reference_size += (double)reference.size;
    for (size_t n = 1; n <= MAX_NGRAM; n++) {
      matches[n - 1] += clipped_matches(&candidate, &reference, n);
      totals[n - 1] += candidate.size >= n ? candidate.size - n + 1 : 0;
    }
  }
  echo_vector_destroy(&candidate);
  echo_vector_destroy(&reference);
  double log_precision = 0;
  for (size_t n = 0; n < MAX_NGRAM; n++) {
    if (matches[n] == 0)
      return 0;
    log_precision += log((double)matches[n] / (double)totals[n]) / (double)MAX_NGRAM;
  }
  double brevity = candidate_size < reference_size ? 1 - reference_size / candidate_size : 0;
  return 100 * exp(brevity + log_precision);
}
