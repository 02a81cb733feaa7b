/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the ops cost to run once: operations exactly as the specification's formulas count them,
 * bytes as if each operand and result went to memory once. Dimension letters: N elements of the
 * result, K contracted elements, T trips of a loop. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/first_places.h"
#include "dialects/stablehlo/hooks_t.h"
#include "dialects/stablehlo/loop.h"
#include "dialects/stablehlo/window_scan.h"

/* Elements and bytes as doubles: costs are never exact beyond 2^53. */
static double elements(const EchoType *type)
{
  int64_t n;
  return echo_type_n_elements(type, &n) ? (double)n : 0;
}

static double bytes(const EchoType *type)
{
  uint64_t n;
  return echo_type_bytes(type, &n) ? (double)n : 0;
}

static void add_traffic(const EchoOp *op, EchoCost *cost)
{
  for (size_t i = 0; i < op->n_operands; ++i)
    cost->bytes_read += bytes(echo_op_operand_type(op, i));
  for (size_t i = 0; i < op->n_results; ++i)
    cost->bytes_written += bytes(echo_op_result_type(op, i));
}

/* One for each element of the result. */
void echo_hlo_cost_flops(const EchoOp *op, EchoCost *cost)
{
  add_traffic(op, cost);
  cost->flops = elements(echo_op_result_type(op, 0));
}

void echo_hlo_cost_transcendentals(const EchoOp *op, EchoCost *cost)
{
  add_traffic(op, cost);
  cost->transcendentals = elements(echo_op_result_type(op, 0));
}

/* ---- of one element, in operations as simple as a sum (bench/results/predict.md) ---- */

/* A processor's divider takes so long for a vector, and half as long again for one of f64. */
#define DIVISION_FLOPS 4
#define ROOT_FLOPS 6
#define WIDE_PART 1.5
/* Integers it divides one by one; by a constant they are multiplied, those of 64 bits in parts. */
#define INTEGER_DIVISION_FLOPS 80
#define CONSTANT_DIVISION_FLOPS 5
#define WIDE_CONSTANT_DIVISION_FLOPS 30

static bool is_integer(const EchoType *type)
{
  EchoElementKind kind = echo_type_element_kind(type);
  return kind != ECHO_ELEMENT_NONE && !echo_element_is_float(kind);
}

static bool is_wide(const EchoType *type)
{
  return echo_element_bits(echo_type_element_kind(type)) > 32;
}

/* The same in all places, known here. */
static bool is_constant(const EchoValue *value)
{
  const EchoOp *op = echo_value_def_or_null(value);
  if (op != NULL && echo_hlo_opcode(op) == ECHO_HLO_BROADCAST_IN_DIM)
    value = echo_op_operand(op, 0);
  return echo_value_constant_or_null(value) != NULL;
}

static void cost_by_element(const EchoOp *op, double flops, EchoCost *cost)
{
  add_traffic(op, cost);
  cost->flops = flops * elements(echo_op_result_type(op, 0));
}

static void divider_cost(const EchoOp *op, double flops, EchoCost *cost)
{
  cost_by_element(op, is_wide(echo_op_result_type(op, 0)) ? WIDE_PART * flops : flops, cost);
}

void echo_hlo_cost_division(const EchoOp *op, EchoCost *cost)
{
  const EchoType *type = echo_op_result_type(op, 0);
  if (!is_integer(type))
    divider_cost(op, DIVISION_FLOPS, cost);
  else if (!is_constant(echo_op_operand(op, 1)))
    cost_by_element(op, INTEGER_DIVISION_FLOPS, cost);
  else
    cost_by_element(op, is_wide(type) ? WIDE_CONSTANT_DIVISION_FLOPS : CONSTANT_DIVISION_FLOPS,
                    cost);
}

void echo_hlo_cost_root(const EchoOp *op, EchoCost *cost)
{
  divider_cost(op, ROOT_FLOPS, cost);
}

/* Rounded as a root and a quotient are. */
void echo_hlo_cost_inverse_root(const EchoOp *op, EchoCost *cost)
{
  divider_cost(op, ROOT_FLOPS + DIVISION_FLOPS, cost);
}

/* Of floats six instructions, which go beside those of other elements: NaN is kept, and zeros are
 * told apart. Where one operand is known there is little to tell. */
void echo_hlo_cost_extremum(const EchoOp *op, EchoCost *cost)
{
  bool is_known = is_constant(echo_op_operand(op, 0)) || is_constant(echo_op_operand(op, 1));
  cost_by_element(op, is_integer(echo_op_result_type(op, 0)) || is_known ? 1 : 2, cost);
}

/* Those that reduce their argument first, or iterate: four times what exp takes. */
void echo_hlo_cost_angle(const EchoOp *op, EchoCost *cost)
{
  add_traffic(op, cost);
  cost->transcendentals = 4 * elements(echo_op_result_type(op, 0));
}

