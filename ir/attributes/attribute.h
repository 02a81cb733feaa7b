/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MLIR's builtin attributes, uniqued in the context: equal attributes are the same pointer.
 * Immutable. Dialect attributes are kept as text, with an optional parsed payload that the dialect
 * adds (see ir/table/dialect.h). */
#ifndef ECHO_IR_ATTRIBUTES_ATTRIBUTE_H
#define ECHO_IR_ATTRIBUTES_ATTRIBUTE_H

#include "ir/attributes/type.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One byte, so that an attribute's owner fits beside it. */
typedef enum __attribute__((packed)) EchoAttrKind {
  ECHO_ATTR_UNIT,
  ECHO_ATTR_INTEGER, /* bool = i1 */
  ECHO_ATTR_FLOAT,
  ECHO_ATTR_STRING,
  ECHO_ATTR_ARRAY,
  ECHO_ATTR_DICTIONARY,
  ECHO_ATTR_TYPE,
  ECHO_ATTR_SYMBOL_REF,
  ECHO_ATTR_DENSE_ELEMENTS, /* dense<…> of numbers */
  ECHO_ATTR_DENSE_STRINGS,  /* dense<"…"> of an opaque element type */
  ECHO_ATTR_DENSE_RESOURCE,
  ECHO_ATTR_SPARSE,
  ECHO_ATTR_DENSE_ARRAY, /* array<i64: …> */
  ECHO_ATTR_AFFINE_MAP,
  ECHO_ATTR_INTEGER_SET,
  ECHO_ATTR_STRIDED_LAYOUT,
  ECHO_ATTR_LOCATION,
  ECHO_ATTR_DISTINCT,
  ECHO_ATTR_OPAQUE /* #dialect.name<body> or #dialect<body>, kept verbatim */
} EchoAttrKind;

typedef struct EchoNamedAttr {
  EchoStr name; /* interned: equal names have equal data pointers */
  const EchoAttr *value;
} EchoNamedAttr;

typedef enum EchoLocationKind {
  ECHO_LOC_UNKNOWN,
  ECHO_LOC_FILE,      /* file, line, column */
  ECHO_LOC_NAME,      /* name, child */
  ECHO_LOC_CALL_SITE, /* callee, caller */
  ECHO_LOC_FUSED      /* parts, metadata */
} EchoLocationKind;

/* Affine expressions, uniqued with the context. */
typedef enum EchoAffineKind {
  ECHO_AFFINE_CONSTANT,
  ECHO_AFFINE_DIM,
  ECHO_AFFINE_SYMBOL,
  ECHO_AFFINE_ADD,
  ECHO_AFFINE_MUL,
  ECHO_AFFINE_MOD,
  ECHO_AFFINE_FLOOR_DIV,
  ECHO_AFFINE_CEIL_DIV
} EchoAffineKind;

typedef struct EchoAffineExpr {
  EchoAffineKind kind;
  int64_t value; /* constant, or position of a dim or symbol */
  const struct EchoAffineExpr *lhs, *rhs;
} EchoAffineExpr;

/* An attribute takes only the bytes that its kind uses: never copy one by value. */
struct EchoAttr {
  EchoAttrKind kind;
  uint16_t owner; /* as a type's */
  uint32_t hash;
  const EchoType *type; /* of typed attributes (integer, float, elements); else NULL */
  union {
    struct {
      int64_t value; /* sign-extended (unsigned and i1: zero-extended); low 64 bits when wider */
      const uint64_t
          *words; /* all words, little end first, high bits zero, when width > 64; else NULL */
    } integer;
    struct {
      double value;
      uint64_t bits;         /* in the type's own format */
      const uint64_t *words; /* f80 and f128; else NULL */
    } floating;
    EchoStr string; /* also the payload of DENSE_RESOURCE (its key) */
    struct {
      const EchoAttr *const *elements;
      size_t size;
    } array; /* ARRAY and DENSE_STRINGS */
    struct {
      const EchoNamedAttr *entries; /* sorted by name, bytewise */
      size_t size;
    } dictionary;
    const EchoType *type_value;
    struct {
      EchoStr root;
      const EchoStr *nested; /* @root::@nested[0]::… */
      size_t n_nested;
    } symbol;
    struct {
      const void
          *data; /* host layout, row-major: see echo_type_element_bytes; one element when splat */
      size_t size_bytes;
      bool is_splat;
    } elements;
    struct {
      const EchoAttr *indices, *values;
    } sparse;
    struct {
      const EchoType *element; /* integer of 1, 8, 16, 32, 64 bits, f32, f64 … */
      const void *data;        /* element_bytes each; i1 as one byte */
      size_t size;             /* elements */
    } dense_array;
    struct {
      uint32_t n_dims, n_symbols, n_results;
      const EchoAffineExpr *const *results; /* map: results; set: constraint expressions */
      uint64_t equality;                    /* set: bit per constraint, 1 = "== 0", 0 = ">= 0" */
    } affine;
    struct {
      int64_t offset; /* ECHO_DYNAMIC = ? */
      const int64_t *strides;
      size_t n_strides;
    } strided;
    struct {
      EchoLocationKind kind;
      EchoStr name; /* file or name */
      uint32_t line, column;
      uint32_t end_line,
          end_column; /* FILE: where the range ends; equal to line, column when it is a place */
      const EchoAttr *child,
          *caller; /* NAME: child; CALL_SITE: child = callee; FUSED: caller = metadata or NULL */
      const EchoAttr *const *parts; /* FUSED */
      size_t n_parts;
    } location;
    struct {
      uint64_t id;
      const EchoAttr *value;
    } distinct;
    struct {
      EchoStr dialect;
      EchoStr text;   /* all after "#dialect." (pretty) or the body inside "#dialect<…>" */
      bool is_pretty; /* #dialect.name<…> rather than #dialect<…> */
      const EchoTextPart *parts; /* in order */
      size_t n_parts;
      const void *payload; /* what the dialect parsed of it; NULL = nothing */
    } opaque;
  } as;
};

