/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ops that StableHLO keeps for programs of before (broadcast, dot, einsum, unary_einsum,
 * torch_index_select), by those that took their place: broadcast_in_dim, dot_general, transpose,
 * reduce and gather; and ends of functions by stablehlo.return. */
#include <string.h>

#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/precision.h"
#include "lowering/model/chlo_to_stablehlo_t.h"

/* ---- equations ---- */

/* What a dimension is called: its letter, or its place from the right among those of an ellipsis.
 */
enum { ELLIPSIS_FROM = 256 };

typedef struct Term {
  int labels[ECHO_MAX_RANK];
  size_t n;
} Term;

static bool term_has(const Term *term, int label)
{
  for (size_t i = 0; i < term->n; i++)
    if (term->labels[i] == label)
      return true;
  return false;
}

static size_t place_in(const Term *term, int label)
{
  size_t i = 0;
  while (term->labels[i] != label)
    i++;
  return i;
}

/* Labels of a value of `rank` dimensions; false where they are more or fewer, or repeat one and are
 * not to (in a result; of an operand that is a diagonal). */
static bool read_term(EchoStr text, size_t rank, bool may_repeat, Term *term)
{
  size_t n_letters = 0;
  bool has_ellipsis = false;
  for (size_t i = 0; i < text.size; i++)
    n_letters += text.data[i] != ' ' && text.data[i] != '.';
  *term = (Term){.n = 0};
  if (n_letters > rank || rank > ECHO_MAX_RANK)
    return false;
  for (size_t i = 0; i < text.size; i++) {
    char c = text.data[i];
    if (c == ' ')
      continue;
    if (c == '.') {
      if (has_ellipsis || text.size - i < 3 || memcmp(text.data + i, "...", 3) != 0)
        return false;
      has_ellipsis = true;
      i += 2;
      for (size_t k = rank - n_letters; k-- > 0;)
        term->labels[term->n++] = ELLIPSIS_FROM + (int)k;
      continue;
    }
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_letter || (!may_repeat && term_has(term, c)))
      return false;
    term->labels[term->n++] = c;
  }
  return term->n == rank;
}

/* The part of `text` before `end`, which is taken off with it; all of it where there is no such. */
static EchoStr take_until(EchoStr *text, const char *end)
{
  size_t length = strlen(end), i = 0;
  while (i + length <= text->size && memcmp(text->data + i, end, length) != 0)
    i++;
  bool found = i + length <= text->size;
  EchoStr before = {text->data, found ? i : text->size};
  size_t taken = found ? i + length : text->size;
  *text = (EchoStr){text->data + taken, text->size - taken};
  return before;
}

/* Dimensions `first` and `second`, of one size and name, become one, in front of all others: its
 * elements at the same place of both. */
static EchoValue *diagonal(EchoBuilder *b, EchoValue *value, size_t first, size_t second,
                           Term *term)
{
  const int64_t n = echo_type_dim(value->type, first), both[] = {(int64_t)first, (int64_t)second};
  const int64_t shape[] = {n, 2};
  int64_t offsets[ECHO_MAX_RANK], sizes[ECHO_MAX_RANK];
  Term made = {.labels = {term->labels[first]}, .n = 1};
  for (size_t i = 0; i < term->n; i++) {
    const bool is_taken = i == first || i == second;
    sizes[i] = is_taken ? 1 : echo_type_dim(value->type, i);
    if (is_taken)
      continue;
    offsets[made.n - 1] = (int64_t)made.n;
    made.labels[made.n++] = term->labels[i];
  }
  const EchoGatherDims dims = {.offset_dims = {offsets, made.n - 1},
                               .collapsed_slice_dims = {both, 2},
                               .start_index_map = {both, 2},
                               .index_vector_dim = 1};
  EchoValue *places = echo_hlo_iota(
      b, echo_type_tensor(b->ctx, shape, 2, echo_type_integer(b->ctx, 32, ECHO_SIGNLESS), NULL), 0);
  *term = made;
  return echo_hlo_gather(b, value, places, &dims, sizes, true);
}

/* No name twice. */
static EchoValue *take_diagonals(EchoBuilder *b, EchoValue *value, Term *term)
{
  for (size_t i = 1; i < term->n; i++) {
    const size_t first = place_in(term, term->labels[i]);
    if (first == i)
      continue;
    value = diagonal(b, value, first, i, term);
    i = 0;
  }
  return value;
}

