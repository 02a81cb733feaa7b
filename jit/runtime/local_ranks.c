/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/local_ranks.h"

#include <pthread.h>
#include <string.h>

#include "base/memory.h"
#include "base/vector.h"
#include "jit/runtime/collective_calls_t.h"
#include "jit/runtime/reduction_t.h"
#include "jit/runtime/sent_bytes_t.h"

/* Where the members of one group meet, call after call. */
typedef struct Meeting {
  const EchoAttr *ranks; /* with `group_size` and `number`, which group it is */
  int64_t group_size, number;
  int64_t n_members;
  const void **operands; /* by place in the group, while a call is under way */
  void **results;
  int64_t n_here;
  const EchoAttr *call; /* the configuration of what the first of those came to */
  bool is_mixed;        /* another one came to another */
  uint64_t n_passed;    /* how often all were here */
} Meeting;

typedef enum State { RUNS, WAITS, HAS_ENDED } State;

typedef struct Rank {
  State state;
  const EchoTargetCall *call; /* WAITS: in this one, with its group */
  const Meeting *meeting;
} Rank;

struct EchoLocalRanks {
  int n;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  ECHO_VECTOR(Meeting *) meetings;
  Rank *all;
  int n_running;
  bool has_failed;
  EchoBuffer why; /* empty: one has failed by itself */
};

static _Thread_local struct {
  EchoLocalRanks *ranks;
  int rank;
} own;

EchoLocalRanks *echo_local_ranks_create(int n)
{
  EchoLocalRanks *ranks = echo_alloc_zero(1, sizeof *ranks);
  ranks->n = n;
  pthread_mutex_init(&ranks->lock, NULL);
  pthread_cond_init(&ranks->changed, NULL);
  ranks->all = echo_alloc_zero((size_t)n, sizeof *ranks->all);
  ranks->n_running = n;
  return ranks;
}

void echo_local_ranks_reset(EchoLocalRanks *ranks)
{
  for (size_t i = 0; i < ranks->meetings.size; i++) {
    echo_free(ranks->meetings.data[i]->operands);
    echo_free(ranks->meetings.data[i]->results);
    echo_free(ranks->meetings.data[i]);
  }
  echo_vector_clear(&ranks->meetings);
  memset(ranks->all, 0, (size_t)ranks->n * sizeof *ranks->all);
  ranks->n_running = ranks->n;
  ranks->has_failed = false;
  echo_buffer_clear(&ranks->why);
}

void echo_local_ranks_destroy(EchoLocalRanks *ranks)
{
  if (ranks == NULL)
    return;
  echo_local_ranks_reset(ranks);
  echo_vector_destroy(&ranks->meetings);
  echo_buffer_destroy(&ranks->why);
  echo_free(ranks->all);
  pthread_mutex_destroy(&ranks->lock);
  pthread_cond_destroy(&ranks->changed);
  echo_free(ranks);
}

/* ---- who waits for nobody ---- */

enum { MAX_NAMED = 8 };

/* Where all are, and that it is no use. The lock is held. */
static void end_all(EchoLocalRanks *ranks)
{
  echo_buffer_append_c(&ranks->why, "not all of its group join it:");
  for (int i = 0; i < ranks->n && i < MAX_NAMED; i++) {
    const Rank *rank = &ranks->all[i];
    echo_buffer_printf(&ranks->why, "%s rank %d %s", i == 0 ? "" : ",", i,
                       rank->state == WAITS       ? "has come to "
                       : rank->state == HAS_ENDED ? "has ended"
                                                  : "computes");
    if (rank->state == WAITS)
      echo_collective_call_describe(&ranks->why, echo_str(rank->call->target->name),
                                    echo_collective_call_place(rank->call->config));
  }
  if (ranks->n > MAX_NAMED)
    echo_buffer_append_c(&ranks->why, ", …");
  ranks->has_failed = true;
  pthread_cond_broadcast(&ranks->changed);
}

/* Nobody is left who could join a call that is waited in. The lock is held. */
static void end_if_stuck(EchoLocalRanks *ranks)
{
  bool waits = false;
  for (int i = 0; ranks->n_running == 0 && i < ranks->n; i++)
    waits = waits || ranks->all[i].state == WAITS;
  if (waits && !ranks->has_failed)
    end_all(ranks);
}

