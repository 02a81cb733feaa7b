/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Text of IR: floats and integers to the digit, escapes, options, names. Expected texts are MLIR's.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "ir/builder.h"
#include "ir/text/float_text_t.h"
#include "ir/text/text.h"
#include "tests/unit/suite.h"

static EchoContext *ctx;

static void set_up(void)
{
  ctx = echo_context_create();
  echo_context_allow_unregistered(ctx, true);
}

static void tear_down(void)
{
  echo_context_destroy(ctx);
}

/* ---- floats ---- */

static const struct {
  EchoFloatKind kind;
  double value;
  const char *text;
} FLOATS[] = {
    {ECHO_F32, 0.0, "0.000000e+00"},
    {ECHO_F32, -0.0, "-0.000000e+00"},
    {ECHO_F32, 1.0, "1.000000e+00"},
    {ECHO_F32, -1.5, "-1.500000e+00"},
    {ECHO_F32, 0.1, "1.000000e-01"},
    {ECHO_F32, 0.7, "0.699999988"},
    {ECHO_F32, 3.14159265358979, "3.14159274"},
    {ECHO_F32, 1e-45, "1.401300e-45"},
    {ECHO_F32, 16777216.0, "0x4B800000"},
    {ECHO_F32, 123456.0, "1.234560e+05"},
    {ECHO_F64, 3.14159265358979, "3.14159265358979"},
    {ECHO_F64, 0.00012345678, "1.2345678000000001E-4"},
    {ECHO_F64, 1e300, "1.000000e+300"},
    {ECHO_F64, 16777217.0, "0x4170000010000000"},
    {ECHO_F16, 3.14159265358979, "3.140630e+00"},
    {ECHO_BF16, 3.14159265358979, "3.140630e+00"},
    {ECHO_F8E5M2, 0.3, "3.125000e-01"},
    {ECHO_F8E4M3FN, 448.0, "4.480000e+02"},
    {ECHO_F32, INFINITY, "0x7F800000"},
    {ECHO_F32, -INFINITY, "0xFF800000"},
    {ECHO_F64, INFINITY, "0x7FF0000000000000"},
};

START_TEST(floats)
{
  EchoBuffer out = {0};
  uint64_t words[2] = {echo_float_from_f64(FLOATS[_i].kind, FLOATS[_i].value), 0};
  bool hex = echo_float_print(FLOATS[_i].kind, words, &out);
  ck_assert_str_eq(out.data, FLOATS[_i].text);
  ck_assert_int_eq(hex, strncmp(out.data, "0x", 2) == 0);
  echo_buffer_destroy(&out);
}
END_TEST

/* Every pattern of the formats up to 16 bits, and many of f32 and f64, read back as themselves. */
START_TEST(floats_read_back)
{
  EchoFloatKind kind = (EchoFloatKind)_i;
  uint32_t width = echo_float_bit_width(kind);
  if (width > 64)
    return;
  const EchoType *type = echo_type_float(ctx, kind);
  uint64_t n = width <= 16 ? UINT64_C(1) << width : 20000, state = (uint64_t)_i;
  EchoBuffer out = {0};
  for (uint64_t i = 0; i < n; i++) {
    state = echo_hash_u64(state + i);
    uint64_t words[2] = {width <= 16 ? i : state >> (64 - width), 0};
    echo_buffer_clear(&out);
    echo_float_print(kind, words, &out);
    echo_buffer_append_c(&out, " : ");
    echo_buffer_append_c(&out, echo_float_name(kind));
    const EchoAttr *back = echo_parse_attr_or_null(ctx, echo_buffer_str(&out));
    ck_assert_ptr_eq(back, echo_attr_float_bits(ctx, type, words[0]));
  }
  echo_buffer_destroy(&out);
}
END_TEST

/* ---- attributes and types ---- */

static const char *attr_text(const EchoAttr *attr)
{
  return echo_attr_text(ctx, attr);
}

START_TEST(integers)
{
  const EchoType *i128 = echo_type_integer(ctx, 128, ECHO_SIGNLESS);
  const EchoType *ui128 = echo_type_integer(ctx, 128, ECHO_UNSIGNED);
  const uint64_t minus_one[2] = {UINT64_MAX, UINT64_MAX}, lowest[2] = {0, UINT64_C(1) << 63};
  ck_assert_str_eq(attr_text(echo_attr_integer_words(ctx, i128, minus_one)), "-1 : i128");
  ck_assert_str_eq(attr_text(echo_attr_integer_words(ctx, ui128, minus_one)),
                   "340282366920938463463374607431768211455 : ui128");
  ck_assert_str_eq(attr_text(echo_attr_integer_words(ctx, i128, lowest)),
                   "-170141183460469231731687303715884105728 : i128");
  ck_assert_str_eq(attr_text(echo_attr_i64(ctx, INT64_MIN)), "-9223372036854775808 : i64");
  ck_assert_str_eq(attr_text(echo_attr_bool(ctx, true)), "true");
}
END_TEST

