/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the text of an op's row says, checked against the op. Messages are worded as MLIR words
 * them. */
#include "ir/text/dialect_symbol_t.h"
#include "ir/verify/verifier_t.h"

enum { NONE = -1, SEVERAL = -2 };

static const char *plural(size_t n)
{
  return n == 1 ? "" : "s";
}

static bool is_loose(const EchoValueSpec *spec)
{
  return spec->optional || spec->variadic;
}

static int32_t find_loose(const EchoValueSpec *specs, size_t n)
{
  int32_t found = NONE;
  for (size_t i = 0; i < n; ++i)
    if (is_loose(&specs[i]))
      found = found == NONE ? (int32_t)i : SEVERAL;
  return found;
}

EchoRowCheck *echo_verifier_row(EchoVerifier *verifier, const EchoOpInfo *info)
{
  EchoRowCheck **cached =
      &verifier->cached_rows[echo_hash_u64(echo_key(info)) % ECHO_N_CACHED_ROWS];
  if (*cached != NULL && (*cached)->info == info)
    return *cached;
  EchoRowCheck *row = echo_map_get_ptr(&verifier->rows, info);
  if (row == NULL) {
    row = ECHO_ARENA_NEW(&verifier->scratch, EchoRowCheck);
    *row = (EchoRowCheck){.info = info,
                          .spec = echo_context_op_spec_or_null(verifier->ctx, info),
                          .loose_operand = NONE,
                          .loose_result = NONE};
    if (row->spec != NULL) {
      row->loose_operand = find_loose(row->spec->operands, row->spec->n_operands);
      row->loose_result = find_loose(row->spec->results, row->spec->n_results);
    }
    echo_map_set_ptr(&verifier->rows, info, row);
  }
  *cached = row;
  return row;
}

/* ---- operands and results ---- */

/* Operands and results are checked by the same code. */
typedef struct Side {
  const EchoOp *op;
  const EchoValueSpec *specs;
  size_t n_specs, n_values;
  int32_t loose;
  bool is_results;
} Side;

static const EchoType *type_at(const Side *side, size_t index)
{
  return side->is_results ? side->op->results[index].type : echo_op_operand_type(side->op, index);
}

static bool count_error(const Side *side, size_t want, bool or_more)
{
  if (side->is_results && want == 0 && !or_more)
    return echo_op_error(side->op, "requires zero results");
  if (side->is_results && want == 1 && !or_more)
    return echo_op_error(side->op, "requires one result");
  if (side->is_results)
    return echo_op_error(side->op, "expected %zu%s results", want, or_more ? " or more" : "");
  if (want == 0 && !or_more)
    return echo_op_error(side->op, "requires zero operands");
  if (want == 1 && !or_more)
    return echo_op_error(side->op, "requires a single operand");
  return echo_op_error(side->op, "expected %zu%s operands, but found %zu", want,
                       or_more ? " or more" : "", side->n_values);
}

static bool check_type(const Side *side, const EchoValueSpec *spec, size_t index)
{
  const EchoType *type = type_at(side, index);
  if (ECHO_LIKELY(spec->constraint == NULL || spec->constraint(type)))
    return true;
  return echo_op_error(side->op, "%s #%zu must be %s%.*s, but got '%s'",
                       side->is_results ? "result" : "operand", index,
                       spec->variadic ? "variadic of " : "", ECHO_STR_ARG(spec->constraint_name),
                       echo_type_text(echo_op_context(side->op), type));
}

static bool check_types(const Side *side, const EchoValueSpec *spec, size_t begin, size_t count)
{
  bool ok = true;
  for (size_t i = begin; i < begin + count; ++i)
    ok = check_type(side, spec, i) && ok;
  return ok;
}

/* At most one entry takes other than one value, so counts say which values are its. */
static bool check_simple_side(const Side *side)
{
  size_t n_fixed = side->n_specs - (side->loose != NONE), n_loose = side->n_values - n_fixed;
  if (side->n_values < n_fixed || (side->loose == NONE && n_loose != 0))
    return count_error(side, n_fixed, side->loose != NONE);
  if (side->loose != NONE && side->specs[side->loose].optional && n_loose > 1)
    return echo_op_error(side->op,
                         "%s group starting at #%d requires 0 or 1 element, but found %zu",
                         side->is_results ? "result" : "operand", (int)side->loose, n_loose);
  bool ok = true;
  size_t at = 0;
  for (size_t i = 0; i < side->n_specs; ++i) {
    size_t count = (int32_t)i == side->loose ? n_loose : 1;
    ok = check_types(side, &side->specs[i], at, count) && ok;
    at += count;
  }
  return ok;
}

