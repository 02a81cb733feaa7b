/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Custom calls that JAX made on a CPU before it had XLA's typed foreign function interface, as
 * those of today: jaxlib 0.4.13 to 0.4.3x say by scalar operands what is an attribute now, hand
 * sizes over that follow from the types, and take working space as results (jaxlib/lapack.py of
 * 0.4.30, ducc_fft.py of 0.4.18). */
#include <string.h>

#include "dialects/stablehlo/attributes/attributes.h"
#include "lowering/model/chlo_to_stablehlo_t.h"
#include "lowering/model/lapack_calls_t.h"

/* The integers of a constant of n elements; NULL: none. */
static const EchoAttr *integers_or_null(const EchoValue *value, int64_t n)
{
  const EchoAttr *elements = echo_value_constant_or_null(value);
  bool ok = elements != NULL && elements->kind == ECHO_ATTR_DENSE_ELEMENTS &&
            echo_type_element(elements->type)->kind == ECHO_TYPE_INTEGER &&
            echo_type_static_n_elements(elements->type) == n;
  return ok ? elements : NULL;
}

/* ---- LAPACK ---- */

typedef struct OldRoutine {
  const char *letters; /* of the types that it has this form for */
  uint32_t n_scalars;  /* operands in front of the matrices: keys are their numbers */
  uint32_t n_results;  /* with working space */
  EchoLapackForm form;
} OldRoutine;

static const OldRoutine ROUTINES[] = {
    {"sdcz", 3, 2, {"potrf", "01", "uplo=0:UL", false}},
    {"sdcz", 3, 3, {"getrf", "012", "", false}},
    {"sdcz", 4, 4, {"geqrf", "01", "", false}},
    {"sd", 5, 3, {"orgqr", "0", "", false}},
    {"cz", 5, 3, {"ungqr", "0", "", false}},
    {"sd", 6, 7, {"gesdd", "01234", "mode=0+1:NNSA", false}},
    {"cz", 6, 8, {"gesdd", "01234", "mode=0+1:NNSA", false}},
    {"sd", 3, 5, {"syevd", "012", "mode=:V uplo=0:UL", false}},
    {"cz", 3, 6, {"heevd", "012", "mode=:V uplo=0:UL", false}},
    {"sd", 4, 8, {"geev", "34567", "compute_left=2 compute_right=3", false}},
    {"cz", 4, 6, {"geev", "2345", "compute_left=2 compute_right=3", false}},
    {"sd", 4, 6, {"gees", "031245", "mode=2 sort=3", false}},
    {"cz", 4, 6, {"gees", "03245", "mode=2 sort=3", false}},
    {"sdcz", 6, 4, {"gehrd", "012", "low=1 high=2", false}},
    {"sd", 5, 6, {"sytrd", "01234", "uplo=1:UL", false}},
    {"cz", 5, 6, {"hetrd", "01234", "uplo=1:UL", false}},
    {"sdcz", 8, 1, {"trsm", "0", "side=0:RL uplo=1:UL trans_x=2:NTC diag=3:NU", false}},
};
enum { MAX_MATRICES = 2, TRSM_ALPHA = 7 };

static bool starts_with(EchoStr text, const char *prefix)
{
  size_t n = strlen(prefix);
  return text.size > n && memcmp(text.data, prefix, n) == 0;
}

static const OldRoutine *routine_or_null(const EchoOp *op)
{
  EchoStr target = echo_op_attr_string(op, "call_target_name");
  const char *prefix = starts_with(target, "blas_") ? "blas_" : "lapack_";
  if (!starts_with(target, prefix))
    return NULL;
  size_t head = strlen(prefix) + 1;
  char letter = target.data[head - 1];
  EchoStr name = {target.data + head, target.size - head};
  for (size_t i = 0; i < sizeof ROUTINES / sizeof *ROUTINES; i++)
    if (echo_str_is(name, ROUTINES[i].form.routine) && letter != '\0' &&
        strchr(ROUTINES[i].letters, letter) != NULL)
      return &ROUTINES[i];
  return NULL;
}

