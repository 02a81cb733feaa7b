/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls beside other steps, on programs made at random, against what must hold of each. */
#include "planning/overlap/overlap.h"

#include "base/map.h"
#include "base/memory.h"

#include <check.h>
#include <stdlib.h>

#define N_ROUNDS 600
#define MAX_STEPS 40
#define MAX_RESOURCES 20

static uint64_t random_state;

static uint32_t next_below(uint32_t n)
{
  random_state = echo_hash_u64(random_state + 1);
  return (uint32_t)(random_state % n);
}

/* Resource 0 is the token of calls. */
static EchoOverlapProgram make_program(void)
{
  EchoOverlapProgram program = {0};
  uint32_t n_resources = 3 + next_below(MAX_RESOURCES - 2), n_steps = 2 + next_below(MAX_STEPS - 1);
  for (uint32_t r = 0; r < n_resources; r++)
    echo_vector_push(&program.resource_bytes,
                     r == 0 || next_below(5) == 0 ? 0 : 64 * next_below(9));
  for (uint32_t s = 0; s < n_steps; s++) {
    EchoOverlapStep step = {.first_access = program.accesses.size,
                            .inner_bytes = next_below(4) == 0 ? 64 * next_below(9) : 0,
                            .is_call = next_below(4) == 0,
                            .is_barrier = next_below(15) == 0};
    step.is_call = step.is_call && !step.is_barrier;
    if (step.is_call) {
      echo_vector_push(&program.accesses, ((EchoOverlapAccess){0, false, true}));
      echo_vector_push(&program.accesses, ((EchoOverlapAccess){0, true, true}));
    }
    for (uint32_t i = next_below(4); i-- > 0;)
      echo_vector_push(&program.accesses, ((EchoOverlapAccess){1 + next_below(n_resources - 1),
                                                               next_below(2) == 0, false}));
    step.n_accesses = program.accesses.size - step.first_access;
    echo_vector_push(&program.steps, step);
  }
  return program;
}

/* When each step began and when it was over, by action. */
typedef struct Times {
  size_t begin[MAX_STEPS + 1], end[MAX_STEPS + 1];
} Times;

static void read_times(const EchoOverlapProgram *program, const EchoOverlapActions *actions,
                       Times *times)
{
  bool has_begun[MAX_STEPS + 1] = {false}, is_over[MAX_STEPS + 1] = {false};
  for (size_t i = 0; i < actions->size; i++) {
    uint32_t step = actions->data[i].step;
    EchoOverlapKind kind = actions->data[i].kind;
    ck_assert_uint_lt(step, program->steps.size);
    ck_assert(kind == ECHO_OVERLAP_RUN || program->steps.data[step].is_call);
    ck_assert(has_begun[step] == (kind == ECHO_OVERLAP_WAIT) && !is_over[step]);
    if (kind != ECHO_OVERLAP_WAIT)
      times->begin[step] = i;
    has_begun[step] = true;
    is_over[step] = kind != ECHO_OVERLAP_BEGIN;
    times->end[step] = i;
  }
  for (size_t s = 0; s < program->steps.size; s++)
    ck_assert(is_over[s]);
}

/* Whether `second` must come behind `first`: wholly, or only behind its beginning. */
static void order_of(const EchoOverlapProgram *program, uint32_t first, uint32_t second,
                     bool *follows, bool *follows_token)
{
  const EchoOverlapStep *a = &program->steps.data[first], *b = &program->steps.data[second];
  *follows = a->is_barrier || b->is_barrier;
  for (size_t i = 0; i < a->n_accesses; i++)
    for (size_t k = 0; k < b->n_accesses; k++) {
      const EchoOverlapAccess *x = &program->accesses.data[a->first_access + i];
      const EchoOverlapAccess *y = &program->accesses.data[b->first_access + k];
      if (x->resource != y->resource || (!x->writes && !y->writes))
        continue;
      bool is_token = x->is_token && y->is_token && a->is_call && b->is_call;
      *(is_token ? follows_token : follows) = true;
    }
}

