/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* arith to LLVM. No fast-math flag is ever set, and nothing is contracted: law 2. */
#include "codegen/emit_t.h"
#include "dialects/arith/arith.h"

static const EchoType *scalar_of(const EchoType *type)
{
  return type->kind == ECHO_TYPE_VECTOR ? type->as.shaped.element : type;
}

static bool is_bf16(const EchoType *type)
{
  return scalar_of(type)->kind == ECHO_TYPE_FLOAT && scalar_of(type)->as.float_kind == ECHO_BF16;
}

/* bf16 values are bits here: arithmetic on them has to be written in f32. */
static bool refuse_bf16(EchoEmitter *emitter, const EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (is_bf16(echo_op_operand_type(op, i)))
      return echo_emit_error(emitter, op, "does not compute in bf16: extend to f32 first");
  return true;
}

/* ---- constants ---- */

static LLVMValueRef scalar_constant(const EchoEmitter *emitter, const EchoType *type,
                                    int64_t integer, uint64_t bits)
{
  LLVMTypeRef llvm = echo_emit_type_or_null(emitter, type);
  if (type->kind != ECHO_TYPE_FLOAT)
    return LLVMConstInt(llvm, (unsigned long long)integer, true);
  LLVMTypeRef as_int = LLVMIntTypeInContext(emitter->llvm, echo_type_bit_width(type));
  LLVMValueRef value = LLVMConstInt(as_int, bits, false);
  return type->as.float_kind == ECHO_BF16 ? value : LLVMConstBitCast(value, llvm);
}

static LLVMValueRef dense_constant(const EchoEmitter *emitter, const EchoAttr *elements)
{
  const EchoType *element = elements->type->as.shaped.element;
  size_t bytes = echo_type_element_bytes(element), n = (size_t)elements->type->as.shaped.dims[0];
  LLVMValueRef lanes[256];
  ECHO_CHECK(n <= 256, "a vector constant of %zu lanes", n);
  for (size_t i = 0; i < n; ++i) {
    const char *data = elements->as.elements.data;
    uint64_t bits = 0;
    memcpy(&bits, data + (elements->as.elements.is_splat ? 0 : i * bytes), bytes);
    int64_t integer = element->kind == ECHO_TYPE_FLOAT ? 0 : echo_elements_i64(elements, i);
    lanes[i] = scalar_constant(emitter, element, integer, bits);
  }
  return LLVMConstVector(lanes, (unsigned)n);
}

static bool emit_constant(EchoEmitter *emitter, const EchoOp *op)
{
  const EchoAttr *value = echo_op_attr_or_null(op, "value");
  const EchoType *type = echo_op_result_type(op, 0);
  if (echo_emit_type_or_null(emitter, type) == NULL)
    return echo_emit_error(emitter, op, "has a type that LLVM code is not generated for");
  switch (value->kind) {
  case ECHO_ATTR_INTEGER:
    return echo_emit_result(emitter, op,
                            scalar_constant(emitter, type, value->as.integer.value, 0));
  case ECHO_ATTR_FLOAT:
    return echo_emit_result(emitter, op,
                            scalar_constant(emitter, type, 0, value->as.floating.bits));
  case ECHO_ATTR_DENSE_ELEMENTS:
    return echo_emit_result(emitter, op, dense_constant(emitter, value));
  default:
    return echo_emit_error(emitter, op, "has a constant that LLVM code is not generated for");
  }
}

/* ---- two operands ---- */

#define BINARY(name, opcode)                                                                       \
  static bool emit_##name(EchoEmitter *emitter, const EchoOp *op)                                  \
  {                                                                                                \
    LLVMValueRef lhs = echo_emit_operand(emitter, op, 0);                                          \
    LLVMValueRef rhs = echo_emit_operand(emitter, op, 1);                                          \
    return refuse_bf16(emitter, op) &&                                                             \
           echo_emit_result(emitter, op, LLVMBuildBinOp(emitter->builder, opcode, lhs, rhs, ""));  \
  }
