/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* {a = array<i64: argument, is transposed, leading, batch stride, alignment>, b = …, out = …,
 *  factor = f32, result = f32, sizes = array<i64: batch, m, n, k>} */
#include "dialects/kernel/product.h"

#include "base/memory.h"
#include "ir/diagnostics.h"

enum { N_OPERAND = 5, N_SIZES = 4 };

static const EchoAttr *operand_attr(EchoContext *ctx, const EchoProductOperand *operand)
{
  const int64_t values[N_OPERAND] = {operand->argument, operand->is_transposed, operand->leading,
                                     operand->batch_stride, operand->alignment};
  return echo_attr_i64_array(ctx, values, N_OPERAND);
}

const EchoAttr *echo_kernel_product_attr(EchoContext *ctx, const EchoProduct *product)
{
  const int64_t sizes[N_SIZES] = {product->n_batch, product->m, product->n, product->k};
  const EchoNamedAttr entries[] = {{ECHO_STR("a"), operand_attr(ctx, &product->a)},
                                   {ECHO_STR("b"), operand_attr(ctx, &product->b)},
                                   {ECHO_STR("factor"), echo_attr_type(ctx, product->factor)},
                                   {ECHO_STR("out"), operand_attr(ctx, &product->out)},
                                   {ECHO_STR("result"), echo_attr_type(ctx, product->result)},
                                   {ECHO_STR("sizes"), echo_attr_i64_array(ctx, sizes, N_SIZES)}};
  return echo_attr_dictionary(ctx, entries, sizeof entries / sizeof entries[0]);
}

static bool read_ints(const EchoAttr *dictionary, const char *name, int64_t *values, size_t n)
{
  const EchoAttr *attr = echo_dictionary_get_or_null(dictionary, name);
  if (!echo_attr_is_i64_array(attr) || echo_attr_ints_size(attr) != n)
    return false;
  for (size_t i = 0; i < n; ++i)
    values[i] = echo_attr_ints_get(attr, i);
  return true;
}

static bool read_operand(const EchoAttr *dictionary, const char *name, EchoProductOperand *operand)
{
  int64_t values[N_OPERAND];
  if (!read_ints(dictionary, name, values, N_OPERAND) || values[0] < 0 || values[0] > UINT32_MAX)
    return false;
  *operand = (EchoProductOperand){.argument = (uint32_t)values[0],
                                  .is_transposed = values[1] != 0,
                                  .leading = values[2],
                                  .batch_stride = values[3],
                                  .alignment = values[4]};
  return true;
}

static bool read_type(const EchoAttr *dictionary, const char *name, const EchoType **type)
{
  const EchoAttr *attr = echo_dictionary_get_or_null(dictionary, name);
  *type = attr != NULL && attr->kind == ECHO_ATTR_TYPE ? attr->as.type_value : NULL;
  return *type != NULL;
}

bool echo_kernel_product_read(const EchoAttr *attr, EchoProduct *product)
{
  int64_t sizes[N_SIZES];
  if (product == NULL)
    return false;
  *product = (EchoProduct){0};
  if (attr == NULL || attr->kind != ECHO_ATTR_DICTIONARY ||
      !read_ints(attr, "sizes", sizes, N_SIZES) || !read_type(attr, "factor", &product->factor) ||
      !read_type(attr, "result", &product->result) || !read_operand(attr, "a", &product->a) ||
      !read_operand(attr, "b", &product->b) || !read_operand(attr, "out", &product->out))
    return false;
  product->n_batch = sizes[0];
  product->m = sizes[1];
  product->n = sizes[2];
  product->k = sizes[3];
  return true;
}

bool echo_kernel_product(const EchoOp *func, EchoProduct *product)
{
  return echo_kernel_product_read(echo_op_attr_or_null(func, ECHO_KERNEL_PRODUCT), product);
}

/* ---- verification ---- */

/* One past its last element; false where that is no number. */
static bool end_of(const EchoProductOperand *operand, int64_t n_batch, int64_t rows,
                   int64_t columns, uint64_t *end)
{
  uint64_t batch, across;
  int64_t n_lines = operand->is_transposed ? columns : rows;
  int64_t line = operand->is_transposed ? rows : columns;
  return echo_mul_u64((uint64_t)operand->batch_stride, (uint64_t)n_batch - 1, &batch) &&
         echo_mul_u64((uint64_t)operand->leading, (uint64_t)n_lines - 1, &across) &&
         batch < UINT64_MAX / 4 && across < UINT64_MAX / 4 &&
         ((*end = batch + across + (uint64_t)line), true);
}

static bool verify_operand(const EchoOp *func, const EchoProductOperand *operand, int64_t n_batch,
                           int64_t rows, int64_t columns, const EchoType *element)
{
  const EchoType *type = echo_op_attr_or_null(func, "function_type")->as.type_value;
  int64_t line = operand->is_transposed ? rows : columns, n_elements = 0;
  uint64_t end = 0;
  if (operand->argument >= type->as.function.n_inputs)
    return echo_op_error(func, "there is no argument #%u to multiply", operand->argument);
  const EchoType *argument = type->as.function.inputs[operand->argument];
  if (!echo_type_is_shaped(argument) || echo_type_element(argument) != element ||
      !echo_type_n_elements(argument, &n_elements))
    return echo_op_error(func, "argument #%u has not the elements of the product",
                         operand->argument);
  if (operand->leading < line || operand->batch_stride < 0 || operand->alignment < 1 ||
      !end_of(operand, n_batch, rows, columns, &end) || end != (uint64_t)n_elements)
    return echo_op_error(func, "the product is not one of all of argument #%u", operand->argument);
  return true;
}

bool echo_kernel_product_verify(const EchoOp *func)
{
  const EchoAttr *attr = echo_op_attr_or_null(func, ECHO_KERNEL_PRODUCT);
  EchoProduct p;
  if (attr == NULL)
    return true;
  if (!echo_kernel_product_read(attr, &p))
    return echo_op_error(func, "attribute 'kernel.product' is no product");
  const int64_t sizes[] = {p.n_batch, p.m, p.n, p.k};
  for (size_t i = 0; i < N_SIZES; ++i)
    if (sizes[i] < 1 || sizes[i] > INT32_MAX)
      return echo_op_error(func, "a product has no size of %lld", (long long)sizes[i]);
  if (p.out.is_transposed || p.out.leading != p.n || p.out.batch_stride != p.m * p.n)
    return echo_op_error(func, "the result of a product lies row by row, without gaps");
  return verify_operand(func, &p.a, p.n_batch, p.m, p.k, p.factor) &&
         verify_operand(func, &p.b, p.n_batch, p.k, p.n, p.factor) &&
         verify_operand(func, &p.out, p.n_batch, p.m, p.n, p.result);
}
