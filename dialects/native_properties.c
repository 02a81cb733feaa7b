/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How MLIR 19 lays out in bytecode the properties of ops of its dialects that have no row here, so
 * that its files are read and what is written is read by it: in the order of their names, as
 * mlir-tblgen writes readProperties for them. `?` behind what may lack, `/` and the number of
 * groups behind numbers of operands or results. */
#include "dialects/native_properties_t.h"

typedef struct Layout {
  const char *op, *names;
} Layout;

static const Layout FUNC[] = {
    {"constant", "value"},
    {NULL, NULL},
};
static const Layout GPU[] = {
    {"all_reduce", "op? uniform?"},
    {"alloc", "hostShared? operandSegmentSizes/3"},
    {"binary", "objects offloadingHandler? sym_name"},
    {"cluster_block_id", "dimension upper_bound?"},
    {"cluster_dim", "dimension upper_bound?"},
    {"cluster_dim_blocks", "dimension upper_bound?"},
    {"cluster_id", "dimension upper_bound?"},
    {"create_2to4_spmat", "pruneFlag?"},
    {"create_dn_tensor", "operandSegmentSizes/3"},
    {"global_id", "dimension upper_bound?"},
    {"launch", "operandSegmentSizes/11"},
    {"launch_func", "kernel operandSegmentSizes/13"},
    {"num_subgroups", "upper_bound?"},
    {"printf", "format"},
    {"sddmm", "computeType modeA? modeB?"},
    {"sddmm_buffer_size", "computeType modeA? modeB?"},
    {"spgemm_copy", "computeType modeA? modeB?"},
    {"spgemm_work_estimation_or_compute", "computeType kind modeA? modeB?"},
    {"spmm", "computeType modeA? modeB? operandSegmentSizes/5"},
    {"spmm_buffer_size", "computeType modeA? modeB? resultSegmentSizes/2"},
    {"spmv", "computeType modeA?"},
    {"spmv_buffer_size", "computeType modeA?"},
    {"subgroup_id", "upper_bound?"},
    {"subgroup_mma_compute", "a_transpose? b_transpose?"},
    {"subgroup_mma_elementwise", "opType"},
    {"subgroup_mma_load_matrix", "leadDimension transpose?"},
    {"subgroup_mma_store_matrix", "leadDimension transpose?"},
    {"subgroup_reduce", "op uniform?"},
    {"subgroup_size", "upper_bound?"},
    {NULL, NULL},
};
static const Layout MATH[] = {
    {"acos", "fastmath?"},  {"acosh", "fastmath?"}, {"asin", "fastmath?"},
    {"asinh", "fastmath?"}, {"atanh", "fastmath?"}, {"cosh", "fastmath?"},
    {"fpowi", "fastmath?"}, {"sinh", "fastmath?"},  {NULL, NULL},
};
static const Layout MEMREF[] = {
    {"alloc", "alignment? operandSegmentSizes/2"},
    {"assume_alignment", "alignment"},
    {"atomic_rmw", "kind"},
    {"prefetch", "isDataCache isWrite localityHint"},
    {"realloc", "alignment?"},
    {"reinterpret_cast", "operandSegmentSizes/4 static_offsets static_sizes static_strides"},
    {"subview", "operandSegmentSizes/4 static_offsets static_sizes static_strides"},
    {"transpose", "permutation"},
    {NULL, NULL},
};
static const Layout NVGPU[] = {
    {"mma.sp.sync", "mmaShape sparsitySelector? tf32Enabled?"},
    {"tma.async.load", "operandSegmentSizes/7"},
    {"tma.async.store", "operandSegmentSizes/4"},
    {"warpgroup.mma", "transposeA? transposeB? waitGroup?"},
    {NULL, NULL},
};
static const Layout SCF[] = {
    {"forall", "mapping? operandSegmentSizes/4 staticLowerBound staticStep staticUpperBound"},
    {"index_switch", "cases"},
    {NULL, NULL},
};
static const Layout TENSOR[] = {
    {"collapse_shape", "reassociation"},
    {"concat", "dim"},
    {"expand_shape", "reassociation static_output_shape"},
    {"extract_slice", "operandSegmentSizes/4 static_offsets static_sizes static_strides"},
    {"gather", "gather_dims unique?"},
    {"insert_slice", "operandSegmentSizes/5 static_offsets static_sizes static_strides"},
    {"pack", "inner_dims_pos operandSegmentSizes/4 outer_dims_perm? static_inner_tiles"},
    {"pad", "nofold? operandSegmentSizes/3 static_high static_low"},
    {"parallel_insert_slice", "operandSegmentSizes/5 static_offsets static_sizes static_strides"},
    {"scatter", "scatter_dims unique?"},
    {"unpack", "inner_dims_pos outer_dims_perm? static_inner_tiles"},
    {NULL, NULL},
};
static const Layout VECTOR[] = {
    {"constant_mask", "mask_dim_sizes"},
    {"contract", "indexing_maps iterator_types kind?"},
    {"flat_transpose", "columns rows"},
    {"insert_strided_slice", "offsets strides"},
    {"matrix_multiply", "lhs_columns lhs_rows rhs_columns"},
    {"multi_reduction", "kind reduction_dims"},
    {"outerproduct", "kind?"},
    {"print", "punctuation? stringLiteral?"},
    {"reduction", "fastmath? kind"},
    {"reshape", "fixed_vector_sizes operandSegmentSizes/3"},
    {"scalable.extract", "pos"},
    {"scalable.insert", "pos"},
    {"scan", "inclusive kind reduction_dim"},
    {"transfer_read", "in_bounds operandSegmentSizes/4 permutation_map"},
    {"transfer_write", "in_bounds operandSegmentSizes/4 permutation_map"},
    {"transpose", "permutation"},
    {"warp_execute_on_lane_0", "warp_size"},
    {NULL, NULL},
};

