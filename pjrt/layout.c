/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How an array lies in memory: its dimensions in some order, densely; what clients ask and are told
 * about it, and copies to and from what is strided. */
#include "pjrt/ffi_t.h"
#include "pjrt/layouts_abi.h"

/* ---- orders of dimensions ---- */

void echo_pjrt_order_by_rows(size_t n_dims, int64_t *minor_to_major)
{
  for (size_t i = 0; i < n_dims; i++)
    minor_to_major[i] = (int64_t)(n_dims - 1 - i);
}

bool echo_pjrt_is_order(const int64_t *minor_to_major, size_t n_dims)
{
  uint64_t seen = 0;
  for (size_t i = 0; i < n_dims; i++) {
    int64_t axis = minor_to_major[i];
    if (axis < 0 || (size_t)axis >= n_dims || (seen >> axis & 1) != 0)
      return false;
    seen |= UINT64_C(1) << axis;
  }
  return true;
}

bool echo_pjrt_is_same_order(const int64_t *a, const int64_t *b, size_t n_dims)
{
  return n_dims == 0 || memcmp(a, b, n_dims * sizeof *a) == 0;
}

PJRT_Error *echo_pjrt_read_order(const PJRT_Buffer_MemoryLayout *layout, size_t n_dims,
                                 int64_t *minor_to_major)
{
  if (layout == NULL) {
    echo_pjrt_order_by_rows(n_dims, minor_to_major);
    return NULL;
  }
  if (layout->type != PJRT_Buffer_MemoryLayout_Type_Tiled || layout->tiled.num_tiles != 0)
    return echo_pjrt_error(PJRT_Error_Code_UNIMPLEMENTED,
                           "a layout of %s: arrays are dense, their dimensions in any order",
                           layout->type == PJRT_Buffer_MemoryLayout_Type_Tiled ? "tiles"
                                                                               : "strides");
  ECHO_PJRT_CHECK(layout->tiled.minor_to_major_size == n_dims &&
                      (n_dims == 0 || layout->tiled.minor_to_major != NULL) &&
                      echo_pjrt_is_order(layout->tiled.minor_to_major, n_dims),
                  "a layout that is no order of %zu dimensions", n_dims);
  if (n_dims != 0)
    memcpy(minor_to_major, layout->tiled.minor_to_major, n_dims * sizeof *minor_to_major);
  return NULL;
}

void echo_pjrt_append_order(EchoBuffer *out, const int64_t *minor_to_major, size_t n_dims)
{
  echo_buffer_append_char(out, '{');
  for (size_t i = 0; i < n_dims; i++)
    echo_buffer_printf(out, "%s%lld", i != 0 ? "," : "", (long long)minor_to_major[i]);
  echo_buffer_append_char(out, '}');
}

/* ---- copies ---- */

void echo_pjrt_dense_strides(const EchoPjrtShape *shape, int64_t *strides)
{
  int64_t stride = (int64_t)shape->element_bytes;
  for (size_t i = 0; i < shape->n_dims; i++) {
    strides[shape->minor_to_major[i]] = stride;
    stride *= shape->dims[shape->minor_to_major[i]];
  }
}

static bool is_dense(const EchoPjrtShape *shape, const int64_t *strides)
{
  int64_t expected = (int64_t)shape->element_bytes;
  for (size_t i = 0; i < shape->n_dims; i++) {
    int64_t axis = shape->minor_to_major[i];
    if (shape->dims[axis] != 1 && strides[axis] != expected)
      return false;
    expected *= shape->dims[axis];
  }
  return true;
}

typedef struct Copy {
  const EchoPjrtShape *shape;
  const int64_t *strides;
  bool to_strided;
} Copy;

/* Copies the `n` minor dimensions; returns the dense side behind what it copied. */
static char *copy_minor(const Copy *copy, size_t n, char *dense, char *strided)
{
  if (n == 0) {
    memcpy(copy->to_strided ? strided : dense, copy->to_strided ? dense : strided,
           copy->shape->element_bytes);
    return dense + copy->shape->element_bytes;
  }
  int64_t axis = copy->shape->minor_to_major[n - 1];
  for (int64_t i = 0; i < copy->shape->dims[axis]; i++)
    dense = copy_minor(copy, n - 1, dense, strided + i * copy->strides[axis]);
  return dense;
}

void echo_pjrt_copy_strided(const EchoPjrtShape *shape, const int64_t *strides, bool to_strided,
                            char *dense, char *strided)
{
  uint64_t n_bytes = shape->element_bytes;
  for (size_t i = 0; i < shape->n_dims; i++)
    n_bytes *= (uint64_t)shape->dims[i];
  if (n_bytes != 0 && is_dense(shape, strides))
    memcpy(to_strided ? strided : dense, to_strided ? dense : strided, n_bytes);
  else if (n_bytes != 0)
    copy_minor(&(Copy){shape, strides, to_strided}, shape->n_dims, dense, strided);
}

