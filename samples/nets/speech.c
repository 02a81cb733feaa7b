/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/nets/speech.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "samples/common/random.h"

/* Dual tones of a telephone's keys (ITU-T Q.23), Hz; at 8,000 samples a second. */
static const char KEYS[] = "#*0123456789";
static const double ROWS[] = {941, 941, 941, 697, 697, 697, 770, 770, 770, 852, 852, 852};
static const double COLUMNS[] = {1477, 1209, 1336, 1209, 1336, 1477,
                                 1209, 1336, 1477, 1209, 1336, 1477};
enum { TONE_RATE = 8000 };

/* Hops of a tone, and of the silence behind it. */
enum { TONE_MIN = 8, TONE_MAX = 14, SILENCE_MIN = 3, SILENCE_MAX = 6 };

/* A window is twice the hop from one to the next, so that it has hop + 1 frequencies. */
static int64_t hop_of(const NetConfig *config)
{
  return config->bins - 1;
}

/* ---- spectrograms ---- */

/* A transform of any length by its definition: windows are of 20 ms, no power of two. */
static void make_tables(Speech *speech)
{
  size_t n = 2 * (size_t)hop_of(speech->config);
  speech->window = echo_alloc_array(n, sizeof *speech->window);
  speech->cosines = echo_alloc_array(n, sizeof *speech->cosines);
  speech->sines = echo_alloc_array(n, sizeof *speech->sines);
  for (size_t i = 0; i < n; i++) {
    double angle = 2 * M_PI * (double)i / (double)n;
    speech->window[i] = 0.5 - 0.5 * cos(angle); /* Hann's */
    speech->cosines[i] = (float)cos(angle);
    speech->sines[i] = (float)sin(angle);
  }
}

/* Whole windows in so many samples. */
static int64_t n_frames_of(const NetConfig *config, size_t n_samples)
{
  int64_t hop = hop_of(config), n = (int64_t)n_samples;
  return n < 2 * hop ? 0 : n / hop - 1;
}

static void frame_power(const Speech *speech, const float *samples, float *bins)
{
  size_t n_bins = (size_t)speech->config->bins, n = 2 * (n_bins - 1);
  float *windowed = echo_alloc_array(n, sizeof *windowed);
  for (size_t i = 0; i < n; i++)
    windowed[i] = (float)(speech->window[i] * (double)samples[i]);
  for (size_t k = 0; k < n_bins; k++) {
    float re = 0, im = 0;
    for (size_t i = 0, at = 0; i < n; i++) {
      re += windowed[i] * speech->cosines[at];
      im += windowed[i] * speech->sines[at];
      at += k;
      at = at >= n ? at - n : at;
    }
    bins[k] = logf(re * re + im * im + 1e-6f);
  }
  echo_free(windowed);
}

/* To mean 0 and deviation 1 over the utterance; what stands behind its frames is 0. Returns its
 * frames. */
static int64_t make_spectrogram(const Speech *speech, const float *samples, size_t n_samples,
                                float *data)
{
  const NetConfig *c = speech->config;
  int64_t n_frames = n_frames_of(c, n_samples), n = n_frames * c->bins;
  double sum = 0, squares = 0;
  for (int64_t t = 0; t < n_frames; t++)
    frame_power(speech, samples + t * hop_of(c), data + t * c->bins);
  for (int64_t i = 0; i < n; i++)
    sum += (double)data[i];
  double mean = sum / (double)n;
  for (int64_t i = 0; i < n; i++)
    squares += ((double)data[i] - mean) * ((double)data[i] - mean);
  double scale = 1 / sqrt(squares / (double)n + 1e-6);
  for (int64_t i = 0; i < n; i++)
    data[i] = (float)(((double)data[i] - mean) * scale);
  memset(data + n, 0, (size_t)(c->length * c->bins - n) * sizeof *data);
  return n_frames;
}

/* ---- the alphabet ---- */

static int32_t class_of(const Speech *speech, char character)
{
  const char *at = memchr(speech->alphabet, character, speech->n_characters);
  return at != NULL ? 1 + (int32_t)(at - speech->alphabet) : 0;
}

static void add_character(Speech *speech, char character)
{
  if (class_of(speech, character) != 0)
    return;
  size_t i = speech->n_characters++;
  for (; i > 0 && speech->alphabet[i - 1] > character; i--)
    speech->alphabet[i] = speech->alphabet[i - 1];
  speech->alphabet[i] = character;
}

