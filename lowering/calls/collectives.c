/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Collectives as calls of the targets "echo.mpi.…" (jit/runtime/mpi.h), which have an effect, so
 * that they keep the program's order and run once. Each call is flat: what it gathers, exchanges or
 * scatters lies along a leading dimension, and transposes around it do the rest. A reduction that
 * the engine lacks is a gather (or an exchange) and a fixed order of the members. */
#include <string.h>

#include "base/arena.h"
#include "base/vector.h"
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/diagnostics.h"
#include "lowering/calls/collectives_t.h"

typedef ECHO_VECTOR(int64_t) Ranks;

/* Processes by group, `size` places each. Groups of different sizes are filled up with NOBODY. */
typedef struct Groups {
  Ranks ranks;
  int64_t size;
  bool is_uneven;
} Groups;

enum { NOBODY = -1 };

/* ---- who takes part ---- */

typedef enum NumberedBy { BY_REPLICA, BY_PARTITION, BY_BOTH, BY_PROCESS } NumberedBy;

static NumberedBy numbered_by(const EchoOp *op)
{
  const EchoChannelHandle *channel = echo_stablehlo_channel_or_null(op);
  bool has_channel = channel != NULL && channel->handle > 0;
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_ALL_GATHER:
  case ECHO_HLO_ALL_REDUCE:
  case ECHO_HLO_REDUCE_SCATTER:
    if (echo_op_has_attr(op, "use_global_device_ids"))
      return BY_PROCESS;
    return has_channel ? BY_BOTH : BY_REPLICA;
  default:
    return has_channel ? BY_PARTITION : BY_REPLICA;
  }
}

/* One row of numbers as groups of processes; where nobody is, is nobody. */
static void add_row(Ranks *ranks, const int64_t *row, int64_t size, NumberedBy by,
                    const EchoProcesses *p)
{
  switch (by) {
  case BY_REPLICA:
    for (int64_t k = 0; k < p->n_partitions; k++)
      for (int64_t i = 0; i < size; i++)
        echo_vector_push(ranks, row[i] < 0 ? NOBODY : row[i] * p->n_partitions + k);
    break;
  case BY_PARTITION:
    for (int64_t r = 0; r < p->n_replicas; r++)
      for (int64_t i = 0; i < size; i++)
        echo_vector_push(ranks, row[i] < 0 ? NOBODY : r * p->n_partitions + row[i]);
    break;
  case BY_BOTH:
    for (int64_t k = 0; k < p->n_partitions; k++)
      for (int64_t i = 0; i < size; i++)
        echo_vector_push(ranks, row[i] < 0 ? NOBODY : row[i] * p->n_partitions + k);
    break;
  case BY_PROCESS:
    for (int64_t i = 0; i < size; i++)
      echo_vector_push(ranks, row[i]);
    break;
  }
}

static int64_t n_numbered(NumberedBy by, const EchoProcesses *p)
{
  return by == BY_PARTITION ? p->n_partitions
         : by == BY_PROCESS ? p->n_replicas * p->n_partitions
                            : p->n_replicas;
}

static bool add_number(const EchoOp *op, int64_t number, int64_t n, Ranks *rows)
{
  if (number < 0 || number >= n)
    return echo_op_error(op, "has %lld in replica_groups, which is none of 0 to %lld",
                         (long long)number, (long long)(n - 1));
  for (size_t k = 0; k < rows->size; k++)
    if (rows->data[k] == number)
      return echo_op_error(op, "has %lld twice in replica_groups", (long long)number);
  echo_vector_push(rows, number);
  return true;
}

/* The replica groups, or one of all where there is none; each number at most once. Groups of
 * different sizes end in -1, which only ops that make of each group what has the operand's shape
 * can bear. */
static bool read_rows(const EchoOp *op, int64_t n, Ranks *rows, int64_t *width, int64_t *n_members)
{
  const EchoAttr *attr = echo_op_attr_or_null(op, "replica_groups");
  if (attr == NULL || attr->kind != ECHO_ATTR_DENSE_ELEMENTS || echo_type_rank(attr->type) != 2)
    return echo_op_error(op, "has replica_groups that are no matrix of numbers");
  const EchoHloOpcode opcode = echo_hlo_opcode(op);
  bool fills = opcode == ECHO_HLO_ALL_REDUCE || opcode == ECHO_HLO_COLLECTIVE_BROADCAST;
  int64_t n_numbers = echo_type_static_n_elements(attr->type);
  *width = n_numbers == 0 ? n : echo_type_dim(attr->type, 1);
  *n_members = 0;
  for (int64_t i = 0; i < (n_numbers == 0 ? n : n_numbers); i++) {
    int64_t number = n_numbers == 0 ? i : echo_elements_i64(attr, (size_t)i);
    bool is_end = i % *width != 0 && number == NOBODY;
    bool follows_end = i % *width != 0 && rows->data[rows->size - 1] == NOBODY;
    if (is_end && !fills)
      return echo_op_error(op, "has groups of different sizes");
    if (is_end) {
      echo_vector_push(rows, NOBODY);
      continue;
    }
    if (follows_end)
      return echo_op_error(op, "has %lld behind the end of its group", (long long)number);
    if (!add_number(op, number, n, rows))
      return false;
    ++*n_members;
  }
  return true;
}

