/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tokens: kinds, extents, and where malformed ones are reported. */
#include "ir/text/lexer_t.h"

#include "ir/diagnostics.h"
#include "tests/unit/suite.h"

static EchoContext *ctx;
static EchoLexer lexer;

static void set_up(void)
{
  ctx = echo_context_create();
}

static void tear_down(void)
{
  echo_context_destroy(ctx);
}

static void start(const char *text)
{
  uint32_t buffer = echo_context_add_buffer(ctx, ECHO_STR("t.mlir"), echo_str(text), 1);
  echo_lexer_init(&lexer, ctx, buffer, echo_str(text));
}

static void expect(int kind, const char *text)
{
  ck_assert_int_eq(lexer.token.kind, kind);
  EchoStr found = echo_token_text(lexer.token);
  ck_assert_msg(echo_str_is(found, text), "'%.*s' is not '%s'", ECHO_STR_ARG(found), text);
  echo_lexer_advance(&lexer);
}

START_TEST(every_kind)
{
  start("%12#3 %a-b.$_ = \"op\"() [^bb0] @sym @\"a b\" #map !t -> - ... :: 1 0x1F 1.5 2. 1.5e-3 "
        "x_1.y$");
  expect(ECHO_TOKEN_PERCENT_ID, "%12");
  expect(ECHO_TOKEN_HASH_ID, "#3");
  expect(ECHO_TOKEN_PERCENT_ID, "%a-b.$_");
  expect('=', "=");
  expect(ECHO_TOKEN_STRING, "\"op\"");
  expect('(', "(");
  expect(')', ")");
  expect('[', "[");
  expect(ECHO_TOKEN_CARET_ID, "^bb0");
  expect(']', "]");
  expect(ECHO_TOKEN_AT_ID, "@sym");
  expect(ECHO_TOKEN_AT_ID, "@\"a b\"");
  expect(ECHO_TOKEN_HASH_ID, "#map");
  expect(ECHO_TOKEN_EXCLAM_ID, "!t");
  expect(ECHO_TOKEN_ARROW, "->");
  expect('-', "-");
  expect(ECHO_TOKEN_ELLIPSIS, "...");
  expect(':', ":");
  expect(':', ":");
  expect(ECHO_TOKEN_INTEGER, "1");
  expect(ECHO_TOKEN_INTEGER, "0x1F");
  expect(ECHO_TOKEN_FLOAT, "1.5");
  expect(ECHO_TOKEN_FLOAT, "2.");
  expect(ECHO_TOKEN_FLOAT, "1.5e-3");
  expect(ECHO_TOKEN_BARE_ID, "x_1.y$");
  expect(ECHO_TOKEN_EOF, "");
  expect(ECHO_TOKEN_EOF, "");
}
END_TEST

START_TEST(metadata_brackets_are_not_braces)
{
  start("{-# {- #-} }");
  expect(ECHO_TOKEN_METADATA_BEGIN, "{-#");
  expect('{', "{");
  expect('-', "-");
  expect(ECHO_TOKEN_METADATA_END, "#-}");
  expect('}', "}");
}
END_TEST

START_TEST(dimensions_are_cut_by_hand)
{
  start("4x0x8xf32 0x");
  expect(ECHO_TOKEN_INTEGER, "4");
  expect(ECHO_TOKEN_BARE_ID, "x0x8xf32");
  echo_lexer_restart(&lexer, lexer.begin + 2);
  expect(ECHO_TOKEN_INTEGER, "0x8"); /* hexadecimal to the lexer; the type parser cuts it at 'x' */
  expect(ECHO_TOKEN_BARE_ID, "xf32");
  expect(ECHO_TOKEN_INTEGER, "0");
  expect(ECHO_TOKEN_BARE_ID, "x");
}
END_TEST

START_TEST(blanks_comments_and_nuls_separate)
{
  static const char TEXT[] = "a\t//c b\r\n\0d// e";
  EchoStr text = {TEXT, sizeof TEXT - 1};
  uint32_t buffer = echo_context_add_buffer(ctx, ECHO_STR("t.mlir"), text, 1);
  echo_lexer_init(&lexer, ctx, buffer, text);
  expect(ECHO_TOKEN_BARE_ID, "a");
  expect(ECHO_TOKEN_BARE_ID, "d");
  ck_assert_ptr_eq(lexer.previous_end, TEXT + 11);
  expect(ECHO_TOKEN_EOF, "");
}
END_TEST

static const struct {
  const char *text, *message;
  uint32_t line, column;
} ERRORS[] = {
    {"~", "unexpected character", 1, 1},
    {"\n  \"abc", "expected '\"' in string literal", 2, 7},
    {"\"a\nb\"", "expected '\"' in string literal", 1, 3},
    {"\"a\\qb\"", "unknown escape in string literal", 1, 3},
    {"\"a\\", "unknown escape in string literal", 1, 3},
    {"@1", "@ identifier expected to start with letter or '_'", 1, 2},
    {"%", "invalid SSA name", 1, 1},
    {"^+", "invalid block name", 1, 1},
    {"#", "invalid attribute name", 1, 1},
    {"! a", "invalid type identifier", 1, 1},
    {"..", "expected three consecutive dots for an ellipsis", 1, 1},
    {"/ /", "unexpected character", 1, 1},
};

START_TEST(malformed_tokens)
{
  start(ERRORS[_i].text);
  ck_assert_int_eq(lexer.token.kind, ECHO_TOKEN_ERROR);
  ck_assert_uint_eq(echo_context_n_errors(ctx), 1);
  const EchoDiagnostic *diagnostic = echo_context_diagnostic(ctx, 0);
  ck_assert_str_eq(diagnostic->message, ERRORS[_i].message);
  EchoStr file;
  uint32_t line, column;
  ck_assert(echo_loc_resolve(ctx, diagnostic->loc, &file, &line, &column));
  ck_assert_uint_eq(line, ERRORS[_i].line);
  ck_assert_uint_eq(column, ERRORS[_i].column);
}
END_TEST

START_TEST(escapes)
{
  EchoStr plain = ECHO_STR("\"plain\"");
  EchoStr content = echo_string_unescape(echo_context_arena(ctx), plain);
  ck_assert_ptr_eq(content.data, plain.data + 1); /* a view */
  ck_assert_uint_eq(content.size, 5);
  content = echo_string_unescape(echo_context_arena(ctx), ECHO_STR("\"\\\"\\\\\\n\\t\\00\\fF\""));
  ck_assert(echo_str_equal(content, (EchoStr){"\"\\\n\t\0\xff", 6}));
}
END_TEST

START_TEST(hexadecimal_bytes)
{
  uint8_t bytes[4] = {0};
  ck_assert(echo_hex_decode(ECHO_STR("01fFa0"), bytes));
  ck_assert_mem_eq(bytes, "\x01\xff\xa0", 3);
  ck_assert(echo_hex_decode(ECHO_STR(""), bytes));
  ck_assert(!echo_hex_decode(ECHO_STR("123"), bytes));
  ck_assert(!echo_hex_decode(ECHO_STR("1g"), bytes));
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("lexer");
  TCase *tests = tcase_create("tokens");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, every_kind);
  tcase_add_test(tests, metadata_brackets_are_not_braces);
  tcase_add_test(tests, dimensions_are_cut_by_hand);
  tcase_add_test(tests, blanks_comments_and_nuls_separate);
  tcase_add_loop_test(tests, malformed_tokens, 0, (int)(sizeof ERRORS / sizeof *ERRORS));
  tcase_add_test(tests, escapes);
  tcase_add_test(tests, hexadecimal_bytes);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
