/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --random-state: what draws from a state that nobody sees (stablehlo.rng) draws from one that is
 * data. A function in which something draws gets an argument more, its last, that its caller does
 * not see (ECHO_RANDOM_STATE): key and counter of a Philox generator, which go from one draw to the
 * next, through loops and branches. Whoever runs the function fills it in
 * (jit/runtime/executable.h). So each draw, and each iteration of a loop, has numbers of its own,
 * which do not depend on how the program is compiled, and a draw that is computed again gives the
 * same ones. */
#include "base/vector.h"
#include "dialects/echo/stages.h"
#include "dialects/func/build.h"
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/diagnostics.h"
#include "lowering/calls/custom_calls_t.h"
#include "lowering/calls/thread_t.h"
#include "lowering/lowering.h"

/* ---- distributions ---- */

/* Computed in f32, or in f64 where that is the type; integers in 64 bits. */
typedef struct Draw {
  EchoBuilder builder;
  const EchoType *type;     /* of the result */
  const EchoType *computed; /* the same in what is computed with */
  const EchoType *words;    /* the same of the random words behind an element */
  EchoValue *low, *high;    /* operands of the op, as they are */
  EchoValue *state;
} Draw;

static const EchoType *shaped_as(const Draw *draw, const EchoType *element)
{
  return echo_type_with_element(draw->builder.ctx, draw->type, element);
}

static EchoValue *next_words(Draw *draw)
{
  EchoValue *results[2];
  echo_hlo_rng_bit_generator(&draw->builder, ECHO_RNG_PHILOX, draw->state, draw->words, results);
  draw->state = results[0];
  return results[1];
}

/* Of the result's shape. */
static EchoValue *spread(Draw *draw, EchoValue *scalar)
{
  EchoBuilder *b = &draw->builder;
  return echo_hlo_broadcast_scalar(
      b, echo_hlo_convert(b, scalar, draw->computed->as.shaped.element), draw->computed);
}

/* As many of a word's upper bits as the type has digits, so that each multiple of 2^-digits in
 * [0, 1) is as likely as the next, and none is rounded up to 1. */
static EchoValue *build_fraction(Draw *draw, EchoValue *words)
{
  EchoBuilder *b = &draw->builder;
  const bool is_double = echo_type_bit_width(draw->computed->as.shaped.element) == 64;
  EchoValue *upper = echo_hlo_shift_right_logical(
      b, words, echo_hlo_constant_i64(b, words->type, is_double ? 11 : 8));
  EchoValue *number = echo_hlo_convert(b, upper, draw->computed->as.shaped.element);
  return echo_hlo_multiply(b, number,
                           echo_hlo_constant_like(b, number, is_double ? 0x1p-53 : 0x1p-24));
}

/* low + fraction * (high - low), which may be rounded up to high, and again in the result's type:
 * what is not below it is low, the interval's other end. */
static EchoValue *build_uniform_float(Draw *draw)
{
  EchoBuilder *b = &draw->builder;
  EchoValue *fraction = build_fraction(draw, next_words(draw));
  EchoValue *low = spread(draw, draw->low), *high = spread(draw, draw->high);
  EchoValue *wide =
      echo_hlo_add(b, low, echo_hlo_multiply(b, fraction, echo_hlo_subtract(b, high, low)));
  const EchoType *element = draw->type->as.shaped.element;
  EchoValue *value = echo_hlo_convert(b, wide, element);
  EchoValue *is_below = echo_hlo_compare(b, ECHO_COMPARE_LT, value,
                                         echo_hlo_broadcast_scalar(b, draw->high, draw->type));
  return echo_hlo_select(b, is_below, value, echo_hlo_broadcast_scalar(b, draw->low, draw->type));
}

/* A word of 64 bits modulo high - low: of n numbers none is likelier than another by more than
 * n / 2^64. */
static EchoValue *build_uniform_integer(Draw *draw)
{
  EchoBuilder *b = &draw->builder;
  EchoValue *words = next_words(draw);
  EchoValue *low = echo_hlo_bitcast_convert(b, spread(draw, draw->low), words->type);
  EchoValue *high = echo_hlo_bitcast_convert(b, spread(draw, draw->high), words->type);
  EchoValue *offset = echo_hlo_remainder(b, words, echo_hlo_subtract(b, high, low));
  EchoValue *value = echo_hlo_bitcast_convert(b, echo_hlo_add(b, low, offset), draw->computed);
  return echo_hlo_convert(b, value, draw->type->as.shaped.element);
}

/* mean + deviation * sqrt(-2 ln u) cos(2 pi v), u in (0, 1], v in [0, 1).
 * Source: Box, Muller, "A Note on the Generation of Random Normal Deviates" (1958). The word of u
 * keeps all of its bits, and half of one in front, which is what the tails are made of: 6.7
 * deviations with 32 of them, 9.4 with 64. */
