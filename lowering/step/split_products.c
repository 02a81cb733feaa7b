/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A product of few results and many terms as several of fewer terms, and their sum: of weights'
 * gradients, for which a batch is summed over. Where it is cut is a function of the op and stands
 * in the IR, as a reduction's is. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/precision.h"
#include "lowering/step/split_reductions_t.h"

/* A tile of 64 x 64 results is a block's; as many as there are multiprocessors are enough. A block
 * alone on a multiprocessor takes some 36 ns for each term of f32 (roofline of the emulated sm_90),
 * so that one launch more, of 2.5 us and the sum itself, is worth what 100 to 180 of them take: as
 * many have to go to other blocks, generously. A part reads 2 x 64 x 128 elements, which is as much
 * as its 64 x 64 sums, written and read again, in halves, and twice that in f32. Parts of 512, 256,
 * 128 and 64 terms are beside each other in bench/results/gpu_kernels.md. */
enum { ENOUGH_TILES = 128, TILE = 64, MIN_PART = 128, MIN_SAVED = 256 };

/* Products of the sizes of the batching, of lhs's free, of rhs's free, of the contracted
 * dimensions. */
typedef struct Extents {
  int64_t batch, m, n, k;
} Extents;

static Extents extents_of(const EchoOp *op, const EchoDotDims *dims)
{
  const EchoType *lhs = echo_op_operand_type(op, 0), *rhs = echo_op_operand_type(op, 1);
  Extents e = {1, 1, 1, 1};
  for (size_t i = 0; i < echo_type_rank(lhs); ++i) {
    int64_t *extent = echo_dim_list_has(dims->lhs_batching, (int64_t)i)      ? &e.batch
                      : echo_dim_list_has(dims->lhs_contracting, (int64_t)i) ? &e.k
                                                                             : &e.m;
    *extent *= echo_type_dim(lhs, i);
  }
  for (size_t i = 0; i < echo_type_rank(rhs); ++i)
    if (!echo_dim_list_has(dims->rhs_batching, (int64_t)i) &&
        !echo_dim_list_has(dims->rhs_contracting, (int64_t)i))
      e.n *= echo_type_dim(rhs, i);
  return e;
}

static bool may_split(const EchoOp *op)
{
  if (!echo_op_is(op, "stablehlo.dot_general") || echo_op_has_attr(op, "algorithm"))
    return false;
  const EchoType *lhs = echo_op_operand_type(op, 0), *rhs = echo_op_operand_type(op, 1);
  const EchoType *result = echo_type_element(echo_op_result_type(op, 0));
  return echo_type_has_static_shape(lhs) && echo_type_has_static_shape(rhs) &&
         result->kind == ECHO_TYPE_FLOAT && echo_type_bit_width(result) >= 16 &&
         echo_type_rank(echo_op_result_type(op, 0)) < ECHO_MAX_RANK &&
         echo_type_rank(lhs) < ECHO_MAX_RANK && echo_type_rank(rhs) < ECHO_MAX_RANK;
}

const EchoType *echo_split_sum_type(const EchoOp *op)
{
  const EchoType *element = echo_type_element(echo_op_result_type(op, 0));
  return echo_type_bit_width(element) == 16 ? echo_type_float(echo_op_context(op), ECHO_F32)
                                            : element;
}

/* The sums of the parts are planned as all values are: they are to be no larger than what the
 * product reads, which is there at the same time. */
static bool is_worth_its_memory(const EchoOp *op, Extents e, int64_t parts)
{
  int64_t lhs = (int64_t)echo_type_element_bytes(echo_type_element(echo_op_operand_type(op, 0)));
  int64_t rhs = (int64_t)echo_type_element_bytes(echo_type_element(echo_op_operand_type(op, 1)));
  int64_t sums = (int64_t)echo_type_element_bytes(echo_split_sum_type(op)) * parts * e.m * e.n;
  return sums <= e.k * (e.m * lhs + e.n * rhs);
}

