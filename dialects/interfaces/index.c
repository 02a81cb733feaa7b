/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Index arithmetic for element lowering: folding of what is simple, and digits of a linear index
 * put together again. */
#include "dialects/arith/arith.h"
#include "dialects/interfaces/element.h"

static EchoValue *index_op(EchoElementEmitter *emitter, const char *name, EchoValue *a,
                           EchoValue *b)
{
  EchoValue *operands[] = {a, b};
  return emitter->pure_op(emitter, name, -1, operands, 2, a->type);
}

EchoValue *echo_index_constant(EchoElementEmitter *emitter, int64_t value)
{
  EchoContext *ctx = emitter->builder->ctx;
  return emitter->constant(emitter, echo_attr_integer(ctx, echo_type_index(ctx), value));
}

EchoValue *echo_index_add(EchoElementEmitter *emitter, EchoValue *a, EchoValue *b)
{
  int64_t value = 0;
  if (echo_arith_constant_i64(b, &value))
    return echo_index_add_constant(emitter, a, value);
  if (echo_arith_constant_i64(a, &value))
    return echo_index_add_constant(emitter, b, value);
  return index_op(emitter, "arith.addi", a, b);
}

EchoValue *echo_index_add_constant(EchoElementEmitter *emitter, EchoValue *a, int64_t b)
{
  int64_t value = 0;
  const EchoOp *def = echo_value_def_or_null(a);
  if (b == 0)
    return a;
  if (echo_arith_constant_i64(a, &value))
    return echo_index_constant(emitter, value + b);
  if (def != NULL && echo_op_is(def, "arith.addi") &&
      echo_arith_constant_i64(echo_op_operand(def, 1), &value))
    return echo_index_add_constant(emitter, echo_op_operand(def, 0), value + b);
  return index_op(emitter, "arith.addi", a, echo_index_constant(emitter, b));
}

EchoValue *echo_index_sub(EchoElementEmitter *emitter, EchoValue *a, EchoValue *b)
{
  int64_t value = 0;
  if (a == b)
    return echo_index_constant(emitter, 0);
  if (echo_arith_constant_i64(b, &value))
    return echo_index_add_constant(emitter, a, -value);
  const EchoOp *def = echo_value_def_or_null(a);
  if (def != NULL && echo_op_is(def, "arith.addi") && echo_op_operand(def, 0) == b)
    return echo_op_operand(def, 1);
  return index_op(emitter, "arith.subi", a, b);
}

EchoValue *echo_index_mul_constant(EchoElementEmitter *emitter, EchoValue *a, int64_t b)
{
  int64_t value = 0;
  if (b == 1)
    return a;
  if (b == 0)
    return echo_index_constant(emitter, 0);
  if (echo_arith_constant_i64(a, &value))
    return echo_index_constant(emitter, value * b);
  return index_op(emitter, "arith.muli", a, echo_index_constant(emitter, b));
}

EchoValue *echo_index_strided(EchoElementEmitter *emitter, EchoValue *a, int64_t stride)
{
  EchoContext *ctx = emitter->builder->ctx;
  EchoValue *product = echo_index_mul_constant(emitter, a, stride);
  EchoOp *def = echo_value_def_or_null(product);
  if (product != a && def != NULL && echo_op_is(def, "arith.muli"))
    echo_op_set_attr(def, "overflowFlags",
                     echo_attr_opaque(ctx, echo_str("arith"), echo_str("overflow<nsw>"), true));
  return product;
}