BINARY(addi, LLVMAdd)
BINARY(subi, LLVMSub)
BINARY(muli, LLVMMul)
BINARY(shli, LLVMShl)
BINARY(shrui, LLVMLShr)
BINARY(shrsi, LLVMAShr)
BINARY(andi, LLVMAnd)
BINARY(ori, LLVMOr)
BINARY(xori, LLVMXor)
BINARY(divsi, LLVMSDiv)
BINARY(divui, LLVMUDiv)
BINARY(remsi, LLVMSRem)
BINARY(remui, LLVMURem)
BINARY(addf, LLVMFAdd)
BINARY(subf, LLVMFSub)
BINARY(mulf, LLVMFMul)
BINARY(divf, LLVMFDiv)
BINARY(remf, LLVMFRem)
#undef BINARY

#define INTRINSIC2(name, intrinsic)                                                                \
  static bool emit_##name(EchoEmitter *emitter, const EchoOp *op)                                  \
  {                                                                                                \
    LLVMValueRef arguments[] = {echo_emit_operand(emitter, op, 0),                                 \
                                echo_emit_operand(emitter, op, 1)};                                \
    return refuse_bf16(emitter, op) &&                                                             \
           echo_emit_result(                                                                       \
               emitter, op,                                                                        \
               echo_emit_intrinsic(emitter, intrinsic, LLVMTypeOf(arguments[0]), arguments, 2));   \
  }
INTRINSIC2(maxsi, "llvm.smax")
INTRINSIC2(maxui, "llvm.umax")
INTRINSIC2(minsi, "llvm.smin")
INTRINSIC2(minui, "llvm.umin")
INTRINSIC2(maxnumf, "llvm.maxnum")
INTRINSIC2(minnumf, "llvm.minnum")
#undef INTRINSIC2

/* NaN when either is; the zeros are ordered. */
static bool emit_extremum(EchoEmitter *emitter, const EchoOp *op, const char *intrinsic)
{
  LLVMValueRef arguments[] = {echo_emit_operand(emitter, op, 0), echo_emit_operand(emitter, op, 1)};
  return refuse_bf16(emitter, op) &&
         echo_emit_result(
             emitter, op,
             echo_emit_intrinsic(emitter, intrinsic, LLVMTypeOf(arguments[0]), arguments, 2));
}

static bool emit_maximumf(EchoEmitter *emitter, const EchoOp *op)
{
  return emit_extremum(emitter, op, "llvm.maximum");
}

static bool emit_minimumf(EchoEmitter *emitter, const EchoOp *op)
{
  return emit_extremum(emitter, op, "llvm.minimum");
}

static bool emit_negf(EchoEmitter *emitter, const EchoOp *op)
{
  LLVMValueRef operand = echo_emit_operand(emitter, op, 0);
  return refuse_bf16(emitter, op) &&
         echo_emit_result(emitter, op, LLVMBuildFNeg(emitter->builder, operand, ""));
}

/* ---- extended integer arithmetic: in twice the width ---- */

static bool emit_mul_extended(EchoEmitter *emitter, const EchoOp *op, bool is_signed)
{
  LLVMBuilderRef builder = emitter->builder;
  uint32_t width = echo_type_bit_width(scalar_of(echo_op_operand_type(op, 0)));
  LLVMValueRef lhs = echo_emit_operand(emitter, op, 0), rhs = echo_emit_operand(emitter, op, 1);
  LLVMTypeRef narrow = LLVMTypeOf(lhs);
  if (LLVMGetTypeKind(narrow) != LLVMIntegerTypeKind)
    return echo_emit_error(emitter, op, "is translated for scalars only");
  LLVMTypeRef wide = LLVMIntTypeInContext(emitter->llvm, 2 * width);
  LLVMOpcode extend = is_signed ? LLVMSExt : LLVMZExt;
  LLVMValueRef product = LLVMBuildMul(builder, LLVMBuildCast(builder, extend, lhs, wide, ""),
                                      LLVMBuildCast(builder, extend, rhs, wide, ""), "");
  LLVMValueRef high = LLVMBuildLShr(builder, product, LLVMConstInt(wide, width, false), "");
  echo_emit_set(emitter, echo_op_result(op, 0), LLVMBuildTrunc(builder, product, narrow, ""));
  echo_emit_set(emitter, echo_op_result(op, 1), LLVMBuildTrunc(builder, high, narrow, ""));
  return true;
}

static bool emit_mului_extended(EchoEmitter *emitter, const EchoOp *op)
{
  return emit_mul_extended(emitter, op, false);
}

