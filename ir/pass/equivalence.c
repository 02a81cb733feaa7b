/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Structural hashing and comparison of ops, without recursion. */
#include "ir/pass/equivalence.h"

#include "ir/op_t.h"

void echo_equivalence_destroy(EchoEquivalence *equivalence)
{
  echo_map_destroy(&equivalence->mapped);
  echo_map_destroy(&equivalence->stripped);
}

/* ---- attributes ---- */

static bool is_ignored(const EchoEquivalence *equivalence, EchoStr name)
{
  for (size_t i = 0; i < equivalence->n_ignored_attrs; ++i)
    if (echo_str_equal(equivalence->ignored_attrs[i], name))
      return true;
  return false;
}

static const EchoAttr *strip(EchoEquivalence *equivalence, EchoContext *ctx, const EchoAttr *attrs)
{
  size_t n_entries = attrs->as.dictionary.size, n = 0;
  EchoNamedAttr *entries = echo_alloc_array(n_entries + 1, sizeof *entries);
  for (size_t i = 0; i < n_entries; ++i)
    if (!is_ignored(equivalence, attrs->as.dictionary.entries[i].name))
      entries[n++] = attrs->as.dictionary.entries[i];
  const EchoAttr *stripped = n == n_entries ? attrs
                             : n != 0       ? echo_attr_dictionary(ctx, entries, n)
                                            : NULL;
  echo_free(entries);
  return stripped;
}

/* The discardable attributes that count. */
static const EchoAttr *attrs_of(EchoEquivalence *equivalence, const EchoOp *op)
{
  if (op->attrs == NULL || equivalence->n_ignored_attrs == 0)
    return op->attrs;
  uint64_t found;
  if (echo_map_get(&equivalence->stripped, echo_key(op->attrs), &found))
    return (const EchoAttr *)(uintptr_t)found;
  const EchoAttr *stripped = strip(equivalence, echo_op_context(op), op->attrs);
  echo_map_set_ptr(&equivalence->stripped, op->attrs, stripped);
  return stripped;
}

/* ---- hashing ---- */

static bool is_commutative(const EchoOp *op)
{
  return (op->info->traits & ECHO_COMMUTATIVE) != 0 && op->n_operands == 2;
}

uint64_t echo_equivalence_hash_inside(EchoEquivalence *equivalence, const EchoOp *op,
                                      uint64_t inside)
{
  uint64_t hash = echo_hash_combine(inside, echo_key(op->info));
  hash = echo_hash_combine(hash, echo_key(op->properties) ^ ((uint64_t)op->n_operands << 56));
  const EchoAttr *attrs = attrs_of(equivalence, op);
  if (attrs != NULL)
    hash = echo_hash_combine(hash, echo_key(attrs));
  for (uint32_t i = 0; i < op->n_results; ++i)
    hash = echo_hash_combine(hash, echo_key(op->results[i].type));
  return hash;
}

uint64_t echo_equivalence_hash(EchoEquivalence *equivalence, const EchoOp *op, uint64_t inside)
{
  uint64_t hash = echo_equivalence_hash_inside(equivalence, op, inside);
  if (is_commutative(op)) /* a sum: the same in either order */
    return echo_hash_combine(hash, echo_hash_u64(echo_key(op->operands[0].value)) +
                                       echo_hash_u64(echo_key(op->operands[1].value)));
  for (uint32_t i = 0; i < op->n_operands; ++i)
    hash = echo_hash_combine(hash, echo_key(op->operands[i].value));
  return hash;
}

/* ---- comparing ---- */

bool echo_op_rows_are_equal(EchoEquivalence *equivalence, const EchoOp *a, const EchoOp *b)
{
  if (a->info != b->info || a->properties != b->properties || a->n_operands != b->n_operands ||
      a->n_results != b->n_results || a->n_regions != b->n_regions ||
      a->n_successors != b->n_successors)
    return false;
  if (a->attrs != b->attrs && attrs_of(equivalence, a) != attrs_of(equivalence, b))
    return false;
  for (uint32_t i = 0; i < a->n_results; ++i)
    if (a->results[i].type != b->results[i].type)
      return false;
  return true;
}

static bool same_value(const EchoEquivalence *equivalence, const EchoValue *a, const EchoValue *b)
{
  if (a == b)
    return true;
  return equivalence->mapped.n_live != 0 && echo_map_get_ptr(&equivalence->mapped, a) == b;
}

