/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* rng_bit_generator, element by element: each element computes the block that it is a word of. The
 * generators and the order of the words are those of dialects/stablehlo/evaluate/random.h. */
#include "dialects/stablehlo/evaluate/random.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/kernels/lower_kernel_t.h"

typedef struct Rng {
  EchoKernelEmitter *emitter;
  EchoBuilder *builder;
  const EchoType *i32, *i64;
} Rng;

static EchoValue *word(const Rng *rng, uint32_t value)
{
  return echo_arith_int(rng->builder, rng->i32, (int64_t)value);
}

static EchoValue *op2(const Rng *rng, const char *name, EchoValue *a, EchoValue *b)
{
  return echo_arith_binary(rng->builder, name, a, b);
}

static EchoValue *low_word(const Rng *rng, EchoValue *wide)
{
  return echo_arith_unary(rng->builder, "arith.trunci", wide, rng->i32);
}

static EchoValue *high_word(const Rng *rng, EchoValue *wide)
{
  EchoValue *shift = echo_arith_int(rng->builder, rng->i64, 32);
  return low_word(rng, op2(rng, "arith.shrui", wide, shift));
}

static EchoValue *rotate_left(const Rng *rng, EchoValue *x, uint32_t n)
{
  return op2(rng, "arith.ori", op2(rng, "arith.shli", x, word(rng, n)),
             op2(rng, "arith.shrui", x, word(rng, 32 - n)));
}

