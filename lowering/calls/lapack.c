/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls of LAPACK and BLAS routines, as the table of their signatures has them. */
#include <stdio.h>

#include "dialects/stablehlo/build.h"
#include "ir/diagnostics.h"
#include "lowering/calls/lapack_t.h"

static int64_t at_least_1(int64_t n)
{
  return n > 1 ? n : 1;
}

size_t echo_lapack_n_batch_dims(const EchoLapackRoutine *routine, const EchoOp *call)
{
  size_t rank = call->n_operands != 0 ? echo_type_rank(echo_op_operand_type(call, 0)) : 0;
  return rank < routine->rank ? 0 : rank - routine->rank;
}

/* ---- a call ---- */

/* Working space of all calls that run at once is at most this, or one call's. */
enum { MAX_SPACE_BYTES = 16 << 20, MAX_TASKS = 64 };

typedef struct Maker {
  EchoBuilder *builder;
  const EchoLapackRoutine *routine;
  const EchoLapackCall *call;
  /* of the letter, and of its precision */
  const EchoType *element, *real, *complex;
  size_t n_batch_dims, n_characters;
  int64_t n_batch;
  EchoLapackSizes sizes;
  EchoLibraryCall library;
  EchoValue *operands[ECHO_LIBRARY_MAX_ARGS];
  size_t n_operands;
  const EchoType *types[ECHO_LIBRARY_MAX_ARGS]; /* of results, then working spaces */
  size_t n_types;
  bool is_packed[ECHO_LIBRARY_MAX_ARGS]; /* results */
} Maker;

static const EchoType *operand_type(const Maker *maker, size_t i)
{
  return maker->call->operands[i]->type;
}

/* Of a matrix in memory: columns, then rows. */
static int64_t dim_from_end(const EchoType *type, size_t i)
{
  size_t rank = echo_type_rank(type);
  return i < rank ? echo_type_dim(type, rank - 1 - i) : 1;
}

static int64_t item_bytes(const Maker *maker, const EchoType *type)
{
  int64_t bytes = (int64_t)echo_type_element_bytes(type);
  for (size_t i = maker->n_batch_dims; i < echo_type_rank(type); ++i)
    bytes *= echo_type_dim(type, i);
  return bytes;
}

static EchoLibraryArg reference(int64_t value)
{
  return (EchoLibraryArg){.kind = ECHO_LIBRARY_REFERENCE,
                          .type = ECHO_LIBRARY_PTR,
                          .referenced = ECHO_LIBRARY_I32,
                          .integer = value};
}

static EchoLibraryArg buffer(const Maker *maker, size_t number, const EchoType *type)
{
  return (EchoLibraryArg){.kind = ECHO_LIBRARY_BUFFER,
                          .type = ECHO_LIBRARY_PTR,
                          .buffer = number,
                          .strides = {item_bytes(maker, type)}};
}

/* A result, of which the first is number 0. */
static EchoLibraryArg result_buffer(const Maker *maker, size_t i)
{
  return buffer(maker, maker->n_operands + i, maker->types[i]);
}

/* Another result, of `n` numbers for each task. */
static EchoLibraryArg space(Maker *maker, int64_t n, const EchoType *element)
{
  int64_t size = n * maker->library.n_tasks;
  const EchoType *type = echo_type_tensor(maker->builder->ctx, &size, 1, element, NULL);
  maker->types[maker->n_types++] = type;
  return (EchoLibraryArg){.kind = ECHO_LIBRARY_SPACE,
                          .type = ECHO_LIBRARY_PTR,
                          .buffer = maker->n_operands + maker->n_types - 1,
                          .strides = {n * (int64_t)echo_type_element_bytes(type)}};
}

/* "?name=UL", "?name:NT", "#name". */
static bool add_attribute(Maker *maker, const char *word, EchoLibraryArg *arg)
{
  const char *choice = strchr(word, ':');
  const EchoAttr *entry = echo_lapack_attribute_or_null(maker->call, word);
  if (entry == NULL)
    return false;
  int64_t value = entry->as.integer.value;
  *arg = reference(choice != NULL ? choice[value != 0 ? 2 : 1] : value);
  maker->n_characters += word[0] == '?';
  return true;
}

