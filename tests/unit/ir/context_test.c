/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The context: interning, dialects and their rows, source buffers, memory of the IR. */
#include "ir/context.h"

#include <signal.h>
#include <stdio.h>

#include "ir/context_t.h"
#include "tests/unit/suite.h"

static EchoContext *ctx;

static void set_up(void)
{
  ctx = echo_context_create();
}

static void tear_down(void)
{
  echo_context_destroy(ctx);
}

/* ---- strings ---- */

START_TEST(equal_strings_are_one)
{
  char text[] = "abc-abc";
  EchoStr first = echo_context_intern(ctx, (EchoStr){text, 3});
  EchoStr second = echo_context_intern(ctx, (EchoStr){text + 4, 3});
  ck_assert_ptr_eq(first.data, second.data);
  ck_assert_ptr_ne(first.data, text);
  ck_assert_uint_eq(first.size, 3);
  ck_assert_str_eq(first.data, "abc");
  ck_assert_ptr_ne(echo_context_intern(ctx, ECHO_STR("abd")).data, first.data);
  ck_assert_uint_eq(echo_context_intern(ctx, ECHO_STR("")).size, 0);
  ck_assert_str_eq(echo_context_intern(ctx, ECHO_STR("")).data, "");
  EchoStr with_nul = echo_context_intern(ctx, ECHO_STR("a\0b"));
  ck_assert_uint_eq(with_nul.size, 3);
  ck_assert_ptr_ne(echo_context_intern(ctx, ECHO_STR("a")).data, with_nul.data);
}
END_TEST

START_TEST(many_strings_stay_where_they_are)
{
  enum { N = 50000 };
  const char **kept = echo_alloc_array(N, sizeof *kept);
  char text[16];
  for (int i = 0; i < N; ++i) {
    int size = snprintf(text, sizeof text, "name%d", i);
    kept[i] = echo_context_intern(ctx, (EchoStr){text, (size_t)size}).data;
  }
  for (int i = 0; i < N; ++i) {
    int size = snprintf(text, sizeof text, "name%d", i);
    if (echo_context_intern(ctx, (EchoStr){text, (size_t)size}).data != kept[i])
      ck_abort_msg("%s moved", text);
  }
  echo_free(kept);
}
END_TEST

/* ---- dialects and rows ---- */

static bool is_even_width(const EchoType *type)
{
  return type->kind == ECHO_TYPE_INTEGER && type->as.integer.width % 2 == 0;
}

static bool is_short_string(const EchoAttr *attr)
{
  return attr->kind == ECHO_ATTR_STRING && attr->as.string.size < 4;
}

static const EchoTypeConstraint TEST_TYPES[] = {{"even", is_even_width}, {NULL, NULL}};
static const EchoAttrConstraint TEST_ATTRS[] = {{"short", is_short_string}, {NULL, NULL}};
static const EchoOpInfo TEST_OPS[] = {
    {.name = "test.add", .operands = "lhs: tensor, rhs:tensor", .results = "result: tensor"},
    {.name = "test.all",
     .operands = " first : even , rest: any? , more: tensor<float>*",
     .results = "",
     .attrs = "operandSegmentSizes: array<i32>, size: i64, tag: short?"},
    {.name = "test.empty"},
};
static const EchoDialect TEST = {.name = "test",
                                 .ops = TEST_OPS,
                                 .n_ops = 3,
                                 .type_constraints = TEST_TYPES,
                                 .attr_constraints = TEST_ATTRS};

START_TEST(rows_are_found)
{
  ck_assert_ptr_null(echo_context_dialect_or_null(ctx, ECHO_STR("test")));
  echo_context_register_dialect(ctx, &TEST);
  echo_context_register_dialect(ctx, &TEST);
  ck_assert_uint_eq(echo_context_n_dialects(ctx), 1);
  ck_assert_ptr_eq(echo_context_dialect(ctx, 0), &TEST);
  ck_assert_ptr_eq(echo_context_dialect_or_null(ctx, ECHO_STR("test")), &TEST);
  ck_assert_ptr_eq(echo_context_op_info(ctx, "test.add"), &TEST_OPS[0]);
  ck_assert_ptr_eq(echo_context_op_info_or_null(ctx, ECHO_STR("test.all")), &TEST_OPS[1]);
  ck_assert_ptr_eq(echo_context_op_info_any(ctx, ECHO_STR("test.all")), &TEST_OPS[1]);
  ck_assert_ptr_null(echo_context_op_info_or_null(ctx, ECHO_STR("test.al")));
}
END_TEST

