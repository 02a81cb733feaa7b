/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/echo-translate/ptxas.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

extern char **environ;

/* ---- running a program ---- */

/* An empty file of our own. */
static bool create_file(char *path, EchoBuffer *error)
{
  int descriptor = mkstemp(path);
  if (descriptor < 0) {
    echo_buffer_printf(error, "no temporary file: %s", strerror(errno));
    return false;
  }
  close(descriptor);
  return true;
}

static bool append_file(const char *path, EchoBuffer *out, EchoBuffer *error)
{
  EchoFile file;
  if (!echo_file_read(path, &file, error))
    return false;
  echo_buffer_append(out, file.data, file.size);
  echo_file_close(&file);
  return true;
}

/* Runs argv[0], found on PATH, with both its outputs going to `log`. */
static bool run(char *const *argv, const char *log, EchoBuffer *error)
{
  posix_spawn_file_actions_t actions;
  pid_t child = 0;
  int status = 0;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_TRUNC, 0);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  int failure = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) {
    echo_buffer_printf(error, "%s is not found on PATH: %s", argv[0], strerror(failure));
    return false;
  }
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return true;
  EchoBuffer text = {0};
  echo_buffer_printf(error, "%s fails", argv[0]);
  if (append_file(log, &text, error))
    echo_buffer_printf(error, ": %s", echo_buffer_c_str(&text));
  echo_buffer_destroy(&text);
  return false;
}

bool echo_ptxas(EchoStr ptx, const char *target, EchoBuffer *cubin, EchoBuffer *report,
                EchoBuffer *error)
{
  char in[] = "/tmp/echo-ptx-XXXXXX", out[] = "/tmp/echo-cubin-XXXXXX";
  char log[] = "/tmp/echo-log-XXXXXX", name[] = "ptxas", verbose[] = "-v", to[] = "-o", arch[32];
  if (!create_file(in, error))
    return false;
  bool has_out = create_file(out, error), has_log = has_out && create_file(log, error);
  snprintf(arch, sizeof arch, "-arch=%s", target);
  char *argv[] = {name, arch, verbose, in, to, out, NULL};
  bool fine = has_log && echo_file_write(in, ptx.data, ptx.size, error) && run(argv, log, error) &&
              append_file(log, report, error) && append_file(out, cubin, error);
  unlink(in);
  if (has_out)
    unlink(out);
  if (has_log)
    unlink(log);
  return fine;
}

bool echo_nvdisasm(EchoStr cubin, EchoBuffer *sass, EchoBuffer *error)
{
  char in[] = "/tmp/echo-cubin-XXXXXX", log[] = "/tmp/echo-sass-XXXXXX", name[] = "nvdisasm";
  if (!create_file(in, error))
    return false;
  bool has_log = create_file(log, error);
  char *argv[] = {name, in, NULL};
  bool fine = has_log && echo_file_write(in, cubin.data, cubin.size, error) &&
              run(argv, log, error) && append_file(log, sass, error);
  unlink(in);
  if (has_log)
    unlink(log);
  return fine;
}

/* ---- what ptxas says ---- */

static const char *find(const char *text, const char *end, const char *word)
{
  size_t size = strlen(word);
  for (; text + size <= end; text++)
    if (memcmp(text, word, size) == 0)
      return text;
  return NULL;
}

/* The number in front of `word`; 0 where it is not said. */
static long number_before(const char *text, const char *end, const char *word)
{
  const char *at = find(text, end, word), *digits = at;
  if (at == NULL)
    return 0;
  while (digits > text && digits[-1] >= '0' && digits[-1] <= '9')
    digits--;
  return strtol(digits, NULL, 10);
}

/* What a multiprocessor holds at once, by the CUDA C++ programming guide's table of compute
 * capabilities; shared memory in KiB, and what of it a block takes beside its own. */
typedef struct Multiprocessor {
  const char *target;
  long warps, blocks, shared, reserved;
} Multiprocessor;
static const Multiprocessor MULTIPROCESSORS[] = {
    {"sm_75", 32, 16, 64, 0},  {"sm_80", 64, 32, 164, 1}, {"sm_86", 48, 16, 100, 1},
    {"sm_87", 48, 16, 164, 1}, {"sm_89", 48, 24, 100, 1}, {"sm_90", 64, 32, 228, 1},
};

static const Multiprocessor *multiprocessor_of(const char *target)
{
  size_t n = sizeof MULTIPROCESSORS / sizeof MULTIPROCESSORS[0], i = 0;
  while (i + 1 < n && strcmp(MULTIPROCESSORS[i].target, target) != 0)
    i++;
  return &MULTIPROCESSORS[i];
}

/* Registers go to warps in units of 256 of 65,536. */
static long occupancy_percent(const Multiprocessor *of, long registers, long shared, long threads)
{
  long warps = (threads + 31) / 32;
  long of_warp = (registers * 32 + 255) / 256 * 256;
  long blocks = of->warps / warps < of->blocks ? of->warps / warps : of->blocks;
  long by_registers = of_warp > 0 ? 65536 / (of_warp * warps) : blocks;
  long of_block = shared + of->reserved * 1024;
  long by_shared = of_block > 0 ? of->shared * 1024 / of_block : blocks;
  blocks = by_registers < blocks ? by_registers : blocks;
  blocks = by_shared < blocks ? by_shared : blocks;
  return 100 * blocks * warps / of->warps;
}

/* The number behind `word` in a kernel's comment; `otherwise` where it is not said. */
static long number_behind(const char *text, const char *end, const char *word, long otherwise)
{
  const char *at = find(text, end, word);
  return at != NULL ? strtol(at + strlen(word), NULL, 10) : otherwise;
}

/* `line` to `line_end` is the kernel's comment, behind the mark. */
static void annotate_kernel(const char *line, const char *line_end, EchoStr report,
                            const Multiprocessor *of, EchoBuffer *out)
{
  const char *name_end = line;
  while (name_end < line_end && *name_end != ' ' && *name_end != '\n')
    name_end++;

  EchoBuffer head = {0};
  echo_buffer_printf(&head, "'%.*s'", (int)(name_end - line), line);
  const char *end = report.data + report.size;
  const char *at = find(report.data, end, echo_buffer_c_str(&head));
  echo_buffer_destroy(&head);
  if (at == NULL)
    return;
  const char *next = find(at, end, "Compiling entry function");
  next = next != NULL ? next : end;
  long registers = number_before(at, next, " registers"),
       shared = number_before(at, next, " bytes smem") +
                number_behind(line, line_end, "dynamic shared memory ", 0);
  long spills = number_before(at, next, " bytes spill stores") +
                number_before(at, next, " bytes spill loads");
  echo_buffer_printf(
      out,
      "//   ptxas: %ld registers, %ld bytes of shared memory, %ld bytes spilled, %ld "
      "%% of a multiprocessor's warps\n",
      registers, shared, spills,
      occupancy_percent(of, registers, shared, number_behind(line, line_end, "block ", 1)));
}

void echo_ptxas_annotate(EchoStr ptx, EchoStr report, const char *target, EchoBuffer *out)
{
  static const char MARK[] = "// kernel ";
  size_t n = sizeof MARK - 1;
  const char *end = ptx.data + ptx.size;
  for (const char *line = ptx.data, *next; line < end; line = next) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    next = stop != NULL ? stop + 1 : end;
    echo_buffer_append(out, line, (size_t)(next - line));
    if ((size_t)(next - line) <= n || memcmp(line, MARK, n) != 0)
      continue;
    annotate_kernel(line + n, next, report, multiprocessor_of(target), out);
  }
}
