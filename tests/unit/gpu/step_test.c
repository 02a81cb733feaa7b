/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a step asks of the driver. */
#include "jit/runtime/cuda/code_t.h"
#include "tests/unit/suite.h"

/* How often the driver was asked for each of these. */
static struct {
  int events, graphs, launches, kernels, copies, loops;
} n_made;

static EchoCudaDriver real;

static CUresult count_event(CUevent *event, unsigned flags)
{
  n_made.events++;
  return real.event_create(event, flags);
}

static CUresult count_event_end(CUevent event)
{
  n_made.events--;
  return real.event_destroy(event);
}

static CUresult count_graph(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
  n_made.graphs++;
  return real.graph_instantiate(exec, graph, flags);
}

static CUresult count_graph_end(CUgraphExec exec)
{
  n_made.graphs--;
  return real.graph_exec_destroy(exec);
}

static CUresult count_launch(CUgraphExec exec, CUstream stream)
{
  n_made.launches++;
  return real.graph_launch(exec, stream);
}

static CUresult count_kernel(CUgraphExec exec, CUgraphNode node,
                             const CUDA_KERNEL_NODE_PARAMS *params)
{
  n_made.kernels++;
  return real.graph_set_kernel(exec, node, params);
}

static CUresult count_copy(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *params,
                           CUcontext context)
{
  n_made.copies++;
  return real.graph_set_copy(exec, node, params, context);
}

static CUresult count_loop(CUgraphExec exec, CUgraphNode node, CUgraph child)
{
  n_made.loops++;
  return real.graph_set_child(exec, node, child);
}

static EchoCuda *open_counted(EchoContext **ctx)
{
  EchoBuffer error = {0};
  *ctx = echo_context_create();
  EchoCuda *cuda = echo_cuda_create_or_null(0, &error);
  ck_assert_msg(cuda != NULL, "%s", echo_buffer_c_str(&error));
  memset(&n_made, 0, sizeof n_made);
  real = cuda->driver;
  cuda->driver.event_create = count_event;
  cuda->driver.event_destroy = count_event_end;
  cuda->driver.graph_instantiate = count_graph;
  cuda->driver.graph_exec_destroy = count_graph_end;
  cuda->driver.graph_launch = count_launch;
  cuda->driver.graph_set_kernel = count_kernel;
  cuda->driver.graph_set_copy = count_copy;
  cuda->driver.graph_set_child = count_loop;
  return cuda;
}

/* A program over n slots. */
static EchoProgram program_of(EchoInstruction *instructions, size_t size, size_t n_slots)
{
  EchoProgram program = {.main = {instructions, size, 0}, .n_blocks = 1};
  for (size_t i = 0; i < n_slots; i++)
    echo_vector_push(&program.slots, (EchoSlot){ECHO_SLOT_ARENA, 0, 0});
  return program;
}

/* A value goes to the host and back: one graph, which the first step makes and later ones launch. A
 * value that lies elsewhere, and host memory that does, change the parameters of copies. */