/* All of these answer NULL after a misuse (ir/diagnostics.h): a NULL where something is needed, a
 * type that is not of the kind, data of another size than the type's, a name twice, a count above
 * what is stored, a type or attribute of another context. */
const EchoAttr *echo_attr_unit(EchoContext *ctx);
const EchoAttr *echo_attr_bool(EchoContext *ctx, bool value);
/* `type` is an integer or index type; value is truncated to its width. */
const EchoAttr *echo_attr_integer(EchoContext *ctx, const EchoType *type, int64_t value);
const EchoAttr *echo_attr_integer_words(EchoContext *ctx, const EchoType *type,
                                        const uint64_t *words);
const EchoAttr *echo_attr_i64(EchoContext *ctx, int64_t value);
const EchoAttr *echo_attr_i32(EchoContext *ctx, int32_t value);
/* Rounded to `type`. */
const EchoAttr *echo_attr_float(EchoContext *ctx, const EchoType *type, double value);
const EchoAttr *echo_attr_float_bits(EchoContext *ctx, const EchoType *type, uint64_t bits);
/* Two words, little end first: for f80 and f128. */
const EchoAttr *echo_attr_float_words(EchoContext *ctx, const EchoType *type,
                                      const uint64_t words[2]);
const EchoAttr *echo_attr_string(EchoContext *ctx, EchoStr value);
/* "…" : type */
const EchoAttr *echo_attr_string_typed(EchoContext *ctx, EchoStr value, const EchoType *type);
const EchoAttr *echo_attr_array(EchoContext *ctx, const EchoAttr *const *elements, size_t size);
/* Sorts by name; names must differ. Names are interned by the call. */
const EchoAttr *echo_attr_dictionary(EchoContext *ctx, const EchoNamedAttr *entries, size_t size);
const EchoAttr *echo_attr_type(EchoContext *ctx, const EchoType *value);
const EchoAttr *echo_attr_symbol(EchoContext *ctx, EchoStr root);
const EchoAttr *echo_attr_symbol_nested(EchoContext *ctx, EchoStr root, const EchoStr *nested,
                                        size_t n_nested);
/* `data`: host layout, n_elements * echo_type_element_bytes(type), or one element when is_splat.
 * Copied. A full buffer of equal elements becomes a splat. */
const EchoAttr *echo_attr_elements(EchoContext *ctx, const EchoType *type, const void *data,
                                   size_t size_bytes, bool is_splat);
/* A tensor type filled with `value` (rounded or truncated to the element type). */
const EchoAttr *echo_attr_splat_f64(EchoContext *ctx, const EchoType *type, double value);
const EchoAttr *echo_attr_splat_i64(EchoContext *ctx, const EchoType *type, int64_t value);
const EchoAttr *echo_attr_dense_strings(EchoContext *ctx, const EchoType *type,
                                        const EchoAttr *const *strings, size_t size);
const EchoAttr *echo_attr_dense_resource(EchoContext *ctx, const EchoType *type, EchoStr key);
const EchoAttr *echo_attr_sparse(EchoContext *ctx, const EchoType *type, const EchoAttr *indices,
                                 const EchoAttr *values);
const EchoAttr *echo_attr_dense_array(EchoContext *ctx, const EchoType *element, const void *data,
                                      size_t size);
const EchoAttr *echo_attr_i64_array(EchoContext *ctx, const int64_t *values, size_t size);
const EchoAttr *echo_attr_i32_array(EchoContext *ctx, const int32_t *values, size_t size);
const EchoAttr *echo_attr_bool_array(EchoContext *ctx, const bool *values, size_t size);
const EchoAttr *echo_attr_affine_map(EchoContext *ctx, uint32_t n_dims, uint32_t n_symbols,
                                     const EchoAffineExpr *const *results, size_t n_results);
