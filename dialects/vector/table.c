/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The vector rows: the subset that contractions and partial sums are written with. */
#include "dialects/dialects.h"

static bool check_access(const EchoOp *op, size_t memref, const EchoType *vector)
{
  const EchoType *type = echo_op_operand_type(op, memref);
  if (type->kind != ECHO_TYPE_MEMREF || op->n_operands - memref - 1 != type->as.shaped.rank)
    return echo_op_error(op, "requires as many indices as the memref has dimensions");
  const EchoType *element = type->as.shaped.element; /* a scalar, or the whole vector */
  if (element != vector && vector->as.shaped.element != element)
    return echo_op_error(op, "base and vector element types should match");
  return true;
}

static bool verify_load(const EchoOp *op)
{
  return check_access(op, 0, echo_op_result_type(op, 0));
}

static bool verify_store(const EchoOp *op)
{
  return check_access(op, 1, echo_op_operand_type(op, 0));
}

static bool verify_broadcast(const EchoOp *op)
{
  const EchoType *from = echo_op_operand_type(op, 0), *to = echo_op_result_type(op, 0);
  const EchoType *scalar = from->kind == ECHO_TYPE_VECTOR ? from->as.shaped.element : from;
  if (to->kind != ECHO_TYPE_VECTOR || to->as.shaped.element != scalar)
    return echo_op_error(op, "source and result element types should match");
  return true;
}

/* How many leading parts a vector has for a shuffle to choose from: lanes, or subvectors. */
static int64_t n_parts(const EchoType *vector)
{
  return vector->as.shaped.rank == 0 ? 1 : vector->as.shaped.dims[0];
}

/* Vectors of one element type that differ in their leading dimension alone; of two without
 * dimensions the result is a vector of lanes. */
static bool shuffle_types_fit(const EchoType *v1, const EchoType *v2, const EchoType *result)
{
  uint32_t rank = v1->as.shaped.rank;
  if (v1->as.shaped.element != v2->as.shaped.element ||
      v1->as.shaped.element != result->as.shaped.element || v2->as.shaped.rank != rank ||
      result->as.shaped.rank != (rank == 0 ? 1 : rank))
    return false;
  for (uint32_t i = 1; i < rank; ++i)
    if (v1->as.shaped.dims[i] != v2->as.shaped.dims[i] ||
        v1->as.shaped.dims[i] != result->as.shaped.dims[i])
      return false;
  return (v1->as.shaped.scalable | v2->as.shaped.scalable) == 0;
}

static bool verify_shuffle(const EchoOp *op)
{
  const EchoAttr *mask = echo_op_attr_or_null(op, "mask");
  const EchoType *v1 = echo_op_operand_type(op, 0), *v2 = echo_op_operand_type(op, 1);
  const EchoType *result = echo_op_result_type(op, 0);
  if (!shuffle_types_fit(v1, v2, result))
    return echo_op_error(op, "expects vectors that differ in their leading dimension alone");
  if (mask->as.array.size != (size_t)result->as.shaped.dims[0])
    return echo_op_error(op, "mask length mismatch");
  int64_t limit = n_parts(v1) + n_parts(v2);
  for (size_t i = 0; i < mask->as.array.size; ++i) {
    const EchoAttr *lane = mask->as.array.elements[i];
    if (lane->kind != ECHO_ATTR_INTEGER || lane->as.integer.value < 0 ||
        lane->as.integer.value >= limit)
      return echo_op_error(op, "mask index #%zu out of range", i + 1);
  }
  return true;
}

static const EchoOpInfo OPS[] = {
    {.name = "vector.load",
     .operands = "base: memref, indices: index*",
     .results = "result: vector",
     .attrs = "nontemporal: bool?",
     .traits = ECHO_READS_MEMORY,
     .verify = verify_load,
     .summary = "Neighbouring elements of the last dimension"},
    {.name = "vector.store",
     .operands = "valueToStore: vector, base: memref, indices: index*",
     .attrs = "nontemporal: bool?",
     .traits = ECHO_SIDE_EFFECTS,
     .verify = verify_store,
     .summary = "Writes neighbouring elements"},
    {.name = "vector.broadcast",
     .operands = "source: any",
     .results = "vector: vector",
     .traits = ECHO_PURE,
     .verify = verify_broadcast,
     .summary = "One value in every lane"},
    {.name = "vector.extract",
     .operands = "vector: vector, dynamic_position: index*",
     .results = "result: any",
     .attrs = "static_position: array<i64>",
     .traits = ECHO_PURE,
     .summary = "One lane or subvector"},
    {.name = "vector.insert",
     .operands = "source: any, dest: vector, dynamic_position: index*",
     .results = "res: vector",
     .attrs = "static_position: array<i64>",
     .traits = ECHO_PURE,
     .summary = "Replaces one lane or subvector"},
    {.name = "vector.extract_strided_slice",
     .operands = "vector: vector",
     .results = "result: vector",
     .attrs = "offsets: array, sizes: array, strides: array",
     .traits = ECHO_PURE,
     .summary = "Some neighbouring lanes"},
    {.name = "vector.shuffle",
     .operands = "v1: vector, v2: vector",
     .results = "vector: vector",
     .attrs = "mask: array",
     .traits = ECHO_PURE,
     .verify = verify_shuffle,
     .summary = "Chosen lanes of two vectors"},
    {.name = "vector.fma",
     .operands = "lhs: vector, rhs: vector, acc: vector",
     .results = "result: vector",
     .traits = ECHO_PURE | ECHO_SAME_TYPE,
     .summary = "lhs * rhs + acc, rounded once, lane by lane"},
};

const EchoDialect ECHO_VECTOR_DIALECT = {.name = "vector",
                                         .in_mlir = true,
                                         .summary = "Vectors in registers, as MLIR's",
                                         .ops = OPS,
                                         .n_ops = sizeof OPS / sizeof OPS[0]};
