/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the parser makes of text: structure, scopes, locations, hooks, limits. The wording of errors
 * is tested by tests/golden/invalid. */
#include "ir/table/dialect.h"
#include "ir/text/asm.h"
#include "ir/text/text.h"
#include "tests/unit/suite.h"

static EchoContext *ctx;

/* ---- a dialect with pretty forms ---- */

/* test.add %a, %b {…} : type */
static bool parse_add(EchoAsmParser *parser)
{
  EchoAsmOperand *operands;
  const EchoType *type;
  size_t n;
  if (!echo_asm_parse_operand_list(parser, &operands, &n) || !echo_asm_try_attr_dict(parser) ||
      !echo_asm_parse_token(parser, ":") || !echo_asm_parse_type(parser, &type))
    return false;
  for (size_t i = 0; i < n; i++)
    if (!echo_asm_resolve_operand(parser, &operands[i], type))
      return false;
  return echo_asm_infer_results(parser);
}

static void print_add(EchoAsmPrinter *printer, const EchoOp *op)
{
  echo_asm_print(printer, " ");
  echo_asm_print_operands(printer, op, 0, op->n_operands);
  echo_asm_print_attr_dict(printer, op, NULL);
  echo_asm_print(printer, " : ");
  echo_asm_print_type(printer, echo_op_operand_type(op, 0));
}

/* test.loop %name : type loc(…) { … } */
static bool parse_loop(EchoAsmParser *parser)
{
  EchoAsmOperand arg;
  const EchoType *type;
  if (!echo_asm_parse_operand(parser, &arg) || !echo_asm_parse_token(parser, ":") ||
      !echo_asm_parse_type(parser, &type))
    return false;
  EchoLoc loc = arg.loc;
  return echo_asm_try_loc(parser, &loc) && echo_asm_parse_region(parser, &arg, &type, &loc, 1);
}

static void print_loop(EchoAsmPrinter *printer, const EchoOp *op)
{
  const EchoBlock *body = op->regions[0].first;
  echo_asm_print(printer, " ");
  echo_asm_print_value(printer, echo_block_arg(body, 0));
  echo_asm_print(printer, " : ");
  echo_asm_print_type(printer, echo_block_arg(body, 0)->type);
  echo_asm_print_loc(printer, body->args[0]->loc);
  echo_asm_print(printer, " ");
  echo_asm_print_region(printer, &op->regions[0], false, true);
}

/* test.scope { … } */
static bool parse_scope(EchoAsmParser *parser)
{
  return echo_asm_parse_region(parser, NULL, NULL, NULL, 0);
}

static void print_scope(EchoAsmPrinter *printer, const EchoOp *op)
{
  echo_asm_print(printer, " ");
  echo_asm_print_region(printer, &op->regions[0], true, true);
}

/* test.const value: named "c" and its value. */
static bool parse_const(EchoAsmParser *parser)
{
  const EchoAttr *value;
  if (!echo_asm_parse_attr(parser, NULL, &value))
    return false;
  echo_asm_add_attr(parser, "value", value);
  echo_asm_add_result_type(parser, value->type);
  return true;
}

static void print_const(EchoAsmPrinter *printer, const EchoOp *op)
{
  echo_asm_print(printer, " ");
  echo_asm_print_attr(printer, echo_op_attr_or_null(op, "value"));
}

static void name_const(const EchoOp *op, EchoNameValueFn *name, void *user)
{
  name(user, &op->results[0], "c");
}

static const EchoOpInfo OPS[] = {
    {.name = "test.add",
     .operands = "inputs: any*",
     .results = "result: any",
     .attrs = "kind: i32?",
     .traits = ECHO_SAME_TYPE,
     .parse = parse_add,
     .print = print_add},
    {.name = "test.loop", .n_regions = 1, .parse = parse_loop, .print = print_loop},
    {.name = "test.scope",
     .n_regions = 1,
     .traits = ECHO_ISOLATED | ECHO_DEFAULT_DIALECT | ECHO_SINGLE_BLOCK | ECHO_NO_TERMINATOR,
     .parse = parse_scope,
     .print = print_scope},
    {.name = "test.const",
     .results = "result: any",
     .attrs = "value: any",
     .parse = parse_const,
     .print = print_const,
     .name_values = name_const},
};

