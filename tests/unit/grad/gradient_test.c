/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every function in tests/grad/ against central differences in f64. A function's float arguments
 * are drawn from [test.low, test.high] (arguments' attributes; -1 to 1 without them), its integer
 * arguments from [0, test.high); its results are weighed by fixed numbers and summed to a loss L.
 *
 * Tolerance: central differences with step h = 1e-5 err by h^2 |L'''| / 6, about 1e-10 for the
 * functions here, and by rounding eps |L| / h, about 1e-16 * 10 / 1e-5 = 1e-10; 1e-6 relative
 * leaves room for third derivatives of some thousands. */
#include <check.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "dialects/dialects.h"
#include "dialects/interfaces/evaluate.h"
#include "dialects/nn/build.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/hooks_t.h"
#include "ir/symbol.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "lowering/lowering.h"

#define STEP 1e-5
#define TOLERANCE 1e-6

enum { MAX_VALUES = 16 };

static uint64_t next_random(uint64_t *state)
{
  *state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static double uniform(uint64_t *state, double low, double high)
{
  return low + (high - low) * (double)(next_random(state) >> 11) * 0x1p-53;
}

static void print_diagnostic(void *user, EchoContext *ctx, const EchoDiagnostic *diagnostic)
{
  (void)user;
  EchoBuffer text = {0};
  echo_diagnostic_format(ctx, diagnostic, &text);
  fputs(echo_buffer_c_str(&text), stderr);
  echo_buffer_destroy(&text);
}

/* One function under test. */
typedef struct Case {
  EchoContext *ctx;
  EchoOp *module, *forward, *backward;
  EchoTensor *args[MAX_VALUES];
  size_t n_args, n_results;
} Case;

/* Weight k of result r: fixed, without symmetries that would hide a transposed gradient. */
static double weight(size_t r, int64_t k)
{
  return 1 + 0.25 * sin(1.7 * (double)k + 0.9 * (double)r);
}

static double arg_number(const Case *c, size_t i, const char *name, double otherwise)
{
  const EchoAttr *all = echo_op_attr_or_null(c->forward, "arg_attrs");
  const EchoAttr *attrs = all != NULL ? all->as.array.elements[i] : NULL;
  const EchoAttr *value = attrs != NULL ? echo_dictionary_get_or_null(attrs, name) : NULL;
  return value != NULL ? value->as.floating.value : otherwise;
}

static void draw_args(Case *c)
{
  uint64_t state = 42;
  for (size_t i = 0; i < c->n_args; i++) {
    EchoTensor *tensor = c->args[i] =
        echo_tensor_create(echo_block_arg(echo_op_body(c->forward, 0), i)->type, true);
    bool is_float = echo_element_is_float(tensor->kind);
    double low = arg_number(c, i, "test.low", is_float ? -1 : 0);
    double high = arg_number(c, i, "test.high", is_float ? 1 : 4);
    for (int64_t k = 0; k < tensor->n_elements; k++) {
      if (is_float)
        echo_tensor_set_f64(tensor, k, uniform(&state, low, high));
      else
        echo_tensor_set_i64(tensor, k, (int64_t)floor(uniform(&state, low, high)));
    }
  }
}

static double loss(const Case *c)
{
  EchoTensor *results[MAX_VALUES] = {0};
  bool ok = echo_interpret(c->ctx, c->module, c->forward, (const EchoTensor *const *)c->args,
                           c->n_args, results, c->n_results);
  ck_assert_msg(ok, "cannot interpret");
  double sum = 0;
  for (size_t r = 0; r < c->n_results; r++) {
    for (int64_t k = 0; k < results[r]->n_elements && echo_element_is_float(results[r]->kind); k++)
      sum += weight(r, k) * echo_tensor_get_f64(results[r], k);
    echo_tensor_destroy(results[r]);
  }
  return sum;
}

static EchoValue *weigh(EchoBuilder *b, EchoValue *value, size_t r)
{
  EchoTensor *weights = echo_tensor_create(value->type, false);
  int64_t dims[ECHO_MAX_RANK];
  for (int64_t k = 0; k < weights->n_elements; k++)
    echo_tensor_set_f64(weights, k, weight(r, k));
  for (uint32_t d = 0; d < echo_type_rank(value->type); d++)
    dims[d] = d;
  EchoValue *product =
      echo_hlo_multiply(b, value, echo_hlo_constant(b, echo_tensor_to_elements(b->ctx, weights)));
  echo_tensor_destroy(weights);
  return echo_type_rank(value->type) == 0
             ? product
             : echo_hlo_reduce_sum(b, product, dims, echo_type_rank(value->type));
}

/* @backward: the body of the function, its loss, nn.gradient by all float arguments. */
static void build_backward(Case *c)
{
  EchoMap values = {0};
  EchoOp *copy = echo_op_clone(c->forward, &values);
  echo_map_destroy(&values);
  echo_op_set_attr(copy, "sym_name", echo_attr_string(c->ctx, ECHO_STR("backward")));
  echo_op_insert_after(copy, c->forward);
  EchoBlock *body = echo_op_body(copy, 0);
  EchoOp *end = body->last;
  EchoBuilder b = echo_builder_before(end);
  EchoValue *total = NULL, *sources[MAX_VALUES], *gradients[MAX_VALUES];
  for (uint32_t r = 0; r < end->n_operands; r++) {
    EchoValue *value = echo_op_operand(end, r);
    if (!echo_element_is_float(echo_type_element_kind(value->type)))
      continue;
    EchoValue *part = weigh(&b, value, r);
    total = total == NULL ? part : echo_hlo_add(&b, total, part);
  }
  size_t n = 0;
  for (uint32_t i = 0; i < body->n_args; i++)
    if (echo_element_is_float(echo_type_element_kind(echo_block_arg(body, i)->type)))
      sources[n++] = echo_block_arg(body, i);
  echo_nn_gradient(&b, total, sources, n, gradients);
  echo_op_set_operands(end, gradients, n);
  const EchoType *inputs[MAX_VALUES], *outputs[MAX_VALUES];
  for (uint32_t i = 0; i < body->n_args; i++)
    inputs[i] = echo_block_arg(body, i)->type;
  for (size_t i = 0; i < n; i++)
    outputs[i] = gradients[i]->type;
  echo_op_set_attr(
      copy, "function_type",
      echo_attr_type(c->ctx, echo_type_function(c->ctx, inputs, body->n_args, outputs, n)));
  echo_op_set_attr(copy, "res_attrs", NULL);
  c->backward = copy;
}

static void lower(Case *c)
{
  EchoPassRegistry *registry = echo_pass_registry_create();
  echo_register_ir_passes(registry);
  echo_register_lowering_passes(registry);
  const EchoPassManagerOptions options = {.verify_each = true};
  EchoPassManager *manager = echo_pass_manager_create(c->ctx, registry, &options);
  ck_assert(echo_pass_manager_add_pipeline(
      manager, ECHO_STR("nn-to-stablehlo,chlo-to-stablehlo,inline,differentiate,chlo-to-stablehlo,"
                        "canonicalize,cse,dce")));
  ck_assert_msg(echo_pass_manager_run(manager, c->module), "cannot differentiate");
  echo_pass_manager_destroy(manager);
  echo_pass_registry_destroy(registry);
  c->forward = echo_op_body(c->module, 0)->first;
  c->backward = c->forward->next;
}

static void compare(const Case *c, const char *name)
{
  EchoTensor *gradients[MAX_VALUES] = {0};
  size_t n = echo_op_body(c->backward, 0)->last->n_operands, g = 0;
  ck_assert(echo_interpret(c->ctx, c->module, c->backward, (const EchoTensor *const *)c->args,
                           c->n_args, gradients, n));
  for (size_t i = 0; i < c->n_args; i++) {
    if (!echo_element_is_float(c->args[i]->kind))
      continue;
    for (int64_t k = 0; k < c->args[i]->n_elements; k++) {
      double x = echo_tensor_get_f64(c->args[i], k);
      echo_tensor_set_f64(c->args[i], k, x + STEP);
      double above = loss(c);
      echo_tensor_set_f64(c->args[i], k, x - STEP);
      double below = loss(c);
      echo_tensor_set_f64(c->args[i], k, x);
      double want = (above - below) / (2 * STEP), got = echo_tensor_get_f64(gradients[g], k);
      ck_assert_msg(fabs(got - want) <= TOLERANCE * (1 + fabs(want)),
                    "%s: argument %zu, element %lld: gradient %.12g, differences say %.12g", name,
                    i, (long long)k, got, want);
    }
    g++;
  }
  for (size_t i = 0; i < n; i++)
    echo_tensor_destroy(gradients[i]);
}

/* The function number `index` of a file; false when there are fewer. */
static bool check_function(const char *path, size_t index)
{
  Case c = {.ctx = echo_context_create()};
  echo_register_dialects(c.ctx);
  echo_context_set_diagnostic_handler(c.ctx, print_diagnostic, NULL);
  c.module = echo_parse_file_or_null(c.ctx, path);
  ck_assert_msg(c.module != NULL && echo_verify(c.module), "%s: not a valid module", path);
  EchoOp *op = echo_op_body(c.module, 0)->first;
  for (size_t i = 0; op != NULL && i < index; i++)
    op = op->next;
  bool found = op != NULL;
  if (found) {
    char name[2048];
    snprintf(name, sizeof name, "%s @%.*s", path, ECHO_STR_ARG(echo_symbol_name(op)));
    for (EchoOp *other = echo_op_body(c.module, 0)->first, *next; other != NULL; other = next) {
      next = other->next;
      if (other != op)
        echo_op_erase(other);
    }
    c.forward = op;
    c.n_args = echo_op_body(op, 0)->n_args;
    c.n_results = echo_op_body(op, 0)->last->n_operands;
    ck_assert(c.n_args <= MAX_VALUES && c.n_results <= MAX_VALUES);
    build_backward(&c);
    lower(&c);
    draw_args(&c);
    compare(&c, name);
    for (size_t i = 0; i < c.n_args; i++)
      echo_tensor_destroy(c.args[i]);
  }
  echo_context_destroy(c.ctx);
  return found;
}

static int is_module(const struct dirent *entry)
{
  size_t size = strlen(entry->d_name);
  return size > 5 && strcmp(entry->d_name + size - 5, ".mlir") == 0;
}

START_TEST(test_files)
{
  struct dirent **files;
  int n = scandir(ECHO_SOURCE_DIR "/tests/grad", &files, is_module, alphasort);
  ck_assert_int_gt(n, 0);
  for (int i = 0; i < n; i++) {
    char path[1024];
    snprintf(path, sizeof path, ECHO_SOURCE_DIR "/tests/grad/%s", files[i]->d_name);
    size_t n_functions = 0;
    while (check_function(path, n_functions))
      n_functions++;
    ck_assert_msg(n_functions > 0, "%s holds no function", path);
    free(files[i]);
  }
  free(files);
}
END_TEST

/* ---- what is covered ---- */

/* Ops that take floats and stand in no file, with the reason. */
static const char *const NOT_CHECKED[][2] = {
    {"stablehlo.complex", "complex numbers are taken apart before"},
    {"stablehlo.reduce_precision", "its rounding has no slope: gradients pass it as they are"},
    {"stablehlo.bitcast_convert", "no gradient flows through patterns"},
    {"stablehlo.composite", "inlined before"},
    {"stablehlo.custom_call", "anything at all; annotations go before"},
    {"stablehlo.return", "a terminator"},
    {"chlo._asin_acos_kernel", "complex numbers are taken apart before"},
    {"chlo.next_after", "no gradient flows through patterns"},
    {"chlo.is_inf", "a predicate"},
    {"chlo.is_neg_inf", "a predicate"},
    {"chlo.is_pos_inf", "a predicate"},
    {"chlo.constant", "depends on nothing"},
    {"chlo.constant_like", "depends on nothing"},
    {"nn.gradient", "what every file is differentiated by"},
    {"nn.stop_gradient", "stops gradients that differences see"},
};

static bool is_excused(const char *name)
{
  for (size_t i = 0; i < sizeof NOT_CHECKED / sizeof NOT_CHECKED[0]; i++)
    if (strcmp(NOT_CHECKED[i][0], name) == 0)
      return true;
  return strncmp(name, "chlo.broadcast_", 15) == 0; /* by shape: one stands for all */
}

/* Whether a gradient can flow through the op: it has a rule of its own (or, outside stablehlo, is
 * lowered to such) and one of its operands may be a float. */
static bool takes_floats(const EchoOpInfo *info)
{
  static const char *const kinds[] = {
      "float", "numbers", "FLOAT", "tensor of any rank,", "tensor of any rank*", "tensor or"};
  if (info->differentiate == echo_hlo_differentiate_zero || info->operands == NULL)
    return false;
  if (info->differentiate == NULL && strncmp(info->name, "stablehlo.", 10) == 0)
    return false;
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (strstr(info->operands, kinds[i]) != NULL)
      return true;
  return false;
}

/* Appends all ops of the test files, each name between spaces. */
static void append_names(EchoBuffer *names)
{
  struct dirent **files;
  int n = scandir(ECHO_SOURCE_DIR "/tests/grad", &files, is_module, alphasort);
  for (int i = 0; i < n; i++) {
    char path[1024];
    snprintf(path, sizeof path, ECHO_SOURCE_DIR "/tests/grad/%s", files[i]->d_name);
    EchoContext *ctx = echo_context_create();
    echo_register_dialects(ctx);
    EchoOp *module = echo_parse_file_or_null(ctx, path);
    ck_assert_ptr_nonnull(module);
    for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
      echo_buffer_printf(names, " %s ", op->info->name);
    echo_context_destroy(ctx);
    free(files[i]);
  }
  free(files);
}

START_TEST(every_op_stands_in_a_file)
{
  static const EchoDialect *const dialects[] = {&ECHO_STABLEHLO_DIALECT, &ECHO_CHLO_DIALECT,
                                                &ECHO_NN_DIALECT};
  EchoBuffer names = {0};
  append_names(&names);
  size_t n_checked = 0;
  for (size_t d = 0; d < sizeof dialects / sizeof dialects[0]; d++)
    for (size_t i = 0; i < dialects[d]->n_ops; i++) {
      const EchoOpInfo *info = &dialects[d]->ops[i];
      char name[128];
      snprintf(name, sizeof name, " %s ", info->name);
      if (!takes_floats(info) || is_excused(info->name))
        continue;
      n_checked++;
      ck_assert_msg(strstr(echo_buffer_c_str(&names), name) != NULL,
                    "no function in tests/grad has %s", info->name);
    }
  ck_assert_uint_gt(n_checked, 80);
  echo_buffer_destroy(&names);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("gradient");
  TCase *tests = tcase_create("differences");
  tcase_set_timeout(tests, 300);
  tcase_add_test(tests, test_files);
  tcase_add_test(tests, every_op_stands_in_a_file);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
