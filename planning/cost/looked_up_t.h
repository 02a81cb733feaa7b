/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How often a kernel makes the elements of its members: what stands in front of a gather it makes
 * where it is read, for each row that is taken. Private to planning/cost/. */
#ifndef ECHO_PLANNING_COST_LOOKED_UP_T_H
#define ECHO_PLANNING_COST_LOOKED_UP_T_H

#include "planning/schedule/fusion.h"

enum { ECHO_MOST_LOOKED_AT = 128 }; /* members; of more it is not worth its time */

/* Fills `times`, by member: how often each of its elements is made, on the average; at most once
 * where only some of them are taken. False, and nothing filled, where all are made once: the kernel
 * has no gather of a member, or too many members. O(members + operands log members). */
bool echo_find_times(const EchoGraph *graph, const EchoFusion *fusion, const EchoFusionGroup *group,
                     double *times);

#endif