static int64_t space_size(const Maker *maker, EchoLapackSpaceFn *size)
{
  return size != NULL ? size(&maker->sizes) : 1;
}

/* "r0", "r0=a0", "r0=a0+". */
static EchoLibraryArg result_argument(const Maker *maker, const char *word)
{
  size_t i = (size_t)(word[1] - '0');
  EchoLibraryArg arg = result_buffer(maker, i);
  if (word[2] != '=')
    return arg;
  arg.is_copied = true;
  arg.from = (size_t)(word[4] - '0');
  if (word[5] == '+')
    arg.offset = (int64_t)echo_type_element_bytes(maker->call->result_types[i]);
  return arg;
}

/* "c0": another result. */
static EchoLibraryArg copied_argument(Maker *maker, const char *word)
{
  size_t i = (size_t)(word[1] - '0');
  maker->types[maker->n_types++] = operand_type(maker, i);
  EchoLibraryArg arg = result_buffer(maker, maker->n_types - 1);
  arg.is_copied = true;
  arg.from = i;
  return arg;
}

static const EchoType *with_element(const Maker *maker, const EchoType *type,
                                    const EchoType *element)
{
  return echo_hlo_tensor(maker->builder->ctx, type->as.shaped.dims, echo_type_rank(type), element);
}

/* "p0": the routine's result is the real tensor of its shape. */
static EchoLibraryArg packed_argument(Maker *maker, const char *word)
{
  size_t i = (size_t)(word[1] - '0');
  maker->is_packed[i] = true;
  maker->types[i] = with_element(maker, maker->types[i], maker->real);
  return result_buffer(maker, i);
}

/* "one": by address; a complex one is one more operand, which all items share. */
static EchoLibraryArg one(Maker *maker)
{
  if (maker->element == maker->real)
    return (EchoLibraryArg){.kind = ECHO_LIBRARY_REFERENCE,
                            .type = ECHO_LIBRARY_PTR,
                            .referenced = echo_type_bit_width(maker->real) == 32 ? ECHO_LIBRARY_F32
                                                                                 : ECHO_LIBRARY_F64,
                            .floating = 1};
  return (EchoLibraryArg){
      .kind = ECHO_LIBRARY_BUFFER, .type = ECHO_LIBRARY_PTR, .buffer = maker->n_operands - 1};
}

static EchoLibraryArg size_argument(const Maker *maker, const char *word)
{
  const EchoType *type = operand_type(maker, (size_t)(word[1] - '0'));
  return reference(dim_from_end(type, word[0] == 'n' ? 1 : 0));
}

static bool make_argument(Maker *maker, const char *word, EchoLibraryArg *arg)
{
  EchoContext *ctx = maker->builder->ctx;
  if (word[0] == '?' || word[0] == '#')
    return add_attribute(maker, word, arg);
  if (strcmp(word, "w") == 0)
    *arg = space(maker, space_size(maker, maker->routine->space), maker->element);
  else if (strcmp(word, "f") == 0)
    *arg = space(maker, space_size(maker, maker->routine->reals), maker->real);
  else if (strcmp(word, "i") == 0)
    *arg = space(maker, space_size(maker, maker->routine->integers),
                 echo_type_integer(ctx, 32, ECHO_SIGNLESS));
  else if (strcmp(word, "x") == 0)
    *arg = space(maker, 1, echo_type_integer(ctx, 32, ECHO_SIGNLESS));
  else if (strcmp(word, "lw") == 0)
    *arg = reference(space_size(maker, maker->routine->space));
  else if (strcmp(word, "lf") == 0)
    *arg = reference(space_size(maker, maker->routine->reals));
  else if (strcmp(word, "li") == 0)
    *arg = reference(space_size(maker, maker->routine->integers));
  else if (strcmp(word, "one") == 0)
    *arg = one(maker);
  else if (word[0] == 'l')
    *arg = reference(
        at_least_1(dim_from_end(word[1] == 'a' ? operand_type(maker, (size_t)(word[2] - '0'))
                                               : maker->call->result_types[word[2] - '0'],
                                0)));
  else if (word[0] == 'a')
    *arg = buffer(maker, (size_t)(word[1] - '0'), operand_type(maker, (size_t)(word[1] - '0')));
  else if (word[0] == 'r')
    *arg = result_argument(maker, word);
  else if (word[0] == 'c')
    *arg = copied_argument(maker, word);
  else if (word[0] == 'p')
    *arg = packed_argument(maker, word);
  else
    *arg = size_argument(maker, word);
  return true;
}

