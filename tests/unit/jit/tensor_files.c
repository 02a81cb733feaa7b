/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/unit/jit/tensor_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "jit/data/npy.h"
#include "tests/unit/suite.h"

void npy_bytes(EchoBuffer *out, int version, const char *header, const void *data, size_t size)
{
  size_t n_length = version == 1 ? 2 : 4, prefix = 8 + n_length, length = strlen(header) + 1;
  while ((prefix + length) % 64 != 0)
    length++;
  echo_buffer_append_c(out, ECHO_NPY_MAGIC);
  echo_buffer_append_char(out, (char)version);
  echo_buffer_append_char(out, '\0');
  for (size_t i = 0; i < n_length; i++)
    echo_buffer_append_char(out, (char)(length >> (8 * i) & 0xff));
  echo_buffer_append_c(out, header);
  for (size_t i = strlen(header) + 1; i < length; i++)
    echo_buffer_append_char(out, ' ');
  echo_buffer_append_char(out, '\n');
  echo_buffer_append(out, data, size);
}

const char *temporary_path(const char *name)
{
  static char directory[] = "/tmp/echo-test-XXXXXX";
  static bool is_made;
  static EchoBuffer path;
  if (!is_made)
    ck_assert_ptr_nonnull(mkdtemp(directory));
  is_made = true;
  echo_buffer_clear(&path);
  echo_buffer_printf(&path, "%s/%s", directory, name);
  return path.data;
}

void write_bytes(const char *path, const EchoBuffer *bytes)
{
  EchoBuffer error = {0};
  ck_assert_msg(echo_file_write(path, echo_buffer_c_str(bytes), bytes->size, &error), "%s",
                echo_buffer_c_str(&error));
}

void read_bytes(const char *path, EchoBuffer *bytes)
{
  EchoFile file;
  EchoBuffer error = {0};
  ck_assert_msg(echo_file_read(path, &file, &error), "%s", echo_buffer_c_str(&error));
  echo_buffer_clear(bytes);
  echo_buffer_append(bytes, file.data, file.size);
  echo_file_close(&file);
}

EchoTensor *counted_tensor(EchoContext *ctx, const char *text)
{
  EchoTensor *tensor = echo_tensor_create(echo_type_from_text(ctx, text), true);
  for (int64_t i = 0; i < tensor->n_elements; i++)
    if (echo_element_is_float(tensor->kind))
      echo_tensor_set_f64(tensor, i, (double)i - 1.5);
    else
      echo_tensor_set_i64(tensor, i, tensor->kind == ECHO_ELEMENT_I1 ? i % 2 : i - 2);
  return tensor;
}

bool same_tensor(const EchoTensor *a, const EchoTensor *b)
{
  return a->type == b->type &&
         (a->n_elements == 0 || memcmp(a->data, b->data, (size_t)echo_tensor_bytes(a)) == 0);
}
