/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/common/options.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/version.h"

static bool set_value(const EchoCommandLine *line, const EchoOption *option, const char *value)
{
  switch (option->kind) {
  case ECHO_OPTION_FLAG:
    *(bool *)option->target =
        value == NULL || strcmp(value, "true") == 0 || strcmp(value, "1") == 0;
    return value == NULL || *(bool *)option->target || strcmp(value, "false") == 0 ||
           strcmp(value, "0") == 0;
  case ECHO_OPTION_STRING:
    *(const char **)option->target = value;
    return true;
  case ECHO_OPTION_OPTIONAL:
    *(const char **)option->target = value != NULL ? value : "";
    return true;
  case ECHO_OPTION_REPEATED:
    echo_vector_push((EchoStringList *)option->target, value);
    return true;
  case ECHO_OPTION_LIST:
    for (const char *begin = value; *begin != '\0';) {
      size_t size = strcspn(begin, ",");
      char *item = echo_alloc(size + 1); /* lives as long as the process */
      memcpy(item, begin, size);
      item[size] = '\0';
      echo_vector_push((EchoStringList *)option->target, item);
      begin += size + (begin[size] == ',');
    }
    return true;
  case ECHO_OPTION_I64:
    return echo_str_to_i64(echo_str(value), option->target);
  case ECHO_OPTION_F64:
    return echo_str_to_f64(echo_str(value), option->target);
  }
  ECHO_UNREACHABLE("%s: option kind %d", line->tool, (int)option->kind);
}

static bool takes_value(EchoOptionKind kind)
{
  return kind != ECHO_OPTION_FLAG && kind != ECHO_OPTION_OPTIONAL;
}

static void print_help(const EchoCommandLine *line)
{
  printf("%s: %s\n\nusage: %s %s\n\noptions:\n", line->tool, line->summary, line->tool,
         line->synopsis);
  for (const EchoOption *option = line->options; option->name != NULL; option++) {
    EchoBuffer left = {0};
    bool is_short = option->name[1] == '\0';
    echo_buffer_printf(&left, "  %s%s", is_short ? "-" : "--", option->name);
    if (option->value_name != NULL)
      echo_buffer_printf(&left, option->kind == ECHO_OPTION_OPTIONAL ? "[=%s]" : "=%s",
                         option->value_name);
    if (left.size < 38)
      printf("%-38s %s\n", echo_buffer_c_str(&left), option->summary);
    else
      printf("%s\n%-38s %s\n", echo_buffer_c_str(&left), "", option->summary);
    echo_buffer_destroy(&left);
  }
  printf("%-38s %s\n%-38s %s\n", "  --help", "this text", "  --version", "the version");
  if (line->more_help != NULL)
    line->more_help(line->user);
}

static const EchoOption *find_option(const EchoCommandLine *line, EchoStr name)
{
  for (const EchoOption *option = line->options; option->name != NULL; option++)
    if (echo_str_is(name, option->name))
      return option;
  return NULL;
}

static EchoParseOutcome mistake(const EchoCommandLine *line, const char *argument,
                                const char *message)
{
  fprintf(stderr, "%s: error: '%s': %s (see %s --help)\n", line->tool, argument, message,
          line->tool);
  return ECHO_PARSE_ERROR;
}

static EchoParseOutcome parse_option(const EchoCommandLine *line, int argc, char **argv, int *i)
{
  const char *argument = argv[*i];
  const char *name = argument + 1 + (argument[1] == '-');
  EchoStr key = {name, strcspn(name, "=")};
  const char *value = name[key.size] == '=' ? name + key.size + 1 : NULL;
  if (echo_str_is(key, "help") || echo_str_is(key, "h")) {
    print_help(line);
    return ECHO_PARSE_EXIT;
  }
  if (echo_str_is(key, "version")) {
    printf("%s %s (LLVM 19)\n", line->tool, echo_version_text());
    return ECHO_PARSE_EXIT;
  }
  const EchoOption *option = find_option(line, key);
  if (option == NULL) {
    char *copy = echo_alloc(key.size + 1);
    memcpy(copy, key.data, key.size);
    copy[key.size] = '\0';
    bool is_taken = line->other != NULL && line->other(line->user, copy, value);
    echo_free(copy);
    return is_taken ? ECHO_PARSE_OK : mistake(line, argument, "no such option");
  }
  if (value == NULL && takes_value(option->kind)) {
    if (*i + 1 >= argc)
      return mistake(line, argument, "needs a value");
    value = argv[++*i];
  }
  return set_value(line, option, value) ? ECHO_PARSE_OK : mistake(line, argument, "bad value");
}

EchoParseOutcome echo_command_line_parse(const EchoCommandLine *line, int argc, char **argv,
                                         EchoStringList *positional)
{
  bool only_positional = false;
  for (int i = 1; i < argc; i++) {
    const char *argument = argv[i];
    if (only_positional || argument[0] != '-' || argument[1] == '\0') {
      echo_vector_push(positional, argument);
    } else if (strcmp(argument, "--") == 0) {
      only_positional = true;
    } else {
      EchoParseOutcome outcome = parse_option(line, argc, argv, &i);
      if (outcome != ECHO_PARSE_OK)
        return outcome;
    }
  }
  return ECHO_PARSE_OK;
}

bool echo_parse_bytes(EchoStr text, uint64_t *bytes)
{
  static const struct {
    const char *suffix;
    double factor;
  } units[] = {{"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40},
               {"kB", 1e3},     {"KB", 1e3},     {"MB", 1e6},     {"GB", 1e9},
               {"TB", 1e12},    {"k", 0x1p10},   {"K", 0x1p10},   {"M", 0x1p20},
               {"G", 0x1p30},   {"T", 0x1p40},   {"B", 1},        {"", 1}};
  size_t digits = 0;
  while (digits < text.size &&
         (isdigit((unsigned char)text.data[digits]) || text.data[digits] == '.'))
    digits++;
  EchoStr number = {text.data, digits}, suffix = {text.data + digits, text.size - digits};
  if (digits == 0)
    return false;
  if (suffix.size == 0)
    return echo_str_to_u64(number, bytes);
  double value;
  if (!echo_str_to_f64(number, &value))
    return false;
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
    if (echo_str_is(suffix, units[i].suffix)) {
      value *= units[i].factor;
      if (!(value < 0x1p63))
        return false;
      *bytes = (uint64_t)value;
      return true;
    }
  return false;
}

void echo_format_bytes(uint64_t bytes, EchoBuffer *out)
{
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = (double)bytes;
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < sizeof units / sizeof units[0]; unit++)
    value /= 1024;
  if (unit == 0)
    echo_buffer_printf(out, "%" PRIu64 " B", bytes);
  else
    echo_buffer_printf(out, "%.*f %s", value < 10 ? 2 : value < 100 ? 1 : 0, value, units[unit]);
}