/* A key is the number of an operand, a scalar. */
static bool read_scalar(const EchoOp *op, EchoStr key, int64_t *number, const EchoType **type)
{
  const EchoAttr *value = integers_or_null(echo_op_operand(op, (uint32_t)(key.data[0] - '0')), 1);
  if (value == NULL)
    return false;
  *number = echo_elements_i64(value, 0);
  *type = echo_type_element(value->type);
  return true;
}

static bool is_one(const EchoValue *value)
{
  const EchoAttr *elements = echo_value_constant_or_null(value);
  return elements != NULL && elements->kind == ECHO_ATTR_DENSE_ELEMENTS &&
         echo_element_is_float(echo_type_element_kind(value->type)) &&
         echo_elements_f64(elements, 0) == 1;
}

static bool is_scalar_of(const EchoType *type, const EchoType *matrix)
{
  return echo_type_rank(type) == 0 && echo_lapack_letter(type) != 0 &&
         echo_type_element(type) == echo_type_element(matrix);
}

/* The right side of a triangular system, times alpha. */
static EchoValue *scaled(EchoBuilder *b, EchoValue *alpha, EchoValue *value)
{
  return is_one(alpha)
             ? value
             : echo_hlo_multiply(b, echo_hlo_broadcast_scalar(b, alpha, value->type), value);
}

static bool lower_routine(EchoBuilder *b, const EchoOp *op, EchoValue **results)
{
  const OldRoutine *routine = routine_or_null(op);
  const uint32_t n = routine != NULL ? routine->n_scalars : 0;
  if (routine == NULL || op->n_results != routine->n_results || op->n_operands <= n ||
      op->n_operands > n + MAX_MATRICES)
    return false;
  EchoValue *operands[MAX_MATRICES] = {0}, *made[ECHO_LAPACK_MAX_RESULTS];
  for (uint32_t i = n; i < op->n_operands; i++)
    operands[i - n] = echo_op_operand(op, i);
  if (n > TRSM_ALPHA && (operands[1] == NULL ||
                         !is_scalar_of(echo_op_operand_type(op, TRSM_ALPHA), operands[1]->type)))
    return false;
  if (n > TRSM_ALPHA)
    operands[1] = scaled(b, echo_op_operand(op, TRSM_ALPHA), operands[1]);
  if (!echo_lapack_call(b, op, &routine->form, operands, op->n_operands - n, 2, read_scalar, made))
    return false;
  echo_lapack_results(b, op, &routine->form, made, results);
  return true;
}

/* jaxlib 0.4.3x: the call of today, but for alpha behind its operands. */
static bool lower_scaled_solve(EchoBuilder *b, const EchoOp *op, EchoValue **results)
{
  EchoStr target = echo_op_attr_string(op, "call_target_name");
  const EchoAttr *layouts = echo_op_attr_or_null(op, "operand_layouts");
  const size_t head = strlen("lapack_s");
  if (!starts_with(target, "lapack_") ||
      !echo_str_is((EchoStr){target.data + head, target.size - head}, "trsm_ffi") ||
      op->n_operands != 3 || op->n_results != 1 || layouts == NULL ||
      layouts->kind != ECHO_ATTR_ARRAY || layouts->as.array.size != 3 ||
      !is_scalar_of(echo_op_operand_type(op, 2), echo_op_operand_type(op, 1)))
    return false;
  EchoOp *made = echo_op_clone(op, NULL);
  echo_op_set_operand(made, 1, scaled(b, echo_op_operand(op, 2), echo_op_operand(op, 1)));
  echo_op_erase_operand(made, 2);
  echo_op_set_attr(made, "operand_layouts", echo_attr_array(b->ctx, layouts->as.array.elements, 2));
  results[0] = echo_op_result(echo_builder_insert(b, made), 0);
  return true;
}

/* ---- Fourier transforms ---- */

/* What the FlatBuffer in operand 0 says: table DynamicDuccFftDescriptor {ndims: uint32, dtype:
 * byte, fft_type: byte, axes: [uint32], forward: bool}. */
