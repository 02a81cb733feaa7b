/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether two dimensions can be gone through as one: by a single number, without taking it apart
 * for each element. */
#include "dialects/stablehlo/opcode.h"
#include "lowering/kernels/lower_kernel_t.h"

/* Two dimensions of a value. */
typedef struct TwoDims {
  const EchoValue *value;
  uint32_t dims[2];
} TwoDims;

/* What a broadcast makes of the two: *inner are its operand's. Returns false where the operand has
 * one of them alone; *inner has no value where it has none. */
static bool trace_broadcast(const EchoOp *op, const TwoDims *outer, TwoDims *inner)
{
  const EchoType *type = echo_op_operand_type(op, 0);
  EchoDimList to = echo_stablehlo_dims(op, "broadcast_dimensions");
  size_t n = 0;
  for (uint32_t i = 0; i < type->as.shaped.rank; ++i)
    for (size_t k = 0; k < 2; ++k)
      if (to.dims[i] == (int64_t)outer->dims[k] && echo_type_dim(type, i) != 1) {
        inner->dims[k] = i;
        ++n;
      }
  inner->value = n == 2 ? echo_op_operand(op, 0) : NULL;
  return n != 1;
}

/* Whether an op's elements are neighbours along both where those of its operands are: of a slice,
 * the inner dimension is whole, and the outer one without gaps. */
static bool keeps_neighbours(const EchoOp *op, const uint32_t dims[2])
{
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_RESHAPE: /* goes through one number */
    return true;
  case ECHO_HLO_SLICE:
    return echo_type_dim(echo_op_operand_type(op, 0), dims[1]) ==
               echo_type_dim(echo_op_result_type(op, 0), dims[1]) &&
           echo_stablehlo_dims(op, "strides").dims[dims[0]] == 1;
  case ECHO_HLO_CONCATENATE: {
    int64_t along = echo_op_attr_i64(op, "dimension", 0);
    return along != (int64_t)dims[0] && along != (int64_t)dims[1];
  }
  case ECHO_HLO_IOTA: {
    int64_t along = echo_op_attr_i64(op, "iota_dimension", 0);
    return along != (int64_t)dims[0] && along != (int64_t)dims[1];
  }
  default:
    return (op->info->traits & ECHO_ELEMENTWISE) != 0 || op->n_operands == 0;
  }
}

bool echo_are_neighbours(EchoKernelEmitter *emitter, const EchoValue *value, uint32_t outer,
                         uint32_t inner_dim)
{
  EchoMap seen = {0};
  ECHO_VECTOR(TwoDims) stack = {0};
  bool are_neighbours = true;
  echo_vector_push(&stack, ((TwoDims){value, {outer, inner_dim}}));
  while (stack.size != 0 && are_neighbours) {
    TwoDims top = echo_vector_pop(&stack), inner = top;
    const EchoOp *def = echo_value_def_or_null(top.value);
    if (def == NULL || echo_kernel_has_loops(emitter, def) ||
        echo_map_has(&emitter->bindings, echo_key(top.value)) ||
        !echo_map_insert(&seen, echo_key(top.value), 0))
      continue;
    if (echo_hlo_opcode(def) == ECHO_HLO_BROADCAST_IN_DIM) {
      are_neighbours = trace_broadcast(def, &top, &inner);
      if (inner.value != NULL)
        echo_vector_push(&stack, inner);
      continue;
    }
    are_neighbours = keeps_neighbours(def, top.dims);
    for (uint32_t i = 0; i < def->n_operands && echo_hlo_opcode(def) != ECHO_HLO_RESHAPE; ++i) {
      inner.value = echo_op_operand(def, i);
      if (inner.value->type->as.shaped.rank == top.value->type->as.shaped.rank)
        echo_vector_push(&stack, inner);
    }
  }
  echo_vector_destroy(&stack);
  echo_map_destroy(&seen);
  return are_neighbours;
}
