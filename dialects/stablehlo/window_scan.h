/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Long windows along one dimension: which reduce_windows are scans, whose work is linear in what
 * they read and write, whatever their window. Interpreter, kernels and costs ask here, so that all
 * of them take a window for the same. */
#ifndef ECHO_DIALECTS_STABLEHLO_WINDOW_SCAN_H
#define ECHO_DIALECTS_STABLEHLO_WINDOW_SCAN_H

#include "ir/table/op_info.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum EchoWindowForm {
  ECHO_WINDOW_DIRECT,  /* no scan: its elements are combined for each result */
  ECHO_WINDOW_PREFIX,  /* result i is made of all elements up to i + offset */
  ECHO_WINDOW_SUFFIX,  /* result i is made of all elements from i + offset on */
  ECHO_WINDOW_SLIDING, /* result i is made of elements [i + offset, i + offset + window) */
} EchoWindowForm;

typedef struct EchoWindowScan {
  EchoWindowForm form;
  size_t dim;         /* the one that is scanned; the others are the same in operand and result */
  int64_t window;     /* elements of a window */
  int64_t n_elements; /* of the operand along `dim`; padding lies beside [0, n_elements) */
  int64_t n_results;  /* along `dim`; neither is 0 */
  int64_t offset;     /* see the form */
  /* Results of a block, of which the last may have fewer. PREFIX and SUFFIX: a power of two near
   * the square root of n_results, at least 64. SLIDING: the window. */
  int64_t block;
} EchoWindowScan;

/* How a reduce_window of static shape is combined: a scan where a window of at least eight elements
 * moves by one along a single dimension, and the body is associative. A body of one op says so by
 * its neutral element; of any other body StableHLO's specification says it, and that the initial
 * value may be combined any number of times. PREFIX and SUFFIX leave padding out: of one op, only
 * those whose initial value is a constant and neutral. NULL and other ops are DIRECT; of DIRECT,
 * nothing else is set. O(rank). */
EchoWindowScan echo_hlo_window_scan(const EchoOp *reduce_window);

/* Whether it is a reduce_window of one value that is no scan, of few places: a processor's kernel
 * writes them out one after the other, so that neighbouring results go in vectors. False for NULL
 * and other ops. O(rank). */
bool echo_hlo_is_short_window(const EchoOp *op);

/* How many results of a reduce_window a processor's kernel makes at a time: of a scan, what lies
 * behind its dimension; else a line of results, along the last dimension that has several. 1 for
 * NULL. O(rank).
 */
int64_t echo_hlo_window_side_by_side(const EchoOp *reduce_window);

#ifdef __cplusplus
}
#endif

#endif