static const char *find_or_null(const Layout *layouts, EchoStr op)
{
  for (; layouts->op != NULL; layouts++)
    if (echo_str_is(op, layouts->op))
      return layouts->names;
  return NULL;
}

#define LAYOUTS_OF(LAYOUTS, dialect)                                                               \
  static const char *dialect##_names_or_null(EchoStr op)                                           \
  {                                                                                                \
    return find_or_null(LAYOUTS, op);                                                              \
  }                                                                                                \
  static const EchoBytecodeDialect LAYOUTS##_BYTECODE = {.property_names_or_null =                 \
                                                             dialect##_names_or_null};
LAYOUTS_OF(FUNC, func)
LAYOUTS_OF(GPU, gpu)
LAYOUTS_OF(MATH, math)
LAYOUTS_OF(MEMREF, memref)
LAYOUTS_OF(NVGPU, nvgpu)
LAYOUTS_OF(SCF, scf)
LAYOUTS_OF(TENSOR, tensor)
LAYOUTS_OF(VECTOR, vector)

void echo_register_native_properties(EchoContext *ctx)
{
  echo_context_register_row(ctx, ECHO_BYTECODE_ROW, "func", &FUNC_BYTECODE);
  echo_context_register_row(ctx, ECHO_BYTECODE_ROW, "gpu", &GPU_BYTECODE);
  echo_context_register_row(ctx, ECHO_BYTECODE_ROW, "math", &MATH_BYTECODE);
  echo_context_register_row(ctx, ECHO_BYTECODE_ROW, "memref", &MEMREF_BYTECODE);
  echo_context_register_row(ctx, ECHO_BYTECODE_ROW, "nvgpu", &NVGPU_BYTECODE);
  echo_context_register_row(ctx, ECHO_BYTECODE_ROW, "scf", &SCF_BYTECODE);
  echo_context_register_row(ctx, ECHO_BYTECODE_ROW, "tensor", &TENSOR_BYTECODE);
  echo_context_register_row(ctx, ECHO_BYTECODE_ROW, "vector", &VECTOR_BYTECODE);
}