START_TEST(types_are_left_out_in_lists_only)
{
  const EchoAttr *five = echo_attr_i64(ctx, 5);
  ck_assert_str_eq(attr_text(five), "5 : i64");
  ck_assert_str_eq(attr_text(echo_attr_array(ctx, &five, 1)), "[5]");
  EchoNamedAttr entry = {ECHO_STR("k"), five};
  ck_assert_str_eq(attr_text(echo_attr_dictionary(ctx, &entry, 1)), "{k = 5 : i64}");
}
END_TEST

START_TEST(strings)
{
  ck_assert_str_eq(attr_text(echo_attr_string(ctx, (EchoStr){"a\"\\\n\0\x7f\xc3", 7})),
                   "\"a\\22\\\\\\0A\\00\\7F\\C3\"");
  ck_assert_str_eq(attr_text(echo_attr_symbol(ctx, ECHO_STR("a.b$c"))), "@a.b$c");
  ck_assert_str_eq(attr_text(echo_attr_symbol(ctx, ECHO_STR("1a"))), "@\"1a\"");
}
END_TEST

START_TEST(elements)
{
  int64_t dims[2] = {2, 2};
  const EchoType *type = echo_type_tensor(ctx, dims, 2, echo_type_i32(ctx), NULL);
  const int32_t values[4] = {1, -2, 3, 4};
  ck_assert_str_eq(attr_text(echo_attr_elements(ctx, type, values, sizeof values, false)),
                   "dense<[[1, -2], [3, 4]]> : tensor<2x2xi32>");
  ck_assert_str_eq(attr_text(echo_attr_splat_i64(ctx, type, 7)), "dense<7> : tensor<2x2xi32>");
  dims[0] = 101;
  type = echo_type_tensor(ctx, dims, 1, echo_type_integer(ctx, 8, ECHO_SIGNLESS), NULL);
  uint8_t bytes[101];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (uint8_t)(i + 0xa0);
  const char *text = attr_text(echo_attr_elements(ctx, type, bytes, sizeof bytes, false));
  ck_assert_int_eq(strncmp(text, "dense<\"0xA0A1A2", 15), 0);
}
END_TEST

/* ---- options ---- */

static const char *print(const EchoOp *op, const EchoPrintOptions *options)
{
  EchoBuffer out = {0};
  echo_print_op(op, options, &out);
  const char *text = echo_arena_copy_string(echo_context_arena(ctx), out.data, out.size);
  echo_buffer_destroy(&out);
  return text;
}

static EchoOp *parse(const char *text)
{
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("t.mlir"), echo_str(text));
  ck_assert_ptr_nonnull(module);
  return module;
}

START_TEST(elided_elements)
{
  EchoOp *module =
      parse("\"a.b\"() {a = dense<[1, 2, 3]> : tensor<3xi8>, b = dense<[1, 2]> : tensor<2xi8>, "
            "c = dense<1> : tensor<9xi8>} : () -> ()");
  const EchoPrintOptions options = {.generic = true, .elide_elements_above = 2};
  ck_assert_ptr_nonnull(
      strstr(print(module, &options),
             "{a = dense_resource<__elided__> : tensor<3xi8>, b = dense<[1, 2]> : "
             "tensor<2xi8>, c = dense<1> : tensor<9xi8>}"));
}
END_TEST

START_TEST(local_scope_has_no_aliases)
{
  EchoOp *module = parse("\"a.b\"() {a = affine_map<(d0) -> (d0)>} : () -> () loc(\"x\")");
  const EchoPrintOptions local = {.generic = true, .debug_info = true, .local_scope = true};
  const char *text = print(module, &local);
  ck_assert_ptr_null(strchr(text, '#'));
  ck_assert_ptr_nonnull(strstr(text, "{a = affine_map<(d0) -> (d0)>} : () -> () loc(\"x\")"));
  const EchoPrintOptions global = {.generic = true, .debug_info = true};
  ck_assert_ptr_nonnull(strstr(print(module, &global), "#map = affine_map<(d0) -> (d0)>\n"));
}
END_TEST

