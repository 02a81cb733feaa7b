/* Liveness on hand-made graphs, and on random ones against the data-flow equations solved naively.
 */
#include "ir/liveness.h"

#include "base/vector.h"
#include "ir/op_info.h"
#include "tests/unit/suite.h"

static EchoContext *ctx;
static EchoOp *root;

/* A detached op with i32 results. */
static EchoOp *make_op(EchoValue *const *operands, uint32_t n_operands, uint32_t n_results,
                       uint16_t n_regions, EchoBlock *const *successors, uint16_t n_successors)
{
  const EchoType *types[8];
  for (int i = 0; i < 8; ++i)
    types[i] = echo_type_i32(ctx);
  EchoOpState state = {.ctx = ctx,
                       .info = echo_context_op_info_any(ctx, ECHO_STR("test.op")),
                       .operands = operands,
                       .result_types = types,
                       .successors = successors,
                       .n_operands = n_operands,
                       .n_results = n_results,
                       .n_regions = n_regions,
                       .n_successors = n_successors};
  return echo_op_create(&state);
}

static EchoBlock *add_block(EchoOp *op, size_t region)
{
  EchoBlock *block = echo_block_create(ctx);
  echo_region_append(&op->regions[region], block);
  return block;
}

/* An op of one result that uses up to two values. */
static EchoOp *use(EchoBlock *block, EchoValue *a, EchoValue *b)
{
  EchoValue *operands[2] = {a, b};
  EchoOp *op = make_op(operands, a == NULL ? 0 : b == NULL ? 1 : 2, 1, 0, NULL, 0);
  echo_block_append(block, op);
  return op;
}

static EchoOp *branch(EchoBlock *block, EchoValue *operand, EchoBlock *a, EchoBlock *b)
{
  EchoBlock *successors[2] = {a, b};
  EchoOp *op = make_op(&operand, operand != NULL, 0, 0, successors,
                       a == NULL   ? 0
                       : b == NULL ? 1
                                   : 2);
  echo_block_append(block, op);
  return op;
}

static EchoValue *result(EchoOp *op)
{
  return echo_op_result(op, 0);
}

static void set_up(void)
{
  ctx = echo_context_create();
  root = make_op(NULL, 0, 0, 1, NULL, 0);
}

static void tear_down(void)
{
  echo_context_destroy(ctx);
}

static void check_dying(const EchoLiveness *live, EchoOp *op, EchoValue *a, EchoValue *b)
{
  size_t n;
  EchoValue *const *dying = echo_liveness_dying(live, op, &n);
  ck_assert_uint_eq(n, a == NULL ? 0 : b == NULL ? 1 : 2);
  if (a != NULL)
    ck_assert_ptr_eq(dying[0], a);
  if (b != NULL)
    ck_assert_ptr_eq(dying[1], b);
}

START_TEST(straight_line)
{
  EchoBlock *block = add_block(root, 0);
  EchoValue *arg = echo_block_add_arg(ctx, block, echo_type_i32(ctx), echo_loc_unknown());
  EchoOp *a = use(block, NULL, NULL);
  EchoOp *b = use(block, result(a), arg);
  EchoOp *unused = use(block, result(a), NULL);
  EchoOp *c = use(block, result(b), arg);
  EchoOp *end = branch(block, result(c), NULL, NULL);
  EchoLiveness *live = echo_liveness_create(root);
  size_t n;
  echo_liveness_in(live, block, &n);
  ck_assert_uint_eq(n, 0);
  echo_liveness_out(live, block, &n);
  ck_assert_uint_eq(n, 0);
  check_dying(live, a, NULL, NULL);
  check_dying(live, b, NULL, NULL);
  check_dying(live, unused, result(a), result(unused));
  check_dying(live, c, arg, result(b));
  check_dying(live, end, result(c), NULL);
  ck_assert_ptr_eq(echo_liveness_last_use_or_null(live, result(a), block), unused);
  ck_assert_ptr_eq(echo_liveness_last_use_or_null(live, arg, block), c);
  ck_assert_ptr_null(echo_liveness_last_use_or_null(live, result(unused), block));
  echo_liveness_destroy(live);
}
END_TEST

