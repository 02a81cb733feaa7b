/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a program takes and gives, as its client knows it: types, memories, bytes. */
#include "dialects/func/build.h"
#include "pjrt/plugin_t.h"

/* ---- where it lies ---- */

static const char MEMORY[] = "mhlo.memory_kind"; /* of an argument or a result: a string */

/* The kind of memory that the attributes of an argument or a result name; the device's where they
 * name none. */
static bool read_memory(EchoContext *ctx, const EchoOp *entry, const EchoAttr *kind, int *memory)
{
  *memory = kind == NULL                     ? ECHO_PJRT_ON_DEVICE
            : kind->kind == ECHO_ATTR_STRING ? echo_pjrt_memory_kind_of(kind->as.string)
                                             : -1;
  return *memory >= 0 || echo_op_error(entry, "mhlo.memory_kind is %s, which no memory is of",
                                       echo_attr_text(ctx, kind));
}

bool echo_pjrt_read_memories(EchoPjrtProgram *program, const EchoOp *entry)
{
  const EchoBlock *body = echo_op_body(entry, 0);
  const EchoAttr *results = echo_op_attr_or_null(entry, "res_attrs");
  bool fine = true;
  for (uint32_t i = 0; i < body->n_args; i++) {
    int memory;
    fine &= read_memory(program->ctx, entry, echo_func_arg_attr_or_null(entry, i, MEMORY), &memory);
    echo_vector_push(&program->arg_memories, memory);
  }
  for (uint32_t i = 0; i < body->last->n_operands; i++) {
    int memory;
    const EchoAttr *attrs = results != NULL ? results->as.array.elements[i] : NULL;
    fine &= read_memory(program->ctx, entry,
                        attrs != NULL ? echo_dictionary_get_or_null(attrs, MEMORY) : NULL, &memory);
    echo_vector_push(&program->result_memories, memory);
  }
  return fine;
}

/* Arguments and results lie where the program says; one that says nothing has all on the device. */
bool echo_pjrt_place_values(EchoPjrtProgram *program)
{
  const EchoExecutable *first = program->executables[0];
  size_t n_args = echo_executable_n_args(first), n_results = echo_executable_n_results(first);
  while (program->arg_memories.size < n_args)
    echo_vector_push(&program->arg_memories, ECHO_PJRT_ON_DEVICE);
  while (program->result_memories.size < n_results)
    echo_vector_push(&program->result_memories, ECHO_PJRT_ON_DEVICE);
  bool *args = echo_alloc_zero(n_args + 1, sizeof *args);
  bool *results = echo_alloc_zero(n_results + 1, sizeof *results);
  for (size_t i = 0; i < n_args; i++)
    args[i] = echo_pjrt_memory_is_host(program->arg_memories.data[i]);
  for (size_t i = 0; i < n_results; i++)
    results[i] = echo_pjrt_memory_is_host(program->result_memories.data[i]);
  program->host_temp_bytes = (int64_t)echo_executable_memory(first).host_bytes;
  bool fine = true;
  for (size_t i = 0; i < program->n_ranks; i++)
    fine &= echo_executable_put_in_host(program->executables[i], args, results);
  echo_free(args);
  echo_free(results);
  return fine;
}

/* ---- of which types ---- */

/* The type of argument or result `i` as the client knows it: what is compiled has the same bytes,
 * but pairs of real numbers where the program has complex ones, and bytes where it has numbers of 8
 * bits or less. */
static const EchoType *client_type(const EchoType *const *declared, size_t n_declared, size_t i,
                                   const EchoType *compiled)
{
  bool is_known = i < n_declared && echo_type_is_tensor(declared[i]) &&
                  echo_type_has_static_shape(declared[i]) &&
                  echo_pjrt_type_of(echo_type_element(declared[i])) != PJRT_Buffer_Type_INVALID &&
                  echo_type_static_bytes(declared[i]) == echo_type_static_bytes(compiled);
  return is_known ? declared[i] : compiled;
}

static const EchoType *arg_type(const EchoPjrtProgram *program, size_t i)
{
  const EchoType *type = program->declared;
  return client_type(type != NULL ? type->as.function.inputs : NULL,
                     type != NULL ? type->as.function.n_inputs : 0, i,
                     echo_executable_arg_type(program->executables[0], i));
}

static const EchoType *result_type(const EchoPjrtProgram *program, size_t i)
{
  const EchoType *type = program->declared;
  return client_type(type != NULL ? type->as.function.results : NULL,
                     type != NULL ? type->as.function.n_results : 0, i,
                     echo_executable_result_type(program->executables[0], i));
}

/* A token is an array of no elements to what is compiled; a client knows it for a token. */
static bool is_token(const EchoType *const *declared, size_t n_declared, size_t i)
{
  return i < n_declared && declared[i]->kind == ECHO_TYPE_OPAQUE &&
         echo_str_is(declared[i]->as.opaque.dialect, "stablehlo") &&
         echo_str_is(declared[i]->as.opaque.text, "token");
}

