/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Attributes are uniqued by value; dense data is shared, splat where it can be, and read back
 * element by element. */
#include "ir/attributes/attribute.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>

#include "ir/attributes/element.h"
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

static const EchoType *vector_of(int64_t n, const EchoType *element)
{
  return echo_type_tensor(ctx, &n, 1, element, NULL);
}

/* Every sort of attribute, each different from the others. */
enum { N_SAMPLES = 62 };
static void make_samples(EchoContext *in, const EchoAttr **samples)
{
  size_t n = 0;
  const EchoType *f32 = echo_type_f32(in), *i64 = echo_type_i64(in);
  const EchoType *i128 = echo_type_integer(in, 128, ECHO_SIGNLESS);
  const EchoType *f128 = echo_type_float(in, ECHO_F128);
  int64_t dims[1] = {4}, i64s[4] = {1, 2, 3, 4};
  float f32s[4] = {1, 2, 3, 4};
  int32_t i32s[4] = {1, 2, 3, 4};
  bool bools[4] = {true, false, false, true};
  const EchoType *f32x4 = echo_type_tensor(in, dims, 1, f32, NULL);
  const EchoType *i64x4 = echo_type_tensor(in, dims, 1, i64, NULL);
  const EchoAttr *zero = echo_attr_i64(in, 0), *one = echo_attr_i64(in, 1);
  const EchoAttr *pair[2] = {zero, one};
  EchoNamedAttr entries[2] = {{ECHO_STR("b"), one}, {ECHO_STR("a"), zero}};
  EchoStr nested[2] = {ECHO_STR("x"), ECHO_STR("y")};

  samples[n++] = echo_attr_unit(in);
  samples[n++] = echo_attr_bool(in, false);
  samples[n++] = echo_attr_bool(in, true);
  samples[n++] = zero;
  samples[n++] = one;
  samples[n++] = echo_attr_i64(in, -1);
  samples[n++] = echo_attr_i32(in, 1);
  samples[n++] = echo_attr_integer(in, echo_type_index(in), 1);
  samples[n++] = echo_attr_integer(in, echo_type_integer(in, 64, ECHO_UNSIGNED), 1);
  samples[n++] = echo_attr_integer(in, i128, 1);
  samples[n++] = echo_attr_integer(in, i128, -1);
  samples[n++] = echo_attr_integer_words(in, i128, (uint64_t[2]){1, 1});
  samples[n++] = echo_attr_float(in, f32, 0.0);
  samples[n++] = echo_attr_float(in, f32, -0.0);
  samples[n++] = echo_attr_float(in, f32, (double)NAN);
  samples[n++] = echo_attr_float_bits(in, f32, 0x7fc00001);
  samples[n++] = echo_attr_float(in, echo_type_f64(in), 0.0);
  samples[n++] = echo_attr_float(in, f128, 0.0);
  samples[n++] = echo_attr_float(in, f128, 1.0);
  samples[n++] = echo_attr_float_words(in, f128, (uint64_t[2]){1, 0});
  samples[n++] = echo_attr_string(in, ECHO_STR(""));
  samples[n++] = echo_attr_string(in, ECHO_STR("s"));
  samples[n++] = echo_attr_string_typed(in, ECHO_STR("s"), i64);
  samples[n++] = echo_attr_string_typed(in, ECHO_STR("s"), f32);
  samples[n++] = echo_attr_array(in, NULL, 0);
  samples[n++] = echo_attr_array(in, pair, 1);
  samples[n++] = echo_attr_array(in, pair, 2);
  samples[n++] = echo_attr_dictionary(in, NULL, 0);
  samples[n++] = echo_attr_dictionary(in, entries, 1);
  samples[n++] = echo_attr_dictionary(in, entries, 2);
  samples[n++] = echo_attr_type(in, i64);
  samples[n++] = echo_attr_type(in, f32);
  samples[n++] = echo_attr_symbol(in, ECHO_STR("s"));
  samples[n++] = echo_attr_symbol_nested(in, ECHO_STR("s"), nested, 1);
  samples[n++] = echo_attr_symbol_nested(in, ECHO_STR("s"), nested, 2);
  samples[n++] = echo_attr_elements(in, f32x4, f32s, sizeof f32s, false);
  samples[n++] = echo_attr_elements(in, i64x4, i64s, sizeof i64s, false);
  samples[n++] = echo_attr_splat_f64(in, f32x4, 1);
  samples[n++] = echo_attr_splat_i64(in, i64x4, 1);
  samples[n++] = echo_attr_dense_strings(in, i64x4, (const EchoAttr *const[]){samples[21]}, 1);
  samples[n++] = echo_attr_dense_resource(in, i64x4, ECHO_STR("s"));
  samples[n++] = echo_attr_dense_resource(in, f32x4, ECHO_STR("s"));
  samples[n++] = echo_attr_sparse(in, i64x4, samples[36], samples[35]);
  samples[n++] = echo_attr_i64_array(in, i64s, 4);
  samples[n++] = echo_attr_i64_array(in, i64s, 0);
  samples[n++] = echo_attr_i32_array(in, i32s, 4);
  samples[n++] = echo_attr_i32_array(in, NULL, 0);
  samples[n++] = echo_attr_bool_array(in, bools, 4);
  samples[n++] = echo_attr_dense_array(in, f32, f32s, 4);
  samples[n++] = echo_attr_location_unknown(in);
  samples[n++] = echo_attr_location_file(in, ECHO_STR("f"), 1, 2);
  samples[n++] = echo_attr_location_file(in, ECHO_STR("f"), 2, 1);
  samples[n++] = echo_attr_location_name(in, ECHO_STR("n"), NULL);
  samples[n++] = echo_attr_location_name(in, ECHO_STR("n"), samples[50]);
  samples[n++] = echo_attr_location_call_site(in, samples[50], samples[51]);
  samples[n++] = echo_attr_location_call_site(in, samples[51], samples[50]);
  samples[n++] =
      echo_attr_location_fused(in, (const EchoAttr *const[]){samples[50], samples[51]}, 2, NULL);
  samples[n++] =
      echo_attr_location_fused(in, (const EchoAttr *const[]){samples[50], samples[51]}, 2, one);
  samples[n++] = echo_attr_distinct(in, 1, one);
  samples[n++] = echo_attr_distinct(in, 2, one);
  samples[n++] = echo_attr_opaque(in, ECHO_STR("d"), ECHO_STR("s"), false);
  samples[n++] = echo_attr_opaque(in, ECHO_STR("d"), ECHO_STR("s"), true);
  ck_assert_uint_eq(n, N_SAMPLES);
}

