/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Contractions whose results, and all that is as large and made of them, never leave the kernels
 * that fusion makes of a block as it stands now: to cut them would save nothing, and what
 * multiplies them would read them from memory. Private to lowering/. */
#ifndef ECHO_LOWERING_STEP_KEPT_PRODUCTS_T_H
#define ECHO_LOWERING_STEP_KEPT_PRODUCTS_T_H

#include "base/map.h"
#include "planning/schedule/fusion.h"

enum { ECHO_PRODUCT_IS_WRITTEN = 1, ECHO_PRODUCT_READS_KEPT = 2 };

/* Adds to `facts`, by op, what is known of the heavy ops below `root`, where all shapes are static:
 * bits of these. O(ops log ops). */
void echo_find_kept_products(EchoOp *root, const EchoFusionOptions *options, EchoMap *facts);
/* Whether it is in kernels alone: none of those that make it writes anything as large. */
bool echo_product_stays(const EchoMap *facts, const EchoOp *product);
/* Whether it is in a kernel with one that stays. */
bool echo_product_reads_kept(const EchoMap *facts, const EchoOp *product);

#endif
