/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/kernel/verify_t.h"

#include "dialects/kernel/call_target.h"
#include "dialects/kernel/kernel.h"
#include "ir/diagnostics.h"

typedef struct Checker {
  const EchoOp *op;
  EchoLibraryCall call;
  int64_t n_items;
} Checker;

/* ---- the grid ---- */

static bool count_items(Checker *checker)
{
  checker->n_items = 1;
  for (size_t i = 0; i < checker->call.n_grid; ++i)
    if (checker->call.grid[i] < 0 ||
        __builtin_mul_overflow(checker->n_items, checker->call.grid[i], &checker->n_items))
      return echo_op_error(checker->op, "has a grid that is negative or too large");
  return checker->call.n_tasks >= 0 || echo_op_error(checker->op, "has a negative 'tasks'");
}

/* ---- buffers ---- */

/* Bytes of a buffer; false after a diagnostic. */
static bool buffer_bytes(const Checker *checker, size_t buffer, int64_t *bytes)
{
  const EchoType *type = echo_kernel_buffer_type_or_null(checker->op, buffer);
  if (type == NULL)
    return echo_op_error(checker->op, "names buffer %zu, which is no operand and no result",
                         buffer);
  if (!echo_type_is_shaped(type) || !echo_type_has_static_shape(type))
    return echo_op_error(checker->op, "names buffer %zu, of which the size is not known", buffer);
  *bytes = (int64_t)echo_type_static_bytes(type);
  return true;
}

/* Where the last item of the grid starts; false: before the buffer, or beyond what can be counted.
 */
static bool last_start(const Checker *checker, const EchoLibraryArg *arg, int64_t *start)
{
  *start = arg->offset;
  for (size_t i = 0; i < checker->call.n_grid; ++i) {
    int64_t way;
    if (arg->strides[i] < 0 ||
        __builtin_mul_overflow(checker->call.grid[i] - 1, arg->strides[i], &way) ||
        __builtin_add_overflow(*start, way, start))
      return false;
  }
  return *start >= 0;
}

/* The `extent` bytes behind the start of each item lie in the buffer. */
static bool check_extent(const Checker *checker, size_t i, size_t buffer, int64_t extent)
{
  const EchoLibraryArg *arg = &checker->call.args[i];
  int64_t bytes, start, end;
  if (!buffer_bytes(checker, buffer, &bytes))
    return false;
  if (checker->n_items == 0 || (last_start(checker, arg, &start) &&
                                !__builtin_add_overflow(start, extent, &end) && end <= bytes))
    return true;
  return echo_op_error(checker->op, "argument #%zu reaches beyond the %lld bytes of buffer %zu", i,
                       (long long)bytes, buffer);
}

static bool check_buffer(const Checker *checker, size_t i)
{
  const EchoLibraryArg *arg = &checker->call.args[i];
  if (!arg->is_copied)
    return check_extent(checker, i, arg->buffer, 0);
  int64_t extent = arg->strides[0] - arg->offset; /* the copy starts before the offset */
  return check_extent(checker, i, arg->buffer, extent) &&
         check_extent(checker, i, arg->from, extent);
}

static bool check_space(const Checker *checker, size_t i)
{
  const EchoLibraryArg *arg = &checker->call.args[i];
  int64_t bytes, needed;
  if (!buffer_bytes(checker, arg->buffer, &bytes))
    return false;
  return (!__builtin_mul_overflow(echo_kernel_library_n_tasks(&checker->call), arg->strides[0],
                                  &needed) &&
          needed <= bytes) ||
         echo_op_error(checker->op, "argument #%zu reaches beyond the %lld bytes of buffer %zu", i,
                       (long long)bytes, arg->buffer);
}

/* ---- arguments ---- */

