/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/nmt/vocabulary.h"

#include <stdlib.h>

#include "base/arena.h"

/* A learned merge: pieces a and b, in this order, become one. Earlier merges go first. */
typedef struct Merge {
  EchoStr a, b;
} Merge;

struct NmtVocabulary {
  EchoArena arena;
  ECHO_VECTOR(EchoStr) tokens; /* by id; byte-pair pieces that end a word end in a space */
  EchoStringMap ids;           /* token -> id */
  EchoStringMap merge_ranks;   /* "a\0b" -> rank */
  bool uses_pieces;
};

/* A distinct word of the training text, as pieces. */
typedef struct Word {
  EchoStr text;
  uint64_t count;
  ECHO_VECTOR(EchoStr) pieces;
} Word;

typedef ECHO_VECTOR(Word) Words;
typedef ECHO_VECTOR(EchoStr) Pieces;

static EchoStr keep(NmtVocabulary *vocabulary, EchoStr text)
{
  return (EchoStr){echo_arena_copy_string(&vocabulary->arena, text.data, text.size), text.size};
}

static bool next_word(EchoStr line, size_t *at, EchoStr *word)
{
  while (*at < line.size &&
         (line.data[*at] == ' ' || line.data[*at] == '\t' || line.data[*at] == '\r'))
    (*at)++;
  size_t begin = *at;
  while (*at < line.size && line.data[*at] != ' ' && line.data[*at] != '\t' &&
         line.data[*at] != '\r')
    (*at)++;
  *word = (EchoStr){line.data + begin, *at - begin};
  return word->size != 0;
}

/* Bytes of the UTF-8 character that starts here; broken sequences count byte by byte. */
static size_t character_size(EchoStr text, size_t at)
{
  unsigned char lead = (unsigned char)text.data[at];
  size_t size = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return at + size <= text.size ? size : 1;
}

/* A word as its characters; the last one carries a space behind it. `out` gets views into `padded`,
 * the word with a space. */
static void split_characters(EchoStr padded, Pieces *out)
{
  for (size_t at = 0; at + 1 < padded.size;) {
    size_t size = character_size((EchoStr){padded.data, padded.size - 1}, at);
    if (at + size + 1 == padded.size)
      size++;
    echo_vector_push(out, (EchoStr){padded.data + at, size});
    at += size;
  }
}

static EchoStr pad_word(NmtVocabulary *vocabulary, EchoStr word)
{
  char *copy = echo_arena_alloc(&vocabulary->arena, word.size + 2);
  memcpy(copy, word.data, word.size);
  copy[word.size] = ' ';
  copy[word.size + 1] = '\0';
  return (EchoStr){copy, word.size + 1};
}

static void count_words(NmtVocabulary *vocabulary, const SampleLineList *lines, Words *words)
{
  EchoStringMap index = {0};
  for (size_t i = 0; i < lines->size; i++) {
    EchoStr word;
    for (size_t at = 0; next_word(lines->data[i], &at, &word);) {
      uint64_t known = echo_string_map_get_or(&index, word, 0);
      if (known != 0) {
        words->data[known - 1].count++;
        continue;
      }
      echo_vector_push(words, (Word){.text = keep(vocabulary, word), .count = 1});
      echo_string_map_set(&index, echo_vector_last(words).text, words->size);
    }
  }
  echo_string_map_destroy(&index);
}

static void add_token(NmtVocabulary *vocabulary, EchoStr token)
{
  uint64_t known;
  if (echo_string_map_get(&vocabulary->ids, token, &known))
    return;
  EchoStr kept = keep(vocabulary, token);
  echo_string_map_set(&vocabulary->ids, kept, vocabulary->tokens.size);
  echo_vector_push(&vocabulary->tokens, kept);
}

/* "a\0b" as a key. */
static EchoStr pair_key(EchoBuffer *scratch, EchoStr a, EchoStr b)
{
  echo_buffer_clear(scratch);
  echo_buffer_append_str(scratch, a);
  echo_buffer_append_char(scratch, '\0');
  echo_buffer_append_str(scratch, b);
  return echo_buffer_str(scratch);
}

/* The most frequent pair of neighbouring pieces; ties go to the bytewise lowest. False when none
 * occurs twice. */
