/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kinds of kernels as rows, and the lowerings that stand beside the rows of ops. */
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/kernels/lower_kernel_t.h"
#include "tests/unit/suite.h"

START_TEST(each_kind_is_read_back_by_its_name)
{
  for (int i = 0; i < ECHO_N_KERNEL_KINDS; i++) {
    EchoKernelKind kind = ECHO_N_KERNEL_KINDS;
    const char *name = echo_kernel_kind_name((EchoKernelKind)i);
    ck_assert_ptr_nonnull(name);
    ck_assert(echo_kernel_kind_parse(echo_str(name), &kind));
    ck_assert_int_eq(kind, i);
  }
  EchoKernelKind none;
  ck_assert(!echo_kernel_kind_parse(ECHO_STR("maps"), &none));
  ck_assert(!echo_kernel_kind_parse(ECHO_STR(""), &none));
}
END_TEST

/* What is written beside roots, and what reductions do, is asked of kernels that others join. */
START_TEST(a_kind_that_nothing_joins_says_nothing_of_rows)
{
  for (int i = 0; i < ECHO_N_KERNEL_KINDS; i++) {
    const EchoKernelRow *row = echo_kernel_row((EchoKernelKind)i);
    bool speaks = row->writes_elements || row->writes_rows || row->takes_reduction ||
                  row->takes_rows || row->takes_product;
    ck_assert_msg(row->is_fused || row->is_product || !speaks, "%s", row->name);
    ck_assert_msg(!row->is_fused || !row->is_product, "%s", row->name);
    ck_assert_msg(!(row->is_fused || row->is_product) || row->in_place != ECHO_IN_PLACE_UPDATE,
                  "%s", row->name);
    ck_assert_msg(!row->takes_rows || row->writes_rows, "%s", row->name);
  }
}
END_TEST

/* A hook and a lowering beside it would be two meanings of one element. */
START_TEST(each_element_has_one_lowering)
{
  size_t n = 0;
  for (int i = 0; i < ECHO_N_HLO_OPCODES; i++) {
    const EchoOpInfo *row = &ECHO_STABLEHLO_OPS[i];
    const EchoOp op = {.info = row};
    const EchoElementLowering *lowering = echo_element_lowering_or_null(&op);
    bool has_hook = row->emit_element != NULL;
    bool is_element = (row->traits & (ECHO_ELEMENTWISE | ECHO_MOVEMENT)) != 0;
    ck_assert_msg(!has_hook || lowering == NULL, "%s", row->name);
    if (row->evaluate != NULL) /* else nothing can run it */
      ck_assert_msg(!is_element || has_hook || lowering != NULL, "%s", row->name);
    if (lowering != NULL)
      ck_assert_msg((lowering->loops == NULL) != (lowering->element == NULL), "%s", row->name);
    n += lowering != NULL;
  }
  ck_assert_uint_gt(n, 0);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("kernel");
  TCase *cases = tcase_create("kernel");
  suite_add_tcase(suite, cases);
  tcase_add_test(cases, each_kind_is_read_back_by_its_name);
  tcase_add_test(cases, a_kind_that_nothing_joins_says_nothing_of_rows);
  tcase_add_test(cases, each_element_has_one_lowering);
  return echo_test_run(suite);
}
