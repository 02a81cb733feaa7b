/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The order of a reduction: a function of the op and the target alone (docs/stages.md), asked for
 * by every kernel that holds one. */
#include "dialects/stablehlo/opcode.h"
#include "lowering/kernels/lower_kernel_t.h"

enum {
  MIN_COLUMNS = 4,
  GPU_THREAD_ELEMENTS = 16, /* so few are one thread's: a warp would mostly idle */
  GPU_COLUMN_LANES = 8,     /* with 32 columns each, a block of eight warps */
  GPU_WARP = 32,
  GPU_MAX_LANES = 256,   /* a block */
  EXTREMUM_GROUPS = 4,   /* vectors of a processor's partial maxima, */
  EXTREMUM_ELEMENTS = 4, /* each of which takes so many elements at least */
  GPU_LANE_ELEMENTS = 4  /* at least, of a row: a tree costs about as much as so many */
};

bool echo_reduction_matrix(const EchoOp *op, EchoReductionMatrix *matrix)
{
  EchoDimList dims = echo_stablehlo_dims(op, "dimensions");
  const EchoType *type = echo_op_operand_type(op, 0);
  int64_t *const products[] = {&matrix->n_matrices, &matrix->n_rows, &matrix->n_columns};
  size_t group = 0;
  matrix->n_matrices = matrix->n_rows = matrix->n_columns = 1;
  if (op->n_operands != 2)
    return false;
  for (uint32_t i = 0; i < type->as.shaped.rank; ++i) {
    bool is_reduced = echo_dim_list_has(dims, (int64_t)i);
    if (echo_type_dim(type, i) == 1)
      continue; /* belongs anywhere */
    while (group < 3 && is_reduced != (group == 1))
      ++group;
    if (group == 3)
      return false;
    *products[group] *= echo_type_dim(type, i);
  }
  return true;
}

bool echo_reduces_columns(const EchoReductionMatrix *matrix)
{
  return matrix->n_columns >= MIN_COLUMNS;
}

static int64_t n_reduced(const EchoOp *op)
{
  EchoDimList dims = echo_stablehlo_dims(op, "dimensions");
  int64_t n = 1;
  for (size_t i = 0; i < dims.size; ++i)
    n *= echo_type_dim(echo_op_operand_type(op, 0), (size_t)dims.dims[i]);
  return n;
}

static EchoReductionOrder gpu_order(const EchoOp *op)
{
  EchoReductionMatrix matrix;
  int64_t n = n_reduced(op), lanes = GPU_WARP;
  if (n <= GPU_THREAD_ELEMENTS)
    return (EchoReductionOrder){.lanes = 1, .group = 1};
  if (echo_reduction_matrix(op, &matrix) && echo_reduces_columns(&matrix))
    return (EchoReductionOrder){.lanes = GPU_COLUMN_LANES, .group = GPU_COLUMN_LANES};
  while (lanes < GPU_MAX_LANES && 2 * lanes * GPU_LANE_ELEMENTS <= n)
    lanes *= 2;
  return (EchoReductionOrder){.lanes = lanes, .group = GPU_WARP};
}

/* A maximum with its zeros and NaNs is five operations that wait one for another, of a vector; of
 * several vectors they do not. Columns are side by side as it is. */
static bool is_row_extremum(const EchoOp *op)
{
  EchoHloOpcode opcode = echo_hlo_combiner(&op->regions[0]);
  EchoReductionMatrix matrix;
  return (opcode == ECHO_HLO_MAXIMUM || opcode == ECHO_HLO_MINIMUM) &&
         !(echo_reduction_matrix(op, &matrix) && echo_reduces_columns(&matrix));
}

EchoReductionOrder echo_reduction_order(const EchoOp *op, EchoElementKind kind, bool is_gpu)
{
  if (is_gpu)
    return gpu_order(op);
  bool is_wide = kind == ECHO_ELEMENT_F64 || kind == ECHO_ELEMENT_I64 || kind == ECHO_ELEMENT_UI64;
  int64_t group = is_wide ? 8 : 16, lanes = group;
  while (is_row_extremum(op) && lanes < EXTREMUM_GROUPS * group &&
         2 * lanes * EXTREMUM_ELEMENTS <= n_reduced(op))
    lanes *= 2;
  return (EchoReductionOrder){.lanes = lanes, .group = group};
}

EchoCombiner echo_combiner_of(const EchoOp *reduce)
{
  EchoCombiner none = {.opcode = ECHO_N_HLO_OPCODES};
  EchoHloOpcode opcode = echo_hlo_combiner(&reduce->regions[0]);
  if (opcode == ECHO_N_HLO_OPCODES)
    return none;
  const EchoValue *element = echo_block_arg(reduce->regions[0].first, 0);
  EchoCombiner combiner = {.opcode = opcode, .kind = echo_type_element_kind(element->type)};
  combiner.neutral = echo_scalar_neutral_or_null(echo_op_context(reduce), opcode, combiner.kind);
  return combiner.neutral != NULL ? combiner : none;
}

bool echo_needs_block(const EchoKernelEmitter *emitter, const EchoOp *op)
{
  if (!emitter->is_gpu)
    return true;
  if (echo_hlo_opcode(op) != ECHO_HLO_REDUCE)
    return false;
  EchoCombiner combiner = echo_combiner_of(op);
  return combiner.opcode != ECHO_N_HLO_OPCODES &&
         echo_reduction_order(op, combiner.kind, true).lanes > 1;
}