START_TEST(equal_attributes_are_one)
{
  const EchoAttr *first[N_SAMPLES], *second[N_SAMPLES];
  make_samples(ctx, first);
  make_samples(ctx, second);
  for (size_t i = 0; i < N_SAMPLES; ++i)
    for (size_t j = 0; j < N_SAMPLES; ++j)
      ck_assert_msg((first[i] == second[j]) == (i == j), "attributes %zu and %zu", i, j);
}
END_TEST

START_TEST(hashes_are_the_same_in_every_context)
{
  EchoContext *other = echo_context_create();
  for (int i = 0; i < 1000; ++i) /* other addresses */
    echo_attr_i64(other, 1000 + i);
  const EchoAttr *first[N_SAMPLES], *second[N_SAMPLES];
  make_samples(ctx, first);
  make_samples(other, second);
  for (size_t i = 0; i < N_SAMPLES; ++i)
    ck_assert_msg(first[i]->hash == second[i]->hash, "attribute %zu", i);
  echo_context_destroy(other);
}
END_TEST

START_TEST(a_hit_allocates_nothing)
{
  const EchoAttr *samples[N_SAMPLES];
  make_samples(ctx, samples);
  char *cursor = ctx->arena.cursor;
  uint64_t total_bytes = ctx->arena.total_bytes;
  make_samples(ctx, samples);
  ck_assert_ptr_eq(ctx->arena.cursor, cursor);
  ck_assert_uint_eq(ctx->arena.total_bytes, total_bytes);
}
END_TEST

/* ---- numbers ---- */

START_TEST(integers_are_truncated)
{
  const EchoType *i8 = echo_type_integer(ctx, 8, ECHO_SIGNLESS);
  const EchoType *ui8 = echo_type_integer(ctx, 8, ECHO_UNSIGNED);
  const EchoType *i0 = echo_type_integer(ctx, 0, ECHO_SIGNLESS);
  ck_assert_int_eq(echo_attr_integer(ctx, i8, 255)->as.integer.value, -1);
  ck_assert_ptr_eq(echo_attr_integer(ctx, i8, 255), echo_attr_integer(ctx, i8, -1));
  ck_assert_int_eq(echo_attr_integer(ctx, ui8, -1)->as.integer.value, 255);
  ck_assert_int_eq(echo_attr_integer(ctx, i8, 256)->as.integer.value, 0);
  ck_assert_int_eq(echo_attr_integer(ctx, i0, 5)->as.integer.value, 0);
  ck_assert_int_eq(echo_attr_integer(ctx, echo_type_i1(ctx), -1)->as.integer.value, 1);
  ck_assert_ptr_eq(echo_attr_integer(ctx, echo_type_i1(ctx), -1), echo_attr_bool(ctx, true));
  ck_assert_int_eq(echo_attr_i64(ctx, INT64_MIN)->as.integer.value, INT64_MIN);
  ck_assert_ptr_eq(echo_attr_integer_words(ctx, i8, (uint64_t[1]){511}),
                   echo_attr_integer(ctx, i8, -1));
}
END_TEST

START_TEST(wide_integers)
{
  const EchoType *i100 = echo_type_integer(ctx, 100, ECHO_SIGNLESS);
  const EchoType *ui100 = echo_type_integer(ctx, 100, ECHO_UNSIGNED);
  const EchoAttr *minus_one = echo_attr_integer(ctx, i100, -1);
  ck_assert_uint_eq(minus_one->as.integer.words[0], UINT64_MAX);
  ck_assert_uint_eq(minus_one->as.integer.words[1], (UINT64_C(1) << 36) - 1);
  ck_assert_ptr_eq(minus_one,
                   echo_attr_integer_words(ctx, i100, (uint64_t[2]){UINT64_MAX, UINT64_MAX}));
  ck_assert_uint_eq(echo_attr_integer(ctx, ui100, -1)->as.integer.words[1], 0);
  ck_assert_int_eq(minus_one->as.integer.value, -1);
  ck_assert_ptr_null(echo_attr_i64(ctx, 1)->as.integer.words);
}
END_TEST