static bool read_groups(const EchoOp *op, const EchoProcesses *p, Groups *groups)
{
  NumberedBy by = numbered_by(op);
  Ranks rows = {0};
  int64_t n = n_numbered(by, p), width = 0, n_members = 0;
  bool needs_all = echo_hlo_opcode(op) != ECHO_HLO_COLLECTIVE_BROADCAST;
  bool ok = read_rows(op, n, &rows, &width, &n_members);
  if (ok && needs_all && n_members != n)
    ok = echo_op_error(op, "has %lld of %lld in its replica_groups", (long long)n_members,
                       (long long)n);
  for (size_t i = 0; ok && width != 0 && i < rows.size; i += (size_t)width)
    add_row(&groups->ranks, rows.data + i, width, by, p);
  groups->size = by == BY_BOTH ? width * p->n_partitions : width;
  groups->is_uneven = n_members != (int64_t)rows.size;
  echo_vector_destroy(&rows);
  return ok;
}

bool echo_collective_groups(const EchoOp *op, const EchoProcesses *processes, EchoArena *arena,
                            const int64_t **ranks, size_t *n, int64_t *size)
{
  Groups groups = {0};
  bool ok = read_groups(op, processes, &groups);
  int64_t *copy = ECHO_ARENA_ARRAY(arena, int64_t, groups.ranks.size + 1);
  for (size_t i = 0; i < groups.ranks.size; i++)
    copy[i] = groups.ranks.data[i];
  *ranks = copy;
  *n = groups.ranks.size;
  *size = groups.size;
  echo_vector_destroy(&groups.ranks);
  return ok;
}

/* ---- a call ---- */

/* What the engine carries: `carried` lies as the value does, in elements that it knows. */
static const EchoType *carried_element(EchoContext *ctx, const EchoType *element)
{
  if (echo_type_element_kind(element) != ECHO_ELEMENT_NONE)
    return element;
  if (element->kind == ECHO_TYPE_FLOAT && echo_type_bit_width(element) <= 8)
    return echo_type_integer(ctx, 8, ECHO_UNSIGNED);
  return echo_type_integer(ctx, 8, ECHO_SIGNLESS);
}

/* Floats below a byte are carried as one of 8 bits that has all of theirs. */
static const EchoType *byte_float(EchoContext *ctx, const EchoType *element)
{
  return element->kind == ECHO_TYPE_FLOAT && echo_type_bit_width(element) < 8
             ? echo_type_float(ctx, ECHO_F8E4M3FN)
             : element;
}

static EchoValue *to_element(EchoBuilder *b, EchoValue *value, const EchoType *element)
{
  const EchoType *own = echo_type_element(value->type);
  if (own == element)
    return value;
  if (own != byte_float(b->ctx, own))
    return to_element(b, echo_hlo_convert(b, value, byte_float(b->ctx, own)), element);
  if (element != byte_float(b->ctx, element))
    return echo_hlo_convert(b, to_element(b, value, byte_float(b->ctx, element)), element);
  bool is_float = own->kind == ECHO_TYPE_FLOAT || element->kind == ECHO_TYPE_FLOAT;
  return is_float ? echo_hlo_bitcast_convert(b, value,
                                             echo_type_with_element(b->ctx, value->type, element))
                  : echo_hlo_convert(b, value, element);
}

static EchoOp *call_of(EchoBuilder *b, const char *target, const EchoAttr *config,
                       EchoValue *const *operands, const EchoType *const *types, size_t n)
{
  const EchoAttrArg attrs[] = {
      {"call_target_name", echo_attr_string(b->ctx, echo_str(target))},
      {"has_side_effect", echo_attr_bool(b->ctx, true)},
      {"api_version", echo_attr_i32(b->ctx, 4)},
      {"backend_config", config},
  };
  return echo_build_op(b, "stablehlo.custom_call", operands, n, types, n, attrs, 4);
}

static EchoValue *call_real(EchoBuilder *b, const char *target, const EchoAttr *config,
                            EchoValue *operand, const EchoType *type)
{
  const EchoType *element = echo_type_element(type);
  const EchoType *carried = carried_element(b->ctx, element);
  EchoValue *value = to_element(b, operand, carried);
  const EchoType *given = echo_type_with_element(b->ctx, type, carried);
  return to_element(b, echo_op_result(call_of(b, target, config, &value, &given, 1), 0), element);
}