static bool emit_mulsi_extended(EchoEmitter *emitter, const EchoOp *op)
{
  return emit_mul_extended(emitter, op, true);
}

static bool emit_addui_extended(EchoEmitter *emitter, const EchoOp *op)
{
  LLVMValueRef lhs = echo_emit_operand(emitter, op, 0);
  LLVMValueRef sum = LLVMBuildAdd(emitter->builder, lhs, echo_emit_operand(emitter, op, 1), "");
  echo_emit_set(emitter, echo_op_result(op, 0), sum);
  echo_emit_set(emitter, echo_op_result(op, 1),
                LLVMBuildICmp(emitter->builder, LLVMIntULT, sum, lhs, ""));
  return true;
}

/* ---- comparison, selection ---- */

static bool emit_cmpi(EchoEmitter *emitter, const EchoOp *op)
{
  static const LLVMIntPredicate PREDICATES[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntSLT, LLVMIntSLE,
                                                LLVMIntSGT, LLVMIntSGE, LLVMIntULT, LLVMIntULE,
                                                LLVMIntUGT, LLVMIntUGE};
  int64_t predicate = echo_op_attr_i64(op, "predicate", 0);
  return echo_emit_result(emitter, op,
                          LLVMBuildICmp(emitter->builder, PREDICATES[predicate],
                                        echo_emit_operand(emitter, op, 0),
                                        echo_emit_operand(emitter, op, 1), ""));
}

static bool emit_cmpf(EchoEmitter *emitter, const EchoOp *op)
{
  static const LLVMRealPredicate PREDICATES[] = {LLVMRealPredicateFalse,
                                                 LLVMRealOEQ,
                                                 LLVMRealOGT,
                                                 LLVMRealOGE,
                                                 LLVMRealOLT,
                                                 LLVMRealOLE,
                                                 LLVMRealONE,
                                                 LLVMRealORD,
                                                 LLVMRealUEQ,
                                                 LLVMRealUGT,
                                                 LLVMRealUGE,
                                                 LLVMRealULT,
                                                 LLVMRealULE,
                                                 LLVMRealUNE,
                                                 LLVMRealUNO,
                                                 LLVMRealPredicateTrue};
  int64_t predicate = echo_op_attr_i64(op, "predicate", 0);
  LLVMValueRef lhs = echo_emit_operand(emitter, op, 0), rhs = echo_emit_operand(emitter, op, 1);
  return refuse_bf16(emitter, op) &&
         echo_emit_result(emitter, op,
                          LLVMBuildFCmp(emitter->builder, PREDICATES[predicate], lhs, rhs, ""));
}

static bool emit_select(EchoEmitter *emitter, const EchoOp *op)
{
  return echo_emit_result(emitter, op,
                          LLVMBuildSelect(emitter->builder, echo_emit_operand(emitter, op, 0),
                                          echo_emit_operand(emitter, op, 1),
                                          echo_emit_operand(emitter, op, 2), ""));
}

/* ---- casts ---- */

static bool emit_cast(EchoEmitter *emitter, const EchoOp *op, LLVMOpcode opcode)
{
  LLVMTypeRef type = echo_emit_type_or_null(emitter, echo_op_result_type(op, 0));
  if (type == NULL)
    return echo_emit_error(emitter, op, "has a type that LLVM code is not generated for");
  if (!refuse_bf16(emitter, op))
    return false;
  if (is_bf16(echo_op_result_type(op, 0)))
    return echo_emit_error(emitter, op, "does not compute in bf16: go through f32");
  return echo_emit_result(
      emitter, op,
      LLVMBuildCast(emitter->builder, opcode, echo_emit_operand(emitter, op, 0), type, ""));
}

#define CAST(name, opcode)                                                                         \
  static bool emit_##name(EchoEmitter *emitter, const EchoOp *op)                                  \
  {                                                                                                \
    return emit_cast(emitter, op, opcode);                                                         \
  }
CAST(extsi, LLVMSExt)
CAST(extui, LLVMZExt)
CAST(trunci, LLVMTrunc)
CAST(sitofp, LLVMSIToFP)
CAST(uitofp, LLVMUIToFP)
CAST(fptosi, LLVMFPToSI)
CAST(fptoui, LLVMFPToUI)
#undef CAST