START_TEST(floats_are_rounded)
{
  const EchoAttr *tenth = echo_attr_float(ctx, echo_type_f32(ctx), 0.1);
  ck_assert_uint_eq(tenth->as.floating.bits, 0x3dcccccd);
  ck_assert(tenth->as.floating.value == (double)0.1f);
  ck_assert_ptr_eq(tenth, echo_attr_float(ctx, echo_type_f32(ctx), (double)0.1f));
  ck_assert_ptr_eq(tenth, echo_attr_float_bits(ctx, echo_type_f32(ctx), 0x3dcccccd));
  const EchoType *f8 = echo_type_float(ctx, ECHO_F8E4M3FN);
  ck_assert_uint_eq(echo_attr_float(ctx, f8, 1.0)->as.floating.bits, 0x38);
  ck_assert_ptr_eq(echo_attr_float_bits(ctx, f8, 0xf38), echo_attr_float(ctx, f8, 1.0));
  const EchoAttr *wide = echo_attr_float(ctx, echo_type_float(ctx, ECHO_F80), 1.0);
  ck_assert_uint_eq(wide->as.floating.words[0], UINT64_C(1) << 63);
  ck_assert_uint_eq(wide->as.floating.words[1], 16383);
  ck_assert(wide->as.floating.value == 1.0);
}
END_TEST

/* The last diagnostic, and whether it is an answer to who made the call. */
static void expect_misuse(const EchoAttr *answer, const char *message)
{
  ck_assert_ptr_null(answer);
  size_t n = echo_context_n_diagnostics(ctx);
  ck_assert_uint_ne(n, 0);
  ck_assert_str_eq(echo_context_diagnostic(ctx, n - 1)->message, message);
}

START_TEST(scalars_are_checked)
{
  const EchoType *f32 = echo_type_f32(ctx), *i32 = echo_type_i32(ctx);
  expect_misuse(echo_attr_integer(ctx, f32, 1),
                "an integer attribute is made: 'type' is f32, no integer or index");
  expect_misuse(echo_attr_integer(ctx, NULL, 1), "an attribute is made: 'type' is NULL");
  expect_misuse(echo_attr_float(ctx, i32, 1), "a float attribute is made: 'type' is i32, no float");
  expect_misuse(echo_attr_float_bits(ctx, NULL, 1), "an attribute is made: 'type' is NULL");
  expect_misuse(echo_attr_type(ctx, NULL), "an attribute is made: 'value' is NULL");
  expect_misuse(echo_attr_array(ctx, NULL, 2), "an attribute is made: 'elements' is NULL");
  const EchoAttr *missing[] = {echo_attr_unit(ctx), NULL};
  expect_misuse(echo_attr_array(ctx, missing, 2), "an attribute is made: 'elements[]' is NULL");
}
END_TEST

START_TEST(compounds_are_checked)
{
  const EchoAttr *unit = echo_attr_unit(ctx), *place = echo_attr_location_unknown(ctx);
  const EchoAttr *missing[] = {place, NULL}, *wrong[] = {unit};
  const EchoType *four = vector_of(4, echo_type_f32(ctx));
  EchoStr name = ECHO_STR("n");
  expect_misuse(echo_attr_sparse(ctx, NULL, unit, unit), "an attribute is made: 'type' is NULL");
  expect_misuse(echo_attr_sparse(ctx, four, NULL, unit), "an attribute is made: 'indices' is NULL");
  const float zero = 0;
  const EchoAttr *zeros = echo_attr_elements(ctx, four, &zero, sizeof zero, true);
  expect_misuse(echo_attr_sparse(ctx, four, zeros, NULL), "an attribute is made: 'values' is NULL");
  expect_misuse(echo_attr_sparse(ctx, four, unit, zeros),
                "an attribute is made: 'indices' is unit");
  expect_misuse(echo_attr_sparse(ctx, echo_type_f32(ctx), zeros, zeros),
                "an attribute is made: 'type' is f32, not shaped");
  expect_misuse(echo_attr_dense_strings(ctx, four, wrong, 1),
                "an attribute is made: 'strings[]' is unit");
  expect_misuse(echo_attr_dense_strings(ctx, NULL, NULL, 0),
                "an attribute is made: 'type' is NULL");
  expect_misuse(echo_attr_dense_strings(ctx, four, NULL, 2),
                "an attribute is made: 'strings' is NULL");
  expect_misuse(echo_attr_dense_strings(ctx, four, missing + 1, 1),
                "an attribute is made: 'strings[]' is NULL");
  expect_misuse(echo_attr_dense_resource(ctx, NULL, name), "an attribute is made: 'type' is NULL");
  expect_misuse(echo_attr_distinct(ctx, 1, NULL), "an attribute is made: 'value' is NULL");
  expect_misuse(echo_attr_symbol_nested(ctx, name, NULL, 2),
                "an attribute is made: 'nested' is NULL");
  expect_misuse(echo_attr_dense_array(ctx, echo_type_i64(ctx), missing, SIZE_MAX / 4),
                "a dense array is made: 'size' is 4611686018427387903, too many");
  expect_misuse(echo_attr_location_name(ctx, name, unit),
                "a location is made: 'child' is unit, no location");
  expect_misuse(echo_attr_location_call_site(ctx, NULL, place),
                "an attribute is made: 'callee' is NULL");
  expect_misuse(echo_attr_location_call_site(ctx, place, unit),
                "a location is made: 'caller' is unit, no location");
  expect_misuse(echo_attr_location_fused(ctx, NULL, 2, NULL),
                "an attribute is made: 'parts' is NULL");
  expect_misuse(echo_attr_location_fused(ctx, missing, 2, NULL),
                "an attribute is made: 'parts[]' is NULL");
  expect_misuse(echo_attr_location_fused(ctx, wrong, 1, NULL),
                "a location is made: 'parts[]' is unit, no location");
}
END_TEST

