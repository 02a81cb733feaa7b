/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the targets (mpi_targets.c) need of the library that was found (mpi.c). */
#ifndef ECHO_JIT_RUNTIME_MPI_T_H
#define ECHO_JIT_RUNTIME_MPI_T_H

#include "jit/runtime/library_t.h"
#include "jit/runtime/mpi.h"

/* A handle is a pointer to an object of Open MPI's, a number of MPICH's. */
typedef struct EchoMpiHandle {
  uintptr_t value;
} EchoMpiHandle;

typedef enum EchoMpiConstant {
  ECHO_MPI_WORLD,
  ECHO_MPI_BYTE,
  ECHO_MPI_ERRORS_RETURN,
  ECHO_MPI_INFO_NULL,
  ECHO_MPI_N_CONSTANTS
} EchoMpiConstant;

/* More goes in blocks. */
#define ECHO_MPI_MAX_COUNT (1 << 30)
/* A sum of few values is gathered at once: as many of all members together as a link carries while
 * a second call would begin, by the default device model (2.3 us at 8 GB/s are 18 KB). */
#define ECHO_MPI_SCRATCH 4096

/* Groups of processes by number, `size` each: a copy, for groups outlive the context of a module.
 */
typedef struct EchoMpiRanks {
  int64_t *numbers;
  size_t n;
  int64_t size;
} EchoMpiRanks;
EchoMpiRanks echo_mpi_ranks(const EchoAttr *ranks, int64_t size); /* numbers: echo_free */
bool echo_mpi_ranks_are(const EchoMpiRanks *ranks, const EchoAttr *other, int64_t size);

typedef struct EchoMpiGroup {
  EchoMpiRanks ranks;
  int64_t size;
  EchoMpiHandle comm;
  int members, place; /* 0 where this process is in no group */
  void *scratch;      /* ECHO_MPI_SCRATCH elements of any kind, and at least one for each member */
} EchoMpiGroup;

/* Where this process stands in groups of `size` each. */
typedef struct EchoMpiPlace {
  int64_t group;      /* -1: in none */
  int members, place; /* 0 there */
} EchoMpiPlace;
EchoMpiPlace echo_mpi_place(const EchoAttr *ranks, int64_t size);

/* echo_mpi_prepare for another engine: `make` makes what calls of these groups need, where it is
 * not there yet. */
typedef bool EchoMpiMakeGroup(const EchoAttr *ranks, int64_t size, EchoBuffer *error);
bool echo_mpi_prepare_with(EchoOp *module, EchoMpiMakeGroup *make, EchoBuffer *error);

/* One of a call, by letters: p a pointer, i an int, h a handle. */
typedef union EchoMpiArgument {
  const void *p;
  int i;
  EchoMpiHandle h;
} EchoMpiArgument;

EchoMpiHandle echo_mpi_constant(EchoMpiConstant constant);
/* Calls a function by name, with a letter in `types` for each argument; false with the reason. */
bool echo_mpi_call(EchoBuffer *error, const char *name, const char *types,
                   const EchoMpiArgument *arguments);
/* Around what may wait for others: `name` and `at`, where the call stands, live until the end. A
 * call of which no function of MPI's has come back for echo_mpi_set_limit's time ends the process,
 * with an error that names it. */
void echo_mpi_begin(const char *name, EchoStr at);
void echo_mpi_end(uint64_t bytes);
/* The two halves of it for calls that another engine carries out: what this process waits in (NULL:
 * it computes), and what is added to the facts. */
void echo_mpi_wait_in(const char *name_or_null, EchoStr at);
void echo_mpi_count(uint64_t n_calls, uint64_t bytes, double busy_s);
/* A function of MPI's has come back. */
void echo_mpi_went_on(void);
/* What watches the calls of this process, between start and end. */
void echo_mpi_watch_begin(int rank, int size);
void echo_mpi_watch_end(void);
/* What was said last stands in a pipe to the launcher, which may end before it reads that: waits
 * until it has, or has had the time. A signal's handler may call it. */
void echo_mpi_wait_until_heard(void);
/* What messages call a call by its number, where those of its group are to be the same one: in a
 * module with calls that some may miss. Else NULL. */
const char *echo_mpi_call_to_meet_or_null(int64_t number);
/* Whether another thread than the one that started may call, while that one does not. Before start:
 * true, for who only plans. */
bool echo_mpi_serves_threads(void);
/* MPI_STATUS_IGNORE. */
EchoMpiArgument echo_mpi_no_status(void);
/* MPI_IN_PLACE. */
EchoMpiArgument echo_mpi_in_place(void);
/* At least so many bytes, for one call at a time: they stay until the end. */
void *echo_mpi_space(uint64_t bytes);
/* Whether one call carries as many elements. */
bool echo_mpi_check_count(uint64_t count, EchoBuffer *error);
/* Made by echo_mpi_prepare; NULL: there is none. */
const EchoMpiGroup *echo_mpi_group_or_null(const EchoAttr *ranks, int64_t size);

#endif
