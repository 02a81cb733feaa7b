/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elementwise ops, conversions, comparisons, and dropout. */
#include <stdio.h>

#include "ir/attributes/type.h"
#include "tests/fuzz/graph_fuzz/generate.h"

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

static void add_unary(Generator *generator)
{
  static const char *const OF_FLOATS[] = {
      "tanh", "logistic", "exponential",        "negate",   "abs",  "sqrt", "cosine",
      "sine", "rsqrt",    "log_plus_one",       "floor",    "sign", "cbrt", "exponential_minus_one",
      "ceil", "log",      "round_nearest_even", "is_finite"};
  static const char *const OF_INTEGERS[] = {"negate", "not", "popcnt", "count_leading_zeros"};
  EchoValue *x = pick_or_null(generator, is_anything);
  const char *op = "not";
  if (is_float(x))
    op = OF_FLOATS[draw(&generator->bytes, N_OF(OF_FLOATS))];
  else if (is_integer(x))
    op = OF_INTEGERS[draw(&generator->bytes, N_OF(OF_INTEGERS))];
  char name[64];
  snprintf(name, sizeof name, "stablehlo.%s", op);
  add_value(generator, echo_build_unary(&generator->builder, name, x, NULL));
}

static void add_binary(Generator *generator)
{
  static const char *const OF_FLOATS[] = {"add",      "multiply", "subtract", "maximum", "minimum",
                                          "divide",   "add",      "multiply", "power",   "atan2",
                                          "multiply", "subtract", "remainder"};
  static const char *const OF_INTEGERS[] = {"add",
                                            "multiply",
                                            "subtract",
                                            "maximum",
                                            "minimum",
                                            "and",
                                            "or",
                                            "xor",
                                            "divide",
                                            "remainder",
                                            "shift_left",
                                            "shift_right_logical",
                                            "shift_right_arithmetic"};
  static const char *const OF_PREDICATES[] = {"and", "or", "xor", "add", "multiply", "maximum"};
  EchoValue *x = pick_or_null(generator, is_anything);
  EchoValue *y = pick_of_type(generator, x->type);
  const char *op = OF_PREDICATES[draw(&generator->bytes, N_OF(OF_PREDICATES))];
  if (is_float(x))
    op = OF_FLOATS[draw(&generator->bytes, N_OF(OF_FLOATS))];
  else if (is_integer(x))
    op = OF_INTEGERS[draw(&generator->bytes, N_OF(OF_INTEGERS))];
  char name[64];
  snprintf(name, sizeof name, "stablehlo.%s", op);
  if (draw(&generator->bytes, 2) != 0) {
    EchoValue *first = x;
    x = y;
    y = first;
  }
  add_value(generator, echo_build_binary(&generator->builder, name, x, y, NULL));
}

static EchoValue *predicate(Generator *generator, const EchoType *like)
{
  return pick_of_type(generator,
                      echo_type_with_element(generator->ctx, like, echo_type_i1(generator->ctx)));
}

static void add_choice(Generator *generator)
{
  EchoBuilder *b = &generator->builder;
  EchoValue *x = pick_or_null(generator, is_anything), *y = pick_of_type(generator, x->type);
  switch (draw(&generator->bytes, 3)) {
  case 0:
    add_value(generator,
              echo_hlo_compare(b, (EchoCompareDirection)draw(&generator->bytes, 6), x, y));
    break;
  case 1:
    add_value(generator, echo_hlo_select(b, predicate(generator, x->type), x, y));
    break;
  default:
    if (!is_predicate(x))
      add_value(generator, echo_hlo_clamp(b, y, x, pick_of_type(generator, x->type)));
  }
}

static void add_conversion(Generator *generator)
{
  static const char *const TYPES[] = {"f32", "f32", "f64", "f16", "bf16", "i32",
                                      "i64", "i8",  "ui8", "i1",  "ui32"};
  EchoValue *x = pick_or_null(generator, is_anything);
  const EchoType *element =
      echo_type_from_text(generator->ctx, TYPES[draw(&generator->bytes, N_OF(TYPES))]);
  add_value(generator, echo_hlo_convert(&generator->builder, x, element));
}

void add_elementwise(Generator *generator)
{
  switch (draw(&generator->bytes, 8)) {
  case 0:
    add_choice(generator);
    break;
  case 1:
    add_conversion(generator);
    break;
  case 2:
  case 3:
  case 4:
    add_unary(generator);
    break;
  default:
    add_binary(generator);
  }
}

/* The mask is drawn from key and counter; kept elements are scaled. */
void add_dropout(Generator *generator)
{
  EchoBuilder *b = &generator->builder;
  EchoContext *ctx = generator->ctx;
  EchoValue *x = pick_or_null(generator, is_float), *results[2];
  const EchoType *u64 = echo_type_integer(ctx, 64, ECHO_UNSIGNED);
  const EchoType *u32 = echo_type_integer(ctx, 32, ECHO_UNSIGNED);
  const int64_t two = 2;
  bool is_philox = draw(&generator->bytes, 2) != 0;
  EchoValue *state = pick_of_type(generator, echo_type_tensor(ctx, &two, 1, u64, NULL));
  echo_hlo_rng_bit_generator(b, is_philox ? ECHO_RNG_PHILOX : ECHO_RNG_THREE_FRY, state,
                             echo_type_with_element(ctx, x->type, u32), results);
  EchoValue *limit = echo_hlo_constant_i64(b, results[1]->type, 0x40000000);
  EchoValue *mask = echo_hlo_compare(b, ECHO_COMPARE_GE, results[1], limit);
  EchoValue *scaled = echo_hlo_multiply(b, x, echo_hlo_constant_like(b, x, 1.25));
  add_value(generator, results[0]);
  add_value(generator, mask);
  add_value(generator, echo_hlo_select(b, mask, scaled, echo_hlo_constant_like(b, x, 0)));
}
