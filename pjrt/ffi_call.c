/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls of handlers: a frame of buffers and attributes, and the stages in order. */
#include "base/memory.h"
#include "pjrt/ffi_t.h"

/* ---- types ---- */

/* XLA's numbers are those of its literals, PJRT's are in another order. */
static XLA_FFI_DataType data_type(const EchoType *element)
{
  static const XLA_FFI_DataType NUMBERS[] = {
      [PJRT_Buffer_Type_PRED] = 1,        [PJRT_Buffer_Type_S8] = 2,
      [PJRT_Buffer_Type_S16] = 3,         [PJRT_Buffer_Type_S32] = 4,
      [PJRT_Buffer_Type_S64] = 5,         [PJRT_Buffer_Type_U8] = 6,
      [PJRT_Buffer_Type_U16] = 7,         [PJRT_Buffer_Type_U32] = 8,
      [PJRT_Buffer_Type_U64] = 9,         [PJRT_Buffer_Type_F16] = 10,
      [PJRT_Buffer_Type_F32] = 11,        [PJRT_Buffer_Type_F64] = 12,
      [PJRT_Buffer_Type_C64] = 15,        [PJRT_Buffer_Type_BF16] = 16,
      [PJRT_Buffer_Type_C128] = 18,       [PJRT_Buffer_Type_F8E5M2] = 19,
      [PJRT_Buffer_Type_F8E4M3FN] = 20,   [PJRT_Buffer_Type_S4] = 21,
      [PJRT_Buffer_Type_U4] = 22,         [PJRT_Buffer_Type_F8E4M3B11FNUZ] = 23,
      [PJRT_Buffer_Type_F8E5M2FNUZ] = 24, [PJRT_Buffer_Type_F8E4M3FNUZ] = 25,
      [PJRT_Buffer_Type_S2] = 26,         [PJRT_Buffer_Type_U2] = 27,
      [PJRT_Buffer_Type_F8E4M3] = 28,     [PJRT_Buffer_Type_F8E3M4] = 29,
      [PJRT_Buffer_Type_F4E2M1FN] = 32,   [PJRT_Buffer_Type_F8E8M0FNU] = 33,
  };
  return NUMBERS[echo_pjrt_type_of(element)];
}

/* ---- attributes ---- */

static bool refuse(EchoBuffer *error, EchoStr name, const char *why)
{
  echo_buffer_printf(error, "attribute '%.*s' %s", ECHO_STR_ARG(name), why);
  return false;
}

static void *scalar(EchoArena *arena, const EchoType *type, const void *bits)
{
  XLA_FFI_Scalar *made = ECHO_ARENA_NEW(arena, XLA_FFI_Scalar);
  *made = (XLA_FFI_Scalar){data_type(type), echo_arena_copy(arena, bits, sizeof(uint64_t))};
  return made;
}

static void *array(EchoArena *arena, const EchoType *element, const void *data, size_t size)
{
  XLA_FFI_Array *made = ECHO_ARENA_NEW(arena, XLA_FFI_Array);
  *made = (XLA_FFI_Array){data_type(element), size, data};
  return made;
}

static void *elements(EchoArena *arena, const EchoAttr *attr)
{
  const EchoType *element = echo_type_element(attr->type);
  size_t n_bytes = echo_type_element_bytes(element);
  size_t n = (size_t)echo_type_static_n_elements(attr->type);
  if (!attr->as.elements.is_splat)
    return array(arena, element, attr->as.elements.data, n);
  char *data = echo_arena_alloc_array(arena, n + 1, n_bytes);
  for (size_t i = 0; i < n; i++)
    memcpy(data + i * n_bytes, attr->as.elements.data, n_bytes);
  return array(arena, element, data, n);
}

