/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Types of ops between devices, as far as a single program shows them. */
#include "dialects/stablehlo/infer/infer_t.h"
#include "ir/symbol.h"

static const char *text(const EchoOpState *state, const EchoType *type)
{
  return echo_type_text(state->ctx, type);
}

bool echo_hlo_infer_replica_id(const EchoOpState *state, const EchoRegion *regions,
                               const EchoType **types, size_t *n_types)
{
  (void)regions;
  return echo_hlo_infer_one(
      types, n_types,
      echo_hlo_make_tensor(state, NULL, 0, echo_type_integer(state->ctx, 32, ECHO_UNSIGNED)));
}

static bool is_set(const EchoOpState *state, const char *name)
{
  return echo_hlo_state_attr_or_null(state, name) != NULL;
}

/* Devices of all processes are numbered through only in a channel that is not 0, and in groups that
 * say which. */
static bool check_global_ids(const EchoOpState *state, int64_t n_ids)
{
  if (!is_set(state, "use_global_device_ids"))
    return true;
  const EchoHloPayload *channel = echo_hlo_payload_or_null(
      echo_hlo_state_attr_or_null(state, "channel_handle"), ECHO_HLO_ATTR_CHANNEL_HANDLE);
  int64_t handle = channel != NULL ? channel->as.channel.handle : 0;
  if (n_ids == 0)
    return echo_hlo_error(state, "replica groups cannot be empty with use_global_device_ids");
  return handle > 0 || echo_hlo_error(state,
                                      "channel_id must be positive with use_global_device_ids, "
                                      "but got %lld",
                                      (long long)handle);
}

/* Groups as a table: rows of processes, -1 fills short rows where they may differ in size; no
 * process twice. group_size: 0 for any. */
static bool check_groups(const EchoOpState *state, bool same_size, int64_t group_size)
{
  const EchoAttr *groups = echo_hlo_state_attr_or_null(state, "replica_groups");
  if (groups == NULL || groups->kind != ECHO_ATTR_DENSE_ELEMENTS)
    return true;
  int64_t n;
  if (echo_type_rank(groups->type) != 2 || !echo_type_n_elements(groups->type, &n))
    return echo_hlo_error(state, "replica_groups must be a table, but got '%s'",
                          text(state, groups->type));
  if (!check_global_ids(state, n))
    return false;
  if (group_size != 0 && (n == 0 || echo_type_dim(groups->type, 1) != group_size))
    return echo_hlo_error(state, "group size of replica_groups must be %lld",
                          (long long)group_size);
  EchoMap seen = {0};
  bool ok = true;
  for (int64_t i = 0; ok && i < n; ++i) {
    int64_t id = echo_elements_i64(groups, (size_t)i);
    if (id < -1 || (id == -1 && same_size))
      ok = echo_hlo_error(state, "replica_groups has invalid process %lld", (long long)id);
    else if (id >= 0 && !echo_map_insert(&seen, (uint64_t)id, 1))
      ok = echo_hlo_error(state, "replica_groups has process %lld more than once", (long long)id);
  }
  for (uint64_t id = 0; ok && id < seen.n_live; ++id)
    if (!echo_map_has(&seen, id))
      ok = echo_hlo_error(state, "replica_groups misses process %llu", (unsigned long long)id);
  echo_map_destroy(&seen);
  return ok;
}

/* Operands but the last, which with has_dynamic_root has the root of each. */
static bool count_data(const EchoOpState *state, size_t *n)
{
  bool has_root = is_set(state, "has_dynamic_root");
  *n = state->n_operands;
  if (state->n_operands < (has_root ? 2 : 1))
    return echo_hlo_error(state, "requires at least one operand of data%s",
                          has_root ? " and one of roots" : "");
  if (!has_root)
    return true;
  const EchoType *root = echo_hlo_state_type(state, --*n);
  return (echo_type_is_tensor(root) && echo_type_rank(root) == 1 &&
          echo_type_is_integer(root->as.shaped.element, 32) &&
          echo_hlo_dims_agree(echo_type_dim(root, 0), (int64_t)*n)) ||
         echo_hlo_error(state,
                        "the last operand must have one i32 for each of the others, but got "
                        "'%s'",
                        text(state, root));
}