/* The operand summed over the dimensions that neither the other term nor the result names. */
static EchoValue *sum_unnamed(EchoBuilder *b, EchoValue *value, Term *term, const Term *other,
                              const Term *result)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t n_dims = 0, n = 0;
  for (size_t i = 0; i < term->n; i++) {
    int label = term->labels[i];
    if (term_has(result, label) || term_has(other, label))
      term->labels[n++] = label;
    else
      dims[n_dims++] = (int64_t)i;
  }
  term->n = n;
  if (n_dims == 0)
    return value;
  const EchoType *scalar = echo_type_tensor(b->ctx, NULL, 0, echo_type_element(value->type), NULL);
  return echo_hlo_reduce(b, value, echo_chlo_zeros(b, scalar), dims, n_dims, "stablehlo.add");
}

/* `value`, whose dimensions are called `from`, in the order of the result, which names the same. */
static EchoValue *in_order(EchoBuilder *b, EchoValue *value, const Term *from, const Term *result)
{
  int64_t permutation[ECHO_MAX_RANK];
  for (size_t i = 0; i < result->n; i++)
    permutation[i] = (int64_t)place_in(from, result->labels[i]);
  return echo_hlo_transpose(b, value, permutation);
}

/* Whether operand `t`'s dimensions have the sizes that those of the same name have in the first
 * operand and in the result; marks what it names of the result. */
static bool sizes_agree(const EchoOp *op, size_t t, const Term *terms, const Term *result,
                        bool *is_named)
{
  const EchoType *first = echo_op_operand_type(op, 0), *operand = echo_op_operand_type(op, t);
  const EchoType *type = echo_op_result_type(op, 0);
  for (size_t i = 0; i < terms[t].n; i++) {
    int label = terms[t].labels[i];
    int64_t size = echo_type_dim(operand, i);
    const size_t own = place_in(&terms[t], label); /* of a diagonal there is something to take */
    if ((term_has(&terms[0], label) && size != echo_type_dim(first, place_in(&terms[0], label))) ||
        (own != i && (size == 0 || size != echo_type_dim(operand, own))))
      return false;
    if (!term_has(result, label))
      continue;
    is_named[place_in(result, label)] = true;
    if (size != echo_type_dim(type, place_in(result, label)))
      return false;
  }
  return true;
}

/* The operand in the element type of the result. */
static EchoValue *widened(EchoBuilder *b, const EchoOp *op, uint32_t operand)
{
  EchoValue *value = echo_op_operand(op, operand);
  const EchoType *element = echo_type_element(echo_op_result_type(op, 0));
  return echo_type_element(value->type) == element ? value : echo_hlo_convert(b, value, element);
}

/* Whether the equation says how to compute the result: all is of static shape and one kind of
 * number, and what the result names some operand has. */
static bool is_computed(const EchoOp *op, const Term *terms, const Term *result)
{
  const EchoType *type = echo_op_result_type(op, 0);
  bool is_named[ECHO_MAX_RANK] = {false}, ok = echo_type_has_static_shape(type);
  for (uint32_t t = 0; ok && t < op->n_operands; t++) {
    const EchoType *operand = echo_op_operand_type(op, t);
    ok = echo_type_has_static_shape(operand) &&
         echo_type_element(operand)->kind == echo_type_element(type)->kind &&
         sizes_agree(op, t, terms, result, is_named);
  }
  for (size_t i = 0; i < result->n; i++)
    ok &= is_named[i];
  return ok;
}

/* "ab->ba", "aa->a" and their like. */
static bool lower_unary_einsum(EchoRewriter *rewriter, EchoOp *op)
{
  EchoStr equation = echo_op_attr_string(op, "einsum_config");
  EchoStr left = take_until(&equation, "->");
  Term from, to;
  if (!read_term(left, echo_type_rank(echo_op_operand_type(op, 0)), true, &from) ||
      !read_term(equation, echo_type_rank(echo_op_result_type(op, 0)), false, &to) ||
      !is_computed(op, &from, &to))
    return false;
  EchoBuilder *b = &rewriter->builder;
  EchoValue *value = take_diagonals(b, widened(b, op, 0), &from);
  value = sum_unnamed(b, value, &from, &(Term){.n = 0}, &to);
  value = in_order(b, value, &from, &to);
  echo_rewriter_replace(rewriter, op, &value);
  return true;
}

typedef struct Pairs {
  int64_t lhs[ECHO_MAX_RANK], rhs[ECHO_MAX_RANK];
  size_t n;
} Pairs;

/* dot_general's result has what both terms share and the result names, then what is lhs's alone,
 * then rhs's: all that the result names, once. */
