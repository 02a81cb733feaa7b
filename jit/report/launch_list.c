/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/report/launch_list.h"

#include "base/json.h"
#include "base/map.h"
#include "base/vector.h"
#include "dialects/echo/stages.h"
#include "dialects/gpu/gpu.h"
#include "dialects/kernel/host_call.h"
#include "dialects/plan/plan.h"
#include "ir/attributes/tensor.h"
#include "ir/diagnostics.h"
#include "ir/symbol.h"

typedef struct List {
  EchoJsonWriter json;
  const EchoOp *gpu_module;
  EchoMap numbers; /* of constants and events */
  EchoMap kernels; /* by kernel.launch's symbol: the first gpu.func, or the kernel.library */
  ECHO_VECTOR(const EchoOp *) constants;
  size_t n_events;
} List;

static void write_ints(List *list, const char *key, const EchoAttr *ints)
{
  echo_json_key(&list->json, key);
  if (ints == NULL) {
    echo_json_null(&list->json);
    return;
  }
  echo_json_begin_array(&list->json);
  for (size_t i = 0; i < echo_attr_ints_size(ints); i++)
    echo_json_i64(&list->json, echo_attr_ints_get(ints, i));
  echo_json_end_array(&list->json);
}

/* ---- kernels ---- */

/* "map_0" of "map_0__1". */
static EchoStr launched_name(const EchoOp *gpu_func)
{
  EchoStr name = echo_op_attr_string(gpu_func, "sym_name");
  size_t size = name.size;
  while (size > 0 && name.data[size - 1] >= '0' && name.data[size - 1] <= '9')
    size--;
  bool is_phase = size >= 2 && name.data[size - 1] == '_' && name.data[size - 2] == '_';
  return is_phase ? (EchoStr){name.data, size - 2} : name;
}

static void write_kernel(List *list, const EchoOp *func)
{
  EchoJsonWriter *json = &list->json;
  const EchoAttr *source = echo_op_attr_or_null(func, "kernel.source");
  echo_json_begin_object(json);
  echo_json_field_string(json, "name", echo_op_attr_string(func, "sym_name"));
  echo_json_field_string(json, "kind", echo_op_attr_string(func, "kernel.kind"));
  write_ints(list, "grid", echo_op_attr_or_null(func, "known_grid_size"));
  write_ints(list, "block", echo_op_attr_or_null(func, "known_block_size"));
  echo_json_field_u64(json, "shared_bytes", echo_gpu_shared_bytes(func));
  echo_json_field_u64(json, "dynamic_shared_bytes", echo_gpu_dynamic_shared_bytes(func));
  if (echo_op_has_attr(func, "kernel.bytes"))
    echo_json_field_i64(json, "bytes", echo_op_attr_i64(func, "kernel.bytes", 0));
  if (echo_op_has_attr(func, "kernel.flops"))
    echo_json_field_i64(json, "flops", echo_op_attr_i64(func, "kernel.flops", 0));
  write_ints(list, "alignments", echo_op_attr_or_null(func, "kernel.alignments"));
  write_ints(list, "read_only", echo_op_attr_or_null(func, "kernel.read_only"));
  echo_json_key(json, "source");
  echo_json_begin_array(json);
  for (size_t i = 0; source != NULL && i < source->as.array.size; i++)
    echo_json_string(json, source->as.array.elements[i]->as.string);
  echo_json_end_array(json);
  echo_json_end_object(json);
}

static void write_kernels(List *list)
{
  echo_json_key(&list->json, "kernels");
  echo_json_begin_array(&list->json);
  for (const EchoOp *op = list->gpu_module->regions[0].first->first; op != NULL; op = op->next) {
    if (!echo_op_is(op, "gpu.func"))
      continue;
    const EchoAttr *symbol = echo_attr_symbol(echo_op_context(op), launched_name(op));
    if (!echo_map_has(&list->kernels, echo_key(symbol)))
      echo_map_set_ptr(&list->kernels, symbol, (void *)(uintptr_t)op);
    write_kernel(list, op);
  }
  echo_json_end_array(&list->json);
}

/* ---- places ---- */

/* {"argument": i, "offset": bytes}, {"arena": offset} or {"constant": i}. */
static void write_place(List *list, const EchoValue *memref)
{
  EchoJsonWriter *json = &list->json;
  const EchoValue *root = echo_plan_root(memref);
  uint64_t begin = 0, end = 0;
  const EchoValue *place = echo_plan_place(root, &begin, &end);
  echo_json_begin_object(json);
  if (echo_value_def_or_null(place) == NULL) {
    echo_json_field_u64(json, "argument", place->index);
    echo_json_field_u64(json, "offset", begin);
  } else if (place != root) {
    echo_json_field_u64(json, "arena", begin);
  } else {
    echo_json_field_u64(json, "constant", echo_map_get_or(&list->numbers, echo_key(root), 0));
  }
  echo_json_field_u64(json, "bytes", echo_type_static_bytes(memref->type));
  echo_json_end_object(json);
}

