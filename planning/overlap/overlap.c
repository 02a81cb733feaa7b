/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "planning/overlap/overlap.h"

#include "base/memory.h"

#define NOBODY UINT32_MAX

/* `to` runs behind `from`; behind its beginning where only a token says so. */
typedef struct Edge {
  uint32_t to, next; /* the next edge of the same step */
  bool is_of_token;
} Edge;

typedef struct Node {
  uint32_t first_edge, n_missing; /* steps that it still has to wait for */
} Node;

typedef struct Resource {
  uint32_t n_left; /* accesses to come */
  bool is_live;
  bool is_promised; /* a step that is put off will begin it */
} Resource;

typedef struct Planner {
  const EchoOverlapProgram *program;
  uint64_t limit_bytes;
  Node *nodes; /* by step */
  ECHO_VECTOR(Edge) edges;
  Resource *resources;
  uint64_t live_bytes;         /* now */
  uint64_t promised_bytes;     /* that steps which are put off begin and hold, all together */
  uint32_t n_seen;             /* what stands before it has run or is promised */
  ECHO_VECTOR(uint32_t) ready; /* a heap, the least first */
  ECHO_VECTOR(uint32_t) begun; /* calls in their order, those before n_waited are over */
  size_t n_waited;
  EchoOverlapActions *actions;
} Planner;

static const EchoOverlapStep *step_at(const Planner *planner, uint32_t step)
{
  return &planner->program->steps.data[step];
}

static const EchoOverlapAccess *access_at(const Planner *planner, uint32_t step, size_t i)
{
  return &planner->program->accesses.data[step_at(planner, step)->first_access + i];
}

/* ---- who waits for whom ---- */

static void add_edge(Planner *planner, uint32_t from, uint32_t to, bool is_token)
{
  if (from == NOBODY || from == to)
    return;
  bool are_calls = step_at(planner, from)->is_call && step_at(planner, to)->is_call;
  echo_vector_push(&planner->edges,
                   ((Edge){to, planner->nodes[from].first_edge, is_token && are_calls}));
  planner->nodes[from].first_edge = (uint32_t)planner->edges.size - 1;
  planner->nodes[to].n_missing++;
}

/* Who has read a resource since it was written. */
typedef struct Access {
  uint32_t step, next;
  bool is_token;
} Access;

typedef struct History {
  uint32_t last_writer, last_read;
  bool wrote_token;
} History;

static void add_edges_of(Planner *planner, uint32_t step, const EchoOverlapAccess *access,
                         History *history, const Access *reads)
{
  add_edge(planner, history->last_writer, step, access->is_token && history->wrote_token);
  for (uint32_t r = history->last_read; access->writes && r != NOBODY; r = reads[r].next)
    add_edge(planner, reads[r].step, step, access->is_token && reads[r].is_token);
}

/* Of the steps of one stretch, from `begin` to before `end`. */
static void connect(Planner *planner, uint32_t begin, uint32_t end, History *histories)
{
  ECHO_VECTOR(Access) reads = {0};
  for (size_t r = 0; r < planner->program->resource_bytes.size; r++)
    histories[r] = (History){NOBODY, NOBODY, false};
  for (uint32_t s = begin; s < end; s++)
    for (size_t i = 0; i < step_at(planner, s)->n_accesses; i++) {
      const EchoOverlapAccess *access = access_at(planner, s, i);
      History *history = &histories[access->resource];
      add_edges_of(planner, s, access, history, reads.data);
      if (access->writes) {
        *history = (History){s, NOBODY, access->is_token};
      } else {
        echo_vector_push(&reads, ((Access){s, history->last_read, access->is_token}));
        history->last_read = (uint32_t)reads.size - 1;
      }
    }
  echo_vector_destroy(&reads);
}

/* ---- what may run ---- */

static void swap_entries(uint32_t *a, uint32_t *b)
{
  uint32_t old = *a;
  *a = *b;
  *b = old;
}

static void push_ready(Planner *planner, uint32_t step)
{
  echo_vector_push(&planner->ready, step);
  uint32_t *heap = planner->ready.data;
  for (size_t i = planner->ready.size - 1; i > 0 && heap[(i - 1) / 2] > heap[i]; i = (i - 1) / 2)
    swap_entries(&heap[(i - 1) / 2], &heap[i]);
}

static uint32_t pop_ready(Planner *planner)
{
  uint32_t *heap = planner->ready.data, least = heap[0];
  size_t n = --planner->ready.size;
  heap[0] = heap[n];
  for (size_t i = 0, child; (child = 2 * i + 1) < n; i = child) {
    child += child + 1 < n && heap[child + 1] < heap[child];
    if (heap[i] <= heap[child])
      break;
    swap_entries(&heap[i], &heap[child]);
  }
  return least;
}

/* Those behind the step: what waits for its token alone, or all others. */
static void release(Planner *planner, uint32_t step, bool of_token)
{
  for (uint32_t e = planner->nodes[step].first_edge; e != NOBODY; e = planner->edges.data[e].next) {
    const Edge *edge = &planner->edges.data[e];
    if (edge->is_of_token == of_token && --planner->nodes[edge->to].n_missing == 0)
      push_ready(planner, edge->to);
  }
}

/* ---- memory ---- */

static void promise(Planner *planner, uint32_t step)
{
  for (size_t i = 0; i < step_at(planner, step)->n_accesses; i++) {
    uint32_t number = access_at(planner, step, i)->resource;
    Resource *resource = &planner->resources[number];
    if (resource->is_live || resource->is_promised)
      continue;
    resource->is_promised = true;
    planner->promised_bytes += planner->program->resource_bytes.data[number];
  }
  planner->promised_bytes += step_at(planner, step)->inner_bytes;
}

