/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Random trees of movement ops compute the same, to the bit, before and behind --forward-movement;
 * no op and no byte more; long chains of updates and slices take no more than n log n. */
#include <check.h>
#include <stdio.h>
#include <time.h>

#include "dialects/dialects.h"
#include "dialects/interfaces/evaluate.h"
#include "dialects/stablehlo/build.h"
#include "ir/pass/pass.h"
#include "ir/symbol.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "lowering/lowering.h"
#include "tests/unit/suite.h"

enum { MAX_VALUES = 96, N_ARGS = 3, MAX_TEST_RANK = 4, MAX_ELEMENTS = 600 };

typedef struct Program {
  EchoContext *ctx;
  EchoBuilder b;
  const EchoType *element;
  EchoValue *values[MAX_VALUES];
  size_t n;
  uint64_t seed;
} Program;

static uint64_t draw(Program *p, uint64_t below)
{
  p->seed = p->seed * 6364136223846793005u + 1442695040888963407u;
  return (p->seed >> 33) % below;
}

static int64_t between(Program *p, int64_t low, int64_t high)
{
  return low + (int64_t)draw(p, (uint64_t)(high - low + 1));
}

static EchoValue *any_value(Program *p)
{
  return p->values[draw(p, 3) == 0 ? draw(p, p->n) : p->n - 1 - draw(p, p->n < 8 ? p->n : 8)];
}

static EchoValue *scalar(Program *p)
{
  static const double NUMBERS[] = {0.0, -0.0, 3.0};
  return echo_hlo_scalar_f64(&p->b, p->element, NUMBERS[draw(p, 3)]);
}

static EchoValue *random_slice(Program *p, EchoValue *x, bool is_dynamic)
{
  int64_t start[MAX_TEST_RANK], limit[MAX_TEST_RANK], strides[MAX_TEST_RANK];
  EchoValue *starts[MAX_TEST_RANK];
  for (uint32_t d = 0; d < echo_type_rank(x->type); ++d) {
    int64_t size = echo_type_dim(x->type, d);
    start[d] = size == 0 ? 0 : between(p, 0, size - 1);
    limit[d] = draw(p, 2) == 0
                   ? size
                   : between(p, draw(p, 40) == 0 || size == 0 ? start[d] : start[d] + 1, size);
    strides[d] = between(p, 1, 3);
    limit[d] -= is_dynamic ? start[d] : 0; /* the size */
    starts[d] = echo_hlo_scalar_i64(&p->b, echo_type_i32(p->ctx), between(p, -2, size + 1));
  }
  return is_dynamic ? echo_hlo_dynamic_slice(&p->b, x, starts, limit)
                    : echo_hlo_slice(&p->b, x, start, limit, strides);
}

static EchoValue *random_transpose(Program *p, EchoValue *x)
{
  int64_t permutation[MAX_TEST_RANK];
  uint32_t rank = echo_type_rank(x->type);
  for (uint32_t d = 0; d < rank; ++d) {
    uint32_t other = (uint32_t)draw(p, d + 1);
    permutation[d] = permutation[other];
    permutation[other] = d;
  }
  return echo_hlo_transpose(&p->b, x, permutation);
}

/* Moves a factor from one dimension to another, adds or drops a dimension of size 1. */
static EchoValue *random_reshape(Program *p, EchoValue *x)
{
  int64_t dims[MAX_TEST_RANK + 2];
  uint32_t rank = 0;
  for (uint32_t d = 0; d < echo_type_rank(x->type); ++d) {
    int64_t size = echo_type_dim(x->type, d), factor = between(p, 1, 3);
    if (draw(p, 4) == 0 && rank < MAX_TEST_RANK)
      dims[rank++] = 1;
    if (rank != 0 && draw(p, 3) == 0)
      dims[rank - 1] *= size; /* joined */
    else if (size % factor == 0 && rank + 1 < MAX_TEST_RANK && draw(p, 2) == 0) {
      dims[rank++] = factor;
      dims[rank++] = size / factor;
    } else if (rank < MAX_TEST_RANK)
      dims[rank++] = size;
    else
      dims[rank - 1] *= size;
  }
  return echo_hlo_reshape(&p->b, x, dims, rank);
}

