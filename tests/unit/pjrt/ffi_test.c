/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Handlers of XLA's foreign function interface, registered and called through the plug-in's
 * table: what a client and a handler see of each other, both written against pjrt/ffi_abi.h. */
#include <stdio.h>
#include <stdlib.h>

#include "pjrt/ffi_abi.h"
#include "tests/unit/pjrt/calls_t.h"

static const PJRT_FFI_Extension *ffi;
static int (*register_bundle)(const char *name, void *const stages[4], char *error, size_t size);
static int (*register_untyped)(const char *name, void *function, char *error, size_t size);
typedef void UntypedCall(void *out, const void *const *in);
typedef void StatusCall(void *out, const void *const *in, void *status);
typedef void StatusAndTextCall(void *out, const void *const *in, const char *given, size_t size,
                               void *status);

static char text[256]; /* of the last error */

static PJRT_LoadedExecutable *compile(const char *program_text)
{
  PJRT_LoadedExecutable *executable;
  must(compile_with(program_text, NULL, 0, &executable));
  return executable;
}

/* Runs it, and gives what its one result of n_bytes has; the code of the run's error. */
static PJRT_Error_Code run_in(PJRT_ExecuteContext *context, PJRT_LoadedExecutable *executable,
                              void *data, size_t n_bytes)
{
  PJRT_ExecuteOptions options = {.struct_size = sizeof options, .context = context};
  PJRT_Buffer *const *no_arguments = NULL;
  PJRT_Buffer *result, **results = &result;
  PJRT_LoadedExecutable_Execute_Args call =
      ARGS(PJRT_LoadedExecutable_Execute, .executable = executable, .options = &options,
           .argument_lists = &no_arguments, .num_devices = 1, .output_lists = &results);
  must(api->PJRT_LoadedExecutable_Execute(&call));
  PJRT_Buffer_ToHostBuffer_Args copy =
      ARGS(PJRT_Buffer_ToHostBuffer, .src = result, .dst = data, .dst_size = n_bytes);
  must(api->PJRT_Buffer_ToHostBuffer(&copy));
  PJRT_Event_Await_Args wait = ARGS(PJRT_Event_Await, .event = copy.event);
  PJRT_Error_Code code = code_of(api->PJRT_Event_Await(&wait), text);
  PJRT_Event_Destroy_Args done = ARGS(PJRT_Event_Destroy, .event = copy.event);
  must(api->PJRT_Event_Destroy(&done));
  drop(result);
  return code;
}

static PJRT_Error_Code run(PJRT_LoadedExecutable *executable, void *data, size_t n_bytes)
{
  return run_in(NULL, executable, data, n_bytes);
}

static void *address(void *library, const char *name)
{
  void *symbol = dlsym(library, name);
  ck_assert_msg(symbol != NULL, "%s", name);
  return symbol;
}

static void setup(void)
{
  void *library = load_api(), *symbol = address(library, "Echo_PJRT_RegisterHandler");
  memcpy(&register_bundle, &symbol, sizeof register_bundle);
  symbol = address(library, "Echo_PJRT_RegisterUntyped");
  memcpy(&register_untyped, &symbol, sizeof register_untyped);
  const PJRT_Extension_Base *extension = api->extension_start;
  while (extension != NULL && extension->type != PJRT_EXTENSION_FFI)
    extension = extension->next;
  ck_assert_ptr_nonnull(extension);
  ffi = (const PJRT_FFI_Extension *)(const void *)extension;
  start_client(NULL, 0);
}

/* ---- a handler ---- */

/* Whether the call is only asked for its version, which then is given. */
static bool is_asked(XLA_FFI_CallFrame *frame, int minor)
{
  if (frame->extension_start == NULL || frame->extension_start->type != XLA_FFI_METADATA)
    return false;
  XLA_FFI_Metadata_Extension *extension =
      (XLA_FFI_Metadata_Extension *)(void *)frame->extension_start;
  extension->metadata->api_version.minor_version = minor;
  return true;
}

