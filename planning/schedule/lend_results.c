/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The caller's buffers of results hold what is needed before the results are written. Buffers of
 * the arena that are gone by then move there: the largest first, of equal ones that which lives
 * longest, each into the smallest buffer that has room for it, side by side and one after the
 * other. */
#include "base/memory.h"
#include "dialects/plan/plan.h"
#include "planning/schedule/storage.h"

#include <stdlib.h>

#define MAX_LOOKS 64 /* at what is there, for a buffer on average: placing stays linear */

/* A buffer that has moved in. Lives are counted in events: steps that begin a life in the arena or
 * write a result first. So they are the same whatever else counts as a step. */
typedef struct Guest {
  uint32_t buffer;
  uint32_t begin, end; /* both included */
  uint64_t bytes, offset_bytes;
  uint32_t next; /* in the same result, by offset; ECHO_NONE = none */
} Guest;

typedef struct Host {
  uint32_t buffer;
  uint32_t until; /* the event that writes the result */
  uint64_t bytes;
  uint32_t first; /* guest */
} Host;

typedef struct Lender {
  EchoStorage *storage;
  Guest *guests;
  Host *hosts;
  size_t n_guests, n_hosts;
  uint64_t n_looks;
} Lender;

/* By buffer of a result, the step that writes to it first. */
static uint32_t *find_first_writes(const EchoStorage *storage, const EchoFusion *fusion)
{
  uint32_t end_step = (uint32_t)fusion->groups.size - 1;
  uint32_t *first = echo_alloc_array(storage->buffers.size + 1, sizeof(uint32_t));
  for (size_t b = 0; b < storage->buffers.size; ++b)
    first[b] = end_step; /* unless it is written before, it is copied to */
  for (uint32_t g = end_step; g-- > 0;) {
    const EchoFusionGroup *group = &fusion->groups.data[g];
    for (uint32_t i = 0; i < group->n_outputs; ++i) {
      uint32_t value = fusion->outputs.data[group->first_output + i];
      if (storage->buffer_of_value[value] != ECHO_NONE)
        first[storage->buffer_of_value[value]] = g;
    }
  }
  return first;
}

static bool is_of(const EchoStorage *storage, size_t buffer, EchoBufferKind kind)
{
  return storage->buffers.data[buffer].kind == kind && storage->buffers.data[buffer].bytes != 0;
}

/* A result that is less than a place of the arena lends none: a scalar more, a loss returned twice,
 * would be another plan. */
static bool is_host(const EchoStorage *storage, size_t buffer)
{
  return is_of(storage, buffer, ECHO_BUFFER_OUTPUT) &&
         storage->buffers.data[buffer].bytes >= ECHO_PLAN_ALIGNMENT;
}

/* By step: how many events there are up to it. */
static uint32_t *number_events(const EchoStorage *storage, size_t n_steps,
                               const uint32_t *first_write)
{
  uint32_t *event = echo_alloc_zero(n_steps + 1, sizeof(uint32_t));
  for (size_t b = 0; b < storage->buffers.size; ++b)
    if (is_of(storage, b, ECHO_BUFFER_ARENA))
      event[storage->buffers.data[b].first_step] = 1;
    else if (is_host(storage, b))
      event[first_write[b]] = 1;
  for (size_t g = 1; g < n_steps; ++g)
    event[g] += event[g - 1];
  return event;
}

/* What is large finds room while there is some. */
static int by_size(const void *a, const void *b)
{
  const Guest *x = a, *y = b;
  uint32_t left = x->end - x->begin, right = y->end - y->begin;
  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  if (left != right)
    return left > right ? -1 : 1;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  return x->buffer < y->buffer ? -1 : x->buffer > y->buffer;
}

static int by_bytes(const void *a, const void *b)
{
  const Host *x = a, *y = b;
  if (x->bytes != y->bytes)
    return x->bytes < y->bytes ? -1 : 1;
  return x->buffer < y->buffer ? -1 : x->buffer > y->buffer;
}

