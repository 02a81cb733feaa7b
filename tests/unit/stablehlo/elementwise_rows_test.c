/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Walks the elementwise rows: each has a builder, a cost, and for every element type that its
 * constraint admits a value, a scalar for kernels, and a gradient or the word that there is none.
 */
#include <check.h>
#include <string.h>

#include "dialects/dialects.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/hooks_t.h"
#include "dialects/stablehlo/rows/elementwise_t.h"
#include "tests/unit/suite.h"

static const EchoElementKind KINDS[] = {
    ECHO_ELEMENT_I1,   ECHO_ELEMENT_I8,   ECHO_ELEMENT_I16,  ECHO_ELEMENT_I32,  ECHO_ELEMENT_I64,
    ECHO_ELEMENT_UI8,  ECHO_ELEMENT_UI16, ECHO_ELEMENT_UI32, ECHO_ELEMENT_UI64, ECHO_ELEMENT_F16,
    ECHO_ELEMENT_BF16, ECHO_ELEMENT_F32,  ECHO_ELEMENT_F64};
enum { N_KINDS = sizeof KINDS / sizeof KINDS[0] };

static const EchoType *tensor_of(EchoContext *ctx, EchoElementKind kind)
{
  int64_t dim = 3;
  return echo_type_tensor(ctx, &dim, 1, echo_element_type(ctx, kind), NULL);
}

/* Whether the row takes operands of this kind. */
static bool admits(EchoContext *ctx, const EchoOpInfo *info, EchoElementKind kind)
{
  const EchoOpSpec *spec = echo_context_op_spec_or_null(ctx, info);
  return spec->operands[0].constraint(tensor_of(ctx, kind));
}

static EchoContext *new_context(void)
{
  EchoContext *ctx = echo_context_create();
  echo_register_dialects(ctx);
  return ctx;
}

/* ---- semantics ---- */

static void check_kind(EchoContext *ctx, const EchoOpInfo *info, EchoElementKind kind,
                       bool admitted)
{
  const EchoHloElementwise *row = &ECHO_HLO_ELEMENTWISE[info - ECHO_STABLEHLO_OPS];
  const char *type = echo_type_text(ctx, echo_element_type(ctx, kind));
  bool is_float = echo_element_is_float(kind);
  bool has_value = is_float ? row->evaluate_float != NULL : row->evaluate_int != NULL;
  bool has_scalar = is_float ? row->emit_float != NULL : row->emit_int != NULL;
  ck_assert_msg(!admitted || has_value, "%s of %s has no value", info->name, type);
  ck_assert_msg(!admitted || has_scalar, "kernels cannot compute %s of %s", info->name, type);
  if (admitted && is_float)
    ck_assert_msg((row->differentiate != NULL) !=
                      (info->differentiate == echo_hlo_differentiate_zero),
                  "%s: neither a gradient nor none", info->name);
}

START_TEST(semantics_for_every_admitted_type)
{
  EchoContext *ctx = new_context();
  size_t n_rows = 0;
  for (size_t i = 0; i < ECHO_N_HLO_OPCODES; i++) {
    const EchoOpInfo *info = &ECHO_STABLEHLO_OPS[i];
    const EchoHloElementwise *row = &ECHO_HLO_ELEMENTWISE[i];
    bool by_row =
        info->evaluate == echo_hlo_evaluate_unary || info->evaluate == echo_hlo_evaluate_binary;
    ck_assert_msg(by_row == (row->n_operands != 0), "%s", info->name);
    if (!by_row)
      continue;
    size_t n_kinds[2] = {0};
    for (size_t k = 0; k < N_KINDS; k++) {
      bool admitted = admits(ctx, info, KINDS[k]);
      check_kind(ctx, info, KINDS[k], admitted);
      n_kinds[echo_element_is_float(KINDS[k])] += admitted;
    }
    ck_assert_msg((n_kinds[1] != 0) == (row->evaluate_float != NULL),
                  "%s: says of floats what its constraint does not admit", info->name);
    ck_assert_msg((n_kinds[0] != 0) == (row->evaluate_int != NULL),
                  "%s: says of integers what its constraint does not admit", info->name);
    n_rows++;
  }
  ck_assert_uint_ge(n_rows, 40);
  echo_context_destroy(ctx);
}
END_TEST

/* Those with hooks of their own have all of them, but for what nothing computes. */
START_TEST(hooks)
{
  for (size_t i = 0; i < ECHO_N_HLO_OPCODES; i++) {
    const EchoOpInfo *info = &ECHO_STABLEHLO_OPS[i];
    bool is_quantized = strstr(info->name, "quantize") != NULL;
    if ((info->traits & ECHO_ELEMENTWISE) == 0 || is_quantized)
      continue;
    ck_assert_msg(info->evaluate != NULL, "%s: no value", info->name);
    ck_assert_msg(info->emit_element != NULL, "%s: no scalar for kernels", info->name);
    ck_assert_msg(info->differentiate != NULL, "%s: neither a gradient nor none", info->name);
    ck_assert_msg(info->cost != NULL, "%s: no cost", info->name);
    ck_assert_msg(info->infer != NULL || info->verify != NULL, "%s: no result type", info->name);
  }
}
END_TEST

