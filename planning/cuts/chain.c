/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The revised objective in linear time. With U(i, j) = s(i, j) + bytes[j],
 *   T(i) = bytes[i] + min over j > i of max(U(i, j), T(j)),   T(n) = 2 bytes[n],
 * is the least peak of the layers from checkpoint i on, and T(0) that of the chain. */
#include "planning/cuts/chain.h"

#include "base/arena.h"
#include "base/panic.h"

static uint64_t max_u64(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

bool echo_chain_is_bounded(const uint64_t *bytes, size_t n_layers)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < n_layers; i++)
    if (!echo_add_u64(sum, bytes[i], &sum))
      return false;
  return sum < UINT64_C(1) << 61;
}

uint64_t echo_chain_peak(const uint64_t *bytes, size_t n_layers, const EchoChainSet *set)
{
  ECHO_CHECK(set->size >= 1 && set->data[0] == 0 && echo_vector_last(set) == n_layers - 1,
             "a set of checkpoints holds the first and the last layer");
  uint64_t kept = bytes[0], peak = 0;
  for (size_t c = 1; c < set->size; c++) {
    size_t h = set->data[c - 1], i = set->data[c];
    uint64_t segment = 0, gradient = bytes[h];
    for (size_t k = h + 1; k < i; k++) {
      segment += bytes[k];
      gradient = max_u64(gradient, bytes[k]);
    }
    peak = max_u64(peak, kept + segment + gradient + bytes[i]);
    kept += bytes[i];
  }
  return max_u64(peak, kept + bytes[n_layers - 1]);
}

static void take_path(const size_t *next, size_t n_layers, EchoChainSet *set)
{
  echo_vector_clear(set);
  for (size_t i = 0; i != n_layers - 1; i = next[i])
    echo_vector_push(set, i);
  echo_vector_push(set, n_layers - 1);
}

/* A new checkpoint inside a segment never raises that segment's own need (U rises in j), so layer k
 * fits when every later segment, and the last layer's gradient, can bear bytes[k] more. */
void echo_chain_keep_more(const uint64_t *bytes, size_t n_layers, EchoChainSet *set)
{
  uint64_t peak = echo_chain_peak(bytes, n_layers, set);
  EchoChainSet more = {0};
  uint64_t kept = 0; /* by the set as it came, up to and including the segment's left end */
  for (size_t c = 0; c < set->size; c++)
    kept += bytes[set->data[c]];
  uint64_t slack = peak - (kept + bytes[n_layers - 1]); /* of all that lies right of `right` */
  echo_vector_push(&more, n_layers - 1);
  for (size_t c = set->size - 1; c-- > 0;) {
    size_t h = set->data[c], right = set->data[c + 1];
    kept -= bytes[set->data[c + 1]];
    uint64_t interior = 0, gradient = 0; /* of the layers between k and `right` */
    for (size_t k = right; k-- > h + 1;) {
      gradient = max_u64(gradient, bytes[k]);
      if (bytes[k] <= slack) {
        uint64_t need = kept + bytes[k] + interior + gradient + bytes[right];
        uint64_t own = peak - need;
        slack = slack - bytes[k] < own ? slack - bytes[k] : own;
        echo_vector_push(&more, k);
        right = k;
        interior = gradient = 0;
      } else {
        interior += bytes[k];
      }
    }
    uint64_t need = kept + interior + max_u64(gradient, bytes[h]) + bytes[right];
    slack = slack < peak - need ? slack : peak - need;
    echo_vector_push(&more, h);
  }
  echo_vector_clear(set);
  for (size_t i = more.size; i-- > 0;)
    echo_vector_push(set, more.data[i]);
  echo_vector_destroy(&more);
}

/* State of the linear program. `candidates` grows to the left: the last element has the smallest
 * index. T falls strictly and U rises from left to right, so the best of max(U, T) is at the
 * crossing, which moves left only: what lies right of the crossing's right end is dropped from the
 * front for good.
 *
 * `maxima` holds, for windows [i, j) with falling i, the positions of suffix maxima: bytes falls
 * strictly from its front to its back. A window's maximum is the first entry below j; since the two
 * j asked for only move left, each has a cursor that only moves forward (or is pushed back by a
 * pop, which removes smaller entries). */
