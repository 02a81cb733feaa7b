/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The check of a plan, from the blocks as given: events in order of time, and at each the set of
 * live bytes as a balanced tree of intervals. It shares no code with the planners. */
#include "planning/offsets/offsets.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

#define NIL UINT32_MAX

typedef struct Event {
  int64_t time;
  bool starts;
  uint32_t block;
} Event;

/* Ends before starts at one time: lifetimes are half-open. */
static int compare_events(const void *a, const void *b)
{
  const Event *x = a, *y = b;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  if (x->starts != y->starts)
    return x->starts ? 1 : -1;
  return (x->block > y->block) - (x->block < y->block);
}

/* A treap of the live blocks by offset; `reach` is the furthest end of a block below a node.
 * Priorities are hashes of the block's number. */
typedef struct Node {
  uint64_t begin, end, reach;
  uint32_t left, right, priority, group;
} Node;

typedef struct Sweep {
  Node *nodes; /* by block */
  uint32_t root;
} Sweep;

static bool is_before(const Node *nodes, uint32_t a, uint32_t b)
{
  return nodes[a].begin != nodes[b].begin ? nodes[a].begin < nodes[b].begin : a < b;
}

static void update(Node *nodes, uint32_t t)
{
  nodes[t].reach = nodes[t].end;
  if (nodes[t].left != NIL && nodes[nodes[t].left].reach > nodes[t].reach)
    nodes[t].reach = nodes[nodes[t].left].reach;
  if (nodes[t].right != NIL && nodes[nodes[t].right].reach > nodes[t].reach)
    nodes[t].reach = nodes[nodes[t].right].reach;
}

/* Everything before `key` goes left. The depth is that of a treap: logarithmic. */
static void split(Node *nodes, uint32_t t, uint32_t key, uint32_t *left, uint32_t *right)
{
  if (t == NIL) {
    *left = *right = NIL;
  } else if (is_before(nodes, t, key)) {
    split(nodes, nodes[t].right, key, &nodes[t].right, right);
    *left = t;
    update(nodes, t);
  } else {
    split(nodes, nodes[t].left, key, left, &nodes[t].left);
    *right = t;
    update(nodes, t);
  }
}

static uint32_t merge(Node *nodes, uint32_t left, uint32_t right)
{
  if (left == NIL)
    return right;
  if (right == NIL)
    return left;
  if (nodes[left].priority > nodes[right].priority) {
    nodes[left].right = merge(nodes, nodes[left].right, right);
    update(nodes, left);
    return left;
  }
  nodes[right].left = merge(nodes, left, nodes[right].left);
  update(nodes, right);
  return right;
}

static void insert(Sweep *sweep, uint32_t block)
{
  uint32_t left, right;
  split(sweep->nodes, sweep->root, block, &left, &right);
  sweep->root = merge(sweep->nodes, merge(sweep->nodes, left, block), right);
}

/* The tree without its first node. */
static uint32_t without_first(Node *nodes, uint32_t t)
{
  if (nodes[t].left == NIL)
    return nodes[t].right;
  nodes[t].left = without_first(nodes, nodes[t].left);
  update(nodes, t);
  return t;
}

static void erase(Sweep *sweep, uint32_t block)
{
  uint32_t left, right; /* `block` is the first of the right part */
  split(sweep->nodes, sweep->root, block, &left, &right);
  sweep->root = merge(sweep->nodes, left, without_first(sweep->nodes, right));
}

/* A live block of another group that shares a byte with `block`, or NIL. Members of its own group
 * are stepped over. */
static uint32_t find_overlap(const Node *nodes, uint32_t t, uint32_t block)
{
  if (t == NIL || nodes[t].reach <= nodes[block].begin)
    return NIL;
  uint32_t found = find_overlap(nodes, nodes[t].left, block);
  if (found != NIL || nodes[t].begin >= nodes[block].end)
    return found;
  bool is_alias = nodes[t].group != 0 && nodes[t].group == nodes[block].group;
  if (!is_alias && nodes[t].end > nodes[block].begin)
    return t;
  return find_overlap(nodes, nodes[t].right, block);
}

/* What can be said of each block, or group, alone. */
static bool check_places(const EchoOffsetBlock *blocks, size_t n_blocks, const uint64_t *offsets,
                         uint64_t *group_base, const uint32_t *group_of, uint64_t *height,
                         EchoBuffer *error)
{
  *height = 0;
  for (size_t b = 0; b < n_blocks; b++) {
    uint64_t alignment = blocks[b].alignment == 0 ? 1 : blocks[b].alignment;
    const char *problem = NULL;
    uint64_t end = 0;
    if (offsets[b] % alignment != 0 && blocks[b].size_bytes > 0)
      problem = "is not aligned";
    else if (blocks[b].fixed_offset != ECHO_OFFSET_FREE && offsets[b] != blocks[b].fixed_offset)
      problem = "is not where it is fixed";
    else if (!echo_add_u64(offsets[b], blocks[b].size_bytes, &end))
      problem = "ends beyond 2^64";
    else if (blocks[b].alias_group != 0 && blocks[b].size_bytes > 0) {
      uint64_t *base = &group_base[group_of[b]];
      if (*base == UINT64_MAX)
        *base = offsets[b] - blocks[b].alias_offset_bytes;
      if (offsets[b] - blocks[b].alias_offset_bytes != *base)
        problem = "is not where its alias group is";
    }
    if (problem != NULL) {
      echo_buffer_printf(error, "block %zu at offset %" PRIu64 " %s", b, offsets[b], problem);
      return false;
    }
    if (blocks[b].size_bytes > 0 && end > *height)
      *height = end;
  }
  return true;
}