static EchoValue *multiply_terms(EchoBuilder *b, EchoValue *const values[2], const Term terms[2],
                                 const Term *result, Term *made)
{
  Pairs batching = {.n = 0}, contracting = {.n = 0};
  *made = (Term){.n = 0};
  for (size_t i = 0; i < terms[0].n; i++) {
    int label = terms[0].labels[i];
    if (!term_has(&terms[1], label))
      continue;
    Pairs *pairs = term_has(result, label) ? &batching : &contracting;
    pairs->lhs[pairs->n] = (int64_t)i;
    pairs->rhs[pairs->n++] = (int64_t)place_in(&terms[1], label);
    if (pairs == &batching)
      made->labels[made->n++] = label;
  }
  for (size_t t = 0; t < 2; t++)
    for (size_t i = 0; i < terms[t].n; i++)
      if (!term_has(&terms[1 - t], terms[t].labels[i]))
        made->labels[made->n++] = terms[t].labels[i];
  EchoDotDims dims = {.lhs_batching = {batching.lhs, batching.n},
                      .rhs_batching = {batching.rhs, batching.n},
                      .lhs_contracting = {contracting.lhs, contracting.n},
                      .rhs_contracting = {contracting.rhs, contracting.n}};
  return echo_hlo_dot_general(b, values[0], values[1], &dims, NULL);
}

/* "ab,bc->ac" and its like; what one term alone names is summed before the product. */
static bool lower_einsum(EchoRewriter *rewriter, EchoOp *op)
{
  EchoStr equation = echo_op_attr_string(op, "einsum_config");
  EchoStr left = take_until(&equation, ",");
  EchoStr right = take_until(&equation, "->");
  Term terms[2], result, made;
  if (!read_term(left, echo_type_rank(echo_op_operand_type(op, 0)), true, &terms[0]) ||
      !read_term(right, echo_type_rank(echo_op_operand_type(op, 1)), true, &terms[1]) ||
      !read_term(equation, echo_type_rank(echo_op_result_type(op, 0)), false, &result) ||
      !is_computed(op, terms, &result))
    return false;
  EchoBuilder *b = &rewriter->builder;
  EchoValue *values[] = {take_diagonals(b, widened(b, op, 0), &terms[0]),
                         take_diagonals(b, widened(b, op, 1), &terms[1])};
  const Term first = terms[0];
  values[0] = sum_unnamed(b, values[0], &terms[0], &terms[1], &result);
  values[1] = sum_unnamed(b, values[1], &terms[1], &first, &result);
  EchoValue *product = multiply_terms(b, values, terms, &result, &made);
  product = in_order(b, product, &made, &result);
  echo_rewriter_replace(rewriter, op, &product);
  return true;
}

/* New dimensions in front of all. */
static bool lower_broadcast(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoType *type = echo_op_result_type(op, 0);
  size_t rank = echo_type_rank(echo_op_operand_type(op, 0));
  int64_t dims[ECHO_MAX_RANK];
  if (!echo_type_has_static_shape(type))
    return false;
  for (size_t i = 0; i < rank; i++)
    dims[i] = (int64_t)(echo_type_rank(type) - rank + i);
  EchoValue *value =
      echo_hlo_broadcast_in_dim(&rewriter->builder, echo_op_operand(op, 0), type, dims, rank);
  if (value != NULL)
    echo_rewriter_replace(rewriter, op, &value);
  return value != NULL;
}

/* The product of matrices and vectors that dot is: with dot_general's numbers a transpose of an
 * operand is one of them, and never made. */
static bool lower_dot(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoType *lhs = echo_op_operand_type(op, 0), *rhs = echo_op_operand_type(op, 1);
  const EchoType *element = echo_type_element(echo_op_result_type(op, 0));
  if (!echo_type_has_static_shape(lhs) || !echo_type_has_static_shape(rhs) ||
      (element->kind != ECHO_TYPE_FLOAT && element->kind != ECHO_TYPE_INTEGER &&
       element->kind != ECHO_TYPE_COMPLEX))
    return false;
  const int64_t last = (int64_t)echo_type_rank(lhs) - 1, first = 0;
  const EchoDotDims dims = {.lhs_contracting = {&last, 1}, .rhs_contracting = {&first, 1}};
  EchoValue *product = echo_hlo_dot_general(&rewriter->builder, echo_op_operand(op, 0),
                                            echo_op_operand(op, 1), &dims, element);
  if (product == NULL)
    return false;
  echo_stablehlo_copy_precision(op, echo_value_def_or_null(product));
  echo_rewriter_replace(rewriter, op, &product);
  return true;
}

/* ---- PyTorch's selection ---- */

typedef struct Selection {
  int64_t dim, n_batch;
  int64_t batch[ECHO_MAX_RANK], offsets[ECHO_MAX_RANK], sizes[ECHO_MAX_RANK];
  size_t n_offsets;
} Selection;