/* Complex values go part by part. */
static EchoValue *call(EchoBuilder *b, const char *target, const EchoAttr *config,
                       EchoValue *operand, const EchoType *type)
{
  const EchoType *element = echo_type_element(type);
  if (element->kind != ECHO_TYPE_COMPLEX)
    return call_real(b, target, config, operand, type);
  const EchoType *part = echo_type_with_element(b->ctx, type, echo_type_element(element));
  EchoValue *real = call_real(b, target, config, echo_hlo_real(b, operand), part);
  EchoValue *imag = call_real(b, target, config, echo_hlo_imag(b, operand), part);
  return echo_hlo_complex(b, real, imag);
}

static const EchoAttr *config_of(EchoContext *ctx, const Groups *groups, const char *reduction)
{
  const EchoAttr *config =
      echo_dictionary_with(ctx, NULL, ECHO_STR("group_size"), echo_attr_i64(ctx, groups->size));
  config = echo_dictionary_with(ctx, config, ECHO_STR("ranks"),
                                echo_attr_i64_array(ctx, groups->ranks.data, groups->ranks.size));
  if (reduction == NULL)
    return config;
  return echo_dictionary_with(ctx, config, ECHO_STR("reduction"),
                              echo_attr_string(ctx, echo_str(reduction)));
}

/* ---- shapes ---- */

typedef struct Shape {
  int64_t dims[ECHO_MAX_RANK];
  size_t rank;
} Shape;

static Shape shape_of(const EchoType *type)
{
  Shape shape = {.rank = echo_type_rank(type)};
  for (size_t i = 0; i < shape.rank; i++)
    shape.dims[i] = echo_type_dim(type, i);
  return shape;
}

static const EchoType *type_of(EchoContext *ctx, const Shape *shape, const EchoType *like)
{
  return echo_hlo_tensor(ctx, shape->dims, shape->rank, echo_type_element(like));
}

static Shape with_dim(Shape shape, size_t at, int64_t size)
{
  for (size_t i = shape.rank++; i > at; i--)
    shape.dims[i] = shape.dims[i - 1];
  shape.dims[at] = size;
  return shape;
}

/* Dimension `from` becomes dimension `to`, others keep their order. */
static EchoValue *move_dim(EchoBuilder *b, EchoValue *value, size_t from, size_t to)
{
  int64_t order[ECHO_MAX_RANK];
  size_t rank = echo_type_rank(value->type), next = 0;
  for (size_t i = 0; i < rank; i++) {
    next += next == from;
    order[i] = i == to ? (int64_t)from : (int64_t)next++;
  }
  return echo_hlo_transpose(b, value, order);
}

static EchoValue *to_shape(EchoBuilder *b, EchoValue *value, const EchoType *type)
{
  Shape shape = shape_of(type);
  return echo_hlo_reshape(b, value, shape.dims, shape.rank);
}

EchoValue *echo_split_to_front(EchoBuilder *b, EchoValue *value, size_t dim, int64_t parts)
{
  Shape shape = shape_of(value->type);
  shape.dims[dim] /= parts;
  shape = with_dim(shape, dim, parts);
  return move_dim(b, echo_hlo_reshape(b, value, shape.dims, shape.rank), dim, 0);
}

/* [parts, .., n, ..] as `type`, [.., parts * n, ..]. */
static EchoValue *join_from_front(EchoBuilder *b, EchoValue *value, size_t dim,
                                  const EchoType *type)
{
  return to_shape(b, move_dim(b, value, 0, dim), type);
}

/* ---- reductions ---- */

static const struct {
  EchoHloOpcode opcode;
  const char *name;
  bool of_float, of_integer, of_bool;
} REDUCTIONS[] = {
    /* not a float's minimum: the engine's does not hand NaN on */
    {ECHO_HLO_ADD, "sum", true, true, false},
    {ECHO_HLO_MULTIPLY, "product", true, true, false},
    {ECHO_HLO_MINIMUM, "min", false, true, false},
    {ECHO_HLO_MAXIMUM, "max", false, true, false},
    {ECHO_HLO_AND, "and", false, true, true},
    {ECHO_HLO_OR, "or", false, true, true},
    {ECHO_HLO_XOR, "xor", false, true, true},
};

