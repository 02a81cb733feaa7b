/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where arguments come from: files of inputs, slices of feed files, results of the step before, and
 * the seed for what is left. All of it is checked against the signature before anything runs. */
#ifndef ECHO_TOOLS_ECHO_RUN_INPUTS_H
#define ECHO_TOOLS_ECHO_RUN_INPUTS_H

#include "base/command_line.h"
#include "jit/data/tensor_set.h"
#include "tools/echo-run/signature.h"

/* --feed=resI:argJ */
typedef struct ResultFeed {
  size_t result, arg;
} ResultFeed;

typedef struct Inputs {
  EchoTensor **args;         /* what each argument starts with; owned */
  const EchoTensor **slices; /* per argument: [steps, shape…] to take slice k from, or NULL */
  ECHO_VECTOR(ResultFeed) feeds;
  EchoTensorSet files, feed_files;
  const EchoAttr *const *parts; /* per argument: how processes share it (ECHO_PARTS), or NULL */
  size_t n_args, n_drawn;
  int64_t n_slices; /* steps that the feed files last for; -1 = no feed file */
} Inputs;

/* Gives main's arguments of shapes that are not known those of the files' arrays, which must say
 * all of them; --refine-shapes knows the rest. Nothing where every shape is known. On failure
 * returns false with the reason in *error. */
bool inputs_refine_arguments(EchoOp *module, const EchoStringList *inputs, EchoBuffer *error);

/* Reads and checks the files. On failure returns false with the reason in *error. */
bool inputs_read(EchoContext *ctx, const Signature *signature, const EchoStringList *inputs,
                 const EchoStringList *feeds, Inputs *out, EchoBuffer *error);
/* Whether an element of --feed names a result and an argument, and no file. */
bool inputs_is_result_feed(const char *text);
/* Draws what no file gave. */
void inputs_complete(EchoContext *ctx, Inputs *inputs, const Signature *signature, uint64_t seed);
void inputs_destroy(Inputs *inputs);

/* Slice `step` of an argument that has slices, as host bytes of the argument's type. */
const void *inputs_slice(const Inputs *inputs, const Signature *signature, size_t arg,
                         int64_t step);

/* Fills a tensor: floats normal with deviation 0.1, integers 0 to 7, booleans even. A function of
 * seed and `stream` alone. */
void inputs_draw(EchoTensor *tensor, uint64_t seed, uint64_t stream);

#endif
