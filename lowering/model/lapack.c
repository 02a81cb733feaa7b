/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Signatures of LAPACK and BLAS routines, a row each, and the calls that they make of operands. */
#include <stdio.h>

#include "ir/diagnostics.h"
#include "lowering/model/custom_calls_t.h"

/* ---- the table ---- */

/* What working space follows from: rows and columns of the first matrix, and whether vectors are
 * asked for. */
typedef struct Sizes {
  int64_t m, n;
  bool has_vectors;
} Sizes;

typedef int64_t SpaceFn(const Sizes *sizes);

/* Columns that a blocked routine takes at once (ILAENV's answer for these in LAPACK is 32): a space
 * of 32 columns lets it run blocked; it is fixed, because the block decides over bits. */
enum { BLOCK = 32 };

static int64_t at_least_1(int64_t n)
{
  return n > 1 ? n : 1;
}

static int64_t smaller(const Sizes *s)
{
  return s->m < s->n ? s->m : s->n;
}

static int64_t larger(const Sizes *s)
{
  return s->m < s->n ? s->n : s->m;
}

static int64_t block_columns(const Sizes *s)
{
  return at_least_1(s->n * BLOCK);
}

static int64_t geqp3_space(const Sizes *s)
{
  return 2 * s->n + (s->n + 1) * BLOCK;
}

/* LAPACK 3.11, sgesdd.f, "Note: larger than this may improve": the largest of its paths. */
static int64_t gesdd_space(const Sizes *s)
{
  int64_t least = smaller(s), most = larger(s);
  if (!s->has_vectors)
    return at_least_1(3 * least + (most > 7 * least ? most : 7 * least)) + BLOCK * most;
  return at_least_1(4 * least * least + 7 * least + most) + BLOCK * most;
}

static int64_t gesdd_integers(const Sizes *s)
{
  return at_least_1(8 * smaller(s));
}

static int64_t syevd_space(const Sizes *s)
{
  int64_t least = s->has_vectors ? 1 + 6 * s->n + 2 * s->n * s->n : 2 * s->n + 1;
  int64_t blocked = 2 * s->n + s->n * BLOCK;
  return least > blocked ? least : at_least_1(blocked);
}

static int64_t syevd_integers(const Sizes *s)
{
  return s->has_vectors ? 3 + 5 * s->n : 1;
}

static int64_t gees_space(const Sizes *s)
{
  return at_least_1((3 + BLOCK) * s->n);
}

static int64_t columns(const Sizes *s)
{
  return at_least_1(s->n);
}

struct EchoLapackRoutine {
  const char *name;
  /* Of operand 0, without its batch. */
  size_t rank;
  size_t n_operands, n_results;
  /* The arguments in the routine's order:
   *   ?name      the character of this attribute          #name   the number of this attribute
   *   m0 n0 k0   rows, columns, last dimension of operand 0 (1, 2 …)
   *   a0 r0      operand, result      r0=a0   result, which starts as a copy of the operand
   *   r0=a0+     the same, but the routine is handed its second element
   *   la0 lr0    leading dimension: rows of the matrix    one     1 as a number of the type
   *   w lw       working space of numbers, and its size   i li    of integers
   *   x          an integer that nobody reads */
  const char *arguments;
  SpaceFn *space, *integers;
  double flops; /* times m n min(m, n) of operand 0 */
};

static const EchoLapackRoutine ROUTINES[] = {
    {"potrf", 2, 1, 2, "?uplo n0 r0=a0 la0 r1", NULL, NULL, 1.0 / 3},
    {"getrf", 2, 1, 3, "m0 n0 r0=a0 la0 r1 r2", NULL, NULL, 2.0 / 3},
    {"geqrf", 2, 1, 2, "m0 n0 r0=a0 la0 r1 w lw x", block_columns, NULL, 2},
    {"geqp3", 2, 2, 3, "m0 n0 r0=a0 la0 r1=a1 r2 w lw x", geqp3_space, NULL, 2},
    {"orgqr", 2, 2, 1, "m0 n0 k1 r0=a0 la0 a1 w lw x", block_columns, NULL, 2},
    {"gesdd", 2, 1, 5, "?mode m0 n0 r0=a0 la0 r1 r2 lr2 r3 lr3 w lw i r4", gesdd_space,
     gesdd_integers, 22},
    {"syevd", 2, 1, 3, "?mode ?uplo n0 r0=a0 la0 r1 w lw i li r2", syevd_space, syevd_integers, 9},
    {"sytrd", 2, 1, 5, "?uplo n0 r0=a0 la0 r1 r2 r3 w lw r4", block_columns, NULL, 4.0 / 3},
    {"gehrd", 2, 1, 3, "n0 #low #high r0=a0 la0 r1 w lw r2", block_columns, NULL, 10.0 / 3},
    {"gees", 2, 1, 6, "?mode ?sort x n0 r0=a0 la0 r4 r2 r3 r1 lr1 w lw i r5", gees_space, columns,
     25},
    {"gtsv", 1, 4, 5, "k0 n3 r0=a0+ r1=a1 r2=a2 r3=a3 la3 r4", NULL, NULL, 8},
    {"trsm", 2, 2, 1, "?side ?uplo ?trans_x ?diag m1 n1 one a0 la0 r0=a1 la1", NULL, NULL, 1},
};

