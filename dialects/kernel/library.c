/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* kernel.library, kernel.invoke and kernel.effect as a struct, and back. */
#include "dialects/kernel/kernel.h"

static const char *const TYPE_NAMES[] = {
    [ECHO_LIBRARY_VOID] = "void", [ECHO_LIBRARY_I32] = "i32", [ECHO_LIBRARY_I64] = "i64",
    [ECHO_LIBRARY_F32] = "f32",   [ECHO_LIBRARY_F64] = "f64", [ECHO_LIBRARY_PTR] = "ptr",
};

bool echo_kernel_library_type(const EchoAttr *name, EchoLibraryType *type)
{
  if (name == NULL || type == NULL)
    return false;
  for (int i = 0; i <= ECHO_LIBRARY_PTR; ++i)
    if (name->kind == ECHO_ATTR_STRING && echo_str_is(name->as.string, TYPE_NAMES[i])) {
      *type = (EchoLibraryType)i;
      return true;
    }
  return false;
}

static EchoLibraryType parse_type(const EchoOp *op, const EchoAttr *name)
{
  EchoLibraryType type = ECHO_LIBRARY_VOID;
  ECHO_CHECK_OP(echo_kernel_library_type(name, &type), op,
                "unknown type in a library call's signature");
  return type;
}

static int64_t entry_i64(const EchoAttr *dictionary, const char *name)
{
  return echo_dictionary_get_or_null(dictionary, name)->as.integer.value;
}

static int64_t entry_i64_or(const EchoAttr *dictionary, const char *name, int64_t otherwise)
{
  const EchoAttr *entry = echo_dictionary_get_or_null(dictionary, name);
  return entry != NULL ? entry->as.integer.value : otherwise;
}

static void read_buffer(const EchoAttr *attr, size_t n_grid, EchoLibraryArg *arg)
{
  const EchoAttr *strides = echo_dictionary_get_or_null(attr, "strides");
  arg->kind = ECHO_LIBRARY_BUFFER;
  arg->buffer = (size_t)entry_i64(attr, "buffer");
  arg->offset = entry_i64_or(attr, "offset", 0);
  arg->is_copied = echo_dictionary_get_or_null(attr, "from") != NULL;
  arg->from = (size_t)entry_i64_or(attr, "from", 0);
  for (size_t i = 0; i < n_grid && i < echo_attr_ints_size(strides); ++i)
    arg->strides[i] = echo_attr_ints_get(strides, i);
}

static void read_reference(const EchoAttr *value, EchoLibraryArg *arg)
{
  arg->kind = ECHO_LIBRARY_REFERENCE;
  arg->referenced = ECHO_LIBRARY_I32;
  if (value->kind == ECHO_ATTR_FLOAT) {
    arg->floating = value->as.floating.value;
    arg->referenced = echo_type_bit_width(value->type) == 32 ? ECHO_LIBRARY_F32 : ECHO_LIBRARY_F64;
  } else {
    arg->integer = value->as.integer.value;
  }
}

static void read_arg(const EchoAttr *attr, size_t n_grid, EchoLibraryArg *arg)
{
  if (attr->kind == ECHO_ATTR_INTEGER) {
    arg->integer = attr->as.integer.value;
  } else if (attr->kind == ECHO_ATTR_FLOAT) {
    arg->floating = attr->as.floating.value;
  } else if (echo_dictionary_get_or_null(attr, "buffer") != NULL) {
    read_buffer(attr, n_grid, arg);
  } else if (echo_dictionary_get_or_null(attr, "reference") != NULL) {
    read_reference(echo_dictionary_get_or_null(attr, "reference"), arg);
  } else if (echo_dictionary_get_or_null(attr, "space") != NULL) {
    arg->kind = ECHO_LIBRARY_SPACE;
    arg->buffer = (size_t)entry_i64(attr, "space");
    arg->strides[0] = entry_i64(attr, "stride");
  } else {
    arg->kind = ECHO_LIBRARY_TILE;
    arg->integer = entry_i64(attr, "tile");
    arg->total = entry_i64(attr, "total");
    arg->axis = (size_t)entry_i64(attr, "axis");
  }
}

