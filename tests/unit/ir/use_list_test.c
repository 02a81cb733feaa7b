/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Random operand changes against a model of plain arrays. After each, every use list holds exactly
 * the model's uses, and all links hold. */
#include "tests/unit/ir/test_dialect.h"
#include "tests/unit/suite.h"

enum { N_VALUES = 6, N_USERS = 5, MAX_OPERANDS = 24, N_STEPS = 20000 };

typedef struct Model {
  size_t n[N_USERS];
  int operand[N_USERS][MAX_OPERANDS]; /* index of a value */
} Model;

static void check_links(EchoValue *value, size_t want)
{
  size_t n = 0;
  EchoUse *const *link = &value->first_use;
  for (EchoUse *use = value->first_use; use != NULL; use = use->next) {
    if (use->prev_link != link || use->value != value ||
        use->owner->operands + echo_use_operand_index(use) != use ||
        echo_use_operand_index(use) >= use->owner->n_operands)
      ck_abort_msg("a use list is broken");
    link = &use->next;
    n++;
  }
  ck_assert_uint_eq(n, want);
  ck_assert_uint_eq(echo_value_n_uses(value), want);
  ck_assert_int_eq(echo_value_is_unused(value), want == 0);
  ck_assert_int_eq(echo_value_has_one_use(value), want == 1);
}

static void check_model(const Model *model, EchoOp *const *users, EchoValue *const *values)
{
  size_t n_uses[N_VALUES] = {0};
  for (int u = 0; u < N_USERS; ++u) {
    ck_assert_uint_eq(users[u]->n_operands, model->n[u]);
    for (size_t i = 0; i < model->n[u]; ++i) {
      ck_assert_ptr_eq(echo_op_operand(users[u], i), values[model->operand[u][i]]);
      n_uses[model->operand[u][i]]++;
    }
  }
  for (int v = 0; v < N_VALUES; ++v)
    check_links(values[v], n_uses[v]);
}

static void replace_all(Model *model, EchoValue *const *values, int from, int to)
{
  echo_value_replace_all_uses(values[from], values[to]);
  for (int u = 0; u < N_USERS; ++u)
    for (size_t i = 0; i < model->n[u]; ++i)
      if (model->operand[u][i] == from)
        model->operand[u][i] = to;
}

static void set_all(Model *model, EchoOp *op, int user, EchoValue *const *values, uint64_t *seed)
{
  EchoValue *given[MAX_OPERANDS];
  model->n[user] = test_random(seed) % MAX_OPERANDS;
  for (size_t i = 0; i < model->n[user]; ++i) {
    model->operand[user][i] = (int)(test_random(seed) % N_VALUES);
    given[i] = values[model->operand[user][i]];
  }
  echo_op_set_operands(op, given, model->n[user]);
}

static void step(Model *model, EchoOp *const *users, EchoValue *const *values, uint64_t *seed)
{
  int u = (int)(test_random(seed) % N_USERS), v = (int)(test_random(seed) % N_VALUES);
  size_t n = model->n[u], i = n != 0 ? test_random(seed) % n : 0;
  switch (test_random(seed) % 6) {
  case 0:
  case 1:
    if (n == MAX_OPERANDS)
      return;
    echo_op_append_operand(users[u], values[v]);
    model->operand[u][model->n[u]++] = v;
    return;
  case 2:
    if (n == 0)
      return;
    echo_op_erase_operand(users[u], i);
    memmove(&model->operand[u][i], &model->operand[u][i + 1], (n - i - 1) * sizeof(int));
    model->n[u]--;
    return;
  case 3:
    if (n == 0)
      return;
    echo_op_set_operand(users[u], i, values[v]);
    model->operand[u][i] = v;
    return;
  case 4:
    set_all(model, users[u], u, values, seed);
    return;
  default:
    if (test_random(seed) % 4 == 0)
      replace_all(model, values, v, (v + 1) % N_VALUES);
  }
}

START_TEST(random_changes)
{
  TestIr ir = test_ir_create();
  EchoValue *values[N_VALUES];
  EchoOp *users[N_USERS];
  for (int v = 0; v < N_VALUES; ++v)
    values[v] = v % 2 == 0 ? test_const(&ir, ir.body, v)
                           : echo_block_add_arg(ir.ctx, ir.body, ir.i32, echo_loc_unknown());
  Model model = {0};
  uint64_t seed = (uint64_t)_i;
  for (int u = 0; u < N_USERS; ++u) {
    EchoValue *given[N_USERS];
    model.n[u] = (size_t)u;
    for (int i = 0; i < u; ++i)
      given[i] = values[model.operand[u][i] = (u + i) % N_VALUES];
    users[u] = test_use(&ir, ir.body, given, (size_t)u);
  }
  check_model(&model, users, values);
  for (int i = 0; i < N_STEPS; ++i) {
    step(&model, users, values, &seed);
    if (i % 16 == 0)
      check_model(&model, users, values);
  }
  check_model(&model, users, values);
  for (int u = 0; u < N_USERS; ++u)
    echo_op_erase(users[u]);
  for (int v = 0; v < N_VALUES; ++v)
    check_links(values[v], 0);
  test_ir_destroy(&ir);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("use_list");
  TCase *tcase = tcase_create("use_list");
  tcase_set_timeout(tcase, 60);
  tcase_add_loop_test(tcase, random_changes, 0, 8);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
