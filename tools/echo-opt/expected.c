/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/echo-opt/expected.h"

#include <regex.h>
#include <stdlib.h>

#include "base/vector.h"

#define ANY_LINE 0 /* @unknown */

typedef struct Expectation {
  EchoSeverity severity;
  uint32_t line;
  EchoStr source;                /* the line that the expectation itself stands on */
  uint32_t own_line, own_column; /* its place in the file */
  EchoStr text;
  regex_t pattern; /* when is_regex */
  bool is_regex, seen;
} Expectation;

struct EchoExpectations {
  ECHO_VECTOR(Expectation) list;
  EchoBuffer unexpected;
};

static const char *const severity_names[] = {"error", "warning", "remark", "note"};

static const char *find(const char *begin, const char *end, const char *needle)
{
  size_t size = strlen(needle);
  return size <= (size_t)(end - begin) ? memmem(begin, (size_t)(end - begin), needle, size) : NULL;
}

/* "a.b {{[0-9]+}} c" as one extended regular expression: the plain parts escaped. */
static void build_pattern(EchoStr text, EchoBuffer *pattern)
{
  const char *at = text.data, *end = text.data + text.size;
  while (at < end) {
    if (end - at >= 2 && at[0] == '{' && at[1] == '{') {
      const char *close = find(at, end, "}}");
      close = close != NULL ? close : end;
      echo_buffer_append(pattern, "(", 1);
      echo_buffer_append(pattern, at + 2, (size_t)(close - at - 2));
      echo_buffer_append(pattern, ")", 1);
      at = close < end ? close + 2 : end;
      continue;
    }
    if (strchr("\\^$.|?*+()[]{}", *at) != NULL)
      echo_buffer_append_char(pattern, '\\');
    echo_buffer_append_char(pattern, *at++);
  }
}

static bool parse_severity(const char **at, const char *end, EchoSeverity *severity)
{
  for (size_t i = 0; i < sizeof severity_names / sizeof severity_names[0]; i++) {
    size_t size = strlen(severity_names[i]);
    if ((size_t)(end - *at) >= size && memcmp(*at, severity_names[i], size) == 0) {
      *severity = (EchoSeverity)i;
      *at += size;
      return true;
    }
  }
  return false;
}

/* "@+1", "@above" … after the severity; `line` is where the comment stands. */
static uint32_t parse_position(const char **at, const char *end, uint32_t line,
                               uint32_t last_code_line, uint32_t next_code_line)
{
  while (*at < end && **at == ' ')
    ++*at;
  if (*at >= end || **at != '@')
    return line;
  const char *p = ++*at;
  size_t size = 0;
  while (p + size < end && p[size] != ' ' && p[size] != '{')
    size++;
  *at += size;
  EchoStr word = {p, size};
  if (echo_str_is(word, "above"))
    return last_code_line;
  if (echo_str_is(word, "below"))
    return next_code_line;
  if (echo_str_is(word, "unknown"))
    return ANY_LINE;
  long number = strtol(p + (*p == '+'), NULL, 10);
  bool is_relative = *p == '+' || *p == '-';
  return (uint32_t)(is_relative ? (long)line + number : number);
}

/* The text between "{{" and its matching "}}" on this line. */
static bool parse_text(const char *at, const char *end, EchoStr *text, const char **after)
{
  const char *open = find(at, end, "{{");
  if (open == NULL)
    return false;
  open += 2;
  unsigned depth = 1;
  for (const char *p = open; p + 1 < end; p++) {
    if (p[0] == '{' && p[1] == '{') {
      depth++;
      p++;
    } else if (p[0] == '}' && p[1] == '}') {
      if (--depth == 0) {
        while (p + 2 < end && p[2] == '}') /* "}}}" closes with its last two */
          p++;
        *text = (EchoStr){open, (size_t)(p - open)};
        *after = p + 2;
        return true;
      }
      p++;
    }
  }
  return false;
}

static bool is_designator_line(const char *begin, const char *end)
{
  while (begin < end && (*begin == ' ' || *begin == '\t'))
    begin++;
  return end - begin >= 2 && begin[0] == '/' && begin[1] == '/' &&
         find(begin, end, "expected-") != NULL;
}

typedef struct Lines {
  const char *begin, *end; /* of the text */
  uint32_t first;
} Lines;

static uint32_t next_code_line(const Lines *lines, const char *at, uint32_t line)
{
  while (at < lines->end) {
    const char *stop = memchr(at, '\n', (size_t)(lines->end - at));
    stop = stop != NULL ? stop : lines->end;
    if (!is_designator_line(at, stop))
      return line;
    at = stop + 1;
    line++;
  }
  return line;
}

