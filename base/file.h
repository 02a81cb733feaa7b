/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whole files in and out. Reading maps; writing is atomic: a temporary beside the target, fsync,
 * rename, so that a reader sees the old or the new file and never a part. Errors come back as text,
 * nothing is printed. */
#ifndef ECHO_BASE_FILE_H
#define ECHO_BASE_FILE_H

#include "base/string.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoFile {
  const char *data; /* never NULL after a successful read; data[size] is readable and NUL */
  size_t size;
  void *mapping; /* private */
  size_t mapping_bytes;
} EchoFile;

/* Reads `path` ("-" = standard input). On failure returns false and appends the reason to *error.
 */
bool echo_file_read(const char *path, EchoFile *file, EchoBuffer *error);
void echo_file_close(EchoFile *file);
/* The memory that a mapped file takes may be used for something else; it is read again when it is
 * looked at. */
void echo_file_forget(const EchoFile *file);
/* Whether `text` lies in the mapping of `file`, so that its pages may be forgotten. A text past the
 * end of the file does not. */
bool echo_file_is_mapping_of(const EchoFile *file, EchoStr text);
/* The same for the pages of a mapped file from that of `begin` to before that of `end`; returns
 * where the first page that was left begins. */
const char *echo_file_forget_range(const char *begin, const char *end);
/* Writes atomically ("-" = standard output, plainly). On failure nothing is left behind. */
bool echo_file_write(const char *path, const void *data, size_t size, EchoBuffer *error);

/* The same in pieces. Between open and commit nothing but a temporary is there to see, except for
 * standard output, pipes and devices, which get each piece as it comes. */
typedef struct EchoFileWriter {
  int descriptor;
  const char *path;             /* as given, borrowed */
  EchoBuffer target, temporary; /* empty when written in place */
} EchoFileWriter;

/* On failure the writer needs no commit and no abort. */
bool echo_file_writer_open(EchoFileWriter *writer, const char *path, EchoBuffer *error);
bool echo_file_writer_append(EchoFileWriter *writer, const void *data, size_t size,
                             EchoBuffer *error);
/* Ends the writer, in failure too: then nothing is left behind. */
bool echo_file_writer_commit(EchoFileWriter *writer, EchoBuffer *error);
/* Ends the writer and leaves the file as it was. */
void echo_file_writer_abort(EchoFileWriter *writer);

/* Creates `path` and its parents as directories when missing. */
bool echo_directory_create(const char *path, EchoBuffer *error);

#ifdef __cplusplus
}
#endif

#endif