START_TEST(words_and_texts_are_there)
{
  const EchoType *i128 = echo_type_integer(ctx, 128, ECHO_SIGNLESS),
                 *i8 = echo_type_integer(ctx, 8, ECHO_SIGNLESS);
  const EchoAttr *unit = echo_attr_unit(ctx);
  const EchoStr nothing = {NULL, 3}, d = ECHO_STR("d"), text = ECHO_STR("t<1>");
  const EchoTextPart both = {2, 1, unit, i8}, none = {2, 1, NULL, NULL},
                     beyond = {4, 1, unit, NULL};
  const EchoTextPart overlap[] = {{0, 2, unit, NULL}, {1, 2, unit, NULL}};
  EchoLoc nowhere = echo_loc_unknown();
  const unsigned char wide = 2;
  expect_misuse(echo_attr_integer_words(ctx, i128, NULL), "an attribute is made: 'words' is NULL");
  expect_misuse(echo_attr_integer_words(ctx, i8, NULL), "an attribute is made: 'words' is NULL");
  expect_misuse(echo_attr_float_words(ctx, echo_type_f32(ctx), NULL),
                "an attribute is made: 'words' is NULL");
  expect_misuse(echo_attr_string(ctx, nothing),
                "an attribute is made: 'value' is NULL, of 3 bytes");
  expect_misuse(echo_attr_opaque_or_null(ctx, nowhere, nothing, text, true),
                "an attribute is made: 'dialect' is NULL, of 3 bytes");
  expect_misuse(echo_attr_opaque_or_null(ctx, nowhere, d, nothing, true),
                "an attribute is made: 'text' is NULL, of 3 bytes");
  expect_misuse(echo_attr_opaque_or_null(ctx, nowhere, ECHO_STR(""), text, true),
                "an attribute is made: 'dialect' is empty");
#define OF_PARTS(parts, n)                                                                         \
  echo_attr_opaque_of_parts_or_null(ctx, nowhere, d, text, true, NULL, parts, n)
  expect_misuse(OF_PARTS(NULL, 1), "an attribute is made: 'parts' is NULL, of which there are 1");
  expect_misuse(OF_PARTS(&both, 1),
                "an attribute is made: 'parts[0]' is not either an attribute or a type");
  expect_misuse(OF_PARTS(&none, 1),
                "an attribute is made: 'parts[0]' is not either an attribute or a type");
  expect_misuse(OF_PARTS(&beyond, 1),
                "an attribute is made: 'parts[0]' does not stand in 'text', in order");
  expect_misuse(OF_PARTS(overlap, 2),
                "an attribute is made: 'parts[1]' does not stand in 'text', in order");
#undef OF_PARTS
  expect_misuse(echo_attr_dense_array(ctx, echo_type_i1(ctx), &wide, 1),
                "a dense array is made: 'data' has bits above its elements");
  expect_misuse(echo_dictionary_with(ctx, unit, d, unit),
                "an attribute is made: 'dictionary' is none");
  const EchoAffineExpr *d1 = echo_affine_dim(ctx, 1), *s0 = echo_affine_symbol(ctx, 0);
  expect_misuse(
      echo_attr_affine_map(ctx, 1, 0, &d1, 1),
      "an affine attribute is made: 'results[0]' has a dimension above 'n_dims', which is 1");
  expect_misuse(
      echo_attr_integer_set(ctx, 2, 0, &s0, 0, 1),
      "an affine attribute is made: 'constraints[0]' has a symbol above 'n_symbols', which is 0");
  ck_assert_ptr_nonnull(echo_attr_affine_map(ctx, 2, 0, &d1, 1));
}
END_TEST