/* Frames of the network's output that spell the label: one each, and a blank between equal ones. */
static int64_t frames_needed(EchoStr label)
{
  int64_t n = (int64_t)label.size;
  for (size_t i = 1; i < label.size; i++)
    n += label.data[i] == label.data[i - 1];
  return n;
}

/* ---- recordings ---- */

static int compare_names(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool list_files(Speech *speech, const char *directory, EchoBuffer *error)
{
  DIR *dir = opendir(directory);
  if (dir == NULL) {
    echo_buffer_printf(error, "cannot open '%s': %s", directory, strerror(errno));
    return false;
  }
  for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
    size_t size = strlen(entry->d_name);
    if (size > 4 && strcmp(entry->d_name + size - 4, ".wav") == 0) {
      EchoBuffer path = {0};
      echo_buffer_printf(&path, "%s/%s", directory, entry->d_name);
      echo_vector_push(&speech->names, path.data);
    }
  }
  closedir(dir);
  if (speech->names.size < 2) {
    echo_buffer_printf(error, "'%s' has %zu files *.wav, two at least are expected", directory,
                       speech->names.size);
    return false;
  }
  qsort(speech->names.data, speech->names.size, sizeof(char *), compare_names);
  return true;
}

/* "7" of ".../7_theo_2.wav" */
static EchoStr label_of(const char *path)
{
  const char *name = strrchr(path, '/') + 1;
  return (EchoStr){name, strcspn(name, "_.")};
}

static bool check_recording(const Speech *speech, const Recording *recording, const char *path,
                            EchoBuffer *error)
{
  const NetConfig *c = speech->config;
  size_t before = error->size;
  int64_t n_frames = n_frames_of(c, recording->wav.n_samples), n_out = (n_frames + 1) / 2;
  uint32_t rate =
      speech->recordings.size == 0 ? recording->wav.rate : speech->recordings.data[0].wav.rate;
  if (recording->label.size == 0)
    echo_buffer_printf(error, "'%s': no label before '_' in its name", path);
  else if (recording->wav.rate != rate)
    echo_buffer_printf(error, "'%s': %u samples a second, and the first file has %u", path,
                       recording->wav.rate, rate);
  else if (n_frames > c->length)
    echo_buffer_printf(error, "'%s': %lld frames, more than --length=%lld", path,
                       (long long)n_frames, (long long)c->length);
  else if ((int64_t)recording->label.size > c->labels)
    echo_buffer_printf(error, "'%s': %zu characters, more than --labels=%lld", path,
                       recording->label.size, (long long)c->labels);
  else if (frames_needed(recording->label) > n_out)
    echo_buffer_printf(error,
                       "'%s': its %zu characters take %lld frames, and %zu samples give %lld", path,
                       recording->label.size, (long long)frames_needed(recording->label),
                       recording->wav.n_samples, (long long)n_out);
  return error->size == before;
}

static bool read_recordings(Speech *speech, const char *directory, EchoBuffer *error)
{
  if (!list_files(speech, directory, error))
    return false;
  bool ok = true;
  for (size_t i = 0; i < speech->names.size; i++) {
    EchoBuffer wrong = {0};
    Recording recording = {.label = label_of(speech->names.data[i])};
    bool is_read = wav_read(speech->names.data[i], &recording.wav, &wrong) &&
                   check_recording(speech, &recording, speech->names.data[i], &wrong);
    if (is_read) {
      echo_vector_push(&speech->recordings, recording);
      for (size_t k = 0; k < recording.label.size; k++)
        add_character(speech, recording.label.data[k]);
    } else {
      wav_destroy(&recording.wav);
      echo_buffer_printf(error, "%s%s", ok ? "" : "\n", echo_buffer_c_str(&wrong));
      ok = false;
    }
    echo_buffer_destroy(&wrong);
  }
  return ok;
}

bool speech_create(Speech *speech, const NetConfig *config, const char *directory_or_null,
                   uint64_t seed, EchoBuffer *error)
{
  *speech = (Speech){.config = config, .seed = seed};
  if (directory_or_null == NULL) {
    speech->n_characters = strlen(KEYS);
    memcpy(speech->alphabet, KEYS, speech->n_characters);
  } else if (!read_recordings(speech, directory_or_null, error)) {
    return false;
  }
  if ((int64_t)speech->n_characters >= config->classes) {
    echo_buffer_printf(error,
                       "the labels have %zu characters: with the blank, more than --classes=%lld",
                       speech->n_characters, (long long)config->classes);
    return false;
  }
  if (directory_or_null == NULL && config->length < TONE_MAX + SILENCE_MAX) {
    echo_buffer_printf(error, "a dial tone takes up to %d frames, more than --length=%lld",
                       TONE_MAX + SILENCE_MAX, (long long)config->length);
    return false;
  }
  make_tables(speech);
  return true;
}

