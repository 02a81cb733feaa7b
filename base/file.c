#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

/* Below this a copy is cheaper than a mapping's page faults. */
enum { MAP_FROM_BYTES = 256 * 1024 };

/* Appends "cannot VERB 'PATH': reason" and returns false. `path` is as the user gave it. */
static bool fail(EchoBuffer *error, const char *verb, const char *path, int error_number)
{
  char text[128];
  const char *reason = strerror_r(error_number, text, sizeof text);
  if (strcmp(path, "-") == 0)
    echo_buffer_printf(error, "cannot %s standard %s: %s", verb,
                       strcmp(verb, "read") == 0 ? "input" : "output", reason);
  else
    echo_buffer_printf(error, "cannot %s '%s': %s", verb, path, reason);
  return false;
}

/* For pipes, terminals and small files: whatever comes until the end. `hint` is the expected size.
 */
static bool read_stream(int descriptor, size_t hint, EchoFile *file)
{
  EchoBuffer content = {0};
  echo_buffer_reserve(&content, hint + 1); /* one more, so that the end is seen without growing */
  for (;;) {
    if (content.capacity - content.size < 2)
      echo_buffer_reserve(&content, content.size);
    ssize_t n = read(descriptor, content.data + content.size, content.capacity - content.size - 1);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      int error_number = errno;
      echo_buffer_destroy(&content);
      errno = error_number;
      return false;
    }
    if (n == 0)
      break;
    content.size += (size_t)n;
  }
  content.data[content.size] = '\0';
  *file = (EchoFile){.data = content.data, .size = content.size, .mapping = content.data};
  return true;
}

/* Maps the file over zero pages that reach at least one byte past its end: that byte is the NUL. */
static bool map_file(int descriptor, size_t size, EchoFile *file)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t mapping_bytes = (size_t)echo_align_up(size + 1, page);
  void *mapping =
      mmap(NULL, mapping_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    return false;
  if (mmap(mapping, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor, 0) == MAP_FAILED) {
    int error_number = errno;
    munmap(mapping, mapping_bytes);
    errno = error_number;
    return false;
  }
  *file = (EchoFile){mapping, size, mapping, mapping_bytes};
  return true;
}

static bool read_descriptor(int descriptor, EchoFile *file)
{
  struct stat status;
  if (fstat(descriptor, &status) != 0)
    return false;
  size_t size = S_ISREG(status.st_mode) ? (size_t)status.st_size : 0;
  if (size >= MAP_FROM_BYTES && map_file(descriptor, size, file))
    return true;
  return read_stream(descriptor, size, file);
}

bool echo_file_read(const char *path, EchoFile *file, EchoBuffer *error)
{
  if (strcmp(path, "-") == 0)
    return read_descriptor(STDIN_FILENO, file) || fail(error, "read", path, errno);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return fail(error, "open", path, errno);
  bool fine = read_descriptor(descriptor, file);
  int error_number = errno;
  close(descriptor);
  return fine || fail(error, "read", path, error_number);
}

void echo_file_close(EchoFile *file)
{
  if (file->mapping_bytes != 0)
    munmap(file->mapping, file->mapping_bytes);
  else
    echo_free(file->mapping);
  *file = (EchoFile){0};
}

void echo_file_forget(const EchoFile *file)
{
  if (file->mapping_bytes != 0)
    madvise(file->mapping, file->mapping_bytes, MADV_DONTNEED);
}

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

/* Terminals, pipes and devices cannot be replaced, only written to. */
static bool write_in_place(const char *path, const void *data, size_t size, EchoBuffer *error)
{
  int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0)
    return fail(error, "open", path, errno);
  bool fine = write_all(descriptor, data, size);
  int error_number = errno;
  if (close(descriptor) != 0 && fine) {
    error_number = errno;
    fine = false;
  }
  return fine || fail(error, "write", path, error_number);
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
static bool replace_file(const char *target, const struct stat *old, const void *data, size_t size)
{
  EchoBuffer temporary = {0};
  mode_t mode = old != NULL ? old->st_mode & 07777 : 0666;
  int descriptor = create_beside(target, mode, &temporary);
  int error_number = errno;
  bool fine = descriptor >= 0;
  if (fine) {
    fine = (old == NULL || fchmod(descriptor, mode) == 0) && write_all(descriptor, data, size) &&
           fsync(descriptor) == 0;
    error_number = errno;
    if (close(descriptor) != 0 && fine) {
      error_number = errno;
      fine = false;
    }
    if (fine && rename(temporary.data, target) != 0) {
      error_number = errno;
      fine = false;
    }
    if (fine)
      sync_directory_of(target);
    else
      unlink(temporary.data);
  }
  echo_buffer_destroy(&temporary);
  errno = error_number;
  return fine;
}

bool echo_file_write(const char *path, const void *data, size_t size, EchoBuffer *error)
{
  if (strcmp(path, "-") == 0)
    return write_all(STDOUT_FILENO, data, size) || fail(error, "write", path, errno);
  struct stat old;
  if (stat(path, &old) != 0)
    return replace_file(path, NULL, data, size) || fail(error, "write", path, errno);
  if (S_ISDIR(old.st_mode))
    return fail(error, "write", path, EISDIR);
  if (!S_ISREG(old.st_mode))
    return write_in_place(path, data, size, error);
  /* Through a symbolic link, the file it names is replaced and the link stays. */
  char *target = realpath(path, NULL);
  bool fine = target != NULL && replace_file(target, &old, data, size);
  int error_number = errno;
  echo_free(target);
  return fine || fail(error, "write", path, error_number);
}

static bool is_directory(const char *path)
{
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool echo_directory_create(const char *path, EchoBuffer *error)
{
  if (is_directory(path))
    return true;
  EchoBuffer prefix = {0};
  size_t size = strlen(path);
  bool fine = true;
  for (size_t i = 1; i <= size && fine; ++i) {
    if (i < size && path[i] != '/')
      continue;
    echo_buffer_clear(&prefix);
    echo_buffer_append(&prefix, path, i);
    int error_number = mkdir(prefix.data, 0777) != 0 ? errno : 0;
    if (error_number != 0 && !is_directory(prefix.data))
      fine = fail(error, "create directory", prefix.data, error_number);
  }
  if (size == 0)
    fine = fail(error, "create directory", path, ENOENT);
  echo_buffer_destroy(&prefix);
  return fine;
}