int64_t echo_split_wanted(int64_t batch, int64_t m, int64_t n, int64_t k)
{
  int64_t tiles = batch * ((m + TILE - 1) / TILE) * ((n + TILE - 1) / TILE);
  if (tiles == 0 || tiles > ENOUGH_TILES / 2)
    return 1;
  int64_t wanted = ENOUGH_TILES / tiles, most = k / MIN_PART;
  int64_t parts = wanted < most ? wanted : most;
  return parts < 2 || k - k / parts < MIN_SAVED ? 1 : parts;
}

/* The contracted pair that is cut into most parts, *parts of them; the first among equals. */
static size_t find_pair(const EchoOp *op, const EchoDotDims *dims, int64_t *parts)
{
  Extents e = extents_of(op, dims);
  size_t pair = 0;
  *parts = 1;
  int64_t wanted = echo_split_wanted(e.batch, e.m, e.n, e.k);
  for (size_t i = 0; i < dims->lhs_contracting.size && wanted > 1; ++i) {
    size_t dim = (size_t)dims->lhs_contracting.dims[i];
    int64_t found = echo_divisor_near(echo_type_dim(echo_op_operand_type(op, 0), dim), wanted);
    if (found > *parts && is_worth_its_memory(op, e, found)) {
      *parts = found;
      pair = i;
    }
  }
  return pair;
}

EchoValue *echo_split_cut(EchoBuilder *builder, EchoValue *value, size_t dim, int64_t parts)
{
  int64_t sizes[ECHO_MAX_RANK + 1];
  size_t rank = 0;
  for (size_t i = 0; i < echo_type_rank(value->type); ++i) {
    int64_t size = echo_type_dim(value->type, i);
    if (i == dim)
      sizes[rank++] = parts;
    sizes[rank++] = i == dim ? size / parts : size;
  }
  return echo_hlo_reshape(builder, value, sizes, rank);
}

/* The numbers of dimensions after `dim` was cut, of which the first part is left out. */
static EchoDimList renumbered(EchoDimList list, int64_t dim, int64_t *storage)
{
  for (size_t i = 0; i < list.size; ++i)
    storage[i] = list.dims[i] + (list.dims[i] >= dim);
  return (EchoDimList){storage, list.size};
}

static EchoDimList with(EchoDimList list, int64_t dim, int64_t *storage)
{
  storage[list.size] = dim;
  return (EchoDimList){storage, list.size + 1};
}

bool echo_split_product(EchoOp *op)
{
  int64_t parts = 1, numbers[4][ECHO_MAX_RANK + 1];
  if (!may_split(op))
    return false;
  const EchoDotDims *old = echo_stablehlo_dot_dims(op);
  size_t pair = find_pair(op, old, &parts);
  if (parts < 2)
    return false;
  EchoBuilder builder = echo_builder_before(op);
  builder.attrs = op->attrs;
  int64_t lhs_dim = old->lhs_contracting.dims[pair], rhs_dim = old->rhs_contracting.dims[pair];
  EchoDotDims dims = {with(renumbered(old->lhs_batching, lhs_dim, numbers[0]), lhs_dim, numbers[0]),
                      with(renumbered(old->rhs_batching, rhs_dim, numbers[1]), rhs_dim, numbers[1]),
                      renumbered(old->lhs_contracting, lhs_dim, numbers[2]),
                      renumbered(old->rhs_contracting, rhs_dim, numbers[3])};
  const EchoType *element = echo_type_element(echo_op_result_type(op, 0)),
                 *sums = echo_split_sum_type(op);
  EchoValue *lhs = echo_split_cut(&builder, echo_op_operand(op, 0), (size_t)lhs_dim, parts);
  EchoValue *rhs = echo_split_cut(&builder, echo_op_operand(op, 1), (size_t)rhs_dim, parts);
  EchoValue *partial = echo_hlo_dot_general(&builder, lhs, rhs, &dims, sums);
  echo_stablehlo_copy_precision(op, echo_value_def_or_null(partial));
  const int64_t part_dim = (int64_t)old->lhs_batching.size;
  EchoValue *whole = echo_hlo_reduce_sum(&builder, partial, &part_dim, 1);
  if (sums != element)
    whole = echo_hlo_convert(&builder, whole, element);
  echo_value_replace_all_uses(echo_op_result(op, 0), whole);
  echo_op_erase(op);
  return true;
}