static bool is_right_type(const EchoLibraryArg *arg)
{
  bool is_integer = arg->type == ECHO_LIBRARY_I32 || arg->type == ECHO_LIBRARY_I64;
  switch (arg->kind) {
  case ECHO_LIBRARY_CONSTANT:
    return arg->type != ECHO_LIBRARY_PTR && arg->type != ECHO_LIBRARY_VOID;
  case ECHO_LIBRARY_TILE:
    return is_integer;
  case ECHO_LIBRARY_BUFFER:
  case ECHO_LIBRARY_REFERENCE:
  case ECHO_LIBRARY_SPACE:
    return arg->type == ECHO_LIBRARY_PTR;
  }
  return false;
}

static bool check_argument(const Checker *checker, size_t i)
{
  const EchoLibraryArg *arg = &checker->call.args[i];
  if (!is_right_type(arg))
    return echo_op_error(checker->op, "argument #%zu is not of its type in the signature", i);
  if (arg->kind == ECHO_LIBRARY_BUFFER)
    return check_buffer(checker, i);
  return arg->kind != ECHO_LIBRARY_SPACE || check_space(checker, i);
}

/* ---- library "echo": arrays, space, n, rows, and whether it is the inverse where it may be ----
 */

typedef struct Routine {
  const char *name; /* without "_f32" or "_f64" */
  size_t n_arrays;
  bool is_half[4]; /* n / 2 + 1 numbers, not n */
  bool has_inverse;
} Routine;

static const Routine ROUTINES[] = {
    {"echo_fft", 4, {false, false, false, false}, true},
    {"echo_rfft", 3, {false, true, true, false}, false},
    {"echo_irfft", 3, {true, true, false, false}, false},
};

static const Routine *routine_or_null(const EchoLibraryCall *call)
{
  size_t length = call->symbol.size;
  EchoStr suffix = {call->symbol.data + (length < 4 ? 0 : length - 4), length < 4 ? 0 : 4};
  if (!echo_str_is(suffix, "_f32") && !echo_str_is(suffix, "_f64"))
    return NULL;
  for (size_t i = 0; i < sizeof ROUTINES / sizeof ROUTINES[0]; ++i)
    if (echo_str_is((EchoStr){call->symbol.data, length - 4}, ROUTINES[i].name))
      return &ROUTINES[i];
  return NULL;
}

static bool has_form(const EchoLibraryCall *call, const Routine *routine)
{
  size_t space = routine->n_arrays, length = space + 1, rows = space + 2;
  if (call->n_args != rows + 1 + routine->has_inverse)
    return false;
  for (size_t i = 0; i < space; ++i)
    if (call->args[i].kind != ECHO_LIBRARY_BUFFER)
      return false;
  return call->result == ECHO_LIBRARY_VOID && call->args[space].kind == ECHO_LIBRARY_SPACE &&
         call->args[length].kind == ECHO_LIBRARY_CONSTANT &&
         call->args[length].type == ECHO_LIBRARY_I64 && call->n_grid == 1 &&
         call->args[rows].kind == ECHO_LIBRARY_TILE && call->args[rows].type == ECHO_LIBRARY_I64 &&
         call->args[rows].axis == 0 &&
         (!routine->has_inverse || call->args[rows + 1].kind == ECHO_LIBRARY_CONSTANT);
}

/* Rows of the last item; 0 where the tiles are no such deal of the rows. */
static int64_t last_rows(const EchoLibraryCall *call, const EchoLibraryArg *rows)
{
  int64_t before;
  if (rows->integer < 1 || __builtin_mul_overflow(call->grid[0] - 1, rows->integer, &before) ||
      before >= rows->total || rows->total - before > rows->integer)
    return 0;
  return rows->total - before;
}