typedef struct Transform {
  int64_t n_axes; /* the last ones: JAX has no others */
  bool is_forward;
} Transform;

enum { AXES_FIELD = 3, FORWARD_FIELD = 4 };

typedef struct Bytes {
  const EchoAttr *elements;
  int64_t size;
} Bytes;

/* A little-endian number of n bytes at `at`; -1 beyond the end. */
static int64_t number_at(const Bytes *bytes, int64_t at, int64_t n)
{
  int64_t value = 0;
  if (at < 0 || at > bytes->size - n)
    return -1;
  for (int64_t i = n; i-- > 0;)
    value = value << 8 | (echo_elements_i64(bytes->elements, (size_t)(at + i)) & 0xff);
  return value;
}

/* Where the field of the root table is; 0 where it has its default, -1 beyond the end. */
static int64_t field_at(const Bytes *bytes, int64_t field)
{
  int64_t table = number_at(bytes, 0, 4), back = number_at(bytes, table, 4);
  int64_t fields = back < 0 ? -1 : table - back, size = number_at(bytes, fields, 2);
  int64_t entry = 4 + 2 * field;
  int64_t offset = size < 0 ? -1 : entry + 2 > size ? 0 : number_at(bytes, fields + entry, 2);
  return offset > 0 ? table + offset : offset;
}

static bool read_transform(const EchoOp *op, Transform *transform)
{
  const EchoType *type = echo_op_operand_type(op, 0);
  int64_t size = echo_type_has_static_shape(type) ? echo_type_static_n_elements(type) : 0;
  Bytes bytes = {integers_or_null(echo_op_operand(op, 0), size), size};
  if (bytes.elements == NULL || echo_type_bit_width(echo_type_element(type)) != 8)
    return false;
  int64_t forward = field_at(&bytes, FORWARD_FIELD), axes = field_at(&bytes, AXES_FIELD);
  if (forward < 0 || axes <= 0)
    return false;
  int64_t to_list = number_at(&bytes, axes, 4);
  transform->is_forward = forward > 0 && number_at(&bytes, forward, 1) == 1;
  transform->n_axes = to_list < 0 ? -1 : number_at(&bytes, axes + to_list, 4);
  int64_t rank = echo_type_rank(echo_op_operand_type(op, 1));
  for (int64_t i = 0; i < transform->n_axes && transform->n_axes <= rank; i++)
    if (number_at(&bytes, axes + to_list + 4 + 4 * i, 4) != rank - transform->n_axes + i)
      return false;
  return transform->n_axes >= 1 && transform->n_axes <= rank;
}

/* x times the one number of `scale`, which is real. */
static EchoValue *times(EchoBuilder *b, EchoValue *x, EchoValue *scale)
{
  const EchoType *element = echo_type_element(x->type);
  const bool is_complex = element->kind == ECHO_TYPE_COMPLEX;
  EchoValue *re = is_complex ? echo_hlo_real(b, x) : x;
  EchoValue *by = echo_hlo_broadcast_scalar(
      b, echo_hlo_convert(b, scale, echo_type_element(re->type)), re->type);
  if (!is_complex)
    return echo_hlo_multiply(b, x, by);
  return echo_hlo_complex(b, echo_hlo_multiply(b, re, by),
                          echo_hlo_multiply(b, echo_hlo_imag(b, x), by));
}

/* Whether the values are those of such a transform, of as many numbers in every dimension but the
 * last, of which reals stand for half as many and one. */