static int compare_groups(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Dense numbers for the groups, so that their bases can stand in an array. */
static void number_groups(const EchoOffsetBlock *blocks, size_t n_blocks, uint32_t *group_of)
{
  uint64_t *keys = echo_alloc_array(n_blocks + 1, sizeof *keys);
  for (size_t b = 0; b < n_blocks; b++)
    keys[b] = (uint64_t)blocks[b].alias_group << 32 | b;
  qsort(keys, n_blocks, sizeof *keys, compare_groups);
  uint32_t number = 0;
  for (size_t k = 0; k < n_blocks; k++) {
    if (k > 0 && keys[k] >> 32 != keys[k - 1] >> 32)
      number++;
    group_of[(uint32_t)keys[k]] = number;
  }
  echo_free(keys);
}

static size_t list_events(const EchoOffsetBlock *blocks, size_t n_blocks, int64_t period,
                          Event *events)
{
  size_t n = 0;
  for (uint32_t b = 0; b < n_blocks; b++) {
    int64_t lower = blocks[b].lower, upper = blocks[b].upper;
    if (blocks[b].size_bytes == 0 || (lower >= upper && period == 0))
      continue;
    if (lower >= upper) { /* wraps: live from the start to upper, and from lower on */
      if (upper > 0) {
        events[n++] = (Event){INT64_MIN, true, b};
        events[n++] = (Event){upper, false, b};
      }
      if (lower < period)
        events[n++] = (Event){lower, true, b};
    } else {
      events[n++] = (Event){lower, true, b};
      events[n++] = (Event){upper, false, b};
    }
  }
  qsort(events, n, sizeof *events, compare_events);
  return n;
}

static bool sweep_events(const Event *events, size_t n_events, Sweep *sweep, EchoBuffer *error)
{
  for (size_t e = 0; e < n_events; e++) {
    uint32_t b = events[e].block;
    if (!events[e].starts) {
      erase(sweep, b);
      continue;
    }
    uint32_t other = find_overlap(sweep->nodes, sweep->root, b);
    if (other != NIL) {
      echo_buffer_printf(error,
                         "blocks %" PRIu32 " [%" PRIu64 ", %" PRIu64 ") and %" PRIu32 " [%" PRIu64
                         ", %" PRIu64 ") share bytes at time %" PRId64,
                         b, sweep->nodes[b].begin, sweep->nodes[b].end, other,
                         sweep->nodes[other].begin, sweep->nodes[other].end,
                         events[e].time == INT64_MIN ? (int64_t)0 : events[e].time);
      return false;
    }
    sweep->nodes[b].left = sweep->nodes[b].right = NIL;
    update(sweep->nodes, b);
    insert(sweep, b);
  }
  return true;
}

bool echo_offsets_verify(const EchoOffsetBlock *blocks, size_t n_blocks, int64_t period,
                         const uint64_t *offsets, uint64_t *height_bytes, EchoBuffer *error)
{
  uint32_t *group_of = echo_alloc_array(n_blocks + 1, sizeof *group_of);
  uint64_t *group_base = echo_alloc_array(n_blocks + 1, sizeof *group_base);
  Event *events = echo_alloc_array(3 * n_blocks + 1, sizeof *events);
  Sweep sweep = {echo_alloc_array(n_blocks + 1, sizeof *sweep.nodes), NIL};
  number_groups(blocks, n_blocks, group_of);
  for (uint32_t b = 0; b < n_blocks; b++) {
    group_base[b] = UINT64_MAX;
    sweep.nodes[b] = (Node){.begin = offsets[b],
                            .end = offsets[b] + blocks[b].size_bytes,
                            .left = NIL,
                            .right = NIL,
                            .priority = (b + 1) * UINT32_C(2654435761),
                            .group = blocks[b].alias_group};
  }
  uint64_t height = 0;
  bool fine = check_places(blocks, n_blocks, offsets, group_base, group_of, &height, error);
  if (fine) {
    size_t n_events = list_events(blocks, n_blocks, period, events);
    fine = sweep_events(events, n_events, &sweep, error);
  }
  if (fine)
    *height_bytes = height;
  echo_free(group_of);
  echo_free(group_base);
  echo_free(events);
  echo_free(sweep.nodes);
  return fine;
}