static void set_state(EchoLocalRanks *ranks, int number, Rank rank)
{
  ranks->n_running += (rank.state == RUNS) - (ranks->all[number].state == RUNS);
  ranks->all[number] = rank;
}

void echo_local_ranks_join(EchoLocalRanks *ranks, int rank)
{
  own.ranks = ranks;
  own.rank = rank;
}

void echo_local_ranks_leave(void)
{
  EchoLocalRanks *ranks = own.ranks;
  own.ranks = NULL;
  if (ranks == NULL)
    return;
  pthread_mutex_lock(&ranks->lock);
  set_state(ranks, own.rank, (Rank){.state = HAS_ENDED});
  end_if_stuck(ranks);
  pthread_mutex_unlock(&ranks->lock);
}

void echo_local_ranks_fail(EchoLocalRanks *ranks)
{
  pthread_mutex_lock(&ranks->lock);
  ranks->has_failed = true;
  pthread_cond_broadcast(&ranks->changed);
  pthread_mutex_unlock(&ranks->lock);
}

/* ---- who meets ---- */

/* A call by one member: where, and which place of the group the thread has. */
typedef struct Member {
  Meeting *meeting;
  size_t place, size;
} Member;

static Meeting *meeting_of(EchoLocalRanks *ranks, const EchoAttr *members, int64_t group_size,
                           int64_t number, int64_t n_members)
{
  for (size_t i = 0; i < ranks->meetings.size; i++) {
    Meeting *meeting = ranks->meetings.data[i];
    if (meeting->ranks == members && meeting->group_size == group_size && meeting->number == number)
      return meeting;
  }
  Meeting *meeting = echo_alloc_zero(1, sizeof *meeting);
  *meeting = (Meeting){.ranks = members,
                       .group_size = group_size,
                       .number = number,
                       .n_members = n_members,
                       .operands = echo_alloc_zero((size_t)n_members, sizeof(void *)),
                       .results = echo_alloc_zero((size_t)n_members, sizeof(void *))};
  echo_vector_push(&ranks->meetings, meeting);
  return meeting;
}

static bool fail(const EchoTargetCall *c)
{
  echo_buffer_printf(c->error, "rank %d of %d: %s", own.rank, own.ranks->n,
                     own.ranks->why.size != 0 ? echo_buffer_c_str(&own.ranks->why)
                                              : "another rank has failed");
  return false;
}

/* All are here: they go on, unless they came to different calls. The lock is held. */
static void pass(EchoLocalRanks *ranks, Meeting *meeting)
{
  if (meeting->is_mixed) {
    if (!ranks->has_failed)
      end_all(ranks);
    return;
  }
  for (int i = 0; i < ranks->n; i++)
    if (ranks->all[i].meeting == meeting)
      set_state(ranks, i, (Rank){.state = RUNS});
  meeting->n_here = 0;
  meeting->n_passed++;
  pthread_cond_broadcast(&ranks->changed);
}

/* Until all members are here. */
static bool wait_for_all(const EchoTargetCall *c, Meeting *meeting)
{
  EchoLocalRanks *ranks = own.ranks;
  pthread_mutex_lock(&ranks->lock);
  uint64_t before = meeting->n_passed;
  set_state(ranks, own.rank, (Rank){WAITS, c, meeting});
  if (meeting->n_here++ == 0) {
    meeting->call = c->config;
    meeting->is_mixed = false;
  }
  meeting->is_mixed = meeting->is_mixed || meeting->call != c->config;
  if (meeting->n_here == meeting->n_members)
    pass(ranks, meeting);
  else
    end_if_stuck(ranks);
  while (meeting->n_passed == before && !ranks->has_failed)
    pthread_cond_wait(&ranks->changed, &ranks->lock);
  bool all_came = meeting->n_passed != before || fail(c);
  if (!all_came)
    set_state(ranks, own.rank, (Rank){.state = RUNS});
  pthread_mutex_unlock(&ranks->lock);
  return all_came;
}

/* Hands over the operand and the place of the result, and waits for those of the others. */
static bool meet(const EchoTargetCall *c, Meeting *meeting, int64_t place, Member *member)
{
  meeting->operands[place] = c->operands[0];
  meeting->results[place] = c->results[0];
  *member = (Member){meeting, (size_t)place, (size_t)meeting->n_members};
  return wait_for_all(c, meeting);
}

