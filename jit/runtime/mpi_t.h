/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the targets (mpi_targets.c) need of the library that was found (mpi.c). */
#ifndef ECHO_JIT_RUNTIME_MPI_T_H
#define ECHO_JIT_RUNTIME_MPI_T_H

#include "jit/runtime/mpi.h"

/* A handle is a pointer to an object of Open MPI's, a number of MPICH's. */
typedef struct EchoMpiHandle {
  uintptr_t value;
} EchoMpiHandle;

typedef enum EchoMpiConstant {
  ECHO_MPI_WORLD,
  ECHO_MPI_BYTE,
  ECHO_MPI_ERRORS_RETURN,
  ECHO_MPI_N_CONSTANTS
} EchoMpiConstant;

/* In a call's configuration: where it stands, for messages. */
#define ECHO_MPI_PLACE "place"

/* More goes in blocks. */
#define ECHO_MPI_MAX_COUNT (1 << 30)
/* A sum of few values is gathered at once: as many of all members together as a link carries while
 * a second call would begin, by the default device model (2.3 us at 8 GB/s are 18 KB). */
#define ECHO_MPI_SCRATCH 4096

typedef struct EchoMpiGroup {
  const EchoAttr *ranks;
  int64_t size;
  EchoMpiHandle comm;
  int members, place; /* 0 where this process is in no group */
  void *scratch;      /* ECHO_MPI_SCRATCH elements of any kind, and at least one for each member */
} EchoMpiGroup;

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
/* Around what may wait for others: `name` and `at`, where the call stands, live until the end. */
void echo_mpi_begin(const char *name, EchoStr at);
void echo_mpi_end(uint64_t bytes);
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