static void write_place_of(List *list, const char *key, const EchoValue *memref)
{
  echo_json_key(&list->json, key);
  write_place(list, memref);
}

static void write_arguments(List *list, const EchoOp *function)
{
  EchoJsonWriter *json = &list->json;
  const EchoBlock *body = function->regions[0].first;
  echo_json_key(json, "arguments");
  echo_json_begin_array(json);
  for (uint32_t i = 0; i < body->n_args; i++) {
    const EchoType *type = echo_block_arg(body, i)->type;
    echo_json_begin_object(json);
    echo_json_field_string(json, "type", echo_str(echo_type_text(echo_op_context(function), type)));
    echo_json_field_u64(json, "bytes", echo_type_static_bytes(type));
    echo_json_field_bool(json, "is_result", echo_plan_is_result(function, i));
    echo_json_field_bool(json, "in_host", echo_plan_is_in_host(function, i));
    echo_json_end_object(json);
  }
  echo_json_end_array(json);
}

/* Their bytes as hexadecimal digits, in order of memory. */
static void write_constants(List *list)
{
  EchoJsonWriter *json = &list->json;
  EchoBuffer digits = {0};
  echo_json_key(json, "constants");
  echo_json_begin_array(json);
  for (size_t i = 0; i < list->constants.size; i++) {
    EchoTensor *tensor =
        echo_tensor_from_elements(echo_op_attr_or_null(list->constants.data[i], "value"));
    echo_buffer_clear(&digits);
    uint64_t bytes = echo_type_static_bytes(echo_op_result_type(list->constants.data[i], 0));
    for (uint64_t b = 0; tensor != NULL && b < bytes; b++)
      echo_buffer_printf(&digits, "%02x", ((const unsigned char *)tensor->data)[b]);
    echo_json_string(json, echo_buffer_str(&digits));
    echo_tensor_destroy(tensor);
  }
  echo_json_end_array(json);
  echo_buffer_destroy(&digits);
}

/* ---- steps ---- */

static void write_block(List *list, const char *key, const EchoBlock *block);

static void begin_step(List *list, const char *what, const char *stream)
{
  echo_json_begin_object(&list->json);
  echo_json_field_string(&list->json, "step", echo_str(what));
  if (stream != NULL)
    echo_json_field_string(&list->json, "stream", echo_str(stream));
}

static void write_operands(List *list, const EchoOp *op)
{
  echo_json_key(&list->json, "arguments");
  echo_json_begin_array(&list->json);
  for (uint32_t i = 0; i < op->n_operands; i++)
    write_place(list, echo_op_operand(op, i));
  echo_json_end_array(&list->json);
}

/* What is no kernel: the host calls, or asks for it on a stream. */
static void write_call(List *list, const EchoOp *op, const EchoOp *library)
{
  EchoLibraryCall call;
  echo_kernel_library_call(library, &call);
  begin_step(list, "call", "compute");
  echo_json_field_string(&list->json, "library", call.library);
  echo_json_field_string(&list->json, "symbol", call.symbol);
  echo_json_field_bool(&list->json, "in_host", echo_kernel_is_host_call(library));
  write_operands(list, op);
  echo_json_end_object(&list->json);
}

/* A launch for each of the kernel's phases. */
static void write_launch(List *list, const EchoOp *op)
{
  const EchoOp *func = echo_map_get_ptr(&list->kernels, echo_op_attr_or_null(op, "callee"));
  if (func != NULL && echo_op_is(func, "kernel.library")) {
    write_call(list, op, func);
    return;
  }
  EchoStr callee = echo_op_attr_or_null(op, "callee")->as.symbol.root;
  for (;
       func != NULL && echo_op_is(func, "gpu.func") && echo_str_equal(launched_name(func), callee);
       func = func->next) {
    begin_step(list, "launch", "compute");
    echo_json_field_string(&list->json, "kernel", echo_op_attr_string(func, "sym_name"));
    write_operands(list, op);
    echo_json_end_object(&list->json);
  }
}

/* The copy begins when the compute stream is where it is now. */
static void write_swap(List *list, const EchoOp *op, bool is_out)
{
  uint64_t begin = 0, end = 0;
  const EchoValue *argument = echo_plan_host_argument_or_null(op);
  begin_step(list, is_out ? "swap_out" : "swap_in", is_out ? "out" : "in");
  write_place_of(list, "device", echo_op_operand(op, 0));
  echo_plan_host_range(op, &begin, &end);
  if (argument != NULL)
    write_place_of(list, "host_argument", argument);
  else
    echo_json_field_u64(&list->json, "host_offset", begin);
  echo_json_field_u64(&list->json, "event", list->n_events);
  echo_map_set(&list->numbers, echo_key(echo_op_result(op, 0)), list->n_events++);
  echo_json_end_object(&list->json);
}

