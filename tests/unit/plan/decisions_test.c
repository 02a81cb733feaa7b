/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Decisions on made-up graphs: what may be written in place, how long chains are cut, and that no
 * shape of graph makes a decision slow. */
#include "base/map.h"
#include "planning/schedule/storage.h"
#include "tests/unit/plan/step.h"
#include "tests/unit/suite.h"

/* ---- in place ---- */

/* Whether main, as one kernel, may write result `index` over `argument`. */
static bool kernel_is_in_place(const char *text, EchoKernelKind kind, uint32_t index,
                               uint32_t argument)
{
  TestStep step;
  test_step_parse(&step, text);
  EchoGraph graph;
  EchoFusion fusion = {0};
  echo_graph_create(&graph, echo_op_body(step.main, 0));
  echo_fusion_create_whole(&fusion, &graph, kind);
  ck_assert_uint_gt(fusion.groups.data[0].n_outputs, index);
  bool answer = echo_group_is_in_place(&graph, &fusion, 0, argument, fusion.outputs.data[index]);
  echo_fusion_destroy(&fusion);
  echo_graph_destroy(&graph);
  test_step_destroy(&step);
  return answer;
}

/* The same of the first kernel that fusion makes of main, its first result and argument 0. */
static bool is_in_place(const char *text)
{
  TestStep step;
  test_step_parse(&step, text);
  EchoGraph graph;
  EchoFusion fusion = {0};
  EchoDeviceModel device;
  echo_device_model_default(&device);
  EchoFusionOptions options = echo_fusion_options(
      &device, echo_target_find_or_null(ECHO_STR("cpu")), (EchoLibraryUse){true, true});
  echo_graph_create(&graph, echo_op_body(step.main, 0));
  echo_fusion_create(&fusion, &graph, &options);
  const EchoFusionGroup *group = &fusion.groups.data[0];
  ck_assert_uint_ge(group->n_outputs, 1);
  bool answer =
      echo_group_is_in_place(&graph, &fusion, 0, 0, fusion.outputs.data[group->first_output]);
  echo_fusion_destroy(&fusion);
  echo_graph_destroy(&graph);
  test_step_destroy(&step);
  return answer;
}

#define M "tensor<8x8xf32>"
#define FUNC(result, body)                                                                         \
  "func.func @main(%x: " M ", %y: " M ", %r: tensor<8xf32>) -> " result " {\n" body "}\n"

START_TEST(elementwise_readers_may_be_overwritten)
{
  ck_assert(is_in_place(FUNC(M, "  %0 = stablehlo.add %x, %y : " M "\n  %1 = stablehlo.tanh %0 : " M
                                "\n  return %1 : " M "\n")));
  ck_assert(is_in_place(FUNC(M, "  %t = stablehlo.transpose %y, dims = [1, 0] : (" M ") -> " M "\n"
                                "  %0 = stablehlo.add %x, %t : " M "\n  return %0 : " M "\n")));
}
END_TEST

START_TEST(readers_at_other_indices_may_not)
{
  ck_assert(!is_in_place(FUNC(M, "  %t = stablehlo.transpose %x, dims = [1, 0] : (" M ") -> " M "\n"
                                 "  %0 = stablehlo.add %t, %y : " M "\n  return %0 : " M "\n")));
  /* x is read both at its own place and across it. */
  ck_assert(!is_in_place(FUNC(M, "  %t = stablehlo.transpose %x, dims = [1, 0] : (" M ") -> " M "\n"
                                 "  %0 = stablehlo.add %t, %x : " M "\n  return %0 : " M "\n")));
  /* Other bytes an element. */
  ck_assert(!is_in_place(FUNC("tensor<8x8xf16>",
                              "  %0 = stablehlo.convert %x : (" M ") -> tensor<8x8xf16>\n"
                              "  return %0 : tensor<8x8xf16>\n")));
}
END_TEST

