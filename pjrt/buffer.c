/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Buffers: dense arrays on the device, their dimensions in any order, whatever layout the host has.
 */
#include "pjrt/plugin_t.h"

/* ---- storage ---- */

EchoPjrtStorage *echo_pjrt_storage_create(PJRT_Memory *memory, uint64_t n_bytes)
{
  EchoPjrtStorage *storage = echo_alloc_zero(1, sizeof *storage);
  atomic_init(&storage->n_references, 1);
  atomic_init(&storage->n_external, 0);
  echo_pjrt_core_retain(memory->device->core);
  storage->memory = memory;
  storage->n_bytes = n_bytes;
  storage->ready = echo_pjrt_state_create();
  return storage;
}

EchoPjrtStorage *echo_pjrt_storage_retain(EchoPjrtStorage *storage)
{
  atomic_fetch_add(&storage->n_references, 1);
  return storage;
}

void echo_pjrt_storage_release(EchoPjrtStorage *storage)
{
  if (storage == NULL || atomic_fetch_sub(&storage->n_references, 1) != 1)
    return;
  echo_device_buffer_destroy(storage->buffer);
  echo_pjrt_state_release(storage->ready);
  echo_pjrt_core_release(storage->memory->device->core);
  echo_free(storage);
}

PJRT_Buffer *echo_pjrt_buffer_create(EchoPjrtStorage *storage, PJRT_Buffer_Type type,
                                     const int64_t *dims, size_t n_dims,
                                     const int64_t *minor_to_major)
{
  PJRT_Buffer *buffer = echo_alloc(sizeof *buffer);
  *buffer =
      (PJRT_Buffer){.storage = storage,
                    .seen = storage,
                    .memory = storage->memory,
                    .ready = echo_pjrt_state_retain(storage->ready),
                    .type = type,
                    .n_bytes = storage->n_bytes,
                    .n_dims = n_dims,
                    .dims = echo_alloc_array(n_dims + 1, sizeof *buffer->dims),
                    .minor_to_major = echo_alloc_array(n_dims + 1, sizeof *buffer->minor_to_major)};
  echo_pjrt_core_retain(storage->memory->device->core);
  for (size_t i = 0; i < n_dims; i++) {
    buffer->dims[i] = dims[i];
    buffer->minor_to_major[i] = minor_to_major[i];
  }
  echo_pjrt_add(buffer, ECHO_PJRT_BUFFER);
  return buffer;
}

/* ---- from the host ---- */

/* Bytes of a dense array; false on a negative dimension, a rank or a size that no device has. */
static bool dense_bytes(const int64_t *dims, size_t n_dims, uint64_t element_bytes, uint64_t *bytes)
{
  *bytes = element_bytes;
  bool is_empty = false;
  for (size_t i = 0; i < n_dims; i++) {
    if (dims[i] < 0)
      return false;
    is_empty |= dims[i] == 0;
    if (dims[i] != 0 &&
        (!echo_mul_u64(*bytes, (uint64_t)dims[i], bytes) || *bytes > ECHO_DEVICE_MAX_BYTES))
      return false;
  }
  if (is_empty)
    *bytes = 0;
  return n_dims <= ECHO_MAX_RANK;
}

static PJRT_Error *check_shape(PJRT_Buffer_Type type, const int64_t *dims, size_t n_dims,
                               uint64_t *bytes)
{
  uint64_t element_bytes = echo_pjrt_type_bytes(type);
  if (element_bytes == 0)
    return echo_pjrt_error(PJRT_Error_Code_UNIMPLEMENTED, "buffers of element type %d", (int)type);
  ECHO_PJRT_CHECK(dims != NULL || n_dims == 0, "'dims' is NULL");
  ECHO_PJRT_CHECK(dense_bytes(dims, n_dims, element_bytes, bytes),
                  "an array that no device can hold");
  return NULL;
}

/* The memory that a caller names, by itself or by its device; the client's first where neither is
 * given. */