START_TEST(rows_are_parsed)
{
  echo_context_register_dialect(ctx, &TEST);
  const EchoOpSpec *add = echo_context_op_spec_or_null(ctx, &TEST_OPS[0]);
  ck_assert_ptr_eq(add->info, &TEST_OPS[0]);
  ck_assert_uint_eq(add->n_operands, 2);
  ck_assert_uint_eq(add->n_results, 1);
  ck_assert_uint_eq(add->n_attrs, 0);
  ck_assert(echo_str_is(add->operands[1].name, "rhs"));
  ck_assert(echo_str_is(add->operands[1].constraint_name, "tensor"));
  ck_assert(!add->operands[1].optional && !add->operands[1].variadic);

  const EchoOpSpec *all = echo_context_op_spec_or_null(ctx, &TEST_OPS[1]);
  ck_assert_uint_eq(all->n_operands, 3);
  ck_assert(echo_str_is(all->operands[0].name, "first"));
  ck_assert(all->operands[0].constraint == is_even_width);
  ck_assert(all->operands[1].optional && !all->operands[1].variadic);
  ck_assert(!all->operands[2].optional && all->operands[2].variadic);
  ck_assert(echo_str_is(all->operands[2].constraint_name, "tensor<float>"));
  ck_assert_uint_eq(all->n_attrs, 3);
  ck_assert(!all->attrs[1].optional);
  ck_assert(all->attrs[2].optional);
  ck_assert(all->attrs[2].constraint == is_short_string);
  ck_assert_ptr_eq(all->attrs[1].name.data, echo_context_intern(ctx, ECHO_STR("size")).data);
  ck_assert_uint_eq(echo_context_op_spec_or_null(ctx, &TEST_OPS[2])->n_operands, 0);
}
END_TEST

START_TEST(later_dialects_use_earlier_constraints)
{
  static const EchoOpInfo OPS[] = {{.name = "later.op", .operands = "x: even"}};
  static const EchoDialect LATER = {.name = "later", .ops = OPS, .n_ops = 1};
  echo_context_register_dialect(ctx, &TEST);
  echo_context_register_dialect(ctx, &LATER);
  ck_assert(echo_context_op_spec_or_null(ctx, OPS)->operands[0].constraint == is_even_width);
}
END_TEST

START_TEST(common_constraints)
{
  static const char TYPE_NAMES[] =
      "a: any, b: tensor, c: tensor<float>, d: tensor<int>, e: tensor<pred>, f: tensor<complex>, "
      "g: memref, h: vector, i: index, j: int, k: float, l: i1, m: i32, n: i64";
  static const EchoOpInfo OPS[] = {{.name = "c.op", .operands = TYPE_NAMES}};
  static const EchoDialect DIALECT = {.name = "c", .ops = OPS, .n_ops = 1};
  echo_context_register_dialect(ctx, &DIALECT);
  const EchoOpSpec *spec = echo_context_op_spec_or_null(ctx, OPS);

  const EchoType *f32 = echo_type_f32(ctx), *i1 = echo_type_i1(ctx), *i32 = echo_type_i32(ctx);
  const EchoType *complex = echo_type_complex(ctx, f32);
  int64_t dims[1] = {4};
  const EchoType *types[] = {echo_type_tensor(ctx, dims, 1, f32, NULL),
                             echo_type_tensor(ctx, dims, 1, i32, NULL),
                             echo_type_tensor(ctx, dims, 1, i1, NULL),
                             echo_type_tensor(ctx, dims, 1, complex, NULL),
                             echo_type_memref(ctx, dims, 1, f32, NULL, NULL),
                             echo_type_vector(ctx, dims, 1, f32, 0),
                             echo_type_index(ctx),
                             i1,
                             i32,
                             echo_type_i64(ctx),
                             f32};
  /* one row a type: which of the constraints above hold */
  static const char *HOLD[] = {"abc", "abd", "abe", "abf", "ag", "ah",
                               "ai",  "ajl", "ajm", "ajn", "ak"};
  for (size_t t = 0; t < sizeof types / sizeof types[0]; ++t)
    for (size_t c = 0; c < spec->n_operands; ++c) {
      bool expected = strchr(HOLD[t], spec->operands[c].name.data[0]) != NULL;
      ck_assert_msg(spec->operands[c].constraint(types[t]) == expected, "type %zu, constraint %zu",
                    t, c);
    }
}
END_TEST