/* Fortran hands the lengths of characters over behind all arguments. */
static void add_lengths(Maker *maker)
{
  for (size_t i = 0; i < maker->n_characters; ++i)
    maker->library.args[maker->library.n_args++] =
        (EchoLibraryArg){.kind = ECHO_LIBRARY_CONSTANT, .type = ECHO_LIBRARY_I64, .integer = 1};
}

static bool make_arguments(Maker *maker)
{
  char text[128];
  snprintf(text, sizeof text, "%s", maker->routine->arguments);
  char *rest = NULL;
  for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
    if (!make_argument(maker, word, &maker->library.args[maker->library.n_args++]))
      return false;
  add_lengths(maker);
  return true;
}

static int64_t space_bytes(const Maker *maker, EchoLapackSpaceFn *size, int64_t element_bytes)
{
  return size != NULL ? size(&maker->sizes) * element_bytes : 0;
}

static void choose_tasks(Maker *maker)
{
  const EchoLapackRoutine *routine = maker->routine;
  int64_t bytes = at_least_1(
      space_bytes(maker, routine->space, (int64_t)echo_type_element_bytes(maker->element)) +
      space_bytes(maker, routine->reals, (int64_t)echo_type_element_bytes(maker->real)) +
      space_bytes(maker, routine->integers, 4));
  int64_t n = MAX_SPACE_BYTES / bytes;
  n = n > MAX_TASKS ? MAX_TASKS : at_least_1(n);
  maker->library.n_tasks = at_least_1(n < maker->n_batch ? n : maker->n_batch);
}

static void measure(Maker *maker)
{
  const EchoType *first = operand_type(maker, 0);
  const EchoAttr *all = maker->call->dictionary;
  const EchoAttr *mode = all != NULL ? echo_dictionary_get_or_null(all, "mode") : NULL;
  maker->n_batch = 1;
  for (size_t i = 0; i < maker->n_batch_dims; ++i)
    maker->n_batch *= echo_type_dim(first, i);
  maker->sizes = (EchoLapackSizes){.m = dim_from_end(first, 0),
                                   .n = dim_from_end(first, maker->routine->rank == 2 ? 1 : 0),
                                   .has_vectors = mode == NULL || mode->kind != ECHO_ATTR_INTEGER ||
                                                  mode->as.integer.value != 'N'};
  for (size_t i = 0; i < maker->call->n_operands; ++i)
    for (size_t d = maker->n_batch_dims; d < echo_type_rank(operand_type(maker, i)); ++d)
      if (echo_type_dim(operand_type(maker, i), d) > maker->sizes.most)
        maker->sizes.most = echo_type_dim(operand_type(maker, i), d);
  choose_tasks(maker);
}

static double flops(const Maker *maker)
{
  return maker->routine->flops * (maker->element == maker->real ? 1 : 4) * (double)maker->n_batch *
         (double)maker->sizes.m * (double)maker->sizes.n *
         (double)(maker->sizes.m < maker->sizes.n ? maker->sizes.m : maker->sizes.n);
}

/* ---- eigenvectors of real matrices ---- */

/* Column j + by for column j, of the columns that there are. */
static EchoValue *neighbour(EchoBuilder *b, EchoValue *packed, int64_t by)
{
  int64_t dim = (int64_t)echo_type_rank(packed->type) - 2;
  int64_t n = echo_type_dim(packed->type, (size_t)dim);
  if (n < 2)
    return packed;
  EchoValue *most = echo_hlo_slice_dim(b, packed, dim, by > 0, by > 0 ? n : n - 1);
  EchoValue *end = echo_hlo_slice_dim(b, packed, dim, by > 0 ? n - 1 : 0, by > 0 ? n : 1);
  EchoValue *both[] = {by > 0 ? most : end, by > 0 ? end : most};
  return echo_hlo_concatenate(b, both, 2, dim);
}