/* Bytes live at each action, from the first to the last that touches a resource. */
static uint64_t peak_of(const EchoOverlapProgram *program, const Times *times, size_t n_actions)
{
  uint64_t peak = 0;
  for (size_t at = 0; at < n_actions; at++) {
    uint64_t live = 0;
    for (uint32_t r = 0; r < program->resource_bytes.size; r++) {
      size_t first = SIZE_MAX, last = 0;
      for (uint32_t s = 0; s < program->steps.size; s++)
        for (size_t i = 0; i < program->steps.data[s].n_accesses; i++)
          if (program->accesses.data[program->steps.data[s].first_access + i].resource == r) {
            first = times->begin[s] < first ? times->begin[s] : first;
            last = times->end[s] > last ? times->end[s] : last;
          }
      live += first <= at && at <= last ? program->resource_bytes.data[r] : 0;
    }
    for (uint32_t s = 0; s < program->steps.size; s++)
      live += times->begin[s] == at ? program->steps.data[s].inner_bytes : 0;
    peak = live > peak ? live : peak;
  }
  return peak;
}

START_TEST(random_programs)
{
  size_t n_begun = 0;
  for (uint32_t round = 0; round < N_ROUNDS; round++) {
    EchoOverlapProgram program = make_program();
    EchoOverlapActions actions = {0};
    Times times = {0}, given = {0};
    uint64_t peak = echo_overlap_peak(&program);
    uint64_t limit = next_below(3) == 0 ? peak / 16 * next_below(16) : peak;
    bool is_right = true;
    for (uint32_t s = 0; s < program.steps.size; s++)
      given.begin[s] = given.end[s] = s;
    ck_assert_uint_eq(peak, peak_of(&program, &given, program.steps.size));
    echo_overlap_decide(&program, limit, &actions);
    read_times(&program, &actions, &times);
    for (uint32_t b = 0; b < program.steps.size; b++)
      for (uint32_t a = 0; a < b; a++) {
        bool follows = false, follows_token = false;
        order_of(&program, a, b, &follows, &follows_token);
        is_right &= !follows || times.end[a] < times.begin[b];
        is_right &= !follows_token || times.begin[a] < times.begin[b];
      }
    ck_assert_msg(is_right, "round %u", round);
    ck_assert_uint_le(peak_of(&program, &times, actions.size), peak);
    n_begun += actions.size - program.steps.size;
    echo_vector_destroy(&actions);
    echo_overlap_program_destroy(&program);
  }
  ck_assert_uint_gt(n_begun, N_ROUNDS);
}
END_TEST

/* A call that one step of three needs: the other two run meanwhile, where memory lets them. */
START_TEST(memory_decides)
{
  EchoOverlapProgram program = {0};
  EchoOverlapActions actions = {0};
  const EchoOverlapAccess accesses[] = {{0, true, false},  {0, false, false}, {1, true, false},
                                        {1, false, false}, {2, true, false},  {2, false, false}};
  for (size_t i = 0; i < 3; i++)
    echo_vector_push(&program.resource_bytes, 64);
  for (size_t i = 0; i < sizeof accesses / sizeof accesses[0]; i++)
    echo_vector_push(&program.accesses, accesses[i]);
  /* makes 0; call: 0 to 1; reads 1; makes 2; reads 2 */
  const EchoOverlapStep steps[] = {{.first_access = 0, .n_accesses = 1},
                                   {.first_access = 1, .n_accesses = 2, .is_call = true},
                                   {.first_access = 3, .n_accesses = 1},
                                   {.first_access = 4, .n_accesses = 1},
                                   {.first_access = 5, .n_accesses = 1}};
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
    echo_vector_push(&program.steps, steps[i]);
  ck_assert_uint_eq(echo_overlap_peak(&program), 128);
  echo_overlap_decide(&program, 128, &actions);
  ck_assert_uint_eq(actions.size, 5);
  actions.size = 0;
  echo_overlap_decide(&program, 192, &actions);
  ck_assert_uint_eq(actions.size, 6);
  ck_assert_int_eq(actions.data[1].kind, ECHO_OVERLAP_BEGIN);
  ck_assert_uint_eq(actions.data[2].step, 3);
  ck_assert_uint_eq(actions.data[3].step, 4);
  ck_assert_int_eq(actions.data[4].kind, ECHO_OVERLAP_WAIT);
  echo_vector_destroy(&actions);
  echo_overlap_program_destroy(&program);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("overlap");
  TCase *tcase = tcase_create("core");
  tcase_add_test(tcase, random_programs);
  tcase_add_test(tcase, memory_decides);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
