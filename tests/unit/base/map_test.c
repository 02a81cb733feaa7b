/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/map.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/memory.h"
#include "tests/unit/suite.h"

static uint64_t next_random(uint64_t *state)
{
  *state += 0x9e3779b97f4a7c15u;
  return echo_hash_u64(*state);
}

/* The model: keys in insertion order, found by linear search. */
enum { MODEL_CAPACITY = 4096 };
typedef struct Model {
  EchoMapEntry entries[MODEL_CAPACITY];
  size_t n;
} Model;

static size_t model_find(const Model *model, uint64_t key)
{
  size_t i = 0;
  while (i < model->n && model->entries[i].key != key)
    ++i;
  return i;
}

static void model_set(Model *model, uint64_t key, uint64_t value)
{
  size_t i = model_find(model, key);
  model->entries[i] = (EchoMapEntry){key, value};
  model->n += i == model->n;
}

static bool model_erase(Model *model, uint64_t key)
{
  size_t i = model_find(model, key);
  if (i == model->n)
    return false;
  memmove(&model->entries[i], &model->entries[i + 1],
          (model->n - i - 1) * sizeof model->entries[0]);
  model->n--;
  return true;
}

static void assert_same(const EchoMap *map, const Model *model)
{
  ck_assert_uint_eq(map->n_live, model->n);
  EchoMapEntry entry;
  size_t n = 0;
  for (size_t i = 0; echo_map_next(map, &i, &entry); ++n) {
    ck_assert_uint_eq(entry.key, model->entries[n].key);
    ck_assert_uint_eq(entry.value, model->entries[n].value);
  }
  ck_assert_uint_eq(n, model->n);
}

/* Random operations over key ranges from crowded to sparse, compared after each stretch. */
static void run_against_model(uint64_t seed, uint64_t n_keys, unsigned erase_percent, int n_steps)
{
  static Model model;
  model.n = 0;
  EchoMap map = {0};
  for (int step = 0; step < n_steps; ++step) {
    uint64_t key = (next_random(&seed) % n_keys) << 40;
    uint64_t value = next_random(&seed), found = 77;
    size_t at = model_find(&model, key);
    ck_assert_int_eq(echo_map_get(&map, key, &found), at != model.n);
    ck_assert_uint_eq(found, at != model.n ? model.entries[at].value : 77);
    ck_assert_int_eq(echo_map_has(&map, key), at != model.n);
    if (next_random(&seed) % 100 < erase_percent) {
      ck_assert_int_eq(echo_map_erase(&map, key), model_erase(&model, key));
    } else if (value & 1) {
      echo_map_set(&map, key, value);
      model_set(&model, key, value);
    } else {
      ck_assert_int_eq(echo_map_insert(&map, key, value), at == model.n);
      if (at == model.n)
        model_set(&model, key, value);
    }
    if (step % 97 == 0)
      assert_same(&map, &model);
    if (step == n_steps / 2 && seed % 3 == 0) {
      echo_map_clear(&map);
      model.n = 0;
    }
  }
  assert_same(&map, &model);
  echo_map_destroy(&map);
}

START_TEST(map_against_a_model)
{
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    run_against_model(seed, 5, 45, 2000);
    run_against_model(seed, 300, 50, 4000);
    run_against_model(seed, 2000, 20, 4000);
    run_against_model(seed, UINT64_C(1) << 24, 10, 1500);
  }
}
END_TEST

START_TEST(empty_map_answers)
{
  EchoMap map = {0};
  uint64_t value = 5;
  ck_assert(!echo_map_get(&map, 0, &value));
  ck_assert_uint_eq(value, 5);
  ck_assert_uint_eq(echo_map_get_or(&map, 1, 9), 9);
  ck_assert(!echo_map_has(&map, 0));
  ck_assert(!echo_map_erase(&map, 0));
  size_t cursor = 0;
  EchoMapEntry entry;
  ck_assert(!echo_map_next(&map, &cursor, &entry));
  echo_map_clear(&map);
  echo_map_destroy(&map);
}
END_TEST

START_TEST(every_key_is_allowed)
{
  static const uint64_t KEYS[] = {
      0, 1, 2, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 63, 0x8bb84b93962eacc9u};
  EchoMap map = {0};
  for (uint64_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; ++i)
    ck_assert(echo_map_insert(&map, KEYS[i], i));
  for (uint64_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; ++i)
    ck_assert_uint_eq(echo_map_get_or(&map, KEYS[i], 99), i);
  echo_map_destroy(&map);
}
END_TEST

