/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Command lines of the tools: a table of options, "-x" or "--x", "--x=value" or "--x value",
 * positional arguments, and
 * --help and --version for all of them. */
#ifndef ECHO_TOOLS_COMMON_OPTIONS_H
#define ECHO_TOOLS_COMMON_OPTIONS_H

#include "base/string.h"
#include "base/vector.h"

typedef ECHO_VECTOR(const char *) EchoStringList;

typedef enum EchoOptionKind {
  ECHO_OPTION_FLAG,     /* bool *; "--x", "--x=false" */
  ECHO_OPTION_STRING,   /* const char **; needs a value */
  ECHO_OPTION_OPTIONAL, /* const char **; "--x" gives "", "--x=v" gives v */
  ECHO_OPTION_LIST,     /* EchoStringList *; repeatable, commas separate */
  ECHO_OPTION_REPEATED, /* EchoStringList *; repeatable, taken whole */
  ECHO_OPTION_I64,      /* int64_t * */
  ECHO_OPTION_F64       /* double * */
} EchoOptionKind;

typedef struct EchoOption {
  const char *name; /* without dashes */
  EchoOptionKind kind;
  void *target;
  const char *value_name; /* for --help; NULL for flags */
  const char *summary;
} EchoOption;

typedef struct EchoCommandLine {
  const char *tool;
  const char *synopsis; /* after the tool's name */
  const char *summary;
  const EchoOption *options; /* ends with NULL name */
  /* Asked about an option that the table lacks: name without dashes and value (NULL = none). True =
   * taken. May be NULL. */
  bool (*other)(void *user, const char *name, const char *value);
  /* Prints the rest of --help. May be NULL. */
  void (*more_help)(void *user);
  void *user;
} EchoCommandLine;

typedef enum EchoParseOutcome {
  ECHO_PARSE_OK,
  ECHO_PARSE_EXIT, /* --help or --version was answered: exit status 0 */
  ECHO_PARSE_ERROR /* a message was printed: exit status 1 */
} EchoParseOutcome;

/* Positional arguments ("-" counts as one) are appended to *positional. Prints to stdout (help) and
 * stderr (mistakes). */
EchoParseOutcome echo_command_line_parse(const EchoCommandLine *line, int argc, char **argv,
                                         EchoStringList *positional);

/* "1024", "64KiB", "2.5GB" … into bytes; false on garbage or overflow. */
bool echo_parse_bytes(EchoStr text, uint64_t *bytes);
/* 1536 -> "1.5 KiB". */
void echo_format_bytes(uint64_t bytes, EchoBuffer *out);

#endif