START_TEST(a_row_may_be_overwritten_once_it_is_reduced)
{
  static const char *const SOFTMAX =
      "  %c = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "  %s = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (" M
      ", tensor<f32>) -> tensor<8xf32>\n"
      "  %b = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<8xf32>) -> " M "\n"
      "  %q = stablehlo.divide %x, %b : " M "\n";
  EchoBuffer text = {0};
  echo_buffer_printf(&text, "func.func @main(%%x: " M ") -> " M " {\n%s  return %%q : " M "\n}\n",
                     SOFTMAX);
  ck_assert(is_in_place(echo_buffer_c_str(&text)));
  echo_buffer_clear(&text);
  /* Sums that are a second result are computed before the row is written. */
  echo_buffer_printf(&text,
                     "func.func @main(%%x: " M ") -> (" M
                     ", tensor<8xf32>) {\n%s  return %%q, %%s : " M ", tensor<8xf32>\n}\n",
                     SOFTMAX);
  ck_assert(kernel_is_in_place(echo_buffer_c_str(&text), ECHO_KERNEL_ROW_REDUCE, 0, 0));
  echo_buffer_destroy(&text);
}
END_TEST

/* An optimizer's kernel: momentum, the parameter, and the norm of what is added to it. */
#define UPDATE                                                                                     \
  "  %v = stablehlo.add %m, %g : " M "\n  %q = stablehlo.subtract %p, %v : " M "\n"                \
  "  %s = stablehlo.multiply %v, %v : " M "\n  %c = stablehlo.constant dense<0.0> : "              \
  "tensor<f32>\n  %n = stablehlo.reduce(%s init: %c) applies stablehlo.add across dimensions = "   \
  "[0, 1] : (" M ", tensor<f32>) -> tensor<f32>\n"

START_TEST(each_of_several_results_has_its_operand)
{
  static const char TEXT[] =
      "func.func @main(%m: " M ", %p: " M ", %g: " M ") -> (" M ", " M ", tensor<f32>) {\n" UPDATE
      "  return %v, %q, %n : " M ", " M ", tensor<f32>\n}\n";
  for (uint32_t argument = 0; argument < 3; ++argument) {
    ck_assert(kernel_is_in_place(TEXT, ECHO_KERNEL_ROW_REDUCE, 0, argument));
    ck_assert(kernel_is_in_place(TEXT, ECHO_KERNEL_ROW_REDUCE, 1, argument));
    ck_assert(!kernel_is_in_place(TEXT, ECHO_KERNEL_ROW_REDUCE, 2, argument));
  }
}
END_TEST

START_TEST(what_a_larger_result_reads_stays)
{
  /* The row's sum may not be written over %r: the elements of the row read it afterwards. */
  static const char TEXT[] =
      FUNC("(" M ", tensor<8xf32>)",
           "  %b = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> " M "\n"
           "  %q = stablehlo.multiply %x, %b : " M "\n  %c = stablehlo.constant dense<0.0> : "
           "tensor<f32>\n  %s = stablehlo.reduce(%q init: %c) applies stablehlo.add across "
           "dimensions = [1] : (" M ", tensor<f32>) -> tensor<8xf32>\n"
           "  return %q, %s : " M ", tensor<8xf32>\n");
  ck_assert(kernel_is_in_place(TEXT, ECHO_KERNEL_ROW_REDUCE, 0, 0));
  ck_assert(!kernel_is_in_place(TEXT, ECHO_KERNEL_ROW_REDUCE, 1, 1));
}
END_TEST

/* Rows that another product multiplies are written over what they are made of, when they are made;
 * the product's result is not, nor is what that is added to, nor one element of a row over what the
 * row's others read afterwards. */
START_TEST(rows_between_products_may_overwrite)
{
#define ROWS                                                                                       \
  "  %s = stablehlo.dot_general %y, %y, contracting_dims = [1] x [1] : (" M ", " M ") -> " M "\n"  \
  "  %b = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> " M "\n"                  \
  "  %a = stablehlo.add %s, %b : " M "\n  %t = stablehlo.multiply %a, %x : " M "\n"                \
  "  %o = stablehlo.dot_general %t, %y, contracting_dims = [1] x [0] : (" M ", " M ") -> " M "\n"
  static const char BOTH[] = FUNC("(" M ", " M ")", ROWS "  return %t, %o : " M ", " M "\n");
  ck_assert(kernel_is_in_place(BOTH, ECHO_KERNEL_CONTRACTION, 0, 0));
  ck_assert(!kernel_is_in_place(BOTH, ECHO_KERNEL_CONTRACTION, 0, 1));
  ck_assert(!kernel_is_in_place(BOTH, ECHO_KERNEL_CONTRACTION, 1, 0));
  static const char ADDED[] = FUNC("(" M ", " M ")", ROWS "  %z = stablehlo.add %o, %x : " M "\n"
                                                          "  return %t, %z : " M ", " M "\n");
  ck_assert(!kernel_is_in_place(ADDED, ECHO_KERNEL_CONTRACTION, 0, 0));
  static const char SUMS[] =
      FUNC("(tensor<8xf32>, " M ")",
           ROWS "  %c = stablehlo.constant dense<0.0> : tensor<f32>\n"
                "  %n = stablehlo.reduce(%t init: %c) applies stablehlo.add across dimensions = "
                "[1] : (" M ", tensor<f32>) -> tensor<8xf32>\n"
                "  return %n, %o : tensor<8xf32>, " M "\n");
  ck_assert(!kernel_is_in_place(SUMS, ECHO_KERNEL_CONTRACTION, 0, 2));
#undef ROWS
}
END_TEST

START_TEST(a_row_that_others_read_stays)
{
  /* The sum of row i is subtracted from column i. */
  ck_assert(!kernel_is_in_place(
      FUNC(M, "  %c = stablehlo.constant dense<0.0> : tensor<f32>\n"
              "  %s = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] "
              ": (" M ", tensor<f32>) -> tensor<8xf32>\n"
              "  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<8xf32>) -> " M "\n"
              "  %q = stablehlo.subtract %x, %b : " M "\n  return %q : " M "\n"),
      ECHO_KERNEL_ROW_REDUCE, 0, 0));
}
END_TEST

START_TEST(a_stack_is_updated_in_place)
{
  ck_assert(is_in_place("func.func @main(%x: tensor<16x8xf32>, %u: tensor<1x8xf32>, %i: "
                        "tensor<i32>) -> tensor<16x8xf32> {\n"
                        "  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<16x8xf32>, "
                        "tensor<1x8xf32>, tensor<i32>, "
                        "tensor<i32>) -> tensor<16x8xf32>\n  return %0 : tensor<16x8xf32>\n}\n"));
}
END_TEST

/* x[i] = tanh(x[READ]), or its rows' sums. */
#define SLICE(read, made)                                                                          \
  "func.func @main(%x: tensor<16x8xf32>, %i: tensor<i32>, %k: tensor<i32>) -> tensor<16x8xf32> "   \
  "{\n"                                                                                            \
  "  %c = stablehlo.constant dense<0> : tensor<i32>\n"                                             \
  "  %f = stablehlo.constant dense<0.0> : tensor<f32>\n"                                           \
  "  %s = stablehlo.dynamic_slice %x, %" read ", %c, sizes = [1, 8] : (tensor<16x8xf32>, "         \
  "tensor<i32>, tensor<i32>) -> tensor<1x8xf32>\n" made                                            \
  "  %0 = stablehlo.dynamic_update_slice %x, %t, %i, %c : (tensor<16x8xf32>, tensor<1x8xf32>, "    \
  "tensor<i32>, tensor<i32>) -> tensor<16x8xf32>\n  return %0 : tensor<16x8xf32>\n}\n"
#define TANH "  %t = stablehlo.tanh %s : tensor<1x8xf32>\n"
#define SUM                                                                                        \
  "  %r = stablehlo.reduce(%s init: %f) applies stablehlo.add across dimensions = [1] : "          \
  "(tensor<1x8xf32>, tensor<f32>) -> tensor<1xf32>\n"                                              \
  "  %t = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<1xf32>) -> tensor<1x8xf32>\n"

START_TEST(a_slice_is_read_where_it_is_written)
{
  ck_assert(kernel_is_in_place(SLICE("i", TANH), ECHO_KERNEL_MAP, 0, 0));
  ck_assert(!kernel_is_in_place(SLICE("k", TANH), ECHO_KERNEL_MAP, 0, 0));
  ck_assert(!kernel_is_in_place(SLICE("i", SUM), ECHO_KERNEL_ROW_REDUCE, 0, 0));
}
END_TEST

/* ---- chains ---- */

#define V "tensor<64x1024xf32>"

/* A recurrence of cheap steps, each fed by a contraction, and a backward part that reads every
 * state from last to first: the cell state of an LSTM. */
static void make_recurrence(EchoBuffer *text, int n_steps)
{
  echo_buffer_printf(text, "func.func @main(%%w: tensor<1024x1024xf32>, %%x: " V ") -> (" V
                           ", tensor<f32>) {\n"
                           "  %%zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
                           "  %%c0 = stablehlo.negate %%x {echo.phase = \"forward\"} : " V "\n"
                           "  %%h0 = stablehlo.abs %%x {echo.phase = \"forward\"} : " V "\n");
  for (int t = 1; t <= n_steps; ++t)
    echo_buffer_printf(
        text,
        "  %%z%d = stablehlo.dot_general %%h%d, %%w, contracting_dims = [1] x [0] {echo.phase = "
        "\"forward\"} : (" V ", tensor<1024x1024xf32>) -> " V "\n"
        "  %%m%d = stablehlo.multiply %%z%d, %%c%d {echo.phase = \"forward\"} : " V "\n"
        "  %%c%d = stablehlo.add %%m%d, %%z%d {echo.phase = \"forward\"} : " V "\n"
        "  %%h%d = stablehlo.maximum %%c%d, %%z%d {echo.phase = \"forward\"} : " V "\n",
        t, t - 1, t, t, t - 1, t, t, t, t, t, t);
  echo_buffer_printf(text,
                     "  %%loss = stablehlo.reduce(%%h%d init: %%zero) applies stablehlo.add across "
                     "dimensions = [0, 1] "
                     "{echo.phase = \"forward\"} : (" V ", tensor<f32>) -> tensor<f32>\n"
                     "  %%g%d = stablehlo.negate %%h%d {echo.phase = \"backward\"} : " V "\n",
                     n_steps, n_steps, n_steps);
  for (int t = n_steps; t >= 1; --t)
    echo_buffer_printf(
        text,
        "  %%p%d = stablehlo.multiply %%g%d, %%c%d {echo.phase = \"backward\"} : " V "\n"
        "  %%q%d = stablehlo.multiply %%p%d, %%z%d {echo.phase = \"backward\"} : " V "\n"
        "  %%g%d = stablehlo.dot_general %%q%d, %%w, contracting_dims = [1] x [1] {echo.phase = "
        "\"backward\"} : (" V ", tensor<1024x1024xf32>) -> " V "\n",
        t, t, t, t, t, t, t - 1, t);
  echo_buffer_printf(text, "  return %%g0, %%loss : " V ", tensor<f32>\n}\n");
}

/* How many states are computed again, with `echo`. */
static size_t n_states_again(const char *text, const char *echo)
{
  TestStep step;
  size_t n_again = 0;
  test_step_parse(&step, text);
  ck_assert(test_step_run(&step, echo));
  for (const EchoOp *op = echo_op_body(step.main, 0)->first; op != NULL; op = op->next)
    n_again += echo_op_has_attr(op, "echo.recompute") && echo_op_is(op, "stablehlo.add");
  test_step_destroy(&step);
  return n_again;
}

START_TEST(recurrences_are_cut_into_segments)
{
  EchoBuffer text = {0};
  TestStep step;
  make_recurrence(&text, 48);
  test_step_parse(&step, echo_buffer_c_str(&text));
  uint64_t expected[TEST_MAX_RESULTS], hashes[TEST_MAX_RESULTS];
  size_t n = test_step_results(&step, expected);
  ck_assert(test_step_run(&step, "echo{overhead=100%}"));
  int64_t off = test_step_fact(&step, "echo.off_bytes"),
          on = test_step_fact(&step, "echo.on_bytes");
  /* 48 states of 256 KiB beside 48 contractions that must stay: with checkpoints the states shrink
   * to a few. */
  ck_assert_msg(on * 10 < off * 7, "%lld of %lld bytes", (long long)on, (long long)off);
  ck_assert_uint_eq(test_step_results(&step, hashes), n);
  for (size_t i = 0; i < n; ++i)
    ck_assert_uint_eq(hashes[i], expected[i]);
  /* No run-back, which would be hundreds: with one level of checkpoints each state is computed
   * again once, few of them twice, and with several levels still few of them three times. */
  ck_assert_uint_le(n_states_again(echo_buffer_c_str(&text), "echo{policy=chain overhead=100%}"),
                    48 + 48 / 4);
  ck_assert_uint_le(n_states_again(echo_buffer_c_str(&text), "echo{overhead=100%}"),
                    2 * 48 + 48 / 4);
  ck_assert(test_step_run(&step, "cse,schedule,fuse,bufferize,plan-memory,verify-plan"));
  ck_assert_int_eq(test_step_fact(&step, "plan.bound_bytes"), on);
  test_step_destroy(&step);
  echo_buffer_destroy(&text);
}
END_TEST

#define A "tensor<512x32xf32>" /* 64 KiB */
#define S "tensor<32x32xf32>"

/* Layers of one weight, each read by its own gradient and the next one's. */
static void make_layers(EchoBuffer *text, int n_layers)
{
  echo_buffer_printf(text,
                     "func.func @main(%%h0: " A ", %%w: " S ") -> " S " {\n"
                     "  %%one = stablehlo.constant dense<1.0> : " A "\n"
                     "  %%u%d = stablehlo.constant dense<0.0> : " S "\n",
                     n_layers + 1);
  for (int t = 1; t <= n_layers; ++t)
    echo_buffer_printf(text,
                       "  %%z%d = stablehlo.dot_general %%h%d, %%w, contracting_dims = [1] x [0] : "
                       "(" A ", " S ") -> " A "\n  %%h%d = stablehlo.tanh %%z%d : " A "\n",
                       t, t - 1, t, t);
  echo_buffer_printf(text, "  %%g%d = stablehlo.negate %%h%d : " A "\n", n_layers, n_layers);
  for (int t = n_layers; t >= 1; --t)
    echo_buffer_printf(
        text,
        "  %%s%d = stablehlo.multiply %%h%d, %%h%d : " A "\n"
        "  %%r%d = stablehlo.subtract %%one, %%s%d : " A "\n"
        "  %%d%d = stablehlo.multiply %%g%d, %%r%d : " A "\n"
        "  %%v%d = stablehlo.dot_general %%h%d, %%d%d, contracting_dims = [0] x [0] : (" A ", " A
        ") -> " S "\n"
        "  %%u%d = stablehlo.add %%u%d, %%v%d : " S "\n"
        "  %%g%d = stablehlo.dot_general %%d%d, %%w, contracting_dims = [1] x [1] : (" A ", " S
        ") -> " A "\n",
        t, t, t, t, t, t, t, t, t, t - 1, t, t, t + 1, t, t - 1, t);
  echo_buffer_append_c(text, "  return %u1 : " S "\n}\n");
}

/* One level of checkpoints takes 13 activations for 64 layers; several take 7, at less time than
 * all layers take to run twice more. */
START_TEST(chains_have_several_levels)
{
  EchoBuffer text = {0};
  TestStep step;
  uint64_t expected[TEST_MAX_RESULTS], hashes[TEST_MAX_RESULTS];
  make_layers(&text, 64);
  test_step_parse(&step, echo_buffer_c_str(&text));
  size_t n = test_step_results(&step, expected);
  ck_assert(test_step_run(&step, "echo{overhead=90%}"));
  int64_t on = test_step_fact(&step, "echo.on_bytes");
  ck_assert_msg(on <= 7 * 65536 + 3 * 4096, "%lld bytes", (long long)on);
  ck_assert_uint_eq(test_step_results(&step, hashes), n);
  for (size_t i = 0; i < n; ++i)
    ck_assert_uint_eq(hashes[i], expected[i]);
  ck_assert(test_step_run(&step, "cse,schedule,fuse,bufferize,plan-memory,verify-plan"));
  ck_assert_int_eq(test_step_fact(&step, "plan.bound_bytes"), on);
  test_step_destroy(&step);
  echo_buffer_destroy(&text);
}
END_TEST

/* A chain of diamonds has exponentially many paths. */
START_TEST(diamonds_take_linear_time)
{
  enum { N = TEST_SIZE(1500, 100) };
  EchoBuffer text = {0};
  echo_buffer_printf(&text,
                     "func.func @main(%%a0: tensor<64x1024xf32>) -> tensor<64x1024xf32> {\n");
  for (int i = 0; i < N; ++i)
    echo_buffer_printf(&text,
                       "  %%l%d = stablehlo.tanh %%a%d {echo.phase = \"forward\"} : " V "\n"
                       "  %%r%d = stablehlo.abs %%a%d {echo.phase = \"forward\"} : " V "\n"
                       "  %%a%d = stablehlo.add %%l%d, %%r%d {echo.phase = \"forward\"} : " V "\n",
                       i, i, i, i, i + 1, i, i);
  echo_buffer_printf(
      &text, "  %%g%d = stablehlo.negate %%a%d {echo.phase = \"backward\"} : " V "\n", N, N);
  for (int i = N - 1; i >= 0; --i)
    echo_buffer_printf(
        &text, "  %%g%d = stablehlo.multiply %%g%d, %%l%d {echo.phase = \"backward\"} : " V "\n", i,
        i + 1, i);
  echo_buffer_printf(&text, "  return %%g0 : " V "\n}\n");
  TestStep step;
  test_step_parse(&step, echo_buffer_c_str(&text));
  ck_assert(
      test_step_run(&step, "echo{overhead=100%},schedule,fuse,bufferize,plan-memory,verify-plan"));
  test_step_destroy(&step);
  echo_buffer_destroy(&text);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("plan/decisions");
  TCase *tcase = tcase_create("decisions");
  tcase_set_timeout(tcase, 300);
  tcase_add_test(tcase, elementwise_readers_may_be_overwritten);
  tcase_add_test(tcase, readers_at_other_indices_may_not);
  tcase_add_test(tcase, a_row_may_be_overwritten_once_it_is_reduced);
  tcase_add_test(tcase, each_of_several_results_has_its_operand);
  tcase_add_test(tcase, what_a_larger_result_reads_stays);
  tcase_add_test(tcase, rows_between_products_may_overwrite);
  tcase_add_test(tcase, a_row_that_others_read_stays);
  tcase_add_test(tcase, a_stack_is_updated_in_place);
  tcase_add_test(tcase, a_slice_is_read_where_it_is_written);
  tcase_add_test(tcase, recurrences_are_cut_into_segments);
  tcase_add_test(tcase, chains_have_several_levels);
  tcase_add_test(tcase, diamonds_take_linear_time);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
