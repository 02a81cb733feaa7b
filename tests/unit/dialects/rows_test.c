/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every row of the tensor dialects stands in a golden file of its dialect, and says what it is. */
#include <dirent.h>
#include <stdio.h>

#include "dialects/dialects.h"
#include "dialects/stablehlo/opcode.h"
#include "tests/unit/suite.h"

/* All golden files of a dialect, one behind the other. */
static void read_golden(const char *dialect, EchoBuffer *text)
{
  EchoBuffer path = {0};
  echo_buffer_printf(&path, "%s/tests/golden/%s", ECHO_SOURCE_DIR, dialect);
  DIR *directory = opendir(echo_buffer_c_str(&path));
  ck_assert_msg(directory != NULL, "no golden files of '%s'", dialect);
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    if (strstr(entry->d_name, ".mlir") == NULL)
      continue;
    EchoBuffer file = {0};
    echo_buffer_printf(&file, "%s/%s", echo_buffer_c_str(&path), entry->d_name);
    FILE *stream = fopen(echo_buffer_c_str(&file), "rb");
    ck_assert_ptr_nonnull(stream);
    char piece[4096];
    for (size_t n; (n = fread(piece, 1, sizeof piece, stream)) != 0;)
      echo_buffer_append(text, piece, n);
    fclose(stream);
    echo_buffer_destroy(&file);
  }
  closedir(directory);
  echo_buffer_destroy(&path);
}

static bool is_name_char(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-';
}

/* The whole word `name` in `text`. */
static bool has_word(const EchoBuffer *text, const char *name)
{
  size_t size = strlen(name);
  const char *at = echo_buffer_c_str(text);
  for (; (at = strstr(at, name)) != NULL; at += size)
    if ((at == text->data || !is_name_char(at[-1])) && !is_name_char(at[size]))
      return true;
  return false;
}

START_TEST(rows_are_in_golden_files)
{
  static const EchoDialect *const dialects[] = {&ECHO_BUILTIN_DIALECT, &ECHO_FUNC_DIALECT,
                                                &ECHO_STABLEHLO_DIALECT, &ECHO_CHLO_DIALECT,
                                                &ECHO_SDY_DIALECT};
  for (size_t d = 0; d < sizeof dialects / sizeof *dialects; ++d) {
    EchoBuffer text = {0};
    read_golden(dialects[d]->name, &text);
    for (size_t i = 0; i < dialects[d]->n_ops; ++i)
      ck_assert_msg(has_word(&text, dialects[d]->ops[i].name),
                    "'%s' stands in no file of tests/golden/%s", dialects[d]->ops[i].name,
                    dialects[d]->name);
    echo_buffer_destroy(&text);
  }
}
END_TEST

START_TEST(rows_are_whole)
{
  EchoContext *ctx = echo_context_create();
  echo_register_dialects(ctx);
  for (size_t d = 0; d < echo_context_n_dialects(ctx); ++d) {
    const EchoDialect *dialect = echo_context_dialect(ctx, d);
    ck_assert_ptr_nonnull(dialect->summary);
    for (size_t i = 0; i < dialect->n_ops; ++i) {
      const EchoOpInfo *row = &dialect->ops[i];
      ck_assert_msg(row->name != NULL, "row %zu of '%s' is empty", i, dialect->name);
      ck_assert_msg(row->summary != NULL, "'%s' has no summary", row->name);
      ck_assert_msg((row->parse == NULL) == (row->print == NULL), "'%s' has half a pretty form",
                    row->name);
      ck_assert_ptr_eq(echo_context_op_info(ctx, row->name), row);
    }
  }
  echo_context_destroy(ctx);
}
END_TEST

START_TEST(opcodes_are_rows)
{
  EchoContext *ctx = echo_context_create();
  echo_register_dialects(ctx);
  for (size_t i = 0; i < ECHO_N_HLO_OPCODES; ++i) {
    EchoOp op = {.info = &ECHO_STABLEHLO_OPS[i]};
    ck_assert_int_eq(echo_hlo_opcode(&op), (int)i);
  }
  EchoOp other = {.info = echo_context_op_info(ctx, "func.return")};
  ck_assert_int_eq(echo_hlo_opcode(&other), ECHO_N_HLO_OPCODES);
  ck_assert_str_eq(ECHO_STABLEHLO_OPS[ECHO_HLO_CROSS_REPLICA_SUM].name,
                   "stablehlo.cross-replica-sum");
  echo_context_destroy(ctx);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("rows");
  TCase *tests = tcase_create("rows");
  tcase_add_test(tests, rows_are_in_golden_files);
  tcase_add_test(tests, rows_are_whole);
  tcase_add_test(tests, opcodes_are_rows);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
