/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether a call's types, shapes and attributes are those of a LAPACK routine: it writes as its
 * numbers say, whatever memory it is handed. */
#include <stdio.h>

#include "dialects/stablehlo/build.h"
#include "ir/diagnostics.h"
#include "lowering/calls/lapack_t.h"

typedef struct Checker {
  const EchoLapackRoutine *routine;
  const EchoLapackCall *call;
  const EchoType *element, *real, *complex, *integer;
  size_t n_batch_dims;
  int64_t dims[26]; /* of the letters; -1: not known yet */
} Checker;

static const EchoType *type_of(const Checker *checker, size_t i)
{
  const EchoLapackCall *call = checker->call;
  return i < call->n_operands ? call->operands[i]->type : call->result_types[i - call->n_operands];
}

static bool refuse_types(const Checker *checker)
{
  return echo_op_error(checker->call->op, "operands and results are not those of LAPACK's '%s'",
                       checker->routine->name);
}

/* ---- element types and the batch ---- */

/* Of the element type that the row says, with the batch of operand 0, and small enough for
 * Fortran's integers. */
static bool check_type(const Checker *checker, const EchoType *type, char kind)
{
  const EchoType *element = kind == 'T'   ? checker->element
                            : kind == 'R' ? checker->real
                            : kind == 'C' ? checker->complex
                                          : checker->integer;
  const EchoType *first = type_of(checker, 0);
  size_t rank = echo_type_rank(type);
  if (!echo_type_has_static_shape(type) || type->as.shaped.element != element ||
      rank < checker->n_batch_dims)
    return false;
  for (size_t i = 0; i < rank; ++i)
    if (echo_type_dim(type, i) > INT32_MAX ||
        (i < checker->n_batch_dims && echo_type_dim(type, i) != echo_type_dim(first, i)))
      return false;
  return true;
}

static bool check_types(Checker *checker)
{
  const EchoLapackCall *call = checker->call;
  const EchoLapackRoutine *routine = checker->routine;
  bool ok =
      call->n_operands == strlen(routine->operands) && call->n_results == strlen(routine->results);
  ok = ok && echo_type_rank(type_of(checker, 0)) >= routine->rank;
  checker->n_batch_dims = ok ? echo_type_rank(type_of(checker, 0)) - routine->rank : 0;
  for (size_t i = 0; ok && i < call->n_operands; ++i)
    ok = check_type(checker, type_of(checker, i), routine->operands[i]);
  for (size_t i = 0; ok && i < call->n_results; ++i)
    ok = check_type(checker, type_of(checker, call->n_operands + i), routine->results[i]);
  return ok || refuse_types(checker);
}

/* ---- attributes ---- */

static size_t name_size(const char *word)
{
  return 1 + strcspn(word + 1, "=: ");
}

const EchoAttr *echo_lapack_attribute_or_null(const EchoLapackCall *call, const char *word)
{
  char name[32];
  snprintf(name, sizeof name, "%.*s", (int)name_size(word) - 1, word + 1);
  const EchoAttr *entry =
      call->dictionary != NULL ? echo_dictionary_get_or_null(call->dictionary, name) : NULL;
  if (entry != NULL && entry->kind == ECHO_ATTR_INTEGER)
    return entry;
  echo_op_error(call->op, "expects a number '%s' in its backend_config", name);
  return NULL;
}

static int64_t value_or(const Checker *checker, const char *name, int64_t otherwise)
{
  const EchoAttr *all = checker->call->dictionary;
  const EchoAttr *entry = all != NULL ? echo_dictionary_get_or_null(all, name) : NULL;
  return entry != NULL && entry->kind == ECHO_ATTR_INTEGER ? entry->as.integer.value : otherwise;
}

/* One of the characters that stand behind '='. */
static bool check_character(const Checker *checker, const char *word, int64_t value)
{
  const char *first = word + name_size(word) + 1;
  for (const char *c = first; *c != ' ' && *c != '\0'; ++c)
    if (value == *c)
      return true;
  return echo_op_error(checker->call->op,
                       "expects '%.*s' of its backend_config to be a character of \"%.*s\"",
                       (int)name_size(word) - 1, word + 1, (int)strcspn(first, " "), first);
}

static int64_t *dim_of(Checker *checker, char letter)
{
  return &checker->dims[letter - 'a'];
}

/* From 1 to n and not below the number before (gehrd's rows); of no rows, what LAPACK says. */
static bool check_number(Checker *checker, const char *word, int64_t value, int64_t *before)
{
  int64_t n = *dim_of(checker, 'n'), least = *before;
  *before = value;
  if (value >= least && value <= n)
    return true;
  if (n == 0 && value == (least == 1 ? 1 : 0))
    return true;
  return echo_op_error(checker->call->op, "expects '%.*s' of its backend_config from %lld to %lld",
                       (int)name_size(word) - 1, word + 1, (long long)least, (long long)n);
}

static bool check_attributes(Checker *checker)
{
  bool ok = true;
  int64_t before = 1;
  for (const char *word = checker->routine->arguments; ok && *word != '\0';
       word += strcspn(word, " "), word += *word == ' ') {
    if (*word != '?' && *word != '#')
      continue;
    const EchoAttr *entry = echo_lapack_attribute_or_null(checker->call, word);
    ok = entry != NULL;
    if (ok && *word == '#')
      ok = check_number(checker, word, entry->as.integer.value, &before);
    else if (ok && word[name_size(word)] == '=')
      ok = check_character(checker, word, entry->as.integer.value);
  }
  return ok;
}