static void write_step(List *list, const EchoOp *op)
{
  EchoPlanOpcode opcode = echo_plan_opcode(op);
  switch (opcode) {
  case ECHO_PLAN_LAUNCH:
    write_launch(list, op);
    break;
  case ECHO_PLAN_COPY:
    begin_step(list, "copy", "compute");
    write_place_of(list, "from", echo_op_operand(op, 0));
    write_place_of(list, "to", echo_op_operand(op, 1));
    echo_json_end_object(&list->json);
    break;
  case ECHO_PLAN_WHILE:
    begin_step(list, "while", NULL);
    if (echo_op_has_attr(op, "n_trips"))
      echo_json_field_u64(&list->json, "n_trips", (uint64_t)echo_op_attr_i64(op, "n_trips", 0));
    write_block(list, "before", op->regions[0].first);
    write_place_of(list, "goes_on", echo_op_operand(op->regions[0].first->last, 0));
    write_block(list, "body", op->regions[1].first);
    echo_json_end_object(&list->json);
    break;
  case ECHO_PLAN_CASE:
    begin_step(list, "case", NULL);
    write_place_of(list, "index", echo_op_operand(op, 0));
    echo_json_key(&list->json, "branches");
    echo_json_begin_array(&list->json);
    for (uint32_t i = 0; i < op->n_regions; i++) {
      echo_json_begin_object(&list->json);
      write_block(list, "steps", op->regions[i].first);
      echo_json_end_object(&list->json);
    }
    echo_json_end_array(&list->json);
    echo_json_end_object(&list->json);
    break;
  case ECHO_PLAN_SWAP_OUT:
  case ECHO_PLAN_SWAP_IN:
    write_swap(list, op, opcode == ECHO_PLAN_SWAP_OUT);
    break;
  case ECHO_PLAN_WAIT:
    begin_step(list, "wait", "compute");
    echo_json_field_u64(&list->json, "event",
                        echo_map_get_or(&list->numbers, echo_key(echo_op_operand(op, 0)), 0));
    echo_json_end_object(&list->json);
    break;
  case ECHO_PLAN_CONSTANT:
    echo_map_set(&list->numbers, echo_key(echo_op_result(op, 0)), list->constants.size);
    echo_vector_push(&list->constants, op);
    break;
  case ECHO_PLAN_ARENA:
  case ECHO_PLAN_BUFFER:
  case ECHO_PLAN_VIEW:
  case ECHO_PLAN_CONDITION:
  case ECHO_PLAN_YIELD:
  case ECHO_PLAN_NO_OP:
    break;
  }
}

static void write_block(List *list, const char *key, const EchoBlock *block)
{
  echo_json_key(&list->json, key);
  echo_json_begin_array(&list->json);
  for (const EchoOp *op = block->first; op != NULL; op = op->next)
    write_step(list, op);
  echo_json_end_array(&list->json);
}

/* ---- the whole ---- */

static void find_libraries(List *list, const EchoOp *module)
{
  for (const EchoOp *op = module->regions[0].first->first; op != NULL; op = op->next)
    if (echo_op_is(op, "kernel.library"))
      echo_map_set_ptr(&list->kernels, echo_attr_symbol(echo_op_context(op), echo_symbol_name(op)),
                       (void *)(uintptr_t)op);
}

static const EchoOp *find_gpu_module_or_null(const EchoOp *module)
{
  for (const EchoOp *op = module->regions[0].first->first; op != NULL; op = op->next)
    if (echo_op_is(op, "gpu.module"))
      return op;
  return NULL;
}

bool echo_launch_list_print(EchoOp *module, EchoBuffer *out)
{
  if (module == NULL)
    return false; /* nobody to tell */
  if (out == NULL)
    return echo_misuse(echo_op_context(module), module->loc, "launches are printed: 'out' is NULL");
  if (echo_module_stage(module) != ECHO_STAGE_LOOPS)
    return echo_op_error(module, "is at stage '%s': launches are read off stage 'loops'",
                         echo_stage_name(echo_module_stage(module)));
  const EchoOp *function = echo_module_main_or_null(module);
  if (function == NULL)
    return echo_op_error(module, "has no function @main");
  List list = {.json = echo_json_writer(out), .gpu_module = find_gpu_module_or_null(module)};
  if (list.gpu_module == NULL)
    return echo_op_error(module, "holds no gpu.module: lower its kernels for a GPU first");
  const EchoOp *arena = echo_plan_arena_or_null(function);
  echo_json_begin_object(&list.json);
  echo_json_field_string(&list.json, "target",
                         echo_op_attr_string(list.gpu_module, "kernel.target"));
  echo_json_field_i64(&list.json, "arena_bytes",
                      arena != NULL ? echo_op_attr_i64(arena, "size_bytes", 0) : 0);
  write_arguments(&list, function);
  write_kernels(&list);
  find_libraries(&list, module);
  write_block(&list, "steps", function->regions[0].first);
  write_constants(&list);
  echo_json_end_object(&list.json);
  echo_buffer_append_char(out, '\n');
  echo_map_destroy(&list.numbers);
  echo_map_destroy(&list.kernels);
  echo_vector_destroy(&list.constants);
  return true;
}