/* ---- the extension ---- */

/* As XLA writes it: "{1,0}". */
struct PJRT_Layouts_MemoryLayout {
  EchoBuffer text;
};

PJRT_Layouts_MemoryLayout *echo_pjrt_layout_create(const int64_t *minor_to_major, size_t n_dims)
{
  PJRT_Layouts_MemoryLayout *layout = echo_alloc_zero(1, sizeof *layout);
  echo_pjrt_append_order(&layout->text, minor_to_major, n_dims);
  echo_pjrt_add(layout, ECHO_PJRT_LAYOUT);
  return layout;
}

bool echo_pjrt_layout_destroy(PJRT_Layouts_MemoryLayout *layout)
{
  if (!echo_pjrt_remove(layout, ECHO_PJRT_LAYOUT))
    return false;
  echo_buffer_destroy(&layout->text);
  echo_free(layout);
  return true;
}

static PJRT_Error *destroy_layout(PJRT_Layouts_MemoryLayout_Destroy_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, layout);
  ECHO_PJRT_CHECK(args->layout == NULL || echo_pjrt_layout_destroy(args->layout),
                  "'layout' is not a live object");
  return NULL;
}

static void delete_serialized(PJRT_Layouts_SerializedLayout *bytes)
{
  echo_pjrt_bytes_destroy(bytes);
}

static PJRT_Error *serialize_layout(PJRT_Layouts_MemoryLayout_Serialize_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, serialized_layout_deleter);
  ECHO_PJRT_CHECK_LIVE(args->layout, ECHO_PJRT_LAYOUT);
  EchoBuffer *bytes = echo_pjrt_bytes_create();
  echo_buffer_append_str(bytes, echo_buffer_str(&args->layout->text));
  args->serialized_bytes = echo_buffer_c_str(bytes);
  args->serialized_bytes_size = bytes->size;
  args->serialized_layout = (PJRT_Layouts_SerializedLayout *)(void *)bytes;
  args->serialized_layout_deleter = delete_serialized;
  return NULL;
}

static PJRT_Error *default_layout(size_t n_dims, PJRT_Layouts_MemoryLayout **layout)
{
  int64_t order[ECHO_MAX_RANK];
  ECHO_PJRT_CHECK(n_dims <= ECHO_MAX_RANK, "an array that no device can hold");
  echo_pjrt_order_by_rows(n_dims, order);
  *layout = echo_pjrt_layout_create(order, n_dims);
  return NULL;
}

static PJRT_Error *client_default(PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, layout);
  ECHO_PJRT_CHECK_LIVE(args->client, ECHO_PJRT_CLIENT);
  return default_layout(args->num_dims, &args->layout);
}

static PJRT_Error *topology_default(PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, layout);
  ECHO_PJRT_CHECK_LIVE(args->topology_description, ECHO_PJRT_TOPOLOGY);
  return default_layout(args->num_dims, &args->layout);
}

static PJRT_Error *buffer_layout(PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, layout);
  ECHO_PJRT_CHECK_LIVE(args->buffer, ECHO_PJRT_BUFFER);
  args->layout = echo_pjrt_layout_create(args->buffer->minor_to_major, args->buffer->n_dims);
  return NULL;
}

static PJRT_Error *output_layouts(PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, layouts);
  ECHO_PJRT_CHECK_LIVE(args->executable, ECHO_PJRT_EXECUTABLE);
  args->num_outputs = args->executable->program->n_results;
  args->layouts = args->executable->program->result_layouts;
  return NULL;
}

const PJRT_Layouts_Extension ECHO_PJRT_LAYOUTS = {
    .base = {.struct_size = sizeof ECHO_PJRT_LAYOUTS,
             .type = PJRT_EXTENSION_LAYOUTS,
             .next = (PJRT_Extension_Base *)(uintptr_t)&ECHO_PJRT_FFI},
    .PJRT_Layouts_MemoryLayout_Destroy = destroy_layout,
    .PJRT_Layouts_MemoryLayout_Serialize = serialize_layout,
    .PJRT_Layouts_PJRT_Client_GetDefaultLayout = client_default,
    .PJRT_Layouts_PJRT_Buffer_MemoryLayout = buffer_layout,
    .PJRT_Layouts_PJRT_Topology_GetDefaultLayout = topology_default,
    .PJRT_Layouts_PJRT_Executable_GetOutputLayouts = output_layouts,
};