START_TEST(another_contexts_are_refused)
{
  EchoContext *other = echo_context_create();
  const EchoAttr *unit = echo_attr_unit(other), *place = echo_attr_location_unknown(other);
  const EchoType *f32 = echo_type_f32(other), *i32 = echo_type_i32(other);
  const EchoNamedAttr entry = {ECHO_STR("n"), unit};
  const float number = 1;
  expect_misuse(echo_attr_integer(ctx, i32, 1),
                "an attribute is made: 'type' is of another context");
  expect_misuse(echo_attr_float(ctx, f32, 1), "an attribute is made: 'type' is of another context");
  expect_misuse(echo_attr_string_typed(ctx, ECHO_STR("s"), f32),
                "an attribute is made: 'type' is of another context");
  expect_misuse(echo_attr_type(ctx, f32), "an attribute is made: 'value' is of another context");
  expect_misuse(echo_attr_array(ctx, &unit, 1),
                "an attribute is made: 'elements[]' is of another context");
  expect_misuse(echo_attr_dictionary(ctx, &entry, 1),
                "an attribute is made: 'entries[].value' is of another context");
  expect_misuse(echo_dictionary_with(ctx, NULL, ECHO_STR("n"), unit),
                "an attribute is made: 'value' is of another context");
  expect_misuse(echo_dictionary_with(ctx, unit, ECHO_STR("n"), NULL),
                "an attribute is made: 'dictionary' is of another context");
  expect_misuse(echo_attr_dense_array(ctx, f32, &number, 1),
                "a dense array is made: 'element' is of another context");
  expect_misuse(
      echo_attr_elements(ctx, echo_type_tensor(other, NULL, 0, f32, NULL), &number, 4, false),
      "dense elements are made: 'type' is of another context");
  const EchoTextPart part = {0, 1, unit, NULL};
  const EchoAffineExpr *d0 = echo_affine_dim(other, 0), *mine = echo_affine_dim(ctx, 0);
  expect_misuse(echo_attr_opaque_of_parts_or_null(ctx, echo_loc_unknown(), ECHO_STR("d"),
                                                  ECHO_STR("t"), true, NULL, &part, 1),
                "an attribute is made: 'parts[0]' is of another context");
  expect_misuse(echo_attr_opaque_of_parts_or_null(ctx, echo_loc_unknown(), ECHO_STR("d"),
                                                  ECHO_STR("t"), true, f32, NULL, 0),
                "an attribute is made: 'type' is of another context");
  expect_misuse(echo_attr_splat_f64(ctx, echo_type_tensor(other, NULL, 0, f32, NULL), 1),
                "a splat is made: 'type' is of another context");
  expect_misuse(echo_attr_affine_map(ctx, 1, 0, &d0, 1),
                "an affine attribute is made: 'results[0]' is of another context");
  ck_assert_ptr_null(echo_affine_binary(ctx, ECHO_AFFINE_ADD, mine, d0));
  expect_misuse(NULL, "an affine expression is made: 'rhs' is of another context");
  expect_misuse(echo_attr_location_name(ctx, ECHO_STR("n"), place),
                "an attribute is made: 'child' is of another context");
  expect_misuse(echo_attr_location_fused(ctx, NULL, 0, unit),
                "a location is made: 'metadata' is of another context");
  echo_context_destroy(other);
}
END_TEST

/* ---- dictionaries ---- */

START_TEST(dictionaries_are_sorted)
{
  EchoNamedAttr entries[40];
  char names[40][4];
  for (int i = 0; i < 40; ++i) {
    snprintf(names[i], sizeof names[i], "n%02d", (i * 7) % 40);
    entries[i] = (EchoNamedAttr){echo_str(names[i]), echo_attr_i64(ctx, (i * 7) % 40)};
  }
  const EchoAttr *large = echo_attr_dictionary(ctx, entries, 40);
  const EchoAttr *small = echo_attr_dictionary(ctx, entries, 5);
  for (size_t i = 0; i < 40; ++i) {
    ck_assert_int_eq(large->as.dictionary.entries[i].value->as.integer.value, (int)i);
    ck_assert_ptr_eq(echo_dictionary_get_or_null(large, names[i]), entries[i].value);
    bool in_small = i < 5;
    ck_assert_ptr_eq(echo_dictionary_get_or_null(small, names[i]),
                     in_small ? entries[i].value : NULL);
  }
  ck_assert_ptr_null(echo_dictionary_get_or_null(large, "n"));
  ck_assert_ptr_null(echo_dictionary_get_or_null(large, "z"));
  ck_assert_ptr_null(echo_dictionary_get_or_null(NULL, "z"));
  ck_assert_ptr_eq(large->as.dictionary.entries[3].name.data,
                   echo_context_intern(ctx, ECHO_STR("n03")).data);
}
END_TEST

START_TEST(dictionaries_change)
{
  const EchoAttr *one = echo_attr_i64(ctx, 1), *two = echo_attr_i64(ctx, 2);
  EchoNamedAttr entries[3] = {{ECHO_STR("a"), one}, {ECHO_STR("b"), one}, {ECHO_STR("c"), one}};
  const EchoAttr *empty = echo_attr_dictionary(ctx, NULL, 0);
  const EchoAttr *all = echo_attr_dictionary(ctx, entries, 3);
  const EchoAttr *built = NULL;
  built = echo_dictionary_with(ctx, built, ECHO_STR("c"), one);
  built = echo_dictionary_with(ctx, built, ECHO_STR("a"), one);
  built = echo_dictionary_with(ctx, built, ECHO_STR("b"), one);
  ck_assert_ptr_eq(built, all);
  ck_assert_ptr_eq(echo_dictionary_with(ctx, all, ECHO_STR("x"), NULL), all);
  ck_assert_ptr_eq(echo_dictionary_with(ctx, NULL, ECHO_STR("x"), NULL), empty);
  ck_assert_ptr_eq(echo_dictionary_with(ctx, all, ECHO_STR("b"), one), all);
  entries[1].value = two;
  ck_assert_ptr_eq(echo_dictionary_with(ctx, all, ECHO_STR("b"), two),
                   echo_attr_dictionary(ctx, entries, 3));
  built = echo_dictionary_with(ctx, all, ECHO_STR("c"), NULL);
  ck_assert_ptr_eq(
      built, echo_dictionary_with(ctx, echo_attr_dictionary(ctx, entries, 1), ECHO_STR("b"), one));
  built = echo_dictionary_with(ctx, built, ECHO_STR("a"), NULL);
  ck_assert_ptr_eq(echo_dictionary_with(ctx, built, ECHO_STR("b"), NULL), empty);
}
END_TEST