START_TEST(common_attr_constraints)
{
  static const char ATTR_NAMES[] =
      "a: any, b: unit, c: bool, d: i32, e: i64, f: index, g: int, h: float, i: string, j: symbol, "
      "k: type, l: array, m: dict, n: elements, o: array<i64>, p: array<i32>, q: array<i1>, "
      "r: affine_map";
  static const EchoOpInfo OPS[] = {{.name = "c.op", .attrs = ATTR_NAMES}};
  static const EchoDialect DIALECT = {.name = "c", .ops = OPS, .n_ops = 1};
  echo_context_register_dialect(ctx, &DIALECT);
  const EchoOpSpec *spec = echo_context_op_spec_or_null(ctx, OPS);

  int64_t dims[1] = {4}, i64s[1] = {3};
  int32_t i32s[1] = {3};
  bool bools[1] = {true};
  const EchoType *tensor = echo_type_tensor(ctx, dims, 1, echo_type_f32(ctx), NULL);
  const EchoAttr *attrs[] = {
      echo_attr_unit(ctx),
      echo_attr_bool(ctx, true),
      echo_attr_i32(ctx, 1),
      echo_attr_i64(ctx, 1),
      echo_attr_integer(ctx, echo_type_index(ctx), 1),
      echo_attr_float(ctx, echo_type_f32(ctx), 1),
      echo_attr_string(ctx, ECHO_STR("s")),
      echo_attr_symbol(ctx, ECHO_STR("s")),
      echo_attr_type(ctx, tensor),
      echo_attr_array(ctx, NULL, 0),
      echo_attr_dictionary(ctx, NULL, 0),
      echo_attr_splat_f64(ctx, tensor, 1),
      echo_attr_dense_resource(ctx, tensor, ECHO_STR("r")),
      echo_attr_i64_array(ctx, i64s, 1),
      echo_attr_i32_array(ctx, i32s, 1),
      echo_attr_bool_array(ctx, bools, 1),
      echo_attr_affine_map(ctx, 0, 0, NULL, 0),
  };
  static const char *HOLD[] = {"ab", "acg", "adg", "aeg", "afg", "ah", "ai", "aj", "ak",
                               "al", "am",  "an",  "an",  "ao",  "ap", "aq", "ar"};
  for (size_t t = 0; t < sizeof attrs / sizeof attrs[0]; ++t)
    for (size_t c = 0; c < spec->n_attrs; ++c) {
      bool expected = strchr(HOLD[t], spec->attrs[c].name.data[0]) != NULL;
      ck_assert_msg(spec->attrs[c].constraint(attrs[t]) == expected, "attr %zu, constraint %zu", t,
                    c);
    }
}
END_TEST

static const EchoOpInfo BAD_ROWS[] = {
    {.name = "other.op"},
    {.name = "bad."},
    {.name = "bad.op", .operands = "lhs"},
    {.name = "bad.op", .operands = "lhs: nothing"},
    {.name = "bad.op", .operands = "lhs: "},
    {.name = "bad.op", .operands = "lhs: any, lhs: any"},
    {.name = "bad.op", .operands = "lhs: any, , rhs: any"},
    {.name = "bad.op", .operands = "a: any*, b: any?"},
    {.name = "bad.op", .results = "a: any*, b: any?", .attrs = "operandSegmentSizes: array<i32>"},
    {.name = "bad.op", .attrs = "a: any*"},
    {.name = "bad.op", .attrs = "a: tensor"},
    {.name = "bad.op", .n_regions = -2},
};
enum { N_BAD_ROWS = sizeof BAD_ROWS / sizeof BAD_ROWS[0] };

