/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/command_line.h"

#include "base/version.h"
#include "tests/unit/suite.h"

/* A target of each kind. */
static struct {
  bool flag;
  const char *text, *optional, *pair[2];
  EchoStringList list, repeated, positional;
  int64_t number, bounded;
  EchoByteSize size;
  double real;
  EchoBuffer said;
} to;

static bool take_other(void *user, const char *name, const char *value)
{
  *(const char **)user = value;
  return strcmp(name, "known") == 0;
}

static void append_more(void *user, EchoBuffer *help)
{
  (void)user;
  echo_buffer_append_c(help, "and more\n");
}

static const char *other_value;

static void forget(void)
{
  for (size_t i = 0; i < to.list.size; i++) /* the parser leaves them to the process */
    echo_free((void *)(uintptr_t)to.list.data[i]);
  echo_vector_destroy(&to.list);
  echo_vector_destroy(&to.repeated);
  echo_vector_destroy(&to.positional);
  echo_buffer_destroy(&to.said);
  memset(&to, 0, sizeof to);
}

static EchoParseOutcome parse(EchoStringList *positional, int argc, char **argv)
{
  forget();
  other_value = NULL;
  const EchoOption options[] = {
      {"flag", ECHO_OPTION_FLAG, &to.flag, NULL, "a flag"},
      {"text", ECHO_OPTION_STRING, &to.text, "TEXT", "a text"},
      {"optional", ECHO_OPTION_OPTIONAL, &to.optional, "TEXT", "a text or none"},
      {"pair", ECHO_OPTION_PAIR, to.pair, "A B", "two texts"},
      {"list", ECHO_OPTION_LIST, &to.list, "A,B", "a list"},
      {"repeated", ECHO_OPTION_REPEATED, &to.repeated, "A", "once more"},
      {"number", ECHO_OPTION_I64, &to.number, "N", "a number"},
      {"bounded", ECHO_OPTION_RANGE, ECHO_RANGE(&to.bounded, 1, 9), "N", "a small number"},
      {"size-of-something-with-a-long-name", ECHO_OPTION_BYTES, &to.size, "BYTES", "a size"},
      {"x", ECHO_OPTION_F64, &to.real, "X", "a fraction"},
      {0}};
  const EchoCommandLine line = {.tool = "tool",
                                .synopsis = "[options] FILE",
                                .summary = "does things",
                                .options = options,
                                .other = take_other,
                                .more_help = append_more,
                                .user = &other_value};
  return echo_command_line_parse(&line, argc, argv, positional, &to.said);
}

#define PARSE(...)                                                                                 \
  parse(&to.positional, (int)(sizeof((char *[]){"tool", __VA_ARGS__}) / sizeof(char *)),           \
        (char *[]){"tool", __VA_ARGS__})

START_TEST(values_of_each_kind)
{
  ck_assert_int_eq(PARSE("--flag", "-text=a=b", "in", "--optional", "--pair", "one", "two",
                         "--list=a,b", "--list", "c", "--repeated=a,b", "--number", "-5",
                         "--bounded=9", "--size-of-something-with-a-long-name=1.5kB", "-x", "0.5",
                         "-", "--known=v", "--", "--flag"),
                   ECHO_PARSE_OK);
  ck_assert(to.flag);
  ck_assert_str_eq(to.text, "a=b");
  ck_assert_str_eq(to.optional, "");
  ck_assert_str_eq(to.pair[0], "one");
  ck_assert_str_eq(to.pair[1], "two");
  ck_assert_uint_eq(to.list.size, 3);
  ck_assert_str_eq(to.list.data[1], "b");
  ck_assert_str_eq(to.list.data[2], "c");
  ck_assert_uint_eq(to.repeated.size, 1);
  ck_assert_str_eq(to.repeated.data[0], "a,b");
  ck_assert_int_eq(to.number, -5);
  ck_assert_int_eq(to.bounded, 9);
  ck_assert(to.size.is_given && to.size.bytes == 1500);
  ck_assert(to.real == 0.5);
  ck_assert_str_eq(other_value, "v");
  ck_assert_uint_eq(to.positional.size, 3);
  ck_assert_str_eq(to.positional.data[0], "in");
  ck_assert_str_eq(to.positional.data[1], "-");
  ck_assert_str_eq(to.positional.data[2], "--flag");
  ck_assert_uint_eq(to.said.size, 0);
  ck_assert_int_eq(PARSE("--flag=false", "--optional=v"), ECHO_PARSE_OK);
  ck_assert(!to.flag && strcmp(to.optional, "v") == 0);
}
END_TEST

