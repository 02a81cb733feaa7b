/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A segment tree whose pending additions are never pushed down: a node's maximum includes its own
 * addition, so a query adds up what stands on the path. Walks are recursive to the depth of the
 * tree, at most 64. */
#include "planning/swap/profile_t.h"

#include "base/panic.h"

static int64_t max_i64(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

static void pull(EchoProfileNode *nodes, size_t node)
{
  nodes[node].max_bytes =
      max_i64(nodes[2 * node].max_bytes, nodes[2 * node + 1].max_bytes) + nodes[node].add_bytes;
}

void echo_profile_create(EchoProfile *profile, size_t n_positions)
{
  echo_profile_create_from(profile, NULL, n_positions);
}

void echo_profile_create_from(EchoProfile *profile, const int64_t *bytes, size_t n_positions)
{
  ECHO_CHECK(n_positions >= 1, "a profile needs at least one position");
  *profile = (EchoProfile){.n_positions = n_positions, .n_leaves = 1};
  while (profile->n_leaves < n_positions)
    profile->n_leaves *= 2;
  profile->nodes = echo_alloc_zero(2 * profile->n_leaves, sizeof(EchoProfileNode));
  for (size_t i = 0; i < profile->n_leaves; i++)
    profile->nodes[profile->n_leaves + i].max_bytes =
        i >= n_positions ? INT64_MIN / 4 : (bytes != NULL ? bytes[i] : 0);
  for (size_t node = profile->n_leaves - 1; node >= 1; node--)
    pull(profile->nodes, node);
}

void echo_profile_destroy(EchoProfile *profile)
{
  echo_free(profile->nodes);
  echo_vector_destroy(&profile->journal);
  *profile = (EchoProfile){0};
}

/* Additions go to the O(log n) nodes that tile [begin, end), found bottom-up from both ends. */
static void add_range(EchoProfile *profile, size_t begin, size_t end, int64_t bytes)
{
  EchoProfileNode *nodes = profile->nodes;
  size_t first = begin + profile->n_leaves, last = end - 1 + profile->n_leaves;
  for (size_t left = first, right = last + 1; left < right; left /= 2, right /= 2) {
    if (left & 1) {
      nodes[left].max_bytes += bytes;
      nodes[left].add_bytes += bytes;
      left++;
    }
    if (right & 1) {
      right--;
      nodes[right].max_bytes += bytes;
      nodes[right].add_bytes += bytes;
    }
  }
  for (size_t node = first / 2; node >= 1; node /= 2)
    pull(nodes, node);
  for (size_t node = last / 2; node >= 1; node /= 2)
    pull(nodes, node);
}

void echo_profile_add(EchoProfile *profile, size_t begin, size_t end, int64_t bytes)
{
  ECHO_CHECK(begin <= end && end <= profile->n_positions, "range [%zu, %zu) is not in [0, %zu)",
             begin, end, profile->n_positions);
  if (begin == end || bytes == 0)
    return;
  add_range(profile, begin, end, bytes);
  echo_vector_push(&profile->journal, (EchoProfileChange){begin, end, bytes});
}

int64_t echo_profile_at(const EchoProfile *profile, size_t position)
{
  ECHO_CHECK(position < profile->n_positions, "position %zu is not in [0, %zu)", position,
             profile->n_positions);
  size_t node = profile->n_leaves + position;
  int64_t bytes = profile->nodes[node].max_bytes;
  for (node /= 2; node >= 1; node /= 2)
    bytes += profile->nodes[node].add_bytes;
  return bytes;
}

int64_t echo_profile_max(const EchoProfile *profile)
{
  return profile->nodes[1].max_bytes;
}

static int64_t max_below(const EchoProfile *profile, size_t node, size_t node_begin,
                         size_t node_end, size_t begin, size_t end)
{
  if (end <= node_begin || node_end <= begin)
    return INT64_MIN / 4;
  if (begin <= node_begin && node_end <= end)
    return profile->nodes[node].max_bytes;
  size_t middle = node_begin + (node_end - node_begin) / 2;
  return profile->nodes[node].add_bytes +
         max_i64(max_below(profile, 2 * node, node_begin, middle, begin, end),
                 max_below(profile, 2 * node + 1, middle, node_end, begin, end));
}

int64_t echo_profile_max_in(const EchoProfile *profile, size_t begin, size_t end)
{
  ECHO_CHECK(begin < end && end <= profile->n_positions, "range [%zu, %zu) is empty or outside",
             begin, end);
  return max_below(profile, 1, 0, profile->n_leaves, begin, end);
}

/* `above` is relative to this subtree: what stands on the path has been taken off. */
static size_t next_above_below(const EchoProfile *profile, size_t node, size_t node_begin,
                               size_t node_end, size_t from, int64_t above)
{
  if (node_end <= from || profile->nodes[node].max_bytes <= above)
    return profile->n_positions;
  if (node_end - node_begin == 1)
    return node_begin;
  size_t middle = node_begin + (node_end - node_begin) / 2;
  above -= profile->nodes[node].add_bytes;
  size_t found = next_above_below(profile, 2 * node, node_begin, middle, from, above);
  if (found != profile->n_positions)
    return found;
  return next_above_below(profile, 2 * node + 1, middle, node_end, from, above);
}

size_t echo_profile_next_above(const EchoProfile *profile, size_t from, int64_t bytes)
{
  return next_above_below(profile, 1, 0, profile->n_leaves, from, bytes);
}

size_t echo_profile_argmax(const EchoProfile *profile)
{
  return echo_profile_next_above(profile, 0, echo_profile_max(profile) - 1);
}

size_t echo_profile_argmax_in(const EchoProfile *profile, size_t begin, size_t end)
{
  return echo_profile_next_above(profile, begin, echo_profile_max_in(profile, begin, end) - 1);
}

size_t echo_profile_checkpoint(const EchoProfile *profile)
{
  return profile->journal.size;
}

void echo_profile_undo(EchoProfile *profile, size_t checkpoint)
{
  ECHO_CHECK(checkpoint <= profile->journal.size, "checkpoint %zu is in the future", checkpoint);
  while (profile->journal.size > checkpoint) {
    EchoProfileChange change = echo_vector_pop(&profile->journal);
    add_range(profile, change.begin, change.end, -change.bytes);
  }
}

void echo_profile_commit(EchoProfile *profile)
{
  echo_vector_clear(&profile->journal);
}