/* The engine's name for what the region does to this type. */
const char *echo_reduction_name_or_null(const EchoOp *op, const EchoType *type)
{
  const EchoBlock *body = op->regions[0].first;
  const EchoOp *inner = body->first;
  if (inner->next != body->last || inner->n_operands != 2 || inner->n_results != 1 ||
      echo_op_operand(body->last, 0) != echo_op_result(inner, 0) ||
      echo_op_operand(inner, 0) != echo_block_arg(body, 0) ||
      echo_op_operand(inner, 1) != echo_block_arg(body, 1))
    return NULL;
  EchoElementKind kind = echo_type_element_kind(type);
  bool is_float = kind == ECHO_ELEMENT_F32 || kind == ECHO_ELEMENT_F64;
  bool is_bool = kind == ECHO_ELEMENT_I1;
  bool is_integer = kind != ECHO_ELEMENT_NONE && !is_bool && !echo_element_is_float(kind);
  for (size_t i = 0; i < sizeof REDUCTIONS / sizeof REDUCTIONS[0]; i++)
    if (REDUCTIONS[i].opcode == echo_hlo_opcode(inner) &&
        ((is_float && REDUCTIONS[i].of_float) || (is_integer && REDUCTIONS[i].of_integer) ||
         (is_bool && REDUCTIONS[i].of_bool)))
      return REDUCTIONS[i].name;
  return NULL;
}

static EchoValue *combine(EchoBuilder *b, EchoOp *op, EchoValue *sum, EchoValue *next)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t rank = echo_type_rank(sum->type);
  for (size_t d = 0; d < rank; d++)
    dims[d] = (int64_t)d;
  EchoValue *pair[] = {sum, next};
  const EchoAttrArg dimensions = {"dimensions", echo_attr_i64_array(b->ctx, dims, rank)};
  EchoOp *map =
      echo_build_op_with_regions(b, "stablehlo.map", pair, 2, &sum->type, 1, &dimensions, 1, 1);
  EchoOp *copy = echo_op_clone(op, NULL);
  echo_region_take_blocks(&map->regions[0], &copy->regions[0]);
  echo_op_erase(copy);
  return echo_op_result(map, 0);
}

/* How many are in this process's group. */
static EchoValue *own_group_size(EchoBuilder *b, const Groups *groups)
{
  ECHO_VECTOR(int32_t) sizes = {0};
  for (size_t i = 0; i < groups->ranks.size; i++)
    echo_vector_push(&sizes, 0); /* at least one for each process */
  for (size_t i = 0; i < groups->ranks.size; i++)
    for (size_t k = i - i % (size_t)groups->size, end = k + (size_t)groups->size; k < end; k++)
      if (groups->ranks.data[i] != NOBODY && groups->ranks.data[k] != NOBODY)
        sizes.data[groups->ranks.data[i]]++;
  const int64_t n = (int64_t)sizes.size, one = 1;
  const EchoType *type = echo_hlo_tensor(b->ctx, &n, 1, echo_type_i32(b->ctx));
  EchoValue *table = echo_hlo_constant(
      b, echo_attr_elements(b->ctx, type, sizes.data, sizes.size * sizeof *sizes.data, false));
  echo_vector_destroy(&sizes);
  EchoValue *rank = echo_call_rank(b);
  return echo_hlo_reshape(b, echo_hlo_dynamic_slice(b, table, &rank, &one), NULL, 0);
}

/* Members along the leading dimension, combined first to last, as far as this process's group
 * goes. */
static EchoValue *fold_members(EchoBuilder *b, EchoOp *op, const Groups *groups, EchoValue *members,
                               const EchoType *type)
{
  EchoValue *sum = NULL, *own = groups->is_uneven ? own_group_size(b, groups) : NULL;
  for (int64_t i = 0; i < groups->size; i++) {
    EchoValue *next = to_shape(b, echo_hlo_slice_dim(b, members, 0, i, i + 1), type);
    EchoValue *both = sum != NULL ? combine(b, op, sum, next) : next;
    if (sum != NULL && own != NULL) {
      EchoValue *place = echo_hlo_constant_i64(b, own->type, i);
      both = echo_hlo_select(b, echo_hlo_compare(b, ECHO_COMPARE_LT, place, own), both, sum);
    }
    sum = both;
  }
  return sum;
}

EchoValue *echo_fold_members(EchoBuilder *b, EchoOp *op, int64_t size, EchoValue *members,
                             const EchoType *type)
{
  const Groups groups = {.size = size};
  return fold_members(b, op, &groups, members, type);
}

/* ---- the ops ---- */

static EchoValue *gather(EchoBuilder *b, const Groups *groups, EchoValue *operand)
{
  Shape shape = with_dim(shape_of(operand->type), 0, groups->size);
  return call(b, "echo.mpi.all_gather", config_of(b->ctx, groups, NULL), operand,
              type_of(b->ctx, &shape, operand->type));
}

EchoValue *echo_gather_groups(EchoBuilder *b, const int64_t *ranks, size_t n, int64_t size,
                              EchoValue *value)
{
  Groups groups = {.size = size};
  for (size_t i = 0; i < n; i++)
    echo_vector_push(&groups.ranks, ranks[i]);
  EchoValue *gathered = gather(b, &groups, value);
  echo_vector_destroy(&groups.ranks);
  return gathered;
}

