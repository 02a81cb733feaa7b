/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/file_t.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

/* Below this a copy is cheaper than a mapping's page faults. */
enum { MAP_FROM_BYTES = 256 * 1024 };

bool echo_file_error(EchoBuffer *error, const char *verb, const char *path, int error_number)
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
    return read_descriptor(STDIN_FILENO, file) || echo_file_error(error, "read", path, errno);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return echo_file_error(error, "open", path, errno);
  bool fine = read_descriptor(descriptor, file);
  int error_number = errno;
  close(descriptor);
  return fine || echo_file_error(error, "read", path, error_number);
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

bool echo_file_is_mapping_of(const EchoFile *file, EchoStr text)
{
  uintptr_t offset = (uintptr_t)text.data - (uintptr_t)file->data;
  return file->mapping_bytes != 0 && offset <= file->size && text.size <= file->size - offset;
}

const char *echo_file_forget_range(const char *begin, const char *end)
{
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t first = (uintptr_t)begin / page * page, last = (uintptr_t)end / page * page;
  if (first < last)
    madvise((void *)first, last - first, MADV_DONTNEED);
  return (const char *)last;
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
      fine = echo_file_error(error, "create directory", prefix.data, error_number);
  }
  if (size == 0)
    fine = echo_file_error(error, "create directory", path, ENOENT);
  echo_buffer_destroy(&prefix);
  return fine;
}