static XLA_FFI_Error *refuse(const XLA_FFI_CallFrame *frame, const char *why)
{
  XLA_FFI_Error_Create_Args args =
      ARGS(XLA_FFI_Error_Create, .message = why, .errc = PJRT_Error_Code_INVALID_ARGUMENT);
  return frame->api->XLA_FFI_Error_Create(&args);
}

static PJRT_Error *add(const char *name, XLA_FFI_Handler *handler)
{
  void *function;
  memcpy(&function, &handler, sizeof function);
  PJRT_FFI_Register_Handler_Args args = ARGS(PJRT_FFI_Register_Handler, .target_name = name,
                                             .target_name_size = strlen(name), .handler = function);
  return ffi->register_handler(&args);
}

/* What the frame has, as text: types, sizes, numbers, the dictionary's in braces. */
static void write_attrs(const XLA_FFI_Attrs *attrs, char *to, size_t size)
{
  for (int64_t i = 0; i < attrs->size; i++) {
    size_t n = strlen(to);
    to += n;
    size -= n;
    n = (size_t)snprintf(to, size, " %.*s=", (int)attrs->names[i]->len, attrs->names[i]->ptr);
    to += n;
    size -= n;
    const XLA_FFI_Scalar *scalar = attrs->attrs[i];
    const XLA_FFI_Array *array = attrs->attrs[i];
    const XLA_FFI_ByteSpan *string = attrs->attrs[i];
    switch (attrs->types[i]) {
    case XLA_FFI_AttrType_SCALAR:
      snprintf(to, size, "%d:%d", scalar->dtype, *(const unsigned char *)scalar->value);
      break;
    case XLA_FFI_AttrType_ARRAY:
      snprintf(to, size, "%d:%zu:%d", array->dtype, array->size,
               (int)((const int64_t *)array->data)[array->size - 1]);
      break;
    case XLA_FFI_AttrType_STRING:
      snprintf(to, size, "'%.*s'", (int)string->len, string->ptr);
      break;
    case XLA_FFI_AttrType_DICTIONARY:
      snprintf(to, size, "{");
      write_attrs(attrs->attrs[i], to, size - 1);
      strcat(to, " }");
      break;
    }
  }
}

static char seen[512];

/* Turns a vector of complex numbers by a quarter, and its second result is their count. */
static XLA_FFI_Error *turn(XLA_FFI_CallFrame *frame)
{
  if (is_asked(frame, XLA_FFI_MINOR))
    return NULL;
  const XLA_FFI_Buffer *in = frame->args.args[0], *out = frame->rets.rets[0];
  const XLA_FFI_Buffer *count = frame->rets.rets[1];
  snprintf(seen, sizeof seen, "%d args %d rets type %d rank %d dim %d, type %d rank %d;",
           (int)frame->args.size, (int)frame->rets.size, in->dtype, (int)in->rank, (int)in->dims[0],
           count->dtype, (int)count->rank);
  write_attrs(&frame->attrs, seen, sizeof seen);
  const float *from = in->data;
  float *to = out->data;
  for (int64_t i = 0; i < in->dims[0]; i++) {
    to[2 * i] = -from[2 * i + 1];
    to[2 * i + 1] = from[2 * i];
  }
  *(int32_t *)count->data = (int32_t)in->dims[0];
  return NULL;
}

START_TEST(handlers_see_buffers_and_attributes)
{
  static const char PROGRAM[] =
      "func.func public @main() -> tensor<2xcomplex<f32>> {\n"
      "  %a = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>\n"
      "  %b:2 = stablehlo.custom_call @turn(%a) {api_version = 4 : i32, backend_config = {\n"
      "    flag = true, list = array<i64: 5, 6>, name = \"x y\", n = 7 : i32, small = 3 : ui8,\n"
      "    splat = dense<9> : tensor<3xi64>, inner = {k = 8 : i64}}}\n"
      "    : (tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<i32>)\n"
      "  %c = stablehlo.convert %b#1 : (tensor<i32>) -> tensor<complex<f32>>\n"
      "  %d = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<complex<f32>>) -> "
      "tensor<2xcomplex<f32>>\n"
      "  %e = stablehlo.add %b#0, %d : tensor<2xcomplex<f32>>\n"
      "  return %e : tensor<2xcomplex<f32>>\n"
      "}\n";
  must(add("turn", turn));
  must(add("turn", turn)); /* the same once more is nothing new */
  PJRT_LoadedExecutable *executable = compile(PROGRAM);
  float data[4];
  ck_assert_int_eq(run(executable, data, sizeof data), PJRT_Error_Code_OK);
  unload(executable);
  ck_assert_float_eq(data[0], 0);
  ck_assert_float_eq(data[1], 1);
  ck_assert_float_eq(data[2], -2);
  ck_assert_float_eq(data[3], 3);
  ck_assert_str_eq(seen, "1 args 2 rets type 15 rank 1 dim 2, type 4 rank 0; flag=1:1 "
                         "inner={ k=5:8 } list=5:2:6 n=4:7 name='x y' small=6:3 splat=5:3:9");
}
END_TEST