/* ---- shapes ---- */

/* Dimension i of the n behind the batch: rows, columns, which in memory are last and before. */
static int64_t actual(const Checker *checker, const EchoType *type, size_t n, size_t i)
{
  return echo_type_dim(type, checker->n_batch_dims + n - 1 - i);
}

static const char *next_word(const char *word, size_t *n)
{
  *n = *word == '-' ? 0 : strcspn(word, " ");
  const char *end = word + strcspn(word, " ");
  return *end == ' ' ? end + 1 : end;
}

static bool check_ranks(const Checker *checker)
{
  const char *word = checker->routine->shapes;
  for (size_t i = 0; *word != '\0'; ++i) {
    size_t n;
    word = next_word(word, &n);
    if (echo_type_rank(type_of(checker, i)) != checker->n_batch_dims + n)
      return refuse_types(checker);
  }
  return true;
}

/* Letters that stand for themselves are what their first place says. */
static void bind(Checker *checker)
{
  const char *word = checker->routine->shapes;
  for (size_t i = 0; *word != '\0'; ++i) {
    size_t n;
    const char *letters = word;
    word = next_word(word, &n);
    for (size_t d = 0; d < n; ++d)
      if (strchr("mnrt", letters[d]) != NULL && *dim_of(checker, letters[d]) < 0)
        *dim_of(checker, letters[d]) = actual(checker, type_of(checker, i), n, d);
  }
}

/* The other letters follow. A square matrix has no m; in mode N nothing is written to U and V. */
static void derive(Checker *checker)
{
  int64_t n = *dim_of(checker, 'n'), m = *dim_of(checker, 'm') < 0 ? n : *dim_of(checker, 'm');
  bool is_left = value_or(checker, "left", 1) != 0 && value_or(checker, "side", 'L') == 'L';
  bool takes_all = value_or(checker, "mode", 'S') == 'A';
  int64_t k = m < n ? m : n;
  *dim_of(checker, 'k') = k;
  *dim_of(checker, 'h') = n > 1 ? n - 1 : 0;
  *dim_of(checker, 's') = is_left ? m : n;
  *dim_of(checker, 'u') = takes_all ? m : k;
  *dim_of(checker, 'v') = takes_all ? n : k;
}

static bool fits(const Checker *checker, char letter, int64_t dim)
{
  int64_t wanted = checker->dims[letter - 'a'];
  if (dim == wanted)
    return true;
  return value_or(checker, "mode", 'S') == 'N' &&
         ((letter == 'u' && dim == checker->dims['m' - 'a']) ||
          (letter == 'v' && dim == checker->dims['n' - 'a']));
}

static bool refuse_shape(const Checker *checker, size_t i, const char *letters, size_t n)
{
  size_t n_operands = checker->call->n_operands;
  char dims[64] = "";
  for (size_t d = 0; d < n; ++d)
    snprintf(dims + strlen(dims), sizeof dims - strlen(dims), "%s%lld", d == 0 ? "" : ", ",
             (long long)checker->dims[letters[d] - 'a']);
  return echo_op_error(checker->call->op,
                       "expects the dimensions [%s] of %s %zu of LAPACK's '%s', behind its batch",
                       dims, i < n_operands ? "operand" : "result",
                       i < n_operands ? i : i - n_operands, checker->routine->name);
}

/* At most as many reflectors as columns that they make, and columns as rows. */
static bool check_reflectors(const Checker *checker)
{
  const int64_t *dims = checker->dims;
  if (strchr(checker->routine->shapes, 't') == NULL)
    return true;
  bool has_side = strchr(checker->routine->shapes, 's') != NULL;
  int64_t m = dims['m' - 'a'], n = dims['n' - 'a'], t = dims['t' - 'a'];
  bool ok = has_side ? t <= dims['s' - 'a'] : t <= n && n <= m;
  return ok || echo_op_error(checker->call->op,
                             "has %lld reflectors, more than LAPACK's '%s' takes of %lld x %lld",
                             (long long)t, checker->routine->name, (long long)m, (long long)n);
}

static bool check_shapes(const Checker *checker)
{
  const char *word = checker->routine->shapes;
  for (size_t i = 0; *word != '\0'; ++i) {
    size_t n;
    const char *letters = word;
    word = next_word(word, &n);
    for (size_t d = 0; d < n; ++d)
      if (!fits(checker, letters[d], actual(checker, type_of(checker, i), n, d)))
        return refuse_shape(checker, i, letters, n);
  }
  return check_reflectors(checker);
}

bool echo_lapack_check(const EchoLapackRoutine *routine, char letter, const EchoLapackCall *call)
{
  EchoContext *ctx = echo_op_context(call->op);
  bool is_single = letter == 's' || letter == 'c', is_real = letter == 's' || letter == 'd';
  const EchoType *real = is_single ? echo_type_f32(ctx) : echo_type_f64(ctx);
  const EchoType *complex = echo_type_complex(ctx, real);
  Checker checker = {.routine = routine,
                     .call = call,
                     .element = is_real ? real : complex,
                     .real = real,
                     .complex = complex,
                     .integer = echo_type_integer(ctx, 32, ECHO_SIGNLESS)};
  for (size_t i = 0; i < sizeof checker.dims / sizeof checker.dims[0]; ++i)
    checker.dims[i] = -1;
  if (!check_types(&checker) || !check_ranks(&checker))
    return false;
  bind(&checker);
  derive(&checker);
  return check_shapes(&checker) && check_attributes(&checker);
}
