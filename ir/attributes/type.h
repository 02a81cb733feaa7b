/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MLIR's builtin types, uniqued in the context: equal types are the same pointer. Immutable.
 * Dialect types without a meaning here are kept as text. */
#ifndef ECHO_IR_ATTRIBUTES_TYPE_H
#define ECHO_IR_ATTRIBUTES_TYPE_H

#include "ir/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One byte, so that a type's owner fits beside it. */
typedef enum __attribute__((packed)) EchoTypeKind {
  ECHO_TYPE_NONE,
  ECHO_TYPE_INTEGER,
  ECHO_TYPE_INDEX,
  ECHO_TYPE_FLOAT,
  ECHO_TYPE_COMPLEX,
  ECHO_TYPE_VECTOR,
  ECHO_TYPE_TENSOR,
  ECHO_TYPE_UNRANKED_TENSOR,
  ECHO_TYPE_MEMREF,
  ECHO_TYPE_UNRANKED_MEMREF,
  ECHO_TYPE_FUNCTION,
  ECHO_TYPE_TUPLE,
  ECHO_TYPE_OPAQUE /* !dialect.name<body>, kept verbatim */
} EchoTypeKind;

typedef enum EchoSignedness { ECHO_SIGNLESS, ECHO_SIGNED, ECHO_UNSIGNED } EchoSignedness;

typedef enum EchoFloatKind {
  ECHO_F4E2M1FN,
  ECHO_F6E2M3FN,
  ECHO_F6E3M2FN,
  ECHO_F8E3M4,
  ECHO_F8E4M3,
  ECHO_F8E4M3B11FNUZ,
  ECHO_F8E4M3FN,
  ECHO_F8E4M3FNUZ,
  ECHO_F8E5M2,
  ECHO_F8E5M2FNUZ,
  ECHO_F8E8M0FNU,
  ECHO_BF16,
  ECHO_F16,
  ECHO_TF32,
  ECHO_F32,
  ECHO_F64,
  ECHO_F80,
  ECHO_F128,
  ECHO_N_FLOAT_KINDS
} EchoFloatKind;

#define ECHO_DYNAMIC INT64_MIN /* a dimension, stride or offset that is not known */
#define ECHO_MAX_RANK 64       /* of shaped types; the parser refuses more */
#define ECHO_MAX_INTEGER_WIDTH ((1u << 24) - 1) /* bits, as MLIR has it */

/* A stretch of a dialect's text that is an attribute or a type in its own right, an alias mostly:
 * what is printed there is that object, by its alias where it has one. One of the two is NULL. */
typedef struct EchoTextPart {
  uint32_t offset, size; /* in the text */
  const EchoAttr *attr;
  const EchoType *type;
} EchoTextPart;

struct EchoType {
  EchoTypeKind kind;
  uint16_t owner; /* the context's tag: what belongs to another is refused by it */
  uint32_t hash;
  union {
    struct {
      uint32_t width;
      EchoSignedness signedness;
    } integer;
    EchoFloatKind float_kind;
    struct { /* complex, vector, (un)ranked tensor and memref */
      const EchoType *element;
      const int64_t *dims; /* ECHO_DYNAMIC for '?' */
      uint32_t rank;
      uint64_t scalable;            /* vector: bit per dimension */
      const EchoAttr *encoding;     /* tensor encoding or memref layout; NULL = none/identity */
      const EchoAttr *memory_space; /* memref; NULL = default */
    } shaped;
    struct {
      const EchoType *const *inputs, *const *results;
      uint32_t n_inputs, n_results;
    } function;
    struct {
      const EchoType *const *elements;
      uint32_t n_elements;
    } tuple;
    struct {
      EchoStr dialect, text;     /* text = all after "!dialect.", e.g. "tile<4x4>" */
      const EchoTextPart *parts; /* in order */
      size_t n_parts;
    } opaque;
  } as;
};

/* All of these answer NULL after a misuse (ir/diagnostics.h): a NULL where a type or a list is
 * needed, a negative dimension, a rank above ECHO_MAX_RANK, more bits than
 * ECHO_MAX_INTEGER_WIDTH, a part that does not stand in its text, a type or attribute of another
 * context. */
const EchoType *echo_type_none(EchoContext *ctx);
const EchoType *echo_type_index(EchoContext *ctx);
const EchoType *echo_type_integer(EchoContext *ctx, uint32_t width, EchoSignedness signedness);
const EchoType *echo_type_float(EchoContext *ctx, EchoFloatKind kind);
const EchoType *echo_type_complex(EchoContext *ctx, const EchoType *element);
const EchoType *echo_type_tuple(EchoContext *ctx, const EchoType *const *elements, size_t n);
const EchoType *echo_type_function(EchoContext *ctx, const EchoType *const *inputs, size_t n_inputs,
                                   const EchoType *const *results, size_t n_results);
/* Ranked tensor; encoding may be NULL. */
const EchoType *echo_type_tensor(EchoContext *ctx, const int64_t *dims, size_t rank,
                                 const EchoType *element, const EchoAttr *encoding);
const EchoType *echo_type_unranked_tensor(EchoContext *ctx, const EchoType *element);
/* layout NULL = identity; memory_space NULL = default. */
const EchoType *echo_type_memref(EchoContext *ctx, const int64_t *dims, size_t rank,
                                 const EchoType *element, const EchoAttr *layout,
                                 const EchoAttr *memory_space);
const EchoType *echo_type_unranked_memref(EchoContext *ctx, const EchoType *element,
                                          const EchoAttr *memory_space);
/* scalable: bit per dimension. */
const EchoType *echo_type_vector(EchoContext *ctx, const int64_t *dims, size_t rank,
                                 const EchoType *element, uint64_t scalable);
