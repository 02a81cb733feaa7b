/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/data/tensor_set.h"

#include "base/file.h"
#include "jit/data/npy.h"
#include "jit/data/npz.h"
#include "jit/data/safetensors.h"

bool echo_tensor_set_add(EchoTensorSet *set, EchoStr name, EchoTensor *tensor)
{
  if (set == NULL || name.data == NULL || tensor == NULL)
    return false;
  uint64_t index;
  if (echo_string_map_get(&set->by_name, name, &index))
    return false;
  EchoStr kept = {echo_arena_copy_string(&set->arena, name.data, name.size), name.size};
  echo_string_map_set(&set->by_name, kept, set->list.size);
  echo_vector_push(&set->list, (EchoNamedTensor){kept, tensor});
  return true;
}

EchoTensor *echo_tensor_set_get_or_null(const EchoTensorSet *set, EchoStr name)
{
  if (set == NULL || name.data == NULL)
    return NULL;
  uint64_t index;
  return echo_string_map_get(&set->by_name, name, &index) ? set->list.data[index].tensor : NULL;
}

void echo_tensor_set_destroy(EchoTensorSet *set)
{
  if (set == NULL)
    return;
  for (size_t i = 0; i < set->list.size; i++)
    echo_tensor_destroy(set->list.data[i].tensor);
  echo_vector_destroy(&set->list);
  echo_string_map_destroy(&set->by_name);
  echo_arena_destroy(&set->arena);
}

static bool read_npy(EchoContext *ctx, EchoStr bytes, EchoStr name, EchoTensorSet *set,
                     EchoBuffer *error)
{
  EchoTensor *tensor = echo_npy_parse_or_null(ctx, bytes, error);
  if (tensor == NULL)
    return false;
  if (echo_tensor_set_add(set, name, tensor))
    return true;
  echo_buffer_printf(error, "'%.*s' is given twice", ECHO_STR_ARG(name));
  echo_tensor_destroy(tensor);
  return false;
}

bool echo_tensor_set_read(EchoContext *ctx, const char *path, EchoStr lone_name, EchoTensorSet *set,
                          EchoBuffer *error)
{
  if (ctx == NULL || path == NULL || lone_name.data == NULL || set == NULL) {
    echo_buffer_printf(error, "tensors are read: '%s' is NULL",
                       ctx == NULL              ? "ctx"
                       : path == NULL           ? "path"
                       : lone_name.data == NULL ? "lone_name"
                                                : "set");
    return false;
  }
  EchoFile file;
  if (!echo_file_read(path, &file, error))
    return false;
  EchoStr bytes = {file.data, file.size};
  EchoBuffer reason = {0};
  bool ok;
  if (echo_str_starts_with(bytes, ECHO_NPY_MAGIC))
    ok = read_npy(ctx, bytes, lone_name, set, &reason);
  else if (echo_str_starts_with(bytes, "PK"))
    ok = echo_npz_parse(ctx, bytes, set, &reason);
  else
    ok = echo_safetensors_parse(ctx, bytes, set, NULL, &reason);
  if (!ok)
    echo_buffer_printf(error, "'%s': %s", path, echo_buffer_c_str(&reason));
  echo_buffer_destroy(&reason);
  echo_file_close(&file);
  return ok;
}