static void read_line(EchoExpectations *expectations, const Lines *lines, const char *at,
                      const char *end, uint32_t line, uint32_t last_code, EchoBuffer *mistakes)
{
  for (const char *p = at; (p = find(p, end, "expected-")) != NULL;) {
    p += strlen("expected-");
    Expectation expectation = {
        .source = {at, (size_t)(end - at)},
        .own_line = line,
        .own_column = (uint32_t)(p - strlen("expected-") - at) + 1,
    };
    if (!parse_severity(&p, end, &expectation.severity))
      continue;
    if (end - p >= 3 && memcmp(p, "-re", 3) == 0) {
      expectation.is_regex = true;
      p += 3;
    }
    uint32_t next_line = next_code_line(lines, end < lines->end ? end + 1 : end, line + 1);
    expectation.line = parse_position(&p, end, line, last_code, next_line);
    if (!parse_text(p, end, &expectation.text, &p)) {
      echo_buffer_printf(mistakes, "line %u: expected-%s without {{text}}\n", line,
                         severity_names[expectation.severity]);
      return;
    }
    if (expectation.is_regex) {
      EchoBuffer pattern = {0};
      build_pattern(expectation.text, &pattern);
      if (regcomp(&expectation.pattern, echo_buffer_c_str(&pattern), REG_EXTENDED | REG_NOSUB) !=
          0) {
        echo_buffer_printf(mistakes, "line %u: bad regular expression\n", line);
        echo_buffer_destroy(&pattern);
        return;
      }
      echo_buffer_destroy(&pattern);
    }
    echo_vector_push(&expectations->list, expectation);
  }
}

EchoExpectations *echo_expectations_create(EchoStr text, uint32_t first_line, EchoBuffer *mistakes)
{
  EchoExpectations *expectations = echo_alloc_zero(1, sizeof *expectations);
  Lines lines = {text.data, text.data + text.size, first_line};
  uint32_t line = first_line, last_code = first_line;
  for (const char *at = lines.begin; at < lines.end; line++) {
    const char *stop = memchr(at, '\n', (size_t)(lines.end - at));
    stop = stop != NULL ? stop : lines.end;
    read_line(expectations, &lines, at, stop, line, last_code, mistakes);
    if (!is_designator_line(at, stop))
      last_code = line;
    at = stop + 1;
  }
  return expectations;
}

void echo_expectations_destroy(EchoExpectations *expectations)
{
  for (size_t i = 0; i < expectations->list.size; i++)
    if (expectations->list.data[i].is_regex)
      regfree(&expectations->list.data[i].pattern);
  echo_vector_destroy(&expectations->list);
  echo_buffer_destroy(&expectations->unexpected);
  echo_free(expectations);
}

static bool matches(const Expectation *expectation, const EchoDiagnostic *diagnostic, uint32_t line)
{
  if (expectation->seen || expectation->severity != diagnostic->severity ||
      (expectation->line != ANY_LINE && expectation->line != line))
    return false;
  if (expectation->is_regex)
    return regexec(&expectation->pattern, diagnostic->message, 0, NULL, 0) == 0;
  const char *message = diagnostic->message;
  return memmem(message, strlen(message), expectation->text.data, expectation->text.size) != NULL;
}

static void receive_one(EchoExpectations *expectations, EchoContext *ctx,
                        const EchoDiagnostic *diagnostic)
{
  EchoStr file;
  uint32_t line = 0, column = 0;
  if (!echo_loc_resolve(ctx, diagnostic->loc, &file, &line, &column))
    line = ANY_LINE;
  for (size_t i = 0; i < expectations->list.size; i++)
    if (matches(&expectations->list.data[i], diagnostic, line)) {
      expectations->list.data[i].seen = true;
      return;
    }
  /* As in MLIR, notes and remarks that nobody expected are wrong too. */
  EchoBuffer message = {0};
  echo_buffer_printf(&message, "unexpected %s: %s", severity_names[diagnostic->severity],
                     diagnostic->message);
  EchoDiagnostic alone = {
      .severity = ECHO_ERROR, .loc = diagnostic->loc, .message = echo_buffer_c_str(&message)};
  echo_diagnostic_format(ctx, &alone, &expectations->unexpected);
  echo_buffer_destroy(&message);
}

void echo_expectations_receive(void *user, EchoContext *ctx, const EchoDiagnostic *diagnostic)
{
  for (const EchoDiagnostic *d = diagnostic; d != NULL; d = d->next_note)
    receive_one(user, ctx, d);
}

bool echo_expectations_check(EchoExpectations *expectations, const char *file, EchoBuffer *report)
{
  bool ok = expectations->unexpected.size == 0;
  echo_buffer_append_str(report, echo_buffer_str(&expectations->unexpected));
  for (size_t i = 0; i < expectations->list.size; i++) {
    const Expectation *expectation = &expectations->list.data[i];
    if (expectation->seen)
      continue;
    ok = false;
    echo_buffer_printf(report, "%s:%u:%u: error: expected %s \"%.*s\" was not produced\n%.*s\n%*s^",
                       file, expectation->own_line, expectation->own_column,
                       severity_names[expectation->severity], ECHO_STR_ARG(expectation->text),
                       ECHO_STR_ARG(expectation->source), (int)expectation->own_column - 1, "");
    for (size_t k = 0; k < expectation->text.size; k++)
      echo_buffer_append_char(report, '~');
    echo_buffer_append_char(report, '\n');
  }
  return ok;
}
