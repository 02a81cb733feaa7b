/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A run on many processes: who they are, that they run the same, what part of a whole array each
 * has, and wholes of their results. With one process all of it does nothing. */
#ifndef ECHO_TOOLS_ECHO_RUN_RANKS_H
#define ECHO_TOOLS_ECHO_RUN_RANKS_H

#include "base/command_line.h"
#include "jit/data/tensor_set.h"
#include "jit/runtime/mpi.h"
#include "tools/echo-run/signature.h"

/* Joins the others where a launcher started this process. Ranks above 0 say nothing until
 * ranks_speak. */
bool ranks_start(EchoBuffer *error);
/* All arrive here, with what they have to say if they failed; false on all when any did. Rank 0's
 * reasons stand for the same ones of others. */
bool ranks_agree(bool ok);
/* From here on each has its own to say. */
void ranks_speak(void);
/* Leaves; after a failure ends every process. */
void ranks_end(bool ok);

/* "%r" in paths is the rank. */
void ranks_name_files(EchoStringList *paths, EchoArena *arena);
const char *ranks_name_file(const char *path, EchoArena *arena); /* NULL allowed */

/* As many processes as the module asks for, by its attributes or, without these, by what its
 * collectives speak of; they are set then (any number of them for one that `is_split` among as
 * many as there are), all with this text and this command line. */
bool ranks_check(EchoOp *module, EchoStr text, bool is_split, int argc, char **argv,
                 EchoBuffer *error);

/* main's parts, read before it is lowered; owned by `arena`. Entries may be NULL; all of it is
 * after an error at main: parts that are none of these processes. */
const EchoAttr **ranks_read_parts(const Signature *signature, bool of_results, EchoArena *arena);
/* This process's part, of type `wanted` behind `skip` leading dimensions, of a whole array; NULL
 * where the tensor is no such whole. */
EchoTensor *ranks_cut_or_null(EchoContext *ctx, const EchoTensor *whole, const EchoType *wanted,
                              const EchoAttr *parts_or_null, size_t skip);
/* On rank 0 the results become wholes. */
bool ranks_gather(EchoContext *ctx, EchoTensorSet *results, const EchoAttr *const *parts,
                  EchoBuffer *error);

#endif
