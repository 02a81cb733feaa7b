/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Writing a portable artifact: each op as the version asked for has it. What that version lacks is
 * an error at the op. */
#include "dialects/stablehlo/vhlo/vhlo_t.h"

#include "ir/diagnostics.h"

typedef struct Artifact {
  EchoVhloVersion version;
  uint32_t bytecode;
} Artifact;

/* "add" of "stablehlo.add", "func" of "func.func"; empty when VHLO has no such op. */
static EchoStr base_of(const EchoOp *op)
{
  static const char *const OF_FUNC[] = {"func", "call", "return"};
  EchoStr name = echo_op_name(op), dialect = echo_op_info_dialect(op->info);
  if (dialect.size + 1 >= name.size || (op->info->traits & ECHO_UNREGISTERED) != 0)
    return (EchoStr){0};
  EchoStr base = {name.data + dialect.size + 1, name.size - dialect.size - 1};
  bool is_of_vhlo = echo_str_is(dialect, "stablehlo");
  for (size_t i = 0; i < 3 && echo_str_is(dialect, "func"); i++)
    is_of_vhlo |= echo_str_is(base, OF_FUNC[i]);
  return is_of_vhlo ? base : (EchoStr){0};
}

/* ---- what a version lacks ---- */

static bool lacks(const EchoOp *op, EchoVhloVersion v, const char *what)
{
  return echo_op_error(op, "has %s, which version %u.%u.%u of VHLO does not", what, v.major,
                       v.minor, v.patch);
}

/* Attributes that a newer version of an op has, and an older one has not, hold nothing. */
static bool check_dropped(const EchoOp *op, const EchoAttr *rest, EchoVhloVersion v)
{
  static const struct {
    const char *attr, *what;
  } DROPPED[] = {{"operand_batching_dims", "batching dimensions"},
                 {"start_indices_batching_dims", "batching dimensions"},
                 {"input_batching_dims", "batching dimensions"},
                 {"scatter_indices_batching_dims", "batching dimensions"},
                 {"lhs_precision_type", "an algorithm"},
                 {"source_target_pairs", "pairs of sources and targets"},
                 {"result_tilings", "tilings of results"},
                 {"has_dynamic_root", "a dynamic root"}};
  for (size_t i = 0; i < sizeof DROPPED / sizeof *DROPPED; i++) {
    const EchoAttr *value = echo_dictionary_get_or_null(rest, DROPPED[i].attr);
    if (value == NULL)
      continue;
    bool is_empty = value->kind == ECHO_ATTR_DENSE_ELEMENTS ? value->as.elements.size_bytes == 0
                    : value->kind == ECHO_ATTR_ARRAY        ? value->as.array.size == 0
                    : value->kind == ECHO_ATTR_INTEGER      ? value->as.integer.value == 0
                                                            : false;
    if (!is_empty)
      return lacks(op, v, DROPPED[i].what);
  }
  const EchoHloPayload *accuracy = echo_hlo_payload_or_null(
      echo_dictionary_get_or_null(rest, "result_accuracy"), ECHO_HLO_ATTR_RESULT_ACCURACY);
  const EchoResultAccuracy none = {0};
  if (accuracy != NULL &&
      (accuracy->as.accuracy.mode != none.mode || accuracy->as.accuracy.atol != none.atol ||
       accuracy->as.accuracy.rtol != none.rtol || accuracy->as.accuracy.ulps != none.ulps))
    return lacks(op, v, "a result_accuracy");
  return true;
}

static bool takes_one(EchoStr base)
{
  return echo_str_is(base, "all_gather") || echo_str_is(base, "all_reduce") ||
         echo_str_is(base, "all_to_all") || echo_str_is(base, "collective_broadcast");
}

/* Reductions to another type than the operand's came with 0.17.0. */
static bool is_reduction(EchoStr base)
{
  static const char *const NAMES[] = {"all_reduce",    "reduce",  "reduce_scatter",
                                      "reduce_window", "scatter", "select_and_scatter"};
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
    if (echo_str_is(base, NAMES[i]))
      return true;
  return false;
}