START_TEST(mistakes_in_rows_panic)
{
  EchoDialect bad = {.name = "bad", .ops = &BAD_ROWS[_i], .n_ops = 1};
  echo_context_register_dialect(ctx, &bad);
}
END_TEST

START_TEST(two_rows_of_a_name_panic)
{
  const EchoOpInfo twice[] = {{.name = "bad.op"}, {.name = "bad.op"}};
  EchoDialect bad = {.name = "bad", .ops = twice, .n_ops = 2};
  echo_context_register_dialect(ctx, &bad);
}
END_TEST

START_TEST(two_dialects_of_a_name_panic)
{
  EchoDialect other = {.name = "test"};
  echo_context_register_dialect(ctx, &TEST);
  echo_context_register_dialect(ctx, &other);
}
END_TEST

START_TEST(unknown_op_panics)
{
  echo_context_op_info(ctx, "no.such");
}
END_TEST

START_TEST(unregistered_rows)
{
  char name[] = "far.away";
  const EchoOpInfo *info = echo_context_op_info_any(ctx, echo_str(name));
  name[0] = 'c';
  ck_assert_str_eq(info->name, "far.away");
  ck_assert(info->traits == ECHO_UNREGISTERED);
  ck_assert_int_eq(info->n_regions, ECHO_VARIADIC);
  ck_assert_int_eq(info->n_successors, ECHO_VARIADIC);
  ck_assert_ptr_eq(echo_context_op_info_any(ctx, ECHO_STR("far.away")), info);
  ck_assert_ptr_null(echo_context_op_info_or_null(ctx, ECHO_STR("far.away")));
  ck_assert_ptr_null(echo_context_op_spec_or_null(ctx, info));
  ck_assert(!echo_context_allows_unregistered(ctx));
  echo_context_allow_unregistered(ctx, true);
  ck_assert(echo_context_allows_unregistered(ctx));
}
END_TEST

/* ---- source buffers ---- */

static void check_position(uint32_t buffer, uint64_t offset, uint32_t line, uint32_t column,
                           const char *source)
{
  EchoLoc loc = echo_loc_in_buffer(buffer, offset);
  EchoStr file;
  uint32_t found_line, found_column;
  ck_assert(echo_loc_resolve(ctx, loc, &file, &found_line, &found_column));
  ck_assert(echo_str_is(file, "a.mlir"));
  ck_assert_uint_eq(found_line, line);
  ck_assert_uint_eq(found_column, column);
  ck_assert_msg(echo_str_is(echo_loc_source_line(ctx, loc), source), "line '%.*s'",
                ECHO_STR_ARG(echo_loc_source_line(ctx, loc)));
}

START_TEST(positions_resolve)
{
  uint32_t other = echo_context_add_buffer(ctx, ECHO_STR("b.mlir"), ECHO_STR("x"), 1);
  uint32_t buffer =
      echo_context_add_buffer(ctx, ECHO_STR("a.mlir"), ECHO_STR("one\n\n  three\r\nlast"), 10);
  ck_assert_uint_ne(other, buffer);
  check_position(buffer, 0, 10, 1, "one");
  check_position(buffer, 3, 10, 4, "one");
  check_position(buffer, 4, 11, 1, "");
  check_position(buffer, 7, 12, 3, "  three");
  check_position(buffer, 14, 13, 1, "last");
  check_position(buffer, 18, 13, 5, "last"); /* the end */
  check_position(buffer, 1000, 13, 5, "last");
  const EchoAttr *attr = echo_loc_attr(ctx, echo_loc_in_buffer(buffer, 7));
  ck_assert_ptr_eq(attr, echo_attr_location_file(ctx, ECHO_STR("a.mlir"), 12, 3));
}
END_TEST

START_TEST(an_empty_buffer_resolves)
{
  uint32_t buffer = echo_context_add_buffer(ctx, ECHO_STR("a.mlir"), ECHO_STR(""), 1);
  check_position(buffer, 0, 1, 1, "");
  ck_assert(echo_loc_in_buffer(0, 0).bits != 0);
}
END_TEST