/* One attribute; false where the interface has no such kind, or no number for its type. */
static bool convert(EchoArena *arena, EchoStr name, const EchoAttr *attr, XLA_FFI_AttrType *type,
                    void **value, EchoBuffer *error)
{
  const EchoType *element = NULL;
  *type = XLA_FFI_AttrType_SCALAR;
  switch (attr->kind) {
  case ECHO_ATTR_INTEGER:
    element = attr->type;
    *value = scalar(arena, element, &attr->as.integer.value);
    break;
  case ECHO_ATTR_FLOAT:
    element = attr->type;
    *value = scalar(arena, element, &attr->as.floating.bits);
    break;
  case ECHO_ATTR_DENSE_ARRAY:
    element = attr->as.dense_array.element;
    *type = XLA_FFI_AttrType_ARRAY;
    *value = array(arena, element, attr->as.dense_array.data, attr->as.dense_array.size);
    break;
  case ECHO_ATTR_DENSE_ELEMENTS:
    element = echo_type_element(attr->type);
    *type = XLA_FFI_AttrType_ARRAY;
    *value = elements(arena, attr);
    break;
  case ECHO_ATTR_STRING: {
    XLA_FFI_ByteSpan *span = ECHO_ARENA_NEW(arena, XLA_FFI_ByteSpan);
    *span = (XLA_FFI_ByteSpan){attr->as.string.data, attr->as.string.size};
    *type = XLA_FFI_AttrType_STRING;
    *value = span;
    return true;
  }
  case ECHO_ATTR_DICTIONARY: {
    XLA_FFI_Attrs *attrs = ECHO_ARENA_NEW(arena, XLA_FFI_Attrs);
    *type = XLA_FFI_AttrType_DICTIONARY;
    *value = attrs;
    return echo_ffi_attrs(arena, attr, attrs, error);
  }
  default:
    return refuse(error, name, "is of a kind that a handler cannot be given");
  }
  return data_type(element) != 0 ||
         refuse(error, name, "is of a type that a handler cannot be given");
}

bool echo_ffi_attrs(EchoArena *arena, const EchoAttr *dictionary, XLA_FFI_Attrs *attrs,
                    EchoBuffer *error)
{
  size_t n = dictionary != NULL ? dictionary->as.dictionary.size : 0;
  *attrs = (XLA_FFI_Attrs){.struct_size = sizeof *attrs,
                           .size = (int64_t)n,
                           .types = ECHO_ARENA_ARRAY(arena, XLA_FFI_AttrType, n + 1),
                           .names = ECHO_ARENA_ARRAY(arena, XLA_FFI_ByteSpan *, n + 1),
                           .attrs = ECHO_ARENA_ARRAY(arena, void *, n + 1)};
  for (size_t i = 0; i < n; i++) {
    const EchoNamedAttr *entry = &dictionary->as.dictionary.entries[i];
    attrs->names[i] = ECHO_ARENA_NEW(arena, XLA_FFI_ByteSpan);
    *attrs->names[i] = (XLA_FFI_ByteSpan){entry->name.data, entry->name.size};
    if (!convert(arena, entry->name, entry->value, &attrs->types[i], &attrs->attrs[i], error))
      return false;
  }
  return true;
}

/* ---- frames ---- */

static void **buffers(EchoArena *arena, const EchoType *const *types, const void *const *data,
                      size_t n, int **kinds)
{
  void **made = ECHO_ARENA_ARRAY(arena, void *, n + 1);
  *kinds = ECHO_ARENA_ARRAY(arena, int, n + 1);
  for (size_t i = 0; i < n; i++) {
    size_t rank = echo_type_rank(types[i]);
    XLA_FFI_Buffer *buffer = ECHO_ARENA_NEW(arena, XLA_FFI_Buffer);
    *buffer = (XLA_FFI_Buffer){.struct_size = sizeof *buffer,
                               .dtype = data_type(echo_type_element(types[i])),
                               .data = (void *)(uintptr_t)data[i],
                               .rank = (int64_t)rank,
                               .dims = ECHO_ARENA_ARRAY(arena, int64_t, rank + 1)};
    for (size_t k = 0; k < rank; k++)
      buffer->dims[k] = echo_type_dim(types[i], k);
    (*kinds)[i] = XLA_FFI_BUFFER;
    made[i] = buffer;
  }
  return made;
}

static bool make_frame(EchoArena *arena, const EchoTargetCall *call, XLA_FFI_CallFrame *frame)
{
  const EchoAttr *config = call->config;
  if (config != NULL && config->kind == ECHO_ATTR_STRING && config->as.string.size == 0)
    config = NULL;
  if (config != NULL && config->kind != ECHO_ATTR_DICTIONARY) {
    echo_buffer_append_c(call->error, "its backend_config is no dictionary");
    return false;
  }
  *frame = (XLA_FFI_CallFrame){.struct_size = XLA_FFI_SIZE(XLA_FFI_CallFrame, attrs),
                               .api = &ECHO_FFI_API};
  frame->args =
      (XLA_FFI_Args){.struct_size = sizeof frame->args, .size = (int64_t)call->n_operands};
  frame->args.args =
      buffers(arena, call->operand_types, call->operands, call->n_operands, &frame->args.types);
  frame->rets = (XLA_FFI_Rets){.struct_size = sizeof frame->rets, .size = (int64_t)call->n_results};
  frame->rets.rets = buffers(arena, call->result_types, (const void *const *)call->results,
                             call->n_results, &frame->rets.types);
  return echo_ffi_attrs(arena, config, &frame->attrs, call->error);
}

/* ---- a program's targets ---- */

