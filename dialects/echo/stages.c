/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/echo/stages.h"

#include "ir/table/dialect.h"
#include "ir/text/text.h"

/* What may remain. A name with a dot is one op, without one a whole dialect. Stages that lower in
 * place add to what the one before them holds. "Inside kernel.func" is not told apart: a kernel's
 * body is the stage it will be lowered from. */
static const struct {
  const char *name;
  const char *legal[16]; /* NULL-terminated */
} TABLE[ECHO_N_STAGES] = {
    [ECHO_STAGE_MODEL] = {"model",
                          {"builtin", "func", "nn", "chlo", "stablehlo", "sdy", "check",
                           "arith.constant"}},
    [ECHO_STAGE_TENSOR] = {"tensor",
                           {"builtin", "func", "stablehlo", "chlo", "nn.gradient",
                            "nn.stop_gradient", "kernel.invoke", "kernel.effect"}},
    [ECHO_STAGE_STEP] = {"step",
                         {"builtin", "func", "stablehlo", "kernel.invoke", "kernel.effect"}},
    [ECHO_STAGE_ECHOED] = {"echoed",
                           {"builtin", "func", "stablehlo", "kernel.invoke", "kernel.effect"}},
    [ECHO_STAGE_SCHEDULED] = {"scheduled",
                              {"builtin", "func", "stablehlo", "kernel.invoke", "kernel.effect"}},
    [ECHO_STAGE_KERNELS] = {"kernels",
                            {"builtin", "func", "stablehlo", "kernel.func", "kernel.return",
                             "kernel.call", "kernel.invoke", "kernel.effect"}},
    [ECHO_STAGE_PLANNED] = {"planned",
                            {"builtin", "func", "stablehlo", "kernel.func", "kernel.return",
                             "kernel.launch", "kernel.invoke", "kernel.effect", "plan"}},
    [ECHO_STAGE_LOOPS] = {"loops",
                          {"builtin", "func", "kernel.library", "kernel.launch", "plan", "scf",
                           "memref", "arith", "math", "vector", "gpu", "nvgpu"}},
};

const char *echo_stage_name(EchoStage stage)
{
  ECHO_CHECK((unsigned)stage < ECHO_N_STAGES, "stage %d is none", (int)stage);
  return TABLE[stage].name;
}

bool echo_stage_from_name(EchoStr name, EchoStage *stage)
{
  if (stage == NULL)
    return false;
  for (int i = 0; i < ECHO_N_STAGES; i++)
    if (echo_str_is(name, TABLE[i].name)) {
      *stage = (EchoStage)i;
      return true;
    }
  return false;
}

static EchoStr trim(EchoStr text)
{
  while (text.size != 0 && text.data[0] == ' ')
    text = (EchoStr){text.data + 1, text.size - 1};
  while (text.size != 0 && text.data[text.size - 1] == ' ')
    --text.size;
  return text;
}

static bool parse_stage(EchoStr name, EchoStage *stage, EchoBuffer *error)
{
  if (echo_stage_from_name(trim(name), stage))
    return true;
  echo_buffer_printf(error, "'%.*s' is no stage", ECHO_STR_ARG(trim(name)));
  return false;
}

/* "step" or "step..planned". */
static bool parse_range(EchoStr text, uint32_t *stages, EchoBuffer *error)
{
  EchoStage first, last;
  const char *dots = text.size != 0 ? memmem(text.data, text.size, "..", 2) : NULL;
  size_t head = dots != NULL ? (size_t)(dots - text.data) : text.size;
  EchoStr tail = dots != NULL ? (EchoStr){dots + 2, text.size - head - 2} : text;
  if (!parse_stage((EchoStr){text.data, head}, &first, error) || !parse_stage(tail, &last, error))
    return false;
  if (first > last) {
    echo_buffer_printf(error, "stage '%s' comes after '%s'", echo_stage_name(first),
                       echo_stage_name(last));
    return false;
  }
  for (int stage = (int)first; stage <= (int)last; stage++)
    *stages |= 1u << stage;
  return true;
}

bool echo_stages_parse(EchoStr text, uint32_t *stages, EchoBuffer *error)
{
  if (stages == NULL || (text.data == NULL && text.size != 0)) {
    echo_buffer_printf(error, "stages are read: '%s' is NULL", stages == NULL ? "stages" : "text");
    return false;
  }
  for (*stages = 0;;) {
    const char *comma = text.size != 0 ? memchr(text.data, ',', text.size) : NULL;
    size_t size = comma != NULL ? (size_t)(comma - text.data) : text.size;
    if (!parse_range((EchoStr){text.data, size}, stages, error))
      return false;
    if (comma == NULL)
      return true;
    text = (EchoStr){comma + 1, text.size - size - 1};
  }
}

