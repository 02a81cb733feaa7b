/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arrays that loops read slice by slice and that are made outside of them, element by element: the
 * loops can make each slice themselves, from slices of what the array is made of, which takes less
 * room where that is smaller or stands there anyway. The invariant: the same ops on the same
 * elements, so that every bit stays. Heavy ops and reductions stay outside, for their bits depend
 * on their shapes. */
#ifndef ECHO_PLANNING_LOOPS_INPUTS_H
#define ECHO_PLANNING_LOOPS_INPUTS_H

#include "base/vector.h"
#include "ir/op.h"
#include "planning/cost/device_model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef ECHO_VECTOR(double) EchoPrices;

/* The arrays of a block that its loops make slice by slice when a byte costs `price` nanoseconds;
 * returns how many. With `turns` nothing is touched: the price from which on each would be is
 * added to them. What is read by several loops is made in each of them. O(ops + slices * what each
 * is made of). */
size_t echo_loop_make_inputs(EchoBlock *block, const EchoDeviceModel *device, double price,
                             EchoPrices *turns);

#ifdef __cplusplus
}
#endif

#endif