void speech_destroy(Speech *speech)
{
  for (size_t i = 0; i < speech->recordings.size; i++)
    wav_destroy(&speech->recordings.data[i].wav);
  for (size_t i = 0; i < speech->names.size; i++)
    echo_free(speech->names.data[i]);
  echo_vector_destroy(&speech->recordings);
  echo_vector_destroy(&speech->names);
  echo_free(speech->window);
  echo_free(speech->cosines);
  echo_free(speech->sines);
  *speech = (Speech){0};
}

/* ---- utterances ---- */

typedef struct Utterance {
  float *samples; /* room for the longest */
  size_t n_samples;
  int32_t *labels; /* room for L */
  int64_t n_labels;
  int64_t n_needed; /* frames of the network's output that spell them */
} Utterance;

/* One more; equal ones have a blank between them. */
static void add_label(Utterance *utterance, int32_t label)
{
  int64_t n = utterance->n_labels++;
  utterance->labels[n] = label;
  utterance->n_needed += 1 + (n > 0 && utterance->labels[n - 1] == label);
}

/* One of [low, high]. */
static int64_t draw(uint64_t *state, int64_t low, int64_t high)
{
  *state = sample_hash(*state);
  return low + (int64_t)(*state % (uint64_t)(high - low + 1));
}

static void say_key(const Speech *speech, Utterance *utterance, size_t key, uint64_t *state)
{
  size_t hop = (size_t)hop_of(speech->config);
  size_t n_tone = hop * (size_t)draw(state, TONE_MIN, TONE_MAX);
  double loud = 0.3 + 0.05 * (double)draw(state, 0, 10);
  for (size_t i = 0; i < n_tone; i++) {
    double t = 2 * M_PI * (double)i / (double)TONE_RATE;
    utterance->samples[utterance->n_samples++] +=
        (float)(loud * (sin(ROWS[key] * t) + sin(COLUMNS[key] * t)));
  }
  utterance->n_samples += hop * (size_t)draw(state, SILENCE_MIN, SILENCE_MAX);
  add_label(utterance, 1 + (int32_t)key);
}

/* Keys as many as chance has it, in noise. */
static void say_keys(const Speech *speech, Utterance *utterance, uint64_t state)
{
  const NetConfig *c = speech->config;
  int64_t most = c->length / (TONE_MAX + SILENCE_MAX);
  int64_t n = draw(&state, 1, most < c->labels ? most : c->labels);
  uint64_t noise = sample_hash(state);
  for (size_t i = 0; i < (size_t)((c->length + 1) * hop_of(c)); i++)
    utterance->samples[i] = 0.4f * (sample_uniform(noise, i) - 0.5f);
  utterance->n_samples = (size_t)hop_of(c); /* a window's second half */
  for (int64_t i = 0; i < n; i++)
    say_key(speech, utterance, (size_t)draw(&state, 0, (int64_t)speech->n_characters - 1), &state);
}

/* Behind what was said; false where it does not fit: in samples, labels, or frames that spell them.
 */
static bool say_recording(const Speech *speech, Utterance *utterance, const Recording *recording)
{
  const NetConfig *c = speech->config;
  const Utterance before = *utterance;
  size_t room = (size_t)((c->length + 1) * hop_of(c)), n_samples = recording->wav.n_samples;
  if (utterance->n_samples + n_samples > room ||
      utterance->n_labels + (int64_t)recording->label.size > c->labels)
    return false;
  memcpy(utterance->samples + utterance->n_samples, recording->wav.samples,
         n_samples * sizeof(float));
  utterance->n_samples += n_samples;
  for (size_t k = 0; k < recording->label.size; k++)
    add_label(utterance, class_of(speech, recording->label.data[k]));
  bool is_spelled = 2 * utterance->n_needed <= n_frames_of(c, utterance->n_samples) + 1;
  if (!is_spelled)
    *utterance = before;
  return is_spelled;
}