const EchoLapackRoutine *echo_lapack_routine_or_null(EchoStr target, char *letter)
{
  static const char prefix[] = "lapack_", suffix[] = "_ffi";
  size_t head = sizeof prefix - 1, tail = sizeof suffix - 1;
  if (target.size < head + tail + 2 || memcmp(target.data, prefix, head) != 0 ||
      memcmp(target.data + target.size - tail, suffix, tail) != 0)
    return NULL;
  *letter = target.data[head];
  EchoStr name = {target.data + head + 1, target.size - head - tail - 1};
  if (*letter != 's' && *letter != 'd')
    return NULL;
  for (size_t i = 0; i < sizeof ROUTINES / sizeof ROUTINES[0]; ++i)
    if (echo_str_is(name, ROUTINES[i].name))
      return &ROUTINES[i];
  return NULL;
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
  EchoElementKind kind;
  EchoLibraryType real;
  size_t n_batch_dims, n_characters;
  int64_t n_batch;
  Sizes sizes;
  EchoLibraryCall library;
  EchoValue *operands[ECHO_LIBRARY_MAX_ARGS];
  const EchoType *types[ECHO_LIBRARY_MAX_ARGS]; /* of results, then working spaces */
  size_t n_types;
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

/* Another result, of `n` numbers for each task. */
static EchoLibraryArg space(Maker *maker, int64_t n, const EchoType *element)
{
  int64_t size = n * maker->library.n_tasks;
  const EchoType *type = echo_type_tensor(maker->builder->ctx, &size, 1, element, NULL);
  maker->types[maker->n_types++] = type;
  return (EchoLibraryArg){.kind = ECHO_LIBRARY_SPACE,
                          .type = ECHO_LIBRARY_PTR,
                          .buffer = maker->call->n_operands + maker->n_types - 1,
                          .strides = {n * (int64_t)echo_type_element_bytes(type)}};
}

static const EchoAttr *entry_or_null(const Maker *maker, const char *name)
{
  const EchoAttr *all = maker->call->dictionary;
  const EchoAttr *entry = all != NULL ? echo_dictionary_get_or_null(all, name) : NULL;
  if (entry != NULL && entry->kind == ECHO_ATTR_INTEGER)
    return entry;
  echo_op_error(maker->call->op, "expects a number '%s' in its backend_config", name);
  return NULL;
}

static bool add_attribute(Maker *maker, const char *name, bool is_character, EchoLibraryArg *arg)
{
  const EchoAttr *entry = entry_or_null(maker, name);
  if (entry == NULL)
    return false;
  *arg = reference(entry->as.integer.value);
  maker->n_characters += is_character;
  return true;
}

static int64_t space_size(const Maker *maker, SpaceFn *size)
{
  return size != NULL ? size(&maker->sizes) : 1;
}

/* "r0", "r0=a0", "r0=a0+": results, of which the first is number 0. */
static EchoLibraryArg result_argument(const Maker *maker, const char *word)
{
  size_t i = (size_t)(word[1] - '0');
  EchoLibraryArg arg = buffer(maker, maker->call->n_operands + i, maker->call->result_types[i]);
  if (word[2] != '=')
    return arg;
  arg.is_copied = true;
  arg.from = (size_t)(word[4] - '0');
  if (word[5] == '+')
    arg.offset = (int64_t)echo_type_element_bytes(maker->call->result_types[i]);
  return arg;
}

static EchoLibraryArg size_argument(const Maker *maker, const char *word)
{
  const EchoType *type = operand_type(maker, (size_t)(word[1] - '0'));
  return reference(dim_from_end(type, word[0] == 'n' ? 1 : 0));
}

static bool make_argument(Maker *maker, const char *word, EchoLibraryArg *arg)
{
  const EchoType *first = operand_type(maker, 0);
  EchoContext *ctx = maker->builder->ctx;
  if (word[0] == '?' || word[0] == '#')
    return add_attribute(maker, word + 1, word[0] == '?', arg);
  if (strcmp(word, "w") == 0)
    *arg = space(maker, space_size(maker, maker->routine->space), first->as.shaped.element);
  else if (strcmp(word, "i") == 0)
    *arg = space(maker, space_size(maker, maker->routine->integers),
                 echo_type_integer(ctx, 32, ECHO_SIGNLESS));
  else if (strcmp(word, "x") == 0)
    *arg = space(maker, 1, echo_type_integer(ctx, 32, ECHO_SIGNLESS));
  else if (strcmp(word, "lw") == 0)
    *arg = reference(space_size(maker, maker->routine->space));
  else if (strcmp(word, "li") == 0)
    *arg = reference(space_size(maker, maker->routine->integers));
  else if (strcmp(word, "one") == 0)
    *arg = (EchoLibraryArg){.kind = ECHO_LIBRARY_REFERENCE,
                            .type = ECHO_LIBRARY_PTR,
                            .referenced = maker->real,
                            .floating = 1};
  else if (word[0] == 'l')
    *arg = reference(
        at_least_1(dim_from_end(word[1] == 'a' ? operand_type(maker, (size_t)(word[2] - '0'))
                                               : maker->call->result_types[word[2] - '0'],
                                0)));
  else if (word[0] == 'a')
    *arg = buffer(maker, (size_t)(word[1] - '0'), operand_type(maker, (size_t)(word[1] - '0')));
  else if (word[0] == 'r')
    *arg = result_argument(maker, word);
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

/* Numbers of the routine's type and integers of 32 bits, all with the batch of operand 0, and small
 * enough for Fortran's integers. */
static bool check_type(const Maker *maker, const EchoType *type)
{
  EchoElementKind kind = echo_type_element_kind(type);
  size_t rank = echo_type_rank(type);
  if ((kind != maker->kind && kind != ECHO_ELEMENT_I32) || rank < maker->n_batch_dims)
    return false;
  for (size_t i = 0; i < rank; ++i)
    if (echo_type_dim(type, i) > INT32_MAX ||
        (i < maker->n_batch_dims &&
         echo_type_dim(type, i) != echo_type_dim(operand_type(maker, 0), i)))
      return false;
  return true;
}

static bool check_types(const Maker *maker)
{
  const EchoLapackCall *call = maker->call;
  bool ok = call->n_operands == maker->routine->n_operands &&
            call->n_results == maker->routine->n_results;
  for (size_t i = 0; ok && i < call->n_operands; ++i)
    ok = echo_type_has_static_shape(operand_type(maker, i)) &&
         check_type(maker, operand_type(maker, i));
  for (size_t i = 0; ok && i < call->n_results; ++i)
    ok = echo_type_has_static_shape(call->result_types[i]) &&
         check_type(maker, call->result_types[i]);
  return ok || echo_op_error(call->op, "operands and results are not those of LAPACK's '%s'",
                             maker->routine->name);
}

static void choose_tasks(Maker *maker)
{
  int64_t bytes = maker->routine->space != NULL || maker->routine->integers != NULL
                      ? space_size(maker, maker->routine->space) * 8 +
                            space_size(maker, maker->routine->integers) * 4
                      : 1;
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
  maker->sizes = (Sizes){.m = dim_from_end(first, 0),
                         .n = dim_from_end(first, maker->routine->rank == 2 ? 1 : 0),
                         .has_vectors = mode == NULL || mode->kind != ECHO_ATTR_INTEGER ||
                                        mode->as.integer.value != 'N'};
  choose_tasks(maker);
}

static double flops(const Maker *maker)
{
  return maker->routine->flops * (double)maker->n_batch * (double)maker->sizes.m *
         (double)maker->sizes.n * (double)smaller(&maker->sizes);
}

EchoOp *echo_lapack_build_or_null(EchoBuilder *builder, const EchoLapackRoutine *routine,
                                  char letter, const EchoLapackCall *call)
{
  Maker maker = {.builder = builder,
                 .routine = routine,
                 .call = call,
                 .kind = letter == 's' ? ECHO_ELEMENT_F32 : ECHO_ELEMENT_F64,
                 .real = letter == 's' ? ECHO_LIBRARY_F32 : ECHO_LIBRARY_F64};
  if (call->n_operands != 0)
    maker.n_batch_dims = echo_type_rank(operand_type(&maker, 0)) - routine->rank;
  if (!check_types(&maker))
    return NULL;
  measure(&maker);
  EchoBuffer symbol = {0};
  echo_buffer_printf(&symbol, "%c%s_", letter, routine->name);
  maker.library.library = ECHO_STR("blas");
  maker.library.symbol = echo_context_intern(builder->ctx, echo_buffer_str(&symbol));
  maker.library.n_grid = 1;
  maker.library.grid[0] = maker.n_batch;
  echo_buffer_destroy(&symbol);
  memcpy(maker.types, call->result_types, call->n_results * sizeof *maker.types);
  maker.n_types = call->n_results;
  if (!make_arguments(&maker))
    return NULL;
  return echo_kernel_invoke(builder, &maker.library, call->operands, call->n_operands, maker.types,
                            maker.n_types, flops(&maker));
}