/* LAPACK (dgeev.f, VR): a pair of values stands together, the one of positive imaginary part first;
 * its vector is column j + i column j + 1, the other one the conjugate. */
static EchoValue *unpacked(EchoBuilder *b, EchoValue *packed, EchoValue *imaginary)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t n_dims = echo_type_rank(imaginary->type);
  for (size_t i = 0; i < n_dims; ++i)
    dims[i] = (int64_t)i;
  EchoValue *at = echo_hlo_broadcast_in_dim(b, imaginary, packed->type, dims, n_dims);
  EchoValue *zero = echo_hlo_constant_like(b, packed, 0);
  EchoValue *is_first = echo_hlo_compare(b, ECHO_COMPARE_GT, at, zero);
  EchoValue *is_second = echo_hlo_compare(b, ECHO_COMPARE_LT, at, zero);
  EchoValue *re = echo_hlo_select(b, is_second, neighbour(b, packed, -1), packed);
  EchoValue *im = echo_hlo_select(b, is_second, echo_hlo_negate(b, packed), zero);
  return echo_hlo_complex(b, re, echo_hlo_select(b, is_first, neighbour(b, packed, 1), im));
}

/* ---- building it ---- */

static void start(Maker *maker, char letter)
{
  EchoContext *ctx = maker->builder->ctx;
  const EchoLapackCall *call = maker->call;
  maker->real = letter == 's' || letter == 'c' ? echo_type_f32(ctx) : echo_type_f64(ctx);
  maker->complex = echo_type_complex(ctx, maker->real);
  maker->element = letter == 's' || letter == 'd' ? maker->real : maker->complex;
  maker->n_operands = call->n_operands;
  maker->n_types = call->n_results;
  if (call->n_operands != 0)
    maker->n_batch_dims = echo_type_rank(operand_type(maker, 0)) - maker->routine->rank;
}

static void add_operands(Maker *maker)
{
  EchoBuilder *b = maker->builder;
  const EchoLapackCall *call = maker->call;
  memcpy(maker->operands, call->operands, call->n_operands * sizeof *maker->operands);
  memcpy(maker->types, call->result_types, call->n_results * sizeof *maker->types);
  if (maker->element == maker->real || strstr(maker->routine->arguments, " one ") == NULL)
    return;
  maker->operands[maker->n_operands++] = echo_hlo_complex(b, echo_hlo_scalar_f64(b, maker->real, 1),
                                                          echo_hlo_scalar_f64(b, maker->real, 0));
}

bool echo_lapack_build(EchoBuilder *builder, const EchoLapackRoutine *routine, char letter,
                       const EchoLapackCall *call, EchoValue **results)
{
  Maker maker = {.builder = builder, .routine = routine, .call = call};
  if (!echo_lapack_check(routine, letter, call))
    return false;
  start(&maker, letter);
  measure(&maker);
  EchoBuffer symbol = {0};
  echo_buffer_printf(&symbol, "%c%s_", letter, routine->name);
  maker.library.library = ECHO_STR("blas");
  maker.library.symbol = echo_context_intern(builder->ctx, echo_buffer_str(&symbol));
  maker.library.n_grid = 1;
  maker.library.grid[0] = maker.n_batch;
  echo_buffer_destroy(&symbol);
  add_operands(&maker);
  if (!make_arguments(&maker))
    return false;
  EchoOp *invoke = echo_kernel_invoke(builder, &maker.library, maker.operands, maker.n_operands,
                                      maker.types, maker.n_types, flops(&maker));
  for (size_t i = 0; invoke != NULL && i < call->n_results; ++i) {
    EchoValue *result = echo_op_result(invoke, (uint32_t)i);
    results[i] = maker.is_packed[i] ? unpacked(builder, result, echo_op_result(invoke, 1)) : result;
  }
  return invoke != NULL;
}