START_TEST(an_op_alone_keeps_its_numbers)
{
  EchoOp *module = parse("%0 = \"a.a\"() : () -> i32\n%1 = \"a.b\"(%0) : (i32) -> i32\n");
  const EchoOp *second = module->regions[0].first->first->next;
  ck_assert_str_eq(print(second, &(EchoPrintOptions){.generic = true}),
                   "%1 = \"a.b\"(%0) : (i32) -> i32\n");
}
END_TEST

/* Values that nothing defines any more are said to be so, for whoever debugs. */
START_TEST(values_from_elsewhere)
{
  EchoOp *module = parse("%0 = \"a.a\"() : () -> i32\n\"a.b\"(%0) : (i32) -> ()\n");
  EchoOp *def = module->regions[0].first->first, *use = def->next;
  echo_op_unlink(def);
  ck_assert_str_eq(print(use, &(EchoPrintOptions){.generic = true}),
                   "\"a.b\"(<<UNKNOWN SSA VALUE>>) : (i32) -> ()\n");
}
END_TEST

/* ---- texts larger than the pieces in which they are read and written ---- */

static bool take_piece(void *user, EchoStr piece)
{
  echo_buffer_append_str(user, piece);
  return true;
}

static bool refuse(void *user, EchoStr piece)
{
  (void)piece;
  ++*(int *)user;
  return false;
}

/* Names of more than eight characters, uses far from their definitions, attributes and types that
 * repeat, blobs and lists longer than a piece. */
static void write_large_text(EchoBuffer *text)
{
  echo_buffer_append_c(text, "%a_long_name_0 = \"a.a\"() : () -> i32\n");
  for (int i = 1; i <= 20000; i++)
    echo_buffer_printf(text,
                       "%%a_long_name_%d = \"a.b\"(%%a_long_name_%d, %%a_long_name_%d) <{p = "
                       "\"p%d\"}> {q = %d : i8} : (i32, i32) -> i32\n",
                       i, i - 1, i / 2, i % 100, i % 50);
  enum { N_BYTES = 3 << 20 };
  echo_buffer_append_c(text, "\"a.c\"() {a = dense<\"0x");
  for (int i = 0; i < N_BYTES; i++)
    echo_buffer_append(text, &"0123456789ABCDEF"[i * 5 % 15], 2);
  echo_buffer_printf(text, "\"> : tensor<%dxi8>, b = array<i32", N_BYTES);
  for (int i = 0; i < 300000; i++)
    echo_buffer_printf(text, i == 0 ? ": %d" : ", %d", i % 9973 * 7919);
  echo_buffer_append_c(text, ">} : () -> ()\n");
}

START_TEST(large_files_pass_in_pieces)
{
  EchoBuffer text = {0}, pieces = {0}, whole = {0}, error = {0};
  write_large_text(&text);
  char path[] = "/tmp/echo-printer-test-XXXXXX";
  close(mkstemp(path));
  ck_assert(echo_file_write(path, text.data, text.size, &error));
  EchoOp *from_file = echo_parse_file_or_null(ctx, path);
  unlink(path);
  ck_assert_ptr_nonnull(from_file);
  const EchoPrintOptions options = {.generic = true};
  echo_print_op(parse(text.data), &options, &whole);
  ck_assert(echo_print_op_to(from_file, &options, take_piece, &pieces));
  ck_assert_uint_gt(whole.size, 4 << 20);
  ck_assert(echo_str_equal(echo_buffer_str(&whole), echo_buffer_str(&pieces)));
  int n_asked = 0;
  ck_assert(!echo_print_op_to(from_file, &options, refuse, &n_asked));
  ck_assert_int_eq(n_asked, 1);
  echo_buffer_destroy(&text);
  echo_buffer_destroy(&pieces);
  echo_buffer_destroy(&whole);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("printer");
  TCase *tests = tcase_create("printer");
  tcase_set_timeout(tests, 120);
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_loop_test(tests, floats, 0, (int)(sizeof FLOATS / sizeof *FLOATS));
  tcase_add_loop_test(tests, floats_read_back, 0, ECHO_N_FLOAT_KINDS);
  tcase_add_test(tests, integers);
  tcase_add_test(tests, types_are_left_out_in_lists_only);
  tcase_add_test(tests, strings);
  tcase_add_test(tests, elements);
  tcase_add_test(tests, elided_elements);
  tcase_add_test(tests, local_scope_has_no_aliases);
  tcase_add_test(tests, an_op_alone_keeps_its_numbers);
  tcase_add_test(tests, values_from_elsewhere);
  tcase_add_test(tests, large_files_pass_in_pieces);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