bool echo_kernel_is_invoke(const EchoOp *op)
{
  return op != NULL && (echo_op_is(op, "kernel.invoke") || echo_op_is(op, "kernel.effect"));
}

bool echo_kernel_only_acts(const EchoOp *op)
{
  return op != NULL && echo_op_is(op, "kernel.effect") && op->n_results == 1;
}

static const EchoType *function_type_or_null(const EchoOp *library)
{
  const EchoAttr *type = echo_op_attr_or_null(library, "function_type");
  bool is_function = type != NULL && type->kind == ECHO_ATTR_TYPE &&
                     type->as.type_value->kind == ECHO_TYPE_FUNCTION;
  return is_function ? type->as.type_value : NULL;
}

size_t echo_kernel_n_inputs(const EchoOp *library)
{
  if (library == NULL || echo_kernel_is_invoke(library))
    return library != NULL ? library->n_operands : 0;
  const EchoType *type = function_type_or_null(library);
  return type != NULL ? type->as.function.n_inputs : 0;
}

const EchoType *echo_kernel_buffer_type_or_null(const EchoOp *library, size_t i)
{
  size_t n_inputs = echo_kernel_n_inputs(library);
  if (library == NULL)
    return NULL;
  if (echo_kernel_is_invoke(library)) {
    if (i < n_inputs)
      return echo_op_operand_type(library, i);
    return i - n_inputs < library->n_results ? echo_op_result_type(library, i - n_inputs) : NULL;
  }
  const EchoType *type = function_type_or_null(library);
  if (i < n_inputs)
    return type->as.function.inputs[i];
  return type != NULL && i - n_inputs < type->as.function.n_results
             ? type->as.function.results[i - n_inputs]
             : NULL;
}

void echo_kernel_library_call(const EchoOp *library, EchoLibraryCall *call)
{
  ECHO_CHECK_OP(library != NULL && call != NULL &&
                    (echo_op_is(library, "kernel.library") || echo_kernel_is_invoke(library)),
                library, "a library call is read off another op");
  const EchoAttr *arguments = echo_op_attr_or_null(library, "arguments");
  const EchoAttr *signature = echo_op_attr_or_null(library, "signature");
  const EchoAttr *grid = echo_op_attr_or_null(library, "grid");
  *call = (EchoLibraryCall){.library = echo_op_attr_string(library, "library"),
                            .symbol = echo_op_attr_string(library, "symbol"),
                            .n_args = arguments->as.array.size,
                            .n_grid = echo_attr_ints_size(grid),
                            .n_tasks = echo_op_attr_i64(library, "tasks", 0),
                            .config = echo_op_attr_or_null(library, "config"),
                            .buffers = echo_op_attr_or_null(library, "buffers"),
                            .has_token = echo_op_has_attr(library, "has_token")};
  const EchoAttr *declared = echo_op_attr_or_null(library, "declared");
  call->declared = declared != NULL ? declared->as.type_value : NULL;
  for (size_t i = 0; i < call->n_grid; ++i)
    call->grid[i] = echo_attr_ints_get(grid, i);
  call->result = parse_type(library, signature->as.array.elements[0]);
  for (size_t i = 0; i < call->n_args; ++i) {
    call->args[i].type = parse_type(library, signature->as.array.elements[i + 1]);
    read_arg(arguments->as.array.elements[i], call->n_grid, &call->args[i]);
  }
}

static const EchoAttr *constant_attr(EchoContext *ctx, EchoLibraryType type,
                                     const EchoLibraryArg *arg)
{
  if (type == ECHO_LIBRARY_F32)
    return echo_attr_float(ctx, echo_type_f32(ctx), arg->floating);
  if (type == ECHO_LIBRARY_F64)
    return echo_attr_float(ctx, echo_type_f64(ctx), arg->floating);
  if (type == ECHO_LIBRARY_I32)
    return echo_attr_i32(ctx, (int32_t)arg->integer);
  return echo_attr_i64(ctx, arg->integer);
}

