/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The three walks visit the same ops, each in its order, at any depth. */
#include "tests/unit/ir/test_dialect.h"
#include "tests/unit/suite.h"

enum { MAX_SEEN = 4096 };

typedef struct Seen {
  EchoOp *ops[MAX_SEEN];
  size_t n;
  const EchoOp *skip, *stop;
  bool erase;
} Seen;

static EchoWalkResult see(void *user, EchoOp *op)
{
  Seen *seen = user;
  ck_assert_uint_lt(seen->n, MAX_SEEN);
  seen->ops[seen->n++] = op;
  if (op == seen->stop)
    return ECHO_WALK_STOP;
  if (seen->erase)
    echo_op_erase(op);
  return op == seen->skip ? ECHO_WALK_SKIP : ECHO_WALK_CONTINUE;
}

/* A random tree: regions of several blocks, some of them empty. */
static void grow(TestIr *ir, EchoBlock *block, uint64_t *seed, int depth)
{
  size_t n_ops = test_random(seed) % 4;
  for (size_t i = 0; i < n_ops; ++i) {
    size_t n_regions = depth == 0 ? 0 : test_random(seed) % 3;
    EchoOp *op = test_with_regions(ir, block, "test.region", 0, n_regions);
    for (size_t r = 0; r < n_regions; ++r) {
      if (test_random(seed) % 4 == 0)
        echo_block_erase(op->regions[r].first);
      for (size_t b = test_random(seed) % 3; b > 0; --b)
        echo_region_append(&op->regions[r], echo_block_create(ir->ctx));
      for (EchoBlock *inner = op->regions[r].first; inner != NULL; inner = inner->next)
        grow(ir, inner, seed, depth - 1);
    }
  }
}

/* The definition of both orders. */
static void visit(EchoOp *op, Seen *pre, Seen *post)
{
  pre->ops[pre->n++] = op;
  for (uint16_t r = 0; r < op->n_regions; ++r)
    for (EchoBlock *block = op->regions[r].first; block != NULL; block = block->next)
      for (EchoOp *inner = block->first; inner != NULL; inner = inner->next)
        visit(inner, pre, post);
  post->ops[post->n++] = op;
}

static void check_same(const Seen *a, const Seen *b)
{
  ck_assert_uint_eq(a->n, b->n);
  for (size_t i = 0; i < a->n; ++i)
    ck_assert_ptr_eq(a->ops[i], b->ops[i]);
}

START_TEST(orders)
{
  TestIr ir = test_ir_create();
  uint64_t seed = (uint64_t)_i + 1;
  grow(&ir, ir.body, &seed, 4);
  static Seen pre, post, seen_pre, seen_post, stepped;
  pre = post = seen_pre = seen_post = stepped = (Seen){0};
  visit(ir.module, &pre, &post);
  ck_assert(echo_op_walk_pre(ir.module, see, &seen_pre));
  ck_assert(echo_op_walk_post(ir.module, see, &seen_post));
  for (EchoOp *op = ir.module; op != NULL; op = echo_op_walk_next(ir.module, op))
    see(&stepped, op);
  check_same(&pre, &seen_pre);
  check_same(&pre, &stepped);
  check_same(&post, &seen_post);
  /* Each subtree by itself: a walk does not leave its root. */
  for (size_t i = 0; i < pre.n; ++i) {
    Seen sub = {0};
    echo_op_walk_pre(pre.ops[i], see, &sub);
    ck_assert_uint_le(i + sub.n, pre.n);
    for (size_t j = 0; j < sub.n; ++j)
      ck_assert_ptr_eq(sub.ops[j], pre.ops[i + j]);
    Seen skipped = {.skip = pre.ops[i]};
    echo_op_walk_pre(ir.module, see, &skipped);
    ck_assert_uint_eq(skipped.n, pre.n - sub.n + 1);
    Seen stopped = {.stop = pre.ops[i]};
    ck_assert(!echo_op_walk_pre(ir.module, see, &stopped));
    ck_assert_uint_eq(stopped.n, i + 1);
  }
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(post_order_may_erase)
{
  TestIr ir = test_ir_create();
  uint64_t seed = 12345;
  EchoOp *top = test_with_regions(&ir, ir.body, "test.region", 0, 1);
  for (int i = 0; i < 20; ++i)
    grow(&ir, echo_op_body(top, 0), &seed, 3);
  static Seen seen;
  seen = (Seen){.erase = true};
  ck_assert(echo_op_walk_post(top, see, &seen));
  ck_assert_ptr_eq(seen.ops[seen.n - 1], top);
  ck_assert_ptr_null(ir.body->first);
  test_ir_destroy(&ir);
}
END_TEST

static EchoWalkResult count(void *user, EchoOp *op)
{
  (void)op;
  ++*(size_t *)user;
  return ECHO_WALK_CONTINUE;
}

START_TEST(depth_costs_no_stack)
{
  enum { DEPTH = 200000 };
  TestIr ir = test_ir_create();
  EchoBlock *block = ir.body;
  for (int i = 0; i < DEPTH; ++i)
    block = echo_op_body(test_with_regions(&ir, block, "test.region", 0, 1), 0);
  size_t n_pre = 0, n_post = 0;
  echo_op_walk_pre(ir.module, count, &n_pre);
  echo_op_walk_post(ir.module, count, &n_post);
  ck_assert_uint_eq(n_pre, DEPTH + 1);
  ck_assert_uint_eq(n_post, DEPTH + 1);
  EchoOp *copy = echo_op_clone(ir.module, NULL);
  size_t n_copied = 0;
  echo_op_walk_pre(copy, count, &n_copied);
  ck_assert_uint_eq(n_copied, DEPTH + 1);
  echo_op_erase(copy);
  test_ir_destroy(&ir);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("walk");
  TCase *tcase = tcase_create("walk");
  tcase_set_timeout(tcase, 60);
  tcase_add_loop_test(tcase, orders, 0, 12);
  tcase_add_test(tcase, post_order_may_erase);
  tcase_add_test(tcase, depth_costs_no_stack);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