static PJRT_Error *find_memory(const EchoPjrtCore *core, PJRT_Device *device, PJRT_Memory *named,
                               PJRT_Memory **memory)
{
  ECHO_PJRT_CHECK(device == NULL || echo_pjrt_is_live(device, ECHO_PJRT_DEVICE),
                  "'device' is not a live object");
  ECHO_PJRT_CHECK(named == NULL || echo_pjrt_is_live(named, ECHO_PJRT_MEMORY),
                  "'memory' is not a live object");
  *memory = named != NULL    ? named
            : device != NULL ? device->memories[ECHO_PJRT_ON_DEVICE]
                             : core->memories[0];
  ECHO_PJRT_CHECK((*memory)->device->core == core, "a device of another client");
  return NULL;
}

/* A host's element of less than a byte has anything in the bits above it; here they are zero. */
static void clear_unused_bits(PJRT_Buffer_Type type, unsigned char *elements, uint64_t n)
{
  const unsigned char mask = echo_pjrt_type_bits(type);
  for (uint64_t i = 0; mask != 0xff && i < n; i++)
    elements[i] &= mask;
}

PJRT_Error *Echo_PJRT_Client_BufferFromHostBuffer(PJRT_Client_BufferFromHostBuffer_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, buffer);
  ECHO_PJRT_CHECK_LIVE(args->client, ECHO_PJRT_CLIENT);
  uint64_t bytes;
  int64_t order[ECHO_MAX_RANK], by_rows[ECHO_MAX_RANK], strides[ECHO_MAX_RANK];
  PJRT_Memory *memory;
  PJRT_Error *error = find_memory(args->client->core, args->device, args->memory, &memory);
  if (error == NULL)
    error = check_shape(args->type, args->dims, args->num_dims, &bytes);
  if (error == NULL)
    error = echo_pjrt_read_order(args->device_layout, args->num_dims, order);
  if (error != NULL)
    return error;
  ECHO_PJRT_CHECK(args->data != NULL || bytes == 0, "'data' is NULL");
  ECHO_PJRT_CHECK(args->num_byte_strides == 0 ||
                      (args->num_byte_strides == args->num_dims && args->byte_strides != NULL),
                  "%zu strides for %zu dimensions", args->num_byte_strides, args->num_dims);
  EchoPjrtStorage *storage = echo_pjrt_storage_create(memory, bytes);
  storage->buffer = echo_pjrt_memory_allocate(memory, bytes);
  echo_pjrt_order_by_rows(args->num_dims, by_rows);
  EchoPjrtShape shape = {args->dims, by_rows, args->num_dims, echo_pjrt_type_bytes(args->type)};
  echo_pjrt_dense_strides(&shape, strides);
  shape.minor_to_major = order;
  echo_pjrt_copy_strided(&shape, args->num_byte_strides != 0 ? args->byte_strides : strides, false,
                         echo_device_buffer_address(storage->buffer),
                         (char *)(uintptr_t)args->data);
  clear_unused_bits(args->type, echo_device_buffer_address(storage->buffer), bytes);
  echo_pjrt_state_set(storage->ready, PJRT_Error_Code_OK, (EchoStr){0});
  args->buffer = echo_pjrt_buffer_create(storage, args->type, args->dims, args->num_dims, order);
  args->done_with_host_buffer = echo_pjrt_event_done();
  return NULL;
}

PJRT_Error *
Echo_PJRT_Client_CreateUninitializedBuffer(PJRT_Client_CreateUninitializedBuffer_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, buffer);
  ECHO_PJRT_CHECK_LIVE(args->client, ECHO_PJRT_CLIENT);
  uint64_t bytes;
  int64_t order[ECHO_MAX_RANK];
  PJRT_Memory *memory;
  PJRT_Error *error = find_memory(args->client->core, args->device, args->memory, &memory);
  if (error == NULL)
    error = check_shape(args->shape_element_type, args->shape_dims, args->shape_num_dims, &bytes);
  if (error == NULL)
    error = echo_pjrt_read_order(args->shape_layout, args->shape_num_dims, order);
  if (error != NULL)
    return error;
  EchoPjrtStorage *storage = echo_pjrt_storage_create(memory, bytes);
  storage->buffer = echo_pjrt_memory_allocate(memory, bytes);
  if (bytes != 0)
    memset(echo_device_buffer_address(storage->buffer), 0, bytes);
  echo_pjrt_state_set(storage->ready, PJRT_Error_Code_OK, (EchoStr){0});
  args->buffer = echo_pjrt_buffer_create(storage, args->shape_element_type, args->shape_dims,
                                         args->shape_num_dims, order);
  return NULL;
}