static bool refuse_memref(EchoEmitter *emitter, const EchoOp *op)
{
  return echo_op_operand_type(op, 0)->kind != ECHO_TYPE_MEMREF ||
         echo_emit_error(emitter, op, "is not translated for memrefs");
}

static bool emit_index_cast_as(EchoEmitter *emitter, const EchoOp *op, bool is_signed)
{
  if (!refuse_memref(emitter, op))
    return false;
  LLVMTypeRef type = echo_emit_type_or_null(emitter, echo_op_result_type(op, 0));
  LLVMValueRef value = echo_emit_operand(emitter, op, 0);
  return echo_emit_result(emitter, op,
                          LLVMBuildIntCast2(emitter->builder, value, type, is_signed, ""));
}

static bool emit_index_cast(EchoEmitter *emitter, const EchoOp *op)
{
  return emit_index_cast_as(emitter, op, true);
}

static bool emit_index_castui(EchoEmitter *emitter, const EchoOp *op)
{
  return emit_index_cast_as(emitter, op, false);
}

static bool emit_bitcast(EchoEmitter *emitter, const EchoOp *op)
{
  if (!refuse_memref(emitter, op))
    return false;
  LLVMTypeRef type = echo_emit_type_or_null(emitter, echo_op_result_type(op, 0));
  return echo_emit_result(
      emitter, op, LLVMBuildBitCast(emitter->builder, echo_emit_operand(emitter, op, 0), type, ""));
}

static LLVMTypeRef like(const EchoType *type, LLVMTypeRef scalar)
{
  return type->kind == ECHO_TYPE_VECTOR ? LLVMVectorType(scalar, (unsigned)type->as.shaped.dims[0])
                                        : scalar;
}

static LLVMValueRef splat(LLVMTypeRef type, uint64_t value)
{
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return LLVMConstInt(type, value, false);
  LLVMValueRef lanes[256];
  unsigned n = LLVMGetVectorSize(type);
  ECHO_CHECK(n <= 256, "a vector of %u lanes", n);
  for (unsigned i = 0; i < n; ++i)
    lanes[i] = LLVMConstInt(LLVMGetElementType(type), value, false);
  return LLVMConstVector(lanes, n);
}

/* bf16 bits are the upper half of an f32's. */
static bool emit_extf(EchoEmitter *emitter, const EchoOp *op)
{
  LLVMBuilderRef builder = emitter->builder;
  const EchoType *from = echo_op_operand_type(op, 0), *to = echo_op_result_type(op, 0);
  LLVMTypeRef type = echo_emit_type_or_null(emitter, to);
  LLVMValueRef value = echo_emit_operand(emitter, op, 0);
  if (type == NULL)
    return echo_emit_error(emitter, op, "has a type that LLVM code is not generated for");
  if (!is_bf16(from))
    return echo_emit_result(emitter, op, LLVMBuildFPExt(builder, value, type, ""));
  LLVMTypeRef i32 = like(from, LLVMInt32TypeInContext(emitter->llvm));
  LLVMTypeRef f32 = like(from, LLVMFloatTypeInContext(emitter->llvm));
  LLVMValueRef bits =
      LLVMBuildShl(builder, LLVMBuildZExt(builder, value, i32, ""), splat(i32, 16), "");
  LLVMValueRef wide = LLVMBuildBitCast(builder, bits, f32, "");
  if (scalar_of(to)->as.float_kind != ECHO_F32)
    wide = LLVMBuildFPExt(builder, wide, type, "");
  return echo_emit_result(emitter, op, wide);
}

/* f32 to bf16 in integers: half of the last kept place, plus its own bit for ties to even; NaN
 * keeps its sign and becomes quiet. */