bool echo_hlo_infer_collective(const EchoOpState *state, const EchoRegion *regions,
                               const EchoType **types, size_t *n_types)
{
  size_t n;
  if (!check_groups(state, false, 0) || !count_data(state, &n))
    return false;
  *n_types = n;
  bool has_body = state->n_regions != 0 && !echo_region_is_empty(&regions[0]);
  for (size_t i = 0; i < n; ++i) {
    const EchoType *type = echo_hlo_state_tensor_or_null(state, i);
    if (type == NULL)
      return false;
    types[i] = type;
    if (!has_body)
      continue;
    const EchoType *scalar = echo_hlo_make_tensor(state, NULL, 0, type->as.shaped.element);
    const EchoType *element;
    if (!echo_hlo_check_reducer(state, &regions[0], &type, &scalar, 1, (EchoDimList){NULL, 0},
                                &element))
      return false;
    types[i] = echo_type_with_element(state->ctx, type, element);
  }
  return true;
}

bool echo_hlo_infer_all_to_all(const EchoOpState *state, const EchoRegion *regions,
                               const EchoType **types, size_t *n_types)
{
  (void)regions;
  int64_t split = echo_hlo_state_i64(state, "split_dimension", 0);
  int64_t concat = echo_hlo_state_i64(state, "concat_dimension", 0);
  int64_t count = echo_hlo_state_i64(state, "split_count", 1);
  if (count < 1)
    return echo_hlo_error(state, "split_count must be positive, got %lld", (long long)count);
  if (!check_groups(state, true, count))
    return false;
  for (size_t i = 0; i < state->n_operands; ++i) {
    const EchoType *type = echo_hlo_state_tensor_or_null(state, i);
    if (type == NULL)
      return false;
    int64_t dims[ECHO_MAX_RANK], rank = echo_type_rank(type);
    if (split < 0 || split >= rank || concat < 0 || concat >= rank)
      return echo_hlo_error(state,
                            "split_dimension %lld or concat_dimension %lld is out of range "
                            "[0, %lld)",
                            (long long)split, (long long)concat, (long long)rank);
    for (int64_t d = 0; d < rank; ++d)
      dims[d] = echo_type_dim(type, (size_t)d);
    if (dims[split] != ECHO_DYNAMIC && dims[split] % count != 0)
      return echo_hlo_error(state,
                            "split_count %lld does not divide the size %lld of the split "
                            "dimension",
                            (long long)count, (long long)dims[split]);
    if (dims[split] != ECHO_DYNAMIC)
      dims[split] /= count;
    if (dims[concat] != ECHO_DYNAMIC && !echo_mul_i64(dims[concat], count, &dims[concat]))
      return echo_hlo_error(state, "the size of the concatenated dimension overflows");
    types[i] = echo_hlo_make_tensor(state, dims, (size_t)rank, type->as.shaped.element);
  }
  *n_types = state->n_operands;
  return true;
}

/* Result and operand agree but in one dimension, whose sizes are a multiple of each other. */
static bool check_scaled(const EchoOp *op, const EchoType *small, const EchoType *large,
                         int64_t dimension)
{
  if (echo_type_rank(small) != echo_type_rank(large) || dimension < 0 ||
      dimension >= (int64_t)echo_type_rank(small))
    return echo_op_error(op, "dimension %lld or ranks do not fit '%s' and '%s'",
                         (long long)dimension, echo_type_text(echo_op_context(op), small),
                         echo_type_text(echo_op_context(op), large));
  for (size_t d = 0; d < echo_type_rank(small); ++d) {
    int64_t a = echo_type_dim(small, d), b = echo_type_dim(large, d);
    bool fits = (int64_t)d != dimension
                    ? echo_hlo_dims_agree(a, b)
                    : a == ECHO_DYNAMIC || b == ECHO_DYNAMIC || a == b || (a != 0 && b % a == 0);
    if (!fits)
      return echo_op_error(op, "operand and result do not fit in dimension %zu: '%s', '%s'", d,
                           echo_type_text(echo_op_context(op), small),
                           echo_type_text(echo_op_context(op), large));
  }
  return true;
}

