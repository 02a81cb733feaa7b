/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/command_line.h"

#include <inttypes.h>

#include "base/memory.h"
#include "base/version.h"

/* What stands left to be read, and what there is to say. */
typedef struct Parser {
  const EchoCommandLine *line;
  int argc, next;
  char **argv;
  EchoBuffer *text;
} Parser;

/* ---- values ---- */

static bool set_flag(bool *target, const char *value)
{
  *target = value == NULL || strcmp(value, "true") == 0 || strcmp(value, "1") == 0;
  return *target || strcmp(value, "false") == 0 || strcmp(value, "0") == 0;
}

static void push_items(EchoStringList *list, const char *value)
{
  for (const char *begin = value; *begin != '\0';) {
    size_t size = strcspn(begin, ",");
    char *item = echo_alloc(size + 1); /* lives as long as the process */
    memcpy(item, begin, size);
    item[size] = '\0';
    echo_vector_push(list, item);
    begin += size + (begin[size] == ',');
  }
}

static bool set_range(const EchoOptionRange *range, EchoStr value)
{
  int64_t number;
  if (!echo_str_to_i64(value, &number) || number < range->least || number > range->most)
    return false;
  *range->value = number;
  return true;
}

static bool set_bytes(EchoByteSize *target, EchoStr value)
{
  target->is_given = true;
  return echo_str_to_bytes(value, &target->bytes);
}

static bool set_value(const EchoOption *option, const char *value, const char *second)
{
  switch (option->kind) {
  case ECHO_OPTION_FLAG:
    return set_flag(option->target, value);
  case ECHO_OPTION_STRING:
    *(const char **)option->target = value;
    return true;
  case ECHO_OPTION_OPTIONAL:
    *(const char **)option->target = value != NULL ? value : "";
    return true;
  case ECHO_OPTION_PAIR:
    ((const char **)option->target)[0] = value;
    ((const char **)option->target)[1] = second;
    return true;
  case ECHO_OPTION_REPEATED:
    echo_vector_push((EchoStringList *)option->target, value);
    return true;
  case ECHO_OPTION_LIST:
    push_items(option->target, value);
    return true;
  case ECHO_OPTION_I64:
    return echo_str_to_i64(echo_str(value), option->target);
  case ECHO_OPTION_RANGE:
    return set_range(option->target, echo_str(value));
  case ECHO_OPTION_BYTES:
    return set_bytes(option->target, echo_str(value));
  case ECHO_OPTION_F64:
    return echo_str_to_f64(echo_str(value), option->target);
  }
  ECHO_UNREACHABLE("--%s: option kind %d", option->name, (int)option->kind);
}

static bool takes_value(EchoOptionKind kind)
{
  return kind != ECHO_OPTION_FLAG && kind != ECHO_OPTION_OPTIONAL;
}

/* What a value that was refused should have been. */
static void append_expected(const EchoOption *option, EchoBuffer *out)
{
  const EchoOptionRange *range = option->target;
  if (option->kind == ECHO_OPTION_FLAG)
    echo_buffer_append_c(out, "true or false");
  else if (option->kind == ECHO_OPTION_BYTES)
    echo_buffer_append_c(out, "a number of bytes, such as 4096, 64KiB or 1.5GB");
  else if (option->kind == ECHO_OPTION_RANGE && range->most == INT64_MAX)
    echo_buffer_printf(out, "a whole number from %" PRId64, range->least);
  else if (option->kind == ECHO_OPTION_RANGE)
    echo_buffer_printf(out, "a whole number from %" PRId64 " to %" PRId64, range->least,
                       range->most);
  else
    echo_buffer_append_c(out, option->kind == ECHO_OPTION_I64 ? "a whole number" : "a number");
}

/* ---- --help ---- */

/* "  --name=VALUE"; its size. */
static size_t append_left(const EchoOption *option, EchoBuffer *out)
{
  size_t before = out->size;
  bool is_short = option->name[1] == '\0';
  const char *format = option->kind == ECHO_OPTION_OPTIONAL ? "[=%s]"
                       : option->kind == ECHO_OPTION_PAIR   ? " %s"
                                                            : "=%s";
  echo_buffer_printf(out, "  %s%s", is_short ? "-" : "--", option->name);
  if (option->value_name != NULL)
    echo_buffer_printf(out, format, option->value_name);
  return out->size - before;
}