/* entry -> head; head -> body | exit; body -> head */
START_TEST(loop_of_blocks)
{
  EchoBlock *entry = add_block(root, 0), *head = add_block(root, 0), *body = add_block(root, 0);
  EchoBlock *exit_block = add_block(root, 0);
  EchoOp *invariant = use(entry, NULL, NULL);
  EchoOp *after = use(entry, NULL, NULL);
  EchoOp *once = use(entry, NULL, NULL);
  EchoOp *enter = branch(entry, result(once), head, NULL);
  EchoOp *test = use(head, result(invariant), NULL);
  EchoOp *choose = branch(head, result(test), body, exit_block);
  EchoOp *step = use(body, result(invariant), NULL);
  EchoOp *back = branch(body, result(step), head, NULL);
  EchoOp *end = branch(exit_block, result(after), NULL, NULL);
  EchoLiveness *live = echo_liveness_create(root);

  EchoBlock *blocks[4] = {entry, head, body, exit_block};
  /* of invariant, after, once, test: a bit a block */
  EchoValue *values[4] = {result(invariant), result(after), result(once), result(test)};
  static const unsigned IN[4] = {0x6, 0xe, 0, 0}, OUT[4] = {0x7, 0x7, 0, 0};
  for (unsigned v = 0; v < 4; ++v)
    for (unsigned b = 0; b < 4; ++b) {
      bool in = echo_liveness_is_live_in(live, values[v], blocks[b]);
      bool out = echo_liveness_is_live_out(live, values[v], blocks[b]);
      ck_assert_msg(in == ((IN[v] >> b & 1) != 0), "value %u in block %u", v, b);
      ck_assert_msg(out == ((OUT[v] >> b & 1) != 0), "value %u out of block %u", v, b);
    }
  size_t n;
  EchoValue *const *in = echo_liveness_in(live, head, &n);
  ck_assert_uint_eq(n, 2);
  ck_assert_ptr_eq(in[0], result(invariant));
  ck_assert_ptr_eq(in[1], result(after));
  EchoValue *const *out = echo_liveness_out(live, body, &n);
  ck_assert_uint_eq(n, 2);
  ck_assert_ptr_eq(out[1], result(after));
  check_dying(live, enter, result(once), NULL);
  check_dying(live, test, NULL, NULL);
  check_dying(live, choose, result(test), NULL);
  check_dying(live, step, NULL, NULL); /* the loop comes back to the invariant */
  check_dying(live, back, result(step), NULL);
  check_dying(live, end, result(after), NULL);
  ck_assert_ptr_eq(echo_liveness_last_use_or_null(live, result(invariant), body), step);
  ck_assert_ptr_null(echo_liveness_last_use_or_null(live, result(after), body));
  echo_liveness_destroy(live);
}
END_TEST

START_TEST(nested_regions)
{
  EchoBlock *block = add_block(root, 0);
  EchoOp *a = use(block, NULL, NULL), *b = use(block, NULL, NULL);
  EchoOp *loop = make_op(NULL, 0, 1, 2, NULL, 0);
  echo_block_append(block, loop);
  EchoBlock *first = add_block(loop, 0), *second = add_block(loop, 1);
  EchoOp *inner = use(first, result(a), NULL);
  EchoOp *deep = make_op(NULL, 0, 0, 1, NULL, 0);
  echo_block_append(second, deep);
  EchoBlock *bottom = add_block(deep, 0);
  EchoOp *deepest = use(bottom, result(b), result(a));
  add_block(deep, 0); /* without ops */
  EchoOp *last = use(block, result(b), NULL);
  EchoLiveness *live = echo_liveness_create(root);

  ck_assert_ptr_eq(echo_liveness_last_use_or_null(live, result(a), block), loop);
  ck_assert_ptr_eq(echo_liveness_last_use_or_null(live, result(a), first), inner);
  ck_assert_ptr_eq(echo_liveness_last_use_or_null(live, result(a), second), deep);
  ck_assert_ptr_eq(echo_liveness_last_use_or_null(live, result(b), bottom), deepest);
  ck_assert_ptr_eq(echo_liveness_last_use_or_null(live, result(b), block), last);
  ck_assert(echo_liveness_is_live_in(live, result(b), second));
  ck_assert(!echo_liveness_is_live_in(live, result(b), first));
  ck_assert(!echo_liveness_is_live_out(live, result(b), second));
  check_dying(live, inner, result(inner), NULL);
  check_dying(live, deepest, result(deepest), NULL);
  check_dying(live, deep, NULL, NULL);
  check_dying(live, loop, result(a), result(loop));
  check_dying(live, last, result(b), result(last));
  size_t n;
  echo_liveness_in(live, deep->regions[0].last, &n);
  ck_assert_uint_eq(n, 0);
  echo_liveness_destroy(live);
}
END_TEST

/* ---- against the equations ---- */

static uint64_t random_state;

static uint32_t next_random(uint32_t bound)
{
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(random_state >> 33) % bound;
}

enum { MAX_BLOCKS = 12, OPS_A_BLOCK = 4, MAX_VALUES = MAX_BLOCKS * OPS_A_BLOCK };

typedef struct Graph {
  EchoBlock *blocks[MAX_BLOCKS];
  EchoValue *values[MAX_VALUES];
  uint64_t defines[MAX_BLOCKS], reads[MAX_BLOCKS]; /* reads of what other blocks define */
  uint64_t in[MAX_BLOCKS], out[MAX_BLOCKS];
  uint32_t successors[MAX_BLOCKS]; /* bit a block */
  uint32_t n_blocks, n_values;
} Graph;

/* Any block may use any value of an earlier one or of its own: the sets need no dominance to be
 * defined, but a path upward may then miss the definition, so only block 0's values and own ones
 * are used. */