static bool check_operands(const EchoOp *op, EchoStr base, unsigned op_version,
                           EchoVhloVersion version)
{
  if (takes_one(base) && op_version == 1 && op->n_operands != 1)
    return lacks(op, version, "several operands");
  if (echo_str_is(base, "composite") && op_version == 1 && op->n_regions != 0)
    return lacks(op, version, "regions");
  if (!is_reduction(base) || echo_vhlo_has(version, 0, 17))
    return true;
  for (uint32_t i = 0; i < op->n_operands && i < op->n_results; i++)
    if (echo_type_element(echo_op_operand_type(op, i)) !=
        echo_type_element(echo_op_result_type(op, i)))
      return lacks(op, version, "results of other element types than its operands'");
  return true;
}

static bool check_call(const EchoOp *op, EchoVhloVersion version)
{
  const EchoAttr *config = echo_op_attr_or_null(op, "backend_config");
  const EchoAttr *convention = echo_op_attr_or_null(op, "api_version");
  bool is_typed = (config != NULL && config->kind == ECHO_ATTR_DICTIONARY) ||
                  (convention != NULL && convention->kind == ECHO_ATTR_INTEGER &&
                   convention->as.integer.value == 4);
  if (is_typed && !echo_vhlo_has(version, 1, 3))
    return lacks(op, version, "a typed call");
  for (uint32_t i = 0; i < op->n_operands && !echo_vhlo_has(version, 1, 17); i++)
    if (echo_vhlo_future_or_null(echo_op_context(op), echo_op_operand_type(op, i)) != NULL)
      return lacks(op, version, "a future as an operand");
  return true;
}

static bool check_types(const EchoOp *op, EchoVhloVersion version)
{
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (!echo_vhlo_check_type(op, echo_op_operand_type(op, i), version))
      return false;
  for (uint32_t i = 0; i < op->n_results; i++)
    if (!echo_vhlo_check_type(op, echo_op_result_type(op, i), version))
      return false;
  for (uint16_t r = 0; r < op->n_regions; r++)
    for (const EchoBlock *block = op->regions[r].first; block != NULL; block = block->next)
      for (uint32_t i = 0; i < block->n_args; i++)
        if (!echo_vhlo_check_type(op, echo_block_arg(block, i)->type, version))
          return false;
  return true;
}

/* ---- what is written ---- */

/* What only a newer version of the op has is no attribute of an older one. */
static const EchoAttr *without_dropped(const EchoOp *op, EchoStr base, unsigned op_version,
                                       const EchoAttr *rest)
{
  EchoBuffer newer = {0};
  echo_buffer_printf(&newer, "%.*s_v%u", ECHO_STR_ARG(base), op_version + 1);
  const char *names = echo_vhlo_property_names_or_null(echo_buffer_str(&newer));
  echo_buffer_destroy(&newer);
  for (const char *at = names; at != NULL && *at != '\0'; at += *at == ' ') {
    EchoStr name = {at, strcspn(at, " ")};
    rest = echo_dictionary_with(echo_op_context(op), rest, name, NULL);
    at += name.size;
  }
  return rest;
}

static bool describe_module(const Artifact *artifact, const EchoOp *op, EchoArena *memory,
                            EchoBytecodeOp *description)
{
  description->dialect = ECHO_STR("builtin");
  description->name = ECHO_STR("module");
  description->is_registered = true;
  description->attrs = op->attrs;
  const EchoAttr *properties = op->properties;
  if (artifact->bytecode < 5) {
    for (size_t i = 0; properties != NULL && i < properties->as.dictionary.size; i++)
      description->attrs = echo_dictionary_with(echo_op_context(op), description->attrs,
                                                properties->as.dictionary.entries[i].name,
                                                properties->as.dictionary.entries[i].value);
    return true;
  }
  const EchoAttr **list = ECHO_ARENA_ARRAY(memory, const EchoAttr *, 2);
  list[0] = echo_op_attr_or_null(op, "sym_name");
  list[1] = echo_op_attr_or_null(op, "sym_visibility");
  description->properties = list;
  description->n_properties = 2;
  description->are_optional = true;
  return true;
}