/* A work list that is filled and emptied for ever must not grow. */
START_TEST(erase_and_insert_stay_in_bounded_memory)
{
  EchoMap map = {0};
  for (uint64_t i = 0; i < 1000000; ++i) {
    echo_map_set(&map, i, i);
    if (i >= 50)
      ck_assert(echo_map_erase(&map, i - 50));
  }
  ck_assert_uint_eq(map.n_live, 50);
  ck_assert_uint_le(map.entry_capacity, 256);
  echo_map_destroy(&map);
}
END_TEST

START_TEST(erasing_while_iterating)
{
  EchoMap map = {0};
  for (uint64_t i = 0; i < 1000; ++i)
    echo_map_set(&map, i, i);
  EchoMapEntry entry;
  uint64_t expected = 0;
  for (size_t i = 0; echo_map_next(&map, &i, &entry); ++expected) {
    ck_assert_uint_eq(entry.key, expected);
    if (expected % 2 == 0)
      echo_map_erase(&map, entry.key);
  }
  ck_assert_uint_eq(map.n_live, 500);
  echo_map_destroy(&map);
}
END_TEST

START_TEST(reserve_keeps_content)
{
  EchoMap map = {0};
  echo_map_reserve(&map, 1000);
  size_t capacity = map.entry_capacity;
  ck_assert_uint_ge(capacity, 1000);
  for (uint64_t i = 0; i < 1000; ++i)
    echo_map_set(&map, i * i, i);
  ck_assert_uint_eq(map.entry_capacity, capacity);
  echo_map_erase(&map, 0);
  echo_map_reserve(&map, 100000);
  for (uint64_t i = 1; i < 1000; ++i)
    ck_assert_uint_eq(echo_map_get_or(&map, i * i, 0), i);
  ck_assert(!echo_map_has(&map, 0));
  echo_map_destroy(&map);
}
END_TEST

START_TEST(pointers_as_keys)
{
  int numbers[100];
  EchoMap map = {0};
  for (int i = 0; i < 100; ++i)
    echo_map_set_ptr(&map, &numbers[i], &numbers[99 - i]);
  for (int i = 0; i < 100; ++i)
    ck_assert_ptr_eq(echo_map_get_ptr(&map, &numbers[i]), &numbers[99 - i]);
  ck_assert_ptr_null(echo_map_get_ptr(&map, &map));
  echo_map_destroy(&map);
}
END_TEST

/* Regular keys (pointers a fixed distance apart, small integers, high bits only) must not crowd:
 * probes a look-up stay near what random keys would need. */
START_TEST(regular_keys_do_not_crowd)
{
  for (unsigned shift = 0; shift <= 44; ++shift) {
    EchoMap map = {0};
    for (uint64_t i = 0; i < 10000; ++i)
      echo_map_set(&map, i << shift, i);
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < map.n_slots; ++i) {
      run = map.slots[i] != 0 ? run + 1 : 0;
      longest = run > longest ? run : longest;
    }
    ck_assert_msg(longest < 100, "a run of %zu slots at shift %u", longest, shift);
    echo_map_destroy(&map);
  }
}
END_TEST

START_TEST(string_map_keeps_insertion_order)
{
  EchoArena arena = {0};
  EchoStringMap map = {0};
  uint64_t found = 3;
  ck_assert(!echo_string_map_get(&map, ECHO_STR("a"), &found));
  ck_assert_uint_eq(found, 3);
  for (uint64_t i = 0; i < 20000; ++i) {
    char text[32];
    int size = snprintf(text, sizeof text, "value%d", (int)(i * 7919 % 20000));
    const char *copy = echo_arena_copy_string(&arena, text, (size_t)size);
    echo_string_map_set(&map, echo_str(copy), i);
  }
  ck_assert_uint_eq(map.n_entries, 20000);
  for (uint64_t i = 0; i < 20000; ++i) {
    ck_assert_uint_eq(map.entries[i].value, i);
    ck_assert_uint_eq(echo_string_map_get_or(&map, map.entries[i].key, 99999), i);
  }
  echo_string_map_set(&map, ECHO_STR("value0"), 123);
  ck_assert_uint_eq(map.n_entries, 20000);
  ck_assert(echo_string_map_get(&map, ECHO_STR("value0"), &found) && found == 123);
  ck_assert_uint_eq(echo_string_map_get_or(&map, ECHO_STR("value"), 8), 8);
  echo_string_map_set(&map, (EchoStr){NULL, 0}, 1); /* the empty string is a key */
  ck_assert_uint_eq(echo_string_map_get_or(&map, ECHO_STR(""), 0), 1);
  echo_string_map_clear(&map);
  ck_assert_uint_eq(echo_string_map_get_or(&map, ECHO_STR("value0"), 8), 8);
  echo_string_map_destroy(&map);
  echo_arena_destroy(&arena);
}
END_TEST