/* A number above every value of `a`, which is not negative; 0 where none is known. */
static int64_t bound_of(const EchoValue *a)
{
  int64_t value = 0, low = 0;
  if (echo_arith_constant_i64(a, &value))
    return value >= 0 ? value + 1 : 0;
  if (a->is_block_arg) { /* a loop's index */
    const EchoOp *loop = echo_block_parent(echo_value_block(a));
    bool is_index = loop != NULL && a->index == 0 && echo_op_is(loop, "scf.for");
    return is_index && echo_arith_constant_i64(echo_op_operand(loop, 0), &low) && low >= 0 &&
                   echo_arith_constant_i64(echo_op_operand(loop, 1), &value) && value > 0
               ? value
               : 0;
  }
  const EchoOp *def = echo_value_def_or_null(a);
  if (def->n_operands != 2 || !echo_arith_constant_i64(echo_op_operand(def, 1), &value))
    return 0;
  if (echo_op_is(def, "arith.remui"))
    return value;
  int64_t bound = echo_op_is(def, "arith.divui") ? bound_of(echo_op_operand(def, 0)) : 0;
  return bound != 0 ? (bound - 1) / value + 1 : 0;
}

static bool is_multiple(const EchoValue *a, int64_t b)
{
  int64_t value = 0, low = 0;
  if (echo_arith_constant_i64(a, &value))
    return value >= 0 && value % b == 0;
  if (a->is_block_arg) { /* a loop's index */
    const EchoOp *loop = echo_block_parent(echo_value_block(a));
    return loop != NULL && a->index == 0 && echo_op_is(loop, "scf.for") &&
           echo_arith_constant_i64(echo_op_operand(loop, 0), &low) && low >= 0 && low % b == 0 &&
           echo_arith_constant_i64(echo_op_operand(loop, 2), &value) && value % b == 0;
  }
  const EchoOp *def = echo_value_def_or_null(a);
  if (echo_op_is(def, "arith.addi"))
    return is_multiple(echo_op_operand(def, 0), b) && is_multiple(echo_op_operand(def, 1), b);
  return echo_op_is(def, "arith.muli") &&
         echo_arith_constant_i64(echo_op_operand(def, 1), &value) && value >= 0 && value % b == 0;
}

/* A sum of a multiple of b and of what is not negative: they are divided apart. */
static bool split_multiple(const EchoValue *a, int64_t b, EchoValue **multiple, EchoValue **rest)
{
  const EchoOp *def = echo_value_def_or_null(a);
  if (def == NULL || !echo_op_is(def, "arith.addi"))
    return false;
  for (size_t i = 0; i < 2; ++i) {
    *multiple = echo_op_operand(def, i);
    *rest = echo_op_operand(def, 1 - i);
    if (is_multiple(*multiple, b) && bound_of(*rest) != 0)
      return true;
  }
  return false;
}

/* Of what is_multiple says so. */
static EchoValue *divide_multiple(EchoElementEmitter *emitter, EchoValue *a, int64_t b)
{
  int64_t value = 0;
  const EchoOp *def = echo_value_def_or_null(a);
  if (def != NULL && echo_op_is(def, "arith.addi"))
    return echo_index_add(emitter, divide_multiple(emitter, echo_op_operand(def, 0), b),
                          divide_multiple(emitter, echo_op_operand(def, 1), b));
  if (def != NULL && echo_op_is(def, "arith.muli") &&
      echo_arith_constant_i64(echo_op_operand(def, 1), &value))
    return echo_index_mul_constant(emitter, echo_op_operand(def, 0), value / b);
  return echo_index_div_constant(emitter, a, b);
}

