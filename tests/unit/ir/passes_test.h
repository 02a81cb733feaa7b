/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Running a pass of ir/ on a test module. */
#ifndef ECHO_TESTS_UNIT_IR_PASSES_TEST_H
#define ECHO_TESTS_UNIT_IR_PASSES_TEST_H

#include "ir/pass/pass.h"
#include "tests/unit/ir/test_dialect.h"
#include "tests/unit/suite.h"

static inline void test_run_pass(TestIr *ir, const char *pipeline)
{
  EchoPassRegistry *registry = echo_pass_registry_create();
  echo_register_ir_passes(registry);
  EchoPassManagerOptions options = {.verify_each = true};
  EchoPassManager *manager = echo_pass_manager_create(ir->ctx, registry, &options);
  ck_assert(echo_pass_manager_add_pipeline(manager, echo_str(pipeline)));
  ck_assert(echo_pass_manager_run(manager, ir->module));
  echo_pass_manager_destroy(manager);
  echo_pass_registry_destroy(registry);
}

static inline size_t test_n_ops(const TestIr *ir, const char *name)
{
  size_t n = 0;
  for (EchoOp *op = ir->module; op != NULL; op = echo_op_walk_next(ir->module, op))
    n += echo_op_is(op, name);
  return n;
}

#endif
