/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is known of an access's address in a GPU's kernel, from the index arithmetic as it stands in
 * the IR and what the plan says of arguments: neighbours that are known to be aligned become one
 * access. LLVM's own analysis stops some operations up. */
#include "codegen/emit_t.h"
#include "dialects/arith/arith.h"

enum {
  MAX_VISITS = 64, /* of one index: sums of sums are looked at twice */
  MAX_ALIGNMENT = 16,
  MAX_MULTIPLE = 1 << 20
};

static int64_t smaller(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* The largest power of two that divides it; of 0, the most that is told. */
static int64_t power_in(int64_t value)
{
  int64_t power = value & (~value + 1);
  return value == 0 || power > MAX_MULTIPLE ? MAX_MULTIPLE : power;
}

static int64_t power_of(const EchoValue *value, int *visits);

static int64_t power_of_argument(const EchoValue *value, int *visits)
{
  const EchoOp *loop = echo_block_parent(echo_value_block(value));
  if (loop == NULL || !echo_op_is(loop, "scf.for") || value->index != 0)
    return 1;
  return smaller(power_of(echo_op_operand(loop, 0), visits),
                 power_of(echo_op_operand(loop, 2), visits));
}

/* The power of two that is known to divide the value. */
static int64_t power_of(const EchoValue *value, int *visits)
{
  int64_t constant = 0;
  if (echo_arith_constant_i64(value, &constant))
    return power_in(constant);
  if (--*visits < 0)
    return 1;
  const EchoOp *def = echo_value_def_or_null(value);
  if (def == NULL)
    return power_of_argument(value, visits);
  if (def->n_operands != 2)
    return 1;
  int64_t a = power_of(echo_op_operand(def, 0), visits);
  int64_t b = power_of(echo_op_operand(def, 1), visits);
  if (echo_op_is(def, "arith.muli"))
    return smaller(a * b, MAX_MULTIPLE);
  if (echo_op_is(def, "arith.andi"))
    return a > b ? a : b;
  bool keeps = echo_op_is(def, "arith.addi") || echo_op_is(def, "arith.subi") ||
               echo_op_is(def, "arith.xori") || echo_op_is(def, "arith.ori") ||
               echo_op_is(def, "arith.minsi") || echo_op_is(def, "arith.maxsi") ||
               echo_op_is(def, "arith.remui") || echo_op_is(def, "arith.remsi");
  return keeps ? smaller(a, b) : 1;
}

static int64_t alignment_of_memory(const EchoOp *op, const EchoValue *memref)
{
  const EchoOp *def = echo_value_def_or_null(memref);
  while (def != NULL &&
         (echo_op_is(def, "memref.collapse_shape") || echo_op_is(def, "memref.expand_shape"))) {
    memref = echo_op_operand(def, 0);
    def = echo_value_def_or_null(memref);
  }
  while (op != NULL && !echo_op_is(op, "gpu.func"))
    op = echo_op_parent(op);
  if (def != NULL || op == NULL || echo_value_block(memref) != echo_op_body(op, 0))
    return 1;
  uint32_t n = echo_op_attr_or_null(op, "function_type")->as.type_value->as.function.n_inputs;
  const EchoAttr *alignments = echo_op_attr_or_null(op, "kernel.alignments");
  if (memref->index >= n)
    return MAX_ALIGNMENT; /* shared memory */
  return alignments != NULL && memref->index < echo_attr_ints_size(alignments)
             ? power_in(echo_attr_ints_get(alignments, memref->index))
             : 1;
}

unsigned echo_emit_alignment(const EchoOp *op, size_t memref, size_t first)
{
  const EchoType *type = echo_op_operand_type(op, memref);
  int64_t bytes = (int64_t)echo_type_element_bytes(type->as.shaped.element), stride = 1;
  int64_t least = MAX_MULTIPLE;
  for (uint32_t i = type->as.shaped.rank; i-- > 0; stride *= echo_type_dim(type, i)) {
    int visits = MAX_VISITS;
    if (echo_type_dim(type, i) == 1)
      continue;
    int64_t power = power_of(echo_op_operand(op, first + i), &visits);
    least = smaller(least, smaller(power * power_in(stride), MAX_MULTIPLE));
  }
  int64_t alignment =
      smaller(least * power_in(bytes), alignment_of_memory(op, echo_op_operand(op, memref)));
  alignment = smaller(alignment, MAX_ALIGNMENT);
  return (unsigned)(alignment < bytes ? bytes : alignment);
}