START_TEST(a_step_is_one_graph)
{
  EchoContext *ctx;
  EchoCuda *cuda = open_counted(&ctx);
  int in = 41, out = 0;
  void *places[2], *hosts[2];
  for (int i = 0; i < 2; i++) {
    places[i] = ECHO_CUDA_METHODS.allocate(ctx, cuda, sizeof in);
    ck_assert_ptr_nonnull(places[i]);
    ck_assert_int_eq(cuda->driver.host_alloc(&hosts[i], sizeof in, 0), CUDA_SUCCESS);
  }
  const uint32_t slots[] = {0};
  EchoInstruction swap = {.kind = ECHO_RUN_SWAP, .slots = slots, .n_slots = 1, .is_out = true};
  swap.n_bytes = sizeof in;
  EchoInstruction back = swap;
  back.is_out = false;
  back.event = 1;
  EchoInstruction instructions[] = {
      swap, {.kind = ECHO_RUN_WAIT, .event = 0}, back, {.kind = ECHO_RUN_WAIT, .event = 1}};
  EchoProgram program = program_of(instructions, 4, 1);
  program.n_events = 2;
  EchoCudaCode code = {.cuda = cuda};
  const int n_set[] = {0, 0, 2, 4, 4}; /* places: 0 0 1 1 1, hosts: 0 0 0 1 1 */
  for (int step = 0; step < 5; step++) {
    void *address = places[step >= 2], *host = hosts[step >= 3];
    in++;
    ck_assert(ECHO_CUDA_METHODS.write(ctx, cuda, address, &in, sizeof in));
    ck_assert(echo_cuda_program_run(ctx, &code, &program, &address, host, NULL));
    ck_assert(ECHO_CUDA_METHODS.read(ctx, cuda, address, &out, sizeof out));
    ck_assert_int_eq(out, in);
    ck_assert_int_eq(*(int *)host, in);
    ck_assert_int_eq(n_made.graphs, 1);
    ck_assert_int_eq(n_made.launches, step + 1);
    ck_assert_int_eq(n_made.copies, n_set[step]);
    ck_assert_int_eq(n_made.events, 0);
  }
  /* Timed, each by itself: one event a swap, two of the compute stream. */
  EchoKernelTime times[1] = {{.n_runs = 0}};
  for (int step = 0; step < 2; step++) {
    ck_assert(echo_cuda_program_run(ctx, &code, &program, &places[0], hosts[0], times));
    ck_assert_int_eq(n_made.events, 4);
    ck_assert_int_eq(n_made.launches, 5);
  }
  echo_cuda_code_destroy(&code);
  ck_assert_int_eq(n_made.events, 0);
  ck_assert_int_eq(n_made.graphs, 0);
  for (int i = 0; i < 2; i++) {
    ECHO_CUDA_METHODS.release(cuda, places[i]);
    cuda->driver.host_free(hosts[i]);
  }
  echo_program_destroy(&program);
  echo_cuda_destroy(cuda);
  echo_context_destroy(ctx);
}
END_TEST

/* Each trip moves a row of three values by one place. */
static EchoInstruction loop_of(const EchoProgramBlock *blocks, uint64_t n_trips)
{
  return (EchoInstruction){.kind = ECHO_RUN_WHILE,
                           .blocks = blocks,
                           .n_blocks = 2,
                           .is_counted = true,
                           .n_trips = n_trips};
}

/* Where steps find their slots: the third step's lie elsewhere. */
static void allocate_two(EchoContext *ctx, EchoCuda *cuda, size_t size_bytes, char *memory[2])
{
  for (int i = 0; i < 2; i++) {
    memory[i] = ECHO_CUDA_METHODS.allocate(ctx, cuda, size_bytes);
    ck_assert_ptr_nonnull(memory[i]);
  }
}

static void end_run(EchoContext *ctx, EchoCuda *cuda, EchoProgram *program, char *memory[2])
{
  for (int i = 0; i < 2; i++)
    ECHO_CUDA_METHODS.release(cuda, memory[i]);
  echo_program_destroy(program);
  echo_cuda_destroy(cuda);
  echo_context_destroy(ctx);
}

/* A loop of so many trips in one of two: repeated in the graph, or, where that were too many nodes,
 * a graph launched again and again. */
START_TEST(a_counted_loop_is_repeated)
{
  const bool is_long = _i == 1;
  setenv("ECHO_GPU_DRIVER", "12020", 1); /* without conditional nodes */
  const uint64_t n_trips = is_long ? 5000 : 3;
  EchoContext *ctx;
  EchoCuda *cuda = open_counted(&ctx);
  int row[3] = {1, 2, 3}, out = 0;
  char *memory[2];
  allocate_two(ctx, cuda, sizeof row, memory);
  const uint32_t first[] = {1, 0}, second[] = {2, 1};
  EchoInstruction copy = {
      .kind = ECHO_RUN_COPY, .slots = first, .n_slots = 2, .n_bytes = sizeof(int)};
  EchoInstruction body[] = {copy, copy};
  body[1].slots = second;
  EchoProgramBlock inner[] = {{NULL, 0, 1}, {body, 2, 2}};
  EchoInstruction repeated[] = {loop_of(inner, n_trips)};
  EchoProgramBlock outer[] = {{NULL, 0, 3}, {repeated, 1, 4}};
  EchoInstruction instructions[] = {copy, loop_of(outer, 2), copy};
  EchoProgram program = program_of(instructions, 3, 3);
  program.n_blocks = 5;
  EchoCudaCode code = {.cuda = cuda};
  for (int step = 0; step < 3; step++) {
    char *at = memory[step == 2];
    void *addresses[] = {at, at + sizeof(int), at + 2 * sizeof(int)};
    n_made.launches = 0;
    ck_assert(ECHO_CUDA_METHODS.write(ctx, cuda, at, row, sizeof row));
    ck_assert(echo_cuda_program_run(ctx, &code, &program, addresses, NULL, NULL));
    ck_assert(ECHO_CUDA_METHODS.read(ctx, cuda, at, &out, sizeof out));
    ck_assert_int_eq(out, 3);
    ck_assert_int_eq(n_made.graphs, is_long ? 3 : 1); /* before, the body, behind */
    ck_assert_int_eq(n_made.launches, is_long ? 2 + 2 * (int)n_trips : 1);
    ck_assert_int_eq(n_made.loops, !is_long && step == 2 ? 2 : 0);
  }
  echo_cuda_code_destroy(&code);
  end_run(ctx, cuda, &program, memory);
}
END_TEST

