/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Buffers in the places of results, against what must hold of each of them and each two. */
#include "base/map.h"
#include "dialects/plan/plan.h"
#include "planning/schedule/storage.h"

#include <check.h>
#include <stdlib.h>

#define N_ROUNDS 400
#define MAX_STEPS 24
#define MAX_BUFFERS 40

static uint64_t random_state;

static uint32_t next_below(uint32_t n)
{
  random_state = echo_hash_u64(random_state + 1);
  return (uint32_t)(random_state % n);
}

/* One value a buffer; those of results are written by the step that they begin with. */
static void make_plan(EchoStorage *storage, EchoFusion *fusion, uint32_t n_steps)
{
  uint32_t n = 2 + next_below(MAX_BUFFERS - 2);
  storage->buffer_of_value = echo_alloc_array(n, sizeof(uint32_t));
  storage->n_values = n;
  for (uint32_t b = 0; b < n; ++b) {
    bool is_result = next_below(5) == 0;
    uint32_t first = next_below(n_steps - 1), last = first + next_below(n_steps - 1 - first);
    EchoBufferRange range = {.kind = is_result ? ECHO_BUFFER_OUTPUT : ECHO_BUFFER_ARENA,
                             .number = b,
                             .bytes = 4 * (1 + next_below(is_result ? 400 : 100)),
                             .first_step = first,
                             .last_step = is_result ? n_steps - 1 : last};
    storage->buffer_of_value[b] = b;
    echo_vector_push(&storage->buffers, range);
  }
  for (uint32_t g = 0; g < n_steps; ++g) {
    EchoFusionGroup group = {.first_output = (uint32_t)fusion->outputs.size};
    for (uint32_t b = 0; b < n; ++b)
      if (storage->buffers.data[b].first_step == g)
        echo_vector_push(&fusion->outputs, b);
    group.n_outputs = (uint32_t)fusion->outputs.size - group.first_output;
    echo_vector_push(&fusion->groups, group);
  }
}

static bool meet(const EchoBufferRange *a, const EchoBufferRange *b)
{
  return a->number == b->number && a->first_step <= b->last_step && b->first_step <= a->last_step &&
         a->offset_bytes < b->offset_bytes + b->bytes &&
         b->offset_bytes < a->offset_bytes + a->bytes;
}

static uint32_t check_plan(const EchoStorage *storage)
{
  uint32_t n_lent = 0;
  for (size_t i = 0; i < storage->buffers.size; ++i) {
    const EchoBufferRange *range = &storage->buffers.data[i];
    if (range->kind != ECHO_BUFFER_LENT)
      continue;
    const EchoBufferRange *result = &storage->buffers.data[range->number];
    ++n_lent;
    ck_assert_int_eq(result->kind, ECHO_BUFFER_OUTPUT);
    ck_assert_uint_lt(range->last_step, result->first_step);
    ck_assert_uint_le(range->offset_bytes + range->bytes, result->bytes);
    ck_assert_uint_eq(range->offset_bytes % ECHO_PLAN_ALIGNMENT, 0);
    for (size_t k = 0; k < i; ++k)
      ck_assert(storage->buffers.data[k].kind != ECHO_BUFFER_LENT ||
                !meet(range, &storage->buffers.data[k]));
  }
  return n_lent;
}

START_TEST(nothing_meets)
{
  uint32_t n_lent = 0;
  for (uint64_t seed = 0; seed < N_ROUNDS; ++seed) {
    random_state = seed;
    EchoStorage storage = {0};
    EchoFusion fusion = {0};
    make_plan(&storage, &fusion, 3 + next_below(MAX_STEPS - 3));
    echo_storage_lend_results(&storage, &fusion);
    n_lent += check_plan(&storage);
    echo_storage_destroy(&storage);
    echo_vector_destroy(&fusion.groups);
    echo_vector_destroy(&fusion.outputs);
  }
  ck_assert_uint_ge(n_lent, N_ROUNDS); /* or nothing was looked at */
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("planning/lend");
  TCase *cases = tcase_create("lend");
  tcase_add_test(cases, nothing_meets);
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