/* What is exact is folded. */
START_TEST(folds)
{
  for (size_t i = 0; i < ECHO_N_HLO_OPCODES; i++) {
    const EchoOpInfo *info = &ECHO_STABLEHLO_OPS[i];
    bool has_operands = info->operands != NULL;
    ck_assert_msg((info->fold != NULL) || (info->traits & ECHO_ELEMENTWISE) == 0 ||
                      (info->traits & ECHO_EXACT) == 0,
                  "%s is exact and never folded", info->name);
    ck_assert_msg(has_operands || info->fold == NULL, "%s has nothing to fold", info->name);
  }
}
END_TEST

/* x op neutral is x. */
START_TEST(neutral_elements)
{
  static const double FLOATS[] = {0.0, -0.0, 1.5, -3.0, __builtin_inf(), -__builtin_inf()};
  EchoContext *ctx = new_context();
  for (size_t i = 0; i < ECHO_N_HLO_OPCODES; i++) {
    const EchoHloElementwise *row = &ECHO_HLO_ELEMENTWISE[i];
    const char *name = ECHO_STABLEHLO_OPS[i].name;
    if (row->neutral == ECHO_NEUTRAL_NONE)
      continue;
    bool on_left = row->neutral != ECHO_NEUTRAL_RIGHT;
    for (size_t k = 0; k < sizeof FLOATS / sizeof FLOATS[0] && row->evaluate_float != NULL; k++) {
      double x = FLOATS[k], right = row->evaluate_float(x, row->neutral_float);
      double left = on_left ? row->evaluate_float(row->neutral_float, x) : x;
      ck_assert_msg(memcmp(&right, &x, sizeof x) == 0, "%s: %g from %g", name, right, x);
      ck_assert_msg(memcmp(&left, &x, sizeof x) == 0, "%s: %g from %g", name, left, x);
    }
    for (size_t k = 0; k < N_KINDS; k++) {
      if (echo_element_is_float(KINDS[k]) || !admits(ctx, &ECHO_STABLEHLO_OPS[i], KINDS[k]))
        continue;
      int64_t neutral = echo_hlo_neutral_i64(row->neutral_int, KINDS[k]);
      for (int64_t x = 0; x <= 1; x++) {
        ck_assert_msg(row->evaluate_int(KINDS[k], x, neutral) == x, "%s of kind %d", name,
                      (int)KINDS[k]);
        ck_assert(!on_left || row->evaluate_int(KINDS[k], neutral, x) == x);
      }
    }
  }
  echo_context_destroy(ctx);
}
END_TEST

/* ---- builders ---- */

typedef EchoValue *UnaryBuilder(EchoBuilder *builder, EchoValue *operand);
typedef EchoValue *BinaryBuilder(EchoBuilder *builder, EchoValue *lhs, EchoValue *rhs);

static const struct {
  EchoHloOpcode opcode;
  UnaryBuilder *unary;
  BinaryBuilder *binary;
} BUILDERS[] = {
#define HLO_OP(...)
#define HLO_ANY_UNARY(OPCODE, op, ...) {ECHO_HLO_##OPCODE, echo_hlo_##op, NULL},
#define HLO_ANY_BINARY(OPCODE, op, ...) {ECHO_HLO_##OPCODE, NULL, echo_hlo_##op},
#include "dialects/stablehlo/rows/ops.def"
};

START_TEST(builders)
{
  EchoContext *ctx = new_context();
  for (size_t i = 0; i < sizeof BUILDERS / sizeof BUILDERS[0]; i++) {
    const EchoOpInfo *info = &ECHO_STABLEHLO_OPS[BUILDERS[i].opcode];
    size_t k = 0;
    while (!admits(ctx, info, KINDS[k]))
      k++;
    EchoBlock *block = echo_block_create(ctx);
    const EchoType *type = tensor_of(ctx, KINDS[k]);
    EchoValue *x = echo_block_add_arg(ctx, block, type, echo_loc_unknown());
    EchoBuilder builder = echo_builder_at_end(ctx, block);
    EchoValue *y = BUILDERS[i].unary != NULL ? BUILDERS[i].unary(&builder, x)
                                             : BUILDERS[i].binary(&builder, x, x);
    const EchoOp *op = echo_value_def_or_null(y);
    ck_assert_msg(op != NULL && op->info == info, "the builder of %s builds another op",
                  info->name);
    ck_assert_uint_eq(op->n_operands, ECHO_HLO_ELEMENTWISE[BUILDERS[i].opcode].n_operands);
  }
  echo_context_destroy(ctx);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("elementwise rows");
  TCase *tests = tcase_create("rows");
  tcase_add_test(tests, semantics_for_every_admitted_type);
  tcase_add_test(tests, hooks);
  tcase_add_test(tests, folds);
  tcase_add_test(tests, neutral_elements);
  tcase_add_test(tests, builders);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