/* Groups by the axes of a mesh name a symbol; an op that stands in no module yet sees none. */
static bool mesh_is_there(const EchoOp *op)
{
  static const char GROUPS[] = "replica_group_mesh_axes<", MESH[] = "mesh = @";
  const EchoAttr *groups = echo_op_attr_or_null(op, "replica_groups");
  const EchoOp *module = op;
  while (module != NULL && !echo_op_is(module, "builtin.module"))
    module = echo_block_parent(module->block);
  if (module == NULL || groups == NULL || groups->kind != ECHO_ATTR_OPAQUE ||
      !echo_str_starts_with(groups->as.opaque.text, GROUPS))
    return true;
  EchoStr text = groups->as.opaque.text;
  size_t at = sizeof GROUPS - 1, n = 0;
  while (at + sizeof MESH <= text.size && memcmp(text.data + at, MESH, sizeof MESH - 1) != 0)
    at++;
  const char *name = text.data + at + sizeof MESH - 1;
  if (at + sizeof MESH > text.size || *name == '"')
    return true;
  while (name + n < text.data + text.size && strchr(",> \n", name[n]) == NULL)
    n++;
  EchoContext *ctx = echo_op_context(op);
  return echo_symbol_lookup_or_null(module, echo_attr_symbol(ctx, (EchoStr){name, n})) != NULL ||
         echo_op_error(op, "replica_groups: mesh symbol '%.*s' not found", (int)n, name);
}

static bool op_groups_hold(const EchoOp *op, bool same_size)
{
  if (!mesh_is_there(op))
    return false;
  EchoValue **operands;
  EchoOpState state = echo_hlo_state_of(op, &operands);
  bool ok = check_groups(&state, same_size, 0);
  echo_free(operands);
  return ok;
}

bool echo_hlo_verify_all_gather(const EchoOp *op)
{
  if (op->n_operands != op->n_results)
    return echo_op_error(op, "has %u operands and %u results", op->n_operands, op->n_results);
  for (size_t i = 0; i < op->n_operands; ++i)
    if (!check_scaled(op, echo_op_operand_type(op, i), echo_op_result_type(op, i),
                      echo_op_attr_i64(op, "all_gather_dim", 0)))
      return false;
  return op_groups_hold(op, true);
}

static bool check_scatter_reducer(const EchoOp *op)
{
  EchoValue **operands;
  EchoOpState state = echo_hlo_state_of(op, &operands);
  const EchoType *type = echo_op_operand_type(op, 0), *element;
  const EchoType *scalar = echo_hlo_make_tensor(&state, NULL, 0, type->as.shaped.element);
  bool ok = echo_hlo_check_reducer(&state, &op->regions[0], &type, &scalar, 1,
                                   (EchoDimList){NULL, 0}, &element);
  if (ok && element != echo_op_result_type(op, 0)->as.shaped.element)
    ok =
        echo_op_error(op, "result must have the element type that the region returns, but got '%s'",
                      echo_type_text(state.ctx, echo_op_result_type(op, 0)));
  echo_free(operands);
  return ok;
}

bool echo_hlo_verify_reduce_scatter(const EchoOp *op)
{
  const EchoType *operand = echo_op_operand_type(op, 0);
  int64_t dimension = echo_op_attr_i64(op, "scatter_dimension", 0);
  if (dimension < (int64_t)echo_type_rank(operand) &&
      echo_type_dim(operand, (size_t)dimension) == 0)
    return echo_op_error(op, "size of dimension %lld, which is scattered, cannot be zero",
                         (long long)dimension);
  return check_scatter_reducer(op) &&
         check_scaled(op, echo_op_result_type(op, 0), echo_op_operand_type(op, 0),
                      echo_op_attr_i64(op, "scatter_dimension", 0)) &&
         op_groups_hold(op, false);
}

bool echo_hlo_verify_collective_permute(const EchoOp *op)
{
  const EchoAttr *pairs = echo_op_attr_or_null(op, "source_target_pairs");
  if (echo_type_rank(pairs->type) != 2 || echo_type_dim(pairs->type, 1) != 2)
    return echo_op_error(op, "source_target_pairs must be a table of pairs, but got '%s'",
                         echo_type_text(echo_op_context(op), pairs->type));
  if (!echo_hlo_types_agree(echo_op_operand_type(op, 0), echo_op_result_type(op, 0)))
    return echo_op_error(op, "operand and result have different types");
  for (size_t side = 0; side < 2; ++side) {
    EchoMap seen = {0};
    bool ok = true;
    for (int64_t i = 0; ok && i < echo_type_dim(pairs->type, 0); ++i) {
      int64_t id = echo_elements_i64(pairs, 2 * (size_t)i + side);
      if (id < 0 || !echo_map_insert(&seen, (uint64_t)id, 1))
        ok = echo_op_error(op, "%s %lld is negative or named more than once",
                           side == 0 ? "source" : "target", (long long)id);
    }
    echo_map_destroy(&seen);
    if (!ok)
      return false;
  }
  return true;
}