START_TEST(hash_depends_on_each_bit_and_on_size)
{
  unsigned char bytes[200] = {0};
  for (size_t size = 0; size <= 200; ++size) {
    uint64_t base = echo_hash_bytes(bytes, size, 0);
    ck_assert_uint_eq(echo_hash_bytes(bytes, size, 0), base);
    ck_assert_uint_ne(echo_hash_bytes(bytes, size, 1), base);
    if (size < 200)
      ck_assert_uint_ne(echo_hash_bytes(bytes, size + 1, 0), base);
    int fewest = 64, most = 0;
    for (size_t bit = 0; bit < size * 8; ++bit) {
      bytes[bit / 8] ^= (unsigned char)(1 << (bit % 8));
      int flipped = __builtin_popcountll(echo_hash_bytes(bytes, size, 0) ^ base);
      bytes[bit / 8] ^= (unsigned char)(1 << (bit % 8));
      fewest = flipped < fewest ? flipped : fewest;
      most = flipped > most ? flipped : most;
    }
    if (size != 0) { /* binomial(64, 1/2): beyond 8 and 56 lies 1e-10 */
      ck_assert_int_ge(fewest, 8);
      ck_assert_int_le(most, 56);
    }
  }
}
END_TEST

/* Short strings of the kind that IR text holds: no collision in 64 bits, few in the low 20. */
START_TEST(hash_of_names_spreads)
{
  enum { N = 1 << 19, BUCKETS = 1 << 20 };
  EchoMap seen = {0};
  unsigned char *taken = echo_alloc_zero(BUCKETS, 1);
  size_t n_taken = 0;
  for (int i = 0; i < N; ++i) {
    char text[32];
    int size = snprintf(text, sizeof text, "%%arg%d", i);
    uint64_t hash = echo_hash_bytes(text, (size_t)size, 0);
    ck_assert(echo_map_insert(&seen, hash, 0));
    n_taken += !taken[hash % BUCKETS];
    taken[hash % BUCKETS] = 1;
  }
  /* Expected: BUCKETS (1 - exp(-1/2)) = 412,588, standard deviation about 380. */
  ck_assert_uint_gt(n_taken, 410500);
  ck_assert_uint_lt(n_taken, 414700);
  echo_free(taken);
  echo_map_destroy(&seen);
}
END_TEST

/* Hashes are the same on every machine and in every version: the expected values come from a second
 * implementation over arbitrary-precision integers. */
START_TEST(hash_values_are_fixed)
{
  static const struct {
    size_t size;
    uint64_t hash;
  } EXPECTED[] = {
      {0, UINT64_C(0x7013d429e71ae8a2)},  {1, UINT64_C(0xca721d015d61e96d)},
      {4, UINT64_C(0x95a93dca83a05497)},  {9, UINT64_C(0xa5c6b8f13f1bb344)},
      {16, UINT64_C(0xb12a942a18f45d83)}, {17, UINT64_C(0x8f28a503b41e5196)},
      {65, UINT64_C(0xd544f4317bafe40b)}, {200, UINT64_C(0xd64bd5faa45898f9)},
  };
  unsigned char bytes[200];
  for (size_t i = 0; i < 200; ++i)
    bytes[i] = (unsigned char)i;
  for (size_t i = 0; i < sizeof EXPECTED / sizeof EXPECTED[0]; ++i)
    ck_assert_uint_eq(echo_hash_bytes(bytes, EXPECTED[i].size, 0), EXPECTED[i].hash);
  ck_assert_uint_eq(echo_hash_bytes("func.func", 9, 7), UINT64_C(0x4cd565a2b401e12c));
  ck_assert_uint_eq(echo_hash_u64(1), UINT64_C(0x4179b061e0c0e0d0));
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("map");
  TCase *cases = tcase_create("map");
  tcase_set_timeout(cases, 120);
  tcase_add_test(cases, map_against_a_model);
  tcase_add_test(cases, empty_map_answers);
  tcase_add_test(cases, every_key_is_allowed);
  tcase_add_test(cases, erase_and_insert_stay_in_bounded_memory);
  tcase_add_test(cases, erasing_while_iterating);
  tcase_add_test(cases, reserve_keeps_content);
  tcase_add_test(cases, pointers_as_keys);
  tcase_add_test(cases, regular_keys_do_not_crowd);
  tcase_add_test(cases, string_map_keeps_insertion_order);
  tcase_add_test(cases, hash_depends_on_each_bit_and_on_size);
  tcase_add_test(cases, hash_of_names_spreads);
  tcase_add_test(cases, hash_values_are_fixed);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