static EchoValue *exchange(EchoBuilder *b, const Groups *groups, EchoValue *operand)
{
  return call(b, "echo.mpi.all_to_all", config_of(b->ctx, groups, NULL), operand, operand->type);
}

/* The engine's name of a reduction that gives the same bits in any order, or that it takes from the
 * first member to the last. NCCL has an order of its own, which depends on the size of what travels
 * together, so that of floats it combines none; and neither 16-bit integers nor bitwise ops. */
static const char *carried_reduction_or_null(const EchoOp *op, const EchoType *type,
                                             const EchoEngine *engine)
{
  const char *name = echo_reduction_name_or_null(op, type);
  if (name == NULL || !engine->is_nccl)
    return name;
  EchoElementKind kind = echo_type_element_kind(type);
  bool is_known =
      kind != ECHO_ELEMENT_I1 && !echo_element_is_float(kind) && echo_element_bits(kind) != 16;
  static const char *const NAMES[] = {"sum", "product", "min", "max"};
  for (size_t i = 0; is_known && i < sizeof NAMES / sizeof NAMES[0]; i++)
    if (strcmp(name, NAMES[i]) == 0)
      return name;
  return NULL;
}

/* ---- reductions by the program, of values that travel together ---- */

typedef struct Together {
  EchoBuilder *b;
  EchoOp *op;
  const Groups *groups;
  EchoValue **values; /* of the op's operands; each step puts its own there */
  size_t n;
} Together;

/* One call of them all; of one, in elements that the engine knows. */
static void call_together(const Together *t, const char *target, bool gathers)
{
  EchoBuilder *b = t->b;
  ECHO_VECTOR(const EchoType *) types = {0};
  for (size_t i = 0; i < t->n; i++) {
    Shape shape = shape_of(t->values[i]->type);
    shape = gathers ? with_dim(shape, 0, t->groups->size) : shape;
    echo_vector_push(&types, type_of(b->ctx, &shape, t->values[i]->type));
  }
  const EchoAttr *config = config_of(b->ctx, t->groups, NULL);
  if (t->n == 1) {
    t->values[0] = call(b, target, config, t->values[0], types.data[0]);
  } else {
    EchoOp *made = call_of(b, target, config, t->values, types.data, t->n);
    for (size_t i = 0; i < t->n; i++)
      t->values[i] = echo_op_result(made, (uint32_t)i);
  }
  echo_vector_destroy(&types);
}

static void fold_together(const Together *t)
{
  for (size_t i = 0; i < t->n; i++) {
    Shape shape = shape_of(t->values[i]->type);
    for (size_t d = 1; d < shape.rank; d++)
      shape.dims[d - 1] = shape.dims[d];
    shape.rank--;
    t->values[i] = fold_members(t->b, t->op, t->groups, t->values[i],
                                type_of(t->b->ctx, &shape, t->values[i]->type));
  }
}

static EchoValue *zero_of(EchoBuilder *b, const EchoType *element)
{
  if (element->kind == ECHO_TYPE_COMPLEX) {
    EchoValue *zero = echo_hlo_scalar_f64(b, echo_type_element(element), 0);
    return echo_hlo_complex(b, zero, zero);
  }
  const EchoType *scalar = echo_hlo_tensor(b->ctx, NULL, 0, element);
  return echo_type_is_integer(element, 1) ? echo_hlo_constant_bool(b, scalar, false)
                                          : echo_hlo_constant_f64(b, scalar, 0);
}

/* [size, elements of a part], zeros behind the last element. */
static EchoValue *cut(EchoBuilder *b, EchoValue *value, int64_t size)
{
  int64_t n = echo_type_static_n_elements(value->type), part = (n + size - 1) / size;
  const int64_t flat[] = {n}, cut[] = {size, part}, none[] = {0}, behind[] = {part * size - n};
  value = echo_hlo_reshape(b, value, flat, 1);
  if (behind[0] != 0)
    value = echo_hlo_pad(b, value, zero_of(b, echo_type_element(value->type)), none, behind, none);
  return echo_hlo_reshape(b, value, cut, 2);
}

static EchoValue *whole(EchoBuilder *b, EchoValue *cut, const EchoType *type)
{
  const int64_t flat[] = {echo_type_static_n_elements(cut->type)};
  EchoValue *value = echo_hlo_reshape(b, cut, flat, 1);
  value = echo_hlo_slice_dim(b, value, 0, 0, echo_type_static_n_elements(type));
  return to_shape(b, value, type);
}

/* From the first member of a group to the last: all gather what is small, or each is sent a part,
 * combines it, and all gather the parts. */
