/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every set, the quadratic program of the revised objective, the cubic one of the earlier
 * objective, and the baselines. */
#include "tools/echo-plan/chain_planners.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/panic.h"

static uint64_t max_u64(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

static void check_chain(const uint64_t *bytes, size_t n_layers, size_t max_layers)
{
  ECHO_CHECK(n_layers >= 1 && n_layers <= max_layers, "%zu layers, not 1 to %zu", n_layers,
             max_layers);
  ECHO_CHECK(echo_chain_is_bounded(bytes, n_layers), "the sizes of a chain overflow");
}

uint64_t chain_store_all_bytes(const uint64_t *bytes, size_t n_layers)
{
  check_chain(bytes, n_layers, SIZE_MAX);
  uint64_t sum = 0, largest = 0;
  for (size_t i = 0; i < n_layers; i++) {
    sum += bytes[i];
    largest = max_u64(largest, bytes[i]);
  }
  return sum + largest;
}

void chain_sqrt_n(size_t n_layers, EchoChainSet *set)
{
  ECHO_CHECK(n_layers >= 1, "a chain needs a layer");
  size_t n = n_layers - 1, stride = 1;
  while (stride * stride < n)
    stride++;
  echo_vector_clear(set);
  for (size_t i = 0; i < n; i += stride)
    echo_vector_push(set, i);
  echo_vector_push(set, n);
}

/* With U(i, j) = s(i, j) + bytes[j],
 *   T(i) = bytes[i] + min over j > i of max(U(i, j), T(j)),   T(n) = 2 bytes[n]. */
void chain_quadratic(const uint64_t *bytes, size_t n_layers, EchoChainSet *set)
{
  check_chain(bytes, n_layers, CHAIN_MAX_QUADRATIC);
  EchoArena arena = {0};
  uint64_t *least = ECHO_ARENA_ARRAY(&arena, uint64_t, n_layers);
  size_t *next = ECHO_ARENA_ARRAY(&arena, size_t, n_layers);
  least[n_layers - 1] = 2 * bytes[n_layers - 1];
  for (size_t i = n_layers - 1; i-- > 0;) {
    uint64_t interior = 0, gradient = bytes[i];
    least[i] = UINT64_MAX;
    for (size_t j = i + 1; j < n_layers; j++) {
      uint64_t peak = max_u64(interior + gradient + bytes[j], least[j]);
      if (peak < least[i]) {
        least[i] = peak;
        next[i] = j;
      }
      interior += bytes[j];
      gradient = max_u64(gradient, bytes[j]);
    }
    least[i] += bytes[i];
  }
  echo_vector_clear(set);
  for (size_t i = 0; i != n_layers - 1; i = next[i])
    echo_vector_push(set, i);
  echo_vector_push(set, n_layers - 1);
  echo_chain_keep_more(bytes, n_layers, set);
  echo_arena_destroy(&arena);
}

void chain_brute(const uint64_t *bytes, size_t n_layers, EchoChainSet *set)
{
  check_chain(bytes, n_layers, CHAIN_MAX_BRUTE);
  size_t n_inner = n_layers <= 2 ? 0 : n_layers - 2;
  EchoChainSet trial = {0};
  uint64_t best = UINT64_MAX;
  for (uint64_t mask = 0; mask < UINT64_C(1) << n_inner; mask++) {
    echo_vector_clear(&trial);
    echo_vector_push(&trial, 0);
    for (size_t i = 0; i < n_inner;
         i++) /* high bits first: layers from the left, in rising order */
      if (mask >> (n_inner - 1 - i) & 1)
        echo_vector_push(&trial, i + 1);
    if (n_layers > 1)
      echo_vector_push(&trial, n_layers - 1);
    uint64_t peak = echo_chain_peak(bytes, n_layers, &trial);
    if (peak > best || (peak == best && trial.size < set->size))
      continue;
    best = peak;
    echo_vector_clear(set);
    for (size_t i = 0; i < trial.size; i++)
      echo_vector_push(set, trial.data[i]);
  }
  echo_vector_destroy(&trial);
}

static int compare_u64(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

typedef struct Cost {
  uint64_t bytes;
  size_t n_checkpoints;
} Cost;

/* Fewer bytes, then more checkpoints. */
static bool is_no_worse(Cost a, Cost b)
{
  return a.bytes < b.bytes || (a.bytes == b.bytes && a.n_checkpoints >= b.n_checkpoints);
}

/* Every value that a segment can have, rising, each once. */
static size_t segment_values(const uint64_t *bytes, size_t n_layers, uint64_t *values)
{
  size_t n_values = 0;
  for (size_t l = 0; l + 1 < n_layers; l++) {
    uint64_t interior = 0, gradient = bytes[l];
    for (size_t r = l + 1; r < n_layers; r++) {
      values[n_values++] = interior + gradient;
      interior += bytes[r];
      gradient = gradient > bytes[r] ? gradient : bytes[r];
    }
  }
  qsort(values, n_values, sizeof *values, compare_u64);
  size_t n_distinct = 0;
  for (size_t i = 0; i < n_values; i++)
    if (i == 0 || values[i] != values[n_distinct - 1])
      values[n_distinct++] = values[i];
  return n_distinct;
}

typedef struct Cubic {
  const uint64_t *bytes, *prefix;
  size_t n_layers;
  Cost *cost;     /* of the best set that ends with checkpoint i */
  size_t *before; /* the checkpoint before i in it */
  size_t *queue;  /* checkpoints by rising cost: the monotone queue */
  size_t *maxima; /* positions of the maxima of bytes over the window, falling */
} Cubic;

/* The least sum of checkpoints with no segment above `largest`, in O(n); false when there is none.
 * s(l, i) falls as l rises, so the leftmost checkpoint that may precede i only moves right. */
static bool cheapest_set(Cubic *cubic, uint64_t largest)
{
  size_t head = 0, tail = 0, max_head = 0, max_tail = 0, left = 0;
  cubic->cost[0] = (Cost){cubic->bytes[0], 1};
  for (size_t i = 1; i < cubic->n_layers; i++) {
    if (left < i) {
      while (tail > head && is_no_worse(cubic->cost[i - 1], cubic->cost[cubic->queue[tail - 1]]))
        tail--;
      cubic->queue[tail++] = i - 1;
    }
    while (max_tail > max_head && cubic->bytes[cubic->maxima[max_tail - 1]] <= cubic->bytes[i - 1])
      max_tail--;
    cubic->maxima[max_tail++] = i - 1;
    while (left < i &&
           cubic->prefix[i] - cubic->prefix[left + 1] + cubic->bytes[cubic->maxima[max_head]] >
               largest) {
      left++;
      if (max_head < max_tail && cubic->maxima[max_head] < left)
        max_head++;
      if (max_head == max_tail)
        break;
    }
    if (left >= i)
      return false;
    while (head < tail && cubic->queue[head] < left)
      head++;
    size_t best = cubic->queue[head];
    cubic->before[i] = best;
    cubic->cost[i] =
        (Cost){cubic->cost[best].bytes + cubic->bytes[i], cubic->cost[best].n_checkpoints + 1};
  }
  return true;
}

static void take_set(const Cubic *cubic, EchoChainSet *set)
{
  size_t last = cubic->n_layers - 1, size = cubic->cost[last].n_checkpoints;
  echo_vector_clear(set);
  echo_vector_reserve(set, size);
  set->size = size;
  for (size_t i = last, k = size; k-- > 0; i = k > 0 ? cubic->before[i] : 0)
    set->data[k] = i;
}

void chain_cubic(const uint64_t *bytes, size_t n_layers, EchoChainSet *set)
{
  check_chain(bytes, n_layers, CHAIN_MAX_CUBIC);
  EchoArena arena = {0};
  uint64_t *prefix = ECHO_ARENA_ARRAY(&arena, uint64_t, n_layers + 1);
  uint64_t *values = ECHO_ARENA_ARRAY(&arena, uint64_t, n_layers * n_layers / 2 + 1);
  Cubic cubic = {.bytes = bytes,
                 .prefix = prefix,
                 .n_layers = n_layers,
                 .cost = ECHO_ARENA_ARRAY(&arena, Cost, n_layers),
                 .before = ECHO_ARENA_ARRAY(&arena, size_t, n_layers),
                 .queue = ECHO_ARENA_ARRAY(&arena, size_t, n_layers),
                 .maxima = ECHO_ARENA_ARRAY(&arena, size_t, n_layers)};
  prefix[0] = 0;
  for (size_t i = 0; i < n_layers; i++)
    prefix[i + 1] = prefix[i] + bytes[i];
  echo_vector_clear(set);
  echo_vector_push(set, 0);
  Cost best = {UINT64_MAX, 0};
  size_t n_values = segment_values(bytes, n_layers, values);
  for (size_t v = 0; v < n_values && values[v] <= best.bytes; v++) {
    if (!cheapest_set(&cubic, values[v]))
      continue;
    Cost cost = cubic.cost[n_layers - 1];
    cost.bytes += values[v];
    if (!is_no_worse(cost, best) ||
        (cost.bytes == best.bytes && cost.n_checkpoints == best.n_checkpoints))
      continue;
    best = cost;
    take_set(&cubic, set);
  }
  echo_arena_destroy(&arena);
}
