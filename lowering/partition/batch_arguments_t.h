/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which of main's arguments and results are parts. Errors are at main. Private to
 * lowering/partition/. */
#ifndef ECHO_LOWERING_PARTITION_BATCH_ARGUMENTS_T_H
#define ECHO_LOWERING_PARTITION_BATCH_ARGUMENTS_T_H

#include "lowering/partition/split_t.h"

/* On arguments and results of main, which are whole still: as ECHO_PARTS has it. */
#define ECHO_READ_SHARDING "echo.sharding"

/* "sdy.sharding" and "mhlo.sharding" of main's arguments and results become ECHO_READ_SHARDING. */
bool echo_read_shardings(EchoOp *module, EchoOp *main, int64_t n_processes);

/* "arg1,arg2:1": arguments and the dimension of the batch; the others of `args` are left. */
bool echo_batch_read_names(const EchoOp *main, EchoStr names, int64_t n_processes, EchoSplit *args);
/* By what --read-shardings found; arguments without are left. */
bool echo_batch_read_shardings(const EchoOp *main, int64_t n_processes, EchoSplit *args);
/* `results` are what main gives; they become what is to be handed out: as the argument whose place
 * a result takes, as a sharding says, else as they are, or whole where no sharding could say it. */
bool echo_batch_read_results(const EchoOp *main, int64_t n_processes, const EchoSplit *args,
                             EchoSplit *results);

#endif