const EchoType *echo_type_opaque(EchoContext *ctx, EchoStr dialect, EchoStr text);
const EchoType *echo_type_opaque_of_parts(EchoContext *ctx, EchoStr dialect, EchoStr text,
                                          const EchoTextPart *parts, size_t n_parts);
/* A type from its text, "tensor<2x?xf32>"; panics on a mistake (for code, not for input). */
const EchoType *echo_type_from_text(EchoContext *ctx, const char *text);

/* Shorthands. */
const EchoType *echo_type_i1(EchoContext *ctx);
const EchoType *echo_type_i32(EchoContext *ctx);
const EchoType *echo_type_i64(EchoContext *ctx);
const EchoType *echo_type_f32(EchoContext *ctx);
const EchoType *echo_type_f64(EchoContext *ctx);

static inline bool echo_type_is_integer(const EchoType *type, uint32_t width) /* any signedness */
{
  return type->kind == ECHO_TYPE_INTEGER && type->as.integer.width == width;
}
static inline bool echo_type_is_tensor(const EchoType *type) /* ranked */
{
  return type->kind == ECHO_TYPE_TENSOR;
}
static inline bool echo_type_is_memref(const EchoType *type) /* ranked */
{
  return type->kind == ECHO_TYPE_MEMREF;
}
/* Vector, (un)ranked tensor or memref. */
bool echo_type_is_shaped(const EchoType *type);
/* Of a shaped or complex type; a scalar is its own element type. */
const EchoType *echo_type_element(const EchoType *type);
static inline uint32_t echo_type_rank(const EchoType *type) /* ranked shaped types */
{
  return type->as.shaped.rank;
}
static inline int64_t echo_type_dim(const EchoType *type, size_t axis)
{
  return type->as.shaped.dims[axis];
}
/* Shapes that may be the same at run time: a '?' may stand for any size, an unranked type for any
 * shape; a scalar has no shape to be different, but a shaped type has. */
bool echo_type_shapes_compatible(const EchoType *a, const EchoType *b);
/* True when ranked and without '?'. */
bool echo_type_has_static_shape(const EchoType *type);
/* Product of the dimensions (1 for a scalar type). False when dynamic or when it overflows int64.
 */
bool echo_type_n_elements(const EchoType *type, int64_t *n_elements);
/* How many elements an elements attribute of this shaped type lists: of a scalable dimension as
 * many as its number says. False as above. */
bool echo_type_n_listed(const EchoType *type, int64_t *n_elements);
/* Bits of one element as stored in IEEE-like formats: i1 = 1, f6 = 6, complex<f32> = 64; 0 when it
 * has none (index is 64). */
uint32_t echo_type_bit_width(const EchoType *type);
/* Bytes of one element in host memory: i0, i1 and all sub-byte types take 1, complex two elements.
 */
uint32_t echo_type_element_bytes(const EchoType *type);
/* Bytes of a statically shaped tensor, memref, vector or scalar in host memory. False when dynamic
 * or overflowing. */
bool echo_type_bytes(const EchoType *type, uint64_t *bytes);
/* The same for verified static shapes (panics otherwise). */
uint64_t echo_type_static_bytes(const EchoType *type);
int64_t echo_type_static_n_elements(const EchoType *type);
/* As many dimensions, each of the same size or both unknown; false where one is NULL, not shaped or
 * unranked. */
bool echo_type_same_dims(const EchoType *a, const EchoType *b);
/* The same, but for dimensions of size 1. */
bool echo_type_same_but_ones(const EchoType *a, const EchoType *b);
/* The same shape with another element type. */
const EchoType *echo_type_with_element(EchoContext *ctx, const EchoType *shaped,
                                       const EchoType *element);

/* Element types as a dense enum, for switches and tables in evaluation and code generation. */
typedef enum EchoElementKind {
  ECHO_ELEMENT_NONE, /* not one of these */
  ECHO_ELEMENT_I1,
  ECHO_ELEMENT_I8,
  ECHO_ELEMENT_I16,
  ECHO_ELEMENT_I32,
  ECHO_ELEMENT_I64,
  ECHO_ELEMENT_UI8,
  ECHO_ELEMENT_UI16,
  ECHO_ELEMENT_UI32,
  ECHO_ELEMENT_UI64,
  ECHO_ELEMENT_F16,
  ECHO_ELEMENT_BF16,
  ECHO_ELEMENT_F32,
  ECHO_ELEMENT_F64,
  ECHO_N_ELEMENT_KINDS
} EchoElementKind;

/* Of a scalar or shaped type; signless and signed integers are I*, index is I64. */
EchoElementKind echo_type_element_kind(const EchoType *type);
/* The type of that kind, integers signless or unsigned; i0 for ECHO_ELEMENT_NONE. */
const EchoType *echo_element_type(EchoContext *ctx, EchoElementKind kind);
uint32_t echo_element_bits(EchoElementKind kind); /* 0 for ECHO_ELEMENT_NONE */
bool echo_element_is_float(EchoElementKind kind);
bool echo_element_is_unsigned(EchoElementKind kind); /* UI* */

/* Conversions between float formats by bits: round to nearest even, overflow to infinity (or NaN
 * where the format has none), NaN kept. */
uint64_t echo_float_from_f64(EchoFloatKind kind, double value);
double echo_float_to_f64(EchoFloatKind kind, uint64_t bits);
uint32_t echo_float_bit_width(EchoFloatKind kind);
const char *echo_float_name(EchoFloatKind kind); /* "f8E4M3FN" */

#ifdef __cplusplus
}
#endif

#endif
