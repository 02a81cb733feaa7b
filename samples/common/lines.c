/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/common/lines.h"

#include <errno.h>
#include <zlib.h>

bool sample_lines_read(const char *path, SampleLines *text, EchoBuffer *error)
{
  *text = (SampleLines){0};
  gzFile file = gzopen(path, "rb"); /* reads plain files as they are */
  if (file == NULL) {
    echo_buffer_printf(error, "cannot open '%s': %s", path, strerror(errno));
    return false;
  }
  static const size_t piece = 1 << 16;
  int n;
  do {
    echo_buffer_reserve(&text->bytes, piece);
    n = gzread(file, text->bytes.data + text->bytes.size, (unsigned)piece);
    if (n > 0)
      text->bytes.size += (size_t)n;
  } while (n > 0);
  int code = Z_OK;
  const char *message = gzerror(file, &code);
  bool ok = n == 0 && (code == Z_OK || code == Z_STREAM_END);
  if (!ok)
    echo_buffer_printf(error, "cannot read '%s': %s", path, message);
  gzclose(file);
  const char *at = text->bytes.data, *end = at + text->bytes.size;
  while (ok && at < end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    stop = stop != NULL ? stop : end;
    echo_vector_push(&text->lines, (EchoStr){at, (size_t)(stop - at)});
    at = stop + 1;
  }
  if (!ok)
    sample_lines_destroy(text);
  return ok;
}

void sample_lines_destroy(SampleLines *text)
{
  echo_buffer_destroy(&text->bytes);
  echo_vector_destroy(&text->lines);
}
