/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Brief gaps: what waits where the step does not turn may be computed again by itself, and nothing
 * else is decided by it. */
#include "dialects/stablehlo/opcode.h"
#include "echo_pass/choice.h"
#include "tests/unit/plan/setting.h"
#include "tests/unit/suite.h"

#define T "tensor<4096x1024xf32>"
#define H "tensor<512x512xf32>"
#define X "tensor<512x64xf32>"
#define DOT(type_a, type_b, type)                                                                  \
  ", contracting_dims = [1] x [0] : (" type_a ", " type_b ") -> " type "\n"

/* %t waits first, and with it the step turns. Behind that %s waits, beside two products, while what
 * it is made of stands anyway. */
static const char STEP[] =
    "func.func @main(%p: tensor<4096x64xf32>, %w: tensor<64x1024xf32>, %x: " X
    ", %a: tensor<64x512xf32>, %c: " X ", %d: tensor<64x512xf32>) -> tensor<512xf32> {\n"
    "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %t = stablehlo.dot_general %p, %w" DOT(
        "tensor<4096x64xf32>", "tensor<64x1024xf32>",
        T) "  %r = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [0, "
           "1] : (" T ", tensor<f32>) -> tensor<f32>\n"
           "  %b = stablehlo.broadcast_in_dim %r, dims = [] : (tensor<f32>) -> " T "\n"
           "  %tb = stablehlo.multiply %t, %b : " T "\n"
           "  %r2 = stablehlo.reduce(%tb init: %zero) applies stablehlo.add across dimensions = "
           "[0, 1] : (" T ", tensor<f32>) -> tensor<f32>\n"
           "  %b2 = stablehlo.broadcast_in_dim %r2, dims = [] : (tensor<f32>) -> " X "\n"
           "  %x1 = stablehlo.add %x, %b2 : " X "\n"
           "  %h = stablehlo.dot_general %x1, %a" DOT(
               X, "tensor<64x512xf32>",
               H) "  %s = stablehlo.logistic %h : " H "\n"
                  "  %m = stablehlo.multiply %h, %s : " H "\n"
                  "  %y = stablehlo.dot_general %m, %c" DOT(
                      H, X,
                      X) "  %z = stablehlo.dot_general %y, %d" DOT(X, "tensor<64x512xf32>",
                                                                   H) "  %q = stablehlo.multiply "
                                                                      "%z, %s : " H "\n"
                                                                      "  %u = stablehlo.multiply "
                                                                      "%q, %h : " H "\n"
                                                                      "  %o = stablehlo.reduce(%u "
                                                                      "init: %zero) applies "
                                                                      "stablehlo.add across "
                                                                      "dimensions = [1] : (" H
                                                                      ", tensor<f32>) -> "
                                                                      "tensor<512xf32>\n"
                                                                      "  return %o : "
                                                                      "tensor<512xf32>\n}\n";

/* The first value that an op of this kind makes, of so many bytes. */
static uint32_t find_value(const EchoGraph *graph, EchoHloOpcode opcode, uint64_t bytes)
{
  for (uint32_t v = graph->n_inputs; v < graph->values.size; ++v)
    if (echo_hlo_opcode(graph->nodes.data[graph->values.data[v].def].op) == opcode &&
        graph->values.data[v].bytes == bytes)
      return v;
  ck_abort_msg("there is no such value");
}

/* How many logistics there are with the choice carried out. */
static size_t count_logistics(const Setting *setting, const EchoChoice *choice)
{
  EchoGraph echoed = {0};
  size_t n = 0;
  echo_choice_apply(choice, &setting->candidates, &echoed);
  for (size_t i = 0; i < echoed.nodes.size; ++i)
    n += echoed.nodes.data[i].op != NULL &&
         echo_hlo_opcode(echoed.nodes.data[i].op) == ECHO_HLO_LOGISTIC;
  echo_graph_destroy(&echoed);
  return n;
}

#define H_BYTES (UINT64_C(512) * 512 * 4)