/* While the flag in front of a row of seven is set, the row moves by one place; in one of two the
 * loop stands in another, whose flag is the row's second place. One graph; what lies elsewhere in
 * the third step is set in the nodes of its loops. */
START_TEST(a_loop_of_the_device_is_a_node)
{
  const bool is_nested = _i == 1;
  enum { N = 7 };
  const int row[N] = {1, 1, 1, 0, 5, 6, 7};
  EchoContext *ctx;
  EchoCuda *cuda = open_counted(&ctx);
  char *memory[2];
  int out[N];
  allocate_two(ctx, cuda, sizeof row, memory);
  uint32_t slots[N - 1][2];
  EchoInstruction moves[N - 1];
  for (uint32_t i = 0; i < N - 1; i++) {
    slots[i][0] = i + 1;
    slots[i][1] = i;
    moves[i] = (EchoInstruction){
        .kind = ECHO_RUN_COPY, .slots = slots[i], .n_slots = 2, .n_bytes = sizeof(int)};
  }
  const uint32_t flag = 0, outer_flag = 1;
  EchoProgramBlock inner[] = {{NULL, 0, 1}, {moves, N - 1, 2}};
  EchoInstruction loop[] = {
      {.kind = ECHO_RUN_WHILE, .slots = &flag, .n_slots = 1, .blocks = inner, .n_blocks = 2}};
  EchoProgramBlock outer[] = {{NULL, 0, 3}, {loop, 1, 4}};
  EchoInstruction around[] = {
      {.kind = ECHO_RUN_WHILE, .slots = &outer_flag, .n_slots = 1, .blocks = outer, .n_blocks = 2}};
  EchoProgram program = program_of(is_nested ? around : loop, 1, N);
  program.n_blocks = 5;
  EchoCudaCode code = {.cuda = cuda};
  /* Nested: two moves leave 0 in both flags. */
  const int nested_row[N] = {1, 1, 0, 0, 0, 6, 7};
  for (int step = 0; step < 3; step++) {
    char *at = memory[step == 2];
    void *addresses[N];
    for (int i = 0; i < N; i++)
      addresses[i] = at + i * (int)sizeof(int);
    n_made.launches = 0;
    ck_assert(ECHO_CUDA_METHODS.write(ctx, cuda, at, is_nested ? nested_row : row, sizeof row));
    ck_assert(echo_cuda_program_run(ctx, &code, &program, addresses, NULL, NULL));
    ck_assert(ECHO_CUDA_METHODS.read(ctx, cuda, at, out, sizeof out));
    ck_assert_int_eq(out[0], 0);
    ck_assert_int_eq(out[1], is_nested ? 0 : 5);
    ck_assert_int_eq(out[N - 1], 7);
    ck_assert_int_eq(n_made.graphs, 1);
    ck_assert_int_eq(n_made.launches, 1);
  }
  echo_cuda_code_destroy(&code);
  ck_assert_int_eq(n_made.graphs, 0);
  end_run(ctx, cuda, &program, memory);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("gpu/step");
  TCase *tests = tcase_create("step");
  tcase_add_test(tests, a_step_is_one_graph);
  tcase_add_loop_test(tests, a_counted_loop_is_repeated, 0, 2);
  tcase_add_loop_test(tests, a_loop_of_the_device_is_a_node, 0, 2);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
