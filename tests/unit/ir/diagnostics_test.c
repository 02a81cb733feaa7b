/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is collected, when the handler sees it, and the text. */
#include "ir/diagnostics.h"

#include "tests/unit/ir/test_dialect.h"
#include "tests/unit/suite.h"

static void append(void *user, EchoContext *ctx, const EchoDiagnostic *diagnostic)
{
  echo_diagnostic_format(ctx, diagnostic, user);
}

START_TEST(notes_arrive_with_their_error)
{
  EchoContext *ctx = echo_context_create();
  EchoBuffer seen = {0};
  echo_context_set_diagnostic_handler(ctx, append, &seen);
  ck_assert(!echo_error(ctx, echo_loc_unknown(), "first %d", 1));
  ck_assert(!echo_note(ctx, echo_loc_unknown(), "more"));
  ck_assert(!echo_note(ctx, echo_loc_unknown(), "and more"));
  ck_assert_uint_eq(seen.size, 0);
  echo_warning(ctx, echo_loc_unknown(), "second");
  ck_assert_str_eq(
      echo_buffer_c_str(&seen),
      "<unknown>:0: error: first 1\n<unknown>:0: note: more\n<unknown>:0: note: and more\n");
  echo_buffer_clear(&seen);
  echo_context_flush_diagnostics(ctx);
  echo_context_flush_diagnostics(ctx);
  ck_assert_str_eq(echo_buffer_c_str(&seen), "<unknown>:0: warning: second\n");
  echo_remark(ctx, echo_loc_unknown(), "third");
  ck_assert_uint_eq(echo_context_n_diagnostics(ctx), 3);
  ck_assert_uint_eq(echo_context_n_errors(ctx), 1);
  ck_assert_int_eq(echo_context_diagnostic(ctx, 2)->severity, ECHO_REMARK);
  echo_buffer_destroy(&seen);
  echo_context_destroy(ctx);
}
END_TEST

START_TEST(source_line_and_caret)
{
  EchoContext *ctx = echo_context_create();
  EchoStr text = ECHO_STR("line one\n\tab \xc3\xa9 here\nlast");
  uint32_t buffer = echo_context_add_buffer(ctx, ECHO_STR("in.mlir"), text, 1);
  EchoBuffer out = {0};
  echo_error(ctx, echo_loc_in_buffer(buffer, 5), "a");
  echo_diagnostic_format(ctx, echo_context_diagnostic(ctx, 0), &out);
  ck_assert_str_eq(echo_buffer_c_str(&out), "in.mlir:1:6: error: a\nline one\n     ^\n");
  echo_buffer_clear(&out);
  echo_error(ctx, echo_loc_in_buffer(buffer, 16),
             "b"); /* "here", behind a tab and a two-byte letter */
  echo_diagnostic_format(ctx, echo_context_diagnostic(ctx, 1), &out);
  ck_assert_str_eq(echo_buffer_c_str(&out),
                   "in.mlir:2:8: error: b\n\tab \xc3\xa9 here\n\t     ^\n");
  echo_buffer_clear(&out);
  echo_error(ctx, echo_loc_in_buffer(buffer, text.size), "c");
  echo_diagnostic_format(ctx, echo_context_diagnostic(ctx, 2), &out);
  ck_assert_str_eq(echo_buffer_c_str(&out), "in.mlir:3:5: error: c\nlast\n    ^\n");
  echo_buffer_destroy(&out);
  echo_context_destroy(ctx);
}
END_TEST

START_TEST(about_ops_and_types)
{
  TestIr ir = test_ir_create();
  EchoOp *op = echo_value_def_or_null(test_const(&ir, ir.body, 1));
  ck_assert(!echo_op_error(op, "is %s", "odd"));
  ck_assert_uint_eq(test_n_messages(ir.ctx, "'test.const' op is odd"), 1);
  ck_assert_str_eq(echo_type_text(ir.ctx, ir.i32), "i32");
  ck_assert_str_eq(echo_attr_text(ir.ctx, echo_attr_i32(ir.ctx, 7)), "7 : i32");
  test_ir_destroy(&ir);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("diagnostics");
  TCase *tcase = tcase_create("diagnostics");
  tcase_add_test(tcase, notes_arrive_with_their_error);
  tcase_add_test(tcase, source_line_and_caret);
  tcase_add_test(tcase, about_ops_and_types);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