const EchoAttr *echo_attr_integer_set(EchoContext *ctx, uint32_t n_dims, uint32_t n_symbols,
                                      const EchoAffineExpr *const *constraints, uint64_t equality,
                                      size_t n_constraints);
const EchoAttr *echo_attr_strided_layout(EchoContext *ctx, int64_t offset, const int64_t *strides,
                                         size_t n_strides);
const EchoAttr *echo_attr_location_unknown(EchoContext *ctx);
const EchoAttr *echo_attr_location_file(EchoContext *ctx, EchoStr file, uint32_t line,
                                        uint32_t column);
/* "file":line:column to end_line:end_column, as MLIR has had it since version 20. */
const EchoAttr *echo_attr_location_range(EchoContext *ctx, EchoStr file, uint32_t line,
                                         uint32_t column, uint32_t end_line, uint32_t end_column);
const EchoAttr *echo_attr_location_name(EchoContext *ctx, EchoStr name, const EchoAttr *child);
const EchoAttr *echo_attr_location_call_site(EchoContext *ctx, const EchoAttr *callee,
                                             const EchoAttr *caller);
const EchoAttr *echo_attr_location_fused(EchoContext *ctx, const EchoAttr *const *parts,
                                         size_t n_parts, const EchoAttr *metadata);
const EchoAttr *echo_attr_distinct(EchoContext *ctx, uint64_t id, const EchoAttr *value);
/* Panics when the dialect refuses the text (for code); the other, for input, leaves the dialect's
 * error at `loc`. */
const EchoAttr *echo_attr_opaque(EchoContext *ctx, EchoStr dialect, EchoStr text, bool is_pretty);
const EchoAttr *echo_attr_opaque_or_null(EchoContext *ctx, EchoLoc loc, EchoStr dialect,
                                         EchoStr text, bool is_pretty);
/* "#dialect.text : type"; type NULL = none. */
const EchoAttr *echo_attr_opaque_of_parts_or_null(EchoContext *ctx, EchoLoc loc, EchoStr dialect,
                                                  EchoStr text, bool is_pretty,
                                                  const EchoType *type, const EchoTextPart *parts,
                                                  size_t n_parts);
/* From text, "array<i64: 1, 2>"; panics on a mistake (for code, not for input). */
const EchoAttr *echo_attr_from_text(EchoContext *ctx, const char *text);

/* Simplified as MLIR's builder does (constants folded, canonical order). */
const EchoAffineExpr *echo_affine_constant(EchoContext *ctx, int64_t value);
const EchoAffineExpr *echo_affine_dim(EchoContext *ctx, uint32_t position);
const EchoAffineExpr *echo_affine_symbol(EchoContext *ctx, uint32_t position);
const EchoAffineExpr *echo_affine_binary(EchoContext *ctx, EchoAffineKind kind,
                                         const EchoAffineExpr *lhs, const EchoAffineExpr *rhs);
/* Made of symbols and constants only. One factor of a product must be: another is a misuse. */
bool echo_affine_is_symbolic(const EchoAffineExpr *expr);

/* The named entry of a dictionary, or NULL. */
const EchoAttr *echo_dictionary_get_or_null(const EchoAttr *dictionary, const char *name);
/* The first entry whose name has no "dialect." in front; NULL when there is none. dictionary may be
 * NULL = empty. */
const EchoNamedAttr *echo_dictionary_without_dialect_or_null(const EchoAttr *dictionary);
/* The dictionary with `name` set (value) or removed (value NULL). dictionary may be NULL = empty.
 */
const EchoAttr *echo_dictionary_with(EchoContext *ctx, const EchoAttr *dictionary, EchoStr name,
                                     const EchoAttr *value);

/* Dense elements and dense arrays, element by element. Cheap; index is row-major; a splat answers
 * for every index. */
int64_t echo_elements_i64(const EchoAttr *elements, size_t index); /* integers and index */
double echo_elements_f64(const EchoAttr *elements, size_t index);  /* floats */
/* Whether it is a dense array of i64; NULL is not. */
static inline bool echo_attr_is_i64_array(const EchoAttr *attr)
{
  return attr != NULL && attr->kind == ECHO_ATTR_DENSE_ARRAY &&
         echo_type_is_integer(attr->as.dense_array.element, 64);
}
/* Number of integers in `dense_array` or rank-1 dense elements; and the i-th. */
size_t echo_attr_ints_size(const EchoAttr *ints);
int64_t echo_attr_ints_get(const EchoAttr *ints, size_t index);

#ifdef __cplusplus
}
#endif

#endif