static void reduce_in_order(const Together *t, const EchoEngine *engine)
{
  double bytes = 0;
  for (size_t i = 0; i < t->n; i++)
    bytes += (double)echo_type_static_bytes(t->values[i]->type);
  if (t->groups->is_uneven || !engine->is_nccl ||
      bytes * (double)t->groups->size <= engine->gather_bytes) {
    call_together(t, "echo.mpi.all_gather", true);
    fold_together(t);
    return;
  }
  for (size_t i = 0; i < t->n; i++)
    t->values[i] = cut(t->b, t->values[i], t->groups->size);
  call_together(t, "echo.mpi.all_to_all", false);
  fold_together(t);
  call_together(t, "echo.mpi.all_gather", true);
  for (size_t i = 0; i < t->n; i++)
    t->values[i] = whole(t->b, t->values[i], echo_op_operand_type(t->op, (uint32_t)i));
}

static EchoValue *all_reduce(EchoBuilder *b, EchoOp *op, const Groups *groups,
                             const EchoEngine *engine, EchoValue *operand)
{
  const char *reduction = carried_reduction_or_null(op, operand->type, engine);
  if (reduction != NULL)
    return call(b, "echo.mpi.all_reduce", config_of(b->ctx, groups, reduction), operand,
                operand->type);
  const Together one = {b, op, groups, &operand, 1};
  const EchoType *type = operand->type;
  reduce_in_order(&one, engine);
  return to_shape(b, operand, type);
}

/* In the order in which all_reduce combines: a part of its result has the same bits. */
static EchoValue *reduce_scatter(EchoBuilder *b, EchoOp *op, const Groups *groups,
                                 EchoValue *operand, const EchoType *type)
{
  size_t dim = (size_t)echo_op_attr_i64(op, "scatter_dimension", 0);
  EchoValue *pieces = echo_split_to_front(b, operand, dim, groups->size);
  return fold_members(b, op, groups, exchange(b, groups, pieces), type);
}

static EchoValue *all_to_all(EchoBuilder *b, const EchoOp *op, const Groups *groups,
                             EchoValue *operand, const EchoType *type)
{
  size_t split = (size_t)echo_op_attr_i64(op, "split_dimension", 0);
  size_t concat = (size_t)echo_op_attr_i64(op, "concat_dimension", 0);
  EchoValue *pieces = echo_split_to_front(b, operand, split, groups->size);
  return join_from_front(b, exchange(b, groups, pieces), concat, type);
}

/* Whether the group's size fits the shapes, which the verifier does not know. */
static bool check_shape(const EchoOp *op, const Groups *groups, uint32_t i)
{
  const EchoType *from = echo_op_operand_type(op, i), *to = echo_op_result_type(op, i);
  if (!echo_type_is_tensor(from) || !echo_type_has_static_shape(from) ||
      !echo_type_has_static_shape(to) || echo_type_rank(from) >= ECHO_MAX_RANK)
    return echo_op_error(op, "goes between processes, and has no tensor of a static shape");
  EchoHloOpcode opcode = echo_hlo_opcode(op);
  Shape want = shape_of(from);
  int64_t n = groups->size;
  if (opcode == ECHO_HLO_ALL_TO_ALL && echo_op_attr_i64(op, "split_count", 0) != n)
    return echo_op_error(op, "splits into %lld, but its groups have %lld members",
                         (long long)echo_op_attr_i64(op, "split_count", 0), (long long)n);
  size_t split = (size_t)echo_op_attr_i64(
      op, opcode == ECHO_HLO_ALL_TO_ALL ? "split_dimension" : "scatter_dimension", 0);
  if (opcode == ECHO_HLO_ALL_TO_ALL || opcode == ECHO_HLO_REDUCE_SCATTER) {
    if (want.dims[split] % n != 0)
      return echo_op_error(op, "splits a dimension of %lld among %lld", (long long)want.dims[split],
                           (long long)n);
    want.dims[split] /= n;
  }
  if (opcode == ECHO_HLO_ALL_TO_ALL)
    want.dims[echo_op_attr_i64(op, "concat_dimension", 0)] *= n;
  if (opcode == ECHO_HLO_ALL_GATHER)
    want.dims[echo_op_attr_i64(op, "all_gather_dim", 0)] *= n;
  EchoContext *ctx = echo_op_context(op);
  if (type_of(ctx, &want, from) != echo_type_with_element(ctx, to, echo_type_element(from)) ||
      echo_type_element(from) != echo_type_element(to))
    return echo_op_error(op, "gives '%s' of '%s' in groups of %lld", echo_type_text(ctx, to),
                         echo_type_text(ctx, from), (long long)n);
  return true;
}