static EchoValue *random_reverse(Program *p, EchoValue *x)
{
  int64_t dims[MAX_TEST_RANK];
  size_t n = 0;
  for (uint32_t d = 0; d < echo_type_rank(x->type); ++d)
    if (draw(p, 2) == 0)
      dims[n++] = d;
  return echo_hlo_reverse(&p->b, x, dims, n);
}

static EchoValue *random_broadcast(Program *p, EchoValue *x)
{
  int64_t sizes[MAX_TEST_RANK], dims[MAX_TEST_RANK];
  uint32_t rank = echo_type_rank(x->type), n = 0;
  if (rank == MAX_TEST_RANK)
    return x;
  uint32_t added = (uint32_t)draw(p, rank + 1);
  for (uint32_t d = 0; d <= rank; ++d) {
    if (d == added)
      sizes[n++] = between(p, 1, 3);
    if (d == rank)
      break;
    dims[d] = n;
    sizes[n++] = echo_type_dim(x->type, d) == 1 ? between(p, 1, 3) : echo_type_dim(x->type, d);
  }
  return echo_hlo_broadcast_in_dim(&p->b, x, echo_hlo_tensor(p->ctx, sizes, n, p->element), dims,
                                   rank);
}

static EchoValue *random_pad(Program *p, EchoValue *x)
{
  int64_t low[MAX_TEST_RANK], high[MAX_TEST_RANK], interior[MAX_TEST_RANK];
  for (uint32_t d = 0; d < echo_type_rank(x->type); ++d) {
    int64_t size = echo_type_dim(x->type, d);
    interior[d] = draw(p, 3) == 0 ? between(p, 0, 2) : 0;
    int64_t whole = size == 0 ? 0 : size + (size - 1) * interior[d];
    low[d] = between(p, -1, 2);
    high[d] = between(p, -1, 2);
    if (whole + low[d] + high[d] < 0)
      low[d] = high[d] = 0;
  }
  return echo_hlo_pad(&p->b, x, scalar(p), low, high, interior);
}

/* With others of its shape, whole or in part. */
static EchoValue *random_concatenate(Program *p, EchoValue *x)
{
  uint32_t rank = echo_type_rank(x->type), dim;
  if (rank == 0)
    return x;
  dim = (uint32_t)draw(p, rank);
  EchoValue *parts[5];
  size_t n = 1 + draw(p, 4);
  for (size_t i = 0; i < n; ++i) {
    parts[i] = x;
    for (int tries = 0; tries < 4; ++tries) {
      EchoValue *other = any_value(p);
      if (other->type == x->type)
        parts[i] = other;
    }
    if (draw(p, 3) == 0)
      parts[i] =
          echo_hlo_slice_dim(&p->b, parts[i], dim, 0, between(p, 0, echo_type_dim(x->type, dim)));
  }
  return echo_hlo_concatenate(&p->b, parts, n, dim);
}

static EchoValue *random_update(Program *p, EchoValue *x)
{
  EchoValue *starts[MAX_TEST_RANK], *update = NULL;
  uint32_t rank = echo_type_rank(x->type);
  for (uint32_t d = 0; d < rank; ++d)
    starts[d] = echo_hlo_scalar_i64(&p->b, echo_type_i32(p->ctx),
                                    between(p, -1, echo_type_dim(x->type, d)));
  for (int tries = 0; tries < 12 && update == NULL; ++tries) {
    EchoValue *other = any_value(p);
    bool fits = echo_type_rank(other->type) == rank;
    for (uint32_t d = 0; fits && d < rank; ++d)
      fits = echo_type_dim(other->type, d) <= echo_type_dim(x->type, d);
    if (fits)
      update = other;
  }
  if (update == NULL || draw(p, 3) == 0)
    update = random_slice(p, x, false);
  return echo_hlo_dynamic_update_slice(&p->b, x, update, starts);
}