/* A call target of one program; the target comes first, so that a call's target leads back. */
struct EchoFfiTarget {
  EchoCallTarget target;
  EchoPjrtProgram *program; /* whose it is */
  EchoBuffer name;
  EchoFfiHandler called;
  int64_t version;      /* of the calls, which an untyped handler does not know itself */
  pthread_mutex_t lock; /* of sites */
  ECHO_VECTOR(EchoFfiSite *) sites;
};

static struct EchoFfiTarget *target_of(const EchoTargetCall *call)
{
  return (struct EchoFfiTarget *)(uintptr_t)call->target;
}

/* The code of the first error of a run is the run's. */
static bool fine(const EchoTargetCall *call, XLA_FFI_Error *error)
{
  int none = PJRT_Error_Code_OK;
  if (error == NULL)
    return true;
  if (error->code > PJRT_Error_Code_OK && error->code <= PJRT_Error_Code_UNAUTHENTICATED)
    atomic_compare_exchange_strong(&target_of(call)->program->call_code, &none, error->code);
  echo_buffer_append_str(call->error, echo_buffer_str(&error->message));
  echo_ffi_error_destroy(error);
  return false;
}

static bool run_stage(const EchoTargetCall *call, XLA_FFI_Handler *handler,
                      XLA_FFI_CallFrame *frame, XLA_FFI_ExecutionStage stage)
{
  if (handler == NULL)
    return true;
  frame->stage = stage;
  frame->future = NULL;
  if (!fine(call, handler(frame)))
    return false;
  return frame->future == NULL || fine(call, echo_ffi_future_wait(frame->future));
}

/* What the call keeps; NULL after a reason. Attributes are all that this stage is given. */
static EchoFfiSite *instantiate(struct EchoFfiTarget *target, const EchoTargetCall *call,
                                const XLA_FFI_CallFrame *frame)
{
  for (size_t i = 0; i < target->sites.size; i++)
    if (target->sites.data[i]->site == call->site)
      return target->sites.data[i];
  EchoFfiSite *site = echo_alloc_zero(1, sizeof *site);
  site->site = call->site;
  XLA_FFI_ExecutionContext ctx = {.site = site};
  XLA_FFI_CallFrame own = {
      .struct_size = frame->struct_size, .api = frame->api, .ctx = &ctx, .attrs = frame->attrs};
  own.args.struct_size = sizeof own.args;
  own.rets.struct_size = sizeof own.rets;
  if (run_stage(call, target->called.bundle.instantiate, &own,
                XLA_FFI_ExecutionStage_INSTANTIATE)) {
    echo_vector_push(&target->sites, site);
    return site;
  }
  echo_ffi_state_clear(&site->kept);
  echo_free(site);
  return NULL;
}

static bool run(const EchoTargetCall *call)
{
  static atomic_llong n_runs;
  struct EchoFfiTarget *target = target_of(call);
  const XLA_FFI_Handler_Bundle *bundle = &target->called.bundle;
  EchoArena arena = {0};
  XLA_FFI_CallFrame frame;
  XLA_FFI_ExecutionContext ctx = {.run_id = atomic_fetch_add(&n_runs, 1),
                                  .user_data = target->program->user_data};
  bool ok = make_frame(&arena, call, &frame);
  if (ok) {
    pthread_mutex_lock(&target->lock);
    ctx.site = instantiate(target, call, &frame);
    pthread_mutex_unlock(&target->lock);
    ok = ctx.site != NULL;
  }
  frame.ctx = &ctx;
  ok = ok && run_stage(call, bundle->prepare, &frame, XLA_FFI_ExecutionStage_PREPARE) &&
       run_stage(call, bundle->initialize, &frame, XLA_FFI_ExecutionStage_INITIALIZE) &&
       run_stage(call, bundle->execute, &frame, XLA_FFI_ExecutionStage_EXECUTE);
  for (int i = XLA_FFI_ExecutionStage_PREPARE; i < XLA_FFI_ExecutionStage_EXECUTE; i++)
    echo_ffi_state_clear(&ctx.states[i]);
  echo_arena_destroy(&arena);
  return ok;
}

/* An XlaCustomCallStatus: a handler writes into it by functions that it is linked with, from
 * xla/service/custom_call_status.cc, for which it is a std::optional<std::string>, empty at first.
 * Where that says that it is there tells the two C++ libraries apart; zeros are empty for both. */
typedef union Status {
  struct { /* libstdc++ */
    const char *data;
    size_t size;
    char own[16];
    unsigned char is_set;
  } gnu;
  struct { /* libc++ */
    union {
      struct {
        size_t capacity, size; /* the lowest bit of the first: data stands apart */
        const char *data;
      } apart;
      struct {
        unsigned char twice_size;
        char data[23];
      } own;
    };
    unsigned char is_set;
  } llvm;
  char bytes[64];
} Status;