static const EchoDialect DIALECT = {
    .name = "test", .summary = "for tests", .ops = OPS, .n_ops = sizeof OPS / sizeof *OPS};

static void set_up(void)
{
  ctx = echo_context_create();
  echo_context_allow_unregistered(ctx, true);
  echo_context_register_dialect(ctx, &DIALECT);
}

static void tear_down(void)
{
  echo_context_destroy(ctx);
}

static EchoOp *parse(const char *text)
{
  return echo_parse_text_or_null(ctx, ECHO_STR("t.mlir"), echo_str(text));
}

static EchoOp *parse_fine(const char *text)
{
  EchoOp *module = parse(text);
  ck_assert_msg(module != NULL, "%s",
                echo_context_n_diagnostics(ctx) != 0 ? echo_context_diagnostic(ctx, 0)->message
                                                     : "no message");
  return module;
}

static void expect_error(const char *text, const char *message)
{
  ck_assert_ptr_null(parse(text));
  ck_assert_uint_ne(echo_context_n_errors(ctx), 0);
  ck_assert_str_eq(echo_context_diagnostic(ctx, echo_context_n_diagnostics(ctx) - 1)->message,
                   message);
}

/* The pretty print, in the context. */
static const char *print(const EchoOp *module, const EchoPrintOptions *options)
{
  EchoBuffer out = {0};
  echo_print_op(module, options, &out);
  const char *text = echo_arena_copy_string(echo_context_arena(ctx), out.data, out.size);
  echo_buffer_destroy(&out);
  return text;
}

static EchoOp *first_op(const EchoOp *module)
{
  return module->regions[0].first->first;
}

/* ---- structure ---- */

START_TEST(an_op_and_its_parts)
{
  EchoOp *module = parse_fine("%0:2 = \"a.def\"() : () -> (i32, f32)\n"
                              "\"a.use\"(%0#1, %0) <{p = 1 : i32}> {q} : (f32, i32) -> ()\n");
  EchoOp *def = first_op(module), *use = def->next;
  ck_assert(echo_op_is(module, "builtin.module"));
  ck_assert_uint_eq(def->n_results, 2);
  ck_assert_ptr_eq(echo_op_operand(use, 0), echo_op_result(def, 1));
  ck_assert_ptr_eq(echo_op_operand(use, 1), echo_op_result(def, 0));
  ck_assert_ptr_nonnull(echo_dictionary_get_or_null(use->properties, "p"));
  ck_assert_ptr_nonnull(echo_dictionary_get_or_null(use->attrs, "q"));
  ck_assert_ptr_null(use->next);
  EchoStr file;
  uint32_t line, column;
  ck_assert(echo_loc_resolve(ctx, use->loc, &file, &line, &column));
  ck_assert_uint_eq(line, 2);
  ck_assert_uint_eq(column, 1);
}
END_TEST

START_TEST(one_explicit_module_is_the_top)
{
  EchoOp *module = parse_fine("\"builtin.module\"() ({\n  \"a.b\"() : () -> ()\n}) : () -> ()\n");
  ck_assert(echo_op_is(first_op(module), "a.b"));
  ck_assert_ptr_null(module->block);
  module = parse_fine("\"builtin.module\"() ({}) : () -> ()\n\"a.b\"() : () -> ()\n");
  ck_assert(echo_op_is(first_op(module), "builtin.module"));
}
END_TEST

START_TEST(uses_before_definitions_are_the_same_uses)
{
  EchoOp *module = parse_fine("\"a.use\"(%0#1, %0#0, %0#1) : (f32, i32, f32) -> ()\n"
                              "%0:2 = \"a.def\"() : () -> (i32, f32)\n");
  EchoOp *use = first_op(module), *def = use->next;
  ck_assert_uint_eq(echo_value_n_uses(echo_op_result(def, 1)), 2);
  ck_assert_ptr_eq(echo_op_operand(use, 1), echo_op_result(def, 0));
}
END_TEST

