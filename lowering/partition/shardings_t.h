/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What shardings say of a module's values, as numbers. Errors are at main or at the op. Private to
 * lowering/partition/. */
#ifndef ECHO_LOWERING_PARTITION_SHARDINGS_T_H
#define ECHO_LOWERING_PARTITION_SHARDINGS_T_H

#include "lowering/partition/split_t.h"

/* Dimensions of which a sharding leaves open whether more axes cut them; none: left out. */
#define ECHO_OPEN_DIMS "echo.open"

/* The shardings of main's arguments and results, and of constraints everywhere. */
bool echo_read_shardings(EchoOp *module, EchoOp *main);
/* GSPMD's text, in every form; NULL where it is not understood, or of other processes than `n`.
 * *order as ECHO_ORDER, NULL: their own. */
const EchoAttr *echo_parts_of_text_or_null(EchoContext *ctx, EchoStr text, size_t rank, int64_t n,
                                           const EchoAttr **order);

/* Says how a value is to be cut, and nothing else. */
bool echo_is_constraint(const EchoOp *op);
/* Notes on a call that is said to be one device's which that is. False after an error: there is no
 * such device. */
bool echo_read_one_device(const EchoOp *module, EchoOp *op);
/* Whether that was noted. */
bool echo_is_for_one(const EchoOp *op);
/* Has it make its calls for all of `n_processes`; types are those of one process by now. O(ops) */
void echo_write_one_device(EchoOp *main, int64_t n_processes);
/* One of the calls that stand around what each process does where JAX writes a shard_map without
 * Shardy: into parts ("SPMDFullToShardShape"), or out of them ("SPMDShardToFullShape"). */
bool echo_is_shard_call(const EchoOp *op);
bool echo_goes_into_parts(const EchoOp *shard_call);
/* How the whole is cut that such a call takes or gives. False after an error. */
bool echo_shard_call_split(EchoSplits *splits, const EchoOp *call, const EchoSplit **split);

/* Groups of values that are to be cut alike become constraints, which stand side by side. Uses that
 * come before keep the value as it is. O(ops and uses). */
void echo_groups_to_constraints(EchoOp *module);
/* How the operand of a constraint comes, or what it is to be had like does. */
const EchoSplit *echo_alike(EchoSplits *splits, const EchoOp *constraint);

/* How a constraint or a result is to be had that comes as `has`. */
const EchoSplit *echo_constrained(EchoSplits *splits, const EchoAttr *parts,
                                  const EchoAttr *open_or_null, const EchoSplit *has,
                                  const EchoType *type);
/* Operand or result #i of a manual computation as it goes in or comes out: cut by the axes of its
 * own, *inside is what others cut of it within. False after an error. */
bool echo_manual_split(EchoSplits *splits, const EchoOp *manual, bool of_results, uint32_t i,
                       const EchoSplit **split, const EchoSplit **inside);

/* "arg1,arg2:1": arguments and the dimension of the batch; the others of `args` are left. */
bool echo_batch_read_names(EchoSplits *splits, const EchoOp *main, EchoStr names,
                           const EchoSplit **args);
/* By what --read-shardings found; arguments without are whole. */
bool echo_arguments_read(EchoSplits *splits, const EchoOp *main, const EchoSplit **args);
/* `results` are what main gives; they become what is to be handed out: as the argument whose place
 * a result takes, as a sharding says, else as they are, or whole where no sharding could say it. */
bool echo_results_read(EchoSplits *splits, const EchoOp *main, const EchoSplit *const *args,
                       const EchoSplit **results);

#endif
