/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* arith to LLVM. No fast-math flag is ever set, and nothing is contracted: law 2. */
#include "codegen/emit_t.h"
#include "dialects/interfaces/scalar.h"

static bool is_bf16(const EchoType *type)
{
  return echo_type_element(type)->kind == ECHO_TYPE_FLOAT &&
         echo_type_element(type)->as.float_kind == ECHO_BF16;
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
  size_t bytes = echo_type_element_bytes(element);
  size_t n = (size_t)echo_type_static_n_elements(elements->type);
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

/* Of fragments, zeros are what sums begin with. */
static bool is_fragment_constant(const EchoType *type)
{
  return type->kind == ECHO_TYPE_VECTOR && type->as.shaped.rank == 2 &&
         type->as.shaped.element->as.float_kind != ECHO_F32;
}

static bool emit_constant(EchoEmitter *emitter, const EchoOp *op)
{
  const EchoAttr *value = echo_op_attr_or_null(op, "value");
  const EchoType *type = echo_op_result_type(op, 0);
  if (echo_emit_type_or_null(emitter, type) == NULL || is_fragment_constant(type))
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
#undef BINARY

bool echo_emit_is_without_overflow(const EchoOp *op)
{
  const EchoAttr *flags = echo_op_attr_or_null(op, "overflowFlags");
  return flags != NULL && flags->kind == ECHO_ATTR_OPAQUE &&
         echo_str_equal(flags->as.opaque.text, echo_str("overflow<nsw>"));
}

static bool emit_muli(EchoEmitter *emitter, const EchoOp *op)
{
  LLVMValueRef lhs = echo_emit_operand(emitter, op, 0), rhs = echo_emit_operand(emitter, op, 1);
  LLVMValueRef product = LLVMBuildMul(emitter->builder, lhs, rhs, "");
  if (LLVMIsAInstruction(product) != NULL && echo_emit_is_without_overflow(op))
    LLVMSetNSW(product, true);
  return echo_emit_result(emitter, op, product);
}

LLVMValueRef echo_emit_flushed(EchoEmitter *emitter, LLVMValueRef x)
{
  if (!emitter->flushes_denormals)
    return x;
  LLVMTypeRef type = LLVMTypeOf(x);
  LLVMValueRef sum = LLVMBuildFAdd(emitter->builder, x, LLVMConstNull(type), "");
  LLVMValueRef arguments[] = {sum, x};
  return echo_emit_intrinsic(emitter, "llvm.copysign", type, arguments, 2);
}

/* The C library's fmod computes on bits, and knows of no mode. f16 has no denormals of f32's. */
static bool emit_remf(EchoEmitter *emitter, const EchoOp *op)
{
  bool is_half = echo_type_element(echo_op_result_type(op, 0))->as.float_kind == ECHO_F16;
  if (!refuse_bf16(emitter, op))
    return false;
  if (emitter->is_device)
    return echo_emit_device_remainder(emitter, op);
  LLVMValueRef x = echo_emit_operand(emitter, op, 0), y = echo_emit_operand(emitter, op, 1);
  if (!emitter->flushes_denormals || is_half)
    return echo_emit_result(emitter, op, echo_emit_host_remainder(emitter, x, y));
  x = echo_emit_flushed(emitter, x);
  y = echo_emit_flushed(emitter, y);
  LLVMValueRef rest = echo_emit_host_remainder(emitter, x, y);
  return echo_emit_result(emitter, op, echo_emit_flushed(emitter, rest));
}

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

/* Quotients that are not rounded towards zero: one more or less where something is left over. */

static bool emit_ceildivui(EchoEmitter *emitter, const EchoOp *op)
{
  LLVMBuilderRef builder = emitter->builder;
  LLVMValueRef lhs = echo_emit_operand(emitter, op, 0), rhs = echo_emit_operand(emitter, op, 1);
  LLVMTypeRef type = LLVMTypeOf(lhs);
  LLVMValueRef rest = LLVMBuildURem(builder, lhs, rhs, "");
  LLVMValueRef is_inexact = LLVMBuildICmp(builder, LLVMIntNE, rest, LLVMConstNull(type), "");
  return echo_emit_result(emitter, op,
                          LLVMBuildAdd(builder, LLVMBuildUDiv(builder, lhs, rhs, ""),
                                       LLVMBuildZExt(builder, is_inexact, type, ""), ""));
}

static bool emit_rounded_division(EchoEmitter *emitter, const EchoOp *op, bool rounds_up)
{
  LLVMBuilderRef builder = emitter->builder;
  LLVMValueRef lhs = echo_emit_operand(emitter, op, 0), rhs = echo_emit_operand(emitter, op, 1);
  LLVMTypeRef type = LLVMTypeOf(lhs);
  LLVMValueRef zero = LLVMConstNull(type), quotient = LLVMBuildSDiv(builder, lhs, rhs, "");
  LLVMValueRef rest = LLVMBuildSRem(builder, lhs, rhs, "");
  LLVMValueRef signs = LLVMBuildXor(builder, lhs, rhs, "");
  LLVMValueRef is_wrong_way =
      LLVMBuildICmp(builder, rounds_up ? LLVMIntSGE : LLVMIntSLT, signs, zero, "");
  LLVMValueRef is_inexact = LLVMBuildICmp(builder, LLVMIntNE, rest, zero, "");
  LLVMValueRef correction =
      LLVMBuildZExt(builder, LLVMBuildAnd(builder, is_inexact, is_wrong_way, ""), type, "");
  return echo_emit_result(
      emitter, op,
      LLVMBuildBinOp(builder, rounds_up ? LLVMAdd : LLVMSub, quotient, correction, ""));
}

static bool emit_ceildivsi(EchoEmitter *emitter, const EchoOp *op)
{
  return emit_rounded_division(emitter, op, true);
}

static bool emit_floordivsi(EchoEmitter *emitter, const EchoOp *op)
{
  return emit_rounded_division(emitter, op, false);
}

/* ---- extended integer arithmetic: in twice the width ---- */

static bool emit_mul_extended(EchoEmitter *emitter, const EchoOp *op, bool is_signed)
{
  LLVMBuilderRef builder = emitter->builder;
  uint32_t width = echo_type_bit_width(echo_type_element(echo_op_operand_type(op, 0)));
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
#define INT_PREDICATE(id, ...) [ECHO_CMPI_##id] = LLVMInt##id,
  static const LLVMIntPredicate PREDICATES[] = {ECHO_CMPI_PREDICATES(INT_PREDICATE)};
  int64_t predicate = echo_op_attr_i64(op, "predicate", 0);
  return echo_emit_result(emitter, op,
                          LLVMBuildICmp(emitter->builder, PREDICATES[predicate],
                                        echo_emit_operand(emitter, op, 0),
                                        echo_emit_operand(emitter, op, 1), ""));
}

/* A float out of an integer's bits (all of bf16) that is compared with 0, twice: LLVM would make a
 * comparison of those bits of it, whether denormals count as zero or not. */
static LLVMValueRef compared(EchoEmitter *emitter, LLVMValueRef value, LLVMValueRef other)
{
  if (!emitter->flushes_denormals || LLVMIsABitCastInst(value) == NULL || !LLVMIsNull(other))
    return value;
  return LLVMBuildFAdd(emitter->builder, value, value, "");
}

static bool emit_cmpf(EchoEmitter *emitter, const EchoOp *op)
{
#define REAL_PREDICATE(id, ...) [ECHO_CMPF_##id] = LLVMReal##id,
#define LLVMRealFALSE LLVMRealPredicateFalse
#define LLVMRealTRUE LLVMRealPredicateTrue
  static const LLVMRealPredicate PREDICATES[] = {ECHO_CMPF_PREDICATES(REAL_PREDICATE)};
  int64_t predicate = echo_op_attr_i64(op, "predicate", 0);
  LLVMValueRef x = echo_emit_operand(emitter, op, 0), y = echo_emit_operand(emitter, op, 1);
  LLVMValueRef lhs = compared(emitter, x, y), rhs = compared(emitter, y, x);
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
  if (echo_type_element(to)->as.float_kind != ECHO_F32)
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

/* One instruction, which makes every NaN the same one. LLVM is told what it does not know of the
 * intrinsic: nothing ends there, so that stores before and behind it may become one. */
static LLVMValueRef f32_to_bf16_on_device(EchoEmitter *emitter, LLVMValueRef value)
{
  static const char *const FACTS[] = {"nounwind", "willreturn"};
  LLVMValueRef rounded = echo_emit_intrinsic(emitter, "llvm.nvvm.f2bf16.rn", NULL, &value, 1);
  for (size_t i = 0; i < 2; ++i) {
    unsigned kind = LLVMGetEnumAttributeKindForName(FACTS[i], strlen(FACTS[i]));
    LLVMAddCallSiteAttribute(rounded, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(emitter->llvm, kind, 0));
  }
  return LLVMBuildBitCast(emitter->builder, rounded, LLVMInt16TypeInContext(emitter->llvm), "");
}

static bool emit_truncf(EchoEmitter *emitter, const EchoOp *op)
{
  const EchoType *from = echo_op_operand_type(op, 0), *to = echo_op_result_type(op, 0);
  LLVMValueRef value = echo_emit_operand(emitter, op, 0);
  bool from_f64 = echo_type_element(from)->as.float_kind == ECHO_F64;
  if (echo_op_attr_i64(op, "roundingmode", 0) != 0)
    return echo_emit_error(emitter, op, "rounds to nearest even only");
  if (is_bf16(to) && from_f64)
    return echo_emit_error(emitter, op, "does not round f64 to bf16: go through f32");
  if (is_bf16(to) && emitter->rounds_to_bf16 && to->kind == ECHO_TYPE_FLOAT)
    return echo_emit_result(emitter, op, f32_to_bf16_on_device(emitter, value));
  if (is_bf16(to))
    return echo_emit_result(emitter, op, f32_to_bf16(emitter, from, value));
  if (!emitter->is_device && from_f64 && echo_type_element(to)->as.float_kind == ECHO_F16)
    return echo_emit_error(emitter, op, "does not round f64 to f16: go through f32");
  LLVMTypeRef type = echo_emit_type_or_null(emitter, to);
  if (type == NULL)
    return echo_emit_error(emitter, op, "has a type that LLVM code is not generated for");
  return echo_emit_result(emitter, op, LLVMBuildFPTrunc(emitter->builder, value, type, ""));
}

/* A row of arith without its function does not compile. */
#define ROW(form, opcode, name, ...) {"arith." #name, emit_##name},
const EchoEmitRow ECHO_EMIT_ARITH[] = {ECHO_ARITH_ROWS(ROW){NULL, NULL}};