/* Columns before rows: the shape stays the program's. */
static XLA_FFI_Error *corner(XLA_FFI_CallFrame *frame)
{
  if (is_asked(frame, XLA_FFI_MINOR))
    return NULL;
  const XLA_FFI_Buffer *in = frame->args.args[0], *out = frame->rets.rets[0];
  int32_t *to = out->data;
  to[0] = (int32_t)in->dims[0];
  to[1] = (int32_t)in->dims[1];
  to[2] = ((const int32_t *)in->data)[1];
  return NULL;
}

START_TEST(shapes_are_the_programs)
{
  static const char PROGRAM[] =
      "func.func public @main() -> tensor<3xi32> {\n"
      "  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>\n"
      "  %b = stablehlo.custom_call @corner(%a) {api_version = 4 : i32, operand_layouts = "
      "[dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>]} "
      ": (tensor<2x3xi32>) -> tensor<3xi32>\n"
      "  return %b : tensor<3xi32>\n"
      "}\n";
  must(add("corner", corner));
  PJRT_LoadedExecutable *executable = compile(PROGRAM);
  int32_t data[3];
  ck_assert_int_eq(run(executable, data, sizeof data), PJRT_Error_Code_OK);
  unload(executable);
  ck_assert_int_eq(data[0], 2);
  ck_assert_int_eq(data[1], 3);
  ck_assert_int_eq(data[2], 4);
}
END_TEST

/* Changes the signs of numbers of a byte, and says what they are. */
static XLA_FFI_Error *change_signs(XLA_FFI_CallFrame *frame)
{
  if (is_asked(frame, XLA_FFI_MINOR))
    return NULL;
  const XLA_FFI_Buffer *in = frame->args.args[0], *out = frame->rets.rets[0];
  snprintf(seen, sizeof seen, "type %d to type %d", in->dtype, out->dtype);
  for (int64_t i = 0; i < in->dims[0]; i++)
    ((uint8_t *)out->data)[i] = ((const uint8_t *)in->data)[i] ^ 0x80;
  return NULL;
}

START_TEST(narrow_elements_are_the_programs)
{
  static const char PROGRAM[] =
      "func.func public @main() -> tensor<3xf32> {\n"
      "  %a = stablehlo.constant dense<[1.0, 2.0, -0.75]> : tensor<3xf8E4M3FN>\n"
      "  %b = stablehlo.add %a, %a : tensor<3xf8E4M3FN>\n"
      "  %c = stablehlo.custom_call @change_signs(%b) {api_version = 4 : i32} : "
      "(tensor<3xf8E4M3FN>) -> tensor<3xf8E4M3FN>\n"
      "  %d = stablehlo.multiply %c, %a : tensor<3xf8E4M3FN>\n"
      "  %e = stablehlo.convert %d : (tensor<3xf8E4M3FN>) -> tensor<3xf32>\n"
      "  return %e : tensor<3xf32>\n"
      "}\n";
  must(add("change_signs", change_signs));
  PJRT_LoadedExecutable *executable = compile(PROGRAM);
  float data[3];
  ck_assert_int_eq(run(executable, data, sizeof data), PJRT_Error_Code_OK);
  unload(executable);
  ck_assert_str_eq(seen, "type 20 to type 20");
  ck_assert_float_eq(data[0], -2);
  ck_assert_float_eq(data[1], -8);
  ck_assert_float_eq(data[2], -1.125F);
}
END_TEST

