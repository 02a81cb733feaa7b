/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* WAV files as numbers. A reader of our own: what is uncompressed in RIFF is a header and two
 * chunks, less than it takes to find a library that may not be there. */
#ifndef ECHO_SAMPLES_NETS_WAV_H
#define ECHO_SAMPLES_NETS_WAV_H

#include "base/string.h"

typedef struct Wav {
  float *samples; /* in [-1, 1], channels averaged */
  size_t n_samples;
  uint32_t rate; /* samples a second */
} Wav;

/* PCM of 8, 16, 24 and 32 bits and floats of 32 and 64, any number of channels. False, with what is
 * wrong with `path` appended to *error, for anything else, for a file that is cut short and for one
 * without a sample. Destroy with wav_destroy. */
bool wav_read(const char *path, Wav *wav, EchoBuffer *error);
void wav_destroy(Wav *wav);

#endif