static void append_help(const EchoCommandLine *line, EchoBuffer *out)
{
  enum { WIDTH = 38 };
  echo_buffer_printf(out, "%s: %s\n\nusage: %s %s\n\noptions:\n", line->tool, line->summary,
                     line->tool, line->synopsis);
  for (const EchoOption *option = line->options; option->name != NULL; option++) {
    size_t size = append_left(option, out);
    if (size >= WIDTH)
      echo_buffer_append_char(out, '\n');
    echo_buffer_printf(out, "%*s %s\n", size < WIDTH ? WIDTH - (int)size : WIDTH, "",
                       option->summary);
  }
  echo_buffer_printf(out, "%-*s %s\n%-*s %s\n", WIDTH, "  --help", "this text", WIDTH,
                     "  --version", "the version");
  if (line->more_help != NULL)
    line->more_help(line->user, out);
}

/* ---- the line ---- */

static EchoParseOutcome mistake(Parser *parser, const char *argument, const char *message)
{
  const char *tool = parser->line->tool;
  echo_buffer_printf(parser->text, "%s: error: '%s': %s (see %s --help)\n", tool, argument, message,
                     tool);
  return ECHO_PARSE_ERROR;
}

static const EchoOption *find_option_or_null(const EchoCommandLine *line, EchoStr name)
{
  for (const EchoOption *option = line->options; option->name != NULL; option++)
    if (echo_str_is(name, option->name))
      return option;
  return NULL;
}

static bool take_other(const EchoCommandLine *line, EchoStr name, const char *value)
{
  if (line->other == NULL)
    return false;
  EchoBuffer copy = {0};
  echo_buffer_append_str(&copy, name);
  bool is_taken = line->other(line->user, echo_buffer_c_str(&copy), value);
  echo_buffer_destroy(&copy);
  return is_taken;
}

static EchoParseOutcome take_value(Parser *parser, const EchoOption *option, const char *argument,
                                   const char *value)
{
  const char *second = NULL;
  if (value == NULL && takes_value(option->kind)) {
    if (parser->next >= parser->argc)
      return mistake(parser, argument, "needs a value");
    value = parser->argv[parser->next++];
  }
  if (option->kind == ECHO_OPTION_PAIR) {
    if (parser->next >= parser->argc)
      return mistake(parser, argument, "needs two values");
    second = parser->argv[parser->next++];
  }
  if (set_value(option, value, second))
    return ECHO_PARSE_OK;
  EchoBuffer message = {0};
  echo_buffer_printf(&message, "bad value '%s': ", value);
  append_expected(option, &message);
  echo_buffer_append_c(&message, " is expected");
  EchoBuffer name = {0};
  echo_buffer_printf(&name, "--%s", option->name);
  mistake(parser, echo_buffer_c_str(&name), echo_buffer_c_str(&message));
  echo_buffer_destroy(&message);
  echo_buffer_destroy(&name);
  return ECHO_PARSE_ERROR;
}

static EchoParseOutcome take_option(Parser *parser, const char *argument)
{
  const EchoCommandLine *line = parser->line;
  const char *name = argument + 1 + (argument[1] == '-');
  EchoStr key = {name, strcspn(name, "=")};
  const char *value = name[key.size] == '=' ? name + key.size + 1 : NULL;
  if (echo_str_is(key, "help") || echo_str_is(key, "h")) {
    append_help(line, parser->text);
    return ECHO_PARSE_EXIT;
  }
  if (echo_str_is(key, "version")) {
    echo_buffer_printf(parser->text, "%s %s\n", line->tool, echo_version_text());
    return ECHO_PARSE_EXIT;
  }
  const EchoOption *option = find_option_or_null(line, key);
  if (option != NULL)
    return take_value(parser, option, argument, value);
  return take_other(line, key, value) ? ECHO_PARSE_OK : mistake(parser, argument, "no such option");
}

EchoParseOutcome echo_command_line_parse(const EchoCommandLine *line, int argc, char **argv,
                                         EchoStringList *positional, EchoBuffer *text)
{
  Parser parser = {line, argc, 1, argv, text};
  bool only_positional = false;
  while (parser.next < argc) {
    const char *argument = argv[parser.next++];
    EchoParseOutcome outcome = ECHO_PARSE_OK;
    if (!only_positional && argument[0] == '-' && argument[1] != '\0') {
      if (strcmp(argument, "--") == 0)
        only_positional = true;
      else
        outcome = take_option(&parser, argument);
    } else if (positional != NULL) {
      echo_vector_push(positional, argument);
    } else {
      outcome = mistake(&parser, argument, "unexpected argument");
    }
    if (outcome != ECHO_PARSE_OK)
      return outcome;
  }
  return ECHO_PARSE_OK;
}