/* Dimension `i` of the operand: one of the batch, the one selected from, or whole. */
static bool read_dim(const EchoOp *op, int64_t i, Selection *s)
{
  const EchoType *index = echo_op_operand_type(op, 1), *result = echo_op_result_type(op, 0);
  int64_t size = echo_type_dim(echo_op_operand_type(op, 0), (size_t)i);
  int64_t at = i < s->dim ? i : i - 1 + (int64_t)echo_type_rank(index) - s->n_batch;
  bool is_batch = i < s->n_batch;
  s->sizes[i] = is_batch || i == s->dim ? 1 : size;
  if (is_batch)
    s->batch[i] = i;
  else if (i != s->dim)
    s->offsets[s->n_offsets++] = at;
  return s->sizes[i] <= size && (!is_batch || echo_type_dim(index, (size_t)i) == size) &&
         (i == s->dim || echo_type_dim(result, (size_t)at) == size);
}

/* False where batch dimensions differ, there is nothing to select from, or the result's type is
 * another. */
static bool read_selection(const EchoOp *op, Selection *s)
{
  const EchoType *operand = echo_op_operand_type(op, 0), *index = echo_op_operand_type(op, 1);
  const EchoType *result = echo_op_result_type(op, 0);
  *s = (Selection){.dim = echo_op_attr_i64(op, "dim", -1),
                   .n_batch = echo_op_attr_i64(op, "batch_dims", 0)};
  if (!echo_type_has_static_shape(operand) || !echo_type_has_static_shape(index) ||
      !echo_type_has_static_shape(result) ||
      echo_type_element(operand) != echo_type_element(result))
    return false;
  int64_t rank = (int64_t)echo_type_rank(operand), n_index = (int64_t)echo_type_rank(index);
  if (s->n_batch < 0 || s->n_batch > n_index || s->n_batch > s->dim || s->dim >= rank ||
      rank - 1 + n_index - s->n_batch != (int64_t)echo_type_rank(result))
    return false;
  bool ok = true;
  for (int64_t i = 0; i < rank; i++)
    ok &= read_dim(op, i, s);
  for (int64_t i = s->n_batch; i < n_index; i++)
    ok &=
        echo_type_dim(result, (size_t)(s->dim + i - s->n_batch)) == echo_type_dim(index, (size_t)i);
  return ok;
}

/* result[b…, i…, j…, k…] = operand[b…, i…, index[b…, j…], k…], where b are the batch dimensions and
 * the index stands in dimension `dim`. */
static bool lower_index_select(EchoRewriter *rewriter, EchoOp *op)
{
  Selection s;
  if (!read_selection(op, &s))
    return false;
  const EchoGatherDims dims = {.offset_dims = {s.offsets, s.n_offsets},
                               .collapsed_slice_dims = {&s.dim, 1},
                               .operand_batching_dims = {s.batch, (size_t)s.n_batch},
                               .start_indices_batching_dims = {s.batch, (size_t)s.n_batch},
                               .start_index_map = {&s.dim, 1},
                               .index_vector_dim =
                                   (int64_t)echo_type_rank(echo_op_operand_type(op, 1))};
  EchoValue *value = echo_hlo_gather(&rewriter->builder, echo_op_operand(op, 0),
                                     echo_op_operand(op, 1), &dims, s.sizes, false);
  echo_rewriter_replace(rewriter, op, &value);
  return true;
}

/* What ends a function that returns nothing hands over nothing. */
static bool lower_return(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoOp *function = echo_op_parent(op);
  const EchoAttr *type = function != NULL && echo_op_is(function, "func.func")
                             ? echo_op_attr_or_null(function, "function_type")
                             : NULL;
  if (type == NULL || op->n_operands == 0 || type->as.type_value->as.function.n_results != 0)
    return false;
  echo_hlo_return(&rewriter->builder, NULL, 0);
  echo_rewriter_erase(rewriter, op);
  return true;
}

const EchoPattern ECHO_OLD_OPS_PATTERNS[] = {
    {"stablehlo.broadcast", 0, lower_broadcast, "broadcast_in_dim"},
    {"stablehlo.dot", 0, lower_dot, "dot_general"},
    {"stablehlo.einsum", 0, lower_einsum, "dot_general"},
    {"stablehlo.return", 0, lower_return, "a return of nothing"},
    {"stablehlo.torch_index_select", 0, lower_index_select, "gather"},
    {"stablehlo.unary_einsum", 0, lower_unary_einsum, "transpose and reduce"},
};
const size_t ECHO_N_OLD_OPS_PATTERNS =
    sizeof ECHO_OLD_OPS_PATTERNS / sizeof ECHO_OLD_OPS_PATTERNS[0];