static bool is_token_arg(const EchoPjrtProgram *program, size_t i)
{
  const EchoType *type = program->declared;
  return type != NULL && is_token(type->as.function.inputs, type->as.function.n_inputs, i);
}

static bool is_token_result(const EchoPjrtProgram *program, size_t i)
{
  const EchoType *type = program->declared;
  return type != NULL && is_token(type->as.function.results, type->as.function.n_results, i);
}

static EchoPjrtSizes *sizes_of(EchoPjrtProgram *program, int memory)
{
  return echo_pjrt_memory_is_host(memory) ? &program->in_host : &program->on_device;
}

static void count_sizes(EchoPjrtProgram *program)
{
  const EchoExecutable *executable = program->executables[0];
  for (size_t i = 0; i < program->n_args; i++)
    sizes_of(program, program->arg_memories.data[i])->args +=
        (int64_t)echo_type_static_bytes(program->args[i]);
  for (size_t i = 0; i < program->n_results; i++) {
    int64_t bytes = (int64_t)echo_type_static_bytes(program->results[i]);
    int64_t alias = echo_executable_result_alias(executable, i);
    EchoPjrtSizes *sizes = sizes_of(program, program->result_memories.data[i]);
    sizes->results += bytes;
    if (alias >= 0 && sizes == sizes_of(program, program->arg_memories.data[alias]))
      sizes->aliases += bytes;
  }
}

static void describe_results(EchoPjrtProgram *program)
{
  int64_t order[ECHO_MAX_RANK];
  program->result_layouts =
      echo_alloc_array(program->n_results + 1, sizeof *program->result_layouts);
  for (size_t i = 0; i < program->n_results; i++) {
    echo_pjrt_order_of(i < program->result_places.size ? &program->result_places.data[i] : NULL,
                       program->n_result_dims[i], order);
    program->result_layouts[i] = echo_pjrt_layout_create(order, program->n_result_dims[i]);
  }
}

PJRT_Error *echo_pjrt_read_signature(EchoPjrtProgram *program)
{
  const EchoExecutable *executable = program->executables[0];
  size_t n_args = echo_executable_n_args(executable);
  size_t n_results = echo_executable_n_results(executable), n_dims = 0;
  program->n_args = n_args;
  program->n_results = n_results;
  program->args = echo_alloc_array(n_args + 1, sizeof *program->args);
  program->arg_types = echo_alloc_array(n_args + 1, sizeof *program->arg_types);
  program->results = echo_alloc_array(n_results + 1, sizeof *program->results);
  program->result_types = echo_alloc_array(n_results + 1, sizeof *program->result_types);
  program->n_result_dims = echo_alloc_array(n_results + 1, sizeof *program->n_result_dims);
  program->memory_kinds = echo_alloc_array(n_results + 1, sizeof *program->memory_kinds);
  program->memory_kind_sizes = echo_alloc_array(n_results + 1, sizeof *program->memory_kind_sizes);
  for (size_t i = 0; i < n_args; i++) {
    program->args[i] = arg_type(program, i);
    program->arg_types[i] = is_token_arg(program, i)
                                ? PJRT_Buffer_Type_TOKEN
                                : echo_pjrt_type_of(echo_type_element(program->args[i]));
    if (program->arg_types[i] == PJRT_Buffer_Type_INVALID)
      return echo_pjrt_error(PJRT_Error_Code_UNIMPLEMENTED, "argument %zu is of type %s", i,
                             echo_type_text(program->ctx, program->args[i]));
  }
  for (size_t i = 0; i < n_results; i++) {
    program->results[i] = result_type(program, i);
    const bool is_token = is_token_result(program, i);
    program->result_types[i] = is_token ? PJRT_Buffer_Type_TOKEN
                                        : echo_pjrt_type_of(echo_type_element(program->results[i]));
    program->n_result_dims[i] = is_token ? 0 : echo_type_rank(program->results[i]);
    program->memory_kinds[i] = echo_pjrt_memory_kind(program->result_memories.data[i]);
    program->memory_kind_sizes[i] = strlen(program->memory_kinds[i]);
    n_dims += program->n_result_dims[i];
    if (program->result_types[i] == PJRT_Buffer_Type_INVALID)
      return echo_pjrt_error(PJRT_Error_Code_UNIMPLEMENTED, "result %zu is of type %s", i,
                             echo_type_text(program->ctx, program->results[i]));
  }
  program->all_result_dims = echo_alloc_array(n_dims + 1, sizeof *program->all_result_dims);
  size_t at = 0;
  for (size_t i = 0; i < n_results; i++)
    for (size_t k = 0; k < program->n_result_dims[i]; k++)
      program->all_result_dims[at++] = echo_type_dim(program->results[i], k);
  describe_results(program);
  program->memory = echo_executable_memory(executable);
  count_sizes(program);
  return NULL;
}
