/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Parts of arrays that many processes share, as main's arguments and results say (ECHO_PARTS), on
 * the host: cut out of the whole and put together again. What travels is others' work. */
#ifndef ECHO_JIT_DATA_PARTS_H
#define ECHO_JIT_DATA_PARTS_H

#include "ir/attributes/attribute.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The type of the whole of which `part`, a tensor of static shape that `parts` fit, is one. */
const EchoType *echo_parts_whole_type(EchoContext *ctx, const EchoType *part,
                                      const EchoAttr *parts);
/* Copies the part of `process` out of the whole (or, where `is_put`, into it), both dense.
 * `part_type` has `skip` dimensions in front of those that `parts` speak of. O(elements) */
void echo_parts_copy(void *whole, void *part, const EchoType *part_type, const EchoAttr *parts,
                     size_t skip, int64_t process, bool is_put);

#ifdef __cplusplus
}
#endif

#endif