static const EchoAttr *buffer_attr(EchoContext *ctx, const EchoLibraryCall *call,
                                   const EchoLibraryArg *arg)
{
  EchoNamedAttr entries[4] = {
      {ECHO_STR("buffer"), echo_attr_i64(ctx, (int64_t)arg->buffer)},
      {ECHO_STR("strides"), echo_attr_i64_array(ctx, arg->strides, call->n_grid)}};
  size_t n = 2;
  if (arg->offset != 0)
    entries[n++] = (EchoNamedAttr){ECHO_STR("offset"), echo_attr_i64(ctx, arg->offset)};
  if (arg->is_copied)
    entries[n++] = (EchoNamedAttr){ECHO_STR("from"), echo_attr_i64(ctx, (int64_t)arg->from)};
  return echo_attr_dictionary(ctx, entries, n);
}

static const EchoAttr *arg_attr(EchoContext *ctx, const EchoLibraryCall *call,
                                const EchoLibraryArg *arg)
{
  switch (arg->kind) {
  case ECHO_LIBRARY_CONSTANT:
    return constant_attr(ctx, arg->type, arg);
  case ECHO_LIBRARY_BUFFER:
    return buffer_attr(ctx, call, arg);
  case ECHO_LIBRARY_TILE: {
    EchoNamedAttr entries[] = {{ECHO_STR("tile"), echo_attr_i64(ctx, arg->integer)},
                               {ECHO_STR("total"), echo_attr_i64(ctx, arg->total)},
                               {ECHO_STR("axis"), echo_attr_i64(ctx, (int64_t)arg->axis)}};
    return echo_attr_dictionary(ctx, entries, 3);
  }
  case ECHO_LIBRARY_REFERENCE: {
    EchoNamedAttr entries[] = {{ECHO_STR("reference"), constant_attr(ctx, arg->referenced, arg)}};
    return echo_attr_dictionary(ctx, entries, 1);
  }
  case ECHO_LIBRARY_SPACE: {
    EchoNamedAttr entries[] = {{ECHO_STR("space"), echo_attr_i64(ctx, (int64_t)arg->buffer)},
                               {ECHO_STR("stride"), echo_attr_i64(ctx, arg->strides[0])}};
    return echo_attr_dictionary(ctx, entries, 2);
  }
  }
  ECHO_UNREACHABLE("unknown kind of library argument");
}

/* ---- what a call is asked for ---- */

static bool refuse(const EchoBuilder *builder, const char *what, size_t is, const char *should)
{
  return echo_misuse(builder->ctx, builder->loc, "'kernel.library' is built: '%s' is %zu, %s", what,
                     is, should);
}

static bool refuse_arg(const EchoBuilder *builder, size_t i, const char *what, size_t is,
                       const char *should)
{
  return echo_misuse(builder->ctx, builder->loc,
                     "'kernel.library' is built: 'call->args[%zu].%s' is %zu, %s", i, what, is,
                     should);
}

static bool check_arg(const EchoBuilder *builder, const EchoType *function_type,
                      const EchoLibraryCall *call, size_t i)
{
  const EchoLibraryArg *arg = &call->args[i];
  size_t n_buffers =
      (size_t)function_type->as.function.n_inputs + function_type->as.function.n_results;
  switch (arg->kind) {
  case ECHO_LIBRARY_CONSTANT:
    if ((unsigned)arg->type >= ECHO_LIBRARY_PTR || arg->type == ECHO_LIBRARY_VOID)
      return refuse_arg(builder, i, "type", (size_t)arg->type, "no number's");
    return true;
  case ECHO_LIBRARY_BUFFER:
    if (arg->type != ECHO_LIBRARY_PTR)
      return refuse_arg(builder, i, "type", (size_t)arg->type, "not a pointer's");
    if (arg->is_copied && arg->from >= n_buffers)
      return refuse_arg(builder, i, "from", arg->from, "none");
    return arg->buffer < n_buffers || refuse_arg(builder, i, "buffer", arg->buffer, "none");
  case ECHO_LIBRARY_REFERENCE:
  case ECHO_LIBRARY_SPACE:
    if (arg->type != ECHO_LIBRARY_PTR)
      return refuse_arg(builder, i, "type", (size_t)arg->type, "not a pointer's");
    return arg->kind == ECHO_LIBRARY_REFERENCE || arg->buffer < n_buffers ||
           refuse_arg(builder, i, "buffer", arg->buffer, "none");
  case ECHO_LIBRARY_TILE:
    if (arg->type != ECHO_LIBRARY_I32 && arg->type != ECHO_LIBRARY_I64)
      return refuse_arg(builder, i, "type", (size_t)arg->type, "no integer's");
    return arg->axis < call->n_grid ||
           refuse_arg(builder, i, "axis", arg->axis, "not below 'n_grid'");
  }
  return refuse_arg(builder, i, "kind", (size_t)arg->kind, "none");
}