/* ---- to the host, to other buffers ---- */

/* Work on a buffer once it is ready. */
typedef struct Transfer {
  EchoPjrtStorage *from, *to; /* to: NULL = the host */
  EchoPjrtState *done;
  char *host;
  uint64_t offset, n_bytes;
  int64_t *strides; /* NULL = as it lies; else behind them dimensions and order of `shape` */
  EchoPjrtShape shape;
} Transfer;

static bool is_transfer_ready(const void *user)
{
  return echo_pjrt_state_is_set(((const Transfer *)user)->from->ready);
}

static void run_transfer(void *user)
{
  Transfer *transfer = user;
  EchoStr message = {0};
  PJRT_Error_Code code = echo_pjrt_state_wait(transfer->from->ready, &message);
  if (code == PJRT_Error_Code_OK) {
    char *from = echo_device_buffer_address(transfer->from->buffer);
    char *to = transfer->host;
    if (transfer->to != NULL) {
      transfer->to->buffer = echo_pjrt_memory_allocate(transfer->to->memory, transfer->to->n_bytes);
      to = echo_device_buffer_address(transfer->to->buffer);
    }
    if (transfer->strides != NULL)
      echo_pjrt_copy_strided(&transfer->shape, transfer->strides, true, from, to);
    else if (transfer->n_bytes != 0)
      memcpy(to, from + transfer->offset, transfer->n_bytes);
  }
  echo_pjrt_state_set(transfer->done, code, message);
  echo_pjrt_state_release(transfer->done);
  echo_pjrt_storage_release(transfer->from);
  echo_pjrt_storage_release(transfer->to);
  echo_free(transfer->strides);
  echo_free(transfer);
}

/* At once where the buffer is ready, else behind what makes it. */
static void start_transfer(Transfer transfer)
{
  Transfer *copy = echo_alloc(sizeof *copy);
  *copy = transfer;
  echo_pjrt_storage_retain(copy->from);
  if (copy->to != NULL)
    echo_pjrt_storage_retain(copy->to);
  echo_pjrt_state_retain(copy->done);
  const PJRT_Device *from = copy->from->memory->device;
  EchoPjrtTask task = {
      .run = run_transfer, .is_ready = is_transfer_ready, .user = copy, .n_parts = 1};
  if (echo_pjrt_state_is_set(copy->from->ready)) {
    run_transfer(copy);
    return;
  }
  task.devices = echo_alloc_array(1, sizeof *task.devices);
  task.devices[task.n_devices++] = from->id;
  if (!echo_pjrt_queue_push(from->core, &task))
    run_transfer(copy);
}

#define CHECK_BUFFER(handle)                                                                       \
  do {                                                                                             \
    ECHO_PJRT_CHECK_LIVE(handle, ECHO_PJRT_BUFFER);                                                \
    ECHO_PJRT_CHECK((handle)->storage != NULL, "%s: the buffer was deleted or donated", __func__); \
  } while (0)

/* A copy to these strides, or to dense elements in this order. */
static void set_strides(Transfer *transfer, const PJRT_Buffer *src, const int64_t *strides_or_null,
                        const int64_t *order)
{
  const size_t n = src->n_dims;
  int64_t *strides = echo_alloc_array(3 * n + 1, sizeof *strides);
  int64_t *dims = strides + n, *minor_to_major = dims + n;
  for (size_t i = 0; i < n; i++) {
    dims[i] = src->dims[i];
    minor_to_major[i] = src->minor_to_major[i];
    strides[i] = strides_or_null != NULL ? strides_or_null[i] : 0;
  }
  const EchoPjrtShape to = {dims, order, n, echo_pjrt_type_bytes(src->type)};
  if (strides_or_null == NULL)
    echo_pjrt_dense_strides(&to, strides);
  transfer->strides = strides;
  transfer->shape = (EchoPjrtShape){dims, minor_to_major, n, to.element_bytes};
}