EchoValue *echo_index_div_constant(EchoElementEmitter *emitter, EchoValue *a, int64_t b)
{
  int64_t value = 0;
  const EchoOp *def = echo_value_def_or_null(a);
  EchoValue *multiple, *rest;
  if (b == 1)
    return a;
  int64_t bound = bound_of(a);
  if (bound != 0 && bound <= b)
    return echo_index_constant(emitter, 0);
  if (split_multiple(a, b, &multiple, &rest))
    return echo_index_add(emitter, divide_multiple(emitter, multiple, b),
                          echo_index_div_constant(emitter, rest, b));
  if (echo_arith_constant_i64(a, &value))
    return echo_index_constant(emitter, value / b);
  if (def != NULL && echo_op_is(def, "arith.divui") &&
      echo_arith_constant_i64(echo_op_operand(def, 1), &value) && value <= INT64_MAX / b)
    return echo_index_div_constant(emitter, echo_op_operand(def, 0), value * b);
  if (def != NULL && echo_op_is(def, "arith.remui") &&
      echo_arith_constant_i64(echo_op_operand(def, 1), &value) && value % b == 0) {
    /* (x % m) / b = (x / b) % (m / b): every digit has one form */
    EchoValue *quotient = echo_index_div_constant(emitter, echo_op_operand(def, 0), b);
    return echo_index_rem_constant(emitter, quotient, value / b);
  }
  return index_op(emitter, "arith.divui", a, echo_index_constant(emitter, b));
}

EchoValue *echo_index_rem_constant(EchoElementEmitter *emitter, EchoValue *a, int64_t b)
{
  int64_t value = 0;
  if (b == 1)
    return echo_index_constant(emitter, 0);
  if (echo_arith_constant_i64(a, &value))
    return echo_index_constant(emitter, value % b);
  int64_t bound = bound_of(a);
  EchoValue *multiple, *rest;
  if (bound != 0 && bound <= b)
    return a;
  if (split_multiple(a, b, &multiple, &rest))
    return echo_index_rem_constant(emitter, rest, b);
  const EchoOp *def = echo_value_def_or_null(a);
  if (def != NULL && echo_op_is(def, "arith.remui") &&
      echo_arith_constant_i64(echo_op_operand(def, 1), &value) && value % b == 0)
    return echo_index_rem_constant(emitter, echo_op_operand(def, 0), b);
  return index_op(emitter, "arith.remui", a, echo_index_constant(emitter, b));
}

static EchoValue *extremum(EchoElementEmitter *emitter, const char *name, EchoValue *a,
                           EchoValue *b, bool is_min)
{
  int64_t x = 0, y = 0;
  if (a == b)
    return a;
  if (echo_arith_constant_i64(a, &x) && echo_arith_constant_i64(b, &y))
    return (x < y) == is_min ? a : b;
  return index_op(emitter, name, a, b);
}

EchoValue *echo_index_min(EchoElementEmitter *emitter, EchoValue *a, EchoValue *b)
{
  return extremum(emitter, "arith.minsi", a, b, true);
}

EchoValue *echo_index_max(EchoElementEmitter *emitter, EchoValue *a, EchoValue *b)
{
  return extremum(emitter, "arith.maxsi", a, b, false);
}

EchoValue *echo_index_compare(EchoElementEmitter *emitter, int64_t predicate, EchoValue *a,
                              EchoValue *b)
{
  EchoValue *operands[] = {a, b};
  return emitter->pure_op(emitter, "arith.cmpi", predicate, operands, 2,
                          echo_type_i1(emitter->builder->ctx));
}

EchoValue *echo_index_select(EchoElementEmitter *emitter, EchoValue *condition, EchoValue *a,
                             EchoValue *b)
{
  EchoValue *operands[] = {condition, a, b};
  if (a == b)
    return a;
  return emitter->pure_op(emitter, "arith.select", -1, operands, 3, a->type);
}

/* ---- digits ---- */

EchoIndexDigit echo_index_digit(EchoValue *value)
{
  EchoIndexDigit digit = {value, 1, 0};
  const EchoOp *def = echo_value_def_or_null(digit.source);
  int64_t constant = 0;
  if (def != NULL && echo_op_is(def, "arith.remui") &&
      echo_arith_constant_i64(echo_op_operand(def, 1), &constant)) {
    digit.modulus = constant;
    digit.source = echo_op_operand(def, 0);
    def = echo_value_def_or_null(digit.source);
  }
  if (def != NULL && echo_op_is(def, "arith.divui") &&
      echo_arith_constant_i64(echo_op_operand(def, 1), &constant)) {
    digit.divisor = constant;
    digit.source = echo_op_operand(def, 0);
  }
  return digit;
}