/* Rows of a dimension, evenly counted or not, some outside. */
static EchoValue *random_gather(Program *p, EchoValue *x)
{
  uint32_t rank = echo_type_rank(x->type);
  if (rank == 0 || echo_type_static_n_elements(x->type) == 0)
    return x;
  int64_t dim = (int64_t)draw(p, rank), sizes[MAX_TEST_RANK], offsets[MAX_TEST_RANK], numbers[4];
  int64_t n_rows = between(p, 1, 4), start = between(p, -1, 3), step = between(p, -1, 2), one = 1;
  bool is_kept = draw(p, 4) == 0 && rank < MAX_TEST_RANK;
  size_t n_offsets = 0;
  if (rank == MAX_TEST_RANK && is_kept)
    return x;
  for (uint32_t d = 0; d < rank; ++d) {
    sizes[d] = (int64_t)d == dim ? one : echo_type_dim(x->type, d);
    if ((int64_t)d != dim || is_kept)
      offsets[n_offsets] = 1 + (int64_t)n_offsets, ++n_offsets;
  }
  for (int64_t i = 0; i < n_rows; ++i)
    numbers[i] = draw(p, 12) == 0 ? between(p, -2, 9) : start + step * i;
  const EchoType *type =
      echo_type_tensor(p->ctx, (int64_t[]){n_rows, 1}, 2, echo_type_i64(p->ctx), NULL);
  EchoValue *indices = echo_hlo_constant(
      &p->b, echo_attr_elements(p->ctx, type, numbers, (size_t)n_rows * 8, false));
  EchoGatherDims dims = {.offset_dims = {offsets, n_offsets},
                         .collapsed_slice_dims = {&dim, is_kept ? 0 : 1},
                         .start_index_map = {&dim, 1},
                         .index_vector_dim = 1};
  return echo_hlo_gather(&p->b, x, indices, &dims, sizes, false);
}

/* Of each row of dimension 0 its own places in dimension 1. */
static EchoValue *random_batched_gather(Program *p, EchoValue *x)
{
  uint32_t rank = echo_type_rank(x->type);
  int64_t sizes[MAX_TEST_RANK], offsets[MAX_TEST_RANK], numbers[64], zero = 0, one = 1;
  if (rank < 2 || rank == MAX_TEST_RANK || echo_type_static_n_elements(x->type) == 0 ||
      echo_type_dim(x->type, 0) > 16)
    return x;
  int64_t n_rows = echo_type_dim(x->type, 0), n = between(p, 1, 4), by_row = between(p, -1, 1);
  int64_t step = draw(p, 2) == 0 ? 0 : between(p, 0, 2), start = between(p, -1, 2);
  for (uint32_t d = 0; d < rank; ++d) {
    sizes[d] = d < 2 ? 1 : echo_type_dim(x->type, d);
    offsets[d] = d; /* behind the two of the indices */
  }
  for (int64_t i = 0; i < n_rows * n; ++i)
    numbers[i] = draw(p, 30) == 0 ? between(p, -2, 9) : start + by_row * (i / n) + step * (i % n);
  const EchoType *type =
      echo_type_tensor(p->ctx, (int64_t[]){n_rows, n, 1}, 3, echo_type_i64(p->ctx), NULL);
  EchoValue *indices = echo_hlo_constant(
      &p->b, echo_attr_elements(p->ctx, type, numbers, (size_t)(n_rows * n) * 8, false));
  EchoGatherDims dims = {.offset_dims = {offsets + 2, rank - 2},
                         .collapsed_slice_dims = {&one, 1},
                         .operand_batching_dims = {&zero, 1},
                         .start_indices_batching_dims = {&zero, 1},
                         .start_index_map = {&one, 1},
                         .index_vector_dim = 2};
  return echo_hlo_gather(&p->b, x, indices, &dims, sizes, false);
}

static EchoValue *random_sum(Program *p, EchoValue *x)
{
  for (int tries = 0; tries < 8; ++tries) {
    EchoValue *other = any_value(p);
    if (other->type == x->type && echo_type_bit_width(p->element) > 1)
      return echo_hlo_add(&p->b, x, other);
  }
  return x;
}