/* Of integers, what is left of a quotient. */
void echo_hlo_cost_remainder(const EchoOp *op, EchoCost *cost)
{
  if (is_integer(echo_op_result_type(op, 0)))
    echo_hlo_cost_division(op, cost);
  else
    echo_hlo_cost_angle(op, cost);
}

/* In twice the precision: fourteen times. */
void echo_hlo_cost_power(const EchoOp *op, EchoCost *cost)
{
  add_traffic(op, cost);
  cost->transcendentals = 14 * elements(echo_op_result_type(op, 0));
}

/* Moves all of its operands once. */
void echo_hlo_cost_movement(const EchoOp *op, EchoCost *cost)
{
  cost->bytes_written = bytes(echo_op_result_type(op, 0));
  for (size_t i = 0; i < op->n_operands; ++i)
    cost->bytes_read += bytes(echo_op_operand_type(op, i));
}

/* Of its first operand, reads what it keeps. */
void echo_hlo_cost_slice(const EchoOp *op, EchoCost *cost)
{
  echo_hlo_cost_movement(op, cost);
  cost->bytes_read += cost->bytes_written - bytes(echo_op_operand_type(op, 0));
}

void echo_hlo_cost_free(const EchoOp *op, EchoCost *cost)
{
  (void)op;
  (void)cost;
}

static double free_elements(const EchoType *type, EchoDimList batching, EchoDimList contracting)
{
  double n = 1;
  for (uint32_t i = 0; i < type->as.shaped.rank; ++i)
    if (!echo_dim_list_has(batching, (int64_t)i) && !echo_dim_list_has(contracting, (int64_t)i))
      n *= (double)echo_type_dim(type, i);
  return n;
}

/* Whether neighbours in memory meet in one sum. */
static bool runs_along_contracted(const EchoType *type, EchoDimList contracting)
{
  for (uint32_t i = type->as.shaped.rank; i-- > 0;)
    if (echo_type_dim(type, i) != 1)
      return echo_dim_list_has(contracting, (int64_t)i);
  return false;
}

/* Lanes are columns of the result. Where one operand has few rows (or columns) the other one is
 * read where it lies: lanes are then its own rows, or the few where it runs along what is
 * contracted. */
static double lanes_of_product(const EchoOp *op, const EchoDotDims *dims)
{
  const EchoType *lhs = echo_op_operand_type(op, 0), *rhs = echo_op_operand_type(op, 1);
  double m = free_elements(lhs, dims->lhs_batching, dims->lhs_contracting);
  double n = free_elements(rhs, dims->rhs_batching, dims->rhs_contracting);
  double few = m < n ? m : n, wide = m < n ? n : m;
  bool sums_neighbours = n >= m ? runs_along_contracted(rhs, dims->rhs_contracting)
                                : runs_along_contracted(lhs, dims->lhs_contracting);
  return few > (double)ECHO_FEW_ROWS ? n : sums_neighbours ? few : wide;
}

/* 2 N K: one multiplication and one addition for each result element and contracted index. */
void echo_hlo_cost_dot_general(const EchoOp *op, EchoCost *cost)
{
  add_traffic(op, cost);
  const EchoDotDims *dims = echo_stablehlo_dot_dims(op);
  double k = 1;
  for (size_t i = 0; i < dims->lhs_contracting.size; ++i)
    k *= (double)echo_type_dim(echo_op_operand_type(op, 0), (size_t)dims->lhs_contracting.dims[i]);
  cost->flops = 2 * elements(echo_op_result_type(op, 0)) * k;
  cost->n_side_by_side = lanes_of_product(op, dims);
}

/* n^3 / 3 for a factor, n^2 a right side for a solution: each element of the result meets about n
 * others. */
void echo_hlo_cost_algebra(const EchoOp *op, EchoCost *cost)
{
  const EchoType *type = echo_op_result_type(op, 0), *square = echo_op_operand_type(op, 0);
  echo_hlo_cost_movement(op, cost);
  cost->flops = (double)echo_type_static_n_elements(type) *
                (double)echo_type_dim(square, echo_type_rank(square) - 1);
}

/* 2 N K with K = elements of the kernel for one output feature: windows over the padding count, as
 * a direct loop would. */