static EchoValue *lower_value(EchoBuilder *b, EchoOp *op, const Groups *groups,
                              const EchoEngine *engine, uint32_t i)
{
  EchoValue *operand = echo_op_operand(op, i);
  const EchoType *type = echo_op_result_type(op, i);
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_ALL_REDUCE:
    return all_reduce(b, op, groups, engine, operand);
  case ECHO_HLO_REDUCE_SCATTER:
    return reduce_scatter(b, op, groups, operand, type);
  case ECHO_HLO_ALL_TO_ALL:
    return all_to_all(b, op, groups, operand, type);
  case ECHO_HLO_ALL_GATHER:
    return join_from_front(b, gather(b, groups, operand),
                           (size_t)echo_op_attr_i64(op, "all_gather_dim", 0), type);
  default:
    return call(b, "echo.mpi.broadcast", config_of(b->ctx, groups, NULL), operand, type);
  }
}

/* Several operands of one type that the engine knows are one call, where it carries them. */
static bool is_one_call(const EchoOp *op)
{
  const EchoHloOpcode opcode = echo_hlo_opcode(op);
  const bool moves = opcode == ECHO_HLO_ALL_GATHER || opcode == ECHO_HLO_ALL_TO_ALL;
  if ((opcode != ECHO_HLO_ALL_REDUCE && !moves) || op->n_operands < 2 ||
      op->n_operands > ECHO_COLLECTIVE_MAX_VALUES)
    return false;
  const EchoType *element = echo_type_element(echo_op_operand_type(op, 0));
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (echo_type_element(echo_op_operand_type(op, i)) != element)
      return false;
  return carried_element(echo_op_context(op), element) == element &&
         (moves || echo_reduction_name_or_null(op, echo_op_operand_type(op, 0)) != NULL);
}

/* Several that are gathered, or exchanged. */
static void move_together(EchoBuilder *b, EchoOp *op, const Groups *groups)
{
  const bool gathers = echo_hlo_opcode(op) == ECHO_HLO_ALL_GATHER;
  const size_t split = (size_t)echo_op_attr_i64(op, "split_dimension", 0);
  const size_t at =
      (size_t)echo_op_attr_i64(op, gathers ? "all_gather_dim" : "concat_dimension", 0);
  ECHO_VECTOR(EchoValue *) values = {0};
  for (uint32_t i = 0; i < op->n_operands; i++) {
    EchoValue *value = echo_op_operand(op, i);
    echo_vector_push(&values, gathers ? value : echo_split_to_front(b, value, split, groups->size));
  }
  const Together together = {b, op, groups, values.data, values.size};
  call_together(&together, gathers ? "echo.mpi.all_gather" : "echo.mpi.all_to_all", gathers);
  for (uint32_t i = 0; i < op->n_results; i++)
    echo_value_replace_all_uses(echo_op_result(op, i),
                                join_from_front(b, values.data[i], at, echo_op_result_type(op, i)));
  echo_vector_destroy(&values);
}

static void reduce_together(EchoBuilder *b, EchoOp *op, const Groups *groups,
                            const EchoEngine *engine)
{
  ECHO_VECTOR(EchoValue *) operands = {0};
  ECHO_VECTOR(const EchoType *) types = {0};
  const char *reduction = carried_reduction_or_null(op, echo_op_operand_type(op, 0), engine);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    echo_vector_push(&operands, echo_op_operand(op, i));
    echo_vector_push(&types, echo_op_result_type(op, i));
  }
  if (reduction != NULL) {
    EchoOp *made = call_of(b, "echo.mpi.all_reduce", config_of(b->ctx, groups, reduction),
                           operands.data, types.data, op->n_operands);
    for (uint32_t i = 0; i < op->n_results; i++)
      operands.data[i] = echo_op_result(made, i);
  } else {
    const Together together = {b, op, groups, operands.data, operands.size};
    reduce_in_order(&together, engine);
  }
  for (uint32_t i = 0; i < op->n_results; i++)
    echo_value_replace_all_uses(echo_op_result(op, i), operands.data[i]);
  echo_vector_destroy(&operands);
  echo_vector_destroy(&types);
}

static bool lower_grouped(EchoOp *op, const EchoProcesses *p, const EchoEngine *engine)
{
  Groups groups = {0};
  const EchoHloOpcode opcode = echo_hlo_opcode(op);
  EchoBuilder b = echo_builder_before(op);
  bool ok = echo_op_attr_or_null(op, "has_dynamic_root") == NULL ||
            echo_op_error(op, "has a root that is known at run time only: not carried");
  ok = ok && read_groups(op, p, &groups);
  if (ok && op->n_operands != op->n_results)
    ok = echo_op_error(op, "has %u operands and %u results", op->n_operands, op->n_results);
  for (uint32_t i = 0; ok && i < op->n_operands; i++)
    ok = check_shape(op, &groups, i);
  bool is_one = ok && is_one_call(op);
  if (is_one && opcode == ECHO_HLO_ALL_REDUCE)
    reduce_together(&b, op, &groups, engine);
  else if (is_one)
    move_together(&b, op, &groups);
  for (uint32_t i = 0; ok && !is_one && i < op->n_operands; i++)
    echo_value_replace_all_uses(echo_op_result(op, i), lower_value(&b, op, &groups, engine, i));
  echo_vector_destroy(&groups.ranks);
  if (ok)
    echo_op_erase(op);
  return ok;
}