typedef struct Sweep {
  const uint64_t *bytes;
  const uint64_t *prefix; /* sums of bytes[0 .. i) */
  uint64_t *least;        /* T */
  size_t *candidates, n_candidates, first_candidate;
  size_t *maxima, n_maxima;
} Sweep;

static uint64_t window_max(const Sweep *sweep, size_t j, size_t *cursor)
{
  if (*cursor >= sweep->n_maxima)
    *cursor = sweep->n_maxima - 1;
  while (sweep->maxima[*cursor] >= j)
    ++*cursor;
  return sweep->bytes[sweep->maxima[*cursor]];
}

static void push_layer(Sweep *sweep, size_t i)
{
  while (sweep->n_maxima > 0 && sweep->bytes[sweep->maxima[sweep->n_maxima - 1]] <= sweep->bytes[i])
    sweep->n_maxima--;
  sweep->maxima[sweep->n_maxima++] = i;
}

static void push_candidate(Sweep *sweep, size_t j)
{
  while (sweep->n_candidates > sweep->first_candidate &&
         sweep->least[sweep->candidates[sweep->n_candidates - 1]] >= sweep->least[j])
    sweep->n_candidates--;
  sweep->candidates[sweep->n_candidates++] = j;
}

static uint64_t segment_need(const Sweep *sweep, size_t i, size_t j, size_t *cursor)
{
  return sweep->prefix[j] - sweep->prefix[i + 1] + window_max(sweep, j, cursor) + sweep->bytes[j];
}

void echo_chain_linear(const uint64_t *bytes, size_t n_layers, EchoChainSet *set)
{
  ECHO_CHECK(n_layers >= 1, "a chain needs a layer");
  ECHO_CHECK(echo_chain_is_bounded(bytes, n_layers), "the sizes of a chain overflow");
  EchoArena arena = {0};
  uint64_t *prefix = ECHO_ARENA_ARRAY(&arena, uint64_t, n_layers + 1);
  size_t *next = ECHO_ARENA_ARRAY(&arena, size_t, n_layers);
  Sweep sweep = {.bytes = bytes,
                 .prefix = prefix,
                 .least = ECHO_ARENA_ARRAY(&arena, uint64_t, n_layers),
                 .candidates = ECHO_ARENA_ARRAY(&arena, size_t, n_layers),
                 .maxima = ECHO_ARENA_ARRAY(&arena, size_t, n_layers)};
  prefix[0] = 0;
  for (size_t i = 0; i < n_layers; i++)
    prefix[i + 1] = prefix[i] + bytes[i];
  size_t cursor = 0,
         left_cursor = 0; /* of the right end of the crossing and of its left neighbour */
  sweep.least[n_layers - 1] = 2 * bytes[n_layers - 1];
  for (size_t i = n_layers - 1; i-- > 0;) {
    push_candidate(&sweep, i + 1);
    push_layer(&sweep, i);
    while (sweep.first_candidate + 1 < sweep.n_candidates) {
      size_t left = sweep.candidates[sweep.first_candidate + 1];
      if (segment_need(&sweep, i, left, &left_cursor) < sweep.least[left])
        break;
      sweep.first_candidate++;
    }
    size_t j = sweep.candidates[sweep.first_candidate];
    uint64_t best = max_u64(segment_need(&sweep, i, j, &cursor), sweep.least[j]);
    if (sweep.first_candidate + 1 < sweep.n_candidates) {
      size_t left = sweep.candidates[sweep.first_candidate + 1];
      if (sweep.least[left] <= best) { /* left of the crossing T is the larger of the two */
        best = sweep.least[left];
        j = left;
      }
    }
    next[i] = j;
    sweep.least[i] = bytes[i] + best;
  }
  take_path(next, n_layers, set);
  echo_chain_keep_more(bytes, n_layers, set);
  echo_arena_destroy(&arena);
}