/* The host's layout where it is not the buffer's own. */
static PJRT_Error *read_host_layout(const PJRT_Buffer_MemoryLayout *layout, const PJRT_Buffer *src,
                                    Transfer *transfer)
{
  const size_t n = src->n_dims;
  if (layout == NULL)
    return NULL;
  int64_t order[ECHO_MAX_RANK];
  bool is_strided = layout->type == PJRT_Buffer_MemoryLayout_Type_Strides;
  if (is_strided)
    ECHO_PJRT_CHECK(layout->strides.num_byte_strides == n &&
                        (n == 0 || layout->strides.byte_strides != NULL),
                    "%zu strides for %zu dimensions", layout->strides.num_byte_strides, n);
  PJRT_Error *error = is_strided ? NULL : echo_pjrt_read_order(layout, n, order);
  if (error != NULL || (!is_strided && echo_pjrt_is_same_order(order, src->minor_to_major, n)))
    return error;
  set_strides(transfer, src, is_strided ? layout->strides.byte_strides : NULL, order);
  return NULL;
}

PJRT_Error *Echo_PJRT_Buffer_ToHostBuffer(PJRT_Buffer_ToHostBuffer_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, event);
  CHECK_BUFFER(args->src);
  const PJRT_Buffer *src = args->src;
  if (args->dst == NULL) {
    args->dst_size = (size_t)src->n_bytes;
    return NULL;
  }
  ECHO_PJRT_CHECK(args->dst_size >= src->n_bytes, "%zu bytes for a buffer of %llu", args->dst_size,
                  (unsigned long long)src->n_bytes);
  Transfer transfer = {.from = src->storage, .host = args->dst, .n_bytes = src->n_bytes};
  PJRT_Error *error = read_host_layout(args->host_layout, src, &transfer);
  if (error != NULL)
    return error;
  transfer.done = echo_pjrt_state_create();
  args->event = echo_pjrt_event_create(transfer.done);
  start_transfer(transfer);
  echo_pjrt_state_release(transfer.done);
  return NULL;
}

PJRT_Error *Echo_PJRT_Buffer_CopyRawToHost(PJRT_Buffer_CopyRawToHost_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, event);
  CHECK_BUFFER(args->buffer);
  int64_t size = (int64_t)args->buffer->n_bytes;
  ECHO_PJRT_CHECK(args->offset >= 0 && args->transfer_size >= 0 && args->offset <= size &&
                      args->transfer_size <= size - args->offset,
                  "a range that the buffer does not have");
  ECHO_PJRT_CHECK(args->dst != NULL || args->transfer_size == 0, "'dst' is NULL");
  Transfer transfer = {.from = args->buffer->storage,
                       .host = args->dst,
                       .offset = (uint64_t)args->offset,
                       .n_bytes = (uint64_t)args->transfer_size,
                       .done = echo_pjrt_state_create()};
  args->event = echo_pjrt_event_create(transfer.done);
  start_transfer(transfer);
  echo_pjrt_state_release(transfer.done);
  return NULL;
}

static PJRT_Buffer *copy_buffer(const PJRT_Buffer *buffer, PJRT_Memory *memory)
{
  EchoPjrtStorage *to = echo_pjrt_storage_create(memory, buffer->n_bytes);
  start_transfer(
      (Transfer){.from = buffer->storage, .to = to, .done = to->ready, .n_bytes = buffer->n_bytes});
  return echo_pjrt_buffer_create(to, buffer->type, buffer->dims, buffer->n_dims,
                                 buffer->minor_to_major);
}

