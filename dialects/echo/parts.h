/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ECHO_PARTS: which part of a whole each of many processes has. The numbers are read here alone;
 * how parts come about, and how they travel, stands elsewhere. */
#ifndef ECHO_DIALECTS_ECHO_PARTS_H
#define ECHO_DIALECTS_ECHO_PARTS_H

#include "ir/attributes/attribute.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of an argument or a result of main that is one process's part of a whole: for each leading
 * dimension the number of mesh axes along it, then the stride (in processes) and the size of each,
 * outermost first. Dimensions that are left out are not cut. A negative number ends the dimensions:
 * along as many axes, which follow it, the processes have summands of the whole. */
#define ECHO_PARTS "echo.parts"

/* Beside ECHO_PARTS where a mesh has the processes in another order: at each place the process that
 * stands there. Parts are then those of places. */
#define ECHO_ORDER "echo.order"

/* On a module whose processes have their parts of what all would have the same of between steps:
 * bytes of it that only others have, and bytes of what no dimension of divides. */
#define ECHO_STATE_ELSEWHERE "echo.state_bytes_elsewhere"
#define ECHO_STATE_UNDIVIDED "echo.state_bytes_undivided"

/* On arguments and results of main, which are whole still, and on sharding constraints: how they
 * are to be cut, as ECHO_PARTS has it. Beside it ECHO_ORDER. On a manual computation all of its
 * own: the axes, as those of one dimension, then operands and results. On the module and on
 * sharding groups, as a unit: all were read, and it is for many processes. */
#define ECHO_READ_SHARDING "echo.sharding"

/* Axes of at least two devices each, all of them together fewer than 2^31. */
enum { ECHO_MAX_CUT_AXES = 31 };

/* Axes of a mesh, the slowest first, without those of one device. */
typedef struct EchoCut {
  struct {
    int64_t stride, size;
  } axes[ECHO_MAX_CUT_AXES];
  size_t n_axes;
  int64_t n_parts; /* the product of the sizes */
} EchoCut;

/* Whether `parts` are of a tensor of `type`, for no more than `n_processes`: what a module says
 * must be checked before anything else here is asked. */
bool echo_parts_fit(const EchoAttr *parts, const EchoType *type, int64_t n_processes);

/* What cuts the dimension whose axes begin at *at; *at moves behind it. The dimensions of which
 * nothing is said are whole. */
EchoCut echo_parts_next_cut(const EchoAttr *parts, size_t *at);
/* Along which axes processes have summands. */
EchoCut echo_parts_sum(const EchoAttr *parts);
/* All axes that cut, those of the first dimension the slowest. */
EchoCut echo_parts_cut(const EchoAttr *parts);

/* Which part a process has, of cut->n_parts. */
int64_t echo_cut_part(const EchoCut *cut, int64_t process);
/* The process that has a part, and stands first along all other axes. */
int64_t echo_cut_process(const EchoCut *cut, int64_t part);

/* Whether each of 0 to n - 1 is there once. O(n). */
bool echo_order_fits(const int64_t *processes, size_t n);
/* Where a process stands, in an order that fits; NULL: at its own number. O(processes). */
int64_t echo_order_place(const EchoAttr *order_or_null, int64_t process);

#ifdef __cplusplus
}
#endif

#endif