START_TEST(location_attributes_resolve)
{
  EchoStr file = ECHO_STR("x");
  uint32_t line, column;
  const EchoAttr *unknown = echo_attr_location_unknown(ctx);
  ck_assert_uint_eq(echo_loc_from_attr(unknown).bits, 0);
  ck_assert_ptr_eq(echo_loc_attr(ctx, echo_loc_unknown()), unknown);
  ck_assert(!echo_loc_resolve(ctx, echo_loc_unknown(), &file, &line, &column));
  ck_assert(echo_str_is(echo_loc_source_line(ctx, echo_loc_unknown()), ""));

  const EchoAttr *first = echo_attr_location_file(ctx, ECHO_STR("f"), 1, 2);
  const EchoAttr *second = echo_attr_location_file(ctx, ECHO_STR("g"), 3, 4);
  const EchoAttr *nameless = echo_attr_location_name(ctx, ECHO_STR("n"), NULL);
  const EchoAttr *named = echo_attr_location_name(ctx, ECHO_STR("n"), second);
  const EchoAttr *call = echo_attr_location_call_site(ctx, nameless, first);
  const EchoAttr *parts[] = {nameless, named, first};
  const EchoAttr *fused = echo_attr_location_fused(ctx, parts, 3, NULL);

  ck_assert(!echo_loc_resolve(ctx, echo_loc_from_attr(nameless), &file, &line, &column));
  ck_assert(echo_loc_resolve(ctx, echo_loc_from_attr(named), &file, &line, &column));
  ck_assert_uint_eq(line, 3);
  ck_assert(echo_loc_resolve(ctx, echo_loc_from_attr(call), &file, &line, &column));
  ck_assert_uint_eq(line, 1);
  ck_assert_uint_eq(column, 2);
  ck_assert(echo_loc_resolve(ctx, echo_loc_from_attr(fused), &file, &line, &column));
  ck_assert(echo_str_is(file, "g"));
  ck_assert_ptr_eq(echo_loc_attr(ctx, echo_loc_from_attr(fused)), fused);
  ck_assert(echo_str_is(echo_loc_source_line(ctx, echo_loc_from_attr(fused)), ""));
}
END_TEST

static void check_description(const EchoAttr *location, const char *expected)
{
  EchoBuffer text = {0};
  EchoLoc loc = echo_loc_from_attr(location);
  ck_assert(echo_loc_describe(ctx, loc, &text) == (expected[0] != '\0'));
  ck_assert_str_eq(echo_buffer_c_str(&text), expected);
  echo_buffer_destroy(&text);
}

START_TEST(locations_are_described)
{
  const EchoAttr *unknown = echo_attr_location_unknown(ctx);
  const EchoAttr *place = echo_attr_location_file(ctx, ECHO_STR("f"), 1, 2);
  const EchoAttr *layer = echo_attr_location_name(ctx, ECHO_STR("decoder.0"), unknown);
  const EchoAttr *lines = echo_attr_location_name(ctx, ECHO_STR("a\nb"), place);
  const EchoAttr *both = echo_attr_location_name(ctx, ECHO_STR("inner"), place);
  const EchoAttr *outer = echo_attr_location_name(ctx, ECHO_STR("outer"), both);
  const EchoAttr *parts[] = {place, layer};
  check_description(unknown, "");
  check_description(place, "f:1:2");
  check_description(layer, "decoder.0");
  check_description(lines, "a b f:1:2"); /* on one line */
  check_description(outer, "outer f:1:2");
  check_description(echo_attr_location_call_site(ctx, layer, place), "decoder.0 f:1:2");
  check_description(echo_attr_location_fused(ctx, parts, 2, NULL), "decoder.0 f:1:2");
  ck_assert(echo_str_is(echo_loc_name(echo_loc_unknown()), ""));
  ck_assert(echo_str_is(echo_loc_name(echo_loc_from_attr(place)), ""));
  uint32_t buffer = echo_context_add_buffer(ctx, ECHO_STR("b"), ECHO_STR("text"), 1);
  ck_assert(echo_str_is(echo_loc_name(echo_loc_in_buffer(buffer, 0)), ""));
  ck_assert(echo_str_is(echo_context_buffer_text(ctx, buffer), "text"));
  ck_assert_uint_eq(echo_context_buffer_text(ctx, buffer + 1).size, 0);
}
END_TEST

