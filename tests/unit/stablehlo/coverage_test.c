/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every op of stablehlo that computes on tensors can be interpreted, and has a gradient rule where
 * it takes floats; what has none is listed here, with the reason. */
#include <check.h>
#include <string.h>

#include "dialects/stablehlo/opcode.h"
#include "tests/unit/suite.h"

#define COMPUTES (ECHO_ELEMENTWISE | ECHO_MOVEMENT | ECHO_HEAVY | ECHO_REDUCTION)

/* Results of these have sizes that only operands know; from the training step on shapes are static.
 */
#define DYNAMIC                                                                                    \
  "dynamic_broadcast_in_dim", "dynamic_conv", "dynamic_gather", "dynamic_pad", "dynamic_reshape",  \
      "real_dynamic_slice"

static const char *const NOT_INTERPRETED[] = {
    DYNAMIC, "torch_index_select",            /* --chlo-to-stablehlo makes it gather */
    "uniform_dequantize", "uniform_quantize", /* no quantized types */
};

static bool is_listed(const char *name, const char *const *list, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp(name + strlen("stablehlo."), list[i]) == 0)
      return true;
  return false;
}

#define LISTED(name, list) is_listed((name), (list), sizeof(list) / sizeof(list)[0])

START_TEST(evaluate)
{
  for (size_t i = 0; i < ECHO_N_HLO_OPCODES; i++) {
    const EchoOpInfo *info = &ECHO_STABLEHLO_OPS[i];
    if ((info->traits & COMPUTES) == 0)
      continue;
    bool excused = LISTED(info->name, NOT_INTERPRETED);
    ck_assert_msg((info->evaluate != NULL) != excused, "%s %s", info->name,
                  excused ? "is interpreted and still listed" : "cannot be interpreted");
  }
}
END_TEST

/* What only integers and predicates go through has the rule that passes nothing on, too: no op
 * stops --differentiate for want of one. */
START_TEST(differentiate)
{
  for (size_t i = 0; i < ECHO_N_HLO_OPCODES; i++) {
    const EchoOpInfo *info = &ECHO_STABLEHLO_OPS[i];
    bool is_function = strcmp(info->name, "stablehlo.composite") == 0 || /* inlined before */
                       strcmp(info->name, "stablehlo.custom_call") == 0; /* anything at all */
    if (info->evaluate != NULL && !is_function)
      ck_assert_msg(info->differentiate != NULL, "%s has no gradient rule", info->name);
    if (info->differentiate != NULL)
      ck_assert_msg(info->evaluate != NULL, "the gradient of %s cannot be checked", info->name);
  }
}
END_TEST

/* Folding calls evaluate on what it takes for exact. */
START_TEST(exact)
{
  for (size_t i = 0; i < ECHO_N_HLO_OPCODES; i++) {
    const EchoOpInfo *info = &ECHO_STABLEHLO_OPS[i];
    if ((info->traits & ECHO_EXACT) != 0) {
      ck_assert_msg(info->evaluate != NULL, "%s", info->name);
      ck_assert_msg((info->traits & ECHO_PURE) != 0, "%s", info->name);
      ck_assert_msg((info->traits & (ECHO_HEAVY | ECHO_REDUCTION)) == 0, "%s", info->name);
    }
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("coverage");
  TCase *tests = tcase_create("rows");
  tcase_add_test(tests, evaluate);
  tcase_add_test(tests, differentiate);
  tcase_add_test(tests, exact);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