void echo_hlo_cost_convolution(const EchoOp *op, EchoCost *cost)
{
  add_traffic(op, cost);
  const EchoConvDims *dims = echo_stablehlo_conv_dims(op);
  const EchoType *kernel = echo_op_operand_type(op, 1);
  double features = (double)echo_type_dim(kernel, (size_t)dims->kernel_output_feature);
  double k = features > 0 ? elements(kernel) / features : 0;
  cost->flops = 2 * elements(echo_op_result_type(op, 0)) * k;
  /* features of a group; or groups, each with one of the result and one of what is summed */
  double of_features = (double)echo_stablehlo_feature_group_count(op);
  double of_batch = (double)echo_stablehlo_batch_group_count(op), groups = of_features * of_batch;
  bool sums_one = of_features > 1
                      ? echo_type_dim(kernel, (size_t)dims->kernel_input_feature) == 1
                      : echo_type_dim(echo_op_result_type(op, 0), (size_t)dims->output_batch) == 1;
  cost->has_own_factors =
      features == groups && groups > 1 && sums_one && (of_features == 1 || of_batch == 1);
  cost->n_side_by_side = cost->has_own_factors || groups == 0 ? features : features / groups;
}

void echo_hlo_cost_gather(const EchoOp *op, EchoCost *cost)
{
  double written = bytes(echo_op_result_type(op, 0));
  cost->bytes_written = written;
  cost->bytes_read = written;
  for (size_t i = 1; i < op->n_operands; ++i)
    cost->bytes_read += bytes(echo_op_operand_type(op, i));
}

/* Reading where a row goes and looking whether it is inside takes as long as so many additions of
 * vectors (0.6 ns: bench/results/predict.md). */
#define PLACE_FLOPS 24.0

void echo_hlo_cost_scatter(const EchoOp *op, EchoCost *cost)
{
  const EchoType *indices = echo_op_operand_type(op, op->n_results);
  size_t along = (size_t)echo_stablehlo_scatter_dims(op)->index_vector_dim;
  double n = elements(indices);
  if (along < echo_type_rank(indices) && echo_type_dim(indices, along) > 0)
    n /= (double)echo_type_dim(indices, along);
  add_traffic(op, cost);
  cost->flops = PLACE_FLOPS * n;
  for (size_t i = 0; i < op->n_results; ++i)
    cost->flops += elements(echo_op_operand_type(op, op->n_operands - 1 - i));
}

/* One level of nesting at a time: ops inside are asked for their own cost, which may be a loop's
 * again. */
static EchoCost block_cost(const EchoBlock *block)
{
  EchoCost total = {0};
  for (const EchoOp *op = block->first; op != NULL; op = op->next) {
    EchoCost cost;
    echo_op_cost(op, &cost);
    total.flops += cost.flops;
    total.transcendentals += cost.transcendentals;
    total.bytes_read += cost.bytes_read;
    total.bytes_written += cost.bytes_written;
  }
  return total;
}

/* One combination for each element of an operand. */
void echo_hlo_cost_reduce(const EchoOp *op, EchoCost *cost)
{
  EchoCost body = block_cost(op->regions[0].first);
  double n = elements(echo_op_operand_type(op, 0));
  add_traffic(op, cost);
  cost->flops = body.flops * n;
  cost->transcendentals = body.transcendentals * n;
}

static double window_elements(const EchoOp *op)
{
  EchoWindowDim windows[ECHO_MAX_RANK];
  size_t n = echo_stablehlo_windows(op, windows);
  double product = 1;
  for (size_t i = 0; i < n; ++i)
    product *= (double)windows[i].size;
  return product;
}

/* A place of a window is compared with the one that is held, element by element: 3.2 to 3.9 ns
 * (bench/results/predict.md). */
#define HELD_FLOPS 100.0

void echo_hlo_cost_select_and_scatter(const EchoOp *op, EchoCost *cost)
{
  add_traffic(op, cost);
  cost->flops = elements(echo_op_operand_type(op, 1)) * window_elements(op) * HELD_FLOPS;
}

/* ---- sorts: operations that wait one for another, so many as take that long ---- */

/* A step of three merges at the same time: 5.5 ns where an addition takes 0.4. */
#define COMPARISON_FLOPS 14
/* An element of what is compared with a bound and gathered (1.4 ns); in vectors, and not gathered.
 */
#define GATHERED_FLOPS 3.0
#define COMPARED_FLOPS (5 / 16.0)
/* What goes among k places that are held in order, for each of them: 40 + 3 k. Whether the block
 * has one and which it is was not foreseen, and the block is looked at again; then its place is
 * counted and all move, in vectors (bench/results/predict.md). */
#define INSERTED_FLOPS (2 * COMPARISON_FLOPS + ECHO_SORT_BLOCK)
#define MOVED_FLOPS 3.0

static double ceil_log2(double n)
{
  double levels = 0;
  for (double power = 1; power < n; power *= 2)
    ++levels;
  return levels;
}

/* So many of n elements in random order come before the k-th of those before them: k ln(n / k). */
static double n_passing(double n, double k)
{
  const double LN_2 = 0.69;
  double passing = k * LN_2 * ceil_log2(n / k);
  return passing < n - k ? passing : n - k;
}