START_TEST(a_name_twice_is_refused)
{
  EchoNamedAttr entries[2] = {{ECHO_STR("a"), echo_attr_unit(ctx)},
                              {ECHO_STR("a"), echo_attr_unit(ctx)}};
  expect_misuse(echo_attr_dictionary(ctx, entries, 2),
                "a dictionary is made: 'entries' name 'a' twice");
  expect_misuse(echo_attr_dictionary(ctx, NULL, 2), "an attribute is made: 'entries' is NULL");
  entries[1].value = NULL;
  expect_misuse(echo_attr_dictionary(ctx, entries, 2),
                "an attribute is made: 'entries[].value' is NULL");
}
END_TEST

/* ---- dense data ---- */

START_TEST(equal_data_becomes_a_splat)
{
  float same[4] = {2, 2, 2, 2}, other[4] = {2, 2, 2, 3};
  const EchoType *f32x4 = vector_of(4, echo_type_f32(ctx));
  const EchoAttr *splat = echo_attr_elements(ctx, f32x4, same, sizeof same, false);
  ck_assert(splat->as.elements.is_splat);
  ck_assert_uint_eq(splat->as.elements.size_bytes, 4);
  ck_assert_ptr_eq(splat, echo_attr_elements(ctx, f32x4, same, 4, true));
  ck_assert_ptr_eq(splat, echo_attr_splat_f64(ctx, f32x4, 2));
  const EchoAttr *full = echo_attr_elements(ctx, f32x4, other, sizeof other, false);
  ck_assert(!full->as.elements.is_splat);
  other[3] = 9;
  ck_assert(echo_elements_f64(full, 3) == 3);
  ck_assert(echo_elements_f64(splat, 3) == 2);
  const EchoType *one = vector_of(1, echo_type_f32(ctx));
  ck_assert(echo_attr_elements(ctx, one, same, 4, false)->as.elements.is_splat);
}
END_TEST

START_TEST(empty_data)
{
  const EchoType *none = vector_of(0, echo_type_f32(ctx));
  const EchoAttr *empty = echo_attr_elements(ctx, none, NULL, 0, false);
  ck_assert_uint_eq(empty->as.elements.size_bytes, 0);
  ck_assert(!empty->as.elements.is_splat);
  const EchoAttr *splat = echo_attr_splat_f64(ctx, none, 3); /* of nothing, and yet written */
  ck_assert(splat != empty && splat->as.elements.is_splat);
  ck_assert_ptr_ne(splat, echo_attr_splat_f64(ctx, none, 4));
}
END_TEST

START_TEST(large_data_is_kept_once)
{
  enum { N = 1 << 20 };
  const EchoType *type = vector_of(N, echo_type_i32(ctx));
  int32_t *data = echo_alloc_aligned(N * sizeof *data, 64);
  for (int i = 0; i < N; ++i)
    data[i] = i;
  const EchoAttr *copied = echo_attr_elements(ctx, type, data, N * sizeof *data, false);
  ck_assert_ptr_ne(copied->as.elements.data, data);
  ck_assert_uint_eq((uintptr_t)copied->as.elements.data % 64, 0);
  int32_t *again = echo_alloc_aligned(N * sizeof *data, 64);
  memcpy(again, data, N * sizeof *data);
  ck_assert_ptr_eq(echo_attr_elements_adopt(ctx, type, again, N * sizeof *data, false), copied);
  data[5] = -5;
  const EchoAttr *adopted = echo_attr_elements_adopt(ctx, type, data, N * sizeof *data, false);
  ck_assert_ptr_eq(adopted->as.elements.data, data);
  ck_assert_int_eq(echo_elements_i64(adopted, 5), -5);
  ck_assert_int_eq(echo_elements_i64(copied, 5), 5);

  int32_t *same = echo_alloc_zero(N, sizeof *same); /* taken over, becomes a splat, freed */
  ck_assert(
      echo_attr_elements_adopt(ctx, type, same, N * sizeof *same, false)->as.elements.is_splat);
  int32_t *few = echo_alloc_array(2, sizeof *few);
  few[0] = 1, few[1] = 2;
  ck_assert_int_eq(
      echo_elements_i64(
          echo_attr_elements_adopt(ctx, vector_of(2, echo_type_i32(ctx)), few, 8, false), 1),
      2);
}
END_TEST

START_TEST(bits_above_the_width_do_not_count)
{
  const EchoType *i4x2 = vector_of(2, echo_type_integer(ctx, 4, ECHO_SIGNLESS));
  const EchoType *ui4x2 = vector_of(2, echo_type_integer(ctx, 4, ECHO_UNSIGNED));
  unsigned char dirty[2] = {0xff, 0x31}, tidy[2] = {0x0f, 0x01};
  const EchoAttr *attr = echo_attr_elements(ctx, i4x2, dirty, 2, false);
  ck_assert_ptr_eq(attr, echo_attr_elements(ctx, i4x2, tidy, 2, false));
  ck_assert_int_eq(echo_elements_i64(attr, 0), -1);
  ck_assert_int_eq(echo_elements_i64(attr, 1), 1);
  ck_assert_int_eq(echo_elements_i64(echo_attr_elements(ctx, ui4x2, dirty, 2, false), 0), 15);
}
END_TEST