static EchoValue *build_normal(Draw *draw)
{
  EchoBuilder *b = &draw->builder;
  const EchoType *element = draw->computed->as.shaped.element;
  const bool is_double = echo_type_bit_width(element) == 64;
  EchoValue *word = echo_hlo_convert(b, next_words(draw), element);
  EchoValue *scale = echo_hlo_constant_like(b, word, is_double ? 0x1p-64 : 0x1p-32);
  EchoValue *shifted = echo_hlo_add(b, word, echo_hlo_constant_like(b, word, 0.5));
  EchoValue *logarithm = echo_hlo_log(b, echo_hlo_multiply(b, shifted, scale));
  EchoValue *v = build_fraction(draw, next_words(draw));
  EchoValue *radius =
      echo_hlo_sqrt(b, echo_hlo_multiply(b, logarithm, echo_hlo_constant_like(b, logarithm, -2)));
  EchoValue *angle =
      echo_hlo_multiply(b, v, echo_hlo_constant_like(b, v, 6.283185307179586476925286766559));
  EchoValue *normal = echo_hlo_multiply(b, radius, echo_hlo_cosine(b, angle));
  EchoValue *mean = spread(draw, draw->low), *deviation = spread(draw, draw->high);
  EchoValue *value = echo_hlo_add(b, mean, echo_hlo_multiply(b, deviation, normal));
  return echo_hlo_convert(b, value, draw->type->as.shaped.element);
}

/* ---- an op ---- */

static bool draws(const EchoOp *op)
{
  return echo_hlo_opcode(op) == ECHO_HLO_RNG;
}

static void choose_types(Draw *draw)
{
  EchoContext *ctx = draw->builder.ctx;
  const EchoType *element = draw->type->as.shaped.element;
  const EchoType *ui64 = echo_type_integer(ctx, 64, ECHO_UNSIGNED);
  const EchoType *ui32 = echo_type_integer(ctx, 32, ECHO_UNSIGNED);
  const EchoType *f64 = echo_type_f64(ctx), *f32 = echo_type_f32(ctx);
  const EchoType *computed = element == f64 ? f64 : f32;
  if (element->kind == ECHO_TYPE_INTEGER)
    computed = element->as.integer.signedness == ECHO_UNSIGNED || element == echo_type_i1(ctx)
                   ? ui64
                   : echo_type_integer(ctx, 64, ECHO_SIGNLESS);
  draw->computed = shaped_as(draw, computed);
  draw->words = shaped_as(draw, computed == f32 ? ui32 : ui64);
}

static bool take_state(EchoOp *op, EchoValue **state)
{
  Draw draw = {.builder = echo_builder_before(op),
               .type = echo_op_result_type(op, 0),
               .low = echo_op_operand(op, 0),
               .high = echo_op_operand(op, 1),
               .state = *state};
  draw.builder.attrs = op->attrs;
  if (!echo_type_has_static_shape(draw.type))
    return echo_op_error(op, "draws '%s', whose shape is not known",
                         echo_type_text(draw.builder.ctx, draw.type));
  choose_types(&draw);
  EchoValue *value = echo_stablehlo_rng_distribution(op) == ECHO_RNG_NORMAL ? build_normal(&draw)
                     : draw.type->as.shaped.element->kind == ECHO_TYPE_INTEGER
                         ? build_uniform_integer(&draw)
                         : build_uniform_float(&draw);
  echo_value_replace_all_uses(echo_op_result(op, 0), value);
  echo_op_erase(op);
  *state = draw.state;
  return true;
}

static const EchoThread DRAWS = {
    .takes = draws, .take = take_state, .what = "draws random numbers"};

/* ---- the pass ---- */

/* An argument more, and a dictionary more. */
static EchoValue *add_state(EchoOp *function)
{
  EchoContext *ctx = echo_op_context(function);
  EchoBlock *body = echo_op_body(function, 0);
  static const int64_t WORDS[] = {ECHO_RANDOM_STATE_WORDS};
  const EchoType *type =
      echo_type_tensor(ctx, WORDS, 1, echo_type_integer(ctx, 64, ECHO_UNSIGNED), NULL);
  const EchoAttr *all = echo_op_attr_or_null(function, "arg_attrs");
  ECHO_VECTOR(const EchoAttr *) attrs = {0};
  for (uint32_t i = 0; i < body->n_args; ++i)
    echo_vector_push(&attrs,
                     all != NULL ? all->as.array.elements[i] : echo_attr_dictionary(ctx, NULL, 0));
  echo_vector_push(&attrs, echo_dictionary_with(ctx, echo_attr_dictionary(ctx, NULL, 0),
                                                ECHO_STR(ECHO_RANDOM_STATE), echo_attr_unit(ctx)));
  EchoValue *state = echo_block_add_arg(ctx, body, type, function->loc);
  echo_set_type_of_body(function);
  echo_op_set_attr(function, "arg_attrs", echo_attr_array(ctx, attrs.data, attrs.size));
  echo_vector_destroy(&attrs);
  return state;
}

static bool run(EchoPassRun *pass)
{
  pass->keeps_all = true;
  for (EchoOp *op = echo_op_body(pass->op, 0)->first; op != NULL; op = op->next) {
    if (!echo_op_is(op, "func.func") || echo_region_is_empty(&op->regions[0]) ||
        echo_str_is(echo_op_attr_string(op, "sym_visibility"), "private") ||
        echo_thread_first_or_null(&DRAWS, op) == NULL)
      continue;
    pass->keeps_all = false;
    EchoValue *state = add_state(op);
    if (!echo_thread_block(&DRAWS, echo_op_body(op, 0), &state))
      return false;
  }
  return true;
}

const EchoPass ECHO_PASS_RANDOM_STATE = {
    .name = "random-state",
    .summary = "ops that draw from a state that nobody sees draw from an argument",
    .anchor = "builtin.module",
    .run = run,
};
