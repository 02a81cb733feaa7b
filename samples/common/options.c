/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/common/options.h"

#include <getopt.h>
#include <stdio.h>

#include "base/panic.h"
#include "base/string.h"
#include "base/version.h"

static void print_help(const char *program, const char *summary, const SampleOption *options,
                       size_t n)
{
  printf("%s: %s\n\nusage: %s [options]\n\n", program, summary, program);
  for (size_t i = 0; i < n; i++) {
    char left[64];
    snprintf(left, sizeof left, "  --%s%s%s", options[i].name, options[i].value != NULL ? " " : "",
             options[i].value != NULL ? options[i].value : "");
    printf("%-28s %s\n", left, options[i].summary);
  }
  printf("%-28s %s\n%-28s %s\n", "  --help", "this text", "  --version", "the version");
}

static bool set_option(const SampleOption *option, const char *value, int argc, char **argv)
{
  EchoStr text = value != NULL ? echo_str(value) : (EchoStr){0};
  switch (option->kind) {
  case SAMPLE_FLAG:
    *(bool *)option->target = true;
    return true;
  case SAMPLE_TEXT:
    *(const char **)option->target = value;
    return true;
  case SAMPLE_OPTIONAL_TEXT:
    *(const char **)option->target = value != NULL ? value : "";
    return true;
  case SAMPLE_NUMBER: {
    int64_t number;
    if (!echo_str_to_i64(text, &number) || number < option->min || number > option->max)
      return false;
    *(int64_t *)option->target = number;
    return true;
  }
  case SAMPLE_REAL:
    return echo_str_to_f64(text, option->target);
  case SAMPLE_TWO_FILES:
    if (optind >= argc)
      return false;
    ((const char **)option->target)[0] = value;
    ((const char **)option->target)[1] = argv[optind++];
    return true;
  }
  return false;
}

SampleOptionsOutcome sample_options_parse(const char *program, const char *summary,
                                          const SampleOption *options, size_t n, int argc,
                                          char **argv)
{
  struct option names[SAMPLE_MAX_OPTIONS + 3] = {0}; /* help, version, the end */
  ECHO_CHECK(n <= SAMPLE_MAX_OPTIONS, "too many options");
  for (size_t i = 0; i < n; i++) {
    SampleOptionKind kind = options[i].kind;
    names[i].name = options[i].name;
    names[i].has_arg = kind == SAMPLE_FLAG            ? no_argument
                       : kind == SAMPLE_OPTIONAL_TEXT ? optional_argument
                                                      : required_argument;
  }
  names[n].name = "help";
  names[n + 1].name = "version";
  for (int index, c; (c = getopt_long_only(argc, argv, "", names, &index)) != -1;) {
    if (c != 0)
      return SAMPLE_OPTIONS_ERROR; /* getopt has said why */
    if ((size_t)index == n) {
      print_help(program, summary, options, n);
      return SAMPLE_OPTIONS_EXIT;
    }
    if ((size_t)index == n + 1) {
      printf("%s %s\n", program, echo_version_text());
      return SAMPLE_OPTIONS_EXIT;
    }
    if (!set_option(&options[index], optarg, argc, argv)) {
      fprintf(stderr, "%s: error: bad value for --%s: '%s' (see --help)\n", program,
              options[index].name, optarg);
      return SAMPLE_OPTIONS_ERROR;
    }
  }
  if (optind < argc) {
    fprintf(stderr, "%s: error: unexpected argument '%s'\n", program, argv[optind]);
    return SAMPLE_OPTIONS_ERROR;
  }
  return SAMPLE_OPTIONS_OK;
}