static bool check_buffers(const EchoBuilder *builder, const EchoType *function_type,
                          const EchoAttr *buffers)
{
  size_t n_buffers =
      (size_t)function_type->as.function.n_inputs + function_type->as.function.n_results;
  if (buffers == NULL)
    return true;
  if (buffers->kind != ECHO_ATTR_DENSE_ARRAY ||
      buffers->as.dense_array.element != echo_type_i64(builder->ctx))
    return echo_misuse(builder->ctx, builder->loc,
                       "'kernel.library' is built: 'call->buffers' is no array<i64>");
  for (size_t i = 0; i < echo_attr_ints_size(buffers); ++i)
    if ((uint64_t)echo_attr_ints_get(buffers, i) >= n_buffers)
      return echo_misuse(builder->ctx, builder->loc,
                         "'kernel.library' is built: 'call->buffers' has %lld, which is none",
                         (long long)echo_attr_ints_get(buffers, i));
  return true;
}

static bool check_call(const EchoBuilder *builder, EchoStr name, const EchoType *function_type,
                       const EchoLibraryCall *call)
{
  const char *op = "kernel.library";
  if (!echo_builder_check(builder, op, "name", name.data) ||
      !echo_builder_check_type(builder, op, "function_type", function_type) ||
      !echo_builder_check(builder, op, "call", call) ||
      !echo_builder_check(builder, op, "call->library", call->library.data) ||
      !echo_builder_check(builder, op, "call->symbol", call->symbol.data))
    return false;
  if (function_type->kind != ECHO_TYPE_FUNCTION)
    return echo_misuse(builder->ctx, builder->loc,
                       "'kernel.library' is built: 'function_type' is %s",
                       echo_type_text(builder->ctx, function_type));
  if ((unsigned)call->result > ECHO_LIBRARY_PTR)
    return refuse(builder, "call->result", (size_t)call->result, "no type");
  if (call->n_args > ECHO_LIBRARY_MAX_ARGS)
    return refuse(builder, "call->n_args", call->n_args, "too many");
  if (call->n_grid > ECHO_LIBRARY_MAX_GRID)
    return refuse(builder, "call->n_grid", call->n_grid, "too many");
  for (size_t i = 0; i < call->n_grid; ++i)
    if (call->grid[i] < 0)
      return echo_misuse(builder->ctx, builder->loc,
                         "'kernel.library' is built: 'call->grid[%zu]' is %lld", i,
                         (long long)call->grid[i]);
  for (size_t i = 0; i < call->n_args; ++i)
    if (!check_arg(builder, function_type, call, i))
      return false;
  return check_buffers(builder, function_type, call->buffers);
}

enum { N_CALL_ATTRS = 10 };

static void call_attrs(EchoContext *ctx, const EchoLibraryCall *call,
                       EchoAttrArg attrs[N_CALL_ATTRS])
{
  const EchoAttr *signature[ECHO_LIBRARY_MAX_ARGS + 1], *arguments[ECHO_LIBRARY_MAX_ARGS];
  signature[0] = echo_attr_string(ctx, echo_str(TYPE_NAMES[call->result]));
  for (size_t i = 0; i < call->n_args; ++i) {
    signature[i + 1] = echo_attr_string(ctx, echo_str(TYPE_NAMES[call->args[i].type]));
    arguments[i] = arg_attr(ctx, call, &call->args[i]);
  }
  const EchoAttrArg all[N_CALL_ATTRS] = {
      {"library", echo_attr_string(ctx, call->library)},
      {"symbol", echo_attr_string(ctx, call->symbol)},
      {"signature", echo_attr_array(ctx, signature, call->n_args + 1)},
      {"arguments", echo_attr_array(ctx, arguments, call->n_args)},
      {"grid", echo_attr_i64_array(ctx, call->grid, call->n_grid)},
      {"tasks", call->n_tasks != 0 ? echo_attr_i64(ctx, call->n_tasks) : NULL},
      {"config", call->config},
      {"buffers", call->buffers},
      {"has_token", call->has_token ? echo_attr_unit(ctx) : NULL},
      {"declared", call->declared != NULL ? echo_attr_type(ctx, call->declared) : NULL},
  };
  memcpy(attrs, all, sizeof all);
}

