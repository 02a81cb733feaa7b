/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Broken invariants. One handler, installed by the tool, receives every compiler bug; it may print
 * the op, write a reproducer and abort. ECHO_CHECK is in every build and is never used on user
 * input. */
#ifndef ECHO_BASE_PANIC_H
#define ECHO_BASE_PANIC_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ECHO_NORETURN __attribute__((noreturn))
#define ECHO_PRINTF(format_index, first_argument)                                                  \
  __attribute__((format(printf, format_index, first_argument)))
#define ECHO_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define ECHO_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#else
#define ECHO_NORETURN
#define ECHO_PRINTF(format_index, first_argument)
#define ECHO_LIKELY(condition) (condition)
#define ECHO_UNLIKELY(condition) (condition)
#endif

/* Receives the place and the message of a broken invariant. `subject` is what the check was about
 * (an EchoOp * when raised through ECHO_CHECK_OP, else NULL). It should not return; if it does, the
 * process aborts. */
typedef void EchoPanicHandler(void *user, const char *file, int line, const char *message,
                              const void *subject);

/* Installs the process's handler; NULL restores the default (print to stderr, abort). Called once
 * by a tool, before any compile. */
void echo_panic_set_handler(EchoPanicHandler *handler, void *user);

ECHO_NORETURN void echo_panic(const char *file, int line, const void *subject, const char *format,
                              ...) ECHO_PRINTF(4, 5);

/* ECHO_CHECK(condition, "message %d", value): aborts through the handler when `condition` is false.
 */
#define ECHO_CHECK(condition, ...)                                                                 \
  (ECHO_LIKELY(condition) ? (void)0 : echo_panic(__FILE__, __LINE__, NULL, __VA_ARGS__))
/* The same about one op, which the handler prints. */
#define ECHO_CHECK_OP(condition, op, ...)                                                          \
  (ECHO_LIKELY(condition) ? (void)0 : echo_panic(__FILE__, __LINE__, (op), __VA_ARGS__))
#define ECHO_UNREACHABLE(...) echo_panic(__FILE__, __LINE__, NULL, __VA_ARGS__)

#ifdef __cplusplus
}
#endif

#endif