static bool segments_are_sizes(const EchoAttr *segments)
{
  if (segments == NULL || segments->kind != ECHO_ATTR_DENSE_ARRAY ||
      !echo_type_is_integer(segments->as.dense_array.element, 32))
    return false;
  const int32_t *sizes = segments->as.dense_array.data;
  for (size_t i = 0; i < segments->as.dense_array.size; ++i)
    if (sizes[i] < 0)
      return false;
  return true;
}

static bool check_segmented_side(const Side *side)
{
  const char *what = side->is_results ? "result" : "operand";
  const char *name = side->is_results ? "resultSegmentSizes" : "operandSegmentSizes";
  const EchoAttr *segments = echo_op_attr_or_null(side->op, name);
  if (!segments_are_sizes(segments))
    return echo_op_error(side->op, "requires dense i32 array attribute '%s'", name);
  if (segments->as.dense_array.size != side->n_specs)
    return echo_op_error(side->op,
                         "'%s' attribute for specifying %s segments must have %zu elements, but "
                         "got %zu",
                         name, what, side->n_specs, segments->as.dense_array.size);
  const int32_t *sizes = segments->as.dense_array.data;
  uint64_t total = 0;
  for (size_t i = 0; i < side->n_specs; ++i)
    total += (uint64_t)sizes[i];
  if (total != side->n_values)
    return echo_op_error(side->op,
                         "%s count (%zu) does not match with the total size (%llu) specified in "
                         "attribute '%s'",
                         what, side->n_values, (unsigned long long)total, name);
  bool ok = true;
  size_t at = 0;
  for (size_t i = 0; i < side->n_specs; ++i) {
    const EchoValueSpec *spec = &side->specs[i];
    size_t count = (size_t)sizes[i];
    if (!spec->variadic && (count > 1 || (count == 0 && !spec->optional)))
      ok = echo_op_error(side->op, "%s group starting at #%zu requires %s element, but found %zu",
                         what, at, spec->optional ? "0 or 1" : "1", count);
    ok = check_types(side, spec, at, count) && ok;
    at += count;
  }
  return ok;
}

static bool check_side(const Side *side)
{
  return side->loose == SEVERAL ? check_segmented_side(side) : check_simple_side(side);
}

/* ---- attributes ---- */

static const EchoAttr *property_or_null(const EchoOp *op, EchoStr name)
{
  if (op->properties == NULL)
    return NULL;
  const EchoNamedAttr *entries = op->properties->as.dictionary.entries;
  for (size_t i = 0; i < op->properties->as.dictionary.size; ++i)
    if (echo_str_equal(entries[i].name, name))
      return entries[i].value;
  return NULL;
}

static bool check_property(const EchoOp *op, const EchoAttrSpec *spec)
{
  const EchoAttr *value = property_or_null(op, spec->name);
  if (value == NULL && spec->optional)
    return true;
  if (value == NULL)
    return echo_op_error(op, "requires attribute '%.*s'", ECHO_STR_ARG(spec->name));
  if (spec->constraint == NULL || spec->constraint(value))
    return true;
  return echo_op_error(op, "attribute '%.*s' failed to satisfy constraint: %.*s",
                       ECHO_STR_ARG(spec->name), ECHO_STR_ARG(spec->constraint_name));
}

static bool check_properties_known(const EchoOp *op, const EchoOpSpec *spec)
{
  bool ok = true;
  for (size_t i = 0; op->properties != NULL && i < op->properties->as.dictionary.size; ++i) {
    EchoStr name = op->properties->as.dictionary.entries[i].name;
    bool known = false;
    for (size_t s = 0; s < spec->n_attrs; ++s)
      known = known || echo_str_equal(spec->attrs[s].name, name);
    if (!known)
      ok = echo_op_error(op, "has no inherent attribute '%.*s'", ECHO_STR_ARG(name));
  }
  return ok;
}

