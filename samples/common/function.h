/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A function under construction with the public builder API: a module with one func.func @main,
 * arguments with their roles, and the values that training starts from. The invariant: parameters
 * are listed in the order in which they were asked for. */
#ifndef ECHO_SAMPLES_COMMON_FUNCTION_H
#define ECHO_SAMPLES_COMMON_FUNCTION_H

#include "base/vector.h"
#include "ir/builder.h"

/* A value that training carries from step to step. */
typedef struct SampleParameter {
  char name[48]; /* "encoder.0.weight_input" */
  const EchoType *type;
  float range, center; /* initial values are uniform in [center - range, center + range] */
} SampleParameter;

typedef ECHO_VECTOR(SampleParameter) SampleParameters;

typedef struct SampleFunction {
  EchoContext *ctx;
  EchoBuilder builder; /* at the end of the body */
  EchoOp *module, *function;
  ECHO_VECTOR(const EchoType *) arg_types;
  ECHO_VECTOR(const EchoAttr *) arg_attrs;
} SampleFunction;

/* Begins @main; sample_function_end gives it its type and its return. The IR belongs to `ctx`. */
void sample_function_begin(SampleFunction *f, EchoContext *ctx);
void sample_function_end(SampleFunction *f, EchoValue *const *results, size_t n);

/* role: "parameter", "optimizer" or "input"; name may be NULL; aliased_result: the result that
 * takes the argument's place, or -1. */
EchoValue *sample_function_argument(SampleFunction *f, const EchoType *type, const char *role,
                                    const char *name, int64_t aliased_result);

/* Ops built from here on belong to this layer, "part.number" or "part" alone where number < 0:
 * their location says so, in every stage and in the memory report. */
void sample_function_enter_layer(SampleFunction *f, const char *part, int64_t number);

/* Adds to the list and returns its index there. */
size_t sample_parameter_add(SampleParameters *parameters, const char *name, const EchoType *type,
                            double range, double center);

#endif