START_TEST(splats_of_every_type)
{
  for (int kind = 0; kind < ECHO_N_FLOAT_KINDS; ++kind) {
    const EchoType *type = vector_of(3, echo_type_float(ctx, (EchoFloatKind)kind));
    ck_assert_msg(echo_elements_f64(echo_attr_splat_f64(ctx, type, 2.0), 2) == 2.0, "%s",
                  echo_float_name((EchoFloatKind)kind));
    ck_assert(echo_elements_f64(echo_attr_splat_i64(ctx, type, 4), 1) == 4.0);
  }
  for (uint32_t width = 2; width <= 200; ++width) {
    const EchoType *type = vector_of(3, echo_type_integer(ctx, width, ECHO_SIGNLESS));
    ck_assert_int_eq(echo_elements_i64(echo_attr_splat_i64(ctx, type, -2), 2), -2);
    ck_assert_int_eq(echo_elements_i64(echo_attr_splat_f64(ctx, type, -1.75), 0), -1);
  }
  const EchoType *complex = vector_of(3, echo_type_complex(ctx, echo_type_f32(ctx)));
  const float *parts = echo_attr_splat_f64(ctx, complex, 1.5)->as.elements.data;
  ck_assert(parts[0] == 1.5f && parts[1] == 0.0f);
  ck_assert_int_eq(
      echo_elements_i64(echo_attr_splat_i64(ctx, vector_of(3, echo_type_i1(ctx)), 1), 1), 1);
}
END_TEST