/* Parts of a value, padded with zeros to where they stood or nearby, and added up in any order. */
static EchoValue *random_pad_sum(Program *p, EchoValue *x)
{
  EchoValue *terms[6], *zero;
  uint32_t rank = echo_type_rank(x->type);
  if (rank == 0 || echo_type_bit_width(p->element) <= 1)
    return x;
  int64_t dim = between(p, 0, rank - 1), size = echo_type_dim(x->type, (size_t)dim), at = 0;
  size_t n = 0;
  zero = draw(p, 8) == 0 ? scalar(p) : echo_hlo_scalar_f64(&p->b, p->element, 0.0);
  while (n < 6 && at < size) {
    int64_t low[MAX_TEST_RANK] = {0}, high[MAX_TEST_RANK] = {0}, end = between(p, at + 1, size);
    low[dim] = at;
    high[dim] = size - end;
    if (draw(p, 10) == 0 && at > 0) {
      --low[dim]; /* meets the one before it */
      ++high[dim];
    }
    terms[n] = echo_hlo_slice_dim(&p->b, x, dim, at, end);
    terms[n] = echo_hlo_pad(&p->b, draw(p, 2) == 0 ? terms[n] : echo_hlo_negate(&p->b, terms[n]),
                            zero, low, high, NULL);
    ++n;
    at = end + (draw(p, 3) == 0);
  }
  if (n == 0)
    return x;
  while (n > 1) {
    size_t a = draw(p, n), b = draw(p, n - 1);
    EchoValue *first = terms[a];
    terms[a] = terms[--n];
    terms[b] = draw(p, 2) == 0 ? echo_hlo_add(&p->b, first, terms[b])
                               : echo_hlo_add(&p->b, terms[b], first);
    if (draw(p, 6) == 0 && p->n < MAX_VALUES - 2)
      p->values[p->n++] = terms[b];
  }
  return terms[0];
}

static EchoValue *random_op(Program *p)
{
  EchoValue *x = any_value(p);
  switch (draw(p, 16)) {
  case 0:
  case 1:
    return random_slice(p, x, false);
  case 2:
  case 3:
    return random_slice(p, x, true);
  case 4:
    return random_transpose(p, x);
  case 5:
    return random_reshape(p, x);
  case 6:
    return random_reverse(p, x);
  case 7:
    return random_broadcast(p, x);
  case 8:
    return random_pad(p, x);
  case 9:
    return draw(p, 2) == 0 ? random_gather(p, x) : random_batched_gather(p, x);
  case 10:
  case 11:
    return random_update(p, x);
  case 12:
    return random_sum(p, x);
  case 13:
  case 14:
    return random_pad_sum(p, x);
  default:
    return random_concatenate(p, x);
  }
}

/* ---- the module around it ---- */

static EchoOp *start_program(Program *p, const char *element)
{
  p->ctx = echo_context_create();
  echo_register_dialects(p->ctx);
  char text[512];
  snprintf(text, sizeof text,
           "func.func @main(%%a: tensor<3x4x2x%s>, %%b: tensor<5x3x%s>, %%c: tensor<4x%s>) {\n"
           "  return\n}\n",
           element, element, element);
  EchoOp *module = echo_parse_text_or_null(p->ctx, ECHO_STR("random.mlir"), echo_str(text));
  ck_assert_ptr_nonnull(module);
  EchoBlock *body = echo_op_body(echo_op_body(module, 0)->first, 0);
  p->b = echo_builder_before(body->last);
  p->element = echo_type_element(echo_block_arg(body, 0)->type);
  for (size_t i = 0; i < N_ARGS; ++i)
    p->values[p->n++] = echo_block_arg(body, i);
  return module;
}

/* Returns some of what was computed, the last value among it. */
static void finish_program(Program *p, EchoOp *module, size_t n_results)
{
  EchoOp *function = echo_op_body(module, 0)->first;
  EchoOp *end = echo_op_body(function, 0)->last;
  EchoValue *returned[MAX_VALUES];
  const EchoType *inputs[N_ARGS], *types[MAX_VALUES];
  for (size_t i = 0; i < n_results; ++i) {
    returned[i] = i == 0 ? p->values[p->n - 1] : any_value(p);
    types[i] = returned[i]->type;
  }
  for (size_t i = 0; i < N_ARGS; ++i)
    inputs[i] = p->values[i]->type;
  echo_op_set_operands(end, returned, n_results);
  echo_op_set_attr(
      function, "function_type",
      echo_attr_type(p->ctx, echo_type_function(p->ctx, inputs, N_ARGS, types, n_results)));
}