START_TEST(names_end_with_their_region)
{
  parse_fine("\"a.r\"() ({\n  %0 = \"a.b\"() : () -> i32\n}, {\n  %0 = \"a.b\"() : () -> f32\n"
             "  \"a.u\"(%0) : (f32) -> ()\n}) : () -> ()\n");
  /* an outer definition resolves an inner use that came first */
  parse_fine(
      "\"a.r\"() ({\n  \"a.u\"(%x) : (i32) -> ()\n}) : () -> ()\n%x = \"a.b\"() : () -> i32\n");
  expect_error(
      "\"a.r\"() ({\n  %0 = \"a.b\"() : () -> i32\n}) : () -> ()\n\"a.u\"(%0) : (i32) -> ()\n",
      "use of undeclared SSA value name");
}
END_TEST

START_TEST(isolated_regions_see_and_hide_nothing)
{
  parse_fine("%0 = \"a.b\"() : () -> i32\ntest.scope {\n  %0 = \"a.b\"() : () -> f32\n}\n"
             "\"a.u\"(%0) : (i32) -> ()\n");
  expect_error("%0 = \"a.b\"() : () -> i32\ntest.scope {\n  \"a.u\"(%0) : (i32) -> ()\n}\n",
               "use of undeclared SSA value name");
}
END_TEST

START_TEST(inherent_attributes_move_to_the_properties)
{
  EchoOp *module = parse_fine("%0 = \"a.b\"() : () -> i32\n"
                              "%1 = \"test.add\"(%0) {kind = 1 : i32, other} : (i32) -> i32\n"
                              "%2 = test.add %0 {kind = 1 : i32, other} : i32\n");
  EchoOp *generic = first_op(module)->next, *pretty = generic->next;
  ck_assert_ptr_nonnull(echo_dictionary_get_or_null(generic->properties, "kind"));
  ck_assert_ptr_null(echo_dictionary_get_or_null(generic->attrs, "kind"));
  ck_assert_ptr_eq(generic->properties, pretty->properties);
  ck_assert_ptr_eq(generic->attrs, pretty->attrs);
}
END_TEST

/* The op's texts are remembered while they repeat: what only begins alike is another text. */
START_TEST(texts_that_begin_alike)
{
  EchoOp *module = parse_fine("%0 = \"a.b\"() <{k = 1 : i3}> : () -> i3\n"
                              "%1 = \"a.b\"() <{k = 1 : i32}> : () -> i32\n"
                              "%2 = \"a.b\"() <{k = 1 : i3}> : () -> i3\n"
                              "%3 = \"a.b\"() : () -> !a.b\n"
                              "%4 = \"a.b\"() : () -> !a.b<c>\n");
  EchoOp *op = first_op(module);
  ck_assert(echo_type_is_integer(op->results[0].type, 3));
  ck_assert(echo_type_is_integer(op->next->results[0].type, 32));
  ck_assert_ptr_eq(op->next->next->properties, op->properties);
  op = op->next->next->next;
  ck_assert_ptr_ne(op->results[0].type, op->next->results[0].type);
}
END_TEST

/* ---- locations ---- */

START_TEST(late_location_aliases_reach_ops_and_arguments)
{
  EchoOp *module =
      parse_fine("test.loop %i : i32 loc(#late) {\n  \"a.u\"(%i) : (i32) -> () loc(#late)\n"
                 "} loc(#late)\n#late = loc(\"late\":3:4)\n");
  EchoOp *loop = first_op(module);
  const EchoAttr *late = echo_attr_location_file(ctx, ECHO_STR("late"), 3, 4);
  const EchoBlock *body = loop->regions[0].first;
  ck_assert_ptr_eq(echo_loc_attr(ctx, loop->loc), late);
  ck_assert_ptr_eq(echo_loc_attr(ctx, body->args[0]->loc), late);
  ck_assert_ptr_eq(echo_loc_attr(ctx, body->first->loc), late);
}
END_TEST

/* ---- pretty forms ---- */