static bool is_transform(const EchoOp *op, const Transform *transform)
{
  const EchoType *from = echo_op_operand_type(op, 1), *to = echo_op_result_type(op, 0);
  const EchoType *reals = echo_type_element(from)->kind != ECHO_TYPE_COMPLEX ? from
                          : echo_type_element(to)->kind != ECHO_TYPE_COMPLEX ? to
                                                                             : NULL;
  const EchoType *others = reals == from ? to : from;
  const size_t rank = echo_type_rank(from);
  if (echo_type_rank(to) != rank || transform->n_axes > 3 || echo_lapack_letter(others) == 0 ||
      echo_type_element(others)->kind != ECHO_TYPE_COMPLEX)
    return false;
  for (size_t d = 0; d + 1 < rank; d++)
    if (echo_type_dim(from, d) != echo_type_dim(to, d))
      return false;
  if (reals == NULL)
    return from == to;
  return echo_type_element(reals) == echo_type_element(echo_type_element(others)) &&
         transform->is_forward == (reals == from) &&
         echo_type_dim(others, rank - 1) == echo_type_dim(reals, rank - 1) / 2 + 1;
}

static EchoValue *transformed(EchoBuilder *b, const EchoOp *op, const Transform *transform)
{
  const EchoType *from = echo_op_operand_type(op, 1), *to = echo_op_result_type(op, 0);
  const bool from_real = echo_type_element(from)->kind != ECHO_TYPE_COMPLEX,
             to_real = echo_type_element(to)->kind != ECHO_TYPE_COMPLEX;
  EchoFftType type = from_real               ? ECHO_RFFT
                     : to_real               ? ECHO_IRFFT
                     : transform->is_forward ? ECHO_FFT
                                             : ECHO_IFFT;
  int64_t lengths[ECHO_MAX_RANK];
  double n = 1;
  for (int64_t i = 0; i < transform->n_axes; i++) {
    size_t at = echo_type_rank(from) - (size_t)(transform->n_axes - i);
    lengths[i] = echo_type_dim(to_real ? to : from, at);
    n *= (double)lengths[i];
  }
  const EchoAttrArg attrs[] = {
      {"fft_type", echo_stablehlo_fft_type_attr(b->ctx, type)},
      {"fft_length", echo_attr_i64_array(b->ctx, lengths, (size_t)transform->n_axes)}};
  EchoValue *x = echo_op_operand(op, 1);
  EchoOp *made = echo_build_op(b, "stablehlo.fft", &x, 1, &to, 1, attrs, 2);
  if (made == NULL)
    return NULL;
  /* StableHLO's inverse divides by n, which this one is told. */
  EchoValue *scale = echo_hlo_reshape(b, echo_op_operand(op, 5), NULL, 0);
  if (!transform->is_forward)
    scale = echo_hlo_multiply(b, scale, echo_hlo_constant_like(b, scale, n));
  return times(b, echo_op_result(made, 0), scale);
}

/* (descriptor, x, shape, strides, strides of the result, scale, [shape of the result]) */
static bool lower_fourier(EchoBuilder *b, const EchoOp *op, EchoValue **results)
{
  Transform transform;
  if (op->n_results != 1 || op->n_operands < 6 || op->n_operands > 7 ||
      !echo_str_is(echo_op_attr_string(op, "call_target_name"), "dynamic_ducc_fft") ||
      !echo_element_is_float(echo_type_element_kind(echo_op_operand_type(op, 5))) ||
      echo_type_static_n_elements(echo_op_operand_type(op, 5)) != 1 ||
      !read_transform(op, &transform) || !is_transform(op, &transform))
    return false;
  results[0] = transformed(b, op, &transform);
  return results[0] != NULL;
}

static bool lower_call(EchoBuilder *b, const EchoOp *op, EchoValue **results)
{
  return lower_routine(b, op, results) || lower_scaled_solve(b, op, results) ||
         lower_fourier(b, op, results);
}

static bool lower_old_call(EchoRewriter *rewriter, EchoOp *op)
{
  return echo_replace_call(rewriter, op, lower_call);
}

const EchoPattern ECHO_OLD_CALLS_PATTERNS[] = {
    {"stablehlo.custom_call", 0, lower_old_call, "the call of today, or an fft"},
};
const size_t ECHO_N_OLD_CALLS_PATTERNS =
    sizeof ECHO_OLD_CALLS_PATTERNS / sizeof ECHO_OLD_CALLS_PATTERNS[0];