static LLVMValueRef f32_to_bf16(EchoEmitter *emitter, const EchoType *from, LLVMValueRef value)
{
  LLVMBuilderRef builder = emitter->builder;
  LLVMTypeRef i32 = like(from, LLVMInt32TypeInContext(emitter->llvm));
  LLVMTypeRef i16 = like(from, LLVMInt16TypeInContext(emitter->llvm));
  LLVMValueRef bits = LLVMBuildBitCast(builder, value, i32, "");
  LLVMValueRef odd =
      LLVMBuildAnd(builder, LLVMBuildLShr(builder, bits, splat(i32, 16), ""), splat(i32, 1), "");
  LLVMValueRef bias = LLVMBuildAdd(builder, odd, splat(i32, 0x7fff), "");
  LLVMValueRef rounded = LLVMBuildAdd(builder, bits, bias, "");
  LLVMValueRef quiet = LLVMBuildOr(builder, bits, splat(i32, 0x400000), "");
  LLVMValueRef is_nan = LLVMBuildFCmp(builder, LLVMRealUNO, value, value, "");
  LLVMValueRef chosen = LLVMBuildSelect(builder, is_nan, quiet, rounded, "");
  return LLVMBuildTrunc(builder, LLVMBuildLShr(builder, chosen, splat(i32, 16), ""), i16, "");
}

static bool emit_truncf(EchoEmitter *emitter, const EchoOp *op)
{
  const EchoType *from = echo_op_operand_type(op, 0), *to = echo_op_result_type(op, 0);
  LLVMValueRef value = echo_emit_operand(emitter, op, 0);
  bool from_f64 = scalar_of(from)->as.float_kind == ECHO_F64;
  if (is_bf16(to) && from_f64)
    return echo_emit_error(emitter, op, "does not round f64 to bf16: go through f32");
  if (is_bf16(to))
    return echo_emit_result(emitter, op, f32_to_bf16(emitter, from, value));
  if (!emitter->is_device && from_f64 && scalar_of(to)->as.float_kind == ECHO_F16)
    return echo_emit_error(emitter, op, "does not round f64 to f16: go through f32");
  LLVMTypeRef type = echo_emit_type_or_null(emitter, to);
  if (type == NULL)
    return echo_emit_error(emitter, op, "has a type that LLVM code is not generated for");
  return echo_emit_result(emitter, op, LLVMBuildFPTrunc(emitter->builder, value, type, ""));
}

const EchoEmitRow ECHO_EMIT_ARITH[] = {{"arith.constant", emit_constant},
                                       {"arith.addi", emit_addi},
                                       {"arith.subi", emit_subi},
                                       {"arith.muli", emit_muli},
                                       {"arith.shli", emit_shli},
                                       {"arith.shrui", emit_shrui},
                                       {"arith.shrsi", emit_shrsi},
                                       {"arith.andi", emit_andi},
                                       {"arith.ori", emit_ori},
                                       {"arith.xori", emit_xori},
                                       {"arith.divsi", emit_divsi},
                                       {"arith.divui", emit_divui},
                                       {"arith.remsi", emit_remsi},
                                       {"arith.remui", emit_remui},
                                       {"arith.maxsi", emit_maxsi},
                                       {"arith.maxui", emit_maxui},
                                       {"arith.minsi", emit_minsi},
                                       {"arith.minui", emit_minui},
                                       {"arith.mului_extended", emit_mului_extended},
                                       {"arith.mulsi_extended", emit_mulsi_extended},
                                       {"arith.addui_extended", emit_addui_extended},
                                       {"arith.addf", emit_addf},
                                       {"arith.subf", emit_subf},
                                       {"arith.mulf", emit_mulf},
                                       {"arith.divf", emit_divf},
                                       {"arith.remf", emit_remf},
                                       {"arith.maximumf", emit_maximumf},
                                       {"arith.minimumf", emit_minimumf},
                                       {"arith.maxnumf", emit_maxnumf},
                                       {"arith.minnumf", emit_minnumf},
                                       {"arith.negf", emit_negf},
                                       {"arith.cmpi", emit_cmpi},
                                       {"arith.cmpf", emit_cmpf},
                                       {"arith.select", emit_select},
                                       {"arith.extsi", emit_extsi},
                                       {"arith.extui", emit_extui},
                                       {"arith.trunci", emit_trunci},
                                       {"arith.index_cast", emit_index_cast},
                                       {"arith.index_castui", emit_index_castui},
                                       {"arith.bitcast", emit_bitcast},
                                       {"arith.sitofp", emit_sitofp},
                                       {"arith.uitofp", emit_uitofp},
                                       {"arith.fptosi", emit_fptosi},
                                       {"arith.fptoui", emit_fptoui},
                                       {"arith.extf", emit_extf},
                                       {"arith.truncf", emit_truncf},
                                       {NULL, NULL}};