/* ---- untyped calls ---- */

static void scale(void *out, const void *const *in)
{
  for (int i = 0; i < 3; i++)
    ((float *)out)[i] = ((const float *)in[0])[i] * *(const float *)in[1];
}

/* Of two results it is given the addresses. */
static void halve(void *out, const void *const *in)
{
  int32_t n = *(const int32_t *)in[0], *const *to = out;
  *to[0] = n / 2;
  *to[1] = n % 2;
}

/* As functions of libstdc++ and libc++ would leave a std::optional<std::string>: a text that stands
 * inside, and one that stands elsewhere. */
static void say_gnu(void *status, const char *message)
{
  char *at = status;
  size_t size = strlen(message);
  const char *data = size < 16 ? memcpy(at + 16, message, size + 1) : message;
  memcpy(at, &data, sizeof data);
  memcpy(at + 8, &size, sizeof size);
  at[32] = 1;
}

static void say_llvm(void *status, const char *message)
{
  char *at = status;
  size_t size = strlen(message), capacity = 33;
  at[24] = 1;
  if (size < 23) {
    at[0] = (char)(2 * size);
    memcpy(at + 1, message, size);
    return;
  }
  memcpy(at, &capacity, sizeof capacity);
  memcpy(at + 8, &size, sizeof size);
  memcpy(at + 16, &message, sizeof message);
}

static void with_status(void *out, const void *const *in, void *status)
{
  float x;
  memcpy(&x, in[0], sizeof x);
  memcpy(out, &x, sizeof x);
  if (x == 1)
    say_gnu(status, "not one");
  else if (x == 2)
    say_gnu(status, "two is not to be computed by this handler");
  else if (x == 3)
    say_llvm(status, "not three");
  else if (x == 4)
    say_llvm(status, "four is not to be computed by this handler");
}

static void with_text(void *out, const void *const *in, const char *given, size_t size,
                      void *status)
{
  (void)in;
  float length = (float)size;
  memcpy(out, &length, sizeof length);
  if (size == 0 || given[0] != 'k')
    say_gnu(status, "no text");
}

static const char CALL_IT[] =
    "func.func @main() -> tensor<f32> {\n"
    "  %%x = stablehlo.constant dense<%d.0> : tensor<f32>\n"
    "  %%y = stablehlo.custom_call @%s(%%x) {backend_config = \"%s\", api_version = %d : i32} : "
    "(tensor<f32>) -> tensor<f32>\n"
    "  return %%y : tensor<f32>\n}\n";

static PJRT_Error_Code call_it(const char *name, int x, const char *given, int version, float *out)
{
  char program[512];
  snprintf(program, sizeof program, CALL_IT, x, name, given, version);
  PJRT_LoadedExecutable *executable = compile(program);
  PJRT_Error_Code code = run(executable, out, sizeof *out);
  unload(executable);
  return code;
}

START_TEST(untyped_handlers_may_fail_by_a_status)
{
  static const char *const SAID[] = {NULL, "not one", "two is not to be computed by this handler",
                                     "not three", "four is not to be computed by this handler"};
  StatusCall *two = with_status;
  StatusAndTextCall *three = with_text;
  void *function;
  float out = 0;
  memcpy(&function, &two, sizeof function);
  ck_assert_int_eq(register_untyped("with_status", function, text, sizeof text), 1);
  memcpy(&function, &three, sizeof function);
  ck_assert_int_eq(register_untyped("with_text", function, text, sizeof text), 1);
  ck_assert_int_eq(call_it("with_status", 5, "", 2, &out), PJRT_Error_Code_OK);
  ck_assert_float_eq(out, 5);
  for (int i = 1; i < 5; i++) {
    ck_assert_int_ne(call_it("with_status", i, "", 2, &out), PJRT_Error_Code_OK);
    ck_assert_msg(strstr(text, SAID[i]) != NULL, "%s", text);
  }
  ck_assert_int_eq(call_it("with_text", 5, "keep", 3, &out), PJRT_Error_Code_OK);
  ck_assert_float_eq(out, 4);
  ck_assert_int_ne(call_it("with_text", 5, "", 3, &out), PJRT_Error_Code_OK);
  static const char BOTH[] =
      "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
      "  %y = stablehlo.custom_call @with_status(%x) {api_version = 2 : i32} : (tensor<f32>) -> "
      "tensor<f32>\n"
      "  %z = stablehlo.custom_call @with_status(%y) {api_version = 1 : i32} : (tensor<f32>) -> "
      "tensor<f32>\n"
      "  return %z : tensor<f32>\n}\n";
  PJRT_LoadedExecutable *none;
  ck_assert_int_eq(code_of(compile_with(BOTH, NULL, 0, &none), text),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(text, "with api_version 1, another op with 2"));
}
END_TEST