START_TEST(pretty_forms_round_trip)
{
  const char *text = "\"builtin.module\"() ({\n"
                     "  %c = test.const 1 : i32\n"
                     "  %c_0 = test.const 2 : i32\n"
                     "  %0 = test.add %c, %c_0 {kind = 1 : i32} : i32\n"
                     "  test.loop %arg0 : i32 {\n"
                     "    %c_1 = test.const 3 : i32\n"
                     "    \"a.r\"() ({\n"
                     "      %1 = test.add %arg0, %c_1 : i32\n"
                     "    }) : () -> ()\n"
                     "  }\n"
                     "  test.scope {\n"
                     "    %1 = add %2 : i32\n"
                     "    %2 = \"a.b\"() : () -> i32\n"
                     "    scope {\n"
                     "    }\n"
                     "  }\n"
                     "}) : () -> ()\n";
  EchoOp *module = parse_fine(text);
  const char *once = print(module, NULL);
  ck_assert_ptr_nonnull(strstr(once, "    %1 = add %2 : i32\n"));
  ck_assert_ptr_nonnull(strstr(once, "    %c_1 = test.const 3 : i32\n"));
  ck_assert_str_eq(print(parse_fine(once), NULL), once);
  const EchoPrintOptions generic = {.generic = true};
  const char *generic_text = print(module, &generic);
  ck_assert_str_eq(print(parse_fine(generic_text), &generic), generic_text);
  ck_assert_str_eq(print(parse_fine(generic_text), NULL), once);
}
END_TEST

START_TEST(hooks_report_and_stop)
{
  expect_error("%0 = test.add %1 : i32\n", "use of undeclared SSA value name");
  expect_error("test.const\n", "expected attribute value");
  expect_error("test.loop 5 : i32 {\n}\n", "expected SSA operand");
  expect_error("test.unknown\n",
               "custom op 'test.unknown' is unknown (tried 'test.unknown' as well)");
  expect_error("\"test.add\"(%0 : i32\n", "expected ')' to end operand list");
}
END_TEST

/* ---- elements ---- */

START_TEST(bool_blobs_as_bits_and_as_bytes)
{
  const EchoAttr *bits =
      echo_parse_attr_or_null(ctx, ECHO_STR("dense<\"0x0502\"> : tensor<10xi1>"));
  const EchoAttr *bytes =
      echo_parse_attr_or_null(ctx, ECHO_STR("dense<\"0x01000100000000000001\"> : tensor<10xi1>"));
  ck_assert_ptr_nonnull(bits);
  ck_assert_ptr_eq(bits, bytes);
  ck_assert_int_eq(echo_elements_i64(bits, 9), 1);
  ck_assert_int_eq(echo_elements_i64(bits, 1), 0);
}
END_TEST

START_TEST(resources_as_elements)
{
  EchoOp *module = parse_fine(
      "\"a.b\"() {a = dense_resource<k> : tensor<2xi16>, b = dense_resource<none> : tensor<2xi16>, "
      "c = dense_resource<k> : tensor<9xi16>} : () -> ()\n"
      "{-# dialect_resources: { builtin: { k: \"0x040000000100FEFF\" } } #-}\n");
  const EchoAttr *attrs = first_op(module)->attrs;
  const EchoAttr *elements =
      echo_resource_elements_or_null(ctx, echo_dictionary_get_or_null(attrs, "a"));
  ck_assert_ptr_nonnull(elements);
  ck_assert_int_eq(echo_elements_i64(elements, 0), 1);
  ck_assert_int_eq(echo_elements_i64(elements, 1), -2);
  ck_assert_ptr_null(echo_resource_elements_or_null(ctx, echo_dictionary_get_or_null(attrs, "b")));
  ck_assert_uint_eq(echo_context_n_errors(ctx), 0);
  ck_assert_ptr_null(echo_resource_elements_or_null(ctx, echo_dictionary_get_or_null(attrs, "c")));
  ck_assert_uint_eq(echo_context_n_errors(ctx), 1);
}
END_TEST