static bool best_pair(NmtVocabulary *vocabulary, const Words *words, Merge *best)
{
  EchoStringMap counts = {0};
  EchoBuffer scratch = {0};
  EchoArenaMark mark = echo_arena_mark(&vocabulary->arena);
  uint64_t best_count = 1;
  EchoStr best_key = {0};
  for (size_t i = 0; i < words->size; i++)
    for (size_t k = 0; k + 1 < words->data[i].pieces.size; k++) {
      EchoStr key =
          pair_key(&scratch, words->data[i].pieces.data[k], words->data[i].pieces.data[k + 1]);
      uint64_t count = echo_string_map_get_or(&counts, key, 0);
      if (count == 0)
        key = keep(vocabulary, key);
      echo_string_map_set(&counts, key, count + words->data[i].count);
    }
  for (size_t i = 0; i < counts.n_entries; i++) {
    const EchoStringMapEntry *entry = &counts.entries[i];
    if (entry->value > best_count || (entry->value == best_count && best_key.size != 0 &&
                                      echo_str_compare(entry->key, best_key) < 0)) {
      best_count = entry->value;
      best_key = entry->key;
    }
  }
  bool found = best_key.size != 0;
  echo_buffer_clear(&scratch);
  echo_buffer_append_str(&scratch, best_key);
  echo_string_map_destroy(&counts);
  echo_arena_reset(&vocabulary->arena, mark);
  if (found) {
    EchoStr key = keep(vocabulary, echo_buffer_str(&scratch));
    size_t cut = strlen(key.data);
    *best = (Merge){{key.data, cut}, {key.data + cut + 1, key.size - cut - 1}};
  }
  echo_buffer_destroy(&scratch);
  return found;
}

static void apply_merge(Word *word, const Merge *merge, EchoStr joined)
{
  size_t n = 0;
  for (size_t k = 0; k < word->pieces.size; k++) {
    bool joins = k + 1 < word->pieces.size && echo_str_equal(word->pieces.data[k], merge->a) &&
                 echo_str_equal(word->pieces.data[k + 1], merge->b);
    word->pieces.data[n++] = joins ? joined : word->pieces.data[k];
    k += joins;
  }
  word->pieces.size = n;
}

static void learn_pieces(NmtVocabulary *vocabulary, Words *words, size_t n_merges)
{
  Pieces characters = {0};
  for (size_t i = 0; i < words->size; i++) {
    echo_vector_clear(&characters);
    split_characters(pad_word(vocabulary, words->data[i].text), &characters);
    for (size_t k = 0; k < characters.size; k++) {
      echo_vector_push(&words->data[i].pieces, characters.data[k]);
      add_token(vocabulary, characters.data[k]);
    }
  }
  echo_vector_destroy(&characters);
  EchoBuffer scratch = {0};
  for (size_t rank = 0; rank < n_merges; rank++) {
    Merge merge;
    if (!best_pair(vocabulary, words, &merge))
      break;
    EchoStr key = {merge.a.data, merge.a.size + 1 + merge.b.size};
    echo_string_map_set(&vocabulary->merge_ranks, key, rank + 1);
    echo_buffer_clear(&scratch);
    echo_buffer_append_str(&scratch, merge.a);
    echo_buffer_append_str(&scratch, merge.b);
    EchoStr joined = keep(vocabulary, echo_buffer_str(&scratch));
    add_token(vocabulary, joined);
    for (size_t i = 0; i < words->size; i++)
      apply_merge(&words->data[i], &merge, joined);
  }
  echo_buffer_destroy(&scratch);
}

static int compare_words(const void *a, const void *b)
{
  const Word *x = a, *y = b;
  if (x->count != y->count)
    return x->count < y->count ? 1 : -1;
  return echo_str_compare(x->text, y->text);
}