/* Recordings one after another, as many as fit and up to four. */
static void say_recordings(const Speech *speech, Utterance *utterance, bool is_test, uint64_t state)
{
  int64_t n = (int64_t)speech->recordings.size, n_test = n < 5 ? 1 : n / 5;
  int64_t wanted = draw(&state, 1, 4);
  for (int64_t i = 0; i < wanted; i++) {
    int64_t at = draw(&state, 0, (is_test ? n_test : n - n_test) - 1);
    /* Of five, the last is for tests; of fewer in all, the last of all. */
    int64_t index = n < 5 ? (is_test ? n - 1 : at) : is_test ? 5 * at + 4 : at / 4 * 5 + at % 4;
    const Recording *recording = &speech->recordings.data[index];
    if (!say_recording(speech, utterance, recording))
      return; /* the first always fits */
  }
}

void speech_fill(const Speech *speech, bool is_test, int64_t batch, float *data, int32_t *labels)
{
  const NetConfig *c = speech->config;
  size_t room = (size_t)((c->length + 2) * hop_of(c));
  float *samples = echo_alloc_array(room, sizeof *samples);
  for (int64_t b = 0; b < c->batch; b++) {
    uint64_t state = sample_hash(speech->seed ^ sample_hash((uint64_t)(2 * batch + is_test)));
    int32_t *row = labels + b * (2 + c->labels);
    memset(row, 0, (size_t)(2 + c->labels) * sizeof *row);
    Utterance utterance = {.samples = samples, .labels = row + 2};
    state = sample_hash(state ^ (uint64_t)b);
    if (speech->recordings.size == 0)
      say_keys(speech, &utterance, state);
    else
      say_recordings(speech, &utterance, is_test, state);
    int64_t n_frames =
        make_spectrogram(speech, samples, utterance.n_samples, data + b * c->length * c->bins);
    row[0] = (int32_t)((n_frames + 1) / 2);
    row[1] = (int32_t)utterance.n_labels;
  }
  echo_free(samples);
}

/* ---- what was heard ---- */

typedef ECHO_VECTOR(int32_t) Classes;

/* Equal neighbours are one, blanks none. */
static void decode(const NetConfig *c, const int32_t *classes, int64_t row, int64_t n_frames,
                   Classes *spelled)
{
  int32_t before = 0;
  echo_vector_clear(spelled);
  for (int64_t t = 0; t < n_frames; t++) {
    int32_t class = classes[t * c->batch + row];
    if (class != 0 && class != before)
      echo_vector_push(spelled, class);
    before = class;
  }
}

/* Levenshtein's. */
static int64_t edit_distance(const int32_t *a, size_t n_a, const int32_t *b, size_t n_b)
{
  int64_t *row = echo_alloc_array(n_b + 1, sizeof *row);
  for (size_t k = 0; k <= n_b; k++)
    row[k] = (int64_t)k;
  for (size_t i = 1; i <= n_a; i++) {
    int64_t diagonal = row[0];
    row[0] = (int64_t)i;
    for (size_t k = 1; k <= n_b; k++) {
      int64_t best = diagonal + (a[i - 1] != b[k - 1]);
      diagonal = row[k];
      best = row[k] + 1 < best ? row[k] + 1 : best;
      row[k] = row[k - 1] + 1 < best ? row[k - 1] + 1 : best;
    }
  }
  int64_t distance = row[n_b];
  echo_free(row);
  return distance;
}

void speech_count_errors(const Speech *speech, const int32_t *classes, const int32_t *labels,
                         SpeechErrors *errors)
{
  const NetConfig *c = speech->config;
  Classes spelled = {0};
  for (int64_t b = 0; b < c->batch; b++) {
    const int32_t *row = labels + b * (2 + c->labels);
    decode(c, classes, b, row[0], &spelled);
    errors->n_edits += edit_distance(spelled.data, spelled.size, row + 2, (size_t)row[1]);
    errors->n_characters += row[1];
  }
  echo_vector_destroy(&spelled);
}

static void append_text(const Speech *speech, const int32_t *classes, size_t n, EchoBuffer *text)
{
  for (size_t i = 0; i < n; i++) {
    size_t character = (size_t)classes[i] - 1;
    echo_buffer_append_char(text,
                            character < speech->n_characters ? speech->alphabet[character] : '?');
  }
}

void speech_describe(const Speech *speech, const int32_t *classes, const int32_t *labels,
                     int64_t row, EchoBuffer *said, EchoBuffer *heard)
{
  const int32_t *of_row = labels + row * (2 + speech->config->labels);
  Classes spelled = {0};
  decode(speech->config, classes, row, of_row[0], &spelled);
  append_text(speech, of_row + 2, (size_t)of_row[1], said);
  append_text(speech, spelled.data, spelled.size, heard);
  echo_vector_destroy(&spelled);
}
