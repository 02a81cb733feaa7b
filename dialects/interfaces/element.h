/* Lowering one element of an op, the op table's side. The kernel lowering walks a fused region backwards from an element of a
 * root: a hook (EchoEmitElementFn) is given the result's indices and emits, through `builder`, the scalar ops (arith, math) that
 * compute it, asking for operand elements at indices it derives. Elements asked for twice at the same indices are emitted
 * once. Data movement (transpose, broadcast, slice, pad, …) is thus only index arithmetic. */
#ifndef ECHO_DIALECTS_INTERFACES_ELEMENT_H
#define ECHO_DIALECTS_INTERFACES_ELEMENT_H

#include "ir/builder.h"

struct EchoElementEmitter {
  EchoBuilder *builder;
  void *state; /* private to the driver */
  EchoValue *(*element)(EchoElementEmitter *emitter, EchoValue *tensor, EchoValue *const *indices);
};

/* The scalar `tensor[indices]`; indices are `rank` values of type index. i1 elements are i1 scalars; unsigned integers are
 * signless scalars of the same width. */
static inline EchoValue *echo_emit_element(EchoElementEmitter *emitter, EchoValue *tensor,
                                           EchoValue *const *indices)
{
  return emitter->element(emitter, tensor, indices);
}

#endif