/* high * low_dim + low as one digit, when the two are neighbours in one number. */
static EchoValue *join_or_null(EchoElementEmitter *emitter, EchoValue *high, EchoValue *low,
                               int64_t low_dim)
{
  EchoIndexDigit h = echo_index_digit(high), l = echo_index_digit(low);
  int64_t divisor = 0, modulus = 0;
  if (h.source != l.source || l.modulus != low_dim || !echo_mul_i64(l.divisor, low_dim, &divisor) ||
      h.divisor != divisor)
    return NULL;
  if (h.modulus != 0 && !echo_mul_i64(h.modulus, low_dim, &modulus))
    return NULL;
  EchoValue *joined = echo_index_div_constant(emitter, h.source, l.divisor);
  return modulus != 0 ? echo_index_rem_constant(emitter, joined, modulus) : joined;
}

EchoValue *echo_index_linearize(EchoElementEmitter *emitter, const int64_t *dims, size_t rank,
                                EchoValue *const *indices)
{
  EchoValue *linear = NULL;
  for (size_t i = 0; i < rank; ++i) {
    if (dims[i] == 1)
      continue;
    if (linear == NULL) {
      linear = indices[i];
      continue;
    }
    EchoValue *joined = join_or_null(emitter, linear, indices[i], dims[i]);
    if (joined == NULL)
      joined =
          echo_index_add(emitter, echo_index_mul_constant(emitter, linear, dims[i]), indices[i]);
    linear = joined;
  }
  return linear != NULL ? linear : echo_index_constant(emitter, 0);
}

void echo_index_delinearize(EchoElementEmitter *emitter, EchoValue *linear, const int64_t *dims,
                            size_t rank, EchoValue **indices)
{
  int64_t divisor = 1;
  size_t top = 0; /* the first dimension of more than one index: it needs no remainder */
  while (top < rank && dims[top] == 1)
    ++top;
  for (size_t i = rank; i-- > 0;) {
    if (dims[i] == 1) {
      indices[i] = echo_index_constant(emitter, 0);
      continue;
    }
    indices[i] = echo_index_div_constant(emitter, linear, divisor);
    if (i != top)
      indices[i] = echo_index_rem_constant(emitter, indices[i], dims[i]);
    divisor *= dims[i] != 0 ? dims[i] : 1;
  }
}

void echo_index_reshape(EchoElementEmitter *emitter, const int64_t *from, size_t from_rank,
                        EchoValue *const *indices, const int64_t *to, size_t to_rank,
                        EchoValue **result)
{
  static const int64_t no_dims[1]; /* a scalar's type has none to point at */
  size_t i = 0, j = 0;
  from = from_rank != 0 ? from : no_dims;
  to = to_rank != 0 ? to : no_dims;
  while (i < from_rank || j < to_rank) {
    /* the shortest groups of dimensions with one product */
    size_t i_end = i, j_end = j;
    int64_t from_size = 1, to_size = 1;
    if (i_end < from_rank)
      from_size = from[i_end++];
    if (j_end < to_rank)
      to_size = to[j_end++];
    while (from_size != to_size) {
      if ((from_size < to_size || j_end == to_rank) && i_end < from_rank)
        from_size *= from[i_end++];
      else if (j_end < to_rank)
        to_size *= to[j_end++];
      else
        break; /* no elements at all: the indices are never used */
    }
    if (i_end - i == 1 && j_end - j == 1) {
      result[j] = indices[i];
    } else {
      EchoValue *const *read = i_end != i ? indices + i : NULL; /* a scalar has no indices */
      EchoValue *linear = echo_index_linearize(emitter, from + i, i_end - i, read);
      echo_index_delinearize(emitter, linear, to + j, j_end - j, result + j);
    }
    i = i_end;
    j = j_end;
  }
}