static void gather(Lender *lender, const EchoFusion *fusion)
{
  const EchoStorage *storage = lender->storage;
  uint32_t *first_write = find_first_writes(storage, fusion);
  uint32_t *event = number_events(storage, fusion->groups.size, first_write);
  for (uint32_t b = 0; b < storage->buffers.size; ++b) {
    const EchoBufferRange *range = &storage->buffers.data[b];
    if (is_of(storage, b, ECHO_BUFFER_ARENA))
      lender->guests[lender->n_guests++] =
          (Guest){b, event[range->first_step], event[range->last_step], range->bytes, 0, ECHO_NONE};
    else if (is_host(storage, b))
      lender->hosts[lender->n_hosts++] = (Host){b, event[first_write[b]], range->bytes, ECHO_NONE};
  }
  echo_free(first_write);
  echo_free(event);
  if (lender->n_guests != 0 && lender->n_hosts != 0)
    qsort(lender->guests, lender->n_guests, sizeof(Guest), by_size);
  if (lender->n_hosts != 0)
    qsort(lender->hosts, lender->n_hosts, sizeof(Host), by_bytes);
}

/* Moves the guest to the lowest place that is free while it lives. False where there is none. */
static bool move_in(Lender *lender, Host *host, uint32_t number)
{
  Guest *guest = &lender->guests[number];
  uint64_t offset = 0;
  if (guest->end >= host->until)
    return false;
  uint32_t *link = &host->first; /* to where it is put in */
  for (uint32_t *at = link; *at != ECHO_NONE; at = &lender->guests[*at].next) {
    const Guest *other = &lender->guests[*at];
    ++lender->n_looks;
    if (other->offset_bytes >= offset + guest->bytes)
      break;
    if (other->begin > guest->end || guest->begin > other->end)
      continue;
    uint64_t end = echo_align_up(other->offset_bytes + other->bytes, ECHO_PLAN_ALIGNMENT);
    offset = end > offset ? end : offset; /* what lives at other times may lie across */
    if (offset + guest->bytes > host->bytes)
      return false;
  }
  while (*link != ECHO_NONE && lender->guests[*link].offset_bytes < offset)
    link = &lender->guests[*link].next;
  guest->offset_bytes = offset;
  guest->next = *link;
  *link = number;
  return true;
}

static void find_place(Lender *lender, uint32_t number)
{
  size_t low = 0, high = lender->n_hosts;
  while (low < high) { /* the first that is large enough */
    size_t middle = low + (high - low) / 2;
    if (lender->hosts[middle].bytes < lender->guests[number].bytes)
      low = middle + 1;
    else
      high = middle;
  }
  uint64_t max_looks = MAX_LOOKS * (uint64_t)(lender->n_guests + lender->n_hosts);
  for (; low < lender->n_hosts && lender->n_looks < max_looks; ++low, ++lender->n_looks)
    if (move_in(lender, &lender->hosts[low], number)) {
      EchoBufferRange *range = &lender->storage->buffers.data[lender->guests[number].buffer];
      range->kind = ECHO_BUFFER_LENT;
      range->number = lender->storage->buffers.data[lender->hosts[low].buffer].number;
      range->offset_bytes = lender->guests[number].offset_bytes;
      return;
    }
}

void echo_storage_lend_results(EchoStorage *storage, const EchoFusion *fusion)
{
  size_t n = storage->buffers.size;
  Lender lender = {.storage = storage,
                   .guests = echo_alloc_array(n + 1, sizeof(Guest)),
                   .hosts = echo_alloc_array(n + 1, sizeof(Host))};
  gather(&lender, fusion);
  for (uint32_t i = 0; i < lender.n_guests && lender.n_hosts != 0; ++i)
    find_place(&lender, i);
  echo_free(lender.guests);
  echo_free(lender.hosts);
}
