/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What DeepSpeech2 hears: dial tones that the program makes, or recordings of a directory, joined
 * to utterances, as spectrograms; and how far what it writes is from what was said. Class 0 is
 * CTC's blank, class 1 + i is character i of the alphabet. */
#ifndef ECHO_SAMPLES_NETS_SPEECH_H
#define ECHO_SAMPLES_NETS_SPEECH_H

#include "base/vector.h"
#include "samples/nets/nets.h"
#include "samples/nets/wav.h"

typedef struct Recording {
  EchoStr label; /* of the file's name, up to its first '_' or '.' */
  Wav wav;
} Recording;

typedef struct Speech {
  const NetConfig *config;
  uint64_t seed;
  char alphabet[256]; /* ascending */
  size_t n_characters;
  ECHO_VECTOR(Recording) recordings; /* by name; none: dial tones */
  ECHO_VECTOR(char *) names;
  double *window; /* and tables of the transform */
  float *cosines, *sines;
} Speech;

/* directory_or_null: of *.wav, "LABEL_anything.wav". False, with all that is wrong appended to
 * *error (a line each), for a file that is no WAV, one of another rate than the first, one whose
 * label its frames cannot spell, and for more characters than the model has classes. */
bool speech_create(Speech *speech, const NetConfig *config, const char *directory_or_null,
                   uint64_t seed, EchoBuffer *error);
void speech_destroy(Speech *speech);

/* Fills NET_ARG_DATA [B, T, F] and NET_ARG_LABELS [B, 2 + L] of a batch. Every fifth recording is
 * heard in tests only; dial tones are new in every batch. Batch i is the same in every run. */
void speech_fill(const Speech *speech, bool is_test, int64_t batch, float *data, int32_t *labels);

/* What the most likely class of each frame [T', B] spells, against the labels: edits that make it
 * right, and how many characters there are. */
typedef struct SpeechErrors {
  int64_t n_edits, n_characters;
} SpeechErrors;
void speech_count_errors(const Speech *speech, const int32_t *classes, const int32_t *labels,
                         SpeechErrors *errors);
/* Row b of both as text, appended. */
void speech_describe(const Speech *speech, const int32_t *classes, const int32_t *labels,
                     int64_t row, EchoBuffer *said, EchoBuffer *heard);

#endif
