/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/sdy/shardings.h"

#include <string.h>

#include "dialects/echo/stages.h"
#include "dialects/stablehlo/opcode.h"

/* `=2`; 0 where it is no number. */
static int64_t read_size(EchoStr text)
{
  int64_t size = 0;
  for (size_t i = 1; i < text.size && text.data[i] >= '0' && text.data[i] <= '9'; i++)
    if (__builtin_mul_overflow(size, (int64_t)10, &size) ||
        __builtin_add_overflow(size, (int64_t)(text.data[i] - '0'), &size))
      return 0;
  return text.size != 0 && *text.data == '=' ? size : 0;
}

bool echo_sdy_next_axis(EchoStr *rest, EchoStr *name, int64_t *size)
{
  const char *begin = rest->size != 0 ? memchr(rest->data, '"', rest->size) : NULL;
  if (begin == NULL)
    return false;
  const char *all = rest->data + rest->size;
  const char *end = memchr(begin + 1, '"', (size_t)(all - begin - 1));
  if (end == NULL)
    return false;
  *name = (EchoStr){begin + 1, (size_t)(end - begin - 1)};
  *rest = (EchoStr){end + 1, (size_t)(all - end - 1)};
  *size = read_size(*rest);
  return true;
}

int64_t echo_sdy_mesh_size(const EchoAttr *mesh)
{
  EchoStr rest = mesh->as.opaque.text, name;
  int64_t n = 1, size;
  while (echo_sdy_next_axis(&rest, &name, &size))
    if (__builtin_mul_overflow(n, size, &n))
      return 0;
  return n;
}

bool echo_sdy_wants_sharding(const EchoOp *op)
{
  return echo_op_is(op, "sdy.sharding_constraint") || echo_op_is(op, "sdy.reshard");
}

static bool has_sharding(const EchoAttr *attrs)
{
  return attrs != NULL && (echo_dictionary_get_or_null(attrs, "sdy.sharding") != NULL ||
                           echo_dictionary_get_or_null(attrs, "mhlo.sharding") != NULL);
}

bool echo_sdy_is_sharded(const EchoOp *module)
{
  static const char *const names[] = {"arg_attrs", "res_attrs"};
  const EchoOp *main = module != NULL ? echo_module_main_or_null(module) : NULL;
  for (size_t k = 0; main != NULL && k < 2; k++) {
    const EchoAttr *all = echo_op_attr_or_null(main, names[k]);
    for (size_t i = 0; all != NULL && i < all->as.array.size; i++)
      if (has_sharding(all->as.array.elements[i]))
        return true;
  }
  for (EchoOp *op = (EchoOp *)(uintptr_t)module; op != NULL; op = echo_op_walk_next(module, op))
    if (echo_op_is(op, "sdy.manual_computation") || echo_sdy_wants_sharding(op) ||
        echo_op_has_attr(op, "sdy.sharding") || echo_op_has_attr(op, "mhlo.sharding"))
      return true;
  return false;
}

bool echo_sdy_names_processes(EchoOp *module)
{
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    if (echo_op_is(op, "sdy.manual_computation") || echo_hlo_is_collective(op))
      return true;
  return false;
}
