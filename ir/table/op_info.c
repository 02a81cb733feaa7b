/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Questions about an op that its row answers: groups of operands, purity, cost, constants. */
#include "ir/table/op_info.h"

#include "ir/op_t.h"

bool echo_op_is(const EchoOp *op, const char *name)
{
  return op != NULL && name != NULL && strcmp(op->info->name, name) == 0;
}

/* ---- operand groups ---- */

static int64_t segment_size(const EchoAttr *segments, size_t group)
{
  if (segments->kind != ECHO_ATTR_DENSE_ARRAY || group >= segments->as.dense_array.size ||
      !echo_type_is_integer(segments->as.dense_array.element, 32))
    return 0;
  return ((const int32_t *)segments->as.dense_array.data)[group];
}

/* One group of several optional or variadic ones: the attribute says where it lies. Sizes that do
 * not fit the operands (the verifier reports them) are cut. */
static void group_by_segments(const EchoOp *op, size_t group, size_t *begin, size_t *count)
{
  const EchoAttr *segments = echo_op_attr_or_null(op, "operandSegmentSizes");
  *begin = *count = 0;
  for (size_t i = 0; segments != NULL && i <= group; ++i) {
    int64_t size = segment_size(segments, i);
    size_t room = op->n_operands - (*begin + *count);
    *begin += *count;
    *count = size < 0 ? 0 : (uint64_t)size > room ? room : (size_t)size;
  }
}

void echo_op_operand_group(const EchoOp *op, size_t group, size_t *begin, size_t *count)
{
  const EchoOpSpec *spec =
      op != NULL ? echo_context_op_spec_or_null(echo_op_context(op), op->info) : NULL;
  ECHO_CHECK_OP(spec != NULL && group < spec->n_operands, op, "operand group %zu is not in the row",
                group);
  ECHO_CHECK_OP(begin != NULL && count != NULL, op, "operand group %zu: '%s' is NULL", group,
                begin == NULL ? "begin" : "count");
  size_t n_loose = 0, loose = 0;
  for (size_t i = 0; i < spec->n_operands; ++i)
    if (spec->operands[i].optional || spec->operands[i].variadic) {
      n_loose++;
      loose = i;
    }
  if (n_loose > 1) {
    group_by_segments(op, group, begin, count);
    return;
  }
  size_t n_fixed = spec->n_operands - n_loose;
  size_t n_in_loose = n_loose != 0 && op->n_operands > n_fixed ? op->n_operands - n_fixed : 0;
  *begin = n_loose != 0 && group > loose ? group - 1 + n_in_loose : group;
  *count = n_loose != 0 && group == loose ? n_in_loose : 1;
  if (*begin + *count > op->n_operands) /* too few: the verifier reports it */
    *begin = *count = 0;
}

const EchoValueSpec *echo_op_spec_operand_or_null(const EchoOpSpec *spec, size_t n_operands,
                                                  const int32_t *segments, size_t i)
{
  size_t n = spec->n_operands, loose = 0, n_loose = 0;
  for (size_t at = n; at-- > 0;)
    if (spec->operands[at].variadic || spec->operands[at].optional) {
      n_loose++;
      loose = at;
    }
  if (n_loose > 1 && segments != NULL) {
    size_t end = (size_t)segments[loose = 0];
    for (; i >= end; end += (size_t)segments[loose])
      loose++;
    return &spec->operands[loose];
  }
  if (n_loose > 1 || n_operands + n_loose < n || (n_loose == 0 && n_operands != n))
    return NULL;
  if (n_loose == 0 || i < loose)
    return &spec->operands[i];
  size_t n_behind = n - loose - 1;
  return i + n_behind < n_operands ? &spec->operands[loose] : &spec->operands[n + i - n_operands];
}

/* ---- effects ---- */

/* Visits op and, below ops that are as pure as their regions, what they hold. */
static bool all_inside(const EchoOp *root, bool (*holds)(const EchoOp *op))
{
  if (!holds(root))
    return false;
  if ((root->info->traits & ECHO_RECURSIVE_EFFECTS) == 0)
    return true;
  for (EchoOp *op = echo_op_first_inside_or_null(root); op != NULL;
       op = echo_op_walk_next(root, op))
    if (!holds(op))
      return false;
  return true;
}

