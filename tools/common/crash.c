/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/common/crash.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { N_SIGNALS = sizeof SIGNALS / sizeof SIGNALS[0], STACK_BYTES = 1 << 16 };

/* Signals have no user pointer: what the handler needs is the process's. */
static struct {
  const char *tool;
  char path[PATH_MAX];
  bool is_own_path;   /* nobody asked for it: no file of that name is overwritten */
  EchoReplay *replay; /* of the run that is on; NULL between runs */
  EchoBuffer tail;    /* of the reproducer, behind the source */
  volatile sig_atomic_t is_told;
  struct sigaction former[N_SIGNALS];
} crash;

/* ---- putting it together ---- */

void echo_replay_destroy(EchoReplay *replay)
{
  if (crash.replay == replay)
    crash.replay = NULL;
  echo_buffer_destroy(&replay->passes);
}

void echo_crash_begin(EchoReplay *replay, EchoStr pipeline)
{
  const EchoStr opening = ECHO_STR("builtin.module(");
  EchoBuffer whole = {0};
  if (pipeline.size > opening.size + 1) {
    if (replay->passes.size != 0)
      echo_buffer_append_char(&replay->passes, ',');
    echo_buffer_append(&replay->passes, pipeline.data + opening.size,
                       pipeline.size - opening.size - 1);
  }
  echo_buffer_printf(&whole, "%s%s)", opening.data, echo_buffer_c_str(&replay->passes));
  echo_buffer_clear(&crash.tail);
  echo_reproducer_print_pipeline(echo_buffer_str(&whole), true, &crash.tail);
  echo_buffer_destroy(&whole);
  crash.replay = replay;
}

void echo_crash_end(void)
{
  crash.replay = NULL;
}

/* ---- writing it: nothing below allocates ---- */

static bool write_all(int descriptor, EchoStr text)
{
  while (text.size != 0) {
    ssize_t n = write(descriptor, text.data, text.size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return false;
    text = (EchoStr){text.data + n, text.size - (size_t)n};
  }
  return true;
}

static void say(const char *text)
{
  write_all(STDERR_FILENO, echo_str(text));
}

void echo_crash_write_reproducer(void)
{
  bool is_first = !crash.is_told;
  crash.is_told = true;
  if (!is_first || crash.replay == NULL || crash.replay->source.size == 0)
    return;
  int how = O_WRONLY | O_CREAT | O_CLOEXEC | (crash.is_own_path ? O_EXCL : O_TRUNC);
  int file = open(crash.path, how, 0666);
  bool ok = file >= 0 && write_all(file, crash.replay->source) && write_all(file, ECHO_STR("\n")) &&
            write_all(file, echo_buffer_str(&crash.tail));
  ok = file >= 0 && close(file) == 0 && ok;
  say(crash.tool);
  say(ok ? ": what replays this (echo-opt FILE --run-reproducer) is in '"
         : ": cannot write what replays this to '");
  say(crash.path);
  say("'\n");
}

static void handle(int number, siginfo_t *info, void *ucontext)
{
  (void)ucontext;
  for (int i = 0; i < N_SIGNALS; i++)
    if (SIGNALS[i] == number)
      sigaction(number, &crash.former[i], NULL);
  if (!crash.is_told) {
    say(crash.tool);
    say(": crashed by ");
    say(number == SIGSEGV   ? "SIGSEGV"
        : number == SIGBUS  ? "SIGBUS"
        : number == SIGFPE  ? "SIGFPE"
        : number == SIGILL  ? "SIGILL"
        : number == SIGABRT ? "SIGABRT"
                            : "a signal");
    say("\n");
    echo_crash_write_reproducer();
  }
  if (info->si_code <= 0) /* sent, and not raised by the instruction that is now run again */
    raise(number);
}

void echo_crash_install(const char *tool, const char *path)
{
  static char stack[STACK_BYTES];
  const char *folder = getenv("TMPDIR");
  crash.tool = tool;
  crash.is_own_path = path == NULL;
  if (path != NULL)
    snprintf(crash.path, sizeof crash.path, "%s", path);
  else
    snprintf(crash.path, sizeof crash.path, "%s/%s-crash-%ld.mlir",
             folder != NULL && folder[0] != '\0' ? folder : "/tmp", tool, (long)getpid());
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < N_SIGNALS; i++)
    sigaction(SIGNALS[i], &action, &crash.former[i]);
}