START_TEST(deep_locations_need_no_stack)
{
  const EchoAttr *location = echo_attr_location_file(ctx, ECHO_STR("f"), 1, 2);
  for (int i = 0; i < 200000; ++i)
    location = echo_attr_location_call_site(
        ctx, echo_attr_location_name(ctx, ECHO_STR("n"), location), location);
  EchoStr file;
  uint32_t line, column;
  ck_assert(echo_loc_resolve(ctx, echo_loc_from_attr(location), &file, &line, &column));
  ck_assert_uint_eq(line, 1);
}
END_TEST

/* ---- memory of the IR ---- */

START_TEST(pieces_know_their_context_and_are_reused)
{
  EchoContext *other = echo_context_create();
  size_t sizes[] = {0, 1, 16, 17, 200, 1024, 1025, 4096, 65536, 65537, 262144, 5000000};
  enum { N = sizeof sizes / sizeof sizes[0] };
  void *pieces[N];
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 0; i < N; ++i) {
      pieces[i] = echo_ir_alloc(round == 1 ? other : ctx, sizes[i]);
      ck_assert_uint_eq((uintptr_t)pieces[i] % 8, 0);
      memset(pieces[i], (int)i, sizes[i]);
      ck_assert_ptr_eq(echo_ir_context(pieces[i]), round == 1 ? other : ctx);
    }
    for (size_t i = 0; i < N; ++i)
      for (size_t k = 0; k < sizes[i]; k += 97)
        if (((unsigned char *)pieces[i])[k] != i)
          ck_abort_msg("pieces overlap");
    for (size_t i = N; i-- > 0;)
      echo_ir_free(round == 1 ? other : ctx, pieces[i], sizes[i]);
    ck_assert_uint_eq(ctx->ir.live_bytes, 0);
  }
  void *first = echo_ir_alloc(ctx, 201);
  echo_ir_free(ctx, first, 201);
  ck_assert_ptr_eq(echo_ir_alloc(ctx, 208), first); /* one class */
  echo_ir_free(ctx, NULL, 10);
  echo_context_destroy(other);
}
END_TEST

START_TEST(churn_does_not_grow)
{
  void *pieces[64] = {0};
  size_t sizes[64] = {0};
  uint64_t state = 1, bytes_after_warm_up = 0;
  for (int i = 0; i < 2000000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    size_t at = state >> 58;
    echo_ir_free(ctx, pieces[at], sizes[at]);
    sizes[at] = (state >> 20) % 900;
    pieces[at] = echo_ir_alloc(ctx, sizes[at]);
    if (i == 1000000)
      bytes_after_warm_up = ctx->ir.slab_bytes;
  }
  ck_assert_uint_le(ctx->ir.slab_bytes, bytes_after_warm_up + ECHO_IR_SLAB_BYTES);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("context");
  TCase *cases = tcase_create("context");
  tcase_add_checked_fixture(cases, set_up, tear_down);
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, equal_strings_are_one);
  tcase_add_test(cases, many_strings_stay_where_they_are);
  tcase_add_test(cases, rows_are_found);
  tcase_add_test(cases, rows_are_parsed);
  tcase_add_test(cases, later_dialects_use_earlier_constraints);
  tcase_add_test(cases, common_constraints);
  tcase_add_test(cases, common_attr_constraints);
  tcase_add_loop_test_raise_signal(cases, mistakes_in_rows_panic, SIGABRT, 0, N_BAD_ROWS);
  tcase_add_test_raise_signal(cases, two_rows_of_a_name_panic, SIGABRT);
  tcase_add_test_raise_signal(cases, two_dialects_of_a_name_panic, SIGABRT);
  tcase_add_test_raise_signal(cases, unknown_op_panics, SIGABRT);
  tcase_add_test(cases, unregistered_rows);
  tcase_add_test(cases, positions_resolve);
  tcase_add_test(cases, an_empty_buffer_resolves);
  tcase_add_test(cases, location_attributes_resolve);
  tcase_add_test(cases, locations_are_described);
  tcase_add_test(cases, deep_locations_need_no_stack);
  tcase_add_test(cases, pieces_know_their_context_and_are_reused);
  tcase_add_test(cases, churn_does_not_grow);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