START_TEST(what_waits_at_no_turn_has_a_brief_gap)
{
  Setting setting;
  test_step_parse(&setting.step, STEP);
  setting_create(&setting);
  const EchoGraph *graph = &setting.graph;
  const EchoCandidateValue *values = setting.candidates.values;
  uint32_t t = find_value(graph, ECHO_HLO_DOT_GENERAL, UINT64_C(4096) * 1024 * 4);
  uint32_t s = find_value(graph, ECHO_HLO_LOGISTIC, H_BYTES);
  uint32_t m = find_value(graph, ECHO_HLO_MULTIPLY, H_BYTES);
  ck_assert(values[t].state == ECHO_VALUE_CANDIDATE && values[t].is_read);
  ck_assert_uint_eq(values[t].brief_early, ECHO_NONE);
  ck_assert(values[s].state == ECHO_VALUE_BRIEF && !values[s].is_read);
  ck_assert_uint_eq(values[s].brief_early, graph->values.data[m].def);
  ck_assert_uint_eq(values[m].brief_early, ECHO_NONE); /* it is read once */
  ck_assert(values[find_value(graph, ECHO_HLO_DOT_GENERAL, H_BYTES)].state == ECHO_VALUE_BRIEF);
  ck_assert(values[0].state == ECHO_VALUE_FREE);
  setting_destroy(&setting);
}
END_TEST

START_TEST(it_is_computed_again_where_the_choice_says_so)
{
  Setting setting;
  test_step_parse(&setting.step, STEP);
  setting_create(&setting);
  uint32_t s = find_value(&setting.graph, ECHO_HLO_LOGISTIC, H_BYTES);
  EchoChoice choice, copy;
  echo_choice_create(&choice, &setting.candidates);
  ck_assert_uint_eq(count_logistics(&setting, &choice), 1);
  choice.values[s].is_recomputed = true; /* for those behind its last reader: there are none */
  ck_assert_uint_eq(count_logistics(&setting, &choice), 1);
  uint64_t hash = echo_choice_hash_value(&choice, 0, s);
  choice.values[s].is_brief = true;
  ck_assert_uint_eq(count_logistics(&setting, &choice), 2);
  ck_assert_uint_ne(echo_choice_hash_value(&choice, 0, s), hash);
  echo_choice_create(&copy, &setting.candidates);
  echo_choice_take_value(&copy, &choice, s);
  ck_assert_uint_eq(count_logistics(&setting, &copy), 2);
  setting_destroy(&setting);
}
END_TEST

START_TEST(cuts_leave_it_alone)
{
  Setting setting;
  test_step_parse(&setting.step, STEP);
  setting_create(&setting);
  EchoCutOptions options = {.side = ECHO_CUT_NEAR_SOURCE, .allow_heavy = true};
  EchoChoice choice;
  echo_choice_create(&choice, &setting.candidates);
  echo_choice_cut(&choice, &setting.candidates, &options);
  for (size_t v = 0; v < setting.graph.values.size; ++v)
    ck_assert(setting.candidates.values[v].state == ECHO_VALUE_CANDIDATE ||
              !choice.values[v].is_recomputed);
  ck_assert_uint_eq(count_logistics(&setting, &choice), 1);
  setting_destroy(&setting);
}
END_TEST

START_TEST(what_is_small_beside_the_peak_has_none)
{
  Setting setting;
  EchoBuffer text = {0};
  for (const char *at = STEP; *at != '\0'; ++at) /* 64 times as large: the peak is %t's */
    if (strncmp(at, "4096x", 5) == 0) {
      echo_buffer_append_c(&text, "65536x");
      at += 4;
    } else {
      echo_buffer_append_char(&text, *at);
    }
  test_step_parse(&setting.step, echo_buffer_c_str(&text));
  setting_create(&setting);
  uint32_t s = find_value(&setting.graph, ECHO_HLO_LOGISTIC, H_BYTES);
  ck_assert(setting.candidates.values[s].state == ECHO_VALUE_OTHER);
  ck_assert_uint_eq(setting.candidates.values[s].brief_early, ECHO_NONE);
  setting_destroy(&setting);
  echo_buffer_destroy(&text);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("candidates");
  TCase *tcase = tcase_create("all");
  tcase_add_test(tcase, what_waits_at_no_turn_has_a_brief_gap);
  tcase_add_test(tcase, it_is_computed_again_where_the_choice_says_so);
  tcase_add_test(tcase, cuts_leave_it_alone);
  tcase_add_test(tcase, what_is_small_beside_the_peak_has_none);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