NmtVocabulary *nmt_vocabulary_create(const SampleLineList *lines, size_t n_merges, size_t max_size)
{
  NmtVocabulary *vocabulary = echo_alloc_zero(1, sizeof *vocabulary);
  vocabulary->uses_pieces = n_merges != 0;
  add_token(vocabulary, ECHO_STR("<pad>"));
  add_token(vocabulary, ECHO_STR("<s>"));
  add_token(vocabulary, ECHO_STR("</s>"));
  add_token(vocabulary, ECHO_STR("<unk>"));
  Words words = {0};
  count_words(vocabulary, lines, &words);
  if (words.size != 0)
    qsort(words.data, words.size, sizeof *words.data, compare_words);
  if (vocabulary->uses_pieces)
    learn_pieces(vocabulary, &words, n_merges);
  for (size_t i = 0; i < words.size && !vocabulary->uses_pieces; i++)
    if (vocabulary->tokens.size < max_size)
      add_token(vocabulary, words.data[i].text);
  for (size_t i = 0; i < words.size; i++)
    echo_vector_destroy(&words.data[i].pieces);
  echo_vector_destroy(&words);
  return vocabulary;
}

void nmt_vocabulary_destroy(NmtVocabulary *vocabulary)
{
  echo_vector_destroy(&vocabulary->tokens);
  echo_string_map_destroy(&vocabulary->ids);
  echo_string_map_destroy(&vocabulary->merge_ranks);
  echo_arena_destroy(&vocabulary->arena);
  echo_free(vocabulary);
}

size_t nmt_vocabulary_size(const NmtVocabulary *vocabulary)
{
  return vocabulary->tokens.size;
}

/* Joins the lowest-ranked pair until none is left. */
static void merge_pieces(const NmtVocabulary *vocabulary, Pieces *pieces, EchoBuffer *scratch)
{
  for (;;) {
    size_t best = 0;
    uint64_t best_rank = UINT64_MAX;
    for (size_t k = 0; k + 1 < pieces->size; k++) {
      EchoStr key = pair_key(scratch, pieces->data[k], pieces->data[k + 1]);
      uint64_t rank = echo_string_map_get_or(&vocabulary->merge_ranks, key, UINT64_MAX);
      if (rank < best_rank) {
        best_rank = rank;
        best = k;
      }
    }
    if (best_rank == UINT64_MAX)
      return;
    pieces->data[best].size += pieces->data[best + 1].size; /* neighbours in one buffer */
    for (size_t k = best + 1; k + 1 < pieces->size; k++)
      pieces->data[k] = pieces->data[k + 1];
    pieces->size--;
  }
}

static int32_t id_of(const NmtVocabulary *vocabulary, EchoStr token)
{
  return (int32_t)echo_string_map_get_or(&vocabulary->ids, token, NMT_UNKNOWN);
}

void nmt_vocabulary_encode(const NmtVocabulary *vocabulary, EchoStr line, NmtIds *ids)
{
  EchoBuffer padded = {0}, scratch = {0};
  Pieces pieces = {0};
  EchoStr word;
  for (size_t at = 0; next_word(line, &at, &word);) {
    if (!vocabulary->uses_pieces) {
      echo_vector_push(ids, id_of(vocabulary, word));
      continue;
    }
    echo_buffer_clear(&padded);
    echo_buffer_append_str(&padded, word);
    echo_buffer_append_char(&padded, ' ');
    echo_vector_clear(&pieces);
    split_characters(echo_buffer_str(&padded), &pieces);
    merge_pieces(vocabulary, &pieces, &scratch);
    for (size_t k = 0; k < pieces.size; k++)
      echo_vector_push(ids, id_of(vocabulary, pieces.data[k]));
  }
  echo_vector_destroy(&pieces);
  echo_buffer_destroy(&padded);
  echo_buffer_destroy(&scratch);
}

void nmt_vocabulary_decode(const NmtVocabulary *vocabulary, const int32_t *ids, size_t n,
                           EchoBuffer *out)
{
  size_t begin = out->size;
  for (size_t i = 0; i < n && ids[i] != NMT_END; i++) {
    if (ids[i] == NMT_PAD || ids[i] == NMT_BEGIN)
      continue;
    if (ids[i] >= 0 && (size_t)ids[i] < vocabulary->tokens.size)
      echo_buffer_append_str(out, vocabulary->tokens.data[ids[i]]);
    if (!vocabulary->uses_pieces)
      echo_buffer_append_char(out, ' ');
  }
  while (out->size > begin && out->data[out->size - 1] == ' ')
    out->data[--out->size] = '\0';
}
