/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Private to echo_pass/: further rounds on what the ones before came to. The invariant: what is
 * added is a copy of a variant with one of its points carried out, loops and branches as that
 * leaves them, so that any plan of it is a plan of the variant. Not how it is searched, nor which
 * variant is taken (variants_t.h). */
#ifndef ECHO_ECHO_PASS_AGAIN_T_H
#define ECHO_ECHO_PASS_AGAIN_T_H

#include "echo_pass/variants_t.h"

/* Adds such variants behind those that were searched, of those from `first` on (what the last round
 * added; at first 0), but for what nothing could come of that takes `max_ns` or less, for what the
 * last round hardly lowered, and none where the work of one search is not enough for many. Returns
 * how many, ECHO_MAX_AGAIN at most. O(points + nodes). */
size_t echo_variants_add_again(EchoVariants *variants, size_t first,
                               const EchoSearchOptions *options, uint64_t max_ns);

#endif