static double held_row(double n, double k)
{
  return COMPARED_FLOPS * n + n_passing(n, k) * (INSERTED_FLOPS + MOVED_FLOPS * k);
}

static double merged(double n, double most)
{
  double passes = ceil_log2(n < most ? n : most);
  return COMPARISON_FLOPS * n * (passes > 0 ? passes : 1);
}

static double gathered_row(double n, double k)
{
  int64_t length = (int64_t)n, first = (int64_t)k;
  double room = (double)echo_sort_capacity(first);
  if (!echo_sort_has_sample(length, first))
    return GATHERED_FLOPS * n +
           (n <= room ? merged(n, n) : merged(room, room) + merged(k + n_passing(n, room), room));
  double sample = ECHO_SORT_SAMPLE, place = (double)echo_sort_place_in_sample(length, first);
  return GATHERED_FLOPS * n + merged(sample, sample) + merged(n * (place + 1) / sample, room);
}

/* n log2 n comparisons a row, or less where the first places alone are read. */
void echo_hlo_cost_sort(const EchoOp *op, EchoCost *cost)
{
  add_traffic(op, cost);
  cost->n_side_by_side = 1;
  int64_t dim = echo_op_attr_i64(op, "dimension", -1);
  const EchoType *type = echo_op_operand_type(op, 0);
  if (dim < 0)
    dim += (int64_t)echo_type_rank(type);
  double all = elements(type), n = 1, first;
  if (dim >= 0 && dim < (int64_t)echo_type_rank(type))
    n = (double)echo_type_dim(type, (size_t)dim);
  if (all <= 0 || n <= 0)
    return;
  first = (double)echo_op_attr_i64(op, ECHO_SORT_FIRST_ATTR, (int64_t)n);
  double row = first >= n                        ? merged(n, n)
               : first <= (double)ECHO_SORT_HELD ? held_row(n, first)
                                                 : gathered_row(n, first);
  cost->flops = all / n * row;
}

/* Mean, variance and normalisation: about eight operations an element, whichever of the three. */
void echo_hlo_cost_batch_norm(const EchoOp *op, EchoCost *cost)
{
  add_traffic(op, cost);
  cost->flops = 8 * elements(echo_op_operand_type(op, 0));
}

/* Twenty rounds of five integer operations on two words: ThreeFry; Philox is near it. */
void echo_hlo_cost_rng_bit_generator(const EchoOp *op, EchoCost *cost)
{
  add_traffic(op, cost);
  cost->flops = 100 * elements(echo_op_result_type(op, op->n_results - 1)) / 2;
}

static void add_scaled(EchoCost *cost, const EchoCost *part, double times)
{
  cost->flops += part->flops * times;
  cost->transcendentals += part->transcendentals * times;
  cost->bytes_read += part->bytes_read * times;
  cost->bytes_written += part->bytes_written * times;
}

/* How often a window's body runs for one result: for all elements of the window but in scans, where
 * it extends a block's sum and adds what lies beside the block (a prefix), or extends two sums and
 * adds them (a sliding window). */
static double combinations(const EchoOp *op)
{
  switch (echo_hlo_window_scan(op).form) {
  case ECHO_WINDOW_DIRECT:
    return window_elements(op);
  case ECHO_WINDOW_PREFIX:
  case ECHO_WINDOW_SUFFIX:
    return 2;
  case ECHO_WINDOW_SLIDING:
    return 3;
  }
  ECHO_UNREACHABLE("a form of windows");
}

void echo_hlo_cost_reduce_window(const EchoOp *op, EchoCost *cost)
{
  EchoCost body = block_cost(op->regions[0].first);
  body.bytes_read = body.bytes_written = 0; /* its values are in registers */
  add_traffic(op, cost);
  add_scaled(cost, &body, elements(echo_op_result_type(op, 0)) * combinations(op));
  cost->n_side_by_side = (double)echo_hlo_window_side_by_side(op);
}

/* A loop whose trips are not known counts as one trip. */
void echo_hlo_cost_control_flow(const EchoOp *op, EchoCost *cost)
{
  if (echo_op_has_trait(op, ECHO_LOOP)) {
    EchoCountedLoop counted;
    double trips = echo_hlo_counted_loop(op, &counted) ? (double)counted.n_trips : 1;
    for (size_t r = 0; r < op->n_regions; ++r) {
      EchoCost part = block_cost(op->regions[r].first);
      add_scaled(cost, &part, r == 0 ? trips + 1 : trips);
    }
    return;
  }
  for (size_t r = 0; r < op->n_regions; ++r) {
    EchoCost part = block_cost(op->regions[r].first);
    if (part.flops + part.transcendentals + part.bytes_read >
        cost->flops + cost->transcendentals + cost->bytes_read)
      *cost = part;
  }
}
