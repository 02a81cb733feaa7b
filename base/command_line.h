/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Command lines: a table of options, "-x" or "--x", "--x=value" or "--x value", positional
 * arguments, and --help and --version for every program. Prints nothing: what there is to say is
 * handed back as text. */
#ifndef ECHO_BASE_COMMAND_LINE_H
#define ECHO_BASE_COMMAND_LINE_H

#include "base/string.h"
#include "base/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef ECHO_VECTOR(const char *) EchoStringList;

typedef enum EchoOptionKind {
  ECHO_OPTION_FLAG,     /* bool *; "--x", "--x=false" */
  ECHO_OPTION_STRING,   /* const char **; needs a value */
  ECHO_OPTION_OPTIONAL, /* const char **; "--x" gives "", "--x=v" gives v */
  ECHO_OPTION_PAIR,     /* const char *[2]; "--x v w" */
  ECHO_OPTION_LIST,     /* EchoStringList *; repeatable, commas separate */
  ECHO_OPTION_REPEATED, /* EchoStringList *; repeatable, taken whole */
  ECHO_OPTION_I64,      /* int64_t * */
  ECHO_OPTION_RANGE,    /* ECHO_RANGE(int64_t *, least, most) */
  ECHO_OPTION_BYTES,    /* EchoByteSize *; echo_str_to_bytes */
  ECHO_OPTION_F64       /* double * */
} EchoOptionKind;

typedef struct EchoOptionRange {
  int64_t *value, least, most;
} EchoOptionRange;

/* As the target of a row: lives as long as the block that the row stands in. */
#define ECHO_RANGE(value, least, most) (&(EchoOptionRange){(value), (least), (most)})

typedef struct EchoByteSize {
  uint64_t bytes;
  bool is_given;
} EchoByteSize;

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
  /* Appends the rest of --help. May be NULL. */
  void (*more_help)(void *user, EchoBuffer *help);
  void *user;
} EchoCommandLine;

typedef enum EchoParseOutcome {
  ECHO_PARSE_OK,
  ECHO_PARSE_EXIT, /* --help or --version: the text answers it, for standard output; exit status 0
                    */
  ECHO_PARSE_ERROR /* the text is the message, for standard error; exit status 1 */
} EchoParseOutcome;

/* Fills the targets; what they point to lives as long as argv, list items as long as the process.
 * Positional arguments ("-" counts as one) are appended to *positional; where that is NULL, one is
 * a mistake. `text` gets whole lines, and stays as it was when the outcome is ECHO_PARSE_OK. */
EchoParseOutcome echo_command_line_parse(const EchoCommandLine *line, int argc, char **argv,
                                         EchoStringList *positional, EchoBuffer *text);

#ifdef __cplusplus
}
#endif

#endif