static bool check_routine(const Checker *checker)
{
  const EchoLibraryCall *call = &checker->call;
  if (!echo_str_is(call->library, "echo"))
    return true;
  const Routine *routine = routine_or_null(call);
  if (routine == NULL || !has_form(call, routine))
    return echo_op_error(checker->op, "calls '%.*s' otherwise than as library \"echo\" has it",
                         ECHO_STR_ARG(call->symbol));
  const EchoLibraryArg *space = &call->args[routine->n_arrays], *tile = space + 2;
  int64_t bytes = call->symbol.data[call->symbol.size - 2] == '3' ? 4 : 8;
  int64_t n = space[1].integer, each = echo_kernel_fft_space(n), needed, extent;
  int64_t rows = last_rows(call, tile);
  if (rows == 0)
    return echo_op_error(checker->op, "deals its rows out to other items than it has");
  if (each <= 0 || __builtin_mul_overflow(each, tile->integer, &needed) ||
      space->strides[0] / (int64_t)sizeof(double) < needed)
    return echo_op_error(checker->op, "has too little space for transforms of %lld", (long long)n);
  for (size_t i = 0; i < routine->n_arrays; ++i)
    if (__builtin_mul_overflow((routine->is_half[i] ? n / 2 + 1 : n) * bytes, rows, &extent))
      return echo_op_error(checker->op, "has rows of too many bytes");
    else if (!check_extent(checker, i, call->args[i].buffer, extent))
      return false;
  return true;
}

/* ---- library "target": one call, of whole buffers, inputs before results ---- */

static bool check_target(const Checker *checker)
{
  const EchoLibraryCall *call = &checker->call;
  int64_t n_inputs = (int64_t)echo_kernel_n_inputs(checker->op);
  if (!echo_str_is(call->library, ECHO_LIBRARY_TARGET))
    return (!call->has_token && call->buffers == NULL) ||
           echo_op_error(checker->op, "has a token or whole buffers, and is no target's call");
  if (call->buffers == NULL || call->n_args != 0)
    return echo_op_error(checker->op, "is a target's call, and expects buffers, not arguments");
  size_t n = echo_attr_ints_size(call->buffers), n_read = 0;
  for (size_t i = 0; i < n; ++i) {
    int64_t buffer = echo_attr_ints_get(call->buffers, i);
    n_read += buffer < n_inputs;
    if (buffer < 0 || echo_kernel_buffer_type_or_null(checker->op, (size_t)buffer) == NULL ||
        (buffer < n_inputs) != (n_read == i + 1))
      return echo_op_error(
          checker->op, "argument #%zu of a target is no buffer, or a result before an operand", i);
  }
  return (checker->n_items == 1 && (!call->has_token || (n_read != 0 && n_read < n))) ||
         echo_op_error(checker->op, "is not one call of a target, token first");
}

/* The types that a target sees, where they are not the buffers': of as many bytes each. */
static bool check_declared(const Checker *checker)
{
  const EchoType *type = checker->call.declared;
  const EchoLibraryCall *call = &checker->call;
  size_t n_inputs = echo_kernel_n_inputs(checker->op);
  if (type == NULL)
    return true;
  size_t n = call->buffers != NULL ? echo_attr_ints_size(call->buffers) : 0;
  bool ok = call->buffers != NULL && type->kind == ECHO_TYPE_FUNCTION &&
            (size_t)type->as.function.n_inputs + type->as.function.n_results == n;
  for (size_t i = 0; ok && i < n; ++i) {
    size_t buffer = (size_t)echo_attr_ints_get(call->buffers, i);
    const EchoType *seen = i < type->as.function.n_inputs
                               ? type->as.function.inputs[i]
                               : type->as.function.results[i - type->as.function.n_inputs];
    const EchoType *held = echo_kernel_buffer_type_or_null(checker->op, buffer);
    uint64_t n_seen, n_held;
    ok = (i < type->as.function.n_inputs) == (buffer < n_inputs) && echo_type_is_tensor(seen) &&
         held != NULL && echo_type_bytes(seen, &n_seen) && echo_type_bytes(held, &n_held) &&
         n_seen == n_held;
  }
  return ok || echo_op_error(checker->op, "declares '%s', which is not what its buffers hold",
                             echo_type_text(echo_op_context(checker->op), type));
}

bool echo_kernel_verify_call(const EchoOp *op)
{
  Checker checker = {.op = op};
  echo_kernel_library_call(op, &checker.call);
  bool ok = count_items(&checker);
  for (size_t i = 0; ok && i < checker.call.n_args; ++i)
    ok = check_argument(&checker, i);
  return ok && check_routine(&checker) && check_target(&checker) && check_declared(&checker);
}
