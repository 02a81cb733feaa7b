/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ir/text/dialect_symbol_t.h"

#include "base/vector.h"
#include "ir/table/dialect.h"
#include "ir/text/lexer_t.h"

char echo_closing_bracket(char open)
{
  return open == '<' ? '>' : open == '(' ? ')' : open == '[' ? ']' : '}';
}

bool echo_symbol_is_pretty(EchoStr text)
{
  if (text.size == 0 || !echo_char_is(text.data[0], ECHO_CHAR_LETTER))
    return false;
  size_t i = 0;
  while (i < text.size && text.data[i] != '$' && echo_char_is(text.data[i], ECHO_CHAR_ID))
    i++;
  if (i == text.size)
    return true;
  if (text.data[i] != '<' || text.data[text.size - 1] != '>')
    return false;
  size_t depth = 0;
  ECHO_VECTOR(char) open = {0};
  bool fine = true;
  for (; i < text.size && fine; i++) {
    char c = text.data[i];
    if (c == '<' || c == '(' || c == '[' || c == '{') {
      echo_vector_push(&open, echo_closing_bracket(c));
      depth++;
    } else if (c == '"') {
      const char *end = echo_string_end_or_null(NULL, text.data + i, text.data + text.size);
      fine = end != NULL;
      i = fine ? (size_t)(end - text.data) - 1 : i;
    } else if (c == '-' && i + 1 < text.size && text.data[i + 1] == '>') {
      i++;
    } else if (c == '>' || c == ')' || c == ']' || c == '}') {
      fine = depth > 0 && open.data[--depth] == c && (depth > 0 || i + 1 == text.size);
      open.size = depth;
    } else if (c == '\0') {
      fine = false;
    }
  }
  echo_vector_destroy(&open);
  return fine && depth == 0;
}

/* Dialects of MLIR 19 that have no table here; "test" is of its own tests. */
static const char *const OTHER_MLIR_DIALECTS[] = {
    "acc",   "affine",        "amdgpu",     "amx",        "arm_neon",   "arm_sme", "arm_sve",
    "async", "bufferization", "cf",         "complex",    "dlti",       "emitc",   "index",
    "irdl",  "linalg",        "llvm",       "mesh",       "ml_program", "mpi",     "nvvm",
    "omp",   "pdl",           "pdl_interp", "polynomial", "ptr",        "quant",   "rocdl",
    "shape", "sparse_tensor", "spirv",      "tensor",     "test",       "tosa",    "transform",
    "ub",    "x86vector",     "xegpu"};

bool echo_mlir_has_dialect(const EchoContext *ctx, EchoStr name)
{
  const EchoDialect *dialect = echo_context_dialect_or_null(ctx, name);
  if (dialect != NULL && dialect->in_mlir)
    return true;
  for (size_t i = 0; i < sizeof OTHER_MLIR_DIALECTS / sizeof *OTHER_MLIR_DIALECTS; i++)
    if (echo_str_is(name, OTHER_MLIR_DIALECTS[i]))
      return true;
  return false;
}

bool echo_keeps_unknown(const EchoContext *ctx, EchoStr dialect)
{
  return echo_context_allows_unregistered(ctx) ||
         (echo_context_dialect_or_null(ctx, dialect) == NULL && !echo_str_is(dialect, "test") &&
          echo_mlir_has_dialect(ctx, dialect));
}