static bool same_operands(const EchoEquivalence *equivalence, const EchoOp *a, const EchoOp *b)
{
  bool same = true;
  for (uint32_t i = 0; same && i < a->n_operands; ++i)
    same = same_value(equivalence, a->operands[i].value, b->operands[i].value);
  if (same || !is_commutative(a))
    return same;
  return same_value(equivalence, a->operands[0].value, b->operands[1].value) &&
         same_value(equivalence, a->operands[1].value, b->operands[0].value);
}

static bool pair_blocks(EchoEquivalence *equivalence, const EchoBlock *a, const EchoBlock *b)
{
  if (a->n_args != b->n_args)
    return false;
  echo_map_set_ptr(&equivalence->mapped, a, b);
  for (uint32_t i = 0; i < a->n_args; ++i) {
    if (a->args[i]->value.type != b->args[i]->value.type)
      return false;
    echo_map_set_ptr(&equivalence->mapped, &a->args[i]->value, &b->args[i]->value);
  }
  const EchoOp *in_a = a->first, *in_b = b->first;
  for (; in_a != NULL && in_b != NULL; in_a = in_a->next, in_b = in_b->next)
    ;
  return in_a == in_b; /* both at their end: as many ops */
}

/* Pairs the blocks of the regions of `a` and `b` and their arguments; false when their shapes
 * differ. */
static bool pair_regions(EchoEquivalence *equivalence, const EchoOp *a, const EchoOp *b)
{
  for (uint16_t i = 0; i < a->n_regions; ++i) {
    const EchoBlock *in_a = a->regions[i].first, *in_b = b->regions[i].first;
    for (; in_a != NULL && in_b != NULL; in_a = in_a->next, in_b = in_b->next)
      if (!pair_blocks(equivalence, in_a, in_b))
        return false;
    if (in_a != in_b)
      return false;
  }
  return true;
}

/* Equal shapes mean that both walks meet the ops that correspond at the same step. First everything
 * is paired, then operands are compared: in a graph region, or across blocks, an operand may be
 * defined later. */
static bool same_inside(EchoEquivalence *equivalence, const EchoOp *a, const EchoOp *b)
{
  if (!pair_regions(equivalence, a, b))
    return false;
  EchoOp *in_a = echo_op_first_inside_or_null(a), *in_b = echo_op_first_inside_or_null(b);
  for (; in_a != NULL; in_a = echo_op_walk_next(a, in_a), in_b = echo_op_walk_next(b, in_b)) {
    if (!echo_op_rows_are_equal(equivalence, in_a, in_b) || !pair_regions(equivalence, in_a, in_b))
      return false;
    for (uint32_t i = 0; i < in_a->n_results; ++i)
      echo_map_set_ptr(&equivalence->mapped, &in_a->results[i], &in_b->results[i]);
  }
  in_a = echo_op_first_inside_or_null(a);
  in_b = echo_op_first_inside_or_null(b);
  for (; in_a != NULL; in_a = echo_op_walk_next(a, in_a), in_b = echo_op_walk_next(b, in_b)) {
    if (!same_operands(equivalence, in_a, in_b))
      return false;
    for (uint16_t i = 0; i < in_a->n_successors; ++i)
      if (echo_map_get_ptr(&equivalence->mapped, echo_op_successors(in_a)[i]) !=
          echo_op_successors(in_b)[i])
        return false;
  }
  return true;
}

bool echo_op_bodies_are_equivalent(EchoEquivalence *equivalence, const EchoOp *a, const EchoOp *b)
{
  if (a->n_regions != b->n_regions)
    return false;
  bool same = same_inside(equivalence, a, b);
  echo_map_clear(&equivalence->mapped);
  return same;
}

bool echo_ops_are_equivalent(EchoEquivalence *equivalence, const EchoOp *a, const EchoOp *b)
{
  if (!echo_op_rows_are_equal(equivalence, a, b) || !same_operands(equivalence, a, b))
    return false;
  for (uint16_t i = 0; i < a->n_successors; ++i)
    if (echo_op_successors(a)[i] != echo_op_successors(b)[i])
      return false;
  return a->n_regions == 0 || echo_op_bodies_are_equivalent(equivalence, a, b);
}