START_TEST(whole_texts_only)
{
  ck_assert_ptr_nonnull(echo_parse_type_or_null(ctx, ECHO_STR("tensor<4xf32>")));
  ck_assert_ptr_null(echo_parse_type_or_null(ctx, ECHO_STR("tensor<4xf32> i32")));
  ck_assert_ptr_null(echo_parse_attr_or_null(ctx, ECHO_STR("")));
  ck_assert_uint_eq(echo_context_n_errors(ctx), 2);
}
END_TEST

/* ---- limits ---- */

static void repeat(EchoBuffer *out, const char *text, size_t n)
{
  for (size_t i = 0; i < n; i++)
    echo_buffer_append_c(out, text);
}

START_TEST(regions_nest_ten_thousand_deep)
{
  enum { DEPTH = 10000 };
  EchoBuffer text = {0};
  repeat(&text, "\"a.a\"() ({\n", DEPTH);
  repeat(&text, "}) : () -> ()\n", DEPTH);
  EchoOp *module = parse_fine(echo_buffer_c_str(&text));
  size_t depth = 0;
  for (EchoOp *op = first_op(module); op != NULL;
       op = op->regions[0].first != NULL ? op->regions[0].first->first : NULL)
    depth++;
  ck_assert_uint_eq(depth, DEPTH);
  const EchoPrintOptions generic = {.generic = true};
  const char *printed = print(module, &generic);
  ck_assert_str_eq(print(parse_fine(printed), &generic), printed);
  echo_buffer_destroy(&text);
}
END_TEST

/* Pretty forms recurse: too deep is an error, and printing falls back to the generic form. */
START_TEST(pretty_regions_have_a_limit)
{
  EchoBuffer text = {0};
  repeat(&text, "test.scope {\n", 100000);
  expect_error(echo_buffer_c_str(&text), "nesting is deeper than 1000 levels");
  echo_buffer_clear(&text);
  repeat(&text, "test.scope {\n", 900);
  repeat(&text, "}\n", 900);
  EchoOp *module = parse_fine(echo_buffer_c_str(&text));
  const char *printed = print(module, NULL);
  ck_assert_ptr_nonnull(strstr(printed, "\"test.scope\"() ({"));
  ck_assert_str_eq(print(parse_fine(printed), NULL), printed);
  echo_buffer_destroy(&text);
}
END_TEST

static const struct {
  const char *before, *open, *close, *after;
} NESTS[] = {
    {"\"a.b\"() {k = ", "tuple<", ">", "} : () -> ()"},
    {"\"a.b\"() {k = ", "[", "]", "} : () -> ()"},
    {"\"a.b\"() {k = ", "{a = ", "}", "} : () -> ()"},
    {"\"a.b\"() : ", "(", ")", ""},
    {"\"a.b\"() {k = affine_map<() -> (", "(", ")", ")>} : () -> ()"},
    {"\"a.b\"() {k = affine_map<() -> (", "- ", "", "1)>} : () -> ()"},
    {"\"a.b\"() {k = loc(", "fused[", "]", ")} : () -> ()"},
    {"\"a.b\"() {k = loc(", "\"a\"(", ")", ")} : () -> ()"},
    {"\"a.b\"() {k = ", "distinct[0]<", ">", "} : () -> ()"},
    {"\"a.b\"() {k = dense<", "[", "]", "> : tensor<1xi32>} : () -> ()"},
};

START_TEST(deep_nests_are_refused)
{
  EchoBuffer text = {0};
  echo_buffer_append_c(&text, NESTS[_i].before);
  repeat(&text, NESTS[_i].open, 100000);
  repeat(&text, NESTS[_i].close, 100000);
  echo_buffer_append_c(&text, NESTS[_i].after);
  ck_assert_ptr_null(parse(echo_buffer_c_str(&text)));
  ck_assert_uint_eq(echo_context_n_errors(ctx), 1);
  echo_buffer_destroy(&text);
}
END_TEST