EchoPjrtStorage *echo_pjrt_storage_in_order(const PJRT_Buffer *buffer,
                                            const int64_t *minor_to_major)
{
  if (echo_pjrt_is_same_order(minor_to_major, buffer->minor_to_major, buffer->n_dims))
    return echo_pjrt_storage_retain(buffer->storage);
  EchoPjrtStorage *to = echo_pjrt_storage_create(buffer->memory, buffer->n_bytes);
  Transfer transfer = {
      .from = buffer->storage, .to = to, .done = to->ready, .n_bytes = buffer->n_bytes};
  set_strides(&transfer, buffer, NULL, minor_to_major);
  start_transfer(transfer);
  return to;
}

PJRT_Error *Echo_PJRT_Buffer_CopyToDevice(PJRT_Buffer_CopyToDevice_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, dst_buffer);
  CHECK_BUFFER(args->buffer);
  ECHO_PJRT_CHECK_LIVE(args->dst_device, ECHO_PJRT_DEVICE);
  args->dst_buffer = copy_buffer(args->buffer, args->dst_device->memories[ECHO_PJRT_ON_DEVICE]);
  return NULL;
}

PJRT_Error *Echo_PJRT_Buffer_CopyToMemory(PJRT_Buffer_CopyToMemory_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, dst_buffer);
  CHECK_BUFFER(args->buffer);
  ECHO_PJRT_CHECK_LIVE(args->dst_memory, ECHO_PJRT_MEMORY);
  args->dst_buffer = copy_buffer(args->buffer, args->dst_memory);
  return NULL;
}

/* ---- what a buffer is ---- */

/* One that looks at what was in the buffer ceases to. */
static void look_away(PJRT_Buffer *buffer)
{
  atomic_fetch_sub(&buffer->n_external, 1);
  atomic_fetch_sub(&buffer->seen->n_external, 1);
  echo_pjrt_storage_release(buffer->seen);
}

PJRT_Error *Echo_PJRT_Buffer_Destroy(PJRT_Buffer_Destroy_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, buffer);
  if (args->buffer == NULL)
    return NULL;
  ECHO_PJRT_CHECK(echo_pjrt_remove(args->buffer, ECHO_PJRT_BUFFER),
                  "'buffer' is not a live object");
  while (atomic_load(&args->buffer->n_external) != 0)
    look_away(args->buffer);
  echo_pjrt_storage_release(args->buffer->storage);
  echo_pjrt_state_release(args->buffer->ready);
  echo_pjrt_core_release(args->buffer->memory->device->core);
  echo_free(args->buffer->dims);
  echo_free(args->buffer->minor_to_major);
  echo_free(args->buffer);
  return NULL;
}

ECHO_PJRT_GETTER(Buffer_ElementType, type, buffer, ECHO_PJRT_BUFFER,
                 { args->type = args->buffer->type; })

ECHO_PJRT_GETTER(Buffer_Dimensions, num_dims, buffer, ECHO_PJRT_BUFFER, {
  args->dims = args->buffer->dims;
  args->num_dims = args->buffer->n_dims;
})

ECHO_PJRT_GETTER(Buffer_UnpaddedDimensions, num_dims, buffer, ECHO_PJRT_BUFFER, {
  args->unpadded_dims = args->buffer->dims;
  args->num_dims = args->buffer->n_dims;
})

ECHO_PJRT_GETTER(Buffer_DynamicDimensionIndices, num_dynamic_dims, buffer, ECHO_PJRT_BUFFER, {
  args->dynamic_dim_indices = NULL;
  args->num_dynamic_dims = 0;
})

PJRT_Error *Echo_PJRT_Buffer_GetMemoryLayout(PJRT_Buffer_GetMemoryLayout_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, layout);
  ECHO_PJRT_CHECK_LIVE(args->buffer, ECHO_PJRT_BUFFER);
  args->layout = (PJRT_Buffer_MemoryLayout){.struct_size = sizeof args->layout,
                                            .type = PJRT_Buffer_MemoryLayout_Type_Tiled};
  args->layout.tiled.struct_size = sizeof args->layout.tiled;
  args->layout.tiled.minor_to_major = args->buffer->minor_to_major;
  args->layout.tiled.minor_to_major_size = args->buffer->n_dims;
  return NULL;
}

