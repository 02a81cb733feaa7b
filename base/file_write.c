/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Writing files: a temporary beside the target that takes its place when it is whole. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_t.h"
#include "base/memory.h"

static bool write_all(int descriptor, const char *data, size_t size)
{
  while (size != 0) {
    ssize_t n = write(descriptor, data, size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return false;
    data += n;
    size -= (size_t)n;
  }
  return true;
}

/* Creates a new file beside `target`; its path goes to *path. Returns the descriptor, or -1. */
static int create_beside(const char *target, mode_t mode, EchoBuffer *path)
{
  for (unsigned attempt = 0; attempt < 1000; ++attempt) {
    echo_buffer_clear(path);
    echo_buffer_printf(path, "%s.tmp-%ld-%u", target, (long)getpid(), attempt);
    int descriptor = open(path->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor >= 0 || errno != EEXIST)
      return descriptor;
  }
  return -1;
}

/* Makes the rename itself last through a crash. A file system that cannot sync directories is no
 * error. */
static void sync_directory_of(const char *path)
{
  const char *slash = strrchr(path, '/');
  EchoBuffer directory = {0};
  if (slash == NULL)
    echo_buffer_append_char(&directory, '.');
  else
    echo_buffer_append(&directory, path, slash == path ? 1 : (size_t)(slash - path));
  int descriptor = open(directory.data, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    fsync(descriptor);
    close(descriptor);
  }
  echo_buffer_destroy(&directory);
}

/* `old` is the present file's status, or NULL: a file that is replaced keeps its permissions. False
 * with errno set. */
static bool open_temporary(EchoFileWriter *writer, const struct stat *old)
{
  mode_t mode = old != NULL ? old->st_mode & 07777 : 0666;
  writer->descriptor = create_beside(echo_buffer_c_str(&writer->target), mode, &writer->temporary);
  return writer->descriptor >= 0 && (old == NULL || fchmod(writer->descriptor, mode) == 0);
}

/* Finds out how `path` is written, and opens what is written to. False with errno set. */
static bool open_any(EchoFileWriter *writer)
{
  struct stat old;
  if (strcmp(writer->path, "-") == 0) {
    writer->descriptor = STDOUT_FILENO;
    return true;
  }
  if (stat(writer->path, &old) != 0) {
    echo_buffer_append_c(&writer->target, writer->path);
    return open_temporary(writer, NULL);
  }
  if (S_ISDIR(old.st_mode)) {
    errno = EISDIR;
    return false;
  }
  if (!S_ISREG(old.st_mode)) {
    writer->descriptor = open(writer->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return writer->descriptor >= 0;
  }
  /* Through a symbolic link, the file it names is replaced and the link stays. */
  char *target = realpath(writer->path, NULL);
  if (target == NULL)
    return false;
  echo_buffer_append_c(&writer->target, target);
  echo_free(target);
  return open_temporary(writer, &old);
}

bool echo_file_writer_open(EchoFileWriter *writer, const char *path, EchoBuffer *error)
{
  *writer = (EchoFileWriter){.descriptor = -1, .path = path};
  if (open_any(writer))
    return true;
  echo_file_error(error, "write", path, errno);
  echo_file_writer_abort(writer);
  return false;
}

bool echo_file_writer_append(EchoFileWriter *writer, const void *data, size_t size,
                             EchoBuffer *error)
{
  return write_all(writer->descriptor, data, size) ||
         echo_file_error(error, "write", writer->path, errno);
}

/* Closes the descriptor, if it is the writer's own. False with errno set. */
static bool close_own(EchoFileWriter *writer)
{
  int descriptor = writer->descriptor;
  writer->descriptor = -1;
  return descriptor < 0 || descriptor == STDOUT_FILENO || close(descriptor) == 0;
}

bool echo_file_writer_commit(EchoFileWriter *writer, EchoBuffer *error)
{
  bool replaces = writer->temporary.size != 0;
  bool fine = !replaces || fsync(writer->descriptor) == 0;
  int error_number = errno;
  if (!close_own(writer) && fine) {
    error_number = errno;
    fine = false;
  }
  if (fine && replaces && rename(writer->temporary.data, writer->target.data) != 0) {
    error_number = errno;
    fine = false;
  }
  if (!fine)
    echo_file_error(error, "write", writer->path, error_number);
  else if (replaces)
    sync_directory_of(writer->target.data);
  if (fine)
    echo_buffer_clear(&writer->temporary); /* it is the target now */
  echo_file_writer_abort(writer);
  return fine;
}

void echo_file_writer_abort(EchoFileWriter *writer)
{
  close_own(writer);
  if (writer->temporary.size != 0)
    unlink(writer->temporary.data);
  echo_buffer_destroy(&writer->target);
  echo_buffer_destroy(&writer->temporary);
}

bool echo_file_write(const char *path, const void *data, size_t size, EchoBuffer *error)
{
  EchoFileWriter writer;
  if (!echo_file_writer_open(&writer, path, error))
    return false;
  if (echo_file_writer_append(&writer, data, size, error))
    return echo_file_writer_commit(&writer, error);
  echo_file_writer_abort(&writer);
  return false;
}
