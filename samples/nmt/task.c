/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/nmt/task.h"

#include <stdio.h>

#include "samples/nmt/numerals.h"

enum { N_TRAIN_NUMERALS = 100000, N_VALID_NUMERALS = 1000, N_VOCABULARY_LINES = 20000 };

/* Adds a validation pair and keeps its texts when it fits. */
static void add_valid(NmtTask *task, EchoStr source, EchoStr target, const NmtConfig *config)
{
  size_t before = task->valid.pairs.size;
  nmt_corpus_add(&task->valid, task->source, task->target, source, target, config);
  if (task->valid.pairs.size == before)
    return;
  echo_buffer_append_str(&task->valid_source, source);
  echo_buffer_append_char(&task->valid_source, '\n');
  echo_buffer_append_str(&task->valid_target, target);
  echo_buffer_append_char(&task->valid_target, '\n');
}

static void numeral_pair(uint32_t n, EchoBuffer *english, EchoBuffer *german)
{
  echo_buffer_clear(english);
  echo_buffer_clear(german);
  nmt_english_numeral(n, english);
  nmt_german_numeral(n, german);
}

/* `n`, or what --max-pairs allows of it. */
static uint32_t at_most(const NmtOptions *options, uint32_t n)
{
  return options->max_pairs > 0 && options->max_pairs < n ? (uint32_t)options->max_pairs : n;
}

/* Vocabularies learned on the first training numerals. */
static void numeral_vocabularies(NmtTask *task, const NmtOptions *options)
{
  EchoBuffer english = {0}, german = {0}, texts[2] = {0};
  SampleLineList lines[2] = {0};
  for (uint32_t i = 0; i < at_most(options, N_VOCABULARY_LINES); i++) {
    numeral_pair(nmt_numeral_sample(options->seed, i, false), &english, &german);
    echo_buffer_append_str(&texts[0], echo_buffer_str(&english));
    echo_buffer_append_char(&texts[0], '\n');
    echo_buffer_append_str(&texts[1], echo_buffer_str(&german));
    echo_buffer_append_char(&texts[1], '\n');
  }
  for (size_t side = 0; side < 2; side++)
    for (size_t at = 0; at < texts[side].size;) {
      size_t size = strcspn(texts[side].data + at, "\n");
      echo_vector_push(&lines[side], (EchoStr){texts[side].data + at, size});
      at += size + 1;
    }
  size_t merges = (size_t)options->merges;
  task->source = nmt_vocabulary_create(&lines[0], merges, (size_t)options->vocab);
  task->target =
      nmt_vocabulary_create(&lines[1], merges != 0 ? merges : 100, (size_t)options->vocab);
  for (size_t side = 0; side < 2; side++) {
    echo_vector_destroy(&lines[side]);
    echo_buffer_destroy(&texts[side]);
  }
  echo_buffer_destroy(&english);
  echo_buffer_destroy(&german);
}

/* Needs the vocabularies. */
static void create_numerals(NmtTask *task, const NmtOptions *options, const NmtConfig *config)
{
  EchoBuffer english = {0}, german = {0};
  for (uint32_t i = 0; i < at_most(options, N_TRAIN_NUMERALS); i++) {
    numeral_pair(nmt_numeral_sample(options->seed, i, false), &english, &german);
    nmt_corpus_add(&task->train, task->source, task->target, echo_buffer_str(&english),
                   echo_buffer_str(&german), config);
  }
  for (uint32_t i = 0; i < N_VALID_NUMERALS; i++) {
    numeral_pair(nmt_numeral_sample(options->seed, i, true), &english, &german);
    add_valid(task, echo_buffer_str(&english), echo_buffer_str(&german), config);
  }
  echo_buffer_destroy(&english);
  echo_buffer_destroy(&german);
}

/* Reads a source and a target file of equally many lines. */
static bool read_pair(const char *const *paths, SampleLines texts[2])
{
  EchoBuffer error = {0};
  bool ok = sample_lines_read(paths[0], &texts[0], &error);
  if (ok && !sample_lines_read(paths[1], &texts[1], &error)) {
    sample_lines_destroy(&texts[0]);
    ok = false;
  }
  if (ok && texts[0].lines.size != texts[1].lines.size) {
    echo_buffer_printf(&error, "'%s' has %zu lines, '%s' has %zu", paths[0], texts[0].lines.size,
                       paths[1], texts[1].lines.size);
    sample_lines_destroy(&texts[0]);
    sample_lines_destroy(&texts[1]);
    ok = false;
  }
  if (!ok)
    fprintf(stderr, "nmt: error: %s\n", echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
  return ok;
}

static bool create_from_files(NmtTask *task, const NmtOptions *options, const NmtConfig *config)
{
  SampleLines train[2], valid[2];
  if (!read_pair(options->train, train))
    return false;
  size_t merges = (size_t)options->merges, vocab = (size_t)options->vocab;
  task->source = nmt_vocabulary_create(&train[0].lines, merges, vocab);
  task->target = nmt_vocabulary_create(&train[1].lines, merges, vocab);
  size_t n = train[0].lines.size;
  if (options->max_pairs > 0 && n > (size_t)options->max_pairs)
    n = (size_t)options->max_pairs;
  for (size_t i = 0; i < n; i++)
    nmt_corpus_add(&task->train, task->source, task->target, train[0].lines.data[i],
                   train[1].lines.data[i], config);
  sample_lines_destroy(&train[0]);
  sample_lines_destroy(&train[1]);
  if (options->valid[0] != NULL) {
    if (!read_pair(options->valid, valid))
      return false;
    for (size_t i = 0; i < valid[0].lines.size; i++)
      add_valid(task, valid[0].lines.data[i], valid[1].lines.data[i], config);
    sample_lines_destroy(&valid[0]);
    sample_lines_destroy(&valid[1]);
  }
  if (task->train.pairs.size == 0) {
    fprintf(stderr, "nmt: error: no training pair fits --length=%lld\n",
            (long long)config->source_length);
    return false;
  }
  return true;
}

bool nmt_task_sizes(const NmtOptions *options, NmtConfig *config)
{
  NmtTask task = {0};
  if (options->train[0] != NULL) {
    if (!nmt_task_create(&task, options, config))
      return false;
  } else {
    numeral_vocabularies(&task, options);
    config->source_vocab = (int64_t)nmt_vocabulary_size(task.source);
    config->target_vocab = (int64_t)nmt_vocabulary_size(task.target);
  }
  nmt_task_destroy(&task);
  return true;
}

bool nmt_task_create(NmtTask *task, const NmtOptions *options, NmtConfig *config)
{
  *task = (NmtTask){0};
  if (options->train[0] == NULL) {
    numeral_vocabularies(task, options);
    create_numerals(task, options, config);
  } else if (!create_from_files(task, options, config)) {
    nmt_task_destroy(task);
    return false;
  }
  config->source_vocab = (int64_t)nmt_vocabulary_size(task->source);
  config->target_vocab = (int64_t)nmt_vocabulary_size(task->target);
  return true;
}

void nmt_task_destroy(NmtTask *task)
{
  if (task->source != NULL)
    nmt_vocabulary_destroy(task->source);
  if (task->target != NULL)
    nmt_vocabulary_destroy(task->target);
  nmt_corpus_destroy(&task->train);
  nmt_corpus_destroy(&task->valid);
  echo_buffer_destroy(&task->valid_source);
  echo_buffer_destroy(&task->valid_target);
}