static void run_passes(EchoContext *ctx, EchoOp *module, const char *pipeline)
{
  EchoPassRegistry *registry = echo_pass_registry_create();
  echo_register_ir_passes(registry);
  echo_register_lowering_passes(registry);
  EchoPassManagerOptions options = {.verify_each = true};
  EchoPassManager *manager = echo_pass_manager_create(ctx, registry, &options);
  ck_assert(echo_pass_manager_add_pipeline(manager, echo_str(pipeline)));
  ck_assert(echo_pass_manager_run(manager, module));
  echo_pass_manager_destroy(manager);
  echo_pass_registry_destroy(registry);
}

static void interpret(Program *p, const EchoOp *module, EchoTensor **results, size_t n_results)
{
  const EchoOp *function = echo_op_body(module, 0)->first;
  EchoTensor *args[N_ARGS];
  for (size_t i = 0; i < N_ARGS; ++i) {
    args[i] = echo_tensor_create(p->values[i]->type, true);
    for (int64_t k = 0; k < args[i]->n_elements; ++k) {
      int64_t number = 40 * (int64_t)i + k + 1;
      if (!echo_element_is_float(args[i]->kind))
        echo_tensor_set_i64(args[i], k, number);
      else
        echo_tensor_set_f64(args[i], k, k % 5 == 0 ? -0.0 : (double)number);
    }
  }
  ck_assert(echo_interpret(p->ctx, module, function, (const EchoTensor *const *)args, N_ARGS,
                           results, n_results));
  for (size_t i = 0; i < N_ARGS; ++i)
    echo_tensor_destroy(args[i]);
}

/* What costs something. */
static size_t n_ops(EchoOp *module)
{
  size_t n = 0;
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    n += !echo_op_is(op, "stablehlo.reshape") && !echo_op_has_trait(op, ECHO_CONSTANT);
  return n;
}

static void print_text(const EchoOp *module)
{
  EchoBuffer text = {0};
  echo_print_op(module, &(EchoPrintOptions){0}, &text);
  fprintf(stderr, "%s\n", echo_buffer_c_str(&text));
  echo_buffer_destroy(&text);
}

enum { N_RESULTS = 4, N_ROUNDS = 150 };

static void check_round(uint64_t seed, const char *element)
{
  Program p = {.seed = seed};
  EchoOp *module = start_program(&p, element);
  size_t wanted = N_ARGS + 4 + draw(&p, 40);
  for (int tries = 0; p.n < wanted && tries < 400; ++tries) {
    EchoValue *value = random_op(&p);
    if (echo_type_static_n_elements(value->type) <= MAX_ELEMENTS)
      p.values[p.n++] = value;
  }
  finish_program(&p, module, N_RESULTS);
  ck_assert(echo_verify(module));
  run_passes(p.ctx, module, "dce");
  size_t n_before = n_ops(module);
  EchoBuffer text = {0};
  echo_print_op(module, &(EchoPrintOptions){0}, &text);
  EchoTensor *want[N_RESULTS], *got[N_RESULTS];
  interpret(&p, module, want, N_RESULTS);
  run_passes(p.ctx, module, "forward-movement");
  interpret(&p, module, got, N_RESULTS);
  bool same = n_ops(module) <= n_before;
  for (size_t i = 0; i < N_RESULTS; ++i)
    same = same && got[i]->type == want[i]->type &&
           memcmp(got[i]->data, want[i]->data, (size_t)echo_type_static_bytes(got[i]->type)) == 0;
  if (!same) {
    fprintf(stderr, "seed %llu: %zu ops, then %zu\n%s\n", (unsigned long long)seed, n_before,
            n_ops(module), echo_buffer_c_str(&text));
    print_text(module);
  }
  ck_assert(same);
  for (size_t i = 0; i < N_RESULTS; ++i) {
    echo_tensor_destroy(want[i]);
    echo_tensor_destroy(got[i]);
  }
  echo_buffer_destroy(&text);
  echo_context_destroy(p.ctx);
}

START_TEST(random_movement_stays)
{
  static const char *const ELEMENTS[] = {"f32", "i32", "bf16", "f64", "ui8", "i1", "complex<f32>"};
  for (uint64_t round = 0; round < N_ROUNDS; ++round)
    check_round(1 + (uint64_t)_i * N_ROUNDS + round, ELEMENTS[_i % 6]);
}
END_TEST

/* ---- long chains ---- */

typedef enum Chain {
  UPDATES,   /* of a stack, which is sliced at the end */
  APPENDS,   /* to a concatenation */
  SUMS,      /* of pads: the gradient of slices */
  READ_SUMS, /* the same, and each of them is read as a whole */
  N_CHAINS
} Chain;

