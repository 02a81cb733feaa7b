/* Whole files in and out. Reading maps; writing is atomic: a temporary beside the target, fsync,
 * rename, so that a reader sees the old or the new file and never a part. Errors come back as text,
 * nothing is printed. */
#ifndef ECHO_BASE_FILE_H
#define ECHO_BASE_FILE_H

#include "base/string.h"

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
/* Writes atomically ("-" = standard output, plainly). On failure nothing is left behind. */
bool echo_file_write(const char *path, const void *data, size_t size, EchoBuffer *error);
/* Creates `path` and its parents as directories when missing. */
bool echo_directory_create(const char *path, EchoBuffer *error);

#endif
