/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Graphs of the emulated GPU: what they do, what orders their nodes, what is refused. */
#include "tests/unit/gpu/device.h"

#include <check.h>

#include "jit/runtime/cuda/condition_t.h"
#include "tests/unit/suite.h"

enum { N = 128 };

/* b = a + 1, elementwise. */
static const char ADD_ONE[] = "mul.wide.s32 %rd3, %i, 4;\nadd.s64 %rd4, %rd0, %rd3;\n"
                              "add.s64 %rd5, %rd1, %rd3;\nld.global.u32 %r1, [%rd4];\n"
                              "add.s32 %r1, %r1, 1;\nst.global.u32 [%rd5], %r1;\n";

typedef struct Sum {
  TestGpu gpu;
  CUgraph graph;
  CUdeviceptr a, b, c;
} Sum;

static void open_sum(Sum *sum)
{
  int zero[N] = {0};
  test_gpu_open(&sum->gpu, ADD_ONE);
  sum->a = test_gpu_buffer(&sum->gpu, zero, sizeof zero);
  sum->b = test_gpu_buffer(&sum->gpu, zero, sizeof zero);
  sum->c = test_gpu_buffer(&sum->gpu, zero, sizeof zero);
  ck_assert_int_eq(sum->gpu.driver.graph_create(&sum->graph, 0), CUDA_SUCCESS);
}

static void close_sum(Sum *sum, CUgraphExec exec)
{
  sum->gpu.driver.graph_exec_destroy(exec);
  sum->gpu.driver.graph_destroy(sum->graph);
  test_gpu_close(&sum->gpu);
}

static CUresult set_or_add(Sum *sum, CUgraph graph, CUgraphExec exec, CUgraphNode *node,
                           const CUgraphNode *after, size_t n_after, CUdeviceptr from,
                           CUdeviceptr to)
{
  CUdeviceptr none = 0;
  void *values[] = {&from, &to, &none};
  CUDA_KERNEL_NODE_PARAMS params = {.func = sum->gpu.function,
                                    .gridDimX = 2,
                                    .gridDimY = 1,
                                    .gridDimZ = 1,
                                    .blockDimX = N / 2,
                                    .blockDimY = 1,
                                    .blockDimZ = 1,
                                    .kernelParams = values};
  return exec != NULL ? sum->gpu.driver.graph_set_kernel(exec, *node, &params)
                      : sum->gpu.driver.graph_add_kernel(node, graph, after, n_after, &params);
}

static CUgraphNode add_sum(Sum *sum, CUgraph graph, const CUgraphNode *after, size_t n_after,
                           CUdeviceptr from, CUdeviceptr to)
{
  CUgraphNode node;
  ck_assert_int_eq(set_or_add(sum, graph, NULL, &node, after, n_after, from, to), CUDA_SUCCESS);
  return node;
}

static CUgraphExec instantiate(Sum *sum)
{
  CUgraphExec exec;
  ck_assert_int_eq(sum->gpu.driver.graph_instantiate(&exec, sum->graph, 0), CUDA_SUCCESS);
  return exec;
}

static CUresult launch(Sum *sum, CUgraphExec exec)
{
  CUresult result = sum->gpu.driver.graph_launch(exec, sum->gpu.stream);
  return result != CUDA_SUCCESS ? result : sum->gpu.driver.stream_synchronize(sum->gpu.stream);
}

static int value_in(Sum *sum, CUdeviceptr from)
{
  int data[N];
  test_gpu_read(&sum->gpu, from, data, sizeof data);
  for (int i = 1; i < N; i++)
    ck_assert_int_eq(data[i], data[0]);
  return data[0];
}

START_TEST(nodes_run_in_their_order_and_again)
{
  Sum sum;
  open_sum(&sum);
  CUgraphNode first = add_sum(&sum, sum.graph, NULL, 0, sum.a, sum.b);
  CUgraphNode second = add_sum(&sum, sum.graph, &first, 1, sum.b, sum.c);
  CUgraphNode both[] = {first, second};
  add_sum(&sum, sum.graph, both, 2, sum.c, sum.a);
  CUgraphExec exec = instantiate(&sum);
  for (int i = 1; i <= 3; i++) {
    ck_assert_int_eq(launch(&sum, exec), CUDA_SUCCESS);
    ck_assert_int_eq(value_in(&sum, sum.a), 3 * i);
  }
  /* Twice without a wait between them: the second comes behind the first. */
  ck_assert_int_eq(sum.gpu.driver.graph_launch(exec, sum.gpu.stream), CUDA_SUCCESS);
  ck_assert_int_eq(launch(&sum, exec), CUDA_SUCCESS);
  ck_assert_int_eq(value_in(&sum, sum.a), 15);
  close_sum(&sum, exec);
}
END_TEST