static void begin_resources(Planner *planner, uint32_t step)
{
  for (size_t i = 0; i < step_at(planner, step)->n_accesses; i++) {
    uint32_t number = access_at(planner, step, i)->resource;
    Resource *resource = &planner->resources[number];
    if (resource->is_live)
      continue;
    uint64_t bytes = planner->program->resource_bytes.data[number];
    planner->live_bytes += bytes;
    planner->promised_bytes -= resource->is_promised ? bytes : 0;
    resource->is_live = true;
  }
}

static void end_resources(Planner *planner, uint32_t step)
{
  for (size_t i = 0; i < step_at(planner, step)->n_accesses; i++) {
    uint32_t number = access_at(planner, step, i)->resource;
    if (--planner->resources[number].n_left == 0)
      planner->live_bytes -= planner->program->resource_bytes.data[number];
  }
}

/* ---- what is done ---- */

static void act(Planner *planner, EchoOverlapKind kind, uint32_t step)
{
  EchoOverlapAction *last =
      planner->actions->size != 0 ? &echo_vector_last(planner->actions) : NULL;
  if (kind == ECHO_OVERLAP_WAIT && last != NULL && last->kind == ECHO_OVERLAP_BEGIN &&
      last->step == step)
    last->kind = ECHO_OVERLAP_RUN; /* nothing ran meanwhile */
  else
    echo_vector_push(planner->actions, ((EchoOverlapAction){kind, step}));
}

static bool is_under_way(const Planner *planner)
{
  return planner->n_waited < planner->begun.size;
}

static void wait_for_first(Planner *planner)
{
  uint32_t step = planner->begun.data[planner->n_waited++];
  act(planner, ECHO_OVERLAP_WAIT, step);
  end_resources(planner, step);
  release(planner, step, false);
}

static void run(Planner *planner, uint32_t step)
{
  planner->promised_bytes -= step_at(planner, step)->inner_bytes;
  begin_resources(planner, step);
  if (step_at(planner, step)->is_call) {
    act(planner, ECHO_OVERLAP_BEGIN, step);
    echo_vector_push(&planner->begun, step);
    release(planner, step, true);
    return;
  }
  act(planner, ECHO_OVERLAP_RUN, step);
  end_resources(planner, step);
  release(planner, step, false);
}

/* All up to the step are promised. Whatever is put off turns promised bytes into live ones, so that
 * their sum bounds what is to come. */
static bool has_room(Planner *planner, uint32_t step)
{
  while (planner->n_seen <= step)
    promise(planner, planner->n_seen++);
  return planner->live_bytes + planner->promised_bytes <= planner->limit_bytes;
}

/* Without a call under way the first step that is left may run, room or not: what stands behind it
 * and has run had room then, and the order is the given one from there on. */
static void run_stretch(Planner *planner, uint32_t begin, uint32_t end)
{
  for (uint32_t s = begin; s < end; s++)
    if (planner->nodes[s].n_missing == 0)
      push_ready(planner, s);
  while (planner->ready.size != 0 || is_under_way(planner)) {
    bool fits = planner->ready.size != 0 && has_room(planner, planner->ready.data[0]);
    if (is_under_way(planner) && !fits)
      wait_for_first(planner);
    else
      run(planner, pop_ready(planner));
  }
}

/* ---- the whole ---- */

void echo_overlap_program_destroy(EchoOverlapProgram *program)
{
  echo_vector_destroy(&program->steps);
  echo_vector_destroy(&program->accesses);
  echo_vector_destroy(&program->resource_bytes);
}

static Planner planner_create(const EchoOverlapProgram *program)
{
  Planner planner = {.program = program,
                     .nodes = echo_alloc_zero(program->steps.size + 1, sizeof(Node)),
                     .resources =
                         echo_alloc_zero(program->resource_bytes.size + 1, sizeof(Resource))};
  for (size_t s = 0; s < program->steps.size; s++)
    planner.nodes[s].first_edge = NOBODY;
  for (size_t i = 0; i < program->accesses.size; i++)
    planner.resources[program->accesses.data[i].resource].n_left++;
  return planner;
}

static void planner_destroy(Planner *planner)
{
  echo_free(planner->nodes);
  echo_free(planner->resources);
  echo_vector_destroy(&planner->edges);
  echo_vector_destroy(&planner->ready);
  echo_vector_destroy(&planner->begun);
}

uint64_t echo_overlap_peak(const EchoOverlapProgram *program)
{
  Planner planner = planner_create(program);
  uint64_t peak = 0;
  for (uint32_t s = 0; s < program->steps.size; s++) {
    begin_resources(&planner, s);
    uint64_t bytes = planner.live_bytes + step_at(&planner, s)->inner_bytes;
    peak = bytes > peak ? bytes : peak;
    end_resources(&planner, s);
  }
  planner_destroy(&planner);
  return peak;
}

void echo_overlap_decide(const EchoOverlapProgram *program, uint64_t limit_bytes,
                         EchoOverlapActions *actions)
{
  Planner planner = planner_create(program);
  History *histories = echo_alloc_array(program->resource_bytes.size + 1, sizeof *histories);
  uint32_t n = (uint32_t)program->steps.size;
  planner.limit_bytes = limit_bytes;
  planner.actions = actions;
  for (uint32_t begin = 0; begin < n;) {
    uint32_t end = begin + 1;
    while (!step_at(&planner, begin)->is_barrier && end < n && !step_at(&planner, end)->is_barrier)
      end++;
    connect(&planner, begin, end, histories);
    run_stretch(&planner, begin, end);
    begin = end;
  }
  echo_free(histories);
  planner_destroy(&planner);
}