static void threefry(const Rng *rng, EchoValue *key, EchoValue *counter, EchoValue *words[2])
{
  static const uint32_t ROTATIONS[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  EchoValue *keys[3] = {low_word(rng, key), high_word(rng, key), NULL};
  keys[2] =
      op2(rng, "arith.xori", op2(rng, "arith.xori", keys[0], keys[1]), word(rng, 0x1BD11BDAu));
  EchoValue *x0 = op2(rng, "arith.addi", low_word(rng, counter), keys[0]);
  EchoValue *x1 = op2(rng, "arith.addi", high_word(rng, counter), keys[1]);
  for (uint32_t group = 0; group < 5; ++group) {
    for (uint32_t round = 0; round < 4; ++round) {
      x0 = op2(rng, "arith.addi", x0, x1);
      x1 = op2(rng, "arith.xori", rotate_left(rng, x1, ROTATIONS[group % 2][round]), x0);
    }
    x0 = op2(rng, "arith.addi", x0, keys[(group + 1) % 3]);
    x1 = op2(rng, "arith.addi", op2(rng, "arith.addi", x1, keys[(group + 2) % 3]),
             word(rng, group + 1));
  }
  words[0] = x0;
  words[1] = x1;
}

static EchoValue *wide_product(const Rng *rng, EchoValue *x, uint32_t factor)
{
  EchoValue *wide = echo_arith_unary(rng->builder, "arith.extui", x, rng->i64);
  return op2(rng, "arith.muli", wide, echo_arith_int(rng->builder, rng->i64, (int64_t)factor));
}

static void philox(const Rng *rng, EchoValue *key, EchoValue *low, EchoValue *high,
                   EchoValue *words[4])
{
  EchoValue *k0 = low_word(rng, key), *k1 = high_word(rng, key);
  EchoValue *c0 = low_word(rng, low), *c1 = high_word(rng, low);
  EchoValue *c2 = low_word(rng, high), *c3 = high_word(rng, high);
  for (int round = 0; round < 10; ++round) {
    EchoValue *p0 = wide_product(rng, c0, 0xD2511F53u), *p1 = wide_product(rng, c2, 0xCD9E8D57u);
    c0 = op2(rng, "arith.xori", op2(rng, "arith.xori", high_word(rng, p1), c1), k0);
    c2 = op2(rng, "arith.xori", op2(rng, "arith.xori", high_word(rng, p0), c3), k1);
    c1 = low_word(rng, p1);
    c3 = low_word(rng, p0);
    k0 = op2(rng, "arith.addi", k0, word(rng, 0x9E3779B9u));
    k1 = op2(rng, "arith.addi", k1, word(rng, 0xBB67AE85u));
  }
  words[0] = c0;
  words[1] = c1;
  words[2] = c2;
  words[3] = c3;
}

static EchoValue *state_word(EchoKernelEmitter *emitter, const EchoOp *op, int64_t index)
{
  EchoValue *position = echo_index_constant(&emitter->base, index);
  return emitter->base.element(&emitter->base, echo_op_operand(op, 0), &position);
}

/* words[1] where `which` is odd, else words[0]. */
static EchoValue *pick(const Rng *rng, EchoValue *condition, EchoValue *a, EchoValue *b)
{
  return echo_arith_select(rng->builder, condition, a, b);
}

static EchoValue *is_odd(const Rng *rng, EchoValue *index, int64_t divisor)
{
  EchoElementEmitter *base = &rng->emitter->base;
  EchoValue *digit =
      echo_index_rem_constant(base, echo_index_div_constant(base, index, divisor), 2);
  return echo_index_compare(base, ECHO_CMPI_NE, digit, echo_index_constant(base, 0));
}

static EchoValue *as_i64(const Rng *rng, EchoValue *index)
{
  EchoValue *operands[] = {index};
  return rng->emitter->base.pure_op(&rng->emitter->base, "arith.index_castui", -1, operands, 1,
                                    rng->i64);
}

static EchoValue *join_words(const Rng *rng, EchoValue *low, EchoValue *high)
{
  EchoValue *wide_low = echo_arith_unary(rng->builder, "arith.extui", low, rng->i64);
  EchoValue *wide_high = echo_arith_unary(rng->builder, "arith.extui", high, rng->i64);
  EchoValue *shift = echo_arith_int(rng->builder, rng->i64, 32);
  return op2(rng, "arith.ori", wide_low, op2(rng, "arith.shli", wide_high, shift));
}

/* Of narrow elements: the shape with one dimension halved (evaluate/random.h). */
static void threefry_shape(const EchoType *type, size_t dim, int64_t *dims)
{
  for (size_t i = 0; i < type->as.shaped.rank; ++i)
    dims[i] = (type->as.shaped.dims[i] + (i == dim)) / (i == dim ? 2 : 1);
}

static int64_t threefry_blocks(const EchoType *type, bool is_wide)
{
  int64_t dims[ECHO_MAX_RANK], n = 1;
  size_t rank = type->as.shaped.rank;
  if (is_wide)
    return echo_type_static_n_elements(type);
  threefry_shape(type, echo_threefry_dimension(type->as.shaped.dims, rank), dims);
  for (size_t i = 0; i < rank; ++i)
    n *= dims[i];
  return n;
}

/* The bits of the element at `indices`, 32 or 64 of them. */
static EchoValue *threefry_bits(const Rng *rng, EchoValue *key, EchoValue *low,
                                const EchoType *type, EchoValue *const *indices, bool is_wide)
{
  EchoElementEmitter *base = &rng->emitter->base;
  size_t rank = type->as.shaped.rank;
  int64_t dims[ECHO_MAX_RANK];
  EchoValue *at[ECHO_MAX_RANK], *words[2], *is_second = NULL;
  for (size_t i = 0; i < rank; ++i) {
    dims[i] = type->as.shaped.dims[i];
    at[i] = indices[i];
  }
  if (!is_wide && rank != 0) {
    size_t dim = echo_threefry_dimension(type->as.shaped.dims, rank);
    threefry_shape(type, dim, dims);
    at[dim] = echo_index_div_constant(base, indices[dim], 2);
    is_second = is_odd(rng, indices[dim], 1);
  }
  EchoValue *block = echo_index_linearize(base, dims, rank, at);
  threefry(rng, key, op2(rng, "arith.addi", low, as_i64(rng, block)), words);
  if (is_wide)
    return join_words(rng, words[0], words[1]);
  return is_second != NULL ? pick(rng, is_second, words[1], words[0]) : words[0];
}

static EchoValue *philox_bits(const Rng *rng, EchoValue *key, EchoValue *low, EchoValue *high,
                              EchoValue *index, bool is_wide)
{
  EchoElementEmitter *base = &rng->emitter->base;
  EchoValue *words[4];
  EchoValue *block = as_i64(rng, echo_index_div_constant(base, index, is_wide ? 2 : 4));
  EchoValue *counter = op2(rng, "arith.addi", low, block);
  EchoValue *carry =
      echo_arith_unary(rng->builder, "arith.extui",
                       echo_arith_cmpi(rng->builder, ECHO_CMPI_ULT, counter, low), rng->i64);
  philox(rng, key, counter, op2(rng, "arith.addi", high, carry), words);
  EchoValue *odd = is_odd(rng, index, 1);
  if (is_wide)
    return pick(rng, odd, join_words(rng, words[2], words[3]), join_words(rng, words[0], words[1]));
  EchoValue *upper = is_odd(rng, index, 2);
  return pick(rng, upper, pick(rng, odd, words[3], words[2]), pick(rng, odd, words[1], words[0]));
}

/* Component `index` of the new state: the counter moved past the blocks that were used. */
static EchoValue *new_state(const Rng *rng, const EchoOp *op, EchoValue *low, EchoValue *index,
                            int64_t n_blocks)
{
  EchoKernelEmitter *emitter = rng->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *old = base->element(base, echo_op_operand(op, 0), &index);
  EchoValue *next = op2(rng, "arith.addi", low, echo_arith_int(rng->builder, rng->i64, n_blocks));
  EchoValue *carry =
      echo_arith_unary(rng->builder, "arith.extui",
                       echo_arith_cmpi(rng->builder, ECHO_CMPI_ULT, next, low), rng->i64);
  EchoValue *is_low = echo_index_compare(base, ECHO_CMPI_EQ, index, echo_index_constant(base, 1));
  EchoValue *is_high = echo_index_compare(base, ECHO_CMPI_EQ, index, echo_index_constant(base, 2));
  EchoValue *value = pick(rng, is_high, op2(rng, "arith.addi", old, carry), old);
  return pick(rng, is_low, next, value);
}

EchoValue *echo_emit_rng_element(EchoKernelEmitter *emitter, const EchoOp *op, size_t result,
                                 EchoValue *const *indices)
{
  EchoContext *ctx = emitter->ctx;
  Rng rng = {emitter, emitter->base.builder, echo_type_i32(ctx), echo_type_i64(ctx)};
  const EchoType *state = echo_op_operand_type(op, 0), *type = echo_op_result_type(op, 1);
  EchoElementKind kind = echo_type_element_kind(type);
  int64_t n_words = echo_type_static_n_elements(state), n = echo_type_static_n_elements(type);
  bool is_float = kind == ECHO_ELEMENT_NONE || echo_element_is_float(kind);
  if (echo_type_element_kind(state) != ECHO_ELEMENT_UI64 || n_words < 2 || n_words > 3 ||
      is_float) {
    echo_op_error(op, "has a lowering for a state of two or three ui64 and integer bits only");
    return NULL;
  }
  bool is_threefry = echo_stablehlo_rng_algorithm(op) == ECHO_RNG_THREE_FRY;
  bool is_wide = echo_type_bit_width(echo_scalar_type(ctx, kind)) == 64;
  EchoValue *key = state_word(emitter, op, 0), *low = state_word(emitter, op, 1);
  EchoValue *high = n_words == 3 ? state_word(emitter, op, 2) : key;
  int64_t per_block = is_wide ? 2 : 4;
  if (result == 0)
    return new_state(&rng, op, low, indices[0],
                     is_threefry ? threefry_blocks(type, is_wide)
                                 : (n + per_block - 1) / per_block);
  EchoValue *index =
      echo_index_linearize(&emitter->base, type->as.shaped.dims, type->as.shaped.rank, indices);
  EchoValue *bits = is_threefry ? threefry_bits(&rng, key, low, type, indices, is_wide)
                                : philox_bits(&rng, key, low, high, index, is_wide);
  const EchoType *scalar = echo_scalar_type(ctx, kind);
  return is_wide || bits->type == scalar
             ? bits
             : echo_arith_unary(rng.builder, "arith.trunci", bits, scalar);
}