static bool check_properties(EchoRowCheck *row, const EchoOp *op)
{
  if (op->properties != NULL ? op->properties == row->good_properties : row->spec->n_attrs == 0)
    return true;
  bool ok = true;
  for (size_t i = 0; i < row->spec->n_attrs; ++i)
    ok = check_property(op, &row->spec->attrs[i]) && ok;
  ok = check_properties_known(op, row->spec) && ok;
  if (ok)
    row->good_properties = op->properties;
  return ok;
}

/* ---- regions and successors ---- */

static bool check_regions(const EchoOp *op)
{
  int want = op->info->n_regions;
  if (want == ECHO_VARIADIC || op->n_regions == want)
    return true;
  if (want == 0)
    return echo_op_error(op, "requires zero regions");
  if (want == 1)
    return echo_op_error(op, "requires one region");
  return echo_op_error(op, "expected %d regions", want);
}

static bool check_successors(const EchoOp *op)
{
  int want = op->info->n_successors;
  if (want == ECHO_VARIADIC || op->n_successors == want)
    return true;
  return echo_op_error(op, "requires %d successor%s but found %u", want, plural((size_t)want),
                       (unsigned)op->n_successors);
}

/* ---- traits ---- */

static bool types_compatible(const EchoType *a, const EchoType *b)
{
  if (a == b)
    return true;
  return echo_type_is_shaped(a) && echo_type_is_shaped(b) &&
         echo_type_element(a) == echo_type_element(b) && echo_type_shapes_compatible(a, b);
}

typedef bool Compatible(const EchoType *a, const EchoType *b);

static bool agree(const EchoOp *op, const EchoType *a, const EchoType *b, Compatible *compatible)
{
  return a == b || (compatible(a, b) && echo_type_encodings_agree(echo_op_context(op), a, b));
}

static bool all_compatible(const EchoOp *op, Compatible *compatible)
{
  const EchoType *first = op->n_results != 0    ? op->results[0].type
                          : op->n_operands != 0 ? echo_op_operand_type(op, 0)
                                                : NULL;
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (!agree(op, first, echo_op_operand_type(op, i), compatible))
      return false;
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (!agree(op, first, op->results[i].type, compatible))
      return false;
  return true;
}

static bool check_barrier(const EchoOp *op)
{
  if (op->n_operands != op->n_results)
    return echo_op_error(op, "requires as many results as operands");
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (op->results[i].type != echo_op_operand_type(op, i))
      return echo_op_error(op, "requires result #%u to have the type of its operand", i);
  return true;
}

static bool check_type_traits(const EchoOp *op)
{
  uint64_t traits = op->info->traits;
  if ((traits & (ECHO_SAME_TYPE | ECHO_SAME_SHAPE | ECHO_BARRIER)) == 0)
    return true;
  if ((traits & ECHO_SAME_TYPE) != 0 && !all_compatible(op, types_compatible))
    return echo_op_error(op, "requires the same type for all operands and results");
  if ((traits & ECHO_SAME_SHAPE) != 0 && !all_compatible(op, echo_type_shapes_compatible))
    return echo_op_error(op, "requires the same shape for all operands and results");
  return (traits & ECHO_BARRIER) == 0 || check_barrier(op);
}

bool echo_verify_row(EchoVerifier *verifier, const EchoOp *op)
{
  EchoRowCheck *row = echo_verifier_row(verifier, op->info);
  const EchoOpSpec *spec = row->spec;
  if (spec == NULL)
    return echo_keeps_unknown(verifier->ctx, echo_op_info_dialect(op->info)) ||
           echo_op_error(op, "is unregistered, and unregistered ops are not allowed");
  Side operands = {.op = op,
                   .specs = spec->operands,
                   .n_specs = spec->n_operands,
                   .n_values = op->n_operands,
                   .loose = row->loose_operand};
  Side results = {.op = op,
                  .specs = spec->results,
                  .n_specs = spec->n_results,
                  .n_values = op->n_results,
                  .loose = row->loose_result,
                  .is_results = true};
  bool ok = check_side(&operands);
  ok = check_side(&results) && ok;
  ok = check_properties(row, op) && ok;
  ok = check_regions(op) && ok;
  ok = check_successors(op) && ok;
  return ok && check_type_traits(op);
}