static void make_graph(Graph *graph)
{
  *graph = (Graph){.n_blocks = 2 + next_random(MAX_BLOCKS - 1)};
  for (uint32_t b = 0; b < graph->n_blocks; ++b)
    graph->blocks[b] = add_block(root, 0);
  for (uint32_t b = 0; b < graph->n_blocks; ++b) {
    uint32_t own_begin = graph->n_values;
    for (int i = 0; i < OPS_A_BLOCK; ++i) {
      EchoValue *operand = NULL;
      uint32_t n_own = graph->n_values - own_begin;
      if (n_own != 0 && next_random(2) == 0) {
        operand = graph->values[own_begin + next_random(n_own)];
      } else if (b != 0 && next_random(2) == 0) {
        uint32_t number = next_random(OPS_A_BLOCK);
        operand = graph->values[number];
        graph->reads[b] |= UINT64_C(1) << number;
      }
      graph->defines[b] |= UINT64_C(1) << graph->n_values;
      graph->values[graph->n_values++] = result(use(graph->blocks[b], operand, NULL));
    }
    EchoBlock *to[2] = {NULL, NULL};
    uint32_t n_to = next_random(3);
    for (uint32_t i = 0; i < n_to; ++i) {
      uint32_t number = 1 + next_random(graph->n_blocks - 1); /* never the entry */
      to[i] = graph->blocks[number];
      graph->successors[b] |= UINT32_C(1) << number;
    }
    branch(graph->blocks[b], NULL, to[0], to[1]);
  }
}

static void solve(Graph *graph)
{
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < graph->n_blocks; ++b) {
      uint64_t out = 0;
      for (uint32_t s = 0; s < graph->n_blocks; ++s)
        if (graph->successors[b] >> s & 1)
          out |= graph->in[s];
      uint64_t in = graph->reads[b] | (out & ~graph->defines[b]);
      changed = changed || in != graph->in[b] || out != graph->out[b];
      graph->in[b] = in;
      graph->out[b] = out;
    }
  }
}

static uint64_t set_of(const Graph *graph, EchoValue *const *values, size_t n)
{
  uint64_t set = 0;
  uint32_t from = 0; /* they come in order of definition */
  for (size_t i = 0; i < n; ++i) {
    while (from < graph->n_values && graph->values[from] != values[i])
      from++;
    ck_assert_uint_lt(from, graph->n_values);
    set |= UINT64_C(1) << from;
  }
  return set;
}

START_TEST(random_graphs)
{
  random_state = (uint64_t)_i * 977 + 1;
  for (int round = 0; round < 50; ++round) {
    root = make_op(NULL, 0, 0, 1, NULL, 0);
    Graph graph;
    make_graph(&graph);
    solve(&graph);
    EchoLiveness *live = echo_liveness_create(root);
    for (uint32_t b = 0; b < graph.n_blocks; ++b) {
      size_t n_in, n_out;
      EchoValue *const *in = echo_liveness_in(live, graph.blocks[b], &n_in);
      EchoValue *const *out = echo_liveness_out(live, graph.blocks[b], &n_out);
      ck_assert_uint_eq(set_of(&graph, in, n_in), graph.in[b]);
      ck_assert_uint_eq(set_of(&graph, out, n_out), graph.out[b]);
    }
    echo_liveness_destroy(live);
  }
}
END_TEST

START_TEST(a_million_ops)
{
  EchoBlock *block = add_block(root, 0);
  enum { N = 1000000 };
  EchoValue **values = echo_alloc_array(N, sizeof *values);
  random_state = 5;
  for (uint32_t i = 0; i < N; ++i)
    values[i] = result(
        use(block, i > 0 ? values[next_random(i)] : NULL, i > 0 ? values[next_random(i)] : NULL));
  EchoOp *end = make_op(values, N, 0, 0, NULL, 0);
  echo_block_append(block, end);
  EchoLiveness *live = echo_liveness_create(root);
  size_t n;
  echo_liveness_dying(live, end, &n);
  ck_assert_uint_eq(n, N);
  echo_liveness_destroy(live);
  echo_free(values);
}
END_TEST

START_TEST(ten_thousand_levels)
{
  EchoBlock *block = add_block(root, 0);
  EchoBlock *top = block;
  EchoOp *outer = use(block, NULL, NULL);
  for (int i = 0; i < 10000; ++i) {
    EchoOp *op = make_op(NULL, 0, 0, 1, NULL, 0);
    echo_block_append(block, op);
    block = add_block(op, 0);
  }
  for (int i = 0; i < 10000; ++i)
    use(block, result(outer), NULL);
  EchoLiveness *live = echo_liveness_create(root);
  ck_assert_ptr_eq(echo_liveness_last_use_or_null(live, result(outer), top), top->last);
  ck_assert_ptr_eq(echo_liveness_last_use_or_null(live, result(outer), block), block->last);
  echo_liveness_destroy(live);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("liveness");
  TCase *cases = tcase_create("liveness");
  tcase_add_checked_fixture(cases, set_up, tear_down);
  tcase_set_timeout(cases, 120);
  tcase_add_test(cases, straight_line);
  tcase_add_test(cases, loop_of_blocks);
  tcase_add_test(cases, nested_regions);
  tcase_add_loop_test(cases, random_graphs, 0, 10);
  tcase_add_test(cases, a_million_ops);
  tcase_add_test(cases, ten_thousand_levels);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