START_TEST(stored_numbers_saturate)
{
  const EchoType *i8 = echo_type_integer(ctx, 8, ECHO_SIGNLESS);
  const EchoType *ui64 = echo_type_integer(ctx, 64, ECHO_UNSIGNED);
  unsigned char bytes[8];
  struct {
    const EchoType *type;
    double value;
    int64_t expected;
  } cases[] = {{i8, 127.9, 127},
               {i8, 128, 127},
               {i8, -129, -128},
               {i8, 1e30, 127},
               {i8, (double)NAN, 0},
               {i8, -(double)INFINITY, -128},
               {ui64, -3, 0},
               {ui64, 1e30, -1},
               {ui64, 0x1p63, INT64_MIN},
               {echo_type_i64(ctx), 0x1p63, INT64_MAX},
               {echo_type_i1(ctx), 3.0, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    echo_element_store_f64(cases[i].type, bytes, cases[i].value);
    ck_assert_int_eq(echo_element_load_i64(cases[i].type, bytes), cases[i].expected);
  }
  echo_element_store_i64(ui64, bytes, -1);
  ck_assert(echo_element_load_f64(ui64, bytes) == 0x1p64);
}
END_TEST

START_TEST(lists_of_integers)
{
  int64_t values[3] = {-1, 7, INT64_MAX};
  const EchoAttr *array = echo_attr_i64_array(ctx, values, 3);
  const EchoAttr *dense =
      echo_attr_elements(ctx, vector_of(3, echo_type_i64(ctx)), values, sizeof values, false);
  bool flags[2] = {false, true};
  ck_assert_uint_eq(echo_attr_ints_size(array), 3);
  ck_assert_uint_eq(echo_attr_ints_size(dense), 3);
  for (size_t i = 0; i < 3; ++i) {
    ck_assert_int_eq(echo_attr_ints_get(array, i), values[i]);
    ck_assert_int_eq(echo_attr_ints_get(dense, i), values[i]);
  }
  ck_assert_int_eq(echo_attr_ints_get(echo_attr_bool_array(ctx, flags, 2), 1), 1);
  ck_assert_uint_eq(echo_attr_ints_size(echo_attr_i64_array(ctx, NULL, 0)), 0);
  const EchoAttr *splat = echo_attr_splat_i64(ctx, vector_of(5, echo_type_i64(ctx)), 9);
  ck_assert_uint_eq(echo_attr_ints_size(splat), 5);
  ck_assert_int_eq(echo_attr_ints_get(splat, 4), 9);
}
END_TEST

START_TEST(dense_data_is_checked)
{
  float data[3] = {1, 2, 3};
  const EchoType *f32 = echo_type_f32(ctx), *four = vector_of(4, f32);
  expect_misuse(echo_attr_elements(ctx, four, data, sizeof data, false),
                "dense elements are made: 'size_bytes' is 12, but tensor<4xf32> takes 16");
  expect_misuse(echo_attr_elements(ctx, four, NULL, 16, false),
                "dense elements are made: 'data' is NULL");
  expect_misuse(echo_attr_elements(ctx, NULL, data, sizeof data, false),
                "dense elements are made: 'type' is NULL");
  expect_misuse(echo_attr_elements(ctx, vector_of(ECHO_DYNAMIC, f32), data, 4, false),
                "dense elements are made: 'type' is tensor<?xf32>, without a static size");
  expect_misuse(echo_attr_elements(ctx, f32, data, 4, true),
                "dense elements are made: 'type' is f32, without a static size");
  expect_misuse(echo_attr_splat_f64(ctx, f32, 1),
                "a splat is made: 'type' is f32, whose elements are no numbers");
  expect_misuse(echo_attr_splat_i64(ctx, NULL, 1), "a splat is made: 'type' is NULL");
  expect_misuse(echo_attr_dense_array(ctx, NULL, data, 3),
                "a dense array is made: 'element' is NULL");
  expect_misuse(echo_attr_dense_array(ctx, four, data, 3),
                "a dense array is made: 'element' is tensor<4xf32>, no number");
  expect_misuse(echo_attr_i64_array(ctx, NULL, 3), "a dense array is made: 'values' is NULL");
  ck_assert_ptr_nonnull(echo_attr_i64_array(ctx, NULL, 0));
}
END_TEST

START_TEST(an_element_outside_panics)
{
  int64_t values[2] = {1, 2};
  echo_attr_ints_get(echo_attr_i64_array(ctx, values, 2), 2);
}
END_TEST

/* ---- locations and opaque attributes ---- */

START_TEST(fused_locations_are_flat)
{
  const EchoAttr *a = echo_attr_location_file(ctx, ECHO_STR("a"), 1, 1);
  const EchoAttr *b = echo_attr_location_file(ctx, ECHO_STR("b"), 1, 1);
  const EchoAttr *unknown = echo_attr_location_unknown(ctx), *tag = echo_attr_unit(ctx);
  const EchoAttr *both = echo_attr_location_fused(ctx, (const EchoAttr *const[]){a, b}, 2, NULL);
  const EchoAttr *list[] = {both, unknown, a, b};
  ck_assert_ptr_eq(echo_attr_location_fused(ctx, list, 4, NULL), both);
  ck_assert_ptr_eq(echo_attr_location_fused(ctx, list + 1, 2, NULL), a);
  ck_assert_ptr_eq(echo_attr_location_fused(ctx, list + 1, 1, NULL), unknown);
  const EchoAttr *tagged = echo_attr_location_fused(ctx, list, 4, tag);
  ck_assert_uint_eq(tagged->as.location.n_parts, 3); /* other metadata is not taken apart */
  ck_assert_ptr_eq(tagged->as.location.parts[0], both);
  const EchoAttr *nothing = echo_attr_location_fused(ctx, NULL, 0, tag);
  ck_assert_uint_eq(nothing->as.location.n_parts, 1);
  ck_assert_ptr_eq(nothing->as.location.parts[0], unknown);
}
END_TEST

static int n_parsed;

/* Payload: the number of characters; makes other attributes on the way; refuses "bad". */
static bool parse_length(EchoContext *in, EchoLoc loc, EchoStr text, bool is_pretty,
                         const void **payload)
{
  n_parsed++;
  for (int i = 0; i < 1000; ++i)
    echo_attr_i64(in, 77000 + i);
  if (echo_str_is(text, "bad"))
    return echo_error(in, loc, "refused");
  size_t *length = ECHO_ARENA_NEW(echo_context_arena(in), size_t);
  *length = text.size + is_pretty;
  *payload = length;
  return true;
}

START_TEST(opaque_attributes_are_parsed_once)
{
  static const EchoDialect DIALECT = {.name = "len", .parse_attr = parse_length};
  echo_context_register_dialect(ctx, &DIALECT);
  n_parsed = 0;
  const EchoAttr *attr = echo_attr_opaque(ctx, ECHO_STR("len"), ECHO_STR("four"), true);
  ck_assert_uint_eq(*(const size_t *)attr->as.opaque.payload, 5);
  ck_assert_ptr_eq(attr, echo_attr_opaque(ctx, ECHO_STR("len"), ECHO_STR("four"), true));
  ck_assert_int_eq(n_parsed, 1);
  EchoLoc nowhere = echo_loc_unknown();
  ck_assert_ptr_null(
      echo_attr_opaque_or_null(ctx, nowhere, ECHO_STR("len"), ECHO_STR("bad"), true));
  ck_assert_uint_eq(echo_context_n_errors(ctx), 1);
  ck_assert_ptr_null(
      echo_attr_opaque(ctx, ECHO_STR("other"), ECHO_STR("bad"), true)->as.opaque.payload);
}
END_TEST

START_TEST(a_million_integers)
{
  for (int round = 0; round < 2; ++round)
    for (int64_t i = 0; i < 1000000; ++i)
      if (echo_attr_i64(ctx, i)->as.integer.value != i)
        ck_abort_msg("%lld", (long long)i);
  ck_assert_uint_le(ctx->arena.total_bytes, 1000000 * 41);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("attribute");
  TCase *cases = tcase_create("attribute");
  tcase_add_checked_fixture(cases, set_up, tear_down);
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, equal_attributes_are_one);
  tcase_add_test(cases, hashes_are_the_same_in_every_context);
  tcase_add_test(cases, a_hit_allocates_nothing);
  tcase_add_test(cases, integers_are_truncated);
  tcase_add_test(cases, wide_integers);
  tcase_add_test(cases, floats_are_rounded);
  tcase_add_test(cases, scalars_are_checked);
  tcase_add_test(cases, compounds_are_checked);
  tcase_add_test(cases, words_and_texts_are_there);
  tcase_add_test(cases, another_contexts_are_refused);
  tcase_add_test(cases, dictionaries_are_sorted);
  tcase_add_test(cases, dictionaries_change);
  tcase_add_test(cases, a_name_twice_is_refused);
  tcase_add_test(cases, equal_data_becomes_a_splat);
  tcase_add_test(cases, empty_data);
  tcase_add_test(cases, large_data_is_kept_once);
  tcase_add_test(cases, bits_above_the_width_do_not_count);
  tcase_add_test(cases, splats_of_every_type);
  tcase_add_test(cases, stored_numbers_saturate);
  tcase_add_test(cases, lists_of_integers);
  tcase_add_test(cases, dense_data_is_checked);
  tcase_add_test_raise_signal(cases, an_element_outside_panics, SIGABRT);
  tcase_add_test(cases, fused_locations_are_flat);
  tcase_add_test(cases, opaque_attributes_are_parsed_once);
  tcase_add_test(cases, a_million_integers);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