EchoOp *echo_kernel_library_create(EchoContext *ctx, EchoLoc loc, EchoStr name,
                                   const EchoType *function_type, const EchoLibraryCall *call)
{
  static const EchoType *const NO_TYPES[1] = {NULL};
  EchoBuilder builder = {.ctx = ctx, .loc = loc};
  if (!check_call(&builder, name, function_type, call))
    return NULL;
  EchoAttrArg args[N_CALL_ATTRS + 2] = {{"sym_name", echo_attr_string(ctx, name)},
                                        {"function_type", echo_attr_type(ctx, function_type)}};
  call_attrs(ctx, call, args + 2);
  return echo_build_op(&builder, "kernel.library", NULL, 0, NO_TYPES, 0, args, N_CALL_ATTRS + 2);
}

EchoOp *echo_kernel_invoke(EchoBuilder *builder, const EchoLibraryCall *call,
                           EchoValue *const *operands, size_t n_operands,
                           const EchoType *const *result_types, size_t n_results, double flops)
{
  if (!echo_builder_check_values(builder, "kernel.invoke", "operands", operands, n_operands) ||
      !echo_builder_check(builder, "kernel.invoke", "call", call))
    return NULL;
  if (n_results != 0 && !echo_builder_check(builder, "kernel.invoke", "result_types", result_types))
    return NULL;
  for (size_t i = 0; i < n_results; ++i)
    if (!echo_builder_check_type(builder, "kernel.invoke", "result_types", result_types[i]))
      return NULL;
  const EchoType **inputs = echo_alloc_array(n_operands + 1, sizeof *inputs);
  for (size_t i = 0; i < n_operands; ++i)
    inputs[i] = operands[i]->type;
  const EchoType *type =
      echo_type_function(builder->ctx, inputs, n_operands, result_types, n_results);
  echo_free(inputs);
  if (!check_call(builder, ECHO_STR("invoke"), type, call))
    return NULL;
  EchoAttrArg args[N_CALL_ATTRS + 1] = {
      {"flops", echo_attr_float(builder->ctx, echo_type_f64(builder->ctx), flops)}};
  call_attrs(builder->ctx, call, args + 1);
  return echo_build_op(builder, call->has_token ? "kernel.effect" : "kernel.invoke", operands,
                       n_operands, result_types, n_results, args, N_CALL_ATTRS + 1);
}

int64_t echo_kernel_library_n_items(const EchoLibraryCall *call)
{
  int64_t n = 1;
  for (size_t i = 0; call != NULL && i < call->n_grid && i < ECHO_LIBRARY_MAX_GRID; ++i)
    n *= call->grid[i];
  return n;
}

int64_t echo_kernel_library_n_tasks(const EchoLibraryCall *call)
{
  return call != NULL && call->n_tasks != 0 ? call->n_tasks : echo_kernel_library_n_items(call);
}

int64_t echo_kernel_fft_length(int64_t n)
{
  int64_t rest = n, power = 1;
  if (n < 1 || n > INT64_MAX / 64)
    return 0;
  for (int64_t p = 2; p <= ECHO_KERNEL_FFT_MAX_FACTOR; ++p)
    while (rest % p == 0)
      rest /= p;
  if (rest == 1)
    return n;
  while (power < 2 * n - 1)
    power *= 2;
  return power;
}

/* Two rows of complex numbers, which the passes go to and fro between. */
int64_t echo_kernel_fft_space(int64_t n)
{
  return 4 * echo_kernel_fft_length(n);
}