/* The second reads what the first writes: by a node that both are behind, or by none, that is no
 * order. */
START_TEST(nodes_without_order_are_found)
{
  Sum sum;
  open_sum(&sum);
  CUgraphNode root = add_sum(&sum, sum.graph, NULL, 0, sum.a, sum.a);
  add_sum(&sum, sum.graph, &root, (size_t)_i, sum.a, sum.b);
  add_sum(&sum, sum.graph, &root, (size_t)_i, sum.b, sum.c);
  CUgraphExec exec = instantiate(&sum);
  ck_assert_int_eq(launch(&sum, exec), CUDA_ERROR_LAUNCH_FAILED);
  ck_assert_ptr_nonnull(strstr(sum.gpu.driver.finding(), "that nothing orders"));
  close_sum(&sum, exec);
}
END_TEST

/* Work of another stream is not behind a graph that it does not wait for; that of its own is. */
START_TEST(a_graph_is_work_of_its_stream)
{
  Sum sum;
  CUstream other;
  open_sum(&sum);
  CUgraphNode a = add_sum(&sum, sum.graph, NULL, 0, sum.a, sum.b);
  CUgraphNode b = add_sum(&sum, sum.graph, NULL, 0, sum.a, sum.c);
  (void)a, (void)b;
  CUgraphExec exec = instantiate(&sum);
  ck_assert_int_eq(sum.gpu.driver.stream_create(&other, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  ck_assert_int_eq(sum.gpu.driver.graph_launch(exec, sum.gpu.stream), CUDA_SUCCESS);
  ck_assert_int_eq(test_gpu_run(&sum.gpu, 2, N / 2, sum.c, sum.b, 0), CUDA_SUCCESS);
  ck_assert_int_eq(value_in(&sum, sum.b), 2);
  ck_assert_int_eq(sum.gpu.driver.graph_launch(exec, sum.gpu.stream), CUDA_SUCCESS);
  ck_assert_int_eq(test_gpu_launch(&sum.gpu, other, 2, N / 2, sum.c, sum.b, 0), CUDA_SUCCESS);
  ck_assert_int_eq(sum.gpu.driver.stream_synchronize(other), CUDA_ERROR_LAUNCH_FAILED);
  ck_assert_ptr_nonnull(strstr(sum.gpu.driver.finding(), "that nothing orders"));
  close_sum(&sum, exec);
}
END_TEST

START_TEST(a_graph_in_a_graph_is_repeated_and_changed)
{
  Sum sum;
  CUgraph body, other;
  CUgraphNode times[3];
  open_sum(&sum);
  ck_assert_int_eq(sum.gpu.driver.graph_create(&body, 0), CUDA_SUCCESS);
  CUgraphNode first = add_sum(&sum, body, NULL, 0, sum.a, sum.b);
  add_sum(&sum, body, &first, 1, sum.b, sum.a);
  for (size_t i = 0; i < 3; i++)
    ck_assert_int_eq(sum.gpu.driver.graph_add_child(&times[i], sum.graph,
                                                    i != 0 ? &times[i - 1] : NULL, i != 0, body),
                     CUDA_SUCCESS);
  CUgraphNode last = add_sum(&sum, sum.graph, &times[2], 1, sum.a, sum.c);
  CUgraphExec exec = instantiate(&sum);
  ck_assert_int_eq(launch(&sum, exec), CUDA_SUCCESS);
  ck_assert_int_eq(value_in(&sum, sum.c), 7);
  /* The second trip leaves its sum elsewhere, the last node is another one, and both only here. */
  ck_assert_int_eq(sum.gpu.driver.graph_create(&other, 0), CUDA_SUCCESS);
  first = add_sum(&sum, other, NULL, 0, sum.a, sum.b);
  ck_assert_int_eq(sum.gpu.driver.graph_set_child(exec, times[1], other),
                   CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  add_sum(&sum, other, &first, 1, sum.b, sum.c);
  ck_assert_int_eq(sum.gpu.driver.graph_set_child(exec, times[1], other), CUDA_SUCCESS);
  ck_assert_int_eq(set_or_add(&sum, NULL, exec, &last, NULL, 0, sum.a, sum.a), CUDA_SUCCESS);
  ck_assert_int_eq(launch(&sum, exec), CUDA_SUCCESS);
  ck_assert_int_eq(value_in(&sum, sum.a), 11);
  ck_assert_int_eq(value_in(&sum, sum.c), 10);
  ck_assert_int_eq(set_or_add(&sum, NULL, exec, &times[0], NULL, 0, sum.a, sum.a),
                   CUDA_ERROR_INVALID_VALUE);
  ck_assert_int_eq(sum.gpu.driver.graph_set_child(exec, last, other), CUDA_ERROR_INVALID_VALUE);
  ck_assert_int_eq(sum.gpu.driver.graph_set_child(exec, first, other), CUDA_ERROR_INVALID_VALUE);
  sum.gpu.driver.graph_destroy(body);
  sum.gpu.driver.graph_destroy(other);
  close_sum(&sum, exec);
}
END_TEST

/* A copy to the host and back; its sides stay what they are. */
START_TEST(copies_are_nodes)
{
  Sum sum;
  int *host;
  CUgraphNode out, in;
  open_sum(&sum);
  ck_assert_int_eq(sum.gpu.driver.host_alloc((void **)&host, N * sizeof(int), 0), CUDA_SUCCESS);
  CUgraphNode first = add_sum(&sum, sum.graph, NULL, 0, sum.a, sum.a);
  CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                        .srcDevice = sum.a,
                        .dstMemoryType = CU_MEMORYTYPE_HOST,
                        .dstHost = host,
                        .WidthInBytes = N * sizeof(int),
                        .Height = 1,
                        .Depth = 1};
  ck_assert_int_eq(
      sum.gpu.driver.graph_add_copy(&out, sum.graph, &first, 1, &copy, sum.gpu.context),
      CUDA_SUCCESS);
  CUDA_MEMCPY3D back = copy;
  back.srcMemoryType = CU_MEMORYTYPE_HOST;
  back.srcHost = host;
  back.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  back.dstDevice = sum.b;
  ck_assert_int_eq(sum.gpu.driver.graph_add_copy(&in, sum.graph, &out, 1, &back, sum.gpu.context),
                   CUDA_SUCCESS);
  CUgraphExec exec = instantiate(&sum);
  ck_assert_int_eq(launch(&sum, exec), CUDA_SUCCESS);
  ck_assert_int_eq(value_in(&sum, sum.b), 1);
  ck_assert_int_eq(host[N - 1], 1);
  ck_assert_int_eq(sum.gpu.driver.graph_set_copy(exec, in, &copy, sum.gpu.context),
                   CUDA_ERROR_INVALID_VALUE);
  back.dstDevice = sum.c;
  ck_assert_int_eq(sum.gpu.driver.graph_set_copy(exec, in, &back, sum.gpu.context), CUDA_SUCCESS);
  ck_assert_int_eq(launch(&sum, exec), CUDA_SUCCESS);
  ck_assert_int_eq(value_in(&sum, sum.b), 1);
  ck_assert_int_eq(value_in(&sum, sum.c), 2);
  sum.gpu.driver.host_free(host);
  close_sum(&sum, exec);
}
END_TEST

START_TEST(what_is_no_graph_is_refused)
{
  Sum sum;
  CUgraph other;
  CUgraphNode node;
  open_sum(&sum);
  ck_assert_int_eq(sum.gpu.driver.graph_create(&other, 0), CUDA_SUCCESS);
  CUgraphNode first = add_sum(&sum, sum.graph, NULL, 0, sum.a, sum.b);
  CUgraphNode twice[] = {first, first};
  ck_assert_int_eq(set_or_add(&sum, sum.graph, NULL, &node, twice, 2, sum.a, sum.b),
                   CUDA_ERROR_INVALID_VALUE);
  ck_assert_int_eq(set_or_add(&sum, other, NULL, &node, &first, 1, sum.a, sum.b),
                   CUDA_ERROR_INVALID_VALUE);
  ck_assert_int_eq(sum.gpu.driver.graph_add_child(&node, sum.graph, NULL, 0, sum.graph),
                   CUDA_ERROR_INVALID_VALUE);
  CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                        .srcDevice = sum.a,
                        .dstMemoryType = CU_MEMORYTYPE_HOST,
                        .dstHost = (void *)(uintptr_t)sum.b, /* not the host's */
                        .WidthInBytes = 4,
                        .Height = 1,
                        .Depth = 1};
  ck_assert_int_eq(sum.gpu.driver.graph_add_copy(&node, other, NULL, 0, &copy, sum.gpu.context),
                   CUDA_ERROR_INVALID_VALUE);
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = sum.b;
  copy.WidthInBytes = 0;
  ck_assert_int_eq(sum.gpu.driver.graph_add_copy(&node, other, NULL, 0, &copy, sum.gpu.context),
                   CUDA_ERROR_INVALID_VALUE);
  sum.gpu.driver.graph_destroy(other);
  close_sum(&sum, instantiate(&sum));
}
END_TEST

/* ---- conditional nodes ---- */

typedef struct Conditional {
  Sum sum;
  EchoCuda cuda;
  CUgraphConditionalHandle handle;
  CUgraphNode node;
  CUgraph body;
} Conditional;

static void open_conditional(Conditional *of, int first)
{
  int data[N];
  for (int i = 0; i < N; i++)
    data[i] = first;
  open_sum(&of->sum);
  of->sum.a = test_gpu_buffer(&of->sum.gpu, data, sizeof data);
  of->cuda = (EchoCuda){.driver = of->sum.gpu.driver, .context = of->sum.gpu.context};
  ck_assert(echo_cuda_conditions_are_there(&of->cuda));
  ck_assert_int_eq(
      of->cuda.driver.conditional_create(&of->handle, of->sum.graph, of->cuda.context, 0, 0),
      CUDA_SUCCESS);
}

static CUgraphNode add_condition(Conditional *of, CUgraph graph, const CUgraphNode *after,
                                 size_t n_after)
{
  CUgraphNode node;
  EchoCudaCondition condition = {.handle = of->handle, .selector = of->sum.a};
  ck_assert_int_eq(echo_cuda_condition_add(&of->cuda, &node, graph, after, n_after, &condition),
                   CUDA_SUCCESS);
  return node;
}

static void add_conditional(Conditional *of, const CUgraphNode *after, size_t n_after,
                            CUgraphConditionalNodeType type)
{
  ck_assert_int_eq(echo_cuda_conditional_add(&of->cuda, &of->node, of->sum.graph, after, n_after,
                                             of->handle, type, &of->body),
                   CUDA_SUCCESS);
}

static void close_conditional(Conditional *of, CUgraphExec exec)
{
  echo_cuda_conditions_destroy(&of->cuda);
  close_sum(&of->sum, exec);
}

/* From -3 on up to 0, once or while it is not 0; a node of the body is set to write elsewhere. */
START_TEST(a_conditional_node_runs_by_its_value)
{
  const bool is_loop = _i == 1;
  CUgraphConditionalNodeType type = is_loop ? CU_GRAPH_COND_TYPE_WHILE : CU_GRAPH_COND_TYPE_IF;
  Conditional of = {0};
  open_conditional(&of, -3);
  CUgraphNode before = add_condition(&of, of.sum.graph, NULL, 0);
  add_conditional(&of, &before, 1, type);
  CUgraphNode inner = add_sum(&of.sum, of.body, NULL, 0, of.sum.a, of.sum.a);
  add_condition(&of, of.body, &inner, 1);
  CUgraphNode behind = add_sum(&of.sum, of.sum.graph, &of.node, 1, of.sum.a, of.sum.b);
  CUgraphExec exec = instantiate(&of.sum);
  ck_assert_int_eq(launch(&of.sum, exec), CUDA_SUCCESS);
  ck_assert_int_eq(value_in(&of.sum, of.sum.a), is_loop ? 0 : -2);
  ck_assert_int_eq(value_in(&of.sum, of.sum.b), is_loop ? 1 : -1);
  ck_assert_int_eq(launch(&of.sum, exec), CUDA_SUCCESS);
  ck_assert_int_eq(value_in(&of.sum, of.sum.a), is_loop ? 0 : -1);
  ck_assert_int_eq(set_or_add(&of.sum, NULL, exec, &behind, NULL, 0, of.sum.a, of.sum.c),
                   CUDA_SUCCESS);
  if (!is_loop)
    ck_assert_int_eq(set_or_add(&of.sum, NULL, exec, &inner, NULL, 0, of.sum.a, of.sum.b),
                     CUDA_SUCCESS);
  ck_assert_int_eq(launch(&of.sum, exec), CUDA_SUCCESS);
  ck_assert_int_eq(value_in(&of.sum, of.sum.a), is_loop ? 0 : -1);
  ck_assert_int_eq(value_in(&of.sum, of.sum.b), is_loop ? 1 : 0);
  ck_assert_int_eq(value_in(&of.sum, of.sum.c), is_loop ? 1 : 0);
  close_conditional(&of, exec);
}
END_TEST

/* A value that the launch has not set, and one that two threads set; what nothing orders inside. */
START_TEST(faults_of_conditional_nodes_are_found)
{
  static const char *const TEXTS[] = {"whose value no kernel of the launch has set",
                                      "beside other threads", "that nothing orders"};
  Conditional of = {0};
  open_conditional(&of, 1);
  CUgraphNode before = NULL;
  EchoCudaCondition condition = {.handle = of.handle, .selector = of.sum.a};
  void *values[] = {&condition.handle, &condition.selector, &condition.wanted, &condition.n};
  CUDA_KERNEL_NODE_PARAMS two = {.func = of.cuda.conditions.set,
                                 .gridDimX = 1,
                                 .gridDimY = 1,
                                 .gridDimZ = 1,
                                 .blockDimX = 2,
                                 .blockDimY = 1,
                                 .blockDimZ = 1,
                                 .kernelParams = values};
  if (_i == 1)
    ck_assert_int_eq(of.cuda.driver.graph_add_kernel(&before, of.sum.graph, NULL, 0, &two),
                     CUDA_SUCCESS);
  else if (_i == 2)
    before = add_condition(&of, of.sum.graph, NULL, 0);
  add_conditional(&of, before != NULL ? &before : NULL, before != NULL, CU_GRAPH_COND_TYPE_IF);
  add_sum(&of.sum, of.body, NULL, 0, of.sum.a, of.sum.b);
  add_sum(&of.sum, of.body, NULL, 0, of.sum.b, of.sum.c);
  CUgraphExec exec = instantiate(&of.sum);
  ck_assert_int_eq(launch(&of.sum, exec), CUDA_ERROR_LAUNCH_FAILED);
  ck_assert_ptr_nonnull(strstr(of.cuda.driver.finding(), TEXTS[_i]));
  close_conditional(&of, exec);
}
END_TEST

/* As the driver does: a graph with one in a graph, or made twice; a handle of two nodes or none. */
START_TEST(conditional_nodes_that_cannot_be_are_refused)
{
  Conditional of = {0};
  CUgraph body, outer;
  CUgraphNode node;
  CUgraphExec exec;
  open_conditional(&of, 1);
  ck_assert_int_eq(of.cuda.driver.graph_instantiate(&exec, of.sum.graph, 0),
                   CUDA_ERROR_INVALID_VALUE);
  CUgraphNode before = add_condition(&of, of.sum.graph, NULL, 0);
  add_conditional(&of, &before, 1, CU_GRAPH_COND_TYPE_IF);
  ck_assert_int_eq(echo_cuda_conditional_add(&of.cuda, &node, of.sum.graph, NULL, 0, of.handle,
                                             CU_GRAPH_COND_TYPE_IF, &body),
                   CUDA_ERROR_INVALID_VALUE);
  ck_assert_ptr_null(body);
  ck_assert_int_eq(echo_cuda_conditional_add(&of.cuda, &node, of.sum.graph, NULL, 0, 7,
                                             CU_GRAPH_COND_TYPE_IF, &body),
                   CUDA_ERROR_INVALID_VALUE);
  ck_assert_int_eq(of.cuda.driver.graph_create(&outer, 0), CUDA_SUCCESS);
  ck_assert_int_eq(of.cuda.driver.graph_add_child(&node, outer, NULL, 0, of.sum.graph),
                   CUDA_ERROR_INVALID_VALUE);
  of.cuda.driver.graph_destroy(outer);
  ck_assert_int_eq(of.cuda.driver.graph_instantiate(&exec, of.body, 0), CUDA_ERROR_INVALID_VALUE);
  CUgraphExec once = instantiate(&of.sum);
  ck_assert_int_eq(of.cuda.driver.graph_instantiate(&exec, of.sum.graph, 0),
                   CUDA_ERROR_INVALID_VALUE);
  close_conditional(&of, once);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("gpu/emulated_graphs");
  TCase *tests = tcase_create("graphs");
  tcase_add_test(tests, nodes_run_in_their_order_and_again);
  tcase_add_loop_test(tests, nodes_without_order_are_found, 0, 2);
  tcase_add_test(tests, a_graph_is_work_of_its_stream);
  tcase_add_test(tests, a_graph_in_a_graph_is_repeated_and_changed);
  tcase_add_test(tests, copies_are_nodes);
  tcase_add_test(tests, what_is_no_graph_is_refused);
  tcase_add_loop_test(tests, a_conditional_node_runs_by_its_value, 0, 2);
  tcase_add_loop_test(tests, faults_of_conditional_nodes_are_found, 0, 3);
  tcase_add_test(tests, conditional_nodes_that_cannot_be_are_refused);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