START_TEST(untyped_handlers_are_given_addresses)
{
  static const char PROGRAM[] =
      "func.func public @main() -> tensor<3xf32> {\n"
      "  %n = stablehlo.constant dense<7> : tensor<i32>\n"
      "  %h:2 = stablehlo.custom_call @halve(%n) : (tensor<i32>) -> (tensor<i32>, tensor<i32>)\n"
      "  %m = stablehlo.subtract %h#0, %h#1 : tensor<i32>\n"
      "  %k = stablehlo.convert %m : (tensor<i32>) -> tensor<f32>\n"
      "  %a = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>\n"
      "  %b = stablehlo.custom_call @scale(%a, %k) {api_version = 1 : i32} : "
      "(tensor<3xf32>, tensor<f32>) -> tensor<3xf32>\n"
      "  return %b : tensor<3xf32>\n"
      "}\n";
  UntypedCall *calls[] = {scale, halve};
  static const char *const NAMES[] = {"scale", "halve"};
  for (int i = 0; i < 2; i++) {
    void *function;
    memcpy(&function, &calls[i], sizeof function);
    ck_assert_int_eq(register_untyped(NAMES[i], function, text, sizeof text), 1);
    ck_assert_int_eq(register_untyped(NAMES[i], function, text, sizeof text), 1);
    ck_assert_int_eq(register_untyped("turned", function, text, sizeof text), i == 0);
  }
  ck_assert_str_eq(text, "handler 'turned' is registered twice");
  ck_assert_int_eq(register_untyped("none", NULL, text, sizeof text), 0);
  PJRT_LoadedExecutable *executable = compile(PROGRAM);
  float data[3];
  ck_assert_int_eq(run(executable, data, sizeof data), PJRT_Error_Code_OK);
  unload(executable);
  ck_assert_float_eq(data[0], 2);
  ck_assert_float_eq(data[2], 6);
  static const char TYPED[] =
      "func.func public @main(%a: tensor<3xf32>, %k: tensor<f32>) -> tensor<3xf32> {\n"
      "  %b = stablehlo.custom_call @scale(%a, %k) {api_version = 4 : i32} : "
      "(tensor<3xf32>, tensor<f32>) -> tensor<3xf32>\n"
      "  return %b : tensor<3xf32>\n"
      "}\n";
  ck_assert_int_eq(code_of(compile_with(TYPED, NULL, 0, &executable), text),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_msg(strstr(text, "calls 'scale', which is not known") != NULL, "%s", text);
}
END_TEST

/* ---- state ---- */

static int n_live;
static XLA_FFI_TypeId state_type;

static void forget(void *object)
{
  free(object);
  n_live--;
}

static XLA_FFI_Error *count_from(XLA_FFI_CallFrame *frame)
{
  const XLA_FFI_Scalar *start = frame->attrs.attrs[0];
  if (*(const int32_t *)start->value < 0)
    return refuse(frame, "a negative start");
  int *state = malloc(sizeof *state);
  *state = *(const int32_t *)start->value;
  n_live++;
  XLA_FFI_State_Set_Args set = ARGS(XLA_FFI_State_Set, .ctx = frame->ctx, .stage = frame->stage,
                                    .type_id = &state_type, .state = state);
  return frame->api->XLA_FFI_State_Set(&set);
}

static XLA_FFI_Error *count(XLA_FFI_CallFrame *frame)
{
  if (is_asked(frame, 0))
    return NULL;
  XLA_FFI_State_Get_Args get =
      ARGS(XLA_FFI_State_Get, .ctx = frame->ctx, .stage = XLA_FFI_ExecutionStage_INSTANTIATE,
           .type_id = &state_type);
  XLA_FFI_Error *error = frame->api->XLA_FFI_State_Get(&get);
  if (error == NULL)
    *(int32_t *)((const XLA_FFI_Buffer *)frame->rets.rets[0])->data = (*(int *)get.state)++;
  return error;
}

#define COUNT(start)                                                                               \
  "func.func public @main() -> tensor<i32> {\n"                                                    \
  "  %a = stablehlo.custom_call @count() {api_version = 4 : i32, has_side_effect = true, "         \
  "backend_config = {start = " start " : i32}} : () -> tensor<i32>\n"                              \
  "  return %a : tensor<i32>\n"                                                                    \
  "}\n"

START_TEST(state_lives_as_long_as_the_program)
{
  PJRT_FFI_Type_Info info = {.deleter = forget};
  PJRT_FFI_Type_Register_Args type =
      ARGS(PJRT_FFI_Type_Register, .type_name = "counter", .type_name_size = 7, .type_info = &info);
  must(ffi->type_register(&type));
  ck_assert_int_ne(type.type_id, 0);
  state_type.type_id = type.type_id;
  XLA_FFI_Handler_Bundle bundle = {.instantiate = count_from, .execute = count};
  void *stages[4];
  memcpy(stages, &bundle, sizeof stages);
  ck_assert_int_eq(register_bundle("count", stages, text, sizeof text), 1);
  PJRT_LoadedExecutable *five = compile(COUNT("5")), *wrong = compile(COUNT("-1"));
  int32_t n;
  for (int i = 0; i < 3; i++) {
    ck_assert_int_eq(run(five, &n, sizeof n), PJRT_Error_Code_OK);
    ck_assert_int_eq(n, 5 + i);
  }
  ck_assert_int_eq(n_live, 1);
  ck_assert_int_eq(run(wrong, &n, sizeof n), PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_msg(strstr(text, "calls 'count', which failed: a negative start") != NULL, "%s", text);
  ck_assert_int_eq(run(five, &n, sizeof n), PJRT_Error_Code_OK); /* an error is of one run */
  ck_assert_int_eq(n, 8);
  unload(five);
  unload(wrong);
  ck_assert_int_eq(n_live, 0);
}
END_TEST

/* ---- what a run is given ---- */

/* Its result is the number that the client has handed over for this run. */
static XLA_FFI_Error *hand_on(XLA_FFI_CallFrame *frame)
{
  if (is_asked(frame, XLA_FFI_MINOR))
    return NULL;
  XLA_FFI_ExecutionContext_Get_Args get =
      ARGS(XLA_FFI_ExecutionContext_Get, .ctx = frame->ctx, .type_id = &state_type);
  XLA_FFI_Error *error = frame->api->XLA_FFI_ExecutionContext_Get(&get);
  if (error == NULL)
    *(int32_t *)((const XLA_FFI_Buffer *)frame->rets.rets[0])->data = *(int *)get.data;
  return error;
}

START_TEST(handlers_are_given_user_data)
{
  static const char PROGRAM[] =
      "func.func public @main() -> tensor<i32> {\n"
      "  %a = stablehlo.custom_call @hand_on() {api_version = 4 : i32, has_side_effect = true} : "
      "() -> tensor<i32>\n"
      "  return %a : tensor<i32>\n"
      "}\n";
  PJRT_FFI_Type_Info info = {0};
  PJRT_FFI_Type_Register_Args type =
      ARGS(PJRT_FFI_Type_Register, .type_name = "given", .type_name_size = 5, .type_info = &info);
  must(ffi->type_register(&type));
  state_type.type_id = type.type_id;
  must(add("hand_on", hand_on));
  PJRT_ExecuteContext_Create_Args context = ARGS(PJRT_ExecuteContext_Create, .context = NULL);
  must(api->PJRT_ExecuteContext_Create(&context));
  int given = 7;
  PJRT_FFI_UserData_Add_Args more = ARGS(PJRT_FFI_UserData_Add, .context = context.context,
                                         .user_data = {.type_id = type.type_id, .data = &given});
  must(ffi->user_data_add(&more));
  ck_assert_int_eq(code_of(ffi->user_data_add(&more), text), PJRT_Error_Code_ALREADY_EXISTS);
  PJRT_LoadedExecutable *executable = compile(PROGRAM);
  int32_t n = 0;
  ck_assert_int_eq(run_in(context.context, executable, &n, sizeof n), PJRT_Error_Code_OK);
  ck_assert_int_eq(n, 7);
  ck_assert_int_eq(run(executable, &n, sizeof n), PJRT_Error_Code_NOT_FOUND);
  ck_assert_msg(strstr(text, "there is no user data of type") != NULL, "%s", text);
  PJRT_ExecuteContext_Destroy_Args destroy =
      ARGS(PJRT_ExecuteContext_Destroy, .context = context.context);
  must(api->PJRT_ExecuteContext_Destroy(&destroy));
  ck_assert_int_eq(code_of(ffi->user_data_add(&more), text), PJRT_Error_Code_INVALID_ARGUMENT);
  unload(executable);
}
END_TEST

/* ---- what is refused ---- */

static XLA_FFI_Error *too_new(XLA_FFI_CallFrame *frame)
{
  return is_asked(frame, XLA_FFI_MINOR + 1) ? NULL : refuse(frame, "was called");
}

START_TEST(handlers_that_do_not_fit_are_refused)
{
  ck_assert_int_eq(code_of(add("too_new", too_new), text), PJRT_Error_Code_INVALID_ARGUMENT);
  ck_assert_msg(strstr(text, "it was compiled for version 0.4 of the interface") != NULL, "%s",
                text);
  ck_assert_int_eq(code_of(add("", turn), text), PJRT_Error_Code_INVALID_ARGUMENT);
  must(add("turn", turn));
  ck_assert_int_eq(code_of(add("turn", count), text), PJRT_Error_Code_ALREADY_EXISTS);
  ck_assert_str_eq(text, "handler 'turn' is registered twice");
  PJRT_FFI_Type_Register_Args one =
      ARGS(PJRT_FFI_Type_Register, .type_name = "one", .type_name_size = 3, .type_id = 41);
  must(ffi->type_register(&one));
  PJRT_FFI_Type_Register_Args same = one, other = one;
  same.type_id = 0;
  must(ffi->type_register(&same));
  ck_assert_int_eq(same.type_id, 41);
  other.type_name = "two";
  ck_assert_int_eq(code_of(ffi->type_register(&other), text), PJRT_Error_Code_ALREADY_EXISTS);
  static const char PROGRAM[] =
      "func.func public @main() -> tensor<i32> {\n"
      "  %a:2 = stablehlo.custom_call @turn() {api_version = 4 : i32, backend_config = {\n"
      "    list = [1, 2]}} : () -> (tensor<i32>, tensor<i32>)\n"
      "  return %a#0 : tensor<i32>\n"
      "}\n";
  PJRT_LoadedExecutable *executable = compile(PROGRAM);
  int32_t n;
  ck_assert_int_eq(run(executable, &n, sizeof n), PJRT_Error_Code_INTERNAL);
  ck_assert_msg(strstr(text, "attribute 'list' is of a kind that a handler cannot be given") !=
                    NULL,
                "%s", text);
  unload(executable);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("pjrt/ffi");
  TCase *tests = tcase_create("ffi");
  tcase_add_checked_fixture(tests, setup, stop_client);
  tcase_add_test(tests, handlers_see_buffers_and_attributes);
  tcase_add_test(tests, shapes_are_the_programs);
  tcase_add_test(tests, narrow_elements_are_the_programs);
  tcase_add_test(tests, untyped_handlers_may_fail_by_a_status);
  tcase_add_test(tests, untyped_handlers_are_given_addresses);
  tcase_add_test(tests, state_lives_as_long_as_the_program);
  tcase_add_test(tests, handlers_are_given_user_data);
  tcase_add_test(tests, handlers_that_do_not_fit_are_refused);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
