/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What Shardy's attributes say of a module. */
#ifndef ECHO_DIALECTS_SDY_SHARDINGS_H
#define ECHO_DIALECTS_SDY_SHARDINGS_H

#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The axis `"x"=2` that comes next in `rest`, what is left of a mesh's text, which moves behind it;
 * *name is borrowed from it, its size 0 where it has none that can be counted. False where there is
 * no more. O(characters). */
bool echo_sdy_next_axis(EchoStr *rest, EchoStr *name, int64_t *size);

/* Devices of `mesh`, a #sdy.mesh: the product of its axes' sizes, 1 without axes; 0 where that is
 * no number, or more than 64 bits hold. */
int64_t echo_sdy_mesh_size(const EchoAttr *mesh);

/* The mesh that the text of a sharding names first, `@mesh` without its @ or `mesh<["x"=2]>` as it
 * stands, and where the text goes on behind it; NULL: it names none, *mesh is as it was. The text
 * ends in a NUL. O(characters) */
const char *echo_sdy_find_mesh(const char *text, EchoStr *mesh);

/* Devices of the largest mesh that shardings of a module name, or of the most tiles that GSPMD's
 * do; where they name none, of its largest mesh; 0: there is none, or more than can be counted.
 * O(ops and attributes) */
int64_t echo_sdy_n_devices(EchoOp *module);

/* A constraint or a reshard, by a collective too: its value, and how that is to be cut. NULL or
 * false: another op. */
const EchoAttr *echo_sdy_wanted_or_null(const EchoOp *op);
bool echo_sdy_wants_sharding(const EchoOp *op);
/* An op whose value is its operand, which only tells Shardy where shardings go on. */
bool echo_sdy_is_edge(const EchoOp *op);

/* Whether a module says how its values are to be cut: arguments and results of functions, ops,
 * constraints, or what each process does with its parts. `module` may be NULL. O(ops) */
bool echo_sdy_is_sharded(const EchoOp *module);

/* Whether a process does what it cannot alone, or other than the others do: by a collective, which
 * may be a call already, by its number, or with its parts. O(ops) */
bool echo_sdy_names_processes(EchoOp *module);

#ifdef __cplusplus
}
#endif

#endif
