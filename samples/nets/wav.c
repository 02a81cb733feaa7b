/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/nets/wav.h"

#include <math.h>

#include "base/file.h"
#include "base/memory.h"

/* Microsoft, "Multiple Channel Audio Data and WAVE Files". */
enum { TAG_PCM = 1, TAG_FLOAT = 3, TAG_EXTENSIBLE = 0xfffe };

typedef struct Format {
  uint32_t tag, n_channels, rate, bits;
} Format;

static uint32_t little(const uint8_t *bytes, size_t n)
{
  uint32_t value = 0;
  for (size_t i = n; i-- > 0;)
    value = value << 8 | bytes[i];
  return value;
}

static bool complain(EchoBuffer *error, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool complain(EchoBuffer *error, const char *path, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  echo_buffer_printf(error, "'%s': ", path);
  echo_buffer_vprintf(error, format, arguments);
  va_end(arguments);
  return false;
}

/* The chunk of that name as *size bytes; NULL after a message. A size is even in the file. */
static const uint8_t *find_chunk(const EchoFile *file, const char *name, uint32_t *size,
                                 const char *path, EchoBuffer *error)
{
  const uint8_t *bytes = (const uint8_t *)file->data;
  size_t at = 12;
  while (file->size - at >= 8) {
    size_t left = file->size - at - 8;
    *size = little(bytes + at + 4, 4);
    bool is_wanted = memcmp(bytes + at, name, 4) == 0;
    if (*size > left) {
      char shown[5] = {0}; /* any bytes may stand there */
      for (size_t i = 0; i < 4; i++)
        shown[i] = bytes[at + i] >= ' ' && bytes[at + i] < 127 ? (char)bytes[at + i] : '?';
      complain(error, path, "cut short: chunk '%s' says %u bytes, and %zu are there", shown, *size,
               left);
      return NULL;
    }
    if (is_wanted)
      return bytes + at + 8;
    size_t step = 8 + (size_t)*size + (*size & 1);
    at = step > file->size - at ? file->size : at + step;
  }
  complain(error, path, "a WAV file without a chunk '%s'", name);
  return NULL;
}

static bool read_format(const EchoFile *file, Format *format, const char *path, EchoBuffer *error)
{
  uint32_t size;
  const uint8_t *chunk = find_chunk(file, "fmt ", &size, path, error);
  if (chunk == NULL)
    return false;
  if (size < 16)
    return complain(error, path, "a format of %u bytes, 16 at least are expected", size);
  *format =
      (Format){little(chunk, 2), little(chunk + 2, 2), little(chunk + 4, 4), little(chunk + 14, 2)};
  if (format->tag == TAG_EXTENSIBLE && size >= 26)
    format->tag = little(chunk + 24, 2);
  bool is_pcm =
      format->tag == TAG_PCM && format->bits % 8 == 0 && format->bits >= 8 && format->bits <= 32;
  bool is_float = format->tag == TAG_FLOAT && (format->bits == 32 || format->bits == 64);
  if (!is_pcm && !is_float)
    return complain(error, path,
                    "format %u with %u bits: PCM of 8, 16, 24 or 32 bits (1) and floats of 32 or 64"
                    " (3) are read",
                    format->tag, format->bits);
  if (format->n_channels == 0 || format->rate == 0)
    return complain(error, path, "%u channels at %u samples a second", format->n_channels,
                    format->rate);
  return true;
}

/* One number of one channel; PCM of 8 bits has no sign, of more it has. */
static double sample_value(const Format *format, const uint8_t *bytes)
{
  if (format->tag == TAG_FLOAT) {
    double wide;
    float narrow;
    memcpy(&narrow, bytes, sizeof narrow);
    if (format->bits == 32)
      return (double)narrow;
    memcpy(&wide, bytes, sizeof wide);
    return wide;
  }
  if (format->bits == 8)
    return ((double)bytes[0] - 128) / 128;
  uint32_t high = little(bytes, format->bits / 8) << (32 - format->bits);
  return (double)(int32_t)high * 0x1p-31;
}

static bool read_samples(const EchoFile *file, const Format *format, Wav *wav, const char *path,
                         EchoBuffer *error)
{
  uint32_t size;
  const uint8_t *chunk = find_chunk(file, "data", &size, path, error);
  if (chunk == NULL)
    return false;
  const size_t bytes = format->bits / 8, place = bytes * format->n_channels;
  if (size % place != 0)
    return complain(error, path, "%u bytes are no whole number of samples of %zu", size, place);
  wav->n_samples = size / place;
  wav->rate = format->rate;
  if (wav->n_samples == 0)
    return complain(error, path, "no sample in it");
  wav->samples = echo_alloc_array(wav->n_samples, sizeof *wav->samples);
  for (size_t i = 0; i < wav->n_samples; i++) {
    double sum = 0;
    for (size_t k = 0; k < format->n_channels; k++)
      sum += sample_value(format, chunk + i * place + k * bytes);
    wav->samples[i] = (float)(sum / format->n_channels);
    if (!isfinite(wav->samples[i]))
      return complain(error, path, "sample %zu is no number", i);
  }
  return true;
}

bool wav_read(const char *path, Wav *wav, EchoBuffer *error)
{
  *wav = (Wav){0};
  EchoFile file;
  Format format = {0};
  if (!echo_file_read(path, &file, error))
    return false;
  bool is_wav =
      file.size >= 12 && memcmp(file.data, "RIFF", 4) == 0 && memcmp(file.data + 8, "WAVE", 4) == 0;
  bool ok = is_wav ? read_format(&file, &format, path, error) &&
                         read_samples(&file, &format, wav, path, error)
                   : complain(error, path, "no WAV file: it does not begin with RIFF and WAVE");
  echo_file_close(&file);
  if (!ok)
    wav_destroy(wav);
  return ok;
}

void wav_destroy(Wav *wav)
{
  echo_free(wav->samples);
  *wav = (Wav){0};
}