static bool describe_attrs(const Artifact *artifact, const EchoOp *op, EchoStr base,
                           unsigned op_version, EchoArena *memory, EchoBytecodeOp *description)
{
  const char *names = echo_vhlo_property_names_or_null(description->name);
  const EchoAttr **list, *rest;
  size_t n;
  if (!echo_vhlo_spread(op, base, names != NULL ? names : "", memory, &list, &n, &rest) ||
      !check_dropped(op, rest, artifact->version))
    return false;
  rest = without_dropped(op, base, op_version, rest);
  for (size_t i = 0; i < n; i++)
    if (!echo_vhlo_check_attr(op, list[i], artifact->version))
      return false;
  if (!echo_vhlo_check_attr(op, rest, artifact->version))
    return false;
  if (artifact->bytecode >= 5) {
    description->properties = list;
    description->n_properties = n;
  }
  for (size_t i = 0; artifact->bytecode < 5 && i < n; i++) {
    EchoStr name = {names, strcspn(names, " ")};
    rest = echo_dictionary_with(echo_op_context(op), rest, name, list[i]);
    names += name.size + (names[name.size] == ' ');
  }
  description->attrs = rest->as.dictionary.size != 0 ? rest : NULL;
  return true;
}

static bool describe(void *user, const EchoOp *op, EchoArena *memory, EchoBytecodeOp *description)
{
  const Artifact *artifact = user;
  EchoVhloVersion version = artifact->version;
  if (echo_op_is(op, "builtin.module"))
    return describe_module(artifact, op, memory, description);
  EchoStr base = base_of(op);
  unsigned op_version =
      base.size != 0 ? echo_vhlo_op_version(base, version, &description->is_remade) : 0;
  if (base.size == 0)
    return echo_op_error(op, "is no op that VHLO has");
  if (op_version == 0)
    return echo_op_error(op, "is not in version %u.%u.%u of VHLO", version.major, version.minor,
                         version.patch);
  EchoBuffer name = {0};
  echo_buffer_printf(&name, "%.*s_v%u", ECHO_STR_ARG(base), op_version);
  description->dialect = ECHO_STR("vhlo");
  description->name = (EchoStr){echo_arena_copy_string(memory, name.data, name.size), name.size};
  echo_buffer_destroy(&name);
  description->is_registered = true;
  description->is_own = true;
  return check_operands(op, base, op_version, version) && check_types(op, version) &&
         (!echo_str_is(base, "custom_call") || check_call(op, version)) &&
         describe_attrs(artifact, op, base, op_version, memory, description);
}

/* JAX's shardings go along. */
static bool is_foreign(EchoStr dialect)
{
  return echo_str_is(dialect, "sdy");
}

bool echo_write_portable_artifact(EchoOp *module, EchoVhloVersion version, EchoBuffer *out)
{
  if (module == NULL || out == NULL)
    return echo_misuse(module != NULL ? echo_op_context(module) : NULL, echo_loc_unknown(),
                       "an artifact is written: '%s' is NULL", module == NULL ? "module" : "out");
  Artifact artifact = {version, echo_vhlo_bytecode_version(version)};
  EchoBuffer producer = {0};
  echo_buffer_printf(&producer, "StableHLO_v%u.%u.%u", version.major, version.minor, version.patch);
  EchoBytecodeForm form = {.version = artifact.bytecode,
                           .producer = echo_buffer_c_str(&producer),
                           .dialect = "vhlo",
                           .user = &artifact,
                           .describe = describe,
                           .is_foreign = is_foreign,
                           .write_attr = echo_vhlo_write_attr,
                           .write_type = echo_vhlo_write_type};
  bool ok = echo_write_bytecode_form(module, &form, out);
  echo_buffer_destroy(&producer);
  return ok;
}