EchoStage echo_module_stage(const EchoOp *module)
{
  EchoStage stage = ECHO_STAGE_MODEL;
  echo_stage_from_name(echo_op_attr_string(module, "echo.stage"), &stage);
  return stage;
}

EchoOp *echo_module_main_or_null(const EchoOp *module)
{
  const EchoRegion *body = module != NULL && module->n_regions != 0 ? &module->regions[0] : NULL;
  const EchoBlock *block = body != NULL ? body->first : NULL;
  for (EchoOp *op = block != NULL ? block->first : NULL; op != NULL; op = op->next)
    if (echo_op_is(op, "func.func") && echo_str_is(echo_op_attr_string(op, "sym_name"), "main") &&
        !echo_region_is_empty(&op->regions[0]))
      return op;
  return NULL;
}

bool echo_module_set_stage(EchoOp *module, EchoStage stage)
{
  EchoContext *ctx = echo_op_context(module);
  if (module == NULL || (unsigned)stage >= ECHO_N_STAGES)
    return echo_misuse(ctx, echo_loc_unknown(), "a module is given a stage: 'stage' is %d, none",
                       (int)stage);
  return echo_op_set_attr(module, "echo.stage", echo_attr_string(ctx, echo_str(TABLE[stage].name)));
}

/* Said by the dialect itself: a plugin's, as a rule. */
static bool dialect_allows(const EchoContext *ctx, EchoStr name, EchoStage stage)
{
  const EchoDialect *dialect = echo_context_dialect_or_null(ctx, name);
  EchoBuffer error = {0};
  uint32_t stages;
  bool allows = dialect != NULL && dialect->stages != NULL &&
                echo_stages_parse(echo_str(dialect->stages), &stages, &error) &&
                (stages >> stage & 1) != 0;
  echo_buffer_destroy(&error);
  return allows;
}

static bool is_legal(const EchoOp *op, EchoStage stage)
{
  EchoStr name = echo_op_name(op);
  const char *dot = memchr(name.data, '.', name.size);
  EchoStr dialect = {name.data, dot != NULL ? (size_t)(dot - name.data) : name.size};
  for (const char *const *legal = TABLE[stage].legal; *legal != NULL; legal++)
    if (echo_str_is(name, *legal) || echo_str_is(dialect, *legal))
      return true;
  return dialect_allows(echo_op_context(op), dialect, stage);
}

const EchoOp *echo_stage_illegal_op_or_null(const EchoOp *module, EchoStage stage)
{
  if ((unsigned)stage >= ECHO_N_STAGES)
    return NULL;
  for (EchoOp *op = (EchoOp *)module; op != NULL; op = echo_op_walk_next(module, op))
    if (!is_legal(op, stage))
      return op;
  return NULL;
}

/* Behind the model stage constants are dense: not a resource, which the file may lack, as where a
 * printer left long lists out, and not sparse. */
static bool check_numbers(const EchoOp *op, EchoStage stage)
{
  const EchoAttr *value = stage > ECHO_STAGE_MODEL && echo_op_has_trait(op, ECHO_CONSTANT)
                              ? echo_op_attr_or_null(op, "value")
                              : NULL;
  if (value == NULL || (value->kind != ECHO_ATTR_DENSE_RESOURCE && value->kind != ECHO_ATTR_SPARSE))
    return true;
  if (value->kind == ECHO_ATTR_DENSE_RESOURCE &&
      echo_resource_elements_or_null(echo_op_context(op), value) == NULL)
    return echo_op_error(op, "has no numbers: the file has no resource '%.*s'",
                         ECHO_STR_ARG(value->as.string));
  return echo_op_error(op, "is not legal in stage '%s': its numbers are no dense list",
                       TABLE[stage].name);
}

bool echo_stage_verify(const EchoOp *module, EchoStage stage)
{
  if (module == NULL || (unsigned)stage >= ECHO_N_STAGES)
    return echo_misuse(echo_op_context(module), echo_loc_unknown(),
                       "a module is held to a stage: 'stage' is %d, none", (int)stage);
  bool ok = true;
  for (EchoOp *op = (EchoOp *)module; op != NULL; op = echo_op_walk_next(module, op))
    if (!is_legal(op, stage))
      ok = echo_op_error(op, "is not legal in stage '%s'", TABLE[stage].name);
    else
      ok &= check_numbers(op, stage);
  return ok;
}
