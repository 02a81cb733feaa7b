/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Symbol tables: look-ups from inside and through nesting, and names that are taken. */
#include "ir/symbol.h"

#include "ir/symbol_t.h"
#include "tests/unit/ir/test_dialect.h"
#include "tests/unit/suite.h"

static EchoOp *named(TestIr *ir, EchoBlock *block, const char *op, const char *name)
{
  EchoOp *symbol = test_with_regions(ir, block, op, 0, 1);
  echo_op_set_attr(symbol, "sym_name", echo_attr_string(ir->ctx, echo_str(name)));
  return symbol;
}

static const EchoAttr *ref(TestIr *ir, const char *root, const char *nested)
{
  EchoStr part = {nested, nested != NULL ? strlen(nested) : 0};
  return echo_attr_symbol_nested(ir->ctx, echo_str(root), &part, nested != NULL);
}

START_TEST(look_ups)
{
  TestIr ir = test_ir_create();
  EchoOp *outer_f = named(&ir, ir.body, "test.func", "f");
  EchoOp *inner = named(&ir, ir.body, "test.module", "inner");
  EchoOp *inner_f = named(&ir, echo_op_body(inner, 0), "test.func", "f");
  EchoOp *use = test_use(&ir, echo_op_body(inner_f, 0), NULL, 0);
  for (int cached = 0; cached < 2; ++cached) {
    if (cached)
      echo_symbol_tables_begin(ir.ctx);
    ck_assert_ptr_eq(echo_symbol_lookup_or_null(use, ref(&ir, "f", NULL)), inner_f);
    ck_assert_ptr_eq(echo_symbol_lookup_or_null(outer_f, ref(&ir, "f", NULL)), outer_f);
    ck_assert_ptr_eq(echo_symbol_lookup_or_null(outer_f, ref(&ir, "inner", "f")), inner_f);
    ck_assert_ptr_null(echo_symbol_lookup_or_null(outer_f, ref(&ir, "inner", "g")));
    ck_assert_ptr_null(echo_symbol_lookup_or_null(use, ref(&ir, "inner", NULL)));
    ck_assert_ptr_null(echo_symbol_lookup_or_null(outer_f, ref(&ir, "nowhere", "f")));
  }
  echo_symbol_tables_end(ir.ctx);
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(names_that_are_taken)
{
  TestIr ir = test_ir_create();
  named(&ir, ir.body, "test.func", "f");
  named(&ir, ir.body, "test.func", "f_1");
  EchoSymbolTable table;
  echo_symbol_table_create(&table, ir.module);
  enum { N = 20000 };
  for (int i = 0; i < N; ++i) {
    EchoOp *symbol = named(&ir, NULL, "test.func", i % 2 == 0 ? "f" : "g");
    echo_symbol_table_insert(&table, symbol);
    ck_assert_ptr_eq(symbol->block, ir.body);
    ck_assert_ptr_eq(echo_symbol_table_get_or_null(&table, echo_symbol_name(symbol)), symbol);
  }
  EchoStringMap seen = {0};
  for (EchoOp *op = ir.body->first; op != NULL; op = op->next) {
    EchoStr name = echo_symbol_name(op);
    if (echo_string_map_get_or(&seen, name, 0) != 0)
      ck_abort_msg("'%.*s' stands twice", ECHO_STR_ARG(name));
    echo_string_map_set(&seen, name, 1);
  }
  ck_assert_uint_eq(seen.n_entries, N + 2);
  ck_assert_uint_eq(echo_string_map_get_or(&seen, ECHO_STR("f_0"), 0), 1);
  echo_string_map_destroy(&seen);
  echo_symbol_table_destroy(&table);
  test_ir_destroy(&ir);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("symbol");
  TCase *tcase = tcase_create("symbol");
  tcase_set_timeout(tcase, 60);
  tcase_add_test(tcase, look_ups);
  tcase_add_test(tcase, names_that_are_taken);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