/* What a handler said; false: nothing. A long text stays its own: who has made it frees it, and
 * nobody does. */
static bool read_failure(const Status *status, EchoStr *text)
{
  if (status->gnu.is_set == 1)
    *text = (EchoStr){status->gnu.data, status->gnu.size};
  else if (status->llvm.is_set == 1 && (status->llvm.own.twice_size & 1) != 0)
    *text = (EchoStr){status->llvm.apart.data, status->llvm.apart.size};
  else if (status->llvm.is_set == 1)
    *text = (EchoStr){status->llvm.own.data, status->llvm.own.twice_size / 2};
  else
    return false;
  return true;
}

static bool run_untyped(const EchoTargetCall *call)
{
  const struct EchoFfiTarget *target = target_of(call);
  const EchoAttr *config = call->config;
  void *out = call->n_results == 1 ? call->results[0] : (void *)(uintptr_t)call->results;
  EchoStr said =
      config != NULL && config->kind == ECHO_ATTR_STRING ? config->as.string : ECHO_STR("");
  Status status = {.bytes = {0}};
  EchoUntypedCall *original = target->called.untyped;
  if (target->version == ECHO_FFI_WITH_STATUS)
    ((EchoUntypedCall2 *)(void (*)(void))original)(out, call->operands, &status);
  else if (target->version == ECHO_FFI_WITH_STATUS_AND_TEXT)
    ((EchoUntypedCall3 *)(void (*)(void))original)(out, call->operands, said.data, said.size,
                                                   &status);
  else
    original(out, call->operands);
  if (!read_failure(&status, &said))
    return true;
  echo_buffer_append_str(call->error, said);
  return false;
}

static int64_t version_of(const EchoOp *op)
{
  const EchoAttr *version = echo_op_attr_or_null(op, "api_version");
  return version != NULL ? version->as.integer.value : ECHO_FFI_ORIGINAL;
}

/* An untyped handler is of one of XLA's first three versions. */
static bool fits(const EchoOp *op, const EchoFfiHandler *handler)
{
  return handler->untyped == NULL || version_of(op) <= ECHO_FFI_WITH_STATUS_AND_TEXT;
}

/* How the handler is called is said once. */
static bool is_called_alike(const EchoPjrtProgram *program, const EchoOp *op, EchoStr name)
{
  for (size_t i = 0; i < program->ffi_targets.size; i++) {
    const struct EchoFfiTarget *target = program->ffi_targets.data[i];
    if (target->called.untyped != NULL && echo_str_equal(echo_buffer_str(&target->name), name) &&
        target->version != version_of(op))
      return echo_op_error(op, "calls '%.*s' with api_version %lld, another op with %lld",
                           ECHO_STR_ARG(name), (long long)version_of(op),
                           (long long)target->version);
  }
  return true;
}

bool echo_pjrt_register_ffi_call(EchoPjrtProgram *program, const EchoOp *op)
{
  EchoFfiHandler handler;
  EchoStr name = echo_op_is(op, "stablehlo.custom_call")
                     ? echo_op_attr_string(op, "call_target_name")
                     : (EchoStr){0};
  if (name.size == 0 || !echo_ffi_find(name, &handler) || !fits(op, &handler))
    return true;
  if (echo_context_row_or_null(program->ctx, ECHO_CALL_TARGET, name) != NULL)
    return is_called_alike(program, op, name);
  struct EchoFfiTarget *target = echo_alloc_zero(1, sizeof *target);
  echo_buffer_append_str(&target->name, name);
  target->target = (EchoCallTarget){.name = echo_buffer_c_str(&target->name),
                                    .summary = "a handler of XLA's foreign function interface",
                                    .run = handler.untyped == NULL ? run : run_untyped,
                                    .sees_logical_shapes = true};
  target->program = program;
  target->called = handler;
  target->version = version_of(op);
  pthread_mutex_init(&target->lock, NULL);
  echo_context_register_call_target(program->ctx, &target->target, NULL);
  echo_vector_push(&program->ffi_targets, target);
  return true;
}

void echo_pjrt_ffi_targets_destroy(EchoPjrtProgram *program)
{
  for (size_t i = 0; i < program->ffi_targets.size; i++) {
    struct EchoFfiTarget *target = program->ffi_targets.data[i];
    for (size_t k = 0; k < target->sites.size; k++) {
      echo_ffi_state_clear(&target->sites.data[k]->kept);
      echo_free(target->sites.data[k]);
    }
    echo_vector_destroy(&target->sites);
    pthread_mutex_destroy(&target->lock);
    echo_buffer_destroy(&target->name);
    echo_free(target);
  }
  echo_vector_destroy(&program->ffi_targets);
}
