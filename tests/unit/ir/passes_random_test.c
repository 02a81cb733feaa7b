/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Random programs compute the same before and after every pass, and a second run of a pass finds
 * nothing to do. */
#include "tests/unit/ir/passes_test.h"

enum { N_ARGS = 4, N_OPS = 400 };

/* test.mark and test.barrier pass their operand on. */
static int64_t apply(const EchoOp *op, int64_t a, int64_t b)
{
  if (echo_op_is(op, "test.const"))
    return echo_op_attr_i64(op, "value", 0);
  if (echo_op_is(op, "test.add"))
    return (int32_t)((uint32_t)a + (uint32_t)b);
  if (echo_op_is(op, "test.sub"))
    return (int32_t)((uint32_t)a - (uint32_t)b);
  if (echo_op_is(op, "test.neg"))
    return (int32_t)(0 - (uint32_t)a);
  if (echo_op_is(op, "test.abs"))
    return a & 0xffff; /* any function that is idempotent */
  return a;
}

typedef struct Program {
  TestIr ir;
  EchoBlock *body;
  EchoOp *use; /* of the values that count */
} Program;

static EchoValue *random_op(Program *program, EchoBlock *block, EchoValue *const *values, size_t n,
                            uint64_t *seed)
{
  static const char *const UNARY[] = {"test.neg", "test.abs", "test.mark", "test.barrier"};
  size_t near = n < 12 ? n : 12;
  EchoValue *a = values[n - 1 - test_random(seed) % near];
  EchoValue *b = values[n - 1 - test_random(seed) % near];
  switch (test_random(seed) % 5) {
  case 0:
    return test_const(&program->ir, block, (int64_t)(test_random(seed) % 3));
  case 1:
    return test_unary(&program->ir, block, UNARY[test_random(seed) % 4], a);
  case 2:
    return test_binary(&program->ir, block, "test.sub", a, b);
  default:
    return test_binary(&program->ir, block, "test.add", a, b);
  }
}

/* Straight-line code, and blocks of loops that read it. */
static Program random_program(uint64_t *seed)
{
  Program program = {.ir = test_ir_create()};
  EchoOp *func = test_with_regions(&program.ir, program.ir.body, "test.func", 0, 1);
  echo_op_set_attr(func, "sym_name", echo_attr_string(program.ir.ctx, ECHO_STR("f")));
  program.body = echo_op_body(func, 0);
  EchoValue *values[N_ARGS + N_OPS];
  size_t n = 0;
  for (; n < N_ARGS; ++n)
    values[n] =
        echo_block_add_arg(program.ir.ctx, program.body, program.ir.i32, echo_loc_unknown());
  while (n < N_ARGS + N_OPS) {
    values[n] = random_op(&program, program.body, values, n, seed);
    n++;
    if (test_random(seed) % 16 != 0)
      continue;
    EchoOp *loop = test_with_regions(&program.ir, program.body, "test.loop", 0, 1);
    EchoBlock *inside = echo_op_body(loop, 0);
    EchoValue *inner = random_op(&program, inside, values, n, seed);
    if (test_random(seed) % 2 == 0)
      test_use(&program.ir, inside, &inner, 1);
    test_return(&program.ir, inside, NULL, 0);
  }
  program.use = test_use(&program.ir, program.body, &values[n - 12], 12);
  test_return(&program.ir, program.body, NULL, 0);
  return program;
}

/* The values that uses see, in order, folded into one number. */
static uint64_t run(const Program *program, uint64_t seed)
{
  EchoMap values = {0};
  uint64_t hash = 0;
  for (uint32_t i = 0; i < program->body->n_args; ++i)
    echo_map_set(&values, echo_key(echo_block_arg(program->body, i)),
                 (uint64_t)(int64_t)(int32_t)test_random(&seed));
  const EchoOp *func = echo_block_parent(program->body);
  for (EchoOp *op = program->body->first; op != NULL; op = echo_op_walk_next(func, op)) {
    int64_t in[2] = {0, 0};
    for (uint32_t i = 0; i < op->n_operands; ++i) {
      uint64_t value = echo_map_get_or(&values, echo_key(echo_op_operand(op, i)), 0);
      if (i < 2)
        in[i] = (int64_t)value;
      if (echo_op_is(op, "test.use"))
        hash = echo_hash_combine(hash, value);
    }
    if (op->n_results != 0)
      echo_map_set(&values, echo_key(&op->results[0]), (uint64_t)apply(op, in[0], in[1]));
  }
  echo_map_destroy(&values);
  return hash;
}

static size_t n_ops(const Program *program)
{
  size_t n = 0;
  for (EchoOp *op = program->ir.module; op != NULL; op = echo_op_walk_next(program->ir.module, op))
    n++;
  return n;
}

START_TEST(values_stay)
{
  static const char *const PASSES[] = {"canonicalize", "cse", "dce"};
  uint64_t seed = (uint64_t)_i + 1;
  for (int round = 0; round < 20; ++round) {
    Program program = random_program(&seed);
    uint64_t want[2] = {run(&program, 1), run(&program, 2)};
    for (int step = 0; step < 6; ++step) {
      const char *pass = PASSES[test_random(&seed) % 3];
      test_run_pass(&program.ir, pass);
      for (uint64_t input = 1; input <= 2; ++input)
        if (run(&program, input) != want[input - 1])
          ck_abort_msg("%s changed what round %d computes", pass, round);
      size_t n = n_ops(&program);
      test_run_pass(&program.ir, pass);
      ck_assert_uint_eq(n_ops(&program), n);
    }
    test_ir_destroy(&program.ir);
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("passes_random");
  TCase *tcase = tcase_create("passes_random");
  tcase_set_timeout(tcase, 60);
  tcase_add_loop_test(tcase, values_stay, 0, 8);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