static Meeting *find_meeting(const EchoAttr *members, int64_t group_size, int64_t number,
                             int64_t n_members)
{
  pthread_mutex_lock(&own.ranks->lock);
  Meeting *meeting = meeting_of(own.ranks, members, group_size, number, n_members);
  pthread_mutex_unlock(&own.ranks->lock);
  return meeting;
}

static const EchoAttr *members_or_null(const EchoTargetCall *c)
{
  const EchoAttr *members =
      c->config != NULL ? echo_dictionary_get_or_null(c->config, "ranks") : NULL;
  if (members == NULL || own.ranks == NULL) {
    echo_buffer_append_c(c->error, "is no call of a program for many devices");
    return NULL;
  }
  return members;
}

/* Who of a group comes before place `end`: places that nobody has are negative. */
static int64_t count_members(const EchoAttr *members, size_t begin, size_t end)
{
  int64_t n = 0;
  for (size_t i = begin; i < end; i++)
    n += echo_attr_ints_get(members, i) >= 0;
  return n;
}

/* False with an empty *member where this rank is in no group. */
static bool meet_group(const EchoTargetCall *c, Member *member)
{
  const EchoAttr *members = members_or_null(c);
  const EchoAttr *attr =
      members != NULL ? echo_dictionary_get_or_null(c->config, "group_size") : NULL;
  *member = (Member){0};
  if (attr == NULL)
    return false;
  size_t size = (size_t)attr->as.integer.value;
  for (size_t i = 0; i < echo_attr_ints_size(members); i++)
    if (echo_attr_ints_get(members, i) == own.rank) {
      size_t begin = i - i % size;
      Meeting *meeting = find_meeting(members, (int64_t)size, (int64_t)(i / size),
                                      count_members(members, begin, begin + size));
      return meet(c, meeting, count_members(members, begin, i), member);
    }
  return true;
}

/* ---- sums and the like ---- */

/* Elements [first, first + n) of every member's operand, first member to last. */
static void reduce_members(const EchoTargetCall *c, const Member *member, size_t first, size_t n,
                           void *to)
{
  size_t bytes = echo_type_element_bytes(c->operand_types[0]);
  EchoElementKind kind = echo_type_element_kind(c->operand_types[0]);
  EchoReduction by = echo_reduction_of(c->config);
  if (n == 0)
    return;
  for (size_t i = 0; i < member->size; i++) {
    const char *from = (const char *)member->meeting->operands[i] + first * bytes;
    if (i == 0)
      memcpy(to, from, n * bytes);
    else
      echo_reduce(by, kind, to, from, n);
  }
}

/* ---- the targets ---- */

static void copy(void *to, const void *from, uint64_t bytes)
{
  if (bytes != 0)
    memcpy(to, from, bytes);
}

static bool gather_one(const EchoTargetCall *c)
{
  Member member;
  uint64_t bytes = echo_type_static_bytes(c->operand_types[0]);
  if (!meet_group(c, &member))
    return false;
  for (size_t i = 0; i < member.size; i++)
    copy((char *)c->results[0] + i * bytes, member.meeting->operands[i], bytes);
  uint64_t filled = member.size * bytes, all = echo_type_static_bytes(c->result_types[0]);
  if (filled != all) /* of a group that is smaller than others */
    memset((char *)c->results[0] + filled, 0, all - filled);
  return wait_for_all(c, member.meeting);
}

static bool exchange_one(const EchoTargetCall *c)
{
  Member member;
  if (!meet_group(c, &member))
    return false;
  uint64_t bytes = echo_type_static_bytes(c->operand_types[0]) / member.size;
  for (size_t i = 0; i < member.size; i++)
    copy((char *)c->results[0] + i * bytes,
         (const char *)member.meeting->operands[i] + member.place * bytes, bytes);
  return wait_for_all(c, member.meeting);
}

/* Each member combines a part, and takes the others' parts from them. */
static bool all_reduce_one(const EchoTargetCall *c)
{
  Member member;
  if (!meet_group(c, &member))
    return false;
  size_t n = (size_t)echo_type_static_n_elements(c->operand_types[0]);
  size_t bytes = echo_type_element_bytes(c->operand_types[0]);
  size_t part = n / member.size + (n % member.size != 0);
  for (size_t pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < member.size; i++) {
      size_t first = i * part < n ? i * part : n;
      size_t count = n - first < part ? n - first : part;
      char *to = (char *)c->results[0] + first * bytes;
      if (pass == 0 && i == member.place)
        reduce_members(c, &member, first, count, to);
      else if (pass == 1 && i != member.place)
        copy(to, (const char *)member.meeting->results[i] + first * bytes, count * bytes);
    }
    if (!wait_for_all(c, member.meeting))
      return false;
  }
  return true;
}