static const char SAMPLE[] =
    "#map = affine_map<(d0)[s0] -> (d0 + s0 * 2)>\n!t = tensor<4x?xf32, #a.b<c>>\n"
    "%0:2 = \"a.b\"(%1) <{a = [1 : i8, -2.5], b = #map}> ({\n^bb0(%x: !t loc(\"l\":1:2)):\n"
    "  \"a.br\"(%x)[^bb0, ^bb1] {s = \"q\\22\", d = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>} : "
    "(!t) -> ()\n"
    "^bb1:\n}, {}) {h = dense<\"0x0102\"> : tensor<2xi8>, y = @a::@\"b c\"} : (i32) -> (!t, () -> "
    "()) loc(#l)\n"
    "test.scope {\n  %c = test.const 5 : i32\n}\n"
    "%1 = \"a.c\"() {z = sparse<[[0]], [1]> : tensor<3xi32>, w = array<i32: 1, 2>} : () -> i32\n"
    "#l = loc(callsite(\"a\" at fused<\"m\">[\"b\":1:2, unknown]))\n"
    "{-# dialect_resources: { builtin: { k: \"0x0100000001\" } } #-}\n";

/* Cut anywhere, the text gives a module or errors, never anything else. */
START_TEST(truncated_text)
{
  parse_fine(SAMPLE);
  for (size_t size = 0; size + 1 < sizeof SAMPLE; size++) {
    EchoContext *outer = ctx;
    set_up();
    char *text = echo_alloc(size + 1); /* exactly that much, for the address sanitizer */
    memcpy(text, SAMPLE, size);
    text[size] = '\0';
    EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("t.mlir"), (EchoStr){text, size});
    ck_assert_uint_eq(module == NULL, echo_context_n_errors(ctx) != 0);
    tear_down();
    echo_free(text);
    ctx = outer;
  }
}
END_TEST

/* Any one byte replaced by any of these: no crash, and an error for each refusal. */
START_TEST(garbled_text)
{
  static const char BYTES[] = "\"(<[{}]>)%#!^@:=-,x0 \n\\\x80";
  char text[sizeof SAMPLE];
  for (size_t i = 0; i + 1 < sizeof SAMPLE; i++) {
    EchoContext *outer = ctx;
    set_up();
    memcpy(text, SAMPLE, sizeof SAMPLE);
    text[i] = BYTES[(i * 7 + (size_t)_i) % (sizeof BYTES - 1)];
    EchoOp *module = parse(text);
    ck_assert_uint_eq(module == NULL, echo_context_n_errors(ctx) != 0);
    tear_down();
    ctx = outer;
  }
}
END_TEST

/* A piece of a larger buffer ends where it says. */
START_TEST(text_without_a_terminator)
{
  static const char TEXT[] = "\"a.b\"() : () -> ()garbage";
  ck_assert_ptr_nonnull(echo_parse_text_or_null(ctx, ECHO_STR("t"), (EchoStr){TEXT, 18}));
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("parser");
  TCase *tests = tcase_create("parser");
  tcase_set_timeout(tests, 120);
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, an_op_and_its_parts);
  tcase_add_test(tests, one_explicit_module_is_the_top);
  tcase_add_test(tests, uses_before_definitions_are_the_same_uses);
  tcase_add_test(tests, names_end_with_their_region);
  tcase_add_test(tests, isolated_regions_see_and_hide_nothing);
  tcase_add_test(tests, inherent_attributes_move_to_the_properties);
  tcase_add_test(tests, texts_that_begin_alike);
  tcase_add_test(tests, late_location_aliases_reach_ops_and_arguments);
  tcase_add_test(tests, pretty_forms_round_trip);
  tcase_add_test(tests, hooks_report_and_stop);
  tcase_add_test(tests, bool_blobs_as_bits_and_as_bytes);
  tcase_add_test(tests, resources_as_elements);
  tcase_add_test(tests, whole_texts_only);
  tcase_add_test(tests, regions_nest_ten_thousand_deep);
  tcase_add_test(tests, pretty_regions_have_a_limit);
  tcase_add_loop_test(tests, deep_nests_are_refused, 0, (int)(sizeof NESTS / sizeof *NESTS));
  tcase_add_test(tests, truncated_text);
  tcase_add_loop_test(tests, garbled_text, 0, 24);
  tcase_add_test(tests, text_without_a_terminator);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