/* A target has one source; a source may have many targets only by many pairs, which is refused. */
static bool check_pairs(const EchoOp *op, const EchoAttr *attr, int64_t n_pairs, int64_t n)
{
  for (int64_t i = 0; i < 2 * n_pairs; i++) {
    int64_t number = echo_elements_i64(attr, (size_t)i);
    if (number < 0 || number >= n)
      return echo_op_error(op, "has %lld in source_target_pairs, which is none of 0 to %lld",
                           (long long)number, (long long)(n - 1));
    for (int64_t k = i % 2; k < i; k += 2)
      if (echo_elements_i64(attr, (size_t)k) == number)
        return echo_op_error(op, "has %lld as two %s", (long long)number,
                             i % 2 == 0 ? "sources" : "targets");
  }
  return true;
}

static bool lower_permute(EchoOp *op, const EchoProcesses *p)
{
  const EchoAttr *attr = echo_op_attr_or_null(op, "source_target_pairs");
  if (attr == NULL || attr->kind != ECHO_ATTR_DENSE_ELEMENTS)
    return echo_op_error(op, "has no source_target_pairs");
  NumberedBy by = numbered_by(op);
  int64_t n_pairs = echo_type_static_n_elements(attr->type) / 2;
  if (!check_pairs(op, attr, n_pairs, n_numbered(by, p)))
    return false;
  Groups pairs = {.size = 2};
  EchoBuilder b = echo_builder_before(op);
  for (int64_t i = 0; i < n_pairs; i++) {
    int64_t row[] = {echo_elements_i64(attr, (size_t)(2 * i)),
                     echo_elements_i64(attr, (size_t)(2 * i + 1))};
    add_row(&pairs.ranks, row, 2, by, p);
  }
  EchoValue *value = call(&b, "echo.mpi.permute", config_of(b.ctx, &pairs, NULL),
                          echo_op_operand(op, 0), echo_op_result_type(op, 0));
  echo_vector_destroy(&pairs.ranks);
  echo_value_replace_all_uses(echo_op_result(op, 0), value);
  echo_op_erase(op);
  return true;
}

/* The process is known when the program runs, so that all processes run the same program. */
EchoValue *echo_call_rank(EchoBuilder *b)
{
  const EchoType *type =
      echo_hlo_tensor(b->ctx, NULL, 0, echo_type_integer(b->ctx, 32, ECHO_UNSIGNED));
  const EchoAttrArg attrs[] = {
      {"call_target_name", echo_attr_string(b->ctx, ECHO_STR("echo.mpi.rank"))},
      {"api_version", echo_attr_i32(b->ctx, 4)},
  };
  return echo_op_result(echo_build_op(b, "stablehlo.custom_call", NULL, 0, &type, 1, attrs, 2), 0);
}

static bool lower_id(EchoOp *op, const EchoProcesses *p)
{
  EchoBuilder b = echo_builder_before(op);
  EchoValue *rank = echo_call_rank(&b);
  EchoValue *n = echo_hlo_constant_i64(&b, rank->type, p->n_partitions);
  EchoValue *id = echo_hlo_opcode(op) == ECHO_HLO_REPLICA_ID ? echo_hlo_divide(&b, rank, n)
                                                             : echo_hlo_remainder(&b, rank, n);
  echo_value_replace_all_uses(echo_op_result(op, 0), id);
  echo_op_erase(op);
  return true;
}

bool echo_lower_collective(EchoOp *op, const EchoProcesses *processes, const EchoEngine *engine)
{
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_ALL_GATHER:
  case ECHO_HLO_ALL_REDUCE:
  case ECHO_HLO_ALL_TO_ALL:
  case ECHO_HLO_COLLECTIVE_BROADCAST:
  case ECHO_HLO_REDUCE_SCATTER:
    return lower_grouped(op, processes, engine);
  case ECHO_HLO_COLLECTIVE_PERMUTE:
    return lower_permute(op, processes);
  case ECHO_HLO_PARTITION_ID:
  case ECHO_HLO_REPLICA_ID:
    return lower_id(op, processes);
  case ECHO_HLO_COLLECTIVE_REDUCE:
  case ECHO_HLO_CROSS_REPLICA_SUM:
  case ECHO_HLO_SEND:
  case ECHO_HLO_RECV:
    return echo_op_error(op, "is not carried between processes");
  default:
    return true;
  }
}
