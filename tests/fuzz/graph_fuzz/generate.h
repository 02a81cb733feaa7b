/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Training steps made of the ops that training steps are made of, out of a fuzzer's bytes. What
 * comes out verifies; it says nothing about what it computes. */
#ifndef ECHO_TESTS_FUZZ_GRAPH_FUZZ_GENERATE_H
#define ECHO_TESTS_FUZZ_GRAPH_FUZZ_GENERATE_H

#include "dialects/stablehlo/build.h"
#include "tests/fuzz/graph_fuzz/draw.h"

enum { MAX_VALUES = 400, MAX_OPS = 40, MAX_PARAMETERS = 4, MAX_INPUTS = 16 };

/* How large things are. */
typedef struct Scale {
  int64_t sizes[8];            /* of an argument's dimensions */
  int64_t n_broadcast[6];      /* of dimensions that a broadcast adds */
  int64_t max_argument;        /* elements of an argument, but for what its last dimension adds */
  int64_t max_elements;        /* of any value */
  int64_t max_width, max_rows; /* features of a contraction's weights, rows that are gathered */
} Scale;
extern const Scale SMALL_SCALE;  /* what a compiler has to get right takes no more */
extern const Scale MIDDLE_SCALE; /* several blocks of threads and tiles, with and without a rest */
extern const Scale LARGE_SCALE;  /* rows of more than one tile, whole tiles on tensor cores */

typedef struct Generator {
  EchoContext *ctx;
  EchoBuilder builder;
  Bytes bytes;
  const Scale *scale;
  EchoValue *values[MAX_VALUES]; /* all that an op may read, in the order made */
  size_t n_values;
  size_t loss_number; /* which result of main is the loss */
} Generator;

/* The module, at stage model: one function main, whose result loss_number is a scalar float. Its
 * parameters are updated by nn.gradient, or by values that some backward part may have come to. */
EchoOp *generate_module(Generator *generator);

/* ---- between the files of the generator ---- */

void add_value(Generator *generator, EchoValue *value);

typedef bool ValueTest(const EchoValue *value);
bool is_float(const EchoValue *value);
bool is_integer(const EchoValue *value); /* not i1 */
bool is_predicate(const EchoValue *value);
bool is_anything(const EchoValue *value);
/* A value that passes, the latest ones more often; NULL when none does. */
EchoValue *pick_or_null(Generator *generator, ValueTest *test);
/* A value of this type: one that is there, or made from one that is, or a constant. */
EchoValue *pick_of_type(Generator *generator, const EchoType *type);
/* The same, or an input of main that is added, while it may have more. */
EchoValue *input_of_type(Generator *generator, const EchoType *type);
int64_t n_elements(const EchoValue *value);
const EchoType *element_of(const EchoValue *value);
EchoValue *index_scalar(Generator *generator); /* tensor<i32>, any value */

/* One op, or a few that belong together; nothing where no value fits. */
void add_elementwise(Generator *generator);
void add_movement(Generator *generator);
void add_indexing(Generator *generator);
void add_reduction(Generator *generator);
void add_contraction(Generator *generator);
void add_loop(Generator *generator);
void add_branches(Generator *generator);
void add_dropout(Generator *generator);
void add_layer(Generator *generator);

#endif