static EchoValue *add_to_stack(Program *p, Chain chain, EchoValue *stack, EchoValue *row, int64_t i,
                               int64_t n)
{
  EchoValue *zero = echo_hlo_scalar_f64(&p->b, p->element, 0);
  EchoValue *at[] = {echo_hlo_scalar_i64(&p->b, echo_type_i32(p->ctx), i),
                     echo_hlo_scalar_i64(&p->b, echo_type_i32(p->ctx), 0)};
  switch (chain) {
  case UPDATES:
    stack = stack != NULL
                ? stack
                : echo_hlo_broadcast_scalar(
                      &p->b, zero, echo_hlo_tensor(p->ctx, (int64_t[]){n, 4}, 2, p->element));
    return echo_hlo_dynamic_update_slice(&p->b, stack, row, at);
  case APPENDS:
    return stack != NULL ? echo_hlo_concatenate(&p->b, (EchoValue *[]){stack, row}, 2, 0) : row;
  case SUMS:
  case READ_SUMS:
  case N_CHAINS:
    break;
  }
  EchoValue *pad =
      echo_hlo_pad(&p->b, row, zero, (int64_t[]){i, 0}, (int64_t[]){n - 1 - i, 0}, NULL);
  return stack != NULL ? echo_hlo_add(&p->b, stack, pad) : pad;
}

/* x is stacked n times and taken apart again. */
static EchoOp *start_stack(Program *p, int64_t n, Chain chain)
{
  EchoOp *module = start_program(p, "f32");
  EchoValue *row = echo_hlo_reshape(&p->b, p->values[2], (int64_t[]){1, 4}, 2);
  EchoValue *sum = row, *stack = NULL, *whole = NULL;
  for (int64_t i = 0; i < n; ++i) {
    row = echo_hlo_tanh(&p->b, row);
    stack = add_to_stack(p, chain, stack, row, i, n);
    if (chain == READ_SUMS)
      whole = whole != NULL ? echo_hlo_multiply(&p->b, whole, stack) : stack;
  }
  for (int64_t i = 0; i < n; ++i)
    sum = echo_hlo_add(&p->b, sum, echo_hlo_slice_dim(&p->b, stack, 0, n - 1 - i, n - i));
  p->values[p->n++] = whole != NULL ? whole : sum;
  p->values[p->n++] = sum;
  finish_program(p, module, whole != NULL ? 2 : 1);
  return module;
}

/* Seconds; what was stacked for nothing is gone. */
static double seconds_of(int64_t n, Chain chain)
{
  Program p = {.seed = 1};
  EchoOp *module = start_stack(&p, n, chain);
  clock_t start = clock();
  run_passes(p.ctx, module, "forward-movement");
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  bool is_gone = chain == UPDATES || chain == SUMS;
  for (EchoOp *op = module; is_gone && op != NULL; op = echo_op_walk_next(module, op))
    ck_assert(!echo_op_is(op, "stablehlo.dynamic_update_slice") &&
              !echo_op_is(op, "stablehlo.slice") && !echo_op_is(op, "stablehlo.pad"));
  echo_context_destroy(p.ctx);
  return seconds;
}

#define N_TRIES 5 /* the machine may be busy with other work: once is enough */

/* From n to 16 n, n log n grows by about 21 and n squared by 256; caches that others use, too, have
 * been seen to treble it. */
START_TEST(chains_scale)
{
  double small = 0, large = 1;
  for (int i = 0; i < N_TRIES && large >= 128 * small; ++i) {
    small = seconds_of(1250, (Chain)_i);
    large = seconds_of(20000, (Chain)_i);
  }
  ck_assert_msg(large < 128 * small, "%.3f s, sixteen times as much: %.3f s", small, large);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("forward_movement");
  TCase *tcase = tcase_create("random");
  tcase_set_timeout(tcase, 120);
  tcase_add_loop_test(tcase, random_movement_stays, 0, 12);
  suite_add_tcase(suite, tcase);
  tcase = tcase_create("scale");
  tcase_set_timeout(tcase, 120);
  tcase_add_loop_test(tcase, chains_scale, 0, N_CHAINS);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