START_TEST(mistakes_say_what_is_expected)
{
  static const struct {
    const char *argument, *second, *message;
  } CASES[] = {
      {"--none=1", NULL, "'--none=1': no such option"},
      {"--text", NULL, "'--text': needs a value"},
      {"--pair", "one", "'--pair': needs two values"},
      {"--flag=maybe", NULL, "'--flag': bad value 'maybe': true or false is expected"},
      {"--number=1x", NULL, "'--number': bad value '1x': a whole number is expected"},
      {"--bounded", "0", "'--bounded': bad value '0': a whole number from 1 to 9 is expected"},
      {"--bounded=10", NULL, "'--bounded': bad value '10': a whole number from 1 to 9 is expected"},
      {"--size-of-something-with-a-long-name=5XB", NULL,
       "'--size-of-something-with-a-long-name': bad value '5XB': a number of bytes, such as 4096, "
       "64KiB or 1.5GB is expected"},
      {"-x=much", NULL, "'--x': bad value 'much': a number is expected"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    char *argv[] = {"tool", (char *)(uintptr_t)CASES[i].argument,
                    (char *)(uintptr_t)CASES[i].second};
    ck_assert_int_eq(parse(&to.positional, CASES[i].second != NULL ? 3 : 2, argv),
                     ECHO_PARSE_ERROR);
    EchoBuffer expected = {0};
    echo_buffer_printf(&expected, "tool: error: %s (see tool --help)\n", CASES[i].message);
    ck_assert_str_eq(echo_buffer_c_str(&to.said), echo_buffer_c_str(&expected));
    echo_buffer_destroy(&expected);
  }
  char *argv[] = {"tool", "file"};
  ck_assert_int_eq(parse(NULL, 2, argv), ECHO_PARSE_ERROR);
  ck_assert_str_eq(echo_buffer_c_str(&to.said),
                   "tool: error: 'file': unexpected argument (see tool --help)\n");
}
END_TEST

START_TEST(help_and_version)
{
  ck_assert_int_eq(PARSE("--version", "--none"), ECHO_PARSE_EXIT);
  ck_assert_str_eq(echo_buffer_c_str(&to.said), "tool " ECHO_VERSION_TEXT "\n");
  ck_assert_int_eq(PARSE("-h"), ECHO_PARSE_EXIT);
  static const char *const LINES[] = {
      "tool: does things\n\nusage: tool [options] FILE\n\noptions:\n",
      "\n  --flag                               a flag\n",
      "\n  --optional[=TEXT]                    a text or none\n",
      "\n  --pair A B                           two texts\n",
      "\n  --size-of-something-with-a-long-name=BYTES\n",
      "\n                                       a size\n",
      "\n  -x=X                                 a fraction\n",
      "\n  --version                            the version\nand more\n",
  };
  for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++)
    ck_assert_msg(strstr(echo_buffer_c_str(&to.said), LINES[i]) != NULL, "no '%s' in\n%s", LINES[i],
                  echo_buffer_c_str(&to.said));
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("command_line");
  TCase *cases = tcase_create("command_line");
  tcase_add_checked_fixture(cases, NULL, forget);
  tcase_add_test(cases, values_of_each_kind);
  tcase_add_test(cases, mistakes_say_what_is_expected);
  tcase_add_test(cases, help_and_version);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