/* One operand after the other: all ranks have the same ones. */
static bool for_each(const EchoTargetCall *c, bool (*run_one)(const EchoTargetCall *one))
{
  bool ok = true;
  for (size_t i = 0; i < c->n_operands && ok; i++) {
    EchoTargetCall one = *c;
    one.operand_types += i;
    one.result_types += i;
    one.operands += i;
    one.results += i;
    ok = run_one(&one);
  }
  return ok;
}

static bool run_all_gather(const EchoTargetCall *c)
{
  return for_each(c, gather_one);
}

static bool run_all_to_all(const EchoTargetCall *c)
{
  return for_each(c, exchange_one);
}

static bool run_all_reduce(const EchoTargetCall *c)
{
  return for_each(c, all_reduce_one);
}

/* From the first of each group; zeros where there is none. */
static bool run_broadcast(const EchoTargetCall *c)
{
  Member member;
  uint64_t bytes = echo_type_static_bytes(c->operand_types[0]);
  if (!meet_group(c, &member))
    return false;
  if (member.meeting == NULL) {
    memset(c->results[0], 0, bytes);
    return true;
  }
  copy(c->results[0], member.meeting->operands[0], bytes);
  return wait_for_all(c, member.meeting);
}

/* All ranks meet, for a pair is not told from the next; to whom nobody sends, zeros come. */
static bool run_permute(const EchoTargetCall *c)
{
  const EchoAttr *pairs = members_or_null(c);
  uint64_t bytes = echo_type_static_bytes(c->operand_types[0]);
  Member member;
  if (pairs == NULL ||
      !meet(c, find_meeting(pairs, own.ranks->n, -1, own.ranks->n), own.rank, &member))
    return false;
  const void *from = NULL;
  for (size_t i = 0; i + 1 < echo_attr_ints_size(pairs); i += 2)
    if (echo_attr_ints_get(pairs, i + 1) == own.rank)
      from = member.meeting->operands[echo_attr_ints_get(pairs, i)];
  if (from != NULL)
    copy(c->results[0], from, bytes);
  else
    memset(c->results[0], 0, bytes);
  return wait_for_all(c, member.meeting);
}

static bool run_rank(const EchoTargetCall *c)
{
  uint32_t rank = (uint32_t)own.rank;
  memcpy(c->results[0], &rank, sizeof rank);
  return true;
}

static const EchoCallTarget TARGETS[] = {
    {.name = "echo.mpi.all_gather",
     .summary = "values of a group along a leading dimension",
     .run = run_all_gather,
     .sent_bytes = echo_all_gather_sent_bytes},
    {.name = "echo.mpi.all_reduce",
     .summary = "values of a group, combined",
     .run = run_all_reduce,
     .sent_bytes = echo_all_reduce_sent_bytes},
    {.name = "echo.mpi.all_to_all",
     .summary = "pieces of a group, exchanged",
     .run = run_all_to_all,
     .sent_bytes = echo_all_to_all_sent_bytes},
    {.name = "echo.mpi.broadcast",
     .summary = "the value of a group's first",
     .run = run_broadcast,
     .sent_bytes = echo_one_sent_bytes},
    {.name = "echo.mpi.permute",
     .summary = "a value of another device",
     .run = run_permute,
     .sent_bytes = echo_one_sent_bytes},
    {.name = "echo.mpi.rank", .summary = "this device", .run = run_rank},
};

void echo_local_ranks_prepare(EchoOp *module)
{
  int64_t n = 0;
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op)) {
    EchoCollectiveCall call;
    if (echo_collective_call_read(op, &call))
      echo_collective_call_tell(op, &call, n++);
  }
}

bool echo_local_ranks_register_targets(EchoContext *ctx, EchoBuffer *error)
{
  bool ok = true;
  for (size_t i = 0; i < sizeof TARGETS / sizeof TARGETS[0] && ok; i++)
    ok = echo_context_register_call_target(ctx, &TARGETS[i], error);
  return ok;
}