ECHO_PJRT_GETTER(Buffer_OnDeviceSizeInBytes, on_device_size_in_bytes, buffer, ECHO_PJRT_BUFFER,
                 { args->on_device_size_in_bytes = (size_t)args->buffer->n_bytes; })

ECHO_PJRT_GETTER(Buffer_Device, device, buffer, ECHO_PJRT_BUFFER,
                 { args->device = args->buffer->memory->device; })

ECHO_PJRT_GETTER(Buffer_Memory, memory, buffer, ECHO_PJRT_BUFFER,
                 { args->memory = args->buffer->memory; })

PJRT_Error *Echo_PJRT_Buffer_Delete(PJRT_Buffer_Delete_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, buffer);
  ECHO_PJRT_CHECK_LIVE(args->buffer, ECHO_PJRT_BUFFER);
  echo_pjrt_storage_release(args->buffer->storage);
  args->buffer->storage = NULL;
  return NULL;
}

ECHO_PJRT_GETTER(Buffer_IsDeleted, is_deleted, buffer, ECHO_PJRT_BUFFER,
                 { args->is_deleted = args->buffer->storage == NULL; })

ECHO_PJRT_GETTER(Buffer_IsOnCpu, is_on_cpu, buffer, ECHO_PJRT_BUFFER, { args->is_on_cpu = true; })

PJRT_Error *Echo_PJRT_Buffer_ReadyEvent(PJRT_Buffer_ReadyEvent_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, event);
  CHECK_BUFFER(args->buffer);
  args->event = echo_pjrt_event_create(args->buffer->ready);
  return NULL;
}

/* Where the data lies, once it is there. */
static PJRT_Error *address_of(const PJRT_Buffer *buffer, void **address)
{
  EchoPjrtStorage *storage = echo_pjrt_storage_retain(buffer->storage);
  EchoStr message;
  PJRT_Error_Code code = echo_pjrt_state_wait(storage->ready, &message);
  PJRT_Error *error = code != PJRT_Error_Code_OK ? echo_pjrt_error_of(code, message) : NULL;
  *address = echo_device_buffer_address(storage->buffer);
  echo_pjrt_storage_release(storage);
  return error;
}

PJRT_Error *Echo_PJRT_Buffer_UnsafePointer(PJRT_Buffer_UnsafePointer_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, buffer_pointer);
  CHECK_BUFFER(args->buffer);
  void *address;
  PJRT_Error *error = address_of(args->buffer, &address);
  args->buffer_pointer = (uintptr_t)address;
  return error;
}

PJRT_Error *
Echo_PJRT_Buffer_OpaqueDeviceMemoryDataPointer(PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, device_memory_ptr);
  CHECK_BUFFER(args->buffer);
  return address_of(args->buffer, &args->device_memory_ptr);
}

/* What somebody outside looks at stays while they do, whatever becomes of the buffer: a run that is
 * given it for its own works on a copy. */
PJRT_Error *Echo_PJRT_Buffer_IncreaseExternalReferenceCount(
    PJRT_Buffer_IncreaseExternalReferenceCount_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, buffer);
  CHECK_BUFFER(args->buffer);
  EchoPjrtStorage *storage = echo_pjrt_storage_retain(args->buffer->storage);
  atomic_fetch_add(&storage->n_external, 1);
  atomic_fetch_add(&args->buffer->n_external, 1);
  return NULL;
}

PJRT_Error *Echo_PJRT_Buffer_DecreaseExternalReferenceCount(
    PJRT_Buffer_DecreaseExternalReferenceCount_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, buffer);
  ECHO_PJRT_CHECK_LIVE(args->buffer, ECHO_PJRT_BUFFER);
  ECHO_PJRT_CHECK(atomic_load(&args->buffer->n_external) != 0,
                  "the buffer has no external references");
  look_away(args->buffer);
  return NULL;
}