/* Terminators and constants have no effects of their own. */
static bool is_pure_itself(const EchoOp *op)
{
  uint64_t traits = op->info->traits;
  if ((traits & (ECHO_SIDE_EFFECTS | ECHO_UNREGISTERED | ECHO_READS_MEMORY | ECHO_ALLOCATES)) != 0)
    return false;
  return (traits & (ECHO_PURE | ECHO_RECURSIVE_EFFECTS | ECHO_CONSTANT | ECHO_TERMINATOR)) != 0;
}

static bool is_erasable_itself(const EchoOp *op)
{
  uint64_t traits = op->info->traits;
  if ((traits & (ECHO_SIDE_EFFECTS | ECHO_UNREGISTERED)) != 0)
    return false;
  return (traits & (ECHO_PURE | ECHO_RECURSIVE_EFFECTS | ECHO_CONSTANT | ECHO_TERMINATOR |
                    ECHO_READS_MEMORY | ECHO_ALLOCATES)) != 0;
}

bool echo_op_is_pure(const EchoOp *op)
{
  return op != NULL && all_inside(op, is_pure_itself);
}

bool echo_op_is_dead_if_unused(const EchoOp *op)
{
  const uint64_t stays = ECHO_TERMINATOR | ECHO_SYMBOL;
  return op != NULL && (op->info->traits & stays) == 0 && all_inside(op, is_erasable_itself);
}

/* ---- cost ---- */

static double bytes_of(const EchoType *type)
{
  uint64_t bytes;
  return echo_type_bytes(type, &bytes) ? (double)bytes : 0;
}

static double elements_of(const EchoType *type)
{
  int64_t n_elements;
  return echo_type_n_elements(type, &n_elements) ? (double)n_elements : 0;
}

void echo_op_cost(const EchoOp *op, EchoCost *cost)
{
  if (cost == NULL)
    return;
  *cost = (EchoCost){0};
  if (op == NULL)
    return;
  if (op->info->cost != NULL) {
    op->info->cost(op, cost);
    return;
  }
  const uint64_t computes_nothing = ECHO_CONSTANT | ECHO_MOVEMENT | ECHO_BARRIER | ECHO_TERMINATOR;
  for (uint32_t i = 0; i < op->n_operands; ++i)
    cost->bytes_read += bytes_of(echo_op_operand_type(op, i));
  for (uint32_t i = 0; i < op->n_results; ++i) {
    cost->bytes_written += bytes_of(op->results[i].type);
    if ((op->info->traits & computes_nothing) == 0)
      cost->flops += elements_of(op->results[i].type);
  }
}

const EchoAttr *echo_value_constant_or_null(const EchoValue *value)
{
  const EchoOp *op = echo_value_def_or_null(value);
  if (op == NULL || (op->info->traits & ECHO_CONSTANT) == 0)
    return NULL;
  return echo_op_attr_or_null(op, "value");
}

static bool has_entry(const EchoAttr *dictionary, EchoStr interned_name)
{
  for (size_t i = 0; i < dictionary->as.dictionary.size; ++i)
    if (dictionary->as.dictionary.entries[i].name.data == interned_name.data)
      return true;
  return false;
}

const EchoAttr *echo_op_spec_complete(EchoContext *ctx, const EchoOpSpec *spec,
                                      const EchoAttr *properties)
{
  static const char WHAT[] = "properties are completed";
  if (spec == NULL)
    echo_misuse(ctx, echo_loc_unknown(), "%s: 'spec' is NULL", WHAT);
  if (spec == NULL || !echo_attr_check_owner(ctx, WHAT, "properties", properties) ||
      !echo_attr_check_owner(ctx, WHAT, "spec", spec->defaults))
    return NULL;
  if (spec->defaults == NULL || properties == NULL)
    return properties != NULL ? properties : spec->defaults;
  for (size_t i = 0; i < spec->n_attrs; ++i)
    if (spec->attrs[i].initial != NULL && !has_entry(properties, spec->attrs[i].name))
      properties =
          echo_dictionary_with(ctx, properties, spec->attrs[i].name, spec->attrs[i].initial);
  return properties;
}
